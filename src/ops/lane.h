// The arithmetic that an instruction applies to each element. A lane function
// has the arithmetic's name; the record of an instruction names its lane, and
// src/kernels implements it for every element type.
#ifndef PTO_SRC_OPS_LANE_H_
#define PTO_SRC_OPS_LANE_H_

#include <cstdint>

namespace pto {

enum class Lane : uint8_t {
  kCopy,      // a, bit for bit
  kAdd,       // a + b
  kMul,       // a * b
  kDiv,       // a / b
  kPrelu,     // a > 0 ? a : a * b
  kPow,       // a ** b, the fastest algorithm
  kPowExact,  // a ** b, correctly rounded
  kRsqrt,     // 1 / sqrt(a)
};
inline constexpr int kLaneCount = 8;

}  // namespace pto

#endif  // PTO_SRC_OPS_LANE_H_
