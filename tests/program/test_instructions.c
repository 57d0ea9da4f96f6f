/* Every instruction of the table as text: in each spelling, with each kind of operand that its record has, of all
 * element types. The text is made from the library's own table of instructions, so that a new record is covered
 * without a line here, and each run gives the bytes of the instruction's own C function. */
#include <stdio.h>

#include "../common/extents.h"
#include "../common/only_op.h"
#include "../common/typed_calls.h"
#include "../tensor/tensor_help.h"

enum { kOperands = 12, kRows = 4, kCols = 32, kTries = 240 };

static pto_profile g_profile;
static uint32_t g_random = 1;
static uint32_t below(uint32_t n) {
  g_random = g_random * 1664525u + 1013904223u;
  return (g_random >> 8) % n;
}

/* How programs spell modes; written down here once more on purpose. */
static const struct {
  const char *mode, *format;
  int two;
} k_modes[] = {{"cmp", "cmpMode = #pto<cmp %s>", 0},
               {"round", "rmode = #pto.round_mode<CAST_%s>", 0},
               {"sat", "sat_mode = %s", 0},
               {"order", "isBinary = %s", 1},
               {"direction", "descending = %s", 1},
               {"triangle", "isUpperOrLower = %s", 1},
               {"insert", "insertMode = #pto<insert_mode %s>", 0},
               {"mask", "maskPattern = #pto.mask_pattern<%s>", 0},
               {"gather_axis", "gatherAxis = GATHER_%s", 0},
               {"scatter_axis", "scatterAxis = SCATTER_%s", 0},
               {"rounds", "rounds = %s", 0},
               {"relu", "reluPreMode = #pto<relu_pre_mode %s>", 0},
               {"acc_to_vec", "accToVecMode = #pto<acc_to_vec_mode %s>", 0},
               {"mad", "madMode = #pto<mad_mode %s>", 0}};

static const char *const k_types[] = {"i8",  "ui8",  "i16", "ui16",     "i32",    "ui32", "i64",      "ui64",
                                      "f16", "bf16", "f32", "f8E4M3FN", "f8E5M2", "hif8", "f8E8M0FNU"};

struct call {
  int32_t op;
  int count, outs, in_count;
  int spare_row;      /* of tmp */
  int ins[kOperands]; /* operands in the order of the text */
  pto_dtype lead, dtypes[kOperands];
  pto_dtype scalar_type;
  uint64_t scalar_bits;
  pto_tile *tiles[kOperands], *direct[kOperands];
  typed_operands typed;
  char attributes[160];
};

static int is_tile(int32_t role) {
  return role == PTO_ROLE_OUT || role == PTO_ROLE_IN || role == PTO_ROLE_INOUT || role == PTO_ROLE_TMP;
}

/* Sources as the documents have them: a scalar after the tiles that are read and before tmp, except for these. */
static void order_sources(struct call *c, int with_tmp) {
  static const struct {
    const char *name;
    int place; /* of the scalar, in tiles */
  } k_own[] = {{"taddsc", 1}, {"tsubsc", 1}, {"tdivs_scalar", 0}, {"tsels", 3}};
  int scalar = -1, place = 0, tmp = -1;
  int tiles[kOperands], n = 0;
  for (int i = c->outs; i < c->count; ++i) {
    const int32_t role = pto_op_operand_role(c->op, i);
    if (role == PTO_ROLE_IN) tiles[n++] = i;
    if (role == PTO_ROLE_TMP) tmp = i;
    if (role == PTO_ROLE_SCALAR) scalar = i;
  }
  place = n;
  if (tmp >= 0 && with_tmp) tiles[n++] = tmp;
  for (size_t k = 0; k < sizeof k_own / sizeof *k_own; ++k) {
    if (strcmp(k_own[k].name, pto_op_name(c->op)) == 0) place = k_own[k].place;
  }
  if (place > n) place = n;
  c->in_count = 0;
  for (int i = 0; i <= n; ++i) {
    if (i == place && scalar >= 0) c->ins[c->in_count++] = scalar;
    if (i < n) c->ins[c->in_count++] = tiles[i];
  }
  for (int i = 0; i < c->count; ++i) {
    if (pto_op_operand_role(c->op, i) == PTO_ROLE_INT) c->ins[c->in_count++] = i;
  }
}

static int is_product(const struct call *c) {
  for (int i = 0; i < c->count; ++i) {
    if (pto_op_operand_extent(c->op, i) == PTO_EXTENT_LEFT) return 1;
  }
  return 0;
}

