/* scalar.c: the instructions of a tile and a scalar. */
#include <math.h>
#include <stddef.h>

#include "op_table.h"
#include "reference.h"

static uint64_t add(const op_element *e) { return op_add(e->dtype, e->src[0], e->scalar); }
static uint64_t sub(const op_element *e) { return op_sub(e->dtype, e->src[0], e->scalar); }
static uint64_t mul(const op_element *e) { return op_mul(e->dtype, e->src[0], e->scalar); }
static uint64_t div(const op_element *e) { return op_div(e->dtype, e->src[0], e->scalar); }
static uint64_t div_scalar(const op_element *e) { return op_div(e->dtype, e->scalar, e->src[0]); }
static uint64_t min(const op_element *e) { return op_min(e->dtype, e->src[0], e->scalar); }
static uint64_t max(const op_element *e) { return op_max(e->dtype, e->src[0], e->scalar); }
static uint64_t and_of(const op_element *e) { return e->src[0] & e->scalar; }
static uint64_t or_of(const op_element *e) { return e->src[0] | e->scalar; }
static uint64_t xor_of(const op_element *e) { return e->src[0] ^ e->scalar; }
static uint64_t shl(const op_element *e) { return op_shift_left(e->dtype, e->src[0], e->scalar); }
static uint64_t shr(const op_element *e) { return op_shift_right(e->dtype, e->src[0], e->scalar); }
static uint64_t lrelu(const op_element *e) { return op_prelu(e->dtype, e->src[0], e->scalar); }
static uint64_t axpy(const op_element *e) {
  if (e->src_dtype == e->dtype) return op_fma(e->dtype, e->src[0], e->scalar, e->dst);
  return op_fma(e->dtype, ref_convert(e->dtype, e->src_dtype, e->src[0]),
                ref_convert(e->dtype, e->src_dtype, e->scalar), e->dst);
}
static uint64_t add_add(const op_element *e) { return op_add(e->dtype, add(e), e->src[1]); }
static uint64_t sub_add(const op_element *e) { return op_add(e->dtype, sub(e), e->src[1]); }
static uint64_t pow_of(const op_element *e) { return op_pow(e->dtype, e->src[0], e->scalar); }
static int pow_near(const op_element *e, uint32_t flags, uint64_t got) {
  return op_near(REF_POW, e->dtype, e->src[0], e->scalar, flags, got);
}
static uint64_t expand(const op_element *e) { return e->scalar; }

static uint64_t rem(const op_element *e) { return op_rem(e->dtype, e->src[0], e->scalar); }
static uint64_t fmod_of(const op_element *e) { return op_fmod(e->dtype, e->src[0], e->scalar); }

/* The element, then the scalar. */
static const op_floats k_div_scalar[] = {
    {{2, 1}, 0.5F}, {{0, 1}, INFINITY},      {{-0.0F, 1}, -INFINITY},
    {{0, 0}, NAN},  {{INFINITY, -1}, -0.0F}, {{1, NAN}, NAN},
};
static const op_bits k_div_scalar_bits[] = {
    {PTO_DTYPE_I8, {2, -7}, -3},  {PTO_DTYPE_I8, {-1, -128}, -128},
    {PTO_DTYPE_U8, {0, 9}, 0},    {PTO_DTYPE_F32, {0x40400000, 0x3f800000}, 0x3eaaaaab},
    {PTO_DTYPE_U64, {-2, -1}, 1},
};
static const op_bits k_and[] = {{PTO_DTYPE_U8, {0xf0, 0x3c}, 0x30}, {PTO_DTYPE_I64, {-1, INT64_MIN}, INT64_MIN}};
static const op_bits k_or[] = {{PTO_DTYPE_U8, {0xf0, 0x3c}, 0xfc}, {PTO_DTYPE_U64, {1, INT64_MIN}, INT64_MIN + 1}};
static const op_bits k_xor[] = {{PTO_DTYPE_U8, {0xf0, 0x3c}, 0xcc}, {PTO_DTYPE_I64, {-1, INT64_MIN}, INT64_MAX}};
static const op_bits k_shl[] = {
    {PTO_DTYPE_I8, {1, 7}, -128}, {PTO_DTYPE_I8, {1, 8}, 1},           {PTO_DTYPE_I16, {3, -1}, -32768},
    {PTO_DTYPE_U32, {1, 33}, 2},  {PTO_DTYPE_I64, {1, 63}, INT64_MIN},
};
static const op_bits k_shr[] = {
    {PTO_DTYPE_I8, {-128, 7}, -1},        {PTO_DTYPE_U8, {128, 7}, 1},          {PTO_DTYPE_I16, {-3, 17}, -2},
    {PTO_DTYPE_U32, {0x80000000, 63}, 1}, {PTO_DTYPE_I64, {INT64_MIN, 62}, -2},
};
static const op_floats k_lrelu[] = {
    {{3, -1}, 3}, {{-2, 0.5F}, -1}, {{0, NAN}, NAN}, {{-0.0F, 2}, -0.0F}, {{NAN, 2}, NAN}, {{0, -2}, -0.0F},
};
static const op_bits k_lrelu_bits[] = {{PTO_DTYPE_I8, {-100, 2}, 56}, {PTO_DTYPE_U64, {0, 7}, 0}};
/* src, scalar, dst. */
static const op_floats k_axpy[] = {{{2, 3, 4}, 10}, {{0, INFINITY, 1}, NAN}, {{INFINITY, 1, -INFINITY}, NAN}};
static const op_bits k_axpy_bits[] = {
    {PTO_DTYPE_F32, {0x3f800800, 0x3f800800, (int32_t)0xbf801000}, 0x33800000, {0}, PTO_DTYPE_F32 + 1},
    /* 65504 * 65504, which f16 has not */
    {PTO_DTYPE_F32, {0x7bff, 0x7bff, 0}, 0x4f7fc004, {0}, PTO_DTYPE_F16 + 1},
    {PTO_DTYPE_F32, {1, 1, 0}, 0x27800000, {0}, PTO_DTYPE_F16 + 1},
    {PTO_DTYPE_I16, {300, 300, 1}, 24465, {0}, PTO_DTYPE_I16 + 1},
};
/* src0, src1, scalar. */
static const op_floats k_add_add[] = {{{1, 3, 2}, 6}, {{INFINITY, -INFINITY, 1}, NAN}};
static const op_bits k_add_add_bits[] = {
    {PTO_DTYPE_F32, {0x3f800000, (int32_t)0xbf800000, 0x33800000}, 0},
    {PTO_DTYPE_F16, {0x7bff, 0xfbff, 0x7bff}, 0x7c00}, /* the first sum overflows */
    {PTO_DTYPE_I8, {100, 100, 100}, 44},
};
static const op_floats k_sub_add[] = {{{1, 3, 2}, 2}, {{INFINITY, 1, INFINITY}, NAN}};
static const op_bits k_sub_add_bits[] = {{PTO_DTYPE_F32, {0x3f800000, (int32_t)0xbf800000, 0x33000000}, 0},
                                         {PTO_DTYPE_I8, {-100, 1, 100}, 57}};
