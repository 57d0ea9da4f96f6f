/* Blocks on several threads: results, printed text, steps and errors are the same as on one thread. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program_help.h"

#define BLOCKS 24
#define COLS 64
#define VIEW "!pto.tensor_view<?x64xf32>"
#define PART "!pto.partition_tensor_view<1x64xf32>"
#define TILE "!pto.tile_buf<vec, 1x64xf32>"

/* A block works on its line of %x, some blocks longer than others, and prints it. No trace of an earlier block
 * is visible: tiles and on-chip memory begin as zeros. */
static const char k_lines[] =
    "func.func @main(%x: !pto.ptr<f32>, %sum: !pto.ptr<f32>, %bad0: i64, %bad1: i64) {\n"
    " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c64 = arith.constant 64 : index\n"
    " %c7 = arith.constant 7 : index\n %a = arith.constant 4096 : i64\n %c100 = arith.constant 100 : index\n"
    " %half = arith.constant 0.3 : f32\n"
    " %b = pto.get_block_idx\n %n = pto.get_block_num\n %i = arith.index_cast %b : i64 to index\n"
    " %rows = arith.index_cast %n : i64 to index\n"
    " %v = pto.make_tensor_view %x, shape = [%rows, %c64], strides = [%c64, %c1] : " VIEW
    "\n"
    " %w = pto.make_tensor_view %sum, shape = [%c1, %c64], strides = [%c64, %c1] : " VIEW
    "\n"
    " %p = pto.partition_view %v, offsets = [%i, %c0], sizes = [%c1, %c64] : " VIEW " -> " PART
    "\n"
    " %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c1, %c64] : " VIEW " -> " PART
    "\n"
    " %fresh = pto.alloc_tile : " TILE "\n %at = pto.alloc_tile addr = %a : " TILE
    "\n"
    " %f = pto.tgetval ins(%fresh, %c7 : " TILE
    ", index) outs : f32\n"
    " %g = pto.tgetval ins(%at, %c7 : " TILE
    ", index) outs : f32\n"
    " pto.print ins(\"%f\", %f : f32)\n pto.print ins(\"%f\", %g : f32)\n"
    " pto.tload ins(%p : " PART ") outs(%at : " TILE
    ")\n"
    " %m = arith.remui %i, %c7 : index\n %long = arith.muli %m, %c100 : index\n"
    " scf.for %k = %c0 to %long step %c1 {\n"
    "  pto.tmuls ins(%at, %half : " TILE ", f32) outs(%fresh : " TILE
    ")\n"
    "  pto.tadds ins(%fresh, %half : " TILE ", f32) outs(%at : " TILE
    ")\n }\n"
    " %is0 = arith.cmpi eq, %b, %bad0 : i64\n %is1 = arith.cmpi eq, %b, %bad1 : i64\n"
    " scf.if %is1 {\n  pto.print ins(\"bad %d\", %b : i64)\n  pto.trap\n }\n"
    " scf.if %is0 {\n  scf.for %k = %c0 to %long step %c1 {\n   pto.tmuls ins(%at, %half : " TILE
    ", f32) outs(%fresh : " TILE
    ")\n  }\n  pto.print ins(\"worse %d\", %b : i64)\n  pto.trap\n }\n"
    " pto.tstore ins(%at : " TILE ") outs(%p : " PART
    ")\n"
    " pto.tstore ins(%at : " TILE ") outs(%q : " PART
    ") {atomicType = #pto<atomic_type atomic_add>}\n"
    " pto.print ins(\"block %d\", %b : i64)\n return\n}\n";

typedef struct {
  float x[BLOCKS * COLS];
  float sum[COLS];
  pto_status status;
  int64_t steps;
  int32_t lines[4]; /* of the diagnostics */
  char rule[32];
  char said[4096];
} result;

typedef struct {
  int32_t threads;
  int64_t bad[2]; /* blocks that end in a trap; -1: none */
  int64_t max_steps;
  int64_t max_bytes;
} job;

