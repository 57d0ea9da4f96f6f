/*
 * test_spellings.c: spellings that only the documents of the instructions have do what the dialect's own do.
 */
#include <stdio.h>

#include "program_help.h"

static void spellings_of_the_documents(void **state) {
  (void)state;
  prints(
      "%n = tci 0 : !pto.tile_buf<vec, 1x32xi32>\n"
      "pto.treshape ins(%n : !pto.tile_buf<vec, 1x32xi32>) outs(%t : !pto.tile_buf<vec, 4x8xi32>)\n"
      "%u = pto.subview %t, 2, 4 : (!pto.tile_buf<vec, 4x8xi32>, i16, i16) -> !pto.tile_buf<vec, 4x8xi32, valid=2x4>\n"
      "tprint %u\n"
      "pto.subview ins(%t, 3, 0 : !pto.tile_buf<vec, 4x8xi32>, i16, i16) outs(%v : !pto.tile_buf<vec, 1x8xi32>)\n"
      "tprint %v\n"
      "pto.treshape ins(%t : !pto.tile_buf<vec, 4x8xi32>) outs(%w : !pto.tile_buf<vec, 2x16xi32>)\n"
      "tprint %w\n"
      "%x = textract %t[1, 0] : !pto.tile_buf<vec, 4x8xi32> -> !pto.tile_buf<vec, 1x8xi32>\ntprint %x\n"
      "%t = tinsert %x[3, 0] : !pto.tile_buf<vec, 1x8xi32> -> !pto.tile_buf<vec, 4x8xi32>\ntprint %v\n"
      "%c = tcmps.ge %x, 12 : !pto.tile_buf<vec, 1x8xi32>, i32 -> !pto.tile_buf<vec, 1x32xui8>\n"
      "%d = tmov.v2v %x : !pto.tile_buf<vec, 1x8xi32> -> !pto.tile_buf<vec, 1x8xi32>\ntprint %d\n",
      "%u: 2x4 of i32\n  20 21 22 23\n  28 29 30 31\n%v: 1x8 of i32\n  24 25 26 27 28 29 30 31\n"
      "%w: 2x16 of i32\n  0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n  16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31\n"
      "%x: 1x8 of i32\n  8 9 10 11 12 13 14 15\n%v: 1x8 of i32\n  8 9 10 11 12 13 14 15\n"
      "%d: 1x8 of i32\n  8 9 10 11 12 13 14 15\n");
  prints(
      "%i = tci 3 : !pto.tile_buf<vec, 1x8xi32>\n%t = tci 0 : !pto.tile_buf<vec, 1x8xi32>\n"
      "%d = pto.tgather %t, %i : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile_buf<vec, 1x8xi32, valid=1x4>\ntprint "
      "%d\n",
      "%d: 1x4 of i32\n  3 4 5 6\n");
  /* A view that the text leaves open is the tensor that is bound to it. */
  static const char *const k_text =
      "%i = tci 2 : !pto.tile_buf<vec, 1x8xi32>\n"
      "%d = mgather.elem.wrap %table, %i : !pto.memref<...>, !pto.tile<...> -> !pto.tile_buf<vec, 1x8xi32>\n"
      "mscatter.elem.atomic_add %d, %i, %out : !pto.tile<...>, !pto.tile<...>, !pto.partition_tensor_view<...>\n";
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_text);
  int32_t table[5] = {10, 11, 12, 13, 14};
  int32_t out[16] = {0};
  out[4] = 100;
  const pto_tensor_desc desc[2] = {matrix_desc(PTO_DTYPE_I32, 1, 5), matrix_desc(PTO_DTYPE_I32, 1, 16)};
  pto_tensor *from = pto_tensor_wrap(ctx, &desc[0], table, sizeof table);
  pto_tensor *to = pto_tensor_wrap(ctx, &desc[1], out, sizeof out);
  assert_non_null(from);
  assert_non_null(to);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "table", from));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "out", to));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_text);
  for (int k = 0; k < 16; ++k) {
    const int32_t want = (k >= 2 && k < 10 ? table[k % 5] : 0) + (k == 4 ? 100 : 0);
    assert_int_equal(out[k], want);
  }
  pto_tensor_release(from);
  pto_tensor_release(to);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Operands that the program does not write as tiles: counts in a vector, again in each round; a number to compare with.
 */
