// TLOAD and TSTORE: the only file that knows how dimensions and strides meet the
// layouts of tiles.
#include "src/core/transfer.h"

#include <algorithm>

#include "src/core/execute.h"

namespace pto {

namespace {

// Row by row, in runs as long as both sides have one step: any strides, in order.
template <class Move>
void ForEachRun(const TileSide& tile, const TensorSide& tensor, int64_t size, Move move) {
  const MatrixAxis& cols = tensor.view->cols;
  for (int32_t r = 0; r < tile.rows; ++r) {
    const int64_t row_at = tensor.view->rows.Offset(r);
    for (int32_t c = 0; c < tile.cols;) {
      const int64_t at = row_at + cols.Offset(c);
      const int64_t n =
          std::min<int64_t>(PanelEnd(c, tile.layout.panel_cols, tile.cols) - c, cols.dim[0] - c % cols.dim[0]);
      const Plane on_tile{tile.data + tile.layout.Offset(r, c) * size, 0, tile.layout.col_step};
      const Plane on_tensor{tensor.data + at * size, 0, cols.stride[0]};
      move(on_tile, on_tensor, 1, n);
      c += static_cast<int32_t>(n);
    }
  }
}

// The fastest dimensions of rows and columns make planes, cut at the tile's panels and where the tile ends.
template <class Move>
void ForEachPlane(const TileSide& tile, const TensorSide& tensor, int64_t size, Move move) {
  const MatrixAxis& rows = tensor.view->rows;
  const MatrixAxis& cols = tensor.view->cols;
  for (int64_t row = 0; row < tile.rows; row += rows.dim[0]) {
    const auto end_row = static_cast<int32_t>(std::min<int64_t>(row + rows.dim[0], tile.rows));
    const int64_t row_at = rows.Offset(row);
    for (int64_t col = 0; col < tile.cols; col += cols.dim[0]) {
      const auto end_col = static_cast<int32_t>(std::min<int64_t>(col + cols.dim[0], tile.cols));
      uint8_t* base = tensor.data + (row_at + cols.Offset(col)) * size;
      ForEachPanel(tile.layout, static_cast<int32_t>(row), static_cast<int32_t>(col), end_row, end_col,
                   [&](int32_t r, int32_t c, int32_t panel_rows, int32_t panel_cols) {
                     const Plane on_tile{tile.data + tile.layout.Offset(r, c) * size, tile.layout.row_step,
                                         tile.layout.col_step};
                     const Plane on_tensor{base + ((r - row) * rows.stride[0] + (c - col) * cols.stride[0]) * size,
                                           rows.stride[0], cols.stride[0]};
                     move(on_tile, on_tensor, panel_rows, panel_cols);
                   });
    }
  }
}

// Any byte of the one is a byte of the other; both are spans from first to last element.
bool Overlap(const pto_tile& tile, const pto_tensor& tensor) {
  const auto a = reinterpret_cast<uintptr_t>(tile.data);
  const auto b = reinterpret_cast<uintptr_t>(tensor.data);
  return a < b + static_cast<uint64_t>(tensor.bytes) && b < a + static_cast<uint64_t>(tile.bytes);
}

}  // namespace

void CopyToTile(const Mover& mover, const TileSide& tile, const TensorSide& tensor) {
  const auto move = [&mover](const Plane& on_tile, const Plane& on_tensor, int64_t rows, int64_t cols) {
    mover.Planes(on_tile, on_tensor, rows, cols);
  };
  ForEachPlane(tile, tensor, mover.size(), move);
}

void CopyToTensor(const Mover& mover, const TensorSide& tensor, const TileSide& tile) {
  const auto move = [&mover](const Plane& on_tile, const Plane& on_tensor, int64_t rows, int64_t cols) {
    mover.Planes(on_tensor, on_tile, rows, cols);
  };
  tensor.view->injective ? ForEachPlane(tile, tensor, mover.size(), move)
                         : ForEachRun(tile, tensor, mover.size(), move);
}

Status RunTransfer(pto_context* ctx, const OpInfo& op, pto_tile* tile, const pto_tensor& tensor) {
  const bool load = op.walk == Walk::kLoad;
  const int32_t rows = tile->ValidRows();
  const int32_t cols = tile->ValidCols();
  const bool any = rows != 0 && cols != 0;
  const Mover mover(*ctx, tile->ElementBytes());
  TileSide on_tile{tile->data, tile->layout, rows, cols};
  TensorSide on_tensor{tensor.data, &tensor.view};
  const MatrixView solid = MatrixView::RowMajor(rows, cols);
  if (any && Overlap(*tile, tensor)) {
    // The source moves to scratch first, as a matrix without gaps.
    uint8_t* scratch = Scratch(ctx, tile->ValidBytes());
    if (scratch == nullptr) {
      return ctx->error.Set(Rule::kMemory, op.name, "", "no memory for %lld bytes of scratch",
                            static_cast<long long>(tile->ValidBytes()));
    }
    const TileSide packed{scratch, Layout::RowMajor(cols), rows, cols};
    if (load) {
      CopyToTile(mover, packed, on_tensor);
      on_tensor = {scratch, &solid};
    } else {
      PackRows(*ctx, *tile, scratch);
      on_tile = packed;
    }
  }
  if (!load) {
    if (any) CopyToTensor(mover, on_tensor, on_tile);
    return Status::kOk;
  }
  FillOutside(mover, *tile, any ? rows : 0, any ? cols : 0);
  if (any) CopyToTile(mover, on_tile, on_tensor);
  return Status::kOk;
}

}  // namespace pto
