// Pipes, flags and events. An instruction of this library is complete when its call returns, so order holds
// without them. They only pass themselves to a Recording, which can check them. This file also has the number of the
// block that a thread runs.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_SYNC_HPP_
#define PTO_PTO_SYNC_HPP_

#include <time.h>

#include "pto/pto-context.hpp"
#include "pto/pto-enums.hpp"
#include "pto/pto-hooks.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// Queues of the NPU that run beside each other.
enum pipe_t {
  PIPE_S = 0,
  PIPE_V = 1,
  PIPE_MTE1 = 2,
  PIPE_MTE2 = 3,
  PIPE_MTE3 = 4,
  PIPE_M = 5,
  PIPE_ALL = 6,
  PIPE_FIX = 7,
};

// Flags between two pipes; kernels compute with their numbers.
using event_t = int;
inline constexpr event_t EVENT_ID0 = 0;
inline constexpr event_t EVENT_ID1 = 1;
inline constexpr event_t EVENT_ID2 = 2;
inline constexpr event_t EVENT_ID3 = 3;
inline constexpr event_t EVENT_ID4 = 4;
inline constexpr event_t EVENT_ID5 = 5;
inline constexpr event_t EVENT_ID6 = 6;
inline constexpr event_t EVENT_ID7 = 7;

inline void set_flag(pipe_t from, pipe_t to, event_t id) {
  if (pto_detail::follower != nullptr) pto_detail::follower->Flag("set_flag", from, to, id);
}
inline void wait_flag(pipe_t from, pipe_t to, event_t id) {
  if (pto_detail::follower != nullptr) pto_detail::follower->Flag("wait_flag", from, to, id);
}
// A flag that is set and waited for at once.
template <pipe_t kFrom, pipe_t kTo>
inline void PtoSetWaitFlag(event_t set = EVENT_ID0, event_t wait = EVENT_ID0) {
  set_flag(kFrom, kTo, set);
  wait_flag(kFrom, kTo, wait);
}
inline void pipe_barrier(pipe_t pipe) {
  if (pto_detail::follower != nullptr) pto_detail::follower->Barrier(pipe);
}

// Caches and barriers of memory: a thread sees what it wrote.
enum cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1, CACHELINE_OUT = 2 };
enum class dcci_dst_t { CACHELINE_OUT = 0, CACHELINE_ALL = 1, CACHELINE_UB = 2, CACHELINE_ATOMIC = 3 };
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR = 1, DSB_UB = 2, DSB_SEQ = 3 };
template <typename... Arguments>
inline void dcci(const Arguments&... /*lines*/) {}
template <typename... Arguments>
inline void dsb(const Arguments&... /*which*/) {}
template <typename... Arguments>
inline void preload(const Arguments&... /*lines*/) {}

namespace pto_detail {

// The calling core's view of the other cores of its block: pto-cores.hpp.
class Siblings {
 public:
  // Counts a flag up; waits until it is above 0 and counts it down.
  virtual void SetFlag(int64_t id) = 0;
  virtual void WaitFlag(int64_t id) = 0;
  // The cube core asks for the context of a vector core; nullptr: there is no such core, or the caller is not the cube
  // core.
  virtual pto_context* VectorCore(int lane) = 0;

 protected:
  ~Siblings() = default;
};
inline thread_local Siblings* siblings = nullptr;

}  // namespace pto_detail

// Flags between the cores of a block, for cores that LaunchCores() started. Elsewhere they do nothing, and pipes keep
// the order. Flags 0 to 15 of the cube core are for vector core 0, and 16 to 31 for vector core 1. A vector core has
// flags 0 to 15.
inline void set_intra_block(pipe_t /*pipe*/, int64_t id) {
  if (pto_detail::siblings != nullptr) pto_detail::siblings->SetFlag(id);
}
inline void wait_intra_block(pipe_t /*pipe*/, int64_t id) {
  if (pto_detail::siblings != nullptr) pto_detail::siblings->WaitFlag(id);
}
template <typename... Arguments>
inline void set_ffts_base_addr(const Arguments&... /*address*/) {}

// Which lanes vector instructions touch: in this library, the valid regions of the tiles decide it.
inline void set_mask_norm() {}
inline void set_vector_mask(uint64_t /*high*/, uint64_t /*low*/) {}

// The result of an instruction. Assign it to an Event to wait for the instruction.
struct RecordEvent {};

namespace pto_detail {

// The pipe that an instruction is named by in an event.
constexpr pipe_t PipeOf(Op op) {
  switch (op) {
    case Op::TLOAD:
    case Op::TPREFETCH:
    case Op::TFILLPAD_MAT:
    case Op::MGATHER_MAT:
      return PIPE_MTE2;
    case Op::TSTORE_VEC:
    case Op::TSTORE_MAT:
    case Op::TSTORE:
    case Op::TMOV_V2M:
    case Op::TEXTRACT_V2M:
      return PIPE_MTE3;
    case Op::SCALAR:
    case Op::TCI:
    case Op::SETFMATRIX:
    case Op::SET_IMG2COL_RPT:
    case Op::SET_IMG2COL_PADDING:
      return PIPE_S;
    case Op::TMOV_M2B:
    case Op::TMOV_M2L:
    case Op::TMOV_M2R:
    case Op::TEXTRACT_M2LR:
    case Op::TIMG2COL:
      return PIPE_MTE1;
    case Op::TMOV_M2S:
    case Op::TMOV_A2V:
    case Op::TMOV_A2M:
    case Op::TSTORE_ACC:
    case Op::TEXTRACT_A2M:
    case Op::TINSERT_A2M:
      return PIPE_FIX;
    case Op::TMATMUL:
    case Op::TGEMV:
      return PIPE_M;
    default:
      return PIPE_V;
  }
}
}  // namespace pto_detail

