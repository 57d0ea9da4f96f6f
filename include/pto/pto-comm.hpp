// Communication between ranks: windows of memory that all ranks have alike, signals in them, groups of ranks, and the
// instructions that move data between them. Include it after, or instead of, pto-inst.hpp. pto::LaunchRanks() of
// pto-launch.hpp runs a kernel once for each rank; docs/ranks.md describes the model.
#ifndef PTO_PTO_COMM_HPP_
#define PTO_PTO_COMM_HPP_

#include <algorithm>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pto/pto-inst.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace comm {

inline constexpr uint32_t HCCL_MAX_RANK_NUM = 64;

// A kernel's view of its rank and of all windows; kernels declare the same struct by names of their own.
struct CommContext {
  uint64_t workSpace = 0;
  uint64_t workSpaceSize = 0;
  uint32_t rankId = 0;
  uint32_t rankNum = 0;
  uint64_t winSize = 0;
  uint64_t windowsIn[HCCL_MAX_RANK_NUM] = {};
  uint64_t windowsOut[HCCL_MAX_RANK_NUM] = {};
};
static_assert(sizeof(CommContext) == 1056 && offsetof(CommContext, windowsIn) == 32);

// A signal is one 32-bit integer, or a matrix of them with a stride between rows.
using GlobalSignalShape = Shape<1, 1, 1, 1, 1>;
using Signal = GlobalTensor<int32_t, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>, Layout::ND>;
template <int Rows, int Cols>
struct Signal2D : GlobalTensor<int32_t, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, DYNAMIC, 1>, Layout::ND> {
  using Base = GlobalTensor<int32_t, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, DYNAMIC, 1>, Layout::ND>;
  explicit Signal2D(int32_t* first, int64_t stride = Cols)
      : Base(first, Shape<1, 1, 1, Rows, Cols>(), Stride<1, 1, 1, DYNAMIC, 1>(stride)) {}
};

// One tensor of each rank, and the rank that calls a collective instruction.
template <typename GlobalData>
struct ParallelGroup {
  GlobalData* tensors = nullptr;
  int nranks = 0;
  int rootIdx = 0;
  static ParallelGroup Create(GlobalData* tensors, int size, int root) { return {tensors, size, root}; }
  int GetRootIdx() const { return rootIdx; }
  int GetSize() const { return nranks; }
  bool empty() const { return nranks == 0; }
  GlobalData& operator[](int rank) const { return tensors[rank]; }
};

// A flow of transfers in the background.
struct AsyncSession {
  uint64_t handle = 0;
};

namespace domain {
// The place in a peer's window that corresponds to a pointer into the own one.
template <typename Element>
inline Element* RemotePtr(const CommContext* context, Element* local, int peer) {
  const uint64_t offset = reinterpret_cast<uint64_t>(local) - context->windowsIn[context->rankId];
  return reinterpret_cast<Element*>(context->windowsIn[peer] + offset);
}
template <typename GlobalData, typename... Sizes>
inline GlobalData RemoteTensor(const CommContext* context, typename GlobalData::DType* local, int peer,
                               Sizes... shape) {
  return GlobalData(RemotePtr(context, local, peer), typename GlobalData::Shape(shape...));
}
}  // namespace domain

}  // namespace comm

namespace pto_detail {

// The operands after an instruction's tensors: at most three staging tiles, an AtomicType or a ReduceOp, and events.
struct Staging {
  pto_tile* tiles[3] = {};
  int count = 0;
  int mode = -1;
  int64_t rows = 0;  // of the tensor that is moved through the tiles
  int64_t cols = 0;

