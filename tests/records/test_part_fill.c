/*
 * test_part_fill.c: TPARTMAX and TPARTMIN of sources that leave a part of dst to neither. These elements become the
 * neutral element under CPU and A5, whatever the overlap of the two regions, and where dst is one of the sources.
 */
#include <string.h>

#include "pto_c.h"
#include "testing.h"

enum { k_rows = 5, k_cols = 32 };

static const int32_t k_regions[][2] = {{0, 0}, {5, 32}, {5, 7}, {3, 32}, {2, 9}, {4, 5}, {0, 7}, {3, 0}, {1, 31}};

/* The neutral elements, by their bits. */
static const struct {
  pto_dtype dtype;
  uint32_t least, greatest, one;
} k_types[] = {
    {PTO_DTYPE_F32, 0xff800000, 0x7f800000, 0x3f800000},
    {PTO_DTYPE_F16, 0xfc00, 0x7c00, 0x3c00},
    {PTO_DTYPE_BF16, 0xff80, 0x7f80, 0x3f80},
    {PTO_DTYPE_I8, 0x80, 0x7f, 1},
    {PTO_DTYPE_U8, 0, 0xff, 1},
    {PTO_DTYPE_I16, 0x8000, 0x7fff, 1},
    {PTO_DTYPE_U16, 0, 0xffff, 1},
    {PTO_DTYPE_I32, 0x80000000, 0x7fffffff, 1},
    {PTO_DTYPE_U32, 0, 0xffffffff, 1},
};

static uint32_t bits_at(const unsigned char *data, size_t size, int i) {
  uint32_t bits = 0;
  memcpy(&bits, data + (size_t)i * size, size);
  return bits;
}
static void put(unsigned char *data, size_t size, int i, uint32_t bits) {
  memcpy(data + (size_t)i * size, &bits, size);
}

static void parts_are_filled(void **state) {
  (void)state;
  static unsigned char data[3][k_rows * k_cols * 4];
  enum { k_count = sizeof k_regions / sizeof *k_regions };
  int filled = 0;
  for (int p = 0; p < 2; ++p) {
    pto_context *ctx = pto_context_create(p == 0 ? PTO_PROFILE_CPU : PTO_PROFILE_A5);
    for (size_t t = 0; t < sizeof k_types / sizeof *k_types; ++t) {
      const size_t size = (size_t)pto_dtype_bytes(k_types[t].dtype);
      for (int n = 0; n < k_count * k_count * 6; ++n) {
        const int max = n % 2;
        const int alias = n / 2 % 3; /* dst is a tile of its own, src0 or src1 */
        const int32_t *const a = k_regions[n / 6 % k_count];
        const int32_t *const b = k_regions[n / 6 / k_count];
        pto_tile_desc desc = {.struct_size = sizeof desc, .dtype = k_types[t].dtype, .rows = k_rows, .cols = k_cols};
        pto_tile *tiles[3];
        for (int k = 0; k < 3; ++k) {
          const int32_t *const region = k == 1 ? a : b;
          desc.valid_rows = k == 0 ? k_rows - 1 : region[0] > k_rows - 1 ? k_rows - 1 : region[0];
          desc.valid_cols = k == 0 ? k_cols - 1 : region[1] > k_cols - 1 ? k_cols - 1 : region[1];
          unsigned char *const at = data[k == 0 && alias != 0 ? alias : k];
          tiles[k] = pto_tile_wrap(ctx, &desc, at, (int64_t)(k_rows * k_cols) * (int64_t)size);
          assert_non_null(tiles[k]);
          assert_int_equal(pto_tile_set_valid(ctx, tiles[k], desc.valid_rows, desc.valid_cols), PTO_OK);
        }
        /* src0 has ones and src1 zeros. */
        for (int i = 0; i < k_rows * k_cols; ++i) {
          put(data[0], size, i, 0x55);
          put(data[1], size, i, k_types[t].one);
          put(data[2], size, i, 0);
        }
        const uint32_t before = alias == 0 ? 0x55 : alias == 1 ? k_types[t].one : 0;
        const pto_status status = max != 0 ? pto_tpartmax(ctx, tiles[0], tiles[1], tiles[2], 0)
                                           : pto_tpartmin(ctx, tiles[0], tiles[1], tiles[2], 0);
        if (status != PTO_OK) fail_msg("%s", pto_context_error_message(ctx));
        const unsigned char *const got = data[alias];
        for (int r = 0; r < k_rows; ++r) {
          for (int c = 0; c < k_cols; ++c) {
            const int in_a = r < pto_tile_valid_rows(tiles[1]) && c < pto_tile_valid_cols(tiles[1]);
            const int in_b = r < pto_tile_valid_rows(tiles[2]) && c < pto_tile_valid_cols(tiles[2]);
            uint32_t want = max != 0 ? k_types[t].least : k_types[t].greatest;
            if (in_a && in_b) want = max != 0 ? k_types[t].one : 0;
            if (in_a != in_b) want = in_a ? k_types[t].one : 0;
            if (r == k_rows - 1 || c == k_cols - 1) want = before;
            filled += !in_a && !in_b;
            if (bits_at(got, size, r * k_cols + c) != want) {
              fail_msg("type %d, max %d, dst %d, %dx%d and %dx%d: (%d, %d) is 0x%x, not 0x%x", (int)t, max, alias,
                       (int)a[0], (int)a[1], (int)b[0], (int)b[1], r, c, bits_at(got, size, r * k_cols + c), want);
            }
          }
        }
        for (int k = 0; k < 3; ++k) pto_tile_release(tiles[k]);
      }
    }
    pto_context_release(ctx);
  }
  assert_true(filled > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_filled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
