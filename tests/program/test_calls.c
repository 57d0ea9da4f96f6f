/* Programs through the C API: how arguments are bound, what is returned, and every way a run is refused or ends
 * early. */
#include "program_help.h"

static const char kCopy[] =
    "func.func @copy(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>, %rows: index, %s: f32) {\n"
    " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c8 = arith.constant 8 : index\n %c4 = "
    "arith.constant 4 : index\n"
    " %a = pto.make_tensor_view %src, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>\n"
    " %b = pto.make_tensor_view %dst, shape = [%rows, %c8], strides = [%c1, %rows] : !pto.tensor_view<?x?xf32>\n"
    " %p = pto.partition_view %a, offsets = [%c1, %c0], sizes = [%c4, %c8] : !pto.tensor_view<?x?xf32> -> "
    "!pto.partition_tensor_view<4x8xf32>\n"
    " %q = pto.partition_view %b, offsets = [%c1, %c0], sizes = [%c4, %c8] : !pto.tensor_view<?x?xf32> -> "
    "!pto.partition_tensor_view<4x8xf32>\n"
    " %t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
    " pto.tload ins(%p : !pto.partition_tensor_view<4x8xf32>) outs(%t : !pto.tile_buf<vec, 4x8xf32>)\n"
    " pto.tstore ins(%t : !pto.tile_buf<vec, 4x8xf32>) outs(%q : !pto.partition_tensor_view<4x8xf32>)\n"
    " return\n}\n";

static void arguments_by_name_and_number(void **state) {
  (void)state;
  const int64_t before = pto_live_handles();
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, kCopy);
  assert_string_equal(pto_program_entry(program), "copy");
  assert_int_equal(pto_program_arg_count(program, NULL), 4);
  assert_int_equal(pto_program_arg_count(program, "none"), -1);
  assert_string_equal(pto_program_arg_name(program, "copy", 1), "dst");
  assert_null(pto_program_arg_name(program, "copy", 4));
  assert_int_equal(pto_program_arg_kind(program, NULL, 0), PTO_ARG_TENSOR);
  assert_int_equal(pto_program_arg_kind(program, NULL, 2), PTO_ARG_INT);
  assert_int_equal(pto_program_arg_kind(program, NULL, 3), PTO_ARG_FLOAT);
  assert_int_equal(pto_program_arg_dtype(program, NULL, 0), PTO_DTYPE_F32);
  float in[48];
  float out[48];
  for (int i = 0; i < 48; ++i) in[i] = (float)i, out[i] = -1;
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 6, 8);
  pto_tensor *src = pto_tensor_wrap(ctx, &desc, in, sizeof in);
  pto_tensor *dst = pto_tensor_wrap(ctx, &desc, out, sizeof out);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "%src", src));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "1", dst));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "rows", 6));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "unbound-argument", "s");
  assert_int_equal(pto_program_diagnostic_line(program, 0), 1);
  assert_ok(ctx, pto_program_bind_float(ctx, program, "s", 1));
  for (int twice = 0; twice < 2; ++twice) assert_ok(ctx, pto_program_run(ctx, program, "copy"));
  assert_int_equal(pto_program_diagnostic_count(program), 0);
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 8; ++c) {
      const float want = r >= 1 && r < 5 ? in[r * 8 + c] : -1;
      assert_true(out[c * 6 + r] == want);
    }
  }
  /* Of the wrong kind, of the wrong type, of no argument, too small, and no such entry. */
  assert_ok(ctx, pto_program_bind_float(ctx, program, "rows", 6));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "argument-kind", "rows");
  assert_ok(ctx, pto_program_bind_int(ctx, program, "rows", 6));
  desc.dtype = PTO_DTYPE_I32;
  pto_tensor *wrong = make_tensor(ctx, &desc);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "src", wrong));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "argument-type", "src");
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "src", src));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "other", 6));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_UNKNOWN);
  assert_rule(ctx, PTO_ERROR_UNKNOWN, "argument-name", "");
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "other", NULL));
  assert_int_equal(pto_program_run(ctx, program, "none"), PTO_ERROR_UNKNOWN);
  assert_string_equal(pto_context_error_rule(ctx), "unknown-entry");
  assert_ok(ctx, pto_program_bind_int(ctx, program, "rows", 7));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_ADDRESS);
  assert_rule(ctx, PTO_ERROR_ADDRESS, "tensor-range", "src"); /* which has 6 rows */
  assert_int_equal(pto_program_diagnostic_line(program, 0), 6);
  assert_ok(ctx, pto_program_bind_int(ctx, program, "rows", 4));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "window", "");
  pto_tensor_release(src);
  pto_tensor_release(dst);
  pto_tensor_release(wrong);
  pto_program_release(program);
  pto_context_release(ctx);
  assert_int_equal(pto_live_handles(), before);
}

