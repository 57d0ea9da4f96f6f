// Shared by the stages of conversions: the loop over lines, rounding by mode, and the stage that
// makes an IEEE float of fewer bits.
#if defined(PTO_SRC_KERNELS_STAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_STAGE_INL_H_
#undef PTO_SRC_KERNELS_STAGE_INL_H_
#else
#define PTO_SRC_KERNELS_STAGE_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "src/kernels/convert-inl.h"
#include "src/kernels/convert.h"
#include "src/kernels/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// The low bits of each lane.
template <class DTo, class V>
HWY_INLINE hn::Vec<DTo> LowBits(DTo to, V v) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(to, static_cast<hn::TFromD<DTo>>(hn::GetLane(v)));
#else
  return hn::TruncateTo(to, v);
#endif
}

// A vector of low bits, drawn together from two of elements of twice the bits, and each of
// these from two.
template <class D, typename Wide>
HWY_INLINE hn::Vec<D> Drawn(D d, const Wide* from) {
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(Wide)) {
    return hn::LoadU(d, from);
  } else {
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(d, static_cast<hn::TFromD<D>>(*from));
#else
#if HWY_TARGET == HWY_AVX2
    // Quarters are reordered once, after two packings within blocks: a0 b0 c0 d0, a1 b1 c1 d1.
    if constexpr (sizeof(Wide) == 4 && hn::MaxLanes(D()) == 32) {
      const auto at = [&](size_t k) HWY_ATTR {
        const hn::Repartition<uint32_t, D> dw;
        return hn::And(hn::LoadU(dw, from + k), hn::Set(dw, 0xffu)).raw;
      };
      const __m256i halves[] = {_mm256_packus_epi32(at(0), at(8)),
                                _mm256_packus_epi32(at(16), at(24))};
      const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
      return hn::Vec<D>{
          _mm256_permutevar8x32_epi32(_mm256_packus_epi16(halves[0], halves[1]), order)};
    }
#endif
    const hn::RepartitionToWide<D> dw;
    const auto low = Drawn(dw, from);
    const auto high = Drawn(dw, from + hn::MaxLanes(dw));
    return hn::ConcatEven(d, hn::BitCast(d, high), hn::BitCast(d, low));
#endif
  }
}

// A functor that iterates over lines itself.
template <class Fun>
concept HasLines = requires(Fun& fun, const typename Fun::From* from, typename Fun::To* to) {
  fun.Lines(from, to, ptrdiff_t{1}, ptrdiff_t{1}, size_t{1}, size_t{1});
};

// A functor reads and writes kStep elements; with a Group(), kGroup at a time. The last,
// incomplete step covers the last kStep elements, which are kept before they may be
// overwritten. A functor with Lines(), whose types differ in size so that nothing it reads is
// overwritten, is given lines.
template <class Fun>
void RunStage(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line, size_t lines,
              size_t count, const StageArgs& args) {
  using From = typename Fun::From;
  using To = typename Fun::To;
  constexpr size_t kStep = Fun::kStep;
  static_assert(kStep <= kStageLeast);
  const From* from = static_cast<const From*>(src);
  To* to = static_cast<To*>(dst);
  if constexpr (HasLines<Fun>) {
    Fun(args).Lines(from, to, src_line, dst_line, lines, count);
  } else {
    const Fun fun(args);
    for (size_t i = 0; i < lines; ++i, from += src_line, to += dst_line) {
      size_t k = 0;
      HWY_ALIGN From last[kStep];
      const size_t rest = count % kStep;
      const bool in_place = dst == src;
      if (rest != 0 && in_place) std::memcpy(last, from + count - kStep, sizeof last);
      if constexpr (Fun::kGroup > kStep) {
        for (; k + Fun::kGroup <= count; k += Fun::kGroup) fun.Group(from + k, to + k);
      } else {
        for (; k + 4 * kStep <= count; k += 4 * kStep) {
          PTO_UNROLL_4
          for (size_t j = 0; j < 4 * kStep; j += kStep) fun(from + k + j, to + k + j);
        }
      }
      for (; k + kStep <= count; k += kStep) fun(from + k, to + k);
      if (rest != 0) fun(in_place ? last : from + count - kStep, to + count - kStep);
    }
  }
}

template <typename FromT, typename ToT, size_t kLanes>
struct StageBase {
  using From = FromT;
  using To = ToT;
  static constexpr size_t kStep = kLanes;
  static constexpr size_t kGroup = kLanes;
};
inline constexpr size_t kLanes32 = hn::MaxLanes(DI());

// How a mode rounds words whose last bits are dropped: what is added to them before, and what the
// result gets.
template <class D>
struct Rounder {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  HWY_INLINE explicit Rounder(Round mode)
      : nearest(Choose(mode == Round::kRint || mode == Round::kRound)),
        up(Choose(mode == Round::kCeil)),
        down(Choose(mode == Round::kFloor)),
        even(hn::Set(D(), static_cast<T>(mode == Round::kRint))),
        odd(hn::Set(D(), static_cast<T>(mode == Round::kOdd))) {}
  static HWY_INLINE V Choose(bool yes) { return hn::Set(D(), yes ? static_cast<T>(~T{0}) : T{0}); }

  // half: of the unit; negative: all ones or none; last: the last bit that stays.
  HWY_INLINE V Addend(V half, V negative, V last) const {
    const V one = hn::Set(D(), T{1});
    const V near = hn::Add(hn::Sub(half, even), hn::And(last, even));
    const V away = hn::Or(hn::And(negative, down), hn::AndNot(negative, up));
    return hn::Or(hn::And(nearest, near), hn::And(away, hn::Sub(hn::Add(half, half), one)));
  }
  // The bit to set in a result that lost `dropped`.
  HWY_INLINE V Sticky(V dropped) const {
    return hn::IfThenZeroElse(hn::Eq(dropped, hn::Zero(D())), odd);
  }

