// Shared by the tests of kernels: memory that ends where a page faults, the values of element
// types, and their bits.
#ifndef PTO_TESTS_KERNELS_GUARDED_H_
#define PTO_TESTS_KERNELS_GUARDED_H_

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "src/kernels/kernels.h"
#include "tests/kernels/draws.h"

namespace kernel_test {

using pto::DType;

// The current test; printed where a test fails or faults.
inline char description[256];

[[noreturn]] inline void OnFault(int) {
  constexpr char kWhat[] = "touched memory beside the operands: ";
  (void)!write(2, kWhat, sizeof kWhat - 1);
  (void)!write(2, description, std::strlen(description));
  (void)!write(2, "\n", 1);
  _exit(1);
}

inline void CatchFaults() {
  signal(SIGSEGV, OnFault);
  signal(SIGBUS, OnFault);
}

// A rectangle of bytes, `lines` lines of `line_bytes` that are `stride_bytes` apart, in memory
// that faults before its first page and after its last. It begins on its first byte or ends on
// its last, where nothing else is asked.
class Guarded {
 public:
  Guarded() {
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    capacity_ = size_t{4} << 20;
    void* const all = mmap(nullptr, capacity_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) abort();
    base_ = static_cast<uint8_t*>(all) + page_;
    if (mprotect(base_, capacity_, PROT_READ | PROT_WRITE) != 0) abort();
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  // Bytes there become `fill`.
  uint8_t* Place(size_t bytes, size_t align, uint8_t fill) {
    if (bytes + 256 > capacity_) abort();
    if (used_ != 0) std::memset(At(used_), 0xa5, used_);
    at_end_ = !OneIn(3);
    used_ = bytes + 256;
    std::memset(At(used_), fill, used_);
    expected_.assign(At(used_), At(used_) + used_);
    // Now and then elements are inside, at odd places.
    shift_ = OneIn(4) ? Below(128 / align) * align : 0;
    offset_ = at_end_ ? used_ - bytes - shift_ : shift_;
    return At(used_) + offset_;
  }

  uint8_t* data() { return At(used_) + offset_; }
  // The expected bytes, the same bytes at first.
  uint8_t* expected() { return expected_.data() + offset_; }
  void Expect() { std::memcpy(expected_.data(), At(used_), used_); }

  // The first byte that is not as expected, counted from data(); else -1.
  ptrdiff_t Difference() {
    for (size_t i = 0; i < used_; ++i) {
      if (At(used_)[i] != expected_[i]) return static_cast<ptrdiff_t>(i) - static_cast<ptrdiff_t>(offset_);
    }
    return PTRDIFF_MAX;
  }

 private:
  uint8_t* At(size_t bytes) { return at_end_ ? base_ + capacity_ - bytes : base_; }

  uint8_t* base_;
  size_t page_, capacity_;
  size_t used_ = 0, offset_ = 0, shift_ = 0;
  bool at_end_ = false;
  std::vector<uint8_t> expected_;
};

inline bool IsFloat(DType t) { return t == DType::kF16 || t == DType::kBF16 || t == DType::kF32; }
inline bool IsSigned(DType t) { return IsFloat(t) || t == DType::kI4 || static_cast<int>(t) % 2 == 0; }
inline size_t Bytes(DType t) { return pto::Info(t).bytes; }
inline int MantissaBits(DType t) { return t == DType::kF16 ? 10 : t == DType::kBF16 ? 7 : 23; }
inline int ExponentBits(DType t) { return t == DType::kF16 ? 5 : 8; }

// Floats as they are defined: sign, exponent, mantissa.
inline double FloatValue(DType t, uint64_t bits) {
  const int mantissa_bits = MantissaBits(t);
  const int exponents = 1 << ExponentBits(t);
  const int exponent = static_cast<int>(bits >> mantissa_bits) & (exponents - 1);
  const int mantissa = static_cast<int>(bits) & ((1 << mantissa_bits) - 1);
  const int least = 2 - exponents / 2 - mantissa_bits;
  const double size = exponent == exponents - 1 ? (mantissa != 0 ? NAN : HUGE_VAL)
                      : exponent == 0           ? std::ldexp(mantissa, least)
                                                : std::ldexp(mantissa + (1 << mantissa_bits), exponent - 1 + least);
  return (bits >> (8 * Bytes(t) - 1) & 1) != 0 ? -size : size;
}

__extension__ typedef __int128 Wide;

inline Wide IntValue(DType t, uint64_t bits) {
  const int unused = 64 - pto::Info(t).bits;
  return IsSigned(t) ? Wide{static_cast<int64_t>(bits << unused) >> unused} : Wide{bits << unused >> unused};
}

inline uint64_t ElementAt(const uint8_t* base, size_t index, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, base + index * bytes, bytes);
  return bits;
}

inline void PutElement(uint8_t* base, size_t index, size_t bytes, uint64_t bits) {
  std::memcpy(base + index * bytes, &bits, bytes);
}

inline uint64_t CanonicalNaN(DType t) { return t == DType::kF32 ? 0x7fc00000 : t == DType::kF16 ? 0x7e00 : 0x7fc0; }

// How a size between two numbers of a type becomes one: the part that is beyond the smaller, and
// whether that is odd.
using RoundsUp = bool (*)(long double part, bool odd, bool negative);
inline bool ToEven(long double part, bool odd, bool) { return part > 0.5L || (part == 0.5L && odd); }

// A value as the nearest numbers of a float type have it, as if exponents had no end; what is beyond
// the largest becomes infinity or the largest.
inline uint64_t FloatBits(DType t, long double v, RoundsUp rounds_up, bool clamp) {
  const int mantissa_bits = MantissaBits(t);
  const int bias = (1 << (ExponentBits(t) - 1)) - 1;
  const uint64_t infinity = ((uint64_t{1} << ExponentBits(t)) - 1) << mantissa_bits;
  if (std::isnan(v)) return CanonicalNaN(t);
  const bool negative = std::signbit(v);
  const uint64_t sign = static_cast<uint64_t>(negative) << (8 * Bytes(t) - 1);
  const uint64_t beyond = sign | (clamp ? infinity - 1 : infinity);
  const long double size = std::fabs(v);
  if (std::isinf(size)) return beyond;
  if (size == 0) return sign;
  const int exponent = std::max(std::ilogb(size), 1 - bias);
  const long double units = std::ldexp(size, mantissa_bits - exponent);
  const long double whole = std::floor(units);
  auto bits = static_cast<uint64_t>(whole);
  bits += rounds_up(units - whole, bits % 2 != 0, negative);
  // A carry into the next binade adds one to the exponent by itself.
  bits += static_cast<uint64_t>(exponent + bias - 1) << mantissa_bits;
  return bits >= infinity ? beyond : sign | bits;
}

// Numbers where types end, and which kernels treat apart.
inline std::vector<uint64_t> SpecialNumbers(DType t) {
  const uint64_t sign = uint64_t{1} << (8 * Bytes(t) - 1);
  std::vector<uint64_t> all;
  if (IsFloat(t)) {
    const uint64_t binade = uint64_t{1} << MantissaBits(t);
    const uint64_t infinity = sign - binade;
    for (const uint64_t v : {uint64_t{0}, uint64_t{1}, binade - 1, binade, infinity - 1, infinity, infinity + 1,
                             infinity + binade / 2, sign - 1, infinity / 2, infinity / 2 + 1}) {
      all.insert(all.end(), {v, v | sign});
    }
  } else {
    for (const uint64_t v : {uint64_t{0}, uint64_t{1}, sign - 1, sign / 2, uint64_t{100}}) {
      all.insert(all.end(), {v, ~v & (sign | (sign - 1))});
    }
  }
  return all;
}

// Any bits, small numbers, special ones.
inline uint64_t AnyNumber(DType t, const std::vector<uint64_t>& special) {
  const uint64_t mask = ~uint64_t{0} >> (64 - 8 * Bytes(t));
  switch (Below(3)) {
    case 0:
      return special[Below(special.size())];
    case 1:
      if (IsFloat(t)) return (CanonicalNaN(t) / 2 + Below(64) * (mask >> 12)) & mask;
      return Below(4) & mask;
    default:
      return random_bits() & mask;
  }
}

template <class Visit>
void ForEachTarget(Visit visit) {
  CatchFaults();
  for (int target = 0; target < pto::TargetCount(); ++target) {
    if (pto::TargetSupported(target)) visit(target);
  }
}

}  // namespace kernel_test

#endif  // PTO_TESTS_KERNELS_GUARDED_H_
