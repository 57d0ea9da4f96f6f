// Tiles, what shares their storage, and views of global memory.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/records/attributes.h"

namespace pto::ptoas {

namespace {

// All but the valid region, and who has the storage. A fractal of 0 is the usual one.
bool SameMake(const pto_tile_desc& is, const pto_tile_desc& desc) {
  const auto what = [](const pto_tile_desc& d) {
    return std::tie(d.rows, d.cols, d.dtype, d.blayout, d.slayout, d.location, d.pad, d.pad_bits, d.compact);
  };
  return what(is) == what(desc) && (desc.fractal == 0 || is.fractal == desc.fractal);
}

}  // namespace

// ---- tiles -----------------------------------------------------------------

RunValue Machine::MakeTile(const Stmt& stmt, const pto_tile_desc& desc, TileCache* cache) {
  const bool manual = desc.storage == PTO_STORAGE_MANUAL;
  // One that was given an address has no memory of its own.
  if (cache->box != nullptr && cache->box->refs == 1 && !cache->box->moved && (manual || cache->box->address < 0)) {
    pto_tile* tile = cache->box->tile;
    if (SameMake(DescOf(tile), desc)) {
      if (pto_tile_valid_rows(tile) != desc.valid_rows || pto_tile_valid_cols(tile) != desc.valid_cols) {
        ++state_->tiles_era;
        Called(stmt, pto_tile_set_valid(ctx_, tile, desc.valid_rows, desc.valid_cols));
      }
      cache->box->Retain();
      if (options_.checker != nullptr) WatchTile(cache->box, manual);
      return RunValue::Of(ValueKind::kTile, cache->box);
    }
  }
  cache->Drop();
  RunValue made = NewTile(stmt, desc);
  cache->box = made.box();
  cache->box->Retain();
  if (!cache->listed) caches_.push_back(cache);
  cache->listed = true;
  return made;
}

RunValue Machine::NewTile(const Stmt& stmt, const pto_tile_desc& desc) {
  const bool manual = desc.storage == PTO_STORAGE_MANUAL;
  // Judged before any memory is taken: the size is known only once the geometry is.
  pto_tile_desc empty = Asked(desc);
  empty.storage = PTO_STORAGE_MANUAL;
  pto_tile* tile = pto_tile_create_from(ctx_, &empty);
  if (tile == nullptr) FailCall(stmt);
  const int64_t bytes = pto_tile_bytes(tile);
  pto_tile_release(tile);
  RunValue made = MakeBox(stmt, ValueKind::kTile, manual ? 0 : bytes);
  Work(stmt, int64_t{desc.rows} * desc.cols);
  empty.storage = desc.storage;
  made.box()->tile = pto_tile_create_from(ctx_, &empty);
  if (made.box()->tile == nullptr) FailCall(stmt);
  if (options_.checker != nullptr) WatchTile(made.box(), manual);
  return made;
}

// -1 would mean all of it to the C API, where the program has counted below zero.
void Machine::NeedExtents(const Stmt& stmt, int64_t rows, int64_t cols) {
  if (rows >= 0 && cols >= 0) return;
  Fail(stmt, Rule::kValidRange, "valid extents are %lldx%lld", static_cast<long long>(rows),
       static_cast<long long>(cols));
}

// A tile of a type. The statement or the type gives its valid extents.
pto_tile_desc Machine::AllocDesc(const Stmt& stmt, const Type& type, Frame frame) {
  int64_t rows = type.valid_row;
  int64_t cols = type.valid_col;
  const bool declared = stmt.kind == StmtKind::kDeclareTile;
  // A `?` of a tile that is only declared is all of it, until it is set.
  if (declared && rows == kDynamic) rows = type.rows();
  if (declared && cols == kDynamic) cols = type.cols();
  if (const Operand* valid = stmt["valid_row"]; valid != nullptr) rows = IntOf(stmt, *valid, frame);
  if (const Operand* valid = stmt["valid_col"]; valid != nullptr) cols = IntOf(stmt, *valid, frame);
  NeedExtents(stmt, rows, cols);
  pto_tile_desc desc{};
  if (!TileDesc(type, pto_context_profile(ctx_), rows, cols, &desc)) {
    Fail(stmt, Rule::kRunUnsupported, "a tile of %s valid in %lldx%lld is not supported", Info(type.elem).name,
         static_cast<long long>(rows), static_cast<long long>(cols));
  }
  if (stmt["addr"] != nullptr || declared) desc.storage = PTO_STORAGE_MANUAL;
  return desc;
}

void Machine::AllocTile(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Type* type = stmt.results[0]->type;
  if (type == nullptr || type->kind != TypeKind::kTile) {
    Fail(stmt, Rule::kRunUnsupported, "the tile has no type");
  }
  const Operand* const placed = stmt["addr"];
  const int64_t address = placed == nullptr ? 0 : IntOf(stmt, *placed, frame);
  const pto_tile_desc desc = AllocDesc(stmt, *type, frame);
  // The value of a round before must not keep the tile from being taken again.
  frame[node.out[0]] = RunValue();
  RunValue made = MakeTile(stmt, desc, node.made.get());
  if (placed != nullptr) Place(stmt, made.box(), address);
  frame[node.out[0]] = std::move(made);
}

// Tiles that follow each other, each from a place that is a multiple of 32 bytes.
void Machine::AllocTiles(const Stmt& stmt, Frame frame) {
  constexpr int64_t kAlign = 32;
  const Type& type = *stmt.results[0]->type;
  const Operand* const placed = stmt["addr"];
  int64_t address = placed == nullptr ? 0 : IntOf(stmt, *placed, frame);
  const pto_tile_desc desc = AllocDesc(stmt, SlotOf(type), frame);
  frame[stmt.results[0]->slot] = RunValue();
  RunValue made = MakeBox(stmt, ValueKind::kTiles, 0);
  std::vector<Box*>& tiles = made.box()->tiles;
  tiles.reserve(type.count);
  for (int i = 0; i < type.count; ++i) {
    const RunValue tile = NewTile(stmt, desc);
    tile.box()->Retain();
    tiles.push_back(tile.box());
    if (placed == nullptr) continue;
    Place(stmt, tile.box(), address);
    address += (pto_tile_bytes(tile.box()->tile) + kAlign - 1) / kAlign * kAlign;
  }
  frame[stmt.results[0]->slot] = std::move(made);
}

void Machine::MultiTileGet(const Stmt& stmt, Frame frame) {
  const std::vector<Box*>& tiles = ValueOf(stmt, *stmt["tiles"], frame, ValueKind::kTiles).box()->tiles;
  const int64_t index = IntOf(stmt, *stmt["index"], frame);
  if (index < 0 || index >= static_cast<int64_t>(tiles.size())) {
    Fail(stmt, Rule::kViewRange, "tile %lld of %zu", static_cast<long long>(index), tiles.size());
  }
  Box* box = tiles[static_cast<size_t>(index)];
  box->Retain();
  frame[stmt.results[0]->slot] = RunValue::Of(ValueKind::kTile, box);
}

template <int32_t (*extent)(const pto_tile*)>
void Machine::ValidExtent(const Stmt& stmt, Frame frame) {
  const int32_t count = extent(ValueOf(stmt, *stmt["tile"], frame, ValueKind::kTile).box()->tile);
  frame[stmt.results[0]->slot].SetInt(count);
}

void Machine::SetValidShape(const Stmt& stmt, Frame frame) {
  pto_tile* handle = ValueOf(stmt, *stmt["tile"], frame, ValueKind::kTile).box()->tile;
  const int64_t rows = IntOf(stmt, *stmt["rows"], frame);
  const int64_t cols = IntOf(stmt, *stmt["cols"], frame);
  if (rows < 0 || cols < 0 || rows > pto_tile_rows(handle) || cols > pto_tile_cols(handle)) {
    Fail(stmt, Rule::kValidRange, "%lldx%lld in a tile of %dx%d", static_cast<long long>(rows),
         static_cast<long long>(cols), pto_tile_rows(handle), pto_tile_cols(handle));
  }
  ++state_->tiles_era;
  Called(stmt, pto_tile_set_valid(ctx_, handle, static_cast<int32_t>(rows), static_cast<int32_t>(cols)));
}

void Machine::ShareTile(const Stmt& stmt, const RunValue& whole, RunValue part, Frame frame) {
  if (part.box()->tile == nullptr) FailCall(stmt);
  Box* from = whole.box();
  const auto first = [](const Box* box) { return static_cast<const char*>(pto_tile_data(box->tile)); };
  if (from->address >= 0) part.box()->address = from->address + (first(part.box()) - first(from));
  part.box()->Share(from);
  frame[stmt.results[0]->slot] = std::move(part);
}

void Machine::Retype(const Stmt& stmt, Frame frame) {
  const RunValue& source = ValueOf(stmt, *stmt["tile"], frame, ValueKind::kTile);
  const Type* type = stmt.results[0]->type;
  pto_tile* tile = source.box()->tile;
  if (type == nullptr || type->kind != TypeKind::kTile) Fail(stmt, Rule::kRunUnsupported, "the tile has no type");
  int64_t rows = 0;
  int64_t cols = 0;
  SharedValid(*type, tile, &rows, &cols);
  if (const Operand* valid = stmt["valid_row"]; valid != nullptr) {
    rows = IntOf(stmt, *valid, frame);
    cols = IntOf(stmt, *stmt["valid_col"], frame);
    NeedExtents(stmt, rows, cols);
  }
  pto_tile_desc desc{};
  if (!TileDesc(*type, pto_context_profile(ctx_), rows, cols, &desc)) {
    Fail(stmt, Rule::kRunUnsupported, "tiles of %s are not supported", Info(type->elem).name);
  }
  RunValue part = MakeBox(stmt, ValueKind::kTile, 0);
  const pto_tile_desc asked = Asked(desc);
  part.box()->tile = pto_tile_reshape(ctx_, tile, &asked);
  ShareTile(stmt, source, std::move(part), frame);
}

void Machine::Subset(const Stmt& stmt, Frame frame) {
  const RunValue& source = ValueOf(stmt, *stmt["tile"], frame, ValueKind::kTile);
  const int64_t row = IntOf(stmt, *stmt["row"], frame);
  const int64_t col = IntOf(stmt, *stmt["col"], frame);
  pto_tile* tile = source.box()->tile;
  const bool rest = stmt.sizes[0] == kDynamic;
  int64_t valid[2] = {stmt.sizes[0], stmt.sizes[1]};
  const std::span<const Operand> narrowed = stmt.All("valid");
  for (size_t i = 0; i < narrowed.size(); ++i) valid[i] = IntOf(stmt, narrowed[i], frame);
  RunValue part = MakeBox(stmt, ValueKind::kTile, 0);
  part.box()->tile =
      TilePart(ctx_, tile, row, col, rest ? nullptr : stmt.sizes.data(), stmt.Is("subview") && !rest ? valid : nullptr);
  ShareTile(stmt, source, std::move(part), frame);
}

void Machine::Place(const Stmt& stmt, Box* box, int64_t address) {
  pto_tile* tile = box->tile;
  if (options_.checker != nullptr) options_.checker->Placed();
  ++state_->tiles_era;
  Called(stmt, pto_tassign(ctx_, tile, address));
  box->address = address;
  if (pto_tile_location(tile) == PTO_LOCATION_VEC) vec_ = static_cast<const char*>(pto_tile_data(tile)) - address;
  const int64_t fresh = chip_->Use(pto_tile_location(tile), address, address + pto_tile_bytes(tile));
  if (fresh > 0) Charge(stmt, fresh);
  state_->bytes += fresh;
}

// Data that the caller bound to a name moves to the first address that a run assigns.
void Machine::Carry(const Stmt& stmt, Box* box, int64_t address) {
  pto_tile* tile = box->tile;
  if (!box->carries || pto_tile_data(tile) == nullptr) return Place(stmt, box, address);
  box->carries = false;
  const int32_t rows = pto_tile_valid_rows(tile);
  const int32_t cols = pto_tile_valid_cols(tile);
  const int64_t row_bits = int64_t{pto_tile_cols(tile)} * pto_dtype_bits(pto_tile_dtype(tile));
  const int64_t bytes = pto_tile_rows(tile) * ((row_bits + 7) / 8);
  Work(stmt, int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile));
  Charge(stmt, bytes);
  std::vector<char> data(static_cast<size_t>(bytes));
  // All elements move, valid or not.
  const auto whole = [&](auto move) {
    pto_tile_set_valid(ctx_, tile, PTO_VALID_ALL, PTO_VALID_ALL);
    const pto_status status = move(ctx_, tile, data.data(), bytes);
    pto_tile_set_valid(ctx_, tile, rows, cols);
    Called(stmt, status);
  };
  whole(pto_tile_read);
  const void* before = pto_tile_data(tile);
  Place(stmt, box, address);
  whole(pto_tile_write);
  if (options_.unset != nullptr) options_.unset->Move(before, pto_tile_data(tile));
}

