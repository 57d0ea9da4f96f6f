/* TLOAD, TPREFETCH, TSTORE and TMOV against plain index arithmetic: layouts, strides, windows, padding, overlap; what
 * moves between tiles and tensors with every operand between pages that no access may touch. */
#include <stdio.h>

#include "between_pages.h"
#include "reference.h"
#include "testing.h"
#include "transfer_help.h"

static between_pages g_pages;
static int create_pages(void **state) {
  (void)state;
  pages_create(&g_pages, PTO_PROFILE_CPU, 1 << 22);
  return 0;
}
static int release_pages(void **state) {
  (void)state;
  pages_release(&g_pages);
  return 0;
}

static uint32_t g_random = 7;
static int64_t below(int64_t n) {
  g_random = g_random * 1664525u + 1013904223u;
  return (int64_t)(g_random >> 8) % n;
}

enum { kLoad, kPrefetch, kStore, kAdd };
static const char *const k_names[] = {"tload", "tprefetch", "tstore", "tstore_atomic"};

typedef struct transfer {
  int kind;
  pto_tile *tile;
  pto_tensor *tensor;
} transfer;

static pto_status run(pto_context *ctx, void *call) {
  const transfer *t = call;
  if (t->kind == kLoad) return pto_tload(ctx, t->tile, t->tensor, 0);
  if (t->kind == kPrefetch) return pto_tprefetch(ctx, t->tile, t->tensor, 0);
  if (t->kind == kStore) return pto_tstore(ctx, t->tensor, t->tile, 0);
  return pto_tstore_atomic(ctx, t->tensor, t->tile, PTO_ATOMIC_ADD, 0);
}

static uint64_t bits_at(int64_t at, int64_t size) {
  uint64_t bits = 0;
  memcpy(&bits, g_pages.after + at, (size_t)size);
  return bits;
}

/* Stores that were refused, and those that were not though strides do not nest. */
static int g_refused, g_woven;

/* Each dimension, from the shortest stride on, steps over all that those before it reach. */
static int nests(const int64_t dim[5], const int64_t stride[5]) {
  for (int a = 0; a < 5; ++a) {
    int64_t reach = 0;
    for (int b = 0; b < 5; ++b) {
      if (b != a && (stride[b] < stride[a] || (stride[b] == stride[a] && b < a))) reach += (dim[b] - 1) * stride[b];
    }
    if (dim[a] != 1 && stride[a] <= reach) return 0;
  }
  return 1;
}

/* 1 when two elements of the matrix have one place. */
static int meet(int32_t rows, int32_t cols, pto_layout layout, const int64_t dim[5], const int64_t stride[5]) {
  static int64_t places[150 * 130];
  int64_t earlier = 0;
  assert_true(rows * cols <= 150 * 130);
  for (int32_t k = 0; k < rows * cols; ++k) places[k] = place_in(layout, dim, stride, k / cols, k % cols);
  return first_shared((elements){places, rows, cols}, &earlier) >= 0;
}

/* One load, one store and one addition of rows x cols through a tensor of these dimensions and strides, which may be
   larger. */
