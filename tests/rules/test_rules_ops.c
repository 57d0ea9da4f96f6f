/*
 * test_rules_ops.c: the rules of instructions, each broken on purpose under the
 * profiles that have it and shown to be absent under those that do not; and the
 * test that every rule of docs/rules.md has a test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"

/* Transfers have rules of their own: test_rules_tensors.c. */
static int transfers(int32_t op) {
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
    if (pto_op_operand_role(op, k) >= PTO_ROLE_TENSOR_OUT) return 1;
  }
  return 0;
}

#define FOR_OPS(i)                             \
  for (int32_t i = 0; i < pto_op_count(); ++i) \
    if (!transfers(pto_op_at(i)))

static const char *op_name(int32_t index) { return pto_op_name(pto_op_at(index)); }

/* A type that every profile takes. */
static pto_dtype common_dtype(int32_t op) {
  pto_dtype d = PTO_DTYPE_F32;
  assert_true(pto_op_supports(op, PTO_PROFILE_A2A3, d, 0) && pto_op_supports(op, PTO_PROFILE_A5, d, 0));
  return d;
}

static int sources_of(int32_t op) {
  int n = 0;
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) n += pto_op_operand_role(op, k) == PTO_ROLE_IN;
  return n;
}

static int expands(const char *name) { return strncmp(name, "tcolexpand", 10) == 0; }

static void test_rule_null(void **state) {
  (void)state;
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    for (int32_t k = 0; k <= sources_of(op); ++k) {
      pto_tile *tiles[5];
      operands_of(op_name(i), common_dtype(op), tiles);
      accept(CPU, op_name(i), tiles, 0);
      tiles[k] = NULL;
      for (int p = 0; p < 3; ++p) {
        refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_NULL, "null", pto_op_operand_name(op, k), "NULL");
      }
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
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    pto_tile *tiles[5];
    operands_of(op_name(i), common_dtype(op), tiles);
    for (int bit = 0; bit < 32; ++bit) {
      const uint32_t flags = (uint32_t)1 << bit;
      char texts[32];
      snprintf(texts, sizeof texts, "0x%x", (unsigned)flags);
      for (int p = 0; p < 3; ++p) {
        if ((flags & (uint32_t)pto_op_flags(op)) != 0) {
          accept(g_ctx[p], op_name(i), tiles, flags);
        } else {
          refuse(g_ctx[p], op_name(i), tiles, flags, PTO_ERROR_ARGUMENT, "flags", "flags", texts);
        }
      }
    }
  }
}

static void test_rule_storage(void **state) {
  (void)state;
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    for (int32_t k = 0; k <= sources_of(op); ++k) {
      pto_tile *tiles[5];
      operands_of(op_name(i), common_dtype(op), tiles);
      tiles[k] = tile_manual(common_dtype(op));
      for (int p = 0; p < 3; ++p) {
        refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_ADDRESS, "storage", pto_op_operand_name(op, k),
               "without an address");
      }
      assert_int_equal(pto_tassign(CPU, tiles[k], 4096), PTO_OK);
      accept(CPU, op_name(i), tiles, 0);
    }
  }
  /* tmp is looked at where it is needed only. */
  pto_tile *tiles[5];
  operands_of("tpow", PTO_DTYPE_F32, tiles);
  tiles[3] = tile_manual(PTO_DTYPE_F32);
  refuse(A2A3, "tpow", tiles, 0, PTO_ERROR_ADDRESS, "storage", "tmp", "without an address");
  accept(A5, "tpow", tiles, 0);
  accept(CPU, "tpow", tiles, 0);
  pto_tile *tile = tile_manual(PTO_DTYPE_F32);
  float data[256] = {0};
  expect_error(CPU, pto_tile_write(CPU, tile, data, sizeof data), PTO_ERROR_ADDRESS, "storage", "tile",
               "without an address");
  expect_error(CPU, pto_tile_read(CPU, tile, data, sizeof data), PTO_ERROR_ADDRESS, "storage", "tile",
               "without an address");
}

