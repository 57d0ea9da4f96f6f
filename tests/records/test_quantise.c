/*
 * test_quantise.c: TQUANT with block scales against the ISA's rule for a group, in doubles: every number that
 * occurs is exact in them. The bytes of e4m3 and e2m1 are found among the values of all codes, not computed.
 */
#include <math.h>
#include <string.h>

#include "irregular_case.h"
#include "op_table.h"
#include "testing.h"
#include "values.h"

static double value_of(pto_dtype dtype, uint64_t bits) {
  if (dtype == PTO_DTYPE_F16) {
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    const int field = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    if (field == 31) return fraction == 0 ? sign * INFINITY : NAN;
    return sign * (field == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, field - 25));
  }
  const uint32_t word = (uint32_t)(dtype == PTO_DTYPE_BF16 ? bits << 16 : bits);
  float value = 0;
  memcpy(&value, &word, sizeof value);
  return value;
}

static double value_of_code(int e4m3, int code) {
  static double e4m3_values[127]; /* each is asked for every element */
  if (!e4m3) return (const double[]){0, 0.5, 1, 1.5, 2, 3, 4, 6}[code];
  if (e4m3_values[126] == 0) {
    for (int i = 0, field; i < 127; ++i) {
      field = i >> 3;
      e4m3_values[i] = field == 0 ? ldexp(i & 7, -9) : ldexp(8 + (i & 7), field - 10);
    }
  }
  return e4m3_values[code];
}

/* The nearest code, of two the even one; beyond the last one that. */
static uint64_t code_of(int e4m3, double value) {
  const int last = e4m3 ? 0x7e : 7;
  if (isnan(value)) return e4m3 ? 0x7f : 7;
  const double x = fabs(value);
  int best = last;
  double before = fabs(x - value_of_code(e4m3, last));
  for (int code = last - 1; code >= 0 && x < value_of_code(e4m3, last); --code) {
    const double now = fabs(x - value_of_code(e4m3, code));
    if (now > before || (now == before && code % 2 != 0)) continue;
    best = code;
    before = now;
  }
  return (uint64_t)best | (signbit(value) ? (e4m3 ? 0x80U : 8U) : 0);
}

/* The exponent of a group by its largest magnitude. */
static int exponent_of(int e4m3, int nv, double most) {
  if (isnan(most)) return 255;
  if (!nv) {
    const int field = isinf(most) ? 255 : most < ldexp(1, -126) ? 0 : ilogb(most) + 127;
    const int exponent = field - (e4m3 ? 8 : 2);
    return exponent < 0 ? 0 : exponent;
  }
  if (most == 0) return 0;
  if (isinf(most)) return 254;
  const float reciprocal = e4m3 ? 1.0F / 448 : 1.0F / 6;
  const double scaled = (float)(most * (double)reciprocal);
  if (scaled < ldexp(1, -126)) return scaled > ldexp(1, -127);
  const int field = ilogb(scaled) + 127;
  return field + (field != 254 && scaled != ldexp(1, field - 127));
}

static uint64_t bits_of(pto_dtype dtype, double value) {
  if (isnan(value)) return dtype == PTO_DTYPE_F32 ? 0x7fc00000 : dtype == PTO_DTYPE_F16 ? 0x7e00 : 0x7fc0;
  const float single = (float)value; /* exact */
  uint32_t word = 0;
  memcpy(&word, &single, sizeof word);
  return dtype == PTO_DTYPE_F32 ? word : word >> 16;
}

enum { k_most = 320 };

/* A group: the codes of its elements, in codes[], and its other results. */
typedef struct group {
  uint64_t exponent, max, scaling;
} group;
static group quantise(int e4m3, int nv, pto_dtype src, pto_dtype scaling, const uint64_t *elements, int count,
                      uint64_t *codes) {
  double most = 0;
  uint64_t max = 0;
  for (int k = 0; k < count; ++k) {
    const double x = fabs(value_of(src, elements[k]));
    if (isnan(most)) continue;
    if (isnan(x) || x > most) {
      most = x;
      max = elements[k] & (src == PTO_DTYPE_F32 ? 0x7fffffff : 0x7fff);
    }
  }
  const int exponent = exponent_of(e4m3, nv, most);
  const double multiplier = exponent == 255 ? NAN : ldexp(1, 127 - exponent);
  for (int k = 0; k < count; ++k) codes[k] = code_of(e4m3, value_of(src, elements[k]) * multiplier);
  return (group){(uint64_t)exponent, isnan(most) ? bits_of(src, NAN) : max, bits_of(scaling, multiplier)};
}

