/* The rules of TLOAD, TSTORE and TMOV, each broken on purpose, and the ways between memories. */
#include "transfer_help.h"

enum { kLayouts = 7 };

/* The layouts a tile can have: ND, DN, Nz, Zn, Zz, Nn and Nz of 1024 bytes. */
static pto_tile_desc layout_desc(int which, pto_dtype dtype, int32_t rows, int32_t cols) {
  static const int blayout[kLayouts] = {0, 1, 1, 0, 0, 1, 1};
  static const int slayout[kLayouts] = {0, 0, 1, 2, 1, 2, 1};
  pto_tile_desc desc = tile_desc(dtype, rows, cols);
  desc.blayout = (pto_blayout)blayout[which];
  desc.slayout = (pto_slayout)slayout[which];
  desc.fractal = which == 6 ? 1024 : 512;
  return desc;
}

static void rule_of_both(pto_context *ctx, pto_tile *tile, pto_tensor *tensor, pto_status status, const char *rule,
                         const char *load_operand, const char *store_operand) {
  assert_int_equal(pto_tload(ctx, tile, tensor, 0), status);
  assert_rule(ctx, status, rule, load_operand);
  assert_int_equal(pto_tstore(ctx, tensor, tile, 0), status);
  assert_rule(ctx, status, rule, store_operand);
}

static void rules_null_flags_storage(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const pto_tensor_desc source = matrix_desc(PTO_DTYPE_F32, 4, 8);
  pto_tensor *tensor = make_tensor(ctx, &source);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, 4, 8);
  pto_tile *tile = make_tile(ctx, &desc);
  rule_of_both(ctx, NULL, tensor, PTO_ERROR_NULL, "null", "dst", "src");
  rule_of_both(ctx, tile, NULL, PTO_ERROR_NULL, "null", "src", "dst");
  assert_int_equal(pto_tload(NULL, tile, tensor, 0), PTO_ERROR_NULL);
  assert_int_equal(pto_tload(ctx, tile, tensor, 1), PTO_ERROR_ARGUMENT);
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "flags", "flags");
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile *manual = make_tile(ctx, &desc);
  rule_of_both(ctx, manual, tensor, PTO_ERROR_ADDRESS, "storage", "dst", "src");
  pto_tile_release(manual);
  pto_tile_release(tile);
  pto_tensor_release(tensor);
  pto_context_release(ctx);
}

static void rule_same_width(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const pto_tensor_desc source = matrix_desc(PTO_DTYPE_U32, 4, 8);
  pto_tensor *tensor = make_tensor(ctx, &source);
  pto_tile *narrow = pto_tile_create(ctx, PTO_DTYPE_F16, 4, 8);
  pto_tile *same = pto_tile_create(ctx, PTO_DTYPE_F32, 4, 8);
  rule_of_both(ctx, narrow, tensor, PTO_ERROR_DTYPE, "same-width", "src", "dst");
  assert_ok(ctx, pto_tload(ctx, same, tensor, 0));
  pto_tile_release(narrow);
  pto_tile_release(same);
  pto_tensor_release(tensor);
  pto_context_release(ctx);
}

