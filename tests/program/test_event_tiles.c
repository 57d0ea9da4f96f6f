/* The elements of tiles in a recording: every number against what this file computes itself, one element at
 * a time. */
#include <math.h>

#include "event_help.h"

typedef struct {
  int64_t nans, infs, subnormals;
  uint64_t min, max;
} contents;

static long double hifloat(uint64_t bits, contents *of) {
  const int size = (int)bits & 127;
  const int sign = bits >= 128 ? -1 : 1;
  of->nans += bits == 0x80;
  of->infs += size == 0x6f;
  if (size == 0) return bits == 0 ? 0 : NAN;
  if (size == 0x6f) return sign * (long double)INFINITY;
  if (size < 8) return sign * ldexpl(1, size - 23);
  if (size < 16) return sign * (1 + (size & 7) / 8.0L);
  if (size < 32) return sign * ldexpl(1 + (size & 7) / 8.0L, (size & 8) != 0 ? -1 : 1);
  const int steps = 1 << (4 - size / 32); /* 01 s e fff, 10 s ee ff, 11 s eee f */
  const int exponent = (1 << size / 32) + (size & 15) / steps;
  return sign * ldexpl(1 + (long double)(size % steps) / steps, (size & 16) != 0 ? -exponent : exponent);
}

/* The value of an element's bits, and what it is. */
static long double value_of(pto_dtype dtype, uint64_t bits, contents *of) {
  int exponent_bits, fraction_bits;
  switch (dtype) {
    case PTO_DTYPE_F16:
      exponent_bits = 5, fraction_bits = 10;
      break;
    case PTO_DTYPE_BF16:
      exponent_bits = 8, fraction_bits = 7;
      break;
    case PTO_DTYPE_F32:
      exponent_bits = 8, fraction_bits = 23;
      break;
    case PTO_DTYPE_E5M2:
      exponent_bits = 5, fraction_bits = 2;
      break;
    case PTO_DTYPE_E4M3:
      of->nans += (bits & 0x7f) == 0x7f;
      if ((bits & 0x7f) == 0x7f) return NAN;
      of->subnormals += (bits & 0x78) == 0 && (bits & 7) != 0;
      return (bits >= 0x80 ? -1 : 1) *
             ldexpl((bits & 0x78) == 0 ? (long double)(bits & 7) : (long double)(8 + (bits & 7)),
                    ((bits & 0x78) == 0 ? 1 : (int)(bits >> 3 & 15)) - 10);
    case PTO_DTYPE_E8M0:
      of->nans += bits == 255;
      return bits == 255 ? NAN : ldexpl(1, (int)bits - 127);
    case PTO_DTYPE_HIF8:
      return hifloat(bits, of);
    case PTO_DTYPE_I8:
      return (int8_t)bits;
    case PTO_DTYPE_I16:
      return (int16_t)bits;
    case PTO_DTYPE_I32:
      return (int32_t)bits;
    case PTO_DTYPE_I64:
      return (int64_t)bits;
    default:
      return bits;
  }
  const int64_t exponent = (int64_t)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int64_t fraction = (int64_t)bits & ((1 << fraction_bits) - 1);
  const int negative = (int)(bits >> (exponent_bits + fraction_bits)) & 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  long double value;
  if (exponent == (1 << exponent_bits) - 1) {
    of->nans += fraction != 0;
    of->infs += fraction == 0;
    value = fraction != 0 ? NAN : INFINITY;
  } else if (exponent == 0) {
    of->subnormals += fraction != 0;
    value = ldexpl((long double)fraction, 1 - bias - fraction_bits);
  } else {
    value = ldexpl((long double)(fraction + (INT64_C(1) << fraction_bits)), (int)exponent - bias - fraction_bits);
  }
  return negative ? -value : value;
}

static contents contents_of(pto_dtype dtype, const uint8_t *data, int32_t count) {
  contents of = {0};
  long double least = 0, most = 0;
  int any = 0;
  for (int32_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, data + i * pto_dtype_bytes(dtype), (size_t)pto_dtype_bytes(dtype));
    const long double value = value_of(dtype, bits, &of);
    if (isnan(value)) continue;
    const int less = value < least || (value == least && signbit(value) && !signbit(least));
    const int more = value > most || (value == most && !signbit(value) && signbit(most));
    if (!any || less) least = value, of.min = bits;
    if (!any || more) most = value, of.max = bits;
    any = 1;
  }
  return of;
}

