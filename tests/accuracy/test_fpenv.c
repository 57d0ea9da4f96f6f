/*
 * test_fpenv.c: the caller's rounding mode and flush-to-zero bits change no
 * result, and are still set after each call.
 */
#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "../common/only_op.h"
#include "run_op.h"
#include "special_inputs.h"

typedef struct environment {
  const char *name;
  int rounding;   /* of <fenv.h> */
  uint64_t flush; /* bits of the control register */
} environment;

#if defined(__SSE2__)
enum { k_ftz = 0x8000, k_daz = 0x0040, k_control = 0xffc0 };
static uint64_t control(void) { return _mm_getcsr() & k_control; }
static void set_control(uint64_t bits) { _mm_setcsr((unsigned)bits); }
#elif defined(__aarch64__)
enum { k_ftz = 1 << 24, k_daz = 0 };
static uint64_t control(void) {
  uint64_t bits;
  __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
static void set_control(uint64_t bits) { __asm__ volatile("msr fpcr, %0" : : "r"(bits)); }
#else
enum { k_ftz = 0, k_daz = 0 };
static uint64_t control(void) { return (uint64_t)fegetround(); }
static void set_control(uint64_t bits) { (void)bits; }
#endif

static const environment k_environments[] = {
    {"rounding up", FE_UPWARD, 0},
    {"rounding down", FE_DOWNWARD, 0},
    {"rounding to zero", FE_TOWARDZERO, 0},
    {"flush to zero", FE_TONEAREST, k_ftz},
    {"denormals are zero", FE_TONEAREST, k_daz},
    {"everything at once", FE_UPWARD, k_ftz | k_daz},
};

/* That the environment is really set: else the test would prove nothing. */
static int takes_effect(const environment *e) {
  volatile float one = 1, three = 3, tiny = FLT_MIN, half = 0.5f, third, small;
  third = one / three;
  small = tiny * half;
  if (e->rounding == FE_UPWARD && third != 0x1.555556p-2f) return 0;
  if (e->rounding != FE_UPWARD && e->rounding != FE_TONEAREST && third != 0x1.555554p-2f) return 0;
  return (e->flush & k_ftz) == 0 || small == 0;
}

static int run_in(const environment *e, pto_context *ctx, int32_t op, const special_pairs *in, uint32_t flags,
                  int variant, void *out, run_result *result) {
  const uint64_t usual = control();
  fesetround(e->rounding);
  set_control(control() | e->flush);
  const uint64_t before = control();
  const int effective = takes_effect(e);
  const int ok = run_op_variant(ctx, op, in->dtype, flags, variant, in->count, in->a, in->b, out, result);
  const uint64_t after = control();
  fesetround(FE_TONEAREST);
  set_control(usual);
  if (!effective) fprintf(stderr, "%s could not be set\n", e->name);
  if (before != after) {
    fprintf(stderr, "%s: the call left %#llx of %#llx\n", e->name, (unsigned long long)after,
            (unsigned long long)before);
  }
  return ok && effective && before == after;
}

/* Where two results differ first; -1 when they do not. */
static int64_t difference(const run_result *x, const run_result *y, int *output) {
  for (*output = 0; *output < x->outputs; ++*output) {
    const pto_dtype dtype = x->dtype[*output];
    const size_t count = x->count[*output];
    if (memcmp(x->data[*output], y->data[*output], count * (size_t)pto_dtype_bytes(dtype)) == 0) continue;
    for (size_t i = 0; i < count; ++i) {
      if (special_get(dtype, x->data[*output], i) != special_get(dtype, y->data[*output], i)) return (int64_t)i;
    }
  }
  return -1;
}

static int check(pto_context *ctx, int32_t op, const special_pairs *in, uint32_t flags, int variant, void *want,
                 void *got) {
  run_result right;
  run_result result;
  int ok = 1;
  if (!run_op_variant(ctx, op, in->dtype, flags, variant, in->count, in->a, in->b, want, &right)) return 0;
  for (size_t i = 0; i < sizeof k_environments / sizeof *k_environments; ++i) {
    const environment *e = &k_environments[i];
    int output = 0;
    if (!run_in(e, ctx, op, in, flags, variant, got, &result)) return 0;
    const int64_t at = difference(&right, &result, &output);
    if (at < 0) continue;
    ok = 0;
    const pto_dtype dtype = right.dtype[output];
    fprintf(stderr, "%s %s flags %u variant %d on %s, %s: element %lld is %#llx, else %#llx\n", pto_op_name(op),
            pto_dtype_name(in->dtype), (unsigned)flags, variant, pto_context_target(ctx), e->name, (long long)at,
            (unsigned long long)special_get(dtype, result.data[output], (size_t)at),
            (unsigned long long)special_get(dtype, right.data[output], (size_t)at));
  }
  return ok;
}

/* The first pairs, which have the smallest numbers, or the last ones, which are ordinary. */
static special_pairs part_of(const special_pairs *in, int end) {
  special_pairs part = *in;
  const size_t bytes = (size_t)pto_dtype_bytes(in->dtype);
  part.count = in_thorough() ? 8192 : 2048;
  if (end == 0) return part;
  const size_t first = (in->count - part.count) / 8 * 8; /* aligned to the widest type */
  part.a = (char *)in->a + first * bytes;
  part.b = (char *)in->b + first * bytes;
  return part;
}

int main(void) {
  int ok = 1;
  for (int d = PTO_DTYPE_I8; pto_dtype_bits((pto_dtype)d) >= 8; ++d) {
    special_pairs in;
    if (!special_pairs_create((pto_dtype)d, &in)) return 2;
    void *want = malloc(in.count * 16 + 256);
    void *got = malloc(in.count * 16 + 256);
    if (want == NULL || got == NULL) return 2;
    int32_t target = 0;
    pto_context *ctx;
    while ((ctx = run_op_next_context(&target)) != NULL) {
      for (int32_t i = 0; i < pto_op_count(); ++i) {
        const int32_t op = pto_op_at(i);
        uint32_t flags;
        for (int k = 0; run_op_flags(op, k, &flags); ++k) {
          for (int v = 0; v < run_op_variants(op, in.dtype); ++v) {
            for (int end = 0; end < 2; ++end) {
              const special_pairs some = part_of(&in, end);
              if (!check(ctx, op, &some, flags, v, want, got)) ok = 0;
            }
          }
        }
      }
      pto_context_release(ctx);
    }
    free(want);
    free(got);
    special_pairs_release(&in);
  }
  return ok ? 0 : 1;
}
