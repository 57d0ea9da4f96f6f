// Sums of neighbours in lines.
#include <algorithm>
#include <cstring>

#include "src/kernels/elements.h"
#include "src/kernels/fold_pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/fold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Sums of the neighbours in two vectors.
template <class D>
HWY_INLINE hn::Vec<D> SumPairs(D d, hn::Vec<D> low, hn::Vec<D> high) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  return hn::Add(low, high);
#else
  return hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
#endif
}

// One pair per lane of a vector.
template <typename Element>
struct PlainPairs {
  using T = Element;
  using D = hn::ScalableTag<T>;
  static HWY_INLINE void Sum(const T* from, T* to) {
    const D d;
    auto sums = SumPairs(d, hn::LoadU(d, from), hn::LoadU(d, from + hn::MaxLanes(D())));
    if constexpr (std::is_same_v<T, float>) sums = CanonicalNaN(sums);
    hn::StoreU(sums, d, to);
  }
};

struct F16Pairs {
  using T = uint16_t;
  using D = DF;
  static HWY_INLINE void Sum(const T* from, T* to) {
    const VF sums = SumPairs(DF(), FromF16::Load(from), FromF16::Load(from + hn::MaxLanes(DF())));
    hn::StoreU(DemoteF16(CanonicalNaN(sums)), DH(), to);
  }
};

struct BF16Pairs {
  using T = uint16_t;
  using D = DF;
  static HWY_INLINE void Sum(const T* from, T* to) {
    const VF sums = SumPairs(DF(), FromBF16::Load(from), FromBF16::Load(from + hn::MaxLanes(DF())));
    hn::StoreU(hn::TruncateTo(DH(), hn::ShiftRight<16>(RoundToBF16(CanonicalNaN(sums)))), DH(), to);
  }
};

// pairs is a multiple of a vector. In place nothing is overwritten that is still to be read.
template <class Pairs>
void SumLines(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line, size_t lines,
              size_t pairs) {
  using T = typename Pairs::T;
  constexpr size_t kStep = hn::MaxLanes(typename Pairs::D());
  T* to = static_cast<T*>(dst);
  const T* from = static_cast<const T*>(src);
  for (size_t i = 0; i < lines; ++i, to += dst_line, from += src_line) {
    PTO_UNROLL_4
    for (size_t k = 0; k < pairs; k += kStep) Pairs::Sum(from + 2 * k, to + k);
  }
}

static PairSumKernel PickPairSumHere(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return {SumLines<F16Pairs>, 2};
    case DType::kBF16:
      return {SumLines<BF16Pairs>, 2};
    case DType::kF32:
      return {SumLines<PlainPairs<float>>, 4};
    default:
      break;
  }
  switch (Info(dtype).bytes) {
    case 1:
      return {SumLines<PlainPairs<uint8_t>>, 1};
    case 2:
      return {SumLines<PlainPairs<uint16_t>>, 2};
    case 4:
      return {SumLines<PlainPairs<uint32_t>>, 4};
    default:
      return {SumLines<PlainPairs<uint64_t>>, 8};
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickPairSumHere);

PairSumKernel PickPairSum(int target, DType dtype) {
  return HWY_DISPATCH_TABLE(PickPairSumHere)[TableIndex(TargetBit(target))](dtype);
}

void Call(const PairSumKernel& k, const Grid& g) {
  // No vector has more lanes.
  constexpr size_t kUnit = 64;
  const size_t pairs = g.count / 2;
  const size_t whole = pairs / kUnit * kUnit;
  if (whole != 0) k.block(g.dst, g.a, g.dst_line, g.a_line, g.lines, whole);
  const size_t rest = pairs - whole;
  const size_t odd = g.count % 2;
  alignas(64) uint8_t some[8 * 2 * kUnit] = {};
  for (size_t i = 0; i < g.lines; ++i) {
    const auto line = static_cast<ptrdiff_t>(i);
    const uint8_t* const from = At(g.a, line * g.a_line, k.size) + 2 * whole * k.size;
    uint8_t* const to = At(g.dst, line * g.dst_line, k.size) + whole * k.size;
    std::memcpy(some, from, (2 * rest + odd) * k.size);
    uint8_t last[8];
    std::memcpy(last, some + 2 * rest * k.size, k.size);
    k.block(some, some, 0, 0, 1, kUnit);
    std::memcpy(to, some, rest * k.size);
    std::memcpy(to + rest * k.size, last, odd * k.size);
    std::memset(to + (rest + odd) * k.size, 0, (g.count - whole - rest - odd) * k.size);
  }
}

}  // namespace pto
#endif
