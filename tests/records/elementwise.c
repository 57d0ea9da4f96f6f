/* elementwise.c: the element-wise instructions of tiles. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "op_table.h"
#include "reference.h"

static uint64_t add(const op_element *e) { return op_add(e->dtype, e->src[0], e->src[1]); }
static uint64_t sub(const op_element *e) { return op_sub(e->dtype, e->src[0], e->src[1]); }
static uint64_t mul(const op_element *e) { return op_mul(e->dtype, e->src[0], e->src[1]); }
static uint64_t div(const op_element *e) { return op_div(e->dtype, e->src[0], e->src[1]); }
static uint64_t min(const op_element *e) { return op_min(e->dtype, e->src[0], e->src[1]); }
static uint64_t max(const op_element *e) { return op_max(e->dtype, e->src[0], e->src[1]); }
static uint64_t pow_of(const op_element *e) { return op_pow(e->dtype, e->src[0], e->src[1]); }
static int pow_near(const op_element *e, uint32_t flags, uint64_t got) {
  return op_near(REF_POW, e->dtype, e->src[0], e->src[1], flags, got);
}
static uint64_t prelu(const op_element *e) { return op_prelu(e->dtype, e->src[0], e->src[1]); }
static uint64_t rsqrt_of(const op_element *e) {
  uint64_t result = 0;
  ref_exact_apply(REF_RSQRT, e->dtype, e->src[0], 0, &result);
  return result;
}
static uint64_t sqrt_of(const op_element *e) { return ref_exact_sqrt(e->dtype, e->src[0]); }
static uint64_t recip(const op_element *e) {
  const ref_format *f = ref_format_of(e->dtype);
  const uint64_t one = f == NULL ? 1 : (uint64_t)f->bias << f->fraction;
  return op_div(e->dtype, one, e->src[0]);
}
static uint64_t neg(const op_element *e) {
  const uint64_t sign = op_sign_bit(e->dtype);
  return ref_format_of(e->dtype) != NULL ? e->src[0] ^ sign : (0 - e->src[0]) & ref_mask(e->dtype);
}
static uint64_t abs_of(const op_element *e) { return (e->src[0] & op_sign_bit(e->dtype)) != 0 ? neg(e) : e->src[0]; }
static uint64_t relu(const op_element *e) { return op_relu(e->dtype, e->src[0]); }
static uint64_t not_of(const op_element *e) { return ~e->src[0] & ref_mask(e->dtype); }
static uint64_t and_of(const op_element *e) { return e->src[0] & e->src[1]; }
static uint64_t or_of(const op_element *e) { return e->src[0] | e->src[1]; }
static uint64_t xor_of(const op_element *e) { return e->src[0] ^ e->src[1]; }
static uint64_t shl(const op_element *e) { return op_shift_left(e->dtype, e->src[0], e->src[1]); }
static uint64_t shr(const op_element *e) { return op_shift_right(e->dtype, e->src[0], e->src[1]); }
static uint64_t add_add(const op_element *e) { return op_add(e->dtype, add(e), e->src[2]); }
static uint64_t sub_add(const op_element *e) { return op_add(e->dtype, sub(e), e->src[2]); }
/* Of f16 the product is rounded first. */
static uint64_t mul_add(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c) {
  return dtype == PTO_DTYPE_F16 ? op_add(dtype, op_mul(dtype, a, b), c) : op_fma(dtype, a, b, c);
}
static uint64_t mul_add_dst(const op_element *e) { return mul_add(e->dtype, e->src[0], e->src[1], e->dst); }
static uint64_t fused(const op_element *e) { return mul_add(e->dtype, e->src[0], e->dst, e->src[1]); }
static uint64_t fused_relu(const op_element *e) { return op_relu(e->dtype, fused(e)); }
static uint64_t sub_relu(const op_element *e) { return op_relu(e->dtype, sub(e)); }

