/*
 * test_math.c: the functions of the math dialect that no instruction computes, against MPFR, bit for bit: every f16 and
 * bf16, and of f32 many, where the functions turn, overflow, become subnormal, or come close to a tie among them. A
 * program computes them from a view of bits to another, under each rounding of the caller's.
 */
#include <fenv.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>

#include "../common/only_op.h"
#include "../tensor/tensor_help.h"

typedef int (*unary)(mpfr_t, const mpfr_t, mpfr_rnd_t);

static const struct {
  const char *name;
  unary of;
  double (*about)(double);
} k_functions[] = {
    {"sin", mpfr_sin, sin},       {"cos", mpfr_cos, cos},       {"tan", mpfr_tan, tan},
    {"asin", mpfr_asin, asin},    {"acos", mpfr_acos, acos},    {"atan", mpfr_atan, atan},
    {"sinh", mpfr_sinh, sinh},    {"cosh", mpfr_cosh, cosh},    {"tanh", mpfr_tanh, tanh},
    {"asinh", mpfr_asinh, asinh}, {"acosh", mpfr_acosh, acosh}, {"atanh", mpfr_atanh, atanh},
    {"expm1", mpfr_expm1, expm1}, {"log1p", mpfr_log1p, log1p}, {"log2", mpfr_log2, log2},
    {"log10", mpfr_log10, log10}, {"cbrt", mpfr_cbrt, cbrt},    {"erf", mpfr_erf, erf},
    {"erfc", mpfr_erfc, erfc},
};
enum { k_count = sizeof k_functions / sizeof *k_functions };

typedef struct {
  const char *name;
  int bits, fraction;
  mpfr_exp_t least, most; /* in MPFR's way of counting: 1/2 <= m < 1 */
} type;
static const type k_types[] = {{"f16", 16, 10, -23, 16}, {"bf16", 16, 7, -132, 128}, {"f32", 32, 23, -148, 128}};

static mpfr_exp_t g_emin, g_emax;

/* A number of the type, from its bits. */
static double value_of(const type *t, uint32_t word) {
  const int exponent_bits = t->bits - 1 - t->fraction;
  const int top = (1 << exponent_bits) - 1;
  const int exponent = (int)(word >> t->fraction) & top;
  const uint32_t fraction = word & ((1U << t->fraction) - 1);
  const double sign = word >> (t->bits - 1) != 0 ? -1 : 1;
  if (exponent == top) return fraction != 0 ? NAN : sign * INFINITY;
  const double whole = exponent == 0 ? (double)fraction : (double)(fraction | 1U << t->fraction);
  return sign * ldexp(whole, (exponent == 0 ? 1 : exponent) - (top >> 1) - t->fraction);
}

/* The bits of what is next to y; all NaN are one. */
static uint32_t bits_of(const type *t, mpfr_t y) {
  const int exponent_bits = t->bits - 1 - t->fraction;
  const uint32_t infinity = ((1U << exponent_bits) - 1) << t->fraction;
  if (mpfr_nan_p(y)) return infinity | 1U << (t->fraction - 1);
  const uint32_t sign = mpfr_signbit(y) ? 1U << (t->bits - 1) : 0;
  mpfr_t narrow;
  mpfr_init2(narrow, t->fraction + 1);
  int ternary = mpfr_set(narrow, y, MPFR_RNDN);
  mpfr_set_emin(t->least);
  mpfr_set_emax(t->most);
  ternary = mpfr_check_range(narrow, ternary, MPFR_RNDN);
  mpfr_subnormalize(narrow, ternary, MPFR_RNDN);
  mpfr_set_emin(g_emin);
  mpfr_set_emax(g_emax);
  const double value = fabs(mpfr_get_d(narrow, MPFR_RNDN));
  mpfr_clear(narrow);
  if (isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = ilogb(value);
  if (exponent < 1 - bias) exponent = 1 - bias;
  const uint32_t whole = (uint32_t)ldexp(value, t->fraction - exponent);
  return sign | (((uint32_t)(exponent + bias - 1) << t->fraction) + whole);
}

static char g_text[1 << 14];
static size_t g_used;
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(g_text + g_used, sizeof g_text - g_used, format, args);
  va_end(args);
  assert_true(n >= 0 && (size_t)n < sizeof g_text - g_used);
  g_used += (size_t)n;
}

