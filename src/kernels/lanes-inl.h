// Shared by lane functions of several files.
#if defined(PTO_SRC_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_LANES_INL_H_
#undef PTO_SRC_KERNELS_LANES_INL_H_
#else
#define PTO_SRC_KERNELS_LANES_INL_H_
#endif

#include "src/kernels/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

struct CopyLane : FunBase<1> {
  static constexpr bool kFills = true;
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return a;
  }
};

// The low halves of products; there are no 8-bit multiplies.
template <class V>
HWY_INLINE V MulWrap(V a, V b) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  if constexpr (sizeof(T) > 1) {
    return hn::Mul(a, b);
  } else {
#if HWY_TARGET == HWY_SCALAR
    const unsigned product =
        static_cast<unsigned>(hn::GetLane(a)) * static_cast<unsigned>(hn::GetLane(b));
    return hn::Set(d, static_cast<T>(product));
#else
    const hn::Repartition<uint16_t, decltype(d)> dw;
    const auto low = hn::Set(dw, uint16_t{0x00ff});
    const auto wa = hn::BitCast(dw, a);
    const auto wb = hn::BitCast(dw, b);
    const auto even = hn::And(hn::Mul(wa, wb), low);
    const auto odd = hn::Mul(hn::AndNot(low, wa), hn::ShiftRight<8>(wb));
    return hn::BitCast(d, hn::Or(even, odd));
#endif
  }
}

// max(v, 0); NaN stays NaN, and the sum makes +0 of -0.
template <class V>
HWY_INLINE V Relu(V v) {
  const hn::DFromV<V> d;
  const V zero = hn::Zero(d);
  using T = hn::TFromD<decltype(d)>;
  if constexpr (std::is_floating_point_v<T>) {
    return hn::Add(hn::IfThenZeroElse(hn::Lt(v, zero), v), zero);
  } else if constexpr (std::is_signed_v<T>) {
    return hn::Max(v, zero);
  } else {
    return v;
  }
}

// The functor, and Relu() of what it computes.
template <class Fun>
struct ThenRelu : Fun {
  static constexpr bool kByOne = false;
  template <class... V>
  HWY_INLINE auto operator()(V... v) const {
    return Relu(Fun::operator()(v...));
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_LANES_INL_H_
