// Counted memory that tiles share: a tile's own, the caller's, or a context's
// on-chip memory. Also the process-wide count of live handles.
#ifndef PTO_SRC_OBJECTS_STORAGE_H_
#define PTO_SRC_OBJECTS_STORAGE_H_

#include <atomic>
#include <cstdint>

namespace pto {

struct Far;

// A reference count. Handles are released in any order and from any thread, so
// counts are atomic; the compute path never touches them. 64 bits: a program that
// leaks a reference a nanosecond wraps around after three centuries, with 32 after seconds,
// and what it then frees is in use.
class RefCount {
 public:
  RefCount() = default;
  explicit RefCount(int64_t count) : count_(count) {}
  void Retain() { count_.fetch_add(1, std::memory_order_relaxed); }
  // True when the last reference is gone.
  bool Release() { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  std::atomic<int64_t> count_{1};
};

// False on a machine of 32 bits for more than its addresses count, rounded up for alignment.
constexpr bool Addressable(int64_t bytes) { return bytes <= PTRDIFF_MAX - 128; }

struct Storage {
  RefCount refs;
  uint8_t* data = nullptr;
  void* block = nullptr;  // what was allocated; nullptr for the caller's memory
  int64_t bytes = 0;
  int64_t reserved = 0;      // bytes of address space, if block is address space
  int32_t rank = -1;         // whose window it is in a world; -1: it is not a window
  const Far* far = nullptr;  // how to reach a window of another machine; nullptr: it is memory of this one

  // Zeroed memory aligned for SIMD; nullptr when memory is out.
  static Storage* Allocate(int64_t bytes);
  // The same for memory that is perhaps touched little: the system gives pages as they are touched.
  // `*no_space` becomes true if it was the address space that the system does not have.
  // `shared`: processes that are forked from now on have the same memory.
  static Storage* Reserve(int64_t bytes, bool* no_space, bool shared = false);
  // The caller's memory; nullptr when memory is out.
  static Storage* Wrap(void* data, int64_t bytes);
  static void Release(Storage* storage);
};

// Contexts, tiles and instructions alive in the process.
extern std::atomic<int64_t> g_live_handles;

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_STORAGE_H_
