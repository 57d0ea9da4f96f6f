// Elements as signed words: unsigned integers with their highest bit turned, and
// floats with all bits but the sign turned if it is set. So words have the order of the
// elements.
#include "src/kernels/scan.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/kernels/pickers.h"
#include "src/kernels/unroll.h"

#include "src/kernels/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The least and the greatest key, and the least magnitude of floats, less 1: so zero is
// none of the small ones.
template <typename Word>
struct Range {
  using Limits = std::numeric_limits<Word>;
  using Magnitude = std::make_unsigned_t<Word>;
  Word least = Limits::max();
  Word most = Limits::min();
  Magnitude small = std::numeric_limits<Magnitude>::max();
};

template <typename Word, Word kFlip>
struct IntegerWords {
  using T = Word;
  static constexpr bool kFloats = false;
  template <class D>
  static HWY_INLINE hn::Vec<D> Key(D d, hn::Vec<D> words) {
    return hn::Xor(words, hn::Set(d, kFlip));
  }
  static Word Back(Word key) { return static_cast<Word>(key ^ kFlip); }
};

template <typename Word, Word kInf>
struct FloatWords {
  using T = Word;
  static constexpr bool kFloats = true;
  static constexpr Word kInfinity = kInf;
  static constexpr Word kMagnitude = std::numeric_limits<Word>::max();
  // The least normal number: the lowest bit of the exponent.
  static constexpr auto kNormal = static_cast<Word>(kInfinity & -kInfinity);
  template <class D>
  static HWY_INLINE hn::Vec<D> Key(D d, hn::Vec<D> words) {
    return hn::Xor(words, hn::And(hn::BroadcastSignBit(words), hn::Set(d, kMagnitude)));
  }
  static Word Back(Word key) { return key < 0 ? static_cast<Word>(key ^ kMagnitude) : key; }
  // A NaN, an infinity or a subnormal is there.
  static bool HasOthers(const Range<Word>& range) {
    return range.most >= kInfinity || range.least <= -1 - kInfinity || range.small < kNormal - 1;
  }
};

// Whole vectors of D; returns how many elements they had. With `contents` it counts NaN and other
// special numbers, and leaves NaN out of the range.
template <class Kind, class D>
HWY_INLINE size_t Vectors(D d, const typename Kind::T* words, size_t count,
                          Range<typename Kind::T>* range, Contents* contents) {
  using T = typename Kind::T;
  using Magnitude = typename Range<T>::Magnitude;
  const hn::Repartition<Magnitude, D> du;
  constexpr size_t kLanes = hn::MaxLanes(D());
  auto least = hn::Set(d, range->least);
  auto most = hn::Set(d, range->most);
  auto small = hn::Set(du, range->small);
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto word = hn::LoadU(d, words + i);
    const auto key = Kind::Key(d, word);
    if constexpr (Kind::kFloats) {
      const auto magnitude = hn::And(word, hn::Set(d, Kind::kMagnitude));
      if (contents != nullptr) {
        const auto nan = hn::Gt(magnitude, hn::Set(d, Kind::kInfinity));
        const auto subnormal =
            hn::And(hn::Lt(magnitude, hn::Set(d, Kind::kNormal)), hn::Gt(magnitude, hn::Zero(d)));
        contents->nans += static_cast<int64_t>(hn::CountTrue(d, nan));
        contents->infs +=
            static_cast<int64_t>(hn::CountTrue(d, hn::Eq(magnitude, hn::Set(d, Kind::kInfinity))));
        contents->subnormals += static_cast<int64_t>(hn::CountTrue(d, subnormal));
        least = hn::Min(least, hn::IfThenElse(nan, hn::Set(d, Range<T>::Limits::max()), key));
        most = hn::Max(most, hn::IfThenElse(nan, hn::Set(d, Range<T>::Limits::min()), key));
        continue;
      }
      small = hn::Min(small, hn::Sub(hn::BitCast(du, magnitude), hn::Set(du, Magnitude{1})));
    }
    least = hn::Min(least, key);
    most = hn::Max(most, key);
  }
  HWY_ALIGN T leasts[kLanes];
  HWY_ALIGN T mosts[kLanes];
  HWY_ALIGN Magnitude smalls[kLanes];
  hn::Store(least, d, leasts);
  hn::Store(most, d, mosts);
  hn::Store(small, du, smalls);
  for (size_t k = 0; k < kLanes; ++k) {
    range->least = std::min(range->least, leasts[k]);
    range->most = std::max(range->most, mosts[k]);
    range->small = std::min(range->small, smalls[k]);
  }
  return i;
}

template <class Kind>
HWY_INLINE Range<typename Kind::T> RangeOf(const typename Kind::T* words, size_t count,
                                           Contents* contents) {
  Range<typename Kind::T> range;
  const hn::ScalableTag<typename Kind::T> d;
  const hn::CappedTag<typename Kind::T, 1> one;
  const size_t whole = Vectors<Kind>(d, words, count, &range, contents);
  Vectors<Kind>(one, words + whole, count - whole, &range, contents);
  return range;
}

