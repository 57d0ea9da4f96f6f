// Tiles, views, instructions and printing: everything that calls the C API.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_set>

#include "src/ptoas/machine.h"
#include "src/ptoas/scalar.h"
#include "src/ptoas/tile_desc.h"

namespace pto::ptoas {

namespace {

constexpr size_t kMaxOutputBytes = size_t{1} << 20;
constexpr size_t kMaxTraceEvents = size_t{1} << 20;

int64_t NowNs() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

// A matrix view: the dimensions before the last two are 1.
bool IsMatrix(int rank, const int64_t* dims) {
  return std::all_of(dims, dims + std::max(rank - 2, 0), [](int64_t dim) { return dim == 1; });
}

bool SameWord(std::string_view text, const char* word) {
  return text.size() == std::strlen(word) &&
         std::equal(text.begin(), text.end(), word, [](char a, char b) { return (a | 0x20) == b; });
}

}  // namespace

// ---- instructions ----------------------------------------------------------

bool Machine::Inst(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.site == nullptr) {
    return Fail(stmt, Rule::kRunUnsupported, "%.*s is no instruction of this library",
                static_cast<int>(stmt.name.size()), stmt.name.data());
  }
  Site& site = *node.site;
  if (site.inst == nullptr) {
    site.inst = pto_inst_create(ctx_, stmt.op->name);
    if (site.inst == nullptr) return FailCall(stmt);
    const int32_t flags = stmt.op->OperandCount() - 1;
    if (pto_inst_set_int(ctx_, site.inst, flags, FlagsOf(stmt)) != PTO_OK) return FailCall(stmt);
  }
  for (SiteArg& arg : site.args) {
    if (arg.tensor) {
      if (!SetTensor(node, arg, frame)) return false;
      continue;
    }
    const RunValue& value = frame[arg.slot];
    if (arg.makes || !value.Is(ValueKind::kTile) || value.box()->tile != arg.tile) {
      if (!SetTile(node, arg, frame)) return false;
    }
  }
  if (!options_.trace) return pto_inst_run(ctx_, site.inst) == PTO_OK || FailCall(stmt);
  const int64_t begin = NowNs();
  const bool good = pto_inst_run(ctx_, site.inst) == PTO_OK;
  if (trace_.empty()) trace_start_ns_ = begin;
  if (trace_.size() < kMaxTraceEvents) trace_.push_back({&stmt, begin, NowNs(), block_});
  return good || FailCall(stmt);
}

bool Machine::SetTile(Node& node, SiteArg& arg, Frame frame) {
  const bool unbound = frame[arg.slot].Is(ValueKind::kNone) && arg.index == 0 && arg.operand->value != nullptr &&
                       arg.operand->value->origin == ValueOrigin::kImplicit;
  if ((arg.makes || unbound) && !MakeDestination(node, arg, frame)) return false;
  RunValue* value = nullptr;
  if (!BoxOf(*node.stmt, *arg.operand, frame, ValueKind::kTile, &value)) return false;
  pto_tile* tile = value->box()->tile;
  if (tile == arg.tile) return true;
  // Made now and dropped by everyone else, the tile would be one that the instruction alone knows.
  if (pto_inst_set_tile(ctx_, node.site->inst, arg.index, tile) != PTO_OK) return FailCall(*node.stmt);
  arg.tile = tile;
  return true;
}

bool Machine::SetTensor(Node& node, SiteArg& arg, Frame frame) {
  RunValue* value = nullptr;
  if (!BoxOf(*node.stmt, *arg.operand, frame, ValueKind::kTensor, &value)) return false;
  RunValue window;
  if (!arg.operand->indices.empty()) {
    if (!Window(*node.stmt, *arg.operand, *value, node, frame, &window)) return false;
    value = &window;
  }
  return pto_inst_set_tensor(ctx_, node.site->inst, arg.index, value->box()->tensor) == PTO_OK || FailCall(*node.stmt);
}