/* Dimension by dimension: the same number of elements in another shape does not fill a tile. */
static void rule_transfer_covers(void **state) {
  (void)state;
  static const int64_t short_of[][2] = {{5, 4},  {6, 3},  {2, 12}, {12, 2}, {1, 24},
                                        {24, 1}, {5, 99}, {99, 3}, {0, 4},  {6, 0}};
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) {
    pto_context *ctx = context((pto_profile)p);
    pto_tile_desc tdesc = tile_desc(PTO_DTYPE_F32, 6, 8);
    tdesc.valid_cols = 4;
    pto_tile *tile = make_tile(ctx, &tdesc);
    fill(pto_tile_data(tile), 6 * 8 * 4, 3);
    uint8_t before[6 * 8 * 4];
    memcpy(before, pto_tile_data(tile), sizeof before);
    for (size_t i = 0; i < sizeof short_of / sizeof short_of[0]; ++i) {
      const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, short_of[i][0], short_of[i][1]);
      pto_tensor *tensor = make_tensor(ctx, &desc);
      rule_of_both(ctx, tile, tensor, PTO_ERROR_SHAPE, "transfer-covers", "src", "dst");
      assert_memory_equal(before, pto_tile_data(tile), sizeof before);
      for (int64_t k = 0; k < pto_tensor_bytes(tensor); ++k) {
        assert_int_equal(((const uint8_t *)pto_tensor_data(tensor))[k], 0);
      }
      pto_tensor_release(tensor);
    }
    const pto_tensor_desc first = matrix_desc(PTO_DTYPE_F32, 2, 12);
    pto_tensor *tensor = make_tensor(ctx, &first);
    assert_int_equal(pto_tstore(ctx, tensor, tile, 0), PTO_ERROR_SHAPE);
    assert_string_equal(pto_context_error_message(ctx),
                        "tstore: dst has 2x12 elements where src is valid in 6x4 (rows x columns)");
    pto_tensor_release(tensor);
    /* The remedy: the same memory in that shape. Then windows of larger ones, in every profile. */
    for (int64_t more = 0; more < 4; ++more) {
      const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 6 + more % 2, 4 + more / 2);
      tensor = make_tensor(ctx, &desc);
      assert_ok(ctx, pto_tstore(ctx, tensor, tile, 0));
      const int64_t cols = 4 + more / 2;
      for (int64_t r = 0; r < 6 + more % 2; ++r) {
        for (int64_t c = 0; c < cols; ++c) {
          uint32_t at = 0;
          uint32_t want = 0;
          memcpy(&at, (const uint8_t *)pto_tensor_data(tensor) + (r * cols + c) * 4, sizeof at);
          if (r < 6 && c < 4) memcpy(&want, before + (r * 8 + c) * 4, sizeof want);
          assert_int_equal(at, want);
        }
      }
      pto_tile *back = make_tile(ctx, &tdesc);
      assert_ok(ctx, pto_tload(ctx, back, tensor, 0));
      for (int64_t r = 0; r < 6; ++r) {
        assert_memory_equal((const uint8_t *)pto_tile_data(back) + r * 32, before + r * 32, 16);
      }
      pto_tile_release(back);
      pto_tensor_release(tensor);
    }
    pto_tile_release(tile);
    pto_context_release(ctx);
  }
}

/* Five dimensions in row order. */
static pto_tensor *dense(pto_context *ctx, pto_dtype dtype, int layout, const int64_t dim[5]) {
  pto_tensor_desc desc = five_desc(dtype, (pto_layout)layout, dim, (int64_t[5]){0});
  desc.strided = 0;
  return make_tensor(ctx, &desc);
}

/* What A2A3 and A5 move to and from boxes in global memory. */
static void rule_transfer_layout_of_boxes(void **state) {
  (void)state;
  for (int p = 0; p < 2; ++p) {
    pto_context *ctx = context(p == 0 ? PTO_PROFILE_A2A3 : PTO_PROFILE_A5);
    static const struct {
      pto_dtype dtype;
      int64_t rows, cols; /* of a box */
      int good;
    } boxes[] = {{PTO_DTYPE_F32, 16, 8, 1}, {PTO_DTYPE_F16, 16, 16, 1}, {PTO_DTYPE_U8, 16, 32, 1},
                 {PTO_DTYPE_F32, 8, 8, 0},  {PTO_DTYPE_F32, 16, 16, 0}, {PTO_DTYPE_F16, 16, 8, 0},
                 {PTO_DTYPE_I64, 16, 4, 0}};
    for (size_t b = 0; b < sizeof boxes / sizeof boxes[0]; ++b) {
      const int64_t dim[5] = {1, 64 / boxes[b].cols, 64 / boxes[b].rows, boxes[b].rows, boxes[b].cols};
      pto_tensor *nz = dense(ctx, boxes[b].dtype, PTO_LAYOUT_NZ, dim);
      for (int which = 0; which < kLayouts; ++which) {
        for (int in_mat = 0; in_mat < 2; ++in_mat) {
          pto_tile_desc desc = layout_desc(which, boxes[b].dtype, 64, 64);
          desc.location = in_mat ? PTO_LOCATION_MAT : PTO_LOCATION_VEC;
          pto_tile *tile = make_tile(ctx, &desc);
          const pto_status expected = which == 2 && boxes[b].good ? PTO_OK : PTO_ERROR_LAYOUT;
          assert_int_equal(pto_tload(ctx, tile, nz, 0), expected);
          if (expected != PTO_OK) assert_rule(ctx, expected, "transfer-layout", "dst");
          if (in_mat == 0 || p == 0) assert_int_equal(pto_tstore(ctx, nz, tile, 0), expected);
          pto_tile_release(tile);
        }
      }
      pto_tensor_release(nz);
    }
    /* The orders of images are for accumulators, some with each profile; a vector tile has none of them. */
    static const uint32_t acc[2] = {
        1u << PTO_LAYOUT_ND | 1u << PTO_LAYOUT_NZ | 1u << PTO_LAYOUT_NC1HWC0 | 1u << PTO_LAYOUT_NDC1HWC0,
        1u << PTO_LAYOUT_ND | 1u << PTO_LAYOUT_NZ | 1u << PTO_LAYOUT_NHWC | 1u << PTO_LAYOUT_NCHW |
            1u << PTO_LAYOUT_NCDHW};
    for (int layout = 0; layout < kTensorLayouts; ++layout) {
      if (k_orders[layout] == NULL) continue;
      pto_tensor *tensor = dense(ctx, PTO_DTYPE_F32, layout, (int64_t[]){16, 16, 16, 16, 16});
      pto_tile_desc desc = layout_desc(6, PTO_DTYPE_F32, 16, 16);
      desc.location = PTO_LOCATION_ACC;
      pto_tile *tile = make_tile(ctx, &desc);
      assert_int_equal(pto_tstore(ctx, tensor, tile, 0), acc[p] >> layout & 1 ? PTO_OK : PTO_ERROR_LAYOUT);
      pto_tile_release(tile);
      for (int which = 0; which < kLayouts && layout > PTO_LAYOUT_NZ; ++which) {
        desc = layout_desc(which, PTO_DTYPE_F32, 16, 16);
        tile = make_tile(ctx, &desc);
        assert_int_equal(pto_tload(ctx, tile, tensor, 0), PTO_ERROR_LAYOUT);
        assert_rule(ctx, PTO_ERROR_LAYOUT, "transfer-layout", "dst");
        assert_int_equal(pto_tstore(ctx, tensor, tile, 0), PTO_ERROR_LAYOUT);
        pto_tile_release(tile);
      }
      pto_tensor_release(tensor);
    }
    pto_context_release(ctx);
  }
}

