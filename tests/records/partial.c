/* partial.c: what is computed where both sources are valid; elsewhere the valid one is copied, which the walk does. */
#include <stddef.h>

#include "op_table.h"

static uint64_t add(const op_element *e) { return op_add(e->dtype, e->src[0], e->src[1]); }
static uint64_t mul(const op_element *e) { return op_mul(e->dtype, e->src[0], e->src[1]); }
static uint64_t min(const op_element *e) { return op_min(e->dtype, e->src[0], e->src[1]); }
static uint64_t max(const op_element *e) { return op_max(e->dtype, e->src[0], e->src[1]); }

/* Equal values give the pair of src1, and so does a NaN of src1. */
static int takes_first(const op_element *e, int order) {
  const int nan0 = op_order(e->dtype, e->src[0], e->src[0]) == 2;
  const int nan1 = op_order(e->dtype, e->src[1], e->src[1]) == 2;
  return !nan1 && (nan0 || op_order(e->dtype, e->src[0], e->src[1]) == order);
}
static uint64_t argmax(const op_element *e) { return e->src[takes_first(e, 1) ? 0 : 1]; }
static uint64_t argmax_index(const op_element *e) { return e->src[takes_first(e, 1) ? 2 : 3]; }
static uint64_t argmin(const op_element *e) { return e->src[takes_first(e, -1) ? 0 : 1]; }
static uint64_t argmin_index(const op_element *e) { return e->src[takes_first(e, -1) ? 2 : 3]; }

static const op_bits k_argmax[] = {
    {PTO_DTYPE_F32, {0x40000000, 0x3f800000}, 0x40000000},
    {PTO_DTYPE_F32, {0, (int32_t)0x80000000}, (int32_t)0x80000000}, /* equal: src1 */
    {PTO_DTYPE_F32, {(int32_t)0x80000000, 0}, 0},
    {PTO_DTYPE_F32, {0x7fc00001, 0x7f800000}, 0x7fc00001}, /* a NaN wins, bit for bit */
    {PTO_DTYPE_F32, {0x7f800000, 0x7f800001}, 0x7f800001},
    {PTO_DTYPE_F16, {0x7e01, 0x7e02}, 0x7e02},
};
static const op_bits k_argmin[] = {
    {PTO_DTYPE_F32, {0x40000000, 0x3f800000}, 0x3f800000},
    {PTO_DTYPE_F32, {0, (int32_t)0x80000000}, (int32_t)0x80000000},
    {PTO_DTYPE_F32, {0x7fc00001, (int32_t)0xff800000}, 0x7fc00001},
    {PTO_DTYPE_F16, {0x7e01, 0x7e02}, 0x7e02},
    {PTO_DTYPE_I8, {-128, 127}, -128},
};

static const op_entry k_entries[] = {
    {.name = "tpartadd", .element = add, OP_KNOWN(add)},
    {.name = "tpartmul", .element = mul, OP_KNOWN(mul)},
    {.name = "tpartmin", .element = min, OP_KNOWN(min)},
    {.name = "tpartmax", .element = max, OP_KNOWN(max)},
    {.name = "tpartargmax", .element = argmax, .second = argmax_index, OP_BITS(k_argmax)},
    {.name = "tpartargmin", .element = argmin, .second = argmin_index, OP_BITS(k_argmin)},
};
OP_FAMILY(k_family_partial);