static void vectors_and_numbers_for_tiles(void **state) {
  (void)state;
  prints(
      "func.func private @merge(%a: !pto.tile_buf<vec, 1x8xf32>, %b: !pto.tile_buf<vec, 1x16xf32>, %x: vector<4xi16>) "
      "{\n"
      " %d = pto.alloc_tile : !pto.tile_buf<vec, 1x24xf32, valid=1x16>\n"
      " pto.tmrgsort ins(%a, %b, %d {exhausted = true} : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x16xf32>, "
      "!pto.tile_buf<vec, 1x24xf32, valid=1x16>) outs(%d, %x : !pto.tile_buf<vec, 1x24xf32, valid=1x16>, "
      "vector<4xi16>)\n"
      " %m = vector.extract %x[0] : i16 from vector<4xi16>\n pto.print ins(\"%d\", %m : i16)\n"
      " %n = vector.extract %x[1] : i16 from vector<4xi16>\n pto.print ins(\"%d\", %n : i16)\n return\n}\n"
      "func.func @main() attributes {pto.entry} {\n %e = arith.constant dense<7> : vector<4xi16>\n"
      " %z = arith.constant 0.0 : f32\n %one = arith.constant 1.0 : f32\n"
      " %a = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n %b = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>\n"
      " pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 1x8xf32>)\n"
      " pto.texpands ins(%z : f32) outs(%b : !pto.tile_buf<vec, 1x16xf32>)\n"
      " call @merge(%a, %b, %e) : (!pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x16xf32>, vector<4xi16>) -> ()\n"
      " %k = vector.extract %e[0] : i16 from vector<4xi16>\n pto.print ins(\"%d\", %k : i16)\n return\n}\n",
      "4\n0\n7\n");
  prints(
      "%n = tci 0 : !pto.tile_buf<vec, 1x8xi32>\n"
      "pto.treshape ins(%n : !pto.tile_buf<vec, 1x8xi32>) outs(%t : !pto.tile_buf<vec, 1x8xi32>)\n"
      "pto.tgather ins(%t, 5 : !pto.tile_buf<vec, 1x8xi32>, i32) outs(%d, %c : !pto.tile_buf<vec, 1x8xi32, valid=1x2>, "
      "!pto.tile_buf<vec, 1x8xi32, valid=1x1>) {cmpMode = gt, offset = 100}\ntprint %d\ntprint %c\n",
      "%d: 1x2 of i32\n  106 107\n%c: 1x1 of i32\n  2\n");
  prints(
      "%x = arith.constant 1.5 : f32\n%y = arith.constant 1.25 : f32\n"
      "%t = texpands %x : f32, !pto.tile_buf<vec, 2x8xf32>\n"
      "pto.tgather ins(%t, %y : !pto.tile_buf<vec, 2x8xf32>, f32) outs(%d, %c : !pto.tile_buf<vec, 2x8xi32, "
      "valid=2x1>, "
      "!pto.tile_buf<vec, 2x8xi32, valid=2x1>) {cmpMode = gt, offset = 0}\ntprint %d\ntprint %c\n",
      "%d: 2x1 of i32\n  0\n  8\n%c: 2x1 of i32\n  8\n  8\n");
}

/* Without src1Col the 32 bytes of a row repeat. */
static void one_column_of_32_bytes(void **state) {
  (void)state;
  prints(
      "%n = tci 1 : !pto.tile_buf<vec, 1x16xi32>\n"
      "pto.treshape ins(%n : !pto.tile_buf<vec, 1x16xi32>) outs(%s : !pto.tile_buf<vec, 2x8xi32>)\n"
      "%z = texpands 0 : i32, !pto.tile_buf<vec, 2x16xi32>\n"
      "%a = trowexpandadd %z, %s : (!pto.tile_buf<vec, 2x16xi32>, !pto.tile_buf<vec, 2x8xi32>) -> "
      "!pto.tile_buf<vec, 2x16xi32>\ntprint %a\n"
      "%b = trowexpandadd %z, %s {src1Col = 1} : (!pto.tile_buf<vec, 2x16xi32>, !pto.tile_buf<vec, 2x8xi32>) -> "
      "!pto.tile_buf<vec, 2x16xi32>\ntprint %b\n",
      "%a: 2x16 of i32\n  1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8\n  9 10 11 12 13 14 15 16 9 10 11 12 13 14 15 16\n"
      "%b: 2x16 of i32\n  1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n  9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9\n");
}

