/*
 * test_rules_ops.c: the rules of instructions, each broken on purpose for every instruction
 * under the profiles that have it and shown to be absent under those that do not. Which these are
 * is read from the instructions' pages (has_rule()); what the operands are from the library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"
#include "typed_calls.h"

/* Transfers have rules of their own: test_rules_tensors.c. */
static int transfers(int32_t op) {
  return operand_of(op, PTO_ROLE_TENSOR_OUT) >= 0 || operand_of(op, PTO_ROLE_TENSOR_IN) >= 0;
}

/* Every instruction over tiles; its tiles go away with the pass. */
#define FOR_OPS(op)                                                            \
  for (int32_t op##_at = 0, op; op##_at < pto_op_count(); ++op##_at, forget()) \
    if (op = pto_op_at(op##_at), !transfers(op) && !has_own_shapes(op) && !is_fixpipe(op))

#define FOR_NEEDED(op, k)                                \
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) \
    if (is_needed(op, k))

/* The profiles that take an element type of the lead operand. */
#define FOR_PROFILES(p, op, dtype) \
  for (int p = 0; p < 3; ++p)      \
    if (pto_op_supports(op, (pto_profile)p, dtype, 0))

#define FOR_TYPES(d) for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bytes(d) != 0; d = (pto_dtype)(d + 1))

/* Whether a profile moves the type only where it becomes another: out of acc, which test_rules_fixpipe.c has. */
static int becomes_another(int32_t op, int profile, pto_dtype lead) {
  if (!has_rule(op, "location-move", profile)) return 0;
  for (int32_t k = 0; k < 2; ++k) {
    if ((pto_op_operand_dtypes(op, k, (pto_profile)profile, lead) >> lead & 1) == 0) return 1;
  }
  return 0;
}

/* An element type that as many profiles as any take, of at least two bytes: 16 columns of it fill a row. */
static pto_dtype common_dtype(int32_t op) {
  static const pto_dtype k_order[] = {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_I32, PTO_DTYPE_I16, PTO_DTYPE_U32};
  pto_dtype best = PTO_DTYPE_F32;
  int most = 0;
  for (size_t i = 0; i < sizeof k_order / sizeof *k_order; ++i) {
    int n = 0;
    FOR_PROFILES(p, op, k_order[i]) n += becomes_another(op, p, k_order[i]) ? -4 : 1 + (p == PTO_PROFILE_CPU);
    if (n <= most) continue;
    most = n;
    best = k_order[i];
  }
  assert_true(most > 0);
  return best;
}

static pto_dtype usual(int32_t op, pto_tile *tiles[k_operands]) {
  const pto_dtype dtype = common_dtype(op);
  operands_of(pto_op_name(op), dtype, tiles);
  return dtype;
}

static const char *lead_name(int32_t op) { return pto_op_operand_name(op, pto_op_lead(op)); }

static void set_valid(pto_tile *tile, int32_t rows, int32_t cols) {
  assert_int_equal(pto_tile_set_valid(CPU, tile, rows, cols), PTO_OK);
}

/* The call is refused under the profiles that have the rule, accepted under the others. Answers how many refused. */
static int judge(int32_t op, pto_tile *const *tiles, pto_status status, const char *rule, const char *operand,
                 const char *texts) {
  int refused = 0;
  const pto_dtype dtype = pto_tile_dtype(tiles[pto_op_lead(op)]);
  FOR_PROFILES(p, op, dtype) {
    if (has_rule(op, rule, p)) {
      refuse(g_ctx[p], pto_op_name(op), tiles, 0, status, rule, operand, texts);
      ++refused;
    } else {
      accept(g_ctx[p], pto_op_name(op), tiles, 0);
    }
  }
  return refused;
}

static void accept_all(int32_t op, pto_tile *const *tiles) {
  const pto_dtype dtype = pto_tile_dtype(tiles[pto_op_lead(op)]);
  FOR_PROFILES(p, op, dtype) accept(g_ctx[p], pto_op_name(op), tiles, 0);
}

static void test_rule_null(void **state) {
  (void)state;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    accept_all(op, tiles);
    FOR_NEEDED(op, k) {
      pto_tile *const good = tiles[k];
      tiles[k] = NULL;
      for (int p = 0; p < 3; ++p) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_NULL, "null", pto_op_operand_name(op, k), "NULL");
      }
      tiles[k] = good;
    }
  }
  pto_tile *tile = tile_of(PTO_DTYPE_F32);
  pto_inst *inst = pto_inst_create(CPU, "tpow");
  float data[256];
  static int64_t memory[128];
  const pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, 16, 16);
  EXPECT_NO_HANDLE(CPU, pto_tile_create_from(CPU, NULL), PTO_ERROR_NULL, "null", "desc", "desc is NULL");
  EXPECT_NO_HANDLE(CPU, pto_tile_wrap(CPU, NULL, memory, 1024), PTO_ERROR_NULL, "null", "desc", "desc is NULL");
  EXPECT_NO_HANDLE(CPU, pto_tile_wrap(CPU, &desc, NULL, 1024), PTO_ERROR_NULL, "null", "data", "data is NULL");
  EXPECT_NO_HANDLE(CPU, pto_inst_create(CPU, NULL), PTO_ERROR_NULL, "null", "name", "name is NULL");
  expect_error(CPU, pto_tile_write(CPU, NULL, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "pto_tile_write: tile is NULL");
  expect_error(CPU, pto_tile_read(CPU, NULL, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "pto_tile_read: tile is NULL");
  expect_error(CPU, pto_tile_write(CPU, tile, NULL, 1024), PTO_ERROR_NULL, "null", "data", "data is NULL");
  expect_error(CPU, pto_tile_read(CPU, tile, NULL, 1024), PTO_ERROR_NULL, "null", "data", "data is NULL");
  expect_error(CPU, pto_tile_write_as(CPU, NULL, PTO_DTYPE_F32, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "tile is NULL");
  expect_error(CPU, pto_tile_read_as(CPU, NULL, PTO_DTYPE_F32, data, 1024), PTO_ERROR_NULL, "null", "tile",
               "tile is NULL");
  expect_error(CPU, pto_tile_set_valid(CPU, NULL, 1, 1), PTO_ERROR_NULL, "null", "tile", "tile is NULL");
  expect_error(CPU, pto_tassign(CPU, NULL, 0), PTO_ERROR_NULL, "null", "tile", "tassign: tile is NULL");
  expect_error(CPU, pto_inst_set_tile(CPU, NULL, 0, tile), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_set_int(CPU, NULL, 0, 0), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_set_float(CPU, NULL, 0, 0), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_check(CPU, NULL), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  expect_error(CPU, pto_inst_run(CPU, NULL), PTO_ERROR_NULL, "null", "inst", "inst is NULL");
  pto_inst_release(inst);
  /* Nothing to move: no data is needed. */
  assert_int_equal(pto_tile_set_valid(CPU, tile, 0, 16), PTO_OK);
  assert_int_equal(pto_tile_write(CPU, tile, NULL, 0), PTO_OK);
  assert_int_equal(pto_tile_read(CPU, tile, NULL, 0), PTO_OK);
}

static void test_rule_flags(void **state) {
  (void)state;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int bit = 0; bit < 32; ++bit) {
      const uint32_t flags = (uint32_t)1 << bit;
      char texts[32];
      snprintf(texts, sizeof texts, "0x%x", (unsigned)flags);
      for (int p = 0; p < 3; ++p) {
        if ((flags & (uint32_t)pto_op_flags(op)) == 0) {
          refuse(g_ctx[p], pto_op_name(op), tiles, flags, PTO_ERROR_ARGUMENT, "flags", "flags", texts);
        } else if (pto_op_supports(op, (pto_profile)p, dtype, flags)) {
          accept(g_ctx[p], pto_op_name(op), tiles, flags);
        }
      }
    }
  }
}

static void test_rule_storage(void **state) {
  (void)state;
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
      if (!is_tile(op, k)) continue;
      pto_tile *const good = tiles[k];
      pto_tile_desc desc = desc_of(good);
      desc.storage = PTO_STORAGE_MANUAL;
      tiles[k] = tile_made(&desc);
      FOR_PROFILES(p, op, dtype) {
        /* tmp is looked at where it is needed only. */
        if (is_needed(op, k) || has_rule(op, "tmp-required", p)) {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_ADDRESS, "storage", pto_op_operand_name(op, k),
                 "without an address");
        } else {
          accept(g_ctx[p], pto_op_name(op), tiles, 0);
        }
      }
      assert_int_equal(pto_tassign(CPU, tiles[k], 4096), PTO_OK);
      accept_all(op, tiles);
      tiles[k] = good;
    }
  }
  pto_tile *tile = tile_manual(PTO_DTYPE_F32);
  float data[256] = {0};
  expect_error(CPU, pto_tile_write(CPU, tile, data, sizeof data), PTO_ERROR_ADDRESS, "storage", "tile",
               "without an address");
  expect_error(CPU, pto_tile_read(CPU, tile, data, sizeof data), PTO_ERROR_ADDRESS, "storage", "tile",
               "without an address");
}

