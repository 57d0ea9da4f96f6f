/* Worlds of ranks for tests. For one source file each: everything is static. */
#ifndef PTO_TESTS_RANKS_RANKS_HELP_H_
#define PTO_TESTS_RANKS_RANKS_HELP_H_

#include <string.h>

#include "pto_c.h"
#include "testing.h"

enum { k_most_ranks = 64 };

static inline void ok(const pto_context *ctx, pto_status status) {
  if (status != PTO_OK) fail_msg("%s [%s]", pto_context_error_message(ctx), pto_context_error_rule(ctx));
}

/* A descriptor without gaps; dimensions below 0 end it. */
static inline pto_tensor_desc dense(pto_dtype dtype, int64_t rows, int64_t cols) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = 2;
  desc.dim0 = rows;
  desc.dim1 = cols;
  return desc;
}

/* Elements of a window. */
static inline pto_tensor *window(pto_context *ctx, pto_world *world, int32_t rank, pto_dtype dtype, int64_t rows,
                                 int64_t cols, int64_t offset) {
  const pto_tensor_desc desc = dense(dtype, rows, cols);
  pto_tensor *tensor = pto_world_tensor(ctx, world, rank, &desc, offset);
  if (tensor == NULL) fail_msg("%s", pto_context_error_message(ctx));
  return tensor;
}

#endif /* PTO_TESTS_RANKS_RANKS_HELP_H_ */
