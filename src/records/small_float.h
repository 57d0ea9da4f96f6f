// The codes of floats of a byte or less.
#ifndef PTO_SRC_RECORDS_SMALL_FLOAT_H_
#define PTO_SRC_RECORDS_SMALL_FLOAT_H_

#include <cstdint>

#include "src/records/dtype.h"

namespace pto {

// HiFloat8 as the bits of an f32. After the sign the first digits, up to a one, are the size of the exponent: 4,
// 3, 2, 1 or none; without a one among four the last three are a power of two. The exponent has a sign and a hidden
// first digit.
constexpr uint32_t HiFloatBits(uint32_t code) {
  const uint32_t size = code & 0x7f;
  const uint32_t sign = (code & 0x80) << 24;
  if (code == 0x80) return 0x7fc00000;
  if (size == 0x6f) return sign | 0x7f800000;
  if (size < 8) return sign | (size == 0 ? 0 : (size - 23 + 127) << 23);
  const int digits = size >= 0x60 ? 4 : size >= 0x40 ? 3 : size >= 0x20 ? 2 : size >= 0x10 ? 1 : 0;
  const int fraction_bits = digits > 2 ? 5 - digits : 3;
  int exponent = 0;
  if (digits > 0) {
    const uint32_t field = size >> fraction_bits & ((1U << digits) - 1);
    const uint32_t top = 1U << (digits - 1);
    exponent = static_cast<int>(field | top);
    if ((field & top) != 0) exponent = -exponent;
  }
  const uint32_t fraction = size & ((1U << fraction_bits) - 1);
  return sign | static_cast<uint32_t>(exponent + 127) << 23 | fraction << (23 - fraction_bits);
}

// A code of any of dtypes::kCodes, exactly.
constexpr uint32_t SmallFloatBits(DType dtype, uint32_t code) {
  if (dtype == DType::kHiF8) return HiFloatBits(code);
  if (dtype == DType::kE8M0) return code == 0 ? 0x400000 : code == 255 ? 0x7fc00000 : code << 23;
  const bool packed = IsPacked(dtype);
  const int fraction_bits = dtype == DType::kE4M3 ? 3 : dtype == DType::kE2M1 ? 1 : 2;
  const int bias = packed ? 1 : dtype == DType::kE4M3 ? 7 : 15;
  const uint32_t size = code & (packed ? 0x7 : 0x7f);
  const uint32_t sign = (code & (packed ? 0x8 : 0x80)) << (packed ? 28 : 24);
  if (dtype == DType::kE4M3 ? size == 0x7f : size > 0x7c) return 0x7fc00000;
  if (dtype == DType::kE5M2 && size == 0x7c) return sign | 0x7f800000;
  uint32_t digits = size & ((1U << fraction_bits) - 1);
  int exponent = static_cast<int>(size >> fraction_bits);
  if (exponent == 0) {
    if (digits == 0) return sign;
    for (exponent = 1; digits >> fraction_bits == 0; --exponent) digits <<= 1;
    digits -= 1U << fraction_bits;
  }
  return sign | static_cast<uint32_t>(exponent - bias + 127) << 23 | digits << (23 - fraction_bits);
}

}  // namespace pto

#endif  // PTO_SRC_RECORDS_SMALL_FLOAT_H_
