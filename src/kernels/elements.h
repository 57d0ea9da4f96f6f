// Elements of any width, as the drivers of kernels move them. Plain C++.
#ifndef PTO_SRC_KERNELS_ELEMENTS_H_
#define PTO_SRC_KERNELS_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pto {

// An address some elements on.
inline const uint8_t* At(const void* base, ptrdiff_t elements, size_t size) {
  return static_cast<const uint8_t*>(base) + elements * static_cast<ptrdiff_t>(size);
}
inline uint8_t* At(void* base, ptrdiff_t elements, size_t size) {
  return static_cast<uint8_t*>(base) + elements * static_cast<ptrdiff_t>(size);
}

// The same element repeated over all bytes.
inline void FillElements(void* to, size_t bytes, const void* element, size_t size) {
  // Copies of unknown size are calls: the element becomes a word of its likes.
  uint64_t word = 0;
  switch (size) {
    case 1:
      word = *static_cast<const uint8_t*>(element) * uint64_t{0x0101010101010101};
      break;
    case 2: {
      uint16_t half;
      std::memcpy(&half, element, 2);
      word = half * uint64_t{0x0001000100010001};
      break;
    }
    case 4: {
      uint32_t half;
      std::memcpy(&half, element, 4);
      word = half * uint64_t{0x0000000100000001};
      break;
    }
    default:
      std::memcpy(&word, element, 8);
  }
  auto* out = static_cast<uint8_t*>(to);
  const uint64_t words[2] = {word, word};
  size_t i = 0;
  for (; i + 16 <= bytes; i += 16) std::memcpy(out + i, words, 16);
  if (i != bytes) std::memcpy(out + i, words, bytes - i);
}

// `count` elements that follow one another, to such as are to_step apart. Those read have
// from_size bytes; the low `size` of them are copied.
template <typename T>
inline void SpreadElements(const uint8_t* from, size_t from_size, void* to, ptrdiff_t to_step,
                           size_t count) {
  T* out = static_cast<T*>(to);
  for (size_t i = 0; i < count; ++i, from += from_size, out += to_step)
    std::memcpy(out, from, sizeof(T));
}

inline void SpreadElements(const void* from, size_t from_size, void* to, size_t size,
                           ptrdiff_t to_step, size_t count) {
  if (to_step == 1 && from_size == size) {
    std::memcpy(to, from, size * count);
    return;
  }
  const auto* bytes = static_cast<const uint8_t*>(from);
  switch (size) {
    case 1:
      return SpreadElements<uint8_t>(bytes, from_size, to, to_step, count);
    case 2:
      return SpreadElements<uint16_t>(bytes, from_size, to, to_step, count);
    case 4:
      return SpreadElements<uint32_t>(bytes, from_size, to, to_step, count);
    default:
      return SpreadElements<uint64_t>(bytes, from_size, to, to_step, count);
  }
}

// An element's bits.
inline uint64_t LoadElement(const void* from, size_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, size);
  return bits;
}

}  // namespace pto

#endif  // PTO_SRC_KERNELS_ELEMENTS_H_
