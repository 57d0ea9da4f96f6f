// What products of matrices that lie anyhow (matmul.cc) and small ones that lie evenly (matmul_even.cc) have in common.
#ifndef PTO_SRC_ENGINE_PRODUCT_H_
#define PTO_SRC_ENGINE_PRODUCT_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "src/kernels/matmul.h"
#include "src/objects/context.h"
#include "src/objects/error.h"
#include "src/objects/fp_env.h"
#include "src/objects/layout.h"
#include "src/objects/tile.h"
#include "src/records/op_info.h"

namespace pto {

// A matrix in memory. Its layout is elsewhere: copied just after it was written word by word it would wait for
// the store buffer.
struct Matrix {
  uint8_t* data = nullptr;
  const Layout* layout = nullptr;
  DType dtype = DType::kF32;

  int64_t Size() const { return Info(dtype).bytes; }
  uint8_t* At(int32_t r, int32_t c) const { return data + layout->Offset(r, c) * Size(); }
};

struct ProductOperands {
  Matrix c, a, b;
  int32_t rows = 0, cols = 0, depth = 0;
  bool fresh = true;  // else sums go on from what c holds
};

// Whether tile instructions are faster than vectors: below, most of a tile is empty.
inline bool TilesPay(const MatMulKernel& kernel, int32_t rows, int32_t cols, int32_t depth) {
  return kernel.tiles_from != 0 && depth >= kernel.tiles_depth && int64_t{rows} * cols * depth >= kernel.tiles_from;
}
// Whether they know the layouts, and the process may use them. Then the bytes of scratch that they take, and the
// product, which returns whether it was finished: src/engine/matmul_tiles.cc.
bool TilesTake(const ProductOperands& p);
int64_t TileScratch(const ProductOperands& p);
bool RunTiles(const pto_context& ctx, const ProductOperands& p, uint8_t* scratch);

// Between lines of the left matrix in scratch, so that they do not meet in one place of the cache.
inline constexpr int64_t kLeftGap = 16;

// Elements along k that are worked on at a time: whole boxes of any layout. A panel of the right matrix stays in the
// first cache.
inline constexpr int32_t kDepth = 256;
// The size up to which a right matrix stays in the cache in place.
inline constexpr int64_t kRightNear = int64_t{16} << 10;

// Whether rows of the right matrix are read where they lie, `line` words or elements from each other.
inline bool ReadInPlace(const MatMulKernel& kernel, DType dtype, int32_t rows, int32_t length, int64_t line) {
  if (dtype != DType::kF32) return rows <= kernel.few_rows;
  return length * line * 4 <= kRightNear || rows <= 2;
}

// Columns of the right matrix, from row k on, that are packed next. Prefetched while those before them are multiplied:
// where lines are far from each other, the processor does not expect them. Matrices in the first cache do without.
inline void PrefetchRight(const Matrix& b, int32_t k, int32_t length, int32_t col, int32_t width, int32_t cols) {
  const Layout& l = *b.layout;
  const int32_t count = std::min(width, cols - col);
  if (count <= 0 || l.Boxed() || int64_t{length} * cols * b.Size() < kRightNear) return;
  asm volatile("");  // or gcc drops the calls, since prefetching changes nothing
  const bool rows = l.RowsContiguous();
  const int64_t line = l.LineStep() * b.Size(), bytes = (rows ? count : length) * b.Size();
  const uint8_t* from = b.At(k, col);
  if (rows && (reinterpret_cast<uintptr_t>(from) & 63) >= static_cast<uintptr_t>(bytes)) return;  // came with the last
  for (int32_t i = rows ? length : count; i > 0; --i, from += line) {
    for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(from + at, 0, 2);
  }
}

// Vectors and groups have a power of two of words or elements: a division would cost as much as a short strip.
inline int32_t Over(int32_t count, uint8_t power) { return count >> __builtin_ctz(power); }

// Words between vectors of a row of the result; 0: vectors do not lie in one piece.
inline int64_t VectorStep(const Layout& l, const MatMulKernel& kernel) {
  if (l.panel_cols == kNoSeam || (l.panel_cols & (kernel.lanes * kernel.vectors - 1)) == 0) return kernel.lanes;
  return l.panel_cols == kernel.lanes ? l.col_box : 0;
}

// Sums of bf16 take subnormals for zeros. To set the mode for that costs as much as 16 x 16 x 16, and a strip of a
// small product that meets none does without.
inline Subnormals SubnormalsOf(DType factor, int32_t rows, int32_t cols, int32_t depth) {
  constexpr int64_t kLarge = int64_t{1} << 16;
  return factor == DType::kBF16 && int64_t{rows} * cols * depth >= kLarge ? Subnormals::kZeros : Subnormals::kKept;
}

// A strip of f32 on a processor that is slow with subnormal numbers, in a thread that has met some:
// src/engine/careful.cc.
void CarefulStrip(pto_context* ctx, const MatMulKernel& kernel, const MatMulStrip& strip);

// A strip. `marked`: the thread has met subnormal numbers.
inline void RunStrip(pto_context* ctx, const MatMulKernel& kernel, void (*work)(const MatMulStrip&),
                     const MatMulStrip& strip, bool marked) {
  if (marked && kernel.range != nullptr) [[unlikely]]
    return CarefulStrip(ctx, kernel, strip);
  work(strip);
}

// Asked between strips: of the tallest a strip takes some milliseconds.
inline bool Halted(const pto_context& ctx) { return ctx.halt != nullptr && ctx.halt->Due(); }
inline Status FailHalted(pto_context* ctx, const OpInfo& op) {
  return ctx->error.Set(Rule::kStopped, op.name, "", "ended before the whole product was there");
}

// RunProduct() of those that are not small or lie in another way: src/engine/matmul.cc.
Status RunAnyProduct(pto_context* ctx, const OpInfo& op, const pto_tile& c, const pto_tile& a, const pto_tile& b,
                     bool fresh);

}  // namespace pto

#endif  // PTO_SRC_ENGINE_PRODUCT_H_
