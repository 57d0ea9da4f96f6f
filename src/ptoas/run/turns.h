// The shared state of blocks that run on several threads: which of them are
// done, and from which on none is needed any more.
#ifndef PTO_SRC_PTOAS_TURNS_H_
#define PTO_SRC_PTOAS_TURNS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace pto::ptoas {

class Turns {
 public:
  void Begin(int32_t blocks) {
    const std::lock_guard lock(mutex_);
    first_ = 0;
    steps_.store(0, std::memory_order_relaxed);
    blocks_.store(0, std::memory_order_relaxed);
    last_.store(blocks - 1, std::memory_order_relaxed);
    started_ = std::chrono::steady_clock::now();
  }
  std::chrono::steady_clock::time_point started() const { return started_; }

  // How far the run is: about, and from any thread.
  void Took(int64_t steps) { steps_.fetch_add(steps, std::memory_order_relaxed); }
  int64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  int32_t blocks() const { return blocks_.load(std::memory_order_relaxed); }
  void End(int64_t steps, int32_t blocks) {
    steps_.store(steps, std::memory_order_relaxed);
    blocks_.store(blocks, std::memory_order_relaxed);
  }

  // The run does not go beyond this block; -1 ends it at once.
  void CutAfter(int32_t block) {
    const std::lock_guard lock(mutex_);
    if (block < last_.load(std::memory_order_relaxed)) last_.store(block, std::memory_order_relaxed);
    changed_.notify_all();
  }
  bool Cut(int32_t block) const { return block > last_.load(std::memory_order_relaxed); }

  // All blocks before this one are done.
  void Done(int32_t first) {
    const std::lock_guard lock(mutex_);
    first_ = first;
    blocks_.store(first, std::memory_order_relaxed);
    changed_.notify_all();
  }
  // Waits until all blocks before this one are done, or it is cut off. The first block that is not done never
  // waits, so that the run continues.
  void Await(int32_t block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return first_ >= block || Cut(block); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int32_t first_ = 0;
  std::atomic<int32_t> last_{0};
  std::atomic<int64_t> steps_{0};
  std::atomic<int32_t> blocks_{0};
  std::chrono::steady_clock::time_point started_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_TURNS_H_
