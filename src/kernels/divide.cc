// Division and its kin for every element type: IEEE for floats, square roots too; truncating for
// integers, with x / 0 = 0 and MIN / -1 = MIN.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/divisor-inl.h"
#include "src/kernels/root-inl.h"
#include "src/kernels/together-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

struct DivLane : FunBase<2> {
  HWY_INLINE VF operator()(VF a, VF b) const { return hn::Div(a, b); }
};

struct SqrtLane : FunBase<1> {
  HWY_INLINE VF operator()(VF a) const { return hn::Sqrt(a); }
};

// 1 / a of an integer is a where a is 1 or -1, else 0.
struct RecipLane : FunBase<1> {
  HWY_INLINE VF operator()(VF a) const { return hn::Div(Const(1.0f), a); }
  template <class V>
  HWY_INLINE V operator()(V a) const {
    const hn::DFromV<V> d;
    using T = hn::TFromD<decltype(d)>;
    auto unit = hn::Eq(a, hn::Set(d, T{1}));
    if constexpr (std::is_signed_v<T>) unit = hn::Or(unit, hn::Eq(a, hn::Set(d, T{-1})));
    return hn::IfThenElseZero(unit, a);
  }
};

// The same of f32: groups by root-inl.h where that is faster than the divider.
#if PTO_FAST_ROOTS
struct DivF32 : GroupLane<2> {
  HWY_INLINE void Together(VF (&r)[kUnroll], const VF (&b)[kUnroll]) const { DivideGroup(r, b); }
};
constexpr Block kDivideAny = LoopTogether<DivF32, Loop<OnPlain<float, DivLane>>>;
struct RecipF32 : GroupLane<1> {
  HWY_INLINE VF operator()(VF a) const { return CanonicalNaN(hn::Div(Const(1.0f), a)); }
  HWY_INLINE void Together(VF (&r)[kUnroll]) const {
    VF b[kUnroll];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kUnroll; ++i) {
      b[i] = r[i];
      r[i] = Const(1.0f);
    }
    DivideGroup(r, b);
  }
};
#if PTO_AVX512
template <VF (*kRoot)(VF x)>
struct SqrtNarrowLane : FunBase<1> {
  static constexpr size_t kUnroll = 4;

  HWY_INLINE VF operator()(VF a) const { return kRoot(a); }
};
constexpr Kernels kSqrtNarrow = Only<DType::kF16>(Plain<OnF16<SqrtNarrowLane<SqrtF16>>>()) |
                                Only<DType::kBF16>(Plain<OnBF16<SqrtNarrowLane<SqrtBF16>>>());
#else
constexpr Kernels kSqrtNarrow;
#endif
struct SqrtF32 : GroupLane<1> {
  HWY_INLINE VF operator()(VF a) const { return SqrtAny(a); }
  HWY_INLINE void Together(VF (&r)[kUnroll]) const { SqrtGroup(r); }
};
#else
constexpr Block kDivideAny = Loop<OnPlain<float, DivLane>>;
using RecipF32 = OnPlain<float, RecipLane>;
using SqrtF32 = OnPlain<float, SqrtLane>;
constexpr Kernels kSqrtNarrow;
#endif

#if PTO_AVX512

// Divisors are usual from 2^-30 to 2^30. Then quotients of zeros, and of numbers from 2^-90 on, are
// not subnormal.
HWY_INLINE bool NoneTiny(const VF (&a)[kRootGroup]) {
  const DI di;
  const DU du;
  VU least = hn::Sub(Bits(hn::Abs(a[0])), hn::Set(du, 1u));
  PTO_UNROLL_WHOLE
  for (size_t i = 1; i < kRootGroup; ++i)
    least = hn::Min(least, hn::Sub(Bits(hn::Abs(a[i])), hn::Set(du, 1u)));
  const VI size = hn::BitCast(di, hn::ShiftRight<1>(least));
  return hn::AllFalse(di, hn::Gt(hn::ShiftRight<1>(hn::BitCast(di, Const(0x1p-90f))), size));
}
struct Quotients {
  VF at[kRootGroup];
};
// Passed by value: a reference would put the vectors into memory.
static HWY_NOINLINE Quotients DivideTiny(Quotients r, Quotients b) {
  DivideRest<0>(r.at, b.at);
  return r;
}
HWY_INLINE void DivideRare(VF (&r)[kRootGroup], const VF (&a)[kRootGroup],
                           const VF (&b)[kRootGroup]) {
  if (HWY_LIKELY(!tuning.assists || NoneTiny(a))) {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) r[i] = CanonicalNaN(hn::Div(a[i], b[i]));
  } else {
    const Quotients q = DivideTiny({{a[0], a[1], a[2], a[3]}}, {{b[0], b[1], b[2], b[3]}});
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRootGroup; ++i) r[i] = q.at[i];
  }
}

