// Single elements of tiles and of global memory, and arrays of event ids.
#include <bit>
#include <cstring>
#include <string>

#include "src/ptoas/run/codes.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/scalar.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/ptoas/vector/simt.h"

namespace pto::ptoas {

namespace {

// 4x8 of f32.
std::string DimsOf(const pto_tensor* tensor) {
  std::string text;
  for (int i = 0; i < pto_tensor_rank(tensor); ++i) {
    text += (i == 0 ? "" : "x") + std::to_string(pto_tensor_dim(tensor, i));
  }
  return text + " of " + pto_dtype_name(pto_tensor_dtype(tensor));
}

}  // namespace

// A number as the bits of an element.
uint64_t Machine::BitsOf(const Stmt& stmt, const Operand& operand, pto_dtype dtype, Frame frame) {
  uint64_t bits = 0;
  if (operand.value == nullptr || !ToBits(ElemOf(dtype), frame[operand.value->slot], &bits)) {
    Fail(stmt, Rule::kUnassigned, "the value is not of type %s", pto_dtype_name(dtype));
  }
  return bits;
}

void Machine::ScalarAccess(const Stmt& stmt, Frame frame) {
  const Operand* from = stmt["value"];
  const Operand& pointer = *stmt["ptr"];
  const Type* type = pointer.value == nullptr ? nullptr : pointer.value->type;
  const bool own = type != nullptr && (type->LanesAt() != 0 || type->elem == Elem::kF64);
  if (type != nullptr && (own || (vector_.simt.launch != nullptr && Info(type->elem).bits >= 8))) {
    return vec::AccessNumber(*this, stmt, frame);
  }
  if (pointer.value != nullptr && frame[pointer.value->slot].Is(ValueKind::kAddress)) return AddressAccess(stmt, frame);
  const RunValue& base = ValueOf(stmt, pointer, frame, ValueKind::kPtr);
  const auto offset = static_cast<uint64_t>(IntOf(stmt, *stmt["offset"], frame));
  const auto at = static_cast<int64_t>(static_cast<uint64_t>(base.integer()) + offset);
  if (pto_tile* tile = base.box()->tile; tile != nullptr) {
    if (watched_) {
      WatchElement(stmt, pointer, base.box(), Element(stmt, tile, at), pto_dtype_bytes(pto_tile_dtype(tile)),
                   from != nullptr);
    }
    return MoveElement(stmt, tile, at, from, frame);
  }
  MoveScalar(stmt, pointer, base, at, from, frame);
}

// The same through a pointer with a byte address; its type has the element.
void Machine::AddressAccess(const Stmt& stmt, Frame frame) {
  const Operand* from = stmt["value"];
  const Operand& pointer = *stmt["ptr"];
  const Elem elem = pointer.value->type->elem;
  const int64_t size = BytesOf(elem);
  const int64_t offset = std::clamp(IntOf(stmt, *stmt["offset"], frame), -vec::kFarIndex, vec::kFarIndex) * size;
  const RunValue& base = frame[pointer.value->slot];
  char* at = Reach(stmt, base, offset, size);
  if (watched_) WatchElement(stmt, pointer, base.box(), at, size, from != nullptr);
  uint64_t bits = 0;
  pto_dtype dtype = PTO_DTYPE_F32;
  DTypeOf(elem, &dtype);
  if (from != nullptr) {
    bits = BitsOf(stmt, *from, dtype, frame);
    std::memcpy(at, &bits, static_cast<size_t>(size));
    return;
  }
  std::memcpy(&bits, at, static_cast<size_t>(size));
  frame[stmt.results[0]->slot] = FromBits(ElemOf(dtype), bits);
}

// An element of global memory, `at` elements after the first: to the statement's result, or from an operand. Of a
// packed type the byte that has it is read and written.
void Machine::MoveScalar(const Stmt& stmt, const Operand& memory, const RunValue& base, int64_t at, const Operand* from,
                         Frame frame) {
  const pto_dtype dtype = pto_tensor_dtype(base.box()->tensor);
  const bool packed = IsPacked(dtype);
  const int64_t count = packed ? 2 : 1;
  const int64_t half = packed ? at & 1 : 0;
  const RunValue view = View(stmt, base, TensorDesc(dtype, PTO_LAYOUT_ND, 1, &count, nullptr), at - half);
  uint64_t bits = from == nullptr ? 0 : BitsOf(stmt, *from, dtype, frame);
  const int32_t bytes = pto_dtype_bytes(dtype);
  if (watched_) {
    WatchElement(stmt, memory, view.box(), pto_tensor_data(view.box()->tensor), bytes, from != nullptr);
  }
  if (packed) {
    char both = 0;
    Called(stmt, pto_tensor_read(ctx_, view.box()->tensor, &both, 1));
    if (from != nullptr) SetCodeAt(&both, half, static_cast<unsigned>(bits));
    bits = from != nullptr ? static_cast<unsigned char>(both) : static_cast<unsigned char>(CodeAt(dtype, &both, half));
  }
  if (from != nullptr) return Called(stmt, pto_tensor_write(ctx_, view.box()->tensor, &bits, bytes));
  if (!packed) Called(stmt, pto_tensor_read(ctx_, view.box()->tensor, &bits, bytes));
  frame[stmt.results[0]->slot] = FromBits(ElemOf(dtype), bits);
}

// An element of a tile's storage, by its place in it, whatever the layout; of a packed type the byte that has it.
char* Machine::Element(const Stmt& stmt, pto_tile* tile, int64_t offset) {
  const int64_t bits = pto_dtype_bits(pto_tile_dtype(tile));
  auto* data = static_cast<char*>(pto_tile_data(tile));
  const int64_t count = data == nullptr ? 0 : ElementsOf(tile);
  if (offset < 0 || offset >= count) Fail(stmt, Rule::kViewRange, "%s", OutsideOf(offset, count).c_str());
  return data + offset * bits / 8;
}

// To the statement's result, or from an operand.
void Machine::MoveElement(const Stmt& stmt, pto_tile* tile, int64_t at, const Operand* from, Frame frame) {
  const pto_dtype dtype = pto_tile_dtype(tile);
  const auto bytes = static_cast<size_t>(pto_dtype_bytes(dtype));
  char* const element = Element(stmt, tile, at);
  uint64_t bits = from == nullptr ? 0 : BitsOf(stmt, *from, dtype, frame);
  if (from != nullptr) {
    IsPacked(dtype) ? SetCodeAt(element, at % 2, static_cast<unsigned>(bits))
                    : void(std::memcpy(element, &bits, bytes));
    return;
  }
  if (IsPacked(dtype)) {
    bits = static_cast<unsigned char>(CodeAt(dtype, element, at % 2));
  } else {
    std::memcpy(&bits, element, bytes);
  }
  frame[stmt.results[0]->slot] = FromBits(ElemOf(dtype), bits);
}

// tgetval and tsetval
void Machine::ElementAccess(const Stmt& stmt, Frame frame) {
  const Operand* from = stmt["value"];
  const Operand& tile = *stmt["tile"];
  pto_tile* handle = ValueOf(stmt, tile, frame, ValueKind::kTile).box()->tile;
  const int64_t offset = IntOf(stmt, *stmt["offset"], frame);
  if (watched_) {
    WatchElement(stmt, tile, frame[tile.value->slot].box(), Element(stmt, handle, offset),
                 pto_dtype_bytes(pto_tile_dtype(handle)), from != nullptr);
  }
  MoveElement(stmt, handle, offset, from, frame);
}

// memref.load and memref.store: an element of a view by its indices, or of a tile that lies in rows or in columns.
void Machine::MemrefAccess(const Stmt& stmt, Frame frame) {
  const Operand* from = stmt["value"];
  const std::span<const Operand> places = stmt.All("places");
  const Operand& operand = *stmt["memory"];
  const bool tiled = operand.value != nullptr && frame[operand.value->slot].Is(ValueKind::kTile);
  const RunValue& base = ValueOf(stmt, operand, frame, tiled ? ValueKind::kTile : ValueKind::kTensor);
  pto_tile* tile = tiled ? base.box()->tile : nullptr;
  const pto_tensor* tensor = base.box()->tensor;
  const int rank = tiled ? 2 : pto_tensor_rank(tensor);
  const bool columns = tiled && pto_tile_blayout(tile) == PTO_BLAYOUT_COL_MAJOR;
  if (places.size() != static_cast<size_t>(rank)) {
    Fail(stmt, Rule::kWindow, "%zu places in %d dimensions", places.size(), rank);
  }
  // From a line to the next: a part of a tile has the lines of the whole.
  const int64_t line = tiled ? pto_tile_stride(tile) * 8 / pto_dtype_bits(pto_tile_dtype(tile)) : 0;
  int64_t at = 0;
  for (int i = 0; i < rank; ++i) {
    const int64_t place = IntOf(stmt, places[static_cast<size_t>(i)], frame);
    const int64_t extent = !tiled ? pto_tensor_dim(tensor, i) : i == 0 ? pto_tile_rows(tile) : pto_tile_cols(tile);
    if (place < 0 || place >= extent) {
      Fail(stmt, Rule::kWindow, "place %lld in dimension %d of %lld", static_cast<long long>(place), i,
           static_cast<long long>(extent));
    }
    const int64_t step = !tiled ? pto_tensor_stride(tensor, i) : (i == 0) == columns ? 1 : line;
    at += place * step;
  }
  if (tiled && watched_) {
    WatchElement(stmt, operand, base.box(), Element(stmt, tile, at), pto_dtype_bytes(pto_tile_dtype(tile)),
                 from != nullptr);
  }
  if (tiled) return MoveElement(stmt, tile, at, from, frame);
  MoveScalar(stmt, operand, base, at, from, frame);
}

// A view that a pipe gives its memory.
void Machine::DeclareGlobal(const Stmt& stmt, Frame frame) { frame[stmt.results[0]->slot] = RunValue(); }

// An array of scalars or of event ids, 0 at first.
void Machine::DeclareArray(const Stmt& stmt, Frame frame) {
  constexpr int64_t kMaxEvents = 4096;
  const Type* type = stmt.results[0]->type;
  const bool events = type != nullptr && type->kind == TypeKind::kEventIdArray;
  const int64_t count = type == nullptr ? 0 : type->Elements();
  if (count < 1 || (events && count > kMaxEvents)) {
    Fail(stmt, Rule::kRunUnsupported, "%lld %s", static_cast<long long>(count), events ? "events" : "elements");
  }
  Work(stmt, count);
  RunValue made = MakeBox(stmt, ValueKind::kArray, count * static_cast<int64_t>(sizeof(int64_t)));
  made.box()->words.resize(static_cast<size_t>(count));
  frame[stmt.results[0]->slot] = std::move(made);
}

int64_t& Machine::EventOf(const Stmt& stmt, Frame frame) {
  std::vector<int64_t>& events = ValueOf(stmt, *stmt["array"], frame, ValueKind::kArray).box()->words;
  const int64_t index = IntOf(stmt, *stmt["index"], frame);
  if (index < 0 || index >= static_cast<int64_t>(events.size())) {
    Fail(stmt, Rule::kViewRange, "event %lld of %zu", static_cast<long long>(index), events.size());
  }
  return events[static_cast<size_t>(index)];
}

void Machine::GetEvent(const Stmt& stmt, Frame frame) {
  const int64_t event = EventOf(stmt, frame);
  frame[stmt.results[0]->slot].SetInt(event);
}

void Machine::SetEvent(const Stmt& stmt, Frame frame) {
  int64_t& event = EventOf(stmt, frame);
  event = IntOf(stmt, *stmt["value"], frame);
}

// local_array_get and local_array_set
void Machine::ArrayAccess(const Stmt& stmt, Frame frame) {
  const Operand& array = *stmt["array"];
  const Operand* from = stmt["value"];
  std::vector<int64_t>& words = ValueOf(stmt, array, frame, ValueKind::kArray).box()->words;
  const Type& type = *array.value->type;
  const std::span<const Operand> places = stmt.All("places");
  if (places.size() != type.rank) Fail(stmt, Rule::kWindow, "%zu places in %d dimensions", places.size(), type.rank);
  int64_t at = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    const int64_t place = IntOf(stmt, places[i], frame);
    if (place < 0 || place >= type.dims[i]) {
      Fail(stmt, Rule::kWindow, "place %lld in dimension %zu of %lld", static_cast<long long>(place), i,
           static_cast<long long>(type.dims[i]));
    }
    at = at * type.dims[i] + place;
  }
  int64_t& word = words.at(static_cast<size_t>(at));
  if (from == nullptr) {
    RunValue& made = frame[stmt.results[0]->slot];
    IsFloat(type.elem) ? made.SetFloat(std::bit_cast<double>(word)) : made.SetInt(word);
  } else if (IsFloat(type.elem)) {
    word = std::bit_cast<int64_t>(ValueOf(stmt, *from, frame, ValueKind::kFloat).number());
  } else {
    word = IntOf(stmt, *from, frame);
  }
}

