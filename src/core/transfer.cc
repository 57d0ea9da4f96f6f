// TLOAD and TSTORE: the only file that knows how dimensions and strides meet the
// layouts of tiles.
#include "src/core/transfer.h"

#include <algorithm>

#include "src/core/execute.h"

namespace pto {

namespace {

// Strides of elements that follow each other in row order of an ND tensor.
bool Packed(const TensorShape& shape) {
  if (shape.layout != TensorLayout::kND) return false;
  int64_t step = 1;
  for (int i = kMaxRank - 1; i >= 0; --i) {
    if (shape.dim[i] != 1 && shape.stride[i] != step) return false;
    step *= shape.dim[i];
  }
  return true;
}

// Sufficient for no two elements to share a place: each dimension, by growing
// stride, steps over all that the smaller ones reach.
bool Injective(const TensorShape& shape) {
  int order[kMaxRank] = {0, 1, 2, 3, 4};
  std::sort(order, order + kMaxRank, [&](int x, int y) { return shape.stride[x] < shape.stride[y]; });
  int64_t reach = 0;
  for (const int i : order) {
    if (shape.dim[i] == 1) continue;
    if (shape.stride[i] <= reach) return false;
    reach += (shape.dim[i] - 1) * shape.stride[i];
  }
  return true;
}

// Where plane `place` of the last two dimensions begins, counted in row order of the others.
int64_t PlaneOffset(const TensorShape& s, int64_t place) {
  return place / (s.dim[1] * s.dim[2]) * s.stride[0] + place / s.dim[2] % s.dim[1] * s.stride[1] +
         place % s.dim[2] * s.stride[2];
}

// Row by row, in runs as long as both sides have one step: any strides, in order.
template <class Move>
void ForEachRun(const TileSide& tile, const TensorSide& tensor, int64_t size, Move move) {
  const TensorShape& s = tensor.shape;
  const bool nd = s.layout == TensorLayout::kND;
  for (int32_t r = 0; r < tile.rows; ++r) {
    for (int32_t c = 0; c < tile.cols;) {
      const int64_t place = nd ? r / s.dim[3] : c / s.dim[4];
      const int64_t i3 = nd ? r % s.dim[3] : r;
      const int64_t i4 = nd ? c : c % s.dim[4];
      const int64_t at = PlaneOffset(s, place) + i3 * s.stride[3] + i4 * s.stride[4];
      const int64_t n = std::min<int64_t>(PanelEnd(c, tile.layout.panel_cols, tile.cols) - c, s.dim[4] - i4);
      const Plane on_tile{tile.data + tile.layout.Offset(r, c) * size, 0, tile.layout.col_step};
      const Plane on_tensor{tensor.data + at * size, 0, s.stride[4]};
      move(on_tile, on_tensor, 1, n);
      c += static_cast<int32_t>(n);
    }
  }
}

// The last two dimensions make planes, cut at the tile's panels and where the tile ends.
template <class Move>
void ForEachPlane(const TileSide& tile, const TensorSide& tensor, int64_t size, Move move) {
  const TensorShape& s = tensor.shape;
  const bool nd = s.layout == TensorLayout::kND;
  for (int64_t place = 0;; ++place) {
    const int64_t row = nd ? place * s.dim[3] : 0;
    const int64_t col = nd ? 0 : place * s.dim[4];
    if (row >= tile.rows || col >= tile.cols) return;
    uint8_t* base = tensor.data + PlaneOffset(s, place) * size;
    const auto end_row = static_cast<int32_t>(std::min<int64_t>(row + s.dim[3], tile.rows));
    const auto end_col = static_cast<int32_t>(std::min<int64_t>(col + s.dim[4], tile.cols));
    ForEachPanel(
        tile.layout, static_cast<int32_t>(row), static_cast<int32_t>(col), end_row, end_col,
        [&](int32_t r, int32_t c, int32_t rows, int32_t cols) {
          const Plane on_tile{tile.data + tile.layout.Offset(r, c) * size, tile.layout.row_step, tile.layout.col_step};
          const Plane on_tensor{base + ((r - row) * s.stride[3] + (c - col) * s.stride[4]) * size, s.stride[3],
                                s.stride[4]};
          move(on_tile, on_tensor, rows, cols);
        });
  }
}

// A tensor without gaps that the tile covers is one plane.
TensorSide Fitted(const TileSide& tile, const TensorSide& tensor) {
  const TensorShape& s = tensor.shape;
  if (s.MatrixRows() != tile.rows || s.MatrixCols() != tile.cols || !Packed(s)) return tensor;
  TensorSide fitted = tensor;
  fitted.shape = TensorShape{
      .dtype = s.dtype, .rank = 2, .dim = {1, 1, 1, tile.rows, tile.cols}, .stride = {0, 0, 0, tile.cols, 1}};
  return fitted;
}

// Any byte of the one is a byte of the other; both are spans from first to last element.
bool Overlap(const pto_tile& tile, const pto_tensor& tensor) {
  const auto a = reinterpret_cast<uintptr_t>(tile.data);
  const auto b = reinterpret_cast<uintptr_t>(tensor.data);
  return a < b + static_cast<uint64_t>(tensor.bytes) && b < a + static_cast<uint64_t>(tile.bytes);
}

}  // namespace

void CopyToTile(const Mover& mover, const TileSide& tile, const TensorSide& tensor) {
  const int64_t size = Info(tensor.shape.dtype).bytes;
  const auto move = [&mover](const Plane& on_tile, const Plane& on_tensor, int64_t rows, int64_t cols) {
    mover.Planes(on_tile, on_tensor, rows, cols);
  };
  ForEachPlane(tile, Fitted(tile, tensor), size, move);
}

void CopyToTensor(const Mover& mover, const TensorSide& tensor, const TileSide& tile) {
  const int64_t size = Info(tensor.shape.dtype).bytes;
  const auto move = [&mover](const Plane& on_tile, const Plane& on_tensor, int64_t rows, int64_t cols) {
    mover.Planes(on_tensor, on_tile, rows, cols);
  };
  const TensorSide to = Fitted(tile, tensor);
  Injective(to.shape) ? ForEachPlane(tile, to, size, move) : ForEachRun(tile, to, size, move);
}

Status RunTransfer(pto_context* ctx, const OpInfo& op, pto_tile* tile, const pto_tensor& tensor) {
  const bool load = op.walk == Walk::kLoad;
  const int32_t rows = tile->ValidRows();
  const int32_t cols = tile->ValidCols();
  const bool any = rows != 0 && cols != 0;
  const Mover mover(*ctx, tile->ElementBytes());
  TileSide on_tile{tile->data, tile->layout, rows, cols};
  TensorSide on_tensor{tensor.data, tensor.shape};
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
      on_tensor = {
          scratch,
          TensorShape{
              .dtype = tensor.shape.dtype, .rank = 2, .dim = {1, 1, 1, rows, cols}, .stride = {0, 0, 0, cols, 1}}};
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
