/*
 * guards.h: pages between operands that nobody may touch while a call runs. Guard bytes tell of what is written beyond
 * a tile; here what is only read there ends the test, too.
 */
#ifndef PTO_TESTS_COMMON_GUARDS_H_
#define PTO_TESTS_COMMON_GUARDS_H_

#include <stddef.h>
#include <stdint.h>

enum { k_most_guards = 16 };

typedef struct guards {
  uint8_t *page[k_most_guards];
  int count;
} guards;

/* Memory that begins with a page; released with free(). */
uint8_t *guards_memory(size_t bytes);

/* A page to guard from arena + *cursor on, at a page's begin, then pages for `bytes`: at their begin, or their end.
   Answers where, and moves the cursor behind them. What is last is followed by guards_place(..., 0, 0). */
int64_t guards_place(guards *g, uint8_t *arena, int64_t *cursor, int64_t bytes, int at_end);

void guards_up(const guards *g);
void guards_down(const guards *g);

#endif /* PTO_TESTS_COMMON_GUARDS_H_ */
