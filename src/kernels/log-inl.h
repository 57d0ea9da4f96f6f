// The natural logarithm: in f32 for each float type, and in f64. Tables: exp_log_tables.h.
#if defined(PTO_SRC_KERNELS_LOG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_LOG_INL_H_
#undef PTO_SRC_KERNELS_LOG_INL_H_
#else
#define PTO_SRC_KERNELS_LOG_INL_H_
#endif

#include "src/kernels/exp_log_tables.h"
#include "src/kernels/table-inl.h"
#include "src/kernels/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Integers in whose order numbers that are positive, normal and finite come first: the smallest of
// them is the least number of all, 0x80000000.
HWY_INLINE VI LogOrder(VF x) {
  const DI di;
  return hn::Add(hn::BitCast(di, x), hn::Set(di, 0x7f800000));
}
HWY_INLINE hn::Mask<DI> IsPositiveNormal(VI order) {
  return hn::Lt(order, hn::Set(DI(), INT32_MIN + 0x7f000000));
}
HWY_INLINE hn::Mask<DI> PositiveNormal(VF x) { return IsPositiveNormal(LogOrder(x)); }
HWY_INLINE bool AllPositiveNormal(VF x) { return hn::AllTrue(DI(), PositiveNormal(x)); }

// x = 2^e z, z from the float with the bits `first` up to twice that. Precondition of
// x: positive, normal and finite; others give anything.
HWY_INLINE VF SplitAt(int32_t first, VF x, VI* HWY_RESTRICT above) {
  const DI di;
  *above = hn::Sub(hn::BitCast(di, x), hn::Set(di, first));
  const VI field = hn::And(*above, hn::Set(di, static_cast<int32_t>(0xff800000u)));
  return hn::BitCast(DF(), hn::Sub(hn::BitCast(di, x), field));
}
HWY_INLINE VF ExponentOf(VI above) { return hn::ConvertTo(DF(), hn::ShiftRight<23>(above)); }

// The same from 0.75 up to 1.5. With AVX-512 for any x: z is a NaN for NaN and negative numbers, e
// is infinite for zeros and infinity.
HWY_INLINE VF SplitMiddle(VF x, VF* HWY_RESTRICT e) {
#if PTO_AVX512
  const __m512 z = _mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  *e = VF{_mm512_sub_ps(_mm512_getexp_ps(x.raw), _mm512_getexp_ps(z))};
  return VF{z};
#else
  VI above;
  const VF z = SplitAt(0x3f400000, x, &above);
  *e = ExponentOf(above);
  return z;
#endif
}

// Cores: log x from e and z. Every operation is rounded to nearest on every target, and
// fused where the code has Fma: same bits everywhere.

// f32: 0.774 ulp at most (tests/accuracy tries all). The upper bits of z choose a c close to 1 / z
// whose logarithm has few bits, so that r = z c - 1 is small and the sum with e ln 2 is exact.
struct LogF32Core {
  HWY_INLINE LogF32Core() : inverse(kLogInverse16), log(kLogOfInverse16) {}
  HWY_INLINE VF operator()(VF e, VF z) const {
    const VI index = hn::BitCast(DI(), hn::ShiftRight<19>(Bits(z)));
    const VF r = Fms(z, inverse[index], Const(1.0f));
    const VF g = Polynomial(r, kLogF32);
    const VF high = Fma(e, Const(kLn2High), log[index]);
    // high + r = s + low.
    const VF s = hn::Add(high, r);
    const VF low = hn::Sub(r, hn::Sub(s, high));
    return hn::Add(s, Fma(hn::Mul(r, r), g, Fma(e, Const(kLn2Low), low)));
  }
  Table16 inverse, log;
};

// f16 and bf16: an f32 that rounds to the right answer.
struct LogBF16Core {
  HWY_INLINE VF operator()(VF e, VF z) const {
    const VF f = hn::Sub(z, Const(1.0f));
    return Fma(e, Const(kLn2), hn::Mul(f, Polynomial(f, kLogBF16)));
  }
};

// Its coefficients hold for this order of steps, by trial.
struct LogF16Core {
  HWY_INLINE VF operator()(VF e, VF z) const {
    const VF f = hn::Sub(z, Const(1.0f));
    const auto pair = [f](int i)
                          HWY_ATTR { return Fma(f, Const(kLogF16[i + 1]), Const(kLogF16[i])); };
    const VF f2 = hn::Mul(f, f);
    const VF f4 = hn::Mul(f2, f2);
    const VF high = Fma(f4, Const(kLogF16[8]), Fma(f2, pair(6), pair(4)));
    const VF q = Fma(f4, high, Fma(f2, pair(2), pair(0)));
    return Fma(e, Const(kLn2), hn::Mul(f, q));
  }
};

