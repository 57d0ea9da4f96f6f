/* Cores of a block: what pipes and flags carry between them, in whatever order they take turns, and by which rules a
 * run ends. Each element that arrives is compared with what was sent. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../common/profiles.h"
#include "program_help.h"

enum { ROUNDS = 11, MOST = 16 * 16 };

#define CONSTANTS                                                                                                     \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %z = arith.constant 0 : i32\n"                  \
  " %rows = arith.constant ROWS : index\n %cols = arith.constant COLS : index\n %hr = arith.constant HROWS : index\n" \
  " %hc = arith.constant HCOLS : index\n %all = arith.constant ALL : index\n %rs = arith.constant RSTEP : index\n "   \
  "%cs = arith.constant CSTEP : index\n %n = arith.constant 11 : index\n"                                             \
  " %block64 = pto.get_block_idx\n %block = arith.index_cast %block64 : i64 to index\n"                               \
  " %per = arith.muli %n, %all : index\n %first = arith.muli %block, %per : index\n"                                  \
  " %a = pto.addptr %src, %first : !pto.ptr<f32> -> !pto.ptr<f32>\n"                                                  \
  " %b = pto.addptr %dst, %first : !pto.ptr<f32> -> !pto.ptr<f32>\n"
#define VIEW(name, ptr)                                                                 \
  " %" name "o = arith.muli %i, %all : index\n %" name "p = pto.addptr " ptr ", %" name \
  "o : !pto.ptr<f32> -> !pto.ptr<f32>\n %" name "v = pto.make_tensor_view %" name       \
  "p, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<ROWSxCOLSxf32>\n"
/* The half of this vector core: its first row and column. */
#define LANE                                                                   \
  " %l64 = pto.get_subblock_idx\n %l = arith.index_cast %l64 : i64 to index\n" \
  " %r = arith.muli %l, %rs : index\n %c = arith.muli %l, %cs : index\n"       \
  " %lane0 = arith.cmpi eq, %l, %c0 : index\n"
/* Replaces the words of a template. */
typedef struct {
  const char *word;
  char text[64];
} word;

static char *fill_in(const char *template, const word *words, size_t count) {
  static char text[16384];
  size_t at = 0;
  while (*template != 0) {
    const word *found = NULL;
    for (size_t i = 0; i < count; ++i) {
      if (strncmp(template, words[i].word, strlen(words[i].word)) == 0) found = &words[i];
    }
    if (found == NULL) {
      text[at++] = *template ++;
    } else {
      at += (size_t)sprintf(text + at, "%s", found->text);
      template += strlen(found->word);
    }
    assert_true(at < sizeof text - 100);
  }
  text[at] = 0;
  return text;
}

static void run_blocks(const char *text, pto_profile profile, int blocks, int threads, float *src, float *dst) {
  pto_context *ctx = context(profile);
  pto_program *program = parse(ctx, text);
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, blocks * ROUNDS * MOST);
  const int64_t bytes = (int64_t)blocks * ROUNDS * MOST * 4;
  pto_tensor *a = pto_tensor_wrap(ctx, &desc, src, bytes);
  pto_tensor *b = pto_tensor_wrap(ctx, &desc, dst, bytes);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "src", a));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "dst", b));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, blocks));
  assert_ok(ctx, pto_program_set_threads(ctx, program, threads));
  if (pto_program_run(ctx, program, NULL) != PTO_OK) explain(ctx, program, text);
  assert_int_equal(pto_program_diagnostic_count(program), 0);
  pto_tensor_release(a);
  pto_tensor_release(b);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* The vector cores store what the cube core sends, each its half where it belongs; and the reverse. */
static const char k_to_vector[] =
    "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {\n" CONSTANTS
    " pto.section.cube {\n  MAKEC\n"
    "  %t = pto.alloc_tile : !pto.tile_buf<acc, ROWSxCOLSxf32>\n  scf.for %i = %c0 to %n step %c1 {\n" VIEW("x", "%a")
    "   pto.tload ins(%xv : !pto.tensor_view<ROWSxCOLSxf32>) outs(%t : !pto.tile_buf<acc, ROWSxCOLSxf32>)\n"
    "   PUSHC\n  }\n }\n"
    " pto.section.vector {\n  MAKEV\n" LANE
    "  scf.for %i = %c0 to %n step %c1 {\n" VIEW("y", "%b")
    "   %h = pto.partition_view %yv, offsets = [%r, %c], sizes = [%hr, %hc] : !pto.tensor_view<ROWSxCOLSxf32> -> "
    "!pto.partition_tensor_view<HROWSxHCOLSxf32>\n"
    "   POPV\n   STOREV\n   FREEV\n  }\n }\n return\n}\n";
static const char k_to_cube[] =
    "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {\n" CONSTANTS
    " pto.section.vector {\n  MAKEV\n" LANE
    "  %t = pto.alloc_tile : !pto.tile_buf<vec, HROWSxHCOLSxf32>\n  scf.for %i = %c0 to %n step %c1 {\n" VIEW("x", "%a")
    "   %h = pto.partition_view %xv, offsets = [%r, %c], sizes = [%hr, %hc] : !pto.tensor_view<ROWSxCOLSxf32> -> "
    "!pto.partition_tensor_view<HROWSxHCOLSxf32>\n"
    "   pto.tload ins(%h : !pto.partition_tensor_view<HROWSxHCOLSxf32>) outs(%t : !pto.tile_buf<vec, HROWSxHCOLSxf32>)\n"
    "   PUSHV\n  }\n }\n"
    " pto.section.cube {\n  MAKEC\n  scf.for %i = %c0 to %n step %c1 {\n" VIEW("y", "%b")
    "   POPC\n"
    "   pto.tstore ins(%u : !pto.tile_buf<mat, ROWSxCOLSxf32>) outs(%yv : !pto.tensor_view<ROWSxCOLSxf32>)\n"
    "   FREEC\n  }\n }\n return\n}\n";

