/*
 * test_rules_ops.c: the rules of what any instruction is given, each broken on purpose for every instruction under the
 * profiles that have it and shown to be absent under those that do not: operands, flags, places, layouts.
 */
#include <stdio.h>

#include "fixture.h"
#include "op_rules.h"
#include "rules_tests.h"

static void test_rule_null(void **state) {
  (void)state;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    accept_all(op, tiles);
    FOR_NEEDED(op, k) {
      pto_tile *const good = tiles[k];
      tiles[k] = NULL;
      for (int p = 0; p < k_profiles; ++p) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_NULL, "null", pto_op_operand_name(op, k), "NULL");
      }
      tiles[k] = good;
    }
  }
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  pto_inst *inst = pto_inst_create(CPU, "tpow");
  float data[256];
  static int64_t memory[128];
  const pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 16, 16);
  EXPECT_NO_HANDLE(CPU, pto_tile_create_from(CPU, NULL), PTO_ERROR_NULL, "null", "desc", "desc is NULL");
  EXPECT_NO_HANDLE(CPU, pto_tile_wrap(CPU, NULL, memory, 1024), PTO_ERROR_NULL, "null", "desc", "desc is NULL");
  EXPECT_NO_HANDLE(CPU, pto_tile_wrap(CPU, &desc, NULL, 1024), PTO_ERROR_NULL, "null", "data", "data is NULL");
  EXPECT_NO_HANDLE(CPU, pto_inst_create(CPU, NULL), PTO_ERROR_NULL, "null", "name", "name is NULL");
  expect_error(CPU, pto_tile_write(CPU, NULL, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "pto_tile_write: tile is NULL");
  expect_error(CPU, pto_tile_read(CPU, NULL, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "pto_tile_read: tile is NULL");
  expect_error(CPU, pto_tile_write(CPU, tile, NULL, 1024), PTO_ERROR_NULL, "null", "data", "data is NULL");
  expect_error(CPU, pto_tile_read(CPU, tile, NULL, 1024), PTO_ERROR_NULL, "null", "data", "data is NULL");
  expect_error(CPU, pto_tile_write_as(CPU, NULL, PTO_DTYPE_F32, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "tile is NULL");
  expect_error(CPU, pto_tile_read_as(CPU, NULL, PTO_DTYPE_F32, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "tile is NULL");
  expect_error(CPU, pto_tile_set_valid(CPU, NULL, 1, 1), PTO_ERROR_NULL, "null", "tile", "tile is NULL");
  expect_error(CPU, pto_tassign(CPU, NULL, 0), PTO_ERROR_NULL, "null", "tile", "tassign: tile is NULL");
  expect_error(CPU, pto_inst_set_tile(CPU, NULL, 0, tile), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_set_int(CPU, NULL, 0, 0), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_set_float(CPU, NULL, 0, 0), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_check(CPU, NULL), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_run(CPU, NULL), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  pto_inst_release(inst);
  /* Nothing to move: no data is needed. */
  assert_int_equal(pto_tile_set_valid(CPU, tile, 0, 16), PTO_OK);
  assert_int_equal(pto_tile_write(CPU, tile, NULL, 0), PTO_OK);
  assert_int_equal(pto_tile_read(CPU, tile, NULL, 0), PTO_OK);
}

static void test_rule_flags(void **state) {
  (void)state;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int bit = 0; bit < 32; ++bit) {
      const uint32_t flags = (uint32_t)1 << bit;
      char texts[32];
      snprintf(texts, sizeof texts, "0x%x", (unsigned)flags);
      for (int p = 0; p < k_profiles; ++p) {
        if ((flags & (uint32_t)pto_op_flags(op)) == 0) {
          refuse(g_ctx[p], pto_op_name(op), tiles, flags, PTO_ERROR_ARGUMENT, "flags", "flags", texts);
        } else if (pto_op_supports(op, (pto_profile)p, dtype, flags)) {
          accept(g_ctx[p], pto_op_name(op), tiles, flags);
        }
      }
    }
  }
}

static void test_rule_storage(void **state) {
  (void)state;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
      if (!is_tile(op, k)) continue;
      pto_tile *const good = tiles[k];
      pto_tile_desc desc = desc_of(good);
      desc.storage = PTO_STORAGE_MANUAL;
      tiles[k] = tile_made(&desc);
      FOR_PROFILES(p, op, dtype) {
        /* tmp is looked at where it is needed only. */
        if (is_needed(op, k) || has_rule(op, "tmp-required", p)) {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_ADDRESS, "storage", pto_op_operand_name(op, k),
                 "without an address");
        } else {
          accept(g_ctx[p], pto_op_name(op), tiles, 0);
        }
      }
      assert_int_equal(pto_tassign(CPU, tiles[k], 4096), PTO_OK);
      accept_all(op, tiles);
      tiles[k] = good;
    }
  }
  pto_tile *tile = tile_manual(PTO_DTYPE_F32);
  float data[256] = {0};
  expect_error(CPU, pto_tile_write(CPU, tile, data, sizeof data), PTO_ERROR_ADDRESS, "storage", "tile",
               "without an address");
  expect_error(CPU, pto_tile_read(CPU, tile, data, sizeof data), PTO_ERROR_ADDRESS, "storage", "tile",
               "without an address");
}

