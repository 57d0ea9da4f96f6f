/* only_op.h: what the environment asks of a test. PTO_TEST_OP narrows it down to some instructions, whose names it
 * lists (./dev test tadd); tests that call only_op() are in the suite "by op". PTO_TEST_THOROUGH asks for all of what
 * ./dev test runs a sample of. */
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

/* 1 in ./dev test thorough. Loops ask in each round. */
static inline int in_thorough(void) {
  static int known = -1;
  if (known < 0) known = getenv("PTO_TEST_THOROUGH") != NULL;
  return known;
}

#endif /* PTO_TESTS_COMMON_ONLY_OP_H_ */