/* How a pipe is made and used: by statements that name none, and by handles. */
typedef struct {
  bool handle;
  int slots;
  bool both; /* both directions */
} way;

static void set(word *w, const char *name, const char *format, ...) {
  va_list args;
  va_start(args, format);
  w->word = name;
  vsnprintf(w->text, sizeof w->text, format, args);
  va_end(args);
}

static const char *transfer(bool to_cube, int rows, int cols, int split, const way *how) {
  static char lines[8][400];
  const bool by_rows = split == 1 || split == 3;
  const int hrows = by_rows ? (rows + 1) / 2 : rows;
  const int hcols = split == 2 || split == 4 ? (cols + 1) / 2 : cols;
  const int mask = how->both ? 3 : to_cube ? 2 : 1;
  const char *const tile = to_cube ? "!pto.tile_buf<vec, HROWSxHCOLSxf32>" : "!pto.tile_buf<acc, ROWSxCOLSxf32>";
  const char *const whole = "!pto.tile_buf<mat, ROWSxCOLSxf32>";
  const char *const half = "!pto.tile_buf<vec, HROWSxHCOLSxf32>";
  if (how->handle) {
    for (int i = 0; i < 2; ++i)
      sprintf(lines[i],
              "%%p = pto.initialize_l2l_pipe {dir_mask = %d, slot_size = 1024, slot_num = %d} (%%z : i32) -> !pto.pipe",
              mask, how->slots);
    sprintf(lines[2], "pto.tpush(%%t, %%p : %s, !pto.pipe) {split = %d}", tile, split);
    if (to_cube) {
      sprintf(lines[3], "%%u = pto.declare_tile -> %s\n pto.tpop(%%u, %%p : %s, !pto.pipe) {split = %d}", whole, whole,
              split);
    } else {
      sprintf(lines[3], "%%u = pto.alloc_tile : %s\n pto.tpop(%%u, %%p : %s, !pto.pipe) {split = %d}", half, half,
              split);
    }
    sprintf(lines[4], "pto.tfree(%%p : !pto.pipe) {split = %d}", split);
  } else {
    for (int i = 0; i < 2; ++i)
      sprintf(lines[i],
              "pto.%s_initialize_pipe {dir_mask = %d, slot_size = 1024} (c2v_consumer_buf = %%z : i32, "
              "v2c_consumer_buf = %%z : i32)",
              i == 0 ? "aic" : "aiv", mask);
    sprintf(lines[2], "pto.tpush_to_%s(%%t : %s) {split = %d}", to_cube ? "aic" : "aiv", tile, split);
    sprintf(lines[3], "%%u = pto.tpop_from_%s {split = %d} -> %s", to_cube ? "aiv" : "aic", split,
            to_cube ? whole : half);
    sprintf(lines[4], "pto.tfree_from_%s {split = %d}", to_cube ? "aiv" : "aic", split);
  }
  sprintf(lines[5], "pto.tstore ins(%%u : %s) outs(%%h : !pto.partition_tensor_view<HROWSxHCOLSxf32>)", half);
  static char text[16384];
  strcpy(text, to_cube ? k_to_cube : k_to_vector);
  const struct {
    const char *name;
    const char *line;
  } places[] = {{"MAKEC", lines[0]}, {"MAKEV", lines[1]}, {"PUSHC", lines[2]}, {"PUSHV", lines[2]}, {"POPC", lines[3]},
                {"POPV", lines[3]},  {"FREEC", lines[4]}, {"FREEV", lines[4]}, {"STOREV", lines[5]}};
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    char *at = strstr(text, places[i].name);
    if (at == NULL) continue;
    static char rest[16384];
    strcpy(rest, at + strlen(places[i].name));
    strcpy(at, places[i].line);
    strcat(text, rest);
  }
  word words[7];
  set(&words[0], "HROWS", "%d", hrows);
  set(&words[1], "HCOLS", "%d", hcols);
  set(&words[2], "ROWS", "%d", rows);
  set(&words[3], "COLS", "%d", cols);
  set(&words[4], "ALL", "%d", rows * cols);
  set(&words[5], "RSTEP", "%d", by_rows ? hrows : 0);
  set(&words[6], "CSTEP", "%d", split == 2 || split == 4 ? hcols : 0);
  return fill_in(text, words, 7);
}

static void order(unsigned seed) {
  char text[16];
  snprintf(text, sizeof text, "%u", seed);
  if (seed == 0) {
    unsetenv("PTO_CORE_ORDER");
  } else {
    setenv("PTO_CORE_ORDER", text, 1);
  }
}

static void what_is_pushed_arrives(void **state) {
  (void)state;
  enum { BLOCKS = 3 };
  static float src[BLOCKS * ROUNDS * MOST], dst[BLOCKS * ROUNDS * MOST];
  for (int i = 0; i < BLOCKS * ROUNDS * MOST; ++i) src[i] = (float)(i + 1);
  static const way k_ways[] = {{false, 0, false}, {false, 0, true}, {true, 8, false},
                               {true, 1, false},  {true, 2, true},  {true, 3, false}};
  static const int k_sizes[][2] = {{16, 16}, {2, 2}, {6, 8}, {8, 12}};
  for (unsigned seed = 0; seed < 8; ++seed) {
    order(seed);
    for (size_t w = 0; w < sizeof k_ways / sizeof *k_ways; ++w) {
      for (int split = 0; split < 5; ++split) {
        const int *size = k_sizes[(w + seed + (unsigned)split) % 4];
        for (int to_cube = 0; to_cube < 2; ++to_cube) {
          memset(dst, 0, sizeof dst);
          run_blocks(transfer(to_cube, size[0], size[1], split, &k_ways[w]), PTO_PROFILE_CPU, BLOCKS, 1 + (int)seed % 3,
                     src, dst);
          const int sent = BLOCKS * ROUNDS * size[0] * size[1];
          for (int i = 0; i < BLOCKS * ROUNDS * MOST; ++i) {
            if (dst[i] != (i < sent ? src[i] : 0)) fail_msg("way %zu split %d to cube %d: %d", w, split, to_cube, i);
          }
        }
      }
    }
  }
  order(0);
}

