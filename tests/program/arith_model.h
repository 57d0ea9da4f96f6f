/* arith_model.h: what operations of arith and math make of bits: by C's float and double, a search among all 16-bit
 * floats, and integers of 128 bits. */
#ifndef PTO_TESTS_PROGRAM_ARITH_MODEL_H_
#define PTO_TESTS_PROGRAM_ARITH_MODEL_H_

#include <math.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

typedef enum { INT, F16, BF16, F32, F64 } kind;

typedef struct {
  const char *name;
  kind kind;
  int bits;
} type;

static const type k_types[] = {{"i1", INT, 1},   {"i8", INT, 8},     {"i16", INT, 16}, {"i32", INT, 32},
                               {"i64", INT, 64}, {"index", INT, 64}, {"f16", F16, 16}, {"bf16", BF16, 16},
                               {"f32", F32, 32}, {"f64", F64, 64}};
enum { k_type_count = sizeof k_types / sizeof *k_types };

static uint64_t mask(int bits) { return bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1; }

/* Bits as a signed number; one bit is 0 or -1. */
static int64_t signed_of(int bits, uint64_t word) {
  word &= mask(bits);
  return (int64_t)(word >> (bits - 1) & 1 ? word | ~mask(bits) : word);
}

static double f16_value(uint64_t word) {
  const int exponent = (int)(word >> 10 & 31);
  const double fraction = (double)(word & 1023);
  const double size = exponent == 31  ? (fraction == 0 ? HUGE_VAL : NAN)
                      : exponent == 0 ? ldexp(fraction, -24)
                                      : ldexp(1024 + fraction, exponent - 25);
  return word >> 15 & 1 ? -size : size;
}

static double value_of(kind k, uint64_t word) {
  const uint32_t half = (uint32_t)(k == BF16 ? word << 16 : word);
  float single;
  double number;
  switch (k) {
    case F16:
      return f16_value(word);
    case F64:
      memcpy(&number, &word, sizeof number);
      return number;
    default:
      memcpy(&single, &half, sizeof single);
      return (double)single;
  }
}

/* The nearest float of 16 bits: found, not computed. */
static uint64_t nearest16(kind k, long double x) {
  const uint64_t infinity = k == F16 ? 0x7C00 : 0x7F80;
  const uint64_t sign = signbit(x) ? 0x8000 : 0;
  const long double size = fabsl(x);
  uint64_t low = 0;
  uint64_t high = infinity; /* represents the next power of two */
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if ((long double)value_of(k, middle) <= size) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const long double below = (long double)value_of(k, low);
  const long double above = high == infinity ? ldexpl(1, k == F16 ? 16 : 128) : (long double)value_of(k, high);
  const long double middle = below + (above - below) / 2;
  return sign | (size > middle || (size == middle && (low & 1) != 0) ? high : low);
}

/* Bits of the nearest float; `x` is exact, or exact enough for one rounding more. */
static uint64_t bits_of(kind k, long double x) {
  const uint64_t nan[] = {0, 0x7E00, 0x7FC0, 0x7FC00000, UINT64_C(0x7FF8000000000000)};
  if (isnan(x)) return nan[k];
  if (k == F32) {
    const float single = (float)x;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    return word;
  }
  if (k == F64) {
    const double number = (double)x;
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return word;
  }
  return nearest16(k, x);
}

static uint64_t arithmetic(const char *op, kind k, uint64_t wa, uint64_t wb) {
  const double a = value_of(k, wa);
  const double b = value_of(k, wb);
  volatile float fa = (float)a;
  volatile float fb = (float)b;
  const int narrow = k == F32;
  volatile double r = 0;
  const int zeros = a == 0 && b == 0;
  const int a_less = zeros ? signbit(a) && !signbit(b) : a < b;
  if (strcmp(op, "addf") == 0) r = narrow ? (double)(float)(fa + fb) : a + b;
  if (strcmp(op, "subf") == 0) r = narrow ? (double)(float)(fa - fb) : a - b;
  if (strcmp(op, "mulf") == 0) r = narrow ? (double)(float)(fa * fb) : a * b;
  if (strcmp(op, "divf") == 0) r = narrow ? (double)(float)(fa / fb) : a / b;
  if (strcmp(op, "remf") == 0) r = narrow ? (double)fmodf(fa, fb) : fmod(a, b);
  if (strcmp(op, "maximumf") == 0) r = isnan(a) || isnan(b) ? NAN : a_less ? b : a;
  if (strcmp(op, "minimumf") == 0) r = isnan(a) || isnan(b) ? NAN : a_less ? a : b;
  if (strcmp(op, "maxnumf") == 0) r = isnan(a) ? b : isnan(b) ? a : a_less ? b : a;
  if (strcmp(op, "minnumf") == 0) r = isnan(a) ? b : isnan(b) ? a : a_less ? a : b;
  return bits_of(k, r);
}

/* The truth of a predicate where a is less, equal, greater, or not ordered. */
static const struct {
  const char *name;
  const char *truth;
} k_float_predicates[] = {{"false", "0000"}, {"oeq", "0100"}, {"ogt", "0010"}, {"oge", "0110"},
                          {"olt", "1000"},   {"ole", "1100"}, {"one", "1010"}, {"ord", "1110"},
                          {"ueq", "0101"},   {"ugt", "0011"}, {"uge", "0111"}, {"ult", "1001"},
                          {"ule", "1101"},   {"une", "1011"}, {"uno", "0001"}, {"true", "1111"}},
  k_int_predicates[] = {{"eq", "010"},  {"ne", "101"},  {"slt", "100"}, {"sle", "110"}, {"sgt", "001"},
                        {"sge", "011"}, {"ult", "100"}, {"ule", "110"}, {"ugt", "001"}, {"uge", "011"}};

