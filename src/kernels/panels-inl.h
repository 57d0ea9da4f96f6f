// Operands of a product as words: MatMulPanel of matmul.h, for each element type.
#if defined(PTO_SRC_KERNELS_PANELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_PANELS_INL_H_
#undef PTO_SRC_KERNELS_PANELS_INL_H_
#else
#define PTO_SRC_KERNELS_PANELS_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "src/kernels/fold-inl.h"
#include "src/kernels/matmul.h"
#include "src/kernels/paired-inl.h"
#include "src/kernels/turn-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Lines of this number of vectors.
template <class Source, size_t kVectors>
HWY_INLINE void PanelOfVectors(const MatMulPanel& p) {
  constexpr size_t kStep = hn::MaxLanes(DF());
  const auto* line = static_cast<const uint8_t*>(p.in);
  auto* out = reinterpret_cast<float*>(p.out);
  // What is stored could be a field of p for all that the compiler knows.
  const size_t lines = p.lines;
  const ptrdiff_t in_line = p.in_line;
  const ptrdiff_t out_line = p.out_line;
  PTO_UNROLL_4
  for (size_t i = 0; i < lines; ++i, line += in_line, out += out_line) {
    const auto* in = reinterpret_cast<const typename Source::T*>(line);
    PTO_UNROLL_WHOLE
    for (size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(Source::Load(in + v * kStep), DF(), out + v * kStep);
    }
  }
}

// Elements that are words, or widened to f32, line by line. The last vector of a line overlaps the
// one before it.
template <class Source>
void PanelOfLines(const MatMulPanel& p) {
  using T = typename Source::T;
  constexpr size_t kStep = hn::MaxLanes(DF());
  const DF df;
  const auto* line = static_cast<const uint8_t*>(p.in);
  auto* out = reinterpret_cast<float*>(p.out);
  if (p.count < kStep) {
    for (size_t i = 0; i < p.lines; ++i, line += p.in_line, out += p.out_line) {
      const VF v = LoadFirst<Source>(reinterpret_cast<const T*>(line), p.count);
#if PTO_AVX512 || HWY_TARGET == HWY_AVX2
      hn::BlendedStore(v, hn::FirstN(df, p.count), df, out);
#else
      HWY_ALIGN float words[kStep];
      hn::StoreU(v, df, words);
      std::memcpy(out, words, p.count * sizeof(float));
#endif
    }
    return;
  }
  // Boxes and strips.
  if (p.count == kStep) return PanelOfVectors<Source, 1>(p);
  if (p.count == 2 * kStep) return PanelOfVectors<Source, 2>(p);
  for (size_t i = 0; i < p.lines; ++i, line += p.in_line, out += p.out_line) {
    const T* in = reinterpret_cast<const T*>(line);
    size_t k = 0;
    PTO_UNROLL_4
    for (; k + kStep <= p.count; k += kStep) hn::StoreU(Source::Load(in + k), df, out + k);
    if (k != p.count) {
      k = p.count - kStep;
      hn::StoreU(Source::Load(in + k), df, out + k);
    }
  }
}

static void RoundFloats(float* from, size_t count, int bits, bool away) {
  auto* words = reinterpret_cast<uint32_t*>(from);
  const DU du;
  const VU low = hn::Set(du, (1U << bits) - 1);
  const VU half = hn::Set(du, (1U << (bits - 1)) - (away ? 0U : 1U));
  const VU odd = hn::Set(du, away ? 0U : 1U);
  for (size_t k = 0; k < count; k += hn::MaxLanes(du)) {
    const VU v = hn::LoadU(du, words + k);
    const VU more = hn::Add(half, hn::And(hn::ShiftRightSame(v, bits), odd));
    const VU rounded = hn::AndNot(low, hn::Add(v, more));
    const auto nan = hn::IsNaN(hn::BitCast(DF(), v));
    hn::StoreU(hn::IfThenElse(hn::RebindMask(du, nan), v, rounded), du, words + k);
  }
}

static void PanelTurned(const MatMulPanel& p) {
  Turn(p.out, p.out_line, static_cast<const uint8_t*>(p.in), p.in_line, p.lines, p.count);
}

// Pairs of 16 bits, the first one first, as two words.
struct PairF16 {
  static HWY_INLINE VF Half(VU v) { return PromoteF16(hn::TruncateTo(DH(), v)); }
  static HWY_INLINE VF First(VU v) { return Half(v); }
  static HWY_INLINE VF Second(VU v) { return Half(hn::ShiftRight<16>(v)); }
};
struct PairBF16 {
  static HWY_INLINE VF First(VU v) { return ZeroIfNoMode(FromBits(hn::ShiftLeft<16>(v))); }
  static HWY_INLINE VF Second(VU v) {
    return ZeroIfNoMode(FromBits(hn::And(v, hn::Set(DU(), 0xffff0000u))));
  }
};

