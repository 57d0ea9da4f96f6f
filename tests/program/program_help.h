/* Programs as strings: what they print, and by which rule they end. For one source file each: everything is static. */
#ifndef PTO_TESTS_PROGRAM_PROGRAM_HELP_H_
#define PTO_TESTS_PROGRAM_PROGRAM_HELP_H_

#include <stdio.h>

#include "../tensor/tensor_help.h"

#define HEAD                                                                                                          \
  "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c4 = arith.constant 4 : " \
  "index\n %a64 = arith.constant 64 : i64\n"
#define TAIL " return\n}\n"
#define SHOW(v) " pto.print ins(\"%d\", " v " : i64)\n"
#define SHOW32(v) " pto.print ins(\"%d\", " v " : i32)\n"
#define T8 "!pto.tile_buf<vec, 1x8xi32>" /* a tile of a row */

static inline pto_program *parse(pto_context *ctx, const char *text) {
  pto_program *program = pto_program_parse(ctx, text, (int64_t)strlen(text), "t.pto");
  assert_non_null(program);
  return program;
}

static inline void explain(const pto_context *ctx, const pto_program *program, const char *text) {
  const int32_t n = pto_program_diagnostic_count(program);
  fail_msg("%s\n%s\n%s", pto_context_error_message(ctx), n == 0 ? "" : pto_program_diagnostic_text(program, n - 1),
           text);
}

/* The program runs and prints this. */
static inline void prints(const char *text, const char *want) {
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, text);
  assert_string_equal(pto_program_output(program), want);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Diagnostics are for who wrote the text: they name nothing of C, and no place in memory. */
static inline void speaks_pto_as(const pto_program *program) {
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
    const char *said[2] = {pto_program_diagnostic_message(program, i), pto_program_diagnostic_remedy(program, i)};
    for (int k = 0; k < 2; ++k) {
      if (strstr(said[k], "pto_") != NULL || strstr(said[k], "PTO_") != NULL || strstr(said[k], " at 0x") != NULL)
        fail_msg("%s", said[k]);
    }
  }
}

/* The run ends early by this rule, on this line. */
static inline void ends(const char *text, const char *rule, int line) {
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_limit_steps(ctx, program, 10000));
  assert_ok(ctx, pto_program_limit_bytes(ctx, program, 1 << 20));
  const pto_status status = pto_program_run(ctx, program, NULL);
  assert_int_not_equal(status, PTO_OK);
  assert_true(pto_program_steps(program) <= 10000);
  assert_int_equal(status, pto_context_error(ctx));
  assert_string_equal(pto_context_error_rule(ctx), rule);
  const int32_t last = pto_program_diagnostic_count(program) - 1;
  assert_true(last >= 0);
  assert_string_equal(pto_program_diagnostic_rule(program, last), rule);
  assert_int_equal(pto_program_diagnostic_error(program, last), 1);
  assert_true(strlen(pto_program_diagnostic_remedy(program, last)) > 10);
  if (line > 0) assert_int_equal(pto_program_diagnostic_line(program, last), line);
  speaks_pto_as(program);
  pto_program_release(program);
  pto_context_release(ctx);
}

#endif /* PTO_TESTS_PROGRAM_PROGRAM_HELP_H_ */
