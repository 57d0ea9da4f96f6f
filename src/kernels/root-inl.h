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

// What functors of such groups share.
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
// What is left to say of a root: NaN of NaN and of negative numbers, since scalef makes infinity
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

// r = r / b
HWY_INLINE void DivideGroup(VF (&r)[kRootGroup], const VF (&b)[kRootGroup]) {
  static_assert(kOnDivider == (PTO_AVX512 ? 1 : 2));
  VF q[kRootGroup];
  if (HWY_LIKELY(AllDivide(r, b))) {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) {
      q[i] = i < kOnDivider ? hn::Div(r[i], b[i])
                            : DivideFrom(r[i], b[i], hn::ApproximateReciprocal(b[i]));
    }
    if (HWY_UNLIKELY(AnyNaN(q[0], q[1], q[2], q[3]))) {
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kRootGroup; ++i) q[i] = CanonicalNaN(hn::Div(r[i], b[i]));
    }
  } else {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) q[i] = CanonicalNaN(hn::Div(r[i], b[i]));
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
