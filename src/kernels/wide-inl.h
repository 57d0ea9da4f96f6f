// f32 through f64 and back: both halves of a vector, correct rounding by two candidates, and
// clamps that keep NaN.
#if defined(PTO_SRC_KERNELS_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_WIDE_INL_H_
#undef PTO_SRC_KERNELS_WIDE_INL_H_
#else
#define PTO_SRC_KERNELS_WIDE_INL_H_
#endif

#include "src/kernels/fma-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// x or a limit, whichever is smaller or larger; NaN of NaN. On x86, Min and Max answer the second
// operand if there is a NaN.
HWY_INLINE VF AtMost(VF x, float limit) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Min(Const(limit), x);
#else
  return hn::IfThenElse(hn::Gt(x, Const(limit)), Const(limit), x);
#endif
}
HWY_INLINE VF AtLeast(VF x, float limit) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(Const(limit), x);
#else
  return hn::IfThenElse(hn::Lt(x, Const(limit)), Const(limit), x);
#endif
}

// The lanes of a VF as f64, in their order.
struct Wide {
#if HWY_TARGET == HWY_SCALAR
  explicit HWY_INLINE Wide(VF v) : low(hn::PromoteTo(DD(), v)) {}
  explicit HWY_INLINE Wide(VD l) : low(l) {}
  HWY_INLINE VF Narrow() const { return Const(static_cast<float>(hn::GetLane(low))); }
  VD low;
#else
  explicit HWY_INLINE Wide(VF v)
      : low(hn::PromoteTo(DD(), hn::LowerHalf(hn::Half<DF>(), v))),
        high(hn::PromoteTo(DD(), hn::UpperHalf(hn::Half<DF>(), v))) {}
  HWY_INLINE Wide(VD l, VD h) : low(l), high(h) {}
  HWY_INLINE VF Narrow() const { return JoinF64(high, low); }
  VD low, high;
#endif
};

// Integers of 32 bits as f64.
template <class V>
HWY_INLINE VD FromInt32(V v) {
  const DD dd;
  const hn::Rebind<int32_t, DD> di32;
  using T = hn::TFromV<V>;
  if constexpr (std::is_signed_v<T>) {
    return hn::PromoteTo(dd, v);
  } else {
    const auto flipped = hn::Xor(v, hn::Set(hn::Rebind<T, DD>(), T{0x80000000u}));
    return hn::Add(hn::PromoteTo(dd, hn::BitCast(di32, flipped)), hn::Set(dd, 0x1p31));
  }
}

// fun of each half of the operands.
template <class Fun, class... W>
HWY_INLINE Wide Halves(const Fun& fun, const W&... w) {
#if HWY_TARGET == HWY_SCALAR
  return Wide(fun(w.low...));
#else
  return Wide(fun(w.low...), fun(w.high...));
#endif
}

// The f32 on both sides of s, as far as its relative error reaches.
struct Candidates {
  HWY_INLINE Candidates(const Wide& s, double error)
      : low(Halves([error](VD v) HWY_ATTR { return hn::NegMulAdd(v, hn::Set(DD(), error), v); }, s)
                .Narrow()),
        high(Halves([error](VD v) HWY_ATTR { return hn::MulAdd(v, hn::Set(DD(), error), v); }, s)
                 .Narrow()) {}
  // False for NaN, too.
  HWY_INLINE bool Agree() const { return hn::AllTrue(DF(), hn::Eq(low, high)); }
  VF low, high;
};

// The lanes of r where the candidates differ, one by one. NaN stay.
using RoundOne = float (*)(float x);
HWY_MAYBE_UNUSED static HWY_NOINLINE VF RoundUndecided(RoundOne round, VF x, VF low, VF high) {
  const DF df;
  constexpr size_t kMaxLanes = hn::MaxLanes(DF());
  HWY_ALIGN float xs[kMaxLanes];
  HWY_ALIGN float lows[kMaxLanes];
  HWY_ALIGN float highs[kMaxLanes];
  hn::Store(x, df, xs);
  hn::Store(low, df, lows);
  hn::Store(high, df, highs);
  for (size_t i = 0; i < hn::Lanes(df); ++i) {
    if (lows[i] < highs[i] || lows[i] > highs[i]) lows[i] = round(xs[i]);
  }
  return hn::Load(df, lows);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_WIDE_INL_H_
