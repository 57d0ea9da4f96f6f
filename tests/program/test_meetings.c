/* Flags among cores of one kind: of all blocks of a run (ffts_mode 0), and the vector cores of a block (1). What
 * arrives is compared with what was written. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../common/profiles.h"
#include "program_help.h"

enum { ROUNDS = 5, MOST = 64 };

/* A program of two memories, run by this number of blocks. */
typedef struct {
  pto_context *ctx;
  pto_program *program;
  pto_tensor *tensors[3];
  int32_t workspace[16];
  float memory[2][2 * MOST];
} job;

static pto_status run(job *j, const char *text, pto_profile profile, int blocks, int threads, int sync) {
  j->ctx = context(profile);
  j->program = parse(j->ctx, text);
  const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, (int32_t)(sizeof j->memory[0] / 4));
  memset(j->memory, 0, sizeof j->memory);
  for (int i = 0; i < 2; ++i) {
    j->tensors[i] = pto_tensor_wrap(j->ctx, &desc, j->memory[i], sizeof j->memory[i]);
    assert_ok(j->ctx, pto_program_bind_tensor(j->ctx, j->program, i == 0 ? "src" : "dst", j->tensors[i]));
  }
  j->tensors[2] = NULL;
  if (pto_program_arg_count(j->program, NULL) == 3) {
    const pto_tensor_desc words = matrix_desc(PTO_DTYPE_I32, 1, 16);
    j->tensors[2] = pto_tensor_wrap(j->ctx, &words, j->workspace, sizeof j->workspace);
    assert_ok(j->ctx, pto_program_bind_tensor(j->ctx, j->program, "ws", j->tensors[2]));
  }
  assert_ok(j->ctx, pto_program_set_blocks(j->ctx, j->program, blocks));
  assert_ok(j->ctx, pto_program_set_threads(j->ctx, j->program, threads));
  assert_ok(j->ctx, pto_program_set_sync(j->ctx, j->program, sync));
  return pto_program_run(j->ctx, j->program, NULL);
}

static void end(job *j) {
  for (int i = 0; i < 3; ++i) pto_tensor_release(j->tensors[i]);
  pto_program_release(j->program);
  pto_context_release(j->ctx);
}

#define KERNEL(body) KERNEL_OF("", body)
#define KERNEL_OF(more, body)                                                                                       \
  "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>" more                                                      \
  ") attributes {pto.entry} {\n"                                                                                    \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c100 = arith.constant 100 : index\n"         \
  " %five = arith.constant 5 : index\n %b64 = pto.get_block_idx\n %b = arith.index_cast %b64 : i64 to index\n"      \
  " %n64 = pto.get_block_num\n %n = arith.index_cast %n64 : i64 to index\n %zero = arith.constant 0.0 : f32\n" body \
  " return\n}\n"
#define WITH_WORKSPACE(body) KERNEL_OF(", %ws: !pto.ptr<i32>", body)
#define SET(mode) "   pto.sync.set <PIPE_S>, 2 {ffts_mode = " mode " : i32}\n"
#define WAIT "   pto.sync.wait <PIPE_S>, 2\n"
/* Each member writes 100 member + round, and adds what the next one wrote: wrong unless all have written before they
 * read, and read before they write again. */
#define ROUNDS_OF(mode) ROUNDS_WITH(SET(mode) WAIT)
#define ROUNDS_WITH(meet)                                                                                 \
  "  %next = arith.addi %m, %c1 : index\n  %other = arith.remui %next, %count : index\n"                  \
  "  %h = arith.muli %m, %c100 : index\n"                                                                 \
  "  %sum = scf.for %i = %c0 to %five step %c1 iter_args(%s = %zero) -> (f32) {\n"                        \
  "   %x = arith.addi %h, %i : index\n   %xi = arith.index_cast %x : index to i32\n"                      \
  "   %xf = arith.sitofp %xi : i32 to f32\n   pto.store_scalar %xf, %src[%m] : f32, !pto.ptr<f32>\n" meet \
  "   %y = pto.load_scalar %src[%other] : !pto.ptr<f32> -> f32\n   %t = arith.addf %s, %y : f32\n" meet   \
  "   scf.yield %t : f32\n  }\n  pto.store_scalar %sum, %dst[%m] : f32, !pto.ptr<f32>\n"

static float sum_of(int other) { return (float)(ROUNDS * 100 * other + ROUNDS * (ROUNDS - 1) / 2); }