/* A matrix, an accumulator or a bias where and as hardware wants it. */
static void product_desc(const struct call *c, int i, pto_tile_desc *desc) {
  const int32_t extent = pto_op_operand_extent(c->op, i);
  const int left = extent == PTO_EXTENT_LEFT, right = extent == PTO_EXTENT_RIGHT, bias = extent == PTO_EXTENT_ROW;
  if (extent == PTO_EXTENT_LEFT_SCALES || extent == PTO_EXTENT_RIGHT_SCALES) {
    const int of_left = extent == PTO_EXTENT_LEFT_SCALES;
    desc->location = of_left ? PTO_LOCATION_SCALE_LEFT : PTO_LOCATION_SCALE_RIGHT;
    desc->blayout = of_left ? PTO_BLAYOUT_ROW_MAJOR : PTO_BLAYOUT_COL_MAJOR;
    desc->slayout = of_left ? PTO_SLAYOUT_ROW_MAJOR : PTO_SLAYOUT_COL_MAJOR;
    desc->fractal = 32;
    desc->rows = desc->cols = 32;
    desc->valid_rows = !of_left || strncmp(pto_op_name(c->op), "tgemv", 5) == 0 ? 1 : 3;
    desc->valid_cols = of_left ? 1 : 20;
    return;
  }
  desc->location = left ? PTO_LOCATION_LEFT : right ? PTO_LOCATION_RIGHT : bias ? PTO_LOCATION_BIAS : PTO_LOCATION_ACC;
  desc->blayout = right || bias ? PTO_BLAYOUT_ROW_MAJOR : PTO_BLAYOUT_COL_MAJOR;
  desc->slayout = bias ? PTO_SLAYOUT_NONE_BOX : right ? PTO_SLAYOUT_COL_MAJOR : PTO_SLAYOUT_ROW_MAJOR;
  desc->fractal = left || right || bias ? 512 : 1024;
  desc->rows = bias ? 1 : 32;
  desc->cols = 32;
  desc->valid_rows = bias || strncmp(pto_op_name(c->op), "tgemv", 5) == 0 ? 1 : 3;
  if (right) desc->valid_rows = 20;
  if (pto_dtype_bytes(desc->dtype) == 1) *(left ? &desc->cols : right ? &desc->rows : &desc->cols) = 64;
  desc->valid_cols = 20;
}

static int converts_sums(const struct call *c) {
  for (int i = 0; i < c->count; ++i) {
    const char *mode = pto_op_operand_mode(c->op, i);
    if (mode != NULL && strcmp(mode, "relu") == 0) return 1;
  }
  /* A2A3 inserts sums that it converts, and between tiles in vec. */
  return strcmp(pto_op_name(c->op), "tinsert") == 0 && g_profile == PTO_PROFILE_A2A3 && c->dtypes[0] != c->lead;
}

/* Sums, words and what becomes of them, where and as hardware wants them. */
static void sums_desc(const struct call *c, int i, pto_tile_desc *desc) {
  const int words = pto_op_operand_extent(c->op, i) == PTO_EXTENT_ROW, dst = i == 0;
  desc->location = words ? PTO_LOCATION_SCALING : dst ? PTO_LOCATION_MAT : PTO_LOCATION_ACC;
  if (words) {
    desc->rows = desc->valid_rows = 1;
    return;
  }
  desc->blayout = PTO_BLAYOUT_COL_MAJOR;
  desc->slayout = PTO_SLAYOUT_ROW_MAJOR;
  desc->fractal = dst ? 512 : 1024;
  desc->rows = 32;
  desc->cols = 32;
}

static int has_own_region(int32_t op) {
  int own = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) own |= pto_op_operand_extent(op, i) == PTO_EXTENT_OWN;
  return own && !extent_has_window(op);
}

