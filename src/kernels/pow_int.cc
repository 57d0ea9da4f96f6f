// Integer powers modulo 2^width: square and multiply with one exponent a lane.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// x ** e for kVectors vectors together, which hides the multiplier's latency: as
// many rounds as the longest exponent has bits, read as unsigned. Changes x.
template <size_t kVectors, class D, class V = hn::Vec<D>>
HWY_INLINE void PowUnsigned(D d, V* HWY_RESTRICT x, const V* HWY_RESTRICT e, V* HWY_RESTRICT r) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  using VUns = hn::Vec<decltype(du)>;
  using TU = hn::TFromD<decltype(du)>;
  const VUns bit = hn::Set(du, TU{1});
  VUns left[kVectors];
  VUns any = hn::Zero(du);
  for (size_t i = 0; i < kVectors; ++i) {
    left[i] = hn::BitCast(du, e[i]);
    any = hn::Or(any, left[i]);
    r[i] = hn::Set(d, T{1});
  }
  for (;;) {
    for (size_t i = 0; i < kVectors; ++i) {
      const auto odd = hn::RebindMask(d, hn::TestBit(left[i], bit));
      r[i] = hn::IfThenElse(odd, hn::Mul(r[i], x[i]), r[i]);
      left[i] = hn::ShiftRight<1>(left[i]);
    }
    any = hn::ShiftRight<1>(any);
    if (hn::AllTrue(du, hn::Eq(any, hn::Zero(du)))) break;
    for (size_t i = 0; i < kVectors; ++i) x[i] = hn::Mul(x[i], x[i]);
  }
}

// x ** e of negative exponents: 1 ** e = 1, (-1) ** e = +-1, else 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V PowOfInverse(D d, V x, V e) {
  using T = hn::TFromD<D>;
  const V one = hn::Set(d, T{1});
  const V minus_one = hn::Set(d, static_cast<T>(-1));
  const auto is_even = hn::Eq(hn::And(e, one), hn::Zero(d));
  const V sign = hn::IfThenElse(is_even, one, minus_one);
  return hn::IfThenElse(hn::Eq(x, one), one, hn::IfThenElseZero(hn::Eq(x, minus_one), sign));
}

// The same as PowUnsigned() where some exponent is negative.
template <size_t kVectors, class D, class V = hn::Vec<D>>
HWY_NOINLINE void PowNegative(D d, V* HWY_RESTRICT x, const V* HWY_RESTRICT e, V* HWY_RESTRICT r) {
  V inverse[kVectors];
  V positive[kVectors];
  for (size_t i = 0; i < kVectors; ++i) {
    inverse[i] = PowOfInverse(d, x[i], e[i]);
    positive[i] = hn::Max(e[i], hn::Zero(d));
  }
  PowUnsigned<kVectors>(d, x, positive, r);
  for (size_t i = 0; i < kVectors; ++i) {
    r[i] = hn::IfThenElse(hn::Lt(e[i], hn::Zero(d)), inverse[i], r[i]);
  }
}

template <size_t kVectors, class D, class V = hn::Vec<D>>
HWY_INLINE void PowVectors(D d, V* HWY_RESTRICT x, const V* HWY_RESTRICT e, V* HWY_RESTRICT r) {
  if constexpr (std::is_signed_v<hn::TFromD<D>>) {
    V any = e[0];
    for (size_t i = 1; i < kVectors; ++i) any = hn::Or(any, e[i]);
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Lt(any, hn::Zero(d))))) {
      // Copies: the usual path keeps in registers what has no address.
      V x_copy[kVectors], e_copy[kVectors], r_copy[kVectors];
      for (size_t i = 0; i < kVectors; ++i) {
        x_copy[i] = x[i];
        e_copy[i] = e[i];
      }
      PowNegative<kVectors>(d, x_copy, e_copy, r_copy);
      for (size_t i = 0; i < kVectors; ++i) r[i] = r_copy[i];
      return;
    }
  }
  PowUnsigned<kVectors>(d, x, e, r);
}

