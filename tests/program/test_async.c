/* Asynchronous copies: what they move, and by which rules they are refused. */
#include "program_help.h"

#define VIEW "!pto.tensor_view<?x?xf32>"
#define SESSION "!pto.async_session"
#define EVENT "!pto.async_event"
#define TILE "!pto.tile_buf<vec, 1x256xi8>"

/* Copies rows x 3 elements from %p, with these steps, to %q, of `to` rows without gaps. */
#define COPY(op, peer, peer_type)                                                                                  \
  "func.func @copy(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>, %rows: index, %to: index, %step: index, %one: index) {\n" \
  " %c3 = arith.constant 3 : index\n %c1 = arith.constant 1 : index\n"                                             \
  " %t = pto.alloc_tile : " TILE                                                                                   \
  "\n"                                                                                                             \
  " %a = pto.make_tensor_view %p, shape = [%rows, %c3], strides = [%step, %one] : " VIEW                           \
  "\n"                                                                                                             \
  " %b = pto.make_tensor_view %q, shape = [%to, %c3], strides = [%c3, %c1] : " VIEW                                \
  "\n"                                                                                                             \
  " %s = pto.build_async_session(%t, %p : " TILE ", !pto.ptr<f32>) {sync_id = 1 : i32} -> " SESSION                \
  "\n"                                                                                                             \
  " %e = pto." op "(%b, %a, %s" peer " : " VIEW ", " VIEW ", " SESSION peer_type ") -> " EVENT                     \
  "\n"                                                                                                             \
  " %w = pto.wait_async_event(%e, %s : " EVENT ", " SESSION                                                        \
  ") -> i1\n"                                                                                                      \
  " %x = pto.test_async_event(%e, %s : " EVENT ", " SESSION                                                        \
  ") -> i1\n"                                                                                                      \
  " pto.print ins(\"%d\", %w : i1)\n pto.print ins(\"%d\", %x : i1)\n return\n}\n"

typedef struct {
  int64_t rows, to, step, one;
} sizes;

static pto_status copy(pto_context *ctx, pto_program *program, float *from, float *into, sizes s) {
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, 64);
  pto_tensor *p = pto_tensor_wrap(ctx, &desc, from, 64 * sizeof *from);
  pto_tensor *q = pto_tensor_wrap(ctx, &desc, into, 64 * sizeof *into);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "p", p));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "q", q));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "rows", s.rows));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "to", s.to));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "step", s.step));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "one", s.one));
  const pto_status status = pto_program_run(ctx, program, NULL);
  pto_tensor_release(p);
  pto_tensor_release(q);
  return status;
}

static void elements_without_gaps_are_copied(void **state) {
  (void)state;
  static const char *const k_texts[] = {COPY("tput_async", "", ""), COPY("tget_async", "", ""),
                                        COPY("tput_async", ", %rows", ", index")};
  static const sizes k_flat[] = {{5, 5, 3, 1}, {20, 20, 3, 1}, {1, 1, 64, 1}};
  static const sizes k_gaps[] = {{5, 5, 4, 1}, {7, 7, 1, 9}, {1, 1, 64, 20}, {12, 12, 1, 1}};
  for (size_t i = 0; i < sizeof k_texts / sizeof *k_texts; ++i) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_texts[i]);
    for (size_t k = 0; k < sizeof k_flat / sizeof *k_flat; ++k) {
      const sizes s = k_flat[k];
      float from[64], into[64];
      for (int at = 0; at < 64; ++at) from[at] = (float)(at + 1), into[at] = -1;
      if (copy(ctx, program, from, into, s) != PTO_OK) explain(ctx, program, k_texts[i]);
      assert_string_equal(pto_program_output(program), "1\n1\n");
      for (int at = 0; at < 64; ++at) assert_float_equal(into[at], (at < 3 * s.rows ? (float)(at + 1) : -1.0F), 0);
    }
    for (size_t k = 0; k < sizeof k_gaps / sizeof *k_gaps; ++k) {
      float from[64], into[64];
      for (int at = 0; at < 64; ++at) from[at] = 1, into[at] = -1;
      assert_int_equal(copy(ctx, program, from, into, k_gaps[k]), PTO_ERROR_SHAPE);
      assert_rule(ctx, PTO_ERROR_SHAPE, "comm-flat", "");
      assert_non_null(strstr(pto_context_error_message(ctx), "has gaps between its elements"));
      for (int at = 0; at < 64; ++at) assert_float_equal(into[at], -1, 0);
    }
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* As if all had been read before anything is written. */
static void a_copy_may_overlap_itself(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, COPY("tput_async", "", ""));
  float memory[72];
  for (int at = 0; at < 72; ++at) memory[at] = (float)at;
  assert_ok(ctx, copy(ctx, program, memory, memory + 7, (sizes){12, 12, 3, 1}));
  for (int at = 0; at < 72; ++at) {
    assert_float_equal(memory[at], (float)(at >= 7 && at < 43 ? at - 7 : at), 0);
  }
  pto_program_release(program);
  pto_context_release(ctx);
}

static void other_shapes_are_refused(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, COPY("tget_async", "", ""));
  float from[64], into[64];
  for (int at = 0; at < 64; ++at) from[at] = into[at] = 5;
  from[0] = 6;
  assert_int_equal(copy(ctx, program, from, into, (sizes){3, 4, 3, 1}), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "copy-shape", "");
  assert_non_null(strstr(pto_context_error_message(ctx), "3x3 of f32 is copied to 4x3 of f32"));
  for (int at = 0; at < 64; ++at) assert_float_equal(into[at], 5, 0);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Errors in types are found before a run. */
static void shapes_that_are_known_are_checked(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int good;
  } k_types[] = {{"!pto.tensor_view<?x8xf32>", 1}, {"!pto.partition_tensor_view<4x?xf32>", 1},
                 {"!pto.tensor_view<?x9xf32>", 0}, {"!pto.tensor_view<3x?xf32>", 0},
                 {"!pto.tensor_view<4x8xf16>", 0}, {"!pto.tensor_view<4x8x1xf32>", 0}};
  for (size_t i = 0; i < sizeof k_types / sizeof *k_types; ++i) {
    char text[600];
    snprintf(text, sizeof text,
             "func.func @copies(%%a: !pto.tensor_view<4x8xf32>, %%b: %s, %%s: !pto.async_session) {\n"
             " %%e = pto.tput_async(%%b, %%a, %%s : %s, !pto.tensor_view<4x8xf32>, !pto.async_session) -> "
             "!pto.async_event\n return\n}\n",
             k_types[i].type, k_types[i].type);
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, text);
    const pto_status status = pto_program_check(ctx, program);
    if (k_types[i].good) {
      if (status != PTO_OK) explain(ctx, program, text);
    } else {
      assert_int_equal(status, PTO_ERROR_PROGRAM);
      assert_rule(ctx, PTO_ERROR_PROGRAM, "copy-shape", "");
      speaks_pto_as(program);
    }
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_without_gaps_are_copied),
      cmocka_unit_test(a_copy_may_overlap_itself),
      cmocka_unit_test(other_shapes_are_refused),
      cmocka_unit_test(shapes_that_are_known_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