static void rule_transfer_layout(void **state) {
  (void)state;
  static const pto_profile profiles[] = {PTO_PROFILE_A2A3, PTO_PROFILE_A5};
  for (int p = 0; p < 2; ++p) {
    pto_context *ctx = context(profiles[p]);
    pto_tensor_desc source = matrix_desc(PTO_DTYPE_F32, 16, 16);
    pto_tensor *nd = make_tensor(ctx, &source);
    source.layout = PTO_LAYOUT_DN;
    pto_tensor *dn = make_tensor(ctx, &source);
    pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, 16, 16);
    pto_tile *row_major = make_tile(ctx, &desc);
    desc.blayout = PTO_BLAYOUT_COL_MAJOR;
    pto_tile *col_major = make_tile(ctx, &desc);
    desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
    pto_tile *boxed = make_tile(ctx, &desc);
    assert_ok(ctx, pto_tload(ctx, row_major, nd, 0));
    assert_ok(ctx, pto_tload(ctx, col_major, dn, 0));
    /* mat: ND, DN, Nz, Zn, Zz, Nn, Nz of 1024 bytes from ND and from DN; only the first two go back, with A2A3. */
    static const char loads[kLayouts][2] = {{1, 0}, {0, 1}, {1, 2}, {0, 1}, {0, 0}, {0, 0}, {0, 0}};
    for (int which = 0; which < kLayouts; ++which) {
      desc = layout_desc(which, PTO_DTYPE_F32, 16, 16);
      desc.location = PTO_LOCATION_MAT;
      pto_tile *mat = make_tile(ctx, &desc);
      for (int turned = 0; turned < 2; ++turned) {
        const int may = loads[which][turned] == 1 || (loads[which][turned] == 2 && p == 1);
        assert_int_equal(pto_tload(ctx, mat, turned ? dn : nd, 0), may ? PTO_OK : PTO_ERROR_LAYOUT);
        if (!may) assert_rule(ctx, PTO_ERROR_LAYOUT, "transfer-layout", "dst");
        assert_int_equal(pto_tstore(ctx, turned ? dn : nd, mat, 0),
                         p == 0 && which == turned ? PTO_OK : PTO_ERROR_LAYOUT);
      }
      pto_tile_release(mat);
      /* acc is stored in the order ND, whatever its own. */
      desc.location = PTO_LOCATION_ACC;
      pto_tile *acc = make_tile(ctx, &desc);
      assert_ok(ctx, pto_tstore(ctx, nd, acc, 0));
      assert_int_equal(pto_tstore(ctx, dn, acc, 0), PTO_ERROR_LAYOUT);
      assert_rule(ctx, PTO_ERROR_LAYOUT, "transfer-layout", "src");
      pto_tile_release(acc);
    }
    rule_of_both(ctx, row_major, dn, PTO_ERROR_LAYOUT, "transfer-layout", "dst", "src");
    rule_of_both(ctx, col_major, nd, PTO_ERROR_LAYOUT, "transfer-layout", "dst", "src");
    rule_of_both(ctx, boxed, nd, PTO_ERROR_LAYOUT, "transfer-layout", "dst", "src");
    source = matrix_desc(PTO_DTYPE_F32, 1, 16);
    source.layout = PTO_LAYOUT_DN;
    pto_tensor *line = make_tensor(ctx, &source);
    pto_tile *one = pto_tile_create(ctx, PTO_DTYPE_F32, 1, 16);
    assert_ok(ctx, pto_tload(ctx, one, line, 0));
    pto_tile_release(one);
    pto_tensor_release(line);
    pto_tile_release(row_major);
    pto_tile_release(col_major);
    pto_tile_release(boxed);
    pto_tensor_release(nd);
    pto_tensor_release(dn);
    pto_context_release(ctx);
  }
}

