// Results that are a part of more than the caches hold.
#ifndef PTO_SRC_KERNELS_STREAM_H_
#define PTO_SRC_KERNELS_STREAM_H_

#include "src/kernels/kernels.h"

namespace pto {

// As Call(), for elements that belong to so large a result that they are written past the caches,
// if the kernel can.
void CallPastCaches(const Kernel& kernel, const Grid& grid);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_STREAM_H_
