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

/*
 * Tests that try much of one kind, at random or in turn, try one in so many of it where a sanitizer looks at each
 * access: what that finds depends on where elements are, and the same tests see to their values without it.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { k_sparse = 5 };
#else
enum { k_sparse = 1 };
#endif

#endif /* PTO_TESTS_COMMON_TESTING_H_ */
