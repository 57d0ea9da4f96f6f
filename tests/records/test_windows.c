/*
 * test_windows.c: moves of windows between memories that one profile alone has. TINSERT from vec to vec under A2A3,
 * rows and whole boxes of NZ; TEXTRACT from mat to scaling under A5.
 */
#include <string.h>

#include "pto_c.h"
#include "testing.h"

enum { k_rows = 48, k_bytes = 128 }; /* of the larger tile: rows, and bytes of a row */

static const pto_dtype k_types[] = {PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_F32,
                                    PTO_DTYPE_I8,  PTO_DTYPE_I16,  PTO_DTYPE_I32};

static pto_tile_desc described(pto_dtype dtype, pto_location location, int boxed, int32_t rows, int32_t cols) {
  pto_tile_desc desc = {.struct_size = sizeof desc, .dtype = dtype, .location = location, .rows = rows, .cols = cols};
  if (boxed != 0) {
    desc.blayout = PTO_BLAYOUT_COL_MAJOR;
    desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
  }
  return desc;
}

/* The byte at which an element begins: in rows, or in columns of boxes of 16 rows and 32 bytes. */
static size_t place(int boxed, int32_t rows, int32_t cols, size_t size, int r, int c) {
  const size_t byte = (size_t)c * size;
  return boxed != 0 ? byte / 32 * 32 * (size_t)rows + (size_t)r * 32 + byte % 32
                    : (size_t)r * (size_t)cols * size + byte;
}

static void inserts_from_vec_to_vec(void **state) {
  (void)state;
  static const int32_t k_parts[][4] = {
      /* rows and blocks of 32 bytes of the window, and where it begins */
      {16, 1, 0, 0}, {16, 1, 16, 1}, {16, 2, 32, 2}, {32, 3, 16, 0},
      {48, 4, 0, 0}, {16, 4, 32, 0}, {3, 1, 5, 2},   {1, 2, 47, 1},
  };
  pto_context *ctx = pto_context_create(PTO_PROFILE_A2A3);
  for (int boxed = 0; boxed < 2; ++boxed) {
    for (size_t t = 0; t < sizeof k_types / sizeof *k_types; ++t) {
      const size_t size = (size_t)pto_dtype_bytes(k_types[t]);
      const int32_t block = (int32_t)(32 / size);
      const int32_t cols = (int32_t)(k_bytes / size);
      for (size_t p = 0; p < sizeof k_parts / sizeof *k_parts; ++p) {
        const int32_t *const part = k_parts[p];
        const int32_t src_cols = part[1] * block;
        if (boxed != 0 && part[0] % 16 != 0) continue; /* no tile of boxes has such rows */
        pto_tile_desc desc = described(k_types[t], PTO_LOCATION_VEC, boxed, k_rows, cols);
        pto_tile *dst = pto_tile_create_from(ctx, &desc);
        desc = described(k_types[t], PTO_LOCATION_VEC, boxed, part[0], src_cols);
        pto_tile *src = pto_tile_create_from(ctx, &desc);
        assert_true(dst != NULL && src != NULL);
        unsigned char *const to = pto_tile_data(dst);
        unsigned char *const from = pto_tile_data(src);
        for (size_t i = 0; i < (size_t)k_rows * k_bytes; ++i) to[i] = 0xaa;
        for (size_t i = 0; i < (size_t)part[0] * (size_t)src_cols * size; ++i)
          from[i] = (unsigned char)(i * 7 % 251 % 0x70);
        assert_int_equal(pto_tinsert(ctx, dst, src, part[2], part[3] * block, 0), PTO_OK);
        for (int r = 0; r < k_rows; ++r) {
          for (int c = 0; c < cols; ++c) {
            const int row = r - part[2];
            const int col = c - part[3] * block;
            const int inside = row >= 0 && row < part[0] && col >= 0 && col < src_cols;
            static const unsigned char k_before[8] = {0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
            const unsigned char *const want =
                inside != 0 ? from + place(boxed, part[0], src_cols, size, row, col) : k_before;
            assert_memory_equal(to + place(boxed, k_rows, cols, size, r, c), want, size);
          }
        }
        /* Not where a box of dst would be cut. */
        if (boxed != 0 && part[2] + part[0] + 8 <= k_rows) {
          assert_int_not_equal(pto_tinsert(ctx, dst, src, part[2] + 8, part[3] * block, 0), PTO_OK);
        }
        pto_tile_release(dst);
        pto_tile_release(src);
      }
    }
  }
  pto_context_release(ctx);
}

static void extracts_from_mat_to_scaling(void **state) {
  (void)state;
  static const pto_profile k_profiles[] = {PTO_PROFILE_A5, PTO_PROFILE_A2A3};
  for (int p = 0; p < 2; ++p) {
    pto_context *ctx = pto_context_create(k_profiles[p]);
    pto_tile_desc desc = described(PTO_DTYPE_F16, PTO_LOCATION_MAT, 0, 1, 128);
    pto_tile *src = pto_tile_create_from(ctx, &desc);
    desc = described(PTO_DTYPE_F16, PTO_LOCATION_SCALING, 0, 1, 64);
    pto_tile *dst = pto_tile_create_from(ctx, &desc);
    assert_true(src != NULL && dst != NULL);
    uint16_t *const from = pto_tile_data(src);
    uint16_t *const to = pto_tile_data(dst);
    for (int i = 0; i < 128; ++i) from[i] = (uint16_t)(0x3c00 + i);
    memset(to, 0, 64 * sizeof *to);
    const pto_status status = pto_textract(ctx, dst, src, 0, 64, 0);
    assert_int_equal(status == PTO_OK, p == 0);
    for (int i = 0; i < 64; ++i) assert_int_equal(to[i], p == 0 ? 0x3c00 + 64 + i : 0);
    pto_tile_release(src);
    pto_tile_release(dst);
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(inserts_from_vec_to_vec),
                                     cmocka_unit_test(extracts_from_mat_to_scaling)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
