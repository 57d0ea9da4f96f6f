/*
 * test_special.c: every instruction that computes elements, every element type and flag of the CPU profile
 * on the fixed inputs, on every SIMD target, against the tables of tests/ops.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/only_op.h"
#include "op_table.h"
#include "run_op.h"
#include "special_inputs.h"

enum { k_shown = 5, k_longest = 130, k_guard = 64 };

static size_t count_wrong(pto_context *ctx, const op_entry *entry, const special_pairs *in, uint32_t flags,
                          const void *want, const void *got) {
  const pto_dtype dtype = in->dtype;
  size_t wrong = 0;
  for (size_t i = 0; i < in->count; ++i) {
    const uint64_t w = special_get(dtype, want, i);
    const uint64_t g = special_get(dtype, got, i);
    if (w == g) continue;
    op_element e;
    memset(&e, 0, sizeof e);
    e.dtype = dtype;
    e.src[0] = special_get(dtype, in->a, i);
    e.src[1] = special_get(dtype, in->b, i);
    if (entry->near != NULL && entry->near(&e, flags, g)) continue;
    if (++wrong > k_shown) continue;
    fprintf(stderr, "%s %s flags %u on %s: a %#llx b %#llx got %#llx want %#llx\n", entry->name, pto_dtype_name(dtype),
            (unsigned)flags, pto_context_target(ctx), (unsigned long long)e.src[0], (unsigned long long)e.src[1],
            (unsigned long long)g, (unsigned long long)w);
  }
  if (wrong != 0) {
    fprintf(stderr, "%s %s flags %u on %s: %llu of %llu wrong\n", entry->name, pto_dtype_name(dtype), (unsigned)flags,
            pto_context_target(ctx), (unsigned long long)wrong, (unsigned long long)in->count);
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
    const int same = memcmp(want, out, n * bytes) == 0;
    size_t last = n * bytes;
    while (last < sizeof out && out[last] == 0xa5) ++last;
    if (same && last == sizeof out) continue;
    fprintf(stderr, "%s %s flags %u on %s: %llu elements from pair %llu: %s\n", pto_op_name(op),
            pto_dtype_name(in->dtype), (unsigned)flags, pto_context_target(ctx), (unsigned long long)n,
            (unsigned long long)first, same ? "a byte after the end was written" : "an element differs");
    return 0;
  }
  return 1;
}

/* One or two sources of dst's type and nothing else, beside each other or one element per column of a row. */
static int of_pairs(int32_t op, pto_dtype dtype) {
  int sources = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    const int32_t extent = pto_op_operand_extent(op, i);
    if (role == PTO_ROLE_SCALAR || role == PTO_ROLE_MODE || role == PTO_ROLE_INT || role == PTO_ROLE_INOUT) return 0;
    if (role != PTO_ROLE_IN) continue;
    if ((pto_op_operand_dtypes(op, i, PTO_PROFILE_CPU, dtype) >> dtype & 1) == 0) return 0;
    ++sources;
    const int beside = extent == PTO_EXTENT_SAME || extent == PTO_EXTENT_PART || extent == PTO_EXTENT_REPEAT;
    if (!beside && extent != PTO_EXTENT_ROW) return 0;
  }
  return sources > 0 && sources <= 2;
}

static int check_op(const op_entry *entry, const special_pairs *in, void *want, void *got) {
  const int32_t op = pto_op_find(entry->name);
  uint32_t flags;
  int cases = 0;
  int ok = 1;
  for (int k = 0; run_op_flags(op, k, &flags); ++k) {
    if (!pto_op_supports(op, PTO_PROFILE_CPU, in->dtype, flags)) continue;
    for (size_t i = 0; cases == 0 && i < in->count; ++i) {
      op_element e;
      memset(&e, 0, sizeof e);
      e.dtype = in->dtype;
      e.src[0] = special_get(in->dtype, in->a, i);
      e.src[1] = special_get(in->dtype, in->b, i);
      special_set(in->dtype, want, i, entry->element(&e));
    }
    ++cases;
    int32_t target = 0;
    pto_context *ctx;
    while ((ctx = run_op_next_context(&target)) != NULL) {
      memset(got, 0x5a, in->count * (size_t)pto_dtype_bytes(in->dtype));
      if (!run_op(ctx, op, in->dtype, flags, in->count, in->a, in->b, got) ||
          count_wrong(ctx, entry, in, flags, want, got) != 0 || !check_stretches(ctx, op, in, flags, got)) {
        ok = 0;
      }
      pto_context_release(ctx);
    }
  }
  return ok;
}

/* Where exponentials of f32 become subnormal, and 0: -87.36 to -87.27, and -104.043 to -103.959, 4096 of each. */
static int check_exp_ends(void *want, void *got) {
  static const float k_first[] = {-87.27F, -104.043F};
  static const float k_step[] = {-0.09F / 4096, 0.084F / 4096};
  static float a[4096], b[4096];
  const special_pairs in = {PTO_DTYPE_F32, sizeof a / sizeof *a, a, b};
  int ok = 1;
  for (int end = 0; end < 2; ++end) {
    for (int i = 0; i < 4096; ++i) a[i] = k_first[end] + k_step[end] * (float)i;
    const op_entry *entry;
    for (int n = 0; (entry = op_entry_at(n)) != NULL; ++n) {
      const int asked = entry->element != NULL && only_op(entry->name) && of_pairs(pto_op_find(entry->name), in.dtype);
      if (asked && strstr(entry->name, "exp") != NULL && !check_op(entry, &in, want, got)) ok = 0;
    }
  }
  return ok;
}

int main(void) {
  int ok = 1;
  for (int d = PTO_DTYPE_I8; pto_dtype_bits((pto_dtype)d) >= 8; ++d) {
    special_pairs in;
    if (!special_pairs_create((pto_dtype)d, &in)) return 2;
    void *want = malloc(in.count * 8);
    void *got = malloc(in.count * 8);
    if (want == NULL || got == NULL) return 2;
    const op_entry *entry;
    for (int n = 0; (entry = op_entry_at(n)) != NULL; ++n) {
      const int asked = entry->element != NULL && only_op(entry->name) && of_pairs(pto_op_find(entry->name), in.dtype);
      if (asked && !check_op(entry, &in, want, got)) ok = 0;
    }
    if (d == PTO_DTYPE_F32 && !check_exp_ends(want, got)) ok = 0;
    free(want);
    free(got);
    special_pairs_release(&in);
  }
  return ok ? 0 : 1;
}