// One divisor for a whole line.
struct DivideByElement : ByElement<float> {
  static constexpr T kOne = 1.0f;
  static constexpr size_t kUnroll = kRootGroup;

  HWY_INLINE DivideByElement() {}
  HWY_INLINE VF operator()(VF a, VF b) const { return CanonicalNaN(hn::Div(a, b)); }
  HWY_INLINE void Together(VF (&r)[kUnroll]) const {
    const VF b = Const(by);
    DivideGroup(r, {b, b, b, b});
  }
};

// Magnitudes of the divisors and dividends that DivideFour() takes: no step of it can then
// overflow or lose bits to underflow. A product of a subnormal number would be slow.
constexpr float kMinDivisor = 0x1p-30f;
constexpr float kMaxDivisor = 0x1p30f;
constexpr float kMinDividend = 0x1p-70f;
constexpr float kMaxDividend = 0x1p90f;

// The smallest and the largest magnitudes seen. Quiet NaN are passed over; a signalling
// one would take along what was seen before.
struct Magnitudes {
  HWY_INLINE explicit Magnitudes(VF v) : least(hn::Abs(v)), most(least) {}
  HWY_INLINE void Add(VF v) {
    least = VF{_mm512_range_ps(least.raw, v.raw, 0xa)};
    most = VF{_mm512_range_ps(most.raw, v.raw, 0xb)};
  }
  HWY_INLINE __mmask16 Inside(float low, float high) const {
    const __mmask16 above = _mm512_cmp_ps_mask(least.raw, _mm512_set1_ps(low), _CMP_GE_OQ);
    return _mm512_mask_cmp_ps_mask(above, most.raw, _mm512_set1_ps(high), _CMP_LE_OQ);
  }
  HWY_INLINE bool Within(float low, float high) const { return Inside(low, high) == 0xffff; }
  VF least, most;
};

// One vector of four lines, divided by b. The residual of a * reciprocal, which is up to
// 1.5 units off, decides the rounding (Markstein). Only a quotient within 2^-22 units of
// a middle might still go wrong; tests/accuracy tries all of them.
template <class Columns>
HWY_INLINE void DivideFour(const float* a, ptrdiff_t a_line, VF b, VF reciprocal, float* dst,
                           ptrdiff_t dst_line, const Columns& columns) {
  VF v[4], r[4];
  PTO_UNROLL_WHOLE
  for (int i = 0; i < 4; ++i) v[i] = columns.Load(a + i * a_line);
  Magnitudes seen(v[0]);
  PTO_UNROLL_WHOLE
  for (int i = 1; i < 4; ++i) seen.Add(v[i]);
  // A NaN is passed over by `seen`; a comparison looks through two vectors for it.
  __mmask16 fine = seen.Inside(kMinDividend, kMaxDividend);
  fine = _mm512_mask_cmp_ps_mask(fine, v[0].raw, v[1].raw, _CMP_ORD_Q);
  fine = _mm512_mask_cmp_ps_mask(fine, v[2].raw, v[3].raw, _CMP_ORD_Q);
  if (HWY_UNLIKELY(fine != 0xffff)) {
    DivideRare(r, v, {b, b, b, b});
  } else {
    PTO_UNROLL_WHOLE
    for (int i = 0; i < 4; ++i) {
      const VF q = hn::Mul(v[i], reciprocal);
      r[i] = hn::MulAdd(hn::NegMulAdd(q, b, v[i]), reciprocal, q);
    }
  }
  PTO_UNROLL_WHOLE
  for (int i = 0; i < 4; ++i) columns.Store(r[i], dst + i * dst_line);
}