static void test_rule_dtype(void **state) {
  (void)state;
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bytes(d) != 0; d = (pto_dtype)(d + 1)) {
      pto_tile *tiles[5];
      operands_of(op_name(i), d, tiles);
      for (int p = 0; p < 3; ++p) {
        if (pto_op_supports(op, (pto_profile)p, d, 0)) {
          accept(g_ctx[p], op_name(i), tiles, 0);
        } else {
          refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_DTYPE, "dtype", "dst", pto_dtype_name(d));
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
  for (pto_dtype d = PTO_DTYPE_I8; d <= PTO_DTYPE_U32; d = (pto_dtype)(d + 1)) {
    pto_tile *tiles[5];
    operands_of("tpow", d, tiles);
    refuse(A5, "tpow", tiles, PTO_HIGH_PRECISION, PTO_ERROR_DTYPE, "precision-float", "flags", "PTO_HIGH_PRECISION|A5");
    accept(A5, "tpow", tiles, 0);
    accept(CPU, "tpow", tiles, PTO_HIGH_PRECISION);
    accept(A2A3, "tpow", tiles, PTO_HIGH_PRECISION);
  }
  pto_tile *tiles[5];
  operands_of("tpow", PTO_DTYPE_F32, tiles);
  accept(A5, "tpow", tiles, PTO_HIGH_PRECISION);
}

static void test_rule_location_vec(void **state) {
  (void)state;
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    for (int32_t k = 0; k <= sources_of(op); ++k) {
      pto_tile *tiles[5];
      operands_of(op_name(i), common_dtype(op), tiles);
      tiles[k] = tile_at(PTO_LOCATION_ACC, common_dtype(op));
      for (int p = 0; p < 3; ++p) {
        refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_LAYOUT, "location-vec", pto_op_operand_name(op, k), "acc|vec");
      }
    }
  }
}

static void test_rule_row_major(void **state) {
  (void)state;
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    for (int32_t k = 0; k <= sources_of(op); ++k) {
      if (expands(op_name(i)) && k == 2) continue;   /* col-vector */
      if (strcmp(op_name(i), "tmov") == 0) continue; /* it turns layouts */
      for (int layout = k_layout_dn; layout < k_layout_usual; ++layout) {
        pto_tile *tiles[5];
        operands_of(op_name(i), common_dtype(op), tiles);
        tiles[k] = tile_laid(layout, common_dtype(op), 16, 16);
        const char *texts = layout == k_layout_dn ? "col-major|row-major" : "boxed|row-major";
        refuse(A2A3, op_name(i), tiles, 0, PTO_ERROR_LAYOUT, "row-major", pto_op_operand_name(op, k), texts);
        refuse(A5, op_name(i), tiles, 0, PTO_ERROR_LAYOUT, "row-major", pto_op_operand_name(op, k), texts);
        accept(CPU, op_name(i), tiles, 0);
      }
    }
  }
}

static void test_rule_col_vector(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(i) {
    if (!expands(op_name(i))) continue;
    ++seen;
    pto_tile *tiles[5];
    operands_of(op_name(i), PTO_DTYPE_F32, tiles);
    for (int layout = k_layout_dn; layout < k_layout_usual; ++layout) {
      tiles[2] = tile_laid(layout, PTO_DTYPE_F32, 16, 16);
      const char *texts = layout == k_layout_dn ? "col-major|16 columns" : "boxed|16 columns";
      refuse(A2A3, op_name(i), tiles, 0, PTO_ERROR_LAYOUT, "col-vector", "src1", texts);
      refuse(A5, op_name(i), tiles, 0, PTO_ERROR_LAYOUT, "col-vector", "src1", texts);
      accept(CPU, op_name(i), tiles, 0);
    }
    tiles[2] = tile_laid(k_layout_dn, PTO_DTYPE_F32, 16, 1);
    for (int p = 0; p < 3; ++p) accept(g_ctx[p], op_name(i), tiles, 0);
  }
  assert_true(seen > 0);
}

static void test_rule_same_dtype(void **state) {
  (void)state;
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    for (int32_t k = 1; k <= sources_of(op); ++k) {
      pto_tile *tiles[5];
      operands_of(op_name(i), common_dtype(op), tiles);
      for (pto_dtype d = PTO_DTYPE_I8; d < PTO_DTYPE_F32; d = (pto_dtype)(d + 1)) {
        tiles[k] = tile_sized(d, 16, 32);
        assert_int_equal(pto_tile_set_valid(CPU, tiles[k], 16, 16), PTO_OK);
        char texts[32];
        snprintf(texts, sizeof texts, "%s|f32", pto_dtype_name(d));
        for (int p = 0; p < 3; ++p) {
          refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_DTYPE, "same-dtype", pto_op_operand_name(op, k), texts);
        }
      }
    }
  }
}

