/*
 * test_irregular.c: instructions that move elements by indices, comparisons and patterns, against the ISA's rule for
 * one element at a time. Sorting, merging and counting are in test_records.c.
 */
#include <math.h>
#include <string.h>

#include "irregular_case.h"
#include "op_table.h"
#include "reference.h"
#include "testing.h"
#include "values.h"

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

/* Element `index` of a tile, as the tile's columns count; 0 if it does not exist. */
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
  if (c->profile == PTO_PROFILE_A5) {
    /* Whole rows of indices, too. */
    c->tile[0].valid_cols = (c->tile[0].valid_cols + 15) / 16 * 16;
    c->tile[2].full = 1;
  }
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

/* ---- by comparing ---- */

/* The value of a float, and a number rounded to those that a type has. */
static int is_integer(pto_dtype dtype) { return !values_is_float(dtype); }
static int is_signed(pto_dtype dtype) {
  return dtype == PTO_DTYPE_I8 || dtype == PTO_DTYPE_I16 || dtype == PTO_DTYPE_I32 || dtype == PTO_DTYPE_I64;
}
static double value_of(pto_dtype dtype, uint64_t bits) {
  if (is_integer(dtype)) {
    const int width = pto_dtype_bits(dtype);
    const int64_t top = (int64_t)1 << (width - 1);
    const int64_t number = (int64_t)(bits & (((uint64_t)1 << width) - 1));
    return (double)(is_signed(dtype) ? (number ^ top) - top : number);
  }
  const ref_format *f = ref_format_of(dtype);
  const int sign = bits >> (f->width - 1) & 1;
  const int exponent = (int)(bits >> f->fraction & ((UINT64_C(1) << (f->width - 1 - f->fraction)) - 1));
  const double fraction = (double)(bits & ((UINT64_C(1) << f->fraction) - 1));
  double value = ldexp(fraction, 1 - f->bias - f->fraction);
  if (exponent != 0) value = ldexp(fraction + ldexp(1, f->fraction), exponent - f->bias - f->fraction);
  if (exponent == 2 * f->bias + 1) value = fraction == 0 ? INFINITY : NAN;
  return sign ? -value : value;
}
static double rounded(pto_dtype dtype, double number) {
  const ref_format *f = ref_format_of(dtype);
  int exponent = 0;
  (void)frexp(number, &exponent);
  const double unit = ldexp(1, exponent - 1 - f->fraction);
  const double near = number == 0 ? 0 : nearbyint(number / unit) * unit;
  return fabs(near) >= ldexp(1, f->bias + 1) ? copysign(INFINITY, near) : near;
}

