/*
 * test_rules_tiles.c: the rules of making tiles, moving data, giving addresses
 * and of instruction handles, each broken on purpose. docs/rules.md is held
 * against the names of the tests of all files here (test_rules.c).
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "fixture.h"
#include "rules_tests.h"

static pto_tile_desc plain(void) { return layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 16, 16); }

static void test_rule_struct_size(void **state) {
  (void)state;
  const uint32_t size = (uint32_t)sizeof(pto_tile_desc);
  const uint32_t wrong[] = {0, 1, 47, 49, 52, size - 1, size + 4, UINT32_MAX};
  for (int p = 0; p < k_profiles; ++p) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
      pto_tile_desc desc = plain();
      desc.struct_size = wrong[i];
      refuse_tile(g_ctx[p], &desc, PTO_ERROR_ARGUMENT, "struct-size", "desc",
                  i == 0 ? "struct_size is 0|48 and 56" : "struct_size is");
    }
  }
}

static void test_rule_dtype_known(void **state) {
  (void)state;
  const int wrong[] = {-1, 18, 999, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    memcpy(&desc.dtype, &wrong[i], sizeof wrong[i]);
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "dtype-known", "dtype",
                wrong[i] == 999 ? "dtype is 999|0 to 17" : "dtype is");
  }
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  float data[256] = {0};
  const pto_dtype unknown = (pto_dtype)999;
  expect_error(CPU, pto_tile_write_as(CPU, tile, unknown, data, sizeof data), PTO_ERROR_ARGUMENT, "dtype-known",
               "dtype", "999|0 to 17");
  expect_error(CPU, pto_tile_read_as(CPU, tile, unknown, data, sizeof data), PTO_ERROR_ARGUMENT, "dtype-known", "dtype",
               "999|0 to 17");
}

static void test_rule_tile_shape(void **state) {
  (void)state;
  const int32_t wrong[][2] = {{0, 4}, {4, 0}, {-1, 4}, {4, INT32_MIN}, {0, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    desc.rows = wrong[i][0];
    desc.cols = wrong[i][1];
    const char *operand = desc.rows < 1 ? "rows" : "cols";
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "tile-shape", operand, i == 0 ? "0 rows|4 columns" : "rows");
    EXPECT_NO_HANDLE(CPU, pto_tile_create(CPU, PTO_DTYPE_U8, desc.rows, desc.cols), PTO_ERROR_ARGUMENT, "tile-shape",
                     operand, "columns");
  }
}

static void test_rule_tile_size(void **state) {
  (void)state;
  for (int layout = 0; layout < k_layout_count; ++layout) {
    pto_tile_desc desc = layout_desc(&k_layouts[layout], PTO_DTYPE_I64, INT32_MAX, INT32_MAX);
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "tile-size", "rows", "2147483647|i64|1099511627776");
  }
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_U8, 1 << 20, (1 << 20) + 1);
  refuse_tile(A5, &desc, PTO_ERROR_ARGUMENT, "tile-size", "rows", "1048577");
  /* 2^40 bytes are not more than 2^40; without storage nothing is allocated. */
  desc.cols = 1 << 20;
  desc.storage = PTO_STORAGE_MANUAL;
  accept_tile(CPU, &desc);
}

static void test_rule_location(void **state) {
  (void)state;
  const int wrong[] = {-1, 9, 999};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    memcpy(&desc.location, &wrong[i], sizeof wrong[i]);
    for (int p = 0; p < k_profiles; ++p)
      refuse_tile(g_ctx[p], &desc, PTO_ERROR_LAYOUT, "location", "location", i == 2 ? "999|0 to 8" : "location is");
  }
  for (int location = PTO_LOCATION_SCALE_LEFT; location <= PTO_LOCATION_SCALE_RIGHT; ++location) {
    pto_tile_desc desc = plain();
    desc.location = (pto_location)location;
    refuse_tile(A2A3, &desc, PTO_ERROR_LAYOUT, "location", "location", "A2A3|scale_");
    accept_tile(CPU, &desc);
    accept_tile(A5, &desc);
    pto_tile *tiles[k_operands];
    operands_of("tpartadd", PTO_DTYPE_F32, tiles);
    tiles[1] = tile_at((pto_location)location, PTO_DTYPE_F32);
    refuse(A2A3, "tpartadd", tiles, 0, PTO_ERROR_LAYOUT, "location", "src0", "scale_|A2A3");
  }
}

