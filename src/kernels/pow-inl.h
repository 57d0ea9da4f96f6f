// The two evaluations of x ** y that the float power kernels are made of, and the
// special cases of C99 F.9.4.4. Tables: pow_tables.h.
#if defined(PTO_SRC_KERNELS_POW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_POW_INL_H_
#undef PTO_SRC_KERNELS_POW_INL_H_
#else
#define PTO_SRC_KERNELS_POW_INL_H_
#endif

#include "src/kernels/fma-inl.h"
#include "src/kernels/pow_tables.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

HWY_INLINE VF Infinity() { return FromBits(hn::Set(DU(), 0x7f800000u)); }

// Lanes whose x is not positive and finite.
HWY_INLINE MF NotPositiveFinite(VF x) {
#if PTO_AVX512
  return MF{_mm512_fpclass_ps_mask(x.raw, 0xdf)};
#else
  // The bits of the positive finite floats, less one, are the smallest unsigned.
  const DI di;
  const VI order = hn::Xor(hn::BitCast(di, hn::Sub(Bits(x), hn::Set(DU(), 1u))),
                           hn::Set(di, static_cast<int32_t>(0x80000000u)));
  const VI limit = hn::Set(di, static_cast<int32_t>(0x7f7ffffeu ^ 0x80000000u));
  return hn::RebindMask(DF(), hn::Gt(order, limit));
#endif
}

// x ** y complete, from `power` = |x| ** y, which may be anything where |x| is 0, infinity
// or NaN and in the lanes of `extreme`: there the power is 0 or infinity, or y is a NaN or
// an infinity.
HWY_MAYBE_UNUSED static HWY_NOINLINE VF PowSpecial(VF x, VF y, VF power, MF extreme) {
  const DF df;
  const VF zero = hn::Zero(df);
  const VF one = Const(1.0f);
  const VF inf = Infinity();
  const VF ax = hn::Abs(x);
  const VF ay = hn::Abs(y);
  const MF grows = hn::Xor(hn::Gt(ax, one), hn::Lt(y, zero));
  const MF edge = hn::Or(hn::Eq(ax, zero), hn::Not(hn::Lt(ax, inf)));
  VF r = hn::IfThenElse(hn::Or(extreme, edge), hn::IfThenElseZero(grows, inf), power);
  r = hn::IfThenElse(hn::Eq(ax, one), one, r);
  // |y| >= 2^23 is an integer, |y| >= 2^24 an even one.
  const VF half_y = hn::Mul(y, Const(0.5f));
  const MF integer = hn::Or(hn::Eq(hn::Trunc(y), y), hn::Ge(ay, Const(0x1p23f)));
  const MF even = hn::Or(hn::Eq(hn::Trunc(half_y), half_y), hn::Ge(ay, Const(0x1p24f)));
  const VF sign = hn::And(x, FromBits(hn::Set(DU(), 0x80000000u)));
  r = hn::IfThenElse(hn::AndNot(even, integer), hn::Or(r, sign), r);
  const MF imaginary = hn::And(hn::Lt(x, zero), hn::Lt(ax, inf));
  r = hn::IfThenElse(hn::AndNot(integer, imaginary), NaN(), r);
  r = hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), NaN(), r);
  return hn::IfThenElse(hn::Or(hn::Eq(x, one), hn::Eq(y, zero)), one, r);
}

