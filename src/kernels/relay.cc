// Legs of relays of f32: relay.h.
#include "src/kernels/relay.h"

#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "hwy/cache_control.h"
#include "src/kernels/exp-inl.h"
#include "src/kernels/fold-inl.h"
#include "src/kernels/root-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_COMMON_TARGET && HWY_TARGET != HWY_SCALAR

// The vectors that legs hand over: half of the registers of AVX2.
#undef PTO_RELAY_TAKES
#undef PTO_RELAY_SKIPS
#undef PTO_RELAY_HAS
#undef PTO_RELAY_GIVES
#if PTO_AVX512
#define PTO_RELAY_TAKES VF v0, VF v1, VF v2, VF v3
#define PTO_RELAY_SKIPS VF, VF, VF, VF
#define PTO_RELAY_HAS v0, v1, v2, v3
#define PTO_RELAY_GIVES(give) give(0), give(1), give(2), give(3)
#else
#define PTO_RELAY_TAKES VF v0, VF v1, VF v2, VF v3, VF v4, VF v5, VF v6, VF v7
#define PTO_RELAY_SKIPS VF, VF, VF, VF, VF, VF, VF, VF
#define PTO_RELAY_HAS v0, v1, v2, v3, v4, v5, v6, v7
#define PTO_RELAY_GIVES(give) give(0), give(1), give(2), give(3), give(4), give(5), give(6), give(7)
#endif
constexpr size_t kRelayVectors = PTO_AVX512 ? 4 : 8;
constexpr size_t kRelayLanes = hn::MaxLanes(DF());
constexpr size_t kRelayGroup = kRelayVectors * kRelayLanes;
// Of a sum.
constexpr size_t kRelayPartials = 16;
static_assert(kRelayUnit % kRelayGroup == 0 && kRelayGroup % kRelayPartials == 0);

struct Runner;
// `at` is the first element's place in the row, in bytes.
using LegCode = void (*)(const Runner* step, size_t at, PTO_RELAY_TAKES);
// A step with its code.
struct Runner {
  LegCode code;
  uint8_t* data;
  size_t mask;  // of `at`: 0 where the group is the same all along
};

using Group = VF[kRelayVectors];
HWY_INLINE VF Of(const float* m, size_t i) { return hn::LoadU(DF(), m + i * kRelayLanes); }

// The code of a leg, of a functor that changes the vectors. The call is a jump, as all parameters
// are in registers.
template <class Fun>
void LegOf(const Runner* step, size_t at, PTO_RELAY_TAKES) {
  Group v = {PTO_RELAY_HAS};
  Fun()(reinterpret_cast<float*>(step->data + (at & step->mask)), v);
  const auto give = [&](size_t i) HWY_ATTR { return v[i]; };
  return step[1].code(step + 1, at, PTO_RELAY_GIVES(give));
}
static void LegEnd(const Runner* /*step*/, size_t /*at*/, PTO_RELAY_SKIPS) {}
static void LegLoad(const Runner* step, size_t at, PTO_RELAY_SKIPS) {
  const auto* m = reinterpret_cast<const float*>(step->data + (at & step->mask));
  const auto give = [&](size_t i) HWY_ATTR { return Of(m, i); };
  return step[1].code(step + 1, at, PTO_RELAY_GIVES(give));
}

