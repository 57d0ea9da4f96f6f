// numpy.cc: the pipe to bench/numpy_worker.py.
#include "bench/numpy.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace bench {

Numpy::Numpy(const std::string& command, const Arena& arena)
    : arena_(arena), path_("/dev/shm/pto-bench-" + std::to_string(getpid())) {
  int to[2];
  int from[2];
  if (command.empty() || pipe(to) != 0 || pipe(from) != 0) return;
  if (fork() == 0) {
    dup2(to[0], 0);
    dup2(from[1], 1);
    close(to[1]);
    close(from[0]);
    const std::string line = command + " " + path_ + " " + std::to_string(kStride);
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  out_ = fdopen(to[1], "w");
  in_ = fdopen(from[0], "r");
}

Numpy::~Numpy() {
  if (out_ != nullptr) fclose(out_);
  if (in_ != nullptr) fclose(in_);
  unlink(path_.c_str());
}

void Numpy::Load(int64_t bytes) const {
  if (out_ == nullptr) return;
  std::ofstream file(path_, std::ios::binary);
  for (int i = 0; i < kSources; ++i) file.write(arena_.Source(i), bytes);
  file.close();
  fprintf(out_, "load %lld\n", static_cast<long long>(bytes));
  fflush(out_);
  char answer[64];
  if (fgets(answer, sizeof answer, in_) == nullptr) std::abort();
}

double Numpy::Run(const Case& c, int rows, int cols, int64_t repetitions) const {
  if (out_ == nullptr) return -1;
  fprintf(out_, "%s %s %d %d %lld\n", c.peers.c_str(), c.dtype.c_str(), rows, cols,
          static_cast<long long>(repetitions));
  fflush(out_);
  char answer[64];
  if (fgets(answer, sizeof answer, in_) == nullptr || std::strncmp(answer, "none", 4) == 0) return -1;
  return std::atof(answer);
}

}  // namespace bench
