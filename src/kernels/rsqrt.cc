// 1 / sqrt(x), correctly rounded: f32, f16, bf16.
#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/rsqrt.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/loop-inl.h"
#include "src/kernels/root-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_FAST_ROOTS

struct RsqrtF32 : GroupLane<1> {
  static constexpr bool kPadWithOnes = true;
  HWY_INLINE VF operator()(VF x) const { return RsqrtAny(x); }
  HWY_INLINE void Together(VF (&r)[kUnroll]) const { RsqrtGroup(r); }
};
constexpr Kernel kRsqrtF32 = Plain<RsqrtF32>();

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

// bf16: no root is closer than 2^-17.8 to a middle. Subnormal numbers are enlarged: steps with them
// would be slow, and the estimates of AVX2 take them for zero.
struct RsqrtBF16Lane : FunBase<1> {
  static constexpr bool kTies = false;

  HWY_INLINE VF operator()(VF x) const {
    const Enlarged large(x);
    const VF r = RsqrtNarrowLane()(large.x);
    return hn::IfThenElse(large.was_small, hn::Mul(r, Const(0x1p75f)), r);
  }
};

#else

// f64 square root and quotient have a relative error below 2^-51.9; no f32 x has 1 / sqrt(x)
// that close to the middle of two f32 (tests/accuracy tries them all), so rounding twice is
// right. Zeros, infinity, negative x and NaN come out as IEEE arithmetic has them.
HWY_INLINE VF RsqrtByF64(VF x) {
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

struct RsqrtLane : FunBase<1> {
  static constexpr size_t kUnroll = 1;

  HWY_INLINE VF operator()(VF x) const { return RsqrtByF64(x); }
};
using RsqrtNarrowLane = RsqrtLane;
using RsqrtBF16Lane = RsqrtLane;
constexpr Kernel kRsqrtF32 = Plain<OnPlain<float, RsqrtLane>>();

#endif

static constexpr Row kRows[] = {
    {Lane::kRsqrt, Only<DType::kF16>(Plain<OnF16<RsqrtNarrowLane>>()) |
                       Only<DType::kBF16>(Plain<OnBF16<RsqrtBF16Lane>>()) |
                       Only<DType::kF32>(kRsqrtF32)},
};

static Kernel Pick(Lane lane, DType dtype) { return Find(kRows, lane, dtype); }

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
