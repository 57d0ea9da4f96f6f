// The border between the library and its SIMD code. Kernels know nothing of
// tiles, contexts or errors: they fill a grid of numbers. This header includes
// no Highway, so that only the files beside it do.
#ifndef PTO_SRC_KERNELS_KERNELS_H_
#define PTO_SRC_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "src/ops/dtype.h"
#include "src/ops/lane.h"

namespace pto {

// Work for one call of a kernel: `lines` lines of `count` elements,
//   dst[i * dst_line + k] = f(a[i * a_line + k * a_step], b[i * b_line + k * b_step])
// for 0 <= i < lines, 0 <= k < count. Lines are counted in elements and may be
// anything (0 repeats one line, which broadcasts it); steps are 0 (one element for the whole
// line) or 1. Unary kernels ignore b.
//
// Precondition: a source either is dst exactly (same address, line and step 1)
// or shares no byte with it. Addresses are aligned to the element only. A kernel
// reads and writes no byte outside the elements named above, not even to put
// the same value back. The floating-point environment is the default one.
struct Grid {
  void* dst;
  const void* a;
  const void* b;
  ptrdiff_t dst_line;
  ptrdiff_t a_line;
  ptrdiff_t b_line;
  int32_t a_step;
  int32_t b_step;
  size_t lines;
  size_t count;
};

using Kernel = void (*)(const Grid& grid);

// SIMD targets compiled in, best first. The index is what PickKernel() takes.
int TargetCount();
const char* TargetName(int target);
bool TargetSupported(int target);

// The kernel for a lane and an element type on a target; nullptr when the lane
// has no meaning for the type (kRsqrt of an integer, for example). Integer
// types have no exactness to choose: kPow and kPowExact are the same kernel.
Kernel PickKernel(int target, Lane lane, DType dtype);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_KERNELS_H_
