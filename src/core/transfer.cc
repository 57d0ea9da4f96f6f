// TLOAD and TSTORE: the only file that knows how dimensions and strides meet the
// layouts of tiles.
#include "src/core/transfer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/core/execute.h"

namespace pto {

namespace {

// A matrix of elements, strides counted in elements.
struct Plane {
  uint8_t* data;
  int64_t row_step;
  int64_t col_step;
};

template <class T>
void CopyElements(const Plane& to, const Plane& from, int64_t rows, int64_t cols) {
  // Blocks keep both sides in cache when their contiguous axes differ.
  constexpr int64_t kBlock = 32;
  auto* out = reinterpret_cast<T*>(to.data);
  const auto* in = reinterpret_cast<const T*>(from.data);
  for (int64_t r0 = 0; r0 < rows; r0 += kBlock) {
    const int64_t r1 = std::min(rows, r0 + kBlock);
    for (int64_t c0 = 0; c0 < cols; c0 += kBlock) {
      const int64_t c1 = std::min(cols, c0 + kBlock);
      for (int64_t r = r0; r < r1; ++r) {
        for (int64_t c = c0; c < c1; ++c) {
          out[r * to.row_step + c * to.col_step] = in[r * from.row_step + c * from.col_step];
        }
      }
    }
  }
}

// Element by element the same; which order is not promised.
void CopyPlane(Plane to, Plane from, int64_t rows, int64_t cols, int64_t size) {
  if (to.col_step != 1 && to.row_step == 1) {
    std::swap(to.row_step, to.col_step);
    std::swap(from.row_step, from.col_step);
    std::swap(rows, cols);
  }
  if (to.col_step == 1 && from.col_step == 1) {
    if (to.row_step == cols && from.row_step == cols) {
      cols *= rows;
      rows = 1;
    }
    for (int64_t r = 0; r < rows; ++r) {
      CopyBytes(to.data + r * to.row_step * size, from.data + r * from.row_step * size, cols * size);
    }
    return;
  }
  switch (size) {
    case 1:
      return CopyElements<uint8_t>(to, from, rows, cols);
    case 2:
      return CopyElements<uint16_t>(to, from, rows, cols);
    case 4:
      return CopyElements<uint32_t>(to, from, rows, cols);
    default:
      return CopyElements<uint64_t>(to, from, rows, cols);
  }
}

// Calls visit(row, col, rows, cols) for the panels of a rectangle of a layout.
template <class Visit>
void ForEachPanel(const Layout& layout, int32_t row, int32_t col, int32_t end_row, int32_t end_col, Visit visit) {
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

// The bits of a pad value.
uint64_t PadBits(DType dtype, uint8_t pad) {
  constexpr uint8_t kMax = 2;
  constexpr uint8_t kMin = 3;
  if (pad != kMax && pad != kMin) return 0;
  const bool max = pad == kMax;
  const auto limit = [max]<class T>(T) {
    return static_cast<uint64_t>(max ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min());
  };
  switch (dtype) {
    case DType::kI8:
      return limit(int8_t{});
    case DType::kU8:
      return limit(uint8_t{});
    case DType::kI16:
      return limit(int16_t{});
    case DType::kU16:
      return limit(uint16_t{});
    case DType::kI32:
      return limit(int32_t{});
    case DType::kU32:
      return limit(uint32_t{});
    case DType::kI64:
      return limit(int64_t{});
    case DType::kU64:
      return limit(uint64_t{});
    case DType::kF16:
      return max ? 0x7c00 : 0xfc00;
    case DType::kBF16:
      return max ? 0x7f80 : 0xff80;
    default:
      return max ? 0x7f800000 : 0xff800000;
  }
}

template <class T>
void FillPlane(const Plane& plane, int64_t rows, int64_t cols, T value) {
  auto* out = reinterpret_cast<T*>(plane.data);
  const bool by_rows = plane.col_step == 1;
  const int64_t lines = by_rows ? rows : cols;
  const int64_t count = by_rows ? cols : rows;
  const int64_t line = by_rows ? plane.row_step : plane.col_step;
  for (int64_t i = 0; i < lines; ++i) std::fill_n(out + i * line, count, value);
}

template <class T>
void FillRect(const TileSide& tile, int32_t row, int32_t col, int32_t end_row, int32_t end_col, T value) {
  ForEachPanel(tile.layout, row, col, end_row, end_col, [&](int32_t r, int32_t c, int32_t rows, int32_t cols) {
    FillPlane<T>({tile.data + tile.layout.Offset(r, c) * static_cast<int64_t>(sizeof(T)), tile.layout.row_step,
                  tile.layout.col_step},
                 rows, cols, value);
  });
}

// Any byte of the one is a byte of the other; both are spans from first to last element.
bool Overlap(const pto_tile& tile, const pto_tensor& tensor) {
  const auto a = reinterpret_cast<uintptr_t>(tile.data);
  const auto b = reinterpret_cast<uintptr_t>(tensor.data);
  return a < b + static_cast<uint64_t>(tensor.bytes) && b < a + static_cast<uint64_t>(tile.bytes);
}

}  // namespace

void CopyToTile(const TileSide& tile, const TensorSide& tensor) {
  const int64_t size = Info(tensor.shape.dtype).bytes;
  const auto move = [size](const Plane& on_tile, const Plane& on_tensor, int64_t rows, int64_t cols) {
    CopyPlane(on_tile, on_tensor, rows, cols, size);
  };
  ForEachPlane(tile, Fitted(tile, tensor), size, move);
}

void CopyToTensor(const TensorSide& tensor, const TileSide& tile) {
  const int64_t size = Info(tensor.shape.dtype).bytes;
  const auto move = [size](const Plane& on_tile, const Plane& on_tensor, int64_t rows, int64_t cols) {
    CopyPlane(on_tensor, on_tile, rows, cols, size);
  };
  const TensorSide to = Fitted(tile, tensor);
  Injective(to.shape) ? ForEachPlane(tile, to, size, move) : ForEachRun(tile, to, size, move);
}

void FillOutside(const TileSide& tile, int32_t valid_rows, int32_t valid_cols, DType dtype, uint8_t pad) {
  const uint64_t bits = PadBits(dtype, pad);
  const auto fill = [&]<class T>(T value) {
    FillRect<T>(tile, 0, valid_cols, valid_rows, tile.cols, value);
    FillRect<T>(tile, valid_rows, 0, tile.rows, tile.cols, value);
  };
  switch (Info(dtype).bytes) {
    case 1:
      return fill(static_cast<uint8_t>(bits));
    case 2:
      return fill(static_cast<uint16_t>(bits));
    case 4:
      return fill(static_cast<uint32_t>(bits));
    default:
      return fill(bits);
  }
}

Status RunTransfer(pto_context* ctx, const OpInfo& op, pto_tile* tile, const pto_tensor& tensor) {
  const bool load = op.walk == Walk::kLoad;
  const int32_t rows = tile->ValidRows();
  const int32_t cols = tile->ValidCols();
  const bool any = rows != 0 && cols != 0;
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
      CopyToTile(packed, on_tensor);
      on_tensor = {
          scratch,
          TensorShape{
              .dtype = tensor.shape.dtype, .rank = 2, .dim = {1, 1, 1, rows, cols}, .stride = {0, 0, 0, cols, 1}}};
    } else {
      PackRows(*tile, scratch);
      on_tile = packed;
    }
  }
  if (!load) {
    if (any) CopyToTensor(on_tensor, on_tile);
    return Status::kOk;
  }
  const Geometry& g = tile->geometry;
  FillOutside({tile->data, tile->layout, g.rows, g.cols}, any ? rows : 0, any ? cols : 0, g.dtype, g.pad);
  if (any) CopyToTile(on_tile, on_tensor);
  return Status::kOk;
}

}  // namespace pto
