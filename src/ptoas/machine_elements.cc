// Single elements of tiles and of global memory, and arrays of event ids.
#include <cstring>

#include "src/ptoas/machine.h"
#include "src/ptoas/scalar.h"
#include "src/ptoas/tile_desc.h"

namespace pto::ptoas {

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
    RunValue made;
    const int64_t bytes = count * static_cast<int64_t>(sizeof(int64_t));
    if (!Work(stmt, count) || !MakeBox(stmt, ValueKind::kEvents, bytes, &made)) return false;
    made.box()->events.resize(static_cast<size_t>(count));
    frame[stmt.results[0]->slot] = std::move(made);
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

}  // namespace pto::ptoas
