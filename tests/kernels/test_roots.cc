// The proofs of src/kernels/root-inl.h. Estimates of reciprocals and of their roots have other bits on other
// processors, so every number is tried with each estimate within the error that is documented, not with this machine's.
//   roots      every x of [1, 4): all mantissas with both parities of the exponent; powers of 4 scale exactly
//   quotients  every a / b whose last step could round wrongly: what is rounded errs by less than 4 / 2b of a unit, so
//              only where 2 a 2^s = (2 q + 1) b + j for an integer q and 0 < |j| <= 4
//   any quotients  subnormal numbers and quotients, zeros, infinities and NaN, against the processor's division
// A test run takes a sample. With --exhaustive: all of them, on each target; some minutes with AVX-512, an hour with
// AVX2.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "src/kernels/pickers.h"

// The number of tries, of wrong results, and the last such numbers.
#ifndef PTO_TESTS_KERNELS_TEST_ROOTS_TRIED
#define PTO_TESTS_KERNELS_TEST_ROOTS_TRIED
namespace pto {
struct Tried {
  uint64_t numbers, pairs, wrong;
  float a, b;
};
}  // namespace pto
#endif

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/root-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_FAST_ROOTS

constexpr double kError = PTO_AVX512 ? 0x1p-14 : 0x1.8p-12;
constexpr uint32_t kLanes = hn::MaxLanes(DF());

// Whether `fun` gives `want` for all estimates of a number.
template <class Fun>
HWY_INLINE bool Right(double exact, float want, Tried* tried, Fun fun) {
  const auto first = std::bit_cast<uint32_t>(static_cast<float>(exact * (1 - kError)));
  const auto last = std::bit_cast<uint32_t>(static_cast<float>(exact * (1 + kError)));
  const VF expected = Const(want);
  auto wrong = hn::Ne(expected, expected);
  for (uint32_t y = first; y <= last; y += kLanes) {
    wrong = hn::Or(wrong, hn::Ne(fun(FromBits(hn::Iota(DU(), y))), expected));
    tried->pairs += kLanes;
  }
  return hn::AllFalse(DF(), wrong);
}

static HWY_NOINLINE Tried TryRoots(uint32_t step) {
  Tried tried = {};
  for (uint32_t bits = 0x3f800000; bits < 0x40800000; bits += step) {
    const auto x = std::bit_cast<float>(bits);
    const double exact = 1 / std::sqrt(static_cast<double>(x));
    const VF vx = Const(x);
    const bool root = Right(exact, std::sqrt(x), &tried, [vx](VF y) HWY_ATTR { return SqrtFrom(vx, y); });
    // Rounding twice is right here: no such root is near enough to a middle (tests/accuracy, trsqrt-f32).
    const bool reciprocal =
        Right(exact, static_cast<float>(exact), &tried, [vx](VF y) HWY_ATTR { return RsqrtFrom(vx, y); });
    ++tried.numbers;
    if (root && reciprocal) continue;
    ++tried.wrong;
    tried.a = x;
  }
  return tried;
}

#if PTO_AVX512
// Roots of all f16 and bf16 of [1, 4), as they are rounded to their type, which drops kDropped bits of f32.
template <int kDropped, class Fun>
HWY_INLINE void TryNarrow(Tried* tried, Fun fun) {
  const auto rounded = [](VF v) HWY_ATTR {
    const VU odd = hn::And(hn::ShiftRight<kDropped>(Bits(v)), hn::Set(DU(), 1));
    return hn::ShiftRight<kDropped>(hn::Add(hn::Add(Bits(v), odd), hn::Set(DU(), (1U << (kDropped - 1)) - 1)));
  };
  for (uint32_t bits = 0x3f800000; bits < 0x40800000; bits += 1U << kDropped) {
    const auto x = std::bit_cast<float>(bits);
    const VF vx = Const(x);
    const VF want = hn::BitCast(DF(), rounded(Const(std::sqrt(x))));
    const bool right = Right(1 / std::sqrt(static_cast<double>(x)), hn::GetLane(want), tried,
                             [&](VF y) HWY_ATTR { return hn::BitCast(DF(), rounded(fun(vx, y))); });
    ++tried->numbers;
    if (right) continue;
    ++tried->wrong;
    tried->a = x;
  }
}
#endif

static HWY_NOINLINE Tried TryNarrowRoots() {
  Tried tried = {};
#if PTO_AVX512
  TryNarrow<13>(&tried, SqrtF16From);
  TryNarrow<16>(&tried, SqrtBF16From);
#endif
  return tried;
}

static HWY_NOINLINE Tried TryQuotients(uint32_t step) {
  Tried tried = {};
  for (uint32_t b = 1U << 23; b < 1U << 24; b += step) {
    const int zeros = std::countr_zero(b);
    const uint64_t odd = b >> zeros;
    uint64_t inverse = odd;  // modulo 2^64
    for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
    for (int s = 23; s <= 24; ++s) {
      for (int j = -4; j <= 4; ++j) {
        if (j == 0 || zeros > 2 || j % (1 << zeros) != 0) continue;
        // Odd numbers m = 2 q + 1 with m b + j divisible by 2^(s+1).
        const uint64_t modulus = uint64_t{1} << (s + 1 - zeros);
        const uint64_t rest = static_cast<uint64_t>(-j / (1 << zeros)) * inverse & (modulus - 1);
        for (uint64_t m = rest; m < 1U << 25; m += modulus) {
          if (m < 1U << 24 || m % 2 == 0) continue;
          const uint64_t a = (m * b + static_cast<uint64_t>(int64_t{j})) >> (s + 1);
          if (a < 1U << 23 || a >= 1U << 24) continue;
          const float fa = static_cast<float>(a) * 0x1p-23f;
          const float fb = static_cast<float>(b) * 0x1p-23f;
          const VF va = Const(fa);
          const VF vb = Const(fb);
          ++tried.numbers;
          if (Right(1.0 / fb, fa / fb, &tried, [va, vb](VF y) HWY_ATTR { return DivideFrom(va, vb, y); })) continue;
          ++tried.wrong;
          tried.a = fa;
          tried.b = fb;
        }
      }
    }
  }
  return tried;
}