static void test_rule_dtype(void **state) {
  (void)state;
  FOR_OPS(op) {
    FOR_TYPES(d) {
      pto_tile *tiles[k_operands];
      operands_of(pto_op_name(op), d, tiles);
      for (int p = 0; p < k_profiles; ++p) {
        if (pto_op_supports(op, (pto_profile)p, d, 0)) {
          const pto_dtype first = pto_tile_dtype(tiles[0]);
          const int moved = has_rule(op, "location-move", p) && first != pto_tile_dtype(tiles[1]);
          if (!moved) accept(g_ctx[p], pto_op_name(op), tiles, 0);
        } else {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_DTYPE, "dtype", lead_name(op), pto_dtype_name(d));
        }
      }
    }
  }
  /* What the documents say, so that a record cannot agree with itself only. */
  const int32_t tpow = pto_op_find("tpow");
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A2A3, PTO_DTYPE_F16, 0), 0);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A2A3, PTO_DTYPE_U8, 0), 1);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A5, PTO_DTYPE_BF16, 1), 1);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A5, PTO_DTYPE_U8, 1), 0);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A2A3, PTO_DTYPE_U8, 1), 1);
  assert_int_equal(pto_op_supports(pto_op_find("trsqrt"), PTO_PROFILE_CPU, PTO_DTYPE_BF16, 0), 1);
  assert_int_equal(pto_op_supports(pto_op_find("trsqrt"), PTO_PROFILE_A5, PTO_DTYPE_BF16, 0), 0);
  assert_int_equal(pto_op_supports(pto_op_find("tpartadd"), PTO_PROFILE_A2A3, PTO_DTYPE_U16, 0), 0);
}

static void test_rule_precision_float(void **state) {
  (void)state;
  int refused = 0;
  FOR_OPS(op) {
    if ((pto_op_flags(op) & PTO_HIGH_PRECISION) == 0) continue;
    FOR_TYPES(d) {
      pto_tile *tiles[k_operands];
      operands_of(pto_op_name(op), d, tiles);
      FOR_PROFILES(p, op, d) {
        accept(g_ctx[p], pto_op_name(op), tiles, 0);
        if (has_rule(op, "precision-float", p) && d < PTO_DTYPE_F16) {
          refuse(g_ctx[p], pto_op_name(op), tiles, PTO_HIGH_PRECISION, PTO_ERROR_DTYPE, "precision-float", "flags",
                 "PTO_HIGH_PRECISION|A5");
          ++refused;
        } else {
          accept(g_ctx[p], pto_op_name(op), tiles, PTO_HIGH_PRECISION);
        }
      }
    }
  }
  assert_true(refused > 0);
}

