/*
 * test_tcvt.c: a context keeps the conversions that it ran last. Whatever it ran before, a call returns what a new
 * context returns: every pair of neighbours among types, rounding modes and saturation, on every target.
 */
#include <string.h>

#include "pto_c.h"
#include "testing.h"

enum { k_count = 32, k_types = PTO_DTYPE_E8M0 + 1, k_modes = PTO_ROUND_ODD + 1 };

/* The sources of a type are conversions of these. */
static const float k_numbers[k_count] = {0,    -0.0F, 0.5F,   1.5F,   2.5F,  -2.5F, -1.5F, 3.7F,  127.5F, 128,  255.5F,
                                         256,  -129,  300.3F, 447,    480,   600,   -600,  32767, 32768,  7e4F, -7e4F,
                                         1e9F, 3e9F,  1e20F,  -1e20F, 1e-3F, 1e-7F, 1e-9F, 1e38F, -3.5F,  0.1F};

static pto_tile *tile(pto_context *ctx, int dtype) {
  pto_tile *made = pto_tile_create(ctx, (pto_dtype)dtype, 1, k_count);
  assert_non_null(made);
  return made;
}

typedef struct conversion {
  int from, to, mode, sat;
} conversion;

static pto_status convert(pto_context *ctx, const conversion *c, pto_tile *const *srcs, pto_tile *dst) {
  return pto_tcvt(ctx, dst, srcs[c->from], NULL, (pto_round)c->mode, (pto_sat)c->sat, 0);
}

static void results_do_not_depend_on_the_call_before(void **state) {
  (void)state;
  int calls = 0;
  for (int32_t target = 0; target < pto_target_count(); ++target) {
    if (!pto_target_supported(target)) continue;
    pto_context *old = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(target));
    assert_non_null(old);
    pto_tile *srcs[k_types], *dsts[k_types], *others[k_types];
    for (int t = 0; t < k_types; ++t) srcs[t] = tile(old, t), dsts[t] = tile(old, t), others[t] = tile(old, t);
    memcpy(pto_tile_data(srcs[PTO_DTYPE_F32]), k_numbers, sizeof k_numbers);
    const conversion first = {PTO_DTYPE_F32, 0, PTO_ROUND_NONE, PTO_SAT_ON};
    for (conversion c = first; c.to < k_types; ++c.to) {
      if (c.to != PTO_DTYPE_F32) assert_int_equal(convert(old, &c, srcs, srcs[c.to]), PTO_OK);
    }
    for (int at = 0; at < k_types * k_types * k_modes * 2; ++at) {
      const conversion c = {at / (2 * k_modes) / k_types, at / (2 * k_modes) % k_types, at / 2 % k_modes,
                            at % 2 == 0 ? PTO_SAT_ON : PTO_SAT_OFF};
      pto_context *fresh = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(target));
      assert_non_null(fresh);
      const pto_status status = convert(fresh, &c, srcs, dsts[c.to]);
      pto_context_release(fresh);
      if (status != PTO_OK) continue;
      ++calls;
      /* Each that differs from it in one thing precedes it. */
      conversion before[] = {c, c, c, c};
      before[0].from = (c.from + 1) % k_types;
      before[1].to = (c.to + 1) % k_types;
      before[2].mode = (c.mode + 1) % k_modes;
      before[3].sat = PTO_SAT_ON + PTO_SAT_OFF - c.sat;
      for (int i = 0; i < 4; ++i) {
        pto_context_release(old);
        old = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(target));
        assert_non_null(old);
        convert(old, &before[i], srcs, others[before[i].to]);
        assert_int_equal(convert(old, &c, srcs, others[c.to]), PTO_OK);
        assert_memory_equal(pto_tile_data(others[c.to]), pto_tile_data(dsts[c.to]),
                            (size_t)(k_count * pto_dtype_bytes((pto_dtype)c.to)));
      }
    }
    for (int t = 0; t < k_types; ++t) pto_tile_release(srcs[t]), pto_tile_release(dsts[t]), pto_tile_release(others[t]);
    pto_context_release(old);
  }
  assert_true(calls > 100 * k_modes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_do_not_depend_on_the_call_before)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
