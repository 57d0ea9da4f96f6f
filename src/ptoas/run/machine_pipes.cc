// Between the cores of a block: tiles through pipes, slots in global memory, flags.
#include <algorithm>
#include <cstring>

#include "src/ptoas/run/codes.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/tile_desc.h"

namespace pto::ptoas {

namespace {

// Numbers of pipes: of statements without a handle, by their id; and of handles, by flag_base or in the order
// in which they are made.
constexpr int64_t kByOrder = int64_t{1} << 40;
constexpr int64_t kByFlag = int64_t{2} << 40;

constexpr int64_t kToVector = 1;
constexpr int64_t kToCube = 2;

// How a tile is split between two vector cores.
enum Split : int64_t { kWhole, kRows, kColumns, kRowsOdd, kColumnsOdd };

// A part of a tile, of what is valid there.
struct Part {
  int64_t row;
  int64_t col;
  int64_t rows;
  int64_t cols;
};

// A pop is a load, on this pipe.
constexpr unsigned kLoads = 1U << PTO_PIPE_MTE2;

// By allocated rows and columns: the second half begins at the same place whatever is valid.
Part PartOf(const pto_tile* tile, int64_t split, int32_t lane) {
  const int64_t rows = pto_tile_rows(tile);
  const int64_t cols = pto_tile_cols(tile);
  const bool by_rows = split == kRows || split == kRowsOdd;
  const int64_t half = ((by_rows ? rows : cols) + 1) / 2;
  Part part = {0, 0, rows, cols};
  if (split != kWhole) {
    (by_rows ? part.row : part.col) = lane * half;
    (by_rows ? part.rows : part.cols) = lane == 0 ? half : (by_rows ? rows : cols) - half;
  }
  part.rows = std::clamp<int64_t>(pto_tile_valid_rows(tile) - part.row, 0, part.rows);
  part.cols = std::clamp<int64_t>(pto_tile_valid_cols(tile) - part.col, 0, part.cols);
  return part;
}

const char* DirectionsOf(int64_t mask) {
  return mask == kToVector ? "to the vector cores" : mask == kToCube ? "to the cube core" : "both ways";
}

int64_t BytesOf(const pto_tile* tile) {
  return int64_t{pto_tile_rows(tile)} * pto_tile_cols(tile) * pto_dtype_bits(pto_tile_dtype(tile)) / 8;
}

}  // namespace

Flow Machine::WaitFor(Wait::Need need, int32_t lane, int64_t number) {
  wait_ = {need, core_, number};
  wait_.from.kind = core_.kind == CoreKind::kCube ? CoreKind::kVector : CoreKind::kCube;
  wait_.from.lane = core_.kind == CoreKind::kCube ? lane : 0;
  return Flow::kWait;
}

// With a seed cores and ranks take turns in any order, also where none has to.
bool Machine::GivesTurn() {
  if (options_.seed == 0 || waits_ || (state_->random() >> 8) % 2 == 0) return false;
  wait_ = {};
  if (options_.world != nullptr) wait_.need = Wait::Need::kOthers;
  return true;
}

void Machine::NeedCore(const Node& node) {
  const Stmt& stmt = *node.stmt;
  if (core_.kind != CoreKind::kAny && core_.Runs(node.pipe->side)) return;
  Fail(stmt, Rule::kCoreKind, "%.*s is not for %s", static_cast<int>(stmt.name.size()), stmt.name.data(),
       core_.kind == CoreKind::kAny ? "code of no kind of core" : core_.Name().c_str());
}

// Checks the use of a pipe: it is made on this core, and has that direction.
Flow Machine::UsePipe(Node& node, Frame frame, Flow (Machine::*use)(Node&, Pipe&, Frame)) {
  const Stmt& stmt = *node.stmt;
  NeedCore(node);
  if (GivesTurn()) return Flow::kWait;
  Pipe& pipe = state_->exchange.PipeOf(NumberOf(node, frame));
  if (pipe.ends[core_.kind == CoreKind::kCube ? 0 : 1].stmt == nullptr) {
    Fail(stmt, Rule::kPipeOrder, "%s did not make the pipe yet", core_.Name().c_str());
  }
  const bool sends = stmt.kind == StmtKind::kPush || stmt.kind == StmtKind::kAllocSlot;
  const int64_t direction = sends == (core_.kind == CoreKind::kCube) ? kToVector : kToCube;
  if ((pipe.Said().directions & direction) == 0) {
    Fail(stmt, Rule::kPipeSides, "the pipe works %s only", DirectionsOf(pipe.Said().directions));
  }
  if (pipe.Said().nosplit && node.pipe->split != kWhole) {
    Fail(stmt, Rule::kPipeSides, "split is %lld where the pipe has nosplit = true",
         static_cast<long long>(node.pipe->split));
  }
  return (this->*use)(node, pipe, frame);
}

// ---- pipes -----------------------------------------------------------------

void Machine::Reserve(const Stmt& stmt, Frame frame) {
  const Attr* name = FindAttr(stmt.attrs, "name");
  const bool own = stmt.kind == StmtKind::kReserveBuffer;
  const Func* func = own ? calls_.back().code->func : stmt.callee;
  int64_t address = 0;
  FindBuffer(*func, name->text, &address);  // there is one: the verifier has seen it
  frame[stmt.results[0]->slot].SetInt(address);
}

void Machine::MakePipe(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  NeedCore(node);
  const bool handle = node.pipe->side == CoreKind::kAny;
  int64_t number = node.pipe->number;
  if (handle) {
    const int64_t base = IntAttr(stmt, "flag_base", -1);
    number = base >= 0 ? kByFlag + base : kByOrder + pipes_made_++;
    frame[node.out[0]].SetInt(number);
  }
  PipeEnd end;
  static_cast<PipeShape&>(end) = PipeShapeOf(stmt);
  end.stmt = &stmt;
  Pipe& pipe = state_->exchange.PipeOf(number);
  for (const PipeEnd& other : pipe.ends) {
    if (other.stmt == nullptr) continue;
    if (other.nosplit != end.nosplit) {
      Fail(stmt, Rule::kPipeSides, "nosplit is %s where another core has %s", end.nosplit ? "true" : "false",
           other.nosplit ? "true" : "false");
    }
    if (other.directions == end.directions && other.slot_bytes == end.slot_bytes && other.slots == end.slots) continue;
    Fail(stmt, Rule::kPipeSides, "%lld slots of %lld bytes, %s, where another core has %lld of %lld, %s",
         static_cast<long long>(end.slots), static_cast<long long>(end.slot_bytes), DirectionsOf(end.directions),
         static_cast<long long>(other.slots), static_cast<long long>(other.slot_bytes), DirectionsOf(other.directions));
  }
  pipe.ends[core_.kind == CoreKind::kCube ? 0 : 1] = end;
  const Operand* memory = stmt["gm_slot_buffer"];
  if (memory == nullptr) memory = stmt["gm_slot_tensor"];
  if (memory == nullptr || memory->value == nullptr) return;
  const RunValue& slots = frame[memory->value->slot];
  slots_[number] = slots.Is(ValueKind::kTensor) ? FirstSlot(stmt, slots.box()) : slots;
}

// A view of one slot: the others follow it in memory.
RunValue Machine::FirstSlot(const Stmt& stmt, Box* box) {
  const pto_tensor* tensor = box->tensor;
  int64_t dense = 1;
  for (int32_t i = pto_tensor_rank(tensor) - 1; i >= 0; --i) {
    if (pto_tensor_dim(tensor, i) != 1 && pto_tensor_stride(tensor, i) != dense) {
      Fail(stmt, Rule::kPipeSlot, "the view of a slot has gaps: the stride of dimension %d is %lld, not %lld", i,
           static_cast<long long>(pto_tensor_stride(tensor, i)), static_cast<long long>(dense));
    }
    dense *= pto_tensor_dim(tensor, i);
  }
  box->Retain();
  return RunValue::Of(ValueKind::kPtr, box);
}

// The view of a slot that a statement makes, or that declare_global has made; nullptr: it is about a tile.
static const Value* SlotOf(const Stmt& stmt) {
  const Operand* declared = stmt.kind == StmtKind::kPop ? stmt["tile"] : stmt["slot"];
  const Value* value = !stmt.results.empty() ? stmt.results[0] : declared == nullptr ? nullptr : declared->value;
  return value != nullptr && value->type != nullptr && value->type->IsView() ? value : nullptr;
}

int64_t Machine::NumberOf(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Operand* pipe = stmt["pipe"];
  return pipe == nullptr ? node.pipe->number : ValueOf(stmt, *pipe, frame, ValueKind::kInt).integer();
}

// Without a split, data moves between the cube core and the first vector core.
Machine::Lanes Machine::LanesOf(const Node& node) const {
  const bool split = node.pipe->split != kWhole;
  if (core_.kind == CoreKind::kCube) return {0, split ? core_.lanes : 1};
  if (split) return {core_.lane, core_.lane + 1};
  return {0, core_.lane == 0 ? 1 : 0};
}

Flow Machine::Push(Node& node, Pipe& pipe, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const bool to_cube = core_.kind == CoreKind::kVector;
  const Lanes lanes = LanesOf(node);
  const Operand& pushed = *stmt["what"];
  const RunValue& what = frame[pushed.value->slot];
  const bool slot = what.Is(ValueKind::kTensor);
  if (!slot) ValueOf(stmt, pushed, frame, ValueKind::kTile);
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    Channel& channel = ChannelOf(pipe, to_cube, lane);
    if (slot != (channel.taken > channel.pushed)) {
      Fail(stmt, Rule::kPipeOrder, slot ? "no slot was allocated" : "a slot was allocated and not pushed yet");
    }
    if (slot && pto_tensor_data(what.box()->tensor) != channel.allocated.front()) {
      Fail(stmt, Rule::kPipeOrder, "what is pushed is not the slot that was allocated first");
    }
    if (!slot && pipe.Full(channel)) return WaitFor(Wait::Need::kSpace, lane, pipe.Said().slots);
  }
  if (!slot) {
    PushTile(node, pipe, what.box());
    return Flow::kNext;
  }
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    Channel& channel = ChannelOf(pipe, to_cube, lane);
    channel.allocated.pop_front();
    Parcel& parcel = channel.parcels.emplace_back();
    parcel.stmt = &stmt;
    parcel.split = node.pipe->split;
    parcel.slot = channel.pushed++;
    Tell(stmt, &channel.parcels, StorePipes());
  }
  return Flow::kNext;
}

