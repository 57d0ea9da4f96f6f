/*
 * test_rules_fixpipe.c: the rules of sums that are converted on their way, between tiles and to tensors: where sums,
 * words and results live, and what other rules say of them. Nothing is written where one is broken.
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"
#include "typed_calls.h"

#define FOR_FIXPIPES(op)                                                       \
  for (int32_t op##_at = 0, op; op##_at < pto_op_count(); ++op##_at, forget()) \
    if (op = pto_op_at(op##_at), is_fixpipe(op))

static uint8_t g_memory[16 * 16 * 4];

typedef struct sums {
  typed_operands t;
  int32_t op, dst, src, fp; /* operands; -1: none */
  pto_tensor *tensor;
} sums;

static pto_tile *placed(pto_location location, pto_blayout blayout, pto_slayout slayout, int32_t fractal,
                        pto_dtype dtype, int32_t rows, int32_t cols) {
  const test_layout layout = {"", blayout, slayout, fractal, PTO_COMPACT_NULL};
  pto_tile_desc desc = layout_desc(&layout, dtype, rows, cols);
  desc.location = location;
  return tile_made(&desc);
}
static pto_tile *in_acc(pto_dtype dtype) {
  return placed(PTO_LOCATION_ACC, PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 1024, dtype, 16, 16);
}
static pto_tile *in_mat(pto_dtype dtype) {
  pto_tile *tile = placed(PTO_LOCATION_MAT, PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 512, dtype, 16, 32);
  assert_int_equal(pto_tile_set_valid(CPU, tile, 16, 16), PTO_OK);
  return tile;
}
static pto_tile *words_in(pto_location location, int32_t rows, int32_t cols) {
  return placed(location, PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_NONE_BOX, 512, PTO_DTYPE_U64, rows, cols);
}

static pto_tensor *tensor_of(pto_dtype dtype, int32_t rows, int32_t cols) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = 2;
  desc.dim0 = rows;
  desc.dim1 = cols;
  pto_tensor *tensor = pto_tensor_wrap(CPU, &desc, g_memory, (int64_t)rows * cols * pto_dtype_bytes(dtype));
  assert_non_null(tensor);
  return tensor;
}

/* Each row begins 3 elements after the one before it. */
static pto_tensor *sliding_of(pto_dtype dtype) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = 2;
  desc.dim0 = desc.dim1 = 16;
  desc.strided = 1;
  desc.stride0 = 3;
  desc.stride1 = 1;
  pto_tensor *tensor = pto_tensor_wrap(CPU, &desc, g_memory, (int64_t)sizeof g_memory);
  assert_non_null(tensor);
  return tensor;
}

/* Operands that every profile takes: plain f32 to f16, f32 by words to i8. */
static sums sums_of(int32_t op) {
  sums s;
  memset(&s, 0, sizeof s);
  s.op = op;
  s.dst = 0;
  s.src = 1;
  s.fp = pto_op_operand_role(op, 2) == PTO_ROLE_IN ? 2 : -1;
  const int plain = s.fp < 0 && operand_of(op, PTO_ROLE_SCALAR) < 0;
  const pto_dtype to = plain ? PTO_DTYPE_F16 : PTO_DTYPE_I8;
  s.t.tiles[1] = in_acc(PTO_DTYPE_F32);
  if (s.fp >= 0) s.t.tiles[2] = words_in(PTO_LOCATION_SCALING, 1, 16);
  s.t.scalar = pto_uint(0x3f800000);
  if (operand_of(op, PTO_ROLE_TENSOR_OUT) == 0) {
    s.t.tensor = s.tensor = tensor_of(to, 16, 16);
  } else {
    s.t.tiles[0] = in_mat(to);
  }
  return s;
}

static void done(sums *s) {
  if (s->tensor != NULL) pto_tensor_release(s->tensor);
}

static void good(const sums *s, int profile) {
  if (typed_call(g_ctx[profile], s->op, &s->t) != PTO_OK)
    fail_msg("%s under %d: %s", pto_op_name(s->op), profile, pto_context_error_message(g_ctx[profile]));
}

