// What is in a tile, in numbers.
#ifndef PTO_SRC_PTOAS_SCAN_H_
#define PTO_SRC_PTOAS_SCAN_H_

#include <cstddef>
#include <cstdint>

#include "include/pto_c.h"

namespace pto::ptoas {

struct Scan {
  int64_t nans = 0;
  int64_t infs = 0;
  int64_t subnormals = 0;
  uint64_t min = 0;  // the bits of the least element that is no NaN; without one 0
  uint64_t max = 0;
  uint64_t digest = 0;  // of the bits of all elements, in their order; the same on every machine
};

// `count` packed elements.
Scan ScanElements(pto_dtype dtype, const void* data, size_t count);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_SCAN_H_
