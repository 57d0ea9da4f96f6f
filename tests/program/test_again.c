/* A program that runs again takes over what the run before made: its code, its instructions, its cores. So each run is
 * compared with the same run of a program that was just read, after a run in any other way. */

#include "event_help.h"

#define VEC "!pto.tile_buf<vec, 8x8xf32>"
/* Adds, prints and stores the on-chip memory at address 0: zeros, if nothing of an earlier run is left there. */
#define TEXT                                                                                                 \
  "func.func @main(%x: !pto.ptr<f32>, %b: " VEC                                                              \
  ", %n: index) attributes {pto.entry} {\n"                                                                  \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c8 = arith.constant 8 : index\n"      \
  " %c3 = arith.constant 3 : index\n %at = arith.constant 0 : i64\n %one = arith.constant 1.0 : f32\n"       \
  " %t = pto.alloc_tile addr = %at : " VEC "\n %u = pto.alloc_tile : " VEC                                   \
  "\n"                                                                                                       \
  " pto.texpands ins(%one : f32) outs(%u : " VEC                                                             \
  ")\n"                                                                                                      \
  " scf.for %i = %c0 to %n step %c1 {\n  pto.tadd ins(%t, %u : " VEC ", " VEC ") outs(%t : " VEC             \
  ")\n }\n"                                                                                                  \
  " %block = pto.get_block_idx\n pto.print ins(\"%d\", %block : i64)\n"                                      \
  " %bad = arith.cmpi eq, %n, %c3 : index\n scf.if %bad {\n  pto.trap\n }\n"                                 \
  " %v = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n"    \
  " %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> "    \
  "!pto.partition_tensor_view<8x8xf32>\n"                                                                    \
  " pto.tstore ins(%t : " VEC ") outs(%w : !pto.partition_tensor_view<8x8xf32>)\n pto.tprint ins(%t : " VEC  \
  ")\n"                                                                                                      \
  " pto.tadd ins(%b, %t : " VEC ", " VEC ") outs(%b : " VEC                                                  \
  ")\n return\n}\n"                                                                                          \
  "func.func @other() {\n %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>\n %s = arith.constant 7 : i32\n" \
  " pto.texpands ins(%s : i32) outs(%t : !pto.tile_buf<vec, 1x8xi32>)\n"                                     \
  " pto.tprint ins(%t : !pto.tile_buf<vec, 1x8xi32>)\n return\n}\n"

typedef struct {
  const char *entry;
  pto_profile profile;
  const char *target; /* NULL: the usual one */
  int64_t n;          /* 3 is a trap; below 0: not bound */
  int32_t cols;       /* of the tile that is bound */
  int32_t blocks;
  pto_record record;
  int32_t sync;
  int64_t steps;
  int32_t output; /* the tensor is memory for results */
} way;

static const way kWays[] = {
    {"main", PTO_PROFILE_CPU, NULL, 2, 8, 1, PTO_RECORD_OFF, 0, 1000, 0},
    {"main", PTO_PROFILE_CPU, NULL, 5, 8, 1, PTO_RECORD_OFF, 0, 1000, 1},
    {"main", PTO_PROFILE_CPU, NULL, 3, 8, 1, PTO_RECORD_OFF, 0, 1000, 0},   /* trap */
    {"main", PTO_PROFILE_CPU, NULL, -1, 8, 1, PTO_RECORD_OFF, 0, 1000, 0},  /* unbound-argument */
    {"main", PTO_PROFILE_CPU, NULL, 2, 16, 1, PTO_RECORD_OFF, 0, 1000, 0},  /* argument-type */
    {"main", PTO_PROFILE_CPU, NULL, 100, 8, 1, PTO_RECORD_OFF, 0, 60, 0},   /* step-limit */
    {"main", PTO_PROFILE_CPU, NULL, 2, 8, 3, PTO_RECORD_TIMES, 0, 1000, 0}, /* blocks, events */
    {"main", PTO_PROFILE_CPU, NULL, 4, 8, 1, PTO_RECORD_TILES, 0, 1000, 0}, /* events with tiles */
    {"main", PTO_PROFILE_CPU, NULL, 2, 8, 1, PTO_RECORD_OFF, 1, 1000, 0},   /* what pipes do not order */
    {"main", PTO_PROFILE_A5, NULL, 2, 8, 2, PTO_RECORD_OFF, 0, 1000, 0},
    {"main", PTO_PROFILE_A2A3, NULL, 2, 8, 1, PTO_RECORD_TIMES, 0, 1000, 0},
    {"main", PTO_PROFILE_CPU, "SCALAR", 2, 8, 1, PTO_RECORD_OFF, 0, 1000, 0},
    {"other", PTO_PROFILE_CPU, NULL, 2, 8, 2, PTO_RECORD_OFF, 0, 1000, 0},
    {"nothing", PTO_PROFILE_CPU, NULL, 2, 8, 1, PTO_RECORD_OFF, 0, 1000, 0},
};
enum { WAYS = sizeof kWays / sizeof *kWays };

/* The results of a run, as text, without times. */
typedef struct {
  char text[1 << 16];
  size_t length;
} left;

__attribute__((format(printf, 2, 3))) static void say(left *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  to->length += (size_t)vsnprintf(to->text + to->length, sizeof to->text - to->length, format, args);
  va_end(args);
  assert_true(to->length < sizeof to->text);
}

static void run(pto_program *program, const way *w, left *to) {
  pto_context *ctx = pto_context_create_for(w->profile, w->target);
  if (ctx == NULL) ctx = context(w->profile); /* the target is not in this build */
  float memory[64] = {0};
  pto_tensor_desc desc = {.struct_size = sizeof desc, .dtype = PTO_DTYPE_F32, .rank = 2, .dim0 = 8, .dim1 = 8};
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 8, w->cols);
  assert_ok(ctx, pto_texpands(ctx, tile, pto_float(0), 0));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "x", tensor));
  assert_ok(ctx, pto_program_set_output(ctx, program, "x", w->output));
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "b", tile));
  if (w->n >= 0) {
    assert_ok(ctx, pto_program_bind_int(ctx, program, "n", w->n));
  } else {
    assert_ok(ctx, pto_program_bind_tile(ctx, program, "n", NULL));
  }
  assert_ok(ctx, pto_program_set_blocks(ctx, program, w->blocks));
  assert_ok(ctx, pto_program_limit_steps(ctx, program, w->steps));
  assert_ok(ctx, pto_program_set_sync(ctx, program, w->sync));
  assert_ok(ctx, pto_program_record(ctx, program, w->record, 1 << 20));
  if (strcmp(w->entry, "other") == 0) {
    for (const char *name = "xbn"; *name != 0; ++name) {
      const char arg[2] = {*name, 0};
      assert_ok(ctx, pto_program_bind_tile(ctx, program, arg, NULL));
    }
  }
  to->length = 0;
  const pto_status status = pto_program_run(ctx, program, w->entry);
  say(to, "%d %s %s\n%s", status, status == PTO_OK ? "" : pto_context_error_rule(ctx),
      status == PTO_OK ? "" : pto_context_error_message(ctx),
      strcmp(w->entry, "nothing") == 0 ? "" : pto_program_output(program));
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
    say(to, "%s\n", pto_program_diagnostic_text(program, i));
  }
  if (strcmp(w->entry, "nothing") == 0) {
    /* No run: all but the tiles is known of the run before. */
    assert_int_equal(pto_program_tile_count(program), 0);
  } else {
    say(to, "%lld steps\n", (long long)pto_program_steps(program));
    for (int32_t i = 0; i < pto_program_tile_count(program); ++i) {
      const char *name = pto_program_tile_name(program, i);
      pto_tile *one = pto_program_tile(ctx, program, name);
      float first = -1;
      assert_non_null(one);
      if (pto_tile_data(one) != NULL) memcpy(&first, pto_tile_data(one), sizeof first);
      say(to, "%s %g\n", name, (double)first);
      pto_tile_release(one);
    }
    recorded events = record_of(ctx, program);
    for (int64_t i = 0; i < events.event_count; ++i) {
      say(to, "line %lld of block %lld, %lld times before, %lld bytes, %lld tiles\n",
          (long long)event(&events, i, PTO_EVENT_LINE), (long long)event(&events, i, PTO_EVENT_BLOCK),
          (long long)event(&events, i, PTO_EVENT_REPEAT), (long long)event(&events, i, PTO_EVENT_BYTES),
          (long long)event(&events, i, PTO_EVENT_TILES));
    }
    events.program = NULL;
    end(&events);
    for (int i = 0; i < 64; ++i) say(to, " %g", (double)memory[i]);
    float sum = 0;
    memcpy(&sum, pto_tile_data(tile), sizeof sum);
    say(to, "\n%g\n", (double)sum);
  }
  pto_tile_release(tile);
  pto_tensor_release(tensor);
  pto_context_release(ctx);
}

