/*
 * op_tests.c: the cases of an instruction: element types, layouts, odd regions,
 * profiles, aliasing, broadcasts and partial regions, known results, and the
 * caller's floating-point environment. Each case runs on every SIMD target.
 */
#include "op_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strange_fp.h"
#include "testing.h"
#include "values.h"

static const op_under_test *g_op;
static op_bench *g_bench;
static const known_float *g_floats;
static int g_float_count;
static const known_bits *g_bits;
static int g_bit_count;

/* Odd, one column, one row, whole boxes, more than a vector of anything, empty. */
static const int32_t k_regions[][2] = {{1, 1},   {3, 5}, {15, 15}, {16, 17}, {19, 1}, {1, 37},
                                       {16, 32}, {0, 5}, {5, 0},   {0, 0},   {33, 71}};
enum { k_region_count = sizeof k_regions / sizeof *k_regions };

/* tests/tensor/test_packed.c has the packed types. */
static int takes(pto_dtype dtype) { return pto_op_supports(pto_op_find(g_op->name), PTO_PROFILE_CPU, dtype, 0); }

static int32_t at_least_one(int32_t n) { return n < 1 ? 1 : n; }

static int32_t round_up(int32_t n, int32_t unit) { return (n + unit - 1) / unit * unit; }

/* Row-major tiles of a region; allocated larger by different amounts, or exact when `slack` is 0. */
static op_case plain_case(pto_dtype dtype, int32_t rows, int32_t cols, int slack) {
  op_case c;
  memset(&c, 0, sizeof c);
  c.dtype = dtype;
  for (int i = 0; i <= op_bench_sources(g_bench); ++i) {
    case_tile *t = &c.tile[i];
    const int extra = (slack + i) % 3;
    t->rows = at_least_one(rows) + (slack == 0 ? 0 : extra);
    t->cols = at_least_one(cols) + (slack == 0 ? 0 : 2 * extra + 1);
    t->valid_rows = rows;
    t->valid_cols = cols;
    t->base = -1;
  }
  /* The scalars of an expanding instruction: a row is needed, also for an empty dst, and two
   * allocated columns, or a column-major tile would look like scalars down a column. */
  if (g_op->walk == OP_WALK_COL_EXPAND) {
    c.tile[2].valid_rows = at_least_one(rows / 2);
    if (cols == 0) c.tile[2].cols = 2;
  }
  return c;
}

/* Rows of a multiple of 32 bytes, which the hardware profiles need. */
static void make_legal(op_case *c) {
  const int32_t unit = 32 / pto_dtype_bytes(c->dtype);
  c->hardware = 1;
  for (int i = 0; i <= op_bench_sources(g_bench); ++i) {
    case_tile *t = &c->tile[i];
    if (t->layout == k_layout_nd) t->cols = round_up(t->cols, unit);
    if (t->layout == k_layout_dn) t->rows = round_up(t->rows, unit);
  }
}

#define FOR_DTYPES(dtype)                                                                          \
  for (pto_dtype dtype = PTO_DTYPE_I8; pto_dtype_bits(dtype) >= 8; dtype = (pto_dtype)(dtype + 1)) \
    if (takes(dtype))

/* Every layout of each operand beside every layout of the others. */
static void test_layouts(void **state) {
  (void)state;
  const int last = op_bench_sources(g_bench) == 2 ? k_layout_usual : 1;
  FOR_DTYPES(dtype) {
    for (int r = 0; r < k_region_count; ++r) {
      /* Large regions with each seventh pair of layouts only, as under sanitizers all: 7 and 6 have no common factor.
       */
      const int step = sparse() > 1 || k_regions[r][0] * k_regions[r][1] > 300 ? 7 : 1;
      for (int i = 0; i < k_layout_usual * k_layout_usual * last; i += step) {
        op_case c = plain_case(dtype, k_regions[r][0], k_regions[r][1], i % 4);
        c.tile[0].layout = i % k_layout_usual;
        c.tile[1].layout = i / k_layout_usual % k_layout_usual;
        if (last > 1) c.tile[2].layout = i / k_layout_usual / k_layout_usual;
        op_case_run(g_bench, &c);
      }
    }
  }
}

/* Boxes of every size, all operands alike and beside row-major ones. */
static void test_boxes(void **state) {
  (void)state;
  FOR_DTYPES(dtype) {
    for (int layout = k_layout_usual; layout < k_layout_count; ++layout) {
      for (int r = 0; r < k_region_count; ++r) {
        for (int boxed = 1; boxed < 8; ++boxed) {
          op_case c = plain_case(dtype, k_regions[r][0], k_regions[r][1], r % 4);
          for (int i = 0; i <= op_bench_sources(g_bench); ++i)
            c.tile[i].layout = (boxed >> i & 1) != 0 ? layout : k_layout_nd;
          op_case_run(g_bench, &c);
        }
      }
    }
  }
}