// The pipes that store: what they did to a slot in global memory is done when it is pushed, and begins when it is
// taken.
unsigned Machine::StorePipes() const {
  return 1U << PTO_PIPE_MTE3 | (core_.kind == CoreKind::kCube ? 1U << PTO_PIPE_FIX : 0U);
}

void Machine::TakeSlot(const Pipe& pipe, Channel& channel) {
  if (pipe.Told(channel)) Hear(&channel.freed, StorePipes());
  ++channel.taken;
}

void Machine::PushTile(Node& node, Pipe& pipe, const Box* box) {
  const Stmt& stmt = *node.stmt;
  pto_tile* tile = box->tile;
  const int64_t split = node.pipe->split;
  const bool to_cube = core_.kind == CoreKind::kVector;
  const bool cuts = !to_cube && split != kWhole;
  if (BytesOf(tile) > pipe.Said().slot_bytes) {
    Fail(stmt, Rule::kPipeSlot, "a tile of %lld bytes is pushed into slots of %lld",
         static_cast<long long>(BytesOf(tile)), static_cast<long long>(pipe.Said().slot_bytes));
  }
  const int32_t extent = split == kRows ? pto_tile_rows(tile) : pto_tile_cols(tile);
  if (cuts && (split == kRows || split == kColumns) && extent % 2 != 0) {
    Fail(stmt, Rule::kPipeSlot, "%d %s have no halves", extent, split == kRows ? "rows" : "columns");
  }
  const int64_t cols = pto_tile_valid_cols(tile);
  const int64_t bytes = pto_tile_valid_bytes(tile);
  const int64_t size = pto_dtype_bytes(pto_tile_dtype(tile));
  Work(stmt, int64_t{pto_tile_valid_rows(tile)} * cols);
  Charge(stmt, 2 * bytes);
  std::vector<char> data(static_cast<size_t>(bytes));
  Called(stmt, pto_tile_read(ctx_, tile, data.data(), bytes));
  SpreadCodes(pto_tile_dtype(tile), pto_tile_valid_rows(tile), cols, &data);
  // A store.
  const pto_pipe stores = pto_tile_location(tile) == PTO_LOCATION_ACC ? PTO_PIPE_FIX : PTO_PIPE_MTE3;
  if (options_.checker != nullptr) WatchPassed(stmt, stmt["what"]->name, box, stores, sync::Use::kRead);
  const Lanes lanes = LanesOf(node);
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    const Part part = PartOf(tile, cuts ? split : kWhole, lane);
    Channel& channel = ChannelOf(pipe, to_cube, lane);
    Parcel& parcel = channel.parcels.emplace_back();
    parcel.stmt = &stmt;
    parcel.split = split;
    parcel.dtype = pto_tile_dtype(tile);
    parcel.rows = part.rows;
    parcel.cols = part.cols;
    for (int64_t r = 0; r < part.rows; ++r) {
      const char* row = data.data() + ((part.row + r) * cols + part.col) * size;
      parcel.data.insert(parcel.data.end(), row, row + part.cols * size);
    }
    state_->bytes += static_cast<int64_t>(parcel.data.size());
    TakeSlot(pipe, channel);
    ++channel.pushed;
    Tell(stmt, &channel.parcels, 1U << stores);
  }
}

