/*
 * test_rules_matrix.c: the rules of products of matrices, and what other rules say of their operands. A refused call
 * leaves the accumulator as it was: refuse() looks.
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"
#include "typed_calls.h"

#define FOR_PRODUCTS(op)                                                       \
  for (int32_t op##_at = 0, op; op##_at < pto_op_count(); ++op##_at, forget()) \
    if (op = pto_op_at(op##_at), is_product(op))

#define FOR_TILES(op, k)                                 \
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) \
    if (is_needed(op, k))

enum { k_cpu_too = 1, k_only_a5 = 2 };

/* A2A3 has no block scales. */
static int on_a2a3(int32_t op) { return pto_op_supports(op, PTO_PROFILE_A2A3, PTO_DTYPE_F32, 0); }

/* Refused under A2A3 and A5; under CPU too, or accepted there. */
static void judged(int32_t op, pto_tile *const *tiles, pto_status status, const char *rule, int32_t operand,
                   const char *texts, int how) {
  const char *name = pto_op_name(op);
  const char *at = pto_op_operand_name(op, operand);
  if ((how & k_cpu_too) != 0) {
    refuse(CPU, name, tiles, 0, status, rule, at, texts);
  } else {
    accept(CPU, name, tiles, 0);
  }
  if (!on_a2a3(op)) {
    refuse(A2A3, name, tiles, 0, PTO_ERROR_DTYPE, "dtype", "dst", "f32|A2A3");
  } else if ((how & k_only_a5) != 0) {
    accept(A2A3, name, tiles, 0);
  } else {
    refuse(A2A3, name, tiles, 0, status, rule, at, texts);
  }
  refuse(A5, name, tiles, 0, status, rule, at, texts);
}

static void all_accept(int32_t op, pto_tile *const *tiles) {
  for (int p = 0; p < k_profiles; ++p) {
    if (p != PTO_PROFILE_A2A3 || on_a2a3(op)) accept(g_ctx[p], pto_op_name(op), tiles, 0);
  }
}

static int is_vector(int32_t op) { return strncmp(pto_op_name(op), "tgemv", 5) == 0; }

static int32_t operand_with(int32_t op, int32_t extent) {
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
    if (is_needed(op, k) && pto_op_operand_extent(op, k) == extent) return k;
  }
  return -1;
}

/* The same tile with something of it changed. */
static pto_tile *changed(const pto_tile *tile, void (*change)(pto_tile_desc *desc)) {
  pto_tile_desc desc = desc_of(tile);
  change(&desc);
  return tile_made(&desc);
}

static void set_region(pto_tile *tile, int32_t rows, int32_t cols) {
  assert_int_equal(pto_tile_set_valid(CPU, tile, rows, cols), PTO_OK);
}

/* For rows x k by k x cols elements, k in this number of groups. */
static void set_scales(int32_t op, pto_tile *const *tiles, int32_t rows, int32_t groups, int32_t cols) {
  if (operand_with(op, PTO_EXTENT_LEFT_SCALES) < 0) return;
  set_region(tiles[operand_with(op, PTO_EXTENT_LEFT_SCALES)], rows, groups);
  set_region(tiles[operand_with(op, PTO_EXTENT_RIGHT_SCALES)], groups, cols);
}

static void to_vec(pto_tile_desc *desc) { desc->location = PTO_LOCATION_VEC; }
static void to_mat(pto_tile_desc *desc) { desc->location = PTO_LOCATION_MAT; }

