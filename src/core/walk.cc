// Run(): cuts the valid region into panels in which every operand is a grid, and
// gives these to the kernel. The only file that knows how layouts, broadcasting
// and partial regions become grids.
#include "src/core/execute.h"
#include "src/core/fp_env.h"

namespace pto {

namespace {

// An operand as the walk sees it: element (r, c) is at data + layout.Offset(r, c).
struct View {
  uint8_t* data;
  Layout layout;
};

struct Rect {
  int32_t row;
  int32_t col;
  int32_t end_row;
  int32_t end_col;
};

// One kernel over a rectangle. All views have contiguous lines along the same
// axis as dst; `vector`, when there is one, takes the place of b and holds a
// contiguous element for each column.
struct Pass {
  Kernel kernel;
  int64_t size;  // bytes of an element
  View dst;
  View a;
  View b;
  uint8_t* vector;

  void Over(const Rect& rect) const {
    for (int32_t r = rect.row; r < rect.end_row;) {
      int32_t next_r = PanelEnd(r, dst.layout.panel_rows, rect.end_row);
      next_r = PanelEnd(r, a.layout.panel_rows, next_r);
      next_r = PanelEnd(r, b.layout.panel_rows, next_r);
      for (int32_t c = rect.col; c < rect.end_col;) {
        int32_t next_c = PanelEnd(c, dst.layout.panel_cols, rect.end_col);
        next_c = PanelEnd(c, a.layout.panel_cols, next_c);
        next_c = PanelEnd(c, b.layout.panel_cols, next_c);
        Panel(r, c, next_r - r, next_c - c);
        c = next_c;
      }
      r = next_r;
    }
  }

 private:
  uint8_t* At(const View& view, int32_t r, int32_t c) const { return view.data + view.layout.Offset(r, c) * size; }