// Entry (index mod 32) of a table of f32.
struct Table32 {
#if PTO_AVX512
  explicit HWY_INLINE Table32(const float* table)
      : low(_mm512_loadu_ps(table)), high(_mm512_loadu_ps(table + 16)) {}
  HWY_INLINE VF operator[](VU index) const {
    return VF{_mm512_permutex2var_ps(low, index.raw, high)};
  }
  HWY_INLINE void AddToUpperHalf(float value) { high = _mm512_add_ps(high, _mm512_set1_ps(value)); }
  __m512 low, high;
#else
  explicit HWY_INLINE Table32(const float* t) : table(t) {}
  HWY_INLINE VF operator[](VU index) const {
#if HWY_TARGET == HWY_AVX2
    const __m256 q0 = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), index.raw);
    const __m256 q1 = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), index.raw);
    const __m256 q2 = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 16), index.raw);
    const __m256 q3 = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 24), index.raw);
    const __m256 bit3 = _mm256_castsi256_ps(_mm256_slli_epi32(index.raw, 28));
    const __m256 bit4 = _mm256_castsi256_ps(_mm256_slli_epi32(index.raw, 27));
    const __m256 low = _mm256_blendv_ps(q0, q1, bit3);
    const __m256 high = _mm256_blendv_ps(q2, q3, bit3);
    return VF{_mm256_blendv_ps(low, high, bit4)};
#else
    const VU wrapped = hn::And(index, hn::Set(DU(), 31u));
    return hn::GatherIndex(DF(), table, hn::BitCast(DI(), wrapped));
#endif
  }
  const float* table;
#endif
};

// |x| = z 2^e, 0.75 <= z < 1.5. Zero, infinity and NaN give anything. With AVX-512, e is
// one too small where z < 1; the upper half of a log table, for z < 1, makes up for it.
HWY_INLINE VF Normalize(VF x, VF* HWY_RESTRICT e) {
#if PTO_AVX512
  *e = VF{_mm512_getexp_ps(x.raw)};
  return VF{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero)};
#else
  const DF df;
  const DI di;
  const VF ax = hn::Abs(x);
  const MF tiny = hn::Lt(ax, Const(0x1p-126f));
  const VF scaled = hn::IfThenElse(tiny, hn::Mul(ax, Const(0x1p24f)), ax);
  const VI bits = hn::BitCast(di, scaled);
  const VI above = hn::Sub(bits, hn::Set(di, 0x3f400000));
  const VF exponent = hn::ConvertTo(df, hn::ShiftRight<23>(above));
  *e = hn::IfThenElse(tiny, hn::Sub(exponent, Const(24.0f)), exponent);
  const VI field = hn::And(above, hn::Set(di, static_cast<int32_t>(0xff800000u)));
  return hn::BitCast(df, hn::Sub(bits, field));
#endif
}

// A table of the logarithm's high part, for the e of Normalize().
HWY_INLINE Table32 LogTable(const float* values) {
  Table32 table(values);
#if PTO_AVX512
  table.AddToUpperHalf(1.0f);  // exact: the entries are multiples of 2^-16
#endif
  return table;
}

// Adding this rounds to a multiple of 1/32 and leaves its number in the low bits.
HWY_INLINE VF Magic32() { return Const(0x1.8p18f); }

// a 2^floor(n), rounded once, n = k / 32 as Magic32() makes them. |n| <= 250, a < 2.
HWY_INLINE VF Scale(VF a, VF n, VU k) {
#if PTO_AVX512
  (void)k;
  return VF{_mm512_scalef_ps(a.raw, n.raw)};
#else
  (void)n;
  const DI di;
  const VI whole = hn::ShiftRight<5>(hn::BitCast(di, hn::Sub(k, Bits(Magic32()))));
  const VI first = hn::ShiftRight<1>(whole);
  const VI bias = hn::Set(di, 127);
  const VI second = hn::Sub(whole, first);
  const VF f1 = hn::BitCast(DF(), hn::ShiftLeft<23>(hn::Add(first, bias)));
  const VF f2 = hn::BitCast(DF(), hn::ShiftLeft<23>(hn::Add(second, bias)));
  return hn::Mul(hn::Mul(a, f1), f2);
#endif
}

// Lanes where a power is not just small or large but 0 or infinity, or t is a NaN.
constexpr float kExtreme = 160.0f;
constexpr uint32_t kExtremeBits = 0x43200000;
HWY_INLINE MF IsExtreme(VF t) {
#if PTO_AVX512
  return MF{_mm512_cmp_ps_mask(hn::Abs(t).raw, _mm512_set1_ps(kExtreme), _CMP_NLT_UQ)};
#else
  return hn::Not(hn::Lt(hn::Abs(t), Const(kExtreme)));
#endif
}

