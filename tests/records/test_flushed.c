/* Exponentials of large tiles run in modes of the processor where subnormal numbers are zeros (Flushed in
 * src/kernels/exp.cc). Small tiles do not, and have the same bits: of every f16 and bf16, on every target. */
#include <stdint.h>
#include <string.h>

#include "testing.h"
#include "../tensor/tensor_help.h"

enum { kSize = 64, kTiles = 65536 / (kSize * kSize) };

static uint16_t g_large[kSize * kSize], g_small[kSize];

static void check(pto_context *ctx, pto_dtype dtype, int at, uint16_t subtrahend) {
  pto_tile *src = pto_tile_create(ctx, dtype, kSize, kSize), *dst = pto_tile_create(ctx, dtype, kSize, kSize);
  pto_tile *col = pto_tile_create(ctx, dtype, kSize, 1), *row = pto_tile_create(ctx, dtype, 1, kSize);
  pto_tile *part = pto_tile_create(ctx, dtype, 1, kSize), *small = pto_tile_create(ctx, dtype, 1, kSize);
  uint16_t *numbers = pto_tile_data(src), *cols = pto_tile_data(col), *rows = pto_tile_data(row);
  for (int i = 0; i < kSize * kSize; ++i) numbers[i] = (uint16_t)(at * kSize * kSize + i);
  for (int i = 0; i < kSize; ++i) cols[i] = rows[i] = subtrahend;
  for (int op = 0; op < 3; ++op) {
    assert_ok(ctx, op == 0   ? pto_texp(ctx, dst, src, 0)
                   : op == 1 ? pto_trowexpandexpdif(ctx, dst, src, col, NULL, 0)
                             : pto_tcolexpandexpdif(ctx, dst, src, row, 0));
    assert_ok(ctx, pto_tile_read(ctx, dst, g_large, sizeof g_large));
    for (int r = 0; r < kSize; ++r) {
      assert_ok(ctx, pto_tile_write(ctx, part, numbers + r * kSize, sizeof g_small));
      assert_ok(ctx, op == 0 ? pto_texp(ctx, small, part, 0) : pto_tcolexpandexpdif(ctx, small, part, row, 0));
      assert_ok(ctx, pto_tile_read(ctx, small, g_small, sizeof g_small));
      for (int i = 0; i < kSize; ++i) {
        if (g_small[i] == g_large[r * kSize + i]) continue;
        fail_msg("%s, %s, operation %d of %#x, less %#x: %#x in a large tile, %#x in a small one",
                 pto_context_target(ctx), pto_dtype_name(dtype), op, numbers[r * kSize + i], subtrahend,
                 g_large[r * kSize + i], g_small[i]);
      }
    }
  }
  pto_tile_release(src), pto_tile_release(dst), pto_tile_release(col), pto_tile_release(row);
  pto_tile_release(part), pto_tile_release(small);
}

static void large_tiles_have_the_bits_of_small_ones(void **state) {
  (void)state;
  /* 0, subnormal numbers, about 1, and so much that differences are subnormal or infinite. */
  static const uint16_t k_subtrahends[] = {0, 1, 0x8011, 0x3f80, 0x3c01, 0xc2b0, 0x0203, 0x7f80};
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
    assert_non_null(ctx);
    for (int at = 0; at < kTiles; ++at) {
      check(ctx, PTO_DTYPE_F16, at, k_subtrahends[(at + t) % 8]);
      check(ctx, PTO_DTYPE_BF16, at, k_subtrahends[(at + t) % 8]);
      check(ctx, PTO_DTYPE_BF16, at, 0);
    }
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(large_tiles_have_the_bits_of_small_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
