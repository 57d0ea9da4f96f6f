// One element of each plain kernel, for every element type on every target: integers by
// definitions in 128 bits, floats by MPFR with enough bits that only the last rounding rounds. Bits
// of NaN count. tests/kernels/test_grids.cc tests that a grid is its elements; copy, power and rsqrt
// are judged by tests/records and tests/accuracy.
#include <mpfr.h>

#include "guarded.h"

extern "C" {
#include "testing.h"
}

namespace {

using namespace kernel_test;  // NOLINT(google-build-using-namespace)
using pto::Kernel;
using pto::Lane;

uint64_t Mask(DType t) { return ~uint64_t{0} >> (64 - 8 * Bytes(t)); }

// ---- integers ----

Wide Quotient(Wide a, Wide b) { return b == 0 ? 0 : a / b; }

Wide Remainder(Wide a, Wide b, bool floored) {
  if (b == 0) return 0;
  const Wide r = a % b;
  return floored && r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// Modulo 2^128, for its low bits: products of 64-bit numbers are beyond what a signed one holds.
Wide ProductSum(Wide a, Wide b, Wide c) {
  __extension__ typedef unsigned __int128 Unsigned;
  return static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b) + static_cast<Unsigned>(c));
}

Wide IntResult(Lane lane, DType t, Wide a, Wide b, Wide dst) {
  const int width = 8 * static_cast<int>(Bytes(t));
  const int count = static_cast<int>(static_cast<uint64_t>(b) % static_cast<uint64_t>(width));
  const auto wrapped_relu = [t](Wide v) {
    const Wide r = IntValue(t, static_cast<uint64_t>(v) & Mask(t));
    return r > 0 ? r : 0;
  };
  switch (lane) {
    case Lane::kAdd:
      return a + b;
    case Lane::kSub:
      return a - b;
    case Lane::kMul:
      return ProductSum(a, b, 0);
    case Lane::kDiv:
      return Quotient(a, b);
    case Lane::kRecip:
      return Quotient(1, a);
    case Lane::kMin:
      return a < b ? a : b;
    case Lane::kMax:
      return a > b ? a : b;
    case Lane::kAnd:
      return a & b;
    case Lane::kOr:
      return a | b;
    case Lane::kXor:
      return a ^ b;
    case Lane::kNot:
      return ~a;
    case Lane::kShl:
      return a << count;
    case Lane::kShr:
      return a >> count;
    case Lane::kNeg:
      return -a;
    case Lane::kAbs:
      return a < 0 ? -a : a;
    case Lane::kRelu:
      return a > 0 ? a : 0;
    case Lane::kPrelu:
      return a > 0 ? a : ProductSum(a, b, 0);
    case Lane::kSubRelu:
      return wrapped_relu(a - b);
    case Lane::kMulAdd:
    case Lane::kMulAddTwice:
      return ProductSum(a, b, dst);
    case Lane::kFma:
      return ProductSum(a, dst, b);
    case Lane::kFmaRelu:
      return wrapped_relu(ProductSum(a, dst, b));
    case Lane::kAddAdd:
      return a + b + dst;
    case Lane::kSubAdd:
      return a - b + dst;
    case Lane::kRem:
    case Lane::kFmod:
      return Remainder(a, b, lane == Lane::kRem);
    default:
      fail_msg("no reference for %s of integers", pto::Info(lane).name);
      return 0;
  }
}

// ---- floats ----

