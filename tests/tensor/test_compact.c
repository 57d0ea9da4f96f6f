/* Compact tiles and custom pad values: where elements lie, which of them are padded, what an earlier descriptor means.
 */
#include "profiles.h"
#include "tensor_help.h"

enum { kRows = 48, kCols = 40, kBytes = 1 << 15 };

static uint8_t g_memory[kBytes + 64], g_want[kBytes + 64];

static const pto_dtype k_types[] = {PTO_DTYPE_I8, PTO_DTYPE_F16, PTO_DTYPE_F32, PTO_DTYPE_U64};

/* The bytes of an element that names its place, never the bytes of unused memory. */
static void put(uint8_t *at, size_t size, uint32_t number) {
  for (size_t i = 0; i < size; ++i) at[i] = (uint8_t)(1 + (number * 7 + i * 31) % 200);
}

static pto_tile_desc boxed(pto_dtype dtype, pto_slayout slayout, pto_compact compact) {
  pto_tile_desc desc = tile_desc(dtype, kRows, kCols);
  desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  desc.slayout = slayout;
  desc.compact = compact;
  return desc;
}

/* By the tile model: columns of boxes one after another, with the rows of the packing. */
static size_t place(const pto_tile_desc *desc, int32_t valid_rows, int32_t r, int32_t c) {
  const int32_t line = 32 / pto_dtype_bytes(desc->dtype);
  const int nz = desc->slayout == PTO_SLAYOUT_ROW_MAJOR;
  const int32_t box_rows = nz ? 16 : line, box_cols = nz ? line : 16;
  int32_t rows = nz ? desc->rows : (desc->rows + box_rows - 1) / box_rows * box_rows;
  if (desc->compact == PTO_COMPACT_ROW_PLUS_ONE) rows += 1;
  if (desc->compact == PTO_COMPACT_NORMAL) {
    const int32_t unit = box_rows < 16 ? 16 : box_rows;
    int32_t some = unit;
    while (some < valid_rows) some += unit;
    if (some < rows) rows = some;
  }
  const int32_t inside = nz ? r % 16 * line + c % line : c % 16 * line + r % line;
  const int32_t element = c / box_cols * rows * box_cols + r / box_rows * box_rows * box_cols + inside;
  return (size_t)element * (size_t)pto_dtype_bytes(desc->dtype);
}

static void elements_lie_as_the_packing_says(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int t = 0; t < 4; ++t) {
    const size_t size = (size_t)pto_dtype_bytes(k_types[t]);
    for (int n = 0; n < 2 * 4; ++n) {
      const pto_tile_desc desc =
          boxed(k_types[t], n % 2 ? PTO_SLAYOUT_COL_MAJOR : PTO_SLAYOUT_ROW_MAJOR, (pto_compact)(n / 2));
      pto_tile *tile = pto_tile_wrap(ctx, &desc, g_memory, kBytes);
      assert_non_null(tile);
      assert_int_equal(pto_tile_compact(tile), desc.compact);
      pto_tile_desc plain = tile_desc(k_types[t], kRows, kCols);
      pto_tile *nd = make_tile(ctx, &plain);
      for (int32_t valid = 0; valid <= kRows; ++valid) {
        assert_int_equal(pto_tile_set_valid(ctx, tile, valid, kCols - 3), PTO_OK);
        assert_int_equal(pto_tile_set_valid(ctx, nd, valid, kCols - 3), PTO_OK);
        memset(g_memory, 0xee, sizeof g_memory);
        memset(g_want, 0xee, sizeof g_want);
        for (int32_t r = 0; r < valid; ++r) {
          for (int32_t c = 0; c < kCols - 3; ++c) {
            const uint32_t number = (uint32_t)(r * kCols + c);
            put((uint8_t *)pto_tile_data(nd) + number * size, size, number);
            put(g_want + place(&desc, valid, r, c), size, number);
          }
        }
        assert_int_equal(pto_tmov(ctx, tile, nd, 0), PTO_OK);
        assert_memory_equal(g_memory, g_want, sizeof g_memory);
        /* And back. */
        static uint8_t packed[kRows * kCols * 8], back[kRows * kCols * 8];
        const int64_t bytes = pto_tile_valid_bytes(nd);
        assert_int_equal(pto_tile_read(ctx, nd, packed, bytes), PTO_OK);
        assert_int_equal(pto_tile_read(ctx, tile, back, bytes), PTO_OK);
        assert_memory_equal(packed, back, (size_t)bytes);
      }
      pto_tile_release(nd);
      pto_tile_release(tile);
    }
  }
  pto_context_release(ctx);
}

