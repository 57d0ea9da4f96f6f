/*
 * sweep_f32.c: sums, products and quotients of f32 against double arithmetic.
 *
 * A double result rounded once more is the nearest float:
 *   - a product has at most 48 bits: exact;
 *   - a sum is exact, or the terms lie more than 2^29 apart: then it is the larger
 *     one and less than a quarter of its last place, far from every midpoint;
 *   - a quotient a/b that is not the midpoint m (25 bits) differs from it by
 *     |a - m b| / b, at least 2^-49 of itself, and the double by 2^-53.
 * The compiler's conversion from double to float is the machine's own rounding.
 */
#include <math.h>
#include <string.h>

#include "special_inputs.h"
#include "sweep.h"

static float float_of(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

/* Either sign, any fraction, an exponent from 2^low on. */
static float with_exponent(uint64_t r, int low, unsigned count) {
  const uint64_t field = (uint64_t)(127 + low) + (r >> 32) % count;
  return float_of((r & 0x807fffff) | (field << 23));
}

/* The first operand that takes b to the result. */
static float operand_for(ref_fn fn, double result, double b) {
  if (fn == REF_ADD) return (float)(result - b);
  return (float)(fn == REF_DIV ? result * b : result / b);
}

static float draw_b(uint64_t r) {
  switch (r >> 62) {
    case 0:
      return float_of(r);
    case 1:
      return with_exponent(r, -126, 254);
    default:
      return with_exponent(r, -8, 16);
  }
}

static float draw_a(ref_fn fn, uint64_t r, float b) {
  static const int borders[4] = {-149, -127, -126, 126};
  const uint64_t sign = (r >> 40) & 1;
  double result;
  switch (r >> 62) {
    case 0:
      return float_of(r);
    case 1:
      return with_exponent(r, -12, 24);
    case 2: /* next to a midpoint between neighbours of any size */
      result = ldexp((double)(0x1000001 | (r & 0xffffff)), (int)((r >> 41) % 272) - 170);
      break;
    default: /* at the borders of the subnormal, normal and finite results */
      result = ldexp(1 + (double)(r & 0xffffffff) * 0x1p-31, borders[(r >> 50) & 3]);
      break;
  }
  return operand_for(fn, sign ? -result : result, (double)b);
}

void sweep_f32_fill(const sweep *self, sweep_block *block) {
  float *a = block->a;
  float *b = block->b;
  uint64_t seed = ((uint64_t)self->fn << 56) ^ (block->index << 20) ^ 0xf32;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    const size_t k = self->b_is_row ? i % k_sweep_cols : i;
    if (k == i) b[k] = draw_b(special_random(&seed));
    a[i] = draw_a(self->fn, special_random(&seed), b[k]);
  }
}

void sweep_f32_expect(const sweep *self, sweep_block *block) {
  const float *a = block->a;
  const float *b = block->b;
  float *want = block->want;
  const size_t b_mask = self->b_is_row ? k_sweep_cols - 1 : k_sweep_block - 1;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    const double x = (double)a[i];
    const double y = (double)b[i & b_mask];
    switch (self->fn) {
      case REF_ADD:
        want[i] = (float)(x + y);
        break;
      case REF_DIV:
        want[i] = (float)(x / y);
        break;
      case REF_PRELU:
        want[i] = (float)(x > 0 ? x : x * y);
        break;
      default:
        want[i] = (float)(x * y);
        break;
    }
  }
}
