/*
 * test_dialect.c: what statements beside the instructions do. Blocks with branches against the same function in C,
 * addresses of views and tiles against plain arrays, the generic form against the own form of the same program.
 */
#include "../common/profiles.h"
#include "program_help.h"

/* Collatz' steps: two ways around, counted in C. */
static void branches_go_where_the_condition_says(void **state) {
  (void)state;
  static const char *const k_text =
      "func.func private @steps(%n: i64) -> i64 {\n %k0 = arith.constant 0 : i64\n %k1 = arith.constant 1 : i64\n"
      " %k2 = arith.constant 2 : i64\n %k3 = arith.constant 3 : i64\n cf.br ^head(%n, %k0 : i64, i64)\n"
      "^head(%x: i64, %s: i64):\n %one = arith.cmpi sle, %x, %k1 : i64\n"
      " cf.cond_br %one, ^done(%s : i64), ^more\n^more:\n %t = arith.addi %s, %k1 : i64\n"
      " %rest = arith.remsi %x, %k2 : i64\n %odd = arith.cmpi eq, %rest, %k1 : i64\n"
      " %half = arith.divsi %x, %k2 : i64\n %three = arith.muli %x, %k3 : i64\n"
      " %up = arith.addi %three, %k1 : i64\n cf.cond_br %odd, ^head(%up, %t : i64, i64), ^head(%half, %t : i64, i64)\n"
      "^done(%r: i64):\n return %r : i64\n}\n"
      "func.func @main(%n: i64) attributes {pto.entry} {\n %s = call @steps(%n) : (i64) -> i64\n"
      " pto.print ins(\"%d\", %s : i64)\n" TAIL;
  for (int64_t n = 1; n < 60; ++n) {
    int64_t steps = 0;
    for (int64_t x = n; x > 1; x = x % 2 == 1 ? 3 * x + 1 : x / 2) ++steps;
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_text);
    assert_ok(ctx, pto_program_bind_int(ctx, program, "n", n));
    if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_text);
    char want[32];
    snprintf(want, sizeof want, "%d\n", (int)steps);
    assert_string_equal(pto_program_output(program), want);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* A block hands its values to itself, exchanged. */
static void a_branch_reads_all_before_it_writes(void **state) {
  (void)state;
  prints(
      "func.func @main() {\n %a = arith.constant 1 : i64\n %b = arith.constant 2 : i64\n %c = arith.constant 0 : i64\n"
      " %k1 = arith.constant 1 : i64\n %k3 = arith.constant 3 : i64\n cf.br ^go(%a, %b, %c : i64, i64, i64)\n"
      "^go(%x: i64, %y: i64, %i: i64):\n %j = arith.addi %i, %k1 : i64\n %more = arith.cmpi slt, %j, %k3 : i64\n"
      " cf.cond_br %more, ^go(%y, %x, %j : i64, i64, i64), ^end\n^end:\n" SHOW("%x") SHOW("%y") TAIL,
      "1\n2\n");
}

/* Elements of packed types by their place; two share a byte. Floats of one byte beside them. */
static void elements_of_small_types(void **state) {
  (void)state;
  prints(
      "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
      " %c2 = arith.constant 2 : index\n %c7 = arith.constant 7 : index\n"
      " %x = arith.constant 1.5 : f4E2M1FN\n %y = arith.constant -9.0 : f4E2M1FN\n %n = arith.constant -3 : i4\n"
      " %z = arith.constant 448.0 : f8E4M3FN\n"
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 1x4xf4E2M1FN>\n %i = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi4>\n"
      " %s = pto.alloc_tile : !pto.tile_buf<vec, 1x2xf8E4M3FN>\n"
      " pto.tsetval ins(%c1, %x : index, f4E2M1FN) outs(%t : !pto.tile_buf<vec, 1x4xf4E2M1FN>)\n"
      " pto.tsetval ins(%c2, %y : index, f4E2M1FN) outs(%t : !pto.tile_buf<vec, 1x4xf4E2M1FN>)\n"
      " pto.tsetval ins(%c7, %n : index, i4) outs(%i : !pto.tile_buf<vec, 1x8xi4>)\n"
      " pto.tsetval ins(%c0, %z : index, f8E4M3FN) outs(%s : !pto.tile_buf<vec, 1x2xf8E4M3FN>)\n"
      " %again = pto.tgetval ins(%t, %c2 : !pto.tile_buf<vec, 1x4xf4E2M1FN>, index) outs : f4E2M1FN\n"
      " pto.tsetval ins(%c0, %again : index, f4E2M1FN) outs(%t : !pto.tile_buf<vec, 1x4xf4E2M1FN>)\n"
      " %m = pto.tgetval ins(%i, %c7 : !pto.tile_buf<vec, 1x8xi4>, index) outs : i4\n"
      " pto.tsetval ins(%c0, %m : index, i4) outs(%i : !pto.tile_buf<vec, 1x8xi4>)\n"
      " pto.tprint ins(%t : !pto.tile_buf<vec, 1x4xf4E2M1FN>)\n pto.tprint ins(%i : !pto.tile_buf<vec, 1x8xi4>)\n"
      " pto.tprint ins(%s : !pto.tile_buf<vec, 1x2xf8E4M3FN>)\n" TAIL,
      "%t: 1x4 of e2m1\n  -6 1.5 -6 0\n%i: 1x8 of i4\n  -3 0 0 0 0 0 0 -3\n%s: 1x2 of e4m3\n  448 0\n");
}

