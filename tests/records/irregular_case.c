/* irregular_case.c: see irregular_case.h. */
#include "irregular_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guards.h"
#include "profiles.h"
#include "strange_fp.h"
#include "testing.h"
#include "values.h"

enum { k_arena = 1 << 22, k_targets = 32, k_box = 32 };

static struct {
  pto_context *ctx[k_profiles][k_targets];
  int targets;
  uint64_t seed;
  uint8_t *arena, *initial, *expected;
  guards guards;
} g;

uint32_t case_draw(uint32_t below) { return (uint32_t)(values_random(&g.seed) >> 16) % below; }
int case_one_in(uint32_t n) { return case_draw(n) == 0; }

void irregular_create(void) {
  for (int32_t i = 0; i < pto_target_count() && i < k_targets; ++i) {
    if (!pto_target_supported(i)) continue;
    for (int p = 0; p < k_profiles; ++p) {
      g.ctx[p][g.targets] = pto_context_create_for((pto_profile)p, pto_target_name(i));
      assert_non_null(g.ctx[p][g.targets]);
    }
    ++g.targets;
  }
  g.arena = guards_memory(3 * (size_t)k_arena);
  g.initial = g.arena + k_arena;
  g.expected = g.initial + k_arena;
}

void irregular_release(void) {
  for (int p = 0; p < k_profiles; ++p) {
    for (int t = 0; t < g.targets; ++t) pto_context_release(g.ctx[p][t]);
  }
  free(g.arena);
}

