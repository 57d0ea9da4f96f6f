// On-chip memory between runs of programs: src/ptoas/run keeps contexts for its cores and makes them as good as new.
#ifndef PTO_SRC_CORE_ON_CHIP_H_
#define PTO_SRC_CORE_ON_CHIP_H_

#include <cstdint>

struct pto_context;
struct pto_tile;

namespace pto {

// Makes the bytes from `begin` to `end` of a location's memory zero for every tile that is placed from now on. If a
// tile still lies in that memory, it keeps all of it and the context takes new memory when it needs some. Precondition:
// no tile was placed outside of what was passed since the memory was new; begin <= end.
void ClearOnChip(pto_context* ctx, int location, int64_t begin, int64_t end);

// Whether a tile may be placed at an address of the context's memory. If not, the error is the one of pto_tassign().
bool MayLieAt(pto_context* ctx, const pto_tile* tile, int64_t address);

// The memory of a location, made on first use, and in *bytes how many bytes it has. nullptr when memory is out. It
// stays where it is until ClearOnChip().
uint8_t* OnChipBytes(pto_context* ctx, int location, int64_t* bytes);

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

#endif  // PTO_SRC_CORE_ON_CHIP_H_