// Whether some lane of some vector is extreme, or its x is not positive and finite.
template <size_t kVectors>
HWY_INLINE bool AnySpecial(const VF* HWY_RESTRICT x, const VF* HWY_RESTRICT t) {
#if PTO_AVX512
  // Zeros and infinities of x make t one of them too: only x's sign is left to look at.
  const DU du;
  VU worst = hn::Zero(du);
  for (size_t i = 0; i < kVectors; ++i) worst = hn::Max(worst, Bits(hn::CopySign(t[i], x[i])));
  return _mm512_cmpge_epu32_mask(worst.raw, _mm512_set1_epi32(kExtremeBits)) != 0;
#else
  MF any = hn::Or(NotPositiveFinite(x[0]), IsExtreme(t[0]));
  for (size_t i = 1; i < kVectors; ++i) {
    any = hn::Or(any, hn::Or(NotPositiveFinite(x[i]), IsExtreme(t[i])));
  }
  return !hn::AllFalse(DF(), any);
#endif
}

// Powers are computed a group at a time, first all logarithms and then all exponentials,
// some vectors abreast. Each half is a chain of 50 to 60 cycles; the processor looks far
// enough ahead to fill its units from several such chains, but not from one of twice the length.
constexpr size_t kPowGroup = PTO_AVX512 ? 8 : 4;
constexpr size_t kAbreast = 2;

// The logarithms of a group, as unevaluated sums.
template <size_t kVectors>
class Logs {
 public:
  HWY_INLINE Logs() {}
  HWY_INLINE void Put(size_t i, const VF* HWY_RESTRICT high, const VF* HWY_RESTRICT low) {
    const DF df;
    for (size_t j = 0; j < kAbreast; ++j) {
      hn::Store(high[j], df, high_ + (i + j) * kLanes);
      hn::Store(low[j], df, low_ + (i + j) * kLanes);
    }
  }
  HWY_INLINE void Get(size_t i, VF* HWY_RESTRICT high, VF* HWY_RESTRICT low) const {
    const DF df;
    for (size_t j = 0; j < kAbreast; ++j) {
      high[j] = hn::Load(df, high_ + (i + j) * kLanes);
      low[j] = hn::Load(df, low_ + (i + j) * kLanes);
    }
  }

 private:
  static constexpr size_t kLanes = hn::MaxLanes(DF());
  HWY_ALIGN float high_[kVectors * kLanes];
  HWY_ALIGN float low_[kVectors * kLanes];
};

// |x| ** y to 0.53 ulp (0.76 where the result is subnormal) in f32 arithmetic, log2 |x|
// and y log2 |x| as unevaluated sums of two f32. Every operation is rounded to nearest on
// every target, and fused where it says Fma: same bits everywhere.
struct PowF32 {
  HWY_INLINE PowF32()
      : inv(kInv32),
        log_hi(LogTable(kLogHi32)),
        log_lo(kLogLo32),
        exp_hi(kExpHi32),
        exp_lo(kExpLo32) {}

