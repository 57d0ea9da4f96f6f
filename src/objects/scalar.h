// Scalars of a call as the bits of an element, by integer arithmetic only: whatever rounding
// mode the caller has.
#ifndef PTO_SRC_OBJECTS_SCALAR_H_
#define PTO_SRC_OBJECTS_SCALAR_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "src/records/dtype.h"
#include "src/records/float_parts.h"

namespace pto {

// Same values as pto_scalar_kind.
enum class ScalarKind : int32_t { kInt = 0, kUint = 1, kFloat = 2, kBits = 3 };
inline constexpr int kScalarKindCount = 4;

// Same layout as pto_scalar.
struct Scalar {
  uint64_t bits = 0;
  int32_t kind = 0;
  int32_t reserved = 0;
};

// A binary floating-point format: stored bits of the significand, and exponent of the smallest normal number.
struct FloatFormat {
  int fraction;
  int least;
  int width;
};

constexpr FloatFormat FormatOf(DType dtype) {
  return dtype == DType::kF16    ? FloatFormat{10, -14, 16}
         : dtype == DType::kBF16 ? FloatFormat{7, -126, 16}
                                 : FloatFormat{23, -126, 32};
}

// (-1)^negative * magnitude * 2^exponent in a format, rounded to nearest, ties to even.
constexpr uint64_t RoundToFormat(bool negative, uint64_t magnitude, int exponent, FloatFormat f) {
  const uint64_t sign = static_cast<uint64_t>(negative) << (f.width - 1);
  if (magnitude == 0) return sign;
  const int top = 63 - std::countl_zero(magnitude);
  // The unit of the result is 2^unit; subnormals have the unit of the smallest normal number.
  const int scale = std::max(top + exponent, f.least);
  const int shift = scale - f.fraction - exponent;  // bits of the magnitude below the unit
  uint64_t significand = 0;
  if (shift <= 0) {
    significand = magnitude << -shift;
  } else if (shift < 64) {
    significand = magnitude >> shift;
    const uint64_t rest = magnitude << (64 - shift);
    constexpr uint64_t kHalf = uint64_t{1} << 63;
    significand += rest > kHalf || (rest == kHalf && (significand & 1) != 0);
  } else if (shift == 64) {
    significand = magnitude > (uint64_t{1} << 63);
  }
  // A carry moves on into the exponent field, and beyond the largest number to infinity.
  const auto field = static_cast<uint64_t>(scale - f.least);
  const uint64_t bits = (field << f.fraction) + significand;
  const uint64_t infinity = ((uint64_t{1} << (f.width - 1 - f.fraction)) - 1) << f.fraction;
  return sign | (bits < infinity ? bits : infinity);
}

constexpr FloatParts PartsOf(uint64_t bits, DType dtype) {
  const FloatFormat f = FormatOf(dtype);
  return FloatPartsOf(bits, f.width - 1 - f.fraction, f.fraction);
}

inline bool KnownScalar(const Scalar& scalar) {
  return static_cast<uint32_t>(scalar.kind) < kScalarKindCount && scalar.reserved == 0;
}

// As ScalarBits(), for any scalar.
inline bool AnyScalarBits(const Scalar& scalar, DType dtype, uint64_t* out) {
  if (!KnownScalar(scalar)) return false;
  const int width = Info(dtype).bytes * 8;
  const auto kind = static_cast<ScalarKind>(scalar.kind);
  if (kind == ScalarKind::kBits) {
    *out = scalar.bits;
    return width == 64 || scalar.bits >> width == 0;
  }
  // Any number is (-1)^negative * magnitude * 2^exponent, except for infinities and NaN.
  bool negative = kind != ScalarKind::kUint && scalar.bits >> 63 != 0;
  uint64_t magnitude = kind == ScalarKind::kInt && negative ? 0 - scalar.bits : scalar.bits;
  int exponent = 0;
  bool finite = true;
  if (kind == ScalarKind::kFloat) {
    const auto field = static_cast<int>(scalar.bits >> 52 & 0x7ff);
    const uint64_t fraction = scalar.bits & ((uint64_t{1} << 52) - 1);
    finite = field != 0x7ff;
    magnitude = field == 0 ? fraction : fraction | uint64_t{1} << 52;
    exponent = (field == 0 ? 1 : field) - 1075;
    if (!finite) magnitude = fraction;
  }
  if ((Bit(dtype) & dtypes::kFloats) != 0) {
    const FloatFormat f = FormatOf(dtype);
    const uint64_t infinity = ((uint64_t{1} << (f.width - 1 - f.fraction)) - 1) << f.fraction;
    if (finite) {
      *out = RoundToFormat(negative, magnitude, exponent, f);
    } else if (magnitude != 0) {
      *out = infinity | uint64_t{1} << (f.fraction - 1);
    } else {
      *out = infinity | static_cast<uint64_t>(negative) << (f.width - 1);
    }
    return true;
  }
  if (!finite) return false;
  if (magnitude == 0) {
    *out = 0;
    return true;
  }
  // An integer, and no more than 64 bits of it.
  if (exponent < 0) {
    if (exponent <= -64 || (magnitude & ((uint64_t{1} << -exponent) - 1)) != 0) return false;
    magnitude >>= -exponent;
  } else if (exponent > 0) {
    if (exponent > std::countl_zero(magnitude)) return false;
    magnitude <<= exponent;
  }
  const bool is_signed = IsSignedInteger(dtype);
  const uint64_t most = is_signed ? (uint64_t{1} << (width - 1)) - !negative : ~uint64_t{0} >> (64 - width);
  if (magnitude > most || (negative && !is_signed)) return false;
  *out = (negative ? 0 - magnitude : magnitude) & (~uint64_t{0} >> (64 - width));
  return true;
}

// The element of a scalar's value; false when the type does not have it. Inline for what calls mostly bring:
// integers for integers, and numbers that a float has as they are.
[[gnu::always_inline]] inline bool ScalarBits(const Scalar& scalar, DType dtype, uint64_t* out) {
  const bool floats = (Bit(dtype) & dtypes::kFloats) != 0;
  if (!floats && scalar.kind == static_cast<int32_t>(ScalarKind::kInt) && scalar.reserved == 0) {
    const int spare = 64 - Info(dtype).bytes * 8;
    const uint64_t high = scalar.bits << spare;
    *out = high >> spare;
    const auto value = static_cast<int64_t>(scalar.bits);
    return IsSignedInteger(dtype) ? static_cast<int64_t>(high) >> spare == value : *out == scalar.bits && value >= 0;
  }
  if (floats && scalar.kind == static_cast<int32_t>(ScalarKind::kFloat) && scalar.reserved == 0) {
    const FloatFormat f = FormatOf(dtype);
    const int dropped = 52 - f.fraction;
    const uint64_t magnitude = scalar.bits & ~uint64_t{0} >> 1;
    // Normal numbers, of the exponents of the type.
    const uint64_t from_least = magnitude - (static_cast<uint64_t>(f.least + 1023) << 52);
    const uint64_t exponents = (uint64_t{1} << (f.width - 1 - f.fraction)) - 2;
    if (from_least < exponents << 52 && scalar.bits << (64 - dropped) == 0) {
      *out = (scalar.bits >> 63 << (f.width - 1)) | ((from_least >> dropped) + (uint64_t{1} << f.fraction));
      return true;
    }
  }
  return AnyScalarBits(scalar, dtype, out);
}

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_SCALAR_H_
