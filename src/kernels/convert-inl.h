// Conversions that every kernel with narrow floats shares: f16 and bf16 to f32
// and back, to nearest even, the same bits on every target.
#if defined(PTO_SRC_KERNELS_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_CONVERT_INL_H_
#undef PTO_SRC_KERNELS_CONVERT_INL_H_
#else
#define PTO_SRC_KERNELS_CONVERT_INL_H_
#endif

#include "src/kernels/targets.h"
// After targets.h.
#include "hwy/highway.h"

// AVX-512, whatever Highway calls its refinements: masked memory access is
// native, and so are getmant, getexp, scalef and two-table permutes.
#undef PTO_AVX512
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define PTO_AVX512 1
#else
#define PTO_AVX512 0
#endif

// Highway's f16 conversions round to nearest even only in hardware.
#undef PTO_NATIVE_F16_CONVERSION
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define PTO_NATIVE_F16_CONVERSION 1
#else
#define PTO_NATIVE_F16_CONVERSION 0
#endif

// The targets of today's machines.
#undef PTO_COMMON_TARGET
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2
#define PTO_COMMON_TARGET 0
#else
#define PTO_COMMON_TARGET 1
#endif

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;
using VU = hn::Vec<DU>;
using MF = hn::Mask<DF>;

// Half a vector of 16-bit storage: the same number of lanes as VF.
using DH = hn::Rebind<uint16_t, DF>;
using VH = hn::Vec<DH>;

// One lane has no halves and no pairs.
#if HWY_TARGET == HWY_SCALAR
using DD = hn::Rebind<double, DF>;
using D16 = DH;
#else
using DD = hn::Repartition<double, DF>;
using D16 = hn::Repartition<uint16_t, DF>;
#endif
using VD = hn::Vec<DD>;
using V16 = hn::Vec<D16>;

#if HWY_TARGET != HWY_SCALAR
// Two vectors of f64, rounded to one of f32.
HWY_INLINE VF JoinF64(VD high, VD low) {
  const hn::Half<DF> dh;
  return hn::Combine(DF(), hn::DemoteTo(dh, high), hn::DemoteTo(dh, low));
}
#endif

// The value, which has been in a general register.
template <typename T>
HWY_INLINE T Register(T value) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(value));
#endif
  return value;
}

// The lanes of a mask as 16 bits: bit i represents the lanes i modulo 16. Elsewhere than
// with AVX-512 all or none. No branch, which would be mispredicted.
template <class D>
HWY_INLINE uint64_t LaneBits(D d, hn::Mask<D> mask) {
#if PTO_AVX512
  (void)d;
  // gcc 12 would widen a mask in its mask register, and may spill no more than 16 bits of that.
  const uint32_t bits = Register(mask.raw);
  return hn::MaxLanes(D()) <= 16 ? bits : (bits | (bits >> 16)) & 0xffff;
#else
  return hn::AllFalse(d, mask) ? 0 : 0xffff;
#endif
}

HWY_INLINE VU Bits(VF v) { return hn::BitCast(DU(), v); }
HWY_INLINE VF FromBits(VU v) { return hn::BitCast(DF(), v); }
HWY_INLINE VF Const(float value) { return hn::Set(DF(), value); }

HWY_INLINE VF PromoteF16(VH h) {
#if PTO_NATIVE_F16_CONVERSION
  const hn::Rebind<hwy::float16_t, DF> df16;
  return hn::PromoteTo(DF(), hn::BitCast(df16, h));
#else
  const DU du;
  const VU u = hn::PromoteTo(du, h);
  const VU magnitude = hn::And(u, hn::Set(du, 0x7fffu));
  // The exponent bias differs by 112; the product is exact, also for subnormals.
  const VF finite = hn::Mul(FromBits(hn::ShiftLeft<13>(magnitude)), Const(0x1p112f));
  const VU special = hn::Or(hn::ShiftLeft<13>(magnitude), hn::Set(du, 0x7f800000u));
  const auto is_special = hn::Gt(magnitude, hn::Set(du, 0x7bffu));
  const VU bits = hn::IfThenElse(is_special, special, Bits(finite));
  return FromBits(hn::Or(bits, hn::ShiftLeft<16>(hn::Xor(u, magnitude))));
#endif
}