static void bad(const sums *s, int profile, pto_status status, const char *rule, const char *operand,
                const char *texts) {
  uint8_t before[2][sizeof g_memory];
  pto_tile *dst = s->t.tiles[0];
  const size_t bytes = dst == NULL || pto_tile_data(dst) == NULL ? 0 : (size_t)pto_tile_bytes(dst);
  if (bytes != 0) memcpy(before[0], pto_tile_data(dst), bytes);
  memcpy(before[1], g_memory, sizeof g_memory);
  expect_error(g_ctx[profile], typed_call(g_ctx[profile], s->op, &s->t), status, rule, operand, texts);
  if (bytes != 0) assert_memory_equal(before[0], pto_tile_data(dst), bytes);
  assert_memory_equal(before[1], g_memory, sizeof g_memory);
}

/* Of windows: whether one is read. */
static int op_reads(int32_t op) { return pto_op_operand_extent(op, 1) == PTO_EXTENT_WINDOW; }

/* The number of a mode or integer of this name; -1 if there is no such name. */
static int number_of(int32_t op, const char *name) {
  int n = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    if (role != PTO_ROLE_MODE && role != PTO_ROLE_INT) continue;
    if (strcmp(pto_op_operand_name(op, i), name) == 0) return n;
    ++n;
  }
  return -1;
}

static void every_profile_takes(void) {
  int seen = 0;
  FOR_FIXPIPES(op) {
    sums s = sums_of(op);
    for (int p = 0; p < k_profiles; ++p) good(&s, p);
    /* Flags, handles, storage, types. */
    for (int p = 0; p < k_profiles; ++p) {
      s.t.flags = 2;
      bad(&s, p, PTO_ERROR_ARGUMENT, "flags", "flags", "0x2");
      s.t.flags = 0;
      pto_tile *const src = s.t.tiles[1];
      s.t.tiles[1] = NULL;
      bad(&s, p, PTO_ERROR_NULL, "null", "src", "src is NULL");
      pto_tile_desc desc = desc_of(src);
      desc.storage = PTO_STORAGE_MANUAL;
      s.t.tiles[1] = tile_made(&desc);
      bad(&s, p, PTO_ERROR_ADDRESS, "storage", "src", "without an address");
      s.t.tiles[1] = src;
    }
    if (s.fp >= 0) {
      pto_tile *const fp = s.t.tiles[2];
      s.t.tiles[2] = NULL;
      bad(&s, 0, PTO_ERROR_NULL, "null", "fp", "fp is NULL");
      s.t.tiles[2] = tile_made(&(pto_tile_desc){.struct_size = sizeof(pto_tile_desc),
                                                .dtype = PTO_DTYPE_F32,
                                                .rows = 1,
                                                .cols = 16,
                                                .valid_rows = 1,
                                                .valid_cols = 16,
                                                .location = PTO_LOCATION_SCALING});
      bad(&s, 0, PTO_ERROR_DTYPE, "operand-dtype", "fp", "f32|i64 u64");
      s.t.tiles[2] = fp;
    }
    if (operand_of(op, PTO_ROLE_SCALAR) >= 0) {
      s.t.scalar = pto_float(0.5);
      bad(&s, 0, PTO_ERROR_ARGUMENT, "scalar-range", "pre_quant_scalar", "0.5|u64");
      s.t.scalar.kind = 9;
      bad(&s, 0, PTO_ERROR_ARGUMENT, "scalar-kind", "pre_quant_scalar", "kind 9");
    }
    done(&s);
    ++seen;
  }
  assert_int_equal(seen, 12);
}

static void test_rule_location_acc(void **state) {
  (void)state;
  every_profile_takes();
  FOR_FIXPIPES(op) {
    sums s = sums_of(op);
    pto_tile *const src = s.t.tiles[1];
    s.t.tiles[1] = in_mat(PTO_DTYPE_F32);
    good(&s, 0);
    for (int p = 1; p < k_profiles; ++p) {
      const char *rule = s.tensor == NULL ? "location-move" : "location-acc";
      bad(&s, p, PTO_ERROR_LAYOUT, rule, "src", "src lives in mat");
    }
    s.t.tiles[1] = src;
    if (s.fp >= 0) {
      s.t.tiles[2] = words_in(PTO_LOCATION_VEC, 1, 16);
      good(&s, 0);
      for (int p = 1; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_LAYOUT, "location-acc", "fp", "vec|scaling");
      s.t.tiles[2] = words_in(PTO_LOCATION_SCALING, 2, 16);
      good(&s, 0);
      for (int p = 1; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_LAYOUT, "location-acc", "fp", "with 2 rows");
    }
    if (s.tensor == NULL) {
      /* Only A5 has a way to vec. */
      pto_tile_desc desc = desc_of(s.t.tiles[0]);
      desc.location = PTO_LOCATION_VEC;
      s.t.tiles[0] = tile_made(&desc);
      if (s.fp >= 0) s.t.tiles[2] = words_in(PTO_LOCATION_SCALING, 1, 16);
      good(&s, 0);
      bad(&s, 1, PTO_ERROR_LAYOUT, "location-move", "src", "acc|vec|A2A3 does not convert f32");
      good(&s, 2);
    }
    done(&s);
  }
}

