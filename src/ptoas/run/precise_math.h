// Functions of the math dialect that no instruction computes, in twice the digits of a double and rounded once:
// the same bits on every machine, for they take nothing from its library but the operations that IEEE 754 rounds.
#ifndef PTO_SRC_PTOAS_RUN_PRECISE_MATH_H_
#define PTO_SRC_PTOAS_RUN_PRECISE_MATH_H_

#include <cstdint>

#include "src/ptoas/read/dialect.h"
#include "src/ptoas/read/type.h"

namespace pto::ptoas {

// For numbers of f16, bf16 or f32; `b` is the second operand of atan2.
double Precise(ArithOp op, Elem elem, double a, double b);

// A number to the power of an integer.
double PowerOf(Elem elem, double base, int64_t exponent);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_RUN_PRECISE_MATH_H_