static result run(pto_context *ctx, pto_program *program, job j) {
  result r;
  memset(&r, 0, sizeof r);
  for (int i = 0; i < BLOCKS * COLS; ++i) r.x[i] = (float)(i % 31) / 7 + 1e-3F * (float)i;
  pto_tensor_desc rows = matrix_desc(PTO_DTYPE_F32, BLOCKS, COLS);
  pto_tensor_desc row = matrix_desc(PTO_DTYPE_F32, 1, COLS);
  pto_tensor *x = pto_tensor_wrap(ctx, &rows, r.x, sizeof r.x);
  pto_tensor *sum = pto_tensor_wrap(ctx, &row, r.sum, sizeof r.sum);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "x", x));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "sum", sum));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "bad0", j.bad[0]));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "bad1", j.bad[1]));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, BLOCKS));
  assert_ok(ctx, pto_program_set_threads(ctx, program, j.threads));
  assert_ok(ctx, pto_program_limit_steps(ctx, program, j.max_steps > 0 ? j.max_steps : 1000000000));
  assert_ok(ctx, pto_program_limit_bytes(ctx, program, j.max_bytes > 0 ? j.max_bytes : INT64_C(1) << 32));
  r.status = pto_program_run(ctx, program, NULL);
  r.steps = pto_program_steps(program);
  if (r.status != PTO_OK) snprintf(r.rule, sizeof r.rule, "%s", pto_context_error_rule(ctx));
  snprintf(r.said, sizeof r.said, "%s", pto_program_output(program));
  for (int32_t i = 0; i < 4; ++i) r.lines[i] = pto_program_diagnostic_line(program, i);
  pto_tensor_release(x);
  pto_tensor_release(sum);
  return r;
}

static result run_alone(job j) {
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_lines);
  result r = run(ctx, program, j);
  pto_program_release(program);
  pto_context_release(ctx);
  return r;
}

static void same_outcome(const result *one, const result *other) {
  assert_int_equal(one->status, other->status);
  assert_string_equal(one->rule, other->rule);
  assert_string_equal(one->said, other->said);
  assert_int_equal(one->steps, other->steps);
}

static void results_do_not_depend_on_threads(void **state) {
  (void)state;
  const result one = run_alone((job){.threads = 1, .bad = {-1, -1}});
  assert_int_equal(one.status, PTO_OK);
  assert_int_equal(strncmp(one.said, "0\n0\nblock 0\n0\n0\nblock 1\n", 24), 0);
  assert_true(one.sum[3] > 0);
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_lines);
  for (int32_t round = 0; round < 60; ++round) {
    const result many = run(ctx, program, (job){.threads = 1 + round % 9, .bad = {-1, -1}});
    same_outcome(&one, &many);
    /* Also the sum, whose rounding depends on the order. */
    assert_memory_equal(one.x, many.x, sizeof one.x);
    assert_memory_equal(one.sum, many.sum, sizeof one.sum);
  }
  pto_program_release(program);
  pto_context_release(ctx);
}

/* The first block by number, however long it takes, on any number of threads. */
static void the_first_error_is_the_one(void **state) {
  (void)state;
  static const int64_t k_bad[][2] = {{-1, 0}, {-1, 9}, {6, 7}, {13, 14}, {20, 22}, {23, -1}, {9, 2}};
  for (size_t i = 0; i < sizeof k_bad / sizeof *k_bad; ++i) {
    job j = {.threads = 1, .bad = {k_bad[i][0], k_bad[i][1]}};
    const result one = run_alone(j);
    assert_int_equal(one.status, PTO_ERROR_PROGRAM);
    assert_string_equal(one.rule, "trap");
    for (int round = 0; round < 12; ++round) {
      j.threads = 2 + round % 5;
      const result many = run_alone(j);
      same_outcome(&one, &many);
      assert_memory_equal(one.lines, many.lines, sizeof one.lines);
    }
  }
}

static void limits_are_exact(void **state) {
  (void)state;
  const result whole = run_alone((job){.threads = 1, .bad = {-1, -1}});
  for (int64_t limit = 1; limit < whole.steps; limit += 1 + limit / 6) {
    job j = {.threads = 1, .bad = {-1, -1}, .max_steps = limit};
    const result one = run_alone(j);
    assert_string_equal(one.rule, "step-limit");
    assert_int_equal(one.steps, limit);
    for (j.threads = 2; j.threads < 5; ++j.threads) {
      const result many = run_alone(j);
      assert_string_equal(many.rule, "step-limit");
      assert_int_equal(many.steps, limit);
    }
  }
  for (int32_t threads = 1; threads < 5; ++threads) {
    const result exact = run_alone((job){.threads = threads, .bad = {-1, -1}, .max_steps = whole.steps});
    same_outcome(&whole, &exact);
    /* The limit of bytes is for each block. */
    const result bytes = run_alone((job){.threads = threads, .bad = {-1, -1}, .max_bytes = 4096});
    assert_string_equal(bytes.rule, "byte-limit");
    const result enough = run_alone((job){.threads = threads, .bad = {-1, -1}, .max_bytes = 8192});
    same_outcome(&whole, &enough);
  }
}

/* ---- ends from outside ---- */

