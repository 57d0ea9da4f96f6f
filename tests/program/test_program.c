/* Programs through the C API: what statements mean, seen through what they print;
 * how arguments are bound; every way a run is refused or ends early. */
#include "program_help.h"

static void numbers(void **state) {
  (void)state;
  prints("func.func @main() {\n"
         " %a = arith.constant 200 : i8\n %b = arith.constant 100 : i8\n"
         " %s = arith.addi %a, %b : i8\n %w = arith.extsi %s : i8 to i64\n" SHOW("%w")
         " %u = arith.extui %a : i8 to i64\n" SHOW("%u")
         " %x = arith.constant -7 : i64\n %y = arith.constant 2 : i64\n"
         " %q = arith.divsi %x, %y : i64\n" SHOW("%q")
         " %r = arith.remsi %x, %y : i64\n" SHOW("%r")
         " %f = arith.floordivsi %x, %y : i64\n" SHOW("%f")
         " %g = arith.ceildivsi %x, %y : i64\n" SHOW("%g")
         " %k = arith.cmpi slt, %x, %y : i64\n %m = arith.select %k, %x, %y : i64\n" SHOW("%m")
         " %p = arith.constant 0.1 : f32\n pto.print ins(\"p=%f!\", %p : f32)\n"
         " %h = arith.constant 0x7C00 : f16\n pto.print ins(\"%f\", %h : f16)\n" TAIL,
         "44\n200\n-3\n-1\n-4\n-3\n-7\np=0.100000001!\ninf\n");
}

static void loops_carry_and_swap_values(void **state) {
  (void)state;
  /* Fibonacci: the two carried values are swapped, so all are read before any is written. */
  prints(HEAD
         " %n = arith.constant 10 : index\n %z = arith.constant 0 : i64\n %o = arith.constant 1 : i64\n"
         " %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %o) -> (i64, i64) {\n"
         "  %s = arith.addi %a, %b : i64\n  scf.yield %b, %s : i64, i64\n }\n" SHOW("%r#0") SHOW("%r#1") TAIL,
         "55\n89\n");
  /* No round at all, and a step beyond the end. */
  prints(HEAD
         " %z = arith.constant 5 : i64\n"
         " %r = scf.for %i = %c4 to %c1 step %c1 iter_args(%a = %z) -> (i64) {\n"
         "  %s = arith.addi %a, %a : i64\n  scf.yield %s : i64\n }\n" SHOW("%r") TAIL,
         "5\n");
}

static void while_and_if(void **state) {
  (void)state;
  prints(HEAD " %z = arith.constant 1 : i64\n %lim = arith.constant 100 : i64\n"
         " %r = scf.while (%a = %z) : (i64) -> (i64) {\n"
         "  %c = arith.cmpi slt, %a, %lim : i64\n  scf.condition(%c) %a : i64\n } do {\n ^bb0(%b: i64):\n"
         "  %d = arith.addi %b, %b : i64\n  scf.yield %d : i64\n }\n" SHOW("%r")
         " %t = arith.cmpi eq, %r, %lim : i64\n"
         " %s = scf.if %t -> (i64) {\n  scf.yield %z : i64\n } else {\n  scf.yield %lim : i64\n }\n" SHOW("%s") TAIL,
         "128\n100\n");
}

static void calls_and_blocks(void **state) {
  (void)state;
  const char *text =
      "func.func @twice(%x: i64) -> i64 {\n %y = arith.addi %x, %x : i64\n return %y : i64\n}\n"
      "func.func @main() attributes {pto.entry} {\n %i = pto.get_block_idx\n %n = pto.get_block_num\n"
      " %d = func.call @twice(%i) : (i64) -> i64\n" SHOW("%d") SHOW("%n") " %s = pto.get_subblock_num\n" SHOW("%s")
          TAIL;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 3));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, text);
  assert_string_equal(pto_program_output(program), "0\n3\n1\n2\n3\n1\n4\n3\n1\n");
  assert_int_equal(pto_program_set_blocks(ctx, program, 0), PTO_ERROR_ARGUMENT);
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "blocks", "blocks");
  pto_program_release(program);
  pto_context_release(ctx);
}