/* Whatever spelling of its type a tile has, it has a row and a column. */
static void elements_of_tiles_by_row_and_column(void **state) {
  (void)state;
  static const char *const k_types[] = {"!pto.tile_buf<vec, 2x8xf32>", "!pto.tile_buf<vec, 2x8xf32, valid=2x4>",
                                        "memref<2x8xf32, #pto.address_space<vec>>"};
  for (size_t i = 0; i < sizeof k_types / sizeof *k_types; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             "func.func @main() {\n %%c1 = arith.constant 1 : index\n %%c2 = arith.constant 2 : index\n"
             " %%x = arith.constant 1.5 : f32\n %%t = %s : %s\n memref.store %%x, %%t[%%c1, %%c2] : %s\n"
             " %%y = memref.load %%t[%%c1, %%c2] : %s\n pto.print ins(\"%%f\", %%y : f32)\n" TAIL,
             k_types[i][0] == '!' ? "pto.alloc_tile" : "memref.alloc()", k_types[i], k_types[i], k_types[i]);
    prints(text, "1.5\n");
  }
}

/* No way out: the limit of steps ends it. */
static void endless_branches_end(void **state) {
  (void)state;
  ends("func.func @main() {\n cf.br ^a\n^a:\n cf.br ^b\n^b:\n cf.br ^a\n}\n", "step-limit", 0);
  ends("func.func @main() {\n cf.br ^a\n^a:\n cf.br ^a\n}\n", "step-limit", 4);
}

static void addresses_of_views_and_tiles(void **state) {
  (void)state;
  static const char *const k_text =
      "func.func @main(%p: !pto.ptr<f32>) {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
      " %c2 = arith.constant 2 : index\n %c3 = arith.constant 3 : index\n %c8 = arith.constant 8 : index\n"
      " %c4 = arith.constant 4 : index\n %a = arith.constant 256 : i64\n"
      " %v = pto.make_tensor_view %p, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<4x8xf32>\n"
      " %s = pto.get_tensor_view_stride %v, %c0 : !pto.tensor_view<4x8xf32> -> index\n"
      " pto.print ins(\"%d\", %s : index)\n"
      " %w = pto.partition_view %v, offsets = [%c2, %c3], sizes = [%c1, %c4] : !pto.tensor_view<4x8xf32> -> "
      "!pto.partition_tensor_view<1x4xf32>\n"
      " %q = pto.tensor_view_addr %w : !pto.partition_tensor_view<1x4xf32> -> !pto.ptr<f32>\n"
      " %x = pto.load_scalar %q[%c1] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %x : f32)\n"
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32, blayout=col_major>\n"
      " %u = pto.tile_buf_addr %t : !pto.tile_buf<vec, 2x8xf32, blayout=col_major> -> !pto.ptr<f32, vec>\n"
      " %z = arith.constant 0.0 : f32\n pto.texpands ins(%z : f32) outs(%t : !pto.tile_buf<vec, 2x8xf32, "
      "blayout=col_major>)\n"
      " %o = pto.addptr %u, %c2 : !pto.ptr<f32, vec> -> !pto.ptr<f32, vec>\n"
      " pto.store_scalar %x, %o[%c1] : !pto.ptr<f32, vec>, f32\n"
      " pto.tprint ins(%t : !pto.tile_buf<vec, 2x8xf32, blayout=col_major>)\n"
      /* The address follows the tile. */
      " %moved = pto.declare_tile -> !pto.tile_buf<vec, 1x8xf32, valid=?x?>\n"
      " pto.set_validshape %moved, %c1, %c2 : !pto.tile_buf<vec, 1x8xf32, valid=?x?>\n"
      " %m = pto.tile_buf_addr %moved : !pto.tile_buf<vec, 1x8xf32, valid=?x?> -> !pto.ptr<f32, vec>\n"
      " %at = pto.tassign %moved, %a : !pto.tile_buf<vec, 1x8xf32, valid=?x?> -> !pto.tile_buf<vec, 1x8xf32, "
      "valid=?x?>\n"
      " pto.store_scalar %x, %m[%c0] : !pto.ptr<f32, vec>, f32\n pto.store_scalar %z, %m[%c1] : !pto.ptr<f32, vec>, "
      "f32\n"
      " %same = pto.pointer_cast(%a) : !pto.tile_buf<vec, 1x8xf32, valid=1x2>\n"
      " pto.tprint ins(%same : !pto.tile_buf<vec, 1x8xf32, valid=1x2>)\n"
      " %bound = pto.bind_tile %same, %c1, %c1 : !pto.tile_buf<vec, 1x8xf32, valid=1x2> -> !pto.tile_buf<vec, 1x8xf32, "
      "valid=?x?>\n"
      " pto.tprint ins(%bound : !pto.tile_buf<vec, 1x8xf32, valid=?x?>)\n" TAIL;
  float data[32];
  for (int i = 0; i < 32; ++i) data[i] = (float)i;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_text);
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 4, 8);
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, data, sizeof data);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "p", tensor));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_text);
  /* Row 2, column 3 and one further; element 3 of columns of two is row 1 of column 1. */
  assert_string_equal(pto_program_output(program),
                      "8\n20\n%t: 2x8 of f32\n  0 0 0 0 0 0 0 0\n  0 20 0 0 0 0 0 0\n%same: 1x2 of f32\n  20 0\n"
                      "%bound: 1x1 of f32\n  20\n");
  pto_tensor_release(tensor);
  pto_program_release(program);
  pto_context_release(ctx);
}

