/* only_op.h: PTO_TEST_OP in the environment narrows a test down to some instructions, whose names it lists
 * (./dev test tadd). Tests that ask only_op() are in the suite "by op". */
#ifndef PTO_TESTS_COMMON_ONLY_OP_H_
#define PTO_TESTS_COMMON_ONLY_OP_H_

#include <stdlib.h>
#include <string.h>

/* 1 if the test covers the instruction. */
static inline int only_op(const char *name) {
  const char *list = getenv("PTO_TEST_OP");
  if (list == NULL || *list == '\0') return 1;
  const size_t length = strlen(name);
  while (*list != '\0') {
    const size_t word = strcspn(list, " ");
    if (word == length && strncmp(list, name, length) == 0) return 1;
    list += word;
    list += strspn(list, " ");
  }
  return 0;
}

#endif /* PTO_TESTS_COMMON_ONLY_OP_H_ */
