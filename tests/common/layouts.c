/*
 * layouts.c: tile memory walked in order: boxes in the order of the BLayout, the
 * elements of a box in the order of the SLayout. Boxes that stand out over the
 * tile's edge take their full place, except down the columns of an Nz tile, whose
 * boxes are whole rows that follow each other.
 */
#include "layouts.h"

#include <string.h>

#define LAYOUTS(fractal)                                                                          \
  {"Zz" #fractal, PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_ROW_MAJOR, fractal, PTO_COMPACT_NULL},       \
      {"Zn" #fractal, PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_COL_MAJOR, fractal, PTO_COMPACT_NULL},   \
      {"Nz" #fractal, PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, fractal, PTO_COMPACT_NULL}, { \
    "Nn" #fractal, PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_COL_MAJOR, fractal, PTO_COMPACT_NULL        \
  }

const test_layout k_layouts[k_layout_count] = {
    {"ND", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_NONE_BOX, 0, PTO_COMPACT_NULL},
    {"DN", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_NONE_BOX, 0, PTO_COMPACT_NULL},
    LAYOUTS(512),
    LAYOUTS(1024),
    LAYOUTS(32),
    {"Nz512 packed", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 512, PTO_COMPACT_NORMAL},
    {"Nn512 packed", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_COL_MAJOR, 512, PTO_COMPACT_NORMAL},
    {"Nz512 with a row", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 512, PTO_COMPACT_ROW_PLUS_ONE},
    {"Nn1024 with a row", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_COL_MAJOR, 1024, PTO_COMPACT_ROW_PLUS_ONE},
};

pto_tile_desc layout_desc(const test_layout *layout, pto_dtype dtype, int32_t rows, int32_t cols) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rows = rows;
  desc.cols = cols;
  desc.valid_rows = PTO_VALID_ALL;
  desc.valid_cols = PTO_VALID_ALL;
  desc.blayout = layout->blayout;
  desc.slayout = layout->slayout;
  desc.fractal = layout->fractal;
  desc.compact = layout->compact;
  return desc;
}

/* The rows and columns of a box; of an unboxed tile, the tile's. */
static void box_size(const pto_tile_desc *desc, int32_t *rows, int32_t *cols) {
  *rows = desc->rows;
  *cols = desc->cols;
  if (desc->slayout == PTO_SLAYOUT_NONE_BOX) return;
  int32_t length = 32 / pto_dtype_bytes(desc->dtype);
  if (desc->fractal == 1024) length = 16;
  if (desc->fractal == 32) length = 2;
  *rows = desc->slayout == PTO_SLAYOUT_ROW_MAJOR ? 16 : length;
  *cols = desc->slayout == PTO_SLAYOUT_ROW_MAJOR ? length : 16;
}

/* Numbers the places of the box at (row, col), one line after another. */
static int64_t walk_box(const pto_tile_desc *desc, int32_t row, int32_t col, int32_t rows, int32_t cols, int by_rows,
                        int64_t at, int64_t *map) {
  const int32_t lines = by_rows ? rows : cols;
  const int32_t length = by_rows ? cols : rows;
  for (int32_t i = 0; i < lines; ++i) {
    for (int32_t k = 0; k < length; ++k, ++at) {
      const int32_t r = row + (by_rows ? i : k);
      const int32_t c = col + (by_rows ? k : i);
      if (r < desc->rows && c < desc->cols) map[(int64_t)r * desc->cols + c] = at;
    }
  }
  return at;
}

int64_t layout_map(const pto_tile_desc *desc, int64_t *map) {
  const int by_rows = desc->blayout == PTO_BLAYOUT_ROW_MAJOR;
  int32_t box_rows = 0;
  int32_t box_cols = 0;
  box_size(desc, &box_rows, &box_cols);
  if (desc->slayout == PTO_SLAYOUT_NONE_BOX) {
    return walk_box(desc, 0, 0, desc->rows, desc->cols, by_rows, 0, map);
  }
  const int inner_by_rows = desc->slayout == PTO_SLAYOUT_ROW_MAJOR;
  /* Rows of a column of boxes: all, or just the rows of 16 and whole boxes that hold the valid ones. */
  const int columns = desc->blayout == PTO_BLAYOUT_COL_MAJOR;
  int32_t rows = desc->rows;
  if (columns && desc->compact == PTO_COMPACT_NORMAL && desc->valid_rows != PTO_VALID_ALL) {
    int32_t some = 16;
    while (some < desc->valid_rows || some % box_rows != 0) some += 16;
    if (some < rows) rows = some;
  }
  const int64_t gap = columns && desc->compact == PTO_COMPACT_ROW_PLUS_ONE ? box_cols : 0;
  const int32_t down = (rows + box_rows - 1) / box_rows;
  const int32_t across = (desc->cols + box_cols - 1) / box_cols;
  int64_t at = 0;
  for (int32_t i = 0; i < down * across; ++i) {
    const int32_t row = (by_rows ? i / across : i % down) * box_rows;
    const int32_t col = (by_rows ? i % across : i / down) * box_cols;
    const int32_t left = rows - row;
    const int32_t lines = !by_rows && inner_by_rows && left < box_rows ? left : box_rows;
    at = walk_box(desc, row, col, lines, box_cols, inner_by_rows, at, map);
    if (row + box_rows >= rows) at += gap;
  }
  /* The storage has room for all rows, whichever are valid. */
  if (rows < desc->rows) {
    const int32_t whole = inner_by_rows ? desc->rows : (desc->rows + box_rows - 1) / box_rows * box_rows;
    return (int64_t)across * box_cols * whole;
  }
  return at;
}

pto_tile_desc layout_asked(const pto_tile_desc *desc) {
  pto_tile_desc asked = *desc;
  if (asked.valid_rows == 0) asked.valid_rows = PTO_VALID_NONE;
  if (asked.valid_cols == 0) asked.valid_cols = PTO_VALID_NONE;
  return asked;
}