#define LOCAL                                            \
  " %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n" \
  " %u = pto.tile_buf_addr %t : !pto.tile_buf<vec, 1x8xf32> -> !pto.ptr<f32, vec>\n"

static void addresses_outside_end_the_run(void **state) {
  (void)state;
  ends(HEAD LOCAL " %k = arith.constant 8 : index\n %x = pto.load_scalar %u[%k] : !pto.ptr<f32, vec> -> f32\n" TAIL,
       "view-range", 9);
  ends(HEAD LOCAL " %k = arith.constant -1 : index\n %x = pto.load_scalar %u[%k] : !pto.ptr<f32, vec> -> f32\n" TAIL,
       "view-range", 9);
  ends(HEAD
       " %t = pto.declare_tile -> !pto.tile_buf<vec, 1x8xf32>\n %x = arith.constant 1.0 : f32\n"
       " pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n" TAIL,
       "storage", 8);
  ends(HEAD
       " %t = pto.declare_tile -> !pto.tile_buf<vec, 1x8xf32>\n"
       " %u = pto.tile_buf_addr %t : !pto.tile_buf<vec, 1x8xf32> -> !pto.ptr<f32, vec>\n"
       " %x = pto.load_scalar %u[%c0] : !pto.ptr<f32, vec> -> f32\n" TAIL,
       "view-range", 8);
  ends(HEAD LOCAL
       " %m = arith.subi %c0, %c1 : index\n %b = pto.bind_tile %t, %m, %c1 : !pto.tile_buf<vec, 1x8xf32> -> "
       "!pto.tile_buf<vec, 1x8xf32, valid=?x?>\n" TAIL,
       "valid-range", 9);
}

/* The same program in both forms prints the same text, and the same numbers. */
static void the_generic_form_is_the_same_program(void **state) {
  (void)state;
  static const char *const k_generic =
      "\"func.func\"() <{function_type = (index) -> (), sym_name = \"main\"}> ({\n^bb0(%n: index):\n"
      "  %c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
      "  %c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
      "  %one = \"arith.constant\"() <{value = 1.0 : f32}> : () -> f32\n"
      "  %t = \"pto.alloc_tile\"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> !pto.tile_buf<vec, 1x8xf32>\n"
      "  \"pto.texpands\"(%one, %t) : (f32, !pto.tile_buf<vec, 1x8xf32>) -> ()\n"
      "  %r = \"scf.for\"(%c0, %n, %c1, %one) ({\n  ^bb0(%i: index, %a: f32):\n"
      "    \"pto.tadd\"(%t, %t, %t) : (!pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, "
      "1x8xf32>) -> ()\n"
      "    %b = \"pto.tgetval\"(%t, %i) : (!pto.tile_buf<vec, 1x8xf32>, index) -> f32\n"
      "    %m = \"math.fma\"(%a, %b, %one) <{fastmath = #arith.fastmath<none>}> : (f32, f32, f32) -> f32\n"
      "    \"scf.yield\"(%m) : (f32) -> ()\n  }) : (index, index, index, f32) -> f32\n"
      "  \"pto.print\"(%r) <{format = \"%f\"}> : (f32) -> ()\n  \"func.return\"() : () -> ()\n}) : () -> ()\n";
  static const char *const k_own =
      "func.func @main(%n: index) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  %one = arith.constant 1.0 : f32\n  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n"
      "  pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n"
      "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> (f32) {\n"
      "    pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : "
      "!pto.tile_buf<vec, "
      "1x8xf32>)\n"
      "    %b = pto.tgetval ins(%t, %i : !pto.tile_buf<vec, 1x8xf32>, index) outs : f32\n"
      "    %m = math.fma %a, %b, %one : f32\n    scf.yield %m : f32\n  }\n"
      "  pto.print ins(\"%f\", %r : f32)\n  return\n}\n";
  char printed[2][4096];
  for (int form = 0; form < 2; ++form) {
    const char *text = form == 0 ? k_generic : k_own;
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, text);
    assert_ok(ctx, pto_program_bind_int(ctx, program, "n", 3));
    if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, text);
    /* 1, then a * 2 + 1, a * 4 + 1, a * 8 + 1 */
    assert_string_equal(pto_program_output(program), "105\n");
    snprintf(printed[form], sizeof printed[form], "%s", pto_program_print(ctx, program, PTO_FORM_DPS));
    pto_program_release(program);
    pto_context_release(ctx);
  }
  assert_string_equal(printed[0], printed[1]);
}

