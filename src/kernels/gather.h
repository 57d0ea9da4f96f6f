// Moves of elements to and from places that an array of indices names, and the test that such an
// array is in range. By widths alone: kernels move bits.
#ifndef PTO_SRC_KERNELS_GATHER_H_
#define PTO_SRC_KERNELS_GATHER_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/kernels.h"

namespace pto {

// dst[k] = src[place[k]]; places in elements. dst shares no byte with the others.
using Gather32 = void (*)(void* dst, const void* src, const uint32_t* place, size_t count);
using Gather64 = void (*)(void* dst, const void* src, const int64_t* place, size_t count);
// dst[place[k]] = src[k], one after another. dst shares no byte with the others.
using Scatter32 = void (*)(void* dst, const void* src, const uint32_t* place, size_t count);
using Scatter64 = void (*)(void* dst, const void* src, const int64_t* place, size_t count);

// For elements of 1, 2, 4 or 8 bytes.
struct PlaceKernels {
  Gather32 gather32;
  Gather64 gather64;
  Scatter32 scatter32;
  Scatter64 scatter64;
};
PlaceKernels PickPlaces(int target, int bytes);

// The largest of `count` numbers of four bytes without sign; 0 of none.
using Largest = uint32_t (*)(const uint32_t* numbers, size_t count);
Largest PickLargest(int target);

// dst[k * dst_step] = src[k * src_step]; dst shares no byte with src.
void CopySteps(void* dst, ptrdiff_t dst_step, const void* src, ptrdiff_t src_step, size_t count,
               int bytes);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_GATHER_H_