Flow Machine::Pop(Node& node, Pipe& pipe, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const bool to_cube = core_.kind == CoreKind::kCube;
  const Lanes lanes = LanesOf(node);
  const Value* const view = SlotOf(stmt);
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    const Channel& channel = ChannelOf(pipe, to_cube, lane);
    if (channel.parcels.empty()) return WaitFor(Wait::Need::kParcel, lane, 0);
    if (const int64_t split = channel.parcels.front().split; split != node.pipe->split) {
      Fail(stmt, Rule::kPipeSides, "popped with split %lld what was pushed with split %lld",
           static_cast<long long>(node.pipe->split), static_cast<long long>(split));
    }
    if ((view != nullptr) == (channel.parcels.front().slot >= 0)) continue;
    Fail(stmt, Rule::kPipeTile, view != nullptr ? "a tile was pushed, and no slot" : "a slot was pushed, and no tile");
  }
  if (view == nullptr) {
    PopTile(node, pipe, Popped(node, frame));
    return Flow::kNext;
  }
  int64_t index = 0;
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    Channel& channel = ChannelOf(pipe, to_cube, lane);
    index = channel.popped++;
    channel.parcels.pop_front();
    Hear(&channel.parcels, kLoads);
  }
  frame[view->slot] = SlotView(node, NumberOf(node, frame), pipe, to_cube, index);
  return Flow::kNext;
}