  // Static valid extents of a tile divide the extents of the tensor.
  template <typename One>
  void Take(One& one) {
    if constexpr (kIsTile<One>) {
      constexpr int64_t kRows = One::ValidRow;
      constexpr int64_t kCols = One::ValidCol;
      if ((kRows != DYNAMIC && (kRows < 1 || rows % kRows != 0)) ||
          (kCols != DYNAMIC && (kCols < 1 || cols % kCols != 0))) {
        Raise(PTO_ERROR_SHAPE, "staging", "ping",
              Say("a staging tile valid in %lldx%lld does not divide %lldx%lld", static_cast<long long>(kRows),
                  static_cast<long long>(kCols), static_cast<long long>(rows), static_cast<long long>(cols))
                  .text,
              "Change the valid region of the tile, or the shape of the tensor.");
      }
      if (count < 3) tiles[count++] = one.handle();
    } else if constexpr (std::is_enum_v<std::remove_cv_t<One>>) {
      mode = static_cast<int>(one);
    } else {
      WaitFor(one);
    }
  }
};

template <typename Tensor, typename... More>
Staging StagingOf(const Tensor& moves, More&... more) {
  Staging staging;
  staging.rows = moves.GetShape(3);
  staging.cols = moves.GetShape(4);
  (staging.Take(more), ...);
  return staging;
}

inline void CheckComm(pto_context* ctx, pto_status status) {
  if (status != PTO_OK) RaiseFrom(ctx);
}

// A group for the C interface.
template <typename Group>
struct GroupHandle {
  GroupHandle(pto_context* ctx, const Group& group) : handle(pto_group_create(ctx, group.GetRootIdx())) {
    bool good = handle != nullptr;
    for (int i = 0; good && i < group.GetSize(); ++i) {
      good = pto_group_add(ctx, handle, group[i].handle()) == PTO_OK;
    }
    if (good) return;
    pto_group_release(handle);
    handle = nullptr;
    RaiseFrom(ctx);
  }
  GroupHandle(const GroupHandle&) = delete;
  GroupHandle& operator=(const GroupHandle&) = delete;
  ~GroupHandle() { pto_group_release(handle); }
  pto_group* handle;
};

// The condition of a wait.
struct Asked {
  const int32_t* first;
  int64_t shape[5];
  int64_t stride[5];
  int32_t value;
  comm::WaitCmp cmp;

  template <typename Signal>
  Asked(const Signal& signal, int32_t with, comm::WaitCmp how)
      : first(reinterpret_cast<const int32_t*>(signal.data())), value(with), cmp(how) {
    for (int i = 0; i < 5; ++i) {
      shape[i] = signal.GetShape(i);
      stride[i] = signal.GetStride(i);
    }
  }
  // The first element that does not compare true; nullptr: all do.
  const int32_t* Lacks() const {
    for (int64_t i = 0; i < shape[0] * shape[1] * shape[2] * shape[3] * shape[4]; ++i) {
      int64_t at = 0;
      int64_t rest = i;
      for (int dim = 4; dim >= 0; --dim) {
        at += rest % shape[dim] * stride[dim];
        rest /= shape[dim];
      }
      const int32_t is = __atomic_load_n(first + at, __ATOMIC_ACQUIRE);
      const bool holds = cmp == comm::WaitCmp::EQ   ? is == value
                         : cmp == comm::WaitCmp::NE ? is != value
                         : cmp == comm::WaitCmp::GT ? is > value
                         : cmp == comm::WaitCmp::GE ? is >= value
                         : cmp == comm::WaitCmp::LT ? is < value
                                                    : is <= value;
      if (!holds) return first + at;
    }
    return nullptr;
  }
};

}  // namespace pto_detail

namespace comm {

// dst = src, or dst += src with AtomicType::AtomicAdd, where each addition is atomic.
template <AtomicType atomicType = AtomicType::AtomicNone, typename GlobalDstData, typename GlobalSrcData,
          typename... TilesAndEvents>
std::enable_if_t<pto_detail::kIsGlobal<GlobalDstData> && pto_detail::kIsGlobal<GlobalSrcData>, RecordEvent> TPUT(
    GlobalDstData& dst, GlobalSrcData& src, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(src, tiles...);
  const bool add = staging.mode < 0 ? atomicType == AtomicType::AtomicAdd : staging.mode != 0;
  pto_detail::CheckComm(ctx, pto_comm_tput(ctx, dst.handle(), src.handle(), staging.tiles[0], staging.tiles[1],
                                           add ? PTO_ATOMIC_ADD : PTO_ATOMIC_NONE));
  return {};
}

// dst = src
template <typename GlobalDstData, typename GlobalSrcData, typename... TilesAndEvents>
std::enable_if_t<pto_detail::kIsGlobal<GlobalDstData> && pto_detail::kIsGlobal<GlobalSrcData>, RecordEvent> TGET(
    GlobalDstData& dst, GlobalSrcData& src, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(src, tiles...);
  pto_detail::CheckComm(ctx, pto_comm_tget(ctx, dst.handle(), src.handle(), staging.tiles[0], staging.tiles[1]));
  return {};
}

// Sets the signal, or adds to it. What this rank stored before is visible to whoever has seen it.
template <typename GlobalSignalData, typename... WaitEvents>
void TNOTIFY(GlobalSignalData& signal, int32_t value, NotifyOp op, WaitEvents&... events) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return;
  (pto_detail::WaitFor(events), ...);
  pto_detail::CheckComm(ctx, pto_comm_tnotify(ctx, signal.handle(), value, static_cast<pto_notify>(op)));
}