HWY_INLINE void Put(const Group& v, float* to) {
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kRelayVectors; ++i) hn::StoreU(v[i], DF(), to + i * kRelayLanes);
}
struct PastLeg {
  HWY_INLINE void operator()(float* m, Group& v) const {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRelayVectors; ++i) hn::Stream(v[i], DF(), m + i * kRelayLanes);
  }
};
struct StoreLeg {
  HWY_INLINE void operator()(float* m, Group& v) const { Put(v, m); }
};
struct NaNLeg {
  HWY_INLINE void operator()(float* /*m*/, Group& v) const {
    PTO_UNROLL_WHOLE
    for (size_t h = 0; h < kRelayVectors; h += 4) {
      if (HWY_LIKELY(!AnyNaN(v[h], v[h + 1], v[h + 2], v[h + 3]))) continue;
      PTO_UNROLL_WHOLE
      for (size_t i = h; i < h + 4; ++i) v[i] = CanonicalNaN(v[i]);
    }
  }
};
struct AddLeg {
  HWY_INLINE void operator()(const float* m, Group& v) const {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRelayVectors; ++i) v[i] = hn::Add(v[i], Of(m, i));
  }
};
struct SubLeg {
  HWY_INLINE void operator()(const float* m, Group& v) const {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRelayVectors; ++i) v[i] = hn::Sub(v[i], Of(m, i));
  }
};
struct FromLeg {
  HWY_INLINE void operator()(const float* m, Group& v) const {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRelayVectors; ++i) v[i] = hn::Sub(Of(m, i), v[i]);
  }
};
struct MulLeg {
  HWY_INLINE void operator()(const float* m, Group& v) const {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRelayVectors; ++i) v[i] = hn::Mul(v[i], Of(m, i));
  }
};
// Rare code is there once, for four vectors.
struct Four {
  VF v[4];
};
#if PTO_FAST_ROOTS
// Often all dividends are +0, as masked elements are. They stay if the divisors are positive and no
// NaN.
HWY_INLINE bool QuotientsStay(const Four& a, const Four& b) {
  const DI di;
  const auto bits = [di](VF v) HWY_ATTR { return hn::BitCast(di, v); };
  const VI any = hn::Or(hn::Or(bits(a.v[0]), bits(a.v[1])), hn::Or(bits(a.v[2]), bits(a.v[3])));
  const VI least =
      hn::Min(hn::Min(bits(b.v[0]), bits(b.v[1])), hn::Min(bits(b.v[2]), bits(b.v[3])));
  const VI most = hn::Max(hn::Max(bits(b.v[0]), bits(b.v[1])), hn::Max(bits(b.v[2]), bits(b.v[3])));
  return hn::AllTrue(di, hn::Eq(any, hn::Zero(di))) &&
         hn::AllTrue(di, hn::Gt(least, hn::Zero(di))) &&
         hn::AllTrue(di, hn::Gt(hn::Set(di, 0x7f800001), most));
}
static HWY_NOINLINE Four QuotientsAny(Four a, Four b) {
  if (tuning.assists) {
    DivideRest<0>(a.v, b.v);
    return a;
  }
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < 4; ++i) a.v[i] = CanonicalNaN(hn::Div(a.v[i], b.v[i]));
  return a;
}
#endif
// a = a / b
HWY_INLINE void QuotientsOf(Four& a, const Four& b) {
#if PTO_FAST_ROOTS
  if (HWY_LIKELY(AllDivide(a.v, b.v))) {
    Four q;
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < 4; ++i)
      q.v[i] = i < kOnDivider ? hn::Div(a.v[i], b.v[i])
                              : DivideFrom(a.v[i], b.v[i], hn::ApproximateReciprocal(b.v[i]));
    if (HWY_LIKELY(!AnyNaN(q.v[0], q.v[1], q.v[2], q.v[3]))) {
      a = q;
      return;
    }
  }
  if (!QuotientsStay(a, b)) a = QuotientsAny(a, b);
