/*
 * reduce.c: lines that become one element each. Sums and products of floats are computed in f32 and rounded
 * once, to the type of the result, at the end, in an order that is part of the result:
 *   a row: element j is added to partial j mod 16, which start from -0 or 1; then partial i takes
 *     partial i + 8, i + 4, i + 2, i + 1;
 *   a column: one after another, from -0 or 1; as a tree: neighbours in pairs, then their sums, where of an odd
 *     number the last joins the pair before it.
 */
#include <stddef.h>

#include "op_table.h"
#include "reference.h"

typedef uint64_t (*step_fn)(pto_dtype dtype, uint64_t a, uint64_t b);

enum { k_partials = 16, k_most = 4096 };

static int is_float(pto_dtype dtype) { return ref_format_of(dtype) != NULL; }

/* What is added up: f32 for floats, numbers of the type of the result for integers. */
static pto_dtype sum_type(const op_line *line) { return is_float(line->dtype) ? PTO_DTYPE_F32 : line->out; }
static uint64_t summand(const op_line *line, int32_t k) {
  if (is_float(line->dtype)) return ref_convert(PTO_DTYPE_F32, line->dtype, line->in[k]);
  return op_convert(line->out, line->dtype, line->in[k], PTO_ROUND_RINT, 0);
}
static uint64_t result_of(const op_line *line, uint64_t sum) {
  return is_float(line->dtype) ? ref_convert(line->out, PTO_DTYPE_F32, sum) : sum;
}

static uint64_t in_order(const op_line *line, step_fn step, uint64_t neutral_float, uint64_t neutral) {
  const int partials = line->by_row ? k_partials : 1;
  const pto_dtype acc = sum_type(line);
  uint64_t partial[k_partials];
  for (int i = 0; i < partials; ++i) partial[i] = is_float(line->dtype) ? neutral_float : neutral;
  for (int32_t k = 0; k < line->count; ++k) {
    partial[k % partials] = step(acc, partial[k % partials], summand(line, k));
  }
  for (int half = partials / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) partial[i] = step(acc, partial[i], partial[i + half]);
  }
  return result_of(line, partial[0]);
}

static uint64_t as_tree(const op_line *line) {
  const pto_dtype acc = sum_type(line);
  static uint64_t level[k_most];
  int32_t n = line->count;
  for (int32_t k = 0; k < n; ++k) level[k] = summand(line, k);
  for (; n > 1; n /= 2) {
    for (int32_t k = 0; k < n / 2; ++k) level[k] = op_add(acc, level[2 * k], level[2 * k + 1]);
    if (n % 2 != 0) level[n / 2 - 1] = op_add(acc, level[n / 2 - 1], level[n - 1]);
  }
  return result_of(line, level[0]);
}

static void sum(const op_line *line, uint64_t *out) {
  out[0] = line->mode == PTO_ORDER_TREE ? as_tree(line) : in_order(line, op_add, 0x80000000, 0);
}
static void prod(const op_line *line, uint64_t *out) { out[0] = in_order(line, op_mul, 0x3f800000, 1); }

static void fold(const op_line *line, step_fn step, uint64_t *out) {
  out[0] = step(line->dtype, line->in[0], line->in[0]);
  for (int32_t k = 1; k < line->count; ++k) out[0] = step(line->dtype, out[0], line->in[k]);
}
static void max(const op_line *line, uint64_t *out) { fold(line, op_max, out); }
static void min(const op_line *line, uint64_t *out) { fold(line, op_min, out); }

/* The first of the largest (1) or smallest (-1); the first NaN before all. The two zeros are equal. */
static int32_t place_of(const op_line *line, int which) {
  int32_t best = 0;
  for (int32_t k = 0; k < line->count; ++k) {
    if (ref_is_nan(line->dtype, line->in[k])) return k;
    if (op_order(line->dtype, line->in[k], line->in[best]) == which) best = k;
  }
  return best;
}
static void argmax(const op_line *line, uint64_t *out) { out[0] = (uint64_t)place_of(line, 1); }
static void argmin(const op_line *line, uint64_t *out) { out[0] = (uint64_t)place_of(line, -1); }
static void argmax_value(const op_line *line, uint64_t *out) {
  out[1] = (uint64_t)place_of(line, 1);
  out[0] = line->in[out[1]];
}
static void argmin_value(const op_line *line, uint64_t *out) {
  out[1] = (uint64_t)place_of(line, -1);
  out[0] = line->in[out[1]];
}

/* Neighbours; an odd last element is alone, zeros follow. */
static void pairs(const op_line *line, uint64_t *out) {
  const int32_t sums = line->count / 2;
  for (int32_t k = 0; k < line->count; ++k)
    out[k] = k < sums ? op_add(line->dtype, line->in[2 * k], line->in[2 * k + 1]) : 0;
  if (line->count % 2 != 0) out[sums] = line->in[line->count - 1];
}

