/* The limits of a hostile program: stack, steps, bytes and time are bounded, and a run can be stopped.
 * Everything is done on a thread whose stack is as small as promised. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../tensor/tensor_help.h"

#if defined(__SANITIZE_ADDRESS__)
#define STACK ((size_t)4 << 20) /* frames have red zones */
#else
#define STACK ((size_t)256 << 10)
#endif
#define CONSTANTS                                                                                       \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c8 = arith.constant 8 : index\n" \
  " %many = arith.constant 300000 : index\n %big = arith.constant 9000000000000000000 : index\n"
#define HEAD "func.func @main() {\n" CONSTANTS
#define TAIL " return\n}\n"
#define HEAD_STEPS 6 /* with the return */
#define T8 "!pto.tile_buf<vec, 1x8xi32>"
#define T8F "!pto.tile_buf<vec, 1x8xf32>"

/* ---- programs that grow ---- */

typedef struct {
  char *text;
  size_t length;
  size_t room;
} builder;

__attribute__((format(printf, 2, 3))) static void add(builder *to, const char *format, ...) {
  va_list args;
  if (to->room < to->length + 4096) {
    to->room = to->room * 2 + 8192;
    to->text = realloc(to->text, to->room);
    assert_non_null(to->text);
  }
  va_start(args, format);
  to->length += (size_t)vsnprintf(to->text + to->length, to->room - to->length, format, args);
  va_end(args);
}

/* `count` statements of this format, which may print the number of one and of the one before. */
static builder repeated(const char *before, const char *format, int count, const char *after) {
  builder made = {0};
  add(&made, "%s", before);
  for (int i = 1; i <= count; ++i) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    add(&made, format, i, i - 1);
#pragma GCC diagnostic pop
  }
  add(&made, "%s", after);
  return made;
}

/* ---- runs on a small stack ---- */

typedef struct {
  const char *text;
  int64_t steps;
  int64_t bytes;
  int64_t milliseconds;
  int32_t blocks;
  int32_t trace;
  int32_t sync;
  /* the result */
  pto_status status;
  char rule[64];
  char said[256];
  int64_t taken;
  size_t printed;
} job;

static void *work(void *data) {
  job *j = data;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_program *program = pto_program_parse(ctx, j->text, (int64_t)strlen(j->text), NULL);
  if (j->steps > 0) (void)pto_program_limit_steps(ctx, program, j->steps);
  if (j->bytes > 0) (void)pto_program_limit_bytes(ctx, program, j->bytes);
  if (j->milliseconds > 0) (void)pto_program_limit_time(ctx, program, j->milliseconds);
  if (j->blocks > 0) (void)pto_program_set_blocks(ctx, program, j->blocks);
  (void)pto_program_set_trace(ctx, program, j->trace);
  (void)pto_program_set_sync(ctx, program, j->sync);
  (void)pto_program_print(ctx, program, PTO_FORM_SSA);
  j->status = pto_program_run(ctx, program, NULL);
  snprintf(j->rule, sizeof j->rule, "%s", j->status == PTO_OK ? "" : pto_context_error_rule(ctx));
  snprintf(j->said, sizeof j->said, "%s", pto_context_error_message(ctx));
  j->taken = pto_program_steps(program);
  j->printed = strlen(pto_program_output(program));
  pto_program_release(program);
  pto_context_release(ctx);
  return NULL;
}

/* Runs the program; "" for the rule: it reaches its end. */
static void becomes(job *j, const char *rule) {
  pthread_attr_t attributes;
  pthread_t thread;
  const int64_t alive = pto_live_handles();
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, work, j), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(pthread_attr_destroy(&attributes), 0);
  if (strcmp(j->rule, rule) != 0) fail_msg("'%s' where '%s' is due: %s\n%.500s", j->rule, rule, j->said, j->text);
  assert_int_equal(pto_live_handles(), alive);
}

static void built(builder *text, job j, const char *rule) {
  j.text = text->text;
  becomes(&j, rule);
  free(text->text);
}

/* ---- stack ---- */

