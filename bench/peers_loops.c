/*
 * peers_loops.c: the loops a C programmer would write. Compiled three times with different flags; PEER_TABLE and
 * PEER_NAME say as what. An instruction is a line below: FLOATS and ALL name it and say what becomes of x, y, z (the
 * elements of a, b, c), d (of dst) and s (the scalar).
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "peers.h"

typedef _Float16 f16;
typedef uint16_t bf16;
typedef float f32;
typedef int32_t i32;
typedef int16_t i16;
typedef int8_t i8;

static inline float wide_bf16(bf16 x) {
  const uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
static inline bf16 narrow_bf16(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if (f != f) return (bf16)(bits >> 16 | 0x40);
  return (bf16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/* Floats of a byte that saturate, as one writes them: the bits, without a branch that a compiler cannot turn into a
 * choice. */
typedef struct {
  uint8_t code;
} e4m3;
typedef struct {
  uint8_t code;
} e5m2;
typedef struct {
  uint8_t code;
} hif8;
static inline uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static inline float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
#define NARROW_FLOAT8(T, drop, least, over, nan)                                                        \
  static inline T narrow_##T(float f) {                                                                 \
    const uint32_t bits = bits_of(f), size = bits & 0x7fffffff;                                         \
    const uint32_t normal =                                                                             \
        (size + (size >> (drop)&1) + (1U << ((drop)-1)) - 1 - ((uint32_t)((least)-1) << 23)) >> (drop); \
    const uint32_t anchor = (uint32_t)((least) + (drop)) << 23;                                         \
    const uint32_t tiny = bits_of(float_of(size) + float_of(anchor)) - anchor;                          \
    const uint32_t code = size < (uint32_t)(least) << 23 ? tiny : normal;                               \
    const uint32_t kept = (code < (over) ? code : (over)) | (bits >> 24 & 0x80);                        \
    return (T){(uint8_t)(size > 0x7f800000 ? (nan) : kept)};                                            \
  }
NARROW_FLOAT8(e4m3, 20, 121, 0x7e, 0x7f)
NARROW_FLOAT8(e5m2, 21, 113, 0x7b, 0x7e)
static inline float wide_e4m3(e4m3 x) {
  const uint32_t size = x.code & 0x7f;
  const float f = float_of(size << 20) * 0x1p120F;
  return float_of((size == 0x7f ? 0x7fc00000 : bits_of(f)) | (x.code & 0x80U) << 24);
}
static inline float wide_e5m2(e5m2 x) {
  const uint32_t size = x.code & 0x7f;
  const float f = float_of(size << 21) * 0x1p112F;
  return float_of((size > 0x7c ? 0x7fc00000 : size == 0x7c ? 0x7f800000 : bits_of(f)) | (x.code & 0x80U) << 24);
}
/* HiFloat8 by a table of 256 numbers, and by the digits that each exponent leaves. */
static float hif8_values[256];
static float value_of_hif8(int code) {
  const int size = code & 127;
  float v = 0;
  if (code == 128) return NAN;
  if (size == 0x6f) {
    v = INFINITY;
  } else if (size > 0 && size < 8) {
    v = ldexpf(1, size - 23);
  } else if (size >= 8) {
    const int digits = size >= 96 ? 4 : size >= 64 ? 3 : size >= 32 ? 2 : size >= 16 ? 1 : 0;
    const int left = digits > 2 ? 5 - digits : 3, top = digits > 0 ? 1 << (digits - 1) : 0;
    const int field = size >> left & ((1 << digits) - 1), e = (field & top) != 0 ? -(field | top) : field | top;
    v = ldexpf((float)((1 << left) + (size & ((1 << left) - 1))), e - left);
  }
  return code >= 128 ? -v : v;
}
__attribute__((constructor)) static void fill_hif8(void) {
  for (int i = 0; i < 256; ++i) hif8_values[i] = value_of_hif8(i);
}
static inline float wide_hif8(hif8 x) { return hif8_values[x.code]; }
static inline hif8 narrow_hif8(float f) {
  const uint32_t bits = bits_of(f), size = bits & 0x7fffffff;
  const int e = (int)(size >> 23) - 127, distance = e < 0 ? -e : e;
  const int drop = e < -15 ? 23 : distance < 4 ? 20 : distance < 8 ? 21 : 22;
  const uint32_t kept = (size + (1U << (drop - 1))) >> drop << drop; /* ties away from zero */
  const int t = (int)(kept >> 20) - 127 * 8, below = t < 0, z = below ? -(t & ~7) + (t & 7) : t;
  const int k = (z > 31) + (z > 63);
  int code = z > 15 ? k * 32 + 16 + (z >> k) + (below ? 16 : 0) : z + 8 + (below ? 8 : 0);
  code = t < -15 * 8 ? (t >> 3) + 23 : code;
  code = e < -22 ? size >= 0x34000000 : code;
  code = kept > 0x47000000 ? 0x6e : code;
  code |= code != 0 && bits >> 31 != 0 ? 0x80 : 0;
  return (hif8){(uint8_t)(size > 0x7f800000 ? 0x80 : code)};
}
#define IN_e4m3(v) wide_e4m3(v)
#define IN_e5m2(v) wide_e5m2(v)
#define IN_hif8(v) wide_hif8(v)
#define OUT_e4m3(v) narrow_e4m3(v)
#define OUT_e5m2(v) narrow_e5m2(v)
#define OUT_hif8(v) narrow_hif8(v)
#define W_e4m3 float
#define W_e5m2 float
#define W_hif8 float
#define IN_f32(v) (v)
#define IN_f16(v) ((float)(v))
#define IN_bf16(v) wide_bf16(v)
#define IN_i32(v) (v)
#define IN_i16(v) ((int32_t)(v))
#define IN_i8(v) ((int32_t)(v))
#define OUT_f32(v) (v)
#define OUT_f16(v) ((f16)(v))
#define OUT_bf16(v) narrow_bf16(v)
#define OUT_i32(v) ((i32)(v))
#define OUT_i16(v) ((i16)(v))
#define OUT_i8(v) ((i8)(v))
#define S_f32 PEER_FLOAT
#define S_f16 PEER_FLOAT
#define S_bf16 PEER_FLOAT
#define S_i32 PEER_INT
#define S_i16 PEER_INT
#define S_i8 PEER_INT
#define W_f32 float
#define W_f16 float
#define W_bf16 float
#define W_i32 int32_t
#define W_i16 int32_t
#define W_i8 int32_t

