// Kernels of products and sums: rounded once, or of f16 the product, too, as A2A3 and A5 do in some
// instructions.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/fma-inl.h"
#include "src/kernels/lanes-inl.h"
#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// a * b + c, for elements and f32; for f16 and bf16, which drop `kDropped` bits of an f32.
struct MulAddOnce {
  template <class V>
  HWY_INLINE V operator()(V a, V b, V c) const {
    return hn::Add(MulWrap(a, b), c);
  }
  HWY_INLINE VF operator()(VF a, VF b, VF c) const { return Fma(a, b, c); }
};
template <int kDropped>
struct MulAddNarrow {
  HWY_INLINE VF operator()(VF a, VF b, VF c) const { return FmaNarrow<kDropped>(a, b, c); }
};

// Products and sums of f16 are exact in f32, or round to the same f16.
struct MulAddTwice {
  HWY_INLINE VF operator()(VF a, VF b, VF c) const {
    return hn::Add(PromoteF16(DemoteF16(hn::Mul(a, b))), c);
  }
};

struct FusedBase : FunBase<3> {
  static constexpr size_t kUnroll = PTO_FMA ? 4 : 1;
};

template <class MulAdd>
struct MulAddLane : FusedBase {
  template <class V>
  HWY_INLINE V operator()(V a, V b, V c) const {
    return MulAdd()(a, b, c);
  }
};

template <class MulAdd>
struct FmaLane : FusedBase {
  static constexpr bool kByOne = false;
  template <class V>
  HWY_INLINE V operator()(V a, V b, V c) const {
    return MulAdd()(a, c, b);
  }
};

template <class MulAdd>
using FmaReluLane = ThenRelu<FmaLane<MulAdd>>;

template <template <class> class Lane, class OfF16>
constexpr Kernels FusedFloats() {
  return Only<DType::kF16>(Plain<OnF16<Lane<OfF16>>>()) |
         Only<DType::kBF16>(Plain<OnBF16<Lane<MulAddNarrow<16>>>>()) |
         Only<DType::kF32>(Plain<OnPlain<float, Lane<MulAddOnce>>>());
}

static constexpr Row kFusedRows[] = {
    {Lane::kMulAdd,
     IntsAlike<MulAddLane<MulAddOnce>>() | FusedFloats<MulAddLane, MulAddNarrow<13>>()},
    {Lane::kMulAddTwice,
     IntsAlike<MulAddLane<MulAddOnce>>() | FusedFloats<MulAddLane, MulAddTwice>()},
    {Lane::kFma, IntsAlike<FmaLane<MulAddOnce>>() | FusedFloats<FmaLane, MulAddTwice>()},
    {Lane::kFmaRelu, Signed<FmaReluLane<MulAddOnce>>() | Unsigned<FmaLane<MulAddOnce>>() |
                         FusedFloats<FmaReluLane, MulAddTwice>()},
};

static Kernel PickFusedHere(Lane lane, DType dtype) { return Find(kFusedRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickFusedHere);

Kernel PickFused(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickFusedHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
