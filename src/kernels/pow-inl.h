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
    const VU wrapped = hn::And(index, hn::Set(DU(), 31u));
    return hn::GatherIndex(DF(), table, hn::BitCast(DI(), wrapped));
  }
  const float* table;
#endif
};

// Which numbers a power is computed of. Subnormal results, and without AVX-512 subnormal bases,
// take steps of their own, which the usual ones are spared. An operation with a subnormal number
// costs some 150 cycles, so these steps have none.
enum class Reach { kUsual, kAll };

// |x| = z 2^e, 0.75 <= z < 1.5. Zero, infinity and NaN give anything, subnormal x too without kAll.
// With AVX-512, e is one too small where z < 1; the upper half of a log table, for z < 1, makes up
// for it.
template <Reach kFor = Reach::kUsual>
HWY_INLINE VF Normalize(VF x, VF* HWY_RESTRICT e) {
#if PTO_AVX512
  *e = VF{_mm512_getexp_ps(x.raw)};
  return VF{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero)};
#else
  const DF df;
  const DI di;
  const VF ax = hn::Abs(x);
  const MF tiny = hn::Lt(ax, Const(0x1p-126f));
  VF scaled = ax;
  if constexpr (kFor == Reach::kAll) {
    // A subnormal number is its bits times 2^-149.
    scaled = hn::IfThenElse(tiny, hn::ConvertTo(df, hn::BitCast(di, ax)), ax);
  }
  const VI bits = hn::BitCast(di, scaled);
  const VI above = hn::Sub(bits, hn::Set(di, 0x3f400000));
  *e = hn::ConvertTo(df, hn::ShiftRight<23>(above));
  if constexpr (kFor == Reach::kAll) *e = hn::IfThenElse(tiny, hn::Sub(*e, Const(149.0f)), *e);
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

// The tables of PowF32. Places of entries go through memory: AVX2 loads whole entries and turns
// eight of them, where a permutation of 32 elements is four permutations and three blends a table,
// and a gather is slower still. Loads are idle otherwise.
struct Places {
  explicit HWY_INLINE Places(VU v) { hn::Store(v, DU(), at); }
  HWY_ALIGN uint32_t at[hn::MaxLanes(DU())];
};

#if HWY_TARGET == HWY_AVX2

struct LogEntries {
  struct Entry {
    float inv, high, low, unused;
  };
  static constexpr auto kEntries = [] {
    struct {
      alignas(16) Entry at[32];
    } all{};
    for (int i = 0; i < 32; ++i) all.at[i] = {kInv32[i], kLogHi32[i], kLogLo32[i], 0};
    return all;
  }();

  // Byte offsets of the entries for z, as Normalize() makes it.
  static HWY_INLINE VU Place(VF z) {
    return hn::And(hn::ShiftRight<14>(Bits(z)), hn::Set(DU(), 31u * sizeof(Entry)));
  }
  HWY_INLINE void Find(const uint32_t* places, VF* HWY_RESTRICT inv, VF* HWY_RESTRICT high,
                       VF* HWY_RESTRICT low) const {
    const auto two = [&](int i) HWY_ATTR {
      const auto entry = [&](int k) HWY_ATTR {
        return _mm_load_ps(
            reinterpret_cast<const float*>(reinterpret_cast<const char*>(kEntries.at) + places[k]));
      };
      return _mm256_insertf128_ps(_mm256_castps128_ps256(entry(i)), entry(i + 4), 1);
    };
    const __m256 e0 = two(0), e1 = two(1), e2 = two(2), e3 = two(3);
    const __m256d t01 = _mm256_castps_pd(_mm256_unpacklo_ps(e0, e1));
    const __m256d t23 = _mm256_castps_pd(_mm256_unpacklo_ps(e2, e3));
    inv->raw = _mm256_castpd_ps(_mm256_unpacklo_pd(t01, t23));
    high->raw = _mm256_castpd_ps(_mm256_unpackhi_pd(t01, t23));
    low->raw = _mm256_shuffle_ps(_mm256_unpackhi_ps(e0, e1), _mm256_unpackhi_ps(e2, e3), 0x44);
  }
};

