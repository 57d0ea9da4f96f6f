/*
 * fixpipe.c: sums that are rectified, scaled and narrowed on their way. The product of a sum and a scale is an integer
 * times a power of two, which 64 bits hold: every rounding is one of integers.
 */
#include <stddef.h>

#include "op_table.h"
#include "reference.h"

/* The fields of a word. */
typedef struct word {
  uint64_t scale; /* an f32 */
  int shift, offset, low;
} word;

static word word_of(uint64_t bits, int by_column) {
  const uint64_t scale = bits & UINT32_MAX;
  const int field = (int)(bits >> 37 & 511);
  const word w = {by_column ? scale >> 13 << 13 : scale, (int)(bits >> 32 & 15) + 1, field > 255 ? field - 512 : field,
                  (bits >> 46 & 1) != 0 ? -128 : 0};
  return w;
}

static uint64_t rectified(pto_dtype dtype, uint64_t sum, int32_t relu) {
  if (relu == PTO_RELU_NO_RELU) return sum;
  if (ref_format_of(dtype) != NULL) return op_relu(dtype, sum);
  return ref_int_value(dtype, sum) < 0 ? 0 : sum;
}

static ref_number number_of(pto_dtype dtype, uint64_t bits) {
  if (ref_format_of(dtype) != NULL) return ref_decode(ref_format_of(dtype), bits);
  const int64_t value = ref_int_value(dtype, bits);
  const ref_number n = {value == 0 ? REF_ZERO : REF_FINITE, value < 0, (uint64_t)(value < 0 ? -value : value), 0};
  return n;
}

static ref_number product(const ref_number *a, const ref_number *b) {
  ref_number p = {REF_FINITE, a->negative != b->negative, 0, 0};
  const int infinite = a->kind == REF_INF || b->kind == REF_INF;
  const int zero = a->kind == REF_ZERO || b->kind == REF_ZERO;
  if (a->kind == REF_NAN || b->kind == REF_NAN || (infinite && zero)) {
    p.kind = REF_NAN;
  } else if (infinite) {
    p.kind = REF_INF;
  } else if (zero) {
    p.kind = REF_ZERO;
  } else {
    p.significand = a->significand * b->significand;
    p.exponent = a->exponent + b->exponent;
  }
  return p;
}

/* significand * 2^-bits, to nearest, ties to even. */
static uint64_t nearest(uint64_t significand, int bits) {
  if (bits <= 0) return significand << -bits;
  if (bits > 63) return 0;
  const uint64_t whole = significand >> bits;
  const uint64_t rest = significand - (whole << bits);
  const uint64_t half = UINT64_C(1) << (bits - 1);
  return whole + (rest > half || (rest == half && (whole & 1) != 0));
}

static int length_of(uint64_t m) {
  int bits = 0;
  for (; m != 0; m >>= 1) ++bits;
  return bits;
}

static uint64_t byte_of(const ref_number *x, const word *w) {
  int64_t whole = 0;
  if (x->kind == REF_INF) {
    whole = 1 << 20;
  } else if (x->kind == REF_FINITE) {
    const int top = length_of(x->significand) + x->exponent;
    whole = top > 20 ? 1 << 20 : (int64_t)nearest(x->significand, -x->exponent);
  }
  if (x->negative) whole = -whole;
  if (whole < -256) whole = -256;
  if (whole > 255) whole = 255;
  whole += w->offset;
  if (whole < w->low) whole = w->low;
  if (whole > w->low + 255) whole = w->low + 255;
  return (uint64_t)whole & 255;
}

