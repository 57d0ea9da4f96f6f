/*
 * sampler.c: draws geometry, places the tiles of a call in one arena, computes what the arena must hold
 * afterwards, and calls. Which element of an operand goes with which of the result is said here, by the extents
 * of operands alone; what is computed with them by the table. Aliasing, guard bytes and what lies
 * outside valid regions are one question: everything but the results stays what it was.
 */
#include "sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extents.h"
#include "layouts.h"
#include "reference.h"
#include "strange_fp.h"
#include "testing.h"
#include "values.h"

enum {
  k_arena = 1 << 20,
  k_elements = 1 << 14,
  k_most_targets = 32,
  k_tiles = 6,
  k_box = 32,
  k_usual_depth = 34,
  k_most_depth = 290
};

/* A tile of the call. */
typedef struct placed {
  int operand;
  int32_t role, extent;
  pto_tile_desc desc; /* of the tile, or of the one that it is a view of */
  int32_t row, col;   /* where the view begins */
  int32_t rows, cols; /* of the tile itself */
  int view;
  int32_t valid_rows, valid_cols;
  int base;      /* an earlier tile whose memory it shares; its own number when none */
  int64_t shift; /* bytes from where that begins */
  int64_t bytes;
  uint8_t *at;
  int64_t map[k_elements];
} placed;

typedef struct call {
  const op_entry *entry;
  int32_t op;
  pto_dtype dtype;
  pto_profile profile;
  uint32_t flags;
  int32_t numbers[8]; /* integers and modes */
  int32_t src;        /* a type that the first input must have, + 1 */
  uint64_t scalar;    /* as bits of its type */
  pto_dtype first;    /* of the first input */
  pto_scalar passed;
  int32_t rows, cols; /* the valid region of the lead operand */
  int32_t depth;      /* of a product of matrices */
  int hardware;       /* a geometry that A2A3 and A5 take */
  int whole;          /* no source is absent anywhere */
  int aliased;
  int strange; /* in a floating-point environment that no library expects */
  int count;
  placed tile[k_tiles];
  int64_t bytes; /* of the arena */
} call;

static struct {
  pto_context *ctx[3][k_most_targets];
  int targets;
  int64_t calls;
  uint64_t seed;
  uint8_t *block, *arena, *initial, *expected, *seen;
} g;

static uint32_t draw(uint32_t below) { return (uint32_t)(values_random(&g.seed) >> 16) % below; }
static int one_in(uint32_t n) { return draw(n) == 0; }

void sampler_create(void) {
  for (int32_t i = 0; i < pto_target_count() && i < k_most_targets; ++i) {
    if (!pto_target_supported(i)) continue;
    for (int p = 0; p < 3; ++p) {
      g.ctx[p][g.targets] = pto_context_create_for((pto_profile)p, pto_target_name(i));
      assert_non_null(g.ctx[p][g.targets]);
    }
    ++g.targets;
  }
  assert_true(g.targets > 0);
  g.block = malloc(4 * (size_t)k_arena + 64);
  assert_non_null(g.block);
  g.arena = g.block + (64 - (uintptr_t)g.block % 64);
  g.initial = g.arena + k_arena;
  g.expected = g.initial + k_arena;
  g.seen = g.expected + k_arena;
}

void sampler_release(void) {
  for (int p = 0; p < 3; ++p) {
    for (int t = 0; t < g.targets; ++t) pto_context_release(g.ctx[p][t]);
  }
  free(g.block);
}

int64_t sampler_calls(void) { return g.calls; }

static int64_t size_of(const placed *t) { return pto_dtype_bytes(t->desc.dtype); }
static int is_output(const placed *t) { return t->role == PTO_ROLE_OUT || t->role == PTO_ROLE_INOUT; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t round_up(int32_t n, int32_t unit) { return (n + unit - 1) / unit * unit; }

/* Elements that stand down the one column of an unboxed column-major tile. */
static int stands_down(const placed *t) {
  return t->desc.blayout == PTO_BLAYOUT_COL_MAJOR && t->desc.slayout == PTO_SLAYOUT_NONE_BOX && t->cols == 1;
}

static uint8_t *at(const placed *t, int32_t r, int32_t c) {
  return t->at + t->map[(int64_t)(t->row + r) * t->desc.cols + t->col + c] * size_of(t);
}

/* ---- drawing ---- */

/* Where a window is read or written: its tile is valid in at least what goes there. */
static void draw_window(const call *c, placed *t, int32_t more_rows, int32_t more_cols) {
  for (int k = 0; k < t - c->tile; ++k) {
    t->valid_rows = most(t->valid_rows, c->tile[k].valid_rows);
    t->valid_cols = most(t->valid_cols, c->tile[k].valid_cols);
  }
  t->valid_rows += more_rows;
  t->valid_cols += 2 * more_cols;
}

/* Whether sums become elements of another type, or pass the fixpipe in any case. */
static int converts_sums(const call *c) {
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    const char *mode = pto_op_operand_mode(c->op, i);
    if (mode != NULL && strcmp(mode, "relu") == 0) return 1;
  }
  const char *name = c->entry->name;
  const int moves = strcmp(name, "tmov") == 0 || strcmp(name, "textract") == 0 || strcmp(name, "tinsert") == 0;
  return moves && c->tile[0].desc.dtype != c->first;
}

