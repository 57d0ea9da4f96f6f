// Products of matrices. The header of these kernels, like kernels.h without Highway.
#ifndef PTO_SRC_KERNELS_MATMUL_H_
#define PTO_SRC_KERNELS_MATMUL_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/kernels.h"

namespace pto {

// Everything is words of 32 bits: an f32, an i32, or as many elements along k as a word holds, a
// group: one f32, four i8. Of the left matrix a group takes MatMulKernel::left_words.
//
// A strip is some rows of c and as many columns as `vectors` vectors have:
//   c[i, j] = (fresh ? 0 : c[i, j]) + the products of row i of a and column j of b
// f32: a chain of fused multiply-adds over increasing k, each rounded once. i8: exact modulo 2^32.
// Strides are in words.
struct MatMulStrip {
  void* c;
  ptrdiff_t c_line;    // from row to row
  ptrdiff_t c_vector;  // from vector to vector
  const void* a;
  ptrdiff_t a_line;
  ptrdiff_t a_step;  // from group to group
  ptrdiff_t a_jump;  // from run to run
  const void* b;     // of a group the words of all columns follow each other
  ptrdiff_t b_line;  // from group to group
  size_t rows;
  size_t vectors;  // 1 to MatMulKernel::vectors
  size_t groups;
  size_t run;   // groups of a in a run
  bool fresh;   // else it goes on from what c holds
  bool finish;  // a NaN becomes the canonical one
};

struct MatMulKernel {
  void (*strip)(const MatMulStrip& strip);
  // c[0, j] goes on over all columns, with few of the groups at a time: the rows of b are read as
  // they lie in memory.
  void (*row)(const MatMulStrip& strip);
  // Words turned: out[k * out_line + j] = in[j * in_line + k], 0 <= j < lines, 0 <= k < count.
  // in_line is in bytes, and `in` aligned to nothing.
  void (*turn)(uint32_t* out, ptrdiff_t out_line, const uint8_t* in, ptrdiff_t in_line,
               size_t lines, size_t count);
  // i8 only: groups of a row as words of the left matrix. `in` has 4 * groups elements.
  void (*left)(uint32_t* out, const int8_t* in, size_t groups);
  // i8 only: words of the right matrix from four rows of `count` elements.
  void (*right)(uint32_t* out, const int8_t* const in[4], size_t count);
  uint8_t lanes;    // words of a vector
  uint8_t vectors;  // of a strip, at most
  uint8_t group;    // elements along k in a word of the right matrix
  uint8_t left_words;
};

// Of f32 and i8.
MatMulKernel PickMatMul(int target, DType dtype);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_MATMUL_H_