static void blocks_meet(void **state) {
  (void)state;
  static const char *const k_texts[] = {
      KERNEL(
          " pto.section.cube {\n  %m = arith.addi %b, %c0 : index\n  %count = arith.addi %n, %c0 : index\n" ROUNDS_OF(
              "0") " }\n"),
      KERNEL(
          " pto.section.vector {\n  %m = arith.addi %b, %c0 : index\n  %count = arith.addi %n, %c0 : index\n" ROUNDS_OF(
              "0") " }\n")};
  static const int k_blocks[] = {1, 2, 7, MOST};
  static job j;
  for (int kind = 0; kind < 2; ++kind) {
    for (int profile = 0; profile < k_profiles; ++profile) {
      for (int at = 0; at < 4; ++at) {
        for (int threads = 1; threads < 4; threads += 2) {
          if (run(&j, k_texts[kind], (pto_profile)profile, k_blocks[at], threads, 0) != PTO_OK) {
            explain(j.ctx, j.program, k_texts[kind]);
          }
          assert_int_equal(pto_program_diagnostic_count(j.program), 0);
          for (int b = 0; b < k_blocks[at]; ++b) {
            assert_float_equal(j.memory[1][b], sum_of((b + 1) % k_blocks[at]), 0);
          }
          end(&j);
        }
      }
    }
  }
}

/* Both vector cores of each block, beside a cube core: of all blocks, and of each block by itself. */
#define LANES                                                                    \
  "  %l64 = pto.get_subblock_idx\n  %l = arith.index_cast %l64 : i64 to index\n" \
  "  %c2 = arith.constant 2 : index\n  %b2 = arith.muli %b, %c2 : index\n"
static void vector_cores_meet(void **state) {
  (void)state;
  static const char k_all[] =
      KERNEL(" pto.section.cube {\n  scf.for %i = %c0 to %five step %c1 {\n" SET("0") WAIT
             "  }\n }\n pto.section.vector {\n" LANES
             "  %m = arith.addi %b2, %l : index\n  %count = arith.muli %n, %c2 : index\n" ROUNDS_OF("0") " }\n");
  /* The pair of a block: member 2 b + l, whose next one is l + 1 - 2 l. Both kinds of flags by one id, one after the
   * other; the cube core waits by that id for what they set at their end, not among themselves. */
  static const char k_pair[] =
      KERNEL(" pto.section.cube {\n" WAIT " }\n pto.section.vector {\n" LANES
             "  %k = arith.addi %b2, %l : index\n  %d = arith.subi %c1, %l : index\n  %p = arith.addi %b2, %d : index\n"
             "  %xi = arith.index_cast %k : index to i32\n  %xf = arith.sitofp %xi : i32 to f32\n"
             "  scf.for %i = %c0 to %five step %c1 {\n"
             "   pto.store_scalar %xf, %src[%k] : f32, !pto.ptr<f32>\n" SET("1") WAIT
             "   %y = pto.load_scalar %src[%p] : !pto.ptr<f32> -> f32\n   pto.store_scalar %y, %dst[%k] : f32, "
             "!pto.ptr<f32>\n" SET("1") WAIT "  }\n" SET("2") " }\n");
  static job j;
  for (unsigned order = 0; order < 20; ++order) {
    char number[16];
    snprintf(number, sizeof number, "%u", order);
    setenv("PTO_CORE_ORDER", number, 1);
    for (int blocks = 1; blocks < 4; ++blocks) {
      static char two[16384];
      for (int pair = 0; pair < 2; ++pair) {
        const char *const text = pair != 0 ? k_pair : k_all;
        const char *const cut = strstr(text, "{pto.entry}");
        snprintf(two, sizeof two, "%.*s{pto.entry, pto.subblock_num = 2}%s", (int)(cut - text), text, cut + 11);
        if (run(&j, two, PTO_PROFILE_CPU, blocks, 2, 0) != PTO_OK) explain(j.ctx, j.program, two);
        for (int m = 0; m < 2 * blocks; ++m) {
          assert_float_equal(j.memory[1][m], pair != 0 ? (float)(m ^ 1) : sum_of((m + 1) % (2 * blocks)), 0);
        }
        end(&j);
      }
    }
  }
  unsetenv("PTO_CORE_ORDER");
}

