/*
 * test_rules_program.c: the rules of programs, each broken on purpose: by a call, by
 * what is bound, by what a run meets. The rules of PTO-AS text are tested in
 * tests/ptoas, and the rules of checked runs in test_rules_sync.c.
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "program_fixture.h"
#include "rules_tests.h"

#define HEAD                                                                                \
  "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n" \
  " %c9 = arith.constant 9 : index\n"
#define TAIL " return\n}\n"

static const char k_scale[] =
    "func.func @scale(%p: !pto.ptr<f32>, %t: !pto.tile_buf<vec, 2x8xf32>, %n: i64, %f: f32) {\n"
    "%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n%c2 = arith.constant 2 : index\n"
    "%v = pto.make_tensor_view %p, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>\n"
    "pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%v : !pto.tensor_view<2x8xf32>)\nreturn\n}\n";

/* k_scale with everything bound as it should be. */
static pto_program *bound(void) {
  for (int i = 0; i < 16; ++i) g_memory[i] = -1;
  pto_program *program = parsed(k_scale);
  pto_tensor *tensor = tensor_over(PTO_DTYPE_F32, 1);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "p", tensor), PTO_OK);
  assert_int_equal(pto_program_bind_tile(CPU, program, "t", tile_sized(PTO_DTYPE_F32, 2, 8)), PTO_OK);
  assert_int_equal(pto_program_bind_int(CPU, program, "n", 1), PTO_OK);
  assert_int_equal(pto_program_bind_float(CPU, program, "f", 1), PTO_OK);
  pto_tensor_release(tensor);
  return program;
}

static void all_are(float value) {
  for (int i = 0; i < 16; ++i) assert_true(g_memory[i] == value);
}

/* Nothing was written while it was refused; once fixed, the same program writes. */
static void mended(pto_program *program) {
  all_are(-1);
  if (pto_program_run(CPU, program, NULL) != PTO_OK) fail_msg("not run: %s", pto_context_error_message(CPU));
  all_are(1);
  assert_int_equal(pto_program_diagnostic_count(program), 0);
  pto_program_release(program);
}

static void test_rule_program_errors(void **state) {
  (void)state;
  pto_program *program = parsed("func.func @main() {\n %x = arith.constant : i64\n return\n}\n");
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "program-errors", "", "r.pto:2:", 2);
  EXPECT_NO_HANDLE(CPU, pto_program_print(CPU, program, PTO_FORM_KEEP), PTO_ERROR_PROGRAM, "program-errors", "",
                   "pto_program_print|r.pto:2:");
  pto_program_release(program);
  program = parsed(HEAD " %t = arith.addi %c0, %none : index\n" TAIL);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "program-errors", "", "r.pto:5:|%none", 5);
  pto_program_release(program);
}

static void test_rule_unknown_entry(void **state) {
  (void)state;
  pto_program *program = bound();
  refuse_run(program, "scales", PTO_ERROR_UNKNOWN, "unknown-entry", "entry", "scales", 0);
  refuse_run(program, "", PTO_ERROR_UNKNOWN, "unknown-entry", "entry", "no function", 0);
  mended(program);
  program = parsed("func.func @a() {\n return\n}\nfunc.func @b() {\n return\n}\n");
  refuse_run(program, NULL, PTO_ERROR_UNKNOWN, "unknown-entry", "entry", "no single entry", 0);
  assert_int_equal(pto_program_run(CPU, program, "b"), PTO_OK);
  pto_program_release(program);
}

static void test_rule_argument_name(void **state) {
  (void)state;
  pto_program *program = bound();
  static const char *const k_names[] = {"q", "4"};
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(pto_program_bind_int(CPU, program, k_names[i], 1), PTO_OK);
    refuse_run(program, NULL, PTO_ERROR_UNKNOWN, "argument-name", "", i == 0 ? "@scale|argument q" : "argument 4", 1);
    assert_int_equal(pto_program_bind_tile(CPU, program, k_names[i], NULL), PTO_OK);
  }
  mended(program);
}