// Most tiles have ordinary numbers only, which the range shows; if it shows others, the chunk
// is read once more.
template <class Kind>
Contents ScanAll(const void* elements, size_t count) {
  using T = typename Kind::T;
  constexpr size_t kChunk = 4096;
  const T* words = static_cast<const T*>(elements);
  Contents contents;
  Range<T> all;
  for (size_t begin = 0; begin < count; begin += kChunk) {
    const size_t chunk = std::min(kChunk, count - begin);
    auto range = RangeOf<Kind>(words + begin, chunk, nullptr);
    if constexpr (Kind::kFloats) {
      if (Kind::HasOthers(range)) range = RangeOf<Kind>(words + begin, chunk, &contents);
    }
    all.least = std::min(all.least, range.least);
    all.most = std::max(all.most, range.most);
  }
  if (contents.nans == static_cast<int64_t>(count)) return contents;
  contents.min = static_cast<typename Range<T>::Magnitude>(Kind::Back(all.least));
  contents.max = static_cast<typename Range<T>::Magnitude>(Kind::Back(all.most));
  return contents;
}

// Consecutive words feed one generator each.
static constexpr size_t kGenerators = 32;

// a * 2^32 - 1 is prime for this a, and so is its half.
static constexpr uint32_t kMultiplier = 0xFFFFDA61;

// All bits of both factors show in what is left of their product.
static uint64_t Mixed(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Enough generators that none waits for its multiplication. Words are as on little-endian
// machines, the only ones that the library runs on.
static uint64_t DigestAll(const void* data, size_t bytes) {
  const hn::CappedTag<uint64_t, 8> d;
  using V = hn::Vec<decltype(d)>;
  const hn::CappedTag<uint32_t, 16> d32;
  constexpr size_t kLanes = hn::MaxLanes(d);
  constexpr size_t kVectors = kGenerators / kLanes;
  constexpr uint64_t kStep = 0x9E3779B97F4A7C15;
  HWY_ALIGN uint64_t states[kGenerators];
  for (size_t i = 0; i < kGenerators; ++i) states[i] = (i + 1) * kStep;
  V state[kVectors];
  PTO_UNROLL_WHOLE
  for (size_t v = 0; v < kVectors; ++v) state[v] = hn::Load(d, states + v * kLanes);
  const auto multiplier = hn::Set(d32, kMultiplier);
  const auto add = [&](const uint64_t* words) HWY_ATTR {
    PTO_UNROLL_WHOLE
    for (size_t v = 0; v < kVectors; ++v) {
      const auto sum = hn::Xor(state[v], hn::LoadU(d, words + kLanes * v));
      state[v] = hn::Add(hn::MulEven(hn::BitCast(d32, sum), multiplier), hn::ShiftRight<32>(sum));
    }
  };
  const auto* words = static_cast<const uint64_t*>(data);
  const size_t stripes = bytes / (8 * kGenerators);
  for (size_t i = 0; i < stripes; ++i) add(words + i * kGenerators);
  HWY_ALIGN uint64_t last[kGenerators] = {};
  std::memcpy(last, words + stripes * kGenerators, bytes % (8 * kGenerators));
  add(last);
  PTO_UNROLL_WHOLE
  for (size_t v = 0; v < kVectors; ++v) hn::Store(state[v], d, states + v * kLanes);
  uint64_t digest = bytes;
  for (const uint64_t one : states) digest = Mixed(digest ^ one, kStep);
  return digest;
}

static ScanKernel PickScanHere(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return ScanAll<FloatWords<int16_t, 0x7C00>>;
    case DType::kBF16:
      return ScanAll<FloatWords<int16_t, 0x7F80>>;
    case DType::kF32:
      return ScanAll<FloatWords<int32_t, 0x7F800000>>;
    case DType::kI4:
    case DType::kI8:
      return ScanAll<IntegerWords<int8_t, 0>>;
    case DType::kU8:
      return ScanAll<IntegerWords<int8_t, INT8_MIN>>;
    case DType::kI16:
      return ScanAll<IntegerWords<int16_t, 0>>;
    case DType::kU16:
      return ScanAll<IntegerWords<int16_t, INT16_MIN>>;
    case DType::kI32:
      return ScanAll<IntegerWords<int32_t, 0>>;
    case DType::kU32:
      return ScanAll<IntegerWords<int32_t, INT32_MIN>>;
    case DType::kI64:
      return ScanAll<IntegerWords<int64_t, 0>>;
    case DType::kU64:
      return ScanAll<IntegerWords<int64_t, INT64_MIN>>;
    // Instructions do not compute with codes.
    case DType::kE4M3:
    case DType::kE5M2:
    case DType::kHiF8:
    case DType::kE8M0:
    case DType::kE2M1:
    case DType::kE1M2:
      break;
  }
  return nullptr;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickScanHere);
HWY_EXPORT(DigestAll);

ScanKernel PickScan(int target, DType dtype) {
  return HWY_DISPATCH_TABLE(PickScanHere)[TableIndex(TargetBit(target))](dtype);
}

DigestKernel PickDigest(int target) {
  return HWY_DISPATCH_TABLE(DigestAll)[TableIndex(TargetBit(target))];
}

}  // namespace pto
#endif
