// Pipes between the cube core and the vector cores of a block. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_PIPE_HPP_
#define PTO_PTO_PIPE_HPP_

#include <cstring>
#include <string>
#include <utility>

#include "pto/pto-enums.hpp"
#include "pto/pto-issue.hpp"
#include "pto/pto-sync.hpp"
#include "pto/pto-tensor.hpp"

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
  int lane = -1;  // the vector core that the statement names
};

// What is seen as a slot in global memory.
struct Slot {
  void* memory;   // of all slots of the pipe
  int64_t bytes;  // from the first to the last
  int64_t half;   // to the second vector core's part
};

// How sums are converted on their way into a pipe.
struct Fixpipe {
  enum class Words { kNone, kScalar, kVector };  // of quantisation, those of the core
  pto_dtype from;
  pto_dtype to;  // PTO_DTYPE_I8: PTO_DTYPE_U8 where the word says that bytes have no sign
  Words words;
  bool relu;
};

// What SET_QUANT_SCALAR and SET_QUANT_VECTOR leave to the pushes of a core.
class QuantWords {
 public:
  QuantWords() = default;
  ~QuantWords() { pto_tile_release(vector_); }
  QuantWords(const QuantWords&) = delete;
  QuantWords& operator=(const QuantWords&) = delete;
  void Swap(QuantWords& other) {
    std::swap(scalar, other.scalar);
    std::swap(vector_, other.vector_);
  }
  pto_tile* vector() const { return vector_; }
  // Keeps the elements of the tile, and sees what is written to them later.
  void Select(pto_tile* tile) {
    if (tile != nullptr) pto_tile_retain(tile);
    pto_tile_release(vector_);
    vector_ = tile;
  }
  uint64_t scalar = 0x3F800000;  // 1.0F

 private:
  pto_tile* vector_ = nullptr;
};
inline thread_local QuantWords quant_words;

// What connects the cores of a block: pto-cores.hpp, on the side that launches.
class Exchange {
 public:
  virtual void Push(const PipeEnd& end, pto_tile* tile, const Fixpipe* fixpipe = nullptr) = 0;
  virtual void Pop(const PipeEnd& end, pto_tile* tile) = 0;
  virtual void Free(const PipeEnd& end) = 0;
  // Where the slot is; nullptr: this core has no part in it, or an error handler knows why.
  virtual void* Alloc(const PipeEnd& end, const Slot& slot) = 0;
  virtual void PushSlot(const PipeEnd& end) = 0;
  virtual void* PopSlot(const PipeEnd& end, const Slot& slot) = 0;

 protected:
  ~Exchange() = default;
};
inline thread_local Exchange* exchange = nullptr;

// What connects the blocks of a launch: pto-launch.hpp.
class Meeting {
 public:
  // Waits until so many cores have come, 0: all of the type; the counter is this meeting's own where there is none.
  virtual void Meet(SyncCoreType type, int32_t* counter, int32_t used) = 0;
  // Lets other blocks run until ready(data) is true. False: it never will be, and deadlock() says who waits for what.
  virtual bool Wait(const std::string& what, bool (*ready)(const void*), const void* data) = 0;
  virtual const std::string& deadlock() const = 0;

 protected:
  ~Meeting() = default;
};
inline thread_local Meeting* meeting = nullptr;

inline void Meet(SyncCoreType type, int32_t* counter, int32_t used) {
  if (meeting != nullptr) return meeting->Meet(type, counter, used);
  const int64_t all = used > 0 ? used : core.blocks * core.subblocks;
  if (all > 1) {
    return Raise(PTO_ERROR_PROGRAM, "deadlock", "blocks",
                 Say("one of %lld cores, outside of a launch", static_cast<long long>(all)).text,
                 "Launch the kernel with pto::Launch() or pto::LaunchCores().");
  }
  if (counter != nullptr) ++*counter;
}

inline bool Connected() {
  if (exchange != nullptr) return true;
  Raise(PTO_ERROR_PROGRAM, "core-kind", "pipe", "a pipe outside of LaunchCores()",
        "Launch the kernel with pto::LaunchCores().");
  return false;
}

}  // namespace detail

// A pipe between the cube core and the vector cores of a block: a ring of SlotNum slots of SlotSize bytes each way that
// it has. Pipes of one FlagID are the same pipe on all cores. The first place that the constructor is given is that of
// slots in global memory; where they are on chip is not looked at.
template <int FlagID, Direction DirType, int SlotSize, int SlotNum, int LocalSlotNum = 2, bool IsNoSplit = false,
          bool EnUnitFlag = false>
