/*
 * test_rules_tensors.c: the rules of views, tensors and transfers, each broken on
 * purpose. What transfers do is tested in tests/tensor.
 */
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"

static int64_t g_memory[1024];

static pto_tensor_desc matrix(int64_t rows, int64_t cols) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 2;
  desc.dim0 = rows;
  desc.dim1 = cols;
  return desc;
}

static void refuse_tensor(const pto_tensor_desc *desc, pto_status want, const char *rule, const char *operand,
                          const char *texts) {
  const int64_t alive = pto_live_handles();
  EXPECT_NO_HANDLE(CPU, pto_tensor_create(CPU, desc), want, rule, operand, texts);
  EXPECT_NO_HANDLE(CPU, pto_tensor_wrap(CPU, desc, g_memory, INT64_MAX), want, rule, operand, texts);
  assert_int_equal(pto_live_handles(), alive);
}

static void test_rule_view_range(void **state) {
  (void)state;
  static const int32_t k_wrong[][4] = {{0, 0, 0, 4},         {0, 0, 4, 0},         {-1, 0, 4, 4},
                                       {0, -1, 4, 4},        {13, 0, 4, 4},        {0, 13, 4, 4},
                                       {0, 0, 17, 1},        {0, 0, 1, INT32_MAX}, {INT32_MAX, 0, 1, 1},
                                       {INT32_MIN, 0, 1, 1}, {0, 0, INT32_MIN, 1}, {1, 0, INT32_MAX, 1}};
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  for (size_t i = 0; i < sizeof k_wrong / sizeof *k_wrong; ++i) {
    const int32_t *w = k_wrong[i];
    const char *operand = w[0] < 0 || w[2] < 1 || w[0] > 16 - (int64_t)w[2] ? "rows" : "cols";
    EXPECT_NO_HANDLE(CPU, pto_tile_view(CPU, tile, w[0], w[1], w[2], w[3]), PTO_ERROR_SHAPE, "view-range", operand,
                     (*operand == 'r' ? w[2] : w[3]) < 1 ? "a view has 1"
                     : i == 4                            ? "row 13 + 4 rows|16 rows"
                                                         : "of the tile");
  }
  pto_tile_release(keep(pto_tile_retain(pto_tile_view(CPU, tile, 12, 12, 4, 4))));
}

static void test_rule_view_box(void **state) {
  (void)state;
  pto_tile *tile = tile_laid(4, PTO_DTYPE_F32, 40, 20); /* boxes of 16x8 */
  EXPECT_NO_HANDLE(CPU, pto_tile_view(CPU, tile, 1, 0, 16, 8), PTO_ERROR_LAYOUT, "view-box", "rows", "16x8|row 1");
  EXPECT_NO_HANDLE(CPU, pto_tile_view(CPU, tile, 0, 0, 15, 8), PTO_ERROR_LAYOUT, "view-box", "rows", "15x8");
  EXPECT_NO_HANDLE(CPU, pto_tile_view(CPU, tile, 16, 4, 16, 8), PTO_ERROR_LAYOUT, "view-box", "cols", "column 4");
  EXPECT_NO_HANDLE(CPU, pto_tile_view(CPU, tile, 16, 8, 16, 7), PTO_ERROR_LAYOUT, "view-box", "cols", "16x7");
  keep(pto_tile_view(CPU, tile, 32, 16, 8, 4)); /* up to the end of the tile */
}

static void test_rule_reshape_dense(void **state) {
  (void)state;
  pto_tile *view = keep(pto_tile_view(CPU, tile_of(PTO_DTYPE_F32), 0, 0, 4, 8));
  const pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 8, 4);
  EXPECT_NO_HANDLE(CPU, pto_tile_reshape(CPU, view, &desc), PTO_ERROR_LAYOUT, "reshape-dense", "tile", "4x8");
}

static void test_rule_reshape_boxes(void **state) {
  (void)state;
  pto_tile_desc desc = layout_desc(&k_layouts[2], PTO_DTYPE_F32, 16, 16);
  EXPECT_NO_HANDLE(CPU, pto_tile_reshape(CPU, tile_of(PTO_DTYPE_F32), &desc), PTO_ERROR_LAYOUT, "reshape-boxes", "desc",
                   "boxed|unboxed");
  desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 16, 16);
  desc.location = PTO_LOCATION_MAT;
  EXPECT_NO_HANDLE(CPU, pto_tile_reshape(CPU, tile_of(PTO_DTYPE_F32), &desc), PTO_ERROR_LAYOUT, "reshape-boxes", "desc",
                   "mat|vec");
}

