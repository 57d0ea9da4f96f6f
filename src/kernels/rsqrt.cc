// 1 / sqrt(x), correctly rounded: f32, f16, bf16.
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
  return hn::Combine(DF(), hn::DemoteTo(dh, hn::Div(one, hn::Sqrt(high))),
                     hn::DemoteTo(dh, hn::Div(one, hn::Sqrt(low))));
#endif
}

// Any x, correctly rounded. With FMA: a hardware estimate y0, one step of third
// order whose residual 1 - x y0^2 is exact to 2^-48, then a rounding test; lanes
// that it cannot decide (about one vector in 300) go through f64.
struct RsqrtLane : FunBase<1> {
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE VF operator()(VF x) const {
#if HWY_NATIVE_FMA && HWY_ARCH_X86
    const DF df;
    const VF y0 = hn::ApproximateReciprocalSqrt(x);
    const VF t = hn::Mul(x, y0);
    const VF t_low = hn::MulSub(x, y0, t);
    const VF e = hn::NegMulAdd(t_low, y0, hn::NegMulAdd(t, y0, Const(1.0f)));
    const VF half = hn::MulAdd(e, Const(0.375f), Const(0.5f));
    const VF step = hn::Mul(hn::Mul(y0, e), half);
    const VF y = hn::Add(y0, step);
    // y0 - y is exact. |step| <= 2^-11.4 y0 is known to 2^-22 of itself, so y + low
    // is 1 / sqrt(x) to 2^-33: y is right if no such error moves it across a half.
    const VF low = hn::Add(hn::Sub(y0, y), step);
    const MF decided = hn::Eq(hn::MulAdd(low, Const(1.0f + 0x1p-7f), y), y);
    const MF ordinary = hn::And(hn::Ge(x, Const(0x1p-126f)), hn::Lt(x, Const(HUGE_VALF)));
    if (HWY_UNLIKELY(!hn::AllTrue(df, hn::And(decided, ordinary)))) return RsqrtByF64(x);
    return y;
#else
    return RsqrtByF64(x);
#endif
  }
};

static Kernel Pick(Lane lane, DType dtype) {
  if (lane != Lane::kRsqrt) return nullptr;
  switch (dtype) {
    case DType::kF16:
      return RunKernel<OnF16<RsqrtLane>>;
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
