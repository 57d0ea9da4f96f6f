/* e2m1, e1m2 and i4, two elements a byte: where they lie, what moves them, and what would cut a byte in half. */
#include <float.h>
#include <math.h>

#include "layouts.h"
#include "tensor_help.h"

static const pto_dtype kPackedTypes[] = {PTO_DTYPE_E2M1, PTO_DTYPE_E1M2, PTO_DTYPE_I4};

/* Code k of what begins at `bytes`: the first of two in the low half. */
static int nibble(const uint8_t *bytes, int64_t k) { return k % 2 == 0 ? bytes[k / 2] & 15 : bytes[k / 2] >> 4; }

static uint32_t fills = 0;
static void scatter(void *bytes, int64_t count) { fill(bytes, (size_t)count, ++fills); }

/* Where element (r, c) of a tile lies. */
enum { kMost = 64 * 96 };
typedef struct {
  pto_tile_desc desc;
  int64_t at[kMost];
} places;
static void find_places(places *p, pto_dtype dtype, int32_t rows, int32_t cols, int layout) {
  p->desc = layout_desc(&k_layouts[layout], dtype, rows, cols);
  layout_map(&p->desc, p->at);
}
static int64_t place(const places *p, int r, int c) { return p->at[r * p->desc.cols + c]; }

/* Data is stored row by row, each row from a byte of its own; the rest of the storage stays as it is. */
static void every_layout_has_its_places(void **state) {
  (void)state;
  static const int kShapes[][4] = {{64, 64, 64, 64}, {32, 96, 31, 33}, {34, 34, 5, 7}, {2, 2, 1, 1}, {64, 64, 0, 0}};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t t = 0; t < 3; ++t) {
    for (size_t s = 0; s < sizeof kShapes / sizeof kShapes[0]; ++s) {
      const int rows = kShapes[s][0], cols = kShapes[s][1], valid_rows = kShapes[s][2], valid_cols = kShapes[s][3];
      for (int layout = 0; layout < k_layout_plain; ++layout) {
        static places map;
        find_places(&map, kPackedTypes[t], rows, cols, layout);
        pto_tile *tile = make_tile(ctx, &map.desc);
        uint8_t *at = pto_tile_data(tile);
        const int64_t bytes = pto_tile_bytes(tile);
        assert_true(bytes * 2 >= (int64_t)rows * cols);
        scatter(at, bytes);
        uint8_t *before = malloc((size_t)bytes);
        memcpy(before, at, (size_t)bytes);
        assert_ok(ctx, pto_tile_set_valid(ctx, tile, valid_rows, valid_cols));
        const int line = (valid_cols + 1) / 2;
        uint8_t data[64 * 48] = {0}, back[64 * 48];
        scatter(data, (int64_t)valid_rows * line);
        assert_int_equal(pto_tile_valid_bytes(tile), valid_rows * line);
        assert_ok(ctx, pto_tile_write(ctx, tile, data, (int64_t)valid_rows * line));
        for (int r = 0; r < valid_rows; ++r) {
          for (int c = 0; c < valid_cols; ++c) {
            const int64_t k = place(&map, r, c);
            assert_int_equal(nibble(at, k), nibble(data + r * line, c));
            at[k / 2] =
                (uint8_t)((at[k / 2] & (k % 2 == 0 ? 0xf0 : 0x0f)) | (before[k / 2] & (k % 2 == 0 ? 0x0f : 0xf0)));
          }
        }
        assert_memory_equal(at, before, (size_t)bytes);
        assert_ok(ctx, pto_tile_write(ctx, tile, data, (int64_t)valid_rows * line));
        memset(back, 0xff, sizeof back);
        assert_ok(ctx, pto_tile_read_as(ctx, tile, kPackedTypes[t], back, (int64_t)valid_rows * line));
        for (int r = 0; r < valid_rows; ++r) {
          for (int c = 0; c < line * 2; ++c) {
            assert_int_equal(nibble(back + r * line, c), c < valid_cols ? nibble(data + r * line, c) : 0);
          }
        }
        free(before);
        pto_tile_release(tile);
      }
    }
  }
  pto_context_release(ctx);
}

