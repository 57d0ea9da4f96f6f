/*
 * test_reference.c: the reference against tables written by hand, against the
 * machine's own float arithmetic and GMP, and its two halves against each
 * other.
 */
#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* cmocka needs the four headers above. */
#include <cmocka.h>

#include "reference.h"

static const pto_dtype k_floats[] = {PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_F32};
static const pto_dtype k_integers[] = {PTO_DTYPE_I8,  PTO_DTYPE_U8,  PTO_DTYPE_I16, PTO_DTYPE_U16,
                                       PTO_DTYPE_I32, PTO_DTYPE_U32, PTO_DTYPE_I64, PTO_DTYPE_U64};

static uint64_t splitmix64(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float bits_float(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

static void check(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b, uint64_t want) {
  const uint64_t got = ref_apply(fn, dtype, a, b);
  uint64_t exact = want;
  ref_exact_apply(fn, dtype, a, b, &exact);
  if (got != want || exact != want) {
    fail_msg("%s dtype %d of %#llx, %#llx: mpfr %#llx, exact %#llx, not %#llx", ref_fn_name(fn), (int)dtype,
             (unsigned long long)a, (unsigned long long)b, (unsigned long long)got, (unsigned long long)exact,
             (unsigned long long)want);
  }
}

/* ---- pow: C99 F.9.4.4 ---- */

/* A row holds for every base and every exponent of its lists. */
typedef struct pow_row {
  const char *rule;
  float bases[8];
  float exponents[8];
  float want;
} pow_row;

/* Lists end at END, which is not an operand. All values exist in every format. */
#define END 12345.0f
#define ANY -INFINITY, -2.0f, -0.5f, -0.0f, 0.0f, 0.5f, INFINITY, NAN

static const pow_row k_pow_rows[] = {
    {"x**+-0 is 1, NaN too", {ANY}, {0.0f, -0.0f, END}, 1},
    {"1**y is 1, NaN too", {1, END}, {ANY}, 1},
    {"NaN base", {NAN, END}, {-INFINITY, -1, -.5f, 1, 2, INFINITY, NAN, END}, NAN},
    {"NaN exponent", {-INFINITY, -1, -0.0f, 0, .5f, 2, INFINITY, END}, {NAN, END}, NAN},
    {"+0**odd negative", {0.0f, END}, {-1, -3, -7, END}, INFINITY},
    {"-0**odd negative", {-0.0f, END}, {-1, -3, -7, END}, -INFINITY},
    {"+-0**other negative", {0.0f, -0.0f, END}, {-2, -4, -.5f, -2.5f, -65504 + 480, END}, INFINITY},
    {"+-0**-inf", {0.0f, -0.0f, END}, {-INFINITY, END}, INFINITY},
    {"+0**odd positive", {0.0f, END}, {1, 3, 7, END}, 0.0f},
    {"-0**odd positive", {-0.0f, END}, {1, 3, 7, END}, -0.0f},
    {"+-0**other positive", {0.0f, -0.0f, END}, {2, 4, .5f, 2.5f, INFINITY, END}, 0.0f},
    {"-1**+-inf", {-1, END}, {INFINITY, -INFINITY, END}, 1},
    {"negative**fraction", {-1, -2, -.5f, -100, END}, {.5f, -.5f, 1.5f, -2.5f, END}, NAN},
    {"small**-inf", {.5f, -.5f, .25f, 0.0f, -0.0f, .984375f, END}, {-INFINITY, END}, INFINITY},
    {"big**-inf", {2, -2, 1.015625f, INFINITY, -INFINITY, END}, {-INFINITY, END}, 0.0f},
    {"small**+inf", {.5f, -.5f, .25f, 0.0f, -0.0f, .984375f, END}, {INFINITY, END}, 0.0f},
    {"big**+inf", {2, -2, 1.015625f, INFINITY, -INFINITY, END}, {INFINITY, END}, INFINITY},
    {"-inf**odd negative", {-INFINITY, END}, {-1, -3, -7, END}, -0.0f},
    {"-inf**other negative", {-INFINITY, END}, {-2, -4, -.5f, -2.5f, END}, 0.0f},
    {"-inf**odd positive", {-INFINITY, END}, {1, 3, 7, END}, -INFINITY},
    {"-inf**other positive", {-INFINITY, END}, {2, 4, .5f, 2.5f, END}, INFINITY},
    {"+inf**negative", {INFINITY, END}, {-1, -2, -.5f, END}, 0.0f},
    {"+inf**positive", {INFINITY, END}, {1, 2, .5f, END}, INFINITY},
    {"(-1)**odd", {-1, END}, {1, -1, 3, 101, -101, END}, -1},
    {"(-1)**even", {-1, END}, {2, -2, 100, 1024, -32768, END}, 1},
    {"-2 cubed", {-2, END}, {3, END}, -8},
    {"-2 to -3", {-2, END}, {-3, END}, -0.125f},
    {"-2 to the 4th", {-2, END}, {4, END}, 16},
    {"root", {9, END}, {0.5f, END}, 3},
    {"too big", {-32768, 32768, END}, {512, 4096, 32768, END}, INFINITY},
    {"too big and odd", {-32768, END}, {101, 127, 171, END}, -INFINITY},
    {"too small", {-32768, 32768, END}, {-512, -4096, END}, 0.0f},
    {"too small and odd", {-32768, END}, {-101, -127, END}, -0.0f},
};

static void test_pow_table(void **state) {
  (void)state;
  for (size_t f = 0; f < 3; ++f) {
    const pto_dtype dtype = k_floats[f];
    for (size_t r = 0; r < sizeof k_pow_rows / sizeof *k_pow_rows; ++r) {
      const pow_row *row = &k_pow_rows[r];
      for (int i = 0; i < 8 && row->bases[i] != END; ++i) {
        for (int j = 0; j < 8 && row->exponents[j] != END; ++j) {
          check(REF_POW, dtype, ref_convert(dtype, PTO_DTYPE_F32, float_bits(row->bases[i])),
                ref_convert(dtype, PTO_DTYPE_F32, float_bits(row->exponents[j])),
                ref_convert(dtype, PTO_DTYPE_F32, float_bits(row->want)));
        }
      }
    }
  }
}

typedef struct bit_row {
  ref_fn fn;
  pto_dtype dtype;
  uint64_t a, b, want;
} bit_row;

static const bit_row k_bit_rows[] = {
    /* pow, signalling NaN and the largest values */
    {REF_POW, PTO_DTYPE_F32, 0x7f800001, 0, 0x3f800000},
    {REF_POW, PTO_DTYPE_F32, 0x3f800000, 0x7f800001, 0x3f800000},
    {REF_POW, PTO_DTYPE_F32, 0x7f800001, 0x3f800000, 0x7fc00000},
    {REF_POW, PTO_DTYPE_F32, 0x7f7fffff, 0x3f800000, 0x7f7fffff},
    {REF_POW, PTO_DTYPE_F32, 0xff7fffff, 0xbf800000, 0x80200000},
    {REF_POW, PTO_DTYPE_F32, 0x00000001, 0xbf800000, 0x7f800000},
    {REF_POW, PTO_DTYPE_F32, 0x00000001, 0x3f000000, 0x1a3504f3},
    {REF_POW, PTO_DTYPE_F32, 0x40000000, 0xc3150000, 0x00000001}, /* 2**-149 */
    {REF_POW, PTO_DTYPE_F32, 0x40000000, 0xc3160000, 0x00000000}, /* 2**-150, tie */
    {REF_POW, PTO_DTYPE_F32, 0x40000000, 0x43000000, 0x7f800000}, /* 2**128 */
    {REF_POW, PTO_DTYPE_F32, 0xbf800000, 0x4b7fffff, 0xbf800000}, /* -1, odd */
    {REF_POW, PTO_DTYPE_F32, 0xbf800000, 0x4b800000, 0x3f800000}, /* -1, 2^24 */
    {REF_POW, PTO_DTYPE_F32, 0x3f800001, 0x4b800000, 0x40ec7324}, /* e*e less 2 ulp */
    {REF_POW, PTO_DTYPE_F16, 0x4000, 0xce40, 0x0000},             /* 2**-25, tie */
    {REF_POW, PTO_DTYPE_F16, 0x4000, 0xce00, 0x0001},             /* 2**-24 */
    {REF_POW, PTO_DTYPE_F16, 0x4000, 0x4c00, 0x7c00},             /* 2**16 */
    {REF_POW, PTO_DTYPE_BF16, 0x4000, 0x4300, 0x7f80},
    {REF_POW, PTO_DTYPE_BF16, 0x4000, 0xc305, 0x0001}, /* 2**-133 */
    {REF_POW, PTO_DTYPE_BF16, 0x4000, 0xc306, 0x0000},
    /* rsqrt */
    {REF_RSQRT, PTO_DTYPE_F32, 0x00000000, 0, 0x7f800000},
    {REF_RSQRT, PTO_DTYPE_F32, 0x80000000, 0, 0xff800000},
    {REF_RSQRT, PTO_DTYPE_F32, 0x7f800000, 0, 0x00000000},
    {REF_RSQRT, PTO_DTYPE_F32, 0xff800000, 0, 0x7fc00000},
    {REF_RSQRT, PTO_DTYPE_F32, 0x80000001, 0, 0x7fc00000},
    {REF_RSQRT, PTO_DTYPE_F32, 0xbf800000, 0, 0x7fc00000},
    {REF_RSQRT, PTO_DTYPE_F32, 0x7f800001, 0, 0x7fc00000},
    {REF_RSQRT, PTO_DTYPE_F32, 0x40800000, 0, 0x3f000000},
    {REF_RSQRT, PTO_DTYPE_F32, 0x40000000, 0, 0x3f3504f3},
    {REF_RSQRT, PTO_DTYPE_F32, 0x00000001, 0, 0x64b504f3},
    {REF_RSQRT, PTO_DTYPE_F32, 0x3f7fffff, 0, 0x3f800000}, /* just above 1 */
    {REF_RSQRT, PTO_DTYPE_F32, 0x3f800001, 0, 0x3f7fffff}, /* exactly below tie */
    {REF_RSQRT, PTO_DTYPE_F16, 0x0001, 0, 0x6c00},         /* (2^-24)^-1/2 = 2^12 */
    {REF_RSQRT, PTO_DTYPE_F16, 0x7bff, 0, 0x1c00},         /* 2^-8 and a quarter ulp */
    {REF_RSQRT, PTO_DTYPE_BF16, 0x8000, 0, 0xff80},
    {REF_RSQRT, PTO_DTYPE_BF16, 0x4000, 0, 0x3f35},
    /* sums */
    {REF_EXP, PTO_DTYPE_F32, 0x80000000, 0, 0x3f800000},
    {REF_EXP, PTO_DTYPE_F32, 0xff800000, 0, 0x00000000},
    {REF_EXP, PTO_DTYPE_F32, 0x7f800000, 0, 0x7f800000},
    {REF_EXP, PTO_DTYPE_F32, 0x7f800001, 0, 0x7fc00000},
    {REF_EXP, PTO_DTYPE_F32, 0x3f800000, 0, 0x402df854}, /* e */
    {REF_EXP, PTO_DTYPE_F32, 0x42b17217, 0, 0x7f7fff84}, /* 88.72283 */
    {REF_EXP, PTO_DTYPE_F32, 0x42b17218, 0, 0x7f800000}, /* 88.72284 */
    {REF_EXP, PTO_DTYPE_F32, 0xc2cff1b4, 0, 0x00000001}, /* -103.97208 */
    {REF_EXP, PTO_DTYPE_F32, 0xc2cff1b5, 0, 0x00000000}, /* -103.97208 and an ulp: below 2^-150 */
    {REF_EXP, PTO_DTYPE_F16, 0xcc56, 0, 0x0000},         /* -17.34: below 2^-25 */
    {REF_EXP, PTO_DTYPE_F16, 0xcc55, 0, 0x0001},         /* -17.33 */
    {REF_LOG, PTO_DTYPE_F32, 0x80000000, 0, 0xff800000},
    {REF_LOG, PTO_DTYPE_F32, 0x00000000, 0, 0xff800000},
    {REF_LOG, PTO_DTYPE_F32, 0xbf800000, 0, 0x7fc00000},
    {REF_LOG, PTO_DTYPE_F32, 0x3f800000, 0, 0x00000000},
    {REF_LOG, PTO_DTYPE_F32, 0x40000000, 0, 0x3f317218}, /* ln 2 */
    {REF_LOG, PTO_DTYPE_F32, 0x00000001, 0, 0xc2ce8ed0}, /* -149 ln 2 */
    {REF_LOG, PTO_DTYPE_F32, 0x7f800000, 0, 0x7f800000},
    {REF_EXPDIF, PTO_DTYPE_F32, 0x3f800000, 0x3f800000, 0x3f800000},
    {REF_EXPDIF, PTO_DTYPE_F32, 0x7f800000, 0x7f800000, 0x7fc00000},
    {REF_EXPDIF, PTO_DTYPE_F32, 0x4b800000, 0x3f000000, 0x7f800000},
    {REF_EXPDIF, PTO_DTYPE_F16, 0x3c00, 0x0001, 0x4170}, /* e, less a hair */
    {REF_EXPDIF, PTO_DTYPE_BF16, 0xff80, 0x3f80, 0x0000},
    {REF_FMOD, PTO_DTYPE_F32, 0xc0e00000, 0x40400000, 0xbf800000}, /* -7, 3: -1 */
    {REF_REM, PTO_DTYPE_F32, 0xc0e00000, 0x40400000, 0x40000000},  /* 2 */
    {REF_REM, PTO_DTYPE_F32, 0x40e00000, 0xc0400000, 0xc0000000},  /* 7, -3: -2 */
    {REF_REM, PTO_DTYPE_F32, 0xc0c00000, 0x40400000, 0x80000000},  /* -6, 3: -0 */
    {REF_REM, PTO_DTYPE_F32, 0xbf800000, 0x7f800000, 0x7f800000},  /* -1, inf: -1 + inf */
    {REF_FMOD, PTO_DTYPE_F32, 0xbf800000, 0x7f800000, 0xbf800000},
    {REF_REM, PTO_DTYPE_F32, 0x3f800000, 0x7f800000, 0x3f800000},
    {REF_REM, PTO_DTYPE_F32, 0x3f800000, 0x00000000, 0x7fc00000},
    {REF_FMOD, PTO_DTYPE_F32, 0x7f7fffff, 0x0000000b, 0x0000000a},
    {REF_REM, PTO_DTYPE_F32, 0x80000001, 0x3f800000, 0x3f800000}, /* 1 less 2^-149 */

    {REF_ADD, PTO_DTYPE_F32, 0x80000000, 0x00000000, 0x00000000},
    {REF_ADD, PTO_DTYPE_F32, 0x80000000, 0x80000000, 0x80000000},
    {REF_ADD, PTO_DTYPE_F32, 0x3f800000, 0xbf800000, 0x00000000},
    {REF_ADD, PTO_DTYPE_F32, 0x7f800000, 0xff800000, 0x7fc00000},
    {REF_ADD, PTO_DTYPE_F32, 0x7f7fffff, 0x73000000, 0x7f800000}, /* half ulp */
    {REF_ADD, PTO_DTYPE_F32, 0x7f7fffff, 0x72ffffff, 0x7f7fffff},
    {REF_ADD, PTO_DTYPE_F32, 0x3f800000, 0x33800000, 0x3f800000}, /* tie, even */
    {REF_ADD, PTO_DTYPE_F32, 0x3f800001, 0x33800000, 0x3f800002}, /* tie, odd */
    {REF_ADD, PTO_DTYPE_F32, 0x3f800000, 0x33800001, 0x3f800001},
    {REF_ADD, PTO_DTYPE_F32, 0x7f000000, 0x80000001, 0x7f000000}, /* far */
    {REF_ADD, PTO_DTYPE_F32, 0x00000001, 0x007fffff, 0x00800000},
    {REF_ADD, PTO_DTYPE_F16, 0x7bff, 0x4c00, 0x7c00}, /* 65504 + 16 */
    {REF_ADD, PTO_DTYPE_F16, 0x7bff, 0x4bff, 0x7bff},
    {REF_ADD, PTO_DTYPE_BF16, 0x3f80, 0x3b80, 0x3f80},
    {REF_ADD, PTO_DTYPE_BF16, 0x3f81, 0x3b80, 0x3f82},
    /* products */
    {REF_MUL, PTO_DTYPE_F32, 0x00000000, 0x7f800000, 0x7fc00000},
    {REF_MUL, PTO_DTYPE_F32, 0x80000000, 0x40000000, 0x80000000},
    {REF_MUL, PTO_DTYPE_F32, 0x00000001, 0x3f000000, 0x00000000}, /* tie to 0 */
    {REF_MUL, PTO_DTYPE_F32, 0x00000003, 0x3f000000, 0x00000002}, /* tie to 2 */
    {REF_MUL, PTO_DTYPE_F32, 0x80000001, 0x3f000001, 0x80000001},
    {REF_MUL, PTO_DTYPE_F32, 0x7f7fffff, 0x3f800001, 0x7f800000},
    {REF_MUL, PTO_DTYPE_F16, 0x0001, 0x3800, 0x0000},
    {REF_MUL, PTO_DTYPE_F16, 0x0001, 0x3801, 0x0001},
    /* quotients */
    {REF_DIV, PTO_DTYPE_F32, 0x00000000, 0x00000000, 0x7fc00000},
    {REF_DIV, PTO_DTYPE_F32, 0x7f800000, 0xff800000, 0x7fc00000},
    {REF_DIV, PTO_DTYPE_F32, 0xbf800000, 0x00000000, 0xff800000},
    {REF_DIV, PTO_DTYPE_F32, 0x3f800000, 0x80000000, 0xff800000},
    {REF_DIV, PTO_DTYPE_F32, 0x3f800000, 0xff800000, 0x80000000},
    {REF_DIV, PTO_DTYPE_F32, 0x3f800000, 0x40400000, 0x3eaaaaab},
    {REF_DIV, PTO_DTYPE_F32, 0x00000001, 0x40000000, 0x00000000},
    {REF_DIV, PTO_DTYPE_F32, 0x00000003, 0x40000000, 0x00000002},
    {REF_DIV, PTO_DTYPE_F32, 0x7f7fffff, 0x00000001, 0x7f800000},
    {REF_DIV, PTO_DTYPE_F16, 0x3c00, 0x4200, 0x3555},
    {REF_DIV, PTO_DTYPE_F16, 0x0001, 0x4000, 0x0000},
    /* prelu */
    {REF_PRELU, PTO_DTYPE_F32, 0x80000000, 0x40000000, 0x80000000},
    {REF_PRELU, PTO_DTYPE_F32, 0x00000000, 0xc0000000, 0x80000000},
    {REF_PRELU, PTO_DTYPE_F32, 0x00000000, 0x7fc00000, 0x7fc00000},
    {REF_PRELU, PTO_DTYPE_F32, 0x7f800000, 0x7fc00000, 0x7f800000},
    {REF_PRELU, PTO_DTYPE_F32, 0x00000001, 0x7fc00000, 0x00000001},
    {REF_PRELU, PTO_DTYPE_F32, 0x7fc00000, 0x3f800000, 0x7fc00000},
    {REF_PRELU, PTO_DTYPE_F32, 0xff800000, 0x00000000, 0x7fc00000},
    {REF_PRELU, PTO_DTYPE_F32, 0xbf800000, 0x3e800000, 0xbe800000},
    {REF_PRELU, PTO_DTYPE_I8, 0x80, 0xff, 0x80},
    {REF_PRELU, PTO_DTYPE_I8, 0x7f, 0x02, 0x7f},
    {REF_PRELU, PTO_DTYPE_U8, 0xff, 0x02, 0xff},
    {REF_PRELU, PTO_DTYPE_U16, 0, 7, 0},
    /* integers */
    {REF_ADD, PTO_DTYPE_I8, 0x7f, 0x01, 0x80},
    {REF_ADD, PTO_DTYPE_U32, 0xffffffff, 2, 1},
    {REF_MUL, PTO_DTYPE_I16, 0x8000, 0xffff, 0x8000},
    {REF_DIV, PTO_DTYPE_I8, 0x80, 0xff, 0x80}, /* MIN / -1 = MIN */
    {REF_DIV, PTO_DTYPE_I32, 0x80000000, 0xffffffff, 0x80000000},
    {REF_DIV, PTO_DTYPE_I64, UINT64_C(0x8000000000000000), UINT64_MAX, UINT64_C(0x8000000000000000)},
    {REF_DIV, PTO_DTYPE_I8, 0xf9, 0x02, 0xfd}, /* -7 / 2 = -3 */
    {REF_DIV, PTO_DTYPE_I16, 5, 0, 0},
    {REF_DIV, PTO_DTYPE_U8, 0xff, 0x02, 0x7f},
    {REF_DIV, PTO_DTYPE_U32, 0xffffffff, 0xffffffff, 1},
    {REF_POW, PTO_DTYPE_I8, 0, 0, 1},
    {REF_POW, PTO_DTYPE_I8, 0, 0xff, 0}, /* 0 ** -1 */
    {REF_POW, PTO_DTYPE_I8, 1, 0x80, 1},
    {REF_POW, PTO_DTYPE_I8, 0xff, 0x80, 1},
    {REF_POW, PTO_DTYPE_I8, 0xff, 0xff, 0xff},
    {REF_POW, PTO_DTYPE_I8, 2, 0xff, 0},
    {REF_POW, PTO_DTYPE_I8, 2, 7, 0x80},
    {REF_POW, PTO_DTYPE_I8, 0xfe, 7, 0x80},
    {REF_POW, PTO_DTYPE_U8, 2, 0xff, 0},
    {REF_POW, PTO_DTYPE_U8, 3, 0xff, 0xab}, /* 3 * 0xab = 513 = 1 mod 256 */
    {REF_POW, PTO_DTYPE_U8, 0xff, 0xff, 0xff},
    {REF_POW, PTO_DTYPE_U32, 0xffffffff, 0xffffffff, 0xffffffff},
    {REF_POW, PTO_DTYPE_U32, 2, 31, 0x80000000},
    {REF_POW, PTO_DTYPE_I32, 0xfffffffd, 3, 0xffffffe5},
};

static void test_hand_table(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof k_bit_rows / sizeof *k_bit_rows; ++i) {
    const bit_row *row = &k_bit_rows[i];
    check(row->fn, row->dtype, row->a, row->b, row->want);
  }
}

/* ---- the two implementations, the machine ---- */

/* Operand bits that lie near every border of a format. */
static size_t border_values(pto_dtype dtype, uint64_t *out) {
  const ref_format *format = ref_format_of(dtype);
  const uint64_t inf = ref_inf_bits(format, 0);
  const uint64_t one = (uint64_t)format->bias << format->fraction;
  const uint64_t step = UINT64_C(1) << format->fraction;
  const uint64_t centers[] = {2,
                              step,
                              one,
                              one + step,
                              one - step,
                              inf,
                              inf - step,
                              step >> 1,
                              one + (step / 2),
                              one + 3 * step,
                              step * 9,
                              inf - 8 * step,
                              one + step * (uint64_t)format->fraction,
                              one - step * (uint64_t)format->fraction,
                              step * 2,
                              inf | (step / 2)};
  size_t n = 0;
  for (size_t i = 0; i < sizeof centers / sizeof *centers; ++i) {
    for (uint64_t d = 0; d < 5; ++d) {
      const uint64_t bits = centers[i] + d - 2;
      out[n++] = bits;
      out[n++] = bits | ref_zero_bits(format, 1);
    }
  }
  return n;
}

/* Bits of the result of the machine or libm; they may choose the NaN. */
static uint64_t said(float z) { return isnan(z) ? ref_nan(PTO_DTYPE_F32) : float_bits(z); }

static void cross_check(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b) {
  uint64_t exact = 0;
  assert_true(ref_exact_apply(fn, dtype, a, b, &exact));
  check(fn, dtype, a, b, exact);
  if (dtype != PTO_DTYPE_F32 || fn == REF_RSQRT) return;
  /* The machine's own arithmetic as a third witness. */
  const float x = bits_float(a), y = bits_float(b);
  volatile float z = x > 0 ? x : x * y;
  if (fn == REF_ADD) z = x + y;
  if (fn == REF_MUL) z = x * y;
  if (fn == REF_DIV) z = x / y;
  if (fn == REF_FMOD || fn == REF_REM) z = fmodf(x, y);
  if (fn == REF_REM && z != 0 && signbit(z) != signbit(y)) z += y;
  if (!ref_matches(dtype, exact, said(z))) {
    fail_msg("%s of %a, %a: %a, the machine has %a", ref_fn_name(fn), (double)x, (double)y, (double)bits_float(exact),
             (double)z);
  }
}

static void test_two_implementations(void **state) {
  (void)state;
  static const ref_fn fns[] = {REF_ADD, REF_MUL, REF_DIV, REF_PRELU, REF_REM, REF_FMOD};
  uint64_t seed = 20250101;
  uint64_t border[256];
  for (size_t f = 0; f < 3; ++f) {
    const pto_dtype dtype = k_floats[f];
    const uint64_t mask = ref_mask(dtype);
    const size_t n = border_values(dtype, border);
    for (size_t k = 0; k < sizeof fns / sizeof *fns; ++k) {
      for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
          cross_check(fns[k], dtype, border[i], border[j]);
        }
      }
      for (int i = 0; i < 50000; ++i) {
        const uint64_t a = splitmix64(&seed) & mask;
        uint64_t b = splitmix64(&seed) & mask;
        /* Every second pair is close in magnitude, for ties and cancellation.
         */
        if (i & 1) b = (a ^ (b & 0x80ff)) & mask;
        cross_check(fns[k], dtype, a, b);
      }
    }
    const uint64_t rsqrt_count = mask < 65536 ? mask + 1 : 200000;
    for (uint64_t i = 0; i < rsqrt_count; ++i) {
      cross_check(REF_RSQRT, dtype, mask < 65536 ? i : splitmix64(&seed) & mask, 0);
    }
    for (size_t i = 0; i < n; ++i) cross_check(REF_RSQRT, dtype, border[i], 0);
  }
}