// 16 and 32 bits.
template <typename Element>
struct PowIntLane : GroupBase<2> {
  using T = Element;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr T kOne = 1;
  static constexpr bool kJoint = true;
  static constexpr bool kHeavy = true;

  HWY_INLINE V operator()(V a, V b) const {
    V r;
    PowVectors<1>(D(), &a, &b, &r);
    return r;
  }

  template <class Src, class Dst>
  HWY_INLINE uint64_t Joint(Src a, Src b, Dst dst) const {
    const D d;
    const size_t lanes = hn::Lanes(d);
    V x[kGroup], e[kGroup], r[kGroup];
    for (size_t i = 0; i < kGroup; ++i) {
      x[i] = a.Load(d, i * lanes);
      e[i] = b.Load(d, i * lanes);
    }
    PowVectors<kGroup>(d, x, e, r);
    for (size_t i = 0; i < kGroup; ++i) dst.Store(r[i], d, i * lanes);
    return 0;
  }
};

// 8 bits in 16-bit lanes: the low byte of a product needs only low bytes.
template <typename Element>
struct PowByteLane : GroupBase<2> {
  using T = Element;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  using TW = hwy::MakeWide<T>;
  static constexpr T kOne = 1;
  static constexpr size_t kGroup = 2;
  static constexpr bool kJoint = HWY_TARGET != HWY_SCALAR;
  static constexpr bool kHeavy = true;

#if HWY_TARGET == HWY_SCALAR
  using DW = hn::Rebind<TW, D>;
  using VW = hn::Vec<DW>;
  HWY_INLINE V operator()(V a, V b) const {
    const DW dw;
    VW wa = hn::PromoteTo(dw, a);
    const VW wb = hn::PromoteTo(dw, b);
    VW r;
    PowVectors<1>(dw, &wa, &wb, &r);
    return hn::Set(D(), static_cast<T>(hn::GetLane(r)));
  }
#else
  using DW = hn::Repartition<TW, D>;
  using VW = hn::Vec<DW>;

  template <size_t kVectors>
  static HWY_INLINE void Split(const V* a, const V* b, V* out) {
    const DW dw;
    VW x[2 * kVectors];
    VW e[2 * kVectors];
    VW r[2 * kVectors];
    for (size_t i = 0; i < kVectors; ++i) {
      const VW wa = hn::BitCast(dw, a[i]);
      const VW wb = hn::BitCast(dw, b[i]);
      x[2 * i] = hn::ShiftRight<8>(hn::ShiftLeft<8>(wa));
      x[2 * i + 1] = hn::ShiftRight<8>(wa);
      e[2 * i] = hn::ShiftRight<8>(hn::ShiftLeft<8>(wb));
      e[2 * i + 1] = hn::ShiftRight<8>(wb);
    }
    PowVectors<2 * kVectors>(dw, x, e, r);
    const VW low = hn::Set(dw, TW{0xff});
    for (size_t i = 0; i < kVectors; ++i) {
      out[i] = hn::BitCast(D(), hn::Or(hn::And(low, r[2 * i]), hn::ShiftLeft<8>(r[2 * i + 1])));
    }
  }

  HWY_INLINE V operator()(V a, V b) const {
    V r;
    Split<1>(&a, &b, &r);
    return r;
  }

  template <class Src, class Dst>
  HWY_INLINE uint64_t Joint(Src a, Src b, Dst dst) const {
    const D d;
    const size_t lanes = hn::Lanes(d);
    V va[kGroup], vb[kGroup], r[kGroup];
    for (size_t i = 0; i < kGroup; ++i) {
      va[i] = a.Load(d, i * lanes);
      vb[i] = b.Load(d, i * lanes);
    }
    Split<kGroup>(va, vb, r);
    for (size_t i = 0; i < kGroup; ++i) dst.Store(r[i], d, i * lanes);
    return 0;
  }
#endif
};