static uint64_t exp_of(const op_element *e) { return ref_apply(REF_EXP, e->dtype, e->src[0], 0); }
static int exp_near(const op_element *e, uint32_t flags, uint64_t got) {
  return op_near(REF_EXP, e->dtype, e->src[0], 0, flags, got);
}
static uint64_t log_of(const op_element *e) { return ref_apply(REF_LOG, e->dtype, e->src[0], 0); }
static int log_near(const op_element *e, uint32_t flags, uint64_t got) {
  return op_near(REF_LOG, e->dtype, e->src[0], 0, flags, got);
}
static uint64_t rem(const op_element *e) { return op_rem(e->dtype, e->src[0], e->src[1]); }
static uint64_t fmod_of(const op_element *e) { return op_fmod(e->dtype, e->src[0], e->src[1]); }

static uint64_t narrowed(const op_element *e, uint64_t sum) {
  return op_convert(e->dtype, e->src_dtype, op_relu(e->src_dtype, sum), PTO_ROUND_RINT, 1);
}
static uint64_t add_relu_conv(const op_element *e) { return narrowed(e, op_add(e->src_dtype, e->src[0], e->src[1])); }
static uint64_t sub_relu_conv(const op_element *e) { return narrowed(e, op_sub(e->src_dtype, e->src[0], e->src[1])); }
static uint64_t add_deq_relu(const op_element *e) {
  const uint64_t sum = op_add(PTO_DTYPE_I32, e->src[0], e->src[1]);
  const uint64_t real = op_convert(PTO_DTYPE_F32, PTO_DTYPE_I32, sum, PTO_ROUND_RINT, 1);
  const uint64_t scaled = op_mul(PTO_DTYPE_F32, real, e->scalar);
  return op_convert(PTO_DTYPE_F16, PTO_DTYPE_F32, op_relu(PTO_DTYPE_F32, scaled), PTO_ROUND_RINT, 1);
}