// From the instruction that records it to the one that waits for it: a flag between their pipes. Within one pipe it is
// a barrier of the pipe where the device has one.
template <auto SrcOp, auto DstOp, bool AutoToken = true, event_t EventID = EVENT_ID0>
struct Event {
  Event() = default;
  Event(RecordEvent) { Record(); }
  Event& operator=(RecordEvent) {
    Record();
    return *this;
  }
  void Init() {}
  void Record() {
    if (pto_detail::follower == nullptr) return;
    if (AutoToken) id_ = pto_detail::follower->NextEvent(kFrom, kTo);
    pto_detail::follower->Flag(kFrom == kTo ? "record_event" : "set_flag", kFrom, kTo, id_);
  }
  void Wait() const {
    if (pto_detail::follower == nullptr) return;
    pto_detail::follower->Flag(kFrom == kTo ? "wait_event" : "wait_flag", kFrom, kTo, id_);
  }

 private:
  static constexpr pipe_t kFrom = pto_detail::PipeOf(SrcOp);
  static constexpr pipe_t kTo = pto_detail::PipeOf(DstOp);
  event_t id_ = EventID;
};

namespace pto_detail {

template <typename T_>
inline constexpr bool kIsEvent = std::is_same_v<std::remove_cv_t<T_>, RecordEvent>;
template <auto S_, auto D_, bool A_, event_t I_>
inline constexpr bool kIsEvent<Event<S_, D_, A_, I_>> = true;
template <auto S_, auto D_, bool A_, event_t I_>
inline constexpr bool kIsEvent<const Event<S_, D_, A_, I_>> = true;

inline void WaitFor(const RecordEvent& /*done*/) {}
template <typename AnEvent>
inline void WaitFor([[maybe_unused]] const AnEvent& event) {
  if constexpr (kIsEvent<AnEvent>) event.Wait();  // an assertion rejects other types
}

}  // namespace pto_detail

// Waits for events.
template <typename... WaitEvents>
inline void TSYNC(WaitEvents&... events) {
  constexpr bool kEvents = (pto_detail::kIsEvent<WaitEvents> && ...);
  static_assert(kEvents, "TSYNC: every argument must be an event");
  (pto_detail::WaitFor(events), ...);
}

// Waits for an instruction's pipe.
template <auto kOp>
inline void TSYNC() {
  pipe_barrier(pto_detail::PipeOf(kOp));
}

// Sets which of how many blocks the calling thread is, for kernels that distribute their work.
inline void SetBlock(int64_t index, int64_t count) {
  pto_detail::core.block = index;
  pto_detail::core.blocks = count;
}
// Sets which of how many vector cores of its block the calling thread is.
inline void SetSubblock(int64_t index, int64_t count) {
  pto_detail::core.subblock = index;
  pto_detail::core.subblocks = count;
}

// Which block of how many, and which vector core of its block, the calling thread is: in a launch of libpto as it was
// launched, under a runtime with hooks (pto-hooks.hpp) from the hooks, else from SetBlock() and SetSubblock().
inline int64_t get_block_idx() {
  return pto_detail::IsForeign() ? pto_detail::AskRuntime().block : pto_detail::core.block;
}
inline int64_t get_block_num() {
  return pto_detail::IsForeign() ? pto_detail::CoresOfRuntime() : pto_detail::core.blocks;
}
inline int64_t get_subblockid() {
  return pto_detail::IsForeign() ? pto_detail::AskRuntime().lane : pto_detail::core.subblock;
}
inline int64_t get_subblockdim() {
  return pto_detail::IsForeign() ? pto_detail::AskRuntime().lanes : pto_detail::core.subblocks;
}
inline int64_t get_coreid() { return get_block_idx(); }

// Nanoseconds of a monotonic clock. Hardware counts its own steps here.
inline uint64_t get_sys_cnt() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000U + static_cast<uint64_t>(now.tv_nsec);
}

// The control register of the calling core. Two kinds of instructions look at it: products of f32, at bits 46 and 47
// (Tile::SetMadTF32Mode()), and conversions of f32 sums to f16 and bf16, at bit 48: 1, as at the start, gives infinity
// where a sum is too large; 0 gives the largest finite number, and 0 for NaN.
inline uint64_t get_ctrl() { return pto_detail::core.control; }
inline void set_ctrl(uint64_t bits) {
  pto_detail::core.control = bits;
  pto_context* const ctx = CurrentContext();
  if (ctx != nullptr) pto_context_saturate(ctx, pto_detail::Saturates());
}
constexpr uint64_t sbitset0(uint64_t bits, int bit) { return bits & ~(uint64_t{1} << bit); }
constexpr uint64_t sbitset1(uint64_t bits, int bit) { return bits | uint64_t{1} << bit; }

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_SYNC_HPP_
