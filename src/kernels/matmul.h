// Products of matrices. The header of these kernels, like kernels.h without Highway.
#ifndef PTO_SRC_KERNELS_MATMUL_H_
#define PTO_SRC_KERNELS_MATMUL_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/kernels.h"

namespace pto {

// Everything is words of 32 bits: an f32, an i32, or the elements along k that fit in a word, a
// group: one f32, which f16 and bf16 are widened to, or four i8. Of the left matrix a group takes
// MatMulKernel::left_words.
//
// A strip is some rows of c and the columns of `vectors` vectors:
//   c[i, j] = (fresh ? 0 : c[i, j]) + the products of row i of a and column j of b
// f32 and f16: a chain of fused multiply-adds over increasing k, each rounded once. bf16: the order
// of paired-inl.h; k of a strip begins at a multiple of 32. i8: exact modulo 2^32.
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
  ptrdiff_t b_line;  // from group to group; of MatMulKernel::few in elements
  size_t rows;
  size_t vectors;  // 1 to MatMulKernel::vectors
  size_t groups;
  size_t run;     // groups of a per run
  bool fresh;     // otherwise it continues from the contents of c
  bool finish;    // a NaN becomes the canonical one
  uint8_t* soon;  // bf16: how many more strips of the context begin in the mode without subnormals
};

// A part of an operand, brought into words: lines of elements, in_line bytes from each other and
// aligned to nothing, become words at `out`.
struct MatMulPanel {
  static constexpr size_t kMostColumns = 256;
  uint32_t* out;
  ptrdiff_t out_line;  // words
  const void* in;
  ptrdiff_t in_line;
  size_t lines;
  size_t count;  // elements of a line
};

// Magnitudes of numbers, as the integers of their bits.
struct MatMulRange {
  uint32_t least = 0;  // but 0; 0: there are only zeros
  uint32_t most = 0;   // infinity and NaN, too
};

struct MatMulKernel {
  void (*strip)(const MatMulStrip& strip);
  // f16 and bf16 only, where few_rows is not 0: the same where b has these, which are widened each
  // time they are read.
  void (*few)(const MatMulStrip& strip);
  // f32 only: c[0, j] continues over all columns, with few groups at a time: the rows of b are
  // read as they lie in memory.
  void (*row)(const MatMulStrip& strip);
  // Rows of the left matrix, each a line of whole groups, with zeros after the last element. f32
  // needs none.
  void (*left)(const MatMulPanel& panel);
  // Rows of the right matrix, of kMostColumns elements at most: a line for each group of them.
  void (*right)(const MatMulPanel& panel);
  // Lines become columns: out[k * out_line + j] = in[j * in_line + k], for i8 whole groups, which
  // `count` counts.
  void (*turn)(const MatMulPanel& panel);
  // Rounds `count` f32 to ones whose last `bits` bits are zero: the nearest, of two the even
  // one or the one away from zero. A NaN stays one. Whole vectors are written.
  void (*round)(float* from, size_t count, int bits, bool away);
  // f32 on processors that are slow with subnormal numbers; elsewhere nullptr. `range` extends a
  // range by the numbers of a panel. `rescale` multiplies them by 2^power: exactly upwards,
  // subnormal numbers from 2^23 on; downwards what ends below 2^-126, but 0, becomes 2^-126 of its
  // sign. They must be finite. `by_f64` is a strip within a run of a, at a twentieth of the speed.
  void (*range)(const MatMulPanel& panel, MatMulRange* range);
  void (*rescale)(const MatMulPanel& panel, int power);
  void (*by_f64)(const MatMulStrip& strip);
  uint8_t lanes;    // words of a vector
  uint8_t vectors;  // of a strip, at most
  uint8_t group;    // elements along k in a word of the right matrix
  uint8_t left_words;
  uint8_t few_rows;  // up to this number, `few` is faster than `right` and `strip`
  // The processor has tile instructions (amx.h), which are faster for this many elements along k
  // and multiply-adds; 0: it has none.
  uint8_t tiles_depth;
  uint32_t tiles_from;
};

// For f32, f16, bf16 and i8.
MatMulKernel PickMatMul(int target, DType dtype);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_MATMUL_H_
