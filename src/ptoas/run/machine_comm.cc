// Communication between ranks. A rank that waits gives its turn to the others; everything else is a call of the C API.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/ops/attributes.h"
#include "src/ptoas/read/views.h"
#include "src/ptoas/run/machine.h"

namespace pto::ptoas {

namespace {

struct ReleaseGroup {
  void operator()(pto_group* group) const { pto_group_release(group); }
};

// The number of an attribute's value in its enum.
int ChoiceOf(const Stmt& stmt, std::string_view key) {
  const std::string_view given = GivenValue(stmt, key);
  const AttributeInfo* info = FindAttribute(stmt, key);
  int at = 0;
  while (!given.empty() && given != info->values[at].name) ++at;
  return at;
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

// tput and tget
Flow Machine::CommCopy(const Stmt& stmt, Frame frame) {
  if (GivesTurn()) return Flow::kWait;
  pto_tensor* dst = TensorOf(stmt, "dst", frame);
  pto_tensor* src = TensorOf(stmt, "src", frame);
  pto_tile* ping = StagingOf(stmt, "ping", src, frame);
  pto_tile* pong = StagingOf(stmt, "pong", src, frame);
  Work(stmt, CountOf(src));
  const bool put = stmt.Is("comm.tput");
  const auto atomic = static_cast<pto_atomic>(put ? ChoiceOf(stmt, "atomicType") : 0);
  if (watched_) WatchComm(stmt, frame);
  if (put && options_.late) {
    SendLate(stmt, dst, src, atomic);
    return Flow::kNext;
  }
  Called(stmt, put ? pto_comm_tput(ctx_, dst, src, ping, pong, atomic) : pto_comm_tget(ctx_, dst, src, ping, pong));
  return Flow::kNext;
}

Flow Machine::Notify(const Stmt& stmt, Frame frame) {
  if (GivesTurn()) return Flow::kWait;
  if (options_.drains) Arrive();
  const auto value = static_cast<int32_t>(IntOf(stmt, *stmt["value"], frame));
  const auto op = static_cast<pto_notify>(ChoiceOf(stmt, "notifyOp"));
  pto_tensor* signal = TensorOf(stmt, "signal", frame);
  if (pto_tensor_dtype(signal) == PTO_DTYPE_I32 && pto_tensor_bytes(signal) == sizeof(int32_t)) {
    WatchNotify(stmt, signal, value, op == PTO_NOTIFY_SET);
  }
  Called(stmt, pto_comm_tnotify(ctx_, signal, value, op));
  return Flow::kNext;
}

// 1: it holds, 0: it does not.
int32_t Machine::AskSignal(const Stmt& stmt, Frame frame) {
  pto_tensor* signal = TensorOf(stmt, "signal", frame);
  const auto value = static_cast<int32_t>(IntOf(stmt, *stmt["value"], frame));
  const auto cmp = static_cast<pto_wait_cmp>(ChoiceOf(stmt, "cmp"));
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

Flow Machine::Await(const Stmt& stmt, Frame frame) { return AskSignal(stmt, frame) == 1 ? Flow::kNext : Flow::kWait; }

// A rank that asks in a loop lets the others run before it hears that the signal is not there.
Flow Machine::Poll(const Stmt& stmt, Frame frame) {
  const int32_t holds = AskSignal(stmt, frame);
  if (holds == 0 && !waits_ && options_.world != nullptr) {
    wait_ = {Wait::Need::kOthers, core_, 0};
    return Flow::kWait;
  }
  frame[stmt.results[0]->slot].SetInt(holds);
  return Flow::kNext;
}

// allreduce, tbroadcast, tgather, tscatter and treduce
void Machine::Collective(const Stmt& stmt, Frame frame) {
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
  if (watched_) WatchComm(stmt, frame);
  if (stmt.Is("comm.tbroadcast")) {
    Called(stmt, pto_comm_tbroadcast(ctx_, group.get(), whole, ping, pong));
  } else if (stmt.Is("comm.tgather")) {
    Called(stmt, pto_comm_tgather(ctx_, whole, group.get(), ping, pong));
  } else if (stmt.Is("comm.tscatter")) {
    Called(stmt, pto_comm_tscatter(ctx_, group.get(), whole, ping, pong));
  } else {
    pto_tile* acc = StagingOf(stmt, "acc", tensors[0], frame);
    const auto op = static_cast<pto_reduce>(ChoiceOf(stmt, "reduceOp"));
    Called(stmt, whole == nullptr ? pto_comm_allreduce(ctx_, group.get(), acc, ping, pong, op)
                                  : pto_comm_treduce(ctx_, whole, group.get(), acc, ping, pong, op));
  }
}

static constexpr RunRow kCommRows[] = {
    {"comm.allreduce", Do<&Machine::Collective>}, {"comm.tbroadcast", Do<&Machine::Collective>},
    {"comm.tgather", Do<&Machine::Collective>},   {"comm.tget", Do<&Machine::CommCopy>},
    {"comm.tnotify", Do<&Machine::Notify>},       {"comm.tput", Do<&Machine::CommCopy>},
    {"comm.treduce", Do<&Machine::Collective>},   {"comm.tscatter", Do<&Machine::Collective>},
    {"comm.ttest", Do<&Machine::Poll>},           {"comm.twait", Do<&Machine::Await>},
};
const RunRows kCommRuns = kCommRows;

}  // namespace pto::ptoas
