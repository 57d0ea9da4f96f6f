// Kernels of sums and products, of whatever is one or two instructions: copy, add, subtract,
// multiply, prelu, relu.
#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/arith.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/lanes-inl.h"
#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

struct AddLane : FunBase<2> {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};

struct SubLane : FunBase<2> {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Sub(a, b);
  }
};

struct MulLane : FunBase<2> {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return MulWrap(a, b);
  }
};

// Of signed types. An unsigned a is itself: a > 0 or a is 0 and so is a * b.
struct PreluLane : FunBase<2> {
  static constexpr bool kCompares = true;
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    const hn::DFromV<V> d;
    return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), a, MulWrap(a, b));
  }
};

struct ReluLane : FunBase<1> {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return Relu(a);
  }
};

static constexpr Row kRows[] = {
    {Lane::kCopy, Bits<CopyLane>()},
    {Lane::kAdd, IntsAlike<AddLane>() | Floats<AddLane>()},
    {Lane::kSub, IntsAlike<SubLane>() | Floats<SubLane>()},
    {Lane::kMul, IntsAlike<MulLane>() | Floats<MulLane>()},
    {Lane::kPrelu, Signed<PreluLane>() | Unsigned<CopyLane>() | Floats<PreluLane>()},
    {Lane::kRelu, Signed<ReluLane>() | Unsigned<CopyLane>() | Floats<ReluLane>()},
    {Lane::kSubRelu,
     Signed<ThenRelu<SubLane>>() | Unsigned<SubLane>() | Floats<ThenRelu<SubLane>>()},
};

static Kernel Pick(Lane lane, DType dtype) { return Find(kRows, lane, dtype); }

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