static void test_rule_layout(void **state) {
  (void)state;
  const int wrong[] = {-1, 3, 999};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    memcpy(&desc.blayout, &wrong[i], sizeof wrong[i]);
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "layout", "blayout", i == 2 ? "999|0 to 1" : "blayout is");
    desc = plain();
    memcpy(&desc.slayout, &wrong[i], sizeof wrong[i]);
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "layout", "slayout", i == 2 ? "999|0 to 2" : "slayout is");
  }
}

static void test_rule_fractal(void **state) {
  (void)state;
  const int32_t wrong[] = {-1, 1, 31, 513, 2048, INT32_MIN};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    desc.fractal = wrong[i];
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "fractal", "fractal", i == 4 ? "2048|512|1024|32" : "fractal is");
  }
  const int32_t right[] = {0, 32, 512, 1024};
  for (size_t i = 0; i < 4; ++i) {
    pto_tile_desc desc = plain();
    desc.fractal = right[i];
    pto_tile *tile = keep(pto_tile_create_from(CPU, &desc));
    assert_int_equal(pto_tile_fractal(tile), right[i] == 0 ? 512 : right[i]);
  }
}

static void test_rule_pad(void **state) {
  (void)state;
  const int wrong[] = {-1, 5, 999};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    memcpy(&desc.pad, &wrong[i], sizeof wrong[i]);
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "pad", "pad", i == 2 ? "999|0 to 4" : "pad is");
  }
}

static void test_rule_compact(void **state) {
  (void)state;
  const int wrong[] = {-1, 4, 999};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    memcpy(&desc.compact, &wrong[i], sizeof wrong[i]);
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "compact", "compact", i == 2 ? "999|0 to 3" : "compact is");
  }
}

static void test_rule_storage_kind(void **state) {
  (void)state;
  const int wrong[] = {-1, 2, 999};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    memcpy(&desc.storage, &wrong[i], sizeof wrong[i]);
    refuse_tile(CPU, &desc, PTO_ERROR_ARGUMENT, "storage-kind", "storage", i == 2 ? "999|0 to 1" : "storage is");
  }
}

/* A descriptor of zeros is valid as a whole; PTO_VALID_NONE is nothing, and 0 is so when it is set. */
static void valid_extents_left_out(void **state) {
  (void)state;
  static const struct { int32_t given, is; } k_extents[] = {{0, 16}, {PTO_VALID_ALL, 16}, {PTO_VALID_NONE, 0}, {3, 3}};
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      pto_tile_desc desc = plain();
      desc.valid_rows = k_extents[r].given;
      desc.valid_cols = k_extents[c].given;
      pto_tile *tile = keep(pto_tile_create_from(CPU, &desc));
      assert_int_equal(pto_tile_valid_rows(tile), k_extents[r].is);
      assert_int_equal(pto_tile_valid_cols(tile), k_extents[c].is);
    }
  }
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  assert_int_equal(pto_tile_set_valid(CPU, tile, 0, PTO_VALID_NONE), PTO_OK);
  assert_int_equal(pto_tile_valid_rows(tile), 0);
  assert_int_equal(pto_tile_valid_cols(tile), 0);
}

static void test_rule_valid_range(void **state) {
  (void)state;
  const int32_t wrong[] = {-3, 17, INT32_MIN, INT32_MAX};
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  assert_int_equal(pto_tile_set_valid(CPU, tile, 3, 5), PTO_OK);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tile_desc desc = plain();
    desc.valid_rows = wrong[i];
    refuse_tile(CPU, &desc, PTO_ERROR_SHAPE, "valid-range", "valid_rows", i == 1 ? "17|16" : "valid_rows is");
    desc.valid_rows = PTO_VALID_ALL;
    desc.valid_cols = wrong[i];
    refuse_tile(CPU, &desc, PTO_ERROR_SHAPE, "valid-range", "valid_cols", i == 1 ? "17|16" : "valid_cols is");
    expect_error(CPU, pto_tile_set_valid(CPU, tile, wrong[i], 1), PTO_ERROR_SHAPE, "valid-range", "valid_rows",
                 i == 1 ? "17|16" : "is");
    expect_error(CPU, pto_tile_set_valid(CPU, tile, 1, wrong[i]), PTO_ERROR_SHAPE, "valid-range", "valid_cols",
                 i == 1 ? "17|16" : "is");
    assert_int_equal(pto_tile_valid_rows(tile), 3);
    assert_int_equal(pto_tile_valid_cols(tile), 5);
  }
  assert_int_equal(pto_tile_set_valid(CPU, tile, 0, PTO_VALID_ALL), PTO_OK);
  assert_int_equal(pto_tile_valid_rows(tile), 0);
  assert_int_equal(pto_tile_valid_cols(tile), 16);
  valid_extents_left_out(state);
}