// The tile that is popped into: one that the statement makes, or names. That one may be declared only.
Box* Machine::Popped(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const bool makes = !stmt.results.empty();
  if (makes) {
    const Type& type = *stmt.results[0]->type;
    const bool given = stmt["valid_row"] != nullptr;
    const int64_t rows = given ? IntOf(stmt, *stmt["valid_row"], frame) : type.valid_row;
    const int64_t cols = given ? IntOf(stmt, *stmt["valid_col"], frame) : type.valid_col;
    NeedExtents(stmt, rows == kDynamic ? type.rows() : rows, cols == kDynamic ? type.cols() : cols);
    pto_tile_desc desc{};
    if (!TileDesc(type, pto_context_profile(ctx_), rows == kDynamic ? type.rows() : rows,
                  cols == kDynamic ? type.cols() : cols, &desc)) {
      Fail(stmt, Rule::kRunUnsupported, "a tile of %s is not supported", Info(type.elem).name);
    }
    frame[node.out[0]] = RunValue();
    frame[node.out[0]] = MakeTile(stmt, desc, &node.pipe->made);
    return frame[node.out[0]].box();
  }
  Box* box = ValueOf(stmt, *stmt["tile"], frame, ValueKind::kTile).box();
  if (pto_tile_data(box->tile) != nullptr || pto_tile_bytes(box->tile) == 0) return box;
  // Declared: it gets memory with what it receives.
  pto_tile_desc desc = DescOf(box->tile);
  desc.storage = PTO_STORAGE_OWNED;
  const int64_t bytes = pto_tile_bytes(box->tile);
  Charge(stmt, bytes);
  pto_tile* tile = pto_tile_create_from(ctx_, &desc);
  if (tile == nullptr) FailCall(stmt);
  pto_tile_release(box->tile);
  box->tile = tile;
  box->moved = true;
  box->bytes += bytes;
  state_->bytes += bytes;
  ++state_->tiles_era;
  return box;
}

