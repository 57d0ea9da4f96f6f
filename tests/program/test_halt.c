/* A product of matrices may take hours: it ends within, by a limit of time, by who asks the run to stop and because
 * another block failed. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>

#include "../tensor/tensor_help.h"

typedef struct {
  const char *name;
  const char *inst;
  int32_t rows, cols, depth;
  uint8_t scale; /* code of all scales; 0: factors are f32 */
} product;

/* Each takes far more than a millisecond on any machine. */
static const product k_products[] = {
    {"in strips", "pto.tmatmul ins(%a, %b : ", 2048, 2048, 2048, 0},
    {"evenly", "pto.tmatmul ins(%a, %b : ", 4096, 4096, 256, 0},
    {"going on", "pto.tmatmul.acc ins(%c, %a, %b : !pto.tile_buf<...>, ", 2048, 2048, 2048, 0},
    {"scaled", "pto.tmatmul_mx ins(%a, %x, %b, %y : !pto.tile_buf<...>, !pto.tile_buf<...>, ", 2048, 2048, 2048, 127},
    {"beyond f32", "pto.tmatmul_mx ins(%a, %x, %b, %y : !pto.tile_buf<...>, !pto.tile_buf<...>, ", 512, 512, 512, 254},
};

/* A program of that. */
static const char *text_of(const product *p) {
  static char text[2048];
  const char *type = p->scale != 0 ? "f8E4M3FN" : "f32";
  int n = snprintf(text, sizeof text,
                   "func.func @main(%%c: !pto.tile_buf<vec, %dx%dxf32>, %%a: !pto.tile_buf<vec, %dx%dx%s>, "
                   "%%b: !pto.tile_buf<vec, %dx%dx%s>",
                   p->rows, p->cols, p->rows, p->depth, type, p->depth, p->cols, type);
  if (p->scale != 0) {
    n += snprintf(text + n, sizeof text - (size_t)n,
                  ", %%x: !pto.tile_buf<vec, %dx%dxf8E8M0FNU>, %%y: !pto.tile_buf<vec, %dx%dxf8E8M0FNU>", p->rows,
                  p->depth / 32, p->depth / 32, p->cols);
  }
  snprintf(text + n, sizeof text - (size_t)n,
           ") {\n %s!pto.tile_buf<...>, !pto.tile_buf<...>) outs(%%c : !pto.tile_buf<...>)\n return\n}\n", p->inst);
  return text;
}

typedef struct {
  pto_context *ctx;
  pto_program *program;
  pto_tile *c;
} bound;

static void bind(bound *to, const char *name, pto_dtype dtype, int32_t rows, int32_t cols, int value) {
  pto_tile *tile = pto_tile_create(to->ctx, dtype, rows, cols);
  assert_non_null(tile);
  memset(pto_tile_data(tile), value, (size_t)rows * (size_t)cols * (size_t)pto_dtype_bytes(dtype));
  assert_int_equal(pto_program_bind_tile(to->ctx, to->program, name, tile), PTO_OK);
  if (strcmp(name, "c") == 0)
    to->c = tile;
  else
    pto_tile_release(tile);
}

static bound make(const product *p, const char *target, const char *text) {
  bound made = {.ctx = pto_context_create_for(PTO_PROFILE_CPU, target)};
  assert_non_null(made.ctx);
  made.program = pto_program_parse(made.ctx, text, (int64_t)strlen(text), NULL);
  if (made.program == NULL) fail_msg("%s: %s", p->name, pto_context_error_message(made.ctx));
  bind(&made, "c", PTO_DTYPE_F32, p->rows, p->cols, 0);
  const pto_dtype factor = p->scale != 0 ? PTO_DTYPE_E4M3 : PTO_DTYPE_F32;
  bind(&made, "a", factor, p->rows, p->depth, 0x38);
  bind(&made, "b", factor, p->depth, p->cols, 0x38);
  if (p->scale != 0) {
    bind(&made, "x", PTO_DTYPE_E8M0, p->rows, p->depth / 32, p->scale);
    bind(&made, "y", PTO_DTYPE_E8M0, p->depth / 32, p->cols, p->scale);
  }
  return made;
}

/* Whether the last element was reached. */
static int whole(const bound *b) { return ((const float *)pto_tile_data(b->c))[pto_tile_bytes(b->c) / 4 - 1] != 0; }