  V nearest, up, down, even, odd;
};

// Floats with fewer bits: how many bits of an f32 they lack, the exponent field that an f32 of
// their smallest normal number has, and the codes of the sign, of the largest number, of what
// overflows and of NaN.
struct F16Code {
  using T = uint16_t;
  static constexpr int kDrop = 13, kLeast = 113;
  static constexpr uint32_t kSign = 0x8000, kLargest = 0x7bff, kOver = 0x7c00, kNaN = 0x7e00;
};
struct BF16Code {
  using T = uint16_t;
  static constexpr int kDrop = 16, kLeast = 1;
  static constexpr uint32_t kSign = 0x8000, kLargest = 0x7f7f, kOver = 0x7f80, kNaN = 0x7fc0;
};
// No infinity: what overflows is NaN.
struct E4M3Code {
  using T = uint8_t;
  static constexpr int kDrop = 20, kLeast = 121;
  static constexpr uint32_t kSign = 0x80, kLargest = 0x7e, kOver = 0x7f, kNaN = 0x7f;
};
struct E5M2Code {
  using T = uint8_t;
  static constexpr int kDrop = 21, kLeast = 113;
  static constexpr uint32_t kSign = 0x80, kLargest = 0x7b, kOver = 0x7c, kNaN = 0x7e;
};
// Numbers alone: what overflows is the largest one, NaN -0.
struct E2M1Code {
  using T = uint8_t;
  static constexpr int kDrop = 22, kLeast = 127;
  static constexpr uint32_t kSign = 8, kLargest = 7, kOver = 7, kNaN = 8;
};
struct E1M2Code {
  using T = uint8_t;
  static constexpr int kDrop = 21, kLeast = 127;
  static constexpr uint32_t kSign = 8, kLargest = 7, kOver = 7, kNaN = 8;
};

// The magnitude of an f32, as bits, in units without the last `drop` bits: below the smallest
// normal number the unit stays, and numbers of less than half of it are all alike.
template <class Round>
HWY_INLINE VU Rounded(const Round& round, VU word, VU drop, VU negative) {
  const DU du;
  const VU half = hn::Shl(hn::Set(du, 1u), hn::Sub(drop, hn::Set(du, 1u)));
  const VU dropped = hn::And(word, hn::Sub(hn::Add(half, half), hn::Set(du, 1u)));
  const VU addend = round.Addend(half, negative, hn::Shr(word, drop));
  return hn::Or(hn::Shr(hn::Add(word, addend), drop), round.Sticky(dropped));
}
HWY_INLINE VU Mantissa(VU size) {
  const DU du;
  const VU fraction = hn::And(size, hn::Set(du, 0x7fffffu));
  return hn::IfThenZeroElse(hn::Eq(size, hn::Zero(du)), hn::Or(fraction, hn::Set(du, 0x800000u)));
}

template <class Code>
struct NarrowFloat : StageBase<float, typename Code::T, kLanes32> {
  using D = hn::Rebind<typename Code::T, DU>;

  HWY_INLINE explicit NarrowFloat(const StageArgs& args)
      : round(args.mode), beyond(hn::Set(DU(), args.saturate ? Code::kLargest : Code::kOver)) {}

  HWY_INLINE VU Narrowed(VU bits) const {
    const DU du;
    const VU size = hn::And(bits, hn::Set(du, 0x7fffffffu));
    const VU negative = hn::BitCast(du, hn::ShiftRight<31>(hn::BitCast(DI(), bits)));
    VU result;
    if constexpr (Code::kLeast > 1) {
      const VU exponent = hn::ShiftRight<23>(size);
      const auto tiny = hn::Lt(exponent, hn::Set(du, uint32_t{Code::kLeast}));
      const VU most = hn::Min(hn::Sub(hn::Set(du, uint32_t{Code::kLeast + Code::kDrop}), exponent),
                              hn::Set(du, 25u));
      const VU drop = hn::IfThenElse(tiny, most, hn::Set(du, uint32_t{Code::kDrop}));
      const VU normal = hn::Sub(size, hn::Set(du, uint32_t{Code::kLeast - 1} << 23));
      result = Rounded(round, hn::IfThenElse(tiny, Mantissa(size), normal), drop, negative);
    } else {
      const VU last = hn::ShiftRight<Code::kDrop>(size);
      const VU addend = round.Addend(hn::Set(du, 1u << (Code::kDrop - 1)), negative, last);
      const VU dropped = hn::And(size, hn::Set(du, (1u << Code::kDrop) - 1));
      result = hn::Or(hn::ShiftRight<Code::kDrop>(hn::Add(size, addend)), round.Sticky(dropped));
    }
    const VU sign = hn::And(negative, hn::Set(du, Code::kSign));
    const auto over = hn::Gt(result, hn::Set(du, Code::kLargest));
    result = hn::Or(hn::IfThenElse(over, beyond, result), sign);
    auto nan = hn::Gt(size, hn::Set(du, 0x7f800000u));
    // A NaN that represents an overflow has no sign.
    if constexpr (Code::kOver == Code::kNaN)
      nan = hn::Or(nan, hn::And(over, hn::Eq(beyond, hn::Set(du, Code::kNaN))));
    return hn::IfThenElse(nan, hn::Set(du, Code::kNaN), result);
  }
  HWY_INLINE void operator()(const float* from, typename Code::T* to) const {
    hn::StoreU(LowBits(D(), Narrowed(Bits(hn::LoadU(DF(), from)))), D(), to);
  }

  Rounder<DU> round;
  VU beyond;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_STAGE_INL_H_
