/*
 * values.h: element bits for tests: a small pool of telling values for each type,
 * and single elements in and out of memory.
 */
#ifndef PTO_TESTS_COMMON_VALUES_H_
#define PTO_TESTS_COMMON_VALUES_H_

#include <stdint.h>
#include <string.h>

#include "pto_c.h"
#include "splitmix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pool's size; a prime, so that patterns do not fall in step with tiles. */
enum { k_pool = 61 };

/* Zeros, ones, borders, infinities, NaNs, subnormals and random bits of a type. */
void values_pool(pto_dtype dtype, uint64_t pool[k_pool]);

/* pto_dtype_bytes(), which is a call into the library: tests ask it for each element. */
static inline int values_bytes(pto_dtype dtype) {
  static const uint8_t k_bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4};
  return dtype <= PTO_DTYPE_F32 ? k_bytes[dtype] : pto_dtype_bytes(dtype);
}

/* The element at an address that need not be aligned; the machine is little-endian. */
static inline uint64_t values_get(pto_dtype dtype, const uint8_t *at) {
  uint64_t bits = 0;
  switch (values_bytes(dtype)) {
    case 1:
      return *at;
    case 2:
      memcpy(&bits, at, 2);
      break;
    case 4:
      memcpy(&bits, at, 4);
      break;
    case 8:
      memcpy(&bits, at, 8);
      break;
    default:
      break;
  }
  return bits;
}

static inline void values_set(pto_dtype dtype, uint8_t *at, uint64_t bits) {
  switch (values_bytes(dtype)) {
    case 1:
      *at = (uint8_t)bits;
      break;
    case 2:
      memcpy(at, &bits, 2);
      break;
    case 4:
      memcpy(at, &bits, 4);
      break;
    case 8:
      memcpy(at, &bits, 8);
      break;
    default:
      break;
  }
}

/* The bits of a number; floats only where it is exact. */
uint64_t values_of_float(pto_dtype dtype, float value);

int values_is_float(pto_dtype dtype);

/* Fills memory with values of the pool. */
void values_fill(pto_dtype dtype, uint8_t *data, int64_t count, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif /* PTO_TESTS_COMMON_VALUES_H_ */
