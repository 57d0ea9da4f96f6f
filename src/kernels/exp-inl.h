// The exponential: in f32 for each float type, and in f64. Tables: exp_log_tables.h.
#if defined(PTO_SRC_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_EXP_INL_H_
#undef PTO_SRC_KERNELS_EXP_INL_H_
#else
#define PTO_SRC_KERNELS_EXP_INL_H_
#endif

#include "src/kernels/exp_log_tables.h"
#include "src/kernels/table-inl.h"
#include "src/kernels/unroll.h"
#include "src/kernels/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// e^x = 2^k e^r with k the nearest integer to x / ln 2 and |r| <= ln 2 / 2. With a table k is the
// nearest eighth of an integer, and |r| <= ln 2 / 16; the table has 2^k of the eighths.
//
// A core decides how exact r and e^r are: Reduce(x, k) and operator()(r), which is e^r, or with a
// table T what e^r is to be multiplied by, less 1: T + T core(r). kExact shows if r is
// what x leaves. Every operation is
// rounded to nearest on every target, and fused where it is an Fma: same bits everywhere.

// f32: 0.927 ulp at most; the bound of 1 holds for subnormal results too (tests/accuracy tries
// all).
struct ExpF32Core {
  static constexpr bool kExact = true;  // Reduce() adds nothing
  static constexpr int kTableBits = 3;
  HWY_INLINE ExpF32Core() : table(PTO_AVX512 ? kExpTable : kExpTableBelow) {}
  HWY_INLINE VF Reduce(VF x, VF k) const {
    return Fma(k, Const(-kLn2Rest), Fma(k, Const(-kLn2), x));
  }
  HWY_INLINE VF operator()(VF r) const { return Polynomial(r, kExpF32); }
  Table8 table;
};

// bf16: an f32 that rounds to the right answer.
struct ExpBF16Core {
  static constexpr bool kExact = true;
  static constexpr int kTableBits = 0;
  HWY_INLINE VF Reduce(VF x, VF k) const { return Fma(k, Const(-kLn2), x); }
  HWY_INLINE VF operator()(VF r) const { return Fma(r, Polynomial(r, kExpBF16), Const(1.0f)); }
};

