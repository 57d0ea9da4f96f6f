// Pipes between the cube core and the vector cores of a block. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_PIPE_HPP_
#define PTO_PTO_PIPE_HPP_

#include "pto/pto-enums.hpp"
#include "pto/pto-issue.hpp"
#include "pto/pto-sync.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace detail {

// One end of a pipe, for a statement.
struct PipeEnd {
  int pipe;
  int directions;
  int64_t slot_size;
  int64_t slots;
  int split;
};

// What connects the cores of a block: pto-cores.hpp, on the side that launches.
class Exchange {
 public:
  virtual void Push(const PipeEnd& end, pto_tile* tile) = 0;
  virtual void Pop(const PipeEnd& end, pto_tile* tile) = 0;
  virtual void Free(const PipeEnd& end) = 0;

 protected:
  ~Exchange() = default;
};
inline thread_local Exchange* exchange = nullptr;

inline bool Connected() {
  if (exchange != nullptr) return true;
  Raise(PTO_ERROR_PROGRAM, "core-kind", "pipe", "a pipe outside of LaunchCores()",
        "Launch the kernel with pto::LaunchCores().");
  return false;
}

}  // namespace detail

// A pipe between the cube core and the vector cores of a block: a ring of SlotNum slots of SlotSize bytes each way that
// it has. Pipes of one FlagID are the same pipe on all cores. Where its slots are on a device is not looked at.
template <int FlagID, Direction DirType, int SlotSize, int SlotNum, int LocalSlotNum = 2, bool IsNoSplit = false,
          bool EnUnitFlag = false>
class TPipe {
 public:
  static_assert(DirType == DIR_C2V || DirType == DIR_V2C || DirType == DIR_BOTH,
                "TPipe: the direction is DIR_C2V, DIR_V2C or DIR_BOTH [pipe-sides]");
  static_assert(SlotSize > 0 && SlotNum > 0, "TPipe: a ring has slots [pipe-slot]");
  template <typename... Places>
  explicit TPipe(const Places&... /*gm_slot_buffer, c2v_consumer_buf, v2c_consumer_buf*/) {}
  static detail::PipeEnd At(int split) { return {FlagID, DirType, SlotSize, SlotNum, split}; }
};

namespace detail {
template <typename T>
inline constexpr bool kIsPipe = false;
template <int F, Direction D, int S, int N, int L, bool O, bool U>
inline constexpr bool kIsPipe<TPipe<F, D, S, N, L, O, U>> = true;
}  // namespace detail

// Gives a tile to the other side, half of it to each vector core where it is split. Waits for a free slot.
template <typename Pipe, typename TileProd, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kIsPipe<Pipe> && detail::kAreEvents<WaitEvents...>, RecordEvent> TPUSH(
    Pipe& /*pipe*/, TileProd& tile, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Push(Pipe::At(Split), tile.handle());
  return {};
}
template <typename TileData, typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kIsPipe<Pipe> && detail::kAreEvents<WaitEvents...>, RecordEvent> TPUSH(
    TileData& tile, Pipe& pipe, WaitEvents&... events) {
  return TPUSH<Pipe, TileData, TILE_NO_SPLIT>(pipe, tile, events...);
}

// Takes the next tile of the other side, of which the cube core gets both halves. Waits for its push.
template <typename Pipe, typename TileCons, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kIsPipe<Pipe> && detail::kAreEvents<WaitEvents...>, RecordEvent> TPOP(
    Pipe& /*pipe*/, TileCons& tile, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Pop(Pipe::At(Split), tile.handle());
  return {};
}
template <typename TileData, typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kIsPipe<Pipe> && detail::kAreEvents<WaitEvents...>, RecordEvent> TPOP(
    TileData& tile, Pipe& pipe, WaitEvents&... events) {
  return TPOP<Pipe, TileData, TILE_NO_SPLIT>(pipe, tile, events...);
}

// Gives the slot of the earliest pop that has not been freed back to the other side.
template <typename Pipe, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kIsPipe<Pipe> && detail::kAreEvents<WaitEvents...>, RecordEvent> TFREE(
    Pipe& /*pipe*/, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Free(Pipe::At(Split));
  return {};
}
template <typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kIsPipe<Pipe> && detail::kAreEvents<WaitEvents...>, RecordEvent> TFREE(
    Pipe& pipe, WaitEvents&... events) {
  return TFREE<Pipe, TILE_NO_SPLIT>(pipe, events...);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_PIPE_HPP_