/* A geometry that a profile refuses when the tile is made, and when a tile of another profile is used. */
static void refuse_geometry(pto_context *ctx, const pto_tile_desc *desc, const char *rule, const char *field,
                            const char *texts) {
  refuse_tile(ctx, desc, PTO_ERROR_LAYOUT, rule, field, texts);
  accept_tile(CPU, desc);
  pto_tile *tiles[k_operands] = {0};
  for (int i = 0; i < 3; ++i) tiles[i] = keep(pto_tile_create_from(CPU, desc));
  refuse(ctx, "tpartadd", tiles, 0, PTO_ERROR_LAYOUT, rule, "dst", texts);
  pto_tile *good = tile_of(desc->dtype);
  tiles[0] = tiles[1] = good;
  refuse(ctx, "tpartadd", tiles, 0, PTO_ERROR_LAYOUT, rule, "src1", texts);
}

static void test_rule_row_bytes(void **state) {
  (void)state;
  pto_context *hardware[] = {A2A3, A5};
  for (int i = 0; i < 2; ++i) {
    pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 16, 7);
    refuse_geometry(hardware[i], &desc, "row-bytes", "cols", i == 0 ? "16x7|f32|28|32|A2A3" : "16x7|f32|28|32|A5");
    desc = layout_desc(&k_layouts[k_layout_dn], PTO_DTYPE_F16, 15, 16);
    refuse_geometry(hardware[i], &desc, "row-bytes", "rows", "15x16|f16|30|32");
    desc = layout_desc(&k_layouts[k_layout_dn], PTO_DTYPE_F16, 16, 1);
    accept_tile(hardware[i], &desc);
    EXPECT_NO_HANDLE(hardware[i], pto_tile_create(hardware[i], PTO_DTYPE_F16, 2, 8), PTO_ERROR_LAYOUT, "row-bytes",
                     "cols", "2x8|16|32");
  }
  pto_tile_release(pto_tile_create(CPU, PTO_DTYPE_F16, 2, 8));
}

static void test_rule_box_shape(void **state) {
  (void)state;
  pto_context *hardware[] = {A2A3, A5};
  for (int i = 0; i < 2; ++i) {
    pto_tile_desc desc = layout_desc(&k_layouts[4], PTO_DTYPE_F32, 16, 9); /* Nz: boxes of 16x8 */
    refuse_geometry(hardware[i], &desc, "box-shape", "cols", "16x9|f32|9|8");
    desc.location = PTO_LOCATION_MAT;
    desc.rows = 17;
    desc.cols = 8;
    refuse_geometry(hardware[i], &desc, "box-shape", "rows", "17x8|17|16");
    desc.location = PTO_LOCATION_VEC;
    accept_tile(hardware[i], &desc);
    desc.location = PTO_LOCATION_MAT;
    desc.rows = 1;
    accept_tile(hardware[i], &desc);
    desc.rows = 17;
    desc.fractal = 32;
    accept_tile(hardware[i], &desc);
    desc.fractal = 1024;
    desc.rows = 16;
    refuse_geometry(hardware[i], &desc, "box-shape", "cols", "16x8|8|16");
    /* The field at fault, also where rows and columns are the same number. */
    desc = layout_desc(&k_layouts[3], PTO_DTYPE_F16, 24, 24);
    desc.location = PTO_LOCATION_MAT;
    refuse_tile(hardware[i], &desc, PTO_ERROR_LAYOUT, "box-shape", "cols", "24x24|24|16");
    desc = layout_desc(&k_layouts[5], PTO_DTYPE_U8, 16, 16); /* boxes of 32x16 */
    desc.location = PTO_LOCATION_MAT;
    refuse_tile(hardware[i], &desc, PTO_ERROR_LAYOUT, "box-shape", "rows", "16x16|16|32");
  }
}

static void test_rule_capacity(void **state) {
  (void)state;
  const struct {
    pto_location location;
    int32_t kib[k_profiles]; /* by profile; the sizes of isa/tile_model.md */
  } k_memory[] = {
      {PTO_LOCATION_VEC, {0, 192, 256}}, {PTO_LOCATION_MAT, {0, 512, 512}},    {PTO_LOCATION_LEFT, {0, 64, 64}},
      {PTO_LOCATION_RIGHT, {0, 64, 64}}, {PTO_LOCATION_ACC, {0, 128, 256}},    {PTO_LOCATION_BIAS, {0, 1, 4}},
      {PTO_LOCATION_SCALING, {0, 2, 4}}, {PTO_LOCATION_SCALE_LEFT, {0, 0, 4}}, {PTO_LOCATION_SCALE_RIGHT, {0, 0, 4}},
  };
  for (size_t i = 0; i < sizeof k_memory / sizeof *k_memory; ++i) {
    for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
      const int32_t kib = k_memory[i].kib[p];
      if (kib == 0) continue;
      pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, kib, 256);
      desc.location = k_memory[i].location;
      accept_tile(g_ctx[p], &desc);
      desc.cols = 264;
      char texts[64];
      snprintf(texts, sizeof texts, "%dx264|%d|%d", kib, kib * 264 * 4, kib * 1024);
      refuse_geometry(g_ctx[p], &desc, "capacity", "rows", texts);
    }
  }
}

