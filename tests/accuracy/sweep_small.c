/*
 * sweep_small.c: every pair of f16, of bf16 and of 16-bit integer values.
 *
 * Sums, products, quotients and inverse square roots are computed in double and
 * rounded once more; that second rounding never errs, because a double is exact
 * or farther from every midpoint of the format (12 or 9 bits) than its own error:
 *   - products have at most 22 bits, f16 sums 41: exact. A bf16 sum whose terms
 *     lie more than 2^44 apart is the larger term and a hair: rounded to double
 *     it may become the larger term, never a midpoint.
 *   - a quotient a/b that is not the midpoint m differs from it by |a - m b| / b,
 *     at least 2^-24 of itself, since a and m b are integers of at most 11 and
 *     23 bits in a common unit.
 *   - a remainder is exact, and what the other sign adds is a sum.
 *   - 1/sqrt(x) differs from m by |1 - m^2 x| / 2 or more, and m^2 x, of at most
 *     35 bits, is 1 only for m a power of two, never a midpoint. sqrt and the
 *     division round by 2^-52 together.
 * Powers come from the filter with its error bound, and from MPFR where both
 * ends of the interval do not round alike.
 */
#include <math.h>
#include <string.h>

#include "pow_filter.h"
#include "sweep.h"

/* The kind of the exponent of a power. */
enum { k_special = 0, k_fraction = 1, k_odd = 2, k_even = 3 };

/* Per format: 0 is f16, 1 is bf16. */
static double g_value[2][65536];
static unsigned char g_parity[2][65536];
static pow_log g_log2[2][32768]; /* of positive finite values */

static int format_index(pto_dtype dtype) { return dtype == PTO_DTYPE_BF16; }

static double value_of(const ref_format *format, uint64_t bits) {
  const ref_number x = ref_decode(format, bits);
  double value = 0;
  if (x.kind == REF_NAN) return NAN;
  if (x.kind == REF_INF) value = INFINITY;
  if (x.kind == REF_FINITE) value = ldexp((double)x.significand, x.exponent);
  return x.negative ? -value : value;
}

static unsigned char parity_of(double y) {
  if (y == 0 || !isfinite(y)) return k_special;
  if (floor(y) != y) return k_fraction;
  return floor(y / 2) * 2 != y ? k_odd : k_even;
}

void sweep_small_init(void) {
  static const pto_dtype dtypes[2] = {PTO_DTYPE_F16, PTO_DTYPE_BF16};
  for (int f = 0; f < 2; ++f) {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const double value = value_of(ref_format_of(dtypes[f]), bits);
      g_value[f][bits] = value;
      g_parity[f][bits] = parity_of(value);
      if (value > 0 && isfinite(value)) {
        g_log2[f][bits] = pow_filter_log2_slow(value);
      }
    }
  }
}

void sweep_small_fill(const sweep *self, sweep_block *block) {
  uint16_t *a = block->a;
  uint16_t *b = block->b;
  if (self->blocks == 1) {
    for (uint32_t i = 0; i < k_sweep_block; ++i) a[i] = (uint16_t)i;
    return;
  }
  /* 16 values of a times 4096 of b. a changes from lane to lane, so that
     vectors are mixed; each column still sees all 16. */
  const uint32_t first_a = (uint32_t)(block->index / k_sweep_rows) * k_sweep_rows;
  const uint32_t first_b = (uint32_t)(block->index % k_sweep_rows) * k_sweep_cols;
  for (uint32_t i = 0; i < k_sweep_rows; ++i) {
    for (uint32_t j = 0; j < k_sweep_cols; ++j) {
      a[i * k_sweep_cols + j] = (uint16_t)(first_a + (i + j) % k_sweep_rows);
      if (i == 0 || !self->b_is_row) {
        b[i * k_sweep_cols + j] = (uint16_t)(first_b + j);
      }
    }
  }
}

/*
 * A remainder depends on the significands and the distance of the exponents, not on where they are, but
 * at the ends: so all a, and b with 16 of the 256 exponents.
 */
void sweep_bf16_rem_fill(const sweep *self, sweep_block *block) {
  static const unsigned char exponents[16] = {0, 1, 2, 23, 64, 100, 126, 127, 128, 134, 150, 191, 229, 253, 254, 255};
  uint16_t *a = block->a;
  uint16_t *b = block->b;
  (void)self;
  const uint32_t first_a = (uint32_t)block->index * k_sweep_rows;
  for (uint32_t i = 0; i < k_sweep_block; ++i) {
    const uint32_t j = i % k_sweep_cols;
    a[i] = (uint16_t)(first_a + (i / k_sweep_cols + j) % k_sweep_rows);
    b[i] = (uint16_t)((j >> 11) << 15 | (uint32_t)exponents[(j >> 7) & 15] << 7 | (j & 127));
  }
}

/* A double that is not NaN to the nearest value of a 16-bit format. */
static inline uint16_t round_to(double value, int fraction, int bias) {
  uint64_t bits, sum_bits, unit_bits;
  double unit, sum;
  memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = (uint16_t)((bits >> 63) << 15);
  const uint16_t inf = (uint16_t)((2 * bias + 1) << fraction);
  bits &= UINT64_MAX >> 1;
  memcpy(&value, &bits, sizeof value);
  int exponent = (int)(bits >> 52) - 1023;
  if (exponent > bias) return (uint16_t)(sign | inf);
  if (exponent < 1 - bias) exponent = 1 - bias;
  /* In 1.5 * 2^52 quanta the last place is one quantum, so the addition rounds
     to quanta and the low bits count them. */
  unit_bits = ((uint64_t)(exponent - fraction + 52 + 1023) << 52) | (UINT64_C(1) << 51);
  memcpy(&unit, &unit_bits, sizeof unit);
  sum = value + unit;
  memcpy(&sum_bits, &sum, sizeof sum_bits);
  /* A carry moves into the exponent field, up to infinity. */
  const uint64_t quanta = sum_bits - unit_bits;
  return (uint16_t)(sign + quanta + ((uint64_t)(exponent + bias - 1) << fraction));
}