static int is_dn(const irregular_case *c) { return strcmp(pto_op_name(c->op), "tquant_dn") == 0; }

static void shape(irregular_case *c) {
  tile_case *src = &c->tile[4];
  c->tile[0].dtype = PTO_DTYPE_E4M3; /* packed ones have no bytes of their own: below */
  draw_region(src, c->n);
  if (is_dn(c) && c->n % 4 == 0) src->valid_rows += 40;
  c->numbers[0] = c->n / 2 % 2;
  like(&c->tile[0], src, 0);
  for (int i = 1; i < 4; ++i) {
    c->tile[i].valid_rows = is_dn(c) ? (src->valid_rows + 31) / 32 : src->valid_rows;
    c->tile[i].valid_cols = is_dn(c) ? src->valid_cols : (src->valid_cols + 31) / 32;
    if (c->profile == PTO_PROFILE_CPU && case_one_in(4)) ++c->tile[i].valid_cols;
  }
}

/* Groups of one range, so that not all but one element vanish; now and then a special value. */
static void fill(irregular_case *c) {
  const tile_case *src = &c->tile[4];
  const int wide = src->dtype == PTO_DTYPE_F16 ? 10 : 120;
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    for (int32_t k = 0; k < src->valid_cols && c->n % 3 != 0; ++k) {
      const int of = is_dn(c) ? r / 32 + k : k / 32 + r;
      const int scale = (of * 37 + c->n) % (2 * wide) - wide;
      const double x = ldexp((double)case_draw(512) - 256, scale - 8 + (int)case_draw(3) - 2);
      if (src->dtype == PTO_DTYPE_F16) {
        if (case_one_in(400)) case_set(src, r, k, 0x7c00 | case_draw(2) << 9);
        continue; /* any bits: half of all are within 2^4 of each other */
      }
      case_set(src, r, k,
               case_one_in(400) ? bits_of(src->dtype, case_one_in(2) ? NAN : INFINITY) : bits_of(src->dtype, x));
    }
  }
}

static void want(irregular_case *c) {
  const tile_case *t = c->tile, *src = &t[4];
  const int dn = is_dn(c);
  const int32_t lines = dn ? src->valid_cols : src->valid_rows, length = dn ? src->valid_rows : src->valid_cols;
  for (int32_t line = 0; line < lines && length > 0; ++line) {
    uint64_t elements[32], codes[32];
    for (int32_t at = 0; at < length; at += 32) {
      const int count = length - at < 32 ? length - at : 32;
      for (int k = 0; k < count; ++k) elements[k] = dn ? case_get(src, at + k, line) : case_get(src, line, at + k);
      const group g = quantise(1, c->numbers[0], src->dtype, t[3].dtype, elements, count, codes);
      for (int k = 0; k < count; ++k) {
        dn ? case_want(&t[0], at + k, line, codes[k]) : case_want(&t[0], line, at + k, codes[k]);
      }
      const int32_t r = dn ? at / 32 : line, col = dn ? line : at / 32;
      case_want(&t[1], r, col, g.exponent);
      case_want(&t[2], r, col, g.max);
      case_want(&t[3], r, col, g.scaling);
    }
  }
}

static const irregular_op k_ops[] = {{"tquant_mx", shape, fill, want}, {"tquant_dn", shape, fill, want}};

