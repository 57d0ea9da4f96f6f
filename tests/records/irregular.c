/* irregular.c: instructions whose operands have shapes of their own. */
#include <stddef.h>

#include "op_table.h"

static const op_entry k_entries[] = {
    {.name = "tgather", .elsewhere = "ops/test_irregular"},
    {.name = "tgather_cmp", .elsewhere = "ops/test_irregular"},
    {.name = "tgather_mask", .elsewhere = "ops/test_irregular"},
    {.name = "tgatherb", .elsewhere = "ops/test_irregular"},
    {.name = "tscatter", .elsewhere = "ops/test_irregular"},
    {.name = "tscatter_mask", .elsewhere = "ops/test_irregular"},
    {.name = "tsort32", .elsewhere = "ops/test_irregular"},
    {.name = "tmrgsort", .elsewhere = "ops/test_irregular"},
    {.name = "tmrgsort_four", .elsewhere = "ops/test_irregular"},
    {.name = "tmrgsort_three", .elsewhere = "ops/test_irregular"},
    {.name = "tmrgsort_two", .elsewhere = "ops/test_irregular"},
    {.name = "thistogram", .elsewhere = "ops/test_irregular"},
    {.name = "tquant_dn", .elsewhere = "ops/test_quantise"},
    {.name = "tquant_mx", .elsewhere = "ops/test_quantise"},
};
OP_FAMILY(k_family_irregular);