// An implicit argument that nothing has made yet: the statement that writes it first makes its tile there.
bool Machine::PlaceLater(const Operand& tile, int64_t address, Frame frame) {
  const Value* value = tile.value;
  if (value == nullptr || value->origin != ValueOrigin::kImplicit || !value->written_first) return false;
  if (!frame[value->slot].Is(ValueKind::kNone)) return false;
  places_[value] = address;
  return true;
}

void Machine::Tassign(const Stmt& stmt, Frame frame) {
  const Operand& tile = *stmt["tile"];
  const int64_t address = IntOf(stmt, *stmt["addr"], frame);
  if (stmt.results.empty() && PlaceLater(tile, address, frame)) return;
  const RunValue same = ValueOf(stmt, tile, frame, ValueKind::kTile);
  Carry(stmt, same.box(), address);
  same.box()->moved = true;
  if (!stmt.results.empty()) frame[stmt.results[0]->slot] = same;
}

// Scales lie at a sixteenth of the address of their matrix, in memory of their own. Where the matrix has no address
// they keep their memory: here products have their scales as operands.
void Machine::ScaleAddr(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Operand& out = stmt.outs[0];
  const Box* matrix = ValueOf(stmt, stmt.operands[0], frame, ValueKind::kTile).box();
  const int64_t address = matrix->address < 0 ? -1 : matrix->address / 16;
  const auto loc = static_cast<Loc>(pto_tile_location(matrix->tile));
  if (loc != Loc::kLeft && loc != Loc::kRight) Fail(stmt, Rule::kLocationMatrix, "the matrix is in %s", NameOf(loc));
  if (out.value->def == &stmt) {
    MakeScales(node, address, frame);
  } else if (address >= 0 ? PlaceLater(out, address, frame) : frame[out.value->slot].Is(ValueKind::kNone)) {
    return;
  }
  Box* scales = ValueOf(stmt, out, frame, ValueKind::kTile).box();
  const auto theirs = static_cast<Loc>(pto_tile_location(scales->tile));
  if (theirs != (loc == Loc::kLeft ? Loc::kScaleLeft : Loc::kScaleRight)) {
    Fail(stmt, Rule::kLocationMatrix, "the matrix is in %s and its scales in %s", NameOf(loc), NameOf(theirs));
  }
  if (address < 0 || out.value->def == &stmt) return;
  Carry(stmt, scales, address);
  scales->moved = true;
}