HWY_INLINE VH DemoteF16(VF v) {
#if PTO_NATIVE_F16_CONVERSION
  const hn::Rebind<hwy::float16_t, DF> df16;
  return hn::BitCast(DH(), hn::DemoteTo(df16, v));
#else
  const DU du;
  const DI di;
  const VU u = Bits(v);
  const VU magnitude = hn::And(u, hn::Set(du, 0x7fffffffu));
  const VI order = hn::BitCast(di, magnitude);
  const VU odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
  // A carry out of the mantissa is right, up to infinity.
  const VU rebias = hn::Add(magnitude, hn::Set(du, 0xc8000fffu));
  VU h = hn::ShiftRight<13>(hn::Add(rebias, odd));
  // Below 2^-14 the unit is 2^-24, as for floats in [0.5, 1): the adder rounds.
  const VU tiny =
      hn::Sub(Bits(hn::Add(FromBits(magnitude), Const(0.5f))), hn::Set(du, 0x3f000000u));
  h = hn::IfThenElse(hn::RebindMask(du, hn::Lt(order, hn::Set(di, 0x38800000))), tiny, h);
  const auto large = hn::Gt(order, hn::Set(di, 0x477fffff));
  h = hn::IfThenElse(hn::RebindMask(du, large), hn::Set(du, 0x7c00u), h);
  h = hn::IfThenElse(hn::RebindMask(du, hn::Gt(order, hn::Set(di, 0x7f800000))),
                     hn::Set(du, 0x7e00u), h);
  h = hn::Or(h, hn::ShiftRight<16>(hn::Xor(u, magnitude)));
  return hn::TruncateTo(DH(), h);
#endif
}

// The upper halves of the result are the bf16 bits; the lower halves are not cleared. NaN must be
// canonical.
HWY_INLINE VU RoundToBF16(VF v) {
  const DU du;
  const VU u = Bits(v);
  const VU odd = hn::And(hn::ShiftRight<16>(u), hn::Set(du, 1u));
  return hn::Add(u, hn::Add(odd, hn::Set(du, 0x7fffu)));
}

HWY_INLINE VF NaN() { return FromBits(hn::Set(DU(), 0x7fc00000u)); }

// A NaN that is a result has one form, whatever the processor makes of it: f32 0x7fc00000, which
// narrows to f16 0x7e00 and bf16 0x7fc0. Ints stay what they are.
template <class V>
HWY_INLINE V CanonicalNaN(V v) {
#if PTO_AVX512
  if constexpr (std::is_same_v<V, VF>) {
    // NaN (classes 0 and 1 of 8, four bits each) become the first operand, others stay.
    return VF{_mm512_fixupimm_ps(NaN().raw, v.raw, _mm512_set1_epi32(0x11111100), 0)};
  }
#endif
  if constexpr (std::is_same_v<hn::TFromV<V>, float>) {
    const hn::DFromV<V> d;
    const hn::RebindToUnsigned<hn::DFromV<V>> du;
    return hn::IfThenElse(hn::IsNaN(v), hn::BitCast(d, hn::Set(du, 0x7fc00000u)), v);
  } else {
    return v;
  }
}

// Lanes where a or b is NaN: one comparison for two vectors.
HWY_INLINE bool AnyNaN(VF a, VF b) {
#if PTO_AVX512
  return _mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q) != 0;
#elif HWY_TARGET == HWY_AVX2
  return _mm256_movemask_ps(_mm256_cmp_ps(a.raw, b.raw, _CMP_UNORD_Q)) != 0;
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  return _mm_movemask_ps(_mm_cmpunord_ps(a.raw, b.raw)) != 0;
#else
  return !hn::AllTrue(DF(), hn::And(hn::Eq(a, a), hn::Eq(b, b)));
#endif
}
HWY_INLINE bool AnyNaN(VF a, VF b, VF c, VF e) {
#if PTO_AVX512
  return (_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q) |
          _mm512_cmp_ps_mask(c.raw, e.raw, _CMP_UNORD_Q)) != 0;
