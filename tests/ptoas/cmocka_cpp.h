// cmocka for tests in C++: it wants these headers before it and C linkage, and
// its macro `fail` must come after the streams, which have a function of that name.
#ifndef PTO_TESTS_PTOAS_CMOCKA_CPP_H_
#define PTO_TESTS_PTOAS_CMOCKA_CPP_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fstream>
#include <sstream>

extern "C" {
#include <cmocka.h>
}

#endif  // PTO_TESTS_PTOAS_CMOCKA_CPP_H_
