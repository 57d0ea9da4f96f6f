/* laid_tile.h: a tile over memory of the test's, whole or a view of a larger one, and the place of each of its
 * elements. */
#ifndef PTO_TESTS_TENSOR_LAID_TILE_H_
#define PTO_TESTS_TENSOR_LAID_TILE_H_

#include "layouts.h"
#include "tensor_help.h"

enum { k_laid_elements = 1 << 17 };

/* A view in the midst of a tile ends at the border of a box, of a boxed one at the tile's end. */
typedef enum laid_as { k_laid_whole, k_laid_view, k_laid_last } laid_as;

typedef struct laid_tile {
  pto_tile_desc desc; /* of the tile, or of the one that it is a view of */
  int32_t rows, cols, row, col, valid_rows, valid_cols;
  int view;
  int64_t bytes, at; /* from the memory's begin */
  int64_t map[k_laid_elements];
} laid_tile;

static inline void lay_out(laid_tile *t, const test_layout *layout, pto_dtype dtype, int32_t rows, int32_t cols,
                           laid_as as) {
  const int boxed = layout->slayout != PTO_SLAYOUT_NONE_BOX;
  const int more = as == k_laid_view && !boxed;
  t->rows = t->valid_rows = rows;
  t->cols = t->valid_cols = cols;
  t->view = as != k_laid_whole;
  t->row = t->view ? (boxed ? 32 : 3) : 0;
  t->col = t->view ? (boxed ? 32 : 2) : 0;
  t->desc = layout_desc(layout, dtype, t->row + rows + 2 * more, t->col + cols + more);
  assert_true((int64_t)t->desc.rows * t->desc.cols <= k_laid_elements);
  t->bytes = layout_map(&t->desc, t->map) * pto_dtype_bytes(dtype);
}

/* The same tile with a part of it valid; for a packed tile this decides where the elements are. */
static inline void lay_out_valid(laid_tile *t, int32_t valid_rows, int32_t valid_cols) {
  t->valid_rows = valid_rows;
  t->valid_cols = valid_cols;
  if (t->view) return;
  t->desc.valid_rows = valid_rows;
  t->desc.valid_cols = valid_cols;
  for (int32_t i = 0; i < t->rows * t->cols; ++i) t->map[i] = -1;
  layout_map(&t->desc, t->map);
}

static inline int64_t laid_element(const laid_tile *t, int32_t r, int32_t c) {
  return t->map[(int64_t)(t->row + r) * t->desc.cols + t->col + c];
}

/* Whether the tile has a place for element (r, c): a packed one has none for some rows. */
static inline int laid_has(const laid_tile *t, int32_t r, int32_t c) { return laid_element(t, r, c) >= 0; }

/* Where it is, in bytes from the memory's begin. */
static inline int64_t laid_place(const laid_tile *t, int32_t r, int32_t c) {
  return t->at + laid_element(t, r, c) * pto_dtype_bytes(t->desc.dtype);
}

static inline pto_tile *laid_tile_of(pto_context *ctx, const laid_tile *t, uint8_t *memory) {
  const pto_tile_desc desc = layout_asked(&t->desc);
  pto_tile *tile = pto_tile_wrap(ctx, &desc, memory + t->at, t->bytes);
  if (tile == NULL) fail_msg("%s", pto_context_error_message(ctx));
  if (!t->view) return tile;
  pto_tile *view = pto_tile_view(ctx, tile, t->row, t->col, t->rows, t->cols);
  if (view == NULL) fail_msg("%s", pto_context_error_message(ctx));
  pto_tile_release(tile);
  assert_ok(ctx, pto_tile_set_valid(ctx, view, t->valid_rows, t->valid_cols));
  return view;
}

#endif /* PTO_TESTS_TENSOR_LAID_TILE_H_ */
