// The interface of each kernel file to kernels.cc: the kernel for a lane and an
// element type on one Highway target, or an empty one for lanes of other files.
#ifndef PTO_SRC_KERNELS_PICKERS_H_
#define PTO_SRC_KERNELS_PICKERS_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/kernels.h"
#include "src/kernels/targets.h"
// After targets.h.
#include "hwy/targets.h"

namespace pto {

// `target` is one HWY_* bit that is compiled in.
Kernel PickArith(int64_t target, Lane lane, DType dtype);
Kernel PickLogic(int64_t target, Lane lane, DType dtype);
Kernel PickFused(int64_t target, Lane lane, DType dtype);
Kernel PickDivide(int64_t target, Lane lane, DType dtype);
Kernel PickRsqrt(int64_t target, Lane lane, DType dtype);
Kernel PickPow(int64_t target, Lane lane, DType dtype);
Kernel PickPowNarrow(int64_t target, Lane lane, DType dtype);
Kernel PickPowInt(int64_t target, Lane lane, DType dtype);
Kernel PickExp(int64_t target, Lane lane, DType dtype);
Kernel PickLog(int64_t target, Lane lane, DType dtype);
Kernel PickRem(int64_t target, Lane lane, DType dtype);

// The HWY_* bit of a target that is compiled in, of index as in kernels.h.
int64_t TargetBit(int target);

// Index of a target's entry in the tables that HWY_EXPORT makes. Highway's
// global choice of a target is neither read nor changed, so that contexts for
// different targets live side by side; hwy::ChosenTarget, which computes the same, keeps
// its mask in an atomic, which cost every call that picks a kernel 5 ns. With one target the
// tables have one entry.
inline size_t TableIndex(int64_t target) {
  if constexpr ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0) {
    return 0;
  } else {
    const int64_t one = HWY_CHOSEN_TARGET_SHIFT(target) | HWY_CHOSEN_TARGET_MASK_SCALAR;
    return hwy::Num0BitsBelowLS1Bit_Nonzero64(
        static_cast<uint64_t>(one & HWY_CHOSEN_TARGET_MASK_TARGETS));
  }
}

}  // namespace pto

#endif  // PTO_SRC_KERNELS_PICKERS_H_
