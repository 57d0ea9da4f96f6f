/* Values on their way through a run: tiles that a statement makes because nothing else did, and values that nothing
 * has assigned when they are needed. */
#include "program_help.h"

#define F32(rows, cols) "!pto.tile_buf<vec, " rows "x" cols "xf32>"
#define ONES(t, rows, cols) \
  " %" t " = pto.alloc_tile : " F32(rows, cols) "\n" \
  " pto.texpands ins(%one : f32) outs(%" t " : " F32(rows, cols) ")\n"
#define T8 "!pto.tile_buf<vec, 1x8xi32>"
#define SHOWN(v) " pto.tprint ins(%" v " : !pto.tile<...>)\n"

/* A destination without a type has the shape and element type of the instruction's page, whatever precedes it. */
static void destinations_take_the_type_of_their_instruction(void **state) {
  (void)state;
  static const struct {
    const char *sources; /* %x, %y */
    const char *statement;
    const char *want; /* of %d */
  } k_makes[] = {
      {ONES("x", "2", "3"), "%d = tadd %x, %x", "%d: 2x3 of f32\n  2 2 2\n  2 2 2\n"},
      {ONES("x", "2", "3"), "%d = tadds %x, %one", "%d: 2x3 of f32\n  2 2 2\n  2 2 2\n"},
      /* Eight bits an element: rounded up. */
      {ONES("x", "2", "8"), "%d = tcmps %x, %one {cmpMode = #pto<cmp eq>}", "%d: 2x1 of i8\n  -1\n  -1\n"},
      {ONES("x", "2", "9"), "%d = tcmps %x, %one {cmpMode = #pto<cmp eq>}", "%d: 2x2 of i8\n  -1 1\n  -1 1\n"},
      {ONES("x", "2", "9") ONES("y", "2", "9"), "%d = tcmp %x, %y {cmpMode = #pto<cmp ne>}",
       "%d: 2x2 of i8\n  0 0\n  0 0\n"},
      {ONES("x", "2", "3"), "%d = trowsum %x", "%d: 2x1 of f32\n  3\n  3\n"},
      {ONES("x", "2", "3"), "%d = tcolsum %x", "%d: 1x3 of f32\n  2 2 2\n"},
      {ONES("x", "2", "3"), "%d = trowargmax %x", "%d: 2x1 of i32\n  0\n  0\n"},
      {ONES("x", "2", "3"), "%d = tcolargmin %x", "%d: 1x3 of i32\n  0 0 0\n"},
      {ONES("x", "2", "3"), "%e, %d = trowargmax %x", "%d: 2x1 of i32\n  0\n  0\n"},
      {ONES("x", "2", "3"), "%d, %e = trowargmax %x", "%d: 2x1 of f32\n  1\n  1\n"},
      /* The larger source leads if the smaller is a line of it. */
      {ONES("x", "2", "3") ONES("y", "1", "3"), "%d = tcolexpandmul %x, %y", "%d: 2x3 of f32\n  1 1 1\n  1 1 1\n"},
  };
  for (size_t i = 0; i < sizeof k_makes / sizeof *k_makes; ++i) {
    char text[2048];
    snprintf(text, sizeof text, "func.func @main() {\n %%one = arith.constant 1.0 : f32\n%s %s\n%s" TAIL,
             k_makes[i].sources, k_makes[i].statement, SHOWN("d"));
    prints(text, k_makes[i].want);
  }
}

/* A loop makes the same tile once, and another where the shape has changed. */
static void a_destination_follows_its_source_through_a_loop(void **state) {
  (void)state;
  prints(
      "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
      " %c3 = arith.constant 3 : index\n %one = arith.constant 1.0 : f32\n"
      " %x = pto.alloc_tile valid_row = %c1 valid_col = %c1 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
      " pto.texpands ins(%one : f32) outs(%x : !pto.tile_buf<vec, 2x8xf32, valid=?x?>)\n"
      " scf.for %i = %c1 to %c3 step %c1 {\n"
      "  pto.set_validshape %x, %i, %c1 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
      "  pto.texpands ins(%one : f32) outs(%x : !pto.tile_buf<vec, 2x8xf32, valid=?x?>)\n"
      "  %d = tadd %x, %x\n  %s = tcolsum %x\n" SHOWN("d") SHOWN("s") " }\n" TAIL,
      "%d: 1x1 of f32\n  2\n%s: 1x1 of f32\n  1\n%d: 2x1 of f32\n  2\n  2\n%s: 1x1 of f32\n  2\n");
}

