// The contents of a tile, in numbers.
#ifndef PTO_SRC_PTOAS_SCAN_H_
#define PTO_SRC_PTOAS_SCAN_H_

#include <cstddef>
#include <cstdint>

#include "include/pto_c.h"
#include "src/kernels/scan.h"

namespace pto::ptoas {

struct Scan {
  Contents contents;
  uint64_t digest = 0;  // of the bits of all elements, in their order; the same on every machine
};

// `count` packed elements; `target` is an index of pto_target_name().
Scan ScanElements(int target, pto_dtype dtype, const void* data, size_t count);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_SCAN_H_