#define FUNCTION(t, op) \
  static void op##_##t(void *restrict dst, const void *a, const void *b, const void *c, int rows, int cols)
#define OPERANDS(t)                               \
  t *o = dst;                                     \
  const t *p = a, *q = b ? b : a, *u = c ? c : a; \
  const W_##t s = S_##t;                          \
  (void)p, (void)q, (void)u, (void)s

/* Element by element. */
#define MAP(t, op, ...)                                                                   \
  FUNCTION(t, op) {                                                                       \
    OPERANDS(t);                                                                          \
    for (int i = 0; i < rows * cols; ++i) {                                               \
      const W_##t x = IN_##t(p[i]), y = IN_##t(q[i]), z = IN_##t(u[i]), d = IN_##t(o[i]); \
      (void)x, (void)y, (void)z, (void)d;                                                 \
      o[i] = OUT_##t(__VA_ARGS__);                                                        \
    }                                                                                     \
  }
/* y is one a column, or one a row. */
#define EXPAND(t, op, at, ...)                                      \
  FUNCTION(t, op) {                                                 \
    OPERANDS(t);                                                    \
    for (int r = 0; r < rows; ++r)                                  \
      for (int k = 0; k < cols; ++k) {                              \
        const W_##t x = IN_##t(p[r * cols + k]), y = IN_##t(q[at]); \
        o[r * cols + k] = OUT_##t(__VA_ARGS__);                     \
      }                                                             \
  }
/* The first half of rows and columns is combined, the rest is x. */
#define PART(t, op, ...)                                                   \
  FUNCTION(t, op) {                                                        \
    OPERANDS(t);                                                           \
    for (int r = 0; r < rows; ++r)                                         \
      for (int k = 0; k < cols; ++k) {                                     \
        const int i = r * cols + k;                                        \
        const W_##t x = IN_##t(p[i]), y = IN_##t(q[i]);                    \
        o[i] = r < rows / 2 && k < cols / 2 ? OUT_##t(__VA_ARGS__) : p[i]; \
      }                                                                    \
  }
