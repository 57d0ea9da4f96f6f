// A kernel once for each block, on the cores of the machine. For the side that launches: kernels need pto-inst.hpp
// only.
#ifndef PTO_PTO_LAUNCH_HPP_
#define PTO_PTO_LAUNCH_HPP_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "pto/pto-cores.hpp"
#include "pto/pto-inst.hpp"
#include "pto/pto-pool.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace pto_detail {

inline thread_local int threads = 1;
inline thread_local int rank = 0;  // of the kernel that the calling thread runs

// The shared state of the blocks of a launch. At most the requested threads run at a time: a block that waits at
// SYNCALL lets another one run meanwhile, on another thread where it did not begin yet.
class Launching final : public Meeting {
 public:
  // For plain blocks, or for blocks that have one cube core and the given number of vector cores.
  Launching(int64_t blocks, int vectors, void (*kernel)(void*), void* data, bool ranks = false)
      : ranks_(ranks),
        world_(ranks && find_world != nullptr ? find_world(static_cast<int>(blocks)) : nullptr),
        kernel_(kernel),
        data_(data),
        ctx_(CurrentContext()),
        handler_(error_handler),
        manual_(manual),
        blocks_(blocks),
        vectors_(vectors),
        failed_(blocks) {}
  Launching(const Launching&) = delete;
  Launching& operator=(const Launching&) = delete;
  ~Launching() { pto_world_release(world_); }

  void Run(int limit) {
    if (ctx_ == nullptr) return;
    if (follower != nullptr) limit = 1;  // it follows one thread
    limit_ = blocks_ < 1 ? 1 : static_cast<int>(blocks_ < limit ? blocks_ : limit);
    Pool::Run(
        limit_, [](void* one) { static_cast<Launching*>(one)->Take(); }, this);
    std::unique_lock<std::mutex> lock(mutex_);
    while (!others_.empty()) {
      std::thread last = std::move(others_.back());
      others_.pop_back();
      lock.unlock();
      last.join();
      lock.lock();
    }
    // The output of blocks, in their order, up to the first that failed.
    for (const auto& [block, text] : printed_) {
      if (block <= failed_.load() && pto_context_print(ctx_, text.c_str()) != PTO_OK) RaiseFrom(ctx_);
    }
#if !defined(PTO_NO_EXCEPTIONS)
    if (error_ != nullptr) std::rethrow_exception(error_);
#endif
  }

  void Meet(SyncCoreType type, int32_t* counter, int32_t used) override {
    const bool vector = cores != nullptr && this_core != kCube;
    if (cores != nullptr && type != SyncCoreType::Mix && vector != (type == SyncCoreType::AIVOnly)) {
      return Raise(PTO_ERROR_PROGRAM, "core-kind", "CoreType", "a core of another kind than SYNCALL is for",
                   "Call it on cores of its kind, or with SyncCoreType::Mix.");
    }
    if (follower != nullptr && blocks_ > 1) {
      return Raise(PTO_ERROR_ARGUMENT, "recording", "blocks", "blocks that wait for each other",
                   "Record what each block does by itself.");
    }
    const int64_t in_block = vectors_ == 0 || type == SyncCoreType::AICOnly ? 1
                             : type == SyncCoreType::AIVOnly                ? vectors_
                                                                            : 1 + vectors_;
    const auto total = used > 0 ? used : static_cast<int32_t>(blocks_ * in_block);
    // It counts on: the next meeting begins where the last one ended.
    int32_t* const at = counter != nullptr ? counter : &counters_[static_cast<size_t>(type)];
    const int32_t before = __atomic_fetch_add(at, 1, __ATOMIC_ACQ_REL);
    struct Goal {
      const int32_t* counter;
      int32_t target;
    } const goal{at, (before / total + 1) * total};
    const auto ready = [](const void* one) {
      const Goal& all = *static_cast<const Goal*>(one);
      return __atomic_load_n(all.counter, __ATOMIC_ACQUIRE) >= all.target;
    };
    if (ready(&goal)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      return Grant();
    }
    const Text what = "at SYNCALL for all " + Decimal(total) + " cores";
    Cores* const own = cores;
    if (own == nullptr ? Wait("it waits " + what, ready, &goal)
                       : own->Wait(
                             this_core, what, [&] { return ready(&goal); }, true)) {
      return;
    }
    Raise(PTO_ERROR_PROGRAM, "deadlock", "blocks", (own == nullptr ? deadlock_ : own->deadlock()).c_str(),
          "Call SYNCALL as often on each core of its kind.");
  }

