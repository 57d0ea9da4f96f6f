/*
 * sampler_want.c: what the arena must hold after a call. This file pairs elements of operands with elements of the
 * result, by the extents of operands alone; the table has what is computed with them.
 */
#include <math.h>
#include <string.h>

#include "sampler_impl.h"

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

/* The element of an operand for (i, j); 0 if a partial source has no such element. */
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

/* Gathers the operands of an element; returns the only source where another is absent, or -1. */
int gather(const call *c, int32_t i, int32_t j, op_element *e) {
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

void expect_elements(const call *c) {
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
        if (j % 8 == 0) *byte = 0; /* bits after the last column too */
        *byte = (uint8_t)(*byte | bits << (j % 8));
      }
    }
  }
}

void expect_lines(const call *c) {
  const placed *dst = &c->tile[0];
  const int by_row = dst->extent != PTO_EXTENT_COL_RESULTS;
  const placed *src = dst;
  for (int k = 0; k < c->count; ++k) {
    if (c->tile[k].role == PTO_ROLE_IN) src = &c->tile[k];
  }
  static uint64_t in[k_elements], out[k_elements];
  const op_line line = {c->dtype, in, by_row ? c->cols : c->rows, by_row, c->numbers[0], dst->desc.dtype};
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

/* The result for element (row, col) of the first input, which has a row beside it. */
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

void expect_places(const call *c) {
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

void expect_products(const call *c) {
  static uint64_t left[k_most_depth], right[k_most_depth], left_scales[k_most_depth], right_scales[k_most_depth];
  for (int32_t i = 0; i < c->rows; ++i) {
    for (int32_t j = 0; j < c->cols; ++j) {
      op_product p = {c->dtype, c->dtype, 0, 0, left, right, NULL, NULL, c->depth, c->numbers[0]};
      for (int k = 0; k < c->count; ++k) {
        const placed *t = &c->tile[k];
        if (t->role != PTO_ROLE_IN) continue;
        if (t->extent == PTO_EXTENT_LEFT) p.dtype = t->desc.dtype;
        if (t->extent == PTO_EXTENT_RIGHT) p.right_dtype = t->desc.dtype;
        for (int32_t q = 0; q < c->depth; ++q) {
          if (t->extent == PTO_EXTENT_LEFT) left[q] = held(t, i, q);
          if (t->extent == PTO_EXTENT_RIGHT) right[q] = held(t, q, j);
          if (t->extent == PTO_EXTENT_LEFT_SCALES) left_scales[q] = held(t, i, q / 32);
          if (t->extent == PTO_EXTENT_RIGHT_SCALES) right_scales[q] = held(t, q / 32, j);
        }
        if (t->extent == PTO_EXTENT_LEFT_SCALES) p.left_scales = left_scales, p.right_scales = right_scales;
        if (t->extent != PTO_EXTENT_SAME && t->extent != PTO_EXTENT_ROW) continue;
        p.has_start = source_of(t, i, j, &p.start);
      }
      want(&c->tile[0], i, j, c->entry->product(&p));
    }
  }
}
