// Square roots, their reciprocals and quotients of f32, correctly rounded, from estimates.
//
// x86's estimates are fast and its divider is slow: a vector of quotients takes 10 cycles and of
// roots 12 (Emerald Rapids, AVX-512), where 10 fused multiply-adds take 5. So an estimate is made
// exact to about an ulp, and a last step adds the exact residual, whose sum rounds once:
//
//   root        g ~ sqrt(x), h ~ 1 / (2 sqrt(x))    g + h (x - g^2)
//   reciprocal  y ~ 1 / sqrt(x)                     y + y (1 - x y^2) / 2, and the square of it
//   quotient    q ~ a / b, y ~ 1 / b                q + y (a - q b)
//
// That a last step is right to 2^-40 does not make it correctly rounded: numbers lie as close to a
// middle of two floats. What was tried is therefore every mantissa with every estimate that the
// processors' documents allow, relative errors of 2^-14 with AVX-512 and 1.5 * 2^-12 with AVX2, as
// the bits of estimates differ between vendors. tests/kernels/test_roots --exhaustive does that
// again. Constants and roundings that look odd are what it takes. Without them, a random test of
// 10^9 numbers still passes:
//   - the step of the root with 1/2 instead of 1/2 - 2^-25: wrong for 4 - 2^-22 (AVX2);
//   - a plain Newton step for 1 / b: 2,800 pairs of mantissas; with e + e^2 to nearest 14, all with
//     a b just below a power of two, whose reciprocal is a hair above a middle;
//   - 1 / sqrt(x) without the square of the residual: wrong for 4 - 2^-21, at every power of 4.
//
// Each operation has a domain where no step overflows or loses bits. It is tested before the steps,
// on the operands: a multiplication by a subnormal number costs some 150 cycles, whether its result
// is used or not. Vectors of other numbers are left to slower code without such steps.
#if defined(PTO_SRC_KERNELS_ROOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_ROOT_INL_H_
#undef PTO_SRC_KERNELS_ROOT_INL_H_
#else
#define PTO_SRC_KERNELS_ROOT_INL_H_
#endif

#include "src/kernels/convert-inl.h"
#include "src/kernels/tuning.h"
#include "src/kernels/unroll.h"

// Whether estimates and fused multiply-adds are at hand.
#undef PTO_FAST_ROOTS
#if PTO_AVX512 || HWY_TARGET == HWY_AVX2
#define PTO_FAST_ROOTS 1
#else
#define PTO_FAST_ROOTS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_FAST_ROOTS

// d + 1.5 d^2 of what an estimate's error leaves; d^2 does not count after AVX-512's estimates.
HWY_INLINE VF RootStep(VF d) {
#if PTO_AVX512
  return d;
#else
  return hn::MulAdd(hn::Mul(d, Const(1.5f)), d, d);
#endif
}

// sqrt(x) from an estimate y of 1 / sqrt(x). Domain: 2^-100 <= x < infinity.
HWY_INLINE VF SqrtFrom(VF x, VF y) {
  const VF h = hn::Mul(y, Const(0.5f));
  const VF g = hn::Mul(x, y);
  const VF d = RootStep(hn::NegMulAdd(g, h, Const(0x1.fffffep-2f)));
  const VF g1 = hn::MulAdd(g, d, g);
  const VF h1 = hn::MulAdd(h, d, h);
  return hn::MulAdd(hn::NegMulAdd(g1, g1, x), h1, g1);
}
constexpr float kSqrtLeast = 0x1p-100f;

#if PTO_AVX512
// For f16 and bf16, as an f32 that rounds to the right result. Domains: positive finite numbers of
// f16; bf16 from 2^-100.
HWY_INLINE VF SqrtF16From(VF x, VF y) {
  const VF g = hn::Mul(x, y);
  return hn::MulAdd(hn::NegMulAdd(g, g, x), hn::Mul(y, Const(0.5f)), g);
}
HWY_INLINE VF SqrtBF16From(VF x, VF y) {
  const VF g = hn::Mul(x, y);
  return hn::MulAdd(g, hn::NegMulAdd(g, hn::Mul(y, Const(0.5f)), Const(0.5f)), g);
}
#endif