/* A view with gaps in its type is bound to memory that has them. */
static void strides_of_a_memref_are_those_of_what_is_bound(void **state) {
  (void)state;
  static const char *const k_text =
      "#rows = affine_map<(d0, d1) -> (d0 * 12 + d1)>\n"
      "func.func @main(%m: memref<2x8xf32, #rows, #pto.address_space<gm>>) {\n"
      " %t = memref.alloc() : memref<2x8xf32, strided<[1, 2]>, #pto.address_space<vec>>\n"
      " pto.tload ins(%m : memref<2x8xf32, #rows>) outs(%t : !pto.tile_buf<vec, 2x8xf32, blayout=col_major>)\n"
      " pto.tprint ins(%t : memref<2x8xf32, strided<[1, 2]>, #pto.address_space<vec>>)\n" TAIL;
  float data[24];
  for (int i = 0; i < 24; ++i) data[i] = (float)i;
  for (int64_t stride = 8; stride <= 12; stride += 4) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_text);
    pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 2, 8);
    desc.strided = 1;
    desc.stride0 = stride;
    desc.stride1 = 1;
    pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, data, sizeof data);
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "m", tensor));
    const pto_status status = pto_program_run(ctx, program, NULL);
    if (stride == 12) {
      if (status != PTO_OK) explain(ctx, program, k_text);
      assert_string_equal(pto_program_output(program),
                          "%t: 2x8 of f32\n  0 1 2 3 4 5 6 7\n  12 13 14 15 16 17 18 19\n");
    } else {
      assert_string_equal(pto_context_error_rule(ctx), "argument-type");
    }
    pto_tensor_release(tensor);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* A memref's elements against a plain array: of a part of global memory, and of tiles by rows and by columns. */
static void elements_of_memrefs(void **state) {
  (void)state;
  static const char *const k_text =
      "func.func @main(%m: memref<8x16xf32>, %i: index, %j: index) {\n"
      " %w = memref.subview %m[%i, 4] [2, 8] [1, 1] : memref<8x16xf32> to memref<2x8xf32, strided<[16, 1], offset: "
      "?>>\n"
      " %x = memref.load %w[1, %j] : memref<2x8xf32, strided<[16, 1], offset: ?>>\n pto.print ins(\"%f\", %x : f32)\n"
      " memref.store %x, %m[7, %j] : memref<8x16xf32>\n"
      " %r = memref.alloc() : memref<2x8xf32, #pto.address_space<vec>>\n"
      " %c = memref.alloca() : memref<2x8xf32, strided<[1, 2]>, #pto.address_space<vec>>\n"
      " pto.tload ins(%w : memref<2x8xf32, strided<[16, 1], offset: ?>>) outs(%r : memref<2x8xf32, "
      "#pto.address_space<vec>>)\n"
      " pto.tload ins(%w : memref<2x8xf32, strided<[16, 1], offset: ?>>) outs(%c : memref<2x8xf32, strided<[1, 2]>, "
      "#pto.address_space<vec>>)\n"
      " %y = memref.load %r[1, %j] : memref<2x8xf32, #pto.address_space<vec>>\n pto.print ins(\"%f\", %y : f32)\n"
      " %z = memref.load %c[1, %j] : memref<2x8xf32, strided<[1, 2]>, #pto.address_space<vec>>\n"
      " pto.print ins(\"%f\", %z : f32)\n" TAIL;
  for (int64_t i = 0; i < 8; ++i) {
    for (int64_t j = 0; j < 9; ++j) {
      float data[128];
      for (int k = 0; k < 128; ++k) data[k] = (float)k;
      pto_context *ctx = context(PTO_PROFILE_CPU);
      pto_program *program = parse(ctx, k_text);
      const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 8, 16);
      pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, data, sizeof data);
      assert_ok(ctx, pto_program_bind_tensor(ctx, program, "m", tensor));
      assert_ok(ctx, pto_program_bind_int(ctx, program, "i", i));
      assert_ok(ctx, pto_program_bind_int(ctx, program, "j", j));
      const pto_status status = pto_program_run(ctx, program, NULL);
      if (i > 6 || j > 7) {
        assert_int_not_equal(status, PTO_OK);
        assert_string_equal(pto_context_error_rule(ctx), "window");
      } else {
        if (status != PTO_OK) explain(ctx, program, k_text);
        char want[64];
        const int at = (int)((i + 1) * 16 + 4 + j);
        snprintf(want, sizeof want, "%d\n%d\n%d\n", at, at, at);
        assert_string_equal(pto_program_output(program), want);
        for (int k = 0; k < 128; ++k) assert_true(data[k] == (float)(k == 7 * 16 + j ? at : k));
      }
      pto_tensor_release(tensor);
      pto_program_release(program);
      pto_context_release(ctx);
    }
  }
}

