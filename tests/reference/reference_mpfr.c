/*
 * reference_mpfr.c: correctly rounded floats by MPFR, and errors in ulps.
 *
 * A result is rounded at the format's precision inside the format's exponent
 * range; mpfr_subnormalize() then rounds tiny results a second time, which is
 * right because it knows the direction of the first rounding. MPFR scales
 * significands to [1/2, 1): its exponents are one above IEEE's.
 */
#include <math.h>
#include <mpfr.h>
#include <stddef.h>

#include "reference.h"

/* Enough for |got - exact| of 24-bit values to be right to 100 bits or more. */
#define HIGH_PRECISION_BITS 192

static void set_number(mpfr_t out, const ref_number *x) {
  switch (x->kind) {
    case REF_NAN:
      mpfr_set_nan(out);
      return;
    case REF_INF:
      mpfr_set_inf(out, x->negative ? -1 : 1);
      return;
    case REF_ZERO:
      mpfr_set_zero(out, x->negative ? -1 : 1);
      return;
    case REF_FINITE:
      break;
  }
  /* Exact: a significand has at most 24 bits, which every `out` here holds. */
  mpfr_set_ui_2exp(out, (unsigned long)x->significand, x->exponent, MPFR_RNDN);
  mpfr_setsign(out, out, x->negative, MPFR_RNDN);
}

/* Bits of a value that the format holds exactly. */
static uint64_t encode(const ref_format *format, mpfr_t value) {
  const int negative = mpfr_signbit(value) != 0;
  if (mpfr_nan_p(value)) return ref_nan_bits(format);
  if (mpfr_inf_p(value)) return ref_inf_bits(format, negative);
  if (mpfr_zero_p(value)) return ref_zero_bits(format, negative);

  long exponent = (long)mpfr_get_exp(value) - 1;
  if (exponent < 1 - format->bias) exponent = 1 - format->bias;
  mpfr_t scaled;
  mpfr_init2(scaled, format->fraction + 1);
  mpfr_abs(scaled, value, MPFR_RNDN);
  mpfr_mul_2si(scaled, scaled, format->fraction - exponent, MPFR_RNDN);
  const uint64_t significand = mpfr_get_ui(scaled, MPFR_RNDN);
  mpfr_clear(scaled);
  /* The leading bit of a normal significand adds the missing 1 to the field. */
  return ref_zero_bits(format, negative) + significand + ((uint64_t)(exponent + format->bias - 1) << format->fraction);
}

/* a - b, rounded to f32 if that is the format; the exponents of a format need less than 320 bits. */
static void subtract(const ref_format *format, mpfr_t out, mpfr_t a, mpfr_t b) {
  const int is_f32 = format->width == 32;
  mpfr_set_prec(out, is_f32 ? format->fraction + 1 : 320);
  const int ternary = mpfr_sub(out, a, b, MPFR_RNDN);
  if (!is_f32) return;
  const mpfr_exp_t saved_min = mpfr_get_emin();
  const mpfr_exp_t saved_max = mpfr_get_emax();
  mpfr_set_emin(2 - format->bias - format->fraction);
  mpfr_set_emax(format->bias + 1);
  mpfr_subnormalize(out, mpfr_check_range(out, ternary, MPFR_RNDN), MPFR_RNDN);
  mpfr_set_emin(saved_min);
  mpfr_set_emax(saved_max);
}

static int exp_of_difference(const ref_format *format, mpfr_t out, mpfr_t a, mpfr_t b) {
  mpfr_t difference;
  mpfr_init2(difference, 2);
  subtract(format, difference, a, b);
  const int ternary = mpfr_exp(out, difference, MPFR_RNDN);
  mpfr_clear(difference);
  return ternary;
}

