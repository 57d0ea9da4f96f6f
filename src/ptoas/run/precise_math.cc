#include "src/ptoas/run/precise_math.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/ptoas/run/scalar.h"

namespace pto::ptoas {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// ---- pairs of doubles --------------------------------------------------------

// hi + lo, where hi is the double next to the sum: about 104 bits. Functions lose up to 15 of them. A value of f32
// that is closest to the middle between two needs some 60.
struct Pair {
  double hi = 0;
  double lo = 0;
  constexpr Pair() = default;
  constexpr Pair(double high, double low = 0) : hi(high), lo(low) {}  // NOLINT: numbers are pairs
};

constexpr Pair kPi(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53);
constexpr Pair kHalfPi(0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54);
constexpr Pair kLn2(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);
constexpr Pair kLn10(0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53);
constexpr Pair kRootOfPi(0x1.20dd750429b6dp-1, 0x1.1ae3a914fed80p-57);  // 1 / sqrt(pi)

// Precondition of the short one: |a| >= |b|.
Pair QuickSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
Pair Sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
Pair operator-(Pair a) { return {-a.hi, -a.lo}; }
Pair operator+(Pair a, Pair b) {
  Pair high = Sum(a.hi, b.hi);
  const Pair low = Sum(a.lo, b.lo);
  high = QuickSum(high.hi, high.lo + low.hi);
  return QuickSum(high.hi, high.lo + low.lo);
}
Pair operator-(Pair a, Pair b) { return a + -b; }
Pair operator*(Pair a, Pair b) {
  const double product = a.hi * b.hi;
  return QuickSum(product, std::fma(a.hi, b.hi, -product) + (a.hi * b.lo + a.lo * b.hi));
}
Pair operator/(Pair a, Pair b) {
  const double first = a.hi / b.hi;
  Pair rest = a - b * first;
  const double second = rest.hi / b.hi;
  rest = rest - b * second;
  return QuickSum(first, second) + rest.hi / b.hi;
}
Pair Root(Pair a) {
  if (a.hi <= 0) return 0;
  const double root = std::sqrt(a.hi);
  const Pair rest = a - Pair(root) * root;
  return QuickSum(root, rest.hi / (2 * root));
}
Pair Scaled(Pair a, int power) { return {std::ldexp(a.hi, power), std::ldexp(a.lo, power)}; }

// Rounded once: the double is made odd where it is not the sum, so that rounding it falls as it would for that.
double Rounded(Elem elem, Pair a) {
  double value = a.hi;
  if (std::isfinite(value) && a.lo != 0) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if ((bits & 1) == 0) value = std::nextafter(value, a.lo > 0 ? kInfinity : -kInfinity);
  }
  return RoundFloat(elem, value);
}

// ---- powers and logarithms ---------------------------------------------------

// Beyond this, powers of e are infinite, or nothing beside 1, in every type.
constexpr double kFar = 200;

// e^x = 2^power (1 + what is returned), for |x| <= kFar.
Pair Reduced(Pair x, int* power) {
  const double k = std::floor(x.hi / kLn2.hi + 0.5);
  *power = static_cast<int>(k);
  const Pair r = Scaled(x - kLn2 * k, -8);
  Pair less = 0;
  for (int n = 12; n > 0; --n) less = (less + 1) * r / static_cast<double>(n);
  for (int i = 0; i < 8; ++i) less = less * (less + 2);  // (1 + m)^2 - 1
  return less;
}
Pair Exp(Pair x) {
  int power = 0;
  const Pair less = Reduced(x, &power);
  return Scaled(less + 1, power);
}
// e^x - 1, with all digits near 0.
Pair ExpLess1(Pair x) {
  int power = 0;
  const Pair less = Reduced(x, &power);
  return power == 0 ? less : Scaled(less + 1, power) - 1;
}

// ln(1 + x) for 1 + x between 0.7 and 1.42: twice the area tangent of x / (2 + x).
Pair LogNear1(Pair x) {
  const Pair s = x / (x + 2);
  const Pair square = s * s;
  Pair sum = 0;
  for (int n = 23; n >= 0; --n) sum = sum * square + Pair(1) / static_cast<double>(2 * n + 1);
  return s * sum * 2;
}