static void test_rule_dtype(void **state) {
  (void)state;
  FOR_OPS(op) {
    FOR_TYPES(d) {
      pto_tile *tiles[k_operands];
      operands_of(pto_op_name(op), d, tiles);
      for (int p = 0; p < 3; ++p) {
        if (pto_op_supports(op, (pto_profile)p, d, 0)) {
          const pto_dtype first = pto_tile_dtype(tiles[0]);
          const int moved = has_rule(op, "location-move", p) && first != pto_tile_dtype(tiles[1]);
          if (!moved) accept(g_ctx[p], pto_op_name(op), tiles, 0);
        } else {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_DTYPE, "dtype", lead_name(op), pto_dtype_name(d));
        }
      }
    }
  }
  /* What the documents say, so that a record cannot agree with itself only. */
  const int32_t tpow = pto_op_find("tpow");
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A2A3, PTO_DTYPE_F16, 0), 0);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A2A3, PTO_DTYPE_U8, 0), 1);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A5, PTO_DTYPE_BF16, 1), 1);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A5, PTO_DTYPE_U8, 1), 0);
  assert_int_equal(pto_op_supports(tpow, PTO_PROFILE_A2A3, PTO_DTYPE_U8, 1), 1);
  assert_int_equal(pto_op_supports(pto_op_find("trsqrt"), PTO_PROFILE_CPU, PTO_DTYPE_BF16, 0), 1);
  assert_int_equal(pto_op_supports(pto_op_find("trsqrt"), PTO_PROFILE_A5, PTO_DTYPE_BF16, 0), 0);
  assert_int_equal(pto_op_supports(pto_op_find("tpartadd"), PTO_PROFILE_A2A3, PTO_DTYPE_U16, 0), 0);
}