static void rules_of_runs(void **state) {
  (void)state;
  ends(HEAD " %big = arith.constant 100000000 : index\n scf.for %i = %c0 to %big step %c1 {\n }\n" TAIL, "step-limit",
       7);
  ends(
      "func.func @main() {\n %t = arith.constant true\n scf.while (%a = %t) : (i1) -> (i1) {\n  scf.condition(%t) %a : "
      "i1\n } do {\n ^bb0(%b: i1):\n  scf.yield %b : i1\n }\n" TAIL,
      "step-limit", 0);
  ends(HEAD " scf.for %i = %c0 to %c4 step %c0 {\n }\n" TAIL, "loop-step", 6);
  ends(HEAD " %z = arith.constant 0 : i64\n %q = arith.divsi %a64, %z : i64\n" TAIL, "division-by-zero", 7);
  ends(HEAD " pto.trap\n" TAIL, "trap", 6);
  ends(HEAD " %t = pto.alloc_tile : !pto.tile_buf<vec, 4096x4096xf32>\n" TAIL, "byte-limit", 6);
  /* Sums: the check finds constants. */
  ends(HEAD " %c = arith.constant 33 : i64\n %odd = arith.addi %a64, %c : i64\n %t = pto.alloc_tile addr = %odd : " T8
            "\n" TAIL,
       "address-alignment", 8);
  ends(HEAD
       " %c = arith.constant 1073741824 : i64\n %far = arith.addi %c, %c : i64\n %t = pto.alloc_tile addr = %far : " T8
       "\n" TAIL,
       "address-range", 8);
  ends(HEAD
       " %five = arith.addi %c4, %c1 : index\n"
       " %t = pto.alloc_tile valid_row = %five valid_col = %c4 : !pto.tile_buf<vec, 2x8xi32, valid=?x?>\n" TAIL,
       "valid-range", 7);
  ends(HEAD
       " %m = arith.subi %c0, %c1 : index\n"
       " %t = pto.alloc_tile valid_row = %m valid_col = %c4 : !pto.tile_buf<vec, 2x8xi32, valid=?x?>\n" TAIL,
       "valid-range", 7);
  ends(HEAD
       " %m = arith.subi %c0, %c1 : index\n"
       " %t = pto.alloc_tile valid_row = %c1 valid_col = %m : !pto.tile_buf<vec, 2x8xi32, valid=?x?>\n" TAIL,
       "valid-range", 7);
  ends(HEAD " %t = pto.alloc_tile : " T8
            "\n %k = arith.addi %c4, %c4 : index\n"
            " %x = pto.tgetval ins(%t, %k : " T8 ", index) outs : i32\n" TAIL,
       "view-range", 8);
  ends(
      "func.func @main() {\n %two = arith.constant 2 : index\n"
      " %e = pto.declare_eventid_array -> !pto.eventid_array<2>\n"
      " %x = pto.eventid_array_get %e[%two] : !pto.eventid_array<2>\n" TAIL,
      "view-range", 4);
  /* The two valid regions are known to differ only when it runs. */
  ends(HEAD
       " %one = arith.subi %c1, %c0 : index\n"
       " %a = pto.alloc_tile valid_row = %c1 valid_col = %one : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
       " %b = pto.alloc_tile valid_row = %c1 valid_col = %c4 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
       " pto.trsqrt ins(%a : !pto.tile_buf<vec, 2x8xf32, valid=?x?>) outs(%b : !pto.tile_buf<vec, 2x8xf32, "
       "valid=?x?>)\n" TAIL,
       "valid-covers", 9);
}

