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

struct F16Format {
  static constexpr int kBits = 11;
  static constexpr int kSnapBits = 44;
  static constexpr double kMinNormal = 0x1p-14;
};

struct BF16Format {
  static constexpr int kBits = 8;
  static constexpr int kSnapBits = 40;
  static constexpr double kMinNormal = 0x1p-126;
};

// v to the nearest multiple of the unit that numbers of `bits` bits have at
// max(v, floor), ties to even. v >= 0.
HWY_INLINE VD RoundAt(VD v, VD floor, int bits) {
  const DD dd;
  const hn::RebindToUnsigned<DD> du;
  const auto exponent =
      hn::And(hn::BitCast(du, hn::Max(v, floor)), hn::Set(du, uint64_t{0x7ff} << 52));
  const auto raised = hn::Set(du, static_cast<uint64_t>(53 - bits) << 52);
  const VD magic = hn::BitCast(dd, hn::Add(exponent, raised));
  return hn::Sub(hn::Add(v, magic), magic);
}

// |x| ** y exactly representable in the format, correctly rounded, for x and y of
// the format, x != 0 and both finite. Of all such pairs the closest to a middle
// without being one is 2^-43.05 of itself away in f16 (0x01fe ** 0xa0ea) and more than
// 2^-36 in bf16. Rounding to kSnapBits first restores the exact middles, which PowF64
// misses by less, and moves nothing across one: checked for all 2^32 pairs of each.
template <class Format>
HWY_INLINE VD PowRoundedHalf(const PowF64& power, VD ax, VD y) {
  const DD dd;
  const VD s = power(ax, y);
  const VD snapped = RoundAt(s, hn::Set(dd, 0x1p-1000), Format::kSnapBits);
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
  return JoinF64(high, low);
#endif
}

// The rare lanes: complete x ** y as an f32 that rounds to the right answer. `power` is
// |x| ** y unless it is undecided in some lane, then all lanes are worked out in f64.
template <class Format>
static HWY_NOINLINE VF PowRare(VF x, VF y, VF power, MF extreme, bool undecided) {
  const DF df;
  if (undecided) power = PowRoundedF64<Format>(x, y);
  const MF special = hn::Or(NotPositiveFinite(x), extreme);
  if (hn::AllFalse(df, special)) return power;
  const VF ax = hn::Abs(x);
  const MF edge = hn::Or(hn::Eq(ax, hn::Zero(df)), hn::Not(hn::Lt(ax, Infinity())));
  return PowSpecial(x, y, power, hn::Or(extreme, edge));
}

#if PTO_FMA

struct PowF16Lane : FunBase<2> {
  using T = uint16_t;
  using D = DH;
  static constexpr T kOne = 0x3c00;
  static constexpr bool kPadWithOnes = true;
  static constexpr bool kHeavy = true;
  static constexpr bool kQuad = true;

  HWY_INLINE PowF16Lane() {}

  // Rounds |x| ** y, given with |y log2 |x||, and completes it.
  static HWY_INLINE VH Complete(VF x, VF y, VF r, VF abs_t) {
    const VF margin = hn::MulAdd(abs_t, Const(0x1p-23f), Const(0x1p-22f));
    const VH low = DemoteF16(hn::NegMulAdd(r, margin, r));
    const VH high = DemoteF16(hn::MulAdd(r, margin, r));
    const bool undecided = !hn::AllTrue(DH(), hn::Eq(low, high));
    const MF extreme = IsExtreme(abs_t);
    const bool special = !hn::AllFalse(DF(), hn::Or(NotPositiveFinite(x), extreme));
    if (HWY_UNLIKELY(undecided || special)) {
      return DemoteF16(PowRare<F16Format>(x, y, r, extreme, undecided));
    }
    return low;
  }

  HWY_INLINE VH operator()(VH a, VH b) const {
    const VF x = PromoteF16(a);
    const VF y = PromoteF16(b);
    VF r, abs_t;
    power.Run<1>(&x, &y, &r, &abs_t);
    return Complete(x, y, r, abs_t);
  }

