// Folds: lines or columns of a matrix become one element each, or the place of one; and sums
// of neighbours. The header of these kernels, like kernels.h without Highway.
#ifndef PTO_SRC_KERNELS_FOLD_H_
#define PTO_SRC_KERNELS_FOLD_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/kernels.h"

namespace pto {

// How elements become one. Integers wrap. Sums and products of floats are computed in f32 and
// rounded once, at the end, to nearest even; NaN results are canonical.
//   A line: element k joins partial k mod 16; partials start from the neutral element
//     (-0, 1) and are combined 8 + 8, 4 + 4, 2 + 2, 1 + 1, i with i + half.
//   A column: top to bottom, from the neutral element.
//   A column by kTreeSum: neighbours in pairs, (0, 1), (2, 3) ..., then these sums likewise until
//     one is left; where their number is odd, the last is added to the pair before it.
//     Of lines it has no meaning.
// Maximum and minimum: NaN wins and is canonical, +0 > -0.
enum class Fold : uint8_t { kSum = 0, kProd = 1, kMax = 2, kMin = 3, kTreeSum = 4 };
inline constexpr int kFoldCount = 5;

// `lines` lines of `count` elements, src_line elements apart.
// For lines:   dst[i * dst_step] = fold of src[i * src_line + k], 0 <= k < count, for each i.
// For columns: dst[k * dst_step] = fold of src[i * src_line + k], 0 <= i < lines, for each k.
// With nothing to fold nothing is written. Precondition: dst shares no byte with src.
struct FoldGrid {
  void* dst;
  const void* src;
  ptrdiff_t dst_step;
  ptrdiff_t src_line;
  size_t lines;
  size_t count;
};

// The vector loops of folds. Of lines: acc[i] becomes the fold of a line. Of columns: each of the
// `count` columns is folded into acc[k]; where count is not a multiple of FoldKernel::least,
// a vector, the accumulators of the last `least` columns follow the whole vectors.
// For lines count is at least FoldKernel::least. acc has room for whole vectors.
// `fresh`, of columns: acc holds nothing yet, columns start from the neutral element.
// `flip` orders elements: the largest has the largest signed x ^ flip.
using FoldBlock = void (*)(void* acc, const void* src, ptrdiff_t src_line, size_t lines,
                           size_t count, bool fresh, uint64_t flip);
// Turns accumulators into results of the type dst, in place, whole vectors of them.
using FoldFinish = void (*)(void* acc, size_t count, uint64_t flip);
struct FoldKernel;
using FoldDrive = void (*)(const FoldKernel& kernel, const FoldGrid& grid);

// Everything that the library knows of a fold, its types and a target.
struct FoldKernel {
  FoldDrive drive;
  FoldBlock block;
  FoldFinish finish;  // nullptr: accumulators are results
  FoldBlock upper;    // of kTreeSum: columns of accumulators
  uint64_t neutral;   // of lines: element of src that changes nothing
  uint64_t flip;
  uint8_t least;
  uint8_t size;  // bytes of an element of src
  uint8_t acc;   // of an accumulator
  uint8_t dst;   // of a result

  explicit constexpr operator bool() const { return drive != nullptr; }
};

// Element types of src: all; of dst: the type of src, for sums also f32 of f16 and bf16, i32 of
// i16. An empty kernel means that there is no kernel.
FoldKernel PickRowFold(int target, Fold fold, DType src, DType dst);
FoldKernel PickColFold(int target, Fold fold, DType src, DType dst);
inline void Call(const FoldKernel& kernel, const FoldGrid& grid) { kernel.drive(kernel, grid); }

// The place of the largest or smallest element, and the element:
// For lines:   index[i * index_step] is the first k, value[i * value_step] = src[i * src_line + k].
// For columns: index[k * index_step] is the first i, value[k * value_step] = src[i * src_line + k].
// The two zeros are equal; the first NaN wins. Values are copies, NaN too. Either of value
// and index may be nullptr. Indices have index_bytes bytes, 2 or 4: their low bits are stored.
// Precondition: neither shares a byte with src or the other.
struct ArgGrid {
  void* value;
  void* index;
  const void* src;
  ptrdiff_t value_step;
  ptrdiff_t index_step;
  ptrdiff_t src_line;
  size_t lines;
  size_t count;
  int32_t index_bytes;
};

// The first k with (src[k] & mask) == value, which there is.
using FindBlock = size_t (*)(const void* src, size_t count, uint64_t mask, uint64_t value);
// Folds lines first, first + 1 ... into what is known of each column: `best`, a signed key whose
// order is the order of the elements, and `index`, both of ArgKernel::key bytes.
using ArgBlock = void (*)(void* best, void* index, const void* src, ptrdiff_t src_line,
                          size_t first, size_t lines, size_t count, uint64_t flip);
struct ArgKernel;
using ArgDrive = void (*)(const ArgKernel& kernel, const ArgGrid& grid);

struct ArgKernel {
  ArgDrive drive;
  FoldKernel best;  // of lines
  FindBlock find;   // of lines
  ArgBlock block;   // of columns
  uint64_t flip;
  uint64_t infinity;  // as an element; 0 for integers
  uint8_t least;      // of columns: the fewest that block takes
  uint8_t size;
  uint8_t key;

  explicit constexpr operator bool() const { return drive != nullptr; }
};

// fold is kMax or kMin. Every element type.
ArgKernel PickRowArg(int target, Fold fold, DType dtype);
ArgKernel PickColArg(int target, Fold fold, DType dtype);
inline void Call(const ArgKernel& kernel, const ArgGrid& grid) { kernel.drive(kernel, grid); }

// dst[i, k] = src[i, 2k] + src[i, 2k + 1]; of an odd count the last element is copied,
// bit for bit; the rest of a line's `count` elements becomes 0. Integers wrap, floats round
// once. A Grid without b. Precondition: src is dst exactly (same address, same line) or shares
// no byte with it.
using PairBlock = void (*)(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line,
                           size_t lines, size_t pairs);
struct PairSumKernel {
  PairBlock block;  // pairs are a multiple of 64
  uint8_t size;
};
PairSumKernel PickPairSum(int target, DType dtype);
void Call(const PairSumKernel& kernel, const Grid& grid);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_FOLD_H_
