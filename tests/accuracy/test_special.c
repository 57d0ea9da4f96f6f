/*
 * test_special.c: every instruction, element type and flag of the CPU profile
 * on the fixed inputs, on every SIMD target, against the reference.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "run_op.h"
#include "special_inputs.h"

enum { k_shown = 5, k_longest = 130, k_guard = 64 };

/* The arithmetic of each instruction; a new instruction needs a row. */
static const struct {
  const char *op;
  ref_fn fn;
} k_functions[] = {
    {"tcolexpanddiv", REF_DIV}, {"tcolexpandmul", REF_MUL}, {"tpartadd", REF_ADD},
    {"tpow", REF_POW},          {"tprelu", REF_PRELU},      {"trsqrt", REF_RSQRT},
};

static ref_fn function_of(int32_t op) {
  for (size_t i = 0; i < sizeof k_functions / sizeof *k_functions; ++i) {
    if (strcmp(k_functions[i].op, pto_op_name(op)) == 0) {
      return k_functions[i].fn;
    }
  }
  return REF_FN_COUNT;
}

/* The one result that may be off: pow on f32 without PTO_HIGH_PRECISION. */
static int may_be_off(ref_fn fn, pto_dtype dtype, uint32_t flags) {
  return fn == REF_POW && dtype == PTO_DTYPE_F32 && (flags & PTO_HIGH_PRECISION) == 0;
}

static size_t count_wrong(pto_context *ctx, int32_t op, ref_fn fn, const special_pairs *in, uint32_t flags,
                          const void *want, const void *got) {
  const pto_dtype dtype = in->dtype;
  size_t wrong = 0;
  for (size_t i = 0; i < in->count; ++i) {
    const uint64_t w = special_get(dtype, want, i);
    const uint64_t g = special_get(dtype, got, i);
    if (ref_matches(dtype, w, g)) continue;
    const uint64_t a = special_get(dtype, in->a, i);
    const uint64_t b = special_get(dtype, in->b, i);
    if (may_be_off(fn, dtype, flags) && ref_ulp_error(dtype, g, fn, a, b) <= 1) {
      continue;
    }
    if (++wrong > k_shown) continue;
    fprintf(stderr, "%s %s flags %u on %s: a %#llx b %#llx got %#llx want %#llx\n", pto_op_name(op),
            pto_dtype_name(dtype), (unsigned)flags, pto_context_target(ctx), (unsigned long long)a,
            (unsigned long long)b, (unsigned long long)g, (unsigned long long)w);
  }
  if (wrong != 0) {
    fprintf(stderr, "%s %s flags %u on %s: %llu of %llu wrong\n", pto_op_name(op), pto_dtype_name(dtype),
            (unsigned)flags, pto_context_target(ctx), (unsigned long long)wrong, (unsigned long long)in->count);
  }
  return wrong;
}

/*
 * Every length to k_longest at some odd place: the same results as in the long
 * run, and no byte after the last one.
 */
static int check_stretches(pto_context *ctx, int32_t op, const special_pairs *in, uint32_t flags,
                           const void *long_run) {
  const size_t bytes = (size_t)pto_dtype_bytes(in->dtype);
  unsigned char out[(k_longest + k_guard) * 8];
  for (size_t n = 1; n <= k_longest; ++n) {
    const size_t first = n * 7919 % (in->count - k_longest);
    const char *a = (const char *)in->a + first * bytes;
    const char *b = (const char *)in->b + first * bytes;
    const char *want = (const char *)long_run + first * bytes;
    memset(out, 0xa5, sizeof out);
    if (!run_op(ctx, op, in->dtype, flags, n, a, b, out)) return 0;
    size_t i = 0;
    while (i < n && ref_matches(in->dtype, special_get(in->dtype, want, i), special_get(in->dtype, out, i))) ++i;
    size_t last = n * bytes;
    while (last < sizeof out && out[last] == 0xa5) ++last;
    if (i == n && last == sizeof out) continue;
    fprintf(stderr, "%s %s flags %u on %s: %llu elements from pair %llu: %s %llu differs\n", pto_op_name(op),
            pto_dtype_name(in->dtype), (unsigned)flags, pto_context_target(ctx), (unsigned long long)n,
            (unsigned long long)first, i < n ? "element" : "the byte after the end,",
            (unsigned long long)(i < n ? i : last));
    return 0;
  }
  return 1;
}

static int check_op(int32_t op, const special_pairs *in, void *want, void *got) {
  const ref_fn fn = function_of(op);
  uint32_t flags;
  int cases = 0;
  int ok = 1;
  for (int k = 0; run_op_flags(op, k, &flags); ++k) {
    if (!pto_op_supports(op, PTO_PROFILE_CPU, in->dtype, flags)) continue;
    if (fn == REF_FN_COUNT) {
      fprintf(stderr, "%s has no reference in test_special.c\n", pto_op_name(op));
      return 0;
    }
    for (size_t i = 0; cases == 0 && i < in->count; ++i) {
      special_set(in->dtype, want, i,
                  ref_apply(fn, in->dtype, special_get(in->dtype, in->a, i), special_get(in->dtype, in->b, i)));
    }
    ++cases;
    int32_t target = 0;
    pto_context *ctx;
    while ((ctx = run_op_next_context(&target)) != NULL) {
      memset(got, 0x5a, in->count * (size_t)pto_dtype_bytes(in->dtype));
      if (!run_op(ctx, op, in->dtype, flags, in->count, in->a, in->b, got) ||
          count_wrong(ctx, op, fn, in, flags, want, got) != 0 || !check_stretches(ctx, op, in, flags, got)) {
        ok = 0;
      }
      pto_context_release(ctx);
    }
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
    for (int32_t i = 0; i < pto_op_count(); ++i) {
      if (!check_op(pto_op_at(i), &in, want, got)) ok = 0;
    }
    free(want);
    free(got);
    special_pairs_release(&in);
  }
  return ok ? 0 : 1;
}
