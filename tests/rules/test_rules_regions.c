/*
 * test_rules_regions.c: the rules of valid regions beside the region of the lead operand.
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "op_rules.h"
#include "rules_tests.h"

/* Sources of the lead operand's region in other regions: `rule` under the profiles that have it. */
static int wrong_regions(const char *rule, const int32_t (*wrong)[2], int count) {
  int refused = 0;
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    FOR_NEEDED(op, k) {
      if (k == pto_op_lead(op) || pto_op_operand_extent(op, k) != PTO_EXTENT_SAME) continue;
      if (!has_rule(op, "valid-covers", PTO_PROFILE_CPU)) continue;
      pto_tile *const good = tiles[k];
      tiles[k] = tile_sized(pto_tile_dtype(good), 24, 32);
      for (int w = 0; w < count; ++w) {
        set_valid(tiles[k], wrong[w][0], wrong[w][1]);
        char texts[64];
        snprintf(texts, sizeof texts, "%dx%d|16x16", wrong[w][0], wrong[w][1]);
        FOR_PROFILES(p, op, dtype) {
          if (!has_rule(op, rule, p)) continue;
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, rule, pto_op_operand_name(op, k), texts);
          ++refused;
        }
      }
      if (pto_op_operand_role(op, k) == PTO_ROLE_IN) {
        set_valid(tiles[k], 17, 24);
        accept(CPU, pto_op_name(op), tiles, 0);
      }
      set_valid(tiles[k], 16, 16);
      accept_all(op, tiles);
      tiles[k] = good;
    }
  }
  return refused;
}

static void test_rule_valid_equal(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 15}, {15, 16}, {0, 16}, {16, 0}, {0, 0}, {1, 1}, {17, 16}, {16, 17}};
  assert_true(wrong_regions("valid-equal", k_wrong, 8) > 0);
}

static void test_rule_valid_covers(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 15}, {15, 16}, {0, 16}, {16, 0}, {0, 0}, {1, 1}, {15, 24}, {24, 15}};
  assert_true(wrong_regions("valid-covers", k_wrong, 8) > 0);
}

static void test_rule_rows_covered(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 1, "15x1|16 valid rows"},
      {k_layout_nd, 16, 0, "16x0|16 valid rows"},
      {k_layout_nd, 0, 1, "0x1|16 valid rows"},
      {k_layout_nd, 16, 1, NULL},
      {k_layout_nd, 24, 9, NULL},
      {k_layout_dn, 15, 1, "15x1|16 valid rows"},
      {k_layout_dn, 16, 0, "16x0|16 valid rows"},
      {k_layout_dn, 16, 1, NULL},
      {k_layout_dn, 17, 1, NULL},
  };
  REGIONS("rows-covered", PTO_EXTENT_COLUMN, k_cases);
}

static void test_rule_cols_covered(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 1, 15, "1x15|15 scalars|16 valid columns"},
      {k_layout_nd, 0, 16, "0x16|0 scalars|16 valid columns"},
      {k_layout_nd, 16, 0, "16x0|0 scalars"},
      {k_layout_nd, 0, 0, "0x0|0 scalars"},
      {k_layout_nd, 1, 16, NULL},
      {k_layout_nd, 5, 30, NULL},
      {k_layout_dn, 15, 1, "15x1|15 scalars|16 valid columns"},
      {k_layout_dn, 16, 0, "16x0|0 scalars"},
      {k_layout_dn, 16, 1, NULL},
      {k_layout_dn, 17, 1, NULL},
  };
  REGIONS("cols-covered", PTO_EXTENT_ROW, k_cases);
}

