/*
 * sweep_rsqrt.c: all 2^32 inverse square roots of f32, judged by integers; roots and reciprocals by f64.
 *
 * No root is computed. y is the float nearest to 1/sqrt(x) exactly when x times
 * the square of the midpoint below y is less than 1 and x times the square of
 * the midpoint above is more. Neither product is 1: a midpoint is an odd number
 * of 25 bits times a power of two, and the square of an odd number above 1 has
 * no multiple that is a power of two.
 */
#include <math.h>
#include <string.h>

#include "sweep.h"

__extension__ typedef unsigned __int128 u128;

static const uint32_t k_inf = 0x7f800000;

void sweep_f32_all_fill(const sweep *self, sweep_block *block) {
  uint32_t *a = block->a;
  (void)self;
  for (uint32_t i = 0; i < k_sweep_block; ++i) {
    a[i] = (uint32_t)(block->index * k_sweep_block) + i;
  }
}

/* For positive finite x. The nearest y is normal: it lies in 2^-64 to 2^75. */
static int is_nearest(uint32_t x, uint32_t y) {
  if (y < 0x00800000 || y >= k_inf) return 0;
  const int x_field = (int)(x >> 23);
  const uint64_t mx = (x & 0x7fffff) | (x_field != 0 ? 0x800000u : 0u);
  const int ex = (x_field != 0 ? x_field : 1) - 150;
  const uint64_t my = (y & 0x7fffff) | 0x800000u;
  const int ey = (int)(y >> 23) - 150;
  /* In quarters of y's last place; below a power of two, floats lie closer. */
  const uint64_t above = 4 * my + 2;
  const uint64_t below = 4 * my - (my == 0x800000 ? 1 : 2);
  /* x * mid^2 against 1 is mx * quarters^2 against 2^one. Products have at
     most 76 bits, at least 50. */
  const int one = -(ex + 2 * (ey - 2));
  if (one < 32 || one > 100) return 0;
  return ((u128)below * below * mx) >> one == 0 && ((u128)above * above * mx) >> one != 0;
}

void sweep_rsqrt_judge(const sweep *self, sweep_block *block, const void *got) {
  const uint32_t *a = block->a;
  const uint32_t *y = got;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    if (a[i] - 1 < k_inf - 1) { /* positive and finite */
      if (is_nearest(a[i], y[i])) continue;
    }
    /* Special values, and the proof that a wrong one is wrong. */
    uint64_t want = 0;
    ref_exact_apply(REF_RSQRT, PTO_DTYPE_F32, a[i], 0, &want);
    if (!ref_matches(PTO_DTYPE_F32, want, y[i])) {
      sweep_wrong(self, block, "the first target", a[i], 0, y[i], want);
    }
  }
}

/*
 * A root or reciprocal of an f32 is never a tie of f32, nor nearer to one than 2^-49 of itself: such a tie, of 25 bits,
 * would make its square, or its product with the operand, differ from the operand or from 1 by less than a unit of
 * the 49 bits in which these are exact. f64 errs by 2^-53, so that rounding twice cannot go wrong.
 */
void sweep_f32_root_expect(const sweep *self, sweep_block *block) {
  const uint32_t *a = block->a;
  uint32_t *want = block->want;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    float x;
    memcpy(&x, &a[i], sizeof x);
    const float y = (float)(self->fn == REF_SQRT ? sqrt((double)x) : 1.0 / (double)x);
    memcpy(&want[i], &y, sizeof y);
    if (y != y) want[i] = 0x7fc00000;
  }
}
