// extern "C": groups of ranks, and the instructions that communicate.
#include <algorithm>
#include <new>

#include "src/api/api_abi.h"
#include "src/engine/comm.h"

using pto::Abi;
using pto::InEnum;
using pto::Rule;
using pto::Status;
using pto::comm::Compare;

namespace {

constexpr int kNotifies = 2;
constexpr int kAtomics = 2;
static_assert(pto::Same(Compare::kEq, PTO_WAIT_CMP_EQ) && pto::Same(Compare::kNe, PTO_WAIT_CMP_NE) &&
              pto::Same(Compare::kGt, PTO_WAIT_CMP_GT) && pto::Same(Compare::kGe, PTO_WAIT_CMP_GE) &&
              pto::Same(Compare::kLt, PTO_WAIT_CMP_LT) && pto::Same(Compare::kLe, PTO_WAIT_CMP_LE) &&
              PTO_REDUCE_MIN + 1 == pto::comm::kReduces);

template <class E>
Status NeedMode(pto_context* ctx, const char* call, const char* name, const E& value, int count) {
  if (ctx == nullptr) return Status::kNull;
  if (InEnum(value, count)) return Status::kOk;
  return ctx->error.Set(Rule::kMode, call, name, "%s is %d where 0 to %d are known", name, pto::RawEnum(value),
                        count - 1);
}

}  // namespace

