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

/* Philox4x32, as its paper writes it: the high and the low half of two products. */
static uint64_t random_word(const op_element *e) {
  uint64_t x[4];
  uint64_t key[2] = {(uint32_t)e->numbers[0], (uint32_t)e->numbers[1]};
  uint64_t carry = (uint64_t)e->row * (((uint64_t)e->cols + 3) / 4) + (uint64_t)e->col / 4;
  for (int i = 0; i < 4; ++i) {
    const uint64_t word = (uint32_t)e->numbers[2 + i];
    x[i] = (word + carry) % (UINT64_C(1) << 32);
    carry = (word + carry) / (UINT64_C(1) << 32);
  }
  const int rounds = e->numbers[6] == PTO_ROUNDS_R7 ? 7 : 10;
  for (int i = 0; i < rounds; ++i) {
    const uint64_t p0 = x[0] * UINT64_C(3528531795);
    const uint64_t p1 = x[2] * UINT64_C(3449720151);
    x[0] = (p1 >> 32) ^ x[1] ^ key[0];
    x[1] = p1 & 0xffffffff;
    x[2] = (p0 >> 32) ^ x[3] ^ key[1];
    x[3] = p0 & 0xffffffff;
    key[0] = (key[0] + UINT64_C(2654435769)) & 0xffffffff;
    key[1] = (key[1] + UINT64_C(3144134277)) & 0xffffffff;
  }
  return x[e->col % 4];
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

/* The first words of the published vectors; test_irregular has all. */
static const op_bits k_random[] = {
    {PTO_DTYPE_U32, {0}, 0x6627e8d5, {0}, 0},
    {PTO_DTYPE_U32, {0}, 0x5f6fb709, {0, 0, 0, 0, 0, 0, PTO_ROUNDS_R7}, 0},
    {PTO_DTYPE_I32, {0}, 0x408f276d, {-1, -1, -1, -1, -1, -1}, 0},
};

static const op_entry k_entries[] = {
    {.name = "trandom", .element = random_word, OP_BITS(k_random)},
    {.name = "tci", .element = count, .rows = 1, OP_FLOATS(k_count), OP_BITS(k_count_bits)},
    {.name = "ttri", .element = triangle, OP_BITS(k_triangle)},
};
OP_FAMILY(k_family_fill);
