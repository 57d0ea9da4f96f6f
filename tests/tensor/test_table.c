/* MGATHER and MSCATTER: rows and elements of a tensor by indices, of every type, layout and mode, against what the ISA
 * requires of one element at a time, under every profile that accepts them, with every operand between guard pages;
 * and combinations of many threads at once; none is lost. */
#include <pthread.h>
#include <stdio.h>

#include "between_pages.h"
#include "reference.h"
#include "testing.h"
#include "transfer_help.h"
#include "values.h"

enum { kRows = 7, kCols = 11, kThreads = 8, kRounds = 501, kAdds = 1000, kPlaces = 64, kDense = 1024, kRoom = 1 << 19 };

static uint32_t g_state = 1;
static uint32_t draw(uint32_t below) {
  g_state = g_state * 1664525u + 1013904223u;
  return (g_state >> 12) % below;
}

static uint64_t get(const void *data, int64_t index, int64_t size) {
  uint64_t bits = 0;
  memcpy(&bits, (const uint8_t *)data + index * size, (size_t)size);
  return bits;
}
static void set(void *data, int64_t index, int64_t size, uint64_t bits) {
  memcpy((uint8_t *)data + index * size, &bits, (size_t)size);
}

/* A table of two to four dimensions: with and without gaps, columns first, places shared; one of five in any order,
 * which is drawn. */
static const struct shape {
  int32_t rank;
  int64_t dim[5], stride[5];
  int strided;
  pto_layout layout;
} k_shapes[] = {
    {2, {9, 16, 0, 0}, {0}, 0, PTO_LAYOUT_ND},          {2, {9, 13, 0, 0}, {20, 1, 0, 0}, 1, PTO_LAYOUT_ND},
    {2, {5, 12, 0, 0}, {1, 6, 0, 0}, 1, PTO_LAYOUT_ND}, {4, {2, 3, 2, 12}, {80, 26, 13, 1}, 1, PTO_LAYOUT_ND},
    {2, {6, 15, 0, 0}, {0, 1, 0, 0}, 1, PTO_LAYOUT_ND}, {2, {9, 12, 0, 0}, {0}, 0, PTO_LAYOUT_DN},
    {2, {1, 600, 0, 0}, {0}, 0, PTO_LAYOUT_ND},         {5, {0}, {0}, 1, PTO_LAYOUT_ND},
};
enum { kShapes = sizeof k_shapes / sizeof *k_shapes };

static struct shape drawn_shape(void) {
  struct shape s = {5, {0}, {0}, 1, PTO_LAYOUT_ND};
  do s.layout = (pto_layout)draw(kTensorLayouts);
  while (k_orders[s.layout] == NULL);
  int64_t step = 1;
  for (int d = 4; d >= 0; --d) {
    s.dim[d] = 1 + draw(d == 4 ? 14 : 4);
    s.stride[d] = step;
    step = step * s.dim[d] + draw(2) * draw(5);
  }
  return s;
}

static pto_tensor_desc table_desc(const struct shape *s, pto_dtype dtype) {
  if (s->rank == 5) return five_desc(dtype, s->layout, s->dim, s->stride);
  pto_tensor_desc desc = matrix_desc(dtype, s->dim[0], s->dim[1]);
  desc.rank = s->rank;
  desc.dim2 = s->dim[2];
  desc.dim3 = s->dim[3];
  desc.strided = s->strided;
  desc.stride0 = s->stride[0];
  desc.stride1 = s->stride[1];
  desc.stride2 = s->stride[2];
  desc.stride3 = s->stride[3];
  desc.layout = s->layout;
  return desc;
}

