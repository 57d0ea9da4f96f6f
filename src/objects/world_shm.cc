// Ranks that are processes of one machine. Their windows, and a table of who waits, are anonymous memory that is mapped
// before the processes are forked: it has no name, so that nothing is left of it however they end.
//
// A rank that waits sleeps on a counter (futex) that each notification and each beginning wait raises. It looks for
// ranks whose process has ended every 50 ms. A deadlock is seen at once: all ranks have ended or wait, and each has
// asked for its signal since the counter was raised the last time.
#include "src/objects/world.h"

#if defined(__linux__) && __has_include(<linux/futex.h>)
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <new>

namespace pto {

struct WaitTable {
  struct Rank {
    std::atomic<int32_t> process{0};   // 0: it has not begun
    std::atomic<int32_t> contexts{0};  // 0 after it has begun: it has ended
    std::atomic<int32_t> waits{0};     // of these, that wait
    std::atomic<int32_t> lent{0};      // of these, that do nothing while a run has its own
    std::atomic<uint32_t> asked{0};    // what `changed` was when its signal was not there
  };
  std::atomic<uint32_t> changed{0};
  std::atomic<int32_t> waiting{0};
  std::atomic<uint32_t> dead{0};  // a deadlock was seen: the world is over
  Rank ranks[kMostRanks];
};

namespace {

constexpr int64_t kLookEveryNs = 50'000'000;

void Sleep(std::atomic<uint32_t>* word, uint32_t is) {
  const timespec time = {0, kLookEveryNs};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(word), FUTEX_WAIT, is, &time, nullptr, 0);
}

void Raise(WaitTable* table) {
  table->changed.fetch_add(1);
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&table->changed), FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

// Whether a process has ended, also one that its parent has not asked for yet.
bool HasEnded(int32_t process) {
#if defined(SYS_pidfd_open)
  const auto handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (handle >= 0) {
    pollfd one = {handle, POLLIN, 0};
    const bool ended = poll(&one, 1, 0) == 1;
    close(handle);
    return ended;
  }
  if (errno == ESRCH) return true;
#endif
  return kill(process, 0) != 0 && errno == ESRCH;
}

bool Deadlock(const WaitTable& table, int32_t ranks, uint32_t changed) {
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const WaitTable::Rank& one = table.ranks[rank];
    if (one.process.load() == 0) return false;
    const int32_t contexts = one.contexts.load();
    if (contexts == 0) continue;
    // Which of several has asked is not known.
    if (contexts - one.lent.load() > 1 || one.waits.load() == 0 || one.asked.load() != changed) return false;
  }
  return table.changed.load() == changed;
}

bool OpenShared(World* world) {
  bool no_space = false;
  if (!OpenWindows(world, true)) return false;
  world->table = Storage::Reserve(sizeof(WaitTable), &no_space, true);
  if (world->table == nullptr) {
    CloseWindows(world);
    return false;
  }
  world->waits.table = new (world->table->data) WaitTable;
  return true;
}

void CloseShared(World* world) {
  CloseWindows(world);
  Storage::Release(world->table);
}

constexpr Transport kShared = {"shm", OpenShared, CloseShared, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace

const Transport* const kSharedTransport = &kShared;

int64_t WaitTableBytes() { return sizeof(WaitTable); }

void Waits::EnterProcess(int32_t rank) {
  WaitTable::Rank& one = table->ranks[rank];
  one.contexts.fetch_add(1);
  one.process.store(getpid());
  Raise(table);
}

void Waits::LeaveProcess(int32_t rank) {
  table->ranks[rank].contexts.fetch_sub(1);
  Raise(table);
}

void Waits::LendProcess(int32_t rank, int32_t more) {
  table->ranks[rank].lent.fetch_add(more);
  Raise(table);
}

void Waits::WakeProcesses() {
#ifdef __SANITIZE_THREAD__
  // The sanitizer does not know fences. An addition orders as much, but takes the line from who waits.
  const bool waits = table->waiting.fetch_add(0) != 0;
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const bool waits = table->waiting.load(std::memory_order_relaxed) != 0;
#endif
  if (waits) Raise(table);
}

Waits::End Waits::AwaitProcesses(int32_t rank, bool (*holds)(void*), void* data, Lost* lost) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(limit_ms.load());
  auto look = Clock::now() + std::chrono::nanoseconds(kLookEveryNs);
  WaitTable::Rank alone;  // of a context of no rank
  WaitTable::Rank& self = rank < 0 ? alone : table->ranks[rank];
  table->waiting.fetch_add(1);
  self.waits.fetch_add(1);
  // What it stored by other instructions may be what another rank waits for.
  Raise(table);
  End end = End::kHolds;
  while (true) {
    const uint32_t changed = table->changed.load();
    if (holds(data)) break;
    self.asked.store(changed);
    if (table->dead.load() != 0 || Deadlock(*table, ranks, changed)) {
      table->dead.store(1);
      Raise(table);
      end = End::kDeadlock;
      break;
    }
    const auto now = Clock::now();
    if (now >= until) {
      end = End::kTimeLimit;
      break;
    }
    if (now >= look) {
      look = now + std::chrono::nanoseconds(kLookEveryNs);
      for (int32_t other = 0; other < ranks && end == End::kHolds; ++other) {
        const int32_t process = table->ranks[other].process.load();
        if (process == 0 || table->ranks[other].contexts.load() == 0 || !HasEnded(process)) continue;
        *lost = {other, process};
        end = End::kLost;
      }
      if (end == End::kLost) {
        if (holds(data)) end = End::kHolds;  // it was the last thing that the rank did
        break;
      }
    }
    Sleep(&table->changed, changed);
  }
  self.waits.fetch_sub(1);
  table->waiting.fetch_sub(1);
  return end;
}

}  // namespace pto

#else

namespace pto {

const Transport* const kSharedTransport = nullptr;
void Waits::EnterProcess(int32_t) {}
void Waits::LeaveProcess(int32_t) {}
void Waits::LendProcess(int32_t, int32_t) {}
int64_t WaitTableBytes() { return 0; }
void Waits::WakeProcesses() {}
Waits::End Waits::AwaitProcesses(int32_t, bool (*)(void*), void*, Lost*) { return End::kDeadlock; }

}  // namespace pto

#endif