static void rules_of_instructions_are_checked_without_running(void **state) {
  (void)state;
  const char *text = HEAD
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n %u = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
      " pto.trsqrt ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%u : !pto.tile_buf<vec, 4x8xf32>)\n" TAIL;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_int_equal(pto_program_check(ctx, program), PTO_ERROR_PROGRAM);
  assert_string_equal(pto_context_error_rule(ctx), "valid-covers");
  assert_int_equal(pto_program_diagnostic_count(program), 1);
  assert_int_equal(pto_program_diagnostic_line(program, 0), 8);
  assert_int_equal(pto_program_diagnostic_column(program, 0), 2);
  assert_non_null(strstr(pto_program_diagnostic_excerpt(program, 0), "^^^"));
  assert_non_null(strstr(pto_program_diagnostic_text(program, 0), "t.pto:8:2: error: "));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  pto_program_release(program);
  /* The profile decides: A2A3 wants rows of 32 bytes, and tprelu a tmp apart from the others. */
  const char *narrow = HEAD " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x4xf32>\n" TAIL;
  const char *prelu = HEAD
      " %a = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n %b = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n"
      " %m = pto.alloc_tile : !pto.tile_buf<vec, 3x32xui8>\n"
      " pto.tprelu ins(%a, %b, %m : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, "
      "3x32xui8>)"
      " outs(%a : !pto.tile_buf<vec, 2x8xf32>)\n" TAIL;
  /* tmp lies where a source does, until tassign moves it. */
#define TMP_AT_SOURCE                                                                                               \
  HEAD " %a = pto.alloc_tile addr = %a64 : !pto.tile_buf<vec, 2x8xf32>\n %b = pto.alloc_tile : !pto.tile_buf<vec, " \
       "2x8xf32>\n %m = pto.alloc_tile addr = %a64 : !pto.tile_buf<vec, 3x32xui8>\n %u = pto.treshape %m : "        \
       "!pto.tile_buf<...> -> !pto.tile_buf<vec, 3x32xui8>\n %far = arith.constant 2048 : i64\n"
#define PRELU_WITH(tmp) " pto.tprelu ins(%a, %b, " tmp ") outs(%d)\n"
  const char *apart = TMP_AT_SOURCE " %d = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n" PRELU_WITH("%m") TAIL;
  const char *view = TMP_AT_SOURCE " %d = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n" PRELU_WITH("%u") TAIL;
  const char *moved =
      TMP_AT_SOURCE " %d = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n pto.tassign %m, %far\n" PRELU_WITH("%m") TAIL;
  const char *back = TMP_AT_SOURCE
      " %d = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n pto.tassign %m, "
      "%far\n pto.tassign %m, %a64\n" PRELU_WITH("%m") TAIL;
  pto_context *a2a3 = context(PTO_PROFILE_A2A3);
  static const char *const rules[] = {"row-bytes", "no-overlap", "tmp-apart", "tmp-apart"};
  const char *const texts[] = {narrow, prelu, apart, view};
  for (int i = 0; i < 4; ++i) {
    program = parse(ctx, texts[i]);
    assert_ok(ctx, pto_program_check(ctx, program));
    assert_int_equal(pto_program_check(a2a3, program), PTO_ERROR_PROGRAM);
    assert_string_equal(pto_context_error_rule(a2a3), rules[i]);
    speaks_pto_as(program);
    pto_program_release(program);
  }
  /* A view moves the window at its origin. A view that is shorter in a dimension is refused for any number of elements.
   */
#define MOVES(view)                                        \
  "func.func @f(%w: !pto.partition_tensor_view<" view      \
  "xf32>, %t: !pto.tile_buf<vec, 6x8xf32, valid=6x4>) {\n" \
  "  pto.tload ins(%w : !pto.partition_tensor_view<" view  \
  "xf32>) outs(%t : !pto.tile_buf<...>)\n"                 \
  "  pto.tstore ins(%t : !pto.tile_buf<...>) outs(%w : !pto.partition_tensor_view<" view "xf32>)\n  return\n}\n"
  static const char *const views[] = {MOVES("6x4"),  MOVES("7x4"), MOVES("6x9"),  MOVES("2x3x8"),
                                      MOVES("2x12"), MOVES("24"),  MOVES("1x24"), MOVES("5x5")};
  for (int i = 0; i < 8; ++i) {
    program = parse(ctx, views[i]);
    for (int p = 0; p < 2; ++p) {
      pto_context *under = p == 0 ? ctx : a2a3;
      assert_int_equal(pto_program_check(under, program), i < 4 ? PTO_OK : PTO_ERROR_PROGRAM);
      if (i < 4) continue;
      assert_int_equal(pto_program_diagnostic_count(program), 2);
      assert_string_equal(pto_program_diagnostic_rule(program, 0), "transfer-covers");
      assert_int_equal(pto_program_diagnostic_line(program, 1), 3);
      speaks_pto_as(program);
    }
    pto_program_release(program);
  }
  /* Regions that are known only when it runs hide no other error. */
  program = parse(ctx, HEAD
                  " %t = pto.alloc_tile valid_row = %c1 valid_col = %c1 : !pto.tile_buf<vec, 2x8xi32, valid=?x?>\n"
                  " pto.trsqrt ins(%t) outs(%t)\n" TAIL);
  assert_int_equal(pto_program_check(ctx, program), PTO_ERROR_PROGRAM);
  assert_string_equal(pto_context_error_rule(ctx), "dtype");
  pto_program_release(program);
  program = parse(ctx, moved);
  if (pto_program_run(a2a3, program, NULL) != PTO_OK) explain(a2a3, program, moved);
  pto_program_release(program);
  program = parse(ctx, back);
  assert_ok(a2a3, pto_program_check(a2a3, program)); /* no way to know */
  assert_int_equal(pto_program_run(a2a3, program, NULL), PTO_ERROR_ALIAS);
  assert_string_equal(pto_context_error_rule(a2a3), "tmp-apart");
  pto_program_release(program);
  pto_context_release(a2a3);
  pto_context_release(ctx);
}

