/* convert.c: elements of one type to another, by the definition: the exact number, rounded once. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "op_table.h"
#include "reference.h"

__extension__ typedef unsigned __int128 u128;

/* significand * 2^-shift as an integer, rounded. */
static uint64_t rounded(uint64_t significand, int shift, int negative, int32_t mode) {
  if (shift > 66) shift = 66;
  const u128 half = (u128)1 << (shift - 1);
  const u128 rest = (u128)significand & (2 * half - 1);
  const uint64_t whole = shift > 63 ? 0 : significand >> shift;
  switch (mode) {
    case PTO_ROUND_ROUND:
      return whole + (rest >= half);
    case PTO_ROUND_FLOOR:
      return whole + (negative && rest != 0);
    case PTO_ROUND_CEIL:
      return whole + (!negative && rest != 0);
    case PTO_ROUND_TRUNC:
      return whole;
    case PTO_ROUND_ODD:
      return whole | (rest != 0);
    default:
      return whole + (rest > half || (rest == half && whole % 2 != 0));
  }
}

/* ---- floats of a byte: 0 and the positive numbers in steps of 2^step ---- */

static int is_small(pto_dtype dtype) { return dtype >= PTO_DTYPE_E4M3; }

/* What a code is, by the tables of the formats; of HiFloat8 the first digits say how long the exponent is. */
static ref_number small_number(pto_dtype dtype, uint64_t code) {
  static const ref_number k_nan = {REF_NAN, 0, 0, 0};
  ref_number n = {REF_FINITE, dtype != PTO_DTYPE_E8M0 && code >= 128, 1, 0};
  const int size = (int)code & 127;
  if (dtype == PTO_DTYPE_E8M0) {
    n.exponent = (int)code - 127;
    return code == 255 ? k_nan : n;
  }
  if (dtype == PTO_DTYPE_HIF8) {
    if (code == 128) return k_nan;
    if (size == 0x6f) n.kind = REF_INF;
    if (size < 8) {
      n.exponent = size - 23;
      if (size == 0) n.kind = REF_ZERO;
    } else if (size < 16) { /* 0001 fff */
      n.significand = 8 + (uint64_t)(size & 7);
      n.exponent = -3;
    } else if (size < 32) { /* 001 s fff */
      n.significand = 8 + (uint64_t)(size & 7);
      n.exponent = ((size & 8) != 0 ? -1 : 1) - 3;
    } else { /* 01 s e fff, 10 s ee ff, 11 s eee f */
      const int more = size / 32;
      const int size_of_exponent = (1 << more) + ((size & 15) >> (4 - more));
      n.significand = (1U << (4 - more)) + ((unsigned)size & ((1U << (4 - more)) - 1));
      n.exponent = ((size & 16) != 0 ? -size_of_exponent : size_of_exponent) - (4 - more);
    }
    return n;
  }
  const int digits = dtype == PTO_DTYPE_E4M3 ? 3 : 2;
  const int field = size >> digits;
  n.significand = (unsigned)size & ((1U << digits) - 1);
  if (dtype == PTO_DTYPE_E4M3 && size == 127) return k_nan;
  if (dtype == PTO_DTYPE_E5M2 && field == 31) {
    if (n.significand != 0) return k_nan;
    n.kind = REF_INF;
  }
  if (field != 0) n.significand += 1U << digits;
  n.exponent = (field == 0 ? 1 : field) - (dtype == PTO_DTYPE_E4M3 ? 7 : 15) - digits;
  if (n.significand == 0) n.kind = REF_ZERO;
  return n;
}

/* As a long double, exactly: 64 digits are enough. */
static long double value_of(const ref_number *n) {
  return n->kind == REF_ZERO ? 0 : n->kind == REF_INF ? HUGE_VALL : ldexpl((long double)n->significand, n->exponent);
}

uint64_t op_as_f32(pto_dtype dtype, uint64_t bits) {
  if (!is_small(dtype)) return ref_convert(PTO_DTYPE_F32, dtype, bits);
  const ref_number n = small_number(dtype, bits);
  if (n.kind == REF_NAN) return ref_nan(PTO_DTYPE_F32);
  const float size = (float)value_of(&n);
  uint32_t code = 0;
  memcpy(&code, &size, sizeof code);
  return code | (uint32_t)n.negative << 31;
}

