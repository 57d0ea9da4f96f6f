/* TIMG2COL: filters of every size, step and padding over images of every type, into tiles of every layout, against what
 * the ISA requires of one element at a time; tile and image between pages that no access may touch. */
#include <stdio.h>

#include "between_pages.h"
#include "testing.h"

enum { kMemory = 1 << 18, kRounds = 2000, kMost = 48 };

static uint32_t g_state = 7;
static int32_t draw(int32_t below) {
  g_state = g_state * 1664525u + 1013904223u;
  return (int32_t)((g_state >> 12) % (uint32_t)below);
}

/* A call: the image's dimensions and strides, the filter, the part of the matrix. */
typedef struct call {
  pto_dtype dtype;
  int64_t n, c1, h, w, c0, stride[5];
  int32_t pos_m, pos_k, filter_h, filter_w, stride_h, stride_w, dilation_h, dilation_w;
  int32_t left, right, top, bottom, channels;
  int32_t rows, cols;
} call;

static uint8_t g_memory[kMemory];
static const uint8_t *g_image = g_memory; /* where the image's elements are read */
static uint64_t g_pad;

static uint64_t bits_at(int64_t place, int64_t size) {
  uint64_t bits = 0;
  memcpy(&bits, g_image + place * size, (size_t)size);
  return bits;
}

/* Element (row, col) of the whole matrix. */
static uint64_t element(const call *c, int64_t row, int64_t col) {
  const int64_t across = (c->w + c->left + c->right - c->dilation_w * (c->filter_w - 1) - 1) / c->stride_w + 1;
  const int64_t down = (c->h + c->top + c->bottom - c->dilation_h * (c->filter_h - 1) - 1) / c->stride_h + 1;
  const int64_t x = row % across, y = row / across % down, n = row / (across * down);
  const int64_t cell = c->filter_h * c->filter_w * c->c0;
  const int64_t c1 = col / cell, point = col % cell / c->c0, c0 = col % c->c0;
  const int64_t at_y = y * c->stride_h + point / c->filter_w * c->dilation_h - c->top;
  const int64_t at_x = x * c->stride_w + point % c->filter_w * c->dilation_w - c->left;
  if (n >= c->n || c1 >= c->c1 || at_y < 0 || at_y >= c->h || at_x < 0 || at_x >= c->w) return g_pad;
  if (c->channels != 0 && c1 * c->c0 + c0 >= c->channels) return g_pad;
  return bits_at(n * c->stride[0] + c1 * c->stride[1] + at_y * c->stride[2] + at_x * c->stride[3] + c0 * c->stride[4],
                 pto_dtype_bytes(c->dtype));
}

static call drawn(pto_dtype dtype) {
  const int64_t c0 = 32 / pto_dtype_bytes(dtype);
  call c = {.dtype = dtype, .n = 1 + draw(3), .c1 = 1 + draw(3), .h = 1 + draw(7), .w = 1 + draw(9)};
  c.c0 = draw(4) == 0 ? 1 + draw(5) : c0 < 16 ? c0 : 16;
  c.filter_h = 1 + draw(3);
  c.filter_w = 1 + draw(4);
  c.stride_h = 1 + draw(3);
  c.stride_w = 1 + draw(3);
  c.dilation_h = 1 + draw(2);
  c.dilation_w = 1 + draw(2);
  c.left = draw(5);
  c.right = draw(5);
  c.top = draw(5);
  c.bottom = draw(5);
  /* What the filter still lacks is padding. */
  while (c.h + c.top + c.bottom <= c.dilation_h * (c.filter_h - 1)) ++c.bottom;
  while (c.w + c.left + c.right <= c.dilation_w * (c.filter_w - 1)) ++c.right;
  c.channels = draw(3) == 0 ? 1 + draw((int32_t)(c.c1 * c.c0) + 3) : 0;
  c.pos_m = draw(3) == 0 ? draw(60) : 0;
  c.pos_k = draw(3) == 0 ? draw(40) : 0;
  c.rows = 1 + draw(kMost);
  c.cols = 1 + draw(kMost);
  /* Dense, or with gaps. */
  c.stride[4] = draw(8) == 0 ? 2 : 1;
  c.stride[3] = c.c0 * c.stride[4] + (draw(4) == 0 ? 3 : 0);
  c.stride[2] = c.w * c.stride[3];
  c.stride[1] = c.h * c.stride[2] + draw(2);
  c.stride[0] = c.c1 * c.stride[1];
  return c;
}

