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
                  void *out) {
  const uint64_t usual = control();
  fesetround(e->rounding);
  set_control(control() | e->flush);
  const uint64_t before = control();
  const int effective = takes_effect(e);
  const int ok = run_op(ctx, op, in->dtype, flags, in->count, in->a, in->b, out);
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

static int check(pto_context *ctx, int32_t op, const special_pairs *in, uint32_t flags, void *want, void *got) {
  const size_t bytes = in->count * (size_t)pto_dtype_bytes(in->dtype);
  int ok = 1;
  if (!run_op(ctx, op, in->dtype, flags, in->count, in->a, in->b, want)) return 0;
  for (size_t i = 0; i < sizeof k_environments / sizeof *k_environments; ++i) {
    const environment *e = &k_environments[i];
    memset(got, 0x5a, bytes);
    if (!run_in(e, ctx, op, in, flags, got)) return 0;
    if (memcmp(want, got, bytes) == 0) continue;
    ok = 0;
    size_t k = 0;
    while (special_get(in->dtype, want, k) == special_get(in->dtype, got, k)) ++k;
    fprintf(stderr, "%s %s flags %u on %s, %s: a %#llx b %#llx got %#llx, else %#llx\n", pto_op_name(op),
            pto_dtype_name(in->dtype), (unsigned)flags, pto_context_target(ctx), e->name,
            (unsigned long long)special_get(in->dtype, in->a, k), (unsigned long long)special_get(in->dtype, in->b, k),
            (unsigned long long)special_get(in->dtype, got, k), (unsigned long long)special_get(in->dtype, want, k));
  }
  return ok;
}

int main(void) {
  int ok = 1;
  for (int d = PTO_DTYPE_I8; pto_dtype_bytes((pto_dtype)d) != 0; ++d) {
    special_pairs in;
    if (!special_pairs_create((pto_dtype)d, &in)) return 2;
    void *want = malloc(in.count * 8);
    void *got = malloc(in.count * 8);
    if (want == NULL || got == NULL) return 2;
    int32_t target = 0;
    pto_context *ctx;
    while ((ctx = run_op_next_context(&target)) != NULL) {
      for (int32_t i = 0; i < pto_op_count(); ++i) {
        const int32_t op = pto_op_at(i);
        uint32_t flags;
        for (int k = 0; run_op_flags(op, k, &flags); ++k) {
          if (!pto_op_supports(op, PTO_PROFILE_CPU, in.dtype, flags)) continue;
          if (!check(ctx, op, &in, flags, want, got)) ok = 0;
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