// x = 2^power (1 + rest), 1 + rest between sqrt(1/2) and sqrt(2)
Pair Split(Pair x, int* power) {
  const double m = std::frexp(x.hi, power);
  if (m < 0.70710678118654752) --*power;
  return Scaled(x, -*power) - 1;
}
Pair Log(Pair x) {
  int power = 0;
  const Pair rest = Split(x, &power);
  return LogNear1(rest) + kLn2 * static_cast<double>(power);
}
Pair Log2(double x) {
  int power = 0;
  const Pair rest = Split(x, &power);
  return LogNear1(rest) / kLn2 + static_cast<double>(power);
}
Pair Log1Plus(Pair x) { return std::fabs(x.hi) < 0.29 ? LogNear1(x) : Log(x + 1); }

// ---- the circle --------------------------------------------------------------

// 2 / pi, the bits after the point.
constexpr uint32_t kTwoOverPi[] = {0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041,
                                   0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C};

// x >= 0 less the nearest multiple of pi / 2, and which one that is, modulo 4: x times 2 / pi in integers, without the
// bits that count whole circles. Precondition: x is a float of 24 bits.
Pair Quadrant(double x, int* quadrant) {
  *quadrant = 0;
  if (x < 0.78) return x;
  constexpr int kWords = 7;
  constexpr int kLimbs = kWords + 1;
  int exponent = 0;
  const auto whole = static_cast<uint64_t>(std::ldexp(std::frexp(x, &exponent), 24));
  exponent -= 24;  // x is `whole` times 2 to this
  const int first = exponent < 2 ? 0 : (exponent - 2) / 32;
  uint32_t limbs[kLimbs] = {};  // the highest first
  uint64_t carry = 0;
  for (int i = kWords; i > 0; --i) {
    carry += whole * kTwoOverPi[first + i - 1];
    limbs[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  limbs[0] = static_cast<uint32_t>(carry);
  const auto shift_left = [&limbs](int bits) {
    for (; bits >= 32; bits -= 32) {
      std::copy(limbs + 1, limbs + kLimbs, limbs);
      limbs[kLimbs - 1] = 0;
    }
    for (int i = 0; bits != 0 && i < kLimbs; ++i) {
      limbs[i] = limbs[i] << bits | (i + 1 < kLimbs ? limbs[i + 1] >> (32 - bits) : 0);
    }
  };
  const int fraction = 32 * (kWords + first) - exponent;  // bits after the point
  shift_left(32 * kLimbs - 2 - fraction);
  *quadrant = static_cast<int>(limbs[0] >> 30);
  shift_left(2);
  const bool above = limbs[0] >> 31 != 0;
  if (above) {
    *quadrant = (*quadrant + 1) & 3;
    uint64_t one = 1;
    for (int i = kLimbs; i-- > 0; one >>= 32) limbs[i] = static_cast<uint32_t>(one += uint32_t{~limbs[i]});
  }
  Pair rest = 0;
  for (int i = 0; i < kLimbs; ++i) rest = rest + std::ldexp(static_cast<double>(limbs[i]), -32 * (i + 1));
  return (above ? -rest : rest) * kHalfPi;
}

// For |r| <= pi / 4. `first` is 1 for the sine, whose terms have odd powers, and 0 for the cosine.
Pair Wave(Pair r, int first) {
  const Pair square = r * r;
  Pair sum = 1;
  for (int n = 30 + first; n > first; n -= 2) sum = Pair(1) - square * sum / static_cast<double>(n * (n - 1));
  return first == 1 ? sum * r : sum;
}

// turns: by how many quadrants the sine is turned.
Pair Turned(Pair r, int turns) {
  const Pair value = Wave(r, (turns & 1) == 0 ? 1 : 0);
  return (turns & 2) == 0 ? value : -value;
}

Pair Tan(double x) {
  int quadrant = 0;
  const Pair r = Quadrant(x, &quadrant);
  return Turned(r, quadrant) / Turned(r, quadrant + 1);
}

// For x >= 0. Half the angle, three times over, and then its series.
Pair ATan(Pair x) {
  if (x.hi > 1) return kHalfPi - ATan(Pair(1) / x);
  for (int i = 0; i < 3; ++i) x = x / (Root(x * x + 1) + 1);
  const Pair square = x * x;
  Pair sum = 0;
  for (int n = 18; n >= 0; --n) sum = Pair(1) / static_cast<double>(2 * n + 1) - square * sum;
  return Scaled(sum * x, 3);
}

Pair ATan2(double y, double x) {
  const bool swapped = y > std::fabs(x);  // y >= 0
  Pair angle = swapped ? ATan(Pair(std::fabs(x)) / y) : ATan(Pair(y) / std::fabs(x));
  if (swapped) angle = kHalfPi - angle;
  return x < 0 ? kPi - angle : angle;
}

// ---- the error function ------------------------------------------------------

constexpr double kErfFar = 12;  // where what is left is less than half the least number of any type

// For x >= 0: a series of positive terms.
Pair Erf(double x) {
  if (x > 6) return {1, -0x1p-60};
  const Pair twice = Pair(x) * x * 2;
  Pair term = x;
  Pair sum = x;
  for (int n = 3; term.hi > sum.hi * 0x1p-110; n += 2) {
    term = term * twice / static_cast<double>(n);
    sum = sum + term;
  }
  return sum * Exp(-(Pair(x) * x)) * kRootOfPi * 2;
}

// 1 less that, by a continued fraction where little is left.
Pair ErfC(double x) {
  if (x < 3) return Pair(1) - Erf(x);
  x = std::min(x, kErfFar);
  const Pair square = Pair(x) * x;
  const Pair step = Pair(0.5) / square;
  Pair fraction = 1;
  for (int n = 160; n > 0; --n) fraction = step * static_cast<double>(n) / fraction + 1;
  // Where e^(-x^2) is tiny, 1 and less cancel: its inverse does not.
  return kRootOfPi / (Exp(square) * fraction * x);
}

// ---- what a function is of x >= 0, and what it is of -x -----------------------

Pair HalfPlane(ArithOp op, double x) {
  int quadrant = 0;
  switch (op) {
    case ArithOp::kSin: {
      const Pair r = Quadrant(x, &quadrant);
      return Turned(r, quadrant);
    }
    case ArithOp::kTan:
      return Tan(x);
    case ArithOp::kASin:
      return x == 1 ? kHalfPi : ATan(Pair(x) / Root((Pair(1) - x) * (Pair(1) + x)));
    case ArithOp::kATan:
      return std::isinf(x) ? kHalfPi : ATan(x);
    case ArithOp::kSinH: {
      const Pair less = ExpLess1(std::min(x, kFar));
      return Scaled(less + less / (less + 1), -1);
    }
    case ArithOp::kTanH: {
      const Pair less = ExpLess1(std::min(2 * x, kFar));
      return less / (less + 2);
    }
    case ArithOp::kASinH: {
      if (std::isinf(x)) return x;
      const Pair square = Pair(x) * x;
      return Log1Plus(square / (Root(square + 1) + 1) + x);
    }
    case ArithOp::kATanH:
      return x == 1 ? Pair(kInfinity) : Scaled(Log1Plus(Pair(x) * 2 / (Pair(1) - x)), -1);
    case ArithOp::kCbrt:
      return std::isinf(x) ? Pair(x) : Exp(Log(x) / 3);
    default:  // kErf
      return Erf(x);
  }
}

Pair WholeLine(ArithOp op, double x) {
  int quadrant = 0;
  switch (op) {
    case ArithOp::kCos: {
      const Pair r = Quadrant(std::fabs(x), &quadrant);
      return Turned(r, quadrant + 1);
    }
    case ArithOp::kACos:
      return x == -1 ? kPi : Scaled(ATan(Root((Pair(1) - x) / (Pair(1) + x))), 1);
    case ArithOp::kCosH: {
      const Pair power = Exp(std::min(std::fabs(x), kFar));
      return Scaled(power + Pair(1) / power, -1);
    }
    case ArithOp::kACosH:
      return std::isinf(x) ? Pair(x) : Log1Plus(Root((Pair(x) - 1) * (Pair(x) + 1)) + (Pair(x) - 1));
    case ArithOp::kExpM1:
      return ExpLess1(std::clamp(x, -kFar, kFar));
    case ArithOp::kLog1P:
      return x == -1 ? Pair(-kInfinity) : std::isinf(x) ? Pair(x) : Log1Plus(x);
    case ArithOp::kLog2:
      return x == 0 ? Pair(-kInfinity) : std::isinf(x) ? Pair(x) : Log2(x);
    case ArithOp::kLog10:
      return x == 0 ? Pair(-kInfinity) : std::isinf(x) ? Pair(x) : Log(x) / kLn10;
    default:  // kErfC
      return x < 0 ? Erf(-x) + 1 : ErfC(x);
  }
}

bool IsOdd(ArithOp op) {
  return op == ArithOp::kSin || op == ArithOp::kTan || op == ArithOp::kASin || op == ArithOp::kATan ||
         op == ArithOp::kSinH || op == ArithOp::kTanH || op == ArithOp::kASinH || op == ArithOp::kATanH ||
         op == ArithOp::kCbrt || op == ArithOp::kErf;
}

bool Defined(ArithOp op, double x) {
  switch (op) {
    case ArithOp::kSin:
    case ArithOp::kCos:
    case ArithOp::kTan:
      return std::isfinite(x);
    case ArithOp::kASin:
    case ArithOp::kACos:
    case ArithOp::kATanH:
      return std::fabs(x) <= 1;
    case ArithOp::kACosH:
      return x >= 1;
    case ArithOp::kLog1P:
      return x >= -1;
    case ArithOp::kLog2:
    case ArithOp::kLog10:
      return x >= 0;
    default:
      return !std::isnan(x);
  }
}

// The angle of (x, y) if one of them is infinite or both are zero.
Pair Corner(double y, double x) {
  if (std::isinf(y)) return std::isinf(x) ? Scaled(kPi * (x < 0 ? 3.0 : 1.0), -2) : kHalfPi;
  return std::signbit(x) ? kPi : Pair(0);
}

}  // namespace

double Precise(ArithOp op, Elem elem, double a, double b) {
  if (op == ArithOp::kATan2) {
    if (std::isnan(a) || std::isnan(b)) return kNan;
    const double y = std::fabs(a);
    const bool corner = std::isinf(a) || std::isinf(b) || (a == 0 && b == 0);
    return std::copysign(Rounded(elem, corner ? Corner(y, b) : ATan2(y, b)), a);
  }
  if (!Defined(op, a)) return kNan;
  const bool keeps_zero = IsOdd(op) || op == ArithOp::kExpM1 || op == ArithOp::kLog1P;
  if (a == 0 && keeps_zero) return a;
  return !IsOdd(op) ? Rounded(elem, WholeLine(op, a))
                    : std::copysign(1.0, a) * Rounded(elem, HalfPlane(op, std::fabs(a)));
}

double PowerOf(Elem elem, double base, int64_t exponent) {
  if (exponent == 0) return 1;
  if (std::isnan(base)) return kNan;
  const auto word = static_cast<uint64_t>(exponent);
  const uint64_t times = exponent < 0 ? 0 - word : word;
  // By squares, from the highest bit on: a power that the type has, or that lies in the middle between two, is exact.
  const double magnitude = std::fabs(base);
  const bool negative = std::signbit(base) && (times & 1) != 0;
  // Numbers beyond doubles have no lower part.
  const auto product = [](Pair a, Pair b) {
    const double high = a.hi * b.hi;
    return high == 0 || std::isinf(high) ? Pair(high) : a * b;
  };
  Pair power = 1;
  for (int bit = 63; bit >= 0; --bit) {
    power = product(power, power);
    if ((times >> bit & 1) != 0) power = product(power, magnitude);
  }
  constexpr double kHuge = 0x1p1000;
  if (exponent < 0) power = power.hi < 1 / kHuge ? Pair(kInfinity) : power.hi > kHuge ? Pair(0) : Pair(1) / power;
  const double value = Rounded(elem, power);
  return negative ? -value : value;
}

}  // namespace pto::ptoas
