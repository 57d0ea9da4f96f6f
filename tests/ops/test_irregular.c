/*
 * test_irregular.c: instructions that move elements by indices and patterns, against what the ISA says of one element
 * at a time.
 */
#include <string.h>

#include "irregular_case.h"
#include "testing.h"
#include "values.h"

static const int32_t k_regions[][2] = {{1, 1}, {3, 5}, {8, 8}, {16, 17}, {5, 32}, {1, 37}, {7, 1}, {0, 4}, {2, 300}};

static void draw_region(tile_case *t, int n) {
  const int known = (int)(sizeof k_regions / sizeof *k_regions);
  const int at = n % (known + 3);
  t->valid_rows = at < known ? k_regions[at][0] : 1 + (int32_t)case_draw(20);
  t->valid_cols = at < known ? k_regions[at][1] : 1 + (int32_t)case_draw(40);
}

static void like(tile_case *t, const tile_case *other, int more) {
  t->valid_rows = other->valid_rows + (more ? (int32_t)case_draw(3) : 0);
  t->valid_cols = other->valid_cols + (more ? (int32_t)case_draw(4) : 0);
}

/* A whole number of 32 bytes, of which hardware makes rows. */
static void whole_rows(const irregular_case *c, tile_case *t) {
  const int32_t unit = 32 / pto_dtype_bytes(t->dtype);
  if (c->hardware) t->valid_cols = (t->valid_cols + unit - 1) / unit * unit;
  t->full = c->hardware;
}

/* ---- by an index tile ---- */

/* The largest index that a type has. */
static int64_t largest(pto_dtype dtype) {
  const int bits = 8 * pto_dtype_bytes(dtype);
  const int sign = dtype == PTO_DTYPE_I16 || dtype == PTO_DTYPE_I32;
  return (INT64_C(1) << (bits - sign)) - 1;
}

/* Indices of valid elements of `of`; now and then one is not. */
static void fill_indices(const tile_case *of, const tile_case *indices, int32_t rows, int32_t cols) {
  for (int32_t r = 0; r < rows; ++r) {
    for (int32_t k = 0; k < cols; ++k) {
      int64_t index = -1;
      while (index < 0 || index > largest(indices->dtype)) {
        const int32_t row = (int32_t)case_draw(case_one_in(4) ? 1 : (uint32_t)of->valid_rows);
        index = (int64_t)row * of->cols + (int32_t)case_draw((uint32_t)of->valid_cols);
      }
      case_set(indices, r, k, (uint64_t)index);
    }
  }
  if (!case_one_in(6) || rows == 0 || cols == 0) return;
  const int64_t all = (int64_t)of->rows * of->cols;
  int64_t wrong = case_one_in(2) ? (int64_t)of->valid_rows * of->cols : all + (int64_t)case_draw(1000);
  if (case_one_in(3)) wrong = -1 - (int64_t)case_draw(3);
  if (of->valid_cols < of->cols && case_one_in(2)) wrong = of->valid_cols;
  if (wrong > largest(indices->dtype)) return;
  /* -1 of a type without a sign is large. */
  if (wrong < 0 && indices->dtype == PTO_DTYPE_U16 && all >= 65533) return;
  case_set(indices, (int32_t)case_draw((uint32_t)rows), (int32_t)case_draw((uint32_t)cols), (uint64_t)wrong);
}

/* Element `index` of a tile, as the tile's columns count; 0: there is none. */
static int find(const tile_case *of, const tile_case *indices, int32_t r, int32_t k, int32_t *row, int32_t *col) {
  const uint64_t bits = case_get(indices, r, k);
  int64_t index = (int64_t)bits;
  if (indices->dtype == PTO_DTYPE_I16) index = (int16_t)bits;
  if (indices->dtype == PTO_DTYPE_I32) index = (int32_t)bits;
  if (index < 0) return 0;
  *row = (int32_t)(index / of->cols);
  *col = (int32_t)(index % of->cols);
  return index / of->cols < of->valid_rows && *col < of->valid_cols;
}

static void judge_indices(irregular_case *c, const tile_case *of, const tile_case *indices, int32_t rows,
                          int32_t cols) {
  int32_t row, col;
  for (int32_t r = 0; r < rows; ++r) {
    for (int32_t k = 0; k < cols; ++k) {
      if (!find(of, indices, r, k, &row, &col)) c->refused = "index-range";
    }
  }
}

