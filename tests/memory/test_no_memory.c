/*
 * test_no_memory.c: each call of the library with each of its allocations failing,
 * one after the other, until it succeeds: it returns `memory`, has changed nothing
 * and has kept nothing.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "fail_malloc.h"
#include "extents.h"
#include "layouts.h"
#include "testing.h"
#include "typed_calls.h"

enum { k_bytes = 4096, k_own = 3, k_memories = 3 + 8 };

/* The operands of every call; made anew for each attempt. */
static struct {
  pto_context *ctx;
  pto_tile *tile[3]; /* row-major, column-major, boxed */
  pto_tile *shifted; /* over the second half of the memory of tile[0] */
  pto_tile *manual;
  pto_tensor *tensor;
  pto_tensor *over; /* over the memory of tile[0] */
  pto_inst *inst;
  void *made;              /* by the call */
  typed_operands operands; /* of g_op */
} g;
/* Of the tiles above, then of each operand of g_op. */
static int64_t g_memory[k_memories][k_bytes / 8];

/* The instruction under test; 0 if the call is not one. How its sources lie beside its outputs. */
static int32_t g_op;
static enum { PLAIN, TURNED, SHIFTED, k_shapes } g_shape;

static pto_tensor_desc tensor_desc(void) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 2;
  desc.dim0 = 16;
  desc.dim1 = 16;
  return desc;
}

static pto_tile_desc tile_desc(int layout) { return layout_desc(&k_layouts[layout], PTO_DTYPE_F32, 16, 16); }

static int is_output(int32_t op, int32_t i) {
  return pto_op_operand_role(op, i) == PTO_ROLE_OUT || pto_op_operand_role(op, i) == PTO_ROLE_INOUT;
}

static int moves(int32_t op) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (pto_op_operand_extent(op, i) >= PTO_EXTENT_TRANSPOSED) return 1;
  }
  return op == PTO_OP_TMOV || op == PTO_OP_TMOV_ACC;
}

/* 16x16 each; without tmp. */
static void make_operands(void) {
  pto_dtype lead = PTO_DTYPE_F32;
  if (!pto_op_supports(g_op, PTO_PROFILE_CPU, lead, 0)) lead = PTO_DTYPE_I32;
  if (!pto_op_supports(g_op, PTO_PROFILE_CPU, lead, 0)) lead = PTO_DTYPE_F16;
  if (!pto_op_supports(g_op, PTO_PROFILE_CPU, lead, 0)) lead = PTO_DTYPE_I16;
  for (int32_t i = 0; i < pto_op_operand_count(g_op); ++i) {
    if (!is_output(g_op, i) && pto_op_operand_role(g_op, i) != PTO_ROLE_IN) continue;
    const uint32_t types = pto_op_operand_dtypes(g_op, i, PTO_PROFILE_CPU, lead);
    pto_dtype own = PTO_DTYPE_I32; /* the indices of one instruction have one type */
    if ((types >> own & 1) == 0) own = (types >> lead & 1) != 0 ? lead : PTO_DTYPE_U32;
    if ((types >> own & 1) == 0) own = PTO_DTYPE_F32;
    for (int first = 0; (types >> own & 1) == 0; ++first) own = (pto_dtype)first;
    const int turned = g_shape == TURNED && !is_output(g_op, i);
    pto_tile_desc desc = layout_desc(&k_layouts[turned ? k_layout_dn : k_layout_nd], own, 16, 16);
    desc.valid_rows = desc.valid_cols = 16;
    extent_of_move(g_op, i, &desc.valid_rows, &desc.valid_cols);
    if (desc.valid_cols > desc.cols) desc.cols = desc.valid_cols;
    char *at = (char *)g_memory[k_own + i];
    if (g_shape == SHIFTED && !is_output(g_op, i)) at = (char *)g_memory[k_own] + 4 * i;
    g.operands.tiles[i] = pto_tile_wrap(g.ctx, &desc, at, k_bytes - 64);
    assert_non_null(g.operands.tiles[i]);
    if (holds_indices(g_op, i)) memset(at, 0, (size_t)pto_tile_bytes(g.operands.tiles[i]));
  }
  g.operands.scalar = pto_int(1);
}