static pto_tile *tile_of(pto_context *ctx, const struct call *c, int i) {
  pto_tile_desc desc = tile_desc(c->dtypes[i], kRows, kCols);
  desc.valid_rows = 3;
  desc.valid_cols = has_own_region(c->op) ? kCols : 20; /* of these some fill whole rows */
  /* Some instructions want scratch of their own region, some a row more. */
  if (pto_op_operand_role(c->op, i) == PTO_ROLE_TMP) {
    if (c->spare_row) desc.valid_rows = kRows;
    desc.rows = kCols; /* room for columns */
  }
  switch (pto_op_operand_extent(c->op, i)) {
    case PTO_EXTENT_ROW:
    case PTO_EXTENT_COL_RESULTS:
      desc.rows = desc.valid_rows = 1;
      break;
    case PTO_EXTENT_COLUMN:
    case PTO_EXTENT_ROW_RESULTS:
      desc.valid_cols = 1;
      break;
    case PTO_EXTENT_BITS:
      desc.valid_cols = kCols;
      break;
    case PTO_EXTENT_FIRST:
      desc.valid_rows = desc.valid_cols = 1;
      break;
    case PTO_EXTENT_WINDOW: /* there is room for a window that begins later */
      desc.valid_rows += 2;
      desc.valid_cols += 2;
      desc.rows = desc.valid_rows;
      break;
    default:
      extent_of_move(c->op, i, &desc.valid_rows, &desc.valid_cols);
      desc.rows = desc.valid_rows > desc.rows ? desc.valid_rows : desc.rows;
      desc.cols = desc.valid_cols > desc.cols ? 2 * desc.cols : desc.cols;
  }
  if (strcmp(pto_op_name(c->op), "tci") == 0) desc.valid_rows = 1; /* all that it fills, and hardware takes no more */
  if (is_product(c)) product_desc(c, i, &desc);
  if (converts_sums(c)) sums_desc(c, i, &desc);
  return make_tile(ctx, &desc);
}

static char *say(char *at, const char *format, const char *text) { return at + sprintf(at, format, text); }

static void write_type(char *out, const pto_tile *t) {
  static const char *const k_locations[] = {"vec",  "mat",     "left",       "right",      "acc",
                                            "bias", "scaling", "scale_left", "scale_right"};
  static const char *const k_orders[] = {"row_major", "col_major"}, *const k_boxes[] = {"none_box", "row_major",
                                                                                        "col_major"};
  if (pto_tile_location(t) != PTO_LOCATION_VEC) {
    sprintf(out,
            "!pto.tile_buf<loc=%s, dtype=%s, rows=%d, cols=%d, v_row=%d, v_col=%d, blayout=%s, slayout=%s, fractal=%d, "
            "pad=0>",
            k_locations[pto_tile_location(t)], k_types[pto_tile_dtype(t)], pto_tile_rows(t), pto_tile_cols(t),
            pto_tile_valid_rows(t), pto_tile_valid_cols(t), k_orders[pto_tile_blayout(t)], k_boxes[pto_tile_slayout(t)],
            pto_tile_fractal(t));
    return;
  }
  sprintf(out, "!pto.tile_buf<vec, %dx%dx%s, valid=%dx%d>", pto_tile_rows(t), pto_tile_cols(t),
          k_types[pto_tile_dtype(t)], pto_tile_valid_rows(t), pto_tile_valid_cols(t));
}

static int is_float(pto_dtype dtype) { return dtype >= PTO_DTYPE_F16; }
static int is_nan(pto_dtype dtype, uint64_t bits) {
  return dtype == PTO_DTYPE_F32    ? (bits & 0x7FFFFFFF) > 0x7F800000
         : dtype == PTO_DTYPE_F16  ? (bits & 0x7FFF) > 0x7C00
         : dtype == PTO_DTYPE_BF16 ? (bits & 0x7FFF) > 0x7F80
                                   : 0;
}

/* A number of a call, and its type, as text. */
static void write_number(const struct call *c, int operand, char *number, char *type) {
  strcpy(type, "i32");
  if (pto_op_operand_role(c->op, operand) == PTO_ROLE_INT) {
    int n = 0;
    for (int i = 0; i < operand; ++i) {
      const int32_t role = pto_op_operand_role(c->op, i);
      n += role == PTO_ROLE_INT || role == PTO_ROLE_MODE;
    }
    sprintf(number, "%d", (int)c->typed.numbers[n]);
    return;
  }
  strcpy(type, k_types[c->scalar_type]);
  if (is_float(c->scalar_type) || below(2)) {
    sprintf(number, "0x%llX", (unsigned long long)c->scalar_bits);
    return;
  }
  /* The number that the bits are, with its sign. */
  const int width = 8 * pto_dtype_bytes(c->scalar_type);
  const uint64_t sign = c->scalar_type % 2 == 0 ? (uint64_t)1 << (width - 1) : 0;
  if ((c->scalar_bits & sign) != 0) {
    sprintf(number, "-%llu", (unsigned long long)((sign - (c->scalar_bits ^ sign))));
  } else {
    sprintf(number, "%llu", (unsigned long long)c->scalar_bits);
  }
}