static void test_rule_wrap_bytes(void **state) {
  (void)state;
  static int64_t memory[512];
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 4, 8);
  const int64_t wrong[] = {127, 0, -1, INT64_MIN};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NO_HANDLE(CPU, pto_tile_wrap(CPU, &desc, memory, wrong[i]), PTO_ERROR_ARGUMENT, "wrap-bytes", "bytes",
                     i == 0 ? "127|4x8|f32|128" : "128");
  }
  pto_tile_release(keep(pto_tile_retain(pto_tile_wrap(CPU, &desc, memory, 128))));
  /* What a boxed tile fills counts: 3x5 of f32 are one box of 16x8. */
  desc = layout_desc(&k_layouts[2], PTO_DTYPE_F32, 3, 5);
  EXPECT_NO_HANDLE(CPU, pto_tile_wrap(CPU, &desc, memory, 511), PTO_ERROR_ARGUMENT, "wrap-bytes", "bytes", "511|512");
  keep(pto_tile_wrap(CPU, &desc, memory, 512));
}

/* Lines of two elements a byte: of tiles, of views and of tensors. */
static void test_rule_half_byte(void **state) {
  (void)state;
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_E2M1, 4, 31);
  refuse_tile(CPU, &desc, PTO_ERROR_SHAPE, "half-byte", "cols", "cols is 31|e2m1");
  desc = layout_desc(&k_layouts[k_layout_dn], PTO_DTYPE_I4, 7, 32);
  refuse_tile(CPU, &desc, PTO_ERROR_SHAPE, "half-byte", "rows", "rows is 7|i4");
  desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_E1M2, 4, 32);
  pto_tile *tile = keep(pto_tile_create_from(CPU, &desc));
  EXPECT_NO_HANDLE(CPU, pto_tile_view(CPU, tile, 0, 5, 2, 4), PTO_ERROR_SHAPE, "half-byte", "col", "col is 5|e1m2");
  EXPECT_NO_HANDLE(CPU, pto_tile_view(CPU, tile, 0, 4, 2, 5), PTO_ERROR_SHAPE, "half-byte", "cols", "cols is 5|e1m2");
  pto_tensor_desc matrix = {.struct_size = sizeof matrix, .dtype = PTO_DTYPE_I4, .rank = 2, .dim0 = 3, .dim1 = 5};
  EXPECT_NO_HANDLE(CPU, pto_tensor_create(CPU, &matrix), PTO_ERROR_SHAPE, "half-byte", "dim1", "dim1 is 5|i4");
}

static void test_rule_data_alignment(void **state) {
  (void)state;
  static int64_t memory[512];
  for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bytes(d) != 0; d = (pto_dtype)(d + 1)) {
    const pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], d, 4, 4);
    for (int shift = 1; shift < 9; ++shift) {
      char *data = (char *)memory + shift;
      pto_tile *tile = pto_tile_wrap(CPU, &desc, data, 1024);
      if (shift % pto_dtype_bytes(d) == 0) {
        keep(tile);
      } else {
        EXPECT_NO_HANDLE(CPU, tile, PTO_ERROR_ADDRESS, "data-alignment", "data", pto_dtype_name(d));
      }
    }
  }
}

static void test_rule_element_type(void **state) {
  (void)state;
  pto_tile *tile = tile_of(PTO_DTYPE_F16);
  uint16_t data[256] = {0};
  for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bytes(d) != 0; d = (pto_dtype)(d + 1)) {
    if (d == PTO_DTYPE_F16) continue;
    char texts[32];
    snprintf(texts, sizeof texts, "%s|f16", pto_dtype_name(d));
    expect_error(CPU, pto_tile_write_as(CPU, tile, d, data, sizeof data), PTO_ERROR_DTYPE, "element-type", "dtype",
                 texts);
    expect_error(CPU, pto_tile_read_as(CPU, tile, d, data, sizeof data), PTO_ERROR_DTYPE, "element-type", "dtype",
                 texts);
    assert_int_equal(data[0], 0);
  }
  assert_int_equal(pto_tile_read_as(CPU, tile, PTO_DTYPE_F16, data, sizeof data), PTO_OK);
  assert_int_equal(data[255], 0x3c00);
  data[255] = 7;
  assert_int_equal(pto_tile_write_as(CPU, tile, PTO_DTYPE_F16, data, sizeof data), PTO_OK);
  assert_int_equal(((uint16_t *)pto_tile_data(tile))[255], 7);
}

