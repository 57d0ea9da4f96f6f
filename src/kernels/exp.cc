// e ** x and e ** (a - b): f32 (at most 1 ulp, and correctly rounded), f16 and bf16 (correctly
// rounded).
#include "src/kernels/pickers.h"
#if HWY_ARCH_X86
#include <xmmintrin.h>  // the mode of the floating-point unit; Highway's scalar target does not bring it
#endif

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/exp-inl.h"
#include "src/kernels/narrow-inl.h"
#include "src/kernels/pow_round.h"
#include "src/kernels/together-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// The arguments from which results of f32 and of the narrow formats are 0 or infinity.
constexpr float kExpLeast = -105.0f;
constexpr float kExpMost = 90.0f;

// f32, by groups.
struct ExpF32 : FunBase<1> {
  using T = float;
  using D = DF;
  static constexpr T kOne = 1.0f;
  static constexpr size_t kUnroll = 4;

  HWY_INLINE ExpF32() {}
  HWY_INLINE VF operator()(VF x) const { return Exp(x, core); }
  HWY_INLINE void Together(VF (&r)[kUnroll]) const { ExpGroup(r, core); }

  ExpF32Core core;
};
struct ExpBF16Lane : FunBase<1> {
  static constexpr bool kMakesNaN = false;
  static constexpr bool kTies = false;
  static constexpr size_t kUnroll = 4;

  HWY_INLINE VF operator()(VF x) const { return Exp(x, ExpBF16Core()); }
};
struct ExpF16Lane : FunBase<1> {
  static constexpr size_t kUnroll = 4;

  HWY_INLINE VF operator()(VF x) const { return ExpF16(x); }
};

// f32, correctly rounded: one lane in 2^19 is undecided.
struct ExpExactLane : FunBase<1> {
  static constexpr size_t kUnroll = 4;

  HWY_INLINE VF operator()(VF x) const {
    const VF near = AtMost(AtLeast(x, kExpLeast), kExpMost);
    const Candidates c(Halves([](VD v) HWY_ATTR { return ExpF64(v); }, Wide(near)), 0x1p-44);
    if (HWY_LIKELY(c.Agree())) return c.low;
    return RoundUndecided(ExpRounded, near, c.low, c.high);
  }
};

// f32: the difference is rounded to f32. By groups, too.
struct ExpDifF32 : FunBase<2> {
  using T = float;
  using D = DF;
  static constexpr T kOne = 1.0f;
  static constexpr size_t kUnroll = 4;

  HWY_INLINE ExpDifF32() {}
  HWY_INLINE VF operator()(VF a, VF b) const { return Exp(hn::Sub(a, b), core); }

  ExpF32Core core;
};
struct ExpDifTogether : ExpDifF32 {
  HWY_INLINE ExpDifTogether() {}
  HWY_INLINE void Together(VF (&r)[kUnroll], const VF (&b)[kUnroll]) const {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kUnroll; ++i) r[i] = hn::Sub(r[i], b[i]);
    ExpGroup(r, core);
  }
};
struct ExpDifByOne : ByElement<float> {
  static constexpr T kOne = 1.0f;
  static constexpr size_t kUnroll = 4;

  HWY_INLINE ExpDifByOne() {}
  HWY_INLINE VF operator()(VF a, VF b) const { return Exp(hn::Sub(a, b), core); }
  HWY_INLINE void Together(VF (&r)[kUnroll]) const {
    const VF b = Const(by);
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kUnroll; ++i) r[i] = hn::Sub(r[i], b);
    ExpGroup(r, core);
  }

  ExpF32Core core;
};

// As an f32 that rounds to the right result. In f64 the difference of two f16 is exact and that is
// close enough for two bf16; all pairs are tried (tests/accuracy).
template <class Format>
static HWY_NOINLINE VF ExpDifCareful(VF a, VF b) {
  const VF r = Halves(
                   [](VD va, VD vb) HWY_ATTR {
                     const DD dd;
                     const VD d = hn::Sub(va, vb);
                     const VD least = hn::Set(dd, kExpLeast);
                     const VD most = hn::Set(dd, kExpMost);
                     VD near = hn::IfThenElse(hn::Lt(d, least), least, d);
                     near = hn::IfThenElse(hn::Gt(near, most), most, near);
                     return RoundAt(ExpF64(near), hn::Set(dd, Format::kMinNormal), Format::kBits);
                   },
                   Wide(a), Wide(b))
                   .Narrow();
  return hn::IfThenElse(hn::IsNaN(r), NaN(), r);
}

// f16 and bf16: the difference in f32 and what it lost, an exponential, and the careful one where
// that leaves the answer open, which is one lane in 2^10 and 2^11.
template <class Format>
struct ExpDifNarrowLane : FunBase<2> {
  static constexpr bool kMakesNaN = false;
  static constexpr size_t kUnroll = 4;