#elif HWY_TARGET == HWY_AVX2
  return _mm256_movemask_ps(_mm256_or_ps(_mm256_cmp_ps(a.raw, b.raw, _CMP_UNORD_Q),
                                         _mm256_cmp_ps(c.raw, e.raw, _CMP_UNORD_Q))) != 0;
#else
  return AnyNaN(a, b) || AnyNaN(c, e);
#endif
}

// Properties of a functor besides its arithmetic; the defaults.
template <int kCount>
struct FunBase {
  static constexpr int kArity = kCount;
  // Whether results may be NaN, of any bits. False if no NaN can occur, or if a functor writes
  // the canonical one itself.
  static constexpr bool kMakesNaN = true;
  // Whether AVX-512 makes each vector's NaN canonical by an instruction. A look at a group of
  // vectors takes less, where a functor does not itself compare.
  static constexpr bool kCompares = false;
  // Whether a result may lie in the middle between two bf16. Without ties rounding is one addition.
  static constexpr bool kTies = true;
  // Whether the lanes past the end of a masked vector must hold 1 rather than 0
  // to stay off a slow path.
  static constexpr bool kPadWithOnes = false;
  // How many vectors are computed before the first is stored: 4 for arithmetic of an
  // instruction or two, 1 where the functor is long enough to hide the loop. The adapters
  // use less where they make it longer.
  static constexpr size_t kUnroll = 4;
  // Whether the last source of an instruction is a scalar or one element per row.
  static constexpr bool kByOne = true;
  // Whether a functor of one source is called with one element for a whole line, too.
  static constexpr bool kFills = false;
};

// Targets that no machine selects need not be fast.
constexpr size_t Unrolled(size_t wanted, [[maybe_unused]] size_t most) {
#if HWY_TARGET == HWY_SCALAR
  return wanted * 0 + 1;
#else
  return HWY_MIN(wanted, most);
#endif
}

// A second loop for operands with one element per line: for functors so short that loading it
// again and again counts, on targets that are in use.
template <class Fun>
constexpr bool HasUniform() {
  return Fun::kUnroll > 1 && Fun::kByOne && (Fun::kArity >= 2 || Fun::kFills) && PTO_COMMON_TARGET;
}

// A functor may have a Quick(), for groups: its results, but NaN wherever it would have to look
// more closely. Groups with NaN are computed again without.
template <class Fun>
constexpr bool HasQuick() {
  return requires(const Fun& fun, VF v) { fun.Quick(v); };
}
template <class Fun, class... V>
HWY_INLINE auto Quick(const Fun& fun, V... v) {
  if constexpr (HasQuick<Fun>()) {
    return fun.Quick(v...);
  } else {
    return fun(v...);
  }
}

template <class Fun, class V>
HWY_INLINE V Result(V v) {
  if constexpr (Fun::kMakesNaN) {
    return CanonicalNaN(v);
  } else {
    return v;
  }
}

// As RoundToBF16().
template <class Fun>
HWY_INLINE VU RoundedToBF16(VF v) {
  if constexpr (Fun::kTies) {
    return RoundToBF16(v);
  } else {
    return hn::Add(Bits(v), hn::Set(DU(), 0x7fffu));
  }
}

// Adapters: a functor on VF becomes one on storage vectors. Raw are results of f32 that may be NaN
// of any bits and are not rounded yet: a group of them is looked through for NaN at once.
// Constructors are spelt out, here and in functors with members: implicit ones are compiled for the
// baseline. kOne is 1 in storage.
template <class Fun>
struct OnF16 {
  using T = uint16_t;
  using D = DH;
  static constexpr T kOne = 0x3c00;
  static constexpr int kArity = Fun::kArity;
  static constexpr bool kPadWithOnes = Fun::kPadWithOnes;
  static constexpr bool kUniform = HasUniform<Fun>();
  static constexpr size_t kUnroll = Unrolled(Fun::kUnroll, PTO_AVX512                  ? 4
                                                           : PTO_NATIVE_F16_CONVERSION ? 2
                                                                                       : 1);

  HWY_INLINE OnF16() {}

  using Raw = VF;
  static constexpr bool kLooksForNaN = Fun::kMakesNaN && kUnroll > 1;

