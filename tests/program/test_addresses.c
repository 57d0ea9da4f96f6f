/* Arguments that are bound to addresses, whose memory has no known length; kernels and flags that are made of programs.
 */
#include <stdlib.h>

#include "program_help.h"

#define VIEW "!pto.tensor_view<2x8xf32>"
#define TILE "!pto.tile_buf<vec, 2x8xf32>"
/* y = x + x, for a view of 2x8 from the third element on. */
#define DOUBLE                                                                                                         \
  "func.func @twice(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {\n"                                                         \
  " %c1 = arith.constant 1 : index\n %c2 = arith.constant 2 : index\n %c8 = arith.constant 8 : index\n"                \
  " %b = arith.constant 0 : i64\n %p = pto.addptr %x, %c2 : !pto.ptr<f32> -> !pto.ptr<f32>\n"                          \
  " %vx = pto.make_tensor_view %p, shape = [%c2, %c8], strides = [%c8, %c1] : " VIEW                                   \
  "\n %vy = pto.make_tensor_view %y, shape = [%c2, %c8], strides = [%c8, %c1] : " VIEW                                 \
  "\n %t = pto.alloc_tile addr = %b : " TILE "\n pto.tload ins(%vx : " VIEW ") outs(%t : " TILE                        \
  ")\n pto.tadd ins(%t, %t : " TILE ", " TILE ") outs(%t : " TILE ")\n pto.tstore ins(%t : " TILE ") outs(%vy : " VIEW \
  ")\n return\n}\n"

static int64_t address(const void *memory) { return (int64_t)(intptr_t)memory; }

/* The latest call was refused. */
static void refused(const pto_context *ctx, const char *rule, const char *operand, const char *text) {
  assert_string_equal(pto_context_error_rule(ctx), rule);
  assert_string_equal(pto_context_error_operand(ctx), operand);
  if (strstr(pto_context_error_message(ctx), text) == NULL) fail_msg("%s", pto_context_error_message(ctx));
}

static void expect_run(pto_context *ctx, pto_program *program, const char *rule, const char *text) {
  assert_int_not_equal(pto_program_run(ctx, program, NULL), PTO_OK);
  assert_string_equal(pto_context_error_rule(ctx), rule);
  if (strstr(pto_context_error_message(ctx), text) == NULL) fail_msg("%s", pto_context_error_message(ctx));
}

/* Views are the bounds, also after pointer arithmetic. The pointer's type gives the type of elements. */
static void pointers(void **state) {
  (void)state;
  float x[18];
  float y[17];
  for (int i = 0; i < 18; ++i) x[i] = (float)i;
  y[16] = -1;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, DOUBLE);
  assert_ok(ctx, pto_program_bind_address(ctx, program, "x", address(x)));
  assert_ok(ctx, pto_program_bind_address(ctx, program, "1", address(y)));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 3));
  assert_ok(ctx, pto_program_set_threads(ctx, program, 2));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  for (int i = 0; i < 16; ++i) assert_true(y[i] == (float)(2 * (i + 2)));
  assert_true(y[16] == -1);
  /* Memory of unknown length cannot be an output, and a binding is taken back by no address. */
  assert_int_equal(pto_program_set_output(ctx, program, "x", 1), PTO_ERROR_PROGRAM);
  refused(ctx, "argument-kind", "arg", "pointer");
  assert_ok(ctx, pto_program_bind_address(ctx, program, "x", 0));
  expect_run(ctx, program, "unbound-argument", "%x");
  /* As a tensor would have to be. */
  assert_ok(ctx, pto_program_bind_address(ctx, program, "x", address(x) + 1));
  expect_run(ctx, program, "argument-type", "aligned");
  pto_program_release(program);
  pto_context_release(ctx);
}

/* A view takes the memory that its type describes. */
static void views(void **state) {
  (void)state;
  float x[19];
  for (int i = 0; i < 19; ++i) x[i] = (float)i;
  pto_context *ctx = context(PTO_PROFILE_CPU);
#define LOAD(type)                                                                                                    \
  "func.func @main(%v: " type ") {\n %t = pto.alloc_tile : " TILE "\n pto.tload ins(%v : " type ") outs(%t : " TILE   \
  ")\n pto.tadd ins(%t, %t : " TILE ", " TILE ") outs(%t : " TILE ")\n pto.tstore ins(%t : " TILE ") outs(%v : " type \
  ")\n return\n}\n"
  pto_program *program = parse(ctx, LOAD("memref<2x8xf32, strided<[11, 1]>>"));
  assert_ok(ctx, pto_program_bind_address(ctx, program, "v", address(x)));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  for (int i = 0; i < 19; ++i) assert_true(x[i] == (float)(i >= 8 && i < 11 ? i : 2 * i));
  pto_program_release(program);
  program = parse(ctx, LOAD("!pto.tensor_view<?x8xf32>"));
  assert_ok(ctx, pto_program_bind_address(ctx, program, "v", address(x)));
  expect_run(ctx, program, "argument-shape", "%v");
  pto_program_release(program);
  program = parse(ctx, "func.func @main(%n: index, %t: " TILE ") {\n return\n}\n");
  assert_ok(ctx, pto_program_bind_address(ctx, program, "n", address(x)));
  expect_run(ctx, program, "argument-kind", "%n takes an integer");
  assert_ok(ctx, pto_program_bind_int(ctx, program, "n", 1));
  assert_ok(ctx, pto_program_bind_address(ctx, program, "t", address(x)));
  expect_run(ctx, program, "argument-kind", "%t takes a tile");
  pto_program_release(program);
  pto_context_release(ctx);
}