/* Programs with several errors or functions, and what a run of `entry` reports. */
static void mistakes_stop_only_what_reaches_them(void **state) {
  (void)state;
#define TILE_AT(v) " %" v " = pto.alloc_tile : !pto.tile_buf<vec, 2x8xi32>\n"
#define FUNC(name) "func.func @" name "() {\n"
#define END " return\n}\n"
#define BAD_RULE TILE_AT("t") " pto.trsqrt ins(%t) outs(%t)\n"
#define BAD_NAME TILE_AT("t") " pto.trsqrt ins(%u) outs(%t)\n"
#define BAD_TEXT " %t = pto.alloc_tile 3 : ( !pto\n"
#define GOOD " pto.print ins(\"good\")\n"
  static const struct {
    const char *text, *entry;
    const char *rules; /* of the diagnostics after the run, ! before an error */
    int runs;
  } cases[] = {
      /* An instruction that is missing hides no rule of another. */
      {FUNC("f") TILE_AT("t") " pto.talias ins(%t) outs(%t)\n pto.trsqrt ins(%t) outs(%t)\n" END, "f",
       "!unsupported-instruction !dtype ", 0},
      {FUNC("f") GOOD END FUNC("g") BAD_RULE END, "f", "dtype ", 1},
      {FUNC("f") GOOD END FUNC("g") BAD_RULE END, "g", "!dtype ", 0},
      {FUNC("f") GOOD END FUNC("g") BAD_NAME BAD_RULE END, "f", "undefined-value redefinition dtype ", 1},
      {FUNC("g") BAD_TEXT END FUNC("f") GOOD END, "f", "syntax ", 1},
      {FUNC("f") GOOD END FUNC("g") BAD_TEXT END, "f", "syntax ", 1},
      {FUNC("f") GOOD END FUNC("g") BAD_TEXT END, "g", "!syntax ", 0},
      {FUNC("f") GOOD " call @h() : () -> ()\n" END FUNC("h") " call @g() : () -> ()\n" END FUNC("g") BAD_RULE END, "f",
       "!dtype ", 0},
      {FUNC("f") GOOD END FUNC("f") BAD_RULE END, "f", "!duplicate-symbol ", 0},
      {"func.func @r() -> i32 {\n %x = arith.constant 1 : i32\n return %x : i32\n}\n" FUNC("f") GOOD END, "r",
       "!entry-result ", 0},
      {"func.func @r() -> i32 {\n %x = arith.constant 1 : i32\n return %x : i32\n}\n" FUNC("f") GOOD END, "f", "", 1},
      {"func.func @r() -> i32 {\n %x = arith.constant 1 : i32\n return %x : i32\n}\n", NULL, "!entry-result ", 0},
  };
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    pto_program *program = parse(ctx, cases[i].text);
    for (int round = 0; round < 2; ++round) {
      const pto_status status = pto_program_run(ctx, program, cases[i].entry);
      char rules[256] = "";
      for (int32_t k = 0; k < pto_program_diagnostic_count(program); ++k) {
        if (pto_program_diagnostic_error(program, k)) strcat(rules, "!");
        strcat(rules, pto_program_diagnostic_rule(program, k));
        strcat(rules, " ");
      }
      if (strcmp(rules, cases[i].rules) != 0) fail_msg("case %d: %s\n%s", (int)i, rules, cases[i].text);
      assert_int_equal(status, cases[i].runs ? PTO_OK : PTO_ERROR_PROGRAM);
      assert_string_equal(pto_program_output(program), cases[i].runs ? "good\n" : "");
      if (!cases[i].runs) assert_string_equal(pto_context_error_rule(ctx), "program-errors");
    }
    pto_program_release(program);
  }
  pto_context_release(ctx);
}