/* How many valid rows and columns a tile has, and whether it stands down a column, by its extent. */
static void draw_region(const call *c, placed *t, int *down) {
  const int32_t more_rows = (int32_t)draw(3);
  const int32_t more_cols = (int32_t)draw(4);
  const int free = !c->hardware;
  *down = one_in(3) && !(c->hardware && (c->entry->product != NULL || converts_sums(c)));
  t->valid_rows = c->rows;
  t->valid_cols = c->cols;
  switch (t->extent) {
    case PTO_EXTENT_SAME:
      *down = 0;
      /* Under CPU a source may be valid in more. */
      if (free && !is_output(t) && t->operand != pto_op_lead(c->op) && one_in(3)) {
        t->valid_rows += more_rows;
        t->valid_cols += more_cols;
      }
      break;
    case PTO_EXTENT_ROW:
      if (t > c->tile && t[-1].extent == PTO_EXTENT_WINDOW) {
        /* Words of the columns that a window is read from. */
        t->valid_rows = *down ? most(1, t[-1].valid_cols) : 1 + more_rows;
        t->valid_cols = *down ? 1 : most(1, t[-1].valid_cols + more_cols);
        break;
      }
      t->valid_rows = *down ? most(1, c->cols + more_cols) : 1 + more_rows;
      t->valid_cols = *down ? 1 : most(1, c->cols + more_cols);
      break;
    case PTO_EXTENT_COLUMN:
      t->valid_rows += more_rows;
      t->valid_cols = *down ? 1 : 1 + more_cols;
      break;
    case PTO_EXTENT_BITS: {
      const int32_t unit = (int32_t)size_of(t);
      *down = 0;
      t->valid_rows += more_rows;
      t->valid_cols = ((c->cols + 7) / 8 + unit - 1) / unit + more_cols % 2;
      break;
    }
    case PTO_EXTENT_ROW_RESULTS:
      t->valid_cols = *down ? 1 : 1 + more_cols;
      break;
    case PTO_EXTENT_COL_RESULTS:
      *down = 0;
      t->valid_rows = 1 + more_rows;
      break;
    case PTO_EXTENT_FIRST:
      *down = 0;
      t->valid_rows = 1 + more_rows;
      t->valid_cols = 1 + more_cols;
      break;
    case PTO_EXTENT_TRANSPOSED:
      *down = 0;
      t->valid_rows = c->cols;
      t->valid_cols = c->rows;
      break;
    case PTO_EXTENT_WINDOW:
      *down = 0;
      draw_window(c, t, more_rows, more_cols);
      break;
    case PTO_EXTENT_JOINED: {
      const int first = t[-1].extent != PTO_EXTENT_JOINED;
      *down = 0;
      t->valid_cols = first ? (int32_t)draw((uint32_t)c->cols + 1) : c->cols - t[-1].valid_cols;
      break;
    }
    case PTO_EXTENT_ROWS:
      *down = 0;
      t->valid_rows += more_rows;
      t->valid_cols = (int32_t)draw((uint32_t)c->cols + 4);
      break;
    case PTO_EXTENT_DOUBLE:
      *down = 0;
      t->valid_cols = 2 * c->cols;
      break;
    case PTO_EXTENT_OWN:
      *down = 0;
      t->valid_rows = (int32_t)draw(20);
      t->valid_cols = (int32_t)draw(40);
      break;
    case PTO_EXTENT_LEFT:
      *down = 0;
      t->valid_rows += free ? more_rows : 0;
      t->valid_cols = c->depth;
      break;
    case PTO_EXTENT_RIGHT:
      *down = 0;
      t->valid_rows = c->depth;
      t->valid_cols += free ? more_cols : 0;
      break;
    default: /* REPEAT, PART, WHOLE and AROUND: make_tiles() */
      *down = 0;
  }
}

/* A matrix, an accumulator or a bias as hardware wants it. */
static void place_matrix(const call *c, placed *t) {
  const int left_by_rows = c->profile == PTO_PROFILE_A2A3;
  const test_layout k_left = {"", left_by_rows ? PTO_BLAYOUT_ROW_MAJOR : PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR,
                              512, PTO_COMPACT_NULL};
  const test_layout k_right = {"", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_COL_MAJOR, 512, PTO_COMPACT_NULL};
  const test_layout k_acc = {"", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 1024, PTO_COMPACT_NULL};
  const test_layout *layout = &k_acc;
  pto_location location = PTO_LOCATION_ACC;
  if (t->extent == PTO_EXTENT_LEFT) layout = &k_left, location = PTO_LOCATION_LEFT;
  if (t->extent == PTO_EXTENT_RIGHT) layout = &k_right, location = PTO_LOCATION_RIGHT;
  if (t->extent == PTO_EXTENT_ROW) layout = &k_layouts[k_layout_nd], location = PTO_LOCATION_BIAS;
  if (t->extent == PTO_EXTENT_ROW) t->valid_rows = 1;
  t->rows = t->extent == PTO_EXTENT_ROW ? 1 : round_up(t->valid_rows + (int32_t)draw(4), k_box);
  t->cols = round_up(t->valid_cols + (int32_t)draw(4), k_box);
  t->view = t->row = t->col = 0;
  t->desc = layout_desc(layout, t->desc.dtype, t->rows, t->cols);
  t->desc.location = location;
  t->desc.valid_rows = t->valid_rows;
  t->desc.valid_cols = t->valid_cols;
}