static void test_rule_precision_float(void **state) {
  (void)state;
  int refused = 0;
  FOR_OPS(op) {
    if ((pto_op_flags(op) & PTO_HIGH_PRECISION) == 0) continue;
    FOR_TYPES(d) {
      pto_tile *tiles[k_operands];
      operands_of(pto_op_name(op), d, tiles);
      FOR_PROFILES(p, op, d) {
        accept(g_ctx[p], pto_op_name(op), tiles, 0);
        if (has_rule(op, "precision-float", p) && d < PTO_DTYPE_F16) {
          refuse(g_ctx[p], pto_op_name(op), tiles, PTO_HIGH_PRECISION, PTO_ERROR_DTYPE, "precision-float", "flags",
                 "PTO_HIGH_PRECISION|A5");
          ++refused;
        } else {
          accept(g_ctx[p], pto_op_name(op), tiles, PTO_HIGH_PRECISION);
        }
      }
    }
  }
  assert_true(refused > 0);
}

static void test_rule_location_vec(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(op) {
    /* Some go between memories: test_rule_location_move and test_rule_pad_place. */
    if (!has_rule(op, "location-vec", PTO_PROFILE_CPU)) continue;
    ++seen;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    FOR_NEEDED(op, k) {
      pto_tile *const good = tiles[k];
      pto_tile_desc desc = desc_of(good);
      desc.location = PTO_LOCATION_ACC;
      tiles[k] = tile_made(&desc);
      FOR_PROFILES(p, op, dtype) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_LAYOUT, "location-vec", pto_op_operand_name(op, k),
               "acc|vec");
      }
      tiles[k] = good;
    }
  }
  assert_true(seen > 100);
}

/* Elements of which there is one a column, or one a row, may stand down a column. */
static int is_vector(int32_t op, int32_t k) {
  const int32_t extent = pto_op_operand_extent(op, k);
  return extent == PTO_EXTENT_ROW || extent == PTO_EXTENT_COLUMN || extent == PTO_EXTENT_ROW_RESULTS;
}

/* All of dst is meant: what is valid does not matter. */
static int is_whole(int32_t op) {
  const int32_t extent = pto_op_operand_extent(op, 0);
  return extent == PTO_EXTENT_WHOLE || extent == PTO_EXTENT_AROUND;
}

/* Each operand that the rule is about, in each layout but row-major. */
static int wrong_layouts(const char *rule, int (*about)(int32_t, int32_t), const char *text) {
  int refused = 0;
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    FOR_NEEDED(op, k) {
      if (!about(op, k) || is_whole(op)) continue;
      pto_tile *const good = tiles[k];
      for (int layout = k_layout_dn; layout < k_layout_usual; ++layout) {
        tiles[k] = tile_laid(layout, pto_tile_dtype(good), 32, 32);
        set_valid(tiles[k], pto_tile_valid_rows(good), pto_tile_valid_cols(good));
        char texts[64];
        snprintf(texts, sizeof texts, "%s|%s", layout == k_layout_dn ? "col-major" : "boxed", text);
        refused += judge(op, tiles, PTO_ERROR_LAYOUT, rule, pto_op_operand_name(op, k), texts);
      }
      if (is_vector(op, k) || pto_op_operand_extent(op, k) == PTO_EXTENT_REPEAT) {
        tiles[k] = tile_laid(k_layout_dn, pto_tile_dtype(good), 32, 1);
        set_valid(tiles[k], 16, 1);
        accept_all(op, tiles);
      }
      tiles[k] = good;
    }
  }
  return refused;
}

static int is_plane(int32_t op, int32_t k) { return !is_vector(op, k); }
static int is_row(int32_t op, int32_t k) { return pto_op_operand_extent(op, k) == PTO_EXTENT_ROW; }
static int is_down(int32_t op, int32_t k) { return is_vector(op, k) && !is_row(op, k); }

static void test_rule_row_major(void **state) {
  (void)state;
  assert_true(wrong_layouts("row-major", is_plane, "row-major") > 0);
  /* What the documents say. */
  const int32_t partial = pto_op_find("tpartadd");
  assert_true(has_rule(partial, "row-major", PTO_PROFILE_A2A3) && !has_rule(partial, "row-major", PTO_PROFILE_A5));
  assert_true(has_rule(pto_op_find("tadd"), "row-major", PTO_PROFILE_A5));
  assert_false(has_rule(pto_op_find("tmov"), "row-major", PTO_PROFILE_A2A3));
}

static void test_rule_col_vector(void **state) {
  (void)state;
  assert_true(wrong_layouts("col-vector", is_row, "32 columns") > 0);
}

static void test_rule_row_vector(void **state) {
  (void)state;
  assert_true(wrong_layouts("row-vector", is_down, "32 columns") > 0);
}

/* The first of the sources that are valid in a part; -1 when there is none. */
static int32_t parts_of(int32_t op) {
  FOR_NEEDED(op, k) {
    if (pto_op_operand_extent(op, k) == PTO_EXTENT_PART) return k;
  }
  return -1;
}

/* The operand has types of its own beside those of the lead operand. */
static int has_types(int32_t op, int32_t k) {
  FOR_TYPES(d) {
    FOR_PROFILES(p, op, d) {
      if (pto_op_operand_dtypes(op, k, (pto_profile)p, d) != (uint32_t)1 << d) return 1;
    }
  }
  return 0;
}

