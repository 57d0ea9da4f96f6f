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

/* Indices that are found fit in 16 bits as far as rows and columns have such numbers. */
static void index_range_of_places(void **state) {
  (void)state;
  static const char *const k_ops[] = {"trowargmax_value", "trowargmin_value", "tcolargmax_value", "tcolargmin_value"};
  static const struct {
    pto_dtype dtype;
    int32_t most;
    const char *texts;
  } k_types[] = {{PTO_DTYPE_I16, 1 << 15, "i16|32768|32769"}, {PTO_DTYPE_U16, 1 << 16, "u16|65536|65537"}};
  for (int i = 0; i < 4; ++i) {
    const int by_row = i < 2;
    for (int t = 0; t < 2; ++t) {
      for (int over = 0; over < 2; ++over) {
        const int32_t count = k_types[t].most + over;
        pto_tile *tiles[k_operands] = {
            tile_sized(PTO_DTYPE_F16, 1, 16), tile_sized(k_types[t].dtype, 1, 16),
            by_row ? tile_sized(PTO_DTYPE_F16, 1, k_types[t].most + 16) : tile_sized(PTO_DTYPE_F16, count, 16)};
        set_valid(tiles[2], by_row ? 1 : count, by_row ? count : 16);
        for (int k = 0; k < 2; ++k) set_valid(tiles[k], 1, by_row ? 1 : 16);
        if (over == 0) {
          accept(CPU, k_ops[i], tiles, 0);
        } else {
          refuse(CPU, k_ops[i], tiles, 0, PTO_ERROR_ARGUMENT, "index-range", "dst_idx", k_types[t].texts);
          tiles[1] = tile_sized(PTO_DTYPE_I32, 1, 16);
          set_valid(tiles[1], 1, by_row ? 1 : 16);
          accept(CPU, k_ops[i], tiles, 0);
        }
      }
    }
  }
}

/* Fewer indices than elements move fewer elements; hardware has no more indices. */
static void fewer_indices(void) {
  pto_tile *tiles[k_operands];
  operands_of("tscatter", PTO_DTYPE_F32, tiles);
  tiles[2] = tile_of(PTO_DTYPE_I32);
  for (int p = 0; p < k_profiles; ++p) {
    set_valid(tiles[1], 16, 16);
    set_valid(tiles[2], 1, 16);
    accept(g_ctx[p], "tscatter", tiles, 0);
    set_valid(tiles[2], 16, 16);
    set_valid(tiles[1], 15, 16);
    if (p == PTO_PROFILE_CPU) {
      accept(g_ctx[p], "tscatter", tiles, 0);
    } else {
      refuse(g_ctx[p], "tscatter", tiles, 0, PTO_ERROR_SHAPE, "valid-equal", "indexes", "16x16|15x16");
    }
  }
}