static void test_rule_byte_count(void **state) {
  (void)state;
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  float data[257];
  for (int i = 0; i < 257; ++i) data[i] = 5;
  assert_int_equal(pto_tile_set_valid(CPU, tile, 3, 5), PTO_OK);
  const int64_t wrong[] = {59, 61, 0, -60, 1024, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    const char *texts = i == 0 ? "59 bytes|3x5|f32|60" : "60";
    expect_error(CPU, pto_tile_write(CPU, tile, data, wrong[i]), PTO_ERROR_ARGUMENT, "byte-count", "bytes", texts);
    expect_error(CPU, pto_tile_read(CPU, tile, data, wrong[i]), PTO_ERROR_ARGUMENT, "byte-count", "bytes", texts);
    expect_error(CPU, pto_tile_write_as(CPU, tile, PTO_DTYPE_F32, data, wrong[i]), PTO_ERROR_ARGUMENT, "byte-count",
                 "bytes", texts);
    expect_error(CPU, pto_tile_read_as(CPU, tile, PTO_DTYPE_F32, data, wrong[i]), PTO_ERROR_ARGUMENT, "byte-count",
                 "bytes", texts);
  }
  for (int i = 0; i < 257; ++i) assert_true(data[i] == 5);
  for (int i = 0; i < 256; ++i) assert_true(((float *)pto_tile_data(tile))[i] == 1);
}

static void test_rule_address_alignment(void **state) {
  (void)state;
  pto_tile *tile = tile_manual(PTO_DTYPE_F32);
  const int64_t wrong[] = {1, 16, 31, 33, -1, INT64_MAX};
  for (int p = 0; p < k_profiles; ++p) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
      expect_error(g_ctx[p], pto_tassign(g_ctx[p], tile, wrong[i]), PTO_ERROR_ADDRESS, "address-alignment", "address",
                   i == 3 ? "33|32" : "32");
      assert_null(pto_tile_data(tile));
    }
  }
}

static void test_rule_address_range(void **state) {
  (void)state;
  const int64_t capacity[] = {1 << 30, 192 * 1024, 256 * 1024};
  for (int p = 0; p < k_profiles; ++p) {
    pto_tile *tile = tile_manual(PTO_DTYPE_F32); /* 1024 bytes */
    const int64_t last = capacity[p] - 1024;
    const int64_t wrong[] = {last + 32, capacity[p], -32, INT64_MAX - 31, INT64_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
      char texts[80];
      snprintf(texts, sizeof texts, "1024 bytes|%lld|%s the %lld bytes of vec", (long long)wrong[i],
               wrong[i] < 0 ? "start before" : "end after", (long long)capacity[p]);
      expect_error(g_ctx[p], pto_tassign(g_ctx[p], tile, wrong[i]), PTO_ERROR_ADDRESS, "address-range", "address",
                   texts);
      assert_null(pto_tile_data(tile));
    }
    assert_int_equal(pto_tassign(g_ctx[p], tile, last), PTO_OK);
    uint8_t *first = pto_tile_data(tile);
    expect_error(g_ctx[p], pto_tassign(g_ctx[p], tile, last + 32), PTO_ERROR_ADDRESS, "address-range", "address",
                 "1024");
    assert_ptr_equal(pto_tile_data(tile), first);
  }
  /* A location that the profile does not have, and a tile larger than its memory. */
  expect_error(A2A3, pto_tassign(A2A3, tile_at(PTO_LOCATION_SCALE_LEFT, PTO_DTYPE_F32), 0), PTO_ERROR_ADDRESS,
               "address-range", "address", "scale_left");
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 1 << 15, 1 << 15);
  desc.storage = PTO_STORAGE_MANUAL;
  expect_error(CPU, pto_tassign(CPU, keep(pto_tile_create_from(CPU, &desc)), 0), PTO_ERROR_ADDRESS, "address-range",
               "address", "4294967296");
}