/* The first operand behind `from` that has the types of its own that the k-th has. */
static int32_t like(int32_t op, int32_t k, int32_t from) {
  for (int32_t i = from; i < k_operands; ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    int same = (role == PTO_ROLE_IN || role == PTO_ROLE_OUT) && has_types(op, i);
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

/* Sources of the lead operand's region in other regions: `rule` under the profiles that have it. */
static int wrong_regions(const char *rule, const int32_t (*wrong)[2], int count) {
  int refused = 0;
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    FOR_NEEDED(op, k) {
      if (k == pto_op_lead(op) || pto_op_operand_extent(op, k) != PTO_EXTENT_SAME) continue;
      if (!has_rule(op, "valid-covers", PTO_PROFILE_CPU)) continue;
      pto_tile *const good = tiles[k];
      tiles[k] = tile_sized(pto_tile_dtype(good), 24, 32);
      for (int w = 0; w < count; ++w) {
        set_valid(tiles[k], wrong[w][0], wrong[w][1]);
        char texts[64];
        snprintf(texts, sizeof texts, "%dx%d|16x16", wrong[w][0], wrong[w][1]);
        FOR_PROFILES(p, op, dtype) {
          if (!has_rule(op, rule, p)) continue;
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, rule, pto_op_operand_name(op, k), texts);
          ++refused;
        }
      }
      if (pto_op_operand_role(op, k) == PTO_ROLE_IN) {
        set_valid(tiles[k], 17, 24);
        accept(CPU, pto_op_name(op), tiles, 0);
      }
      set_valid(tiles[k], 16, 16);
      accept_all(op, tiles);
      tiles[k] = good;
    }
  }
  return refused;
}

static void test_rule_valid_equal(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 15}, {15, 16}, {0, 16}, {16, 0}, {0, 0}, {1, 1}, {17, 16}, {16, 17}};
  assert_true(wrong_regions("valid-equal", k_wrong, 8) > 0);
}

static void test_rule_valid_covers(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 15}, {15, 16}, {0, 16}, {16, 0}, {0, 0}, {1, 1}, {15, 24}, {24, 15}};
  assert_true(wrong_regions("valid-covers", k_wrong, 8) > 0);
}

/* A region of one operand beside a lead operand that is valid in 16x16. */
typedef struct region_case {
  int layout; /* ND of 24x32, or DN of one column */
  int32_t rows, cols;
  const char *texts; /* NULL: legal under every profile */
} region_case;

/* Every operand of an extent in these regions; all profiles have the rule. */
static void regions(const char *rule, int32_t extent, const region_case *cases, int count) {
  int seen = 0;
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    FOR_NEEDED(op, k) {
      if (pto_op_operand_extent(op, k) != extent) continue;
      ++seen;
      const pto_dtype own = pto_tile_dtype(tiles[k]);
      pto_tile *const good = tiles[k];
      for (int i = 0; i < count; ++i) {
        const region_case *c = &cases[i];
        tiles[k] = c->layout == k_layout_dn ? tile_laid(k_layout_dn, own, 32, 1) : tile_sized(own, 24, 32);
        set_valid(tiles[k], c->rows, c->cols);
        FOR_PROFILES(p, op, dtype) {
          if (c->texts == NULL) {
            accept(g_ctx[p], pto_op_name(op), tiles, 0);
          } else {
            refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, rule, pto_op_operand_name(op, k), c->texts);
          }
        }
      }
      tiles[k] = good;
    }
  }
  assert_true(seen > 0);
}
#define REGIONS(rule, extent, cases) regions(rule, extent, cases, (int)(sizeof(cases) / sizeof *(cases)))

static void test_rule_rows_covered(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 1, "15x1|16 valid rows"},
      {k_layout_nd, 16, 0, "16x0|16 valid rows"},
      {k_layout_nd, 0, 1, "0x1|16 valid rows"},
      {k_layout_nd, 16, 1, NULL},
      {k_layout_nd, 24, 9, NULL},
      {k_layout_dn, 15, 1, "15x1|16 valid rows"},
      {k_layout_dn, 16, 0, "16x0|16 valid rows"},
      {k_layout_dn, 16, 1, NULL},
      {k_layout_dn, 17, 1, NULL},
  };
  REGIONS("rows-covered", PTO_EXTENT_COLUMN, k_cases);
}

static void test_rule_cols_covered(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 1, 15, "1x15|15 scalars|16 valid columns"},
      {k_layout_nd, 0, 16, "0x16|0 scalars|16 valid columns"},
      {k_layout_nd, 16, 0, "16x0|0 scalars"},
      {k_layout_nd, 0, 0, "0x0|0 scalars"},
      {k_layout_nd, 1, 16, NULL},
      {k_layout_nd, 5, 30, NULL},
      {k_layout_dn, 15, 1, "15x1|15 scalars|16 valid columns"},
      {k_layout_dn, 16, 0, "16x0|0 scalars"},
      {k_layout_dn, 16, 1, NULL},
      {k_layout_dn, 17, 1, NULL},
  };
  REGIONS("cols-covered", PTO_EXTENT_ROW, k_cases);
}