static void texts_with_errors_answer_their_diagnostics(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, "func.func @main() {\n %x = arith.constant : i64\n return\n}\n");
  assert_int_equal(pto_program_diagnostic_count(program), 1);
  assert_int_equal(pto_program_diagnostic_line(program, 0), 2);
  assert_int_equal(pto_program_check(ctx, program), PTO_ERROR_PROGRAM);
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_null(pto_program_print(ctx, program, PTO_FORM_KEEP));
  pto_program_release(program);
  assert_null(pto_program_parse(ctx, NULL, 3, NULL));
  assert_rule(ctx, PTO_ERROR_NULL, "null", "text");
  assert_null(pto_program_parse(ctx, "", -1, NULL));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "byte-count", "bytes");
  program = parse(ctx, "");
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_UNKNOWN);
  assert_int_equal(pto_program_limit_steps(ctx, program, 0), PTO_ERROR_ARGUMENT);
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "limit", "steps");
  pto_program_release(program);
  pto_context_release(ctx);
}

static void arguments_take_the_type_that_the_program_says(void **state) {
  (void)state;
  /* Floats are rounded to it, integers must be in its range. */
  static const char text[] =
      "func.func @main(%b: i8, %h: f16, %t: !pto.tile_buf<vec, 2x8xf32>) {\n pto.print ins(\"%d\", %b : i8)\n"
      " pto.print ins(\"%f\", %h : f16)\n return\n}\n";
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 2, 8);
  assert_ok(ctx, pto_program_bind_int(ctx, program, "b", 300));
  assert_ok(ctx, pto_program_bind_float(ctx, program, "h", 0.1));
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", tile));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "argument-range", "b");
  assert_ok(ctx, pto_program_bind_int(ctx, program, "b", 44));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_string_equal(pto_program_output(program), "44\n0.0999755859\n");
  /* Decimals are rounded once: as a double this is 1 + 2^-11, a tie of f16, and would become 1. */
  assert_ok(ctx, pto_program_bind_decimal(ctx, program, "h", "1.00048828125000000001"));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_string_equal(pto_program_output(program), "44\n1.00097656\n");
  assert_ok(ctx, pto_program_bind_decimal(ctx, program, "%h", "-1.00048828125"));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_string_equal(pto_program_output(program), "44\n-1\n");
  static const char *k_wrong[] = {"", "-", "1.5 ", "nan", "0x1p3", "1e", "--1"};
  for (size_t i = 0; i < sizeof k_wrong / sizeof *k_wrong; ++i) {
    assert_int_equal(pto_program_bind_decimal(ctx, program, "h", k_wrong[i]), PTO_ERROR_PROGRAM);
    assert_rule(ctx, PTO_ERROR_PROGRAM, "argument-type", "text");
  }
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_string_equal(pto_program_output(program), "44\n-1\n"); /* a call that fails changes nothing */
  /* A tile has the rows and the columns. */
  static const int32_t shapes[2][2] = {{4, 8}, {2, 16}};
  for (int i = 0; i < 2; ++i) {
    pto_tile *other = pto_tile_create(ctx, PTO_DTYPE_F32, shapes[i][0], shapes[i][1]);
    assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", other));
    assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
    assert_rule(ctx, PTO_ERROR_PROGRAM, "argument-type", "t");
    pto_tile_release(other);
  }
  /* A binding takes the place of the one before, and taken back it is gone. */
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", tile));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", NULL));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "unbound-argument", "t");
  /* Taking back what is not bound is not an error. */
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", NULL));
  pto_tile_release(tile);
  pto_program_release(program);
  /* The result of the function follows the last argument. */
  program = parse(ctx,
                  "func.func @f(%a: i64) -> (i64, f32) {\n %x = arith.constant 1.0 : f32\n"
                  " return %a, %x : i64, f32\n}\n");
  assert_int_equal(pto_program_arg_count(program, NULL), 1);
  assert_null(pto_program_arg_name(program, NULL, 1));
  assert_int_equal(pto_program_arg_kind(program, NULL, 1), PTO_ARG_OTHER);
  assert_int_equal(pto_program_arg_dtype(program, NULL, 1), -1);
  pto_program_release(program);
  /* Numbers that no tile has for elements are of no element type. */
  program = parse(ctx, "func.func @f(%a: index, %b: i1, %c: f64, %d: !pto.ptr<f64>, %e: i8) {\n return\n}\n");
  for (int32_t i = 0; i < 4; ++i) assert_int_equal(pto_program_arg_dtype(program, NULL, i), -1);
  assert_int_equal(pto_program_arg_dtype(program, NULL, 4), PTO_DTYPE_I8);
  pto_program_release(program);
  /* The result of a bare statement need not be bound. */
  program = parse(ctx, "%dst = trsqrt %src : !pto.tile<2x8xf32>\n");
  assert_string_equal(pto_program_arg_name(program, NULL, 0), "src");
  assert_int_equal(pto_program_arg_optional(program, NULL, 0), 0);
  assert_int_equal(pto_program_arg_optional(program, NULL, 1), 1);
  pto_program_release(program);
  pto_context_release(ctx);
}

