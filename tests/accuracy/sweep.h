/*
 * sweep.h: a sweep is an instruction on an element type over many inputs, cut
 * into blocks of 65536 elements: how to fill a block and what its results must be.
 */
#ifndef PTO_TESTS_ACCURACY_SWEEP_H_
#define PTO_TESTS_ACCURACY_SWEEP_H_

#include <stddef.h>
#include <stdint.h>

#include "pto_c.h"
#include "reference.h"

enum { k_sweep_rows = 16, k_sweep_cols = 4096, k_sweep_block = k_sweep_rows * k_sweep_cols };

typedef struct sweep_stats {
  uint64_t cases;      /* inputs */
  uint64_t wrong;      /* results that break the law, all targets together */
  uint64_t misrounded; /* of the first target: not the nearest value */
  uint64_t decided;    /* inputs that MPFR decided */
  double max_ulp;      /* of misrounded results */
} sweep_stats;

typedef struct sweep_block {
  uint64_t index;
  void *a;
  void *b; /* one row of k_sweep_cols in some sweeps */
  void *want;
  sweep_stats *stats;
} sweep_block;

typedef struct sweep sweep;
struct sweep {
  const char *name;
  const char *op;
  pto_dtype dtype;
  ref_fn fn;
  uint32_t flags[2]; /* each must give the same results */
  int flag_count;
  int kind; /* of the inputs, for the sweep's own functions */
  int b_is_row;
  int within_one_ulp; /* else only the nearest value will do */
  uint64_t blocks;    /* a power of two */
  uint64_t quick_blocks;
  const char *inputs; /* in words */
  void (*fill)(const sweep *self, sweep_block *block);
  /*
   * One of the two is set. `expect` sets the wanted results before the
   * instruction runs; `judge` looks at the results of the first target, which
   * the others then have to equal bit for bit.
   */
  void (*expect)(const sweep *self, sweep_block *block);
  void (*judge)(const sweep *self, sweep_block *block, const void *got);
};

/* All sweeps; call sweep_init() once before. */
void sweep_init(void);
size_t sweep_count(void);
const sweep *sweep_at(size_t index);

/* Counts and shows a result that breaks the law; threads may call it at once. */
void sweep_wrong(const sweep *self, sweep_block *block, const char *target, uint64_t a, uint64_t b, uint64_t got,
                 uint64_t want);

/* ---- the families ---- */

void sweep_small_init(void);
void sweep_small_fill(const sweep *self, sweep_block *block);
void sweep_bf16_rem_fill(const sweep *self, sweep_block *block);
void sweep_small_expect(const sweep *self, sweep_block *block);
void sweep_small_expdif_expect(const sweep *self, sweep_block *block);
/* By the reference itself. */
void sweep_small_reference_expect(const sweep *self, sweep_block *block);
void sweep_small_pow_expect(const sweep *self, sweep_block *block);

void sweep_f32_fill(const sweep *self, sweep_block *block);
void sweep_f32_expect(const sweep *self, sweep_block *block);
void sweep_div_hard_fill(const sweep *self, sweep_block *block);

void sweep_f32_all_fill(const sweep *self, sweep_block *block);
void sweep_f32_root_expect(const sweep *self, sweep_block *block);
void sweep_rsqrt_judge(const sweep *self, sweep_block *block, const void *got);

/* Kinds of inputs of f32 powers. */
enum {
  k_pow_typical = 0,
  k_pow_wide = 1,
  k_pow_near_one = 2,
  k_pow_edges = 3,
  k_pow_bits = 4,
  k_pow_integers = 5,
  k_pow_hard = 6
};
void sweep_pow_inputs_init(void);
void sweep_pow_fill(const sweep *self, sweep_block *block);
void sweep_pow_expect(const sweep *self, sweep_block *block);
void sweep_pow_judge(const sweep *self, sweep_block *block, const void *got);

#endif /* PTO_TESTS_ACCURACY_SWEEP_H_ */
