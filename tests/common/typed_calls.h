/* typed_calls.h: the typed C function of any instruction. */
#ifndef PTO_TESTS_COMMON_TYPED_CALLS_H_
#define PTO_TESTS_COMMON_TYPED_CALLS_H_

#include "pto_c.h"

/* The operands of a call: tiles at their indices, tmp too; integers and modes in their order. */
typedef struct typed_operands {
  pto_tile *tiles[8];
  pto_tensor *tensor;
  pto_scalar scalar;
  int32_t numbers[4];
  uint32_t flags;
} typed_operands;

/* Calls the function of the instruction; PTO_ERROR_UNKNOWN, and no call, for an id that is none. */
pto_status typed_call(pto_context *ctx, int32_t op, const typed_operands *t);

#endif /* PTO_TESTS_COMMON_TYPED_CALLS_H_ */