static const op_floats k_exp[] = {
    {{0}, 1}, {{-0.0F}, 1}, {{-INFINITY}, 0}, {{INFINITY}, INFINITY}, {{NAN}, NAN}, {{1000}, INFINITY}, {{-1000}, 0},
};
static const op_bits k_exp_bits[] = {
    {PTO_DTYPE_F16, {0x3c00}, 0x4170}, {PTO_DTYPE_BF16, {0x3f80}, 0x402e}, {PTO_DTYPE_F16, {0xcc00}, 2}, /* e ** -16 */
};
static const op_floats k_log[] = {
    {{1}, 0},           {{0}, -INFINITY}, {{-0.0F}, -INFINITY}, {{-1}, NAN}, {{INFINITY}, INFINITY},
    {{-INFINITY}, NAN}, {{NAN}, NAN},
};
static const op_bits k_log_bits[] = {{PTO_DTYPE_F16, {0x4000}, 0x398c}, {PTO_DTYPE_BF16, {0x4000}, 0x3f31}};
static const op_floats k_relu[] = {
    {{2}, 2}, {{-2}, 0}, {{-0.0F}, 0}, {{0}, 0}, {{NAN}, NAN}, {{-INFINITY}, 0}, {{INFINITY}, INFINITY},
};
static const op_bits k_relu_bits[] = {
    {PTO_DTYPE_F32, {(int32_t)0xff800001}, 0x7fc00000},
    {PTO_DTYPE_F16, {0x8001}, 0},
    {PTO_DTYPE_I8, {-128}, 0},
    {PTO_DTYPE_I32, {INT32_MAX}, INT32_MAX},
    {PTO_DTYPE_I64, {-1}, 0},
    {PTO_DTYPE_U8, {200}, 200},
    {PTO_DTYPE_U64, {-1}, -1},
};
static const op_floats k_abs[] = {{{-2}, 2}, {{-0.0F}, 0}, {{-INFINITY}, INFINITY}, {{3}, 3}};
static const op_bits k_abs_bits[] = {
    {PTO_DTYPE_F32, {(int32_t)0xffa12345}, 0x7fa12345}, /* the payload of a NaN stays */
    {PTO_DTYPE_F16, {0xfe01}, 0x7e01},
    {PTO_DTYPE_I8, {-128}, -128},
    {PTO_DTYPE_I16, {-5}, 5},
    {PTO_DTYPE_I64, {INT64_MIN}, INT64_MIN},
};
static const op_floats k_neg[] = {{{2}, -2}, {{0}, -0.0F}, {{-0.0F}, 0}, {{INFINITY}, -INFINITY}};
static const op_bits k_neg_bits[] = {
    {PTO_DTYPE_F32, {0x7fa12345}, (int32_t)0xffa12345},
    {PTO_DTYPE_BF16, {0x7f81}, 0xff81},
    {PTO_DTYPE_I8, {-128}, -128},
    {PTO_DTYPE_U8, {1}, 255},
    {PTO_DTYPE_I32, {INT32_MIN}, INT32_MIN},
    {PTO_DTYPE_U64, {1}, -1},
};
static const op_bits k_not[] = {{PTO_DTYPE_I8, {0}, -1}, {PTO_DTYPE_U16, {0x0f0f}, 0xf0f0}, {PTO_DTYPE_U64, {1}, -2}};
static const op_bits k_and[] = {{PTO_DTYPE_U8, {0xf0, 0x3c}, 0x30}, {PTO_DTYPE_I64, {-1, INT64_MIN}, INT64_MIN}};
static const op_bits k_or[] = {{PTO_DTYPE_U8, {0xf0, 0x3c}, 0xfc}, {PTO_DTYPE_I64, {1, INT64_MIN}, INT64_MIN + 1}};
static const op_bits k_xor[] = {{PTO_DTYPE_U8, {0xf0, 0x3c}, 0xcc}, {PTO_DTYPE_I64, {-1, INT64_MIN}, INT64_MAX}};
/* Counts modulo the width. */
static const op_bits k_shl[] = {
    {PTO_DTYPE_I8, {1, 7}, -128},        {PTO_DTYPE_I8, {1, 8}, 1},   {PTO_DTYPE_I8, {3, -1}, -128},
    {PTO_DTYPE_U16, {3, 15}, 0x8000},    {PTO_DTYPE_I32, {1, 32}, 1}, {PTO_DTYPE_U32, {1, 31}, 0x80000000},
    {PTO_DTYPE_I64, {1, 63}, INT64_MIN}, {PTO_DTYPE_U64, {5, 64}, 5},
};
static const op_bits k_shr[] = {
    {PTO_DTYPE_I8, {-128, 7}, -1},        {PTO_DTYPE_U8, {128, 7}, 1},           {PTO_DTYPE_I8, {-128, 8}, -128},
    {PTO_DTYPE_I16, {-1, 15}, -1},        {PTO_DTYPE_U16, {0xffff, 17}, 0x7fff}, {PTO_DTYPE_I32, {INT32_MIN, 31}, -1},
    {PTO_DTYPE_U32, {0x80000000, 31}, 1}, {PTO_DTYPE_I64, {INT64_MIN, 62}, -2},  {PTO_DTYPE_U64, {-1, 63}, 1},
};
static const op_floats k_sqrt[] = {
    {{4}, 2},           {{0}, 0},     {{-0.0F}, -0.0F}, {{INFINITY}, INFINITY}, {{-1}, NAN},
    {{-INFINITY}, NAN}, {{NAN}, NAN}, {{2.25F}, 1.5F},  {{0x1p-24F}, 0x1p-12F},
};
static const op_bits k_sqrt_bits[] = {
    {PTO_DTYPE_F32, {0x40000000}, 0x3fb504f3},
    {PTO_DTYPE_F32, {1}, 0x1a3504f3},
    {PTO_DTYPE_F32, {(int32_t)0x80000001}, 0x7fc00000},
    {PTO_DTYPE_F16, {0x4000}, 0x3da8},
    {PTO_DTYPE_BF16, {0x4000}, 0x3fb5},
};
static const op_floats k_recip[] = {
    {{2}, 0.5F},     {{-4}, -0.25F},       {{0}, INFINITY}, {{-0.0F}, -INFINITY},
    {{INFINITY}, 0}, {{-INFINITY}, -0.0F}, {{NAN}, NAN},
};
static const op_bits k_recip_bits[] = {
    {PTO_DTYPE_F32, {0x40400000}, 0x3eaaaaab},
    {PTO_DTYPE_F32, {1}, 0x7f800000},
    {PTO_DTYPE_F16, {0x4200}, 0x3555},
    {PTO_DTYPE_I8, {0}, 0},
    {PTO_DTYPE_I16, {-1}, -1},
    {PTO_DTYPE_I32, {2}, 0},
    {PTO_DTYPE_U64, {1}, 1},
};
static const op_floats k_rsqrt[] = {{{0}, INFINITY}, {{-0.0F}, -INFINITY}, {{4}, 0.5F}, {{-1}, NAN}, {{INFINITY}, 0}};
static const op_floats k_prelu[] = {
    {{3, -1}, 3}, {{-2, 0.5F}, -1}, {{0, NAN}, NAN}, {{-0.0F, 2}, -0.0F}, {{NAN, 2}, NAN}};
