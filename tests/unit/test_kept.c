/* An instruction object keeps the verdict of its last run. So each run is compared with a run of an object that was
 * just made, after a change of anything that a check depends on: regions, addresses, operands, numbers, the profile. */
#include <stdio.h>

#include "../tensor/tensor_help.h"

enum { SIDE = 8, TILES = 14, MANUAL = 4, BYTES = 4096, ON_CHIP = 4096, STEPS = 160 };

static uint64_t g_random = 1;
static uint32_t draw(uint32_t below) {
  g_random = g_random * 6364136223846793005U + 1442695040888963407U;
  return (uint32_t)(g_random >> 33) % below;
}

static __attribute__((aligned(64))) uint8_t g_memory[BYTES], g_before[BYTES], g_after[BYTES];
static pto_tile *g_tiles[TILES];
static pto_tensor *g_tensors[3];
static uint8_t *g_chip; /* what manual tiles are placed in */
static uint8_t g_chip_before[ON_CHIP], g_chip_after[ON_CHIP];

/* What an instruction has as operands, so that another one can be made like it. */
typedef struct {
  int op;
  const char *name;
  pto_tile *tiles[20];
  pto_tensor *tensor;
  int64_t numbers[20];
  double scalar;
} call;

static int is_tile(int role) { return role <= PTO_ROLE_TMP || role == PTO_ROLE_INOUT; }
static int is_tensor(int role) { return role == PTO_ROLE_TENSOR_OUT || role == PTO_ROLE_TENSOR_IN; }

static void set(pto_context *ctx, pto_inst *inst, const call *c, int32_t i) {
  const int role = pto_op_operand_role(c->op, i);
  if (is_tile(role)) {
    assert_ok(ctx, pto_inst_set_tile(ctx, inst, i, c->tiles[i]));
  } else if (is_tensor(role)) {
    assert_ok(ctx, pto_inst_set_tensor(ctx, inst, i, c->tensor));
  } else if (role == PTO_ROLE_SCALAR) {
    assert_ok(ctx, pto_inst_set_float(ctx, inst, i, c->scalar));
  } else {
    assert_ok(ctx, pto_inst_set_int(ctx, inst, i, c->numbers[i]));
  }
}

static pto_inst *made(pto_context *ctx, const call *c) {
  pto_inst *inst = pto_inst_create(ctx, c->name);
  assert_non_null(inst);
  for (int32_t i = 0; i < pto_op_operand_count(c->op); ++i) set(ctx, inst, c, i);
  return inst;
}

static pto_tile *usual_tile(void) { return g_tiles[draw(TILES - MANUAL - 4)]; }

/* One thing, or what makes a usual call of any other. Returns the operand that changed; -1: none of the object's. */
static int32_t change(pto_context *ctx, call *c) {
  const int32_t count = pto_op_operand_count(c->op);
  const int32_t i = (int32_t)draw((uint32_t)count);
  const int role = pto_op_operand_role(c->op, i);
  switch (draw(7)) {
    case 0:
    case 1:
      if (is_tile(role) && c->tiles[i] != NULL) {
        (void)pto_tile_set_valid(ctx, c->tiles[i], (int32_t)draw(SIDE + 1), (int32_t)draw(SIDE + 1));
      }
      return -1;
    case 2:
      (void)pto_tassign(ctx, g_tiles[TILES - 1 - draw(MANUAL)], 32 * (int64_t)draw((ON_CHIP - 2048) / 32));
      return -1;
    case 3:
    case 4:
      for (int k = 0; k < TILES; ++k) (void)pto_tile_set_valid(ctx, g_tiles[k], PTO_VALID_ALL, PTO_VALID_ALL);
      return -1;
    default:
      break;
  }
  if (is_tile(role)) {
    c->tiles[i] = draw(12) == 0 ? NULL : draw(3) != 0 ? usual_tile() : g_tiles[draw(TILES)];
  } else if (is_tensor(role)) {
    c->tensor = draw(12) == 0 ? NULL : g_tensors[draw(3)];
  } else if (role == PTO_ROLE_SCALAR) {
    c->scalar = draw(4) == 0 ? 1e300 : draw(4);
  } else {
    c->numbers[i] = draw(3) != 0 ? 0 : draw(4);
  }
  return i;
}

