/*
 * matrix.c: products of matrices. Floats: the chain of f32 fused multiply-adds over k in increasing order, from 0, from
 * the accumulator or from the bias; what is narrower is exact in f32. bf16: two chains for each 32 values of k, without
 * subnormals. Bytes: exact, modulo 2^32.
 * A mode rounds f32 factors to fewer bits first.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "op_table.h"
#include "reference.h"

enum { k_most_factors = 4096 };

/* The nearest f32 with this number of bits of the fraction: the closer one of the two around it. */
static uint64_t rounded(uint64_t bits, int32_t mad) {
  if (mad == PTO_MAD_NONE || ref_is_nan(PTO_DTYPE_F32, bits)) return bits;
  const uint64_t step = mad <= PTO_MAD_HF32_ROUND ? 1 << 12 : 1 << 13;
  const int away = mad == PTO_MAD_HF32_ROUND || mad == PTO_MAD_TF32_ROUND;
  const uint64_t sign = bits & 0x80000000;
  const uint64_t magnitude = bits - sign;
  const uint64_t below = magnitude / step * step;
  const uint64_t rest = magnitude - below;
  const int tie_up = away || below / step % 2 != 0;
  return sign + (rest > step / 2 || (rest == step / 2 && tie_up) ? below + step : below);
}

static uint64_t chain(const op_product *p) {
  uint64_t sum = p->has_start ? p->start : 0;
  if (p->dtype == PTO_DTYPE_BF16) {
    uint64_t left[k_most_factors], right[k_most_factors];
    if (p->count > k_most_factors) abort();
    for (int32_t k = 0; k < p->count; ++k) {
      left[k] = op_as_f32(PTO_DTYPE_BF16, p->left[k]);
      right[k] = op_as_f32(PTO_DTYPE_BF16, p->right[k]);
    }
    return op_paired_sum(left, right, p->count, sum);
  }
  if (p->dtype == PTO_DTYPE_I8) {
    for (int32_t k = 0; k < p->count; ++k) {
      sum += (uint64_t)(ref_int_value(PTO_DTYPE_I8, p->left[k]) * ref_int_value(PTO_DTYPE_I8, p->right[k]));
    }
    return sum & ref_mask(PTO_DTYPE_I32);
  }
  for (int32_t k = 0; k < p->count; ++k) {
    uint64_t a = op_as_f32(p->dtype, p->left[k]);
    uint64_t b = op_as_f32(p->right_dtype, p->right[k]);
    if (p->dtype == PTO_DTYPE_F32) {
      a = rounded(a, p->mad);
      b = rounded(b, p->mad);
    }
    sum = op_fma(PTO_DTYPE_F32, a, b, sum);
  }
  return ref_is_nan(PTO_DTYPE_F32, sum) ? ref_nan(PTO_DTYPE_F32) : sum;
}

/* An f32, or e4m3, e5m2 and so on, exactly; NaN too. */
static long double value(pto_dtype dtype, uint64_t bits) {
  const uint32_t code = (uint32_t)op_as_f32(dtype, bits);
  float x = 0;
  memcpy(&x, &code, sizeof x);
  return x;
}

/* x + y as f32, rounded once: to odd first, which has more than twice the digits. */
static float sum_once(long double x, long double y) {
  long double sum = x + y;
  const long double back = sum - x;
  const long double lost = (x - (sum - back)) + (y - back);
  int exponent = 0;
  if (isfinite(sum) && lost != 0) {
    const long double digits = ldexpl(frexpl(sum, &exponent), LDBL_MANT_DIG);
    if (fmodl(digits, 2) == 0) sum = nextafterl(sum, lost > 0 ? HUGE_VALL : -HUGE_VALL);
  }
  return (float)sum;
}

