/* What a run records: every number of it against what this file works out for itself, element at a time. */
#include <math.h>
#include <pthread.h>

#include "program_help.h"

enum { k_fields = PTO_EVENT_TILES + 1, k_tile_fields = PTO_EVENT_TILE_DATA_BYTES + 1 };

#define T "!pto.tile_buf<vec, 16x32xf32>"
#define LOOP(body)                                                                                          \
  "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"                 \
  " %n = arith.constant 100 : index\n %one = arith.constant 1.0 : f32\n %big = arith.constant 16.0 : f32\n" \
  " %t = pto.alloc_tile : " T "\n %u = pto.alloc_tile : " T                                                 \
  "\n"                                                                                                      \
  " pto.texpands ins(%one : f32) outs(%t : " T ")\n" body TAIL
/* Times 16 in each round: infinite from the 32nd on, since 2^128 is. */
static const char k_growing[] =
    LOOP(" scf.for %i = %c0 to %n step %c1 {\n  pto.tmuls ins(%t, %big : " T ", f32) outs(%t : " T
         ")\n"
         "  pto.tadd ins(%t, %t : " T ", " T ") outs(%u : " T ")\n }\n");
enum { k_rounds = 100, k_executed = 1 + 2 * k_rounds };

typedef struct {
  pto_context *ctx;
  pto_program *program;
  int64_t *events, *tiles; /* rows of k_fields and k_tile_fields */
  uint8_t *data;
  int64_t event_count, tile_count, data_bytes;
} recorded;

static recorded record_of(pto_context *ctx, pto_program *program) {
  recorded r = {.ctx = ctx, .program = program};
  r.event_count = pto_program_event_count(program, PTO_EVENT_PART_EVENTS);
  r.tile_count = pto_program_event_count(program, PTO_EVENT_PART_TILES);
  r.data_bytes = pto_program_event_count(program, PTO_EVENT_PART_ELEMENTS);
  r.events = calloc((size_t)r.event_count + 1, sizeof *r.events * k_fields);
  r.tiles = calloc((size_t)r.tile_count + 1, sizeof *r.tiles * k_tile_fields);
  r.data = calloc((size_t)r.data_bytes + 1, 1);
  assert_ok(ctx, pto_program_read_events(ctx, program, PTO_EVENT_PART_EVENTS, 0, k_fields, r.events,
                                         r.event_count * k_fields * 8));
  assert_ok(ctx, pto_program_read_events(ctx, program, PTO_EVENT_PART_TILES, 0, k_tile_fields, r.tiles,
                                         r.tile_count * k_tile_fields * 8));
  assert_ok(ctx, pto_program_read_events(ctx, program, PTO_EVENT_PART_ELEMENTS, 0, 1, r.data, r.data_bytes));
  return r;
}

static int32_t g_threads = 1;

static recorded run_recorded(const char *text, pto_record what, int64_t bytes, int32_t blocks, pto_status want) {
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_record(ctx, program, what, bytes));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, blocks));
  assert_ok(ctx, pto_program_set_threads(ctx, program, g_threads));
  const pto_status status = pto_program_run(ctx, program, NULL);
  if (status != want) explain(ctx, program, text);
  return record_of(ctx, program);
}

static void end(recorded *r) {
  free(r->events), free(r->tiles), free(r->data);
  if (r->program != NULL) pto_program_release(r->program), pto_context_release(r->ctx);
}

static int64_t event(const recorded *r, int64_t row, pto_event_field field) {
  return r->events[row * k_fields + field];
}
static int64_t tile(const recorded *r, int64_t row, pto_event_tile_field field) {
  return r->tiles[row * k_tile_fields + field];
}

static void nothing_is_recorded_unless_asked_for(void **state) {
  (void)state;
  recorded r = run_recorded(k_growing, PTO_RECORD_OFF, 1, 1, PTO_OK);
  assert_int_equal(r.event_count, 0);
  assert_int_equal(r.tile_count, 0);
  assert_int_equal(r.data_bytes, 0);
  end(&r);
}

