/* typed_calls.h: the typed C function of any instruction. */
#ifndef PTO_TESTS_COMMON_TYPED_CALLS_H_
#define PTO_TESTS_COMMON_TYPED_CALLS_H_

#include "pto_c.h"

/* The operands of a call: tiles at their indices, tmp too; integers and modes in their order. */
typedef struct typed_operands {
  pto_tile *tiles[17];
  pto_tensor *tensor;
  pto_scalar scalar;
  int32_t numbers[13];
  uint32_t flags;
} typed_operands;

/* Calls the function of the instruction; PTO_ERROR_UNKNOWN, and no call, for an unknown id. */
pto_status typed_call(pto_context *ctx, int32_t op, const typed_operands *t);

/* Whether operands have shapes and contents that tests of all instructions do not know: test_irregular has them. */
static inline int has_own_shapes(int32_t op) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t extent = pto_op_operand_extent(op, i);
    if (extent == PTO_EXTENT_RECORDS || extent == PTO_EXTENT_BINS) return 1;
    if (extent == PTO_EXTENT_ROW_GROUPS || extent == PTO_EXTENT_COL_GROUPS) return 1;
  }
  return 0;
}

/* Whether an operand holds places of elements of another: 0 is one, any bits are not. */
static inline int holds_indices(int32_t op, int32_t operand) {
  const int32_t extent = pto_op_operand_extent(op, operand);
  return extent == PTO_EXTENT_INDEX || extent == PTO_EXTENT_BLOCK_INDEX || extent == PTO_EXTENT_TABLE_INDEX;
}

#endif /* PTO_TESTS_COMMON_TYPED_CALLS_H_ */