// 1 / sqrt(x) from an estimate. Domain: 2^-125 <= x < infinity, so that x / 2 is exact.
HWY_INLINE VF RsqrtFrom(VF x, VF y) {
  const VF half = hn::Mul(x, Const(0.5f));
  const VF d = RootStep(hn::NegMulAdd(hn::Mul(half, y), y, Const(0.5f)));
  const VF y1 = hn::MulAdd(y, d, y);
  // x y1 / 2 as a sum of two numbers.
  const VF high = hn::Mul(half, y1);
  const VF low = hn::MulSub(half, y1, high);
  const VF e = hn::NegMulAdd(low, y1, hn::NegMulAdd(high, y1, Const(0.5f)));
#if PTO_AVX512
  const VF up{
      _mm512_fmadd_round_ps(e.raw, e.raw, e.raw, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)};
#else
  const VF up = hn::MulAdd(hn::Mul(e, Const(1.5f)), e, e);
#endif
  return hn::MulAdd(y1, up, y1);
}
constexpr float kRsqrtLeast = 0x1p-125f;

// a / b from an estimate y of 1 / b. Domain: |a| >= 2^-62, |b| <= 2^63; where the quotient or the
// reciprocal of b are not finite the result is NaN.
HWY_INLINE VF DivideFrom(VF a, VF b, VF y) {
#if PTO_AVX512
  // Both steps upwards, by embedded rounding.
  constexpr int kUp = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
  const __m512 e = _mm512_fnmadd_round_ps(b.raw, y.raw, _mm512_set1_ps(1.0f), kUp);
  const VF y1 = hn::MulAdd(y, VF{_mm512_fmadd_round_ps(e, e, e, kUp)}, y);
#else
  // e + e^2 + e^3 and a little more.
  const VF e = hn::NegMulAdd(b, y, Const(1.0f));
  const VF up = hn::Add(e, Const(0x1.8p-36f));
  const VF y1 = hn::MulAdd(y, hn::MulAdd(hn::MulAdd(e, e, e), e, up), y);
#endif
  const VF q = hn::Mul(a, y1);
  return hn::MulAdd(hn::NegMulAdd(q, b, a), y1, q);
}
constexpr float kDividendLeast = 0x1p-62f;
constexpr float kDivisorMost = 0x1p63f;

// The group of four vectors that are computed together. Of these the first kOnDivider are left to
// the divider, which is idle otherwise.
constexpr size_t kRootGroup = 4;
constexpr size_t kOnDivider = PTO_AVX512 ? 1 : 2;

// Shared by functors of such groups.
template <int kCount>
struct GroupLane : FunBase<kCount> {
  using T = float;
  using D = DF;
  static constexpr T kOne = 1.0f;
  static constexpr size_t kUnroll = kRootGroup;
};

// Whether all numbers of a group are at least `least` (which is positive and normal), or positive
// NaN or infinity.
HWY_INLINE bool AllFrom(const VF (&x)[kRootGroup], float least) {
#if PTO_AVX512
  const __m512 bound = _mm512_set1_ps(least);
  __mmask16 fine = _mm512_cmp_ps_mask(x[0].raw, bound, _CMP_GE_OQ);
  PTO_UNROLL_WHOLE
  for (size_t i = 1; i < kRootGroup; ++i)
    fine = _mm512_mask_cmp_ps_mask(fine, x[i].raw, bound, _CMP_GE_OQ);
  return fine == 0xffff;
#else
  // In the order of signed integers negative numbers are below all others.
  const DI di;
  const VI low = hn::Min(hn::Min(hn::BitCast(di, x[0]), hn::BitCast(di, x[1])),
                         hn::Min(hn::BitCast(di, x[2]), hn::BitCast(di, x[3])));
  const VI bound = hn::BitCast(di, Const(least));
  return _mm256_movemask_ps(_mm256_castsi256_ps(hn::VecFromMask(di, hn::Gt(bound, low)).raw)) == 0;
#endif
}