/* The statement: spelling 0 asm, 1 ssa, 2 dps; a number as an immediate or as a constant. */
static void write_program(char *text, const struct call *c, int spelling, int typed, int constant) {
  char type[200];
  char *at = text + sprintf(text, "func.func @main(");
  for (int i = 0, first = 1; i < c->count; ++i) {
    if (c->tiles[i] == NULL) continue;
    write_type(type, c->tiles[i]);
    at += sprintf(at, "%s%%%s: %s", first ? "" : ", ", pto_op_operand_name(c->op, i), type);
    first = 0;
  }
  at += sprintf(at, ") {\n");
  char number[kOperands][64], number_type[kOperands][16];
  for (int k = 0; k < c->in_count; ++k) {
    const int i = c->ins[k];
    if (c->tiles[i] != NULL) continue;
    write_number(c, i, number[i], number_type[i]);
    if (!constant) continue;
    at += sprintf(at, "  %%number%d = arith.constant %s : %s\n  ", i, number[i], number_type[i]);
    sprintf(number[i], "%%number%d", i);
  }
  char ins[256] = "", in_types[800] = "", outs[64] = "", out_types[300] = "";
  char *in = ins, *in_type = in_types, *out = outs, *out_type = out_types;
  for (int k = 0; k < c->in_count; ++k) {
    const int i = c->ins[k];
    if (k > 0) in = say(in, "%s", ", "), in_type = say(in_type, "%s", ", ");
    if (c->tiles[i] != NULL) {
      in = say(in, "%%%s", pto_op_operand_name(c->op, i));
      write_type(type, c->tiles[i]);
      in_type = say(in_type, "%s", type);
    } else {
      in = say(in, "%s", number[i]);
      in_type = say(in_type, "%s", number_type[i]);
    }
  }
  for (int i = 0; i < c->outs; ++i) {
    if (i > 0) out = say(out, "%s", ", "), out_type = say(out_type, "%s", ", ");
    out = say(out, "%%%s", pto_op_operand_name(c->op, i));
    write_type(type, c->tiles[i]);
    out_type = say(out_type, "%s", type);
  }
  const char *name = pto_op_mnemonic(c->op);
  if (spelling == 2) {
    sprintf(at, "pto.%s ins(%s%s%s) outs(%s%s%s)%s\nreturn\n}\n", name, ins, typed ? " : " : "", typed ? in_types : "",
            outs, typed ? " : " : "", typed ? out_types : "", c->attributes);
  } else {
    at += sprintf(at, "%s = %s%s %s%s", outs, spelling == 1 ? "pto." : "", name, ins, c->attributes);
    if (typed)
      at += sprintf(at, " : (%s) -> %s%s%s", in_types, c->outs > 1 ? "(" : "", out_types, c->outs > 1 ? ")" : "");
    sprintf(at, "\nreturn\n}\n");
  }
}

/* Any bits, except for indices. */
static void hold(int32_t op, int32_t operand, pto_tile *tile, uint32_t seed) {
  fill(pto_tile_data(tile), (size_t)pto_tile_bytes(tile), seed);
  if (holds_indices(op, operand)) memset(pto_tile_data(tile), 0, (size_t)pto_tile_bytes(tile));
}

static void run_text(pto_context *ctx, struct call *c, const char *text) {
  uint32_t seed = 1;
  for (int i = 0; i < c->count; ++i) {
    if (c->tiles[i] != NULL) hold(c->op, i, c->tiles[i], seed++);
  }
  pto_program *program = pto_program_parse(ctx, text, (int64_t)strlen(text), "walk.pto");
  assert_non_null(program);
  for (int i = 0; i < c->count; ++i) {
    if (c->tiles[i] == NULL) continue;
    assert_ok(ctx, pto_program_bind_tile(ctx, program, pto_op_operand_name(c->op, i), c->tiles[i]));
  }
  if (pto_program_run(ctx, program, NULL) != PTO_OK) {
    fail_msg("%s\n%s", pto_program_diagnostic_text(program, 0), text);
  }
  for (int i = 0; i < c->count; ++i) {
    if (c->tiles[i] == NULL || pto_op_operand_role(c->op, i) == PTO_ROLE_TMP) continue;
    if (memcmp(pto_tile_data(c->tiles[i]), pto_tile_data(c->direct[i]), (size_t)pto_tile_bytes(c->tiles[i])) != 0) {
      fail_msg("%s: %s differs from the direct call\n%s", pto_op_name(c->op), pto_op_operand_name(c->op, i), text);
    }
  }
  /* Printing is stable in every form, and means the same. */
  for (int form = PTO_FORM_KEEP; form <= PTO_FORM_DPS; ++form) {
    const char *printed = pto_program_print(ctx, program, (pto_form)form);
    assert_non_null(printed);
    pto_program *again = pto_program_parse(ctx, printed, (int64_t)strlen(printed), "again.pto");
    assert_non_null(again);
    assert_string_equal(pto_program_print(ctx, again, (pto_form)form), printed);
    pto_program_release(again);
  }
  pto_program_release(program);
}

