/*
 * reference_exact.c: sums, products, quotients, remainders, inverse square roots and
 * format conversions by 128-bit integers. It shares the decoding of operands with the
 * MPFR implementation and nothing else.
 */
#include "reference.h"

__extension__ typedef unsigned __int128 u128;

static int bit_length(u128 m) {
  int bits = 0;
  while (m != 0) {
    m >>= 1;
    ++bits;
  }
  return bits;
}

/*
 * Rounds (m + s) * 2^exponent to the format, where 0 < s < 1 when `sticky` and
 * s = 0 otherwise. m is not 0; when sticky, it has at least two bits more than
 * the format's precision, so that s never decides alone between neighbours.
 */
static uint64_t round_to(const ref_format *format, int negative, u128 m, int exponent, int sticky) {
  const uint64_t sign = ref_zero_bits(format, negative);
  int top = bit_length(m) - 1 + exponent; /* floor(log2(value)) */
  if (top > format->bias) return ref_inf_bits(format, negative);
  if (top < 1 - format->bias) top = 1 - format->bias;
  const int shift = top - format->fraction - exponent;
  u128 significand;
  if (shift <= 0) {
    significand = m << -shift;
  } else if (shift > 127) {
    /* Below a quarter of the smallest subnormal: m has fewer than 126 bits. */
    significand = 0;
  } else {
    const u128 half = (u128)1 << (shift - 1);
    const u128 rest = m & ((half << 1) - 1);
    significand = m >> shift;
    if (rest > half || (rest == half && (sticky || (significand & 1)))) {
      ++significand;
    }
  }
  /* A carry out of the significand moves into the exponent field, up to
     infinity, by itself. */
  return sign + (uint64_t)significand + ((uint64_t)(top + format->bias - 1) << format->fraction);
}

static uint64_t exact_add(const ref_format *format, ref_number x, ref_number y) {
  if (x.kind == REF_INF || y.kind == REF_INF) {
    if (x.kind == y.kind && x.negative != y.negative) {
      return ref_nan_bits(format);
    }
    return ref_inf_bits(format, x.kind == REF_INF ? x.negative : y.negative);
  }
  if (x.kind == REF_ZERO && y.kind == REF_ZERO) {
    return ref_zero_bits(format, x.negative && y.negative);
  }
  if (x.kind == REF_ZERO) x.exponent = y.exponent;
  if (y.kind == REF_ZERO) y.exponent = x.exponent;
  if (x.exponent < y.exponent) {
    const ref_number swapped = x;
    x = y;
    y = swapped;
  }
  const int distance = x.exponent - y.exponent;
  if (distance > 64) {
    /* x >= 2^64 * 2^y.exponent > 2^40 * y: y only breaks ties. Both are
       nonzero, since zeros took the other's exponent. */
    u128 m = (u128)x.significand << 64;
    if (x.negative != y.negative) --m;
    return round_to(format, x.negative, m, x.exponent - 64, 1);
  }
  const u128 mx = (u128)x.significand << distance;
  const u128 my = y.significand;
  if (x.negative == y.negative) {
    return round_to(format, x.negative, mx + my, y.exponent, 0);
  }
  if (mx == my) return ref_zero_bits(format, 0);
  if (mx > my) return round_to(format, x.negative, mx - my, y.exponent, 0);
  return round_to(format, y.negative, my - mx, y.exponent, 0);
}

static uint64_t exact_mul(const ref_format *format, ref_number x, ref_number y) {
  const int negative = x.negative != y.negative;
  if (x.kind == REF_INF || y.kind == REF_INF) {
    if (x.kind == REF_ZERO || y.kind == REF_ZERO) return ref_nan_bits(format);
    return ref_inf_bits(format, negative);
  }
  if (x.kind == REF_ZERO || y.kind == REF_ZERO) {
    return ref_zero_bits(format, negative);
  }
  return round_to(format, negative, (u128)x.significand * y.significand, x.exponent + y.exponent, 0);
}

static uint64_t exact_div(const ref_format *format, ref_number x, ref_number y) {
  const int negative = x.negative != y.negative;
  if (x.kind == y.kind && x.kind != REF_FINITE) return ref_nan_bits(format);
  if (x.kind == REF_INF || y.kind == REF_ZERO) {
    return ref_inf_bits(format, negative);
  }
  if (x.kind == REF_ZERO || y.kind == REF_INF) {
    return ref_zero_bits(format, negative);
  }
  /* The quotient has at least 72 - 24 bits. */
  const u128 dividend = (u128)x.significand << 72;
  return round_to(format, negative, dividend / y.significand, x.exponent - y.exponent - 72,
                  dividend % y.significand != 0);
}