/* At most the largest finite number. */
static uint64_t float_of(pto_dtype dtype, const ref_number *x) {
  const ref_format *f = ref_format_of(dtype);
  const uint64_t sign = ref_zero_bits(f, x->negative);
  const uint64_t most = ref_inf_bits(f, 0) - 1;
  if (x->kind == REF_NAN) return ref_nan_bits(f);
  if (x->kind == REF_ZERO) return sign;
  if (x->kind == REF_INF) return dtype == PTO_DTYPE_F32 ? sign | (most + 1) : sign | most;
  int exponent = length_of(x->significand) - 1 + x->exponent;
  if (exponent < 1 - f->bias) exponent = 1 - f->bias;
  if (exponent > f->bias) return dtype == PTO_DTYPE_F32 ? sign | (most + 1) : sign | most;
  /* A subnormal one has a field of 0, and the first bit of others counts as 1 there. */
  const uint64_t significand = nearest(x->significand, exponent - f->fraction - x->exponent);
  const uint64_t bits = significand + ((uint64_t)(exponent + f->bias - 1) << f->fraction);
  return sign | (bits > most ? dtype == PTO_DTYPE_F32 ? most + 1 : most : bits);
}

static uint64_t shifted(uint64_t sum, const word *w) {
  int64_t value = ref_int_value(PTO_DTYPE_I32, sum);
  for (int i = 0; i < w->shift; ++i) value = (value - (value & 1)) / 2;
  if (value < INT16_MIN) value = INT16_MIN;
  if (value > INT16_MAX) value = INT16_MAX;
  return (uint64_t)value & UINT16_MAX;
}

static uint64_t quantised(pto_dtype to, pto_dtype from, uint64_t sum, const word *w) {
  if (to == PTO_DTYPE_I16) return shifted(sum, w);
  const ref_number a = number_of(from, sum);
  const ref_number b = number_of(PTO_DTYPE_F32, w->scale);
  const ref_number p = product(&a, &b);
  return ref_format_of(to) == NULL ? byte_of(&p, w) : float_of(to, &p);
}

/* Of one type bits stay. */
uint64_t op_narrow(pto_dtype to, pto_dtype from, uint64_t bits) {
  return to == from ? bits : op_convert(to, from, bits, PTO_ROUND_RINT, 0);
}

/* Sums that leave an accumulator: halves saturate where they are asked to, and NaN is 0 there. */
uint64_t op_left(pto_dtype to, pto_dtype from, uint64_t bits, int saturates) {
  if (to == from || !saturates) return op_narrow(to, from, bits);
  const int is_nan = (bits & 0x7fffffff) > 0x7f800000;
  return is_nan ? 0 : op_convert(to, from, bits, PTO_ROUND_RINT, 1);
}

uint64_t op_rectified(pto_dtype dtype, uint64_t sum, int32_t relu) { return rectified(dtype, sum, relu); }
uint64_t op_quantised(pto_dtype to, pto_dtype from, uint64_t sum, uint64_t bits, int by_column) {
  const word w = word_of(bits, by_column);
  return quantised(to, from, sum, &w);
}

/* Modes follow the integers of a window; the type of dst leads, or is the other one. */
static int32_t relu_of(const op_element *e, int window) { return e->numbers[window ? 2 : 0]; }

static uint64_t plain(const op_element *e, int window) {
  return op_narrow(e->to, e->src_dtype, rectified(e->src_dtype, e->src[0], relu_of(e, window)));
}
static uint64_t by_word(const op_element *e, int window) {
  const word w = word_of(e->scalar, 0);
  return quantised(e->to, e->src_dtype, rectified(e->src_dtype, e->src[0], relu_of(e, window)), &w);
}
static uint64_t by_words(const op_element *e, int window) {
  const word w = word_of(e->src[1], 1);
  return quantised(e->to, e->src_dtype, rectified(e->src_dtype, e->src[0], relu_of(e, window)), &w);
}
static uint64_t moved_plain(const op_element *e) { return plain(e, 0); }
static uint64_t moved_by_word(const op_element *e) { return by_word(e, 0); }
static uint64_t moved_by_words(const op_element *e) { return by_words(e, 0); }
static uint64_t window_plain(const op_element *e) { return plain(e, 1); }
static uint64_t window_by_word(const op_element *e) { return by_word(e, 1); }
static uint64_t window_by_words(const op_element *e) { return by_words(e, 1); }

#define F(x) PTO_DTYPE_##x + 1
/* A word of a scale, a shift less 1, an offset of 9 bits and signed bytes. */
#define W(scale, shift, offset, sign) \
  ((int64_t)(scale) | (int64_t)(shift) << 32 | (int64_t)(offset) << 37 | (int64_t)(sign) << 46)