static void what_is_answered_is_counted_and_bounded(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const int64_t before = pto_live_handles();
  pto_program *program = parse(ctx, HEAD " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n" TAIL);
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  const int64_t running = pto_live_handles();
  pto_tile *tile = pto_program_tile(ctx, program, "t");
  pto_tile_release(tile);
  assert_int_equal(pto_live_handles(), running); /* the program has its own reference */
  tile = pto_program_tile(ctx, program, "t");
  assert_int_equal(pto_program_tile_count(program), 1);
  assert_null(pto_program_tile_name(program, 1));
  pto_program_release(program);
  assert_int_equal(pto_tile_rows(tile), 2);
  pto_tile_release(tile);
  assert_int_equal(pto_live_handles(), before);

  /* Values of one name are requested once, and the last one counts. */
  program = parse(ctx, HEAD
                  " %t = arith.constant true\n scf.if %t {\n  %u = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n"
                  " }\n scf.if %t {\n  %u = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n }\n" TAIL);
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_int_equal(pto_program_tile_count(program), 1);
  assert_string_equal(pto_program_tile_name(program, 0), "u");
  tile = pto_program_tile(ctx, program, "u");
  assert_int_equal(pto_tile_rows(tile), 4);
  pto_tile_release(tile);
  pto_program_release(program);

  /* Two bad statements: two diagnostics, and none after. A run reports why it does not begin. */
  program = parse(ctx, "func.func @main() {\n %x = arith.constant : i64\n %y = arith.constant : i64\n return\n}\n");
  assert_int_equal(pto_program_check(ctx, program), PTO_ERROR_PROGRAM);
  assert_int_equal(pto_program_diagnostic_count(program), 2);
  assert_null(pto_program_diagnostic_rule(program, 2));
  assert_null(pto_program_diagnostic_text(program, 2));
  assert_int_equal(pto_program_diagnostic_line(program, 1), 3);
  assert_int_equal(pto_program_diagnostic_line(program, 2), 0);
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "program-errors", "");
  assert_int_equal(pto_program_diagnostic_count(program), 2);
  pto_program_release(program);

  /* A limit is what may be in use, itself included. */
  program = parse(ctx, HEAD " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n" TAIL);
  /* 64 of the tile, 512 of its handle, 32 for each of five values */
  assert_ok(ctx, pto_program_limit_bytes(ctx, program, 64 + 512 + 5 * 32 - 1));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "byte-limit", "");
  assert_ok(ctx, pto_program_limit_bytes(ctx, program, 64 + 512 + 5 * 32));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_int_equal(pto_program_steps(program), 7);
  assert_ok(ctx, pto_program_limit_steps(ctx, program, 6));
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "step-limit", "");
  assert_int_equal(pto_program_steps(program), 6);
  assert_ok(ctx, pto_program_limit_steps(ctx, program, 7));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  pto_program_release(program);
  pto_context_release(ctx);
}

/* The output and the name of a program cannot control a terminal, and messages stay one line. */
static void controls_are_escaped(void **state) {
  (void)state;
  prints(HEAD " pto.print ins(\"\x1B]0;t\x07 \xC2\x9B \x9B\t\xC3\xA4 %d\\n.\", %a64 : i64)\n" TAIL,
         "\\x1B]0;t\\x07 \\xC2\\x9B \\x9B\t\xC3\xA4 64\n.\n");
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = pto_program_parse(ctx, "x", 1, "a\nb\x1B[2J\xC2\x9B\xC3\xA4");
  assert_int_equal(pto_program_check(ctx, program), PTO_ERROR_PROGRAM);
  assert_non_null(strstr(pto_context_error_message(ctx), " a\\x0Ab\\x1B[2J\\xC2\\x9B\xC3\xA4:1:1: "));
  assert_memory_equal(pto_program_diagnostic_text(program, 0), "a\\x0Ab\\x1B[2J\\xC2\\x9B\xC3\xA4:1:1: ", 29);
  pto_program_release(program);
  /* A name that is too long is not cut inside of a character. */
  char name[400];
  for (int odd = 0; odd < 2; ++odd) {
    memset(name, 'n', sizeof name);
    for (size_t i = (size_t)odd; i + 2 < sizeof name; i += 2) memcpy(name + i, "\xC3\xA4", 2);
    name[sizeof name - 1] = '\0';
    program = pto_program_parse(ctx, "x", 1, name);
    assert_int_equal(pto_program_check(ctx, program), PTO_ERROR_PROGRAM);
    const char *text = pto_context_error_message(ctx);
    assert_int_equal(text[strlen(text) - 1], '\xA4');
    pto_program_release(program);
  }
  pto_context_release(ctx);
}

