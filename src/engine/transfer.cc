// TLOAD and TSTORE: the only file that knows how dimensions and strides meet the
// layouts of tiles.
#include "src/engine/transfer.h"

#include <algorithm>
#include <bit>

#include "src/engine/combine.h"
#include "src/engine/execute.h"
#include "src/engine/fixpipe.h"

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
      move(on_tile, on_tensor, n);
      c += static_cast<int32_t>(n);
    }
  }
}

// The fastest dimensions of rows or columns in a layout: steps, or boxes and steps within them. Returns how
// many rows or columns it covers.
int64_t Steps(const MatrixAxis& axis, int64_t* step, int64_t* box_step, int32_t* box, int32_t* panel) {
  constexpr int64_t kMost = 1 << 30;
  *step = axis.stride[0];
  if (axis.count == 1 || axis.dim[0] > kMost || !std::has_single_bit(static_cast<uint64_t>(axis.dim[0]))) {
    return axis.dim[0];
  }
  *box_step = axis.stride[1];
  *box = *panel = static_cast<int32_t>(axis.dim[0]);
  return axis.dim[0] * axis.dim[1];
}

// The fastest dimensions of rows and columns form rectangles; one layout of them is the layout of the tensor.
template <class Move>
void ForEachRectangle(const TileSide& tile, const TensorSide& tensor, int64_t size, Move move) {
  const MatrixAxis& rows = tensor.view->rows;
  const MatrixAxis& cols = tensor.view->cols;
  Area on_tile{tile.data, tile.layout};
  Area on_tensor{tensor.data, Layout()};
  Layout& layout = on_tensor.layout;  // written where it is read: a copy would wait for it
  const int64_t height = Steps(rows, &layout.row_step, &layout.row_box, &layout.box_rows, &layout.panel_rows);
  const int64_t width = Steps(cols, &layout.col_step, &layout.col_box, &layout.box_cols, &layout.panel_cols);
  for (int64_t row = 0; row < tile.rows; row += height) {
    const auto some_rows = static_cast<int32_t>(std::min<int64_t>(height, tile.rows - row));
    for (int64_t col = 0; col < tile.cols; col += width) {
      const auto some_cols = static_cast<int32_t>(std::min<int64_t>(width, tile.cols - col));
      on_tile.row = static_cast<int32_t>(row);
      on_tile.col = static_cast<int32_t>(col);
      on_tensor.data = tensor.data + (rows.Offset(row) + cols.Offset(col)) * size;
      move(on_tile, on_tensor, some_rows, some_cols);
    }
  }
}

void AddToTensor(const Kernel& add, const TensorSide& tensor, const TileSide& tile) {
  ForEachRun(tile, tensor, add.size, [&add](const Plane& on_tile, const Plane& on_tensor, int64_t cols) {
    Combine(add, on_tensor.data, on_tensor.col_step, on_tile.data, on_tile.col_step, cols);
  });
}

}  // namespace

void CopyToTile(const Mover& mover, const TileSide& tile, const TensorSide& tensor) {
  ForEachRectangle(tile, tensor, mover.size(),
                   [&mover](const Area& on_tile, const Area& on_tensor, int32_t rows, int32_t cols) {
                     mover.Areas(on_tile, on_tensor, rows, cols);
                   });
}

void CopyToTensor(const Mover& mover, const TensorSide& tensor, const TileSide& tile) {
  ForEachRectangle(tile, tensor, mover.size(),
                   [&mover](const Area& on_tile, const Area& on_tensor, int32_t rows, int32_t cols) {
                     mover.Areas(on_tensor, on_tile, rows, cols);
                   });
}

namespace {

// A tile, or what has become of it, to a tensor.
void Store(const pto_context& ctx, const OpInfo& op, const Args& args, DType dtype, const TileSide& on_tile,
           const TensorSide& on_tensor) {
  if (!Adds(op, args)) return CopyToTensor(Mover(ctx, Info(dtype).bytes), on_tensor, on_tile);
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

void RunQuickTransfer(const pto_context& ctx, const OpInfo& op, const pto_tile& tile, const pto_tensor& tensor) {
  const Mover mover(ctx, tile.ElementBytes());
  const TileSide on_tile{tile.data, tile.layout, tile.ValidRows(), tile.ValidCols()};
  const TensorSide on_tensor{tensor.data, &tensor.view};
  if (op.Stores()) return CopyToTensor(mover, on_tensor, on_tile);
  FillOutside(mover, tile, on_tile.rows, on_tile.cols, tile.StoredRows());
  CopyToTile(mover, on_tile, on_tensor);
}

Status RunTransfer(pto_context* ctx, const OpInfo& op, const Args& args) {
  pto_tile* const tile = args.tiles[1 - op.TensorIndex()];
  const pto_tensor& tensor = *args.tensor;
  const bool load = op.walk == Walk::kLoad;
  const int32_t rows = tile->ValidRows();
  const int32_t cols = tile->ValidCols();
  const bool any = rows != 0 && cols != 0;
  if (any && Fixpipe::Converts(op, args)) return StoreConverted(ctx, op, args);
  const TensorSide on_tensor{tensor.data, &tensor.view};
  if (!any || !Overlap(*tile, tensor)) {
    if (load) {
      RunQuickTransfer(*ctx, op, *tile, tensor);
    } else {
      Store(*ctx, op, args, tile->dtype(), {tile->data, tile->layout, rows, cols}, on_tensor);
    }
    return Status::kOk;
  }
  // The source moves to scratch first, as a matrix without gaps.
  uint8_t* scratch = nullptr;
  const Status status = TakeScratch(ctx, op, tile->ValidBytes(), &scratch);
  if (status != Status::kOk) return status;
  const TileSide packed{scratch, Layout::RowMajor(cols), rows, cols};
  if (load) {
    const Mover mover(*ctx, tile->ElementBytes());
    CopyToTile(mover, packed, on_tensor);
    FillOutside(mover, *tile, rows, cols, tile->StoredRows());
    UnpackRows(*ctx, scratch, *tile);
  } else {
    PackRows(*ctx, *tile, scratch);
    Store(*ctx, op, args, tile->dtype(), packed, on_tensor);
  }
  return Status::kOk;
}

}  // namespace pto
