// Sizes and thresholds of the kernels, each with the measurement that it follows from.
#ifndef PTO_SRC_KERNELS_TUNING_H_
#define PTO_SRC_KERNELS_TUNING_H_

#include <cstddef>

namespace pto {

// Operands of step 0 are laid out. For many short lines, as much as stays in L1 with the other
// operand and the result:
inline constexpr size_t kBroadcastBytes = 4096;
// A long line is cut into lines of this much, which all read the same laid-out bytes: 1.2 to 1.7
// times as fast as a block of 4096.
inline constexpr size_t kPartBytes = 512;

// Short lines are packed until there is this much: enough to hide that the block's first loads
// wait for the stores that packed them.
inline constexpr size_t kPackBytes = 1024;

inline constexpr size_t kPageBytes = 4096;

// Values that depend on the machine.
struct Tuning {
  // Operands and results of together at least this size are beyond the caches: results then
  // bypass them. On Zen 4 (32 MiB) that is 1.4 to 1.9 times as fast from 48 MiB on, in a cache
  // 2 to 20 times slower.
  size_t stream_bytes;
  // Non-temporal stores go to this many pages in turn. f32 sums of 4096 x 4096, through the
  // caches, in sequence and over 8 pages: 0.60, 0.41, 0.76 ns on Zen 4; 0.95, 0.77, 0.65 ns on
  // Sapphire Rapids.
  size_t stream_pages;
  // The processor's own gathering of words is faster than loads one after another: bare loops of
  // 64 x 64 take 0.18 and 0.24 ns an element on Emerald Rapids, 0.40 and 0.25 on Zen 4.
  bool gathers;
  // An operation on subnormal numbers takes an assist of some 150 cycles. AMD's processors have
  // none: a Zen 3 divides them in twice the usual time, and adds and multiplies them at full
  // speed.
  bool assists;
};
extern Tuning tuning;

}  // namespace pto

#endif  // PTO_SRC_KERNELS_TUNING_H_
