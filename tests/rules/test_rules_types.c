/*
 * test_rules_types.c: the rules of element types, scalars and modes.
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "op_rules.h"
#include "rules_tests.h"

/* The operand has types of its own beside the types of the lead operand. */
static int has_types(int32_t op, int32_t k) {
  FOR_TYPES(d) {
    FOR_PROFILES(p, op, d) {
      if (pto_op_operand_dtypes(op, k, (pto_profile)p, d) != (uint32_t)1 << d) return 1;
    }
  }
  return 0;
}

/* The threshold of TGATHER has any type of the places that it finds, in all combinations. */
static int is_threshold(int32_t op, int32_t k) { return strcmp(pto_op_operand_name(op, k), "k_value") == 0; }

/* The first operand after `from` that has the types of its own that the k-th has. */
static int32_t like(int32_t op, int32_t k, int32_t from) {
  for (int32_t i = from; i < k_operands; ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    int same = (role == PTO_ROLE_IN || role == PTO_ROLE_OUT) && has_types(op, i);
    same = same && is_threshold(op, i) == is_threshold(op, k);
    FOR_TYPES(d) {
      FOR_PROFILES(p, op, d) {
        same &= pto_op_operand_dtypes(op, k, (pto_profile)p, d) == pto_op_operand_dtypes(op, i, (pto_profile)p, d);
      }
    }
    if (same) return i;
  }
  return -1;
}

/* One of several operands whose types must be the same beside that. */
static int grouped(int32_t op, int32_t k) {
  const int32_t first = has_types(op, k) ? like(op, k, 0) : -1;
  return first >= 0 && like(op, k, first + 1) >= 0;
}

/* Each operand with each type beside each type of the lead operand. */
static int wrong_types(const char *rule, int own) {
  int refused = 0;
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    FOR_TYPES(lead) {
      pto_tile *tiles[k_operands];
      operands_of(pto_op_name(op), lead, tiles);
      FOR_NEEDED(op, k) {
        /* Groups have one type, which test_rule_same_dtype() looks at. */
        if (k == pto_op_lead(op) || has_types(op, k) != own || grouped(op, k)) continue;
        pto_tile *const good = tiles[k];
        FOR_TYPES(d) {
          const int32_t least = 32 / pto_dtype_bytes(d);
          tiles[k] = tile_sized(d, pto_tile_rows(good), pto_tile_cols(good) < least ? least : pto_tile_cols(good));
          set_valid(tiles[k], pto_tile_valid_rows(good), pto_tile_valid_cols(good));
          char texts[32];
          snprintf(texts, sizeof texts, "%s|%s", pto_dtype_name(d), pto_dtype_name(lead));
          FOR_PROFILES(p, op, lead) {
            if ((pto_op_operand_dtypes(op, k, (pto_profile)p, lead) >> d & 1) != 0) {
              if (d != lead && has_rule(op, "location-move", p)) continue; /* not from vec */
              accept(g_ctx[p], pto_op_name(op), tiles, 0);
            } else {
              refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_DTYPE, rule, pto_op_operand_name(op, k), texts);
              ++refused;
            }
          }
        }
        tiles[k] = good;
      }
      forget();
    }
  }
  return refused;
}

static void test_rule_same_dtype(void **state) {
  (void)state;
  assert_true(wrong_types("same-dtype", 0) > 0);
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    FOR_NEEDED(op, k) {
      if (!grouped(op, k)) continue;
      pto_tile *const good = tiles[k];
      FOR_TYPES(d) {
        if (d == pto_tile_dtype(good)) continue;
        tiles[k] = tile_sized(d, pto_tile_rows(good), 32);
        set_valid(tiles[k], pto_tile_valid_rows(good), pto_tile_valid_cols(good));
        FOR_PROFILES(p, op, dtype) {
          const int takes = (pto_op_operand_dtypes(op, k, (pto_profile)p, dtype) >> d & 1) != 0;
          /* The second of them is named where the first one is another. */
          const int32_t first = like(op, k, 0);
          const char *named = pto_op_operand_name(op, takes && k == first ? like(op, k, first + 1) : k);
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_DTYPE, takes ? "same-dtype" : "operand-dtype", named,
                 pto_dtype_name(d));
        }
      }
      tiles[k] = good;
    }
  }
}