/* fmod is exact; b is added to it for the other sign. */
static int remainder_of(mpfr_t out, mpfr_t a, mpfr_t b, int floored) {
  const int ternary = mpfr_fmod(out, a, b, MPFR_RNDN);
  if (!floored || mpfr_nan_p(out) || mpfr_zero_p(out)) return ternary;
  if (mpfr_signbit(out) == mpfr_signbit(b)) return ternary;
  return mpfr_add(out, out, b, MPFR_RNDN);
}

static int compute(const ref_format *format, ref_fn fn, mpfr_t out, mpfr_t a, mpfr_t b) {
  switch (fn) {
    case REF_ADD:
      return mpfr_add(out, a, b, MPFR_RNDN);
    case REF_MUL:
      return mpfr_mul(out, a, b, MPFR_RNDN);
    case REF_DIV:
      return mpfr_div(out, a, b, MPFR_RNDN);
    case REF_PRELU:
      /* Not for NaN: comparisons with it are false. */
      if (!mpfr_nan_p(a) && mpfr_sgn(a) > 0) return mpfr_set(out, a, MPFR_RNDN);
      return mpfr_mul(out, a, b, MPFR_RNDN);
    case REF_POW:
      return mpfr_pow(out, a, b, MPFR_RNDN);
    case REF_RSQRT:
      /* MPFR returns +inf for -0; IEEE 754-2008 rSqrt returns -inf. */
      if (mpfr_zero_p(a)) {
        mpfr_set_inf(out, mpfr_signbit(a) ? -1 : 1);
        return 0;
      }
      return mpfr_rec_sqrt(out, a, MPFR_RNDN);
    case REF_EXP:
      return mpfr_exp(out, a, MPFR_RNDN);
    case REF_LOG:
      return mpfr_log(out, a, MPFR_RNDN);
    case REF_EXPDIF:
      return exp_of_difference(format, out, a, b);
    case REF_REM:
    case REF_FMOD:
      return remainder_of(out, a, b, fn == REF_REM);
    case REF_SQRT:
      return mpfr_sqrt(out, a, MPFR_RNDN);
    case REF_RECIP:
      return mpfr_ui_div(out, 1, a, MPFR_RNDN);
    case REF_FN_COUNT:
      break;
  }
  mpfr_set_nan(out);
  return 0;
}

uint64_t ref_mpfr_apply(ref_fn fn, const ref_format *format, uint64_t a, uint64_t b) {
  const ref_number x = ref_decode(format, a);
  const ref_number y = ref_decode(format, b);
  if (fn == REF_POW) {
    uint64_t special;
    int negative;
    if (ref_pow_special(format, a, b, &special, &negative)) return special;
  }

  const mpfr_exp_t saved_min = mpfr_get_emin();
  const mpfr_exp_t saved_max = mpfr_get_emax();
  mpfr_t mx, my, result;
  mpfr_init2(mx, format->fraction + 1);
  mpfr_init2(my, format->fraction + 1);
  mpfr_init2(result, format->fraction + 1);
  set_number(mx, &x);
  set_number(my, &y);
  mpfr_set_emin(2 - format->bias - format->fraction);
  mpfr_set_emax(format->bias + 1);
  const int ternary = compute(format, fn, result, mx, my);
  mpfr_subnormalize(result, ternary, MPFR_RNDN);
  mpfr_set_emin(saved_min);
  mpfr_set_emax(saved_max);
  const uint64_t bits = encode(format, result);
  mpfr_clears(mx, my, result, (mpfr_ptr)0);
  return bits;
}