/* Each round shares what the round before made: no chain is left, and nothing adds up. */
static void loops_that_share_hold_two_handles(void **state) {
  (void)state;
  static const char *const k_shares[] = {
      "  %b = pto.treshape %a : " T8 " -> " T8 "\n",
      "  %b = pto.subset %a[%c0, %c0] sizes [1, 8] : " T8 "\n",
      "  %n = pto.treshape %a : " T8
      " -> !pto.tile_buf<vec, 1x16xi16>\n"
      "  %b = pto.treshape %n : !pto.tile_buf<vec, 1x16xi16> -> " T8 "\n",
  };
  for (size_t i = 0; i < sizeof k_shares / sizeof *k_shares; ++i) {
    builder text = {0};
    add(&text,
        "%s %%t = pto.alloc_tile : " T8 "\n %%r = scf.for %%i = %%c0 to %%many step %%c1 iter_args(%%a = %%t) -> (" T8
        ") {\n%s  scf.yield %%b : " T8 "\n }\n pto.tprint ins(%%r : " T8 ")\n" TAIL,
        HEAD, k_shares[i]);
    built(&text, (job){.bytes = 4096}, "");
  }
}

static void chains_of_shares_take_no_stack(void **state) {
  (void)state;
  builder text = repeated(HEAD " %t0 = pto.alloc_tile : " T8 "\n", " %%t%d = pto.treshape %%t%d : " T8 " -> " T8 "\n",
                          50000, " pto.trsqrt ins(%t50000 : " T8 ") outs(%t50000 : " T8 ")\n" TAIL);
  /* trsqrt accepts no integers: the check reaches it through the whole chain. */
  built(&text, (job){.steps = 1000000}, "program-errors");
  text = repeated(HEAD " %t0 = pto.alloc_tile : " T8 "\n", " %%t%d = pto.treshape %%t%d : " T8 " -> " T8 "\n", 50000,
                  " pto.tpartadd ins(%t50000, %t50000 : " T8 ", " T8 ") outs(%t50000 : " T8 ")\n" TAIL);
  built(&text, (job){.steps = 1000000}, "");
}

/* Functions that call each other from within `loops` loops each; the last one has `last`. */
static builder nest(int functions, int loops, int last, const char *innermost) {
  builder text = {0};
  for (int f = 0; f < functions; ++f) {
    const int deep = f + 1 < functions ? loops : last;
    add(&text, "func.func @f%d()%s {\n%s", f, f == 0 ? " attributes {pto.entry}" : "", CONSTANTS);
    for (int i = 0; i < deep; ++i) add(&text, "scf.for %%i%d = %%c0 to %%c1 step %%c1 {\n", i);
    if (f + 1 < functions) add(&text, "call @f%d() : () -> ()\n", f + 1);
    if (f + 1 == functions) add(&text, "%s", innermost);
    for (int i = 0; i < deep; ++i) add(&text, "}\n");
    add(&text, TAIL);
  }
  return text;
}

static void nesting_fits_a_small_stack(void **state) {
  (void)state;
  static const char k_busy[] =
      "%t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>\n%u = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>\n"
      "pto.trsqrt ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%u : !pto.tile_buf<vec, 16x64xf32>)\n"
      "pto.tpow ins(%t, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%u : "
      "!pto.tile_buf<vec, 16x64xf32>) {precision_mode = \"HIGH_PRECISION\"}\n"
      "pto.tprint ins(%u : !pto.tile_buf<vec, 16x64xf32>)\n";
  /* A function is a block, and each loop is one: 400 together, and one more. */
  builder text = nest(64, 97, 97, "pto.trap\n");
  built(&text, (job){0}, "call-depth");
  text = nest(5, 79, 79, k_busy);
  built(&text, (job){0}, "");
  text = nest(5, 79, 79, "pto.trap\n");
  built(&text, (job){0}, "trap");
  text = nest(5, 79, 80, "pto.trap\n");
  built(&text, (job){0}, "call-depth");
  /* The state of a run that ended deep inside does not bind the next one: a block is entered anew. */
  text = nest(1, 0, 97, "pto.trap\n");
  built(&text, (job){0}, "trap");
}

/* ---- steps ---- */

#define LEFT(shape, valid) "!pto.tile_buf<left, " shape "xf32" valid ", blayout=row_major, slayout=row_major>"
#define RIGHT "!pto.tile_buf<right, 256x128xf32, slayout=col_major>"
#define ACC(valid) "!pto.tile_buf<acc, 64x128xf32" valid ", blayout=col_major, slayout=row_major, fractal=1024>"