struct Whole {
  HWY_INLINE VF Load(const float* from) const { return hn::LoadU(DF(), from); }
  HWY_INLINE void Store(VF v, float* to) const { hn::StoreU(v, DF(), to); }
};

// The last elements of a line; the lanes past them hold 1.
struct Part {
  HWY_INLINE explicit Part(size_t count) : mask(hn::FirstN(DF(), count)) {}
  HWY_INLINE VF Load(const float* from) const {
    return hn::IfThenElse(mask, hn::MaskedLoad(mask, DF(), from), Const(1.0f));
  }
  HWY_INLINE void Store(VF v, float* to) const { hn::BlendedStore(v, mask, DF(), to); }
  MF mask;
};

// Lines that all have the same divisors: a reciprocal of each, for a block of columns at a
// time, and then four lines at a time. 3 fused steps a vector against a division, which
// takes 6 cycles on Zen 4 and 16 on Sapphire Rapids. Under 32 lines the reciprocals do not pay on
// Zen 4.
static HWY_NOINLINE void DivideLines(float* dst_first, const float* a_first, const float* b_first,
                                     ptrdiff_t dst_line, ptrdiff_t a_line, size_t lines,
                                     size_t total) {
  const DF df;
  constexpr size_t kLanes = hn::MaxLanes(DF());
  constexpr size_t kCapacity = kBroadcastBytes / sizeof(float);
  HWY_ALIGN float reciprocals[kCapacity];
  for (size_t first = 0; first < total; first += kCapacity) {
    const size_t count = HWY_MIN(total - first, kCapacity);
    const size_t whole = count - count % kLanes;
    const Part part(count % kLanes);
    const float* a = a_first + first;
    const float* b = b_first + first;
    float* dst = dst_first + first;
    Magnitudes divisors(Const(1.0f));
    MF ordinary = hn::FirstN(df, kLanes);
    for (size_t k = 0; k < count; k += kLanes) {
      const VF v = k < whole ? hn::LoadU(df, b + k) : part.Load(b + k);
      ordinary = hn::And(ordinary, hn::Eq(v, v));
      divisors.Add(v);
      hn::Store(hn::Div(Const(1.0f), v), df, reciprocals + k);
    }
    size_t i = 0;
    if (divisors.Within(kMinDivisor, kMaxDivisor) && hn::AllTrue(df, ordinary)) {
      for (; i + 4 <= lines; i += 4, a += 4 * a_line, dst += 4 * dst_line) {
        for (size_t k = 0; k < whole; k += kLanes) {
          DivideFour(a + k, a_line, hn::LoadU(df, b + k), hn::Load(df, reciprocals + k), dst + k,
                     dst_line, Whole());
        }
        if (whole != count) {
          DivideFour(a + whole, a_line, part.Load(b + whole), hn::Load(df, reciprocals + whole),
                     dst + whole, dst_line, part);
        }
      }
    }
    if (i != lines) kDivideAny(dst, a, b, dst_line, a_line, 0, lines - i, count, nullptr, 0);
  }
}

static void DivideF32(void* dst, const void* a, const void* b, ptrdiff_t dst_line, ptrdiff_t a_line,
                      ptrdiff_t b_line, size_t lines, size_t count, const void* /*c*/,
                      ptrdiff_t /*c_line*/) {
  if (b_line == 0 && lines >= 8) {
    DivideLines(static_cast<float*>(dst), static_cast<const float*>(a),
                static_cast<const float*>(b), dst_line, a_line, lines, count);
  } else {
    kDivideAny(dst, a, b, dst_line, a_line, b_line, lines, count, nullptr, 0);
  }
}