#define HARD(kind) "   pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<" kind ">\n"
#define SOFT(kind, count)                                                               \
  "   pto.syncall(%ws, %" count                                                         \
  " : !pto.ptr<i32>, i32) mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_" \
  "type<" kind ">\n"

/* The steps of a cube core and two vector cores of each block, every third one of them the cube core's. */
#define TRIPLES(meet)                                                                                          \
  " %c3 = arith.constant 3 : index\n %b3 = arith.muli %b, %c3 : index\n %count = arith.muli %n, %c3 : index\n" \
  " pto.section.cube {\n  %m = arith.addi %b3, %c0 : index\n" ROUNDS_WITH(                                     \
      meet) " }\n pto.section.vector {\n" LANES                                                                \
            "  %l1 = arith.addi %l, %c1 : index\n  %m = arith.addi %b3, %l1 : index\n" ROUNDS_WITH(meet) " }\n"

/* A syncall of the cores of a kind in all blocks, of all cores, and of the first ones. */
static void all_meet(void **state) {
  (void)state;
#define PLAIN(meet) " %m = arith.addi %b, %c0 : index\n %count = arith.addi %n, %c0 : index\n" ROUNDS_WITH(meet)
  static const struct {
    const char *text;
    int cores; /* of a block that take part */
  } k_cases[] = {
      {KERNEL(PLAIN(HARD("aiv_only"))), 1},
      {KERNEL(PLAIN(HARD("mix"))), 1},
      {KERNEL(" pto.section.cube {\n" PLAIN(HARD("aic_only")) " }\n pto.section.vector {\n" HARD("aic_only") " }\n"),
       1},
      {WITH_WORKSPACE(" %n32 = arith.trunci %n64 : i64 to i32\n" PLAIN(SOFT("aiv_only", "n32"))), 1},
      {KERNEL(TRIPLES(HARD("mix"))), 3},
  };
  static job j;
  static char text[16384];
  for (size_t i = 0; i < sizeof k_cases / sizeof *k_cases; ++i) {
    const char *const cut = strstr(k_cases[i].text, "{pto.entry}");
    snprintf(text, sizeof text, "%.*s{pto.entry%s}%s", (int)(cut - k_cases[i].text), k_cases[i].text,
             k_cases[i].cores == 3 ? ", pto.subblock_num = 2" : "", cut + 11);
    for (int blocks = 1; blocks < 8; blocks += 3) {
      for (int threads = 1; threads < 4; threads += 2) {
        if (run(&j, text, PTO_PROFILE_CPU, blocks, threads, 0) != PTO_OK) explain(j.ctx, j.program, text);
        const int members = blocks * k_cases[i].cores;
        for (int m = 0; m < members; ++m) assert_float_equal(j.memory[1][m], sum_of((m + 1) % members), 0);
        end(&j);
      }
    }
  }
}

