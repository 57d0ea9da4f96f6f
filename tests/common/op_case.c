/*
 * op_case.c: builds the arena of a case, computes what it must hold after the
 * call, and calls. The reference is asked once a case, not once a target.
 */
#include "op_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"
#include "values.h"

enum { k_arena = 1 << 21, k_guard = 64, k_memo = 1 << 14, k_elements = 1 << 15 };

typedef struct placed {
  pto_tile_desc desc;
  uint8_t *at; /* in the arena */
  int64_t elements;
  int64_t map[k_elements];
} placed;

typedef struct memo {
  int known;
  pto_dtype dtype;
  uint64_t a, b, result;
} memo;

struct op_bench {
  const op_under_test *op;
  int32_t id;
  int sources;
  pto_context *ctx[k_profiles][k_max_targets];
  int targets;
  int64_t runs;
  int64_t cases;
  void (*enter)(void);
  void (*leave)(void);
  /* Known results, in the order of dst's valid region; NULL asks the reference. */
  const uint64_t *known_want;
  placed tiles[k_case_tiles];
  memo memos[k_memo];
  uint8_t exact[k_elements]; /* the element of dst is a copy: its bits count, also a NaN's */
  uint64_t a[k_elements], b[k_elements];
  /* 64-byte aligned by hand: arena, what it was, what it must be, what it was after the first call. */
  uint8_t *arena, *initial, *expected, *seen;
  uint8_t *block;
};

op_bench *op_bench_create(const op_under_test *op) {
  op_bench *bench = calloc(1, sizeof *bench);
  assert_non_null(bench);
  bench->op = op;
  bench->id = pto_op_find(op->name);
  assert_true(bench->id > 0);
  for (int32_t i = 0; i < pto_op_operand_count(bench->id); ++i) {
    bench->sources += pto_op_operand_role(bench->id, i) == PTO_ROLE_IN;
    if (pto_op_operand_role(bench->id, i) == PTO_ROLE_TMP) assert_int_not_equal(op->tmp, OP_TMP_NONE);
  }
  for (int32_t i = 0; i < pto_target_count() && i < k_max_targets; ++i) {
    if (!pto_target_supported(i)) continue;
    for (int p = 0; p < k_profiles; ++p) {
      bench->ctx[p][bench->targets] = pto_context_create_for((pto_profile)p, pto_target_name(i));
      assert_non_null(bench->ctx[p][bench->targets]);
    }
    ++bench->targets;
  }
  assert_true(bench->targets > 0);
  bench->block = malloc(4 * (size_t)k_arena + 64);
  assert_non_null(bench->block);
  bench->arena = bench->block + (64 - (uintptr_t)bench->block % 64);
  bench->initial = bench->arena + k_arena;
  bench->expected = bench->initial + k_arena;
  bench->seen = bench->expected + k_arena;
  return bench;
}

void op_bench_release(op_bench *bench) {
  for (int p = 0; p < k_profiles; ++p) {
    for (int t = 0; t < bench->targets; ++t) pto_context_release(bench->ctx[p][t]);
  }
  free(bench->block);
  free(bench);
}

int op_bench_sources(const op_bench *bench) { return bench->sources; }
int64_t op_bench_runs(const op_bench *bench) { return bench->runs; }

static uint64_t reference(op_bench *bench, pto_dtype dtype, uint64_t a, uint64_t b) {
  uint64_t state = a * 31 + b * 7 + (uint64_t)dtype;
  memo *m = &bench->memos[values_random(&state) % k_memo];
  if (!m->known || m->a != a || m->b != b || m->dtype != dtype) {
    const memo next = {1, dtype, a, b, ref_apply(bench->op->fn, dtype, a, b)};
    *m = next;
  }
  return m->result;
}

static int64_t size_of(const op_case *c) { return values_bytes(c->dtype); }

static uint8_t *element(const placed *p, int32_t r, int32_t c) {
  return p->at + p->map[(int64_t)r * p->desc.cols + c] * values_bytes(p->desc.dtype);
}

