// Keeps results independent of the caller's floating-point environment.
#ifndef PTO_SRC_CORE_FP_ENV_H_
#define PTO_SRC_CORE_FP_ENV_H_

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

#include <cstdint>

namespace pto {

// While one lives, SIMD arithmetic rounds to nearest, keeps subnormals and traps
// nothing, whatever the thread had set; then the thread has its settings back.
// Costs a read of the control register when they were the usual ones: 4 ns, as it waits for all
// arithmetic before it. What does not round need not ask for it.
class DefaultFpEnv {
 public:
#if defined(__x86_64__) || defined(__i386__)
  explicit DefaultFpEnv(bool needed = true) : saved_(needed ? _mm_getcsr() : kDefault) {
    if ((saved_ & ~kStatus) != kDefault) [[unlikely]]
      _mm_setcsr(kDefault);
  }
  ~DefaultFpEnv() {
    if ((saved_ & ~kStatus) != kDefault) [[unlikely]]
      _mm_setcsr(saved_);
  }

 private:
  static constexpr uint32_t kStatus = 0x3f;     // sticky exception flags
  static constexpr uint32_t kDefault = 0x1f80;  // every exception masked, nearest, no FTZ, no DAZ
  uint32_t saved_;
#elif defined(__aarch64__)
  explicit DefaultFpEnv(bool needed = true) {
    if (needed) asm volatile("mrs %0, fpcr" : "=r"(saved_));
    if ((saved_ & kControl) != 0) [[unlikely]]
      Write(saved_ & ~kControl);
  }
  ~DefaultFpEnv() {
    if ((saved_ & kControl) != 0) [[unlikely]]
      Write(saved_);
  }

 private:
  // Trap enables, stride and length, rounding mode, flush to zero (both), default NaN.
  static constexpr uint64_t kControl = 0x07ff9f00U;
  static void Write(uint64_t value) { asm volatile("msr fpcr, %0" ::"r"(value)); }
  uint64_t saved_ = 0;
#else
  explicit DefaultFpEnv(bool = true) {}
#endif
 public:
  DefaultFpEnv(const DefaultFpEnv&) = delete;
  DefaultFpEnv& operator=(const DefaultFpEnv&) = delete;
};

}  // namespace pto

#endif  // PTO_SRC_CORE_FP_ENV_H_