/* 5 rows: 3 for one vector core and 2 for the other; of 4 that are valid one for the second. */
static void odd_halves(void **state) {
  (void)state;
  static const char k_text[] =
      "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {\n %c0 = arith.constant 0 : index\n"
      " %c1 = arith.constant 1 : index\n %c2 = arith.constant 2 : index\n %c3 = arith.constant 3 : index\n"
      " %c4 = arith.constant 4 : index\n %c8 = arith.constant 8 : index\n %z = arith.constant 0 : i32\n"
      " pto.section.cube {\n  pto.aic_initialize_pipe {dir_mask = 1, slot_size = 160} (c2v_consumer_buf = %z : i32)\n"
      "  %t = pto.alloc_tile : !pto.tile_buf<acc, 5x8xf32, valid=4x8>\n"
      "  %v = pto.make_tensor_view %src, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<4x8xf32>\n"
      "  pto.tload ins(%v : !pto.tensor_view<4x8xf32>) outs(%t : !pto.tile_buf<acc, 5x8xf32, valid=4x8>)\n"
      "  pto.tpush_to_aiv(%t : !pto.tile_buf<acc, 5x8xf32, valid=4x8>) {split = 3}\n }\n"
      " pto.section.vector {\n  pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 160} (c2v_consumer_buf = %z : i32)\n"
      "  %l64 = pto.get_subblock_idx\n  %l = arith.index_cast %l64 : i64 to index\n"
      "  %less = arith.muli %l, %c2 : index\n  %mine = arith.subi %c3, %less : index\n"
      "  %r = arith.muli %l, %c3 : index\n"
      "  %t = pto.tpop_from_aic(%mine, %c8) {split = 3} -> !pto.tile_buf<vec, 3x8xf32, valid=?x?>\n"
      "  %v = pto.make_tensor_view %dst, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<4x8xf32>\n"
      "  %h = pto.partition_view %v, offsets = [%r, %c0], sizes = [%mine, %c8] : !pto.tensor_view<4x8xf32> -> "
      "!pto.partition_tensor_view<?x8xf32>\n"
      "  pto.tstore ins(%t : !pto.tile_buf<vec, 3x8xf32, valid=?x?>) outs(%h : !pto.partition_tensor_view<?x8xf32>)\n"
      "  pto.tfree_from_aic {split = 3}\n }\n return\n}\n";
  static float src[ROUNDS * MOST], dst[ROUNDS * MOST];
  for (int i = 0; i < 40; ++i) src[i] = (float)(i + 1);
  run_blocks(k_text, PTO_PROFILE_CPU, 1, 1, src, dst);
  for (int i = 0; i < 40; ++i) assert_float_equal(dst[i], i < 32 ? src[i] : 0, 0);
}