static void round_trip(int which, pto_dtype dtype, int32_t rows, int32_t cols, pto_layout layout, const int64_t dim[5],
                       const int64_t stride[5]) {
  static laid_tile tile;
  const int64_t size = pto_dtype_bytes(dtype);
  int64_t span = 1;
  for (int d = 0; d < 5; ++d) span += (dim[d] - 1) * stride[d];
  lay_out(&tile, &k_layouts[which], dtype, rows + (int32_t)(below(2) * below(4)), cols + (int32_t)(below(2) * below(6)),
          (laid_as)below(3));
  lay_out_valid(&tile, rows, cols);
  tile.desc.pad = PTO_PAD_CUSTOM;
  tile.desc.pad_bits = 0x89abcdef;
  const uint64_t pad = tile.desc.pad_bits & ref_mask(dtype);
  pages_begin(&g_pages);
  const int64_t base = pages_place(&g_pages, span * size, below(3) != 0);
  tile.at = pages_place(&g_pages, tile.bytes, below(3) != 0);
  pages_fill(&g_pages, (uint32_t)(which + rows));
  const pto_tensor_desc desc = five_desc(dtype, layout, dim, stride);
  transfer t = {0, pages_tile(&g_pages, &tile), pages_tensor(&g_pages, &desc, base, span * size)};
  const int kinds[] = {below(3) == 0 ? kPrefetch : kLoad, kStore, kAdd};
  for (int k = 0; k < 3; ++k) {
    t.kind = kinds[k];
    const int loads = k == 0;
    const int refused = t.kind == kStore && meet(rows, cols, layout, dim, stride);
    g_refused += refused;
    g_woven += t.kind == kStore && !refused && !nests(dim, stride);
    memcpy(g_pages.after, g_pages.before, (size_t)g_pages.bytes);
    for (int32_t r = 0; r < (loads ? tile.rows : refused ? 0 : rows); ++r) {
      for (int32_t c = 0; c < (loads ? tile.cols : cols); ++c) {
        if (!laid_has(&tile, r, c)) continue;
        const int inside = r < rows && c < cols;
        const int64_t on_tile = laid_place(&tile, r, c);
        const int64_t on_tensor = inside ? base + place_in(layout, dim, stride, r, c) * size : 0;
        uint64_t bits = inside ? bits_at(loads ? on_tensor : on_tile, size) : pad;
        if (t.kind == kAdd) bits = ref_apply(REF_ADD, dtype, bits_at(on_tensor, size), bits);
        memcpy(g_pages.after + (loads ? on_tile : on_tensor), &bits, (size_t)size);
      }
    }
    char what[256];
    snprintf(what, sizeof what,
             "%s of %dx%d %s, tile of %dx%d %s%s, tensor of layout %d, %dx%dx%dx%dx%d by %d %d %d %d %d",
             k_names[t.kind], rows, cols, pto_dtype_name(dtype), tile.rows, tile.cols, k_layouts[which].name,
             tile.view ? " (view)" : "", (int)layout, (int)dim[0], (int)dim[1], (int)dim[2], (int)dim[3], (int)dim[4],
             (int)stride[0], (int)stride[1], (int)stride[2], (int)stride[3], (int)stride[4]);
    pages_run(&g_pages, run, &t, refused ? "tensor-overlap" : NULL, what);
  }
  pto_tile_release(t.tile);
  pto_tensor_release(t.tensor);
}