static void test_rule_reshape_bytes(void **state) {
  (void)state;
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_I64, 16, 9);
  EXPECT_NO_HANDLE(CPU, pto_tile_reshape(CPU, tile_of(PTO_DTYPE_F32), &desc), PTO_ERROR_SHAPE, "reshape-bytes", "desc",
                   "16x9|i64|1152|1024");
  desc.cols = 8;
  keep(pto_tile_reshape(CPU, tile_of(PTO_DTYPE_F32), &desc));
}

static void test_rule_tensor_rank(void **state) {
  (void)state;
  const int32_t wrong[] = {0, 6, -1, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    pto_tensor_desc desc = matrix(4, 4);
    desc.rank = wrong[i];
    refuse_tensor(&desc, PTO_ERROR_ARGUMENT, "tensor-rank", "rank", i == 1 ? "6|5" : "rank");
  }
}

static void test_rule_tensor_dim(void **state) {
  (void)state;
  pto_tensor_desc desc = matrix(4, -3);
  refuse_tensor(&desc, PTO_ERROR_ARGUMENT, "tensor-dim", "dim1", "-3");
  desc = matrix(INT64_MIN, 4);
  refuse_tensor(&desc, PTO_ERROR_ARGUMENT, "tensor-dim", "dim0", "-9223372036854775808");
  desc = matrix(4, 4);
  desc.dim4 = -1; /* above rank */
  pto_tensor_release(pto_tensor_create(CPU, &desc));
}

static void test_rule_tensor_stride(void **state) {
  (void)state;
  pto_tensor_desc desc = matrix(4, 4);
  desc.strided = 1;
  desc.stride0 = 4;
  desc.stride1 = -1;
  refuse_tensor(&desc, PTO_ERROR_ARGUMENT, "tensor-stride", "stride1", "-1");
}

static void test_rule_tensor_size(void **state) {
  (void)state;
  pto_tensor_desc desc = matrix(INT64_MAX, INT64_MAX);
  refuse_tensor(&desc, PTO_ERROR_ARGUMENT, "tensor-size", "dim0", "1099511627776");
  desc = matrix(2, 2);
  desc.strided = 1;
  desc.stride0 = INT64_MAX;
  desc.stride1 = INT64_MAX;
  refuse_tensor(&desc, PTO_ERROR_ARGUMENT, "tensor-size", "dim0", "1099511627776");
}

static void test_rule_tensor_range(void **state) {
  (void)state;
  const pto_tensor_desc desc = matrix(4, 4);
  const int64_t wrong[] = {63, 0, -1, INT64_MIN};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NO_HANDLE(CPU, pto_tensor_wrap(CPU, &desc, g_memory, wrong[i]), PTO_ERROR_ADDRESS, "tensor-range", "desc",
                     i == 0 ? "63|64" : "64");
  }
  pto_tensor *tensor = pto_tensor_wrap(CPU, &desc, g_memory, 80);
  EXPECT_NO_HANDLE(CPU, pto_tensor_view(CPU, tensor, &desc, 5), PTO_ERROR_ADDRESS, "tensor-range", "desc", "64|60");
  EXPECT_NO_HANDLE(CPU, pto_tensor_view(CPU, tensor, &desc, INT64_MAX), PTO_ERROR_ADDRESS, "tensor-range", "offset",
                   "80");
  pto_tensor_release(pto_tensor_view(CPU, tensor, &desc, 4));
  pto_tensor_release(tensor);
}

static void test_rule_tensor_layout(void **state) {
  (void)state;
  const int wrong[] = {-1, PTO_LAYOUT_SCALE, 999, PTO_LAYOUT_FRACTAL_Z_3D + 1};
  for (size_t i = 0; i < 4; ++i) {
    pto_tensor_desc desc = matrix(4, 4);
    memcpy(&desc.layout, &wrong[i], sizeof wrong[i]);
    refuse_tensor(&desc, PTO_ERROR_ARGUMENT, "tensor-layout", "layout", i == 1 ? "SCALE" : i == 2 ? "999" : "layout");
  }
}