/* One line of elements as groups of both ways, of any small type, on every target. */
static void line(pto_context *ctx, int dn, pto_dtype to, pto_dtype src, int nv, const uint64_t *elements, int count) {
  const int groups = (count + 31) / 32, size = pto_dtype_bytes(src);
  const pto_dtype scaling = src == PTO_DTYPE_F32 ? PTO_DTYPE_F32 : PTO_DTYPE_BF16;
  const pto_dtype types[] = {to, PTO_DTYPE_E8M0, src, scaling, src};
  pto_tile *tiles[5];
  uint8_t data[5][4 * k_most];
  for (int i = 0; i < 5; ++i) {
    const int n = i == 0 || i == 4 ? count : groups;
    pto_tile_desc desc = {0};
    desc.struct_size = sizeof desc;
    desc.dtype = types[i];
    desc.rows = desc.valid_rows = dn ? n : 1;
    desc.cols = dn ? 2 : (n + 1) / 2 * 2;
    desc.valid_cols = dn ? 1 : n;
    tiles[i] = pto_tile_create_from(ctx, &desc);
    if (tiles[i] == NULL) fail_msg("%s", pto_context_error_message(ctx));
  }
  for (int k = 0; k < count; ++k) values_set(src, data[4] + k * size, elements[k]);
  assert_int_equal(pto_tile_write(ctx, tiles[4], data[4], pto_tile_valid_bytes(tiles[4])), PTO_OK);
  assert_int_equal(
      (dn ? pto_tquant_dn : pto_tquant_mx)(ctx, tiles[0], tiles[1], tiles[2], tiles[3], tiles[4], (pto_scale_alg)nv, 0),
      PTO_OK);
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(pto_tile_read(ctx, tiles[i], data[i], pto_tile_valid_bytes(tiles[i])), PTO_OK);
  }
  for (int g = 0; g < groups; ++g) {
    uint64_t codes[32];
    const int n = count - 32 * g < 32 ? count - 32 * g : 32;
    const group known = quantise(to == PTO_DTYPE_E4M3, nv, src, scaling, elements + 32 * g, n, codes);
    assert_int_equal(data[1][g], known.exponent);
    assert_int_equal(values_get(src, data[2] + g * size), known.max);
    assert_int_equal(values_get(scaling, data[3] + g * pto_dtype_bytes(scaling)), known.scaling);
    for (int k = 0; k < n; ++k) {
      const int at = 32 * g + k;
      const int packed = to == PTO_DTYPE_E2M1;
      const unsigned byte = data[0][packed && !dn ? at / 2 : at];
      const uint64_t got = !packed ? byte : dn ? byte & 15U : byte >> (at % 2 * 4) & 15U;
      if (got != codes[k]) {
        fail_msg("%s to %s, alg %d, dn %d: element %d, %#llx, became %#llx, not %#llx", pto_dtype_name(src),
                 pto_dtype_name(to), nv, dn, at, (unsigned long long)elements[at], (unsigned long long)got,
                 (unsigned long long)codes[k]);
      }
    }
  }
  for (int i = 0; i < 5; ++i) pto_tile_release(tiles[i]);
}

/* Every element of 16 bits beside one that is the largest; f32 near every border of exponents, ties and scales. */
static void test_lines(void **state) {
  (void)state;
  static const pto_dtype k_types[] = {PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_F32};
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
    uint64_t seed = 7;
    for (int n = 0; n < 3 * 2 * 2 * 2 * 300; ++n) {
      const pto_dtype src = k_types[n % 3];
      const int half = src == PTO_DTYPE_F32 ? 0 : 16;
      const int nv = n / 3 % 2, dn = n / 6 % 2;
      uint64_t elements[k_most];
      const int count = 1 + (int)((values_random(&seed) >> 20) % (k_most - 1));
      uint32_t top = 0;
      for (int k = 0; k < count; ++k) {
        const uint32_t word = (uint32_t)(values_random(&seed) >> 20);
        if (k % 32 == 0) top = n % 7 == 0 ? word : (word & 0x7f800000);
        /* Within a factor of 2^16 of the first of the group, of few digits where ties are wanted. */
        uint32_t bits = top - (word >> 8 & 15) * 0x800000U;
        if (half != 0 && src == PTO_DTYPE_F16) bits = word;
        bits = (bits & 0xff800000) | (word & (n % 5 == 0 ? 0x780000 : 0x7fffff)) | (word << 31);
        if (n % 11 == 0 && k % 32 == (n / 11) % 32) bits = n % 2 == 0 ? 0x7f800000 : 0xffc12345;
        if (n % 13 == 0) bits &= 0x80ffffff; /* tiny */
        elements[k] = bits >> half;
      }
      line(ctx, dn, n / 12 % 2 == 0 ? PTO_DTYPE_E4M3 : PTO_DTYPE_E2M1, src, nv, elements, count);
    }
    /* Where a scale becomes one more: 448 and 6 times 2^-127, and what is next to them. */
    for (uint32_t below = 0; below < 5; ++below) {
      for (int n = 0; n < 4; ++n) {
        const uint64_t border[] = {0x04600000 - 2 + below, 0x01400000 - 2 + below};
        line(ctx, n & 1, n < 2 ? PTO_DTYPE_E4M3 : PTO_DTYPE_E2M1, PTO_DTYPE_F32, 1, &border[n < 2 ? 0 : 1], 1);
      }
    }
    pto_context_release(ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
  return irregular_all(k_ops, sizeof k_ops / sizeof *k_ops) + cmocka_run_group_tests(tests, NULL, NULL);
}
