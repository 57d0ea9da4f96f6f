// How the elements of a tile lie in memory: one form for the six layouts.
#ifndef PTO_SRC_OBJECTS_LAYOUT_H_
#define PTO_SRC_OBJECTS_LAYOUT_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace pto {

enum class BLayout : uint8_t { kRowMajor = 0, kColMajor = 1 };
enum class SLayout : uint8_t { kNoneBox = 0, kRowMajor = 1, kColMajor = 2 };
// Same values as pto_compact.
enum class Compact : uint8_t { kNull = 0, kNormal = 1, kRowPlusOne = 2, kRowAlignedPadding = 3 };

inline constexpr int32_t kNoSeam = std::numeric_limits<int32_t>::max();

// Element (r, c) lies at
//   (r / box_rows) * row_box + (c / box_cols) * col_box + (r % box_rows) * row_step + (c % box_cols) * col_step
// elements from the start. An unboxed tile is one box without end. One of the
// two steps is 1: along that axis a line of elements is contiguous.
//
// A panel is a part of the tile in which moving by a row always is row_step and
// moving by a column always is col_step: it ends where a box does, unless the
// next box follows without a seam.
struct Layout {
  int64_t row_box = 0;
  int64_t col_box = 0;
  int64_t row_step = 0;
  int64_t col_step = 0;
  int32_t box_rows = kNoSeam;
  int32_t box_cols = kNoSeam;
  int32_t panel_rows = kNoSeam;
  int32_t panel_cols = kNoSeam;

  bool operator==(const Layout&) const = default;

  bool RowsContiguous() const { return col_step == 1; }
  bool Boxed() const { return box_rows != kNoSeam; }
  // One panel, and one box.
  bool Seamless() const {
    return box_rows == kNoSeam && box_cols == kNoSeam && panel_rows == kNoSeam && panel_cols == kNoSeam;
  }

  int64_t Offset(int32_t r, int32_t c) const {
    return Along(r, box_rows, row_box, row_step) + Along(c, box_cols, col_box, col_step);
  }
  // Sides of boxes are powers of two.
  static int64_t Along(int32_t at, int32_t box, int64_t box_step, int64_t step) {
    if (box == kNoSeam) return at * step;
    return (at >> std::countr_zero(static_cast<uint32_t>(box))) * box_step + (at & (box - 1)) * step;
  }

  // Elements between the starts of two lines of a panel.
  int64_t LineStep() const { return RowsContiguous() ? row_step : col_step; }

  // Rows become columns.
  Layout Turned() const {
    return {.row_box = col_box,
            .col_box = row_box,
            .row_step = col_step,
            .col_step = row_step,
            .box_rows = box_cols,
            .box_cols = box_rows,
            .panel_rows = panel_cols,
            .panel_cols = panel_rows};
  }

  static Layout RowMajor(int64_t line) { return Layout{.row_step = line, .col_step = 1}; }
  static Layout ColMajor(int64_t line) { return Layout{.row_step = 1, .col_step = line}; }
};

// The end of the panel that holds `at`, or `end` if it is smaller. A panel has the sides of a box.
inline int32_t PanelEnd(int32_t at, int32_t panel, int32_t end) {
  return panel == kNoSeam ? end : std::min(end, (at | (panel - 1)) + 1);
}

// The box of a fractal size, in rows and columns: 512 bytes are 16 lines of 32
// bytes, 1024 are 16 x 16 whatever the type, 32 are 16 lines of 2 elements.
struct Box {
  int32_t rows;
  int32_t cols;
};

inline Box BoxOf(SLayout slayout, int32_t fractal, int32_t element_bytes) {
  const int32_t length = fractal == 1024 ? 16 : fractal == 32 ? 2 : 32 / element_bytes;
  return slayout == SLayout::kRowMajor ? Box{16, length} : Box{length, 16};
}

inline int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// The layout of rows x cols elements, and in *count the elements its storage holds.
// Where boxes do not divide the tile, lines between boxes are as long as if they did. Of a compact tile `valid_rows`
// count.
inline Layout MakeLayout(BLayout blayout, SLayout slayout, int32_t fractal, int32_t element_bytes, int32_t rows,
                         int32_t cols, int64_t* count, Compact compact = Compact::kNull, int32_t valid_rows = 0) {
  if (slayout == SLayout::kNoneBox) {
    *count = int64_t{rows} * cols;
    return blayout == BLayout::kRowMajor ? Layout::RowMajor(cols) : Layout::ColMajor(rows);
  }
  const Box box = BoxOf(slayout, fractal, element_bytes);
  const int64_t area = int64_t{box.rows} * box.cols;
  const int64_t whole_rows = RoundUp(rows, box.rows);
  const int64_t whole_cols = RoundUp(cols, box.cols);
  Layout layout;
  layout.box_rows = box.rows;
  layout.box_cols = box.cols;
  layout.row_step = slayout == SLayout::kRowMajor ? box.cols : 1;
  layout.col_step = slayout == SLayout::kRowMajor ? 1 : box.rows;
  *count = whole_rows * whole_cols;
  if (blayout == BLayout::kRowMajor) {
    layout.row_box = whole_cols * box.rows;
    layout.col_box = area;
  } else {
    // Nz needs no whole boxes down a column: its rows follow each other without a seam.
    int64_t column_rows = slayout == SLayout::kRowMajor ? rows : whole_rows;
    if (compact == Compact::kRowPlusOne) ++column_rows;
    if (compact == Compact::kNormal) {
      column_rows = std::min(column_rows, RoundUp(std::max(valid_rows, 1), std::max(box.rows, 16)));
    }
    layout.row_box = area;
    layout.col_box = column_rows * box.cols;
    *count = column_rows * whole_cols;
  }
  layout.panel_rows = layout.row_box == box.rows * layout.row_step ? kNoSeam : box.rows;
  layout.panel_cols = layout.col_box == box.cols * layout.col_step ? kNoSeam : box.cols;
  return layout;
}

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_LAYOUT_H_
