/*
 * test_rules_tables.c: the rules of MGATHER and MSCATTER, each broken on purpose. What they do is tested in
 * tests/tensor.
 */
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"

static float g_memory[1024];

/* A table, a tile and its indices; the calls of tests change one thing. */
static struct {
  pto_tensor_desc table;
  pto_tile *tile, *idx;
  pto_coalesce coalesce;
  pto_scatter_atomic atomic;
} g;

static void usual(void) {
  memset(&g, 0, sizeof g);
  g.table.struct_size = (uint32_t)sizeof g.table;
  g.table.dtype = PTO_DTYPE_F32;
  g.table.rank = 2;
  g.table.dim0 = 20;
  g.table.dim1 = 16;
  g.tile = tile_of(PTO_DTYPE_F32);
  g.idx = tile_sized(PTO_DTYPE_I32, 1, 16);
}

static pto_status call(pto_context *ctx, int scatters) {
  pto_tensor *table = pto_tensor_wrap(CPU, &g.table, g_memory, sizeof g_memory);
  assert_non_null(table);
  const pto_status status = scatters ? pto_mscatter(ctx, table, g.tile, g.idx, g.coalesce, g.atomic,
                                                    PTO_SCATTER_OOB_UNDEFINED, PTO_SCATTER_CONFLICT_DEFAULT, 0)
                                     : pto_mgather(ctx, g.tile, table, g.idx, g.coalesce, PTO_GATHER_OOB_UNDEFINED, 0);
  pto_tensor_release(table);
  return status;
}

static void taken(pto_context *ctx) {
  for (int scatters = 0; scatters < 2; ++scatters) {
    if (call(ctx, scatters) != PTO_OK) fail_msg("refused: %s", pto_context_error_message(ctx));
  }
}

/* By both instructions, where one is not meant: nothing is written. */
static void broken(pto_context *ctx, int only_scatter, pto_status want, const char *rule, const char *operand,
                   const char *texts) {
  static float before[1024];
  for (int scatters = only_scatter; scatters < 2; ++scatters) {
    float tile[2][256];
    memcpy(before, g_memory, sizeof before);
    memcpy(tile[0], pto_tile_data(g.tile), (size_t)pto_tile_bytes(g.tile));
    const char *name = strcmp(operand, "tile") != 0 ? operand : scatters ? "src" : "dst";
    expect_error(ctx, call(ctx, scatters), want, rule, name, texts);
    memcpy(tile[1], pto_tile_data(g.tile), (size_t)pto_tile_bytes(g.tile));
    assert_memory_equal(before, g_memory, sizeof before);
    assert_memory_equal(tile[0], tile[1], (size_t)pto_tile_bytes(g.tile));
  }
}

static void set_valid(pto_tile *tile, int32_t rows, int32_t cols) {
  assert_int_equal(pto_tile_set_valid(CPU, tile, rows, cols), PTO_OK);
}

static void test_rule_table_index(void **state) {
  (void)state;
  for (int p = 0; p < k_profiles; ++p) {
    usual();
    taken(g_ctx[p]);
    set_valid(g.idx, 1, 15);
    broken(g_ctx[p], 0, PTO_ERROR_SHAPE, "table-index", "idx", "1x15|16 valid rows");
    usual();
    g.coalesce = PTO_COALESCE_ELEM;
    broken(g_ctx[p], 0, PTO_ERROR_SHAPE, "table-index", "idx", "1x16|16x16");
    g.idx = tile_of(PTO_DTYPE_I32);
    taken(g_ctx[p]);
  }
  usual();
  g.idx = tile_sized(PTO_DTYPE_I32, 16, 8);
  set_valid(g.idx, 16, 1);
  taken(CPU);
  taken(A5);
  broken(A2A3, 0, PTO_ERROR_SHAPE, "table-index", "idx", "16x1|16 valid rows");
  /* What CPU takes of a larger tile. */
  usual();
  g.coalesce = PTO_COALESCE_ELEM;
  g.idx = tile_sized(PTO_DTYPE_I32, 17, 24);
  taken(CPU);
  broken(A5, 0, PTO_ERROR_SHAPE, "table-index", "idx", "17x24|16x16");
}