class TPipe {
 public:
  static_assert(DirType != UNDEFINED && DirType != DIR_V2C_CTRL && DirType <= DIR_BOTH_GM,
                "TPipe: the direction is DIR_C2V, DIR_V2C or DIR_BOTH, or one of them with _GM [pipe-sides]");
  static_assert(SlotSize > 0 && SlotNum > 0, "TPipe: a ring has slots [pipe-slot]");
  TPipe() = default;
  template <typename First, typename... Places, std::enable_if_t<!std::is_convertible_v<First, void*>, int> = 0>
  explicit TPipe(const First& /*place*/, const Places&... /*places*/) {}
  template <typename... Places>
  explicit TPipe(void* gm_slot_buffer, const Places&... /*c2v_consumer_buf, v2c_consumer_buf*/)
      : memory_(gm_slot_buffer) {}
  void* memory() const { return memory_; }
  static detail::PipeEnd At(int split, int lane = -1) {
    return {FlagID, DirType < DIR_V2C_CTRL ? DirType : DirType - DIR_V2C_CTRL, SlotSize, SlotNum, split, lane};
  }

 private:
  void* memory_ = nullptr;
};

namespace detail {
template <typename T>
inline constexpr bool kIsPipe = false;
template <int F, Direction D, int S, int N, int L, bool O, bool U>
inline constexpr bool kIsPipe<TPipe<F, D, S, N, L, O, U>> = true;
template <typename Pipe, typename... Events>
inline constexpr bool kPasses = kIsPipe<Pipe>&& kAreEvents<Events...>;

// How a tensor lies in slots: halves of rows stand one behind the other, halves of columns beside each other.
template <typename Pipe, typename GlobalData>
Slot SlotOf(const Pipe& pipe, const GlobalData& tensor, int split) {
  int64_t last = 0;
  int64_t all = 1;
  for (int i = 0; i < 5; ++i) {
    last += (tensor.GetShape(i) - 1) * tensor.GetStride(i);
    all *= tensor.GetShape(i);
  }
  using Held = Elements<typename GlobalData::RawDType>;
  const bool columns = split == TILE_LEFT_RIGHT || split == TILE_LEFT_RIGHT_ODD;
  return {pipe.memory(), Held::Bytes(last + 1), Held::Bytes(columns ? tensor.GetShape(4) : all)};
}
template <typename GlobalData>
void PointAt(GlobalData& tensor, void* slot) {
  if (slot != nullptr) tensor.SetAddr(static_cast<typename GlobalData::RawDType*>(slot));
}
}  // namespace detail

// Gives a tile to the other side, half of it to each vector core where it is split. Waits for a free slot.
template <typename Pipe, typename TileProd, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...> && !detail::kIsGlobal<TileProd>, RecordEvent> TPUSH(
    Pipe& /*pipe*/, TileProd& tile, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Push(Pipe::At(Split), tile.handle());
  return {};
}
template <typename TileData, typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPUSH(TileData& tile, Pipe& pipe,
                                                                                   WaitEvents&... events) {
  return TPUSH<Pipe, TileData, TILE_NO_SPLIT>(pipe, tile, events...);
}

// ---- sums that are converted on their way ----

// The word of quantisation for all columns: the scale, of bytes whether they have a sign.
template <typename OutType, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kAreEvents<WaitEvents...>, RecordEvent> SET_QUANT_SCALAR(float preQuantScalar,
                                                                                           WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  uint32_t bits = 0;
  std::memcpy(&bits, &preQuantScalar, sizeof bits);
  detail::quant_words.scalar = bits | uint64_t{std::is_same_v<OutType, int8_t>} << 46;
  return {};
}
// A row of words, one for each column.
template <typename FpTileData, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kIsTile<FpTileData> && detail::kAreEvents<WaitEvents...>, RecordEvent>
SET_QUANT_VECTOR(FpTileData& fpTile, WaitEvents&... events) {
  using Word = typename FpTileData::DType;
  static_assert(std::is_same_v<Word, uint64_t> || std::is_same_v<Word, int64_t>,
                "SET_QUANT_VECTOR: words of quantisation are uint64_t or int64_t [operand-dtype]");
  (detail::WaitFor(events), ...);
  detail::quant_words.Select(fpTile.handle());
  return {};
}

namespace detail {

// Static members of a configuration by the names of the ISA's attributes, or what holds without them.
#define PTO_SETTING(Name, Otherwise)                                   \
  template <typename Config>                                           \
  constexpr auto Has##Name(int)->decltype(Config::Name, bool()) {      \
    return true;                                                       \
  }                                                                    \
  template <typename Config>                                           \
  constexpr bool Has##Name(...) {                                      \
    return false;                                                      \
  }                                                                    \
  template <typename Config>                                           \
  constexpr auto Name##Of(int)->std::decay_t<decltype(Config::Name)> { \
    return Config::Name;                                               \
  }                                                                    \
  template <typename Config>                                           \
  constexpr auto Name##Of(...) {                                       \
    return Otherwise;                                                  \
  }
