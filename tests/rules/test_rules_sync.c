/*
 * test_rules_sync.c: the rules of checked runs (pto_program_set_sync()), each broken by a program of a few lines.
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "program_fixture.h"
#include "rules_tests.h"

/* `line` of the diagnostic, from the first after the tiles on. */
static const struct {
  const char *rule, *texts;
  int error, line;
  const char *body;
} k_sync[] = {
    {"sync-race", "tstore (MTE3) reads bytes 0 to 63 of %a|texp (V) at line 6|<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>", 1, 7,
     "pto.texp ins(%a : TILE) outs(%a : TILE)\npto.tstore ins(%a : TILE) outs(%v : VIEW)\n"},
    {"sync-blocks", "in block 1 here and in block 0 there", 1, 6, "pto.tstore ins(%a : TILE) outs(%v : VIEW)\n"},
    {"sync-overwritten", "texp reads %a, over which texpands at line 8 wrote %b", 0, 9,
     "%x = arith.constant 1.0 : f32\npto.texpands ins(%x : f32) outs(%a : TILE)\npto.texpands ins(%x : f32) outs(%b : "
     "TILE)\n"
     "pto.texp ins(%a : TILE) outs(%a : TILE)\n"},
    {"sync-never-set", "flag 3 from V to MTE3", 1, 6, "pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID3>]\n"},
    {"sync-set-twice", "flag 0 from V to S|line 6", 1, 7,
     "pto.set_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]\npto.set_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]\n"
     "pto.wait_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]\n"},
    {"sync-left-set", "flag 0 from V to S", 0, 6, "pto.set_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]\n"},
    {"sync-id", "8", 1, 6, "pto.set_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID8>]\n"},
    {"sync-pipe", "PIPE_X", 1, 6, "pto.barrier <PIPE_X>\n"},
    {"sync-buffer", "V has not got buffer 1", 1, 6, "pto.rls_buf[#pto.pipe_event_type<TVEC>, 1]\n"},
    {"sync-useless", "barrier|1 time", 0, 6, "pto.barrier <PIPE_ALL>\npto.texp ins(%a : TILE) outs(%a : TILE)\n"},
    {"sync-auto", "compiler", 0, 1, NULL},
    {"sync-hazard", "texp (V) reads bytes 0 to 63 of %a|tabs (V) at line 6|insert pto.barrier <PIPE_V> before line 7",
     1, 7, "pto.tabs ins(%a : TILE) outs(%a : TILE)\npto.texp ins(%a : TILE) outs(%a : TILE)\n"},
    {"sync-mem-bar", "vlds reads bytes of %p that vsts at line 12 stored", 1, 13,
     "%c0 = arith.constant 0 : index\n%z = arith.constant 0 : i64\n%p = pto.castptr %z : i64 -> !pto.ptr<f32, "
     "ub>\npto.vecscope {\n"
     "%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n%r = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
     "pto.vsts %r, %p[%c0], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n"
     "%s = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n}\n"},
    {"sync-barrier", "V", 0, 6, "pto.barrier <PIPE_V>\npto.texp ins(%a : TILE) outs(%a : TILE)\n"},
};

/* The profile that has the rule; under CPU nothing is found. */
static pto_profile sync_profile(const char *rule) {
  if (strcmp(rule, "sync-hazard") == 0) return PTO_PROFILE_A2A3;
  return strcmp(rule, "sync-barrier") == 0 ? PTO_PROFILE_A5 : PTO_PROFILE_CPU;
}

