/* op_table.c: the families together, the arithmetic they share and its known results. */
#include "op_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "reference.h"

static const op_family *const k_families[] = {&k_family_elementwise, &k_family_scalar,    &k_family_expand,
                                              &k_family_partial,     &k_family_compare,   &k_family_convert,
                                              &k_family_fill,        &k_family_reduce,    &k_family_move,
                                              &k_family_matrix,      &k_family_irregular, &k_family_fixpipe};

const op_entry *op_entry_at(int n) {
  for (size_t f = 0; f < sizeof k_families / sizeof *k_families; ++f) {
    if (n < k_families[f]->count) return &k_families[f]->entries[n];
    n -= k_families[f]->count;
  }
  return NULL;
}

const op_entry *op_entry_of(const char *name) {
  const op_entry *entry;
  for (int n = 0; (entry = op_entry_at(n)) != NULL; ++n) {
    if (strcmp(entry->name, name) == 0) return entry;
  }
  return NULL;
}

/* Floats by integer arithmetic, which test_reference holds against MPFR; integers by the reference. */
static uint64_t apply(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b) {
  uint64_t result = 0;
  return ref_exact_apply(fn, dtype, a, b, &result) ? result : ref_apply(fn, dtype, a, b);
}

uint64_t op_sign_bit(pto_dtype dtype) { return UINT64_C(1) << (ref_width(dtype) - 1); }

static int is_float(pto_dtype dtype) { return ref_format_of(dtype) != NULL; }

uint64_t op_add(pto_dtype dtype, uint64_t a, uint64_t b) { return apply(REF_ADD, dtype, a, b); }
uint64_t op_sub(pto_dtype dtype, uint64_t a, uint64_t b) {
  return op_add(dtype, a, is_float(dtype) ? b ^ op_sign_bit(dtype) : 0 - b);
}
uint64_t op_mul(pto_dtype dtype, uint64_t a, uint64_t b) { return apply(REF_MUL, dtype, a, b); }
uint64_t op_fma(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c) {
  return is_float(dtype) ? ref_exact_fma(dtype, a, b, c) : op_add(dtype, op_mul(dtype, a, b), c);
}
uint64_t op_paired_sum(const uint64_t *left, const uint64_t *right, int32_t count, uint64_t start) {
  const uint64_t one = 0x3f800000;
  uint64_t sum = start;
  if (count == 0) sum = (sum & 0x7f800000) == 0 ? sum & 0x80000000 : sum;
  for (int32_t from = 0; from < count; from += 32) {
    uint64_t chains[2] = {0, 0};
    for (int32_t k = from; k < from + 32; ++k) {
      uint64_t *chain = &chains[k % 2];
      *chain = ref_exact_fma_flushed(k < count ? left[k] : 0, k < count ? right[k] : 0, *chain);
    }
    sum = ref_exact_fma_flushed(ref_exact_fma_flushed(chains[0], one, chains[1]), one, sum);
  }
  return ref_is_nan(PTO_DTYPE_F32, sum) ? ref_nan(PTO_DTYPE_F32) : sum;
}
uint64_t op_prelu(pto_dtype dtype, uint64_t a, uint64_t slope) { return apply(REF_PRELU, dtype, a, slope); }
uint64_t op_pow(pto_dtype dtype, uint64_t a, uint64_t b) { return ref_apply(REF_POW, dtype, a, b); }
uint64_t op_div(pto_dtype dtype, uint64_t a, uint64_t b) { return apply(REF_DIV, dtype, a, b); }

static int is_signed(pto_dtype dtype) {
  return dtype == PTO_DTYPE_I8 || dtype == PTO_DTYPE_I16 || dtype == PTO_DTYPE_I32 || dtype == PTO_DTYPE_I64;
}

/* Numbers in the order of the bits, with -0 just below +0. */
static uint64_t order_key(pto_dtype dtype, uint64_t a) {
  const uint64_t sign = op_sign_bit(dtype);
  if (is_float(dtype)) return (a & sign) != 0 ? ref_mask(dtype) - a : a | sign;
  return is_signed(dtype) ? a ^ sign : a;
}

