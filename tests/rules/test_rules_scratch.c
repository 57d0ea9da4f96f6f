/*
 * test_rules_scratch.c: the rules of tmp tiles and of operands that share bytes.
 */
#include <stdio.h>

#include "fixture.h"
#include "op_rules.h"
#include "rules_tests.h"

/* Instructions with a tmp, whose place is `at`. */
#define FOR_TMP_OPS(op, at) \
  FOR_OPS(op)               \
  for (int32_t at = operand_of(op, PTO_ROLE_TMP), once = 1; at >= 0 && once; once = 0)

static void test_rule_tmp_required(void **state) {
  (void)state;
  int refused = 0;
  FOR_TMP_OPS(op, at) {
    FOR_TYPES(d) {
      pto_tile *tiles[k_operands];
      operands_of(pto_op_name(op), d, tiles);
      if (!pto_op_supports(op, PTO_PROFILE_CPU, d, 0)) continue;
      tiles[at] = NULL;
      char texts[64];
      snprintf(texts, sizeof texts, "tmp is NULL|A2A3|%s", pto_dtype_name(d));
      refused += judge(op, tiles, PTO_ERROR_NULL, "tmp-required", "tmp", texts);
    }
  }
  assert_true(refused > 0);
  /* What the documents say. */
  assert_true(has_rule(pto_op_find("tpow"), "tmp-required", PTO_PROFILE_A2A3));
  assert_false(has_rule(pto_op_find("tpow"), "tmp-required", PTO_PROFILE_A5));
  assert_false(has_rule(pto_op_find("trsqrt"), "tmp-required", PTO_PROFILE_A2A3));
}

static void test_rule_tmp_layout(void **state) {
  (void)state;
  int refused = 0;
  FOR_TMP_OPS(op, at) {
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    pto_tile *const good = tiles[at];
    for (int layout = k_layout_dn; layout < k_layout_usual; ++layout) {
      tiles[at] = tile_laid(layout, pto_tile_dtype(good), 32, 32);
      set_valid(tiles[at], pto_tile_valid_rows(good), pto_tile_valid_cols(good));
      refused += judge(op, tiles, PTO_ERROR_LAYOUT, "tmp-layout", "tmp",
                       layout == k_layout_dn ? "tmp is col-major in vec" : "tmp is boxed|in vec");
    }
    pto_tile_desc desc = desc_of(good);
    desc.location = PTO_LOCATION_MAT;
    tiles[at] = tile_made(&desc);
    refused += judge(op, tiles, PTO_ERROR_LAYOUT, "tmp-layout", "tmp", "row-major in mat|vec");
  }
  assert_true(refused > 0);
}

/* A tmp of the type of the good one in each of these regions. */
static int wrong_tmp(const char *rule, const int32_t (*wrong)[2], int count) {
  int refused = 0;
  FOR_TMP_OPS(op, at) {
    int has = 0;
    for (int p = 0; p < k_profiles; ++p) has |= has_rule(op, rule, p);
    if (!has) continue;
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    tiles[at] = tile_sized(pto_tile_dtype(tiles[at]), 32, 32);
    for (int w = 0; w < count; ++w) {
      char texts[32];
      snprintf(texts, sizeof texts, "tmp|%d|16", wrong[w][0]);
      set_valid(tiles[at], wrong[w][0], wrong[w][1]);
      refused += judge(op, tiles, PTO_ERROR_SHAPE, rule, "tmp", texts);
    }
  }
  return refused;
}

static void test_rule_tmp_valid_equal(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{15, 16}, {16, 15}, {17, 16}, {16, 17}, {0, 0}};
  assert_true(wrong_tmp("tmp-valid-equal", k_wrong, 5) > 0);
}

static void test_rule_tmp_cols(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{0, 16}, {16, 15}, {1, 15}, {1, 0}};
  assert_true(wrong_tmp("tmp-cols", k_wrong, 4) > 0);
}

static void test_rule_tmp_spare_row(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 32}, {1, 32}, {0, 32}, {16, 1}};
  assert_true(wrong_tmp("tmp-spare-row", k_wrong, 4) > 0);
  /* A row more than dst has rows, or than it has columns; of any type. */
  FOR_TMP_OPS(op, at) {
    if (!has_rule(op, "tmp-spare-row", PTO_PROFILE_A2A3)) continue;
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    tiles[at] = tile_sized(PTO_DTYPE_F32, 24, 8);
    set_valid(tiles[at], 17, 8);
    accept_all(op, tiles);
    FOR_NEEDED(op, k) set_valid(tiles[k], 16, 4);
    set_valid(tiles[at], 5, 8);
    accept_all(op, tiles);
    set_valid(tiles[at], 4, 8);
    judge(op, tiles, PTO_ERROR_SHAPE, "tmp-spare-row", "tmp", "tmp has 4|16x4");
  }
}