  // high + low = log2 |x|. Zeros, infinity and NaN give anything, with AVX-512 an infinity
  // or a NaN.
  template <size_t kVectors>
  HWY_INLINE void Log(const VF* HWY_RESTRICT x, VF* HWY_RESTRICT high,
                      VF* HWY_RESTRICT log_low) const {
    VF r[kVectors], low[kVectors], whole[kVectors], q[kVectors], s1[kVectors];
    VF q_low[kVectors], err[kVectors], p[kVectors];
    for (size_t i = 0; i < kVectors; ++i) {
      VF e;
      const VF z = Normalize(x[i], &e);
      const VU index = hn::ShiftRight<18>(Bits(z));
      r[i] = Fms(z, inv[index], Const(1.0f));  // exact
      whole[i] = hn::Add(e, log_hi[index]);    // exact
      low[i] = log_lo[index];
    }
    // whole + r C1 + r^2 C2 = high + the errors of the two sums, each exact.
    for (size_t i = 0; i < kVectors; ++i) {
      q[i] = hn::Mul(r[i], r[i]);
      s1[i] = Fma(r[i], Const(kLog1Hi), whole[i]);
      p[i] = Fma(r[i], Const(kLogTail[4]), Const(kLogTail[3]));
      low[i] = Fma(r[i], Const(kLog1Lo), low[i]);
    }
    for (size_t i = 0; i < kVectors; ++i) {
      err[i] = hn::Sub(whole[i], s1[i]);
      high[i] = Fma(q[i], Const(kLog2), s1[i]);
      p[i] = Fma(r[i], p[i], Const(kLogTail[2]));
      q_low[i] = Fms(r[i], r[i], q[i]);
    }
    for (size_t i = 0; i < kVectors; ++i) {
      err[i] = Fma(r[i], Const(kLog1Hi), err[i]);
      s1[i] = hn::Sub(s1[i], high[i]);
      p[i] = Fma(r[i], p[i], Const(kLogTail[1]));
      low[i] = Fma(q_low[i], Const(kLog2), low[i]);
    }
    for (size_t i = 0; i < kVectors; ++i) {
      s1[i] = Fma(q[i], Const(kLog2), s1[i]);
      p[i] = Fma(r[i], p[i], Const(kLogTail[0]));
    }
    for (size_t i = 0; i < kVectors; ++i) {
      low[i] = Fma(q[i], p[i], low[i]);
      err[i] = hn::Add(err[i], s1[i]);
    }
    for (size_t i = 0; i < kVectors; ++i) log_low[i] = hn::Add(low[i], err[i]);
  }

  // out = 2 ** (y (log_high + log_low)); t is the exponent, nearly; the lanes with
  // IsExtreme(t) hold anything.
  template <size_t kVectors>
  HWY_INLINE void Exp(const VF* HWY_RESTRICT y, const VF* HWY_RESTRICT log_high,
                      const VF* HWY_RESTRICT log_low, VF* HWY_RESTRICT out,
                      VF* HWY_RESTRICT t) const {
    VF r[kVectors], low[kVectors], shifted[kVectors];
    for (size_t i = 0; i < kVectors; ++i) {
      t[i] = hn::Mul(y[i], log_high[i]);
      low[i] = Fms(y[i], log_high[i], t[i]);
    }
    for (size_t i = 0; i < kVectors; ++i) low[i] = Fma(y[i], log_low[i], low[i]);
    for (size_t i = 0; i < kVectors; ++i) {
      shifted[i] = hn::Add(hn::Add(t[i], low[i]), Magic32());
    }
    VF w[kVectors], high[kVectors], n[kVectors];
    for (size_t i = 0; i < kVectors; ++i) {
      n[i] = hn::Sub(shifted[i], Magic32());
      high[i] = exp_hi[Bits(shifted[i])];
    }
    for (size_t i = 0; i < kVectors; ++i) r[i] = hn::Add(hn::Sub(t[i], n[i]), low[i]);
    for (size_t i = 0; i < kVectors; ++i) {
      w[i] = Fma(r[i], Const(kExpPoly32[2]), Const(kExpPoly32[1]));
      low[i] = exp_lo[Bits(shifted[i])];
    }
    for (size_t i = 0; i < kVectors; ++i) w[i] = Fma(r[i], w[i], Const(kExpPoly32[0]));
    for (size_t i = 0; i < kVectors; ++i) w[i] = hn::Mul(r[i], w[i]);
    for (size_t i = 0; i < kVectors; ++i) low[i] = Fma(high[i], w[i], low[i]);
    for (size_t i = 0; i < kVectors; ++i) {
      out[i] = Scale(hn::Add(high[i], low[i]), n[i], Bits(shifted[i]));
    }
  }

  Table32 inv, log_hi, log_lo, exp_hi, exp_lo;
};

