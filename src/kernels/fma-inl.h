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

// a * b + c for half a vector of any f32, rounded to odd.
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

#if PTO_FMA

HWY_INLINE VF Fma(VF a, VF b, VF c) { return hn::MulAdd(a, b, c); }
HWY_INLINE VF Fms(VF a, VF b, VF c) { return hn::MulSub(a, b, c); }

#else

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

// c[kFirst] + c[kFirst + kStep] x + c[kFirst + 2 kStep] x^2 ..., each step rounded once: the fewest
// operations, which is what counts where several vectors are in flight. If x^2 is at hand, two
// chains of every second coefficient have the same number, and are half as long.
template <size_t kFirst = 0, size_t kStep = 1, size_t kCount>
HWY_INLINE VF Polynomial(VF x, const float (&c)[kCount]) {
  if constexpr (kFirst + kStep >= kCount) {
    return Const(c[kFirst]);
  } else {
    return Fma(x, Polynomial<kFirst + kStep, kStep>(x, c), Const(c[kFirst]));
  }
}

// f64 to the bits of f32, again to odd. Exact where the result is a normal f32; below that f16 has
// no numbers and of bf16 no product ends close enough to a middle to matter.
HWY_INLINE VD OddF32(VD v) {
  const hn::RebindToUnsigned<DD> du;
  const auto bits = hn::BitCast(du, v);
  const auto dropped = hn::And(bits, hn::Set(du, (uint64_t{1} << 29) - 1));
  // A carry from what is dropped, unless that is 0.
  const auto odd = hn::And(hn::Add(dropped, hn::Set(du, (uint64_t{1} << 29) - 1)),
                           hn::Set(du, uint64_t{1} << 29));
  return hn::BitCast(DD(), hn::Or(hn::Xor(bits, dropped), odd));
}

// a * b + c as an f32 that rounds to the right f16 or bf16.
static inline HWY_NOINLINE VF FmaOddF32(VF a, VF b, VF c) {
  const DD dd;
#if HWY_TARGET == HWY_SCALAR
  const VD r = FmaOdd(hn::PromoteTo(dd, a), hn::PromoteTo(dd, b), hn::PromoteTo(dd, c));
  return hn::DemoteTo(DF(), OddF32(r));
#else
  const hn::Half<DF> dh;
  const VD low =
      FmaOdd(hn::PromoteTo(dd, hn::LowerHalf(dh, a)), hn::PromoteTo(dd, hn::LowerHalf(dh, b)),
             hn::PromoteTo(dd, hn::LowerHalf(dh, c)));
  const VD high =
      FmaOdd(hn::PromoteTo(dd, hn::UpperHalf(dh, a)), hn::PromoteTo(dd, hn::UpperHalf(dh, b)),
             hn::PromoteTo(dd, hn::UpperHalf(dh, c)));
  return JoinF64(OddF32(high), OddF32(low));
#endif
}

// The same, for a type that drops kDropped bits of an f32: 13 for f16, 16 for bf16. The f32 next to
// the exact sum is as good as that, but in the middle of two numbers of the type, where it does
// not show on which side the sum was, unless it is the sum itself. Subnormal f16 have their middles
// elsewhere.
template <int kDropped>
HWY_INLINE VF FmaNarrow(VF a, VF b, VF c) {
#if PTO_AVX512
  // The odd one of the f32 on both sides of the sum; both are the sum if that is an f32. Up is
  // second, as sums that are zero are +0 then.
  const __m512 down =
      _mm512_fmadd_round_ps(a.raw, b.raw, c.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512 up =
      _mm512_fmadd_round_ps(a.raw, b.raw, c.raw, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
  const __mmask16 odd = _mm512_test_epi32_mask(_mm512_castps_si512(down), _mm512_set1_epi32(1));
  return VF{_mm512_mask_mov_ps(up, odd, down)};
#else
#if PTO_FMA
  const DF df;
  const DU du;
  const VF s = hn::MulAdd(a, b, c);
  const VU middle = hn::Set(du, 1u << (kDropped - 1));
  const VU dropped = hn::And(Bits(s), hn::Set(du, (2u << (kDropped - 1)) - 1));
  auto open = hn::Eq(dropped, middle);
  if constexpr (kDropped == 13) {
    const auto ends_in_zeros =
        hn::Eq(hn::And(dropped, hn::Set(du, (1u << (kDropped - 1)) - 1)), hn::Zero(du));
    const auto tiny = hn::RebindMask(
        du, hn::And(hn::Lt(hn::Abs(s), Const(0x1p-14f)), hn::Gt(hn::Abs(s), hn::Zero(df))));
    open = hn::Or(open, hn::And(ends_in_zeros, tiny));
  }
  if (HWY_LIKELY(hn::AllFalse(du, open))) return s;
  // Products of normal size are exact; of a sum of two numbers this is what it lost.
  const VF p = hn::Mul(a, b);
  const VF t = hn::Sub(s, p);
  const VF lost = hn::Add(hn::Sub(p, hn::Sub(s, t)), hn::Sub(c, t));
  const auto exact = hn::And(hn::Eq(lost, hn::Zero(df)), hn::Ge(hn::Abs(p), Const(0x1p-126f)));
  if (hn::AllFalse(du, hn::AndNot(hn::RebindMask(du, exact), open))) return s;
#endif
  return FmaOddF32(a, b, c);
#endif
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_FMA_INL_H_