/* A transfer that must be refused, with neither side changed; then one that must not, elsewhere. */
static void refuse_transfer(pto_context *ctx, int load, pto_tile *tile, pto_tensor *tensor, pto_status want,
                            const char *rule, const char *operand, const char *texts) {
  static uint8_t before[2][1 << 14];
  const size_t bytes[2] = {(size_t)pto_tile_bytes(tile), (size_t)pto_tensor_bytes(tensor)};
  assert_true(bytes[0] <= sizeof before[0] && bytes[1] <= sizeof before[1]);
  memcpy(before[0], pto_tile_data(tile), bytes[0]);
  memcpy(before[1], pto_tensor_data(tensor), bytes[1]);
  const pto_status status = load ? pto_tload(ctx, tile, tensor, 0) : pto_tstore(ctx, tensor, tile, 0);
  expect_error(ctx, status, want, rule, operand, texts);
  assert_memory_equal(before[0], pto_tile_data(tile), bytes[0]);
  assert_memory_equal(before[1], pto_tensor_data(tensor), bytes[1]);
}

static void accept_transfer(pto_context *ctx, int load, pto_tile *tile, pto_tensor *tensor) {
  const pto_status status = load ? pto_tload(ctx, tile, tensor, 0) : pto_tstore(ctx, tensor, tile, 0);
  if (status != PTO_OK) fail_msg("refused: %s", pto_context_error_message(ctx));
}

static void test_rule_location_load(void **state) {
  (void)state;
  const pto_tensor_desc desc = matrix(16, 16);
  pto_tensor *tensor = pto_tensor_create(CPU, &desc);
  for (int load = 0; load < 2; ++load) {
    const char *operand = load ? "dst" : "src";
    pto_tile *acc = tile_at(PTO_LOCATION_ACC, PTO_DTYPE_F32);
    if (load) {
      refuse_transfer(A2A3, load, acc, tensor, PTO_ERROR_LAYOUT, "location-load", operand, "acc|A2A3|vec or mat");
      refuse_transfer(A5, load, acc, tensor, PTO_ERROR_LAYOUT, "location-load", operand, "acc|A5|vec or mat");
    } else {
      accept_transfer(A2A3, load, acc, tensor);
      accept_transfer(A5, load, acc, tensor);
      pto_tile *bias = tile_at(PTO_LOCATION_BIAS, PTO_DTYPE_F32);
      refuse_transfer(A2A3, load, bias, tensor, PTO_ERROR_LAYOUT, "location-load", operand,
                      "bias|A2A3|vec, mat or acc");
      refuse_transfer(A5, load, bias, tensor, PTO_ERROR_LAYOUT, "location-load", operand, "bias|A5|vec or acc");
      accept_transfer(CPU, load, bias, tensor);
    }
    accept_transfer(CPU, load, acc, tensor);
    pto_tile *mat = tile_at(PTO_LOCATION_MAT, PTO_DTYPE_F32);
    accept_transfer(A2A3, load, mat, tensor);
    if (load) {
      accept_transfer(A5, load, mat, tensor);
    } else {
      refuse_transfer(A5, load, mat, tensor, PTO_ERROR_LAYOUT, "location-load", operand, "mat|A5|vec or acc");
    }
  }
  pto_tensor_release(tensor);

  /* A tile that is filled is one that is loaded, here. */
  pto_tile *filled[3] = {tile_at(PTO_LOCATION_VEC, PTO_DTYPE_F32), tile_at(PTO_LOCATION_MAT, PTO_DTYPE_F32),
                         tile_at(PTO_LOCATION_LEFT, PTO_DTYPE_F32)};
  for (int p = 0; p < k_profiles; ++p) {
    for (int k = 0; k < (p == 0 ? 3 : 2); ++k) {
      if (pto_texpands(g_ctx[p], filled[k], pto_float(2.5), 0) != PTO_OK) {
        fail_msg("refused: %s", pto_context_error_message(g_ctx[p]));
      }
      assert_float_equal(((const float *)pto_tile_data(filled[k]))[17], 2.5F, 0);
    }
  }
  for (int p = 1; p < k_profiles; ++p) {
    const pto_status status = pto_texpands(g_ctx[p], filled[2], pto_float(3), 0);
    expect_error(g_ctx[p], status, PTO_ERROR_LAYOUT, "location-load", "dst", "left|vec or mat");
  }
}