/* Elements to spare, rows-covered and cols-covered see what becomes of; an empty tile is filled with any. */
static void test_rule_vector_equal(void **state) {
  (void)state;
  static const char *const k_names[] = {"trowexpand", "tcolexpand"};
  for (int i = 0; i < 2; ++i) {
    const int row = i == 1;
    pto_tile *tiles[k_operands] = {tile_sized(PTO_DTYPE_F32, 16, 16), tile_sized(PTO_DTYPE_F32, 24, 32)};
    for (int p = 0; p < k_profiles; ++p) {
      const int strict = has_rule(pto_op_find(k_names[i]), "vector-equal", p);
      assert_int_equal(strict, p == PTO_PROFILE_A5 || (p == PTO_PROFILE_A2A3 && !row));
      set_valid(tiles[0], 16, 16);
      set_valid(tiles[1], row ? 1 : 16, row ? 16 : 1);
      accept(g_ctx[p], k_names[i], tiles, 0);
      set_valid(tiles[1], row ? 1 : 17, row ? 17 : 1);
      if (strict) {
        refuse(g_ctx[p], k_names[i], tiles, 0, PTO_ERROR_SHAPE, "vector-equal", "src",
               row ? "1x17|16 valid columns" : "17x1|16 valid rows");
        set_valid(tiles[0], row ? 0 : 16, row ? 16 : 0);
      }
      accept(g_ctx[p], k_names[i], tiles, 0);
    }
  }
}

static void test_rule_bits_covered(void **state) {
  (void)state;
  /* 16 columns are two bytes of u8, which is the first type of bits. */
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 2, "15 rows of 2 bytes|16 rows of 2 bytes"},
      {k_layout_nd, 16, 1, "16 rows of 1 bytes|16 rows of 2 bytes"},
      {k_layout_nd, 16, 0, "16 rows of 0 bytes"},
      {k_layout_nd, 0, 0, "0 rows of 0 bytes"},
      {k_layout_nd, 16, 2, NULL},
      {k_layout_nd, 24, 32, NULL},
  };
  REGIONS("bits-covered", PTO_EXTENT_BITS, k_cases);
  /* One column more is a byte more; wider elements give more bytes. */
  FOR_OPS(op) {
    FOR_NEEDED(op, k) {
      if (pto_op_operand_extent(op, k) != PTO_EXTENT_BITS) continue;
      pto_tile *tiles[k_operands];
      const pto_dtype dtype = usual(op, tiles);
      for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
        if (!is_tile(op, i) || pto_op_operand_extent(op, i) == PTO_EXTENT_BITS) continue;
        tiles[i] = tile_sized(pto_tile_dtype(tiles[i]), 16, 32);
        set_valid(tiles[i], 16, 17);
      }
      set_valid(tiles[k], 16, 2);
      FOR_PROFILES(p, op, dtype) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "bits-covered", pto_op_operand_name(op, k),
               "16 rows of 3 bytes");
      }
      set_valid(tiles[k], 16, 3);
      accept_all(op, tiles);
      tiles[k] = tile_sized(PTO_DTYPE_U32, 16, 8);
      set_valid(tiles[k], 16, 1);
      accept_all(op, tiles);
    }
  }
}

static void test_rule_row_results(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 1, "15x1|16x16"}, {k_layout_nd, 17, 1, "17x1|16x16"}, {k_layout_nd, 16, 0, "16x0|16x16"},
      {k_layout_nd, 0, 1, "0x1|16x16"},   {k_layout_nd, 16, 1, NULL},         {k_layout_nd, 16, 9, NULL},
      {k_layout_dn, 15, 1, "15x1|16x16"}, {k_layout_dn, 17, 1, "17x1|16x16"}, {k_layout_dn, 16, 1, NULL},
  };
  REGIONS("row-results", PTO_EXTENT_ROW_RESULTS, k_cases);
  /* Of no column there is no result; of no row nothing is to be done. */
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    if (pto_op_operand_extent(op, 0) != PTO_EXTENT_ROW_RESULTS) continue;
    set_valid(tiles[pto_op_lead(op)], 16, 0);
    FOR_PROFILES(p, op, dtype) {
      refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "row-results", pto_op_operand_name(op, 0),
             "16x16|16x0");
    }
    FOR_NEEDED(op, k) set_valid(tiles[k], 0, 16);
    accept_all(op, tiles);
  }
}

