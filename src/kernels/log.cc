// The natural logarithm: f32 (at most 1 ulp, and correctly rounded), f16 and bf16 (correctly
// rounded).
#include "src/kernels/pickers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/log.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/log-inl.h"
#include "src/kernels/pow_round.h"
#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

struct LogLane : FunBase<1> {
  static constexpr size_t kUnroll = 4;
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE VF operator()(VF x) const { return LogF32(x); }
#if !PTO_AVX512
  HWY_INLINE VF Quick(VF x) const { return LogQuick<LogF32Core>(x); }
#endif
};

template <class Core>
struct LogNarrowLane : FunBase<1> {
  static constexpr bool kTies = false;
  static constexpr size_t kUnroll = 4;
  static constexpr bool kPadWithOnes = true;

  HWY_INLINE VF operator()(VF x) const { return Log<Core>(x); }
#if !PTO_AVX512
  HWY_INLINE VF Quick(VF x) const { return LogQuick<Core>(x); }
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

static constexpr Kernels kNarrow = Only<DType::kF16>(Plain<OnF16<LogNarrowLane<LogF16Core>>>()) |
                                   Only<DType::kBF16>(Plain<OnBF16<LogNarrowLane<LogBF16Core>>>());
static constexpr Row kRows[] = {
    {Lane::kLog, kNarrow | Only<DType::kF32>(Plain<OnPlain<float, LogLane>>())},
    {Lane::kLogExact, kNarrow | Only<DType::kF32>(Plain<OnPlain<float, LogExactLane>>())},
};

static Kernel Pick(Lane lane, DType dtype) { return Find(kRows, lane, dtype); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(Pick);

Kernel PickLog(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(Pick)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
