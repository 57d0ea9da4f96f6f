// Words of 32 bits turned: lines become columns.
#if defined(PTO_SRC_KERNELS_TURN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_TURN_INL_H_
#undef PTO_SRC_KERNELS_TURN_INL_H_
#else
#define PTO_SRC_KERNELS_TURN_INL_H_
#endif

#include <cstring>

#include "src/kernels/convert-inl.h"
#include "src/kernels/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Vectors of 256 bits and more turn eight words of one line per lane at once, others
// four of four.
#undef PTO_TURN_EIGHT
#if HWY_TARGET != HWY_SCALAR && (PTO_AVX512 || HWY_TARGET == HWY_AVX2)
#define PTO_TURN_EIGHT 1
#else
#define PTO_TURN_EIGHT 0
#endif

#if HWY_TARGET != HWY_SCALAR
// In each block of 16 bytes: word k of the four vectors becomes vector k.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void TurnFour(D d, const V* v, V* out) {
  const hn::Repartition<uint64_t, D> d64;
  const auto low = hn::BitCast(d64, hn::InterleaveLower(d, v[0], v[1]));
  const auto high = hn::BitCast(d64, hn::InterleaveUpper(d, v[0], v[1]));
  const auto low2 = hn::BitCast(d64, hn::InterleaveLower(d, v[2], v[3]));
  const auto high2 = hn::BitCast(d64, hn::InterleaveUpper(d, v[2], v[3]));
  out[0] = hn::BitCast(d, hn::InterleaveLower(d64, low, low2));
  out[1] = hn::BitCast(d, hn::InterleaveUpper(d64, low, low2));
  out[2] = hn::BitCast(d, hn::InterleaveLower(d64, high, high2));
  out[3] = hn::BitCast(d, hn::InterleaveUpper(d64, high, high2));
}
#endif

#if PTO_TURN_EIGHT
// Eight words of each line: out[k] is word k of all lines.
HWY_INLINE void TurnEight(const uint8_t* in, ptrdiff_t in_line, VU* out) {
  const DU d;
  const hn::CappedTag<uint32_t, 8> d8;
  VU v[8], r[8];
  PTO_UNROLL_WHOLE
  for (int i = 0; i < 8; ++i) {
    const auto line = [&](int n) HWY_ATTR {
      return hn::LoadU(d8, reinterpret_cast<const uint32_t*>(in + n * in_line));
    };
#if PTO_AVX512
    v[i] = hn::Combine(d, line(i + 8), line(i));
#else
    v[i] = line(i);
#endif
  }
  TurnFour(d, v, r);
  TurnFour(d, v + 4, r + 4);
  PTO_UNROLL_WHOLE
  for (int k = 0; k < 4; ++k) {
#if PTO_AVX512
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    out[k] = VU{_mm512_permutex2var_epi64(r[k].raw, even, r[k + 4].raw)};
    out[k + 4] = VU{_mm512_permutex2var_epi64(r[k].raw, odd, r[k + 4].raw)};
#else
    out[k] = hn::ConcatLowerLower(d, r[k + 4], r[k]);
    out[k + 4] = hn::ConcatUpperUpper(d, r[k + 4], r[k]);
#endif
  }
}
#endif

[[maybe_unused]] static HWY_INLINE void TurnOne(uint32_t* out, ptrdiff_t out_line,
                                                const uint8_t* in, size_t count) {
  for (size_t k = 0; k < count; ++k, in += 4, out += out_line) std::memcpy(out, in, 4);
}

[[maybe_unused]] static HWY_INLINE void TurnLines(uint32_t* out, ptrdiff_t out_line,
                                                  const uint8_t* in, ptrdiff_t in_line,
                                                  size_t lines, size_t count) {
  size_t j = 0;
#if PTO_TURN_EIGHT
  constexpr size_t kWide = hn::MaxLanes(DU());
  for (; j + kWide <= lines;
       j += kWide, in += static_cast<ptrdiff_t>(kWide) * in_line, out += kWide) {
    uint32_t* to = out;
    size_t k = 0;
    for (; k + 8 <= count; k += 8) {
      VU v[8];
      TurnEight(in + 4 * k, in_line, v);
      PTO_UNROLL_WHOLE
      for (int i = 0; i < 8; ++i, to += out_line) hn::StoreU(v[i], DU(), to);
    }
    for (size_t line = 0; line < kWide && k != count; ++line) {
      TurnOne(to + line, out_line, in + static_cast<ptrdiff_t>(line) * in_line + 4 * k, count - k);
    }
  }
#endif
#if HWY_TARGET != HWY_SCALAR
  const hn::Full128<uint32_t> d;
  for (; j + 4 <= lines; j += 4, in += 4 * in_line, out += 4) {
    uint32_t* to = out;
    size_t k = 0;
    for (; k + 4 <= count; k += 4, to += 4 * out_line) {
      hn::Vec<decltype(d)> v[4], r[4];
      PTO_UNROLL_WHOLE
      for (int i = 0; i < 4; ++i) {
        v[i] = hn::LoadU(d, reinterpret_cast<const uint32_t*>(in + i * in_line + 4 * k));
      }
      TurnFour(d, v, r);
      PTO_UNROLL_WHOLE
      for (int i = 0; i < 4; ++i) hn::StoreU(r[i], d, to + i * out_line);
    }
    for (int line = 0; line < 4; ++line) {
      TurnOne(to + line, out_line, in + line * in_line + 4 * k, count - k);
    }
  }
#endif
  for (; j < lines; ++j, in += in_line, ++out) TurnOne(out, out_line, in, count);
}

// Lines of a box follow each other: computing the places of sixteen would cost the same as
// turning them.
constexpr ptrdiff_t kBoxLine = 32;

// out[k * out_line + j] = in[j * in_line + k], 0 <= j < lines, 0 <= k < count. in_line is in bytes,
// and `in` aligned to nothing.
[[maybe_unused]] static void Turn(uint32_t* out, ptrdiff_t out_line, const uint8_t* in,
                                  ptrdiff_t in_line, size_t lines, size_t count) {
  if (in_line == kBoxLine) return TurnLines(out, out_line, in, kBoxLine, lines, count);
  TurnLines(out, out_line, in, in_line, lines, count);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_TURN_INL_H_
