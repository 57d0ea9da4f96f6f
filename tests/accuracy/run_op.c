/*
 * run_op.c: instructions by table, so that a new one is tested without a change
 * here. Tiles lie over the caller's memory: nothing is copied.
 */
#include "run_op.h"

#include <stdio.h>
#include <string.h>

static pto_inst *complain(pto_context *ctx, int32_t op, pto_inst *inst, const char *what) {
  fprintf(stderr, "%s on %s: %s: %s\n", pto_op_name(op), pto_context_target(ctx), what, pto_context_error_message(ctx));
  pto_inst_release(inst);
  return NULL;
}

pto_inst *run_op_prepare(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, int32_t rows, int32_t cols,
                         int32_t b_rows, const void *a, const void *b, void *out) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.cols = cols;
  desc.valid_rows = PTO_VALID_ALL;
  desc.valid_cols = PTO_VALID_ALL;
  pto_inst *inst = pto_inst_create(ctx, pto_op_name(op));
  if (inst == NULL) return complain(ctx, op, inst, "create");
  int sources = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    if (role == PTO_ROLE_TMP) continue;
    if (role == PTO_ROLE_FLAGS) {
      if (pto_inst_set_int(ctx, inst, i, flags) == PTO_OK) continue;
      return complain(ctx, op, inst, "flags");
    }
    void *data = out;
    desc.rows = rows;
    if (role == PTO_ROLE_IN) {
      if (++sources > 2) return complain(ctx, op, inst, "has three sources");
      /* The library only reads sources; wrapping asks for a plain pointer. */
      memcpy(&data, sources == 1 ? &a : &b, sizeof data);
      if (sources == 2) desc.rows = b_rows;
    }
    const int64_t bytes = (int64_t)desc.rows * cols * pto_dtype_bytes(dtype);
    pto_tile *tile = pto_tile_wrap(ctx, &desc, data, bytes);
    if (tile == NULL) return complain(ctx, op, inst, "wrap");
    const pto_status status = pto_inst_set_tile(ctx, inst, i, tile);
    pto_tile_release(tile);
    if (status != PTO_OK) return complain(ctx, op, inst, "operand");
  }
  return inst;
}

int run_op(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, size_t count, const void *a, const void *b,
           void *out) {
  pto_inst *inst = run_op_prepare(ctx, op, dtype, flags, 1, (int32_t)count, 1, a, b, out);
  if (inst == NULL) return 0;
  if (pto_inst_run(ctx, inst) != PTO_OK) {
    complain(ctx, op, inst, "run");
    return 0;
  }
  pto_inst_release(inst);
  return 1;
}

static int only_moves(int32_t op) {
  static const char *const k_moves[] = {"tload", "tmov", "tstore"};
  for (size_t i = 0; i < sizeof k_moves / sizeof *k_moves; ++i) {
    if (strcmp(pto_op_name(op), k_moves[i]) == 0) return 1;
  }
  return 0;
}

int run_op_flags(int32_t op, int index, uint32_t *flags) {
  const uint32_t all = (uint32_t)pto_op_flags(op);
  *flags = 0;
  if (only_moves(op)) return 0;
  for (uint32_t bit = 1; index > 0; bit <<= 1) {
    if (bit == 0 || bit > all) return 0;
    if ((all & bit) == 0) continue;
    *flags = bit;
    --index;
  }
  return 1;
}

pto_context *run_op_next_context(int32_t *target) {
  for (; *target < pto_target_count(); ++*target) {
    if (!pto_target_supported(*target)) continue;
    return pto_context_create_for(PTO_PROFILE_CPU, pto_target_name((*target)++));
  }
  return NULL;
}
