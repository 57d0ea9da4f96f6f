// The stages of conversions to and from floats of a byte.
#ifndef PTO_SRC_KERNELS_CONVERT_SMALL_H_
#define PTO_SRC_KERNELS_CONVERT_SMALL_H_

#include "src/kernels/convert.h"

namespace pto {

// Named by what they read and write. HiFloat8 is read by a table, in convert.cc.
struct SmallStages {
  Stage e4m3_f32, e5m2_f32, e8m0_f32;
  Stage f32_e4m3, f32_e5m2, f32_hif8, f32_e8m0;  // by mode, saturating
  Stage even_e4m3, even_e5m2;                    // the same, of kRint alone
};

const SmallStages& PickSmallStages(int target);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_CONVERT_SMALL_H_