/* Sums, their words or what becomes of them as hardware wants them. */
static void place_sums(placed *t) {
  const test_layout k_acc = {"", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 1024, PTO_COMPACT_NULL};
  const test_layout k_mat = {"", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 512, PTO_COMPACT_NULL};
  const int words = t->extent == PTO_EXTENT_ROW;
  if (words) t->valid_rows = 1;
  t->rows = words ? 1 : round_up(most(1, t->valid_rows), k_box);
  t->cols = round_up(most(1, t->valid_cols), k_box);
  t->view = t->row = t->col = 0;
  t->desc = layout_desc(words          ? &k_layouts[k_layout_nd]
                        : is_output(t) ? &k_mat
                                       : &k_acc,
                        t->desc.dtype, t->rows, t->cols);
  t->desc.location = words ? PTO_LOCATION_SCALING : is_output(t) ? PTO_LOCATION_MAT : PTO_LOCATION_ACC;
  t->desc.valid_rows = t->valid_rows;
  t->desc.valid_cols = t->valid_cols;
}

/* Instructions that write all of a tile are tried with compact ones in tests/tensor: not all rows of these are stored.
 */
static uint32_t layout_count(const call *c) {
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    const pto_extent extent = pto_op_operand_extent(c->op, i);
    if (extent == PTO_EXTENT_WHOLE || extent == PTO_EXTENT_AROUND) return k_layout_plain;
  }
  return k_layout_count;
}

/* Rows and columns that hold the valid region, a layout, and now and then a view into a larger tile. */
static void draw_layout(const call *c, placed *t, int down) {
  int layout = k_layout_nd;
  if (!c->hardware && !one_in(3)) layout = (int)draw(one_in(4) ? layout_count(c) : (uint32_t)k_layout_usual);
  if (down) layout = k_layout_dn;
  const int32_t unit = 32 / (int32_t)size_of(t);
  if (c->hardware) *(down ? &t->rows : &t->cols) = round_up(down ? t->rows : t->cols, unit);
  int32_t rows = t->rows;
  int32_t cols = t->cols;
  t->view = !c->hardware && !down && one_in(3);
  t->row = t->col = 0;
  if (t->view) {
    const int boxed = layout > k_layout_dn;
    t->row = (int32_t)draw(boxed ? 2 : 4) * (boxed ? k_box : 1);
    t->col = (int32_t)draw(boxed ? 2 : 4) * (boxed ? k_box : 1);
    rows += t->row + (boxed ? 0 : (int32_t)draw(4));
    cols += t->col + (boxed ? 0 : (int32_t)draw(4));
  }
  t->desc = layout_desc(&k_layouts[layout], t->desc.dtype, rows, cols);
  if (!t->view) {
    t->desc.valid_rows = t->valid_rows;
    t->desc.valid_cols = t->valid_cols;
  }
}

static void draw_geometry(const call *c, placed *t, int down) {
  if (c->hardware && c->entry->product != NULL) {
    place_matrix(c, t);
    return;
  }
  if (c->hardware && converts_sums(c)) {
    place_sums(t);
    return;
  }
  const int slack = !one_in(3);
  t->rows = most(1, t->valid_rows) + (slack ? (int32_t)draw(4) : 0);
  t->cols = down ? 1 : most(1, t->valid_cols) + (slack ? (int32_t)draw(6) : 0);
  draw_layout(c, t, down);
}

/* All of a tile is meant: it is as large as that of the lead operand, or larger, and has a pad value. */
static void draw_whole(const call *c, placed *t) {
  const placed *lead = t;
  while (lead->operand != pto_op_lead(c->op)) ++lead;
  const int around = t->extent == PTO_EXTENT_AROUND;
  t->rows = lead->rows + (around ? (int32_t)draw(4) : 0);
  t->cols = lead->cols + (around ? (int32_t)draw(6) : 0);
  t->valid_rows = (int32_t)draw((uint32_t)t->rows + 1);
  t->valid_cols = (int32_t)draw((uint32_t)t->cols + 1);
  draw_layout(c, t, 0);
  t->desc.pad = (pto_pad)draw(4);
}

