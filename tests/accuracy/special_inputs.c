/*
 * special_inputs.c: builds the fixed operand pairs. Changing anything here
 * changes the digests in digests.txt.
 */
#include "special_inputs.h"

#include <stdlib.h>
#include <string.h>

enum { k_max_values = 400, k_random_pairs = 16384 };

typedef struct value_list {
  uint64_t mask;
  size_t count;
  uint64_t values[k_max_values];
} value_list;

uint64_t special_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

uint64_t special_get(pto_dtype dtype, const void *data, size_t i) {
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  switch (pto_dtype_bytes(dtype)) {
    case 1:
      memcpy(&u8, (const char *)data + i, 1);
      return u8;
    case 2:
      memcpy(&u16, (const char *)data + 2 * i, 2);
      return u16;
    case 4:
      memcpy(&u32, (const char *)data + 4 * i, 4);
      return u32;
    default:
      memcpy(&u64, (const char *)data + 8 * i, 8);
      return u64;
  }
}

void special_set(pto_dtype dtype, void *data, size_t i, uint64_t bits) {
  const uint8_t u8 = (uint8_t)bits;
  const uint16_t u16 = (uint16_t)bits;
  const uint32_t u32 = (uint32_t)bits;
  switch (pto_dtype_bytes(dtype)) {
    case 1:
      memcpy((char *)data + i, &u8, 1);
      break;
    case 2:
      memcpy((char *)data + 2 * i, &u16, 2);
      break;
    case 4:
      memcpy((char *)data + 4 * i, &u32, 4);
      break;
    default:
      memcpy((char *)data + 8 * i, &bits, 8);
      break;
  }
}

/* Lists keep each value once; a full list would silently lose values. */
static void put(value_list *list, uint64_t value) {
  value &= list->mask;
  for (size_t i = 0; i < list->count; ++i) {
    if (list->values[i] == value) return;
  }
  if (list->count == k_max_values) abort();
  list->values[list->count++] = value;
}

/* ---- floats ---- */

/* Stored fraction bits, 0 for integers. */
static int fraction_bits(pto_dtype dtype) {
  switch (dtype) {
    case PTO_DTYPE_F16:
      return 10;
    case PTO_DTYPE_BF16:
      return 7;
    case PTO_DTYPE_F32:
      return 23;
    default:
      return 0;
  }
}

/* numerator / 2 with both signs, when the format holds it. */
static void put_halves(value_list *list, int fraction, uint64_t bias, uint64_t numerator) {
  uint64_t top = 0;
  while (numerator >> (top + 1) != 0) ++top;
  if (top > (uint64_t)fraction) return;
  const uint64_t rest = numerator ^ (UINT64_C(1) << top);
  const uint64_t bits = ((bias + top - 1) << fraction) + (rest << ((uint64_t)fraction - top));
  put(list, bits);
  put(list, bits | (list->mask ^ (list->mask >> 1)));
}

static void float_values(value_list *list, pto_dtype dtype) {
  const int fraction = fraction_bits(dtype);
  const uint64_t f = (uint64_t)fraction;
  const uint64_t step = UINT64_C(1) << fraction;
  const uint64_t sign = list->mask ^ (list->mask >> 1);
  const uint64_t top = (list->mask >> 1) >> fraction;
  const uint64_t bias = top >> 1;
  /* Zero and subnormals, smallest normals, results that underflow, around 1,
     the last odd integers, integers that are all even, infinity's side. */
  const uint64_t exponents[] = {0, 1, 2, bias - f - 1, bias - 1, bias, bias + f, bias + f + 1, top - 2, top - 1, top};
  /* In the top exponent: infinity, signalling NaN, quiet NaN. */
  const uint64_t fractions[] = {0, 1, step / 2, step / 2 + 1, step - 2, step - 1};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) {
    for (size_t j = 0; j < sizeof fractions / sizeof *fractions; ++j) {
      const uint64_t bits = exponents[i] * step + fractions[j];
      put(list, bits);
      put(list, bits | sign);
    }
  }
  for (uint64_t n = 1; n <= 21; ++n) put_halves(list, fraction, bias, n);
  put_halves(list, fraction, bias, 50);
  put_halves(list, fraction, bias, 127);
  put_halves(list, fraction, bias, 202);
  put_halves(list, fraction, bias, 254);
  /* Neighbours of 1 and of the largest value, powers of two. */
  for (uint64_t d = 1; d <= 3; ++d) {
    put(list, bias * step + d);
    put(list, bias * step - d);
    put(list, (bias * step + d) | sign);
    put(list, (bias * step - d) | sign);
    put(list, top * step - d);
  }
  for (uint64_t e = 3; e < top; e += top / 10) put(list, e * step);
}