/* Each vector core receives half of the rows, or of a multiple of 32 columns, in a tile that is not column-major. */
static void splits(sums *s, int mode) {
  const int by_rows = mode == PTO_ACC_TO_VEC_DUAL_MODE_SPLIT_M;
  pto_tile *const src = s->t.tiles[1];
  pto_tile_desc desc = desc_of(src);
  desc.cols = desc.valid_cols = 32;
  s->t.tiles[1] = tile_made(&desc);
  desc = desc_of(s->t.tiles[0]);
  desc.blayout = PTO_BLAYOUT_ROW_MAJOR;
  desc.slayout = PTO_SLAYOUT_NONE_BOX;
  desc.fractal = 512;
  desc.rows = 16;
  desc.cols = 32;
  desc.valid_rows = by_rows ? 8 : 16;
  desc.valid_cols = by_rows ? 32 : 16;
  s->t.tiles[0] = tile_made(&desc);
  good(s, 0);
  good(s, 2);
  assert_int_equal(pto_tile_set_valid(CPU, s->t.tiles[0], 16, 32), PTO_OK);
  good(s, 0);
  bad(s, 2, PTO_ERROR_SHAPE, "valid-equal", "src", "16x32 where each of two vector cores receives 16x32");
  assert_int_equal(pto_tile_set_valid(CPU, s->t.tiles[0], desc.valid_rows, desc.valid_cols), PTO_OK);
  if (!by_rows) {
    assert_int_equal(pto_tile_set_valid(CPU, s->t.tiles[1], 16, 16), PTO_OK);
    assert_int_equal(pto_tile_set_valid(CPU, s->t.tiles[0], 16, 8), PTO_OK);
    bad(s, 2, PTO_ERROR_ARGUMENT, "acc-to-vec", "acc_to_vec", "16 columns of src, not a multiple of 32");
    assert_int_equal(pto_tile_set_valid(CPU, s->t.tiles[1], 16, 32), PTO_OK);
  }
  desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  s->t.tiles[0] = tile_made(&desc);
  bad(s, 2, PTO_ERROR_ARGUMENT, "acc-to-vec", "acc_to_vec", "with a column-major dst");
  s->t.tiles[1] = src;
}

static void test_rule_acc_to_vec(void **state) {
  (void)state;
  FOR_FIXPIPES(op) {
    sums s = sums_of(op);
    const int at = number_of(op, "acc_to_vec");
    const int quantises = s.fp >= 0 || operand_of(op, PTO_ROLE_SCALAR) >= 0;
    assert_int_equal(at < 0, s.tensor != NULL);
    for (int mode = 0; at >= 0 && mode < 4; ++mode) {
      s.t.tiles[0] = in_mat(pto_tile_dtype(s.t.tiles[0]));
      s.t.numbers[at] = mode;
      good(&s, 0);
      for (int p = 1; p < k_profiles && mode != 0; ++p) {
        bad(&s, p, PTO_ERROR_ARGUMENT, "acc-to-vec", "acc_to_vec", "dst in mat");
      }
      pto_tile_desc desc = desc_of(s.t.tiles[0]);
      desc.location = PTO_LOCATION_VEC;
      s.t.tiles[0] = tile_made(&desc);
      if (mode >= PTO_ACC_TO_VEC_DUAL_MODE_SPLIT_M && quantises) {
        bad(&s, 2, PTO_ERROR_ARGUMENT, "acc-to-vec", "acc_to_vec", "DUAL_MODE_SPLIT_|with a quantisation word");
      } else if (mode >= PTO_ACC_TO_VEC_DUAL_MODE_SPLIT_M && number_of(op, "index_row") < 0) {
        splits(&s, mode);
      } else {
        good(&s, 2);
      }
    }
    static const char *const k_modes[] = {"relu", "acc_to_vec", "atomic"};
    for (int m = 0; m < 3; ++m) {
      const int n = number_of(op, k_modes[m]);
      if (n < 0) continue;
      memset(s.t.numbers, 0, sizeof s.t.numbers);
      s.t.numbers[n] = 7;
      for (int p = 0; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_ARGUMENT, "mode", k_modes[m], "is 7 where 0 to");
    }
    done(&s);
  }
}