/* The same with block scales: the largest and smallest factors are exact in a long double. */
static uint64_t scaled_chain(const op_product *p) {
  float sum = p->has_start ? (float)value(PTO_DTYPE_F32, p->start) : 0;
  for (int32_t k = 0; k < p->count; ++k) {
    const long double none = NAN;
    const long double a = p->left_scales[k] == 255 ? none : ldexpl(1, (int)p->left_scales[k] - 127);
    const long double b = p->right_scales[k] == 255 ? none : ldexpl(1, (int)p->right_scales[k] - 127);
    sum = sum_once(sum, value(p->dtype, p->left[k]) * a * (value(p->right_dtype, p->right[k]) * b));
  }
  uint32_t bits = 0;
  memcpy(&bits, &sum, sizeof bits);
  return isnan(sum) ? ref_nan(PTO_DTYPE_F32) : bits;
}

#define ONE 0x3f800000
/* Pairs of factors, then what the sum starts from. */
static const op_known_line k_products[] = {
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 4, {0x40000000, 0x40400000, ONE, ONE}, {0x40e00000}}, /* 2 * 3 + 1 */
    /* (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24: the product is not rounded */
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 4, {ONE, (int32_t)0xbf801000, 0x3f800800, 0x3f800800}, {0x33800000}},
    /* 2^24 + 1 + 1: each sum is rounded, in this order */
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 6, {0x4b800000, ONE, ONE, ONE, ONE, ONE}, {0x4b800000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 6, {ONE, ONE, ONE, ONE, 0x4b800000, ONE}, {0x4b800001}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 4, {0x7f7fffff, 0x40000000, 0x7f7fffff, (int32_t)0xc0000000}, {0x7f800000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 4, {0x7f800000, ONE, 0x7f800000, (int32_t)0xbf800000}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 2, {0x7f800001, ONE}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 2, {0, 0x7f800000}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 2, {(int32_t)0x80000000, ONE}, {0}},        /* from +0 on */
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 2, {0x00000003, 0x3f000000}, {0x00000002}}, /* subnormal, a tie */
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 2, {0x1a000000, 0x1a000000}, {0}},          /* 2^-150: a tie, to zero */
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 2, {0x1a000001, 0x1a000000}, {1}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 0, {0}, {0}},
    {PTO_DTYPE_F32, PTO_DTYPE_F16, 4, {0x7bff, 0x7bff, 0x0001, 0x0001}, {0x4f7fc004}}, /* 65504^2: exact */
    {PTO_DTYPE_F32, PTO_DTYPE_F16, 2, {0x7e01, 0x3c00}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 4, {0x7f7f, 0x4000, 0x3f80, 0x3f80}, {0x7f800000}},
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 2, {0x3f81, 0x3f81}, {0x3f820200}},
    /* 2^24 + 0 and 1 + 1: two chains */
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 8, {0x4b80, 0x3f80, 0x3f80, 0x3f80, 0, 0, 0x3f80, 0x3f80}, {0x4b800001}},
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 2, {0x0040, 0x7f00}, {0}}, /* 2^-127 is zero */
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 2, {0x2000, 0x1f80}, {0}}, /* 2^-63 * 2^-64 */
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 2, {0x2000, 0x2000}, {0x00800000}},
    /* 2^-126 - 2^-151, a tie, and - 2^-150 */
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 6, {0x2000, 0x2000, 0, 0, 0x1a00, 0x9980}, {0x00800000}},
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 6, {0x2000, 0x2000, 0, 0, 0x1a00, 0x9a00}, {0}},
    {PTO_DTYPE_F32, PTO_DTYPE_E4M3, 4, {0x7e, 0x7e, 0x01, 0x81}, {0x48440000}}, /* 448^2 - 2^-18, a tie to even */
    {PTO_DTYPE_F32, PTO_DTYPE_E4M3, 2, {0x7f, 0x38}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_E5M2, 2, {0x01, 0x01}, {0x2f800000}}, /* 2^-32 */
    {PTO_DTYPE_F32, PTO_DTYPE_E5M2, 2, {0x7c, 0xbc}, {(int32_t)0xff800000}},
    {PTO_DTYPE_F32, PTO_DTYPE_E5M2, 2, {0x7c, 0x00}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_HIF8, 4, {0x6e, 0x6e, 0x0f, 0x17}, {0x4e800000}}, /* 2^30 + 1.875 * 3.75 */
    {PTO_DTYPE_F32, PTO_DTYPE_HIF8, 2, {0x80, 0x00}, {0x7fc00000}},
    {PTO_DTYPE_I32, PTO_DTYPE_I8, 8, {-128, -128, -128, -128, -128, -128, -128, -128}, {65536}},
    {PTO_DTYPE_I32, PTO_DTYPE_I8, 6, {-128, 127, 127, -128, 127, 127}, {-16383}},
    {PTO_DTYPE_I32, PTO_DTYPE_I8, 0, {0}, {0}},
};
static const op_known_line k_sums[] = {
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 3, {0x40000000, 0x40400000, ONE}, {0x40e00000}},
    /* 2^24 is first: neither 1 is there any more */
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 5, {ONE, ONE, ONE, ONE, 0x4b800000}, {0x4b800000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 3, {ONE, ONE, 0x7f800001}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F32, 3, {0, (int32_t)0x80000000, (int32_t)0x80000000}, {(int32_t)0x80000000}},
    {PTO_DTYPE_F32, PTO_DTYPE_F16, 3, {0x3c00, 0xbc00, ONE}, {0}},
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 3, {0, 0, (int32_t)0x807fffff}, {0}}, /* -0 + 0 */
    {PTO_DTYPE_F32, PTO_DTYPE_BF16, 5, {0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x4b800000}, {0x4b800001}},
    {PTO_DTYPE_I32, PTO_DTYPE_I8, 3, {1, 1, INT32_MAX}, {INT32_MIN}},
};

