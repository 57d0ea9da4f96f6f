/*
 * run_op.h: runs one instruction over packed elements.
 */
#ifndef PTO_TESTS_ACCURACY_RUN_OP_H_
#define PTO_TESTS_ACCURACY_RUN_OP_H_

#include <stddef.h>
#include <stdint.h>

#include "pto_c.h"

/*
 * Sets up an instruction of one or two sources on rows x cols tiles over the
 * caller's memory, which must outlive it: the first source is a, the second b,
 * of b_rows rows. Run it by pto_inst_run() as often as needed, release it by
 * pto_inst_release(). Returns NULL after a message on stderr.
 */
pto_inst *run_op_prepare(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, int32_t rows, int32_t cols,
                         int32_t b_rows, const void *a, const void *b, void *out);

/*
 * Runs an instruction of one or two sources on 1 x count tiles over the
 * caller's memory: the first source is a, the second b. Returns 1, or 0 after a
 * message on stderr.
 */
int run_op(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, size_t count, const void *a, const void *b,
           void *out);

/* The results of an instruction: its outputs, one after another in the caller's memory. */
typedef struct run_result {
  int outputs;
  void *data[2];
  pto_dtype dtype[2];
  size_t count[2];
} run_result;

/*
 * In how many ways an instruction reads elements of a type: by its modes, by some integers and scalars, and by
 * the types that other operands may have. 0: it does not.
 */
int run_op_variants(int32_t op, pto_dtype dtype);

/*
 * Runs any instruction over tiles in one of these ways, on as much of a and b as it can use: a and b in turn are its
 * sources, elements of b its scalars. `out` has room for 16 bytes an element and 256 more. As a row; down a column
 * where elements of the result have a row's scalar; in lines where lines are folded. Returns 1, or 0 after a
 * message on stderr.
 */
int run_op_variant(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, int variant, size_t count,
                   const void *a, const void *b, void *out, run_result *result);

/* The n-th flag word of an instruction: 0 first, then each flag it takes. None for transfers: tests/tensor has them. */
int run_op_flags(int32_t op, int index, uint32_t *flags);

/* A CPU context for each supported target in turn; NULL after the last one. */
pto_context *run_op_next_context(int32_t *target);

#endif /* PTO_TESTS_ACCURACY_RUN_OP_H_ */