static void regions_and_types(void) {
  FOR_FIXPIPES(op) {
    sums s = sums_of(op);
    const int row = number_of(op, "index_row");
    if (s.tensor != NULL) {
      assert_int_equal(pto_tile_set_valid(CPU, s.t.tiles[1], 16, 16), PTO_OK);
      pto_tensor *const small =
          tensor_of(pto_tile_dtype(s.t.tiles[1]) == PTO_DTYPE_F32 && s.fp < 0 && operand_of(op, PTO_ROLE_SCALAR) < 0
                        ? PTO_DTYPE_F16
                        : PTO_DTYPE_I8,
                    15, 16);
      s.t.tensor = small;
      for (int p = 0; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_SHAPE, "transfer-covers", "dst", "15x16|16x16");
      pto_tensor_release(small);
      pto_tensor *const sliding = sliding_of(pto_tensor_dtype(s.tensor));
      s.t.tensor = sliding;
      for (int p = 0; p < k_profiles; ++p)
        bad(&s, p, PTO_ERROR_SHAPE, "tensor-overlap", "dst", "(0, 3) and (1, 0)|3 elements");
      s.t.numbers[number_of(op, "atomic")] = PTO_ATOMIC_ADD;
      for (int p = 0; p < k_profiles; ++p) good(&s, p);
      s.t.numbers[number_of(op, "atomic")] = PTO_ATOMIC_NONE;
      pto_tensor_release(sliding);
      pto_tensor *const of_u32 = tensor_of(PTO_DTYPE_U32, 16, 16);
      s.t.tensor = of_u32;
      for (int p = 0; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_DTYPE, "operand-dtype", "dst", "u32");
      pto_tensor_release(of_u32);
      s.t.tensor = NULL;
      bad(&s, 0, PTO_ERROR_NULL, "null", "dst", "dst is NULL");
    } else if (row >= 0) {
      s.t.numbers[row] = 1;
      for (int p = 0; p < k_profiles; ++p)
        bad(&s, p, PTO_ERROR_SHAPE, "window-range", op_reads(op) ? "src" : "dst", "16x16");
    } else {
      assert_int_equal(pto_tile_set_valid(CPU, s.t.tiles[1], 15, 16), PTO_OK);
      bad(&s, 0, PTO_ERROR_SHAPE, "valid-covers", "src", "15x16");
      for (int p = 1; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_SHAPE, "valid-equal", "src", "15x16");
    }
    done(&s);
  }
}

static void test_rule_words_covered(void **state) {
  (void)state;
  regions_and_types();
  FOR_FIXPIPES(op) {
    sums s = sums_of(op);
    if (s.fp >= 0) {
      assert_int_equal(pto_tile_set_valid(CPU, s.t.tiles[2], 1, 15), PTO_OK);
      for (int p = 0; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_SHAPE, "cols-covered", "fp", "15|16");
      assert_int_equal(pto_tile_set_valid(CPU, s.t.tiles[2], 1, 16), PTO_OK);
      for (int p = 0; p < k_profiles; ++p) good(&s, p);
    }
    if (s.fp >= 0 && has_rule(op, "words-covered", 0)) {
      /* The window of 16x4 at column 12 needs 16 words, at 8 only 12 of them. */
      const int col = number_of(op, "index_col");
      assert_int_equal(pto_tile_set_valid(CPU, s.t.tiles[0], 16, 4), PTO_OK);
      assert_int_equal(pto_tile_set_valid(CPU, s.t.tiles[2], 1, 12), PTO_OK);
      s.t.numbers[col] = 8;
      for (int p = 0; p < k_profiles; ++p) good(&s, p);
      s.t.numbers[col] = 12;
      for (int p = 0; p < k_profiles; ++p) bad(&s, p, PTO_ERROR_SHAPE, "words-covered", "fp", "12 words|column 16");
    }
    done(&s);
  }
}

const struct CMUnitTest k_fixpipe_rules[] = {
    RULE_TEST(test_rule_location_acc),
    RULE_TEST(test_rule_acc_to_vec),
    RULE_TEST(test_rule_words_covered),
};
const int k_fixpipe_rule_count = (int)(sizeof k_fixpipe_rules / sizeof *k_fixpipe_rules);