static inline double compute(ref_fn fn, double x, double y) {
  switch (fn) {
    case REF_ADD:
      return x + y;
    case REF_MUL:
      return x * y;
    case REF_DIV:
      return x / y;
    case REF_PRELU:
      return x > 0 ? x : x * y;
    case REF_FMOD:
      return fmod(x, y);
    case REF_REM: {
      const double r = fmod(x, y);
      return r != 0 && signbit(r) != signbit(y) ? r + y : r;
    }
    default:
      if (x == 0) return 1 / x; /* sqrt(-0) is -0 */
      return 1 / sqrt(x);
  }
}

void sweep_small_expect(const sweep *self, sweep_block *block) {
  const ref_format *format = ref_format_of(self->dtype);
  const double *values = g_value[format_index(self->dtype)];
  const uint16_t nan = (uint16_t)ref_nan(self->dtype);
  const uint16_t *a = block->a;
  const uint16_t *b = block->b;
  uint16_t *want = block->want;
  const size_t b_mask = self->b_is_row ? k_sweep_cols - 1 : k_sweep_block - 1;
  const int fraction = format->fraction;
  const int bias = format->bias;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    const double y = self->fn == REF_RSQRT ? 0 : values[b[i & b_mask]];
    const double result = compute(self->fn, values[a[i]], y);
    want[i] = isnan(result) ? nan : round_to(result, fraction, bias);
  }
}

/* e ** (x - y). The difference is first + rest exactly: TwoSum, and two floats of the sum. */
static inline uint16_t exp_of_difference(const sweep *self, sweep_block *block, uint16_t a, uint16_t b) {
  const ref_format *format = ref_format_of(self->dtype);
  const double *values = g_value[format_index(self->dtype)];
  const double x = values[a], y = values[b];
  const double d = x - y;
  if (isnan(d)) return (uint16_t)ref_nan(self->dtype);
  if (fabs(d) > 200) return (uint16_t)(d > 0 ? ref_inf_bits(format, 0) : 0);
  const double y_seen = x - d;
  const double lost = (x - (d + y_seen)) + (y_seen - y);
  const float first = (float)d;
  const double value = pow_filter_exp(first, (d - (double)first) + lost);
  const uint16_t low = round_to(value * (1 - POW_FILTER_ERROR), format->fraction, format->bias);
  const uint16_t high = round_to(value * (1 + POW_FILTER_ERROR), format->fraction, format->bias);
  if (low == high) return low;
  ++block->stats->decided;
  return (uint16_t)ref_apply(REF_EXPDIF, self->dtype, a, b);
}

void sweep_small_expdif_expect(const sweep *self, sweep_block *block) {
  const uint16_t *a = block->a;
  const uint16_t *b = block->b;
  uint16_t *want = block->want;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    want[i] = exp_of_difference(self, block, a[i], b[self->b_is_row ? i % k_sweep_cols : i]);
  }
}

void sweep_small_reference_expect(const sweep *self, sweep_block *block) {
  const uint16_t *a = block->a;
  const uint16_t *b = block->b;
  uint16_t *want = block->want;
  const size_t b_mask = self->b_is_row ? k_sweep_cols - 1 : k_sweep_block - 1;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    want[i] = (uint16_t)ref_apply(self->fn, self->dtype, a[i], b[i & b_mask]);
  }
}

/* Powers of a finite base other than 0 and 1 in magnitude. */
static inline uint16_t power(const sweep *self, sweep_block *block, uint16_t a, uint16_t b) {
  const int f = format_index(self->dtype);
  const ref_format *format = ref_format_of(self->dtype);
  const int negative = a >> 15;
  const unsigned char parity = g_parity[f][b];
  if (parity == k_special || (negative && parity == k_fraction)) {
    uint64_t special = 0;
    int sign;
    ref_pow_special(format, a, b, &special, &sign);
    return (uint16_t)special;
  }
  const double value = pow_filter_exp2(g_log2[f][a & 0x7fff], g_value[f][b]);
  const int fraction = f ? 7 : 10;
  const int bias = f ? 127 : 15;
  const uint16_t low = round_to(value * (1 - POW_FILTER_ERROR), fraction, bias);
  const uint16_t high = round_to(value * (1 + POW_FILTER_ERROR), fraction, bias);
  const uint16_t sign = (uint16_t)(negative && parity == k_odd ? 0x8000 : 0);
  if (low == high) return low | sign;
  ++block->stats->decided;
  return (uint16_t)ref_apply(REF_POW, self->dtype, a, b);
}

void sweep_small_pow_expect(const sweep *self, sweep_block *block) {
  const int f = format_index(self->dtype);
  const uint16_t *a = block->a;
  const uint16_t *b = block->b;
  uint16_t *want = block->want;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    const double x = fabs(g_value[f][a[i]]);
    if (x > 0 && x != 1 && x < INFINITY) {
      want[i] = power(self, block, a[i], b[i]);
    } else {
      want[i] = (uint16_t)ref_apply(REF_POW, self->dtype, a[i], b[i]);
    }
  }
}