// `%view[%i, %j]` in a one-line load or store: as many elements as the tile has,
// from there on, or all that follow when the load makes its tile.
bool Machine::Window(const Stmt& stmt, const Operand& operand, const RunValue& base, const Node& node, Frame frame,
                     RunValue* out) {
  pto_tensor* tensor = base.box()->tensor;
  const int rank = pto_tensor_rank(tensor);
  if (static_cast<int>(operand.indices.size()) != rank) {
    return Fail(stmt, Rule::kWindow, "%zu indices of a view of %d dimensions", operand.indices.size(), rank);
  }
  int64_t dims[5] = {1, 1, 1, 1, 1};
  int64_t strides[5] = {};
  int64_t at = 0;
  const pto_tile* tile = nullptr;
  for (const SiteArg& arg : node.site->args) {
    const RunValue& value = frame[arg.slot];
    if (!arg.tensor && !arg.makes && value.Is(ValueKind::kTile)) tile = value.box()->tile;
  }
  for (int i = 0; i < rank; ++i) {
    int64_t index = 0;
    if (!IntOf(stmt, operand.indices[static_cast<size_t>(i)], frame, &index)) return false;
    const int64_t extent = pto_tensor_dim(tensor, i);
    if (index < 0 || index > extent) {
      return Fail(stmt, Rule::kWindow, "index %lld in dimension %d of %lld", static_cast<long long>(index), i,
                  static_cast<long long>(extent));
    }
    strides[i] = pto_tensor_stride(tensor, i);
    at += index * strides[i];
    dims[i] = extent - index;
    if (tile == nullptr) continue;
    const int64_t want = i == rank - 1 ? pto_tile_valid_cols(tile) : i == rank - 2 ? pto_tile_valid_rows(tile) : 1;
    if (want > dims[i]) {
      return Fail(stmt, Rule::kWindow, "%lld elements from index %lld on in dimension %d of %lld",
                  static_cast<long long>(want), static_cast<long long>(index), i, static_cast<long long>(extent));
    }
    dims[i] = want;
  }
  return View(stmt, base, TensorDesc(pto_tensor_dtype(tensor), pto_tensor_layout(tensor), rank, dims, strides), at,
              out);
}

// The tile that a one-line instruction makes: of the type written, or else like its
// first tile operand, or as large as what it loads.
bool Machine::MakeDestination(Node& node, const SiteArg& arg, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Type* type = arg.operand->value->type;
  pto_tile_desc desc{};
  bool known =
      type != nullptr && type->kind == TypeKind::kTile && type->valid_row != kDynamic && type->valid_col != kDynamic;
  if (known) {
    if (!TileDesc(*type, pto_context_profile(ctx_), type->valid_row, type->valid_col, &desc)) {
      return Fail(stmt, Rule::kRunUnsupported, "tiles of %s are not supported", Info(type->elem).name);
    }
  }
  for (const SiteArg& other : node.site->args) {
    if (known || other.index == 0) continue;
    const RunValue& value = frame[other.slot];
    if (value.Is(ValueKind::kTile)) {
      desc = DescOf(value.box()->tile);
      known = true;
    } else if (value.Is(ValueKind::kTensor)) {
      RunValue window;
      const pto_tensor* tensor = value.box()->tensor;
      if (!other.operand->indices.empty()) {
        if (!Window(stmt, *other.operand, value, node, frame, &window)) return false;
        tensor = window.box()->tensor;
      }
      const int rank = pto_tensor_rank(tensor);
      int64_t rows = 1;
      for (int i = 0; i + 1 < rank; ++i) rows *= pto_tensor_dim(tensor, i);
      const int64_t cols = pto_tensor_dim(tensor, rank - 1);
      Type as_large;
      as_large.kind = TypeKind::kTile;
      as_large.elem = ElemOf(pto_tensor_dtype(tensor));
      as_large.dims[0] = rows;
      as_large.dims[1] = cols;
      known = TileDesc(as_large, pto_context_profile(ctx_), rows, cols, &desc);
    }
  }
  if (!known) return Fail(stmt, Rule::kUnassigned, "nothing says how large the destination is");
  frame[arg.slot] = RunValue();  // what it was a round ago must not keep its tile from being taken again
  RunValue made;
  if (!MakeTile(stmt, desc, &node.site->made, &made)) return false;
  frame[arg.slot] = made;
  return true;
}

