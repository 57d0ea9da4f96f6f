/* What the tests of transfers share: descriptors of tensors of five dimensions, and the matrices that
 * these are. */
#ifndef PTO_TESTS_TENSOR_TRANSFER_HELP_H_
#define PTO_TESTS_TENSOR_TRANSFER_HELP_H_

#include "tensor_help.h"

/* Which of the five dimensions of a layout are rows and which columns, outermost first. */
static const char *const k_orders[] = {
    "rrrrc", "cccrc", "ccrrc", NULL,    "rrrcc", "cccrc", "rrcrc", "rrrcr", "cccrr", "ccrcr", "rrcrc",
    "ccrcr", "rcrrc", "rcrrc", "rrcrr", "rrcrr", "rrrrc", "rcrrc", "rcrrr", "ccrrc", "ccrrc", "ccrrc",
};
enum { kTensorLayouts = sizeof k_orders / sizeof k_orders[0] };

/* How many rows ('r') or columns ('c') the matrix has that transfers see. */
static inline int64_t extent_in(pto_layout layout, char axis, const int64_t dim[5]) {
  int64_t n = 1;
  for (int d = 0; d < 5; ++d) n *= k_orders[layout][d] == axis ? dim[d] : 1;
  return n;
}

/* Place of its element (r, c). */
static inline int64_t place_in(pto_layout layout, const int64_t dim[5], const int64_t stride[5], int64_t r, int64_t c) {
  int64_t at = 0;
  for (int d = 4; d >= 0; --d) {
    int64_t *index = k_orders[layout][d] == 'r' ? &r : &c;
    at += *index % dim[d] * stride[d];
    *index /= dim[d];
  }
  return at;
}

static inline pto_tensor_desc five_desc(pto_dtype dtype, pto_layout layout, const int64_t dim[5],
                                        const int64_t stride[5]) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.layout = layout;
  desc.rank = 5;
  desc.strided = 1;
  desc.dim0 = dim[0], desc.dim1 = dim[1], desc.dim2 = dim[2], desc.dim3 = dim[3], desc.dim4 = dim[4];
  desc.stride0 = stride[0], desc.stride1 = stride[1], desc.stride2 = stride[2];
  desc.stride3 = stride[3], desc.stride4 = stride[4];
  return desc;
}

#endif