// Sums of products of two numbers from 2^-149 to 2^128 are exact.
class Number {
 public:
  Number() { mpfr_init2(v, 640); }
  explicit Number(double value) : Number() { mpfr_set_d(v, value, MPFR_RNDN); }
  Number(const Number& other) : Number() { mpfr_set(v, other.v, MPFR_RNDN); }
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(v); }

  // To the nearest number of the type, ties to even.
  uint64_t Bits(DType t) const {
    const uint64_t sign = mpfr_signbit(v) != 0 ? uint64_t{1} << (8 * Bytes(t) - 1) : 0;
    const uint64_t infinity = (uint64_t{1} << (8 * Bytes(t) - 1)) - (uint64_t{1} << MantissaBits(t));
    if (mpfr_nan_p(v)) return CanonicalNaN(t);
    if (mpfr_inf_p(v)) return sign | infinity;
    if (mpfr_zero_p(v)) return sign;
    const int least = 2 - (1 << (ExponentBits(t) - 1)) - MantissaBits(t);  // the smallest number is 2^least
    const long unit = std::max(static_cast<long>(mpfr_get_exp(v)) - 1 - MantissaBits(t), static_cast<long>(least));
    Number units;
    mpfr_abs(units.v, v, MPFR_RNDN);
    mpfr_div_2si(units.v, units.v, unit, MPFR_RNDN);
    mpfr_roundeven(units.v, units.v);
    // Units carry into the exponent by themselves.
    const uint64_t bits = mpfr_get_ui(units.v, MPFR_RNDN) + (static_cast<uint64_t>(unit - least) << MantissaBits(t));
    return sign | std::min(bits, infinity);
  }
  Number Rounded(DType t) const { return Number(FloatValue(t, Bits(t))); }

  mpfr_t v;
};

Number Sum(const Number& a, const Number& b) {
  Number r;
  mpfr_add(r.v, a.v, b.v, MPFR_RNDN);
  return r;
}
Number Difference(const Number& a, const Number& b) {
  Number r;
  mpfr_sub(r.v, a.v, b.v, MPFR_RNDN);
  return r;
}
Number Product(const Number& a, const Number& b) {
  Number r;
  mpfr_mul(r.v, a.v, b.v, MPFR_RNDN);
  return r;
}
Number Quotient(const Number& a, const Number& b) {
  Number r;
  mpfr_div(r.v, a.v, b.v, MPFR_RNDN);
  return r;
}
Number Root(const Number& a) {
  Number r;
  mpfr_sqrt(r.v, a.v, MPFR_RNDN);
  return r;
}

Number Exponential(const Number& a) {
  Number r;
  mpfr_exp(r.v, a.v, MPFR_RNDN);
  return r;
}
Number Logarithm(const Number& a) {
  Number r;
  mpfr_log(r.v, a.v, MPFR_RNDN);
  return r;
}
Number Remainder(const Number& a, const Number& b, bool floored) {
  Number r;
  mpfr_fmod(r.v, a.v, b.v, MPFR_RNDN);
  const bool done = !floored || mpfr_nan_p(r.v) || mpfr_zero_p(r.v);
  return done || mpfr_signbit(r.v) == mpfr_signbit(b.v) ? r : Sum(r, b);
}

uint64_t Relu(DType t, uint64_t bits) {
  const double value = FloatValue(t, bits);
  return std::isnan(value) ? CanonicalNaN(t) : value > 0 ? bits : 0;
}

// Numbers that compare equal, zeros, are ordered by their signs.
uint64_t Extreme(DType t, uint64_t a, uint64_t b, bool largest) {
  const double x = FloatValue(t, a);
  const double y = FloatValue(t, b);
  if (std::isnan(x) || std::isnan(y)) return CanonicalNaN(t);
  const bool a_is_less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  return a_is_less != largest ? a : b;
}

// The product of a sum: of f16 it is rounded first.
Number FactorsOf(DType t, const Number& a, const Number& b) {
  const Number product = Product(a, b);
  return t == DType::kF16 ? product.Rounded(t) : product;
}

