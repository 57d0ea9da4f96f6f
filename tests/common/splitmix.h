/* SplitMix: what tests draw at random, for less than it costs to use it. */
#ifndef PTO_TESTS_COMMON_SPLITMIX_H_
#define PTO_TESTS_COMMON_SPLITMIX_H_

#include <stdint.h>

/* A pseudo-random number; *state is any number and is moved on. */
static inline uint64_t values_random(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

#endif /* PTO_TESTS_COMMON_SPLITMIX_H_ */
