/*
 * guards.h: pages between operands that a call must not touch. Guard bytes show what is written beyond
 * a tile; here a read there ends the test, too.
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
   Returns where, and moves the cursor after them. guards_place(..., 0, 0) follows the last one. */
int64_t guards_place(guards *g, uint8_t *arena, int64_t *cursor, int64_t bytes, int at_end);

void guards_up(const guards *g);
void guards_down(const guards *g);

#endif /* PTO_TESTS_COMMON_GUARDS_H_ */
