// The arithmetic that an instruction applies to each element. A lane function
// has the arithmetic's name; the record of an instruction names its lane, and
// src/kernels implements it for every element type.
#ifndef PTO_SRC_RECORDS_LANE_H_
#define PTO_SRC_RECORDS_LANE_H_

#include <cstdint>

namespace pto {

enum class Lane : uint8_t {
  kCopy,         // a, bit for bit
  kAdd,          // a + b
  kMul,          // a * b
  kDiv,          // a / b
  kPrelu,        // a > 0 ? a : a * b
  kPow,          // a ** b, the fastest algorithm
  kPowExact,     // a ** b, correctly rounded
  kRsqrt,        // 1 / sqrt(a)
  kSub,          // a - b
  kMin,          // the smaller; NaN is smaller than all, -0 than +0
  kMax,          // the larger; NaN is larger than all, +0 than -0
  kAnd,          // a & b, of any type, as all bit operations
  kOr,           // a | b
  kXor,          // a ^ b
  kNot,          // ~a
  kShl,          // a << b, the count modulo the width
  kShr,          // a >> b, the count modulo the width; signed types keep their sign
  kNeg,          // -a; of floats the sign bit
  kAbs,          // |a|; of floats the sign bit; signed integers and floats
  kRelu,         // max(a, 0); NaN stays NaN, both zeros give +0
  kSqrt,         // the square root
  kRecip,        // 1 / a; integers truncate, 1 / 0 = 0
  kSubRelu,      // max(a - b, 0), as kRelu
  kMulAdd,       // a * b + c, rounded once
  kMulAddTwice,  // a * b + c, rounded once; of f16 the product is rounded first
  kFma,          // a * c + b, as kMulAddTwice
  kFmaRelu,      // max(a * c + b, 0), as kRelu
  kExp,          // e ** a, the fastest algorithm
  kExpExact,     // e ** a, correctly rounded
  kExpDif,       // e ** (a - b)
  kLog,          // the natural logarithm of a, the fastest algorithm
  kLogExact,     // the same, correctly rounded
  kRem,          // a modulo b with the sign of b
  kFmod,         // a modulo b with the sign of a
  kAddAdd,       // (a + b) + c, rounded after each
  kSubAdd,       // (a - b) + c, rounded after each
  kEnd,
};
inline constexpr int kLaneCount = static_cast<int>(Lane::kEnd);

// Names for tests and tools, in the order of Lane.
inline constexpr const char* kLaneNames[] = {
    "copy", "add",      "mul",    "div",   "prelu",    "pow",    "powexact",    "rsqrt",  "sub",
    "min",  "max",      "and",    "or",    "xor",      "not",    "shl",         "shr",    "neg",
    "abs",  "relu",     "sqrt",   "recip", "subrelu",  "muladd", "muladdtwice", "fma",    "fmarelu",
    "exp",  "expexact", "expdif", "log",   "logexact", "rem",    "fmod",        "addadd", "subadd"};
static_assert(sizeof kLaneNames / sizeof *kLaneNames == kLaneCount);

}  // namespace pto

#endif  // PTO_SRC_RECORDS_LANE_H_