/* Where windows begin. */
static void draw_indices(call *c) {
  const placed *large = NULL;
  for (int k = 0; k < c->count; ++k) {
    if (c->tile[k].extent == PTO_EXTENT_WINDOW) large = &c->tile[k];
  }
  if (large == NULL) return;
  int next = 0;
  for (int k = 0; k < c->count; ++k) {
    const placed *t = &c->tile[k];
    if (t == large || is_output(t) == is_output(large) || t->extent == PTO_EXTENT_ROW) continue;
    c->numbers[next++] = (int32_t)draw((uint32_t)(large->valid_rows - t->valid_rows) + 1);
    c->numbers[next++] = (int32_t)draw((uint32_t)(large->valid_cols - t->valid_cols) + 1);
  }
}

/* Two sources of which one has the region of dst. */
static void draw_pair(const call *c, placed *a, placed *b) {
  placed *full = one_in(2) ? a : b;
  placed *other = full == a ? b : a;
  if (c->whole) {
    /* Both have the region of dst. */
  } else if (full->extent == PTO_EXTENT_PART) {
    other->valid_rows = (int32_t)draw((uint32_t)c->rows + 1);
    other->valid_cols = (int32_t)draw((uint32_t)c->cols + 1);
    if (one_in(4)) {
      other->valid_rows = c->rows;
      other->valid_cols = c->cols;
    }
  } else if (c->hardware) {
    other->valid_cols = one_in(2) ? 1 : 32 / (int32_t)size_of(other);
  } else if (!one_in(4)) {
    other->valid_rows += (int32_t)draw(3);
    other->valid_cols = 1 + (int32_t)draw((uint32_t)most(1, c->cols + 2));
  }
  draw_geometry(c, full, 0);
  /* Under A2A3 and A5 one column stands down a column. */
  draw_geometry(c, other, c->hardware && other->extent == PTO_EXTENT_REPEAT && other->valid_cols == 1);
}

/* Memory that a source shares with an earlier tile: the same elements, the same first byte, or any other. */
static void draw_alias(call *c, int i) {
  placed *t = &c->tile[i];
  t->base = i;
  t->shift = 0;
  if (is_output(t) || t->role == PTO_ROLE_TMP || !c->aliased || one_in(3)) return;
  /* What hardware converts is in another memory; here it is only said to be. */
  const int elsewhere = c->hardware && converts_sums(c);
  const int base = (int)draw((uint32_t)i);
  const placed *b = &c->tile[base];
  t->base = base;
  const int kind = (int)draw(4);
  const int beside = b->extent == PTO_EXTENT_SAME || b->extent == PTO_EXTENT_WHOLE;
  if (kind < 2 && !elsewhere && b->desc.dtype == t->desc.dtype && t->extent == PTO_EXTENT_SAME && beside &&
      t->valid_rows <= b->rows && t->valid_cols <= b->cols) {
    placed same = *b;
    same.operand = t->operand;
    same.role = t->role;
    same.extent = t->extent;
    same.base = base;
    same.shift = 0;
    same.valid_rows = t->valid_rows;
    same.valid_cols = t->valid_cols;
    if (!same.view) {
      same.desc.valid_rows = t->valid_rows;
      same.desc.valid_cols = t->valid_cols;
    }
    *t = same;
  } else if (kind > 1) {
    const int64_t unit = most(8, (int32_t)size_of(t)) / (one_in(2) ? 1 : 8 / size_of(t));
    /* Of smaller elements than those of the base the shift stays a multiple of both. */
    const int64_t step = unit < size_of(b) ? size_of(b) : unit;
    const int64_t span = (b->bytes + t->bytes) / step + 1;
    t->shift = ((int64_t)draw((uint32_t)span) - t->bytes / step) * step;
  }
}

/* Where each tile begins. */
static void place(call *c) {
  int64_t offset[k_tiles] = {0}, low[k_tiles] = {0}, high[k_tiles] = {0};
  int root[k_tiles] = {0};
  for (int i = 0; i < c->count; ++i) {
    placed *t = &c->tile[i];
    root[i] = t->base == i ? i : root[t->base];
    offset[i] = t->base == i ? 0 : offset[t->base] + t->shift;
    offset[i] = (offset[i] + size_of(t) - 1) / size_of(t) * size_of(t); /* of elements of another size */
    low[i] = high[i] = 0;
    if (offset[i] < low[root[i]]) low[root[i]] = offset[i];
    if (offset[i] + t->bytes > high[root[i]]) high[root[i]] = offset[i] + t->bytes;
  }
  int64_t cursor = 64;
  for (int i = 0; i < c->count; ++i) {
    if (root[i] == i) {
      /* Aligned to the element, to more by chance. */
      cursor = (cursor + 63) / 64 * 64 + (int64_t)draw(5) * (one_in(2) ? size_of(&c->tile[i]) : 8) / 8 * 8 - low[i];
      cursor = (cursor + 7) / 8 * 8;
      if (c->aliased == 0) cursor += (int64_t)draw(8) * size_of(&c->tile[i]);
      c->tile[i].at = g.arena + cursor;
      cursor += high[i] + 64;
    } else {
      c->tile[i].at = c->tile[root[i]].at + offset[i];
    }
  }
  c->bytes = (cursor + 7) / 8 * 8;
  assert_true(c->bytes <= k_arena);
}

