// |x| ** y for f16 and bf16 in plain f32. Tables: pow_tables.h.
#if defined(PTO_SRC_KERNELS_POW_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_POW_NARROW_INL_H_
#undef PTO_SRC_KERNELS_POW_NARROW_INL_H_
#else
#define PTO_SRC_KERNELS_POW_NARROW_INL_H_
#endif

#include "src/kernels/pow-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_FMA

// With t = y log2 |x|, the relative error of a power is below kPowNarrowSlope |t| +
// kPowNarrowError. The largest errors of all pairs are 0.55 |t| + 1.8 units of 2^-23, with tables
// of 8 0.5 |t| + 1.8.
constexpr float kPowNarrowSlope = 0x1.28p-24f;
constexpr float kPowNarrowError = 0x1.f8p-23f;

// The look-ups of the two halves of a power, and how they get exponents.
#if PTO_AVX512

// Tables of 32, each one permutation of two registers.
struct PowNarrowTables {
  static constexpr auto& kLogPoly = kLogPolyNarrow;
  static constexpr auto& kExpPoly = kExpPolyNarrow;

  HWY_INLINE PowNarrowTables()
      : inv(kInv32), log_hi(LogTable(kLogHiNarrow)), log_lo(kLogLoNarrow), exp_hi(kExpHi32) {}

  // As Normalize().
  static HWY_INLINE VF Parts(VF x, VF* HWY_RESTRICT e) { return Normalize(x, e); }
  static HWY_INLINE VU LogIndex(VF z) { return hn::ShiftRight<18>(Bits(z)); }
  static HWY_INLINE VF Magic() { return Magic32(); }
  // 2^n (1 + p); k as Magic() makes it of n.
  HWY_INLINE VF Power(VF n, VU k, VF p) const {
    const VF high = exp_hi[k];
    return Scale(hn::MulAdd(high, p, high), n, k);
  }

  Table32 inv, log_hi, log_lo, exp_hi;
};

#else

// Entry (index mod 8) of a table of 32-bit elements.
template <class D>
struct Table8 {
  using T = hn::TFromD<D>;
#if HWY_TARGET == HWY_AVX2
  explicit HWY_INLINE Table8(const T* table)
      : entries(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(table))) {}
  HWY_INLINE hn::Vec<D> operator[](VU index) const {
    return hn::BitCast(D(), VU{_mm256_permutevar8x32_epi32(entries, index.raw)});
  }
  __m256i entries;
#else
  explicit HWY_INLINE Table8(const T* table) : entries(table) {}
  HWY_INLINE hn::Vec<D> operator[](VU index) const {
    return hn::GatherIndex(D(), entries, hn::BitCast(DI(), hn::And(index, hn::Set(DU(), 7u))));
  }
  const T* entries;
#endif
};

// Tables of 8, each one permutation of one register where AVX2 takes nine instructions for one of
// 32; the polynomials are three steps longer. Zero and subnormal |x|, and |t| from kPowNarrowFar
// on, give anything.
struct PowNarrowTables {
  static constexpr auto& kLogPoly = kLogPolyNarrow8;
  static constexpr auto& kExpPoly = kExpPolyNarrow8;

  HWY_INLINE PowNarrowTables()
      : inv(kInv8), log_hi(kLogHiNarrow8), log_lo(kLogLoNarrow8), exp_bits(kExpBits8) {}

  static HWY_INLINE VF Parts(VF x, VF* HWY_RESTRICT e) {
    const DI di;
    const VI bits = hn::BitCast(di, hn::Abs(x));
    const VI above = hn::Sub(bits, hn::Set(di, 0x3f400000));
    *e = hn::ConvertTo(DF(), hn::ShiftRight<23>(above));
    const VI field = hn::And(above, hn::Set(di, static_cast<int32_t>(0xff800000u)));
    return hn::BitCast(DF(), hn::Sub(bits, field));
  }
  static HWY_INLINE VU LogIndex(VF z) { return hn::ShiftRight<20>(Bits(z)); }
  static HWY_INLINE VF Magic() { return Const(0x1.8p20f); }
  HWY_INLINE VF Power(VF, VU k, VF p) const {
    const VF scale = FromBits(hn::Add(exp_bits[k], hn::ShiftLeft<20>(k)));
    return hn::MulAdd(scale, p, scale);
  }

