// The stages of conversions to and from floats of a byte or less.
#ifndef PTO_SRC_KERNELS_CONVERT_SMALL_H_
#define PTO_SRC_KERNELS_CONVERT_SMALL_H_

#include "src/kernels/convert.h"

namespace pto {

struct SmallStages {
  struct Codec {
    Stage read;         // codes become f32; HiFloat8 is read by a table, in convert.cc
    Stage write, even;  // f32 becomes codes: by mode, and of kRint alone
  };
  // In the order of their types, from the first float of a byte on.
  Codec codecs[static_cast<int>(DType::kI4) - static_cast<int>(DType::kE4M3)];
  Stage i4_i32;

  const Codec& Of(DType dtype) const {
    return codecs[static_cast<int>(dtype) - static_cast<int>(DType::kE4M3)];
  }
};

const SmallStages& PickSmallStages(int target);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_CONVERT_SMALL_H_
