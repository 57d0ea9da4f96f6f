// Conversion of accumulators by quantisation words: the steps that src/kernels/convert.h has
// not.
#ifndef PTO_SRC_KERNELS_QUANTISE_H_
#define PTO_SRC_KERNELS_QUANTISE_H_

#include <cstddef>
#include <cstdint>

namespace pto {

// Steps over a line, each with an entry for each column beside it. Precondition: count is a
// multiple of kQuantiseUnit; dst shares no byte with the others.
inline constexpr size_t kQuantiseUnit = 16;

struct Quantisers {
  // dst[k] = src[k] * scale[k]; where f64 does not have the product it is rounded to odd, so that a
  // later rounding is as good as the only one. Scales are numbers of f32.
  void (*scale_f32)(double* dst, const float* src, const double* scale, size_t count);
  void (*scale_i32)(double* dst, const int32_t* src, const double* scale, size_t count);
  // To nearest, ties to even, a NaN canonical; and rounded to odd.
  void (*to_f32)(float* dst, const double* src, size_t count);
  void (*to_odd_f32)(float* dst, const double* src, size_t count);
  // src[k] to the nearest integer, ties to even, of -256..255, NaN to 0; the offset added; of
  // low[k]..low[k] + 255.
  void (*to_bytes)(int32_t* dst, const double* src, const int32_t* offset, const int32_t* low,
                   size_t count);
};

const Quantisers& PickQuantisers(int target);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_QUANTISE_H_
