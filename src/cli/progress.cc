#include "src/cli/progress.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>

#include "src/cli/cli.h"

namespace pto::cli {

namespace {

constexpr std::chrono::milliseconds kQuiet{1000};  // a shorter run needs no line
constexpr std::chrono::milliseconds kPeriod{200};
constexpr int kWidth = 24;

}  // namespace

Progress::Progress(const pto_program* program, int32_t blocks) : program_(program), blocks_(blocks) {
  if (isatty(STDERR_FILENO) == 0) return;
  // Signals are for the thread that runs the program.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    watcher_ = std::thread([this] { Watch(); });
  } catch (const std::system_error&) {
    // No thread, no line.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  watcher_.join();
}

void Progress::Watch() {
  std::unique_lock lock(mutex_);
  bool shown = false;
  std::chrono::milliseconds wait = kQuiet;
  while (!over_.wait_for(lock, wait, [this] { return done_; })) {
    wait = kPeriod;
    const int32_t block = pto_program_blocks_so_far(program_);
    const auto taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    std::string line;
    if (blocks_ > 1) {
      const auto full = static_cast<size_t>(int64_t{kWidth} * block / blocks_);
      line = "[" + std::string(full, '#') + std::string(kWidth - full, ' ') + "] block " + std::to_string(block) +
             " of " + std::to_string(blocks_) + ", ";
    }
    line += Format("%.1f million steps, %.0f s", static_cast<double>(pto_program_steps_so_far(program_)) / 1e6, taken);
    std::fprintf(stderr, "\r%s\033[K", line.c_str());
    std::fflush(stderr);
    shown = true;
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

}  // namespace pto::cli