#define T8 "!pto.tile_buf<vec, 1x8xi32>"
#define SET(tile, type, at, value)                                               \
  " %k" at " = arith.constant " at " : index\n %v" at " = arith.constant " value \
  " : i32\n"                                                                     \
  " pto.tsetval ins(%k" at ", %v" at " : index, i32) outs(" tile " : " type ")\n"
#define GET(name, tile, type, at) \
  " " name " = pto.tgetval ins(" tile ", " at " : " type ", index) outs : i32\n" SHOW32(name)

static void tiles_at_one_address_are_one(void **state) {
  (void)state;
  prints(HEAD " %a = pto.alloc_tile addr = %a64 : " T8 "\n %b = pto.alloc_tile addr = %a64 : " T8
              "\n"
              " %z = pto.alloc_tile : " T8 "\n" SET("%a", T8, "3", "77") GET("%x", "%b", T8, "%k3")
                  GET("%y", "%z", T8, "%k3") TAIL,
         "77\n0\n");
}

static void views_share_elements(void **state) {
  (void)state;
  prints(HEAD " %t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xi32>\n"
         " %w = pto.treshape %t : !pto.tile_buf<vec, 4x8xi32> -> !pto.tile_buf<vec, 1x32xi32>\n"
         " %s = pto.subset %t[%c1, %c4] sizes [2, 4] : !pto.tile_buf<vec, 4x8xi32>\n"
         " %u = pto.alloc_tile : !pto.tile_buf<vec, 2x4xi32>\n" SET("%w", "!pto.tile_buf<vec, 1x32xi32>", "13", "9")
         " pto.tmov ins(%s : !pto.tile_buf<vec, 2x4xi32>) outs(%u : !pto.tile_buf<vec, 2x4xi32>)\n"
         GET("%x", "%u", "!pto.tile_buf<vec, 2x4xi32>", "%c1")
         " pto.tprint ins(%u : !pto.tile_buf<vec, 2x4xi32>)\n" TAIL,
         "9\n%u: 2x4 of i32\n  0 9 0 0\n  0 0 0 0\n");
}

static void a_valid_region_changes_at_run_time(void **state) {
  (void)state;
  prints(HEAD
         " %t = pto.alloc_tile valid_row = %c1 valid_col = %c4 : !pto.tile_buf<vec, 2x8xi32, valid=?x?>\n"
         " pto.tprint ins(%t : !pto.tile_buf<vec, 2x8xi32, valid=?x?>)\n"
         " pto.set_validshape %t, %c1, %c1 : !pto.tile_buf<vec, 2x8xi32, valid=?x?>\n"
         " pto.tprint ins(%t : !pto.tile_buf<vec, 2x8xi32, valid=?x?>)\n" TAIL,
         "%t: 1x4 of i32\n  0 0 0 0\n%t: 1x1 of i32\n  0\n");
}

static void handles_flow_through_control_flow(void **state) {
  (void)state;
  /* A tile allocated in a loop and carried out of a round is not the tile of the next round. */
  prints(HEAD " %n = arith.constant 3 : index\n %first = pto.alloc_tile : " T8
              "\n"
              " %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (" T8
              ") {\n"
              "  %new = pto.alloc_tile : " T8
              "\n  %v = arith.index_cast %i : index to i32\n"
              "  pto.tsetval ins(%c0, %v : index, i32) outs(%new : " T8
              ")\n"
              "  %seen = pto.tgetval ins(%old, %c0 : " T8
              ", index) outs : i32\n" SHOW32("%seen") "  scf.yield %new : " T8 "\n }\n" GET("%x", "%r", T8, "%c0") TAIL,
         "0\n0\n1\n2\n");
  /* scf.if answers one of two handles, not a copy. */
  prints(HEAD " %a = pto.alloc_tile : " T8 "\n %b = pto.alloc_tile : " T8
              "\n %t = arith.constant true\n"
              " %r = scf.if %t -> (" T8 ") {\n  scf.yield %a : " T8 "\n } else {\n  scf.yield %b : " T8
              "\n }\n" SET("%r", T8, "2", "5") GET("%x", "%a", T8, "%k2") GET("%y", "%b", T8, "%k2") TAIL,
         "5\n0\n");
}