/* From n words of %p and of %d to %q: what statements make of %a and %b. */
static void begin(const type *t, int ops) {
  g_used = 0;
  say("func.func @main(%%p: !pto.ptr<i32>, %%d: !pto.ptr<i32>, %%q: !pto.ptr<i32>, %%n: index) {\n"
      " %%c0 = arith.constant 0 : index\n %%c1 = arith.constant 1 : index\n %%ops = arith.constant %d : index\n"
      " scf.for %%i = %%c0 to %%n step %%c1 {\n  %%at = arith.muli %%i, %%ops : index\n"
      "  %%la = pto.load_scalar %%p[%%i] : !pto.ptr<i32> -> i32\n"
      "  %%lb = pto.load_scalar %%d[%%i] : !pto.ptr<i32> -> i32\n",
      ops);
  for (const char *c = "ab"; *c != 0; ++c) {
    if (t->bits == 16) say("  %%w%c = arith.trunci %%l%c : i32 to i16\n", *c, *c);
    say("  %%%c = arith.bitcast %%%c%c : i%d to %s\n", *c, t->bits == 16 ? 'w' : 'l', *c, t->bits, t->name);
  }
}

static void keep(const type *t, int op) {
  say("  %%k%d = arith.constant %d : index\n  %%at%d = arith.addi %%at, %%k%d : index\n", op, op, op, op);
  say("  %%b%d = arith.bitcast %%r%d : %s to i%d\n", op, op, t->name, t->bits);
  if (t->bits == 16) say("  %%x%d = arith.extui %%b%d : i16 to i32\n", op, op);
  say("  pto.store_scalar %%%c%d, %%q[%%at%d] : !pto.ptr<i32>, i32\n", t->bits == 16 ? 'x' : 'b', op, op);
}

static const char k_end[] = " }\n return\n}\n";

static void run(uint32_t *a, uint32_t *b, int64_t n, uint32_t *out, int ops) {
  static const int k_rounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static unsigned turn;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = pto_program_parse(ctx, g_text, (int64_t)g_used, "math");
  uint32_t *const memory[] = {a, b, out};
  static const char *const k_names[] = {"p", "d", "q"};
  for (int i = 0; i < 3; ++i) {
    pto_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.struct_size = (uint32_t)sizeof desc;
    desc.dtype = PTO_DTYPE_I32;
    desc.rank = 1;
    desc.dim0 = i == 2 ? n * ops : n;
    pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory[i], desc.dim0 * 4);
    assert_int_equal(pto_program_bind_tensor(ctx, program, k_names[i], tensor), PTO_OK);
    pto_tensor_release(tensor);
  }
  pto_program_bind_int(ctx, program, "n", n);
  fesetround(k_rounding[turn++ % 4]);
  const pto_status status = pto_program_run(ctx, program, NULL);
  fesetround(FE_TONEAREST);
  if (status != PTO_OK) fail_msg("%s\n%s", pto_context_error_message(ctx), g_text);
  pto_program_release(program);
  pto_context_release(ctx);
}

static uint64_t g_state = 1;
static uint32_t random_word(void) {
  g_state = g_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(g_state >> 32);
}

static void expect(const type *t, const char *name, uint32_t a, uint32_t b, uint32_t got, mpfr_t right) {
  const uint32_t want = bits_of(t, right);
  if (got == want) return;
  fail_msg("%s of %s %#x (%g) and %#x is %#x where %#x is right", name, t->name, a, value_of(t, a), b, got, want);
}

/* The values of f32 whose results come closest to the middle between two: k_each for each of sixteen powers of 2, of
 * either sign where a function is neither odd nor even. hard_words.inc has them; test_math --search finds them, by
 * doubles, which are good enough for that: it tries every value from 2^-12 to 16. */