/* From every layout to every other by TMOV, and turned by TTRANS. */
static void every_layout_moves_to_every_other(void **state) {
  (void)state;
  enum { kRows = 34, kCols = 66, kLine = kCols / 2 };
  for (int32_t target = 0; target < pto_target_count(); ++target) {
    if (!pto_target_supported(target)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(target));
    assert_non_null(ctx);
    for (int from = 0; from < k_layout_plain; ++from) {
      for (int to = 0; to < k_layout_plain; ++to) {
        static places a, b, turned;
        find_places(&a, PTO_DTYPE_E2M1, kRows, kCols, from);
        find_places(&b, PTO_DTYPE_E2M1, kRows, kCols, to);
        find_places(&turned, PTO_DTYPE_E2M1, kCols, kRows, to);
        pto_tile *src = make_tile(ctx, &a.desc), *dst = make_tile(ctx, &b.desc),
                 *columns = make_tile(ctx, &turned.desc);
        uint8_t data[kRows * kLine];
        scatter(data, sizeof data);
        assert_ok(ctx, pto_tile_write(ctx, src, data, sizeof data));
        assert_ok(ctx, pto_tmov(ctx, dst, src, 0));
        assert_ok(ctx, pto_ttrans(ctx, columns, src, NULL, 0));
        for (int r = 0; r < kRows; ++r) {
          for (int c = 0; c < kCols; ++c) {
            assert_int_equal(nibble(pto_tile_data(dst), place(&b, r, c)), nibble(data + r * kLine, c));
            assert_int_equal(nibble(pto_tile_data(columns), place(&turned, c, r)), nibble(data + r * kLine, c));
          }
        }
        pto_tile_release(src), pto_tile_release(dst), pto_tile_release(columns);
      }
    }
    pto_context_release(ctx);
  }
}

/* A window may begin in the middle of a byte: its elements are copied one by one. */
static void windows_are_extracted_and_inserted(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile *whole = pto_tile_create(ctx, PTO_DTYPE_I4, 8, 32), *part = pto_tile_create(ctx, PTO_DTYPE_I4, 4, 8);
  uint8_t data[8 * 16], window[4 * 4];
  for (int at = 0; at < 24; ++at) {
    scatter(data, sizeof data);
    assert_ok(ctx, pto_tile_write(ctx, whole, data, sizeof data));
    assert_ok(ctx, pto_textract(ctx, part, whole, 3, at, 0));
    assert_ok(ctx, pto_tile_read(ctx, part, window, sizeof window));
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 8; ++c) assert_int_equal(nibble(window + r * 4, c), nibble(data + (r + 3) * 16, at + c));
    }
    scatter(window, sizeof window);
    assert_ok(ctx, pto_tile_write(ctx, part, window, sizeof window));
    assert_ok(ctx, pto_tinsert(ctx, whole, part, 2, at, 0));
    const uint8_t *after = pto_tile_data(whole);
    for (int r = 0; r < 8; ++r) {
      for (int c = 0; c < 32; ++c) {
        const int inside = r >= 2 && r < 6 && c >= at && c < at + 8;
        const int want = inside ? nibble(window + (r - 2) * 4, c - at) : nibble(data + r * 16, c);
        assert_int_equal(nibble(after + r * 16, c), want);
      }
    }
  }
  pto_tile_release(whole), pto_tile_release(part);
  pto_context_release(ctx);
}

static pto_tensor *wrap(pto_context *ctx, const pto_tensor_desc *desc, void *data, int64_t bytes) {
  pto_tensor *tensor = pto_tensor_wrap(ctx, desc, data, bytes);
  if (tensor == NULL) fail_msg("%s", pto_context_error_message(ctx));
  return tensor;
}

static pto_tensor_desc strided(int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride) {
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_E2M1, rows, cols);
  desc.strided = 1;
  desc.stride0 = row_stride;
  desc.stride1 = col_stride;
  return desc;
}

/* Rows or columns of a tensor follow each other; what lies between them stays, and so does the half byte after an
 * odd valid region. */
