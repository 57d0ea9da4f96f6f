// The drivers of folds: lines in batches and columns in pieces that stay in L1, what is shorter
// than a vector, results in steps. Plain C++, once for all targets.
#include <algorithm>
#include <cstring>
#include <limits>

#include "src/kernels/elements.h"
#include "src/kernels/fold_pickers.h"

namespace pto {
namespace {

constexpr size_t kVectorBytes = 64;

// Lines folded by one call.
constexpr size_t kBatch = 64;
// Columns that are folded together, and lines of them before the next columns: accumulators stay
// in L1, and no more lines are read in turn than processors fetch ahead.
constexpr size_t kColumns = 1024;
constexpr size_t kRowsInTurn = 8;
// The accumulators of so few columns stay in registers.
constexpr size_t kRegisterBytes = 256;

// `lines` lines that are shorter than `least`, made as long, into memory of a vector each.
void Pad(const void* src, ptrdiff_t line, size_t lines, size_t count, size_t size, size_t least,
         uint64_t neutral, uint8_t* to) {
  for (size_t i = 0; i < lines; ++i, to += least * size) {
    const uint8_t* const from = At(src, static_cast<ptrdiff_t>(i) * line, size);
    FillElements(to, least * size,
                 neutral == kRepeatFirst ? from : static_cast<const void*>(&neutral), size);
    std::memcpy(to, from, count * size);
  }
}

// Lines of columns, `count` of them wherever they may end, into accumulators one after another.
void FoldPiece(FoldBlock block, size_t size, size_t acc_size, uint64_t flip, void* acc,
               const void* src, ptrdiff_t src_line, size_t lines, size_t count) {
  const size_t in_turn = count * acc_size <= kRegisterBytes ? lines : kRowsInTurn;
  for (size_t i = 0; i < lines; i += in_turn) {
    block(acc, At(src, static_cast<ptrdiff_t>(i) * src_line, size), src_line,
          std::min(in_turn, lines - i), count, i == 0, flip);
  }
}

// Moves the accumulators of the last columns after the others; see FoldBlock.
void CloseUp(void* acc, size_t acc_size, size_t least, size_t count) {
  const size_t rest = count % least;
  if (count < least || rest == 0) return;
  uint8_t* const to = static_cast<uint8_t*>(acc) + (count - rest) * acc_size;
  std::memmove(to, to + (least - rest) * acc_size, rest * acc_size);
}

size_t WholeVectors(size_t count, size_t least) { return (count + least - 1) / least * least; }

// Columns k ... of a piece, none so short that it is less than a vector unless all are.
size_t PieceAt(size_t k, size_t count, size_t most, size_t least) {
  const size_t left = count - k;
  return left <= most ? left : left - most < least ? most - least : most;
}

// Whether results may be accumulated where they belong, if they are whole vectors.
bool MadeInPlace(const FoldKernel& k, const void* dst, ptrdiff_t dst_step) {
  return dst_step == 1 && k.acc == k.dst && reinterpret_cast<uintptr_t>(dst) % k.dst == 0;
}

// A tree of sums of `rows` lines, kTreeColumns of them at most.
constexpr size_t kTreeColumns = 256;
struct TreeSum {
  const FoldKernel& k;
  const uint8_t* src;
  ptrdiff_t src_line;
  size_t rows;
  size_t count;

  // The sum at `index` of the sums that are left after `level` rounds.
  void Node(int level, size_t index, float* out) const {
    const size_t width = WholeVectors(count, k.least);
    if (level == 0) {
      FoldPiece(k.block, k.size, k.acc, 0, out, Row(index), src_line, 1, count);
      CloseUp(out, k.acc, k.least, count);
      return;
    }
    const size_t before = rows >> (level - 1);
    const size_t last = before / 2 - 1;
    const size_t children = index == last ? before - 2 * index : 2;
    if (level == 1) {
      FoldPiece(k.block, k.size, k.acc, 0, out, Row(2 * index), src_line, children, count);
      CloseUp(out, k.acc, k.least, count);
      return;
    }
    alignas(64) float sums[3 * (kTreeColumns + 16)];
    for (size_t c = 0; c < children; ++c) Node(level - 1, 2 * index + c, sums + c * width);
    k.upper(out, sums, static_cast<ptrdiff_t>(width), children, width, true, 0);
  }

