/* The cost of four calls from C: the floor that the bindings are measured against.
 * Prints a name and the best of many rounds in nanoseconds, a line each. */
#define _POSIX_C_SOURCE 199309L
#include <pto_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pto_context *ctx;
static pto_tile *one, *many;
/* Not at the same place of a page as the tile: that alone makes a copy slower. */
static _Alignas(4096) float page[64 * 64 + 256];
static float *const data = page + 256;

static void must(int ok) {
  if (!ok) {
    fprintf(stderr, "calls: %s\n", pto_context_error_message(ctx));
    exit(1);
  }
}

static void empty(void) { must(pto_context_profile(ctx) == PTO_PROFILE_CPU); }
static void tpow(void) { must(pto_tpow(ctx, one, one, one, NULL, 0) == PTO_OK); }
static void write_one(void) { must(pto_tile_write_as(ctx, one, PTO_DTYPE_F32, data, sizeof *data) == PTO_OK); }
static void write_many(void) {
  must(pto_tile_write_as(ctx, many, PTO_DTYPE_F32, data, 64 * 64 * (int64_t)sizeof *data) == PTO_OK);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(const char *name, void (*call)(void), int calls) {
  double best = 1e30;
  for (int round = 0; round < 200; ++round) {
    const double start = now();
    for (int i = 0; i < calls; ++i) call();
    const double each = (now() - start) / calls;
    if (each < best) best = each;
  }
  printf("%s %.2f\n", name, best);
}

int main(void) {
  ctx = pto_context_create(PTO_PROFILE_CPU);
  one = pto_tile_create(ctx, PTO_DTYPE_F32, 1, 1);
  many = pto_tile_create(ctx, PTO_DTYPE_F32, 64, 64);
  must(one != NULL && many != NULL);
  measure("empty", empty, 20000);
  measure("tpow-1x1", tpow, 20000);
  measure("write-4", write_one, 20000);
  measure("write-64x64", write_many, 1000);
  pto_tile_release(many);
  pto_tile_release(one);
  pto_context_release(ctx);
  return 0;
}
