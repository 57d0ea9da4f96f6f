/*
 * test_sweep.c: tests of the sweeps' judges: they expect the results of the
 * reference, right results pass, and results one step off do not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/only_op.h"
#include "special_inputs.h"
#include "sweep.h"

enum { k_blocks = 3, k_most_blocks = 64, k_checked = 1500, k_checked_quick = 300 };

static uint64_t operand_b(const sweep *which, const sweep_block *block, size_t i) {
  return special_get(which->dtype, block->b, which->b_is_row ? i % k_sweep_cols : i);
}

static int check_expect(const sweep *which, sweep_block *block, uint64_t *seed) {
  which->expect(which, block);
  for (int k = 0; k < (in_thorough() ? k_checked : k_checked_quick); ++k) {
    const size_t i = special_random(seed) % k_sweep_block;
    const uint64_t a = special_get(which->dtype, block->a, i);
    const uint64_t b = operand_b(which, block, i);
    const uint64_t want = special_get(which->dtype, block->want, i);
    const uint64_t reference = ref_apply(which->fn, which->dtype, a, b);
    if (ref_matches(which->dtype, reference, want)) continue;
    printf("%s expects %#llx of %#llx, %#llx; the reference has %#llx\n", which->name, (unsigned long long)want,
           (unsigned long long)a, (unsigned long long)b, (unsigned long long)reference);
    return 0;
  }
  return 1;
}

/*
 * Whether a step from the right result must be found wrong. Not from special
 * values, which may be a table's or the next to a tie, nor from a power of two
 * and its neighbours: below it steps are half as long.
 */
static int is_movable(uint32_t z) {
  const uint32_t magnitude = z & 0x7fffffff;
  return magnitude < 0x7f7ffffe && (magnitude & 0x7fffff) > 2;
}

/* The elements that are judged: all, or two lines, which the others of the block repeat. */
static size_t judged_elements(void) { return in_thorough() ? k_sweep_block : (size_t)2 * k_sweep_cols; }

static void repeat(void *elements, size_t bytes) {
  const size_t first = judged_elements() * bytes;
  for (size_t at = first; at < k_sweep_block * bytes; at += first) memcpy((char *)elements + at, elements, first);
}

static uint64_t count_wrong(const sweep *which, sweep_block *block, const uint32_t *right, uint32_t step) {
  static uint32_t moved[k_sweep_block];
  memcpy(moved, right, sizeof moved);
  for (size_t i = 0; i < judged_elements(); ++i) moved[i] += is_movable(right[i]) ? step : 0;
  block->stats->wrong = 0;
  which->judge(which, block, moved);
  return block->stats->wrong;
}

/* Returns -1 for a block that proves nothing, such as roots of negative numbers. */
static int check_judge(const sweep *which, sweep_block *block) {
  static uint32_t right[k_sweep_block];
  uint64_t movable = 0;
  const size_t size = (size_t)pto_dtype_bytes(which->dtype);
  repeat(block->a, size);
  if (!which->b_is_row) repeat(block->b, size);
  for (size_t i = 0; i < judged_elements(); ++i) {
    right[i] = (uint32_t)ref_apply(which->fn, which->dtype, special_get(which->dtype, block->a, i),
                                   operand_b(which, block, i));
    movable += (uint64_t)is_movable(right[i]);
  }
  repeat(right, sizeof *right);
  if (movable == 0) return -1;
  const uint32_t step = which->within_one_ulp ? 2 : 1;
  const uint64_t none = count_wrong(which, block, right, 0);
  const uint64_t above = count_wrong(which, block, right, step);
  const uint64_t below = count_wrong(which, block, right, 0 - step);
  if (none == 0 && above == movable && below == movable) return 1;
  printf("%s: %llu right results are refused; of %llu moved ones %llu and %llu\n", which->name,
         (unsigned long long)none, (unsigned long long)movable, (unsigned long long)above, (unsigned long long)below);
  return 0;
}

int main(void) {
  static uint64_t a[k_sweep_block], b[k_sweep_block], want[k_sweep_block];
  sweep_stats stats;
  sweep_block block = {0, a, b, want, &stats};
  uint64_t seed = 11;
  int ok = 1;
  sweep_init();
  /* The wrong results that this test feeds to the judges are not news. */
  if (freopen("/dev/null", "w", stderr) == NULL) return 2;
  for (size_t s = 0; s < sweep_count(); ++s) {
    const sweep *which = sweep_at(s);
    int judged = which->judge != NULL ? -1 : 1;
    for (int k = 0; k < (in_thorough() ? k_blocks : 1) || (judged < 0 && k < k_most_blocks); ++k) {
      memset(&stats, 0, sizeof stats);
      block.index = special_random(&seed) & (which->blocks - 1);
      which->fill(which, &block);
      if (which->expect != NULL) ok &= check_expect(which, &block, &seed);
      if (judged < 0) judged = check_judge(which, &block);
    }
    ok &= judged > 0;
  }
  return ok ? 0 : 1;
}
