// Conversions between element types. The header of these kernels, like kernels.h without
// Highway.
#ifndef PTO_SRC_KERNELS_CONVERT_H_
#define PTO_SRC_KERNELS_CONVERT_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/kernels.h"

namespace pto {

// Values of pto_round.
enum class Round : uint8_t {
  kNone = 0,   // kTrunc from floats to integers, kRound to HiFloat8, else kRint
  kRint = 1,   // to nearest, ties to even
  kRound = 2,  // to nearest, ties away from zero
  kFloor = 3,
  kCeil = 4,
  kTrunc = 5,
  kOdd = 6,  // towards zero, then the last bit is set if that was inexact
};

// dst[i * dst_line + k] = src[i * src_line + k] as an element of the other type; lines are
// counted in elements. Precondition: src shares no byte with dst, or both have the same address,
// line and bytes an element.
struct ConvertGrid {
  void* dst;
  const void* src;
  ptrdiff_t dst_line;
  ptrdiff_t src_line;
  size_t lines;
  size_t count;
};

// The parameters of a stage; each stage uses them in its own way.
struct StageArgs {
  int64_t low, high;        // least and largest result
  int64_t at_low, at_high;  // the results for values beyond them
  int64_t flip;             // orders integers: signed x ^ flip
  Round mode;
  bool saturate;
};

// One step: lines of one representation into lines of another. count is at least kStageLeast.
// Precondition: as for ConvertGrid.
using Stage = void (*)(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line,
                       size_t lines, size_t count, const StageArgs& args);
inline constexpr size_t kStageLeast = 16;

// A conversion is a chain of stages, with one rounding in total. Between them are elements of
// 1, 2, 4 or 8 bytes.
inline constexpr int kMaxStages = 4;
struct ConvertKernel {
  Stage stages[kMaxStages];
  StageArgs args[kMaxStages];
  uint8_t bytes[kMaxStages + 1];  // of an element of src, after the first stage, ...
  uint8_t count;

  explicit constexpr operator bool() const { return count != 0; }
};

// Every pair of types, of a type to itself too: floats become integral then, integers stay.
//   Float to integer: rounded by the mode. Saturating: the nearest value of the type, NaN
//     becomes 0. Else the low bits of the rounded value; +-inf count as the largest and smallest
//     64-bit integers, unsigned ones if the type is u64, NaN as 0.
//   Integer to integer: clamped or the low bits; no rounding.
//   To floats: rounded once, by the mode, as if exponents had no end; NaN is canonical. Results
//     beyond the largest finite number, infinities included, become that number if saturating;
//     else infinity, or NaN of a type without infinity. A conversion to a type that has every
//     value of src is exact and keeps infinities. E2M1 and E1M2 have neither infinity nor NaN:
//     the largest finite number replaces what is beyond, -0 replaces NaN. HiFloat8 has one zero.
//     Of two powers of two without fraction bits the larger one wins a tie. kOdd sets the last
//     bit of the code of an inexact result; below the least number of E8M0 it gives that number.
//     E8M0 has neither zero nor negative numbers: NaN replaces them.
ConvertKernel PickConvert(int target, DType src, DType dst, Round mode, bool saturate);
// All stages over a grid of any shape.
void CallInPieces(const ConvertKernel& kernel, const ConvertGrid& grid);
// Inline, so that the usual one, a stage over lines that it takes, has its grid in registers: what
// was just written word by word and is read by vectors waits for the store buffer.
inline void Call(const ConvertKernel& k, const ConvertGrid& g) {
  const auto along = static_cast<ptrdiff_t>(g.count);
  const bool together = g.dst_line == along && g.src_line == along;
  const size_t lines = together ? 1 : g.lines;
  const size_t count = together ? g.count * g.lines : g.count;
  if (k.count == 1 && count >= kStageLeast) {
    k.stages[0](g.dst, g.src, g.dst_line, g.src_line, lines, count, k.args[0]);
  } else {
    CallInPieces(k, {g.dst, g.src, g.dst_line, g.src_line, lines, count});
  }
}

// Whether a conversion saturates by default.
bool SaturatesByDefault(DType src, DType dst);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_CONVERT_H_