/* An output holds no data: what is read of it was written before, byte by byte. */
static void outputs_hold_no_data(void) {
  pto_program *program = bound();
  expect_error(CPU, pto_program_set_output(CPU, program, "q", 1), PTO_ERROR_PROGRAM, "unbound-argument", "arg", "%q");
  expect_error(CPU, pto_program_set_output(CPU, program, "n", 1), PTO_ERROR_PROGRAM, "argument-kind", "arg",
               "%n|an integer");
  assert_int_equal(pto_program_set_output(CPU, program, "%p", 1), PTO_OK); /* written only */
  assert_int_equal(pto_program_set_output(CPU, program, "t", 1), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "unbound-argument", "t", "byte 0 of %t|before it is written", 6);
  all_are(-1);
  assert_int_equal(pto_program_set_output(CPU, program, "t", 0), PTO_OK);
  mended(program);

  /* Once more with a tensor, which is read after one row of it was written. */
  program = parsed(
      "func.func @main(%p: !pto.ptr<f32>, %t: !pto.tile_buf<vec, 1x8xf32>) {\n%c1 = arith.constant 1 : index\n"
      "%c8 = arith.constant 8 : index\n%c2 = arith.constant 2 : index\n"
      "%v = pto.make_tensor_view %p, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>\n"
      "%w = pto.make_tensor_view %p, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>\n"
      "%u = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n"
      "pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xf32>) outs(%v : !pto.tensor_view<1x8xf32>)\n"
      "pto.tload ins(%v : !pto.tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n"
      "pto.tload ins(%w : !pto.tensor_view<2x8xf32>) outs(%u : !pto.tile_buf<vec, 2x8xf32>)\nreturn\n}\n");
  pto_tensor *tensor = tensor_over(PTO_DTYPE_F32, 1);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "0", tensor), PTO_OK);
  assert_int_equal(pto_program_bind_tile(CPU, program, "t", tile_sized(PTO_DTYPE_F32, 1, 8)), PTO_OK);
  assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
  assert_int_equal(pto_program_set_output(CPU, program, "0", 1), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "unbound-argument", "p", "byte 32 of %p", 10);
  /* A new binding holds data. */
  assert_int_equal(pto_program_bind_tensor(CPU, program, "0", tensor), PTO_OK);
  assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
  pto_tensor_release(tensor);
  pto_program_release(program);
}

static void test_rule_unbound_argument(void **state) {
  (void)state;
  pto_program *program = bound();
  assert_int_equal(pto_program_bind_tile(CPU, program, "n", NULL), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "unbound-argument", "n", "%n|an integer", 1);
  assert_int_equal(pto_program_bind_int(CPU, program, "n", 1), PTO_OK);
  mended(program);
  outputs_hold_no_data();
}

static pto_tensor *tensor_shaped(int32_t rank, int64_t dim0, int64_t dim1, int64_t dim2) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = rank;
  desc.dim0 = dim0;
  desc.dim1 = dim1;
  desc.dim2 = dim2;
  pto_tensor *tensor = pto_tensor_wrap(CPU, &desc, g_memory, sizeof g_memory);
  if (tensor == NULL) fail_msg("%s", pto_context_error_message(CPU));
  return tensor;
}