/* The largest r with r * r <= m, bit by bit. */
static uint64_t integer_sqrt(u128 m) {
  u128 root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const u128 trial = root | ((u128)1 << bit);
    if (trial * trial <= m) root = trial;
  }
  return (uint64_t)root;
}

static uint64_t exact_rsqrt(const ref_format *format, ref_number x) {
  if (x.kind == REF_ZERO) return ref_inf_bits(format, x.negative);
  if (x.negative) return ref_nan_bits(format);
  if (x.kind == REF_INF) return ref_zero_bits(format, 0);
  /* x = m * 2^e with e even, 2^24 <= m < 2^26: 1/sqrt(x) = 2^(-e/2 - 48) * q,
     q = sqrt(2^96 / m) > 2^35. Flooring 2^96 / m first does not change
     floor(q), because no square lies between a number and its floor. */
  uint64_t m = x.significand;
  int e = x.exponent;
  while (m < (UINT64_C(1) << 24) || e % 2 != 0) {
    m <<= 1;
    --e;
  }
  const u128 dividend = (u128)1 << 96;
  const uint64_t q = integer_sqrt(dividend / m);
  const int exact = (u128)q * q * m == dividend;
  return round_to(format, 0, q, -e / 2 - 48, !exact);
}

/* x modulo y with the sign of x: a multiple of the smaller unit, below y. */
static uint64_t exact_fmod(const ref_format *format, ref_number x, ref_number y) {
  if (x.kind == REF_INF || y.kind == REF_ZERO) return ref_nan_bits(format);
  if (x.kind == REF_ZERO) return ref_zero_bits(format, x.negative);
  if (y.kind == REF_INF) return round_to(format, x.negative, x.significand, x.exponent, 0);
  u128 rest = x.significand;
  int unit = x.exponent;
  if (unit < y.exponent) {
    /* A y of 2^60 units is larger than x. */
    const int distance = y.exponent - unit;
    if (distance < 60) rest %= (u128)y.significand << distance;
  } else {
    for (rest %= y.significand; unit > y.exponent; --unit) rest = rest * 2 % y.significand;
  }
  if (rest == 0) return ref_zero_bits(format, x.negative);
  return round_to(format, x.negative, rest, unit, 0);
}

/* The same with the sign of y, but of a zero. */
static uint64_t exact_rem(const ref_format *format, ref_number x, ref_number y) {
  const uint64_t truncated = exact_fmod(format, x, y);
  const ref_number r = ref_decode(format, truncated);
  if (r.kind != REF_FINITE || r.negative == y.negative) return truncated;
  return exact_add(format, r, y);
}

uint64_t ref_exact_sqrt(pto_dtype dtype, uint64_t a) {
  const ref_format *format = ref_format_of(dtype);
  const ref_number x = ref_decode(format, a);
  if (x.kind == REF_ZERO) return a & ref_mask(dtype);
  if (x.kind == REF_NAN || x.negative) return ref_nan_bits(format);
  if (x.kind == REF_INF) return ref_inf_bits(format, 0);
  /* x = m * 2^e with e even and m of 80 bits or more: the root has 40. */
  u128 m = (u128)x.significand << 80;
  int e = x.exponent - 80;
  if (e % 2 != 0) {
    m <<= 1;
    --e;
  }
  const uint64_t q = integer_sqrt(m);
  return round_to(format, 0, q, e / 2, (u128)q * q != m);
}

/* A product of at most 48 bits and a number of at most 24. */
static uint64_t exact_sum(const ref_format *format, ref_number product, ref_number z) {
  ref_number x = product;
  ref_number y = z;
  if (x.exponent < y.exponent) {
    x = z;
    y = product;
  }
  const int distance = x.exponent - y.exponent;
  const int opposite = x.negative != y.negative;
  if (distance > 78) {
    /* y is below 2^48 of its unit, so below 2^(48 - distance) of the unit of x; when x is the
       product, y below 2^(24 - distance). y only breaks ties. */
    const int shift = x.significand > UINT64_C(1) << 25 ? 54 : 30;
    return round_to(format, x.negative, ((u128)x.significand << shift) - (u128)opposite, x.exponent - shift, 1);
  }
  const u128 mx = (u128)x.significand << distance;
  const u128 my = y.significand;
  if (!opposite) return round_to(format, x.negative, mx + my, y.exponent, 0);
  if (mx == my) return ref_zero_bits(format, 0);
  if (mx > my) return round_to(format, x.negative, mx - my, y.exponent, 0);
  return round_to(format, y.negative, my - mx, y.exponent, 0);
}

