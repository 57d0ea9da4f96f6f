// Scalar arithmetic, on 64-bit integers and doubles that are cut to the type.
#include "src/ptoas/run/scalar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/records/float_parts.h"
#include "src/records/small_float.h"

namespace pto::ptoas {

namespace {

int BitsOf(Elem elem) {
  const int bits = Info(elem).bits;
  return bits == 0 || bits > 64 ? 64 : bits;
}

struct FloatShape {
  int exponent_bits;
  int fraction_bits;
};

FloatShape ShapeOf(Elem elem) {
  switch (elem) {
    case Elem::kF16:
      return {5, 10};
    case Elem::kBF16:
      return {8, 7};
    case Elem::kF32:
      return {8, 23};
    default:
      return {11, 52};
  }
}

// Floats of a byte or less: their codes, as src/records/small_float.h has them.
bool SmallType(Elem elem, DType* dtype) {
  pto_dtype own = PTO_DTYPE_F32;
  if (!IsFloat(elem) || !DTypeOf(elem, &own) || own <= PTO_DTYPE_F32) return false;
  *dtype = static_cast<DType>(own);
  return true;
}

double SmallValue(DType dtype, uint64_t code) {
  return static_cast<double>(std::bit_cast<float>(SmallFloatBits(dtype, static_cast<uint32_t>(code))));
}

// The code of the nearest number, an even one of two. Numbers beyond the largest become that one; an infinity and a NaN
// become theirs if the type has them.
uint64_t NearestCode(DType dtype, double value) {
  const uint64_t codes = uint64_t{1} << Info(dtype).bits;
  const bool exact = std::isnan(value) || std::isinf(value);
  double largest = 0;
  for (uint64_t code = 0; code < codes; ++code) {
    const double number = SmallValue(dtype, code);
    if (exact && (number == value || (std::isnan(value) && std::isnan(number)))) return code;
    if (std::isfinite(number)) largest = std::max(largest, number);
  }
  if (std::isnan(value)) return 0;
  const double wanted = std::clamp(value, -largest, largest);
  uint64_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (uint64_t code = 0; code < codes; ++code) {
    const double number = SmallValue(dtype, code);
    if (!std::isfinite(number)) continue;
    const double distance = std::fabs(number - wanted);
    const bool sign = number != 0 || std::signbit(number) == std::signbit(value);
    if (sign && (distance < least || (distance == least && code % 2 == 0))) {
      least = distance;
      best = code;
    }
  }
  return best;
}

}  // namespace

int64_t WrapInt(Elem elem, int64_t value) {
  const int bits = BitsOf(elem);
  if (bits == 64) return value;
  if (bits == 1) return value & 1;
  const int shift = 64 - bits;
  const auto shifted = static_cast<uint64_t>(value) << shift;
  return static_cast<int64_t>(shifted) >> shift;
}

IntRange RangeOf(Elem elem) {
  const int bits = BitsOf(elem);
  const bool is_signed = bits > 1 && Info(elem).kind != ElemInfo::kUnsigned;
  const uint64_t top = std::numeric_limits<uint64_t>::max() >> (64 - bits);
  const auto high = static_cast<int64_t>(is_signed || bits == 64 ? top >> 1 : top);
  return {is_signed ? -high - 1 : 0, high};
}

uint64_t Unsigned(Elem elem, int64_t value) {
  const int bits = BitsOf(elem);
  return bits == 64 ? static_cast<uint64_t>(value) : static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
}

double FloatFromBits(Elem elem, uint64_t bits) {
  if (const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits)); elem == Elem::kF32 && !std::isnan(value)) {
    return value;
  }
  if (DType small{}; SmallType(elem, &small)) return SmallValue(small, bits);
  const auto [exponent_bits, fraction_bits] = ShapeOf(elem);
  return ValueOf(FloatPartsOf(bits, exponent_bits, fraction_bits));
}