/* Gives each tile its place; returns the bytes of the arena that are in use. */
static int64_t place(op_bench *bench, const op_case *c) {
  const int count = 1 + bench->sources;
  int64_t cursor = k_guard;
  for (int i = 0; i < count; ++i) {
    const case_tile *t = &c->tile[i];
    placed *p = &bench->tiles[i];
    p->desc = layout_desc(&k_layouts[t->layout], c->dtype, t->rows, t->cols);
    p->desc.valid_rows = t->valid_rows;
    p->desc.valid_cols = t->valid_cols;
    assert_true((int64_t)t->rows * t->cols <= k_elements);
    p->elements = layout_map(&p->desc, p->map);
  }
  for (int i = 0; i < count; ++i) {
    placed *p = &bench->tiles[i];
    if (c->tile[i].base >= 0) {
      p->at = bench->tiles[c->tile[i].base].at + c->tile[i].shift * size_of(c);
      continue;
    }
    /* Room for those that share its memory, before it and after. */
    int64_t before = 0;
    int64_t length = p->elements;
    for (int k = i + 1; k < count; ++k) {
      if (c->tile[k].base != i) continue;
      if (-c->tile[k].shift > before) before = -c->tile[k].shift;
      if (c->tile[k].shift + bench->tiles[k].elements > length) length = c->tile[k].shift + bench->tiles[k].elements;
    }
    /* Aligned to the element, to more only by chance. */
    cursor = (cursor + 63) / 64 * 64 + (bench->cases + i) % 5 * size_of(c) + before * size_of(c);
    p->at = bench->arena + cursor;
    cursor += length * size_of(c) + k_guard;
  }
  if (c->tmp) {
    placed *p = &bench->tiles[count];
    const case_tile *dst = &c->tile[0];
    const int mask = bench->op->tmp == OP_TMP_MASK;
    p->desc = layout_desc(&k_layouts[k_layout_nd], mask ? PTO_DTYPE_U8 : c->dtype, dst->rows + mask,
                          dst->cols * (mask ? 32 : 1));
    p->desc.valid_rows = dst->valid_rows + mask;
    p->desc.valid_cols = dst->valid_cols;
    p->elements = layout_map(&p->desc, p->map);
    cursor = (cursor + 63) / 64 * 64;
    p->at = bench->arena + cursor;
    cursor += p->elements * values_bytes(p->desc.dtype) + k_guard;
  }
  cursor = (cursor + 7) / 8 * 8;
  assert_true(cursor <= k_arena);
  return cursor;
}

/* The expected arena after the call. */
static void expect(op_bench *bench, const op_case *c, int64_t bytes) {
  const placed *dst = &bench->tiles[0];
  const op_walk walk = bench->op->walk;
  memcpy(bench->expected, bench->initial, (size_t)bytes);
  for (int32_t r = 0; r < dst->desc.valid_rows; ++r) {
    for (int32_t k = 0; k < dst->desc.valid_cols; ++k) {
      const int64_t i = (int64_t)r * dst->desc.valid_cols + k;
      uint64_t in[2] = {0, 0};
      int valid[2] = {0, 0};
      for (int s = 0; s < bench->sources; ++s) {
        const placed *src = &bench->tiles[1 + s];
        int32_t row = r;
        int32_t col = k;
        if (walk == OP_WALK_COL_EXPAND && s == 1) {
          const int down = src->desc.blayout == PTO_BLAYOUT_COL_MAJOR && src->desc.slayout == PTO_SLAYOUT_NONE_BOX &&
                           src->desc.cols == 1;
          row = down ? k : 0;
          col = down ? 0 : k;
        }
        valid[s] = row < src->desc.valid_rows && col < src->desc.valid_cols;
        if (valid[s]) in[s] = values_get(c->dtype, bench->initial + (element(src, row, col) - bench->arena));
      }
      bench->exact[i] = walk == OP_WALK_COPY || (walk == OP_WALK_PARTIAL && !(valid[0] && valid[1]));
      bench->a[i] = in[0];
      bench->b[i] = in[1];
      uint64_t want = 0;
      if (bench->known_want != NULL) {
        want = bench->known_want[i];
      } else if (bench->exact[i]) {
        want = valid[0] ? in[0] : in[1];
      } else {
        want = reference(bench, c->dtype, in[0], in[1]);
      }
      values_set(c->dtype, bench->expected + (element(dst, r, k) - bench->arena), want);
    }
  }
}

