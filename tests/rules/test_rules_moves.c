/*
 * test_rules_moves.c: the rules of instructions that move elements: windows, joins, pads, pairs.
 */
#include <stdio.h>

#include "fixture.h"
#include "op_rules.h"
#include "rules_tests.h"

static void test_rule_transposed_valid(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 16, "15x16|16x16"}, {k_layout_nd, 16, 15, "16x15|16x16"}, {k_layout_nd, 17, 16, "17x16|16x16"},
      {k_layout_nd, 0, 16, "0x16|16x16"},   {k_layout_nd, 16, 17, "16x17|16x16"}, {k_layout_nd, 16, 16, NULL},
  };
  REGIONS("transposed-valid", PTO_EXTENT_TRANSPOSED, k_cases);
  /* Rows and columns do not change places by themselves. */
  pto_tile *tiles[k_operands];
  operands_of("ttrans", PTO_DTYPE_F32, tiles);
  set_valid(tiles[0], 16, 8);
  set_valid(tiles[1], 16, 8);
  refuse(CPU, "ttrans", tiles, 0, PTO_ERROR_SHAPE, "transposed-valid", "dst", "16x8|16x8");
  set_valid(tiles[0], 8, 16);
  accept(CPU, "ttrans", tiles, 0);
}

static void test_rule_window_range(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 16, "15x16|16x16|(0, 0)"},
      {k_layout_nd, 16, 15, "16x15|16x16"},
      {k_layout_nd, 0, 0, "0x0|16x16"},
      {k_layout_nd, 16, 16, NULL},
      {k_layout_nd, 24, 17, NULL},
  };
  REGIONS("window-range", PTO_EXTENT_WINDOW, k_cases);
  /* A window of 16x16 in 24x20, where integers of every kind say. */
  static const struct {
    int32_t at;
    int row, col;
  } k_starts[] = {{8, 1, 0},         {9, 0, 0},         {4, 1, 1},     {5, 1, 0}, {-1, 0, 0},
                  {INT32_MAX, 0, 0}, {INT32_MIN, 0, 0}, {65536, 0, 0}, {1, 1, 1}, {INT32_MAX - 15, 0, 0}};
  FOR_OPS(op) {
    const int32_t large = extent_at(op, PTO_EXTENT_WINDOW);
    if (large < 0) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    tiles[large] = tile_sized(pto_tile_dtype(tiles[large]), 24, 32);
    set_valid(tiles[large], 24, 20);
    int numbers = 0;
    for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
      if (pto_op_operand_role(op, i) != PTO_ROLE_INT) continue;
      const int by_row = numbers++ % 2 == 0;
      g_number_at = i;
      for (size_t n = 0; n < sizeof k_starts / sizeof *k_starts; ++n) {
        g_number = k_starts[n].at;
        char texts[64];
        snprintf(texts, sizeof texts, by_row ? "24x20|16x16|(%d, 0)" : "24x20|16x16|(0, %d)", (int)g_number);
        FOR_PROFILES(p, op, dtype) {
          /* A2A3 copies blocks of 32 bytes: window-place. */
          const int placed = by_row || (int64_t)g_number * pto_dtype_bytes(pto_tile_dtype(tiles[large])) % 32 == 0 ||
                             p != PTO_PROFILE_A2A3 || !has_rule(op, "window-place", p);
          if ((by_row ? k_starts[n].row : k_starts[n].col) && !placed) {
            refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "window-place", pto_op_operand_name(op, large),
                   "A2A3|vec to vec");
          } else if (by_row ? k_starts[n].row : k_starts[n].col) {
            accept(g_ctx[p], pto_op_name(op), tiles, 0);
          } else {
            refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "window-range", pto_op_operand_name(op, large),
                   texts);
          }
        }
      }
    }
    assert_true(numbers == 2 || numbers == 4);
    g_number = 0;
    g_number_at = -1;
  }
}