/* x is what there is, y the next. */
#define FOLD_ROWS(t, op, ...)                    \
  FUNCTION(t, op) {                              \
    OPERANDS(t);                                 \
    for (int r = 0; r < rows; ++r) {             \
      W_##t x = IN_##t(p[r * cols]);             \
      for (int k = 1; k < cols; ++k) {           \
        const W_##t y = IN_##t(p[r * cols + k]); \
        x = (__VA_ARGS__);                       \
      }                                          \
      o[r] = OUT_##t(x);                         \
    }                                            \
  }
#define FOLD_COLS(t, op, ...)                                      \
  FUNCTION(t, op) {                                                \
    OPERANDS(t);                                                   \
    memcpy(o, p, sizeof(t) * (size_t)cols);                        \
    for (int r = 1; r < rows; ++r)                                 \
      for (int k = 0; k < cols; ++k) {                             \
        const W_##t x = IN_##t(o[k]), y = IN_##t(p[r * cols + k]); \
        o[k] = OUT_##t(__VA_ARGS__);                               \
      }                                                            \
  }
#define PLACE_ROWS(t, op, better)                                                                    \
  static void op##_##t(void *dst, const void *a, const void *b, const void *c, int rows, int cols) { \
    int32_t *o = dst;                                                                                \
    const t *p = a;                                                                                  \
    (void)b, (void)c;                                                                                \
    for (int r = 0; r < rows; ++r) {                                                                 \
      W_##t x = IN_##t(p[r * cols]);                                                                 \
      int at = 0;                                                                                    \
      for (int k = 1; k < cols; ++k) {                                                               \
        const W_##t y = IN_##t(p[r * cols + k]);                                                     \
        if (y better x) x = y, at = k;                                                               \
      }                                                                                              \
      o[r] = at;                                                                                     \
    }                                                                                                \
  }
#define COMPARE(t, op, ...)                                     \
  FUNCTION(t, op) {                                             \
    uint8_t *o = dst;                                           \
    const t *p = a, *q = b ? b : a;                             \
    const W_##t s = S_##t;                                      \
    (void)s, (void)q, (void)c;                                  \
    for (int i = 0; i < rows * cols; i += 8) {                  \
      unsigned bits = 0;                                        \
      for (int k = 0; k < 8; ++k) {                             \
        const W_##t x = IN_##t(p[i + k]), y = IN_##t(q[i + k]); \
        (void)y;                                                \
        bits |= (unsigned)(__VA_ARGS__) << k;                   \
      }                                                         \
      o[i / 8] = (uint8_t)bits;                                 \
    }                                                           \
  }
#define SELECT(t, op, ...)                                                                            \
  FUNCTION(t, op) {                                                                                   \
    t *o = dst;                                                                                       \
    const uint8_t *m = a;                                                                             \
    const t *x = b, *y = c ? c : b;                                                                   \
    const t s = (t)S_##t;                                                                             \
    (void)s, (void)y;                                                                                 \
    for (int i = 0; i < rows * cols; ++i) o[i] = (m[i / 8] >> i % 8 & 1) != 0 ? x[i] : (__VA_ARGS__); \
  }
#define COPY(t, op, from)                                    \
  FUNCTION(t, op) {                                          \
    OPERANDS(t);                                             \
    for (int r = 0; r < rows; ++r)                           \
      for (int k = 0; k < cols; ++k) o[r * cols + k] = from; \
  }
#define INTERLEAVE(t, op)                                                               \
  FUNCTION(t, op) {                                                                     \
    OPERANDS(t);                                                                        \
    t *restrict more = (t *)((char *)dst + PEER_STRIDE);                                \
    const int half = cols / 2;                                                          \
    for (int r = 0; r < rows; ++r) {                                                    \
      const t *x = p + r * cols, *y = q + r * cols;                                     \
      for (int k = 0; k < half; ++k) {                                                  \
        o[r * cols + 2 * k] = x[k], o[r * cols + 2 * k + 1] = y[k];                     \
      }                                                                                 \
      for (int k = 0; k < half; ++k) {                                                  \
        more[r * cols + 2 * k] = x[half + k], more[r * cols + 2 * k + 1] = y[half + k]; \
      }                                                                                 \
    }                                                                                   \
  }
