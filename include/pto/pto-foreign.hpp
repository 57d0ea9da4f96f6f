// Pipes of kernels that a foreign runtime loads as plugins and runs on threads of its own, one for each core.
// Include pto-inst.hpp, which includes this file.
//
// The runtime lends memory that the cores of a cluster share (pto-hooks.hpp), one block for each kind of pipe. Cube and
// vector kernels are compiled apart and meet only there:
//
//     SharedPipe | head and lock | four rings: to and from vector core 0 and 1 | slots of ring 0 | slots of ring 1 ...
//
// The first core that asks for a block lays it out; all others check that its head is of this layout. Every operation
// holds the block's lock, except while it waits. A waiting core looks at `changes` some times and then sleeps, so that
// eight cores make progress on two processors. The runtime frees the blocks when its next run starts: no pointer into
// one is kept after an operation.
#ifndef PTO_PTO_FOREIGN_HPP_
#define PTO_PTO_FOREIGN_HPP_

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "pto/pto-ends.hpp"
#include "pto/pto-hooks.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

inline constexpr int kLanes = 2;
inline constexpr int kDirections = 2;

// In each slot, before the elements.
struct SharedEntry {
  int32_t dtype, rows, cols;
  uint8_t split, slot;
  int64_t bytes;
};

struct SharedPipe {
  static constexpr uint32_t kMagic = 0x70746f50;  // "Ptop"
  static constexpr uint32_t kLayout = 1;
  enum : uint32_t { kFresh = 0, kClaimed = 1, kReady = 2 };

  // Read before anything else of the block is trusted.
  uint32_t state;
  uint32_t magic;
  uint32_t layout;
  uint32_t failed;  // a core that uses the pipe has stopped
  uint64_t bytes;
  uint32_t changes;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  RingCounts rings[kDirections][kLanes];
};

// A block of the runtime, locked while this object lives.
class SharedBlock {
 public:
  explicit SharedBlock(const PipeEnd& end) : end_(end) {
    const size_t size = sizeof(SharedPipe) + static_cast<size_t>(kDirections * kLanes * end.slots * Stride());
    pipe_ = static_cast<SharedPipe*>(StateHookOf()(end.key, size));
    if (pipe_ == nullptr) {
      Refuse("the runtime gives this thread no memory for its pipes");
      return;
    }
    Remember(end.key, size);
    uint32_t state = SharedPipe::kFresh;
    if (__atomic_compare_exchange_n(&pipe_->state, &state, SharedPipe::kClaimed, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE)) {
      pipe_->magic = SharedPipe::kMagic;
      pipe_->layout = SharedPipe::kLayout;
      pipe_->bytes = size;
      pthread_mutex_init(&pipe_->lock, nullptr);
      pthread_cond_init(&pipe_->changed, nullptr);
      for (auto& lanes : pipe_->rings) {
        for (RingCounts& ring : lanes) ring.slots = end.slots;
      }
      __atomic_store_n(&pipe_->state, SharedPipe::kReady, __ATOMIC_RELEASE);
    }
    // Laying out takes microseconds; a block of another library may never be ready in our sense.
    state = __atomic_load_n(&pipe_->state, __ATOMIC_ACQUIRE);
    for (int i = 0; i < 1000000 && state == SharedPipe::kClaimed; ++i) {
      sched_yield();
      state = __atomic_load_n(&pipe_->state, __ATOMIC_ACQUIRE);
    }
    const bool known = state == SharedPipe::kReady && pipe_->magic == SharedPipe::kMagic &&
                       pipe_->layout == SharedPipe::kLayout && pipe_->bytes == size;
    if (known) {
      pthread_mutex_lock(&pipe_->lock);
    } else {
      Refuse("the other core's kernel was compiled with another library, or another version of it");
    }
  }
  ~SharedBlock() {
    if (pipe_ == nullptr) return;
    Announce(pipe_);
    pthread_mutex_unlock(&pipe_->lock);
  }
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;