#else
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < 4; ++i) a.v[i] = CanonicalNaN(hn::Div(a.v[i], b.v[i]));
#endif
}
template <bool kInto>
struct DivLeg {
  HWY_INLINE void operator()(const float* m, Group& v) const {
    PTO_UNROLL_WHOLE
    for (size_t h = 0; h < kRelayVectors; h += 4) {
      Four a = {{v[h], v[h + 1], v[h + 2], v[h + 3]}};
      Four b = {{Of(m, h), Of(m, h + 1), Of(m, h + 2), Of(m, h + 3)}};
      kInto ? QuotientsOf(b, a) : QuotientsOf(a, b);
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < 4; ++i) v[h + i] = kInto ? b.v[i] : a.v[i];
    }
  }
};
HWY_INLINE bool AllBelow(const Four& x, float bound) {
  const DF df;
  const VF b = Const(bound);
  return hn::AllTrue(df, hn::And(hn::And(hn::Lt(x.v[0], b), hn::Lt(x.v[1], b)),
                                 hn::And(hn::Lt(x.v[2], b), hn::Lt(x.v[3], b))));
}
static HWY_NOINLINE Four ExpAnyOf(Four x) {
  const ExpF32Core core;
  for (VF& one : x.v) one = ExpFlat(one, core);
  return x;
}
HWY_INLINE bool AllNear(const Four& x) {
  const DI di;
  // As integers, NaN have larger magnitudes than infinity.
  const auto size = [di](VF v) HWY_ATTR { return hn::BitCast(di, hn::Abs(v)); };
  const VI most = hn::Max(hn::Max(size(x.v[0]), size(x.v[1])), hn::Max(size(x.v[2]), size(x.v[3])));
  return hn::AllTrue(di, hn::Lt(most, hn::BitCast(di, Const(kExpNear))));
}
struct ExpLeg {
  HWY_INLINE void operator()(float* /*m*/, Group& v) const {
    const ExpF32Core core;
    PTO_UNROLL_WHOLE
    for (size_t h = 0; h < kRelayVectors; h += 4) {
      Four x = {{v[h], v[h + 1], v[h + 2], v[h + 3]}};
      if (HWY_LIKELY(AllNear(x))) {
        PTO_UNROLL_WHOLE
        for (VF& one : x.v) one = ExpNear(one, core);
      } else if (AllBelow(x, kExpZero)) {
        // Masked elements are far below the others, and often a whole group is.
        PTO_UNROLL_WHOLE
        for (VF& one : x.v) one = hn::Zero(DF());
      } else {
        x = ExpAnyOf(x);
      }
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < 4; ++i) v[h + i] = x.v[i];
    }
  }
};
// Element k joins partial k mod 16, in the order of k. m has the partials.
struct SumLeg {
  HWY_INLINE void operator()(float* m, Group& v) const {
    constexpr size_t kParts = kRelayPartials / kRelayLanes;
    PTO_UNROLL_WHOLE
    for (size_t p = 0; p < kParts; ++p) {
      VF sum = Of(m, p);
      PTO_UNROLL_WHOLE
      for (size_t i = p; i < kRelayVectors; i += kParts) sum = hn::Add(sum, v[i]);
      hn::StoreU(sum, DF(), m + p * kRelayLanes);
    }
  }
};
struct FetchLeg {
  HWY_INLINE void operator()(const float* m, Group& /*v*/) const {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRelayGroup; i += 16) __builtin_prefetch(m + i);
  }
};

static constexpr LegCode kLegs[] = {LegEnd,
                                    LegLoad,
                                    LegOf<StoreLeg>,
                                    LegOf<PastLeg>,
                                    LegOf<NaNLeg>,
                                    LegOf<AddLeg>,
                                    LegOf<SubLeg>,
                                    LegOf<FromLeg>,
                                    LegOf<MulLeg>,
                                    LegOf<DivLeg<false>>,
                                    LegOf<DivLeg<true>>,
                                    LegOf<ExpLeg>,
                                    LegOf<SumLeg>,
                                    LegOf<FetchLeg>};
static_assert(std::size(kLegs) == kLegCount);

// Floats as their bits, which FoldLanes() shifts.
struct SumOfBits {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    const hn::DFromV<V> d;
    const hn::RebindToFloat<hn::DFromV<V>> df;
    return hn::BitCast(d, hn::Add(hn::BitCast(df, a), hn::BitCast(df, b)));
  }
};
HWY_INLINE uint32_t SumOfPartials(const float* from) {
  constexpr size_t kParts = kRelayPartials / kRelayLanes;
  VF p[kParts];
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kParts; ++i) p[i] = Of(from, i);
  if constexpr (kParts == 4) {
    p[0] = hn::Add(p[0], p[2]);
    p[1] = hn::Add(p[1], p[3]);
  }
  if constexpr (kParts > 1) p[0] = hn::Add(p[0], p[1]);
  const auto bits = static_cast<uint32_t>(FoldLanes(DI(), hn::BitCast(DI(), p[0]), SumOfBits()));
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}
HWY_INLINE void Fill(VF all, float* to) {
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kRelayVectors; ++i) hn::StoreU(all, DF(), to + i * kRelayLanes);
}

