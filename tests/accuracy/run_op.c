/*
 * run_op.c: instructions with the operands that the library reports, so that a new one is tested without a change
 * here. Tiles lie over the caller's memory: nothing is copied but what an instruction both reads and writes.
 */
#include "run_op.h"

#include <stdio.h>
#include <string.h>

#include "../common/extents.h"
#include "../common/typed_calls.h"

/* The number of elements of lines that are folded, and of rows of triangles. */
enum { k_line = 61, k_side = 47 };

static pto_inst *complain(pto_context *ctx, int32_t op, pto_inst *inst, const char *what) {
  fprintf(stderr, "%s on %s: %s: %s\n", pto_op_name(op), pto_context_target(ctx), what, pto_context_error_message(ctx));
  pto_inst_release(inst);
  return NULL;
}

static int is_tile(int32_t role) { return role == PTO_ROLE_OUT || role == PTO_ROLE_INOUT || role == PTO_ROLE_IN; }

static int count_of(int32_t op, pto_role role) {
  int n = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) n += pto_op_operand_role(op, i) == (int32_t)role;
  return n;
}

/* Sets an operand to a row-major tile over memory; NULL after a message, with the instruction released. */
static pto_inst *set_tile(pto_context *ctx, int32_t op, pto_inst *inst, int32_t operand, pto_dtype dtype, int32_t rows,
                          int32_t cols, void *data) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rows = rows;
  desc.cols = cols;
  desc.valid_rows = PTO_VALID_ALL;
  desc.valid_cols = PTO_VALID_ALL;
  pto_tile *tile = pto_tile_wrap(ctx, &desc, data, (int64_t)rows * cols * pto_dtype_bytes(dtype));
  if (tile == NULL) return complain(ctx, op, inst, "wrap");
  const pto_status status = pto_inst_set_tile(ctx, inst, operand, tile);
  pto_tile_release(tile);
  return status == PTO_OK ? inst : complain(ctx, op, inst, "operand");
}

pto_inst *run_op_prepare(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, int32_t rows, int32_t cols,
                         int32_t b_rows, const void *a, const void *b, void *out) {
  pto_inst *inst = pto_inst_create(ctx, pto_op_name(op));
  if (inst == NULL) return complain(ctx, op, inst, "create");
  int sources = 0;
  for (int32_t i = 0; inst != NULL && i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    if (role == PTO_ROLE_FLAGS && pto_inst_set_int(ctx, inst, i, flags) != PTO_OK) {
      return complain(ctx, op, inst, "flags");
    }
    if (!is_tile(role)) continue;
    void *data = out;
    if (role == PTO_ROLE_IN) {
      if (++sources > 2) return complain(ctx, op, inst, "has three sources");
      /* The library only reads sources; wrapping asks for a plain pointer. */
      memcpy(&data, sources == 1 ? &a : &b, sizeof data);
    }
    inst = set_tile(ctx, op, inst, i, dtype, sources == 2 ? b_rows : rows, cols, data);
  }
  return inst;
}

/* ---- every instruction ---- */

static int has_extent(int32_t op, int32_t extent) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    if (pto_op_operand_extent(op, i) == extent) return 1;
  }
  return 0;
}

/* The operand whose types are walked when it is the elements that have others than the result; -1 when none is. */
static int32_t converted(int32_t op) {
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    if (role != PTO_ROLE_IN || pto_op_operand_extent(op, i) != PTO_EXTENT_SAME || i == pto_op_lead(op)) continue;
    const uint32_t set = pto_op_operand_dtypes(op, i, PTO_PROFILE_CPU, PTO_DTYPE_F32);
    if (set != 0 && (set & (set - 1)) != 0) return i;
  }
  return -1;
}

/* The n-th type of a set, which has more than n. */
static pto_dtype type_at(uint32_t set, int n) {
  for (int d = 0;; ++d) {
    if ((set >> d & 1) != 0 && n-- == 0) return (pto_dtype)d;
  }
}
/* Packed elements have no bytes of their own here: tests/tensor/test_packed.c. */
static int types_in(uint32_t set) {
  int n = 0;
  for (set &= (UINT32_C(1) << PTO_DTYPE_E2M1) - 1; set != 0; set &= set - 1) ++n;
  return n;
}

/* The parts that vary, each with its number of choices: types of its own, modes, integers, scalars. */
static int choices(int32_t op, int32_t operand, pto_dtype lead) {
  const int32_t role = pto_op_operand_role(op, operand);
  int n = 0;
  if (role == PTO_ROLE_SCALAR) return 3;
  if (role == PTO_ROLE_INT) return extent_has_window(op) || count_of(op, PTO_ROLE_INT) > 2 ? 1 : 3;
  while (role == PTO_ROLE_MODE && pto_op_operand_mode_value(op, operand, n) != NULL) ++n;
  /* One operand with types of its own; the others have the same. */
  if (is_tile(role)) {
    for (int32_t i = 0; i < operand; ++i) {
      if (types_in(pto_op_operand_dtypes(op, i, PTO_PROFILE_CPU, lead)) > 1) return 1;
    }
    n = types_in(pto_op_operand_dtypes(op, operand, PTO_PROFILE_CPU, lead));
  }
  return n > 1 ? n : 1;
}