void Machine::PopTile(Node& node, Pipe& pipe, const Box* box) {
  const Stmt& stmt = *node.stmt;
  pto_tile* tile = box->tile;
  const bool to_cube = core_.kind == CoreKind::kCube;
  const int64_t split = to_cube ? node.pipe->split : int64_t{kWhole};
  const int64_t cols = pto_tile_valid_cols(tile);
  const int64_t bytes = pto_tile_valid_bytes(tile);
  const int64_t size = pto_dtype_bytes(pto_tile_dtype(tile));
  Work(stmt, int64_t{pto_tile_valid_rows(tile)} * cols);
  Charge(stmt, bytes);
  // The vector core that has no part in a whole tile gets zeros.
  std::vector<char> data(static_cast<size_t>(pto_tile_valid_rows(tile) * cols * size));
  const Lanes lanes = LanesOf(node);
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    const Part part = PartOf(tile, split, lane);
    const Parcel& parcel = ChannelOf(pipe, to_cube, lane).parcels.front();
    if (parcel.dtype != pto_tile_dtype(tile) || parcel.rows < part.rows || parcel.cols < part.cols) {
      Fail(stmt, Rule::kPipeTile, "%lldx%lld of %s were pushed and %lldx%lld of %s are popped",
           static_cast<long long>(parcel.rows), static_cast<long long>(parcel.cols), pto_dtype_name(parcel.dtype),
           static_cast<long long>(part.rows), static_cast<long long>(part.cols), pto_dtype_name(pto_tile_dtype(tile)));
    }
    for (int64_t r = 0; r < part.rows; ++r) {
      std::memcpy(data.data() + ((part.row + r) * cols + part.col) * size, parcel.data.data() + r * parcel.cols * size,
                  static_cast<size_t>(part.cols * size));
    }
  }
  JoinCodes(pto_tile_dtype(tile), pto_tile_valid_rows(tile), cols, &data);
  Called(stmt, pto_tile_write(ctx_, tile, data.data(), bytes));
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    Channel& channel = ChannelOf(pipe, to_cube, lane);
    state_->bytes -= static_cast<int64_t>(channel.parcels.front().data.size());
    channel.parcels.pop_front();
    ++channel.popped;
    Hear(&channel.parcels, kLoads);
  }
  if (options_.checker == nullptr) return;
  const std::string_view name = stmt.results.empty() ? stmt["tile"]->name : stmt.results[0]->name;
  WatchPassed(stmt, name, box, PTO_PIPE_MTE2, sync::Use::kWrite);
}

Flow Machine::Free(Node& node, Pipe& pipe, Frame) {
  const bool to_cube = core_.kind == CoreKind::kCube;
  const Lanes lanes = LanesOf(node);
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    Channel& channel = ChannelOf(pipe, to_cube, lane);
    if (channel.freed == channel.popped) {
      Fail(*node.stmt, Rule::kPipeOrder, "%lld were popped, and all of them are free again",
           static_cast<long long>(channel.popped));
    }
    if (++channel.freed % pipe.Period() == 0) Tell(*node.stmt, &channel.freed, kLoads);
  }
  return Flow::kNext;
}

// ---- slots in global memory ------------------------------------------------

Flow Machine::AllocSlot(Node& node, Pipe& pipe, Frame frame) {
  const bool to_cube = core_.kind == CoreKind::kVector;
  const Lanes lanes = LanesOf(node);
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    if (pipe.Full(ChannelOf(pipe, to_cube, lane))) return WaitFor(Wait::Need::kSpace, lane, pipe.Said().slots);
  }
  int64_t index = 0;
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    Channel& channel = ChannelOf(pipe, to_cube, lane);
    index = channel.taken;
    TakeSlot(pipe, channel);
  }
  RunValue& view = frame[SlotOf(*node.stmt)->slot];
  view = SlotView(node, NumberOf(node, frame), pipe, to_cube, index);
  const void* const begin = pto_tensor_data(view.box()->tensor);
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) ChannelOf(pipe, to_cube, lane).allocated.push_back(begin);
  return Flow::kNext;
}