static void shape_gather(irregular_case *c) {
  draw_region(&c->tile[0], c->n);
  whole_rows(c, &c->tile[0]);
  c->tile[1].valid_rows = 1 + (int32_t)case_draw(9);
  c->tile[1].valid_cols = 1 + (int32_t)case_draw(40);
  c->tile[1].full = case_one_in(2);
  like(&c->tile[2], &c->tile[0], !c->hardware);
}
static void fill_gather(irregular_case *c) {
  const tile_case *dst = &c->tile[0];
  fill_indices(&c->tile[1], &c->tile[2], dst->valid_rows, dst->valid_cols);
  judge_indices(c, &c->tile[1], &c->tile[2], dst->valid_rows, dst->valid_cols);
}
static void want_gather(irregular_case *c) {
  const tile_case *dst = &c->tile[0];
  int32_t row = 0, col = 0;
  for (int32_t r = 0; r < dst->valid_rows; ++r) {
    for (int32_t k = 0; k < dst->valid_cols; ++k) {
      assert_true(find(&c->tile[1], &c->tile[2], r, k, &row, &col));
      case_want(dst, r, k, case_get(&c->tile[1], row, col));
    }
  }
}

static void shape_scatter(irregular_case *c) {
  draw_region(&c->tile[1], c->n);
  c->tile[0].valid_rows = 1 + (int32_t)case_draw(9);
  c->tile[0].valid_cols = 1 + (int32_t)case_draw(40);
  c->tile[0].full = case_one_in(2);
  like(&c->tile[2], &c->tile[1], !c->hardware);
}
static void fill_scatter(irregular_case *c) {
  const tile_case *src = &c->tile[1];
  fill_indices(&c->tile[0], &c->tile[2], src->valid_rows, src->valid_cols);
  judge_indices(c, &c->tile[0], &c->tile[2], src->valid_rows, src->valid_cols);
}
static void want_scatter(irregular_case *c) {
  const tile_case *dst = &c->tile[0];
  const tile_case *src = &c->tile[1];
  int32_t row = 0, col = 0;
  if (src->valid_rows == 0 || src->valid_cols == 0) return;
  for (int32_t r = 0; r < dst->rows; ++r) {
    for (int32_t k = 0; k < dst->cols; ++k) case_want(dst, r, k, 0);
  }
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    for (int32_t k = 0; k < src->valid_cols; ++k) {
      assert_true(find(dst, &c->tile[2], r, k, &row, &col));
      case_want(dst, row, col, case_get(src, r, k));
    }
  }
}

/* ---- blocks of 32 bytes ---- */

static int32_t blocks(const tile_case *t) { return (t->valid_cols * pto_dtype_bytes(t->dtype) + 31) / 32; }

static void shape_gatherb(irregular_case *c) {
  draw_region(&c->tile[0], c->n);
  c->tile[1].valid_rows = 1 + (int32_t)case_draw(9);
  c->tile[1].valid_cols = 1 + (int32_t)case_draw(80);
  if (case_one_in(2)) c->tile[1].valid_cols = 64;
  c->tile[1].full = case_one_in(2);
  like(&c->tile[2], &c->tile[0], 1);
  c->tile[2].valid_cols = blocks(&c->tile[0]) + (int32_t)case_draw(2);
}
static int32_t taken(const tile_case *dst, int32_t block) {
  const int32_t unit = 32 / pto_dtype_bytes(dst->dtype);
  const int32_t left = dst->valid_cols - block * unit;
  return left < unit ? left : unit;
}
/* Whether the elements from a byte on are all valid. */
static int whole_block(const tile_case *dst, const tile_case *src, uint64_t at, int32_t block) {
  const uint64_t size = (uint64_t)pto_dtype_bytes(src->dtype);
  if (at % size != 0) return 0;
  for (int32_t j = 0; j < taken(dst, block); ++j) {
    const uint64_t element = at / size + (uint64_t)j;
    if (element / (uint64_t)src->cols >= (uint64_t)src->valid_rows) return 0;
    if (element % (uint64_t)src->cols >= (uint64_t)src->valid_cols) return 0;
  }
  return 1;
}
static void fill_gatherb(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *src = &c->tile[1], *offset = &c->tile[2];
  const uint32_t size = (uint32_t)pto_dtype_bytes(src->dtype);
  const int wrong = case_one_in(4);
  for (int32_t r = 0; r < dst->valid_rows; ++r) {
    for (int32_t b = 0; b < blocks(dst); ++b) {
      uint32_t at = 0;
      for (int turn = 0; turn < 8; ++turn) {
        at = case_draw((uint32_t)(src->rows * src->cols)) * size;
        if (wrong || whole_block(dst, src, at, b)) break;
      }
      if (wrong && case_one_in(6)) at += 1;
      case_set(offset, r, b, at);
    }
  }
  for (int32_t r = 0; r < dst->valid_rows; ++r) {
    for (int32_t b = 0; b < blocks(dst); ++b) {
      if (!whole_block(dst, src, case_get(offset, r, b), b)) c->refused = "index-range";
    }
  }
}
static void want_gatherb(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *src = &c->tile[1];
  const int32_t size = pto_dtype_bytes(src->dtype);
  for (int32_t r = 0; r < dst->valid_rows; ++r) {
    for (int32_t k = 0; k < dst->valid_cols; ++k) {
      const uint64_t byte = case_get(&c->tile[2], r, k * size / 32) + (uint64_t)(k * size % 32);
      const int32_t element = (int32_t)(byte / (uint64_t)size);
      case_want(dst, r, k, case_get(src, element / src->cols, element % src->cols));
    }
  }
}

