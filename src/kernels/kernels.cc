// The list of SIMD targets and the way from (target, lane, element type) to a
// kernel. The kernels themselves are in the files beside this one.
#include "src/kernels/kernels.h"

#include "src/kernels/pickers.h"

namespace pto {
namespace {

// Highway numbers the targets of one architecture from best to plainest.
int64_t TargetBit(int target) {
  int64_t rest = HWY_TARGETS;
  for (; target > 0; --target) rest &= rest - 1;
  return rest & ~(rest - 1);
}

}  // namespace

int TargetCount() {
  int count = 0;
  for (int64_t rest = HWY_TARGETS; rest != 0; rest &= rest - 1) ++count;
  return count;
}

const char* TargetName(int target) { return hwy::TargetName(TargetBit(target)); }

bool TargetSupported(int target) {
  // Asking the processor costs microseconds, in a virtual machine tens of them.
  static const int64_t supported = hwy::SupportedTargets();
  return (supported & TargetBit(target)) != 0;
}

Kernel PickKernel(int target, Lane lane, DType dtype) {
  using Picker = Kernel (*)(int64_t, Lane, DType);
  constexpr Picker kPickers[] = {PickArith, PickDivide,    PickRsqrt,
                                 PickPow,   PickPowNarrow, PickPowInt};
  const int64_t bit = TargetBit(target);
  for (const Picker pick : kPickers) {
    if (const Kernel kernel = pick(bit, lane, dtype)) return kernel;
  }
  return nullptr;
}

}  // namespace pto