/* Without a layout, strides and the tile say it. */
static void views_infer_their_layout(void **state) {
  (void)state;
#define VIEW(shape, strides, type, tile, more)                                                                    \
  "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @main(%p: !pto.ptr<i32>) attributes {pto.entry} {\n" \
  " %v = pto.make_tensor_view %p, shape = [" shape "], strides = [" strides "] : !pto.tensor_view<" type          \
  "xi32>\n"                                                                                                       \
  " %t = pto.alloc_tile : !pto.tile_buf<" tile                                                                    \
  ">\n"                                                                                                           \
  " pto.tload ins(%v : !pto.tensor_view<" type "xi32>) outs(%t : !pto.tile_buf<" tile ">)" more                   \
  "\n"                                                                                                            \
  " pto.tprint ins(%t : !pto.tile_buf<" tile ">)\n return\n}\n}\n"
  static const struct {
    const char *text, *prints;
  } k_cases[] = {
      /* Two columns of eight rows, twice. */
      {VIEW("2, 8, 2", "16, 1, 8", "2x8x2", "vec, 8x4xi32, blayout=col_major", ""),
       "%t: 8x4 of i32\n  0 8 16 24\n  1 9 17 25\n  2 10 18 26\n  3 11 19 27\n  4 12 20 28\n  5 13 21 29\n"
       "  6 14 22 30\n  7 15 23 31\n"},
      /* One column, twice: in the order of the tile. */
      {VIEW("2, 8, 1", "8, 1, 1", "2x8x1", "vec, 8x2xi32, blayout=col_major", ""),
       "%t: 8x2 of i32\n  0 8\n  1 9\n  2 10\n  3 11\n  4 12\n  5 13\n  6 14\n  7 15\n"},
      {VIEW("2, 8, 1", "8, 1, 1", "2x8x1", "vec, 16x1xi32, blayout=col_major", ""),
       "%t: 16x1 of i32\n  0\n  1\n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n  10\n  11\n  12\n  13\n  14\n  15\n"},
      /* Two columns of boxes for a tile of boxes; the first row is shown. */
      {VIEW("2, 1, 16, 8", "128, 128, 8, 1", "2x1x16x8",
            "vec, 16x16xi32, valid=1x16, blayout=col_major, slayout=row_major", ""),
       "%t: 1x16 of i32\n  0 1 2 3 4 5 6 7 128 129 130 131 132 133 134 135\n"},
      /* The layout of the load takes precedence. */
      {VIEW("2, 8, 1", "8, 1, 1", "2x8x1", "vec, 8x2xi32, blayout=col_major", " {layout = #pto.layout<dn>}"),
       "%t: 8x2 of i32\n  0 8\n  1 9\n  2 10\n  3 11\n  4 12\n  5 13\n  6 14\n  7 15\n"},
  };
#undef VIEW
  int32_t data[256];
  for (int i = 0; i < 256; ++i) data[i] = i;
  for (size_t i = 0; i < sizeof k_cases / sizeof *k_cases; ++i) {
    pto_context *ctx = context(PTO_PROFILE_A5);
    pto_program *program = parse(ctx, k_cases[i].text);
    const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_I32, 1, 256);
    pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, data, sizeof data);
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "p", tensor));
    if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_cases[i].text);
    assert_string_equal(pto_program_output(program), k_cases[i].prints);
    pto_tensor_release(tensor);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* Memory through other strides, from an element on. */
static void memory_through_other_strides(void **state) {
  (void)state;
  static const char *const k_text =
      "func.func @main(%m: memref<32xi32>, %n: index) attributes {pto.entry} {\n"
      " %v = memref.reinterpret_cast %m to offset: [%n], sizes: [2, 4], strides: [8, 2] : memref<32xi32> to "
      "memref<2x4xi32, strided<[?, ?], offset: ?>>\n"
      " %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xi32, valid=2x4>\n"
      " pto.tload ins(%v : memref<2x4xi32, strided<[?, ?], offset: ?>>) outs(%t : !pto.tile_buf<vec, 2x8xi32, "
      "valid=2x4>)\n pto.tprint ins(%t : !pto.tile_buf<vec, 2x8xi32, valid=2x4>)\n return\n}\n";
  int32_t data[32];
  for (int i = 0; i < 32; ++i) data[i] = i;
  for (int n = 0; n < 24; n += 3) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_text);
    pto_tensor_desc desc = matrix_desc(PTO_DTYPE_I32, 1, 32);
    desc.rank = 1;
    desc.dim0 = 32;
    pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, data, sizeof data);
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "m", tensor));
    assert_ok(ctx, pto_program_bind_int(ctx, program, "n", n));
    const pto_status status = pto_program_run(ctx, program, NULL);
    if (n + 14 < 32) { /* the last element is 8 + 6 after the first */
      if (status != PTO_OK) explain(ctx, program, k_text);
      char want[128];
      snprintf(want, sizeof want, "%%t: 2x4 of i32\n  %d %d %d %d\n  %d %d %d %d\n", n, n + 2, n + 4, n + 6, n + 8,
               n + 10, n + 12, n + 14);
      assert_string_equal(pto_program_output(program), want);
    } else {
      assert_int_equal(status, PTO_ERROR_ADDRESS);
    }
    pto_tensor_release(tensor);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* Unsigned numbers print without a sign. */
static void unsigned_numbers(void **state) {
  (void)state;
  prints(
      "%a = arith.constant 255 : ui8\npto.print ins(\"%u\", %a : ui8)\npto.print ins(\"%d\", %a : ui8)\n"
      "%b = arith.constant -1 : i16\npto.print ins(\"%u\", %b : i16)\npto.print ins(\"%d\", %b : i16)\n",
      "255\n255\n65535\n-1\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spellings_of_the_documents),   cmocka_unit_test(vectors_and_numbers_for_tiles),
      cmocka_unit_test(one_column_of_32_bytes),       cmocka_unit_test(views_infer_their_layout),
      cmocka_unit_test(memory_through_other_strides), cmocka_unit_test(unsigned_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
