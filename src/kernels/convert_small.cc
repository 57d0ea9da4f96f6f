// The vector loops of conversions to and from floats of a byte or less, with one code per byte.
#include "src/kernels/convert_small.h"

#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/stage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

using DB = hn::Rebind<uint8_t, DU>;

// ---- from bytes ----
// A byte has the upper bits of an f16, whose range is larger by a factor, except for NaN and
// infinity.
template <class Code>
struct WidenByte : StageBase<uint8_t, float, kLanes32> {
  HWY_INLINE explicit WidenByte(const StageArgs&) {}
  HWY_INLINE void operator()(const uint8_t* from, float* to) const {
    const DF df;
    const DU du;
    constexpr bool kE4M3 = Code::kDrop == 20;
#if HWY_TARGET == HWY_SCALAR
    const VU wide = hn::Set(du, uint32_t{*from});
    const auto half = [&](VU v)
                          HWY_ATTR { return hn::Set(DH(), static_cast<uint16_t>(hn::GetLane(v))); };
    const VU size = hn::And(wide, hn::Set(du, 0x7fu));
    const VU sign = hn::ShiftLeft<8>(hn::Xor(wide, size));
    const VF x =
        PromoteF16(half(hn::Or(kE4M3 ? hn::ShiftLeft<7>(size) : hn::ShiftLeft<8>(size), sign)));
#else
    const VH wide = hn::PromoteTo(DH(), hn::LoadU(DB(), from));
    VH bits = hn::ShiftLeft<8>(wide);
    if constexpr (kE4M3) {
      const auto i16 = hn::BitCast(hn::RebindToSigned<DH>(), bits);
      bits = hn::And(hn::BitCast(DH(), hn::ShiftRight<1>(i16)), hn::Set(DH(), uint16_t{0xbfff}));
    }
    const VF x = PromoteF16(bits);
#endif
    if constexpr (kE4M3) {
      const VF value = hn::Mul(x, Const(256.0f));
      const VU size2 = hn::And(Bits(value), hn::Set(du, 0x7fffffffu));
      const auto nan = hn::Eq(size2, hn::Set(du, 0x43f00000u));  // 480
      hn::StoreU(hn::IfThenElse(hn::RebindMask(df, nan), NaN(), value), df, to);
    } else {
      hn::StoreU(CanonicalNaN(x), df, to);
    }
  }
};

HWY_INLINE VU Codes(const uint8_t* from) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(DU(), uint32_t{*from});
#else
  return hn::PromoteTo(DU(), hn::LoadU(DB(), from));
#endif
}

// The low half of a byte: a sign and three bits.
template <class Code>
struct WidenNibble : StageBase<uint8_t, float, kLanes32> {
  HWY_INLINE explicit WidenNibble(const StageArgs&) {}
  HWY_INLINE void operator()(const uint8_t* from, float* to) const {
    const DU du;
    const VU code = Codes(from);
    const VU size = hn::And(code, hn::Set(du, 7u));
    const VU sign = hn::ShiftLeft<28>(hn::Xor(code, size));
    VU magnitude;
    if constexpr (Code::kDrop == 21) {
      // Quarters.
      const VF quarters = hn::ConvertTo(DF(), hn::BitCast(DI(), size));
      magnitude = Bits(hn::Mul(quarters, Const(0.25f)));
    } else {
      // 0 and 0.5, and from 1 on the upper bits of an f32.
      const VU half = hn::And(hn::Sub(hn::Zero(du), size), hn::Set(du, 0x3f000000u));
      const VU normal = hn::Add(hn::ShiftLeft<22>(size), hn::Set(du, 126u << 23));
      magnitude = hn::IfThenElse(hn::Lt(size, hn::Set(du, 2u)), half, normal);
    }
    hn::StoreU(FromBits(hn::Or(magnitude, sign)), DF(), to);
  }
};

struct WidenI4 : StageBase<uint8_t, int32_t, kLanes32> {
  HWY_INLINE explicit WidenI4(const StageArgs&) {}
  HWY_INLINE void operator()(const uint8_t* from, int32_t* to) const {
    const VI high = hn::BitCast(DI(), hn::ShiftLeft<28>(Codes(from)));
    hn::StoreU(hn::ShiftRight<28>(high), DI(), to);
  }
};