/* Lines of blocks have their order, up to the first block that failed. */
static void runs_end(void **state) {
  (void)state;
#define SAY(end)                                                                      \
  KERNEL(" pto.section.vector {\n  pto.print ins(\"%d\", %b : index)\n" SET("0") WAIT \
         "  pto.print ins(\"%d\", %b : index)\n" end " }\n")
#define IN_BLOCK_1(what) "  %one = arith.cmpi eq, %b, %c1 : index\n  scf.if %one {\n" what "  }\n"
  static const struct {
    const char *text;
    pto_status status;
    const char *output;
    const char *rule;
    const char *messages[3];
  } k_cases[] = {
      {SAY(""), PTO_OK, "0\n0\n1\n1\n2\n2\n", NULL, {NULL}},
      {SAY(IN_BLOCK_1("   pto.trap\n")), PTO_ERROR_PROGRAM, "0\n0\n1\n1\n", "trap", {NULL}},
      {SAY(IN_BLOCK_1(SET("0"))), PTO_OK, "0\n0\n1\n1\n2\n2\n", NULL, {NULL}},
      {SAY(IN_BLOCK_1(SET("0") WAIT)),
       PTO_ERROR_PROGRAM,
       "0\n0\n1\n1\n",
       "deadlock",
       {"the vector core of block 1 waits for the vector core of block 0 to set flag 2; that core has come to its end",
        NULL}},
      {KERNEL(" pto.section.vector {\n" SET("0") WAIT IN_BLOCK_1(WAIT) SET("0") WAIT " }\n"),
       PTO_ERROR_PROGRAM,
       "",
       "deadlock",
       {"the vector core of block 0 waits for the vector core of block 1 to set flag 2; that core waits at sync.wait",
        "the vector core of block 1 waits for the cube core to set flag 2; no code is for that core",
        "the vector core of block 2 waits for the vector core of block 1 to set flag 2; that core waits at sync.wait"}},
      {KERNEL(" pto.section.cube {\n" SET("1") " }\n"), PTO_ERROR_PROGRAM, "", "core-kind", {NULL}},
      {KERNEL(" %c16 = arith.constant 16 : index\n pto.section.vector {\n  scf.for %i = %c0 to %c16 step %c1 {\n" SET(
           "0") "  }\n }\n"),
       PTO_ERROR_PROGRAM,
       "",
       "core-flag",
       {"flag 2 is set 16 times and not waited for", NULL}},
      {KERNEL(" pto.section.vector {\n" IN_BLOCK_1(HARD("aiv_only")) " }\n"),
       PTO_ERROR_PROGRAM,
       "",
       "deadlock",
       {"the vector core of block 1 waits for the vector core of block 0 to come to syncall; that core has come to its "
        "end",
        NULL}},
      {WITH_WORKSPACE(" %one32 = arith.constant 1 : i32\n" SOFT("aiv_only", "one32")),
       PTO_ERROR_PROGRAM,
       "",
       "core-kind",
       {"core 1 of 3 is at a syncall of 1 cores", "core 2 of 3 is at a syncall of 1 cores"}},
      {KERNEL(" pto.section.cube {\n" SET("0") WAIT "  pto.tfree_from_aiv {split = 0}\n }\n"),
       PTO_ERROR_PROGRAM,
       "",
       "pipe-order",
       {NULL}},
  };
  static job j;
  for (size_t i = 0; i < sizeof k_cases / sizeof *k_cases; ++i) {
    print_message("%zu\n", i);
    assert_int_equal(run(&j, k_cases[i].text, PTO_PROFILE_CPU, 3, 2, 0), k_cases[i].status);
    assert_string_equal(pto_program_output(j.program), k_cases[i].output);
    const int count = pto_program_diagnostic_count(j.program);
    assert_int_equal(count == 0, k_cases[i].rule == NULL);
    for (int d = 0; d < count; ++d) {
      const char *const expected = d < 3 ? k_cases[i].messages[d] : NULL;
      assert_string_equal(pto_program_diagnostic_rule(j.program, d), k_cases[i].rule);
      if (expected != NULL && strstr(pto_program_diagnostic_message(j.program, d), expected) == NULL) {
        fail_msg("%s", pto_program_diagnostic_message(j.program, d));
      }
    }
    end(&j);
  }
}

/* A program that runs again, after runs with other data, with other numbers of blocks, and after runs that failed in
 * the middle. Its last word of src selects what block 1 does between its meetings: 1: it traps; 2: it misses one. */