static void test_rule_location_print(void **state) {
  (void)state;
  const pto_print_format format = PTO_PRINT_FORMAT_WIDTH8_PRECISION4;
  for (int p = 0; p < k_profiles; ++p) {
    pto_context *ctx = g_ctx[p];
    for (int location = 0; location <= PTO_LOCATION_SCALE_RIGHT; ++location) {
      pto_tile *tile = tile_at((pto_location)location, PTO_DTYPE_F32);
      const int good = p == 0 || location == PTO_LOCATION_VEC || location == PTO_LOCATION_ACC ||
                       (p == 1 && location == PTO_LOCATION_MAT);
      const pto_status status = pto_tprint(ctx, tile, format);
      if (good) {
        assert_int_equal(status, PTO_OK);
      } else if (pto_context_capacity(ctx, (pto_location)location) == 0) {
        expect_error(ctx, status, PTO_ERROR_LAYOUT, "location", "src", "src");
      } else {
        expect_error(ctx, status, PTO_ERROR_LAYOUT, "location-print", "src",
                     p == 1 ? "src lives in|A2A3" : "src lives in|A5");
      }
    }
    /* Types, geometry, storage and formats. */
    static const pto_dtype none[] = {PTO_DTYPE_I64, PTO_DTYPE_U64, PTO_DTYPE_BF16};
    for (int i = 0; i < 3; ++i) {
      const pto_status status = pto_tprint(ctx, tile_at(PTO_LOCATION_VEC, none[i]), format);
      if (p == 0) {
        assert_int_equal(status, PTO_OK);
      } else {
        expect_error(ctx, status, PTO_ERROR_DTYPE, "dtype", "src", pto_dtype_name(none[i]));
      }
    }
    pto_tile *narrow = keep(pto_tile_create(CPU, PTO_DTYPE_F32, 2, 3));
    const pto_status status = pto_tprint(ctx, narrow, format);
    if (p == 0) {
      assert_int_equal(status, PTO_OK);
    } else {
      expect_error(ctx, status, PTO_ERROR_LAYOUT, "row-bytes", "src", "12 bytes");
    }
    expect_error(ctx, pto_tprint(ctx, tile_manual(PTO_DTYPE_F32), format), PTO_ERROR_ADDRESS, "storage", "src", "src");
    expect_error(ctx, pto_tprint(ctx, NULL, format), PTO_ERROR_NULL, "null", "src", "tprint: src is NULL");
    expect_error(ctx, pto_tprint(ctx, narrow, (pto_print_format)3), PTO_ERROR_ARGUMENT, "mode", "format",
                 "format is 3");
    expect_error(ctx, pto_context_print(ctx, NULL), PTO_ERROR_NULL, "null", "text", "text is NULL");
    pto_context_clear_output(ctx);
  }
}

static void test_rule_on_chip_limit(void **state) {
  (void)state;
  static const int64_t limits[] = {1, 1024, 1 << 20, INT64_C(5) << 30, INT64_C(1) << 40};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
    pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
    assert_int_equal(pto_context_capacity(ctx, PTO_LOCATION_ACC), 1 << 30);
    assert_int_equal(pto_context_limit_on_chip(ctx, limits[i]), PTO_OK);
    assert_int_equal(pto_context_capacity(ctx, PTO_LOCATION_ACC), limits[i]);
    expect_error(ctx, pto_context_limit_on_chip(ctx, (INT64_C(1) << 40) + 1), PTO_ERROR_ARGUMENT, "on-chip-limit",
                 "bytes", "1099511627777|CPU");
    expect_error(ctx, pto_context_limit_on_chip(ctx, 0), PTO_ERROR_ARGUMENT, "limit", "bytes", "0");
    expect_error(ctx, pto_context_limit_on_chip(ctx, INT64_MIN), PTO_ERROR_ARGUMENT, "limit", "bytes", "-92");
    pto_tile *tile = tile_manual(PTO_DTYPE_F32); /* 1024 bytes */
    if (limits[i] < 1024) {
      expect_error(ctx, pto_tassign(ctx, tile, 0), PTO_ERROR_ADDRESS, "address-range", "address",
                   "1024 bytes|end after the 1 bytes of vec under CPU");
    } else {
      const int64_t last = limits[i] / 32 * 32 - 1024;
      expect_error(ctx, pto_tassign(ctx, tile, last + 32), PTO_ERROR_ADDRESS, "address-range", "address", "end after");
      assert_int_equal(pto_tassign(ctx, tile, last), PTO_OK);
      memset(pto_tile_data(tile), 0x55, 1024);
      expect_error(ctx, pto_context_limit_on_chip(ctx, 4096), PTO_ERROR_ARGUMENT, "on-chip-limit", "bytes",
                   "4096|addresses already");
      assert_int_equal(pto_context_capacity(ctx, PTO_LOCATION_VEC), limits[i]);
    }
    pto_context_release(ctx); /* the tile keeps the memory */
  }
  for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
    expect_error(g_ctx[p], pto_context_limit_on_chip(g_ctx[p], 4096), PTO_ERROR_ARGUMENT, "on-chip-limit", "bytes",
                 "4096|A");
  }
  assert_int_equal(pto_context_capacity(A2A3, PTO_LOCATION_VEC), 192 << 10);
  assert_int_equal(pto_context_capacity(A5, PTO_LOCATION_VEC), 256 << 10);
  assert_int_equal(pto_context_capacity(A2A3, PTO_LOCATION_SCALE_LEFT), 0);
  assert_int_equal(pto_context_capacity(A5, (pto_location)99), 0);
  assert_int_equal(pto_context_capacity(NULL, PTO_LOCATION_VEC), 0);
  assert_int_equal(pto_context_limit_on_chip(NULL, 1), PTO_ERROR_NULL);
}