static void tensors_are_loaded_and_stored(void **state) {
  (void)state;
  static const struct {
    int64_t rows, cols, row_stride, col_stride;
    int valid_rows, valid_cols;
  } kCases[] = {{16, 32, 32, 1, 16, 32}, {16, 32, 40, 1, 16, 31}, {16, 32, 40, 1, 15, 30},
                {16, 32, 1, 16, 16, 32}, {16, 32, 1, 22, 15, 9},  {16, 32, 256, 1, 1, 1}};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t k = 0; k < sizeof kCases / sizeof kCases[0]; ++k) {
    for (int each = 0; each < 2 * k_layout_plain; ++each) {
      const int layout = each / 2, padded = each % 2;
      const pto_tensor_desc desc = strided(kCases[k].rows, kCases[k].cols, kCases[k].row_stride, kCases[k].col_stride);
      uint8_t memory[4096], before[4096];
      scatter(memory, sizeof memory);
      memcpy(before, memory, sizeof memory);
      pto_tensor *tensor = wrap(ctx, &desc, memory, sizeof memory);
      static places map;
      find_places(&map, PTO_DTYPE_E2M1, 16, 32, layout);
      map.desc.pad = padded ? PTO_PAD_CUSTOM : PTO_PAD_NULL;
      map.desc.pad_bits = padded ? 0x1b : 0;
      pto_tile *tile = make_tile(ctx, &map.desc);
      const int valid_rows = kCases[k].valid_rows, valid_cols = kCases[k].valid_cols;
      assert_ok(ctx, pto_tile_set_valid(ctx, tile, valid_rows, valid_cols));
      assert_ok(ctx, pto_tload(ctx, tile, tensor, 0));
      for (int r = 0; r < 16; ++r) {
        for (int c = 0; c < 32; ++c) {
          const int inside = r < valid_rows && c < valid_cols;
          const int want = inside   ? nibble(memory, r * kCases[k].row_stride + c * kCases[k].col_stride)
                           : padded ? 0xb
                                    : 0;
          assert_int_equal(nibble(pto_tile_data(tile), place(&map, r, c)), want);
        }
      }
      scatter(pto_tile_data(tile), pto_tile_bytes(tile));
      assert_ok(ctx, pto_tstore(ctx, tensor, tile, 0));
      for (int r = 0; r < valid_rows; ++r) {
        for (int c = 0; c < valid_cols; ++c) {
          const int64_t at = r * kCases[k].row_stride + c * kCases[k].col_stride;
          assert_int_equal(nibble(memory, at), nibble(pto_tile_data(tile), place(&map, r, c)));
          const int high = at % 2 != 0;
          memory[at / 2] = (uint8_t)((memory[at / 2] & (high ? 0x0f : 0xf0)) | (before[at / 2] & (high ? 0xf0 : 0x0f)));
        }
      }
      assert_memory_equal(memory, before, sizeof memory);
      pto_tile_release(tile), pto_tensor_release(tensor);
    }
  }
  pto_context_release(ctx);
}

/* Columns, or rows, of several dimensions. */
static void tensors_of_boxes_are_loaded_and_stored(void **state) {
  (void)state;
  enum { kRows = 32, kCols = 128, kBox = 64 };
  pto_context *ctx = context(PTO_PROFILE_CPU);
  static uint8_t memory[kRows * kCols], before[sizeof memory];
  for (int each = 0; each < 8; ++each) {
    const int nz = each % 2, valid_rows = each < 4 ? kRows : 19, valid_cols = each % 4 < 2 ? kCols : 98;
    pto_tensor_desc desc = matrix_desc(PTO_DTYPE_I4, 1, 2);
    desc.layout = nz ? PTO_LAYOUT_NZ : PTO_LAYOUT_ND;
    desc.rank = nz ? 5 : 3;
    desc.dim2 = nz ? 2 : kCols, desc.dim3 = 16, desc.dim4 = kBox;
    if (!nz) desc.dim0 = 2, desc.dim1 = 16, desc.strided = 1, desc.stride0 = 3000, desc.stride1 = 130, desc.stride2 = 1;
    scatter(memory, sizeof memory);
    memcpy(before, memory, sizeof memory);
    pto_tensor *tensor = wrap(ctx, &desc, memory, sizeof memory);
    pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_I4, kRows, kCols);
    assert_ok(ctx, pto_tile_set_valid(ctx, tile, valid_rows, valid_cols));
    scatter(pto_tile_data(tile), pto_tile_bytes(tile));
    for (int stored = 0; stored < 2; ++stored) {
      if (stored) scatter(pto_tile_data(tile), pto_tile_bytes(tile));
      assert_ok(ctx, stored ? pto_tstore(ctx, tensor, tile, 0) : pto_tload(ctx, tile, tensor, 0));
      for (int r = 0; r < valid_rows; ++r) {
        for (int c = 0; c < valid_cols; ++c) {
          const int64_t at =
              nz ? ((c / kBox * 2 + r / 16) * 16 + r % 16) * kBox + c % kBox : r / 16 * 3000 + r % 16 * 130 + c;
          assert_int_equal(nibble(memory, at), nibble(pto_tile_data(tile), r * kCols + c));
          if (stored) {
            const int high = at % 2 != 0;
            memory[at / 2] =
                (uint8_t)((memory[at / 2] & (high ? 0x0f : 0xf0)) | (before[at / 2] & (high ? 0xf0 : 0x0f)));
          }
        }
      }
      assert_memory_equal(memory, before, sizeof memory);
    }
    pto_tile_release(tile), pto_tensor_release(tensor);
  }
  pto_context_release(ctx);
}

