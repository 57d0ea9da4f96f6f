// The order and the rounding of sums of bf16 products, on every target:
//
//   even = odd = +0
//   for p in 0..15:  even = fma(a[2p], b[2p], even);  odd = fma(a[2p + 1], b[2p + 1], odd)
//   c = c + (even + odd)
//
// for each 32 values of k, counted from the start of a call; beyond the last value factors are +0.
// That is what the instruction TDPBF16PS computes. Each step rounds once to nearest even. Each
// subnormal operand is a zero of its sign, and each result that is below 2^-126 after rounding with
// an unbounded exponent becomes a zero of its sign.
//
// x86 with FMA has modes for these zeros, DAZ and FTZ. A call that writes MXCSR costs the next one
// 85 ns, since a read of it waits for the write. Therefore only large products (DefaultFpEnv) set
// them from the start. A strip of a small one runs in the usual mode and reads the flags of MXCSR
// after each block: without "subnormal operand" and "underflow" both modes have the same results.
// With one of them the block runs again, and the rest of the strip in the other mode. As arithmetic
// on subnormals is 100 times slower in the usual mode, the next strips of the context begin in the
// other mode.
//
// Elsewhere a step is computed in f64, where products are exact and no number is subnormal.
#if defined(PTO_SRC_KERNELS_PAIRED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_PAIRED_INL_H_
#undef PTO_SRC_KERNELS_PAIRED_INL_H_
#else
#define PTO_SRC_KERNELS_PAIRED_INL_H_
#endif

#include "src/kernels/fma-inl.h"

#undef PTO_FLUSH_MODE
#if PTO_FMA && HWY_ARCH_X86
#define PTO_FLUSH_MODE 1
#include <xmmintrin.h>
#else
#define PTO_FLUSH_MODE 0
#endif

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

constexpr size_t kPairedDepth = 32;

// By value: the bits of v that remain of a subnormal are its sign.
HWY_INLINE VF ZeroIfSubnormal(VF v) {
  return hn::IfThenElse(hn::Lt(hn::Abs(v), Const(0x1p-126F)), hn::CopySign(hn::Zero(DF()), v), v);
}

#if PTO_FLUSH_MODE

// Subnormals of factors are left to the mode.
HWY_INLINE VF ZeroIfNoMode(VF v) { return v; }
HWY_INLINE VF PairedStep(VF a, VF b, VF sum) { return Fma(a, b, sum); }

// The mode while a strip is multiplied. `soon` counts strips that begin without subnormals, since
// the context has met some.
class PairedMode {
 public:
  explicit PairedMode(uint8_t* soon)
      : soon_(soon), before_(_mm_getcsr()), flushes_((before_ & kFlush) != 0) {
    if (HWY_LIKELY(flushes_ || ((before_ & kFlags) == 0 && *soon == 0))) return;
    if (*soon != 0) --*soon;
    Flush();
  }
  ~PairedMode() {
    if (HWY_UNLIKELY(set_)) _mm_setcsr(before_);
  }
  PairedMode(const PairedMode&) = delete;
  PairedMode& operator=(const PairedMode&) = delete;

  // Whether a block must run again, in the mode that is now set. A NaN may hide a subnormal.
  bool Again(bool nan) {
    if (flushes_ || (!nan && (_mm_getcsr() & kFlags) == 0)) return false;
    *soon_ = 255;
    Flush();
    return true;
  }

 private:
  static constexpr unsigned kFlags = 0x12;    // subnormal operand, underflow
  static constexpr unsigned kFlush = 0x8040;  // FTZ and DAZ, which DefaultFpEnv sets, too
  void Flush() {
    flushes_ = set_ = true;
    _mm_setcsr(before_ | kFlush);
  }

  uint8_t* soon_;
  unsigned before_;
  bool flushes_;
  bool set_ = false;
};

#else

HWY_INLINE VF ZeroIfNoMode(VF v) { return ZeroIfSubnormal(v); }

// Below this a result rounds to less than 2^-126 where exponents have no bound.
HWY_INLINE VD ZeroIfTiny(VD v) {
  const DD dd;
  const auto tiny = hn::Lt(hn::Abs(v), hn::Set(dd, 0x1p-126 - 0x1p-151));
  return hn::IfThenElse(tiny, hn::CopySign(hn::Zero(dd), v), v);
}

HWY_INLINE VF PairedStep(VF a, VF b, VF sum) {
  const DD dd;
#if HWY_TARGET == HWY_SCALAR
  // Highway's DemoteTo() clamps what overflows.
  const VD r = FmaOdd(hn::PromoteTo(dd, a), hn::PromoteTo(dd, b), hn::PromoteTo(dd, sum));
  return Const(static_cast<float>(hn::GetLane(ZeroIfTiny(r))));
#else
  const hn::Half<DF> dh;
  const VD low =
      FmaOdd(hn::PromoteTo(dd, hn::LowerHalf(dh, a)), hn::PromoteTo(dd, hn::LowerHalf(dh, b)),
             hn::PromoteTo(dd, hn::LowerHalf(dh, sum)));
  const VD high =
      FmaOdd(hn::PromoteTo(dd, hn::UpperHalf(dh, a)), hn::PromoteTo(dd, hn::UpperHalf(dh, b)),
             hn::PromoteTo(dd, hn::UpperHalf(dh, sum)));
  return JoinF64(ZeroIfTiny(high), ZeroIfTiny(low));
#endif
}

class PairedMode {
 public:
  explicit PairedMode(uint8_t*) {}
  bool Again(bool) { return false; }
};

#endif

HWY_INLINE VF PairedAdd(VF a, VF b) { return ZeroIfNoMode(hn::Add(a, b)); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_PAIRED_INL_H_