static int64_t size_of(const tile_case *t) { return values_bytes(t->dtype); }
static int is_written(const tile_case *t) { return t->role == PTO_ROLE_OUT || t->role == PTO_ROLE_INOUT; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

static int64_t offset(const tile_case *t, int32_t r, int32_t c) {
  return t->at - g.arena + t->map[(int64_t)(t->row + r) * t->desc.cols + t->col + c] * size_of(t);
}
uint64_t case_get(const tile_case *t, int32_t r, int32_t c) {
  return values_get(t->dtype, g.initial + offset(t, r, c));
}
void case_set(const tile_case *t, int32_t r, int32_t c, uint64_t bits) {
  values_set(t->dtype, g.initial + offset(t, r, c), bits);
}
void case_want(const tile_case *t, int32_t r, int32_t c, uint64_t bits) {
  values_set(t->dtype, g.expected + offset(t, r, c), bits);
}

pto_dtype case_dtype_of(const irregular_case *c, int32_t operand) {
  const uint32_t set = pto_op_operand_dtypes(c->op, operand, c->profile, c->dtype);
  assert_true(set != 0);
  for (;;) {
    const uint32_t d = case_draw(16);
    if ((set >> d & 1) != 0) return (pto_dtype)d;
  }
}

/* ---- geometry ---- */

static void draw_geometry(const irregular_case *c, tile_case *t) {
  int layout = k_layout_nd;
  if (!c->hardware && case_one_in(2)) layout = (int)case_draw(case_one_in(4) ? k_layout_plain : k_layout_usual);
  if (t->tall) layout = k_layout_dn;
  t->rows = most(1, t->valid_rows) + (case_one_in(2) ? (int32_t)case_draw(4) : 0);
  t->cols = most(1, t->valid_cols) + (!t->tall && !t->full && case_one_in(2) ? (int32_t)case_draw(6) : 0);
  if (c->hardware) {
    const int32_t unit = 32 / (int32_t)size_of(t);
    int32_t *along = t->tall ? &t->rows : &t->cols;
    *along = (*along + unit - 1) / unit * unit;
  }
  int32_t rows = t->rows;
  int32_t cols = t->cols;
  t->row = t->col = 0;
  t->view = !c->hardware && !t->tall && case_one_in(3);
  if (t->view) {
    const int boxed = layout > k_layout_dn;
    t->row = (int32_t)case_draw(2) * (boxed ? k_box : 3);
    t->col = (int32_t)case_draw(2) * (boxed ? k_box : 3);
    rows += t->row + (boxed ? 0 : (int32_t)case_draw(4));
    cols += t->col + (boxed ? 0 : (int32_t)case_draw(4));
  }
  t->desc = layout_desc(&k_layouts[layout], t->dtype, rows, cols);
  if (!t->view) {
    t->desc.valid_rows = t->valid_rows;
    t->desc.valid_cols = t->valid_cols;
  }
  assert_true((int64_t)rows * cols <= k_case_elements);
  t->bytes = layout_map(&t->desc, t->map) * size_of(t);
}

/* One after another; now and then a source begins anywhere in the memory of the first output, or all are between pages
   that may not be touched. */
static int64_t place(irregular_case *c, int aliased) {
  int64_t cursor = 64;
  g.guards.count = 0;
  const int guarded = !aliased && case_one_in(2);
  for (int i = 0; i < c->count; ++i) {
    tile_case *t = &c->tile[i];
    if (guarded) {
      t->at = g.arena + guards_place(&g.guards, g.arena, &cursor, t->bytes, !case_one_in(3));
      continue;
    }
    if (i > 0 && aliased && !is_written(t) && t->role != PTO_ROLE_TMP && case_one_in(2)) {
      const tile_case *base = &c->tile[0];
      const int64_t unit = most((int32_t)size_of(t), (int32_t)size_of(base));
      t->at = base->at + (int64_t)case_draw((uint32_t)(base->bytes / unit + 1)) * (case_one_in(3) ? 0 : unit);
      t->at = g.arena + (t->at - g.arena + size_of(t) - 1) / size_of(t) * size_of(t);
      const int64_t end = t->at - g.arena + t->bytes + 64;
      if (end > cursor) cursor = end;
      continue;
    }
    cursor = (cursor + 63) / 64 * 64 + (int64_t)case_draw(5) * size_of(t);
    t->at = g.arena + cursor;
    cursor += t->bytes + 64;
  }
  if (guarded) guards_place(&g.guards, g.arena, &cursor, 0, 0);
  assert_true(cursor <= k_arena);
  return cursor;
}

static void add_tmp(irregular_case *c, const tile_case *like) {
  tile_case *t = &c->tile[c->count - 1];
  t->valid_rows = like->valid_rows;
  t->valid_cols = like->valid_cols;
  t->dtype = like->dtype;
}

/* ---- calls ---- */

static pto_tile *tile_of(const tile_case *t) {
  pto_context *ctx = g.ctx[0][0];
  const pto_tile_desc desc = layout_asked(&t->desc);
  pto_tile *tile = pto_tile_wrap(ctx, &desc, t->at, t->bytes);
  if (tile == NULL) fail_msg("%s", pto_context_error_message(ctx));
  if (!t->view) return tile;
  pto_tile *view = pto_tile_view(ctx, tile, t->row, t->col, t->rows, t->cols);
  if (view == NULL) fail_msg("%s", pto_context_error_message(ctx));
  pto_tile_release(tile);
  assert_int_equal(pto_tile_set_valid(ctx, view, t->valid_rows, t->valid_cols), PTO_OK);
  return view;
}

static void describe(const irregular_case *c, const pto_context *ctx, char *text, size_t size) {
  int n = snprintf(text, size, "%s %s case %d profile %d numbers", pto_op_name(c->op), pto_dtype_name(c->dtype), c->n,
                   (int)c->profile);
  for (int i = 0; i < 4; ++i) n += snprintf(text + n, size - (size_t)n, " %d", c->numbers[i]);
  n += snprintf(text + n, size - (size_t)n, " on %s:", pto_context_target(ctx));
  for (int i = 0; i < c->count && n < (int)size - 120; ++i) {
    const tile_case *t = &c->tile[i];
    n += snprintf(text + n, size - (size_t)n, " %s %s %d/%d %dx%d of %dx%d%s at %lld", pto_op_operand_name(c->op, i),
                  pto_dtype_name(t->dtype), (int)t->desc.blayout, (int)t->desc.slayout, t->valid_rows, t->valid_cols,
                  t->rows, t->cols, t->view ? " (view)" : "", (long long)(t->at - g.arena));
  }
}

static void complain(const irregular_case *c, const pto_context *ctx) {
  char text[1024];
  describe(c, ctx, text, sizeof text);
  int64_t wrong = 0;
  while (g.arena[wrong] == g.expected[wrong]) ++wrong;
  for (int i = 0; i < c->count; ++i) {
    const tile_case *t = &c->tile[i];
    for (int32_t r = 0; is_written(t) && r < t->rows; ++r) {
      for (int32_t k = 0; k < t->cols; ++k) {
        const int64_t at = offset(t, r, k);
        if (wrong < at || wrong >= at + size_of(t)) continue;
        fail_msg("%s: (%d, %d) of %s is %#llx, not %#llx", text, r, k, pto_op_operand_name(c->op, i),
                 (unsigned long long)values_get(t->dtype, g.arena + at),
                 (unsigned long long)values_get(t->dtype, g.expected + at));
      }
    }
  }
  fail_msg("%s: byte %lld was written", text, (long long)wrong);
}

static pto_inst *inst_of(const irregular_case *c) {
  pto_context *ctx = g.ctx[0][0];
  pto_inst *inst = pto_inst_create(ctx, pto_op_name(c->op));
  assert_non_null(inst);
  int tile = 0;
  int number = 0;
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    const int32_t role = pto_op_operand_role(c->op, i);
    if (role == PTO_ROLE_MODE || role == PTO_ROLE_INT) {
      assert_int_equal(pto_inst_set_int(ctx, inst, i, c->numbers[number++]), PTO_OK);
    } else if (role != PTO_ROLE_FLAGS && role != PTO_ROLE_SCALAR && tile < c->count) {
      pto_tile *made = tile_of(&c->tile[tile++]);
      assert_int_equal(pto_inst_set_tile(ctx, inst, i, made), PTO_OK);
      pto_tile_release(made);
    }
  }
  return inst;
}