/* A window that begins at a row or a column, one after the other, in 64x64 of a layout and memory. */
static void places(pto_profile p, const pto_tile_desc *src, const pto_tile_desc *dst, int rows, int cols,
                   const char *texts) {
  pto_tile *tiles[k_operands] = {tile_made(dst), tile_made(src)};
  for (int32_t by_col = 0; by_col < 2; ++by_col) {
    g_number_at = 2 + by_col;
    for (g_number = 0; g_number < 48; ++g_number) {
      if (g_number % (by_col != 0 ? cols : rows) == 0) {
        accept(g_ctx[p], "textract", tiles, 0);
      } else {
        refuse(g_ctx[p], "textract", tiles, 0, PTO_ERROR_SHAPE, "window-place", "src", texts);
      }
    }
  }
  g_number = 0;
  g_number_at = -1;
}

/* TINSERT of A2A3 between tiles in vec: blocks along lines, or whole boxes. */
static void window_place_of_inserts(void) {
  enum { k_nz = 4 };
  static const pto_dtype k_types[] = {PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_F32,
                                      PTO_DTYPE_I8,  PTO_DTYPE_I16,  PTO_DTYPE_I32};
  for (size_t t = 0; t < sizeof k_types / sizeof *k_types; ++t) {
    const int32_t block = 32 / pto_dtype_bytes(k_types[t]);
    for (int boxed = 0; boxed < 2; ++boxed) {
      const test_layout *layout = &k_layouts[boxed != 0 ? k_nz : k_layout_nd];
      const pto_tile_desc large = layout_desc(layout, k_types[t], 96, 96),
                          small = layout_desc(layout, k_types[t], 32, 32);
      pto_tile *tiles[k_operands] = {tile_made(&large), tile_made(&small)};
      for (int32_t by_col = 0; by_col < 2; ++by_col) {
        g_number_at = 2 + by_col;
        for (g_number = 0; g_number < 48; ++g_number) {
          if (g_number % (by_col != 0 ? block : boxed != 0 ? 16 : 1) == 0) {
            accept(A2A3, "tinsert", tiles, 0);
          } else {
            refuse(A2A3, "tinsert", tiles, 0, PTO_ERROR_SHAPE, "window-place", "dst", "A2A3|vec to vec");
          }
        }
      }
      g_number = 0;
      g_number_at = -1;
      set_valid(tiles[1], 9, 32);
      if (boxed != 0) {
        refuse(A2A3, "tinsert", tiles, 0, PTO_ERROR_SHAPE, "window-place", "src", "9x32|multiples of 16x");
      } else {
        accept(A2A3, "tinsert", tiles, 0);
      }
      forget();
    }
  }
}

static void test_rule_window_place(void **state) {
  (void)state;
  window_place_of_inserts();
  enum { k_nz = 4 };
  static const struct {
    pto_dtype dtype;
    int32_t block; /* elements of 32 bytes */
  } k_types[] = {{PTO_DTYPE_F32, 8}, {PTO_DTYPE_F16, 16}, {PTO_DTYPE_I8, 32}};
  for (size_t t = 0; t < sizeof k_types / sizeof *k_types; ++t) {
    const pto_dtype dtype = k_types[t].dtype;
    const int32_t block = k_types[t].block;
    pto_tile_desc src = layout_desc(&k_layouts[k_nz], dtype, 96, 96),
                  dst = layout_desc(&k_layouts[k_nz], dtype, 32, 32);
    src.location = PTO_LOCATION_MAT;
    for (int right = 0; right < 2; ++right) {
      dst.location = right != 0 ? PTO_LOCATION_RIGHT : PTO_LOCATION_LEFT;
      places(PTO_PROFILE_CPU, &src, &dst, 1, 1, NULL);
      places(PTO_PROFILE_A2A3, &src, &dst, 16, block, right != 0 ? "A2A3|(16, |mat to right" : "A2A3|mat to left");
      places(PTO_PROFILE_A5, &src, &dst, 16, block, right != 0 ? "A5|(16, |mat to right" : "A5|mat to left");
    }
    /* Between tiles in vec A2A3 copies blocks along lines, or boxes. */
    src.location = dst.location = PTO_LOCATION_VEC;
    places(PTO_PROFILE_CPU, &src, &dst, 1, 1, NULL);
    places(PTO_PROFILE_A2A3, &src, &dst, 16, block, "A2A3|vec to vec");
    places(PTO_PROFILE_A5, &src, &dst, 1, 1, NULL);
    src = layout_desc(&k_layouts[k_layout_nd], dtype, 96, 96);
    dst = layout_desc(&k_layouts[k_layout_nd], dtype, 32, 32);
    places(PTO_PROFILE_CPU, &src, &dst, 1, 1, NULL);
    places(PTO_PROFILE_A2A3, &src, &dst, 1, block, "A2A3|(1, |vec to vec");
    places(PTO_PROFILE_A5, &src, &dst, 1, 1, NULL);
    forget();
  }
}