/* The type of an operand with types of its own: they take turns, but for what is packed, two elements a byte, which
   tests/tensor/test_packed.c takes through the instructions. */
static pto_dtype own_dtype(const call *c, int32_t operand, int n) {
  const uint32_t whole = (UINT32_C(1) << PTO_DTYPE_E2M1) - 1;
  const uint32_t set = pto_op_operand_dtypes(c->op, operand, c->profile, c->dtype) & whole;
  assert_true(set != 0);
  int count = 0;
  for (int d = 0; d < 32; ++d) count += (int)(set >> d & 1);
  int left = n % count;
  for (int d = 0;; ++d) {
    if ((set >> d & 1) != 0 && left-- == 0) return (pto_dtype)d;
  }
}

static void add_tile(call *c, int32_t operand, int n) {
  placed *t = &c->tile[c->count++];
  assert_true(c->count <= k_tiles);
  memset(t, 0, offsetof(placed, map));
  t->operand = operand;
  t->role = pto_op_operand_role(c->op, operand);
  t->extent = pto_op_operand_extent(c->op, operand);
  t->desc.dtype = t->role == PTO_ROLE_TMP ? c->dtype : own_dtype(c, operand, n);
  const int known = c->src != 0 && t->role == PTO_ROLE_IN;
  if (known && (pto_op_operand_dtypes(c->op, operand, c->profile, c->dtype) >> (c->src - 1) & 1) != 0) {
    t->desc.dtype = (pto_dtype)(c->src - 1);
  }
  /* These two mix. */
  const int pair = t->desc.dtype == PTO_DTYPE_E4M3 || t->desc.dtype == PTO_DTYPE_E5M2;
  if (t->extent == PTO_EXTENT_RIGHT && pair && c->src == 0 && one_in(2)) {
    t->desc.dtype = (pto_dtype)(PTO_DTYPE_E4M3 + PTO_DTYPE_E5M2 - t->desc.dtype);
  }
  if (t->role == PTO_ROLE_IN && (c->count == 1 || t[-1].role != PTO_ROLE_IN)) c->first = t->desc.dtype;
}

/* tmp as A2A3 asks for it; the others take any. */
static void shape_tmp(const call *c, placed *t) {
  const placed *dst = &c->tile[0];
  if (c->entry->tmp == TMP_MASK) t->desc.dtype = PTO_DTYPE_U8;
  t->valid_rows = dst->valid_rows + (c->entry->tmp == TMP_MASK ? 1 : 0);
  if (c->entry->tmp == TMP_ROW) t->valid_rows = 1 + (int32_t)draw(2);
  t->valid_cols = dst->valid_cols;
  t->rows = most(1, t->valid_rows);
  t->cols = round_up(most(1, t->valid_cols), 32);
  t->desc = layout_desc(&k_layouts[k_layout_nd], t->desc.dtype, t->rows, t->cols);
  t->desc.valid_rows = t->valid_rows;
  t->desc.valid_cols = t->valid_cols;
}

static void make_tiles(call *c, int n) {
  c->count = 0;
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    const int32_t role = pto_op_operand_role(c->op, i);
    if (role == PTO_ROLE_OUT || role == PTO_ROLE_IN || role == PTO_ROLE_INOUT) add_tile(c, i, n);
    if (role == PTO_ROLE_TMP && (c->profile == PTO_PROFILE_A2A3 || one_in(2))) add_tile(c, i, 0);
  }
  int pair = -1; /* the first of two sources that go together */
  for (int i = 0; i < c->count; ++i) {
    placed *t = &c->tile[i];
    if (t->role == PTO_ROLE_TMP) {
      shape_tmp(c, t);
      continue;
    }
    int down = 0;
    draw_region(c, t, &down);
    if (t->extent == PTO_EXTENT_WHOLE || t->extent == PTO_EXTENT_AROUND) {
      continue;
    } else if (t->extent != PTO_EXTENT_REPEAT && t->extent != PTO_EXTENT_PART) {
      draw_geometry(c, t, down);
    } else if (pair < 0) {
      pair = i;
    } else if (i == pair + 1) {
      draw_pair(c, &c->tile[pair], t);
    } else { /* indices have the region of their values */
      t->valid_rows = c->tile[i - 2].valid_rows;
      t->valid_cols = c->tile[i - 2].valid_cols;
      draw_geometry(c, t, 0);
    }
  }
  for (int i = 0; i < c->count; ++i) {
    placed *t = &c->tile[i];
    if (t->extent == PTO_EXTENT_WHOLE || t->extent == PTO_EXTENT_AROUND) draw_whole(c, t);
  }
  draw_indices(c);
  for (int i = 0; i < c->count; ++i) {
    placed *t = &c->tile[i];
    assert_true((int64_t)t->desc.rows * t->desc.cols <= k_elements);
    t->bytes = layout_map(&t->desc, t->map) * size_of(t);
    draw_alias(c, i);
  }
  place(c);
}