/* Rows and columns of the table as a matrix. */
static int64_t rows_of(const struct shape *s) {
  if (s->rank == 5) return extent_in(s->layout, 'r', s->dim);
  return s->layout == PTO_LAYOUT_DN ? s->dim[0] : s->rank == 4 ? s->dim[0] * s->dim[1] * s->dim[2] : s->dim[0];
}
static int64_t cols_of(const struct shape *s) {
  if (s->rank == 5) return extent_in(s->layout, 'c', s->dim);
  return s->rank == 4 ? s->dim[3] : s->dim[1];
}
static int64_t place_of(const struct shape *s, int64_t row, int64_t col) {
  if (s->rank == 5) return place_in(s->layout, s->dim, s->stride, row, col);
  if (s->layout == PTO_LAYOUT_DN) return row + col * s->dim[0];
  if (!s->strided) return row * s->dim[1] + col;
  if (s->rank == 2) return row * s->stride[0] + col * s->stride[1];
  return row / s->dim[2] / s->dim[1] * s->stride[0] + row / s->dim[2] % s->dim[1] * s->stride[1] +
         row % s->dim[2] * s->stride[2] + col * s->stride[3];
}

enum outside { kRefuse, kNone, kClamp, kWrap };

/* The place of an index among `count`; -1: outside, -2: it is refused. */
static int64_t resolve(uint32_t index, int64_t count, enum outside outside) {
  if (index < count) return index;
  if (outside == kClamp) return count - 1;
  if (outside == kWrap) return index % count;
  return outside == kNone ? -1 : -2;
}

/* A call: a tile of kRows x kCols in any layout, a table, indices as numbers and as a tile of any layout. */
typedef struct call {
  const char *name;
  struct shape shape;
  pto_dtype dtype;
  int by_row, down;
  enum outside outside;
  int32_t oob;
  pto_scatter_atomic atomic;
  pto_scatter_conflict conflict;
  uint32_t index[kRows * kCols];
  int64_t table_at;
  laid_tile laid, laid_idx;
  pto_tensor *table;
  pto_tile *tile, *idx;
} call;

/* A2A3 and A5 accept row-major tiles of whole blocks, and columns. */
static void laid_out(pto_profile profile, laid_tile *t, pto_dtype dtype, int32_t rows, int32_t cols) {
  const int upright = cols == 1;
  if (profile == PTO_PROFILE_CPU) {
    lay_out(t, &k_layouts[draw(k_layout_count)], dtype, rows + (int32_t)(draw(2) * draw(3)),
            cols + (int32_t)(draw(2) * draw(4)), (laid_as)draw(3));
  } else {
    lay_out(t, &k_layouts[upright ? k_layout_dn : k_layout_nd], dtype, upright ? 32 : rows, upright ? 1 : 32,
            k_laid_whole);
  }
  lay_out_valid(t, rows, cols);
}

/* Whether the profile takes such a table: hardware has ND only, without gaps where indices name elements. */
static int takes_table(pto_profile profile, const struct shape *shape, int by_row) {
  if (profile == PTO_PROFILE_CPU) return 1;
  return shape->layout == PTO_LAYOUT_ND && (by_row || !shape->strided);
}

/* Whether a call of n puts what it gathers into mat: on hardware in boxes, and no floats of a byte. */
static int goes_to_mat(pto_profile profile, const call *c, int n) {
  return n % 3 == 1 && (profile != PTO_PROFILE_A5 || c->dtype <= PTO_DTYPE_F32);
}
static void in_mat(laid_tile *t, pto_dtype dtype) {
  lay_out(t, &k_layouts[k_layout_nz], dtype, 16, 32, k_laid_whole);
  lay_out_valid(t, kRows, kCols);
  t->desc.location = PTO_LOCATION_MAT;
}

