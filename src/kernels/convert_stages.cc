// The vector loops of conversions.
#include "src/kernels/convert_stages.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/stage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Vectors of 64-bit lanes, and of the same number of 32-bit lanes.
using DI64 = hn::ScalableTag<int64_t>;
using DU64 = hn::RebindToUnsigned<DI64>;
using DF64 = hn::Rebind<double, DI64>;
using DF32 = hn::Rebind<float, DI64>;
using DU32 = hn::Rebind<uint32_t, DI64>;
using VI64 = hn::Vec<DI64>;
using VU64 = hn::Vec<DU64>;
using VF64 = hn::Vec<DF64>;
inline constexpr size_t kLanes64 = hn::MaxLanes(DI64());

template <typename T, typename Wide>
struct Widen : StageBase<T, Wide, hn::MaxLanes(hn::ScalableTag<Wide>())> {
  HWY_INLINE explicit Widen(const StageArgs&) {}
  HWY_INLINE void operator()(const T* from, Wide* to) const {
    const hn::ScalableTag<Wide> d;
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, hn::ScalableTag<Wide>>(), from)), d, to);
  }
};

// The low bits, with the widest vectors that a line fills; the last of a line overlaps the one
// before it.
template <class D, typename Wide>
HWY_INLINE void NarrowLines(D d, hn::TFromD<D>* to, const Wide* from, ptrdiff_t to_line,
                            ptrdiff_t from_line, size_t lines, size_t count) {
  constexpr size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes > kStageLeast) {
    if (count < kLanes) {
      return NarrowLines(hn::Half<D>(), to, from, to_line, from_line, lines, count);
    }
  }
  for (size_t i = 0; i < lines; ++i, to += to_line, from += from_line) {
    size_t k = 0;
    PTO_UNROLL_4
    for (; k + kLanes <= count; k += kLanes) hn::StoreU(Drawn(d, from + k), d, to + k);
    if (k != count) hn::StoreU(Drawn(d, from + count - kLanes), d, to + count - kLanes);
  }
}

template <typename Wide, typename T>
struct Narrow : StageBase<Wide, T, 1> {
  HWY_INLINE explicit Narrow(const StageArgs&) {}
  HWY_INLINE void Lines(const Wide* from, T* to, ptrdiff_t src_line, ptrdiff_t dst_line,
                        size_t lines, size_t count) const {
    NarrowLines(hn::ScalableTag<T>(), to, from, dst_line, src_line, lines, count);
  }
};

// Signed ones, saturating. Highway 1.0.3's own u8 of numbers beyond 32767 is not so.
template <typename T>
struct Saturate : StageBase<int32_t, T, kLanes32> {
  HWY_INLINE explicit Saturate(const StageArgs&) {}
  HWY_INLINE void operator()(const int32_t* from, T* to) const {
    const hn::Rebind<std::make_unsigned_t<T>, DU> d;
    const VI low = hn::Set(DI(), std::numeric_limits<T>::min());
    const VI x =
        hn::Min(hn::Max(hn::LoadU(DI(), from), low), hn::Set(DI(), std::numeric_limits<T>::max()));
    hn::StoreU(LowBits(d, hn::BitCast(DU(), x)), d, reinterpret_cast<std::make_unsigned_t<T>*>(to));
  }
};

template <typename T>
struct Clamp : StageBase<T, T, hn::MaxLanes(hn::ScalableTag<T>())> {
  using D = hn::ScalableTag<T>;
  HWY_INLINE explicit Clamp(const StageArgs& args)
      : low(hn::Set(D(), static_cast<T>(args.low))),
        high(hn::Set(D(), static_cast<T>(args.high))),
        flip(hn::Set(D(), static_cast<T>(args.flip))) {}
  HWY_INLINE void operator()(const T* from, T* to) const {
    const D d;
    const auto x = hn::Xor(hn::LoadU(d, from), flip);
    hn::StoreU(hn::Xor(hn::Min(hn::Max(x, low), high), flip), d, to);
  }
  hn::Vec<D> low, high, flip;
};

// Narrow floats, exactly. Where a canonical NaN takes more than an operation, several vectors are
// asked at once whether there is one.
template <DType kFrom>
struct WidenFloat : StageBase<uint16_t, float, kLanes32> {
  static constexpr bool kHalf = kFrom == DType::kF16;
  static constexpr size_t kVectors = 4;
  static constexpr size_t kGroup = kVectors * kLanes32;

