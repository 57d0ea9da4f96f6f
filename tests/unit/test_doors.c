/*
 * test_doors.c: the typed function of an instruction and the instruction as an
 * object are one: the same status, text and bits, for legal and illegal calls.
 */
#include <stdlib.h>
#include <string.h>

#include "extents.h"
#include "layouts.h"
#include "profiles.h"
#include "testing.h"
#include "typed_calls.h"
#include "values.h"

enum { k_rounds = 600, k_least = 20, k_bytes = 8192, k_places = 8, k_place = 512 };

static int64_t g_memory[k_bytes / 8], g_first[k_bytes / 8], g_filled[k_bytes / 8];
static uint64_t g_seed = 3;

static uint64_t draw(uint64_t below) { return (values_random(&g_seed) >> 8) % below; }

/* A type that fits the lead operand's, now and then any. */
static pto_dtype any_type(int32_t op, int32_t operand, pto_profile profile, pto_dtype lead) {
  const uint32_t set = pto_op_operand_dtypes(op, operand, profile, lead);
  if (draw(12) == 0) return (pto_dtype)draw(11);
  for (pto_dtype d = lead; set != 0;) {
    if ((set >> d & 1) != 0) return d;
    d = (pto_dtype)((d + 1) % (PTO_DTYPE_E8M0 + 1));
  }
  return lead;
}

/* Tiles of 4x5 elements in any places of the memory, some of another region, layout or size, or absent. */
static pto_tile *any_tile(pto_context *ctx, int32_t op, int32_t operand, pto_dtype dtype) {
  const int layout = draw(3) == 0 ? (int)draw(k_layout_usual) : k_layout_nd;
  pto_tile_desc desc = layout_desc(&k_layouts[layout], dtype, draw(2) == 0 ? 8 : 11, 32);
  desc.valid_rows = 4;
  desc.valid_cols = extent_is_even(op) ? 4 : 5;
  extent_of_move(op, operand, &desc.valid_rows, &desc.valid_cols);
  if (pto_op_operand_extent(op, operand) == PTO_EXTENT_RIGHT) desc.valid_rows = 5;
  const int window = pto_op_operand_extent(op, operand) == PTO_EXTENT_WINDOW;
  desc.valid_rows += window;
  desc.valid_cols += draw(12) == 0 ? -2 : window;
  desc = layout_asked(&desc);
  if (draw(16) == 0) return NULL;
  pto_tile *tile = pto_tile_wrap(ctx, &desc, (char *)g_memory + draw(k_places) * k_place, k_bytes - k_places * k_place);
  assert_true(tile != NULL || strcmp(pto_context_error_rule(ctx), "wrap-bytes") == 0);
  return tile;
}

/* Takes an image and a filter, not a matrix. */
static int is_image(int32_t op) { return strcmp(pto_op_name(op), "timg2col") == 0; }

static pto_tensor *any_tensor(pto_context *ctx, int32_t op, pto_dtype dtype) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = 2;
  desc.dim0 = 4;
  desc.dim1 = draw(8) == 0 ? 3 : 5;
  if (is_image(op) && draw(4) != 0) {
    desc.layout = PTO_LAYOUT_NC1HWC0;
    desc.rank = 5;
    desc.dim0 = desc.dim1 = 1;
    desc.dim2 = desc.dim3 = 2;
    desc.dim4 = 5;
  }
  if (draw(16) == 0) return NULL;
  pto_tensor *tensor =
      pto_tensor_wrap(ctx, &desc, (char *)g_memory + draw(k_places) * k_place, k_bytes - k_places * k_place);
  assert_non_null(tensor);
  return tensor;
}

static typed_operands any_operands(pto_context *ctx, int32_t op, pto_profile profile, pto_dtype dtype) {
  typed_operands t;
  memset(&t, 0, sizeof t);
  int numbers = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    switch (pto_op_operand_role(op, i)) {
      case PTO_ROLE_TENSOR_OUT:
      case PTO_ROLE_TENSOR_IN:
        t.tensor = any_tensor(ctx, op, dtype);
        break;
      case PTO_ROLE_SCALAR:
        t.scalar = draw(2) == 0 ? pto_int((int64_t)draw(9) - 2) : draw(2) == 0 ? pto_float(2.5) : pto_bits(draw(99));
        break;
      case PTO_ROLE_INT:
      case PTO_ROLE_MODE:
        t.numbers[numbers++] = is_image(op) && draw(40) != 0 ? 1 : (int32_t)draw(draw(4) == 0 ? 9 : 2);
        break;
      case PTO_ROLE_FLAGS:
        t.flags = draw(8) == 0 ? (uint32_t)draw(3) : 0;
        break;
      default:
        t.tiles[i] = any_tile(ctx, op, i, any_type(op, i, profile, dtype));
    }
  }
  return t;
}