// `%scales = pto.tget_scale_addr %matrix : ...` of a new name, in a function.
void Machine::MakeScales(Node& node, int64_t address, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Value& value = *stmt.outs[0].value;
  const Type* type = value.type;
  pto_tile_desc desc{};
  if (type == nullptr || type->kind != TypeKind::kTile || type->valid_row == kDynamic || type->valid_col == kDynamic ||
      !TileDesc(*type, pto_context_profile(ctx_), type->valid_row, type->valid_col, &desc)) {
    Fail(stmt, Rule::kUnassigned, "the size of the destination is unknown");
  }
  places_.erase(&value);
  if (address >= 0) places_[&value] = address;
  Settle(stmt, value, desc, node.made.get(), frame);
}

// ---- views of global memory ------------------------------------------------

RunValue Machine::View(const Stmt& stmt, const RunValue& base, const pto_tensor_desc& desc, int64_t offset) {
  if (base.box()->tensor == nullptr) Fail(stmt, Rule::kUnassigned, "the pointer is into on-chip memory");
  RunValue view = MakeBox(stmt, ValueKind::kTensor, 0);
  view.box()->tensor = pto_tensor_view(ctx_, base.box()->tensor, &desc, offset);
  if (view.box()->tensor == nullptr) {
    // The tensor is too small. The box of a binding follows it through calls and pointer arithmetic.
    for (size_t i = 0; i < bound_.size() && pto_context_error(ctx_) == PTO_ERROR_ADDRESS; ++i) {
      if (bound_[i] != nullptr && bound_[i]->value.box() == base.box())
        state_->argument_at_fault = entry_->args[i]->name;
    }
    FailCall(stmt);
  }
  return view;
}

