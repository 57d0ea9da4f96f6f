// The engine of moves: elements of one width go from places to places, whatever the layouts of the two sides.
#ifndef PTO_SRC_ENGINE_REARRANGE_H_
#define PTO_SRC_ENGINE_REARRANGE_H_

#include <cstdint>

#include "src/objects/context.h"
#include "src/objects/layout.h"

namespace pto {

// A matrix of elements, strides counted in elements.
struct Plane {
  uint8_t* data;
  int64_t row_step;
  int64_t col_step;
};

// A rectangle of a layout: its element (r, c) is element (row + r, col + c) of what begins at data.
struct Area {
  uint8_t* data;
  Layout layout;
  int32_t row = 0;
  int32_t col = 0;
};

// Calls visit(row, col, rows, cols) for the panels of a rectangle of a layout.
template <class Visit>
void ForEachPanel(const Layout& layout, int32_t row, int32_t col, int32_t end_row, int32_t end_col,
                  const Visit& visit) {
  for (int32_t r = row; r < end_row;) {
    const int32_t next_r = PanelEnd(r, layout.panel_rows, end_row);
    for (int32_t c = col; c < end_col;) {
      const int32_t next_c = PanelEnd(c, layout.panel_cols, end_col);
      visit(r, c, next_r - r, next_c - c);
      c = next_c;
    }
    r = next_r;
  }
}

// Moves elements of `size` bytes with the kernels of a context.
class Mover {
 public:
  Mover(const pto_context& ctx, int bytes);

  // Element (r, c) of `to` becomes element (r, c) of `from`. Precondition: the two share no byte. Elements
  // of `to` that share a place are written in row order when there is one row.
  void Planes(const Plane& to, const Plane& from, int64_t rows, int64_t cols) const;
  void Areas(const Area& to, const Area& from, int32_t rows, int32_t cols) const;

  // All elements get the same bits.
  void Fill(const Area& to, int32_t rows, int32_t cols, uint64_t bits) const;

  int64_t size() const { return size_; }

 private:
  // A number of planes at a distance of one step.
  void Panels(const Plane& to, const Plane& from, int64_t rows, int64_t cols, int64_t panels, int64_t to_step,
              int64_t from_step) const;
  // The same where each is one piece on both sides.
  void Pieces(const Plane& to, const Plane& from, int64_t rows, int64_t cols, int64_t panels, int64_t to_step,
              int64_t from_step) const;

  Plane Behind(const Plane& p, int64_t elements) const { return {p.data + elements * size_, p.row_step, p.col_step}; }

  const Shuffles& shuffles_;
  const Kernel& copy_;
  int64_t size_;
};

inline constexpr uint8_t kPadMax = 2;  // values of Geometry::pad
inline constexpr uint8_t kPadMin = 3;
// The bits of a tile's pad value.
uint64_t PadBits(const Geometry& g);
// The first `rows` of a tile, except for its first valid_rows x valid_cols elements, get the tile's pad value.
void FillOutside(const Mover& mover, const pto_tile& tile, int32_t valid_rows, int32_t valid_cols, int32_t rows);

// Packed elements of the valid region, row by row or column by column, from and to whatever layout the tile has.
// Precondition: the two do not overlap.
void PackRows(const pto_context& ctx, const pto_tile& tile, void* packed);
void UnpackRows(const pto_context& ctx, const void* packed, const pto_tile& tile);
void PackCols(const pto_context& ctx, const pto_tile& tile, void* packed);

}  // namespace pto

#endif  // PTO_SRC_ENGINE_REARRANGE_H_