/* The producer writes into slots of global memory, and the consumer reads there. */
static void slots_in_global_memory(void **state) {
  (void)state;
  enum { ROWS = 8, COLS = 16, SLOTS = 4 };
  for (int split = 0; split < 5; ++split) {
    const bool by_rows = split == 1 || split == 3, by_cols = split == 2 || split == 4;
    const int hrows = by_rows ? ROWS / 2 : ROWS, hcols = by_cols ? COLS / 2 : COLS;
    char text[8192];
    snprintf(
        text, sizeof text,
        "func.func @k(%%src: !pto.ptr<f32>, %%dst: !pto.ptr<f32>) {\n %%c0 = arith.constant 0 : index\n"
        " %%c1 = arith.constant 1 : index\n %%n = arith.constant 10 : index\n %%z = arith.constant 0 : i32\n"
        " %%rows = arith.constant 8 : index\n %%cols = arith.constant 16 : index\n %%all = arith.constant 128 : index\n"
        " %%hr = arith.constant %d : index\n %%hc = arith.constant %d : index\n %%far = arith.constant 1280 : index\n"
        " %%gm = pto.addptr %%dst, %%far : !pto.ptr<f32> -> !pto.ptr<f32>\n"
        " %%p = pto.initialize_l2g2l_pipe {dir_mask = 3, slot_size = 512, slot_num = 4} (%%gm, %%z : !pto.ptr<f32>, "
        "i32) -> "
        "!pto.pipe\n"
        " pto.section.cube {\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, 8x16xf32>\n"
        "  scf.for %%i = %%c0 to %%n step %%c1 {\n"
        "   %%o = arith.muli %%i, %%all : index\n   %%a = pto.addptr %%src, %%o : !pto.ptr<f32> -> !pto.ptr<f32>\n"
        "   %%v = pto.make_tensor_view %%a, shape = [%%rows, %%cols], strides = [%%cols, %%c1] : "
        "!pto.tensor_view<8x16xf32>\n"
        "   pto.tload ins(%%v : !pto.tensor_view<8x16xf32>) outs(%%t : !pto.tile_buf<acc, 8x16xf32>)\n"
        "   %%s = pto.talloc(%%p : !pto.pipe) {split = %d} -> !pto.tensor_view<8x16xf32>\n"
        "   pto.tstore ins(%%t : !pto.tile_buf<acc, 8x16xf32>) outs(%%s : !pto.tensor_view<8x16xf32>)\n"
        "   pto.tpush(%%s, %%p : !pto.tensor_view<8x16xf32>, !pto.pipe) {split = %d}\n  }\n }\n"
        " pto.section.vector {\n  %%l64 = pto.get_subblock_idx\n  %%l = arith.index_cast %%l64 : i64 to index\n"
        "  %%r0 = arith.muli %%l, %%hr : index\n  %%q0 = arith.muli %%l, %%hc : index\n"
        "  %%t = pto.alloc_tile : !pto.tile_buf<vec, %dx%dxf32>\n  scf.for %%i = %%c0 to %%n step %%c1 {\n"
        "   %%o = arith.muli %%i, %%all : index\n   %%a = pto.addptr %%dst, %%o : !pto.ptr<f32> -> !pto.ptr<f32>\n"
        "   %%v = pto.make_tensor_view %%a, shape = [%%rows, %%cols], strides = [%%cols, %%c1] : "
        "!pto.tensor_view<8x16xf32>\n"
        "   %%h = pto.partition_view %%v, offsets = [%s, %s], sizes = [%%hr, %%hc] : !pto.tensor_view<8x16xf32> -> "
        "!pto.partition_tensor_view<%dx%dxf32>\n"
        "   %%s = pto.tpop(%%p : !pto.pipe) {split = %d} -> !pto.tensor_view<%dx%dxf32>\n"
        "   pto.tload ins(%%s : !pto.tensor_view<%dx%dxf32>) outs(%%t : !pto.tile_buf<vec, %dx%dxf32>)\n"
        "   pto.tfree(%%s, %%p : !pto.tensor_view<%dx%dxf32>, !pto.pipe) {split = %d}\n"
        "   pto.tstore ins(%%t : !pto.tile_buf<vec, %dx%dxf32>) outs(%%h : !pto.partition_tensor_view<%dx%dxf32>)\n"
        "  }\n }\n return\n}\n",
        hrows, hcols, split, split, hrows, hcols, by_rows ? "%r0" : "%c0", by_cols ? "%q0" : "%c0", hrows, hcols, split,
        hrows, hcols, hrows, hcols, hrows, hcols, hrows, hcols, split, hrows, hcols, hrows, hcols);
    for (unsigned seed = 0; seed < 6; ++seed) {
      static float src[ROUNDS * MOST], dst[ROUNDS * MOST];
      memset(dst, 0, sizeof dst);
      for (int i = 0; i < ROUNDS * MOST; ++i) src[i] = (float)(i + 1);
      order(seed);
      run_blocks(text, PTO_PROFILE_CPU, 1, 1, src, dst);
      for (int i = 0; i < 1280; ++i) {
        if (dst[i] != src[i]) fail_msg("split %d seed %u: %d is %g", split, seed, i, (double)dst[i]);
      }
      /* The slots hold what was pushed last: round r in slot r %% 4; nothing follows them. */
      for (int i = 0; i < SLOTS * 128; ++i) {
        const int slot = i / 128, round = slot < 2 ? slot + 8 : slot + 4;
        assert_float_equal(dst[1280 + i], src[round * 128 + i % 128], 0);
      }
      assert_float_equal(dst[1280 + SLOTS * 128], 0, 0);
    }
  }
  order(0);
}

#define SECTIONS(cube, vector)                                                                                  \
  "func.func @k(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.subblock_num = 2} {\n"                \
  " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %z = arith.constant 0 : i32\n"            \
  " %five = arith.constant 5 : index\n %id = pto.get_subblock_idx\n %l = arith.index_cast %id : i64 to index\n" \
  " pto.section.cube {\n" cube " }\n pto.section.vector {\n" vector " }\n return\n}\n"

/* The cube core writes, both vector cores read that and write, and it reads what they wrote: five times. */
static void flags_order_cores(void **state) {
  (void)state;
  static const char k_cpu[] = SECTIONS(
      "  scf.for %i = %c0 to %five step %c1 {\n   %x = pto.load_scalar %src[%i] : !pto.ptr<f32> -> f32\n"
      "   pto.store_scalar %x, %dst[%c0] : f32, !pto.ptr<f32>\n   pto.sync.set <PIPE_FIX>, 3 {ffts_mode = 2 : i32}\n"
      "   pto.sync.wait <PIPE_FIX>, 4\n   %y = pto.load_scalar %dst[%c1] : !pto.ptr<f32> -> f32\n"
      "   %c2 = arith.constant 2 : index\n   %w = pto.load_scalar %dst[%c2] : !pto.ptr<f32> -> f32\n"
      "   %s = arith.addf %y, %w : f32\n   %c3 = arith.constant 3 : index\n   %at = arith.addi %i, %c3 : index\n"
      "   pto.store_scalar %s, %dst[%at] : f32, !pto.ptr<f32>\n  }\n",
      "  scf.for %i = %c0 to %five step %c1 {\n   pto.sync.wait <PIPE_V>, 3\n"
      "   %x = pto.load_scalar %dst[%c0] : !pto.ptr<f32> -> f32\n   %lf = arith.sitofp %id : i64 to f32\n"
      "   %y = arith.addf %x, %lf : f32\n   %at = arith.addi %l, %c1 : index\n"
      "   pto.store_scalar %y, %dst[%at] : f32, !pto.ptr<f32>\n   pto.sync.set <PIPE_V>, 4\n  }\n");
  /* On A5 the second vector core has flags of its own on the cube core: 16 more. */
  static char a5[8192];
  strcpy(a5, k_cpu);
  char *at = strstr(a5, "   pto.sync.wait <PIPE_FIX>, 4\n");
  static char rest[8192];
  strcpy(rest, at);
  strcpy(at, "   pto.sync.set <PIPE_FIX>, 19\n   pto.sync.wait <PIPE_FIX>, 20\n");
  strcat(a5, rest);
  for (int profile = 0; profile < k_profiles; ++profile) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      static float src[ROUNDS * MOST] = {3, 5, 8, 13, 21}, dst[ROUNDS * MOST];
      order(seed);
      run_blocks(profile == PTO_PROFILE_A5 ? a5 : k_cpu, (pto_profile)profile, 1, 1, src, dst);
      for (int i = 0; i < 5; ++i) assert_float_equal(dst[3 + i], 2 * src[i] + 1, 0);
    }
  }
  order(0);
}