// DivideFlat() of numbers of all classes: any bits; quotients next to and below 2^-126; subnormal numbers; powers of
// two with zeros and infinities.
static HWY_NOINLINE Tried TryAnyQuotients(uint64_t count) {
  Tried tried = {};
  HWY_ALIGN float a[kLanes];
  HWY_ALIGN float b[kLanes];
  HWY_ALIGN uint32_t got[kLanes];
  uint64_t state = 1;
  const auto draw = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<uint32_t>(state >> 32);
  };
  constexpr uint32_t kMantissa = 0x807fffff;
  for (; tried.numbers < count; tried.numbers += kLanes) {
    for (uint32_t i = 0; i < kLanes; ++i) {
      uint32_t of_a = draw(), of_b = draw();
      const uint32_t kind = draw() % 4, exponent = 1 + draw() % 104;
      if (kind == 1) of_a = (of_a & kMantissa) | exponent << 23;
      if (kind == 1) of_b = (of_b & kMantissa) | (exponent + 124 + draw() % 27) << 23;
      if (kind == 2) of_a &= kMantissa;
      if (kind == 2 && of_b % 2 == 0) of_b &= kMantissa;
      if (kind == 3) of_a &= ~0x007fffffU;
      if (kind == 3 && draw() % 2 == 0) of_b &= ~0x007fffffU;
      a[i] = std::bit_cast<float>(of_a);
      b[i] = std::bit_cast<float>(of_b);
    }
    hn::Store(Bits(DivideFlat(hn::Load(DF(), a), hn::Load(DF(), b))), DU(), got);
    for (uint32_t i = 0; i < kLanes; ++i) {
      const float want = a[i] / b[i];
      if (got[i] == (want != want ? 0x7fc00000 : std::bit_cast<uint32_t>(want))) continue;
      ++tried.wrong;
      tried.a = a[i];
      tried.b = b[i];
    }
  }
  return tried;
}

#else

static Tried TryAnyQuotients(uint64_t) { return {}; }
static Tried TryRoots(uint32_t) { return {}; }
static Tried TryNarrowRoots() { return {}; }
static Tried TryQuotients(uint32_t) { return {}; }

#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "guarded.h"

extern "C" {
#include "testing.h"
}

namespace pto {
namespace {

HWY_EXPORT(TryRoots);
HWY_EXPORT(TryNarrowRoots);
HWY_EXPORT(TryQuotients);
HWY_EXPORT(TryAnyQuotients);

Tried Roots(int target, uint32_t step) { return HWY_DISPATCH_TABLE(TryRoots)[TableIndex(TargetBit(target))](step); }
Tried NarrowRoots(int target) { return HWY_DISPATCH_TABLE(TryNarrowRoots)[TableIndex(TargetBit(target))](); }
Tried Quotients(int target, uint32_t step) {
  return HWY_DISPATCH_TABLE(TryQuotients)[TableIndex(TargetBit(target))](step);
}

Tried AnyQuotients(int target, uint64_t count) {
  return HWY_DISPATCH_TABLE(TryAnyQuotients)[TableIndex(TargetBit(target))](count);
}

void Expect(int target, const char* what, const Tried& tried) {
  if (tried.wrong == 0) return;
  fail_msg("%s on %s: %llu of %llu are wrong, one of them %a %a", what, TargetName(target),
           static_cast<unsigned long long>(tried.wrong), static_cast<unsigned long long>(tried.numbers),
           static_cast<double>(tried.a), static_cast<double>(tried.b));
}

// Steps that are prime, so that all residues occur.
void SomeOfAll(void**) {
  kernel_test::ForEachTarget([](int target) {
    Expect(target, "roots", Roots(target, 20011));
    Expect(target, "roots of f16 and bf16", NarrowRoots(target));
    Expect(target, "quotients", Quotients(target, 20011));
    Expect(target, "any quotients", AnyQuotients(target, 400000));
  });
}

int All() {
  bool failed = false;
  std::printf("| target | what | numbers | pairs with estimates | wrong |\n|---|---|---|---|---|\n");
  kernel_test::ForEachTarget([&](int target) {
    const auto print = [&](const char* what, const Tried& tried) {
      if (tried.numbers == 0) return;
      std::printf("| %s | %s | %llu | %llu | %llu |\n", TargetName(target), what,
                  static_cast<unsigned long long>(tried.numbers), static_cast<unsigned long long>(tried.pairs),
                  static_cast<unsigned long long>(tried.wrong));
      std::fflush(stdout);
      failed = failed || tried.wrong != 0;
    };
    print("roots and their reciprocals", Roots(target, 1));
    print("quotients next to a middle", Quotients(target, 1));
    print("any quotients", AnyQuotients(target, uint64_t{1} << 32));
  });
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace pto

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--exhaustive") == 0) return pto::All();
  static const CMUnitTest tests[] = {cmocka_unit_test(pto::SomeOfAll)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
#endif