#define DEINTERLEAVE(t, op)                                                                                \
  FUNCTION(t, op) {                                                                                        \
    OPERANDS(t);                                                                                           \
    t *restrict more = (t *)((char *)dst + PEER_STRIDE);                                                   \
    const int half = cols / 2;                                                                             \
    for (int r = 0; r < rows; ++r) {                                                                       \
      for (int k = 0; k < half; ++k) {                                                                     \
        o[r * cols + k] = p[r * cols + 2 * k], more[r * cols + k] = p[r * cols + 2 * k + 1];               \
      }                                                                                                    \
      for (int k = 0; k < half; ++k) {                                                                     \
        o[r * cols + half + k] = q[r * cols + 2 * k], more[r * cols + half + k] = q[r * cols + 2 * k + 1]; \
      }                                                                                                    \
    }                                                                                                      \
  }
#define INT_POW(t, op, second)                                              \
  FUNCTION(t, op) {                                                         \
    OPERANDS(t);                                                            \
    for (int i = 0; i < rows * cols; ++i) {                                 \
      const t n = second;                                                   \
      uint32_t base = (uint32_t)p[i], power = 1;                            \
      if (n < 0) {                                                          \
        o[i] = p[i] == 1 ? 1 : p[i] == -1 ? (t)((n & 1) != 0 ? -1 : 1) : 0; \
        continue;                                                           \
      }                                                                     \
      for (uint32_t k = (uint32_t)n; k != 0; k >>= 1, base = base * base)   \
        if ((k & 1) != 0) power = power * base;                             \
      o[i] = (t)power;                                                      \
    }                                                                       \
  }
#define CONVERT(from, to, name, ...)                                                                      \
  static void name(void *restrict dst, const void *a, const void *b, const void *c, int rows, int cols) { \
    to *o = dst;                                                                                          \
    const from *p = a;                                                                                    \
    (void)b, (void)c;                                                                                     \
    for (int i = 0; i < rows * cols; ++i) {                                                               \
      const W_##from x = IN_##from(p[i]);                                                                 \
      o[i] = OUT_##to(__VA_ARGS__);                                                                       \
    }                                                                                                     \
  }

#define FLOAT_TYPES(X, ...) X(f32, __VA_ARGS__) X(f16, __VA_ARGS__) X(bf16, __VA_ARGS__)
#define INT_TYPES(X, ...) X(i32, __VA_ARGS__) X(i16, __VA_ARGS__) X(i8, __VA_ARGS__)
#define ALL_TYPES(X, ...) FLOAT_TYPES(X, __VA_ARGS__) INT_TYPES(X, __VA_ARGS__)

#define LARGER(x, y) ((x) > (y) ? (x) : (y))
#define SMALLER(x, y) ((x) < (y) ? (x) : (y))

/* By indices, which are not looked at. */
#define GATHER(t, op, ...)                                 \
  FUNCTION(t, op) {                                        \
    OPERANDS(t);                                           \
    const int32_t *at = b;                                 \
    for (int i = 0; i < rows * cols; ++i) o[i] = p[at[i]]; \
  }
#define SCATTER(t, op, ...)                                \
  FUNCTION(t, op) {                                        \
    OPERANDS(t);                                           \
    const int32_t *at = b;                                 \
    memset(o, 0, sizeof *o *(size_t)(rows * cols));        \
    for (int i = 0; i < rows * cols; ++i) o[at[i]] = p[i]; \
  }

