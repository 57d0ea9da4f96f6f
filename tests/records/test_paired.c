/* The order and the rounding of products of bf16, on every target: sums of factors that cancel, underflow, overflow and
 * tie, against the reference by 128-bit integers. Whatever state the floating-point environment of the caller has, and
 * with the instruction of the processor where there is one. */
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "../tensor/tensor_help.h"
#include "op_table.h"
#include "testing.h"
#include "values.h"

enum { kMost = 64 * 96, kKinds = 9 };

static uint16_t g_left[kMost], g_right[kMost];
static uint32_t g_start[kMost], g_want[kMost], g_got[kMost];
static uint64_t g_seed = 11;

static uint32_t draw(void) { return (uint32_t)(values_random(&g_seed) >> 24); }

static uint16_t number(uint32_t exponent, uint32_t bits) {
  return (uint16_t)((bits >> 31 << 15) | exponent << 7 | (bits & 0x7f));
}

static uint16_t factor(int kind) {
  static const uint16_t k_special[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x7f80, 0xff80,
                                       0x7fc0, 0xffc1, 0x7f81, 0xff82, 0x3f80, 0xbf80, 0x7f7f, 0x0081};
  const uint32_t r = draw();
  const uint32_t spread = r >> 8 & 0xff;
  switch (kind) {
    case 0:
      return (uint16_t)r;
    case 1:
      return number(127 - 4 + spread % 8, r); /* about 1: sums cancel */
    case 2:
      return number(64 - 6 + spread % 14, r); /* products about 2^-126 */
    case 3:
      return number(190 - 3 + spread % 7, r); /* products about 2^127 */
    case 4:
      return number(127 + spread % 25, r & ~0x7fu); /* powers of two: ties */
    case 5:
      return spread % 8 == 0 ? k_special[r & 15] : number(64 + spread % 126, r);
    case 6:
      return number(63 - 12 + spread % 24, r & ~0x3eu); /* about 2^-126 and its last bits */
    case 7:
      return spread % 64 == 0 ? 1 : number(127 - 4 + spread % 8, r); /* few subnormals */
    default:
      return number(spread % 200 + 20, r);
  }
}

static uint32_t start_of(int kind) {
  const uint32_t r = draw() ^ draw() << 8;
  if (kind == 2 || kind == 6) return r & 0x81ffffff;
  if (kind == 3) return (r & 0x80ffffff) | 0x7e000000;
  if (kind == 0 || kind == 5) return r;
  return (r & 0x80ffffff) | 0x3f000000;
}

static void want(int rows, int cols, int depth, int acc) {
  uint64_t left[96], right[96];
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < depth; ++k) left[k] = (uint64_t)g_left[i * depth + k] << 16;
    for (int j = 0; j < cols; ++j) {
      for (int k = 0; k < depth; ++k) right[k] = (uint64_t)g_right[k * cols + j] << 16;
      g_want[i * cols + j] = (uint32_t)op_paired_sum(left, right, depth, acc ? g_start[i * cols + j] : 0);
    }
  }
}

static pto_tile *tile_of(pto_context *ctx, pto_dtype dtype, int rows, int cols, const void *data) {
  const pto_tile_desc desc = {.struct_size = sizeof desc,
                              .location = PTO_LOCATION_VEC,
                              .dtype = dtype,
                              .rows = rows,
                              .cols = cols,
                              .valid_rows = rows,
                              .valid_cols = cols};
  pto_tile *tile = make_tile(ctx, &desc);
  assert_ok(ctx, pto_tile_write(ctx, tile, data, pto_tile_valid_bytes(tile)));
  return tile;
}

static void check(pto_context *ctx, int kind, int rows, int cols, int depth, int acc) {
  pto_tile *a = tile_of(ctx, PTO_DTYPE_BF16, rows, depth, g_left);
  pto_tile *b = tile_of(ctx, PTO_DTYPE_BF16, depth, cols, g_right);
  pto_tile *c = tile_of(ctx, PTO_DTYPE_F32, rows, cols, g_start);
  assert_ok(ctx, acc ? pto_tmatmul_acc(ctx, c, c, a, b, PTO_MAD_NONE, 0) : pto_tmatmul(ctx, c, a, b, PTO_MAD_NONE, 0));
  assert_ok(ctx, pto_tile_read(ctx, c, g_got, pto_tile_valid_bytes(c)));
  for (int i = 0; i < rows * cols; ++i) {
    if (g_got[i] == g_want[i]) continue;
    fail_msg("%s: kind %d, %d x %d x %d, acc %d: sum %d is %#x, not %#x", pto_context_target(ctx), kind, rows, cols,
             depth, acc, i, g_got[i], g_want[i]);
  }
  pto_tile_release(a);
  pto_tile_release(b);
  pto_tile_release(c);
}

static void on_every_target(int kind, int rows, int cols, int depth, int acc) {
  for (int i = 0; i < rows * depth; ++i) g_left[i] = factor(kind);
  for (int i = 0; i < depth * cols; ++i) g_right[i] = factor(kind);
  /* Factors that nearly cancel within one chain. */
  for (int i = 0; kind != 0 && i < rows; i += 2) {
    for (int k = 0; k + 3 < depth; k += 4) g_left[i * depth + k + 2] = g_left[i * depth + k] ^ 0x8000;
  }
  for (int i = 0; i < rows * cols; ++i) g_start[i] = start_of(kind);
  want(rows, cols, depth, acc);
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
    assert_non_null(ctx);
    check(ctx, kind, rows, cols, depth, acc);
    check(ctx, kind, rows, cols, depth, acc); /* after it has met subnormals */
    pto_context_release(ctx);
  }
}

static void sums_of_any_shape(void **state) {
  (void)state;
  for (int n = 0; n < 6 * kKinds; ++n) {
    const int rows = 1 + (int)(draw() % 20);
    const int cols = 1 + (int)(draw() % 40);
    const int depth = (int)(draw() % 70);
    on_every_target(n % kKinds, rows, cols, depth, n / kKinds % 2);
  }
}

/* What the processor has an instruction for, and what sets the mode from the start. */
static void large_sums(void **state) {
  (void)state;
  for (int kind = 0; kind < kKinds; ++kind) on_every_target(kind, 48, 48, 70, kind % 2);
}

static void the_environment_does_not_matter(void **state) {
  (void)state;
#ifdef FE_UPWARD
  static const int k_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int n = 0; n < 8; ++n) {
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    if (n % 2 != 0) feraiseexcept(FE_UNDERFLOW | FE_INEXACT);
    const int kind = 1 + n % 2;
    for (int i = 0; i < 16 * 16; ++i) g_left[i] = factor(kind), g_right[i] = factor(kind), g_start[i] = start_of(kind);
    want(16, 16, 16, 1);
    pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
    fesetround(k_modes[n / 2]);
    check(ctx, kind, 16, 16, 16, 1);
    assert_int_equal(fegetround(), k_modes[n / 2]);
    assert_true(n % 2 == 0 || fetestexcept(FE_UNDERFLOW) != 0);
    fesetround(FE_TONEAREST);
    pto_context_release(ctx);
  }
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_any_shape),
      cmocka_unit_test(large_sums),
      cmocka_unit_test(the_environment_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
