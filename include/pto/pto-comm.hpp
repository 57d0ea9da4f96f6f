// Types and declarations of the communication between ranks: windows of memory that all ranks have alike, signals in
// them, and groups of ranks. The instructions are declared here and not defined yet, so that a kernel that has them as
// one of several branches compiles. Include it after, or instead of, pto-inst.hpp.
#ifndef PTO_PTO_COMM_HPP_
#define PTO_PTO_COMM_HPP_

#include "pto/pto-inst.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace comm {

inline constexpr uint32_t HCCL_MAX_RANK_NUM = 64;

// What a kernel knows of its rank and of all windows; kernels declare the same struct by names of their own.
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

template <AtomicType atomicType = AtomicType::AtomicNone, typename GlobalDstData, typename GlobalSrcData,
          typename... TilesAndEvents>
RecordEvent TPUT(GlobalDstData& dst, GlobalSrcData& src, TilesAndEvents&&... tiles);
template <typename GlobalDstData, typename GlobalSrcData, typename... TilesAndEvents>
RecordEvent TGET(GlobalDstData& dst, GlobalSrcData& src, TilesAndEvents&&... tiles);
template <typename GlobalSignalData, typename... WaitEvents>
void TNOTIFY(GlobalSignalData& signal, int32_t value, NotifyOp op, WaitEvents&... events);
template <typename GlobalSignalData, typename... WaitEvents>
void TWAIT(GlobalSignalData& signal, int32_t value, WaitCmp cmp, WaitEvents&... events);
template <typename GlobalSignalData, typename... WaitEvents>
bool TTEST(GlobalSignalData& signal, int32_t value, WaitCmp cmp, WaitEvents&... events);
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents>
RecordEvent TBROADCAST(Group& group, GlobalData& src, TilesAndEvents&&... tiles);
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents>
RecordEvent TGATHER(Group& group, GlobalData& dst, TilesAndEvents&&... tiles);
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents>
RecordEvent TSCATTER(Group& group, GlobalData& src, TilesAndEvents&&... tiles);
template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename... TilesAndEvents>
RecordEvent TREDUCE(Group& group, GlobalData& dst, TilesAndEvents&&... tiles);

}  // namespace comm
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_COMM_HPP_