  void Panel(int32_t r, int32_t c, int32_t rows, int32_t cols) const {
    const bool by_rows = dst.layout.RowsContiguous();
    Grid grid{
        .dst = At(dst, r, c),
        .a = At(a, r, c),
        .b = At(b, r, c),
        .dst_line = dst.layout.LineStep(),
        .a_line = a.layout.LineStep(),
        .b_line = b.layout.LineStep(),
        .a_step = 1,
        .b_step = 1,
        .lines = static_cast<size_t>(by_rows ? rows : cols),
        .count = static_cast<size_t>(by_rows ? cols : rows),
    };
    if (vector != nullptr) {
      grid.b = vector + c * size;
      grid.b_line = by_rows ? 0 : 1;
      grid.b_step = by_rows ? 1 : 0;
    }
    kernel(grid);
  }
};

// A source must be copied before the call writes anything when its lines run
// across those of dst, or when it shares memory with dst but not element by element.
bool NeedsCopy(const pto_tile& dst, const pto_tile& src) {
  if (SameElements(dst, src)) return false;
  return src.layout.RowsContiguous() != dst.layout.RowsContiguous() || !Apart(dst, src);
}

// The scalars stand in memory one after another, and the call does not write them.
bool VectorNeedsCopy(const pto_tile& dst, const pto_tile& vector) {
  const bool contiguous = IsColumnVector(vector) || (vector.layout.RowsContiguous() && !vector.layout.Boxed());
  return !contiguous || !Apart(dst, vector);
}

void PackVector(const pto_tile& vector, int32_t count, uint8_t* out) {
  const int64_t size = vector.ElementBytes();
  const bool column = IsColumnVector(vector);
  for (int32_t j = 0; j < count; ++j) {
    const uint8_t* at = vector.data + vector.layout.Offset(column ? j : 0, column ? 0 : j) * size;
    std::copy_n(at, size, out + j * size);
  }
}

// The two rectangles of dst right of and below one of rows x cols at its origin.
void OverRest(const Pass& pass, const pto_tile& dst, int32_t rows, int32_t cols) {
  pass.Over({0, cols, rows, dst.ValidCols()});
  pass.Over({rows, 0, dst.ValidRows(), dst.ValidCols()});
}

}  // namespace

void CopyRest(const pto_context& ctx, const pto_tile& dst, const pto_tile& src, int32_t rows, int32_t cols) {
  if (SameElements(dst, src)) return;
  const View to{dst.data, dst.layout};
  const View from{src.data, src.layout};
  const Pass copies{ctx.kernels->at[static_cast<int>(Lane::kCopy)][static_cast<int>(dst.dtype())],
                    dst.ElementBytes(),
                    to,
                    from,
                    from,
                    nullptr};
  OverRest(copies, dst, rows, cols);
}

Status Run(pto_context* ctx, const OpInfo& op, pto_tile* const* tiles, uint32_t flags) {
  const pto_tile& dst = *tiles[0];
  const int32_t rows = dst.ValidRows();
  const int32_t cols = dst.ValidCols();
  if (rows == 0 || cols == 0) return Status::kOk;
  const int64_t size = dst.ElementBytes();
  const bool expands = op.walk == Walk::kColExpand;
  const int matrices = expands ? op.sources - 1 : op.sources;

  // All memory first: after this nothing fails, so nothing is half done.
  int64_t need = 0;
  bool copy[kMaxTiles] = {};
  for (int i = 1; i <= op.sources; ++i) {
    copy[i] = i <= matrices ? NeedsCopy(dst, *tiles[i]) : VectorNeedsCopy(dst, *tiles[i]);
    if (copy[i]) need += RoundUp(i <= matrices ? tiles[i]->ValidBytes() : cols * size, 64);
  }
  uint8_t* scratch = need == 0 ? nullptr : Scratch(ctx, need);
  if (need != 0 && scratch == nullptr) {
    return ctx->error.Set(Rule::kMemory, op.name, "", "no memory for %lld bytes of scratch",
                          static_cast<long long>(need));
  }

  View views[kMaxTiles] = {};
  uint8_t* vector = nullptr;
  for (int i = 0; i <= matrices; ++i) views[i] = {tiles[i]->data, tiles[i]->layout};
  for (int i = 1; i <= op.sources; ++i) {
    const pto_tile& src = *tiles[i];
    if (i > matrices) {
      vector = copy[i] ? scratch : src.data;
      if (copy[i]) PackVector(src, cols, scratch);
    } else if (copy[i]) {
      const bool by_rows = dst.layout.RowsContiguous();
      by_rows ? PackRows(src, scratch) : PackCols(src, scratch);
      views[i] = {scratch, by_rows ? Layout::RowMajor(src.ValidCols()) : Layout::ColMajor(src.ValidRows())};
      scratch += RoundUp(src.ValidBytes(), 64);
    }
  }

  const DefaultFpEnv fp_env;
  const auto& kernels = ctx->kernels->at;
  const Lane lane = (flags & kHighPrecision) != 0 ? op.high_lane : op.lane;
  const auto dtype = static_cast<int>(dst.dtype());
  const View& last = views[matrices];
  const Pass pass{kernels[static_cast<int>(lane)][dtype], size, views[0], views[1], last, vector};
  if (op.walk != Walk::kPartial) {
    pass.Over({0, 0, rows, cols});
    return Status::kOk;
  }

  // Combine where both sources are valid, copy the wide one right of that and below.
  const int wide = tiles[1]->valid == dst.valid ? 1 : 2;
  const pto_tile& narrow = *tiles[3 - wide];
  pass.Over({0, 0, narrow.ValidRows(), narrow.ValidCols()});
  if (SameElements(dst, *tiles[wide])) return Status::kOk;
  const Pass copies{kernels[static_cast<int>(Lane::kCopy)][dtype], size, views[0], views[wide], views[wide], nullptr};
  OverRest(copies, dst, narrow.ValidRows(), narrow.ValidCols());
  return Status::kOk;
}

}  // namespace pto
