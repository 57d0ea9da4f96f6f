// Scalar arithmetic of PTO-AS programs (the arith dialect), with defined results
// for everything but a division by zero.
#ifndef PTO_SRC_PTOAS_SCALAR_H_
#define PTO_SRC_PTOAS_SCALAR_H_

#include <cstdint>

#include "src/ptoas/read/dialect.h"
#include "src/ptoas/read/type.h"
#include "src/ptoas/run/value.h"

namespace pto::ptoas {

// An integer as it is kept: sign-extended from the width of its type; i1 is 0 or 1.
int64_t WrapInt(Elem elem, int64_t value);

// The numbers that an integer type has, as far as 64 bits with a sign hold them. iN has a sign; i1 is 0 or 1.
struct IntRange {
  int64_t low;
  int64_t high;
};
IntRange RangeOf(Elem elem);

// A float rounded to its type, to nearest, ties to even. All NaN become one, the same on every machine.
double RoundFloat(Elem elem, double value);
// An integer as a float of a type, rounded once.
double IntToFloat(Elem elem, bool negative, uint64_t magnitude);

// A number as a word of a vector: an integer, or the bits of a double.
int64_t WordOf(const RunValue& value);

// The number that a bit pattern of a float type means, and back.
double FloatFromBits(Elem elem, uint64_t bits);
uint64_t BitsFromFloat(Elem elem, double value);

// Converts the bits in memory to a number of a type, and back; false if the value is not such a number.
RunValue FromBits(Elem elem, uint64_t bits);
bool ToBits(Elem elem, const RunValue& value, uint64_t* bits);

// False: a division by zero. A shift by the width or more shifts everything out.
bool IntBinary(ArithOp op, Elem elem, int64_t a, int64_t b, int64_t* out);
// False: 0 to a negative power.
bool IntPower(Elem elem, int64_t base, int64_t exponent, int64_t* out);
double FloatBinary(ArithOp op, Elem elem, double a, double b);
int64_t IntUnary(ArithOp op, Elem elem, int64_t a);
double FloatUnary(ArithOp op, Elem elem, double a);
// a * b + c, rounded once.
double FusedMultiplyAdd(Elem elem, double a, double b, double c);
bool CompareInt(CmpPredicate predicate, Elem elem, int64_t a, int64_t b);
bool CompareFloat(CmpPredicate predicate, double a, double b);
// Floats outside an integer's range give its nearest limit, NaN gives 0.
int64_t FloatToInt(Elem elem, bool is_unsigned, double value);
// The value as an unsigned number of its type.
uint64_t Unsigned(Elem elem, int64_t value);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_SCALAR_H_
