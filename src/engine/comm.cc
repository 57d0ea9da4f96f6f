#include "src/engine/comm.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <thread>

#include "src/engine/combine.h"
#include "src/engine/comm_places.h"
#include "src/engine/execute.h"
#include "src/records/segment.h"

namespace pto::comm {

namespace {

constexpr DTypeSet kTypes = dtypes::kUpTo32Bits;
constexpr DTypeSet kAddTypes = kTypes & (dtypes::kSigned | dtypes::kFloats);

std::string DimsOf(const TensorShape& shape) {
  std::string text;
  for (const int64_t dim : shape.dim) text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

Status NeedTensor(pto_context* ctx, const char* call, const char* name, const pto_tensor* tensor) {
  if (ctx == nullptr) return Status::kNull;
  if (tensor == nullptr) return ctx->error.Set(Rule::kNull, call, name, "%s is NULL", name);
  return Status::kOk;
}

Status NeedType(pto_context* ctx, const char* call, const char* name, DType is, DType want, bool add) {
  if (is == want && (Bit(is) & (add ? kAddTypes : kTypes)) != 0) return Status::kOk;
  return ctx->error.Set(Rule::kCommDType, call, name, "%s is of %s where src is of %s%s", name, Info(is).name,
                        Info(want).name, add ? " and is added" : "");
}

Status NeedStaging(pto_context* ctx, const char* call, const Staging& staging, DType dtype,
                   const char* first = "ping") {
  for (const bool second : {false, true}) {
    const char* const name = second ? "pong" : first;
    const pto_tile* const tile = second ? staging.pong : staging.ping;
    if (tile == nullptr) continue;
    if (tile->geometry.location != Location::kVec) {
      return ctx->error.Set(Rule::kStaging, call, name, "%s lies in %s", name, Info(tile->geometry.location).name);
    }
    const Status status = NeedType(ctx, call, name, tile->dtype(), dtype, false);
    if (status != Status::kOk) return status;
  }
  const pto_tile* const ping = staging.ping;
  const pto_tile* const pong = staging.pong;
  if (ping == nullptr || pong == nullptr) return Status::kOk;
  if (ping->geometry.rows != pong->geometry.rows || ping->geometry.cols != pong->geometry.cols) {
    return ctx->error.Set(Rule::kStaging, call, "pong", "ping is %dx%d and pong %dx%d", ping->geometry.rows,
                          ping->geometry.cols, pong->geometry.rows, pong->geometry.cols);
  }
  if (ping->data == nullptr || Apart(*ping, *pong)) return Status::kOk;
  return ctx->error.Set(Rule::kStaging, call, "pong", "ping and pong share memory");
}

// Equal except for the rows if `rows` is given: `is` has at least that number.
Status NeedShape(pto_context* ctx, const char* call, const char* name, const TensorShape& is, const TensorShape& want,
                 int64_t rows = -1) {
  bool same = is.layout == want.layout;
  for (int i = 0; i < kMaxRank; ++i) {
    same = same && (rows >= 0 && i == kRowsAt ? is.dim[i] >= rows : is.dim[i] == want.dim[i]);
  }
  if (same) return Status::kOk;
  if (rows >= 0) {
    return ctx->error.Set(Rule::kGroupRows, call, name, "%s is %s where members are %s and %lld rows are needed", name,
                          DimsOf(is).c_str(), DimsOf(want).c_str(), static_cast<long long>(rows));
  }
  return ctx->error.Set(Rule::kCommShape, call, name, "%s is %s of %s where it has to be %s of %s", name,
                        DimsOf(is).c_str(), OrderOf(is.layout).name, DimsOf(want).c_str(), OrderOf(want.layout).name);
}

// ---- moves ------------------------------------------------------------------

Status NeedFlat(pto_context* ctx, const char* call, const char* name, const TensorShape& shape) {
  if (Dense(shape)) return Status::kOk;
  return ctx->error.Set(Rule::kCommFlat, call, name, "%s of %s has gaps between its elements", name,
                        DimsOf(shape).c_str());
}

Status Arrived(pto_context* ctx, const char* call, const FarError& error) {
  if (error.operation == nullptr) [[likely]]
    return Status::kOk;
  return ctx->error.Set(Rule::kTransportFailed, call, "", "%s for the window of rank %d failed: %s", error.operation,
                        error.rank, error.text);
}

// Precondition: same dimensions and element type.
Status Move(pto_context* ctx, const char* call, const MemberPart& dst, const MemberPart& src, bool add) {
  if (src.shape.Count() == 0) return Status::kOk;
  FarError error;
  const bool whole = Dense(dst.shape) && Dense(src.shape);
  const Rows to(dst, whole);
  const Rows from(src, whole);
  const Kernel& sum = ctx->kernels->at[static_cast<int>(Lane::kAdd)][static_cast<int>(src.shape.dtype)];
  for (int64_t i = 0; i < to.count; ++i) {
    if (add && to.Row(i).far()) {
      AddFar(to.Row(i), to.step, from.Row(i), from.step, to.length, src.shape.dtype, &error);
    } else if (add) {
      Combine(sum, to.Row(i).data, to.step, from.Row(i).data, from.step, to.length);
    } else {
      CopyElements(to.Row(i), to.step, from.Row(i), from.step, to.length, to.size, &error);
    }
  }
  return Arrived(ctx, call, error);
}

Status NeedMembers(pto_context* ctx, const char* call, const pto_group* group) {
  if (ctx == nullptr) return Status::kNull;
  if (group == nullptr) return ctx->error.Set(Rule::kNull, call, "group", "group is NULL");
  if (group->root < group->size) return Status::kOk;
  return ctx->error.Set(Rule::kGroup, call, "group", "the root is member %d of %d", group->root, group->size);
}

Status NeedGroup(pto_context* ctx, const char* call, const pto_group* group) {
  const Status status = NeedMembers(ctx, call, group);
  if (status != Status::kOk) return status;
  const int32_t root = RootRank(*group);
  if (ctx->rank < 0 || ctx->rank == root) return Status::kOk;
  return ctx->error.Set(Rule::kGroupRoot, call, "group", "rank %d calls it where rank %d is the root", ctx->rank, root);
}

}  // namespace

// A member outside of windows belongs to the rank with its number.
int32_t RankOf(const pto_group& group, int32_t member) {
  const int32_t rank = group.members[member]->storage->rank;
  return rank >= 0 ? rank : member;
}

int32_t RootRank(const pto_group& group) { return RankOf(group, group.root); }

int32_t MemberOf(const pto_group& group, int32_t rank) {
  for (int32_t i = 0; i < group.size; ++i) {
    if (RankOf(group, i) == rank) return i;
  }
  return -1;
}

Status Add(pto_context* ctx, const char* call, pto_group* group, pto_tensor* tensor) {
  Status status = NeedTensor(ctx, call, "tensor", tensor);
  if (status != Status::kOk) return status;
  if (group == nullptr) return ctx->error.Set(Rule::kNull, call, "group", "group is NULL");
  if (group->size == kMostRanks) {
    return ctx->error.Set(Rule::kGroup, call, "group", "the group has %d members already", group->size);
  }
  const TensorShape& shape = tensor->shape;
  status = NeedType(ctx, call, "tensor", shape.dtype, group->size == 0 ? shape.dtype : group->members[0]->shape.dtype,
                    false);
  if (status != Status::kOk) return status;
  if (group->size > 0) {
    const TensorShape& first = group->members[0]->shape;
    if (!std::equal(shape.dim, shape.dim + kMaxRank, first.dim) || shape.layout != first.layout) {
      return ctx->error.Set(Rule::kGroup, call, "tensor", "member %d is %s of %s where the first is %s of %s",
                            group->size, DimsOf(shape).c_str(), OrderOf(shape.layout).name, DimsOf(first).c_str(),
                            OrderOf(first.layout).name);
    }
  }
  RetainTensor(tensor);
  group->members[group->size++] = tensor;
  return Status::kOk;
}

// ---- data -------------------------------------------------------------------

namespace {

// MPI has no sums of types that it does not know, nor of what is not here.
Status NeedSum(pto_context* ctx, const char* call, const pto_tensor* dst, const pto_tensor* src) {
  const bool is_half = dst->shape.dtype == DType::kF16 || dst->shape.dtype == DType::kBF16;
  if (dst->storage->far == nullptr || (!is_half && src->storage->far == nullptr)) return Status::kOk;
  return ctx->error.Set(Rule::kFarWindow, call, "atomic", "%s is added over MPI, which has no sum for it",
                        is_half ? Info(dst->shape.dtype).name : "memory of another rank");
}

}  // namespace

Status Put(pto_context* ctx, const char* call, pto_tensor* dst, const pto_tensor* src, const Staging& staging,
           bool add) {
  Status status = NeedTensor(ctx, call, "dst", dst);
  if (status == Status::kOk) status = NeedTensor(ctx, call, "src", src);
  if (status == Status::kOk) status = NeedType(ctx, call, "dst", dst->shape.dtype, src->shape.dtype, add);
  if (status == Status::kOk) status = NeedShape(ctx, call, "dst", dst->shape, src->shape);
  if (status == Status::kOk) status = NeedStaging(ctx, call, staging, src->shape.dtype);
  if (status == Status::kOk && add) status = NeedSum(ctx, call, dst, src);
  if (status == Status::kOk) status = Move(ctx, call, MemberPart(dst), MemberPart(src), add);
  return status;
}

Status PutAsync(pto_context* ctx, const char* call, pto_tensor* dst, const pto_tensor* src, int32_t session,
                int64_t* event) {
  if (ctx == nullptr) return Status::kNull;
  if (session < 0 || session >= kAsyncSessions) {
    return ctx->error.Set(Rule::kAsyncEvent, call, "session", "session is %d where 0 to %d are known", session,
                          kAsyncSessions - 1);
  }
  Status status = NeedTensor(ctx, call, "dst", dst);
  if (status == Status::kOk) status = NeedTensor(ctx, call, "src", src);
  if (status == Status::kOk) status = NeedFlat(ctx, call, "dst", dst->shape);
  if (status == Status::kOk) status = NeedFlat(ctx, call, "src", src->shape);
  if (status == Status::kOk) status = Put(ctx, call, dst, src, {nullptr, nullptr}, false);
  if (status == Status::kOk) *event = ++ctx->async_events[session];
  return status;
}

Status TestAsync(pto_context* ctx, const char* call, int64_t event, int32_t session) {
  if (ctx == nullptr) return Status::kNull;
  const int64_t given = session < 0 || session >= kAsyncSessions ? 0 : ctx->async_events[session];
  if (event >= 1 && event <= given) return Status::kOk;
  return ctx->error.Set(Rule::kAsyncEvent, call, "event", "event is %lld where session %d has begun %lld",
                        static_cast<long long>(event), session, static_cast<long long>(given));
}

Status Broadcast(pto_context* ctx, const char* call, const pto_group* group, const pto_tensor* src,
                 const Staging& staging) {
  Status status = NeedGroup(ctx, call, group);
  if (status == Status::kOk) status = NeedTensor(ctx, call, "src", src);
  if (status != Status::kOk) return status;
  const TensorShape& shape = group->members[0]->shape;
  status = NeedType(ctx, call, "group", shape.dtype, src->shape.dtype, false);
  if (status == Status::kOk) status = NeedShape(ctx, call, "src", src->shape, shape);
  if (status == Status::kOk) status = NeedStaging(ctx, call, staging, shape.dtype);
  if (status != Status::kOk) return status;
  for (int32_t i = 0; i < group->size && status == Status::kOk; ++i) {
    status = Move(ctx, call, MemberPart(group->members[i]), MemberPart(src), false);
  }
  return status;
}

Status Gather(pto_context* ctx, const char* call, pto_tensor* dst, const pto_group* group, const Staging& staging) {
  Status status = NeedGroup(ctx, call, group);
  if (status == Status::kOk) status = NeedTensor(ctx, call, "dst", dst);
  if (status != Status::kOk) return status;
  const TensorShape& shape = group->members[0]->shape;
  status = NeedType(ctx, call, "dst", dst->shape.dtype, shape.dtype, false);
  if (status == Status::kOk) {
    status = NeedShape(ctx, call, "dst", dst->shape, shape, group->size * shape.dim[kRowsAt]);
  }
  if (status == Status::kOk) status = NeedStaging(ctx, call, staging, shape.dtype);
  if (status != Status::kOk) return status;
  for (int32_t i = 0; i < group->size && status == Status::kOk; ++i) {
    status = Move(ctx, call, MemberPart(dst, i, shape), MemberPart(group->members[i]), false);
  }
  return status;
}

Status Scatter(pto_context* ctx, const char* call, const pto_group* group, const pto_tensor* src,
               const Staging& staging) {
  Status status = NeedGroup(ctx, call, group);
  if (status == Status::kOk) status = NeedTensor(ctx, call, "src", src);
  if (status != Status::kOk) return status;
  const TensorShape& shape = group->members[0]->shape;
  status = NeedType(ctx, call, "group", shape.dtype, src->shape.dtype, false);
  if (status == Status::kOk) {
    status = NeedShape(ctx, call, "src", src->shape, shape, group->size * shape.dim[kRowsAt]);
  }
  if (status == Status::kOk) status = NeedStaging(ctx, call, staging, shape.dtype);
  if (status != Status::kOk) return status;
  for (int32_t i = 0; i < group->size && status == Status::kOk; ++i) {
    status = Move(ctx, call, MemberPart(group->members[i]), MemberPart(src, i, shape), false);
  }
  return status;
}

namespace {

// Folds the members in their fixed order and stores the result in each tensor of `into`, which may be members: a piece
// of all is folded before the next one. A segment is one of elements without gaps.
Status Fold(pto_context* ctx, const char* call, const pto_group& group, int reduce, std::span<pto_tensor* const> into,
            const Segment& segment = {}) {
  constexpr Lane kLanes[kReduces] = {Lane::kAdd, Lane::kMax, Lane::kMin};
  const TensorShape& shape = group.members[0]->shape;
  if (shape.Count() == 0) return Status::kOk;
  const Kernel& lane = ctx->kernels->at[static_cast<int>(kLanes[reduce])][static_cast<int>(shape.dtype)];
  const std::span<pto_tensor* const> members(group.members, static_cast<size_t>(group.size));
  const auto dense = [](const pto_tensor* tensor) { return Dense(tensor->shape); };
  const bool whole = std::all_of(into.begin(), into.end(), dense) && std::all_of(members.begin(), members.end(), dense);
  const MemberPart first(group.members[0]);
  const Rows rows(first, whole);
  const int64_t end = std::min(rows.length, segment.end);
  if (end <= segment.begin) return Status::kOk;
  // Memory of the sum, and of a copy of one member. Each copy of a far member waits, so all are under way at once, and
  // the pieces are large. Without memory for that there are more of them.
  constexpr int64_t kNear = 4096;
  constexpr int64_t kFar = 4 << 20;
  const bool far = std::any_of(members.begin(), members.end(), [](const pto_tensor* t) { return t->storage->far; });
  const int64_t copies = far ? group.size + 1 : 2;
  alignas(64) uint8_t pieces[kNear * 4];
  uint8_t* sum = pieces;
  int64_t most = kNear / copies;
  const int64_t wanted = std::min(kFar / copies, end - segment.begin);
  const auto bytes = static_cast<size_t>(copies * wanted * 4);
  const std::unique_ptr<uint8_t[]> larger(far && wanted > most ? new (std::nothrow) uint8_t[bytes] : nullptr);
  if (larger != nullptr) {
    sum = larger.get();
    most = wanted;
  }
  FarError error;
  for (int64_t row = 0; row < rows.count; ++row) {
    for (int64_t at = segment.begin; at < end; at += most) {
      const int64_t count = std::min(most, end - at);
      // Where the elements of a member are, or a copy of them. Far ones without gaps are got together, at first.
      FarCopies gets(false, &error);
      const auto take = [&](int32_t member, bool early) -> const uint8_t* {
        const MemberPart one(group.members[member]);
        const Rows from(one, whole);
        const FarPlace place = from.Row(row) + at * from.step * from.size;
        if (from.step == 1 && !place.far()) return place.data;
        uint8_t* const piece = sum + (far ? member + 1 : member == group.root ? 0 : 1) * most * 4;
        if (from.step != 1) {
          if (!early) CopyElements({piece, nullptr}, 1, place, from.step, count, from.size, &error);
        } else if (early) {
          gets.Add(place, piece, count * from.size);
        }
        return piece;
      };
      for (int32_t i = 0; far && i < group.size; ++i) take(i, true);
      gets.Done();
      const uint8_t* left = take(group.root, false);
      for (int32_t i = 0; i < group.size; ++i) {
        if (i == group.root) continue;
        Call(lane, Grid{sum, left, take(i, false), 0, 0, 0, 1, 1, 1, static_cast<size_t>(count)});
        left = sum;
      }
      if (error.operation != nullptr) return Arrived(ctx, call, error);
      FarCopies puts(true, &error);
      for (pto_tensor* tensor : into) {
        const MemberPart one(tensor);
        const Rows to(one, whole);
        const FarPlace place = to.Row(row) + at * to.step * to.size;
        if (to.step == 1 && place.far()) {
          puts.Add(place, left, count * to.size);
        } else {
          CopyElements(place, to.step, {const_cast<uint8_t*>(left), nullptr}, 1, count, to.size, &error);
        }
      }
      puts.Done();
      if (error.operation != nullptr) return Arrived(ctx, call, error);
    }
  }
  return Status::kOk;
}

Status NeedFold(pto_context* ctx, const char* call, const pto_group* group, const pto_tile* acc,
                const Staging& staging) {
  const DType dtype = group->members[0]->shape.dtype;
  const Status status = NeedStaging(ctx, call, {acc, nullptr}, dtype, "acc");
  return status != Status::kOk ? status : NeedStaging(ctx, call, staging, dtype);
}

}  // namespace

Status Reduce(pto_context* ctx, const char* call, pto_tensor* dst, const pto_group* group, const pto_tile* acc,
              const Staging& staging, int reduce) {
  Status status = NeedGroup(ctx, call, group);
  if (status == Status::kOk) status = NeedTensor(ctx, call, "dst", dst);
  if (status != Status::kOk) return status;
  const TensorShape& shape = group->members[0]->shape;
  status = NeedType(ctx, call, "dst", dst->shape.dtype, shape.dtype, false);
  if (status == Status::kOk) status = NeedShape(ctx, call, "dst", dst->shape, shape);
  if (status == Status::kOk) status = NeedFold(ctx, call, group, acc, staging);
  if (status == Status::kOk) status = Fold(ctx, call, *group, reduce, {&dst, 1});
  return status;
}

Status AllReduce(pto_context* ctx, const char* call, const pto_group* group, const pto_tile* acc,
                 const Staging& staging, int reduce) {
  Status status = NeedGroup(ctx, call, group);
  if (status == Status::kOk) status = NeedFold(ctx, call, group, acc, staging);
  if (status == Status::kOk) {
    status = Fold(ctx, call, *group, reduce, {group->members, static_cast<size_t>(group->size)});
  }
  return status;
}

Status AllReduceSegment(pto_context* ctx, const char* call, const pto_group* group, const pto_tile* acc,
                        const Staging& staging, int reduce) {
  Status status = NeedMembers(ctx, call, group);
  if (status != Status::kOk) return status;
  const int32_t member = MemberOf(*group, ctx->rank);
  if (member < 0 && ctx->rank >= 0) {
    return ctx->error.Set(Rule::kGroupMember, call, "group", "rank %d calls it, and has none of the %d members",
                          ctx->rank, group->size);
  }
  for (int32_t i = 0; i < group->size && status == Status::kOk; ++i) {
    status = NeedFlat(ctx, call, "group", group->members[i]->shape);
  }
  if (status == Status::kOk) status = NeedFold(ctx, call, group, acc, staging);
  if (status != Status::kOk) return status;
  const int64_t count = group->members[0]->shape.Count();
  return Fold(ctx, call, *group, reduce, {group->members, static_cast<size_t>(group->size)},
              ctx->rank < 0 ? Segment{} : SegmentOf(count, group->size, member));
}

// ---- signals ----------------------------------------------------------------

namespace {

Status NeedSignal(pto_context* ctx, const char* call, const pto_tensor* signal) {
  const Status status = NeedTensor(ctx, call, "signal", signal);
  if (status != Status::kOk) return status;
  if (signal->shape.dtype == DType::kI32 && signal->shape.Count() > 0) return Status::kOk;
  return ctx->error.Set(Rule::kSignal, call, "signal", "the signal is %s of %s", DimsOf(signal->shape).c_str(),
                        Info(signal->shape.dtype).name);
}

Status NeedOwn(pto_context* ctx, const char* call, const pto_tensor* signal) {
  const Status status = NeedSignal(ctx, call, signal);
  if (status != Status::kOk) return status;
  const int32_t owner = signal->storage->rank;
  const bool any = ctx->rank < 0 && signal->storage->far == nullptr;
  if (owner < 0 || any || owner == ctx->rank) return status;
  return ctx->error.Set(Rule::kSignalOwn, call, "signal", "rank %d waits for a signal in the window of rank %d",
                        ctx->rank, owner);
}

bool Holds(int32_t is, int32_t value, Compare compare) {
  switch (compare) {
    case Compare::kEq:
      return is == value;
    case Compare::kNe:
      return is != value;
    case Compare::kGt:
      return is > value;
    case Compare::kGe:
      return is >= value;
    case Compare::kLt:
      return is < value;
    case Compare::kLe:
      return is <= value;
  }
  return false;
}

bool AllHold(const pto_tensor& signal, int32_t value, Compare compare, int32_t* seen) {
  const TensorShape& s = signal.shape;
  const int64_t rows = s.dim[0] * s.dim[1] * s.dim[2] * s.dim[3];
  for (int64_t row = 0; row < rows; ++row) {
    auto* const first = reinterpret_cast<int32_t*>(signal.data) + s.RowOffset(row);
    for (int64_t k = 0; k < s.dim[4]; ++k) {
      *seen = std::atomic_ref<int32_t>(first[k * s.stride[4]]).load(std::memory_order_acquire);
      if (!Holds(*seen, value, compare)) return false;
    }
  }
  return true;
}

}  // namespace

const char* NameOf(Compare compare) {
  constexpr const char* kNames[] = {"==", "!=", ">", ">=", "<", "<="};
  return kNames[static_cast<int>(compare)];
}

Status Notify(pto_context* ctx, const char* call, pto_tensor* signal, int32_t value, bool set) {
  const Status status = NeedSignal(ctx, call, signal);
  if (status != Status::kOk) return status;
  if (signal->shape.Count() != 1) {
    return ctx->error.Set(Rule::kSignal, call, "signal", "a notification is for one element, and the signal has %lld",
                          static_cast<long long>(signal->shape.Count()));
  }
  if (const Far* const far = signal->storage->far; far != nullptr) [[unlikely]] {
    const int64_t offset = signal->data - signal->storage->data;
    FarError error;
    if (set) {
      far->transport->set(far->link, signal->storage->rank, offset, value, &error);
    } else {
      far->transport->add(far->link, signal->storage->rank, offset, &value, 1, DType::kI32, &error);
    }
    return Arrived(ctx, call, error);
  }
  const std::atomic_ref<int32_t> at(*reinterpret_cast<int32_t*>(signal->data));
  if (set) {
    at.store(value, std::memory_order_release);
  } else {
    at.fetch_add(value, std::memory_order_acq_rel);
  }
  if (ctx->world != nullptr) ctx->world->waits.Wake();
  return status;
}

Status Test(pto_context* ctx, const char* call, const pto_tensor* signal, int32_t value, Compare compare, bool* holds,
            int32_t* seen) {
  const Status status = NeedOwn(ctx, call, signal);
  if (status == Status::kOk) *holds = AllHold(*signal, value, compare, seen);
  return status;
}

Status Wait(pto_context* ctx, const char* call, const pto_tensor* signal, int32_t value, Compare compare) {
  const Status status = NeedOwn(ctx, call, signal);
  if (status != Status::kOk) return status;
  struct Asked {
    const pto_tensor* signal;
    int32_t value;
    Compare compare;
    int32_t seen;
  } asked{signal, value, compare, 0};
  const auto holds = [](void* data) {
    auto& one = *static_cast<Asked*>(data);
    return AllHold(*one.signal, one.value, one.compare, &one.seen);
  };
  if (holds(&asked)) return status;
  Waits alone;  // of a context of no world: threads of the caller may set the signal
  Waits& waits = ctx->world == nullptr ? alone : ctx->world->waits;
  Waits::Lost lost;
  const Waits::End end = waits.Await(ctx->rank, holds, &asked, &lost);
  if (end == Waits::End::kHolds) return status;
  std::string why;
  if (end == Waits::End::kDeadlock) why = "; every other rank waits, or has come to its end";
  if (end == Waits::End::kLost) {
    why = "; rank " + std::to_string(lost.rank) + ", process " + std::to_string(lost.process) + ", has ended";
  }
  return ctx->error.Set(end == Waits::End::kTimeLimit ? Rule::kTimeLimit : Rule::kDeadlock, call, "signal",
                        "rank %d waits for a signal %s %d, and it is %d%s", ctx->rank, NameOf(compare), value,
                        asked.seen, why.c_str());
}

}  // namespace pto::comm