void Machine::MakeView(const Stmt& stmt, Frame frame) {
  const Operand* const view = stmt["view"];  // of memref.reinterpret_cast
  const RunValue& base = view == nullptr ? ValueOf(stmt, *stmt["ptr"], frame, ValueKind::kPtr)
                                         : ValueOf(stmt, *view, frame, ValueKind::kTensor);
  const std::span<const Operand> shape = stmt.All("shape");
  const std::span<const Operand> steps = stmt.All("strides");
  const size_t rank = shape.size();
  int64_t dims[5] = {};
  int64_t strides[5] = {};
  if (rank < 1 || rank > 5 || steps.size() != rank) {
    Fail(stmt, Rule::kTensorRank, "a view of %zu dimensions", rank);
  }
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = IntOf(stmt, shape[i], frame);
    strides[i] = IntOf(stmt, steps[i], frame);
  }
  const pto_tensor_desc desc =
      ViewDesc(pto_tensor_dtype(base.box()->tensor), stmt, static_cast<int>(rank), dims, strides);
  const int64_t offset = view == nullptr ? base.integer() : IntOf(stmt, *stmt["offset"], frame);
  frame[stmt.results[0]->slot] = View(stmt, base, desc, offset);
}

void Machine::PartitionView(const Stmt& stmt, Frame frame) {
  const RunValue& base = ValueOf(stmt, *stmt["view"], frame, ValueKind::kTensor);
  const std::span<const Operand> offsets = stmt.All("offsets");
  const std::span<const Operand> sizes = stmt.All("sizes");
  pto_tensor* tensor = base.box()->tensor;
  const auto rank = static_cast<size_t>(pto_tensor_rank(tensor));
  if (offsets.size() != rank || sizes.size() != rank) {
    Fail(stmt, Rule::kWindow, "%zu offsets into a view of %zu dimensions", offsets.size(), rank);
  }
  int64_t at[5] = {};
  int64_t extents[5] = {};
  for (size_t i = 0; i < rank; ++i) {
    at[i] = IntOf(stmt, offsets[i], frame);
    extents[i] = IntOf(stmt, sizes[i], frame);
  }
  ViewPart part{};
  std::string why;
  if (!ViewPartOf(tensor, at, extents, &part, &why)) Fail(stmt, Rule::kWindow, "%s", why.c_str());
  frame[stmt.results[0]->slot] = View(stmt, base, part.desc, part.offset);
}

