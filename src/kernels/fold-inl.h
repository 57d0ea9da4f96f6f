// Shared by the kernels of folds: how elements become lanes of accumulators, and lanes one.
#if defined(PTO_SRC_KERNELS_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_FOLD_INL_H_
#undef PTO_SRC_KERNELS_FOLD_INL_H_
#else
#define PTO_SRC_KERNELS_FOLD_INL_H_
#endif

#include <cstring>
#include <limits>
#include <type_traits>

#include "src/kernels/convert-inl.h"
#include "src/kernels/fold.h"
#include "src/kernels/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Sources: a vector of accumulators, D, from the same number of elements, T. LoadSome() reads n
// only; on targets without masks it does not exist. Floats have Widen(), too: a vector as it
// lies in memory, DRaw, as accumulators.
template <typename Element>
struct AsStored {
  using T = Element;
  using D = hn::ScalableTag<T>;
  using DRaw = D;
  static HWY_INLINE hn::Vec<D> Widen(hn::Vec<D> v) { return v; }
  static HWY_INLINE hn::Vec<D> Load(const T* from) { return hn::LoadU(D(), from); }
  static constexpr bool kMasked = PTO_AVX512 || (HWY_TARGET == HWY_AVX2 && sizeof(T) == 4);
  static HWY_INLINE hn::Vec<D> LoadSome(const T* from, size_t n) {
    return hn::MaskedLoad(hn::FirstN(D(), n), D(), from);
  }
};

struct FromF16 {
  using T = uint16_t;
  using D = DF;
  using DRaw = DH;
  static HWY_INLINE VF Widen(VH v) { return PromoteF16(v); }
  static HWY_INLINE VF Load(const T* from) { return Widen(hn::LoadU(DH(), from)); }
  static constexpr bool kMasked = PTO_AVX512;
  static HWY_INLINE VF LoadSome(const T* from, size_t n) {
    return Widen(hn::MaskedLoad(hn::FirstN(DH(), n), DH(), from));
  }
};

struct FromBF16 {
  using T = uint16_t;
  using D = DF;
  using DRaw = DH;
  static HWY_INLINE VF Widen(VH v) { return FromBits(hn::ShiftLeft<16>(hn::PromoteTo(DU(), v))); }
  static HWY_INLINE VF Load(const T* from) { return Widen(hn::LoadU(DH(), from)); }
  static constexpr bool kMasked = PTO_AVX512;
  static HWY_INLINE VF LoadSome(const T* from, size_t n) {
    return Widen(hn::MaskedLoad(hn::FirstN(DH(), n), DH(), from));
  }
};

// Integers into wider lanes of them.
template <typename Element, typename Lane>
struct Widened {
  using T = Element;
  using D = hn::ScalableTag<Lane>;
  static HWY_INLINE hn::Vec<D> Load(const T* from) {
    return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<T, D>(), from));
  }
  static constexpr bool kMasked = false;
};

// The first n elements, fewer than a vector; zeros follow.
template <class Source, typename T = typename Source::T>
HWY_INLINE hn::Vec<typename Source::D> LoadFirst(const T* from, size_t n) {
  if constexpr (Source::kMasked) {
    return Source::LoadSome(from, n);
  } else {
    HWY_ALIGN T some[hn::MaxLanes(typename Source::D())] = {};
    std::memcpy(some, from, n * sizeof(T));
    return Source::Load(some);
  }
}

// The low 64 bits; Highway has no such multiply on x86.
template <class V>
HWY_INLINE V Mul64(V a, V b) {
  const hn::DFromV<V> d;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, hn::GetLane(a) * hn::GetLane(b));
#else
  const hn::Repartition<uint32_t, decltype(d)> d32;
  const auto low = [&](V x, V y)
                       HWY_ATTR { return hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, y)); };
  const V crossed = hn::Add(low(hn::ShiftRight<32>(a), b), low(a, hn::ShiftRight<32>(b)));
  return hn::Add(low(a, b), hn::ShiftLeft<32>(crossed));
#endif
}

struct SumOp {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
  template <typename T>
  static constexpr T Neutral() {
    return std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T{0};
  }
};

struct ProdOp {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    if constexpr (sizeof(hn::TFromV<V>) == 8) {
      return Mul64(a, b);
    } else {
      return hn::Mul(a, b);
    }
  }
  template <typename T>
  static constexpr T Neutral() {
    return T{1};
  }
};

struct MaxOp {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Max(a, b);
  }
};

// One element of all lanes.
template <class Op, class D>
HWY_INLINE hn::TFromD<D> FoldLanes(D d, hn::Vec<D> v, Op op) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  (void)op;
  return hn::GetLane(v);
#else
  constexpr size_t kBytes = sizeof(hn::TFromD<D>);
  if constexpr (hn::MaxLanes(D()) * kBytes > 16) {
    const hn::Half<D> dh;
    return FoldLanes(dh, op(hn::LowerHalf(dh, v), hn::UpperHalf(dh, v)), op);
  } else {
    v = op(v, hn::ShiftRightBytes<8>(d, v));
    if constexpr (kBytes <= 4) v = op(v, hn::ShiftRightBytes<4>(d, v));
    if constexpr (kBytes <= 2) v = op(v, hn::ShiftRightBytes<2>(d, v));
    if constexpr (kBytes == 1) v = op(v, hn::ShiftRightBytes<1>(d, v));
    return hn::GetLane(v);
  }
#endif
}

// Floats in the order of signed integers, and back.
template <class V>
HWY_INLINE V OrderOfFloat(V x) {
  using T = hn::TFromV<V>;
  const hn::DFromV<V> d;
  return hn::Xor(
      x, hn::And(hn::ShiftRight<8 * sizeof(T) - 1>(x), hn::Set(d, std::numeric_limits<T>::max())));
}

// Accumulators of sums and products, whose NaN are canonical, into results of 16 bits, in place.
template <DType kTo>
void FinishFloats(void* acc, size_t count, uint64_t) {
  const float* from = static_cast<const float*>(acc);
  uint16_t* to = static_cast<uint16_t*>(acc);
  for (size_t k = 0; k < count; k += hn::MaxLanes(DF())) {
    const VF v = hn::LoadU(DF(), from + k);
    if constexpr (kTo == DType::kF16) {
      hn::StoreU(DemoteF16(v), DH(), to + k);
    } else {
      hn::StoreU(hn::TruncateTo(DH(), hn::ShiftRight<16>(RoundToBF16(v))), DH(), to + k);
    }
  }
}

inline FoldFinish FinishOf(DType dst) {
  return dst == DType::kF16    ? FinishFloats<DType::kF16>
         : dst == DType::kBF16 ? FinishFloats<DType::kBF16>
                               : nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_FOLD_INL_H_
