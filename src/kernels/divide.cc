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
      return RunKernel<OnPlain<float, DivLane>>;
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