/* Table, tile and indices between pages. */
static void place_call(between_pages *p, call *c, int used, int32_t idx_cols, int seed) {
  const int64_t bytes =
      (place_of(&c->shape, rows_of(&c->shape) - 1, cols_of(&c->shape) - 1) + 1) * pto_dtype_bytes(c->dtype);
  pages_begin(p);
  c->table_at = pages_place(p, bytes, draw(3) != 0);
  c->laid.at = pages_place(p, c->laid.bytes, draw(3) != 0);
  c->laid_idx.at = pages_place(p, c->laid_idx.bytes, draw(3) != 0);
  pages_fill(p, (uint32_t)seed);
  for (int i = 0; i < used; ++i) {
    const int64_t at = laid_place(&c->laid_idx, i / idx_cols, i % idx_cols);
    memcpy(p->before + at, &c->index[i], sizeof c->index[i]);
    memcpy(p->after + at, &c->index[i], sizeof c->index[i]);
  }
  const pto_tensor_desc desc = table_desc(&c->shape, c->dtype);
  c->table = pages_tensor(p, &desc, c->table_at, bytes);
  c->tile = pages_tile(p, &c->laid);
  c->idx = pages_tile(p, &c->laid_idx);
}

/* Whether every index is one that the call takes. */
static int make_call(between_pages *p, call *c, int mat, int n) {
  const pto_profile profile = pto_context_profile(p->ctx[0]);
  c->shape = n % kShapes == kShapes - 1 ? drawn_shape() : k_shapes[n % kShapes];
  c->by_row = n / kShapes % 2;
  if (cols_of(&c->shape) < kCols) c->by_row = 0;
  if (!takes_table(profile, &c->shape, c->by_row)) c->shape = k_shapes[0];
  c->down = profile != PTO_PROFILE_A2A3 && draw(2) == 0;
  const int64_t count = c->by_row ? rows_of(&c->shape) : rows_of(&c->shape) * cols_of(&c->shape);
  int taken = 1;
  for (int i = 0; i < kRows * kCols; ++i) {
    c->index[i] = draw((uint32_t)count);
    if (draw(40) == 0) c->index[i] = draw(2) ? (uint32_t)count + draw(3) : UINT32_MAX - draw(5);
    if (c->outside == kRefuse && n % 3 != 0) c->index[i] %= (uint32_t)count;
  }
  const int used = c->by_row ? kRows : kRows * kCols;
  for (int i = 0; i < used; ++i) taken &= resolve(c->index[i], count, c->outside) != -2;
  laid_out(profile, &c->laid, c->dtype, kRows, kCols);
  if (mat) in_mat(&c->laid, c->dtype);
  const int32_t idx_rows = c->by_row && !c->down ? 1 : kRows;
  const int32_t idx_cols = !c->by_row ? kCols : c->down ? 1 : kRows;
  laid_out(profile, &c->laid_idx, draw(2) ? PTO_DTYPE_I32 : PTO_DTYPE_U32, idx_rows, idx_cols);
  place_call(p, c, used, idx_cols, n);
  return taken;
}

static void end_call(call *c) {
  pto_tensor_release(c->table);
  pto_tile_release(c->tile);
  pto_tile_release(c->idx);
}

static pto_coalesce coalesce_of(const call *c) { return c->by_row ? PTO_COALESCE_ROW : PTO_COALESCE_ELEM; }

/* On every target; refused by a rule of the operand, or not. */
static void run_call(const between_pages *p, pages_call *run, call *c, const char *rule, pto_status status,
                     const char *operand, int n) {
  char what[160];
  snprintf(what, sizeof what, "%s %s case %d profile %d table of layout %d tile %d/%d %dx%d%s", c->name,
           pto_dtype_name(c->dtype), n, (int)pto_context_profile(p->ctx[0]), (int)(c->shape.layout),
           (int)c->laid.desc.blayout, (int)c->laid.desc.slayout, c->laid.rows, c->laid.cols,
           c->laid.view ? " (view)" : "");
  pages_run(p, run, c, rule, what);
  for (int t = 0; rule != NULL && t < p->targets; ++t) assert_rule(p->ctx[t], status, rule, operand);
}

/* Where element (r, k) of the tile is in the table; -1: nowhere. */
static int64_t place(const call *c, int r, int k) {
  const int64_t rows = rows_of(&c->shape), cols = cols_of(&c->shape);
  const int64_t index =
      c->by_row ? resolve(c->index[r], rows, c->outside) : resolve(c->index[r * kCols + k], rows * cols, c->outside);
  if (index < 0) return -1;
  return c->by_row ? place_of(&c->shape, index, k) : place_of(&c->shape, index / cols, index % cols);
}