  HWY_INLINE explicit WidenFloat(const StageArgs&) {}
  static HWY_INLINE VF Widened(const uint16_t* from) {
    const VH x = hn::LoadU(DH(), from);
    if constexpr (kHalf) {
      return PromoteF16(x);
    } else {
      return FromBits(hn::ShiftLeft<16>(hn::PromoteTo(DU(), x)));
    }
  }
  // kGroup elements.
  static HWY_INLINE bool MayHaveNaN([[maybe_unused]] const uint16_t* from) {
#if HWY_TARGET == HWY_SCALAR
    return true;
#else
    const hn::RebindToSigned<D16> ds;
    const auto sizes = hn::Set(ds, int16_t{0x7fff});
    const auto* bits = reinterpret_cast<const int16_t*>(from);
    const auto largest = hn::Max(hn::And(hn::LoadU(ds, bits), sizes),
                                 hn::And(hn::LoadU(ds, bits + 2 * kLanes32), sizes));
    return !hn::AllFalse(ds, hn::Gt(largest, hn::Set(ds, int16_t{kHalf ? 0x7c00 : 0x7f80})));
#endif
  }
  // Unless it may have NaN.
  static HWY_INLINE bool Group(const uint16_t* from, float* to) {
    if (HWY_UNLIKELY(MayHaveNaN(from))) return false;
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kGroup; i += kLanes32) hn::StoreU(Widened(from + i), DF(), to + i);
    return true;
  }
  HWY_INLINE void Lines(const uint16_t* from, float* to, ptrdiff_t src_line, ptrdiff_t dst_line,
                        size_t lines, size_t count) const {
    const size_t grouped = count - count % kGroup;
    const bool overlaps = grouped != 0 && grouped != count;
    const size_t last = count - kGroup;
    for (; lines != 0; --lines, from += src_line, to += dst_line) {
      size_t k = 0;
      while (k < grouped && Group(from + k, to + k)) k += kGroup;
      if (overlaps && k == grouped && Group(from + last, to + last)) continue;
      // From a NaN on each vector has its own made canonical.
      for (; k < count; k += kLanes32) {
        const size_t at = HWY_MIN(k, count - kLanes32);
        hn::StoreU(CanonicalNaN(Widened(from + at)), DF(), to + at);
      }
    }
  }
};

template <typename T>
struct IntToFloat : StageBase<T, float, kLanes32> {
  HWY_INLINE explicit IntToFloat(const StageArgs&) {}
  HWY_INLINE void operator()(const T* from, float* to) const {
    VI x;
    if constexpr (sizeof(T) < 4) {
      x = hn::PromoteTo(DI(), hn::LoadU(hn::Rebind<T, DI>(), from));
    } else {
      x = hn::LoadU(DI(), from);
    }
    hn::StoreU(hn::ConvertTo(DF(), x), DF(), to);
  }
};

// The halves are exact; what their sum loses sets its last bit.
template <bool kSigned>
struct LongToOdd : StageBase<int64_t, double, kLanes64> {
  HWY_INLINE explicit LongToOdd(const StageArgs&) {}
  HWY_INLINE void operator()(const int64_t* from, double* to) const {
    const DF64 df;
    const DU64 du;
    const DI64 di;
    const VU64 x = hn::BitCast(du, hn::LoadU(di, from));
    // 2^52 with 32 bits in its last places.
    const VU64 magic = hn::Set(du, 0x4330000000000000u);
    const VU64 sign = hn::Set(du, kSigned ? 0x80000000u : 0u);
    const auto place = [&](VU64 bits) HWY_ATTR { return hn::BitCast(df, hn::Or(magic, bits)); };
    const VF64 upper = hn::Sub(place(hn::Xor(hn::ShiftRight<32>(x), sign)),
                               hn::Set(df, kSigned ? 0x1p52 + 0x1p31 : 0x1p52));
    const VF64 high = hn::Mul(upper, hn::Set(df, 0x1p32));
    const VF64 low = hn::Sub(place(hn::And(x, hn::Set(du, 0xffffffffu))), hn::Set(df, 0x1p52));
    const VF64 sum = hn::Add(high, low);
    const VF64 lost = hn::Sub(low, hn::Sub(sum, high));
    const VI64 bits = hn::BitCast(di, sum);
    const VI64 exact = hn::VecFromMask(di, hn::Eq(hn::BitCast(di, lost), hn::Zero(di)));
    // All ones where the sum is farther from zero.
    const VI64 away = hn::AndNot(
        exact, hn::VecFromMask(di, hn::Lt(hn::Xor(bits, hn::BitCast(di, lost)), hn::Zero(di))));
    const VI64 odd = hn::Or(hn::Add(bits, away), hn::Set(di, 1));
    hn::StoreU(hn::BitCast(df, hn::IfVecThenElse(exact, bits, odd)), df, to);
  }
};