extern "C" {

pto_group* pto_group_create(pto_context* ctx, int32_t root) {
  static constexpr char kCall[] = "pto_group_create";
  if (ctx == nullptr) return nullptr;
  if (root < 0 || root >= pto::kMostRanks) {
    ctx->error.Set(Rule::kGroup, kCall, "root", "root is %d where 0 to %d are possible", root, pto::kMostRanks - 1);
    return nullptr;
  }
  auto* group = new (std::nothrow) pto_group;
  if (group == nullptr) {
    ctx->error.Set(Rule::kMemory, kCall, "", "no memory for a group");
    return nullptr;
  }
  pto::g_live_handles.fetch_add(1, std::memory_order_relaxed);
  group->root = root;
  return group;
}

pto_group* pto_group_retain(pto_group* group) {
  if (group != nullptr) group->refs.Retain();
  return group;
}

void pto_group_release(pto_group* group) {
  if (group == nullptr || !group->refs.Release()) return;
  for (int32_t i = 0; i < group->size; ++i) pto::ReleaseTensor(group->members[i]);
  pto::g_live_handles.fetch_sub(1, std::memory_order_relaxed);
  delete group;
}

pto_status pto_group_add(pto_context* ctx, pto_group* group, pto_tensor* tensor) {
  return Abi(pto::comm::Add(ctx, "pto_group_add", group, tensor));
}

int32_t pto_group_size(const pto_group* group) { return group == nullptr ? 0 : group->size; }

int32_t pto_group_root(const pto_group* group) { return group == nullptr ? 0 : group->root; }

pto_status pto_comm_tput(pto_context* ctx, pto_tensor* dst, const pto_tensor* src, pto_tile* ping, pto_tile* pong,
                         pto_atomic atomic) {
  static constexpr char kCall[] = "pto_comm_tput";
  const Status status = NeedMode(ctx, kCall, "atomic", atomic, kAtomics);
  if (status != Status::kOk) return Abi(status);
  return Abi(pto::comm::Put(ctx, kCall, dst, src, {ping, pong}, atomic == PTO_ATOMIC_ADD));
}

pto_status pto_comm_tget(pto_context* ctx, pto_tensor* dst, const pto_tensor* src, pto_tile* ping, pto_tile* pong) {
  return Abi(pto::comm::Put(ctx, "pto_comm_tget", dst, src, {ping, pong}, false));
}

int64_t pto_context_tput_async(pto_context* ctx, pto_tensor* dst, const pto_tensor* src, int32_t session) {
  int64_t event = 0;
  pto::comm::PutAsync(ctx, "pto_context_tput_async", dst, src, session, &event);
  return event;
}

int64_t pto_context_tget_async(pto_context* ctx, pto_tensor* dst, const pto_tensor* src, int32_t session) {
  int64_t event = 0;
  pto::comm::PutAsync(ctx, "pto_context_tget_async", dst, src, session, &event);
  return event;
}

int32_t pto_context_test_async_event(pto_context* ctx, int64_t event, int32_t session) {
  return pto::comm::TestAsync(ctx, "pto_context_test_async_event", event, session) == Status::kOk ? 1 : -1;
}

pto_status pto_comm_wait_async_event(pto_context* ctx, int64_t event, int32_t session) {
  return Abi(pto::comm::TestAsync(ctx, "pto_comm_wait_async_event", event, session));
}

pto_status pto_comm_tnotify(pto_context* ctx, pto_tensor* signal, int32_t value, pto_notify op) {
  static constexpr char kCall[] = "pto_comm_tnotify";
  const Status status = NeedMode(ctx, kCall, "op", op, kNotifies);
  if (status != Status::kOk) return Abi(status);
  return Abi(pto::comm::Notify(ctx, kCall, signal, value, op == PTO_NOTIFY_SET));
}

pto_status pto_comm_twait(pto_context* ctx, const pto_tensor* signal, int32_t value, pto_wait_cmp cmp) {
  static constexpr char kCall[] = "pto_comm_twait";
  const Status status = NeedMode(ctx, kCall, "cmp", cmp, pto::comm::kCompares);
  if (status != Status::kOk) return Abi(status);
  return Abi(pto::comm::Wait(ctx, kCall, signal, value, static_cast<Compare>(cmp)));
}

int32_t pto_context_ttest(pto_context* ctx, const pto_tensor* signal, int32_t value, pto_wait_cmp cmp) {
  static constexpr char kCall[] = "pto_context_ttest";
  bool holds = false;
  int32_t seen = 0;
  if (NeedMode(ctx, kCall, "cmp", cmp, pto::comm::kCompares) != Status::kOk ||
      pto::comm::Test(ctx, kCall, signal, value, static_cast<Compare>(cmp), &holds, &seen) != Status::kOk) {
    return -1;
  }
  return holds ? 1 : 0;
}

pto_status pto_comm_tbroadcast(pto_context* ctx, const pto_group* group, const pto_tensor* src, pto_tile* ping,
                               pto_tile* pong) {
  return Abi(pto::comm::Broadcast(ctx, "pto_comm_tbroadcast", group, src, {ping, pong}));
}

pto_status pto_comm_tgather(pto_context* ctx, pto_tensor* dst, const pto_group* group, pto_tile* ping, pto_tile* pong) {
  return Abi(pto::comm::Gather(ctx, "pto_comm_tgather", dst, group, {ping, pong}));
}

pto_status pto_comm_tscatter(pto_context* ctx, const pto_group* group, const pto_tensor* src, pto_tile* ping,
                             pto_tile* pong) {
  return Abi(pto::comm::Scatter(ctx, "pto_comm_tscatter", group, src, {ping, pong}));
}

pto_status pto_comm_treduce(pto_context* ctx, pto_tensor* dst, const pto_group* group, pto_tile* acc, pto_tile* ping,
                            pto_tile* pong, pto_reduce op) {
  static constexpr char kCall[] = "pto_comm_treduce";
  const Status status = NeedMode(ctx, kCall, "op", op, pto::comm::kReduces);
  if (status != Status::kOk) return Abi(status);
  return Abi(pto::comm::Reduce(ctx, kCall, dst, group, acc, {ping, pong}, op));
}

pto_status pto_comm_allreduce(pto_context* ctx, const pto_group* group, pto_tile* acc, pto_tile* ping, pto_tile* pong,
                              pto_reduce op) {
  static constexpr char kCall[] = "pto_comm_allreduce";
  const Status status = NeedMode(ctx, kCall, "op", op, pto::comm::kReduces);
  if (status != Status::kOk) return Abi(status);
  return Abi(pto::comm::AllReduce(ctx, kCall, group, acc, {ping, pong}, op));
}

pto_status pto_comm_allreduce_segment(pto_context* ctx, const pto_group* group, pto_tile* acc, pto_tile* ping,
                                      pto_tile* pong, pto_reduce op) {
  static constexpr char kCall[] = "pto_comm_allreduce_segment";
  const Status status = NeedMode(ctx, kCall, "op", op, pto::comm::kReduces);
  if (status != Status::kOk) return Abi(status);
  return Abi(pto::comm::AllReduceSegment(ctx, kCall, group, acc, {ping, pong}, op));
}

}  // extern "C"