static void test_rule_location_matrix(void **state) {
  (void)state;
  FOR_PRODUCTS(op) {
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    all_accept(op, tiles);
    FOR_TILES(op, k) {
      pto_tile *const good = tiles[k];
      const int32_t extent = pto_op_operand_extent(op, k);
      const char *needs = extent == PTO_EXTENT_LEFT           ? "left"
                          : extent == PTO_EXTENT_RIGHT        ? "right"
                          : extent == PTO_EXTENT_ROW          ? "bias"
                          : extent == PTO_EXTENT_LEFT_SCALES  ? "scale_left"
                          : extent == PTO_EXTENT_RIGHT_SCALES ? "scale_right"
                                                              : "acc";
      char texts[32];
      tiles[k] = changed(good, to_vec);
      snprintf(texts, sizeof texts, "vec|%s", needs);
      judged(op, tiles, PTO_ERROR_LAYOUT, "location-matrix", k, texts, 0);
      tiles[k] = changed(good, to_mat);
      snprintf(texts, sizeof texts, "mat|%s", needs);
      judged(op, tiles, PTO_ERROR_LAYOUT, "location-matrix", k, texts, 0);
      tiles[k] = good;
    }
  }
}

static void turn_boxes(pto_tile_desc *desc) {
  desc->blayout = desc->blayout == PTO_BLAYOUT_ROW_MAJOR ? PTO_BLAYOUT_COL_MAJOR : PTO_BLAYOUT_ROW_MAJOR;
}
static void turn_in_boxes(pto_tile_desc *desc) {
  desc->slayout = desc->slayout == PTO_SLAYOUT_ROW_MAJOR ? PTO_SLAYOUT_COL_MAJOR : PTO_SLAYOUT_ROW_MAJOR;
  desc->rows = desc->cols = 32;
}
static void unbox(pto_tile_desc *desc) { desc->slayout = PTO_SLAYOUT_NONE_BOX; }
static void other_boxes(pto_tile_desc *desc) { desc->fractal = desc->fractal == 512 ? 1024 : 512; }
static void two_rows(pto_tile_desc *desc) { desc->rows = 2; }
static void upright(pto_tile_desc *desc) {
  desc->blayout = PTO_BLAYOUT_COL_MAJOR;
  desc->rows = desc->valid_rows = 16;
  desc->cols = desc->valid_cols = 1;
}

static void test_rule_matrix_layout(void **state) {
  (void)state;
  static const struct {
    void (*change)(pto_tile_desc *desc);
    const char *texts;
  } k_matrix[] = {{turn_boxes, "boxed|fractal"},
                  {turn_in_boxes, "boxed|fractal"},
                  {unbox, "-major with a fractal"},
                  {other_boxes, "1024|512"}};
  FOR_PRODUCTS(op) {
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    FOR_TILES(op, k) {
      const int32_t extent = pto_op_operand_extent(op, k);
      pto_tile *const good = tiles[k];
      for (int i = 0; extent != PTO_EXTENT_ROW && i < 4; ++i) {
        /* The boxes of the left matrix may follow one another in rows, where they do with A2A3. */
        const int either = extent == PTO_EXTENT_LEFT && i == 0;
        const int scales = extent == PTO_EXTENT_LEFT_SCALES || extent == PTO_EXTENT_RIGHT_SCALES;
        char texts[96]; /* with what was needed, which is what the good one is */
        snprintf(texts, sizeof texts, "%s|/%s with %d", scales && i == 3 ? "512|32" : k_matrix[i].texts,
                 pto_tile_slayout(good) == PTO_SLAYOUT_ROW_MAJOR ? "row-major" : "col-major", pto_tile_fractal(good));
        tiles[k] = changed(good, k_matrix[i].change);
        judged(op, tiles, PTO_ERROR_LAYOUT, "matrix-layout", k, texts, either ? k_only_a5 : 0);
      }
      for (int i = 0; extent == PTO_EXTENT_ROW && i < 2; ++i) {
        tiles[k] = changed(good, i == 0 ? two_rows : upright);
        judged(op, tiles, PTO_ERROR_LAYOUT, "matrix-layout", k, i == 0 ? "2 rows" : "col-major", 0);
      }
      tiles[k] = good;
    }
  }
}