uint64_t FloatResult(Lane lane, DType t, uint64_t a_bits, uint64_t b_bits, uint64_t dst_bits) {
  const uint64_t sign = uint64_t{1} << (8 * Bytes(t) - 1);
  const Number a(FloatValue(t, a_bits)), b(FloatValue(t, b_bits)), dst(FloatValue(t, dst_bits));
  switch (lane) {
    case Lane::kAdd:
      return Sum(a, b).Bits(t);
    case Lane::kSub:
      return Difference(a, b).Bits(t);
    case Lane::kMul:
      return Product(a, b).Bits(t);
    case Lane::kDiv:
      return Quotient(a, b).Bits(t);
    case Lane::kRecip:
      return Quotient(Number(1), a).Bits(t);
    case Lane::kSqrt:
      return Root(a).Bits(t);
    case Lane::kMin:
      return Extreme(t, a_bits, b_bits, false);
    case Lane::kMax:
      return Extreme(t, a_bits, b_bits, true);
    case Lane::kAnd:
      return a_bits & b_bits;
    case Lane::kOr:
      return a_bits | b_bits;
    case Lane::kXor:
      return a_bits ^ b_bits;
    case Lane::kNot:
      return ~a_bits & Mask(t);
    case Lane::kNeg:
      return a_bits ^ sign;
    case Lane::kAbs:
      return a_bits & ~sign;
    case Lane::kRelu:
      return Relu(t, a_bits);
    case Lane::kPrelu:
      return FloatValue(t, a_bits) > 0 ? a_bits : Product(a, b).Bits(t);
    case Lane::kSubRelu:
      return Relu(t, Difference(a, b).Bits(t));
    case Lane::kMulAdd:
      return Sum(Product(a, b), dst).Bits(t);
    case Lane::kMulAddTwice:
      return Sum(FactorsOf(t, a, b), dst).Bits(t);
    case Lane::kFma:
      return Sum(FactorsOf(t, a, dst), b).Bits(t);
    case Lane::kFmaRelu:
      return Relu(t, Sum(FactorsOf(t, a, dst), b).Bits(t));
    case Lane::kExp:
    case Lane::kExpExact:
      return Exponential(a).Bits(t);
    case Lane::kExpDif:
      return Exponential(t == DType::kF32 ? Difference(a, b).Rounded(t) : Difference(a, b)).Bits(t);
    case Lane::kLog:
    case Lane::kLogExact:
      return Logarithm(a).Bits(t);
    case Lane::kAddAdd:
      return Sum(Sum(a, b).Rounded(t), dst).Bits(t);
    case Lane::kSubAdd:
      return Sum(Difference(a, b).Rounded(t), dst).Bits(t);
    case Lane::kRem:
    case Lane::kFmod:
      return Remainder(a, b, lane == Lane::kRem).Bits(t);
    default:
      fail_msg("no reference for %s of floats", pto::Info(lane).name);
      return 0;
  }
}

uint64_t Expected(Lane lane, DType t, uint64_t a, uint64_t b, uint64_t dst) {
  if (IsFloat(t)) return FloatResult(lane, t, a, b, dst);
  return static_cast<uint64_t>(IntResult(lane, t, IntValue(t, a), IntValue(t, b), IntValue(t, dst))) & Mask(t);
}

// Whether results of f32 may be one of the two numbers next to the value.
bool NeedNotBeNearest(Lane lane, DType t) {
  return t == DType::kF32 && (lane == Lane::kExp || lane == Lane::kExpDif || lane == Lane::kLog);
}

// An error of at most one unit in the last place, of a value that is not exact.
bool IsNextTo(Lane lane, DType t, const uint64_t a_bits, const uint64_t b_bits, uint64_t got) {
  const Number a(FloatValue(t, a_bits)), b(FloatValue(t, b_bits));
  const Number value = lane == Lane::kLog   ? Logarithm(a)
                       : lane == Lane::kExp ? Exponential(a)
                                            : Exponential(Difference(a, b).Rounded(t));
  const uint64_t nearest = value.Bits(t);
  if (nearest == got) return true;
  if (mpfr_number_p(value.v) == 0 || mpfr_zero_p(value.v)) return false;
  // The other neighbour is on the other side of the value.
  const bool above = mpfr_greater_p(value.v, Number(FloatValue(t, nearest)).v) != 0;
  const bool larger = above != (mpfr_signbit(value.v) != 0);
  return got == (larger ? nearest + 1 : nearest - 1);
}

// ---- operands ----

struct Triple {
  uint64_t a, b, dst;
};

