/*
 * test_spellings.c: spellings that only the documents of the instructions have do what the dialect's own do.
 */
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spellings_of_the_documents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