static const op_bits k_prelu_bits[] = {{PTO_DTYPE_I8, {-100, 2}, 56}, {PTO_DTYPE_U8, {0, 7}, 0}};
static const op_floats k_pow[] = {
    {{NAN, 0}, 1}, {{1, NAN}, 1}, {{-1, INFINITY}, 1}, {{-0.0F, -3}, -INFINITY}, {{-2, 0.5F}, NAN}};
static const op_bits k_pow_bits[] = {
    {PTO_DTYPE_I8, {0, -1}, 0}, {PTO_DTYPE_I16, {0, 0}, 1}, {PTO_DTYPE_U32, {2, 32}, 0}};
static const op_floats k_add_add[] = {{{1, 2, 3}, 6}, {{INFINITY, 1, -INFINITY}, NAN}, {{-0.0F, -0.0F, -0.0F}, -0.0F}};
static const op_bits k_add_add_bits[] = {
    /* Rounded after each step: 1 + 2**-24 is 1, and then 1 + -1 is 0; fused it were 2**-24. */
    {PTO_DTYPE_F32, {0x3f800000, 0x33800000, (int32_t)0xbf800000}, 0},
    {PTO_DTYPE_F16, {0x7bff, 0x7bff, 0xfbff}, 0x7c00}, /* the first sum overflows */
    {PTO_DTYPE_BF16, {0x3f80, 0x3b80, 0xbf80}, 0},
    {PTO_DTYPE_I8, {100, 100, 100}, 44},
    {PTO_DTYPE_U64, {-1, 1, 5}, 5},
};
static const op_floats k_sub_add[] = {{{1, 2, 3}, 2}, {{INFINITY, INFINITY, 1}, NAN}, {{-0.0F, 0, -0.0F}, -0.0F}};
static const op_bits k_sub_add_bits[] = {
    {PTO_DTYPE_F32, {0x3f800000, 0x33000000, (int32_t)0xbf800000}, 0},
    {PTO_DTYPE_F16, {0x7bff, 0xfbff, 0xfbff}, 0x7c00},
    {PTO_DTYPE_I8, {-100, 100, 1}, 57},
};
/* src0, src1, dst. */
static const op_floats k_mul_add_dst[] = {
    {{2, 3, 4}, 10},         {{0, INFINITY, 1}, NAN}, {{INFINITY, 1, -INFINITY}, NAN},
    {{0, -1, -0.0F}, -0.0F}, {{1, 1, -1}, 0},         {{1, 1, NAN}, NAN},
};
static const op_bits k_mul_add_dst_bits[] = {
    /* (1 + 2**-12)**2 - (1 + 2**-11) = 2**-24: one rounding keeps it. */
    {PTO_DTYPE_F32, {0x3f800800, 0x3f800800, (int32_t)0xbf801000}, 0x33800000},
    {PTO_DTYPE_F16, {0x3c20, 0x3c20, 0xbc40}, 0x1400}, /* the product is an f16 */
    /* (1 + 2**-6)**2 = 1 + 2**-5 + 2**-12 is not an f16: the product loses 2**-12. */
    {PTO_DTYPE_F16, {0x3c10, 0x3c10, 0xbc20}, 0},
    {PTO_DTYPE_F32, {0x7f7fffff, 0x40000000, (int32_t)0xff7fffff}, 0x7f7fffff}, /* the product alone overflows */
    {PTO_DTYPE_I8, {100, 3, -128}, -84},
    {PTO_DTYPE_U64, {INT64_MIN, 2, 7}, 7},
};
static const op_floats k_fused[] = {
    {{2, 4, 3}, 10}, {{0, 1, INFINITY}, NAN}, {{1, -INFINITY, INFINITY}, NAN}, {{1, -1, 1}, 0}};
