/*
 * sampler.c: runs drawn calls on every target and compares every byte. Aliasing, guard bytes and what lies outside
 * valid regions are one question: everything but the results stays what it was.
 */
#include "sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampler_impl.h"
#include "strange_fp.h"

sampler_state g;

void sampler_create(void) {
  for (int32_t i = 0; i < pto_target_count() && i < k_most_targets; ++i) {
    if (!pto_target_supported(i)) continue;
    for (int p = 0; p < k_profiles; ++p) {
      g.ctx[p][g.targets] = pto_context_create_for((pto_profile)p, pto_target_name(i));
      assert_non_null(g.ctx[p][g.targets]);
    }
    ++g.targets;
  }
  assert_true(g.targets > 0);
  g.arena = guards_memory(4 * (size_t)k_arena);
  g.initial = g.arena + k_arena;
  g.expected = g.initial + k_arena;
  g.seen = g.expected + k_arena;
}

void sampler_release(void) {
  for (int p = 0; p < k_profiles; ++p) {
    for (int t = 0; t < g.targets; ++t) pto_context_release(g.ctx[p][t]);
  }
  free(g.arena);
}

int64_t sampler_calls(void) { return g.calls; }

/* ---- calling ---- */

static void describe(const call *c, const pto_context *ctx, char *text, size_t size) {
  int n = snprintf(text, size, "%s %s profile %d flags %u numbers %d %d %d %d scalar %#llx on %s:", c->entry->name,
                   pto_dtype_name(c->dtype), (int)c->profile, (unsigned)c->flags, c->numbers[0], c->numbers[1],
                   c->numbers[2], c->numbers[3], (unsigned long long)c->scalar, pto_context_target(ctx));
  for (int i = 0; i < c->count && n < (int)size - 120; ++i) {
    const placed *t = &c->tile[i];
    n += snprintf(text + n, size - (size_t)n, " %s %s", pto_op_operand_name(c->op, t->operand),
                  pto_dtype_name(t->desc.dtype));
    for (int k = 0; k < k_layout_count; ++k) {
      if (k_layouts[k].blayout == t->desc.blayout && k_layouts[k].slayout == t->desc.slayout &&
          k_layouts[k].compact == t->desc.compact && (k <= k_layout_dn || k_layouts[k].fractal == t->desc.fractal)) {
        n += snprintf(text + n, size - (size_t)n, " %s", k_layouts[k].name);
      }
    }
    n += snprintf(text + n, size - (size_t)n, " %dx%d of %dx%d", t->valid_rows, t->valid_cols, t->rows, t->cols);
    if (t->view) n += snprintf(text + n, size - (size_t)n, " at (%d, %d)", t->row, t->col);
    if (t->base != i) n += snprintf(text + n, size - (size_t)n, " over tile %d%+lld", t->base, (long long)t->shift);
  }
}

/* A wrong byte: the element that has it, or none if it is outside of all results. */
static void complain(const call *c, const pto_context *ctx) {
  char text[1024];
  describe(c, ctx, text, sizeof text);
  int64_t wrong = 0;
  while (g.arena[wrong] == g.expected[wrong]) ++wrong;
  for (int k = 0; k < c->count && is_output(&c->tile[k]); ++k) {
    const placed *t = &c->tile[k];
    for (int32_t r = 0; r < t->valid_rows; ++r) {
      for (int32_t j = 0; j < t->valid_cols; ++j) {
        const int64_t offset = at(t, r, j) - g.arena;
        if (wrong < offset || wrong >= offset + size_of(t)) continue;
        op_element e;
        memset(&e, 0, sizeof e);
        if (c->entry->element != NULL && t->extent == PTO_EXTENT_SAME) gather(c, r, j, &e);
        fail_msg("%s: (%d, %d) of %s is %#llx, not %#llx (was %#llx); of %#llx %#llx %#llx, dst %#llx", text, r, j,
                 pto_op_operand_name(c->op, t->operand),
                 (unsigned long long)values_get(t->desc.dtype, g.arena + offset),
                 (unsigned long long)values_get(t->desc.dtype, g.expected + offset),
                 (unsigned long long)values_get(t->desc.dtype, g.initial + offset), (unsigned long long)e.src[0],
                 (unsigned long long)e.src[1], (unsigned long long)e.src[2], (unsigned long long)e.dst);
      }
    }
  }
  fail_msg("%s: byte %lld from the start of the first tile was written", text,
           (long long)(g.arena + wrong - c->tile[0].at));
}

