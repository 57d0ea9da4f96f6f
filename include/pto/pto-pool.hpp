// Threads that stay: what programs with several threads and pto::Launch() run blocks on.
// Without exceptions, so that every kernel can include it.
#ifndef PTO_PTO_POOL_HPP_
#define PTO_PTO_POOL_HPP_

#if !defined(__wasm__)
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#endif

namespace pto {

#if defined(__wasm__)

class Pool {
 public:
  static void Run(int, void (*work)(void*), void* data) { work(data); }
};

#else

class Pool {
 public:
  // Calls work(data) on this thread, and meanwhile on up to threads - 1 others. Returns once all calls have returned.
  // If the system has no more threads, fewer are used. `work` does not throw.
  static void Run(int threads, void (*work)(void*), void* data) {
    Pool* const pool = threads > 1 ? Current() : nullptr;
    if (pool == nullptr) return work(data);
    Job job{work, data, threads - 1, 0, nullptr, {}};
    pool->Offer(&job);
    work(data);
    pool->Withdraw(&job);
  }

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  struct Job {
    void (*work)(void*);
    void* data;
    int seats;   // for threads that may still come
    int active;  // threads that have
    Job* next;
    std::condition_variable left;
  };
  struct Thread {
    pthread_t id{};
    Thread* next = nullptr;
  };

  // Ends the threads with the process, or when the library is unloaded.
  struct Keeper {
    std::atomic<Pool*> pool{nullptr};
    ~Keeper() {
      Pool* const last = pool.exchange(nullptr);
      if (last != nullptr && last->process_ == getpid()) last->Quit();
    }
  };

  Pool() : process_(getpid()) {}

  // The pool of this process: a child that was forked has no threads of its parent's, and takes a new one. What
  // threads of the parent may have locked stays as it is.
  static Pool* Current() {
    static Keeper keeper;
    Pool* pool = keeper.pool.load(std::memory_order_acquire);
    while (pool == nullptr || pool->process_ != getpid()) {
      Pool* const made = new (std::nothrow) Pool;
      if (made == nullptr) return nullptr;
      if (keeper.pool.compare_exchange_strong(pool, made, std::memory_order_acq_rel)) return made;
      delete made;
    }
    return pool;
  }

  void Offer(Job* job) {
    const std::lock_guard<std::mutex> lock(mutex_);
    job->next = jobs_;
    jobs_ = job;
    int wanted = busy_;
    for (const Job* one = jobs_; one != nullptr; one = one->next) wanted += one->seats;
    while (count_ < wanted && Spawn()) {
    }
    offered_.notify_all();
  }

  void Withdraw(Job* job) {
    std::unique_lock<std::mutex> lock(mutex_);
    Remove(job);
    job->left.wait(lock, [job] { return job->active == 0; });
  }

  void Remove(const Job* job) {
    for (Job** at = &jobs_; *at != nullptr; at = &(*at)->next) {
      if (*at != job) continue;
      *at = job->next;
      return;
    }
  }

  bool Spawn() {
    auto* const thread = new (std::nothrow) Thread;
    if (thread == nullptr) return false;
    // Signals are for the threads of the program.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&thread->id, nullptr, Serve, this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) {
      delete thread;
      return false;
    }
    thread->next = threads_;
    threads_ = thread;
    ++count_;
    return true;
  }

  static void* Serve(void* data) {
    Pool* const pool = static_cast<Pool*>(data);
    std::unique_lock<std::mutex> lock(pool->mutex_);
    while (true) {
      pool->offered_.wait(lock, [pool] { return pool->quit_ || pool->jobs_ != nullptr; });
      if (pool->quit_) return nullptr;
      Job* const job = pool->jobs_;
      ++job->active;
      ++pool->busy_;
      if (--job->seats == 0) pool->Remove(job);
      lock.unlock();
      job->work(job->data);
      lock.lock();
      --pool->busy_;
      if (--job->active == 0) job->left.notify_all();
    }
  }

  void Quit() {
    std::unique_lock<std::mutex> lock(mutex_);
    quit_ = true;
    // Where another thread still runs something, that may never end: the process does, and takes all along.
    if (busy_ != 0 || jobs_ != nullptr) return;
    lock.unlock();
    offered_.notify_all();
    while (threads_ != nullptr) {
      Thread* const thread = threads_;
      threads_ = thread->next;
      pthread_join(thread->id, nullptr);
      delete thread;
    }
    delete this;
  }

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable offered_;
  Job* jobs_ = nullptr;  // that have seats
  Thread* threads_ = nullptr;
  int count_ = 0;  // of them
  int busy_ = 0;
  bool quit_ = false;
};

#endif

}  // namespace pto

#endif  // PTO_PTO_POOL_HPP_