  bool Wait(const Text& what, bool (*ready)(const void*), const void* data) override {
    std::unique_lock<std::mutex> lock(mutex_);
    Waiting one{what, ready, data, false, false};
    const auto at = waiting_.emplace(Number(), &one).first;
    --running_;
    Grant();
    changed_.wait(lock, [&] { return one.granted; });
    waiting_.erase(at);
    return ready(data);
  }
  const Text& deadlock() const override { return deadlock_; }
  void Yield() override {
    static const Text kWhat = "it asks for a signal";
    std::unique_lock<std::mutex> lock(mutex_);
    Waiting one{kWhat, [](const void*) { return false; }, nullptr, true, false};
    const auto at = waiting_.emplace(Number(), &one).first;
    --running_;
    Grant();
    changed_.wait(lock, [&] { return one.granted; });
    waiting_.erase(at);
    last_ = Number();
  }

 private:
  struct Waiting {
    const Text& what;
    bool (*ready)(const void*);
    const void* data;
    bool yields;  // it may go on where no other block can
    bool granted;
  };
  // For the block, or the rank, that the calling thread runs.
  int64_t Number() const { return ranks_ ? rank : core.block; }

  // One of the threads that were asked for.
  void Take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return running_ < limit_; });
    ++running_;
    lock.unlock();
    Work();
  }

  // With the lock: threads go on while there are fewer than asked, the first block first; one that did not begin when
  // none can.
  void Grant() {
    while (running_ < limit_) {
      Waiting* next = nullptr;
      Waiting* asks = nullptr;  // the next one in turn that yields
      bool waits = false;
      bool after = false;
      for (const auto& [block, one] : waiting_) {
        if (one->granted) continue;
        waits = true;
        if (one->yields && (asks == nullptr || (block > last_ && !after))) {
          asks = one;
          after = block > last_;
        }
        if (next == nullptr && (!deadlock_.empty() || one->ready(one->data))) next = one;
      }
      if (next != nullptr) {
        next->granted = true;
        ++running_;
      } else if (waits && next_.load() < failed_.load()) {
        others_.emplace_back([this] { Work(); });
        ++running_;
      } else if (asks != nullptr && running_ == 0) {
        asks->granted = true;
        ++running_;
      } else if (waits && running_ == 0) {
        SayWaiting();
      } else {
        break;
      }
    }
    changed_.notify_all();
  }

  void SayWaiting() {
    constexpr size_t kMost = 8;
    size_t said = 0;
    for (const auto& [block, one] : waiting_) {
      if (one->granted || ++said > kMost) continue;
      deadlock_ += (said == 1 ? "" : "; ") + Text(ranks_ ? "rank " : "block ") + Decimal(block) + ": " + one->what;
    }
    if (said > kMost) deadlock_ += "; and " + Decimal(static_cast<int64_t>(said - kMost)) + " more";
    if (const int64_t ended = blocks_ - static_cast<int64_t>(said); ended > 0) {
      deadlock_ += "; " + Decimal(ended) + " of " + Decimal(blocks_) + (ranks_ ? " ranks" : " blocks") +
                   " have come to their end";
    }
  }

  // The work of one thread, which restores the thread's state.
  void Work() {
    ThreadContexts& contexts = Contexts();
    pto_context* const own_before = std::exchange(contexts.own, nullptr);
    pto_context* const used_before = std::exchange(contexts.used, nullptr);
    pto_context* const context_before = Current();
    const Core core_before = core;
    const ErrorHandler handler_before = error_handler;
    const bool manual_before = manual;
    const int threads_before = threads;
    const int rank_before = rank;
    Meeting* const meeting_before = std::exchange(meeting, this);
    Exchange* const exchange_before = std::exchange(exchange, nullptr);
    Siblings* const siblings_before = std::exchange(siblings, nullptr);
    Cores* const cores_before = std::exchange(cores, nullptr);
    QuantWords words_before;
    quant_words.Swap(words_before);
    for (int64_t block = next_.fetch_add(1); block < failed_.load(); block = next_.fetch_add(1)) {
      core = Core();
      if (!ranks_) SetBlock(block, blocks_);
      rank = ranks_ ? static_cast<int>(block) : rank_before;
      QuantWords words;
      quant_words.Swap(words);
      error_handler = handler_;
      manual = manual_;
      threads = 1;
      RunBlock(block);
      KeepOutput(block);
      UseContext(nullptr);
      pto_context_release(std::exchange(contexts.own, nullptr));
    }
    if (follower != nullptr) follower->Block(-1, 1);
    quant_words.Swap(words_before);
    cores = cores_before;
    siblings = siblings_before;
    exchange = exchange_before;
    meeting = meeting_before;
    threads = threads_before;
    rank = rank_before;
    manual = manual_before;
    error_handler = handler_before;
    core = core_before;
    SetCurrent(context_before);
    contexts.used = used_before;
    contexts.own = own_before;
    const std::lock_guard<std::mutex> lock(mutex_);
    --running_;
    Grant();
  }

  // In a context of its own, as if it were the only block.
  void RunBlock(int64_t block) {
    pto_context* const own = world_ != nullptr
                                 ? pto_world_context(ctx_, world_, static_cast<int32_t>(block))
                                 : pto_context_create_for(pto_context_profile(ctx_), pto_context_target(ctx_));
    if (own != nullptr) Limit(own, pto_context_capacity(ctx_, PTO_LOCATION_VEC));
    UseContext(own);
    pto_context_release(own);
#if defined(PTO_NO_EXCEPTIONS)
    if (follower != nullptr) follower->Block(block, blocks_);
    if (own == nullptr) {
      Raise(PTO_ERROR_MEMORY, "memory", "blocks", "no context for a block",
            "Release tiles or contexts, then call again.");
    } else {
      kernel_(data_);
    }
#else
    try {
      if (own == nullptr) {
        Raise(PTO_ERROR_MEMORY, "memory", "blocks", "no context for a block",
              "Release tiles or contexts, then call again.");
      }
      if (follower != nullptr) follower->Block(block, blocks_);
      kernel_(data_);
    } catch (const Error& error) {
      Fail(block, error.rule() == "deadlock");
    } catch (...) {
      Fail(block, false);
    }
#endif
  }