static void steps_count_work(void **state) {
  (void)state;
  static const struct {
    const char *body;
    int64_t steps;
  } k_runs[] = {
      {"", 0},
      {" %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n", 1},
      {" %t = pto.alloc_tile : !pto.tile_buf<vec, 64x64xf32>\n", 1 + 64},
      /* the destination, whose valid region is what is computed */
      {" %t = pto.alloc_tile : !pto.tile_buf<vec, 64x64xf32, valid=32x64>\n"
       " pto.trsqrt ins(%t : !pto.tile_buf<vec, 64x64xf32, valid=32x64>) outs(%t : !pto.tile_buf<vec, 64x64xf32, "
       "valid=32x64>)\n",
       1 + 64 + 1 + 32},
      {" scf.for %i = %c0 to %c8 step %c1 {\n  %x = arith.addi %i, %i : index\n }\n", 1 + 8 + 8},
      {" %e = pto.declare_eventid_array -> !pto.eventid_array<640>\n", 1 + 10},
      {" %t = pto.alloc_tile : !pto.tile_buf<vec, 8x64xi8>\n pto.tprint ins(%t : !pto.tile_buf<vec, 8x64xi8>)\n",
       1 + 8 + 1 + 8},
      /* beside elements a 64th of the multiplications of a product, of the valid region that it has */
      {" %t = pto.alloc_tile : " LEFT("64x256", "") "\n %u = pto.alloc_tile : " RIGHT "\n %v = pto.alloc_tile : " ACC(
           "") "\n pto.tmatmul ins(%t, %u : " LEFT("64x256", "") ", " RIGHT ") outs(%v : " ACC("") ")\n",
       1 + 256 + 1 + 512 + 1 + 128 + 1 + 512},
      {" %t = pto.alloc_tile : " LEFT(
           "64x256",
           ", valid=16x256") "\n %u = pto.alloc_tile : " RIGHT
                             "\n %v = pto.alloc_tile : " ACC(", valid=16x128") "\n pto.tmatmul ins(%t, %u : " LEFT(
                                 "64x256", ", valid=16x256") ", " RIGHT ") outs(%v : " ACC(", valid=16x128") ")\n",
       1 + 256 + 1 + 512 + 1 + 128 + 1 + 512},
  };
  for (size_t i = 0; i < sizeof k_runs / sizeof *k_runs; ++i) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", HEAD, k_runs[i].body, TAIL);
    job j = {.text = text};
    becomes(&j, "");
    /* and the entry, as block 0 */
    assert_int_equal(j.taken, k_runs[i].steps + HEAD_STEPS + 1);
    j.steps = j.taken;
    becomes(&j, "");
    --j.steps;
    becomes(&j, "step-limit");
    assert_int_equal(j.taken, j.steps);
  }
  job events = {.text = "func.func @main() {\n %e = pto.declare_eventid_array -> !pto.eventid_array<4096>\n}\n"};
  becomes(&events, "");
  events.text = "func.func @main() {\n %e = pto.declare_eventid_array -> !pto.eventid_array<4097>\n}\n";
  becomes(&events, "unsupported");
  /* Blocks of nothing, values that are handed on, frames of calls. */
  job j = {.text = "func.func @main() {\n}\n", .steps = 1000, .blocks = INT32_MAX};
  becomes(&j, "step-limit");
  builder text = repeated("func.func @f() {\n", " %%v%d = arith.constant %d : index\n", 6400,
                          " return\n}\nfunc.func @main() attributes {pto.entry} {\n call @f() : () -> ()\n" TAIL);
  j = (job){.text = text.text};
  becomes(&j, "");
  assert_int_equal(j.taken, 1 + 1 + 6400 / 64 + 6400 + 1 + 1);
  free(text.text);
  /* The cases of a switch, which may all be compared, and the contents of a directive. */
  text = repeated("func.func @main() {\n %k = arith.constant 1 : i32\n cf.switch %k : i32, [default: ^a",
                  ", %d: ^a // %d\n", 640, "]\n^a:\n return\n}\n");
  j = (job){.text = text.text};
  becomes(&j, "");
  assert_int_equal(j.taken, 1 + 1 + 1 + 640 / 64 + 1);
  free(text.text);
  text = repeated(HEAD " pto.print ins(\"%%", "-", 640, "d\", %c1 : index)\n" TAIL);
  j = (job){.text = text.text};
  becomes(&j, "");
  assert_int_equal(j.taken, 1 + HEAD_STEPS + 1 + 640 / 64);
  assert_int_equal(j.printed, 2);
  free(text.text);
}