// Exponents alone. The smallest is the exponent of a subnormal number.
struct WidenExponent : StageBase<uint8_t, float, kLanes32> {
  HWY_INLINE explicit WidenExponent(const StageArgs&) {}
  HWY_INLINE void operator()(const uint8_t* from, float* to) const {
    const DU du;
    const VU x = Codes(from);
    const VU least = hn::IfThenElseZero(hn::Eq(x, hn::Zero(du)), hn::Set(du, 0x400000u));
    const VU nan = hn::IfThenElseZero(hn::Eq(x, hn::Set(du, 255u)), hn::Set(du, 0x400000u));
    hn::StoreU(FromBits(hn::Or(hn::ShiftLeft<23>(x), hn::Or(least, nan))), DF(), to);
  }
};

// ---- to bytes ----
// Four vectors of codes.
HWY_INLINE void StoreCodes(VU a, VU b, VU c, VU d, uint8_t* to) {
#if HWY_TARGET == HWY_AVX2
  const __m256i low = _mm256_packs_epi32(a.raw, b.raw);
  const __m256i high = _mm256_packs_epi32(c.raw, d.raw);
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i all = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), all);
#else
  hn::StoreU(LowBits(DB(), a), DB(), to);
  hn::StoreU(LowBits(DB(), b), DB(), to + kLanes32);
  hn::StoreU(LowBits(DB(), c), DB(), to + 2 * kLanes32);
  hn::StoreU(LowBits(DB(), d), DB(), to + 3 * kLanes32);
#endif
}

// A stage of a functor that makes codes of the bits of f32.
template <class Fun>
struct ToCodes : StageBase<float, uint8_t, kLanes32> {
  static constexpr size_t kGroup = 4 * kLanes32;
  HWY_INLINE explicit ToCodes(const StageArgs& args) : fun(args) {}
  HWY_INLINE void operator()(const float* from, uint8_t* to) const {
    hn::StoreU(LowBits(DB(), fun.Narrowed(Bits(hn::LoadU(DF(), from)))), DB(), to);
  }
  HWY_INLINE void Group(const float* from, uint8_t* to) const {
    const auto code = [&](size_t i) HWY_ATTR {
      return fun.Narrowed(Bits(hn::LoadU(DF(), from + i * kLanes32)));
    };
    StoreCodes(code(0), code(1), code(2), code(3), to);
  }
  Fun fun;
};

// To nearest even, fast. The unit of a number follows from its exponent, or the least one. Floats
// near a power of two that is larger by 2^kDrop have the same unit. Added to that the number is
// rounded, and the low byte of the sum counts units; the exponent, in codes, is added, and what
// both are too much is in the power's low bits, less 256 as often as it takes.
template <class Code>
struct EvenCode {
  static constexpr uint32_t kTooMuch = static_cast<uint32_t>(Code::kLeast) << (23 - Code::kDrop);
  static constexpr uint32_t kAnchor = (uint32_t{Code::kDrop} << 23) + (0u - kTooMuch) % 256;
  static constexpr int32_t SizeOf(uint32_t code) {
    return static_cast<int32_t>((code << Code::kDrop) + ((Code::kLeast - 1u) << 23));
  }
  HWY_INLINE explicit EvenCode(const StageArgs& args)
      : largest(hn::Set(DI(), SizeOf(args.saturate ? Code::kLargest : Code::kOver))),
        // Without infinity what is nearer to the next number than to the largest is as good as NaN.
        numbers(hn::Set(DI(), Code::kOver == Code::kNaN && !args.saturate ? kMiddle : 0x7f800000)) {
  }
  static constexpr int32_t kMiddle = SizeOf(Code::kLargest) + (1 << (Code::kDrop - 1));