// ---- tiles -----------------------------------------------------------------

bool Machine::MakeTile(const Stmt& stmt, const pto_tile_desc& desc, TileCache* cache, RunValue* out) {
  *out = RunValue();
  const bool manual = desc.storage == PTO_STORAGE_MANUAL;
  if (cache->box != nullptr && cache->box->refs == 1 && !cache->box->moved) {
    pto_tile* tile = cache->box->tile;
    const bool same = pto_tile_rows(tile) == desc.rows && pto_tile_cols(tile) == desc.cols &&
                      pto_tile_dtype(tile) == desc.dtype && pto_tile_blayout(tile) == desc.blayout &&
                      pto_tile_slayout(tile) == desc.slayout && pto_tile_location(tile) == desc.location &&
                      pto_tile_pad(tile) == desc.pad;
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
  if (!manual) {
    pto_tile_release(tile);
    if (!Charge(stmt, bytes)) return false;
    tile = pto_tile_create_from(ctx_, &desc);
    if (tile == nullptr) return FailCall(stmt);
  }
  Box* box = Box::OfTile(tile);
  if (!manual) {
    box->bytes = bytes;
    box->account = &bytes_;
    bytes_ += bytes;
  }
  box->Retain();
  cache->box = box;
  *out = RunValue::Of(ValueKind::kTile, box);
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
  if (stmt.has_addr && pto_tassign(ctx_, made.box()->tile, address) != PTO_OK) return FailCall(stmt);
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
  pto_tile* view = pto_tile_reshape(ctx_, tile, &desc);
  if (view == nullptr) return FailCall(stmt);
  Box* box = Box::OfTile(view);
  box->parent = source->box();
  box->parent->Retain();
  frame[stmt.results[0]->slot] = RunValue::Of(ValueKind::kTile, box);
  return true;
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
  pto_tile* view = pto_tile_view(ctx_, tile, static_cast<int32_t>(row), static_cast<int32_t>(col),
                                 static_cast<int32_t>(rows), static_cast<int32_t>(cols));
  if (view == nullptr) return FailCall(stmt);
  Box* box = Box::OfTile(view);
  box->parent = source->box();
  box->parent->Retain();
  frame[stmt.results[0]->slot] = RunValue::Of(ValueKind::kTile, box);
  return true;
}

bool Machine::Tassign(const Stmt& stmt, Frame frame) {
  RunValue* tile = nullptr;
  int64_t address = 0;
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTile, &tile) ||
      !IntOf(stmt, stmt.operands[1], frame, &address)) {
    return false;
  }
  if (pto_tassign(ctx_, tile->box()->tile, address) != PTO_OK) return FailCall(stmt);
  tile->box()->moved = true;
  if (stmt.results.empty()) return true;
  const RunValue same = *tile;
  frame[stmt.results[0]->slot] = same;
  return true;
}

// ---- views of global memory ------------------------------------------------