// Sessions and events hold nothing; a query whether a copy is done returns true.
void Machine::Done(const Stmt& stmt, Frame frame) {
  if (!stmt.results.empty()) frame[stmt.results[0]->slot].SetInt(1);
}

// A copy is done when its statement is, which is one of the orders that the queues of a device may take.
void Machine::AsyncCopy(const Stmt& stmt, Frame frame) {
  pto_tensor* dst = ValueOf(stmt, *stmt["dst"], frame, ValueKind::kTensor).box()->tensor;
  pto_tensor* src = ValueOf(stmt, *stmt["src"], frame, ValueKind::kTensor).box()->tensor;
  bool same = pto_tensor_dtype(dst) == pto_tensor_dtype(src) && pto_tensor_rank(dst) == pto_tensor_rank(src);
  for (int i = 0; same && i < pto_tensor_rank(dst); ++i) same = pto_tensor_dim(dst, i) == pto_tensor_dim(src, i);
  if (!same) {
    Fail(stmt, Rule::kCopyShape, "%s is copied to %s", DimsOf(src).c_str(), DimsOf(dst).c_str());
  }
  const int64_t bytes = pto_tensor_bytes(src);
  Work(stmt, bytes / pto_dtype_bytes(pto_tensor_dtype(src)));
  if (watched_) WatchCopy(stmt, dst, src);
  Charge(stmt, bytes);
  const int64_t event =
      stmt.Is("tput_async") ? pto_context_tput_async(ctx_, dst, src, 0) : pto_context_tget_async(ctx_, dst, src, 0);
  if (event == 0) FailCall(stmt);
  Done(stmt, frame);
}