HWY_INLINE bool Usual(VF divisor) { return Magnitudes(divisor).Within(kMinDivisor, kMaxDivisor); }
// Four vectors by one divisor. It pays from longer lines on: on Zen 5 the divider takes 2.6 cycles
// a vector.
constexpr size_t kByOne = 4 * hn::MaxLanes(DF());
constexpr size_t kLeastByOne = 5 * kByOne;
HWY_INLINE void DivideByOne(const float* a, VF divisor, VF reciprocal, float* dst) {
  constexpr ptrdiff_t kNext = hn::MaxLanes(DF());
  DivideFour(a, kNext, divisor, reciprocal, dst, kNext, Whole());
}

constexpr Block kDivideF32 = DivideF32;

#elif HWY_TARGET == HWY_AVX2

// Larger than kFar for magnitudes outside of [2^-60, 2^60), as unsigned numbers: with divisors
// from 2^-30 to 2^30 no step of a quotient can overflow or lose bits to underflow.
constexpr uint32_t kFar = (120u << 24) - 1;
HWY_INLINE VU Farness(VF v) {
  const VU doubled = hn::Add(Bits(v), Bits(v));  // without the sign
  return hn::Sub(doubled, hn::Set(DU(), 67u << 24));
}
HWY_INLINE VU Far(VU farness) {
  const VU least = hn::Set(DU(), kFar + 1);
  return hn::VecFromMask(DU(), hn::Eq(hn::Max(farness, least), farness));
}

// Divisors of two vectors. The divider takes one; meanwhile the other is multiplied by the
// reciprocal, and the residual of that, which is up to 1.5 units off, decides the rounding
// (Markstein). Only a quotient within 2^-22 units of a middle might still go wrong; tests/accuracy
// tries all of them.
struct DivisorPair {
  static constexpr size_t kWidth = 2 * hn::MaxLanes(DF());

  explicit HWY_INLINE DivisorPair(const float* b)
      : first(hn::LoadU(DF(), b)), second(hn::LoadU(DF(), b + kWidth / 2)) {}
  explicit HWY_INLINE DivisorPair(VF b) : first(b), second(b) {}

  HWY_INLINE VF Reciprocal() const { return hn::Div(Const(1.0f), second); }
  // Whether reciprocals will do: the range of divisors has half the exponents.
  HWY_INLINE bool Usual() const {
    return hn::AllFalse(DU(), hn::MaskFromVec(Far(Farness(hn::Mul(second, second)))));
  }

  VF first, second;
};

// For two pairs of vectors, each with its divisors.
HWY_INLINE void DivideTwoPairs(const float* const (&a)[2], const DivisorPair (&divisors)[2],
                               const VF (&reciprocals)[2], float* const (&dst)[2]) {
  const DF df;
  constexpr size_t kLanes = hn::MaxLanes(DF());
  VF r1[2], a2[2], r2[2];
  PTO_UNROLL_WHOLE
  for (int i = 0; i < 2; ++i) {
    r1[i] = hn::Div(hn::LoadU(df, a[i]), divisors[i].first);
    a2[i] = hn::LoadU(df, a[i] + kLanes);
    const VF q = hn::Mul(a2[i], reciprocals[i]);
    r2[i] = hn::MulAdd(hn::NegMulAdd(q, divisors[i].second, a2[i]), reciprocals[i], q);
  }
  const VF unordered{_mm256_cmp_ps(r1[0].raw, r1[1].raw, _CMP_UNORD_Q)};
  const VU far = Far(hn::Max(Farness(a2[0]), Farness(a2[1])));
  if (HWY_UNLIKELY(_mm256_movemask_ps(hn::Or(unordered, FromBits(far)).raw) != 0)) {
    PTO_UNROLL_WHOLE
    for (int i = 0; i < 2; ++i) {
      r1[i] = CanonicalNaN(r1[i]);
      r2[i] = CanonicalNaN(hn::Div(a2[i], divisors[i].second));
    }
  }
  PTO_UNROLL_WHOLE
  for (int i = 0; i < 2; ++i) {
    hn::StoreU(r1[i], df, dst[i]);
    hn::StoreU(r2[i], df, dst[i] + kLanes);
  }
}