static void a_switch_takes_the_first_of_its_numbers(void **state) {
  (void)state;
  static const char *const k_text =
      "func.func @main(%n: i32) {\n %k1 = arith.constant 1 : i64\n %k2 = arith.constant 2 : i64\n"
      " cf.switch %n : i32, [default: ^one(%k1 : i64), 3: ^two(%k1, %k2 : i64, i64), -4: ^none, 3: ^none]\n"
      "^none:\n cf.br ^one(%k2 : i64)\n^one(%a: i64):\n" SHOW("%a") " return\n^two(%b: i64, %c: i64):\n" SHOW("%c")
          SHOW("%b") TAIL;
  static const struct {
    int64_t n;
    const char *prints;
  } cases[] = {{0, "1\n"}, {3, "2\n1\n"}, {-4, "2\n"}, {4, "1\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_text);
    assert_ok(ctx, pto_program_bind_int(ctx, program, "n", cases[i].n));
    if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_text);
    assert_string_equal(pto_program_output(program), cases[i].prints);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

#define VECTOR " %v = arith.constant dense<[10, 20, 30, 40, 50, 60]> : vector<2x3xi64>\n"

static void vectors_keep_what_they_are(void **state) {
  (void)state;
  /* An insertion changes the new vector only; a loop carries it. */
  prints(HEAD VECTOR
         " %one = arith.constant dense<1> : vector<2x3xi64>\n"
         " %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%w = %v) -> (vector<2x3xi64>) {\n"
         "  %n = arith.addi %w, %one : vector<2x3xi64>\n  %m = vector.insert %a64, %n[0, 0] : i64 into "
         "vector<2x3xi64>\n  scf.yield %m : vector<2x3xi64>\n }\n"
         " %a = vector.extract %r[0, 0] : i64 from vector<2x3xi64>\n"
         " %b = vector.extract %r[%c1, 2] : i64 from vector<2x3xi64>\n"
         " %c = vector.extract %v[0, 0] : i64 from vector<2x3xi64>\n" SHOW("%a") SHOW("%b") SHOW("%c") TAIL,
         "64\n64\n10\n");
  prints(HEAD VECTOR
         " %t = arith.constant true\n %z = arith.constant dense<0> : vector<2x3xi64>\n"
         " %s = arith.select %t, %v, %z : vector<2x3xi64>\n"
         " %x = vector.extract %s[1, 0] : i64 from vector<2x3xi64>\n" SHOW("%x") TAIL,
         "40\n");
  ends(HEAD VECTOR
       " %far = arith.addi %c1, %c1 : index\n %x = vector.extract %v[%far, 0] : i64 from vector<2x3xi64>\n" TAIL,
       "view-range", 8);
  ends(HEAD VECTOR
       " %z = arith.constant dense<[1, 2, 3, 0, 5, 6]> : vector<2x3xi64>\n"
       " %x = arith.divsi %v, %z : vector<2x3xi64>\n" TAIL,
       "division-by-zero", 8);
  /* Vectors count in the limit of bytes, 1 MiB here, and of steps. */
  ends(HEAD
       " %v = arith.constant dense<0> : vector<256x256xi64>\n %w = arith.addi %v, %v : vector<256x256xi64>\n"
       " %x = arith.addi %w, %v : vector<256x256xi64>\n" TAIL,
       "byte-limit", 7);
  ends(HEAD
       " %big = arith.constant 1000 : index\n %v = arith.constant dense<0> : vector<256x128xi8>\n scf.for %i = %c0 to "
       "%big step %c1 {\n"
       "  %w = arith.addi %v, %v : vector<256x128xi8>\n }\n" TAIL,
       "step-limit", 0);
}

/* sethf32mode and settf32mode hold for what a core does from there on, in the order of the run; a product's own
 * attribute is first; a block begins without. 1 + 2^-11 is a tie of ten bits and is one of eleven. */
static void modes_of_products(void **state) {
  (void)state;
  static const char *const k_text =
      "func.func @main(%x: memref<1x1xf32>, %y: memref<1x1xf32>) {\n"
      " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c3 = arith.constant 3 : index\n"
      " %a = pto.alloc_tile : !pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major, valid=1x1>\n"
      " %b = pto.alloc_tile : !pto.tile_buf<right, 16x16xf32, slayout=col_major, valid=1x1>\n"
      " %c = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024, "
      "valid=1x1>\n"
      " pto.tload ins(%x : memref<1x1xf32>) outs(%a : !pto.tile_buf<...>)\n"
      " pto.tload ins(%y : memref<1x1xf32>) outs(%b : !pto.tile_buf<...>)\n"
      " scf.for %i = %c0 to %c3 step %c1 {\n"
      "  pto.tmatmul ins(%a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%c : !pto.tile_buf<...>)\n"
      "  tprint %c\n"
      "  %first = arith.cmpi eq, %i, %c0 : index\n"
      "  scf.if %first {\n   pto.settf32mode {enable = true, mode = \"round_away\"}\n"
      "  } else {\n   \"pto.settf32mode\"() {enable = true} : () -> ()\n  }\n }\n"
      " pto.tmatmul ins(%a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%c : !pto.tile_buf<...>) "
      "{madMode = #pto<mad_mode TF32_ROUND>}\n tprint %c\n"
      " pto.sethf32mode {enable = true, mode = ROUND_TO_EVEN}\n"
      " pto.tmatmul ins(%a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%c : !pto.tile_buf<...>)\n tprint %c\n"
      " pto.settf32mode {enable = true}\n pto.settf32mode\n"
      " pto.tmatmul ins(%a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%c : !pto.tile_buf<...>)\n tprint %c\n"
      " pto.sethf32mode {enable = true, mode = round_away}\n" TAIL;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_text);
  float x = 1 + 0x1p-11F;
  float y = 65536;
  const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, 1);
  pto_tensor *tx = pto_tensor_wrap(ctx, &desc, &x, sizeof x);
  pto_tensor *ty = pto_tensor_wrap(ctx, &desc, &y, sizeof y);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "x", tx));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "y", ty));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 2));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_text);
  static const int k_want[] = {65568, 65600, 65536, 65600, 65568, 65568};
  char all[1024];
  int n = 0;
  for (int i = 0; i < 12; ++i) {
    n += snprintf(all + n, sizeof all - (size_t)n, "%%c: 1x1 of f32\n  %d\n", k_want[i % 6]);
  }
  assert_string_equal(pto_program_output(program), all);
  pto_tensor_release(tx);
  pto_tensor_release(ty);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* An undeclared accumulator of a product has the size that the factors give; an omitted one is the destination.
 */