/* Two elements in one place are refused, not two in one byte, and not those outside what is stored. */
static void elements_in_one_place_are_refused(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const pto_tensor_desc desc = strided(8, 4, 1, 2);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_E2M1, 8, 4);
  uint8_t data[16];
  scatter(data, sizeof data);
  assert_ok(ctx, pto_tile_write(ctx, tile, data, sizeof data));
  for (int rows = 1; rows <= 8; ++rows) {
    for (int cols = 1; cols <= 4; ++cols) {
      uint8_t memory[8] = {0}, want[8] = {0};
      int64_t at[32];
      pto_tensor *tensor = wrap(ctx, &desc, memory, sizeof memory);
      assert_ok(ctx, pto_tile_set_valid(ctx, tile, rows, cols));
      for (int i = 0; i < rows * cols; ++i) at[i] = i / cols + 2 * (i % cols);
      const int refused = overlaps(ctx, pto_tstore(ctx, tensor, tile, 0), "tstore", (elements){at, rows, cols});
      assert_int_equal(refused, rows > 2 && cols > 1);
      for (int i = 0; i < rows * cols && !refused; ++i) {
        const int code = nibble(data + 2 * (i / cols), i % cols);
        want[at[i] / 2] |= (uint8_t)(code << (at[i] % 2 * 4));
      }
      assert_memory_equal(memory, want, sizeof want);
      pto_tensor_release(tensor);
    }
  }
  pto_tile_release(tile);
  pto_context_release(ctx);
}

/* Data of a tensor: rows of its last dimension, each from a byte of its own, wherever its elements lie; the others
 * stay. */
static void tensors_are_read_and_written(void **state) {
  (void)state;
  static const int kShapes[][4] = {{6, 5, 1, 8}, {5, 6, 8, 1}, {5, 2, 2, 1}, {6, 1, 1, 6}, {0, 4, 4, 1}, {4, 0, 4, 1}};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t n = 0; n < sizeof kShapes / sizeof *kShapes; ++n) {
    const int rows = kShapes[n][0], cols = kShapes[n][1], row = kShapes[n][2], col = kShapes[n][3];
    const int line = (cols + 1) / 2;
    uint8_t memory[256], before[256], data[18];
    scatter(memory, sizeof memory);
    const pto_tensor_desc desc = strided(rows, cols, row, col);
    pto_tensor *tensor = wrap(ctx, &desc, memory, sizeof memory);
    assert_int_equal(pto_tensor_bytes(tensor), rows * line);
    assert_ok(ctx, pto_tensor_read(ctx, tensor, data, rows * line));
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < 2 * line; ++c) {
        assert_int_equal(nibble(data + line * r, c), c < cols ? nibble(memory, r * row + c * col) : 0);
      }
    }
    memcpy(before, memory, sizeof memory);
    scatter(data, sizeof data);
    assert_ok(ctx, pto_tensor_write_as(ctx, tensor, PTO_DTYPE_E2M1, data, rows * line));
    for (int at = 0; at < 2 * (int)sizeof memory; ++at) {
      int want = nibble(before, at);
      for (int i = 0; i < rows * cols; ++i) {
        if (i / cols * row + i % cols * col == at) want = nibble(data + line * (i / cols), i % cols);
      }
      assert_int_equal(nibble(memory, at), want);
    }
    pto_tensor_release(tensor);
  }
  pto_context_release(ctx);
}