/* A warning, which names what is missing; not if all is written, or the memory holds data. */
static void test_rule_output_part(void **state) {
  (void)state;
  pto_program *program = parsed(
      "func.func @main(%y: !pto.ptr<f32>) {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%x = arith.constant 1.0 : f32\n"
      "pto.store_scalar %x, %y[%c0] : !pto.ptr<f32>, f32\npto.store_scalar %x, %y[%c1] : !pto.ptr<f32>, f32\n"
      "return\n}\n");
  static const struct {
    int64_t elements;
    int32_t output, warnings;
  } k_cases[] = {{3, 1, 1}, {2, 1, 0}, {3, 0, 0}};
  for (size_t i = 0; i < sizeof k_cases / sizeof *k_cases; ++i) {
    pto_tensor *tensor = tensor_shaped(1, k_cases[i].elements, 0, 0);
    assert_int_equal(pto_program_bind_tensor(CPU, program, "y", tensor), PTO_OK);
    assert_int_equal(pto_program_set_output(CPU, program, "y", k_cases[i].output), PTO_OK);
    assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
    assert_int_equal(pto_program_diagnostic_count(program), k_cases[i].warnings);
    pto_tensor_release(tensor);
  }
  pto_tensor *tensor = tensor_shaped(1, 3, 0, 0);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "y", tensor), PTO_OK);
  assert_int_equal(pto_program_set_output(CPU, program, "y", 1), PTO_OK);
  assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
  assert_string_equal(pto_program_diagnostic_rule(program, 0), "output-part");
  assert_int_equal(pto_program_diagnostic_error(program, 0), 0);
  assert_non_null(strstr(pto_program_diagnostic_text(program, 0), "1 of the 3 elements of %y are not written"));
  pto_tensor_release(tensor);
  pto_program_release(program);
}

static void test_rule_argument_shape(void **state) {
  (void)state;
  pto_program *program = bound();
  static const struct {
    int32_t rank;
    int64_t dims[3];
    const char *text; /* NULL: it fits */
  } k_shapes[] = {{2, {8, 2, 0}, "8x2"}, {2, {4, 4, 0}, "4x4"},   {2, {16, 1, 0}, "16x1"},
                  {2, {1, 16, 0}, NULL}, {3, {2, 4, 2}, "2x4x2"}, {3, {2, 8, 1}, "2x8x1"},
                  {2, {2, 8, 0}, NULL},  {3, {1, 2, 8}, NULL},    {1, {16, 0, 0}, NULL}};
  for (size_t i = 0; i < sizeof k_shapes / sizeof *k_shapes; ++i) {
    pto_tensor *tensor = tensor_shaped(k_shapes[i].rank, k_shapes[i].dims[0], k_shapes[i].dims[1], k_shapes[i].dims[2]);
    assert_int_equal(pto_program_bind_tensor(CPU, program, "p", tensor), PTO_OK);
    if (k_shapes[i].text != NULL) {
      char texts[64];
      snprintf(texts, sizeof texts, "%%p|viewed as 2x8|tensor of %s", k_shapes[i].text);
      refuse_run(program, NULL, PTO_ERROR_PROGRAM, "argument-shape", "p", texts, 1);
    }
    pto_tensor_release(tensor);
  }
  mended(program);
}

static void test_rule_argument_range(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int64_t low, high;
  } k_types[] = {{"i1", 0, 1},
                 {"i8", INT8_MIN, INT8_MAX},
                 {"si8", INT8_MIN, INT8_MAX},
                 {"ui8", 0, UINT8_MAX},
                 {"i16", INT16_MIN, INT16_MAX},
                 {"i32", INT32_MIN, INT32_MAX},
                 {"ui32", 0, UINT32_MAX},
                 {"i64", INT64_MIN, INT64_MAX},
                 {"ui64", 0, INT64_MAX},
                 {"index", INT64_MIN, INT64_MAX}};
  for (size_t i = 0; i < sizeof k_types / sizeof *k_types; ++i) {
    char text[100];
    snprintf(text, sizeof text, "func.func @main(%%n: %s) {\n return\n}\n", k_types[i].type);
    pto_program *program = parsed(text);
    for (int side = 0; side < 2; ++side) {
      const int64_t last = side == 0 ? k_types[i].low : k_types[i].high;
      assert_int_equal(pto_program_bind_int(CPU, program, "n", last), PTO_OK);
      assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
      if (last == INT64_MIN || last == INT64_MAX) continue;
      const int64_t beyond = side == 0 ? last - 1 : last + 1;
      assert_int_equal(pto_program_bind_int(CPU, program, "n", beyond), PTO_OK);
      char texts[100];
      snprintf(texts, sizeof texts, "%%n|bound to %lld|range of %s: %lld to %lld", (long long)beyond, k_types[i].type,
               (long long)k_types[i].low, (long long)k_types[i].high);
      refuse_run(program, NULL, PTO_ERROR_PROGRAM, "argument-range", "n", texts, 1);
    }
    pto_program_release(program);
  }
}

