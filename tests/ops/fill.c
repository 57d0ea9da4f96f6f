/* fill.c: elements made of their place. */
#include <math.h>
#include <stddef.h>

#include "op_table.h"
#include "reference.h"

static uint64_t count(const op_element *e) {
  const int64_t k = e->numbers[0] == PTO_DIRECTION_DOWN ? -(int64_t)e->col : e->col;
  if (ref_format_of(e->dtype) != NULL) return ref_exact_count(e->dtype, e->scalar, k);
  return (e->scalar + (uint64_t)k) & ref_mask(e->dtype);
}

static uint64_t triangle(const op_element *e) {
  const int64_t border = (int64_t)e->row + e->numbers[0];
  const ref_format *f = ref_format_of(e->dtype);
  const uint64_t one = f == NULL ? 1 : (uint64_t)f->bias << f->fraction;
  return (e->numbers[1] == PTO_TRIANGLE_UPPER ? e->col >= border : e->col <= border) ? one : 0;
}

/* Of element (0, 0). */
static const op_floats k_count[] = {{{2.5F}, 2.5F}, {{-INFINITY}, -INFINITY}, {{NAN}, NAN}};
static const op_bits k_count_bits[] = {{PTO_DTYPE_I16, {-5}, -5}, {PTO_DTYPE_U64, {-1}, -1}};
static const op_bits k_triangle[] = {
    {PTO_DTYPE_F32, {0}, 0x3f800000, {0, PTO_TRIANGLE_LOWER}, 0},
    {PTO_DTYPE_F16, {0}, 0, {1, PTO_TRIANGLE_UPPER}, 0},
    {PTO_DTYPE_I8, {0}, 1, {INT32_MIN, PTO_TRIANGLE_UPPER}, 0},
    {PTO_DTYPE_U64, {0}, 0, {INT32_MIN, PTO_TRIANGLE_LOWER}, 0},
    {PTO_DTYPE_I32, {0}, 1, {INT32_MAX, PTO_TRIANGLE_LOWER}, 0},
    {PTO_DTYPE_BF16, {0}, 0, {INT32_MAX, PTO_TRIANGLE_UPPER}, 0},
};

static const op_entry k_entries[] = {
    {.name = "tci", .element = count, .rows = 1, OP_FLOATS(k_count), OP_BITS(k_count_bits)},
    {.name = "ttri", .element = triangle, OP_BITS(k_triangle)},
};
OP_FAMILY(k_family_fill);