/* One call with random types, modes and numbers; 0: the library refuses it, and a program would not be run either. */
static int one_call(pto_context *ctx, int32_t op, pto_dtype lead, int with_tmp) {
  struct call c;
  memset(&c, 0, sizeof c);
  c.op = op;
  c.count = pto_op_operand_count(op);
  c.lead = c.scalar_type = lead;
  c.spare_row = below(2) != 0;
  int modes = 0, numbers = 0;
  pto_dtype source = lead;
  /* ins(...) outs(...) of these must have it. */
  const char *const full_name = pto_op_name(op);
  if (strcmp(full_name, "tquant") == 0) strcpy(c.attributes, " {quant_type = #pto<quant_type INT8_SYM>}");
  if (strcmp(full_name, "tquant_asym") == 0) strcpy(c.attributes, " {quant_type = #pto<quant_type INT8_ASYM>}");
  char *at = c.attributes;
  for (int i = 0; i < c.count; ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    c.outs += role == PTO_ROLE_OUT || role == PTO_ROLE_INOUT;
    if (is_tile(role)) {
      c.dtypes[i] = lead;
      const uint32_t set = pto_op_operand_dtypes(op, i, g_profile, lead);
      while (role != PTO_ROLE_TMP && (set >> (c.dtypes[i] = (pto_dtype)below(PTO_DTYPE_E8M0 + 1)) & 1) == 0) {
      }
      /* Operands of one choice of types are of one type. */
      for (int k = 0; k < i && role != PTO_ROLE_TMP; ++k) {
        if (pto_op_operand_dtypes(op, k, g_profile, lead) == set) c.dtypes[i] = c.dtypes[k];
      }
      if (role == PTO_ROLE_IN) source = c.dtypes[i];
      /* The assembler supplies an operand that a program omits; a call must have it if the hardware needs it. */
      const int absent = role == PTO_ROLE_TMP && !with_tmp;
      if (!absent) c.tiles[i] = tile_of(ctx, &c, i);
      if (!absent || g_profile == PTO_PROFILE_A2A3) c.direct[i] = tile_of(ctx, &c, i);
    } else if (role == PTO_ROLE_SCALAR) {
      const uint32_t set = pto_op_operand_dtypes(op, i, g_profile, lead);
      c.scalar_type = (set >> source & 1) != 0 ? source : lead;
      if ((set >> c.scalar_type & 1) == 0)
        c.scalar_type = (set >> PTO_DTYPE_F32 & 1) != 0 ? PTO_DTYPE_F32 : PTO_DTYPE_U64;
      const int width = 8 * pto_dtype_bytes(c.scalar_type);
      c.scalar_bits = ((uint64_t)below(1u << 24) << 40 | (uint64_t)below(1u << 24) << 20 | below(1u << 20));
      if (width < 64) c.scalar_bits &= ((uint64_t)1 << width) - 1;
      c.typed.scalar = pto_bits(c.scalar_bits);
    } else if (role == PTO_ROLE_INT) {
      c.typed.numbers[numbers++] = extent_has_window(op) ? (int32_t)below(3) : (int32_t)below(50) - 25;
    } else if (role == PTO_ROLE_MODE) {
      const char *mode = pto_op_operand_mode(op, i);
      int values = 0;
      while (pto_op_operand_mode_value(op, i, values) != NULL) ++values;
      int value = (int)below((uint32_t)values);
      /* A2A3 rounds to HF32 only, A5 to TF32. */
      const int rounds = strcmp(mode, "mad") == 0 && value != PTO_MAD_NONE;
      if (rounds && g_profile == PTO_PROFILE_A2A3) value = PTO_MAD_HF32_RINT + value % 2;
      if (rounds && g_profile == PTO_PROFILE_A5) value = PTO_MAD_TF32_RINT + value % 2;
      c.typed.numbers[numbers++] = value;
      size_t m = 0;
      while (m < sizeof k_modes / sizeof *k_modes && strcmp(k_modes[m].mode, mode) != 0) ++m;
      if (m == sizeof k_modes / sizeof *k_modes) fail_msg("no entry has the spelling of the mode %s", mode);
      at = say(at, "%s", modes++ == 0 ? " {" : ", ");
      at = say(at, k_modes[m].format,
               k_modes[m].two ? (value ? "true" : "false") : pto_op_operand_mode_value(op, i, value));
    } else if (role == PTO_ROLE_FLAGS && pto_op_flags(op) != 0 && below(2) &&
               pto_op_supports(op, g_profile, lead, PTO_HIGH_PRECISION)) {
      c.typed.flags = PTO_HIGH_PRECISION;
      at = say(at, "%s", modes++ == 0 ? " {" : ", ");
      at = say(at, "%s", "precision_mode = #pto<precision_mode HIGH_PRECISION>");
    }
  }
  if (modes != 0) say(at, "%s", "}");
  order_sources(&c, with_tmp);
  uint32_t seed = 1;
  for (int i = 0; i < c.count; ++i) {
    if (c.direct[i] != NULL) hold(op, i, c.direct[i], seed++);
    c.typed.tiles[i < 8 ? i : 7] = c.direct[i < 8 ? i : 7];
  }
  const int good = typed_call(ctx, op, &c.typed) == PTO_OK;
  static char text[8192];
  for (int spelling = 0; spelling < 3 && good; ++spelling) {
    for (int typed = 0; typed < 2; ++typed) {
      for (int constant = 0; constant < 2; ++constant) {
        if (constant && is_nan(c.scalar_type, c.scalar_bits)) continue; /* a value of arith has one NaN */
        write_program(text, &c, spelling, typed, constant);
        run_text(ctx, &c, text);
      }
    }
  }
  for (int i = 0; i < c.count; ++i) pto_tile_release(c.tiles[i]), pto_tile_release(c.direct[i]);
  return good;
}

