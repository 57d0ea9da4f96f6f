// numpy.h: numpy in its own process, asked in turn with the others. It gets the operands through a file and has
// an arena of its own.
#ifndef PTO_BENCH_NUMPY_H_
#define PTO_BENCH_NUMPY_H_

#include <cstdint>
#include <cstdio>
#include <string>

#include "bench/cases.h"

namespace bench {

class Numpy {
 public:
  // command starts the worker; empty: there is no worker.
  Numpy(const std::string& command, const Arena& arena);
  ~Numpy();
  Numpy(const Numpy&) = delete;
  Numpy& operator=(const Numpy&) = delete;

  // Hands over the first `bytes` of the operands as they are now.
  void Load(int64_t bytes) const;
  // Nanoseconds in all; negative where numpy has no such operation.
  double Run(const Case& c, int rows, int cols, int64_t repetitions) const;

 private:
  const Arena& arena_;
  const std::string path_;
  FILE* out_ = nullptr;
  FILE* in_ = nullptr;
};

}  // namespace bench

#endif  // PTO_BENCH_NUMPY_H_
