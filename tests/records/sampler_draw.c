/* sampler_draw.c: draws geometry, aliases, elements and scalars of a call, and places its tiles in one arena. */
#include <string.h>

#include "sampler_impl.h"

/* Where a window is read or written: its tile is valid in at least that region. */
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

/* Whether what converts is bias, which is f32. */
static int makes_bias(const call *c) {
  return converts_sums(c) && c->first != PTO_DTYPE_F32 && c->first != PTO_DTYPE_I32;
}

/* How many valid rows and columns a tile has, and whether it fills a column, by its extent. */
static void draw_region(const call *c, placed *t, int *down) {
  const int32_t more_rows = (int32_t)draw(3);
  const int32_t more_cols = (int32_t)draw(4);
  const int free = !c->hardware;
  /* On hardware what a whole tile is filled with has no elements to spare. */
  const int just = c->profile != PTO_PROFILE_CPU && pto_op_operand_role(c->op, 2) == PTO_ROLE_FLAGS;
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
      t->valid_rows = *down ? most(1, c->cols + (just ? 0 : more_cols)) : 1 + more_rows;
      t->valid_cols = *down ? 1 : most(1, c->cols + (just ? 0 : more_cols));
      break;
    case PTO_EXTENT_COLUMN:
      t->valid_rows += just ? 0 : more_rows;
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
    case PTO_EXTENT_LEFT_SCALES:
      *down = 0;
      t->valid_rows += free ? more_rows : 0;
      t->valid_cols = (c->depth + 31) / 32 + (free ? more_cols : 0);
      break;
    case PTO_EXTENT_RIGHT_SCALES:
      *down = 0;
      t->valid_rows = (c->depth + 31) / 32 + (free ? more_rows : 0);
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
  const test_layout k_left_scales = {"", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 32, PTO_COMPACT_NULL};
  const test_layout k_right_scales = {"", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_COL_MAJOR, 32, PTO_COMPACT_NULL};
  const test_layout *layout = &k_acc;
  pto_location location = PTO_LOCATION_ACC;
  if (t->extent == PTO_EXTENT_LEFT_SCALES) layout = &k_left_scales, location = PTO_LOCATION_SCALE_LEFT;
  if (t->extent == PTO_EXTENT_RIGHT_SCALES) layout = &k_right_scales, location = PTO_LOCATION_SCALE_RIGHT;
  if (t->extent == PTO_EXTENT_LEFT) layout = &k_left, location = PTO_LOCATION_LEFT;
  if (t->extent == PTO_EXTENT_RIGHT) layout = &k_right, location = PTO_LOCATION_RIGHT;
  if (t->extent == PTO_EXTENT_ROW) layout = &k_layouts[k_layout_nd], location = PTO_LOCATION_BIAS;
  if (t->extent == PTO_EXTENT_ROW) t->valid_rows = 1;
  t->rows = t->extent == PTO_EXTENT_ROW ? 1 : round_up(t->valid_rows + (int32_t)draw(4), k_box);
  t->cols = round_up(t->valid_cols + (int32_t)draw(4), k_box);
  /* Scales are in pairs. */
  if (t->extent == PTO_EXTENT_LEFT) t->cols = round_up(t->cols, 2 * k_box);
  if (t->extent == PTO_EXTENT_RIGHT) t->rows = round_up(t->rows, 2 * k_box);
  if (t->extent == PTO_EXTENT_LEFT_SCALES) t->cols = round_up(t->valid_cols, 2);
  if (t->extent == PTO_EXTENT_RIGHT_SCALES) t->rows = round_up(t->valid_rows, 2);
  t->view = t->row = t->col = 0;
  t->desc = layout_desc(layout, t->desc.dtype, t->rows, t->cols);
  t->desc.location = location;
  t->desc.valid_rows = t->valid_rows;
  t->desc.valid_cols = t->valid_cols;
}

/* A row that becomes bias, as hardware wants it. */
static void place_bias(placed *t) {
  t->rows = t->valid_rows = 1;
  t->cols = round_up(most(1, t->valid_cols), k_box);
  t->view = t->row = t->col = 0;
  t->desc = layout_desc(&k_layouts[k_layout_nd], t->desc.dtype, t->rows, t->cols);
  t->desc.location = is_output(t) ? PTO_LOCATION_BIAS : PTO_LOCATION_MAT;
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
    const pto_extent extent = (pto_extent)pto_op_operand_extent(c->op, i);
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
    makes_bias(c) ? place_bias(t) : place_sums(t);
    return;
  }
  const int slack = !one_in(3);
  t->rows = most(1, t->valid_rows) + (slack ? (int32_t)draw(4) : 0);
  t->cols = down ? 1 : most(1, t->valid_cols) + (slack ? (int32_t)draw(6) : 0);
  draw_layout(c, t, down);
}

/* All of a tile is meant: it is as large as the lead operand, or larger, and has a pad value. */
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

/* A2A3 moves windows between tiles in vec by blocks of 32 bytes of a line, or by boxes: rule window-place. */
static void place_window(const call *c, const placed *large, const placed *part, int32_t *at) {
  const pto_tile_desc *d = &large->desc;
  if (c->profile != PTO_PROFILE_A2A3) return;
  if (d->location != PTO_LOCATION_VEC || part->desc.location != PTO_LOCATION_VEC) return;
  const int32_t block = 32 / (int32_t)size_of(large);
  int32_t rows = d->blayout == PTO_BLAYOUT_ROW_MAJOR ? 1 : block;
  int32_t cols = d->blayout == PTO_BLAYOUT_ROW_MAJOR ? block : 1;
  if (d->slayout != PTO_SLAYOUT_NONE_BOX) {
    const int32_t length = d->fractal == 1024 ? 16 : d->fractal == 32 ? 2 : block;
    rows = d->slayout == PTO_SLAYOUT_ROW_MAJOR ? 16 : length;
    cols = d->slayout == PTO_SLAYOUT_ROW_MAJOR ? length : 16;
  }
  at[0] -= at[0] % rows;
  at[1] -= at[1] % cols;
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
    place_window(c, large, t, &c->numbers[next - 2]);
  }
}