// Entry (index mod 16) of a table of 64-bit elements.
template <class D>
struct Table16 {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  using VIndex = hn::Vec<hn::RebindToUnsigned<DD>>;
#if PTO_AVX512
  explicit HWY_INLINE Table16(const T* table)
      : low(_mm512_loadu_si512(table)), high(_mm512_loadu_si512(table + 8)) {}
  HWY_INLINE V operator[](VIndex index) const {
    return hn::BitCast(D(), VIndex{_mm512_permutex2var_epi64(low, index.raw, high)});
  }
  __m512i low, high;
#else
  explicit HWY_INLINE Table16(const T* t) : table(t) {}
  HWY_INLINE V operator[](VIndex index) const {
    const hn::RebindToUnsigned<DD> du;
    const hn::RebindToSigned<DD> di;
    const VIndex wrapped = hn::And(index, hn::Set(du, uint64_t{15}));
    return hn::GatherIndex(D(), table, hn::BitCast(di, wrapped));
  }
  const T* table;
#endif
};

// |x| ** y in f64 for f32 x and y. The relative error is below 2^-42 wherever the
// power is between 2^-151 and 2^129; beyond, the result is beyond too. Half a VF wide.
struct PowF64 {
  using DUD = hn::RebindToUnsigned<DD>;

  HWY_INLINE PowF64() : inv(kInv16), log(kLog16), exp(kExpBits16) {}

  // Precondition: x > 0 and finite, y finite; other lanes give anything.
  HWY_INLINE VD operator()(VD x, VD y) const {
    const DD dd;
    const DUD du;
    const hn::RebindToSigned<DD> di;
#if PTO_AVX512
    (void)di;
    const VD z{_mm512_getmant_pd(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero)};
    const VD e{_mm512_sub_pd(_mm512_getexp_pd(x.raw), _mm512_getexp_pd(z.raw))};
#else
    const auto bits = hn::BitCast(du, x);
    const auto above = hn::Sub(bits, hn::Set(du, uint64_t{0x3fe8} << 48));
    const auto field = hn::And(above, hn::Set(du, uint64_t{0xfff} << 52));
    const VD z = hn::BitCast(dd, hn::Sub(bits, field));
    // The exponent, plus 2048, put in the low bits of 2^52.
    const auto biased = hn::ShiftRight<52>(hn::Add(above, hn::Set(du, uint64_t{0x7ff} << 52)));
    const VD e = hn::Sub(hn::BitCast(dd, hn::Or(biased, hn::Set(du, uint64_t{0x433} << 52))),
                         hn::Set(dd, 0x1p52 + 2047.0));
    (void)di;
#endif
    const auto index = hn::ShiftRight<48>(hn::BitCast(du, z));
    const VD r = hn::MulSub(z, inv[index], hn::Set(dd, 1.0));  // exact
    VD p = hn::Set(dd, kLogPoly[8]);
    for (int i = 7; i >= 0; --i) p = hn::MulAdd(r, p, hn::Set(dd, kLogPoly[i]));
    const VD log2x = hn::MulAdd(r, p, hn::Add(e, log[index]));
    VD t = hn::Mul(y, log2x);
    t = hn::Min(hn::Max(t, hn::Set(dd, -300.0)), hn::Set(dd, 300.0));

    const VD magic = hn::Set(dd, 0x1.8p48);
    const VD shifted = hn::Add(t, magic);
    const auto k = hn::BitCast(du, shifted);
    const VD f = hn::Sub(t, hn::Sub(shifted, magic));
    VD w = hn::Set(dd, kExpPoly16[4]);
    for (int i = 3; i >= 0; --i) w = hn::MulAdd(f, w, hn::Set(dd, kExpPoly16[i]));
    const VD scale = hn::BitCast(dd, hn::Add(exp[k], hn::ShiftLeft<48>(k)));
    return hn::MulAdd(hn::Mul(f, w), scale, scale);
  }

  Table16<DD> inv, log;
  Table16<DUD> exp;
};

// f32 of f64, to nearest; too large a number is infinity.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE VF ToF32(VD v) { return Const(static_cast<float>(hn::GetLane(v))); }
#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_POW_INL_H_
