// Pipes, flags and events. An instruction of this library is done when its call returns, so that order is
// kept without them: they are accepted and do nothing. And which block of a launch a thread is.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_SYNC_HPP_
#define PTO_PTO_SYNC_HPP_

#include "pto/pto-base.hpp"

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

// Flags between two pipes.
enum event_t {
  EVENT_ID0 = 0,
  EVENT_ID1 = 1,
  EVENT_ID2 = 2,
  EVENT_ID3 = 3,
  EVENT_ID4 = 4,
  EVENT_ID5 = 5,
  EVENT_ID6 = 6,
  EVENT_ID7 = 7,
};

inline void set_flag(pipe_t /*from*/, pipe_t /*to*/, event_t /*id*/) {}
inline void wait_flag(pipe_t /*from*/, pipe_t /*to*/, event_t /*id*/) {}
inline void pipe_barrier(pipe_t /*pipe*/) {}

// What an instruction answers; assigned to an Event it tells when the instruction is done.
struct RecordEvent {};

// From the instruction that records it to the one that waits for it.
template <auto SrcOp, auto DstOp, bool AutoToken = true, event_t EventID = EVENT_ID0>
struct Event {
  Event() = default;
  Event(RecordEvent) {}
  Event& operator=(RecordEvent) { return *this; }
  void Init() {}
  void Record() {}
  void Wait() {}
};

namespace detail {

template <typename T>
inline constexpr bool kIsEvent = std::is_same_v<std::remove_cv_t<T>, RecordEvent>;
template <auto S, auto D, bool A, event_t I>
inline constexpr bool kIsEvent<Event<S, D, A, I>> = true;
template <auto S, auto D, bool A, event_t I>
inline constexpr bool kIsEvent<const Event<S, D, A, I>> = true;

}  // namespace detail

// Waits for events.
template <typename... WaitEvents>
inline void TSYNC(WaitEvents&... /*events*/) {
  static_assert((detail::kIsEvent<WaitEvents> && ...), "TSYNC: every argument is an event");
}

// Waits for an instruction's pipe.
template <auto kOp>
inline void TSYNC() {}

namespace detail {
inline thread_local int64_t block_index = 0;
inline thread_local int64_t block_count = 1;
}  // namespace detail

// Says which of how many blocks the calling thread is, for kernels that share their work out.
inline void SetBlock(int64_t index, int64_t count) {
  detail::block_index = index;
  detail::block_count = count;
}
inline int64_t get_block_idx() { return detail::block_index; }
inline int64_t get_block_num() { return detail::block_count; }
inline int64_t get_subblockid() { return 0; }
inline int64_t get_subblockdim() { return 1; }

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_SYNC_HPP_