static void DriveRelay(const RelayStep* steps, int count_of_steps, size_t lines, size_t count) {
  HWY_ALIGN float room[kMostSteps][kRelayGroup];
  Runner ready[kMostSteps + 1];
  struct Moves {
    uint8_t** data;
    ptrdiff_t line;
  };
  Moves moves[kMostSteps];
  struct Element {
    float* to;
    const uint8_t* data;
    ptrdiff_t line;
  };
  Element elements[kMostSteps];
  int moving = 0, varying = 0, past = -1;
  const auto fill = [](const Element& e) HWY_ATTR {
    float element;
    std::memcpy(&element, e.data, sizeof element);
    Fill(hn::Set(DF(), element), e.to);
  };
  for (int i = 0; i < count_of_steps; ++i) {
    const RelayStep& step = steps[i];
    ready[i] = {kLegs[static_cast<int>(step.leg)], step.data,
                step.along == Along::kNone ? 0 : ~size_t{0}};
    if (step.leg == Leg::kPast) past = i;
    if (step.along == Along::kRow && step.line != 0) moves[moving++] = {&ready[i].data, step.line};
    if (step.along != Along::kElement) continue;
    ready[i] = {ready[i].code, reinterpret_cast<uint8_t*>(room[i]), 0};
    if (step.leg == Leg::kSum) continue;
    const Element element = {room[i], step.data, step.line};
    if (step.line != 0) elements[varying++] = element;
    if (step.line == 0) fill(element);
  }
  ready[count_of_steps] = {LegEnd, nullptr, 0};
  const RelayStep& last = steps[count_of_steps - 1];
  const bool sums = last.leg == Leg::kSum;
  uint8_t* result = last.data;
  float* const partials = room[count_of_steps - 1];
  const auto zero = [](size_t) HWY_ATTR { return hn::Zero(DF()); };
  constexpr size_t kBytes = kRelayGroup * sizeof(float);
  const size_t bytes = count * sizeof(float);
  for (size_t line = 0; line < lines; ++line) {
    for (int i = 0; i < varying; ++i) {
      fill(elements[i]);
      elements[i].data += elements[i].line;
    }
    if (sums) Fill(hn::Set(DF(), -0.0f), partials);
    const size_t ahead = past < 0 ? 0 : -reinterpret_cast<uintptr_t>(ready[past].data) % 64;
    // Of the cache lines that this row has in part, its bytes are written as usual, and no other
    // bytes: a store past the caches waits for a line that is in them. All later ones wait for a
    // line that is not, so it is fetched.
    const auto part = [&](size_t at, size_t from, size_t size) HWY_ATTR {
      uint8_t* const row = ready[past].data;
      ready[past] = {LegOf<StoreLeg>, reinterpret_cast<uint8_t*>(room[past]), 0};
      ready[0].code(ready, at, PTO_RELAY_GIVES(zero));
      ready[past] = {LegOf<PastLeg>, row, ~size_t{0}};
      std::memcpy(row + from, reinterpret_cast<uint8_t*>(room[past]) + (from - at), size);
    };
    if (ahead != 0) {
      __builtin_prefetch(ready[past].data + bytes, 1);
      part(0, 0, ahead);
    }
    size_t at = ahead;
    for (; at + kBytes <= bytes; at += kBytes) ready[0].code(ready, at, PTO_RELAY_GIVES(zero));
    if (at != bytes) part(bytes - kBytes, at, bytes - at);
    if (sums) {
      const uint32_t bits = SumOfPartials(partials);
      std::memcpy(result, &bits, sizeof bits);
      result += last.line;
    }
    for (int i = 0; i < moving; ++i) *moves[i].data += moves[i].line;
  }
  if (past >= 0) hwy::FlushStream();
}

static RelayDrive PickRelayHere() { return DriveRelay; }

#else
static RelayDrive PickRelayHere() { return nullptr; }
#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickRelayHere);

RelayDrive PickRelay(int target) {
  return HWY_DISPATCH_TABLE(PickRelayHere)[TableIndex(TargetBit(target))]();
}
}  // namespace pto
#endif