/* TFILLPAD in its three forms and TLOAD write the low bytes of the bits, and zeros above, wherever the source is not.
 */
static void custom_pads_are_written(void **state) {
  (void)state;
  const uint32_t bits = 0x89abcdefU;
  for (int p = 0; p < k_profiles; ++p) {
    pto_context *ctx = context((pto_profile)p);
    for (int t = 0; t < (p == 0 ? 4 : 3); ++t) {
      const size_t size = (size_t)pto_dtype_bytes(k_types[t]);
      for (int how = 0; how < 4; ++how) {
        pto_tile_desc desc = tile_desc(k_types[t], 6, 32);
        desc.valid_rows = 4;
        desc.valid_cols = 7;
        pto_tile *src = make_tile(ctx, &desc);
        memset(pto_tile_data(src), 0x11, (size_t)pto_tile_bytes(src));
        desc.pad = PTO_PAD_CUSTOM;
        desc.pad_bits = bits;
        if (how != 3) desc.valid_rows = desc.valid_cols = PTO_VALID_ALL;
        if (how == 2) desc.rows = 9;
        pto_tile *dst = make_tile(ctx, &desc);
        assert_int_equal(pto_tile_pad(dst), PTO_PAD_CUSTOM);
        assert_int_equal(pto_tile_pad_bits(dst), bits);
        pto_tensor_desc matrix = matrix_desc(k_types[t], 4, 7);
        pto_tensor *tensor = pto_tensor_create(ctx, &matrix);
        memset(pto_tensor_data(tensor), 0x11, 28 * size);
        const pto_status status = how == 0   ? pto_tfillpad(ctx, dst, src, 0)
                                  : how == 1 ? pto_tfillpad_inplace(ctx, dst, src, 0)
                                  : how == 2 ? pto_tfillpad_expand(ctx, dst, src, 0)
                                             : pto_tload(ctx, dst, tensor, 0);
        if (status != PTO_OK) fail_msg("%s", pto_context_error_message(ctx));
        for (int32_t r = 0; r < desc.rows; ++r) {
          for (int32_t c = 0; c < 32; ++c) {
            uint64_t want = r < 4 && c < 7 ? UINT64_C(0x1111111111111111) : bits, got = 0;
            memcpy(&got, (uint8_t *)pto_tile_data(dst) + (size_t)(r * 32 + c) * size, size);
            assert_int_equal(got, size == 8 ? want : want & ((UINT64_C(1) << 8 * size) - 1));
          }
        }
        pto_tensor_release(tensor);
        pto_tile_release(dst);
        pto_tile_release(src);
      }
    }
    pto_context_release(ctx);
  }
}

/* The descriptor of 48 bytes has neither field; other pad values have no bits. */
static void earlier_descriptors_are_taken(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile_desc desc = boxed(PTO_DTYPE_F32, PTO_SLAYOUT_ROW_MAJOR, PTO_COMPACT_NORMAL);
  desc.struct_size = 48;
  desc.pad = PTO_PAD_CUSTOM;
  desc.pad_bits = 7;
  pto_tile *tile = make_tile(ctx, &desc);
  assert_int_equal(pto_tile_compact(tile), PTO_COMPACT_NULL);
  assert_int_equal(pto_tile_pad_bits(tile), 0);
  pto_tile_release(tile);
  desc.struct_size = sizeof desc;
  desc.pad = PTO_PAD_MAX;
  tile = make_tile(ctx, &desc);
  assert_int_equal(pto_tile_compact(tile), PTO_COMPACT_NORMAL);
  assert_int_equal(pto_tile_pad_bits(tile), 0);
  pto_tile_release(tile);
  assert_int_equal(pto_tile_pad_bits(NULL), 0);
  assert_int_equal(pto_tile_compact(NULL), PTO_COMPACT_NULL);
  pto_context_release(ctx);
}

