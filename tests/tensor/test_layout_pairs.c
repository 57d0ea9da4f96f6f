/* Moves between every pair of layouts: each width, odd shapes, whole tiles and views, apart and over each other, on
 * every SIMD target, byte by byte against the place of each element alone. */
#include <stdio.h>
#include <string.h>

#include "laid_tile.h"

enum { kBytes = 1 << 18 };

static const int32_t k_shapes[][2] = {{1, 1}, {3, 5}, {16, 16}, {17, 33}, {40, 19}, {1, 70}, {65, 2}};
static const pto_dtype k_types[] = {PTO_DTYPE_I8, PTO_DTYPE_U16, PTO_DTYPE_F32, PTO_DTYPE_I64};

static laid_tile g_from, g_to;
static int64_t g_memory[kBytes / 8], g_before[kBytes / 8], g_want[kBytes / 8];

static void move(pto_context *ctx, int turns, const char *what) {
  const int64_t size = pto_dtype_bytes(g_from.desc.dtype);
  const int64_t end = g_from.at + g_from.bytes > g_to.at + g_to.bytes ? g_from.at + g_from.bytes : g_to.at + g_to.bytes;
  const size_t used = (size_t)end + 64;
  assert_true(used <= kBytes);
  memcpy(g_want, g_before, used);
  for (int32_t r = 0; r < g_from.rows; ++r) {
    for (int32_t c = 0; c < g_from.cols; ++c) {
      memcpy((uint8_t *)g_want + laid_place(&g_to, turns ? c : r, turns ? r : c),
             (uint8_t *)g_before + laid_place(&g_from, r, c), (size_t)size);
    }
  }
  memcpy(g_memory, g_before, used);
  pto_tile *from = laid_tile_of(ctx, &g_from, (uint8_t *)g_memory);
  pto_tile *to = laid_tile_of(ctx, &g_to, (uint8_t *)g_memory);
  assert_ok(ctx, turns ? pto_ttrans(ctx, to, from, NULL, 0) : pto_tmov(ctx, to, from, 0));
  if (memcmp(g_memory, g_want, used) != 0) {
    fail_msg("%s of %dx%d %s on %s: %s", turns ? "ttrans" : "tmov", g_from.rows, g_from.cols,
             pto_dtype_name(g_from.desc.dtype), pto_context_target(ctx), what);
  }
  pto_tile_release(from);
  pto_tile_release(to);
}

static void pair(pto_context *ctx, int turns, int from, int to, pto_dtype dtype, const int32_t *shape) {
  const int64_t size = pto_dtype_bytes(dtype);
  for (int views = 0; views < 4; ++views) {
    lay_out(&g_from, &k_layouts[from], dtype, shape[0], shape[1], views & 1 ? k_laid_view : k_laid_whole);
    lay_out(&g_to, &k_layouts[to], dtype, shape[turns], shape[!turns], views / 2 ? k_laid_view : k_laid_whole);
    char what[128];
    /* Apart; from the same byte on; one after and one before the other. */
    const int64_t shifts[] = {g_from.bytes + 64, 0, 3 * size, -5 * size};
    for (int k = 0; k < 4; ++k) {
      g_from.at = 1024;
      g_to.at = 1024 + shifts[k] / size * size;
      snprintf(what, sizeof what, "%s to %s, views %d, %d bytes on", k_layouts[from].name, k_layouts[to].name, views,
               (int)(g_to.at - g_from.at));
      move(ctx, turns, what);
    }
  }
}

static void every_pair(int turns) {
  fill(g_before, sizeof g_before, 5);
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
    for (int from = 0; from < k_layout_count; ++from) {
      for (int to = 0; to < k_layout_count; ++to) {
        for (size_t d = 0; d < sizeof k_types / sizeof *k_types; ++d) {
          for (size_t s = 0; s < sizeof k_shapes / sizeof *k_shapes; ++s)
            pair(ctx, turns, from, to, k_types[d], k_shapes[s]);
        }
      }
    }
    pto_context_release(ctx);
  }
}

static void moves_between_every_pair(void **state) {
  (void)state;
  every_pair(0);
}
static void turns_between_every_pair(void **state) {
  (void)state;
  every_pair(1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves_between_every_pair),
                                     cmocka_unit_test(turns_between_every_pair)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