static void test_rule_col_results(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 1, 15, "1x15|16x16"}, {k_layout_nd, 1, 17, "1x17|16x16"}, {k_layout_nd, 0, 16, "0x16|16x16"},
      {k_layout_nd, 1, 0, "1x0|16x16"},   {k_layout_nd, 1, 16, NULL},         {k_layout_nd, 9, 16, NULL},
  };
  REGIONS("col-results", PTO_EXTENT_COL_RESULTS, k_cases);
  FOR_OPS(op) {
    if (pto_op_operand_extent(op, 0) != PTO_EXTENT_COL_RESULTS) continue;
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    set_valid(tiles[pto_op_lead(op)], 0, 16);
    accept_all(op, tiles);
  }
}

static void test_rule_first_element(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 0, 1, "0x1"}, {k_layout_nd, 1, 0, "1x0"},  {k_layout_nd, 0, 0, "0x0"},
      {k_layout_nd, 1, 1, NULL},  {k_layout_nd, 24, 17, NULL},
  };
  REGIONS("first-element", PTO_EXTENT_FIRST, k_cases);
}

static void test_rule_repeat_valid(void **state) {
  (void)state;
  /* Regions of the sources beside a dst of 16x16; whether CPU takes them; which source is named. */
  static const struct {
    int32_t region[2][2];
    int cpu;
    int named;
  } k_wrong[] = {
      {{{16, 8}, {16, 8}}, 0, 1},  {{{16, 16}, {16, 2}}, 1, 2}, {{{16, 16}, {15, 1}}, 0, 2},
      {{{16, 16}, {16, 0}}, 0, 2}, {{{16, 16}, {17, 1}}, 1, 2}, {{{16, 15}, {16, 16}}, 1, 1},
      {{{0, 0}, {16, 16}}, 0, 1},  {{{16, 16}, {16, 1}}, 1, 2},
  };
  int seen = 0;
  FOR_OPS(op) {
    if (pto_op_operand_extent(op, 1) != PTO_EXTENT_REPEAT) continue;
    ++seen;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    assert_int_equal(dtype, PTO_DTYPE_F32);
    for (int k = 1; k <= 2; ++k) tiles[k] = tile_sized(dtype, 24, 24);
    for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
      for (int k = 0; k < 2; ++k) set_valid(tiles[1 + k], k_wrong[w].region[k][0], k_wrong[w].region[k][1]);
      FOR_PROFILES(p, op, dtype) {
        if (p == PTO_PROFILE_CPU && k_wrong[w].cpu) {
          accept(CPU, pto_op_name(op), tiles, 0);
        } else {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "repeat-valid",
                 pto_op_operand_name(op, k_wrong[w].named), "dst is in 16x16");
        }
      }
    }
    /* 32 bytes of columns, and one column of a column-major tile, on either side. */
    for (int side = 1; side <= 2; ++side) {
      tiles[3 - side] = tile_of(dtype);
      tiles[side] = tile_sized(dtype, 16, 8);
      accept_all(op, tiles);
      tiles[side] = tile_laid(k_layout_dn, dtype, 16, 1);
      accept_all(op, tiles);
    }
  }
  assert_true(seen > 0);
}

