/*
 * test_bad_programs.c: every function of programs with NULL, indices and numbers that
 * nothing has, unknown names and text of any bytes. Each returns and keeps nothing.
 * tests/abi holds the list of prototypes against this file and test_bad_arguments.c.
 */
#include <string.h>

#include "expect.h"
#include "profiles.h"
#include "testing.h"

static const int32_t k_indices[] = {-1, 1, 4, 1000, INT32_MIN, INT32_MAX};
enum { k_index_count = sizeof k_indices / sizeof *k_indices };

static const char k_good[] = "func.func @main(%n: i64) {\n  return\n}\n";

static pto_context *g_ctx;
static pto_program *g_program;
static int64_t g_handles;

static int set_up(void **state) {
  (void)state;
  g_handles = pto_live_handles();
  g_ctx = pto_context_create(PTO_PROFILE_CPU);
  g_program = pto_program_parse(g_ctx, k_good, (int64_t)strlen(k_good), NULL);
  return g_program != NULL && pto_program_diagnostic_count(g_program) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  pto_program_release(g_program);
  pto_context_release(g_ctx);
  return pto_live_handles() == g_handles ? 0 : -1;
}

static void test_null_context(void **state) {
  (void)state;
  assert_null(pto_program_parse(NULL, k_good, 1, NULL));
  assert_null(pto_program_parse(NULL, NULL, -1, NULL));
  pto_tile *tile = pto_tile_create(g_ctx, PTO_DTYPE_F32, 1, 8);
  pto_program *const programs[] = {NULL, g_program};
  for (int i = 0; i < 2; ++i) {
    pto_program *p = programs[i];
    assert_int_equal(pto_program_check(NULL, p), PTO_ERROR_NULL);
    assert_int_equal(pto_program_lint(NULL, p, NULL), PTO_ERROR_NULL);
    assert_int_equal(pto_program_run(NULL, p, "main"), PTO_ERROR_NULL);
    assert_int_equal(pto_program_bind_tensor(NULL, p, "n", NULL), PTO_ERROR_NULL);
    assert_int_equal(pto_program_bind_tile(NULL, p, "n", tile), PTO_ERROR_NULL);
    assert_int_equal(pto_program_bind_int(NULL, p, "n", 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_bind_address(NULL, p, "n", 64), PTO_ERROR_NULL);
    assert_int_equal(pto_program_bind_float(NULL, p, "n", 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_bind_decimal(NULL, p, "n", "1"), PTO_ERROR_NULL);
    assert_int_equal(pto_program_limit_steps(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_limit_time(NULL, p, 1), PTO_ERROR_NULL);
    pto_program_stop(NULL);
    pto_program_forget_stop(NULL);
    assert_int_equal(pto_program_limit_bytes(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_limit_time(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_blocks(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_threads(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_core(NULL, p, 0, 1, 0), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_sync(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_poison(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_slack(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_world(NULL, p, NULL), PTO_ERROR_NULL);
    assert_int_equal(pto_program_bind_on(NULL, p, -1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_schedule(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_late_data(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_trace(NULL, p, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_set_output(NULL, p, "n", 1), PTO_ERROR_NULL);
    assert_null(pto_program_trace(NULL, p));
    assert_null(pto_program_trace_part(NULL, p, 0, 1));
    assert_null(pto_program_report(NULL, p));
    assert_int_equal(pto_program_mark(NULL, p, 0, "note"), PTO_ERROR_NULL);
    assert_int_equal(pto_program_record(NULL, p, PTO_RECORD_TIMES, 1), PTO_ERROR_NULL);
    assert_int_equal(pto_program_read_events(NULL, p, PTO_EVENT_PART_EVENTS, 0, 1, NULL, 0), PTO_ERROR_NULL);
    assert_null(pto_program_tile(NULL, p, "n"));
    assert_null(pto_program_print(NULL, p, PTO_FORM_KEEP));
    assert_null(pto_program_kernels(NULL, p, NULL));
    assert_null(pto_program_fix_sync(NULL, p, NULL));
    assert_null(pto_program_arg_tile(NULL, p, NULL, 0));
  }
  pto_tile_release(tile);
}

/* An index that is out of range is returned with nothing. */
static void test_no_such_lint(void **state) {
  (void)state;
  const int32_t k_none[] = {-1, pto_lint_count(), INT32_MIN, INT32_MAX};
  for (int i = 0; i < 4; ++i) {
    assert_null(pto_lint_id(k_none[i]));
    assert_null(pto_lint_title(k_none[i]));
    assert_null(pto_lint_why(k_none[i]));
    assert_null(pto_lint_remedy(k_none[i]));
  }
}

static void test_null_program(void **state) {
  (void)state;
  pto_context *c = g_ctx;
#define REFUSED(call) expect_error(c, call, PTO_ERROR_NULL, "null", "program", "NULL")
#define NOTHING(call) EXPECT_NO_HANDLE(c, call, PTO_ERROR_NULL, "null", "program", "NULL")
  REFUSED(pto_program_check(c, NULL));
  REFUSED(pto_program_lint(c, NULL, "nothing"));
  REFUSED(pto_program_run(c, NULL, NULL));
  REFUSED(pto_program_bind_tensor(c, NULL, NULL, NULL));
  REFUSED(pto_program_bind_tile(c, NULL, NULL, NULL));
  REFUSED(pto_program_bind_int(c, NULL, NULL, 0));
  REFUSED(pto_program_bind_address(c, NULL, NULL, 0));
  REFUSED(pto_program_bind_float(c, NULL, NULL, 0));
  REFUSED(pto_program_bind_decimal(c, NULL, NULL, NULL));
  REFUSED(pto_program_limit_steps(c, NULL, -1));
  REFUSED(pto_program_limit_bytes(c, NULL, -1));
  REFUSED(pto_program_limit_time(c, NULL, -1));
  REFUSED(pto_program_set_blocks(c, NULL, -1));
  REFUSED(pto_program_set_threads(c, NULL, -1));
  REFUSED(pto_program_set_core(c, NULL, -1, 0, 7));
  REFUSED(pto_program_set_sync(c, NULL, 1));
  REFUSED(pto_program_set_poison(c, NULL, 1));
  REFUSED(pto_program_set_slack(c, NULL, -1));
  REFUSED(pto_program_set_world(c, NULL, NULL));
  REFUSED(pto_program_bind_on(c, NULL, 0));
  REFUSED(pto_program_set_schedule(c, NULL, 1));
  REFUSED(pto_program_set_late_data(c, NULL, 1));
  REFUSED(pto_program_set_trace(c, NULL, -1));
  REFUSED(pto_program_record(c, NULL, PTO_RECORD_TILES, -1));
  REFUSED(pto_program_read_events(c, NULL, PTO_EVENT_PART_EVENTS, -1, -1, NULL, 8));
  REFUSED(pto_program_set_output(c, NULL, "n", 1));
  NOTHING(pto_program_trace(c, NULL));
  NOTHING(pto_program_trace_part(c, NULL, 0, 1));
  NOTHING(pto_program_report(c, NULL));
  REFUSED(pto_program_mark(c, NULL, -1, NULL));
  NOTHING(pto_program_tile(c, NULL, NULL));
  NOTHING(pto_program_print(c, NULL, PTO_FORM_KEEP));
  NOTHING(pto_program_kernels(c, NULL, "libpto.so"));
  NOTHING(pto_program_fix_sync(c, NULL, "main"));
  NOTHING(pto_program_arg_tile(c, NULL, NULL, 0));
  assert_null(pto_program_retain(NULL));
  pto_program_release(NULL);
  pto_program_stop(NULL);
  pto_program_forget_stop(NULL);
  assert_int_equal(pto_program_profile(NULL), -1);
  assert_null(pto_program_entry(NULL));
  assert_int_equal(pto_program_arg_count(NULL, NULL), -1);
  assert_int_equal(pto_program_steps(NULL), 0);
  assert_int_equal(pto_program_event_count(NULL, PTO_EVENT_PART_TILES), 0);
  assert_int_equal(pto_program_events_lost(NULL), 0);
  assert_int_equal(pto_program_steps_so_far(NULL), 0);
  assert_int_equal(pto_program_blocks_so_far(NULL), 0);
  assert_string_equal(pto_program_output(NULL), "");
  assert_int_equal(pto_program_tile_count(NULL), 0);
  assert_int_equal(pto_program_diagnostic_count(NULL), 0);
}

/* Questions about an argument, a tile or a diagnostic that is not there. */
static void nothing_at(const pto_program *p, const char *entry, int32_t i) {
  assert_null(pto_program_arg_name(p, entry, i));
  assert_int_equal(pto_program_arg_kind(p, entry, i), PTO_ARG_OTHER);
  assert_int_equal(pto_program_arg_dtype(p, entry, i), -1);
  assert_int_equal(pto_program_arg_optional(p, entry, i), 0);
  assert_null(pto_program_arg_tile(g_ctx, p, entry, i));
  assert_null(pto_program_tile_name(p, i));
  assert_int_equal(pto_program_diagnostic_error(p, i), 0);
  assert_int_equal(pto_program_diagnostic_line(p, i), 0);
  assert_int_equal(pto_program_diagnostic_column(p, i), 0);
  assert_null(pto_program_diagnostic_rule(p, i));
  assert_null(pto_program_diagnostic_message(p, i));
  assert_null(pto_program_diagnostic_remedy(p, i));
  assert_null(pto_program_diagnostic_excerpt(p, i));
  assert_null(pto_program_diagnostic_text(p, i));
}

static void test_indices_and_names(void **state) {
  (void)state;
  for (int k = 0; k < k_index_count; ++k) {
    nothing_at(g_program, NULL, k_indices[k]);
    nothing_at(g_program, "main", k_indices[k]);
    nothing_at(g_program, "none", k_indices[k]);
    nothing_at(NULL, NULL, k_indices[k]);
  }
  nothing_at(g_program, "", 0);
  nothing_at(g_program, "\xff\n", 0);
  assert_int_equal(pto_program_arg_count(g_program, "\xff\n"), -1);
  EXPECT_NO_HANDLE(g_ctx, pto_program_arg_tile(g_ctx, g_program, NULL, INT32_MAX), PTO_ERROR_UNKNOWN, "argument-name",
                   "index", "2147483647");
  EXPECT_NO_HANDLE(g_ctx, pto_program_arg_tile(g_ctx, g_program, NULL, 0), PTO_ERROR_PROGRAM, "argument-kind", "index",
                   "0");
  EXPECT_NO_HANDLE(g_ctx, pto_program_tile(g_ctx, g_program, NULL), PTO_ERROR_NULL, "null", "name", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_program_tile(g_ctx, g_program, "\xff\n"), PTO_ERROR_UNKNOWN, "argument-name", "name",
                   "%??");
  expect_error(g_ctx, pto_program_run(g_ctx, g_program, "\xff\n"), PTO_ERROR_UNKNOWN, "unknown-entry", "entry", "??");
  expect_error(g_ctx, pto_program_bind_tensor(g_ctx, g_program, NULL, NULL), PTO_ERROR_NULL, "null", "arg", "NULL");
  expect_error(g_ctx, pto_program_bind_tile(g_ctx, g_program, NULL, NULL), PTO_ERROR_NULL, "null", "arg", "NULL");
  expect_error(g_ctx, pto_program_bind_int(g_ctx, g_program, NULL, 0), PTO_ERROR_NULL, "null", "arg", "NULL");
  expect_error(g_ctx, pto_program_bind_float(g_ctx, g_program, NULL, 0), PTO_ERROR_NULL, "null", "arg", "NULL");
  expect_error(g_ctx, pto_program_bind_address(g_ctx, g_program, NULL, 64), PTO_ERROR_NULL, "null", "arg", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_program_fix_sync(g_ctx, g_program, "\xff\n"), PTO_ERROR_UNKNOWN, "unknown-entry", "entry",
                   "entry");
  expect_error(g_ctx, pto_program_bind_decimal(g_ctx, g_program, NULL, "1"), PTO_ERROR_NULL, "null", "arg", "NULL");
  expect_error(g_ctx, pto_program_bind_decimal(g_ctx, g_program, "n", NULL), PTO_ERROR_NULL, "null", "text", "NULL");
  static const char *k_names[] = {"", "%", "%%n", "1", "-1", "999999", "99999999999999999999", "\xff\n"};
  for (size_t i = 0; i < sizeof k_names / sizeof *k_names; ++i) {
    assert_int_equal(pto_program_bind_int(g_ctx, g_program, k_names[i], 1), PTO_OK);
    expect_error(g_ctx, pto_program_run(g_ctx, g_program, NULL), PTO_ERROR_UNKNOWN, "argument-name", "", "@main");
    /* Taken back: by NULL of either kind. */
    assert_int_equal(i % 2 == 0 ? pto_program_bind_tile(g_ctx, g_program, k_names[i], NULL)
                                : pto_program_bind_tensor(g_ctx, g_program, k_names[i], NULL),
                     PTO_OK);
  }
  assert_int_equal(pto_program_bind_int(g_ctx, g_program, "n", INT64_MIN), PTO_OK);
  assert_int_equal(pto_program_run(g_ctx, g_program, NULL), PTO_OK);
}

static void test_numbers(void **state) {
  (void)state;
  static const int64_t k_below[] = {0, -1, INT64_MIN};
  for (int i = 0; i < 3; ++i) {
    expect_error(g_ctx, pto_program_limit_steps(g_ctx, g_program, k_below[i]), PTO_ERROR_ARGUMENT, "limit", "steps",
                 "");
    expect_error(g_ctx, pto_program_limit_bytes(g_ctx, g_program, k_below[i]), PTO_ERROR_ARGUMENT, "limit", "bytes",
                 "");
    expect_error(g_ctx, pto_program_limit_time(g_ctx, g_program, k_below[i]), PTO_ERROR_ARGUMENT, "limit",
                 "milliseconds", "");
    expect_error(g_ctx, pto_program_set_blocks(g_ctx, g_program, i == 2 ? INT32_MIN : -i), PTO_ERROR_ARGUMENT, "blocks",
                 "blocks", "");
  }
  assert_int_equal(pto_program_set_trace(g_ctx, g_program, INT32_MIN), PTO_OK);
  static const int k_forms[] = {-1, 4, 999, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof k_forms / sizeof *k_forms; ++i) {
    EXPECT_NO_HANDLE(g_ctx, pto_program_print(g_ctx, g_program, (pto_form)k_forms[i]), PTO_ERROR_ARGUMENT,
                     "operand-value", "form", "form is");
  }
  EXPECT_NO_HANDLE(g_ctx, pto_program_parse(g_ctx, NULL, 3, NULL), PTO_ERROR_NULL, "null", "text", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_program_parse(g_ctx, NULL, -1, NULL), PTO_ERROR_NULL, "null", "text", "NULL");
  EXPECT_NO_HANDLE(g_ctx, pto_program_parse(g_ctx, k_good, -1, NULL), PTO_ERROR_ARGUMENT, "byte-count", "bytes", "-1");
  EXPECT_NO_HANDLE(g_ctx, pto_program_parse(g_ctx, k_good, INT64_MIN, NULL), PTO_ERROR_ARGUMENT, "byte-count", "bytes",
                   "-9223372036854775808");
  pto_program *empty = pto_program_parse(g_ctx, NULL, 0, NULL);
  assert_non_null(empty);
  assert_null(pto_program_entry(empty));
  assert_int_equal(pto_program_run(g_ctx, empty, NULL), PTO_ERROR_UNKNOWN);
  pto_program_release(empty);
}

/* Reads, asks for everything, and releases it; the text may be anything. */
static void use(const char *text, size_t bytes) {
  pto_program *p = pto_program_parse(g_ctx, text, (int64_t)bytes, "\xff\n\t");
  assert_non_null(p);
  for (int profile = 0; profile < k_profiles; ++profile) {
    pto_context *ctx = pto_context_create((pto_profile)profile);
    assert_int_equal(pto_program_limit_steps(ctx, p, 1000), PTO_OK);
    assert_int_equal(pto_program_limit_bytes(ctx, p, 1 << 20), PTO_OK);
    const pto_status checked = pto_program_check(ctx, p);
    const pto_status ran = pto_program_run(ctx, p, NULL);
    if (checked != PTO_OK) assert_int_equal(ran, PTO_ERROR_PROGRAM);
    const int32_t count = pto_program_diagnostic_count(p);
    assert_true(checked == PTO_OK || count > 0);
    for (int32_t i = 0; i < count; ++i) {
      assert_true(pto_program_diagnostic_line(p, i) >= 1 && pto_program_diagnostic_column(p, i) >= 1);
      assert_true(pto_program_diagnostic_rule(p, i)[0] != '\0' && pto_program_diagnostic_message(p, i)[0] != '\0');
      assert_non_null(strchr(pto_program_diagnostic_excerpt(p, i), '^'));
      assert_non_null(strstr(pto_program_diagnostic_text(p, i), pto_program_diagnostic_rule(p, i)));
      assert_true(pto_program_diagnostic_remedy(p, i)[0] != '\0');
      (void)pto_program_diagnostic_error(p, i);
    }
    (void)pto_program_print(ctx, p, PTO_FORM_ASM);
    pto_context_release(ctx);
  }
  pto_program_release(p);
}

static void test_garbage_text(void **state) {
  (void)state;
  char all[512];
  for (int i = 0; i < 512; ++i) all[i] = (char)(i * 255 % 256);
  use(all, sizeof all);
  for (int i = 0; i < 256; ++i) {
    const char one = (char)i;
    use(&one, 1);
  }
  /* A good program with one byte that is wrong, and cut off at each place. */
  static const char k_text[] =
      "%d = tpow %a, %b : !pto.tile<2x8xf32>\ntstore %d, %v : !pto.tile<2x8xf32>, !pto.ptr<f32>\n";
  char text[sizeof k_text];
  uint32_t seed = 1;
  for (size_t at = 0; at < sizeof k_text; ++at) {
    use(k_text, at);
    for (int k = 0; k < 8; ++k) {
      seed = seed * 1664525U + 1013904223U;
      memcpy(text, k_text, sizeof text);
      text[at] = (char)(seed >> 24);
      use(text, sizeof text);
    }
  }
}

/* The profile of the program need not be the context's: each profile has its own rules. */
static void test_profiles(void **state) {
  (void)state;
  static const char k_a5[] =
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @f() {\n"
      "%t = pto.alloc_tile : !pto.tile_buf<vec, 2x4xf32>\nreturn\n}\n}\n";
  pto_program *p = pto_program_parse(g_ctx, k_a5, (int64_t)strlen(k_a5), NULL);
  assert_int_equal(pto_program_profile(p), PTO_PROFILE_A5);
  assert_int_equal(pto_program_check(g_ctx, p), PTO_OK);
  pto_context *other = pto_context_create(PTO_PROFILE_A2A3);
  expect_error(other, pto_program_check(other, p), PTO_ERROR_PROGRAM, "row-bytes", "", "program:3:6");
  assert_int_equal(pto_program_run(other, p, NULL), PTO_ERROR_PROGRAM);
  assert_int_equal(pto_program_run(g_ctx, p, NULL), PTO_OK); /* and the refusal sticks to the one profile */
  pto_context_release(other);
  assert_ptr_equal(pto_program_retain(p), p);
  pto_program_release(p);
  assert_int_equal(pto_program_tile_count(p), 1);
  assert_string_equal(pto_program_tile_name(p, 0), "t");
  pto_program_release(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_null_context, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_null_program, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_no_such_lint, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_indices_and_names, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_numbers, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_garbage_text, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_profiles, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