uint64_t op_max(pto_dtype dtype, uint64_t a, uint64_t b) {
  if (ref_is_nan(dtype, a) || ref_is_nan(dtype, b)) return ref_nan(dtype);
  return order_key(dtype, a) > order_key(dtype, b) ? a : b;
}

uint64_t op_min(pto_dtype dtype, uint64_t a, uint64_t b) {
  if (ref_is_nan(dtype, a) || ref_is_nan(dtype, b)) return ref_nan(dtype);
  return order_key(dtype, a) < order_key(dtype, b) ? a : b;
}

uint64_t op_relu(pto_dtype dtype, uint64_t a) { return op_max(dtype, a, 0); }

int op_order(pto_dtype dtype, uint64_t a, uint64_t b) {
  if (ref_is_nan(dtype, a) || ref_is_nan(dtype, b)) return 2;
  if (is_float(dtype) && ((a | b) & ~op_sign_bit(dtype)) == 0) return 0;
  const uint64_t x = order_key(dtype, a);
  const uint64_t y = order_key(dtype, b);
  return x < y ? -1 : x > y;
}

uint64_t op_shift_left(pto_dtype dtype, uint64_t a, uint64_t count) {
  return a << (count & (uint64_t)(ref_width(dtype) - 1)) & ref_mask(dtype);
}

/* Bit by bit: above the top one is the sign, or 0. */
uint64_t op_shift_right(pto_dtype dtype, uint64_t a, uint64_t count) {
  const int width = ref_width(dtype);
  const int n = (int)(count & (uint64_t)(width - 1));
  const uint64_t fill = is_signed(dtype) ? a >> (width - 1) & 1 : 0;
  uint64_t result = 0;
  for (int bit = 0; bit < width; ++bit) result |= (bit + n < width ? a >> (bit + n) & 1 : fill) << bit;
  return result;
}

uint64_t op_rem(pto_dtype dtype, uint64_t a, uint64_t b) { return apply(REF_REM, dtype, a, b); }
uint64_t op_fmod(pto_dtype dtype, uint64_t a, uint64_t b) { return apply(REF_FMOD, dtype, a, b); }
uint64_t op_exp_difference(pto_dtype dtype, uint64_t a, uint64_t b) { return ref_apply(REF_EXPDIF, dtype, a, b); }

int op_near(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b, uint32_t flags, uint64_t got) {
  return dtype == PTO_DTYPE_F32 && (flags & PTO_HIGH_PRECISION) == 0 && ref_ulp_error(dtype, got, fn, a, b) <= 1;
}

const op_floats k_add_floats[k_add_float_count] = {
    {{1, 2}, 3},
    {{0.5F, -0.5F}, 0},
    {{INFINITY, -INFINITY}, NAN},
    {{INFINITY, 1}, INFINITY},
    {{-INFINITY, -INFINITY}, -INFINITY},
    {{0, -0.0F}, 0},
    {{-0.0F, -0.0F}, -0.0F},
    {{-0.0F, 0}, 0},
    {{NAN, 1}, NAN},
    {{1, NAN}, NAN},
    {{0x1p-24F, 0x1p-24F}, 0x1p-23F},
};
const op_bits k_add_bits[k_add_bit_count] = {
    {PTO_DTYPE_F32, {0x7f7fffff, 0x7f7fffff}, 0x7f800000}, /* overflow */
    {PTO_DTYPE_F32, {0x3f800000, 0x33800000}, 0x3f800000}, /* 1 + 2 ** -24: a tie, to even */
    {PTO_DTYPE_F32, {0x3f800001, 0x33800000}, 0x3f800002},
    {PTO_DTYPE_F32, {0x7f800001, 0x3f800000}, 0x7fc00000}, /* a signalling NaN becomes the canonical one */
    {PTO_DTYPE_F16, {0x7bff, 0x7bff}, 0x7c00},
    {PTO_DTYPE_F16, {0x3c01, 0x1000}, 0x3c02},
    {PTO_DTYPE_BF16, {0x3f81, 0x3b80}, 0x3f82},
    {PTO_DTYPE_I8, {127, 1}, -128},
    {PTO_DTYPE_U8, {200, 100}, 44},
    {PTO_DTYPE_I16, {-32768, -32768}, 0},
    {PTO_DTYPE_U16, {65535, 2}, 1},
    {PTO_DTYPE_I32, {INT32_MAX, 1}, INT32_MIN},
    {PTO_DTYPE_U32, {0xffffffff, 1}, 0},
    {PTO_DTYPE_I64, {INT64_MAX, 1}, INT64_MIN},
    {PTO_DTYPE_U64, {-1, 2}, 1},
};

