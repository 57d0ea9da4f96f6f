/* fixture.c: see fixture.h. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extents.h"
#include "values.h"

enum { k_kept = 2048, k_pages = 1 << 19 };

pto_context *g_ctx[k_profiles];
pto_scalar g_scalar;
int32_t g_number, g_number_at;
static char g_pages[k_pages];
static pto_tile *g_kept[k_kept];
static int g_kept_count;
static int64_t g_alive;

int fixture_set_up(void **state) {
  (void)state;
  g_alive = pto_live_handles();
  g_scalar = pto_int(1);
  g_number = 0;
  g_number_at = -1;
  for (int p = 0; p < k_profiles; ++p) g_ctx[p] = pto_context_create((pto_profile)p);
  return g_ctx[0] != NULL && g_ctx[1] != NULL && g_ctx[2] != NULL ? 0 : -1;
}

int fixture_tear_down(void **state) {
  (void)state;
  for (int p = 0; p < k_profiles; ++p) pto_context_release(g_ctx[p]);
  forget();
  return pto_live_handles() == g_alive ? 0 : -1;
}

void forget(void) {
  for (int i = 0; i < g_kept_count; ++i) pto_tile_release(g_kept[i]);
  g_kept_count = 0;
}

pto_tile *keep(pto_tile *tile) {
  if (tile == NULL) fail_msg("%s", pto_context_error_message(CPU));
  assert_true(g_kept_count < k_kept);
  g_kept[g_kept_count++] = tile;
  return tile;
}

pto_tile *tile_made(const pto_tile_desc *desc) {
  pto_tile *tile = keep(pto_tile_create_from(CPU, desc));
  const int64_t bytes = pto_tile_valid_bytes(tile);
  uint8_t *ones = malloc((size_t)bytes);
  assert_non_null(ones);
  /* Offsets are 0, the only one that every tile has. */
  const uint64_t one = desc->dtype == PTO_DTYPE_U32   ? 0
                       : values_is_float(desc->dtype) ? values_of_float(desc->dtype, 1)
                                                      : 1;
  for (int64_t i = 0; i < bytes; i += pto_dtype_bytes(desc->dtype)) values_set(desc->dtype, ones + i, one);
  if (desc->storage == PTO_STORAGE_OWNED) assert_int_equal(pto_tile_write(CPU, tile, ones, bytes), PTO_OK);
  free(ones);
  return tile;
}

pto_tile *tile_laid(int layout, pto_dtype dtype, int32_t rows, int32_t cols) {
  const pto_tile_desc desc = layout_desc(&k_layouts[layout], dtype, rows, cols);
  return tile_made(&desc);
}

pto_tile *tile_sized(pto_dtype dtype, int32_t rows, int32_t cols) { return tile_laid(k_layout_nd, dtype, rows, cols); }

pto_tile *tile_of(pto_dtype dtype) { return tile_sized(dtype, 16, pto_dtype_bytes(dtype) == 1 ? 32 : 16); }

pto_tile *tile_at(pto_location location, pto_dtype dtype) {
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], dtype, 16, 16);
  desc.location = location;
  return tile_made(&desc);
}

pto_tile *tile_manual(pto_dtype dtype) {
  pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], dtype, 16, 16);
  desc.storage = PTO_STORAGE_MANUAL;
  return tile_made(&desc);
}

pto_tile_desc desc_of(const pto_tile *tile) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = pto_tile_dtype(tile);
  desc.rows = pto_tile_rows(tile);
  desc.cols = pto_tile_cols(tile);
  desc.valid_rows = pto_tile_valid_rows(tile) == 0 ? PTO_VALID_NONE : pto_tile_valid_rows(tile);
  desc.valid_cols = pto_tile_valid_cols(tile) == 0 ? PTO_VALID_NONE : pto_tile_valid_cols(tile);
  desc.location = pto_tile_location(tile);
  desc.blayout = pto_tile_blayout(tile);
  desc.slayout = pto_tile_slayout(tile);
  desc.fractal = pto_tile_fractal(tile);
  return desc;
}

int is_needed(int32_t op, int32_t index) {
  const int32_t role = pto_op_operand_role(op, index);
  return role == PTO_ROLE_OUT || role == PTO_ROLE_INOUT || role == PTO_ROLE_IN;
}

int is_tile(int32_t op, int32_t index) {
  return is_needed(op, index) || pto_op_operand_role(op, index) == PTO_ROLE_TMP;
}