static void accumulators_are_inferred(void **state) {
  (void)state;
  static const char *const k_text =
      "func.func @main(%x: memref<3x5xf16>, %y: memref<5x7xf16>) {\n"
      " %a = pto.alloc_tile : !pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major, valid=3x5>\n"
      " %b = pto.alloc_tile : !pto.tile_buf<right, 32x16xf16, slayout=col_major, valid=5x7>\n"
      " pto.tload ins(%x : memref<3x5xf16>) outs(%a : !pto.tile_buf<...>)\n"
      " pto.tload ins(%y : memref<5x7xf16>) outs(%b : !pto.tile_buf<...>)\n"
      " %c = tmatmul %a, %b\n tprint %c\n"
      " pto.tmatmul.acc ins(%a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%c : !pto.tile_buf<...>)\n"
      " %c = tmatmul.acc %a, %b\n tprint %c\n %d = tmatmul.acc %c, %a, %b\n tprint %d\n" TAIL;
  uint16_t x[15];
  uint16_t y[35];
  float want[21];
  memset(want, 0, sizeof want);
  static const uint16_t k_small[] = {0, 0x3C00, 0x4000, 0x4200}; /* 0, 1, 2, 3 */
  for (int i = 0; i < 15; ++i) x[i] = k_small[i % 4];
  for (int i = 0; i < 35; ++i) y[i] = k_small[i * 3 % 4];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 7; ++j) {
      for (int k = 0; k < 5; ++k) want[i * 7 + j] += (float)((i * 5 + k) % 4 * ((k * 7 + j) * 3 % 4));
    }
  }
  char all[1024];
  int n = 0;
  static const char *const k_names[] = {"c", "c", "d"};
  static const float k_times[] = {1, 3, 4};
  for (int t = 0; t < 3; ++t) {
    n += snprintf(all + n, sizeof all - (size_t)n, "%%%s: 3x7 of f32\n", k_names[t]);
    for (int i = 0; i < 21; ++i) {
      n += snprintf(all + n, sizeof all - (size_t)n, "%s%g%s", i % 7 == 0 ? "  " : " ", (double)(k_times[t] * want[i]),
                    i % 7 == 6 ? "\n" : "");
    }
  }
  for (int profile = 0; profile < k_profiles; ++profile) {
    pto_context *ctx = context((pto_profile)profile);
    pto_program *program = parse(ctx, k_text);
    const pto_tensor_desc left = matrix_desc(PTO_DTYPE_F16, 3, 5);
    const pto_tensor_desc right = matrix_desc(PTO_DTYPE_F16, 5, 7);
    pto_tensor *tx = pto_tensor_wrap(ctx, &left, x, sizeof x);
    pto_tensor *ty = pto_tensor_wrap(ctx, &right, y, sizeof y);
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "x", tx));
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "y", ty));
    const pto_status status = pto_program_run(ctx, program, NULL);
    /* Hardware loads no left tile, nor prints an accumulator: there the program is refused as a whole. */
    if (profile == PTO_PROFILE_CPU) {
      if (status != PTO_OK) explain(ctx, program, k_text);
      assert_string_equal(pto_program_output(program), all);
    } else {
      assert_string_equal(pto_context_error_rule(ctx), "program-errors");
    }
    pto_tensor_release(tx);
    pto_tensor_release(ty);
    pto_program_release(program);
    pto_context_release(ctx);
  }
  /* No statement has given the accumulator a value. */
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, "pto.tmatmul.acc ins(%a, %b) outs(%c)\n");
  assert_int_not_equal(pto_program_run(ctx, program, NULL), PTO_OK);
  assert_string_equal(pto_context_error_rule(ctx), "unbound-argument");
  pto_program_release(program);
  program = parse(ctx, "func.func @f(%a: !pto.tile<...>, %b: !pto.tile<...>) {\n %c = tmatmul.acc %a, %b\n" TAIL);
  assert_int_not_equal(pto_program_run(ctx, program, NULL), PTO_OK);
  assert_string_equal(pto_program_diagnostic_rule(program, 0), "undefined-value");
  pto_program_release(program);
  pto_context_release(ctx);
}

