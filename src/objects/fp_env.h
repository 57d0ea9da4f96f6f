// Keeps results independent of the caller's floating-point environment.
#ifndef PTO_SRC_OBJECTS_FP_ENV_H_
#define PTO_SRC_OBJECTS_FP_ENV_H_

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

#include <cfenv>
#include <cstdint>

namespace pto {

#if defined(__x86_64__) || defined(__i386__)
// Bits of MXCSR.
inline constexpr uint32_t kMxcsrFlush = 0x8040;  // FTZ and DAZ
inline constexpr uint32_t kMxcsrMarks = 0x12;    // subnormal operand, underflow
#endif

// What operations on subnormals give. kZeros, zeros of their sign, is a wish: kernels that need it
// (src/kernels/paired-inl.h) look whether it was granted.
enum class Subnormals { kKept, kZeros };

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
  explicit DefaultFpEnv(Subnormals subnormals)
      : mode_(subnormals == Subnormals::kZeros ? kDefault | kMxcsrFlush : kDefault), saved_(_mm_getcsr()) {
    if ((saved_ & ~kStatus) != mode_) _mm_setcsr(mode_);
  }
  ~DefaultFpEnv() {
    if ((saved_ & ~kStatus) != mode_) [[unlikely]]
      _mm_setcsr(saved_);
  }
  static bool IsUsual() { return (_mm_getcsr() & ~kStatus) == kDefault; }
  // Whether arithmetic of the thread has met a subnormal number before.
  bool Marked() const { return (saved_ & kMxcsrMarks) != 0; }

 private:
  static constexpr uint32_t kStatus = 0x3f;     // sticky exception flags
  static constexpr uint32_t kDefault = 0x1f80;  // every exception masked, nearest, no FTZ, no DAZ
  uint32_t mode_ = kDefault;
  uint32_t saved_;
#elif defined(__aarch64__)
  explicit DefaultFpEnv(Subnormals) : DefaultFpEnv() {}
  explicit DefaultFpEnv(bool needed = true) {
    if (needed) asm volatile("mrs %0, fpcr" : "=r"(saved_));
    if ((saved_ & kControl) != 0) [[unlikely]]
      Write(saved_ & ~kControl);
  }
  ~DefaultFpEnv() {
    if ((saved_ & kControl) != 0) [[unlikely]]
      Write(saved_);
  }
  bool Marked() const { return false; }

 private:
  // Trap enables, stride and length, rounding mode, flush to zero (both), default NaN.
  static constexpr uint64_t kControl = 0x07ff9f00U;
  static void Write(uint64_t value) { asm volatile("msr fpcr, %0" ::"r"(value)); }
  uint64_t saved_ = 0;
#else
  explicit DefaultFpEnv(bool = true) {}
  explicit DefaultFpEnv(Subnormals) {}
  bool Marked() const { return false; }
#endif
 public:
  DefaultFpEnv(const DefaultFpEnv&) = delete;
  DefaultFpEnv& operator=(const DefaultFpEnv&) = delete;
};

// For code inside a DefaultFpEnv that is Marked(): the thread has its marks again when this ends.
class Marks {
 public:
#if defined(__x86_64__) || defined(__i386__)
  Marks() : before_(_mm_getcsr()) {}
  ~Marks() { _mm_setcsr(before_); }
  // Removes the marks. With `flush`, subnormal numbers count as zeros from here on.
  void Clear(bool flush = false) { _mm_setcsr((before_ & ~kMxcsrMarks) | (flush ? kMxcsrFlush : 0)); }
  void Usual() { _mm_setcsr(before_); }
  // Whether arithmetic has met a subnormal number since Clear().
  static bool Any() { return (_mm_getcsr() & kMxcsrMarks) != 0; }

 private:
  uint32_t before_;
#else
  Marks() = default;
  void Clear(bool = false) {}
  void Usual() {}
  static bool Any() { return false; }
#endif
 public:
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;
};

// DefaultFpEnv for code that calls the C library, whose conversions of numbers to and from text round as the thread has
// it set, with the other unit of x86, too. To ask costs a few nanoseconds, to set all of it a hundred.
class DefaultRounding {
 public:
  DefaultRounding() : usual_(IsUsual()) {
    if (usual_) return;
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultRounding() {
    if (!usual_) std::fesetenv(&callers_);
  }
  DefaultRounding(const DefaultRounding&) = delete;
  DefaultRounding& operator=(const DefaultRounding&) = delete;

 private:
  static bool IsUsual() {
#if defined(__x86_64__)
    constexpr uint16_t kDefault = 0x37f;  // every exception masked, nearest, 64 bits
    uint16_t control = 0;
    asm volatile("fnstcw %0" : "=m"(control));
    return control == kDefault && DefaultFpEnv::IsUsual();
#else
    return false;
#endif
  }

  bool usual_;
  std::fenv_t callers_;
};

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_FP_ENV_H_