// f16: an f32 that rounds to the right answer. Four arguments next to 0 are so close to a middle
// that a right f32 would be the middle itself, and ties go the wrong way for two of them: so the
// last step errs downwards, by rounding or by a term.
struct ExpF16Core {
  static constexpr bool kExact = true;
  static constexpr int kTableBits = 0;
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

template <int kTableBits = 0>
HWY_INLINE VF ExpMagic() {
  return Const(0x1.8p23f / (1 << kTableBits));
}

// k + ExpMagic(), so that the low bits are the bits of the integer 2^kTableBits k.
template <int kTableBits = 0>
HWY_INLINE VF ExpShifted(VF x) {
  return Fma(x, Const(kLog2E), ExpMagic<kTableBits>());
}

#if PTO_AVX512
// e^r and the eighths of k.
template <class Core>
HWY_INLINE __m512 ExpFraction(VF r, [[maybe_unused]] VF shifted, const Core& core) {
  if constexpr (Core::kTableBits == 0) {
    return core(r).raw;
  } else {
    const VF t = core.table[hn::BitCast(DI(), shifted)];
    return hn::MulAdd(t, core(r), t).raw;
  }
}
#else
// e^r 2^k where that is normal; `raised` is added to k, in the place of the exponent.
template <class Core>
HWY_INLINE VF ExpScaled(VF r, VF shifted, VI raised, const Core& core) {
  const DF df;
  const DI di;
  const VI bits = hn::BitCast(di, shifted);
  const VI power = hn::Add(hn::ShiftLeft<23 - Core::kTableBits>(bits), raised);
  if constexpr (Core::kTableBits == 0) {
    return hn::BitCast(df, hn::Add(hn::BitCast(di, core(r)), power));
  } else {
    // Its entries have what the eighths add to the bits of `power` subtracted.
    const VF t = hn::BitCast(df, hn::Add(hn::BitCast(di, core.table[bits]), power));
    return Fma(t, core(r), t);
  }
}
#endif

// e^x of f32 is normal from there on, and subnormal or 0 below.
constexpr float kExpLeastNormal = -0x1.5d589ep+6f;
// Below, results are normal, and the entry of the table times 2^k may not be: the first entry is
// below 1, and from -87.2932 on k is -126.
constexpr float kExpNear = 87.29f;
// And 0 from there on downwards: less than half of the least subnormal number.
constexpr float kExpZero = -104.0f;

// Any x, at the same speed for all. A multiplication with a subnormal result would cost some 150
// cycles. So results below 2^-126 are made 2^100 times as large, and are rounded by an addition of
// 2^-26, whose unit is then the subnormal numbers' unit; the bits of the sum without 2^-26 are the
// result's. Those that are just normal are made 2^100 times as large, too. A NaN is canonical. With
// kNoneLarge no x is NaN or above kExpNear.
template <bool kNoneLarge = false, class Core>
HWY_INLINE VF ExpFlat(VF x, const Core& core) {
  constexpr int kTableBits = Core::kTableBits;
  const VF grid = Const(0x1p-26f);
#if PTO_AVX512
  const VF shifted = ExpShifted<kTableBits>(x);
  const VF k = hn::Sub(shifted, ExpMagic<kTableBits>());
  // Where r is too large, or NaN, k is so large or NaN that any r will do.
  const VF r{_mm512_range_ps(core.Reduce(x, k).raw, _mm512_set1_ps(1.0f), 2)};
  const __mmask16 low = _mm512_cmp_ps_mask(x.raw, _mm512_set1_ps(kExpLeastNormal), _CMP_LT_OQ);
  __m512 raised = _mm512_mask_add_ps(k.raw, low, k.raw, _mm512_set1_ps(100.0f));
  // From 2^-60 down all results are 0, and scalef is slow where it makes a subnormal number.
  raised = _mm512_mask_max_ps(raised, low, raised, _mm512_set1_ps(-60.0f));
  __m512 y = _mm512_scalef_ps(ExpFraction(r, shifted, core), raised);
  y = _mm512_mask_add_ps(y, low, y, grid.raw);
  const __m512i bits = _mm512_castps_si512(y);
  const __m512i result = _mm512_mask_sub_epi32(bits, low, bits, _mm512_castps_si512(grid.raw));
  // Not by an instruction that treats subnormal operands as zeros in some modes.
  const __mmask16 nan = _mm512_cmp_ps_mask(x.raw, x.raw, _CMP_UNORD_Q);
  return VF{_mm512_mask_mov_ps(_mm512_castsi512_ps(result), nan, NaN().raw)};
#else
  const DF df;
  const DI di;
  const VF least = AtLeast(x, -105.0f);
  const VF near = kNoneLarge ? least : AtMost(least, 89.0f);
  const VF shifted = ExpShifted<kTableBits>(near);
  const VF r = core.Reduce(near, hn::Sub(shifted, ExpMagic<kTableBits>()));
  const MF low = hn::Lt(x, Const(kExpLeastNormal));
  const VI by_2_100 = hn::Set(di, 100 << 23);
  VI raised = hn::IfThenElseZero(hn::RebindMask(di, hn::Lt(x, Const(-kExpNear))), by_2_100);
  const VF added = hn::IfThenElseZero(low, grid);
  // The exponent of 2^-26 is stored as 101.
  const VI taken =
      hn::Add(raised, hn::IfThenElseZero(hn::RebindMask(di, low), hn::Set(di, 1 << 23)));
  VF sum;
  if constexpr (kNoneLarge) {
    sum = hn::Add(ExpScaled(r, shifted, raised, core), added);
  } else {
    // Large results are halved, and doubled by the addition, which makes infinity of what
    // overflows.
    const MF large = hn::Gt(x, Const(80.0f));
    const VI halved = hn::VecFromMask(di, hn::RebindMask(di, large));
    raised = hn::Add(raised, hn::ShiftLeft<23>(halved));
    const VF y = ExpScaled(r, shifted, raised, core);
    sum = hn::Add(y, hn::Or(added, hn::IfThenElseZero(large, y)));
  }
  const VF result = hn::BitCast(df, hn::Sub(hn::BitCast(di, sum), taken));
  return kNoneLarge ? result : hn::IfThenElse(hn::IsNaN(x), NaN(), result);
#endif
}

// e^x of f16 and bf16, where Reduce() adds something that may not fit x: the border of normal
// results is then not one of x. Below kExpNarrowLeast results are 0: made as others, they would be
// subnormal, which is slow. A NaN is canonical.
constexpr float kExpNarrowLeast = -94.0f;
template <class Core>
static HWY_NOINLINE VF ExpFar(VF x, Core core) {
#if PTO_AVX512
  const VF k = hn::Sub(ExpShifted(x), ExpMagic());
  const VF r{_mm512_range_ps(core.Reduce(x, k).raw, _mm512_set1_ps(1.0f), 2)};
  const __mmask16 some = _mm512_cmp_ps_mask(x.raw, _mm512_set1_ps(kExpNarrowLeast), _CMP_NLT_UQ);
  const __m512 result = _mm512_maskz_scalef_ps(some, core(r).raw, k.raw);
  const __mmask16 nan = _mm512_cmp_ps_mask(x.raw, x.raw, _CMP_UNORD_Q);  // as in ExpFlat()
  return VF{_mm512_mask_mov_ps(result, nan, NaN().raw)};
#else
  // The two factors are normal, the first product is exact.
  const DF df;
  const DI di;
  const MF none = hn::Lt(x, Const(kExpNarrowLeast));
  const VF near = hn::IfThenZeroElse(none, AtMost(x, 90.0f));
  const VF shifted = ExpShifted(near);
  const VF k = hn::Sub(shifted, ExpMagic());
  const VF r = core.Reduce(near, k);
  const VF p = core(hn::IfThenElseZero(hn::Lt(hn::Abs(r), Const(1.0f)), r));
  const VI whole = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, ExpMagic()));
  const VI first = hn::ShiftRight<1>(whole);
  const VI bias = hn::Set(di, 127);
  const VF f1 = hn::BitCast(df, hn::ShiftLeft<23>(hn::Add(first, bias)));
  const VF f2 = hn::BitCast(df, hn::ShiftLeft<23>(hn::Add(hn::Sub(whole, first), bias)));
  const VF result = hn::IfThenZeroElse(none, hn::Mul(hn::Mul(p, f1), f2));
  return hn::IfThenElse(hn::IsNaN(x), NaN(), result);
