// Tiles, what shares their storage, and views of global memory.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "src/ops/attributes.h"
#include "src/ptoas/machine.h"
#include "src/ptoas/tile_desc.h"

namespace pto::ptoas {

namespace {

// A matrix view: the dimensions before the last two are 1.
bool IsMatrix(int rank, const int64_t* dims) {
  return std::all_of(dims, dims + std::max(rank - 2, 0), [](int64_t dim) { return dim == 1; });
}

}  // namespace

// ---- tiles -----------------------------------------------------------------

bool Machine::MakeTile(const Stmt& stmt, const pto_tile_desc& desc, TileCache* cache, RunValue* out) {
  *out = RunValue();
  const bool manual = desc.storage == PTO_STORAGE_MANUAL;
  if (cache->box != nullptr && cache->box->refs == 1 && !cache->box->moved) {
    pto_tile* tile = cache->box->tile;
    const bool same = pto_tile_rows(tile) == desc.rows && pto_tile_cols(tile) == desc.cols &&
                      pto_tile_dtype(tile) == desc.dtype && pto_tile_blayout(tile) == desc.blayout &&
                      pto_tile_slayout(tile) == desc.slayout && pto_tile_location(tile) == desc.location &&
                      (desc.fractal == 0 || pto_tile_fractal(tile) == desc.fractal) && pto_tile_pad(tile) == desc.pad;
    if (same) {
      if (pto_tile_set_valid(ctx_, tile, desc.valid_rows, desc.valid_cols) != PTO_OK) return FailCall(stmt);
      cache->box->Retain();
      *out = RunValue::Of(ValueKind::kTile, cache->box);
      return true;
    }
  }
  cache->Drop();
  // Judged before any memory is taken: the size is known only once the geometry is.
  pto_tile_desc empty = desc;
  empty.storage = PTO_STORAGE_MANUAL;
  pto_tile* tile = pto_tile_create_from(ctx_, &empty);
  if (tile == nullptr) return FailCall(stmt);
  const int64_t bytes = pto_tile_bytes(tile);
  pto_tile_release(tile);
  RunValue made;
  if (!MakeBox(stmt, ValueKind::kTile, manual ? 0 : bytes, &made) || !Work(stmt, int64_t{desc.rows} * desc.cols)) {
    return false;
  }
  made.box()->tile = pto_tile_create_from(ctx_, &desc);
  if (made.box()->tile == nullptr) return FailCall(stmt);
  cache->box = made.box();
  cache->box->Retain();
  *out = std::move(made);
  return true;
}

bool Machine::AllocTile(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Type* type = stmt.results[0]->type;
  if (type == nullptr || type->kind != TypeKind::kTile) {
    return Fail(stmt, Rule::kRunUnsupported, "the tile has no type");
  }
  size_t next = 0;
  int64_t address = 0;
  int64_t rows = type->valid_row;
  int64_t cols = type->valid_col;
  if (stmt.has_addr && !IntOf(stmt, stmt.operands[next++], frame, &address)) return false;
  if (stmt.has_valid_row && !IntOf(stmt, stmt.operands[next++], frame, &rows)) return false;
  if (stmt.has_valid_col && !IntOf(stmt, stmt.operands[next++], frame, &cols)) return false;
  // -1 would mean all of it to the C API, where the program has counted below zero.
  if ((stmt.has_valid_row && rows < 0) || (stmt.has_valid_col && cols < 0)) {
    return Fail(stmt, Rule::kValidRange, "valid extents are %lldx%lld", static_cast<long long>(rows),
                static_cast<long long>(cols));
  }
  pto_tile_desc desc{};
  if (!TileDesc(*type, pto_context_profile(ctx_), rows, cols, &desc)) {
    return Fail(stmt, Rule::kRunUnsupported, "a tile of %s valid in %lldx%lld is not supported", Info(type->elem).name,
                static_cast<long long>(rows), static_cast<long long>(cols));
  }
  if (stmt.has_addr) desc.storage = PTO_STORAGE_MANUAL;
  // The value of a round before must not keep the tile from being taken again.
  frame[node.out] = RunValue();
  RunValue made;
  if (!MakeTile(stmt, desc, node.made.get(), &made)) return false;
  if (stmt.has_addr && !Place(stmt, made.box()->tile, address)) return false;
  frame[node.out] = std::move(made);
  return true;
}

bool Machine::SetValidShape(const Stmt& stmt, Frame frame) {
  RunValue* tile = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTile, &tile) || !IntOf(stmt, stmt.operands[1], frame, &rows) ||
      !IntOf(stmt, stmt.operands[2], frame, &cols)) {
    return false;
  }
  pto_tile* handle = tile->box()->tile;
  if (rows < 0 || cols < 0 || rows > pto_tile_rows(handle) || cols > pto_tile_cols(handle)) {
    return Fail(stmt, Rule::kValidRange, "%lldx%lld in a tile of %dx%d", static_cast<long long>(rows),
                static_cast<long long>(cols), pto_tile_rows(handle), pto_tile_cols(handle));
  }
  return pto_tile_set_valid(ctx_, handle, static_cast<int32_t>(rows), static_cast<int32_t>(cols)) == PTO_OK ||
         FailCall(stmt);
}