static void run(const irregular_op *op, irregular_case *c, int64_t bytes, int aliased) {
  memcpy(g.expected, g.initial, (size_t)bytes);
  if (c->refused == NULL) op->want(c);
  pto_inst *inst = inst_of(c);
  for (int t = 0; t < g.targets; ++t) {
    pto_context *ctx = g.ctx[c->profile][t];
    memcpy(g.arena, g.initial, (size_t)bytes);
    const int strange = (c->n + t) % 2 != 0;
    guards_up(&g.guards);
    if (strange) strange_fp_enter();
    const pto_status status = pto_inst_run(ctx, inst);
    if (strange) assert_true(strange_fp_leave());
    guards_down(&g.guards);
    const int by_alias = status == PTO_ERROR_ALIAS && aliased && c->profile == PTO_PROFILE_A2A3;
    const char *rule = status == PTO_OK ? "none" : pto_context_error_rule(ctx);
    if (!by_alias && (c->refused == NULL ? status != PTO_OK : strcmp(rule, c->refused) != 0)) {
      char text[1024];
      describe(c, ctx, text, sizeof text);
      fail_msg("%s: %s instead of %s: %s", text, rule, c->refused == NULL ? "none" : c->refused,
               status == PTO_OK ? "" : pto_context_error_message(ctx));
    }
    if (by_alias) {
      assert_memory_equal(g.arena, g.initial, (size_t)bytes);
      break;
    }
    if (memcmp(g.arena, g.expected, (size_t)bytes) != 0) complain(c, ctx);
  }
  pto_inst_release(inst);
}