/* The numbers of codes, as the formats list them. */
static float number_of(pto_dtype dtype, int code) {
  static const float k_e2m1[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  if (dtype == PTO_DTYPE_I4) return (float)(code < 8 ? code : code - 16);
  const float size = dtype == PTO_DTYPE_E2M1 ? k_e2m1[code & 7] : (float)(code & 7) / 4;
  return code < 8 ? size : -size;
}

/* TCVT reads and writes them in every layout; what the modes do to numbers between codes is proven in
   tests/kernels/test_convert.cc. */
static void conversions_read_and_write_codes(void **state) {
  (void)state;
  enum { kRows = 18, kCols = 34 };
  static const pto_dtype kOthers[] = {PTO_DTYPE_F32, PTO_DTYPE_I8, PTO_DTYPE_E4M3};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int t = 0; t < 3; ++t) {
    const pto_dtype dtype = kPackedTypes[t];
    for (int layout = 0; layout < k_layout_plain; ++layout) {
      static places map;
      find_places(&map, dtype, kRows, kCols, layout);
      const pto_tile_desc wide = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, kRows, kCols);
      pto_tile *packed = make_tile(ctx, &map.desc), *back = make_tile(ctx, &map.desc), *numbers = make_tile(ctx, &wide);
      assert_ok(ctx, pto_tile_set_valid(ctx, packed, kRows - 1, kCols - 1));
      assert_ok(ctx, pto_tile_set_valid(ctx, back, kRows - 1, kCols - 1));
      assert_ok(ctx, pto_tile_set_valid(ctx, numbers, kRows - 1, kCols - 1));
      scatter(pto_tile_data(packed), pto_tile_bytes(packed));
      memset(pto_tile_data(back), 0xa5, (size_t)pto_tile_bytes(back));
      assert_ok(ctx, pto_tcvt(ctx, numbers, packed, NULL, PTO_ROUND_NONE, PTO_SAT_DEFAULT, 0));
      assert_ok(ctx, pto_tcvt(ctx, back, numbers, NULL, PTO_ROUND_RINT, PTO_SAT_ON, 0));
      const float *values = pto_tile_data(numbers);
      for (int r = 0; r < kRows; ++r) {
        for (int c = 0; c < kCols; ++c) {
          const int inside = r < kRows - 1 && c < kCols - 1;
          const int64_t at = place(&map, r, c);
          const int code = nibble(pto_tile_data(packed), at);
          if (inside) assert_true(values[r * kCols + c] == number_of(dtype, code));
          assert_int_equal(nibble(pto_tile_data(back), at), inside ? code : at % 2 == 0 ? 5 : 10);
        }
      }
      pto_tile_release(packed), pto_tile_release(back), pto_tile_release(numbers);
    }
  }
  /* Every pair of packed types by way of every other that has all their numbers. */
  for (int from = 0; from < 3; ++from) {
    for (size_t way = 0; way < sizeof kOthers / sizeof kOthers[0]; ++way) {
      pto_tile *codes = pto_tile_create(ctx, kPackedTypes[from], 1, 16),
               *there = pto_tile_create(ctx, kOthers[way], 1, 16),
               *again = pto_tile_create(ctx, kPackedTypes[from], 1, 16);
      uint8_t all[8], result[8];
      for (int k = 0; k < 8; ++k) all[k] = (uint8_t)(2 * k | (2 * k + 1) << 4);
      assert_ok(ctx, pto_tile_write(ctx, codes, all, sizeof all));
      assert_ok(ctx, pto_tcvt(ctx, there, codes, NULL, PTO_ROUND_NONE, PTO_SAT_ON, 0));
      assert_ok(ctx, pto_tcvt(ctx, again, there, NULL, PTO_ROUND_NONE, PTO_SAT_ON, 0));
      assert_ok(ctx, pto_tile_read(ctx, again, result, sizeof result));
      const int exact = kPackedTypes[from] == PTO_DTYPE_I4 || kOthers[way] != PTO_DTYPE_I8;
      if (exact) assert_memory_equal(result, all, sizeof all);
      pto_tile_release(codes), pto_tile_release(there), pto_tile_release(again);
    }
  }
  pto_context_release(ctx);
}

/* What overflows and what is not a number; i4 keeps low bits or clamps. */
static void conversions_end_at_the_largest_number(void **state) {
  (void)state;
  static const uint32_t kInputs[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x40a00000,
                                     0x40e00000, 0xc1200000, 0x3e800000, 0x80000000, 0x3e800001};
  static const struct {
    pto_dtype dtype;
    pto_sat sat;
    uint8_t codes[5];
  } kWants[] = {
      {PTO_DTYPE_E2M1, PTO_SAT_OFF, {0xf7, 0x88, 0x76, 0x0f, 0x18}},
      {PTO_DTYPE_E2M1, PTO_SAT_ON, {0xf7, 0x88, 0x76, 0x0f, 0x18}},
      {PTO_DTYPE_E1M2, PTO_SAT_OFF, {0xf7, 0x88, 0x77, 0x1f, 0x18}},
      {PTO_DTYPE_I4, PTO_SAT_ON, {0x87, 0x00, 0x75, 0x08, 0x00}},
      {PTO_DTYPE_I4, PTO_SAT_OFF, {0x0f, 0x00, 0x75, 0x06, 0x00}},
  };
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t k = 0; k < sizeof kWants / sizeof kWants[0]; ++k) {
    pto_tile *src = pto_tile_create(ctx, PTO_DTYPE_F32, 1, 10), *dst = pto_tile_create(ctx, kWants[k].dtype, 1, 10);
    uint8_t codes[5];
    assert_ok(ctx, pto_tile_write(ctx, src, kInputs, sizeof kInputs));
    assert_ok(ctx, pto_tcvt(ctx, dst, src, NULL, PTO_ROUND_RINT, kWants[k].sat, 0));
    assert_ok(ctx, pto_tile_read(ctx, dst, codes, sizeof codes));
    assert_memory_equal(codes, kWants[k].codes, sizeof codes);
    pto_tile_release(src), pto_tile_release(dst);
  }
  pto_context_release(ctx);
}

