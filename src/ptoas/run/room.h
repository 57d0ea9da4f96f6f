// Room for strings of megabytes.
#ifndef PTO_SRC_PTOAS_RUN_ROOM_H_
#define PTO_SRC_PTOAS_RUN_ROOM_H_

#include <cstddef>
#include <cstdint>
#include <string>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace pto::ptoas {

// Address space, in large pages where the system has them: a page of 4 KiB that is touched first costs as much as the
// copy of four. Nothing depends on it.
inline void Reserve(std::string* text, size_t bytes) {
  text->reserve(bytes);
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t kLarge = uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<uintptr_t>(text->data());
  const uintptr_t first = (begin + kLarge - 1) & ~(kLarge - 1);
  const uintptr_t last = (begin + text->capacity()) & ~(kLarge - 1);
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_RUN_ROOM_H_
