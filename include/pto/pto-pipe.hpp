// Pipes between the cube core and the vector cores of a block. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_PIPE_HPP_
#define PTO_PTO_PIPE_HPP_

#include <cstring>
#include <utility>

#include "pto/pto-enums.hpp"
#include "pto/pto-issue.hpp"
#include "pto/pto-sync.hpp"
#include "pto/pto-tensor.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

// One end of a pipe, for a statement.
struct PipeEnd {
  uint64_t key;  // of its type, for memory that cores share
  int pipe;
  int directions;
  int64_t slot_size;
  int64_t slots;
  int split;
  int lane = -1;  // the vector core that the statement names
};

// A type that counts as a slot in global memory.
struct Slot {
  void* memory;   // of all slots of the pipe
  int64_t bytes;  // from the first to the last
  int64_t half;   // to the second vector core's part
};

// How sums are converted on their way into a pipe.
struct Fixpipe {
  enum class Words { kNone, kScalar, kVector };  // of quantisation, which the core has set
  pto_dtype from;
  pto_dtype to;  // PTO_DTYPE_I8: PTO_DTYPE_U8 if the word makes bytes unsigned
  Words words;
  bool relu;
};

// The values of SET_QUANT_SCALAR and SET_QUANT_VECTOR for the pushes of a core.
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

// The connection of the cores of a block: pto-cores.hpp, on the side that launches.
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

// The connection of the blocks of a launch: pto-launch.hpp.
class Meeting {
 public:
  // Waits until `used` cores have arrived, 0: all cores of the type. A null counter: the meeting uses its own.
  virtual void Meet(SyncCoreType type, int32_t* counter, int32_t used) = 0;
  // Lets other blocks run until ready(data) is true. False: it never will be, and deadlock() has who waits for what.
  virtual bool Wait(const Text& what, bool (*ready)(const void*), const void* data) = 0;
  virtual const Text& deadlock() const = 0;
  // Lets others run that can go on, then this one.
  virtual void Yield() = 0;

 protected:
  ~Meeting() = default;
};
inline thread_local Meeting* meeting = nullptr;
// Finds, retained, the newest world with this number of ranks: pto-comm.hpp.
inline pto_world* (*find_world)(int ranks) = nullptr;

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

// The core that a kernel is compiled for, if the build defines it: 0 the cube core, 1 a vector core.
#if defined(__DAV_CUBE__) && !defined(__DAV_VEC__)
inline constexpr int kKernelKind = 0;
#elif defined(__DAV_VEC__) && !defined(__DAV_CUBE__)
inline constexpr int kKernelKind = 1;
#else
inline constexpr int kKernelKind = -1;
#endif

// The pipes of a thread that a foreign runtime started: pto-foreign.hpp.
template <int kKind>
Exchange* ForeignExchange();

// The connection of the calling core to the others; null after an error.
template <int kKind = kKernelKind>
inline Exchange* Connected() {
  if (exchange != nullptr) return exchange;
  if (StateHookOf() != nullptr) return ForeignExchange<kKind>();
  Raise(PTO_ERROR_PROGRAM, "core-kind", "pipe", "a pipe outside of LaunchCores()",
        "Launch the kernel with pto::LaunchCores().");
  return nullptr;
}

}  // namespace pto_detail

namespace pto_detail {

// The side of a pipe that kernels set up for hardware. A push waits for a free slot and records that it is full, a pop
// waits and frees by TFREE; a kernel that does one of them by hand asks for what no pipe here does.
class PipeSide {
 public:
  void setAllocateStatus(bool allocate) { Only(allocate, true, "setAllocateStatus"); }
  void setRecordStatus(bool record) { Only(record, true, "setRecordStatus"); }
  void setWaitStatus(bool wait) { Only(wait, true, "setWaitStatus"); }
  void setFreeStatus(bool free) { Only(free, true, "setFreeStatus"); }
  void setEntryOffset(int64_t bytes) { Only(bytes, int64_t{0}, "setEntryOffset"); }
  void setentryOffset(int64_t bytes) { Only(bytes, int64_t{0}, "setentryOffset"); }
  void setTileId(int64_t tile, int64_t sub_tile) { tile_ = tile, sub_tile_ = sub_tile; }
  int64_t getTileId() const { return tile_; }
  int64_t getSubTileId() const { return sub_tile_; }
  // How many slots the other side has freed that were not waited for: it is waited for each here.
  static constexpr uint32_t countPendingFreeCredits(uint32_t /*pushes*/) { return 0; }

 private:
  template <typename Number>
  static void Only(Number value, Number only, const char* call) {
    if (value == only) return;
    Raise(PTO_ERROR_PROGRAM, "pipe-order", "pipe",
          Say("%s(%lld): a push and a pop always use a whole slot and its flags", call, static_cast<long long>(value))
              .text,
          "Push and pop whole slots, and free each with TFREE.");
  }
  int64_t tile_ = 0;
  int64_t sub_tile_ = 0;
};

}  // namespace pto_detail

