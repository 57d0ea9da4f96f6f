/*
 * test_large.c: results beyond the caches, which the kernels write past them, page by page in turn. The same elements
 * are computed once more in strips that fit in a cache, and every bit must agree; so must the bytes around the result.
 */
#include <stdlib.h>
#include <string.h>

#include "pto_c.h"
#include "testing.h"

/* Above the kernels' threshold of 24 MiB, and odd: pages and vectors are left over at the end of it. */
enum { k_rows = 2053, k_cols = 3391, k_strip = 64, k_guard = 64, k_shift = 4 };

typedef struct plane {
  unsigned char *block;
  float *data; /* k_shift bytes off a cache line */
} plane;

static const size_t k_bytes = (size_t)k_rows * k_cols * sizeof(float);

static plane make(unsigned seed) {
  plane p;
  p.block = malloc(k_bytes + 2 * k_guard);
  assert_non_null(p.block);
  memset(p.block, 0xa5, k_bytes + 2 * k_guard);
  p.data = (float *)(void *)(p.block + k_guard + k_shift - (size_t)p.block % k_guard);
  uint32_t state = seed;
  for (size_t i = 0; seed != 0 && i < (size_t)k_rows * k_cols; ++i) {
    state = state * 1664525U + 1013904223U;
    const uint32_t bits = (state >> 9) | 0x3f000000U | (state << 31); /* around +-0.5 to 1 */
    memcpy(&p.data[i], &bits, sizeof bits);
  }
  return p;
}

static int guards_hold(const plane *p) {
  const unsigned char *first = (const unsigned char *)p->data;
  for (const unsigned char *at = p->block; at < first; ++at) {
    if (*at != 0xa5) return 0;
  }
  for (const unsigned char *at = first + k_bytes; at < p->block + k_bytes + 2 * k_guard; ++at) {
    if (*at != 0xa5) return 0;
  }
  return 1;
}

static pto_tile *wrap(pto_context *ctx, const plane *p, int32_t row, int32_t rows) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rows = rows;
  desc.cols = k_cols;
  desc.valid_rows = rows;
  desc.valid_cols = k_cols;
  pto_tile *tile = pto_tile_wrap(ctx, &desc, p->data + (size_t)row * k_cols, (int64_t)rows * k_cols * 4);
  assert_non_null(tile);
  return tile;
}

/* One instruction on the rows from `row` on; the scalars of a column-expanding one are row 0 of b. */
static void apply(pto_context *ctx, int which, const plane *out, const plane *a, const plane *b, int32_t row,
                  int32_t rows) {
  pto_tile *dst = wrap(ctx, out, row, rows);
  pto_tile *x = wrap(ctx, a, row, rows);
  pto_tile *y = which == 3 ? wrap(ctx, b, 0, 1) : wrap(ctx, b, row, rows);
  pto_status status = PTO_OK;
  switch (which) {
    case 0:
      status = pto_tpartadd(ctx, dst, x, y, 0);
      break;
    case 1:
      status = pto_tprelu(ctx, dst, x, y, NULL, 0);
      break;
    case 2:
      status = pto_tmov(ctx, dst, x, 0);
      break;
    case 3:
      status = pto_tcolexpanddiv(ctx, dst, x, y, 0);
      break;
    default:
      status = pto_trsqrt(ctx, dst, x, NULL, 0);
  }
  assert_int_equal(status, PTO_OK);
  pto_tile_release(dst);
  pto_tile_release(x);
  pto_tile_release(y);
}

static void test_large(void **state) {
  (void)state;
  const plane a = make(1), b = make(2), whole = make(0), strips = make(0);
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
    assert_non_null(ctx);
    for (int which = 0; which < 5; ++which) {
      memset(whole.data, 0x11, k_bytes);
      memset(strips.data, 0x22, k_bytes);
      apply(ctx, which, &whole, &a, &b, 0, k_rows);
      for (int32_t row = 0; row < k_rows; row += k_strip) {
        apply(ctx, which, &strips, &a, &b, row, k_rows - row < k_strip ? k_rows - row : k_strip);
      }
      assert_memory_equal(whole.data, strips.data, k_bytes);
      assert_true(guards_hold(&whole));
      /* In place, the source is what is overwritten past the caches. */
      memcpy(strips.data, a.data, k_bytes);
      apply(ctx, which, &strips, &strips, &b, 0, k_rows);
      assert_memory_equal(whole.data, strips.data, k_bytes);
    }
    pto_context_release(ctx);
  }
  free(a.block);
  free(b.block);
  free(whole.block);
  free(strips.block);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