/* Results that are as good as the expected ones become expected, once: the other targets must give the same. */
static void adopt(const call *c) {
  const placed *dst = &c->tile[0];
  for (int32_t i = 0; c->entry->near != NULL && i < c->rows; ++i) {
    for (int32_t j = 0; j < c->cols; ++j) {
      const int64_t offset = at(dst, i, j) - g.arena;
      const uint64_t got = values_get(dst->desc.dtype, g.arena + offset);
      if (got == values_get(dst->desc.dtype, g.expected + offset)) continue;
      op_element e;
      gather(c, i, j, &e);
      /* A2A3 takes PTO_HIGH_PRECISION and ignores it. */
      const uint32_t flags = c->profile == PTO_PROFILE_A2A3 ? 0 : c->flags;
      if (c->entry->near(&e, flags, got)) values_set(dst->desc.dtype, g.expected + offset, got);
    }
  }
}

static pto_tile *tile_of(const placed *t) {
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

static pto_inst *inst_of(const call *c) {
  pto_context *ctx = g.ctx[0][0];
  pto_inst *inst = pto_inst_create(ctx, c->entry->name);
  assert_non_null(inst);
  for (int i = 0; i < c->count; ++i) {
    pto_tile *tile = tile_of(&c->tile[i]);
    assert_int_equal(pto_inst_set_tile(ctx, inst, c->tile[i].operand, tile), PTO_OK);
    pto_tile_release(tile);
  }
  int next = 0;
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    const int32_t role = pto_op_operand_role(c->op, i);
    pto_status status = PTO_OK;
    if (role == PTO_ROLE_SCALAR) status = pto_inst_set_scalar(ctx, inst, i, c->passed);
    if (role == PTO_ROLE_MODE || role == PTO_ROLE_INT) status = pto_inst_set_int(ctx, inst, i, c->numbers[next++]);
    if (role == PTO_ROLE_FLAGS) status = pto_inst_set_int(ctx, inst, i, c->flags);
    assert_int_equal(status, PTO_OK);
  }
  return inst;
}

/* Runs a call whose arena is filled on every target. */
static void run(const call *c) {
  const size_t bytes = (size_t)c->bytes;
  memcpy(g.expected, g.initial, bytes);
  if (c->entry->place != NULL) {
    expect_places(c);
  } else if (c->rows > 0 && c->cols > 0) {
    (c->entry->element != NULL ? expect_elements : c->entry->product != NULL ? expect_products : expect_lines)(c);
  }
  pto_inst *inst = inst_of(c);
  for (int t = 0; t < g.targets; ++t) {
    pto_context *ctx = g.ctx[c->profile][t];
    memcpy(g.arena, g.initial, bytes);
    if (c->strange) strange_fp_enter();
    guards_up(&c->guards);
    const pto_status status = pto_inst_run(ctx, inst);
    guards_down(&c->guards);
    if (c->strange) assert_true(strange_fp_leave());
    ++g.calls;
    /* Which overlaps A2A3 refuses is for the tests of rules to say. */
    if (status == PTO_ERROR_ALIAS && c->aliased && c->profile == PTO_PROFILE_A2A3) {
      assert_memory_equal(g.arena, g.initial, bytes);
      break;
    }
    if (status != PTO_OK) {
      char text[1024];
      describe(c, ctx, text, sizeof text);
      fail_msg("%s: refused: %s", text, pto_context_error_message(ctx));
    }
    if (t == 0) adopt(c);
    if (memcmp(g.arena, g.expected, bytes) != 0) complain(c, ctx);
  }
  pto_inst_release(inst);
}

static int flag_count(int32_t op) { return (pto_op_flags(op) & PTO_HIGH_PRECISION) != 0 ? 2 : 1; }