static const op_bits k_fused_bits[] = {
    {PTO_DTYPE_F32, {0x3f800800, (int32_t)0xbf801000, 0x3f800800}, 0x33800000},
    {PTO_DTYPE_BF16, {0x3f88, 0xbf90, 0x3f88}, 0x3b80},
    {PTO_DTYPE_I32, {3, -7, 5}, 8}, /* src0 * dst + src1 */
};
static const op_floats k_fused_relu[] = {
    {{2, 4, 3}, 10}, {{-2, 4, 3}, 0}, {{-0.0F, -0.0F, 1}, 0}, {{0, 1, INFINITY}, NAN}};
static const op_bits k_fused_relu_bits[] = {
    {PTO_DTYPE_I16, {300, 0, 300}, 24464}, {PTO_DTYPE_I16, {-1, 0, 5}, 0}, {PTO_DTYPE_U16, {1, -1, 0}, 0xffff}};
static const op_floats k_sub_relu[] = {
    {{3, 1}, 2}, {{1, 3}, 0}, {{-0.0F, 0}, 0}, {{INFINITY, INFINITY}, NAN}, {{NAN, 1}, NAN}};
static const op_bits k_sub_relu_bits[] = {
    {PTO_DTYPE_I8, {-128, 1}, 127}, {PTO_DTYPE_I64, {3, 5}, 0}, {PTO_DTYPE_U8, {3, 5}, 254}};

static const op_bits k_add_relu_conv[] = {
    {PTO_DTYPE_F16, {0x3f800000, 0x3a000000}, 0x3c00, {0}, PTO_DTYPE_F32 + 1}, /* 1 + 2 ** -11: a tie */
    {PTO_DTYPE_F16, {0x477fe000, 0x477fe000}, 0x7bff, {0}, PTO_DTYPE_F32 + 1},
    {PTO_DTYPE_F16, {0x3f800000, (int32_t)0xc0000000}, 0, {0}, PTO_DTYPE_F32 + 1},
    {PTO_DTYPE_F16, {0x7f800000, (int32_t)0xff800000}, 0x7e00, {0}, PTO_DTYPE_F32 + 1},
    {PTO_DTYPE_I8, {0x7c00, (int32_t)0xfc00}, 0, {0}, PTO_DTYPE_F16 + 1},
    {PTO_DTYPE_I8, {0x7c00, 0}, 127, {0}, PTO_DTYPE_F16 + 1},
    {PTO_DTYPE_I8, {0x4000, 0x3800}, 2, {0}, PTO_DTYPE_F16 + 1}, /* 2.5 */
    {PTO_DTYPE_I8, {100, 100}, 127, {0}, PTO_DTYPE_I16 + 1},
    {PTO_DTYPE_I8, {-100, 30}, 0, {0}, PTO_DTYPE_I16 + 1},
    {PTO_DTYPE_I8, {32767, 1}, 0, {0}, PTO_DTYPE_I16 + 1}, /* modulo 2 ** 16 */
};
static const op_bits k_sub_relu_conv[] = {
    {PTO_DTYPE_F16, {0x40000000, 0x3f800000}, 0x3c00, {0}, PTO_DTYPE_F32 + 1},
    {PTO_DTYPE_F16, {0x3f800000, 0x40000000}, 0, {0}, PTO_DTYPE_F32 + 1},
    {PTO_DTYPE_I8, {0x4000, 0xb800}, 2, {0}, PTO_DTYPE_F16 + 1}, /* 2 + 0.5 */
    {PTO_DTYPE_I8, {-30, -300}, 127, {0}, PTO_DTYPE_I16 + 1},
    {PTO_DTYPE_I8, {-32768, 1}, 127, {0}, PTO_DTYPE_I16 + 1},
};
static const op_bits k_add_deq_relu[] = {
    {PTO_DTYPE_F16, {3, 4, 0x3f000000}, 0x4300, {0}, PTO_DTYPE_I32 + 1}, /* 7 * 0.5 */
    {PTO_DTYPE_F16, {3, -4, 0x3f000000}, 0, {0}, PTO_DTYPE_I32 + 1},
    {PTO_DTYPE_F16, {INT32_MAX, 1, (int32_t)0xbf800000}, 0x7bff, {0}, PTO_DTYPE_I32 + 1}, /* -2 ** 31 * -1 */
    {PTO_DTYPE_F16, {16777216, 1, 0x33800000}, 0x3c00, {0}, PTO_DTYPE_I32 + 1}, /* the sum loses its last bit */
    {PTO_DTYPE_F16, {1, 0, 0x7fc00000}, 0x7e00, {0}, PTO_DTYPE_I32 + 1},
    {PTO_DTYPE_F16, {0, 0, 0x7f800000}, 0x7e00, {0}, PTO_DTYPE_I32 + 1},
};

