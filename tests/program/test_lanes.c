/* Sums that leave the accumulator of a cube core: which vector core finds them at the address of their destination, and
 * whether halves saturate. */
#include "program_help.h"

#define ACC "!pto.tile_buf<acc, 16x64xf32, blayout=col_major, slayout=row_major, fractal=1024>"
/* %src is the accumulator. Each vector core stores what it finds at address 512, the second one after the first. */
#define KERNEL(move, type, rows, cols)                                                                            \
  "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.subblock_num = 2} {\n"                  \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %r = arith.constant " #rows                 \
  " : index\n %c = arith.constant " #cols                                                                         \
  " : index\n %c16 = arith.constant 16 : index\n"                                                                 \
  " %c64 = arith.constant 64 : index\n %at = arith.constant 512 : i64\n pto.section.cube {\n"                     \
  "  %v = pto.make_tensor_view %src, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>\n" \
  "  %acc = pto.alloc_tile : " ACC "\n  pto.tload ins(%v : !pto.tensor_view<16x64xf32>) outs(%acc : " ACC         \
  ")\n"                                                                                                           \
  "  %t = pto.alloc_tile addr = %at : " type "\n" move                                                            \
  "  pto.sync.set <PIPE_FIX>, 1\n }\n"                                                                            \
  " pto.section.vector {\n  pto.sync.wait <PIPE_V>, 1\n  %t = pto.alloc_tile addr = %at : " type                  \
  "\n"                                                                                                            \
  "  %l64 = pto.get_subblock_idx\n  %l = arith.index_cast %l64 : i64 to index\n"                                  \
  "  %n = arith.constant 1024 : index\n  %o = arith.muli %l, %n : index\n"                                        \
  "  %p = pto.addptr %dst, %o : !pto.ptr<f32> -> !pto.ptr<f32>\n"                                                 \
  "  %w = pto.make_tensor_view %p, shape = [%r, %c], strides = [%c, %c1] : !pto.tensor_view<" #rows "x" #cols     \
  "xf32>\n"                                                                                                       \
  "  pto.tstore ins(%t : " type ") outs(%w : !pto.tensor_view<" #rows "x" #cols "xf32>)\n }\n" TAIL
#define MOVE(type, mode) "  pto.tmov ins(%acc : " ACC ") outs(%t : " type ")" mode "\n"
#define VEC(rows, cols) "!pto.tile_buf<vec, " #rows "x" #cols "xf32>"

enum { kRows = 16, kCols = 64, kAll = kRows * kCols };

/* The first row and column of src that a vector core receives; -1: none. */
typedef struct part {
  int row, col;
} part;

static void sends(const char *text, int rows, int cols, part first, part second) {
  float src[kAll], dst[2 * kAll], want[2 * kAll];
  for (int i = 0; i < kAll; ++i) src[i] = (float)(i + 1);
  for (int i = 0; i < 2 * kAll; ++i) dst[i] = want[i] = -1;
  for (int lane = 0; lane < 2; ++lane) {
    const part from = lane == 0 ? first : second;
    for (int i = 0; i < rows * cols; ++i) {
      want[lane * kAll + i] = from.row < 0 ? 0 : src[(from.row + i / cols) * kCols + from.col + i % cols];
    }
  }
  for (int order = 0; order < 2; ++order) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, text);
    const pto_tensor_desc one = matrix_desc(PTO_DTYPE_F32, 1, kAll), two = matrix_desc(PTO_DTYPE_F32, 1, 2 * kAll);
    pto_tensor *a = pto_tensor_wrap(ctx, &one, src, sizeof src), *b = pto_tensor_wrap(ctx, &two, dst, sizeof dst);
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "src", a));
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "dst", b));
    /* A second run finds the memory of its vector cores cleared. */
    for (int run = 0; run <= order; ++run) {
      if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, text);
    }
    for (int i = 0; i < 2 * kAll; ++i) assert_true(dst[i] == want[i]);
    pto_tensor_release(a);
    pto_tensor_release(b);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

static void each_core_receives_its_part(void **state) {
  (void)state;
  static const part k_none = {-1, 0}, k_whole = {0, 0};
  sends(KERNEL(MOVE(VEC(16, 64), ""), VEC(16, 64), 16, 64), 16, 64, k_whole, k_none);
  sends(KERNEL(MOVE(VEC(16, 64), " {accToVecMode = #pto.acc_to_vec_mode<single_mode_vec1>}"), VEC(16, 64), 16, 64), 16,
        64, k_none, k_whole);
  sends(KERNEL(MOVE(VEC(8, 64), " {accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}"), VEC(8, 64), 8, 64), 8, 64,
        k_whole, (part){8, 0});
  sends(KERNEL(MOVE(VEC(16, 32), " {accToVecMode = #pto<acc_to_vec_mode dual_mode_split_n>}"), VEC(16, 32), 16, 32), 16,
        32, k_whole, (part){0, 32});
  /* A window of the accumulator, to the second core. */
  sends(KERNEL("  pto.textract ins(%acc, %c1, %c0 : " ACC
               ", index, index) outs(%t : " VEC(8, 64) ") "
                                                       "{accToVecMode = single_mode_vec1}\n",
               VEC(8, 64), 8, 64),
        8, 64, k_none, (part){1, 0});
}

/* The control word of a core is for its instructions on tiles, too; a block begins with bit 48. */
static void the_control_word_saturates(void **state) {
  (void)state;
#define HALVES "!pto.tile_buf<mat, 16x64xf16, blayout=col_major, slayout=row_major>"
  static const char k_text[] =
      "func.func @k(%src: memref<16x64xf32>) {\n %c0 = arith.constant 0 : index\n"
      " %acc = pto.alloc_tile : " ACC "\n %h = pto.alloc_tile : " HALVES
      "\n"
      " pto.tload ins(%src : memref<16x64xf32>) outs(%acc : " ACC
      ")\n"
      " pto.tmov ins(%acc : " ACC ") outs(%h : " HALVES
      ")\n"
      " %x = pto.tgetval ins(%h, %c0 : " HALVES
      ", index) outs : f16\n pto.print ins(\"%f\", %x : f16)\n"
      " %zero = arith.constant 0 : i64\n pto.set_ctrl %zero : i64\n"
      " pto.tmov ins(%acc : " ACC ") outs(%h : " HALVES
      ")\n"
      " %y = pto.tgetval ins(%h, %c0 : " HALVES ", index) outs : f16\n pto.print ins(\"%f\", %y : f16)\n" TAIL;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_text);
  float src[kAll] = {70000};
  const pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 16, 64);
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, src, sizeof src);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "src", tensor));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 2));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, k_text);
  assert_string_equal(pto_program_output(program), "inf\n65504\ninf\n65504\n");
  pto_tensor_release(tensor);
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_core_receives_its_part),
      cmocka_unit_test(the_control_word_saturates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