/* Modes take turns; integers are small, negative and extreme. */
static void draw_numbers(call *c, int n) {
  static const int32_t k_numbers[] = {0, 1, -1, 3, -5, 17, -40, INT32_MAX, INT32_MIN};
  int next = 0;
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    const int32_t role = pto_op_operand_role(c->op, i);
    if (role == PTO_ROLE_INT) c->numbers[next++] = k_numbers[draw(9)];
    if (role != PTO_ROLE_MODE) continue;
    int count = 0;
    while (pto_op_operand_mode_value(c->op, i, count) != NULL) ++count;
    /* Other vector cores are for the tests of rules. */
    const int one_core = strcmp(pto_op_operand_mode(c->op, i), "acc_to_vec") == 0;
    c->numbers[next++] = one_core ? 0 : n % count;
    if (!one_core) n /= count;
  }
}

/* Odd, one column, one row, whole boxes, wide, empty. Their number has no factor with the numbers of modes and
 * profiles. */
static const int32_t k_regions[][2] = {{1, 1}, {3, 5}, {15, 15}, {16, 17}, {19, 1},  {1, 37}, {16, 32},
                                       {0, 5}, {5, 0}, {0, 0},   {23, 71}, {2, 300}, {70, 3}};
enum { k_region_count = sizeof k_regions / sizeof *k_regions };

static void start(call *c, const op_entry *entry, pto_dtype dtype) {
  c->entry = entry;
  c->op = pto_op_find(entry->name);
  c->dtype = dtype;
  c->profile = PTO_PROFILE_CPU;
  c->flags = 0;
  memset(c->numbers, 0, sizeof c->numbers);
  c->src = 0;
  c->scalar = 0;
  c->passed = pto_bits(0);
  c->hardware = c->whole = c->aliased = c->strange = 0;
}

static void sample(const op_entry *entry, pto_dtype dtype, int n) {
  static call c;
  start(&c, entry, dtype);
  const int region = n % (k_region_count + 3);
  c.rows = region < k_region_count ? k_regions[region][0] : 1 + (int32_t)draw(24);
  c.cols = region < k_region_count ? k_regions[region][1] : 1 + (int32_t)draw(40);
  draw_numbers(&c, n);
  c.flags = n / 7 % flag_count(c.op) == 1 ? PTO_HIGH_PRECISION : 0;
  const pto_profile profile = (pto_profile)(n % k_profiles);
  c.hardware = n % 2;
  if (pto_op_supports(c.op, profile, dtype, c.flags)) c.profile = profile;
  if (c.profile != PTO_PROFILE_CPU) c.hardware = 1;
  if (c.hardware && entry->rows == 1 && c.rows > 1) c.rows = 1;
  c.aliased = one_in(2);
  c.strange = one_in(5);
  /* A row without elements has no result: a rule. */
  for (int32_t i = 0; i < 2; ++i) {
    if (pto_op_operand_extent(c.op, i) == PTO_EXTENT_ROW_RESULTS) c.cols = most(1, c.cols);
  }
  if (extent_is_even(c.op)) c.cols -= c.cols % 2;
  c.depth = (int32_t)draw(k_usual_depth);
  if (entry->product != NULL && one_in(16)) {
    /* More than is worked on at a time: of sums, or of rows. */
    const int deep = one_in(2);
    c.rows = deep ? 1 + (int32_t)draw(6) : 190 + (int32_t)draw(20);
    c.cols = 1 + (int32_t)draw(6);
    c.depth = deep ? 250 + (int32_t)draw(k_most_depth - 250) : (int32_t)draw(10);
  }
  if (entry->product != NULL && c.hardware) {
    /* Nor has hardware empty products; A2A3 has a bias of 256. */
    c.rows = strncmp(entry->name, "tgemv", 5) == 0 ? 1 : most(1, c.rows);
    c.cols = most(1, c.cols);
    c.depth = most(1, c.depth);
    /* A2A3 has the first two ways to round, A5 the others. */
    const int32_t away = c.numbers[0] % 2;
    if (c.profile == PTO_PROFILE_A2A3 && c.numbers[0] > 0) c.numbers[0] = PTO_MAD_HF32_RINT + away;
    if (c.profile == PTO_PROFILE_A5 && c.numbers[0] > 0) c.numbers[0] = PTO_MAD_TF32_RINT + away;
  }
  /* A2A3 has words for 256 columns. */
  if (c.hardware && c.cols > 200) c.cols = 200;
  /* Types of factors take turns under each profile: both come in threes. */
  make_tiles(&c, entry->product != NULL ? n / 3 : n);
  fill(&c);
  draw_scalar(&c);
  run(&c);
}