const op_floats k_sub_floats[k_sub_float_count] = {
    {{3, 2}, 1},
    {{0.5F, 0.5F}, 0},
    {{-0.0F, 0}, -0.0F},
    {{-0.0F, -0.0F}, 0},
    {{INFINITY, INFINITY}, NAN},
    {{INFINITY, -INFINITY}, INFINITY},
    {{1, INFINITY}, -INFINITY},
    {{NAN, 1}, NAN},
    {{1, NAN}, NAN},
};
const op_bits k_sub_bits[k_sub_bit_count] = {
    {PTO_DTYPE_F32, {(int32_t)0xff7fffff, 0x7f7fffff}, (int32_t)0xff800000},
    {PTO_DTYPE_F32, {0x3f800000, 0x33000000}, 0x3f800000}, /* 1 - 2 ** -25: a tie, to even */
    {PTO_DTYPE_F16, {0x0001, 0x0002}, 0x8001},
    {PTO_DTYPE_BF16, {0x0001, 0x0002}, 0x8001},
    {PTO_DTYPE_I8, {-128, 1}, 127},
    {PTO_DTYPE_U8, {0, 1}, 255},
    {PTO_DTYPE_I16, {-32768, 1}, 32767},
    {PTO_DTYPE_U16, {1, 2}, 65535},
    {PTO_DTYPE_I32, {INT32_MIN, 1}, INT32_MAX},
    {PTO_DTYPE_U32, {0, 1}, 0xffffffff},
    {PTO_DTYPE_I64, {INT64_MIN, 1}, INT64_MAX},
    {PTO_DTYPE_U64, {0, 1}, -1},
};

const op_floats k_mul_floats[k_mul_float_count] = {
    {{6, 3}, 18},
    {{-6, 0.5F}, -3},
    {{0, INFINITY}, NAN},
    {{-0.0F, INFINITY}, NAN},
    {{0, -3}, -0.0F},
    {{-0.0F, -3}, 0},
    {{INFINITY, -2}, -INFINITY},
    {{NAN, 0}, NAN},
    {{0, NAN}, NAN},
    {{INFINITY, INFINITY}, INFINITY},
};
const op_bits k_mul_bits[k_mul_bit_count] = {
    {PTO_DTYPE_F32, {0x7f7fffff, 0x40000000}, 0x7f800000},
    {PTO_DTYPE_F32, {0x00000003, 0x3f000000}, 0x00000002}, /* a tie, to even */
    {PTO_DTYPE_F16, {0x0003, 0x3800}, 0x0002},
    {PTO_DTYPE_BF16, {0x7f7f, 0x4000}, 0x7f80},
    {PTO_DTYPE_I8, {100, 3}, 44},
    {PTO_DTYPE_U8, {255, 255}, 1},
    {PTO_DTYPE_I16, {300, 300}, 24464},
    {PTO_DTYPE_U16, {65535, 65535}, 1},
    {PTO_DTYPE_I32, {46341, 46341}, -2147479015},
    {PTO_DTYPE_U32, {65537, 65537}, 131073},
    {PTO_DTYPE_I64, {INT64_MIN, -1}, INT64_MIN},
    {PTO_DTYPE_U64, {-1, -1}, 1},
};

