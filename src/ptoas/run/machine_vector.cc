// Registers and addresses of the vector level; what its operations do is in src/ptoas/vector.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "src/objects/on_chip.h"
#include "src/ptoas/read/wording.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/step.h"

namespace pto::ptoas {

namespace {

// The bytes from the first to the last element of a tensor.
int64_t SpanOf(const pto_tensor* tensor) {
  int64_t last = 0;
  for (int32_t i = 0; i < pto_tensor_rank(tensor); ++i) {
    if (pto_tensor_dim(tensor, i) == 0) return 0;
    last += (pto_tensor_dim(tensor, i) - 1) * pto_tensor_stride(tensor, i);
  }
  return (last + 1) * pto_dtype_bits(pto_tensor_dtype(tensor)) / 8;
}

}  // namespace

void vec::Return(Box* box) {
  auto* one = static_cast<vec::Register*>(box);
  one->pool->Return(one);
}

void Machine::NotExecuted(const Stmt& stmt, Frame) {
  Fail(stmt, Rule::kRunUnsupported, "%.*s is not executed", PTO_NAME(stmt.name));
}

vec::Register& Machine::NewRegister(const Node& node, Frame frame, uint32_t slot, ValueKind kind) {
  RunValue& value = frame[slot];
  auto* there = static_cast<vec::Register*>(value.box());
  if (value.Is(kind) && there->refs == 1) {
    there->prefix = -1;
    return *there;
  }
  value = {};
  vec::Register* made = registers_.Take();
  if (made == nullptr) {
    constexpr auto kBytes = static_cast<int64_t>(sizeof(vec::Register));
    Charge(*node.stmt, kBytes);
    state_->bytes += kBytes;
    made = registers_.Grow();
  }
  frame[slot] = RunValue::Of(kind, made);
  return *made;
}

uint64_t Machine::ScalarBits(const Node& node, Frame frame, size_t operand, Elem elem) {
  pto_dtype dtype = PTO_DTYPE_F32;
  DTypeOf(elem, &dtype);
  return BitsOf(*node.stmt, node.stmt->operands[operand], dtype, frame);
}

// ---- recording ----------------------------------------------------------------

// From now on the statements of the vector level go through RunTraced(). Those that only make numbers do not.
void Machine::Trace(Code* code) {
  for (Node& node : code->nodes) {
    const bool counts = node.stmt->vector != nullptr && node.stmt->vector->family != vec::Family::kPointer &&
                        node.stmt->vector->family != vec::Family::kState &&
                        node.stmt->vector->family != vec::Family::kSimt;
    if (counts && node.step != nullptr && node.step->strip == nullptr && node.step->plain == nullptr) {
      node.step->plain = std::exchange(node.run, Do<&Machine::RunTraced>);
    }
    for (Code& block : node.blocks) Trace(&block);
  }
}

Flow Machine::RunTraced(Node& node, Frame frame) {
  const RunStmt run = node.step->plain;
  if (options_.record == PTO_RECORD_OFF) return run(*this, node, frame);
  Event event = VectorEvent(*node.stmt, PipeOfVector(*node.stmt));
  const bool registers = node.step->elem != Elem::kNone;
  event.dtype = registers ? static_cast<int8_t>(node.step->t) : int8_t{-1};
  event.cols = event.elements = registers ? node.step->Count() : 0;
  const Flow flow = run(*this, node, frame);
  event.end = recorder_->Now();
  const int64_t before = recorder_->bytes();
  if (recorder_->KeepsTiles()) {
    LanesSeen seen;
    SeeRegisters(*node.stmt, frame, &seen);
    recorder_->AddVector(event, std::span(seen.uses, seen.count));
  } else {
    recorder_->AddVector(event);
  }
  ChargeRecorded(*node.stmt, before);
  return flow;
}

// Begins now.
Event Machine::VectorEvent(const Stmt& stmt, pto_pipe pipe) const {
  Event event;
  event.stmt = &stmt;
  event.rank = static_cast<int16_t>(std::max(options_.rank, 0));
  event.block = block_;
  event.core = static_cast<int8_t>(core_.Index());
  event.pipe = static_cast<int8_t>(pipe);
  event.begin = recorder_->Now();
  return event;
}

// A launch of work items, which has ended.
void Machine::RecordLaunch(const Stmt& stmt, int64_t begin, int32_t items) {
  Event event = VectorEvent(stmt, PTO_PIPE_V);
  event.end = std::exchange(event.begin, begin);
  event.cols = event.elements = items;
  const int64_t before = recorder_->bytes();
  recorder_->AddVector(event);
  ChargeRecorded(stmt, before);
}

// The registers and masks of a statement. Operands keep their contents, so all are looked at after it.
void Machine::SeeRegisters(const Stmt& stmt, Frame frame, LanesSeen* seen) {
  const vec::Op& op = *stmt.vector;
  const auto add = [&](const Value* value, uint32_t offset, uint32_t length, size_t operand, bool after) {
    if (value == nullptr || seen->count == std::size(seen->uses)) return;
    const RunValue& there = frame[value->slot];
    if (!there.Is(ValueKind::kVreg) && !there.Is(ValueKind::kMask)) return;
    RegisterUse& use = seen->uses[seen->count];
    use = {.offset = offset, .length = length, .operand = static_cast<int8_t>(operand), .after = after};
    use.bytes = LanesOf(*value, there, &use.dtype, &use.lanes, seen->lanes[seen->count]);
    use.mask = there.Is(ValueKind::kMask);
    ++seen->count;
  };
  for (size_t i = 0; i < op.in.count && i < stmt.operands.size(); ++i) {
    add(stmt.operands[i].value, stmt.operands[i].offset, stmt.operands[i].length, i, false);
  }
  for (size_t i = 0; i < stmt.results.size(); ++i) {
    add(stmt.results[i], stmt.results[i]->offset, stmt.results[i]->length, op.in.count + i, true);
  }
  // The mask of the lanes that take part. vsel selects with it, and masks have lanes of their own.
  size_t mask = 0;
  for (size_t i = 0; i < seen->count && op.name != "vsel"; ++i) {
    if (seen->uses[i].mask && !seen->uses[i].after) mask = i + 1;
  }
  for (size_t i = 0; i < seen->count && mask != 0; ++i) {
    const int32_t lanes = seen->uses[mask - 1].lanes;
    RegisterUse& use = seen->uses[i];
    // 64-bit lanes have masks of 32-bit ones; a mask without a granularity is for any lanes.
    const bool fits = lanes == use.lanes || lanes == vec::kRegisterBytes || lanes == 2 * use.lanes;
    const bool twice = lanes == 2 * use.lanes && pto_dtype_bytes(use.dtype) != 8;
    if (!use.mask && fits && (!twice || lanes == vec::kRegisterBytes)) use.masked_by = static_cast<int16_t>(mask);
  }
}

// The elements of a register, or of a mask the bit of each lane.
const uint8_t* Machine::LanesOf(const Value& value, const RunValue& there, pto_dtype* dtype, int32_t* lanes,
                                uint8_t* spread) {
  const auto& bytes = static_cast<const vec::Register*>(there.box())->bytes;
  if (there.Is(ValueKind::kVreg)) {
    DTypeOf(value.type->elem, dtype);
    *lanes = static_cast<int32_t>(vec::kRegisterBytes / pto_dtype_bytes(*dtype));
    return bytes;
  }
  const int64_t bits = value.type == nullptr ? 0 : value.type->dims[0];
  const auto width = static_cast<int32_t>(std::max<int64_t>(bits, 8) / 8);
  *dtype = PTO_DTYPE_U8;
  *lanes = vec::kRegisterBytes / width;
  for (int32_t i = 0; i < *lanes; ++i) spread[i] = bytes[i * width];
  return spread;
}

// A register as a tile of one row, made when it is asked for.
pto_tile* Machine::TileOfRegister(const Value& value) {
  pto_dtype dtype = PTO_DTYPE_F32;
  int32_t lanes = 0;
  uint8_t spread[vec::kRegisterBytes];
  const uint8_t* bytes = LanesOf(value, frame_[value.slot], &dtype, &lanes, spread);
  pto_tile* tile = pto_tile_create(chip_->context(), dtype, 1, lanes);
  if (tile == nullptr) throw std::bad_alloc();
  pto_tile_write(chip_->context(), tile, bytes, lanes * pto_dtype_bytes(dtype));
  return tile;
}

// ---- memory --------------------------------------------------------------------

// A byte of on-chip memory, which begins where a tile of address 0 does.
RunValue Machine::MemoryAt(const Stmt& stmt, Loc loc, int64_t address, int64_t lane) {
  const int64_t own = core_.kind == CoreKind::kVector ? core_.lane : 0;
  if (loc != Loc::kVec || lane < 0) lane = own;
  if (lane < 0 || lane >= core_.lanes) {
    Fail(stmt, Rule::kRunUnsupported, "the program runs on %d vector core%s: there is no vector core %lld", core_.lanes,
         Plural(static_cast<size_t>(core_.lanes)), static_cast<long long>(lane));
  }
  RunValue& memory = memories_[loc == Loc::kVec && lane != 0 ? kLocCount : static_cast<int>(loc)];
  if (memory.box() == nullptr) {
    Chip* chip = core_.alone ? chip_.get() : state_->chips[loc == Loc::kVec ? 1 + lane : 0];
    RunValue made = MakeBox(stmt, ValueKind::kAddress, 0);
    Box& box = *made.box();
    box.data = reinterpret_cast<char*>(OnChipBytes(chip->context(), static_cast<int>(loc), &box.extent));
    if (box.data == nullptr) throw std::bad_alloc();
    box.address = 0;
    // Which bytes statements write is not followed: the next block or run finds all of them cleared.
    chip->UseAll(static_cast<int>(loc));
    if (loc == Loc::kVec && lane == own) vec_ = box.data;
    if (options_.checker != nullptr) options_.checker->Placed();
    memory = std::move(made);
  }
  memory.box()->Retain();
  return RunValue::Of(ValueKind::kAddress, memory.box(), address);
}

RunValue Machine::PointerAt(const Stmt& stmt, const Operand& operand, Frame frame) {
  if (operand.value != nullptr && frame[operand.value->slot].Is(ValueKind::kAddress)) {
    return frame[operand.value->slot];
  }
  const bool view = operand.value != nullptr && frame[operand.value->slot].Is(ValueKind::kTensor);
  return PointerAt(stmt, ValueOf(stmt, operand, frame, view ? ValueKind::kTensor : ValueKind::kPtr));
}

RunValue Machine::PointerAt(const Stmt& stmt, const RunValue& pointer) {
  Box* box = pointer.box();
  if (box->tile != nullptr) {
    const int64_t bytes = pointer.integer() * pto_dtype_bits(pto_tile_dtype(box->tile)) / 8;
    // A tile with an address is a part of the memory of its location.
    if (box->address >= 0) {
      return MemoryAt(stmt, static_cast<Loc>(pto_tile_location(box->tile)), box->address + bytes);
    }
    box->data = static_cast<char*>(pto_tile_data(box->tile));
    box->extent = box->data == nullptr ? 0 : pto_tile_bytes(box->tile);
    box->Retain();
    return RunValue::Of(ValueKind::kAddress, box, bytes);
  }
  if (box->data == nullptr) {
    box->data = static_cast<char*>(pto_tensor_data(box->tensor));
    box->extent = SpanOf(box->tensor);
  }
  box->Retain();
  return RunValue::Of(ValueKind::kAddress, box, pointer.integer() * pto_dtype_bits(pto_tensor_dtype(box->tensor)) / 8);
}

char* Machine::Reach(const Stmt& stmt, const RunValue& address, int64_t offset, int64_t bytes) {
  const Box* box = address.box();
  int64_t at = 0;
  if (!__builtin_add_overflow(address.integer(), offset, &at) && at >= 0 && at <= box->extent - bytes) [[likely]] {
    return box->data + at;
  }
  Fail(stmt, Rule::kMemoryRange, "%lld bytes at %lld, where the memory has %lld: %lld too many",
       static_cast<long long>(bytes), static_cast<long long>(at), static_cast<long long>(box->extent),
       static_cast<long long>(at < 0 ? 0 - static_cast<uint64_t>(at)
                                     : static_cast<uint64_t>(at) + static_cast<uint64_t>(bytes - box->extent)));
}

char* Machine::Reach(const Stmt& stmt, size_t operand, Frame frame, int64_t offset, int64_t bytes) {
  const Operand& pointer = stmt.operands[operand];
  if (pointer.value != nullptr && frame[pointer.value->slot].Is(ValueKind::kAddress)) [[likely]] {
    return Reach(stmt, frame[pointer.value->slot], offset, bytes);
  }
  return Reach(stmt, PointerAt(stmt, pointer, frame), offset, bytes);
}

// ---- copies ----------------------------------------------------------------------

namespace {

// The part of a copy after the end of an array: memory of the run, which keeps its contents.
char* SlackOf(Box* box, int64_t slack) {
  const auto words = static_cast<size_t>((slack + 7) / 8);
  if (box->words.size() < words) box->words.resize(words);
  return reinterpret_cast<char*>(box->words.data());
}

}  // namespace

// Visits a range of bytes in pieces: the part inside the memory, then the part in its slack.
template <class F>
void Machine::EachPiece(const Stmt& stmt, const RunValue& address, int64_t offset, int64_t bytes, F&& f) {
  Box* box = address.box();
  int64_t at = 0;
  const bool overflows = __builtin_add_overflow(address.integer(), offset, &at);
  const bool global = box->tensor != nullptr;
  const bool far = overflows || at < 0 || at > box->extent + options_.slack - bytes;
  if (far || (!global && at > box->extent - bytes)) Reach(stmt, address, offset, bytes);  // which ends the run
  const int64_t inside = std::clamp<int64_t>(box->extent - at, 0, bytes);
  if (inside > 0) f(box->data + at, inside);
  if (inside == bytes) return;
  WarnOfSlack(stmt, at + bytes - box->extent);
  f(SlackOf(box, options_.slack) + std::max<int64_t>(at - box->extent, 0), bytes - inside);
}

const char* Machine::Source(const Stmt& stmt, const RunValue& address, int64_t offset, int64_t bytes) {
  const Box* box = address.box();
  int64_t at = 0;
  const bool overflows = __builtin_add_overflow(address.integer(), offset, &at);
  if (!overflows && bytes >= 0 && at >= 0 && at <= box->extent - bytes) [[likely]]
    return box->data + at;
  size_t done = 0;
  EachPiece(stmt, address, offset, bytes, [&](const char* from, int64_t count) {
    spare_.resize(done + static_cast<size_t>(count));
    std::memcpy(spare_.data() + done, from, static_cast<size_t>(count));
    done += static_cast<size_t>(count);
  });
  return spare_.data();
}

void Machine::WarnOfSlack(const Stmt& stmt, int64_t excess) {
  const RuleInfo& rule = pto::Info(Rule::kMemoryRange);
  if (!warned_.emplace(&stmt, rule.id).second) return;
  state_->found.Add(rule.id, RemedyInText(Rule::kMemoryRange), stmt.offset, stmt.length,
                    std::to_string(excess) + " bytes are after the end of the array; the slack of the run allows them",
                    false);
}

void Machine::CopyBytes(const Stmt& stmt, const RunValue& dst, int64_t to, const RunValue& src, int64_t from,
                        int64_t bytes) {
  if (bytes <= 0) return;
  Work(stmt, bytes / 4);
  if (watched_) {
    const BytesUsed used[] = {{&src, from, bytes, false}, {&dst, to, bytes, true}};
    WatchBytes(stmt, used);
  }
  int64_t done = 0;
  EachPiece(stmt, src, from, bytes, [&](const char* source, int64_t count) {
    int64_t part = 0;
    EachPiece(stmt, dst, to + done, count, [&](char* target, int64_t piece) {
      std::memmove(target, source + part, static_cast<size_t>(piece));
      part += piece;
    });
    done += count;
  });
}

void Machine::FillBytes(const Stmt& stmt, const RunValue& dst, int64_t to, int64_t bytes, const void* pattern,
                        size_t size) {
  if (bytes <= 0) return;
  Work(stmt, bytes / 4);
  if (follows_) {
    const BytesUsed used{&dst, to, bytes, true};
    WatchBytes(stmt, {&used, 1});
  }
  char* at = Reach(stmt, dst, to, bytes);
  for (int64_t i = 0; i < bytes; i += static_cast<int64_t>(size)) {
    std::memcpy(at + i, pattern, std::min(size, static_cast<size_t>(bytes - i)));
  }
}

// Registers are loaded and stored by the vector pipe. Copies use the pipe of the memory that they read.
pto_pipe Machine::PipeOfVector(const Stmt& stmt) {
  if (stmt.vector->family != vec::Family::kCopy && stmt.vector->family != vec::Family::kCube) return PTO_PIPE_V;
  const Type* from = stmt.operands[0].value == nullptr ? nullptr : stmt.operands[0].value->type;
  const Type* to = stmt.operands[1].value == nullptr ? nullptr : stmt.operands[1].value->type;
  if (from != nullptr && !from->local) return PTO_PIPE_MTE2;
  switch (from == nullptr ? Loc::kVec : from->loc) {
    case Loc::kMat:
      return to != nullptr && to->loc == Loc::kScaling ? PTO_PIPE_FIX : PTO_PIPE_MTE1;
    case Loc::kLeft:
      return PTO_PIPE_M;
    case Loc::kAcc:
      return PTO_PIPE_FIX;
    default:
      return PTO_PIPE_MTE3;
  }
}

void Machine::WatchBytes(const Stmt& stmt, std::span<const BytesUsed> used) {
  constexpr size_t kMostUsed = 6;
  sync::Access accesses[kMostUsed];
  size_t count = 0;
  for (const BytesUsed& one : used) {
    const Box* box = one.address->box();
    const int64_t first = one.address->integer() + one.offset;
    const int64_t bytes = std::min(one.bytes, box->extent - first);  // slack belongs to the run
    if (bytes <= 0) continue;
    accesses[count++] = {.area = sync::Area::Of(box->data + first, bytes, one.rows, one.rows == 1 ? 0 : one.pitch),
                         .use = one.writes ? sync::Use::kWrite : sync::Use::kRead,
                         .global = box->tensor != nullptr,
                         .shares = true,
                         .name = one.name.empty() ? NameOfMemory(stmt, one.writes) : one.name,
                         .data = box->data};
  }
  const std::span<sync::Access> made(accesses, count);
  Touch(stmt, made);
  if (options_.checker == nullptr) return;
  for (const sync::Access& access : made) {
    if (!access.global && PipeOfVector(stmt) == PTO_PIPE_V) WatchBar(stmt, access);
  }
  Watch(stmt, PipeOfVector(stmt), made);
}

// Work items are on the vector pipe.
void Machine::WatchNumber(const Stmt& stmt, std::string_view name, const RunValue& address, int64_t offset,
                          int64_t bytes, sync::Use use) {
  const Box* box = address.box();
  sync::Access access{.area = sync::Area::Of(box->data + address.integer() + offset, bytes, 1, 0),
                      .use = use,
                      .global = box->tensor != nullptr,
                      .updates = use == sync::Use::kAdd,
                      .shares = true,
                      .name = name,
                      .data = box->data};
  Touch(stmt, {&access, 1});
  if (options_.checker == nullptr) return;
  // Work items have no flags of their own: flags are set before and after the launch.
  const vec::Launch* const launch = vector_.simt.launch;
  if (launch == nullptr) return Watch(stmt, PTO_PIPE_S, {&access, 1});
  Watch(*launch->stmt, PTO_PIPE_V, {&access, 1}, &stmt);
}

// The pointer that a statement names.
std::string_view Machine::NameOfMemory(const Stmt& stmt, bool writes) {
  std::string_view name;
  for (const Operand& operand : stmt.operands) {
    const Type* type = operand.value == nullptr ? nullptr : operand.value->type;
    if (type == nullptr || type->kind != TypeKind::kPtr) continue;
    const bool copies = stmt.vector->family == vec::Family::kCopy || stmt.vector->family == vec::Family::kCube;
    if (name.empty() || (writes && copies)) name = operand.name;
  }
  return name;
}

// A load of bytes that registers were stored to in the same scope, without a pto.mem_bar between: devices may load
// first.
void Machine::WatchBar(const Stmt& stmt, const sync::Access& access) {
  constexpr size_t kMostStored = 4096;  // ranges: later ones are not looked at
  const uintptr_t begin = access.area.begin;
  const uintptr_t end = access.area.end();
  if (access.use == sync::Use::kWrite) {
    for (vec::Stored& stored : vector_.stored) {
      if (stored.stmt != &stmt || end < stored.begin || stored.end < begin) continue;
      stored.begin = std::min(stored.begin, begin);
      stored.end = std::max(stored.end, end);
      return;
    }
    if (vector_.stored.size() < kMostStored) vector_.stored.push_back({begin, end, &stmt});
    return;
  }
  Work(stmt, static_cast<int64_t>(vector_.stored.size()));
  for (const vec::Stored& stored : vector_.stored) {
    if (stored.end <= begin || end <= stored.begin) continue;
    return options_.checker->NeedBar(&stmt, stored.stmt, access.name);
  }
}

// The barrier of the scope, and its end.
void Machine::PassBar() { vector_.stored.clear(); }

static constexpr RunRow kVectorRows[] = {
    {"vector level", Do<&Machine::NotExecuted>},
};
const RunRows kVectorRuns = kVectorRows;

}  // namespace pto::ptoas