/* ---- known results ---- */

/* Every element of every tile is the known one: over a region that fills vectors and leaves a rest. */
static void known_element(const op_entry *entry, pto_dtype dtype, const uint64_t *in, uint64_t result,
                          const op_bits *known) {
  static call c;
  for (int n = 0; n < flag_count(pto_op_find(entry->name)); ++n) {
    start(&c, entry, dtype);
    c.rows = 3;
    c.cols = 37;
    c.src = (int32_t)dtype + 1;
    if (known != NULL) {
      memcpy(c.numbers, known->numbers, sizeof known->numbers);
      c.src = known->src;
    }
    c.flags = n == 1 ? PTO_HIGH_PRECISION : 0;
    c.hardware = c.whole = 1;
    make_tiles(&c, 0);
    fill(&c);
    int next = 0;
    for (int k = 0; k < c.count; ++k) {
      const placed *t = &c.tile[k];
      if (t->role != PTO_ROLE_IN) continue;
      const uint64_t bits = next < 3 ? in[next] : 0;
      ++next;
      for (int32_t r = 0; r < t->valid_rows; ++r) {
        for (int32_t j = 0; j < t->valid_cols; ++j) {
          values_set(t->desc.dtype, g.initial + (at(t, r, j) - g.arena),
                     t->extent == PTO_EXTENT_BITS ? 0 - bits : bits);
        }
      }
    }
    for (int32_t i = 0; i < pto_op_operand_count(c.op); ++i) {
      if (pto_op_operand_role(c.op, i) != PTO_ROLE_SCALAR) continue;
      c.scalar = in[next++];
      c.passed = pto_bits(c.scalar);
    }
    const placed *dst = &c.tile[0];
    for (int32_t r = 0; dst->role == PTO_ROLE_INOUT && r < dst->valid_rows; ++r) {
      for (int32_t j = 0; j < dst->valid_cols; ++j) {
        values_set(dtype, g.initial + (at(dst, r, j) - g.arena), in[next]);
      }
    }
    /* The reference must know it too: otherwise it is the table that is wrong. */
    op_element e;
    gather(&c, 0, 0, &e);
    if (entry->element(&e) != result) {
      fail_msg("%s %s of %#llx %#llx %#llx: the reference has %#llx, the table %#llx", entry->name,
               pto_dtype_name(dtype), (unsigned long long)in[0], (unsigned long long)in[1], (unsigned long long)in[2],
               (unsigned long long)entry->element(&e), (unsigned long long)result);
    }
    run(&c);
  }
}

static void known_line(const op_entry *entry, const op_known_line *known) {
  static call c;
  start(&c, entry, known->dtype);
  const int by_row = pto_op_operand_extent(c.op, 0) != PTO_EXTENT_COL_RESULTS;
  c.rows = by_row ? 5 : known->count;
  c.cols = by_row ? known->count : 5;
  c.numbers[0] = known->mode;
  make_tiles(&c, 0);
  fill(&c);
  uint64_t in[k_known_line], out[k_known_line];
  const uint64_t mask = ref_mask(known->dtype);
  for (int32_t k = 0; k < known->count; ++k) in[k] = (uint64_t)known->in[k] & mask;
  for (int k = 0; k < c.count; ++k) {
    const placed *t = &c.tile[k];
    for (int32_t r = 0; t->role == PTO_ROLE_IN && r < c.rows; ++r) {
      for (int32_t j = 0; j < c.cols; ++j) {
        values_set(known->dtype, g.initial + (at(t, r, j) - g.arena), in[by_row ? j : r]);
      }
    }
  }
  const op_line line = {known->dtype, in, known->count, by_row, known->mode, c.tile[0].desc.dtype};
  out[1] = (uint64_t)known->want[1] & mask;
  entry->line(&line, out);
  if (out[0] != ((uint64_t)known->want[0] & mask) || out[1] != ((uint64_t)known->want[1] & mask)) {
    fail_msg("%s %s: the reference has %#llx %#llx, the table %#llx", entry->name, pto_dtype_name(known->dtype),
             (unsigned long long)out[0], (unsigned long long)out[1], (unsigned long long)known->want[0]);
  }
  run(&c);
}