  HWY_INLINE VU Narrowed(VU bits) const {
    const DI di;
    const DU du;
    const VI order = hn::BitCast(di, hn::And(bits, hn::Set(du, 0x7fffffffu)));
    const VI size = hn::Min(order, largest);
    const VI exponent =
        hn::Max(hn::And(size, hn::Set(di, 0x7f800000)), hn::Set(di, Code::kLeast << 23));
    const VU anchor = hn::Add(hn::BitCast(du, exponent), hn::Set(du, kAnchor));
    const VU sum = Bits(hn::Add(FromBits(hn::BitCast(du, size)), FromBits(anchor)));
    const VU units = hn::Add(sum, hn::ShiftRight<Code::kDrop>(hn::BitCast(du, exponent)));
#if HWY_TARGET == HWY_AVX2
    const VU code = hn::And(units, hn::Set(du, Code::kSign - 1));  // StoreCodes() saturates
#else
    const VU code = units;
#endif
    constexpr int kDown = Code::kSign == 8 ? 28 : 24;
    const VU result = hn::OrAnd(code, hn::ShiftRight<kDown>(bits), hn::Set(du, Code::kSign));
    return hn::IfThenElse(hn::RebindMask(du, hn::Gt(order, numbers)), hn::Set(du, Code::kNaN),
                          result);
  }
  VI largest, numbers;
};

// HiFloat8: the farther an exponent is from 0 the more bits it takes, and the fewer has the
// fraction.
struct HiCode {
  static constexpr uint32_t kLargest = 0x6e, kInfinity = 0x6f, kNaN = 0x80;
  static constexpr uint32_t kLargestBits = 0x47000000;  // 2^15
  HWY_INLINE explicit HiCode(const StageArgs& args)
      : round(args.mode), beyond(hn::Set(DU(), args.saturate ? kLargest : kInfinity)) {}

  // A magnitude with the number of fraction bits that its exponent leaves. Without any, the larger
  // power of two wins a tie, as if both neighbours were odd; the last bit of the code is then the
  // exponent's.
  HWY_INLINE VU Kept(VU size, VI exponent, VU negative) const {
    const DI di;
    const DU du;
    const VI distance = hn::Abs(exponent);
    const VI fewer = hn::Add(hn::VecFromMask(di, hn::Gt(distance, hn::Set(di, 3))),
                             hn::VecFromMask(di, hn::Gt(distance, hn::Set(di, 7))));
    const VI one_digit = hn::VecFromMask(di, hn::Gt(hn::Set(di, -15), exponent));
    const VU drop = hn::BitCast(du, hn::Sub(hn::Set(di, 20), hn::Add(fewer, one_digit)));
    const VU half = hn::Shl(hn::Set(du, 1u), hn::Sub(drop, hn::Set(du, 1u)));
    const VU lost = hn::Sub(hn::Add(half, half), hn::Set(du, 1u));
    const VU last = hn::Or(hn::Shr(size, drop), hn::BitCast(du, one_digit));
    const VU kept = hn::AndNot(lost, hn::Add(size, round.Addend(half, negative, last)));
    return hn::Or(kept, hn::Shl(round.Sticky(hn::And(size, lost)), drop));
  }

  // The code of a magnitude that has one.
  static HWY_INLINE VU Composed(VU kept) {
    const DI di;
    const DU du;
    // Eighths; 0 is the exponent of 1.
    const VI t = hn::Sub(hn::BitCast(di, hn::ShiftRight<20>(kept)), hn::Set(di, 127 * 8));
    const VI below = hn::ShiftRight<31>(t);
    const VI fraction = hn::And(t, hn::Set(di, 7));
    const VI z = hn::Add(hn::Sub(hn::Xor(hn::Sub(t, fraction), below), below), fraction);
    const VU k = hn::BitCast(du, hn::Neg(hn::Add(hn::VecFromMask(di, hn::Gt(z, hn::Set(di, 31))),
                                                 hn::VecFromMask(di, hn::Gt(z, hn::Set(di, 63))))));
    const VI far = hn::BitCast(di, hn::Add(hn::ShiftLeft<5>(k), hn::Shr(hn::BitCast(du, z), k)));
    const VI high = hn::Add(hn::Add(far, hn::Set(di, 16)), hn::And(below, hn::Set(di, 16)));
    const VI low = hn::Add(hn::Add(z, hn::Set(di, 8)), hn::And(below, hn::Set(di, 8)));
    const VI code = hn::IfThenElse(hn::Gt(z, hn::Set(di, 15)), high, low);
    const VI power = hn::Add(hn::ShiftRight<3>(t), hn::Set(di, 23));
    return hn::BitCast(du, hn::IfThenElse(hn::Gt(hn::Set(di, -15 * 8), t), power, code));
  }

