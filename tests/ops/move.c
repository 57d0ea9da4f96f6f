/* move.c: bits that move. Transfers between tiles and tensors have tests of their own. */
#include <stddef.h>

#include "op_table.h"

static uint64_t copy(const op_element *e) { return e->src[0]; }

static const op_bits k_copy[] = {
    {PTO_DTYPE_F32, {0x7f800001}, 0x7f800001}, {PTO_DTYPE_F16, {0xfc01}, 0xfc01}, {PTO_DTYPE_I64, {-3}, -3}};

static const op_entry k_entries[] = {
    {.name = "tmov", .element = copy, OP_BITS(k_copy)},
    {.name = "tload", .elsewhere = "tests/tensor"},
    {.name = "tstore", .elsewhere = "tests/tensor"},
};
OP_FAMILY(k_family_move);
