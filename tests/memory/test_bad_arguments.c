/*
 * test_bad_arguments.c: every public function with NULL, with numbers that no enum
 * has, with the largest and smallest sizes. Each returns, writes nothing and keeps
 * nothing. tests/abi holds the list of prototypes against this file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "layouts.h"
#include "testing.h"
#include "typed_calls.h"

static const int k_garbage[] = {-1, 3, 4, 9, 11, 12, 999, INT32_MIN, INT32_MAX};
enum { k_garbage_count = sizeof k_garbage / sizeof *k_garbage };

static pto_context *g_ctx;
static pto_tile *g_tile;
static pto_inst *g_inst;
static pto_tensor *g_tensor;
static uint8_t g_before[1024];

static pto_tensor_desc tensor_desc(void) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 1;
  desc.dim0 = 256;
  return desc;
}

static int set_up(void **state) {
  (void)state;
  g_ctx = pto_context_create(PTO_PROFILE_CPU);
  g_tile = pto_tile_create(g_ctx, PTO_DTYPE_F32, 16, 16);
  g_inst = pto_inst_create(g_ctx, "tpow");
  const pto_tensor_desc desc = tensor_desc();
  g_tensor = pto_tensor_create(g_ctx, &desc);
  for (size_t i = 0; i < sizeof g_before; ++i) g_before[i] = (uint8_t)(i * 7);
  assert_int_equal(pto_tile_write(g_ctx, g_tile, g_before, sizeof g_before), PTO_OK);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  assert_memory_equal(pto_tile_data(g_tile), g_before, sizeof g_before);
  assert_int_equal(pto_tile_valid_rows(g_tile), 16);
  pto_tensor_release(g_tensor);
  pto_inst_release(g_inst);
  pto_tile_release(g_tile);
  pto_context_release(g_ctx);
  return pto_live_handles() == 0 ? 0 : -1;
}

static void test_queries(void **state) {
  (void)state;
  for (int i = 0; i < k_garbage_count; ++i) {
    const int n = k_garbage[i];
    assert_non_null(pto_status_name((pto_status)n));
    if (n < 0 || n > PTO_ERROR_UNKNOWN) assert_string_equal(pto_status_name((pto_status)n), "PTO_ERROR_?");
    assert_non_null(pto_dtype_name((pto_dtype)n));
    if (n < 0 || n > PTO_DTYPE_I4) {
      assert_string_equal(pto_dtype_name((pto_dtype)n), "?");
      assert_int_equal(pto_dtype_bytes((pto_dtype)n), 0);
      assert_int_equal(pto_dtype_bits((pto_dtype)n), 0);
    }
    if (n < 0 || n >= pto_target_count()) {
      assert_null(pto_target_name(n));
      assert_int_equal(pto_target_supported(n), 0);
    }
    if (n < 0 || n >= pto_op_count()) assert_int_equal(pto_op_at(n), -1);
    if (n > 100 || n < 1) {
      assert_null(pto_op_name(n));
      assert_null(pto_op_brief(n));
      assert_null(pto_op_formula(n));
      assert_int_equal(pto_op_operand_count(n), 0);
      assert_null(pto_op_operand_name(n, 0));
      assert_int_equal(pto_op_operand_role(n, 0), -1);
      assert_int_equal(pto_op_flags(n), 0);
      assert_null(pto_op_mnemonic(n));
      assert_int_equal(pto_op_lead(n), -1);
      assert_null(pto_op_operand_mode(n, 0));
      assert_null(pto_op_operand_mode_value(n, 0, 0));
      assert_int_equal(pto_op_operand_extent(n, 0), -1);
      assert_int_equal(pto_op_operand_dtypes(n, 0, PTO_PROFILE_CPU, PTO_DTYPE_F32), 0);
      assert_int_equal(pto_op_supports(n, PTO_PROFILE_CPU, PTO_DTYPE_F32, 0), 0);
      assert_int_equal(pto_op_supports(PTO_OP_TPOW, (pto_profile)n, PTO_DTYPE_F32, 0), 0);
      assert_int_equal(pto_op_supports(PTO_OP_TPOW, PTO_PROFILE_CPU, (pto_dtype)n, 0), 0);
      assert_int_equal(pto_op_supports(PTO_OP_TPOW, PTO_PROFILE_CPU, PTO_DTYPE_F32, (uint32_t)n & ~1U), 0);
      assert_null(pto_op_operand_name(PTO_OP_TPOW, n == 0 ? -1 : n));
      assert_int_equal(pto_op_operand_role(PTO_OP_TPOW, n), -1);
      assert_int_equal(pto_op_operand_extent(PTO_OP_TPOW, n), -1);
      assert_null(pto_op_operand_mode(PTO_OP_TCMP, n));
      assert_null(pto_op_operand_mode_value(PTO_OP_TCMP, n, 0));
      assert_null(pto_op_operand_mode_value(PTO_OP_TCMP, 3, n));
      assert_int_equal(pto_op_operand_dtypes(PTO_OP_TCMP, n, PTO_PROFILE_CPU, PTO_DTYPE_F32), 0);
      assert_int_equal(pto_op_operand_dtypes(PTO_OP_TCMP, 0, (pto_profile)n, PTO_DTYPE_F32), 0);
      assert_int_equal(pto_op_operand_dtypes(PTO_OP_TCMP, 0, PTO_PROFILE_CPU, (pto_dtype)n), 0);
    }
  }
  /* A mode is an operand of a mode, and tmp is not an operand of an extent. */
  assert_string_equal(pto_op_operand_mode(PTO_OP_TCMP, 3), "cmp");
  assert_null(pto_op_operand_mode(PTO_OP_TCMP, 0));
  assert_int_equal(pto_op_operand_extent(PTO_OP_TPOW, 3), -1);
  assert_int_equal(pto_op_find(NULL), -1);
  assert_int_equal(pto_version(), 100);
  /* The reverse: each instruction is found by what it reports of itself. */
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const int32_t op = pto_op_at(i);
    assert_int_equal(pto_op_find(pto_op_name(op)), op);
    assert_true(strlen(pto_op_brief(op)) > 10 && strlen(pto_op_formula(op)) > 3);
    if (i > 0) assert_true(strcmp(pto_op_name(pto_op_at(i - 1)), pto_op_name(op)) < 0);
  }
}