/* Where synchronisation is checked: each element of a tile was touched on its own, and then all of it at once. */
static void steps_count_what_is_held_against_an_access(void **state) {
  (void)state;
  static const char k_text[] = HEAD
      " %e = arith.constant 4096 : index\n %z = arith.constant 1.0 : f32\n %a = arith.constant 0 : i64\n"
      " %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 1x4096xf32>\n"
      " scf.for %i = %c0 to %e step %c1 {\n"
      "  pto.tsetval ins(%i, %z : index, f32) outs(%t : !pto.tile_buf<vec, 1x4096xf32>)\n }\n"
      " pto.tabs ins(%t : !pto.tile_buf<vec, 1x4096xf32>) outs(%t : !pto.tile_buf<vec, 1x4096xf32>)\n"
      " pto.barrier <PIPE_ALL>\n"
      " scf.for %i = %c0 to %c8 step %c1 {\n"
      "  pto.tabs ins(%t : !pto.tile_buf<vec, 1x4096xf32>) outs(%t : !pto.tile_buf<vec, 1x4096xf32>)\n }\n" TAIL;
  job j = {.text = k_text};
  becomes(&j, "");
  const int64_t plain = j.taken;
  j.sync = 1;
  becomes(&j, "sync-race");
  /* Each of 8 instructions reads and writes it: both are held against 4096 others. */
  assert_true(j.taken >= plain + 8 * 2 * 4096 / 64);
}

/* ---- bytes ---- */

static void bytes_count_all_that_a_run_holds(void **state) {
  (void)state;
  const int64_t limit = 1 << 20;
  builder text = repeated(HEAD, " %%e%d = pto.declare_eventid_array -> !pto.eventid_array<4096> // %d\n", 64, TAIL);
  built(&text, (job){.bytes = limit}, "byte-limit");
  text =
      repeated(HEAD " %t0 = pto.alloc_tile : " T8 "\n", " %%t%d = pto.treshape %%t%d : " T8 " -> " T8 "\n", 4096, TAIL);
  built(&text, (job){.bytes = limit}, "byte-limit");
  text = repeated(HEAD, " %%v%d = arith.constant %d : index\n", 40000, TAIL);
  built(&text, (job){.bytes = limit}, "byte-limit");
  text = repeated(HEAD, " pto.print ins(\"%%%%d\", %%c%d : index) // %d\n", 1, TAIL);
  built(&text, (job){.bytes = limit}, "");
  /* A tile counts, also where a pointer led into the memory before it was placed. */
  static const char k_placed[] = HEAD
      " %a = arith.constant 0 : i64\n %p = pto.castptr %a : i64 -> !pto.ptr<f32, ub>\n"
      " %x = pto.load_scalar %p[%c0] : !pto.ptr<f32, ub> -> f32\n"
      " %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 256x1024xf32>\n" TAIL;
  becomes(&(job){.text = k_placed, .bytes = limit}, "byte-limit");
  static const char k_prints[] =
      HEAD " scf.for %i = %c0 to %many step %c1 {\n  pto.print ins(\"%d\", %i : index)\n }\n" TAIL;
  job j = {.text = k_prints, .bytes = limit};
  becomes(&j, "byte-limit");
  j.bytes = 2 * limit;
  becomes(&j, "");
  assert_true(j.printed <= limit && j.printed > limit - 100); /* whole lines, and one about the cut */
  static const char k_traced[] = HEAD
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n scf.for %i = %c0 to %many step "
      "%c1 {\n  pto.trsqrt ins(%t : !pto.tile_buf<vec, 1x8xf32>) outs(%t : "
      "!pto.tile_buf<vec, 1x8xf32>)\n }\n" TAIL;
  j = (job){.text = k_traced, .bytes = limit};
  becomes(&j, "");
  j.trace = 1;
  becomes(&j, "byte-limit");
  /* Blocks that wait for each other are there at a time. */
  static const char k_meeting[] =
      "func.func @main() {\n pto.section.cube {\n  pto.sync.set <PIPE_FIX>, 3 {ffts_mode = 0 : i32}\n"
      "  pto.sync.wait <PIPE_MTE2>, 3\n }\n return\n}\n";
  j = (job){.text = k_meeting, .blocks = 16, .bytes = limit};
  becomes(&j, "");
  j.blocks = 64;
  becomes(&j, "byte-limit");
  j = (job){.text = k_meeting, .blocks = INT32_MAX};
  becomes(&j, "byte-limit");
}

