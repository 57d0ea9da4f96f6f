// A world: ranks, each with a window of memory that all ranks reach. It is based on a transport, a small table
// of functions.
#ifndef PTO_SRC_OBJECTS_WORLD_H_
#define PTO_SRC_OBJECTS_WORLD_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "src/objects/mpi_plugin.h"
#include "src/objects/storage.h"
#include "src/records/dtype.h"

struct pto_world;

namespace pto {

inline constexpr int32_t kMostRanks = 64;  // what CommContext of C++ has room for

struct World;

using FarPart = pto_mpi_part;
struct FarError : pto_mpi_error {
  FarError() { operation = nullptr; }
};

// How the ranks of a world reach each other.
struct Transport {
  const char* name;
  // Makes the windows of all ranks, zeroed and aligned to 64 bytes. False: the system has no memory, and no window is
  // left.
  bool (*open)(World* world);
  void (*close)(World* world);
  // For far windows (see Storage); complete when they return. nullptr: the transport has no far windows. Each sum of
  // add() is atomic. The first error is stored.
  void (*put)(void* link, const FarPart* parts, int32_t count, FarError* error);
  void (*get)(void* link, const FarPart* parts, int32_t count, FarError* error);
  void (*add)(void* link, int32_t rank, int64_t offset, const void* from, int64_t count, DType dtype, FarError* error);
  void (*set)(void* link, int32_t rank, int64_t offset, int32_t value, FarError* error);
  // Completes what other ranks do to the own window; a rank that waits calls it.
  void (*progress)(void* link);
};

// How to reach windows in the memory of other machines. It stays until the process ends, and so do the windows.
struct Far {
  const Transport* transport;
  void* link;  // the transport's own
  const Far* next;
};
extern const Transport kLocalTransport;  // all ranks are in this process
// Ranks are processes that are forked once the world is there. nullptr: the system has no such processes.
extern const Transport* const kSharedTransport;
// Ranks are processes that mpirun started. nullptr: libpto cannot load plug-ins on the system.
extern const Transport* const kMpiTransport;

struct WaitTable;

// Threads of ranks that wait for a signal. Where all ranks wait that still can notify, each of them hears of it at
// once.
class Waits {
 public:
  enum class End : uint8_t { kHolds, kDeadlock, kTimeLimit, kLost };
  // The process of a rank that has ended.
  struct Lost {
    int32_t rank = -1;
    int32_t process = 0;
  };

  // Returns once holds(data), or why it never will. It is asked on other threads, too.
  End Await(int32_t rank, bool (*holds)(void*), void* data, Lost* lost);
  // Some signal has changed. Nothing but a load where no thread waits.
  void Wake() {
    if (table != nullptr) return WakeProcesses();
    if (waiting_.load(std::memory_order_seq_cst) != 0) WakeAll();
  }
  // A rank has one more context, and one less. One without a context sends no signal, once all ranks have had one.
  void Enter(int32_t rank);
  void Leave(int32_t rank);
  // A context is lent to a run that has contexts of its own, and does nothing meanwhile: +1, and -1 after it.
  void Lend(int32_t rank, int32_t more);

  int32_t ranks = 1;
  std::atomic<int64_t> limit_ms{60'000};
  const Far* far = nullptr;    // whose transport makes progress while a rank waits
  WaitTable* table = nullptr;  // in memory that processes share; nullptr: ranks are threads

 private:
  struct One {
    bool (*holds)(void*);
    void* data;
    One* next;
  };
  void WakeAll();
  bool Deadlocked() const;
  // world_shm.cc
  End AwaitProcesses(int32_t rank, bool (*holds)(void*), void* data, Lost* lost);
  void WakeProcesses();
  void EnterProcess(int32_t rank);
  void LeaveProcess(int32_t rank);
  void LendProcess(int32_t rank, int32_t more);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<int32_t> waiting_{0};
  One* first_ = nullptr;
  int32_t contexts_ = 0;  // that are alive
  uint64_t met_ = 0;      // ranks that had one, a bit each
  bool dead_ = false;     // until all who wait know it
};

struct World {
  const Transport* transport = nullptr;
  int32_t ranks = 0;
  int64_t window_bytes = 0;
  Storage* windows[kMostRanks] = {};  // as this process sees them
  Storage* table = nullptr;           // what waits.table is in
  Waits waits;
  int32_t self = -1;          // the rank of this process; -1: any
  const char* why = nullptr;  // a world could not be made
  RefCount refs;
};

// The rank whose window has this byte; -1: none.
int32_t RankAt(const World& world, const void* byte);

// Maps all windows, shared or not.
bool OpenWindows(World* world, bool shared);
void CloseWindows(World* world);
// nullptr: `*why` is the cause, or nullptr where the system has no memory.
World* NewWorld(const Transport& transport, int32_t ranks, int64_t window_bytes, const char** why);
int64_t WaitTableBytes();  // of memory that processes share; zeros are an empty table
void ReleaseWorld(World* world);

}  // namespace pto

// The struct of the public handle.
struct pto_world : pto::World {};

#endif  // PTO_SRC_OBJECTS_WORLD_H_
