// f16 and bf16 as formats: what kernels round to that compute them in f32 or f64.
#if defined(PTO_SRC_KERNELS_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_NARROW_INL_H_
#undef PTO_SRC_KERNELS_NARROW_INL_H_
#else
#define PTO_SRC_KERNELS_NARROW_INL_H_
#endif

#include "src/kernels/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Decide(): whether a positive *r that is at most 2^-21 of itself too large, or 2^-22 too small,
// and for bf16 2^-21 off, leaves one answer; then *r rounds to it. NaN may be decided or not.
struct F16Format {
  static constexpr int kBits = 11;
  static constexpr double kMinNormal = 0x1p-14;

  static HWY_INLINE bool Decide(VF* HWY_RESTRICT r) {
    const VF high = hn::Mul(*r, Const(1.0f + 0x1.8p-22f));
    *r = hn::Mul(*r, Const(1.0f - 0x1.2p-21f));
    return hn::AllTrue(DH(), hn::Eq(DemoteF16(*r), DemoteF16(high)));
  }
};

struct BF16Format {
  static constexpr int kBits = 8;
  static constexpr double kMinNormal = 0x1p-126;

  // The bits that rounding drops are more than 8 units, of at least 2^-24 of *r, from their middle.
  static HWY_INLINE bool Decide(VF* HWY_RESTRICT r) {
    const DU du;
    const VU from_middle = hn::Add(Bits(*r), hn::Set(du, 0x8008u));
    const VU far = hn::And(from_middle, hn::Set(du, 0xfff0u));
    return hn::AllFalse(du, hn::Eq(far, hn::Zero(du)));
  }
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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_NARROW_INL_H_