// A bf16 as a factor.
struct FactorBF16 : FromBF16 {
  static HWY_INLINE VF Load(const T* from) { return ZeroIfNoMode(FromBF16::Load(from)); }
  static HWY_INLINE VF LoadSome(const T* from, size_t n) {
    return ZeroIfNoMode(FromBF16::LoadSome(from, n));
  }
};

#if PTO_AVX512
// Sixteen lines and sixteen elements at a time, which stay in registers.
template <class Pair>
HWY_INLINE void TurnedPairs(const MatMulPanel& p, ptrdiff_t in_line) {
  const size_t lines = p.lines;
  const size_t count = p.count;
  const ptrdiff_t out_line = p.out_line;
  const auto* in = static_cast<const uint8_t*>(p.in);
  auto* out = reinterpret_cast<float*>(p.out);
  for (size_t j = 0; j < lines; j += 16, in += 16 * in_line, out += 16) {
    float* to = out;
    for (size_t k = 0; k < count; k += 16) {
      VU pair[8];
      TurnEight(in + 2 * k, in_line, pair);
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < 8; ++i, to += 2 * out_line) {
        hn::StoreU(Pair::First(pair[i]), DF(), to);
        hn::StoreU(Pair::Second(pair[i]), DF(), to + out_line);
      }
    }
  }
}
#endif

// Elements of 16 bits, turned in pairs and widened.
template <class Pair>
void PanelTurnedPairs(const MatMulPanel& p) {
#if PTO_AVX512
  if (HWY_LIKELY(((p.lines | p.count) & 15) == 0)) {
    if (p.in_line == kBoxLine) return TurnedPairs<Pair>(p, kBoxLine);
    return TurnedPairs<Pair>(p, p.in_line);
  }
#endif
  constexpr size_t kLines = 16;
  constexpr size_t kPairs = 8;
  constexpr size_t kStep = hn::MaxLanes(DF());
  const DF df;
  HWY_ALIGN uint32_t pairs[kPairs * kLines] = {};
  HWY_ALIGN float first[kLines];
  HWY_ALIGN float second[kLines];
  for (size_t j = 0; j < p.lines; j += kLines) {
    const size_t lines = std::min(kLines, p.lines - j);
    const uint8_t* in = static_cast<const uint8_t*>(p.in) + static_cast<ptrdiff_t>(j) * p.in_line;
    auto* to = reinterpret_cast<float*>(p.out + j);
    for (size_t k = 0; k < p.count; k += 2 * kPairs, in += 4 * kPairs) {
      const size_t count = std::min(2 * kPairs, p.count - k);
      Turn(pairs, kLines, in, p.in_line, lines, count / 2);
      if (count % 2 != 0) {  // the last element alone
        for (size_t i = 0; i < lines; ++i) {
          uint16_t one;
          std::memcpy(&one, in + static_cast<ptrdiff_t>(i) * p.in_line + 2 * (count - 1), 2);
          pairs[count / 2 * kLines + i] = one;
        }
      }
      for (size_t i = 0; i < count; i += 2, to += 2 * p.out_line) {
        const bool whole = lines == kLines && i + 1 < count;
        float* const to0 = whole ? to : first;
        float* const to1 = whole ? to + p.out_line : second;
        PTO_UNROLL_WHOLE
        for (size_t v = 0; v < kLines; v += kStep) {
          const VU pair = hn::LoadU(DU(), pairs + i / 2 * kLines + v);
          hn::StoreU(Pair::First(pair), df, to0 + v);
          hn::StoreU(Pair::Second(pair), df, to1 + v);
        }
        if (whole) continue;
        std::memcpy(to, first, lines * sizeof(float));
        if (i + 1 < count) std::memcpy(to + p.out_line, second, lines * sizeof(float));
      }
    }
  }
}

