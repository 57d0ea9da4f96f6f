// a rem b, with the sign of the divisor, and fmod(a, b), with the sign of the dividend: exact
// for every element type; x rem 0 is 0 for integers.
#include <cmath>

#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/divisor-inl.h"
#include "src/kernels/loop-inl.h"
#include "src/kernels/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// ax modulo bx, exactly, of any quotients. In f64 a quotient of 53 bits leaves a rest of less than
// 30 bits, which is exact, and takes 51 bits off; quotients of f32 have up to 277, most of them
// less than 128. A step of both halves at a time: one half is a chain of operations that wait.
HWY_MAYBE_UNUSED static HWY_NOINLINE VF ModuloOfLarge(VF ax, VF bx) {
#if PTO_FMA
  const DD dd;
  Wide a(ax);
  const Wide b(bx);
  const Wide inverse = Halves([](VD v) HWY_ATTR { return hn::Div(hn::Set(DD(), 1.0), v); }, b);
  const auto step = [](VD x, VD y, VD i)
                        HWY_ATTR { return hn::NegMulAdd(hn::Round(hn::Mul(x, i)), y, x); };
  const auto done = [dd](VD x, VD y) HWY_ATTR { return hn::AllTrue(dd, hn::Lt(hn::Abs(x), y)); };
  // Infinite bx, whose lanes do not matter, are never done.
  for (int i = 0; i < 2 || (i < 7 && !(done(a.low, b.low) && done(a.high, b.high))); ++i) {
    a = Halves(step, a, b, inverse);
  }
  return Halves([dd](VD x, VD y)
                    HWY_ATTR { return hn::IfThenElse(hn::Lt(x, hn::Zero(dd)), hn::Add(x, y), x); },
                a, b)
      .Narrow();
#else
  const DF df;
  constexpr size_t kMaxLanes = hn::MaxLanes(DF());
  HWY_ALIGN float as[kMaxLanes];
  HWY_ALIGN float bs[kMaxLanes];
  hn::Store(ax, df, as);
  hn::Store(bx, df, bs);
  for (size_t i = 0; i < hn::Lanes(df); ++i) as[i] = std::fmod(as[i], bs[i]);
  return hn::Load(df, as);
#endif
}

// ax modulo bx, exactly, from their quotient, which is below 2^22. It is off by less than one, and
// rounded down it is q or q + 1. A multiple of the smaller number's last place that is not above
// bx, ax - q bx is an f32, which one fused step finds; and so is what is left after adding bx where
// the quotient was too large.
HWY_INLINE VF Remainder(VF ax, VF bx, VF quotient) {
  const VF r = Fma(hn::Neg(hn::Trunc(quotient)), bx, ax);
  return hn::IfThenElse(hn::Lt(r, hn::Zero(DF())), hn::Add(r, bx), r);
}

// The same of any positive numbers, none of them subnormal.
HWY_INLINE VF RemainderOfAny(VF ax, VF bx) {
  const VF quotient = hn::Div(ax, bx);
  if (HWY_LIKELY(hn::AllTrue(DF(), hn::Lt(quotient, Const(0x1p22F))))) {
    return Remainder(ax, bx, quotient);
  }
  return ModuloOfLarge(ax, bx);
}

constexpr float kLeastNormal = 0x1p-126F;

// x 2^149 of 0 <= x < 2^-22. A subnormal is its bits as an integer: arithmetic on it takes 50 times
// as long.
HWY_INLINE VF ScaleUp(VF x) {
  const MF tiny = hn::Lt(x, Const(kLeastNormal));
  const VF normal = hn::IfThenZeroElse(tiny, x);
  const VF whole = hn::ConvertTo(DF(), hn::BitCast(DI(), hn::IfThenElseZero(tiny, x)));
  return hn::IfThenElse(tiny, whole, hn::Mul(hn::Mul(normal, Const(0x1p75F)), Const(0x1p74F)));
}
// And back, exactly: x is a whole number.
HWY_INLINE VF ScaleDown(VF x) {
  const MF tiny = hn::Lt(x, Const(0x1p23F));
  const VF normal = hn::IfThenElse(tiny, Const(0x1p23F), x);
  const VF bits = hn::BitCast(DF(), hn::ConvertTo(DI(), hn::IfThenElseZero(tiny, x)));
  return hn::IfThenElse(tiny, bits, hn::Mul(hn::Mul(normal, Const(0x1p-75F)), Const(0x1p-74F)));
}

