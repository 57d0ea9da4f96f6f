// What tests of kernels draw at random.
#ifndef PTO_TESTS_KERNELS_DRAWS_H_
#define PTO_TESTS_KERNELS_DRAWS_H_

#include <cstddef>
#include <cstdint>

extern "C" {
#include "splitmix.h"
}

namespace kernel_test {

class RandomBits {
 public:
  uint64_t operator()() { return values_random(&state_); }

 private:
  uint64_t state_ = 1;
};

inline RandomBits random_bits;

// A number below n.
inline size_t Below(size_t n) {
  if (n > UINT32_MAX) return static_cast<size_t>(random_bits() % n);
  return static_cast<size_t>((random_bits() >> 32) * n >> 32);
}
inline bool OneIn(size_t n) { return Below(n) == 0; }

}  // namespace kernel_test

#endif  // PTO_TESTS_KERNELS_DRAWS_H_
