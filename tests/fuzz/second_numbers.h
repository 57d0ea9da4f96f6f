// Numbers of the second executor: integers are patterns of bits, floats doubles that hold a value of their type.
// Nothing of the library is used here; what an operation gives is taken from docs/ptoas.md and MLIR's dialects.
#ifndef PTO_TESTS_FUZZ_SECOND_NUMBERS_H_
#define PTO_TESTS_FUZZ_SECOND_NUMBERS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace second {

// A run ends early, by the rule.
struct Stop {
  std::string rule;
};

// The program has something that this executor does not know.
struct Strange {
  std::string what;
};

struct Elem {
  bool is_float = false;
  bool is_unsigned = false;  // prints as it is in a tile
  int bits = 64;
  int fraction = 0;  // bits of a float's
  int bytes() const { return (bits + 7) / 8; }
  bool operator==(const Elem&) const = default;
};

inline Elem ElemOf(const std::string& name) {
  if (name == "index") return {};
  if (name == "f16") return {true, false, 16, 10};
  if (name == "bf16") return {true, false, 16, 7};
  if (name == "f32") return {true, false, 32, 23};
  if (name == "f64") return {true, false, 64, 52};
  const size_t digits = name.find_first_of("0123456789");
  const std::string kind = name.substr(0, digits);
  if (digits == std::string::npos || (kind != "i" && kind != "ui" && kind != "si")) throw Strange{"type " + name};
  return {false, kind == "ui", std::atoi(name.c_str() + digits), 0};
}

// ---- integers --------------------------------------------------------------