// For integers as f64, so there are no subnormal results, no overflow and no NaN.
struct DoubleToFloat : StageBase<double, float, kLanes64> {
  HWY_INLINE explicit DoubleToFloat(const StageArgs& args) : round(args.mode) {}
  HWY_INLINE void operator()(const double* from, float* to) const {
    const DU64 du;
    const DU32 d32;
    const VU64 bits = hn::BitCast(du, hn::LoadU(DF64(), from));
    const VU64 size = hn::And(bits, hn::Set(du, 0x7fffffffffffffffu));
    const VU64 negative = hn::BitCast(du, hn::ShiftRight<63>(hn::BitCast(DI64(), bits)));
    const VU64 word = hn::Sub(size, hn::Set(du, uint64_t{896} << 52));
    const VU64 last = hn::ShiftRight<29>(word);
    const VU64 addend = round.Addend(hn::Set(du, uint64_t{1} << 28), negative, last);
    const VU64 dropped = hn::And(word, hn::Set(du, (uint64_t{1} << 29) - 1));
    const VU64 result = hn::Or(hn::ShiftRight<29>(hn::Add(word, addend)), round.Sticky(dropped));
    const VU64 finite = hn::IfThenZeroElse(hn::Eq(size, hn::Zero(du)), result);
    hn::StoreU(LowBits(d32, hn::Or(finite, hn::And(negative, hn::Set(du, 0x80000000u)))), d32,
               reinterpret_cast<uint32_t*>(to));
  }
  Rounder<DU64> round;
};

// To nearest even, fast. A group of vectors is converted as if it had neither NaN nor, if
// saturating, numbers beyond, and a sum beside shows whether it may have. From the first such group
// on all is converted with care, as masked data have such in many lines.
template <DType kTo>
struct NarrowEven : StageBase<float, uint16_t, kLanes32> {
  static constexpr bool kHalf = kTo == DType::kF16;
  static constexpr size_t kPair = 2 * kLanes32;
  static constexpr size_t kPairs = kHalf && HWY_TARGET != HWY_SCALAR ? 4 : 2;
  static constexpr size_t kGroup = kPairs * kPair;

  HWY_INLINE explicit NarrowEven(const StageArgs& args)
      : saturates(args.saturate),
        largest(Const(!saturates ? HUGE_VALF
                      : kHalf    ? 65504.0f
                                 : 0x1.fep127f)) {}

  HWY_INLINE void Lines(const float* from, uint16_t* to, ptrdiff_t src_line, ptrdiff_t dst_line,
                        size_t lines, size_t count) const {
    if (saturates) {
      Walk<true>(from, to, src_line, dst_line, lines, count);
    } else {
      Walk<false>(from, to, src_line, dst_line, lines, count);
    }
  }

 private:
  // The rests of lines after their groups are checked for some lines together.
  static constexpr size_t kLines = 16;

