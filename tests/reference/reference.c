/*
 * reference.c: formats, NaNs, decoding, the special values of pow and all
 * integer arithmetic. Rounding of floats is elsewhere.
 */
#include "reference.h"

#include <stddef.h>

static const ref_format k_f16 = {16, 10, 15};
static const ref_format k_bf16 = {16, 7, 127};
static const ref_format k_f32 = {32, 23, 127};

const char *ref_fn_name(ref_fn fn) {
  switch (fn) {
    case REF_ADD:
      return "add";
    case REF_MUL:
      return "mul";
    case REF_DIV:
      return "div";
    case REF_PRELU:
      return "prelu";
    case REF_POW:
      return "pow";
    case REF_RSQRT:
      return "rsqrt";
    case REF_EXP:
      return "exp";
    case REF_LOG:
      return "log";
    case REF_EXPDIF:
      return "expdif";
    case REF_REM:
      return "rem";
    case REF_FMOD:
      return "fmod";
    case REF_SQRT:
      return "sqrt";
    case REF_RECIP:
      return "recip";
    case REF_FN_COUNT:
      break;
  }
  return "?";
}

const ref_format *ref_format_of(pto_dtype dtype) {
  switch (dtype) {
    case PTO_DTYPE_F16:
      return &k_f16;
    case PTO_DTYPE_BF16:
      return &k_bf16;
    case PTO_DTYPE_F32:
      return &k_f32;
    default:
      return NULL;
  }
}

int ref_width(pto_dtype dtype) {
  switch (dtype) {
    case PTO_DTYPE_I8:
    case PTO_DTYPE_U8:
      return 8;
    case PTO_DTYPE_I16:
    case PTO_DTYPE_U16:
    case PTO_DTYPE_F16:
    case PTO_DTYPE_BF16:
      return 16;
    case PTO_DTYPE_I32:
    case PTO_DTYPE_U32:
    case PTO_DTYPE_F32:
      return 32;
    default:
      return 64;
  }
}

uint64_t ref_mask(pto_dtype dtype) { return UINT64_MAX >> (64 - ref_width(dtype)); }

static int is_signed(pto_dtype dtype) {
  return dtype == PTO_DTYPE_I8 || dtype == PTO_DTYPE_I16 || dtype == PTO_DTYPE_I32 || dtype == PTO_DTYPE_I64;
}

int64_t ref_int_value(pto_dtype dtype, uint64_t bits) {
  const uint64_t mask = ref_mask(dtype);
  bits &= mask;
  if (is_signed(dtype) && bits > (mask >> 1)) bits |= ~mask;
  return (int64_t)bits;
}

/* ---- floats ---- */

ref_number ref_decode(const ref_format *format, uint64_t bits) {
  const uint64_t top_exponent = (UINT64_C(1) << (format->width - 1 - format->fraction)) - 1;
  const uint64_t fraction_mask = (UINT64_C(1) << format->fraction) - 1;
  const uint64_t fraction = bits & fraction_mask;
  const uint64_t exponent = (bits >> format->fraction) & top_exponent;
  ref_number x;
  x.negative = (int)((bits >> (format->width - 1)) & 1);
  x.significand = fraction;
  x.exponent = 1 - format->bias - format->fraction;
  x.kind = fraction != 0 ? REF_FINITE : REF_ZERO;
  if (exponent == top_exponent) {
    x.kind = fraction != 0 ? REF_NAN : REF_INF;
  } else if (exponent != 0) {
    x.kind = REF_FINITE;
    x.significand |= fraction_mask + 1;
    x.exponent += (int)exponent - 1;
  }
  return x;
}

uint64_t ref_zero_bits(const ref_format *format, int negative) {
  return negative ? UINT64_C(1) << (format->width - 1) : 0;
}

uint64_t ref_inf_bits(const ref_format *format, int negative) {
  const uint64_t ones = (UINT64_C(1) << (format->width - 1)) - 1;
  const uint64_t fraction_mask = (UINT64_C(1) << format->fraction) - 1;
  return ref_zero_bits(format, negative) | (ones & ~fraction_mask);
}

uint64_t ref_nan_bits(const ref_format *format) {
  return ref_inf_bits(format, 0) | (UINT64_C(1) << (format->fraction - 1));
}

uint64_t ref_nan(pto_dtype dtype) {
  const ref_format *format = ref_format_of(dtype);
  return format != NULL ? ref_nan_bits(format) : 0;
}

int ref_is_nan(pto_dtype dtype, uint64_t bits) {
  const ref_format *format = ref_format_of(dtype);
  return format != NULL && ref_decode(format, bits).kind == REF_NAN;
}

int ref_matches(pto_dtype dtype, uint64_t want, uint64_t got) {
  const uint64_t mask = ref_mask(dtype);
  return (want & mask) == (got & mask);
}

/* Parity of a finite, nonzero number: 0 fraction, 1 odd integer, 2 even. */
static int parity_of(const ref_number *x) {
  uint64_t significand = x->significand;
  int exponent = x->exponent;
  while ((significand & 1) == 0) {
    significand >>= 1;
    ++exponent;
  }
  if (exponent < 0) return 0;
  return exponent == 0 ? 1 : 2;
}

/* Whether a finite, nonzero number is 2**0 in magnitude: -1, 0 or 1 as |x| < 1,
   |x| = 1, |x| > 1. Infinity is above 1. */