static void every_layout_loads_and_stores_every_stride(void **state) {
  (void)state;
  static const pto_dtype dtypes[] = {PTO_DTYPE_U8, PTO_DTYPE_BF16, PTO_DTYPE_F32, PTO_DTYPE_I64};
  for (int which = 0; which < k_layout_count; ++which) {
    for (size_t t = 0; t < sizeof dtypes / sizeof dtypes[0]; ++t) {
      const pto_dtype type = dtypes[t];
      if ((which + (int)t) % sparse() != 0) continue;
      /* packed, gaps, turned, five dimensions, five turned, DN, DN of five, one place for a row, all in one place */
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 24, 40}, (int64_t[]){0, 0, 0, 40, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 24, 40}, (int64_t[]){0, 0, 0, 50, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 24, 40}, (int64_t[]){0, 0, 0, 1, 31});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){2, 3, 1, 4, 40}, (int64_t[]){999, 170, 7, 41, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){2, 1, 3, 4, 40}, (int64_t[]){1, 7, 2, 6, 24});
      round_trip(which, type, 24, 40, PTO_LAYOUT_DN, (int64_t[]){1, 1, 1, 24, 40}, (int64_t[]){0, 0, 0, 1, 24});
      round_trip(which, type, 24, 40, PTO_LAYOUT_DN, (int64_t[]){2, 1, 4, 24, 5}, (int64_t[]){500, 9, 120, 1, 24});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 24, 40}, (int64_t[]){0, 0, 0, 0, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 24, 40}, (int64_t[]){0, 0, 0, 1, 1});
      /* windows of larger tensors: more columns, more rows, planes cut in the midst, turned, in one place, DN */
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 24, 47}, (int64_t[]){0, 0, 0, 47, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 31, 40}, (int64_t[]){0, 0, 0, 40, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){3, 2, 2, 7, 41}, (int64_t[]){1900, 902, 301, 43, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 25, 41}, (int64_t[]){0, 0, 0, 1, 31});
      round_trip(which, type, 24, 40, PTO_LAYOUT_ND, (int64_t[]){2, 1, 1, 17, 50}, (int64_t[]){3, 0, 0, 1, 1});
      round_trip(which, type, 24, 40, PTO_LAYOUT_DN, (int64_t[]){1, 1, 1, 29, 43}, (int64_t[]){0, 0, 0, 1, 29});
      round_trip(which, type, 24, 40, PTO_LAYOUT_DN, (int64_t[]){2, 2, 3, 26, 7}, (int64_t[]){1300, 600, 190, 1, 27});
      round_trip(which, type, 24, 40, PTO_LAYOUT_DN, (int64_t[]){1, 9, 1, 24, 5}, (int64_t[]){0, 4, 0, 9, 2});
      round_trip(which, type, 1, 1, PTO_LAYOUT_DN, (int64_t[]){1, 1, 1, 1, 1}, (int64_t[]){5, 4, 3, 2, 1});
      /* so much that strips of lines are moved, also where lines meet in caches; boxes; turned */
      round_trip(which, type, 150, 130, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 150, 140}, (int64_t[]){0, 0, 0, 140, 1});
      round_trip(which, type, 150, 130, PTO_LAYOUT_ND, (int64_t[]){1, 1, 1, 150, 140}, (int64_t[]){0, 0, 0, 1024, 1});
      round_trip(which, type, 150, 130, PTO_LAYOUT_NZ, (int64_t[]){1, 9, 10, 16, 16}, (int64_t[]){0, 2560, 256, 16, 1});
      round_trip(which, type, 150, 130, PTO_LAYOUT_DN, (int64_t[]){1, 1, 1, 150, 140}, (int64_t[]){0, 0, 0, 1, 1024});
    }
  }
}

/* Dense, with gaps and with strides of any order, also with places that several elements share; whole and windows. */
static void every_tensor_layout_loads_and_stores(void **state) {
  (void)state;
  static const pto_dtype dtypes[] = {PTO_DTYPE_I8, PTO_DTYPE_F16, PTO_DTYPE_I32, PTO_DTYPE_U64};
  for (int layout = 0; layout < kTensorLayouts; ++layout) {
    if (k_orders[layout] == NULL) continue;
    for (int which = 0; which < k_layout_count; ++which) {
      for (int tries = 0; tries < 12; tries += sparse()) {
        int64_t dim[5], stride[5], step = 1;
        for (int d = 4; d >= 0; --d) {
          dim[d] = below(3) == 0 ? 1 : 1 + below(d == 4 ? 18 : 5);
          stride[d] = tries % 3 == 2 ? below(60) : step;
          step *= dim[d];
          if (tries % 3 == 1) step += below(9);
        }
        const int64_t rows = extent_in((pto_layout)layout, 'r', dim), cols = extent_in((pto_layout)layout, 'c', dim);
        const int part = (int)below(2);
        round_trip(which, dtypes[below(4)], (int32_t)(part ? 1 + below(rows) : rows),
                   (int32_t)(part ? 1 + below(cols) : cols), (pto_layout)layout, dim, stride);
      }
    }
  }
}