#if PTO_COMMON_TARGET && HWY_TARGET != HWY_SCALAR
// One exponent for a whole line: its bits are branches, and no masks.
template <typename T>
struct PowBy : ByElement<T> {
  using V = hn::Vec<hn::ScalableTag<T>>;
  static constexpr size_t kUnroll = sizeof(T) == 1 ? 2 : 4;

  HWY_INLINE PowBy() {}
  HWY_INLINE V operator()(V a, V) const {
    V v[1] = {a};
    Together(v);
    return v[0];
  }

  template <size_t kVectors>
  HWY_INLINE void Together(V (&v)[kVectors]) const {
    const hn::ScalableTag<T> d;
    if constexpr (std::is_signed_v<T>) {
      if (this->by < 0) {
        PTO_UNROLL_WHOLE
        for (size_t i = 0; i < kVectors; ++i) v[i] = PowOfInverse(d, v[i], hn::Set(d, this->by));
        return;
      }
    }
    if constexpr (sizeof(T) == 1) {
      const hn::Repartition<uint16_t, decltype(d)> dw;
      hn::Vec<decltype(dw)> halves[2 * kVectors];
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kVectors; ++i) {
        halves[2 * i] = hn::BitCast(dw, v[i]);
        halves[2 * i + 1] = hn::ShiftRight<8>(halves[2 * i]);
      }
      Power(halves);
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kVectors; ++i) {
        const auto even = hn::And(hn::Set(dw, uint16_t{0xff}), halves[2 * i]);
        v[i] = hn::BitCast(d, hn::Or(even, hn::ShiftLeft<8>(halves[2 * i + 1])));
      }
    } else {
      Power(v);
    }
  }

 private:
  template <class W, size_t kVectors>
  HWY_INLINE void Power(W (&x)[kVectors]) const {
    const hn::DFromV<W> d;
    auto left = static_cast<std::make_unsigned_t<T>>(this->by);
    W r[kVectors];
    const W one = hn::Set(d, hn::TFromD<decltype(d)>{1});
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kVectors; ++i) r[i] = (left & 1) != 0 ? x[i] : one;
    while ((left = static_cast<decltype(left)>(left >> 1)) != 0) {
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kVectors; ++i) x[i] = hn::Mul(x[i], x[i]);
      if ((left & 1) == 0) continue;
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kVectors; ++i) r[i] = hn::Mul(r[i], x[i]);
    }
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kVectors; ++i) x[i] = r[i];
  }
};
template <typename T>
constexpr Block kPowBy = Loop<PowBy<T>, true>;
#else
template <typename T>
constexpr Block kPowBy = nullptr;
#endif

// Integer types have no exactness to choose.
static constexpr Kernels kPowInt =
    Only<DType::kI8>(GroupKernel<PowByteLane<int8_t>>(kPowBy<int8_t>)) |
    Only<DType::kU8>(GroupKernel<PowByteLane<uint8_t>>(kPowBy<uint8_t>)) |
    Only<DType::kI16>(GroupKernel<PowIntLane<int16_t>>(kPowBy<int16_t>)) |
    Only<DType::kU16>(GroupKernel<PowIntLane<uint16_t>>(kPowBy<uint16_t>)) |
    Only<DType::kI32>(GroupKernel<PowIntLane<int32_t>>(kPowBy<int32_t>)) |
    Only<DType::kU32>(GroupKernel<PowIntLane<uint32_t>>(kPowBy<uint32_t>));
static constexpr Row kPowIntRows[] = {{Lane::kPow, kPowInt}, {Lane::kPowExact, kPowInt}};

static Kernel PickPowIntHere(Lane lane, DType dtype) { return Find(kPowIntRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickPowIntHere);

Kernel PickPowInt(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickPowIntHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
