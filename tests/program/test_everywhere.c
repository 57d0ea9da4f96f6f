/* A program of every kind of statement ends in order wherever it is ended: after each number of steps, at each number
 * of bytes, and it ends as if nothing had been, when it is run again without the limit. */
#include <stdio.h>

#include "../tensor/tensor_help.h"

static char *g_text;

typedef struct {
  pto_context *ctx;
  pto_program *program;
  float memory[64];
} run;

static void begin(run *r) {
  r->ctx = context(PTO_PROFILE_CPU);
  r->program = pto_program_parse(r->ctx, g_text, (int64_t)strlen(g_text), NULL);
  for (int i = 0; i < 64; ++i) r->memory[i] = (float)(1 + i);
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 8, 8);
  pto_tensor *tensor = pto_tensor_wrap(r->ctx, &desc, r->memory, sizeof r->memory);
  assert_non_null(tensor);
  assert_int_equal(pto_program_bind_tensor(r->ctx, r->program, "p", tensor), PTO_OK);
  assert_int_equal(pto_program_bind_int(r->ctx, r->program, "n", 3), PTO_OK);
  assert_int_equal(pto_program_bind_float(r->ctx, r->program, "s", 1), PTO_OK);
  assert_int_equal(pto_program_set_blocks(r->ctx, r->program, 2), PTO_OK);
  pto_tensor_release(tensor);
}

static void end(run *r) {
  pto_program_release(r->program);
  pto_context_release(r->ctx);
}

/* The whole output, and the number of steps. */
static char *whole(int64_t *steps) {
  run r;
  begin(&r);
  if (pto_program_run(r.ctx, r.program, NULL) != PTO_OK) fail_msg("%s", pto_context_error_message(r.ctx));
  *steps = pto_program_steps(r.program);
  const size_t size = strlen(pto_program_output(r.program)) + 1;
  char *output = malloc(size);
  assert_non_null(output);
  memcpy(output, pto_program_output(r.program), size);
  end(&r);
  return output;
}

/* Ended by this rule, after a part of what it prints; and the program is good for another run. */
static void ended(run *r, const char *rule, const char *output) {
  assert_rule(r->ctx, PTO_ERROR_PROGRAM, rule, "");
  const char *said = pto_program_output(r->program);
  assert_int_equal(strncmp(said, output, strlen(said)), 0);
  assert_int_equal(pto_program_limit_steps(r->ctx, r->program, 1000000), PTO_OK);
  assert_int_equal(pto_program_limit_bytes(r->ctx, r->program, 1 << 24), PTO_OK);
  for (int i = 0; i < 64; ++i) r->memory[i] = (float)(1 + i);
  assert_int_equal(pto_program_run(r->ctx, r->program, NULL), PTO_OK);
  assert_string_equal(pto_program_output(r->program), output);
}

static void after_each_step(void **state) {
  (void)state;
  int64_t steps = 0;
  char *output = whole(&steps);
  const int64_t alive = pto_live_handles();
  assert_true(steps > 100);
  for (int32_t trace = 0; trace < 2; ++trace) {
    for (int64_t limit = 1; limit < steps; ++limit) {
      run r;
      begin(&r);
      assert_int_equal(pto_program_limit_steps(r.ctx, r.program, limit), PTO_OK);
      assert_int_equal(pto_program_set_trace(r.ctx, r.program, trace), PTO_OK);
      assert_int_not_equal(pto_program_run(r.ctx, r.program, NULL), PTO_OK);
      assert_int_equal(pto_program_steps(r.program), limit);
      ended(&r, "step-limit", output);
      assert_int_equal(pto_program_steps(r.program), steps);
      end(&r);
    }
  }
  assert_int_equal(pto_live_handles(), alive);
  free(output);
}

static void at_each_byte(void **state) {
  (void)state;
  int64_t steps = 0;
  char *output = whole(&steps);
  const int64_t alive = pto_live_handles();
  int ends = 0;
  for (int64_t limit = 1;; limit += 16) {
    run r;
    begin(&r);
    assert_int_equal(pto_program_limit_bytes(r.ctx, r.program, limit), PTO_OK);
    assert_int_equal(pto_program_set_trace(r.ctx, r.program, 1), PTO_OK);
    const int good = pto_program_run(r.ctx, r.program, NULL) == PTO_OK;
    if (!good) ended(&r, "byte-limit", output);
    end(&r);
    if (good) break;
    ++ends;
    assert_true(limit < 1 << 20);
  }
  assert_true(ends > 40);
  assert_int_equal(pto_live_handles(), alive);
  free(output);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(after_each_step), cmocka_unit_test(at_each_byte)};
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  g_text = calloc(1, 1 << 16);
  if (g_text == NULL || fread(g_text, 1, (1 << 16) - 1, file) == 0 || fclose(file) != 0) return 2;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(g_text);
  return failed;
}