void irregular_run(const irregular_op *op, int cases) {
  static irregular_case c;
  const int32_t id = pto_op_find(op->name);
  assert_true(id > 0);
  g.seed = (uint64_t)id;
  for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bits(d) >= 8; d = (pto_dtype)(d + 1)) {
    for (int n = 0; n < cases && pto_op_supports(id, PTO_PROFILE_CPU, d, 0); ++n) {
      c.op = id;
      c.dtype = d;
      c.n = n;
      c.refused = NULL;
      c.profile = pto_op_supports(id, (pto_profile)(n % 3), d, 0) ? (pto_profile)(n % 3) : PTO_PROFILE_CPU;
      c.hardware = c.profile != PTO_PROFILE_CPU || case_one_in(3);
      c.count = 0;
      memset(c.numbers, 0, sizeof c.numbers);
      int tmp = 0;
      for (int32_t i = 0; i < pto_op_operand_count(id); ++i) {
        const int32_t role = pto_op_operand_role(id, i);
        tmp = role == PTO_ROLE_TMP;
        if (role != PTO_ROLE_OUT && role != PTO_ROLE_IN && role != PTO_ROLE_INOUT && !tmp) break;
        if (tmp && c.profile != PTO_PROFILE_A2A3 && case_one_in(2)) break;
        tile_case *t = &c.tile[c.count++];
        memset(t, 0, offsetof(tile_case, map));
        t->role = role;
        if (!tmp) t->dtype = i == pto_op_lead(id) ? d : case_dtype_of(&c, i);
        if (tmp) break;
      }
      op->shape(&c);
      if (c.count > 0 && c.tile[c.count - 1].role == PTO_ROLE_TMP && c.tile[c.count - 1].valid_cols == 0) {
        add_tmp(&c, &c.tile[0]);
      }
      for (int i = 0; i < c.count; ++i) draw_geometry(&c, &c.tile[i]);
      const int aliased = case_one_in(3);
      const int64_t bytes = place(&c, aliased);
      values_fill(d, g.initial, (bytes + 7) / values_bytes(d), g.seed);
      for (int64_t i = 0; n % 2 != 0 && i < bytes; ++i) g.initial[i] = (uint8_t)case_draw(256);
      if (op->fill != NULL) op->fill(&c);
      run(op, &c, bytes, aliased);
    }
  }
}

static const int32_t k_regions[][2] = {{1, 1}, {3, 5}, {8, 8}, {16, 17}, {5, 32}, {1, 37}, {7, 1}, {0, 4}, {2, 300}};

void draw_region(tile_case *t, int n) {
  const int known = (int)(sizeof k_regions / sizeof *k_regions);
  const int at = n % (known + 3);
  t->valid_rows = at < known ? k_regions[at][0] : 1 + (int32_t)case_draw(20);
  t->valid_cols = at < known ? k_regions[at][1] : 1 + (int32_t)case_draw(40);
}

void like(tile_case *t, const tile_case *other, int more) {
  t->valid_rows = other->valid_rows + (more ? (int32_t)case_draw(3) : 0);
  t->valid_cols = other->valid_cols + (more ? (int32_t)case_draw(4) : 0);
}

void whole_rows(const irregular_case *c, tile_case *t) {
  const int32_t unit = 32 / values_bytes(t->dtype);
  if (c->hardware) t->valid_cols = (t->valid_cols + unit - 1) / unit * unit;
  t->full = c->hardware;
}

static const irregular_op *g_op;
static void test_one(void **state) {
  (void)state;
  irregular_run(g_op, 300);
}

int irregular_all(const irregular_op *ops, size_t count) {
  int failed = 0;
  irregular_create();
  for (size_t i = 0; i < count; ++i) {
    g_op = &ops[i];
    const struct CMUnitTest tests[] = {{g_op->name, test_one, NULL, NULL, NULL}};
    failed += cmocka_run_group_tests_name(g_op->name, tests, NULL, NULL);
  }
  irregular_release();
  return failed;
}