static void test_contexts(void **state) {
  (void)state;
  for (int i = 0; i < k_garbage_count; ++i) {
    assert_null(pto_context_create((pto_profile)k_garbage[i]));
    assert_null(pto_context_create_for((pto_profile)k_garbage[i], NULL));
  }
  static const char *k_names[] = {"", "avx", "AVX 2", "AVX999", "scalar", "\xff"};
  for (size_t i = 0; i < sizeof k_names / sizeof *k_names; ++i)
    assert_null(pto_context_create_for(PTO_PROFILE_CPU, k_names[i]));
  for (int32_t i = 0; i < pto_target_count(); ++i) {
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_A5, pto_target_name(i));
    assert_int_equal(ctx != NULL, pto_target_supported(i));
    if (ctx == NULL) continue;
    assert_string_equal(pto_context_target(ctx), pto_target_name(i));
    assert_int_equal(pto_context_profile(ctx), PTO_PROFILE_A5);
    pto_context_release(ctx);
  }
  assert_null(pto_context_retain(NULL));
  pto_context_release(NULL);
  assert_int_equal(pto_context_profile(NULL), PTO_PROFILE_CPU);
  assert_string_equal(pto_context_target(NULL), "");
  assert_int_equal(pto_context_limit_on_chip(NULL, 1), PTO_ERROR_NULL);
  assert_int_equal(pto_context_saturate(NULL, 1), PTO_ERROR_NULL);
  assert_int_equal(pto_context_capacity(NULL, PTO_LOCATION_VEC), 0);
  assert_int_equal(pto_context_error(NULL), PTO_ERROR_NULL);
  assert_string_equal(pto_context_error_message(NULL), "");
  assert_string_equal(pto_context_error_rule(NULL), "");
  assert_string_equal(pto_context_error_operand(NULL), "");
  assert_string_equal(pto_context_error_remedy(NULL), "");
  pto_context *fresh = pto_context_create(PTO_PROFILE_CPU);
  assert_int_equal(pto_context_error(fresh), PTO_OK);
  assert_string_equal(pto_context_error_message(fresh), "");
  assert_string_equal(pto_context_error_rule(fresh), "");
  assert_string_equal(pto_context_error_remedy(fresh), "");
  /* A call that succeeds leaves the error as it was. */
  assert_null(pto_tile_create(fresh, PTO_DTYPE_F32, 0, 1));
  pto_tile_release(pto_tile_create(fresh, PTO_DTYPE_F32, 1, 1));
  assert_string_equal(pto_context_error_rule(fresh), "tile-shape");
  pto_context_release(fresh);
}