#define F16 PTO_DTYPE_F16
#define F32 PTO_DTYPE_F32
/* 2**24 and ones: which of them meet shows the order of the sum. */
#define BIG 0x4b800000
#define ONE 0x3f800000
static const op_known_line k_row_sum[] = {
    {F32, 0, 3, {0x3f800000, 0x40000000, 0x40400000}, {0x40c00000}},
    {F32, 0, 2, {(int32_t)0x80000000, (int32_t)0x80000000}, {(int32_t)0x80000000}}, /* all -0 */
    {F32, 0, 2, {(int32_t)0x80000000, 0}, {0}},
    {F32, 0, 1, {0x7f800001}, {0x7fc00000}},
    {F32, 0, 2, {0x7f800000, (int32_t)0xff800000}, {0x7fc00000}},
    /* Elements 0, 1 and 8: 0 meets 8 first, where 1 is lost in 2**24; then 1 is lost again. */
    {F32, 0, 9, {BIG, ONE, 0, 0, 0, 0, 0, 0, ONE}, {BIG}},
    /* Elements 1 and 9 meet: 2 is not lost. */
    {F32, 0, 10, {BIG, ONE, 0, 0, 0, 0, 0, 0, 0, ONE}, {0x4b800001}},
    /* Elements 0 and 16 are of one partial, as 1 and 17: 17 elements and one. */
    {F32, 0, 18, {BIG, ONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ONE}, {0x4b800001}},
    /* Rounded once: 2048 + 1 + 1 in f16 is 2050, where 2048 + 1 rounds to 2048. */
    {F16, 0, 3, {0x6800, 0x3c00, 0x3c00}, {0x6801}},
    /* f32 partials do not overflow where f16 does. */
    {F16, 0, 3, {0x7bff, 0x7bff, 0xfbff}, {0x7bff}},
    {F16, 0, 2, {0x7bff, 0x7bff}, {0x7c00}},
    {PTO_DTYPE_I8, 0, 3, {100, 100, 100}, {44}},
    {PTO_DTYPE_U8, 0, 2, {255, 2}, {1}},
    {PTO_DTYPE_I64, 0, 2, {INT64_MAX, 1}, {INT64_MIN}},
};
static const op_known_line k_row_prod[] = {
    {F32, 0, 3, {0x3f800000, 0x40000000, 0x40400000}, {0x40c00000}},
    {F32, 0, 2, {0, 0x7f800000}, {0x7fc00000}},
    {F32, 0, 2, {(int32_t)0x80000000, ONE}, {(int32_t)0x80000000}},
    {F32, 0, 1, {0x7f800001}, {0x7fc00000}},
    /* Elements 0 and 8 overflow before 1 can help. */
    {F32, 0, 9, {0x7f000000, 0x3e800000, ONE, ONE, ONE, ONE, ONE, ONE, 0x40000000}, {0x7f800000}},
    {F16, 0, 3, {0x7bff, 0x4000, 0x3800}, {0x7bff}},
    {PTO_DTYPE_I8, 0, 2, {100, 3}, {44}},
    {PTO_DTYPE_U64, 0, 2, {-1, -1}, {1}},
};
static const op_known_line k_col_sum[] = {
    {F32, 0, 3, {BIG, ONE, ONE}, {BIG}}, /* one after another: each 1 is lost */
    {F32, 0, 3, {ONE, ONE, BIG}, {0x4b800001}},
    {F32, 0, 2, {(int32_t)0x80000000, (int32_t)0x80000000}, {(int32_t)0x80000000}},
    {F16, 0, 3, {0x6800, 0x3c00, 0x3c00}, {0x6801}},
    {PTO_DTYPE_I16, 0, 2, {32767, 1}, {-32768}},
};
static const op_known_line k_col_sum_order[] = {
    {F32, PTO_ORDER_SEQUENTIAL, 4, {BIG, ONE, ONE, ONE}, {BIG}},
    {F32, PTO_ORDER_TREE, 4, {BIG, ONE, ONE, ONE}, {0x4b800001}}, /* (BIG + 1) + (1 + 1) */
    {F32, PTO_ORDER_TREE, 3, {BIG, ONE, ONE}, {BIG}},             /* (BIG + 1) + 1 */
    {F32, PTO_ORDER_TREE, 1, {0x7f800001}, {0x7fc00000}},
    {PTO_DTYPE_I16, PTO_ORDER_TREE, 3, {32767, 1, 2}, {-32766}},
};
static const op_known_line k_col_prod[] = {
    {F32, 0, 3, {0x7f000000, 0x40000000, 0x3e800000}, {0x7f800000}}, /* overflows on the way */
    {F32, 0, 3, {0x7f000000, 0x3e800000, 0x40000000}, {0x7e800000}},
    {PTO_DTYPE_U16, 0, 2, {256, 256}, {0}},
};
static const op_known_line k_max[] = {
    {F32, 0, 3, {ONE, 0x7f800001, 0x7f800000}, {0x7fc00000}},
    {F32, 0, 2, {(int32_t)0x80000000, 0}, {0}},
    {F32, 0, 2, {0, (int32_t)0x80000000}, {0}},
    {F32, 0, 1, {(int32_t)0xff800000}, {(int32_t)0xff800000}},
    {PTO_DTYPE_I8, 0, 3, {-128, -5, -7}, {-5}},
    {PTO_DTYPE_U64, 0, 2, {INT64_MIN, INT64_MAX}, {INT64_MIN}},
};
static const op_known_line k_min[] = {
    {F32, 0, 3, {ONE, 0x7f800001, (int32_t)0xff800000}, {0x7fc00000}},
    {F32, 0, 2, {0, (int32_t)0x80000000}, {(int32_t)0x80000000}},
    {F16, 0, 2, {0x7c00, 0x7bff}, {0x7bff}},
    {PTO_DTYPE_U8, 0, 3, {128, 127, 255}, {127}},
    {PTO_DTYPE_I64, 0, 2, {INT64_MIN, INT64_MAX}, {INT64_MIN}},
};
static const op_known_line k_argmax[] = {
    {F32, 0, 4, {ONE, BIG, BIG, ONE}, {1}},                          /* the first */
    {F32, 0, 4, {BIG, 0x7fc00000, 0x7f800000, 0x7f800001}, {1}},     /* the first NaN */
    {F32, 0, 3, {(int32_t)0x80000000, 0, (int32_t)0x80000000}, {0}}, /* zeros are equal */
    {F32, 0, 2, {(int32_t)0xff800000, (int32_t)0xff800000}, {0}},
    {PTO_DTYPE_U8, 0, 3, {1, 255, 255}, {1}},
    {PTO_DTYPE_I64, 0, 3, {INT64_MIN, -1, -2}, {1}},
};
static const op_known_line k_argmin[] = {
    {F32, 0, 4, {BIG, ONE, ONE, BIG}, {1}},     {F32, 0, 3, {(int32_t)0xff800000, 0x7fc00000, 0}, {1}},
    {F32, 0, 2, {0, (int32_t)0x80000000}, {0}}, {F32, 0, 2, {0x7f800000, 0x7f800000}, {0}},
    {PTO_DTYPE_U16, 0, 3, {65535, 0, 0}, {1}},
};
static const op_known_line k_argmax_value[] = {
    {F32, 0, 3, {ONE, 0x7f812345, 0x7fc00000}, {0x7f812345, 1}}, /* a copy, bit for bit */
    {F32, 0, 3, {(int32_t)0x80000000, 0, ONE}, {ONE, 2}},
    {F16, 0, 3, {0x8000, 0x0000, 0x8000}, {0x8000, 0}},
    {PTO_DTYPE_I16, 0, 3, {-5, 7, 7}, {7, 1}},
};
static const op_known_line k_argmin_value[] = {
    {F32, 0, 3, {ONE, 0x7f812345, 0x7fc00000}, {0x7f812345, 1}},
    {F16, 0, 3, {0x0000, 0x8000, 0x3c00}, {0x0000, 0}},
    {PTO_DTYPE_I16, 0, 3, {5, -7, -7}, {-7, 1}},
};
/* The first two of the row. */
static const op_known_line k_pairs[] = {
    {F32, 0, 3, {ONE, ONE, 0x7f800001}, {0x40000000, 0x7f800001}},
    {F32, 0, 4, {ONE, ONE, (int32_t)0x80000000, (int32_t)0x80000000}, {0x40000000, (int32_t)0x80000000}},
    {F16, 0, 2, {0x7bff, 0x7bff}, {0x7c00, 0}},
    {PTO_DTYPE_I8, 0, 5, {127, 1, 3, 4, 5}, {-128, 7}},
};