struct DividedLines {
  float* dst;
  const float* a;
  ptrdiff_t dst_line, a_line;
  size_t lines;
};

// Columns of a few pairs, one pair after the other: divisors stay in registers.
HWY_INLINE void DivideColumns(const DividedLines& at, const float* b, size_t total) {
  for (size_t k = 0; k < total; k += DivisorPair::kWidth) {
    const DivisorPair divisors(b + k);
    const float* a = at.a + k;
    float* dst = at.dst + k;
    if (HWY_UNLIKELY(!divisors.Usual())) {
      Loop<OnPlain<float, DivLane>>(dst, a, b + k, at.dst_line, at.a_line, 0, at.lines,
                                    DivisorPair::kWidth);
      continue;
    }
    const VF reciprocal = divisors.Reciprocal();
    size_t i = 0;
    for (; i + 2 <= at.lines; i += 2, a += 2 * at.a_line, dst += 2 * at.dst_line) {
      DivideTwoPairs({a, a + at.a_line}, {divisors, divisors}, {reciprocal, reciprocal},
                     {dst, dst + at.dst_line});
    }
    if (i != at.lines) {
      DivideTwoPairs({a, a}, {divisors, divisors}, {reciprocal, reciprocal}, {dst, dst});
    }
  }
}

// Lines of many pairs.
static HWY_NOINLINE void DivideLines(const DividedLines& at, const float* b, size_t total) {
  const DF df;
  constexpr size_t kCapacity = kBroadcastBytes / sizeof(float);
  HWY_ALIGN float reciprocals[kCapacity];
  for (size_t first = 0; first < total; first += kCapacity) {
    const size_t count = HWY_MIN(total - first, kCapacity);
    const float* a = at.a + first;
    float* dst = at.dst + first;
    bool usual = true;
    for (size_t k = 0; k < count; k += DivisorPair::kWidth) {
      const DivisorPair divisors(b + first + k);
      usual &= divisors.Usual();
      hn::Store(divisors.Reciprocal(), df, reciprocals + k);
    }
    if (!usual) {
      Loop<OnPlain<float, DivLane>>(dst, a, b + first, at.dst_line, at.a_line, 0, at.lines, count);
      continue;
    }
    for (size_t i = 0; i < at.lines; ++i, a += at.a_line, dst += at.dst_line) {
      for (size_t k = 0; k < count; k += 2 * DivisorPair::kWidth) {
        // If the number is odd, the last is divided twice.
        const size_t next = HWY_MIN(k + DivisorPair::kWidth, count - DivisorPair::kWidth);
        DivideTwoPairs({a + k, a + next},
                       {DivisorPair(b + first + k), DivisorPair(b + first + next)},
                       {hn::Load(df, reciprocals + k), hn::Load(df, reciprocals + next)},
                       {dst + k, dst + next});
      }
    }
  }
}

static void DivideF32(void* dst_bytes, const void* a_bytes, const void* b_bytes, ptrdiff_t dst_line,
                      ptrdiff_t a_line, ptrdiff_t b_line, size_t lines, size_t count,
                      const void* /*c*/, ptrdiff_t /*c_line*/) {
  constexpr size_t kLanes = hn::MaxLanes(DF());
  float* dst = static_cast<float*>(dst_bytes);
  const float* a = static_cast<const float*>(a_bytes);
  const float* b = static_cast<const float*>(b_bytes);
  const size_t rest = count % DivisorPair::kWidth;
  size_t from = 0;  // where divisions begin that all are the divider's
  if (b_line == 0 && lines >= 8 && count >= DivisorPair::kWidth && (rest == 0 || dst != a)) {
    const DividedLines at{dst, a, dst_line, a_line, lines};
    if (count < 4 * DivisorPair::kWidth) {
      DivideColumns(at, b, count - rest);
    } else {
      DivideLines(at, b, count - rest);
    }
    if (rest == 0) return;
    from = count - HWY_MAX(rest, kLanes);
  }
  kDivideAny(dst + from, a + from, b + from, dst_line, a_line, b_line, lines, count - from, nullptr,
             0);
}