/* Columns of src one after another, each of whole squares: 16 elements, or 32 bytes. */
static void test_rule_tmp_transposed(void **state) {
  (void)state;
  const int32_t op = pto_op_find("ttrans");
  int refused = 0;
  FOR_TYPES(d) {
    if (!pto_op_supports(op, PTO_PROFILE_A2A3, d, 0)) continue;
    const int32_t size = pto_dtype_bytes(d);
    const int32_t side = size == 1 ? 32 : 16;
    for (int32_t rows = 1; rows <= 2 * side + 1; rows += side / 2) {
      const int32_t whole = (rows + side - 1) / side * side;
      pto_tile *tiles[k_operands] = {tile_sized(d, 32, whole), tile_sized(d, rows, 32), tile_sized(d, 1, whole * 7)};
      set_valid(tiles[1], rows, 7);
      set_valid(tiles[0], 7, rows);
      accept_all(op, tiles);
      tiles[2] = tile_sized(d, 1, whole * 7 - 32 / size);
      char texts[96];
      snprintf(texts, sizeof texts, "tmp has %d bytes where %d are needed|7 columns of %d elements|up to %d",
               (whole * 7 - 32 / size) * size, whole * 7 * size, rows, side);
      refused += judge(op, tiles, PTO_ERROR_SHAPE, "tmp-transposed", "tmp", texts);
      /* Elements are copied one by one if the rows of dst are not whole squares. */
      if (size != 4 || rows > 24) continue;
      tiles[0] = tile_sized(d, 32, 24);
      set_valid(tiles[0], 7, rows);
      accept_all(op, tiles);
    }
  }
  assert_true(refused > 0);
}

static void test_rule_tmp_apart(void **state) {
  (void)state;
  int refused = 0;
  FOR_TMP_OPS(op, at) {
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    FOR_NEEDED(op, k) {
      pto_tile *const tmp = tiles[at];
      pto_tile *const good = tiles[k];
      const int64_t bytes = pto_tile_bytes(good);
      /* The last element of one operand is the first of tmp; then tmp begins after it. */
      lay_over(&tiles[k], &tiles[at], bytes - pto_dtype_bytes(pto_tile_dtype(tmp)));
      char texts[64];
      snprintf(texts, sizeof texts, "tmp|%s", pto_op_operand_name(op, k));
      refused += judge(op, tiles, PTO_ERROR_ALIAS, "tmp-apart", "tmp", texts);
      tiles[k] = good;
      tiles[at] = tmp;
      lay_over(&tiles[k], &tiles[at], bytes);
      accept_all(op, tiles);
      tiles[k] = good;
      tiles[at] = tmp;
    }
  }
  assert_true(refused > 0);
}

/* Pairs of operands of one type that share their first and last element: refused by `rule` where it is about them. */
static int sharing(const char *rule, int with_outputs_only) {
  int refused = 0;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    const int32_t outputs = pto_op_operand_role(op, 1) == PTO_ROLE_OUT ? 2 : 1;
    FOR_NEEDED(op, i) {
      FOR_NEEDED(op, k) {
        if (k <= i || k < outputs || (with_outputs_only && i >= outputs)) continue;
        pto_tile *const first = tiles[i];
        pto_tile *const second = tiles[k];
        const int64_t offset = pto_tile_bytes(first) - pto_dtype_bytes(pto_tile_dtype(second));
        char texts[64];
        snprintf(texts, sizeof texts, "%s|%s|A2A3", pto_op_operand_name(op, i), pto_op_operand_name(op, k));
        for (int whole = 0; whole < 2; ++whole) {
          lay_over(&tiles[i], &tiles[k], whole ? 0 : offset);
          FOR_PROFILES(p, op, pto_tile_dtype(tiles[pto_op_lead(op)])) {
            if (has_rule(op, rule, p)) {
              refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_ALIAS, rule, pto_op_operand_name(op, k), texts);
              ++refused;
            } else if (!has_rule(op, "no-overlap", p) && !has_rule(op, "dst-apart", p)) {
              accept(g_ctx[p], pto_op_name(op), tiles, 0); /* runs in place */
            }
          }
          tiles[i] = first;
          tiles[k] = second;
        }
      }
    }
  }
  return refused;
}

static void test_rule_no_overlap(void **state) {
  (void)state;
  assert_true(sharing("no-overlap", 0) > 0);
}

static void test_rule_dst_apart(void **state) {
  (void)state;
  assert_true(sharing("dst-apart", 1) > 0);
}

const struct CMUnitTest k_scratch_rules[] = {
    RULE_TEST(test_rule_tmp_required), RULE_TEST(test_rule_tmp_layout),    RULE_TEST(test_rule_tmp_valid_equal),
    RULE_TEST(test_rule_tmp_cols),     RULE_TEST(test_rule_tmp_spare_row), RULE_TEST(test_rule_tmp_transposed),
    RULE_TEST(test_rule_tmp_apart),    RULE_TEST(test_rule_no_overlap),    RULE_TEST(test_rule_dst_apart),
};
const int k_scratch_rule_count = sizeof k_scratch_rules / sizeof *k_scratch_rules;