// The slot, or the half of it that is this vector core's.
RunValue Machine::SlotView(Node& node, int64_t number, const Pipe& pipe, bool to_cube, int64_t index) {
  const Stmt& stmt = *node.stmt;
  const Type& type = *SlotOf(stmt)->type;
  const auto memory = slots_.find(number);
  if (memory == slots_.end() || !memory->second.Is(ValueKind::kPtr)) {
    Fail(stmt, Rule::kPipeOrder, "the pipe was made without slots in global memory");
  }
  const Lanes lanes = LanesOf(node);
  if (lanes.begin == lanes.end) {
    Fail(stmt, Rule::kCoreKind, "%s has no part of a slot that is not split", core_.Name().c_str());
  }
  const PipeEnd& said = pipe.Said();
  const int64_t split = node.pipe->split;
  const bool half = core_.kind == CoreKind::kVector && split != kWhole;
  const bool by_cols = half && (split == kColumns || split == kColumnsOdd);
  const int rank = type.rank;
  int64_t dims[5] = {};
  int64_t strides[5] = {};
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    dims[i] = type.dims[i];
    strides[i] = stride;
    stride *= dims[i] * (by_cols && i == rank - 1 ? 2 : 1);
  }
  const pto_dtype dtype = pto_tensor_dtype(memory->second.box()->tensor);
  const int64_t bits = pto_dtype_bits(dtype);
  const int64_t all = half && !by_cols ? 2 * stride : stride;
  if (!DTypeAgrees(type.elem, dtype)) {
    Fail(stmt, Rule::kPipeTile, "slots of %s are seen as %s", pto_dtype_name(dtype), Info(type.elem).name);
  }
  if (all * bits > said.slot_bytes * 8 || said.slot_bytes * 8 % bits != 0) {
    Fail(stmt, Rule::kPipeSlot, "%lld bytes in slots of %lld", static_cast<long long>((all * bits + 7) / 8),
         static_cast<long long>(said.slot_bytes));
  }
  const bool second = to_cube && said.directions == (kToVector | kToCube);
  int64_t at = ((second ? said.slots : 0) + index % said.slots) * (said.slot_bytes * 8 / bits);
  if (half) at += core_.lane * (by_cols ? dims[rank - 1] : stride);
  const pto_tensor_desc desc = TensorDesc(dtype, PTO_LAYOUT_ND, rank, dims, strides);
  return View(stmt, memory->second, desc, memory->second.integer() + at);
}

// ---- flags -----------------------------------------------------------------

// Between the cores of one kind, by `ffts_mode`: of all blocks, or the vector cores of a block. A flag of neither kind
// is between the cube core and the vector cores: one of the cube core is for all of these, and it waits for all of
// them; where flags name vector cores, those from 16 on belong to the second vector core, and the others to the first.
constexpr int64_t kAmongBlocks = 0;  // 1: among vector cores
constexpr int64_t kBetweenKinds = 2;

// Whether flags of the cube core are for one vector core each.
bool Machine::NamesLanes() const {
  return core_.kind == CoreKind::kCube && (core_.below || kProfiles[pto_context_profile(ctx_)].flags_by_vector_core);
}

int64_t Machine::FlagOf(const Stmt& stmt, Frame frame) {
  if (core_.kind == CoreKind::kAny) {
    Fail(stmt, Rule::kCoreKind, "%.*s is not for code of no kind of core", static_cast<int>(stmt.name.size()),
         stmt.name.data());
  }
  const int64_t id = IntOf(stmt, *stmt["flag"], frame);
  const bool all = NamesLanes();
  const int64_t end = all ? core_.lanes * Exchange::kFlags : Exchange::kFlags;
  if (id < 0 || id >= end) {
    Fail(stmt, Rule::kCoreFlag, "flag %lld where there are 0 to %lld", static_cast<long long>(id),
         static_cast<long long>(end - 1));
  }
  return id;
}

