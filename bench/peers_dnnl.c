/*
 * peers_dnnl.c: oneDNN's element-wise primitives and reorders. Primitives are made once for a shape and cached, as its
 * users do; pow is left out, because oneDNN's takes one exponent for all elements.
 */
#include <oneapi/dnnl/dnnl.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

typedef struct cached {
  int rows, cols;
  dnnl_primitive_t primitive;
  dnnl_memory_t a, b, dst;
} cached;

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static dnnl_memory_desc_t matrix(int rows, int cols, dnnl_data_type_t type) {
  dnnl_memory_desc_t desc;
  const dnnl_dims_t dims = {rows, cols};
  dnnl_memory_desc_init_by_tag(&desc, 2, dims, type, dnnl_ab);
  return desc;
}

static void prepare_engine(void) {
  if (engine != NULL) return;
  dnnl_engine_create(&engine, dnnl_cpu, 0);
  dnnl_stream_create(&stream, engine, dnnl_stream_default_flags);
}

/* Takes the description of a primitive; `second` is NULL where it has one operand. */
static int keep(cached *c, dnnl_primitive_desc_t pd, const dnnl_memory_desc_t *first, const dnnl_memory_desc_t *second,
                const dnnl_memory_desc_t *dst, int rows, int cols) {
  if (c->primitive != NULL) {
    dnnl_primitive_destroy(c->primitive);
    dnnl_memory_destroy(c->a);
    dnnl_memory_destroy(c->b);
    dnnl_memory_destroy(c->dst);
  }
  *c = (cached){rows, cols, NULL, NULL, NULL, NULL};
  const dnnl_status_t status = dnnl_primitive_create(&c->primitive, pd);
  dnnl_primitive_desc_destroy(pd);
  if (status != dnnl_success) return 0;
  dnnl_memory_create(&c->a, first, engine, DNNL_MEMORY_NONE);
  if (second != NULL) dnnl_memory_create(&c->b, second, engine, DNNL_MEMORY_NONE);
  dnnl_memory_create(&c->dst, dst, engine, DNNL_MEMORY_NONE);
  return 1;
}

/* Returns 0 where this machine has no such primitive: bf16 asks for AVX-512. */
static int prepare(cached *c, dnnl_alg_kind_t kind, dnnl_data_type_t type, int rows, int cols, int rows_b) {
  if (c->rows == rows && c->cols == cols) return 1;
  prepare_engine();
  const dnnl_memory_desc_t whole = matrix(rows, cols, type);
  const dnnl_memory_desc_t second = matrix(rows_b, cols, type);
  dnnl_primitive_desc_t pd = NULL;
  dnnl_binary_desc_t desc;
  if (dnnl_binary_desc_init(&desc, kind, &whole, &second, &whole) != dnnl_success) return 0;
  if (dnnl_primitive_desc_create(&pd, &desc, NULL, engine, NULL) != dnnl_success) return 0;
  return keep(c, pd, &whole, &second, &whole, rows, cols);
}

/* Between a matrix and panels of 32 bytes a row. */
static int prepare_reorder(cached *c, int to_nz, dnnl_data_type_t type, int c0, int rows, int cols) {
  if (c->rows == rows && c->cols == cols) return 1;
  prepare_engine();
  const dnnl_dims_t dims = {rows, cols / c0, c0};
  const dnnl_dims_t lines = {cols, c0, 1};
  const dnnl_dims_t panels = {c0, (dnnl_dim_t)rows * c0, 1};
  dnnl_memory_desc_t nd, nz;
  dnnl_primitive_desc_t pd = NULL;
  if (dnnl_memory_desc_init_by_strides(&nd, 3, dims, type, lines) != dnnl_success) return 0;
  if (dnnl_memory_desc_init_by_strides(&nz, 3, dims, type, panels) != dnnl_success) return 0;
  const dnnl_memory_desc_t *const from = to_nz ? &nd : &nz;
  const dnnl_memory_desc_t *const to = to_nz ? &nz : &nd;
  if (dnnl_reorder_primitive_desc_create(&pd, from, engine, to, engine, NULL) != dnnl_success) return 0;
  return keep(c, pd, from, NULL, to, rows, cols);
}

