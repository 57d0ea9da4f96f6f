/*
 * sweep_pow_inputs.c: seven kinds of f32 bases and exponents, the same for the
 * same block number on every machine with a correct double log2 to 2^-40.
 */
#include <math.h>
#include <string.h>

#include "special_inputs.h"
#include "sweep.h"

typedef struct operands {
  float base;
  float exponent;
} operands;

enum { k_root_count = 2048 };

/* Bases whose square, and whose square root, lie next to a rounding tie. */
static uint32_t g_square[4 * k_root_count];
static uint32_t g_root[4 * k_root_count];
static size_t g_square_count, g_root_count;

static float float_of(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

/* Uniform in [low, high). */
static double uniform(uint64_t r, double low, double high) { return low + (high - low) * (double)(r >> 11) * 0x1p-53; }

/* The exponent that takes the base to about 2^t. */
static float exponent_for(float base, double t) { return (float)(t / log2((double)base)); }

/* A square root of c modulo 2^bits, c = 1 modulo 8: one bit after the other. */
static uint64_t root_modulo(uint64_t c, int bits) {
  uint64_t root = 1;
  for (int k = 3; k < bits; ++k) {
    if (((root * root - c) >> k) & 1) root += UINT64_C(1) << (k - 1);
  }
  return root & ((UINT64_C(1) << bits) - 1);
}

/*
 * Squares: a base of 24 bits has a square of 47 or 48; when its low 24 bits are
 * 2^23 + c, c small, the square is c * 2^-24 ulp from a tie. Roots: a midpoint
 * m of 25 bits with m^2 = 2^26 x + c makes sqrt(2^26 x) differ from m by c / 2m.
 */
void sweep_pow_inputs_init(void) {
  for (int j = -k_root_count / 2; j < k_root_count / 2; ++j) {
    const uint64_t c = (uint64_t)(int64_t)(8 * j + 1);
    const uint64_t square = root_modulo(c + (1u << 23), 24);
    const uint64_t middle = root_modulo(c, 26);
    for (unsigned k = 0; k < 4; ++k) {
      uint64_t x = ((k & 1) ? square : 0 - square) + ((k & 2) ? 1u << 23 : 0);
      x &= 0xffffff;
      if (x >= 0x800000) g_square[g_square_count++] = (uint32_t)x;
      uint64_t m = ((k & 1) ? middle : 0 - middle) + ((k & 2) ? 1u << 25 : 0);
      m &= 0x3ffffff;
      if (m < (1u << 24) || m >= (1u << 25)) continue;
      g_root[g_root_count++] = (uint32_t)((m * m - c) >> 26);
    }
  }
}

/* s^(2^shift) * 2^e to the power n / 2^shift: exact, often a tie. */
static operands exact_power(uint64_t r) {
  static const int limits[9] = {0, 0, 8191, 322, 76, 31, 17, 11, 9};
  const int shift = (int)(r & 3);
  const int n = 2 + (int)((r >> 2) % 7);
  double s = (double)(1 + 2 * ((r >> 8) % (unsigned)((limits[n] + 1) / 2)));
  operands o;
  for (int k = 0; k < shift; ++k) s *= s;
  const int result = (int)((r >> 32) % 300) - 160;
  const int step = 1 << shift;
  int e = (int)(result - log2(s) * n / step) / n * step;
  if (s >= 0x1p24) s = 3;
  o.base = (float)ldexp(s, e);
  o.exponent = (float)n / (float)step;
  return o;
}

static operands hard(uint64_t r, uint64_t r2) {
  operands o = {1, 1};
  const int scale = (int)((r >> 8) % 61) - 30;
  const size_t pick = (size_t)(r >> 16);
  switch (r % 5) {
    case 0:
      o.base = (float)ldexp(g_square[pick % g_square_count], scale - 23);
      o.exponent = 2;
      break;
    case 1:
      o.base = (float)ldexp(g_root[pick % g_root_count], 2 * scale - 24);
      o.exponent = 0.5f;
      break;
    case 2: /* 1 + (k + 1/2) ulp, for any base */
      o.base = float_of(r2 & 0x7fffffff);
      o.exponent = exponent_for(o.base, ((double)((r >> 8) & 31) - 15.5) * 0x1.715476p-23);
      break;
    case 3: /* (1 + j ulp) ** (k / 16) */
      o.base = float_of(0x3f800000 + (r2 & 255) - 128);
      o.exponent = (float)((int)((r2 >> 8) & 255) - 128) / 16;
      break;
    default:
      o = exact_power(r >> 3);
      break;
  }
  return o;
}

/* Two different operands by 64 random bits each. */
static operands draw(int kind, uint64_t r, uint64_t r2) {
  static const double edges[8] = {128, 128, -126, -149, -150, -148, 127, -125};
  operands o;
  switch (kind) {
    case k_pow_typical:
      o.base = float_of(((123 + (r & 7)) << 23) | ((r >> 8) & 0x7fffff));
      o.exponent = float_of(((123 + (r2 & 7)) << 23) | ((r2 >> 8) & 0x807fffff));
      return o;
    case k_pow_wide:
      o.base = float_of(r & 0x7fffffff);
      o.exponent = exponent_for(o.base, uniform(r2, -152, 130));
      return o;
    case k_pow_near_one:
      /* 1 + d, |d| < 1/2 of every size down to one ulp. */
      o.base = 1.0f + (float)ldexp(uniform(r, -0.5, 0.5), -(int)(r2 & 31) % 23);
      o.exponent = exponent_for(o.base, ldexp(uniform(r2, -150, 128), -(int)((r2 >> 5) & 31)));
      return o;
    case k_pow_edges:
      o.base = float_of(r & 0x7fffffff);
      o.exponent = exponent_for(o.base, edges[r2 & 7] + ldexp(uniform(r2, -1, 1), -(int)((r2 >> 3) & 15)));
      return o;
    case k_pow_integers:
      /* Bases of few bits and exponents in halves: exact results and ties. */
      o.base = (float)ldexp((double)(int64_t)(r & 0x3fff) - 8192, -(int)((r >> 16) & 15));
      if ((r >> 32) & 1) o.base = float_of((r >> 33) ^ (r << 31));
      o.exponent = (float)((int)(r2 & 127) - 64) / (float)(1 + ((r2 >> 8) & 1));
      if (((r2 >> 16) & 15) == 0) o.exponent = float_of(0x4b000000 + (r2 >> 32) % 0x1000000);
      return o;
    case k_pow_hard:
      return hard(r, r2);
    default:
      o.base = float_of(r);
      o.exponent = float_of(r2);
      return o;
  }
}

void sweep_pow_fill(const sweep *self, sweep_block *block) {
  float *a = block->a;
  float *b = block->b;
  uint64_t seed = ((uint64_t)self->kind << 56) ^ (block->index << 20);
  for (size_t i = 0; i < k_sweep_block; ++i) {
    const uint64_t r = special_random(&seed);
    const operands o = draw(self->kind, r, special_random(&seed));
    a[i] = o.base;
    b[i] = o.exponent;
  }
}