static pto_status call_object(pto_context *ctx, int32_t op, const typed_operands *t) {
  pto_inst *inst = pto_inst_create(ctx, pto_op_name(op));
  int numbers = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    pto_status status = PTO_OK;
    switch (pto_op_operand_role(op, i)) {
      case PTO_ROLE_TENSOR_OUT:
      case PTO_ROLE_TENSOR_IN:
        status = pto_inst_set_tensor(ctx, inst, i, t->tensor);
        break;
      case PTO_ROLE_SCALAR:
        status = pto_inst_set_scalar(ctx, inst, i, t->scalar);
        break;
      case PTO_ROLE_INT:
      case PTO_ROLE_MODE:
        status = pto_inst_set_int(ctx, inst, i, t->numbers[numbers++]);
        break;
      case PTO_ROLE_FLAGS:
        status = pto_inst_set_int(ctx, inst, i, t->flags);
        break;
      default:
        status = pto_inst_set_tile(ctx, inst, i, t->tiles[i]);
    }
    assert_int_equal(status, PTO_OK);
  }
  const pto_status status = pto_inst_run(ctx, inst);
  pto_inst_release(inst);
  return status;
}

/* One call through both doors: 1 when it was done. */
static int through_both(pto_context *ctx[2][k_profiles], int32_t op) {
  const pto_profile p = (pto_profile)(draw(2) == 0 ? 0 : draw(k_profiles));
  pto_dtype dtype = (pto_dtype)draw(11);
  while (!pto_op_supports(op, PTO_PROFILE_CPU, dtype, 0) && draw(8) != 0) dtype = (pto_dtype)draw(11);
  typed_operands t = any_operands(ctx[0][0], op, p, dtype);
  values_fill(dtype, (uint8_t *)g_filled, k_bytes / pto_dtype_bytes(dtype), g_seed);
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (!holds_indices(op, i) || t.tiles[i] == NULL) continue;
    const int64_t at = (const char *)pto_tile_data(t.tiles[i]) - (const char *)g_memory;
    memset((char *)g_filled + at, 0, (size_t)pto_tile_bytes(t.tiles[i]));
  }
  memcpy(g_memory, g_filled, k_bytes);
  const pto_status typed = typed_call(ctx[0][p], op, &t);
  memcpy(g_first, g_memory, k_bytes);
  memcpy(g_memory, g_filled, k_bytes);
  assert_int_equal(call_object(ctx[1][p], op, &t), typed);
  assert_memory_equal(g_memory, g_first, k_bytes);
  assert_string_equal(pto_context_error_message(ctx[0][p]), pto_context_error_message(ctx[1][p]));
  if (typed != PTO_OK) assert_memory_equal(g_memory, g_filled, k_bytes);
  for (int i = 0; i < 8; ++i) pto_tile_release(t.tiles[i]);
  pto_tensor_release(t.tensor);
  return typed == PTO_OK;
}

static void test_both_doors(void **state) {
  (void)state;
  pto_context *ctx[2][k_profiles];
  for (int p = 0; p < k_profiles; ++p) {
    ctx[0][p] = pto_context_create((pto_profile)p);
    ctx[1][p] = pto_context_create((pto_profile)p);
  }
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    int done = 0;
    for (int round = 0; round < k_rounds; ++round) done += through_both(ctx, pto_op_at(i));
    if (has_own_shapes(pto_op_at(i))) continue;
    if (done < k_least || k_rounds - done < k_least) {
      fail_msg("%s: %d of %d done", pto_op_name(pto_op_at(i)), done, k_rounds);
    }
  }
  for (int p = 0; p < k_profiles; ++p) {
    pto_context_release(ctx[0][p]);
    pto_context_release(ctx[1][p]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_doors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