/* A conversion is asked for with the type that it reads: the types that it writes vary too. */
static uint32_t lead_types(int32_t op, pto_dtype dtype) {
  const int32_t from = converted(op);
  uint32_t set = 0;
  if (from < 0) return pto_op_supports(op, PTO_PROFILE_CPU, dtype, 0) ? (uint32_t)1 << dtype : 0;
  for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bits(d) >= 8; d = (pto_dtype)(d + 1)) {
    if ((pto_op_operand_dtypes(op, from, PTO_PROFILE_CPU, d) >> dtype & 1) != 0) set |= (uint32_t)1 << d;
  }
  return set;
}

int run_op_variants(int32_t op, pto_dtype dtype) {
  const uint32_t leads = lead_types(op, dtype);
  int n = types_in(leads);
  /* Indices must be some: test_irregular moves elements by them, on every target. */
  if (has_extent(op, PTO_EXTENT_INDEX) || has_extent(op, PTO_EXTENT_BLOCK_INDEX)) return 0;
  if (has_own_shapes(op)) return 0;
  for (int32_t i = 0; n > 0 && i < pto_op_operand_count(op); ++i) {
    if (i != converted(op)) n *= choices(op, i, type_at(leads, 0));
  }
  return n;
}

static int32_t extent_count(int32_t extent, int32_t rows, int32_t cols, pto_dtype dtype, int32_t *tile_rows) {
  *tile_rows = rows;
  switch (extent) {
    case PTO_EXTENT_ROW:
    case PTO_EXTENT_COL_RESULTS:
      *tile_rows = 1;
      return cols;
    case PTO_EXTENT_COLUMN:
    case PTO_EXTENT_ROW_RESULTS:
      return 1;
    case PTO_EXTENT_BITS: {
      const int32_t bits = 8 * pto_dtype_bytes(dtype);
      return (cols + bits - 1) / bits;
    }
    case PTO_EXTENT_FIRST:
      *tile_rows = 1;
      return 1;
    default:
      return cols;
  }
}

/* The shape of the lead operand over this number of elements. */
static void shape_of(int32_t op, int32_t count, int32_t *rows, int32_t *cols) {
  const int by_row = has_extent(op, PTO_EXTENT_ROW_RESULTS);
  const int down = has_extent(op, PTO_EXTENT_COLUMN) || has_extent(op, PTO_EXTENT_REPEAT);
  const int by_col = has_extent(op, PTO_EXTENT_COL_RESULTS) || count_of(op, PTO_ROLE_INT) != 0;
  if (has_extent(op, PTO_EXTENT_LEFT)) {
    *rows = *cols = count < k_side * k_side ? 1 : k_side; /* and so are both factors */
    return;
  }
  *rows = by_row ? count / k_line : by_col ? k_line : down ? count : 1;
  *cols = by_row ? k_line : by_col ? count / k_line : down ? 1 : count;
}

static uint64_t element_bits(pto_dtype dtype, const void *data, size_t i) {
  uint64_t bits = 0;
  const size_t bytes = (size_t)pto_dtype_bytes(dtype);
  for (size_t k = 0; k < bytes; ++k) {
    uint8_t byte;
    memcpy(&byte, (const char *)data + i * bytes + k, 1);
    bits |= (uint64_t)byte << (8 * k);
  }
  return bits;
}