/* Word by word, as src/kernels/scan.h describes it. */
static uint64_t mixed(uint64_t a, uint64_t b) {
  const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  const uint64_t mid = ah * bl + (al * bl >> 32), rest = al * bh + (uint32_t)mid;
  return (a * b) ^ (ah * bh + (mid >> 32) + (rest >> 32));
}
static uint64_t digest_of(const uint8_t *data, size_t bytes) {
  const uint64_t step = 0x9E3779B97F4A7C15;
  uint64_t digest = bytes;
  for (size_t generator = 0; generator < 32; ++generator) {
    uint64_t state = (generator + 1) * step;
    for (size_t at = 8 * generator; at < bytes / 256 * 256 + 256; at += 256) {
      uint64_t word = 0;
      for (size_t i = 0; i < 8 && at + i < bytes; ++i) word |= (uint64_t)data[at + i] << 8 * i;
      state ^= word;
      state = (uint32_t)state * (uint64_t)0xFFFFDA61 + (state >> 32);
    }
    digest = mixed(digest ^ state, step);
  }
  return digest;
}

static const char k_move[] = "%b = tmov %a\n";

static const char *g_target;

/* Runs the move on a tile of these elements, kept or seen through steps of rows and columns. */
static recorded run_move(pto_dtype dtype, int32_t rows, int32_t cols, const uint8_t *data, int64_t limit) {
  pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, g_target);
  pto_program *program = parse(ctx, k_move);
  pto_tile *a = pto_tile_create(ctx, dtype, rows, cols);
  assert_ok(ctx, pto_tile_write(ctx, a, data, pto_tile_valid_bytes(a)));
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "a", a));
  assert_ok(ctx, pto_program_record(ctx, program, PTO_RECORD_TILES, limit));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_move);
  pto_tile_release(a);
  return record_of(ctx, program);
}

static void what_is_in_tiles_is_counted(void) {
  static const int32_t k_cols[] = {1, 3, 8, 31, 129, 2001};
  for (int dtype = PTO_DTYPE_I8; dtype <= PTO_DTYPE_E8M0; ++dtype) {
    for (size_t c = 0; c < sizeof k_cols / sizeof *k_cols; ++c) {
      const size_t bytes = (size_t)k_cols[c] * 3 * (size_t)pto_dtype_bytes((pto_dtype)dtype);
      uint8_t *data = malloc(bytes);
      fill(data, bytes, (uint32_t)(dtype * 100) + (uint32_t)c);
      /* Many of the special ones, which random bits of 32 have hardly any of. */
      for (size_t i = 0; i + 4 <= bytes; i += 4) {
        static const uint32_t k_special[] = {0x7F800000, 0xFF800000, 0x7FC00001, 1,
                                             0x80000000, 0,          0xFFFFFFFF, 0x7F7FFFFF};
        if (data[i] % 3 == 0) memcpy(data + i, &k_special[data[i] / 3 % 8], 4);
      }
      if (c == 0) memset(data, 0xFF, bytes);              /* of floats NaN alone */
      if (c == 3) memset(data, dtype % 2 ? 0 : 3, bytes); /* nothing but zero, or an ordinary number */
      recorded r = run_move((pto_dtype)dtype, 3, k_cols[c], data, 1 << 20);
      const contents want = contents_of((pto_dtype)dtype, data, k_cols[c] * 3);
      assert_int_equal(r.tile_count, 2);
      for (int64_t i = 0; i < 2; ++i) {
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_DTYPE), dtype);
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_NANS), want.nans);
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_INFS), want.infs);
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_SUBNORMALS), want.subnormals);
        assert_true((uint64_t)tile(&r, i, PTO_EVENT_TILE_MIN) == want.min);
        assert_true((uint64_t)tile(&r, i, PTO_EVENT_TILE_MAX) == want.max);
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_VALID_ROWS), 3);
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_VALID_COLS), k_cols[c]);
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_DATA_BYTES), bytes);
        assert_memory_equal(r.data + tile(&r, i, PTO_EVENT_TILE_DATA), data, bytes);
        assert_int_equal(k_move[tile(&r, i, PTO_EVENT_TILE_OFFSET) + 1], i == 0 ? 'a' : 'b');
        assert_int_equal(tile(&r, i, PTO_EVENT_TILE_LENGTH), 2);
      }
      for (int64_t i = 0; i < 2; ++i)
        assert_true((uint64_t)tile(&r, i, PTO_EVENT_TILE_DIGEST) == digest_of(data, bytes));
      /* Any bit that changes changes the digest. */
      for (size_t flips = 0; flips < 8; ++flips) {
        const size_t bit = flips * 7919 % (bytes * 8);
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        recorded other = run_move((pto_dtype)dtype, 3, k_cols[c], data, 1 << 20);
        assert_true(tile(&r, 0, PTO_EVENT_TILE_DIGEST) != tile(&other, 0, PTO_EVENT_TILE_DIGEST));
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        end(&other);
      }
      end(&r);
      free(data);
    }
  }
}

