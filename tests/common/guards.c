/* guards.c: see guards.h. */
#define _DEFAULT_SOURCE /* of sys/mman.h under -std=c99 */
#define _POSIX_C_SOURCE 200809L
#include "guards.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testing.h"

static int64_t page_bytes(void) {
  static int64_t bytes;
  if (bytes == 0) bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

uint8_t *guards_memory(size_t bytes) {
  void *memory = NULL;
  assert_int_equal(posix_memalign(&memory, (size_t)page_bytes(), bytes), 0);
  return memory;
}

static int64_t round_up(int64_t bytes) { return (bytes + page_bytes() - 1) / page_bytes() * page_bytes(); }

int64_t guards_place(guards *g, uint8_t *arena, int64_t *cursor, int64_t bytes, int at_end) {
  assert_true(g->count < k_most_guards);
  const int64_t guard = round_up(*cursor);
  g->page[g->count++] = arena + guard;
  const int64_t begin = guard + page_bytes();
  *cursor = begin + round_up(bytes);
  return at_end ? *cursor - bytes : begin;
}

static void protect(const guards *g, int rights) {
  for (int i = 0; i < g->count; ++i) assert_int_equal(mprotect(g->page[i], (size_t)page_bytes(), rights), 0);
}
void guards_up(const guards *g) { protect(g, PROT_NONE); }
void guards_down(const guards *g) { protect(g, PROT_READ | PROT_WRITE); }