static void kernels(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_A5);
  pto_program *program = parse(ctx, DOUBLE);
  const char *text = pto_program_kernels(ctx, program, "/lib/libpto.so");
  assert_non_null(text);
  assert_non_null(strstr(text, "\n__global__ AICORE void twice(__gm__ float* arg0, __gm__ float* arg1) {\n"));
  assert_non_null(strstr(text, "\"/lib/libpto.so\""));
  assert_non_null(strstr(text, "kProfile = 2;"));
  pto_program_release(program);
  program = parse(ctx, "func.func @f(%t: " TILE ") {\n return\n}\n");
  assert_null(pto_program_kernels(ctx, program, NULL));
  refused(ctx, "unknown-entry", "program", "public function");
  pto_program_release(program);
  program = parse(ctx, "func.func @f() {\n pto.none\n}\n");
  assert_null(pto_program_kernels(ctx, program, NULL));
  refused(ctx, "program-errors", "", "");
  pto_program_release(program);
  pto_context_release(ctx);
}

static int count(const char *text, const char *word) {
  int found = 0;
  for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) ++found;
  return found;
}

static void flags(void **state) {
  (void)state;
  float x[18] = {0};
  float y[16];
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, DOUBLE);
  assert_null(pto_program_fix_sync(ctx, program, NULL));
  refused(ctx, "unbound-argument", "x", "%x");
  assert_ok(ctx, pto_program_bind_address(ctx, program, "x", address(x)));
  assert_ok(ctx, pto_program_bind_address(ctx, program, "y", address(y)));
  const char *fixed = pto_program_fix_sync(ctx, program, NULL);
  assert_non_null(fixed);
  assert_int_equal(pto_program_diagnostic_count(program), 0);
  assert_int_equal(count(fixed, "pto.set_flag["), 2);
  assert_int_equal(count(fixed, "pto.wait_flag["), 2);
  /* Fixed programs need nothing more. */
  pto_program *again = parse(ctx, fixed);
  pto_program_release(program);
  assert_ok(ctx, pto_program_bind_address(ctx, again, "x", address(x)));
  assert_ok(ctx, pto_program_bind_address(ctx, again, "y", address(y)));
  fixed = pto_program_fix_sync(ctx, again, "twice");
  assert_non_null(fixed);
  assert_int_equal(count(fixed, "pto.set_flag["), 2);
  pto_program_release(again);
  pto_context_release(ctx);
}

/* A run that is one core of a launcher's. */
static void cores(void **state) {
  (void)state;
  static const struct {
    int32_t block, blocks, lane;
    const char *operand; /* at fault, or NULL */
    const char *prints;
  } k_cores[] = {{0, 1, 0, NULL, "0 1 0"}, {5, 8, 1, NULL, "5 8 1"},
                 {0, 0, 0, "block", ""},   {8, 8, 0, "block", ""},
                 {-1, 8, 0, "block", ""},  {0, 1, 2, "lane", ""},
                 {0, 1, -1, "lane", ""},   {INT32_MAX, INT32_MAX, 0, "block", ""}};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(
      ctx,
      "func.func @main() {\n %b = pto.get_block_idx\n %n = pto.get_block_num\n %l = pto.get_subblock_idx\n"
      " pto.print ins(\"%d \", %b : i64)\n pto.print ins(\"%d \", %n : i64)\n pto.print ins(\"%d\", %l : i64)\n" TAIL);
  for (size_t i = 0; i < sizeof k_cores / sizeof *k_cores; ++i) {
    const pto_status status = pto_program_set_core(ctx, program, k_cores[i].block, k_cores[i].blocks, k_cores[i].lane);
    if (k_cores[i].operand != NULL) {
      assert_int_equal(status, PTO_ERROR_ARGUMENT);
      refused(ctx, "blocks", k_cores[i].operand, k_cores[i].operand);
      continue;
    }
    assert_ok(ctx, status);
    assert_ok(ctx, pto_program_run(ctx, program, NULL));
    int64_t got[3];
    const char *at = pto_program_output(program);
    for (int k = 0; k < 3; ++k) {
      char *end = NULL;
      got[k] = strtol(at, &end, 10);
      at = end;
    }
    char text[64];
    snprintf(text, sizeof text, "%d %d %d", (int)got[0], (int)got[1], (int)got[2]);
    assert_string_equal(text, k_cores[i].prints);
  }
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pointers), cmocka_unit_test(views), cmocka_unit_test(kernels),
                                     cmocka_unit_test(flags), cmocka_unit_test(cores)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