static void test_target_of_the_environment(void **state) {
  (void)state;
  const char *before = getenv("PTO_TARGET");
  for (int32_t i = 0; i < pto_target_count(); ++i) {
    if (!pto_target_supported(i)) continue;
    assert_int_equal(setenv("PTO_TARGET", pto_target_name(i), 1), 0);
    pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
    assert_string_equal(pto_context_target(ctx), pto_target_name(i));
    pto_context_release(ctx);
  }
  /* A name that is not known chooses nothing. */
  assert_int_equal(setenv("PTO_TARGET", "NO_SUCH_TARGET", 1), 0);
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  assert_non_null(ctx);
  pto_context_release(ctx);
  if (before == NULL) {
    unsetenv("PTO_TARGET");
  } else {
    setenv("PTO_TARGET", before, 1);
  }
}

/* One tile for every operand of an instruction, or the tensor. */
static typed_operands all_operands(int32_t op) {
  typed_operands all;
  memset(&all, 0, sizeof all);
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    if (role == PTO_ROLE_OUT || role == PTO_ROLE_INOUT || role == PTO_ROLE_IN) all.tiles[i] = g_tile;
    if (role == PTO_ROLE_TENSOR_OUT || role == PTO_ROLE_TENSOR_IN) all.tensor = g_tensor;
  }
  all.scalar = pto_int(1);
  return all;
}

