// Kernels that look at bits and at the order of numbers: logic, shifts, signs, the smaller and the
// larger.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/lanes-inl.h"
#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

struct AndLane : FunBase<2> {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::And(a, b);
  }
};

struct OrLane : FunBase<2> {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Or(a, b);
  }
};

struct XorLane : FunBase<2> {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Xor(a, b);
  }
};

struct NotLane : FunBase<1> {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::Not(a);
  }
};

template <class V>
HWY_INLINE V Modulo(V count, size_t width) {
  const hn::DFromV<V> d;
  return hn::And(count, hn::Set(d, static_cast<hn::TFromD<decltype(d)>>(width - 1)));
}

// There are no shifts of single bytes by counts of their own, and AVX2 has none of 16 bits: the
// halves of wider elements are shifted one after the other.
template <typename T>
constexpr bool ByHalves() {
  return HWY_TARGET != HWY_SCALAR && (sizeof(T) == 1 || (sizeof(T) == 2 && HWY_TARGET == HWY_AVX2));
}

// For an unsigned type, by counts below its width.
template <class V>
HWY_INLINE V ShiftLeftBy(V a, V count) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  if constexpr (ByHalves<T>()) {
    constexpr int kWidth = 8 * sizeof(T);
    const hn::Repartition<hwy::MakeWide<T>, decltype(d)> dw;
    const auto low = hn::Set(dw, hwy::LimitsMax<T>());
    const auto wide = hn::BitCast(dw, a);
    const auto counts = hn::BitCast(dw, count);
    const auto even = ShiftLeftBy(wide, hn::And(counts, low));
    const auto odd = ShiftLeftBy(hn::AndNot(low, wide), hn::ShiftRight<kWidth>(counts));
    return hn::BitCast(d, hn::Or(hn::And(even, low), odd));
  } else {
    return hn::Shl(a, count);
  }
}

// For either sign.
template <class V>
HWY_INLINE V ShiftRightBy(V a, V count) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  if constexpr (ByHalves<T>()) {
    constexpr int kWidth = 8 * sizeof(T);
    const hn::Repartition<hwy::MakeWide<T>, decltype(d)> dw;
    const auto wide = hn::BitCast(dw, a);
    const auto counts = hn::BitCast(dw, count);
    const auto low_counts = hn::And(counts, hn::Set(dw, hwy::MakeWide<T>{2 * kWidth - 1}));
    const auto even = ShiftRightBy(hn::ShiftRight<kWidth>(hn::ShiftLeft<kWidth>(wide)), low_counts);
    const auto odd = ShiftRightBy(wide, hn::ShiftRight<kWidth>(counts));
    return hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, even));
  } else {
    return hn::Shr(a, count);
  }
}

// One count for a whole line: there are shifts of 16 bits on AVX2, too, and a mask makes one of
// bytes.
template <typename T, bool kLeft>
struct ShiftBy : ByElement<T> {
  using V = hn::Vec<hn::ScalableTag<T>>;
  HWY_INLINE ShiftBy() {}
  HWY_INLINE V operator()(V a, V) const {
    const int count = static_cast<int>(this->by & static_cast<T>(8 * sizeof(T) - 1));
    if constexpr (kLeft) return hn::ShiftLeftSame(a, count);
    return hn::ShiftRightSame(a, count);
  }
};

struct ShlLane : FunBase<2> {
  template <typename T>
  using By = ShiftBy<T, true>;
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return ShiftLeftBy(a, Modulo(b, 8 * sizeof(hn::TFromV<V>)));
  }
};

struct ShrLane : FunBase<2> {
  template <typename T>
  using By = ShiftBy<T, false>;
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return ShiftRightBy(a, Modulo(b, 8 * sizeof(hn::TFromV<V>)));
  }
};

// For integers: 0 - a.
struct NegLane : FunBase<1> {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::Sub(hn::Zero(hn::DFromV<V>()), a);
  }
};

// The sign bit of floats, by the unsigned types of their widths.
template <class V>
HWY_INLINE V SignBit(V v) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  (void)v;
  return hn::Set(d, static_cast<T>(T{1} << (8 * sizeof(T) - 1)));
}

struct FlipSignLane : FunBase<1> {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::Xor(a, SignBit(a));
  }
};

struct ClearSignLane : FunBase<1> {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::AndNot(SignBit(a), a);
  }
};

struct AbsLane : FunBase<1> {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::Abs(a);
  }
};

HWY_INLINE MF EitherNaN(VF a, VF b) {
#if PTO_AVX512
  return MF{_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q)};
#elif HWY_TARGET == HWY_AVX2
  return hn::MaskFromVec(VF{_mm256_cmp_ps(a.raw, b.raw, _CMP_UNORD_Q)});