  Table8<DF> inv, log_hi, log_lo;
  Table8<DU> exp_bits;
};

#endif

// Where the |t| that PowNarrowF32 takes end.
constexpr float kPowNarrowFar = PTO_AVX512 ? kExtreme : 126.0f;

// log2 |x| = high + low, and y high is exact; so t has the error of y low. All 2^32 pairs of
// each format are rounded right.
struct PowNarrowF32 : PowNarrowTables {
  HWY_INLINE PowNarrowF32() {}

  // p = ((c[n-1] r + c[n-2]) r + ...) r + c[0].
  template <size_t kVectors, size_t kTerms>
  static HWY_INLINE void Polynomial(const float (&c)[kTerms], const VF* HWY_RESTRICT r,
                                    VF* HWY_RESTRICT p) {
    for (size_t i = 0; i < kVectors; ++i) {
      p[i] = hn::MulAdd(r[i], Const(c[kTerms - 1]), Const(c[kTerms - 2]));
    }
    for (size_t k = kTerms - 2; k-- != 0;) {
      for (size_t i = 0; i < kVectors; ++i) p[i] = hn::MulAdd(r[i], p[i], Const(c[k]));
    }
  }

  // As PowF32::Log().
  template <size_t kVectors>
  HWY_INLINE void Log(const VF* HWY_RESTRICT x, VF* HWY_RESTRICT high, VF* HWY_RESTRICT low) const {
    VF r[kVectors], p[kVectors], rest[kVectors];
    for (size_t i = 0; i < kVectors; ++i) {
      VF e;
      const VF z = Parts(x[i], &e);
      const VU index = LogIndex(z);
      r[i] = hn::MulSub(z, inv[index], Const(1.0f));  // exact
      high[i] = hn::Add(e, log_hi[index]);            // exact
      rest[i] = log_lo[index];
    }
    Polynomial<kVectors>(kLogPoly, r, p);
    for (size_t i = 0; i < kVectors; ++i) low[i] = hn::MulAdd(r[i], p[i], rest[i]);
  }

  // As PowF32::Exp().
  template <size_t kVectors>
  HWY_INLINE void Exp(const VF* HWY_RESTRICT y, const VF* HWY_RESTRICT log_high,
                      const VF* HWY_RESTRICT log_low, VF* HWY_RESTRICT out,
                      VF* HWY_RESTRICT t) const {
    VF n[kVectors], f[kVectors], p[kVectors], shifted[kVectors];
    for (size_t i = 0; i < kVectors; ++i) f[i] = hn::Mul(y[i], log_high[i]);  // exact
    for (size_t i = 0; i < kVectors; ++i) t[i] = hn::MulAdd(y[i], log_low[i], f[i]);
    for (size_t i = 0; i < kVectors; ++i) shifted[i] = hn::Add(t[i], Magic());
    for (size_t i = 0; i < kVectors; ++i) n[i] = hn::Sub(shifted[i], Magic());
    for (size_t i = 0; i < kVectors; ++i) f[i] = hn::Sub(f[i], n[i]);
    for (size_t i = 0; i < kVectors; ++i) f[i] = hn::MulAdd(y[i], log_low[i], f[i]);
    Polynomial<kVectors>(kExpPoly, f, p);
    for (size_t i = 0; i < kVectors; ++i) p[i] = hn::Mul(f[i], p[i]);
    for (size_t i = 0; i < kVectors; ++i) out[i] = Power(n[i], Bits(shifted[i]), p[i]);
  }
};

#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_POW_NARROW_INL_H_