static void test_rule_view_alignment(void **state) {
  (void)state;
  /* A tile of 16x32 f32, whose columns from each one on are a view, and a view of that. */
  static const int32_t k_starts[] = {0, 1, 4, 7, 8, 12, 16, 20, 24};
  for (size_t n = 0; n < sizeof k_starts / sizeof *k_starts; ++n) {
    const int32_t at = k_starts[n];
    pto_tile *const whole = tile_sized(PTO_DTYPE_F32, 16, 32);
    pto_tile *const view = keep(pto_tile_view(CPU, whole, 1, at, 8, 8));
    pto_tile *const inner =
        at < 4 ? view : keep(pto_tile_view(CPU, keep(pto_tile_view(CPU, whole, 0, 4, 16, 28)), 1, at - 4, 8, 8));
    pto_tile *const other = tile_sized(PTO_DTYPE_F32, 8, 8);
    char texts[64];
    snprintf(texts, sizeof texts, "%d bytes|32", (int)(4 * (32 + at)));
    for (int p = 0; p < k_profiles; ++p) {
      for (int k = 0; k < 4; ++k) {
        pto_tile *tiles[k_operands] = {other, other};
        tiles[k % 2] = k < 2 ? view : inner;
        if (p == PTO_PROFILE_CPU || at % 8 == 0) {
          accept(g_ctx[p], "tabs", tiles, 0);
        } else {
          refuse(g_ctx[p], "tabs", tiles, 0, PTO_ERROR_ADDRESS, "view-alignment", k % 2 == 0 ? "dst" : "src", texts);
        }
      }
    }
    forget();
  }
}