static call g_call;

static pto_status gather(pto_context *ctx, void *call_of) {
  const call *c = call_of;
  return pto_mgather(ctx, c->tile, c->table, c->idx, coalesce_of(c), (pto_gather_oob)c->oob, 0);
}

static void gather_by(const between_pages *p, call *c, int taken, int n) {
  const int64_t size = pto_dtype_bytes(c->dtype);
  for (int32_t r = 0; taken && r < c->laid.valid_rows; ++r) {
    for (int32_t k = 0; k < c->laid.valid_cols; ++k) {
      const int64_t at = place(c, r, k);
      set(p->after + laid_place(&c->laid, r, k), 0, size, at < 0 ? 0 : get(p->before + c->table_at, at, size));
    }
  }
  run_call(p, gather, c, taken ? NULL : "table-range", PTO_ERROR_ARGUMENT, "idx", n);
  end_call(c);
}

static void gathers_under(pto_profile profile) {
  static const enum outside k_outside[] = {kRefuse, kClamp, kWrap, kNone};
  between_pages p;
  pages_create(&p, profile, kRoom);
  for (int t = PTO_DTYPE_I8; t <= PTO_DTYPE_E8M0; ++t) {
    if (!pto_op_supports(PTO_OP_MGATHER, profile, (pto_dtype)t, 0)) continue;
    for (int n = 0; n < 8 * kShapes; n += sparse()) {
      call *c = &g_call;
      c->name = "mgather";
      c->dtype = (pto_dtype)t;
      c->oob = n / 2 / kShapes;
      c->outside = k_outside[c->oob];
      const int taken = make_call(&p, c, goes_to_mat(profile, c, n), n);
      gather_by(&p, c, taken, n);
    }
  }
  pages_release(&p);
}

static void gathers(void **state) {
  (void)state;
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) gathers_under((pto_profile)p);
}

/* Rows of a table in boxes of 16 rows x 32 bytes, into a tile of such boxes: what A2A3 has beside ND; by a list of
 * indices. */
static void gathers_rows_of_boxes(void **state) {
  (void)state;
  enum { kBlocks = 3 };
  static const pto_profile k_profiles[] = {PTO_PROFILE_CPU, PTO_PROFILE_A2A3};
  for (size_t i = 0; i < 2; ++i) {
    between_pages p;
    pages_create(&p, k_profiles[i], kRoom);
    for (int t = PTO_DTYPE_I8; t <= PTO_DTYPE_F32; ++t) {
      if (!pto_op_supports(PTO_OP_MGATHER, k_profiles[i], (pto_dtype)t, 0)) continue;
      call *c = &g_call;
      c->name = "mgather";
      c->dtype = (pto_dtype)t;
      const int64_t size = pto_dtype_bytes(c->dtype), c0 = 32 / size;
      const struct shape boxes = {5, {1, 2, kBlocks, 16, c0}, {0, 16 * kBlocks * c0, 16 * c0, c0, 1}, 1, PTO_LAYOUT_NZ};
      c->shape = boxes;
      c->by_row = 1;
      c->outside = kNone;
      c->oob = PTO_GATHER_OOB_ZERO;
      for (int k = 0; k < 8; ++k) c->index[k] = draw(16 * kBlocks + 9);
      lay_out(&c->laid, &k_layouts[k_layout_nz], c->dtype, 16, (int32_t)(2 * c0), k_laid_whole);
      lay_out_valid(&c->laid, kRows, (int32_t)(2 * c0 - 3));
      lay_out(&c->laid_idx, &k_layouts[k_layout_nd], PTO_DTYPE_U32, 1, 8, k_laid_whole);
      place_call(&p, c, 8, 8, t);
      gather_by(&p, c, 1, t);
    }
    pages_release(&p);
  }
}

