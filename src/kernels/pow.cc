// x ** y for f32: the fast algorithm (at most 1 ulp) and the correctly rounded one.
#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/pow.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/pow-inl.h"
#include "src/kernels/pow_round.h"
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// At most 0.76 ulp; see PowF32.
struct PowLane : GroupBase<2> {
  static constexpr bool kPadWithOnes = true;
  static constexpr bool kHeavy = true;
  static constexpr size_t kGroup = kPowGroup;
  static constexpr bool kJoint = true;

  HWY_INLINE PowLane() {}

  HWY_INLINE VF operator()(VF x, VF y) const {
    VF high, low, r, t;
    power.Log<1>(&x, &high, &low);
    power.Exp<1>(&y, &high, &low, &r, &t);
    Complete<1>(&x, &y, &r, &t);
    return r;
  }

  template <class Src, class Dst>
  HWY_INLINE uint64_t Joint(Src a, Src b, Dst dst) const {
    const DF df;
    const size_t lanes = hn::Lanes(df);
    Logs<kGroup> logs;
    for (size_t i = 0; i < kGroup; i += kAbreast) {
      VF x[kAbreast], high[kAbreast], low[kAbreast];
      for (size_t j = 0; j < kAbreast; ++j) x[j] = a.Load(df, (i + j) * lanes);
      power.Log<kAbreast>(x, high, low);
      logs.Put(i, high, low);
    }
    for (size_t i = 0; i < kGroup; i += kAbreast) {
      VF x[kAbreast], y[kAbreast], high[kAbreast], low[kAbreast], r[kAbreast], t[kAbreast];
      for (size_t j = 0; j < kAbreast; ++j) {
        x[j] = a.Load(df, (i + j) * lanes);
        y[j] = b.Load(df, (i + j) * lanes);
      }
      logs.Get(i, high, low);
      power.Exp<kAbreast>(y, high, low, r, t);
      Complete<kAbreast>(x, y, r, t);
      for (size_t j = 0; j < kAbreast; ++j) dst.Store(r[j], df, (i + j) * lanes);
    }
    return 0;
  }

  template <size_t kVectors>
  static HWY_INLINE void Complete(const VF* HWY_RESTRICT x, const VF* HWY_RESTRICT y,
                                  VF* HWY_RESTRICT r, const VF* HWY_RESTRICT t) {
    if (HWY_LIKELY(!AnySpecial<kVectors>(x, t))) return;
    for (size_t i = 0; i < kVectors; ++i) r[i] = PowSpecial(x[i], y[i], r[i], IsExtreme(t[i]));
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

static constexpr Row kRows[] = {
    {Lane::kPow, Only<DType::kF32>(GroupKernel<GroupF32<PowLane>>())},
    {Lane::kPowExact, Only<DType::kF32>(GroupKernel<GroupF32<PowExactLane>>())},
};

static Kernel Pick(Lane lane, DType dtype) { return Find(kRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(Pick);

Kernel PickPow(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(Pick)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
