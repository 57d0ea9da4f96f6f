/*
 * op_tests.h: the whole test of an instruction, from three facts: its name, its
 * arithmetic, and results that are known without a reference.
 */
#ifndef PTO_TESTS_COMMON_OP_TESTS_H_
#define PTO_TESTS_COMMON_OP_TESTS_H_

#include <stdint.h>

#include "op_case.h"
#include "pto_c.h"

/* A known result of f16, bf16 and f32 alike: every number is exact in each. */
typedef struct known_float {
  float a, b, want;
} known_float;

/* A known result of one type, as an integer or as the bits of a float. */
typedef struct known_bits {
  pto_dtype dtype;
  int64_t a, b, want;
} known_bits;

#define KNOWN(table) (table), (int)(sizeof(table) / sizeof *(table))

/* Runs the tests of an instruction: what main() returns. */
int op_tests_main(const op_under_test *op, const known_float *floats, int float_count, const known_bits *bits,
                  int bit_count);

#endif /* PTO_TESTS_COMMON_OP_TESTS_H_ */