static void an_instruction_sees_other_tiles_each_time(void **state) {
  (void)state;
  prints(HEAD " %n = arith.constant 3 : index\n %a = pto.alloc_tile : " T8 "\n %b = pto.alloc_tile : " T8 "\n"
         SET("%a", T8, "0", "1") " %ten = arith.constant 10 : i32\n"
         " pto.tsetval ins(%c0, %ten : index, i32) outs(%b : " T8 ")\n"
         " %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (" T8 ", " T8 ") {\n"
         "  pto.tpartadd ins(%x, %y : " T8 ", " T8 ") outs(%x : " T8 ")\n"
         "  scf.yield %y, %x : " T8 ", " T8 "\n }\n" GET("%p", "%a", T8, "%c0") GET("%q", "%b", T8, "%c0") TAIL,
         "32\n21\n");
}

static void the_precision_attribute_is_the_flag(void **state) {
  (void)state;
  /* A5 refuses the flag for integers: so the flag is what arrived. */
  static const struct {
    const char *attribute;
    const char *rule; /* NULL: correct */
  } cases[] = {{"precision_mode = #pto<precision_mode HIGH_PRECISION>", "precision-float"},
               {"precision_mode = #pto<precision_mode high_precision>", "precision-float"},
               {"PrecisionType = HIGH_PRECISION", "precision-float"},
               {"PrecisionType = PowAlgorithm::HIGH_PRECISION", "precision-float"},
               {"PrecisionType = #pto.PowAlgorithm<HIGH_PRECISION>", "precision-float"},
               {"PowAlgorithm = \"HIGH_PRECISION\"", "precision-float"},
               {"precision_mode = #pto<precision_mode DEFAULT>", NULL},
               {"PrecisionType = PowAlgorithm::DEFAULT", NULL},
               {"precision_mode = NONSENSE", "attribute-value"},
               {"PrecisionType = RsqrtAlgorithm::HIGH_PRECISION", "attribute-value"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s%s",
             HEAD " %t = pto.alloc_tile : " T8 "\n pto.tpow ins(%t, %t : " T8 ", " T8 ") outs(%t : " T8 ") {",
             cases[i].attribute, "}\n", TAIL);
    pto_context *ctx = context(PTO_PROFILE_A5);
    pto_program *program = parse(ctx, text);
    assert_int_equal(pto_program_check(ctx, program), cases[i].rule != NULL ? PTO_ERROR_PROGRAM : PTO_OK);
    if (cases[i].rule != NULL) assert_string_equal(pto_context_error_rule(ctx), cases[i].rule);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

static void warnings_let_a_program_run(void **state) {
  (void)state;
  static const char text[] = HEAD " %t = pto.alloc_tile {addres = 32} : " T8 "\n %u = pto.alloc_tile {why} : " T8
                                  "\n" SHOW("%a64") " pto.trap\n" TAIL;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_check(ctx, program));
  for (int round = 0; round < 2; ++round) {
    assert_true(pto_program_diagnostic_count(program) >= 2);
    for (int32_t i = 0; i < 2; ++i) {
      assert_int_equal(pto_program_diagnostic_error(program, i), 0);
      assert_string_equal(pto_program_diagnostic_rule(program, i), "unknown-attribute");
      assert_non_null(strstr(pto_program_diagnostic_text(program, i), ": warning: "));
    }
    /* The run ends at the trap; the warnings stay in front of its error. */
    assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
    assert_string_equal(pto_context_error_rule(ctx), "trap");
    assert_string_equal(pto_program_output(program), "64\n");
    assert_int_equal(pto_program_diagnostic_count(program), 3);
    assert_int_equal(pto_program_diagnostic_error(program, 2), 1);
  }
  pto_program_release(program);
  pto_context_release(ctx);
}

static void synchronisation_and_events_do_nothing(void **state) {
  (void)state;
  prints(HEAD
         " pto.barrier <PIPE_ALL>\n pto.set_flag[<PIPE_M>, <PIPE_FIX>, <EVENT_ID0>]\n"
         " pto.section.vector {\n  pto.print ins(\"in %d\", %a64 : i64)\n }\n" TAIL,
         "in 64\n");
}

/* ---- arguments ---- */

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

static void bare_statements_in_three_spellings(void **state) {
  (void)state;
  static const char *const texts[] = {
      "%dst = tpow %base, %exp, %tmp : !pto.tile<...>\n",
      "%dst = pto.tpow %base, %exp, %tmp : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>\n",
      "pto.tpow ins(%base, %exp, %tmp : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : "
      "!pto.tile_buf<...>)\n",
  };
  for (size_t i = 0; i < 3; ++i) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, texts[i]);
    const float base[4] = {2, 3, 4, 5};
    const float exp[4] = {3, 2, 1, 0};
    pto_tile *b = pto_tile_create(ctx, PTO_DTYPE_F32, 2, 2);
    pto_tile *e = pto_tile_create(ctx, PTO_DTYPE_F32, 2, 2);
    assert_ok(ctx, pto_tile_write(ctx, b, base, sizeof base));
    assert_ok(ctx, pto_tile_write(ctx, e, exp, sizeof exp));
    assert_ok(ctx, pto_program_bind_tile(ctx, program, "base", b));
    assert_ok(ctx, pto_program_bind_tile(ctx, program, "exp", e));
    assert_ok(ctx, pto_program_bind_tile(ctx, program, "tmp", e));
    if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, texts[i]);
    pto_tile *dst = pto_program_tile(ctx, program, "dst");
    assert_non_null(dst);
    float out[4];
    assert_ok(ctx, pto_tile_read(ctx, dst, out, sizeof out));
    const float want[4] = {8, 9, 4, 1};
    assert_memory_equal(out, want, sizeof want);
    assert_null(pto_program_tile(ctx, program, "nothing"));
    assert_rule(ctx, PTO_ERROR_UNKNOWN, "argument-name", "name");
    assert_int_equal(pto_program_tile_count(program), 4);
    /* A destination that is bound is written, not replaced. */
    pto_tile *mine = pto_tile_create(ctx, PTO_DTYPE_F32, 2, 2);
    assert_ok(ctx, pto_program_bind_tile(ctx, program, "dst", mine));
    assert_ok(ctx, pto_program_run(ctx, program, NULL));
    assert_ok(ctx, pto_tile_read(ctx, mine, out, sizeof out));
    assert_memory_equal(out, want, sizeof want);
    pto_tile_release(mine);
    pto_tile_release(dst);
    pto_tile_release(b);
    pto_tile_release(e);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* ---- ends of runs ---- */

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
  ends(HEAD " %odd = arith.constant 33 : i64\n %t = pto.alloc_tile addr = %odd : " T8 "\n" TAIL, "address-alignment",
       7);
  ends(HEAD " %far = arith.constant 1073741824 : i64\n %t = pto.alloc_tile addr = %far : " T8 "\n" TAIL,
       "address-range", 7);
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
            "\n %k = arith.constant 8 : index\n"
            " %x = pto.tgetval ins(%t, %k : " T8 ", index) outs : i32\n" TAIL,
       "view-range", 8);
  ends(
      "func.func @main() {\n %two = arith.constant 2 : index\n"
      " %e = pto.declare_eventid_array -> !pto.eventid_array<2>\n"
      " %x = pto.eventid_array_get %e[%two] : !pto.eventid_array<2>\n" TAIL,
      "view-range", 4);
  /* The two valid regions are known to differ only when it runs. */
  ends(HEAD
       " %a = pto.alloc_tile valid_row = %c1 valid_col = %c1 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
       " %b = pto.alloc_tile valid_row = %c1 valid_col = %c4 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
       " pto.trsqrt ins(%a : !pto.tile_buf<vec, 2x8xf32, valid=?x?>) outs(%b : !pto.tile_buf<vec, 2x8xf32, "
       "valid=?x?>)\n" TAIL,
       "valid-covers", 8);
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
  /* A view moves the window at its origin; one that is shorter in a dimension is refused, as many elements as it has.
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
  /* Regions that are known only when it runs hide no other mistake. */
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

