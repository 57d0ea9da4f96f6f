/*
 * sweep_pow.c: powers, exponentials and logarithms of f32 against the filter, MPFR deciding what it
 * cannot.
 */
#include <math.h>
#include <string.h>

#include "pow_filter.h"
#include "sweep.h"

static const uint32_t k_sign = 0x80000000, k_inf = 0x7f800000, k_one = 0x3f800000;

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/*
 * |f(a, b)| within POW_FILTER_ERROR, or NaN after the answer in *special where a table decides. *negative
 * is the result's sign.
 */
static double filtered(ref_fn fn, uint32_t a, uint32_t b, int *negative, uint64_t *special) {
  const int finite = (a & ~k_sign) < k_inf;
  const int positive = a - 1 < k_inf - 1;
  *negative = 0;
  if (fn == REF_EXP && finite) return pow_filter_exp(float_of(a), 0);
  if (fn == REF_LOG && positive && a != k_one) {
    const double log = pow_filter_log(float_of(a));
    *negative = log < 0;
    return fabs(log);
  }
  if (fn == REF_POW) {
    /* The table is slow and these cases are not in it. */
    const int plain = positive && a != k_one && (b & ~k_sign) - 1 < k_inf - 1;
    if (plain || !ref_pow_special(ref_format_of(PTO_DTYPE_F32), a, b, special, negative)) {
      return pow_filter_exp2(pow_filter_log2(float_of(a & ~k_sign)), (double)float_of(b));
    }
    return NAN;
  }
  *special = ref_apply(fn, PTO_DTYPE_F32, a, b);
  return NAN;
}

/* The nearest float; *value becomes what filtered() returns. */
static uint32_t nearest(const sweep *self, sweep_block *block, uint32_t a, uint32_t b, double *value) {
  int negative;
  uint64_t special = 0;
  *value = filtered(self->fn, a, b, &negative, &special);
  if (isnan(*value)) return (uint32_t)special;
  const float low = (float)(*value * (1 - POW_FILTER_ERROR));
  const float high = (float)(*value * (1 + POW_FILTER_ERROR));
  if (low == high) return bits_of(low) | (negative ? k_sign : 0);
  ++block->stats->decided;
  return (uint32_t)ref_apply(self->fn, PTO_DTYPE_F32, a, b);
}

void sweep_pow_expect(const sweep *self, sweep_block *block) {
  const uint32_t *a = block->a;
  const uint32_t *b = block->b;
  uint32_t *want = block->want;
  double value;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    want[i] = nearest(self, block, a[i], b[i], &value);
  }
}

/*
 * Error of a finite result of the right sign, in ulps of the value; it is itself
 * off by 2^-26 ulp. Infinity counts as 2^128.
 */
static double ulps(uint32_t got, double power) {
  double value = (double)float_of(got & ~k_sign);
  if (value > 0x1p128) value = 0x1p128;
  if (power > 0x1p128) power = 0x1p128;
  int exponent = ilogb(power);
  if (exponent < -126) exponent = -126;
  if (exponent > 127) exponent = 127;
  return ldexp(fabs(value - power), 23 - exponent);
}

void sweep_pow_judge(const sweep *self, sweep_block *block, const void *got) {
  const uint32_t *a = block->a;
  const uint32_t *b = block->b;
  const uint32_t *z = got;
  sweep_stats *stats = block->stats;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    double power;
    const uint32_t want = nearest(self, block, a[i], b[i], &power);
    if (z[i] == want || ref_matches(PTO_DTYPE_F32, want, z[i])) continue;
    ++stats->misrounded;
    double error = INFINITY;
    if (!isnan(power) && (z[i] & ~k_sign) <= k_inf && ((z[i] ^ want) & k_sign) == 0) {
      error = ulps(z[i], power);
    }
    if (error > 1 - 0x1p-20) {
      ++stats->decided;
      error = ref_ulp_error(PTO_DTYPE_F32, z[i], self->fn, a[i], b[i]);
    }
    if (error > stats->max_ulp) stats->max_ulp = error;
    if (error > 1) {
      sweep_wrong(self, block, "the first target", a[i], b[i], z[i], want);
    }
  }
}