static void test_rule_joined_valid(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 7}, {16, 9}, {16, 0}, {15, 8}, {17, 8}, {0, 8}};
  int seen = 0;
  FOR_OPS(op) {
    const int32_t first = extent_at(op, PTO_EXTENT_JOINED);
    if (first < 0) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int32_t k = first; k < first + 2; ++k) {
      pto_tile *const good = tiles[k];
      tiles[k] = tile_sized(pto_tile_dtype(good), 24, 32);
      for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
        set_valid(tiles[k], k_wrong[w][0], k_wrong[w][1]);
        const int rows = k_wrong[w][0] != 16;
        char texts[64];
        snprintf(texts, sizeof texts, rows ? "%d valid rows|16" : "16 valid columns|%d",
                 (int)(rows ? k_wrong[w][0] : 8 + k_wrong[w][1]));
        FOR_PROFILES(p, op, dtype) {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "joined-valid",
                 rows ? pto_op_operand_name(op, k) : lead_name(op), texts);
        }
      }
      tiles[k] = good;
    }
    /* One may be empty, when the other has all columns. */
    set_valid(tiles[first], 16, 0);
    set_valid(tiles[first + 1], 16, 16);
    accept_all(op, tiles);
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_pad_shape(void **state) {
  (void)state;
  static const struct {
    int32_t rows, cols;
    int whole, around;
  } k_shapes[] = {{16, 32, 1, 1}, {17, 32, 0, 1}, {16, 40, 0, 1}, {15, 32, 0, 0}, {24, 24, 0, 0}, {8, 40, 0, 0}};
  int seen = 0;
  FOR_OPS(op) {
    if (!is_whole(op)) continue;
    const int32_t extent = pto_op_operand_extent(op, 0);
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (size_t n = 0; n < sizeof k_shapes / sizeof *k_shapes; ++n) {
      tiles[0] = tile_sized(dtype, k_shapes[n].rows, k_shapes[n].cols);
      if (extent == PTO_EXTENT_WHOLE ? k_shapes[n].whole : k_shapes[n].around) {
        accept_all(op, tiles);
        continue;
      }
      char texts[64];
      snprintf(texts, sizeof texts, "%dx%d|16x32", (int)k_shapes[n].rows, (int)k_shapes[n].cols);
      FOR_PROFILES(p, op, dtype) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "pad-shape", "dst", texts);
      }
    }
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_pad_place(void **state) {
  (void)state;
  int refused = 0;
  FOR_OPS(op) {
    if (!has_rule(op, "pad-place", PTO_PROFILE_A2A3)) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    pto_tile *const src = tiles[1];
    tiles[1] = tile_laid(k_layout_dn, dtype, 16, 32);
    refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "src", "col-major|vec");
    tiles[1] = src;
    pto_tile_desc desc = desc_of(src);
    desc.location = PTO_LOCATION_MAT;
    tiles[0] = tile_made(&desc);
    refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "dst", "row-major|mat");
    /* Nz in MAT takes zeros, in VEC nothing. */
    desc.blayout = PTO_BLAYOUT_COL_MAJOR;
    desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
    tiles[1] = tile_made(&desc);
    for (int pad = PTO_PAD_NULL; pad <= PTO_PAD_MIN; ++pad) {
      desc.pad = (pto_pad)pad;
      tiles[0] = tile_made(&desc);
      if (pad <= PTO_PAD_ZERO) accept_all(op, tiles);
      if (pad > PTO_PAD_ZERO) refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "dst", "mat|pad");
    }
    desc.location = PTO_LOCATION_VEC;
    desc.pad = PTO_PAD_ZERO;
    tiles[0] = tile_made(&desc);
    refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "dst", "boxed|vec");
  }
  assert_true(refused > 0);
}

static void test_rule_dsts_apart(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(op) {
    if (!has_rule(op, "dsts-apart", PTO_PROFILE_CPU)) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    const pto_tile_desc desc = desc_of(tiles[1]);
    tiles[1] = keep(pto_tile_wrap(CPU, &desc, pto_tile_data(tiles[0]), pto_tile_bytes(tiles[0])));
    FOR_PROFILES(p, op, dtype) {
      refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_ALIAS, "dsts-apart", pto_op_operand_name(op, 1),
             "shares memory");
    }
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_even_cols(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(op) {
    if (!has_rule(op, "even-cols", PTO_PROFILE_CPU)) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int32_t cols = 0; cols <= 16; ++cols) {
      FOR_NEEDED(op, k) set_valid(tiles[k], 16, cols);
      char text[32];
      snprintf(text, sizeof text, "%d valid columns", (int)cols);
      FOR_PROFILES(p, op, dtype) {
        if (cols % 2 == 0) accept(g_ctx[p], pto_op_name(op), tiles, 0);
        if (cols % 2 != 0)
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "even-cols", lead_name(op), text);
      }
    }
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_double_cols(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 16, 31, "16x31|16x16"}, {k_layout_nd, 16, 30, "16x30|16x16"}, {k_layout_nd, 16, 16, "16x16|16x16"},
      {k_layout_nd, 15, 32, "15x32|16x16"}, {k_layout_nd, 17, 32, "17x32|16x16"}, {k_layout_nd, 16, 32, NULL},
  };
  REGIONS("double-cols", PTO_EXTENT_DOUBLE, k_cases);
}