// A pipe between the cube core and the vector cores of a block: a ring of SlotNum slots of SlotSize bytes each way that
// it has. Pipes of one FlagID are the same pipe on all cores. The first argument of the constructor is the place of
// the slots in global memory; their places on chip are not used.
template <int FlagID, int DirType, int SlotSize, int SlotNum, int LocalSlotNum = 2, bool IsNoSplit = false,
          bool EnUnitFlag = false>
class TPipe {
 public:
  static_assert(DirType != UNDEFINED && DirType != DIR_V2C_CTRL && DirType <= DIR_BOTH_GM,
                "TPipe: the direction is DIR_C2V, DIR_V2C or DIR_BOTH, or one of them with _GM [pipe-sides]");
  static_assert(SlotSize > 0 && SlotNum > 0, "TPipe: SlotSize and SlotNum must be at least 1 [pipe-slot]");
  using Producer = pto_detail::PipeSide;
  using Consumer = pto_detail::PipeSide;
  struct Fifo {
    void* GM_SLOT_BUFFER = nullptr;
    uint32_t C2V_CONSUMER_BUF = 0;
    uint32_t V2C_CONSUMER_BUF = 0;
  };
  TPipe() = default;
  template <typename First, typename... Places, std::enable_if_t<!std::is_convertible_v<First, void*>, int> = 0>
  explicit TPipe(const First& /*place*/, const Places&... /*places*/) {}
  template <typename... Places>
  explicit TPipe(void* gm_slot_buffer, const Places&... /*c2v_consumer_buf, v2c_consumer_buf*/)
      : fifo{gm_slot_buffer} {}
  void* memory() const { return fifo.GM_SLOT_BUFFER; }
  void reset_for_cpu_sim() {}
  static pto_detail::PipeEnd At(int split, int lane = -1) {
    return {kKey, FlagID, DirType < DIR_V2C_CTRL ? DirType : DirType - DIR_V2C_CTRL, SlotSize, SlotNum, split, lane};
  }

  Fifo fifo;
  Producer prod;
  Consumer cons;

 private:
  // As runtimes know it: kernels of one pipe may be compiled apart.
  static constexpr uint64_t kKey = uint64_t{static_cast<uint8_t>(FlagID)} << 56 |
                                   uint64_t{static_cast<uint8_t>(DirType)} << 48 |
                                   uint64_t{static_cast<uint8_t>(SlotNum)} << 40 |
                                   uint64_t{static_cast<uint8_t>(LocalSlotNum)} << 32 | static_cast<uint32_t>(SlotSize);
};

namespace pto_detail {
template <typename T_>
inline constexpr bool kIsPipe = false;
template <int F_, int D_, int S_, int N_, int L_, bool O_, bool U_>
inline constexpr bool kIsPipe<TPipe<F_, D_, S_, N_, L_, O_, U_>> = true;
template <typename Pipe, typename... Events>
inline constexpr bool kPasses = kIsPipe<Pipe>&& kAreEvents<Events...>;

// The place of a tensor in slots: halves of rows follow each other, halves of columns are side by side.
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
}  // namespace pto_detail

// Gives a tile to the other side, half of it to each vector core where it is split. Waits for a free slot.
template <typename Pipe, typename TileProd, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...> && !pto_detail::kIsGlobal<TileProd>, RecordEvent>
TPUSH(Pipe& /*pipe*/, TileProd& tile, WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected()) cores->Push(Pipe::At(Split), tile.handle());
  return {};
}
template <typename TileData, typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPUSH(TileData& tile, Pipe& pipe,
                                                                                       WaitEvents&... events) {
  return TPUSH<Pipe, TileData, TILE_NO_SPLIT>(pipe, tile, events...);
}

// ---- sums that are converted on their way ----

// The word of quantisation for all columns: the scale, of bytes whether they have a sign.
template <typename OutType, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kAreEvents<WaitEvents...>, RecordEvent> SET_QUANT_SCALAR(float preQuantScalar,
                                                                                               WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  uint32_t bits = 0;
  std::memcpy(&bits, &preQuantScalar, sizeof bits);
  pto_detail::quant_words.scalar = bits | uint64_t{std::is_same_v<OutType, int8_t>} << 46;
  return {};
}
// A row of words, one for each column.
template <typename FpTileData, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kIsTile<FpTileData> && pto_detail::kAreEvents<WaitEvents...>, RecordEvent>
SET_QUANT_VECTOR(FpTileData& fpTile, WaitEvents&... events) {
  using Word = typename FpTileData::DType;
  static_assert(std::is_same_v<Word, uint64_t> || std::is_same_v<Word, int64_t>,
                "SET_QUANT_VECTOR: words of quantisation are uint64_t or int64_t [operand-dtype]");
  (pto_detail::WaitFor(events), ...);
  pto_detail::quant_words.Select(fpTile.handle());
  return {};
}