// Waits until all elements of the signal compare true with the value. In a kernel of LaunchRanks() other ranks run
// meanwhile, and where all wait each fails with `deadlock`.
template <typename GlobalSignalData, typename... WaitEvents>
void TWAIT(GlobalSignalData& signal, int32_t value, WaitCmp cmp, WaitEvents&... events) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return;
  (pto_detail::WaitFor(events), ...);
  const int32_t holds = pto_context_ttest(ctx, signal.handle(), value, static_cast<pto_wait_cmp>(cmp));
  if (holds < 0) return pto_detail::RaiseFrom(ctx);
  if (holds == 1) return;
  if (pto_detail::meeting == nullptr) {
    return pto_detail::CheckComm(ctx, pto_comm_twait(ctx, signal.handle(), value, static_cast<pto_wait_cmp>(cmp)));
  }
  constexpr const char* kNames[] = {"==", "!=", ">", ">=", "<", "<="};
  const pto_detail::Asked asked(signal, value, cmp);
  const int32_t* lacks = asked.Lacks();
  const Text what = "for a signal " + Text(kNames[static_cast<int>(cmp)]) + " " + pto_detail::Decimal(value) +
                    ", which is " +
                    pto_detail::Decimal(lacks == nullptr ? value : __atomic_load_n(lacks, __ATOMIC_RELAXED));
  const auto ready = [](const void* one) { return static_cast<const pto_detail::Asked*>(one)->Lacks() == nullptr; };
  if (pto_detail::meeting->Wait("it waits " + what, ready, &asked)) return;
  pto_detail::Raise(PTO_ERROR_PROGRAM, "deadlock", "signal", pto_detail::meeting->deadlock().c_str(),
                    "Notify the signal on another rank before that rank waits or ends.");
}

// Whether they do now. In a kernel of LaunchRanks() a signal that is not there lets other ranks run first.
template <typename GlobalSignalData, typename... WaitEvents>
bool TTEST(GlobalSignalData& signal, int32_t value, WaitCmp cmp, WaitEvents&... events) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return false;
  (pto_detail::WaitFor(events), ...);
  for (int turn = 0;; ++turn) {
    const int32_t holds = pto_context_ttest(ctx, signal.handle(), value, static_cast<pto_wait_cmp>(cmp));
    if (holds < 0) pto_detail::RaiseFrom(ctx);
    if (holds != 0 || turn == 1 || pto_detail::meeting == nullptr) return holds == 1;
    pto_detail::meeting->Yield();
  }
}

// The root copies src to each member.
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents>
RecordEvent TBROADCAST(Group& group, GlobalData& src, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(src, tiles...);
  const pto_detail::GroupHandle<Group> members(ctx, group);
  pto_detail::CheckComm(ctx,
                        pto_comm_tbroadcast(ctx, members.handle, src.handle(), staging.tiles[0], staging.tiles[1]));
  return {};
}

// The root copies the members into dst, one after another along the rows.
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents,
          std::enable_if_t<!pto_detail::kIsTile<Group>, int> = 0>
RecordEvent TGATHER(Group& group, GlobalData& dst, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(group[0], tiles...);
  const pto_detail::GroupHandle<Group> members(ctx, group);
  pto_detail::CheckComm(ctx, pto_comm_tgather(ctx, dst.handle(), members.handle, staging.tiles[0], staging.tiles[1]));
  return {};
}