static pto_tensor_desc image_desc(const call *c) {
  pto_tensor_desc desc = matrix_desc(c->dtype, c->n, c->c1);
  desc.rank = 5;
  desc.layout = draw(2) ? PTO_LAYOUT_NC1HWC0 : PTO_LAYOUT_NDC1HWC0;
  desc.dim2 = c->h;
  desc.dim3 = c->w;
  desc.dim4 = c->c0;
  desc.strided = 1;
  desc.stride0 = c->stride[0];
  desc.stride1 = c->stride[1];
  desc.stride2 = c->stride[2];
  desc.stride3 = c->stride[3];
  desc.stride4 = c->stride[4];
  return desc;
}

static pto_tensor *image_of(pto_context *ctx, const call *c) {
  const pto_tensor_desc desc = image_desc(c);
  pto_tensor *image = pto_tensor_wrap(ctx, &desc, g_memory, kMemory);
  if (image == NULL) fail_msg("%s", pto_context_error_message(ctx));
  return image;
}

static pto_status unfold(pto_context *ctx, pto_tile *dst, const pto_tensor *src, const call *c) {
  return pto_timg2col(ctx, dst, src, pto_bits(g_pad), c->pos_m, c->pos_k, c->filter_h, c->filter_w, c->stride_h,
                      c->stride_w, c->dilation_h, c->dilation_w, c->left, c->right, c->top, c->bottom, c->channels, 0);
}

/* What the tile holds beside what it should. */
static void compare(pto_context *ctx, const call *c, const pto_tile *tile, const char *what) {
  static uint8_t packed[kMost * kMost * 8];
  const int64_t size = pto_dtype_bytes(c->dtype);
  assert_ok(ctx, pto_tile_read(ctx, tile, packed, c->rows * c->cols * size));
  for (int32_t r = 0; r < c->rows; ++r) {
    for (int32_t k = 0; k < c->cols; ++k) {
      uint64_t got = 0;
      memcpy(&got, packed + (r * c->cols + k) * size, (size_t)size);
      const uint64_t want = element(c, c->pos_m + r, c->pos_k + k);
      if (got != want)
        fail_msg("%s %s (%d, %d): %llx, not %llx", what, pto_dtype_name(c->dtype), r, k, (unsigned long long)got,
                 (unsigned long long)want);
    }
  }
}

typedef struct unfolding {
  call c;
  pto_tile *dst;
  pto_tensor *src;
} unfolding;

static pto_status run(pto_context *ctx, void *call_of) {
  const unfolding *u = call_of;
  return unfold(ctx, u->dst, u->src, &u->c);
}

static void one(between_pages *p, int n, pto_dtype dtype) {
  static laid_tile tile;
  unfolding u = {drawn(dtype), NULL, NULL};
  const call *c = &u.c;
  const int64_t size = pto_dtype_bytes(dtype);
  const int64_t span = (c->n - 1) * c->stride[0] + (c->c1 - 1) * c->stride[1] + (c->h - 1) * c->stride[2] +
                       (c->w - 1) * c->stride[3] + (c->c0 - 1) * c->stride[4] + 1;
  g_pad = draw(4) == 0 ? 0 : ~UINT64_C(0x5a) >> (64 - 8 * size);
  lay_out(&tile, &k_layouts[n % k_layout_count], dtype, c->rows + draw(2) * draw(3), c->cols + draw(2) * draw(4),
          (laid_as)draw(3));
  lay_out_valid(&tile, c->rows, c->cols);
  pages_begin(p);
  const int64_t image_at = pages_place(p, span * size, draw(3) != 0);
  tile.at = pages_place(p, tile.bytes, draw(3) != 0);
  pages_fill(p, (uint32_t)n);
  g_image = p->before + image_at;
  for (int32_t r = 0; r < c->rows; ++r) {
    for (int32_t k = 0; k < c->cols; ++k) {
      const uint64_t bits = element(c, c->pos_m + r, c->pos_k + k);
      memcpy(p->after + laid_place(&tile, r, k), &bits, (size_t)size);
    }
  }
  g_image = g_memory;
  const pto_tensor_desc desc = image_desc(c);
  u.src = pages_tensor(p, &desc, image_at, span * size);
  u.dst = pages_tile(p, &tile);
  char what[160];
  snprintf(what, sizeof what, "case %d, %dx%d %s of %dx%d %s%s", n, c->rows, c->cols, pto_dtype_name(dtype), tile.rows,
           tile.cols, k_layouts[n % k_layout_count].name, tile.view ? " (view)" : "");
  pages_run(p, run, &u, NULL, what);
  pto_tile_release(u.dst);
  pto_tensor_release(u.src);
}

