/*
 * pto_tprint() against the C library's own printf(), and the context's output: what it holds, when it is cut, how it is
 * emptied.
 */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts.h"
#include "strange_fp.h"
#include "testing.h"

static pto_context *g_ctx;

static int make(void **state) {
  (void)state;
  g_ctx = pto_context_create(PTO_PROFILE_CPU);
  return g_ctx == NULL;
}
static int drop(void **state) {
  (void)state;
  pto_context_release(g_ctx);
  return 0;
}

static const struct {
  int width;
  int precision;
} k_formats[] = {{8, 4}, {8, 2}, {10, 6}};

static double number_of(pto_dtype dtype, uint32_t bits) {
  if (dtype == PTO_DTYPE_F32 || dtype == PTO_DTYPE_BF16) {
    float value;
    if (dtype == PTO_DTYPE_BF16) bits <<= 16;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
  }
  const int field = (int)(bits >> 10 & 31);
  const double fraction = (double)(bits & 1023);
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (field == 31) return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
  return sign * (field == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, field - 25));
}

/* What a tile of one row prints. */
static void expect_row(pto_dtype dtype, const uint32_t *bits, int count, int format) {
  char want[8192], *at = want;
  pto_tile *tile = pto_tile_create(g_ctx, dtype, 1, count);
  at += sprintf(at, "TPRINT 1x%d\n", count);
  const size_t size = (size_t)pto_dtype_bytes(dtype);
  for (int i = 0; i < count; ++i) {
    memcpy((char *)pto_tile_data(tile) + (size_t)i * size, &bits[i], size); /* little-endian */
    const double value = number_of(dtype, bits[i]);
    const char *sep = i == 0 ? "" : " ";
    if (isnan(value)) {
      at += sprintf(at, "%s%*s", sep, k_formats[format].width, "nan");
    } else {
      at += sprintf(at, "%s%*.*f", sep, k_formats[format].width, k_formats[format].precision, value);
    }
  }
  strcpy(at, "\n");
  pto_context_clear_output(g_ctx);
  assert_int_equal(pto_tprint(g_ctx, tile, (pto_print_format)format), PTO_OK);
  assert_string_equal(pto_context_output(g_ctx), want);
  pto_tile_release(tile);
}

static void test_floats_as_printf(void **state) {
  (void)state;
  enum { k_row = 64 };
  uint32_t row[k_row];
  for (int format = 0; format < 3; ++format) {
    for (uint32_t first = 0; first < 0x10000; first += k_row) {
      for (uint32_t i = 0; i < k_row; ++i) row[i] = first + i;
      expect_row(PTO_DTYPE_F16, row, k_row, format);
      expect_row(PTO_DTYPE_BF16, row, k_row, format);
    }
    uint32_t seed = 1;
    for (int n = 0; n < 2000; ++n) {
      for (int i = 0; i < k_row; ++i) {
        seed = seed * 1664525U + 1013904223U;
        /* Every other one near 1, where digits are cut: ties, too. */
        row[i] = n % 2 == 0 ? seed : (seed & 0x807fff00U) | (118U + (seed >> 8) % 20) << 23;
      }
      expect_row(PTO_DTYPE_F32, row, k_row, format);
    }
  }
}

static void test_floats_of_a_byte(void **state) {
  (void)state;
  static const struct {
    pto_dtype dtype;
    uint8_t codes[4];
    const char *want;
  } k_rows[] = {{PTO_DTYPE_E4M3, {0x38, 0x7e, 0x7f, 0x81}, "TPRINT 1x4\n  1.0000 448.0000      nan  -0.0020\n"},
                {PTO_DTYPE_E5M2, {0x3c, 0xfc, 0x7f, 0x01}, "TPRINT 1x4\n  1.0000     -inf      nan   0.0000\n"},
                {PTO_DTYPE_HIF8, {0x08, 0x6f, 0x80, 0x97}, "TPRINT 1x4\n  1.0000      inf      nan  -3.7500\n"},
                {PTO_DTYPE_E8M0, {0x7f, 0x80, 0xff, 0x7d}, "TPRINT 1x4\n  1.0000   2.0000      nan   0.2500\n"}};
  for (size_t i = 0; i < sizeof k_rows / sizeof *k_rows; ++i) {
    pto_tile *tile = pto_tile_create(g_ctx, k_rows[i].dtype, 1, 4);
    assert_int_equal(pto_tile_write(g_ctx, tile, k_rows[i].codes, 4), PTO_OK);
    pto_context_clear_output(g_ctx);
    assert_int_equal(pto_tprint(g_ctx, tile, PTO_PRINT_FORMAT_WIDTH8_PRECISION4), PTO_OK);
    assert_string_equal(pto_context_output(g_ctx), k_rows[i].want);
    pto_tile_release(tile);
  }
  pto_context_clear_output(g_ctx);
}

/* A view of a boxed tile prints rows; integers are numbers of their width. */
static void test_integers_and_layouts(void **state) {
  (void)state;
  pto_tile_desc desc = layout_desc(&k_layouts[2], PTO_DTYPE_I8, 16, 32);
  desc.valid_rows = 2;
  desc.valid_cols = 3;
  const int8_t small[] = {-128, 0, 127, 1, -1, 10};
  pto_tile *tile = pto_tile_create_from(g_ctx, &desc);
  assert_int_equal(pto_tile_write(g_ctx, tile, small, sizeof small), PTO_OK);
  assert_int_equal(pto_tprint(g_ctx, tile, PTO_PRINT_FORMAT_WIDTH8_PRECISION4), PTO_OK);
  pto_tile_release(tile);
  const uint64_t most[] = {UINT64_MAX, 7};
  tile = pto_tile_create(g_ctx, PTO_DTYPE_U64, 1, 2);
  assert_int_equal(pto_tile_write(g_ctx, tile, most, sizeof most), PTO_OK);
  assert_int_equal(pto_tprint(g_ctx, tile, PTO_PRINT_FORMAT_WIDTH10_PRECISION6), PTO_OK);
  assert_int_equal(pto_tile_set_valid(g_ctx, tile, 0, 2), PTO_OK);
  assert_int_equal(pto_tprint(g_ctx, tile, PTO_PRINT_FORMAT_WIDTH8_PRECISION2), PTO_OK);
  pto_tile_release(tile);
  assert_int_equal(pto_context_print(g_ctx, "end"), PTO_OK);
  assert_string_equal(pto_context_output(g_ctx),
                      "TPRINT 2x3\n    -128        0      127\n       1       -1       10\n"
                      "TPRINT 1x2\n18446744073709551615          7\nTPRINT 0x2\nend");
}