static void events_on(int32_t threads, pto_record what) {
  g_threads = threads;
  recorded r = run_recorded(k_growing, what, 1 << 22, 3, PTO_OK);
  g_threads = 1;
  assert_int_equal(r.event_count, 3 * k_executed);
  assert_int_equal(r.tile_count > 0, what == PTO_RECORD_TILES);
  assert_int_equal(pto_program_events_lost(r.program), 0);
  static const char *const k_names[] = {"texpands", "tmuls", "tadd"};
  static const int k_operands[] = {1, 2, 3};
  int64_t before = 0;
  int64_t repeats[3] = {0};
  for (int64_t i = 0; i < r.event_count; ++i) {
    const int64_t in_block = i % k_executed;
    const int which = in_block == 0 ? 0 : in_block % 2 == 1 ? 1 : 2;
    assert_string_equal(pto_op_name((int32_t)event(&r, i, PTO_EVENT_OP)), k_names[which]);
    if (threads == 1 || in_block != 0) assert_true(event(&r, i, PTO_EVENT_BEGIN) >= before);
    assert_true(event(&r, i, PTO_EVENT_END) >= event(&r, i, PTO_EVENT_BEGIN));
    before = event(&r, i, PTO_EVENT_END);
    assert_int_equal(event(&r, i, PTO_EVENT_STATUS), PTO_OK);
    assert_int_equal(event(&r, i, PTO_EVENT_LINE), which == 0 ? 9 : 10 + which);
    assert_int_equal(event(&r, i, PTO_EVENT_COLUMN), which == 0 ? 2 : 3);
    assert_memory_equal(k_growing + event(&r, i, PTO_EVENT_OFFSET) + 4, k_names[which], strlen(k_names[which]));
    assert_int_equal(event(&r, i, PTO_EVENT_LENGTH), 4 + strlen(k_names[which]));
    assert_int_equal(event(&r, i, PTO_EVENT_BLOCK), i / k_executed);
    assert_int_equal(event(&r, i, PTO_EVENT_REPEAT), repeats[which]++);
    assert_int_equal(event(&r, i, PTO_EVENT_PIPE), PTO_PIPE_V);
    assert_int_equal(event(&r, i, PTO_EVENT_DTYPE), PTO_DTYPE_F32);
    assert_int_equal(event(&r, i, PTO_EVENT_ROWS), 16);
    assert_int_equal(event(&r, i, PTO_EVENT_COLS), 32);
    assert_int_equal(event(&r, i, PTO_EVENT_ELEMENTS), 512);
    assert_int_equal(event(&r, i, PTO_EVENT_BYTES), 2048 * k_operands[which]);
    assert_int_equal(event(&r, i, PTO_EVENT_TILES) > 0, what == PTO_RECORD_TILES);
  }
  end(&r);
}

/* On any number of threads: block after block, statements counted through all of them. */
static void every_instruction_has_its_event(void **state) {
  (void)state;
  for (int32_t threads = 1; threads <= 4; ++threads) {
    events_on(threads, PTO_RECORD_TIMES);
    events_on(threads, PTO_RECORD_TILES);
  }
}

/* The first infinity and the first NaN stay, whatever else is let go; what stays are every so-many-th times. */
static void tiles_are_thinned_out_within_the_limit(void **state) {
  (void)state;
  for (int64_t limit = 200000; limit <= 1 << 22; limit *= 2) {
    recorded r = run_recorded(k_growing, PTO_RECORD_TILES, limit, 1, PTO_OK);
    assert_int_equal(pto_program_events_lost(r.program), 0);
    assert_int_equal(r.event_count, k_executed);
    int kept = 0;
    int64_t stride = 0;
    int64_t first_infinity = -1;
    for (int64_t i = 1; i < r.event_count; ++i) {
      const int adds = i % 2 == 0;
      const int64_t round = event(&r, i, PTO_EVENT_REPEAT);
      assert_int_equal(event(&r, i, PTO_EVENT_TILES), adds ? 3 : 2);
      const int64_t last = event(&r, i, PTO_EVENT_FIRST_TILE) + event(&r, i, PTO_EVENT_TILES) - 1;
      assert_int_equal(tile(&r, last, PTO_EVENT_TILE_AFTER), 1);
      assert_int_equal(tile(&r, last - 1, PTO_EVENT_TILE_AFTER), 0);
      const float grown = ldexpf(1.0F, 4 * ((int)round + 1) > 200 ? 200 : 4 * ((int)round + 1)) * (adds ? 2.0F : 1.0F);
      uint32_t bits;
      memcpy(&bits, &grown, sizeof bits);
      assert_int_equal(tile(&r, last, PTO_EVENT_TILE_MIN), bits);
      assert_int_equal(tile(&r, last, PTO_EVENT_TILE_MAX), bits);
      assert_int_equal(tile(&r, last, PTO_EVENT_TILE_INFS), isinf(grown) ? 512 : 0);
      if (isinf(grown) && first_infinity < 0) {
        first_infinity = i;
        assert_int_equal(tile(&r, last, PTO_EVENT_TILE_DATA_BYTES), 2048);
      }
      if (tile(&r, last, PTO_EVENT_TILE_DATA_BYTES) == 0) continue;
      assert_int_equal(tile(&r, last, PTO_EVENT_TILE_DATA_BYTES), 2048);
      assert_true(tile(&r, last, PTO_EVENT_TILE_DATA) + 2048 <= r.data_bytes);
      for (int k = 0; k < 512; ++k) assert_memory_equal(r.data + tile(&r, last, PTO_EVENT_TILE_DATA) + 4 * k, &bits, 4);
      if (i == first_infinity) continue;
      ++kept;
      if (round > 0 && stride == 0) stride = round;
      assert_int_equal(round % (stride == 0 ? 1 : stride), 0);
    }
    assert_true(first_infinity > 0);
    assert_true(stride > 0 && (stride & (stride - 1)) == 0);
    assert_true(limit > 1 << 21 ? stride == 1 : stride > 1);
    assert_true(kept >= 2 * (k_rounds / (int)stride) - 2);
    assert_true(r.data_bytes <= limit);
    end(&r);
  }
}

