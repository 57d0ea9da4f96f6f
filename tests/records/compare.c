/* compare.c: one bit per element, and selections by such bits. The walk knows how bits lie in tiles. */
#include <math.h>
#include <stddef.h>

#include "op_table.h"

static uint64_t holds(const op_element *e, uint64_t a, uint64_t b) {
  const int order = op_order(e->dtype, a, b);
  switch (e->numbers[0]) {
    case PTO_CMP_EQ:
      return order == 0;
    case PTO_CMP_NE:
      return order != 0;
    case PTO_CMP_LT:
      return order == -1;
    case PTO_CMP_LE:
      return order == -1 || order == 0;
    case PTO_CMP_GT:
      return order == 1;
    default:
      return order == 1 || order == 0;
  }
}
static uint64_t compare(const op_element *e) { return holds(e, e->src[0], e->src[1]); }
static uint64_t compare_scalar(const op_element *e) { return holds(e, e->src[0], e->scalar); }
static uint64_t select_tile(const op_element *e) { return e->src[0] != 0 ? e->src[1] : e->src[2]; }
static uint64_t select_scalar(const op_element *e) { return e->src[0] != 0 ? e->src[1] : e->scalar; }

static const op_bits k_compare[] = {
    {PTO_DTYPE_F32, {0, (int32_t)0x80000000}, 1, {PTO_CMP_EQ}},
    {PTO_DTYPE_F32, {0, (int32_t)0x80000000}, 0, {PTO_CMP_GT}},
    {PTO_DTYPE_F32, {0x7fc00000, 0x7fc00000}, 0, {PTO_CMP_EQ}},
    {PTO_DTYPE_F32, {0x7fc00000, 0x7fc00000}, 1, {PTO_CMP_NE}},
    {PTO_DTYPE_F32, {0x7f800001, 0}, 0, {PTO_CMP_LT}},
    {PTO_DTYPE_F32, {0, 0x7fc00000}, 0, {PTO_CMP_GE}},
    {PTO_DTYPE_F32, {0x3f800000, 0x3f800001}, 1, {PTO_CMP_LT}}, /* nothing is tolerated */
    {PTO_DTYPE_F32, {1, 0}, 1, {PTO_CMP_GT}},                   /* nor flushed */
    {PTO_DTYPE_F16, {0x7c00, 0x7bff}, 1, {PTO_CMP_GE}},
    {PTO_DTYPE_F16, {0xfc00, 0x7e01}, 1, {PTO_CMP_NE}},
    {PTO_DTYPE_BF16, {0x8000, 0x0000}, 1, {PTO_CMP_LE}},
    {PTO_DTYPE_I8, {-128, 127}, 1, {PTO_CMP_LT}},
    {PTO_DTYPE_U8, {128, 127}, 1, {PTO_CMP_GT}},
    {PTO_DTYPE_I16, {-1, -1}, 1, {PTO_CMP_LE}},
    {PTO_DTYPE_U16, {0xffff, 1}, 0, {PTO_CMP_LE}},
    {PTO_DTYPE_I32, {16777217, 16777216}, 0, {PTO_CMP_EQ}}, /* more than f32 tells apart */
    {PTO_DTYPE_U32, {0x80000000, 0x7fffffff}, 1, {PTO_CMP_GE}},
    {PTO_DTYPE_I64, {INT64_MIN, INT64_MAX}, 1, {PTO_CMP_LT}},
    {PTO_DTYPE_U64, {INT64_MIN, INT64_MAX}, 1, {PTO_CMP_GT}},
};
/* The bit, then the two. */
static const op_bits k_select[] = {
    {PTO_DTYPE_F32, {1, 0x7f800001, 0}, 0x7f800001},
    {PTO_DTYPE_F32, {0, 0, 0x7f800001}, 0x7f800001},
    {PTO_DTYPE_U8, {1, 2, 3}, 2},
    {PTO_DTYPE_U8, {0, 2, 3}, 3},
    {PTO_DTYPE_I64, {0, 1, INT64_MIN}, INT64_MIN},
};

static const op_entry k_entries[] = {
    {.name = "tcmp", .element = compare, OP_BITS(k_compare)},
    {.name = "tcmps", .element = compare_scalar, OP_BITS(k_compare)},
    {.name = "tcmps_tile", .element = compare, OP_BITS(k_compare)},
    {.name = "tsel", .element = select_tile, OP_BITS(k_select)},
    {.name = "tsels", .element = select_scalar, OP_BITS(k_select)},
};
OP_FAMILY(k_family_compare);
