// TLOAD and TSTORE: the only file that knows how dimensions and strides meet the
// layouts of tiles.
#include "src/core/transfer.h"

#include <algorithm>

#include "src/core/combine.h"
#include "src/core/execute.h"
#include "src/core/fixpipe.h"

namespace pto {

namespace {

// The value of kAtomicMode.
constexpr int32_t kAdds = 1;

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

void AddPlane(const Kernel& add, const Plane& dst, const Plane& src, int64_t rows, int64_t cols) {
  for (int64_t r = 0; r < rows; ++r) {
    Combine(add, dst.data + r * dst.row_step * add.size, dst.col_step, src.data + r * src.row_step * add.size,
            src.col_step, cols);
  }
}

void AddToTensor(const Kernel& add, const TensorSide& tensor, const TileSide& tile) {
  const auto move = [&add](const Plane& on_tile, const Plane& on_tensor, int64_t rows, int64_t cols) {
    AddPlane(add, on_tensor, on_tile, rows, cols);
  };
  tensor.view->injective ? ForEachPlane(tile, tensor, add.size, move) : ForEachRun(tile, tensor, add.size, move);
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

namespace {

// A tile, or what has become of it, to a tensor.
void Store(const pto_context& ctx, const OpInfo& op, const Args& args, DType dtype, const TileSide& on_tile,
           const TensorSide& on_tensor) {
  const bool adds = op.lane == Lane::kAdd && args.numbers[0] == kAdds;
  if (!adds) return CopyToTensor(Mover(ctx, Info(dtype).bytes), on_tensor, on_tile);
  const DefaultFpEnv fp_env;
  AddToTensor(ctx.kernels->at[static_cast<int>(op.lane)][static_cast<int>(dtype)], on_tensor, on_tile);
}

Status StoreConverted(pto_context* ctx, const OpInfo& op, const Args& args) {
  const pto_tile& tile = *args.tiles[1];
  const DType dtype = args.tensor->shape.dtype;
  Fixpipe fixpipe(ctx, op, args, dtype, 0, 0, tile.ValidCols());
  const Status status = fixpipe.Prepare(tile.ValidRows());
  if (status != Status::kOk) return status;
  fixpipe.Convert(0, tile.ValidRows());
  const TileSide results{fixpipe.Results(), Layout::RowMajor(tile.ValidCols()), tile.ValidRows(), tile.ValidCols()};
  Store(*ctx, op, args, dtype, results, {args.tensor->data, &args.tensor->view});
  return Status::kOk;
}

}  // namespace

Status RunTransfer(pto_context* ctx, const OpInfo& op, const Args& args) {
  pto_tile* const tile = args.tiles[1 - op.TensorIndex()];
  const pto_tensor& tensor = *args.tensor;
  const bool load = op.walk == Walk::kLoad;
  const int32_t rows = tile->ValidRows();
  const int32_t cols = tile->ValidCols();
  const bool any = rows != 0 && cols != 0;
  if (any && Fixpipe::Converts(op, args)) return StoreConverted(ctx, op, args);
  const Mover mover(*ctx, tile->ElementBytes());
  TileSide on_tile{tile->data, tile->layout, rows, cols};
  const TensorSide on_tensor{tensor.data, &tensor.view};
  uint8_t* scratch = nullptr;
  if (any && Overlap(*tile, tensor)) {
    // The source moves to scratch first, as a matrix without gaps.
    const Status status = TakeScratch(ctx, op, tile->ValidBytes(), &scratch);
    if (status != Status::kOk) return status;
    const TileSide packed{scratch, Layout::RowMajor(cols), rows, cols};
    if (load) {
      CopyToTile(mover, packed, on_tensor);
    } else {
      PackRows(*ctx, *tile, scratch);
      on_tile = packed;
    }
  }
  if (load) {
    FillOutside(mover, *tile, any ? rows : 0, any ? cols : 0, tile->StoredRows());
    if (scratch != nullptr) {
      UnpackRows(*ctx, scratch, *tile);
    } else if (any) {
      CopyToTile(mover, on_tile, on_tensor);
    }
  } else if (any) {
    Store(*ctx, op, args, tile->dtype(), on_tile, on_tensor);
  }
  return Status::kOk;
}

}  // namespace pto