// Modulo() of vectors with subnormals, zero divisors, infinities or large quotients.
HWY_MAYBE_UNUSED static HWY_NOINLINE VF ModuloOfAny(VF a, VF b) {
  const DF df;
  const VF ax = hn::Abs(a);
  const VF bx = hn::Abs(b);
  // For infinity, for division by zero, and for NaN; there 1 by 1 is computed.
  const MF finite = hn::Lt(ax, hn::Inf(df));
  const MF good = hn::And(finite, hn::Gt(bx, hn::Zero(df)));
  const VF one = Const(1);
  const VF zero = hn::Zero(df);
  const MF subnormal = hn::Or(hn::And(hn::Lt(ax, Const(kLeastNormal)), hn::Gt(ax, zero)),
                              hn::And(hn::Lt(bx, Const(kLeastNormal)), hn::Gt(bx, zero)));
  if (!tuning.assists || hn::AllFalse(df, subnormal)) {
    const VF quotient = hn::Div(ax, bx);
    const VF result = hn::IfThenElse(hn::Lt(ax, bx), ax, Remainder(ax, bx, quotient));
    const MF large = hn::And(good, hn::Ge(quotient, Const(0x1p22F)));
    if (hn::AllFalse(df, large)) return result;
    const VF x = hn::IfThenElse(large, ax, one);
    return hn::IfThenElse(large, ModuloOfLarge(x, hn::IfThenElse(large, bx, one)), result);
  }
  const MF small = hn::And(good, hn::Lt(hn::Max(ax, bx), Const(0x1p-22F)));
  // A subnormal by a larger number is itself.
  const MF least = hn::AndNot(small, hn::Lt(ax, Const(kLeastNormal)));
  const VF some = hn::IfThenElse(good, hn::IfThenZeroElse(least, ax), one);
  const VF by = hn::IfThenElse(good, bx, one);
  const VF x = hn::IfThenElse(small, ScaleUp(hn::IfThenElseZero(small, ax)), some);
  const VF y = hn::IfThenElse(small, ScaleUp(hn::IfThenElseZero(small, bx)), by);
  const VF r = RemainderOfAny(x, y);
  const VF scaled = hn::IfThenElse(small, ScaleDown(hn::IfThenElseZero(small, r)), r);
  const VF result = hn::IfThenElse(hn::Lt(ax, bx), ax, scaled);
  return hn::IfThenElse(good, result, hn::BitCast(df, hn::Set(DU(), 0x7fc00000U)));
}

// |a| modulo |b|, exactly.
HWY_INLINE VF Modulo(VF a, VF b) {
  const DF df;
  const VF ax = hn::Abs(a);
  const VF bx = hn::Abs(b);
  // The smaller number less 1, so that zero becomes the largest integer.
  const DI di;
  const VI low = hn::Min(hn::BitCast(di, ax), hn::BitCast(di, bx));
  const VI order = hn::Add(low, hn::Set(di, 0x7fffffff));
  const auto subnormal = hn::Lt(order, hn::Set(di, INT32_MIN + 0x007fffff));
  if (HWY_UNLIKELY(!hn::AllFalse(di, subnormal)) && tuning.assists) return ModuloOfAny(a, b);
  const VF quotient = hn::Div(ax, bx);
  // Where it is a NaN, so is the remainder.
  if (HWY_UNLIKELY(!hn::AllFalse(df, hn::Ge(quotient, Const(0x1p22F))))) return ModuloOfAny(a, b);
  // An infinite b would make 0 times infinity of a quotient of 0.
  return hn::IfThenElse(hn::Lt(ax, bx), ax, Remainder(ax, bx, quotient));
}

struct FmodLane : FunBase<2> {
  static constexpr size_t kUnroll = 1;
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE VF operator()(VF a, VF b) const { return hn::CopySignToAbs(Modulo(a, b), a); }
};

// fmod(a, b), plus b where that has the other sign: rounded once more only where the exact
// remainder is not an f32. If it is not an f16 or bf16, it is rounded twice, which for a sum is as
// good as once.
struct RemLane : FunBase<2> {
  static constexpr size_t kUnroll = 1;
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE VF operator()(VF a, VF b) const {
    const DF df;
    const VF r = hn::CopySignToAbs(Modulo(a, b), a);
    // Below 0 as an integer: a sign bit.
    const auto apart = hn::Lt(hn::BitCast(DI(), hn::Xor(r, b)), hn::Zero(DI()));
    const MF differ = hn::And(hn::RebindMask(df, apart), hn::Gt(hn::Abs(r), hn::Zero(df)));
    return hn::IfThenElse(differ, hn::Add(r, b), r);
  }
};

