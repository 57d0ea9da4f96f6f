/*
 * op_case.h: one call of an instruction on given tiles, run on every profile,
 * flag and SIMD target that takes it, and compared byte for byte.
 *
 * The tiles of a case lie in one arena, so that aliasing, guard bytes and the
 * elements outside the valid region are all the same question: after the call the
 * arena must be what it was, except for the valid region of dst.
 */
#ifndef PTO_TESTS_COMMON_OP_CASE_H_
#define PTO_TESTS_COMMON_OP_CASE_H_

#include <stdint.h>

#include "layouts.h"
#include "profiles.h"
#include "pto_c.h"
#include "reference.h"

enum { k_case_tiles = 4, k_max_targets = 32 };

/* How the sources of an instruction move with dst. */
typedef enum op_walk {
  OP_WALK_TILE = 0,       /* element by element */
  OP_WALK_COL_EXPAND = 1, /* src1 has one scalar per column */
  OP_WALK_PARTIAL = 2,    /* combined where both are valid, else copied */
  OP_WALK_COPY = 3        /* the bits of the one source; fn is not looked at */
} op_walk;

/* The tmp that an instruction needs under A2A3. */
typedef enum op_tmp {
  OP_TMP_NONE = 0,     /* there is no tmp operand */
  OP_TMP_LIKE_DST = 1, /* the region and type of dst */
  OP_TMP_MASK = 2      /* u8, one valid row more than dst, and no operand overlaps another */
} op_tmp;

/* An instruction under test: all that a test must say of it. */
typedef struct op_under_test {
  const char *name;
  ref_fn fn;
  op_walk walk;
  op_tmp tmp;
} op_under_test;

/* A tile of a case. */
typedef struct case_tile {
  int layout;         /* index in k_layouts */
  int32_t rows, cols; /* allocated */
  int32_t valid_rows, valid_cols;
  int base;      /* -1, or the earlier operand whose memory it shares */
  int32_t shift; /* elements from that operand's first element to its own */
} case_tile;

typedef struct op_case {
  pto_dtype dtype;
  int hardware;                     /* A2A3 and A5 accept the geometry and the aliasing too */
  int tmp;                          /* a tmp is given; it is needed under A2A3 */
  case_tile tile[k_case_tiles - 1]; /* dst, then the sources */
} op_case;

/* The runner of cases: contexts and memory that are made once. */
typedef struct op_bench op_bench;

op_bench *op_bench_create(const op_under_test *op);
void op_bench_release(op_bench *bench);

int op_bench_sources(const op_bench *bench);

/* Runs a case and fails the test when anything differs. */
void op_case_run(op_bench *bench, const op_case *c);

/*
 * The same with something done around each call, and only there: the reference
 * does not see it. `enter` and `leave` may be NULL.
 */
void op_case_run_within(op_bench *bench, const op_case *c, void (*enter)(void), void (*leave)(void));

/* Element pairs whose results are known: each on every flag, profile and target. */
void op_case_known(op_bench *bench, pto_dtype dtype, int count, const uint64_t *a, const uint64_t *b,
                   const uint64_t *want);

/* Calls of the instruction that were compared so far. */
int64_t op_bench_runs(const op_bench *bench);

#endif /* PTO_TESTS_COMMON_OP_CASE_H_ */