/* MPFR's own special values of pow, as a witness for our table. */
static void check_fma(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t exact = ref_exact_fma(dtype, a, b, c);
  if (exact != ref_mpfr_fma(dtype, a, b, c) ||
      (dtype == PTO_DTYPE_F32 && exact != said(fmaf(bits_float(a), bits_float(b), bits_float(c))))) {
    fail_msg("fma %d of %#llx %#llx %#llx: %#llx and %#llx", (int)dtype, (unsigned long long)a, (unsigned long long)b,
             (unsigned long long)c, (unsigned long long)exact, (unsigned long long)ref_mpfr_fma(dtype, a, b, c));
  }
}

static void check_sqrt(pto_dtype dtype, uint64_t a) {
  const uint64_t exact = ref_exact_sqrt(dtype, a);
  if (exact != ref_mpfr_sqrt(dtype, a) || (dtype == PTO_DTYPE_F32 && exact != said(sqrtf(bits_float(a))))) {
    fail_msg("sqrt of %#llx: %#llx", (unsigned long long)a, (unsigned long long)exact);
  }
}

/* a * b + c and roots: two implementations, and the machine's. */
static void test_fma_and_sqrt(void **state) {
  (void)state;
  uint64_t seed = 7;
  uint64_t border[256];
  for (size_t f = 0; f < 3; ++f) {
    const pto_dtype dtype = k_floats[f];
    const uint64_t mask = ref_mask(dtype);
    const size_t n = border_values(dtype, border);
    for (size_t i = 0; i < n; ++i) check_sqrt(dtype, border[i]);
    for (int i = 0; i < 200000; ++i) {
      const uint64_t a = splitmix64(&seed) & mask;
      const uint64_t b = splitmix64(&seed) & mask;
      uint64_t c = splitmix64(&seed) & mask;
      check_sqrt(dtype, a);
      switch (i % 4) {
        case 0: /* next to the product, of the other sign: cancellation */
          ref_exact_apply(REF_MUL, dtype, a, b, &c);
          c = (c ^ ref_zero_bits(ref_format_of(dtype), 1)) + (splitmix64(&seed) & 3) - 1;
          break;
        case 1: /* far above or below */
          ref_exact_apply(REF_MUL, dtype, a, b, &c);
          c ^= (splitmix64(&seed) & mask) >> (i / 4 % 8);
          break;
        case 2:
          check_fma(dtype, border[a % n] & mask, border[b % n] & mask, border[c % n] & mask);
          break;
        default:
          break;
      }
      check_fma(dtype, a, b, c & mask);
    }
  }
}