/* Text with several mistakes or functions, and what a run of `entry` says of it. */
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
      {FUNC("f") TILE_AT("t") " pto.tget_scale_addr ins(%t) outs(%t)\n pto.trsqrt ins(%t) outs(%t)\n" END, "f",
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
  /* Numbers are cut and rounded to it. */
  static const char text[] =
      "func.func @main(%b: i8, %h: f16, %t: !pto.tile_buf<vec, 2x8xf32>) {\n pto.print ins(\"%d\", %b : i8)\n"
      " pto.print ins(\"%f\", %h : f16)\n return\n}\n";
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 2, 8);
  assert_ok(ctx, pto_program_bind_int(ctx, program, "b", 300));
  assert_ok(ctx, pto_program_bind_float(ctx, program, "h", 0.1));
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", tile));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_string_equal(pto_program_output(program), "44\n0.0999755859\n");
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
  /* Taking back what is not bound is no mistake. */
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", NULL));
  pto_tile_release(tile);
  pto_program_release(program);
  /* Behind the last argument stands what the function answers. */
  program = parse(ctx,
                  "func.func @f(%a: i64) -> (i64, f32) {\n %x = arith.constant 1.0 : f32\n"
                  " return %a, %x : i64, f32\n}\n");
  assert_int_equal(pto_program_arg_count(program, NULL), 1);
  assert_null(pto_program_arg_name(program, NULL, 1));
  assert_int_equal(pto_program_arg_kind(program, NULL, 1), PTO_ARG_OTHER);
  assert_int_equal(pto_program_arg_dtype(program, NULL, 1), -1);
  pto_program_release(program);
  /* What a bare statement makes need not be bound. */
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

  /* Values of one name are asked for once, and the last one answers. */
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

  /* Two bad statements: two diagnostics, and none behind. A run says why it does not begin. */
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