static const op_floats k_pow[] = {
    {{NAN, 0}, 1}, {{1, NAN}, 1}, {{-1, INFINITY}, 1}, {{-0.0F, -3}, -INFINITY}, {{2, 10}, 1024}};
static const op_bits k_pow_bits[] = {
    {PTO_DTYPE_I8, {0, -1}, 0}, {PTO_DTYPE_I16, {0, 0}, 1}, {PTO_DTYPE_U32, {2, 32}, 0}};
static const op_floats k_expand[] = {{{2.5F}, 2.5F}, {{-0.0F}, -0.0F}, {{-INFINITY}, -INFINITY}};
static const op_bits k_expand_bits[] = {
    {PTO_DTYPE_F32, {0x7f800001}, 0x7f800001}, {PTO_DTYPE_F16, {0xfe01}, 0xfe01}, {PTO_DTYPE_I8, {-128}, -128},
    {PTO_DTYPE_I64, {INT64_MIN}, INT64_MIN},   {PTO_DTYPE_U64, {-1}, -1},
};

static const op_entry k_entries[] = {
    {.name = "tadds", .element = add, OP_KNOWN(add)},
    {.name = "tsubs", .element = sub, OP_KNOWN(sub)},
    {.name = "tmuls", .element = mul, OP_KNOWN(mul)},
    {.name = "tdivs", .element = div, OP_KNOWN(div)},
    {.name = "tdivs_scalar", .element = div_scalar, OP_FLOATS(k_div_scalar), OP_BITS(k_div_scalar_bits)},
    {.name = "tmins", .element = min, OP_KNOWN(min)},
    {.name = "tmaxs", .element = max, OP_KNOWN(max)},
    {.name = "tands", .element = and_of, OP_BITS(k_and)},
    {.name = "tors", .element = or_of, OP_BITS(k_or)},
    {.name = "txors", .element = xor_of, OP_BITS(k_xor)},
    {.name = "tshls", .element = shl, OP_BITS(k_shl)},
    {.name = "tshrs", .element = shr, OP_BITS(k_shr)},
    {.name = "tlrelu", .element = lrelu, OP_FLOATS(k_lrelu), OP_BITS(k_lrelu_bits)},
    {.name = "taxpy", .element = axpy, OP_FLOATS(k_axpy), OP_BITS(k_axpy_bits)},
    {.name = "taddsc", .element = add_add, OP_FLOATS(k_add_add), OP_BITS(k_add_add_bits)},
    {.name = "tsubsc", .element = sub_add, OP_FLOATS(k_sub_add), OP_BITS(k_sub_add_bits)},
    {.name = "tpows", .element = pow_of, .near = pow_near, OP_FLOATS(k_pow), OP_BITS(k_pow_bits)},
    {.name = "trems", .element = rem, .tmp = TMP_ROW, OP_KNOWN(rem)},
    {.name = "tfmods", .element = fmod_of, OP_KNOWN(fmod)},
    {.name = "texpands", .element = expand, OP_FLOATS(k_expand), OP_BITS(k_expand_bits)},
};
OP_FAMILY(k_family_scalar);