/* %t is written first, so it needs no binding, but the branch that writes it is not taken. */
static void a_tile_that_nothing_assigned_ends_the_run(void **state) {
  (void)state;
  static const char *const k_uses[] = {
      "pto.tprint ins(%t : " T8 ")",
      "%u = pto.treshape %t : " T8 " -> " T8,
      "%u = pto.bitcast %t : " T8 " -> !pto.tile_buf<vec, 1x8xf32>",
      "%u = pto.subset %t[%c0, %c0] sizes [1, 8] : " T8,
      "%u = pto.tassign %t, %c0 : " T8 " -> " T8,
      "pto.set_validshape %t, %c1, %c1 : !pto.tile_buf<vec, 1x8xi32, valid=?x?>",
      "%u = pto.tgetval ins(%t, %c0 : " T8 ", index) outs : i32",
      "pto.tsetval ins(%c0, %k : index, i32) outs(%t : " T8 ")",
      "%u = tadd %t, %t",
      "pto.tadd ins(%t, %t : " T8 ", " T8 ") outs(%u : " T8 ")",
      "pto.tadds ins(%t, %k : " T8 ", i32) outs(%u : " T8 ")",
  };
  for (size_t i = 0; i < sizeof k_uses / sizeof *k_uses; ++i) {
    const char *type = strstr(k_uses[i], "valid=?x?") != NULL ? "!pto.tile_buf<vec, 1x8xi32, valid=?x?>" : T8;
    char text[1024];
    snprintf(text, sizeof text,
             "%%c0 = arith.constant 0 : index\n%%c1 = arith.constant 1 : index\n%%k = arith.constant 1 : i32\n"
             "%%no = arith.constant false\nscf.if %%no {\n pto.texpands ins(%%k : i32) outs(%%t : %s)\n}\n%s\n",
             type, k_uses[i]);
    ends(text, "unassigned", 8);
  }
}