#define ONE 0x3f800000
#define HALF 0x3f000000
#define KNOWN_WORDS                                                                                                    \
  /* 1.5 with an offset of 5: rounded first, to 2 */                                                                   \
  {PTO_DTYPE_I8, {0x3fc00000, W(ONE, 0, 5, 1)}, 7, {0}, F(F32)},                                                       \
      {PTO_DTYPE_I8, {0x40200000, W(ONE, 0, 5, 1)}, 7, {0}, F(F32)},          /* 2.5 */                                \
      {PTO_DTYPE_I8, {(int32_t)0xbf000000, W(ONE, 0, 0, 1)}, 0, {0}, F(F32)}, /* -0.5 */                               \
      {PTO_DTYPE_I8, {3, W(HALF, 0, 0, 1)}, 2, {0}, F(I32)},                  /* 1.5 */                                \
      {PTO_DTYPE_I8, {5, W(HALF, 0, 0, 1)}, 2, {0}, F(I32)},                  /* 2.5 */                                \
      {PTO_DTYPE_I8, {-5, W(HALF, 0, 0x1ff, 1)}, -3, {0}, F(I32)},            /* -2.5 - 1 */                           \
      {PTO_DTYPE_I8, {1000000, W(ONE, 0, 0x100, 1)}, -1, {0}, F(I32)},        /* 255 - 256 */                          \
      {PTO_DTYPE_I8, {-1000000, W(ONE, 0, 0xff, 1)}, -1, {0}, F(I32)},        /* -256 + 255 */                         \
      {PTO_DTYPE_I8, {200, W(ONE, 0, 0, 1)}, 127, {0}, F(I32)},                                                        \
      {PTO_DTYPE_I8, {200, W(ONE, 0, 0, 0)}, -56, {0}, F(I32)}, /* 200, by bit 46 */                                   \
      {PTO_DTYPE_U8, {200, W(ONE, 0, 0, 0)}, 200, {0}, F(I32)}, {PTO_DTYPE_U8, {-1, W(ONE, 0, 0, 0)}, 0, {0}, F(I32)}, \
      {PTO_DTYPE_U8, {-1, W(ONE, 0, 0, 1)}, 255, {0}, F(I32)},                  /* -1 */                               \
      {PTO_DTYPE_U8, {-7, W(ONE, 0, 3, 0)}, 3, {PTO_RELU_NORMAL_RELU}, F(I32)}, /* before the offset */                \
      {PTO_DTYPE_U8, {0x7fc00000, W(ONE, 0, 9, 0)}, 9, {0}, F(F32)},            /* NaN is 0 */                         \
      {PTO_DTYPE_U8, {0x7f800000, W(ONE, 0, 0x1f0, 0)}, 239, {0}, F(F32)},      /* 255 - 16 */                         \
      {PTO_DTYPE_I16, {100, W(ONE, 1, 0, 0)}, 25, {0}, F(I32)},                                                        \
      {PTO_DTYPE_I16, {-1, W(ONE, 15, 0, 0)}, -1, {0}, F(I32)},                                                        \
      {PTO_DTYPE_I16, {INT32_MAX, W(ONE, 3, 0, 0)}, INT16_MAX, {0}, F(I32)},                                           \
      {PTO_DTYPE_I16, {-100, W(ONE, 0, 0, 0)}, 0, {PTO_RELU_NORMAL_RELU}, F(I32)},                                     \
      {PTO_DTYPE_F16, {0x47800000, W(ONE, 0, 0, 0)}, 0x7bff, {0}, F(F32)}, /* 65536 */                                 \
      {PTO_DTYPE_F16, {0x7f800000, W(ONE, 0, 0, 0)}, 0x7bff, {0}, F(F32)},                                             \
      {PTO_DTYPE_F16, {2049, W(HALF, 0, 0, 0)}, 0x6400, {0}, F(I32)}, /* 1024.5: a tie */                              \
      {PTO_DTYPE_F16, {0x7f800001, W(ONE, 0, 0, 0)}, 0x7e00, {0}, F(F32)},                                             \
      {PTO_DTYPE_BF16, {-3, W(HALF, 0, 0, 0)}, 0xbfc0, {0}, F(I32)},                                                   \
      {PTO_DTYPE_BF16, {0x3f818000, W(ONE, 0, 0, 0)}, 0x3f82, {0}, F(F32)}, /* a tie */                                \
      {PTO_DTYPE_F32, {0x7f7fffff, W(0x40000000, 0, 0, 0)}, 0x7f800000, {0}, F(F32)},                                  \
      {PTO_DTYPE_F32, {0x7f800001, W(ONE, 0, 0, 0)}, 0x7fc00000, {0}, F(F32)}, {                                       \
    PTO_DTYPE_F32, {3, W(HALF, 0, 0, 0)}, 2, {0}, F(F32) /* 1.5 of the least number: a tie */                          \
  }
