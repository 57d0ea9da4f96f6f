/*
 * special_inputs.h: the fixed operand pairs of an element type.
 *
 * The same bits on every machine: each class of special value crossed with each
 * other, then seeded pseudo-random pairs; for 8-bit types every pair there is.
 * Depends on pto_c.h alone, so that it can be cross-built.
 */
#ifndef PTO_TESTS_ACCURACY_SPECIAL_INPUTS_H_
#define PTO_TESTS_ACCURACY_SPECIAL_INPUTS_H_

#include <stddef.h>
#include <stdint.h>

#include "pto_c.h"

typedef struct special_pairs {
  pto_dtype dtype;
  size_t count;
  void *a; /* packed elements in the machine's byte order */
  void *b;
} special_pairs;

/* Returns 1, or 0 when memory is out; released by special_pairs_release(). */
int special_pairs_create(pto_dtype dtype, special_pairs *pairs);
void special_pairs_release(special_pairs *pairs);

/* Element i of packed elements, zero-extended, and its setter. */
uint64_t special_get(pto_dtype dtype, const void *data, size_t i);
void special_set(pto_dtype dtype, void *data, size_t i, uint64_t bits);

/* The pseudo-random sequence of all tests here. */
uint64_t special_random(uint64_t *state);

#endif /* PTO_TESTS_ACCURACY_SPECIAL_INPUTS_H_ */