// The inverse.
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents,
          std::enable_if_t<!pto_detail::kIsTile<Group>, int> = 0>
RecordEvent TSCATTER(Group& group, GlobalData& src, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(group[0], tiles...);
  const pto_detail::GroupHandle<Group> members(ctx, group);
  pto_detail::CheckComm(ctx, pto_comm_tscatter(ctx, members.handle, src.handle(), staging.tiles[0], staging.tiles[1]));
  return {};
}

// The root combines the members: its own part first, then the others in ascending order. The tiles are the accumulator,
// one that receives, and perhaps a second one of these.
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents>
RecordEvent TREDUCE(Group& group, GlobalData& dst, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(group[0], tiles...);
  const pto_detail::GroupHandle<Group> members(ctx, group);
  pto_detail::CheckComm(
      ctx, pto_comm_treduce(ctx, dst.handle(), members.handle, staging.tiles[0], staging.tiles[1], staging.tiles[2],
                            static_cast<pto_reduce>(staging.mode < 0 ? 0 : staging.mode)));
  return {};
}

// Each member becomes the combination of all, in the order of TREDUCE: the same bits on every rank. The root calls it.
// The ISA has no such instruction.
template <typename Group, typename... TilesAndEvents>
RecordEvent TALLREDUCE(Group& group, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(group[0], tiles...);
  const pto_detail::GroupHandle<Group> members(ctx, group);
  pto_detail::CheckComm(ctx,
                        pto_comm_allreduce(ctx, members.handle, staging.tiles[0], staging.tiles[1], staging.tiles[2],
                                           static_cast<pto_reduce>(staging.mode < 0 ? 0 : staging.mode)));
  return {};
}

// The part of TALLREDUCE of the rank that calls it. Every rank of the group calls it: docs/ranks.md.
template <typename Group, typename... TilesAndEvents>
RecordEvent TALLREDUCE_SEGMENT(Group& group, TilesAndEvents&&... tiles) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const pto_detail::Staging staging = pto_detail::StagingOf(group[0], tiles...);
  const pto_detail::GroupHandle<Group> members(ctx, group);
  pto_detail::CheckComm(
      ctx, pto_comm_allreduce_segment(ctx, members.handle, staging.tiles[0], staging.tiles[1], staging.tiles[2],
                                      static_cast<pto_reduce>(staging.mode < 0 ? 0 : staging.mode)));
  return {};
}

// Copies in the background, which here are done at once: of tensors without gaps. The event of an error is not valid.
template <DmaEngine engine = DmaEngine::SDMA, typename GlobalDstData, typename GlobalSrcData, typename... Peer>
AsyncEvent TPUT_ASYNC(GlobalDstData& dst, GlobalSrcData& src, const AsyncSession& /*session*/, Peer... /*peer*/) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return {};
  const int64_t event = pto_context_tput_async(ctx, dst.handle(), src.handle(), 0);
  if (event == 0) pto_detail::RaiseFrom(ctx);
  return {static_cast<uint64_t>(event)};
}
template <DmaEngine engine = DmaEngine::SDMA, typename GlobalDstData, typename GlobalSrcData, typename... Peer>
AsyncEvent TGET_ASYNC(GlobalDstData& dst, GlobalSrcData& src, const AsyncSession& session, Peer... peer) {
  return TPUT_ASYNC<engine>(dst, src, session, peer...);
}
template <DmaEngine engine = DmaEngine::SDMA, typename Scratch, typename... Options>
bool BuildAsyncSession(Scratch& /*scratch*/, uint8_t* /*workspace*/, AsyncSession& session, Options... /*options*/) {
  session.handle = 1;
  return true;
}

// The other spelling of the documents.
#define PTO_COMM_SPELLING(NAME)                                     \
  template <auto... kModes, typename... Operands>                   \
  decltype(auto) NAME(Operands&&... operands) {                     \
    return T##NAME<kModes...>(std::forward<Operands>(operands)...); \
  }
