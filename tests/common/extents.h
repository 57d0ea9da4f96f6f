/* extents.h: the valid regions of operands whose elements an instruction moves elsewhere. */
#ifndef PTO_TESTS_COMMON_EXTENTS_H_
#define PTO_TESTS_COMMON_EXTENTS_H_

#include "pto_c.h"

/* rows x cols of the lead operand become the extents of another operand whose extent is one of moves. */
static inline void extent_of_move(int32_t op, int32_t operand, int32_t *rows, int32_t *cols) {
  const int32_t extent = pto_op_operand_extent(op, operand);
  if (extent == PTO_EXTENT_TRANSPOSED) {
    const int32_t swapped = *rows;
    *rows = *cols;
    *cols = swapped;
  } else if (extent == PTO_EXTENT_DOUBLE) {
    *cols *= 2;
  } else if (extent == PTO_EXTENT_JOINED) {
    const int first = pto_op_operand_extent(op, operand - 1) != PTO_EXTENT_JOINED;
    *cols = first ? *cols / 2 : *cols - *cols / 2;
  }
}

/* Whether integers say where a window begins: 0 always is a place. */
static inline int extent_has_window(int32_t op) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (pto_op_operand_extent(op, i) == PTO_EXTENT_WINDOW) return 1;
  }
  return 0;
}

/* Rows are halved: their columns are an even number. */
static inline int extent_is_even(int32_t op) {
  int32_t tiles[2] = {0, 0};
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (pto_op_operand_role(op, i) == PTO_ROLE_OUT) ++tiles[0];
    if (pto_op_operand_role(op, i) == PTO_ROLE_IN && pto_op_operand_extent(op, i) == PTO_EXTENT_SAME) ++tiles[1];
  }
  return tiles[0] == 2 && tiles[1] == 2;
}

#endif /* PTO_TESTS_COMMON_EXTENTS_H_ */