static void test_pow_against_libm(void **state) {
  (void)state;
  uint64_t border[256];
  const size_t n = border_values(PTO_DTYPE_F32, border);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      const uint64_t want = ref_apply(REF_POW, PTO_DTYPE_F32, border[i], border[j]);
      const double x = (double)bits_float(border[i]);
      const double y = (double)bits_float(border[j]);
      uint64_t special;
      int negative;
      if (!ref_pow_special(ref_format_of(PTO_DTYPE_F32), border[i], border[j], &special, &negative)) {
        continue;
      }
      /* libm turns a signalling NaN into NaN where our law has 1. */
      if (isnan(x) || isnan(y)) continue;
      assert_int_equal(want, special);
      if (!ref_matches(PTO_DTYPE_F32, said((float)pow(x, y)), want)) {
        fail_msg("pow(%a, %a): %#llx", x, y, (unsigned long long)want);
      }
    }
  }
}

/* ---- integers ---- */

static void test_integer_pow(void **state) {
  (void)state;
  /* 8 bits: every pair by repeated multiplication. */
  for (unsigned base = 0; base < 256; ++base) {
    unsigned power = 1;
    for (unsigned exponent = 0; exponent < 256; ++exponent) {
      assert_int_equal(ref_int_pow(PTO_DTYPE_U8, base, exponent), power);
      if (exponent < 128) {
        assert_int_equal(ref_int_pow(PTO_DTYPE_I8, base, exponent), power);
      }
      power = power * base % 256;
    }
  }
  /* All widths against GMP. */
  uint64_t seed = 7;
  mpz_t base, exponent, modulus, power;
  mpz_inits(base, exponent, modulus, power, (mpz_ptr)0);
  for (size_t t = 0; t < 8; ++t) {
    const pto_dtype dtype = k_integers[t];
    const uint64_t mask = ref_mask(dtype);
    mpz_set_ui(modulus, 1);
    mpz_mul_2exp(modulus, modulus, (mp_bitcnt_t)ref_width(dtype));
    for (int i = 0; i < 20000; ++i) {
      const uint64_t b = splitmix64(&seed) & mask;
      uint64_t e = splitmix64(&seed) & mask;
      e >>= splitmix64(&seed) % (unsigned)ref_width(dtype);
      const int64_t signed_e = ref_int_value(dtype, e);
      if (dtype != PTO_DTYPE_U64 && signed_e < 0) {
        assert_int_equal(ref_int_pow(dtype, b, e), b == 1 ? 1 : b != mask ? 0 : (e & 1) ? mask : 1);
        continue;
      }
      mpz_set_ui(base, b);
      mpz_set_ui(exponent, e);
      mpz_powm(power, base, exponent, modulus);
      assert_int_equal(ref_int_pow(dtype, b, e), mpz_get_ui(power));
    }
  }
  mpz_clears(base, exponent, modulus, power, (mpz_ptr)0);
}

