/*
 * shim.c: is loaded before the command under test. The n-th allocation fails, alone or with
 * all that follow (PTO_SHIM_FAIL=n or n+); fsync(), rename(), linkat(), fchmod(), close(), access() below /proc and
 * realpath() fail with an errno (PTO_SHIM_FSYNC, PTO_SHIM_RENAME ...). The first three and each refused allocation
 * write a word to the descriptor PTO_SHIM_LOG. With PTO_SHIM_EINTR every other read() and write() is interrupted before
 * it does anything, and the others move one byte.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long g_left = -1;
static int g_on;
static int g_all_that_follow;
static int g_refused;
static int g_log = -1;

__attribute__((constructor)) static void begin(void) {
  const char *log = getenv("PTO_SHIM_LOG");
  const char *fail = getenv("PTO_SHIM_FAIL");
  if (log != NULL) g_log = atoi(log);
  if (fail == NULL) return;
  g_left = atol(fail);
  g_all_that_follow = strchr(fail, '+') != NULL;
  g_on = 1;
}

/* A function of the C library, after the one that is here. */
#define NEXT(name)                      \
  static __typeof__(&name) name##_next; \
  if (name##_next == NULL) *(void **)&name##_next = dlsym(RTLD_NEXT, #name)

static void tell(const char *word) {
  NEXT(write);
  if (g_log >= 0 && write_next(g_log, word, strlen(word)) < 0) _exit(99);
}

static int refused(void) {
  if (!g_on || g_left-- > 0 || (g_refused && !g_all_that_follow)) return 0;
  if (!g_refused) tell("refused ");
  g_refused = 1;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return refused() ? NULL : __libc_realloc(block, size); }
void *aligned_alloc(size_t alignment, size_t size) { return refused() ? NULL : __libc_memalign(alignment, size); }
void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = aligned_alloc(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

static int broken(const char *variable) {
  const char *error = getenv(variable);
  errno = error == NULL ? 0 : atoi(error);
  return errno != 0;
}

int fsync(int file) {
  NEXT(fsync);
  tell("fsync ");
  return broken("PTO_SHIM_FSYNC") ? -1 : fsync_next(file);
}

int rename(const char *from, const char *to) {
  NEXT(rename);
  tell("rename ");
  return broken("PTO_SHIM_RENAME") ? -1 : rename_next(from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  NEXT(linkat);
  tell("link ");
  return broken("PTO_SHIM_LINKAT") ? -1 : linkat_next(from_folder, from, to_folder, to, flags);
}

int access(const char *path, int mode) {
  NEXT(access);
  return strncmp(path, "/proc/", 6) == 0 && broken("PTO_SHIM_ACCESS") ? -1 : access_next(path, mode);
}

int fchmod(int file, mode_t mode) {
  NEXT(fchmod);
  return broken("PTO_SHIM_FCHMOD") ? -1 : fchmod_next(file, mode);
}

int close(int file) {
  NEXT(close);
  const int error = close_next(file);
  return broken("PTO_SHIM_CLOSE") ? -1 : error;
}

char *realpath(const char *path, char *out) {
  NEXT(realpath);
  return broken("PTO_SHIM_REALPATH") ? NULL : realpath_next(path, out);
}

static int interrupted(void) {
  static int calls;
  if (getenv("PTO_SHIM_EINTR") == NULL || calls++ % 2 != 0) return 0;
  errno = EINTR;
  return 1;
}

static size_t piece(size_t bytes) { return getenv("PTO_SHIM_EINTR") != NULL && bytes > 1 ? 1 : bytes; }

ssize_t read(int file, void *data, size_t bytes) {
  NEXT(read);
  return interrupted() ? -1 : read_next(file, data, piece(bytes));
}

ssize_t write(int file, const void *data, size_t bytes) {
  NEXT(write);
  return interrupted() ? -1 : write_next(file, data, piece(bytes));
}

/* What the compiler lets a program do when main() is over, such as writing counts of what was run, does without no
 * memory. */
static int (*g_main)(int, char **, char **);

static int main_and_end(int argc, char **argv, char **variables) {
  const int code = g_main(argc, argv, variables);
  g_on = 0;
  return code;
}

typedef int start(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                  void (*unload)(void), void *stack);
start __libc_start_main;

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*unload)(void), void *stack) {
  start *next;
  *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  g_main = main;
  return next(main_and_end, argc, argv, init, fini, unload, stack);
}