HWY_INLINE bool Usual(VF divisor) { return DivisorPair(divisor).Usual(); }
constexpr size_t kByOne = 2 * DivisorPair::kWidth;
constexpr size_t kLeastByOne = kByOne;
HWY_INLINE void DivideByOne(const float* a, VF divisor, VF reciprocal, float* dst) {
  const DivisorPair by(divisor);
  DivideTwoPairs({a, a + DivisorPair::kWidth}, {by, by}, {reciprocal, reciprocal},
                 {dst, dst + DivisorPair::kWidth});
}

constexpr Block kDivideF32 = DivideF32;

#else

constexpr Block kDivideF32 = kDivideAny;
constexpr Block kDivideLines = UniformOf<OnPlain<float, DivLane>>();

#endif

#if PTO_AVX512 || HWY_TARGET == HWY_AVX2

// Lines with one divisor each: one reciprocal per line.
static void DivideLinesByOne(void* dst_bytes, const void* a_bytes, const void* b_bytes,
                             ptrdiff_t dst_line, ptrdiff_t a_line, ptrdiff_t b_line, size_t lines,
                             size_t count, const void* /*c*/, ptrdiff_t /*c_line*/) {
#if PTO_AVX512
  constexpr Block kByDivider = Loop<DivideByElement, true>;
#else
  constexpr Block kByDivider = Loop<OnPlain<float, DivLane>, true>;
#endif
  if (count < kLeastByOne)
    return kByDivider(dst_bytes, a_bytes, b_bytes, dst_line, a_line, b_line, lines, count, nullptr,
                      0);
  size_t whole = count - count % kByOne;
  // Without masks the last vector overlaps the one before, which must not have been divided yet.
  if (!PTO_AVX512 && whole != count && count - whole < hn::MaxLanes(DF())) whole -= kByOne;
  float* dst = static_cast<float*>(dst_bytes);
  const float* a = static_cast<const float*>(a_bytes);
  const float* b = static_cast<const float*>(b_bytes);
  for (size_t i = 0; i < lines; ++i, dst += dst_line, a += a_line, b += b_line) {
    const VF divisor = Const(*b);
    const size_t end = Usual(divisor) ? whole : 0;
    const VF reciprocal = hn::Div(Const(1.0f), divisor);
    for (size_t k = 0; k < end; k += kByOne) DivideByOne(a + k, divisor, reciprocal, dst + k);
    if (end != count) kByDivider(dst + end, a + end, b, 0, 0, 0, 1, count - end, nullptr, 0);
  }
}

constexpr Block kDivideLines = DivideLinesByOne;

#endif

// 8 and 16 bits through f32: a quotient that is not an integer differs from
// the next one by more than 2^-17 of itself, which f32 division keeps apart.
template <typename Element>
struct DivSmallInt : FunBase<2> {
  using T = Element;
  using D = hn::Rebind<T, DF>;
  using V = hn::Vec<D>;
  static constexpr size_t kUnroll = 1;

  HWY_INLINE V operator()(V a, V b) const {
    const DF df;
    const DI di;
    const hn::RebindToUnsigned<D> du;
    const VF vb = hn::ConvertTo(df, hn::PromoteTo(di, b));
    const VI q = hn::ConvertTo(di, hn::Div(hn::ConvertTo(df, hn::PromoteTo(di, a)), vb));
    const auto by_zero = hn::RebindMask(di, hn::Eq(vb, hn::Zero(df)));
    const VI result = hn::IfThenZeroElse(by_zero, q);
    return hn::BitCast(D(), hn::TruncateTo(du, hn::BitCast(DU(), result)));
  }
};

// 32 bits through f64, by the same argument.
template <typename Element>
struct DivInt32 : FunBase<2> {
  using T = Element;
  using D = hn::Rebind<T, DD>;
  using V = hn::Vec<D>;
  static constexpr size_t kUnroll = 1;