static void test_rule_bits_covered(void **state) {
  (void)state;
  /* 16 columns are two bytes of u8, which is the first type of bits. */
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 2, "15 rows of 2 bytes|16 rows of 2 bytes"},
      {k_layout_nd, 16, 1, "16 rows of 1 bytes|16 rows of 2 bytes"},
      {k_layout_nd, 16, 0, "16 rows of 0 bytes"},
      {k_layout_nd, 0, 0, "0 rows of 0 bytes"},
      {k_layout_nd, 16, 2, NULL},
      {k_layout_nd, 24, 32, NULL},
  };
  REGIONS("bits-covered", PTO_EXTENT_BITS, k_cases);
  /* One column more is a byte more; wider elements give more bytes. */
  FOR_OPS(op) {
    FOR_NEEDED(op, k) {
      if (pto_op_operand_extent(op, k) != PTO_EXTENT_BITS) continue;
      pto_tile *tiles[k_operands];
      const pto_dtype dtype = usual(op, tiles);
      for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
        if (!is_tile(op, i) || pto_op_operand_extent(op, i) == PTO_EXTENT_BITS) continue;
        tiles[i] = tile_sized(pto_tile_dtype(tiles[i]), 16, 32);
        set_valid(tiles[i], 16, 17);
      }
      set_valid(tiles[k], 16, 2);
      FOR_PROFILES(p, op, dtype) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "bits-covered", pto_op_operand_name(op, k),
               "16 rows of 3 bytes");
      }
      set_valid(tiles[k], 16, 3);
      accept_all(op, tiles);
      tiles[k] = tile_sized(PTO_DTYPE_U32, 16, 8);
      set_valid(tiles[k], 16, 1);
      accept_all(op, tiles);
    }
  }
}

static void test_rule_row_results(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 1, "15x1|16x16"}, {k_layout_nd, 17, 1, "17x1|16x16"}, {k_layout_nd, 16, 0, "16x0|16x16"},
      {k_layout_nd, 0, 1, "0x1|16x16"},   {k_layout_nd, 16, 1, NULL},         {k_layout_nd, 16, 9, NULL},
      {k_layout_dn, 15, 1, "15x1|16x16"}, {k_layout_dn, 17, 1, "17x1|16x16"}, {k_layout_dn, 16, 1, NULL},
  };
  REGIONS("row-results", PTO_EXTENT_ROW_RESULTS, k_cases);
  /* Of no column there is no result; of no row nothing is to be done. */
  FOR_OPS(op) {
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    if (pto_op_operand_extent(op, 0) != PTO_EXTENT_ROW_RESULTS) continue;
    set_valid(tiles[pto_op_lead(op)], 16, 0);
    FOR_PROFILES(p, op, dtype) {
      refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "row-results", pto_op_operand_name(op, 0),
             "16x16|16x0");
    }
    FOR_NEEDED(op, k) set_valid(tiles[k], 0, 16);
    accept_all(op, tiles);
  }
}

static void test_rule_col_results(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 1, 15, "1x15|16x16"}, {k_layout_nd, 1, 17, "1x17|16x16"}, {k_layout_nd, 0, 16, "0x16|16x16"},
      {k_layout_nd, 1, 0, "1x0|16x16"},   {k_layout_nd, 1, 16, NULL},         {k_layout_nd, 9, 16, NULL},
  };
  REGIONS("col-results", PTO_EXTENT_COL_RESULTS, k_cases);
  FOR_OPS(op) {
    if (pto_op_operand_extent(op, 0) != PTO_EXTENT_COL_RESULTS) continue;
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    set_valid(tiles[pto_op_lead(op)], 0, 16);
    accept_all(op, tiles);
  }
}

static void test_rule_first_element(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 0, 1, "0x1"}, {k_layout_nd, 1, 0, "1x0"},  {k_layout_nd, 0, 0, "0x0"},
      {k_layout_nd, 1, 1, NULL},  {k_layout_nd, 24, 17, NULL},
  };
  REGIONS("first-element", PTO_EXTENT_FIRST, k_cases);
}

static void test_rule_repeat_valid(void **state) {
  (void)state;
  /* Regions of the sources beside a dst of 16x16; whether CPU takes them; which source is named. */
  static const struct {
    int32_t region[2][2];
    int cpu;
    int named;
  } k_wrong[] = {
      {{{16, 8}, {16, 8}}, 0, 1},  {{{16, 16}, {16, 2}}, 1, 2}, {{{16, 16}, {15, 1}}, 0, 2},
      {{{16, 16}, {16, 0}}, 0, 2}, {{{16, 16}, {17, 1}}, 1, 2}, {{{16, 15}, {16, 16}}, 1, 1},
      {{{0, 0}, {16, 16}}, 0, 1},  {{{16, 16}, {16, 1}}, 1, 2},
  };
  int seen = 0;
  FOR_OPS(op) {
    if (pto_op_operand_extent(op, 1) != PTO_EXTENT_REPEAT) continue;
    ++seen;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    assert_int_equal(dtype, PTO_DTYPE_F32);
    for (int k = 1; k <= 2; ++k) tiles[k] = tile_sized(dtype, 24, 24);
    for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
      for (int k = 0; k < 2; ++k) set_valid(tiles[1 + k], k_wrong[w].region[k][0], k_wrong[w].region[k][1]);
      FOR_PROFILES(p, op, dtype) {
        if (p == PTO_PROFILE_CPU && k_wrong[w].cpu) {
          accept(CPU, pto_op_name(op), tiles, 0);
        } else {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "repeat-valid",
                 pto_op_operand_name(op, k_wrong[w].named), "dst is in 16x16");
        }
      }
    }
    /* 32 bytes of columns, and one column of a column-major tile, on either side. */
    for (int side = 1; side <= 2; ++side) {
      tiles[3 - side] = tile_of(dtype);
      tiles[side] = tile_sized(dtype, 16, 8);
      accept_all(op, tiles);
      tiles[side] = tile_laid(k_layout_dn, dtype, 16, 1);
      accept_all(op, tiles);
    }
  }
  assert_true(seen > 0);
}

