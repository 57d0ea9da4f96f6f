/* Views of tiles: rectangles that share elements, other geometries over the same bytes. */
#include "tensor_help.h"

static void numbered(pto_context *ctx, pto_tile *tile) {
  const int32_t count = pto_tile_valid_rows(tile) * pto_tile_valid_cols(tile);
  int32_t *data = malloc((size_t)count * 4);
  for (int32_t i = 0; i < count; ++i) data[i] = i;
  assert_ok(ctx, pto_tile_write(ctx, tile, data, count * 4));
  free(data);
}

/* All six orders: a view shows, and writes, exactly its rectangle. */
static void a_view_is_a_rectangle_in_every_layout(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int b = 0; b < 2; ++b) {
    for (int s = 0; s < 3; ++s) {
      pto_tile_desc desc = tile_desc(PTO_DTYPE_I32, 64, 48);
      desc.blayout = (pto_blayout)b;
      desc.slayout = (pto_slayout)s;
      pto_tile *tile = make_tile(ctx, &desc);
      numbered(ctx, tile);
      pto_tile *view = pto_tile_view(ctx, tile, 16, 16, 32, 16);
      assert_non_null(view);
      int32_t seen[32 * 16];
      assert_ok(ctx, pto_tile_read(ctx, view, seen, sizeof seen));
      for (int r = 0; r < 32; ++r) {
        for (int c = 0; c < 16; ++c) assert_int_equal(seen[r * 16 + c], (r + 16) * 48 + c + 16);
      }
      /* An instruction on the view changes the rectangle and nothing else. */
      assert_ok(ctx, pto_tpartadd(ctx, view, view, view, 0));
      int32_t all[64 * 48];
      assert_ok(ctx, pto_tile_read(ctx, tile, all, sizeof all));
      for (int r = 0; r < 64; ++r) {
        for (int c = 0; c < 48; ++c) {
          const int inside = r >= 16 && r < 48 && c >= 16 && c < 32;
          assert_int_equal(all[r * 48 + c], (r * 48 + c) * (inside ? 2 : 1));
        }
      }
      pto_tile_release(view);
      pto_tile_release(tile);
    }
  }
  pto_context_release(ctx);
}

/* Two views side by side, and one view shifted against another, as operands of one call. */
static void views_of_one_tile_in_one_call(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_I32, 8, 32);
  numbered(ctx, tile);
  pto_tile *left = pto_tile_view(ctx, tile, 0, 0, 8, 16);
  pto_tile *right = pto_tile_view(ctx, tile, 0, 16, 8, 16);
  pto_tile *shifted = pto_tile_view(ctx, tile, 0, 1, 8, 16);
  assert_ok(ctx, pto_tpartadd(ctx, left, right, shifted, 0));
  int32_t all[8 * 32];
  assert_ok(ctx, pto_tile_read(ctx, tile, all, sizeof all));
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 32; ++c) {
      const int at = r * 32 + c;
      assert_int_equal(all[at], c < 16 ? (at + 16) + (at + 1) : at);
    }
  }
  pto_tile_release(left);
  pto_tile_release(right);
  pto_tile_release(shifted);
  pto_tile_release(tile);
  pto_context_release(ctx);
}

static void a_view_is_valid_where_the_tile_is(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
  assert_ok(ctx, pto_tile_set_valid(ctx, tile, 10, 4));
  pto_tile *part = pto_tile_view(ctx, tile, 8, 0, 8, 8);
  pto_tile *none = pto_tile_view(ctx, tile, 8, 8, 8, 8);
  assert_int_equal(pto_tile_valid_rows(part), 2);
  assert_int_equal(pto_tile_valid_cols(part), 4);
  assert_int_equal(pto_tile_valid_cols(none), 0);
  assert_int_equal(pto_tile_bytes(part), (7 * 16 + 8) * 4);
  assert_ok(ctx, pto_tile_set_valid(ctx, part, 8, 8));
  assert_int_equal(pto_tile_valid_rows(tile), 10);
  pto_tile_release(tile);
  pto_tile_release(none);
  memset(pto_tile_data(part), 1, (size_t)pto_tile_bytes(part));
  pto_tile_release(part);
  pto_context_release(ctx);
}

static void rule_view_range(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 8, 8);
  static const int32_t bad[][4] = {{-1, 0, 1, 1}, {0, -1, 1, 1}, {0, 0, 0, 1},         {0, 0, 1, 0},
                                   {1, 0, 8, 1},  {0, 1, 1, 8},  {INT32_MAX, 0, 1, 1}, {0, 2, 1, INT32_MAX}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    assert_null(pto_tile_view(ctx, tile, bad[i][0], bad[i][1], bad[i][2], bad[i][3]));
    assert_string_equal(pto_context_error_rule(ctx), "view-range");
  }
  assert_null(pto_tile_view(ctx, NULL, 0, 0, 1, 1));
  assert_rule(ctx, PTO_ERROR_NULL, "null", "tile");
  assert_null(pto_tile_view(NULL, tile, 0, 0, 1, 1));
  pto_tile_release(tile);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, 8, 8);
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile *manual = make_tile(ctx, &desc);
  assert_null(pto_tile_view(ctx, manual, 0, 0, 1, 1));
  assert_rule(ctx, PTO_ERROR_ADDRESS, "storage", "tile");
  pto_tile_release(manual);
  pto_context_release(ctx);
}