static void test_a_change_is_seen(void **state) {
  (void)state;
  static const pto_profile kProfiles[] = {PTO_PROFILE_CPU, PTO_PROFILE_CPU, PTO_PROFILE_A2A3, PTO_PROFILE_A5};
  pto_context *contexts[4];
  for (int p = 0; p < 4; ++p) contexts[p] = context(kProfiles[p]);
  pto_context *ctx = contexts[0];
  for (int k = 0; k < TILES; ++k) {
    const int usual = k < TILES - MANUAL - 4;
    pto_tile_desc desc = tile_desc(usual || k >= TILES - MANUAL ? PTO_DTYPE_F32
                                   : k % 2 != 0                 ? PTO_DTYPE_I32
                                                                : PTO_DTYPE_F16,
                                   SIDE, k % 4 == 2 && !usual ? 2 * SIDE : SIDE);
    desc.storage = k >= TILES - MANUAL ? PTO_STORAGE_MANUAL : desc.storage;
    g_tiles[k] = k >= TILES - MANUAL
                     ? make_tile(ctx, &desc)
                     : pto_tile_wrap(ctx, &desc, g_memory + (usual ? 256 * k : 192 * k), BYTES - 256 * k);
    assert_non_null(g_tiles[k]);
  }
  pto_tile_desc all = tile_desc(PTO_DTYPE_I8, 64, 64);
  all.storage = PTO_STORAGE_MANUAL;
  pto_tile *whole = make_tile(ctx, &all);
  assert_ok(ctx, pto_tassign(ctx, whole, 0));
  g_chip = pto_tile_data(whole);
  for (int t = 0; t < 3; ++t) {
    const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, t == 1 ? 4 : SIDE, SIDE);
    g_tensors[t] = pto_tensor_wrap(ctx, &desc, g_memory + 1024 * t, BYTES - 1024 * t);
    assert_non_null(g_tensors[t]);
  }
  char rules[4096] = " ";
  int kinds = 0;
  int good = 0;
  int again = 0; /* runs that followed a good one without any change of the object */
  for (int32_t n = 0; n < pto_op_count(); ++n) {
    call c = {.op = pto_op_at(n), .name = pto_op_name(pto_op_at(n)), .tensor = g_tensors[0]};
    if (strcmp(c.name, "tprint") == 0) continue; /* prints to the context */
    for (int32_t i = 0; i < pto_op_operand_count(c.op); ++i) {
      if (is_tile(pto_op_operand_role(c.op, i)) && pto_op_operand_role(c.op, i) != PTO_ROLE_TMP)
        c.tiles[i] = usual_tile();
    }
    pto_inst *kept = made(ctx, &c);
    int was_good = 0;
    for (int step = 0; step < STEPS; ++step) {
      const int32_t changed = change(ctx, &c);
      if (changed >= 0) set(ctx, kept, &c, changed);
      pto_context *in = contexts[draw(16) < 13 ? 0 : draw(4)];
      for (int k = 0; k < BYTES; ++k) g_before[k] = (uint8_t)(k % 4 == 3 ? 0x3f : k % 7);
      for (int k = 0; k < ON_CHIP; ++k) g_chip_before[k] = (uint8_t)(k % 4 == 3 ? 0x40 : k % 5);
      pto_inst *fresh = made(ctx, &c);
      memcpy(g_memory, g_before, BYTES);
      memcpy(g_chip, g_chip_before, ON_CHIP);
      const pto_status want = pto_inst_run(in, fresh);
      char message[512];
      snprintf(message, sizeof message, "%s", want == PTO_OK ? "" : pto_context_error_message(in));
      memcpy(g_after, g_memory, BYTES);
      memcpy(g_chip_after, g_chip, ON_CHIP);
      pto_inst_release(fresh);
      if (want != PTO_OK) {
        char rule[80];
        snprintf(rule, sizeof rule, " %s ", pto_context_error_rule(in));
        if (strstr(rules, rule) == NULL && strlen(rules) + strlen(rule) < sizeof rules) {
          strcat(rules, rule + 1);
          ++kinds;
        }
      }
      for (int round = 0; round < 2; ++round) {
        memcpy(g_memory, g_before, BYTES);
        memcpy(g_chip, g_chip_before, ON_CHIP);
        const pto_status got = pto_inst_run(in, kept);
        if (got != want) fail_msg("%s: %d where %d is right: %s", c.name, got, want, message);
        if (want != PTO_OK) assert_string_equal(pto_context_error_message(in), message);
        assert_memory_equal(g_memory, g_after, BYTES);
        assert_memory_equal(g_chip, g_chip_after, ON_CHIP);
      }
      good += want == PTO_OK;
      again += want != PTO_OK && was_good && changed < 0;
      was_good = want == PTO_OK;
    }
    pto_inst_release(kept);
  }
  printf("%d good runs, %d rules, %d errors after a change of a tile or the profile alone\n", good, kinds, again);
  assert_true(good > 5000);
  assert_true(kinds > 25);
  assert_true(again > 500);
  pto_tile_release(whole);
  for (int k = 0; k < TILES; ++k) pto_tile_release(g_tiles[k]);
  for (int t = 0; t < 3; ++t) pto_tensor_release(g_tensors[t]);
  for (int p = 0; p < 4; ++p) pto_context_release(contexts[p]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_change_is_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