enum { k_each = 4, k_least = 0x39800000, k_powers_of_2 = 16 };
static const uint32_t k_hard[] = {
#include "hard_words.inc"
};
enum { k_hard_count = sizeof k_hard / sizeof *k_hard };

static void search_one(int op, uint32_t first) {
  uint32_t words[k_each];
  double closest[k_each]; /* in order */
  int kept = 0;
  for (uint32_t word = first; word < first + (1U << 23); ++word) {
    const double y = k_functions[op].about(value_of(&k_types[2], word));
    if (!isfinite(y) || fabs(y) < 0x1p-100) continue;
    int exponent;
    const double units = ldexp(fabs(frexp(y, &exponent)), 24);
    const double off = fabs(units - floor(units) - 0.5);
    /* Only values that doubles cannot distinguish from a tie are that close. */
    if (off < 0x1p-28 || (kept == k_each && off >= closest[k_each - 1])) continue;
    int at = kept < k_each ? kept++ : k_each - 1;
    for (; at > 0 && closest[at - 1] > off; --at) closest[at] = closest[at - 1], words[at] = words[at - 1];
    closest[at] = off;
    words[at] = word;
  }
  for (int i = 0; i < kept; ++i) printf("0x%08X,", words[i]);
}

static int search(void) {
  for (int op = 0; op < k_count; ++op) {
    printf("/* %s */\n", k_functions[op].name);
    const double there = k_functions[op].about(0.3), opposite = k_functions[op].about(-0.3);
    const int alike = fabs(there) == fabs(opposite) || isnan(there) || isnan(opposite);
    for (int sign = 0; sign <= (alike ? 0 : 1); ++sign) {
      for (uint32_t power = 0; power < k_powers_of_2; ++power)
        search_one(op, (uint32_t)sign << 31 | (k_least + (power << 23)));
      printf("\n");
    }
  }
  return 0;
}

/* All of 16 bits, or every ninth; of 32 at random, every exponent alike, and around what functions turn at. */
enum { k_words = 1 << 16, k_wide = 6000 + k_hard_count };
static uint32_t g_words[k_words];
static int words_of(const type *t) {
  if (t->bits == 16) {
    const uint32_t step = in_thorough() ? 1 : 9;
    const uint32_t count = k_words / step;
    for (uint32_t i = 0; i < count; ++i) g_words[i] = i * step;
    return (int)count;
  }
  int n = k_hard_count;
  memcpy(g_words, k_hard, sizeof k_hard);
  static const float k_turns[] = {0.0F,     0x1p-149F,  0x1p-126F,  0.5F,        1.0F,       2.0F,
                                  3.0F,     6.0F,       0x1p24F,    88.72284F,   89.415985F, 9.1744F,
                                  10.0545F, 1.5707964F, 3.1415927F, 0.7853982F,  1000.0F,    0x1p127F,
                                  3.4e38F,  4.0F,       0.29F,      0.70710677F, 27.0F,      1e30F};
  for (size_t i = 0; i < sizeof k_turns / sizeof *k_turns; ++i) {
    uint32_t word;
    memcpy(&word, &k_turns[i], 4);
    for (uint32_t d = 0; d < 9; ++d) {
      g_words[n++] = word + d - (word < 4 ? 0 : 4);
      g_words[n] = g_words[n - 1] ^ 0x80000000U, ++n;
    }
  }
  /* Next to multiples of pi / 2. */
  for (int k = 1; k < 200; ++k) {
    const float near = (float)(k * 1.5707963267948966);
    memcpy(&g_words[n++], &near, 4);
  }
  g_words[n++] = 0x7f800000U, g_words[n++] = 0xff800000U, g_words[n++] = 0x7fc00000U;
  while (n < k_wide) {
    const uint32_t word = random_word();
    g_words[n] = n % 2 == 0 ? word : (word & 0x80ffffffU) | (0x3a000000U + (word >> 1 & 0x07000000U));
    ++n;
  }
  return n;
}

static uint32_t g_results[k_words * k_count];

