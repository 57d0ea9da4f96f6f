// Checks of the C++ tests: each prints what it saw and counts; a program's main returns the count.
#ifndef PTO_TESTS_CPP_CHECK_H_
#define PTO_TESTS_CPP_CHECK_H_

#include <atomic>
#include <cstdio>

namespace check {

inline std::atomic<int> failures{0};
inline std::atomic<int> checks{0};

inline bool That(bool held, const char* text, const char* file, int line) {
  ++checks;
  if (held) return true;
  // A broken loop must not flood the log.
  if (++failures <= 20) std::fprintf(stderr, "%s:%d: %s\n", file, line, text);
  return false;
}

inline int Report(const char* name) {
  std::printf("%s: %d checks, %d failed\n", name, checks.load(), failures.load());
  return failures == 0 && checks > 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(condition) check::That((condition), #condition, __FILE__, __LINE__)

#endif  // PTO_TESTS_CPP_CHECK_H_