/* Every element of a product is the known one. */
static void known_product(const op_entry *entry, const op_known_line *known) {
  static call c;
  start(&c, entry, known->dtype);
  const pto_dtype factor = (pto_dtype)known->mode;
  c.rows = 3;
  c.cols = 37;
  c.depth = known->count / 2;
  c.src = (int32_t)factor + 1;
  make_tiles(&c, 0);
  fill(&c);
  int scaled = 0;
  uint64_t left[k_known_line], right[k_known_line];
  const uint64_t first = (uint64_t)known->in[2 * c.depth] & ref_mask(known->dtype);
  for (int32_t q = 0; q < c.depth; ++q) {
    left[q] = (uint64_t)known->in[2 * q] & ref_mask(factor);
    right[q] = (uint64_t)known->in[2 * q + 1] & ref_mask(factor);
  }
  for (int k = 0; k < c.count; ++k) {
    const placed *t = &c.tile[k];
    for (int32_t r = 0; t->role == PTO_ROLE_IN && r < t->valid_rows; ++r) {
      for (int32_t j = 0; j < t->valid_cols; ++j) {
        const int scale = t->extent == PTO_EXTENT_LEFT_SCALES || t->extent == PTO_EXTENT_RIGHT_SCALES;
        scaled |= scale;
        const uint64_t bits = t->extent == PTO_EXTENT_LEFT    ? left[j]
                              : t->extent == PTO_EXTENT_RIGHT ? right[r]
                              : scale                         ? k_known_scale
                                                              : first;
        values_set(t->desc.dtype, g.initial + (at(t, r, j) - g.arena), bits);
      }
    }
  }
  uint64_t scales[k_known_line];
  for (int32_t q = 0; q < c.depth; ++q) scales[q] = k_known_scale;
  const uint64_t *const with = scaled ? scales : NULL;
  const op_product p = {factor, factor, known->count % 2 != 0, first, left, right, with, with, c.depth, PTO_MAD_NONE};
  const uint64_t want_bits = (uint64_t)known->want[0] & ref_mask(known->dtype);
  if (entry->product(&p) != want_bits) {
    fail_msg("%s %s: the reference has %#llx, the table %#llx", entry->name, pto_dtype_name(factor),
             (unsigned long long)entry->product(&p), (unsigned long long)want_bits);
  }
  run(&c);
}

static void known_results(const op_entry *entry, pto_dtype dtype) {
  for (int i = 0; i < entry->float_count && values_is_float(dtype); ++i) {
    uint64_t in[3];
    for (int k = 0; k < 3; ++k) in[k] = values_of_float(dtype, entry->floats[i].in[k]);
    known_element(entry, dtype, in, values_of_float(dtype, entry->floats[i].want), NULL);
  }
  const uint64_t mask = ref_mask(dtype);
  for (int i = 0; i < entry->bit_count; ++i) {
    const op_bits *known = &entry->bits[i];
    if (known->dtype != dtype) continue;
    uint64_t in[3];
    for (int k = 0; k < 3; ++k) /* Words of quantisation beside sums of four bytes are longer. */
      in[k] = (uint64_t)known->in[k] & (known->src == 0              ? mask
                                        : k > 0 && known->in[k] >= 0 ? UINT64_MAX
                                                                     : ref_mask((pto_dtype)(known->src - 1)));
    known_element(entry, dtype, in, (uint64_t)known->want & mask, known);
  }
  for (int i = 0; i < entry->line_count; ++i) {
    if (entry->lines[i].dtype == dtype) (entry->product != NULL ? known_product : known_line)(entry, &entry->lines[i]);
  }
}

void sample_op(const op_entry *entry, int cases) {
  const int32_t op = pto_op_find(entry->name);
  assert_true(op > 0);
  assert_true(entry->place != NULL || entry->float_count + entry->bit_count + entry->line_count > 0);
  g.seed = (uint64_t)op;
  for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bits(d) >= 8; d = (pto_dtype)(d + 1)) {
    if (!pto_op_supports(op, PTO_PROFILE_CPU, d, 0)) continue;
    known_results(entry, d);
    for (int n = 0; n < cases; ++n) sample(entry, d, n);
  }
}