static void test_elements(void **state) {
  (void)state;
  between_pages p;
  pages_create(&p, PTO_PROFILE_CPU, 1 << 20);
  for (int n = 0; n < kRounds; n += sparse()) one(&p, n, (pto_dtype)draw(PTO_DTYPE_E8M0 + 1));
  pages_release(&p);
}

/* Hardware takes Nz tiles in left, and gives the same. */
static void test_profiles(void **state) {
  (void)state;
  static const pto_dtype types[] = {PTO_DTYPE_I8, PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_F32};
  for (int p = PTO_PROFILE_A2A3; p <= PTO_PROFILE_A5; ++p) {
    pto_context *ctx = context((pto_profile)p);
    for (int n = 0; n < 40; ++n) {
      call c = drawn(types[n % 4]);
      c.rows = c.cols = 32;
      g_pad = 0;
      pto_tensor *image = image_of(ctx, &c);
      pto_tile_desc desc = tile_desc(c.dtype, 32, 32);
      desc.location = PTO_LOCATION_LEFT;
      desc.blayout = PTO_BLAYOUT_COL_MAJOR;
      desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
      pto_tile *tile = make_tile(ctx, &desc);
      assert_ok(ctx, unfold(ctx, tile, image, &c));
      compare(ctx, &c, tile, "profile");
      pto_tile_release(tile);
      pto_tensor_release(image);
    }
    pto_context_release(ctx);
  }
}

/* The tile over the image: it is read first. An empty region is a no-op. */
static void test_over_the_image(void **state) {
  (void)state;
  static uint8_t image_bytes[kMemory];
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int n = 0; n < 60; ++n) {
    const call c = drawn(PTO_DTYPE_F32);
    g_pad = 0x3f800000;
    fill(g_memory, sizeof g_memory, (uint32_t)n);
    memcpy(image_bytes, g_memory, sizeof g_memory);
    pto_tensor *image = image_of(ctx, &c);
    const pto_tile_desc desc = layout_desc(&k_layouts[n % k_layout_plain], PTO_DTYPE_F32, c.rows, c.cols);
    pto_tile *tile = pto_tile_wrap(ctx, &desc, g_memory + 64 * draw(4), kMemory / 2);
    if (tile == NULL) fail_msg("%s", pto_context_error_message(ctx));
    assert_ok(ctx, pto_tile_set_valid(ctx, tile, 0, c.cols));
    assert_ok(ctx, unfold(ctx, tile, image, &c));
    assert_memory_equal(g_memory, image_bytes, sizeof g_memory);
    assert_ok(ctx, pto_tile_set_valid(ctx, tile, c.rows, c.cols));
    assert_ok(ctx, unfold(ctx, tile, image, &c));
    static float packed[kMost * kMost];
    assert_ok(ctx, pto_tile_read(ctx, tile, packed, (int64_t)c.rows * c.cols * 4));
    memcpy(g_memory, image_bytes, sizeof g_memory);
    for (int32_t i = 0; i < c.rows * c.cols; ++i) {
      uint32_t got;
      memcpy(&got, packed + i, sizeof got);
      assert_int_equal(got, element(&c, c.pos_m + i / c.cols, c.pos_k + i % c.cols));
    }
    pto_tile_release(tile);
    pto_tensor_release(image);
  }
  pto_context_release(ctx);
}

