// Comparisons that write one bit per element, selections that read them: their vector loops, and
// the drivers that bring any grid to these.
#include "src/kernels/bits.h"

#include <algorithm>
#include <cstring>

#include "src/kernels/elements.h"
#include "src/kernels/pickers.h"
#include "src/kernels/unroll.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Lines are processed in words of this number of bits.
inline constexpr size_t kWord = 64;

template <class D>
HWY_INLINE uint64_t BitsOf(D d, hn::Mask<D> mask) {
#if PTO_AVX512
  (void)d;
  auto bits = mask.raw;
#if HWY_COMPILER_GCC_ACTUAL
  // gcc 12 stores 32 bits of a mask and then treats its memory as a word of 64 that is already
  // extended: the mask passes through a register of its own width.
  asm("" : "+r"(bits));
#endif
  return bits;
#else
  uint64_t bits = 0;
  uint8_t bytes[8] = {};  // Highway may write all of them
  hn::StoreMaskBits(d, mask, bytes);
  std::memcpy(&bits, bytes, 8);
  return bits;
#endif
}

// From the low bits.
template <class D>
HWY_INLINE hn::Mask<D> MaskOf(D d, uint64_t bits) {
#if PTO_AVX512
  (void)d;
  hn::Mask<D> mask;
  mask.raw = static_cast<decltype(mask.raw)>(bits);
  return mask;
#elif HWY_TARGET == HWY_SCALAR
  return hn::MaskFromVec(hn::Set(d, static_cast<hn::TFromD<D>>(0 - (bits & 1))));
#else
  uint8_t bytes[8];
  std::memcpy(bytes, &bits, 8);
  return hn::LoadMaskBits(d, bytes);
#endif
}

// The low bits of a word as `count` bytes, 1 to 8: both ends, which may overlap.
HWY_INLINE void StoreBytes(uint64_t word, size_t count, uint8_t* to) {
  const auto ends = [=](auto part) HWY_ATTR {
    part = static_cast<decltype(part)>(word);
    std::memcpy(to, &part, sizeof part);
    part = static_cast<decltype(part)>(word >> (8 * (count - sizeof part)));
    std::memcpy(to + count - sizeof part, &part, sizeof part);
  };
  if (HWY_LIKELY(count == 8)) return std::memcpy(to, &word, 8), void();
  if (count >= 4) return ends(uint32_t{0});
  if (count >= 2) return ends(uint16_t{0});
  *to = static_cast<uint8_t>(word);
}

// From 1 byte on up to 8 of them; higher ones are 0.
HWY_INLINE uint64_t LoadBytes(const uint8_t* from, size_t count) {
  const auto ends = [=](auto part) HWY_ATTR {
    std::memcpy(&part, from, sizeof part);
    const uint64_t low = part;
    std::memcpy(&part, from + count - sizeof part, sizeof part);
    return low | (uint64_t{part} << (8 * (count - sizeof part)));
  };
  if (HWY_LIKELY(count >= 8)) {
    uint64_t word;
    std::memcpy(&word, from, 8);
    return word;
  }
  if (count >= 4) return ends(uint32_t{0});
  if (count >= 2) return ends(uint16_t{0});
  return *from;
}

// Calls `each` for every whole vector of the first `rest` elements of a word, and returns where
// they end. Lines that lack less than a vector of a word, such as 63 columns, take no loop.
template <size_t kLanes, class Each>
HWY_INLINE size_t WholeVectors(size_t rest, const Each& each) {
  size_t v = 0;
  if (rest > kWord - kLanes) {
    PTO_UNROLL_4
    for (; v < kWord - kLanes; v += kLanes) each(v);
    return v;
  }
  for (; v + kLanes <= rest; v += kLanes) each(v);
  return v;
}

struct Equal {
  HWY_INLINE explicit Equal(int16_t) {}
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Eq(a, b);
  }
};

struct Less {
  HWY_INLINE explicit Less(int16_t) {}
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Lt(a, b);
  }
};

struct LessOrEqual {
  HWY_INLINE explicit LessOrEqual(int16_t) {}
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Le(a, b);
  }
};