static void test_rule_argument_kind(void **state) {
  (void)state;
  pto_program *program = bound();
  assert_int_equal(pto_program_bind_float(CPU, program, "n", 1), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "argument-kind", "n", "%n|an integer|a float", 1);
  assert_int_equal(pto_program_bind_int(CPU, program, "n", 1), PTO_OK);
  pto_tensor *tensor = tensor_over(PTO_DTYPE_F32, 1);
  assert_int_equal(pto_program_bind_tile(CPU, program, "p", tile_of(PTO_DTYPE_F32)), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "argument-kind", "p", "%p|a tensor|a tile", 1);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "p", tensor), PTO_OK);
  pto_tensor_release(tensor);
  EXPECT_NO_HANDLE(CPU, pto_program_arg_tile(CPU, program, NULL, 2), PTO_ERROR_PROGRAM, "argument-kind", "index", "2");
  mended(program);
}

static void test_rule_argument_type(void **state) {
  (void)state;
  pto_program *program = bound();
  pto_tensor *right = tensor_over(PTO_DTYPE_F32, 1);
  pto_tensor *wrong = tensor_over(PTO_DTYPE_I32, 1);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "p", wrong), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "argument-type", "p", "%p|f32|i32", 1);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "p", right), PTO_OK);
  assert_int_equal(pto_program_bind_tile(CPU, program, "t", tile_sized(PTO_DTYPE_F32, 8, 2)), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "argument-type", "t", "%t|2x8|8x2", 1);
  assert_int_equal(pto_program_bind_tile(CPU, program, "t", tile_sized(PTO_DTYPE_F32, 2, 8)), PTO_OK);
  pto_tensor_release(wrong);
  pto_tensor_release(right);
  mended(program);
}

static void test_rule_blocks(void **state) {
  (void)state;
  pto_program *program = bound();
  expect_error(CPU, pto_program_set_blocks(CPU, program, 0), PTO_ERROR_ARGUMENT, "blocks", "blocks", "0");
  expect_error(CPU, pto_program_set_blocks(CPU, program, -7), PTO_ERROR_ARGUMENT, "blocks", "blocks", "-7");
  mended(program); /* one block, as before */
}

static void test_rule_threads(void **state) {
  (void)state;
  pto_program *program = bound();
  expect_error(CPU, pto_program_set_threads(CPU, program, 0), PTO_ERROR_ARGUMENT, "threads", "threads", "0");
  expect_error(CPU, pto_program_set_threads(CPU, program, 1025), PTO_ERROR_ARGUMENT, "threads", "threads", "1025");
  mended(program);
}

static void test_rule_lint_check(void **state) {
  (void)state;
  pto_program *program = bound();
  static const char *const k_lists[] = {"nothing", "-unused_tile", "unused-tile,,capacity", "-"};
  for (size_t i = 0; i < sizeof k_lists / sizeof *k_lists; ++i) {
    expect_error(CPU, pto_program_lint(CPU, program, k_lists[i]), PTO_ERROR_ARGUMENT, "lint-check", "checks",
                 "no check");
  }
  assert_int_equal(pto_program_lint(CPU, program, NULL), PTO_OK);
  assert_true(pto_lint_count() >= 25);
  for (int32_t i = -1; i <= pto_lint_count(); ++i) {
    const int there = i >= 0 && i < pto_lint_count();
    assert_int_equal(pto_lint_id(i) != NULL, there);
    assert_int_equal(pto_lint_title(i) != NULL, there);
    assert_int_equal(pto_lint_why(i) != NULL, there);
    assert_int_equal(pto_lint_remedy(i) != NULL, there);
  }
  mended(program);
}