template <int64_t (*number)(const pto_tensor*, int32_t)>
void Machine::ViewNumber(const Stmt& stmt, Frame frame) {
  const pto_tensor* view = ValueOf(stmt, *stmt["view"], frame, ValueKind::kTensor).box()->tensor;
  const int64_t dim = IntOf(stmt, *stmt["dim"], frame);
  if (dim < 0 || dim >= pto_tensor_rank(view)) {
    Fail(stmt, Rule::kWindow, "dimension %lld of a view of %d", static_cast<long long>(dim), pto_tensor_rank(view));
  }
  frame[stmt.results[0]->slot].SetInt(number(view, static_cast<int32_t>(dim)));
}

void Machine::AddressOf(const Stmt& stmt, Frame frame) {
  const Operand* tile = stmt["tile"];
  Box* box = tile != nullptr ? ValueOf(stmt, *tile, frame, ValueKind::kTile).box()
                             : ValueOf(stmt, *stmt["view"], frame, ValueKind::kTensor).box();
  box->Retain();
  const bool whole = stmt.types[0]->kind == TypeKind::kTile;  // written as a memref
  frame[stmt.results[0]->slot] = RunValue::Of(whole ? ValueKind::kTile : ValueKind::kPtr, box);
}

void Machine::AddPtr(const Stmt& stmt, Frame frame) {
  const Operand& pointer = *stmt["ptr"];
  auto offset = static_cast<uint64_t>(IntOf(stmt, *stmt["offset"], frame));
  const bool bytes = pointer.value != nullptr && frame[pointer.value->slot].Is(ValueKind::kAddress);
  if (stmt.types[0]->LanesAt() != 0) offset *= static_cast<uint64_t>(stmt.types[0]->LanesAt());
  if (bytes) offset *= static_cast<uint64_t>(BytesOf(stmt.types[0]->elem));
  const RunValue& base = ValueOf(stmt, pointer, frame, bytes ? ValueKind::kAddress : ValueKind::kPtr);
  base.box()->Retain();
  const auto sum = static_cast<int64_t>(static_cast<uint64_t>(base.integer()) + offset);
  frame[stmt.results[0]->slot] = RunValue::Of(base.kind(), base.box(), sum);
}