#endif
}

template <class Core>
static HWY_NOINLINE VF ExpFlatApart(VF x) {
  return ExpFlat(x, Core());
}

// e^x where |x| < kExpNear.
template <class Core>
HWY_INLINE VF ExpNear(VF x, const Core& core) {
  const VF shifted = ExpShifted<Core::kTableBits>(x);
  const VF k = hn::Sub(shifted, ExpMagic<Core::kTableBits>());
  const VF r = core.Reduce(x, k);
#if PTO_AVX512
  return VF{_mm512_scalef_ps(ExpFraction(r, shifted, core), k.raw)};
#else
  return ExpScaled(r, shifted, hn::Zero(DI()), core);
#endif
}

// e^x for results as far as f32's. A NaN is canonical.
template <class Core>
HWY_INLINE VF Exp(VF x, const Core& core) {
  if (HWY_LIKELY(hn::AllTrue(DF(), hn::Lt(hn::Abs(x), Const(kExpNear))))) return ExpNear(x, core);
  if constexpr (Core::kExact) {
    return ExpFlatApart<Core>(x);
  } else {
    return ExpFar(x, core);
  }
}

// The same of four vectors, with one test for all.
HWY_INLINE void ExpGroup(VF (&r)[4], const ExpF32Core& core) {
#if PTO_AVX512
  // The largest magnitude. Quiet NaN are passed over; a signalling one would take along what was
  // seen before.
  __m512 most = _mm512_range_ps(r[0].raw, r[1].raw, 0xb);
  most = _mm512_range_ps(most, r[2].raw, 0xb);
  most = _mm512_range_ps(most, r[3].raw, 0xb);
  const bool near = _mm512_cmp_ps_mask(most, _mm512_set1_ps(kExpNear), _CMP_LE_OQ) == 0xffff;
#else
  const DI di;
  const auto size = [di](VF v) HWY_ATTR { return hn::BitCast(di, hn::Abs(v)); };
  const VI most = hn::Max(hn::Max(size(r[0]), size(r[1])), hn::Max(size(r[2]), size(r[3])));
  const bool near = hn::AllTrue(di, hn::Lt(most, hn::BitCast(di, Const(kExpNear))));
#endif
  if (HWY_LIKELY(near)) {
    VF y[4];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < 4; ++i) y[i] = ExpNear(r[i], core);
    // A result that is NaN may have hidden an argument that is not near.
    if (PTO_AVX512 == 0 || HWY_LIKELY(!AnyNaN(y[0], y[1], y[2], y[3]))) {
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < 4; ++i) r[i] = y[i];
      return;
    }
  }
#if PTO_AVX512
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < 4; ++i) r[i] = ExpFlat(r[i], core);
#else
  // As integers, NaN have larger magnitudes than infinity, and numbers are in their order.
  const VI top = hn::Max(hn::Max(hn::BitCast(di, r[0]), hn::BitCast(di, r[1])),
                         hn::Max(hn::BitCast(di, r[2]), hn::BitCast(di, r[3])));
  const auto none_large = hn::AllTrue(di, hn::Lt(top, hn::BitCast(di, Const(kExpNear)))) &&
                          hn::AllTrue(di, hn::Lt(most, hn::Set(di, 0x7f800001)));
  // Masked elements are far below the others, and often a whole group is.
  const VF least = hn::Max(hn::Max(r[0], r[1]), hn::Max(r[2], r[3]));
  if (none_large && HWY_UNLIKELY(hn::AllTrue(DF(), hn::Lt(least, Const(kExpZero))))) {
    PTO_UNROLL_WHOLE
    for (VF& v : r) v = hn::Zero(DF());
    return;
  }
  if (HWY_LIKELY(none_large)) {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < 4; ++i) r[i] = ExpFlat<true>(r[i], core);
  } else {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < 4; ++i) r[i] = ExpFlat(r[i], core);
  }
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
  const VF r = core.Reduce(near, hn::Sub(shifted, ExpMagic()));
  return ExpScaled(r, shifted, hn::Zero(DI()), core);
#endif
}

// e^x in f64, to 2^-45 of itself, fused or not. Precondition: |x| < 700 or NaN; a NaN has no bits
// below the bits of f32.
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