bool Machine::ShareTile(const Stmt& stmt, const RunValue& whole, RunValue part, Frame frame) {
  if (part.box()->tile == nullptr) return FailCall(stmt);
  part.box()->Share(whole.box());
  frame[stmt.results[0]->slot] = std::move(part);
  return true;
}

bool Machine::Retype(const Stmt& stmt, Frame frame) {
  RunValue* source = nullptr;
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTile, &source)) return false;
  const Type* type = stmt.results[0]->type;
  pto_tile* tile = source->box()->tile;
  if (type == nullptr || type->kind != TypeKind::kTile)
    return Fail(stmt, Rule::kRunUnsupported, "the tile has no type");
  // A `?` is what the source has, as far as the new tile reaches.
  const int64_t rows =
      type->valid_row != kDynamic ? type->valid_row : std::min<int64_t>(pto_tile_valid_rows(tile), type->rows());
  const int64_t cols =
      type->valid_col != kDynamic ? type->valid_col : std::min<int64_t>(pto_tile_valid_cols(tile), type->cols());
  pto_tile_desc desc{};
  if (!TileDesc(*type, pto_context_profile(ctx_), rows, cols, &desc)) {
    return Fail(stmt, Rule::kRunUnsupported, "tiles of %s are not supported", Info(type->elem).name);
  }
  RunValue part;
  if (!MakeBox(stmt, ValueKind::kTile, 0, &part)) return false;
  part.box()->tile = pto_tile_reshape(ctx_, tile, &desc);
  return ShareTile(stmt, *source, std::move(part), frame);
}

bool Machine::Subset(const Stmt& stmt, Frame frame) {
  RunValue* source = nullptr;
  int64_t row = 0;
  int64_t col = 0;
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTile, &source) || !IntOf(stmt, stmt.operands[1], frame, &row) ||
      !IntOf(stmt, stmt.operands[2], frame, &col)) {
    return false;
  }
  pto_tile* tile = source->box()->tile;
  const int64_t rows = stmt.sizes.size() == 2 ? stmt.sizes[0] : 0;
  const int64_t cols = stmt.sizes.size() == 2 ? stmt.sizes[1] : 0;
  if (row < 0 || col < 0 || row > pto_tile_rows(tile) || col > pto_tile_cols(tile) || rows > pto_tile_rows(tile) ||
      cols > pto_tile_cols(tile)) {
    return Fail(stmt, Rule::kViewRange, "%lldx%lld elements at row %lld and column %lld of a tile of %dx%d",
                static_cast<long long>(rows), static_cast<long long>(cols), static_cast<long long>(row),
                static_cast<long long>(col), pto_tile_rows(tile), pto_tile_cols(tile));
  }
  RunValue part;
  if (!MakeBox(stmt, ValueKind::kTile, 0, &part)) return false;
  part.box()->tile = pto_tile_view(ctx_, tile, static_cast<int32_t>(row), static_cast<int32_t>(col),
                                   static_cast<int32_t>(rows), static_cast<int32_t>(cols));
  return ShareTile(stmt, *source, std::move(part), frame);
}