static void test_rule_matrix_valid(void **state) {
  (void)state;
  FOR_PRODUCTS(op) {
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    const int32_t left = operand_with(op, PTO_EXTENT_LEFT);
    const int32_t right = operand_with(op, PTO_EXTENT_RIGHT);
    const int32_t rows = is_vector(op) ? 1 : 16;
    /* Sums of different lengths. */
    set_region(tiles[left], rows, 15);
    judged(op, tiles, PTO_ERROR_SHAPE, "matrix-valid", right, "16 valid rows|15 valid columns", k_cpu_too);
    set_region(tiles[left], rows, 17);
    judged(op, tiles, PTO_ERROR_SHAPE, "matrix-valid", right, "16 valid rows|17 valid columns", k_cpu_too);
    set_region(tiles[right], 17, 16);
    all_accept(op, tiles);
    /* Too few rows or columns; under CPU there may be more. */
    set_region(tiles[left], rows - 1, 17);
    judged(op, tiles, PTO_ERROR_SHAPE, "matrix-valid", left, is_vector(op) ? "0 valid rows|1" : "15 valid rows|16",
           k_cpu_too);
    set_region(tiles[left], rows, 17);
    set_region(tiles[right], 17, 15);
    judged(op, tiles, PTO_ERROR_SHAPE, "matrix-valid", right, "15 valid columns|16", k_cpu_too);
    set_region(tiles[right], 17, 16);
    FOR_TILES(op, k) {
      if (pto_op_operand_extent(op, k) == PTO_EXTENT_SAME) set_region(tiles[k], rows, 14);
    }
    judged(op, tiles, PTO_ERROR_SHAPE, "matrix-valid", right, "16 valid columns|14", 0);
    set_region(tiles[right], 17, 14);
    const int32_t scales = operand_with(op, PTO_EXTENT_RIGHT_SCALES);
    if (scales >= 0) set_region(tiles[scales], 1, 14);
    all_accept(op, tiles);
    /* The accumulator and the bias. */
    const int32_t start = operand_with(op, PTO_EXTENT_ROW) >= 0 ? operand_with(op, PTO_EXTENT_ROW) : 1;
    if (start == left) continue;
    set_region(tiles[start], pto_tile_valid_rows(tiles[start]), 13);
    if (start == 1) {
      refuse(CPU, pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "valid-covers", "acc_in", "13|14");
      refuse(A5, pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "valid-equal", "acc_in", "13|14");
    } else {
      judged(op, tiles, PTO_ERROR_SHAPE, "cols-covered", start, "13 scalars|14", k_cpu_too);
    }
  }
}

static void test_rule_matrix_size(void **state) {
  (void)state;
  FOR_PRODUCTS(op) {
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    const int32_t left = operand_with(op, PTO_EXTENT_LEFT);
    const int32_t right = operand_with(op, PTO_EXTENT_RIGHT);
    /* No products; CPU: sums of none. */
    set_region(tiles[left], is_vector(op) ? 1 : 16, 0);
    set_region(tiles[right], 0, 16);
    set_scales(op, tiles, is_vector(op) ? 1 : 16, 0, 16);
    judged(op, tiles, PTO_ERROR_SHAPE, "matrix-size", 0, "x0|1 to 4095", 0);
  }
  /* More than 4095 do not fit in the memories: that rule is checked first. */
  pto_tile *tiles[k_operands];
  operands_of("tmatmul", PTO_DTYPE_F32, tiles);
  pto_tile_desc desc = desc_of(tiles[1]);
  desc.rows = desc.valid_rows = 4096;
  desc.dtype = PTO_DTYPE_F16;
  desc.cols = 16;
  tiles[1] = tile_made(&desc);
  refuse(A5, "tmatmul", tiles, 0, PTO_ERROR_LAYOUT, "capacity", "a", "131072|65536");
}

static void test_rule_one_row(void **state) {
  (void)state;
  FOR_PRODUCTS(op) {
    if (!is_vector(op)) continue;
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    FOR_TILES(op, k) {
      const int32_t extent = pto_op_operand_extent(op, k);
      if (extent == PTO_EXTENT_SAME || extent == PTO_EXTENT_LEFT) set_region(tiles[k], 2, 16);
    }
    set_scales(op, tiles, 2, 1, 16);
    judged(op, tiles, PTO_ERROR_SHAPE, "one-row", 0, "2 valid rows", 0);
  }
}

