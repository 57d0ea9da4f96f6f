/* Programs through the C API: what statements mean, seen through what they print and the bytes they leave. */
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

/* A number that no double holds becomes the nearest of them, however it is written. */
static void numbers_beyond_a_double(void **state) {
  (void)state;
  enum { kZeros = 400 };
  static const struct {
    const char *before;
    const char *after; /* kZeros zeros */
    const char *want;
  } k_numbers[] = {
      {"1.0e-4", "", "0"}, /* an exponent of 403 digits */
      {"1.0e4", "", "inf"},       {"-2.5e+4", "", "-inf"},    {"0.", "1", "0"},        {"-0.", "1", "-0"},
      {"0.", "1e+101", "1e-300"}, {"0.", "1e+70", "0"},       {"0.", "1e+710", "inf"}, /* 1e309 */
      {"1", ".0", "inf"},         {"9", ".0e-91", "inf"},                              /* 9e309 */
      {"9", ".0e-800", "0"},      {"9", ".0E-100", "9e+300"},
  };
  char zeros[kZeros + 1];
  memset(zeros, '0', kZeros);
  zeros[kZeros] = 0;
  for (size_t i = 0; i < sizeof k_numbers / sizeof *k_numbers; ++i) {
    char text[1024];
    char want[64];
    snprintf(text, sizeof text,
             "func.func @main() {\n %%a = arith.constant %s%s%s : f64\n pto.print ins(\"%%f\", %%a : f64)\n" TAIL,
             k_numbers[i].before, zeros, k_numbers[i].after);
    snprintf(want, sizeof want, "%s\n", k_numbers[i].want);
    prints(text, want);
  }
}

/* Signed, one bit is 0 or -1: a power of -1 is 1 or -1, and 0 to the power of -1 a division by zero. */
static void powers_of_one_bit(void **state) {
  (void)state;
#define POWER(a, b)                                                                                          \
  "func.func @main() {\n %t = arith.constant true\n %f = arith.constant false\n %r = math.ipowi %" a ", %" b \
  " : i1\n %x = arith.extui %r : i1 to i64\n" SHOW("%x") TAIL
  prints(POWER("t", "t"), "1\n");
  prints(POWER("t", "f"), "1\n");
  prints(POWER("f", "f"), "1\n");
  ends(POWER("f", "t"), "division-by-zero", 4);
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
  /* scf.if returns one of two handles, not a copy. */
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
    /* The run ends at the trap; the warnings stay before its error. */
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

static void bare_statements_in_three_spellings(void **state) {
  (void)state;
  static const char *const texts[] = {
      "%dst = tpow %base, %exp, %tmp : !pto.tile<...>\n",
      "%dst = pto.tpow %base, %exp, %tmp : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>\n",
      ("pto.tpow ins(%base, %exp, %tmp : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : "
       "!pto.tile_buf<...>)\n"),
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

/* A program of %p, 64 floats that count from 0, and %n; returns the status of its run. */
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
  /* Five dimensions that mean boxes, unless the attribute excludes it: either is a view. */
#define BOXES(strides, attribute)                                                                             \
  " %i0 = arith.constant 0 : index\n %i1 = arith.constant 1 : index\n %i2 = arith.constant 2 : index\n"       \
  " %i8 = arith.constant 8 : index\n %i16 = arith.constant 16 : index\n"                                      \
  " %boxes = pto.make_tensor_view %p, shape = [%i1, %i1, %i16, %i8, %i2], strides = [" strides "] " attribute \
  ": !pto.tensor_view<1x1x16x8x2xf32>\n pto.print ins(\"%d\", %i2 : index)\n"
  over_memory(ctx, BOXES("%i0, %i0, %i0, %i2, %i1", ""), 1, "2\n");
  over_memory(ctx, BOXES("%i0, %i0, %i0, %i2, %i1", "{layout = #pto.layout<nd>} "), 1, "2\n");
  over_memory(ctx, BOXES("%i0, %i0, %i0, %i1, %i1", ""), 1, "2\n");
  /* An empty window may begin after the last element, which is the memory's last too. */
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
  /* A view of one element fits, whatever its strides are. */
#define WIDE                          \
  " %z = arith.subi %n, %n : index\n" \
  " %v = pto.make_tensor_view %p, shape = [%c1, %c1], strides = [%n, %n] : !pto.tensor_view<?x?xf32>\n"
  over_memory(ctx,
              WIDE
              " %w = pto.partition_view %v, offsets = [%c1, %c1], sizes = [%z, %z] : !pto.tensor_view<?x?xf32> -> "
              "!pto.partition_tensor_view<?x?xf32>\n pto.print ins(\"%d\", %c4 : index)\n",
              INT64_MAX, "4\n");
  over_memory(ctx,
              WIDE
              " %t = pto.alloc_tile valid_row = %z valid_col = %z : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
              " %t = tload %v[%c1, %c1]\n pto.print ins(\"%d\", %c4 : index)\n",
              INT64_MAX, "4\n");
  /* Indices before a load, one for each dimension and none outside. */
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
      cmocka_unit_test(powers_of_one_bit),
      cmocka_unit_test(numbers_beyond_a_double),
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
      cmocka_unit_test(bare_statements_in_three_spellings),
      cmocka_unit_test(views_of_memory),
      cmocka_unit_test(numbers_are_not_cut_on_the_way_to_a_tile),
      cmocka_unit_test(tiles_that_are_taken_again_are_as_new),
      cmocka_unit_test(tiles_are_not_allocated_anew_in_each_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