static void test_rule_scale_boxes(void **state) {
  (void)state;
  static const struct {
    pto_blayout blayout;
    int32_t rows, cols, good;
  } k_cases[] = {
      {PTO_BLAYOUT_ROW_MAJOR, 16, 2, 1}, {PTO_BLAYOUT_ROW_MAJOR, 48, 6, 1}, {PTO_BLAYOUT_ROW_MAJOR, 0, 0, 1},
      {PTO_BLAYOUT_ROW_MAJOR, 15, 2, 0}, {PTO_BLAYOUT_ROW_MAJOR, 8, 2, 0},  {PTO_BLAYOUT_ROW_MAJOR, 16, 3, 0},
      {PTO_BLAYOUT_COL_MAJOR, 32, 2, 1}, {PTO_BLAYOUT_COL_MAJOR, 64, 6, 1}, {PTO_BLAYOUT_COL_MAJOR, 16, 2, 0},
      {PTO_BLAYOUT_COL_MAJOR, 48, 2, 0}, {PTO_BLAYOUT_COL_MAJOR, 32, 1, 0},
  };
  static const pto_dtype k_dtypes[] = {PTO_DTYPE_U8, PTO_DTYPE_E8M0};
  static const test_layout k_zz = {"", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 32, PTO_COMPACT_NULL};
  for (size_t d = 0; d < sizeof k_dtypes / sizeof *k_dtypes; ++d) {
    for (size_t c = 0; c < sizeof k_cases / sizeof *k_cases; ++c) {
      const int32_t rows = k_cases[c].rows, cols = k_cases[c].cols,
                    by_row = k_cases[c].blayout == PTO_BLAYOUT_ROW_MAJOR;
      const test_layout from = {"", k_cases[c].blayout, PTO_SLAYOUT_NONE_BOX, 512, PTO_COMPACT_NULL};
      pto_tile_desc desc = layout_desc(&k_zz, k_dtypes[d], 64, 32);
      pto_tile *tiles[k_operands] = {tile_made(&desc)};
      desc = layout_desc(&from, k_dtypes[d], 64, 32);
      tiles[1] = tile_made(&desc);
      set_valid(tiles[0], rows, cols);
      set_valid(tiles[1], rows, cols);
      accept(g_ctx[PTO_PROFILE_CPU], "tmov", tiles, 0);
      char texts[64];
      snprintf(texts, sizeof texts, "%s|%dx%d|%dx2", by_row ? "row-major" : "col-major", (int)rows, (int)cols,
               by_row ? 16 : 32);
      if (k_cases[c].good) accept(g_ctx[PTO_PROFILE_A5], "tmov", tiles, 0);
      if (!k_cases[c].good)
        refuse(g_ctx[PTO_PROFILE_A5], "tmov", tiles, 0, PTO_ERROR_SHAPE, "scale-boxes", "src", texts);
      /* Tiles in rows are moved as they are. */
      desc = layout_desc(&k_layouts[k_layout_nd], k_dtypes[d], 64, 32);
      tiles[0] = tile_made(&desc);
      set_valid(tiles[0], rows, cols);
      accept(g_ctx[PTO_PROFILE_A5], "tmov", tiles, 0);
    }
  }
}

const struct CMUnitTest k_move_rules[] = {
    RULE_TEST(test_rule_transposed_valid), RULE_TEST(test_rule_window_range),   RULE_TEST(test_rule_joined_valid),
    RULE_TEST(test_rule_pad_shape),        RULE_TEST(test_rule_pad_place),      RULE_TEST(test_rule_dsts_apart),
    RULE_TEST(test_rule_even_cols),        RULE_TEST(test_rule_double_cols),    RULE_TEST(test_rule_scale_boxes),
    RULE_TEST(test_rule_window_place),     RULE_TEST(test_rule_view_alignment),
};
const int k_move_rule_count = sizeof k_move_rules / sizeof *k_move_rules;
