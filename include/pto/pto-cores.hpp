// Cores of a block that take turns, and what their pipes carry. Include pto-launch.hpp, which includes this file.
#ifndef PTO_PTO_CORES_HPP_
#define PTO_PTO_CORES_HPP_

#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "pto/pto-ends.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

inline constexpr int kMostCores = 3;
inline constexpr int64_t kFlags = 16;  // between the cube core and a vector core, one way

// A ring of slots one way between the cube core and a vector core.
struct Ring {
  RingCounts counts;
  std::deque<RingEntry> entries;  // pushed and not popped

  bool Empty() const { return entries.empty(); }
  const RingEntry& Front() const { return entries.front(); }
  void Put(RingEntry entry) { entries.push_back(std::move(entry)); }
  void Drop() { entries.pop_front(); }
};

// The cores of a block: one of them runs at a time, until it has to wait for another one, so that results are the same
// every time.
class Cores {
 public:
  explicit Cores(int vectors) : count_(1 + vectors) {}
  int vectors() const { return count_ - 1; }

  // The first and last steps of a core.
  void Enter(int which) {
    std::unique_lock<std::mutex> lock(mutex_);
    turn_.wait(lock, [&] { return running_ == which; });
  }
  void Leave(int which) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_[static_cast<size_t>(which)] = true;
    Pass();
  }
  // Lets others run until ready() is true, other blocks too where it is they who make it so. False: it never will be;
  // then all waits return.
  template <typename Ready>
  bool Wait(int which, const Text& what, const Ready& ready, bool blocks = false) {
    if (ready()) return true;
    std::unique_lock<std::mutex> lock(mutex_);
    auto& waits = waits_[static_cast<size_t>(which)];
    waits.what = what;
    waits.data = &ready;
    waits.ready = [](const void* data) { return (*static_cast<const Ready*>(data))(); };
    waits.blocks = blocks;
    Pass();
    turn_.wait(lock, [&] { return running_ == which; });
    waits.ready = nullptr;
    return ready();
  }
  // For the cube core, about a vector core.
  pto_context*& ContextOf(int lane) { return contexts_[static_cast<size_t>(lane)]; }

  // A flag of set_intra_block() to the cube core, or from it.
  int64_t& Flag(bool to_cube, int lane, int64_t flag) {
    return flags_[static_cast<size_t>((to_cube ? 2 : 0) + lane)][static_cast<size_t>(flag)];
  }

  // Who waits for what, when no core can go on.
  const Text& deadlock() const { return deadlock_; }

  Ring& RingOf(const PipeEnd& end, int direction, int lane) {
    Ring& ring = rings_[{end.pipe, direction, lane}];
    ring.counts.slots = end.slots;
    return ring;
  }

 private:
  struct Waits {
    Text what;
    const void* data = nullptr;
    bool (*ready)(const void*) = nullptr;
    bool blocks = false;
  };
  static const char* NameOf(int which) {
    constexpr const char* kNames[] = {"the cube core", "vector core 0", "vector core 1"};
    return kNames[which];
  }
  // Gives the turn to the first core that can go on. If no core can, and no other block can help, each waiting core
  // gets it, and fails.
  void Pass() {
    running_ = Next();
    if (running_ == kNobody && deadlock_.empty()) {
      Text who;
      bool blocks = false;
      for (int which = 0; which < count_; ++which) {
        const Waits& waits = waits_[static_cast<size_t>(which)];
        if (ended_[static_cast<size_t>(which)]) continue;
        who += (who.empty() ? "" : "; ") + Text(NameOf(which)) + " waits " + waits.what;
        blocks |= waits.blocks;
      }
      const auto ready = [](const void* self) { return static_cast<const Cores*>(self)->Next() != kNobody; };
      if (!blocks) deadlock_ = who;
      if (blocks && !meeting->Wait(who, ready, this)) deadlock_ = meeting->deadlock();
      running_ = Next();
    }
    for (int which = 0; which < count_ && running_ == kNobody; ++which) {
      if (!ended_[static_cast<size_t>(which)]) running_ = which;
    }
    turn_.notify_all();
  }
  int Next() const {
    for (int which = 0; which < count_; ++which) {
      const Waits& waits = waits_[static_cast<size_t>(which)];
      if (!ended_[static_cast<size_t>(which)] && (waits.ready == nullptr || waits.ready(waits.data))) return which;
    }
    return kNobody;
  }

  static constexpr int kNobody = -1;
  const int count_;
  std::mutex mutex_;
  std::condition_variable turn_;
  int running_ = 0;
  std::array<bool, kMostCores> ended_{};
  std::array<Waits, kMostCores> waits_;
  Text deadlock_;
  std::array<pto_context*, kMostCores - 1> contexts_{};
  std::array<std::array<int64_t, kFlags>, 4> flags_{};
  std::map<std::tuple<int, int, int>, Ring> rings_;  // by pipe, direction and vector core
};