/* Rules that other instructions have, too, of a tensor among tiles. */
static void refuse_tensor_among_tiles(void) {
  usual();
  g.table.dtype = PTO_DTYPE_I32;
  broken(CPU, 0, PTO_ERROR_DTYPE, "same-dtype", "table", "i32|f32");
  usual();
  g.idx = tile_sized(PTO_DTYPE_I16, 1, 16);
  broken(CPU, 0, PTO_ERROR_DTYPE, "operand-dtype", "idx", "i16|i32 u32");
  usual();
  g.coalesce = (pto_coalesce)2;
  broken(CPU, 0, PTO_ERROR_ARGUMENT, "mode", "coalesce", "2");
  usual();
  expect_error(CPU, pto_mgather(CPU, g.tile, NULL, g.idx, PTO_COALESCE_ROW, PTO_GATHER_OOB_ZERO, 0), PTO_ERROR_NULL,
               "null", "table", "NULL");
  g.tile = tile_at(PTO_LOCATION_MAT, PTO_DTYPE_F32);
  broken(CPU, 1, PTO_ERROR_LAYOUT, "location-vec", "tile", "mat");
  usual();
  g.idx = NULL;
  broken(CPU, 0, PTO_ERROR_NULL, "null", "idx", "NULL");
}

static void test_rule_table_covers(void **state) {
  (void)state;
  usual();
  g.table.dim1 = 15;
  broken(CPU, 0, PTO_ERROR_SHAPE, "table-covers", "table", "15 columns|16 valid");
  g.coalesce = PTO_COALESCE_ELEM;
  g.idx = tile_of(PTO_DTYPE_I32);
  taken(CPU);
  refuse_tensor_among_tiles();
}

static void test_rule_table_layout(void **state) {
  (void)state;
  usual();
  g.table.layout = PTO_LAYOUT_DN;
  taken(CPU);
  broken(A2A3, 0, PTO_ERROR_LAYOUT, "table-layout", "table", "DN|A2A3");
  usual();
  g.table.strided = 1;
  g.table.stride0 = 17;
  g.table.stride1 = 1;
  taken(A5);
  g.coalesce = PTO_COALESCE_ELEM;
  g.idx = tile_of(PTO_DTYPE_I32);
  taken(CPU);
  broken(A5, 0, PTO_ERROR_LAYOUT, "table-layout", "table", "320|339|A5");
}

static pto_tile *boxed_at(pto_location location, pto_dtype dtype) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rows = desc.cols = desc.valid_rows = desc.valid_cols = 32;
  desc.location = location;
  desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
  pto_tile *tile = tile_made(&desc);
  set_valid(tile, 16, 16);
  return tile;
}

/* MGATHER alone, from a table that is ND, or of floats of a byte, or NZ: 0 where the call is taken. */
static void gathers_to(pto_context *ctx, int is_taken, const char *operand, const char *texts) {
  static uint8_t memory[4096];
  pto_tensor *table = pto_tensor_wrap(CPU, &g.table, memory, sizeof memory);
  assert_non_null(table);
  const pto_status status = pto_mgather(ctx, g.tile, table, g.idx, g.coalesce, PTO_GATHER_OOB_ZERO, 0);
  if (is_taken && status != PTO_OK) fail_msg("refused: %s", pto_context_error_message(ctx));
  if (!is_taken) expect_error(ctx, status, PTO_ERROR_LAYOUT, "table-place", operand, texts);
  pto_tensor_release(table);
}