static void test_integer_div(void **state) {
  (void)state;
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const int want = b == 0 ? 0 : a / b;
      assert_int_equal(ref_apply(REF_DIV, PTO_DTYPE_I8, (uint64_t)(int64_t)a, (uint64_t)(int64_t)b),
                       (uint64_t)(int64_t)want & 0xff);
    }
  }
}

/* ---- conversions, NaN, errors ---- */

static void test_conversions(void **state) {
  (void)state;
  for (unsigned h = 0; h < 65536; ++h) {
    const double sign = (h >> 15) ? -1 : 1;
    const int exponent = (int)(h >> 10) & 31;
    const double fraction = h & 1023;
    const uint64_t f = ref_convert(PTO_DTYPE_F32, PTO_DTYPE_F16, h);
    if (exponent == 31) {
      if (fraction == 0) assert_true(isinf(bits_float(f)));
      if (fraction != 0) assert_true(isnan(bits_float(f)));
      continue;
    }
    const double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    assert_int_equal(f, float_bits((float)(sign * value)));
    assert_int_equal(ref_convert(PTO_DTYPE_F16, PTO_DTYPE_F32, f), h);
    assert_int_equal(
        ref_convert(PTO_DTYPE_F32, PTO_DTYPE_BF16, ref_convert(PTO_DTYPE_BF16, PTO_DTYPE_F32, (uint64_t)h << 16)),
        ref_is_nan(PTO_DTYPE_BF16, h) ? 0x7fc00000 : h << 16);
  }
  static const uint32_t f16_rows[][2] = {{0x477fefff, 0x7bff}, {0x477ff000, 0x7c00}, /* 65520 is a tie, to inf */
                                         {0x33000000, 0x0000}, {0x33000001, 0x0001}, {0xb3c00000, 0x8002},
                                         {0x3f801000, 0x3c00}, {0x3f803000, 0x3c02}, {0x3f801001, 0x3c01},
                                         {0x387fffff, 0x0400}, {0x7f7fffff, 0x7c00}, {0x7f800001, 0x7e00}};
  for (size_t i = 0; i < sizeof f16_rows / sizeof *f16_rows; ++i) {
    assert_int_equal(ref_convert(PTO_DTYPE_F16, PTO_DTYPE_F32, f16_rows[i][0]), f16_rows[i][1]);
  }
  static const uint32_t bf16_rows[][2] = {{0x3f808000, 0x3f80}, {0x3f818000, 0x3f82}, {0x3f808001, 0x3f81},
                                          {0x7f7f7fff, 0x7f7f}, {0x7f7f8000, 0x7f80}, {0x00008000, 0x0000},
                                          {0x00018000, 0x0002}, {0x80008001, 0x8001}};
  for (size_t i = 0; i < sizeof bf16_rows / sizeof *bf16_rows; ++i) {
    assert_int_equal(ref_convert(PTO_DTYPE_BF16, PTO_DTYPE_F32, bf16_rows[i][0]), bf16_rows[i][1]);
  }
}