static void test_rule_valid_equal(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 15}, {15, 16}, {0, 16}, {16, 0}, {0, 0}, {1, 1}};
  FOR_OPS(i) {
    const int32_t op = pto_op_at(i);
    if (strcmp(op_name(i), "tpartadd") == 0) continue;
    for (int32_t k = 1; k <= sources_of(op); ++k) {
      if (expands(op_name(i)) && k == 2) continue;
      pto_tile *tiles[5];
      operands_of(op_name(i), common_dtype(op), tiles);
      for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
        assert_int_equal(pto_tile_set_valid(CPU, tiles[k], k_wrong[w][0], k_wrong[w][1]), PTO_OK);
        char texts[64];
        snprintf(texts, sizeof texts, "%dx%d|16x16", k_wrong[w][0], k_wrong[w][1]);
        for (int p = 0; p < 3; ++p) {
          refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_SHAPE, "valid-equal", pto_op_operand_name(op, k), texts);
        }
      }
    }
  }
}

static void test_rule_cols_covered(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{1, 15}, {0, 16}, {16, 0}, {0, 0}};
  int seen = 0;
  FOR_OPS(i) {
    if (!expands(op_name(i))) continue;
    ++seen;
    pto_tile *tiles[5];
    operands_of(op_name(i), PTO_DTYPE_F32, tiles);
    pto_tile *column = tile_laid(k_layout_dn, PTO_DTYPE_F32, 16, 1);
    for (int p = 0; p < 3; ++p) {
      pto_tile *row = tiles[2];
      for (size_t w = 0; w < 4; ++w) {
        assert_int_equal(pto_tile_set_valid(CPU, row, k_wrong[w][0], k_wrong[w][1]), PTO_OK);
        refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_SHAPE, "cols-covered", "src1",
               w == 0 ? "1x15|15 scalars|16 valid columns" : "0 scalars|16 valid columns");
      }
      assert_int_equal(pto_tile_set_valid(CPU, row, 1, 16), PTO_OK);
      accept(g_ctx[p], op_name(i), tiles, 0);
      tiles[2] = column;
      assert_int_equal(pto_tile_set_valid(CPU, column, 15, 1), PTO_OK);
      refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_SHAPE, "cols-covered", "src1",
             "15x1|15 scalars|16 valid columns");
      assert_int_equal(pto_tile_set_valid(CPU, column, 16, 0), PTO_OK);
      refuse(g_ctx[p], op_name(i), tiles, 0, PTO_ERROR_SHAPE, "cols-covered", "src1", "16x0|0 scalars");
      assert_int_equal(pto_tile_set_valid(CPU, column, 16, 1), PTO_OK);
      accept(g_ctx[p], op_name(i), tiles, 0);
      tiles[2] = row;
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
      {{{8, 8}, {8, 7}, {7, 8}}, "src0"}, {{{8, 8}, {7, 7}, {7, 7}}, "src0"}, {{{8, 8}, {9, 8}, {8, 8}}, "src0"},
      {{{8, 8}, {8, 8}, {8, 9}}, "src1"}, {{{8, 8}, {8, 8}, {9, 1}}, "src1"}, {{{8, 8}, {9, 9}, {9, 9}}, "src0"},
      {{{0, 0}, {1, 1}, {0, 0}}, "src0"}, {{{8, 8}, {0, 0}, {0, 0}}, "src0"}, {{{8, 8}, {7, 8}, {9, 9}}, "src1"},
  };
  pto_tile *tiles[5];
  operands_of("tpartadd", PTO_DTYPE_F32, tiles);
  for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
    for (int k = 0; k < 3; ++k) {
      assert_int_equal(pto_tile_set_valid(CPU, tiles[k], k_wrong[w].region[k][0], k_wrong[w].region[k][1]), PTO_OK);
    }
    for (int p = 0; p < 3; ++p) {
      refuse(g_ctx[p], "tpartadd", tiles, 0, PTO_ERROR_SHAPE, "partial-valid", k_wrong[w].operand,
             w == 0 ? "8x7|7x8|8x8" : "valid");
    }
  }
}