static void begin(void) {
  for (int i = 0; i < k_memories; ++i) {
    for (size_t k = 0; k < k_bytes / sizeof(float); ++k) {
      const float value = (float)k;
      memcpy((char *)g_memory[i] + k * sizeof value, &value, sizeof value);
    }
  }
  memset(&g, 0, sizeof g);
  g.ctx = pto_context_create(PTO_PROFILE_CPU);
  for (int i = 0; i < 3; ++i) {
    const pto_tile_desc desc = tile_desc(2 * i - (i > 0));
    g.tile[i] = pto_tile_wrap(g.ctx, &desc, g_memory[i], k_bytes);
  }
  pto_tile_desc desc = tile_desc(0);
  g.shifted = pto_tile_wrap(g.ctx, &desc, (char *)g_memory[0] + 4, k_bytes - 4);
  desc.storage = PTO_STORAGE_MANUAL;
  g.manual = pto_tile_create_from(g.ctx, &desc);
  const pto_tensor_desc t = tensor_desc();
  g.tensor = pto_tensor_create(g.ctx, &t);
  g.over = pto_tensor_wrap(g.ctx, &t, (char *)g_memory[0] + 8, k_bytes - 8);
  g.inst = pto_inst_create(g.ctx, "tpow");
  assert_non_null(g.inst);
  if (g_op != 0) make_operands();
}

static void end(void) {
  for (int i = 0; i < 8; ++i) pto_tile_release(g.operands.tiles[i]);
  pto_inst_release(g.inst);
  pto_tensor_release(g.over);
  pto_tensor_release(g.tensor);
  pto_tile_release(g.manual);
  pto_tile_release(g.shifted);
  for (int i = 0; i < 3; ++i) pto_tile_release(g.tile[i]);
  pto_context_release(g.ctx);
  assert_int_equal(pto_live_handles(), 0);
}

/* A call: its outcome; a handle is stored in g.made. `undo` releases what it made. */
typedef struct no_memory_call {
  const char *name;
  pto_status (*call)(void);
  void (*undo)(void);
  int allocations; /* at least */
} no_memory_call;

static pto_status handle(void *made) {
  g.made = made;
  return made != NULL ? PTO_OK : PTO_ERROR_MEMORY;
}

static pto_status call_context_create(void) { return handle(pto_context_create(PTO_PROFILE_A5)); }
static pto_status call_context_create_for(void) { return handle(pto_context_create_for(PTO_PROFILE_CPU, NULL)); }
static void undo_context(void) { pto_context_release(g.made); }

static pto_status call_tile_create(void) { return handle(pto_tile_create(g.ctx, PTO_DTYPE_F32, 3, 5)); }
static pto_status call_tile_create_from(void) {
  const pto_tile_desc desc = tile_desc(4);
  return handle(pto_tile_create_from(g.ctx, &desc));
}
static pto_status call_tile_create_manual(void) {
  pto_tile_desc desc = tile_desc(0);
  desc.storage = PTO_STORAGE_MANUAL;
  return handle(pto_tile_create_from(g.ctx, &desc));
}
static pto_status call_tile_wrap(void) {
  const pto_tile_desc desc = tile_desc(0);
  return handle(pto_tile_wrap(g.ctx, &desc, g_memory[0], k_bytes));
}
static pto_status call_tile_view(void) { return handle(pto_tile_view(g.ctx, g.tile[0], 1, 2, 3, 4)); }
static pto_status call_tile_reshape(void) {
  const pto_tile_desc desc = layout_desc(&k_layouts[0], PTO_DTYPE_F32, 8, 32);
  return handle(pto_tile_reshape(g.ctx, g.tile[0], &desc));
}
static void undo_tile(void) { pto_tile_release(g.made); }

static pto_status call_tensor_create(void) {
  const pto_tensor_desc desc = tensor_desc();
  return handle(pto_tensor_create(g.ctx, &desc));
}
static pto_status call_tensor_wrap(void) {
  const pto_tensor_desc desc = tensor_desc();
  return handle(pto_tensor_wrap(g.ctx, &desc, g_memory[0], k_bytes));
}
static pto_status call_tensor_view(void) {
  pto_tensor_desc desc = tensor_desc();
  desc.dim0 = 3;
  return handle(pto_tensor_view(g.ctx, g.tensor, &desc, 16));
}
static void undo_tensor(void) { pto_tensor_release(g.made); }

static pto_status call_inst_create(void) { return handle(pto_inst_create(g.ctx, "trsqrt")); }
static void undo_inst(void) { pto_inst_release(g.made); }

