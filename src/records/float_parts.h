// The one decoder of binary floats: sign, magnitude and exponent of the codes of any IEEE-like type.
#ifndef PTO_SRC_RECORDS_FLOAT_PARTS_H_
#define PTO_SRC_RECORDS_FLOAT_PARTS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pto {

// magnitude * 2^exponent; of what is not finite infinity if the magnitude is 0, else NaN.
struct FloatParts {
  bool negative;
  bool finite;
  uint64_t magnitude;
  int exponent;
};

// `fraction_bits` are the stored ones.
constexpr FloatParts FloatPartsOf(uint64_t bits, int exponent_bits, int fraction_bits) {
  const int top = (1 << exponent_bits) - 1;
  const int bias = top >> 1;
  const int field = static_cast<int>(bits >> fraction_bits) & top;
  const uint64_t fraction = bits & ((uint64_t{1} << fraction_bits) - 1);
  const bool negative = (bits >> (exponent_bits + fraction_bits) & 1) != 0;
  if (field == top) return {negative, false, fraction, 0};
  const uint64_t magnitude = field == 0 ? fraction : fraction | uint64_t{1} << fraction_bits;
  return {negative, true, magnitude, std::max(field, 1) - bias - fraction_bits};
}

// Exactly, for types of at most 64 bits.
inline double ValueOf(const FloatParts& parts) {
  double value = std::ldexp(static_cast<double>(parts.magnitude), parts.exponent);
  if (!parts.finite) {
    value = parts.magnitude != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  }
  return parts.negative ? -value : value;
}

}  // namespace pto

#endif  // PTO_SRC_RECORDS_FLOAT_PARTS_H_