/* Ordinary pairs: a positive in 2^-4 to 2^4, b of either sign in the same
   range; every fourth base is next to 1 with a larger exponent. */
static void ordinary_pair(pto_dtype dtype, uint64_t *seed, uint64_t mask, uint64_t *a, uint64_t *b) {
  const int fraction = fraction_bits(dtype);
  const uint64_t step = UINT64_C(1) << fraction;
  const uint64_t sign = mask ^ (mask >> 1);
  const uint64_t bias = ((mask >> 1) >> fraction) >> 1;
  const uint64_t r = special_random(seed);
  *a = (bias - 4 + (r & 7)) * step + ((r >> 3) & (step - 1));
  *b = (bias - 4 + ((r >> 32) & 7)) * step + ((r >> 36) & (step - 1));
  if (r >> 63) *b |= sign;
  if (((r >> 61) & 3) == 0) {
    *a = bias * step + ((r >> 3) & 255) - 128;
    *b += step * (uint64_t)(fraction > 15 ? 10 : fraction - 2);
  }
}

/* ---- integers ---- */

static void integer_values(value_list *list) {
  const uint64_t mask = list->mask;
  const uint64_t max = mask >> 1;
  int width = 64;
  while (width > 8 && (mask >> (width - 1)) == 0) --width;
  for (uint64_t i = 0; i <= 18; ++i) {
    put(list, i);
    put(list, 0 - i);
    put(list, max - i % 4);
    put(list, max + 1 + i % 4);
  }
  for (int k = 5; k < width; ++k) {
    const uint64_t power = UINT64_C(1) << k;
    put(list, power);
    if (k % 4 != 0 && k < width - 2) continue;
    put(list, power - 1);
    put(list, power + 1);
    put(list, 0 - power);
  }
  put(list, 100);
  put(list, (uint64_t)width - 1);
  put(list, (uint64_t)width + 1);
  put(list, UINT64_C(0x5555555555555555));
  put(list, UINT64_C(0xaaaaaaaaaaaaaaaa));
  put(list, UINT64_C(0x0123456789abcdef));
}

/* ---- pairs ---- */

static void fill_bytes(special_pairs *pairs) {
  for (size_t i = 0; i < pairs->count; ++i) {
    special_set(pairs->dtype, pairs->a, i, i >> 8);
    special_set(pairs->dtype, pairs->b, i, i & 0xff);
  }
}

static void fill_pairs(special_pairs *pairs, const value_list *list) {
  const pto_dtype dtype = pairs->dtype;
  uint64_t seed = UINT64_C(0x70746f) + (uint64_t)dtype;
  size_t n = 0;
  for (size_t i = 0; i < list->count; ++i) {
    for (size_t j = 0; j < list->count; ++j, ++n) {
      special_set(dtype, pairs->a, n, list->values[i]);
      special_set(dtype, pairs->b, n, list->values[j]);
    }
  }
  for (; n < pairs->count; ++n) {
    uint64_t a = special_random(&seed) & list->mask;
    uint64_t b = special_random(&seed) & list->mask;
    if (fraction_bits(dtype) != 0 && n % 2 == 0) {
      ordinary_pair(dtype, &seed, list->mask, &a, &b);
    }
    special_set(dtype, pairs->a, n, a);
    special_set(dtype, pairs->b, n, b);
  }
}

int special_pairs_create(pto_dtype dtype, special_pairs *pairs) {
  const size_t bytes = (size_t)pto_dtype_bytes(dtype);
  static value_list list;
  list.mask = UINT64_MAX >> (64 - 8 * bytes);
  list.count = 0;
  if (fraction_bits(dtype) != 0) float_values(&list, dtype);
  if (fraction_bits(dtype) == 0 && bytes > 1) integer_values(&list);

  pairs->dtype = dtype;
  pairs->count = bytes == 1 ? 65536 : list.count * list.count + k_random_pairs;
  pairs->a = malloc(pairs->count * bytes);
  pairs->b = malloc(pairs->count * bytes);
  if (pairs->a == NULL || pairs->b == NULL) {
    special_pairs_release(pairs);
    return 0;
  }
  if (bytes == 1) {
    fill_bytes(pairs);
  } else {
    fill_pairs(pairs, &list);
  }
  return 1;
}

void special_pairs_release(special_pairs *pairs) {
  free(pairs->a);
  free(pairs->b);
  pairs->a = NULL;
  pairs->b = NULL;
  pairs->count = 0;
}