static void test_null_context(void **state) {
  (void)state;
  static int64_t memory[128];
  const pto_tile_desc desc = layout_desc(&k_layouts[0], PTO_DTYPE_F32, 16, 16);
  const pto_tensor_desc t = tensor_desc();
  assert_null(pto_tile_create(NULL, PTO_DTYPE_F32, 1, 1));
  assert_null(pto_tile_create_from(NULL, &desc));
  assert_null(pto_tile_create_from(NULL, NULL));
  assert_null(pto_tile_wrap(NULL, &desc, memory, sizeof memory));
  assert_null(pto_tile_view(NULL, g_tile, 0, 0, 1, 1));
  assert_null(pto_tile_reshape(NULL, g_tile, &desc));
  assert_null(pto_tensor_create(NULL, &t));
  assert_null(pto_tensor_wrap(NULL, &t, memory, sizeof memory));
  assert_null(pto_tensor_view(NULL, g_tensor, &t, 0));
  assert_null(pto_inst_create(NULL, "tpow"));
  assert_int_equal(pto_tile_set_valid(NULL, g_tile, 1, 1), PTO_ERROR_NULL);
  assert_int_equal(pto_tile_write(NULL, g_tile, memory, 1024), PTO_ERROR_NULL);
  assert_int_equal(pto_tile_read(NULL, g_tile, memory, 1024), PTO_ERROR_NULL);
  assert_int_equal(pto_tile_write_as(NULL, g_tile, PTO_DTYPE_F32, memory, 1024), PTO_ERROR_NULL);
  assert_int_equal(pto_tile_read_as(NULL, g_tile, PTO_DTYPE_F32, memory, 1024), PTO_ERROR_NULL);
  assert_int_equal(pto_tensor_write(NULL, g_tensor, memory, 1024), PTO_ERROR_NULL);
  assert_int_equal(pto_tensor_read(NULL, g_tensor, memory, 1024), PTO_ERROR_NULL);
  assert_int_equal(pto_tassign(NULL, g_tile, 0), PTO_ERROR_NULL);
  assert_int_equal(pto_tprint(NULL, g_tile, PTO_PRINT_FORMAT_WIDTH8_PRECISION4), PTO_ERROR_NULL);
  assert_int_equal(pto_context_print(NULL, "text"), PTO_ERROR_NULL);
  assert_string_equal(pto_context_output(NULL), "");
  pto_context_clear_output(NULL);
  assert_int_equal(pto_inst_set_tile(NULL, g_inst, 0, g_tile), PTO_ERROR_NULL);
  assert_int_equal(pto_inst_set_tensor(NULL, g_inst, 0, g_tensor), PTO_ERROR_NULL);
  assert_int_equal(pto_inst_set_int(NULL, g_inst, 4, 0), PTO_ERROR_NULL);
  assert_int_equal(pto_inst_set_float(NULL, g_inst, 4, 0), PTO_ERROR_NULL);
  assert_int_equal(pto_inst_set_scalar(NULL, g_inst, 4, pto_int(0)), PTO_ERROR_NULL);
  assert_int_equal(pto_inst_check(NULL, g_inst), PTO_ERROR_NULL);
  assert_int_equal(pto_inst_run(NULL, g_inst), PTO_ERROR_NULL);
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const typed_operands all = all_operands(pto_op_at(i));
    assert_int_equal(typed_call(NULL, pto_op_at(i), &all), PTO_ERROR_NULL);
  }
}

