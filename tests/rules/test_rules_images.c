/*
 * test_rules_images.c: the rules of TIMG2COL, each broken on purpose. What it does is tested in tests/tensor.
 */
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"

static float g_memory[1024];
static pto_tensor_desc g_image;
static pto_tile *g_dst;
/* pos_m to channels, in the order of the operands. */
static int32_t g_numbers[13];

/* A filter of 2x2 over an image of 4x5 in two blocks of 8 channels. */
static void usual(void) {
  static const int32_t numbers[13] = {0, 0, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0};
  memcpy(g_numbers, numbers, sizeof numbers);
  memset(&g_image, 0, sizeof g_image);
  g_image.struct_size = (uint32_t)sizeof g_image;
  g_image.dtype = PTO_DTYPE_F32;
  g_image.layout = PTO_LAYOUT_NC1HWC0;
  g_image.rank = 5;
  g_image.dim0 = 1;
  g_image.dim1 = 2;
  g_image.dim2 = 4;
  g_image.dim3 = 5;
  g_image.dim4 = 8;
  pto_tile_desc desc = desc_of(tile_of(PTO_DTYPE_F32));
  desc.location = PTO_LOCATION_LEFT;
  desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
  g_dst = tile_made(&desc);
}

static pto_status call(pto_context *ctx) {
  pto_tensor *image = pto_tensor_wrap(CPU, &g_image, g_memory, sizeof g_memory);
  assert_non_null(image);
  const int32_t *n = g_numbers;
  const pto_status status = pto_timg2col(ctx, g_dst, image, pto_float(0), n[0], n[1], n[2], n[3], n[4], n[5], n[6],
                                         n[7], n[8], n[9], n[10], n[11], n[12], 0);
  pto_tensor_release(image);
  return status;
}

static void taken(pto_context *ctx) {
  if (call(ctx) != PTO_OK) fail_msg("refused: %s", pto_context_error_message(ctx));
}

/* Nothing is written. */
static void broken(pto_context *ctx, pto_status want, const char *rule, const char *operand, const char *texts) {
  float before[256];
  memcpy(before, pto_tile_data(g_dst), sizeof before);
  expect_error(ctx, call(ctx), want, rule, operand, texts);
  assert_memory_equal(before, pto_tile_data(g_dst), sizeof before);
}

static void test_rule_location_left(void **state) {
  (void)state;
  usual();
  for (int p = 0; p < k_profiles; ++p) taken(g_ctx[p]);
  g_dst = tile_of(PTO_DTYPE_F32);
  taken(CPU);
  broken(A2A3, PTO_ERROR_LAYOUT, "location-left", "dst", "row-major|vec");
  usual();
  pto_tile_desc desc = desc_of(g_dst);
  desc.blayout = PTO_BLAYOUT_ROW_MAJOR;
  g_dst = tile_made(&desc);
  taken(CPU);
  broken(A5, PTO_ERROR_LAYOUT, "location-left", "dst", "boxed row-major/row-major|left");
}

static void test_rule_image_layout(void **state) {
  (void)state;
  for (int p = 0; p < k_profiles; ++p) {
    usual();
    g_image.layout = PTO_LAYOUT_NDC1HWC0;
    taken(g_ctx[p]);
    g_image.layout = PTO_LAYOUT_ND;
    broken(g_ctx[p], PTO_ERROR_LAYOUT, "image-layout", "src", "ND");
    usual();
    g_image.dim4 = 0;
    broken(g_ctx[p], PTO_ERROR_LAYOUT, "image-layout", "src", "0 channels");
  }
  usual();
  g_image.dtype = PTO_DTYPE_I32;
  broken(CPU, PTO_ERROR_DTYPE, "same-dtype", "src", "i32|f32");
}

static void test_rule_image_range(void **state) {
  (void)state;
  static const char *const names[13] = {"pos_m",    "pos_k",      "filter_h",   "filter_w", "stride_h",
                                        "stride_w", "dilation_h", "dilation_w", "pad_left", "pad_right",
                                        "pad_top",  "pad_bottom", "channels"};
  for (int i = 0; i < 13; ++i) {
    usual();
    g_numbers[i] = i >= 2 && i < 8 ? 0 : -1;
    broken(g_ctx[i % 3], PTO_ERROR_ARGUMENT, "image-range", names[i], g_numbers[i] == 0 ? "0|1" : "-1|0");
    g_numbers[i] += 1;
    taken(g_ctx[i % 3]);
  }
  /* A filter as high and as wide as the image, and one more. */
  usual();
  g_numbers[2] = 4;
  g_numbers[3] = 3;
  g_numbers[7] = 2;
  taken(CPU);
  g_numbers[2] = 5;
  broken(CPU, PTO_ERROR_ARGUMENT, "image-range", "src", "4x5|5x3");
  g_numbers[10] = 1;
  taken(CPU);
  g_numbers[7] = 3;
  broken(A5, PTO_ERROR_ARGUMENT, "image-range", "src", "4x5|5x3|3 apart");
  g_numbers[8] = g_numbers[9] = 1;
  taken(A5);
  /* Of nothing all is padding. */
  usual();
  g_image.dim0 = 0;
  taken(CPU);
}

const struct CMUnitTest k_image_rules[] = {
    RULE_TEST(test_rule_location_left),
    RULE_TEST(test_rule_image_layout),
    RULE_TEST(test_rule_image_range),
};
const int k_image_rule_count = sizeof k_image_rules / sizeof *k_image_rules;