/* What a program prints and is called cannot steer a terminal, and messages stay one line. */
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

/* A value that nobody names has no place in a run: such a statement is refused, not run. */
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
  assert_int_equal(strlen(pto_program_output(program)), 1 << 20);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Calls of so many functions, each of which calls the next. */
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

/* A program of %p, 64 floats that count from 0, and %n; answers the status of its run. */
static pto_status over_memory(pto_context *ctx, const char *body, int64_t n, const char *want) {
  char text[4096];
  snprintf(text, sizeof text,
           "func.func @main(%%p: !pto.ptr<f32>, %%n: index) {\n %%c0 = arith.constant 0 : index\n"
           " %%c1 = arith.constant 1 : index\n %%c4 = arith.constant 4 : index\n%s return\n}\n",
           body);
  pto_program *program = parse(ctx, text);
  float memory[64];
  for (int i = 0; i < 64; ++i) memory[i] = (float)i;
  const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, 64);
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "p", tensor));
  assert_ok(ctx, pto_program_bind_int(ctx, program, "n", n));
  if (pto_program_check(ctx, program) != PTO_OK) explain(ctx, program, text);
  const pto_status status = pto_program_run(ctx, program, NULL);
  if (want != NULL && status != PTO_OK) explain(ctx, program, text);
  if (want != NULL) assert_string_equal(pto_program_output(program), want);
  pto_tensor_release(tensor);
  pto_program_release(program);
  return status;
}

#define FLOAT(v) " pto.print ins(\"%f\", " v " : f32)\n"
#define VIEW " %v = pto.make_tensor_view %p, shape = [%c4, %c4], strides = [%c4, %c1] : !pto.tensor_view<?x?xf32>\n"