static void test_matches(void **state) {
  (void)state;
  assert_true(ref_matches(PTO_DTYPE_F32, 0x7fc00000, 0x7fc00000));
  assert_false(ref_matches(PTO_DTYPE_F32, 0x7fc00000, 0xffc00000));
  assert_false(ref_matches(PTO_DTYPE_F32, 0x7fc00000, 0x7f800001));
  assert_false(ref_matches(PTO_DTYPE_F32, 0x7fc00000, 0x7f800000));
  assert_false(ref_matches(PTO_DTYPE_F32, 0x7f800000, 0x7fc00000));
  assert_false(ref_matches(PTO_DTYPE_F32, 0x00000000, 0x80000000));
  assert_false(ref_matches(PTO_DTYPE_F16, 0x7e00, 0x7e01));
  assert_false(ref_matches(PTO_DTYPE_F16, 0x7e00, 0x7d00));
  assert_true(ref_matches(PTO_DTYPE_BF16, 0x7fc0, 0xffff7fc0));
  assert_true(ref_matches(PTO_DTYPE_I8, 0x80, 0xffffff80));
  assert_false(ref_matches(PTO_DTYPE_U16, 1, 2));
}

static void near(double got, double want) {
  if (!(fabs(got - want) <= 1e-12 * (1 + want))) {
    fail_msg("ulp error %.17g instead of %.17g", got, want);
  }
}

