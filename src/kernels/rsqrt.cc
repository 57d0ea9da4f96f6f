// 1 / sqrt(x), correctly rounded: f32, f16, bf16.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
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

// bf16 except for subnormal numbers: no root is closer than 2^-17.8 to a middle.
struct RsqrtNormalLane : RsqrtNarrowLane {
  static constexpr bool kTies = false;
};

// bf16. Subnormal numbers are enlarged: steps with them
// would be slow, and the estimates of AVX2 take them for zero.
struct RsqrtBF16Lane : FunBase<1> {
  static constexpr bool kTies = false;

  HWY_INLINE VF operator()(VF x) const {
    const Enlarged large(x);
    const VF r = RsqrtNarrowLane()(large.x);
    return hn::IfThenElse(large.was_small, hn::Mul(r, Const(0x1p75f)), r);
  }
};

constexpr size_t kLooked =
    4 * hn::MaxLanes(hn::ScalableTag<uint16_t>());  // shorter lines are not worth a look

// Whether a line has no subnormal numbers: without the sign, none from 1 to 0x7f.
HWY_INLINE bool IsNormal(const uint16_t* from, size_t count) {
  const hn::ScalableTag<uint16_t> d;
  constexpr size_t kLanes = hn::MaxLanes(d);
  constexpr size_t kGroup = kLooked / kLanes;
  const auto two = hn::Set(d, 2);
  auto low = hn::Set(d, 0xfd);  // of twice the numbers, less 2
  const auto look = [&](size_t at) HWY_ATTR {
    hn::Vec<decltype(d)> v[kGroup];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kGroup; ++i) {
      v[i] = hn::LoadU(d, from + at + i * kLanes);
      v[i] = hn::Sub(hn::Add(v[i], v[i]), two);
    }
    low = hn::Min(low, hn::Min(hn::Min(v[0], v[1]), hn::Min(v[2], v[3])));
  };
  for (size_t k = 0; k + kLooked <= count; k += kLooked) look(k);
  look(count - kLooked);
  return hn::AllTrue(d, hn::Eq(low, hn::Set(d, 0xfd)));
}

// A look at a line costs two operations for each vector, less than enlarging each number.
void RsqrtBF16(void* dst, const void* a, const void*, ptrdiff_t dst_line, ptrdiff_t a_line,
               ptrdiff_t, size_t lines, size_t count, const void*, ptrdiff_t) {
  constexpr Block kCareful = Loop<OnBF16<RsqrtBF16Lane>>;
  if (count < kLooked)
    return kCareful(dst, a, a, dst_line, a_line, a_line, lines, count, nullptr, 0);
  auto* to = static_cast<uint16_t*>(dst);
  const auto* from = static_cast<const uint16_t*>(a);
  for (; lines != 0; --lines, to += dst_line, from += a_line) {
    const Block block = IsNormal(from, count) ? Loop<OnBF16<RsqrtNormalLane>> : kCareful;
    block(to, from, from, 0, 0, 0, 1, count, nullptr, 0);
  }
}
constexpr Kernel kRsqrtBF16 =
    KernelOf<OnBF16<RsqrtBF16Lane>>(RsqrtBF16, StreamOf<OnBF16<RsqrtBF16Lane>>());

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
constexpr Kernel kRsqrtBF16 = Plain<OnBF16<RsqrtLane>>();
constexpr Kernel kRsqrtF32 = Plain<OnPlain<float, RsqrtLane>>();

#endif

static constexpr Row kRsqrtRows[] = {
    {Lane::kRsqrt, Only<DType::kF16>(Plain<OnF16<RsqrtNarrowLane>>()) |
                       Only<DType::kBF16>(kRsqrtBF16) | Only<DType::kF32>(kRsqrtF32)},
};

static Kernel PickRsqrtHere(Lane lane, DType dtype) { return Find(kRsqrtRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickRsqrtHere);

Kernel PickRsqrt(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickRsqrtHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