#define EACH_LOOP(FLOATS, INTS, ALL)                         \
  ALL(MAP, tadd, x + y)                                      \
  ALL(MAP, tsub, x - y)                                      \
  ALL(MAP, tmul, x *y)                                       \
  FLOATS(MAP, tdiv, x / y)                                   \
  INTS(MAP, tdiv, y == 0 ? 0 : x / y)                        \
  ALL(MAP, tmax, LARGER(x, y))                               \
  ALL(MAP, tmin, SMALLER(x, y))                              \
  FLOATS(MAP, tabs, fabsf(x))                                \
  INTS(MAP, tabs, x < 0 ? -x : x)                            \
  ALL(MAP, tneg, -x)                                         \
  ALL(MAP, trelu, x > 0 ? x : 0)                             \
  INTS(MAP, tand, x &y)                                      \
  INTS(MAP, tor, x | y)                                      \
  INTS(MAP, txor, x ^ y)                                     \
  INTS(MAP, tnot, ~x)                                        \
  INTS(MAP, tshl, x << y)                                    \
  INTS(MAP, tshr, x >> y)                                    \
  FLOATS(MAP, tlog, logf(x))                                 \
  FLOATS(MAP, texp, expf(x))                                 \
  FLOATS(MAP, tsqrt, sqrtf(x))                               \
  FLOATS(MAP, trecip, 1.0F / x)                              \
  FLOATS(MAP, trsqrt, 1.0F / sqrtf(x))                       \
  FLOATS(MAP, tfmod, fmodf(x, y))                            \
  FLOATS(MAP, trem, x - floorf(x / y) * y)                   \
  INTS(MAP, tfmod, y == 0 ? x : x % y)                       \
  ALL(MAP, taddc, x + y + z)                                 \
  ALL(MAP, tsubc, x - y + z)                                 \
  FLOATS(MAP, tmuladddst, fmaf(x, y, d))                     \
  FLOATS(MAP, tfusedmuladd, fmaf(x, d, y))                   \
  FLOATS(MAP, tfusedmuladdrelu, LARGER(fmaf(x, d, y), 0.0F)) \
  FLOATS(MAP, tsubrelu, LARGER(x - y, 0.0F))                 \
  ALL(MAP, tprelu, x > 0 ? x : x * y)                        \
  FLOATS(MAP, tpow, powf(x, y))                              \
  INTS(INT_POW, tpow, q[i])                                  \
  FLOATS(MAP, tpows, powf(x, s))                             \
  INTS(INT_POW, tpows, (i8)s)                                \
  ALL(MAP, tadds, x + s)                                     \
  ALL(MAP, tsubs, x - s)                                     \
  ALL(MAP, tmuls, x *s)                                      \
  ALL(MAP, tdivs, x / s)                                     \
  FLOATS(MAP, tdivs_scalar, s / x)                           \
  ALL(MAP, tmaxs, LARGER(x, s))                              \
  ALL(MAP, tmins, SMALLER(x, s))                             \
  INTS(MAP, tands, x &s)                                     \
  INTS(MAP, tors, x | s)                                     \
  INTS(MAP, txors, x ^ s)                                    \
  INTS(MAP, tshls, x << s)                                   \
  INTS(MAP, tshrs, x >> s)                                   \
  ALL(MAP, tlrelu, x > 0 ? x : x * s)                        \
  FLOATS(MAP, taxpy, fmaf(x, s, d))                          \
  ALL(MAP, taddsc, x + s + y)                                \
  ALL(MAP, tsubsc, x - s + y)                                \
  FLOATS(MAP, tfmods, fmodf(x, s))                           \
  INTS(MAP, tfmods, x % s)                                   \
  FLOATS(MAP, trems, x - floorf(x / s) * s)                  \
  ALL(MAP, texpands, s)                                      \
  ALL(COPY, tmov, p[r * cols + k])                           \
  ALL(COPY, ttrans, p[k * cols + r]) /* if square */         \
  ALL(COPY, tload, p[r * cols + k])                          \
  ALL(COPY, tstore, p[r * cols + k])                         \
  ALL(COPY, tfillpad, p[r * cols + k]) /* of whole tiles */  \
  ALL(COPY, tfillpad_expand, p[r * cols + k])                \
  ALL(COPY, tcolexpand, p[k])                                \
  ALL(COPY, trowexpand, p[r])                                \
  ALL(EXPAND, tcolexpandadd, k, x + y)                       \
  ALL(EXPAND, tcolexpandsub, k, x - y)                       \
  ALL(EXPAND, tcolexpandmul, k, x *y)                        \
  ALL(EXPAND, tcolexpanddiv, k, x / y)                       \
  ALL(EXPAND, tcolexpandmax, k, LARGER(x, y))                \
  ALL(EXPAND, tcolexpandmin, k, SMALLER(x, y))               \
  FLOATS(EXPAND, tcolexpandexpdif, k, expf(x - y))           \
  ALL(EXPAND, trowexpandadd, r, x + y)                       \
  ALL(EXPAND, trowexpandsub, r, x - y)                       \
  ALL(EXPAND, trowexpandmul, r, x *y)                        \
  ALL(EXPAND, trowexpanddiv, r, x / y)                       \
  ALL(EXPAND, trowexpandmax, r, LARGER(x, y))                \
  ALL(EXPAND, trowexpandmin, r, SMALLER(x, y))               \
  FLOATS(EXPAND, trowexpandexpdif, r, expf(x - y))           \
  ALL(MAP, tpartadd, x + y)                                  \
  ALL(MAP, tpartmul, x *y)                                   \
  ALL(MAP, tpartmax, LARGER(x, y))                           \
  ALL(MAP, tpartmin, SMALLER(x, y))                          \
  ALL(FOLD_ROWS, trowsum, x + y)                             \
  ALL(FOLD_ROWS, trowprod, x *y)                             \
  ALL(FOLD_ROWS, trowmax, LARGER(x, y))                      \
  ALL(FOLD_ROWS, trowmin, SMALLER(x, y))                     \
  ALL(FOLD_COLS, tcolsum, x + y)                             \
  ALL(FOLD_COLS, tcolprod, x *y)                             \
  ALL(FOLD_COLS, tcolmax, LARGER(x, y))                      \
  ALL(FOLD_COLS, tcolmin, SMALLER(x, y))                     \
  ALL(PLACE_ROWS, trowargmax, >)                             \
  ALL(PLACE_ROWS, trowargmin, <)                             \
  ALL(COMPARE, tcmp, x > y)                                  \
  ALL(COMPARE, tcmps, x > s)                                 \
  ALL(INTERLEAVE, tinterleave)                               \
  ALL(DEINTERLEAVE, tdeinterleave)                           \
  ALL(GATHER, tgather)                                       \
  ALL(GATHER, mgather)                                       \
  ALL(SCATTER, tscatter)                                     \
  ALL(SELECT, tsel, y[i])                                    \
  INTS(SELECT, tsels, s)