static void test_rule_index_range(void **state) {
  (void)state;
  static const struct {
    const char *op, *indices;
    int of; /* the tile that they are for */
  } k_ops[] = {{"tgather", "indices", 1}, {"tscatter", "indexes", 0}};
  for (size_t i = 0; i < sizeof k_ops / sizeof *k_ops; ++i) {
    for (int p = 0; p < k_profiles; ++p) {
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
  for (int p = 0; p < k_profiles; ++p) {
    put(tiles[2], 5, 1, 1024 - 32);
    accept(g_ctx[p], "tgatherb", tiles, 0);
    put(tiles[2], 5, 1, 1024 - 28);
    refuse_run(g_ctx[p], "tgatherb", tiles, "offset", "996 at (5, 1)");
    put(tiles[2], 5, 1, 2);
    refuse_run(g_ctx[p], "tgatherb", tiles, "offset", "2 at (5, 1)");
  }
  index_range_of_places(state);
  fewer_indices();
}

static void test_rule_blocks_covered(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  operands_of("tgatherb", PTO_DTYPE_F32, tiles); /* rows of two blocks */
  for (int p = 0; p < k_profiles; ++p) {
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
  operands_of("tgather", PTO_DTYPE_F32, tiles);
  pto_tile *const full = tiles[2];
  tiles[2] = tile_sized(pto_tile_dtype(full), 16, 32);
  set_valid(tiles[2], 16, 16);
  accept(CPU, "tgather", tiles, 0);
  accept(g_ctx[PTO_PROFILE_A2A3], "tgather", tiles, 0);
  refuse(g_ctx[PTO_PROFILE_A5], "tgather", tiles, 0, PTO_ERROR_SHAPE, "full-rows", "indices", "16 valid columns of 32");
}

static void test_rule_pick_room(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  operands_of("tgather_mask", PTO_DTYPE_F32, tiles); /* every second of 16x16 */
  for (int p = 0; p < k_profiles; ++p) {
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
  for (int p = 0; p < k_profiles; ++p) {
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

/* ---- records and counts ---- */

/* dst, src and idx of one group of 16 in each of 16 rows. */
static void sort_tiles(pto_tile *tiles[k_operands]) {
  memset(tiles, 0, k_operands * sizeof *tiles);
  tiles[0] = tile_sized(PTO_DTYPE_F32, 16, 32);
  tiles[1] = tile_of(PTO_DTYPE_F32);
  tiles[2] = tile_of(PTO_DTYPE_U32);
}

static void test_rule_records_covered(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  sort_tiles(tiles);
  for (int p = 0; p < k_profiles; ++p) {
    set_valid(tiles[0], 16, 32);
    accept(g_ctx[p], "tsort32", tiles, 0);
    set_valid(tiles[0], 16, 31);
    refuse(g_ctx[p], "tsort32", tiles, 0, PTO_ERROR_SHAPE, "records-covered", "dst", "16 rows of 15 records|16x16");
    set_valid(tiles[0], 15, 32);
    refuse(g_ctx[p], "tsort32", tiles, 0, PTO_ERROR_SHAPE, "records-covered", "dst", "15 rows of 16 records|16x16");
  }
}

static void test_rule_index_rows(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  sort_tiles(tiles);
  for (int p = 0; p < k_profiles; ++p) {
    set_valid(tiles[2], 1, 16);
    accept(g_ctx[p], "tsort32", tiles, 0);
    set_valid(tiles[2], 16, 15);
    refuse(g_ctx[p], "tsort32", tiles, 0, PTO_ERROR_SHAPE, "index-rows", "idx", "16x15|16x16");
    set_valid(tiles[2], 2, 16);
    refuse(g_ctx[p], "tsort32", tiles, 0, PTO_ERROR_SHAPE, "index-rows", "idx", "2x16|16x16");
    set_valid(tiles[2], 16, 16);
  }
  /* What every instruction asks for. */
  pto_tile *const src = tiles[1];
  tiles[1] = NULL;
  refuse(CPU, "tsort32", tiles, 0, PTO_ERROR_NULL, "null", "src", "NULL");
  tiles[1] = tile_of(PTO_DTYPE_I8);
  refuse(CPU, "tsort32", tiles, 0, PTO_ERROR_DTYPE, "dtype", "src", "i8");
  tiles[1] = tile_of(PTO_DTYPE_F16);
  refuse(CPU, "tsort32", tiles, 0, PTO_ERROR_DTYPE, "same-dtype", "dst", "f32|f16");
  tiles[1] = src;
  tiles[2] = tile_of(PTO_DTYPE_I32);
  refuse(CPU, "tsort32", tiles, 0, PTO_ERROR_DTYPE, "operand-dtype", "idx", "i32|u32");
}

static void test_rule_block_length(void **state) {
  (void)state;
  static const struct {
    int32_t length;
    int cpu, hardware;
  } k_lengths[] = {{64, 1, 1}, {128, 1, 1}, {2, 1, 0},  {32, 1, 0},        {96, 1, 0},       {192, 1, 0},
                   {0, 0, 0},  {-64, 0, 0}, {63, 0, 0}, {INT32_MIN, 0, 0}, {INT32_MAX, 0, 0}};
  pto_tile *tiles[k_operands] = {tile_sized(PTO_DTYPE_F32, 1, 512), tile_sized(PTO_DTYPE_F32, 1, 512)};
  g_number_at = 2;
  for (size_t i = 0; i < sizeof k_lengths / sizeof *k_lengths; ++i) {
    g_number = k_lengths[i].length;
    for (int p = 0; p < k_profiles; ++p) {
      if (p == PTO_PROFILE_CPU ? k_lengths[i].cpu : k_lengths[i].hardware) {
        accept(g_ctx[p], "tmrgsort", tiles, 0);
      } else {
        refuse(g_ctx[p], "tmrgsort", tiles, 0, PTO_ERROR_ARGUMENT, "block-length", "block_len", "2 columns|512");
      }
    }
  }
}

static void list_tiles(pto_tile *tiles[k_operands], int32_t rows) {
  memset(tiles, 0, k_operands * sizeof *tiles);
  tiles[0] = tile_sized(PTO_DTYPE_F32, rows, 64);
  tiles[1] = tile_sized(PTO_DTYPE_U16, rows, 16);
  tiles[2] = tile_sized(PTO_DTYPE_F32, rows, 32);
  tiles[3] = tile_sized(PTO_DTYPE_F32, rows, 32);
  tiles[4] = tile_sized(PTO_DTYPE_F32, rows, 64);
}

static void test_rule_one_list(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  list_tiles(tiles, 1);
  for (int p = 0; p < k_profiles; ++p) accept(g_ctx[p], "tmrgsort_two", tiles, 0);
  list_tiles(tiles, 2);
  accept(CPU, "tmrgsort_two", tiles, 0);
  pto_tile *blocks[k_operands] = {tile_sized(PTO_DTYPE_F32, 2, 256), tile_sized(PTO_DTYPE_F32, 2, 256)};
  g_number_at = 2;
  g_number = 64;
  accept(CPU, "tmrgsort", blocks, 0);
  for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
    refuse(g_ctx[p], "tmrgsort", blocks, 0, PTO_ERROR_SHAPE, "one-list", "dst", "2 valid rows");
  }
  g_number_at = -1;
  for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
    refuse(g_ctx[p], "tmrgsort_two", tiles, 0, PTO_ERROR_SHAPE, "one-list", "src0", "2 valid rows");
  }
  pto_tile *counted[k_operands] = {tile_sized(PTO_DTYPE_I32, 2, 16)};
  accept(CPU, "tci", counted, 0);
  for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
    refuse(g_ctx[p], "tci", counted, 0, PTO_ERROR_SHAPE, "one-list", "dst", "2 valid rows");
    set_valid(counted[0], 1, 16);
    accept(g_ctx[p], "tci", counted, 0);
    set_valid(counted[0], 2, 16);
  }
}

static void test_rule_list_rows(void **state) {
  (void)state;
  static const char *const k_names[] = {"dst", "executed", "src0", "src1"};
  for (int k = 0; k < 4; ++k) {
    if (k == 2) continue;
    pto_tile *tiles[k_operands];
    list_tiles(tiles, 1);
    set_valid(tiles[k], 0, 32 / pto_dtype_bytes(pto_tile_dtype(tiles[k])));
    for (int p = 0; p < k_profiles; ++p) {
      refuse(g_ctx[p], "tmrgsort_two", tiles, 0, PTO_ERROR_SHAPE, "list-rows", k_names[k], "0x|1x32");
    }
  }
  pto_tile *tiles[k_operands];
  list_tiles(tiles, 1);
  set_valid(tiles[1], 1, 3);
  refuse(CPU, "tmrgsort_two", tiles, 0, PTO_ERROR_SHAPE, "list-rows", "executed", "1x3");
  pto_tile *blocks[k_operands] = {tile_sized(PTO_DTYPE_F32, 1, 256), tile_sized(PTO_DTYPE_F32, 1, 256)};
  g_number_at = 2;
  g_number = 64;
  set_valid(blocks[1], 1, 255);
  refuse(CPU, "tmrgsort", blocks, 0, PTO_ERROR_SHAPE, "list-rows", "src", "1x255|1x256");
}

static void test_rule_list_length(void **state) {
  (void)state;
  for (int k = 2; k < 4; ++k) {
    pto_tile *tiles[k_operands];
    list_tiles(tiles, 1);
    tiles[k] = tile_sized(PTO_DTYPE_F32, 1, 2 * 65536);
    set_valid(tiles[k], 1, 2 * 65535 + 1);
    accept(CPU, "tmrgsort_two", tiles, 0);
    set_valid(tiles[k], 1, 2 * 65536);
    refuse(CPU, "tmrgsort_two", tiles, 0, PTO_ERROR_SHAPE, "list-length", k == 2 ? "src0" : "src1", "65536");
  }
}

static void count_tiles(pto_tile *tiles[k_operands], pto_dtype dtype) {
  memset(tiles, 0, k_operands * sizeof *tiles);
  tiles[0] = tile_sized(PTO_DTYPE_U32, 16, 256);
  tiles[1] = tile_of(dtype);
  tiles[2] = tile_of(PTO_DTYPE_U8);
  g_number_at = 3;
  g_number = 0;
}

static void test_rule_hist_byte(void **state) {
  (void)state;
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; p += PTO_PROFILE_A5) {
    for (int byte = 0; byte < 4; ++byte) {
      pto_tile *tiles[k_operands];
      count_tiles(tiles, PTO_DTYPE_U32);
      g_number = byte;
      accept(g_ctx[p], "thistogram", tiles, 0);
      count_tiles(tiles, PTO_DTYPE_U16);
      g_number = byte;
      if (byte < 2) accept(g_ctx[p], "thistogram", tiles, 0);
      if (byte >= 2) refuse(g_ctx[p], "thistogram", tiles, 0, PTO_ERROR_ARGUMENT, "hist-byte", "byte", "u16");
    }
  }
  pto_tile *tiles[k_operands];
  count_tiles(tiles, PTO_DTYPE_U16);
  refuse(A2A3, "thistogram", tiles, 0, PTO_ERROR_DTYPE, "dtype", "src", "u16");
}

static void test_rule_bins_covered(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  count_tiles(tiles, PTO_DTYPE_U16);
  set_valid(tiles[0], 16, 255);
  refuse(CPU, "thistogram", tiles, 0, PTO_ERROR_SHAPE, "bins-covered", "dst", "16x255|16 valid rows");
  set_valid(tiles[0], 15, 256);
  refuse(A5, "thistogram", tiles, 0, PTO_ERROR_SHAPE, "bins-covered", "dst", "15x256|16 valid rows");
}

static void test_rule_groups_covered(void **state) {
  (void)state;
  for (int dn = 0; dn < 2; ++dn) {
    const char *op = dn ? "tquant_dn" : "tquant_mx";
    const int32_t rows = dn ? 1 : 16, cols = dn ? 16 : 1;
    for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; p += PTO_PROFILE_A5) {
      pto_tile *tiles[k_operands];
      operands_of(op, PTO_DTYPE_F32, tiles);
      for (int i = 1; i < 4; ++i) set_valid(tiles[i], rows, cols);
      accept(g_ctx[p], op, tiles, 0);
      for (int i = 1; i < 4; ++i) {
        const char *name = i == 1 ? "exp" : i == 2 ? "max" : "scaling";
        set_valid(tiles[i], rows - dn, cols - !dn);
        refuse(g_ctx[p], op, tiles, 0, PTO_ERROR_SHAPE, "groups-covered", name, dn ? "0x16|1x16" : "16x0|16x1");
        set_valid(tiles[i], rows + dn, cols + !dn);
        if (p == PTO_PROFILE_CPU) accept(g_ctx[p], op, tiles, 0);
        if (p != PTO_PROFILE_CPU)
          refuse(g_ctx[p], op, tiles, 0, PTO_ERROR_SHAPE, "groups-covered", name, "groups of src");
        set_valid(tiles[i], rows, cols);
      }
    }
  }
}

static void test_rule_filter_covered(void **state) {
  (void)state;
  pto_tile *tiles[k_operands];
  count_tiles(tiles, PTO_DTYPE_U16);
  set_valid(tiles[2], 15, 1);
  refuse(CPU, "thistogram", tiles, 0, PTO_ERROR_SHAPE, "filter-covered", "idx", "15x1|16 rows");
  g_number = 1; /* nothing lies above it */
  accept(CPU, "thistogram", tiles, 0);
  count_tiles(tiles, PTO_DTYPE_U32);
  set_valid(tiles[2], 2, 1);
  refuse(A5, "thistogram", tiles, 0, PTO_ERROR_SHAPE, "filter-covered", "idx", "2x1|3 rows");
  g_number = 1;
  accept(A5, "thistogram", tiles, 0);
  set_valid(tiles[2], 2, 0);
  refuse(A5, "thistogram", tiles, 0, PTO_ERROR_SHAPE, "filter-covered", "idx", "2x0|2 rows");
}

static void test_rule_find_mode(void **state) {
  (void)state;
  for (int mode = PTO_CMP_EQ; mode <= PTO_CMP_GE; ++mode) {
    pto_tile *tiles[k_operands] = {tile_of(PTO_DTYPE_U32), tile_of(PTO_DTYPE_U32), tile_of(PTO_DTYPE_F32),
                                   tile_of(PTO_DTYPE_I32), tile_of(PTO_DTYPE_F32)};
    g_number_at = 6;
    g_number = mode;
    accept(CPU, "tgather_cmp", tiles, 0);
    /* An output that has rows of its own must have the rows of src0, too. */
    set_valid(tiles[0], 15, 16);
    refuse(CPU, "tgather_cmp", tiles, 0, PTO_ERROR_SHAPE, "rows-covered", "dst", "15x16|16 valid rows");
    set_valid(tiles[0], 16, 16);
    for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
      if (mode == PTO_CMP_EQ || mode == PTO_CMP_GT) {
        accept(g_ctx[p], "tgather_cmp", tiles, 0);
      } else {
        refuse(g_ctx[p], "tgather_cmp", tiles, 0, PTO_ERROR_ARGUMENT, "find-mode", "mode",
               pto_op_operand_mode_value(PTO_OP_TGATHER_CMP, 6, mode));
      }
    }
  }
}

const struct CMUnitTest k_irregular_rules[] = {
    RULE_TEST(test_rule_index_range),  RULE_TEST(test_rule_blocks_covered), RULE_TEST(test_rule_full_rows),
    RULE_TEST(test_rule_pick_room),    RULE_TEST(test_rule_spread_source),  RULE_TEST(test_rule_records_covered),
    RULE_TEST(test_rule_index_rows),   RULE_TEST(test_rule_block_length),   RULE_TEST(test_rule_one_list),
    RULE_TEST(test_rule_list_rows),    RULE_TEST(test_rule_list_length),    RULE_TEST(test_rule_hist_byte),
    RULE_TEST(test_rule_bins_covered), RULE_TEST(test_rule_groups_covered), RULE_TEST(test_rule_filter_covered),
    RULE_TEST(test_rule_find_mode),
};
const int k_irregular_rule_count = sizeof k_irregular_rules / sizeof *k_irregular_rules;
