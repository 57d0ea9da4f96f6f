/* sampler_impl.h: what the parts of the sampler share: a call that is drawn, and the memory that it is about. */
#ifndef PTO_TESTS_RECORDS_SAMPLER_IMPL_H_
#define PTO_TESTS_RECORDS_SAMPLER_IMPL_H_

#include "guards.h"
#include "extents.h"
#include "layouts.h"
#include "profiles.h"
#include "reference.h"
#include "sampler.h"
#include "testing.h"
#include "values.h"

enum {
  k_arena = 1 << 20,
  k_elements = 1 << 14,
  k_most_targets = 32,
  k_tiles = 6,
  k_box = 32,
  k_usual_depth = 34,
  k_most_depth = 290,
  k_known_scale = 128
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
  guards guards;
} call;

typedef struct sampler_state {
  pto_context *ctx[k_profiles][k_most_targets];
  int targets;
  int64_t calls;
  uint64_t seed;
  uint8_t *arena, *initial, *expected, *seen;
} sampler_state;
extern sampler_state g;

static inline uint32_t draw(uint32_t below) { return (uint32_t)(values_random(&g.seed) >> 16) % below; }
static inline int one_in(uint32_t n) { return draw(n) == 0; }

static inline int64_t size_of(const placed *t) { return values_bytes(t->desc.dtype); }
static inline int is_output(const placed *t) { return t->role == PTO_ROLE_OUT || t->role == PTO_ROLE_INOUT; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int32_t round_up(int32_t n, int32_t unit) { return (n + unit - 1) / unit * unit; }

/* Elements that fill the one column of an unboxed column-major tile. */
static inline int stands_down(const placed *t) {
  return t->desc.blayout == PTO_BLAYOUT_COL_MAJOR && t->desc.slayout == PTO_SLAYOUT_NONE_BOX && t->cols == 1;
}

static inline uint8_t *at(const placed *t, int32_t r, int32_t c) {
  return t->at + t->map[(int64_t)(t->row + r) * t->desc.cols + t->col + c] * size_of(t);
}

/* sampler_draw.c: what a call is made of. */
void place(call *c);
void make_tiles(call *c, int n);
void fill(const call *c);
void draw_scalar(call *c);

/* sampler_want.c: what the memory must hold afterwards. */
void expect_elements(const call *c);
void expect_lines(const call *c);
void expect_places(const call *c);
void expect_products(const call *c);
int gather(const call *c, int32_t i, int32_t j, op_element *e);

#endif
