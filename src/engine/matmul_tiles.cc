// Products by the tile instructions of the processor: which layouts they take, and the blocks of a large product.
#include <algorithm>

#include "src/engine/product.h"
#include "src/kernels/amx.h"

namespace pto {

namespace {

constexpr int32_t kBox = 32;  // bytes of a line of a box of factors

// Sums in whole lines of 16: rows, and boxes as wide as a tile.
bool TakesSums(const Layout& l) {
  const bool panels = l.panel_cols == kNoSeam || l.panel_cols == 16;
  return l.RowsContiguous() && l.panel_rows == kNoSeam && panels;
}

// Lines along k without boxes, or in boxes of 32 bytes, with one step from line to line. `panel`: elements of a line of
// a box, `lines`: how many lines there are between seams.
bool TakesLines(int32_t panel, int32_t lines, int64_t size) {
  return lines == kNoSeam && (panel == kNoSeam || panel * size == kBox);
}

// Bytes from 32 bytes of a line to the next ones.
int64_t JumpOf(int32_t panel, int64_t box, int64_t size) { return panel == kNoSeam ? kBox : box * size; }

// Whether columns of b lie in one piece.
bool Turned(const Layout& l) { return !l.RowsContiguous(); }

}  // namespace

bool TilesTake(const ProductOperands& p) {
  const Layout &a = *p.a.layout, &b = *p.b.layout;
  const int64_t size = p.a.Size();
  if (!TakesSums(*p.c.layout) || !a.RowsContiguous() || !TakesLines(a.panel_cols, a.panel_rows, size)) return false;
  const bool right = Turned(b) ? b.row_step == 1 && TakesLines(b.panel_rows, b.panel_cols, size)
                               : b.panel_rows == kNoSeam && b.panel_cols == kNoSeam;
  return right && amx::Granted();
}

int64_t TileScratch(const ProductOperands& p) {
  const int64_t depth = std::min<int64_t>(p.depth * p.a.Size(), amx::kDeep);
  return amx::LeftBytes(std::min<int64_t>(p.rows, amx::kTall), depth) + amx::RightBytes(depth);
}

bool RunTiles(const pto_context& ctx, const ProductOperands& p, uint8_t* scratch) {
  const Layout &c = *p.c.layout, &a = *p.a.layout, &b = *p.b.layout;
  const int64_t size = p.a.Size();
  const auto multiply = p.a.dtype == DType::kI8 ? amx::MultiplyI8 : amx::MultiplyBF16;
  const auto step = static_cast<int32_t>(amx::kDeep / size);
  constexpr auto kTall = static_cast<int32_t>(amx::kTall);
  constexpr auto kWide = static_cast<int32_t>(amx::kWide);
  amx::Part part;
  part.left = scratch;
  part.right = scratch + TileScratch(p) - amx::RightBytes(std::min<int64_t>(p.depth * size, amx::kDeep));
  for (int32_t k = 0; k < p.depth; k += step) {
    const int32_t length = std::min(step, p.depth - k);
    part.depth = length * size;
    part.fresh = p.fresh && k == 0;
    part.finish = k + length == p.depth;
    for (int32_t r = 0; r < p.rows; r += kTall) {
      part.rows = std::min(kTall, p.rows - r);
      amx::PackLeft({p.a.At(r, k), a.row_step * size, JumpOf(a.panel_cols, a.col_box, size)}, part.rows, part.depth,
                    scratch);
      for (int32_t col = 0; col < p.cols; col += kWide) {
        if (Halted(ctx)) return false;
        part.cols = std::min(kWide, p.cols - col);
        part.c = {reinterpret_cast<int32_t*>(p.c.At(r, col)), c.row_step, c.panel_cols == kNoSeam ? 16 : c.col_box};
        part.b = Turned(b) ? amx::Right{p.b.At(k, col), b.col_step * size, JumpOf(b.panel_rows, b.row_box, size), true}
                           : amx::Right{p.b.At(k, col), b.row_step * size, 0, false};
        multiply(part);
      }
    }
  }
  return true;
}

}  // namespace pto
