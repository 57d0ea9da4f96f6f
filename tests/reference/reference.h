/*
 * reference.h: what each element of a result must be, computed slowly.
 *
 * The functions work on the raw bits of one element, in the low bits of a
 * uint64_t; the bits above the type's width are ignored in operands and zero in
 * results. Nothing here is shared with the kernels under test, and floats are
 * computed twice: with MPFR (ref_apply) and, except for pow, exp and log, with
 * 128-bit integers (ref_exact_apply). The definitions of the
 * results are on the instructions' pages, docs/ops/.
 */
#ifndef PTO_TESTS_REFERENCE_REFERENCE_H_
#define PTO_TESTS_REFERENCE_REFERENCE_H_

#include <stdint.h>

#include "pto_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arithmetic of one element. */
typedef enum ref_fn {
  REF_ADD = 0,    /* a + b */
  REF_MUL = 1,    /* a * b */
  REF_DIV = 2,    /* a / b; integers truncate, x / 0 = 0 */
  REF_PRELU = 3,  /* a > 0 ? a : a * b */
  REF_POW = 4,    /* a ** b */
  REF_RSQRT = 5,  /* 1 / sqrt(a); floats only, b is ignored */
  REF_EXP = 6,    /* e ** a; floats only, as the next two */
  REF_LOG = 7,    /* the natural logarithm of a */
  REF_EXPDIF = 8, /* e ** (a - b); of f32 the difference is rounded */
  REF_REM = 9,    /* a modulo b with the sign of b; x rem 0 = 0 of integers */
  REF_FMOD = 10,  /* a modulo b with the sign of a */
  REF_SQRT = 11,  /* the square root of a; floats only, as the next */
  REF_RECIP = 12, /* 1 / a */
  REF_FN_COUNT = 13
} ref_fn;

/* A binary floating-point format of `width` bits. */
typedef struct ref_format {
  int width;
  int fraction; /* stored bits of the significand; the precision is one more */
  int bias;     /* of the exponent; the largest exponent too */
} ref_format;

const char *ref_fn_name(ref_fn fn);

/* The format of a floating-point type, NULL for integers. */
const ref_format *ref_format_of(pto_dtype dtype);

int ref_width(pto_dtype dtype);
uint64_t ref_mask(pto_dtype dtype);

/* The value of an integer element; u64 values above INT64_MAX come out
 * negative. */
int64_t ref_int_value(pto_dtype dtype, uint64_t bits);

/* The canonical NaN: 0x7fc00000, 0x7e00, 0x7fc0. Every NaN that is computed is this one. */
uint64_t ref_nan(pto_dtype dtype);
int ref_is_nan(pto_dtype dtype, uint64_t bits);

/* 1 if `got` is what `want` asks for: equal bits in the width of the type, of a NaN too. */
int ref_matches(pto_dtype dtype, uint64_t want, uint64_t got);

/*
 * The right result. Floats are correctly rounded to nearest, ties to even; NaN
 * results are ref_nan(). A function without a meaning for the type (rsqrt of an
 * integer) returns 0.
 */
uint64_t ref_apply(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b);

/* Integer b ** e by the definition, for ref_apply() and its tests. */
uint64_t ref_int_pow(pto_dtype dtype, uint64_t base, uint64_t exponent);

/* The same as ref_apply() for float types, by MPFR. */
uint64_t ref_mpfr_apply(ref_fn fn, const ref_format *format, uint64_t a, uint64_t b);

/*
 * The same for float types by integer arithmetic, without MPFR. Returns 0, and
 * leaves *result alone, for pow, exp and log and for integer types.
 */
int ref_exact_apply(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b, uint64_t *result);

/* The square root of a float, and a * b + c rounded once, by integer arithmetic. */
uint64_t ref_exact_sqrt(pto_dtype dtype, uint64_t a);
uint64_t ref_exact_fma(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c);
/* The same of f32 where subnormal operands, and results below 2^-126 after rounding with an unbounded exponent, are
 * zeros of their sign. */
uint64_t ref_exact_fma_flushed(uint64_t a, uint64_t b, uint64_t c);
/* A float and an integer of at most 48 bits, added and rounded once; -0 + 0 is 0. */
uint64_t ref_exact_count(pto_dtype dtype, uint64_t a, int64_t k);
/* The first two by MPFR. */
uint64_t ref_mpfr_sqrt(pto_dtype dtype, uint64_t a);
uint64_t ref_mpfr_fma(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c);

/*
 * |got - exact| in units of the last place of the exact result (of the smallest
 * normal binade for tiny results). Results past the overflow threshold count as
 * the power of two that follows the largest finite value. A wrong NaN, infinity
 * or zero sign returns infinity.
 */
double ref_ulp_error(pto_dtype dtype, uint64_t got, ref_fn fn, uint64_t a, uint64_t b);

/* One float format to another, rounded to nearest, ties to even. */
uint64_t ref_convert(pto_dtype to, pto_dtype from, uint64_t bits);

/* ---- for the implementations and their tests ---- */

typedef enum ref_class { REF_ZERO = 0, REF_FINITE = 1, REF_INF = 2, REF_NAN = 3 } ref_class;

/* A decoded float: when finite, (-1)^negative * significand * 2^exponent. */
typedef struct ref_number {
  ref_class kind;
  int negative;
  uint64_t significand;
  int exponent;
} ref_number;

ref_number ref_decode(const ref_format *format, uint64_t bits);
uint64_t ref_zero_bits(const ref_format *format, int negative);
uint64_t ref_inf_bits(const ref_format *format, int negative);
uint64_t ref_nan_bits(const ref_format *format);

/*
 * The cases of pow that a table decides (C99 F.9.4.4), a negative base with a
 * fractional exponent included. Returns 1 and sets *result, or 0: then both are
 * finite, a is neither 0 nor 1, b is not 0, and *negative is the result's sign.
 */
int ref_pow_special(const ref_format *format, uint64_t a, uint64_t b, uint64_t *result, int *negative);

#ifdef __cplusplus
}
#endif

#endif /* PTO_TESTS_REFERENCE_REFERENCE_H_ */