static void drop(bound *b) {
  pto_tile_release(b->c);
  pto_program_release(b->program);
  pto_context_release(b->ctx);
}

static const char *slowest(void) { return pto_target_name(pto_target_count() - 1); }

static void time_ends_a_product(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof k_products / sizeof *k_products; ++i) {
    for (int32_t t = 0; t < pto_target_count(); ++t) {
      if (!pto_target_supported(t)) continue;
      for (int record = 0; record < 2; ++record) {
        const product *p = &k_products[i];
        bound b = make(p, pto_target_name(t), text_of(p));
        assert_int_equal(pto_program_limit_time(b.ctx, b.program, 1), PTO_OK);
        assert_int_equal(pto_program_set_trace(b.ctx, b.program, record), PTO_OK);
        assert_int_equal(pto_program_run(b.ctx, b.program, NULL), PTO_ERROR_PROGRAM);
        assert_rule(b.ctx, PTO_ERROR_PROGRAM, "time-limit", "");
        assert_non_null(strstr(pto_context_error_message(b.ctx), "1 milliseconds are over"));
        if (whole(&b)) fail_msg("%s on %s: the product came to its end", p->name, pto_target_name(t));
        drop(&b);
      }
    }
  }
}

static void *stop(void *data) {
  pto_program *program = data;
  while (pto_program_steps_so_far(program) == 0) poll(NULL, 0, 1);
  pto_program_stop(program);
  return NULL;
}

static void a_product_is_asked_to_stop(void **state) {
  (void)state;
  bound b = make(&k_products[0], slowest(), text_of(&k_products[0]));
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, stop, b.program), 0);
  assert_int_equal(pto_program_run(b.ctx, b.program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(b.ctx, PTO_ERROR_PROGRAM, "stopped", "");
  assert_non_null(strstr(pto_context_error_message(b.ctx), "asked to stop"));
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_false(whole(&b));
  /* Used up: nothing stops the next run in this context. */
  pto_tile *tiles[3];
  for (int i = 0; i < 3; ++i) {
    tiles[i] = pto_tile_create(b.ctx, PTO_DTYPE_F32, 512, 512);
    assert_non_null(tiles[i]);
  }
  assert_int_equal(pto_tmatmul(b.ctx, tiles[0], tiles[1], tiles[2], PTO_MAD_NONE, 0), PTO_OK);
  for (int i = 0; i < 3; ++i) pto_tile_release(tiles[i]);
  drop(&b);
}

/* Block 1 multiplies for minutes, block 0 fails soon: the run ends with it, not past the timeout of this test. */
static void a_failing_block_ends_the_others(void **state) {
  (void)state;
  static const char text[] =
      "func.func @main() {\n %zero = arith.constant 0 : i64\n %one = arith.constant 1 : index\n"
      " %from = arith.constant 0 : index\n %to = arith.constant 3000000 : index\n"
      " %block = pto.get_block_idx\n %first = arith.cmpi eq, %block, %zero : i64\n scf.if %first {\n"
      "  scf.for %i = %from to %to step %one {\n  }\n  %bad = arith.divsi %zero, %zero : i64\n } else {\n"
      "  %a = pto.alloc_tile : !pto.tile_buf<vec, 8192x8192xf32>\n"
      "  %b = pto.alloc_tile : !pto.tile_buf<vec, 8192x8192xf32>\n"
      "  %c = pto.alloc_tile : !pto.tile_buf<vec, 8192x8192xf32>\n"
      "  pto.tmatmul ins(%a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%c : !pto.tile_buf<...>)\n }\n"
      " return\n}\n";
  pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, slowest());
  assert_non_null(ctx);
  pto_program *program = pto_program_parse(ctx, text, (int64_t)sizeof text - 1, NULL);
  if (program == NULL) fail_msg("%s", pto_context_error_message(ctx));
  assert_int_equal(pto_program_set_blocks(ctx, program, 2), PTO_OK);
  assert_int_equal(pto_program_set_threads(ctx, program, 2), PTO_OK);
  assert_int_equal(pto_program_run(ctx, program, NULL), PTO_ERROR_PROGRAM);
  assert_rule(ctx, PTO_ERROR_PROGRAM, "division-by-zero", "");
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(time_ends_a_product),
      cmocka_unit_test(a_product_is_asked_to_stop),
      cmocka_unit_test(a_failing_block_ends_the_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