static void describe(const op_bench *bench, const op_case *c, uint32_t flags, const pto_context *ctx, char *text,
                     size_t size) {
  int n = snprintf(text, size, "%s %s flags %u profile %d on %s:", bench->op->name, pto_dtype_name(c->dtype),
                   (unsigned)flags, (int)pto_context_profile(ctx), pto_context_target(ctx));
  for (int i = 0; i <= bench->sources; ++i) {
    const case_tile *t = &c->tile[i];
    n += snprintf(text + n, size - (size_t)n, " %s %dx%d of %dx%d", k_layouts[t->layout].name, t->valid_rows,
                  t->valid_cols, t->rows, t->cols);
    if (t->base >= 0) n += snprintf(text + n, size - (size_t)n, " at operand %d%+d", t->base, t->shift);
  }
}

/* pow on f32 without PTO_HIGH_PRECISION may be off by one unit in the last place. */
static int close_enough(const op_bench *bench, const op_case *c, uint32_t flags, int64_t i, uint64_t want,
                        uint64_t got) {
  if (bench->exact[i]) return want == got;
  if (ref_matches(c->dtype, want, got)) return 1;
  return bench->op->fn == REF_POW && c->dtype == PTO_DTYPE_F32 && (flags & PTO_HIGH_PRECISION) == 0 &&
         ref_ulp_error(c->dtype, got, bench->op->fn, bench->a[i], bench->b[i]) <= 1;
}

/* Holds the arena against what it must be, and against `seen`, the first target's, when that is there. */
static void compare(op_bench *bench, const op_case *c, uint32_t flags, const pto_context *ctx, int64_t bytes,
                    int first) {
  char text[512];
  uint8_t *arena = bench->arena;
  if (!first && memcmp(arena, bench->seen, (size_t)bytes) == 0) return;
  const placed *dst = &bench->tiles[0];
  if (first) memcpy(bench->seen, arena, (size_t)bytes);
  if (first && memcmp(arena, bench->expected, (size_t)bytes) == 0) return;
  for (int32_t r = 0; r < dst->desc.valid_rows; ++r) {
    for (int32_t k = 0; k < dst->desc.valid_cols; ++k) {
      const int64_t i = (int64_t)r * dst->desc.valid_cols + k;
      uint8_t *at = element(dst, r, k);
      const int64_t offset = at - arena;
      const uint64_t got = values_get(c->dtype, at);
      const uint64_t want = values_get(c->dtype, bench->expected + offset);
      const uint64_t before = values_get(c->dtype, bench->seen + offset);
      if (before != got || !close_enough(bench, c, flags, i, want, got)) {
        describe(bench, c, flags, ctx, text, sizeof text);
        fail_msg("%s: element (%d, %d) of %#llx and %#llx is %#llx, not %#llx; the first target gave %#llx", text, r, k,
                 (unsigned long long)bench->a[i], (unsigned long long)bench->b[i], (unsigned long long)got,
                 (unsigned long long)want, (unsigned long long)before);
      }
      values_set(c->dtype, at, want); /* judged: what is left is the rest of the arena */
    }
  }
  for (int64_t i = 0; i < bytes; ++i) {
    if (arena[i] == bench->expected[i]) continue;
    describe(bench, c, flags, ctx, text, sizeof text);
    fail_msg("%s: byte %lld from the start of dst was written outside its valid region", text,
             (long long)(arena + i - dst->at));
  }
}

/* The n-th flag word of the instruction: none, each flag alone; 0 when there are no more. */
static int flag_word(int32_t op, int n, uint32_t *flags) {
  uint32_t rest = (uint32_t)pto_op_flags(op);
  *flags = 0;
  for (; n > 0; --n) {
    if (rest == 0) return 0;
    *flags = rest & (~rest + 1);
    rest &= rest - 1;
  }
  return 1;
}

static void set_operands(op_bench *bench, const op_case *c, pto_inst *inst, int with_tmp) {
  pto_context *ctx = bench->ctx[PTO_PROFILE_CPU][0];
  for (int i = 0; i <= bench->sources + with_tmp; ++i) {
    const placed *p = &bench->tiles[i];
    const pto_tile_desc desc = layout_asked(&p->desc);
    pto_tile *tile = pto_tile_wrap(ctx, &desc, p->at, p->elements * values_bytes(p->desc.dtype));
    if (tile == NULL) fail_msg("%s", pto_context_error_message(ctx));
    assert_int_equal(pto_inst_set_tile(ctx, inst, i, tile), PTO_OK);
    pto_tile_release(tile);
  }
  (void)c;
}