inline uint64_t Mask(int bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

// In two's complement: i1 is 0 or -1.
inline int64_t Signed(uint64_t a, int bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>((a ^ sign) - sign);
}

inline uint64_t IntBinary(const std::string& op, uint64_t a, uint64_t b, int bits) {
  const int64_t sa = Signed(a, bits);
  const int64_t sb = Signed(b, bits);
  if (op == "addi") return a + b;
  if (op == "subi") return a - b;
  if (op == "muli") return a * b;
  if (op == "andi") return a & b;
  if (op == "ori") return a | b;
  if (op == "xori") return a ^ b;
  const auto width = static_cast<uint64_t>(bits);
  if (op == "shli") return b < width ? a << b : 0;
  if (op == "shrui") return b < width ? a >> b : 0;
  if (op == "shrsi") return static_cast<uint64_t>(b < width ? sa >> b : (sa < 0 ? -1 : 0));
  if (op == "minsi") return sa < sb ? a : b;
  if (op == "maxsi") return sa > sb ? a : b;
  if (op == "minui") return a < b ? a : b;
  if (op == "maxui") return a > b ? a : b;
  if (b == 0) throw Stop{"division-by-zero"};
  const uint64_t up = a % b != 0 ? 1 : 0;
  if (op == "divui") return a / b;
  if (op == "remui") return a % b;
  if (op == "ceildivui") return a / b + up;
  if (sb == -1) return op.starts_with("rem") ? 0 : 0 - a;
  const auto quotient = static_cast<uint64_t>(sa / sb);
  const bool exact = sa % sb == 0;
  const bool below = (sa < 0) != (sb < 0);  // the true quotient is
  if (op == "divsi") return quotient;
  if (op == "remsi") return static_cast<uint64_t>(sa % sb);
  if (op == "floordivsi") return exact || !below ? quotient : quotient - 1;
  if (op == "ceildivsi") return exact || below ? quotient : quotient + 1;
  throw Strange{op};
}

inline bool CompareInt(const std::string& how, uint64_t a, uint64_t b, int bits) {
  const int64_t sa = Signed(a, bits);
  const int64_t sb = Signed(b, bits);
  if (how == "eq") return a == b;
  if (how == "ne") return a != b;
  if (how == "slt") return sa < sb;
  if (how == "sle") return sa <= sb;
  if (how == "sgt") return sa > sb;
  if (how == "sge") return sa >= sb;
  if (how == "ult") return a < b;
  if (how == "ule") return a <= b;
  if (how == "ugt") return a > b;
  if (how == "uge") return a >= b;
  throw Strange{how};
}

inline uint64_t IntUnary(const std::string& op, uint64_t a, int bits) {
  uint64_t count = 0;
  if (op == "absi") return Signed(a, bits) < 0 ? 0 - a : a;
  if (op == "ctlz") {
    for (int i = bits - 1; i >= 0 && (a >> i & 1) == 0; --i) ++count;
  } else if (op == "cttz") {
    for (int i = 0; i < bits && (a >> i & 1) == 0; ++i) ++count;
  } else if (op == "ctpop") {
    for (int i = 0; i < bits; ++i) count += a >> i & 1;
  } else {
    throw Strange{op};
  }
  return count;
}

// ---- floats ----------------------------------------------------------------

inline double Nan() { return std::numeric_limits<double>::quiet_NaN(); }

// To the nearest of a type, ties to even; a NaN that was computed is the positive one.
inline double Round(double x, Elem e) {
  if (std::isnan(x)) return Nan();
  if (e.bits == 64 || x == 0 || std::isinf(x)) return x;
  if (e.bits == 32) return static_cast<double>(static_cast<float>(x));
  const int least = e.fraction == 10 ? -14 : -126;
  const double most = e.fraction == 10 ? 65504 : 0x1.FEp127;
  int exponent = 0;
  std::frexp(x, &exponent);  // x is in [0.5, 1) of 2^exponent
  const double unit = std::ldexp(1.0, std::max(exponent - 1, least) - e.fraction);
  const double rounded = std::nearbyint(x / unit) * unit;  // the division is exact: a power of 2
  return std::fabs(rounded) > most ? std::copysign(std::numeric_limits<double>::infinity(), x) : rounded;
}

// The bits that memory holds.
inline uint64_t BitsOf(double x, Elem e) {
  if (e.bits == 64) return std::bit_cast<uint64_t>(x);
  if (e.bits == 32) {
    if (std::isnan(x)) return std::signbit(x) ? 0xFFC00000 : 0x7FC00000;
    return std::bit_cast<uint32_t>(static_cast<float>(x));
  }
  if (e.fraction == 7) return BitsOf(x, {true, false, 32, 23}) >> 16;
  const uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return sign | 0x7E00;
  if (std::isinf(x)) return sign | 0x7C00;
  const double size = std::fabs(x);
  if (size < 0x1p-14) return sign | static_cast<uint64_t>(size * 0x1p24);
  int exponent = 0;
  const double part = std::frexp(size, &exponent);
  return sign | ((static_cast<uint64_t>(exponent + 14) << 10) + static_cast<uint64_t>((part * 2 - 1) * 1024));
}

inline double FromBits(uint64_t bits, Elem e) {
  if (e.bits == 64) return std::bit_cast<double>(bits);
  if (e.bits == 32) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    return std::isnan(x) ? ((bits >> 31 & 1) != 0 ? -Nan() : Nan()) : static_cast<double>(x);
  }
  if (e.fraction == 7) return FromBits((bits & 0xFFFF) << 16, {true, false, 32, 23});
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto part = static_cast<double>(bits & 1023);
  if (exponent == 31) return part != 0 ? std::copysign(Nan(), sign) : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? part * 0x1p-24 : std::ldexp(1024 + part, exponent - 25));
}

// Which is larger, where -0 is below +0.
inline bool Above(double a, double b) { return a > b || (a == b && std::signbit(b) && !std::signbit(a)); }