static void runs_again(void **state) {
  (void)state;
#define LINE "!pto.tile_buf<vec, 1x8xf32>"
#define IN_MODE(number, what)                                                                            \
  " %f" number " = arith.constant " number ".0 : f32\n %is" number " = arith.cmpf oeq, %mode, %f" number \
  " : f32\n %do" number " = arith.andi %one, %is" number " : i1\n scf.if %do" number " {\n" what         \
  " } else {\n" HARD("aiv_only") " }\n"
  /* On-chip memory is zero at the beginning of a block, so that the tile becomes what was loaded. */
  static const char k_text[] =
      KERNEL(" %at = arith.constant 0 : i64\n %t = pto.alloc_tile addr = %at : " LINE
             "\n %c64 = arith.constant 64 : index\n %c127 = arith.constant 127 : index\n"
             " %mode = pto.load_scalar %src[%c127] : !pto.ptr<f32> -> f32\n %one = arith.cmpi eq, %b, %c1 : index\n"
             " %x = pto.load_scalar %src[%b] : !pto.ptr<f32> -> f32\n"
             " pto.tadds ins(%t, %x : " LINE ", f32) outs(%t : " LINE ")\n"
             " %y = pto.tgetval ins(%t, %c0 : " LINE ", index) outs : f32\n %k = arith.addi %b, %c64 : index\n"
             " pto.store_scalar %y, %src[%k] : f32, !pto.ptr<f32>\n" HARD("aiv_only")
             IN_MODE("1", " pto.trap\n") IN_MODE("2", "")
             " %m = arith.addi %b, %c1 : index\n %o = arith.remui %m, %n : index\n %q = arith.addi %o, %c64 : index\n"
             " %z = pto.load_scalar %src[%q] : !pto.ptr<f32> -> f32\n %sum = arith.addf %y, %z : f32\n"
             " pto.store_scalar %sum, %dst[%b] : f32, !pto.ptr<f32>\n");
  enum { LAST = 2 * MOST - 1 };
  static const struct {
    int blocks, mode, other; /* other: other memory is bound */
    int64_t steps;
    const char *rule; /* NULL: it succeeds */
  } k_runs[] = {
      {7, 0, 0, 10000, NULL},       {7, 0, 0, 10000, NULL},   {7, 1, 0, 10000, "trap"},    {7, 0, 0, 10000, NULL},
      {7, 2, 0, 10000, "deadlock"}, {7, 0, 1, 10000, NULL},   {7, 0, 1, 90, "step-limit"}, {7, 0, 0, 10000, NULL},
      {3, 0, 0, 10000, NULL},       {3, 1, 1, 10000, "trap"}, {7, 0, 1, 10000, NULL},      {1, 0, 0, 10000, NULL},
      {7, 0, 0, 10000, NULL},
  };
  static job j;
  static float other[2][2 * MOST];
  assert_int_equal(run(&j, k_text, PTO_PROFILE_CPU, 7, 1, 0), PTO_OK);
  const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, 2 * MOST);
  for (size_t i = 0; i < sizeof k_runs / sizeof *k_runs; ++i) {
    print_message("%zu\n", i);
    float(*memory)[2 * MOST] = k_runs[i].other != 0 ? other : j.memory;
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2 * MOST; ++b) memory[a][b] = a == 0 && b < MOST ? (float)(1000 * (int)i + b * b) : -1;
      pto_tensor *const tensor = pto_tensor_wrap(j.ctx, &desc, memory[a], sizeof memory[a]);
      assert_ok(j.ctx, pto_program_bind_tensor(j.ctx, j.program, a == 0 ? "src" : "dst", tensor));
      pto_tensor_release(tensor);
    }
    memory[0][LAST] = (float)k_runs[i].mode;
    assert_ok(j.ctx, pto_program_set_blocks(j.ctx, j.program, k_runs[i].blocks));
    assert_ok(j.ctx, pto_program_limit_steps(j.ctx, j.program, k_runs[i].steps));
    const pto_status status = pto_program_run(j.ctx, j.program, NULL);
    if (k_runs[i].rule != NULL) {
      assert_int_equal(status, PTO_ERROR_PROGRAM);
      assert_string_equal(pto_program_diagnostic_rule(j.program, 0), k_runs[i].rule);
      continue;
    }
    if (status != PTO_OK) explain(j.ctx, j.program, k_text);
    for (int b = 0; b < 2 * MOST; ++b) {
      const int next = (b + 1) % k_runs[i].blocks;
      const float want = b < k_runs[i].blocks ? (float)(2000 * (int)i + b * b + next * next) : -1;
      assert_float_equal(memory[1][b], want, 0);
    }
  }
  end(&j);
}

/* A block by itself, and blocks that share a tile of the caller's. */
static void few_meet(void **state) {
  (void)state;
  static const char k_one[] =
      "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.entry, pto.subblock_num = 2} {\n"
      " pto.section.cube {\n }\n pto.section.vector {\n  %l = pto.get_subblock_idx\n  %zero = arith.constant 0 : i64\n"
      "  %first = arith.cmpi eq, %l, %zero : i64\n  scf.if %first {\n" SET("0") WAIT "  }\n }\n return\n}\n";
  static job j;
  assert_int_equal(run(&j, k_one, PTO_PROFILE_CPU, 1, 1, 0), PTO_ERROR_PROGRAM);
  assert_int_equal(pto_program_diagnostic_count(j.program), 1);
  assert_non_null(
      strstr(pto_program_diagnostic_message(j.program, 0),
             "vector core 0 of block 0 waits for vector core 1 to set flag 2; that core has come to its end"));
  end(&j);
  static const char k_shared[] =
      "func.func @k(%t: !pto.tile_buf<vec, 1x8xi32>) attributes {pto.entry} {\n %c0 = arith.constant 0 : index\n"
      " %one = arith.constant 1 : i32\n pto.section.vector {\n"
      "  pto.tadds ins(%t, %one : !pto.tile_buf<vec, 1x8xi32>, i32) outs(%t : !pto.tile_buf<vec, 1x8xi32>)\n" SET("0")
          WAIT
      "  %x = pto.tgetval ins(%t, %c0 : !pto.tile_buf<vec, 1x8xi32>, index) outs : i32\n"
      "  pto.print ins(\"%d\", %x : i32)\n }\n return\n}\n";
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_shared);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_I32, 1, 8);
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", tile));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 3));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_shared);
  assert_string_equal(pto_program_output(program), "3\n3\n3\n");
  pto_tile_release(tile);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* The limit of steps is for all blocks together, and bytes are shared out among them. */