#if PTO_AVX512
// The number with an exponent of 0 or -1, so that what was taken from it is even; NaN of negative
// numbers. Neither this nor getexp and scalef are slow for subnormal numbers.
HWY_INLINE VF EvenMantissa(VF x) {
  return VF{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p5_2, _MM_MANT_SIGN_nan)};
}
HWY_INLINE VF ExponentOf(VF x) { return VF{_mm512_getexp_ps(x.raw)}; }
// The special cases of a root: NaN of NaN and of negative numbers, since scalef makes infinity
// or 0 of NaN if the exponent is infinite; and by kOfSpecials zeros and +infinity, four bits for
// each of NaN, signalling NaN, zero, one, -infinity, infinity, negative and positive numbers.
template <int kOfSpecials>
HWY_INLINE VF RootOf(VF x, VF root) {
  const __mmask16 nan = _mm512_cmp_ps_mask(x.raw, _mm512_setzero_ps(), _CMP_NGE_UQ);
  const __m512 numbers = _mm512_mask_mov_ps(root.raw, nan, NaN().raw);
  return VF{_mm512_fixupimm_ps(numbers, x.raw, _mm512_set1_epi32(kOfSpecials), 0)};
}
#endif
// Positive numbers below 2^-125 (most are subnormal) are their bits times 2^-149. Integers
// are converted exactly: twice the bits are 2^150 times the number. Other numbers stay; without
// AVX-512 negative ones become NaN.
struct Enlarged {
  explicit HWY_INLINE Enlarged(VF from) {
    const DI di;
    const VI bits = hn::BitCast(di, from);
#if PTO_AVX512
    const __mmask16 positive = _mm512_cmpgt_epi32_mask(bits.raw, _mm512_setzero_si512());
    was_small.raw = _mm512_mask_cmplt_epi32_mask(positive, bits.raw, _mm512_set1_epi32(0x01000000));
    x = VF{_mm512_mask_cvtepi32_ps(from.raw, was_small.raw, hn::Add(bits, bits).raw)};
#else
    const auto small =
        hn::AndNot(hn::Gt(hn::Set(di, 1), bits), hn::Gt(hn::Set(di, 0x01000000), bits));
    was_small = hn::RebindMask(DF(), small);
    const VF whole = hn::ConvertTo(DF(), hn::Add(bits, bits));
    x = hn::IfThenElse(was_small, whole, from);
    x = hn::IfThenElse(hn::Lt(from, hn::Zero(DF())), NaN(), x);
#endif
  }
  VF x;
  MF was_small;
};

#if PTO_AVX512
// sqrt(x) of any f16 and bf16, as above; a NaN may have any bits. f32 has all f16 as normal
// numbers. Zeros and infinity stay; for the numbers see RootOf().
HWY_INLINE VF SqrtF16(VF x) {
  const VF root = SqrtF16From(x, hn::ApproximateReciprocalSqrt(x));
  return VF{_mm512_fixupimm_ps(root.raw, x.raw, _mm512_set1_epi32(0x00100100), 0)};
}
HWY_INLINE VF SqrtBF16(VF x) {
  const VF m = EvenMantissa(x);
  const VF e = hn::MulAdd(ExponentOf(x), Const(0.5f), Const(0.5f));
  const VF root = SqrtBF16From(m, hn::ApproximateReciprocalSqrt(m));
  const __m512 scaled = _mm512_scalef_ps(root.raw, e.raw);
  // A NaN of -infinity, too.
  return VF{_mm512_fixupimm_ps(scaled, x.raw, _mm512_set1_epi32(0x00130100), 0)};
}
#endif

// sqrt(x) of any x; a NaN is canonical.
HWY_INLINE VF SqrtAny(VF x) {
#if PTO_AVX512
  const VF m = EvenMantissa(x);
  const VF e = hn::MulAdd(ExponentOf(x), Const(0.5f), Const(0.5f));
  const VF root = SqrtFrom(m, hn::ApproximateReciprocalSqrt(m));
  // By the floor of e. Zeros and infinity stay.
  return RootOf<0x00100100>(x, VF{_mm512_scalef_ps(root.raw, e.raw)});
#else
  const Enlarged large(x);
  const VF root = CanonicalNaN(hn::Sqrt(large.x));
  return hn::IfThenElse(large.was_small, hn::Mul(root, Const(0x1p-75f)), root);
#endif
}

// r = sqrt(r)
HWY_INLINE void SqrtGroup(VF (&r)[kRootGroup]) {
  if (HWY_LIKELY(AllFrom(r, kSqrtLeast))) {
    VF x[kRootGroup];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) x[i] = r[i];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) {
      r[i] = i < kOnDivider ? hn::Sqrt(x[i]) : SqrtFrom(x[i], hn::ApproximateReciprocalSqrt(x[i]));
    }
    if (HWY_LIKELY(!AnyNaN(r[0], r[1], r[2], r[3]))) return;  // of infinity, too
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) r[i] = x[i];
  }
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kRootGroup; ++i) r[i] = SqrtAny(r[i]);
}