PTO_SETTING(QuantMode, NoQuant)
PTO_SETTING(ReluPreMode, pto::ReluPreMode::NoRelu)
PTO_SETTING(Split, TILE_NO_SPLIT)
PTO_SETTING(SubBlockId, 0)
PTO_SETTING(Atomic, AtomicType::AtomicNone)
PTO_SETTING(ClipRelu, false)
#undef PTO_SETTING
// One that has none of them is spelled in another way, and would be ignored.
template <typename Config>
constexpr bool kSays = HasQuantMode<Config>(0) || HasReluPreMode<Config>(0) || HasSplit<Config>(0) ||
                       HasSubBlockId<Config>(0) || HasAtomic<Config>(0) || HasClipRelu<Config>(0);

constexpr Fixpipe FixpipeOf(QuantMode_t mode, pto_dtype sums, bool relu) {
  using Words = Fixpipe::Words;
  switch (mode) {
    case NoQuant:
      return {sums, sums, Words::kNone, relu};
    case F322F16:
      return {PTO_DTYPE_F32, PTO_DTYPE_F16, Words::kNone, relu};
    case F322BF16:
      return {PTO_DTYPE_F32, PTO_DTYPE_BF16, Words::kNone, relu};
    case QF322F16_PRE:
      return {PTO_DTYPE_F32, PTO_DTYPE_F16, Words::kScalar, relu};
    case QF322BF16_PRE:
      return {PTO_DTYPE_F32, PTO_DTYPE_BF16, Words::kScalar, relu};
    case QF322B8_PRE:
      return {PTO_DTYPE_F32, PTO_DTYPE_I8, Words::kScalar, relu};
    case VQF322B8_PRE:
      return {PTO_DTYPE_F32, PTO_DTYPE_I8, Words::kVector, relu};
    case DEQF16:
      return {PTO_DTYPE_I32, PTO_DTYPE_F16, Words::kScalar, relu};
    case VDEQF16:
      return {PTO_DTYPE_I32, PTO_DTYPE_F16, Words::kVector, relu};
    case QS322BF16_PRE:
      return {PTO_DTYPE_I32, PTO_DTYPE_BF16, Words::kScalar, relu};
    case VQS322BF16_PRE:
      return {PTO_DTYPE_I32, PTO_DTYPE_BF16, Words::kVector, relu};
    case REQ8:
      return {PTO_DTYPE_I32, PTO_DTYPE_I8, Words::kScalar, relu};
    case VREQ8:
      return {PTO_DTYPE_I32, PTO_DTYPE_I8, Words::kVector, relu};
    case SHIFTS322S16:
      return {PTO_DTYPE_I32, PTO_DTYPE_I16, Words::kScalar, relu};
    case VSHIFTS322S16:
      return {PTO_DTYPE_I32, PTO_DTYPE_I16, Words::kVector, relu};
  }
  return {PTO_DTYPE_I8, PTO_DTYPE_I8, Words::kNone, relu};  // no mode, and of no sums
}

}  // namespace detail

// Gives sums to the vector cores, converted and rectified as the configuration says.
template <typename Pipe, typename TileProd, typename TConfig, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...> && detail::kIsTile<TileProd>, RecordEvent> TPUSH(
    Pipe& /*pipe*/, TileProd& tile, WaitEvents&... events) {
  constexpr auto kSums = static_cast<pto_dtype>(detail::DTypeOf<typename TileProd::DType>());
  constexpr bool kRelu = detail::ReluPreModeOf<TConfig>(0) == ReluPreMode::NormalRelu;
  static constexpr detail::Fixpipe kFixpipe = detail::FixpipeOf(detail::QuantModeOf<TConfig>(0), kSums, kRelu);
  constexpr TileSplitAxis kSplit = detail::SplitOf<TConfig>(0);
  constexpr bool kSent = TileProd::Loc == TileType::Acc;
  static_assert(
      detail::kSays<TConfig>,
      "TPUSH: the configuration has no member QuantMode, ReluPreMode, Split, SubBlockId, Atomic or ClipRelu [mode]");
  static_assert(kSent, "TPUSH: what a configuration converts is a TileType::Acc [location-acc]");
  static_assert(kFixpipe.from == kSums, "TPUSH: the QuantMode is for other sums than the tile's [operand-dtype]");
  static_assert(detail::AtomicOf<TConfig>(0) == AtomicType::AtomicNone, "TPUSH: slots are not added to [mode]");
  static_assert(!detail::ClipReluOf<TConfig>(0), "TPUSH: no instruction says where ClipRelu clips [mode]");
  (detail::WaitFor(events), ...);
  constexpr int kLane = kSplit == TILE_NO_SPLIT ? static_cast<int>(detail::SubBlockIdOf<TConfig>(0)) : -1;
  if (detail::Connected()) detail::exchange->Push(Pipe::At(kSplit, kLane), tile.handle(), &kFixpipe);
  return {};
}

