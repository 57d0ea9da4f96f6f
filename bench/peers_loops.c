/*
 * peers_loops.c: the loops a C programmer would write. Compiled three times with different flags; PEER_TABLE and
 * PEER_NAME say as what.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "peers.h"

typedef _Float16 f16;
typedef uint16_t bf16;

static inline float wide(bf16 x) {
  const uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
static inline bf16 narrow(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if (f != f) return (bf16)(bits >> 16 | 0x40);
  return (bf16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#define SAME(x) (x)
#define FLOAT_OPS(T, name, IN, OUT)                                                                \
  static void pow_##name(void *d, const void *a, const void *b, int rows, int cols) {              \
    T *dst = d;                                                                                    \
    const T *x = a, *y = b;                                                                        \
    for (int i = 0; i < rows * cols; ++i) dst[i] = (T)OUT(powf((float)IN(x[i]), (float)IN(y[i]))); \
  }                                                                                                \
  static void rsqrt_##name(void *d, const void *a, const void *b, int rows, int cols) {            \
    T *dst = d;                                                                                    \
    const T *x = a;                                                                                \
    (void)b;                                                                                       \
    for (int i = 0; i < rows * cols; ++i) dst[i] = (T)OUT(1.0F / sqrtf((float)IN(x[i])));          \
  }

#define ARITH_OPS(T, name, IN, OUT, W)                                                                 \
  static void prelu_##name(void *d, const void *a, const void *b, int rows, int cols) {                \
    T *dst = d;                                                                                        \
    const T *x = a, *s = b;                                                                            \
    for (int i = 0; i < rows * cols; ++i) {                                                            \
      const W v = (W)IN(x[i]);                                                                         \
      dst[i] = v > 0 ? x[i] : (T)OUT(v * (W)IN(s[i]));                                                 \
    }                                                                                                  \
  }                                                                                                    \
  static void coldiv_##name(void *d, const void *a, const void *b, int rows, int cols) {               \
    T *dst = d;                                                                                        \
    const T *x = a, *s = b;                                                                            \
    for (int r = 0; r < rows; ++r)                                                                     \
      for (int c = 0; c < cols; ++c) dst[r * cols + c] = (T)OUT((W)IN(x[r * cols + c]) / (W)IN(s[c])); \
  }                                                                                                    \
  static void partadd_##name(void *d, const void *a, const void *b, int rows, int cols) {              \
    T *dst = d;                                                                                        \
    const T *x = a, *y = b;                                                                            \
    for (int i = 0; i < rows * cols; ++i) dst[i] = (T)OUT((W)IN(x[i]) + (W)IN(y[i]));                  \
  }                                                                                                    \
  static void part_##name(void *d, const void *a, const void *b, int rows, int cols) {                 \
    T *dst = d;                                                                                        \
    const T *x = a, *y = b;                                                                            \
    for (int r = 0; r < rows; ++r)                                                                     \
      for (int c = 0; c < cols; ++c) {                                                                 \
        const int i = r * cols + c;                                                                    \
        dst[i] = r < rows / 2 && c < cols / 2 ? (T)OUT((W)IN(x[i]) + (W)IN(y[i])) : x[i];              \
      }                                                                                                \
  }

#define INT_POW(T, U, name)                                                           \
  static void pow_##name(void *d, const void *a, const void *b, int rows, int cols) { \
    T *dst = d;                                                                       \
    const T *x = a, *e = b;                                                           \
    for (int i = 0; i < rows * cols; ++i) {                                           \
      U base = (U)x[i], power = 1;                                                    \
      if (e[i] < 0) {                                                                 \
        dst[i] = x[i] == 1 ? 1 : x[i] == -1 ? (T)((e[i] & 1) != 0 ? -1 : 1) : 0;      \
        continue;                                                                     \
      }                                                                               \
      for (U k = (U)e[i]; k != 0; k >>= 1, base = (U)(base * base))                   \
        if ((k & 1) != 0) power = (U)(power * base);                                  \
      dst[i] = (T)power;                                                              \
    }                                                                                 \
  }

FLOAT_OPS(float, f32, SAME, SAME)
FLOAT_OPS(f16, f16, SAME, SAME)
FLOAT_OPS(bf16, bf16, wide, narrow)
ARITH_OPS(float, f32, SAME, SAME, float)
ARITH_OPS(f16, f16, SAME, SAME, float)
ARITH_OPS(bf16, bf16, wide, narrow, float)
ARITH_OPS(int32_t, i32, SAME, SAME, int32_t)
ARITH_OPS(int16_t, i16, SAME, SAME, int32_t)
ARITH_OPS(int8_t, i8, SAME, SAME, int32_t)
INT_POW(int32_t, uint32_t, i32)
INT_POW(int16_t, uint16_t, i16)
INT_POW(int8_t, uint8_t, i8)

#define ARITH_ROWS(t)                                                                                                  \
  {PEER_NAME, "prelu", #t, prelu_##t}, {PEER_NAME, "coldiv", #t, coldiv_##t}, {PEER_NAME, "partadd", #t, partadd_##t}, \
      {PEER_NAME, "partadd_part", #t, part_##t}, {                                                                     \
    PEER_NAME, "pow", #t, pow_##t                                                                                      \
  }
#define FLOAT_ROWS(t) \
  ARITH_ROWS(t), { PEER_NAME, "rsqrt", #t, rsqrt_##t }

const peer PEER_TABLE[] = {
    FLOAT_ROWS(f32), FLOAT_ROWS(f16), FLOAT_ROWS(bf16), ARITH_ROWS(i32), ARITH_ROWS(i16), ARITH_ROWS(i8), {0},
};