static void test_rule_same_width(void **state) {
  (void)state;
  const pto_tensor_desc desc = matrix(16, 16);
  pto_tensor *tensor = pto_tensor_create(CPU, &desc);
  for (int p = 0; p < k_profiles; ++p) {
    refuse_transfer(g_ctx[p], 1, tile_of(PTO_DTYPE_F16), tensor, PTO_ERROR_DTYPE, "same-width", "src", "f32|f16");
    refuse_transfer(g_ctx[p], 0, tile_of(PTO_DTYPE_I64), tensor, PTO_ERROR_DTYPE, "same-width", "dst", "f32|i64");
    accept_transfer(g_ctx[p], 0, tile_of(PTO_DTYPE_U32), tensor);
  }
  pto_tensor_release(tensor);
}

static void test_rule_transfer_covers(void **state) {
  (void)state;
  const pto_tensor_desc desc = matrix(16, 15);
  pto_tensor *tensor = pto_tensor_create(CPU, &desc);
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  for (int p = 0; p < k_profiles; ++p) {
    refuse_transfer(g_ctx[p], 1, tile, tensor, PTO_ERROR_SHAPE, "transfer-covers", "src", "16x15|16x16");
    refuse_transfer(g_ctx[p], 0, tile, tensor, PTO_ERROR_SHAPE, "transfer-covers", "dst", "16x15|16x16");
  }
  pto_tensor_release(tensor);
}

static void test_rule_tensor_overlap(void **state) {
  (void)state;
  /* One row for all, one column, windows that slide; rows and columns that meet now and then. */
  static const struct {
    int64_t row, col;
    const char *texts;
  } k_strides[] = {{0, 1, "(0, 0) and (1, 0)|0 elements"},
                   {16, 0, "(0, 0) and (0, 1)|0 elements"},
                   {3, 1, "(0, 3) and (1, 0)|3 elements"},
                   {15, 1, "(0, 15) and (1, 0)|15 elements"},
                   {4, 6, "(0, 2) and (3, 0)|12 elements"}};
  static float memory[512];
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  for (size_t i = 0; i < sizeof k_strides / sizeof *k_strides; ++i) {
    pto_tensor_desc desc = matrix(16, 16);
    desc.strided = 1;
    desc.stride0 = k_strides[i].row;
    desc.stride1 = k_strides[i].col;
    pto_tensor *tensor = pto_tensor_wrap(CPU, &desc, memory, sizeof memory);
    assert_non_null(tensor);
    for (int p = 0; p < k_profiles; ++p) {
      refuse_transfer(g_ctx[p], 0, tile, tensor, PTO_ERROR_SHAPE, "tensor-overlap", "dst", k_strides[i].texts);
      const pto_status none = pto_tstore_atomic(g_ctx[p], tensor, tile, PTO_ATOMIC_NONE, 0);
      expect_error(g_ctx[p], none, PTO_ERROR_SHAPE, "tensor-overlap", "dst", k_strides[i].texts);
      assert_int_equal(pto_tstore_atomic(g_ctx[p], tensor, tile, PTO_ATOMIC_ADD, 0), PTO_OK);
      accept_transfer(g_ctx[p], 1, tile, tensor);
    }
    pto_tensor_release(tensor);
  }
  /* They would meet after 17 rows and 16 columns. */
  pto_tensor_desc desc = matrix(16, 16);
  desc.strided = 1;
  desc.stride0 = 16;
  desc.stride1 = 17;
  pto_tensor *tensor = pto_tensor_wrap(CPU, &desc, memory, sizeof memory);
  assert_non_null(tensor);
  for (int p = 0; p < k_profiles; ++p) accept_transfer(g_ctx[p], 0, tile, tensor);
  pto_tensor_release(tensor);
}