// Words of four bytes of the right matrix, from four lines each; zeros follow the last.
static void RightI8(const MatMulPanel& p) {
  static constexpr int8_t kZeros[MatMulPanel::kMostColumns] = {};
  const auto* first = static_cast<const int8_t*>(p.in);
  uint32_t* line = p.out;
  for (size_t g = 0; g < p.lines; g += 4, first += 4 * p.in_line, line += p.out_line) {
    const int8_t* in[4];
    for (size_t i = 0; i < 4; ++i) {
      in[i] = g + i < p.lines ? first + static_cast<ptrdiff_t>(i) * p.in_line : kZeros;
    }
    uint32_t* out = line;
    size_t j = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::Full128<int8_t> d;
    const hn::Full128<int16_t> d16;
    for (; j + 16 <= p.count; j += 16, out += 16) {
      const auto a = hn::LoadU(d, in[0] + j), b = hn::LoadU(d, in[1] + j);
      const auto c = hn::LoadU(d, in[2] + j), e = hn::LoadU(d, in[3] + j);
      const auto ab = hn::BitCast(d16, hn::InterleaveLower(d, a, b));
      const auto ce = hn::BitCast(d16, hn::InterleaveLower(d, c, e));
      const auto ab_high = hn::BitCast(d16, hn::InterleaveUpper(d, a, b));
      const auto ce_high = hn::BitCast(d16, hn::InterleaveUpper(d, c, e));
      const hn::Full128<uint32_t> d32;
      hn::StoreU(hn::BitCast(d32, hn::InterleaveLower(d16, ab, ce)), d32, out);
      hn::StoreU(hn::BitCast(d32, hn::InterleaveUpper(d16, ab, ce)), d32, out + 4);
      hn::StoreU(hn::BitCast(d32, hn::InterleaveLower(d16, ab_high, ce_high)), d32, out + 8);
      hn::StoreU(hn::BitCast(d32, hn::InterleaveUpper(d16, ab_high, ce_high)), d32, out + 12);
    }
#endif
    for (; j < p.count; ++j, ++out) {
      const int8_t bytes[4] = {in[0][j], in[1][j], in[2][j], in[3][j]};
      std::memcpy(out, bytes, 4);
    }
  }
}

// Whole vectors of a line from element k on, of up to kWords words, then of half of that: lines of
// boxes are shorter than the longest. Returns where they end.
template <class Words, size_t kWords>
HWY_INLINE size_t LeftOfVectors(const uint8_t* in, size_t k, size_t count, uint32_t** out) {
  const hn::CappedTag<uint32_t, kWords> d;
  constexpr size_t kStep = hn::MaxLanes(d);
  for (; k + 4 * kStep <= count; k += 4 * kStep, *out += kStep * Words::kEach) {
    Words::PutAll(d, hn::LoadU(d, reinterpret_cast<const uint32_t*>(in + k)), *out);
  }
  if constexpr (kStep > 4) return LeftOfVectors<Words, kStep / 2>(in, k, count, out);
  return k;
}

// `count` bytes of each line.
template <class Words>
HWY_INLINE void LeftOfLines(const MatMulPanel& p, size_t count) {
  // What is stored could be a field of p for all that the compiler knows.
  const size_t lines = p.lines;
  const ptrdiff_t in_line = p.in_line;
  const ptrdiff_t out_line = p.out_line;
  const auto* in = static_cast<const uint8_t*>(p.in);
  uint32_t* line = p.out;
  for (size_t i = 0; i < lines; ++i, in += in_line, line += out_line) {
    uint32_t* out = line;
    size_t k = 0;
    if constexpr (requires { &Words::PutSome; }) {
      if (count % 16 != 0) {
        constexpr size_t kBytes = 4 * hn::MaxLanes(DU());
        for (; k + kBytes <= count; k += kBytes, out += hn::MaxLanes(DU())) {
          Words::PutAll(DU(), hn::LoadU(DU(), reinterpret_cast<const uint32_t*>(in + k)), out);
        }
        if (k != count) Words::PutSome(in + k, count - k, out);
        continue;
      }
    }
    k = LeftOfVectors<Words, hn::MaxLanes(DU())>(in, 0, count, &out);
    uint32_t word;
    for (; k + 4 <= count; k += 4, out += Words::kEach) {
      std::memcpy(&word, in + k, 4);
      Words::Put(word, out);
    }
    if (k == count) continue;
    // One to three bytes: memcpy() of them is a call.
    word = in[k];
    if (count - k > 1) word |= static_cast<uint32_t>(in[k + 1]) << 8;
    if (count - k > 2) word |= static_cast<uint32_t>(in[k + 2]) << 16;
    Words::Put(word, out);
  }
}

// Lines of bytes of the left matrix: Words::Put() makes what a word of four becomes, and
// Words::PutAll() of a vector of them. Lines of small matrices and of boxes have no loop.
template <class Words>
void LeftOf(const MatMulPanel& p) {
  if (p.count == 16) return LeftOfLines<Words>(p, 16);
  if (p.count == 32) return LeftOfLines<Words>(p, 32);
  LeftOfLines<Words>(p, p.count);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_PANELS_INL_H_
