// x ** y for f32: the fast algorithm (at most 1 ulp) and the correctly rounded one.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/pow-inl.h"
#include "src/kernels/pow_round.h"
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Powers of any numbers from their exponents, useful except for subnormal x without AVX-512.
static HWY_NOINLINE VF PowRest(VF x, VF y, VF t, VF rest, VF shifted) {
  const PowF32 power;
  PowF32::Exponent exponent(t, rest, shifted);
#if !PTO_AVX512
  const DF df;
  const VF ax = hn::Abs(x);
  const MF tiny = hn::And(hn::Gt(ax, hn::Zero(df)), hn::Lt(ax, Const(0x1p-126f)));
  if (!hn::AllFalse(df, tiny)) exponent = power.ExponentOf<Reach::kAll>(x, y);
#endif
  return PowSpecial(x, y, power.Power<Reach::kAll>(exponent), IsExtreme(exponent.t));
}

// At most 0.76 ulp; see PowF32.
struct PowLane : GroupBase<2> {
  static constexpr bool kPadWithOnes = true;
  static constexpr bool kHeavy = true;
  static constexpr size_t kGroup = kPowGroup;
  static constexpr bool kJoint = true;

  HWY_INLINE PowLane() {}

  HWY_INLINE VF operator()(VF x, VF y) const { return Complete(x, y, power.ExponentOf(x, y)); }

#if PTO_AVX512
  // First the logarithms, then the exponentials.
  template <class Src, class Dst>
  HWY_INLINE uint64_t Joint(Src a, Src b, Dst dst) const {
    const DF df;
    const size_t lanes = hn::Lanes(df);
    Stash<kGroup> high, low;
    for (size_t i = 0; i < kGroup; ++i) {
      const auto base = PowF32::Split(a.Load(df, i * lanes));
      const auto log = power.LogOf(base, Places(LogEntries::Place(base.z)).at);
      high.Put(i, log.high);
      low.Put(i, log.low);
    }
    for (size_t i = 0; i < kGroup; i += 2) {
      const VF x[2] = {a.Load(df, i * lanes), a.Load(df, (i + 1) * lanes)};
      const VF y[2] = {b.Load(df, i * lanes), b.Load(df, (i + 1) * lanes)};
      const auto first = PowF32::Times(y[0], {high.Get(i), low.Get(i)});
      const auto second = PowF32::Times(y[1], {high.Get(i + 1), low.Get(i + 1)});
      VF r[2];
      if (HWY_LIKELY(!AnyRare(hn::Max(Rarity(x[0], first.t), Rarity(x[1], second.t))))) {
        r[0] = power.Power(first);
        r[1] = power.Power(second);
      } else {
        r[0] = PowRest(x[0], y[0], first.t, first.rest, first.shifted);
        r[1] = PowRest(x[1], y[1], second.t, second.rest, second.shifted);
      }
      for (size_t j = 0; j < 2; ++j) dst.Store(r[j], df, (i + j) * lanes);
    }
    return 0;
  }
#else
  // Places of entries are found a step before they are used: they go through memory.
  template <class Src, class Dst>
  HWY_INLINE uint64_t Joint(Src a, Src b, Dst dst) const {
    const DF df;
    const size_t lanes = hn::Lanes(df);
    Stash<kGroup> first, second, third;
    HWY_ALIGN uint32_t places[kGroup * hn::MaxLanes(DF())];
    for (size_t i = 0; i < kGroup; ++i) {
      const auto base = PowF32::Split(a.Load(df, i * lanes));
      first.Put(i, base.z);
      second.Put(i, base.e);
      hn::Store(LogEntries::Place(base.z), DU(), places + i * lanes);
    }
    VU rarity = hn::Zero(DU());
    for (size_t i = 0; i < kGroup; ++i) {
      const auto log = power.LogOf({first.Get(i), second.Get(i)}, places + i * lanes);
      const auto exponent = PowF32::Times(b.Load(df, i * lanes), log);
      rarity = hn::Max(rarity, Rarity(a.Load(df, i * lanes), exponent.t));
      first.Put(i, exponent.t);
      second.Put(i, exponent.rest);
      third.Put(i, exponent.shifted);
      hn::Store(ExpEntries::Place(Bits(exponent.shifted)), DU(), places + i * lanes);
    }
    const auto exponent = [&](size_t i) HWY_ATTR {
      return PowF32::Exponent(first.Get(i), second.Get(i), third.Get(i));
    };
    if (HWY_LIKELY(!AnyRare(rarity))) {
      for (size_t i = 0; i < kGroup; ++i) {
        dst.Store(power.Power(exponent(i), places + i * lanes), df, i * lanes);
      }
    } else {
      for (size_t i = 0; i < kGroup; ++i) {
        const VF x = a.Load(df, i * lanes), y = b.Load(df, i * lanes);
        dst.Store(Complete(x, y, exponent(i)), df, i * lanes);
      }
    }
    return 0;
  }
#endif