#if !defined(PTO_NO_EXCEPTIONS)
  // Of several errors, the first one that is not about waiting is reported: blocks that wait for a block that failed
  // have no error of their own.
  void Fail(int64_t block, bool waited) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (error_ == nullptr || (waited == waited_ ? block < error_block_ : waited_)) {
      error_ = std::current_exception();
      error_block_ = block;
      waited_ = waited;
    }
    if (block < failed_.load()) failed_.store(block);
  }
#endif

  void KeepOutput(int64_t block) {
    pto_context* const ctx = Current();
    const char* const text = ctx == nullptr ? "" : pto_context_output(ctx);
    if (*text == '\0') return;
    const std::lock_guard<std::mutex> lock(mutex_);
    printed_.emplace(block, text);
  }

  const bool ranks_;        // each block is one of another rank
  pto_world* const world_;  // that they belong to
  int64_t last_ = -1;       // that yielded and went on
  void (*const kernel_)(void*);
  void* const data_;
  pto_context* const ctx_;
  const ErrorHandler handler_;
  const bool manual_;
  const int64_t blocks_;
  const int vectors_;
  int limit_ = 1;
  std::atomic<int64_t> next_{0};
  std::atomic<int64_t> failed_;  // the first block that did; those after it need not begin
  std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0;                      // threads
  std::map<int64_t, Waiting*> waiting_;  // blocks
  std::vector<std::thread> others_;      // beside those that were asked for
  Text deadlock_;
  std::array<int32_t, 3> counters_{};  // who came to SYNCALL, by kind
  std::map<int64_t, Text> printed_;