static void test_null_handles(void **state) {
  (void)state;
  static int64_t memory[128];
  const pto_tile_desc desc = layout_desc(&k_layouts[0], PTO_DTYPE_F32, 16, 16);
  const pto_tensor_desc t = tensor_desc();
  EXPECT_NO_HANDLE(g_ctx, pto_tile_view(g_ctx, NULL, 0, 0, 1, 1), PTO_ERROR_NULL, "null", "tile", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_tile_reshape(g_ctx, NULL, &desc), PTO_ERROR_NULL, "null", "tile", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_tile_reshape(g_ctx, g_tile, NULL), PTO_ERROR_NULL, "null", "desc", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_tensor_create(g_ctx, NULL), PTO_ERROR_NULL, "null", "desc", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_tensor_wrap(g_ctx, NULL, memory, 1024), PTO_ERROR_NULL, "null", "desc", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_tensor_wrap(g_ctx, &t, NULL, 1024), PTO_ERROR_NULL, "null", "data", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_tensor_view(g_ctx, NULL, &t, 0), PTO_ERROR_NULL, "null", "tensor", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_tensor_view(g_ctx, g_tensor, NULL, 0), PTO_ERROR_NULL, "null", "desc", "NULL");
  expect_error(g_ctx, pto_tensor_write(g_ctx, NULL, memory, 1024), PTO_ERROR_NULL, "null", "tensor", "NULL");
  expect_error(g_ctx, pto_tensor_read(g_ctx, NULL, memory, 1024), PTO_ERROR_NULL, "null", "tensor", "NULL");
  expect_error(g_ctx, pto_tensor_write(g_ctx, g_tensor, NULL, 1024), PTO_ERROR_NULL, "null", "data", "NULL");
  expect_error(g_ctx, pto_tensor_read(g_ctx, g_tensor, NULL, 1024), PTO_ERROR_NULL, "null", "data", "NULL");
  expect_error(g_ctx, pto_tensor_write_as(g_ctx, NULL, PTO_DTYPE_F32, memory, 1024), PTO_ERROR_NULL, "null", "tensor",
               "NULL");
  expect_error(g_ctx, pto_tensor_read_as(g_ctx, g_tensor, (pto_dtype)999, memory, 1024), PTO_ERROR_ARGUMENT,
               "dtype-known", "dtype", "999");
  expect_error(g_ctx, pto_inst_set_tensor(g_ctx, NULL, 0, g_tensor), PTO_ERROR_NULL, "null", "inst", "NULL");
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const int32_t op = pto_op_at(i);
    for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
      typed_operands all = all_operands(op);
      const int32_t role = pto_op_operand_role(op, k);
      if (role == PTO_ROLE_TENSOR_OUT || role == PTO_ROLE_TENSOR_IN) {
        all.tensor = NULL;
      } else if (all.tiles[k] != NULL) {
        all.tiles[k] = NULL;
      } else {
        continue;
      }
      expect_error(g_ctx, typed_call(g_ctx, op, &all), PTO_ERROR_NULL, "null", pto_op_operand_name(op, k), "NULL");
    }
  }
  typed_operands none;
  memset(&none, 0, sizeof none);
  assert_int_equal(typed_call(g_ctx, 0, &none), PTO_ERROR_UNKNOWN);
  /* An instruction whose operands are not set. */
  expect_error(g_ctx, pto_inst_check(g_ctx, g_inst), PTO_ERROR_NULL, "null", "dst", "dst is NULL");
  expect_error(g_ctx, pto_inst_run(g_ctx, g_inst), PTO_ERROR_NULL, "null", "dst", "dst is NULL");
  assert_null(pto_tile_retain(NULL));
  pto_tile_release(NULL);
  assert_null(pto_tensor_retain(NULL));
  pto_tensor_release(NULL);
  assert_null(pto_inst_retain(NULL));
  pto_inst_release(NULL);
  assert_int_equal(pto_inst_op(NULL), -1);
  assert_null(pto_tile_data(NULL));
  assert_int_equal(pto_tile_bytes(NULL), 0);
  assert_int_equal(pto_tile_valid_bytes(NULL), 0);
  assert_int_equal(pto_tile_dtype(NULL), PTO_DTYPE_I8);
  assert_int_equal(pto_tile_rows(NULL), 0);
  assert_int_equal(pto_tile_cols(NULL), 0);
  assert_int_equal(pto_tile_valid_rows(NULL), 0);
  assert_int_equal(pto_tile_valid_cols(NULL), 0);
  assert_int_equal(pto_tile_location(NULL), PTO_LOCATION_VEC);
  assert_int_equal(pto_tile_blayout(NULL), PTO_BLAYOUT_ROW_MAJOR);
  assert_int_equal(pto_tile_slayout(NULL), PTO_SLAYOUT_NONE_BOX);
  assert_int_equal(pto_tile_fractal(NULL), 0);
  assert_int_equal(pto_tile_stride(NULL), 0);
  assert_int_equal(pto_tile_pad(NULL), PTO_PAD_NULL);
  assert_int_equal(pto_tile_pad_bits(NULL), 0);
  assert_int_equal(pto_tile_compact(NULL), PTO_COMPACT_NULL);
  assert_null(pto_tensor_data(NULL));
  assert_int_equal(pto_tensor_bytes(NULL), 0);
  assert_int_equal(pto_tensor_dtype(NULL), PTO_DTYPE_I8);
  assert_int_equal(pto_tensor_layout(NULL), PTO_LAYOUT_ND);
  assert_int_equal(pto_tensor_rank(NULL), 0);
  assert_int_equal(pto_tensor_dim(NULL, 0), 0);
  assert_int_equal(pto_tensor_stride(NULL, 0), 0);
  for (int i = 0; i < k_garbage_count; ++i) {
    if (k_garbage[i] == 0) continue;
    assert_int_equal(pto_tensor_dim(g_tensor, k_garbage[i]), 0);
    assert_int_equal(pto_tensor_stride(g_tensor, k_garbage[i]), 0);
  }
}