static void test_rule_copy_shape(void **state) {
  (void)state;
  static const char k_text[] =
      "func.func @main(%v: !pto.tensor_view<?x8xf32>, %n: index) {\n"
      "%c0 = arith.constant 0 : index\n%c8 = arith.constant 8 : index\n"
      "%w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%n, %c8] : !pto.tensor_view<?x8xf32> -> "
      "!pto.partition_tensor_view<?x8xf32>\n"
      "%s = pto.build_async_session(%v, %v : !pto.tensor_view<?x8xf32>, !pto.tensor_view<?x8xf32>) -> "
      "!pto.async_session\n"
      "%e = pto.tput_async(%v, %w, %s : !pto.tensor_view<?x8xf32>, !pto.partition_tensor_view<?x8xf32>, "
      "!pto.async_session) -> !pto.async_event\nreturn\n}\n";
  pto_program *program = parsed(k_text);
  pto_tensor *tensor = tensor_over(PTO_DTYPE_F32, 2);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "v", tensor), PTO_OK);
  assert_int_equal(pto_program_bind_int(CPU, program, "n", 1), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "copy-shape", "", "1x8 of f32|2x8 of f32", 6);
  assert_int_equal(pto_program_bind_int(CPU, program, "n", 2), PTO_OK);
  assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
  pto_tensor_release(tensor);
  pto_program_release(program);
}

static void test_rule_limit(void **state) {
  (void)state;
  pto_program *program = bound();
  expect_error(CPU, pto_program_limit_steps(CPU, program, 0), PTO_ERROR_ARGUMENT, "limit", "steps", "0");
  expect_error(CPU, pto_program_limit_bytes(CPU, program, -5), PTO_ERROR_ARGUMENT, "limit", "bytes", "-5");
  expect_error(CPU, pto_program_limit_time(CPU, program, 0), PTO_ERROR_ARGUMENT, "limit", "milliseconds", "0");
  mended(program); /* the limits are as before */
}

static void test_rule_step_limit(void **state) {
  (void)state;
  ends(HEAD " %n = arith.constant 5001 : index\n scf.for %i = %c0 to %n step %c1 {\n }\n" TAIL, "step-limit",
       "r.pto:6:|5000", 6);
}

static void test_rule_byte_limit(void **state) {
  (void)state;
  ends(HEAD " %t = pto.alloc_tile : !pto.tile_buf<vec, 1024x512xf32>\n" TAIL, "byte-limit", "2097664|1048576", 5);
}

static void test_rule_time_limit(void **state) {
  (void)state;
  pto_program *program = parsed(HEAD
                                " %n = arith.constant 9000000000000000000 : index\n"
                                " scf.for %i = %c0 to %n step %c1 {\n }\n" TAIL);
  assert_int_equal(pto_program_limit_steps(CPU, program, INT64_MAX), PTO_OK);
  assert_int_equal(pto_program_limit_time(CPU, program, 5), PTO_OK);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "time-limit", "", "r.pto:6:|5 milliseconds", 6);
  pto_program_release(program);
}

static void test_rule_stopped(void **state) {
  (void)state;
  pto_program *program = bound();
  pto_program_stop(program);
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, "stopped", "", "r.pto:1:|stop", 1);
  mended(program);
}

static void test_rule_call_depth(void **state) {
  (void)state;
  /* 70 functions; each calls the next. */
  char text[70 * 80];
  size_t at = 0;
  for (int i = 0; i < 70; ++i) {
    const int n = i < 69 ? snprintf(text + at, sizeof text - at,
                                    "func.func @f%d()%s {\n func.call @f%d() : () -> ()\n return\n}\n", i,
                                    i == 0 ? " attributes {pto.entry}" : "", i + 1)
                         : snprintf(text + at, sizeof text - at, "func.func @f%d() {\n return\n}\n", i);
    at += (size_t)n;
  }
  ends(text, "call-depth", "@f65|64", 4 * 64 + 2);
}

static void test_rule_unassigned(void **state) {
  (void)state;
  /* %d is given on a way that the run does not take. */
  ends(
      "%z = arith.constant false\n%a = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\nscf.if %z {\n"
      "pto.trsqrt ins(%a : !pto.tile_buf<vec, 2x8xf32>) outs(%d : !pto.tile_buf<vec, 2x8xf32>)\n}\n"
      "pto.tprint ins(%d : !pto.tile_buf<vec, 2x8xf32>)\n",
      "unassigned", "%d|nothing|a tile", 6);
}