#if !defined(PTO_NO_EXCEPTIONS)
  std::exception_ptr error_;
  int64_t error_block_ = 0;
  bool waited_ = false;  // that error
#endif
};

// The value of an argument on a rank: its own value of a function of the rank, or the argument.
template <typename Argument>
decltype(auto) ForRank(Argument& argument, int of) {
  if constexpr (std::is_invocable_v<Argument&, int>) {
    return argument(of);
  } else {
    return (argument);
  }
}

template <typename Call>
void LaunchBlocks(int64_t blocks, int vectors, Call&& call) {
  Launching(
      blocks, vectors, [](void* data) { (*static_cast<std::remove_reference_t<Call>*>(data))(); }, &call)
      .Run(threads);
}

}  // namespace pto_detail

// Sets how many threads a Launch() of the calling thread takes, at most, itself included; 1 without this call.
inline void SetThreads(int threads) { pto_detail::threads = threads < 1 ? 1 : threads; }

// Calls kernel(args...) once for each block and returns when all are complete. In a block, get_block_idx() and
// get_block_num() return its number and their count. Each block has on-chip memory of its own, zero at first, and the
// profile, mode and error handler of the calling thread. Results do not depend on the number of threads, unless one
// block writes what another one reads or writes. The kernel gets args themselves, in several threads at a time. The
// exception of the first failing block is thrown again; blocks after it may not have begun. Blocks that meet at SYNCALL
// run at the same time, each on a thread of its own. At most SetThreads() of these threads run at once.
template <typename Kernel, typename... Arguments>
inline void Launch(int64_t blocks, Kernel&& kernel, Arguments&&... args) {
  pto_detail::LaunchBlocks(blocks, 0, [&] { kernel(args...); });
}

// Calls kernel(args...) once for each rank of a world and returns when all are done. An argument that can be called
// with an int is a function of the rank: its result is passed. Each rank is one block, with on-chip memory of its own.
// Ranks take turns on one thread, or on the number of threads of SetThreads(): each runs until it waits for a signal at
// TWAIT, the lowest first. Where all wait, each fails with `deadlock`. The first exception by rank is thrown again.
template <typename Kernel, typename... Arguments>
inline void LaunchRanks(int ranks, Kernel&& kernel, Arguments&&... args) {
  auto call = [&] { kernel(pto_detail::ForRank(args, pto_detail::rank)...); };
  pto_detail::Launching(
      ranks, 0, [](void* data) { (*static_cast<decltype(call)*>(data))(); }, &call, true)
      .Run(pto_detail::threads);
}

namespace pto_detail {

// The cores of the block that the calling thread is; it is the cube core itself.
class CoreThreads {
 public:
  CoreThreads(int vectors, void (*kernel)(void*, int), void* data)
      : cores_(vectors), kernel_(kernel), data_(data), ctx_(CurrentContext()), base_(core), handler_(error_handler) {
    manual_ = manual;
    base_.subblocks = vectors;
  }

  void Run() {
    if (ctx_ == nullptr) return;
    // Before any core runs: the cube core writes the memory of vector cores.
    for (int lane = 0; lane < cores_.vectors(); ++lane) {
      pto_context* const own = pto_context_create_for(pto_context_profile(ctx_), pto_context_target(ctx_));
      if (own != nullptr) Limit(own, pto_context_capacity(ctx_, PTO_LOCATION_VEC));
      cores_.ContextOf(lane) = own;
    }
    std::array<std::thread, kMostCores> others;
    for (int i = 1; i <= cores_.vectors(); ++i) {
      others[static_cast<size_t>(i)] = std::thread([this, i] { Vector(i); });
    }
    core = base_;
    One(kCube);
    for (std::thread& thread : others) {
      if (thread.joinable()) thread.join();
    }
    for (int lane = 0; lane < cores_.vectors(); ++lane) pto_context_release(cores_.ContextOf(lane));
    for (const Text& text : printed_) {
      if (!text.empty() && pto_context_print(ctx_, text.c_str()) != PTO_OK) RaiseFrom(ctx_);
    }
#if !defined(PTO_NO_EXCEPTIONS)
    // Those that waited for a core that failed have no error of their own.
    for (const bool waited : {false, true}) {
      for (size_t i = 0; i < kMostCores; ++i) {
        if (errors_[i] != nullptr && waited_[i] == waited) std::rethrow_exception(errors_[i]);
      }
    }
#endif
  }