  HWY_INLINE VU Narrowed(VU bits) const {
    const DI di;
    const DU du;
    const VU size = hn::And(bits, hn::Set(du, 0x7fffffffu));
    const VU negative = hn::BitCast(du, hn::ShiftRight<31>(hn::BitCast(di, bits)));
    const VU field = hn::ShiftRight<23>(size);
    const VI exponent = hn::Sub(hn::BitCast(di, field), hn::Set(di, 127));
    const VU kept = Kept(size, exponent, negative);
    VU code = hn::IfThenElse(hn::Gt(kept, hn::Set(du, kLargestBits)), beyond, Composed(kept));
    // Below 2^-22 there is 0 alone.
    const auto tiny = hn::Gt(hn::Set(di, -22), exponent);
    if (HWY_UNLIKELY(!hn::AllFalse(di, tiny))) {
      const VU drop = hn::Min(hn::Sub(hn::Set(du, 128u), field), hn::Set(du, 25u));
      const VU safe = hn::IfThenElse(hn::RebindMask(du, tiny), drop, hn::Set(du, 25u));
      const VU least = Rounded(round, Mantissa(size), safe, negative);
      code = hn::IfThenElse(hn::RebindMask(du, tiny), least, code);
    }
    // One zero.
    const VU sign =
        hn::IfThenZeroElse(hn::Eq(code, hn::Zero(du)), hn::And(negative, hn::Set(du, 0x80u)));
    const auto nan = hn::Gt(size, hn::Set(du, 0x7f800000u));
    return hn::IfThenElse(nan, hn::Set(du, kNaN), hn::Or(code, sign));
  }

  Rounder<DU> round;
  VU beyond;
};

// Powers of two: of two neighbours the larger one wins a tie. No zero and nothing negative.
struct ExponentCode {
  static constexpr uint32_t kLargest = 0xfe, kNaN = 0xff;
  HWY_INLINE explicit ExponentCode(const StageArgs& args)
      : round(args.mode == Round::kRint ? Round::kRound : args.mode),
        beyond(hn::Set(DU(), args.saturate ? kLargest : kNaN)) {}

  HWY_INLINE VU Narrowed(VU bits) const {
    const DU du;
    // Subnormal numbers from the least on have one bit less.
    const VU least = hn::Set(du, 0x400000u);
    const VU smallest = hn::Set(du, 0x800000u);
    const VU subnormal = hn::Sub(hn::Max(bits, least), least);
    const VU word = hn::IfThenElse(hn::Lt(bits, smallest), hn::Add(subnormal, subnormal), bits);
    const VU addend = round.Addend(least, hn::Zero(du), hn::Zero(du));
    const VU sticky = round.Sticky(hn::And(word, hn::Set(du, 0x7fffffu)));
    const VU code = hn::Or(hn::ShiftRight<23>(hn::Add(word, addend)), sticky);
    const VU result = hn::IfThenElse(hn::Gt(code, hn::Set(du, kLargest)), beyond, code);
    const auto none = hn::Or(hn::Gt(bits, hn::Set(du, 0x7f800000u)), hn::Eq(bits, hn::Zero(du)));
    return hn::IfThenElse(none, hn::Set(du, kNaN), result);
  }

  Rounder<DU> round;
  VU beyond;
};

template <class Code, class Widen>
constexpr SmallStages::Codec kCodec = {RunStage<Widen>, RunStage<ToCodes<NarrowFloat<Code>>>,
                                       RunStage<ToCodes<EvenCode<Code>>>};

static const SmallStages kSmallStages = {
    {kCodec<E4M3Code, WidenByte<E4M3Code>>,
     kCodec<E5M2Code, WidenByte<E5M2Code>>,
     {nullptr, RunStage<ToCodes<HiCode>>, RunStage<ToCodes<HiCode>>},
     {RunStage<WidenExponent>, RunStage<ToCodes<ExponentCode>>, RunStage<ToCodes<ExponentCode>>},
     kCodec<E2M1Code, WidenNibble<E2M1Code>>,
     kCodec<E1M2Code, WidenNibble<E1M2Code>>},
    RunStage<WidenI4>,
};

static const SmallStages& PickSmallStagesHere() { return kSmallStages; }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickSmallStagesHere);

const SmallStages& PickSmallStages(int target) {
  return HWY_DISPATCH_TABLE(PickSmallStagesHere)[TableIndex(TargetBit(target))]();
}
}  // namespace pto
#endif