uint64_t BitsFromFloat(Elem elem, double value) {
  // Most numbers of programs. While they are read and run rounding is to nearest, whatever the caller's mode.
  if (elem == Elem::kF32 && !std::isnan(value)) return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (DType small{}; SmallType(elem, &small)) return NearestCode(small, value);
  const auto [exponent_bits, fraction_bits] = ShapeOf(elem);
  uint64_t bits = 0;
  if (fraction_bits == 52) {
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  const uint64_t sign = std::signbit(value) ? uint64_t{1} << (exponent_bits + fraction_bits) : 0;
  if (std::isnan(value)) return sign | infinity | uint64_t{1} << (fraction_bits - 1);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  // In units of the last place, rounded by hand.
  const double units = std::ldexp(std::fabs(value), fraction_bits - exponent);
  double whole = std::floor(units);
  const double rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0)) whole += 1;
  // A carry out of the fraction runs into the exponent, and there to infinity.
  const uint64_t base = static_cast<uint64_t>(exponent + bias - 1) << fraction_bits;
  return sign | std::min(base + static_cast<uint64_t>(whole), infinity);
}

double RoundFloat(Elem elem, double value) {
  // Processors differ in the sign that they give 0 / 0.
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  return elem == Elem::kF64 ? value : FloatFromBits(elem, BitsFromFloat(elem, value));
}

double IntToFloat(Elem elem, bool negative, uint64_t magnitude) {
  // Cut to the precision of the type here: by way of a double an integer would be rounded twice.
  const int surplus = static_cast<int>(std::bit_width(magnitude)) - (ShapeOf(elem).fraction_bits + 1);
  if (surplus > 0) {
    const uint64_t rest = magnitude & ((uint64_t{1} << surplus) - 1);
    const uint64_t half = uint64_t{1} << (surplus - 1);
    magnitude >>= surplus;
    if (rest > half || (rest == half && (magnitude & 1) != 0)) ++magnitude;
  }
  const double value = std::ldexp(static_cast<double>(magnitude), std::max(surplus, 0));
  return RoundFloat(elem, negative ? -value : value);
}

bool IntBinary(ArithOp op, Elem elem, int64_t a, int64_t b, int64_t* out) {
  const auto ua = static_cast<uint64_t>(a);
  const auto ub = static_cast<uint64_t>(b);
  const uint64_t na = Unsigned(elem, a);  // narrow, as unsigned numbers
  const uint64_t nb = Unsigned(elem, b);
  const auto bits = static_cast<uint64_t>(BitsOf(elem));
  // i1 is kept as 0 or 1, but signed it is 0 or -1.
  const int64_t sa = elem == Elem::kI1 ? -a : a;
  const int64_t sb = elem == Elem::kI1 ? -b : b;
  uint64_t result = 0;
  switch (op) {
    case ArithOp::kAddI:
      result = ua + ub;
      break;
    case ArithOp::kSubI:
      result = ua - ub;
      break;
    case ArithOp::kMulI:
      result = ua * ub;
      break;
    case ArithOp::kAndI:
      result = ua & ub;
      break;
    case ArithOp::kOrI:
      result = ua | ub;
      break;
    case ArithOp::kXorI:
      result = ua ^ ub;
      break;
    case ArithOp::kShlI:
      result = nb >= bits ? 0 : ua << nb;
      break;
    case ArithOp::kShrUI:
      result = nb >= bits ? 0 : na >> nb;
      break;
    case ArithOp::kShrSI:
      result = static_cast<uint64_t>(sa >> std::min(nb, uint64_t{63}));
      break;
    case ArithOp::kMinSI:
      result = static_cast<uint64_t>(std::min(sa, sb));
      break;
    case ArithOp::kMaxSI:
      result = static_cast<uint64_t>(std::max(sa, sb));
      break;
    case ArithOp::kMinUI:
      result = std::min(na, nb);
      break;
    case ArithOp::kMaxUI:
      result = std::max(na, nb);
      break;
    default: {
      if (b == 0) return false;
      const bool overflow = sb == -1;  // the one quotient that may not fit wraps
      const int64_t quotient = overflow ? static_cast<int64_t>(0 - static_cast<uint64_t>(sa)) : sa / sb;
      const int64_t remainder = overflow ? 0 : sa % sb;
      const bool apart = remainder != 0 && (remainder < 0) != (sb < 0);
      switch (op) {
        case ArithOp::kDivSI:
          result = static_cast<uint64_t>(quotient);
          break;
        case ArithOp::kRemSI:
          result = static_cast<uint64_t>(remainder);
          break;
        case ArithOp::kFloorDivSI:
          result = static_cast<uint64_t>(quotient) - (apart ? 1 : 0);
          break;
        case ArithOp::kCeilDivSI:
          result = static_cast<uint64_t>(quotient) + (remainder != 0 && !apart ? 1 : 0);
          break;
        case ArithOp::kDivUI:
          result = na / nb;
          break;
        case ArithOp::kRemUI:
          result = na % nb;
          break;
        default:  // kCeilDivUI
          result = na / nb + (na % nb != 0 ? 1 : 0);
      }
    }
  }
  *out = WrapInt(elem, static_cast<int64_t>(result));
  return true;
}