/* The caller's rounding and locale do not matter. */
static void test_strange_hosts(void **state) {
  (void)state;
  pto_tile *tile = pto_tile_create(g_ctx, PTO_DTYPE_F32, 1, 3);
  const float values[] = {2.00002F, -0.03125F, 1e-40F};
  assert_int_equal(pto_tile_write(g_ctx, tile, values, sizeof values), PTO_OK);
  (void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where the machine has it */
  strange_fp_enter();
  const pto_status status = pto_tprint(g_ctx, tile, PTO_PRINT_FORMAT_WIDTH8_PRECISION4);
  assert_true(strange_fp_leave());
  assert_int_equal(status, PTO_OK);
  assert_string_equal(pto_context_output(g_ctx), "TPRINT 1x3\n  2.0000  -0.0312   0.0000\n");
  (void)setlocale(LC_ALL, "C");
  pto_tile_release(tile);
}

/* A huge tile, and many small ones: whole lines; the last one reports the cut. */
static void test_cut(void **state) {
  (void)state;
  static const char cut[] = "... cut: no more than 1 MiB is kept\n";
  for (int huge = 0; huge < 2; ++huge) {
    pto_tile *tile =
        huge ? pto_tile_create(g_ctx, PTO_DTYPE_F32, 1024, 1024) : pto_tile_create(g_ctx, PTO_DTYPE_I32, 1, 7);
    pto_context_clear_output(g_ctx);
    for (int i = 0; i < (huge ? 1 : 20000); ++i)
      assert_int_equal(pto_tprint(g_ctx, tile, PTO_PRINT_FORMAT_WIDTH8_PRECISION4), PTO_OK);
    const char *const text = pto_context_output(g_ctx);
    const size_t length = strlen(text);
    assert_true(length < 1 << 20 && length > (1 << 20) - (huge ? 10000 : 200));
    assert_string_equal(text + length - (sizeof cut - 1), cut);
    assert_int_equal(text[length - sizeof cut], '\n');
    if (huge) assert_int_equal((length - 17 - (sizeof cut - 1)) % (9 * 1024), 0);
    /* Nothing more is added, and nothing is lost. */
    assert_int_equal(pto_tprint(g_ctx, tile, PTO_PRINT_FORMAT_WIDTH8_PRECISION4), PTO_OK);
    assert_int_equal(pto_context_print(g_ctx, "more"), PTO_OK);
    assert_int_equal(strlen(pto_context_output(g_ctx)), length);
    pto_context_clear_output(g_ctx);
    assert_string_equal(pto_context_output(g_ctx), "");
    assert_int_equal(pto_context_print(g_ctx, "again"), PTO_OK);
    assert_string_equal(pto_context_output(g_ctx), "again");
    pto_tile_release(tile);
  }
  /* One line that is too long leaves what was there before. */
  char *const line = malloc((1 << 20) + 1);
  memset(line, 'x', 1 << 20);
  line[1 << 20] = '\0';
  pto_context_clear_output(g_ctx);
  assert_int_equal(pto_context_print(g_ctx, "first\n"), PTO_OK);
  assert_int_equal(pto_context_print(g_ctx, line), PTO_OK);
  assert_string_equal(pto_context_output(g_ctx), "first\n... cut: no more than 1 MiB is kept\n");
  free(line);
}

/* Contexts have outputs of their own, and a failing call prints nothing. */
static void test_own_output(void **state) {
  (void)state;
  pto_context *other = pto_context_create(PTO_PROFILE_A5);
  pto_tile *tile = pto_tile_create(other, PTO_DTYPE_F16, 1, 16);
  assert_string_equal(pto_context_output(other), "");
  assert_string_equal(pto_context_output(NULL), "");
  pto_context_clear_output(NULL);
  pto_context_clear_output(other);
  assert_int_equal(pto_tprint(other, tile, (pto_print_format)3), PTO_ERROR_ARGUMENT);
  assert_int_equal(pto_tprint(other, NULL, PTO_PRINT_FORMAT_WIDTH8_PRECISION4), PTO_ERROR_NULL);
  assert_int_equal(pto_context_print(other, NULL), PTO_ERROR_NULL);
  assert_string_equal(pto_context_output(other), "");
  assert_int_equal(pto_context_print(other, "a"), PTO_OK);
  assert_string_equal(pto_context_output(other), "a");
  assert_string_equal(pto_context_output(g_ctx), "");
  pto_tile_release(tile);
  pto_context_release(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_floats_as_printf, make, drop),
      cmocka_unit_test_setup_teardown(test_floats_of_a_byte, make, drop),
      cmocka_unit_test_setup_teardown(test_integers_and_layouts, make, drop),
      cmocka_unit_test_setup_teardown(test_strange_hosts, make, drop),
      cmocka_unit_test_setup_teardown(test_cut, make, drop),
      cmocka_unit_test_setup_teardown(test_own_output, make, drop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
