// The interface between the files of folds.
#ifndef PTO_SRC_KERNELS_FOLD_PICKERS_H_
#define PTO_SRC_KERNELS_FOLD_PICKERS_H_

#include "src/kernels/fold.h"
#include "src/kernels/pickers.h"

namespace pto {

// Instead of a neutral element: lines that are too short get their first once more.
inline constexpr uint64_t kRepeatFirst = ~uint64_t{0};

// See FoldBlock. Unsigned integers become signed, minima maxima.
constexpr uint64_t FlipOf(Fold fold, DType dtype) {
  const bool is_unsigned =
      (Bit(dtype) & (dtypes::kU8 | dtypes::kU16 | dtypes::kU32 | dtypes::kU64)) != 0;
  const uint64_t sign = is_unsigned ? uint64_t{1} << (8 * Info(dtype).bytes - 1) : 0;
  return fold == Fold::kMin ? ~sign : sign;
}

// The part of an ArgKernel that finds elements in lines.
ArgKernel PickFind(int target, DType dtype);

// In fold.cc.
void DriveRowFold(const FoldKernel& kernel, const FoldGrid& grid);
void DriveColFold(const FoldKernel& kernel, const FoldGrid& grid);
void DriveTreeSum(const FoldKernel& kernel, const FoldGrid& grid);
void DriveColArg(const ArgKernel& kernel, const ArgGrid& grid);
// The finish of maxima: accumulators of `bytes` bytes are as FoldBlock orders them.
FoldFinish UnflipInts(int bytes);
FoldFinish UnflipFloats(DType dtype);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_FOLD_PICKERS_H_