static void what_has_no_room_is_counted(void **state) {
  (void)state;
  for (int64_t limit = 1; limit < 30000; limit = limit * 3 + 1) {
    for (int what = PTO_RECORD_TIMES; what <= PTO_RECORD_TILES; ++what) {
      recorded r = run_recorded(k_growing, (pto_record)what, limit, 2, PTO_OK);
      const int64_t lost = pto_program_events_lost(r.program);
      assert_int_equal(lost + r.event_count, 2 * k_executed);
      assert_true(limit > 20000 || lost > 0);
      int64_t tiles = 0;
      for (int64_t i = 0; i < r.event_count; ++i) {
        assert_int_equal(event(&r, i, PTO_EVENT_FIRST_TILE), tiles);
        tiles += event(&r, i, PTO_EVENT_TILES);
      }
      assert_int_equal(tiles, r.tile_count);
      end(&r);
    }
  }
}

static void a_run_that_fails_says_where(void **state) {
  (void)state;
  /* The third instruction fails: %v is valid in one element only. */
  static const char k_failing[] = LOOP(
      " %v = pto.alloc_tile valid_row = %c1 valid_col = %c1 : !pto.tile_buf<vec, 16x32xf32, valid=?x?>\n"
      " pto.tadd ins(%t, %t : " T ", " T ") outs(%u : " T
      ")\n"
      " pto.tsub ins(%t, %v : " T ", !pto.tile_buf<vec, 16x32xf32, valid=?x?>) outs(%u : " T
      ")\n"
      " pto.tadd ins(%t, %t : " T ", " T ") outs(%u : " T ")\n");
  static const int64_t k_limits[] = {1 << 20, 1};
  for (int i = 0; i < 2; ++i) {
    recorded r = run_recorded(k_failing, PTO_RECORD_TILES, k_limits[i], 1, PTO_ERROR_SHAPE);
    assert_int_equal(r.event_count, i == 0 ? 3 : 1);
    assert_int_equal(event(&r, r.event_count - 1, PTO_EVENT_STATUS), PTO_ERROR_SHAPE);
    assert_int_equal(event(&r, r.event_count - 1, PTO_EVENT_LINE), 12);
    assert_int_equal(pto_program_events_lost(r.program), i == 0 ? 0 : 2);
    const int32_t last = pto_program_diagnostic_count(r.program) - 1;
    assert_int_equal(pto_program_diagnostic_line(r.program, last), 12);
    end(&r);
  }
}

/* ---- what is in a tile ---- */

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

/* Word by word, as src/kernels/scan.h tells it. */
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

/* The first element that is not ordinary is found wherever it stands, and whichever it is. */
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

/* One element of a tile is another each time: what is known of the tile by its address is not taken for what is in it.
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

/* ---- reading ---- */

static void rows_are_as_wide_as_the_reader_says(void **state) {
  (void)state;
  recorded r = run_recorded(k_growing, PTO_RECORD_TILES, 1 << 20, 1, PTO_OK);
  /* More columns than there are, to a place that no integer may begin at. */
  static uint8_t wide[3 * (k_fields + 2) * 8 + 1];
  memset(wide, 0xAA, sizeof wide);
  assert_ok(r.ctx, pto_program_read_events(r.ctx, r.program, PTO_EVENT_PART_EVENTS, 5, k_fields + 2, wide + 1,
                                           sizeof wide - 1));
  static const int64_t k_zeros[2];
  for (int i = 0; i < 3; ++i) {
    assert_memory_equal(wide + 1 + i * (k_fields + 2) * 8, r.events + (5 + i) * k_fields, k_fields * 8);
    assert_memory_equal(wide + 1 + i * (k_fields + 2) * 8 + k_fields * 8, k_zeros, 16);
  }
  int64_t narrow[2];
  assert_ok(r.ctx, pto_program_read_events(r.ctx, r.program, PTO_EVENT_PART_TILES, 1, 1, narrow, sizeof narrow));
  assert_int_equal(narrow[0], tile(&r, 1, PTO_EVENT_TILE_OPERAND));
  assert_int_equal(narrow[1], tile(&r, 2, PTO_EVENT_TILE_OPERAND));
  end(&r);
}

