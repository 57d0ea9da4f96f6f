/*
 * kill_fork.c: is loaded before the command under test. The child of fork number PTO_KILL_FORK, from 0, is killed
 * before it does anything.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pid_t fork(void) {
  static int number;
  pid_t (*next)(void) = NULL;
  void *const found = dlsym(RTLD_NEXT, "fork");
  memcpy(&next, &found, sizeof next);
  const char *const which = getenv("PTO_KILL_FORK");
  const pid_t child = next();
  if (child == 0 && which != NULL && atoi(which) == number) raise(SIGKILL);
  ++number;
  return child;
}