/* Calls that every profile accepts, with and without tmp. */
static void test_profiles(void **state) {
  (void)state;
  FOR_DTYPES(dtype) {
    for (int r = 0; r < k_region_count; ++r) {
      for (int slack = 0; slack < 4; ++slack) {
        for (int tmp = 0; tmp <= (g_op->tmp != OP_TMP_NONE); ++tmp) {
          op_case c = plain_case(dtype, k_regions[r][0], k_regions[r][1], slack);
          make_legal(&c);
          c.tmp = tmp;
          op_case_run(g_bench, &c);
        }
      }
    }
  }
}

/*
 * One source on dst or shifted by some elements, in memory of one size or of
 * another line length; the other source apart, on dst too, or over the first one.
 */
static void alias_case(pto_dtype dtype, int32_t rows, int32_t cols, const int *layouts, int32_t shift, int variant) {
  const int sources = op_bench_sources(g_bench);
  op_case c = plain_case(dtype, rows, cols, 0);
  const int which = 1 + variant % sources;
  const int other = 3 - which;
  for (int i = 0; i <= sources; ++i) c.tile[i].layout = layouts[i == which];
  if (layouts[0] == k_layout_nd && layouts[1] == k_layout_nd) make_legal(&c);
  /* An instruction with a mask forbids overlap under A2A3, powers of f32 do, too; A2A3 is not run without tmp. */
  c.tmp = g_op->tmp == OP_TMP_LIKE_DST && (g_op->fn != REF_POW || dtype != PTO_DTYPE_F32);
  if (variant / sources % 2 == 1) c.tile[which].cols += c.hardware ? 32 : 1;
  c.tile[which].base = 0;
  c.tile[which].shift = shift;
  if (sources == 2) {
    const int kind = variant / 4 % 3;
    if (kind == 1) c.tile[other].base = 0;
    if (kind == 2 && which == 1) {
      c.tile[other].base = 0;
      c.tile[other].shift = shift + 1;
    }
  }
  op_case_run(g_bench, &c);
}

static void test_aliasing(void **state) {
  (void)state;
  FOR_DTYPES(dtype) {
    for (int i = 0; i < k_layout_usual * k_layout_usual; ++i) {
      const int layouts[2] = {i % k_layout_usual, i / k_layout_usual};
      for (int r = 1; r < 7; ++r) {
        const int32_t rows = k_regions[r][0];
        const int32_t cols = k_regions[r][1];
        const int32_t shifts[] = {0, 1, -1, cols, -cols, rows * cols / 2, -(rows * cols) / 2, 16};
        for (size_t s = 0; s < sizeof shifts / sizeof *shifts; ++s) {
          for (int variant = 0; variant < 12; variant += layouts[0] == layouts[1] ? 1 : 5) {
            alias_case(dtype, rows, cols, layouts, shifts[s], variant);
          }
        }
      }
    }
  }
}

/* Sources over each other, dst apart. */
static void test_sources_overlap(void **state) {
  (void)state;
  if (op_bench_sources(g_bench) < 2) skip();
  FOR_DTYPES(dtype) {
    for (int layout = 0; layout < k_layout_usual; ++layout) {
      for (int32_t shift = -3; shift <= 18; shift += 3) {
        op_case c = plain_case(dtype, 15, 17, 0);
        for (int i = 0; i < 3; ++i) c.tile[i].layout = i == 0 ? k_layout_nd : layout;
        c.tile[2].base = 1;
        c.tile[2].shift = shift;
        op_case_run(g_bench, &c);
      }
    }
  }
}

/* One scalar per column, from a row of any tile or from a column, beside dst or inside it. */
static void test_column_scalars(void **state) {
  (void)state;
  if (g_op->walk != OP_WALK_COL_EXPAND) skip();
  FOR_DTYPES(dtype) {
    for (int r = 0; r < k_region_count; ++r) {
      const int32_t rows = k_regions[r][0];
      const int32_t cols = k_regions[r][1];
      for (int i = 0; i < 4 * k_layout_usual; ++i) {
        op_case c = plain_case(dtype, rows, cols, 0);
        case_tile *scalars = &c.tile[2];
        c.tile[0].layout = c.tile[1].layout = i % k_layout_usual;
        const int kind = i / k_layout_usual;
        if (kind == 0) { /* a column, longer than needed */
          const case_tile column = {k_layout_dn, cols + 3, 1, cols + 2, 1, -1, 0};
          *scalars = column;
        } else if (kind == 1) { /* one row, wider than needed */
          const case_tile row = {k_layout_nd, 1, cols + 9, 1, cols + 7, -1, 0};
          *scalars = row;
        } else { /* a row of dst itself, or the start of one of its columns */
          const int32_t count = at_least_one(cols);
          if (count > c.tile[0].rows * c.tile[0].cols) continue;
          const case_tile row = {
              k_layout_nd, 1, count, 1, cols, 0, kind == 2 ? 0 : c.tile[0].rows * c.tile[0].cols - count};
          const case_tile column = {k_layout_dn, count, 1, cols, 1, 0, 0};
          *scalars = (i & 1) != 0 ? row : column;
        }
        if (c.tile[0].layout == k_layout_nd && kind < 2) make_legal(&c);
        op_case_run(g_bench, &c);
      }
    }
  }
}