inline thread_local Cores* cores = nullptr;
inline thread_local int this_core = kCube;

// The rings of a block whose cores take turns.
class LocalLink {
 public:
  int vectors() const { return cores_->vectors(); }
  int core() const { return core_; }
  Ring& At(const PipeEnd& end, int direction, int lane) const { return cores_->RingOf(end, direction, lane); }
  template <typename Ready>
  bool Wait(const Text& what, const Ready& ready) const {
    return cores_->Wait(core_, what, ready);
  }
  Text deadlock() const { return cores_->deadlock(); }

 private:
  Cores* cores_ = cores;  // what a wait asks for is looked at on other threads, too
  int core_ = this_core;
};

// For the intrinsics of a core.
class Ends : public Exchange, public Siblings {
  using LocalEnd = End<LocalLink>;

 public:
  pto_context* VectorCore(int lane) override {
    return this_core == kCube && lane < cores->vectors() ? cores->ContextOf(lane) : nullptr;
  }
  void SetFlag(int64_t id) override {
    int64_t* const count = FlagOf(id, true);
    if (count == nullptr) return;
    if (*count < kMostSet) {
      ++*count;
      return;
    }
    RaiseFlag("flag " + Decimal(id) + " is set " + Decimal(*count + 1) + " times and not waited for");
  }
  void WaitFlag(int64_t id) override {
    const int64_t* const count = FlagOf(id, false);
    if (count == nullptr) return;
    if (!cores->Wait(this_core, "for flag " + Decimal(id), [count] { return *count > 0; })) {
      return Raise(PTO_ERROR_PROGRAM, "deadlock", "id", cores->deadlock().c_str(),
                   "Match each wait_intra_block with a set_intra_block.");
    }
    --*FlagOf(id, false);
  }
  void Push(const PipeEnd& end, pto_tile* tile, const Fixpipe* fixpipe) override { LocalEnd(end).Push(tile, fixpipe); }
  void Pop(const PipeEnd& end, pto_tile* tile) override { LocalEnd(end).Pop(tile); }
  void Free(const PipeEnd& end) override { LocalEnd(end).Free(); }
  void* Alloc(const PipeEnd& end, const Slot& slot) override { return LocalEnd(end).Alloc(slot); }
  void PushSlot(const PipeEnd& end) override { LocalEnd(end).PushSlot(); }
  void* PopSlot(const PipeEnd& end, const Slot& slot) override { return LocalEnd(end).PopSlot(slot); }

 private:
  static constexpr int64_t kMostSet = 15;
  static int64_t* FlagOf(int64_t id, bool sets) {
    const bool cube = this_core == kCube;
    const int64_t lanes = cube ? cores->vectors() : 1;
    if (id < 0 || id >= lanes * kFlags) {
      RaiseFlag("flag " + Decimal(id) + " where there are 0 to " + Decimal(lanes * kFlags - 1));
      return nullptr;
    }
    return &cores->Flag(sets != cube, cube ? static_cast<int>(id / kFlags) : this_core - 1, id % kFlags);
  }
  static void RaiseFlag(const Text& message) {
    Raise(PTO_ERROR_PROGRAM, "core-flag", "id", message.c_str(),
          "Use a flag of this range, and wait for each one that is set.");
  }
};

}  // namespace pto_detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_CORES_HPP_