static const op_entry k_entries[] = {
    {.name = "trowsum", .line = sum, OP_LINES(k_row_sum)},
    {.name = "trowprod", .line = prod, OP_LINES(k_row_prod)},
    {.name = "trowmax", .line = max, OP_LINES(k_max)},
    {.name = "trowmin", .line = min, OP_LINES(k_min)},
    {.name = "trowargmax", .line = argmax, OP_LINES(k_argmax)},
    {.name = "trowargmin", .line = argmin, OP_LINES(k_argmin)},
    {.name = "trowargmax_value", .line = argmax_value, OP_LINES(k_argmax_value)},
    {.name = "trowargmin_value", .line = argmin_value, OP_LINES(k_argmin_value)},
    {.name = "tcolsum", .line = sum, OP_LINES(k_col_sum)},
    {.name = "tcolsum_order", .line = sum, OP_LINES(k_col_sum_order)},
    {.name = "tcolprod", .line = prod, OP_LINES(k_col_prod)},
    {.name = "tcolmax", .line = max, OP_LINES(k_max)},
    {.name = "tcolmin", .line = min, OP_LINES(k_min)},
    {.name = "tcolargmax", .line = argmax, OP_LINES(k_argmax)},
    {.name = "tcolargmin", .line = argmin, OP_LINES(k_argmin)},
    {.name = "tcolargmax_value", .line = argmax_value, OP_LINES(k_argmax_value)},
    {.name = "tcolargmin_value", .line = argmin_value, OP_LINES(k_argmin_value)},
    {.name = "tpairreducesum", .line = pairs, OP_LINES(k_pairs)},
};
OP_FAMILY(k_family_reduce);