static uint64_t to_small(pto_dtype dtype, const ref_number *x, int32_t mode, int saturates) {
  const int scale = dtype == PTO_DTYPE_E8M0;
  const uint64_t nan = scale ? 0xff : dtype == PTO_DTYPE_HIF8 ? 0x80 : dtype == PTO_DTYPE_E5M2 ? 0x7e : 0x7f;
  if (x->kind == REF_NAN || (scale && (x->kind == REF_ZERO || x->negative))) return nan;
  /* The neighbours of the size. */
  const long double size = value_of(x);
  uint64_t below = 0;
  uint64_t above = 0;
  uint64_t largest = 0;
  long double low = -1;
  long double high = HUGE_VALL;
  long double most = 0;
  for (uint64_t code = 0; code < (scale ? 255U : 128U); ++code) {
    const ref_number n = small_number(dtype, code);
    if (n.kind == REF_NAN || n.kind == REF_INF) continue;
    const long double v = value_of(&n);
    if (v <= size && v > low) {
      low = v;
      below = code;
    }
    if (v > size && v < high) {
      high = v;
      above = code;
    }
    if (v > most) {
      most = v;
      largest = code;
    }
  }
  const uint64_t sign = !scale && x->negative ? 0x80 : 0;
  const uint64_t infinity = dtype == PTO_DTYPE_E4M3   ? nan
                            : dtype == PTO_DTYPE_HIF8 ? 0x6f
                            : dtype == PTO_DTYPE_E5M2 ? 0x7c
                                                      : nan;
  const uint64_t over = saturates ? sign | largest : infinity == nan ? nan : sign | infinity;
  uint64_t code = below;
  if (low < 0) {
    code = above; /* there is no zero below it */
  } else {
    /* Beyond the largest there is one more number in the same steps, of e8m0 the next power. */
    const long double step = low == most ? (dtype == PTO_DTYPE_E4M3   ? 32
                                            : dtype == PTO_DTYPE_HIF8 ? 16384
                                            : dtype == PTO_DTYPE_E5M2 ? 8192
                                                                      : most)
                                         : high - low;
    if (size >= most + step) return over;
    const long double rest = size - low;
    const int odd = fmodl(low / step, 2) != 0; /* of two powers of two both are */
    int up = 0;
    switch (mode) {
      case PTO_ROUND_ROUND:
        up = rest >= step / 2;
        break;
      case PTO_ROUND_FLOOR:
        up = x->negative && rest > 0;
        break;
      case PTO_ROUND_CEIL:
        up = !x->negative && rest > 0;
        break;
      case PTO_ROUND_TRUNC:
        break;
      case PTO_ROUND_ODD:
        up = rest > 0 && below % 2 == 0; /* the last bit of the code */
        break;
      default:
        up = rest > step / 2 || (rest == step / 2 && odd);
    }
    if (up && low == most) return over;
    if (up) code = above;
  }
  return dtype == PTO_DTYPE_HIF8 && code == 0 ? 0 : sign | code;
}

/* The number that an element is; an integer has an exponent of 0. */
static ref_number number_of(pto_dtype dtype, uint64_t bits) {
  if (is_small(dtype)) return small_number(dtype, bits);
  const ref_format *f = ref_format_of(dtype);
  if (f != NULL) return ref_decode(f, bits);
  const int64_t value = ref_int_value(dtype, bits);
  const int negative = dtype != PTO_DTYPE_U64 && value < 0;
  const ref_number n = {bits == 0 ? REF_ZERO : REF_FINITE, negative, negative ? 0 - (uint64_t)value : (uint64_t)value,
                        0};
  return n;
}

static int length_of(uint64_t m) {
  int bits = 0;
  for (; m != 0; m >>= 1) ++bits;
  return bits;
}

static uint64_t to_float(const ref_format *f, const ref_number *x, int32_t mode, int saturates) {
  const uint64_t infinity = ref_inf_bits(f, 0);
  const uint64_t sign = ref_zero_bits(f, x->negative);
  const uint64_t beyond = sign | (saturates ? infinity - 1 : infinity);
  if (x->kind == REF_NAN) return ref_nan_bits(f);
  if (x->kind == REF_ZERO) return sign;
  if (x->kind == REF_INF) return beyond;
  int top = length_of(x->significand) - 1 + x->exponent;
  if (top < 1 - f->bias) top = 1 - f->bias;
  const int shift = top - f->fraction - x->exponent;
  const uint64_t m = shift <= 0 ? x->significand << -shift : rounded(x->significand, shift, x->negative, mode);
  const uint64_t bits = top > f->bias ? infinity : m + ((uint64_t)(top + f->bias - 1) << f->fraction);
  return bits >= infinity ? beyond : sign | bits;
}