inline double FloatBinary(const std::string& op, double a, double b, Elem e) {
  if (op == "addf") return Round(a + b, e);
  if (op == "subf") return Round(a - b, e);
  if (op == "mulf") return Round(a * b, e);
  if (op == "divf") return Round(a / b, e);
  if (op == "remf") return Round(std::fmod(a, b), e);
  if (op == "copysign") return std::copysign(a, b);
  const bool nan = std::isnan(a) || std::isnan(b);
  if (op == "maximumf") return nan ? Nan() : Above(a, b) ? a : b;
  if (op == "minimumf") return nan ? Nan() : Above(a, b) ? b : a;
  if (op == "maxnumf") return std::isnan(a) ? b : std::isnan(b) || Above(a, b) ? a : b;
  if (op == "minnumf") return std::isnan(a) ? b : std::isnan(b) || Above(b, a) ? a : b;
  throw Strange{op};
}

inline double FloatUnary(const std::string& op, double a, Elem e) {
  if (op == "negf") return -a;
  if (op == "absf") return std::fabs(a);
  if (op == "sqrt") return Round(std::sqrt(a), e);
  if (op == "ceil") return Round(std::ceil(a), e);
  if (op == "floor") return Round(std::floor(a), e);
  if (op == "trunc") return Round(std::trunc(a), e);
  if (op == "round") return Round(std::round(a), e);
  if (op == "roundeven") return Round(std::nearbyint(a), e);
  throw Strange{op};
}

// a * b + c, rounded once. Of the narrow types the product is exact in a double; the sum is taken with 64 bits, and
// made odd where it is not exact.
inline double Fma(double a, double b, double c, Elem e) {
  if (e.bits == 64) return Round(std::fma(a, b, c), e);
  if (e.bits == 32) {
    const float sum = std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    return std::isnan(sum) ? Nan() : static_cast<double>(sum);
  }
  const double product = a * b;
  double sum = product + c;
  if (!std::isfinite(sum)) return Round(sum, e);
  const double large = std::fabs(product) > std::fabs(c) ? product : c;
  const double small = std::fabs(product) > std::fabs(c) ? c : product;
  const double lost = small - (sum - large);
  if (lost != 0 && (std::bit_cast<uint64_t>(sum) & 1) == 0) {
    sum = std::nextafter(sum,
                         lost > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
  }
  return Round(sum, e);
}

inline bool CompareFloat(const std::string& how, double a, double b) {
  if (how == "true" || how == "false") return how == "true";
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (how == "ord" || how == "uno") return unordered == (how == "uno");
  if (unordered) return how[0] == 'u';
  const std::string order = how.substr(1);
  if (order == "eq") return a == b;
  if (order == "ne") return a != b;
  if (order == "lt") return a < b;
  if (order == "le") return a <= b;
  if (order == "gt") return a > b;
  if (order == "ge") return a >= b;
  throw Strange{how};
}

// An integer as the nearest float, rounded once: what does not fit into 53 bits is cut, and made odd.
inline double FromInt(bool negative, uint64_t size, Elem e) {
  if (e.bits != 64 && size >> 53 != 0) {
    size = size >> 11 << 11 | ((size & 2047) != 0 ? 2048 : 0);
  }
  const auto x = static_cast<double>(size);
  return Round(negative ? -x : x, e);
}

// The nearest integer towards zero, the nearest limit for what is beyond, 0 for a NaN.
inline uint64_t ToInt(double x, int bits, bool is_unsigned) {
  if (std::isnan(x)) return 0;
  x = std::trunc(x);
  const uint64_t most = is_unsigned ? Mask(bits) : Mask(bits) >> 1;
  if (x <= 0 && is_unsigned) return 0;
  if (x >= std::ldexp(1.0, is_unsigned ? bits : bits - 1)) return most;
  if (x < -std::ldexp(1.0, bits - 1)) return most + 1;
  return x < 0 ? 0 - static_cast<uint64_t>(-x) : static_cast<uint64_t>(x);
}

}  // namespace second

#endif  // PTO_TESTS_FUZZ_SECOND_NUMBERS_H_