/* The place of an element in the order of numbers. */
static int64_t rank_of(pto_dtype dtype, uint64_t bits) {
  if (ref_format_of(dtype) == NULL) {
    const int64_t value = ref_int_value(dtype, bits);
    return dtype == PTO_DTYPE_U64 ? (int64_t)((uint64_t)value ^ (UINT64_C(1) << 63)) : value;
  }
  const int64_t magnitude = (int64_t)(bits & ref_mask(dtype) >> 1);
  return (bits & ~(ref_mask(dtype) >> 1) & ref_mask(dtype)) != 0 ? -1 - magnitude : magnitude;
}

static uint64_t combined(pto_scatter_atomic atomic, pto_dtype dtype, uint64_t old, uint64_t bits) {
  if (atomic == PTO_SCATTER_ATOMIC_NONE) return bits;
  if (atomic == PTO_SCATTER_ATOMIC_ADD) return ref_apply(REF_ADD, dtype, old, bits);
  if (ref_is_nan(dtype, old) || ref_is_nan(dtype, bits)) return ref_nan(dtype);
  const int larger = rank_of(dtype, bits) > rank_of(dtype, old);
  return larger == (atomic == PTO_SCATTER_ATOMIC_MAX) ? bits : old;
}

/* Which elements are combined: A2A3 adds to some and has no maxima, A5 compares fewer than it adds; CPU has all but
 * floats of a byte. */
static int combines(pto_profile profile, pto_scatter_atomic atomic, pto_dtype dtype) {
  if (atomic == PTO_SCATTER_ATOMIC_NONE) return 1;
  const int adds = atomic == PTO_SCATTER_ATOMIC_ADD;
  switch (dtype) {
    case PTO_DTYPE_I32:
    case PTO_DTYPE_F32:
      return profile != PTO_PROFILE_A2A3 || adds;
    case PTO_DTYPE_U32:
      return profile != PTO_PROFILE_A2A3;
    case PTO_DTYPE_F16:
    case PTO_DTYPE_BF16:
      return profile == PTO_PROFILE_CPU || adds;
    case PTO_DTYPE_I8:
    case PTO_DTYPE_I16:
      return profile == PTO_PROFILE_CPU || (profile == PTO_PROFILE_A2A3 && adds);
    default:
      return profile == PTO_PROFILE_CPU && dtype <= PTO_DTYPE_F32;
  }
}

static pto_status scatter(pto_context *ctx, void *call_of) {
  const call *c = call_of;
  return pto_mscatter(ctx, c->table, c->tile, c->idx, coalesce_of(c), c->atomic, (pto_scatter_oob)c->oob, c->conflict,
                      0);
}

static void scatters_under(pto_profile profile) {
  static const enum outside k_outside[] = {kRefuse, kNone, kClamp, kWrap};
  between_pages p;
  pages_create(&p, profile, kRoom);
  for (int t = PTO_DTYPE_I8; t <= PTO_DTYPE_E8M0; ++t) {
    if (!pto_op_supports(PTO_OP_MSCATTER, profile, (pto_dtype)t, 0)) continue;
    for (int n = 0; n < 32 * kShapes; n += sparse()) {
      call *c = &g_call;
      c->name = "mscatter";
      c->dtype = (pto_dtype)t;
      const int64_t size = pto_dtype_bytes(c->dtype);
      c->oob = n / 2 / kShapes % 4;
      c->outside = k_outside[c->oob];
      c->atomic = (pto_scatter_atomic)(n / 8 / kShapes);
      c->conflict = (pto_scatter_conflict)draw(2);
      const int combined_here = combines(profile, c->atomic, c->dtype);
      const int taken = make_call(&p, c, 0, n) && combined_here;
      for (int r = 0; taken && r < kRows; ++r) {
        for (int k = 0; k < kCols; ++k) {
          const int64_t at = place(c, r, k);
          if (at < 0) continue;
          uint8_t *table = p.after + c->table_at;
          const uint64_t bits = get(p.before + laid_place(&c->laid, r, k), 0, size);
          set(table, at, size, combined(c->atomic, c->dtype, get(table, at, size), bits));
        }
      }
      if (combined_here) {
        run_call(&p, scatter, c, taken ? NULL : "table-range", PTO_ERROR_ARGUMENT, "idx", n);
      } else {
        run_call(&p, scatter, c, "atomic-dtype", PTO_ERROR_DTYPE, "src", n);
      }
      end_call(c);
    }
  }
  pages_release(&p);
}