/* Views share whole bytes. */
static void views_share_bytes(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_I4, 8, 16);
  uint8_t data[8 * 8];
  scatter(data, sizeof data);
  assert_ok(ctx, pto_tile_write(ctx, tile, data, sizeof data));
  pto_tile *view = pto_tile_view(ctx, tile, 3, 6, 4, 8);
  assert_non_null(view);
  assert_ptr_equal(pto_tile_data(view), (uint8_t *)pto_tile_data(tile) + 3 * 8 + 3);
  assert_int_equal(pto_tile_stride(view), 8);
  assert_int_equal(pto_tile_bytes(view), 3 * 8 + 4);
  /* A fill of the view leaves what lies beside it. */
  pto_tile_desc other = tile_desc(PTO_DTYPE_I4, 4, 8);
  pto_tile *zeros = make_tile(ctx, &other);
  assert_ok(ctx, pto_tmov(ctx, view, zeros, 0));
  const uint8_t *after = pto_tile_data(tile);
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 16; ++c) {
      const int inside = r >= 3 && r < 7 && c >= 6 && c < 14;
      assert_int_equal(nibble(after + 8 * r, c), inside ? 0 : nibble(data + 8 * r, c));
    }
  }
  /* Bytes are what a reshape counts. */
  const pto_tile_desc bytes = tile_desc(PTO_DTYPE_U8, 8, 8);
  pto_tile *same = pto_tile_reshape(ctx, tile, &bytes);
  assert_non_null(same);
  assert_int_equal(pto_tile_bytes(same), pto_tile_bytes(tile));
  pto_tile_release(same), pto_tile_release(zeros), pto_tile_release(view), pto_tile_release(tile);
  pto_context_release(ctx);
}

/* Operands that share memory: all are read first. */
static void operands_may_share_memory(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_E1M2, 8, 32);
  uint8_t data[8 * 16];
  scatter(data, sizeof data);
  assert_ok(ctx, pto_tile_write(ctx, tile, data, sizeof data));
  pto_tile *left = pto_tile_view(ctx, tile, 0, 0, 8, 24), *right = pto_tile_view(ctx, tile, 0, 8, 8, 24);
  assert_ok(ctx, pto_tmov(ctx, right, left, 0));
  const uint8_t *after = pto_tile_data(tile);
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 32; ++c) {
      assert_int_equal(nibble(after + 16 * r, c), nibble(data + 16 * r, c < 8 ? c : c - 8));
    }
  }
  pto_tile_release(left), pto_tile_release(right), pto_tile_release(tile);
  pto_context_release(ctx);
}

/* The ISA pads floats with zeros, integers with their limits. */
static void pads_are_those_of_the_type(void **state) {
  (void)state;
  static const struct {
    pto_dtype dtype;
    pto_pad pad;
    int code;
  } kPads[] = {{PTO_DTYPE_I4, PTO_PAD_MAX, 7},   {PTO_DTYPE_I4, PTO_PAD_MIN, 8},   {PTO_DTYPE_I4, PTO_PAD_ZERO, 0},
               {PTO_DTYPE_E2M1, PTO_PAD_MAX, 0}, {PTO_DTYPE_E1M2, PTO_PAD_MIN, 0}, {PTO_DTYPE_E2M1, PTO_PAD_NULL, 0}};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t k = 0; k < sizeof kPads / sizeof kPads[0]; ++k) {
    pto_tile_desc desc = tile_desc(kPads[k].dtype, 4, 8);
    pto_tile *src = make_tile(ctx, &desc);
    desc.pad = kPads[k].pad;
    pto_tile *dst = make_tile(ctx, &desc);
    scatter(pto_tile_data(src), 16);
    assert_ok(ctx, pto_tile_set_valid(ctx, src, 3, 5));
    assert_ok(ctx, pto_tfillpad(ctx, dst, src, 0));
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 8; ++c) {
        const int want = r < 3 && c < 5 ? nibble(pto_tile_data(src), r * 8 + c) : kPads[k].code;
        assert_int_equal(nibble(pto_tile_data(dst), r * 8 + c), want);
      }
    }
    pto_tile_release(src), pto_tile_release(dst);
  }
  pto_context_release(ctx);
}

