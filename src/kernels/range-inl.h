// For src/engine/careful.cc: the least and the largest magnitude of a panel, a panel times a power
// of two, and products in f64. Subnormal numbers cost no more than others here.
#if defined(PTO_SRC_KERNELS_RANGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_RANGE_INL_H_
#undef PTO_SRC_KERNELS_RANGE_INL_H_
#else
#define PTO_SRC_KERNELS_RANGE_INL_H_
#endif

#include <cstring>

#include "src/kernels/convert-inl.h"
#include "src/kernels/matmul.h"
#include "src/kernels/paired-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_FLUSH_MODE

// Calls each(bits) for every vector of a panel. Lanes beyond the end of a line are 0. With kStores,
// the vector that it returns is stored.
template <bool kStores, class Each>
HWY_INLINE void EachOfPanel(const MatMulPanel& p, const Each& each) {
  const DI di;
  const auto* line = static_cast<const uint8_t*>(p.in);
  auto* out = reinterpret_cast<int32_t*>(p.out);
  for (size_t i = 0; i < p.lines; ++i, line += p.in_line, out += p.out_line) {
    const auto* in = reinterpret_cast<const int32_t*>(line);
    const size_t whole = p.count / hn::MaxLanes(di) * hn::MaxLanes(di);
    for (size_t k = 0; k < whole; k += hn::MaxLanes(di)) {
      const VI to = each(hn::LoadU(di, in + k));
      if constexpr (kStores) hn::StoreU(to, di, out + k);
    }
    if (whole == p.count) continue;
    const auto mask = hn::FirstN(di, p.count - whole);
    const VI to = each(hn::MaskedLoad(mask, di, in + whole));
    if constexpr (kStores) hn::BlendedStore(to, mask, di, out + whole);
  }
}

static void RangeOfPanel(const MatMulPanel& p, MatMulRange* range) {
  const DI di;
  const DU du;
  VU least = hn::Set(du, range->least - 1);
  VI most = hn::Set(di, static_cast<int32_t>(range->most));
  EachOfPanel<false>(p, [&](VI bits) HWY_ATTR {
    const VI size = hn::And(bits, hn::Set(di, 0x7fffffff));
    least = hn::Min(least, hn::BitCast(du, hn::Sub(size, hn::Set(di, 1))));
    most = hn::Max(most, size);
    return size;
  });
  HWY_ALIGN uint32_t words[2][hn::MaxLanes(DU())];
  hn::Store(least, du, words[0]);
  hn::Store(hn::BitCast(du, most), du, words[1]);
  for (size_t i = 0; i < hn::MaxLanes(du); ++i) {
    range->least = HWY_MIN(range->least - 1, words[0][i]) + 1;
    range->most = HWY_MAX(range->most, words[1][i]);
  }
}

static void RescalePanel(const MatMulPanel& p, int power) {
  const DI di;
  const VI tiny = hn::Set(di, 0x00800000);
  const auto exponent = [](int e) { return static_cast<int32_t>(static_cast<uint32_t>(e) << 23); };
  const VI step = hn::Set(di, exponent(power));
  if (power <= 0) {
    EachOfPanel<true>(p, [&](VI bits) HWY_ATTR {
      const VI size = hn::And(bits, hn::Set(di, 0x7fffffff));
      const VI to = hn::Max(hn::Add(size, step), tiny);
      return hn::Or(hn::IfThenZeroElse(hn::Eq(size, hn::Zero(di)), to), hn::Xor(bits, size));
    });
    return;
  }
  // The bits of a subnormal number are 2^149 times the number.
  const VI of_whole = hn::Set(di, exponent(power - 149));
  EachOfPanel<true>(p, [&](VI bits) HWY_ATTR {
    const VI size = hn::And(bits, hn::Set(di, 0x7fffffff));
    const VI whole = hn::Add(hn::BitCast(di, hn::ConvertTo(DF(), size)), of_whole);
    const VI to = hn::IfThenElse(hn::Gt(tiny, size), whole, hn::Add(size, step));
    return hn::Or(hn::IfThenZeroElse(hn::Eq(size, hn::Zero(di)), to), hn::Xor(bits, size));
  });
}

// Half a vector of a * b + c as an f64 that rounds to the right f32.
HWY_INLINE VD FmaForF32(VD a, VD b, VD c) {
#if PTO_AVX512
  // The odd one of the f64 on both sides, as in FmaNarrow().
  const auto down =
      _mm512_fmadd_round_pd(a.raw, b.raw, c.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const auto up =
      _mm512_fmadd_round_pd(a.raw, b.raw, c.raw, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
  const __mmask8 odd = _mm512_test_epi64_mask(_mm512_castpd_si512(down), _mm512_set1_epi64(1));
  return VD{_mm512_mask_mov_pd(up, odd, down)};
#else
  return FmaOdd(a, b, c);
#endif
}

// The sums of a strip within a run, each step in f64.
static void StripByF64(const MatMulStrip& s) {
  const DD dd;
  const hn::Half<DF> dh;
  constexpr size_t kHalf = hn::MaxLanes(DD());
  const auto* a = static_cast<const uint32_t*>(s.a);
  auto* c = static_cast<uint32_t*>(s.c);
  for (size_t r = 0; r < s.rows; ++r, a += s.a_line, c += s.c_line) {
    for (size_t v = 0; v < s.vectors; ++v) {
      auto* const to = reinterpret_cast<float*>(c + static_cast<ptrdiff_t>(v) * s.c_vector);
      const auto* right = static_cast<const float*>(s.b) + v * 2 * kHalf;
      const uint32_t* left = a;
      const VF start = s.fresh ? hn::Zero(DF()) : hn::LoadU(DF(), to);
      VD low = hn::PromoteTo(dd, hn::LowerHalf(dh, start));
      VD high = hn::PromoteTo(dd, hn::UpperHalf(dh, start));
      VF sum = start;
      for (size_t k = 0; k < s.groups; ++k, right += s.b_line, left += s.a_step) {
        float x;
        std::memcpy(&x, left, sizeof x);
        const VD factor = hn::Set(dd, double{x});
        const VD r_low = FmaForF32(factor, hn::PromoteTo(dd, hn::LoadU(dh, right)), low);
        const VD r_high = FmaForF32(factor, hn::PromoteTo(dd, hn::LoadU(dh, right + kHalf)), high);
        sum = JoinF64(r_high, r_low);
        low = hn::PromoteTo(dd, hn::LowerHalf(dh, sum));
        high = hn::PromoteTo(dd, hn::UpperHalf(dh, sum));
      }
      hn::StoreU(s.finish ? CanonicalNaN(sum) : sum, DF(), to);
    }
  }
}

#endif  // PTO_FLUSH_MODE

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_RANGE_INL_H_
