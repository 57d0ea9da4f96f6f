/*
 * peers_xsmm.c: LIBXSMM's tile operations, compiled at run time for a shape; they exist for AVX-512 only. Its matrices
 * are column-major: a row here is a column there.
 */
#include <libxsmm.h>
#include <stddef.h>

#include "peers.h"

#define F32 LIBXSMM_DATATYPE_F32
typedef libxsmm_blasint sized;

#define OPERATION(name, kind, result, parameter, ...)                                          \
  static libxsmm_meltwfunction_##kind make_##name(int rows, int cols) {                        \
    static libxsmm_meltwfunction_##kind made;                                                  \
    static int r, k;                                                                           \
    if (r == rows && k == cols) return made;                                                   \
    const sized m = cols, n = rows;                                                            \
    made = libxsmm_dispatch_meltw_##kind(m, n, &m, &m, F32, result __VA_ARGS__);               \
    r = rows, k = cols;                                                                        \
    return made;                                                                               \
  }                                                                                            \
  static void name(void *d, const void *a, const void *b, const void *c, int rows, int cols) { \
    const libxsmm_meltwfunction_##kind f = make_##name(rows, cols);                            \
    (void)b, (void)c;                                                                          \
    if (f != NULL) {                                                                           \
      const libxsmm_meltw_##kind##_param p = parameter;                                        \
      f(&p);                                                                                   \
    }                                                                                          \
  }                                                                                            \
  static int has_##name(void) { return make_##name(64, 64) != NULL; }
#define PAIR \
  { .in_ptr = a, .out_ptr = d }
OPERATION(to_bf16, cvtfp32bf16, LIBXSMM_DATATYPE_BF16, PAIR)
OPERATION(relu, relu, F32, PAIR)

/* Another interface, for any size of element. */
#define TRANSPOSE(type, bytes)                                                                             \
  static void transpose_##type(void *d, const void *a, const void *b, const void *c, int rows, int cols) { \
    (void)b, (void)c;                                                                                      \
    libxsmm_otrans(d, a, bytes, cols, rows, cols, rows);                                                   \
  }
TRANSPOSE(f32, 4)
TRANSPOSE(f16, 2)
TRANSPOSE(i8, 1)

const peer peers_xsmm[] = {
    {"libxsmm", "tcvt", "f32>bf16", to_bf16, has_to_bf16}, {"libxsmm", "trelu", "f32", relu, has_relu},
    {"libxsmm", "ttrans", "f32", transpose_f32, 0},        {"libxsmm", "ttrans", "f16", transpose_f16, 0},
    {"libxsmm", "ttrans", "i8", transpose_i8, 0},          {0},
};