static void execute(cached *c, void *d, const void *a, const void *b) {
  dnnl_memory_set_data_handle(c->a, (void *)(size_t)a);
  if (c->b != NULL) dnnl_memory_set_data_handle(c->b, (void *)(size_t)b);
  dnnl_memory_set_data_handle(c->dst, d);
  const dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC_0, c->a}, {DNNL_ARG_DST, c->dst}, {DNNL_ARG_SRC_1, c->b}};
  dnnl_primitive_execute(c->primitive, stream, c->b != NULL ? 3 : 2, args);
  dnnl_stream_wait(stream);
}

#define BINARY(name, kind, type, whole_b)                                                      \
  static void name(void *d, const void *a, const void *b, const void *c, int rows, int cols) { \
    static cached made;                                                                        \
    (void)c;                                                                                   \
    if (prepare(&made, kind, type, rows, cols, (whole_b) ? rows : 1)) execute(&made, d, a, b); \
  }                                                                                            \
  static int has_##name(void) {                                                                \
    static cached made;                                                                        \
    return prepare(&made, kind, type, 64, 64, (whole_b) ? 64 : 1);                             \
  }
BINARY(add_f32, dnnl_binary_add, dnnl_f32, 1)
BINARY(add_bf16, dnnl_binary_add, dnnl_bf16, 1)
BINARY(mul_f32, dnnl_binary_mul, dnnl_f32, 1)
BINARY(max_f32, dnnl_binary_max, dnnl_f32, 1)
BINARY(div_f32, dnnl_binary_div, dnnl_f32, 1)
BINARY(coldiv_f32, dnnl_binary_div, dnnl_f32, 0)

#define REORDER(name, to_nz, type, c0)                                                         \
  static void name(void *d, const void *a, const void *b, const void *c, int rows, int cols) { \
    static cached made;                                                                        \
    (void)b, (void)c;                                                                          \
    if (prepare_reorder(&made, to_nz, type, c0, rows, cols)) execute(&made, d, a, NULL);       \
  }                                                                                            \
  static int has_##name(void) {                                                                \
    static cached made;                                                                        \
    return prepare_reorder(&made, to_nz, type, c0, 64, 64);                                    \
  }
REORDER(to_nz_f32, 1, dnnl_f32, 8)
REORDER(to_nd_f32, 0, dnnl_f32, 8)
REORDER(to_nz_bf16, 1, dnnl_bf16, 16)
REORDER(to_nd_bf16, 0, dnnl_bf16, 16)
REORDER(to_nz_i8, 1, dnnl_s8, 32)
REORDER(to_nd_i8, 0, dnnl_s8, 32)
#define REORDERS(op, direction)                                           \
  {"onednn", op, "f32", direction##_f32, has_##direction##_f32},          \
      {"onednn", op, "bf16", direction##_bf16, has_##direction##_bf16}, { \
    "onednn", op, "i8", direction##_i8, has_##direction##_i8              \
  }

const peer peers_dnnl[] = {
    REORDERS("tload.nz", to_nz),
    REORDERS("tmov.nz", to_nz),
    REORDERS("tmov.nd", to_nd),
    REORDERS("tstore.nd", to_nd),
    {"onednn", "tadd", "f32", add_f32, has_add_f32},
    {"onednn", "tpartadd", "f32", add_f32, has_add_f32},
    {"onednn", "tadd", "bf16", add_bf16, has_add_bf16},
    {"onednn", "tpartadd", "bf16", add_bf16, has_add_bf16},
    {"onednn", "tmul", "f32", mul_f32, has_mul_f32},
    {"onednn", "tmax", "f32", max_f32, has_max_f32},
    {"onednn", "tdiv", "f32", div_f32, has_div_f32},
    {"onednn", "tcolexpanddiv", "f32", coldiv_f32, has_coldiv_f32},
    {0},
};
