/*
 * test_no_memory_programs.c: the life of a program with each allocation failing, one
 * after the other, alone and with all that follow: the call that it hits returns
 * `memory`, the same call succeeds once there is memory, and nothing is left.
 */
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "fail_malloc.h"
#include "testing.h"

/* Something of everything that allocates: a call, views, tiles, instructions, text, events. */
static const char k_text[] =
    "module attributes {\"pto.target_arch\" = \"a5\"} {\n"
    "func.func private @twice(%x: i64) -> i64 {\n"
    "  %y = arith.addi %x, %x : i64\n"
    "  return %y : i64\n"
    "}\n"
    "func.func @main(%p: !pto.ptr<f32>, %long_name_of_a_tile: !pto.tile_buf<vec, 2x8xf32>, %n: i64, %f: f32)"
    " attributes {pto.entry} {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c2 = arith.constant 2 : index\n"
    "  %c8 = arith.constant 8 : index\n"
    "  %d = func.call @twice(%n) : (i64) -> i64\n"
    "  %v = pto.make_tensor_view %p, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>\n"
    "  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<2x8xf32> -> "
    "!pto.partition_tensor_view<2x8xf32>\n"
    "  %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n"
    "  pto.tload ins(%w : !pto.partition_tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)\n"
    "  %r = pto.treshape %t : !pto.tile_buf<vec, 2x8xf32> -> !pto.tile_buf<vec, 1x16xf32>\n"
    "  %s = pto.subset %t[%c0, %c0] sizes [1, 8] : !pto.tile_buf<vec, 2x8xf32>\n"
    "  pto.tpartadd ins(%t, %long_name_of_a_tile : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>)"
    " outs(%t : !pto.tile_buf<vec, 2x8xf32>)\n"
    "  pto.tprelu ins(%t, %long_name_of_a_tile : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>)"
    " outs(%t : !pto.tile_buf<vec, 2x8xf32>)\n"
    "  pto.tprint ins(%t : !pto.tile_buf<vec, 2x8xf32>)\n"
    "  pto.print ins(\"%d\", %d : i64)\n"
    "  %e = math.exp %f : f32\n"
    "  %g = math.powf %e, %f : f32\n"
    "  %k = arith.constant dense<[1.5, 2.5]> : vector<2xf32>\n"
    "  %l = arith.addf %k, %k : vector<2xf32>\n"
    "  pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%w : !pto.partition_tensor_view<2x8xf32>)\n"
    "  return\n"
    "}\n"
    "}\n";

static struct {
  pto_context *ctx;
  pto_tensor *tensor;
  pto_tile *tile;
  pto_program *program;
  pto_program *broken;
} g;
static float g_memory[16];

static pto_status made(const void *handle) { return handle != NULL ? PTO_OK : PTO_ERROR_MEMORY; }

static pto_status call_context(void) { return made(g.ctx = pto_context_create(PTO_PROFILE_CPU)); }
static pto_status call_tensor(void) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 1;
  desc.dim0 = 16;
  return made(g.tensor = pto_tensor_wrap(g.ctx, &desc, g_memory, sizeof g_memory));
}
static pto_status call_parse(void) {
  return made(g.program = pto_program_parse(g.ctx, k_text, (int64_t)sizeof k_text - 1,
                                            "a name too long to be kept inside.pto"));
}
static pto_status call_parse_broken(void) {
  static const char k_broken[] = "func.func @f() {\n  %x = arith.constant : i64\n  bad\n  return\n}\n";
  return made(g.broken = pto_program_parse(g.ctx, k_broken, (int64_t)sizeof k_broken - 1, NULL));
}
static pto_status call_arg_tile(void) { return made(g.tile = pto_program_arg_tile(g.ctx, g.program, NULL, 1)); }
static pto_status call_bind_tensor(void) { return pto_program_bind_tensor(g.ctx, g.program, "p", g.tensor); }
static pto_status call_bind_tile(void) {
  return pto_program_bind_tile(g.ctx, g.program, "long_name_of_a_tile", g.tile);
}
static pto_status call_bind_int(void) { return pto_program_bind_int(g.ctx, g.program, "%n", 21); }
static pto_status call_bind_float(void) { return pto_program_bind_float(g.ctx, g.program, "3", 0.5); }
static pto_status call_bind_decimal(void) { return pto_program_bind_decimal(g.ctx, g.program, "3", "0.1"); }
static pto_status call_set_trace(void) { return pto_program_set_trace(g.ctx, g.program, 1); }
static pto_status call_record(void) { return pto_program_record(g.ctx, g.program, PTO_RECORD_TILES, 1 << 20); }
static pto_status call_check(void) { return pto_program_check(g.ctx, g.program); }
/* Sorting does without the memory that it would like to have; no check does, nor without a finding. */
static pto_status call_lint(void) {
  const pto_status status = pto_program_lint(g.ctx, g.program, "-unused-tile");
  int portability = 0;
  for (int32_t i = 0; status == PTO_OK && i < pto_program_diagnostic_count(g.program); ++i) {
    portability += strcmp(pto_program_diagnostic_rule(g.program, i), "portability") == 0 &&
                   strstr(pto_program_diagnostic_message(g.program, i), "rule no-overlap") != NULL;
  }
  if (status == PTO_OK) assert_int_equal(portability, 1);
  return status;
}
static pto_status call_run(void) { return pto_program_run(g.ctx, g.program, NULL); }
static pto_status call_trace(void) { return made(pto_program_trace(g.ctx, g.program)); }
static pto_status call_mark(void) {
  return pto_program_mark(g.ctx, g.program, 0, "a note that is longer than a string that needs no memory");
}
static pto_status call_report(void) {
  const char *page = pto_program_report(g.ctx, g.program);
  if (page != NULL) assert_non_null(strstr(page, ",\"ended\":true,"));
  return made(page);
}
static pto_status call_print(void) { return made(pto_program_print(g.ctx, g.program, PTO_FORM_DPS)); }
static pto_status call_tile(void) {
  pto_tile *tile = pto_program_tile(g.ctx, g.program, "r");
  pto_tile_release(tile);
  return made(tile);
}