static void test_rule_acc_dtype(void **state) {
  (void)state;
  const pto_tensor_desc desc = matrix(16, 16);
  pto_tensor *tensor = pto_tensor_create(CPU, &desc);
  for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
    refuse_transfer(g_ctx[p], 0, tile_at(PTO_LOCATION_ACC, PTO_DTYPE_I32), tensor, PTO_ERROR_DTYPE, "acc-dtype", "src",
                    "acc|i32|f32");
    accept_transfer(g_ctx[p], 0, tile_at(PTO_LOCATION_ACC, PTO_DTYPE_F32), tensor);
  }
  accept_transfer(CPU, 0, tile_at(PTO_LOCATION_ACC, PTO_DTYPE_I32), tensor);
  pto_tensor_release(tensor);
}

/* What becomes bias is converted, from mat alone. */
static void moves_to_bias(void) {
  pto_tile_desc desc = {.struct_size = sizeof desc, .dtype = PTO_DTYPE_F32, .rows = 1, .cols = 64};
  desc.valid_rows = 1;
  desc.valid_cols = 64;
  desc.location = PTO_LOCATION_BIAS;
  pto_tile *bias = keep(pto_tile_create_from(CPU, &desc));
  for (int wide = 0; wide < 2; ++wide) {
    desc.dtype = wide ? PTO_DTYPE_BF16 : PTO_DTYPE_F16;
    desc.location = PTO_LOCATION_MAT;
    pto_tile *mat = keep(pto_tile_create_from(CPU, &desc));
    desc.location = PTO_LOCATION_VEC;
    pto_tile *vec = keep(pto_tile_create_from(CPU, &desc));
    for (int p = 0; p < k_profiles; ++p) {
      if (wide && p == PTO_PROFILE_A2A3) {
        expect_error(A2A3, pto_tmov(A2A3, bias, mat, 0), PTO_ERROR_DTYPE, "operand-dtype", "src", "bf16|f32");
        continue;
      }
      assert_int_equal(pto_tmov(g_ctx[p], bias, mat, 0), PTO_OK);
      if (p == PTO_PROFILE_CPU) {
        assert_int_equal(pto_tmov(CPU, bias, vec, 0), PTO_OK);
      } else {
        expect_error(g_ctx[p], pto_tmov(g_ctx[p], bias, vec, 0), PTO_ERROR_LAYOUT, "location-move", "src",
                     "vec|bias|convert");
      }
    }
  }
}

static void test_rule_location_move(void **state) {
  (void)state;
  moves_to_bias();
  pto_tile *mat = tile_at(PTO_LOCATION_MAT, PTO_DTYPE_F32);
  pto_tile *vec = tile_of(PTO_DTYPE_F32);
  pto_tile *right = tile_at(PTO_LOCATION_RIGHT, PTO_DTYPE_F32);
  for (int p = 0; p < k_profiles; ++p) {
    pto_context *ctx = g_ctx[p];
    assert_int_equal(pto_tmov(ctx, right, mat, 0), PTO_OK);
    if (p == PTO_PROFILE_CPU) {
      assert_int_equal(pto_tmov(ctx, vec, mat, 0), PTO_OK);
    } else {
      expect_error(ctx, pto_tmov(ctx, vec, mat, 0), PTO_ERROR_LAYOUT, "location-move", "src", "mat|vec|f32");
    }
  }
}