static void test_rule_scale_valid(void **state) {
  (void)state;
  FOR_PRODUCTS(op) {
    const int32_t left = operand_with(op, PTO_EXTENT_LEFT_SCALES);
    const int32_t right = operand_with(op, PTO_EXTENT_RIGHT_SCALES);
    if (left < 0) continue;
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    const int32_t rows = is_vector(op) ? 1 : 16;
    /* 32 elements have one scale, 33 have two. */
    set_region(tiles[operand_with(op, PTO_EXTENT_LEFT)], rows, 33);
    set_region(tiles[operand_with(op, PTO_EXTENT_RIGHT)], 33, 16);
    judged(op, tiles, PTO_ERROR_SHAPE, "scale-valid", left, is_vector(op) ? "1x1|1x2" : "16x1|16x2", k_cpu_too);
    set_scales(op, tiles, rows, 2, 15);
    judged(op, tiles, PTO_ERROR_SHAPE, "scale-valid", right, "2x15|2x16", k_cpu_too);
    set_scales(op, tiles, rows, 2, 16);
    all_accept(op, tiles);
    set_region(tiles[operand_with(op, PTO_EXTENT_LEFT)], rows, 32);
    set_region(tiles[operand_with(op, PTO_EXTENT_RIGHT)], 32, 16);
    judged(op, tiles, PTO_ERROR_SHAPE, "scale-valid", left, "2|1", 0);
    set_region(tiles[left], rows - 1, 1);
    judged(op, tiles, PTO_ERROR_SHAPE, "scale-valid", left, is_vector(op) ? "0x1|1x1" : "15x1|16x1", k_cpu_too);
    set_scales(op, tiles, rows, 1, 17);
    judged(op, tiles, PTO_ERROR_SHAPE, "scale-valid", right, "1x17|1x16", 0);
  }
}

static void half_as_wide(pto_tile_desc *desc) { desc->cols = 32; }
static void half_as_high(pto_tile_desc *desc) { desc->rows = 32; }

static void test_rule_scale_pairs(void **state) {
  (void)state;
  FOR_PRODUCTS(op) {
    if (operand_with(op, PTO_EXTENT_LEFT_SCALES) < 0) continue;
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    const int32_t left = operand_with(op, PTO_EXTENT_LEFT);
    const int32_t right = operand_with(op, PTO_EXTENT_RIGHT);
    pto_tile *const good = tiles[left];
    tiles[left] = changed(good, half_as_wide);
    judged(op, tiles, PTO_ERROR_SHAPE, "scale-pairs", left, "32 columns|64", 0);
    tiles[left] = good;
    tiles[right] = changed(tiles[right], half_as_high);
    judged(op, tiles, PTO_ERROR_SHAPE, "scale-pairs", right, "32 rows|64", 0);
  }
}

/* The types of the factors: one, or two of e4m3 and e5m2, or with block scales of e2m1 and e1m2; A2A3 has none of a
 * byte or less but i8. */