bool IntPower(Elem elem, int64_t base, int64_t exponent, int64_t* out) {
  if (elem == Elem::kI1) {  // signed: 0 or -1
    base = -base;
    exponent = -exponent;
  }
  if (exponent < 0 && base == 0) return false;
  if (exponent < 0) {
    // 1 over what is at least 2 in size is 0.
    *out = WrapInt(elem, base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0);
    return true;
  }
  uint64_t power = 1;
  for (auto square = static_cast<uint64_t>(base); exponent != 0; exponent >>= 1, square *= square) {
    if ((exponent & 1) != 0) power *= square;
  }
  *out = WrapInt(elem, static_cast<int64_t>(power));
  return true;
}

double FloatBinary(ArithOp op, Elem elem, double a, double b) {
  const bool nan = std::isnan(a) || std::isnan(b);
  // The negative zero is the smaller of two zeros.
  const bool below = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  switch (op) {
    case ArithOp::kAddF:
      return RoundFloat(elem, a + b);
    case ArithOp::kSubF:
      return RoundFloat(elem, a - b);
    case ArithOp::kMulF:
      return RoundFloat(elem, a * b);
    case ArithOp::kDivF:
      return RoundFloat(elem, a / b);
    case ArithOp::kRemF:
      return RoundFloat(elem, std::fmod(a, b));
    case ArithOp::kMaximumF:
      return nan ? std::numeric_limits<double>::quiet_NaN() : below ? b : a;
    case ArithOp::kMinimumF:
      return nan ? std::numeric_limits<double>::quiet_NaN() : below ? a : b;
    case ArithOp::kCopySign:
      return std::copysign(a, b);
    case ArithOp::kMaxNumF:
      return std::isnan(a) ? b : std::isnan(b) || !below ? a : b;
    default:  // kMinNumF
      return std::isnan(a) ? b : std::isnan(b) || below ? a : b;
  }
}

int64_t IntUnary(ArithOp op, Elem elem, int64_t a) {
  const uint64_t bits = Unsigned(elem, a);
  const int width = BitsOf(elem);
  switch (op) {
    case ArithOp::kAbsI:  // the least number has no positive one, and stays
      return WrapInt(elem, a < 0 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a);
    case ArithOp::kCtLz:
      return WrapInt(elem, std::countl_zero(bits) - (64 - width));
    case ArithOp::kCtTz:
      return WrapInt(elem, std::min(std::countr_zero(bits), width));
    default:  // kCtPop
      return WrapInt(elem, std::popcount(bits));
  }
}

double FloatUnary(ArithOp op, Elem elem, double a) {
  // Whole numbers and signs need no rounding; a root in double keeps enough digits for one rounding more.
  switch (op) {
    case ArithOp::kNegF:
      return -a;
    case ArithOp::kAbsF:
      return std::fabs(a);
    case ArithOp::kCeil:
      return RoundFloat(elem, std::ceil(a));
    case ArithOp::kFloor:
      return RoundFloat(elem, std::floor(a));
    case ArithOp::kTrunc:
      return RoundFloat(elem, std::trunc(a));
    case ArithOp::kRound:
      return RoundFloat(elem, std::round(a));
    case ArithOp::kRoundEven: {
      const double whole = std::trunc(a);
      const double rest = std::fabs(a - whole);
      const bool away = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0);
      return RoundFloat(elem, away ? whole + std::copysign(1.0, a) : whole);
    }
    default:  // kSqrt
      return RoundFloat(elem, std::sqrt(a));
  }
}

