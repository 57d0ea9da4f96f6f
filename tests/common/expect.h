/*
 * expect.h: what a refused call must answer: class, rule, operand, a line with
 * the values in it and a remedy.
 */
#ifndef PTO_TESTS_COMMON_EXPECT_H_
#define PTO_TESTS_COMMON_EXPECT_H_

#include "pto_c.h"

/*
 * Fails the test unless the context's error is this one. `texts` are parts that
 * the message must contain, separated by '|'.
 */
void expect_error(pto_context *ctx, pto_status status, pto_status want, const char *rule, const char *operand,
                  const char *texts);

/* The same for a call that returns a handle: none, and the class is in the context. */
#define EXPECT_NO_HANDLE(ctx, handle, want, rule, operand, texts) \
  do {                                                            \
    assert_null(handle);                                          \
    expect_error(ctx, want, want, rule, operand, texts);          \
  } while (0)

#endif /* PTO_TESTS_COMMON_EXPECT_H_ */
