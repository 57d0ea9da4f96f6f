/*
 * test_rules_irregular.c: the rules of instructions that move elements by indices and patterns.
 */
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"
#include "values.h"

static void put(pto_tile *tile, int32_t row, int32_t col, uint64_t bits) {
  const int32_t size = pto_dtype_bytes(pto_tile_dtype(tile));
  const int64_t at = (int64_t)row * pto_tile_cols(tile) + col;
  values_set(pto_tile_dtype(tile), (uint8_t *)pto_tile_data(tile) + at * size, bits);
}

static void set_valid(pto_tile *tile, int32_t rows, int32_t cols) {
  assert_int_equal(pto_tile_set_valid(CPU, tile, rows, cols), PTO_OK);
}

/* What tiles hold is looked at when the instruction runs, not when it is checked; nothing is written. */
static void refuse_run(pto_context *ctx, const char *op, pto_tile *const *tiles, const char *operand,
                       const char *texts) {
  pto_inst *inst = pto_inst_create(ctx, op);
  for (int32_t i = 0; i < 4 && i < pto_op_operand_count(pto_op_find(op)); ++i) {
    if (is_tile(pto_op_find(op), i)) assert_int_equal(pto_inst_set_tile(ctx, inst, i, tiles[i]), PTO_OK);
  }
  static uint8_t before[8192];
  const size_t bytes = (size_t)pto_tile_bytes(tiles[0]);
  assert_true(bytes <= sizeof before);
  memcpy(before, pto_tile_data(tiles[0]), bytes);
  assert_int_equal(pto_inst_check(ctx, inst), PTO_OK);
  expect_error(ctx, pto_inst_run(ctx, inst), PTO_ERROR_ARGUMENT, "index-range", operand, texts);
  assert_memory_equal(before, pto_tile_data(tiles[0]), bytes);
  pto_inst_release(inst);
}

static void test_rule_index_range(void **state) {
  (void)state;
  static const struct {
    const char *op, *indices;
    int of; /* the tile that they are for */
  } k_ops[] = {{"tgather", "indices", 1}, {"tscatter", "indexes", 0}};
  for (size_t i = 0; i < sizeof k_ops / sizeof *k_ops; ++i) {
    for (int p = 0; p < 3; ++p) {
      pto_tile *tiles[k_operands];
      operands_of(k_ops[i].op, PTO_DTYPE_I32, tiles);
      tiles[2] = tile_of(PTO_DTYPE_I32);
      put(tiles[2], 15, 15, 255);
      accept(g_ctx[p], k_ops[i].op, tiles, 0);
      put(tiles[2], 7, 9, 256);
      refuse_run(g_ctx[p], k_ops[i].op, tiles, k_ops[i].indices, "256|(7, 9)|16 columns|16x16");
      put(tiles[2], 7, 9, (uint32_t)-1);
      refuse_run(g_ctx[p], k_ops[i].op, tiles, k_ops[i].indices, "has -1|(7, 9)");
      tiles[2] = tile_of(PTO_DTYPE_U32);
      put(tiles[2], 0, 3, UINT32_MAX);
      refuse_run(g_ctx[p], k_ops[i].op, tiles, k_ops[i].indices, "4294967295|(0, 3)");
      /* An element that is there and not valid. */
      put(tiles[2], 0, 3, 15);
      accept(g_ctx[p], k_ops[i].op, tiles, 0);
      if (p != PTO_PROFILE_CPU) continue;
      set_valid(tiles[k_ops[i].of], 16, 15);
      if (k_ops[i].of == 0) refuse_run(CPU, k_ops[i].op, tiles, k_ops[i].indices, "15 at (0, 3)|16x15");
      if (k_ops[i].of == 1) refuse_run(CPU, k_ops[i].op, tiles, k_ops[i].indices, "15 at (0, 3)|16x15");
    }
  }
  pto_tile *tiles[k_operands];
  operands_of("tgatherb", PTO_DTYPE_F32, tiles);
  for (int p = 0; p < 3; ++p) {
    put(tiles[2], 5, 1, 1024 - 32);
    accept(g_ctx[p], "tgatherb", tiles, 0);
    put(tiles[2], 5, 1, 1024 - 28);
    refuse_run(g_ctx[p], "tgatherb", tiles, "offset", "996 at (5, 1)");
    put(tiles[2], 5, 1, 2);
    refuse_run(g_ctx[p], "tgatherb", tiles, "offset", "2 at (5, 1)");
  }
}

