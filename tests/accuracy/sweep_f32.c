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
  return (float)(fn == REF_MUL || fn == REF_PRELU ? result / b : result * b);
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
      /* Of remainders the quotient is next to an integer. */
      if (fn == REF_REM || fn == REF_FMOD) result = (double)(r & 0xffffff);
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

/* 2^-k modulo an odd number. */
static uint64_t inverse_of_power(int k, uint64_t odd) {
  uint64_t inverse = 1 % odd;
  while (k-- > 0) inverse = (inverse + (inverse % 2 != 0 ? odd : 0)) / 2;
  return inverse;
}

/*
 * Significands a (24 bits) for which 2^k a is within 8 of a multiple of b: those with a quotient by b so close to a
 * middle, |a/b - m| <= 8 / 2b units, that an approximation good to 2^-22 units might err. With b = 2^j o, 2^j has to
 * divide the distance d, and a is the solution modulo o. There are at most 16.
 */
static size_t hard_numerators(uint64_t b, int k, uint64_t a[k_sweep_rows]) {
  size_t count = 0;
  int j = 0;
  while (j < 3 && b % 2 == 0) {
    b /= 2;
    ++j;
  }
  if (b % 2 == 0) return 0;
  const uint64_t inverse = inverse_of_power(k - j, b);
  for (int64_t d = -(8 >> j); d <= 8 >> j; ++d) {
    const uint64_t residue = (uint64_t)(d + (int64_t)b) % b;
    for (uint64_t x = residue * inverse % b; d != 0 && x < 1U << 24; x += b) {
      if (x >= 1U << 23 && count < k_sweep_rows) a[count++] = x;
    }
  }
  return count;
}

void sweep_div_hard_fill(const sweep *self, sweep_block *block) {
  float *a = block->a;
  float *b = block->b;
  uint64_t seed = (block->index << 20) ^ 0xd1f;
  const uint64_t half = self->blocks / 2; /* blocks for all significands of b */
  for (size_t col = 0; col < k_sweep_cols; ++col) {
    const uint64_t significand = (UINT64_C(1) << 23) + block->index % half * k_sweep_cols + col;
    uint64_t hard[k_sweep_rows];
    const size_t count = hard_numerators(significand, block->index < half ? 24 : 25, hard);
    const uint64_t r = special_random(&seed);
    b[col] = (float)ldexp((double)significand, (int)(r % 58) - 29 - 23) * (r >> 63 != 0 ? -1 : 1);
    for (size_t row = 0; row < k_sweep_rows; ++row) {
      const uint64_t s = special_random(&seed);
      const uint64_t fraction = row < count ? hard[row] : s >> 41 | 1U << 23;
      const float value = (float)ldexp((double)fraction, (int)(s % 40) - 20 - 23) * (s >> 40 & 1 ? -1 : 1);
      /* Rarely a vector that reciprocals cannot use. */
      a[row * k_sweep_cols + col] = (s >> 20) % 4096 == 0 ? float_of(special_random(&seed)) : value;
    }
  }
}

/* fmod is exact; the sum is rounded like other sums. */
static double floored_rem(double x, double y) {
  const double r = fmod(x, y);
  return r != 0 && signbit(r) != signbit(y) ? r + y : r;
}

static float rounded(ref_fn fn, double x, double y) {
  switch (fn) {
    case REF_ADD:
      return (float)(x + y);
    case REF_DIV:
      return (float)(x / y);
    case REF_PRELU:
      return (float)(x > 0 ? x : x * y);
    case REF_FMOD:
      return (float)fmod(x, y);
    case REF_REM:
      return (float)floored_rem(x, y);
    default:
      return (float)(x * y);
  }
}

void sweep_f32_expect(const sweep *self, sweep_block *block) {
  const float nan = float_of(ref_nan(PTO_DTYPE_F32));
  const float *a = block->a;
  const float *b = block->b;
  float *want = block->want;
  const size_t b_mask = self->b_is_row ? k_sweep_cols - 1 : k_sweep_block - 1;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    const float result = rounded(self->fn, (double)a[i], (double)b[i & b_mask]);
    want[i] = isnan(result) ? nan : result;
  }
}
