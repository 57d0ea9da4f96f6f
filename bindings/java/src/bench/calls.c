/* calls.c: what the calls of CallBench.java cost from C, best of many rounds. */
#define _POSIX_C_SOURCE 199309L
#include <pto_c.h>
#include <stdio.h>
#include <time.h>

enum { kRounds = 100, kCalls = 20000 };

static double Now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

#define TIME(name, call)                                          \
  do {                                                            \
    double best = 1e9, total = 0;                                 \
    for (int round = 0; round < kRounds; ++round) {               \
      const double start = Now();                                 \
      for (int i = 0; i < kCalls; ++i) call;                      \
      const double each = (Now() - start) / kCalls;               \
      total += each;                                              \
      if (each < best) best = each;                               \
    }                                                             \
    printf("%-20s %8.1f ns best, %8.1f mean\n", name, best, total / kRounds); \
  } while (0)

int main(void) {
  static const float kData[64 * 64];
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *one = pto_tile_create(ctx, PTO_DTYPE_F32, 1, 1);
  pto_tile *other = pto_tile_create(ctx, PTO_DTYPE_F32, 1, 1);
  pto_tile *big = pto_tile_create(ctx, PTO_DTYPE_F32, 64, 64);
  TIME("empty", pto_version());
  TIME("question", pto_context_profile(ctx));
  TIME("tpow1x1", pto_tpow(ctx, one, other, other, NULL, 0));
  TIME("tpartadd1x1", pto_tpartadd(ctx, one, other, other, 0));
  TIME("write4", pto_tile_write_as(ctx, one, PTO_DTYPE_F32, kData, 4));
  TIME("write64x64", pto_tile_write_as(ctx, big, PTO_DTYPE_F32, kData, sizeof kData));
  TIME("createAndClose", pto_tile_release(pto_tile_create(ctx, PTO_DTYPE_F32, 1, 1)));
  pto_tile_release(big);
  pto_tile_release(other);
  pto_tile_release(one);
  pto_context_release(ctx);
  return 0;
}