bool Machine::View(const Stmt& stmt, const RunValue& base, const pto_tensor_desc& desc, int64_t offset, RunValue* out) {
  pto_tensor* view = pto_tensor_view(ctx_, base.box()->tensor, &desc, offset);
  if (view == nullptr) return FailCall(stmt);
  Box* box = Box::OfTensor(view);
  *out = RunValue::Of(ValueKind::kTensor, box);
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
  pto_layout layout = PTO_LAYOUT_ND;
  const Attr* attr = FindAttr(stmt.attrs, "layout");
  if (attr != nullptr && SameWord(attr->text, "nz")) {
    return Fail(stmt, Rule::kRunUnsupported, "views of layout nz are not executed by libpto");
  }
  if (attr != nullptr && SameWord(attr->text, "dn")) layout = PTO_LAYOUT_DN;
  if (attr == nullptr && rank >= 2 && IsMatrix(static_cast<int>(rank), dims)) {
    // Columns that follow each other make the hardware's DN; for a matrix both orders name the same elements.
    if (strides[rank - 2] == 1 && strides[rank - 1] >= dims[rank - 2] && dims[rank - 1] > 1) layout = PTO_LAYOUT_DN;
  }
  RunValue view;
  const pto_dtype dtype = pto_tensor_dtype(base->box()->tensor);
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

// ---- single elements -------------------------------------------------------

namespace {

// A number of a type as the bytes that memory holds, and back.
RunValue FromBits(Elem elem, uint64_t bits) {
  return IsFloat(elem) ? RunValue::Float(FloatFromBits(elem, bits))
                       : RunValue::Int(WrapInt(elem, static_cast<int64_t>(bits)));
}

bool ToBits(Elem elem, const RunValue& value, uint64_t* bits) {
  if (IsFloat(elem) ? !value.Is(ValueKind::kFloat) : !value.Is(ValueKind::kInt)) return false;
  *bits = IsFloat(elem) ? BitsFromFloat(elem, value.number()) : static_cast<uint64_t>(value.integer());
  return true;
}

}  // namespace

bool Machine::ScalarAccess(const Stmt& stmt, Frame frame) {
  const bool load = stmt.kind == StmtKind::kLoadScalar;
  const size_t first = load ? 0 : 1;
  RunValue* base = nullptr;
  int64_t offset = 0;
  if (!BoxOf(stmt, stmt.operands[first], frame, ValueKind::kPtr, &base) ||
      !IntOf(stmt, stmt.operands[first + 1], frame, &offset)) {
    return false;
  }
  const pto_dtype dtype = pto_tensor_dtype(base->box()->tensor);
  const int64_t one = 1;
  RunValue view;
  const auto at = static_cast<int64_t>(static_cast<uint64_t>(base->integer()) + static_cast<uint64_t>(offset));
  if (!View(stmt, *base, TensorDesc(dtype, PTO_LAYOUT_ND, 1, &one, nullptr), at, &view)) return false;
  uint64_t bits = 0;
  const int32_t bytes = pto_dtype_bytes(dtype);
  const Elem elem = ElemOf(dtype);
  if (load) {
    if (pto_tensor_read(ctx_, view.box()->tensor, &bits, bytes) != PTO_OK) return FailCall(stmt);
    frame[stmt.results[0]->slot] = FromBits(elem, bits);
    return true;
  }
  const Operand& value = stmt.operands[0];
  if (value.value == nullptr || !ToBits(elem, frame[value.value->slot], &bits)) {
    return Fail(stmt, Rule::kUnassigned, "the value is no %s", pto_dtype_name(dtype));
  }
  return pto_tensor_write(ctx_, view.box()->tensor, &bits, bytes) == PTO_OK || FailCall(stmt);
}

// tgetval and tsetval count elements of the storage, whatever the layout.
bool Machine::ElementAccess(const Stmt& stmt, Frame frame) {
  const bool get = stmt.kind == StmtKind::kTGetVal;
  if (!get && stmt.outs.empty()) return Fail(stmt, Rule::kUnassigned, "there is no tile to write");
  RunValue* tile = nullptr;
  int64_t offset = 0;
  if (!BoxOf(stmt, get ? stmt.operands[0] : stmt.outs[0], frame, ValueKind::kTile, &tile) ||
      !IntOf(stmt, stmt.operands[get ? 1 : 0], frame, &offset)) {
    return false;
  }
  pto_tile* handle = tile->box()->tile;
  const pto_dtype dtype = pto_tile_dtype(handle);
  const int64_t bytes = pto_dtype_bytes(dtype);
  auto* data = static_cast<char*>(pto_tile_data(handle));
  if (data == nullptr || offset < 0 || offset >= pto_tile_bytes(handle) / bytes) {
    return Fail(stmt, Rule::kViewRange, "element %lld of %lld", static_cast<long long>(offset),
                static_cast<long long>(data == nullptr ? 0 : pto_tile_bytes(handle) / bytes));
  }
  uint64_t bits = 0;
  if (get) {
    std::memcpy(&bits, data + offset * bytes, static_cast<size_t>(bytes));
    frame[stmt.results[0]->slot] = FromBits(ElemOf(dtype), bits);
    return true;
  }
  const Operand& value = stmt.operands[1];
  if (value.value == nullptr || !ToBits(ElemOf(dtype), frame[value.value->slot], &bits)) {
    return Fail(stmt, Rule::kUnassigned, "the value is no %s", pto_dtype_name(dtype));
  }
  std::memcpy(data + offset * bytes, &bits, static_cast<size_t>(bytes));
  return true;
}

bool Machine::EventArray(const Stmt& stmt, Frame frame) {
  constexpr int64_t kMaxEvents = 4096;
  const auto code = static_cast<EventArrayCode>(stmt.code);
  if (code == EventArrayCode::kDeclare) {
    const Type* type = stmt.results[0]->type;
    const int64_t count = type == nullptr ? 0 : type->dims[0];
    if (count < 1 || count > kMaxEvents)
      return Fail(stmt, Rule::kRunUnsupported, "%lld events", static_cast<long long>(count));
    auto* box = new Box;
    frame[stmt.results[0]->slot] = RunValue::Of(ValueKind::kEvents, box);
    box->events.resize(static_cast<size_t>(count));
    return true;
  }
  RunValue* array = nullptr;
  int64_t index = 0;
  if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kEvents, &array) ||
      !IntOf(stmt, stmt.operands[1], frame, &index)) {
    return false;
  }
  std::vector<int64_t>& events = array->box()->events;
  if (index < 0 || index >= static_cast<int64_t>(events.size())) {
    return Fail(stmt, Rule::kViewRange, "event %lld of %zu", static_cast<long long>(index), events.size());
  }
  int64_t& event = events[static_cast<size_t>(index)];
  if (code == EventArrayCode::kSet) return IntOf(stmt, stmt.operands[2], frame, &event);
  const int64_t value = event;
  frame[stmt.results[0]->slot].SetInt(value);
  return true;
}