/* Exponents of groups: from six orders to the boxes and memories of their side, with A5 alone. */
static void loads_of_exponents(void) {
  static const struct {
    pto_layout layout;
    int32_t dim[5];
  } k_orders[] = {
      {PTO_LAYOUT_MX_A_ND, {1, 1, 32, 16, 2}}, {PTO_LAYOUT_MX_A_DN, {1, 1, 16, 32, 2}},
      {PTO_LAYOUT_MX_A_ZZ, {1, 2, 16, 16, 2}}, {PTO_LAYOUT_MX_B_ND, {1, 1, 16, 32, 2}},
      {PTO_LAYOUT_MX_B_DN, {1, 1, 32, 16, 2}}, {PTO_LAYOUT_MX_B_NN, {1, 2, 16, 16, 2}},
  };
  static const pto_location k_places[] = {PTO_LOCATION_MAT, PTO_LOCATION_SCALE_LEFT, PTO_LOCATION_SCALE_RIGHT,
                                          PTO_LOCATION_LEFT};
  for (int n = 0; n < 6; ++n) {
    const int right = n >= 3;
    pto_tensor_desc from = matrix(1, 1);
    from.dtype = PTO_DTYPE_E8M0;
    from.layout = k_orders[n].layout;
    from.rank = 5;
    from.strided = 0;
    from.dim0 = k_orders[n].dim[0], from.dim1 = k_orders[n].dim[1], from.dim2 = k_orders[n].dim[2];
    from.dim3 = k_orders[n].dim[3], from.dim4 = k_orders[n].dim[4];
    pto_tensor *tensor = pto_tensor_create(CPU, &from);
    assert_non_null(tensor);
    for (int boxes = 0; boxes < 2; ++boxes) {
      for (int place = 0; place < 4; ++place) {
        pto_tile_desc to = {.struct_size = sizeof to, .dtype = PTO_DTYPE_E8M0, .fractal = 32};
        to.rows = to.valid_rows = to.cols = to.valid_cols = 32;
        to.blayout = boxes ? PTO_BLAYOUT_COL_MAJOR : PTO_BLAYOUT_ROW_MAJOR;
        to.slayout = boxes ? PTO_SLAYOUT_COL_MAJOR : PTO_SLAYOUT_ROW_MAJOR;
        to.location = k_places[place];
        pto_tile *tile = pto_tile_create_from(CPU, &to);
        assert_non_null(keep(tile));
        const int own = right ? 2 : 1;
        const int there = place == 0 || place == own;
        accept_transfer(CPU, 1, tile, tensor);
        if (boxes == right && there) {
          accept_transfer(A5, 1, tile, tensor);
        } else {
          refuse_transfer(A5, 1, tile, tensor, PTO_ERROR_LAYOUT, there ? "transfer-layout" : "location-load", "dst",
                          there ? "MX_" : "vec or mat");
        }
        if (place == 0) {
          refuse_transfer(A5, 0, tile, tensor, PTO_ERROR_LAYOUT, "location-load", "src", "vec or acc");
        }
      }
    }
    pto_tensor_release(tensor);
  }
}

static void test_rule_transfer_layout(void **state) {
  (void)state;
  loads_of_exponents();
  pto_tensor_desc desc = matrix(16, 16);
  for (int layout = 0; layout < k_layout_usual; ++layout) {
    for (int dn = 0; dn < 2; ++dn) {
      desc.layout = dn ? PTO_LAYOUT_DN : PTO_LAYOUT_ND;
      pto_tensor *tensor = pto_tensor_create(CPU, &desc);
      pto_tile *tile = tile_laid(layout, PTO_DTYPE_F32, 16, 16);
      for (int load = 0; load < 2; ++load) {
        accept_transfer(CPU, load, tile, tensor);
        for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
          if (layout == dn) {
            accept_transfer(g_ctx[p], load, tile, tensor);
          } else {
            refuse_transfer(g_ctx[p], load, tile, tensor, PTO_ERROR_LAYOUT, "transfer-layout", load ? "dst" : "src",
                            dn ? "DN" : "ND");
          }
        }
      }
      pto_tensor_release(tensor);
    }
  }
}

const struct CMUnitTest k_tensor_rules[] = {
    RULE_TEST(test_rule_view_range),     RULE_TEST(test_rule_view_box),        RULE_TEST(test_rule_reshape_dense),
    RULE_TEST(test_rule_reshape_boxes),  RULE_TEST(test_rule_reshape_bytes),   RULE_TEST(test_rule_tensor_rank),
    RULE_TEST(test_rule_tensor_dim),     RULE_TEST(test_rule_tensor_stride),   RULE_TEST(test_rule_tensor_size),
    RULE_TEST(test_rule_tensor_range),   RULE_TEST(test_rule_tensor_layout),   RULE_TEST(test_rule_location_load),
    RULE_TEST(test_rule_same_width),     RULE_TEST(test_rule_transfer_covers), RULE_TEST(test_rule_transfer_layout),
    RULE_TEST(test_rule_tensor_overlap), RULE_TEST(test_rule_acc_dtype),       RULE_TEST(test_rule_location_move),
};
const int k_tensor_rule_count = sizeof k_tensor_rules / sizeof *k_tensor_rules;