static void limits(void **state) {
  (void)state;
  static const char k_text[] = SAY("");
  static job j;
  assert_int_equal(run(&j, k_text, PTO_PROFILE_CPU, 3, 1, 0), PTO_OK);
  const int64_t steps = pto_program_steps(j.program);
  for (int64_t few = steps - 1; few >= 0; --few) {
    assert_ok(j.ctx, pto_program_limit_steps(j.ctx, j.program, few + (few == 0)));
    assert_int_equal(pto_program_run(j.ctx, j.program, NULL), PTO_ERROR_PROGRAM);
    assert_string_equal(pto_program_diagnostic_rule(j.program, 0), "step-limit");
  }
  assert_ok(j.ctx, pto_program_limit_steps(j.ctx, j.program, steps));
  assert_ok(j.ctx, pto_program_run(j.ctx, j.program, NULL));
  assert_int_equal(pto_program_steps(j.program), steps);
  assert_ok(j.ctx, pto_program_limit_bytes(j.ctx, j.program, 1000));
  assert_int_equal(pto_program_run(j.ctx, j.program, NULL), PTO_ERROR_PROGRAM);
  assert_string_equal(pto_program_diagnostic_rule(j.program, 0), "byte-limit");
  end(&j);
}

/* The checker's knowledge of the flags of one block. */
static void checked(void **state) {
  (void)state;
#define STORE "   pto.store_scalar %zero, %src[%l] : f32, !pto.ptr<f32>\n"
#define PAIR(between)                                                                                               \
  "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.entry, pto.subblock_num = 2} {\n"         \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %zero = arith.constant 0.0 : f32\n"           \
  " %id = arith.constant 0 : i64\n"                                                                                 \
  " %t = pto.alloc_tile addr = %id : !pto.tile_buf<vec, 1x8xf32>\n pto.section.cube {\n }\n pto.section.vector {\n" \
  "  %l64 = pto.get_subblock_idx\n  %l = arith.index_cast %l64 : i64 to index\n  %o = arith.subi %c1, %l : "        \
  "index\n" STORE between "  %y = pto.load_scalar %src[%o] : !pto.ptr<f32> -> f32\n }\n return\n}\n"
  static const struct {
    const char *text;
    int blocks;
    const char *rule;
  } k_cases[] = {
      {PAIR(SET("1") WAIT), 1, NULL},
      {PAIR(SET("0") WAIT), 1, NULL},
      {PAIR(""), 1, "sync-race"},
      {PAIR(SET("1")), 1, "sync-race"},
      {PAIR(SET("0") WAIT), 2, "sync-auto"},
      {KERNEL(" pto.section.cube {\n" SET("0") WAIT SET("0") WAIT " }\n"), 1, "sync-auto"},
  };
  static job j;
  for (size_t i = 0; i < sizeof k_cases / sizeof *k_cases; ++i) {
    print_message("%zu\n", i);
    run(&j, k_cases[i].text, PTO_PROFILE_CPU, k_cases[i].blocks, 1, 1);
    const int count = pto_program_diagnostic_count(j.program);
    for (int d = 0; d < count; ++d) print_message("%s\n", pto_program_diagnostic_text(j.program, d));
    assert_int_equal(count > 0, k_cases[i].rule != NULL);
    if (count > 0) assert_string_equal(pto_program_diagnostic_rule(j.program, 0), k_cases[i].rule);
    end(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_meet), cmocka_unit_test(vector_cores_meet), cmocka_unit_test(all_meet),
      cmocka_unit_test(runs_end),    cmocka_unit_test(few_meet),          cmocka_unit_test(limits),
      cmocka_unit_test(checked),     cmocka_unit_test(runs_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