static void call(op_bench *bench, const op_case *c, pto_inst *inst, pto_context *ctx, uint32_t flags, int64_t bytes,
                 int first) {
  char text[512];
  memcpy(bench->arena, bench->initial, (size_t)bytes);
  if (bench->enter != NULL) bench->enter();
  const pto_status status = pto_inst_run(ctx, inst);
  if (bench->leave != NULL) bench->leave();
  if (status != PTO_OK) {
    describe(bench, c, flags, ctx, text, sizeof text);
    fail_msg("%s: refused: %s", text, pto_context_error_message(ctx));
  }
  compare(bench, c, flags, ctx, bytes, first);
  ++bench->runs;
}

static void run_filled(op_bench *bench, const op_case *c, int64_t bytes) {
  expect(bench, c, bytes);
  pto_inst *inst = pto_inst_create(bench->ctx[0][0], bench->op->name);
  assert_non_null(inst);
  set_operands(bench, c, inst, c->tmp);
  uint32_t flags = 0;
  for (int n = 0; flag_word(bench->id, n, &flags); ++n) {
    int first = 1;
    const int32_t operand = pto_op_operand_count(bench->id) - 1;
    assert_int_equal(pto_inst_set_int(bench->ctx[0][0], inst, operand, flags), PTO_OK);
    for (int p = 0; p < (c->hardware ? k_profiles : 1); ++p) {
      if (!pto_op_supports(bench->id, (pto_profile)p, c->dtype, flags)) continue;
      if (p == PTO_PROFILE_A2A3 && bench->op->tmp != OP_TMP_NONE && !c->tmp) continue;
      /* A2A3 ignores the precision: its results are the same as without a flag, which the first target did not give. */
      const uint32_t judged = p == PTO_PROFILE_A2A3 ? flags & ~(uint32_t)PTO_HIGH_PRECISION : flags;
      if (judged != flags) first = 1;
      for (int t = 0; t < bench->targets; ++t, first = 0) call(bench, c, inst, bench->ctx[p][t], judged, bytes, first);
      if (judged != flags) first = 1;
    }
  }
  pto_inst_release(inst);
  ++bench->cases;
}

void op_case_run(op_bench *bench, const op_case *c) {
  const int64_t bytes = place(bench, c);
  values_fill(c->dtype, bench->initial, bytes / size_of(c), (uint64_t)bench->cases);
  bench->known_want = NULL;
  run_filled(bench, c, bytes);
}

void op_case_run_within(op_bench *bench, const op_case *c, void (*enter)(void), void (*leave)(void)) {
  bench->enter = enter;
  bench->leave = leave;
  op_case_run(bench, c);
  bench->enter = NULL;
  bench->leave = NULL;
}

void op_case_known(op_bench *bench, pto_dtype dtype, int count, const uint64_t *a, const uint64_t *b,
                   const uint64_t *want) {
  op_case c;
  memset(&c, 0, sizeof c);
  c.dtype = dtype;
  c.hardware = 1;
  c.tmp = bench->op->tmp != OP_TMP_NONE;
  const int32_t unit = 32 / values_bytes(dtype);
  for (int i = 0; i <= bench->sources; ++i) {
    const case_tile tile = {k_layout_nd, 1, (count + unit - 1) / unit * unit, 1, count, -1, 0};
    c.tile[i] = tile;
  }
  const int64_t bytes = place(bench, &c);
  values_fill(dtype, bench->initial, bytes / size_of(&c), 1);
  for (int s = 0; s < bench->sources; ++s) {
    const placed *src = &bench->tiles[1 + s];
    for (int32_t i = 0; i < count; ++i) {
      values_set(dtype, bench->initial + (element(src, 0, i) - bench->arena), s == 0 ? a[i] : b[i]);
    }
  }
  bench->known_want = want;
  run_filled(bench, &c, bytes);
  bench->known_want = NULL;
}