bool Machine::Place(const Stmt& stmt, pto_tile* tile, int64_t address) {
  if (pto_tassign(ctx_, tile, address) != PTO_OK) return FailCall(stmt);
  const int location = pto_tile_location(tile);
  int64_t begin = address;
  int64_t end = address + pto_tile_bytes(tile);
  int64_t fresh = end - begin;
  auto it = placed_.lower_bound({location, begin});
  if (it != placed_.begin() && std::prev(it)->first.first == location && std::prev(it)->second >= begin) --it;
  // All that it touches becomes one span.
  while (it != placed_.end() && it->first.first == location && it->first.second <= end) {
    fresh -= std::max<int64_t>(
        std::min(it->second, address + pto_tile_bytes(tile)) - std::max(it->first.second, address), 0);
    begin = std::min(begin, it->first.second);
    end = std::max(end, it->second);
    it = placed_.erase(it);
  }
  placed_[{location, begin}] = end;
  if (fresh > 0 && !Charge(stmt, fresh)) return false;
  bytes_ += fresh;
  return true;
}

// What the caller bound to a name goes with it to the first address that a run gives it.
bool Machine::Carry(const Stmt& stmt, Box* box, int64_t address) {
  pto_tile* tile = box->tile;
  if (!box->carries || pto_tile_data(tile) == nullptr) {
    return Place(stmt, tile, address);
  }
  box->carries = false;
  const int32_t rows = pto_tile_valid_rows(tile);
  const int32_t cols = pto_tile_valid_cols(tile);
  const int64_t bytes = int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile) * pto_dtype_bytes(pto_tile_dtype(tile));
  if (!Work(stmt, int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile)) || !Charge(stmt, bytes)) return false;
  std::vector<char> data(static_cast<size_t>(bytes));
  pto_tile_set_valid(ctx_, tile, PTO_VALID_ALL, PTO_VALID_ALL);
  const bool good = (pto_tile_read(ctx_, tile, data.data(), bytes) == PTO_OK || FailCall(stmt)) &&
                    Place(stmt, tile, address) &&
                    (pto_tile_write(ctx_, tile, data.data(), bytes) == PTO_OK || FailCall(stmt));
  pto_tile_set_valid(ctx_, tile, rows, cols);
  return good;
}

bool Machine::Tassign(const Stmt& stmt, Frame frame) {
  RunValue* tile = nullptr;
  int64_t address = 0;
  if (!IntOf(stmt, stmt.operands[1], frame, &address)) return false;
  const Value* value = stmt.operands[0].value;
  if (value != nullptr && value->origin == ValueOrigin::kImplicit && value->written_first && stmt.results.empty() &&
      frame[value->slot].Is(ValueKind::kNone)) {
    places_[value] = address;  // the statement that writes it first makes its tile there
    return true;
  }
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTile, &tile)) return false;
  if (!Carry(stmt, tile->box(), address)) return false;
  tile->box()->moved = true;
  if (stmt.results.empty()) return true;
  const RunValue same = *tile;
  frame[stmt.results[0]->slot] = same;
  return true;
}

// ---- views of global memory ------------------------------------------------

bool Machine::View(const Stmt& stmt, const RunValue& base, const pto_tensor_desc& desc, int64_t offset, RunValue* out) {
  RunValue view;
  if (!MakeBox(stmt, ValueKind::kTensor, 0, &view)) return false;
  view.box()->tensor = pto_tensor_view(ctx_, base.box()->tensor, &desc, offset);
  if (view.box()->tensor == nullptr) {
    // Too small a tensor. The box of a binding goes with it through calls and pointer arithmetic.
    for (size_t i = 0; i < bound_.size() && pto_context_error(ctx_) == PTO_ERROR_ADDRESS; ++i) {
      if (bound_[i] != nullptr && bound_[i]->value.box() == base.box()) argument_at_fault_ = entry_->args[i]->name;
    }
    return FailCall(stmt);
  }
  *out = std::move(view);
  return true;
}

