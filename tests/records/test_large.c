/*
 * test_large.c: results beyond the caches, which the kernels write past them, page by page in turn. The same elements
 * are computed once more in strips that fit in a cache, and every bit must agree; so must the bytes around the result.
 */
#include <stdlib.h>
#include <string.h>

#include "pto_c.h"
#include "testing.h"

enum { k_strip = 64, k_guard = 64, k_fill = 0xa5 };

/* Tiles above the kernels' threshold of 24 MiB, and odd: pages and vectors are left over at the end of their lines. */
typedef struct shape {
  pto_dtype dtype;
  int32_t rows, cols, valid_cols;
  uint32_t random_bits, set_bits; /* of each four bytes: floats are +-0.5 to 1 */
} shape;

static const shape k_shapes[] = {
    {PTO_DTYPE_F32, 2053, 3391, 3391, 0x807fffff, 0x3f000000}, /* one line */
    {PTO_DTYPE_F32, 2069, 3080, 3079, 0x807fffff, 0x3f000000}, /* one line per row: pages and a few elements */
    {PTO_DTYPE_F32, 600011, 12, 11, 0x807fffff, 0x3f000000},   /* lines of few vectors, or of less than one */
    {PTO_DTYPE_F16, 4099, 3391, 3389, 0x83ff83ff, 0x38003800}, /* half a vector at a time */
    {PTO_DTYPE_I8, 8209, 3391, 3391, 0xffffffff, 0},           /* the most elements to a vector */
};

typedef struct plane {
  unsigned char *block;
  unsigned char *data; /* one element off a cache line */
  size_t bytes;
} plane;

static plane make(const shape *s, uint32_t seed) {
  const size_t size = (size_t)pto_dtype_bytes(s->dtype);
  plane p;
  p.bytes = (size_t)s->rows * (size_t)s->cols * size;
  p.block = malloc(p.bytes + 2 * k_guard);
  assert_non_null(p.block);
  memset(p.block, k_fill, p.bytes + 2 * k_guard);
  p.data = p.block + k_guard + size - (size_t)p.block % k_guard;
  for (size_t i = 0; seed != 0 && i + 4 <= p.bytes; i += 4) {
    seed = seed * 1664525U + 1013904223U;
    const uint32_t bits = ((seed ^ seed >> 15) & s->random_bits) | s->set_bits;
    memcpy(p.data + i, &bits, sizeof bits);
  }
  return p;
}

static int guards_hold(const plane *p) {
  for (const unsigned char *at = p->block; at < p->data; ++at) {
    if (*at != k_fill) return 0;
  }
  for (const unsigned char *at = p->data + p->bytes; at < p->block + p->bytes + 2 * k_guard; ++at) {
    if (*at != k_fill) return 0;
  }
  return 1;
}

/* Whether the columns from `from` on to `to` are the same bytes in both. */
static int columns_equal(const shape *s, const plane *p, const plane *q, int32_t from, int32_t to) {
  const size_t size = (size_t)pto_dtype_bytes(s->dtype);
  for (int32_t row = 0; row < s->rows; ++row) {
    const size_t at = ((size_t)row * (size_t)s->cols + (size_t)from) * size;
    if (memcmp(p->data + at, q->data + at, (size_t)(to - from) * size) != 0) return 0;
  }
  return 1;
}

static pto_tile *wrap(pto_context *ctx, const shape *s, const plane *p, int32_t row, int32_t rows) {
  const int64_t row_bytes = (int64_t)s->cols * pto_dtype_bytes(s->dtype);
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = s->dtype;
  desc.rows = rows;
  desc.cols = s->cols;
  desc.valid_rows = rows;
  desc.valid_cols = s->valid_cols;
  pto_tile *tile = pto_tile_wrap(ctx, &desc, p->data + row * row_bytes, rows * row_bytes);
  assert_non_null(tile);
  return tile;
}

static const char *const k_names[] = {"tpartadd", "tprelu", "tmov", "tcolexpanddiv", "trsqrt"};
enum { k_binary = 2, k_instructions = 5 };

/* One instruction on the rows from `row` on; the scalars of a column-expanding one are row 0 of b. */
static void apply(pto_context *ctx, int which, const shape *s, const plane *out, const plane *a, const plane *b,
                  int32_t row, int32_t rows) {
  pto_tile *dst = wrap(ctx, s, out, row, rows);
  pto_tile *x = wrap(ctx, s, a, row, rows);
  pto_tile *y = which == 3 ? wrap(ctx, s, b, 0, 1) : wrap(ctx, s, b, row, rows);
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

/* In place, what is overwritten past the caches is the source itself, which held `source`. */
static void check_in_place(pto_context *ctx, int which, const shape *s, const plane *whole, const plane *source,
                           const plane *a, const plane *b, const plane *place) {
  memcpy(place->data, source->data, place->bytes);
  apply(ctx, which, s, place, source == a ? place : a, source == b ? place : b, 0, s->rows);
  assert_true(columns_equal(s, whole, place, 0, s->valid_cols));
  assert_true(columns_equal(s, source, place, s->valid_cols, s->cols));
  assert_true(guards_hold(place));
}

static void check_shape(pto_context *ctx, const shape *s, int first) {
  const plane a = make(s, 1), b = make(s, 2), whole = make(s, 0), strips = make(s, 0);
  for (int which = first % sparse(); which < k_instructions; which += sparse()) {
    if (!pto_op_supports(pto_op_find(k_names[which]), PTO_PROFILE_CPU, s->dtype, 0)) continue;
    memset(whole.data, k_fill, whole.bytes);
    memset(strips.data, k_fill, strips.bytes);
    apply(ctx, which, s, &whole, &a, &b, 0, s->rows);
    for (int32_t row = 0; row < s->rows; row += k_strip) {
      apply(ctx, which, s, &strips, &a, &b, row, s->rows - row < k_strip ? s->rows - row : k_strip);
    }
    assert_true(columns_equal(s, &whole, &strips, 0, s->cols));
    assert_true(guards_hold(&whole));
    check_in_place(ctx, which, s, &whole, &a, &a, &b, &strips);
    if (which < k_binary) check_in_place(ctx, which, s, &whole, &b, &a, &b, &strips);
  }
  free(a.block);
  free(b.block);
  free(whole.block);
  free(strips.block);
}

static void test_large(void **state) {
  (void)state;
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
    assert_non_null(ctx);
    for (size_t i = 0; i < sizeof k_shapes / sizeof *k_shapes; ++i) check_shape(ctx, &k_shapes[i], t + (int)i);
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