int32_t operand_of(int32_t op, pto_role role) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (pto_op_operand_role(op, i) == (int32_t)role) return i;
  }
  return -1;
}

int read_pages(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  const size_t n = fread(g_pages, 1, sizeof g_pages - 1, file);
  fclose(file);
  return n > 0 && n < sizeof g_pages - 1;
}

int has_rule(int32_t op, const char *rule, int profile) {
  static const char *const k_names[] = PROFILE_NAMES;
  char key[96];
  static const char *rules_of[1024];
  assert_true(op >= 0 && op < 1024);
  if (rules_of[op] == NULL) {
    snprintf(key, sizeof key, "{\"name\": \"%s\", \"id\"", pto_op_name(op));
    const char *const page = strstr(g_pages, key);
    rules_of[op] = page == NULL ? NULL : strstr(page, "\"rules\": [");
  }
  const char *at = rules_of[op];
  assert_non_null(at);
  const char *const end = strchr(at, ']');
  snprintf(key, sizeof key, "{\"id\": \"%s\", \"profiles\": \"", rule);
  at = strstr(at, key);
  if (at == NULL || at > end) return 0;
  const char *const found = strstr(at, k_names[profile]);
  return found != NULL && found < strchr(at + strlen(key), '"');
}

/* The lead operand's type, or the first that the operand may have under every profile which takes the instruction. */
static pto_dtype own_dtype(int32_t op, int32_t index, pto_dtype lead) {
  uint32_t set = UINT32_MAX;
  for (int p = 0; p < k_profiles; ++p) {
    if (pto_op_supports(op, (pto_profile)p, lead, 0)) set &= pto_op_operand_dtypes(op, index, (pto_profile)p, lead);
  }
  if (set == UINT32_MAX) return lead; /* no profile takes it: it is about to be refused for that */
  pto_dtype d = (set >> lead & 1) != 0 ? lead : PTO_DTYPE_I8;
  while ((set >> d & 1) == 0) d = (pto_dtype)(d + 1);
  return d;
}

/* A matrix of 16x16 in whole boxes, where and as every profile takes it. */
pto_tile *tile_of_product(pto_dtype dtype, int32_t extent, int one_row) {
  const test_layout k_left = {"", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 512, PTO_COMPACT_NULL};
  const test_layout k_right = {"", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_COL_MAJOR, 512, PTO_COMPACT_NULL};
  const test_layout k_acc = {"", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 1024, PTO_COMPACT_NULL};
  const test_layout k_left_scales = {"", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 32, PTO_COMPACT_NULL};
  const test_layout k_right_scales = {"", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_COL_MAJOR, 32, PTO_COMPACT_NULL};
  const int32_t along = pto_dtype_bytes(dtype) == 1 ? 64 : 32; /* those with block scales come in 64 */
  pto_tile_desc desc = layout_desc(&k_acc, dtype, 16, 16);
  desc.location = PTO_LOCATION_ACC;
  if (extent == PTO_EXTENT_LEFT)
    desc = layout_desc(&k_left, dtype, along / 2, along), desc.location = PTO_LOCATION_LEFT;
  if (extent == PTO_EXTENT_RIGHT)
    desc = layout_desc(&k_right, dtype, along, along / 2), desc.location = PTO_LOCATION_RIGHT;
  if (extent == PTO_EXTENT_ROW) {
    desc = layout_desc(&k_layouts[k_layout_nd], dtype, 1, 16);
    desc.location = PTO_LOCATION_BIAS;
  }
  desc.valid_rows = extent == PTO_EXTENT_ROW || (one_row && extent != PTO_EXTENT_RIGHT) ? 1 : 16;
  desc.valid_cols = 16;
  if (extent == PTO_EXTENT_LEFT_SCALES || extent == PTO_EXTENT_RIGHT_SCALES) {
    const int left = extent == PTO_EXTENT_LEFT_SCALES;
    desc = layout_desc(left ? &k_left_scales : &k_right_scales, dtype, 32, 32);
    desc.location = left ? PTO_LOCATION_SCALE_LEFT : PTO_LOCATION_SCALE_RIGHT;
    desc.valid_rows = left && !one_row ? 16 : 1;
    desc.valid_cols = left ? 1 : 16;
  }
  return tile_made(&desc);
}

int is_product(int32_t op) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (pto_op_operand_extent(op, i) == PTO_EXTENT_LEFT) return 1;
  }
  return 0;
}

