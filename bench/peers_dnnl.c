/*
 * peers_dnnl.c: oneDNN's element-wise primitives. Primitives are made once for a shape and cached, as its
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

/* Answers 0 where this machine has no such primitive: bf16 asks for AVX-512. */
static int prepare(cached *c, dnnl_alg_kind_t kind, dnnl_data_type_t type, int rows, int cols, int rows_b) {
  if (c->rows == rows && c->cols == cols) return 1;
  if (engine == NULL) {
    dnnl_engine_create(&engine, dnnl_cpu, 0);
    dnnl_stream_create(&stream, engine, dnnl_stream_default_flags);
  }
  if (c->primitive != NULL) {
    dnnl_primitive_destroy(c->primitive);
    dnnl_memory_destroy(c->a);
    dnnl_memory_destroy(c->b);
    dnnl_memory_destroy(c->dst);
  }
  const dnnl_memory_desc_t whole = matrix(rows, cols, type);
  const dnnl_memory_desc_t second = matrix(rows_b, cols, type);
  dnnl_primitive_desc_t pd = NULL;
  dnnl_binary_desc_t desc;
  if (dnnl_binary_desc_init(&desc, kind, &whole, &second, &whole) != dnnl_success) return 0;
  if (dnnl_primitive_desc_create(&pd, &desc, NULL, engine, NULL) != dnnl_success) return 0;
  if (dnnl_primitive_create(&c->primitive, pd) != dnnl_success) return 0;
  dnnl_primitive_desc_destroy(pd);
  dnnl_memory_create(&c->a, &whole, engine, DNNL_MEMORY_NONE);
  dnnl_memory_create(&c->b, &second, engine, DNNL_MEMORY_NONE);
  dnnl_memory_create(&c->dst, &whole, engine, DNNL_MEMORY_NONE);
  c->rows = rows;
  c->cols = cols;
}

static void execute(cached *c, void *d, const void *a, const void *b) {
  dnnl_memory_set_data_handle(c->a, (void *)(size_t)a);
  dnnl_memory_set_data_handle(c->b, (void *)(size_t)b);
  dnnl_memory_set_data_handle(c->dst, d);
  const dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC_0, c->a}, {DNNL_ARG_SRC_1, c->b}, {DNNL_ARG_DST, c->dst}};
  dnnl_primitive_execute(c->primitive, stream, 3, args);
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

const peer peers_dnnl[] = {
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