  template <bool kSaturates>
  HWY_INLINE void Walk(const float* from, uint16_t* to, ptrdiff_t src_line, ptrdiff_t dst_line,
                       size_t lines, size_t count) const {
    if (count < kPair) return Again(from, to, src_line, dst_line, lines, 0, 0, 0, count);
    const size_t grouped = count - count % kGroup;
    // The positions of the pairs after the groups: half of a group, or all; some may be the same.
    const size_t left = (count - grouped + kPair - 1) / kPair;
    const bool many = left > kPairs / 2;
    size_t at[kPairs];
    PTO_UNROLL_WHOLE
    for (size_t p = 0; p < kPairs; ++p)
      at[p] = HWY_MIN(grouped + (many ? p : p % (kPairs / 2)) * kPair, count - kPair);
    // Subnormal sums would be slow.
    const VF one = Const(1.0f);
    for (size_t i = 0; i < lines; i += kLines) {
      const size_t some = HWY_MIN(kLines, lines - i);
      VF a = one, b = one;
      for (size_t j = 0; j < some; ++j, from += src_line, to += dst_line) {
        for (size_t k = 0; k < grouped; k += kGroup) {
          VF c = one, d = one;
          PTO_UNROLL_WHOLE
          for (size_t p = 0; p < kPairs; p += 2) {
            Pair<kSaturates>(from + k + p * kPair, to + k + p * kPair, c, d);
            Pair<kSaturates>(from + k + (p + 1) * kPair, to + k + (p + 1) * kPair, d, c);
          }
          if (HWY_UNLIKELY(Doubtful<kSaturates>(c, d)))
            return Again(from, to, src_line, dst_line, lines - i - j, j, grouped, k, count);
        }
        PTO_UNROLL_WHOLE
        for (size_t p = 0; p < kPairs; ++p) {
          if (p < kPairs / 2 ? !many : left == 0) continue;
          Pair<kSaturates>(from + at[p], to + at[p], p % 2 == 0 ? a : b, p % 2 == 0 ? b : a);
        }
      }
      if (HWY_UNLIKELY(Doubtful<kSaturates>(a, b)))
        return Again(from, to, src_line, dst_line, lines - i - some, some, grouped, 0, count);
    }
  }

  // The rest of the `open` lines before, this one from k on, and all the others.
  HWY_NOINLINE void Again(const float* from, uint16_t* to, ptrdiff_t src_line, ptrdiff_t dst_line,
                          size_t lines, size_t open, size_t grouped, size_t k, size_t count) const {
    // The last pair ends where the line does; its vectors overlap in a line that is shorter.
    const size_t apart = HWY_MIN(kLanes32, count - kLanes32);
    const auto back = static_cast<ptrdiff_t>(open);
    from -= back * src_line;
    to -= back * dst_line;
    for (size_t i = 0; i < open + lines; ++i, from += src_line, to += dst_line) {
      for (size_t j = i < open ? grouped : i == open ? k : 0; j < count; j += kPair) {
        const size_t at = HWY_MIN(j, count - kLanes32 - apart);
        StoreTwo(Careful(hn::LoadU(DF(), from + at)), Careful(hn::LoadU(DF(), from + at + apart)),
                 to + at, apart);
      }
    }
  }

  // A sum of products, which shows NaN, or of squares, which also shows numbers beyond the largest
  // result, and of numbers that are nearly so.
  template <bool kSaturates>
  static HWY_INLINE void Pair(const float* from, uint16_t* to, VF& a, VF& b) {
    VF low = hn::LoadU(DF(), from), high = hn::LoadU(DF(), from + kLanes32);
#if PTO_AVX512
    // Or gcc reads a vector three times, which takes longer than a register where lines are
    // crossed.
    asm("" : "+v"(low.raw), "+v"(high.raw));
#endif
    a = hn::MulAdd(low, kSaturates ? low : high, a);
    if constexpr (kSaturates) b = hn::MulAdd(high, high, b);
    StoreTwo(low, high, to, kLanes32);
  }
  template <bool kSaturates>
  static HWY_INLINE bool Doubtful(VF a, VF b) {
    if constexpr (!kSaturates) return AnyNaN(a, b);
    // 65520 is the least number that becomes infinity.
    const VF limit = Const(kHalf ? 65520.0f * 65520.0f : HUGE_VALF);
    return !hn::AllTrue(DF(), hn::Lt(hn::Add(a, b), limit));
  }

  HWY_INLINE VF Careful(VF v) const {
#if PTO_AVX512
    // The smaller size, with the sign of the first.
    return VF{_mm512_mask_range_ps(NaN().raw, _mm512_cmp_ps_mask(v.raw, v.raw, _CMP_ORD_Q), v.raw,
                                   largest.raw, 2)};
#else
    const VF clamped = hn::Min(hn::Max(v, hn::Neg(largest)), largest);
    return hn::IfThenElse(hn::IsNaN(v), NaN(), clamped);
#endif
  }