#define PADDED "!pto.tile_buf<vec, 2x8xf32, pad=5360320512>"
#define PACKED "!pto.tile_buf<vec, 48x16xf32, valid=16x16, blayout=col_major, slayout=row_major, compact=%d>"

/* Of a custom pad value the low word is the element, 1.0; element (0, 8) of a packed tile follows 16 rows of 8. */
static void pads_and_packing_of_types_are_obeyed(void **state) {
  (void)state;
  for (int compact = 0; compact < 4; ++compact) {
    char text[2048];
    snprintf(text, sizeof text,
             "%s %%v = arith.constant 2.5 : f32\n %%k = arith.constant 128 : index\n"
             " %%t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32, valid=1x2>\n %%d = pto.alloc_tile : " PADDED
             "\n"
             " pto.texpands ins(%%v : f32) outs(%%t : !pto.tile_buf<vec, 2x8xf32, valid=1x2>)\n"
             " pto.tfillpad ins(%%t : !pto.tile_buf<vec, 2x8xf32, valid=1x2>) outs(%%d : " PADDED
             ")\n"
             " pto.tprint ins(%%d : " PADDED ")\n %%p = pto.alloc_tile : " PACKED
             "\n"
             " pto.texpands ins(%%v : f32) outs(%%p : " PACKED
             ")\n"
             " %%x = pto.tgetval ins(%%p, %%k : " PACKED
             ", index) outs : f32\n"
             " pto.print ins(\"%%f\", %%x : f32)\n" TAIL,
             HEAD, compact, compact, compact);
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, text);
    if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, text);
    char want[128];
    snprintf(want, sizeof want, "%%d: 2x8 of f32\n  2.5 2.5 1 1 1 1 1 1\n  1 1 1 1 1 1 1 1\n%s\n",
             compact == PTO_COMPACT_NORMAL ? "2.5" : "0");
    assert_string_equal(pto_program_output(program), want);
    const char *const printed = pto_program_print(ctx, program, PTO_FORM_DPS);
    assert_non_null(strstr(printed, "pad=5360320512"));
    assert_int_equal(strstr(printed, "compact=") != NULL, compact != 0);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* Scales follow their matrix to a sixteenth of its address as often as it moves. They are refused if they cannot lie
   there, or if neither type specifies that there are no scales. */