struct ExpEntries {
  struct Entry {
    float high, low;
  };
  static constexpr auto kEntries = [] {
    struct {
      alignas(8) Entry at[32];
    } all{};
    for (int i = 0; i < 32; ++i) all.at[i] = {kExpHi32[i], kExpLo32[i]};
    return all;
  }();

  // Byte offsets of the entries for index mod 32.
  static HWY_INLINE VU Place(VU index) { return hn::And(index, hn::Set(DU(), 31u)); }
  HWY_INLINE void Find(const uint32_t* places, VF* HWY_RESTRICT high, VF* HWY_RESTRICT low) const {
    const auto two = [&](int i) HWY_ATTR {
      const auto entry = [&](int k) HWY_ATTR { return &kEntries.at[places[k]]; };
      const __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(entry(i)));
      return _mm_loadh_pi(_mm_castsi128_ps(first), reinterpret_cast<const __m64*>(entry(i + 1)));
    };
    const __m256 e0 = _mm256_insertf128_ps(_mm256_castps128_ps256(two(0)), two(4), 1);
    const __m256 e1 = _mm256_insertf128_ps(_mm256_castps128_ps256(two(2)), two(6), 1);
    high->raw = _mm256_shuffle_ps(e0, e1, 0x88);
    low->raw = _mm256_shuffle_ps(e0, e1, 0xdd);
  }
};

#else

struct LogEntries {
  HWY_INLINE LogEntries() : inv_(kInv32), high_(LogTable(kLogHi32)), low_(kLogLo32) {}
  static HWY_INLINE VU Place(VF z) { return hn::ShiftRight<18>(Bits(z)); }
  HWY_INLINE void Find(const uint32_t* places, VF* HWY_RESTRICT inv, VF* HWY_RESTRICT high,
                       VF* HWY_RESTRICT low) const {
    const VU index = hn::Load(DU(), places);
    *inv = inv_[index];
    *high = high_[index];
    *low = low_[index];
  }
  Table32 inv_, high_, low_;
};

struct ExpEntries {
  HWY_INLINE ExpEntries() : high_(kExpHi32), low_(kExpLo32) {}
  static HWY_INLINE VU Place(VU index) { return index; }
  HWY_INLINE void Find(const uint32_t* places, VF* HWY_RESTRICT high, VF* HWY_RESTRICT low) const {
    const VU index = hn::Load(DU(), places);
    *high = high_[index];
    *low = low_[index];
  }
  Table32 high_, low_;
};

#endif

// Adding this rounds to a multiple of 1/32 and leaves its number in the low bits.
HWY_INLINE VF Magic32() { return Const(0x1.8p18f); }