static float value_of(pto_dtype dtype, int code) {
  static const float kE2M1[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  const float size = dtype == PTO_DTYPE_E2M1 ? kE2M1[code & 7] : 0.25F * (float)(code & 7);
  return (code & 8) != 0 ? -size : size;
}
static float scale_of(int code) { return code == 255 ? NAN : ldexpf(1, code - 127); }

/* Products with block scales: a chain of fused multiply-adds over k, each factor its element times its scale. */
static void factors_are_multiplied(void **state) {
  (void)state;
  enum { kM = 5, kK = 70, kN = 7, kBlocks = (kK + 31) / 32 };
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int form = 0; form < 3 * 4 * k_layout_plain; ++form) {
    const pto_dtype left = kPackedTypes[form & 1], right = kPackedTypes[form >> 1 & 1];
    const int layout = form / 4 % k_layout_plain, start = form / 4 / k_layout_plain;
    pto_tile_desc desc = layout_desc(&k_layouts[layout], left, 16, 128);
    pto_tile *a = make_tile(ctx, &desc);
    desc = layout_desc(&k_layouts[k_layout_plain - 1 - layout], right, 128, 16);
    pto_tile *b = make_tile(ctx, &desc);
    pto_tile *a_scale = pto_tile_create(ctx, PTO_DTYPE_E8M0, kM, kBlocks);
    pto_tile *b_scale = pto_tile_create(ctx, PTO_DTYPE_E8M0, kBlocks, kN);
    pto_tile *dst = pto_tile_create(ctx, PTO_DTYPE_F32, kM, kN), *acc = pto_tile_create(ctx, PTO_DTYPE_F32, kM, kN);
    pto_tile *bias = pto_tile_create(ctx, PTO_DTYPE_F32, 1, kN);
    assert_ok(ctx, pto_tile_set_valid(ctx, a, kM, kK));
    assert_ok(ctx, pto_tile_set_valid(ctx, b, kK, kN));
    uint8_t in_a[kM * kK / 2], in_b[kK * ((kN + 1) / 2)], scale_a[kM * kBlocks], scale_b[kBlocks * kN];
    scatter(in_a, sizeof in_a), scatter(in_b, sizeof in_b);
    scatter(scale_a, sizeof scale_a), scatter(scale_b, sizeof scale_b);
    for (size_t i = 0; i < sizeof scale_a; ++i) scale_a[i] = (uint8_t)(120 + scale_a[i] % 16);
    for (size_t i = 0; i < sizeof scale_b; ++i) scale_b[i] = (uint8_t)(120 + scale_b[i] % 16);
    if (form % 5 == 1) scale_a[kBlocks + 1] = 255;
    if (form % 5 == 2) scale_b[kN + 2] = 254; /* beyond f32 with its element */
    float in_acc[kM * kN], in_bias[kN], want[kM * kN], got[kM * kN];
    for (int i = 0; i < kM * kN; ++i) in_acc[i] = (float)i * 0.3F - 4;
    for (int j = 0; j < kN; ++j) in_bias[j] = (float)j * 0.7F - 2;
    assert_ok(ctx, pto_tile_write(ctx, a, in_a, sizeof in_a));
    assert_ok(ctx, pto_tile_write(ctx, b, in_b, sizeof in_b));
    assert_ok(ctx, pto_tile_write(ctx, a_scale, scale_a, sizeof scale_a));
    assert_ok(ctx, pto_tile_write(ctx, b_scale, scale_b, sizeof scale_b));
    assert_ok(ctx, pto_tile_write(ctx, acc, in_acc, sizeof in_acc));
    assert_ok(ctx, pto_tile_write(ctx, bias, in_bias, sizeof in_bias));
    for (int i = 0; i < kM; ++i) {
      for (int j = 0; j < kN; ++j) {
        float sum = start == 0 ? 0 : start == 1 ? in_acc[i * kN + j] : in_bias[j];
        for (int k = 0; k < kK; ++k) {
          /* Products of a few bits, exact in f64. Where a factor is beyond f32, so is what rounding twice would lose.
           */
          const double x = (double)value_of(left, nibble(in_a, i * kK + k)) * scale_of(scale_a[i * kBlocks + k / 32]);
          const double y =
              (double)value_of(right, nibble(in_b + k * ((kN + 1) / 2), j)) * scale_of(scale_b[k / 32 * kN + j]);
          const int huge = fabs(x) > FLT_MAX || fabs(y) > FLT_MAX;
          sum = huge ? (float)((long double)sum + (long double)(x * y)) : fmaf((float)x, (float)y, sum);
        }
        want[i * kN + j] = sum;
      }
    }
    if (start == 0) assert_ok(ctx, pto_tmatmul_mx(ctx, dst, a, a_scale, b, b_scale, 0));
    if (start == 1) assert_ok(ctx, pto_tmatmul_mx_acc(ctx, dst, acc, a, a_scale, b, b_scale, 0));
    if (start == 2) assert_ok(ctx, pto_tmatmul_mx_bias(ctx, dst, a, a_scale, b, b_scale, bias, 0));
    assert_ok(ctx, pto_tile_read(ctx, dst, got, sizeof got));
    for (int i = 0; i < kM * kN; ++i) {
      const int same = isnan(want[i]) ? isnan(got[i]) : memcmp(&want[i], &got[i], 4) == 0;
      if (!same) fail_msg("form %d, sum %d: %a, not %a", form, i, (double)got[i], (double)want[i]);
    }
    pto_tile *const all[] = {a, b, a_scale, b_scale, dst, acc, bias};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) pto_tile_release(all[i]);
  }
  pto_context_release(ctx);
}