static void test_rule_scalar_range(void **state) {
  (void)state;
  /* A type, a value that it has not, and what the message says. */
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
        /* Hardware wants other regions with other patterns: test_rules_irregular.c. */
        const int fewer = own || has_rule(op, "find-mode", PTO_PROFILE_A2A3);
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

static void test_rule_partial_valid(void **state) {
  (void)state;
  /* Regions of dst, src0, src1, and the operand that is named. */
  static const struct {
    int32_t region[3][2];
    const char *operand;
  } k_wrong[] = {
      {{{8, 8}, {8, 7}, {7, 8}}, "src0"}, {{{8, 8}, {7, 7}, {7, 7}}, "src0"}, {{{8, 8}, {9, 8}, {8, 8}}, "src0"},
      {{{8, 8}, {8, 8}, {8, 9}}, "src1"}, {{{8, 8}, {8, 8}, {9, 1}}, "src1"}, {{{8, 8}, {9, 9}, {9, 9}}, "src0"},
      {{{8, 8}, {0, 0}, {0, 0}}, "src0"}, {{{8, 8}, {7, 8}, {9, 9}}, "src1"},
  };
  static const int32_t k_empty[][2] = {{0, 0}, {0, 8}, {8, 0}};
  int seen = 0;
  FOR_OPS(op) {
    const int32_t first = parts_of(op);
    if (first < 0) continue;
    ++seen;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    /* dst, src0, src1, and the indices that go with them. */
    const int32_t order[6] = {0, first, first + 1, 1, first + 2, first + 3};
    const int count = first == 1 ? 3 : 6;
    for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
      for (int k = 0; k < count; ++k) {
        set_valid(tiles[order[k]], k_wrong[w].region[k % 3][0], k_wrong[w].region[k % 3][1]);
      }
      FOR_PROFILES(p, op, dtype) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "partial-valid", k_wrong[w].operand,
               w == 0 ? "8x7|7x8|8x8" : "valid");
      }
    }
    /* An empty dst is a no-op, whatever the sources. */
    for (size_t w = 0; w < 3; ++w) {
      for (int k = 0; k < count; ++k) {
        set_valid(tiles[order[k]], k % 3 == 0 ? k_empty[w][0] : 9, k % 3 == 0 ? k_empty[w][1] : k % 3);
      }
      accept_all(op, tiles);
    }
  }
  assert_true(seen > 0);
}

static void test_rule_pair_valid(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{15, 16}, {16, 15}, {0, 0}, {17, 16}};
  int refused = 0;
  FOR_OPS(op) {
    const int32_t first = parts_of(op);
    if (first < 0 || !has_rule(op, "pair-valid", PTO_PROFILE_CPU)) continue;
    pto_tile *tiles[k_operands];
    usual(op, tiles);
    const int32_t indices[] = {1, first + 2, first + 3};
    for (int i = 0; i < 3; ++i) {
      pto_tile *const good = tiles[indices[i]];
      tiles[indices[i]] = tile_sized(pto_tile_dtype(good), 24, 32);
      for (int w = 0; w < 4; ++w) {
        char texts[32];
        snprintf(texts, sizeof texts, "%dx%d|16x16", k_wrong[w][0], k_wrong[w][1]);
        set_valid(tiles[indices[i]], k_wrong[w][0], k_wrong[w][1]);
        refused += judge(op, tiles, PTO_ERROR_SHAPE, "pair-valid", pto_op_operand_name(op, indices[i]), texts);
      }
      set_valid(tiles[indices[i]], 16, 16);
      accept_all(op, tiles);
      tiles[indices[i]] = good;
    }
  }
  assert_true(refused > 0);
}

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
    for (int p = 0; p < 3; ++p) has |= has_rule(op, rule, p);
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

/* One tile at the start of a block of memory and another at an offset. */
static void lay_over(pto_tile **first, pto_tile **second, int64_t offset) {
  pto_tile *whole = tile_sized(PTO_DTYPE_U8, 128, 32);
  const pto_tile_desc one = desc_of(*first);
  const pto_tile_desc two = desc_of(*second);
  *first = keep(pto_tile_wrap(CPU, &one, pto_tile_data(whole), 2048));
  *second = keep(pto_tile_wrap(CPU, &two, (uint8_t *)pto_tile_data(whole) + offset, 4096 - offset));
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
      /* The last element of one operand is the first of tmp; then tmp begins behind it. */
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

/* The first operand of an extent; -1 when an instruction has none. */
static int32_t extent_at(int32_t op, int32_t extent) {
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
    if (pto_op_operand_extent(op, k) == extent) return k;
  }
  return -1;
}