// A product of a and b next to the middle of two numbers, and a dst that decides the rounding.
Triple NearMiddle(DType t) {
  const uint64_t infinity = (uint64_t{1} << (8 * Bytes(t) - 1)) - (uint64_t{1} << MantissaBits(t));
  for (;;) {
    const uint64_t a = random_bits() % infinity;
    const uint64_t b = random_bits() % infinity;
    const Number product = Product(Number(FloatValue(t, a)), Number(FloatValue(t, b)));
    const uint64_t below = product.Bits(t);
    if (below == 0 || below >= infinity) continue;
    Number middle = Sum(Number(FloatValue(t, below)), Number(FloatValue(t, below ^ 1)));
    mpfr_div_2ui(middle.v, middle.v, 1, MPFR_RNDN);
    const uint64_t dst = Difference(middle, product).Bits(t);
    const uint64_t tiny = random_bits() % (infinity / 2);
    if (OneIn(2)) return {a, b, dst + Below(3)};
    // Where the product itself is a middle, the least of sums decides.
    if (mpfr_equal_p(middle.v, product.v)) return {a, b, OneIn(2) ? tiny : tiny | (Mask(t) / 2 + 1)};
  }
}

// Sums of f16 next to the middle of two subnormal numbers, by less than f32 holds beside dst.
void AddSubnormalMiddles(std::vector<Triple>& all) {
  for (uint64_t a = 1024; a < 2048; ++a) {
    const uint64_t b = (uint64_t{1} << 21) / a;
    for (const uint64_t factor : {b, b + 1}) {
      const uint64_t product = a * factor;  // of 2^-46; 2^21 is half of the smallest number
      if (factor >= 2048 || product < (1U << 21) - 64 || product > (1U << 21) + 64) continue;
      const uint64_t exponent = 2 << 10;  // 2^-13
      for (const uint64_t dst : {0x200U, 0x201U, 0x8200U, 0x8201U}) {
        all.push_back({exponent + a - 1024, exponent + factor - 1024, dst});
      }
    }
  }
}

std::vector<Triple> MakeOperands(DType t) {
  const std::vector<uint64_t> special = SpecialNumbers(t);
  std::vector<Triple> all;
  for (const uint64_t a : special) {
    for (const uint64_t b : special) all.push_back({a, b, special[Below(special.size())]});
  }
  for (int i = 0; i < 3000; ++i) all.push_back({AnyNumber(t, special), AnyNumber(t, special), AnyNumber(t, special)});
  // Sums, products and quotients of numbers that are alike.
  for (int i = 0; i < 1000; ++i) {
    const uint64_t a = AnyNumber(t, special);
    const uint64_t b = (a + Below(64) - 32) & Mask(t);
    all.push_back({a, b, (b ^ (OneIn(2) ? 0 : Mask(t) / 2 + 1)) & Mask(t)});
  }
  // Arguments of exponentials whose results are neither 0 nor infinity, and of logarithms next to 0.
  for (int i = 0; IsFloat(t) && i < 2000; ++i) {
    const double x = std::ldexp(static_cast<double>(random_bits() % 16384) - 8192, -6 - static_cast<int>(Below(9)));
    const double y = std::ldexp(static_cast<double>(random_bits() % 16384) - 8192, -6 - static_cast<int>(Below(20)));
    const uint64_t one = Number(1).Bits(t);
    all.push_back({Number(x).Bits(t), Number(y).Bits(t), one});
    all.push_back({one + Below(64) - 32, one - 1, one});
  }
  for (int i = 0; IsFloat(t) && i < 600; ++i) {
    const Triple x = NearMiddle(t);
    all.push_back(x);
    all.push_back({x.a, x.dst, x.b});  // kFma multiplies by dst
  }
  if (t == DType::kF16) AddSubnormalMiddles(all);
  return all;
}

// Results of the operands, a line of them.
template <typename T>
std::vector<uint64_t> Run(const Kernel& kernel, const std::vector<Triple>& operands) {
  std::vector<T> a, b, dst;
  for (const Triple& x : operands) {
    a.push_back(static_cast<T>(x.a));
    b.push_back(static_cast<T>(x.b));
    dst.push_back(static_cast<T>(x.dst));
  }
  Call(kernel, {dst.data(), a.data(), b.data(), 0, 0, 0, 1, 1, 1, a.size()});
  return {dst.begin(), dst.end()};
}