  const uint8_t* Row(size_t row) const {
    return At(src, static_cast<ptrdiff_t>(row) * src_line, k.size);
  }
};

template <typename T>
void UnflipIntsOf(void* acc, size_t count, uint64_t flip) {
  T* const values = static_cast<T*>(acc);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<T>(values[i] ^ static_cast<T>(flip));
}

// The top of the order is NaN; see MaxOfOrder.
template <typename T, T kCanonical>
void UnflipFloatsOf(void* acc, size_t count, uint64_t flip) {
  T* const values = static_cast<T*>(acc);
  constexpr T kTop = std::numeric_limits<T>::max();
  for (size_t i = 0; i < count; ++i) {
    const T order = static_cast<T>(values[i] ^ static_cast<T>(flip));
    const T value = static_cast<T>(order ^ (order < 0 ? kTop : 0));
    values[i] = values[i] == kTop ? kCanonical : value;
  }
}

uint64_t Infinity(DType dtype) {
  return dtype == DType::kF32    ? 0x7f800000
         : dtype == DType::kF16  ? 0x7c00
         : dtype == DType::kBF16 ? 0x7f80
                                 : 0;
}

// The place of the largest element of a line, which is given.
size_t Find(const ArgKernel& k, const uint8_t* line, size_t count, uint64_t largest) {
  uint64_t mask = ~uint64_t{0} >> (64 - 8 * k.size);
  if (k.infinity != 0) {
    const uint64_t size = mask >> 1;
    if ((largest & size) > k.infinity) {  // the first NaN
      size_t i = 0;
      while ((LoadElement(line + i * k.size, k.size) & size) <= k.infinity) ++i;
      return i;
    }
    if ((largest & size) == 0) {  // a zero of either sign
      mask = size;
      largest = 0;
    }
  }
  return k.find(line, count, mask, largest);
}

void StoreArg(const ArgKernel& k, const ArgGrid& g, size_t result, size_t where,
              const uint8_t* element) {
  const auto at = static_cast<ptrdiff_t>(result);
  if (g.index != nullptr) {
    const size_t bytes = static_cast<size_t>(g.index_bytes);
    std::memcpy(At(g.index, at * g.index_step, bytes), &where, bytes);
  }
  if (g.value != nullptr) std::memcpy(At(g.value, at * g.value_step, k.size), element, k.size);
}

void DriveRowArg(const ArgKernel& k, const ArgGrid& g) {
  if (g.count == 0) return;
  alignas(64) uint8_t largest[8 * kBatch];
  for (size_t i = 0; i < g.lines; i += kBatch) {
    const size_t lines = std::min(kBatch, g.lines - i);
    const uint8_t* line = At(g.src, static_cast<ptrdiff_t>(i) * g.src_line, k.size);
    Call(k.best, FoldGrid{largest, line, 1, g.src_line, lines, g.count});
    for (size_t j = 0; j < lines; ++j, line = At(line, g.src_line, k.size)) {
      const size_t where = Find(k, line, g.count, LoadElement(largest + j * k.size, k.size));
      StoreArg(k, g, i + j, where, line + where * k.size);
    }
  }
}

}  // namespace

FoldFinish UnflipInts(int bytes) {
  return bytes == 1   ? UnflipIntsOf<int8_t>
         : bytes == 2 ? UnflipIntsOf<int16_t>
         : bytes == 4 ? UnflipIntsOf<int32_t>
                      : UnflipIntsOf<int64_t>;
}

FoldFinish UnflipFloats(DType dtype) {
  return dtype == DType::kF32   ? UnflipFloatsOf<int32_t, 0x7fc00000>
         : dtype == DType::kF16 ? UnflipFloatsOf<int16_t, 0x7e00>
                                : UnflipFloatsOf<int16_t, 0x7fc0>;
}

ArgKernel PickRowArg(int target, Fold fold, DType dtype) {
  ArgKernel kernel = PickFind(target, dtype);
  kernel.drive = DriveRowArg;
  kernel.best = PickRowFold(target, fold, dtype, dtype);
  kernel.infinity = Infinity(dtype);
  return kernel;
}

void DriveRowFold(const FoldKernel& k, const FoldGrid& g) {
  if (g.count == 0) return;
  alignas(64) uint8_t acc[8 * kBatch + kVectorBytes];
  alignas(64) uint8_t padded[kBatch * kVectorBytes];
  const size_t count = std::max<size_t>(g.count, k.least);
  for (size_t i = 0; i < g.lines; i += kBatch) {
    const size_t lines = std::min(kBatch, g.lines - i);
    const uint8_t* src = At(g.src, static_cast<ptrdiff_t>(i) * g.src_line, k.size);
    ptrdiff_t line = g.src_line;
    if (g.count < k.least) {
      Pad(src, line, lines, g.count, k.size, count, k.neutral, padded);
      src = padded;
      line = static_cast<ptrdiff_t>(count);
    }
    uint8_t* const dst = At(g.dst, static_cast<ptrdiff_t>(i) * g.dst_step, k.dst);
    const bool direct = MadeInPlace(k, dst, g.dst_step) && lines * k.dst % kVectorBytes == 0;
    uint8_t* const to = direct ? dst : acc;
    k.block(to, src, line, lines, count, true, k.flip);
    if (k.finish != nullptr) k.finish(to, lines, k.flip);
    if (!direct) SpreadElements(acc, k.dst, dst, k.dst, g.dst_step, lines);
  }
}

void DriveColFold(const FoldKernel& k, const FoldGrid& g) {
  if (g.lines == 0) return;
  alignas(64) uint8_t acc[8 * kColumns + kVectorBytes];
  for (size_t first = 0, n; first < g.count; first += n) {
    n = PieceAt(first, g.count, kColumns, k.least);
    uint8_t* const dst = At(g.dst, static_cast<ptrdiff_t>(first) * g.dst_step, k.dst);
    const bool direct = MadeInPlace(k, dst, g.dst_step) && n % k.least == 0;
    uint8_t* const to = direct ? dst : acc;
    FoldPiece(k.block, k.size, k.acc, k.flip, to, At(g.src, static_cast<ptrdiff_t>(first), k.size),
              g.src_line, g.lines, n);
    CloseUp(to, k.acc, k.least, n);
    if (k.finish != nullptr) k.finish(to, n, k.flip);
    if (!direct)
      SpreadElements(acc, k.finish != nullptr ? k.dst : k.acc, dst, k.dst, g.dst_step, n);
  }
}

void DriveTreeSum(const FoldKernel& k, const FoldGrid& g) {
  if (g.lines == 0) return;
  alignas(64) float sums[kTreeColumns + 16];
  int rounds = 0;
  while (g.lines >> rounds > 1) ++rounds;
  for (size_t first = 0, n; first < g.count; first += n) {
    n = PieceAt(first, g.count, kTreeColumns, k.least);
    TreeSum{k, At(g.src, static_cast<ptrdiff_t>(first), k.size), g.src_line, g.lines, n}.Node(
        rounds, 0, sums);
    if (k.finish != nullptr) k.finish(sums, n, 0);
    SpreadElements(sums, k.dst, At(g.dst, static_cast<ptrdiff_t>(first) * g.dst_step, k.dst), k.dst,
                   g.dst_step, n);
  }
}

void DriveColArg(const ArgKernel& k, const ArgGrid& g) {
  if (g.lines == 0) return;
  constexpr size_t kArgColumns = 256;
  alignas(64) uint8_t best[8 * kArgColumns + kVectorBytes];
  alignas(64) uint8_t index[8 * kArgColumns + kVectorBytes];
  const uint64_t least_key = uint64_t{1} << (8 * k.key - 1);
  for (size_t first = 0, n; first < g.count; first += n) {
    n = PieceAt(first, g.count, kArgColumns, k.least);
    FillElements(best, WholeVectors(n, k.least) * k.key, &least_key, k.key);
    std::memset(index, 0, sizeof index);
    for (size_t i = 0; i < g.lines; i += kRowsInTurn) {
      const size_t lines = std::min(kRowsInTurn, g.lines - i);
      const uint8_t* const src =
          At(g.src, static_cast<ptrdiff_t>(i) * g.src_line + static_cast<ptrdiff_t>(first), k.size);
      if (n < k.least) {
        alignas(64) uint8_t padded[kRowsInTurn * kVectorBytes];
        Pad(src, g.src_line, lines, n, k.size, k.least, 0, padded);
        k.block(best, index, padded, k.least, i, lines, k.least, k.flip);
      } else {
        k.block(best, index, src, g.src_line, i, lines, n, k.flip);
      }
    }
    CloseUp(index, k.key, k.least, n);
    for (size_t j = 0; j < n; ++j) {
      const size_t where = LoadElement(index + j * k.key, k.key);
      StoreArg(
          k, g, first + j, where,
          At(g.src, static_cast<ptrdiff_t>(where) * g.src_line + static_cast<ptrdiff_t>(first + j),
             k.size));
    }
  }
}

}  // namespace pto
