// Kernels of sums and products, of whatever is one or two instructions: copy, add, subtract,
// multiply, prelu, relu, and two sums one after the other.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
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

// For signed types. An unsigned a is itself: a > 0 or a is 0 and so is a * b.
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

// The step between two operations: the first one's result as an element of its type.
struct AsPlain {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return v;
  }
};
// NaNs need not be canonical here: zeros after their bits of f16 or bf16 round to zero.
struct AsBF16 {
  HWY_INLINE VF operator()(VF v) const {
    return FromBits(hn::And(RoundToBF16(v), hn::Set(DU(), 0xffff0000u)));
  }
};
// For sums of two f16, multiples of 2^-24: sums below the normal numbers are exact. From
// 2^16 on numbers become infinities, which they are 2^112 times as large.
struct AsF16 {
  HWY_INLINE VF operator()(VF v) const {
    const DU du;
    const VU u = Bits(v);
    const VU odd = hn::And(hn::ShiftRight<13>(u), hn::Set(du, 1u));
    const VU rounded = hn::Add(u, hn::Add(odd, hn::Set(du, 0xfffu)));
    const VF r = FromBits(hn::And(rounded, hn::Set(du, 0xffffe000u)));
    return hn::Mul(hn::Mul(r, Const(0x1p112f)), Const(0x1p-112f));
  }
};

template <class First, class Second, class Between>
struct Then : FunBase<3> {
  template <class V>
  HWY_INLINE V operator()(V a, V b, V c) const {
    return Second()(Between()(First()(a, b)), c);
  }
};

template <class First, class Second>
constexpr Kernels InTurn() {
  return IntsAlike<Then<First, Second, AsPlain>>() |
         Only<DType::kF16>(Plain<OnF16<Then<First, Second, AsF16>>>()) |
         Only<DType::kBF16>(Plain<OnBF16<Then<First, Second, AsBF16>>>()) |
         Only<DType::kF32>(Plain<OnPlain<float, Then<First, Second, AsPlain>>>());
}

static constexpr Row kArithRows[] = {
    {Lane::kCopy, Bits<CopyLane>()},
    {Lane::kAdd, IntsAlike<AddLane>() | Floats<AddLane>()},
    {Lane::kSub, IntsAlike<SubLane>() | Floats<SubLane>()},
    {Lane::kMul, IntsAlike<MulLane>() | Floats<MulLane>()},
    {Lane::kPrelu, Signed<PreluLane>() | Unsigned<CopyLane>() | Floats<PreluLane>()},
    {Lane::kRelu, Signed<ReluLane>() | Unsigned<CopyLane>() | Floats<ReluLane>()},
    {Lane::kSubRelu,
     Signed<ThenRelu<SubLane>>() | Unsigned<SubLane>() | Floats<ThenRelu<SubLane>>()},
    {Lane::kAddAdd, InTurn<AddLane, AddLane>()},
    {Lane::kSubAdd, InTurn<SubLane, AddLane>()},
};

static Kernel PickArithHere(Lane lane, DType dtype) { return Find(kArithRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickArithHere);

Kernel PickArith(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickArithHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