/* The rows up to a multiple of 16 that a tile has. */
static int32_t rows_of_16(int32_t valid_rows, int32_t rows) {
  int32_t some = valid_rows;
  while (some % 16 != 0 && some < rows) ++some;
  return some;
}

enum { kFill, kFillInplace, kFillExpand, kLoad, kPadders };
static pto_status pad_by(int how, pto_context *ctx, pto_tile *dst, pto_tile *src, pto_tensor *tensor) {
  if (how == kFill) return pto_tfillpad(ctx, dst, src, 0);
  if (how == kFillInplace) return pto_tfillpad_inplace(ctx, dst, src, 0);
  return how == kFillExpand ? pto_tfillpad_expand(ctx, dst, src, 0) : pto_tload(ctx, dst, tensor, 0);
}

/* One tile of `rows` rows, some of them valid: ND and Nz of ROW_ALIGNED_PADDING, Nz of NORMAL and of ROW_PLUS_ONE. */
static void pads(pto_context *ctx, pto_dtype dtype, pto_location location, int32_t rows, int32_t valid_rows,
                 int32_t valid_cols, int form, int how) {
  const size_t size = (size_t)pto_dtype_bytes(dtype);
  pto_tile_desc desc = tile_desc(dtype, how == kFillExpand ? valid_rows : rows, kCols);
  desc.location = location;
  desc.valid_rows = valid_rows;
  desc.valid_cols = valid_cols;
  pto_tile *src = make_tile(ctx, &desc);
  memset(pto_tile_data(src), 0x22, (size_t)pto_tile_bytes(src));
  pto_tensor_desc matrix = matrix_desc(dtype, valid_rows, valid_cols);
  pto_tensor *tensor = make_tensor(ctx, &matrix);
  memset(pto_tensor_data(tensor), 0x22, (size_t)pto_tensor_bytes(tensor));
  pto_tile_desc to =
      form == 0 ? tile_desc(dtype, rows, kCols) : boxed(dtype, PTO_SLAYOUT_ROW_MAJOR, (pto_compact)(form - 1));
  if (form < 2) to.compact = PTO_COMPACT_ROW_ALIGNED_PADDING;
  to.location = location;
  to.rows = rows;
  to.valid_rows = valid_rows;
  to.valid_cols = valid_cols;
  to.pad = PTO_PAD_CUSTOM;
  to.pad_bits = 0x33333333U;
  const int some = (form < 2 && how != kLoad) || to.compact == PTO_COMPACT_NORMAL;
  const int32_t padded = some ? rows_of_16(valid_rows, rows) : rows;
  const pto_tile_desc given = asked(&to);
  pto_tile *dst = pto_tile_wrap(ctx, &given, g_memory, kBytes);
  memset(g_memory, 0xee, sizeof g_memory);
  memset(g_want, 0xee, sizeof g_want);
  for (int32_t r = 0; r < padded; ++r) {
    for (int32_t c = 0; c < kCols; ++c) {
      const size_t at = form == 0 ? (size_t)(r * kCols + c) * size : place(&to, valid_rows, r, c);
      memset(g_want + at, r < valid_rows && c < valid_cols ? 0x22 : 0x33, size);
    }
  }
  assert_ok(ctx, pad_by(how, ctx, dst, src, tensor));
  if (memcmp(g_memory, g_want, sizeof g_memory) != 0) {
    fail_msg("%s, %d of %d rows, %d columns, location %d, form %d, padded by %d", pto_dtype_name(dtype), valid_rows,
             rows, valid_cols, (int)location, form, how);
  }
  pto_tile_release(dst);
  pto_tensor_release(tensor);
  pto_tile_release(src);
}

/* What is padded of a tile: of a packed one the rows that it stores, with ROW_ALIGNED_PADDING those up to a multiple
 * of 16, by TFILLPAD in its forms; TLOAD pads all. */