/* Which strides a view has is known when it runs. */
static void stores_give_each_element_a_place(void **state) {
  (void)state;
  static const char *const ways[] = {"", " {atomicType = ADD}"};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int adds = 0; adds < 2; ++adds) {
    for (int stride = 4; stride <= 8; stride += 4) {
      char text[1000];
      snprintf(text, sizeof text,
               "func.func @f(%%p: !pto.ptr<f32>, %%s: index) {\n %%c1 = arith.constant 1 : index\n"
               " %%c2 = arith.constant 2 : index\n %%c8 = arith.constant 8 : index\n %%x = arith.constant 1.0 : f32\n"
               " %%v = pto.make_tensor_view %%p, shape = [%%c2, %%c8], strides = [%%s, %%c1] : "
               "!pto.tensor_view<?x?xf32>\n"
               " %%t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n"
               " pto.texpands ins(%%x : f32) outs(%%t : !pto.tile_buf<vec, 2x8xf32>)\n"
               " pto.tstore ins(%%t : !pto.tile_buf<vec, 2x8xf32>) outs(%%v : !pto.tensor_view<?x?xf32>)%s\n" TAIL,
               ways[adds]);
      float memory[16] = {0}, want[16] = {0};
      const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, 16);
      pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
      pto_program *program = parse(ctx, text);
      assert_ok(ctx, pto_program_bind_tensor(ctx, program, "p", tensor));
      assert_ok(ctx, pto_program_bind_int(ctx, program, "s", stride));
      assert_ok(ctx, pto_program_check(ctx, program));
      const pto_status status = pto_program_run(ctx, program, NULL);
      if (adds || stride == 8) {
        if (status != PTO_OK) explain(ctx, program, text);
        for (int i = 0; i < 16; ++i) want[i / 8 * stride + i % 8] += 1;
      } else {
        assert_int_equal(status, PTO_ERROR_SHAPE);
        assert_string_equal(pto_context_error_rule(ctx), "tensor-overlap");
        assert_int_equal(pto_program_diagnostic_line(program, 0), 9);
        assert_non_null(strstr(pto_program_diagnostic_message(program, 0), "(0, 4) and (1, 0)"));
        speaks_pto_as(program);
      }
      assert_memory_equal(memory, want, sizeof want);
      pto_program_release(program);
      pto_tensor_release(tensor);
    }
  }
  pto_context_release(ctx);
}

/* A value without a name has no place in a run: such a statement is refused, not run. */
static void values_have_names(void **state) {
  (void)state;
  static const char *const statements[] = {
      "arith.constant 1 : i32",
      "arith.addi %n, %n : index",
      "arith.cmpi eq, %n, %n : index",
      "arith.index_cast %n : index to i64",
      "pto.get_block_idx",
      "pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>",
      "pto.load_scalar %p[%n] : !pto.ptr<f32> -> f32",
      "pto.addptr %p, %n : !pto.ptr<f32> -> !pto.ptr<f32>",
      "pto.treshape %t : !pto.tile_buf<vec, 4x8xf32> -> !pto.tile_buf<vec, 8x4xf32>",
      "pto.subset %t[%z, %z] sizes [1, 8] : !pto.tile_buf<vec, 4x8xf32>",
      "pto.declare_eventid_array -> !pto.eventid_array<4>",
      "pto.eventid_array_get %e[%n] : !pto.eventid_array<4>",
      "pto.make_tensor_view %p, shape = [%n, %n], strides = [%n, %n] : !pto.tensor_view<?x?xf32>",
      "pto.tgetval ins(%t, %n : !pto.tile_buf<vec, 4x8xf32>, index) outs : f32",
  };
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (size_t i = 0; i < 2 * sizeof statements / sizeof *statements; ++i) {
    char text[1000];
    snprintf(text, sizeof text,
             "func.func @f(%%p: !pto.ptr<f32>) {\n %%n = arith.constant 1 : index\n %%z = arith.constant 0 : index\n"
             " %%t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
             " %%e = pto.declare_eventid_array -> !pto.eventid_array<4>\n %s%s\n return\n}\n",
             i % 2 == 0 ? "" : "%named = ", statements[i / 2]);
    pto_program *program = parse(ctx, text);
    const pto_status status = pto_program_check(ctx, program);
    if (i % 2 != 0 && status != PTO_OK) explain(ctx, program, text);
    if (i % 2 == 0 && (status != PTO_ERROR_PROGRAM || strcmp(pto_context_error_rule(ctx), "result-count") != 0))
      fail_msg("%s", text);
    pto_program_release(program);
  }
  pto_context_release(ctx);
}