/* Two sources; one has the region of dst. */
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
  /* Under A2A3 and A5 one column fills a column. */
  draw_geometry(c, other, c->hardware && other->extent == PTO_EXTENT_REPEAT && other->valid_cols == 1);
}

/* Memory that a source shares with an earlier tile: the same elements, the same first byte, or any other. */
static void draw_alias(call *c, int i) {
  placed *t = &c->tile[i];
  t->base = i;
  t->shift = 0;
  if (is_output(t) || t->role == PTO_ROLE_TMP || !c->aliased || one_in(3)) return;
  /* Sources of conversions are in another memory on hardware; here only by their location. */
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
      /* Where a compact tile has its elements depends on them. */
      same.bytes = layout_map(&same.desc, same.map) * size_of(&same);
    }
    *t = same;
  } else if (kind > 1) {
    const int64_t unit = most(8, (int32_t)size_of(t)) / (one_in(2) ? 1 : 8 / size_of(t));
    /* If elements are smaller than the base's, the shift stays a multiple of both. */
    const int64_t step = unit < size_of(b) ? size_of(b) : unit;
    const int64_t span = (b->bytes + t->bytes) / step + 1;
    t->shift = ((int64_t)draw((uint32_t)span) - t->bytes / step) * step;
  }
}

/* Where each tile begins. */
void place(call *c) {
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
  c->guards.count = 0;
  const int guarded = c->aliased == 0 && one_in(4);
  for (int i = 0; i < c->count; ++i) {
    if (guarded) {
      c->tile[i].at = g.arena + guards_place(&c->guards, g.arena, &cursor, c->tile[i].bytes, one_in(2));
    } else if (root[i] == i) {
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
  if (guarded) guards_place(&c->guards, g.arena, &cursor, 0, 0);
  c->bytes = (cursor + 7) / 8 * 8;
  assert_true(c->bytes <= k_arena);
}

/* The type of an operand with types of its own: they take turns from the lead operand's on. Packed types, two
   elements a byte, are left to tests/tensor/test_packed.c. */
static pto_dtype own_dtype(const call *c, int32_t operand, int n) {
  const uint32_t whole = (UINT32_C(1) << PTO_DTYPE_E2M1) - 1;
  const uint32_t set = pto_op_operand_dtypes(c->op, operand, c->profile, c->dtype) & whole;
  assert_true(set != 0);
  int count = 0;
  for (int d = 0; d < 32; ++d) count += (int)(set >> d & 1);
  int left = (n + n / 6) % count; /* with every profile and either kind of place */
  for (int d = (int)c->dtype;; d = (d + 1) % 32) {
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

void make_tiles(call *c, int n) {
  c->count = 0;
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    const int32_t role = pto_op_operand_role(c->op, i);
    if (role == PTO_ROLE_OUT || role == PTO_ROLE_IN || role == PTO_ROLE_INOUT) add_tile(c, i, n);
    if (role == PTO_ROLE_TMP && (c->profile == PTO_PROFILE_A2A3 || one_in(2))) add_tile(c, i, 0);
  }
  if (c->hardware && makes_bias(c)) c->rows = 1;
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
void fill(const call *c) {
  /* Of the type that is read most. */
  pto_dtype dtype = c->dtype;
  if (c->entry->place != NULL && c->entry->element != NULL) dtype = c->first;
  for (int k = 0; k < c->count; ++k) {
    const int32_t extent = c->tile[k].extent;
    const int most_read = extent == PTO_EXTENT_LEFT || (extent == PTO_EXTENT_SAME && c->entry->product == NULL);
    if (c->tile[k].role == PTO_ROLE_IN && most_read) dtype = c->tile[k].desc.dtype;
  }
  const int64_t size = values_bytes(dtype);
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
  /* Block scales near 1; else products of different blocks do not meet. */
  for (int k = 0; k < c->count; ++k) {
    const placed *t = &c->tile[k];
    if (t->extent != PTO_EXTENT_LEFT_SCALES && t->extent != PTO_EXTENT_RIGHT_SCALES) continue;
    for (int32_t i = 0; kind != 0 && i < t->valid_rows * t->valid_cols; ++i) {
      if (draw(200) == 0) continue;
      values_set(t->desc.dtype, g.initial + (at(t, i / t->valid_cols, i % t->valid_cols) - g.arena), 123 + draw(9));
    }
  }
}

/* The type of the scalar: the one that it has beside the lead operand; of several, the first input's type. */
static pto_dtype scalar_dtype(const call *c) {
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) {
    if (pto_op_operand_role(c->op, i) != PTO_ROLE_SCALAR) continue;
    const uint32_t set = pto_op_operand_dtypes(c->op, i, c->profile, c->dtype);
    return (set & (set - 1)) != 0 ? c->first : own_dtype(c, i, 0);
  }
  return c->dtype;
}

/* A scalar, by one of its kinds. */
void draw_scalar(call *c) {
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