  template <class... V>
  HWY_INLINE Raw Compute(V... v) const {
    return Quick(fun, PromoteF16(v)...);
  }
  HWY_INLINE VH Finish(Raw raw) const { return DemoteF16(raw); }
  template <class... V>
  HWY_INLINE VH operator()(V... v) const {
    return Finish(Result<Fun>(fun(PromoteF16(v)...)));
  }

  Fun fun;
};

// Even and odd elements are the two halves of u32 lanes: no lane crossing. The canonical NaN is
// one that rounding by addition does not spoil.
template <class Fun>
struct OnBF16 {
  using T = uint16_t;
  using D = D16;
  static constexpr T kOne = 0x3f80;
  static constexpr int kArity = Fun::kArity;
  static constexpr bool kPadWithOnes = Fun::kPadWithOnes;
  static constexpr bool kUniform = HasUniform<Fun>();
  static constexpr size_t kUnroll = 1;

  HWY_INLINE OnBF16() {}

#if HWY_TARGET == HWY_SCALAR
  template <class... V>
  HWY_INLINE V16 operator()(V... v) const {
    const VU r = RoundedToBF16<Fun>(
        Result<Fun>(fun(FromBits(hn::ShiftLeft<16>(hn::PromoteTo(DU(), v)))...)));
    return hn::TruncateTo(D16(), hn::ShiftRight<16>(r));
  }
#else
  // Constructors that are written down have the target's attributes.
  struct Raw {
    HWY_INLINE Raw() {}
    HWY_INLINE Raw(VF e, VF o) : even(e), odd(o) {}
    VF even, odd;
  };
  static constexpr bool kLooksForNaN = Fun::kMakesNaN && PTO_AVX512 == 0;

  template <class... V>
  HWY_INLINE Raw Compute(V... v) const {
    return {Quick(fun, FromBits(hn::ShiftLeft<16>(hn::BitCast(DU(), v)))...),
            Quick(fun, FromBits(hn::And(hn::BitCast(DU(), v), Upper()))...)};
  }
  HWY_INLINE V16 Finish(Raw raw) const {
    const D16 d16;
    const VU even = RoundedToBF16<Fun>(raw.even);
    const VU odd = RoundedToBF16<Fun>(raw.odd);
    return hn::OddEven(hn::BitCast(d16, odd), hn::BitCast(d16, hn::ShiftRight<16>(even)));
  }
  template <class... V>
  HWY_INLINE V16 operator()(V... v) const {
    const VF even = fun(FromBits(hn::ShiftLeft<16>(hn::BitCast(DU(), v)))...);
    const VF odd = fun(FromBits(hn::And(hn::BitCast(DU(), v), Upper()))...);
    return Finish({Result<Fun>(even), Result<Fun>(odd)});
  }
#endif

  static HWY_INLINE VU Upper() { return hn::Set(DU(), 0xffff0000u); }

  Fun fun;
};

// Elements that are computed on as they are stored.
template <typename Element, class Fun>
struct OnPlain {
  using Lane = Fun;
  using T = Element;
  using D = hn::ScalableTag<T>;
  static constexpr T kOne = static_cast<T>(1);
  static constexpr int kArity = Fun::kArity;
  static constexpr bool kPadWithOnes = Fun::kPadWithOnes;
  static constexpr bool kUniform = HasUniform<Fun>();
  // Two vectors of 16 bytes are as fast as four.
  static constexpr size_t kUnroll = Unrolled(Fun::kUnroll, PTO_COMMON_TARGET ? 4 : 2);

  HWY_INLINE OnPlain() {}

  using Raw = hn::Vec<D>;
  static constexpr bool kLooksForNaN =
      Fun::kMakesNaN && std::is_same_v<T, float> && kUnroll > 1 && !(Fun::kCompares && PTO_AVX512);

  template <class... V>
  HWY_INLINE Raw Compute(V... v) const {
    return Quick(fun, v...);
  }
  HWY_INLINE hn::Vec<D> Finish(Raw raw) const { return raw; }
  template <class... V>
  HWY_INLINE hn::Vec<D> operator()(V... v) const {
    return Result<Fun>(fun(v...));
  }

  Fun fun;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_CONVERT_INL_H_
