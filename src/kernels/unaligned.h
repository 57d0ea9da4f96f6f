// Elements at any address, as a load or a store each.
#ifndef PTO_SRC_KERNELS_UNALIGNED_H_
#define PTO_SRC_KERNELS_UNALIGNED_H_

#include <cstddef>
#include <cstring>

namespace pto {

template <typename T>
[[gnu::always_inline]] inline T LoadAt(const void* data, ptrdiff_t at) {
  T element;
  std::memcpy(&element, static_cast<const char*>(data) + at * static_cast<ptrdiff_t>(sizeof(T)),
              sizeof(T));
  return element;
}

template <typename T>
[[gnu::always_inline]] inline void StoreAt(void* data, ptrdiff_t at, T element) {
  std::memcpy(static_cast<char*>(data) + at * static_cast<ptrdiff_t>(sizeof(T)), &element,
              sizeof(T));
}

}  // namespace pto

#endif  // PTO_SRC_KERNELS_UNALIGNED_H_
