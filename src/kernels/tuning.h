// Sizes and thresholds of the kernels, each with the measurement behind it.
#ifndef PTO_SRC_KERNELS_TUNING_H_
#define PTO_SRC_KERNELS_TUNING_H_

#include <cstddef>

namespace pto {

// Elements of a broadcast operand that are laid out at a time: 4 KiB of f32
// stay in L1 beside the other operand and the result.
inline constexpr size_t kBroadcastBytes = 4096;

}  // namespace pto

#endif  // PTO_SRC_KERNELS_TUNING_H_
