// The exponential: in f32 for each float type, and in f64. Tables: exp_log_tables.h.
#if defined(PTO_SRC_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_EXP_INL_H_
#undef PTO_SRC_KERNELS_EXP_INL_H_
#else
#define PTO_SRC_KERNELS_EXP_INL_H_
#endif

#include "src/kernels/exp_log_tables.h"
#include "src/kernels/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// e^x = 2^k e^r with k the nearest integer to x / ln 2 and |r| <= ln 2 / 2.
//
// A core says how exact r and e^r are: Reduce(x, k) and operator()(r). Every operation is
// rounded to nearest on every target, and fused where it says Fma: same bits everywhere.

// f32: 0.9 ulp at most; the bound of 1 holds for subnormal results too (tests/accuracy tries all).
struct ExpF32Core {
  HWY_INLINE VF Reduce(VF x, VF k) const {
    return Fma(k, Const(-kLn2Low), Fma(k, Const(-kLn2High), x));
  }
  HWY_INLINE VF operator()(VF r) const {
    return Fma(r, Fma(r, Polynomial(r, kExpF32), Const(1.0f)), Const(1.0f));
  }
};

// bf16: an f32 that rounds to the right answer.
struct ExpBF16Core {
  HWY_INLINE VF Reduce(VF x, VF k) const { return Fma(k, Const(-kLn2), x); }
  HWY_INLINE VF operator()(VF r) const { return Fma(r, Polynomial(r, kExpBF16), Const(1.0f)); }
};

// f16: an f32 that rounds to the right answer. Four arguments next to 0 are so close to a middle
// that a right f32 would be the middle itself, and ties go the wrong way for two of them: so the
// last step errs downwards, by rounding or by a term.
struct ExpF16Core {
  HWY_INLINE VF Reduce(VF x, VF k) const { return Fma(k, Const(-kLn2), x); }
  // (e^r - 1) / r
  HWY_INLINE VF Quotient(VF r) const { return Polynomial(r, kExpF16); }
  HWY_INLINE VF operator()(VF r) const {
    const VF q = Quotient(r);
#if PTO_AVX512
    return VF{_mm512_fmadd_round_ps(q.raw, r.raw, _mm512_set1_ps(1.0f),
                                    _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)};
#else
    return hn::Add(Fma(r, q, Const(-kExpF16Down)), Const(1.0f));
#endif
  }
};

HWY_INLINE VF ExpMagic() { return Const(0x1.8p23f); }

// k + ExpMagic(), so that the low bits are those of the integer k.
HWY_INLINE VF ExpShifted(VF x) { return Fma(x, Const(kLog2E), ExpMagic()); }

#if !PTO_AVX512

// p 2^k where that is normal.
HWY_INLINE VF ExpScaled(VF p, VF shifted) {
  return FromBits(hn::Add(Bits(p), hn::ShiftLeft<23>(Bits(shifted))));
}

// Any x. The two factors are normal, the first product is exact.
template <class Core>
static HWY_NOINLINE VF ExpFar(VF x, Core core) {
  const DF df;
  const DI di;
  const VF near = AtMost(AtLeast(x, -105.0f), 90.0f);
  const VF shifted = ExpShifted(near);
  const VF k = hn::Sub(shifted, ExpMagic());
  const VF r = core.Reduce(near, k);  // which may add something that does not fit `near`
  const VF p = core(hn::IfThenElseZero(hn::Lt(hn::Abs(r), Const(1.0f)), r));
  const VI whole = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, ExpMagic()));
  const VI first = hn::ShiftRight<1>(whole);
  const VI bias = hn::Set(di, 127);
  const VF f1 = hn::BitCast(df, hn::ShiftLeft<23>(hn::Add(first, bias)));
  const VF f2 = hn::BitCast(df, hn::ShiftLeft<23>(hn::Add(hn::Sub(whole, first), bias)));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Mul(hn::Mul(p, f1), f2));
}

#endif

// e^x for results as far as f32's.
template <class Core>
HWY_INLINE VF Exp(VF x, Core core) {
  const VF shifted = ExpShifted(x);
  const VF k = hn::Sub(shifted, ExpMagic());
#if PTO_AVX512
  // Where r is too large, or NaN, k is so large or NaN that any r will do.
  const VF r{_mm512_range_ps(core.Reduce(x, k).raw, _mm512_set1_ps(1.0f), 2)};
  return VF{_mm512_scalef_ps(core(r).raw, k.raw)};
#else
  if (HWY_UNLIKELY(!hn::AllTrue(DF(), hn::Lt(hn::Abs(x), Const(87.3f))))) return ExpFar(x, core);
  return ExpScaled(core(core.Reduce(x, k)), shifted);
#endif
}

// e^x of f16, whose results are all normal in f32, or too small or too large for f16.
HWY_INLINE VF ExpF16(VF x) {
  const ExpF16Core core;
#if PTO_AVX512
  // An infinite x makes p a NaN, which scalef takes to infinity or 0, for k is infinite too.
  const VF k = hn::Sub(ExpShifted(x), ExpMagic());
  return VF{_mm512_scalef_ps(core(core.Reduce(x, k)).raw, k.raw)};
#else
  const VF near = AtMost(AtLeast(x, -18.0f), 12.0f);
  const VF shifted = ExpShifted(near);
  // The bits of a NaN of f16 are high: scaling moves none of them into the exponent.
  return ExpScaled(core(core.Reduce(near, hn::Sub(shifted, ExpMagic()))), shifted);
#endif
}

// e^x in f64, to 2^-45 of itself, fused or not. Precondition: |x| < 700 or NaN; a NaN has no bits
// below those of f32.
HWY_INLINE VD ExpF64(VD x) {
  const DD dd;
  const hn::RebindToUnsigned<DD> du;
  const VD magic = hn::Set(dd, 0x1.8p52);
  const VD shifted = hn::MulAdd(x, hn::Set(dd, kLog2E64), magic);
  const VD r = hn::NegMulAdd(hn::Sub(shifted, magic), hn::Set(dd, kLn2F64), x);
  const auto pair = [r](int i) HWY_ATTR {
    return hn::MulAdd(r, hn::Set(DD(), kExpF64[i + 1]), hn::Set(DD(), kExpF64[i]));
  };
  const VD r2 = hn::Mul(r, r);
  const VD r4 = hn::Mul(r2, r2);
  const VD high = hn::MulAdd(r4, pair(8), hn::MulAdd(r2, pair(6), pair(4)));
  const VD p = hn::MulAdd(r4, high, hn::MulAdd(r2, pair(2), pair(0)));
  return hn::BitCast(dd, hn::Add(hn::BitCast(du, p), hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_EXP_INL_H_
