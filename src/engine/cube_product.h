// Products of matrices that lie at addresses of on-chip memory, for statements of the cube: no tile is placed there.
#ifndef PTO_SRC_ENGINE_CUBE_PRODUCT_H_
#define PTO_SRC_ENGINE_CUBE_PRODUCT_H_

#include <cstdint>

struct pto_context;

namespace pto {

// A product of matrices at addresses, in the order of the cube's memories: boxes of 512 bytes, 16 rows of the left
// matrix or 16 columns of the right one each, and in the accumulator boxes of 16 x 16. Types are values of pto_dtype.
struct OnChipProduct {
  int32_t m = 0, n = 0, k = 0;
  int left_type = 0, right_type = 0, sum_type = 0;
  uint8_t* sums = nullptr;
  uint8_t* left = nullptr;
  uint8_t* right = nullptr;
  uint8_t* bias = nullptr;                                  // a row of sums, or nullptr
  uint8_t *left_scales = nullptr, *right_scales = nullptr;  // of products with block scales: both, else neither
  bool adds = false;                                        // to what the accumulator holds
  bool row = false;                                         // m is 1, and the row lies in one piece
  int32_t mad = 0;                                          // pto_mad
};
// Multiplies them as the instructions do: the same bits. Returns false when memory is out, or the run is to end. What
// boxes of the accumulator have beyond m rows and n columns stays.
bool Multiply(pto_context* ctx, const OnChipProduct& product);

}  // namespace pto

#endif  // PTO_SRC_ENGINE_CUBE_PRODUCT_H_