// Integers: a - q b with the quotient rounded as the sign asks. Unsigned ones have one remainder.
template <bool kFloored, class V>
HWY_INLINE V RemainderOf(V a, V b) {
  const V quotient = hn::Div(a, b);
  return hn::Sub(a, hn::Mul(kFloored ? hn::Floor(quotient) : hn::Trunc(quotient), b));
}

// 8 and 16 bits through f32; see DivSmallInt.
template <typename Element, bool kFloored>
struct RemSmallInt : FunBase<2> {
  using T = Element;
  using D = hn::Rebind<T, DF>;
  using V = hn::Vec<D>;
  static constexpr size_t kUnroll = 1;

  HWY_INLINE V operator()(V a, V b) const {
    const DF df;
    const DI di;
    const hn::RebindToUnsigned<D> du;
    const VI ib = hn::PromoteTo(di, b);
    const VF r =
        RemainderOf<kFloored>(hn::ConvertTo(df, hn::PromoteTo(di, a)), hn::ConvertTo(df, ib));
    const VI result = hn::IfThenZeroElse(hn::Eq(ib, hn::Zero(di)), hn::ConvertTo(di, r));
    return hn::BitCast(D(), hn::TruncateTo(du, hn::BitCast(DU(), result)));
  }
};

// 32 bits through f64, by the same argument.
template <typename Element, bool kFloored>
struct RemInt32 : FunBase<2> {
  using T = Element;
  using D = hn::Rebind<T, DD>;
  using V = hn::Vec<D>;
  static constexpr size_t kUnroll = 1;

  HWY_INLINE V operator()(V a, V b) const {
    const DD dd;
    const hn::RebindToUnsigned<DD> du64;
    const hn::Rebind<uint32_t, DD> du32;
    const VD vb = FromInt32(b);
    const VD r = RemainderOf<kFloored>(FromInt32(a), vb);
    // The sum's low 32 bits are the low bits of r.
    const auto bits = hn::BitCast(du64, hn::Add(r, hn::Set(dd, 0x1.8p52)));
    const auto by_zero = hn::RebindMask(du64, hn::Eq(vb, hn::Zero(dd)));
    return hn::BitCast(D(), hn::TruncateTo(du32, hn::IfThenZeroElse(by_zero, bits)));
  }
};

// 64 bits one by one: vectors have no division of these.
template <typename Element, bool kFloored>
struct RemInt64 : FunBase<2> {
  using T = Element;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr size_t kUnroll = 1;

  HWY_INLINE V operator()(V a, V b) const {
    const D d;
    HWY_ALIGN T as[hn::MaxLanes(D())];
    HWY_ALIGN T bs[hn::MaxLanes(D())];
    hn::Store(a, d, as);
    hn::Store(b, d, bs);
    for (size_t i = 0; i < hn::Lanes(d); ++i) as[i] = Remainder(as[i], bs[i]);
    return hn::Load(d, as);
  }

 private:
  static HWY_INLINE T Remainder(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      // By 0 and -1 it is 0; the processor would trap at the smallest number.
      if (b == 0 || b == -1) return 0;
      const T r = a % b;
      return kFloored && r != 0 && (r ^ b) < 0 ? r + b : r;
    } else {
      return b == 0 ? 0 : a % b;
    }
  }
};

template <bool kFloored>
constexpr Kernels Integers() {
  return Only<DType::kI8>(PlainBy<RemSmallInt<int8_t, kFloored>, RemainderBy<int8_t, kFloored>>()) |
         Only<DType::kU8>(PlainBy<RemSmallInt<uint8_t, false>, RemainderBy<uint8_t, false>>()) |
         Only<DType::kI16>(
             PlainBy<RemSmallInt<int16_t, kFloored>, RemainderBy<int16_t, kFloored>>()) |
         Only<DType::kU16>(PlainBy<RemSmallInt<uint16_t, false>, RemainderBy<uint16_t, false>>()) |
         Only<DType::kI32>(PlainBy<RemInt32<int32_t, kFloored>, RemainderBy<int32_t, kFloored>>()) |
         Only<DType::kU32>(PlainBy<RemInt32<uint32_t, false>, RemainderBy<uint32_t, false>>()) |
         Only<DType::kI64>(Plain<RemInt64<int64_t, kFloored>>()) |
         Only<DType::kU64>(Plain<RemInt64<uint64_t, false>>());
}

static constexpr Row kRemRows[] = {
    {Lane::kRem, Integers<true>() | Floats<RemLane>()},
    {Lane::kFmod, Integers<false>() | Floats<FmodLane>()},
};

static Kernel PickRemHere(Lane lane, DType dtype) { return Find(kRemRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickRemHere);

Kernel PickRem(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickRemHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
