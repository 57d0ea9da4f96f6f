/*
 * peers_xnnpack.c: XNNPACK's operators, without threads. An operator is made once; its setup, which takes the
 * addresses, is part of each call, as it is for its users.
 */
#include <math.h>
#include <stdlib.h>
#include <xnnpack.h>

#include "peers.h"

static int ready(void) {
  static int state;
  if (state == 0) state = xnn_initialize(NULL) == xnn_status_success ? 1 : -1;
  return state > 0;
}

#define BINARY(name, create, setup)                                                                     \
  static void name(void *d, const void *a, const void *b, const void *c, int rows, int cols) {          \
    static xnn_operator_t op;                                                                           \
    const size_t shape[] = {(size_t)rows, (size_t)cols};                                                \
    (void)c;                                                                                            \
    if (op == NULL && create(-INFINITY, INFINITY, 0, &op) != xnn_status_success) return;                \
    if (setup(op, 2, shape, 2, shape, a, b, d, NULL) == xnn_status_success) xnn_run_operator(op, NULL); \
  }
#define LIMITLESS(create)                                                                       \
  static enum xnn_status create##_(float low, float high, uint32_t flags, xnn_operator_t *op) { \
    (void)low, (void)high;                                                                      \
    return create(flags, op);                                                                   \
  }
BINARY(add, xnn_create_add_nd_f32, xnn_setup_add_nd_f32)
BINARY(sub, xnn_create_subtract_nd_f32, xnn_setup_subtract_nd_f32)
BINARY(mul, xnn_create_multiply_nd_f32, xnn_setup_multiply_nd_f32)
BINARY(divide, xnn_create_divide_nd_f32, xnn_setup_divide_nd_f32)
LIMITLESS(xnn_create_maximum_nd_f32)
LIMITLESS(xnn_create_minimum_nd_f32)
BINARY(maximum, xnn_create_maximum_nd_f32_, xnn_setup_maximum_nd_f32)
BINARY(minimum, xnn_create_minimum_nd_f32_, xnn_setup_minimum_nd_f32)

/* One line of all elements. */
#define UNARY(name, create, setup)                                                             \
  static void name(void *d, const void *a, const void *b, const void *c, int rows, int cols) { \
    static xnn_operator_t op;                                                                  \
    static size_t made;                                                                        \
    const size_t n = (size_t)rows * (size_t)cols;                                              \
    (void)b, (void)c;                                                                          \
    if (made != n) {                                                                           \
      if (op != NULL) xnn_delete_operator(op);                                                 \
      op = NULL;                                                                               \
      if (create(n, n, n, 0, &op) != xnn_status_success) return;                               \
      made = n;                                                                                \
    }                                                                                          \
    if (setup(op, 1, a, d, NULL) == xnn_status_success) xnn_run_operator(op, NULL);            \
  }
UNARY(square_root, xnn_create_square_root_nc_f32, xnn_setup_square_root_nc_f32)
UNARY(absolute, xnn_create_abs_nc_f32, xnn_setup_abs_nc_f32)
UNARY(f32_f16, xnn_create_convert_nc_f32_f16, xnn_setup_convert_nc_f32_f16)
UNARY(f16_f32, xnn_create_convert_nc_f16_f32, xnn_setup_convert_nc_f16_f32)

#define AS(op, type, function) \
  { "xnnpack", op, type, function, ready }
const peer peers_xnnpack[] = {
    AS("tadd", "f32", add),         AS("tpartadd", "f32", add),      AS("tsub", "f32", sub),
    AS("tmul", "f32", mul),         AS("tdiv", "f32", divide),       AS("tmax", "f32", maximum),
    AS("tmin", "f32", minimum),     AS("tsqrt", "f32", square_root), AS("tabs", "f32", absolute),
    AS("tcvt", "f32>f16", f32_f16), AS("tcvt", "f16>f32", f16_f32),  {0},
};