static void test_rule_transposed_valid(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 16, "15x16|16x16"}, {k_layout_nd, 16, 15, "16x15|16x16"}, {k_layout_nd, 17, 16, "17x16|16x16"},
      {k_layout_nd, 0, 16, "0x16|16x16"},   {k_layout_nd, 16, 17, "16x17|16x16"}, {k_layout_nd, 16, 16, NULL},
  };
  REGIONS("transposed-valid", PTO_EXTENT_TRANSPOSED, k_cases);
  /* Rows and columns do not change places by themselves. */
  pto_tile *tiles[k_operands];
  operands_of("ttrans", PTO_DTYPE_F32, tiles);
  set_valid(tiles[0], 16, 8);
  set_valid(tiles[1], 16, 8);
  refuse(CPU, "ttrans", tiles, 0, PTO_ERROR_SHAPE, "transposed-valid", "dst", "16x8|16x8");
  set_valid(tiles[0], 8, 16);
  accept(CPU, "ttrans", tiles, 0);
}

static void test_rule_window_range(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 15, 16, "15x16|16x16|(0, 0)"},
      {k_layout_nd, 16, 15, "16x15|16x16"},
      {k_layout_nd, 0, 0, "0x0|16x16"},
      {k_layout_nd, 16, 16, NULL},
      {k_layout_nd, 24, 17, NULL},
  };
  REGIONS("window-range", PTO_EXTENT_WINDOW, k_cases);
  /* A window of 16x16 in 24x20, where integers of every kind say. */
  static const struct {
    int32_t at;
    int row, col;
  } k_starts[] = {{8, 1, 0},         {9, 0, 0},         {4, 1, 1},     {5, 1, 0}, {-1, 0, 0},
                  {INT32_MAX, 0, 0}, {INT32_MIN, 0, 0}, {65536, 0, 0}, {1, 1, 1}, {INT32_MAX - 15, 0, 0}};
  FOR_OPS(op) {
    const int32_t large = extent_at(op, PTO_EXTENT_WINDOW);
    if (large < 0) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    tiles[large] = tile_sized(pto_tile_dtype(tiles[large]), 24, 32);
    set_valid(tiles[large], 24, 20);
    int numbers = 0;
    for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
      if (pto_op_operand_role(op, i) != PTO_ROLE_INT) continue;
      const int by_row = numbers++ % 2 == 0;
      g_number_at = i;
      for (size_t n = 0; n < sizeof k_starts / sizeof *k_starts; ++n) {
        g_number = k_starts[n].at;
        char texts[64];
        snprintf(texts, sizeof texts, by_row ? "24x20|16x16|(%d, 0)" : "24x20|16x16|(0, %d)", (int)g_number);
        FOR_PROFILES(p, op, dtype) {
          if (by_row ? k_starts[n].row : k_starts[n].col) {
            accept(g_ctx[p], pto_op_name(op), tiles, 0);
          } else {
            refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "window-range", pto_op_operand_name(op, large),
                   texts);
          }
        }
      }
    }
    assert_true(numbers == 2 || numbers == 4);
    g_number = 0;
    g_number_at = -1;
  }
}

static void test_rule_joined_valid(void **state) {
  (void)state;
  static const int32_t k_wrong[][2] = {{16, 7}, {16, 9}, {16, 0}, {15, 8}, {17, 8}, {0, 8}};
  int seen = 0;
  FOR_OPS(op) {
    const int32_t first = extent_at(op, PTO_EXTENT_JOINED);
    if (first < 0) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int32_t k = first; k < first + 2; ++k) {
      pto_tile *const good = tiles[k];
      tiles[k] = tile_sized(pto_tile_dtype(good), 24, 32);
      for (size_t w = 0; w < sizeof k_wrong / sizeof *k_wrong; ++w) {
        set_valid(tiles[k], k_wrong[w][0], k_wrong[w][1]);
        const int rows = k_wrong[w][0] != 16;
        char texts[64];
        snprintf(texts, sizeof texts, rows ? "%d valid rows|16" : "16 valid columns|%d",
                 (int)(rows ? k_wrong[w][0] : 8 + k_wrong[w][1]));
        FOR_PROFILES(p, op, dtype) {
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "joined-valid",
                 rows ? pto_op_operand_name(op, k) : lead_name(op), texts);
        }
      }
      tiles[k] = good;
    }
    /* One may be empty, when the other has all columns. */
    set_valid(tiles[first], 16, 0);
    set_valid(tiles[first + 1], 16, 16);
    accept_all(op, tiles);
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_pad_shape(void **state) {
  (void)state;
  static const struct {
    int32_t rows, cols;
    int whole, around;
  } k_shapes[] = {{16, 32, 1, 1}, {17, 32, 0, 1}, {16, 40, 0, 1}, {15, 32, 0, 0}, {24, 24, 0, 0}, {8, 40, 0, 0}};
  int seen = 0;
  FOR_OPS(op) {
    if (!is_whole(op)) continue;
    const int32_t extent = pto_op_operand_extent(op, 0);
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (size_t n = 0; n < sizeof k_shapes / sizeof *k_shapes; ++n) {
      tiles[0] = tile_sized(dtype, k_shapes[n].rows, k_shapes[n].cols);
      if (extent == PTO_EXTENT_WHOLE ? k_shapes[n].whole : k_shapes[n].around) {
        accept_all(op, tiles);
        continue;
      }
      char texts[64];
      snprintf(texts, sizeof texts, "%dx%d|16x32", (int)k_shapes[n].rows, (int)k_shapes[n].cols);
      FOR_PROFILES(p, op, dtype) {
        refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "pad-shape", "dst", texts);
      }
    }
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_pad_place(void **state) {
  (void)state;
  int refused = 0;
  FOR_OPS(op) {
    if (!has_rule(op, "pad-place", PTO_PROFILE_A2A3)) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    pto_tile *const src = tiles[1];
    tiles[1] = tile_laid(k_layout_dn, dtype, 16, 32);
    refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "src", "col-major|vec");
    tiles[1] = src;
    pto_tile_desc desc = desc_of(src);
    desc.location = PTO_LOCATION_MAT;
    tiles[0] = tile_made(&desc);
    refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "dst", "row-major|mat");
    /* Nz in MAT takes zeros, in VEC nothing. */
    desc.blayout = PTO_BLAYOUT_COL_MAJOR;
    desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
    tiles[1] = tile_made(&desc);
    for (int pad = PTO_PAD_NULL; pad <= PTO_PAD_MIN; ++pad) {
      desc.pad = (pto_pad)pad;
      tiles[0] = tile_made(&desc);
      if (pad <= PTO_PAD_ZERO) accept_all(op, tiles);
      if (pad > PTO_PAD_ZERO) refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "dst", "mat|pad");
    }
    desc.location = PTO_LOCATION_VEC;
    desc.pad = PTO_PAD_ZERO;
    tiles[0] = tile_made(&desc);
    refused += judge(op, tiles, PTO_ERROR_LAYOUT, "pad-place", "dst", "boxed|vec");
  }
  assert_true(refused > 0);
}

