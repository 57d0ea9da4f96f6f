#include "src/ptoas/run/view_desc.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "src/ptoas/read/views.h"
#include "src/records/tensor_layout.h"

namespace pto::ptoas {

namespace {

// The layout that dimensions and strides mean, as the dialect infers it (docs/ptoas.md). `tile` is what the view is
// loaded into or stored from first, nullptr if no tile is known. Where two orders name the same elements, it decides.
pto_layout InferredLayout(pto_dtype dtype, int rank, const int64_t* dims, const int64_t* strides, const Type* tile) {
  int64_t d[5] = {1, 1, 1, 1, 1};
  int64_t s[5] = {};
  std::copy(dims, dims + rank, d + 5 - rank);
  std::copy(strides, strides + rank, s + 5 - rank);
  const bool known = tile != nullptr && tile->kind == TypeKind::kTile;
  const bool columns = known && tile->blayout == BLayout::kColMajor;
  const bool boxed = known && tile->slayout != SLayout::kNoneBox;
  const bool packed = s[4] == 1 && s[3] == d[4];
  const int64_t line = 8 * 32 / pto_dtype_bits(dtype);  // elements of 32 bytes
  // Boxes of 16 rows of 32 bytes, for a tile of such boxes that is not higher than the view; or boxes of 512 bytes.
  const bool boxes = d[3] == 16 && d[4] == line && columns && boxed && tile->slayout == SLayout::kRowMajor;
  if (rank > 2 && packed && boxes && (tile->rows() + 15) / 16 <= d[2]) return PTO_LAYOUT_NZ;
  if (packed && d[2] == 16 && d[3] == line) return PTO_LAYOUT_NZ;
  const bool matrix = d[0] == 1 && d[1] == 1 && d[2] == 1;
  if (s[3] != 1 || rank < 2) return PTO_LAYOUT_ND;
  if (d[3] > 1 && d[4] > 1) return s[4] == d[3] || (matrix && s[4] > d[3]) ? PTO_LAYOUT_DN : PTO_LAYOUT_ND;
  // One row or one column: of a matrix both orders are the same elements.
  return !matrix && columns && !boxed && tile->rows() <= d[3] ? PTO_LAYOUT_DN : PTO_LAYOUT_ND;
}

bool Outside(const char* format, int64_t count, int64_t first, int dimension, int64_t extent, std::string* why) {
  char text[128];
  std::snprintf(text, sizeof text, format, static_cast<long long>(count), static_cast<long long>(first), dimension,
                static_cast<long long>(extent));
  *why = text;
  return false;
}

}  // namespace

pto_layout LayoutOf(std::string_view name) {
  const auto named = [&](const MatrixOrder& order) { return name == order.name; };
  const auto* const order = std::find_if(std::begin(kMatrixOrders), std::end(kMatrixOrders), named);
  return order == std::end(kMatrixOrders) ? PTO_LAYOUT_ND : static_cast<pto_layout>(order - kMatrixOrders);
}

pto_tensor_desc TensorDesc(pto_dtype dtype, pto_layout layout, int rank, const int64_t* dims, const int64_t* strides) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.layout = layout;
  desc.rank = rank;
  desc.strided = strides == nullptr ? 0 : 1;
  int64_t* const to_dims[] = {&desc.dim0, &desc.dim1, &desc.dim2, &desc.dim3, &desc.dim4};
  int64_t* const to_strides[] = {&desc.stride0, &desc.stride1, &desc.stride2, &desc.stride3, &desc.stride4};
  for (int i = 0; i < rank && i < 5; ++i) {
    *to_dims[i] = dims[i];
    if (strides != nullptr) *to_strides[i] = strides[i];
  }
  return desc;
}

pto_tensor_desc ViewDesc(pto_dtype dtype, const Stmt& view, int rank, const int64_t* dims, const int64_t* strides) {
  const std::string_view written = WrittenLayout(view);
  const Stmt* const moved = view.results.empty() ? nullptr : view.results[0]->moved;
  const Type* tile = nullptr;
  if (moved != nullptr) {
    const std::span<const Operand> side = moved->Stores() ? moved->operands : moved->outs;
    if (!side.empty() && side[0].value != nullptr) tile = side[0].value->type;
  }
  const pto_layout layout = written.empty() ? InferredLayout(dtype, rank, dims, strides, tile) : LayoutOf(written);
  return TensorDesc(dtype, layout, rank, dims, strides);
}

bool ViewPartOf(const pto_tensor* tensor, const int64_t* offsets, const int64_t* sizes, ViewPart* out,
                std::string* why) {
  const int rank = pto_tensor_rank(tensor);
  int64_t strides[5] = {};
  bool empty = false;
  out->offset = 0;
  for (int i = 0; i < rank; ++i) {
    const int64_t extent = pto_tensor_dim(tensor, i);
    if (offsets[i] < 0 || sizes[i] < 0 || offsets[i] > extent || sizes[i] > extent - offsets[i]) {
      return Outside("%lld elements from %lld on in dimension %d of %lld", sizes[i], offsets[i], i, extent, why);
    }
    strides[i] = pto_tensor_stride(tensor, i);
    out->offset += offsets[i] * strides[i];
    empty |= sizes[i] == 0;
  }
  // An empty part may begin after the last element.
  if (empty) out->offset = 0;
  out->desc = TensorDesc(pto_tensor_dtype(tensor), pto_tensor_layout(tensor), rank, sizes, strides);
  return true;
}

bool WindowOf(const pto_tensor* tensor, const int64_t* indices, const pto_tile* tile, ViewPart* out, std::string* why) {
  const int rank = pto_tensor_rank(tensor);
  int64_t dims[5] = {1, 1, 1, 1, 1};
  int64_t strides[5] = {};
  uint64_t at = 0;  // after the end of a dimension any stride may follow
  for (int i = 0; i < rank; ++i) {
    const int64_t extent = pto_tensor_dim(tensor, i);
    if (indices[i] < 0 || indices[i] > extent) {
      char text[80];
      std::snprintf(text, sizeof text, "index %lld in dimension %d of %lld", static_cast<long long>(indices[i]), i,
                    static_cast<long long>(extent));
      *why = text;
      return false;
    }
    strides[i] = pto_tensor_stride(tensor, i);
    at += static_cast<uint64_t>(indices[i]) * static_cast<uint64_t>(strides[i]);
    dims[i] = extent - indices[i];
    if (tile == nullptr) continue;
    const int64_t want = i == rank - 1 ? pto_tile_valid_cols(tile) : i == rank - 2 ? pto_tile_valid_rows(tile) : 1;
    if (want > dims[i]) {
      return Outside("%lld elements from index %lld on in dimension %d of %lld", want, indices[i], i, extent, why);
    }
    dims[i] = want;
  }
  out->offset = static_cast<int64_t>(at);
  out->desc = TensorDesc(pto_tensor_dtype(tensor), pto_tensor_layout(tensor), rank, dims, strides);
  return true;
}

}  // namespace pto::ptoas