/* Values of the pool, and between them others: ordinary floats of all significands, any bits. */
static void fill(const call *c) {
  /* Of the type that is read most. */
  pto_dtype dtype = c->dtype;
  if (c->entry->place != NULL && c->entry->element != NULL) dtype = c->first;
  for (int k = 0; k < c->count; ++k) {
    const int32_t extent = c->tile[k].extent;
    const int most_read = extent == PTO_EXTENT_LEFT || (extent == PTO_EXTENT_SAME && c->entry->product == NULL);
    if (c->tile[k].role == PTO_ROLE_IN && most_read) dtype = c->tile[k].desc.dtype;
  }
  const int64_t size = pto_dtype_bytes(dtype);
  const ref_format *f = ref_format_of(dtype);
  const uint32_t kind = draw(3);
  values_fill(dtype, g.initial, c->bytes / size, g.seed);
  for (int64_t i = 0; kind != 0 && i < c->bytes / size; ++i) {
    uint64_t bits = values_random(&g.seed);
    /* Of what a sum takes in one NaN decides. */
    const uint64_t rare = c->entry->product == NULL ? (kind == 1 ? 2 : 12) : kind == 1 ? 60 : 10000;
    if ((bits >> 48) % rare == 0) continue;
    if (dtype >= PTO_DTYPE_E4M3 && c->entry->product != NULL) bits &= 0xbf; /* no infinity */
    if (f != NULL) {
      const uint64_t exponent = (uint64_t)(f->bias - 3) + (bits >> 50) % 7;
      bits = (bits & ((UINT64_C(1) << f->fraction) - 1)) | exponent << f->fraction | (bits >> 40 & 1) << (f->width - 1);
    }
    values_set(dtype, g.initial + i * size, bits);
  }
}

/* The type of the scalar: the one that it has beside the lead operand, of several that of the first input. */
static pto_dtype scalar_dtype(const call *c) {
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    if (pto_op_operand_role(c->op, i) != PTO_ROLE_SCALAR) continue;
    const uint32_t set = pto_op_operand_dtypes(c->op, i, c->profile, c->dtype);
    return (set & (set - 1)) != 0 ? c->first : own_dtype(c, i, 0);
  }
  return c->dtype;
}

/* A scalar, by one of its kinds. */
static void draw_scalar(call *c) {
  const pto_dtype dtype = scalar_dtype(c);
  uint64_t pool[k_pool];
  values_pool(dtype, pool);
  c->scalar = one_in(3) ? values_random(&g.seed) & ref_mask(dtype) : pool[draw(k_pool)];
  c->passed = pto_bits(c->scalar);
  if (one_in(2) || ref_is_nan(dtype, c->scalar)) return;
  if (ref_format_of(dtype) == NULL) {
    const int64_t value = ref_int_value(dtype, c->scalar);
    c->passed = dtype == PTO_DTYPE_U64 ? pto_uint(c->scalar) : pto_int(value);
  } else {
    const uint32_t bits = (uint32_t)ref_convert(PTO_DTYPE_F32, dtype, c->scalar);
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    c->passed = pto_float((double)value);
  }
}

/* ---- what must come out ---- */

static uint64_t held(const placed *t, int32_t r, int32_t c) {
  return values_get(t->desc.dtype, g.initial + (at(t, r, c) - g.arena));
}
static void want(const placed *t, int32_t r, int32_t c, uint64_t bits) {
  values_set(t->desc.dtype, g.expected + (at(t, r, c) - g.arena), bits);
}

/* Byte b of a row of bits. */
static uint8_t *bit_byte(const placed *t, int32_t r, int32_t b) {
  const int32_t size = (int32_t)size_of(t);
  return at(t, r, b / size) + b % size;
}

/* The element of an operand that goes with (i, j); 0 when a partial source has none. */
static int source_of(const placed *t, int32_t i, int32_t j, uint64_t *bits) {
  *bits = 0;
  switch (t->extent) {
    case PTO_EXTENT_ROW:
      *bits = stands_down(t) ? held(t, j, 0) : held(t, 0, j);
      return 1;
    case PTO_EXTENT_COLUMN:
      *bits = held(t, i, 0);
      return 1;
    case PTO_EXTENT_REPEAT:
      *bits = held(t, i, j % t->valid_cols);
      return 1;
    case PTO_EXTENT_BITS:
      *bits = g.initial[bit_byte(t, i, j / 8) - g.arena] >> (j % 8) & 1;
      return 1;
    case PTO_EXTENT_FIRST:
      *bits = held(t, 0, 0);
      return 1;
    case PTO_EXTENT_PART:
      if (i >= t->valid_rows || j >= t->valid_cols) return 0;
      break;
    default:
      break;
  }
  *bits = held(t, i, j);
  return 1;
}