static void test_rule_blocks_covered(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  operands_of("tgatherb", PTO_DTYPE_F32, tiles); /* rows of two blocks */
  for (int p = 0; p < 3; ++p) {
    set_valid(tiles[2], 16, 2);
    accept(g_ctx[p], "tgatherb", tiles, 0);
    set_valid(tiles[2], 16, 1);
    refuse(g_ctx[p], "tgatherb", tiles, 0, PTO_ERROR_SHAPE, "blocks-covered", "offset", "16x1|2 blocks");
    set_valid(tiles[2], 15, 2);
    refuse(g_ctx[p], "tgatherb", tiles, 0, PTO_ERROR_SHAPE, "blocks-covered", "offset", "15x2|16 rows");
  }
}

static void test_rule_full_rows(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  operands_of("tgather", PTO_DTYPE_F32, tiles);
  for (int k = 0; k < 4; ++k) set_valid(tiles[k], 16, 15);
  pto_tile *picks[k_operands];
  operands_of("tgather_mask", PTO_DTYPE_F32, picks);
  set_valid(picks[0], 16, 15);
  accept(CPU, "tgather", tiles, 0);
  accept(CPU, "tgather_mask", picks, 0);
  for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
    refuse(g_ctx[p], "tgather", tiles, 0, PTO_ERROR_SHAPE, "full-rows", "dst", "15 valid columns of 16");
    refuse(g_ctx[p], "tgather_mask", picks, 0, PTO_ERROR_SHAPE, "full-rows", "dst", "15 valid columns of 16");
  }
}

static void test_rule_pick_room(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  operands_of("tgather_mask", PTO_DTYPE_F32, tiles); /* every second of 16x16 */
  for (int p = 0; p < 3; ++p) {
    set_valid(tiles[0], 8, 16);
    accept(g_ctx[p], "tgather_mask", tiles, 0);
    set_valid(tiles[0], 7, 16);
    refuse(g_ctx[p], "tgather_mask", tiles, 0, PTO_ERROR_SHAPE, "pick-room", "dst", "7x16|128 elements");
    /* By columns: eight rows. */
    g_number_at = 3;
    g_number = PTO_GATHER_AXIS_COL;
    refuse(g_ctx[p], "tgather_mask", tiles, 0, PTO_ERROR_SHAPE, "pick-room", "dst", "7x16|8 rows of 16 columns");
    set_valid(tiles[0], 8, 15);
    refuse(g_ctx[p], "tgather_mask", tiles, 0, PTO_ERROR_SHAPE, "pick-room", "dst", "8x15|8 rows of 16 columns");
    set_valid(tiles[0], 9, 16);
    if (p == PTO_PROFILE_CPU) {
      accept(g_ctx[p], "tgather_mask", tiles, 0);
    } else {
      refuse(g_ctx[p], "tgather_mask", tiles, 0, PTO_ERROR_SHAPE, "pick-room", "dst", "9x16|8 rows of 16 columns");
    }
    set_valid(tiles[0], 8, 16);
    accept(g_ctx[p], "tgather_mask", tiles, 0);
    g_number_at = -1;
  }
}

static void test_rule_spread_source(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  operands_of("tscatter_mask", PTO_DTYPE_F32, tiles); /* to every second of 16x16 */
  for (int p = 0; p < 3; ++p) {
    set_valid(tiles[1], 16, 8);
    accept(g_ctx[p], "tscatter_mask", tiles, 0);
    set_valid(tiles[1], 16, 7);
    refuse(g_ctx[p], "tscatter_mask", tiles, 0, PTO_ERROR_SHAPE, "spread-source", "src", "16x7|16x16|16x8");
    set_valid(tiles[1], 15, 8);
    refuse(g_ctx[p], "tscatter_mask", tiles, 0, PTO_ERROR_SHAPE, "spread-source", "src", "15x8|16x16|16x8");
    g_number_at = 3;
    g_number = PTO_SCATTER_AXIS_COL;
    refuse(g_ctx[p], "tscatter_mask", tiles, 0, PTO_ERROR_SHAPE, "spread-source", "src", "15x8|16x16|8x16");
    set_valid(tiles[1], 8, 16);
    accept(g_ctx[p], "tscatter_mask", tiles, 0);
    g_number_at = -1;
    set_valid(tiles[1], 16, 9);
    if (p == PTO_PROFILE_CPU) {
      accept(g_ctx[p], "tscatter_mask", tiles, 0);
    } else {
      refuse(g_ctx[p], "tscatter_mask", tiles, 0, PTO_ERROR_SHAPE, "spread-source", "src", "16x9|16x16|16x8");
    }
  }
}

const struct CMUnitTest k_irregular_rules[] = {
    RULE_TEST(test_rule_index_range), RULE_TEST(test_rule_blocks_covered), RULE_TEST(test_rule_full_rows),
    RULE_TEST(test_rule_pick_room),   RULE_TEST(test_rule_spread_source),
};
const int k_irregular_rule_count = sizeof k_irregular_rules / sizeof *k_irregular_rules;
