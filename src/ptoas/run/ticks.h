// The quickest clock that there is: reading it must cost little beside an instruction.
#ifndef PTO_SRC_PTOAS_TICKS_H_
#define PTO_SRC_PTOAS_TICKS_H_

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace pto::ptoas {

inline int64_t SteadyNs() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

#if defined(__x86_64__)
// Whether the processor's counter runs on at one speed, whatever the cores do.
inline const bool kSteadyCounter = [] {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1U << 8) != 0;
}();
#endif

// In a unit of its own.
inline int64_t Ticks() {
#if defined(__x86_64__)
  return kSteadyCounter ? static_cast<int64_t>(__rdtsc()) : SteadyNs();
#elif defined(__aarch64__)
  int64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return SteadyNs();
#endif
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_TICKS_H_