/* Every legal pair of regions, the wide source first and second, on dst and apart. */
static void test_partial_regions(void **state) {
  (void)state;
  if (g_op->walk != OP_WALK_PARTIAL) skip();
  FOR_DTYPES(dtype) {
    for (int r = 0; r < k_region_count; ++r) {
      const int32_t rows = k_regions[r][0];
      const int32_t cols = k_regions[r][1];
      const int32_t some_rows[] = {0, 1, rows / 2, rows - 1, rows};
      const int32_t some_cols[] = {0, 1, cols / 2, cols - 1, cols};
      for (int i = 0; i < 25 * 2 * 4 * k_layout_usual; ++i) {
        if (i >= 200 && r % 3 != 1) continue; /* the walk does not look at layouts when it cuts rectangles */
        const int narrow = 1 + i / 25 % 2;
        const int alias = i / 50 % 4;
        op_case c = plain_case(dtype, rows, cols, alias == 0 ? 1 : 0);
        const int32_t narrow_rows = some_rows[i % 5];
        const int32_t narrow_cols = some_cols[i / 5 % 5];
        if (narrow_rows < 0 || narrow_cols < 0 || narrow_rows > rows || narrow_cols > cols) continue;
        c.tile[narrow].valid_rows = narrow_rows;
        c.tile[narrow].valid_cols = narrow_cols;
        for (int k = 0; k < 3; ++k) c.tile[k].layout = i / 200;
        if (i / 200 == k_layout_nd) make_legal(&c);
        if (alias == 1) c.tile[narrow].base = 0;
        if (alias == 2) c.tile[3 - narrow].base = 0;
        if (alias == 3) {
          c.tile[1].base = c.tile[2].base = 0;
          c.tile[narrow].shift = 5;
        }
        op_case_run(g_bench, &c);
      }
    }
  }
}

/* Results without a reference. */
static void test_known_values(void **state) {
  (void)state;
  enum { k_most = 512 };
  static uint64_t in[2][k_most], want[k_most];
  FOR_DTYPES(dtype) {
    int n = 0;
    for (int i = 0; i < g_float_count && values_is_float(dtype); ++i, ++n) {
      in[0][n] = values_of_float(dtype, g_floats[i].a);
      in[1][n] = values_of_float(dtype, g_floats[i].b);
      want[n] = values_of_float(dtype, g_floats[i].want);
    }
    for (int i = 0; i < g_bit_count; ++i) {
      if (g_bits[i].dtype != dtype) continue;
      const uint64_t mask = ref_mask(dtype);
      in[0][n] = (uint64_t)g_bits[i].a & mask;
      in[1][n] = (uint64_t)g_bits[i].b & mask;
      want[n++] = (uint64_t)g_bits[i].want & mask;
    }
    assert_true(n > 0 && n <= k_most); /* each type has a known value */
    op_case_known(g_bench, dtype, n, in[0], in[1], want);
    for (int i = 0; i < n; ++i) op_case_known(g_bench, dtype, 1, in[0] + i, in[1] + i, want + i);
  }
}

static int g_environment_kept;

static void leave_strange(void) { g_environment_kept &= strange_fp_leave(); }

/* The caller's rounding mode and flush-to-zero neither show nor change. */
static void test_fp_environment(void **state) {
  (void)state;
  FOR_DTYPES(dtype) {
    for (int layout = 0; layout < k_layout_usual; ++layout) {
      op_case c = plain_case(dtype, 33, 71, 1);
      c.tile[1].layout = layout;
      g_environment_kept = 1;
      op_case_run_within(g_bench, &c, strange_fp_enter, leave_strange);
      assert_true(g_environment_kept);
    }
  }
}

static int set_up(void **state) {
  (void)state;
  g_bench = op_bench_create(g_op);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  print_message("%s: %lld calls compared\n", g_op->name, (long long)op_bench_runs(g_bench));
  op_bench_release(g_bench);
  return pto_live_handles() == 0 ? 0 : -1;
}

int op_tests_main(const op_under_test *op, const known_float *floats, int float_count, const known_bits *bits,
                  int bit_count) {
  g_op = op;
  g_floats = floats;
  g_float_count = float_count;
  g_bits = bits;
  g_bit_count = bit_count;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_values),   cmocka_unit_test(test_profiles),
      cmocka_unit_test(test_layouts),        cmocka_unit_test(test_boxes),
      cmocka_unit_test(test_aliasing),       cmocka_unit_test(test_sources_overlap),
      cmocka_unit_test(test_column_scalars), cmocka_unit_test(test_partial_regions),
      cmocka_unit_test(test_fp_environment),
  };
  return cmocka_run_group_tests_name(op->name, tests, set_up, tear_down);
}