static void test_rule_partial_valid(void **state) {
  (void)state;
  /* Regions of dst, src0, src1, and the operand that is named. */
  static const struct {
    int32_t region[3][2];
    const char *operand;
  } k_wrong[] = {
      {{{8, 8}, {8, 7}, {7, 8}}, "src0"}, {{{8, 8}, {7, 7}, {7, 7}}, "src0"}, {{{8, 8}, {0, 0}, {0, 0}}, "src0"},
      {{{8, 8}, {9, 8}, {8, 8}}, "src0"}, {{{8, 8}, {8, 8}, {8, 9}}, "src1"}, {{{8, 8}, {8, 8}, {9, 1}}, "src1"},
      {{{8, 8}, {9, 9}, {9, 9}}, "src0"}, {{{8, 8}, {7, 8}, {9, 9}}, "src1"},
  };
  /* The first ones leave a part of dst to neither source. */
  enum { k_uncovered = 3 };
  static const int32_t k_empty[][2] = {{0, 0}, {0, 8}, {8, 0}};
  int seen = 0;
  FOR_OPS(op) {
    const int32_t first = parts_of(op);
    if (first < 0) continue;
    ++seen;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    /* dst, src0, src1, and the indices that go with them. */
    const int32_t order[6] = {0, first, first + 1, 1, first + 2, first + 3};
    const int count = first == 1 ? 3 : 6;
    for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
      for (int k = 0; k < count; ++k) {
        set_valid(tiles[order[k]], k_wrong[w].region[k % 3][0], k_wrong[w].region[k % 3][1]);
      }
      const int fills = strcmp(pto_op_name(op), "tpartmax") == 0 || strcmp(pto_op_name(op), "tpartmin") == 0;
      FOR_PROFILES(p, op, dtype) {
        if (fills && w < k_uncovered && p != PTO_PROFILE_A2A3) {
          accept(g_ctx[p], pto_op_name(op), tiles, 0);
          continue;
        }
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "partial-valid", k_wrong[w].operand,
               w == 0 ? "8x7|7x8|8x8" : "valid");
      }
    }
    /* An empty dst is a no-op, whatever the sources. */
    for (size_t w = 0; w < 3; ++w) {
      for (int k = 0; k < count; ++k) {
        set_valid(tiles[order[k]], k % 3 == 0 ? k_empty[w][0] : 9, k % 3 == 0 ? k_empty[w][1] : k % 3);
      }
      accept_all(op, tiles);
    }
  }
  assert_true(seen > 0);
}

static void test_rule_pair_valid(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{15, 16}, {16, 15}, {0, 0}, {17, 16}};
  int refused = 0;
  FOR_OPS(op) {
    const int32_t first = parts_of(op);
    if (first < 0 || !has_rule(op, "pair-valid", PTO_PROFILE_CPU)) continue;
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    const int32_t indices[] = {1, first + 2, first + 3};
    for (int i = 0; i < 3; ++i) {
      pto_tile *const good = tiles[indices[i]];
      tiles[indices[i]] = tile_sized(pto_tile_dtype(good), 24, 32);
      for (int w = 0; w < 4; ++w) {
        char texts[32];
        snprintf(texts, sizeof texts, "%dx%d|16x16", k_wrong[w][0], k_wrong[w][1]);
        set_valid(tiles[indices[i]], k_wrong[w][0], k_wrong[w][1]);
        refused += judge(op, tiles, PTO_ERROR_SHAPE, "pair-valid", pto_op_operand_name(op, indices[i]), texts);
      }
      set_valid(tiles[indices[i]], 16, 16);
      accept_all(op, tiles);
      tiles[indices[i]] = good;
    }
  }
  assert_true(refused > 0);
}

const struct CMUnitTest k_region_rules[] = {
    RULE_TEST(test_rule_valid_equal),  RULE_TEST(test_rule_valid_covers),  RULE_TEST(test_rule_rows_covered),
    RULE_TEST(test_rule_cols_covered), RULE_TEST(test_rule_vector_equal),  RULE_TEST(test_rule_bits_covered),
    RULE_TEST(test_rule_row_results),  RULE_TEST(test_rule_col_results),   RULE_TEST(test_rule_first_element),
    RULE_TEST(test_rule_repeat_valid), RULE_TEST(test_rule_partial_valid), RULE_TEST(test_rule_pair_valid),
};
const int k_region_rule_count = sizeof k_region_rules / sizeof *k_region_rules;