static const char k_endless[] =
    "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
    " %big = arith.constant 9000000000000000000 : index\n"
    " scf.for %i = %c0 to %big step %c1 {\n }\n return\n}\n";

static void *stop(void *program) {
  poll(NULL, 0, 20);
  pto_program_stop(program);
  return NULL;
}

static void a_stop_ends_all_blocks(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_endless);
  assert_ok(ctx, pto_program_limit_steps(ctx, program, INT64_MAX));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 8));
  assert_ok(ctx, pto_program_set_threads(ctx, program, 3));
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, stop, program), 0);
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "stopped", "");
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_ok(ctx, pto_program_limit_time(ctx, program, 20));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "time-limit", "");
  pto_program_release(program);
  pto_context_release(ctx);
}

/* ---- the pool ---- */

static int thread_count(void) {
  char line[256];
  int count = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) sscanf(line, "Threads: %d", &count);
  if (status != NULL) fclose(status);
  return count;
}

static void *run_some(void *data) {
  const result *one = data;
  for (int i = 0; i < 20; ++i) {
    const result many = run_alone((job){.threads = 3, .bad = {-1, -1}});
    assert_memory_equal(one->x, many.x, sizeof one->x);
  }
  return NULL;
}

static void several_runs_at_a_time(void **state) {
  (void)state;
  result one = run_alone((job){.threads = 1, .bad = {-1, -1}});
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) assert_int_equal(pthread_create(&threads[i], NULL, run_some, &one), 0);
  for (int i = 0; i < 3; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
}

#if defined(__SANITIZE_THREAD__)
#define SANITIZERS 1 /* it has a thread of its own, from when there is a second one */
#else
#define SANITIZERS 0
#endif

/* First in its process: threads that other tests started stay. */
static void no_more_threads_than_asked(void **state) {
  (void)state;
  const int before = thread_count();
  run_alone((job){.threads = 1, .bad = {-1, -1}});
  assert_int_equal(thread_count(), before);
  for (int i = 0; i < 3; ++i) {
    run_alone((job){.threads = 3, .bad = {-1, -1}});
    assert_true(thread_count() <= before + 2 + SANITIZERS);
  }
}

static void a_child_has_threads_of_its_own(void **state) {
  (void)state;
#if defined(__SANITIZE_THREAD__)
  skip(); /* a child of several threads makes none there */
#endif
  const result one = run_alone((job){.threads = 4, .bad = {-1, -1}});
  const pid_t child = fork();
  if (child == 0) {
    const result many = run_alone((job){.threads = 4, .bad = {-1, -1}});
    exit(memcmp(one.x, many.x, sizeof one.x) == 0 ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const result again = run_alone((job){.threads = 4, .bad = {-1, -1}});
  same_outcome(&one, &again);
}

/* A tile that is bound is one memory for all blocks. */
static void bound_tiles_see_one_block_after_another(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, "%t = tadds %t, 1.0 : !pto.tile<1x8xf32>\n");
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 1, 8);
  float values[8] = {0};
  assert_ok(ctx, pto_tile_write(ctx, tile, values, sizeof values));
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", tile));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 100));
  assert_ok(ctx, pto_program_set_threads(ctx, program, 4));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_ok(ctx, pto_tile_read(ctx, tile, values, sizeof values));
  for (int i = 0; i < 8; ++i) assert_float_equal(values[i], 100, 0);
  pto_tile_release(tile);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* More than a run keeps: the first MiB of the blocks in their order. */
static void output_is_in_the_order_of_blocks(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program =
      parse(ctx,
            "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
            " %many = arith.constant 3000 : index\n %b = pto.get_block_idx\n"
            " scf.for %i = %c0 to %many step %c1 {\n  pto.print ins(\"number %d\", %b : i64)\n }\n return\n}\n");
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 100));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  const size_t size = strlen(pto_program_output(program));
  assert_true(size <= 1 << 20 && size > (1 << 20) - 100);
  char *said = malloc(size + 1);
  assert_non_null(said);
  memcpy(said, pto_program_output(program), size + 1);
  assert_ok(ctx, pto_program_set_threads(ctx, program, 5));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_string_equal(said, pto_program_output(program));
  free(said);
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_more_threads_than_asked),       cmocka_unit_test(results_do_not_depend_on_threads),
      cmocka_unit_test(the_first_error_is_the_one),       cmocka_unit_test(limits_are_exact),
      cmocka_unit_test(a_stop_ends_all_blocks),           cmocka_unit_test(several_runs_at_a_time),
      cmocka_unit_test(a_child_has_threads_of_its_own),   cmocka_unit_test(bound_tiles_see_one_block_after_another),
      cmocka_unit_test(output_is_in_the_order_of_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