/* Descriptors with each field at its worst, alone and with random others: an answer, and no leak. */
static void test_garbage_descriptors(void **state) {
  (void)state;
  static int64_t memory[512];
  uint64_t seed = 1;
  for (int round = 0; round < 100000; ++round) {
    int32_t fields[sizeof(pto_tile_desc) / 4];
    pto_tile_desc desc = layout_desc(&k_layouts[round % k_layout_count], PTO_DTYPE_F32, 3, 8);
    memcpy(fields, &desc, sizeof desc);
    for (int i = round % 3; i >= 0; --i) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
      const size_t field = (size_t)(seed >> 33) % (sizeof fields / sizeof *fields);
      fields[field] = k_garbage[(seed >> 48) % k_garbage_count];
    }
    memcpy(&desc, fields, sizeof desc);
    /* Manual storage: a legal large tile is made without its memory. */
    if (desc.storage == PTO_STORAGE_OWNED) desc.storage = PTO_STORAGE_MANUAL;
    pto_tile *tile = pto_tile_create_from(g_ctx, &desc);
    pto_tile *wrapped = pto_tile_wrap(g_ctx, &desc, memory, sizeof memory);
    if (tile == NULL) {
      assert_null(wrapped);
      assert_true(pto_context_error_message(g_ctx)[0] != '\0');
      assert_true(strlen(pto_context_error_message(g_ctx)) < 250);
    } else {
      assert_true(pto_tile_bytes(tile) > 0 && pto_tile_bytes(tile) <= INT64_C(1) << 40);
      assert_true((wrapped != NULL) == (pto_tile_bytes(tile) <= (int64_t)sizeof memory));
      (void)pto_tassign(g_ctx, tile, (int64_t)(seed >> 40) * 32);
      (void)pto_trsqrt(g_ctx, wrapped, wrapped, NULL, 0);
    }
    pto_tile_release(wrapped);
    pto_tile_release(tile);
  }
  assert_int_equal(pto_live_handles(), 4);
}

static void test_garbage_tensors(void **state) {
  (void)state;
  static const int64_t k_wide[] = {-1, 0, 1, 2, 7, INT64_MAX, INT64_MIN, INT64_C(1) << 32, INT64_C(1) << 40};
  static int64_t memory[512];
  uint64_t seed = 1;
  for (int round = 0; round < 100000; ++round) {
    pto_tensor_desc desc = tensor_desc();
    desc.rank = 1 + round % 5;
    desc.strided = round / 5 % 2;
    int64_t *const wide[] = {&desc.dim0,    &desc.dim1,    &desc.dim2,    &desc.dim3,    &desc.dim4,
                             &desc.stride0, &desc.stride1, &desc.stride2, &desc.stride3, &desc.stride4};
    for (size_t i = 0; i < 10; ++i) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
      *wide[i] = k_wide[(seed >> 33) % (seed >> 60 == 0 ? 9 : 5)];
    }
    pto_tensor *wrapped = pto_tensor_wrap(g_ctx, &desc, memory, sizeof memory);
    pto_tensor *view = pto_tensor_view(g_ctx, wrapped, &desc, k_wide[(seed >> 50) % 9]);
    if (wrapped != NULL) {
      /* Wherever an element is said to be, it is in the memory. */
      const int64_t bytes = pto_tensor_bytes(wrapped);
      if (bytes > 0 && bytes <= (int64_t)sizeof memory) {
        static int64_t packed[512];
        assert_int_equal(pto_tensor_read(g_ctx, wrapped, packed, bytes), PTO_OK);
        assert_int_equal(pto_tensor_write(g_ctx, wrapped, packed, bytes), PTO_OK);
      }
    } else {
      assert_true(strlen(pto_context_error_message(g_ctx)) < 250);
    }
    pto_tensor_release(view);
    pto_tensor_release(wrapped);
  }
  assert_int_equal(pto_live_handles(), 4);
}