static void test_rule_tmp_required(void **state) {
  (void)state;
  pto_tile *tiles[5];
  operands_of("tpow", PTO_DTYPE_F32, tiles);
  tiles[3] = NULL;
  refuse(A2A3, "tpow", tiles, 0, PTO_ERROR_NULL, "tmp-required", "tmp", "tmp is NULL|A2A3|f32");
  accept(CPU, "tpow", tiles, 0);
  accept(A5, "tpow", tiles, 0);
  operands_of("tpow", PTO_DTYPE_I32, tiles);
  tiles[3] = NULL;
  accept(A2A3, "tpow", tiles, 0);
  operands_of("tprelu", PTO_DTYPE_F16, tiles);
  tiles[3] = NULL;
  refuse(A2A3, "tprelu", tiles, 0, PTO_ERROR_NULL, "tmp-required", "tmp", "tmp is NULL|A2A3|f16");
  accept(CPU, "tprelu", tiles, 0);
  accept(A5, "tprelu", tiles, 0);
  operands_of("trsqrt", PTO_DTYPE_F16, tiles);
  tiles[2] = NULL;
  for (int p = 0; p < 3; ++p) accept(g_ctx[p], "trsqrt", tiles, 0);
}

/* A tmp that A2A3 refuses and the others ignore. */
static void refuse_tmp(const char *op, pto_tile **tiles, pto_tile *tmp, pto_status status, const char *rule,
                       const char *texts) {
  pto_tile *good = tiles[3];
  tiles[3] = tmp;
  refuse(A2A3, op, tiles, 0, status, rule, "tmp", texts);
  accept(CPU, op, tiles, 0);
  accept(A5, op, tiles, 0);
  tiles[3] = good;
  accept(A2A3, op, tiles, 0);
}

static void test_rule_tmp_dtype(void **state) {
  (void)state;
  pto_tile *tiles[5];
  operands_of("tprelu", PTO_DTYPE_F32, tiles);
  refuse_tmp("tprelu", tiles, tile_sized(PTO_DTYPE_I8, 17, 32), PTO_ERROR_DTYPE, "tmp-dtype", "i8|u8");
  refuse_tmp("tprelu", tiles, tile_sized(PTO_DTYPE_F32, 17, 32), PTO_ERROR_DTYPE, "tmp-dtype", "f32|u8");
}

static void test_rule_tmp_layout(void **state) {
  (void)state;
  pto_tile *tiles[5];
  operands_of("tprelu", PTO_DTYPE_F32, tiles);
  refuse_tmp("tprelu", tiles, tile_laid(k_layout_dn, PTO_DTYPE_U8, 32, 32), PTO_ERROR_LAYOUT, "tmp-layout",
             "col-major|vec");
  operands_of("tpow", PTO_DTYPE_F32, tiles);
  refuse_tmp("tpow", tiles, tile_laid(k_layout_dn, PTO_DTYPE_F32, 16, 16), PTO_ERROR_LAYOUT, "tmp-layout",
             "col-major|vec");
  refuse_tmp("tpow", tiles, tile_laid(4, PTO_DTYPE_F32, 16, 16), PTO_ERROR_LAYOUT, "tmp-layout", "boxed|vec");
  refuse_tmp("tpow", tiles, tile_at(PTO_LOCATION_MAT, PTO_DTYPE_F32), PTO_ERROR_LAYOUT, "tmp-layout",
             "row-major|mat|vec");
}

static void test_rule_tmp_valid_equal(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{15, 16}, {16, 15}, {17, 16}, {0, 0}};
  pto_tile *tiles[5];
  operands_of("tpow", PTO_DTYPE_F32, tiles);
  for (size_t w = 0; w < 4; ++w) {
    pto_tile *tmp = tile_sized(PTO_DTYPE_F32, 17, 24);
    assert_int_equal(pto_tile_set_valid(CPU, tmp, k_wrong[w][0], k_wrong[w][1]), PTO_OK);
    refuse_tmp("tpow", tiles, tmp, PTO_ERROR_SHAPE, "tmp-valid-equal", w == 0 ? "15x16|16x16" : "16x16");
  }
}

static void test_rule_tmp_spare_row(void **state) {
  (void)state;
  pto_tile *tiles[5];
  operands_of("tprelu", PTO_DTYPE_F32, tiles);
  refuse_tmp("tprelu", tiles, tile_sized(PTO_DTYPE_U8, 16, 32), PTO_ERROR_SHAPE, "tmp-spare-row",
             "tmp has 16|dst has 16");
  refuse_tmp("tprelu", tiles, tile_sized(PTO_DTYPE_U8, 1, 32), PTO_ERROR_SHAPE, "tmp-spare-row",
             "tmp has 1|dst has 16");
}

