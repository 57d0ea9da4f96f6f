/*
 * pow_filter.c: the logarithm, the exponential and the proof of their error.
 *
 * Logarithm. x = 2^e * m, 1 <= m < 2 with 24 bits. The top 11 bits of the
 * fraction choose v, about 1/m, of 29 bits with v >= 1/2: m * v has 53 bits, so
 * r = m * v - 1 is exact, |r| < 2^-12 + 2^-29. Near 1, v is exactly 1 (first
 * interval, 0 <= r < 2^-11) or 1/2 (last, -2^-12 <= r < 0).
 *   log2(x) = e - log2(v) + r/ln2 + q,  q = (-r^2/2 + r^3/3 - ... - r^6/6)/ln2.
 *   - Cutting the series at r^6: below 2^-79 of 2^-10.5, so 2^-68 relative.
 *   - q in double: at most 2^-51 of itself. r/ln2 as r1*k1 + r2*k1 + r*k2 with
 *     the first two exact, the third rounded by 2^-80 of r/ln2.
 *   - e - log2(v) is exact in `whole` (a multiple of 2^-40) plus a tail known
 *     to 2^-94; `whole` + r1*k1 is added without error.
 *   If whole = 0, |q| <= 2^-12 |log2(x)|: q and the sum around it are off by at
 *   most (2^-51 + 2^-52) 2^-12, together below 2^-62 of log2(x).
 *   Otherwise |q| < 2^-24.4 and |log2(x)| > 2^-11.5: off by at most 2^-74.5,
 *   which is 2^-63 of log2(x).
 *   Either way: 2^-61.
 *
 * Exponential. t = y * log: y * high is exact (24 + 29 bits), y * low is
 * rounded by 2^-81 of t. For |t| <= 150, t is off by 150 * 2^-61 < 2^-53.7, the
 * result by 2^-54.2. t = k/1024 + f, |f| <= 2^-11: 2^f - 1 to 2^-62 by four
 * terms, 2^(k/1024) from a table to 2^-53, one rounding of 2^-53. Sum: 2^-54.2
 * + 2^-53 + 2^-53 + 2^-60 < 2^-51.6. For 150 < |t| the result is past every
 * threshold of the three formats (2^128 and 2^-150) by more than its error.
 *
 * The logarithm of e itself has two parts of 26 and 53 bits, so the same bound holds for e ** x. A
 * rest of x below 2^-16 is a factor 1 + rest + rest^2/2, known to 2^-50.5 of 2^-16 and rounded by 2^-53
 * twice: below 2^-50 with all the others. The natural logarithm is off by 2^-61, by the sum of its parts,
 * by ln 2 and by the product, 2^-53 each: below 2^-51.4.
 */
#include "pow_filter.h"

#include <mpfr.h>
#include <stdint.h>
#include <string.h>

enum { k_log_bits = 11, k_log_size = 1 << k_log_bits, k_exp_size = 1024 };

static struct {
  double inverse; /* v */
  double whole;   /* -log2(v) to a multiple of 2^-40 */
  double rest;
} g_log[k_log_size];

static double g_exp[k_exp_size];
static double g_k1, g_k2; /* 1/ln2, the first of 26 bits */
static double g_ln2;
static pow_log g_log2e; /* 1/ln2 to 2^-80 of itself */
static double g_c[7];   /* coefficients of r^2 to r^6 in log2(1 + r) */

static uint64_t to_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The value without its last `bits` significant bits. */
static double cut(double value, int bits) { return from_bits(to_bits(value) & (UINT64_MAX << bits)); }

static void init_log(mpfr_t m) {
  for (int i = 0; i < k_log_size; ++i) {
    const double center = 1 + (i + 0.5) / k_log_size;
    double inverse = (double)(int64_t)(0x1p29 / center + 0.5) * 0x1p-29;
    if (i == 0) inverse = 1;
    if (i == k_log_size - 1) inverse = 0.5;
    mpfr_set_d(m, inverse, MPFR_RNDN);
    mpfr_log2(m, m, MPFR_RNDN);
    mpfr_neg(m, m, MPFR_RNDN);
    /* Adding and subtracting 1.5 * 2^12 rounds to a multiple of 2^-40. */
    const double whole = (mpfr_get_d(m, MPFR_RNDN) + 0x1.8p12) - 0x1.8p12;
    mpfr_sub_d(m, m, whole, MPFR_RNDN);
    g_log[i].inverse = inverse;
    g_log[i].whole = whole;
    g_log[i].rest = mpfr_get_d(m, MPFR_RNDN);
  }
}

