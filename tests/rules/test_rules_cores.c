/*
 * test_rules_cores.c: the rules of cores and the pipes between them, each broken by a
 * program. tests/program/test_cores.c breaks them in more ways, in every order of the cores.
 */
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"

#define CORES(cube, vector)                                                            \
  "func.func @k() attributes {pto.subblock_num = 1} {\n %z = arith.constant 0 : i32\n" \
  " pto.section.cube {\n" cube " }\n pto.section.vector {\n" vector " }\n return\n}\n"
#define CUBE_PIPE(slot) "  pto.aic_initialize_pipe {dir_mask = 1, slot_size = " slot "} (c2v_consumer_buf = %z : i32)\n"
#define VECTOR_PIPE(slot) \
  "  pto.aiv_initialize_pipe {dir_mask = 1, slot_size = " slot "} (c2v_consumer_buf = %z : i32)\n"
#define PUSH                                                \
  "  %t = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32>\n" \
  "  pto.tpush_to_aiv(%t : !pto.tile_buf<acc, 16x16xf32>) {split = 0}\n"
#define POP(shape) "  %u = pto.tpop_from_aic {split = 0} -> !pto.tile_buf<vec, " shape ">\n"

/* A run of the program breaks this rule first, or ends with it as a warning. */
static void comes_to(const char *text, const char *rule, const char *said, int line, int error) {
  pto_program *program = pto_program_parse(CPU, text, (int64_t)strlen(text), "r.pto");
  if (program == NULL) fail_msg("%s", pto_context_error_message(CPU));
  const pto_status status = pto_program_run(CPU, program, NULL);
  if (error != 0) {
    expect_error(CPU, status, PTO_ERROR_PROGRAM, rule, "", said);
  } else {
    assert_int_equal(status, PTO_OK);
  }
  assert_true(pto_program_diagnostic_count(program) >= 1);
  assert_int_equal(pto_program_diagnostic_error(program, 0), error);
  assert_int_equal(pto_program_diagnostic_line(program, 0), line);
  assert_string_equal(pto_program_diagnostic_rule(program, 0), rule);
  assert_non_null(strstr(pto_program_diagnostic_message(program, 0), said));
  assert_true(strlen(pto_program_diagnostic_remedy(program, 0)) > 10);
  pto_program_release(program);
}

static void test_rule_deadlock(void **state) {
  (void)state;
  comes_to(CORES("  pto.sync.set <PIPE_M>, 1\n  pto.sync.wait <PIPE_M>, 1\n", ""), "deadlock", "flag 1", 5, 1);
}

static void test_rule_core_kind(void **state) {
  (void)state;
  comes_to("func.func @k() {\n  pto.sync.set <PIPE_V>, 1\n return\n}\n", "core-kind", "sync.set", 2, 1);
}

static void test_rule_core_tiles(void **state) {
  (void)state;
  const char *text =
      "func.func @k(%t: !pto.tile_buf<vec, 4x8xf32>) {\n pto.section.cube {\n }\n pto.section.vector {\n"
      "  pto.tabs ins(%t : !pto.tile_buf<vec, 4x8xf32>) outs(%t : !pto.tile_buf<vec, 4x8xf32>)\n }\n return\n}\n";
  pto_program *program = pto_program_parse(CPU, text, (int64_t)strlen(text), "r.pto");
  pto_tile *tile = pto_tile_create(CPU, PTO_DTYPE_F32, 4, 8);
  assert_int_equal(pto_program_bind_tile(CPU, program, "t", tile), PTO_OK);
  expect_error(CPU, pto_program_run(CPU, program, NULL), PTO_ERROR_PROGRAM, "core-tiles", "", "bound to a tile");
  pto_tile_release(tile);
  pto_program_release(program);
}

static void test_rule_pipe_sides(void **state) {
  (void)state;
  comes_to(CORES(CUBE_PIPE("1024"), VECTOR_PIPE("512")), "pipe-sides", "512", 7, 1);
}

static void test_rule_pipe_slot(void **state) {
  (void)state;
  comes_to(CORES(CUBE_PIPE("512") PUSH, VECTOR_PIPE("512")), "pipe-slot", "1024", 6, 1);
}

static void test_rule_pipe_tile(void **state) {
  (void)state;
  comes_to(CORES(CUBE_PIPE("1024") PUSH, VECTOR_PIPE("1024") POP("17x16xf32")), "pipe-tile", "17x16", 10, 1);
}

static void test_rule_pipe_order(void **state) {
  (void)state;
  comes_to(CORES(PUSH, ""), "pipe-order", "pipe", 5, 1);
}

static void test_rule_core_flag(void **state) {
  (void)state;
  comes_to(CORES("  pto.sync.set <PIPE_M>, 16\n", ""), "core-flag", "16", 4, 1);
}

static void test_rule_never_popped(void **state) {
  (void)state;
  comes_to(CORES(CUBE_PIPE("1024") PUSH, VECTOR_PIPE("1024")), "never-popped", "1 of 1", 6, 0);
}

const struct CMUnitTest k_core_rules[] = {
    RULE_TEST(test_rule_deadlock),   RULE_TEST(test_rule_core_kind), RULE_TEST(test_rule_core_tiles),
    RULE_TEST(test_rule_pipe_sides), RULE_TEST(test_rule_pipe_slot), RULE_TEST(test_rule_pipe_tile),
    RULE_TEST(test_rule_pipe_order), RULE_TEST(test_rule_core_flag), RULE_TEST(test_rule_never_popped),
};
const int k_core_rule_count = (int)(sizeof k_core_rules / sizeof *k_core_rules);