Flow Machine::CoreSync(const Stmt& stmt, Frame frame) {
  const int64_t id = FlagOf(stmt, frame);
  if (GivesTurn()) return Flow::kWait;
  const bool set = stmt.kind == StmtKind::kCoreSet;
  const int64_t mode = IntAttr(stmt, "ffts_mode", kBetweenKinds);
  if (set && mode != kBetweenKinds) {
    Meet(stmt, mode == kAmongBlocks, id);
    return Flow::kNext;
  }
  // A wait is for whatever sets the flag: cores of its kind, once it has set it itself. No cube core is beside another.
  for (const bool blocks : {true, false}) {
    if (!blocks && core_.kind == CoreKind::kCube) break;
    int64_t member = 0;
    Meeting& meeting = MeetingOf(blocks, &member);
    if (set || meeting.Ahead(member, id) == 0) continue;
    const int64_t missing = meeting.Missing(member, id);
    if (missing < 0) {
      TakeMeeting(stmt, blocks, id);
      return Flow::kNext;
    }
    const int64_t lanes = core_.kind == CoreKind::kCube ? 1 : core_.lanes;
    wait_ = {Wait::Need::kFlag, core_, id};
    wait_.from.lane = static_cast<int32_t>(missing % lanes);
    if (blocks) wait_.block = state_->meetings->first + static_cast<int32_t>(missing / lanes);
    return Flow::kWait;
  }
  const bool cube = core_.kind == CoreKind::kCube;
  const int64_t flag = id % Exchange::kFlags;
  Lanes lanes = {0, core_.lanes};
  if (!cube) lanes = {core_.lane, core_.lane + 1};
  if (NamesLanes()) {
    lanes.begin = static_cast<int32_t>(id / Exchange::kFlags);
    lanes.end = lanes.begin + 1;
  }
  const bool to_cube = set != cube;
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    const int64_t count = state_->exchange.Flag(to_cube, lane, flag);
    if (!set && count == 0) return WaitFor(Wait::Need::kFlag, lane, id);
    if (set) NeedRoom(stmt, id, count);
  }
  for (int32_t lane = lanes.begin; lane < lanes.end; ++lane) {
    int64_t& count = state_->exchange.Flag(to_cube, lane, flag);
    count += set ? 1 : -1;
    PassFlag(stmt, id, &count, set);
  }
  return Flow::kNext;
}

// All cores of a kind, in all blocks, wait here for each other; what they wrote is not told to anyone. At a soft
// syncall the first cores do; it gives their number.
Flow Machine::SyncAll(const Stmt& stmt, Frame frame) {
  constexpr int64_t kOnlyFlag = 0;
  const std::string_view kind = FindAttr(stmt.attrs, "core_type")->text;
  const bool mix = SameWord(kind, "mix");
  const CoreKind wanted = mix ? CoreKind::kAny : SameWord(kind, "aic_only") ? CoreKind::kCube : CoreKind::kVector;
  if (!core_.Runs(wanted)) return Flow::kNext;
  // A block has one core, or a cube core and then vector cores.
  Meetings& meetings = *state_->meetings;
  const int64_t begin = core_.alone || wanted != CoreKind::kVector ? 0 : 1;
  const int64_t end = core_.alone || wanted == CoreKind::kCube ? 1 : 1 + core_.lanes;
  const int64_t place = core_.alone ? 0 : core_.kind == CoreKind::kCube ? 0 : 1 + core_.lane;
  const int64_t cores = end - begin;
  const int64_t member = (block_ - meetings.first) * cores + place - begin;
  const Operand* const count = stmt["used"];
  const int64_t used = count == nullptr ? meetings.blocks * cores : IntOf(stmt, *count, frame);
  if (used < 1 || used > meetings.blocks * cores || member >= used) {
    Fail(stmt, Rule::kCoreKind, "core %lld of %lld is at a syncall of %lld cores", static_cast<long long>(member),
         static_cast<long long>(meetings.blocks * cores), static_cast<long long>(used));
  }
  Meeting& meeting = meetings.all[{static_cast<int>(wanted), used}];
  if (meeting.members() == 0) meeting.Begin(used);
  if (meeting.Ahead(member, kOnlyFlag) == 0) meeting.Set(member, kOnlyFlag);
  const int64_t missing = meeting.Missing(member, kOnlyFlag);
  if (missing < 0) {
    meeting.Take(member, kOnlyFlag);
    return Flow::kNext;
  }
  const int64_t from = begin + missing % cores;
  wait_ = {Wait::Need::kSyncAll, core_, 0, meetings.first + static_cast<int32_t>(missing / cores)};
  if (!core_.alone) {
    wait_.from.kind = from == 0 ? CoreKind::kCube : CoreKind::kVector;
    wait_.from.lane = static_cast<int32_t>(std::max<int64_t>(from - 1, 0));
  }
  return Flow::kWait;
}

void Machine::NeedRoom(const Stmt& stmt, int64_t id, int64_t count) {
  if (count < Exchange::kMostSet) return;
  Fail(stmt, Rule::kCoreFlag, "flag %lld is set %lld times and not waited for", static_cast<long long>(id),
       static_cast<long long>(count + 1));
}