double FusedMultiplyAdd(Elem elem, double a, double b, double c) {
  if (elem == Elem::kF64) return RoundFloat(elem, std::fma(a, b, c));
  // The product of two narrower floats is exact; the sum, where it is not, is made odd, so that the rounding to
  // the type falls as it would for the sum itself.
  const double product = a * b;
  double sum = product + c;
  const double part = sum - product;
  const double rest = (product - (sum - part)) + (c - part);
  if (std::isfinite(sum) && rest != 0) {
    uint64_t bits = 0;
    std::memcpy(&bits, &sum, sizeof bits);
    const double limit = std::numeric_limits<double>::infinity();
    if ((bits & 1) == 0) sum = std::nextafter(sum, rest > 0 ? limit : -limit);
  }
  return RoundFloat(elem, sum);
}

bool CompareInt(CmpPredicate predicate, Elem elem, int64_t a, int64_t b) {
  const uint64_t ua = Unsigned(elem, a);
  const uint64_t ub = Unsigned(elem, b);
  const int64_t sa = elem == Elem::kI1 ? -a : a;
  const int64_t sb = elem == Elem::kI1 ? -b : b;
  switch (predicate) {
    case CmpPredicate::kEq:
      return a == b;
    case CmpPredicate::kNe:
      return a != b;
    case CmpPredicate::kSlt:
      return sa < sb;
    case CmpPredicate::kSle:
      return sa <= sb;
    case CmpPredicate::kSgt:
      return sa > sb;
    case CmpPredicate::kSge:
      return sa >= sb;
    case CmpPredicate::kUlt:
      return ua < ub;
    case CmpPredicate::kUle:
      return ua <= ub;
    case CmpPredicate::kUgt:
      return ua > ub;
    default:  // kUge
      return ua >= ub;
  }
}

bool CompareFloat(CmpPredicate predicate, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
    case CmpPredicate::kFalse:
      return false;
    case CmpPredicate::kOEq:
      return a == b;
    case CmpPredicate::kOGt:
      return a > b;
    case CmpPredicate::kOGe:
      return a >= b;
    case CmpPredicate::kOLt:
      return a < b;
    case CmpPredicate::kOLe:
      return a <= b;
    case CmpPredicate::kONe:
      return !unordered && a != b;
    case CmpPredicate::kOrd:
      return !unordered;
    case CmpPredicate::kUEq:
      return unordered || a == b;
    case CmpPredicate::kUGtF:
      return unordered || a > b;
    case CmpPredicate::kUGeF:
      return unordered || a >= b;
    case CmpPredicate::kULtF:
      return unordered || a < b;
    case CmpPredicate::kULeF:
      return unordered || a <= b;
    case CmpPredicate::kUNe:
      return unordered || a != b;
    case CmpPredicate::kUno:
      return unordered;
    default:  // kTrue
      return true;
  }
}

int64_t FloatToInt(Elem elem, bool is_unsigned, double value) {
  if (std::isnan(value)) return 0;
  const int bits = BitsOf(elem);
  const double whole = std::trunc(value);
  if (is_unsigned) {
    const double limit = std::ldexp(1.0, bits);
    const uint64_t all = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    const uint64_t result = whole <= 0 ? 0 : whole >= limit ? all : static_cast<uint64_t>(whole);
    return WrapInt(elem, static_cast<int64_t>(result));
  }
  const double limit = std::ldexp(1.0, bits - 1);
  const int64_t top = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
  return WrapInt(elem, whole >= limit ? top : whole < -limit ? -top - 1 : static_cast<int64_t>(whole));
}

int64_t WordOf(const RunValue& value) {
  return value.Is(ValueKind::kFloat) ? std::bit_cast<int64_t>(value.number()) : value.integer();
}

RunValue FromBits(Elem elem, uint64_t bits) {
  return IsFloat(elem) ? RunValue::Float(FloatFromBits(elem, bits))
                       : RunValue::Int(WrapInt(elem, static_cast<int64_t>(bits)));
}

bool ToBits(Elem elem, const RunValue& value, uint64_t* bits) {
  if (IsFloat(elem) ? !value.Is(ValueKind::kFloat) : !value.Is(ValueKind::kInt)) return false;
  *bits = IsFloat(elem) ? BitsFromFloat(elem, value.number()) : static_cast<uint64_t>(value.integer());
  return true;
}

}  // namespace pto::ptoas
