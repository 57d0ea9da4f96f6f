/* TMATMUL and TMATMUL_ACC of factors and sums in every pair of layouts, of depths from none to more than is worked on
 * at a time, on every target: each sum is the chain of fused multiply-adds, or two chains for each 32 of k, or exact.
 */
#include <math.h>

#include "../tensor/tensor_help.h"
#include "layouts.h"
#include "op_table.h"
#include "testing.h"
#include "values.h"

enum { kMost = 40 * 300, kLayouts = k_layout_plain };
typedef struct shape {
  int rows, cols, depth;
} shape;

static const pto_dtype k_types[] = {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_I8};
/* Whole vectors and not, whole boxes and not. */
static const shape k_shapes[] = {{16, 16, 16},
                                 {2, 32, 8},
                                 {5, 16, 0},
                                 {7, 48, 36},
                                 {18, 40, 40},
                                 {3, 17, 9},
                                 {1, 80, 21},
                                 {2, 16, 300},
                                 {1, 48, 150},
                                 /* large enough for tile instructions */
                                 {40, 40, 70},
                                 {32, 64, 64}};

static uint8_t g_left[kMost * 4], g_right[kMost * 4];
static uint32_t g_start[kMost], g_want[kMost], g_got[kMost];

static float as_float(pto_dtype dtype, const uint8_t *data, int at) {
  const uint32_t bits = (uint32_t)op_as_f32(dtype, values_get(dtype, data + at * pto_dtype_bytes(dtype)));
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint32_t sum_of(pto_dtype dtype, const shape *s, uint32_t start, int row, int col) {
  if (dtype == PTO_DTYPE_I8) {
    uint32_t sum = start;
    for (int k = 0; k < s->depth; ++k) {
      sum += (uint32_t)((int8_t)g_left[row * s->depth + k] * (int8_t)g_right[k * s->cols + col]);
    }
    return sum;
  }
  if (dtype == PTO_DTYPE_BF16) {
    uint64_t left[kMost], right[kMost];
    for (int k = 0; k < s->depth; ++k) {
      left[k] = op_as_f32(dtype, values_get(dtype, g_left + 2 * (row * s->depth + k)));
      right[k] = op_as_f32(dtype, values_get(dtype, g_right + 2 * (k * s->cols + col)));
    }
    return (uint32_t)op_paired_sum(left, right, s->depth, start);
  }
  float sum;
  memcpy(&sum, &start, sizeof sum);
  for (int k = 0; k < s->depth; ++k) {
    sum = fmaf(as_float(dtype, g_left, row * s->depth + k), as_float(dtype, g_right, k * s->cols + col), sum);
  }
  uint32_t bits;
  memcpy(&bits, &sum, sizeof bits);
  return isnan(sum) ? 0x7fc00000u : bits;
}

/* Elements of about the same size, so that sums cancel; in one shape there are infinities and NaNs, too. */
static void draw(pto_dtype dtype, uint8_t *data, int count, int strange, uint64_t *seed) {
  values_fill(dtype, data, count, values_random(seed));
  if (dtype == PTO_DTYPE_I8 || strange) return;
  for (int i = 0; i < count; ++i) {
    const int n = (int)(values_random(seed) >> 40) % 255 - 127;
    values_set(dtype, data + i * pto_dtype_bytes(dtype), values_of_float(dtype, (float)n / 32.0F));
  }
}

static pto_tile *tile_of(pto_context *ctx, int layout, pto_dtype dtype, int rows, int cols, const void *data) {
  /* Storage needs a row and a column, and whole boxes; what is valid does not. */
  pto_tile_desc desc = layout_desc(&k_layouts[layout], dtype, (rows + 32) / 32 * 32, (cols + 32) / 32 * 32);
  desc.valid_rows = rows;
  desc.valid_cols = cols;
  pto_tile *tile = make_tile(ctx, &desc);
  assert_ok(ctx, pto_tile_write(ctx, tile, data, pto_tile_valid_bytes(tile)));
  return tile;
}

static void check(pto_context *ctx, pto_dtype dtype, const shape *s, int acc) {
  const pto_dtype sum = dtype == PTO_DTYPE_I8 ? PTO_DTYPE_I32 : PTO_DTYPE_F32;
  pto_tile *left[kLayouts], *right[kLayouts];
  for (int i = 0; i < kLayouts; ++i) {
    left[i] = tile_of(ctx, i, dtype, s->rows, s->depth, g_left);
    right[i] = tile_of(ctx, i, dtype, s->depth, s->cols, g_right);
  }
  for (int c = 0; c < kLayouts; ++c) {
    pto_tile *dst = tile_of(ctx, c, sum, s->rows, s->cols, g_start);
    for (int n = (c + s->depth) % sparse(); n < kLayouts * kLayouts; n += sparse()) {
      pto_tile *a = left[n / kLayouts], *b = right[n % kLayouts];
      assert_ok(ctx, pto_tile_write(ctx, dst, g_start, pto_tile_valid_bytes(dst)));
      assert_ok(ctx, acc ? pto_tmatmul_acc(ctx, dst, dst, a, b, PTO_MAD_NONE, 0)
                         : pto_tmatmul(ctx, dst, a, b, PTO_MAD_NONE, 0));
      assert_ok(ctx, pto_tile_read(ctx, dst, g_got, pto_tile_valid_bytes(dst)));
      for (int i = 0; i < s->rows * s->cols; ++i) {
        if (g_got[i] == g_want[i]) continue;
        fail_msg("%s, %s: %d x %d x %d, %s by %s to %s, acc %d: sum %d is %#x, not %#x", pto_context_target(ctx),
                 pto_dtype_name(dtype), s->rows, s->cols, s->depth, k_layouts[n / kLayouts].name,
                 k_layouts[n % kLayouts].name, k_layouts[c].name, acc, i, g_got[i], g_want[i]);
      }
    }
    pto_tile_release(dst);
  }
  for (int i = 0; i < kLayouts; ++i) pto_tile_release(left[i]), pto_tile_release(right[i]);
}

static void every_layout_has_the_same_sums(void **state) {
  (void)state;
  uint64_t seed = 7;
  const int shapes = (int)(sizeof k_shapes / sizeof k_shapes[0]);
  for (int n = 0; n < 4 * shapes; ++n) {
    const pto_dtype dtype = k_types[n % 4];
    const shape *s = &k_shapes[n / 4];
    const int strange = n / 4 == 0;
    draw(dtype, g_left, s->rows * s->depth, strange, &seed);
    draw(dtype, g_right, s->depth * s->cols, strange, &seed);
    for (int acc = 0; acc < 2; ++acc) {
      draw(dtype == PTO_DTYPE_I8 ? PTO_DTYPE_I32 : PTO_DTYPE_F32, (uint8_t *)g_start, s->rows * s->cols, 1, &seed);
      for (int i = 0; i < s->rows * s->cols; ++i) {
        g_want[i] = sum_of(dtype, s, acc ? g_start[i] : 0, i / s->cols, i % s->cols);
      }
      for (int32_t t = 0; t < pto_target_count(); ++t) {
        if (!pto_target_supported(t)) continue;
        pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
        assert_non_null(ctx);
        check(ctx, dtype, s, acc);
        pto_context_release(ctx);
      }
    }
  }
}

/* Each row of a tall product equals the row of a product of few rows, which takes another way. Lines of the left matrix
 * are so long that f32 is packed first. */
static void tall_products_have_the_sums_of_their_rows(void **state) {
  (void)state;
  enum { kRows = 520, kCols = 130, kDepth = 40, kLine = 1600, kPart = 104 };
  static uint8_t data[kRows * kLine * 4];
  static uint32_t whole[kRows * kCols], part[kPart * kCols];
  for (int n = 0; n < 4; ++n) {
    uint64_t seed = 5;
    pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
    const pto_dtype sum = k_types[n] == PTO_DTYPE_I8 ? PTO_DTYPE_I32 : PTO_DTYPE_F32;
    pto_tile *left = pto_tile_create(ctx, k_types[n], kRows, kLine);
    pto_tile *right = pto_tile_create(ctx, k_types[n], kDepth, kCols);
    pto_tile *dst = pto_tile_create(ctx, sum, kRows, kCols);
    pto_tile *few = pto_tile_create(ctx, sum, kPart, kCols);
    draw(k_types[n], data, kRows * kLine, 0, &seed);
    assert_ok(ctx, pto_tile_write(ctx, left, data, pto_tile_valid_bytes(left)));
    draw(k_types[n], data, kDepth * kCols, 0, &seed);
    assert_ok(ctx, pto_tile_write(ctx, right, data, pto_tile_valid_bytes(right)));
    pto_tile *a = pto_tile_view(ctx, left, 0, 0, kRows, kDepth);
    assert_ok(ctx, pto_tmatmul(ctx, dst, a, right, PTO_MAD_NONE, 0));
    assert_ok(ctx, pto_tile_read(ctx, dst, whole, sizeof whole));
    pto_tile_release(a);
    for (int row = 0; row < kRows; row += kPart) {
      a = pto_tile_view(ctx, left, row, 0, kPart, kDepth);
      assert_ok(ctx, pto_tmatmul(ctx, few, a, right, PTO_MAD_NONE, 0));
      assert_ok(ctx, pto_tile_read(ctx, few, part, sizeof part));
      assert_memory_equal(part, whole + row * kCols, sizeof part);
      pto_tile_release(a);
    }
    pto_tile_release(left), pto_tile_release(right), pto_tile_release(dst), pto_tile_release(few);
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_layout_has_the_same_sums),
      cmocka_unit_test(tall_products_have_the_sums_of_their_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
