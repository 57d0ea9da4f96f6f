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

// f64 square root and quotient have a relative error below 2^-51.9; no f32 x has 1 / sqrt(x)
// that close to the middle of two f32 (tests/accuracy tries them all), so rounding twice is
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

// Half the width of the interval that holds the root, in units of the estimate. Of e,
// at most 2^-13 with AVX-512's 14-bit estimate, two roundings of 2^-37 count half; the factor
// after it adds 2^-38, the two ends 2^-38 each, the end of the series 2^-40.7: below 2^-35.6.
// The 12-bit estimate of AVX2 would leave one root in 400 open. A step of Newton's brings e below
// 2^-20.7: roundings of 2^-45 twice, the ends 2^-46 each and the factor 2^-46, below 2^-43.9.
#if PTO_AVX512
constexpr float kMargin = 0x1.6p-36f;
#else
constexpr float kMargin = 0x1.4p-44f;
#endif

// Whether the root is above the middle of low and high, both f32: the sign of
// 1 - x m^2. m has 25 bits, so m^2 is exact in f64 and the fused sign is right.
static HWY_INLINE VD BeyondMiddle(VD x, VD low, VD high) {
  const DD dd;
  const VD m = hn::Mul(hn::Add(low, high), hn::Set(dd, 0.5));
  return hn::NegMulAdd(x, hn::Mul(m, m), hn::Set(dd, 1.0));
}

// 1 / sqrt(x) where the step left two candidates, or x is not an ordinary number;
// `estimate` is the hardware's.
static HWY_NOINLINE VF RsqrtUndecided(VF x, VF estimate, VF low, VF high) {
  const DF df;
  const VF ax = hn::Abs(x);
  const MF tiny = hn::And(hn::Gt(ax, hn::Zero(df)), hn::Lt(ax, Const(0x1p-126f)));
  if (!hn::AllFalse(df, tiny)) return CanonicalNaN(RsqrtByF64(x));
  const hn::Half<DF> dh;
  const VD upper = BeyondMiddle(hn::PromoteTo(DD(), hn::UpperHalf(dh, x)),
                                hn::PromoteTo(DD(), hn::UpperHalf(dh, low)),
                                hn::PromoteTo(DD(), hn::UpperHalf(dh, high)));
  const VD lower = BeyondMiddle(hn::PromoteTo(DD(), hn::LowerHalf(dh, x)),
                                hn::PromoteTo(DD(), hn::LowerHalf(dh, low)),
                                hn::PromoteTo(DD(), hn::LowerHalf(dh, high)));
  const MF beyond = hn::Gt(JoinF64(upper, lower), hn::Zero(df));
  // Zeros, infinity, negative x and NaN: the estimate is the answer.
  const MF ordinary = hn::And(hn::Gt(x, hn::Zero(df)), hn::Lt(x, Const(HUGE_VALF)));
  return CanonicalNaN(hn::IfThenElse(ordinary, hn::IfThenElse(beyond, high, low), estimate));
}

// f32. The residual e = 1 - x y^2 of an estimate y, with x y as a sum of two
// f32, and the series of 1 / sqrt(1 - e) give y (1 + w) with w to kMargin. Both ends of
// that interval are rounded, once each: equal, they are the answer. A NaN (zeros,
// infinity, negative x, AVX2's subnormal x) is not equal to itself. AVX-512 leaves one ordinary
// root in 1500 open, and puts them off by groups; AVX2 one in 400000, and turns to it at once: that
// is 1.1 times as long as a bare square root and division, with groups it was 1.4.
struct RsqrtLane : GroupBase<1> {
  static constexpr bool kMakesNaN = false;
  static constexpr bool kPadWithOnes = true;
  static constexpr size_t kUnroll = 2;
  static constexpr bool kStream = true;
  static constexpr size_t kGroup = 4;
  static constexpr bool kJoint = true;
  static constexpr size_t kSpan = kGroup * hn::MaxLanes(DF());

