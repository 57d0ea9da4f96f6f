/*
 * op_table.h: what every instruction must compute, once for all tests: a function of one
 * element or of one line, and results that are known without it. One table a family of
 * instructions, in a file of its name. Nothing here is shared with the library.
 */
#ifndef PTO_TESTS_RECORDS_OP_TABLE_H_
#define PTO_TESTS_RECORDS_OP_TABLE_H_

#include <stdint.h>

#include "pto_c.h"
#include "reference.h"

enum { k_known_sources = 4, k_known_line = 20 };

/* The operands of one element of the result, as bits. */
typedef struct op_element {
  pto_dtype dtype;               /* of the operand that leads */
  uint64_t src[k_known_sources]; /* of each input, in their order; of a tile of bits one bit */
  uint64_t scalar;               /* as an element of dtype, or of the type that the instruction gives it */
  uint64_t dst;                  /* what was there, when the instruction reads it */
  pto_dtype src_dtype;           /* of the first input */
  pto_dtype to;                  /* of the first output */
  int32_t numbers[8];            /* integers and modes, in their order */
  int32_t row, col;
  int32_t cols; /* of the valid region */
} op_element;
/* The bits that dst must get; of a tile of bits one. */
typedef uint64_t (*op_element_fn)(const op_element *e);

/* A row or a column that becomes one element, two, or a row again. */
typedef struct op_line {
  pto_dtype dtype;
  const uint64_t *in;
  int32_t count;
  int by_row;
  int32_t mode;
  pto_dtype out; /* of the first output */
} op_line;
/* out[k] is for the k-th output; out[0] to out[count - 1] where a row becomes a row. */
typedef void (*op_line_fn)(const op_line *line, uint64_t *out);

/* Where an element of an output comes from, of an instruction that moves elements. */
typedef struct op_region {
  int32_t rows, cols;
} op_region;
typedef struct op_move {
  int output;
  int32_t row, col;                  /* anywhere in the output's tile, valid or not */
  const op_region *outputs, *inputs; /* valid regions */
  const int32_t *numbers;
  uint64_t (*held)(int input, int32_t row, int32_t col); /* what an input holds */
  int32_t (*bytes)(int input);                           /* of an element of it */
  uint64_t *value;
} op_move;
enum { OP_KEPT = -1, OP_PADDED = -2, OP_VALUE = -3 };
/* Returns which input it comes from, and where it is there; or one of the above. */
typedef int (*op_place_fn)(const op_move *m, int32_t *row, int32_t *col);
/* One element of a product of matrices: what it starts from, a row of the left one, a column of the right one. */
typedef struct op_product {
  pto_dtype dtype, right_dtype; /* of the factors */
  int has_start;                /* else from 0 */
  uint64_t start;
  const uint64_t *left, *right;
  const uint64_t *left_scales, *right_scales; /* e8m0, one a factor; NULL: none */
  int32_t count;
  int32_t mad; /* how f32 is rounded */
} op_product;
typedef uint64_t (*op_product_fn)(const op_product *product);
/* A sum of products of bf16, whose bits are given as f32: two chains for each 32 values of k. */
uint64_t op_paired_sum(const uint64_t *left, const uint64_t *right, int32_t count, uint64_t start);

/* A known result: sources in their order, then the scalar, then what dst held. */
typedef struct op_floats {
  float in[3];
  float want; /* of f16, bf16 and f32 alike: every number is exact in each */
} op_floats;
typedef struct op_bits {
  pto_dtype dtype;
  int64_t in[3];
  int64_t want;
  int32_t numbers[8];
  int32_t src; /* the type of the first input + 1, where that is another */
} op_bits;
/* A known line. */
/* For a product, `mode` is the type of the factors, which are in pairs, followed by its start value. */
typedef struct op_known_line {
  pto_dtype dtype;
  int32_t mode;
  int32_t count;
  int64_t in[k_known_line];
  int64_t want[2];
} op_known_line;

/* What A2A3 wants for tmp. */
typedef enum op_tmp {
  TMP_OF_DST = 0, /* the valid region of dst */
  TMP_MASK = 1,   /* bytes, and a row to spare */
  TMP_ROW = 2     /* at least a row of the columns of dst */
} op_tmp;

typedef struct op_entry {
  const char *name;
  op_element_fn element; /* or */
  op_line_fn line;       /* or */
  op_place_fn place;     /* beside it: what moves there is what it makes of the first input; or alone; or */
  op_product_fn product; /* or */
  const char *elsewhere; /* the folder of its tests */
  const op_floats *floats;
  int float_count;
  const op_bits *bits;
  int bit_count;
  const op_known_line *lines;
  int line_count;
  op_element_fn second; /* for the second output; where only one source is valid its index is copied */
  int32_t rows;         /* when not 0: no more rows are written */
  /* Whether a result that is not the one of `element` is as good; NULL: never. */
  int (*near)(const op_element *e, uint32_t flags, uint64_t got);
  op_tmp tmp;
} op_entry;