/* ---- by a pattern ---- */

static int picks(const irregular_case *c, int32_t at) {
  static const char *const k_patterns[] = {"0101", "1010", "0001", "0010", "0100", "1000", "1111"};
  return k_patterns[c->numbers[0]][3 - at % 4] == '1';
}
static int32_t picked(const irregular_case *c, int32_t count) {
  int32_t n = 0;
  for (int32_t k = 0; k < count; ++k) n += picks(c, k);
  return n;
}

static void shape_pick(irregular_case *c) {
  tile_case *dst = &c->tile[0], *src = &c->tile[1];
  c->numbers[0] = c->n % 7;
  c->numbers[1] = c->n / 7 % 2;
  draw_region(src, c->n);
  if (c->numbers[1] == PTO_GATHER_AXIS_COL) {
    dst->valid_rows = picked(c, src->valid_rows);
    dst->valid_cols = src->valid_cols;
    if (!c->hardware) {
      dst->valid_rows += (int32_t)case_draw(3);
      dst->valid_cols += (int32_t)case_draw(3);
    }
  } else {
    const int32_t all = src->valid_rows * picked(c, src->valid_cols);
    dst->valid_cols = 1 + (int32_t)case_draw((uint32_t)(all > 63 ? 63 : all + 1));
    whole_rows(c, dst);
    dst->valid_rows = (all + dst->valid_cols - 1) / dst->valid_cols + (int32_t)case_draw(2);
  }
  if (c->hardware || !case_one_in(8)) return;
  /* Room for all but one. */
  if (dst->valid_rows > 0 && src->valid_rows * picked(c, src->valid_cols) > 0) {
    if (c->numbers[1] == PTO_GATHER_AXIS_COL && picked(c, src->valid_rows) == 0) return;
    dst->valid_rows = c->numbers[1] == PTO_GATHER_AXIS_COL
                          ? picked(c, src->valid_rows) - 1
                          : (src->valid_rows * picked(c, src->valid_cols) - 1) / dst->valid_cols;
    c->refused = "pick-room";
  }
}
static void want_pick(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *src = &c->tile[1];
  int32_t n = 0, line = 0;
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    for (int32_t k = 0; k < src->valid_cols; ++k) {
      const int by_row = c->numbers[1] == PTO_GATHER_AXIS_ROW;
      if (!picks(c, by_row ? k : r)) continue;
      if (by_row) case_want(dst, n / dst->valid_cols, n % dst->valid_cols, case_get(src, r, k));
      if (!by_row) case_want(dst, line, k, case_get(src, r, k));
      ++n;
    }
    line += picks(c, r);
  }
}

static void shape_spread(irregular_case *c) {
  tile_case *dst = &c->tile[0], *src = &c->tile[1];
  c->numbers[0] = c->n % 7;
  c->numbers[1] = c->n / 7 % 2;
  draw_region(dst, c->n);
  int32_t *along = c->numbers[1] == PTO_SCATTER_AXIS_ROW ? &dst->valid_cols : &dst->valid_rows;
  if (c->hardware) *along = (*along + 3) / 4 * 4;
  like(src, dst, 0);
  *(c->numbers[1] == PTO_SCATTER_AXIS_ROW ? &src->valid_cols : &src->valid_rows) = picked(c, *along);
  if (!c->hardware) like(src, src, 1);
}
static void want_spread(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *src = &c->tile[1];
  const int by_row = c->numbers[1] == PTO_SCATTER_AXIS_ROW;
  for (int32_t r = 0; r < dst->valid_rows; ++r) {
    for (int32_t k = 0; k < dst->valid_cols; ++k) {
      const int32_t at = by_row ? k : r;
      const int32_t from = picked(c, at);
      case_want(dst, r, k, picks(c, at) ? case_get(src, by_row ? r : from, by_row ? from : k) : 0);
    }
  }
}

static const irregular_op k_ops[] = {
    {"tgather", shape_gather, fill_gather, want_gather},     {"tgather_mask", shape_pick, NULL, want_pick},
    {"tgatherb", shape_gatherb, fill_gatherb, want_gatherb}, {"tscatter", shape_scatter, fill_scatter, want_scatter},
    {"tscatter_mask", shape_spread, NULL, want_spread},
};

static const irregular_op *g_op;
static void test_one(void **state) {
  (void)state;
  irregular_run(g_op, 300);
}

int main(void) {
  int failed = 0;
  irregular_create();
  for (size_t i = 0; i < sizeof k_ops / sizeof *k_ops; ++i) {
    g_op = &k_ops[i];
    const struct CMUnitTest tests[] = {{g_op->name, test_one, NULL, NULL, NULL}};
    failed += cmocka_run_group_tests_name(g_op->name, tests, NULL, NULL);
  }
  irregular_release();
  return failed == 0 && pto_live_handles() == 0 ? 0 : 1;
}