void pow_filter_init(void) {
  mpfr_t m, ln2;
  mpfr_inits2(200, m, ln2, (mpfr_ptr)0);
  init_log(m);
  for (int i = 0; i < k_exp_size; ++i) {
    mpfr_set_d(m, (double)i / k_exp_size, MPFR_RNDN);
    mpfr_exp2(m, m, MPFR_RNDN);
    g_exp[i] = mpfr_get_d(m, MPFR_RNDN);
  }
  mpfr_const_log2(ln2, MPFR_RNDN);
  g_ln2 = mpfr_get_d(ln2, MPFR_RNDN);
  mpfr_ui_div(m, 1, ln2, MPFR_RNDN);
  g_k1 = cut(mpfr_get_d(m, MPFR_RNDN), 27);
  mpfr_sub_d(m, m, g_k1, MPFR_RNDN);
  g_k2 = mpfr_get_d(m, MPFR_RNDN);
  g_log2e.high = g_k1;
  g_log2e.low = g_k2;
  for (int n = 2; n <= 6; ++n) {
    mpfr_mul_ui(m, ln2, (unsigned long)n, MPFR_RNDN);
    mpfr_ui_div(m, 1, m, MPFR_RNDN);
    g_c[n] = mpfr_get_d(m, MPFR_RNDN) * (n % 2 == 0 ? -1 : 1);
  }
  mpfr_clears(m, ln2, (mpfr_ptr)0);
  mpfr_free_cache();
}

pow_log pow_filter_log2_slow(double x) {
  pow_log log;
  mpfr_t m;
  mpfr_init2(m, 200);
  mpfr_set_d(m, x, MPFR_RNDN);
  mpfr_log2(m, m, MPFR_RNDN);
  log.high = cut(mpfr_get_d(m, MPFR_RNDZ), 24);
  mpfr_sub_d(m, m, log.high, MPFR_RNDN);
  log.low = mpfr_get_d(m, MPFR_RNDN);
  mpfr_clear(m);
  return log;
}

pow_log pow_filter_log2(float x) {
  /* Every float is a normal double. */
  const uint64_t bits = to_bits((double)x);
  const int e = (int)(bits >> 52) - 1023;
  const double m = from_bits((bits & (UINT64_MAX >> 12)) | UINT64_C(0x3ff0000000000000));
  const int i = (int)(bits >> (52 - k_log_bits)) & (k_log_size - 1);
  const double r = m * g_log[i].inverse - 1;
  const double r1 = cut(r, 27);
  const double r2 = r - r1;
  const double series = g_c[2] + r * (g_c[3] + r * (g_c[4] + r * (g_c[5] + r * g_c[6])));
  const double q = r * r * series;

  const double whole = (double)e + g_log[i].whole;
  const double b = r1 * g_k1;
  const double sum = whole + b;
  const double b_seen = sum - whole;
  const double lost = (whole - (sum - b_seen)) + (b - b_seen);
  const double rest = lost + ((r2 * g_k1 + r * g_k2 + g_log[i].rest) + q);
  pow_log log;
  log.high = cut(sum + rest, 24);
  log.low = (sum - log.high) + rest;
  return log;
}

double pow_filter_exp2(pow_log log, double y) {
  const double t = y * log.high;
  if (t > 1000) return 0x1p1000;
  if (t < -1000) return 0x1p-1000;
  /* Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits. */
  const double shifted = t * k_exp_size + 0x1.8p52;
  const int64_t k = (int64_t)(to_bits(shifted) & 0xffffffff);
  const int32_t n = (int32_t)(uint32_t)k;
  const double f = (t - (shifted - 0x1.8p52) * (1.0 / k_exp_size)) + y * log.low;
  const double z = f * g_ln2;
  const double grow = z + z * z * (0.5 + z * (1.0 / 6 + z * (1.0 / 24)));
  const double base = g_exp[n & (k_exp_size - 1)];
  const double value = base + base * grow;
  const int64_t exponent = (n - (n & (k_exp_size - 1))) / k_exp_size;
  return from_bits(to_bits(value) + ((uint64_t)exponent << 52));
}

double pow_filter_exp(float x, double rest) {
  const double value = pow_filter_exp2(g_log2e, (double)x);
  return value + value * (rest + rest * rest * 0.5);
}

double pow_filter_log(float x) {
  const pow_log log = pow_filter_log2(x);
  return (log.high + log.low) * g_ln2;
}