int run_op_variant(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, int variant, size_t count,
                   const void *a, const void *b, void *out, run_result *result) {
  const uint32_t leads = lead_types(op, dtype);
  const int32_t from = converted(op);
  const pto_dtype lead = type_at(leads, variant % types_in(leads));
  variant /= types_in(leads);
  int32_t rows = 0;
  int32_t cols = 0;
  size_t widest = (size_t)pto_dtype_bytes(dtype);
  int own = 0; /* which of the types of its own */
  int picked[16] = {0};
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int n = i == from ? 1 : choices(op, i, lead);
    picked[i] = variant % n;
    variant /= n;
    if (is_tile(pto_op_operand_role(op, i)) && n > 1) own = picked[i];
  }
  pto_inst *inst = pto_inst_create(ctx, pto_op_name(op));
  if (inst == NULL) return complain(ctx, op, inst, "create") != NULL;
  pto_dtype types[16] = {PTO_DTYPE_I8};
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const uint32_t set = pto_op_operand_dtypes(op, i, PTO_PROFILE_CPU, lead);
    types[i] = i == from           ? dtype
               : types_in(set) > 1 ? type_at(set, own % types_in(set))
               : set != 0          ? type_at(set, 0)
                                   : lead;
    const int32_t role = pto_op_operand_role(op, i);
    const int read = role == PTO_ROLE_IN || role == PTO_ROLE_INOUT;
    const int whole = read && pto_op_operand_extent(op, i) != PTO_EXTENT_BITS;
    const size_t bytes = (size_t)pto_dtype_bytes(types[i]);
    if (whole && bytes > widest) widest = bytes;
  }
  /* A wider source reads fewer elements from the same memory. */
  shape_of(op, (int32_t)(count * (size_t)pto_dtype_bytes(dtype) / widest), &rows, &cols);
  if (extent_is_even(op)) cols -= cols % 2;
  if (has_extent(op, PTO_EXTENT_DOUBLE)) cols /= 2;
  const void *const streams[] = {a, b, a, b, a, b};
  const int inputs = count_of(op, PTO_ROLE_IN);
  int source = 0;
  char *to = out;
  result->outputs = 0;
  for (int32_t i = 0; inst != NULL && i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    pto_status status = PTO_OK;
    if (role == PTO_ROLE_FLAGS) status = pto_inst_set_int(ctx, inst, i, flags);
    if (role == PTO_ROLE_MODE) status = pto_inst_set_int(ctx, inst, i, picked[i]);
    if (role == PTO_ROLE_INT) status = pto_inst_set_int(ctx, inst, i, extent_has_window(op) ? 0 : 40 * (picked[i] - 1));
    if (role == PTO_ROLE_SCALAR) {
      /* Has its own type, if that is only one; of several, the type of the sources. */
      const uint32_t set = pto_op_operand_dtypes(op, i, PTO_PROFILE_CPU, lead);
      const pto_dtype own_type = types_in(set) == 1 ? types[i] : dtype;
      const size_t there = count * (size_t)pto_dtype_bytes(dtype) / (size_t)pto_dtype_bytes(own_type);
      const size_t at = (size_t)picked[i] * there / 4 + there / 9;
      status = pto_inst_set_scalar(ctx, inst, i, pto_bits(element_bits(own_type, b, at)));
    }
    if (status != PTO_OK) return complain(ctx, op, inst, "value") != NULL;
    if (!is_tile(role)) continue;
    int32_t tile_rows = 0;
    int32_t tile_cols = extent_count(pto_op_operand_extent(op, i), rows, cols, types[i], &tile_rows);
    extent_of_move(op, i, &tile_rows, &tile_cols);
    const size_t elements = (size_t)tile_rows * (size_t)tile_cols;
    const size_t bytes = elements * (size_t)pto_dtype_bytes(types[i]);
    void *data = to;
    if (role == PTO_ROLE_IN) {
      memcpy(&data, &streams[source++], sizeof data);
    } else {
      memset(to, 0, bytes);
      if (role == PTO_ROLE_INOUT) memcpy(to, inputs == 1 ? b : a, bytes);
      result->data[result->outputs] = to;
      result->dtype[result->outputs] = types[i];
      result->count[result->outputs++] = elements;
      to += (bytes + 63) / 64 * 64;
    }
    inst = set_tile(ctx, op, inst, i, types[i], tile_rows, tile_cols, data);
  }
  if (inst == NULL) return 0;
  if (pto_inst_run(ctx, inst) != PTO_OK) return complain(ctx, op, inst, "run") != NULL;
  pto_inst_release(inst);
  return 1;
}

int run_op(pto_context *ctx, int32_t op, pto_dtype dtype, uint32_t flags, size_t count, const void *a, const void *b,
           void *out) {
  pto_inst *inst = run_op_prepare(ctx, op, dtype, flags, 1, (int32_t)count, 1, a, b, out);
  if (inst == NULL) return 0;
  if (pto_inst_run(ctx, inst) != PTO_OK) return complain(ctx, op, inst, "run") != NULL;
  pto_inst_release(inst);
  return 1;
}

int run_op_flags(int32_t op, int index, uint32_t *flags) {
  const uint32_t all = (uint32_t)pto_op_flags(op);
  *flags = 0;
  if (count_of(op, PTO_ROLE_TENSOR_OUT) + count_of(op, PTO_ROLE_TENSOR_IN) != 0) return 0;
  for (uint32_t bit = 1; index > 0; bit <<= 1) {
    if (bit == 0 || bit > all) return 0;
    if ((all & bit) == 0) continue;
    *flags = bit;
    --index;
  }
  return 1;
}

pto_context *run_op_next_context(int32_t *target) {
  for (; *target < pto_target_count(); ++*target) {
    if (!pto_target_supported(*target)) continue;
    return pto_context_create_for(PTO_PROFILE_CPU, pto_target_name((*target)++));
  }
  return NULL;
}