static const struct {
  const char *name;
  pto_status (*call)(void);
} k_steps[] = {
    {"pto_context_create", call_context},
    {"pto_tensor_wrap", call_tensor},
    {"pto_program_parse", call_parse},
    {"pto_program_parse, errors", call_parse_broken},
    {"pto_program_arg_tile", call_arg_tile},
    {"pto_program_bind_tensor", call_bind_tensor},
    {"pto_program_bind_tile", call_bind_tile},
    {"pto_program_bind_int", call_bind_int},
    {"pto_program_bind_float", call_bind_float},
    {"pto_program_bind_decimal", call_bind_decimal},
    {"pto_program_set_trace", call_set_trace},
    {"pto_program_record", call_record},
    {"pto_program_check", call_check},
    {"pto_program_lint", call_lint},
    {"pto_program_run", call_run},
    {"pto_program_trace", call_trace},
    {"pto_program_mark", call_mark},
    {"pto_program_report", call_report},
    {"pto_program_print", call_print},
    {"pto_program_tile", call_tile},
};
enum { k_step_count = sizeof k_steps / sizeof *k_steps };

/* All steps with the n-th allocation failing: 0 when there is no n-th. Counts the step that it hit. */
static int attempt(void (*fail_at)(int), int n, int hits[k_step_count]) {
  memset(&g, 0, sizeof g);
  for (int i = 0; i < 16; ++i) g_memory[i] = (float)i;
  const int64_t handles = pto_live_handles();
  int hit = -1;
  fail_at(n);
  for (int i = 0; i < k_step_count; ++i) {
    const pto_status status = k_steps[i].call();
    if (status == PTO_OK) continue;
    fail_malloc_forgive();
    if (hit >= 0) fail_msg("%s: %s", k_steps[i].name, pto_context_error_message(g.ctx));
    hit = i;
    ++hits[i];
    if (status != PTO_ERROR_MEMORY) {
      fail_msg("%s returns %s when allocation %d fails", k_steps[i].name, pto_status_name(status), n);
    }
    if (g.ctx != NULL) expect_error(g.ctx, status, PTO_ERROR_MEMORY, "memory", "", "memory");
    if (k_steps[i].call == call_run) {
      assert_non_null(strstr(pto_program_report(g.ctx, g.program), ",\"ended\":false,"));
    }
    --i; /* the same again, with memory */
  }
  if (strstr(pto_program_output(g.program), "\n42\n") == NULL) fail_msg("output: %s", pto_program_output(g.program));
  assert_true(pto_program_diagnostic_count(g.program) == 0 && pto_program_diagnostic_count(g.broken) > 0);
  for (int i = 0; i < 16; ++i) assert_true(g_memory[i] == (float)i); /* plus a tile of zeros */
  pto_program_release(g.broken);
  pto_program_release(g.program);
  pto_tile_release(g.tile);
  pto_tensor_release(g.tensor);
  pto_context_release(g.ctx);
  const int alive = fail_malloc_alive();
  const int refused = fail_malloc_stop();
  if (alive != 0)
    fail_msg("%d blocks are left when allocation %d fails in %s", alive, n, hit < 0 ? "none" : k_steps[hit].name);
  assert_int_equal(pto_live_handles(), handles);
  /* Sorting continues without the one buffer that it prefers; nothing continues without any memory. */
  if (refused > 0 && hit < 0 && fail_at != fail_malloc_once) fail_msg("allocation %d failed and no call said so", n);
  return refused > 0;
}

static void each_allocation(void (*fail_at)(int)) {
  int hits[k_step_count] = {0};
  int n = 0;
  while (attempt(fail_at, n, hits)) assert_true(++n < 5000);
  for (int i = 0; i < k_step_count; ++i) {
    const int at_all = k_steps[i].call != call_bind_int && k_steps[i].call != call_bind_float &&
                       k_steps[i].call != call_bind_decimal && k_steps[i].call != call_set_trace &&
                       k_steps[i].call != call_record && k_steps[i].call != call_tile;
    if (at_all && hits[i] == 0) fail_msg("%s asked for no memory: is malloc replaced?", k_steps[i].name);
  }
}

static void test_each_allocation_and_all_after_it(void **state) {
  (void)state;
  each_allocation(fail_malloc_after);
}

static void test_each_allocation_alone(void **state) {
  (void)state;
  each_allocation(fail_malloc_once);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation_and_all_after_it),
                                     cmocka_unit_test(test_each_allocation_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
