// Layout against memory walked in order (tests/common/layouts.c), for every layout,
// element size and odd shape: places, storage size, and what panels promise.
#include <vector>

#include "layouts.h"
#include "src/objects/layout.h"
#include "src/objects/tile.h"

extern "C" {
#include "testing.h"
}

namespace {

using pto::Layout;

Layout LayoutOf(const pto_tile_desc& desc, int64_t* count) {
  return pto::MakeLayout(static_cast<pto::BLayout>(desc.blayout), static_cast<pto::SLayout>(desc.slayout),
                         desc.fractal == 0 ? 512 : desc.fractal, pto_dtype_bytes(desc.dtype), desc.rows, desc.cols,
                         count, static_cast<pto::Compact>(desc.compact), desc.rows);
}

template <class Test>
void ForEachShape(Test test) {
  static constexpr pto_dtype kTypes[] = {PTO_DTYPE_U8, PTO_DTYPE_F16, PTO_DTYPE_F32, PTO_DTYPE_I64};
  static constexpr int32_t kExtents[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 65};
  for (const test_layout& layout : k_layouts) {
    for (const pto_dtype dtype : kTypes) {
      for (const int32_t rows : kExtents) {
        for (const int32_t cols : kExtents) test(layout_desc(&layout, dtype, rows, cols));
      }
    }
  }
}

void PlacesAndSize(void**) {
  ForEachShape([](const pto_tile_desc& desc) {
    std::vector<int64_t> map(static_cast<size_t>(desc.rows) * static_cast<size_t>(desc.cols), -1);
    int64_t count = 0;
    const Layout layout = LayoutOf(desc, &count);
    const int64_t elements = layout_map(&desc, map.data());
    if (count != elements) fail_msg("%dx%d holds %d elements, not %d", desc.rows, desc.cols, (int)count, (int)elements);
    std::vector<bool> taken(static_cast<size_t>(count));
    size_t k = 0;
    for (int32_t r = 0; r < desc.rows; ++r) {
      for (int32_t c = 0; c < desc.cols; ++c, ++k) {
        const int64_t at = layout.Offset(r, c);
        if (at != map[k]) {
          fail_msg("layout %d/%d fractal %d: (%d, %d) of %dx%d is at %d, not %d", desc.blayout, desc.slayout,
                   desc.fractal, r, c, desc.rows, desc.cols, (int)at, (int)map[k]);
        }
        assert_true(!taken[static_cast<size_t>(at)]);
        taken[static_cast<size_t>(at)] = true;
      }
    }
  });
}

// The closed formulas of the ISA's page on tiles, where boxes divide the tile.
void PlacesByTheIsa(void**) {
  ForEachShape([](const pto_tile_desc& desc) {
    int64_t count = 0;
    const Layout layout = LayoutOf(desc, &count);
    if (desc.slayout == PTO_SLAYOUT_NONE_BOX || desc.rows % layout.box_rows != 0 || desc.cols % layout.box_cols != 0) {
      return;
    }
    const int64_t box_rows = layout.box_rows;
    const int64_t box_cols = layout.box_cols;
    const int64_t column_rows = desc.rows + (desc.compact == PTO_COMPACT_ROW_PLUS_ONE ? 1 : 0);
    for (int32_t r = 0; r < desc.rows; ++r) {
      for (int32_t c = 0; c < desc.cols; ++c) {
        const int64_t outer = desc.blayout == PTO_BLAYOUT_ROW_MAJOR
                                  ? r / box_rows * desc.cols * box_rows + c / box_cols * box_rows * box_cols
                                  : c / box_cols * column_rows * box_cols + r / box_rows * box_rows * box_cols;
        const int64_t inner = desc.slayout == PTO_SLAYOUT_ROW_MAJOR ? r % box_rows * box_cols + c % box_cols
                                                                    : c % box_cols * box_rows + r % box_rows;
        assert_int_equal(layout.Offset(r, c), outer + inner);
      }
    }
  });
}

// Inside a panel, the next row is row_step further and the next column col_step.
void PanelsAreGrids(void**) {
  ForEachShape([](const pto_tile_desc& desc) {
    int64_t count = 0;
    const Layout layout = LayoutOf(desc, &count);
    assert_true(layout.row_step == 1 || layout.col_step == 1);
    for (int32_t r = 0; r < desc.rows; ++r) {
      for (int32_t c = 0; c < desc.cols; ++c) {
        const bool row_follows =
            r + 1 < desc.rows && (layout.panel_rows == pto::kNoSeam || (r + 1) % layout.panel_rows != 0);
        const bool col_follows =
            c + 1 < desc.cols && (layout.panel_cols == pto::kNoSeam || (c + 1) % layout.panel_cols != 0);
        if (row_follows) assert_int_equal(layout.Offset(r + 1, c) - layout.Offset(r, c), layout.row_step);
        if (col_follows) assert_int_equal(layout.Offset(r, c + 1) - layout.Offset(r, c), layout.col_step);
      }
    }
  });
}

// The largest tiles: sizes are counted without overflow.
void LargestTiles(void**) {
  for (const test_layout& layout : k_layouts) {
    const pto_tile_desc desc = layout_desc(&layout, PTO_DTYPE_I64, INT32_MAX, INT32_MAX);
    int64_t count = 0;
    LayoutOf(desc, &count);
    assert_true(count >= int64_t{INT32_MAX} * INT32_MAX);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(PlacesAndSize), cmocka_unit_test(PlacesByTheIsa),
                              cmocka_unit_test(PanelsAreGrids), cmocka_unit_test(LargestTiles)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
