// 1 / sqrt(x), correctly rounded: f32, f16, bf16.
#include <cmath>

#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/rsqrt.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// x86 has estimates of 12 bits and more, and a fused multiply-add from AVX2 on.
#undef PTO_FAST_RSQRT
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define PTO_FAST_RSQRT 1
#else
#define PTO_FAST_RSQRT 0
#endif

// f64 square root and quotient have a relative error below 2^-51.9; no f32 x
// has 1 / sqrt(x) that close to the middle of two f32 (all mantissas and both
// parities of the exponent are checked by tests/kernels), so rounding twice is
// right. Zeros, infinity, negative x and NaN come out as IEEE arithmetic has them.
static HWY_NOINLINE VF RsqrtByF64(VF x) {
  const DD dd;
  const VD one = hn::Set(dd, 1.0);
#if HWY_TARGET == HWY_SCALAR
  const double r = hn::GetLane(hn::Div(one, hn::Sqrt(hn::PromoteTo(dd, x))));
  return Const(static_cast<float>(r));
#else
  const hn::Half<DF> dh;
  const VD low = hn::PromoteTo(dd, hn::LowerHalf(dh, x));
  const VD high = hn::PromoteTo(dd, hn::UpperHalf(dh, x));
  return JoinF64(hn::Div(one, hn::Sqrt(high)), hn::Div(one, hn::Sqrt(low)));
#endif
}

#if PTO_FAST_RSQRT

// How far the error of RsqrtLane's step reaches, in units of the last place of low just
// below a half unit of y, which is at least 2^-25 y. e is at most 2^-13 with AVX-512's
// 14-bit estimate and 2^-10.4 with the 12-bit one, the step e / 2, and four roundings
// of the step to 2^-24 amount to 2^-36.1 y (2^-33.4): 2^-11 (2^-8) of the half unit.
#if PTO_AVX512
constexpr uint32_t kMargin = 1 << 13;
#else
constexpr uint32_t kMargin = 1 << 16;
#endif

static HWY_INLINE VF Enlarge(VF low) {
  return FromBits(hn::Add(Bits(low), hn::Set(DU(), kMargin)));
}

// 1 - x (y + half)^2 with the right sign; all three f32.
static HWY_INLINE VD BeyondMiddle(VD x, VD y, VD half) {
  const VD m = hn::Add(y, half);
  return hn::NegMulAdd(x, hn::Mul(m, m), hn::Set(DD(), 1.0));
}

// 1 / sqrt(x) correctly rounded where the step left two candidates; `estimate` is the
// hardware's, y + low the step's result with |low| at most half a unit of y. Where low
// is next to half a unit, the middle m = y +- unit / 2 has 25 bits, m^2 is exact in
// f64, and the fused 1 - x m^2 has the exact sign: it says on which side the root lies.
static HWY_NOINLINE VF RsqrtUndecided(VF x, VF estimate, VF y, VF low) {
  const DF df;
  const DU du;
  const DD dd;
  const VF ax = hn::Abs(x);
  const MF tiny = hn::And(hn::Gt(ax, hn::Zero(df)), hn::Lt(ax, Const(0x1p-126f)));
  if (!hn::AllFalse(df, tiny)) return RsqrtByF64(x);
  // Zeros, infinity, negative x and NaN: the estimate is the answer.
  const MF ordinary = hn::And(hn::Gt(x, hn::Zero(df)), hn::Lt(x, Const(HUGE_VALF)));
  // low to the nearest power of two.
  const VU rounded = hn::And(hn::Add(Bits(low), hn::Set(du, 0x400000u)), hn::Set(du, 0xff800000u));
  const VF half_unit = FromBits(rounded);
  const hn::Half<DF> dh;
  const VD upper =
      BeyondMiddle(hn::PromoteTo(dd, hn::UpperHalf(dh, x)), hn::PromoteTo(dd, hn::UpperHalf(dh, y)),
                   hn::PromoteTo(dd, hn::UpperHalf(dh, half_unit)));
  const VD lower =
      BeyondMiddle(hn::PromoteTo(dd, hn::LowerHalf(dh, x)), hn::PromoteTo(dd, hn::LowerHalf(dh, y)),
                   hn::PromoteTo(dd, hn::LowerHalf(dh, half_unit)));
  const VF beyond = JoinF64(upper, lower);
  // beyond > 0: the root is above m. Away from y if that is the direction of low.
  const MF away = hn::And(hn::Eq(hn::CopySign(half_unit, beyond), half_unit),
                          hn::Not(hn::Eq(low, hn::Zero(df))));
  const MF close = hn::Not(hn::Eq(hn::Add(Enlarge(low), y), y));
  const VF other = hn::Add(y, hn::Add(half_unit, half_unit));
  const VF fixed = hn::IfThenElse(hn::And(away, close), other, y);
  return hn::IfThenElse(ordinary, fixed, estimate);
}

