/*
 * testing.h: CMocka, whose header needs others before it, in this order.
 */
#ifndef PTO_TESTS_COMMON_TESTING_H_
#define PTO_TESTS_COMMON_TESTING_H_

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "only_op.h"

/*
 * Tests that try much of one kind, at random or in turn, try a share of it: all in ./dev test thorough, a third in
 * ./dev test. Where a sanitizer looks at each access it is a fifth: what that finds depends on where elements are, and
 * the same tests see to their values without it.
 */
static inline uint8_t sparse(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 5;
#else
  return in_thorough() ? 1 : 3;
#endif
}

#endif /* PTO_TESTS_COMMON_TESTING_H_ */