// For integers, which have fewer tests in Highway.
struct NotGreater {
  HWY_INLINE explicit NotGreater(int16_t) {}
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Not(hn::Lt(b, a));
  }
};

// Floats of 16 bits are compared as integers.
template <class V>
HWY_INLINE V Magnitude(V x) {
  return hn::And(x, hn::Set(hn::DFromV<V>(), int16_t{0x7fff}));
}

// For equal zeros, in the order of the numbers.
template <class V>
HWY_INLINE V SignedMagnitude(V x) {
  const V sign = hn::ShiftRight<15>(x);
  return hn::Sub(hn::Xor(Magnitude(x), sign), sign);
}

struct NarrowEqual {
  HWY_INLINE explicit NarrowEqual(int16_t more_than_infinity) : beyond(more_than_infinity) {}
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    const hn::DFromV<V> d;
    const auto zeros = hn::Eq(Magnitude(hn::Or(a, b)), hn::Zero(d));
    const auto same = hn::And(hn::Eq(a, b), hn::Lt(Magnitude(a), hn::Set(d, beyond)));
    return hn::Or(zeros, same);
  }

  int16_t beyond;
};

template <class Order>
struct NarrowOrder {
  HWY_INLINE explicit NarrowOrder(int16_t more_than_infinity) : beyond(more_than_infinity) {}
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    const auto larger = hn::Max(Magnitude(a), Magnitude(b));
    const auto numbers = hn::Lt(larger, hn::Set(hn::DFromV<V>(), beyond));
    return hn::And(Order(beyond)(SignedMagnitude(a), SignedMagnitude(b)), numbers);
  }

  int16_t beyond;
};

// count >= a vector, but with AVX-512.
template <typename T, class Test>
void CompareLines(const CompareWork& w) {
  const Test test(w.beyond);
  const hn::ScalableTag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  const T* a = static_cast<const T*>(w.a);
  const T* b = static_cast<const T*>(w.b);
  uint8_t* dst = w.dst;
  const size_t a_step = static_cast<size_t>(w.a_step);
  const size_t b_step = static_cast<size_t>(w.b_step);
  const size_t count = w.count;
  const uint64_t invert = w.invert;
  const auto at = [&](size_t k) HWY_ATTR {
    return BitsOf(d, test(hn::LoadU(d, a + k * a_step), hn::LoadU(d, b + k * b_step)));
  };
  for (size_t i = 0; i < w.lines; ++i, a += w.a_line, b += w.b_line, dst += w.dst_line) {
    size_t k = 0;
    for (; k + kWord <= count; k += kWord) {
      uint64_t word = 0;
      PTO_UNROLL_4
      for (size_t v = 0; v < kWord; v += kLanes) word |= at(k + v) << v;
      word ^= invert;
      std::memcpy(dst + k / 8, &word, 8);
    }
    const size_t rest = count - k;
    if (rest == 0) continue;
    uint64_t word = 0;
    const size_t v = WholeVectors<kLanes>(rest, [&](size_t n) HWY_ATTR { word |= at(k + n) << n; });
    if (v != rest) {
#if PTO_AVX512
      const auto some = MaskOf(d, ~uint64_t{0} >> (kWord - (rest - v)));
      const auto left = hn::MaskedLoad(some, d, a + (k + v) * a_step);
      word |= BitsOf(d, test(left, hn::MaskedLoad(some, d, b + (k + v) * b_step))) << v;
#else
      word |= at(count - kLanes) >> (kLanes - (rest - v)) << v;
#endif
    }
    word = (word ^ invert) & (~uint64_t{0} >> (kWord - rest));
    StoreBytes(word, (rest + 7) / 8, dst + k / 8);
  }
}