// ---- text ------------------------------------------------------------------

void Machine::Say(std::string_view text) {
  const size_t room = kMaxOutputBytes - std::min(output_.size(), kMaxOutputBytes);
  output_.append(text.substr(0, room));
}

bool Machine::Print(const Stmt& stmt, Frame frame) {
  if (stmt.kind == StmtKind::kTPrint) {
    RunValue* tile = nullptr;
    if (!BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTile, &tile)) return false;
    PrintTile(stmt, tile->box()->tile);
    return true;
  }
  // The format's directive says where the number stands; how it looks is ours.
  std::string text = stmt.operands.empty() || stmt.operands[0].literal == nullptr
                         ? std::string("%d")
                         : std::string(stmt.operands[0].literal->text);
  std::string number;
  if (stmt.operands.size() > 1 && stmt.operands[1].value != nullptr) {
    const RunValue& value = frame[stmt.operands[1].value->slot];
    char digits[64];
    if (value.Is(ValueKind::kInt)) {
      std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(value.integer()));
    } else if (value.Is(ValueKind::kFloat)) {
      std::snprintf(digits, sizeof digits, "%.9g", value.number());
    } else {
      return Fail(stmt, Rule::kUnassigned, "the value is no number");
    }
    number = digits;
  }
  const size_t from = text.find('%');
  if (from != std::string::npos) {
    const size_t end = text.find_first_of("diuxXfFeEgG", from);
    text.replace(from, end == std::string::npos ? 1 : end - from + 1, number);
  }
  for (size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) text.replace(at, 2, "\n");
  if (text.empty() || text.back() != '\n') text += '\n';
  Say(text);
  return true;
}