 private:
  void Vector(int index) {
    error_handler = handler_;
    manual = manual_;
    meeting = meeting_;
    core = base_;
    core.subblock = index - 1;
    pto_context* const own = cores_.ContextOf(index - 1);
    UseContext(own);
    One(index);
    if (own != nullptr) printed_[static_cast<size_t>(index)] = pto_context_output(own);
  }

  void One(int index) {
    Ends ends;
    exchange = &ends;
    siblings = &ends;
    cores = &cores_;
    this_core = index;
    cores_.Enter(index);
#if defined(PTO_NO_EXCEPTIONS)
    kernel_(data_, index);
#else
    const auto at = static_cast<size_t>(index);
    try {
      kernel_(data_, index);
    } catch (const Error& error) {
      errors_[at] = std::current_exception();
      waited_[at] = error.rule() == "deadlock";
    } catch (...) {
      errors_[at] = std::current_exception();
    }
#endif
    cores_.Leave(index);
    exchange = nullptr;
    siblings = nullptr;
    cores = nullptr;
    this_core = kCube;
  }

  Cores cores_;
  void (*const kernel_)(void*, int);
  void* const data_;
  pto_context* const ctx_;
  Core base_;
  const ErrorHandler handler_;
  bool manual_;
  Meeting* const meeting_ = meeting;
  std::array<Text, kMostCores> printed_;
#if !defined(PTO_NO_EXCEPTIONS)
  std::array<std::exception_ptr, kMostCores> errors_;
  std::array<bool, kMostCores> waited_{};
#endif
};

}  // namespace pto_detail

// A Launch() of blocks of several cores. The cube core calls cube(args...), and one or two vector cores call
// vector(args...); get_subblockid() returns the number of the vector core. Each core has on-chip memory of its own.
// Cores exchange tiles through pipes, with TPUSH and TPOP of a TPipe. The cores of a block take turns, each until it
// has to wait for another.
template <typename Cube, typename Vector, typename... Arguments>
inline void LaunchCores(int64_t blocks, int vectors, Cube&& cube, Vector&& vector, Arguments&&... args) {
  if (vectors < 1 || vectors > 2 || pto_detail::follower != nullptr) {
    const bool few = pto_detail::follower == nullptr;
    return pto_detail::Raise(
        PTO_ERROR_ARGUMENT, few ? "operand-value" : "recording", "vectors",
        few ? pto_detail::Say("%d vector cores", vectors).text : "cores that run beside each other",
        few ? "A block has one vector core, or two." : "Record what each core does by itself.");
  }
  auto call = [&](int index) {
    index == pto_detail::kCube ? static_cast<void>(cube(args...)) : static_cast<void>(vector(args...));
  };
  pto_detail::LaunchBlocks(blocks, vectors, [&] {
    pto_detail::CoreThreads(
        vectors, [](void* data, int index) { (*static_cast<decltype(call)*>(data))(index); }, &call)
        .Run();
  });
}

// A Launch() by the name that hosts of the common simulator have for it.
namespace cpu_sim {
template <typename Kernel, typename... Arguments>
inline void LaunchKernelMultiCore(int64_t blocks, Kernel&& kernel, Arguments&&... args) {
  Launch(blocks, kernel, args...);
}
}  // namespace cpu_sim

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_LAUNCH_HPP_