static int compare_to_one(const ref_number *x) {
  uint64_t significand = x->significand;
  int exponent = x->exponent;
  int bits = 0;
  if (x->kind == REF_INF) return 1;
  while ((significand & 1) == 0) {
    significand >>= 1;
    ++exponent;
  }
  if (significand == 1 && exponent == 0) return 0;
  while (significand >> bits != 0) ++bits;
  return exponent + bits > 0 ? 1 : -1;
}

int ref_pow_special(const ref_format *format, uint64_t a, uint64_t b, uint64_t *result, int *negative) {
  const ref_number x = ref_decode(format, a);
  const ref_number y = ref_decode(format, b);
  const uint64_t one = (uint64_t)format->bias << format->fraction;
  const uint64_t plus_zero = ref_zero_bits(format, 0);
  const uint64_t plus_inf = ref_inf_bits(format, 0);
  int odd = 0;
  *negative = 0;

  /* x ** 0 and 1 ** y are 1 even for NaN. */
  if (y.kind == REF_ZERO) return *result = one, 1;
  if (x.kind == REF_FINITE && !x.negative && compare_to_one(&x) == 0) {
    return *result = one, 1;
  }
  if (x.kind == REF_NAN || y.kind == REF_NAN) {
    return *result = ref_nan_bits(format), 1;
  }

  if (y.kind == REF_FINITE) odd = parity_of(&y) == 1;
  *negative = x.negative && odd;

  if (x.kind == REF_ZERO) {
    *result = y.negative ? ref_inf_bits(format, *negative) : ref_zero_bits(format, *negative);
    return 1;
  }
  if (y.kind == REF_INF) {
    const int order = compare_to_one(&x);
    if (order == 0) return *result = one, 1; /* (-1) ** inf */
    *result = (order > 0) != y.negative ? plus_inf : plus_zero;
    return 1;
  }
  if (x.kind == REF_INF) {
    *result = y.negative ? ref_zero_bits(format, *negative) : ref_inf_bits(format, *negative);
    return 1;
  }
  if (x.negative && parity_of(&y) == 0) {
    return *result = ref_nan_bits(format), 1;
  }
  return 0;
}

/* ---- integers ---- */

/*
 * Left to right over the exponent's bits (square, then multiply by the base):
 * the invariant is power = base ** (bits read so far), and reduction modulo
 * 2^64 keeps the low W bits right because W <= 64.
 */
static uint64_t power_modulo(uint64_t base, uint64_t exponent, int width) {
  uint64_t power = 1;
  for (int bit = width - 1; bit >= 0; --bit) {
    power *= power;
    if ((exponent >> bit) & 1) power *= base;
  }
  return power;
}

uint64_t ref_int_pow(pto_dtype dtype, uint64_t base, uint64_t exponent) {
  const uint64_t mask = ref_mask(dtype);
  base &= mask;
  exponent &= mask;
  if (is_signed(dtype) && ref_int_value(dtype, exponent) < 0) {
    if (base == 1) return 1;
    if (base == mask) return (exponent & 1) ? mask : 1; /* base is -1 */
    return 0;
  }
  return power_modulo(base, exponent, ref_width(dtype)) & mask;
}

static uint64_t int_div(pto_dtype dtype, uint64_t a, uint64_t b) {
  const uint64_t mask = ref_mask(dtype);
  if ((b & mask) == 0) return 0;
  if (!is_signed(dtype)) return (a & mask) / (b & mask);
  const int64_t x = ref_int_value(dtype, a);
  const int64_t y = ref_int_value(dtype, b);
  /* C forbids INT64_MIN / -1; for every width the wrapped negation is right. */
  if (y == -1) return (0 - (uint64_t)x) & mask;
  return (uint64_t)(x / y) & mask;
}

static uint64_t int_rem(pto_dtype dtype, uint64_t a, uint64_t b, int floored) {
  const uint64_t mask = ref_mask(dtype);
  /* Of the largest quotient the product wraps back to a. */
  const uint64_t r = (a - int_div(dtype, a, b) * b) & mask;
  if ((b & mask) == 0) return 0;
  const uint64_t sign = is_signed(dtype) ? mask / 2 + 1 : 0;
  return floored && r != 0 && ((r ^ b) & sign) != 0 ? (r + b) & mask : r;
}

static int int_is_positive(pto_dtype dtype, uint64_t a) {
  if (is_signed(dtype)) return ref_int_value(dtype, a) > 0;
  return (a & ref_mask(dtype)) != 0;
}

uint64_t ref_apply(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b) {
  const ref_format *format = ref_format_of(dtype);
  const uint64_t mask = ref_mask(dtype);
  if (format != NULL) return ref_mpfr_apply(fn, format, a & mask, b & mask);
  switch (fn) {
    case REF_ADD:
      return (a + b) & mask;
    case REF_MUL:
      return (a * b) & mask;
    case REF_DIV:
      return int_div(dtype, a, b);
    case REF_PRELU:
      return int_is_positive(dtype, a) ? a & mask : (a * b) & mask;
    case REF_POW:
      return ref_int_pow(dtype, a, b);
    case REF_REM:
    case REF_FMOD:
      return int_rem(dtype, a, b, fn == REF_REM);
    default:
      return 0;
  }
}