  HWY_INLINE VF Complete(VF x, VF y, PowF32::Exponent exponent) const {
    if (HWY_LIKELY(!AnyRare(Rarity(x, exponent.t)))) return power.Power(exponent);
    return PowRest(x, y, exponent.t, exponent.rest, exponent.shifted);
  }

  PowF32 power;
};

// The lanes whose two candidates differ, one by one. Special lanes stay anything.
static HWY_NOINLINE VF PowUndecided(VF x, VF y, VF low, VF high) {
  const DF df;
  constexpr size_t kMaxLanes = hn::MaxLanes(DF());
  HWY_ALIGN float ax[kMaxLanes];
  HWY_ALIGN float ys[kMaxLanes];
  HWY_ALIGN float lows[kMaxLanes];
  HWY_ALIGN float highs[kMaxLanes];
  hn::Store(hn::Abs(x), df, ax);
  hn::Store(y, df, ys);
  hn::Store(low, df, lows);
  hn::Store(high, df, highs);
  for (size_t i = 0; i < hn::Lanes(df); ++i) {
    const bool ordinary = ax[i] > 0 && ax[i] < HUGE_VALF && std::fabs(ys[i]) < HUGE_VALF;
    if (ordinary && lows[i] != highs[i]) lows[i] = PowRounded(ax[i], ys[i]);
  }
  return hn::Load(df, lows);
}

// Correctly rounded: f64, and a rounding test with twice the error bound of PowF64;
// one lane in about 2^17 fails it.
struct PowExactLane : GroupBase<2> {
  static constexpr bool kPadWithOnes = true;
  static constexpr bool kHeavy = true;

  HWY_INLINE PowExactLane() {}

  HWY_INLINE VF operator()(VF x, VF y) const {
    const DF df;
    const DD dd;
    const VD margin = hn::Set(dd, 0x1p-41);
#if HWY_TARGET == HWY_SCALAR
    const VD s = power(hn::PromoteTo(dd, hn::Abs(x)), hn::PromoteTo(dd, y));
    const VF low = ToF32(hn::NegMulAdd(s, margin, s));
    const VF high = ToF32(hn::MulAdd(s, margin, s));
#else
    const hn::Half<DF> dh;
    const VF ax = hn::Abs(x);
    const VD s0 =
        power(hn::PromoteTo(dd, hn::LowerHalf(dh, ax)), hn::PromoteTo(dd, hn::LowerHalf(dh, y)));
    const VD s1 =
        power(hn::PromoteTo(dd, hn::UpperHalf(dh, ax)), hn::PromoteTo(dd, hn::UpperHalf(dh, y)));
    const VF low = JoinF64(hn::NegMulAdd(s1, margin, s1), hn::NegMulAdd(s0, margin, s0));
    const VF high = JoinF64(hn::MulAdd(s1, margin, s1), hn::MulAdd(s0, margin, s0));
#endif
    VF r = low;
    if (HWY_UNLIKELY(!hn::AllTrue(df, hn::Eq(low, high)))) r = PowUndecided(x, y, low, high);
    const MF wild = hn::Not(hn::Lt(hn::Abs(y), Infinity()));
    const MF special = hn::Or(NotPositiveFinite(x), wild);
    if (HWY_UNLIKELY(!hn::AllFalse(df, special))) {
      return PowSpecial(x, y, r, wild);
    }
    return r;
  }

  PowF64 power;
};

static constexpr Row kPowRows[] = {
    {Lane::kPow, Only<DType::kF32>(GroupKernel<GroupF32<PowLane>>())},
    {Lane::kPowExact, Only<DType::kF32>(GroupKernel<GroupF32<PowExactLane>>())},
};

static Kernel PickPowHere(Lane lane, DType dtype) { return Find(kPowRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickPowHere);

Kernel PickPow(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickPowHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