  bool locked() const { return pipe_ != nullptr; }
  RingCounts& Counts(int direction, int lane) { return pipe_->rings[direction - 1][lane]; }
  char* SlotAt(int direction, int lane, int64_t number) {
    const int64_t ring = (direction - 1) * kLanes + lane;
    return reinterpret_cast<char*>(pipe_ + 1) + (ring * end_.slots + number % end_.slots) * Stride();
  }
  // Room for elements: elements of packed types take a byte each.
  int64_t Room() const { return 2 * end_.slot_size; }

  // Waits until ready() is true. False: a peer has failed, or the time is over; why() names the reason.
  template <typename Ready>
  bool Wait(const Text& what, const Ready& ready) {
    constexpr int kSpins = 2000;
    const int64_t limit = Seconds();
    timespec start{};
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!ready()) {
      if (__atomic_load_n(&pipe_->failed, __ATOMIC_ACQUIRE) != 0) {
        why_ = "this core waits " + what + ", and another core of the pipe has stopped after an error";
        return false;
      }
      timespec now{};
      clock_gettime(CLOCK_MONOTONIC, &now);
      if (now.tv_sec - start.tv_sec >= limit) {
        why_ = "this core has waited " + Decimal(limit) + " seconds " + what;
        return false;
      }
      // Nothing of the block has changed since this operation began: others need not look at it again.
      const uint32_t before = __atomic_load_n(&pipe_->changes, __ATOMIC_ACQUIRE);
      pthread_mutex_unlock(&pipe_->lock);
      for (int i = 0; i < kSpins && __atomic_load_n(&pipe_->changes, __ATOMIC_ACQUIRE) == before; ++i) {
      }
      pthread_mutex_lock(&pipe_->lock);
      if (__atomic_load_n(&pipe_->changes, __ATOMIC_ACQUIRE) != before) continue;
      // Woken by a change, or after a while: a core that fails does not take the lock.
      timespec until{};
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_nsec += 50000000;
      if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        ++until.tv_sec;
      }
      pthread_cond_timedwait(&pipe_->changed, &pipe_->lock, &until);
    }
    return true;
  }
  const Text& why() const { return why_; }

 private:
  // As large as a slot may be, and a multiple of 16.
  int64_t Stride() const { return (int64_t{sizeof(SharedEntry)} + Room() + 15) / 16 * 16; }
  static int64_t Seconds() {
    const char* const given = std::getenv("PTO_PIPE_TIMEOUT");
    const int64_t seconds = given == nullptr ? 0 : std::atoll(given);
    return seconds > 0 ? seconds : 120;
  }
  static void Announce(SharedPipe* pipe) {
    __atomic_add_fetch(&pipe->changes, 1, __ATOMIC_ACQ_REL);
    pthread_cond_broadcast(&pipe->changed);
  }
  void Refuse(const char* why) {
    pipe_ = nullptr;
    RaisePipe("pipe-sides", why,
              "Compile all kernels of a run with one libpto, and run them on threads of the runtime.");
  }

  // The blocks that a thread has used: a kernel has few pipes, and of the rest waiting peers learn after a while.
  struct Used {
    uint64_t key[16];
    size_t size[16];
    int count;
  };
  static Used& OfThread() {
    static thread_local Used used{};
    return used;
  }
  static void Remember(uint64_t key, size_t size) {
    Used& used = OfThread();
    fail_pipes = &FailAll;
    for (int i = 0; i < used.count; ++i) {
      if (used.key[i] == key) return;
    }
    if (used.count == 16) return;
    used.key[used.count] = key;
    used.size[used.count++] = size;
  }
  static void FailAll() {
    const Used& used = OfThread();
    for (int i = 0; i < used.count; ++i) {
      auto* const pipe = static_cast<SharedPipe*>(StateHookOf()(used.key[i], used.size[i]));
      if (pipe == nullptr || __atomic_load_n(&pipe->state, __ATOMIC_ACQUIRE) != SharedPipe::kReady) continue;
      if (pipe->magic != SharedPipe::kMagic) continue;
      __atomic_store_n(&pipe->failed, 1U, __ATOMIC_RELEASE);
      Announce(pipe);
    }
  }

  PipeEnd end_;
  SharedPipe* pipe_ = nullptr;
  Text why_;
};

