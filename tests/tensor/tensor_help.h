/* What the tests of tensors, transfers and tile views share: contexts, tiles and
 * tensors that may not fail, and checks of refusals. */
#ifndef PTO_TESTS_TENSOR_TENSOR_HELP_H_
#define PTO_TESTS_TENSOR_TENSOR_HELP_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pto_c.h"

/* The call was refused with this status and rule, at this operand. */
static inline void assert_rule(const pto_context *ctx, pto_status status, const char *rule, const char *operand) {
  assert_string_equal(pto_context_error_rule(ctx), rule);
  assert_int_equal(pto_context_error(ctx), status);
  assert_string_equal(pto_context_error_operand(ctx), operand);
  assert_true(strlen(pto_context_error_message(ctx)) > 10);
  assert_true(strlen(pto_context_error_remedy(ctx)) > 10);
}

static inline pto_context *context(pto_profile profile) {
  pto_context *ctx = pto_context_create(profile);
  assert_non_null(ctx);
  return ctx;
}

static inline pto_tile_desc tile_desc(pto_dtype dtype, int32_t rows, int32_t cols) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.rows = rows;
  desc.cols = cols;
  desc.valid_rows = PTO_VALID_ALL;
  desc.valid_cols = PTO_VALID_ALL;
  return desc;
}

/* As the C API takes it, where an extent of 0 is one that was left out. */
static inline pto_tile_desc asked(const pto_tile_desc *desc) {
  pto_tile_desc all = *desc;
  if (all.valid_rows == 0) all.valid_rows = PTO_VALID_NONE;
  if (all.valid_cols == 0) all.valid_cols = PTO_VALID_NONE;
  return all;
}

static inline pto_tile *make_tile(pto_context *ctx, const pto_tile_desc *desc) {
  const pto_tile_desc all = asked(desc);
  pto_tile *tile = pto_tile_create_from(ctx, &all);
  if (tile == NULL) fail_msg("%s", pto_context_error_message(ctx));
  return tile;
}

static inline pto_tensor_desc matrix_desc(pto_dtype dtype, int64_t rows, int64_t cols) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.rank = 2;
  desc.dim0 = rows;
  desc.dim1 = cols;
  return desc;
}

static inline pto_tensor *make_tensor(pto_context *ctx, const pto_tensor_desc *desc) {
  pto_tensor *tensor = pto_tensor_create(ctx, desc);
  if (tensor == NULL) fail_msg("%s", pto_context_error_message(ctx));
  return tensor;
}

static inline void assert_ok(const pto_context *ctx, pto_status status) {
  if (status != PTO_OK) fail_msg("%s", pto_context_error_message(ctx));
}

/* Places of elements, in the order of rows. */
typedef struct elements {
  const int64_t *at;
  int32_t rows, cols;
} elements;

/* The first that is where an earlier one is, and the first of those; -1: each has a place of its own. */
static inline int64_t first_shared(elements e, int64_t *earlier) {
  const int64_t count = (int64_t)e.rows * e.cols;
  int64_t room = 1, found = -1;
  for (int64_t i = 0; i < count; ++i) room = e.at[i] < room ? room : e.at[i] + 1;
  int64_t *owner = (int64_t *)calloc((size_t)room, sizeof *owner);
  assert_non_null(owner);
  for (int64_t i = 0; i < count && found < 0; ++i) {
    if (owner[e.at[i]] != 0) {
      found = i;
      *earlier = owner[e.at[i]] - 1;
    }
    owner[e.at[i]] = i + 1;
  }
  free(owner);
  return found;
}

/* The result of a store that overwrites: 1 if it must be refused, and is, with the elements that meet. */
static inline int overlaps(const pto_context *ctx, pto_status status, const char *name, elements e) {
  int64_t earlier = 0;
  const int64_t later = first_shared(e, &earlier);
  if (later < 0) {
    assert_ok(ctx, status);
    return 0;
  }
  assert_int_equal(status, PTO_ERROR_SHAPE);
  assert_rule(ctx, PTO_ERROR_SHAPE, "tensor-overlap", "dst");
  char want[200];
  snprintf(
      want, sizeof want,
      "%s: dst has elements (%lld, %lld) and (%lld, %lld) (row, column) in one place, %lld elements from its first",
      name, (long long)(earlier / e.cols), (long long)(earlier % e.cols), (long long)(later / e.cols),
      (long long)(later % e.cols), (long long)e.at[later]);
  assert_string_equal(pto_context_error_message(ctx), want);
  return 1;
}

/* Bytes that differ from element to element: a small generator, the same everywhere. */
static inline void fill(void *data, size_t bytes, uint32_t seed) {
  uint8_t *out = (uint8_t *)data;
  uint32_t state = seed * 2654435761u + 1u;
  for (size_t i = 0; i < bytes; ++i) {
    state = state * 1664525u + 1013904223u;
    out[i] = (uint8_t)(state >> 24);
  }
}

#endif
