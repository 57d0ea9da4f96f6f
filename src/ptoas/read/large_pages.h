// Large pages for memory that is filled from its begin to its end: a fault for 2 MiB and not for 4 KiB.
#ifndef PTO_SRC_PTOAS_LARGE_PAGES_H_
#define PTO_SRC_PTOAS_LARGE_PAGES_H_

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif
#include <cstddef>
#include <cstdint>

namespace pto::ptoas {

inline void AskForLargePages([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t kLarge = uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t first = (begin + kLarge - 1) & ~(kLarge - 1);
  const uintptr_t last = (begin + bytes) & ~(kLarge - 1);
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_LARGE_PAGES_H_
