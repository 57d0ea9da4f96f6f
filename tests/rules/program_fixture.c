#include "program_fixture.h"

#include <string.h>

#include "fixture.h"

pto_program *parsed(const char *text) {
  pto_program *program = pto_program_parse(CPU, text, (int64_t)strlen(text), "r.pto");
  if (program == NULL) fail_msg("%s", pto_context_error_message(CPU));
  return program;
}

void refuse_run(pto_program *program, const char *entry, pto_status want, const char *rule, const char *operand,
                const char *texts, int line) {
  expect_error(CPU, pto_program_run(CPU, program, entry), want, rule, operand, texts);
  const int32_t count = pto_program_diagnostic_count(program);
  if (line == 0) {
    assert_int_equal(count, 0);
    return;
  }
  assert_int_equal(count, 1);
  assert_int_equal(pto_program_diagnostic_error(program, 0), 1);
  assert_int_equal(pto_program_diagnostic_line(program, 0), line);
  assert_true(pto_program_diagnostic_column(program, 0) >= 1);
  assert_non_null(strstr(pto_context_error_message(CPU), pto_program_diagnostic_message(program, 0)));
  assert_non_null(strchr(pto_program_diagnostic_excerpt(program, 0), '^'));
  assert_non_null(strstr(pto_program_diagnostic_text(program, 0), "r.pto:"));
  assert_true(strlen(pto_program_diagnostic_remedy(program, 0)) > 10);
  if (strcmp(rule, "program-errors") == 0) return;
  assert_string_equal(pto_program_diagnostic_rule(program, 0), rule);
  assert_string_equal(pto_program_diagnostic_remedy(program, 0), pto_context_error_remedy(CPU));
}

void ends(const char *text, const char *rule, const char *texts, int line) {
  pto_program *program = parsed(text);
  assert_int_equal(pto_program_limit_steps(CPU, program, 5000), PTO_OK);
  assert_int_equal(pto_program_limit_bytes(CPU, program, 1 << 20), PTO_OK);
  if (pto_program_check(CPU, program) != PTO_OK) fail_msg("not run: %s", pto_context_error_message(CPU));
  refuse_run(program, NULL, PTO_ERROR_PROGRAM, rule, "", texts, line);
  pto_program_release(program);
}

float g_memory[16];

pto_tensor *tensor_over(pto_dtype dtype, int32_t rank) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = rank;
  desc.dim0 = rank == 1 ? 16 : 2;
  desc.dim1 = rank == 1 ? 0 : 8;
  pto_tensor *tensor = pto_tensor_wrap(CPU, &desc, g_memory, sizeof g_memory);
  if (tensor == NULL) fail_msg("%s", pto_context_error_message(CPU));
  return tensor;
}