static constexpr RunRow kTileRows[] = {
    {"addptr", Do<&Machine::AddPtr>},
    {"alloc_multi_tile", Do<&Machine::AllocTiles>},
    {"alloc_tile", Do<&Machine::AllocTile>},
    {"bind_tile", Do<&Machine::Retype>},
    {"bitcast", Do<&Machine::Retype>},
    {"declare_tile", Do<&Machine::AllocTile>},
    {"declare_tile_memref", Do<&Machine::AllocTile>},
    {"get_scale_addr", Do<&Machine::ScaleAddr>},
    {"get_tensor_view_dim", Do<&Machine::ViewNumber<pto_tensor_dim>>},
    {"get_tensor_view_stride", Do<&Machine::ViewNumber<pto_tensor_stride>>},
    {"make_tensor_view", Do<&Machine::MakeView>},
    {"memref.reinterpret_cast", Do<&Machine::MakeView>},
    {"materialize_tile", Do<&Machine::Retype>},
    {"multi_tile_get", Do<&Machine::MultiTileGet>},
    {"partition_view", Do<&Machine::PartitionView>},
    {"pointer_cast", Do<&Machine::AllocTile>},
    {"set_validshape", Do<&Machine::SetValidShape>},
    {"subset", Do<&Machine::Subset>},
    {"subview", Do<&Machine::Subset>},
    {"tassign", Do<&Machine::Tassign>},
    {"tensor_view_addr", Do<&Machine::AddressOf>},
    {"tget_scale_addr", Do<&Machine::ScaleAddr>},
    {"tile_buf_addr", Do<&Machine::AddressOf>},
    {"tile_valid_cols", Do<&Machine::ValidExtent<pto_tile_valid_cols>>},
    {"tile_valid_rows", Do<&Machine::ValidExtent<pto_tile_valid_rows>>},
    {"treshape", Do<&Machine::Retype>},
};
const RunRows kTileRuns = kTileRows;

}  // namespace pto::ptoas