// To one vector core, or from it: of what is split its part.
template <typename Pipe, typename TileProd, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPUSH(Pipe& /*pipe*/, TileProd& tile,
                                                                                   int32_t subBlockId,
                                                                                   WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Push(Pipe::At(Split, subBlockId), tile.handle());
  return {};
}

// Takes the next tile of the other side, of which the cube core gets both halves. Waits for its push.
template <typename Pipe, typename TileCons, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...> && !detail::kIsGlobal<TileCons>, RecordEvent> TPOP(
    Pipe& /*pipe*/, TileCons& tile, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Pop(Pipe::At(Split), tile.handle());
  return {};
}
template <typename TileData, typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPOP(TileData& tile, Pipe& pipe,
                                                                                  WaitEvents&... events) {
  return TPOP<Pipe, TileData, TILE_NO_SPLIT>(pipe, tile, events...);
}

// From one vector core, or on it.
template <typename Pipe, typename TileCons, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPOP(Pipe& /*pipe*/, TileCons& tile,
                                                                                  int32_t subBlockId,
                                                                                  WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Pop(Pipe::At(Split, subBlockId), tile.handle());
  return {};
}

// Gives the slot of the earliest pop that has not been freed back to the other side.
template <typename Pipe, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TFREE(Pipe& /*pipe*/,
                                                                                   WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->Free(Pipe::At(Split));
  return {};
}
template <typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TFREE(Pipe& pipe, WaitEvents&... events) {
  return TFREE<Pipe, TILE_NO_SPLIT>(pipe, events...);
}

template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...> && detail::kIsGlobal<GlobalData>, RecordEvent> TFREE(
    Pipe& pipe, GlobalData& /*gmTensor*/, WaitEvents&... events) {
  return TFREE<Pipe, Split>(pipe, events...);
}

// ---- slots in global memory ----

// Waits for a free slot and points the tensor at it; what is written there goes to the other side with TPUSH.
template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...> && detail::kIsGlobal<GlobalData>, RecordEvent> TALLOC(
    Pipe& pipe, GlobalData& gmTensor, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) {
    detail::PointAt(gmTensor, detail::exchange->Alloc(Pipe::At(Split), detail::SlotOf(pipe, gmTensor, Split)));
  }
  return {};
}
// Gives the earliest slot that was allocated and not pushed to the other side, without a copy.
template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...> && detail::kIsGlobal<GlobalData>, RecordEvent> TPUSH(
    Pipe& /*pipe*/, GlobalData& /*gmTensor*/, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) detail::exchange->PushSlot(Pipe::At(Split));
  return {};
}
// Waits for the next slot of the other side and points the tensor at it, or at this vector core's half.
template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<detail::kPasses<Pipe, WaitEvents...> && detail::kIsGlobal<GlobalData>, RecordEvent> TPOP(
    Pipe& pipe, GlobalData& gmTensor, WaitEvents&... events) {
  (detail::WaitFor(events), ...);
  if (detail::Connected()) {
    detail::PointAt(gmTensor, detail::exchange->PopSlot(Pipe::At(Split), detail::SlotOf(pipe, gmTensor, Split)));
  }
  return {};
}

// ---- between blocks ----

// A barrier of all cores of a launch that are of a kind. Of a Launch() each block is a core of each kind.
template <SyncCoreType CoreType = SyncCoreType::AIVOnly>
inline void SYNCALL() {
  detail::Meet(CoreType, nullptr, 0);
}
// Soft: through a counter in global memory, zero at first, which counts those that came. `usedCores` come to it; 0:
// all.
template <SyncAllMode Mode, SyncCoreType CoreType = SyncCoreType::AIVOnly, typename GlobalData>
inline std::enable_if_t<detail::kIsGlobal<GlobalData>> SYNCALL(GlobalData& gmWorkspace, int32_t usedCores = 0) {
  static_assert(std::is_same_v<typename GlobalData::RawDType, int32_t>, "SYNCALL: the workspace is of int32_t");
  detail::Meet(CoreType, Mode == SyncAllMode::Soft ? gmWorkspace.data() : nullptr, usedCores);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_PIPE_HPP_