uint64_t ref_exact_count(pto_dtype dtype, uint64_t a, int64_t k) {
  const ref_format *format = ref_format_of(dtype);
  const ref_number x = ref_decode(format, a);
  const ref_number n = {REF_FINITE, k < 0, k < 0 ? 0 - (uint64_t)k : (uint64_t)k, 0};
  if (x.kind == REF_NAN) return ref_nan_bits(format);
  if (x.kind == REF_INF) return a & ref_mask(dtype);
  if (k == 0) return x.kind == REF_ZERO ? 0 : a & ref_mask(dtype);
  if (x.kind == REF_ZERO) return round_to(format, n.negative, n.significand, 0, 0);
  return exact_sum(format, n, x);
}

static uint64_t fma_of(const ref_format *format, ref_number x, ref_number y, ref_number z) {
  if (x.kind == REF_NAN || y.kind == REF_NAN || z.kind == REF_NAN) return ref_nan_bits(format);
  ref_number p = {REF_FINITE, x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent};
  if (x.kind == REF_INF || y.kind == REF_INF) {
    if (x.kind == REF_ZERO || y.kind == REF_ZERO) return ref_nan_bits(format);
    if (z.kind == REF_INF && z.negative != p.negative) return ref_nan_bits(format);
    return ref_inf_bits(format, p.negative);
  }
  if (z.kind == REF_INF) return ref_inf_bits(format, z.negative);
  if (x.kind == REF_ZERO || y.kind == REF_ZERO) {
    if (z.kind == REF_ZERO) return ref_zero_bits(format, p.negative && z.negative);
    return round_to(format, z.negative, z.significand, z.exponent, 0);
  }
  if (z.kind == REF_ZERO) return round_to(format, p.negative, p.significand, p.exponent, 0);
  return exact_sum(format, p, z);
}

uint64_t ref_exact_fma(pto_dtype dtype, uint64_t a, uint64_t b, uint64_t c) {
  const ref_format *format = ref_format_of(dtype);
  return fma_of(format, ref_decode(format, a), ref_decode(format, b), ref_decode(format, c));
}

uint64_t ref_exact_fma_flushed(uint64_t a, uint64_t b, uint64_t c) {
  /* An f32 whose exponent has 12 bits: its results are as with an unbounded exponent. */
  static const ref_format wide = {.width = 36, .fraction = 23, .bias = 2047};
  const ref_format *format = ref_format_of(PTO_DTYPE_F32);
  const uint64_t bits[3] = {a, b, c};
  ref_number x[3];
  for (int i = 0; i < 3; ++i) {
    const int subnormal = (bits[i] & 0x7f800000) == 0;
    x[i] = ref_decode(format, subnormal ? bits[i] & 0x80000000 : bits[i]);
  }
  const ref_number r = ref_decode(&wide, fma_of(&wide, x[0], x[1], x[2]));
  if (r.kind == REF_NAN) return ref_nan_bits(format);
  if (r.kind == REF_INF) return ref_inf_bits(format, r.negative);
  /* A significand of 24 bits: 2^-126 is 2^23 * 2^-149. */
  if (r.kind == REF_ZERO || r.exponent < -149) return ref_zero_bits(format, r.negative);
  return round_to(format, r.negative, r.significand, r.exponent, 0);
}

uint64_t ref_convert(pto_dtype to, pto_dtype from, uint64_t bits) {
  const ref_format *format = ref_format_of(to);
  const ref_number x = ref_decode(ref_format_of(from), bits);
  if (x.kind == REF_NAN) return ref_nan_bits(format);
  if (x.kind == REF_INF) return ref_inf_bits(format, x.negative);
  if (x.kind == REF_ZERO) return ref_zero_bits(format, x.negative);
  return round_to(format, x.negative, x.significand, x.exponent, 0);
}

int ref_exact_apply(ref_fn fn, pto_dtype dtype, uint64_t a, uint64_t b, uint64_t *result) {
  const ref_format *format = ref_format_of(dtype);
  if (format == 0) return 0;
  if (fn == REF_POW || (fn >= REF_EXP && fn <= REF_EXPDIF) || fn >= REF_SQRT) return 0;
  const ref_number x = ref_decode(format, a);
  const ref_number y = ref_decode(format, b);
  *result = ref_nan_bits(format);
  if (fn == REF_PRELU && x.kind != REF_NAN && x.kind != REF_ZERO && !x.negative) {
    *result = a & ref_mask(dtype);
    return 1;
  }
  if (x.kind == REF_NAN) return 1;
  if (fn == REF_RSQRT) {
    *result = exact_rsqrt(format, x);
    return 1;
  }
  if (y.kind == REF_NAN) return 1;
  switch (fn) {
    case REF_ADD:
      *result = exact_add(format, x, y);
      break;
    case REF_DIV:
      *result = exact_div(format, x, y);
      break;
    case REF_REM:
      *result = exact_rem(format, x, y);
      break;
    case REF_FMOD:
      *result = exact_fmod(format, x, y);
      break;
    default:
      *result = exact_mul(format, x, y);
      break;
  }
  return 1;
}
