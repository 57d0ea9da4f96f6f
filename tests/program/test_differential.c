/* Random straight-line programs, run as text by the machine and call by call
 * through the C API: every tile holds the same bytes at the end. */
#include <stdio.h>

#include "../tensor/tensor_help.h"

enum { kTiles = 6, kStatements = 40, kPrograms = 200 };

static uint32_t next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void one_program(uint32_t seed) {
  static const struct {
    pto_dtype dtype;
    const char *name;
  } elems[] = {{PTO_DTYPE_F32, "f32"}, {PTO_DTYPE_F16, "f16"}, {PTO_DTYPE_BF16, "bf16"},
               {PTO_DTYPE_I32, "i32"}, {PTO_DTYPE_I16, "i16"}, {PTO_DTYPE_U8, "ui8"}};
  static const char *const binary[] = {"tpow", "tprelu", "tpartadd", "tcolexpandmul", "tcolexpanddiv"};
  uint32_t random = seed * 7919u + 1;
  const size_t elem = next(&random) % 6;
  const int32_t rows = (int32_t)(1 + next(&random) % 9);
  const int32_t cols = (int32_t)(1 + next(&random) % 40);
  const int64_t bytes = (int64_t)rows * cols * pto_dtype_bytes(elems[elem].dtype);
  pto_context *ctx = context(PTO_PROFILE_CPU);
  char types[kTiles][96];
  pto_tile *tiles[kTiles];
  char text[16384];
  size_t at = 0;
#define SAY(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
  SAY("func.func @main(");
  for (int t = 0; t < kTiles; ++t) {
    pto_tile_desc desc = tile_desc(elems[elem].dtype, rows, cols);
    const int col_major = next(&random) % 4 == 0;
    desc.blayout = col_major ? PTO_BLAYOUT_COL_MAJOR : PTO_BLAYOUT_ROW_MAJOR;
    snprintf(types[t], sizeof types[t], "!pto.tile_buf<vec, %dx%dx%s%s>", rows, cols, elems[elem].name,
             col_major ? ", blayout=col_major" : "");
    tiles[t] = make_tile(ctx, &desc);
    uint8_t *data = malloc((size_t)bytes);
    fill(data, (size_t)bytes, seed * 16 + (uint32_t)t);
    assert_ok(ctx, pto_tile_write(ctx, tiles[t], data, bytes));
    free(data);
    SAY("%s%%t%d: %s", t == 0 ? "" : ", ", t, types[t]);
  }
  SAY(") {\n");
  pto_tile *bound[kTiles];
  for (int t = 0; t < kTiles; ++t) {
    pto_tile_desc desc = tile_desc(elems[elem].dtype, rows, cols);
    desc.blayout = pto_tile_blayout(tiles[t]);
    bound[t] = make_tile(ctx, &desc);
    memcpy(pto_tile_data(bound[t]), pto_tile_data(tiles[t]), (size_t)pto_tile_bytes(tiles[t]));
  }
  for (int s = 0; s < kStatements; ++s) {
    const int d = (int)(next(&random) % kTiles);
    const int a = (int)(next(&random) % kTiles);
    const int b = (int)(next(&random) % kTiles);
    const uint32_t which = next(&random) % 7;
    if (which == 5 || (which == 6 && elem >= 3)) {
      assert_ok(ctx, pto_tmov(ctx, tiles[d], tiles[a], 0));
      SAY(" pto.tmov ins(%%t%d : %s) outs(%%t%d : %s)\n", a, types[a], d, types[d]);
    } else if (which == 6) {
      assert_ok(ctx, pto_trsqrt(ctx, tiles[d], tiles[a], NULL, 0));
      SAY(" pto.trsqrt ins(%%t%d : %s) outs(%%t%d : %s)\n", a, types[a], d, types[d]);
    } else {
      pto_status status = PTO_OK;
      const int precise = which == 0 && elem < 3 && next(&random) % 2 == 0;
      switch (which) {
        case 0:
          status = pto_tpow(ctx, tiles[d], tiles[a], tiles[b], NULL, precise ? PTO_HIGH_PRECISION : 0);
          break;
        case 1:
          status = pto_tprelu(ctx, tiles[d], tiles[a], tiles[b], NULL, 0);
          break;
        case 2:
          status = pto_tpartadd(ctx, tiles[d], tiles[a], tiles[b], 0);
          break;
        case 3:
          status = pto_tcolexpandmul(ctx, tiles[d], tiles[a], tiles[b], 0);
          break;
        default:
          status = pto_tcolexpanddiv(ctx, tiles[d], tiles[a], tiles[b], 0);
      }
      assert_ok(ctx, status);
      SAY(" pto.%s ins(%%t%d, %%t%d : %s, %s) outs(%%t%d : %s)%s\n", binary[which], a, b, types[a], types[b], d,
          types[d], precise ? " {precision_mode = #pto<precision_mode HIGH_PRECISION>}" : "");
    }
  }
  SAY(" return\n}\n");
  assert_true(at < sizeof text);
  pto_program *program = pto_program_parse(ctx, text, (int64_t)at, "random.pto");
  assert_non_null(program);
  for (int t = 0; t < kTiles; ++t) {
    char name[16];
    snprintf(name, sizeof name, "t%d", t);
    assert_ok(ctx, pto_program_bind_tile(ctx, program, name, bound[t]));
  }
  if (pto_program_run(ctx, program, NULL) != PTO_OK) fail_msg("%s\n%s", pto_context_error_message(ctx), text);
  assert_int_equal(pto_program_steps(program), kStatements + 1);
  for (int t = 0; t < kTiles; ++t) {
    if (memcmp(pto_tile_data(bound[t]), pto_tile_data(tiles[t]), (size_t)pto_tile_bytes(tiles[t])) != 0) {
      fail_msg("seed %u: %%t%d differs\n%s", seed, t, text);
    }
    pto_tile_release(bound[t]);
    pto_tile_release(tiles[t]);
  }
  pto_program_release(program);
  pto_context_release(ctx);
}

static void random_programs_give_the_bytes_of_direct_calls(void **state) {
  (void)state;
  const int64_t before = pto_live_handles();
  for (uint32_t seed = 0; seed < kPrograms; ++seed) one_program(seed);
  assert_int_equal(pto_live_handles(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs_give_the_bytes_of_direct_calls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