// The special cases of `log`, which is right for positive finite x.
HWY_INLINE VF LogSpecial(VF x, VF log) {
  const DF df;
  const VF infinity = FromBits(hn::Set(DU(), 0x7f800000u));
  const VF nan = FromBits(hn::Set(DU(), 0x7fc00000u));
  VF r = hn::IfThenElse(hn::Lt(x, hn::Zero(df)), nan, log);
  r = hn::IfThenElse(hn::Eq(x, hn::Zero(df)), hn::Neg(infinity), r);
  return hn::IfThenElse(hn::Lt(x, infinity), r, hn::IfThenElse(hn::Lt(x, hn::Zero(df)), nan, x));
}

#if !PTO_AVX512

// Any x. A subnormal number is its bits times 2^-149: converted, since a multiplication of it would
// cost some 150 cycles.
template <class Core>
static HWY_NOINLINE VF LogAny(VF x) {
  const MF tiny = hn::Lt(x, Const(0x1p-126f));
  VF e;
  const VF z = SplitMiddle(hn::IfThenElse(tiny, hn::ConvertTo(DF(), hn::BitCast(DI(), x)), x), &e);
  e = hn::IfThenElse(tiny, hn::Sub(e, Const(149.0f)), e);
  return LogSpecial(x, Core()(e, z));
}

#endif

// Precondition without AVX-512: x is positive, normal and finite; other lanes give anything.
template <class Core>
HWY_INLINE VF LogOrdinary(VF x, const Core& core) {
  VF e;
  const VF z = SplitMiddle(x, &e);
  return core(e, z);
}

template <class Core>
HWY_INLINE VF Log(VF x, const Core& core) {
#if !PTO_AVX512
  if (HWY_UNLIKELY(!AllPositiveNormal(x))) return LogAny<Core>(x);
#endif
  return LogOrdinary(x, core);
}

#if !PTO_AVX512

// For a lane function's Quick(): NaN for all that LogAny() handles.
template <class Core>
HWY_INLINE VF LogQuick(VF x, const Core& core) {
  const VI ordinary = hn::VecFromMask(DI(), PositiveNormal(x));
  return hn::Or(LogOrdinary(x, core), hn::BitCast(DF(), hn::Not(ordinary)));
}

#endif

HWY_INLINE VF LogF32(VF x, const LogF32Core& core) {
  const VF r = Log(x, core);
#if PTO_AVX512
  // The core subtracts infinities. Zero gets -infinity, infinity stays; four bits for each of NaN,
  // signalling NaN, zero, one, -infinity, infinity, negative and positive numbers.
  return VF{_mm512_fixupimm_ps(r.raw, x.raw, _mm512_set1_epi32(0x00500400), 0)};
#else
  return r;
#endif
}

// The logarithm of x 2^-raised in f64, to 2^-41 of itself, fused or not. Precondition: x is
// positive, normal and finite; other lanes give anything.
struct LogF64 {
  HWY_INLINE LogF64() : inverse(kLogInverse), log(kLogOfInverse) {}

  HWY_INLINE Wide operator()(VF x, VF raised) const {
    VI above;
    const VF z = SplitAt(kLogFirst, x, &above);
    const VF e = hn::Sub(ExponentOf(above), raised);
    const VI index = hn::ShiftRight<20>(above);
    return Halves(
        [](VD ze, VD c, VD log_c, VD exponent) HWY_ATTR {
          const DD dd;
          const VD r = hn::MulSub(ze, c, hn::Set(dd, 1.0));  // exact
          const auto pair = [r](int i) HWY_ATTR {
            return hn::MulAdd(r, hn::Set(DD(), kLogF64[i + 1]), hn::Set(DD(), kLogF64[i]));
          };
          const VD r2 = hn::Mul(r, r);
          const VD high = hn::MulAdd(r2, hn::Set(dd, kLogF64[6]), pair(4));
          const VD q = hn::MulAdd(hn::Mul(r2, r2), high, hn::MulAdd(r2, pair(2), pair(0)));
          const VD whole = hn::MulAdd(exponent, hn::Set(dd, kLn2F64), log_c);
          return hn::Add(whole, hn::MulAdd(r2, q, r));
        },
        Wide(z), Wide(inverse[index]), Wide(log[index]), Wide(e));
  }

  Table8 inverse, log;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_LOG_INL_H_