static void shape_find(irregular_case *c) {
  tile_case *dst = &c->tile[0], *cdst = &c->tile[1], *src = &c->tile[2], *k_value = &c->tile[3];
  draw_region(src, c->n);
  if (src->valid_cols == 0) src->valid_cols = 3;
  dst->valid_rows = src->valid_rows + (int32_t)case_draw(3);
  dst->valid_cols = case_one_in(3) ? (int32_t)case_draw(9) : src->valid_cols;
  if (cdst->dtype != dst->dtype) cdst->dtype = dst->dtype;
  cdst->valid_rows = src->valid_rows;
  cdst->valid_cols = 1;
  cdst->tall = case_one_in(2);
  k_value->valid_rows = src->valid_rows + (c->hardware ? 0 : (int32_t)case_draw(2));
  k_value->valid_cols = 1;
  k_value->tall = case_one_in(2);
  if (c->count == 5) c->tile[4].valid_rows = c->tile[4].valid_cols = 8, c->tile[4].dtype = PTO_DTYPE_F32;
  c->numbers[0] = (int32_t)case_draw(3) * 1000 - 5;
  c->numbers[1] = c->profile == PTO_PROFILE_CPU ? (int32_t)case_draw(6) : case_one_in(2) ? PTO_CMP_GT : PTO_CMP_EQ;
  const int equal = c->profile == PTO_PROFILE_A2A3 && src->dtype == PTO_DTYPE_I32;
  if (equal && c->numbers[1] == PTO_CMP_GT) c->refused = "find-mode";
}
/* Small whole numbers, some zeros of both signs and NaN, and thresholds, a few of them large. */
static void fill_find(irregular_case *c) {
  const tile_case *src = &c->tile[2], *k_value = &c->tile[3];
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    for (int32_t k = 0; k < src->valid_cols; ++k) {
      const float value = case_one_in(9) ? -0.0F : (float)case_draw(5) - 2;
      const int integer = is_integer(src->dtype);
      const uint64_t bits = integer ? (uint64_t)(int64_t)value : values_of_float(src->dtype, value);
      case_set(src, r, k, !integer && case_one_in(11) ? ref_nan(src->dtype) : bits);
    }
  }
  for (int32_t r = 0; r < k_value->valid_rows; ++r) {
    const int64_t most = k_value->dtype == PTO_DTYPE_I32 ? INT32_MAX : UINT32_MAX;
    const int64_t small = (int64_t)case_draw(4) - 1;
    const int64_t large = most - (int64_t)case_draw(70000);
    const int own = k_value->dtype != PTO_DTYPE_I32 && k_value->dtype != PTO_DTYPE_U32;
    const int64_t value = own || !case_one_in(6) ? small : large;
    case_set(k_value, r, 0,
             is_integer(k_value->dtype) ? (uint64_t)value : values_of_float(k_value->dtype, (float)value));
  }
}
static void want_find(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *cdst = &c->tile[1], *src = &c->tile[2], *k_value = &c->tile[3];
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    const uint64_t bits = case_get(k_value, r, 0);
    const double number = value_of(k_value->dtype, bits);
    const double limit = is_integer(src->dtype) ? number : rounded(src->dtype, number);
    int32_t found = 0;
    for (int32_t k = 0; k < src->valid_cols; ++k) {
      const double x = value_of(src->dtype, case_get(src, r, k));
      const int fits[] = {x == limit, x != limit, x<limit, x <= limit, x> limit, x >= limit};
      if (!fits[c->numbers[1]]) continue;
      const uint32_t place = (uint32_t)c->numbers[0] + (uint32_t)r * (uint32_t)src->cols + (uint32_t)k;
      if (found < dst->valid_cols) case_want(dst, r, found, place);
      ++found;
    }
    case_want(cdst, r, 0, (uint64_t)found);
  }
}

static void shape_scatter(irregular_case *c) {
  draw_region(&c->tile[1], c->n);
  c->tile[0].valid_rows = 1 + (int32_t)case_draw(9);
  c->tile[0].valid_cols = 1 + (int32_t)case_draw(40);
  c->tile[0].full = case_one_in(2);
  like(&c->tile[2], &c->tile[1], !c->hardware);
  /* Fewer indices than elements. */
  if (case_one_in(4)) c->tile[2].valid_rows = (int32_t)case_draw((uint32_t)c->tile[1].valid_rows + 1);
  if (case_one_in(8)) c->tile[2].valid_cols = (int32_t)case_draw((uint32_t)c->tile[1].valid_cols + 1);
}
/* The elements that have an index. */
static int32_t moved_rows(const irregular_case *c) {
  return c->tile[1].valid_rows < c->tile[2].valid_rows ? c->tile[1].valid_rows : c->tile[2].valid_rows;
}
static int32_t moved_cols(const irregular_case *c) {
  return c->tile[1].valid_cols < c->tile[2].valid_cols ? c->tile[1].valid_cols : c->tile[2].valid_cols;
}
static void fill_scatter(irregular_case *c) {
  fill_indices(&c->tile[0], &c->tile[2], moved_rows(c), moved_cols(c));
  judge_indices(c, &c->tile[0], &c->tile[2], moved_rows(c), moved_cols(c));
}
static void want_scatter(irregular_case *c) {
  const tile_case *dst = &c->tile[0];
  const tile_case *src = &c->tile[1];
  int32_t row = 0, col = 0;
  if (moved_rows(c) == 0 || moved_cols(c) == 0) return;
  for (int32_t r = 0; r < dst->rows; ++r) {
    for (int32_t k = 0; k < dst->cols; ++k) case_want(dst, r, k, 0);
  }
  for (int32_t r = 0; r < moved_rows(c); ++r) {
    for (int32_t k = 0; k < moved_cols(c); ++k) {
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
    {"tgather", shape_gather, fill_gather, want_gather},     {"tgather_cmp", shape_find, fill_find, want_find},
    {"tgather_mask", shape_pick, NULL, want_pick},           {"tgatherb", shape_gatherb, fill_gatherb, want_gatherb},
    {"tscatter", shape_scatter, fill_scatter, want_scatter}, {"tscatter_mask", shape_spread, NULL, want_spread},
};

int main(void) {
  const int failed = irregular_all(k_ops, sizeof k_ops / sizeof *k_ops);
  return failed == 0 && pto_live_handles() == 0 ? 0 : 1;
}