static void test_rule_memory(void **state) {
  (void)state;
  /* No system gives half a terabyte to a process that may have so little. */
  struct rlimit old;
  assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
  struct rlimit small = old;
  small.rlim_cur = (rlim_t)1 << 38;
  const int limited = setrlimit(RLIMIT_AS, &small) == 0;
  pto_tile *tile = pto_tile_create(CPU, PTO_DTYPE_I64, 1 << 18, 1 << 18);
  setrlimit(RLIMIT_AS, &old);
  assert_true(limited);
  EXPECT_NO_HANDLE(CPU, tile, PTO_ERROR_MEMORY, "memory", "", "549755813888");
}

static void test_rule_on_chip_memory(void **state) {
  (void)state;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rows = desc.cols = desc.valid_rows = desc.valid_cols = 8;
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile *tile = pto_tile_create_from(ctx, &desc);
  struct rlimit old;
  assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
  struct rlimit small = old;
  small.rlim_cur = (rlim_t)512 << 20;
  const int limited = setrlimit(RLIMIT_AS, &small) == 0;
  const pto_status status = pto_tassign(ctx, tile, 0);
  setrlimit(RLIMIT_AS, &old);
  assert_true(limited);
  expect_error(ctx, status, PTO_ERROR_MEMORY, "on-chip-memory", "", "1073741824|vec");
  assert_non_null(strstr(pto_context_error_remedy(ctx), "pto_context_limit_on_chip"));
  assert_int_equal(pto_tassign(ctx, tile, 0), PTO_OK);
  pto_tile_release(tile);
  pto_context_release(ctx);
}

static void test_rule_unknown_instruction(void **state) {
  (void)state;
  const char *wrong[] = {"", "TPOW", "tpo", "tpowx", "tpow ", "zzz", "a"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    EXPECT_NO_HANDLE(CPU, pto_inst_create(CPU, wrong[i]), PTO_ERROR_UNKNOWN, "unknown-instruction", "name", wrong[i]);
    assert_int_equal(pto_op_find(wrong[i]), -1);
  }
  char text[4096];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  EXPECT_NO_HANDLE(CPU, pto_inst_create(CPU, text), PTO_ERROR_UNKNOWN, "unknown-instruction", "name", "xxx");
  EXPECT_NO_HANDLE(CPU, pto_inst_create(CPU, "t\npow\x1b[1m\x7f"), PTO_ERROR_UNKNOWN, "unknown-instruction", "name",
                   "t?pow?[1m?");
  /* A name cut off within a character stays text: bytes that are not ASCII are not quoted. */
  EXPECT_NO_HANDLE(CPU, pto_inst_create(CPU, "tp\xc3\xb6w"), PTO_ERROR_UNKNOWN, "unknown-instruction", "name",
                   "\"tp??w\"");
}

static void test_rule_operand_index(void **state) {
  (void)state;
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const int32_t op = pto_op_at(i);
    pto_inst *inst = pto_inst_create(CPU, pto_op_name(op));
    const int32_t wrong[] = {-1, pto_op_operand_count(op), 999, INT32_MIN, INT32_MAX};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
      const char *texts = k == 2 ? "index is 999" : pto_op_name(op);
      expect_error(CPU, pto_inst_set_tile(CPU, inst, wrong[k], NULL), PTO_ERROR_ARGUMENT, "operand-index", "index",
                   texts);
      expect_error(CPU, pto_inst_set_int(CPU, inst, wrong[k], 0), PTO_ERROR_ARGUMENT, "operand-index", "index", texts);
      expect_error(CPU, pto_inst_set_float(CPU, inst, wrong[k], 0), PTO_ERROR_ARGUMENT, "operand-index", "index",
                   texts);
    }
    pto_inst_release(inst);
  }
}

