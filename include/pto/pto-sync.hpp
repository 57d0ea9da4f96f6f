// Pipes, flags and events. An instruction of this library is done when its call returns, so that order is
// kept without them: they do nothing but tell a Recording, which can check them. And which block of a launch a thread
// is.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_SYNC_HPP_
#define PTO_PTO_SYNC_HPP_

#include "pto/pto-context.hpp"
#include "pto/pto-enums.hpp"

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
  if (detail::follower != nullptr) detail::follower->Flag("set_flag", from, to, id);
}
inline void wait_flag(pipe_t from, pipe_t to, event_t id) {
  if (detail::follower != nullptr) detail::follower->Flag("wait_flag", from, to, id);
}
inline void pipe_barrier(pipe_t pipe) {
  if (detail::follower != nullptr) detail::follower->Barrier(pipe);
}

// Caches and barriers of memory: a thread sees what it wrote.
template <typename... Arguments>
inline void dcci(const Arguments&... /*lines*/) {}
template <typename... Arguments>
inline void dsb(const Arguments&... /*which*/) {}

// Which lanes vector instructions touch: the instructions of this library say it by the valid regions of their tiles.
inline void set_mask_norm() {}
inline void set_vector_mask(uint64_t /*high*/, uint64_t /*low*/) {}

// What an instruction answers; assigned to an Event it tells when the instruction is done.
struct RecordEvent {};

namespace detail {

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
}  // namespace detail

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
    if (detail::follower == nullptr) return;
    if (AutoToken) id_ = detail::follower->NextEvent(kFrom, kTo);
    detail::follower->Flag(kFrom == kTo ? "record_event" : "set_flag", kFrom, kTo, id_);
  }
  void Wait() const {
    if (detail::follower == nullptr) return;
    detail::follower->Flag(kFrom == kTo ? "wait_event" : "wait_flag", kFrom, kTo, id_);
  }

 private:
  static constexpr pipe_t kFrom = detail::PipeOf(SrcOp);
  static constexpr pipe_t kTo = detail::PipeOf(DstOp);
  event_t id_ = EventID;
};

namespace detail {

template <typename T>
inline constexpr bool kIsEvent = std::is_same_v<std::remove_cv_t<T>, RecordEvent>;
template <auto S, auto D, bool A, event_t I>
inline constexpr bool kIsEvent<Event<S, D, A, I>> = true;
template <auto S, auto D, bool A, event_t I>
inline constexpr bool kIsEvent<const Event<S, D, A, I>> = true;

inline void WaitFor(const RecordEvent& /*done*/) {}
template <typename AnEvent>
inline void WaitFor([[maybe_unused]] const AnEvent& event) {
  if constexpr (kIsEvent<AnEvent>) event.Wait();  // of others an assertion tells
}

}  // namespace detail

// Waits for events.
template <typename... WaitEvents>
inline void TSYNC(WaitEvents&... events) {
  constexpr bool kEvents = (detail::kIsEvent<WaitEvents> && ...);
  static_assert(kEvents, "TSYNC: every argument is an event");
  (detail::WaitFor(events), ...);
}

// Waits for an instruction's pipe.
template <auto kOp>
inline void TSYNC() {
  pipe_barrier(detail::PipeOf(kOp));
}

namespace detail {
// Where a thread stands in a launch.
struct Core {
  int64_t block = 0;
  int64_t blocks = 1;
  int64_t subblock = 0;
  int64_t subblocks = 1;
  uint64_t control = 0;
};
inline thread_local Core core;
// Of its control: whether factors of f32 are rounded, and whether ties go away from zero.
inline constexpr uint64_t kMadRounds = uint64_t{1} << 46;
inline constexpr uint64_t kMadAway = uint64_t{1} << 47;
}  // namespace detail

// Says which of how many blocks the calling thread is, for kernels that share their work out.
inline void SetBlock(int64_t index, int64_t count) {
  detail::core.block = index;
  detail::core.blocks = count;
}
// Says which of how many vector cores of its block the calling thread is.
inline void SetSubblock(int64_t index, int64_t count) {
  detail::core.subblock = index;
  detail::core.subblocks = count;
}
inline int64_t get_block_idx() { return detail::core.block; }
inline int64_t get_block_num() { return detail::core.blocks; }
inline int64_t get_subblockid() { return detail::core.subblock; }
inline int64_t get_subblockdim() { return detail::core.subblocks; }
inline int64_t get_coreid() { return detail::core.block; }

// The control register: a number that kernels keep. Of this library products look at it: Tile::SetMadTF32Mode().
inline uint64_t get_ctrl() { return detail::core.control; }
inline void set_ctrl(uint64_t bits) { detail::core.control = bits; }
constexpr uint64_t sbitset0(uint64_t bits, int bit) { return bits & ~(uint64_t{1} << bit); }
constexpr uint64_t sbitset1(uint64_t bits, int bit) { return bits | uint64_t{1} << bit; }

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_SYNC_HPP_