#define OP_FLOATS(list) .floats = (list), .float_count = (int)(sizeof(list) / sizeof *(list))
#define OP_BITS(list) .bits = (list), .bit_count = (int)(sizeof(list) / sizeof *(list))
#define OP_LINES(list) .lines = (list), .line_count = (int)(sizeof(list) / sizeof *(list))

typedef struct op_family {
  const char *name;
  const op_entry *entries;
  int count;
} op_family;
#define OP_FAMILY(family) const op_family family = {#family, k_entries, (int)(sizeof k_entries / sizeof *k_entries)}

extern const op_family k_family_elementwise, k_family_scalar, k_family_expand, k_family_partial;
extern const op_family k_family_compare, k_family_convert, k_family_fill, k_family_reduce, k_family_move,
    k_family_matrix;
extern const op_family k_family_irregular, k_family_fixpipe;

/* The entry of an instruction; NULL when no family has it. */
const op_entry *op_entry_of(const char *name);
/* The n-th entry of all families; NULL when there are no more. */
const op_entry *op_entry_at(int n);

/* ---- arithmetic that families share ---- */

uint64_t op_add(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_sub(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_mul(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_div(pto_dtype dtype, uint64_t a, uint64_t b);
/* A float of any type as f32, exactly; e4m3 and so on by the tables of the formats (convert.c). */
uint64_t op_as_f32(pto_dtype dtype, uint64_t bits);
uint64_t op_fma(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c);
/* NaN wins and is the canonical one; +0 is larger than -0. */
uint64_t op_max(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_min(pto_dtype dtype, uint64_t a, uint64_t b);
/* NaN stays NaN, both zeros give +0. */
uint64_t op_relu(pto_dtype dtype, uint64_t a);
uint64_t op_prelu(pto_dtype dtype, uint64_t a, uint64_t slope);
uint64_t op_pow(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_rem(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_fmod(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_exp_difference(pto_dtype dtype, uint64_t a, uint64_t b);
/* An element of another type, rounded by a mode that is not PTO_ROUND_NONE. */
uint64_t op_convert(pto_dtype to, pto_dtype from, uint64_t bits, int32_t mode, int saturates);
/* f32 as f16 or bf16, to nearest even; elements of one type as they are. */
uint64_t op_narrow(pto_dtype to, pto_dtype from, uint64_t bits);
uint64_t op_left(pto_dtype to, pto_dtype from, uint64_t bits, int saturates);
/* A sum through a quantisation word, one of those that columns have; and what a mode makes of it before. */
uint64_t op_rectified(pto_dtype dtype, uint64_t sum, int32_t relu);
uint64_t op_quantised(pto_dtype to, pto_dtype from, uint64_t sum, uint64_t word, int by_column);
/* Of windows that are read and written. */
int op_extracted(const op_move *m, int32_t *row, int32_t *col);
int op_inserted(const op_move *m, int32_t *row, int32_t *col);
uint64_t op_shift_left(pto_dtype dtype, uint64_t a, uint64_t count);
uint64_t op_shift_right(pto_dtype dtype, uint64_t a, uint64_t count);
/* -1, 0 or 1 as a is less than, equal to or larger than b; 2 when one is NaN. The two zeros are equal. */
int op_order(pto_dtype dtype, uint64_t a, uint64_t b);
uint64_t op_sign_bit(pto_dtype dtype);
/* f32 may be off by a unit in the last place, where the flags have no PTO_HIGH_PRECISION. */
int op_near(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b, uint32_t flags, uint64_t got);

/* Known results that families share, of two operands. */
extern const op_floats k_add_floats[], k_sub_floats[], k_mul_floats[], k_div_floats[], k_min_floats[], k_max_floats[];
enum { k_add_float_count = 11, k_sub_float_count = 9, k_mul_float_count = 10, k_div_float_count = 16 };
enum { k_min_float_count = 12, k_max_float_count = 12 };
extern const op_floats k_rem_floats[], k_fmod_floats[], k_exp_difference_floats[];
enum { k_rem_float_count = 14, k_fmod_float_count = 12, k_exp_difference_float_count = 9 };
extern const op_bits k_rem_bits[], k_fmod_bits[], k_exp_difference_bits[];
enum { k_rem_bit_count = 10, k_fmod_bit_count = 8, k_exp_difference_bit_count = 6 };
extern const op_bits k_add_bits[], k_sub_bits[], k_mul_bits[], k_div_bits[], k_min_bits[], k_max_bits[];
enum { k_add_bit_count = 15, k_sub_bit_count = 12, k_mul_bit_count = 12, k_div_bit_count = 16 };
enum { k_min_bit_count = 8, k_max_bit_count = 8 };
#define OP_KNOWN(fn) \
  .floats = k_##fn##_floats, .float_count = k_##fn##_float_count, .bits = k_##fn##_bits, .bit_count = k_##fn##_bit_count

#endif /* PTO_TESTS_RECORDS_OP_TABLE_H_ */