static void padding_knows_the_packing(void **state) {
  (void)state;
  static const int32_t k_valid[] = {1, 15, 16, 17, 19, 31, 32, 33, 47, 48};
  static const int32_t k_rows[] = {kRows, 50, 64};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t n = 0; n < 10 * 3 * 3; ++n) {
    for (int form = 0; form < 4; ++form) {
      for (int how = 0; how < 2 * kPadders; ++how) {
        /* Rows without a valid column are padded, too. */
        for (int32_t cols = 0; cols <= 5; cols += 5) {
          pads(ctx, k_types[n % 3], how % 2 ? PTO_LOCATION_MAT : PTO_LOCATION_VEC, k_rows[n / 3 % 3], k_valid[n / 9],
               cols, form, how / 2);
        }
      }
    }
  }
  pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, kRows, kCols);
  desc.valid_rows = 19;
  desc.valid_cols = 5;
  pto_tile *src = make_tile(ctx, &desc);
  /* A packed tile has no room for more rows than are valid in it. */
  pto_tile_desc to = boxed(PTO_DTYPE_F32, PTO_SLAYOUT_ROW_MAJOR, PTO_COMPACT_NORMAL);
  to.valid_rows = 16;
  pto_tile *dst = make_tile(ctx, &to);
  assert_int_equal(pto_tfillpad(ctx, dst, src, 0), PTO_ERROR_SHAPE);
  assert_rule(ctx, PTO_ERROR_SHAPE, "pad-shape", "dst");
  pto_tile_release(dst);
  pto_tile_release(src);
  pto_context_release(ctx);
}

/* Views see rows that are stored, and stay where they are. */
static void views_of_packed_tiles(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile_desc desc = boxed(PTO_DTYPE_F32, PTO_SLAYOUT_ROW_MAJOR, PTO_COMPACT_NORMAL);
  desc.valid_rows = 20;
  pto_tile *tile = make_tile(ctx, &desc);
  assert_null(pto_tile_view(ctx, tile, 32, 0, 16, 8));
  assert_rule(ctx, PTO_ERROR_SHAPE, "view-range", "rows");
  pto_tile *view = pto_tile_view(ctx, tile, 16, 8, 16, 16);
  assert_non_null(view);
  assert_int_equal(pto_tile_compact(view), PTO_COMPACT_NULL);
  assert_int_equal(pto_tile_valid_rows(view), 4);
  const uint8_t *first = pto_tile_data(tile);
  assert_int_equal((const uint8_t *)pto_tile_data(view) - first, place(&desc, 20, 16, 8));
  float values[4 * 16], back[4 * 16];
  for (int i = 0; i < 64; ++i) values[i] = (float)i;
  assert_int_equal(pto_tile_write(ctx, view, values, sizeof values), PTO_OK);
  assert_int_equal(pto_tile_set_valid(ctx, tile, kRows, kCols), PTO_OK);
  assert_int_equal(pto_tile_read(ctx, view, back, sizeof back), PTO_OK);
  assert_memory_equal(values, back, sizeof back);
  memcpy(back, first + place(&desc, 20, 16, 8), 32);
  assert_memory_equal(values, back, 32);
  pto_tile_release(view);
  /* Its bytes are the bytes of the whole tile, packed or not. */
  desc.compact = PTO_COMPACT_NULL;
  pto_tile *plain = make_tile(ctx, &desc);
  assert_int_equal(pto_tile_bytes(tile), pto_tile_bytes(plain));
  desc.compact = PTO_COMPACT_ROW_PLUS_ONE;
  pto_tile *more = make_tile(ctx, &desc);
  assert_int_equal(pto_tile_bytes(more), pto_tile_bytes(plain) / kRows * (kRows + 1));
  pto_tile_release(more);
  pto_tile_release(plain);
  pto_tile_release(tile);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_lie_as_the_packing_says),
      cmocka_unit_test(custom_pads_are_written),
      cmocka_unit_test(earlier_descriptors_are_taken),
      cmocka_unit_test(padding_knows_the_packing),
      cmocka_unit_test(views_of_packed_tiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