static void test_rule_operand_dtype(void **state) {
  (void)state;
  assert_true(wrong_types("operand-dtype", 1) > 0);
  /* What the documents say: bits in u8, u16 and u32, which programs write i8, i16 and i32; places beside values of
   * two bytes in two bytes too. */
  const uint32_t bits = 1 << PTO_DTYPE_U8 | 1 << PTO_DTYPE_U16 | 1 << PTO_DTYPE_U32 | 1 << PTO_DTYPE_I8 |
                        1 << PTO_DTYPE_I16 | 1 << PTO_DTYPE_I32;
  const uint32_t places = 1 << PTO_DTYPE_I32 | 1 << PTO_DTYPE_U32;
  const uint32_t narrow = 1 << PTO_DTYPE_I16 | 1 << PTO_DTYPE_U16;
  assert_int_equal(pto_op_operand_dtypes(pto_op_find("tsel"), 1, PTO_PROFILE_CPU, PTO_DTYPE_F32), bits);
  assert_int_equal(pto_op_operand_dtypes(pto_op_find("tcmp"), 0, PTO_PROFILE_A2A3, PTO_DTYPE_F16), bits);
  const int32_t with_value = pto_op_find("trowargmax_value");
  assert_int_equal(pto_op_operand_dtypes(with_value, 1, PTO_PROFILE_A5, PTO_DTYPE_F16), places | narrow);
  assert_int_equal(pto_op_operand_dtypes(with_value, 1, PTO_PROFILE_A5, PTO_DTYPE_F32), places);
  assert_int_equal(pto_op_operand_dtypes(pto_op_find("tcolargmin"), 0, PTO_PROFILE_CPU, PTO_DTYPE_F16), places);
}

static void test_rule_scalar_range(void **state) {
  (void)state;
  /* A type, a value that it has not, and the message. */
  static const struct {
    pto_dtype dtype;
    pto_scalar wrong;
    const char *text;
  } k_wrong[] = {
      {PTO_DTYPE_I8, {128, PTO_SCALAR_INT, 0}, "128|i8"},
      {PTO_DTYPE_I8, {(uint64_t)-129, PTO_SCALAR_INT, 0}, "-129|i8"},
      {PTO_DTYPE_U8, {(uint64_t)-1, PTO_SCALAR_INT, 0}, "-1|u8"},
      {PTO_DTYPE_U8, {256, PTO_SCALAR_UINT, 0}, "256|u8"},
      {PTO_DTYPE_I16, {0x8000, PTO_SCALAR_UINT, 0}, "32768|i16"},
      {PTO_DTYPE_U16, {0x10000, PTO_SCALAR_BITS, 0}, "0x10000|u16"},
      {PTO_DTYPE_I32, {0x4004000000000000, PTO_SCALAR_FLOAT, 0}, "2.5|i32"},
      {PTO_DTYPE_I32, {0x7ff8000000000000, PTO_SCALAR_FLOAT, 0}, "nan|i32"},
      {PTO_DTYPE_U32, {0x7ff0000000000000, PTO_SCALAR_FLOAT, 0}, "inf|u32"},
      {PTO_DTYPE_U32, {0x41f0000000000000, PTO_SCALAR_FLOAT, 0}, "4294967296|u32"},
      {PTO_DTYPE_F16, {0x10000, PTO_SCALAR_BITS, 0}, "0x10000|f16"},
      {PTO_DTYPE_F32, {0x100000000, PTO_SCALAR_BITS, 0}, "0x100000000|f32"},
  };
  int seen = 0;
  FOR_OPS(op) {
    const int32_t at = operand_of(op, PTO_ROLE_SCALAR);
    if (at < 0) continue;
    for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
      /* The type beside which the scalar is of that type. */
      pto_dtype lead = PTO_DTYPE_I8;
      while (pto_dtype_bytes(lead) != 0 &&
             pto_op_operand_dtypes(op, at, PTO_PROFILE_CPU, lead) != (uint32_t)1 << k_wrong[w].dtype) {
        lead = (pto_dtype)(lead + 1);
      }
      if (pto_dtype_bytes(lead) == 0) continue;
      pto_tile *tiles[k_operands];
      operands_of(pto_op_name(op), lead, tiles);
      FOR_PROFILES(p, op, lead) {
        g_scalar = k_wrong[w].wrong;
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_ARGUMENT, "scalar-range", pto_op_operand_name(op, at),
               k_wrong[w].text);
        g_scalar = pto_int(1);
        accept(g_ctx[p], pto_op_name(op), tiles, 0);
        ++seen;
      }
    }
  }
  assert_true(seen > 0);
  /* The limits, and what a float becomes. */
  static const struct {
    pto_dtype dtype;
    pto_scalar scalar;
    uint32_t bits;
  } k_right[] = {
      {PTO_DTYPE_I8, {(uint64_t)-128, PTO_SCALAR_INT, 0}, 0x80},
      {PTO_DTYPE_U8, {255, PTO_SCALAR_INT, 0}, 0xff},
      {PTO_DTYPE_I16, {0x40c0000000000000, PTO_SCALAR_FLOAT, 0}, 0x2000}, /* 8192.0 */
      {PTO_DTYPE_U32, {0x41efffffffe00000, PTO_SCALAR_FLOAT, 0}, 0xffffffff},
      {PTO_DTYPE_F32, {0x1000001, PTO_SCALAR_INT, 0}, 0x4b800000},  /* 2^24 + 1: a tie, to even */
      {PTO_DTYPE_F32, {0x1000003, PTO_SCALAR_UINT, 0}, 0x4b800002}, /* 2^24 + 3: a tie, to even */
      {PTO_DTYPE_F32, {0xffffffffffffffff, PTO_SCALAR_UINT, 0}, 0x5f800000},
      {PTO_DTYPE_F16, {0x40effe0000000000, PTO_SCALAR_FLOAT, 0}, 0x7c00}, /* 65520: to infinity */
      {PTO_DTYPE_F16, {0x40effdffffffffff, PTO_SCALAR_FLOAT, 0}, 0x7bff},
      {PTO_DTYPE_F16, {0x3e60000000000000, PTO_SCALAR_FLOAT, 0}, 0x0000}, /* 2^-25: a tie, to zero */
      {PTO_DTYPE_F16, {0x3e60000000000001, PTO_SCALAR_FLOAT, 0}, 0x0001},
      {PTO_DTYPE_BF16, {0xfff0000000000000, PTO_SCALAR_FLOAT, 0}, 0xff80},
      {PTO_DTYPE_BF16, {0x7ff8000000000001, PTO_SCALAR_FLOAT, 0}, 0x7fc0},
      {PTO_DTYPE_F32, {0x8000000000000000, PTO_SCALAR_FLOAT, 0}, 0x80000000},
      {PTO_DTYPE_F32, {0x36a0000000000000, PTO_SCALAR_FLOAT, 0}, 0x00000001},
      {PTO_DTYPE_F32, {0xffa12345, PTO_SCALAR_BITS, 0}, 0xffa12345},
  };
  for (size_t w = 0; w < sizeof k_right / sizeof *k_right; ++w) {
    pto_tile *tile = tile_sized(k_right[w].dtype, 1, 32);
    uint32_t got = 0;
    assert_int_equal(pto_texpands(CPU, tile, k_right[w].scalar, 0), PTO_OK);
    memcpy(&got, pto_tile_data(tile), (size_t)pto_dtype_bytes(k_right[w].dtype));
    assert_int_equal(got, k_right[w].bits);
  }
}