  // Answers y, and both ends; bits that are 0 in the lanes that no vector leaves open.
  template <size_t kVectors>
  static HWY_INLINE VU Ends(const VF* HWY_RESTRICT x, VF* HWY_RESTRICT y, VF* HWY_RESTRICT r,
                            VF* HWY_RESTRICT high) {
    const DU du;
    VF z[kVectors], t[kVectors], e[kVectors], p[kVectors];
    for (size_t i = 0; i < kVectors; ++i) z[i] = y[i] = hn::ApproximateReciprocalSqrt(x[i]);
    for (size_t i = 0; i < kVectors; ++i) t[i] = hn::Mul(x[i], z[i]);
#if !PTO_AVX512
    for (size_t i = 0; i < kVectors; ++i) e[i] = hn::NegMulAdd(t[i], z[i], Const(1.0f));
    for (size_t i = 0; i < kVectors; ++i) z[i] = hn::MulAdd(hn::Mul(z[i], Const(0.5f)), e[i], z[i]);
    for (size_t i = 0; i < kVectors; ++i) t[i] = hn::Mul(x[i], z[i]);
#endif
    for (size_t i = 0; i < kVectors; ++i) {
      e[i] = hn::NegMulAdd(t[i], z[i], Const(1.0f));
      t[i] = hn::MulSub(x[i], z[i], t[i]);
    }
    for (size_t i = 0; i < kVectors; ++i) e[i] = hn::NegMulAdd(t[i], z[i], e[i]);
    for (size_t i = 0; i < kVectors; ++i) p[i] = hn::MulAdd(e[i], Const(0.375f), Const(0.5f));
    for (size_t i = 0; i < kVectors; ++i) p[i] = hn::MulSub(e[i], p[i], Const(kMargin));
    for (size_t i = 0; i < kVectors; ++i) {
      high[i] = hn::Add(p[i], Const(2 * kMargin));
      r[i] = hn::MulAdd(p[i], z[i], z[i]);
    }
    VU apart = hn::Zero(du);
    for (size_t i = 0; i < kVectors; ++i) {
      high[i] = hn::MulAdd(high[i], z[i], z[i]);
      apart = hn::Or(apart, Bits(hn::Sub(high[i], r[i])));
    }
    return apart;
  }

  HWY_INLINE VF operator()(VF x) const {
    VF y, r, high;
    const VU open = Ends<1>(&x, &y, &r, &high);
    if (HWY_LIKELY(hn::AllTrue(DU(), hn::Eq(open, hn::Zero(DU()))))) return r;
    return RsqrtUndecided(x, y, r, high);
  }

  HWY_INLINE VF Careful(VF x) const {
    VF y, r, high;
    Ends<1>(&x, &y, &r, &high);
    return RsqrtUndecided(x, y, r, high);
  }

  template <class Src, class Dst>
  HWY_INLINE uint64_t Joint(Src a, Src, Dst dst) const {
    const DF df;
    const size_t lanes = hn::Lanes(df);
    VF x[kGroup], y[kGroup], r[kGroup], high[kGroup];
    for (size_t i = 0; i < kGroup; ++i) x[i] = a.Load(df, i * lanes);
    const DU du;
    const uint64_t open = LaneBits(du, hn::Gt(Ends<kGroup>(x, y, r, high), hn::Zero(du)));
    for (size_t i = 0; i < kGroup; ++i) dst.Store(r[i], df, i * lanes);
    return open;
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

// bf16: no root is closer than 2^-17.8 to a middle. The estimates of AVX2 take a subnormal for
// zero.
struct RsqrtBF16Lane : FunBase<1> {
  static constexpr bool kTies = false;

  HWY_INLINE VF operator()(VF x) const {
#if PTO_AVX512
    return RsqrtNarrowLane()(x);
#else
    const MF small = hn::Lt(x, Const(0x1p-126f));
    const VF r = RsqrtNarrowLane()(hn::IfThenElse(small, hn::Mul(x, Const(0x1p24f)), x));
    return hn::IfThenElse(small, hn::Mul(r, Const(0x1p12f)), r);
#endif
  }
};

#if PTO_AVX512
constexpr Kernel kRsqrtF32 = GroupKernel<GroupF32<RsqrtLane>>();
#else
constexpr Kernel kRsqrtF32 = Plain<OnPlain<float, RsqrtLane>>();
#endif

#else

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
