// a * b + c rounded once, on every target. Where the machine has no fused
// multiply-add the same bits come from f64: the product of two f32 is exact there,
// and a sum rounded to odd survives the second rounding.
#if defined(PTO_SRC_KERNELS_FMA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_FMA_INL_H_
#undef PTO_SRC_KERNELS_FMA_INL_H_
#else
#define PTO_SRC_KERNELS_FMA_INL_H_
#endif

#include <cmath>

#include "src/kernels/convert-inl.h"

// What Highway fuses. Its macro is about speed, and SCALAR's is not to be trusted
// for exactness.
#undef PTO_FMA
#if HWY_NATIVE_FMA && HWY_TARGET != HWY_SCALAR
#define PTO_FMA 1
#else
#define PTO_FMA 0
#endif

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_FMA

HWY_INLINE VF Fma(VF a, VF b, VF c) { return hn::MulAdd(a, b, c); }
HWY_INLINE VF Fms(VF a, VF b, VF c) { return hn::MulSub(a, b, c); }

#else

// a * b + c for half a vector; any f32 but that NaN payloads may differ.
HWY_INLINE VD FmaOdd(VD a, VD b, VD c) {
  const DD dd;
  const hn::RebindToUnsigned<DD> du;
  const hn::RebindToSigned<DD> di;
  const VD p = hn::Mul(a, b);
  const VD s = hn::Add(p, c);
  // Two-sum: the part of p + c that s lost.
  const VD c_part = hn::Sub(s, p);
  const VD lost = hn::Add(hn::Sub(p, hn::Sub(s, c_part)), hn::Sub(c, c_part));
  // Odd: where something was lost and s is even, go one unit towards it.
  const auto bits = hn::BitCast(di, s);
  const auto even = hn::Eq(hn::And(bits, hn::Set(di, 1)), hn::Zero(di));
  const auto inexact = hn::RebindMask(di, hn::Gt(hn::Abs(lost), hn::Zero(dd)));
  // +1 if lost and s have the same sign, else -1.
  const auto differ = hn::BitCast(du, hn::Xor(s, lost));
  const auto step =
      hn::Sub(hn::Set(di, 1), hn::BitCast(di, hn::ShiftLeft<1>(hn::ShiftRight<63>(differ))));
  const auto odd = hn::Add(bits, hn::IfThenElseZero(hn::And(even, inexact), step));
  return hn::BitCast(dd, odd);
}

HWY_INLINE VF Fma(VF a, VF b, VF c) {
#if HWY_TARGET == HWY_SCALAR
  return Const(std::fma(hn::GetLane(a), hn::GetLane(b), hn::GetLane(c)));
#else
  const DD dd;
  const hn::Half<DF> dh;
  const VD low =
      FmaOdd(hn::PromoteTo(dd, hn::LowerHalf(dh, a)), hn::PromoteTo(dd, hn::LowerHalf(dh, b)),
             hn::PromoteTo(dd, hn::LowerHalf(dh, c)));
  const VD high =
      FmaOdd(hn::PromoteTo(dd, hn::UpperHalf(dh, a)), hn::PromoteTo(dd, hn::UpperHalf(dh, b)),
             hn::PromoteTo(dd, hn::UpperHalf(dh, c)));
  return JoinF64(high, low);
#endif
}

HWY_INLINE VF Fms(VF a, VF b, VF c) { return Fma(a, b, hn::Neg(c)); }

#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_FMA_INL_H_