static void test_rule_division_by_zero(void **state) {
  (void)state;
  ends(HEAD " %q = arith.divsi %c9, %c0 : index\n" TAIL, "division-by-zero", "9 is divided", 5);
  ends(HEAD " %q = arith.remui %c9, %c0 : index\n" TAIL, "division-by-zero", "9 is divided", 5);
}

static void test_rule_loop_step(void **state) {
  (void)state;
  ends(HEAD " scf.for %i = %c0 to %c9 step %c0 {\n }\n" TAIL, "loop-step", "step is 0", 5);
  ends(HEAD " %m = arith.subi %c0, %c9 : index\n scf.for %i = %c9 to %c0 step %m {\n }\n" TAIL, "loop-step",
       "step is -9", 6);
}

/* A load of the vector level from UB, at an index. */
#define VECTOR_LOAD(at)                                          \
  HEAD " %z = arith.constant 0 : i64\n %at = arith.constant " at \
       " : index\n"                                              \
       " %p = pto.castptr %z : i64 -> !pto.ptr<f32, ub>\n"       \
       " %v = pto.vlds %p[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n" TAIL

static void test_rule_profile_level(void **state) {
  (void)state;
  pto_program *program = parsed(VECTOR_LOAD("0"));
  assert_int_equal(pto_program_check(CPU, program), PTO_OK);
  assert_int_equal(pto_program_check(A5, program), PTO_OK);
  assert_int_equal(pto_program_check(A2A3, program), PTO_ERROR_PROGRAM);
  assert_int_equal(pto_program_diagnostic_count(program), 1);
  assert_string_equal(pto_program_diagnostic_rule(program, 0), "profile-level");
  assert_int_equal(pto_program_diagnostic_line(program, 0), 8);
  pto_program_release(program);
}

static void test_rule_memory_range(void **state) {
  (void)state;
  ends(VECTOR_LOAD("1099511627776"), "memory-range", "256 bytes at 4398046511104", 8);
  ends(VECTOR_LOAD("-1"), "memory-range", "4 too many", 8);
}

static void test_rule_vector_align(void **state) {
  (void)state;
  /* Constants that the check knows are refused by it. */
  pto_program *program = parsed(VECTOR_LOAD("9"));
  assert_int_equal(pto_program_check(A5, program), PTO_ERROR_PROGRAM);
  assert_string_equal(pto_program_diagnostic_rule(program, 0), "vector-align");
  pto_program_release(program);
  program = parsed(HEAD
                   " %z = pto.get_block_idx\n %nine = arith.constant 9 : index\n"
                   " %p = pto.castptr %z : i64 -> !pto.ptr<f32, ub>\n"
                   " %v = pto.vlds %p[%nine] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n" TAIL);
  assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
  expect_error(A5, pto_program_run(A5, program, NULL), PTO_ERROR_PROGRAM, "vector-align", "",
               "36 is not a multiple of 32");
  assert_int_equal(pto_program_diagnostic_line(program, 0), 8);
  pto_program_release(program);
}

#define SIMT_LAUNCH(body, items)                                                                  \
  "func.func @f(%b: i1) attributes {pto.simt_entry} {\n%x = pto.get_tid_x : i32\n" body           \
  "return\n}\nfunc.func @main() attributes {pto.aicore} {\n%a = arith.constant " items            \
  " : i32\n%o = arith.constant 1 : i32\n%z = arith.addi %a, %o : i32\n%b = arith.constant true\n" \
  "pto.simt_launch @f<<<%z, %o, %o>>>(%b) : (i1) -> ()\nreturn\n}\n"

static void test_rule_simt_launch(void **state) {
  (void)state;
  ends(SIMT_LAUNCH("", "2048"), "simt-launch", "2049 x 1 x 1 work items, where @f runs as 1 to 2048", 10);
  ends(SIMT_LAUNCH("", "-1"), "simt-launch", "0 x 1 x 1 work items", 10);
}

