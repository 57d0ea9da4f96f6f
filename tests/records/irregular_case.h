/*
 * irregular_case.h: calls of instructions whose operands have shapes and contents of their own. A test specifies for
 * each the shapes and, element by element, what the memory must hold afterwards; here tiles are placed in one
 * arena, in any layout, as views, over each other, and every byte is compared on every profile and SIMD target.
 */
#ifndef PTO_TESTS_RECORDS_IRREGULAR_CASE_H_
#define PTO_TESTS_RECORDS_IRREGULAR_CASE_H_

#include <stddef.h>
#include <stdint.h>

#include "layouts.h"
#include "pto_c.h"

enum { k_case_elements = 1 << 16, k_most_tiles = 8, k_most_numbers = 8 };

typedef struct tile_case {
  int32_t role;
  pto_dtype dtype;
  int32_t valid_rows, valid_cols;
  int full; /* valid in all of its columns */
  int tall; /* fills one column */
  /* From here on drawn by the runner. */
  pto_tile_desc desc; /* of the tile, or of the one that it is a view of */
  int view;
  int32_t row, col, rows, cols; /* of the tile itself; where it begins, if it is a view */
  int64_t bytes;
  uint8_t *at;
  int64_t map[k_case_elements];
} tile_case;

typedef struct irregular_case {
  int32_t op;
  pto_dtype dtype; /* of the lead operand */
  pto_profile profile;
  int hardware; /* a geometry that A2A3 and A5 take */
  int n;        /* the number of the case */
  int32_t numbers[k_most_numbers];
  int count; /* of tiles: the operands that are tiles, in their order */
  tile_case tile[k_most_tiles];
  const char *refused; /* the rule that it breaks; NULL: none */
} irregular_case;

typedef struct irregular_op {
  const char *name;
  /* Sets types and valid regions of the tiles, and the numbers. */
  void (*shape)(irregular_case *c);
  /* Writes what tiles must hold that have no use for any bits, with case_set(). NULL: nothing. */
  void (*fill)(irregular_case *c);
  /* What outputs must hold, by case_get() and case_want(). Not asked where the case is refused. */
  void (*want)(irregular_case *c);
} irregular_op;

/* Numbers of the case. */
uint32_t case_draw(uint32_t below);
int case_one_in(uint32_t n);
pto_dtype case_dtype_of(const irregular_case *c, int32_t operand);

/* Valid regions: the n-th of a list, or a drawn one; another tile's region, or one with more. */
void draw_region(tile_case *t, int n);
void like(tile_case *t, const tile_case *other, int more);
/* A whole number of 32 bytes, the unit of rows in hardware. */
void whole_rows(const irregular_case *c, tile_case *t);

/* Elements, before the call and after it. */
uint64_t case_get(const tile_case *t, int32_t r, int32_t col);
void case_set(const tile_case *t, int32_t r, int32_t col, uint64_t bits);
void case_want(const tile_case *t, int32_t r, int32_t col, uint64_t bits);

void irregular_create(void);
void irregular_release(void);
void irregular_run(const irregular_op *op, int cases);
/* 300 cases of each, in groups of their names; returns how many failed. */
int irregular_all(const irregular_op *ops, size_t count);

#endif /* PTO_TESTS_RECORDS_IRREGULAR_CASE_H_ */
