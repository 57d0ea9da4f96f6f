/*
 * values.h: element bits for tests: a small pool of telling values for each type,
 * and single elements in and out of memory.
 */
#ifndef PTO_TESTS_COMMON_VALUES_H_
#define PTO_TESTS_COMMON_VALUES_H_

#include <stdint.h>

#include "pto_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pool's size; a prime, so that patterns do not fall in step with tiles. */
enum { k_pool = 61 };

/* Zeros, ones, borders, infinities, NaNs, subnormals and random bits of a type. */
void values_pool(pto_dtype dtype, uint64_t pool[k_pool]);

/* A pseudo-random number; *state is any number and is moved on. */
uint64_t values_random(uint64_t *state);

/* The element at an address that need not be aligned. */
uint64_t values_get(pto_dtype dtype, const uint8_t *at);
void values_set(pto_dtype dtype, uint8_t *at, uint64_t bits);

/* The bits of a number; floats only where it is exact. */
uint64_t values_of_float(pto_dtype dtype, float value);

int values_is_float(pto_dtype dtype);

/* Fills memory with values of the pool. */
void values_fill(pto_dtype dtype, uint8_t *data, int64_t count, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif /* PTO_TESTS_COMMON_VALUES_H_ */