// count >= a vector, but with AVX-512. What is selected twice is so from its result, which
// changes nothing.
template <typename T>
void SelectLines(const SelectGrid& g) {
  const hn::ScalableTag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  T* dst = static_cast<T*>(g.dst);
  const T* a = static_cast<const T*>(g.a);
  const T* b = static_cast<const T*>(g.b);
  const uint8_t* mask = g.mask;
  const size_t b_step = static_cast<size_t>(g.b_step);
  const size_t count = g.count;
  const auto select = [&](size_t k, uint64_t bits) HWY_ATTR {
    const auto chosen =
        hn::IfThenElse(MaskOf(d, bits), hn::LoadU(d, a + k), hn::LoadU(d, b + k * b_step));
    hn::StoreU(chosen, d, dst + k);
  };
  for (size_t i = 0; i < g.lines;
       ++i, dst += g.dst_line, mask += g.mask_line, a += g.a_line, b += g.b_line) {
    size_t k = 0;
    for (; k + kWord <= count; k += kWord) {
      uint64_t word;
      std::memcpy(&word, mask + k / 8, 8);
      PTO_UNROLL_4
      for (size_t v = 0; v < kWord; v += kLanes) select(k + v, word >> v);
    }
    const size_t rest = count - k;
    if (rest == 0) continue;
    const uint64_t word = LoadBytes(mask + k / 8, (rest + 7) / 8);
    const size_t v =
        WholeVectors<kLanes>(rest, [&](size_t n) HWY_ATTR { select(k + n, word >> n); });
    if (v != rest) {
#if PTO_AVX512
      const auto some = MaskOf(d, ~uint64_t{0} >> (kWord - (rest - v)));
      const auto left = hn::MaskedLoad(some, d, a + k + v);
      const auto right = hn::MaskedLoad(some, d, b + (k + v) * b_step);
      hn::BlendedStore(hn::IfThenElse(MaskOf(d, word >> v), left, right), some, d, dst + k + v);
#else
      const size_t last = count - kLanes;
      const size_t bytes = (count + 7) / 8 - last / 8;
      const bool within = last >= k;
      select(last, within ? word >> (last - k) : LoadBytes(mask + last / 8, bytes) >> last % 8);
#endif
    }
  }
}

// The fewest elements of a line.
template <typename T>
constexpr uint16_t Least() {
  return PTO_AVX512 ? 1 : hn::MaxLanes(hn::ScalableTag<T>());
}

template <typename T, class Test>
constexpr CompareKernel Comparison() {
  return {CompareLines<T, Test>, Least<T>(), sizeof(T), false, false, 0};
}

// The three tests that the six modes are made of; only floats have all.
struct Tests {
  CompareKernel equal, less, less_or_equal;
};

template <typename T, typename Signed = T>
constexpr Tests Integers() {
  return {Comparison<Signed, Equal>(), Comparison<T, Less>(), {}};
}

constexpr Tests NarrowTests(int16_t beyond) {
  Tests tests = {Comparison<int16_t, NarrowEqual>(), Comparison<int16_t, NarrowOrder<Less>>(),
                 Comparison<int16_t, NarrowOrder<NotGreater>>()};
  for (CompareKernel* k : {&tests.equal, &tests.less, &tests.less_or_equal}) k->beyond = beyond;
  return tests;
}

// In the order of DType.
static constexpr Tests kTests[kDTypeCount] = {
    Integers<int8_t>(),
    Integers<uint8_t, int8_t>(),
    Integers<int16_t>(),
    Integers<uint16_t, int16_t>(),
    Integers<int32_t>(),
    Integers<uint32_t, int32_t>(),
    Integers<int64_t>(),
    Integers<uint64_t, int64_t>(),
    NarrowTests(0x7c01),
    NarrowTests(0x7f81),
    {Comparison<float, Equal>(), Comparison<float, Less>(), Comparison<float, LessOrEqual>()},
};

static CompareKernel PickCompareHere(Compare mode, DType dtype) {
  const Tests& tests = kTests[static_cast<int>(dtype)];
  CompareKernel kernel;
  if (mode == Compare::kEq || mode == Compare::kNe) {
    kernel = tests.equal;
    kernel.invert = mode == Compare::kNe;
    return kernel;
  }
  const bool swap = mode == Compare::kGt || mode == Compare::kGe;
  const bool or_equal = mode == Compare::kLe || mode == Compare::kGe;
  // For integers a <= b is not b < a; a NaN makes both of these false.
  const bool invert = or_equal && tests.less_or_equal.block == nullptr;
  kernel = or_equal && !invert ? tests.less_or_equal : tests.less;
  kernel.swap = swap != invert;
  kernel.invert = invert;
  return kernel;
}