static uint64_t integers(const char *op, int bits, uint64_t wa, uint64_t wb) {
  const uint64_t ua = wa & mask(bits);
  const uint64_t ub = wb & mask(bits);
  const wide a = signed_of(bits, wa);
  const wide b = signed_of(bits, wb);
  const wide na = ua;
  const wide nb = ub;
  wide r = 0;
  if (strcmp(op, "addi") == 0) r = a + b;
  if (strcmp(op, "subi") == 0) r = a - b;
  if (strcmp(op, "muli") == 0) r = (wide)((uwide)na * (uwide)nb);
  if (strcmp(op, "andi") == 0) r = na & nb;
  if (strcmp(op, "ori") == 0) r = na | nb;
  if (strcmp(op, "xori") == 0) r = na ^ nb;
  if (strcmp(op, "minsi") == 0) r = a < b ? a : b;
  if (strcmp(op, "maxsi") == 0) r = a < b ? b : a;
  if (strcmp(op, "minui") == 0) r = na < nb ? na : nb;
  if (strcmp(op, "maxui") == 0) r = na < nb ? nb : na;
  if (strcmp(op, "shli") == 0) r = nb >= bits ? 0 : (wide)((uwide)na << nb);
  if (strcmp(op, "shrui") == 0) r = nb >= bits ? 0 : na >> nb;
  if (strcmp(op, "shrsi") == 0) r = a >> (nb >= bits ? bits - 1 : (int)nb);
  if (b != 0) {
    const wide floor = a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
    if (strcmp(op, "divsi") == 0) r = a / b;
    if (strcmp(op, "remsi") == 0) r = a % b;
    if (strcmp(op, "floordivsi") == 0) r = floor;
    if (strcmp(op, "ceildivsi") == 0) r = floor * b == a ? floor : floor + 1;
    if (strcmp(op, "divui") == 0) r = na / nb;
    if (strcmp(op, "remui") == 0) r = na % nb;
    if (strcmp(op, "ceildivui") == 0) r = (na + nb - 1) / nb;
  }
  return (uint64_t)(uwide)r & mask(bits);
}

/* a * b + c, rounded once: C's own for two types; of the others the product is exact, and what the sum loses
 * decides if it is in the middle between two numbers. */
static uint64_t fused(kind k, double a, double b, double c) {
  if (k == F32) return bits_of(k, (long double)fmaf((float)a, (float)b, (float)c));
  if (k == F64) return bits_of(k, (long double)fma(a, b, c));
  const double product = a * b;
  const double sum = product + c;
  if (isnan(sum) || isinf(sum) || product + c == 0) return bits_of(k, (long double)sum);
  const double large = fabs(product) > fabs(c) ? product : c;
  const double rest = (large - sum) + (large == product ? c : product);
  uint64_t toward_zero = nearest16(k, (long double)sum) & 0x7FFF;
  /* Downwards to the last number not above the sum; then by hand. */
  while ((long double)value_of(k, toward_zero) > fabsl((long double)sum)) --toward_zero;
  const uint64_t infinity = k == F16 ? 0x7C00 : 0x7F80;
  const uint64_t sign = signbit(sum) ? 0x8000 : 0;
  if (toward_zero == infinity) return sign | infinity;
  const double below = value_of(k, toward_zero);
  const double above = toward_zero + 1 == infinity ? ldexp(1, k == F16 ? 16 : 128) : value_of(k, toward_zero + 1);
  const double middle = below + (above - below) / 2;
  const double more = signbit(sum) ? -rest : rest;
  const int up = fabs(sum) > middle || (fabs(sum) == middle && (more > 0 || (more == 0 && (toward_zero & 1) != 0)));
  return sign | (toward_zero + (uint64_t)up);
}

static double halves_to_even(double x) {
  const double below = floor(x);
  const double rest = x - below;
  const double even = fmod(below, 2) == 0 ? below : below + 1;
  return copysign(isinf(x) || rest == 0 ? x : rest < 0.5 ? below : rest > 0.5 ? below + 1 : even, x);
}

static double function_of(const char *op, double a, double b) {
  if (strcmp(op, "absf") == 0) return fabs(a);
  if (strcmp(op, "ceil") == 0) return ceil(a);
  if (strcmp(op, "floor") == 0) return floor(a);
  if (strcmp(op, "trunc") == 0) return trunc(a);
  if (strcmp(op, "round") == 0) return a < 0 ? -floor(0.5 - a) : copysign(fabs(a) < 0.5 ? 0 : floor(a + 0.5), a);
  if (strcmp(op, "roundeven") == 0) return halves_to_even(a);
  if (strcmp(op, "sqrt") == 0) return sqrt(a);
  if (strcmp(op, "exp") == 0) return exp(a);
  if (strcmp(op, "exp2") == 0) return exp2(a);
  if (strcmp(op, "log") == 0) return log(a);
  if (strcmp(op, "rsqrt") == 0) return 1 / sqrt(a);
  if (strcmp(op, "copysign") == 0) return copysign(a, b);
  return pow(a, b);
}

/* To the power of a small integer, by repeated products. */
static uint64_t power_of(int bits, uint64_t base, int64_t exponent) {
  const int64_t number = signed_of(bits, base);
  if (exponent < 0) return (number == 1 ? 1 : number == -1 ? (exponent % 2 == 0 ? 1 : UINT64_MAX) : 0) & mask(bits);
  uint64_t power = 1;
  while (exponent-- > 0) power *= (uint64_t)number;
  return power & mask(bits);
}

#endif /* PTO_TESTS_PROGRAM_ARITH_MODEL_H_ */
