/*
 * op_rules.c: what the tests of the rules of instructions share.
 */
#include "op_rules.h"

int transfers(int32_t op) {
  return operand_of(op, PTO_ROLE_TENSOR_OUT) >= 0 || operand_of(op, PTO_ROLE_TENSOR_IN) >= 0;
}

/* Whether a profile moves the type only where it becomes another: out of acc, which test_rules_fixpipe.c has. */
static int becomes_another(int32_t op, int profile, pto_dtype lead) {
  if (!has_rule(op, "location-move", profile)) return 0;
  for (int32_t k = 0; k < 2; ++k) {
    if ((pto_op_operand_dtypes(op, k, (pto_profile)profile, lead) >> lead & 1) == 0) return 1;
  }
  return 0;
}

/* The element type that most profiles accept, of at least two bytes: 16 columns of it fill a row. */
static pto_dtype common_dtype(int32_t op) {
  static const pto_dtype k_order[] = {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_I32, PTO_DTYPE_I16, PTO_DTYPE_U32};
  pto_dtype best = PTO_DTYPE_F32;
  int most = 0;
  for (size_t i = 0; i < sizeof k_order / sizeof *k_order; ++i) {
    int n = 0;
    FOR_PROFILES(p, op, k_order[i]) n += becomes_another(op, p, k_order[i]) ? -4 : 1 + (p == PTO_PROFILE_CPU);
    if (n <= most) continue;
    most = n;
    best = k_order[i];
  }
  assert_true(most > 0);
  return best;
}

pto_dtype usual(int32_t op, pto_tile *tiles[k_operands]) {
  const pto_dtype dtype = common_dtype(op);
  operands_of(pto_op_name(op), dtype, tiles);
  return dtype;
}

const char *lead_name(int32_t op) { return pto_op_operand_name(op, pto_op_lead(op)); }

void set_valid(pto_tile *tile, int32_t rows, int32_t cols) {
  assert_int_equal(pto_tile_set_valid(CPU, tile, rows, cols), PTO_OK);
}

int judge(int32_t op, pto_tile *const *tiles, pto_status status, const char *rule, const char *operand,
          const char *texts) {
  int refused = 0;
  const pto_dtype dtype = pto_tile_dtype(tiles[pto_op_lead(op)]);
  FOR_PROFILES(p, op, dtype) {
    if (has_rule(op, rule, p)) {
      refuse(g_ctx[p], pto_op_name(op), tiles, 0, status, rule, operand, texts);
      ++refused;
    } else {
      accept(g_ctx[p], pto_op_name(op), tiles, 0);
    }
  }
  return refused;
}

void accept_all(int32_t op, pto_tile *const *tiles) {
  const pto_dtype dtype = pto_tile_dtype(tiles[pto_op_lead(op)]);
  FOR_PROFILES(p, op, dtype) accept(g_ctx[p], pto_op_name(op), tiles, 0);
}

int32_t parts_of(int32_t op) {
  FOR_NEEDED(op, k) {
    if (pto_op_operand_extent(op, k) == PTO_EXTENT_PART) return k;
  }
  return -1;
}

void regions(const char *rule, int32_t extent, const region_case *cases, int count) {
  int seen = 0;
  FOR_OPS(op) {
    if (is_product(op)) continue; /* test_rules_matrix.c */
    pto_tile *tiles[k_operands];
    const pto_dtype dtype = usual(op, tiles);
    FOR_NEEDED(op, k) {
      if (pto_op_operand_extent(op, k) != extent) continue;
      ++seen;
      const pto_dtype own = pto_tile_dtype(tiles[k]);
      pto_tile *const good = tiles[k];
      for (int i = 0; i < count; ++i) {
        const region_case *c = &cases[i];
        tiles[k] = c->layout == k_layout_dn ? tile_laid(k_layout_dn, own, 32, 1) : tile_sized(own, 24, 32);
        set_valid(tiles[k], c->rows, c->cols);
        /* One for each of the 16 rows or columns, and no more: of what a whole tile is filled with, on hardware. */
        const int32_t elements = extent == PTO_EXTENT_ROW && c->layout != k_layout_dn ? c->cols : c->rows;
        FOR_PROFILES(p, op, dtype) {
          if (c->texts == NULL && elements != 16 && has_rule(op, "vector-equal", p)) {
            refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, "vector-equal", pto_op_operand_name(op, k),
                   extent == PTO_EXTENT_ROW ? "16 valid columns" : "16 valid rows");
          } else if (c->texts == NULL) {
            accept(g_ctx[p], pto_op_name(op), tiles, 0);
          } else {
            refuse(g_ctx[p], pto_op_name(op), tiles, 0, PTO_ERROR_SHAPE, rule, pto_op_operand_name(op, k), c->texts);
          }
        }
      }
      tiles[k] = good;
    }
  }
  assert_true(seen > 0);
}

void lay_over(pto_tile **first, pto_tile **second, int64_t offset) {
  pto_tile *whole = tile_sized(PTO_DTYPE_U8, 256, 32);
  const pto_tile_desc one = desc_of(*first);
  const pto_tile_desc two = desc_of(*second);
  *first = keep(pto_tile_wrap(CPU, &one, pto_tile_data(whole), 4096));
  *second = keep(pto_tile_wrap(CPU, &two, (uint8_t *)pto_tile_data(whole) + offset, 8192 - offset));
}

int32_t extent_at(int32_t op, int32_t extent) {
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) {
    if (pto_op_operand_extent(op, k) == extent) return k;
  }
  return -1;
}

int is_whole(int32_t op) {
  const int32_t extent = pto_op_operand_extent(op, 0);
  return extent == PTO_EXTENT_WHOLE || extent == PTO_EXTENT_AROUND;
}