/* A number in an instruction is the element of the same value; hexadecimal is its bits. */
static void immediates_are_elements(void **state) {
  (void)state;
  static const struct {
    const char *elem;
    const char *number; /* with a type of its own it is a number of that type first */
    const char *want;
  } k_numbers[] = {
      {"f16", "2 : f32", "2"},
      {"f16", "-3 : f32", "-3"},
      {"f16", "2.5 : f32", "2.5"},
      {"f16", "0x40000000 : f32", "2"},
      {"i16", "0x10 : i32", "16"},
      {"i16", "-7 : i64", "-7"},
      {"ui16", "65535 : ui32", "65535"},
      {"f32", "-2", "-2"},
      {"f32", "3", "3"},
      {"f32", "1.5", "1.5"},
      {"f32", "0xC0000000", "-2"},
      {"f16", "0x3C00", "1"},
      {"i8", "-128", "-128"},
      {"i8", "0xFF", "-1"},
      {"ui8", "255", "255"},
      {"ui8", "0xFF", "255"},
      {"i64", "-9223372036854775808", "-9223372036854775808"},
      {"ui64", "0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
  };
  for (size_t i = 0; i < sizeof k_numbers / sizeof *k_numbers; ++i) {
    char text[512], want[64];
    snprintf(text, sizeof text,
             "func.func @main() {\n %%t = pto.alloc_tile : !pto.tile_buf<vec, 1x1x%s>\n"
             " pto.texpands ins(%s) outs(%%t)\n"
             " pto.tprint ins(%%t : !pto.tile<...>)\n" TAIL,
             k_numbers[i].elem, k_numbers[i].number);
    const int is_unsigned = strncmp(k_numbers[i].elem, "ui", 2) == 0; /* the library has u8 */
    snprintf(want, sizeof want, "%%t: 1x1 of %s%s\n  %s\n", is_unsigned ? "u" : "", k_numbers[i].elem + 2 * is_unsigned,
             k_numbers[i].want);
    prints(text, want);
  }
}

/* An argument of a type that nothing can be bound to: reported when it is read, and when it is bound. */
static void arguments_that_nothing_can_be_bound_to(void **state) {
  (void)state;
  static const char *const k_types[] = {"!pto.event", "!pto.eventid_array<2>"};
  for (size_t i = 0; i < sizeof k_types / sizeof *k_types; ++i) {
    char text[256];
    snprintf(text, sizeof text, "func.func @main(%%a: %s) {\n" TAIL, k_types[i]);
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, text);
    assert_int_equal(pto_program_arg_kind(program, NULL, 0), PTO_ARG_OTHER);
    assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
    assert_rule(ctx, PTO_ERROR_PROGRAM, "unbound-argument", "a");
    assert_ok(ctx, pto_program_bind_int(ctx, program, "a", 1));
    assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
    assert_rule(ctx, PTO_ERROR_PROGRAM, "argument-kind", "a");
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* An instruction keeps what it was given; what changes between two rounds of a loop reaches it nevertheless. */
static void what_changes_between_rounds_reaches_an_instruction(void **state) {
  (void)state;
  static const struct {
    const char *round; /* of %i = 1, 2; %a holds 0 1 2 3 in rows of 4, %x is its like */
    const char *want;
  } k_loops[] = {
      {"  %f = arith.sitofp %n : i32 to f32\n  pto.texpands ins(%f : f32) outs(%x)\n",
       "%x: 1x4 of f32\n  1 1 1 1\n%x: 1x4 of f32\n  2 2 2 2\n"},
      {"  %e = arith.cmpi eq, %n, %k : i32\n  %f = arith.select %e, %zero, %minus : f32\n"
       "  pto.texpands ins(%f : f32) outs(%x)\n",
       "%x: 1x4 of f32\n  0 0 0 0\n%x: 1x4 of f32\n  -0 -0 -0 -0\n"},
      {"  pto.textract ins(%a, %c0, %i) outs(%x)\n", "%x: 1x2 of f32\n  1 2\n%x: 1x2 of f32\n  2 3\n"},
      {"  pto.set_validshape %x, %c1, %i\n  pto.texpands ins(%minus : f32) outs(%x)\n",
       "%x: 1x1 of f32\n  -0\n%x: 1x2 of f32\n  -0 -0\n"},
  };
  for (size_t i = 0; i < sizeof k_loops / sizeof *k_loops; ++i) {
    char text[2048];
    snprintf(text, sizeof text,
             "func.func @main() {\n %%c0 = arith.constant 0 : index\n %%c1 = arith.constant 1 : index\n"
             " %%c3 = arith.constant 3 : index\n %%k = arith.constant 1 : i32\n %%zero = arith.constant 0.0 : f32\n"
             " %%minus = arith.constant -0.0 : f32\n %%w = arith.constant %d : index\n"
             " %%b = pto.alloc_tile : !pto.tile_buf<vec, 1x4xi32>\n pto.tci ins(0 : i32) outs(%%b)\n"
             " %%a = pto.alloc_tile : !pto.tile_buf<vec, 1x4xf32>\n pto.tcvt ins(%%b) outs(%%a)\n"
             " %%x = pto.alloc_tile valid_row = %%c1 valid_col = %%w : !pto.tile_buf<vec, 1x4xf32, valid=?x?>\n"
             " scf.for %%i = %%c1 to %%c3 step %%c1 {\n  %%n = arith.index_cast %%i : index to i32\n%s%s }\n" TAIL,
             i < 2 ? 4 : 2, k_loops[i].round, SHOWN("x"));
    prints(text, k_loops[i].want);
  }
  /* Scratch that the program leaves out grows with its instruction, and the steps with what that covers. */
  static const char grows[] =
      "func.func @main() {\n %c1 = arith.constant 1 : index\n %c63 = arith.constant 63 : index\n"
      " %a = pto.alloc_tile valid_row = %c63 valid_col = %c63 : !pto.tile_buf<vec, 64x64xf32, valid=?x?>\n"
      " %d = pto.alloc_tile valid_row = %c63 valid_col = %c63 : !pto.tile_buf<vec, 64x64xf32, valid=?x?>\n"
      " scf.for %i = %c1 to %c63 step %c1 {\n"
      "  pto.set_validshape %a, %i, %c63\n  pto.set_validshape %d, %i, %c63\n"
      "  pto.trsqrt ins(%a) outs(%d)\n  pto.tpow ins(%a, %a) outs(%d)\n }\n" TAIL;
  int64_t steps = 2 + 1 + 2 + 2 * 64 + 1 + 1; /* block, constants, tiles, loop, return */
  for (int64_t i = 1; i < 63; ++i) steps += 1 + 2 + 2 * (1 + i * 63 / 64);
  const pto_profile k_profiles[] = {PTO_PROFILE_CPU, PTO_PROFILE_A2A3};
  for (size_t i = 0; i < 2; ++i) {
    pto_context *ctx = context(k_profiles[i]);
    pto_program *program = parse(ctx, grows);
    assert_ok(ctx, pto_program_set_blocks(ctx, program, 2));
    if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, grows);
    if (k_profiles[i] == PTO_PROFILE_CPU) assert_int_equal(pto_program_steps(program), 2 * steps);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* As a constant, and as the scalar of an instruction. The second text of each three is a tie of the type; the others
 * are next to it, but ties as doubles. */
static void decimal_literals_are_rounded_once(void **state) {
  (void)state;
  static const struct {
    const char *type, *literals[3], *want[3];
  } k_texts[] = {
      {"f32",
       {"3.40282356779733661637539395458142568447e38", "3.40282356779733661637539395458142568448e38",
        "3.40282356779733661637539395458142568449e38"},
       {"3.40282347e+38", "inf", "inf"}},
      {"f32",
       {"1.00000005960464477538", "1.000000059604644775390625", "1.00000005960464477540"},
       {"1", "1", "1.00000012"}},
      {"f16", {"65519.99999999999999", "65520.0", "65520.00000000000001"}, {"65504", "inf", "inf"}},
      {"f16", {"1.00048828124999999999", "1.00048828125", "1.00048828125000000001"}, {"1", "1", "1.00097656"}},
      {"bf16", {"1.00390624999999999999", "1.00390625", "1.00390625000000000001"}, {"1", "1", "1.0078125"}},
      {"bf16",
       {"-1.01171874999999999999", "-1.01171875", "-1.01171875000000000001"},
       {"-1.0078125", "-1.015625", "-1.015625"}},
  };
  for (size_t i = 0; i < sizeof k_texts / sizeof *k_texts; ++i) {
    for (int k = 0; k < 3; ++k) {
      const char *type = k_texts[i].type;
      char text[1024], want[256];
      snprintf(text, sizeof text,
               "func.func @main() {\n %%c = arith.constant %s : %s\n pto.print ins(\"%%f\", %%c : %s)\n"
               " %%t = pto.alloc_tile : !pto.tile_buf<vec, 1x1x%s>\n pto.texpands ins(%s) outs(%%t)\n"
               " pto.tprint ins(%%t : !pto.tile<...>)\n" TAIL,
               k_texts[i].literals[k], type, type, type, k_texts[i].literals[k]);
      snprintf(want, sizeof want, "%s\n%%t: 1x1 of %s\n  %s\n", k_texts[i].want[k], type, k_texts[i].want[k]);
      prints(text, want);
    }
  }
  /* Small types: the largest number of what is beyond it. */
  static const char *const k_small[][3] = {{"f8E5M2", "1.0e30", "57344"},
                                           {"f8E4M3FN", "-1.0e30", "-448"},
                                           {"f8E4M3FN", "1.0625", "1"},
                                           {"f8E4M3FN", "1.06250000000000000001", "1.125"},
                                           {"f4E2M1FN", "1.0e30", "6"}};
  for (size_t i = 0; i < sizeof k_small / sizeof *k_small; ++i) {
    char text[512], want[32];
    snprintf(text, sizeof text,
             "func.func @main() {\n %%c = arith.constant %s : %s\n %%w = arith.extf %%c : %s to f32\n"
             " pto.print ins(\"%%f\", %%w : f32)\n" TAIL,
             k_small[i][1], k_small[i][0], k_small[i][0]);
    snprintf(want, sizeof want, "%s\n", k_small[i][2]);
    prints(text, want);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(destinations_take_the_type_of_their_instruction),
      cmocka_unit_test(a_destination_follows_its_source_through_a_loop),
      cmocka_unit_test(a_tile_that_nothing_assigned_ends_the_run),
      cmocka_unit_test(immediates_are_elements),
      cmocka_unit_test(what_changes_between_rounds_reaches_an_instruction),
      cmocka_unit_test(arguments_that_nothing_can_be_bound_to),
      cmocka_unit_test(decimal_literals_are_rounded_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