static void test_rule_operand_kind(void **state) {
  (void)state;
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const int32_t op = pto_op_at(i);
    pto_inst *inst = pto_inst_create(CPU, pto_op_name(op));
    for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
      const char *name = pto_op_operand_name(op, k);
      const int32_t role = pto_op_operand_role(op, k);
      if (role == PTO_ROLE_TENSOR_OUT || role == PTO_ROLE_TENSOR_IN) {
        expect_error(CPU, pto_inst_set_tile(CPU, inst, k, tile), PTO_ERROR_ARGUMENT, "operand-kind", name, "a tensor");
        expect_error(CPU, pto_inst_set_int(CPU, inst, k, 0), PTO_ERROR_ARGUMENT, "operand-kind", name, "a tensor");
        continue;
      }
      expect_error(CPU, pto_inst_set_tensor(CPU, inst, k, NULL), PTO_ERROR_ARGUMENT, "operand-kind", name, "takes");
      if (role == PTO_ROLE_SCALAR) {
        expect_error(CPU, pto_inst_set_tile(CPU, inst, k, tile), PTO_ERROR_ARGUMENT, "operand-kind", name, "a scalar");
        assert_int_equal(pto_inst_set_float(CPU, inst, k, 1.5), PTO_OK);
      } else if (role == PTO_ROLE_FLAGS || role == PTO_ROLE_INT || role == PTO_ROLE_MODE) {
        expect_error(CPU, pto_inst_set_tile(CPU, inst, k, tile), PTO_ERROR_ARGUMENT, "operand-kind", name,
                     "an integer");
        expect_error(CPU, pto_inst_set_float(CPU, inst, k, 1.5), PTO_ERROR_ARGUMENT, "operand-kind", name,
                     "an integer|1.5");
      } else {
        expect_error(CPU, pto_inst_set_int(CPU, inst, k, 0), PTO_ERROR_ARGUMENT, "operand-kind", name, "a tile");
        expect_error(CPU, pto_inst_set_float(CPU, inst, k, 1.5), PTO_ERROR_ARGUMENT, "operand-kind", name, "a tile");
      }
    }
    pto_inst_release(inst);
  }
}

static void test_rule_operand_value(void **state) {
  (void)state;
  pto_inst *inst = pto_inst_create(CPU, "tpow");
  const int64_t wrong[] = {-1, (int64_t)UINT32_MAX + 1, INT64_MIN, INT64_MAX};
  for (size_t k = 0; k < 4; ++k) {
    expect_error(CPU, pto_inst_set_int(CPU, inst, 4, wrong[k]), PTO_ERROR_ARGUMENT, "operand-value", "flags",
                 k == 1 ? "4294967296|4294967295" : "flags is");
  }
  assert_int_equal(pto_inst_set_int(CPU, inst, 4, UINT32_MAX), PTO_OK);
  pto_inst_release(inst);
}

const struct CMUnitTest k_tile_rules[] = {
    RULE_TEST(test_rule_struct_size),    RULE_TEST(test_rule_dtype_known),
    RULE_TEST(test_rule_tile_shape),     RULE_TEST(test_rule_tile_size),
    RULE_TEST(test_rule_location),       RULE_TEST(test_rule_layout),
    RULE_TEST(test_rule_fractal),        RULE_TEST(test_rule_pad),
    RULE_TEST(test_rule_compact),        RULE_TEST(test_rule_storage_kind),
    RULE_TEST(test_rule_valid_range),    RULE_TEST(test_rule_row_bytes),
    RULE_TEST(test_rule_box_shape),      RULE_TEST(test_rule_capacity),
    RULE_TEST(test_rule_wrap_bytes),     RULE_TEST(test_rule_half_byte),
    RULE_TEST(test_rule_data_alignment), RULE_TEST(test_rule_element_type),
    RULE_TEST(test_rule_byte_count),     RULE_TEST(test_rule_address_alignment),
    RULE_TEST(test_rule_address_range),  RULE_TEST(test_rule_location_print),
    RULE_TEST(test_rule_on_chip_limit),  RULE_TEST(test_rule_memory),
    RULE_TEST(test_rule_on_chip_memory), RULE_TEST(test_rule_unknown_instruction),
    RULE_TEST(test_rule_operand_index),  RULE_TEST(test_rule_operand_kind),
    RULE_TEST(test_rule_operand_value),
};
const int k_tile_rule_count = sizeof k_tile_rules / sizeof *k_tile_rules;