/* ---- while the run is under way ---- */

/* Ends when it is told to: by those who have seen enough of it. */
static const char k_endless[] =
    "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
    " %n = arith.constant 9000000000000000000 : index\n %t = pto.alloc_tile : " T
    "\n"
    " scf.for %i = %c0 to %n step %c1 {\n  pto.tadd ins(%t, %t) outs(%t)\n }\n return\n}\n";

enum { k_followed = 3000, k_followers = 3 };
typedef struct {
  pto_program *program;
  pthread_t thread;
  pto_status refused;
  int64_t tiles;
  int64_t rows[k_followed * k_fields];
} follower;

static void *follow(void *data) {
  follower *f = data;
  pto_context *own = pto_context_create(PTO_PROFILE_CPU);
  for (int64_t seen = 0; seen < k_followed;) {
    int64_t there = pto_program_event_count(f->program, PTO_EVENT_PART_EVENTS) - seen;
    if (there > k_followed - seen) there = k_followed - seen;
    /* The run may not have begun: of the one before there is nothing. */
    if (pto_program_read_events(own, f->program, PTO_EVENT_PART_EVENTS, seen, k_fields, f->rows + seen * k_fields,
                                there * k_fields * 8) != PTO_OK) {
      f->refused = PTO_ERROR_ARGUMENT;
      break;
    }
    seen += there;
    f->tiles += pto_program_event_count(f->program, PTO_EVENT_PART_TILES) +
                pto_program_event_count(f->program, PTO_EVENT_PART_ELEMENTS);
    if (pto_program_events_lost(f->program) < 0) f->refused = PTO_ERROR_ARGUMENT;
  }
  pto_context_release(own);
  return NULL;
}

static void *stop_behind(void *data) {
  follower *all = data;
  for (int i = 0; i < k_followers; ++i) pthread_join(all[i].thread, NULL);
  pto_program_stop(all[0].program);
  return NULL;
}