// f32. The residual e = 1 - x y0^2 of the hardware's estimate y0, with x y0 as a sum of
// two f32, then a step of third or fourth order give the root as y + low, wrong by less
// than kMargin says. y is right unless low, enlarged by that, rounds away from it; NaN
// (zeros, infinity, negative x, AVX2's subnormal x) fails the test too.
struct RsqrtLane : FunBase<1> {
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE VF operator()(VF x) const {
    const DF df;
    const VF y0 = hn::ApproximateReciprocalSqrt(x);
    const VF t = hn::Mul(x, y0);
    const VF t_low = hn::MulSub(x, y0, t);
    const VF e = hn::NegMulAdd(t_low, y0, hn::NegMulAdd(t, y0, Const(1.0f)));
#if PTO_AVX512
    const VF quadratic = Const(0.375f);
#else
    const VF quadratic = hn::MulAdd(e, Const(0.3125f), Const(0.375f));
#endif
    const VF step = hn::Mul(hn::Mul(y0, e), hn::MulAdd(e, quadratic, Const(0.5f)));
    const VF y = hn::Add(y0, step);
    const VF low = hn::Add(hn::Sub(y0, y), step);  // exact
    if (HWY_UNLIKELY(!hn::AllTrue(df, hn::Eq(hn::Add(Enlarge(low), y), y)))) {
      return RsqrtUndecided(x, y0, y, low);
    }
    return y;
  }
};

// f16: an f32 that rounds to the right answer. No root of an f16 is closer than
// 2^-21.4 to a middle, and one Newton step from 1.5 2^-12 is right to 2^-21.8.
struct RsqrtNarrowLane : FunBase<1> {
  HWY_INLINE VF operator()(VF x) const {
    const VF estimate = hn::ApproximateReciprocalSqrt(x);
    const VF e = hn::NegMulAdd(hn::Mul(x, estimate), estimate, Const(1.0f));
    const VF y = hn::MulAdd(hn::Mul(estimate, Const(0.5f)), e, estimate);
    // Zeros, infinity, NaN and negative x make e a NaN; the estimate is right there.
    return hn::IfThenElse(hn::IsNaN(e), estimate, y);
  }
};

#else

struct RsqrtLane : FunBase<1> {
  HWY_INLINE VF operator()(VF x) const { return RsqrtByF64(x); }
};
using RsqrtNarrowLane = RsqrtLane;

#endif

static Kernel Pick(Lane lane, DType dtype) {
  if (lane != Lane::kRsqrt) return nullptr;
  switch (dtype) {
    case DType::kF16:
      return RunKernel<OnF16<RsqrtNarrowLane>>;
    case DType::kBF16:
      return RunKernel<OnBF16<RsqrtLane>>;
    case DType::kF32:
      return RunKernel<OnPlain<float, RsqrtLane>>;
    default:
      return nullptr;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(Pick);

Kernel PickRsqrt(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(Pick)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