  // The second one `apart` elements on.
  static HWY_INLINE void StoreTwo(VF low, VF high, uint16_t* to, size_t apart) {
#if HWY_TARGET != HWY_SCALAR
    if (!kHalf && apart == kLanes32) {
      const V16 lows = hn::BitCast(D16(), Rounded(low)), highs = hn::BitCast(D16(), Rounded(high));
      return hn::StoreU(hn::ConcatOdd(D16(), highs, lows), D16(), to);
    }
#endif
    Store(low, to);
    Store(high, to + apart);
  }
  static HWY_INLINE void Store(VF v, uint16_t* to) {
    const VH narrow = kHalf ? DemoteF16(v) : LowBits(DH(), hn::ShiftRight<16>(Rounded(v)));
    hn::StoreU(narrow, DH(), to);
  }
  // To bf16, in the upper halves.
  static HWY_INLINE VU Rounded(VF v) {
#if PTO_AVX512
    // Halves of words: the last bit that stays, and what is just less than half of it.
    const __m512i u = Bits(v).raw;
    const __m512i addends =
        _mm512_ternarylogic_epi32(u, _mm512_set1_epi32(0x10000), _mm512_set1_epi32(0x7fff), 0xea);
    return VU{_mm512_add_epi32(u, _mm512_madd_epi16(addends, _mm512_set1_epi16(1)))};
#else
    return RoundToBF16(v);
#endif
  }

  const bool saturates;
  const VF largest;
};

// f32 to whole numbers of the mode.
template <Round kMode>
struct Integral : StageBase<float, float, kLanes32> {
  HWY_INLINE explicit Integral(const StageArgs&) {}
  HWY_INLINE void operator()(const float* from, float* to) const {
    const DF df;
    const VF x = hn::LoadU(df, from);
    // Highway's plain scalars lose the sign of zeros.
    hn::StoreU(CanonicalNaN(hn::CopySign(Whole(x), x)), df, to);
  }
  static HWY_INLINE VF Whole(VF x) {
    if constexpr (kMode == Round::kRint) {
      return hn::Round(x);
    } else if constexpr (kMode == Round::kFloor) {
      return hn::Floor(x);
    } else if constexpr (kMode == Round::kCeil) {
      return hn::Ceil(x);
    } else {
      const VF whole = hn::Trunc(x);
      if constexpr (kMode == Round::kTrunc) return whole;
      const VF one = hn::Or(Const(1.0f), hn::And(x, Const(-0.0f)));
      if constexpr (kMode == Round::kRound) {
        const auto far = hn::Ge(hn::Abs(hn::Sub(x, whole)), Const(0.5f));
        return hn::IfThenElse(far, hn::Add(whole, one), whole);
      } else {
        // Inexact, so that halves and their whole parts are exact.
        const VF half = hn::Mul(whole, Const(0.5f));
        const auto even =
            hn::And(hn::Lt(hn::Abs(whole), hn::Abs(x)), hn::Eq(hn::Trunc(half), half));
        return hn::IfThenElse(even, hn::Add(whole, one), whole);
      }
    }
  }
};

static void RunIntegral(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line,
                        size_t lines, size_t count, const StageArgs& args) {
  const Stage stage = args.mode == Round::kRint    ? RunStage<Integral<Round::kRint>>
                      : args.mode == Round::kRound ? RunStage<Integral<Round::kRound>>
                      : args.mode == Round::kFloor ? RunStage<Integral<Round::kFloor>>
                      : args.mode == Round::kCeil  ? RunStage<Integral<Round::kCeil>>
                      : args.mode == Round::kTrunc ? RunStage<Integral<Round::kTrunc>>
                                                   : RunStage<Integral<Round::kOdd>>;
  stage(dst, src, dst_line, src_line, lines, count, args);
}