// 1 / sqrt(x) of any x; a NaN is canonical.
HWY_INLINE VF RsqrtAny(VF x) {
#if PTO_AVX512
  const VF m = EvenMantissa(x);
  const VF e = hn::Mul(ExponentOf(x), Const(-0.5f));
  const VF root = RsqrtFrom(m, hn::ApproximateReciprocalSqrt(m));
  // By the floor of e. Zeros give infinities of their sign, infinity +0.
  return RootOf<0x00800600>(x, VF{_mm512_scalef_ps(root.raw, e.raw)});
#else
  // For zeros, infinity and NaN the steps make a NaN, and the estimate is right.
  const Enlarged large(x);
  const VF estimate = hn::ApproximateReciprocalSqrt(large.x);
  const VF root = RsqrtFrom(large.x, estimate);
  const VF result = hn::IfThenElse(hn::IsNaN(root), CanonicalNaN(estimate), root);
  return hn::Mul(result, hn::IfThenElse(large.was_small, Const(0x1p75f), Const(1.0f)));
#endif
}

// r = 1 / sqrt(r)
HWY_INLINE void RsqrtGroup(VF (&r)[kRootGroup]) {
  if (HWY_LIKELY(AllFrom(r, kRsqrtLeast))) {
    VF x[kRootGroup];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) x[i] = r[i];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i)
      r[i] = RsqrtFrom(x[i], hn::ApproximateReciprocalSqrt(x[i]));
    if (HWY_LIKELY(!AnyNaN(r[0], r[1], r[2], r[3]))) return;  // of infinity, too
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) r[i] = x[i];
  }
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kRootGroup; ++i) r[i] = RsqrtAny(r[i]);
}

// Whether the pairs of a group that are not left to the divider are in DivideFrom()'s domain.
HWY_INLINE bool AllDivide(const VF (&a)[kRootGroup], const VF (&b)[kRootGroup]) {
#if PTO_AVX512
  // The smaller and the larger magnitude. They pass over NaN, whose quotients are NaN.
  __m512 least = _mm512_range_ps(a[1].raw, a[2].raw, 0xa);
  __m512 most = _mm512_range_ps(b[1].raw, b[2].raw, 0xb);
  least = _mm512_range_ps(least, a[3].raw, 0xa);
  most = _mm512_range_ps(most, b[3].raw, 0xb);
  const __mmask16 fine = _mm512_cmp_ps_mask(least, _mm512_set1_ps(kDividendLeast), _CMP_GE_OQ);
  return _mm512_mask_cmp_ps_mask(fine, most, _mm512_set1_ps(kDivisorMost), _CMP_LE_OQ) == 0xffff;
#else
  const DI di;
  const auto size = [di](VF v) HWY_ATTR { return hn::BitCast(di, hn::Abs(v)); };
  const VI least = hn::Min(size(a[2]), size(a[3]));
  const VI most = hn::Max(size(b[2]), size(b[3]));
  const auto out = hn::Or(hn::Gt(hn::BitCast(di, Const(kDividendLeast)), least),
                          hn::Gt(most, hn::BitCast(di, Const(kDivisorMost))));
  return _mm256_movemask_ps(_mm256_castsi256_ps(hn::VecFromMask(di, out).raw)) == 0;
#endif
}

// Subnormal numbers cost a division, as any other operation, some 150 cycles. So quotients of them,
// and those that become subnormal, are computed from mantissas and exponents:
//
//   1. q = the quotient of the mantissas, rounded, and the sign of its residual, which is exact.
//   2. A result from 2^-126 on is q 2^e.
//   3. Others are rounded to the grid of subnormal numbers by an addition, as in ExpFlat(). That q
//      was rounded before must not decide: rounded up it is `up`, and where that is more than
//      the quotient, up (1 - 2^-24) lies between `up` and the next smaller f32, as the quotient
//      does. No number of the grid, nor a middle of two, lies there. So one fused operation rounds
//      it as it would round the quotient.
using MI = hn::Mask<DI>;
struct Residual {
  HWY_INLINE Residual(VF q, VF divisor, VF dividend) {
    const VF zero = hn::Zero(DF());
    const VF rest = hn::NegMulAdd(q, divisor, dividend);
    above = hn::RebindMask(DI(), hn::Gt(rest, zero));
    factor = hn::IfThenElse(hn::Eq(rest, zero), Const(1.0f), Const(0x1.fffffep-1f));
  }
  // q scaled, rounded up.
  HWY_INLINE VF Up(VF scaled) const {
    const DI di;
    return hn::BitCast(DF(), hn::Sub(hn::BitCast(di, scaled), hn::VecFromMask(di, above)));
  }
  MI above;
  VF factor;
};

