// Correctly rounded base ** exponent for one pair of f32, in two steps; of these, exponential and
// logarithm, which are never exact except for 0 and 1, need the second alone.
//
// 1. Powers that are exact in few bits. Only these can lie in the middle between
//    two floats: a power of dyadic numbers is dyadic or not rational with a
//    power-of-two denominator at all, and a middle has at most 25 bits.
// 2. Everything else in fixed point, with a precision that grows until the error
//    bound leaves one answer. The result is not a middle, so this ends; heuristics
//    for 2^64 pairs put the closest about 2^-90 from one, far above the first bound.
#include "src/kernels/pow_round.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "src/kernels/pow_tables.h"

namespace pto {
namespace {

// A number >= 0 of kWords 32-bit words, the most significant first; the first is
// the integer part. Operations round down: each loses less than one unit of the
// last place.
template <int kWords>
struct Fixed {
  uint32_t w[kWords] = {};

  bool IsZero() const {
    for (uint32_t word : w) {
      if (word != 0) return false;
    }
    return true;
  }

  void Add(const Fixed& other) {
    uint64_t carry = 0;
    for (int i = kWords - 1; i >= 0; --i) {
      carry += uint64_t{w[i]} + other.w[i];
      w[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }

  // Modulo 2^32, as all arithmetic here.
  void Negate() {
    uint64_t carry = 1;
    for (int i = kWords - 1; i >= 0; --i) {
      carry += static_cast<uint32_t>(~w[i]);
      w[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }

  void Divide(uint32_t divisor) {
    uint64_t rest = 0;
    for (uint32_t& word : w) {
      rest = rest << 32 | word;
      word = static_cast<uint32_t>(rest / divisor);
      rest %= divisor;
    }
  }

  void Multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (int i = kWords - 1; i >= 0; --i) {
      carry += uint64_t{w[i]} * factor;
      w[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }

  // By 2^shift, either sign.
  void Scale(int shift) {
    const int words = shift >> 5;
    const int bits = shift & 31;
    Fixed from = *this;
    for (int i = 0; i < kWords; ++i) {
      const uint64_t high = from.Word(i + words);
      const uint64_t low = from.Word(i + words + 1);
      w[i] = static_cast<uint32_t>((high << 32 | low) << bits >> 32);
    }
  }

  uint32_t Word(int i) const { return i >= 0 && i < kWords ? w[i] : 0; }

  static Fixed Product(const Fixed& a, const Fixed& b) {
    uint32_t wide[2 * kWords] = {};
    for (int i = kWords - 1; i >= 0; --i) {
      uint64_t carry = 0;
      for (int j = kWords - 1; j >= 0; --j) {
        carry += uint64_t{a.w[i]} * b.w[j] + wide[i + j + 1];
        wide[i + j + 1] = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
      wide[i] = static_cast<uint32_t>(carry);
    }
    Fixed r;
    for (int i = 0; i < kWords; ++i) r.w[i] = wide[i + 1];
    return r;
  }

  static Fixed Fraction(uint32_t integer, const uint32_t* words) {
    Fixed r;
    r.w[0] = integer;
    for (int i = 1; i < kWords; ++i) r.w[i] = words[i - 1];
    return r;
  }
};

// |value| = mantissa 2^exponent with an odd mantissa.
struct Dyadic {
  uint32_t mantissa;
  int exponent;
};

Dyadic Split(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value) & 0x7fffffffu;
  const uint32_t field = bits >> 23;
  const uint32_t mantissa = (bits & 0x7fffffu) | (field != 0 ? 0x800000u : 0u);
  const int exponent = static_cast<int>(field != 0 ? field : 1u) - 150;
  const int zeros = static_cast<int>(std::countr_zero(mantissa));
  return {mantissa >> zeros, exponent + zeros};
}

uint32_t IntegerSqrt(uint32_t value) {
  return static_cast<uint32_t>(std::sqrt(static_cast<double>(value)));
}

// Whether base ** exponent is a dyadic number of at most 25 bits; if so, *result is it.
bool ExactPower(float base, float exponent, double* result) {
  Dyadic b = Split(base);
  Dyadic e = Split(exponent);
  for (; e.exponent < 0; ++e.exponent) {
    // A root: base must be a square.
    if (b.mantissa == 1 && b.exponent == 0) break;
    const uint32_t root = IntegerSqrt(b.mantissa);
    if (b.exponent % 2 != 0 || root * root != b.mantissa) return false;
    b = {root, b.exponent / 2};
  }
  if (e.exponent > 8) return false;  // |exponent| >= 512: only 1 has a finite power
  const int64_t power = int64_t{e.mantissa} << e.exponent;
  if (b.mantissa != 1 && (exponent < 0 || power > 15)) return false;
  uint64_t mantissa = 1;
  if (b.mantissa != 1) {
    for (int64_t i = 0; i < power; ++i) {
      mantissa *= b.mantissa;
      if (mantissa >= uint64_t{1} << 25) return false;
    }
  }
  const int64_t scale = b.exponent * (exponent < 0 ? -power : power);
  if (scale < -1000 || scale > 900) return false;  // far outside of f32
  *result = std::ldexp(static_cast<double>(mantissa), static_cast<int>(scale));
  return true;
}

// significand 2^scale, 1 <= significand < 2, to the nearest float; a tie rounds up.
template <int kWords>
float RoundFixed(const Fixed<kWords>& significand, int scale) {
  const int kept = scale >= -126 ? 24 : 150 + scale;  // bits that f32 has there
  if (kept < 0) return 0.0f;
  // significand 2^(kept - 1) + 1/2, less than 2^25, so its integer part is a word.
  Fixed<kWords> s = significand;
  s.Scale(kept - 1);
  Fixed<kWords> half;
  half.w[1] = 0x80000000u;
  s.Add(half);
  const double rounded = std::ldexp(static_cast<double>(s.w[0]), scale - kept + 1);
  return static_cast<float>(rounded);
}

// log2 of the number with the bits of `mantissa` and one before the point, in [0, 1). ln m =
// 2 atanh(s), s = (m - 1) / (m + 1) <= 1/3: fewer than kBits / 3 terms, each wrong by less than
// three units, where kBits is the number of bits of the fraction: wrong by less than 2 kBits units.
template <int kWords>
Fixed<kWords> Log2(uint32_t mantissa) {
  using F = Fixed<kWords>;
  const uint32_t one = std::bit_floor(mantissa);
  F s;
  s.w[0] = mantissa - one;
  s.Divide(mantissa + one);
  const F square = F::Product(s, s);
  F sum = s;
  F power = s;
  for (uint32_t k = 3; !power.IsZero(); k += 2) {
    power = F::Product(power, square);
    F term = power;
    term.Divide(k);
    sum.Add(term);
  }
  sum.Scale(1);
  return F::Product(sum, F::Fraction(1, kLog2eWords));
}

// 2^fraction = exp(u)^256, u = fraction ln 2 / 256; the squarings make the error 2^9 units or less.
template <int kWords>
Fixed<kWords> Exp2(const Fixed<kWords>& fraction) {
  using F = Fixed<kWords>;
  F u = F::Product(fraction, F::Fraction(0, kLn2Words));
  u.Scale(-8);
  F value;
  value.w[0] = 1;
  F term = value;
  for (uint32_t k = 1; !term.IsZero(); ++k) {
    term = F::Product(term, u);
    term.Divide(k);
    value.Add(term);
  }
  for (int i = 0; i < 8; ++i) value = F::Product(value, value);
  return value;
}

// significand 2^scale rounded to *result; false if an error of 2^-error_bits leaves two candidates.
template <int kWords>
bool Decide(const Fixed<kWords>& significand, int scale, int error_bits, float* result) {
  Fixed<kWords> error;
  error.w[2] = 1u << 28;  // 2^-36
  error.Scale(36 - error_bits);
  Fixed<kWords> above = significand;
  above.Add(error);
  error.Negate();
  Fixed<kWords> below = significand;
  below.Add(error);
  *result = RoundFixed(above, scale);
  return *result == RoundFixed(below, scale);
}

// 2^t, where t is wrong by less than 2^-(bits of the fraction - 60).
template <int kWords>
bool DecideExp2(Fixed<kWords> t, float* result) {
  const int scale = static_cast<int32_t>(t.w[0]);
  t.w[0] = 0;
  return Decide(Exp2(t), scale, 32 * (kWords - 1) - 60, result);
}

// Sets *result and returns true unless the error bound leaves two candidates.
template <int kWords>
bool EvaluatePow(float base, float exponent, float* result) {
  using F = Fixed<kWords>;
  const Dyadic b = Split(base);
  const Dyadic e = Split(exponent);

  // base = m 2^whole, 1 <= m < 2.
  F log = Log2<kWords>(b.mantissa);
  const int whole = b.exponent + static_cast<int>(std::bit_width(b.mantissa)) - 1;
  bool negative = exponent < 0;
  log.w[0] += static_cast<uint32_t>(whole);
  if (whole < 0) {
    log.Negate();
    negative = !negative;
  }

  // t = |exponent log2(base)|: below 160, or the power is far outside of f32. The
  // product with the mantissa fits the integer word: 150 2^24 < 2^32.
  const int magnitude = std::ilogb(exponent);
  if (magnitude > 40 ||
      std::abs(std::ldexp(std::log2(static_cast<double>(base)), magnitude)) > 200) {
    *result = negative ? 0.0f : HUGE_VALF;
    return true;
  }
  log.Multiply(e.mantissa);
  log.Scale(e.exponent);
  if (negative) log.Negate();
  // The logarithm's error grows with the exponent's size, at most 2^33 here (the
  // base nearest 1 is 2^-24 away).
  return DecideExp2(log, result);
}

// x log2 e is at most 2^8, its error 2^25 units.
template <int kWords>
bool EvaluateExp(float x, float* result) {
  const Dyadic d = Split(x);
  Fixed<kWords> t = Fixed<kWords>::Fraction(1, kLog2eWords);
  t.Multiply(d.mantissa);
  t.Scale(d.exponent);
  if (x < 0) t.Negate();
  return DecideExp2(t, result);
}

// The logarithm nearest 0 is 2^-24; moving its first bit before the point makes the error of fewer
// than 2^10 units 2^34 at most.
template <int kWords>
bool EvaluateLog(float x, float* result) {
  using F = Fixed<kWords>;
  const Dyadic d = Split(x);
  F log = Log2<kWords>(d.mantissa);
  const int whole = d.exponent + static_cast<int>(std::bit_width(d.mantissa)) - 1;
  log.w[0] += static_cast<uint32_t>(whole);
  if (whole < 0) log.Negate();
  log = F::Product(log, F::Fraction(0, kLn2Words));
  const int first = log.w[0] != 0 ? static_cast<int>(std::bit_width(log.w[0])) - 1
                                  : -1 - std::countl_zero(log.w[1]);
  log.Scale(-first);
  const bool decided = Decide(log, first, 32 * (kWords - 1) - 60, result);
  if (whole < 0) *result = -*result;
  return decided;
}

}  // namespace

float PowRounded(float base, float exponent) {
  double exact;
  if (ExactPower(base, exponent, &exact)) return static_cast<float>(exact);
  float result;
  if (!EvaluatePow<8>(base, exponent, &result)) EvaluatePow<17>(base, exponent, &result);
  return result;
}

// There are 2^32 arguments: none is closer to a middle than 2^-62 or so of itself.
float ExpRounded(float x) {
  float result;
  if (!EvaluateExp<6>(x, &result)) EvaluateExp<17>(x, &result);
  return result;
}

float LogRounded(float x) {
  float result;
  if (!EvaluateLog<6>(x, &result)) EvaluateLog<17>(x, &result);
  return result;
}

}  // namespace pto