static void rule_view_box(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, 40, 20);
  desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
  pto_tile *tile = make_tile(ctx, &desc);
  numbered(ctx, tile);
  assert_null(pto_tile_view(ctx, tile, 8, 0, 16, 8));
  assert_rule(ctx, PTO_ERROR_LAYOUT, "view-box", "rows");
  assert_null(pto_tile_view(ctx, tile, 0, 0, 16, 12));
  assert_rule(ctx, PTO_ERROR_LAYOUT, "view-box", "cols");
  /* The last boxes are not full: a view may end where the tile does. */
  pto_tile *view = pto_tile_view(ctx, tile, 32, 16, 8, 4);
  assert_non_null(view);
  int32_t seen[32];
  assert_ok(ctx, pto_tile_read(ctx, view, seen, sizeof seen));
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 4; ++c) assert_int_equal(seen[r * 4 + c], (r + 32) * 20 + c + 16);
  }
  pto_tile_release(view);
  pto_tile_release(tile);
  pto_context_release(ctx);
}

static void a_reshape_shows_the_same_bytes(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_I32, 16, 1);
  desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  pto_tile *column = make_tile(ctx, &desc);
  numbered(ctx, column);
  desc = tile_desc(PTO_DTYPE_I32, 1, 16);
  desc.valid_cols = 10;
  pto_tile *row = pto_tile_reshape(ctx, column, &desc);
  assert_non_null(row);
  assert_ptr_equal(pto_tile_data(row), pto_tile_data(column));
  assert_int_equal(pto_tile_valid_cols(row), 10);
  desc = tile_desc(PTO_DTYPE_U8, 4, 16);
  pto_tile *bytes = pto_tile_reshape(ctx, row, &desc);
  assert_non_null(bytes);
  pto_tile_release(column);
  pto_tile_release(row);
  const int32_t *data = (const int32_t *)pto_tile_data(bytes);
  for (int32_t i = 0; i < 16; ++i) assert_int_equal(data[i], i);
  pto_tile_release(bytes);
  pto_context_release(ctx);
}

static void rules_of_reshape(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, 16, 17);
  assert_null(pto_tile_reshape(ctx, tile, &desc));
  assert_rule(ctx, PTO_ERROR_SHAPE, "reshape-bytes", "desc");
  desc = tile_desc(PTO_DTYPE_F32, 16, 16);
  desc.location = PTO_LOCATION_MAT;
  assert_null(pto_tile_reshape(ctx, tile, &desc));
  assert_rule(ctx, PTO_ERROR_LAYOUT, "reshape-boxes", "desc");
  desc = tile_desc(PTO_DTYPE_F32, 16, 8);
  desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
  assert_null(pto_tile_reshape(ctx, tile, &desc));
  assert_rule(ctx, PTO_ERROR_LAYOUT, "reshape-boxes", "desc");
  /* A window with gaps has no bytes in a row; one as wide as its tile, or of one row, has. */
  pto_tile *gaps = pto_tile_view(ctx, tile, 0, 0, 4, 8);
  pto_tile *column = pto_tile_view(ctx, tile, 0, 0, 4, 1);
  pto_tile *whole = pto_tile_view(ctx, tile, 4, 0, 4, 16);
  pto_tile *line = pto_tile_view(ctx, tile, 1, 2, 1, 9);
  desc = tile_desc(PTO_DTYPE_F32, 1, 1);
  assert_null(pto_tile_reshape(ctx, gaps, &desc));
  assert_rule(ctx, PTO_ERROR_LAYOUT, "reshape-dense", "tile");
  assert_null(pto_tile_reshape(ctx, column, &desc));
  assert_rule(ctx, PTO_ERROR_LAYOUT, "reshape-dense", "tile");
  desc = tile_desc(PTO_DTYPE_F32, 8, 8);
  pto_tile *square = pto_tile_reshape(ctx, whole, &desc);
  desc = tile_desc(PTO_DTYPE_F32, 3, 3);
  pto_tile *three = pto_tile_reshape(ctx, line, &desc);
  assert_non_null(square);
  assert_non_null(three);
  /* f64-wide elements at an odd multiple of four bytes. */
  desc = tile_desc(PTO_DTYPE_I64, 1, 1);
  pto_tile *odd = pto_tile_view(ctx, tile, 0, 1, 1, 4);
  assert_null(pto_tile_reshape(ctx, odd, &desc));
  assert_rule(ctx, PTO_ERROR_ADDRESS, "data-alignment", "tile");
  pto_tile *all[] = {tile, gaps, column, whole, line, square, three, odd};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) pto_tile_release(all[i]);
  pto_context_release(ctx);
}

static void a_view_of_on_chip_memory(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_A2A3);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_I32, 16, 16);
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile *tile = make_tile(ctx, &desc);
  assert_ok(ctx, pto_tassign(ctx, tile, 64));
  numbered(ctx, tile);
  pto_tile *view = pto_tile_view(ctx, tile, 2, 8, 4, 8);
  assert_non_null(view);
  pto_tile *other = make_tile(ctx, &desc);
  assert_ok(ctx, pto_tassign(ctx, other, 64));
  assert_ok(ctx, pto_tpartadd(ctx, view, view, view, 0));
  int32_t all[256];
  assert_ok(ctx, pto_tile_read(ctx, other, all, sizeof all));
  assert_int_equal(all[2 * 16 + 8], 2 * (2 * 16 + 8));
  assert_int_equal(all[2 * 16 + 7], 2 * 16 + 7);
  pto_context_release(ctx);
  pto_tile_release(tile);
  pto_tile_release(view);
  pto_tile_release(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_view_is_a_rectangle_in_every_layout),
      cmocka_unit_test(views_of_one_tile_in_one_call),
      cmocka_unit_test(a_view_is_valid_where_the_tile_is),
      cmocka_unit_test(rule_view_range),
      cmocka_unit_test(rule_view_box),
      cmocka_unit_test(a_reshape_shows_the_same_bytes),
      cmocka_unit_test(rules_of_reshape),
      cmocka_unit_test(a_view_of_on_chip_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