static void scatters(void **state) {
  (void)state;
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) scatters_under((pto_profile)p);
}

/* The tile, the indices and the table in one memory: sources are read first. */
static void reads_before_it_writes(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const pto_tile_desc row = tile_desc(PTO_DTYPE_I32, 1, 4);
  const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_I32, 1, 8);
  int32_t memory[8] = {3, 2, 1, 0, 40, 50, 60, 70};
  pto_tensor *table = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
  pto_tile *low = pto_tile_wrap(ctx, &row, memory, sizeof memory);
  pto_tile *high = pto_tile_wrap(ctx, &row, memory + 2, sizeof memory - 8);
  assert_ok(ctx, pto_mgather(ctx, high, table, low, PTO_COALESCE_ELEM, PTO_GATHER_OOB_UNDEFINED, 0));
  const int32_t gathered[8] = {3, 2, 0, 1, 2, 3, 60, 70};
  assert_memory_equal(memory, gathered, sizeof memory);
  assert_ok(ctx, pto_mscatter(ctx, table, high, low, PTO_COALESCE_ELEM, PTO_SCATTER_ATOMIC_NONE,
                              PTO_SCATTER_OOB_UNDEFINED, PTO_SCATTER_CONFLICT_LAST, 0));
  const int32_t scattered[8] = {2, 3, 1, 0, 2, 3, 60, 70};
  assert_memory_equal(memory, scattered, sizeof memory);
  pto_tile_release(low);
  pto_tile_release(high);
  pto_tensor_release(table);
  pto_context_release(ctx);
}

struct worker {
  pthread_t thread;
  pto_scatter_atomic atomic;
  int32_t number;
  pto_dtype dtype;
  int places;
  void *memory;
};

static void *scatter_all(void *argument) {
  const struct worker *w = argument;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  const int64_t size = pto_dtype_bytes(w->dtype);
  const pto_tensor_desc desc = matrix_desc(w->dtype, 1, w->places);
  pto_tensor *table = pto_tensor_wrap(ctx, &desc, w->memory, w->places * size);
  pto_tile *tiles[2];
  pto_tile *idx = pto_tile_create(ctx, PTO_DTYPE_U32, 1, kAdds);
  uint32_t index[kAdds];
  for (int i = 0; i < kAdds; ++i) index[i] = (uint32_t)(i * 37 % w->places);
  int bad = pto_tile_write(ctx, idx, index, sizeof index) != PTO_OK;
  for (int t = 0; t < 2; ++t) {
    uint8_t values[kAdds * 4];
    /* 1 is added and taken again, so that sums stay so small that all types hold them. */
    static const float one[] = {1, -1};
    for (int i = 0; i < kAdds; ++i) {
      uint64_t bits = (uint64_t)(int64_t)(w->number + i);
      if (w->atomic == PTO_SCATTER_ATOMIC_ADD) bits = t == 0 ? 1 : ~UINT64_C(0);
      set(values, i, size, values_is_float(w->dtype) ? values_of_float(w->dtype, one[t]) : bits);
    }
    tiles[t] = pto_tile_create(ctx, w->dtype, 1, kAdds);
    bad |= pto_tile_write(ctx, tiles[t], values, kAdds * size) != PTO_OK;
  }
  for (int round = 0; round < kRounds; ++round) {
    bad |= pto_mscatter(ctx, table, tiles[round % 2], idx, PTO_COALESCE_ELEM, w->atomic, PTO_SCATTER_OOB_UNDEFINED,
                        PTO_SCATTER_CONFLICT_DEFAULT, 0) != PTO_OK;
  }
  for (int t = 0; t < 2; ++t) pto_tile_release(tiles[t]);
  pto_tile_release(idx);
  pto_tensor_release(table);
  pto_context_release(ctx);
  return bad ? argument : NULL;
}