static void a_run_is_followed(void **state) {
  (void)state;
  for (int what = PTO_RECORD_TIMES; what <= PTO_RECORD_TILES; ++what) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_endless);
    assert_ok(ctx, pto_program_limit_steps(ctx, program, INT64_MAX));
    assert_ok(ctx, pto_program_record(ctx, program, (pto_record)what, 1 << 24));
    static follower all[k_followers];
    memset(all, 0, sizeof all);
    for (int i = 0; i < k_followers; ++i) {
      all[i].program = program;
      assert_int_equal(pthread_create(&all[i].thread, NULL, follow, &all[i]), 0);
    }
    pthread_t stopper;
    assert_int_equal(pthread_create(&stopper, NULL, stop_behind, all), 0);
    assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
    assert_string_equal(pto_context_error_rule(ctx), "stopped");
    assert_int_equal(pthread_join(stopper, NULL), 0);
    recorded r = record_of(ctx, program);
    assert_true(r.event_count >= k_followed);
    assert_int_equal(r.tile_count > 0, what == PTO_RECORD_TILES);
    for (int i = 0; i < k_followers; ++i) {
      assert_int_equal(all[i].refused, PTO_OK);
      assert_int_equal(all[i].tiles, 0);
      for (int64_t row = 0; row < k_followed; ++row) {
        const int64_t *seen = all[i].rows + row * k_fields;
        assert_true(seen[PTO_EVENT_BEGIN] >= 0 && seen[PTO_EVENT_END] >= seen[PTO_EVENT_BEGIN]);
        assert_memory_equal(seen + PTO_EVENT_OP, r.events + row * k_fields + PTO_EVENT_OP,
                            (k_fields - PTO_EVENT_OP) * sizeof *seen);
      }
    }
    end(&r);
  }
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  recorded r = run_recorded(k_growing, PTO_RECORD_TIMES, 1 << 20, 1, PTO_OK);
  int64_t row[k_fields];
  memset(row, 0x55, sizeof row);
  static const struct {
    int part;
    int64_t first;
    int32_t fields;
    int64_t bytes;
    pto_status status;
    const char *rule;
  } k_wrong[] = {
      {3, 0, 1, 8, PTO_ERROR_ARGUMENT, "operand-value"},
      {-1, 0, 1, 8, PTO_ERROR_ARGUMENT, "operand-value"},
      {0, 0, 0, 8, PTO_ERROR_ARGUMENT, "operand-value"},
      {0, 0, -1, 8, PTO_ERROR_ARGUMENT, "operand-value"},
      {0, 0, 2, 8, PTO_ERROR_ARGUMENT, "byte-count"},
      {0, -1, 1, 8, PTO_ERROR_ARGUMENT, "byte-count"},
      {0, k_executed, 1, 8, PTO_ERROR_ARGUMENT, "byte-count"},
      {0, 0, 1, -8, PTO_ERROR_ARGUMENT, "byte-count"},
      {0, INT64_MAX, 1, 8, PTO_ERROR_ARGUMENT, "byte-count"},
      {0, 0, 1, INT64_MAX - 7, PTO_ERROR_ARGUMENT, "byte-count"},
      {2, 0, 1, 1, PTO_ERROR_ARGUMENT, "byte-count"},
  };
  for (size_t i = 0; i < sizeof k_wrong / sizeof *k_wrong; ++i) {
    assert_int_equal(pto_program_read_events(r.ctx, r.program, (pto_event_part)k_wrong[i].part, k_wrong[i].first,
                                             k_wrong[i].fields, row, k_wrong[i].bytes),
                     k_wrong[i].status);
    assert_string_equal(pto_context_error_rule(r.ctx), k_wrong[i].rule);
    for (int f = 0; f < k_fields; ++f) assert_true(row[f] == 0x5555555555555555);
  }
  assert_int_equal(pto_program_read_events(r.ctx, r.program, PTO_EVENT_PART_EVENTS, 0, 1, NULL, 8), PTO_ERROR_NULL);
  assert_rule(r.ctx, PTO_ERROR_NULL, "null", "data");
  assert_int_equal(pto_program_event_count(r.program, (pto_event_part)7), 0);
  static const int64_t k_bytes[] = {0, -1, INT64_MIN};
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(pto_program_record(r.ctx, r.program, PTO_RECORD_TILES, k_bytes[i]), PTO_ERROR_ARGUMENT);
    assert_rule(r.ctx, PTO_ERROR_ARGUMENT, "limit", "max_bytes");
  }
  assert_int_equal(pto_program_record(r.ctx, r.program, (pto_record)3, 1), PTO_ERROR_ARGUMENT);
  assert_rule(r.ctx, PTO_ERROR_ARGUMENT, "operand-value", "what");
  /* What was recorded before is still there. */
  assert_int_equal(pto_program_event_count(r.program, PTO_EVENT_PART_EVENTS), k_executed);
  end(&r);
}

/* Recording changes nothing of what a program does, and takes from the same account of bytes. */
static void recording_is_memory_of_the_run(void **state) {
  (void)state;
  for (int what = PTO_RECORD_OFF; what <= PTO_RECORD_TILES; ++what) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_growing);
    assert_ok(ctx, pto_program_record(ctx, program, (pto_record)what, 1 << 20));
    assert_ok(ctx, pto_program_limit_bytes(ctx, program, 8192));
    const pto_status status = pto_program_run(ctx, program, NULL);
    assert_int_equal(status == PTO_OK, what == PTO_RECORD_OFF);
    if (what != PTO_RECORD_OFF) assert_string_equal(pto_context_error_rule(ctx), "byte-limit");
    /* What ran until then is there. */
    if (what != PTO_RECORD_OFF) assert_true(pto_program_event_count(program, PTO_EVENT_PART_EVENTS) > 1);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_recorded_unless_asked_for),
      cmocka_unit_test(every_instruction_has_its_event),
      cmocka_unit_test(tiles_are_thinned_out_within_the_limit),
      cmocka_unit_test(what_has_no_room_is_counted),
      cmocka_unit_test(a_run_that_fails_says_where),
      cmocka_unit_test(what_is_in_tiles_is_counted_on_all_targets),
      cmocka_unit_test(one_of_many_is_found),
      cmocka_unit_test(digests_see_signs),
      cmocka_unit_test(large_tiles_are_sampled),
      cmocka_unit_test(tiles_that_change_are_read_again),
      cmocka_unit_test(types_at_one_address_are_told_apart),
      cmocka_unit_test(rows_are_as_wide_as_the_reader_says),
      cmocka_unit_test(a_run_is_followed),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(recording_is_memory_of_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
