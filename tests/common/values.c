/* values.c: the pool of element bits. */
#include "values.h"

#include <string.h>

#include "reference.h"

int values_is_float(pto_dtype dtype) { return ref_format_of(dtype) != NULL; }

uint64_t values_of_float(pto_dtype dtype, float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return ref_convert(dtype, PTO_DTYPE_F32, bits);
}

static int float_borders(const ref_format *f, uint64_t *pool) {
  const uint64_t one = 1;
  const uint64_t sign = one << (f->width - 1);
  const uint64_t implied = one << f->fraction;
  const uint64_t inf = ref_inf_bits(f, 0);
  const uint64_t borders[] = {
      0,                        /* zero */
      inf,                      /* infinity */
      implied,                  /* the smallest normal */
      implied - 1,              /* the largest subnormal */
      1,                        /* the smallest subnormal */
      inf - 1,                  /* the largest number */
      inf | (implied >> 1),     /* a quiet NaN */
      inf | (implied >> 1) | 5, /* another one */
      inf | 1,                  /* a signalling NaN */
  };
  int n = 0;
  for (size_t i = 0; i < sizeof borders / sizeof *borders; ++i) {
    pool[n++] = borders[i];
    pool[n++] = borders[i] | sign;
  }
  return n;
}

void values_pool(pto_dtype dtype, uint64_t pool[k_pool]) {
  static const float k_floats[] = {1, -1, 2, -2, 3, -3, 0.5F, -0.5F, 1.5F, -1.5F, 0.25F, 5, -7, 10, 0.75F};
  static const int k_ints[] = {0, 1, -1, 2, -2, 3, -3, 5, 7, -7, 10, 31, 100, -100};
  const ref_format *f = ref_format_of(dtype);
  const int width = 8 * pto_dtype_bytes(dtype);
  uint64_t state = (uint64_t)dtype;
  int n = 0;
  if (f != NULL) {
    n = float_borders(f, pool);
    for (size_t i = 0; i < sizeof k_floats / sizeof *k_floats; ++i) pool[n++] = values_of_float(dtype, k_floats[i]);
    /* Between 1/4 and 4, where pow is neither 0 nor infinite. */
    for (int i = 0; i < 12; ++i) {
      const uint64_t fraction = values_random(&state) & ((UINT64_C(1) << f->fraction) - 1);
      pool[n++] = (uint64_t)(f->bias - 2 + i % 4) << f->fraction | fraction;
    }
  } else {
    for (size_t i = 0; i < sizeof k_ints / sizeof *k_ints; ++i) pool[n++] = (uint64_t)(int64_t)k_ints[i];
    for (int shift = width - 2; shift < width; ++shift) {
      pool[n++] = UINT64_C(1) << shift;
      pool[n++] = (UINT64_C(1) << shift) - 1;
      pool[n++] = (UINT64_C(1) << shift) + 1;
    }
  }
  while (n < k_pool) pool[n++] = values_random(&state);
  const uint64_t mask = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
  for (int i = 0; i < k_pool; ++i) pool[i] &= mask;
}

void values_fill(pto_dtype dtype, uint8_t *data, int64_t count, uint64_t seed) {
  uint64_t pool[k_pool];
  values_pool(dtype, pool);
  const int size = values_bytes(dtype);
  for (int64_t i = 0; i < count; ++i) values_set(dtype, data + i * size, pool[values_random(&seed) % k_pool]);
}
