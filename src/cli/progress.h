// A line on the terminal while a run takes long.
#ifndef PTO_SRC_CLI_PROGRESS_H_
#define PTO_SRC_CLI_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "include/pto_c.h"

namespace pto::cli {

// From its making to its end, and on a terminal only.
class Progress {
 public:
  Progress(const pto_program* program, int32_t blocks);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

 private:
  void Watch();

  const pto_program* program_;
  int32_t blocks_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread watcher_;
};

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_PROGRESS_H_