  // Too large by at most 2^-21.1 of itself, too small by at most 2^-22.3: the polynomial errs by
  // -2^-22.9 to 2^-21.3, the reduction by 2^-24.
  struct Core : ExpF16Core {
    static constexpr bool kExact = false;
    HWY_INLINE explicit Core(VF add) : rest(add) {}
    HWY_INLINE VF Reduce(VF x, VF k) const { return hn::Add(ExpF16Core::Reduce(x, k), rest); }
    HWY_INLINE VF operator()(VF r) const { return Fma(r, Quotient(r), Const(1.0f)); }
    VF rest;
  };

  HWY_INLINE VF operator()(VF a, VF b) const {
    const VF d = hn::Sub(a, b);
    const VF b_seen = hn::Sub(a, d);
    const VF a_seen = hn::Add(d, b_seen);
    const VF lost = hn::Add(hn::Sub(a, a_seen), hn::Sub(b_seen, b));
    VF r = Exp(d, Core(lost));
    if (HWY_LIKELY(Format::Decide(&r))) return r;
    return ExpDifCareful<Format>(a, b);
  }
};

// A kernel that takes subnormal operands for zeros. That changes no bit here, since e^x of both is
// 1, but an operation with a subnormal operand costs some 150 cycles. For less work than some 150
// ns the two writes of the mode, 4 ns, are not worth it. Results of f32 may be subnormal, so
// functors may only move and compare them: AVX-512's fixupimm would flush them, too. For f16 such
// results are zeros in any case, and the mode makes them, at full speed.
constexpr unsigned kZeroOperands = 0x40;
[[maybe_unused]] constexpr unsigned kZeros = 0x8040;
template <auto kRun, unsigned kMode>
struct Flushed;
template <class... Rest,
          void (*kRun)(void*, const void*, const void*, ptrdiff_t, ptrdiff_t, ptrdiff_t, size_t,
                       size_t, Rest...),
          unsigned kMode>
struct Flushed<kRun, kMode> {
  static void Run(void* dst, const void* a, const void* b, ptrdiff_t dst_line, ptrdiff_t a_line,
                  ptrdiff_t b_line, size_t lines, size_t count, Rest... rest) {
#if HWY_ARCH_X86
    if (lines * count >= 1024) {
      const unsigned mode = _mm_getcsr();
      _mm_setcsr(mode | kMode);
      kRun(dst, a, b, dst_line, a_line, b_line, lines, count, rest...);
      _mm_setcsr(mode);
      return;
    }
#endif
    kRun(dst, a, b, dst_line, a_line, b_line, lines, count, rest...);
  }
};

// With ByOne: a functor for the case that the last source is one element for a whole line.
template <class Fun, Block kBlock = Loop<Fun>, class ByOne = void, unsigned kMode = kZeroOperands>
constexpr Kernel PlainFlushed() {
  constexpr PastCaches kStream = StreamOf<Fun>();
  PastCaches stream = kStream;
  if constexpr (kStream.step != 0) stream.block = Flushed<kStream.block, kMode>::Run;
  Block uniform = nullptr;
  if constexpr (!std::is_void_v<ByOne> && PTO_COMMON_TARGET) {
    uniform = Flushed<Block{Loop<ByOne, true>}, kMode>::Run;
  } else if constexpr (requires { Fun::kUniform; }) {
    if constexpr (Fun::kUniform) uniform = Flushed<Block{Loop<Fun, true>}, kMode>::Run;
  }
  return KernelOf<Fun>(Flushed<kBlock, kMode>::Run, stream, uniform);
}
// Where f16 becomes f32 by an instruction; arithmetic that does it makes subnormal numbers.
template <class Fun>
constexpr Kernel FlushedF16() {
#if PTO_AVX512 || HWY_TARGET == HWY_AVX2
  return PlainFlushed<Fun, Loop<Fun>, void, kZeros>();
#else
  return Plain<Fun>();
#endif
}

static constexpr Kernel kDifF32 =
    PlainFlushed<ExpDifF32, LoopTogether<ExpDifTogether, Loop<ExpDifF32>>, ExpDifByOne>();

static constexpr Kernels kExpNarrow = Only<DType::kF16>(FlushedF16<OnF16<ExpF16Lane>>()) |
                                      Only<DType::kBF16>(PlainFlushed<OnBF16<ExpBF16Lane>>());
static constexpr Row kExpRows[] = {
    {Lane::kExp, kExpNarrow | Only<DType::kF32>(PlainFlushed<ExpF32>())},
    {Lane::kExpExact, kExpNarrow | Only<DType::kF32>(Plain<OnPlain<float, ExpExactLane>>())},
    {Lane::kExpDif, Only<DType::kF16>(FlushedF16<OnF16<ExpDifNarrowLane<F16Format>>>()) |
                        Only<DType::kBF16>(PlainFlushed<OnBF16<ExpDifNarrowLane<BF16Format>>>()) |
                        Only<DType::kF32>(kDifF32)},
};

static Kernel PickExpHere(Lane lane, DType dtype) { return Find(kExpRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickExpHere);

Kernel PickExp(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickExpHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