#if !PTO_AVX512
// |x| = mantissa 2^exponent, the mantissa from 1 up to 2. Zeros, infinities and NaN give anything
// like that.
struct TakenApart {
  explicit HWY_INLINE TakenApart(VI bits) {
    const DI di;
    const MI small = hn::Gt(hn::Set(di, 0x00800000), bits);
    const VI whole = hn::BitCast(di, hn::ConvertTo(DF(), bits));
    const VI normal = hn::IfThenElse(small, whole, bits);
    const VI one = hn::Set(di, 0x3f800000);
    mantissa = hn::BitCast(DF(), hn::Or(hn::And(normal, hn::Set(di, 0x007fffff)), one));
    exponent = hn::Sub(hn::ShiftRight<23>(normal), hn::IfThenElseZero(small, hn::Set(di, 149)));
  }
  VF mantissa;
  VI exponent;
};
#endif

// a / b of any numbers, at one speed for all; a NaN is canonical.
static HWY_NOINLINE VF DivideFlat(VF a, VF b) {
  const DF df;
  const DI di;
  const VF grid = Const(0x1p-26f);
  const VF sign = hn::And(hn::Xor(a, b), Const(-0.0f));
#if PTO_AVX512
  // Zeros and infinities have infinite exponents. NaN, and 0 / 0 and the like, give NaN.
  const VF ma{_mm512_getmant_ps(a.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero)};
  const VF mb{_mm512_getmant_ps(b.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero)};
  const VF e{_mm512_sub_ps(_mm512_getexp_ps(a.raw), _mm512_getexp_ps(b.raw))};
  const VF q = DivideFrom(ma, mb, hn::ApproximateReciprocal(mb));
  const Residual residual(q, mb, ma);
  // From 2^-60 down all results are 0; of NaN it is the second operand.
  const __m512 raised =
      _mm512_max_ps(_mm512_add_ps(e.raw, _mm512_set1_ps(100.0f)), _mm512_set1_ps(-60.0f));
  const VF scaled{_mm512_scalef_ps(q.raw, raised)};
  const __mmask16 low = _mm512_cmp_ps_mask(scaled.raw, grid.raw, _CMP_LT_OQ);
  const VF sum = hn::MulAdd(residual.Up(scaled), residual.factor, grid);
  const VF subnormal = hn::BitCast(df, hn::Sub(hn::BitCast(di, sum), hn::BitCast(di, grid)));
  const __m512 normal = _mm512_maskz_scalef_ps(_knot_mask16(low), q.raw, e.raw);
  const VF size{_mm512_mask_mov_ps(normal, low, subnormal.raw)};
  const __mmask16 nan = _mm512_cmp_ps_mask(e.raw, e.raw, _CMP_UNORD_Q);
  return VF{_mm512_mask_mov_ps(hn::Or(size, sign).raw, nan, NaN().raw)};
#else
  const VI bits_a = hn::BitCast(di, hn::Abs(a));
  const VI bits_b = hn::BitCast(di, hn::Abs(b));
  const TakenApart of_a(bits_a), of_b(bits_b);
  const VF q = hn::Div(of_a.mantissa, of_b.mantissa);
  const VI e = hn::Sub(of_a.exponent, of_b.exponent);
  const Residual residual(q, of_b.mantissa, of_a.mantissa);
  // v 2^power, which is normal.
  const auto scale = [=](VF v, VI power) HWY_ATTR {
    return hn::BitCast(df, hn::Add(hn::BitCast(di, v), hn::ShiftLeft<23>(power)));
  };
  const VI raised = hn::Add(e, hn::Set(di, 100));
  const VF scaled = scale(q, hn::Min(hn::Max(raised, hn::Set(di, -60)), hn::Set(di, 100)));
  const MF low = hn::Lt(scaled, grid);
  // Others are a product of two powers, which is infinite where it overflows.
  const VI most = hn::Min(e, hn::Set(di, 200));
  const VI power = hn::ShiftRight<1>(most);
  const VF base = hn::IfThenElse(low, residual.Up(scaled), scale(q, hn::Sub(most, power)));
  const VF factor = hn::IfThenElse(low, residual.factor, scale(Const(1.0f), power));
  const VF added = hn::IfThenElseZero(low, grid);
  const VF sum = hn::MulAdd(base, factor, added);
  VF size = hn::BitCast(df, hn::Sub(hn::BitCast(di, sum), hn::BitCast(di, added)));
  // Zeros, infinities and NaN are for the divider; other numbers there are as good as 1.
  const auto is_special = [di](VI bits) HWY_ATTR {
    return hn::Or(hn::Eq(bits, hn::Zero(di)), hn::Gt(bits, hn::Set(di, 0x7f7fffff)));
  };
  const MI special_a = is_special(bits_a), special_b = is_special(bits_b);
  const MF special = hn::RebindMask(df, hn::Or(special_a, special_b));
  if (!hn::AllFalse(df, special)) {
    const VI one = hn::Set(di, 0x3f800000);
    const VF plain_a = hn::BitCast(df, hn::IfThenElse(special_a, bits_a, one));
    const VF plain_b = hn::BitCast(df, hn::IfThenElse(special_b, bits_b, one));
    size = hn::IfThenElse(special, hn::Div(plain_a, plain_b), size);
  }
  return CanonicalNaN(hn::Or(size, sign));
#endif
}