#define DEFINE_FLOATS(KIND, ...) FLOAT_TYPES(KIND, __VA_ARGS__)
#define DEFINE_INTS(KIND, ...) INT_TYPES(KIND, __VA_ARGS__)
#define DEFINE_ALL(KIND, ...) ALL_TYPES(KIND, __VA_ARGS__)
EACH_LOOP(DEFINE_FLOATS, DEFINE_INTS, DEFINE_ALL)

/* Panels of 32 bytes a row, and back. */
#define TO_NZ(t, op, ...)                                                            \
  FUNCTION(t, op) {                                                                  \
    OPERANDS(t);                                                                     \
    const int c0 = 32 / (int)sizeof(t);                                              \
    for (int k = 0; k < cols; k += c0) {                                             \
      for (int r = 0; r < rows; ++r) {                                               \
        for (int i = 0; i < c0; ++i) o[k * rows + r * c0 + i] = p[r * cols + k + i]; \
      }                                                                              \
    }                                                                                \
  }
#define TO_ND(t, op, ...)                                                            \
  FUNCTION(t, op) {                                                                  \
    OPERANDS(t);                                                                     \
    const int c0 = 32 / (int)sizeof(t);                                              \
    for (int r = 0; r < rows; ++r) {                                                 \
      for (int k = 0; k < cols; k += c0) {                                           \
        for (int i = 0; i < c0; ++i) o[r * cols + k + i] = p[k * rows + r * c0 + i]; \
      }                                                                              \
    }                                                                                \
  }

ALL_TYPES(PART, tpartadd_part, x + y)
ALL_TYPES(TO_NZ, to_nz)
ALL_TYPES(TO_ND, to_nd)
CONVERT(f32, f16, convert_f32_f16, x)
CONVERT(f16, f32, convert_f16_f32, x)
CONVERT(f32, bf16, convert_f32_bf16, x)
CONVERT(bf16, f32, convert_bf16_f32, x)
CONVERT(f32, i8, convert_f32_i8, x != x ? 0 : rintf(x < -128 ? -128 : x > 127 ? 127 : x))
CONVERT(f32, i32, convert_f32_i32, x != x ? 0 : x >= 0x1p31F ? INT32_MAX : x < -0x1p31F ? INT32_MIN : (int32_t)rintf(x))
CONVERT(i32, f32, convert_i32_f32, (float)x)
CONVERT(i8, f32, convert_i8_f32, (float)x)
CONVERT(i32, i16, pack_i32_i16, (i16)x)
CONVERT(i32, i8, pack_i32_i8, (i8)x)
CONVERT(i16, i8, pack_i16_i8, (i8)x)
CONVERT(f32, e4m3, convert_f32_e4m3, x)
CONVERT(e4m3, f32, convert_e4m3_f32, x)
/* The same as one writes it for the vectors of gcc: masks where there are choices, and bytes by a loop of their own. */
static void convert_f32_e4m3_masks(void *restrict dst, const void *a, const void *b, const void *c, int rows,
                                   int cols) {
  enum { PIECE = 512 };
  uint32_t codes[PIECE];
  uint8_t *o = dst;
  const float *p = a;
  (void)b, (void)c;
  for (int done = 0; done < rows * cols; done += PIECE) {
    const int n = rows * cols - done < PIECE ? rows * cols - done : PIECE;
    for (int i = 0; i < n; ++i) {
      const uint32_t bits = bits_of(p[done + i]), size = bits & 0x7fffffff, anchor = 141U << 23;
      const uint32_t normal = (size + (size >> 20 & 1) + 0x7ffff - (120U << 23)) >> 20;
      const uint32_t tiny = bits_of(float_of(size) + float_of(anchor)) - anchor;
      const uint32_t small = -(uint32_t)(size < 121U << 23), nan = -(uint32_t)(size > 0x7f800000);
      const uint32_t code = (tiny & small) | (normal & ~small), over = -(uint32_t)(code > 0x7e);
      codes[i] = (0x7f & nan) | (((0x7e & over) | (code & ~over) | (bits >> 24 & 0x80)) & ~nan);
    }
    for (int i = 0; i < n; ++i) o[done + i] = (uint8_t)codes[i];
  }
}
CONVERT(f32, e5m2, convert_f32_e5m2, x)
CONVERT(e5m2, f32, convert_e5m2_f32, x)
CONVERT(f32, hif8, convert_f32_hif8, x)
CONVERT(hif8, f32, convert_hif8_f32, x)