static pto_status call_tassign(void) {
  const pto_status status = pto_tassign(g.ctx, g.manual, 64);
  assert_true((status == PTO_OK) == (pto_tile_data(g.manual) != NULL));
  return status;
}
static pto_status call_tprint(void) {
  const pto_status status = pto_tprint(g.ctx, g.tile[0], PTO_PRINT_FORMAT_WIDTH8_PRECISION4);
  if (status != PTO_OK) assert_string_equal(pto_context_output(g.ctx), "");
  return status;
}
static pto_status call_print(void) { return pto_context_print(g.ctx, "text"); }
static void undo_print(void) { pto_context_clear_output(g.ctx); }
static pto_status call_set_valid(void) { return pto_tile_set_valid(g.ctx, g.tile[0], 3, 3); }
static pto_status call_write(void) { return pto_tile_write(g.ctx, g.tile[1], g_memory[2], 1024); }
static pto_status call_read(void) { return pto_tile_read(g.ctx, g.tile[2], g_memory[1], 1024); }
static pto_status call_tensor_write(void) { return pto_tensor_write(g.ctx, g.tensor, g_memory[2], 1024); }
static pto_status call_tensor_read(void) { return pto_tensor_read(g.ctx, g.tensor, g_memory[1], 1024); }
static pto_status call_set_tile(void) { return pto_inst_set_tile(g.ctx, g.inst, 0, g.tile[0]); }
static pto_status call_set_int(void) { return pto_inst_set_int(g.ctx, g.inst, 4, 1); }

static pto_status call_typed(void) { return typed_call(g.ctx, g_op, &g.operands); }
static pto_status call_tload(void) { return pto_tload(g.ctx, g.tile[0], g.over, 0); }
static pto_status call_tload_apart(void) { return pto_tload(g.ctx, g.tile[1], g.tensor, 0); }
static pto_status call_tstore(void) { return pto_tstore(g.ctx, g.over, g.tile[0], 0); }
static pto_status call_inst_run(void) {
  /* Operands are set before memory fails: see attempt(). */
  return pto_inst_run(g.ctx, g.inst);
}

static const no_memory_call k_calls[] = {
    {"pto_context_create", call_context_create, undo_context, 1},
    {"pto_context_create_for", call_context_create_for, undo_context, 1},
    {"pto_tile_create", call_tile_create, undo_tile, 3},
    {"pto_tile_create_from", call_tile_create_from, undo_tile, 3},
    {"pto_tile_create_from, manual", call_tile_create_manual, undo_tile, 1},
    {"pto_tile_wrap", call_tile_wrap, undo_tile, 2},
    {"pto_tile_view", call_tile_view, undo_tile, 1},
    {"pto_tile_reshape", call_tile_reshape, undo_tile, 1},
    {"pto_tensor_create", call_tensor_create, undo_tensor, 3},
    {"pto_tensor_wrap", call_tensor_wrap, undo_tensor, 2},
    {"pto_tensor_view", call_tensor_view, undo_tensor, 1},
    {"pto_inst_create", call_inst_create, undo_inst, 1},
    {"pto_tassign", call_tassign, NULL, 2},
    {"pto_tprint", call_tprint, undo_print, 4},
    {"pto_context_print", call_print, undo_print, 1},
    {"pto_tile_set_valid", call_set_valid, NULL, 0},
    {"pto_tile_write", call_write, NULL, 0},
    {"pto_tile_read", call_read, NULL, 0},
    {"pto_tensor_write", call_tensor_write, NULL, 0},
    {"pto_tensor_read", call_tensor_read, NULL, 0},
    {"pto_inst_set_tile", call_set_tile, NULL, 0},
    {"pto_inst_set_int", call_set_int, NULL, 0},
    {"pto_tload, over itself", call_tload, NULL, 1},
    {"pto_tload", call_tload_apart, NULL, 0},
    {"pto_tstore", call_tstore, NULL, 1},
    {"pto_inst_run", call_inst_run, NULL, 1},
};

/* One call with the n-th allocation and all later ones failing: 1 when it succeeded. */
static int attempt(const no_memory_call *c, int n) {
  static int64_t before[k_memories][k_bytes / 8];
  begin();
  for (int i = 0; i < 3; ++i) assert_int_equal(pto_inst_set_tile(g.ctx, g.inst, i, g.tile[i]), PTO_OK);
  memcpy(before, g_memory, sizeof before);
  const int64_t handles = pto_live_handles();
  fail_malloc_after(n);
  const pto_status status = c->call();
  if (status == PTO_OK && c->undo != NULL) c->undo();
  const int alive = fail_malloc_alive();
  const int refused = fail_malloc_stop();
  if (status == PTO_OK) {
    if (refused != 0) fail_msg("%s succeeded without %d of its allocations", c->name, refused);
    if (c->undo != NULL && alive != 0) fail_msg("%s leaves %d blocks when it is undone", c->name, alive);
  } else {
    if (refused == 0) fail_msg("%s: %s", c->name, pto_context_error_message(g.ctx));
    if (status != PTO_ERROR_MEMORY) fail_msg("%s returns %s, not memory", c->name, pto_status_name(status));
    if (c->undo != undo_context) {
      /* Address space is an allocation, too, with a rule of its own. */
      const int space =
          strcmp(pto_context_error_rule(g.ctx), "on-chip-memory") == 0 && strcmp(c->name, "pto_tassign") == 0;
      expect_error(g.ctx, pto_context_error(g.ctx), PTO_ERROR_MEMORY, space ? "on-chip-memory" : "memory", "",
                   "memory");
    }
    if (alive != 0) fail_msg("%s kept %d blocks when allocation %d failed", c->name, alive, n);
    if (pto_live_handles() != handles) fail_msg("%s kept a handle when allocation %d failed", c->name, n);
    assert_memory_equal(before, g_memory, sizeof before);
    /* With memory the same call succeeds. */
    const pto_status again = c->call();
    if (again != PTO_OK) fail_msg("%s stays refused: %s", c->name, pto_context_error_message(g.ctx));
    if (c->undo != NULL) c->undo();
  }
  end();
  return status == PTO_OK;
}