bool Machine::MakeView(const Stmt& stmt, Frame frame) {
  RunValue* base = nullptr;
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kPtr, &base)) return false;
  const size_t rank = stmt.split;
  int64_t dims[5] = {};
  int64_t strides[5] = {};
  if (rank < 1 || rank > 5 || stmt.operands.size() != 1 + 2 * rank) {
    return Fail(stmt, Rule::kTensorRank, "a view of %zu dimensions", rank);
  }
  for (size_t i = 0; i < rank; ++i) {
    if (!IntOf(stmt, stmt.operands[1 + i], frame, &dims[i]) ||
        !IntOf(stmt, stmt.operands[1 + rank + i], frame, &strides[i])) {
      return false;
    }
  }
  const std::string_view given = GivenValue(stmt, "layout");
  pto_layout layout = given == "dn" ? PTO_LAYOUT_DN : PTO_LAYOUT_ND;
  if (given.empty() && rank >= 2 && IsMatrix(static_cast<int>(rank), dims)) {
    // Columns that follow each other make the hardware's DN; for a matrix both orders name the same elements.
    if (strides[rank - 2] == 1 && strides[rank - 1] >= dims[rank - 2] && dims[rank - 1] > 1) layout = PTO_LAYOUT_DN;
  }
  const pto_dtype dtype = pto_tensor_dtype(base->box()->tensor);
  // What the dialect takes for boxes of 512 bytes, whose elements no ND view would name in that order.
  const bool nz = rank == 5 && dims[2] == 16 && 16 * dims[3] * pto_dtype_bytes(dtype) == 512 && strides[4] == 1 &&
                  strides[3] == dims[4];
  if (given.empty() && nz) {
    return Fail(stmt, Rule::kRunUnsupported, "sizes and strides mean layout nz; with {layout = nd} they do not");
  }
  RunValue view;
  const pto_tensor_desc desc = TensorDesc(dtype, layout, static_cast<int>(rank), dims, strides);
  if (!View(stmt, *base, desc, base->integer(), &view)) return false;
  frame[stmt.results[0]->slot] = std::move(view);
  return true;
}

bool Machine::PartitionView(const Stmt& stmt, Frame frame) {
  RunValue* base = nullptr;
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTensor, &base)) return false;
  pto_tensor* tensor = base->box()->tensor;
  const auto rank = static_cast<size_t>(pto_tensor_rank(tensor));
  if (stmt.split != rank || stmt.operands.size() != 1 + 2 * rank) {
    return Fail(stmt, Rule::kWindow, "%d offsets into a view of %zu dimensions", stmt.split, rank);
  }
  int64_t dims[5] = {};
  int64_t strides[5] = {};
  int64_t at = 0;
  for (size_t i = 0; i < rank; ++i) {
    int64_t offset = 0;
    if (!IntOf(stmt, stmt.operands[1 + i], frame, &offset) ||
        !IntOf(stmt, stmt.operands[1 + rank + i], frame, &dims[i])) {
      return false;
    }
    const auto index = static_cast<int32_t>(i);
    const int64_t extent = pto_tensor_dim(tensor, index);
    if (offset < 0 || dims[i] < 0 || offset > extent || dims[i] > extent - offset) {
      return Fail(stmt, Rule::kWindow, "%lld elements from %lld on in dimension %zu of %lld",
                  static_cast<long long>(dims[i]), static_cast<long long>(offset), i, static_cast<long long>(extent));
    }
    strides[i] = pto_tensor_stride(tensor, index);
    at += offset * strides[i];
  }
  // An empty window may begin behind the last element.
  if (std::find(dims, dims + rank, 0) != dims + rank) at = 0;
  RunValue view;
  const pto_tensor_desc desc =
      TensorDesc(pto_tensor_dtype(tensor), pto_tensor_layout(tensor), static_cast<int>(rank), dims, strides);
  if (!View(stmt, *base, desc, at, &view)) return false;
  frame[stmt.results[0]->slot] = std::move(view);
  return true;
}

}  // namespace pto::ptoas