/* Worlds and groups: NULL for each handle, and modes that no enum has. */
static void test_worlds(void **state) {
  (void)state;
  const pto_tensor_desc desc = tensor_desc();
  assert_null(pto_world_create(NULL, 2, 64));
  assert_null(pto_world_retain(NULL));
  pto_world_release(NULL);
  assert_int_equal(pto_world_ranks(NULL), 0);
  assert_int_equal(pto_world_window_bytes(NULL), 0);
  assert_string_equal(pto_world_transport(NULL), "");
  assert_int_equal(pto_context_rank(NULL), -1);
  pto_world *world = pto_world_create(g_ctx, 2, 1024);
  assert_null(pto_world_context(NULL, world, 0));
  EXPECT_NO_HANDLE(g_ctx, pto_world_context(g_ctx, NULL, 0), PTO_ERROR_NULL, "null", "world", "NULL");
  assert_null(pto_world_tensor(NULL, world, 0, &desc, 0));
  EXPECT_NO_HANDLE(g_ctx, pto_world_tensor(g_ctx, NULL, 0, &desc, 0), PTO_ERROR_NULL, "null", "world", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_world_tensor(g_ctx, world, 0, NULL, 0), PTO_ERROR_NULL, "null", "desc", "NULL");
  assert_int_equal(pto_world_limit_wait(NULL, world, 1), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_world_limit_wait(g_ctx, NULL, 1), PTO_ERROR_NULL, "null", "world", "NULL");
  expect_error(g_ctx, pto_world_limit_wait(g_ctx, world, 0), PTO_ERROR_ARGUMENT, "limit", "milliseconds", "0");
  assert_null(pto_group_create(NULL, 0));
  assert_null(pto_group_retain(NULL));
  pto_group_release(NULL);
  assert_int_equal(pto_group_size(NULL), 0);
  assert_int_equal(pto_group_root(NULL), 0);
  pto_group *group = pto_group_create(g_ctx, 0);
  assert_int_equal(pto_group_add(NULL, group, g_tensor), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_group_add(g_ctx, NULL, g_tensor), PTO_ERROR_NULL, "null", "group", "NULL");
  expect_error(g_ctx, pto_group_add(g_ctx, group, NULL), PTO_ERROR_NULL, "null", "tensor", "NULL");
  assert_int_equal(pto_group_add(g_ctx, group, g_tensor), PTO_OK);
  pto_tensor_desc one = tensor_desc();
  one.dtype = PTO_DTYPE_I32;
  one.dim0 = 1;
  pto_tensor *signal = pto_world_tensor(g_ctx, world, 0, &one, 0);
  pto_tile *const none = NULL;
  assert_int_equal(pto_comm_tput(NULL, g_tensor, g_tensor, none, none, PTO_ATOMIC_NONE), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_comm_tput(g_ctx, NULL, g_tensor, none, none, PTO_ATOMIC_NONE), PTO_ERROR_NULL, "null", "dst",
               "NULL");
  expect_error(g_ctx, pto_comm_tput(g_ctx, g_tensor, NULL, none, none, PTO_ATOMIC_NONE), PTO_ERROR_NULL, "null", "src",
               "NULL");
  assert_int_equal(pto_comm_tget(NULL, g_tensor, g_tensor, none, none), PTO_ERROR_NULL);
  assert_int_equal(pto_comm_tnotify(NULL, signal, 1, PTO_NOTIFY_SET), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_comm_tnotify(g_ctx, NULL, 1, PTO_NOTIFY_SET), PTO_ERROR_NULL, "null", "signal", "NULL");
  assert_int_equal(pto_comm_twait(NULL, signal, 0, PTO_WAIT_CMP_EQ), PTO_ERROR_NULL);
  assert_int_equal(pto_context_ttest(NULL, signal, 0, PTO_WAIT_CMP_EQ), -1);
  assert_int_equal(pto_comm_tbroadcast(NULL, group, g_tensor, none, none), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_comm_tbroadcast(g_ctx, NULL, g_tensor, none, none), PTO_ERROR_NULL, "null", "group", "NULL");
  expect_error(g_ctx, pto_comm_tbroadcast(g_ctx, group, NULL, none, none), PTO_ERROR_NULL, "null", "src", "NULL");
  assert_int_equal(pto_comm_tgather(NULL, g_tensor, group, none, none), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_comm_tgather(g_ctx, NULL, group, none, none), PTO_ERROR_NULL, "null", "dst", "NULL");
  assert_int_equal(pto_comm_tscatter(NULL, group, g_tensor, none, none), PTO_ERROR_NULL);
  assert_int_equal(pto_comm_treduce(NULL, g_tensor, group, none, none, none, PTO_REDUCE_SUM), PTO_ERROR_NULL);
  assert_int_equal(pto_comm_allreduce(NULL, group, none, none, none, PTO_REDUCE_SUM), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_comm_allreduce(g_ctx, NULL, none, none, none, PTO_REDUCE_SUM), PTO_ERROR_NULL, "null",
               "group", "NULL");
  assert_int_equal(pto_comm_allreduce_segment(NULL, group, none, none, none, PTO_REDUCE_SUM), PTO_ERROR_NULL);
  expect_error(g_ctx, pto_comm_allreduce_segment(g_ctx, NULL, none, none, none, PTO_REDUCE_SUM), PTO_ERROR_NULL, "null",
               "group", "NULL");
  assert_int_equal(pto_context_tput_async(NULL, g_tensor, g_tensor, 0), 0);
  assert_int_equal(pto_context_tput_async(g_ctx, NULL, g_tensor, 0), 0);
  expect_error(g_ctx, pto_context_error(g_ctx), PTO_ERROR_NULL, "null", "dst", "NULL");
  assert_int_equal(pto_context_tget_async(g_ctx, g_tensor, NULL, 0), 0);
  expect_error(g_ctx, pto_context_error(g_ctx), PTO_ERROR_NULL, "null", "src", "NULL");
  assert_int_equal(pto_context_test_async_event(NULL, 1, 0), -1);
  assert_int_equal(pto_comm_wait_async_event(NULL, 1, 0), PTO_ERROR_NULL);
  for (int i = 0; i < k_garbage_count; ++i) {
    const int n = k_garbage[i];
    assert_int_equal(pto_context_tput_async(g_ctx, g_tensor, g_tensor, n < 0 || n > 7 ? n : -1), 0);
    if (n == 3 || n == 4) continue; /* comparisons */
    expect_error(g_ctx, pto_comm_allreduce_segment(g_ctx, group, none, none, none, (pto_reduce)n), PTO_ERROR_ARGUMENT,
                 "mode", "op", "known");
    expect_error(g_ctx, pto_comm_allreduce(g_ctx, group, none, none, none, (pto_reduce)n), PTO_ERROR_ARGUMENT, "mode",
                 "op", "known");
    expect_error(g_ctx, pto_comm_tput(g_ctx, g_tensor, g_tensor, none, none, (pto_atomic)n), PTO_ERROR_ARGUMENT, "mode",
                 "atomic", "known");
    expect_error(g_ctx, pto_comm_tnotify(g_ctx, signal, 1, (pto_notify)n), PTO_ERROR_ARGUMENT, "mode", "op", "known");
    expect_error(g_ctx, pto_comm_twait(g_ctx, signal, 0, (pto_wait_cmp)n), PTO_ERROR_ARGUMENT, "mode", "cmp", "known");
    assert_int_equal(pto_context_ttest(g_ctx, signal, 0, (pto_wait_cmp)n), -1);
    expect_error(g_ctx, pto_comm_treduce(g_ctx, g_tensor, group, none, none, none, (pto_reduce)n), PTO_ERROR_ARGUMENT,
                 "mode", "op", "known");
  }
  assert_int_equal(pto_context_ttest(g_ctx, signal, 0, PTO_WAIT_CMP_EQ), 1);
  pto_tensor_release(signal);
  pto_group_release(group);
  pto_world_release(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_queries, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_contexts, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_target_of_the_environment, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_null_context, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_null_handles, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_garbage_descriptors, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_garbage_tensors, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_worlds, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