/* The findings of synchronisation: each of these statements races with each of those. */
static void bytes_count_findings(void **state) {
  (void)state;
  builder text = {0};
  add(&text,
      "func.func @main() attributes {pto.entry} {\n%s %%n = arith.constant 100 : index\n %%a = arith.constant 0 : "
      "i64\n %%z = arith.constant 1.0 : f32\n"
      " %%t = pto.alloc_tile addr = %%a : " T8F
      "\n"
      " scf.for %%i = %%c0 to %%n step %%c1 {\n  scf.for %%j = %%c0 to %%n step %%c1 {\n"
      "   call @set(%%t, %%i, %%z) : (" T8F ", index, f32) -> ()\n   call @use(%%t, %%j) : (" T8F
      ", index) -> ()\n  }\n }\n" TAIL,
      CONSTANTS);
  for (int use = 0; use < 2; ++use) {
    add(&text,
        "func.func @%s(%%t: " T8F
        ", %%i: index%s) {\n %%o = arith.constant 0 : index\n cf.switch %%i : index, [default: ^b0",
        use ? "use" : "set", use ? "" : ", %z: f32");
    for (int i = 1; i < 100; ++i) add(&text, ", %d: ^b%d", i, i);
    add(&text, "]\n");
    for (int i = 0; i < 100; ++i) {
      if (use) {
        add(&text, "^b%d:\n pto.tabs ins(%%t : " T8F ") outs(%%t : " T8F ")\n return\n", i);
      } else {
        add(&text, "^b%d:\n pto.tsetval ins(%%o, %%z : index, f32) outs(%%t : " T8F ")\n return\n", i);
      }
    }
    add(&text, "}\n");
  }
  job j = {.text = text.text, .bytes = 1 << 20};
  becomes(&j, "");
  j.sync = 1;
  becomes(&j, "byte-limit");
  free(text.text);
}

/* ---- time, and asking to stop ---- */

static const char k_endless[] = HEAD " scf.for %i = %c0 to %big step %c1 {\n }\n" TAIL;

static void time_is_limited(void **state) {
  (void)state;
  job j = {.text = k_endless, .steps = INT64_MAX, .milliseconds = 5};
  becomes(&j, "time-limit");
  assert_true(j.taken > 0);
  j = (job){.text = HEAD TAIL, .milliseconds = INT64_MAX};
  becomes(&j, "");
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = pto_program_parse(ctx, k_endless, (int64_t)sizeof k_endless - 1, NULL);
  static const int64_t k_wrong[] = {0, -1, INT64_MIN};
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(pto_program_limit_time(ctx, program, k_wrong[i]), PTO_ERROR_ARGUMENT);
    assert_rule(ctx, PTO_ERROR_ARGUMENT, "limit", "milliseconds");
  }
  assert_int_equal(pto_program_limit_time(NULL, program, 1), PTO_ERROR_NULL);
  assert_int_equal(pto_program_limit_time(ctx, NULL, 1), PTO_ERROR_NULL);
  pto_program_release(program);
  pto_context_release(ctx);
}

static void *run_endlessly(void *program) {
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  const int stopped =
      pto_program_run(ctx, program, NULL) == PTO_ERROR_PROGRAM && strcmp(pto_context_error_rule(ctx), "stopped") == 0;
  pto_context_release(ctx);
  return stopped ? program : NULL;
}

/* Asked before, while or after: each request ends one run, and no more. */
static void a_run_is_stopped_from_another_thread(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *endless = pto_program_parse(ctx, k_endless, (int64_t)sizeof k_endless - 1, NULL);
  assert_ok(ctx, pto_program_limit_steps(ctx, endless, INT64_MAX));
  for (int round = 0; round < 20; ++round) {
    pthread_t thread;
    void *stopped = NULL;
    if (round % 2 == 0) pto_program_stop(endless);
    assert_int_equal(pthread_create(&thread, NULL, run_endlessly, endless), 0);
    if (round % 2 == 1) pto_program_stop(endless);
    assert_int_equal(pthread_join(thread, &stopped), 0);
    assert_ptr_equal(stopped, endless);
  }
  static const char k_short[] = HEAD TAIL;
  pto_program *program = pto_program_parse(ctx, k_short, (int64_t)sizeof k_short - 1, NULL);
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  pto_program_stop(program);
  pto_program_stop(program);
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "stopped", "");
  assert_int_equal(pto_program_diagnostic_count(program), 1);
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  pto_program_stop(program);
  pto_program_forget_stop(program);
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  pto_program_stop(NULL);
  pto_program_forget_stop(NULL);
  pto_program_release(endless);
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_that_share_hold_two_handles),
      cmocka_unit_test(chains_of_shares_take_no_stack),
      cmocka_unit_test(nesting_fits_a_small_stack),
      cmocka_unit_test(steps_count_work),
      cmocka_unit_test(steps_count_what_is_held_against_an_access),
      cmocka_unit_test(bytes_count_findings),
      cmocka_unit_test(bytes_count_all_that_a_run_holds),
      cmocka_unit_test(time_is_limited),
      cmocka_unit_test(a_run_is_stopped_from_another_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
