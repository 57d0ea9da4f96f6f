// Division for every element type: IEEE for floats; truncating for integers,
// with x / 0 = 0 and MIN / -1 = MIN.
#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/divide.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

struct DivLane : FunBase<2> {
  static constexpr bool kStream = true;

  HWY_INLINE VF operator()(VF a, VF b) const { return hn::Div(a, b); }
};

#if PTO_AVX512

// Magnitudes of the divisors and quotients that DivideFour() takes: no step of it can then
// overflow or lose bits to underflow.
constexpr float kMinDivisor = 0x1p-30f;
constexpr float kMaxDivisor = 0x1p30f;
constexpr float kMinQuotient = 0x1p-60f;
constexpr float kMaxQuotient = 0x1p90f;

// The smallest and the largest magnitudes seen. Quiet NaN are passed over; a signalling
// one would take along what was seen before.
struct Magnitudes {
  HWY_INLINE explicit Magnitudes(VF v) : least(hn::Abs(v)), most(least) {}
  HWY_INLINE void Add(VF v) {
    least = VF{_mm512_range_ps(least.raw, v.raw, 0xa)};
    most = VF{_mm512_range_ps(most.raw, v.raw, 0xb)};
  }
  HWY_INLINE bool Within(float low, float high) const {
    const __mmask16 above = _mm512_cmp_ps_mask(least.raw, _mm512_set1_ps(low), _CMP_GE_OQ);
    return _mm512_mask_cmp_ps_mask(above, most.raw, _mm512_set1_ps(high), _CMP_LE_OQ) == 0xffff;
  }
  VF least, most;
};

// One vector of four lines, divided by b. The residual of a * reciprocal, which is up to
// 1.5 units off, decides the rounding (Markstein). Only a quotient within 2^-22 units of
// a middle might still go wrong; tests/accuracy tries all of them.
template <class Columns>
HWY_INLINE void DivideFour(const float* a, ptrdiff_t a_line, VF b, VF reciprocal, float* dst,
                           ptrdiff_t dst_line, const Columns& columns) {
  VF v[4], q[4], r[4];
  for (int i = 0; i < 4; ++i) v[i] = columns.Load(a + i * a_line);
  for (int i = 0; i < 4; ++i) q[i] = hn::Mul(v[i], reciprocal);
  Magnitudes seen(q[0]);
  for (int i = 1; i < 4; ++i) seen.Add(q[i]);
  for (int i = 0; i < 4; ++i) {
    r[i] = hn::MulAdd(hn::NegMulAdd(q[i], b, v[i]), reciprocal, q[i]);
  }
  if (HWY_UNLIKELY(!seen.Within(kMinQuotient, kMaxQuotient))) {
    for (int i = 0; i < 4; ++i) r[i] = hn::Div(v[i], b);
  }
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

using DivideF32 = OnPlain<float, DivLane>;

// Lines that all have the same divisors: a reciprocal of each, for a block of columns at a
// time, and then four lines at a time. 3 fused steps a vector against a division, which
// takes 6 cycles on Zen 4 and 16 on Sapphire Rapids.
static HWY_NOINLINE void DivideLines(const Grid& g) {
  const DF df;
  constexpr size_t kLanes = hn::MaxLanes(DF());
  constexpr size_t kCapacity = kBroadcastBytes / sizeof(float);
  HWY_ALIGN float reciprocals[kCapacity];
  for (size_t first = 0; first < g.count; first += kCapacity) {
    const size_t count = HWY_MIN(g.count - first, kCapacity);
    const size_t whole = count - count % kLanes;
    const Part part(count % kLanes);
    const float* a = static_cast<const float*>(g.a) + first;
    const float* b = static_cast<const float*>(g.b) + first;
    float* dst = static_cast<float*>(g.dst) + first;
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
      for (; i + 4 <= g.lines; i += 4, a += 4 * g.a_line, dst += 4 * g.dst_line) {
        for (size_t k = 0; k < whole; k += kLanes) {
          DivideFour(a + k, g.a_line, hn::LoadU(df, b + k), hn::Load(df, reciprocals + k), dst + k,
                     g.dst_line, Whole());
        }
        if (whole != count) {
          DivideFour(a + whole, g.a_line, part.Load(b + whole), hn::Load(df, reciprocals + whole),
                     dst + whole, g.dst_line, part);
        }
      }
    }
    Lines(DivideF32(), Rect<float>{dst, a, b, g.dst_line, g.a_line, 0, g.lines - i, count});
  }
}

static void DivideF32Lines(const Grid& g) {
  const bool same = g.b_line == 0 && g.b_step == 1 && g.a_step == 1 && g.count > 1;
  if (same && g.lines >= 8 && !BeyondCaches<float>(g, 2)) {
    DivideLines(g);
  } else {
    RunKernel<DivideF32>(g);
  }
}

#endif

// 8 and 16 bits through f32: a quotient that is not an integer differs from
// the next one by more than 2^-17 of itself, which f32 division keeps apart.
template <typename Element>
struct DivSmallInt : FunBase<2> {
  using T = Element;
  using D = hn::Rebind<T, DF>;
  using V = hn::Vec<D>;
  static constexpr T kOne = 1;

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
  static constexpr T kOne = 1;

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
    // |q| <= 2^32: the sum's low 32 bits are those of q.
    const auto bits = hn::BitCast(du64, hn::Add(q, hn::Set(dd, 0x1.8p52)));
    const auto by_zero = hn::RebindMask(du64, hn::Eq(vb, hn::Zero(dd)));
    return hn::BitCast(D(), hn::TruncateTo(du32, hn::IfThenZeroElse(by_zero, bits)));
  }
};

static Kernel Pick(Lane lane, DType dtype) {
  if (lane != Lane::kDiv) return nullptr;
  switch (dtype) {
    case DType::kI8:
      return RunKernel<DivSmallInt<int8_t>>;
    case DType::kU8:
      return RunKernel<DivSmallInt<uint8_t>>;
    case DType::kI16:
      return RunKernel<DivSmallInt<int16_t>>;
    case DType::kU16:
      return RunKernel<DivSmallInt<uint16_t>>;
    case DType::kI32:
      return RunKernel<DivInt32<int32_t>>;
    case DType::kU32:
      return RunKernel<DivInt32<uint32_t>>;
    case DType::kF16:
      return RunKernel<OnF16<DivLane>>;
    case DType::kBF16:
      return RunKernel<OnBF16<DivLane>>;
    case DType::kF32:
#if PTO_AVX512
      return DivideF32Lines;
#else
      return RunKernel<OnPlain<float, DivLane>>;
#endif
    default:
      return nullptr;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(Pick);

Kernel PickDivide(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(Pick)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
