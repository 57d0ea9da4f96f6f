// Communication between ranks. A rank that waits gives its turn to the others; everything else is a call of the C API.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/ptoas/read/views.h"
#include "src/ptoas/run/machine.h"

namespace pto::ptoas {

namespace {

struct ReleaseGroup {
  void operator()(pto_group* group) const { pto_group_release(group); }
};

// The dimensions of a tensor as a matrix: all but the last are rows.
void ShapeOf(const pto_tensor* tensor, Event* event) {
  const int32_t rank = pto_tensor_rank(tensor);
  int64_t rows = 1;
  for (int32_t i = 0; i + 1 < rank; ++i) rows *= pto_tensor_dim(tensor, i);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  event->rows = static_cast<int32_t>(std::min(rows, kMost));
  event->cols = static_cast<int32_t>(std::min(pto_tensor_dim(tensor, rank - 1), kMost));
  event->elements =
      static_cast<int32_t>(std::min(pto_tensor_bytes(tensor) / pto_dtype_bytes(pto_tensor_dtype(tensor)), kMost));
  event->bytes = pto_tensor_bytes(tensor);
  event->dtype = static_cast<int8_t>(pto_tensor_dtype(tensor));
}

int64_t CountOf(const pto_tensor* tensor) {
  return pto_tensor_bytes(tensor) / pto_dtype_bytes(pto_tensor_dtype(tensor));
}

}  // namespace

pto_tensor* Machine::TensorOf(const Stmt& stmt, OperandName name, Frame frame) {
  return ValueOf(stmt, *stmt[name], frame, ValueKind::kTensor).box()->tensor;
}

// nullptr: the program leaves it out. `moves` is the tensor that is moved through it.
pto_tile* Machine::StagingOf(const Stmt& stmt, OperandName name, const pto_tensor* moves, Frame frame) {
  const Operand* operand = stmt[name];
  if (operand == nullptr) return nullptr;
  const int32_t rank = pto_tensor_rank(moves);
  const int64_t rows = rank < 2 ? 1 : pto_tensor_dim(moves, rank - 2);
  const Type* type = operand->value == nullptr ? nullptr : operand->value->type;
  if (type != nullptr && type->kind == TypeKind::kTile) {
    const std::string fault = StagingFault(*type, rows, pto_tensor_dim(moves, rank - 1));
    if (!fault.empty()) FailAt(Rule::kStaging, stmt.offset, stmt.length, "%" + std::string(operand->name) + fault);
  }
  return ValueOf(stmt, *operand, frame, ValueKind::kTile).box()->tile;
}

int64_t Machine::CommBegins() const { return options_.record == PTO_RECORD_OFF ? 0 : recorder_->Now(); }

// Records a statement that has ended. `moved` is the tensor that it copies; `remote` may be in the window of another
// rank.
void Machine::RecordComm(const Stmt& stmt, int64_t begin, pto_pipe pipe, pto_tensor* moved, pto_tensor* remote,
                         bool signal) {
  if (options_.record == PTO_RECORD_OFF) return;
  const int64_t before = recorder_->bytes();
  Event event;
  event.stmt = &stmt;
  event.begin = begin;
  event.rank = static_cast<int16_t>(std::max(options_.rank, 0));
  event.block = block_;
  event.core = core_.Index();
  event.pipe = static_cast<int8_t>(pipe);
  ShapeOf(moved, &event);
  if (remote != nullptr) event.peer = PeerOf(remote);
  if (signal) event.signal = pto_tensor_data(moved);
  recorder_->Communicated(event);
  ChargeRecorded(stmt, before);
}

// The rank whose window has the tensor; -1: this rank, or no rank.
int16_t Machine::PeerOf(pto_tensor* tensor) {
  const int16_t rank = RankOf(tensor);
  return rank == options_.rank ? static_cast<int16_t>(-1) : rank;
}

// The rank whose window has the tensor; -1: no rank.
int16_t Machine::RankOf(pto_tensor* tensor) {
  if (options_.world == nullptr) return -1;
  const int64_t bytes = pto_world_window_bytes(options_.world);
  for (auto rank = static_cast<int32_t>(windows_.size()); rank < pto_world_ranks(options_.world); ++rank) {
    pto_tensor_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = PTO_DTYPE_I8;
    desc.rank = 1;
    desc.dim0 = bytes;
    pto_tensor* const window = pto_world_tensor(ctx_, options_.world, rank, &desc, 0);
    windows_.push_back(window == nullptr ? 0 : reinterpret_cast<uintptr_t>(pto_tensor_data(window)));
    pto_tensor_release(window);
  }
  const auto at = reinterpret_cast<uintptr_t>(pto_tensor_data(tensor));
  for (size_t rank = 0; rank < windows_.size(); ++rank) {
    if (at - windows_[rank] >= static_cast<uintptr_t>(bytes)) continue;
    return static_cast<int16_t>(rank);
  }
  return -1;
}

// tput and tget
Flow Machine::CommCopy(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (GivesTurn()) return Flow::kWait;
  pto_tensor* dst = TensorOf(stmt, "dst", frame);
  pto_tensor* src = TensorOf(stmt, "src", frame);
  pto_tile* ping = StagingOf(stmt, "ping", src, frame);
  pto_tile* pong = StagingOf(stmt, "pong", src, frame);
  Work(stmt, CountOf(src));
  const bool put = stmt.Is("comm.tput");
  const auto atomic = static_cast<pto_atomic>(node.choice);
  if (watched_) WatchComm(node, frame);
  const int64_t begin = CommBegins();
  if (put && options_.late) {
    SendLate(stmt, dst, src, atomic);
    RecordComm(stmt, begin, PTO_PIPE_MTE3, src, dst, false);
    return Flow::kNext;
  }
  Called(stmt, put ? pto_comm_tput(ctx_, dst, src, ping, pong, atomic) : pto_comm_tget(ctx_, dst, src, ping, pong));
  RecordComm(stmt, begin, put ? PTO_PIPE_MTE3 : PTO_PIPE_MTE2, src, put ? dst : src, false);
  return Flow::kNext;
}

Flow Machine::Notify(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (GivesTurn()) return Flow::kWait;
  if (options_.drains) Arrive();
  const auto value = static_cast<int32_t>(IntOf(stmt, *stmt["value"], frame));
  const auto op = static_cast<pto_notify>(node.choice);
  pto_tensor* signal = TensorOf(stmt, "signal", frame);
  if (pto_tensor_dtype(signal) == PTO_DTYPE_I32 && pto_tensor_bytes(signal) == sizeof(int32_t)) {
    WatchNotify(stmt, signal, value, op == PTO_NOTIFY_SET);
  }
  const int64_t begin = CommBegins();
  Called(stmt, pto_comm_tnotify(ctx_, signal, value, op));
  RecordComm(stmt, begin, PTO_PIPE_S, signal, signal, true);
  return Flow::kNext;
}

// 1: it holds, 0: it does not.
int32_t Machine::AskSignal(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  pto_tensor* signal = TensorOf(stmt, "signal", frame);
  const auto value = static_cast<int32_t>(IntOf(stmt, *stmt["value"], frame));
  const auto cmp = static_cast<pto_wait_cmp>(node.choice);
  const int32_t holds = pto_context_ttest(ctx_, signal, value, cmp);
  if (holds < 0) FailCall(stmt);
  if (holds == 0) {
    wait_ = {Wait::Need::kSignal, core_, value};
    wait_.signal = signal;
    wait_.cmp = cmp;
  } else {
    WatchAwait(stmt, signal, value, cmp);
  }
  return holds;
}

Flow Machine::Await(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (waits_since_ < 0) waits_since_ = CommBegins();
  if (AskSignal(node, frame) == 0) return Flow::kWait;
  if (options_.record != PTO_RECORD_OFF) {
    RecordComm(stmt, waits_since_, PTO_PIPE_S, TensorOf(stmt, "signal", frame), nullptr, true);
  }
  waits_since_ = -1;
  return Flow::kNext;
}

// A rank that asks in a loop lets the others run before it hears that the signal is not there.
Flow Machine::Poll(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const int64_t begin = CommBegins();
  const int32_t holds = AskSignal(node, frame);
  if (holds != 0 && options_.record != PTO_RECORD_OFF) {
    RecordComm(stmt, begin, PTO_PIPE_S, TensorOf(stmt, "signal", frame), nullptr, true);
  }
  if (holds == 0 && !waits_ && options_.world != nullptr) {
    wait_ = {Wait::Need::kOthers, core_, 0};
    return Flow::kWait;
  }
  frame[stmt.results[0]->slot].SetInt(holds);
  return Flow::kNext;
}

// allreduce, allreduce_segment, tbroadcast, tgather, tscatter and treduce
void Machine::Collective(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const std::span<Operand> members = stmt.All("group");
  const auto root = static_cast<int32_t>(IntAttr(stmt, "root", 0));
  const std::unique_ptr<pto_group, ReleaseGroup> group(pto_group_create(ctx_, root));
  if (group == nullptr) FailCall(stmt);
  std::vector<pto_tensor*> tensors;
  for (const Operand& member : members) {
    tensors.push_back(ValueOf(stmt, member, frame, ValueKind::kTensor).box()->tensor);
    Called(stmt, pto_group_add(ctx_, group.get(), tensors.back()));
    Work(stmt, CountOf(tensors.back()));
  }
  pto_tensor* whole = nullptr;
  if (stmt["src"] != nullptr) whole = TensorOf(stmt, "src", frame);
  if (stmt["dst"] != nullptr) whole = TensorOf(stmt, "dst", frame);
  pto_tile* ping = StagingOf(stmt, "ping", tensors[0], frame);
  pto_tile* pong = StagingOf(stmt, "pong", tensors[0], frame);
  if (watched_) WatchComm(node, frame);
  const int64_t begin = CommBegins();
  if (stmt.Is("comm.tbroadcast")) {
    Called(stmt, pto_comm_tbroadcast(ctx_, group.get(), whole, ping, pong));
  } else if (stmt.Is("comm.tgather")) {
    Called(stmt, pto_comm_tgather(ctx_, whole, group.get(), ping, pong));
  } else if (stmt.Is("comm.tscatter")) {
    Called(stmt, pto_comm_tscatter(ctx_, group.get(), whole, ping, pong));
  } else {
    pto_tile* acc = StagingOf(stmt, "acc", tensors[0], frame);
    const auto op = static_cast<pto_reduce>(node.choice);
    Called(stmt, whole != nullptr ? pto_comm_treduce(ctx_, whole, group.get(), acc, ping, pong, op)
                 : stmt.Is("comm.allreduce_segment")
                     ? pto_comm_allreduce_segment(ctx_, group.get(), acc, ping, pong, op)
                     : pto_comm_allreduce(ctx_, group.get(), acc, ping, pong, op));
  }
  RecordComm(stmt, begin, PTO_PIPE_MTE3, whole == nullptr ? tensors[0] : whole, nullptr, false);
}

static constexpr RunRow kCommRows[] = {
    {"comm.allreduce", Do<&Machine::Collective>},  {"comm.allreduce_segment", Do<&Machine::Collective>},
    {"comm.tbroadcast", Do<&Machine::Collective>}, {"comm.tgather", Do<&Machine::Collective>},
    {"comm.tget", Do<&Machine::CommCopy>},         {"comm.tnotify", Do<&Machine::Notify>},
    {"comm.tput", Do<&Machine::CommCopy>},         {"comm.treduce", Do<&Machine::Collective>},
    {"comm.tscatter", Do<&Machine::Collective>},   {"comm.ttest", Do<&Machine::Poll>},
    {"comm.twait", Do<&Machine::Await>},
};
const RunRows kCommRuns = kCommRows;

}  // namespace pto::ptoas