/* Each factor is twice its element: k_known_scale is 128. */
static const op_known_line k_scaled[] = {
    {PTO_DTYPE_F32, PTO_DTYPE_E4M3, 4, {0x38, 0x38, 0x40, 0xc4}, {(int32_t)0xc1a00000}}, /* 4 - 4 * 2 * 3 = -20 */
    {PTO_DTYPE_F32, PTO_DTYPE_E4M3, 2, {0x7e, 0x7e}, {0x49440000}},                      /* 896^2 */
    {PTO_DTYPE_F32, PTO_DTYPE_E4M3, 2, {0x7f, 0x00}, {0x7fc00000}},
    {PTO_DTYPE_F32, PTO_DTYPE_E5M2, 2, {0x01, 0x01}, {0x30800000}}, /* 2^-30 */
    {PTO_DTYPE_F32, PTO_DTYPE_E5M2, 2, {0x7c, 0xbc}, {(int32_t)0xff800000}},
};
static const op_known_line k_scaled_sums[] = {
    {PTO_DTYPE_F32, PTO_DTYPE_E4M3, 3, {0x38, 0x38, ONE}, {0x40a00000}}, /* 2 * 2 + 1 */
    {PTO_DTYPE_F32, PTO_DTYPE_E5M2, 3, {0x3c, 0x3c, 0x7f800001}, {0x7fc00000}},
};

static const op_entry k_entries[] = {
    {.name = "tmatmul", .product = chain, OP_LINES(k_products)},
    {.name = "tmatmul_acc", .product = chain, OP_LINES(k_sums)},
    {.name = "tmatmul_bias", .product = chain, OP_LINES(k_sums)},
    {.name = "tgemv", .product = chain, OP_LINES(k_products)},
    {.name = "tgemv_acc", .product = chain, OP_LINES(k_sums)},
    {.name = "tgemv_bias", .product = chain, OP_LINES(k_sums)},
    {.name = "tmatmul_mx", .product = scaled_chain, OP_LINES(k_scaled)},
    {.name = "tmatmul_mx_acc", .product = scaled_chain, OP_LINES(k_scaled_sums)},
    {.name = "tmatmul_mx_bias", .product = scaled_chain, OP_LINES(k_scaled_sums)},
    {.name = "tgemv_mx", .product = scaled_chain, OP_LINES(k_scaled)},
    {.name = "tgemv_mx_acc", .product = scaled_chain, OP_LINES(k_scaled_sums)},
    {.name = "tgemv_mx_bias", .product = scaled_chain, OP_LINES(k_scaled_sums)},
};
OP_FAMILY(k_family_matrix);
