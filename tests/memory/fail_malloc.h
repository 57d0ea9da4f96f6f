/*
 * fail_malloc.h: the malloc family of this program, which can be made to fail.
 */
#ifndef PTO_TESTS_MEMORY_FAIL_MALLOC_H_
#define PTO_TESTS_MEMORY_FAIL_MALLOC_H_

/* From now on the n-th allocation (0: the next one) and all after it fail. */
void fail_malloc_after(int n);
/* The same, but only the n-th fails. */
void fail_malloc_once(int n);
/* From now on allocations succeed, and are still counted. */
void fail_malloc_forgive(void);
/* Allocations succeed again. Returns how many were refused. */
int fail_malloc_stop(void);
/* Blocks that were allocated and not freed since fail_malloc_after(). */
int fail_malloc_alive(void);
/* Allocations that were asked for since fail_malloc_after(). */
int fail_malloc_asked(void);

#endif /* PTO_TESTS_MEMORY_FAIL_MALLOC_H_ */