/* A kernel for each core: called by one entry, or each other's peer. */
#define CUBE                                                                                                       \
  "func.func @cube(%src: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {\n"                 \
  " %c0 = arith.constant 0 : index\n %b = pto.import_reserved_buffer {name = \"f\", peer_func = @vector} -> i32\n" \
  " pto.aic_initialize_pipe {dir_mask = 1, slot_size = 64} (c2v_consumer_buf = %b : i32)\n"                        \
  " pto.print ins(\"b %d\", %b : i32)\n %x = pto.load_scalar %src[%c0] : !pto.ptr<f32> -> f32\n"                   \
  " %t = pto.alloc_tile : !pto.tile_buf<acc, 1x16xf32>\n"                                                          \
  " pto.tsetval ins(%c0, %x : index, f32) outs(%t : !pto.tile_buf<acc, 1x16xf32>)\n"                               \
  " pto.tpush_to_aiv(%t : !pto.tile_buf<acc, 1x16xf32>) {split = 0}\n return\n}\n"
#define VECTOR                                                                                                    \
  "func.func @vector(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.kernel_kind = "                    \
  "#pto.kernel_kind<vector>} {\n %c0 = arith.constant 0 : index\n"                                                \
  " %a = pto.reserve_buffer {name = \"e\", size = 100, location = #pto.address_space<vec>, auto = true} -> i32\n" \
  " %m = pto.reserve_buffer {name = \"m\", size = 64, location = #pto.address_space<mat>, auto = true} -> i32\n"  \
  " %b = pto.reserve_buffer {name = \"f\", size = 512, location = #pto.address_space<vec>, auto = true} -> i32\n" \
  " pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 64} (c2v_consumer_buf = %b : i32)\n"                       \
  " %t = pto.tpop_from_aic {split = 0} -> !pto.tile_buf<vec, 1x16xf32>\n"                                         \
  " %x = pto.tgetval ins(%t, %c0 : !pto.tile_buf<vec, 1x16xf32>, index) outs : f32\n"                             \
  " pto.store_scalar %x, %dst[%c0] : f32, !pto.ptr<f32>\n pto.tfree_from_aic {split = 0}\n return\n}\n"

static void kernels_of_one_kind(void **state) {
  (void)state;
  static const char *const k_texts[] = {
      CUBE VECTOR, CUBE VECTOR
      "func.func @both(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.entry} {\n"
      " func.call @cube(%src) : (!pto.ptr<f32>) -> ()\n"
      " func.call @vector(%src, %dst) : (!pto.ptr<f32>, !pto.ptr<f32>) -> ()\n return\n}\n"};
  for (int i = 0; i < 2; ++i) {
    pto_context *ctx = context(PTO_PROFILE_CPU);
    pto_program *program = parse(ctx, k_texts[i]);
    float src[16] = {42}, dst[16] = {0};
    pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, 16);
    pto_tensor *a = pto_tensor_wrap(ctx, &desc, src, sizeof src);
    pto_tensor *b = pto_tensor_wrap(ctx, &desc, dst, sizeof dst);
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "src", a));
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "dst", b));
    /* One of two peer kernels is run; its arguments are the other's, too. */
    const pto_status status = pto_program_run(ctx, program, i == 0 ? "vector" : NULL);
    if (status != PTO_OK) explain(ctx, program, k_texts[i]);
    assert_float_equal(dst[0], 42, 0);
    assert_string_equal(pto_program_output(program), "b 128\n");
    pto_tensor_release(a);
    pto_tensor_release(b);
    pto_program_release(program);
    pto_context_release(ctx);
  }
}

/* ---- rules ---- */

#define TILE(kind, shape) "!pto.tile_buf<" kind ", " shape ">"
#define ENDS_CORES(cube, vector)                                                       \
  "func.func @k() attributes {pto.subblock_num = 1} {\n %z = arith.constant 0 : i32\n" \
  " pto.section.cube {\n" cube " }\n pto.section.vector {\n" vector " }\n return\n}\n"
#define MAKE_C(dict) "  pto.aic_initialize_pipe {" dict "} (c2v_consumer_buf = %z : i32)\n"
#define MAKE_V(dict) "  pto.aiv_initialize_pipe {" dict "} (c2v_consumer_buf = %z : i32)\n"
#define FOUR "dir_mask = 1, slot_size = 64, slot_num = 4"
#define AGAIN "  pto.tpush_to_aiv(%t : " TILE("acc", "1x16xf32") ") {split = 0}\n"
#define ONE_WAY "dir_mask = 1, slot_size = 1024"
#define PUSH(shape, split)                                                                                          \
  "  %t = pto.alloc_tile : " TILE("acc", shape) "\n  pto.tpush_to_aiv(%t : " TILE("acc", shape) ") {split = " split \
                                                                                                "}\n"
#define POP(name, shape, split) "  %" name " = pto.tpop_from_aic {split = " split "} -> " TILE("vec", shape) "\n"
#define FREE "  pto.tfree_from_aic {split = 0}\n"
/* A pipe with slots in global memory. */
#define SLOT "!pto.tensor_view<1x16xf32>"
#define ALLOC "  %a = pto.talloc(%p : !pto.pipe) {split = 0} -> " SLOT "\n"
#define PUSH_TILE \
  "  %t = pto.alloc_tile : " TILE("acc", "1x16xf32") "\n"     \
  "  pto.tpush(%t, %p : " TILE("acc", "1x16xf32") ", !pto.pipe) {split = 0}\n"