static constexpr RunRow kElementRows[] = {
    {"build_async_session", Do<&Machine::Done>},
    {"cmo.cacheinvalid", Do<&Machine::Done>},
    {"declare_eventid_array", Do<&Machine::DeclareArray>},
    {"declare_global", Do<&Machine::DeclareGlobal>},
    {"declare_local_array", Do<&Machine::DeclareArray>},
    {"get_prefetch_async_session", Do<&Machine::Done>},
    {"local_array_get", Do<&Machine::ArrayAccess>},
    {"local_array_set", Do<&Machine::ArrayAccess>},
    {"make_prefetch_async_context", Do<&Machine::Done>},
    {"memref.dealloc", Do<&Machine::Done>},
    {"eventid_array_get", Do<&Machine::GetEvent>},
    {"eventid_array_set", Do<&Machine::SetEvent>},
    {"load_scalar", Do<&Machine::ScalarAccess>},
    {"memref.load", Do<&Machine::MemrefAccess>},
    {"memref.store", Do<&Machine::MemrefAccess>},
    {"store_scalar", Do<&Machine::ScalarAccess>},
    {"test_async_event", Do<&Machine::Done>},
    {"tget_async", Do<&Machine::AsyncCopy>},
    {"tgetval", Do<&Machine::ElementAccess>},
    {"tprefetch_async", Do<&Machine::Done>},
    {"tput_async", Do<&Machine::AsyncCopy>},
    {"tsetval", Do<&Machine::ElementAccess>},
    {"wait_async_event", Do<&Machine::Done>},
};
const RunRows kElementRuns = kElementRows;

}  // namespace pto::ptoas