static void test_rule_table_place(void **state) {
  (void)state;
  usual();
  g.tile = tile_at(PTO_LOCATION_MAT, PTO_DTYPE_F32);
  gathers_to(CPU, 1, "", "");
  gathers_to(A5, 0, "dst", "row-major in mat|ND");
  g.tile = tile_at(PTO_LOCATION_LEFT, PTO_DTYPE_F32);
  gathers_to(CPU, 0, "dst", "left");
  g.tile = boxed_at(PTO_LOCATION_MAT, PTO_DTYPE_F32);
  for (int p = 0; p < k_profiles; ++p) gathers_to(g_ctx[p], 1, "", "");
  g.tile = boxed_at(PTO_LOCATION_VEC, PTO_DTYPE_F32);
  gathers_to(CPU, 1, "", "");
  gathers_to(A2A3, 0, "dst", "vec|ND");
  /* Floats of a byte. */
  usual();
  g.table.dtype = PTO_DTYPE_E4M3;
  g.tile = boxed_at(PTO_LOCATION_MAT, PTO_DTYPE_E4M3);
  gathers_to(CPU, 1, "", "");
  gathers_to(A5, 0, "dst", "e4m3|mat");
  /* Indices. */
  usual();
  g.idx = tile_at(PTO_LOCATION_MAT, PTO_DTYPE_I32);
  set_valid(g.idx, 1, 16);
  gathers_to(CPU, 0, "idx", "i32|mat");
  g.idx = boxed_at(PTO_LOCATION_VEC, PTO_DTYPE_I32);
  set_valid(g.idx, 1, 16);
  gathers_to(CPU, 1, "", "");
  gathers_to(A5, 0, "idx", "vec");
  /* A table in boxes: rows of it, to boxes in vec. */
  usual();
  g.table.rank = 5;
  g.table.dim0 = 1, g.table.dim1 = 2, g.table.dim2 = 2, g.table.dim3 = 16, g.table.dim4 = 8;
  g.table.layout = PTO_LAYOUT_NZ;
  gathers_to(CPU, 1, "", "");
  gathers_to(A2A3, 0, "dst", "row-major|NZ");
  g.tile = boxed_at(PTO_LOCATION_MAT, PTO_DTYPE_F32);
  gathers_to(A2A3, 0, "dst", "mat|NZ");
  g.tile = boxed_at(PTO_LOCATION_VEC, PTO_DTYPE_F32);
  gathers_to(A2A3, 1, "", "");
  gathers_to(A5, 0, "dst", "vec|NZ");
  /* A bad table of rows is a bad table of elements, and MSCATTER accepts no table in boxes. */
  usual();
  g.table.rank = 5;
  g.table.dim0 = 1, g.table.dim1 = 2, g.table.dim2 = 1, g.table.dim3 = 16, g.table.dim4 = 8;
  g.table.layout = PTO_LAYOUT_NZ;
  broken(A2A3, 1, PTO_ERROR_LAYOUT, "table-layout", "table", "NZ|A2A3");
  g.coalesce = PTO_COALESCE_ELEM;
  g.idx = tile_of(PTO_DTYPE_I32);
  broken(A2A3, 0, PTO_ERROR_LAYOUT, "table-layout", "table", "NZ|A2A3");
}