/* a * b + c, or the square root of a where b is NULL. */
static uint64_t round_once(pto_dtype dtype, uint64_t a, const uint64_t *b, const uint64_t *c) {
  const ref_format *format = ref_format_of(dtype);
  const mpfr_exp_t saved_min = mpfr_get_emin();
  const mpfr_exp_t saved_max = mpfr_get_emax();
  mpfr_t m[4];
  for (int i = 0; i < 4; ++i) mpfr_init2(m[i], format->fraction + 1);
  const uint64_t *const operands[3] = {&a, b, c};
  for (int i = 0; i < (b == NULL ? 1 : 3); ++i) {
    const ref_number x = ref_decode(format, *operands[i]);
    set_number(m[i], &x);
  }
  mpfr_set_emin(2 - format->bias - format->fraction);
  mpfr_set_emax(format->bias + 1);
  const int ternary = b == NULL ? mpfr_sqrt(m[3], m[0], MPFR_RNDN) : mpfr_fma(m[3], m[0], m[1], m[2], MPFR_RNDN);
  mpfr_subnormalize(m[3], ternary, MPFR_RNDN);
  mpfr_set_emin(saved_min);
  mpfr_set_emax(saved_max);
  const uint64_t bits = encode(format, m[3]);
  for (int i = 0; i < 4; ++i) mpfr_clear(m[i]);
  return bits;
}

uint64_t ref_mpfr_sqrt(pto_dtype dtype, uint64_t a) { return round_once(dtype, a, NULL, NULL); }
uint64_t ref_mpfr_fma(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c) { return round_once(dtype, a, &b, &c); }

/* |value - exact| in ulps of exact, both clamped to 2^(bias + 1); clobbers
 * them. */
static double ulps_between(const ref_format *format, mpfr_t value, mpfr_t exact) {
  mpfr_t limit;
  mpfr_init2(limit, 2);
  mpfr_set_ui_2exp(limit, 1, format->bias + 1, MPFR_RNDN);
  mpfr_abs(exact, exact, MPFR_RNDN);
  mpfr_abs(value, value, MPFR_RNDN);
  mpfr_min(exact, exact, limit, MPFR_RNDN);
  mpfr_min(value, value, limit, MPFR_RNDN);
  mpfr_clear(limit);
  long exponent = 1 - format->bias;
  if (!mpfr_zero_p(exact)) {
    const long own = (long)mpfr_get_exp(exact) - 1;
    if (own > exponent) exponent = own;
    if (own > format->bias) exponent = format->bias;
  }
  mpfr_sub(value, value, exact, MPFR_RNDN);
  mpfr_mul_2si(value, value, format->fraction - exponent, MPFR_RNDN);
  return fabs(mpfr_get_d(value, MPFR_RNDN));
}

double ref_ulp_error(pto_dtype dtype, uint64_t got, ref_fn fn, uint64_t a, uint64_t b) {
  const ref_format *format = ref_format_of(dtype);
  const uint64_t want = ref_apply(fn, dtype, a, b);
  const double if_exact = ref_matches(dtype, want, got) ? 0 : INFINITY;
  if (format == NULL) return if_exact;
  const ref_number wanted = ref_decode(format, want);
  const ref_number answer = ref_decode(format, got);
  if (wanted.kind == REF_NAN || answer.kind == REF_NAN) return if_exact;
  if (wanted.negative != answer.negative) return INFINITY;
  if (wanted.kind == REF_INF && answer.kind == REF_INF) return 0;

  const ref_number x = ref_decode(format, a);
  const ref_number y = ref_decode(format, b);
  uint64_t special;
  int negative;
  if (fn == REF_POW && ref_pow_special(format, a, b, &special, &negative)) {
    return if_exact;
  }
  double error = if_exact;
  mpfr_t mx, my, exact, value;
  mpfr_inits2(HIGH_PRECISION_BITS, mx, my, exact, value, (mpfr_ptr)0);
  set_number(mx, &x);
  set_number(my, &y);
  compute(format, fn, exact, mx, my);
  /* An infinity is a pole, but pow has dealt with its poles above: there, and of
     exponentials, it is MPFR's own overflow. */
  if (!mpfr_inf_p(exact) || fn == REF_POW || fn == REF_EXP || fn == REF_EXPDIF) {
    set_number(value, &answer);
    error = ulps_between(format, value, exact);
  }
  mpfr_clears(mx, my, exact, value, (mpfr_ptr)0);
  return error;
}
