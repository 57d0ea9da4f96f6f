// x ** y for f16 and bf16, correctly rounded.
#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/pow_narrow.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/pow-inl.h"
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// The two formats: significant bits, smallest normal, and which f32 results are too
// close to a middle between two numbers for an f32 with an error of 1 ulp.
struct F16Format {
  static constexpr int kBits = 11;
  static constexpr double kMinNormal = 0x1p-14;

  static HWY_INLINE MF Undecided(VF v) {
    const DU du;
    const VU u = Bits(v);
    const auto at_middle =
        hn::Lt(hn::BitCast(DI(), hn::And(hn::Sub(u, hn::Set(du, 0xffeu)), hn::Set(du, 0x1fffu))),
               hn::Set(DI(), 5));
    // Subnormal results keep fewer bits. Less than 2^-26 is 0 in any case.
    const MF tiny = hn::And(hn::Lt(v, Const(0x1p-14f)), hn::Gt(v, Const(0x1p-26f)));
    return hn::Or(hn::RebindMask(DF(), at_middle), tiny);
  }
};

struct BF16Format {
  static constexpr int kBits = 8;
  static constexpr double kMinNormal = 0x1p-126;

  // f32 has bf16's exponents: the middles look alike in subnormal numbers.
  static HWY_INLINE MF Undecided(VF v) {
    const DU du;
    const VU u = Bits(v);
    const auto at_middle =
        hn::Lt(hn::BitCast(DI(), hn::And(hn::Sub(u, hn::Set(du, 0x7ffeu)), hn::Set(du, 0xffffu))),
               hn::Set(DI(), 5));
    return hn::RebindMask(DF(), at_middle);
  }
};

// v to the nearest multiple of the unit that numbers of `bits` bits have at
// max(v, floor), ties to even. v >= 0.
HWY_INLINE VD RoundAt(VD v, VD floor, int bits) {
  const DD dd;
  const hn::RebindToUnsigned<DD> du;
  const auto exponent = hn::And(hn::BitCast(du, hn::Max(v, floor)),
                                hn::Set(du, uint64_t{0x7ff} << 52));
  const auto raised = hn::Set(du, static_cast<uint64_t>(53 - bits) << 52);
  const VD magic = hn::BitCast(dd, hn::Add(exponent, raised));
  return hn::Sub(hn::Add(v, magic), magic);
}

// |x| ** y exactly representable in the format, correctly rounded, for x and y of
// the format, x != 0 and both finite. Of all such pairs none has a power within
// 2^-41 of a middle but the exact middles (tests/kernels looks at every pair), and
// PowF64 is right to 2^-42: rounding to 40 bits first restores exact middles.
template <class Format>
HWY_INLINE VD PowRoundedHalf(const PowF64& power, VD ax, VD y) {
  const DD dd;
  const VD s = power(ax, y);
  const VD snapped = RoundAt(s, hn::Set(dd, 0x1p-1000), 40);
  return RoundAt(snapped, hn::Set(dd, Format::kMinNormal), Format::kBits);
}

template <class Format>
static HWY_NOINLINE VF PowRoundedF64(VF x, VF y) {
  const DD dd;
  const PowF64 power;
  const VF ax = hn::Abs(x);
#if HWY_TARGET == HWY_SCALAR
  return ToF32(PowRoundedHalf<Format>(power, hn::PromoteTo(dd, ax), hn::PromoteTo(dd, y)));
#else
  const hn::Half<DF> dh;
  const VD low = PowRoundedHalf<Format>(power, hn::PromoteTo(dd, hn::LowerHalf(dh, ax)),
                                        hn::PromoteTo(dd, hn::LowerHalf(dh, y)));
  const VD high = PowRoundedHalf<Format>(power, hn::PromoteTo(dd, hn::UpperHalf(dh, ax)),
                                         hn::PromoteTo(dd, hn::UpperHalf(dh, y)));
  return hn::Combine(DF(), hn::DemoteTo(dh, high), hn::DemoteTo(dh, low));
#endif
}

// An f32 that rounds to the correctly rounded x ** y of the format.
template <class Format>
struct PowNarrowLane : FunBase<2> {
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE PowNarrowLane() {}

  HWY_INLINE VF operator()(VF x, VF y) const {
    const DF df;
#if PTO_FMA
    MF extreme;
    VF r = power(x, y, &extreme);
    if (HWY_UNLIKELY(!hn::AllFalse(df, Format::Undecided(r)))) r = PowRoundedF64<Format>(x, y);
#else
    const VF r = PowRoundedF64<Format>(x, y);
    const MF extreme = hn::Not(hn::Lt(hn::Abs(y), Infinity()));
#endif
    const MF special = hn::Or(NotPositiveFinite(x), extreme);
    if (HWY_UNLIKELY(!hn::AllFalse(df, special))) {
      const VF ax = hn::Abs(x);
      const MF edge = hn::Or(hn::Eq(ax, hn::Zero(df)), hn::Not(hn::Lt(ax, Infinity())));
      return PowSpecial(x, y, r, hn::Or(extreme, edge));
    }
    return r;
  }

#if PTO_FMA
  PowF32 power;
#endif
};

static Kernel Pick(Lane lane, DType dtype) {
  if (lane != Lane::kPow && lane != Lane::kPowExact) return nullptr;
  if (dtype == DType::kF16) return RunKernel<OnF16<PowNarrowLane<F16Format>>>;
  if (dtype == DType::kBF16) return RunKernel<OnBF16<PowNarrowLane<BF16Format>>>;
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(Pick);

Kernel PickPowNarrow(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(Pick)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