std::vector<uint64_t> Results(const Kernel& kernel, const std::vector<Triple>& operands) {
  switch (kernel.size) {
    case 1:
      return Run<uint8_t>(kernel, operands);
    case 2:
      return Run<uint16_t>(kernel, operands);
    case 4:
      return Run<uint32_t>(kernel, operands);
    default:
      return Run<uint64_t>(kernel, operands);
  }
}

// Judged elsewhere.
bool Elsewhere(Lane lane) {
  return lane == Lane::kCopy || lane == Lane::kPow || lane == Lane::kPowExact || lane == Lane::kRsqrt;
}

void EveryElementIsRight(void**) {
  for (int d = 0; d < pto::kDTypeCount; ++d) {
    const auto t = static_cast<DType>(d);
    const std::vector<Triple> operands = MakeOperands(t);
    for (int l = 0; l < pto::kLaneCount; ++l) {
      const auto lane = static_cast<Lane>(l);
      if (Elsewhere(lane)) continue;
      std::vector<uint64_t> expected;
      ForEachTarget([&](int target) {
        const Kernel kernel = pto::PickKernel(target, lane, t);
        if (!kernel) return;
        const std::vector<uint64_t> results = Results(kernel, operands);
        // Processors that are slow with subnormal numbers divide in another way, and others are not.
        if (lane == Lane::kDiv || lane == Lane::kRecip || lane == Lane::kRem || lane == Lane::kFmod) {
          pto::tuning.assists = !pto::tuning.assists;
          if (Results(kernel, operands) != results) {
            fail_msg("%s %s %s: assists change bits", pto::TargetName(target), pto::Info(static_cast<Lane>(l)).name,
                     pto::Info(t).name);
          }
          pto::tuning.assists = !pto::tuning.assists;
        }
        if (expected.empty()) {
          for (const Triple& x : operands) expected.push_back(Expected(lane, t, x.a, x.b, x.dst));
          // The same bits on all targets.
          for (size_t i = 0; NeedNotBeNearest(lane, t) && i < operands.size(); ++i) {
            if (IsNextTo(lane, t, operands[i].a, operands[i].b, results[i])) expected[i] = results[i];
          }
        }
        for (size_t i = 0; i < operands.size(); ++i) {
          if (results[i] == expected[i]) continue;
          fail_msg("%s %s %s: f(%#llx, %#llx, %#llx) = %#llx, not %#llx", pto::TargetName(target),
                   pto::Info(static_cast<Lane>(l)).name, pto::Info(t).name,
                   static_cast<unsigned long long>(operands[i].a), static_cast<unsigned long long>(operands[i].b),
                   static_cast<unsigned long long>(operands[i].dst), static_cast<unsigned long long>(results[i]),
                   static_cast<unsigned long long>(expected[i]));
        }
      });
    }
  }
}

// A lane has a kernel for each element type of its row, and for no other.
void EveryLaneHasItsTypes(void**) {
  ForEachTarget([&](int target) {
    for (int l = 0; l < pto::kLaneCount; ++l) {
      for (int d = 0; d < pto::kDTypeCount; ++d) {
        const auto t = static_cast<DType>(d);
        const Kernel kernel = pto::PickKernel(target, static_cast<Lane>(l), t);
        const bool wanted = (pto::Info(static_cast<Lane>(l)).types & pto::Bit(t)) != 0;
        if (bool{kernel} != wanted || (kernel && kernel.size != Bytes(t))) {
          fail_msg("%s %s: %s", pto::Info(static_cast<Lane>(l)).name, pto::Info(t).name,
                   kernel ? "has a kernel" : "has no kernel");
        }
      }
    }
  });
}

}  // namespace

int main() {
  static const CMUnitTest tests[] = {
      cmocka_unit_test(EveryElementIsRight),
      cmocka_unit_test(EveryLaneHasItsTypes),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