// Truncated, or rounded first. At and beyond low and high, which are f32, are at_low and
// at_high; NaN becomes 0, what is left the low bits.
template <bool kRound>
struct FloatToInt : StageBase<float, int32_t, kLanes32> {
  HWY_INLINE explicit FloatToInt(const StageArgs& args)
      : low(Const(static_cast<float>(Double(args.low)))),
        high(Const(static_cast<float>(Double(args.high)))),
        at_low(hn::Set(DI(), static_cast<int32_t>(args.at_low))),
        at_high(hn::Set(DI(), static_cast<int32_t>(args.at_high))) {}
  static HWY_INLINE double Double(int64_t bits) {
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
  }
  HWY_INLINE void operator()(const float* from, int32_t* to) const {
    const DF df;
    const DI di;
    const DU du;
    VF x = hn::LoadU(df, from);
    if constexpr (kRound) x = hn::Round(x);
    const auto small = hn::Lt(hn::Abs(x), Const(0x1p31f));
    VI result;
    if (HWY_LIKELY(hn::AllTrue(df, small))) {
      result = hn::ConvertTo(di, x);
    } else {
      const VU bits = Bits(x);
      const VU mantissa = hn::Or(hn::And(bits, hn::Set(du, 0x7fffffu)), hn::Set(du, 0x800000u));
      const VU exponent = hn::And(hn::ShiftRight<23>(bits), hn::Set(du, 0xffu));
      const VU shift = hn::Sub(exponent, hn::Set(du, 150u));
      const auto gone = hn::Gt(shift, hn::Set(du, 31u));
      const VU shifted =
          hn::IfThenZeroElse(gone, hn::Shl(mantissa, hn::Min(shift, hn::Set(du, 31u))));
      const VI sign = hn::ShiftRight<31>(hn::BitCast(di, bits));
      const VI large = hn::Sub(hn::Xor(hn::BitCast(di, shifted), sign), sign);
      result = hn::IfThenElse(hn::RebindMask(di, small),
                              hn::ConvertTo(di, hn::IfThenElseZero(small, x)), large);
    }
    result = hn::IfThenElse(hn::RebindMask(di, hn::Ge(x, high)), at_high, result);
    result = hn::IfThenElse(hn::RebindMask(di, hn::Le(x, low)), at_low, result);
    hn::StoreU(result, di, to);
  }
  VF low, high;
  VI at_low, at_high;
};

// The same; low and high are f64.
struct FloatToLong : StageBase<float, int64_t, kLanes64> {
  HWY_INLINE explicit FloatToLong(const StageArgs& args)
      : low(hn::BitCast(DF64(), hn::Set(DI64(), args.low))),
        high(hn::BitCast(DF64(), hn::Set(DI64(), args.high))),
        at_low(hn::Set(DI64(), args.at_low)),
        at_high(hn::Set(DI64(), args.at_high)) {}
  HWY_INLINE void operator()(const float* from, int64_t* to) const {
    const DI64 di;
    const DU64 du;
    const auto x32 = hn::LoadU(DF32(), from);
    const VU64 bits = hn::PromoteTo(du, hn::BitCast(DU32(), x32));
    const VU64 mantissa = hn::Or(hn::And(bits, hn::Set(du, 0x7fffffu)), hn::Set(du, 0x800000u));
    const VU64 exponent = hn::And(hn::ShiftRight<23>(bits), hn::Set(du, 0xffu));
    const VU64 most = hn::Set(du, 63u);
    // Each is huge where the other is meant.
    const VU64 left = hn::Sub(exponent, hn::Set(du, 150u));
    const VU64 right = hn::Sub(hn::Set(du, 150u), exponent);
    const VU64 up = hn::IfThenZeroElse(hn::Gt(left, most), hn::Shl(mantissa, hn::And(left, most)));
    const VU64 down =
        hn::IfThenZeroElse(hn::Gt(right, most), hn::Shr(mantissa, hn::And(right, most)));
    const VI64 size = hn::BitCast(di, hn::Or(up, down));
    const VI64 sign = hn::Sub(hn::Zero(di), hn::BitCast(di, hn::ShiftRight<31>(bits)));
    VI64 result = hn::Sub(hn::Xor(size, sign), sign);
    const VF64 x = hn::PromoteTo(DF64(), x32);
    result = hn::IfThenElse(hn::RebindMask(di, hn::Ge(x, high)), at_high, result);
    result = hn::IfThenElse(hn::RebindMask(di, hn::Le(x, low)), at_low, result);
    hn::StoreU(result, di, to);
  }
  VF64 low, high;
  VI64 at_low, at_high;
};