static void test_rule_dsts_apart(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(op) {
    if (!has_rule(op, "dsts-apart", PTO_PROFILE_CPU)) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    const pto_tile_desc desc = desc_of(tiles[1]);
    tiles[1] = keep(pto_tile_wrap(CPU, &desc, pto_tile_data(tiles[0]), pto_tile_bytes(tiles[0])));
    FOR_PROFILES(p, op, dtype) {
      refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_ALIAS, "dsts-apart", pto_op_operand_name(op, 1),
             "shares memory");
    }
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_even_cols(void **state) {
  (void)state;
  int seen = 0;
  FOR_OPS(op) {
    if (!has_rule(op, "even-cols", PTO_PROFILE_CPU)) continue;
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    for (int32_t cols = 0; cols <= 16; ++cols) {
      FOR_NEEDED(op, k) set_valid(tiles[k], 16, cols);
      char text[32];
      snprintf(text, sizeof text, "%d valid columns", (int)cols);
      FOR_PROFILES(p, op, dtype) {
        if (cols % 2 == 0) accept(g_ctx[p], pto_op_name(op), tiles, 0);
        if (cols % 2 != 0)
          refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "even-cols", lead_name(op), text);
      }
    }
    ++seen;
  }
  assert_true(seen > 0);
}

static void test_rule_double_cols(void **state) {
  (void)state;
  static const region_case k_cases[] = {
      {k_layout_nd, 16, 31, "16x31|16x16"}, {k_layout_nd, 16, 30, "16x30|16x16"}, {k_layout_nd, 16, 16, "16x16|16x16"},
      {k_layout_nd, 15, 32, "15x32|16x16"}, {k_layout_nd, 17, 32, "17x32|16x16"}, {k_layout_nd, 16, 32, NULL},
  };
  REGIONS("double-cols", PTO_EXTENT_DOUBLE, k_cases);
}

const struct CMUnitTest k_op_rules[] = {
    RULE_TEST(test_rule_null),
    RULE_TEST(test_rule_flags),
    RULE_TEST(test_rule_storage),
    RULE_TEST(test_rule_dtype),
    RULE_TEST(test_rule_precision_float),
    RULE_TEST(test_rule_location_vec),
    RULE_TEST(test_rule_row_major),
    RULE_TEST(test_rule_col_vector),
    RULE_TEST(test_rule_row_vector),
    RULE_TEST(test_rule_same_dtype),
    RULE_TEST(test_rule_operand_dtype),
    RULE_TEST(test_rule_valid_equal),
    RULE_TEST(test_rule_valid_covers),
    RULE_TEST(test_rule_rows_covered),
    RULE_TEST(test_rule_cols_covered),
    RULE_TEST(test_rule_bits_covered),
    RULE_TEST(test_rule_row_results),
    RULE_TEST(test_rule_col_results),
    RULE_TEST(test_rule_first_element),
    RULE_TEST(test_rule_repeat_valid),
    RULE_TEST(test_rule_scalar_range),
    RULE_TEST(test_rule_scalar_kind),
    RULE_TEST(test_rule_mode),
    RULE_TEST(test_rule_partial_valid),
    RULE_TEST(test_rule_tmp_required),
    RULE_TEST(test_rule_tmp_layout),
    RULE_TEST(test_rule_tmp_valid_equal),
    RULE_TEST(test_rule_tmp_cols),
    RULE_TEST(test_rule_tmp_spare_row),
    RULE_TEST(test_rule_tmp_apart),
    RULE_TEST(test_rule_no_overlap),
    RULE_TEST(test_rule_dst_apart),
    RULE_TEST(test_rule_pair_valid),
    RULE_TEST(test_rule_transposed_valid),
    RULE_TEST(test_rule_window_range),
    RULE_TEST(test_rule_joined_valid),
    RULE_TEST(test_rule_pad_shape),
    RULE_TEST(test_rule_pad_place),
    RULE_TEST(test_rule_dsts_apart),
    RULE_TEST(test_rule_even_cols),
    RULE_TEST(test_rule_double_cols),
};
const int k_op_rule_count = sizeof k_op_rules / sizeof *k_op_rules;