/* A float of its own type becomes integral. */
static uint64_t to_integral(const ref_format *f, uint64_t bits, int32_t mode) {
  const ref_number x = ref_decode(f, bits);
  if (x.kind == REF_NAN) return ref_nan_bits(f);
  if (x.kind != REF_FINITE || x.exponent >= 0) return bits;
  ref_number whole = {REF_FINITE, x.negative, rounded(x.significand, -x.exponent, x.negative, mode), 0};
  if (whole.significand == 0) whole.kind = REF_ZERO;
  return to_float(f, &whole, PTO_ROUND_RINT, 0);
}

static uint64_t to_integer(pto_dtype dtype, const ref_number *x, int32_t mode, int saturates) {
  const uint64_t mask = ref_mask(dtype);
  const int is_signed = ref_int_value(dtype, mask) == -1 && dtype != PTO_DTYPE_U64;
  const uint64_t largest = is_signed ? mask / 2 : mask;
  const uint64_t least = is_signed ? mask - mask / 2 : 0; /* its magnitude too */
  if (x->kind == REF_NAN || x->kind == REF_ZERO) return 0;
  if (x->kind == REF_INF) {
    if (saturates) return x->negative ? least : largest;
    if (dtype == PTO_DTYPE_U64) return x->negative ? 0 : mask;
    return (x->negative ? UINT64_C(1) << 63 : INT64_MAX) & mask;
  }
  const int huge = x->exponent > 0 && length_of(x->significand) + x->exponent > 64;
  const uint64_t size = x->exponent < 0     ? rounded(x->significand, -x->exponent, x->negative, mode)
                        : x->exponent >= 64 ? 0
                                            : x->significand << x->exponent;
  if (saturates && (huge || size > (x->negative ? least : largest))) return x->negative ? least : largest;
  return (x->negative ? 0 - size : size) & mask;
}

static int saturates_by_default(pto_dtype from, pto_dtype to) {
  switch (from) {
    case PTO_DTYPE_F16:
      return to != PTO_DTYPE_U8 && to != PTO_DTYPE_I8 && to != PTO_DTYPE_I16;
    case PTO_DTYPE_F32:
    case PTO_DTYPE_I32:
      return to != PTO_DTYPE_I16;
    case PTO_DTYPE_I64:
      return to != PTO_DTYPE_I32;
    default:
      return 1;
  }
}

uint64_t op_convert(pto_dtype to, pto_dtype from, uint64_t bits, int32_t mode, int saturates) {
  const ref_format *source = ref_format_of(from);
  const ref_format *f = ref_format_of(to);
  const ref_number x = number_of(from, bits);
  if (is_small(to)) {
    if (to == from) {
      ref_number whole = x;
      if (x.kind == REF_FINITE && x.exponent < 0) {
        whole.significand = rounded(x.significand, -x.exponent, x.negative, mode);
        whole.exponent = 0;
        if (whole.significand == 0) whole.kind = REF_ZERO;
      }
      return to_small(to, &whole, mode, 0);
    }
    return to_small(to, &x, mode, saturates);
  }
  if (f == NULL) return to_integer(to, &x, mode, saturates);
  if (is_small(from)) return to_float(f, &x, mode, saturates && from == PTO_DTYPE_E8M0 && to == PTO_DTYPE_F16);
  if (source == f) return to_integral(f, bits, mode);
  /* Infinity stays one where the type loses no range and no digits. */
  const int narrower = source == NULL || f->bias < source->bias || f->fraction < source->fraction;
  return to_float(f, &x, mode, saturates && narrower);
}

static int is_float(pto_dtype dtype) { return ref_format_of(dtype) != NULL || is_small(dtype); }

static uint64_t convert(const op_element *e) {
  const pto_dtype from = e->src_dtype;
  const int32_t none = is_float(from) && !is_float(e->dtype) ? PTO_ROUND_TRUNC
                       : e->dtype == PTO_DTYPE_HIF8          ? PTO_ROUND_ROUND
                                                             : PTO_ROUND_RINT;
  const int32_t mode = e->numbers[0] == PTO_ROUND_NONE ? none : e->numbers[0];
  const int saturates =
      e->numbers[1] == PTO_SAT_DEFAULT ? saturates_by_default(from, e->dtype) : e->numbers[1] == PTO_SAT_ON;
  return op_convert(e->dtype, from, e->src[0], mode, saturates);
}