const op_floats k_div_floats[k_div_float_count] = {
    {{6, 3}, 2},
    {{-6, 3}, -2},
    {{1, 0}, INFINITY},
    {{-1, 0}, -INFINITY},
    {{1, -0.0F}, -INFINITY},
    {{0, 0}, NAN},
    {{-0.0F, 0}, NAN},
    {{INFINITY, INFINITY}, NAN},
    {{1, INFINITY}, 0},
    {{-1, INFINITY}, -0.0F},
    {{INFINITY, 2}, INFINITY},
    {{INFINITY, 0}, INFINITY},
    {{0, -3}, -0.0F},
    {{0, INFINITY}, 0},
    {{NAN, 1}, NAN},
    {{1, NAN}, NAN},
};
const op_bits k_div_bits[k_div_bit_count] = {
    {PTO_DTYPE_F32, {0x3f800000, 0x40400000}, 0x3eaaaaab}, /* 1 / 3 */
    {PTO_DTYPE_F32, {0x00000003, 0x40000000}, 0x00000002}, /* a tie, to even */
    {PTO_DTYPE_F16, {0x3c00, 0x4200}, 0x3555},
    {PTO_DTYPE_BF16, {0x3f80, 0x4040}, 0x3eab},
    {PTO_DTYPE_I8, {-7, 2}, -3},
    {PTO_DTYPE_I8, {-128, -1}, -128},
    {PTO_DTYPE_U8, {255, 0}, 0},
    {PTO_DTYPE_I16, {-32767, 2}, -16383},
    {PTO_DTYPE_I16, {9, 0}, 0},
    {PTO_DTYPE_U16, {65535, 65534}, 1},
    {PTO_DTYPE_I32, {INT32_MIN, -1}, INT32_MIN},
    {PTO_DTYPE_I32, {16777217, 1}, 16777217},
    {PTO_DTYPE_U32, {0xfffffffe, 0xffffffff}, 0},
    {PTO_DTYPE_I64, {INT64_MIN, -1}, INT64_MIN},
    {PTO_DTYPE_I64, {-9007199254740993, -1}, 9007199254740993}, /* more than a double holds */
    {PTO_DTYPE_U64, {-1, -2}, 1},
};

const op_floats k_max_floats[k_max_float_count] = {
    {{1, 2}, 2},
    {{-1, -2}, -1},
    {{0, -0.0F}, 0},
    {{-0.0F, 0}, 0},
    {{-0.0F, -0.0F}, -0.0F},
    {{INFINITY, 1}, INFINITY},
    {{-INFINITY, 1}, 1},
    {{NAN, 1}, NAN},
    {{1, NAN}, NAN},
    {{NAN, INFINITY}, NAN},
    {{-INFINITY, NAN}, NAN},
    {{-0.0F, -0x1p-24F}, -0.0F},
};
const op_bits k_max_bits[k_max_bit_count] = {
    {PTO_DTYPE_F32, {0x7f800001, 0}, 0x7fc00000},
    {PTO_DTYPE_F16, {0x0001, 0x8001}, 0x0001},
    {PTO_DTYPE_I8, {-128, 127}, 127},
    {PTO_DTYPE_U8, {128, 127}, 128},
    {PTO_DTYPE_I16, {-1, 0}, 0},
    {PTO_DTYPE_U32, {0x80000000, 1}, 0x80000000},
    {PTO_DTYPE_I64, {INT64_MIN, -1}, -1},
    {PTO_DTYPE_U64, {INT64_MIN, 1}, INT64_MIN},
};
const op_floats k_min_floats[k_min_float_count] = {
    {{1, 2}, 1},     {{-1, -2}, -2},          {{0, -0.0F}, -0.0F},         {{-0.0F, 0}, -0.0F},
    {{0, 0}, 0},     {{INFINITY, 1}, 1},      {{-INFINITY, 1}, -INFINITY}, {{NAN, 1}, NAN},
    {{1, NAN}, NAN}, {{NAN, -INFINITY}, NAN}, {{INFINITY, NAN}, NAN},      {{0x1p-24F, 0}, 0},
};
const op_bits k_min_bits[k_min_bit_count] = {
    {PTO_DTYPE_F32, {0, (int32_t)0xff800001}, 0x7fc00000},
    {PTO_DTYPE_F16, {0x0001, 0x8001}, 0x8001},
    {PTO_DTYPE_I8, {-128, 127}, -128},
    {PTO_DTYPE_U8, {128, 127}, 127},
    {PTO_DTYPE_I16, {-1, 0}, -1},
    {PTO_DTYPE_U32, {0x80000000, 1}, 1},
    {PTO_DTYPE_I64, {INT64_MIN, -1}, INT64_MIN},
    {PTO_DTYPE_U64, {INT64_MIN, 1}, 1},
};