#define ROW(t, op) {PEER_NAME, #op, #t, op##_##t, 0},
#define ROW_FLOATS(KIND, op, ...) ROW(f32, op) ROW(f16, op) ROW(bf16, op)
#define ROW_INTS(KIND, op, ...) ROW(i32, op) ROW(i16, op) ROW(i8, op)
#define ROW_ALL(KIND, op, ...) ROW_FLOATS(KIND, op) ROW_INTS(KIND, op)
#define AS(t, op, function) \
  { PEER_NAME, op, #t, function##_##t, 0 }
#define AS_ALL(op, function)                                                                                          \
  AS(f32, op, function), AS(f16, op, function), AS(bf16, op, function), AS(i32, op, function), AS(i16, op, function), \
      AS(i8, op, function)

const peer PEER_TABLE[] = {
    EACH_LOOP(ROW_FLOATS, ROW_INTS, ROW_ALL) AS(f32, "tpow.mixed", tpow),
    AS(i32, "tpow.wide", tpow),
    AS(i16, "tpow.wide", tpow),
    AS(i8, "tpow.wide", tpow),
    AS_ALL("tpartadd.part", tpartadd_part),
    AS_ALL("tload.nz", to_nz),
    AS_ALL("tmov.nz", to_nz),
    AS_ALL("tmov.nd", to_nd),
    AS_ALL("tstore.nd", to_nd),
    {PEER_NAME, "tpack", "i32>i16", pack_i32_i16, 0},
    {PEER_NAME, "tpack", "i32>i8", pack_i32_i8, 0},
    {PEER_NAME, "tpack", "i16>i8", pack_i16_i8, 0},
    {PEER_NAME, "tcvt", "f32>f16", convert_f32_f16, 0},
    {PEER_NAME, "tcvt", "f16>f32", convert_f16_f32, 0},
    {PEER_NAME, "tcvt", "f32>bf16", convert_f32_bf16, 0},
    {PEER_NAME, "tcvt", "bf16>f32", convert_bf16_f32, 0},
    {PEER_NAME, "tcvt", "f32>i8", convert_f32_i8, 0},
    {PEER_NAME, "tcvt", "f32>i32", convert_f32_i32, 0},
    {PEER_NAME, "tcvt", "i32>f32", convert_i32_f32, 0},
    {PEER_NAME, "tcvt", "i8>f32", convert_i8_f32, 0},
    {PEER_NAME, "tcvt", "f32>e4m3", convert_f32_e4m3, 0},
    {PEER_NAME " masks", "tcvt", "f32>e4m3", convert_f32_e4m3_masks, 0},
    {PEER_NAME, "tcvt", "e4m3>f32", convert_e4m3_f32, 0},
    {PEER_NAME, "tcvt", "f32>e5m2", convert_f32_e5m2, 0},
    {PEER_NAME, "tcvt", "e5m2>f32", convert_e5m2_f32, 0},
    {PEER_NAME, "tcvt", "f32>hif8", convert_f32_hif8, 0},
    {PEER_NAME, "tcvt", "hif8>f32", convert_hif8_f32, 0},
    {0},
};