static void test_rule_table_range(void **state) {
  (void)state;
  usual();
  int32_t indices[16] = {0};
  indices[5] = 20;
  assert_int_equal(pto_tile_write(CPU, g.idx, indices, sizeof indices), PTO_OK);
  broken(CPU, 0, PTO_ERROR_ARGUMENT, "table-range", "idx", "20|(0, 5)|20 rows");
  indices[5] = -1;
  assert_int_equal(pto_tile_write(CPU, g.idx, indices, sizeof indices), PTO_OK);
  broken(A5, 0, PTO_ERROR_ARGUMENT, "table-range", "idx", "4294967295|(0, 5)|20 rows");
  /* An empty table has no last element, and no modulo; but zeros, and elements that are dropped. */
  usual();
  g.table.dim0 = 0;
  pto_tensor *none = pto_tensor_wrap(CPU, &g.table, g_memory, sizeof g_memory);
  const pto_gather_oob k_gather[] = {PTO_GATHER_OOB_CLAMP, PTO_GATHER_OOB_WRAP};
  const pto_scatter_oob k_scatter[] = {PTO_SCATTER_OOB_CLAMP, PTO_SCATTER_OOB_WRAP};
  for (int i = 0; i < 2; ++i) {
    expect_error(CPU, pto_mgather(CPU, g.tile, none, g.idx, PTO_COALESCE_ROW, k_gather[i], 0), PTO_ERROR_ARGUMENT,
                 "table-range", "idx", "0 rows");
    expect_error(CPU,
                 pto_mscatter(CPU, none, g.tile, g.idx, PTO_COALESCE_ROW, PTO_SCATTER_ATOMIC_ADD, k_scatter[i],
                              PTO_SCATTER_CONFLICT_LAST, 0),
                 PTO_ERROR_ARGUMENT, "table-range", "idx", "0 rows");
  }
  assert_int_equal(pto_mscatter(CPU, none, g.tile, g.idx, PTO_COALESCE_ROW, PTO_SCATTER_ATOMIC_ADD,
                                PTO_SCATTER_OOB_SKIP, PTO_SCATTER_CONFLICT_LAST, 0),
                   PTO_OK);
  assert_int_equal(pto_mgather(CPU, g.tile, none, g.idx, PTO_COALESCE_ROW, PTO_GATHER_OOB_ZERO, 0), PTO_OK);
  const float zero[256] = {0};
  assert_memory_equal(pto_tile_data(g.tile), zero, sizeof zero);
  pto_tensor_release(none);
}

static void test_rule_atomic_dtype(void **state) {
  (void)state;
  static const struct {
    pto_dtype dtype;
    int a2a3[4], a5[4]; /* by the atomic mode */
  } k_known[] = {
      {PTO_DTYPE_I8, {1, 1, 0, 0}, {1, 0, 0, 0}},   {PTO_DTYPE_U8, {1, 0, 0, 0}, {1, 0, 0, 0}},
      {PTO_DTYPE_I16, {1, 1, 0, 0}, {1, 0, 0, 0}},  {PTO_DTYPE_U16, {1, 0, 0, 0}, {1, 0, 0, 0}},
      {PTO_DTYPE_I32, {1, 1, 0, 0}, {1, 1, 1, 1}},  {PTO_DTYPE_U32, {1, 0, 0, 0}, {1, 1, 1, 1}},
      {PTO_DTYPE_F16, {1, 1, 0, 0}, {1, 1, 0, 0}},  {PTO_DTYPE_F32, {1, 1, 0, 0}, {1, 1, 1, 1}},
      {PTO_DTYPE_BF16, {1, 1, 0, 0}, {1, 1, 0, 0}},
  };
  for (size_t i = 0; i < sizeof k_known / sizeof *k_known; ++i) {
    for (int atomic = 0; atomic < 4; ++atomic) {
      usual();
      g.table.dtype = k_known[i].dtype;
      g.table.dim1 = 32;
      g.tile = tile_sized(k_known[i].dtype, 4, 32);
      g.atomic = (pto_scatter_atomic)atomic;
      assert_int_equal(call(CPU, 1), PTO_OK);
      for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
        const int known = p == PTO_PROFILE_A5 ? k_known[i].a5[atomic] : k_known[i].a2a3[atomic];
        if (known) assert_int_equal(call(g_ctx[p], 1), PTO_OK);
        if (!known) {
          broken(g_ctx[p], 1, PTO_ERROR_DTYPE, "atomic-dtype", "src", pto_dtype_name(k_known[i].dtype));
        }
      }
    }
  }
}

const struct CMUnitTest k_table_rules[] = {
    RULE_TEST(test_rule_table_index), RULE_TEST(test_rule_table_covers), RULE_TEST(test_rule_table_layout),
    RULE_TEST(test_rule_table_place), RULE_TEST(test_rule_table_range),  RULE_TEST(test_rule_atomic_dtype),
};
const int k_table_rule_count = sizeof k_table_rules / sizeof *k_table_rules;