/* A call with each of its allocations failing. */
static void exhaust(const no_memory_call *c) {
  int n = 0;
  while (!attempt(c, n)) assert_true(++n < 100);
  if (n < c->allocations) {
    fail_msg("%s failed %d times; %d were expected: is malloc replaced?", c->name, n, c->allocations);
  }
}

static void test_each_allocation(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof k_calls / sizeof *k_calls; ++i) exhaust(&k_calls[i]);
}

#define FOR_TILE_OPS(i)                                                             \
  for (int32_t i = 0; i < pto_op_count(); ++i)                                      \
    if (g_op = pto_op_at(i), pto_op_operand_role(g_op, 0) != PTO_ROLE_TENSOR_OUT && \
                                 pto_op_operand_role(g_op, 1) != PTO_ROLE_TENSOR_IN && !has_own_shapes(g_op))

/* Every instruction, where its sources lie apart and in rows, are turned, and share memory with what it writes. */
static void test_each_instruction(void **state) {
  (void)state;
  FOR_TILE_OPS(i) {
    int sources = 0;
    for (int32_t k = 0; k < pto_op_operand_count(g_op); ++k) {
      sources += pto_op_operand_role(g_op, k) == PTO_ROLE_IN && pto_op_operand_extent(g_op, k) == PTO_EXTENT_SAME;
    }
    for (g_shape = PLAIN; g_shape < k_shapes; ++g_shape) {
      /* Moves go from any layout to any other. */
      const int needs = g_shape == SHIFTED || (g_shape == TURNED && !moves(g_op));
      const no_memory_call call = {pto_op_name(g_op), call_typed, NULL, needs && sources > 0};
      exhaust(&call);
    }
  }
  g_op = 0;
}

/* A call that has run once allocates nothing the next time. */
static void steady(const no_memory_call *c) {
  begin();
  for (int k = 0; k < 3; ++k) assert_int_equal(pto_inst_set_tile(g.ctx, g.inst, k, g.tile[k]), PTO_OK);
  assert_int_equal(c->call(), PTO_OK);
  fail_malloc_after(0);
  const pto_status status = c->call();
  const int asked = fail_malloc_asked();
  fail_malloc_stop();
  if (status != PTO_OK || asked != 0) fail_msg("%s asks for memory each time", c->name);
  end();
}

static void test_steady_state(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof k_calls / sizeof *k_calls; ++i) {
    if (k_calls[i].undo == NULL) steady(&k_calls[i]);
  }
  FOR_TILE_OPS(i) {
    int indices = 0;
    for (int32_t k = 0; k < pto_op_operand_count(g_op); ++k) indices |= holds_indices(g_op, k);
    for (g_shape = PLAIN; g_shape < k_shapes; ++g_shape) {
      if (g_shape == SHIFTED && indices) continue; /* the first call overwrites them */
      const no_memory_call call = {pto_op_name(g_op), call_typed, NULL, 0};
      steady(&call);
    }
  }
  g_op = 0;
}

/* A call that needs more than those before it: what these left is given back. */
static void test_room_grows(void **state) {
  (void)state;
  fail_malloc_after(INT_MAX);
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  for (int32_t size = 128; size <= 512; size *= 2) {
    pto_tile *tiles[3];
    for (int i = 0; i < 3; ++i) tiles[i] = pto_tile_create(ctx, PTO_DTYPE_F32, size, size);
    assert_int_equal(pto_tmatmul(ctx, tiles[0], tiles[1], tiles[2], PTO_MAD_NONE, 0), PTO_OK);
    for (int i = 0; i < 3; ++i) pto_tile_release(tiles[i]);
  }
  pto_context_release(ctx);
  const int alive = fail_malloc_alive();
  fail_malloc_stop();
  assert_int_equal(alive, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation), cmocka_unit_test(test_each_instruction),
                                     cmocka_unit_test(test_steady_state), cmocka_unit_test(test_room_grows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
