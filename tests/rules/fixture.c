/* fixture.c: see fixture.h. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "values.h"

enum { k_kept = 2048 };

pto_context *g_ctx[3];
static pto_tile *g_kept[k_kept];
static int g_kept_count;
static int64_t g_alive;

int fixture_set_up(void **state) {
  (void)state;
  g_alive = pto_live_handles();
  for (int p = 0; p < 3; ++p) g_ctx[p] = pto_context_create((pto_profile)p);
  return g_ctx[0] != NULL && g_ctx[1] != NULL && g_ctx[2] != NULL ? 0 : -1;
}

int fixture_tear_down(void **state) {
  (void)state;
  for (int p = 0; p < 3; ++p) pto_context_release(g_ctx[p]);
  for (int i = 0; i < g_kept_count; ++i) pto_tile_release(g_kept[i]);
  g_kept_count = 0;
  return pto_live_handles() == g_alive ? 0 : -1;
}

pto_tile *keep(pto_tile *tile) {
  if (tile == NULL) fail_msg("%s", pto_context_error_message(CPU));
  assert_true(g_kept_count < k_kept);
  g_kept[g_kept_count++] = tile;
  return tile;
}

static pto_tile *made(const pto_tile_desc *desc) {
  pto_tile *tile = keep(pto_tile_create_from(CPU, desc));
  const int64_t bytes = pto_tile_valid_bytes(tile);
  uint8_t *ones = malloc((size_t)bytes);
  assert_non_null(ones);
  const uint64_t one = values_is_float(desc->dtype) ? values_of_float(desc->dtype, 1) : 1;
  for (int64_t i = 0; i < bytes; i += pto_dtype_bytes(desc->dtype)) values_set(desc->dtype, ones + i, one);
  if (desc->storage == PTO_STORAGE_OWNED) assert_int_equal(pto_tile_write(CPU, tile, ones, bytes), PTO_OK);
  free(ones);
  return tile;
}

pto_tile *tile_laid(int layout, pto_dtype dtype, int32_t rows, int32_t cols) {
  const pto_tile_desc desc = layout_desc(&k_layouts[layout], dtype, rows, cols);
  return made(&desc);
}

pto_tile *tile_sized(pto_dtype dtype, int32_t rows, int32_t cols) { return tile_laid(k_layout_nd, dtype, rows, cols); }

pto_tile *tile_of(pto_dtype dtype) { return tile_sized(dtype, 16, pto_dtype_bytes(dtype) == 1 ? 32 : 16); }

pto_tile *tile_at(pto_location location, pto_dtype dtype) {
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], dtype, 16, 16);
  desc.location = location;
  return made(&desc);
}

pto_tile *tile_manual(pto_dtype dtype) {
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], dtype, 16, 16);
  desc.storage = PTO_STORAGE_MANUAL;
  return made(&desc);
}

void operands_of(const char *op, pto_dtype dtype, pto_tile *tiles[5]) {
  const int32_t id = pto_op_find(op);
  assert_true(id > 0);
  memset(tiles, 0, 5 * sizeof *tiles);
  for (int32_t i = 0; i < pto_op_operand_count(id); ++i) {
    if (pto_op_operand_role(id, i) == PTO_ROLE_TMP) {
      tiles[i] = strcmp(op, "tprelu") == 0 ? tile_sized(PTO_DTYPE_U8, 17, 32) : tile_of(dtype);
    } else if (pto_op_operand_role(id, i) != PTO_ROLE_FLAGS) {
      tiles[i] = tile_of(dtype);
    }
  }
}

static int64_t snapshot(int32_t op, pto_tile *const *tiles, uint8_t *out) {
  int64_t total = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (pto_op_operand_role(op, i) == PTO_ROLE_FLAGS || tiles[i] == NULL || pto_tile_data(tiles[i]) == NULL) continue;
    if (out != NULL) memcpy(out + total, pto_tile_data(tiles[i]), (size_t)pto_tile_bytes(tiles[i]));
    total += pto_tile_bytes(tiles[i]);
  }
  return total;
}

static pto_inst *inst_of(pto_context *ctx, const char *op, pto_tile *const *tiles, uint32_t flags) {
  pto_inst *inst = pto_inst_create(ctx, op);
  assert_non_null(inst);
  for (int32_t i = 0; i < pto_op_operand_count(pto_inst_op(inst)); ++i) {
    const int is_flags = pto_op_operand_role(pto_inst_op(inst), i) == PTO_ROLE_FLAGS;
    const pto_status status =
        is_flags ? pto_inst_set_int(ctx, inst, i, flags) : pto_inst_set_tile(ctx, inst, i, tiles[i]);
    assert_int_equal(status, PTO_OK);
  }
  return inst;
}

void refuse(pto_context *ctx, const char *op, pto_tile *const *tiles, uint32_t flags, pto_status want, const char *rule,
            const char *operand, const char *texts) {
  pto_inst *inst = inst_of(ctx, op, tiles, flags);
  const int64_t bytes = snapshot(pto_inst_op(inst), tiles, NULL);
  uint8_t *before = malloc(2 * (size_t)bytes + 1);
  assert_non_null(before);
  snapshot(pto_inst_op(inst), tiles, before);
  expect_error(ctx, pto_inst_check(ctx, inst), want, rule, operand, texts);
  char said[512];
  strncpy(said, pto_context_error_message(ctx), sizeof said - 1);
  said[sizeof said - 1] = '\0';
  expect_error(ctx, pto_inst_run(ctx, inst), want, rule, operand, texts);
  assert_string_equal(said, pto_context_error_message(ctx));
  snapshot(pto_inst_op(inst), tiles, before + bytes);
  assert_memory_equal(before, before + bytes, (size_t)bytes);
  free(before);
  pto_inst_release(inst);
}

void accept(pto_context *ctx, const char *op, pto_tile *const *tiles, uint32_t flags) {
  pto_inst *inst = inst_of(ctx, op, tiles, flags);
  if (pto_inst_check(ctx, inst) != PTO_OK) fail_msg("refused: %s", pto_context_error_message(ctx));
  if (pto_inst_run(ctx, inst) != PTO_OK) fail_msg("not run: %s", pto_context_error_message(ctx));
  pto_inst_release(inst);
}

void refuse_tile(pto_context *ctx, const pto_tile_desc *desc, pto_status want, const char *rule, const char *operand,
                 const char *texts) {
  const int64_t alive = pto_live_handles();
  EXPECT_NO_HANDLE(ctx, pto_tile_create_from(ctx, desc), want, rule, operand, texts);
  static int64_t memory[4096];
  EXPECT_NO_HANDLE(ctx, pto_tile_wrap(ctx, desc, memory, INT64_MAX), want, rule, operand, texts);
  assert_int_equal(pto_live_handles(), alive);
}

void accept_tile(pto_context *ctx, const pto_tile_desc *desc) {
  pto_tile *tile = pto_tile_create_from(ctx, desc);
  if (tile == NULL) fail_msg("refused: %s", pto_context_error_message(ctx));
  pto_tile_release(tile);
}