static void what_is_in_tiles_is_counted_on_all_targets(void **state) {
  (void)state;
  for (int32_t i = 0; i < pto_target_count(); ++i) {
    if (!pto_target_supported(i)) continue;
    g_target = pto_target_name(i);
    what_is_in_tiles_is_counted();
  }
  g_target = NULL;
}

/* The first element that is not ordinary is found at every place, whichever it is. */
static void one_of_many_is_found(void **state) {
  (void)state;
  static const struct {
    pto_dtype dtype;
    int infinity, normal, one;
  } k_types[] = {{PTO_DTYPE_F16, 0x7C00, 0x0400, 0x3C00},
                 {PTO_DTYPE_BF16, 0x7F80, 0x0080, 0x3F80},
                 {PTO_DTYPE_F32, 0x7F800000, 0x00800000, 0x3F800000}};
  enum { k_count = 9000 };
  static uint32_t data[k_count];
  for (int32_t t = 0; t < 3 * pto_target_count(); ++t) {
    if (!pto_target_supported(t / 3)) continue;
    g_target = pto_target_name(t / 3);
    const size_t size = (size_t)pto_dtype_bytes(k_types[t % 3].dtype);
    const uint32_t sign = UINT32_C(1) << (8 * size - 1);
    const int infinity = k_types[t % 3].infinity, normal = k_types[t % 3].normal;
    const int k_bits[] = {0, 1, normal - 1, normal, infinity - 1, infinity, infinity + 1, (int)(sign - 1)};
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t bits = (uint32_t)k_bits[i / 2] | (i % 2 != 0 ? sign : 0);
      for (size_t k = 0; k < k_count; ++k) memcpy((char *)data + k * size, &k_types[t % 3].one, size);
      memcpy((char *)data + (i * 571) * size, &bits, size);
      recorded r = run_move(k_types[t % 3].dtype, 1, k_count, (const uint8_t *)data, 1 << 20);
      const contents want = contents_of(k_types[t % 3].dtype, (const uint8_t *)data, k_count);
      assert_int_equal(tile(&r, 1, PTO_EVENT_TILE_NANS), want.nans);
      assert_int_equal(tile(&r, 1, PTO_EVENT_TILE_INFS), want.infs);
      assert_int_equal(tile(&r, 1, PTO_EVENT_TILE_SUBNORMALS), want.subnormals);
      assert_true((uint64_t)tile(&r, 1, PTO_EVENT_TILE_MIN) == want.min);
      assert_true((uint64_t)tile(&r, 1, PTO_EVENT_TILE_MAX) == want.max);
      end(&r);
    }
  }
  g_target = NULL;
}