// A ring in a block.
class SharedRing {
 public:
  SharedRing(SharedBlock* block, int direction, int lane)
      : counts(block->Counts(direction, lane)), block_(block), direction_(direction), lane_(lane) {}
  RingCounts& counts;

  bool Empty() const { return counts.popped == counts.pushed; }
  // Before the entry is counted as pushed, or as popped.
  void Put(const RingEntry& entry) {
    const Piece& piece = entry.piece;
    const SharedEntry head = {piece.dtype, piece.rows, piece.cols,
                              entry.split, entry.slot, static_cast<int64_t>(piece.data.size())};
    char* const at = block_->SlotAt(direction_, lane_, counts.pushed);
    std::memcpy(at, &head, sizeof head);
    if (!piece.data.empty()) std::memcpy(at + sizeof head, piece.data.data(), piece.data.size());
  }
  RingEntry Front() const {
    const char* const at = block_->SlotAt(direction_, lane_, counts.popped);
    SharedEntry head{};
    std::memcpy(&head, at, sizeof head);
    RingEntry entry;
    entry.split = head.split != 0;
    entry.slot = head.slot != 0;
    entry.piece.dtype = static_cast<pto_dtype>(head.dtype);
    entry.piece.rows = head.rows;
    entry.piece.cols = head.cols;
    entry.piece.data.assign(at + sizeof head, static_cast<size_t>(head.bytes));
    return entry;
  }
  void Drop() {}

 private:
  SharedBlock* block_;
  int direction_;
  int lane_;
};

// The rings of a cluster whose cores are threads of the runtime, one cube core and two vector cores.
class SharedLink {
 public:
  SharedLink(SharedBlock* block, int core) : block_(block), core_(core) {}
  int vectors() const { return kLanes; }
  int core() const { return core_; }
  SharedRing At(const PipeEnd& /*end*/, int direction, int lane) const { return {block_, direction, lane}; }
  template <typename Ready>
  bool Wait(const Text& what, const Ready& ready) const {
    return block_->Wait(what, ready);
  }
  const Text& deadlock() const { return block_->why(); }

 private:
  SharedBlock* block_;
  int core_;
};

// For the intrinsics of such a core. A template, so that only a kernel that has pipes pays for it.
template <int kKind>
class ForeignEnds : public Exchange {
 public:
  void Push(const PipeEnd& end, pto_tile* tile, const Fixpipe* fixpipe) override {
    Do(end, [&](End<SharedLink>& of) { of.Push(tile, fixpipe); });
  }
  void Pop(const PipeEnd& end, pto_tile* tile) override {
    Do(end, [&](End<SharedLink>& of) { of.Pop(tile); });
  }
  void Free(const PipeEnd& end) override {
    Do(end, [](End<SharedLink>& of) { of.Free(); });
  }
  void* Alloc(const PipeEnd& end, const Slot& slot) override {
    void* at = nullptr;
    Do(end, [&](End<SharedLink>& of) { at = of.Alloc(slot); });
    return at;
  }
  void PushSlot(const PipeEnd& end) override {
    Do(end, [](End<SharedLink>& of) { of.PushSlot(); });
  }
  void* PopSlot(const PipeEnd& end, const Slot& slot) override {
    void* at = nullptr;
    Do(end, [&](End<SharedLink>& of) { at = of.PopSlot(slot); });
    return at;
  }

 private:
  template <typename Action>
  void Do(const PipeEnd& end, const Action& action) const {
    SharedBlock block(end);
    if (!block.locked()) return;
    End<SharedLink> of(end, &block, kKind == kCube ? kCube : 1 + static_cast<int>(AskRuntime().lane % kLanes));
    action(of);
  }
};

template <int kKind>
Exchange* ForeignExchange() {
  if constexpr (kKind < 0) {
    Raise(PTO_ERROR_PROGRAM, "core-kind", "pipe", "the kernel does not say which core it is compiled for",
          "Define __DAV_CUBE__ or __DAV_VEC__, and not both, when you compile it.");
    return nullptr;
  } else {
    static ForeignEnds<kKind> ends;
    return &ends;
  }
}

}  // namespace pto_detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_FOREIGN_HPP_