/* Strides that do not nest, in windows that end anywhere in dimensions: what is refused is what a look at each element
   finds, and what is not is stored. */
static void elements_that_meet_are_refused(void **state) {
  (void)state;
  const int kTries = 4000 / sparse();
  g_refused = g_woven = 0;
  for (int tries = 0; tries < kTries; ++tries) {
    int layout = (int)below(kTensorLayouts);
    while (k_orders[layout] == NULL) layout = (int)below(kTensorLayouts);
    int64_t dim[5], stride[5];
    for (int d = 0; d < 5; ++d) {
      dim[d] = below(3) == 0 ? 1 : 1 + below(4);
      stride[d] = below(tries % 2 == 0 ? 100 : 20);
    }
    /* Some run on as one. */
    if (below(2) == 0) stride[3] = dim[4] * stride[4];
    const int64_t rows = extent_in((pto_layout)layout, 'r', dim), cols = extent_in((pto_layout)layout, 'c', dim);
    round_trip(0, PTO_DTYPE_U16, (int32_t)(below(2) == 0 ? rows : 1 + below(rows)),
               (int32_t)(below(2) == 0 ? cols : 1 + below(cols)), (pto_layout)layout, dim, stride);
  }
  assert_true(g_refused > kTries / 8 && g_woven > kTries / 8);
}

/* Bits of the pad values of a type: zero, max, min. */
typedef struct pads {
  pto_dtype dtype;
  uint64_t max;
  uint64_t min;
} pads;

static void tload_fills_the_rest_with_the_pad_value(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  static const pads types[] = {
      {PTO_DTYPE_I8, 0x7f, 0x80},
      {PTO_DTYPE_U8, 0xff, 0},
      {PTO_DTYPE_I16, 0x7fff, 0x8000},
      {PTO_DTYPE_U16, 0xffff, 0},
      {PTO_DTYPE_I32, 0x7fffffff, 0x80000000},
      {PTO_DTYPE_U32, 0xffffffff, 0},
      {PTO_DTYPE_I64, INT64_MAX, (uint64_t)INT64_MIN},
      {PTO_DTYPE_U64, UINT64_MAX, 0},
      {PTO_DTYPE_F16, 0x7c00, 0xfc00},
      {PTO_DTYPE_BF16, 0x7f80, 0xff80},
      {PTO_DTYPE_F32, 0x7f800000, 0xff800000},
  };
  for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t) {
    for (int pad = 0; pad < 4; ++pad) {
      for (int which = 0; which < k_layout_plain; ++which) {
        const int64_t size = pto_dtype_bytes(types[t].dtype);
        const uint64_t want = pad == 2 ? types[t].max : pad == 3 ? types[t].min : 0;
        pto_tile_desc desc = layout_desc(&k_layouts[which], types[t].dtype, 33, 35);
        desc.pad = (pto_pad)pad;
        pto_tile *tile = make_tile(ctx, &desc);
        memset(pto_tile_data(tile), 0x5a, (size_t)pto_tile_bytes(tile));
        assert_ok(ctx, pto_tile_set_valid(ctx, tile, 17, 34));
        const pto_tensor_desc source = matrix_desc(types[t].dtype, 17, 34);
        pto_tensor *tensor = make_tensor(ctx, &source);
        memset(pto_tensor_data(tensor), 0x77, (size_t)pto_tensor_bytes(tensor));
        assert_ok(ctx, pto_tload(ctx, tile, tensor, 0));
        assert_ok(ctx, pto_tile_set_valid(ctx, tile, PTO_VALID_ALL, PTO_VALID_ALL));
        uint8_t all[33 * 35 * 8];
        uint8_t seven[8];
        memset(seven, 0x77, sizeof seven);
        assert_ok(ctx, pto_tile_read(ctx, tile, all, 33 * 35 * size));
        for (int r = 0; r < 33; ++r) {
          for (int c = 0; c < 35; ++c) {
            assert_memory_equal(all + (r * 35 + c) * size, r < 17 && c < 34 ? seven : (const uint8_t *)&want,
                                (size_t)size);
          }
        }
        pto_tile_release(tile);
        pto_tensor_release(tensor);
      }
    }
  }
  pto_context_release(ctx);
}

