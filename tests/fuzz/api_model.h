// The model of fuzz_api: the fuzzer's bytes as decisions, elements as bits, and tiles as they should be.
#ifndef PTO_TESTS_FUZZ_API_MODEL_H_
#define PTO_TESTS_FUZZ_API_MODEL_H_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "include/pto_c.h"
#include "tests/common/layouts.h"

namespace api {

[[noreturn]] inline void Broken(const char* what, int call) {
  std::fprintf(stderr, "broken at call %d: %s\n", call, what);
  std::abort();
}

// The fuzzer's bytes as decisions; zeros once they are used up.
class Dice {
 public:
  Dice(const uint8_t* data, size_t size) : at_(data), left_(size) {}
  bool Empty() const { return left_ == 0; }
  uint32_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *at_++;
  }
  uint32_t Below(uint32_t n) { return (Byte() << 8 | Byte()) % n; }

 private:
  const uint8_t* at_;
  size_t left_;
};

// Elements as numbers: element n of what follows each other, of packed types two a byte.
inline uint64_t GetBits(const uint8_t* data, int64_t n, int bits) {
  uint64_t word = 0;
  if (bits < 8) return data[n / 2] >> (n % 2 * 4) & 15;
  std::memcpy(&word, data + n * bits / 8, static_cast<size_t>(bits / 8));
  return word;
}
inline void SetBits(uint8_t* data, int64_t n, int bits, uint64_t word) {
  if (bits >= 8) {
    std::memcpy(data + n * bits / 8, &word, static_cast<size_t>(bits / 8));
  } else {
    const int shift = static_cast<int>(n % 2 * 4);
    data[n / 2] = static_cast<uint8_t>((data[n / 2] & 0xf0 >> shift) | (word & 15) << shift);
  }
}
inline int64_t BytesOf(pto_dtype dtype, int64_t count) { return (count * pto_dtype_bits(dtype) + 7) / 8; }

inline bool IsPacked(pto_dtype dtype) { return pto_dtype_bits(dtype) < 8; }

// Memory that tiles lie in, as it should be and as it is.
struct Memory {
  std::vector<uint8_t> want;
  const uint8_t* real = nullptr;
};

struct Tile {
  pto_tile* handle = nullptr;
  std::shared_ptr<Memory> memory;  // none: a manual tile without an address
  int64_t first = 0;               // byte of element (0, 0) in the memory
  std::vector<int64_t> map;        // place of (r, c), in elements from there
  pto_dtype dtype = PTO_DTYPE_F32;
  int32_t rows = 0, cols = 0, valid_rows = 0, valid_cols = 0;
  bool manual = false, boxed = false;
  bool by_rows = true;  // what follows each other in memory, of one that is not boxed
  int references = 1;

  int Bits() const { return pto_dtype_bits(dtype); }
  int64_t Place(int32_t r, int32_t c) const { return map[static_cast<size_t>(r * cols + c)]; }
  uint64_t Get(int32_t r, int32_t c) const { return GetBits(memory->want.data() + first, Place(r, c), Bits()); }
  void Set(int32_t r, int32_t c, uint64_t word) const {
    SetBits(memory->want.data() + first, Place(r, c), Bits(), word);
  }
  // What pto_tile_read() returns: rows, each from a byte on.
  int64_t LineBytes() const { return BytesOf(dtype, valid_cols); }
  int64_t ValidBytes() const { return valid_rows * LineBytes(); }
};

}  // namespace api

#endif  // PTO_TESTS_FUZZ_API_MODEL_H_