// a 2^floor(n), rounded once, n = k / 32 as Magic32() makes them. |n| <= 250, 0.5 < a < 2;
// without kAll the result is normal. With kAll results below 2^-126 are rounded to their grid by an
// addition; see ExpFlat().
template <Reach kFor = Reach::kUsual>
HWY_INLINE VF Scale(VF a, VF n, VU k) {
  const DF df;
  const DI di;
  [[maybe_unused]] const VF grid = Const(0x1p-26f);
#if PTO_AVX512
  (void)k;
  if constexpr (kFor == Reach::kUsual) {
    return VF{_mm512_scalef_ps(a.raw, n.raw)};
  } else {
    const __m512 raised =
        _mm512_max_ps(_mm512_add_ps(n.raw, _mm512_set1_ps(100.0f)), _mm512_set1_ps(-60.0f));
    const VF scaled{_mm512_scalef_ps(a.raw, raised)};
    const __mmask16 low = _mm512_cmp_ps_mask(scaled.raw, grid.raw, _CMP_LT_OQ);
    const VI sum = hn::BitCast(di, hn::Add(scaled, grid));
    const VF subnormal = hn::BitCast(df, hn::Sub(sum, hn::BitCast(di, grid)));
    const __m512 normal = _mm512_maskz_scalef_ps(_knot_mask16(low), a.raw, n.raw);
    return VF{_mm512_mask_mov_ps(normal, low, subnormal.raw)};
  }
#else
  (void)n;
  if constexpr (kFor == Reach::kUsual) {
    const VU field = hn::And(hn::ShiftLeft<18>(k), hn::Set(DU(), 0xff800000u));
    return FromBits(hn::Add(Bits(a), field));
  } else {
    // v 2^power, which is normal.
    const auto scale = [=](VF v, VI power) HWY_ATTR {
      return hn::BitCast(df, hn::Add(hn::BitCast(di, v), hn::ShiftLeft<23>(power)));
    };
    const VI whole = hn::ShiftRight<5>(hn::BitCast(di, hn::Sub(k, Bits(Magic32()))));
    const VI raised = hn::Add(whole, hn::Set(di, 100));
    const VF scaled = scale(a, hn::Min(hn::Max(raised, hn::Set(di, -60)), hn::Set(di, 100)));
    const MF low = hn::Lt(scaled, grid);
    // Others are a product of two powers, which is infinite where it overflows.
    const VI most = hn::Min(whole, hn::Set(di, 200));
    const VI power = hn::ShiftRight<1>(most);
    const VF base = hn::IfThenElse(low, scaled, scale(a, hn::Sub(most, power)));
    const VF factor = hn::IfThenElse(low, Const(1.0f), scale(Const(1.0f), power));
    const VF added = hn::IfThenElseZero(low, grid);
    const VF sum = hn::Add(hn::Mul(base, factor), added);
    return hn::BitCast(df, hn::Sub(hn::BitCast(di, sum), hn::BitCast(di, added)));
  }
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

// The domain of the usual steps.
constexpr float kNear = 125.0f;
constexpr uint32_t kNearBits = 0x42fa0000;

// How rare x with the exponent t is: as unsigned numbers, larger than kRare where the lane is not
// near, x is not positive and finite, or, but for AVX-512, subnormal.
constexpr uint32_t kRare = PTO_AVX512 ? kNearBits - 1 : 0x7effffff;
HWY_INLINE VU Rarity(VF x, VF t) {
#if PTO_AVX512
  // Zeros and infinities of x make t one of them too: only x's sign is left to look at.
  return Bits(hn::CopySign(t, x));
#else
  // The bits of the positive normal floats, minus the bits of the first, are the smallest.
  const DU du;
  return hn::Max(hn::Sub(Bits(x), hn::Set(du, 0x00800000u)),
                 hn::Add(Bits(hn::Abs(t)), hn::Set(du, kRare + 1 - kNearBits)));
#endif
}
HWY_INLINE bool AnyRare(VU rarity) {
  const DU du;
  const VU least = hn::Set(du, kRare + 1);
  return !hn::AllFalse(du, hn::Eq(hn::Max(rarity, least), rarity));
}

// Powers are computed a group at a time, step by step. A power is a chain of 120 cycles and 120
// instructions; the processor looks far enough ahead to fill its units from several chains of a
// step, but not from whole ones.
constexpr size_t kPowGroup = 8;

// A number of each vector of a group.
template <size_t kVectors>
class Stash {
 public:
  HWY_INLINE Stash() {}
  HWY_INLINE void Put(size_t i, VF v) { hn::Store(v, DF(), at_ + i * kLanes); }
  HWY_INLINE VF Get(size_t i) const { return hn::Load(DF(), at_ + i * kLanes); }

 private:
  static constexpr size_t kLanes = hn::MaxLanes(DF());
  HWY_ALIGN float at_[kVectors * kLanes];
};

// |x| ** y to 0.53 ulp (0.76 where the result is subnormal) in f32 arithmetic, log2 |x|
// and y log2 |x| as unevaluated sums of two f32. Every operation is rounded to nearest on
// every target, and fused where it is an Fma: same bits everywhere.
class PowF32 {
 public:
  // |x| = z 2^e as Normalize() makes them.
  struct Base {
    HWY_INLINE Base(VF z_, VF e_) : z(z_), e(e_) {}
    VF z, e;
  };
  struct Log {
    HWY_INLINE Log(VF high_, VF low_) : high(high_), low(low_) {}
    VF high, low;
  };
  // t + rest, and Magic32() on top of it.
  struct Exponent {
    HWY_INLINE Exponent(VF t_, VF rest_, VF shifted_) : t(t_), rest(rest_), shifted(shifted_) {}
    VF t, rest, shifted;
  };

  HWY_INLINE PowF32() {}

  template <Reach kFor = Reach::kUsual>
  static HWY_INLINE Base Split(VF x) {
    VF e;
    const VF z = Normalize<kFor>(x, &e);
    return {z, e};
  }

  // log2 |x|, with the entries of z in LogEntries. Zeros, infinity and NaN give anything, with
  // AVX-512 an infinity or a NaN.
  HWY_INLINE Log LogOf(Base base, const uint32_t* places) const {
    VF inv, log_high, low;
    logs.Find(places, &inv, &log_high, &low);
    const VF r = Fms(base.z, inv, Const(1.0f));  // exact
    const VF whole = hn::Add(base.e, log_high);  // exact
    // whole + r C1 + r^2 C2 = high + the errors of the two sums, each exact.
    const VF q = hn::Mul(r, r);
    const VF s1 = Fma(r, Const(kLog1Hi), whole);
    const VF high = Fma(q, Const(kLog2), s1);
    const VF err1 = Fma(r, Const(kLog1Hi), hn::Sub(whole, s1));
    const VF err2 = Fma(q, Const(kLog2), hn::Sub(s1, high));
    low = Fma(r, Const(kLog1Lo), low);
    low = Fma(Fms(r, r, q), Const(kLog2), low);
    VF p = Fma(r, Const(kLogTail[4]), Const(kLogTail[3]));
    for (int k = 2; k >= 0; --k) p = Fma(r, p, Const(kLogTail[k]));
    return {high, hn::Add(Fma(q, p, low), hn::Add(err1, err2))};
  }

  static HWY_INLINE Exponent Times(VF y, Log log) {
    const VF t = hn::Mul(y, log.high);
    const VF rest = Fma(y, log.low, Fms(y, log.high, t));
    return {t, rest, hn::Add(hn::Add(t, rest), Magic32())};
  }

  // 2 ** exponent, with the entries of `shifted` in ExpEntries; anything where t IsExtreme(), but
  // for kAll from kNear on. From -kNear down a vector may then take long.
  template <Reach kFor = Reach::kUsual>
  HWY_INLINE VF Power(Exponent exponent, const uint32_t* places) const {
    VF high, low;
    exps.Find(places, &high, &low);
    const VF n = hn::Sub(exponent.shifted, Magic32());
    const VF r = hn::Add(hn::Sub(exponent.t, n), exponent.rest);
    VF w = Fma(r, Const(kExpPoly32[2]), Const(kExpPoly32[1]));
    w = Fma(r, w, Const(kExpPoly32[0]));
    low = Fma(high, hn::Mul(r, w), low);
    return Scale<kFor>(hn::Add(high, low), n, Bits(exponent.shifted));
  }

  template <Reach kFor = Reach::kUsual>
  HWY_INLINE Exponent ExponentOf(VF x, VF y) const {
    const Base base = Split<kFor>(x);
    return Times(y, LogOf(base, Places(LogEntries::Place(base.z)).at));
  }
  template <Reach kFor = Reach::kUsual>
  HWY_INLINE VF Power(Exponent exponent) const {
    return Power<kFor>(exponent, Places(ExpEntries::Place(Bits(exponent.shifted))).at);
  }

  LogEntries logs;
  ExpEntries exps;
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