/* Highest bits have nothing above them to spread to: each set of them has a digest of its own. */
static void digests_see_signs(void **state) {
  (void)state;
  enum { k_count = 24, k_sets = k_count * (k_count - 1) * (k_count - 2) / 6 };
  uint64_t seen[k_sets];
  size_t count = 0;
  for (int i = 0; i < k_count; ++i) {
    for (int j = i + 1; j < k_count; ++j) {
      for (int k = j + 1; k < k_count; ++k) {
        uint32_t data[k_count] = {0};
        data[i] = data[j] = data[k] = 0x80000000;
        recorded r = run_move(PTO_DTYPE_F32, 1, k_count, (const uint8_t *)data, 1 << 20);
        seen[count++] = (uint64_t)tile(&r, 0, PTO_EVENT_TILE_DIGEST);
        end(&r);
      }
    }
  }
  assert_int_equal(count, k_sets);
  const float zeros[k_count] = {0};
  recorded r = run_move(PTO_DTYPE_F32, 1, k_count, (const uint8_t *)zeros, 1 << 20);
  for (size_t a = 0; a < count; ++a) {
    assert_true(seen[a] != (uint64_t)tile(&r, 0, PTO_EVENT_TILE_DIGEST));
    for (size_t b = 0; b < a; ++b) assert_true(seen[a] != seen[b]);
  }
  end(&r);
}

static void large_tiles_are_sampled(void **state) {
  (void)state;
  enum { k_rows = 200, k_wide = 301 };
  static uint16_t data[k_rows * k_wide];
  fill(data, sizeof data, 7);
  recorded r = run_move(PTO_DTYPE_U16, k_rows, k_wide, (const uint8_t *)data, 1 << 21);
  const int64_t row_step = tile(&r, 0, PTO_EVENT_TILE_ROW_STEP);
  const int64_t col_step = tile(&r, 0, PTO_EVENT_TILE_COL_STEP);
  assert_true(row_step * col_step == 2);
  const int64_t rows = (k_rows + row_step - 1) / row_step, cols = (k_wide + col_step - 1) / col_step;
  assert_int_equal(tile(&r, 0, PTO_EVENT_TILE_DATA_BYTES), 2 * rows * cols);
  for (int64_t i = 0; i < rows * cols; ++i) {
    const uint16_t want = data[i / cols * row_step * k_wide + i % cols * col_step];
    assert_memory_equal(r.data + tile(&r, 0, PTO_EVENT_TILE_DATA) + 2 * i, &want, 2);
  }
  const contents want = contents_of(PTO_DTYPE_U16, (const uint8_t *)data, k_rows * k_wide);
  assert_int_equal(tile(&r, 0, PTO_EVENT_TILE_MAX), want.max);
  end(&r);
}

/* One element of a tile differs each time: facts about the tile at an address are not facts about its contents.
   Before the valid region is set all of the storage is 1, so that bytes that are not elements look like some. */