/* Gathers the operands of an element; answers the source that stands alone where another is absent, or -1. */
static int gather(const call *c, int32_t i, int32_t j, op_element *e) {
  int alone = -1;
  int absent = 0;
  int n = 0;
  memset(e, 0, sizeof *e);
  e->dtype = c->dtype;
  e->scalar = c->scalar;
  memcpy(e->numbers, c->numbers, sizeof e->numbers);
  e->row = i;
  e->cols = c->cols;
  e->col = j;
  e->to = c->tile[0].desc.dtype;
  for (int k = 0; k < c->count; ++k) {
    const placed *t = &c->tile[k];
    if (t->role == PTO_ROLE_INOUT) e->dst = held(t, i, j);
    if (t->role != PTO_ROLE_IN) continue;
    if (n == 0) e->src_dtype = t->desc.dtype;
    if (!source_of(t, i, j, &e->src[n])) {
      absent = 1;
    } else if (alone < 0) {
      alone = n;
    }
    ++n;
  }
  return absent ? alone : -1;
}

/* pow is slow: results of the element before and of the same operands are kept. */
static uint64_t computed(const call *c, const op_element *e) {
  static struct {
    const op_entry *entry;
    op_element e;
    uint64_t result;
  } memo[1 << 13];
  if (c->entry->near == NULL) return c->entry->element(e);
  uint64_t hash = e->src[0] * 31 + e->src[1] * 7 + e->scalar * 3 + (uint64_t)e->dtype;
  const size_t slot = values_random(&hash) % (sizeof memo / sizeof *memo);
  if (memo[slot].entry != c->entry || memcmp(&memo[slot].e, e, sizeof *e) != 0) {
    memo[slot].entry = c->entry;
    memo[slot].e = *e;
    memo[slot].result = c->entry->element(e);
  }
  return memo[slot].result;
}

static void expect_elements(const call *c) {
  const placed *dst = &c->tile[0];
  const int32_t rows = c->entry->rows != 0 && c->entry->rows < c->rows ? c->entry->rows : c->rows;
  for (int32_t i = 0; i < rows; ++i) {
    for (int32_t j = 0; j < c->cols; ++j) {
      op_element e;
      const int alone = gather(c, i, j, &e);
      const uint64_t bits = alone >= 0 ? e.src[alone] : computed(c, &e);
      if (dst->extent != PTO_EXTENT_BITS) {
        want(dst, i, j, bits);
        if (c->entry->second == NULL) continue;
        want(&c->tile[1], i, j, alone >= 0 ? e.src[alone + 2] : c->entry->second(&e));
      } else {
        uint8_t *byte = g.expected + (bit_byte(dst, i, j / 8) - g.arena);
        if (j % 8 == 0) *byte = 0; /* bits behind the last column too */
        *byte = (uint8_t)(*byte | bits << (j % 8));
      }
    }
  }
}

static void expect_lines(const call *c) {
  const placed *dst = &c->tile[0];
  const int by_row = dst->extent != PTO_EXTENT_COL_RESULTS;
  const placed *src = dst;
  for (int k = 0; k < c->count; ++k) {
    if (c->tile[k].role == PTO_ROLE_IN) src = &c->tile[k];
  }
  static uint64_t in[k_elements], out[k_elements];
  const op_line line = {c->dtype, in, by_row ? c->cols : c->rows, by_row, c->numbers[0]};
  for (int32_t i = 0; i < (by_row ? c->rows : c->cols) && line.count > 0; ++i) {
    for (int32_t k = 0; k < line.count; ++k) in[k] = by_row ? held(src, i, k) : held(src, k, i);
    c->entry->line(&line, out);
    if (dst->extent == PTO_EXTENT_SAME) {
      for (int32_t k = 0; k < line.count; ++k) want(dst, i, k, out[k]);
      continue;
    }
    for (int k = 0; is_output(&c->tile[k]); ++k) want(&c->tile[k], by_row ? i : 0, by_row ? 0 : i, out[k]);
  }
}

/* The pad value of a tile: infinities, or the limits of integers. */
static uint64_t padding(const placed *t) {
  const pto_dtype dtype = t->desc.dtype;
  const int max = t->desc.pad == PTO_PAD_MAX;
  if (!max && t->desc.pad != PTO_PAD_MIN) return 0;
  if (dtype > PTO_DTYPE_F32) return 0; /* floats of a byte have none */
  if (values_is_float(dtype)) return values_of_float(dtype, max ? INFINITY : -INFINITY);
  const int is_signed = dtype % 2 == 0;
  const uint64_t top = UINT64_C(1) << (8 * size_of(t) - 1);
  if (is_signed) return max ? top - 1 : top;
  return max ? ref_mask(dtype) : 0;
}

static const placed *g_inputs[k_tiles];
static uint64_t input_held(int input, int32_t row, int32_t col) { return held(g_inputs[input], row, col); }
static int32_t input_bytes(int input) { return (int32_t)size_of(g_inputs[input]); }