// f32 to bytes, saturating. Clamped values need no care when they are converted.
template <typename T, bool kRound>
struct FloatToByte : StageBase<float, T, kLanes32> {
  static constexpr size_t kGroup = HWY_TARGET == HWY_AVX2 ? 32 : 4 * kLanes32;
  HWY_INLINE explicit FloatToByte(const StageArgs&) {}
  static HWY_INLINE VI Whole(const float* from) {
    const DF df;
    VF x = hn::LoadU(df, from);
    x = hn::IfThenElseZero(hn::Eq(x, x), x);
    x = hn::Max(x, Const(std::numeric_limits<T>::min()));
    x = hn::Min(x, Const(std::numeric_limits<T>::max()));
#if PTO_AVX512
    return VI{kRound ? _mm512_cvtps_epi32(x.raw) : _mm512_cvttps_epi32(x.raw)};
#elif HWY_TARGET == HWY_AVX2
    return VI{kRound ? _mm256_cvtps_epi32(x.raw) : _mm256_cvttps_epi32(x.raw)};
#else
    return kRound ? hn::NearestInt(x) : hn::ConvertTo(DI(), x);
#endif
  }
  HWY_INLINE void operator()(const float* from, T* to) const {
    const hn::Rebind<uint8_t, DU> d;
    hn::StoreU(LowBits(d, hn::BitCast(DU(), Whole(from))), d, reinterpret_cast<uint8_t*>(to));
  }
  HWY_INLINE void Group(const float* from, T* to) const {
#if HWY_TARGET == HWY_AVX2
    // Highway 1.0.3 has no such packing of two vectors of 16 bits. Blocks: a0 b0 c0 d0, a1 b1 c1
    // d1.
    const __m256i low = _mm256_packs_epi32(Whole(from).raw, Whole(from + 8).raw);
    const __m256i high = _mm256_packs_epi32(Whole(from + 16).raw, Whole(from + 24).raw);
    const __m256i all =
        std::is_signed_v<T> ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(all, order));
#else
    PTO_UNROLL_4
    for (size_t i = 0; i < kGroup; i += kLanes32) (*this)(from + i, to + i);
#endif
  }
};

static const Stages kStages = {
    RunStage<Widen<int8_t, int32_t>>,
    RunStage<Widen<uint8_t, int32_t>>,
    RunStage<Widen<int16_t, int32_t>>,
    RunStage<Widen<uint16_t, int32_t>>,
    RunStage<Widen<int32_t, int64_t>>,
    RunStage<Widen<uint32_t, uint64_t>>,
    RunStage<Narrow<uint32_t, uint16_t>>,
    RunStage<Narrow<uint32_t, uint8_t>>,
    RunStage<Narrow<uint16_t, uint8_t>>,
    RunStage<Narrow<uint64_t, uint32_t>>,
    RunStage<Saturate<int8_t>>,
    RunStage<Saturate<uint8_t>>,
    RunStage<Saturate<int16_t>>,
    RunStage<Saturate<uint16_t>>,
    RunStage<Clamp<int32_t>>,
    RunStage<Clamp<int64_t>>,
    RunStage<WidenFloat<DType::kF16>>,
    RunStage<WidenFloat<DType::kBF16>>,
    RunStage<IntToFloat<int8_t>>,
    RunStage<IntToFloat<uint8_t>>,
    RunStage<IntToFloat<int16_t>>,
    RunStage<IntToFloat<uint16_t>>,
    RunStage<IntToFloat<int32_t>>,
    RunStage<LongToOdd<true>>,
    RunStage<LongToOdd<false>>,
    RunStage<DoubleToFloat>,
    RunStage<NarrowFloat<F16Code>>,
    RunStage<NarrowFloat<BF16Code>>,
    RunStage<NarrowEven<DType::kF16>>,
    RunStage<NarrowEven<DType::kBF16>>,
    RunIntegral,
    RunStage<FloatToInt<false>>,
    RunStage<FloatToInt<true>>,
    RunStage<FloatToLong>,
    RunStage<FloatToByte<int8_t, false>>,
    RunStage<FloatToByte<int8_t, true>>,
    RunStage<FloatToByte<uint8_t, false>>,
    RunStage<FloatToByte<uint8_t, true>>,
};

static const Stages& PickStagesHere() { return kStages; }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickStagesHere);

const Stages& PickStages(int target) {
  return HWY_DISPATCH_TABLE(PickStagesHere)[TableIndex(TargetBit(target))]();
}
}  // namespace pto
#endif