const op_floats k_rem_floats[k_rem_float_count] = {
    {{7, 3}, 1},
    {{-7, 3}, 2},
    {{7, -3}, -2},
    {{-7, -3}, -1},
    {{6, 3}, 0},
    {{-6, 3}, -0.0F},
    {{6, -3}, 0},
    {{5, INFINITY}, 5},
    {{-5, INFINITY}, INFINITY},
    {{5, -INFINITY}, -INFINITY},
    {{5, 0}, NAN},
    {{INFINITY, 3}, NAN},
    {{NAN, 3}, NAN},
    {{5, NAN}, NAN},
};
const op_bits k_rem_bits[k_rem_bit_count] = {
    {PTO_DTYPE_I8, {-7, 3}, 2},
    {PTO_DTYPE_I8, {7, -3}, -2},
    {PTO_DTYPE_I8, {-128, -1}, 0},
    {PTO_DTYPE_I16, {5, 0}, 0},
    {PTO_DTYPE_U8, {255, 7}, 3},
    {PTO_DTYPE_I32, {-6, 3}, 0},
    {PTO_DTYPE_U32, {0xffffffff, 0x80000000}, 0x7fffffff},
    {PTO_DTYPE_I64, {INT64_MIN, -1}, 0},
    {PTO_DTYPE_I64, {-9007199254740993, 2}, 1},
    {PTO_DTYPE_F32, {0x7f7fffff, 0x40400000}, 0},
};
const op_floats k_fmod_floats[k_fmod_float_count] = {
    {{7, 3}, 1},          {{-7, 3}, -1}, {{7, -3}, 1}, {{-7, -3}, -1},      {{-6, 3}, -0.0F},     {{5, INFINITY}, 5},
    {{-5, INFINITY}, -5}, {{5, 0}, NAN}, {{0, 3}, 0},  {{-0.0F, 3}, -0.0F}, {{INFINITY, 3}, NAN}, {{5, NAN}, NAN},
};
const op_bits k_fmod_bits[k_fmod_bit_count] = {
    {PTO_DTYPE_I8, {-7, 3}, -1},
    {PTO_DTYPE_I8, {7, -3}, 1},
    {PTO_DTYPE_I8, {-128, -1}, 0},
    {PTO_DTYPE_I16, {5, 0}, 0},
    {PTO_DTYPE_U16, {65535, 256}, 255},
    {PTO_DTYPE_I32, {-7, 2}, -1},
    {PTO_DTYPE_I64, {-9007199254740993, 2}, -1},
    {PTO_DTYPE_U64, {-1, 2}, 1},
};
const op_floats k_exp_difference_floats[k_exp_difference_float_count] = {
    {{3, 3}, 1},
    {{-0.0F, 0}, 1},
    {{-INFINITY, 3}, 0},
    {{INFINITY, 3}, INFINITY},
    {{3, INFINITY}, 0},
    {{3, -INFINITY}, INFINITY},
    {{INFINITY, INFINITY}, NAN},
    {{NAN, 1}, NAN},
    {{1, NAN}, NAN},
};
const op_bits k_exp_difference_bits[k_exp_difference_bit_count] = {
    {PTO_DTYPE_F16, {0x3c00, 0}, 0x4170}, /* e */
    {PTO_DTYPE_BF16, {0x3f80, 0}, 0x402e},
    {PTO_DTYPE_F16, {0x7bff, 0xfbff}, 0x7c00},
    /* So near to the middle of two results that 2^-21.4 of the exponential is too much of an error. */
    {PTO_DTYPE_F16, {0x86a7, 0xb500}, 0x3d77},
    {PTO_DTYPE_F16, {0xc966, 0x9057}, 0x157},
    {PTO_DTYPE_F16, {0xbf20, 0x998c}, 0x3167},
};
