// The list of SIMD targets and the way from (target, lane, element type) to a
// kernel. The kernels themselves are in the files beside this one.
#include "src/kernels/kernels.h"

#include "src/kernels/pickers.h"

namespace pto {
// Highway numbers the targets of one architecture from best to plainest.
int64_t TargetBit(int target) {
  int64_t rest = HWY_TARGETS;
  for (; target > 0; --target) rest &= rest - 1;
  return rest & ~(rest - 1);
}

int TargetCount() {
  int count = 0;
  for (int64_t rest = HWY_TARGETS; rest != 0; rest &= rest - 1) ++count;
  return count;
}

const char* TargetName(int target) { return hwy::TargetName(TargetBit(target)); }

bool TargetSupported(int target) { return (hwy::SupportedTargets() & TargetBit(target)) != 0; }

Kernel PickKernel(int target, Lane lane, DType dtype) {
  using Picker = Kernel (*)(int64_t, Lane, DType);
  constexpr Picker kPickers[] = {PickArith, PickLogic, PickFused,     PickDivide,
                                 PickRsqrt, PickPow,   PickPowNarrow, PickPowInt,
                                 PickExp,   PickLog,   PickRem};
  const int64_t bit = TargetBit(target);
  if (lane == Lane::kCopy) dtype = WordOf(dtype);        // the width is all
  if ((Bit(dtype) & dtypes::kComputed) == 0) return {};  // stored, not computed with
  for (const Picker pick : kPickers) {
    if (const Kernel kernel = pick(bit, lane, dtype)) return kernel;
  }
  return {};
}

}  // namespace pto