static void an_empty_region_is_filled_by_tload_and_left_by_tstore(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tile_desc desc = tile_desc(PTO_DTYPE_I32, 2, 8);
  desc.pad = PTO_PAD_MAX;
  desc.valid_rows = PTO_VALID_NONE;
  pto_tile *tile = make_tile(ctx, &desc);
  const pto_tensor_desc empty = matrix_desc(PTO_DTYPE_I32, 0, 8);
  pto_tensor *tensor = make_tensor(ctx, &empty);
  assert_ok(ctx, pto_tload(ctx, tile, tensor, 0));
  assert_int_equal(((int32_t *)pto_tile_data(tile))[15], INT32_MAX);
  assert_ok(ctx, pto_tstore(ctx, tensor, tile, 0));
  pto_tensor_release(tensor);
  pto_tile_release(tile);
  pto_context_release(ctx);
}

static void overlapping_memory_moves_as_if_read_first(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int direction = 0; direction < 2; ++direction) {
    for (int64_t shift = 0; shift < 12; ++shift) {
      int32_t memory[64];
      int32_t old[64];
      for (int32_t i = 0; i < 64; ++i) old[i] = memory[i] = i;
      pto_tile_desc desc = tile_desc(PTO_DTYPE_I32, 4, 8);
      pto_tile *tile = pto_tile_wrap(ctx, &desc, memory + 5, 32 * 4);
      /* Turned, so that no order of copying would do. */
      pto_tensor_desc source = matrix_desc(PTO_DTYPE_I32, 4, 8);
      source.layout = PTO_LAYOUT_DN;
      pto_tensor *tensor = pto_tensor_wrap(ctx, &source, memory + shift, 32 * 4);
      assert_non_null(tile);
      assert_non_null(tensor);
      assert_ok(ctx, direction == 0 ? pto_tload(ctx, tile, tensor, 0) : pto_tstore(ctx, tensor, tile, 0));
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 8; ++c) {
          const int64_t on_tile = 5 + r * 8 + c;
          const int64_t on_tensor = shift + c * 4 + r;
          assert_int_equal(memory[direction == 0 ? on_tile : on_tensor], old[direction == 0 ? on_tensor : on_tile]);
        }
      }
      pto_tile_release(tile);
      pto_tensor_release(tensor);
    }
  }
  pto_context_release(ctx);
}

static void tmov_copies_between_all_layouts(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int from = 0; from < k_layout_count; ++from) {
    for (int to = 0; to < k_layout_count; ++to) {
      uint8_t in[19 * 37 * 8];
      uint8_t out[19 * 37 * 8];
      pto_tile_desc desc = layout_desc(&k_layouts[from], PTO_DTYPE_I64, 20, 40);
      desc.valid_rows = 19;
      desc.valid_cols = 37;
      pto_tile *src = make_tile(ctx, &desc);
      desc = layout_desc(&k_layouts[to], PTO_DTYPE_I64, 32, 37);
      desc.valid_rows = 19;
      pto_tile *dst = make_tile(ctx, &desc);
      fill(in, sizeof in, (uint32_t)(from * 8 + to));
      assert_ok(ctx, pto_tile_write(ctx, src, in, sizeof in));
      assert_ok(ctx, pto_tmov(ctx, dst, src, 0));
      assert_ok(ctx, pto_tile_read(ctx, dst, out, sizeof out));
      assert_memory_equal(in, out, sizeof in);
      pto_tile_release(src);
      pto_tile_release(dst);
    }
  }
  pto_context_release(ctx);
}

