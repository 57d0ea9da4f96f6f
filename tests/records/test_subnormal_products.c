/* Products of f32 with subnormal factors, sums or results, against chains of fmaf(). On x86 they have ways of their
 * own: src/engine/careful.cc. Here are factors of many ranges, left matrices of every layout, on every target. Each
 * product runs several times, as the first one only shows that numbers are subnormal. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "../tensor/tensor_help.h"
#include "layouts.h"
#include "op_table.h"
#include "testing.h"
#include "values.h"

enum { kMost = 40 * 300, kKinds = 12, kLayouts = k_layout_plain };

typedef struct shape {
  int rows, cols, depth;
} shape;

/* Several blocks of rows and of columns, parts of vectors, several panels along k, one row. */
static const shape k_shapes[] = {{35, 40, 20}, {16, 32, 16}, {3, 17, 300}, {1, 80, 21}, {20, 64, 7}};

static float g_left[kMost], g_right[kMost], g_start[kMost], g_want[kMost], g_got[kMost];
static uint64_t g_seed = 29;

static uint32_t draw(void) { return (uint32_t)(values_random(&g_seed) >> 24); }
static float of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
/* A number of either sign with an exponent of some. */
static float number(int exponent, int exponents) {
  const uint32_t r = draw(), e = (uint32_t)(exponent + (int)(draw() % (uint32_t)exponents) + 127);
  return of_bits((r & 0x80000000u) | e << 23 | (r & 0x7fffffu));
}
static float subnormal(void) { return of_bits(draw() & 0x807fffffu); }

/* A factor, or what a sum starts from. */
static float factor(int kind, int right, int start) {
  static const float k_special[] = {0, -0.0F, INFINITY, -INFINITY, NAN, 1e-45F, -1e-45F, 0x1p-126F};
  const int rare = draw() % 64 == 0;
  switch (kind) {
    case 0: /* few subnormals */
      return rare ? subnormal() : number(-2, 4);
    case 1: /* the first ones of all rows and columns are zeros, too */
      return draw() % 4 == 0 ? (float)(draw() & 0x80000000u) * -0.0F : rare ? subnormal() : number(-40, 80);
    case 2: /* sums below 2^-127 */
      return start ? of_bits(draw() & 0x801fffffu) : number(right ? -60 : -80, 4);
    case 3: /* sums near 2^-126 */
      return start ? of_bits(draw() & 0x81ffffffu) : number(right ? -60 : -66, 6);
    case 4: /* subnormal factors alone; sums that are zeros */
      return subnormal();
    case 5: /* a subnormal matrix by another one */
      return start || !right ? subnormal() : number(-3, 6);
    case 6: /* and sums below 2^-127 */
      return right ? number(-9, 4) : subnormal();
    case 7: /* small integers cancel */
      return rare ? subnormal() : (float)((int)(draw() % 5) - 2);
    case 8: /* sums overflow */
      return rare ? subnormal() : number(start ? 120 : 60, 4);
    case 9:
      return rare ? k_special[draw() % 8] : number(-2, 4);
    case 10: /* products between 2^-149 and 2^-126, and sums that are larger */
      return start ? number(-130 + 6, 30) : number(-75, 12);
    default: /* any number */
      return of_bits(draw() ^ draw() << 16);
  }
}

static void want(const shape *s, int acc) {
  for (int i = 0; i < s->rows; ++i) {
    for (int j = 0; j < s->cols; ++j) {
      float sum = acc ? g_start[i * s->cols + j] : 0;
      for (int k = 0; k < s->depth; ++k) sum = fmaf(g_left[i * s->depth + k], g_right[k * s->cols + j], sum);
      g_want[i * s->cols + j] = isnan(sum) ? of_bits(0x7fc00000u) : sum;
    }
  }
}

