// Sizes and thresholds of the kernels, each with the measurement behind it.
#ifndef PTO_SRC_KERNELS_TUNING_H_
#define PTO_SRC_KERNELS_TUNING_H_

#include <cstddef>

namespace pto {

// Elements of a broadcast operand that are laid out at a time: 4 KiB of f32
// stay in L1 beside the other operand and the result.
inline constexpr size_t kBroadcastBytes = 4096;

// Short lines are packed until there is this much, or four vectors if that is more:
// enough to hide that the loads wait for the stores that packed them.
inline constexpr size_t kMinPackBytes = 256;

// Results of at least this size bypass the caches. With one or two sources the whole is
// then beyond the 32 MiB third-level cache of the machine measured (Zen 4), and beyond
// most of the 105 MiB of a Sapphire Rapids; in a cache non-temporal stores are 2 to 20
// times slower, so the threshold errs upwards.
inline constexpr size_t kStreamBytes = size_t{24} << 20;

// Non-temporal stores go to this many pages in turn: 0.65 ns an f32 sum of 4096 x 4096
// instead of 0.77 in sequence and 0.95 through the caches (Sapphire Rapids).
inline constexpr size_t kStreamPages = 8;
inline constexpr size_t kPageBytes = 4096;

}  // namespace pto

#endif  // PTO_SRC_KERNELS_TUNING_H_