/* A load under another name, of any layout under every profile. */
static void a_prefetch_loads(void **state) {
  (void)state;
  for (int p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) {
    pto_context *ctx = context((pto_profile)p);
    pto_tensor_desc source = matrix_desc(PTO_DTYPE_F32, 16, 16);
    source.layout = PTO_LAYOUT_DN;
    pto_tensor *dn = make_tensor(ctx, &source);
    float values[256], got[256];
    for (int i = 0; i < 256; ++i) values[i] = (float)i;
    assert_ok(ctx, pto_tensor_write(ctx, dn, values, sizeof values));
    pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
    assert_ok(ctx, pto_tprefetch(ctx, tile, dn, 0));
    assert_ok(ctx, pto_tile_read(ctx, tile, got, sizeof got));
    assert_memory_equal(got, values, sizeof got);
    pto_tile *wide = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 24);
    assert_int_equal(pto_tprefetch(ctx, wide, dn, 0), PTO_ERROR_SHAPE);
    assert_rule(ctx, PTO_ERROR_SHAPE, "transfer-covers", "src");
    pto_tile_release(wide);
    pto_tile_release(tile);
    pto_tensor_release(dn);
    pto_context_release(ctx);
  }
}

static void instructions_as_objects(void **state) {
  (void)state;
  const int64_t before = pto_live_handles();
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const pto_tensor_desc source = matrix_desc(PTO_DTYPE_F32, 4, 8);
  pto_tensor *tensor = make_tensor(ctx, &source);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 4, 8);
  float in[32];
  float out[32];
  fill(in, sizeof in, 5);
  assert_ok(ctx, pto_tensor_write(ctx, tensor, in, sizeof in));
  const int32_t tload = pto_op_find("tload");
  assert_int_equal(pto_op_operand_role(tload, 1), PTO_ROLE_TENSOR_IN);
  assert_int_equal(pto_op_operand_role(pto_op_find("tstore"), 0), PTO_ROLE_TENSOR_OUT);
  pto_inst *inst = pto_inst_create(ctx, "tload");
  assert_int_equal(pto_inst_set_tile(ctx, inst, 1, tile), PTO_ERROR_ARGUMENT);
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "operand-kind", "src");
  assert_int_equal(pto_inst_set_tensor(ctx, inst, 0, tensor), PTO_ERROR_ARGUMENT);
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "operand-kind", "dst");
  assert_ok(ctx, pto_inst_set_tile(ctx, inst, 0, tile));
  assert_int_equal(pto_inst_check(ctx, inst), PTO_ERROR_NULL);
  assert_ok(ctx, pto_inst_set_tensor(ctx, inst, 1, tensor));
  assert_ok(ctx, pto_inst_set_int(ctx, inst, 2, 0));
  pto_tensor_release(tensor);
  assert_ok(ctx, pto_inst_check(ctx, inst));
  assert_ok(ctx, pto_inst_run(ctx, inst));
  assert_ok(ctx, pto_tile_read(ctx, tile, out, sizeof out));
  assert_memory_equal(in, out, sizeof in);
  pto_tile_release(tile);
  pto_inst_release(inst);
  pto_context_release(ctx);
  assert_int_equal(pto_live_handles(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_layout_loads_and_stores_every_stride),
      cmocka_unit_test(every_tensor_layout_loads_and_stores),
      cmocka_unit_test(elements_that_meet_are_refused),
      cmocka_unit_test(tload_fills_the_rest_with_the_pad_value),
      cmocka_unit_test(an_empty_region_is_filled_by_tload_and_left_by_tstore),
      cmocka_unit_test(overlapping_memory_moves_as_if_read_first),
      cmocka_unit_test(tmov_copies_between_all_layouts),
      cmocka_unit_test(a_prefetch_loads),
      cmocka_unit_test(instructions_as_objects),
  };
  return cmocka_run_group_tests(tests, create_pages, release_pages);
}