static void factors_have_types(void) {
  static const char *const k_refused[] = {"same-dtype", "operand-dtype"};
  FOR_PRODUCTS(op) {
    const int32_t left = operand_with(op, PTO_EXTENT_LEFT);
    const int32_t right = operand_with(op, PTO_EXTENT_RIGHT);
    for (pto_dtype a = PTO_DTYPE_I8; pto_dtype_bytes(a) != 0; a = (pto_dtype)(a + 1)) {
      for (pto_dtype b = PTO_DTYPE_I8; pto_dtype_bytes(b) != 0; b = (pto_dtype)(b + 1), forget()) {
        pto_tile *tiles[k_operands];
        operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
        tiles[left] = tile_of_product(a, PTO_EXTENT_LEFT, is_vector(op));
        tiles[right] = tile_of_product(b, PTO_EXTENT_RIGHT, is_vector(op));
        const int bytes = a >= PTO_DTYPE_E4M3 && a <= PTO_DTYPE_E5M2 && b >= PTO_DTYPE_E4M3 && b <= PTO_DTYPE_E5M2;
        const int halves = a >= PTO_DTYPE_E2M1 && a <= PTO_DTYPE_E1M2 && b >= PTO_DTYPE_E2M1 && b <= PTO_DTYPE_E1M2;
        const int mixed = bytes || halves;
        for (int p = 0; p < k_profiles; ++p) {
          const uint32_t set = pto_op_operand_dtypes(op, left, (pto_profile)p, PTO_DTYPE_F32);
          if (p == PTO_PROFILE_A2A3 && !on_a2a3(op)) {
            refuse(A2A3, pto_op_name(op), tiles, 0, PTO_ERROR_DTYPE, "dtype", "dst", "f32|A2A3");
            continue;
          }
          const int scaled = operand_with(op, PTO_EXTENT_LEFT_SCALES) >= 0;
          assert_int_equal(set >> PTO_DTYPE_E4M3 & 7, p == PTO_PROFILE_A2A3 ? 0 : scaled ? 3 : 7);
          assert_int_equal(set >> PTO_DTYPE_E2M1 & 7, scaled ? 3 : 0);
          assert_int_equal((set & 1 << PTO_DTYPE_F32) == 0, scaled);
          const int known = (int)(set >> a & set >> b & 1);
          if (known && (a == b || mixed)) {
            accept(g_ctx[p], pto_op_name(op), tiles, 0);
          } else {
            const int32_t at = known || (set >> a & 1) != 0 ? right : left;
            refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_DTYPE, k_refused[!known], pto_op_operand_name(op, at),
                   pto_dtype_name(at == left ? a : b));
          }
        }
      }
    }
  }
}

static int32_t mad_of(int32_t op) {
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
    const char *mode = pto_op_operand_mode(op, k);
    if (mode != NULL && strcmp(mode, "mad") == 0) return k;
  }
  return -1;
}

/* CPU rounds in every way, A2A3 to HF32, A5 to TF32. */
static void test_rule_mad_mode(void **state) {
  (void)state;
  factors_have_types();
  static const int k_takes[][5] = {{1, 1, 1, 1, 1}, {1, 1, 1, 0, 0}, {1, 0, 0, 1, 1}};
  int seen = 0;
  FOR_PRODUCTS(op) {
    if (mad_of(op) < 0) continue;
    typed_operands t = {.flags = 0};
    pto_tile *tiles[k_operands];
    operands_of(pto_op_name(op), PTO_DTYPE_F32, tiles);
    memcpy(t.tiles, tiles, sizeof t.tiles);
    for (int p = 0; p < k_profiles; ++p) {
      for (t.numbers[0] = PTO_MAD_NONE; t.numbers[0] <= PTO_MAD_TF32_ROUND; ++t.numbers[0], ++seen) {
        if (k_takes[p][t.numbers[0]]) {
          assert_int_equal(typed_call(g_ctx[p], op, &t), PTO_OK);
          continue;
        }
        uint8_t before[16 * 16 * 4];
        assert_int_equal(pto_tile_bytes(t.tiles[0]), sizeof before);
        memcpy(before, pto_tile_data(t.tiles[0]), sizeof before);
        expect_error(g_ctx[p], typed_call(g_ctx[p], op, &t), PTO_ERROR_ARGUMENT, "mad-mode", "mad",
                     p == PTO_PROFILE_A2A3 ? "TF32|A2A3|HF32" : "HF32|A5|TF32");
        assert_memory_equal(before, pto_tile_data(t.tiles[0]), sizeof before);
      }
    }
  }
  assert_int_equal(seen, 6 * 3 * 5);
}

const struct CMUnitTest k_matrix_rules[] = {
    RULE_TEST(test_rule_location_matrix), RULE_TEST(test_rule_matrix_layout), RULE_TEST(test_rule_matrix_valid),
    RULE_TEST(test_rule_matrix_size),     RULE_TEST(test_rule_one_row),       RULE_TEST(test_rule_mad_mode),
    RULE_TEST(test_rule_scale_valid),     RULE_TEST(test_rule_scale_pairs),
};
const int k_matrix_rule_count = sizeof k_matrix_rules / sizeof *k_matrix_rules;