static void test_rule_tmp_apart(void **state) {
  (void)state;
  pto_tile *tiles[5];
  operands_of("tpow", PTO_DTYPE_F32, tiles);
  for (int k = 0; k < 3; ++k)
    refuse_tmp("tpow", tiles, tiles[k], PTO_ERROR_ALIAS, "tmp-apart", pto_op_operand_name(pto_op_find("tpow"), k));
  /* The last byte of one operand is the first of tmp. */
  const pto_tile_desc mask = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_U8, 17, 32);
  operands_of("tprelu", PTO_DTYPE_F32, tiles);
  for (int k = 0; k < 3; ++k) {
    pto_tile *whole = tile_sized(PTO_DTYPE_U8, 64, 32);
    const pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 16, 16);
    pto_tile *operand = keep(pto_tile_wrap(CPU, &desc, pto_tile_data(whole), 1024));
    pto_tile *near = keep(pto_tile_wrap(CPU, &mask, (uint8_t *)pto_tile_data(whole) + 1023, 17 * 32));
    pto_tile *apart = keep(pto_tile_wrap(CPU, &mask, (uint8_t *)pto_tile_data(whole) + 1024, 17 * 32));
    pto_tile *old = tiles[k];
    tiles[k] = operand;
    refuse_tmp("tprelu", tiles, near, PTO_ERROR_ALIAS, "tmp-apart", pto_op_operand_name(pto_op_find("tprelu"), k));
    tiles[3] = apart;
    accept(A2A3, "tprelu", tiles, 0);
    tiles[k] = old;
  }
}

static void test_rule_no_overlap(void **state) {
  (void)state;
  static const int k_pairs[][2] = {{0, 1}, {0, 2}, {1, 2}};
  static const char *k_names[] = {"dst", "src0", "src1"};
  for (size_t i = 0; i < 3; ++i) {
    pto_tile *tiles[5];
    operands_of("tprelu", PTO_DTYPE_F32, tiles);
    accept(A2A3, "tprelu", tiles, 0);
    tiles[k_pairs[i][1]] = tiles[k_pairs[i][0]];
    char texts[64];
    snprintf(texts, sizeof texts, "%s|%s|A2A3", k_names[k_pairs[i][0]], k_names[k_pairs[i][1]]);
    refuse(A2A3, "tprelu", tiles, 0, PTO_ERROR_ALIAS, "no-overlap", k_names[k_pairs[i][1]], texts);
    accept(CPU, "tprelu", tiles, 0);
    accept(A5, "tprelu", tiles, 0);
  }
  /* The other instructions run in place under A2A3 too. */
  FOR_OPS(i) {
    if (strcmp(op_name(i), "tprelu") == 0) continue;
    for (int32_t k = 1; k <= sources_of(pto_op_at(i)); ++k) {
      pto_tile *tiles[5];
      operands_of(op_name(i), PTO_DTYPE_F32, tiles);
      tiles[0] = tiles[k];
      accept(A2A3, op_name(i), tiles, 0);
    }
  }
}

const struct CMUnitTest k_op_rules[] = {
    RULE_TEST(test_rule_null),
    RULE_TEST(test_rule_flags),
    RULE_TEST(test_rule_storage),
    RULE_TEST(test_rule_dtype),
    RULE_TEST(test_rule_precision_float),
    RULE_TEST(test_rule_location_vec),
    RULE_TEST(test_rule_row_major),
    RULE_TEST(test_rule_col_vector),
    RULE_TEST(test_rule_same_dtype),
    RULE_TEST(test_rule_valid_equal),
    RULE_TEST(test_rule_cols_covered),
    RULE_TEST(test_rule_partial_valid),
    RULE_TEST(test_rule_tmp_required),
    RULE_TEST(test_rule_tmp_dtype),
    RULE_TEST(test_rule_tmp_layout),
    RULE_TEST(test_rule_tmp_valid_equal),
    RULE_TEST(test_rule_tmp_spare_row),
    RULE_TEST(test_rule_tmp_apart),
    RULE_TEST(test_rule_no_overlap),
};
const int k_op_rule_count = sizeof k_op_rules / sizeof *k_op_rules;