  HWY_INLINE void Quad(const T* a, const T* b, T* dst) const {
    const DH d;
    const size_t lanes = hn::Lanes(d);
    for (size_t half = 0; half < 4; half += 2) {
      VF x[2], y[2], r[2], abs_t[2];
      for (size_t i = 0; i < 2; ++i) {
        x[i] = PromoteF16(hn::LoadU(d, a + (half + i) * lanes));
        y[i] = PromoteF16(hn::LoadU(d, b + (half + i) * lanes));
      }
      power.Run<2>(x, y, r, abs_t);
      for (size_t i = 0; i < 2; ++i) {
        hn::StoreU(Complete(x[i], y[i], r[i], abs_t[i]), d, dst + (half + i) * lanes);
      }
    }
  }

  PowNarrowF32 power;
};

// Even and odd elements side by side, as in OnBF16.
struct PowBF16Lane : FunBase<2> {
  using T = uint16_t;
  using D = D16;
  static constexpr T kOne = 0x3f80;
  static constexpr bool kPadWithOnes = true;
  static constexpr bool kHeavy = true;

  HWY_INLINE PowBF16Lane() {}

  // Completes |x| ** y to an f32 that rounds to the right answer.
  static HWY_INLINE VF Complete(VF x, VF y, VF r, VF abs_t) {
    const DF df;
    const DI di;
    // The distance of the bits that rounding drops from their middle, against the error
    // in units of r's last place (at least 2^-24 r): both as the low bits of 2^23 + n.
    const VI dropped = hn::And(hn::BitCast(di, r), hn::Set(di, 0xffff));
    const VI distance = hn::Abs(hn::Sub(dropped, hn::Set(di, 0x8000)));
    const VI error = hn::BitCast(di, hn::MulAdd(abs_t, Const(2.0f), Const(0x1p23f + 4.0f)));
    const MF near = hn::RebindMask(df, hn::Gt(error, hn::Add(distance, hn::Set(di, 0x4b000000))));
    const MF extreme = IsExtreme(abs_t);
    const MF special = hn::Or(NotPositiveFinite(x), extreme);
    if (HWY_UNLIKELY(!hn::AllFalse(df, hn::Or(near, special)))) {
      return PowRare<BF16Format>(x, y, r, extreme, !hn::AllFalse(df, near));
    }
    return r;
  }

  HWY_INLINE V16 operator()(V16 a, V16 b) const {
    const D16 d;
    const DU du;
    const VU upper = hn::Set(du, 0xffff0000u);
    const VU ua = hn::BitCast(du, a);
    const VU ub = hn::BitCast(du, b);
    const VF x[2] = {FromBits(hn::ShiftLeft<16>(ua)), FromBits(hn::And(ua, upper))};
    const VF y[2] = {FromBits(hn::ShiftLeft<16>(ub)), FromBits(hn::And(ub, upper))};
    VF r[2], abs_t[2];
    power.Run<2>(x, y, r, abs_t);
    const VU even = RoundToBF16(Complete(x[0], y[0], r[0], abs_t[0]));
    const VU odd = RoundToBF16(Complete(x[1], y[1], r[1], abs_t[1]));
    return hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<16>(even)));
  }

  PowNarrowF32 power;
};

using PowBF16 = PowBF16Lane;
using PowF16 = PowF16Lane;

#else

template <class Format>
struct PowNarrowLane : FunBase<2> {
  static constexpr bool kPadWithOnes = true;
  static constexpr bool kHeavy = true;

  HWY_INLINE VF operator()(VF x, VF y) const {
    return PowRare<Format>(x, y, x, hn::Not(hn::Lt(hn::Abs(y), Infinity())), true);
  }
};

using PowF16 = OnF16<PowNarrowLane<F16Format> >;
using PowBF16 = OnBF16<PowNarrowLane<BF16Format> >;

#endif

static Kernel Pick(Lane lane, DType dtype) {
  if (lane != Lane::kPow && lane != Lane::kPowExact) return nullptr;
  if (dtype == DType::kF16) return RunKernel<PowF16>;
  if (dtype == DType::kBF16) return RunKernel<PowBF16>;
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