/* (x - offset) * scale: each rounded. */
static uint64_t dequant(const op_element *e) {
  const float whole = (float)ref_int_value(e->src_dtype, e->src[0]);
  uint32_t bits = 0;
  memcpy(&bits, &whole, sizeof bits);
  const uint64_t minus = e->src[2] ^ UINT64_C(0x80000000);
  const uint64_t difference = ref_apply(REF_ADD, PTO_DTYPE_F32, bits, minus);
  return ref_apply(REF_MUL, PTO_DTYPE_F32, difference, e->src[1]);
}
#define QUANTISED(type) .src = PTO_DTYPE_##type + 1
static const op_bits k_dequant[] = {
    {PTO_DTYPE_F32, {7, 0x3f000000, 0x40400000}, 0x40000000, QUANTISED(I8)},                /* (7 - 3) / 2 */
    {PTO_DTYPE_F32, {-128, 0x3f800000, 0x42fe0000}, (int32_t)0xc37f0000, QUANTISED(I8)},    /* -128 - 127 */
    {PTO_DTYPE_F32, {-32768, 0x3f800000, 0x3f000000}, (int32_t)0xc7000080, QUANTISED(I16)}, /* -32768.5 */
    {PTO_DTYPE_F32,
     {1, 0x4b800001, 0x33800000},
     0x4b800000,
     QUANTISED(I16)}, /* 1 - 2^-24 is 1 - 2^-24; times 2^24 + 2 */
    {PTO_DTYPE_F32, {5, 0x7f800000, 0x40a00000}, 0x7fc00000, QUANTISED(I8)}, /* 0 * inf */
};

/* x * scale + offset, each rounded, to the nearest integer. */
static uint64_t quant_sym(const op_element *e) {
  return op_convert(PTO_DTYPE_I8, PTO_DTYPE_F32, ref_apply(REF_MUL, PTO_DTYPE_F32, e->src[0], e->src[1]),
                    PTO_ROUND_RINT, 1);
}
static uint64_t quant_asym(const op_element *e) {
  const uint64_t product = ref_apply(REF_MUL, PTO_DTYPE_F32, e->src[0], e->src[1]);
  return op_convert(PTO_DTYPE_U8, PTO_DTYPE_F32, ref_apply(REF_ADD, PTO_DTYPE_F32, product, e->src[2]), PTO_ROUND_RINT,
                    1);
}
static const op_bits k_quant_sym[] = {
    {PTO_DTYPE_F32, {0x40200000, 0x3f800000}, 2},             /* 2.5 */
    {PTO_DTYPE_F32, {0x40600000, 0x3f800000}, 4},             /* 3.5 */
    {PTO_DTYPE_F32, {0x42ff0000, 0x3f800000}, 127},           /* 127.5 */
    {PTO_DTYPE_F32, {(int32_t)0xc3008000, 0x3f800000}, 0x80}, /* -128.5 */
    {PTO_DTYPE_F32, {(int32_t)0xff800000, 0x3f800000}, 0x80},
    {PTO_DTYPE_F32, {0x7fc00000, 0x3f800000}, 0},
    {PTO_DTYPE_F32, {0x7f800000, 0}, 0},
};
static const op_bits k_quant_asym[] = {
    {PTO_DTYPE_F32, {0x40000000, 0x3fc00000, 0x43000000}, 131},        /* 2 * 1.5 + 128 */
    {PTO_DTYPE_F32, {(int32_t)0xc3000000, 0x3f800000, 0x42fe0000}, 0}, /* -1 */
    {PTO_DTYPE_F32, {0x43000000, 0x3f800000, 0x43000000}, 255},        /* 256 */
    {PTO_DTYPE_F32, {0x3f800001, 0x3f000000, (int32_t)0x3f800000}, 2}, /* 1.5 + 2^-24 is 1.5 */
    {PTO_DTYPE_F32, {0x7f800000, 0x3f800000, (int32_t)0xff800000}, 0}, /* inf - inf */
};