/* Of every instruction and type that the profile has: three calls, and one in ./dev test. Returns how many ran of
 * three. */
static int every_instruction(pto_profile profile) {
  const int64_t before = pto_live_handles();
  pto_context *ctx = context(profile);
  g_profile = profile;
  int ran = 0, transfers = 0;
  const int rounds = in_thorough() ? 3 : 1;
  for (int32_t k = 0; k < pto_op_count(); ++k) {
    const int32_t op = pto_op_at(k);
    int tmp = 0, tensor = 0;
    for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
      const int32_t role = pto_op_operand_role(op, i);
      tmp |= role == PTO_ROLE_TMP;
      tensor |= role == PTO_ROLE_TENSOR_IN || role == PTO_ROLE_TENSOR_OUT;
    }
    transfers += tensor;
    if (has_own_shapes(op)) continue; /* test_irregular */
    if (tensor)
      continue; /* test_differential has loads and stores through views of all kinds, cli/test_tables tables */
    for (int d = PTO_DTYPE_I8; d <= PTO_DTYPE_E8M0; ++d) {
      if (!pto_op_supports(op, profile, (pto_dtype)d, 0)) continue;
      for (int with_tmp = 0; with_tmp <= tmp; ++with_tmp) {
        int good = 0;
        for (int tries = 0; tries < kTries && good < rounds; ++tries) good += one_call(ctx, op, (pto_dtype)d, with_tmp);
        if (good < rounds) fail_msg("%s of %s: %s", pto_op_name(op), k_types[d], pto_context_error_message(ctx));
        ran += good;
      }
    }
  }
  assert_int_equal(transfers, 10);
  pto_context_release(ctx);
  assert_int_equal(pto_live_handles(), before);
  return ran * 3 / rounds;
}

static void every_instruction_can_be_written(void **state) {
  (void)state;
  assert_true(every_instruction(PTO_PROFILE_CPU) > 2000);
}

static void every_instruction_can_be_written_for_a2a3(void **state) {
  (void)state;
  assert_true(every_instruction(PTO_PROFILE_A2A3) > 1000);
}

static void every_instruction_can_be_written_for_a5(void **state) {
  (void)state;
  assert_true(every_instruction(PTO_PROFILE_A5) > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction_can_be_written),
      cmocka_unit_test(every_instruction_can_be_written_for_a2a3),
      cmocka_unit_test(every_instruction_can_be_written_for_a5),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