// How the fixpipe converts, rectifies and lays out sums on their way out of the accumulator, as one type.
template <LayoutMode_t LayoutMode_ = LayoutMode_t::NZ2ND, QuantMode_t QuantPre_ = NoQuant,
          ReluPreMode ReluMode_ = ReluPreMode::NoRelu, STPhase Phase_ = STPhase::Unspecified, uint8_t SubBlockId_ = 0,
          AtomicType AtomicT_ = AtomicType::AtomicNone, ClipReluMode_t ClipReluMode_ = NOCLIP_RELU,
          bool IsChannelSplit_ = false>
struct FixpipeParams {
  static constexpr LayoutMode_t LayoutMode = LayoutMode_;
  static constexpr QuantMode_t QuantPre = QuantPre_;
  static constexpr pto::ReluPreMode ReluMode = ReluMode_;
  static constexpr STPhase Phase = Phase_;
  static constexpr uint8_t SubBlockId = SubBlockId_;
  static constexpr AtomicType AtomicT = AtomicT_;
  static constexpr ClipReluMode_t ClipReluMode = ClipReluMode_;
  static constexpr bool IsChannelSplit = IsChannelSplit_;
};

namespace pto_detail {

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
// Each setting has two names: the one of the ISA's documents and the one of FixpipeParams.
PTO_SETTING(QuantMode, NoQuant)
PTO_SETTING(QuantPre, QuantModeOf<Config>(0))
PTO_SETTING(ReluPreMode, pto::ReluPreMode::NoRelu)
PTO_SETTING(ReluMode, ReluPreModeOf<Config>(0))
PTO_SETTING(Split, TILE_NO_SPLIT)
PTO_SETTING(SubBlockId, 0)
PTO_SETTING(Atomic, AtomicType::AtomicNone)
PTO_SETTING(AtomicT, AtomicOf<Config>(0))
PTO_SETTING(ClipRelu, false)
PTO_SETTING(ClipReluMode, static_cast<ClipReluMode_t>(ClipReluOf<Config>(0)))
#undef PTO_SETTING
// A type that has none of them is spelled in another way, and would be ignored.
template <typename Config>
constexpr bool kSays =
    HasQuantMode<Config>(0) || HasQuantPre<Config>(0) || HasReluPreMode<Config>(0) ||
    HasReluMode<Config>(0) || HasSplit<Config>(0) || HasSubBlockId<Config>(0) || HasAtomic<Config>(0) ||
    HasAtomicT<Config>(0) || HasClipRelu<Config>(0) || HasClipReluMode<Config>(0);

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

}  // namespace pto_detail

// Sends sums to the vector cores, converted and rectified by the configuration.
template <typename Pipe, typename TileProd, typename TConfig, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...> && pto_detail::kIsTile<TileProd>, RecordEvent> TPUSH(
    Pipe& /*pipe*/, TileProd& tile, WaitEvents&... events) {
  constexpr auto kSums = static_cast<pto_dtype>(pto_detail::DTypeOf<typename TileProd::DType>());
  constexpr bool kRelu = pto_detail::ReluModeOf<TConfig>(0) == ReluPreMode::NormalRelu;
  static constexpr pto_detail::Fixpipe kFixpipe =
      pto_detail::FixpipeOf(pto_detail::QuantPreOf<TConfig>(0), kSums, kRelu);
  constexpr TileSplitAxis kSplit = pto_detail::SplitOf<TConfig>(0);
  constexpr bool kSent = TileProd::Loc == TileType::Acc;
  static_assert(
      pto_detail::kSays<TConfig>,
      "TPUSH: the configuration has no member QuantPre, QuantMode, ReluMode, ReluPreMode, Split, SubBlockId, AtomicT, "
      "Atomic, ClipReluMode or ClipRelu [mode]");
  static_assert(kSent, "TPUSH: a configuration converts sums: pass a TileType::Acc [location-acc]");
  static_assert(kFixpipe.from == kSums,
                "TPUSH: the QuantMode does not fit the element type of the tile [operand-dtype]");
  static_assert(pto_detail::AtomicTOf<TConfig>(0) == AtomicType::AtomicNone,
                "TPUSH: AtomicT must be AtomicNone for a slot [mode]");
  static_assert(pto_detail::ClipReluModeOf<TConfig>(0) == NOCLIP_RELU,
                "TPUSH: the ISA does not define the limit of ClipRelu [mode]");
  (pto_detail::WaitFor(events), ...);
  constexpr int kLane = kSplit == TILE_NO_SPLIT ? static_cast<int>(pto_detail::SubBlockIdOf<TConfig>(0)) : -1;
  if (pto_detail::Exchange* const cores = pto_detail::Connected())
    cores->Push(Pipe::At(kSplit, kLane), tile.handle(), &kFixpipe);
  return {};
}