PTO_COMM_SPELLING(PUT)
PTO_COMM_SPELLING(GET)
PTO_COMM_SPELLING(NOTIFY)
PTO_COMM_SPELLING(WAIT)
PTO_COMM_SPELLING(TEST)
PTO_COMM_SPELLING(BROADCAST)
PTO_COMM_SPELLING(GATHER)
PTO_COMM_SPELLING(SCATTER)
PTO_COMM_SPELLING(REDUCE)
PTO_COMM_SPELLING(ALLREDUCE)
PTO_COMM_SPELLING(ALLREDUCE_SEGMENT)
PTO_COMM_SPELLING(PUT_ASYNC)
PTO_COMM_SPELLING(GET_ASYNC)
#undef PTO_COMM_SPELLING

}  // namespace comm

namespace pto_detail {

// Worlds that are alive, the newest last. LaunchRanks() looks for the one whose ranks it runs, so that the library
// knows which rank calls.
class Worlds {
 public:
  static void Add(pto_world* world) {
    const std::lock_guard<std::mutex> lock(Mutex());
    All().push_back(world);
    find_world = &Find;
  }
  static void Remove(pto_world* world) {
    const std::lock_guard<std::mutex> lock(Mutex());
    All().erase(std::remove(All().begin(), All().end(), world), All().end());
  }

 private:
  // Ranks that are other processes are not launched here.
  static pto_world* Find(int ranks) {
    const std::lock_guard<std::mutex> lock(Mutex());
    for (size_t i = All().size(); i-- > 0;) {
      pto_world* const world = All()[i];
      if (pto_world_ranks(world) == ranks && std::string(pto_world_transport(world)) == "local") {
        return pto_world_retain(world);
      }
    }
    return nullptr;
  }
  static std::vector<pto_world*>& All() {
    static std::vector<pto_world*> all;
    return all;
  }
  static std::mutex& Mutex() {
    static std::mutex mutex;
    return mutex;
  }
};

}  // namespace pto_detail

// A world for the side that launches: windows of one size, zeroed, and what each rank's kernel knows of them.
class World {
 public:
  World(int ranks, int64_t window_bytes) {
    pto_context* const ctx = CurrentContext();
    if (ctx == nullptr) return;
    handle_ = pto_world_create(ctx, ranks, window_bytes);
    if (handle_ == nullptr) pto_detail::RaiseFrom(ctx);
    if (handle_ == nullptr) return;
    pto_detail::Worlds::Add(handle_);
    contexts_.resize(static_cast<size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      const uint64_t first = reinterpret_cast<uint64_t>(WindowOf(ctx, rank, window_bytes));
      for (comm::CommContext& context : contexts_) context.windowsIn[rank] = context.windowsOut[rank] = first;
      comm::CommContext& own = contexts_[static_cast<size_t>(rank)];
      own.rankId = static_cast<uint32_t>(rank);
      own.rankNum = static_cast<uint32_t>(ranks);
      own.winSize = static_cast<uint64_t>(window_bytes);
    }
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    pto_detail::Worlds::Remove(handle_);
    pto_world_release(handle_);
  }

  int ranks() const { return pto_world_ranks(handle_); }
  pto_world* handle() const { return handle_; }
  comm::CommContext* Context(int rank) { return &contexts_[static_cast<size_t>(rank)]; }
  // The window of a rank, from an offset in bytes on.
  template <typename Element = uint8_t>
  Element* Window(int rank, int64_t offset = 0) const {
    return reinterpret_cast<Element*>(contexts_[0].windowsIn[rank] + static_cast<uint64_t>(offset));
  }

 private:
  void* WindowOf(pto_context* ctx, int rank, int64_t bytes) const {
    pto_tensor_desc desc{};
    desc.struct_size = sizeof(desc);
    desc.dtype = PTO_DTYPE_U8;
    desc.rank = 1;
    desc.dim0 = bytes;
    pto_tensor* const all = pto_world_tensor(ctx, handle_, rank, &desc, 0);
    if (all == nullptr) pto_detail::RaiseFrom(ctx);
    void* const data = pto_tensor_data(all);
    pto_tensor_release(all);
    return data;
  }

  pto_world* handle_ = nullptr;
  std::vector<comm::CommContext> contexts_;
};

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_COMM_HPP_
