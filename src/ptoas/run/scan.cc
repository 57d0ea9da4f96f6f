#include "src/ptoas/run/scan.h"

#include <bit>
#include <cmath>

#include "src/records/small_float.h"

namespace pto::ptoas {

namespace {

// Types of a byte or less: the frequency of each code is sufficient.
Contents ScanCodes(DType dtype, const uint8_t* codes, size_t count) {
  Contents found;
  int64_t times[256] = {};
  for (size_t i = 0; i < count; ++i) ++times[codes[i]];
  float least = 0;
  float most = 0;
  bool any = false;
  for (uint32_t code = 0; code < 256; ++code) {
    if (times[code] == 0) continue;
    const auto value = std::bit_cast<float>(SmallFloatBits(dtype, code));
    if (std::isnan(value)) {
      found.nans += times[code];
      continue;
    }
    if (std::isinf(value)) found.infs += times[code];
    const bool subnormal = dtype == DType::kE4M3   ? (code & 0x78) == 0
                           : dtype == DType::kE5M2 ? (code & 0x7c) == 0
                           : dtype == DType::kE2M1 ? (code & 6) == 0
                                                   : dtype == DType::kE1M2 && (code & 4) == 0;
    if (subnormal && value != 0) found.subnormals += times[code];
    if (!any || value < least || (value == 0 && least == 0 && std::signbit(value))) {
      least = value;
      found.min = code;
    }
    if (!any || value > most || (value == 0 && most == 0 && !std::signbit(value))) {
      most = value;
      found.max = code;
    }
    any = true;
  }
  return found;
}

}  // namespace

Scan ScanElements(int target, pto_dtype dtype, const void* data, size_t count) {
  Scan scan;
  if (count == 0) return scan;
  const auto type = static_cast<DType>(dtype);
  if (const ScanKernel kernel = PickScan(target, type)) {
    scan.contents = kernel(data, count);
  } else {
    scan.contents = ScanCodes(type, static_cast<const uint8_t*>(data), count);
  }
  scan.digest = PickDigest(target)(data, count * static_cast<size_t>(pto_dtype_bytes(dtype)));
  return scan;
}

}  // namespace pto::ptoas