static void output_is_a_mebibyte_at_most(void **state) {
  (void)state;
  static const char text[] = HEAD
      " %n = arith.constant 20000 : index\n scf.for %i = %c0 to %n step %c1 {\n"
      "  pto.print ins(\"0123456789012345678901234567890123456789012345678901234567890123456789 %d\", %i : index)\n "
      "}\n" TAIL;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  /* Whole lines, and a line that reports the cut: one block and many, with the limit after a line or inside of one. */
  for (int32_t blocks = 1; blocks <= 40; blocks += 13) {
    assert_ok(ctx, pto_program_set_blocks(ctx, program, blocks));
    assert_ok(ctx, pto_program_run(ctx, program, NULL));
    static const char k_cut[] = "... cut: no more than 1 MiB is kept\n";
    const char *output = pto_program_output(program);
    const size_t bytes = strlen(output);
    assert_true(bytes <= 1 << 20 && bytes > (1 << 20) - 200);
    assert_string_equal(output + bytes - strlen(k_cut), k_cut);
    assert_int_equal(output[bytes - strlen(k_cut) - 1], '\n');
    assert_ptr_equal(strstr(output, k_cut), output + bytes - strlen(k_cut));
  }
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Calls `calls` functions; each calls the next. */
static pto_status nested(pto_context *ctx, int calls) {
  char text[80 * 100];
  size_t at = 0;
  for (int i = 0; i < calls; ++i) {
    at += (size_t)snprintf(text + at, sizeof text - at, "func.func @f%d()%s {\n call @f%d() : () -> ()\n return\n}\n",
                           i, i == 0 ? " attributes {pto.entry}" : "", i + 1);
  }
  snprintf(text + at, sizeof text - at, "func.func @f%d() {\n return\n}\n", calls);
  pto_program *program = parse(ctx, text);
  const pto_status status = pto_program_run(ctx, program, NULL);
  pto_program_release(program);
  return status;
}

static void calls_are_64_deep_at_most(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  assert_ok(ctx, nested(ctx, 64));
  assert_int_equal(nested(ctx, 65), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "call-depth", "");
  pto_context_release(ctx);
}

static void null_programs_answer_their_defaults(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  assert_int_equal(pto_program_run(ctx, NULL, NULL), PTO_ERROR_NULL);
  assert_int_equal(pto_program_check(NULL, NULL), PTO_ERROR_NULL);
  assert_int_equal(pto_program_bind_int(ctx, NULL, "x", 1), PTO_ERROR_NULL);
  assert_int_equal(pto_program_diagnostic_count(NULL), 0);
  assert_null(pto_program_diagnostic_text(NULL, 0));
  assert_string_equal(pto_program_output(NULL), "");
  assert_null(pto_program_entry(NULL));
  assert_int_equal(pto_program_profile(NULL), -1);
  assert_null(pto_program_retain(NULL));
  pto_program_release(NULL);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arguments_by_name_and_number),
      cmocka_unit_test(rules_of_runs),
      cmocka_unit_test(rules_of_instructions_are_checked_without_running),
      cmocka_unit_test(mistakes_stop_only_what_reaches_them),
      cmocka_unit_test(texts_with_errors_answer_their_diagnostics),
      cmocka_unit_test(arguments_take_the_type_that_the_program_says),
      cmocka_unit_test(what_is_answered_is_counted_and_bounded),
      cmocka_unit_test(stores_give_each_element_a_place),
      cmocka_unit_test(values_have_names),
      cmocka_unit_test(controls_are_escaped),
      cmocka_unit_test(output_is_a_mebibyte_at_most),
      cmocka_unit_test(calls_are_64_deep_at_most),
      cmocka_unit_test(null_programs_answer_their_defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