#define SLOT_CORES(cube, vector)                                                                                      \
  "func.func @k(%src: !pto.ptr<f32>) {\n %z = arith.constant 0 : i32\n %c1 = arith.constant 1 : index\n"              \
  " %c4 = arith.constant 4 : index\n %c16 = arith.constant 16 : index\n"                                              \
  " %p = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 64, slot_num = 4} (%src : !pto.ptr<f32>, %z : i32) -> " \
  "!pto.pipe\n\n pto.section.cube {\n"                                                                                \
  "  %s = pto.make_tensor_view %src, shape = [%c1, %c16], strides = [%c16, %c1] : " SLOT "\n" cube                    \
  " }\n pto.section.vector {\n" vector " }\n return\n}\n"

static void rules(void **state) {
  (void)state;
  static const struct {
    const char *rule;
    int line;
    const char *text;
  } k_cases[] = {
      {"deadlock", 8, ENDS_CORES(MAKE_C(ONE_WAY), MAKE_V(ONE_WAY) POP("u", "16x16xf32", "0"))},
      {"deadlock", 5,
       ENDS_CORES("  pto.sync.set <PIPE_M>, 1\n  pto.sync.wait <PIPE_M>, 1\n", "  pto.print ins(\"%d\", %z : i32)\n")},
      {"deadlock", 11,
       ENDS_CORES("  pto.sync.wait <PIPE_M>, 1\n" MAKE_C(ONE_WAY) PUSH("16x16xf32", "0"),
                  MAKE_V(ONE_WAY) POP("u", "16x16xf32", "0") "  pto.sync.set <PIPE_V>, 1\n")},
      {"deadlock", 2,
       "func.func @k() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n  pto.sync.wait <PIPE_V>, 1\n "
       "return\n}\n"},
      /* Of four slots one is free; the producer learns of it with the next one. */
      {"deadlock", 17,
       ENDS_CORES(MAKE_C(FOUR) "  %t = pto.alloc_tile : " TILE("acc", "1x16xf32") "\n" AGAIN AGAIN AGAIN AGAIN AGAIN
                                                                                  "  pto.sync.set <PIPE_M>, 1\n",
                  MAKE_V(FOUR) POP("u", "1x16xf32", "0") FREE "  pto.sync.wait <PIPE_V>, 1\n")},
      {"core-kind", 2, "func.func @k() {\n  pto.sync.set <PIPE_V>, 1\n return\n}\n"},
      {"core-kind", 2, "func.func @k() {\n pto.tfree_from_aiv {split = 0}\n return\n}\n"},
      {"core-kind", 2,
       "func.func private @f() {\n pto.tfree_from_aiv {split = 0}\n return\n}\nfunc.func @k() attributes {pto.entry} "
       "{\n"
       " pto.section.vector {\n  func.call @f() : () -> ()\n }\n return\n}\n"},
      {"pipe-sides", 7, ENDS_CORES(MAKE_C(ONE_WAY), MAKE_V("dir_mask = 1, slot_size = 512"))},
      {"pipe-sides", 7, ENDS_CORES(MAKE_C(ONE_WAY), MAKE_V("dir_mask = 3, slot_size = 1024"))},
      {"pipe-sides", 7, ENDS_CORES(MAKE_C(ONE_WAY), MAKE_V("dir_mask = 1, slot_size = 1024, slot_num = 4"))},
      {"pipe-sides", 6,
       ENDS_CORES(MAKE_C("dir_mask = 2, slot_size = 1024") PUSH("16x16xf32", "0"),
                  MAKE_V("dir_mask = 2, slot_size = 1024"))},
      {"pipe-sides", 7, ENDS_CORES(MAKE_C(ONE_WAY ", nosplit = true"), MAKE_V(ONE_WAY))},
      /* Of two pushes the text does not say which one is popped. */
      {"pipe-sides", 12,
       ENDS_CORES(MAKE_C(ONE_WAY)
                      PUSH("16x16xf32", "1") "  pto.tpush_to_aiv(%t : " TILE("acc", "16x16xf32") ") {split = 0}\n",
                  MAKE_V(ONE_WAY) "\n" POP("u", "8x16xf32", "0"))},
      {"pipe-slot", 6, ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x32xf32", "0"), MAKE_V(ONE_WAY))},
      {"pipe-slot", 6, ENDS_CORES(MAKE_C(ONE_WAY) PUSH("5x16xf32", "1"), MAKE_V(ONE_WAY))},
      {"pipe-slot", 6, ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x5xf32", "2"), MAKE_V(ONE_WAY))},
      {"pipe-tile", 10, ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x16xf32", "0"), MAKE_V(ONE_WAY) POP("u", "16x16xi32", "0"))},
      {"pipe-tile", 10, ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x16xf32", "0"), MAKE_V(ONE_WAY) POP("u", "17x16xf32", "0"))},
      {"pipe-tile", 10, ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x16xf32", "0"), MAKE_V(ONE_WAY) POP("u", "16x17xf32", "0"))},
      {"pipe-tile", 10, ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x16xf32", "1"), MAKE_V(ONE_WAY) POP("u", "16x16xf32", "1"))},
      {"pipe-order", 5, ENDS_CORES(PUSH("16x16xf32", "0"), "")},
      {"pipe-order", 8, ENDS_CORES(MAKE_C(ONE_WAY), MAKE_V(ONE_WAY) FREE)},
      {"pipe-order", 12,
       ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x16xf32", "0"), MAKE_V(ONE_WAY) POP("u", "16x16xf32", "0") FREE FREE)},
      {"core-flag", 4, ENDS_CORES("  pto.sync.set <PIPE_M>, 16\n", "")},
      {"core-flag", 4, ENDS_CORES("  pto.sync.wait <PIPE_M>, -1\n", "")},
      {"core-flag", 7,
       "func.func @k() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
       " %n = arith.constant 16 : index\n pto.section.cube {\n  scf.for %i = %c0 to %n step %c1 {\n"
       "   pto.sync.set <PIPE_M>, 2\n  }\n }\n return\n}\n"},
      {"step-limit", 0,
       ENDS_CORES("  %one = arith.constant 1 : i32\n  %n = arith.constant 2147483647 : i32\n"
                  "  scf.for %i = %z to %n step %one : i32 {\n  }\n",
                  "  %m = arith.constant 1 : i32\n  scf.for %i = %z to %m step %m : i32 {\n  }\n")},
      {"trap", 8, ENDS_CORES(MAKE_C(ONE_WAY), MAKE_V(ONE_WAY) "  pto.trap\n")},
  };
  for (unsigned seed = 0; seed < 3; ++seed) {
    order(seed);
    for (size_t i = 0; i < sizeof k_cases / sizeof *k_cases; ++i) {
      print_message("%zu %s\n", i, k_cases[i].rule);
      /* Where cores fail one by one another order may find the other one first. */
      const bool sides = strcmp(k_cases[i].rule, "pipe-sides") == 0;
      ends(k_cases[i].text, k_cases[i].rule, seed == 0 || !sides ? k_cases[i].line : 0);
    }
  }
  order(0);
}

/* Slots in global memory: one that no core took, one that was taken and then a tile, a slot for a tile and back. */
static void slot_rules(void **state) {
  (void)state;
  static const struct {
    const char *rule, *text;
    int line;
  } k_cases[] = {
      {"pipe-order", SLOT_CORES("  pto.tpush(%s, %p : " SLOT ", !pto.pipe) {split = 0}\n", ""), 10},
      {"pipe-order", SLOT_CORES(ALLOC PUSH_TILE, ""), 12},
      {"pipe-tile", SLOT_CORES(PUSH_TILE, "  %v = pto.tpop(%p : !pto.pipe) {split = 0} -> " SLOT "\n"), 14},
      {"pipe-tile",
       SLOT_CORES(ALLOC "  pto.tpush(%a, %p : " SLOT ", !pto.pipe) {split = 0}\n",
                  "  %v = pto.alloc_tile : " TILE("vec", "1x16xf32") "\n  pto.tpop(%v, %p : " TILE(
                      "vec", "1x16xf32") ", !pto.pipe) {split = 0}\n"),
       15},
      /* The second slot before the first. */
      {"pipe-order",
       SLOT_CORES(ALLOC "  %b = pto.talloc(%p : !pto.pipe) {split = 0} -> " SLOT "\n  pto.tpush(%b, %p : " SLOT
                        ", !pto.pipe) {split = 0}\n",
                  ""),
       12},
      /* The second vector core, which has no part of it. */
      {"core-kind",
       "func.func @k(%src: !pto.ptr<f32>) attributes {pto.subblock_num = 2} {\n %z = arith.constant 0 : i32\n"
       " %p = pto.initialize_l2g2l_pipe {dir_mask = 2, slot_size = 64, slot_num = 4} (%src : !pto.ptr<f32>, %z : i32) "
       "-> "
       "!pto.pipe\n pto.section.cube {\n }\n pto.section.vector {\n" ALLOC " }\n return\n}\n",
       7},
  };
  pto_context *ctx = context(PTO_PROFILE_CPU);
  float slots[64] = {0};
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 1, 64);
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, slots, sizeof slots);
  for (size_t i = 0; i < sizeof k_cases / sizeof *k_cases; ++i) {
    print_message("%zu %s\n", i, k_cases[i].rule);
    pto_program *program = parse(ctx, k_cases[i].text);
    assert_ok(ctx, pto_program_bind_tensor(ctx, program, "src", tensor));
    assert_int_not_equal(pto_program_run(ctx, program, NULL), PTO_OK);
    assert_string_equal(pto_context_error_rule(ctx), k_cases[i].rule);
    assert_int_equal(pto_program_diagnostic_line(program, 0), k_cases[i].line);
    pto_program_release(program);
  }
  pto_tensor_release(tensor);
  pto_context_release(ctx);
}

static pto_program *ran(pto_context *ctx, const char *text, pto_status want) {
  pto_program *program = parse(ctx, text);
  if (pto_program_run(ctx, program, NULL) != want) explain(ctx, program, text);
  return program;
}

/* Each core that waits is named, with its place and whom it waits for. */
static void a_deadlock_names_who_waits(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = ran(ctx,
                             ENDS_CORES("  pto.sync.wait <PIPE_M>, 1\n" MAKE_C(ONE_WAY) PUSH("16x16xf32", "0"),
                                        MAKE_V(ONE_WAY) POP("u", "16x16xf32", "0") "  pto.sync.set <PIPE_V>, 1\n"),
                             PTO_ERROR_PROGRAM);
  assert_int_equal(pto_program_diagnostic_count(program), 2);
  assert_int_equal(pto_program_diagnostic_line(program, 0), 4);
  assert_string_equal(
      pto_program_diagnostic_message(program, 0),
      "the cube core of block 0 waits for the vector core to set flag 1; that core waits at tpop_from_aic");
  assert_int_equal(pto_program_diagnostic_line(program, 1), 11);
  assert_string_equal(pto_program_diagnostic_message(program, 1),
                      "the vector core of block 0 waits for the cube core to push; that core waits at sync.wait");
  pto_program_release(program);
  pto_context_release(ctx);
}

/* A warning, once for a statement, and again for each run; an error names its core. */
static void what_is_never_popped(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const char *text = ENDS_CORES(MAKE_C(ONE_WAY) PUSH("16x16xf32", "0"), MAKE_V(ONE_WAY));
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_set_blocks(ctx, program, 3));
  for (int i = 0; i < 3; ++i) {
    assert_ok(ctx, pto_program_set_threads(ctx, program, i + 1));
    assert_ok(ctx, pto_program_run(ctx, program, NULL));
    assert_int_equal(pto_program_diagnostic_count(program), 1);
    assert_int_equal(pto_program_diagnostic_error(program, 0), 0);
    assert_string_equal(pto_program_diagnostic_rule(program, 0), "never-popped");
    assert_int_equal(pto_program_diagnostic_line(program, 0), 6);
    assert_string_equal(pto_program_diagnostic_message(program, 0),
                        "1 of 1 that were pushed in block 0 were never popped");
  }
  pto_program_release(program);
  program =
      ran(ctx,
          ENDS_CORES(MAKE_C(ONE_WAY),
                     MAKE_V(ONE_WAY) "  %c0 = arith.constant 0 : index\n  scf.for %i = %c0 to %c0 step %c0 {\n  }\n"),
          PTO_ERROR_PROGRAM);
  assert_string_equal(pto_program_diagnostic_message(program, 0), "the step is 0, on the vector core of block 0");
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Each core of each block has rows of its own in a trace, named once. */
static void a_trace_has_rows_by_core(void **state) {
  (void)state;
  static const char k_text[] =
      "func.func @k() attributes {pto.subblock_num = 2} {\n pto.section.cube {\n  %t = pto.alloc_tile : "
      "!pto.tile_buf<vec, 4x8xf32>\n  pto.tabs ins(%t : !pto.tile_buf<vec, 4x8xf32>) outs(%t : !pto.tile_buf<vec, "
      "4x8xf32>)\n"
      " }\n pto.section.vector {\n  %t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
      "  pto.tabs ins(%t : !pto.tile_buf<vec, 4x8xf32>) outs(%t : !pto.tile_buf<vec, 4x8xf32>)\n }\n return\n}\n";
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, k_text);
  enum { k_blocks = 60 };
  assert_ok(ctx, pto_program_record(ctx, program, PTO_RECORD_TIMES, 1 << 20));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, k_blocks));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  const char *trace = pto_program_trace(ctx, program);
  assert_non_null(trace);
  static const char *const k_rows[] = {"\"tid\": 7, \"args\": {\"name\": \"cube: V (vector unit)\"",
                                       "\"tid\": 14, \"args\": {\"name\": \"vector 0: V (vector unit)\"",
                                       "\"tid\": 21, \"args\": {\"name\": \"vector 1: V (vector unit)\""};
  for (int i = 0; i < 3 * k_blocks; ++i) {
    char row[120];
    snprintf(row, sizeof row, "\"pid\": %d, %s", i / 3, k_rows[i % 3]);
    const char *at = strstr(trace, row);
    if (at == NULL || strstr(at + 1, row) != NULL) fail_msg("%s\n%s", row, trace);
  }
  pto_program_release(program);
  pto_context_release(ctx);
}

/* A tile that the caller binds would be on one core only. */
static void tiles_are_of_one_core(void **state) {
  (void)state;
  const char *text =
      "func.func @k(%t: !pto.tile_buf<vec, 4x8xf32>) {\n pto.section.cube {\n }\n pto.section.vector {\n"
      "  pto.tabs ins(%t : !pto.tile_buf<vec, 4x8xf32>) outs(%t : !pto.tile_buf<vec, 4x8xf32>)\n }\n return\n}\n";
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 4, 8);
  assert_ok(ctx, pto_program_bind_tile(ctx, program, "t", tile));
  assert_int_not_equal(pto_program_run(ctx, program, NULL), PTO_OK);
  assert_string_equal(pto_context_error_rule(ctx), "core-tiles");
  pto_tile_release(tile);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Each core has on-chip memory of its own, and the steps of all count. */
static void cores_share_limits_and_no_memory(void **state) {
  (void)state;
  static const char k_text[] =
      "func.func @k() attributes {pto.subblock_num = 2} {\n %c0 = arith.constant 0 : index\n %a = arith.constant 0 : "
      "i64\n"
      " %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 1x16xi32>\n %one = arith.constant 1 : i32\n"
      " %x = pto.tgetval ins(%t, %c0 : !pto.tile_buf<vec, 1x16xi32>, index) outs : i32\n"
      " %y = arith.addi %x, %one : i32\n"
      " pto.tsetval ins(%c0, %y : index, i32) outs(%t : !pto.tile_buf<vec, 1x16xi32>)\n"
      " pto.print ins(\"%d\", %y : i32)\n pto.section.cube {\n  pto.print ins(\"cube %d\", %y : i32)\n }\n"
      " pto.section.vector {\n  %l = pto.get_subblock_idx\n  %n = pto.get_subblock_num\n"
      "  pto.print ins(\"vector %d\", %l : i64)\n  pto.print ins(\"of %d\", %n : i64)\n }\n return\n}\n";
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = ran(ctx, k_text, PTO_OK);
  assert_string_equal(pto_program_output(program), "1\ncube 1\n1\nvector 0\nof 2\n1\nvector 1\nof 2\n");
  const int64_t steps = pto_program_steps(program);
  assert_ok(ctx, pto_program_limit_steps(ctx, program, steps));
  assert_ok(ctx, pto_program_run(ctx, program, NULL));
  assert_ok(ctx, pto_program_limit_steps(ctx, program, steps - 1));
  assert_int_not_equal(pto_program_run(ctx, program, NULL), PTO_OK);
  assert_string_equal(pto_context_error_rule(ctx), "step-limit");
  pto_program_release(program);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_pushed_arrives),
      cmocka_unit_test(odd_halves),
      cmocka_unit_test(slots_in_global_memory),
      cmocka_unit_test(flags_order_cores),
      cmocka_unit_test(kernels_of_one_kind),
      cmocka_unit_test(rules),
      cmocka_unit_test(slot_rules),
      cmocka_unit_test(a_deadlock_names_who_waits),
      cmocka_unit_test(what_is_never_popped),
      cmocka_unit_test(tiles_are_of_one_core),
      cmocka_unit_test(a_trace_has_rows_by_core),
      cmocka_unit_test(cores_share_limits_and_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
