// The natural logarithm: f32 (at most 1 ulp, and correctly rounded), f16 and bf16 (correctly
// rounded).
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/log-inl.h"
#include "src/kernels/pow_round.h"
#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_AVX512
struct LogLane : FunBase<1> {
  static constexpr size_t kUnroll = 4;
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE LogLane() {}
  HWY_INLINE VF operator()(VF x) const { return LogF32(x, core); }

  LogF32Core core;
};
using LogOfF32 = OnPlain<float, LogLane>;
#else
// By groups, with one test for all.
struct LogOfF32 : FunBase<1> {
  using T = float;
  using D = DF;
  static constexpr T kOne = 1.0f;
  static constexpr bool kPadWithOnes = true;
  static constexpr size_t kUnroll = 4;

  HWY_INLINE LogOfF32() {}
  HWY_INLINE VF operator()(VF x) const { return CanonicalNaN(LogF32(x, core)); }
  HWY_INLINE void Together(VF (&r)[kUnroll]) const {
    const VI most =
        hn::Max(hn::Max(LogOrder(r[0]), LogOrder(r[1])), hn::Max(LogOrder(r[2]), LogOrder(r[3])));
    if (HWY_LIKELY(hn::AllTrue(DI(), IsPositiveNormal(most)))) {
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kUnroll; ++i) r[i] = LogOrdinary(r[i], core);
    } else {
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kUnroll; ++i) r[i] = CanonicalNaN(LogAny<LogF32Core>(r[i]));
    }
  }

  LogF32Core core;
};
#endif

template <class Core>
struct LogNarrowLane : FunBase<1> {
  static constexpr bool kTies = false;
  static constexpr size_t kUnroll = 4;
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE VF operator()(VF x) const { return Log(x, Core()); }
#if !PTO_AVX512
  HWY_INLINE VF Quick(VF x) const { return LogQuick(x, Core()); }
#endif
};

// f32, correctly rounded: one lane in 2^14 is undecided.
struct LogExactLane : FunBase<1> {
  static constexpr size_t kUnroll = 4;
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE LogExactLane() {}

  HWY_INLINE VF operator()(VF x) const {
    if (HWY_UNLIKELY(!AllPositiveNormal(x))) return Any(*this, x);
    return Rounded(x, x, hn::Zero(DF()));
  }

 private:
  // x = scaled 2^-raised.
  HWY_INLINE VF Rounded(VF x, VF scaled, VF raised) const {
    const Candidates c(log(scaled, raised), 0x1p-39);
    if (HWY_LIKELY(c.Agree())) return c.low;
    return RoundUndecided(LogRounded, x, c.low, c.high);
  }

  static HWY_NOINLINE VF Any(const LogExactLane& lane, VF x) {
    const DF df;
    const MF ordinary = hn::And(hn::Gt(x, hn::Zero(df)), hn::Lt(x, Const(HUGE_VALF)));
    const VF positive = hn::IfThenElse(ordinary, x, Const(1.0f));
    const MF tiny = hn::Lt(positive, Const(0x1p-126f));
    // A subnormal number is its bits times 2^-149; see LogAny().
    const VF bits = hn::ConvertTo(DF(), hn::BitCast(DI(), positive));
    const VF scaled = hn::IfThenElse(tiny, bits, positive);
    const VF raised = hn::IfThenElseZero(tiny, Const(149.0f));
    return LogSpecial(x, lane.Rounded(positive, scaled, raised));
  }

  LogF64 log;
};

static constexpr Kernels kLogNarrow =
    Only<DType::kF16>(Plain<OnF16<LogNarrowLane<LogF16Core>>>()) |
    Only<DType::kBF16>(Plain<OnBF16<LogNarrowLane<LogBF16Core>>>());
static constexpr Row kLogRows[] = {
    {Lane::kLog, kLogNarrow | Only<DType::kF32>(Plain<LogOfF32>())},
    {Lane::kLogExact, kLogNarrow | Only<DType::kF32>(Plain<OnPlain<float, LogExactLane>>())},
};

static Kernel PickLogHere(Lane lane, DType dtype) { return Find(kLogRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickLogHere);

Kernel PickLog(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickLogHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