/* Which locations are loaded and stored, under CPU, A2A3 and A5. */
static void rule_location_load(void **state) {
  (void)state;
  enum { kLoads = 1, kStores = 2 };
  static const uint8_t may[3][6] = {{3, 3, 3, 3, 3, 3}, {3, 3, 0, 0, kStores, 0}, {3, kLoads, 0, 0, kStores, 0}};
  const pto_tensor_desc source = matrix_desc(PTO_DTYPE_F32, 1, 16);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, 1, 16);
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) {
    pto_context *ctx = context((pto_profile)p);
    pto_tensor *tensor = make_tensor(ctx, &source);
    for (int location = PTO_LOCATION_VEC; location <= PTO_LOCATION_BIAS; ++location) {
      desc.location = (pto_location)location;
      pto_tile *tile = make_tile(ctx, &desc);
      const int loads = (may[p][location] & kLoads) != 0;
      const int stores = (may[p][location] & kStores) != 0;
      assert_int_equal(pto_tload(ctx, tile, tensor, 0), loads ? PTO_OK : PTO_ERROR_LAYOUT);
      if (!loads) assert_rule(ctx, PTO_ERROR_LAYOUT, "location-load", "dst");
      assert_int_equal(pto_tstore(ctx, tensor, tile, 0), stores ? PTO_OK : PTO_ERROR_LAYOUT);
      if (!stores) assert_rule(ctx, PTO_ERROR_LAYOUT, "location-load", "src");
      pto_tile_release(tile);
    }
    pto_tensor_release(tensor);
    pto_context_release(ctx);
  }
}

static void rule_acc_dtype(void **state) {
  (void)state;
  static const pto_dtype types[] = {PTO_DTYPE_I32, PTO_DTYPE_F32, PTO_DTYPE_U32};
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) {
    pto_context *ctx = context((pto_profile)p);
    for (int from = 0; from < 3; ++from) {
      for (int to = 0; to < 3; ++to) {
        const pto_tensor_desc source = matrix_desc(types[to], 16, 16);
        pto_tensor *tensor = make_tensor(ctx, &source);
        pto_tile_desc desc = layout_desc(6, types[from], 16, 16);
        desc.location = PTO_LOCATION_ACC;
        pto_tile *acc = make_tile(ctx, &desc);
        const int may = p == PTO_PROFILE_CPU || (from == to && from < 2);
        assert_int_equal(pto_tstore(ctx, tensor, acc, 0), may ? PTO_OK : PTO_ERROR_DTYPE);
        if (!may) assert_rule(ctx, PTO_ERROR_DTYPE, "acc-dtype", "src");
        pto_tile_release(acc);
        pto_tensor_release(tensor);
      }
    }
    pto_context_release(ctx);
  }
}