// Lanes where a number or the quotient may be subnormal.
HWY_INLINE MI MaybeSubnormal(VF a, VF b) {
  const DI di;
  const VI one = hn::Set(di, 1);
  const VI top = hn::Set(di, 0x7fffffff);
  const VI bits_b = hn::And(hn::BitCast(di, b), top);
  // Less 1, so that zeros become the largest integers.
  const VI below_a = hn::And(hn::Sub(hn::And(hn::BitCast(di, a), top), one), top);
  const VI below_b = hn::And(hn::Sub(bits_b, one), top);
  const MI number = hn::Gt(hn::Set(di, 0x007fffff), hn::Min(below_a, below_b));
  const MI quotient = hn::Gt(hn::Sub(bits_b, below_a), hn::Set(di, 125 << 23));
  return hn::Or(number, hn::And(quotient, hn::Gt(hn::Set(di, 0x7f800000), bits_b)));
}

// r = r / b of any numbers, from vector kFirst on.
template <size_t kFirst>
HWY_INLINE void DivideRest(VF (&r)[kRootGroup], const VF (&b)[kRootGroup]) {
  const DI di;
  MI rare[kRootGroup];
  rare[kFirst] = MaybeSubnormal(r[kFirst], b[kFirst]);
  MI any = rare[kFirst];
  PTO_UNROLL_WHOLE
  for (size_t i = kFirst + 1; i < kRootGroup; ++i) {
    rare[i] = MaybeSubnormal(r[i], b[i]);
    any = hn::Or(any, rare[i]);
  }
  if (HWY_LIKELY(!tuning.assists || hn::AllFalse(di, any))) {
    PTO_UNROLL_WHOLE
    for (size_t i = kFirst; i < kRootGroup; ++i) r[i] = CanonicalNaN(hn::Div(r[i], b[i]));
    return;
  }
  PTO_UNROLL_WHOLE
  for (size_t i = kFirst; i < kRootGroup; ++i) {
    r[i] = hn::AllFalse(di, rare[i]) ? CanonicalNaN(hn::Div(r[i], b[i])) : DivideFlat(r[i], b[i]);
  }
}

// r = r / b
HWY_INLINE void DivideGroup(VF (&r)[kRootGroup], const VF (&b)[kRootGroup]) {
  static_assert(kOnDivider == (PTO_AVX512 ? 1 : 2));
  if (HWY_UNLIKELY(!AllDivide(r, b))) return DivideRest<0>(r, b);
  VF q[kRootGroup];
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kRootGroup; ++i) {
    q[i] = i < kOnDivider ? hn::Div(r[i], b[i])
                          : DivideFrom(r[i], b[i], hn::ApproximateReciprocal(b[i]));
  }
  if (HWY_UNLIKELY(AnyNaN(q[0], q[1], q[2], q[3]))) {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kOnDivider; ++i) r[i] = CanonicalNaN(q[i]);
    return DivideRest<kOnDivider>(r, b);
  }
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kRootGroup; ++i) r[i] = q[i];
}

#endif  // PTO_FAST_ROOTS

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_ROOT_INL_H_
