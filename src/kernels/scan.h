// Statistics of elements that follow one another: the least, the greatest, and how many are not
// ordinary numbers.
#ifndef PTO_SRC_KERNELS_SCAN_H_
#define PTO_SRC_KERNELS_SCAN_H_

#include <cstddef>
#include <cstdint>

#include "src/records/dtype.h"

namespace pto {

struct Contents {
  int64_t nans = 0;
  int64_t infs = 0;
  int64_t subnormals = 0;
  // The bits of the least element except NaN, -0 before 0; 0 if all are NaN.
  uint64_t min = 0;
  uint64_t max = 0;
};

// One element or more, of f16, bf16, f32 or an integer type; i4 has a byte each.
using ScanKernel = Contents (*)(const void* elements, size_t count);

// nullptr for all other types.
ScanKernel PickScan(int target, DType dtype);

// A digest of bytes, the same on every target. A word is added to one of 32 generators, each
// a multiplication with carry, which loses nothing of its state: two lists of bytes that differ in
// one word never meet, others by chance only.
using DigestKernel = uint64_t (*)(const void* data, size_t bytes);
DigestKernel PickDigest(int target);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_SCAN_H_
