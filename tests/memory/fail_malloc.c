/*
 * fail_malloc.c: replaces malloc and its kin for the whole process, over glibc's own
 * entry points. Only the one thread of the test allocates.
 */
#define _GNU_SOURCE
#include "fail_malloc.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int g_armed;
static int g_once;
static int g_left;
static int g_asked;
static int g_refused;
static int g_alive;

void fail_malloc_after(int n) {
  g_left = n;
  g_asked = 0;
  g_refused = 0;
  g_alive = 0;
  g_once = 0;
  g_armed = 1;
}

void fail_malloc_once(int n) {
  fail_malloc_after(n);
  g_once = 1;
}

void fail_malloc_forgive(void) { g_left = INT_MAX; }

int fail_malloc_stop(void) {
  g_armed = 0;
  return g_refused;
}

int fail_malloc_alive(void) { return g_alive; }
int fail_malloc_asked(void) { return g_asked; }

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void free(void *block);

static int refused(void) {
  if (!g_armed) return 0;
  ++g_asked;
  if (g_left-- > 0 || (g_once && g_refused > 0)) return 0;
  ++g_refused;
  errno = ENOMEM;
  return 1;
}

static void *counted(void *block) {
  if (g_armed && block != NULL) ++g_alive;
  return block;
}

void *malloc(size_t size) { return refused() ? NULL : counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return refused() ? NULL : counted(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  if (refused()) return NULL;
  void *next = __libc_realloc(block, size);
  return block == NULL ? counted(next) : next;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : counted(__libc_memalign(alignment, size));
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = aligned_alloc(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

void free(void *block) {
  if (g_armed && block != NULL) --g_alive;
  __libc_free(block);
}

/* Only the library's own: glibc has another name for itself. */
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  if (refused()) return MAP_FAILED;
  void *block = (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
  if (g_armed && block != MAP_FAILED) ++g_alive;
  return block;
}

int munmap(void *block, size_t size) {
  if (g_armed) --g_alive;
  return (int)syscall(SYS_munmap, block, size);
}
