// Making worlds, and the transport whose ranks are all in this process.
#include "src/objects/world.h"

#include <chrono>
#include <new>
#include <thread>

namespace pto {

void CloseWindows(World* world) {
  for (Storage*& window : world->windows) {
    Storage::Release(window);
    window = nullptr;
  }
}

int32_t RankAt(const World& world, const void* byte) {
  for (int32_t rank = 0; rank < world.ranks; ++rank) {
    const uintptr_t first = reinterpret_cast<uintptr_t>(world.windows[rank]->data);
    if (reinterpret_cast<uintptr_t>(byte) - first < static_cast<uintptr_t>(world.window_bytes)) return rank;
  }
  return -1;
}

// Pages of a window are taken when they are touched.
bool OpenWindows(World* world, bool shared) {
  for (int32_t rank = 0; rank < world->ranks; ++rank) {
    bool no_space = false;
    const int64_t bytes = world->window_bytes;
    world->windows[rank] = bytes == 0 ? Storage::Allocate(bytes) : Storage::Reserve(bytes, &no_space, shared);
    if (world->windows[rank] == nullptr) {
      CloseWindows(world);
      return false;
    }
    world->windows[rank]->rank = rank;
  }
  return true;
}

const Transport kLocalTransport = {
    "local", [](World* world) { return OpenWindows(world, false); }, CloseWindows, nullptr, nullptr, nullptr, nullptr,
    nullptr};

// ---- waiting ----------------------------------------------------------------

void Waits::Enter(int32_t rank) {
  if (table != nullptr) return EnterProcess(rank);
  const std::lock_guard lock(mutex_);
  ++contexts_;
  met_ |= uint64_t{1} << rank;
}

void Waits::Leave(int32_t rank) {
  if (table != nullptr) return LeaveProcess(rank);
  const std::lock_guard lock(mutex_);
  --contexts_;
  changed_.notify_all();
}

void Waits::Lend(int32_t rank, int32_t more) {
  if (table != nullptr) return LendProcess(rank, more);
  const std::lock_guard lock(mutex_);
  contexts_ -= more;
  changed_.notify_all();
}

void Waits::WakeAll() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// Whether all wait who could notify, and none for what holds by now.
bool Waits::Deadlocked() const {
  const uint64_t all = ~uint64_t{0} >> (kMostRanks - ranks);
  if (met_ != all || waiting_.load() < contexts_) return false;
  for (const One* one = first_; one != nullptr; one = one->next) {
    if (one->holds(one->data)) return false;
  }
  return true;
}

Waits::End Waits::Await(int32_t rank, bool (*holds)(void*), void* data, Lost* lost) {
  // Signals come within a microsecond or so where each rank has a processor; where not, the other ranks need this one.
  for (int turn = 0; turn < 64; ++turn) {
    if (holds(data)) return End::kHolds;
    if (far != nullptr) far->transport->progress(far->link);
    if (turn % 16 == 15) std::this_thread::yield();
  }
  if (table != nullptr) return AwaitProcesses(rank, holds, data, lost);
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(limit_ms.load());
  std::unique_lock lock(mutex_);
  One self{holds, data, first_};
  first_ = &self;
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  End end = End::kHolds;
  while (!holds(data)) {
    if (rank >= 0 && (dead_ || Deadlocked())) {
      dead_ = true;
      changed_.notify_all();
      end = End::kDeadlock;
      break;
    }
    if (Clock::now() >= until) {
      end = End::kTimeLimit;
      break;
    }
    // A signal may also be stored by an instruction that is not a notification, or by a rank that is far.
    if (far == nullptr) {
      changed_.wait_for(lock, std::chrono::milliseconds(1));
    } else {
      far->transport->progress(far->link);
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
  }
  One** at = &first_;
  while (*at != &self) at = &(*at)->next;
  *at = self.next;
  if (waiting_.fetch_sub(1) == 1) dead_ = false;
  return end;
}

// ---- worlds -----------------------------------------------------------------

World* NewWorld(const Transport& transport, int32_t ranks, int64_t window_bytes, const char** why) {
  *why = nullptr;
  auto* world = new (std::nothrow) pto_world;
  if (world == nullptr) return nullptr;
  world->transport = &transport;
  world->ranks = ranks;
  world->window_bytes = window_bytes;
  world->waits.ranks = ranks;
  if (!transport.open(world)) {
    *why = world->why;
    delete static_cast<pto_world*>(world);
    return nullptr;
  }
  g_live_handles.fetch_add(1, std::memory_order_relaxed);
  return world;
}

void ReleaseWorld(World* world) {
  if (world == nullptr || !world->refs.Release()) return;
  world->transport->close(world);
  g_live_handles.fetch_sub(1, std::memory_order_relaxed);
  delete static_cast<pto_world*>(world);
}

}  // namespace pto