static void test_a_run_leaves_nothing_to_the_next(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  left *want = calloc(WAYS, sizeof *want);
  left *got = calloc(1, sizeof *got);
  assert_non_null(want);
  assert_non_null(got);
  int good = 0;
  for (int i = 0; i < WAYS; ++i) {
    pto_program *program = parse(ctx, TEXT);
    run(program, &kWays[i], &want[i]);
    good += want[i].text[0] == '0';
    pto_program_release(program);
  }
  assert_int_equal(good, 8);
  pto_program *program = parse(ctx, TEXT);
  for (int i = 0; i < WAYS; ++i) {
    for (int k = 0; k < WAYS; ++k) {
      for (int round = 0; round < 2; ++round) {
        run(program, &kWays[i], got);
        assert_string_equal(got->text, want[i].text);
      }
      run(program, &kWays[k], got);
      assert_string_equal(got->text, want[k].text);
    }
  }
  pto_program_release(program);
  free(want);
  free(got);
  pto_context_release(ctx);
}

/* A tile of a run stays what it is when the program runs again. */
static void test_tiles_stay(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, "func.func @main(%n: f32) {\n %t = pto.alloc_tile : " VEC
                                    "\n pto.texpands ins(%n : f32) outs(%t : " VEC ")\n return\n}\n");
  pto_tile *tiles[3];
  const int64_t before = pto_live_handles();
  for (int i = 0; i < 3; ++i) {
    assert_ok(ctx, pto_program_bind_float(ctx, program, "n", i + 1));
    assert_ok(ctx, pto_program_run(ctx, program, NULL));
    tiles[i] = pto_program_tile(ctx, program, "t");
    assert_non_null(tiles[i]);
  }
  for (int i = 0; i < 3; ++i) {
    assert_true(*(const float *)pto_tile_data(tiles[i]) == (float)(i + 1));
    pto_tile_release(tiles[i]);
  }
  /* The kept memory does not grow. */
  const int64_t kept = pto_live_handles() - before;
  for (int i = 0; i < 100; ++i) assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_int_equal(pto_live_handles() - before, kept);
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_run_leaves_nothing_to_the_next),
      cmocka_unit_test(test_tiles_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