static void tiles_that_change_are_read_again(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int32_t rows, cols, element; /* valid, and the last of them in the storage */
  } k_tiles[] = {
      {"8x16xf32, valid=?x?", 8, 16, 127},
      {"8x16xf32, valid=?x?", 3, 5, 2 * 16 + 4},
      {"8x16xf32, valid=?x?", 1, 7, 6},
      {"8x16xf32, valid=?x?", 8, 1, 7 * 16},
      {"8x16xf32, valid=?x?, blayout=col_major", 8, 16, 127},
      {"8x16xf32, valid=?x?, blayout=col_major", 3, 5, 4 * 8 + 2},
      {"8x16xf32, valid=?x?, blayout=col_major", 1, 7, 6 * 8},
      {"8x16xf32, valid=?x?, blayout=col_major", 5, 1, 4},
      {"160x160xf32, valid=?x?", 160, 160, 160 * 160 - 1}, /* larger than what is known by its address */
  };
  for (size_t k = 0; k < sizeof k_tiles / sizeof *k_tiles; ++k) {
    char type[80], text[2000];
    const int all = k_tiles[k].rows == 160;
    snprintf(type, sizeof type, "!pto.tile_buf<vec, %s>", k_tiles[k].type);
    snprintf(text, sizeof text,
             "func.func @main() {\n %%c0 = arith.constant 0 : index\n %%c1 = arith.constant 1 : index\n"
             " %%n = arith.constant 4 : index\n %%one = arith.constant 1.0 : f32\n %%r = arith.constant %d : index\n"
             " %%c = arith.constant %d : index\n %%last = arith.constant %d : index\n"
             " %%R = arith.constant %d : index\n %%C = arith.constant %d : index\n"
             " %%t = pto.alloc_tile valid_row = %%R valid_col = %%C : %s\n"
             " %%u = pto.alloc_tile valid_row = %%R valid_col = %%C : %s\n"
             " pto.texpands ins(%%one : f32) outs(%%t : %s)\n"
             " pto.set_validshape %%t, %%r, %%c : %s\n pto.set_validshape %%u, %%r, %%c : %s\n"
             " %%b = arith.constant 1.0 : f32\n"
             " %%e = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%v = %%b) -> (f32) {\n"
             "  pto.tsetval ins(%%last, %%v : index, f32) outs(%%t : %s)\n"
             "  pto.tadd ins(%%t, %%t : %s, %s) outs(%%u : %s)\n"
             "  %%w = arith.addf %%v, %%one : f32\n  scf.yield %%w : f32\n }\n" TAIL,
             k_tiles[k].rows, k_tiles[k].cols, k_tiles[k].element, all ? 160 : 8, all ? 160 : 16, type, type, type,
             type, type, type, type, type, type);
    recorded r = run_recorded(text, PTO_RECORD_TILES, 1 << 24, 1, PTO_OK);
    int rounds = 0;
    for (int64_t i = 0; i < r.event_count; ++i) {
      if (strcmp(pto_op_name((int32_t)event(&r, i, PTO_EVENT_OP)), "tadd") != 0) continue;
      const float last = (float)(1 + rounds++);
      assert_int_equal(event(&r, i, PTO_EVENT_TILES), 3);
      for (int operand = 0; operand < 3; ++operand) {
        const int64_t row = event(&r, i, PTO_EVENT_FIRST_TILE) + operand;
        const float want = operand == 2 ? 2 * last : last;
        uint32_t bits;
        memcpy(&bits, &want, sizeof bits);
        assert_int_equal(tile(&r, row, PTO_EVENT_TILE_MAX), bits);
        const int64_t bytes = tile(&r, row, PTO_EVENT_TILE_DATA_BYTES);
        if (tile(&r, row, PTO_EVENT_TILE_ROW_STEP) * tile(&r, row, PTO_EVENT_TILE_COL_STEP) != 1) continue;
        assert_int_equal(bytes, 4 * k_tiles[k].rows * k_tiles[k].cols);
        assert_memory_equal(r.data + tile(&r, row, PTO_EVENT_TILE_DATA) + bytes - 4, &want, 4);
      }
    }
    assert_int_equal(rounds, 4);
    end(&r);
  }
}

/* The same bytes in another type have another least and greatest. */
static void types_at_one_address_are_told_apart(void **state) {
  (void)state;
#define AT(type) "!pto.tile_buf<vec, 1x8x" type ">"
  recorded r = run_recorded(
      "func.func @main() {\n %at = arith.constant 0 : i64\n %to = arith.constant 64 : i64\n"
      " %c0 = arith.constant 0 : index\n %one = arith.constant 1.0 : f32\n %less = arith.constant -1.0 : f32\n"
      " %a = pto.alloc_tile addr = %at : " AT("f32") "\n %b = pto.alloc_tile addr = %at : " AT("ui32") "\n"
      " %c = pto.alloc_tile addr = %to : " AT("f32") "\n %d = pto.alloc_tile addr = %to : " AT("ui32") "\n"
      " pto.texpands ins(%one : f32) outs(%a : " AT("f32") ")\n"
      " pto.tsetval ins(%c0, %less : index, f32) outs(%a : " AT("f32") ")\n"
      " pto.tmov ins(%a : " AT("f32") ") outs(%c : " AT("f32") ")\n"
      " pto.tmov ins(%b : " AT("ui32") ") outs(%d : " AT("ui32") ")\n" TAIL,
      PTO_RECORD_TILES, 1 << 20, 1, PTO_OK);
  for (int64_t back = 1; back <= 4; ++back) {
    const int is_float = back > 2;
    assert_int_equal(tile(&r, r.tile_count - back, PTO_EVENT_TILE_MIN), is_float ? 0xBF800000 : 0x3F800000);
    assert_int_equal(tile(&r, r.tile_count - back, PTO_EVENT_TILE_MAX), is_float ? 0x3F800000 : 0xBF800000);
  }
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_in_tiles_is_counted_on_all_targets),
      cmocka_unit_test(one_of_many_is_found),
      cmocka_unit_test(digests_see_signs),
      cmocka_unit_test(large_tiles_are_sampled),
      cmocka_unit_test(tiles_that_change_are_read_again),
      cmocka_unit_test(types_at_one_address_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