template <typename T>
constexpr SelectKernel Selection() {
  return {SelectLines<T>, Least<T>(), sizeof(T)};
}

static SelectKernel PickSelectHere(int bytes) {
  switch (bytes) {
    case 1:
      return Selection<uint8_t>();
    case 2:
      return Selection<uint16_t>();
    case 4:
      return Selection<uint32_t>();
    default:
      return Selection<uint64_t>();
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
namespace {

HWY_EXPORT(PickCompareHere);
HWY_EXPORT(PickSelectHere);

// The largest vector.
constexpr size_t kVectorBytes = 64;
// The number of elements of short lines that are packed together, with the gaps that bring each to
// whole bytes of bits included.
constexpr size_t kPacked = 512;

size_t BitBytes(size_t count) { return (count + 7) / 8; }

// `lines` short lines, to bytes that are `stride` elements apart.
void Gather(const void* from, ptrdiff_t line, int32_t step, size_t lines, size_t count, size_t size,
            size_t stride, uint8_t* to) {
  for (size_t i = 0; i < lines; ++i, to += stride * size) {
    const uint8_t* const at = At(from, static_cast<ptrdiff_t>(i) * line, size);
    if (step == 0) {
      FillElements(to, count * size, at, size);
    } else {
      std::memcpy(to, at, count * size);
    }
  }
}

void ComparePacked(const CompareKernel& k, const Grid& g) {
  alignas(64) uint8_t a[8 * kPacked] = {};
  alignas(64) uint8_t b[8 * kPacked] = {};
  uint8_t bits[kPacked / 8];
  const size_t stride = 8 * BitBytes(g.count);
  const size_t group = kPacked / stride;
  for (size_t i = 0; i < g.lines; i += group) {
    const size_t lines = std::min(group, g.lines - i);
    const auto first = static_cast<ptrdiff_t>(i);
    Gather(At(g.a, first * g.a_line, k.size), g.a_line, g.a_step, lines, g.count, k.size, stride,
           a);
    Gather(At(g.b, first * g.b_line, k.size), g.b_line, g.b_step, lines, g.count, k.size, stride,
           b);
    const size_t whole = std::max<size_t>(lines * stride, k.least);
    k.block({bits, a, b, 0, 0, 0, 1, 1, 1, whole, k.invert ? ~uint64_t{0} : 0, k.beyond});
    const uint8_t* from = bits;
    for (size_t j = 0; j < lines; ++j, from += stride / 8) {
      uint8_t* const to =
          static_cast<uint8_t*>(g.dst) + (first + static_cast<ptrdiff_t>(j)) * g.dst_line;
      std::memcpy(to, from, stride / 8);
      to[stride / 8 - 1] &= static_cast<uint8_t>(0xff >> (stride - g.count));
    }
  }
}

void SelectPacked(const SelectKernel& k, const SelectGrid& g) {
  alignas(64) uint8_t a[8 * kPacked];
  alignas(64) uint8_t b[8 * kPacked];
  uint8_t bits[kPacked / 8] = {};
  const size_t stride = 8 * BitBytes(g.count);
  const size_t group = kPacked / stride;
  for (size_t i = 0; i < g.lines; i += group) {
    const size_t lines = std::min(group, g.lines - i);
    const auto first = static_cast<ptrdiff_t>(i);
    Gather(At(g.a, first * g.a_line, k.size), g.a_line, 1, lines, g.count, k.size, stride, a);
    Gather(At(g.b, first * g.b_line, k.size), g.b_line, g.b_step, lines, g.count, k.size, stride,
           b);
    Gather(g.mask + first * g.mask_line, g.mask_line, 1, lines, stride / 8, 1, stride / 8, bits);
    const size_t whole = std::max<size_t>(lines * stride, k.least);
    k.block({a, bits, a, b, 0, 0, 0, 0, 1, 1, whole});
    for (size_t j = 0; j < lines; ++j) {
      const ptrdiff_t line = (first + static_cast<ptrdiff_t>(j)) * g.dst_line;
      std::memcpy(At(g.dst, line, k.size), a + j * stride * k.size, g.count * k.size);
    }
  }
}

// Whether an operand's lines make one line.
bool Follows(ptrdiff_t line, int32_t step, size_t count) {
  return line == static_cast<ptrdiff_t>(count) * step;
}

}  // namespace

CompareKernel PickCompare(int target, Compare mode, DType dtype) {
  return HWY_DISPATCH_TABLE(PickCompareHere)[TableIndex(TargetBit(target))](mode, dtype);
}

SelectKernel PickSelect(int target, int bytes) {
  return HWY_DISPATCH_TABLE(PickSelectHere)[TableIndex(TargetBit(target))](bytes);
}

void Call(const CompareKernel& k, const Grid& grid) {
  if (grid.lines == 0 || grid.count == 0) return;
  Grid g = grid;
  if (k.swap) {
    std::swap(g.a, g.b);
    std::swap(g.a_line, g.b_line);
    std::swap(g.a_step, g.b_step);
  }
  if (g.count % 8 == 0 && g.dst_line == static_cast<ptrdiff_t>(g.count / 8) &&
      Follows(g.a_line, g.a_step, g.count) && Follows(g.b_line, g.b_step, g.count)) {
    g.count *= g.lines;
    g.lines = 1;
  }
  if (g.count < k.least) return ComparePacked(k, g);
  CompareWork work = {static_cast<uint8_t*>(g.dst),
                      g.a,
                      g.b,
                      g.dst_line,
                      g.a_line,
                      g.b_line,
                      g.a_step,
                      g.b_step,
                      g.lines,
                      g.count,
                      k.invert ? ~uint64_t{0} : 0,
                      k.beyond};
  if ((g.a_step & g.b_step) == 1) return k.block(work);
  alignas(64) uint8_t a[kVectorBytes];
  alignas(64) uint8_t b[kVectorBytes];
  if (g.a_step == 0) work.a = a;
  if (g.b_step == 0) work.b = b;
  const bool a_changes = g.a_step == 0 && g.a_line != 0;
  const bool b_changes = g.b_step == 0 && g.b_line != 0;
  // One call, where a scalar is the same for all lines.
  const bool each = a_changes || b_changes;
  work.lines = each ? 1 : g.lines;
  for (size_t i = 0; i < g.lines; i += work.lines) {
    const auto line = static_cast<ptrdiff_t>(i);
    if (g.a_step == 0) {
      FillElements(a, sizeof a, At(g.a, line * g.a_line, k.size), k.size);
    } else {
      work.a = At(g.a, line * g.a_line, k.size);
    }
    if (g.b_step == 0) {
      FillElements(b, sizeof b, At(g.b, line * g.b_line, k.size), k.size);
    } else {
      work.b = At(g.b, line * g.b_line, k.size);
    }
    work.dst = static_cast<uint8_t*>(g.dst) + line * g.dst_line;
    k.block(work);
  }
}

void Call(const SelectKernel& k, const SelectGrid& grid) {
  if (grid.lines == 0 || grid.count == 0) return;
  SelectGrid g = grid;
  if (g.count % 8 == 0 && g.mask_line == static_cast<ptrdiff_t>(g.count / 8) &&
      Follows(g.dst_line, 1, g.count) && Follows(g.a_line, 1, g.count) &&
      Follows(g.b_line, g.b_step, g.count)) {
    g.count *= g.lines;
    g.lines = 1;
  }
  if (g.count < k.least) return SelectPacked(k, g);
  if (g.b_step == 1) return k.block(g);
  alignas(64) uint8_t b[kVectorBytes];
  g.b = b;
  const size_t lines = g.lines;
  g.lines = grid.b_line == 0 ? lines : 1;
  for (size_t i = 0; i < lines; i += g.lines) {
    const auto line = static_cast<ptrdiff_t>(i);
    FillElements(b, sizeof b, At(grid.b, line * grid.b_line, k.size), k.size);
    g.dst = At(grid.dst, line * g.dst_line, k.size);
    g.a = At(grid.a, line * g.a_line, k.size);
    g.mask = grid.mask + line * g.mask_line;
    k.block(g);
  }
}

}  // namespace pto
#endif