static void test_rule_location_vec(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(op) {
    /* Some go between memories: test_rule_location_move and test_rule_pad_place. */
    if (!has_rule(op, "location-vec", PTO_PROFILE_CPU)) continue;
    ++seen;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    FOR_NEEDED(op, k) {
      pto_tile *const good = tiles[k];
      pto_tile_desc desc = desc_of(good);
      desc.location = PTO_LOCATION_ACC;
      tiles[k] = tile_made(&desc);
      FOR_PROFILES(p, op, dtype) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_LAYOUT, "location-vec", pto_op_operand_name(op, k),
               "acc|vec");
      }
      tiles[k] = good;
    }
  }
  assert_true(seen > 100);
}

/* Sources with one element per column, or one per row, may be a column. */
static int is_vector(int32_t op, int32_t k) {
  const int32_t extent = pto_op_operand_extent(op, k);
  return extent == PTO_EXTENT_ROW || extent == PTO_EXTENT_COLUMN || extent == PTO_EXTENT_ROW_RESULTS;
}

/* Each operand that the rule is about, in each layout but row-major. */
static int wrong_layouts(const char *rule, int (*about)(int32_t, int32_t), const char *text) {
  int refused = 0;
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    FOR_NEEDED(op, k) {
      if (!about(op, k) || is_whole(op)) continue;
      pto_tile *const good = tiles[k];
      for (int layout = k_layout_dn; layout < k_layout_usual; ++layout) {
        tiles[k] = tile_laid(layout, pto_tile_dtype(good), 32, 32);
        set_valid(tiles[k], pto_tile_valid_rows(good), pto_tile_valid_cols(good));
        char texts[64];
        snprintf(texts, sizeof texts, "%s|%s", layout == k_layout_dn ? "col-major" : "boxed", text);
        if (op == pto_op_find("tinsert")) { /* A2A3 has a rule of its own: window-place */
          accept(CPU, "tinsert", tiles, 0);
          accept(A5, "tinsert", tiles, 0);
          refuse(A2A3, "tinsert", tiles, 0, PTO_ERROR_SHAPE, "window-place", "src", "A2A3 inserts row-major or Nz");
          continue;
        }
        refused += judge(op, tiles, PTO_ERROR_LAYOUT, rule, pto_op_operand_name(op, k), texts);
      }
      if (is_vector(op, k) || pto_op_operand_extent(op, k) == PTO_EXTENT_REPEAT) {
        tiles[k] = tile_laid(k_layout_dn, pto_tile_dtype(good), 32, 1);
        set_valid(tiles[k], 16, 1);
        accept_all(op, tiles);
      }
      tiles[k] = good;
    }
  }
  return refused;
}

static int is_plane(int32_t op, int32_t k) { return !is_vector(op, k); }
static int is_row(int32_t op, int32_t k) { return pto_op_operand_extent(op, k) == PTO_EXTENT_ROW; }
static int is_down(int32_t op, int32_t k) { return is_vector(op, k) && !is_row(op, k); }

static void test_rule_row_major(void **state) {
  (void)state;
  assert_true(wrong_layouts("row-major", is_plane, "row-major") > 0);
  /* What the documents say. */
  const int32_t partial = pto_op_find("tpartadd");
  assert_true(has_rule(partial, "row-major", PTO_PROFILE_A2A3) && !has_rule(partial, "row-major", PTO_PROFILE_A5));
  assert_true(has_rule(pto_op_find("tadd"), "row-major", PTO_PROFILE_A5));
  assert_false(has_rule(pto_op_find("tmov"), "row-major", PTO_PROFILE_A2A3));
}

static void test_rule_col_vector(void **state) {
  (void)state;
  assert_true(wrong_layouts("col-vector", is_row, "32 columns") > 0);
}

static void test_rule_row_vector(void **state) {
  (void)state;
  assert_true(wrong_layouts("row-vector", is_down, "32 columns") > 0);
}

const struct CMUnitTest k_op_rules[] = {
    RULE_TEST(test_rule_null),      RULE_TEST(test_rule_flags),           RULE_TEST(test_rule_storage),
    RULE_TEST(test_rule_dtype),     RULE_TEST(test_rule_precision_float), RULE_TEST(test_rule_location_vec),
    RULE_TEST(test_rule_row_major), RULE_TEST(test_rule_col_vector),      RULE_TEST(test_rule_row_vector),
};
const int k_op_rule_count = sizeof k_op_rules / sizeof *k_op_rules;