  static HWY_INLINE VD ToDouble(V v) {
    const DD dd;
    const hn::Rebind<int32_t, DD> di32;
    if constexpr (std::is_signed_v<T>) {
      return hn::PromoteTo(dd, v);
    } else {
      const auto flipped = hn::Xor(v, hn::Set(D(), T{0x80000000u}));
      return hn::Add(hn::PromoteTo(dd, hn::BitCast(di32, flipped)), hn::Set(dd, 0x1p31));
    }
  }

  HWY_INLINE V operator()(V a, V b) const {
    const DD dd;
    const hn::RebindToUnsigned<DD> du64;
    const hn::Rebind<uint32_t, DD> du32;
    const VD vb = ToDouble(b);
    const VD q = hn::Trunc(hn::Div(ToDouble(a), vb));
    // |q| <= 2^32: the sum's low 32 bits are the low bits of q.
    const auto bits = hn::BitCast(du64, hn::Add(q, hn::Set(dd, 0x1.8p52)));
    const auto by_zero = hn::RebindMask(du64, hn::Eq(vb, hn::Zero(dd)));
    return hn::BitCast(D(), hn::TruncateTo(du32, hn::IfThenZeroElse(by_zero, bits)));
  }
};

// 64 bits one by one: no target has a division of vectors of them, nor a float that holds them.
// A divisor of -1 negates, which wraps where the processor would trap.
template <typename T>
HWY_INLINE T DivideOne(T a, T b) {
  if (b == 0) return 0;
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return static_cast<T>(0 - static_cast<uint64_t>(a));
  if (((static_cast<uint64_t>(a) | static_cast<uint64_t>(b)) >> 32) ==
      0) {  // several times as fast
    return static_cast<T>(static_cast<uint32_t>(a) / static_cast<uint32_t>(b));
  }
  return a / b;
}

template <typename Element>
struct DivInt64 : FunBase<2> {
  using T = Element;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr size_t kUnroll = 1;

  HWY_INLINE V operator()(V a, V b) const {
    const D d;
    HWY_ALIGN T as[hn::MaxLanes(D())];
    HWY_ALIGN T bs[hn::MaxLanes(D())];
    hn::Store(a, d, as);
    hn::Store(b, d, bs);
    for (size_t i = 0; i < hn::Lanes(d); ++i) as[i] = DivideOne(as[i], bs[i]);
    return hn::Load(d, as);
  }
};

static constexpr Kernels kDivInts =
    Only<DType::kI8>(PlainBy<DivSmallInt<int8_t>, QuotientBy<int8_t>>()) |
    Only<DType::kU8>(PlainBy<DivSmallInt<uint8_t>, QuotientBy<uint8_t>>()) |
    Only<DType::kI16>(PlainBy<DivSmallInt<int16_t>, QuotientBy<int16_t>>()) |
    Only<DType::kU16>(PlainBy<DivSmallInt<uint16_t>, QuotientBy<uint16_t>>()) |
    Only<DType::kI32>(PlainBy<DivInt32<int32_t>, QuotientBy<int32_t>>()) |
    Only<DType::kU32>(PlainBy<DivInt32<uint32_t>, QuotientBy<uint32_t>>()) |
    Only<DType::kI64>(Plain<DivInt64<int64_t>>()) | Only<DType::kU64>(Plain<DivInt64<uint64_t>>());

static constexpr Row kDivideRows[] = {
    {Lane::kSqrt, Floats<SqrtLane>() | Only<DType::kF32>(Plain<SqrtF32>()) | kSqrtNarrow},
    {Lane::kRecip, Ints<RecipLane>() | Floats<RecipLane>() | Only<DType::kF32>(Plain<RecipF32>())},
    {Lane::kDiv, kDivInts | Floats<DivLane>() |
                     Only<DType::kF32>(KernelOf<OnPlain<float, DivLane>>(
                         kDivideF32, StreamOf<OnPlain<float, DivLane>>(), kDivideLines))},
};

static Kernel PickDivideHere(Lane lane, DType dtype) { return Find(kDivideRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickDivideHere);

Kernel PickDivide(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickDivideHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