/* Every pair of memories under CPU; the ways that hardware has under A2A3 and A5. */
static void tmov_goes_between_memories(void **state) {
  (void)state;
  static const pto_dtype types[] = {PTO_DTYPE_I8, PTO_DTYPE_I32, PTO_DTYPE_U32, PTO_DTYPE_F16, PTO_DTYPE_F32};
  enum { kVec, kMat, kLeft, kRight, kAcc, kBias, kLocations };
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) {
    pto_context *ctx = context((pto_profile)p);
    for (int from = 0; from < kLocations; ++from) {
      for (int to = 0; to < kLocations; ++to) {
        for (int t = 0; t < 5; ++t) {
          uint8_t in[32 * 32 * 4];
          uint8_t out[32 * 32 * 4];
          const int64_t bytes = 32 * pto_dtype_bytes(types[t]);
          const int sum = t == 1 || t == 4;              /* i32 f32 */
          const int factor = t == 0 || t == 3 || t == 4; /* i8 f16 f32 */
          const int a5 = p == PTO_PROFILE_A5;
          const int way = (from == kVec && to == kVec) || (from == kMat && (to == kLeft || to == kRight) && factor) ||
                          (from == kMat && to == kBias && sum) || (a5 && from == kVec && to == kMat && t != 2) ||
                          (a5 && from == kAcc && (to == kVec || to == kMat) && sum);
          pto_tile_desc desc = tile_desc(types[t], 1, 32);
          desc.location = (pto_location)from;
          pto_tile *src = make_tile(ctx, &desc);
          desc.location = (pto_location)to;
          pto_tile *dst = make_tile(ctx, &desc);
          fill(in, (size_t)bytes, (uint32_t)(from * 64 + to * 8 + t + 1));
          assert_ok(ctx, pto_tile_write(ctx, src, in, bytes));
          if (p == PTO_PROFILE_CPU || way) {
            assert_ok(ctx, pto_tmov(ctx, dst, src, 0));
            assert_ok(ctx, pto_tile_read(ctx, dst, out, bytes));
            assert_memory_equal(in, out, (size_t)bytes);
          } else {
            assert_int_equal(pto_tmov(ctx, dst, src, 0), PTO_ERROR_LAYOUT);
            assert_rule(ctx, PTO_ERROR_LAYOUT, "location-move", "src");
          }
          pto_tile_release(src);
          pto_tile_release(dst);
        }
      }
    }
    pto_context_release(ctx);
  }
}

/* From ND memory through mat to left in its own fractal, and from acc back: only the order in memory changes. */
static void elements_go_through_the_memories(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_A5);
  float in[32 * 32];
  float out[32 * 32];
  const pto_tensor_desc matrix = matrix_desc(PTO_DTYPE_F32, 32, 32);
  fill(in, sizeof in, 8);
  pto_tensor *global = pto_tensor_wrap(ctx, &matrix, in, sizeof in);
  pto_tensor *back = pto_tensor_wrap(ctx, &matrix, out, sizeof out);
  pto_tile_desc desc = layout_desc(2, PTO_DTYPE_F32, 32, 32);
  desc.location = PTO_LOCATION_MAT;
  pto_tile *mat = make_tile(ctx, &desc);
  desc = layout_desc(3, PTO_DTYPE_F32, 32, 32);
  desc.location = PTO_LOCATION_RIGHT;
  pto_tile *right = make_tile(ctx, &desc);
  desc = layout_desc(6, PTO_DTYPE_F32, 32, 32);
  desc.location = PTO_LOCATION_ACC;
  pto_tile *acc = make_tile(ctx, &desc);
  desc = tile_desc(PTO_DTYPE_F32, 32, 32);
  pto_tile *vec = make_tile(ctx, &desc);
  assert_ok(ctx, pto_tload(ctx, mat, global, 0));
  assert_ok(ctx, pto_tmov(ctx, right, mat, 0));
  assert_ok(ctx, pto_tile_read(ctx, right, out, sizeof out));
  assert_memory_equal(in, out, sizeof in);
  assert_memory_not_equal(pto_tile_data(right), in, sizeof in);
  assert_ok(ctx, pto_tile_write(ctx, acc, in, sizeof in));
  assert_ok(ctx, pto_tmov(ctx, vec, acc, 0));
  memset(out, 0, sizeof out);
  assert_ok(ctx, pto_tstore(ctx, back, vec, 0));
  assert_memory_equal(in, out, sizeof in);
  memset(out, 0, sizeof out);
  assert_ok(ctx, pto_tstore(ctx, back, acc, 0));
  assert_memory_equal(in, out, sizeof in);
  pto_tile_release(mat);
  pto_tile_release(right);
  pto_tile_release(acc);
  pto_tile_release(vec);
  pto_tensor_release(global);
  pto_tensor_release(back);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_null_flags_storage),
      cmocka_unit_test(rule_same_width),
      cmocka_unit_test(rule_transfer_covers),
      cmocka_unit_test(rule_transfer_layout),
      cmocka_unit_test(rule_transfer_layout_of_boxes),
      cmocka_unit_test(rule_location_load),
      cmocka_unit_test(rule_acc_dtype),
      cmocka_unit_test(tmov_goes_between_memories),
      cmocka_unit_test(elements_go_through_the_memories),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