static const op_entry k_entries[] = {
    {.name = "tadd", .element = add, OP_KNOWN(add)},
    {.name = "tsub", .element = sub, OP_KNOWN(sub)},
    {.name = "tmul", .element = mul, OP_KNOWN(mul)},
    {.name = "tdiv", .element = div, OP_KNOWN(div)},
    {.name = "tmin", .element = min, OP_KNOWN(min)},
    {.name = "tmax", .element = max, OP_KNOWN(max)},
    {.name = "tpow", .element = pow_of, .near = pow_near, OP_FLOATS(k_pow), OP_BITS(k_pow_bits)},
    {.name = "tprelu", .element = prelu, .tmp = TMP_MASK, OP_FLOATS(k_prelu), OP_BITS(k_prelu_bits)},
    {.name = "trsqrt", .element = rsqrt_of, OP_FLOATS(k_rsqrt)},
    {.name = "tsqrt", .element = sqrt_of, OP_FLOATS(k_sqrt), OP_BITS(k_sqrt_bits)},
    {.name = "trecip", .element = recip, OP_FLOATS(k_recip), OP_BITS(k_recip_bits)},
    {.name = "tneg", .element = neg, OP_FLOATS(k_neg), OP_BITS(k_neg_bits)},
    {.name = "tabs", .element = abs_of, OP_FLOATS(k_abs), OP_BITS(k_abs_bits)},
    {.name = "trelu", .element = relu, OP_FLOATS(k_relu), OP_BITS(k_relu_bits)},
    {.name = "tnot", .element = not_of, OP_BITS(k_not)},
    {.name = "tand", .element = and_of, OP_BITS(k_and)},
    {.name = "tor", .element = or_of, OP_BITS(k_or)},
    {.name = "txor", .element = xor_of, OP_BITS(k_xor)},
    {.name = "tshl", .element = shl, OP_BITS(k_shl)},
    {.name = "tshr", .element = shr, OP_BITS(k_shr)},
    {.name = "taddc", .element = add_add, OP_FLOATS(k_add_add), OP_BITS(k_add_add_bits)},
    {.name = "tsubc", .element = sub_add, OP_FLOATS(k_sub_add), OP_BITS(k_sub_add_bits)},
    {.name = "tmuladddst", .element = mul_add_dst, OP_FLOATS(k_mul_add_dst), OP_BITS(k_mul_add_dst_bits)},
    {.name = "tfusedmuladd", .element = fused, OP_FLOATS(k_fused), OP_BITS(k_fused_bits)},
    {.name = "tfusedmuladdrelu", .element = fused_relu, OP_FLOATS(k_fused_relu), OP_BITS(k_fused_relu_bits)},
    {.name = "texp", .element = exp_of, .near = exp_near, OP_FLOATS(k_exp), OP_BITS(k_exp_bits)},
    {.name = "tlog", .element = log_of, .near = log_near, OP_FLOATS(k_log), OP_BITS(k_log_bits)},
    {.name = "trem", .element = rem, .tmp = TMP_ROW, OP_KNOWN(rem)},
    {.name = "tfmod", .element = fmod_of, OP_KNOWN(fmod)},
    {.name = "tsubrelu", .element = sub_relu, OP_FLOATS(k_sub_relu), OP_BITS(k_sub_relu_bits)},
    {.name = "taddreluconv", .element = add_relu_conv, OP_BITS(k_add_relu_conv)},
    {.name = "tsubreluconv", .element = sub_relu_conv, OP_BITS(k_sub_relu_conv)},
    {.name = "tadddeqrelu", .element = add_deq_relu, OP_BITS(k_add_deq_relu)},
    {.name = "tdequant", .element = dequant, OP_BITS(k_dequant)},
    {.name = "tquant", .element = quant_sym, OP_BITS(k_quant_sym)},
    {.name = "tquant_asym", .element = quant_asym, OP_BITS(k_quant_asym)},
};
OP_FAMILY(k_family_elementwise);
