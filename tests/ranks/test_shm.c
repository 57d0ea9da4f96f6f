/*
 * test_shm.c: ranks as processes: data and signals between them, deadlocks, and processes that are killed.
 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "expect.h"
#include "ranks_help.h"

enum { k_rounds = 100, k_ranks = 3 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A token travels round `rounds` times, and each rank adds its number; its status. */
static pto_status ring(pto_context *ctx, pto_world *world, int32_t rank, int32_t rounds) {
  const int32_t ranks = pto_world_ranks(world);
  const int32_t next = (rank + 1) % ranks;
  pto_tensor *mine = window(ctx, world, rank, PTO_DTYPE_I32, 1, 16, 0);
  pto_tensor *theirs = window(ctx, world, next, PTO_DTYPE_I32, 1, 16, 0);
  pto_tensor *signal = window(ctx, world, rank, PTO_DTYPE_I32, 1, 1, 128);
  pto_tensor *notify = window(ctx, world, next, PTO_DTYPE_I32, 1, 1, 128);
  pto_status status = PTO_OK;
  for (int32_t round = 0; round < rounds && status == PTO_OK; ++round) {
    status = pto_comm_twait(ctx, signal, round + (rank == 0 ? 0 : 1), PTO_WAIT_CMP_GE);
    if (status != PTO_OK) break;
    ((int32_t *)pto_tensor_data(mine))[5] += rank + 1;
    status = pto_comm_tput(ctx, theirs, mine, NULL, NULL, PTO_ATOMIC_NONE);
    if (status == PTO_OK) status = pto_comm_tnotify(ctx, notify, 1, PTO_NOTIFY_ATOMIC_ADD);
  }
  if (status == PTO_OK && rank == 0) status = pto_comm_twait(ctx, signal, rounds, PTO_WAIT_CMP_GE);
  pto_tensor_release(mine);
  pto_tensor_release(theirs);
  pto_tensor_release(signal);
  pto_tensor_release(notify);
  return status;
}

/* Waits for a signal that no rank sets. */
static pto_status lost(pto_context *ctx, pto_world *world, int32_t rank) {
  pto_tensor *signal = window(ctx, world, rank, PTO_DTYPE_I32, 1, 1, 192);
  const pto_status status = pto_comm_twait(ctx, signal, 1, PTO_WAIT_CMP_EQ);
  pto_tensor_release(signal);
  return status;
}

typedef enum job { RING, LOST, ENDLESS } job;

/* What a process ends with: 0 all went well, 1 a deadlock, 2 a deadlock that names a process that has ended. */
static void in_child(pto_world *world, int32_t rank, job what) {
  pto_context *own = pto_context_create(PTO_PROFILE_CPU);
  pto_context *ctx = pto_world_context(own, world, rank);
  int code = 9;
  const pto_status status = what == LOST ? (rank == 0 ? PTO_OK : lost(ctx, world, rank))
                                         : ring(ctx, world, rank, what == RING ? k_rounds : 1 << 30);
  if (status == PTO_OK) {
    code = 0;
  } else if (strcmp(pto_context_error_rule(ctx), "deadlock") == 0) {
    code = strstr(pto_context_error_message(ctx), ", has ended") == NULL ? 1 : 2;
  }
  pto_context_release(ctx);
  pto_context_release(own);
  _exit(code);
}

static void start(pto_world *world, job what, pid_t *children) {
  for (int32_t rank = 0; rank < k_ranks; ++rank) {
    children[rank] = fork();
    assert_true(children[rank] >= 0);
    if (children[rank] == 0) in_child(world, rank, what);
  }
}

static int end_of(pid_t child) {
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static pto_context *g_ctx;
static pto_world *g_world;

static int set_up(void **state) {
  (void)state;
  setenv("PTO_TRANSPORT", "shm", 1);
  g_ctx = pto_context_create(PTO_PROFILE_CPU);
  g_world = pto_world_create(g_ctx, k_ranks, 256);
  unsetenv("PTO_TRANSPORT");
  return g_world == NULL ? 1 : 0;
}

static int tear_down(void **state) {
  (void)state;
  pto_world_release(g_world);
  pto_context_release(g_ctx);
  assert_int_equal(pto_live_handles(), 0);
  return 0;
}

static void test_ring(void **state) {
  (void)state;
  assert_string_equal(pto_world_transport(g_world), "shm");
  pid_t children[k_ranks];
  start(g_world, RING, children);
  for (int32_t rank = 0; rank < k_ranks; ++rank) assert_int_equal(end_of(children[rank]), 0);
  pto_tensor *all = window(g_ctx, g_world, 0, PTO_DTYPE_I32, 1, 16, 0);
  assert_int_equal(((int32_t *)pto_tensor_data(all))[5], k_rounds * (1 + 2 + 3));
  pto_tensor_release(all);
}

static void test_deadlock(void **state) {
  (void)state;
  pid_t children[k_ranks];
  const double begin = now();
  start(g_world, LOST, children);
  assert_int_equal(end_of(children[0]), 0);
  assert_int_equal(end_of(children[1]), 1);
  assert_int_equal(end_of(children[2]), 1);
  assert_true(now() - begin < 30);
}

/* One of the processes is killed at some moment: the others end, and say which it was. */
static void test_killed(void **state) {
  (void)state;
  const char *thorough = getenv("PTO_TEST_THOROUGH");
  const int times = thorough == NULL ? 10 : 100;
  unsigned seed = 7;
  for (int i = 0; i < times; ++i) {
    pto_world_release(g_world);
    setenv("PTO_TRANSPORT", "shm", 1);
    g_world = pto_world_create(g_ctx, k_ranks, 256);
    unsetenv("PTO_TRANSPORT");
    pid_t children[k_ranks];
    start(g_world, ENDLESS, children);
    /* All of them have begun: one that never does is not known. */
    pto_tensor *token = window(g_ctx, g_world, 0, PTO_DTYPE_I32, 1, 16, 0);
    const double begun = now();
    while (__atomic_load_n((int32_t *)pto_tensor_data(token) + 5, __ATOMIC_ACQUIRE) < 12 && now() - begun < 60)
      usleep(100);
    pto_tensor_release(token);
    seed = seed * 1103515245U + 12345U;
    const int32_t victim = (int32_t)(seed >> 16) % k_ranks;
    usleep((seed >> 8) % 3000);
    kill(children[victim], SIGKILL);
    const double begin = now();
    for (int32_t rank = 0; rank < k_ranks; ++rank) {
      assert_int_equal(end_of(children[rank]), rank == victim ? -SIGKILL : 2);
    }
    if (now() - begin > 3) fail_msg("the others ended %.2f seconds later", now() - begin);
  }
}

/* A transport that is not known. */
static void test_unknown(void **state) {
  (void)state;
  setenv("PTO_TRANSPORT", "pigeon", 1);
  assert_null(pto_world_create(g_ctx, 2, 256));
  unsetenv("PTO_TRANSPORT");
  assert_string_equal(pto_context_error_rule(g_ctx), "transport");
  assert_non_null(strstr(pto_context_error_message(g_ctx), "'pigeon'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_ring, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_deadlock, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_unknown, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("ranks as processes", tests, NULL, NULL);
}