static void views_of_memory(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  /* A pointer moved twice. */
  static const char pointers[] =
      " %q = pto.addptr %p, %c4 : !pto.ptr<f32> -> !pto.ptr<f32>\n"
      " %r = pto.addptr %q, %n : !pto.ptr<f32> -> !pto.ptr<f32>\n"
      " %x = pto.load_scalar %r[%c1] : !pto.ptr<f32> -> f32\n" FLOAT("%x");
  over_memory(ctx, pointers, 7, "12\n");
  assert_int_equal(over_memory(ctx, pointers, 59, NULL), PTO_ERROR_ADDRESS);
  assert_rule(ctx, PTO_ERROR_ADDRESS, "tensor-range", "p");
  /* The dimensions of a view. */
  static const char dims[] = VIEW
      " %d = pto.get_tensor_view_dim %v, %n : !pto.tensor_view<?x?xf32> -> index\n"
      " pto.print ins(\"%d\", %d : index)\n";
  over_memory(ctx, dims, 1, "4\n");
  for (int64_t n = -1; n < 3; n += 3) {
    assert_int_equal(over_memory(ctx, dims, n, NULL), PTO_ERROR_PROGRAM);
    assert_rule(ctx, PTO_ERROR_PROGRAM, "window", "");
  }
  /* Five dimensions that mean boxes, or do not where the attribute says so: either is a view. */
#define BOXES(strides, attribute)                                                                             \
  " %i0 = arith.constant 0 : index\n %i1 = arith.constant 1 : index\n %i2 = arith.constant 2 : index\n"       \
  " %i8 = arith.constant 8 : index\n %i16 = arith.constant 16 : index\n"                                      \
  " %boxes = pto.make_tensor_view %p, shape = [%i1, %i1, %i16, %i8, %i2], strides = [" strides "] " attribute \
  ": !pto.tensor_view<1x1x16x8x2xf32>\n pto.print ins(\"%d\", %i2 : index)\n"
  over_memory(ctx, BOXES("%i0, %i0, %i0, %i2, %i1", ""), 1, "2\n");
  over_memory(ctx, BOXES("%i0, %i0, %i0, %i2, %i1", "{layout = #pto.layout<nd>} "), 1, "2\n");
  over_memory(ctx, BOXES("%i0, %i0, %i0, %i1, %i1", ""), 1, "2\n");
  /* An empty window may begin behind the last element, which is the memory's last too. */
  static const char empty[] =
      " %c16 = arith.constant 16 : index\n"
      " %v = pto.make_tensor_view %p, shape = [%c16, %c4], strides = [%c4, %c1] : !pto.tensor_view<?x?xf32>\n"
      " %s = arith.subi %c16, %n : index\n %k = arith.minsi %n, %c4 : index\n %l = arith.subi %c4, %k : index\n"
      " %w = pto.partition_view %v, offsets = [%n, %k], sizes = [%s, %l] : !pto.tensor_view<?x?xf32> -> "
      "!pto.partition_tensor_view<?x?xf32>\n %d = pto.get_tensor_view_dim %w, %c0 : "
      "!pto.partition_tensor_view<?x?xf32> -> index\n pto.print ins(\"%d\", %d : index)\n";
  over_memory(ctx, empty, 1, "15\n");
  over_memory(ctx, empty, 16, "0\n");
  assert_int_equal(over_memory(ctx, empty, 17, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "window", "");
  /* Indices in front of a load, one for each dimension and none outside. */
  static const char windows[] = VIEW
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x2xf32>\n %t = tload %v[%c1, %n]\n"
      " %x = pto.tgetval ins(%t, %c1 : !pto.tile_buf<...>, index) outs : f32\n" FLOAT("%x");
  over_memory(ctx, windows, 2, "7\n");
  for (int64_t n = -1; n < 4; n += 4) {
    assert_int_equal(over_memory(ctx, windows, n, NULL), PTO_ERROR_PROGRAM);
    assert_rule(ctx, PTO_ERROR_PROGRAM, "window", "");
  }
  assert_int_equal(
      over_memory(ctx, VIEW " %t = pto.alloc_tile : !pto.tile_buf<vec, 1x2xf32>\n %t = tload %v[%c1]\n", 0, NULL),
      PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "window", "");
  /* Columns that follow each other make a view dn, which the hardware loads into tiles of columns only. */
  pto_context *a2a3 = context(PTO_PROFILE_A2A3);
  static const char columns[] =
      " %c8 = arith.constant 8 : index\n"
      " %v = pto.make_tensor_view %p, shape = [%c8, %c4], strides = [%c1, %c8] : !pto.tensor_view<8x4xf32>\n"
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 8x4xf32, blayout=col_major>\n pto.tload ins(%v) outs(%t)\n"
      " %x = pto.tgetval ins(%t, %c1 : !pto.tile_buf<...>, index) outs : f32\n" FLOAT("%x");
  over_memory(a2a3, columns, 0, "1\n");
  pto_context_release(a2a3);
  pto_context_release(ctx);
}

static void numbers_are_not_cut_on_the_way_to_a_tile(void **state) {
  (void)state;
  /* 2^32 and one more than it are 0 and 1 to who looks at 32 bits. */
  static const char valid[] =
      " %t = pto.alloc_tile valid_row = %c1 valid_col = %c1 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
      " pto.set_validshape %t, %n, %c1\n pto.set_validshape %t, %c1, %n\n";
  static const char part[] =
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
      " %s = pto.subset %t[%n, %c0] sizes [1, 8] : !pto.tile_buf<vec, 8x8xf32>\n";
  static const char other[] =
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
      " %s = pto.subset %t[%c0, %n] sizes [8, 1] : !pto.tile_buf<vec, 8x8xf32>\n";
  static const char column[] =
      " %t = pto.alloc_tile valid_row = %c1 valid_col = %c1 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
      " pto.set_validshape %t, %c1, %n\n";
  static const char *const texts[] = {valid, part, other, column};
  static const char *const rules[] = {"valid-range", "view-range", "view-range", "valid-range"};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int i = 0; i < 4; ++i) {
    over_memory(ctx, texts[i], 1, "");
    for (int64_t n = INT64_C(1) << 32; n < (INT64_C(1) << 32) + 2; ++n) {
      assert_int_not_equal(over_memory(ctx, texts[i], n, NULL), PTO_OK);
      assert_string_equal(pto_context_error_rule(ctx), rules[i]);
    }
  }
  pto_context_release(ctx);
}

