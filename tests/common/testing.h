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

#endif /* PTO_TESTS_COMMON_TESTING_H_ */