/* Eight threads, a million elements into 64 places, and into places that the indices name once each. */
static void loses_nothing(void **state) {
  (void)state;
  static const struct {
    pto_dtype dtype;
    pto_scatter_atomic atomic;
    int places;
  } k_cases[] = {
      {PTO_DTYPE_I8, PTO_SCATTER_ATOMIC_ADD, kPlaces},  {PTO_DTYPE_U16, PTO_SCATTER_ATOMIC_ADD, kPlaces},
      {PTO_DTYPE_I32, PTO_SCATTER_ATOMIC_ADD, kPlaces}, {PTO_DTYPE_F32, PTO_SCATTER_ATOMIC_ADD, kPlaces},
      {PTO_DTYPE_F16, PTO_SCATTER_ATOMIC_ADD, kPlaces}, {PTO_DTYPE_BF16, PTO_SCATTER_ATOMIC_ADD, kPlaces},
      {PTO_DTYPE_I16, PTO_SCATTER_ATOMIC_ADD, kDense},  {PTO_DTYPE_F32, PTO_SCATTER_ATOMIC_ADD, kDense},
      {PTO_DTYPE_F16, PTO_SCATTER_ATOMIC_ADD, kDense},  {PTO_DTYPE_BF16, PTO_SCATTER_ATOMIC_ADD, kDense},
      {PTO_DTYPE_I32, PTO_SCATTER_ATOMIC_MAX, kPlaces}, {PTO_DTYPE_I32, PTO_SCATTER_ATOMIC_MIN, kPlaces},
  };
  for (size_t t = 0; t < sizeof k_cases / sizeof *k_cases; ++t) {
    const pto_dtype dtype = k_cases[t].dtype;
    const pto_scatter_atomic atomic = k_cases[t].atomic;
    const int places = k_cases[t].places;
    uint32_t memory[kDense] = {0};
    struct worker workers[kThreads];
    for (int i = 0; i < kThreads; ++i) {
      const struct worker one = {0,     atomic, (atomic == PTO_SCATTER_ATOMIC_MAX ? 1 : -1) * 5000 * (i + 1),
                                 dtype, places, memory};
      workers[i] = one;
      assert_int_equal(pthread_create(&workers[i].thread, NULL, scatter_all, &workers[i]), 0);
    }
    for (int i = 0; i < kThreads; ++i) {
      void *bad = NULL;
      pthread_join(workers[i].thread, &bad);
      assert_null(bad);
    }
    int32_t times[kDense] = {0}, most[kDense] = {0}, least[kDense] = {0};
    for (int i = 0; i < kAdds; ++i) {
      const int at = i * 37 % places;
      times[at] += kThreads;
      if (5000 * kThreads + i > most[at]) most[at] = 5000 * kThreads + i;
      if (-5000 * kThreads + i < least[at]) least[at] = -5000 * kThreads + i;
    }
    for (int i = 0; i < places; ++i) {
      uint64_t want = values_is_float(dtype) ? values_of_float(dtype, (float)times[i]) : (uint32_t)times[i];
      if (atomic == PTO_SCATTER_ATOMIC_MAX) want = (uint32_t)most[i];
      if (atomic == PTO_SCATTER_ATOMIC_MIN) want = (uint32_t)least[i];
      const uint64_t got = get(memory, i, pto_dtype_bytes(dtype));
      if (got != want) {
        fail_msg("%s, %d places: place %d holds %llx, not %llx", pto_dtype_name(dtype), places, i,
                 (unsigned long long)got, (unsigned long long)want);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathers),       cmocka_unit_test(gathers_rows_of_boxes),
      cmocka_unit_test(scatters),      cmocka_unit_test(reads_before_it_writes),
      cmocka_unit_test(loses_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
