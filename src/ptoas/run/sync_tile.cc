#include "src/ptoas/run/sync_tile.h"

#include <algorithm>

#include "src/objects/layout.h"

namespace pto::ptoas::sync {

namespace {

constexpr int64_t kMaxPieces = 1024;

int64_t Up(int64_t value, int64_t unit) { return (value + unit - 1) / unit; }

// Consecutive boxes form a line; blayout gives the order of lines.
Area BoxedAreaOf(pto_tile* tile, const Window& window, const char* data, int64_t stride) {
  const pto_dtype dtype = pto_tile_dtype(tile);
  const auto [box_rows, box_cols] =
      BoxOf(static_cast<pto::SLayout>(pto_tile_slayout(tile)), pto_tile_fractal(tile), pto_dtype_bytes(dtype));
  const int64_t box = int64_t{box_rows} * box_cols * pto_dtype_bits(dtype) / 8;
  const int64_t first_row = window.row / box_rows;
  const int64_t first_col = window.col / box_cols;
  const int64_t rows = Up(window.row + window.rows, box_rows) - first_row;
  const int64_t cols = Up(window.col + window.cols, box_cols) - first_col;
  if (pto_tile_blayout(tile) == PTO_BLAYOUT_ROW_MAJOR) {
    return Area::Of(data + first_row * stride + first_col * box, cols * box, rows, stride);
  }
  const char* begin = data + first_col * stride + first_row * box;
  // The last box of a column may be cut off.
  return Area::Of(begin, std::min(rows * box, stride - first_row * box), cols, stride);
}

// A run of elements of a line, in bytes: of packed types those that have a half of it.
struct Run {
  int64_t begin;
  int64_t bytes;
};
Run RunOf(int64_t first, int64_t count, int64_t bits) {
  const int64_t begin = first * bits / 8;
  return {begin, Up((first + count) * bits, 8) - begin};
}

struct Dim {
  int64_t extent;
  int64_t stride;
};

// After the dimensions with a smaller stride.
void Insert(Dim* dims, int count, Dim dim) {
  int at = count;
  for (; at > 0 && dims[at - 1].stride > dim.stride; --at) dims[at] = dims[at - 1];
  dims[at] = dim;
}

}  // namespace

Window ValidOf(const pto_tile* tile) { return {0, 0, pto_tile_valid_rows(tile), pto_tile_valid_cols(tile)}; }

Area AreaOf(pto_tile* tile, const Window& window) {
  const char* data = static_cast<const char*>(pto_tile_data(tile));
  const int64_t bits = pto_dtype_bits(pto_tile_dtype(tile));
  const int64_t stride = pto_tile_stride(tile);
  if (data == nullptr || window.rows <= 0 || window.cols <= 0) return {};
  if (pto_tile_slayout(tile) != PTO_SLAYOUT_NONE_BOX) return BoxedAreaOf(tile, window, data, stride);
  if (pto_tile_blayout(tile) == PTO_BLAYOUT_ROW_MAJOR) {
    const Run run = RunOf(window.col, window.cols, bits);
    return Area::Of(data + window.row * stride + run.begin, run.bytes, window.rows, stride);
  }
  const Run run = RunOf(window.row, window.rows, bits);
  return Area::Of(data + window.col * stride + run.begin, run.bytes, window.cols, stride);
}

bool AreasOf(pto_tensor* tensor, int64_t rows, int64_t cols, std::vector<Area>* areas) {
  areas->clear();
  const int rank = pto_tensor_rank(tensor);
  const int64_t bits = pto_dtype_bits(pto_tensor_dtype(tensor));
  Dim dims[5];
  int count = 0;
  bool matrix = true;
  for (int i = 0; i < rank; ++i) {
    int64_t extent = pto_tensor_dim(tensor, i);
    if (extent == 0) return true;
    matrix &= i >= rank - 2 || extent == 1;
    if (i == rank - 1 && matrix) extent = std::min(extent, cols);
    if (i == rank - 2 && matrix) extent = std::min(extent, rows);
    if (extent == 0) return true;
    if (extent > 1) Insert(dims, count++, {extent, pto_tensor_stride(tensor, i) * bits});
  }
  const char* data = static_cast<const char*>(pto_tensor_data(tensor));
  int64_t span = bits;
  for (int i = 0; i < count; ++i) span += (dims[i].extent - 1) * dims[i].stride;
  // Dimensions without gaps are one run, the next ones its rows; what is left is taken one by one. All in bits, but
  // lines begin with a byte.
  int at = 0;
  int64_t run = bits;
  for (; at < count && dims[at].stride <= run; ++at) run = (dims[at].extent - 1) * dims[at].stride + run;
  Dim lines{1, 0};
  if (at < count) lines = dims[at++];
  while (at < count && dims[at].stride == lines.extent * lines.stride) lines.extent *= dims[at++].extent;
  int64_t pieces = 1;
  for (int i = at; i < count; ++i) {
    if (dims[i].extent > kMaxPieces / pieces) {
      areas->push_back(Area::Of(data, Up(span, 8), 1, 0));
      return false;
    }
    pieces *= dims[i].extent;
  }
  for (int64_t piece = 0; piece < pieces; ++piece) {
    int64_t rest = piece;
    int64_t offset = 0;
    for (int i = at; i < count; ++i) {
      offset += rest % dims[i].extent * dims[i].stride;
      rest /= dims[i].extent;
    }
    areas->push_back(Area::Of(data + offset / 8, Up(run, 8), lines.extent, lines.stride / 8));
  }
  return true;
}

}  // namespace pto::ptoas::sync