int is_fixpipe(int32_t op) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const char *mode = pto_op_operand_mode(op, i);
    if (mode != NULL && strcmp(mode, "relu") == 0) return 1;
  }
  return 0;
}

void operands_of(const char *op, pto_dtype dtype, pto_tile *tiles[k_operands]) {
  const int32_t id = pto_op_find(op);
  assert_true(id > 0);
  memset(tiles, 0, k_operands * sizeof *tiles);
  for (int32_t i = 0; is_product(id) && i < pto_op_operand_count(id); ++i) {
    if (!is_tile(id, i)) continue;
    tiles[i] = tile_of_product(own_dtype(id, i, dtype), pto_op_operand_extent(id, i), strncmp(op, "tgemv", 5) == 0);
  }
  if (is_product(id)) return;
  const int32_t cols = pto_dtype_bytes(dtype) == 1 ? 32 : 16;
  /* Where all of a tile is meant the tiles of all types have one width. */
  const int whole =
      pto_op_operand_extent(id, 0) >= PTO_EXTENT_WHOLE && pto_op_operand_extent(id, 0) <= PTO_EXTENT_AROUND;
  for (int32_t i = 0; i < pto_op_operand_count(id); ++i) {
    if (pto_op_operand_role(id, i) == PTO_ROLE_TMP) {
      tiles[i] = has_rule(id, "tmp-spare-row", PTO_PROFILE_A2A3)    ? tile_sized(PTO_DTYPE_U8, 17, 32)
                 : has_rule(id, "tmp-transposed", PTO_PROFILE_A2A3) ? tile_sized(dtype, 32, 32)
                                                                    : tile_of(dtype);
    } else if (is_tile(id, i)) {
      const pto_dtype own = own_dtype(id, i, dtype);
      int32_t rows = 16;
      int32_t valid = cols;
      extent_of_move(id, i, &rows, &valid);
      tiles[i] = tile_sized(own, rows, valid > cols ? valid : whole || pto_dtype_bytes(own) == 1 ? 32 : cols);
      if (pto_op_operand_extent(id, i) != PTO_EXTENT_BITS) {
        /* A source that fills every second element is half as wide. */
        const int half = pto_op_operand_extent(id, i) == PTO_EXTENT_OWN && has_rule(id, "spread-source", 0);
        const int one = pto_op_operand_extent(id, i) == PTO_EXTENT_SAME && has_rule(id, "one-list", PTO_PROFILE_A2A3);
        assert_int_equal(pto_tile_set_valid(CPU, tiles[i], one ? 1 : rows, half ? valid / 2 : valid), PTO_OK);
      }
    }
  }
}

static int64_t snapshot(int32_t op, pto_tile *const *tiles, uint8_t *out) {
  int64_t total = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (!is_tile(op, i) || tiles[i] == NULL || pto_tile_data(tiles[i]) == NULL) continue;
    if (out != NULL) memcpy(out + total, pto_tile_data(tiles[i]), (size_t)pto_tile_bytes(tiles[i]));
    total += pto_tile_bytes(tiles[i]);
  }
  return total;
}

static pto_inst *inst_of(pto_context *ctx, const char *op, pto_tile *const *tiles, uint32_t flags) {
  pto_inst *inst = pto_inst_create(ctx, op);
  assert_non_null(inst);
  for (int32_t i = 0; i < pto_op_operand_count(pto_inst_op(inst)); ++i) {
    const int32_t role = pto_op_operand_role(pto_inst_op(inst), i);
    if (is_tile(pto_inst_op(inst), i)) {
      assert_int_equal(pto_inst_set_tile(ctx, inst, i, tiles[i]), PTO_OK);
    } else if (role == PTO_ROLE_SCALAR) {
      assert_int_equal(pto_inst_set_scalar(ctx, inst, i, g_scalar), PTO_OK);
    } else {
      const int64_t value = role == PTO_ROLE_FLAGS ? (int64_t)flags : i == g_number_at ? g_number : 0;
      assert_int_equal(pto_inst_set_int(ctx, inst, i, value), PTO_OK);
    }
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
  if (pto_inst_check(ctx, inst) != PTO_OK)
    fail_msg("refused under %d: %s", (int)pto_context_profile(ctx), pto_context_error_message(ctx));
  /* Indices that share memory with another operand may be none by now. */
  if (pto_inst_run(ctx, inst) != PTO_OK && strcmp(pto_context_error_rule(ctx), "index-range") != 0)
    fail_msg("not run: %s", pto_context_error_message(ctx));
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