static pto_tile *tile_of(pto_context *ctx, int layout, int rows, int cols, const float *data) {
  pto_tile_desc desc = layout_desc(&k_layouts[layout], PTO_DTYPE_F32, (rows + 32) / 32 * 32, (cols + 32) / 32 * 32);
  desc.valid_rows = rows;
  desc.valid_cols = cols;
  pto_tile *tile = make_tile(ctx, &desc);
  assert_ok(ctx, pto_tile_write(ctx, tile, data, pto_tile_valid_bytes(tile)));
  return tile;
}

static void check(pto_context *ctx, int kind, const shape *s, int acc) {
  for (int layout = kind % sparse(); layout < kLayouts; layout += sparse()) {
    pto_tile *left = tile_of(ctx, layout, s->rows, s->depth, g_left);
    pto_tile *right = tile_of(ctx, (layout + kind) % kLayouts, s->depth, s->cols, g_right);
    pto_tile *dst = tile_of(ctx, (layout + s->rows) % kLayouts, s->rows, s->cols, g_start);
    for (int run = 0; run < 3; ++run) {
      assert_ok(ctx, pto_tile_write(ctx, dst, g_start, pto_tile_valid_bytes(dst)));
      assert_ok(ctx, acc ? pto_tmatmul_acc(ctx, dst, dst, left, right, PTO_MAD_NONE, 0)
                         : pto_tmatmul(ctx, dst, left, right, PTO_MAD_NONE, 0));
      assert_ok(ctx, pto_tile_read(ctx, dst, g_got, pto_tile_valid_bytes(dst)));
      for (int i = 0; i < s->rows * s->cols; ++i) {
        if (memcmp(&g_got[i], &g_want[i], sizeof(float)) == 0) continue;
        fail_msg("%s, %s, kind %d, run %d: %d x %d x %d, acc %d: sum %d is %a, not %a", pto_context_target(ctx),
                 k_layouts[layout].name, kind, run, s->rows, s->cols, s->depth, acc, i, (double)g_got[i],
                 (double)g_want[i]);
      }
    }
    pto_tile_release(left), pto_tile_release(right), pto_tile_release(dst);
  }
}

static void products_of_subnormal_numbers_are_exact(void **state) {
  (void)state;
  for (int n = 0; n < kKinds * 5; ++n) {
    const shape *s = &k_shapes[n % 5];
    const int kind = n / 5;
    for (int i = 0; i < s->rows * s->depth; ++i) g_left[i] = factor(kind, 0, 0);
    for (int i = 0; i < s->depth * s->cols; ++i) g_right[i] = factor(kind, 1, 0);
    for (int i = 0; i < s->rows * s->cols; ++i) g_start[i] = factor(kind, 0, 1);
    for (int acc = 0; acc < 2; ++acc) {
      want(s, acc);
      for (int32_t t = 0; t < pto_target_count(); ++t) {
        if (!pto_target_supported(t)) continue;
        pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
        assert_non_null(ctx);
        check(ctx, kind, s, acc);
        pto_context_release(ctx);
      }
    }
  }
}

/* The marks of the thread stay, and are not set by products without subnormal numbers. */
static void marks_stay(void **state) {
  (void)state;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  const shape s = {16, 32, 16};
  for (int tiny = 0; tiny < 2; ++tiny) {
    for (int i = 0; i < s.rows * s.depth; ++i) g_left[i] = tiny ? subnormal() : 1.5F;
    for (int i = 0; i < s.depth * s.cols; ++i) g_right[i] = 2.5F;
    for (int marked = 0; marked < 2; ++marked) {
      feclearexcept(FE_ALL_EXCEPT);
      if (marked) feraiseexcept(FE_UNDERFLOW);
      want(&s, 0);
      if (!marked) feclearexcept(FE_ALL_EXCEPT);
      check(ctx, 0, &s, 0);
      assert_true(marked == (fetestexcept(FE_UNDERFLOW) != 0) || tiny);
    }
  }
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_of_subnormal_numbers_are_exact),
      cmocka_unit_test(marks_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