/* What becomes of element (row, col) of the first input, beside which a row stands. */
static uint64_t transformed(const call *c, int32_t row, int32_t col) {
  op_element e;
  memset(&e, 0, sizeof e);
  e.dtype = c->dtype;
  e.to = c->tile[0].desc.dtype;
  e.src_dtype = g_inputs[0]->desc.dtype;
  e.scalar = c->scalar;
  memcpy(e.numbers, c->numbers, sizeof e.numbers);
  e.src[0] = input_held(0, row, col);
  if (g_inputs[1] != NULL) source_of(g_inputs[1], row, col, &e.src[1]);
  return c->entry->element(&e);
}

static void expect_places(const call *c) {
  op_region regions[2][k_tiles];
  uint64_t value = 0;
  int counts[2] = {0, 0};
  g_inputs[1] = NULL;
  for (int k = 0; k < c->count; ++k) {
    const placed *t = &c->tile[k];
    if (t->role == PTO_ROLE_TMP) continue;
    if (t->role == PTO_ROLE_IN) g_inputs[counts[1]] = t;
    const op_region region = {t->valid_rows, t->valid_cols};
    regions[t->role == PTO_ROLE_IN][counts[t->role == PTO_ROLE_IN]++] = region;
  }
  op_move m = {0, 0, 0, regions[0], regions[1], c->numbers, input_held, input_bytes, &value};
  for (m.output = 0; m.output < counts[0]; ++m.output) {
    const placed *t = &c->tile[m.output];
    for (m.row = 0; m.row < t->rows; ++m.row) {
      for (m.col = 0; m.col < t->cols; ++m.col) {
        int32_t row = 0;
        int32_t col = 0;
        const int from = c->entry->place(&m, &row, &col);
        if (from == OP_PADDED) want(t, m.row, m.col, padding(t));
        if (from == OP_VALUE) want(t, m.row, m.col, value);
        if (from < 0) continue;
        want(t, m.row, m.col, c->entry->element != NULL ? transformed(c, row, col) : held(g_inputs[from], row, col));
      }
    }
  }
}

static void expect_products(const call *c) {
  static uint64_t left[k_most_depth], right[k_most_depth];
  for (int32_t i = 0; i < c->rows; ++i) {
    for (int32_t j = 0; j < c->cols; ++j) {
      op_product p = {c->dtype, c->dtype, 0, 0, left, right, c->depth, c->numbers[0]};
      for (int k = 0; k < c->count; ++k) {
        const placed *t = &c->tile[k];
        if (t->role != PTO_ROLE_IN) continue;
        if (t->extent == PTO_EXTENT_LEFT) p.dtype = t->desc.dtype;
        if (t->extent == PTO_EXTENT_RIGHT) p.right_dtype = t->desc.dtype;
        for (int32_t q = 0; q < c->depth; ++q) {
          if (t->extent == PTO_EXTENT_LEFT) left[q] = held(t, i, q);
          if (t->extent == PTO_EXTENT_RIGHT) right[q] = held(t, q, j);
        }
        if (t->extent == PTO_EXTENT_LEFT || t->extent == PTO_EXTENT_RIGHT) continue;
        p.has_start = source_of(t, i, j, &p.start);
      }
      want(&c->tile[0], i, j, c->entry->product(&p));
    }
  }
}

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

/* A byte that is not what it must be: of which element, or outside of all results. */
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
  pto_tile *tile = pto_tile_wrap(ctx, &t->desc, t->at, t->bytes);
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
    const pto_status status = pto_inst_run(ctx, inst);
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

/* Odd, one column, one row, whole boxes, wide, empty. Their number has no factor with those of modes and
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
  const pto_profile profile = (pto_profile)(n % 3);
  c.hardware = n % 2;
  if (pto_op_supports(c.op, profile, dtype, c.flags)) c.profile = profile;
  if (c.profile != PTO_PROFILE_CPU) c.hardware = 1;
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
      fail_msg("%s %s of %#llx %#llx %#llx: the reference says %#llx, the table %#llx", entry->name,
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
  const op_line line = {known->dtype, in, known->count, by_row, known->mode};
  out[1] = (uint64_t)known->want[1] & mask;
  entry->line(&line, out);
  if (out[0] != ((uint64_t)known->want[0] & mask) || out[1] != ((uint64_t)known->want[1] & mask)) {
    fail_msg("%s %s: the reference says %#llx %#llx, the table %#llx", entry->name, pto_dtype_name(known->dtype),
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
        const uint64_t bits = t->extent == PTO_EXTENT_LEFT ? left[j] : t->extent == PTO_EXTENT_RIGHT ? right[r] : first;
        values_set(t->desc.dtype, g.initial + (at(t, r, j) - g.arena), bits);
      }
    }
  }
  const op_product p = {factor, factor, known->count % 2 != 0, first, left, right, c.depth, PTO_MAD_NONE};
  const uint64_t want_bits = (uint64_t)known->want[0] & ref_mask(known->dtype);
  if (entry->product(&p) != want_bits) {
    fail_msg("%s %s: the reference says %#llx, the table %#llx", entry->name, pto_dtype_name(factor),
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