static const op_bits k_word[] = {
    KNOWN_WORDS,
    /* 132.5 + 2^-46 and 133.5 - 2^-46: f64 has neither, only the ties beside them. */
    {PTO_DTYPE_U8, {1067591767, W(0x34054367, 0, 0, 0)}, 133, {0}, F(I32)},
    {PTO_DTYPE_U8, {866154149, W(0x34257ed3, 0, 0, 0)}, 133, {0}, F(I32)},
    {PTO_DTYPE_I8, {-1067591767, W(0x34054367, 0, 100, 1)}, -33, {0}, F(I32)},
};
static const op_bits k_words[] = {
    KNOWN_WORDS,
    /* The lower bits of the scale do not count. */
    {PTO_DTYPE_F32, {ONE, W(0x3f801fff, 0, 0, 0)}, ONE, {0}, F(F32)},
};
static const op_bits k_plain[] = {
    {PTO_DTYPE_F32, {0x7f800001}, 0x7f800001, {0}, F(F32)},
    {PTO_DTYPE_F32, {(int32_t)0x80000000}, 0, {PTO_RELU_NORMAL_RELU}, F(F32)},
    {PTO_DTYPE_F32, {(int32_t)0xc0000000}, 0, {PTO_RELU_NORMAL_RELU}, F(F32)},
    {PTO_DTYPE_I32, {-7}, 0, {PTO_RELU_NORMAL_RELU}, F(I32)},
    {PTO_DTYPE_I32, {-7}, -7, {0}, F(I32)},
    {PTO_DTYPE_F16, {0x47889000}, 0x7c00, {0}, F(F32)}, /* 70000: infinity */
    {PTO_DTYPE_F16, {0x7fc00000}, 0x7e00, {0}, F(F32)},
    {PTO_DTYPE_BF16, {0x3f818000}, 0x3f82, {0}, F(F32)},
    {PTO_DTYPE_F16, {(int32_t)0xbf800000}, 0, {PTO_RELU_NORMAL_RELU}, F(F32)},
};

static const op_entry k_entries[] = {
    {.name = "tmov_acc", .element = moved_plain, OP_BITS(k_plain)},
    {.name = "tmov_quant", .element = moved_by_word, OP_BITS(k_word)},
    {.name = "tmov_fp", .element = moved_by_words, OP_BITS(k_words)},
    {.name = "textract_acc", .place = op_extracted, .element = window_plain},
    {.name = "textract_quant", .place = op_extracted, .element = window_by_word},
    {.name = "textract_fp", .place = op_extracted, .element = window_by_words},
    {.name = "tinsert_acc", .place = op_inserted, .element = window_plain},
    {.name = "tinsert_quant", .place = op_inserted, .element = window_by_word},
    {.name = "tinsert_fp", .place = op_inserted, .element = window_by_words},
    {.name = "tstore_acc", .elsewhere = "tests/records/test_store_acc.c"},
    {.name = "tstore_quant", .elsewhere = "tests/records/test_store_acc.c"},
    {.name = "tstore_fp", .elsewhere = "tests/records/test_store_acc.c"},
};
OP_FAMILY(k_family_fixpipe);
