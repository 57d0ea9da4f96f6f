// Elements of packed types: two a byte in the data of tiles, the first in the low half and each row from a byte of its
// own; here a byte each, floats as their code and i4 as an i8.
#ifndef PTO_SRC_PTOAS_RUN_CODES_H_
#define PTO_SRC_PTOAS_RUN_CODES_H_

#include <cstdint>
#include <vector>

#include "include/pto_c.h"

namespace pto::ptoas {

inline bool IsPacked(pto_dtype dtype) { return pto_dtype_bits(dtype) < 8; }

inline char CodeAt(pto_dtype dtype, const char* bytes, int64_t at) {
  const int code = static_cast<unsigned char>(bytes[at / 2]) >> (at % 2 * 4) & 15;
  return static_cast<char>(dtype == PTO_DTYPE_I4 ? (code ^ 8) - 8 : code);
}
inline void SetCodeAt(char* bytes, int64_t at, unsigned code) {
  const int shift = static_cast<int>(at % 2 * 4);
  bytes[at / 2] = static_cast<char>((bytes[at / 2] & ~(15 << shift)) | static_cast<int>(code & 15) << shift);
}

// Converts bytes that were read of a tile to elements of pto_dtype_bytes() each.
inline void SpreadCodes(pto_dtype dtype, int64_t rows, int64_t cols, std::vector<char>* data) {
  if (!IsPacked(dtype)) return;
  std::vector<char> codes;
  codes.reserve(static_cast<size_t>(rows * cols));
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) codes.push_back(CodeAt(dtype, data->data() + r * ((cols + 1) / 2), c));
  }
  data->swap(codes);
}

// And back.
inline void JoinCodes(pto_dtype dtype, int64_t rows, int64_t cols, std::vector<char>* data) {
  if (!IsPacked(dtype)) return;
  const int64_t line = (cols + 1) / 2;
  std::vector<char> packed(static_cast<size_t>(rows * line));
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      SetCodeAt(packed.data() + r * line, c, static_cast<unsigned char>((*data)[static_cast<size_t>(r * cols + c)]));
    }
  }
  data->swap(packed);
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_RUN_CODES_H_
