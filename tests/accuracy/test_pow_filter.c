/*
 * test_pow_filter.c: the filter's proven error bound, measured against MPFR.
 */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "pow_filter.h"
#include "special_inputs.h"

/* Twice as strict as the bound that the sweeps rely on: see the proof. */
#define PROVEN 0x1p-51

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Kinds 0 to 4: any base; near 1; the borders of the log table; results near 1;
   a 16-bit base by the slow logarithm. */
static float pick_base(int kind, uint64_t r) {
  const uint32_t bits = (uint32_t)r;
  switch (kind) {
    case 1:
      return float_of(0x3f800000u + (bits & 0xffff) - 0x8000u);
    case 2:
      return float_of((bits & 0x7ffff000u) + (bits >> 31) * 4095u);
    case 4:
      return float_of(bits & 0x7ffff000u);
    default:
      return float_of(bits & 0x7fffffffu);
  }
}

int main(void) {
  uint64_t seed = 42;
  double worst = 0;
  int tested = 0;
  mpfr_t x, y, exact, error;
  pow_filter_init();
  mpfr_inits2(160, x, y, exact, error, (mpfr_ptr)0);
  for (int i = 0; i < 200000; ++i) {
    const int kind = i % 5;
    const float base = pick_base(kind, special_random(&seed));
    if (!(base > 0) || isinf(base) || base == 1) continue;
    /* log2 of the result is uniform in -150 to 150. */
    double t = (double)(int64_t)special_random(&seed) * 0x1p-63 * 150;
    if (kind == 3) t *= 0x1p-20;
    const float exponent = (float)(t / log2((double)base));
    if (isinf(exponent) || exponent == 0) continue;
    const pow_log log = kind == 4 ? pow_filter_log2_slow((double)base) : pow_filter_log2(base);
    const double got = pow_filter_exp2(log, (double)exponent);
    mpfr_set_flt(x, base, MPFR_RNDN);
    mpfr_set_flt(y, exponent, MPFR_RNDN);
    mpfr_pow(exact, x, y, MPFR_RNDN);
    mpfr_set_d(error, got, MPFR_RNDN);
    mpfr_sub(error, error, exact, MPFR_RNDN);
    mpfr_div(error, error, exact, MPFR_RNDN);
    const double relative = fabs(mpfr_get_d(error, MPFR_RNDN));
    if (relative > PROVEN) {
      printf("%a ** %a: relative error 2^%.2f\n", (double)base, (double)exponent, log2(relative));
      return 1;
    }
    if (relative > worst) worst = relative;
    ++tested;
  }
  mpfr_clears(x, y, exact, error, (mpfr_ptr)0);
  printf("%d powers, largest relative error 2^%.2f\n", tested, log2(worst));
  return tested > 150000 ? 0 : 1;
}
