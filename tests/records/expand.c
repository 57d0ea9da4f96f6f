/* expand.c: one element per row or column beside all; the walk knows which one. */
#include <math.h>
#include <stddef.h>

#include "op_table.h"

static uint64_t copy(const op_element *e) { return e->src[0]; }
static uint64_t add(const op_element *e) { return op_add(e->dtype, e->src[0], e->src[1]); }
static uint64_t sub(const op_element *e) { return op_sub(e->dtype, e->src[0], e->src[1]); }
static uint64_t mul(const op_element *e) { return op_mul(e->dtype, e->src[0], e->src[1]); }
static uint64_t div(const op_element *e) { return op_div(e->dtype, e->src[0], e->src[1]); }
static uint64_t min(const op_element *e) { return op_min(e->dtype, e->src[0], e->src[1]); }
static uint64_t max(const op_element *e) { return op_max(e->dtype, e->src[0], e->src[1]); }

static uint64_t exp_difference(const op_element *e) { return op_exp_difference(e->dtype, e->src[0], e->src[1]); }
static int exp_difference_near(const op_element *e, uint32_t flags, uint64_t got) {
  return op_near(REF_EXPDIF, e->dtype, e->src[0], e->src[1], flags, got);
}

static const op_bits k_copy[] = {
    {PTO_DTYPE_F32, {0x7f800001}, 0x7f800001}, {PTO_DTYPE_F16, {0xfe01}, 0xfe01}, {PTO_DTYPE_I64, {-3}, -3}};

static const op_entry k_entries[] = {
    {.name = "tcolexpand", .element = copy, OP_BITS(k_copy)},
    {.name = "tcolexpandadd", .element = add, OP_KNOWN(add)},
    {.name = "tcolexpandsub", .element = sub, OP_KNOWN(sub)},
    {.name = "tcolexpandmul", .element = mul, OP_KNOWN(mul)},
    {.name = "tcolexpanddiv", .element = div, OP_KNOWN(div)},
    {.name = "tcolexpandexpdif", .element = exp_difference, .near = exp_difference_near, OP_KNOWN(exp_difference)},
    {.name = "tcolexpandmin", .element = min, OP_KNOWN(min)},
    {.name = "tcolexpandmax", .element = max, OP_KNOWN(max)},
    {.name = "trowexpand", .element = copy, OP_BITS(k_copy)},
    {.name = "trowexpandadd", .element = add, OP_KNOWN(add)},
    {.name = "trowexpandsub", .element = sub, OP_KNOWN(sub)},
    {.name = "trowexpandmul", .element = mul, OP_KNOWN(mul)},
    {.name = "trowexpanddiv", .element = div, OP_KNOWN(div)},
    {.name = "trowexpandexpdif", .element = exp_difference, .near = exp_difference_near, OP_KNOWN(exp_difference)},
    {.name = "trowexpandmin", .element = min, OP_KNOWN(min)},
    {.name = "trowexpandmax", .element = max, OP_KNOWN(max)},
};
OP_FAMILY(k_family_expand);