static void test_ulp_error(void **state) {
  (void)state;
  const pto_dtype f32 = PTO_DTYPE_F32;
  const uint64_t one = 0x3f800000, two = 0x40000000, three = 0x40400000;
  near(ref_ulp_error(f32, one, REF_DIV, two, two), 0);
  near(ref_ulp_error(f32, one + 1, REF_DIV, two, two), 1);
  near(ref_ulp_error(f32, one - 1, REF_DIV, two, two), 0.5);
  /* 1/3 = 0x3eaaaaab - 1/3 ulp */
  near(ref_ulp_error(f32, 0x3eaaaaab, REF_DIV, one, three), 1.0 / 3);
  near(ref_ulp_error(f32, 0x3eaaaaaa, REF_DIV, one, three), 2.0 / 3);
  /* 2**-150 is half of the smallest subnormal, 2**128 is past the largest. */
  near(ref_ulp_error(f32, 1, REF_POW, two, 0xc3160000), 0.5);
  near(ref_ulp_error(f32, 0, REF_POW, two, 0xc3160000), 0.5);
  near(ref_ulp_error(f32, 0x7f7fffff, REF_POW, two, 0x43000000), 1);
  near(ref_ulp_error(f32, 0x7f800000, REF_POW, two, 0x43000000), 0);
  near(ref_ulp_error(f32, 0x7f800000, REF_POW, two, 0x7f7fffff), 0);
  near(ref_ulp_error(f32, 0x7f7fffff, REF_POW, two, 0x7f7fffff), 1);
  near(ref_ulp_error(f32, 0, REF_POW, two, 0xff7fffff), 0);
  near(ref_ulp_error(f32, 2, REF_POW, two, 0xff7fffff), 2);
  /* Signs, poles and NaN are right or infinitely wrong. */
  assert_true(isinf(ref_ulp_error(f32, one, REF_POW, 0xbf800000, three)));
  near(ref_ulp_error(f32, 0xbf800000, REF_POW, 0xbf800000, three), 0);
  assert_true(isinf(ref_ulp_error(f32, 0x7f7fffff, REF_RSQRT, 0, 0)));
  near(ref_ulp_error(f32, 0x7f800000, REF_RSQRT, 0, 0), 0);
  assert_true(isinf(ref_ulp_error(f32, 0x80000000, REF_ADD, 0, 0)));
  assert_true(isinf(ref_ulp_error(f32, 0, REF_POW, 0xc0000000, 0x3f000000)));
  assert_true(isinf(ref_ulp_error(f32, 0xffc00000, REF_POW, 0xc0000000, 0x3f000000)));
  near(ref_ulp_error(f32, 0x7fc00000, REF_POW, 0xc0000000, 0x3f000000), 0);
  assert_true(isinf(ref_ulp_error(PTO_DTYPE_I8, 3, REF_ADD, 1, 1)));
  near(ref_ulp_error(PTO_DTYPE_I8, 2, REF_ADD, 1, 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pow_table),
      cmocka_unit_test(test_hand_table),
      cmocka_unit_test(test_two_implementations),
      cmocka_unit_test(test_fma_and_sqrt),
      cmocka_unit_test(test_pow_against_libm),
      cmocka_unit_test(test_integer_pow),
      cmocka_unit_test(test_integer_div),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_matches),
      cmocka_unit_test(test_ulp_error),
  };
  return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