static void test_rule_scalar_kind(void **state) {
  (void)state;
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  pto_inst *inst = pto_inst_create(CPU, "tadds");
  const pto_scalar wrong[] = {{0, 4, 0}, {0, -1, 0}, {0, PTO_SCALAR_INT, 1}};
  for (int w = 0; w < 3; ++w) {
    expect_error(CPU, pto_tadds(CPU, tile, tile, wrong[w], 0), PTO_ERROR_ARGUMENT, "scalar-kind", "scalar", "kind");
    expect_error(CPU, pto_inst_set_scalar(CPU, inst, 2, wrong[w]), PTO_ERROR_ARGUMENT, "scalar-kind", "scalar", "kind");
  }
  expect_error(CPU, pto_inst_set_scalar(CPU, inst, 0, pto_int(1)), PTO_ERROR_ARGUMENT, "operand-kind", "dst", "a tile");
  expect_error(CPU, pto_inst_set_scalar(CPU, NULL, 0, pto_int(1)), PTO_ERROR_NULL, "null", "inst", "NULL");
  pto_inst_release(inst);
}

static void test_rule_mode(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    int own = 0;
    FOR_NEEDED(op, k) {
      if (pto_op_operand_extent(op, k) != PTO_EXTENT_OWN) continue;
      own = 1;
      set_valid(tiles[k], 16, 16);
    }
    for (int32_t at = 0; at < pto_op_operand_count(op); ++at) {
      if (pto_op_operand_role(op, at) != PTO_ROLE_MODE) continue;
      ++seen;
      g_number_at = at;
      int32_t values = 0;
      for (; pto_op_operand_mode_value(op, at, values) != NULL; ++values) {
        g_number = values;
        /* Hardware wants other regions with other patterns: test_rules_irregular.c; and has not every way to round
         * factors: test_rules_matrix.c. */
        const int fewer =
            own || has_rule(op, "find-mode", PTO_PROFILE_A2A3) || has_rule(op, "mad-mode", PTO_PROFILE_A2A3);
        if (fewer) accept(CPU, pto_op_name(op), tiles, 0);
        if (!fewer) accept_all(op, tiles);
      }
      assert_true(values > 1);
      const int32_t wrong[] = {values, -1, INT32_MAX, INT32_MIN};
      for (int w = 0; w < 4; ++w) {
        char texts[64];
        g_number = wrong[w];
        snprintf(texts, sizeof texts, "is %d|0 to %d", wrong[w], values - 1);
        FOR_PROFILES(p, op, dtype) {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_ARGUMENT, "mode", pto_op_operand_name(op, at), texts);
        }
      }
      g_number_at = -1;
    }
  }
  assert_true(seen > 0);
}

const struct CMUnitTest k_type_rules[] = {
    RULE_TEST(test_rule_same_dtype),  RULE_TEST(test_rule_operand_dtype), RULE_TEST(test_rule_scalar_range),
    RULE_TEST(test_rule_scalar_kind), RULE_TEST(test_rule_mode),
};
const int k_type_rule_count = sizeof k_type_rules / sizeof *k_type_rules;