static void test_rule_simt_divergence(void **state) {
  (void)state;
  ends(SIMT_LAUNCH("%y = arith.trunci %x : i32 to i1\nscf.if %y {\n%v = pto.vote_any %b : i1 -> i1\n}\n", "40"),
       "simt-divergence", "vote_any is reached by a part of the work items 0 to 31; 0 is not among them", 5);
}

static void test_rule_window(void **state) {
  (void)state;
  static const char k_text[] =
      "func.func @main(%v: !pto.tensor_view<?x8xf32>, %at: index) {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n"
      "%w = pto.partition_view %v, offsets = [%at, %c0], sizes = [%c1, %c8] : !pto.tensor_view<?x8xf32> -> "
      "!pto.partition_tensor_view<1x8xf32>\nreturn\n}\n";
  pto_program *program = parsed(k_text);
  pto_tensor *tensor = tensor_over(PTO_DTYPE_F32, 2);
  assert_int_equal(pto_program_bind_tensor(CPU, program, "v", tensor), PTO_OK);
  static const int64_t k_wrong[] = {2, -1, INT64_MAX, INT64_MIN};
  static const char *const k_said[] = {"from 2 on|of 2", "from -1 on", "9223372036854775807", "-9223372036854775808"};
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(pto_program_bind_int(CPU, program, "at", k_wrong[i]), PTO_OK);
    refuse_run(program, NULL, PTO_ERROR_PROGRAM, "window", "", k_said[i], 5);
  }
  assert_int_equal(pto_program_bind_int(CPU, program, "at", 1), PTO_OK);
  assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
  pto_tensor_release(tensor);
  pto_program_release(program);
}

static void test_rule_unsupported(void **state) {
  (void)state;
  ends(HEAD " %e = pto.declare_eventid_array -> !pto.eventid_array<4097>\n" TAIL, "unsupported", "4097 events", 5);
  pto_program *program = parsed(HEAD " %e = pto.declare_eventid_array -> !pto.eventid_array<4096>\n" TAIL);
  assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
  pto_program_release(program);
  program = parsed(HEAD " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf64>\n" TAIL);
  expect_error(CPU, pto_program_check(CPU, program), PTO_ERROR_PROGRAM, "unsupported", "", "tiles of f64");
  assert_int_equal(pto_program_diagnostic_count(program), 1);
  pto_program_release(program);
}

static void test_rule_trap(void **state) {
  (void)state;
  ends(HEAD " pto.trap\n" TAIL, "trap", "pto.trap", 5);
}

const struct CMUnitTest k_program_rules[] = {
    RULE_TEST(test_rule_program_errors),   RULE_TEST(test_rule_unknown_entry),   RULE_TEST(test_rule_argument_name),
    RULE_TEST(test_rule_unbound_argument), RULE_TEST(test_rule_output_part),     RULE_TEST(test_rule_argument_kind),
    RULE_TEST(test_rule_argument_type),    RULE_TEST(test_rule_argument_shape),  RULE_TEST(test_rule_argument_range),
    RULE_TEST(test_rule_blocks),           RULE_TEST(test_rule_threads),         RULE_TEST(test_rule_lint_check),
    RULE_TEST(test_rule_copy_shape),       RULE_TEST(test_rule_limit),           RULE_TEST(test_rule_step_limit),
    RULE_TEST(test_rule_byte_limit),       RULE_TEST(test_rule_time_limit),      RULE_TEST(test_rule_stopped),
    RULE_TEST(test_rule_call_depth),       RULE_TEST(test_rule_unassigned),      RULE_TEST(test_rule_division_by_zero),
    RULE_TEST(test_rule_loop_step),        RULE_TEST(test_rule_window),          RULE_TEST(test_rule_unsupported),
    RULE_TEST(test_rule_profile_level),    RULE_TEST(test_rule_memory_range),    RULE_TEST(test_rule_vector_align),
    RULE_TEST(test_rule_simt_launch),      RULE_TEST(test_rule_simt_divergence), RULE_TEST(test_rule_trap),
};
const int k_program_rule_count = (int)(sizeof k_program_rules / sizeof *k_program_rules);