static void tiles_that_are_taken_again_are_as_new(void **state) {
  (void)state;
  /* The first round's tile is moved; the second round's must not lie there too. */
  prints(HEAD " %n = arith.constant 2 : index\n %m = pto.alloc_tile addr = %a64 : " T8
              "\n %seven = arith.constant 7 : i32\n scf.for %i = %c0 to %n step %c1 {\n  %t = pto.alloc_tile : " T8
              "\n  %first = arith.cmpi eq, %i, %c0 : index\n  scf.if %first {\n   pto.tassign %t, %a64\n  } else {\n"
              "   pto.tsetval ins(%c0, %seven : index, i32) outs(%t : " T8 ")\n  }\n }\n" GET("%x", "%m", T8, "%c0")
                  TAIL,
         "0\n");
  /* A view that outlives its round keeps the tile that it shows from being taken. */
  prints(HEAD " %n = arith.constant 2 : index\n %none = pto.alloc_tile : " T8
              "\n"
              " %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %none) -> (" T8 ") {\n  %t = pto.alloc_tile : " T8
              "\n"
              "  %v = arith.index_cast %i : index to i32\n  %five = arith.constant 5 : i32\n"
              "  %w = arith.addi %v, %five : i32\n  pto.tsetval ins(%c0, %w : index, i32) outs(%t : " T8
              ")\n"
              "  %seen = pto.tgetval ins(%old, %c0 : " T8
              ", index) outs : i32\n" SHOW32("%seen") "  %u = pto.treshape %t : " T8 " -> " T8 "\n  scf.yield %u : " T8
                                                      "\n }\n" TAIL,
         "0\n5\n");
  /* The destination that an instruction makes is like its source in each round. */
  prints(
      "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
      " %n = arith.constant 2 : index\n %a = pto.alloc_tile : !pto.tile_buf<vec, 2x2xf32>\n"
      " %b = pto.alloc_tile : !pto.tile_buf<vec, 2x2xf32, blayout=col_major>\n"
      " %four = arith.constant 4.0 : f32\n pto.tsetval ins(%c1, %four) outs(%a)\n pto.tsetval ins(%c1, %four) "
      "outs(%b)\n scf.for %i = %c0 to %n step %c1 {\n  %first = arith.cmpi eq, %i, %c0 : index\n"
      "  %s = scf.if %first -> (!pto.tile_buf<...>) {\n   scf.yield %a : !pto.tile_buf<...>\n  } else {\n"
      "   scf.yield %b : !pto.tile_buf<...>\n  }\n  %d = tmov %s\n  %x = pto.tgetval ins(%d, %c1 : !pto.tile_buf<...>, "
      "index) outs : f32\n" FLOAT("%x") " }\n" TAIL,
      "4\n4\n");
  /* Down to the size of its boxes: element 8 of the storage is in row 1 of a box of 8 columns, in row 0 of one of 16.
   */
#define NZ(fractal) "!pto.tile_buf<vec, 16x32xi32, blayout=col_major, slayout=row_major, fractal=" fractal ">"
  prints(HEAD " %n = arith.constant 2 : index\n %k8 = arith.constant 8 : index\n %four = arith.constant 4 : i32\n"
              " %src = pto.alloc_tile : !pto.tile_buf<vec, 16x32xi32>\n"
              " pto.tsetval ins(%k8, %four : index, i32) outs(%src : !pto.tile_buf<...>)\n"
              " %a = pto.alloc_tile : " NZ("512") "\n %b = pto.alloc_tile : " NZ("1024") "\n"
              " pto.tmov ins(%src) outs(%a)\n pto.tmov ins(%src) outs(%b)\n scf.for %i = %c0 to %n step %c1 {\n"
              "  %first = arith.cmpi eq, %i, %c0 : index\n  %s = scf.if %first -> (!pto.tile_buf<...>) {\n"
              "   scf.yield %a : !pto.tile_buf<...>\n  } else {\n   scf.yield %b : !pto.tile_buf<...>\n  }\n"
              "  %d = tmov %s\n" GET("%x", "%d", "!pto.tile_buf<...>", "%k8") " }\n" TAIL,
         "0\n4\n");
  /* `?` of a reshape is what its source has, as far as it reaches. */
  prints(HEAD
         " %t = pto.alloc_tile valid_row = %c1 valid_col = %c4 : !pto.tile_buf<vec, 2x8xi32, valid=?x?>\n"
         " %u = pto.treshape %t : !pto.tile_buf<...> -> !pto.tile_buf<vec, 8x2xi32, valid=?x?>\n"
         " pto.tprint ins(%u)\n" TAIL,
         "%u: 1x2 of i32\n  0 0\n");
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

static void tiles_are_not_allocated_anew_in_each_round(void **state) {
  (void)state;
  /* 10^4 rounds of 8 KiB within a limit of 1 MiB; the same through a one-line instruction. */
  const char *text = HEAD
      " %n = arith.constant 3000 : index\n scf.for %i = %c0 to %n step %c1 {\n"
      "  %t = pto.alloc_tile : !pto.tile_buf<vec, 32x64xf32>\n"
      "  %u = pto.trsqrt %t : (!pto.tile<...>) -> !pto.tile<...>\n }\n" TAIL;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_limit_bytes(ctx, program, 20000));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, text);
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers),
      cmocka_unit_test(loops_carry_and_swap_values),
      cmocka_unit_test(while_and_if),
      cmocka_unit_test(calls_and_blocks),
      cmocka_unit_test(tiles_at_one_address_are_one),
      cmocka_unit_test(views_share_elements),
      cmocka_unit_test(a_valid_region_changes_at_run_time),
      cmocka_unit_test(handles_flow_through_control_flow),
      cmocka_unit_test(an_instruction_sees_other_tiles_each_time),
      cmocka_unit_test(the_precision_attribute_is_the_flag),
      cmocka_unit_test(warnings_let_a_program_run),
      cmocka_unit_test(synchronisation_and_events_do_nothing),
      cmocka_unit_test(arguments_by_name_and_number),
      cmocka_unit_test(bare_statements_in_three_spellings),
      cmocka_unit_test(rules_of_runs),
      cmocka_unit_test(rules_of_instructions_are_checked_without_running),
      cmocka_unit_test(mistakes_stop_only_what_reaches_them),
      cmocka_unit_test(texts_with_errors_answer_their_diagnostics),
      cmocka_unit_test(arguments_take_the_type_that_the_program_says),
      cmocka_unit_test(what_is_answered_is_counted_and_bounded),
      cmocka_unit_test(values_have_names),
      cmocka_unit_test(controls_are_escaped),
      cmocka_unit_test(output_is_a_mebibyte_at_most),
      cmocka_unit_test(calls_are_64_deep_at_most),
      cmocka_unit_test(views_of_memory),
      cmocka_unit_test(numbers_are_not_cut_on_the_way_to_a_tile),
      cmocka_unit_test(tiles_that_are_taken_again_are_as_new),
      cmocka_unit_test(null_programs_answer_their_defaults),
      cmocka_unit_test(tiles_are_not_allocated_anew_in_each_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