static void scales_follow_their_matrix(void **state) {
  (void)state;
#define LEFT "!pto.tile_buf<left, 16x64xf8E4M3FN, blayout=col_major, slayout=row_major>"
#define SCALES "!pto.tile_buf<scale_left, 16x2xf8E8M0FNU, slayout=row_major, fractal=32>"
#define SETS(at, value) " pto.tsetval ins(%c1, " value " : index, f8E8M0FNU) outs(%" at " : " SCALES ")\n"
#define TILES(at)                                                                                                  \
  "func.func @main() attributes {pto.entry} {\n %c1 = arith.constant 1 : index\n %p0 = arith.constant " at         \
  " : i64\n"                                                                                                       \
  " %p1 = arith.constant 1024 : i64\n %x = arith.constant 4.0 : f8E8M0FNU\n %y = arith.constant 8.0 : f8E8M0FNU\n" \
  " %s0 = arith.constant 512 : i64\n %s1 = arith.constant 64 : i64\n"                                              \
  " %l = pto.declare_tile -> " LEFT "\n %s = pto.declare_tile -> " SCALES                                          \
  "\n"                                                                                                             \
  " %a = pto.alloc_tile addr = %s0 : " SCALES "\n %b = pto.alloc_tile addr = %s1 : " SCALES                        \
  "\n"                                                                                                             \
  " pto.tassign %l, %p0 : " LEFT "\n"
#define FOLLOW " pto.tget_scale_addr ins(%l : " LEFT ") outs(%s : " SCALES ")\n"
#define SHOW_SCALE(v)                           \
  " %" v " = pto.tgetval ins(%s, %c1 : " SCALES \
  ", index) outs : f8E8M0FNU\n"                 \
  " pto.print ins(\"%f\", %" v " : f8E8M0FNU)\n"
  prints(TILES("8192") SETS("a", "%x") SETS("b", "%y") FOLLOW SHOW_SCALE("v") " pto.tassign %l, %p1 : " LEFT
                                                                              "\n" FOLLOW SHOW_SCALE("w") TAIL,
         "4\n8\n");
  ends(TILES("8224") FOLLOW TAIL, "address-alignment", 14);
  ends(
      "func.func @go(%l: !pto.tile<...>, %s: !pto.tile<...>) {\n"
      " pto.tget_scale_addr ins(%l : !pto.tile<...>) outs(%s : !pto.tile<...>)\n" TAIL TILES(
          "8192") " call @go(%s, %s) : (" SCALES ", " SCALES ") -> ()\n" TAIL,
      "location-matrix", 2);
  ends(
      "func.func @go(%l: !pto.tile<...>, %s: !pto.tile<...>) {\n"
      " pto.tget_scale_addr ins(%l : !pto.tile<...>) outs(%s : !pto.tile<...>)\n" TAIL TILES(
          "8192") " call @go(%l, %l) : (" LEFT ", " LEFT ") -> ()\n" TAIL,
      "location-matrix", 2);
  /* A new tile of a matrix without an address has memory of its own, whatever the one before it had. */
  prints("func.func @go(%l: " LEFT
         ") {\n %c1 = arith.constant 1 : index\n %y = arith.constant 8.0 : f8E8M0FNU\n"
         " %s = pto.tget_scale_addr %l : " LEFT " -> " SCALES "\n" SETS("s", "%y") " return\n}\n" TILES("8192")
             SETS("a", "%x") " func.call @go(%l) : (" LEFT
                             ") -> ()\n"
                             " %v = pto.tgetval ins(%a, %c1 : " SCALES
                             ", index) outs : f8E8M0FNU\n pto.print ins(\"%f\", %v : f8E8M0FNU)\n" SETS(
                                 "a", "%x") " %m = pto.alloc_tile : " LEFT "\n func.call @go(%m) : (" LEFT
                                            ") -> ()\n"
                                            " %w = pto.tgetval ins(%a, %c1 : " SCALES
                                            ", index) outs : f8E8M0FNU\n pto.print ins(\"%f\", %w : f8E8M0FNU)\n" TAIL,
         "8\n4\n");
  /* A new tile needs a type. */
  ends(TILES("8192") " %t = pto.tget_scale_addr %l\n" TAIL, "unassigned", 14);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(branches_go_where_the_condition_says),
                                     cmocka_unit_test(a_branch_reads_all_before_it_writes),
                                     cmocka_unit_test(elements_of_small_types),
                                     cmocka_unit_test(elements_of_tiles_by_row_and_column),
                                     cmocka_unit_test(endless_branches_end),
                                     cmocka_unit_test(elements_of_memrefs),

                                     cmocka_unit_test(modes_of_products),
                                     cmocka_unit_test(accumulators_are_inferred),
                                     cmocka_unit_test(a_switch_takes_the_first_of_its_numbers),
                                     cmocka_unit_test(vectors_keep_what_they_are),
                                     cmocka_unit_test(addresses_of_views_and_tiles),
                                     cmocka_unit_test(addresses_outside_end_the_run),
                                     cmocka_unit_test(strides_of_a_memref_are_those_of_what_is_bound),
                                     cmocka_unit_test(pads_and_packing_of_types_are_obeyed),
                                     cmocka_unit_test(the_generic_form_is_the_same_program),
                                     cmocka_unit_test(scales_follow_their_matrix)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
