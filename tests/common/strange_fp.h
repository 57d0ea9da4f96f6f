/* strange_fp.h: a floating-point environment that no library expects: upward, subnormals flushed. */
#ifndef PTO_TESTS_COMMON_STRANGE_FP_H_
#define PTO_TESTS_COMMON_STRANGE_FP_H_

void strange_fp_enter(void);
/* Back to the usual one; returns 0 when the strange one was not kept. */
int strange_fp_leave(void);

#endif /* PTO_TESTS_COMMON_STRANGE_FP_H_ */