// To one vector core, or from it: of what is split its part.
template <typename Pipe, typename TileProd, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPUSH(Pipe& /*pipe*/, TileProd& tile,
                                                                                       int32_t subBlockId,
                                                                                       WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected())
    cores->Push(Pipe::At(Split, subBlockId), tile.handle());
  return {};
}

// Receives the next tile of the other side. Waits for its push. The cube core gets both halves of the tile.
template <typename Pipe, typename TileCons, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...> && !pto_detail::kIsGlobal<TileCons>, RecordEvent>
TPOP(Pipe& /*pipe*/, TileCons& tile, WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected()) cores->Pop(Pipe::At(Split), tile.handle());
  return {};
}
template <typename TileData, typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPOP(TileData& tile, Pipe& pipe,
                                                                                      WaitEvents&... events) {
  return TPOP<Pipe, TileData, TILE_NO_SPLIT>(pipe, tile, events...);
}

// From one vector core, or on it.
template <typename Pipe, typename TileCons, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TPOP(Pipe& /*pipe*/, TileCons& tile,
                                                                                      int32_t subBlockId,
                                                                                      WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected())
    cores->Pop(Pipe::At(Split, subBlockId), tile.handle());
  return {};
}

// Gives the slot of the earliest pop that has not been freed back to the other side.
template <typename Pipe, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TFREE(Pipe& /*pipe*/,
                                                                                       WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected()) cores->Free(Pipe::At(Split));
  return {};
}
template <typename Pipe, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...>, RecordEvent> TFREE(Pipe& pipe,
                                                                                       WaitEvents&... events) {
  return TFREE<Pipe, TILE_NO_SPLIT>(pipe, events...);
}

template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...> && pto_detail::kIsGlobal<GlobalData>, RecordEvent>
TFREE(Pipe& pipe, GlobalData& /*gmTensor*/, WaitEvents&... events) {
  return TFREE<Pipe, Split>(pipe, events...);
}

// ---- slots in global memory ----

// Waits for a free slot and points the tensor at it. TPUSH passes its contents to the other side.
template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...> && pto_detail::kIsGlobal<GlobalData>, RecordEvent>
TALLOC(Pipe& pipe, GlobalData& gmTensor, WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected()) {
    pto_detail::PointAt(gmTensor, cores->Alloc(Pipe::At(Split), pto_detail::SlotOf(pipe, gmTensor, Split)));
  }
  return {};
}
// Gives the earliest slot that was allocated and not pushed to the other side, without a copy.
template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...> && pto_detail::kIsGlobal<GlobalData>, RecordEvent>
TPUSH(Pipe& /*pipe*/, GlobalData& /*gmTensor*/, WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected()) cores->PushSlot(Pipe::At(Split));
  return {};
}
// Waits for the next slot of the other side and points the tensor at it, or at this vector core's half.
template <typename Pipe, typename GlobalData, TileSplitAxis Split, typename... WaitEvents>
PTO_INST std::enable_if_t<pto_detail::kPasses<Pipe, WaitEvents...> && pto_detail::kIsGlobal<GlobalData>, RecordEvent>
TPOP(Pipe& pipe, GlobalData& gmTensor, WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  if (pto_detail::Exchange* const cores = pto_detail::Connected()) {
    pto_detail::PointAt(gmTensor, cores->PopSlot(Pipe::At(Split), pto_detail::SlotOf(pipe, gmTensor, Split)));
  }
  return {};
}

// ---- between blocks ----

// A barrier of all cores of a launch that are of a kind. Of a Launch() each block is a core of each kind.
template <SyncCoreType CoreType = SyncCoreType::AIVOnly>
inline void SYNCALL() {
  pto_detail::Meet(CoreType, nullptr, 0);
}
// Soft: through a counter in global memory, zero at first, which counts those that came. `usedCores` come to it; 0:
// all.
template <SyncAllMode Mode, SyncCoreType CoreType = SyncCoreType::AIVOnly, typename GlobalData>
inline std::enable_if_t<pto_detail::kIsGlobal<GlobalData>> SYNCALL(GlobalData& gmWorkspace, int32_t usedCores = 0) {
  static_assert(std::is_same_v<typename GlobalData::RawDType, int32_t>,
                "SYNCALL: the workspace must have int32_t elements");
  pto_detail::Meet(CoreType, Mode == SyncAllMode::Soft ? gmWorkspace.data() : nullptr, usedCores);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_PIPE_HPP_
