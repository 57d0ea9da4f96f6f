/* The recording of a run: every number of it against what this file computes itself, element by element. */
#include <math.h>
#include <pthread.h>

#include "event_help.h"

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

/* Transfers move the same number of bytes of global memory and of the tile, for any size of the view. */
static void transfers_count_global_memory(void **state) {
  (void)state;
  static const char k_text[] =
      "func.func @main(%m: memref<16x64xf32>) {\n %t = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32, valid=5x7>\n"
      " pto.tload ins(%m : memref<16x64xf32>) outs(%t : !pto.tile_buf<...>)\n"
      " pto.tabs ins(%t : !pto.tile_buf<...>) outs(%t : !pto.tile_buf<...>)\n"
      " pto.tstore ins(%t : !pto.tile_buf<...>) outs(%m : memref<16x64xf32>)\n" TAIL;
  static const struct {
    const char *name;
    int32_t pipe;
  } k_want[] = {{"tload", PTO_PIPE_MTE2}, {"tabs", PTO_PIPE_V}, {"tstore", PTO_PIPE_MTE3}};
  static float data[16 * 64];
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_text);
  const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 16, 64);
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, data, sizeof data);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "m", tensor));
  assert_ok(ctx, pto_program_record(ctx, program, PTO_RECORD_TIMES, 1 << 20));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  recorded r = record_of(ctx, program);
  assert_int_equal(r.event_count, 3);
  for (int64_t i = 0; i < 3; ++i) {
    assert_string_equal(pto_op_name((int32_t)event(&r, i, PTO_EVENT_OP)), k_want[i].name);
    assert_int_equal(event(&r, i, PTO_EVENT_PIPE), k_want[i].pipe);
    assert_int_equal(event(&r, i, PTO_EVENT_BYTES), 2 * 5 * 7 * 4);
  }
  pto_tensor_release(tensor);
  end(&r);
}

/* The first infinity and the first NaN stay, whatever else is dropped; times stay at a fixed step. */
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
      " %d = arith.addi %c0, %c1 : index\n"
      " %v = pto.alloc_tile valid_row = %d valid_col = %d : !pto.tile_buf<vec, 16x32xf32, valid=?x?>\n"
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
    assert_int_equal(event(&r, r.event_count - 1, PTO_EVENT_LINE), 13);
    assert_int_equal(pto_program_events_lost(r.program), i == 0 ? 0 : 2);
    const int32_t last = pto_program_diagnostic_count(r.program) - 1;
    assert_int_equal(pto_program_diagnostic_line(r.program, last), 13);
    end(&r);
  }
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

/* Ends when its readers have seen enough of it. */
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
      {6, 0, 1, 8, PTO_ERROR_ARGUMENT, "operand-value"},
      {3, 0, 1, 8, PTO_ERROR_ARGUMENT, "byte-count"}, /* the program has no statement of the vector level */
      {5, 0, 1, 1, PTO_ERROR_ARGUMENT, "byte-count"},
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
  /* The earlier recording is still there. */
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
    /* The instructions until then are there. */
    if (what != PTO_RECORD_OFF) assert_true(pto_program_event_count(program, PTO_EVENT_PART_EVENTS) > 1);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_recorded_unless_asked_for),
      cmocka_unit_test(every_instruction_has_its_event),
      cmocka_unit_test(transfers_count_global_memory),
      cmocka_unit_test(tiles_are_thinned_out_within_the_limit),
      cmocka_unit_test(what_has_no_room_is_counted),
      cmocka_unit_test(a_run_that_fails_says_where),
      cmocka_unit_test(rows_are_as_wide_as_the_reader_says),
      cmocka_unit_test(a_run_is_followed),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(recording_is_memory_of_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
