// Kernels whose arithmetic is one or two instructions: copy, add, multiply,
// prelu, for every element type.
#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/arith.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

struct CopyLane : FunBase<1> {
  static constexpr bool kStream = true;

  template <class V>
  HWY_INLINE V operator()(V a) const {
    return a;
  }
};

struct AddLane : FunBase<2> {
  static constexpr bool kStream = true;

  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
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

struct MulLane : FunBase<2> {
  static constexpr bool kStream = true;

  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return MulWrap(a, b);
  }
};

struct PreluLane : FunBase<2> {
  static constexpr bool kStream = true;

  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    const hn::DFromV<V> d;
    using T = hn::TFromD<decltype(d)>;
    if constexpr (std::is_unsigned_v<T>) {
      return a;  // a > 0 or a is 0 and so is a * b
    } else {
      return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), a, MulWrap(a, b));
    }
  }
};

template <class LaneFun>
Kernel ForDType(DType dtype) {
  switch (dtype) {
    case DType::kI8:
      return RunKernel<OnPlain<int8_t, LaneFun>>;
    case DType::kU8:
      return RunKernel<OnPlain<uint8_t, LaneFun>>;
    case DType::kI16:
      return RunKernel<OnPlain<int16_t, LaneFun>>;
    case DType::kU16:
      return RunKernel<OnPlain<uint16_t, LaneFun>>;
    case DType::kI32:
      return RunKernel<OnPlain<int32_t, LaneFun>>;
    case DType::kU32:
      return RunKernel<OnPlain<uint32_t, LaneFun>>;
    case DType::kF16:
      return RunKernel<OnF16<LaneFun>>;
    case DType::kBF16:
      return RunKernel<OnBF16<LaneFun>>;
    case DType::kF32:
      return RunKernel<OnPlain<float, LaneFun>>;
    default:
      return nullptr;
  }
}

static Kernel CopyForDType(DType dtype) {
  switch (Info(dtype).bytes) {
    case 1:
      return RunKernel<OnPlain<uint8_t, CopyLane>>;
    case 2:
      return RunKernel<OnPlain<uint16_t, CopyLane>>;
    case 4:
      return RunKernel<OnPlain<uint32_t, CopyLane>>;
    default:
      return RunKernel<OnPlain<uint64_t, CopyLane>>;
  }
}

static Kernel Pick(Lane lane, DType dtype) {
  switch (lane) {
    case Lane::kCopy:
      return CopyForDType(dtype);
    case Lane::kAdd:
      return ForDType<AddLane>(dtype);
    case Lane::kMul:
      return ForDType<MulLane>(dtype);
    case Lane::kPrelu:
      return ForDType<PreluLane>(dtype);
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

Kernel PickArith(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(Pick)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
