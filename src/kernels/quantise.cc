// Products of sums and scales in f64, which has all bits of the usual ones, and what becomes of
// them.
#include "src/kernels/quantise.h"

#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DQ = hn::ScalableTag<double>;
using DQF = hn::Rebind<float, DQ>;
using DQI = hn::Rebind<int32_t, DQ>;
using DQL = hn::RebindToSigned<DQ>;
using VQ = hn::Vec<DQ>;
constexpr size_t kQuads = hn::MaxLanes(DQ());

// 24 bits by 24.
static void ScaleF32(double* dst, const float* src, const double* scale, size_t count) {
  const DQ d;
  for (size_t k = 0; k < count; k += kQuads) {
    hn::StoreU(hn::Mul(hn::PromoteTo(d, hn::LoadU(DQF(), src + k)), hn::LoadU(d, scale + k)), d,
               dst + k);
  }
}

// The next number to a value, towards what was lost of it, where its last bit is even.
static HWY_INLINE VQ ToOdd(VQ value, VQ lost) {
  const DQ d;
  const DQL di;
  const auto bits = hn::BitCast(di, value);
  const auto one = hn::Set(di, 1);
  const auto inexact = hn::Or(hn::Gt(lost, hn::Zero(d)), hn::Lt(lost, hn::Zero(d)));
  const auto even = hn::Eq(hn::And(bits, one), hn::Zero(di));
  // Farther from zero where both have one sign.
  const auto nearer = hn::Lt(hn::BitCast(di, hn::Xor(value, lost)), hn::Zero(di));
  const auto next = hn::IfThenElse(nearer, hn::Sub(bits, one), hn::Add(bits, one));
  return hn::IfThenElse(hn::And(inexact, hn::RebindMask(d, even)), hn::BitCast(d, next), value);
}

// 31 bits by 24: the products of the halves of a sum are exact, and so is what their sum loses. Of
// infinities and NaN that is a NaN, and nothing is lost.
static void ScaleI32(double* dst, const int32_t* src, const double* scale, size_t count) {
  const DQ d;
  const DQI di;
  for (size_t k = 0; k < count; k += kQuads) {
    const auto x = hn::LoadU(di, src + k);
    const VQ s = hn::LoadU(d, scale + k);
    const auto low_bits = hn::And(x, hn::Set(di, 0xffff));
    const VQ high = hn::Mul(hn::PromoteTo(d, hn::Sub(x, low_bits)), s);
    const VQ low = hn::Mul(hn::PromoteTo(d, low_bits), s);
    const VQ sum = hn::Add(high, low);
    const VQ back = hn::Sub(sum, high);
    const VQ lost = hn::Add(hn::Sub(high, hn::Sub(sum, back)), hn::Sub(low, back));
    hn::StoreU(ToOdd(hn::Mul(hn::PromoteTo(d, x), s), lost), d, dst + k);
  }
}

// To nearest even, infinity where it is too large: Highway's scalars have the largest number then.
static HWY_INLINE hn::Vec<DQF> Narrowed(VQ x) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(DQF(), static_cast<float>(hn::GetLane(x)));
#else
  return hn::DemoteTo(DQF(), x);
#endif
}

static void ToF32(float* dst, const double* src, size_t count) {
  const DQ d;
  const DQF df;
  for (size_t k = 0; k < count; k += kQuads) {
    const auto value = Narrowed(hn::LoadU(d, src + k));
    const auto canonical = hn::BitCast(df, hn::Set(DQI(), 0x7fc00000));
    hn::StoreU(hn::IfThenElse(hn::Eq(value, value), value, canonical), df, dst + k);
  }
}

static void ToOddF32(float* dst, const double* src, size_t count) {
  const DQ d;
  const DQF df;
  const DQI di;
  const VQ unit = hn::Set(d, 1.0);
  for (size_t k = 0; k < count; k += kQuads) {
    const VQ x = hn::LoadU(d, src + k);
    const auto near = Narrowed(x);
    const VQ size = hn::Abs(x);
    const VQ reached = hn::Abs(hn::PromoteTo(d, near));
    // 1 where the nearest number is too far from zero, and where it is not the number itself.
    const auto beyond = hn::Gt(reached, size);
    const auto differs = hn::Or(beyond, hn::Lt(reached, size));
    const auto one_if = [&](auto mask)
                            HWY_ATTR { return hn::DemoteTo(di, hn::IfThenElseZero(mask, unit)); };
    const auto shorter = hn::Sub(hn::BitCast(di, near), one_if(beyond));
    hn::StoreU(hn::BitCast(df, hn::Or(shorter, one_if(differs))), df, dst + k);
  }
}

static void ToBytes(int32_t* dst, const double* src, const int32_t* offset, const int32_t* low,
                    size_t count) {
  const DQ d;
  const DQI di;
  // Its unit is 1.
  const VQ magic = hn::Set(d, 0x1.8p52);
  for (size_t k = 0; k < count; k += kQuads) {
    VQ x = hn::LoadU(d, src + k);
    x = hn::IfThenElseZero(hn::Eq(x, x), x);
    x = hn::Min(hn::Max(x, hn::Set(d, -256.0)), hn::Set(d, 255.0));
    const auto whole = hn::DemoteTo(di, hn::Sub(hn::Add(x, magic), magic));
    const auto least = hn::LoadU(di, low + k);
    const auto moved = hn::Max(hn::Add(whole, hn::LoadU(di, offset + k)), least);
    hn::StoreU(hn::Min(moved, hn::Add(least, hn::Set(di, 255))), di, dst + k);
  }
}

static const Quantisers kQuantisers = {ScaleF32, ScaleI32, ToF32, ToOddF32, ToBytes};

static const Quantisers& PickQuantisersHere() { return kQuantisers; }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickQuantisersHere);

const Quantisers& PickQuantisers(int target) {
  return HWY_DISPATCH_TABLE(PickQuantisersHere)[TableIndex(TargetBit(target))]();
}
}  // namespace pto
#endif