static void half_bytes_are_refused(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  /* Rows, and columns of a column-major tile. */
  assert_null(pto_tile_create(ctx, PTO_DTYPE_E2M1, 4, 7));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "cols");
  pto_tile_desc desc = tile_desc(PTO_DTYPE_I4, 5, 4);
  desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  assert_null(pto_tile_create_from(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "rows");
  /* Views that begin or end inside of a byte. */
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_I4, 8, 16);
  assert_null(pto_tile_view(ctx, tile, 1, 3, 2, 4));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "col");
  assert_null(pto_tile_view(ctx, tile, 1, 2, 2, 3));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "cols");
  desc.rows = 6;
  pto_tile *columns = make_tile(ctx, &desc);
  assert_null(pto_tile_view(ctx, columns, 1, 0, 2, 3));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "row");
  /* Of tensors: an odd line, an odd stride, two lines, elements alone, an offset. */
  pto_tensor_desc shape = matrix_desc(PTO_DTYPE_E1M2, 4, 7);
  assert_null(pto_tensor_create(ctx, &shape));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "dim1");
  shape = strided(4, 8, 9, 1);
  assert_null(pto_tensor_create(ctx, &shape));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "stride0");
  shape = strided(4, 8, 1, 1);
  assert_null(pto_tensor_create(ctx, &shape));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "stride1");
  shape = strided(4, 8, 16, 2);
  assert_null(pto_tensor_create(ctx, &shape));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "dim1");
  shape = strided(4, 8, 8, 1);
  pto_tensor *tensor = pto_tensor_create(ctx, &shape);
  assert_null(pto_tensor_view(ctx, tensor, &shape, 1));
  assert_rule(ctx, PTO_ERROR_SHAPE, "half-byte", "offset");
  /* An empty region has no half byte, and a stride over one row or none has no effect. */
  shape = strided(0, 7, 7, 1);
  pto_tensor *empty = pto_tensor_create(ctx, &shape);
  shape = strided(1, 8, 9, 1);
  pto_tensor *row = pto_tensor_create(ctx, &shape);
  assert_non_null(empty);
  assert_non_null(row);
  assert_int_equal(pto_tensor_bytes(row), 4);
  /* i4 is of another width than i8. */
  pto_tile *bytes = pto_tile_create(ctx, PTO_DTYPE_I8, 4, 8);
  assert_int_equal(pto_tload(ctx, bytes, tensor, 0), PTO_ERROR_DTYPE);
  assert_rule(ctx, PTO_ERROR_DTYPE, "same-width", "src");
  pto_tile_release(bytes), pto_tile_release(tile), pto_tile_release(columns);
  pto_tensor_release(tensor), pto_tensor_release(empty), pto_tensor_release(row);
  pto_context_release(ctx);
}

static void sizes_are_told_in_bits(void **state) {
  (void)state;
  assert_int_equal(pto_dtype_bits(PTO_DTYPE_E2M1), 4);
  assert_int_equal(pto_dtype_bits(PTO_DTYPE_I4), 4);
  assert_int_equal(pto_dtype_bits(PTO_DTYPE_E4M3), 8);
  assert_int_equal(pto_dtype_bits(PTO_DTYPE_U64), 64);
  assert_int_equal(pto_dtype_bits((pto_dtype)99), 0);
  assert_int_equal(pto_dtype_bytes(PTO_DTYPE_I4), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_layout_has_its_places),
      cmocka_unit_test(every_layout_moves_to_every_other),
      cmocka_unit_test(windows_are_extracted_and_inserted),
      cmocka_unit_test(tensors_are_loaded_and_stored),
      cmocka_unit_test(tensors_of_boxes_are_loaded_and_stored),
      cmocka_unit_test(elements_in_one_place_are_refused),
      cmocka_unit_test(tensors_are_read_and_written),
      cmocka_unit_test(conversions_read_and_write_codes),
      cmocka_unit_test(conversions_end_at_the_largest_number),
      cmocka_unit_test(views_share_bytes),
      cmocka_unit_test(operands_may_share_memory),
      cmocka_unit_test(pads_are_those_of_the_type),
      cmocka_unit_test(factors_are_multiplied),
      cmocka_unit_test(half_bytes_are_refused),
      cmocka_unit_test(sizes_are_told_in_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