static void every_function_is_rounded_correctly(void **state) {
  (void)state;
  MPFR_DECL_INIT(x, 64);
  MPFR_DECL_INIT(y, 140);
  for (const type *t = k_types; t < k_types + 3; ++t) {
    const int n = words_of(t);
    begin(t, k_count);
    for (int op = 0; op < k_count; ++op) {
      say("  %%r%d = math.%s %%a : %s\n", op, k_functions[op].name, t->name);
      keep(t, op);
    }
    say("%s", k_end);
    run(g_words, g_words, n, g_results, k_count);
    for (int i = 0; i < n; ++i) {
      mpfr_set_d(x, value_of(t, g_words[i]), MPFR_RNDN);
      for (int op = 0; op < k_count; ++op) {
        k_functions[op].of(y, x, MPFR_RNDN);
        expect(t, k_functions[op].name, g_words[i], 0, g_results[i * k_count + op], y);
      }
    }
  }
}

/* Angles of two numbers, and powers by integers: of each type, pairs of special numbers and of others. */
static void functions_of_two_are_rounded_correctly(void **state) {
  (void)state;
  MPFR_DECL_INIT(x, 64);
  MPFR_DECL_INIT(z, 64);
  mpfr_t y;
  mpfr_init2(y, 700);
  static const double k_special[] = {0,   1,   2,    3,    0.5,     INFINITY, NAN,  1.0009765625, 31,
                                     1.5, 8e3, 1e-3, 6e-8, 6.10e-5, 33,       4097, 1 + 0x1p-23};
  enum { specials = sizeof k_special / sizeof *k_special, all = 2 * specials, pairs = 20000 };
  static const int k_powers[] = {0,  1,   2,   3,    5,       -1,       -2,         -3,          7,  16,
                                 31, -31, 100, -100, 1000003, -1000003, 2147483647, -2147483647, 12, 24};
  enum { powers = sizeof k_powers / sizeof *k_powers };
  static uint32_t a[pairs], b[pairs], out[2 * pairs];
  for (const type *t = k_types; t < k_types + 3; ++t) {
    uint32_t words[all];
    for (int i = 0; i < all; ++i) {
      mpfr_set_d(y, i < specials ? k_special[i] : -k_special[i - specials], MPFR_RNDN);
      words[i] = bits_of(t, y);
    }
    const uint32_t mask = t->bits == 32 ? UINT32_MAX : 0xFFFF;
    for (int i = 0; i < pairs; ++i) {
      a[i] = i < all * all ? words[i / all] : random_word() & mask;
      b[i] = i < all * all ? words[i % all] : random_word() & mask;
    }
    begin(t, 2);
    say("  %%r0 = math.atan2 %%a, %%b : %s\n", t->name);
    keep(t, 0);
    /* The other operand is an integer here. */
    say("  %%r1 = math.fpowi %%a, %%lb : %s, i32\n", t->name);
    keep(t, 1);
    say("%s", k_end);
    run(a, b, pairs, out, 2);
    for (int i = 0; i < pairs; ++i) {
      mpfr_set_d(x, value_of(t, a[i]), MPFR_RNDN);
      mpfr_set_d(z, value_of(t, b[i]), MPFR_RNDN);
      mpfr_set_prec(y, 140);
      mpfr_atan2(y, x, z, MPFR_RNDN);
      expect(t, "atan2", a[i], b[i], out[2 * i], y);
    }
    for (int i = 0; i < pairs; ++i) b[i] = (uint32_t)k_powers[i % powers];
    run(a, b, pairs, out, 2);
    for (int i = 0; i < pairs; ++i) {
      mpfr_set_d(x, value_of(t, a[i]), MPFR_RNDN);
      mpfr_set_prec(y, 700);
      mpfr_pow_si(y, x, (int32_t)b[i], MPFR_RNDN);
      expect(t, "fpowi", a[i], b[i], out[2 * i + 1], y);
    }
  }
  mpfr_clear(y);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--search") == 0) return search();
  g_emin = mpfr_get_emin();
  g_emax = mpfr_get_emax();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_is_rounded_correctly),
      cmocka_unit_test(functions_of_two_are_rounded_correctly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