// Reports a flag to the checker.
void Machine::PassFlag(const Stmt& stmt, int64_t id, const void* line, bool set) {
  if (options_.checker == nullptr) return;
  options_.checker->UseCoreFlag(id % Exchange::kFlags);
  const int pipe = PipeAt(stmt, stmt["pipe"]);
  const unsigned pipes = pipe == kAllPipes ? sync::kEveryPipe : 1U << pipe;
  if (set) {
    Tell(stmt, line, pipes);
  } else {
    options_.checker->Hear(line, CheckedCore(), pipes, &stmt);
  }
}

// Who meets there, and which of them this core is.
Meeting& Machine::MeetingOf(bool blocks, int64_t* member) {
  const bool cube = core_.kind == CoreKind::kCube;
  *member = cube ? 0 : core_.lane;
  if (!blocks) return state_->exchange.beside();
  *member += int64_t{block_ - state_->meetings->first} * (cube ? 1 : core_.lanes);
  return state_->meetings->of[cube ? 0 : 1];
}

void Machine::Meet(const Stmt& stmt, bool blocks, int64_t id) {
  if (!blocks && core_.kind == CoreKind::kCube) {
    Fail(stmt, Rule::kCoreKind, "ffts_mode 1 is between the vector cores of a block");
  }
  int64_t member = 0;
  Meeting& meeting = MeetingOf(blocks, &member);
  NeedRoom(stmt, id, meeting.Ahead(member, id));
  meeting.Set(member, id);
  if (options_.checker == nullptr) return;
  for (int64_t to = 0; to < meeting.members(); ++to) PassFlag(stmt, id, meeting.Line(member, to, id), true);
}

void Machine::TakeMeeting(const Stmt& stmt, bool blocks, int64_t id) {
  int64_t member = 0;
  Meeting& meeting = MeetingOf(blocks, &member);
  meeting.Take(member, id);
  if (options_.checker == nullptr) return;
  for (int64_t from = 0; from < meeting.members(); ++from) PassFlag(stmt, id, meeting.Line(from, member, id), false);
}

template <auto use>
Flow Use(Machine& machine, Node& node, Frame frame) {
  return machine.UsePipe(node, frame, use);
}

static constexpr RunRow kPipeRows[] = {
    {"aic_initialize_pipe", Do<&Machine::MakePipe>},
    {"aiv_initialize_pipe", Do<&Machine::MakePipe>},
    {"barrier", Do<&Machine::WatchSync>},
    {"barrier_sync", Do<&Machine::WatchSync>},
    {"pipe_barrier", Do<&Machine::WatchSync>},
    {"fence.barrier_all", Do<&Machine::WatchSync>},
    {"get_buf", Do<&Machine::WatchSync>},
    {"import_reserved_buffer", Do<&Machine::Reserve>},
    {"initialize_l2g2l_pipe", Do<&Machine::MakePipe>},
    {"initialize_l2l_pipe", Do<&Machine::MakePipe>},
    {"record_event", Do<&Machine::WatchSync>},
    {"reserve_buffer", Do<&Machine::Reserve>},
    {"rls_buf", Do<&Machine::WatchSync>},
    {"set_ffts", Do<&Machine::WatchSync>},
    {"set_flag", Do<&Machine::WatchSync>},
    {"set_flag_dyn", Do<&Machine::WatchSync>},
    {"sync.set", Do<&Machine::CoreSync>},
    {"sync.wait", Do<&Machine::CoreSync>},
    {"syncall", Do<&Machine::SyncAll>},
    {"talloc", Use<&Machine::AllocSlot>},
    {"talloc_to_aic", Use<&Machine::AllocSlot>},
    {"talloc_to_aiv", Use<&Machine::AllocSlot>},
    {"tfree", Use<&Machine::Free>},
    {"tfree_from_aic", Use<&Machine::Free>},
    {"tfree_from_aiv", Use<&Machine::Free>},
    {"tpop", Use<&Machine::Pop>},
    {"tpop_from_aic", Use<&Machine::Pop>},
    {"tpop_from_aiv", Use<&Machine::Pop>},
    {"tpush", Use<&Machine::Push>},
    {"tpush_to_aic", Use<&Machine::Push>},
    {"tpush_to_aiv", Use<&Machine::Push>},
    {"tsync", Do<&Machine::WatchSync>},
    {"wait_event", Do<&Machine::WatchSync>},
    {"wait_flag", Do<&Machine::WatchSync>},
    {"wait_flag_dyn", Do<&Machine::WatchSync>},
};
const RunRows kPipeRuns = kPipeRows;

}  // namespace pto::ptoas
