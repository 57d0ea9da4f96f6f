/*
 * test_doors.c: the typed function of an instruction and the instruction as an
 * object are one: the same status, text and bits, for legal and illegal calls.
 */
#include <stdlib.h>
#include <string.h>

#include "layouts.h"
#include "testing.h"
#include "values.h"

typedef pto_status (*with_tmp)(pto_context *, pto_tile *, const pto_tile *, const pto_tile *, pto_tile *, uint32_t);
typedef pto_status (*without_tmp)(pto_context *, pto_tile *, const pto_tile *, const pto_tile *, uint32_t);
typedef pto_status (*unary_with_tmp)(pto_context *, pto_tile *, const pto_tile *, pto_tile *, uint32_t);
typedef pto_status (*unary)(pto_context *, pto_tile *, const pto_tile *, uint32_t);

/* The typed function of each instruction over tiles. */
static const struct {
  const char *name;
  with_tmp binary_tmp;
  without_tmp binary;
  unary_with_tmp unary_tmp;
  unary plain;
} k_typed[] = {
    {"tpow", pto_tpow, NULL, NULL, NULL},
    {"tprelu", pto_tprelu, NULL, NULL, NULL},
    {"tcolexpanddiv", NULL, pto_tcolexpanddiv, NULL, NULL},
    {"tcolexpandmul", NULL, pto_tcolexpandmul, NULL, NULL},
    {"tpartadd", NULL, pto_tpartadd, NULL, NULL},
    {"trsqrt", NULL, NULL, pto_trsqrt, NULL},
    {"tmov", NULL, NULL, NULL, pto_tmov},
};
enum { k_typed_count = sizeof k_typed / sizeof *k_typed, k_bytes = 8192 };

static pto_status call_typed(int i, pto_context *ctx, pto_tile **t, uint32_t flags) {
  if (k_typed[i].binary_tmp != NULL) return k_typed[i].binary_tmp(ctx, t[0], t[1], t[2], t[3], flags);
  if (k_typed[i].binary != NULL) return k_typed[i].binary(ctx, t[0], t[1], t[2], flags);
  if (k_typed[i].unary_tmp != NULL) return k_typed[i].unary_tmp(ctx, t[0], t[1], t[2], flags);
  return k_typed[i].plain(ctx, t[0], t[1], flags);
}

static pto_status call_object(int i, pto_context *ctx, pto_tile **t, uint32_t flags) {
  pto_inst *inst = pto_inst_create(ctx, k_typed[i].name);
  const int32_t last = pto_op_operand_count(pto_inst_op(inst)) - 1;
  for (int32_t k = 0; k < last; ++k) assert_int_equal(pto_inst_set_tile(ctx, inst, k, t[k]), PTO_OK);
  assert_int_equal(pto_inst_set_int(ctx, inst, last, flags), PTO_OK);
  const pto_status status = pto_inst_run(ctx, inst);
  pto_inst_release(inst);
  return status;
}

static void test_both_doors(void **state) {
  (void)state;
  enum { k_rounds = 3000 };
  static int64_t memory[k_bytes / 8], first[k_bytes / 8], filled[k_bytes / 8];
  pto_context *ctx[2][3];
  for (int p = 0; p < 3; ++p) {
    ctx[0][p] = pto_context_create((pto_profile)p);
    ctx[1][p] = pto_context_create((pto_profile)p);
  }
  uint64_t seed = 3;
  for (int i = 0; i < k_typed_count; ++i) {
    int done = 0;
    int refused = 0;
    for (int round = 0; round < k_rounds; ++round) {
      pto_tile *tiles[4] = {NULL, NULL, NULL, NULL};
      const pto_dtype dtype = (pto_dtype)(values_random(&seed) % 11);
      for (int k = 0; k < 4; ++k) {
        const uint64_t r = values_random(&seed);
        pto_tile_desc desc = layout_desc(&k_layouts[r % 3 == 0 ? (int)(r / 16 % k_layout_usual) : 0], dtype,
                                         (r >> 8) % 2 == 0 ? 8 : 11, 32);
        if ((r >> 20) % 8 == 0) desc.dtype = (pto_dtype)((r >> 24) % 11);
        desc.valid_rows = 4;
        desc.valid_cols = (r >> 16) % 8 == 0 ? 3 : 5;
        if ((r >> 32) % 10 == 0) continue;
        tiles[k] = pto_tile_wrap(ctx[0][0], &desc, (char *)memory + (r >> 40) % 8 * 512, k_bytes - 8 * 512);
        assert_true(tiles[k] != NULL || strcmp(pto_context_error_rule(ctx[0][0]), "wrap-bytes") == 0);
      }
      const uint32_t flags = values_random(&seed) % 8 == 0 ? (uint32_t)values_random(&seed) % 3 : 0;
      const int p = (int)(values_random(&seed) % 3);
      values_fill(dtype, (uint8_t *)filled, k_bytes / pto_dtype_bytes(dtype), seed);
      memcpy(memory, filled, k_bytes);
      const pto_status typed = call_typed(i, ctx[0][p], tiles, flags);
      memcpy(first, memory, k_bytes);
      memcpy(memory, filled, k_bytes);
      assert_int_equal(call_object(i, ctx[1][p], tiles, flags), typed);
      assert_memory_equal(memory, first, k_bytes);
      assert_string_equal(pto_context_error_message(ctx[0][p]), pto_context_error_message(ctx[1][p]));
      if (typed != PTO_OK) assert_memory_equal(memory, filled, k_bytes);
      done += typed == PTO_OK;
      refused += typed != PTO_OK;
      for (int k = 0; k < 4; ++k) pto_tile_release(tiles[k]);
    }
    if (done < 100 || refused < 100) fail_msg("%s: %d done, %d refused", k_typed[i].name, done, refused);
  }
  for (int p = 0; p < 3; ++p) {
    pto_context_release(ctx[0][p]);
    pto_context_release(ctx[1][p]);
  }
}

/* Each instruction over tiles is in the table above. */
static void test_every_instruction(void **state) {
  (void)state;
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const int32_t op = pto_op_at(i);
    int found = pto_op_operand_role(op, 0) == PTO_ROLE_TENSOR_OUT || pto_op_operand_role(op, 1) == PTO_ROLE_TENSOR_IN;
    for (int k = 0; k < k_typed_count; ++k) found |= strcmp(k_typed[k].name, pto_op_name(op)) == 0;
    if (!found) fail_msg("%s is not in k_typed", pto_op_name(op));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_doors), cmocka_unit_test(test_every_instruction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