#else
  return hn::Or(hn::IsNaN(a), hn::IsNaN(b));
#endif
}

// The larger of two where kLarger, else the smaller.
template <bool kLarger, class V>
HWY_INLINE V Beyond(V a, V b) {
  return kLarger ? hn::Max(a, b) : hn::Min(a, b);
}

// a where it is beyond b, else b: also of equal zeros, and where either is NaN.
template <bool kLarger>
HWY_INLINE VF FirstOrSecond(VF a, VF b) {
#if HWY_ARCH_X86
  return Beyond<kLarger>(a, b);
#else
  return hn::IfThenElse(kLarger ? hn::Gt(a, b) : hn::Lt(a, b), a, b);
#endif
}

// One number b for a whole line: everything but the first operation is found once. NaN of
// a stay; `other` is b if that is zero or NaN, and makes of the zeros and numbers after the first
// operation what b asks for.
template <bool kLarger>
struct BeyondOne : FunBase<2> {
  HWY_INLINE VF operator()(VF a, VF b) const {
    const VF first = FirstOrSecond<kLarger>(b, a);
    const VF usual = Const(kLarger ? -0.0f : 0.0f);
    const VF other = hn::IfThenElse(hn::Gt(hn::Abs(b), hn::Zero(DF())), usual, b);
    return kLarger ? hn::Add(first, other) : hn::Or(first, other);
  }
};

// For equal zeros either order of operands returns the second, and both together distinguish them;
// AVX-512 has an operation that does.
template <bool kLarger>
struct BeyondLane : FunBase<2> {
  static constexpr bool kMakesNaN = false;
  template <typename T>
  using By =
      OnPlain<T, std::conditional_t<std::is_same_v<T, float>, BeyondOne<kLarger>, BeyondLane>>;

  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return Beyond<kLarger>(a, b);
  }
  HWY_INLINE VF operator()(VF a, VF b) const {
#if PTO_AVX512
    const VF beyond{_mm512_range_ps(a.raw, b.raw, kLarger ? 5 : 4)};
#else
    const VF first = FirstOrSecond<kLarger>(a, b);
    const VF second = FirstOrSecond<kLarger>(b, a);
    const VF beyond = kLarger ? hn::And(first, second) : hn::Or(first, second);
#endif
    return hn::IfThenElse(EitherNaN(a, b), NaN(), beyond);
  }
};

// Floats of 16 bits, as integers: of two with a sign the larger integer is the smaller number.
template <bool kLarger, int16_t kInfinity, int16_t kCanonicalNaN>
struct NarrowLane : FunBase<2> {
  static constexpr bool kMakesNaN = false;

  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    const hn::DFromV<V> d;
    const V high = hn::Max(a, b);
    const V low = hn::Min(a, b);
    const auto signs = hn::Lt(high, hn::Zero(d));
    const V r = hn::IfThenElse(signs, kLarger ? low : high, kLarger ? high : low);
    const V magnitudes = hn::Set(d, int16_t{0x7fff});
    const V larger = hn::Max(hn::And(a, magnitudes), hn::And(b, magnitudes));
    return hn::IfThenElse(hn::Gt(larger, hn::Set(d, kInfinity)), hn::Set(d, kCanonicalNaN), r);
  }
};
template <bool kLarger>
constexpr Kernels InOrder() {
  using Wide = BeyondLane<kLarger>;
  return Ints<Wide>() | Only<DType::kF32>(Plain<OnPlain<float, Wide>>()) |
         Only<DType::kF16>(Plain<OnPlain<int16_t, NarrowLane<kLarger, 0x7c00, 0x7e00>>>()) |
         Only<DType::kBF16>(Plain<OnPlain<int16_t, NarrowLane<kLarger, 0x7f80, 0x7fc0>>>());
}

static constexpr Row kLogicRows[] = {
    {Lane::kAnd, Bits<AndLane>()},
    {Lane::kOr, Bits<OrLane>()},
    {Lane::kXor, Bits<XorLane>()},
    {Lane::kNot, Bits<NotLane>()},
    {Lane::kShl, IntsAlike<ShlLane>()},
    {Lane::kShr, Ints<ShrLane>()},
    {Lane::kNeg, IntsAlike<NegLane>() | FloatBits<FlipSignLane>()},
    {Lane::kAbs, Signed<AbsLane>() | FloatBits<ClearSignLane>()},
    {Lane::kMin, InOrder<false>()},
    {Lane::kMax, InOrder<true>()},
};

static Kernel PickLogicHere(Lane lane, DType dtype) { return Find(kLogicRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickLogicHere);

Kernel PickLogic(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickLogicHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