static void breaks_sync(const char *rule) {
  int broken = 0;
  for (size_t i = 0; i < sizeof k_sync / sizeof *k_sync; ++i) {
    if (strcmp(k_sync[i].rule, rule) != 0) continue;
    ++broken;
    const int manual = k_sync[i].body != NULL;
    char text[2048] = "";
    char body[1024] = "";
    for (const char *from = manual ? k_sync[i].body : ""; *from != '\0';) {
      const int tile = strncmp(from, "TILE", 4) == 0;
      const int view = strncmp(from, "VIEW", 4) == 0;
      if (tile || view) {
        strcat(body, tile ? "!pto.tile_buf<vec, 2x8xf32>" : "!pto.tensor_view<2x8xf32>");
        from += 4;
      } else {
        strncat(body, from++, 1);
      }
    }
    snprintf(
        text, sizeof text,
        "func.func @main(%%v: !pto.tensor_view<2x8xf32>) {\n%%at = arith.constant 0 : i64\n"
        "%%a = pto.alloc_tile%s : !pto.tile_buf<vec, 2x8xf32>\n%%b = pto.alloc_tile%s : !pto.tile_buf<vec, 2x8xf32>\n\n"
        "%s return\n}\n",
        manual ? " addr = %at" : "", manual ? " addr = %at" : "", body);
    pto_program *program = parsed(text);
    pto_tensor *tensor = tensor_over(PTO_DTYPE_F32, 2);
    assert_int_equal(pto_program_bind_tensor(CPU, program, "v", tensor), PTO_OK);
    assert_int_equal(pto_program_set_blocks(CPU, program, strcmp(k_sync[i].rule, "sync-blocks") == 0 ? 2 : 1), PTO_OK);
    if (pto_program_run(CPU, program, NULL) != PTO_OK)
      fail_msg("%s: %s", rule, pto_context_error_message(CPU)); /* not checked, nothing is found */
    assert_int_equal(pto_program_diagnostic_count(program), 0);
    assert_int_equal(pto_program_set_sync(CPU, program, 1), PTO_OK);
    pto_context *const ctx = g_ctx[sync_profile(rule)];
    if (ctx != CPU) {
      assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
      assert_int_equal(pto_program_diagnostic_count(program), 0);
    }
    if (k_sync[i].error != 0 && ctx == CPU) {
      refuse_run(program, NULL, PTO_ERROR_PROGRAM, k_sync[i].rule, "", k_sync[i].texts, k_sync[i].line);
    } else if (k_sync[i].error != 0) {
      expect_error(ctx, pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM, k_sync[i].rule, "", k_sync[i].texts);
      assert_int_equal(pto_program_diagnostic_line(program, 0), k_sync[i].line);
    } else {
      assert_int_equal(pto_program_run(ctx, program, NULL), PTO_OK);
      assert_int_equal(pto_program_diagnostic_count(program), 1);
      assert_int_equal(pto_program_diagnostic_error(program, 0), 0);
      assert_int_equal(pto_program_diagnostic_line(program, 0), k_sync[i].line);
      assert_string_equal(pto_program_diagnostic_rule(program, 0), k_sync[i].rule);
    }
    assert_int_equal(pto_program_set_sync(CPU, program, 0), PTO_OK);
    assert_int_equal(pto_program_run(CPU, program, NULL), PTO_OK);
    pto_tensor_release(tensor);
    pto_program_release(program);
  }
  assert_true(broken > 0);
}

static void test_rule_sync_race(void **state) {
  (void)state;
  breaks_sync("sync-race");
}
static void test_rule_sync_hazard(void **state) {
  (void)state;
  breaks_sync("sync-hazard");
}
static void test_rule_sync_barrier(void **state) {
  (void)state;
  breaks_sync("sync-barrier");
}
static void test_rule_sync_mem_bar(void **state) {
  (void)state;
  breaks_sync("sync-mem-bar");
}
static void test_rule_sync_blocks(void **state) {
  (void)state;
  breaks_sync("sync-blocks");
}
static void test_rule_sync_overwritten(void **state) {
  (void)state;
  breaks_sync("sync-overwritten");
}
static void test_rule_sync_never_set(void **state) {
  (void)state;
  breaks_sync("sync-never-set");
}
static void test_rule_sync_set_twice(void **state) {
  (void)state;
  breaks_sync("sync-set-twice");
}
static void test_rule_sync_left_set(void **state) {
  (void)state;
  breaks_sync("sync-left-set");
}
static void test_rule_sync_id(void **state) {
  (void)state;
  breaks_sync("sync-id");
}
static void test_rule_sync_pipe(void **state) {
  (void)state;
  breaks_sync("sync-pipe");
}
static void test_rule_sync_buffer(void **state) {
  (void)state;
  breaks_sync("sync-buffer");
}
static void test_rule_sync_useless(void **state) {
  (void)state;
  breaks_sync("sync-useless");
}
static void test_rule_sync_auto(void **state) {
  (void)state;
  breaks_sync("sync-auto");
}

const struct CMUnitTest k_sync_rules[] = {
    RULE_TEST(test_rule_sync_race),      RULE_TEST(test_rule_sync_blocks),    RULE_TEST(test_rule_sync_overwritten),
    RULE_TEST(test_rule_sync_never_set), RULE_TEST(test_rule_sync_set_twice), RULE_TEST(test_rule_sync_left_set),
    RULE_TEST(test_rule_sync_id),        RULE_TEST(test_rule_sync_pipe),      RULE_TEST(test_rule_sync_buffer),
    RULE_TEST(test_rule_sync_useless),   RULE_TEST(test_rule_sync_auto),      RULE_TEST(test_rule_sync_hazard),
    RULE_TEST(test_rule_sync_barrier),   RULE_TEST(test_rule_sync_mem_bar),
};
const int k_sync_rule_count = (int)(sizeof k_sync_rules / sizeof *k_sync_rules);