void Machine::PrintTile(const Stmt& stmt, const pto_tile* tile) {
  const int32_t rows = pto_tile_valid_rows(tile);
  const int32_t cols = pto_tile_valid_cols(tile);
  const std::string_view name = stmt.operands[0].name;
  Say("%" + std::string(name) + ": " + std::to_string(rows) + "x" + std::to_string(cols) + " of " +
      pto_dtype_name(pto_tile_dtype(tile)) + "\n");
  if (output_.size() >= kMaxOutputBytes) return;
  const int64_t bytes = pto_tile_valid_bytes(tile);
  if (bytes > static_cast<int64_t>(kMaxOutputBytes) * 8) {
    Say("  (too large to print)\n");
    return;
  }
  std::vector<char> data(static_cast<size_t>(bytes));
  if (pto_tile_read(ctx_, tile, data.data(), bytes) != PTO_OK) {
    Say("  (no storage)\n");
    return;
  }
  const Elem elem = ElemOf(pto_tile_dtype(tile));
  const auto size = static_cast<size_t>(pto_dtype_bytes(pto_tile_dtype(tile)));
  const char* at = data.data();
  for (int32_t r = 0; r < rows; ++r) {
    std::string line = " ";
    for (int32_t c = 0; c < cols; ++c, at += size) {
      uint64_t bits = 0;
      std::memcpy(&bits, at, size);
      const RunValue value = FromBits(elem, bits);
      char text[48];
      if (IsFloat(elem)) {
        std::snprintf(text, sizeof text, " %.9g", value.number());
      } else if (Info(elem).kind == ElemInfo::kUnsigned) {
        std::snprintf(text, sizeof text, " %llu", static_cast<unsigned long long>(bits));
      } else {
        std::snprintf(text, sizeof text, " %lld", static_cast<long long>(value.integer()));
      }
      line += text;
    }
    Say(line + "\n");
  }
}

std::string Machine::Trace() const {
  std::string out = "[";
  char number[160];
  for (const TraceEvent& event : trace_) {
    if (out.size() > 1) out += ",";
    out += "\n{\"name\": \"" + std::string(event.stmt->name) + "\", \"cat\": \"instruction\", \"ph\": \"X\", ";
    std::snprintf(number, sizeof number,
                  "\"pid\": 0, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, \"args\": {\"offset\": %u}}", event.block,
                  static_cast<double>(event.begin_ns - trace_start_ns_) / 1000,
                  static_cast<double>(event.end_ns - event.begin_ns) / 1000, event.stmt->offset);
    out += number;
  }
  return out + "\n]\n";
}

namespace {

// The values of a block and of those inside it, in the order of the text.
void ListValues(const Block& block, std::vector<const Value*>* values) {
  values->insert(values->end(), block.args.begin(), block.args.end());
  for (const Stmt* stmt : block.stmts) {
    for (const Block* inner : stmt->blocks) ListValues(*inner, values);
    values->insert(values->end(), stmt->results.begin(), stmt->results.end());
    for (const Operand& out : stmt->outs) {
      if (out.value != nullptr && out.value->origin == ValueOrigin::kDestination) values->push_back(out.value);
    }
  }
}

}  // namespace

std::vector<std::string> Machine::TileNames() const {
  std::vector<const Value*> values;
  if (entry_ == nullptr || entry_->body == nullptr) return {};
  values.insert(values.end(), entry_->args.begin(), entry_->args.end());
  ListValues(*entry_->body, &values);
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  for (const Value* value : values) {
    if (value->slot >= frame_.size() || !frame_[value->slot].Is(ValueKind::kTile)) continue;
    if (seen.insert(value->name).second) names.emplace_back(value->name);
  }
  return names;
}

pto_tile* Machine::TileOf(std::string_view name) const {
  if (entry_ == nullptr || entry_->body == nullptr) return nullptr;
  std::vector<const Value*> values(entry_->args.begin(), entry_->args.end());
  ListValues(*entry_->body, &values);
  pto_tile* tile = nullptr;
  for (const Value* value : values) {
    if (value->name != name || value->slot >= frame_.size() || !frame_[value->slot].Is(ValueKind::kTile)) continue;
    tile = frame_[value->slot].box()->tile;
  }
  return tile;
}

}  // namespace pto::ptoas