#define FROM(type) (PTO_DTYPE_##type + 1)
static const op_bits k_convert[] = {
    /* small floats: largest numbers, overflow, subnormals, NaN, ties */
    {PTO_DTYPE_E4M3, {0x43e80000}, 0x7e, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F32)}, /* 464: a tie to 448 */
    {PTO_DTYPE_E4M3, {0x43e80001}, 0x7f, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_E4M3, {0x43e80001}, 0x7e, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_E4M3, {(int32_t)0xff800000}, 0xfe, {PTO_ROUND_NONE, PTO_SAT_DEFAULT}, FROM(F32)},
    {PTO_DTYPE_E4M3, {(int32_t)0xff800000}, 0x7f, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_E4M3, {0x3a800000}, 0, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F32)}, /* 2^-10: half the least */
    {PTO_DTYPE_E4M3, {0x3a800001}, 1, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_E5M2, {0x7bff}, 0x7c, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F16)},
    {PTO_DTYPE_E5M2, {0x7bff}, 0x7b, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F16)},
    {PTO_DTYPE_HIF8, {0x7fc0}, 0x80, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(BF16)},
    {PTO_DTYPE_HIF8, {(int32_t)0x80000000}, 0, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F32)}, /* -0 */
    {PTO_DTYPE_HIF8, {0x3f000000}, 0x18, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F32)},       /* 0.5 */
    {PTO_DTYPE_HIF8, {0x47000000}, 0x6e, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F32)},      /* 32768 */
    {PTO_DTYPE_HIF8, {0x3f880000}, 0x09, {PTO_ROUND_NONE, PTO_SAT_OFF}, FROM(F32)},      /* 17/16, away */
    {PTO_DTYPE_HIF8, {0x3f880000}, 0x08, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},      /* 17/16, to even */
    {PTO_DTYPE_F32, {0x0f}, 0x3ff00000, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(HIF8)},       /* 1.875 */
    {PTO_DTYPE_F32, {0x17}, 0x40700000, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(HIF8)},       /* 3.75 */
    {PTO_DTYPE_F32, {0x7f}, 0x7fc00000, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(E4M3)},
    {PTO_DTYPE_E8M0, {0x40400000}, 0x81, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F32)}, /* 3: between two odd ones */
    {PTO_DTYPE_E8M0, {0}, 0xff, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_F32, {0}, 0x00400000, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(E8M0)},
    /* 2.5 by every mode, and -2.5 */
    {PTO_DTYPE_I32, {0x40200000}, 2, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x40200000}, 2, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x40200000}, 3, {PTO_ROUND_ROUND, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x40200000}, 2, {PTO_ROUND_FLOOR, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x40200000}, 3, {PTO_ROUND_CEIL, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x40200000}, 2, {PTO_ROUND_TRUNC, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x40200000}, 3, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0xc0200000}, -3, {PTO_ROUND_FLOOR, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0xc0200000}, -3, {PTO_ROUND_ROUND, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0xc0200000}, -2, {PTO_ROUND_CEIL, PTO_SAT_ON}, FROM(F32)},
    /* NaN, infinities and too large numbers */
    {PTO_DTYPE_I32, {0x7fc00000}, 0, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x7fc00000}, 0, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_I32, {0x7f800000}, INT32_MAX, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I32, {0x7f800000}, -1, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_I32, {0xff800000}, 0, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_U8, {0x5c60}, 24, {PTO_ROUND_RINT, PTO_SAT_DEFAULT}, FROM(F16)}, /* 280: off by default */
    {PTO_DTYPE_U8, {0x438c0000}, 255, {PTO_ROUND_RINT, PTO_SAT_DEFAULT}, FROM(F32)},
    {PTO_DTYPE_U8, {-1}, 0, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(I16)},
    {PTO_DTYPE_U8, {-1}, 255, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(I16)},
    {PTO_DTYPE_I16, {0x12345}, 0x2345, {PTO_ROUND_RINT, PTO_SAT_DEFAULT}, FROM(I32)},
    {PTO_DTYPE_I64, {-1}, INT64_MAX, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(U64)},
    {PTO_DTYPE_F16, {0x477ff000}, 0x7bff, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)}, /* 65520 */
    {PTO_DTYPE_F16, {0x477ff000}, 0x7c00, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_F16, {0x7f800000}, 0x7bff, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_F16, {0x33000000}, 0, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)}, /* 2 ** -25 */
    {PTO_DTYPE_F16, {0x33000000}, 1, {PTO_ROUND_CEIL, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_F16, {0x33000000}, 1, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_BF16, {0x7fa00001}, 0x7fc0, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_F32, {0x7c01}, 0x7fc00000, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F16)},
    {PTO_DTYPE_F32, {0x0001}, 0x33800000, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F16)},
    {PTO_DTYPE_F32, {16777217}, 0x4b800000, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(I32)},
    {PTO_DTYPE_F32, {16777217}, 0x4b800001, {PTO_ROUND_CEIL, PTO_SAT_ON}, FROM(I32)},
    {PTO_DTYPE_F32, {0x40200000}, 0x40000000, {PTO_ROUND_NONE, PTO_SAT_ON}, FROM(F32)}, /* integral */
    {PTO_DTYPE_F32, {0xbe800000}, (int32_t)0x80000000, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_I8, {-128}, -128, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(I8)},
    {PTO_DTYPE_U16, {-1}, 0xffff, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(U32)},
    {PTO_DTYPE_U32, {0x4f800000}, -1, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_U64, {0x5f800000}, -1, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_U64, {0x5f800000}, 0, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    /* infinities: clamped to the 64-bit range of the type; the largest number of every narrower float */
    {PTO_DTYPE_U64, {0x7f800000}, -1, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_U64, {0xff800000}, 0, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_I64, {0x7f800000}, INT64_MAX, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_I64, {0xff800000}, INT64_MIN, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_E8M0, {0x7f800000}, 0xfe, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_E8M0, {0x7f80}, 0xfe, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(BF16)},
    {PTO_DTYPE_E8M0, {0x7c00}, 0xfe, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F16)},
    {PTO_DTYPE_E8M0, {0x7c}, 0xfe, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(E5M2)},
    {PTO_DTYPE_E8M0, {0x6f}, 0xfe, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(HIF8)},
    {PTO_DTYPE_E8M0, {0x6f}, 0xff, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(HIF8)},
    {PTO_DTYPE_E5M2, {0xef}, 0xfb, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(HIF8)},
    {PTO_DTYPE_BF16, {0x7c00}, 0x7f7f, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F16)},
    {PTO_DTYPE_BF16, {0x7c00}, 0x7f80, {PTO_ROUND_RINT, PTO_SAT_OFF}, FROM(F16)},
    {PTO_DTYPE_F16, {0x7c}, 0x7c00, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(E5M2)}, /* exact, so it stays */
    {PTO_DTYPE_F32, {0x7c00}, 0x7f800000, {PTO_ROUND_RINT, PTO_SAT_ON}, FROM(F16)},
    /* to odd: the last bit of the code; of powers of two it is the exponent's */
    {PTO_DTYPE_E8M0, {0x40400000}, 0x81, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* 3: 2 is 0x80 */
    {PTO_DTYPE_E8M0, {0x3fc00000}, 0x7f, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* 1.5: 1 is 0x7f */
    {PTO_DTYPE_E8M0, {0x40000000}, 0x80, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* exact */
    {PTO_DTYPE_E8M0, {0x003fffff}, 0x00, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* below 2^-127 */
    {PTO_DTYPE_E8M0, {0x00400001}, 0x01, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)},
    {PTO_DTYPE_E8M0, {0x7f000001}, 0xfe, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* 2^128 would be odd */
    {PTO_DTYPE_E8M0, {0x7f000001}, 0xff, {PTO_ROUND_ODD, PTO_SAT_OFF}, FROM(F32)},
    {PTO_DTYPE_HIF8, {0x35400000}, 0x03, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* 1.5 * 2^-21: 2^-21 is 2 */
    {PTO_DTYPE_HIF8, {0x34c00000}, 0x01, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* 1.5 * 2^-22: 2^-22 is 1 */
    {PTO_DTYPE_HIF8, {0x30000000}, 0x01, {PTO_ROUND_ODD, PTO_SAT_ON}, FROM(F32)}, /* below all of them */
};

static const op_entry k_entries[] = {{.name = "tcvt", .element = convert, OP_BITS(k_convert)}};
OP_FAMILY(k_family_convert);