/* Known by hand: a filter of 2x2 over an image of 3x3 of one channel, the first row before the image. */
static void test_known(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const call c = {.dtype = PTO_DTYPE_F32,
                  .n = 1,
                  .c1 = 1,
                  .h = 3,
                  .w = 3,
                  .c0 = 1,
                  .stride = {9, 9, 3, 1, 1},
                  .filter_h = 2,
                  .filter_w = 2,
                  .stride_h = 1,
                  .stride_w = 1,
                  .dilation_h = 1,
                  .dilation_w = 1,
                  .top = 1};
  const float values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const float want[6 * 4] = {-1, -1, 1, 2, -1, -1, 2, 3, 1, 2, 4, 5, 2, 3, 5, 6, 4, 5, 7, 8, 5, 6, 8, 9};
  float got[6 * 4];
  memcpy(g_memory, values, sizeof values);
  g_pad = 0xbf800000;
  pto_tensor *image = image_of(ctx, &c);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 6, 4);
  assert_ok(ctx, unfold(ctx, tile, image, &c));
  assert_ok(ctx, pto_tile_read(ctx, tile, got, sizeof got));
  assert_memory_equal(got, want, sizeof want);
  pto_tile_release(tile);
  pto_tensor_release(image);
  pto_context_release(ctx);
}

/* NCHW to NC1HWC0 and back through a tile of pixels x channels, as the ISA's TTRANS of convolution tiles: blocks that
 * are not full keep what they held. */
static void test_turns(void **state) {
  (void)state;
  enum {
    kN = 2,
    kC = 11,
    kH = 3,
    kW = 4,
    kC0 = 8,
    kC1 = 2,
    kPlain = kN * kC * kH * kW,
    kBlocks = kN * kC1 * kH * kW * kC0
  };
  pto_context *ctx = context(PTO_PROFILE_CPU);
  static float plain[kPlain], blocks[kBlocks], back[kPlain];
  for (int i = 0; i < kPlain; ++i) plain[i] = (float)i;
  for (int i = 0; i < kBlocks; ++i) blocks[i] = -1;
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, kN);
  desc.rank = 5;
  desc.layout = PTO_LAYOUT_NCHW;
  desc.dim2 = kC;
  desc.dim3 = kH;
  desc.dim4 = kW;
  pto_tensor *from = pto_tensor_wrap(ctx, &desc, plain, sizeof plain);
  pto_tensor *to = pto_tensor_wrap(ctx, &desc, back, sizeof back);
  desc.layout = PTO_LAYOUT_NC1HWC0;
  desc.dim0 = kN;
  desc.dim1 = kC1;
  desc.dim2 = kH;
  desc.dim3 = kW;
  desc.dim4 = kC0;
  pto_tensor *blocked = pto_tensor_wrap(ctx, &desc, blocks, sizeof blocks);
  pto_tile *pixels = pto_tile_create(ctx, PTO_DTYPE_F32, kN * kH * kW, kC);
  assert_ok(ctx, pto_tload(ctx, pixels, from, 0));
  assert_ok(ctx, pto_tstore(ctx, blocked, pixels, 0));
  for (int i = 0; i < kBlocks; ++i) {
    const int c = i / (kC0 * kH * kW) % kC1 * kC0 + i % kC0;
    const int pixel = i / kC0 % (kH * kW), n = i / (kC0 * kH * kW * kC1);
    const float want = c < kC ? (float)((n * kC + c) * kH * kW + pixel) : -1;
    if (blocks[i] != want) fail_msg("place %d: %g, not %g", i, (double)blocks[i], (double)want);
  }
  assert_ok(ctx, pto_tload(ctx, pixels, blocked, 0));
  assert_ok(ctx, pto_tstore(ctx, to, pixels, 0));
  assert_memory_equal(back, plain, sizeof plain);
  pto_tile_release(pixels);
  pto_tensor_release(from);
  pto_tensor_release(to);
  pto_tensor_release(blocked);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements), cmocka_unit_test(test_profiles), cmocka_unit_test(test_over_the_image),
      cmocka_unit_test(test_known),    cmocka_unit_test(test_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
