/*
 * test_arith.c: every operation of arith on every type it takes, on pairs of values at the
 * borders of that type, against a model of its own: C's float and double, a search among all
 * 16-bit floats, and 128-bit integers; of math against C's functions of double, rounded. A program reads bits, computes
 * and stores bits.
 */
#include <fenv.h>
#include <stdio.h>

#include "../tensor/tensor_help.h"
#include "arith_model.h"

/* ---- values ---- */

/* Patterns at the borders of a type, and some between. */
static int patterns(const type *t, uint64_t *out) {
  int n = 0;
  if (t->kind == INT) {
    const uint64_t top = UINT64_C(1) << (t->bits - 1);
    const uint64_t words[] = {0,
                              1,
                              2,
                              3,
                              7,
                              8,
                              31,
                              63,
                              64,
                              100,
                              top - 1,
                              top,
                              top + 1,
                              top >> 1,
                              ~UINT64_C(0),
                              ~UINT64_C(1),
                              ~UINT64_C(6),
                              UINT64_C(0x0123456789ABCDEF)};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) out[n++] = words[i] & mask(t->bits);
    return n;
  }
  const int fraction = t->kind == F16 ? 10 : t->kind == BF16 ? 7 : t->kind == F32 ? 23 : 52;
  const uint64_t one = (mask(t->bits - 1 - fraction) >> 1) << fraction;
  const uint64_t infinity = mask(t->bits - 1 - fraction) << fraction;
  const uint64_t third = one - (UINT64_C(2) << fraction) + (mask(fraction) / 3 + 1);
  const uint64_t sizes[] = {0,
                            1,
                            mask(fraction),
                            UINT64_C(1) << fraction,
                            one,
                            one + 1,
                            one - 1,
                            third,
                            one + (UINT64_C(1) << fraction),
                            one + (UINT64_C(5) << (fraction - 1)),
                            one + (UINT64_C(7) << fraction) + 3,
                            infinity - 1,
                            infinity,
                            infinity + (UINT64_C(1) << (fraction - 1))};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    out[n++] = sizes[i];
    out[n++] = sizes[i] | UINT64_C(1) << (t->bits - 1);
  }
  return n;
}

/* ---- programs ---- */

enum { k_most = 40, k_most_ops = 40 };

static char g_text[1 << 16];
static size_t g_used;
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(g_text + g_used, sizeof g_text - g_used, format, args);
  va_end(args);
  assert_true(n >= 0 && (size_t)n < sizeof g_text - g_used);
  g_used += (size_t)n;
}

/* %NAME, of type t, from the 64 bits %l_NAME. */
static void narrow(const type *t, const char *name) {
  char word[8];
  snprintf(word, sizeof word, "l%s", name);
  if (strcmp(t->name, "index") == 0) {
    say("  %%%s = arith.index_cast %%%s : i64 to index\n", name, word);
    return;
  }
  if (t->bits < 64) {
    snprintf(word, sizeof word, t->kind == INT ? "%s" : "w%s", name);
    say("  %%%s = arith.trunci %%l%s : i64 to i%d\n", word, name, t->bits);
  } else if (t->kind == INT) {
    say("  %%%s = arith.ori %%%s, %%%s : i64\n", name, word, word);
  }
  if (t->kind != INT) say("  %%%s = arith.bitcast %%%s : i%d to %s\n", name, word, t->bits, t->name);
}

/* Stores %r_, of type t, as the op-th result of this round. */
static void keep(const type *t, int op) {
  char word[32];
  if (t->kind == INT) {
    snprintf(word, sizeof word, "r%d", op);
  } else {
    say("  %%b%d = arith.bitcast %%r%d : %s to i%d\n", op, op, t->name, t->bits);
    snprintf(word, sizeof word, "b%d", op);
  }
  char whole[32];
  snprintf(whole, sizeof whole, "x%d", op);
  if (strcmp(t->name, "index") == 0) {
    say("  %%%s = arith.index_cast %%%s : index to i64\n", whole, word);
  } else if (t->bits < 64) {
    say("  %%%s = arith.extui %%%s : i%d to i64\n", whole, word, t->bits);
  } else {
    snprintf(whole, sizeof whole, "%s", word);
  }
  say("  %%k%d = arith.constant %d : index\n  %%at%d = arith.addi %%at, %%k%d : index\n", op, op, op, op);
  say("  pto.store_scalar %%%s, %%q[%%at%d] : !pto.ptr<i64>, i64\n", whole, op);
}

static void begin(const type *t, int ops) {
  g_used = 0;
  say("func.func @main(%%p: !pto.ptr<i64>, %%d: !pto.ptr<i64>, %%q: !pto.ptr<i64>, %%n: index, %%m: index) {\n"
      " %%c0 = arith.constant 0 : index\n %%c1 = arith.constant 1 : index\n %%ops = arith.constant %d : index\n"
      " scf.for %%i = %%c0 to %%n step %%c1 {\n scf.for %%j = %%c0 to %%m step %%c1 {\n"
      "  %%row = arith.muli %%i, %%m : index\n  %%pair = arith.addi %%row, %%j : index\n"
      "  %%at = arith.muli %%pair, %%ops : index\n"
      "  %%la = pto.load_scalar %%p[%%i] : !pto.ptr<i64> -> i64\n"
      "  %%lb = pto.load_scalar %%d[%%j] : !pto.ptr<i64> -> i64\n",
      ops);
  narrow(t, "a");
  narrow(t, "b");
}

static uint64_t g_results[k_most * k_most * k_most_ops];

static void run(uint64_t *a, int64_t n, uint64_t *b, int64_t m, int ops) {
  say(" }\n }\n return\n}\n");
  pto_context *ctx = context(PTO_PROFILE_CPU);
  /* The caller's rounding does not matter to programs, and is left as it was. */
  static const int rounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static unsigned turn;
  const int callers = rounding[turn++ % 4];
  fesetround(callers);
  pto_program *program = pto_program_parse(ctx, g_text, (int64_t)g_used, "arith");
  uint64_t *const memory[] = {a, b, g_results};
  const int64_t counts[] = {n, m, n * m * ops};
  static const char *const names[] = {"p", "d", "q"};
  assert_true(counts[2] <= (int64_t)(sizeof g_results / sizeof *g_results));
  memset(g_results, 0xA5, sizeof g_results);
  for (int i = 0; i < 3; ++i) {
    pto_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.struct_size = (uint32_t)sizeof desc;
    desc.dtype = PTO_DTYPE_I64;
    desc.rank = 1;
    desc.dim0 = counts[i];
    pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory[i], counts[i] * 8);
    assert_int_equal(pto_program_bind_tensor(ctx, program, names[i], tensor), PTO_OK);
    pto_tensor_release(tensor);
  }
  pto_program_bind_int(ctx, program, "n", n);
  pto_program_bind_int(ctx, program, "m", m);
  if (pto_program_run(ctx, program, NULL) != PTO_OK) fail_msg("%s\n%s", pto_context_error_message(ctx), g_text);
  pto_program_release(program);
  pto_context_release(ctx);
  assert_int_equal(fegetround(), callers);
  fesetround(FE_TONEAREST);
}

/* A number in the text, and in what is printed. */
static void rounding_of_texts(void **state) {
  (void)state;
  for (int turn = 0; turn < 4; ++turn) {
    g_used = 0;
    say("func.func @main(%%p: !pto.ptr<i64>, %%d: !pto.ptr<i64>, %%q: !pto.ptr<i64>, %%n: index, %%m: index) {\n"
        " %%c0 = arith.constant 0 : index\n %%a = arith.constant 0.1 : f64\n %%b = arith.bitcast %%a : f64 to i64\n"
        " pto.store_scalar %%b, %%q[%%c0] : !pto.ptr<i64>, i64\n scf.for %%i = %%c0 to %%n step %%n {\n"
        " scf.for %%j = %%c0 to %%m step %%m {\n");
    uint64_t none = 0;
    run(&none, 1, &none, 1, 1);
    assert_true(g_results[0] == UINT64_C(0x3FB999999999999A));
  }
}

static void expect_bits(const char *what, const char *from, const char *to, uint64_t a, uint64_t b, uint64_t got,
                        uint64_t want) {
  if (got == want) return;
  fail_msg("%s from %s to %s of %#llx and %#llx is %#llx where %#llx is right", what, from, to, (unsigned long long)a,
           (unsigned long long)b, (unsigned long long)got, (unsigned long long)want);
}

static int is_nan(kind k, uint64_t word) { return isnan(value_of(k, word)); }

static void floats(void **state) {
  (void)state;
  static const char *const ops[] = {"addf",     "subf",     "mulf",    "divf",   "remf",
                                    "maximumf", "minimumf", "maxnumf", "minnumf"};
  enum { count = sizeof ops / sizeof *ops, predicates = sizeof k_float_predicates / sizeof *k_float_predicates };
  const type i1 = k_types[0];
  for (const type *t = k_types; t < k_types + k_type_count; ++t) {
    if (t->kind == INT) continue;
    uint64_t words[k_most];
    const int n = patterns(t, words);
    begin(t, count + predicates + 2);
    for (int op = 0; op < count; ++op) {
      say("  %%r%d = arith.%s %%a, %%b : %s\n", op, ops[op], t->name);
      keep(t, op);
    }
    for (int p = 0; p < predicates; ++p) {
      say("  %%r%d = arith.cmpf %s, %%a, %%b : %s\n", count + p, k_float_predicates[p].name, t->name);
      keep(&i1, count + p);
    }
    say("  %%r%d = arith.negf %%a : %s\n", count + predicates, t->name);
    keep(t, count + predicates);
    say("  %%r%d = arith.select %%r%d, %%a, %%b : %s\n", count + predicates + 1, count + 4, t->name);
    keep(t, count + predicates + 1);
    run(words, n, words, n, count + predicates + 2);
    const uint64_t *got = g_results;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j, got += count + predicates + 2) {
        const uint64_t a = words[i];
        const uint64_t b = words[j];
        const double x = value_of(t->kind, a);
        const double y = value_of(t->kind, b);
        for (int op = 0; op < count; ++op) {
          uint64_t want = arithmetic(ops[op], t->kind, a, b);
          if (op >= 7 && is_nan(t->kind, want) && is_nan(t->kind, got[op])) want = got[op]; /* either of two NaN */
          expect_bits(ops[op], t->name, t->name, a, b, got[op], want);
        }
        const int relation = isnan(x) || isnan(y) ? 3 : x < y ? 0 : x == y ? 1 : 2;
        for (int p = 0; p < predicates; ++p) {
          expect_bits(k_float_predicates[p].name, t->name, "i1", a, b, got[count + p],
                      k_float_predicates[p].truth[relation] == '1');
        }
        expect_bits("negf", t->name, t->name, a, b, got[count + predicates], a ^ UINT64_C(1) << (t->bits - 1));
        expect_bits("select", t->name, t->name, a, b, got[count + predicates + 1], relation == 0 ? a : b);
      }
    }
  }
}

/* ---- math ---- */

static void functions(void **state) {
  (void)state;
  static const char *const ops[] = {"absf",     "ceil", "floor", "trunc", "round", "roundeven", "sqrt",
                                    "copysign", "exp",  "exp2",  "log",   "rsqrt", "powf"};
  static const char *const fused_of[] = {"%a, %b, %a", "%a, %a, %b", "%b, %a, %b", "%b, %b, %a"};
  enum { all = sizeof ops / sizeof *ops, wide_too = 8, combinations = 4 };
  for (const type *t = k_types; t < k_types + k_type_count; ++t) {
    if (t->kind == INT) continue;
    uint64_t words[k_most];
    int n = patterns(t, words);
    /* Products and halves in the middle between two numbers: 4097 squared has 25 bits, 47 * 87 has 12. */
    const float more[] = {4097, 47, 87, 2.5F, -3.5F, 17.0F, 0x1p-20F};
    for (size_t i = 0; i < sizeof more / sizeof *more; ++i) words[n++] = bits_of(t->kind, (long double)more[i]);
    const int count = t->kind == F64 ? wide_too : all;
    begin(t, count + combinations);
    for (int op = 0; op < count; ++op) {
      const int pair = strcmp(ops[op], "copysign") == 0 || strcmp(ops[op], "powf") == 0;
      say("  %%r%d = math.%s %%a%s : %s\n", op, ops[op], pair ? ", %b" : "", t->name);
      keep(t, op);
    }
    for (int c = 0; c < combinations; ++c) {
      say("  %%r%d = math.fma %s : %s\n", count + c, fused_of[c], t->name);
      keep(t, count + c);
    }
    run(words, n, words, n, count + combinations);
    const uint64_t *got = g_results;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j, got += count + combinations) {
        const double a = value_of(t->kind, words[i]);
        const double b = value_of(t->kind, words[j]);
        for (int op = 0; op < count; ++op) {
          const uint64_t want = bits_of(t->kind, (long double)function_of(ops[op], a, b));
          if (is_nan(t->kind, want) && is_nan(t->kind, got[op])) continue;
          expect_bits(ops[op], t->name, t->name, words[i], words[j], got[op], want);
        }
        const double operands[][3] = {{a, b, a}, {a, a, b}, {b, a, b}, {b, b, a}};
        for (int c = 0; c < combinations; ++c) {
          const uint64_t want = fused(t->kind, operands[c][0], operands[c][1], operands[c][2]);
          if (is_nan(t->kind, want) && is_nan(t->kind, got[count + c])) continue;
          expect_bits(fused_of[c], t->name, t->name, words[i], words[j], got[count + c], want);
        }
      }
    }
  }
}

static void bits_of_integers(void **state) {
  (void)state;
  static const char *const ops[] = {"absi", "ctlz", "cttz", "ctpop"};
  for (const type *t = k_types; t < k_types + k_type_count; ++t) {
    if (t->kind != INT) continue;
    uint64_t words[k_most];
    const int n = patterns(t, words);
    begin(t, 4);
    for (int op = 0; op < 4; ++op) {
      say("  %%r%d = math.%s %%a : %s\n", op, ops[op], t->name);
      keep(t, op);
    }
    run(words, n, words, 1, 4);
    for (int i = 0; i < n; ++i) {
      uint64_t want[4] = {0};
      const int64_t x = signed_of(t->bits, words[i]);
      want[0] = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
      int first = t->bits;
      int last = -1;
      for (int bit = 0; bit < t->bits; ++bit) {
        if ((words[i] >> bit & 1) == 0) continue;
        last = bit;
        if (first == t->bits) first = bit;
        ++want[3];
      }
      want[1] = (uint64_t)(t->bits - 1 - last);
      want[2] = (uint64_t)first;
      for (int op = 0; op < 4; ++op) {
        expect_bits(ops[op], t->name, t->name, words[i], 0, g_results[i * 4 + op], want[op] & mask(t->bits));
      }
    }
  }
}

static void whole_numbers(void **state) {
  (void)state;
  static const char *const ops[] = {"addi",  "subi",       "muli",      "andi",  "ori",   "xori",     "minsi",
                                    "maxsi", "minui",      "maxui",     "shli",  "shrui", "shrsi",    "divsi",
                                    "remsi", "floordivsi", "ceildivsi", "divui", "remui", "ceildivui"};
  enum { count = sizeof ops / sizeof *ops, first_division = 13 };
  enum { predicates = sizeof k_int_predicates / sizeof *k_int_predicates };
  const type i1 = k_types[0];
  for (const type *t = k_types; t < k_types + k_type_count; ++t) {
    if (t->kind != INT) continue;
    for (int divides = 0; divides < 2; ++divides) {
      uint64_t words[k_most];
      uint64_t others[k_most];
      const int n = patterns(t, words);
      int m = 0;
      for (int i = 0; i < n; ++i) {
        if (!divides || words[i] != 0) others[m++] = words[i];
      }
      const int from = divides ? first_division : 0;
      const int of = (divides ? count : first_division) - from;
      begin(t, of + predicates);
      for (int op = 0; op < of; ++op) {
        say("  %%r%d = arith.%s %%a, %%b : %s\n", op, ops[from + op], t->name);
        keep(t, op);
      }
      for (int p = 0; p < predicates; ++p) {
        say("  %%r%d = arith.cmpi %s, %%a, %%b : %s\n", of + p, k_int_predicates[p].name, t->name);
        keep(&i1, of + p);
      }
      run(words, n, others, m, of + predicates);
      const uint64_t *got = g_results;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j, got += of + predicates) {
          const uint64_t a = words[i];
          const uint64_t b = others[j];
          for (int op = 0; op < of; ++op) {
            expect_bits(ops[from + op], t->name, t->name, a, b, got[op], integers(ops[from + op], t->bits, a, b));
          }
          for (int p = 0; p < predicates; ++p) {
            const int64_t x = signed_of(t->bits, a);
            const int64_t y = signed_of(t->bits, b);
            const int less = k_int_predicates[p].name[0] == 'u' ? a < b : x < y;
            expect_bits(k_int_predicates[p].name, t->name, "i1", a, b, got[of + p],
                        k_int_predicates[p].truth[a == b ? 1
                                                  : less ? 0
                                                         : 2] == '1');
          }
        }
      }
    }
  }
}

/* Sums with their carry, products in two halves, powers by an integer. */
static void wide_results(void **state) {
  (void)state;
  static const int k_exponents[] = {0, 1, 2, 3, 7, 63, -1, -2, -3};
  enum { powers = sizeof k_exponents / sizeof *k_exponents, halves = 6 };
  const type i1 = k_types[0];
  for (const type *t = k_types; t < k_types + k_type_count; ++t) {
    if (t->kind != INT) continue;
    uint64_t words[k_most];
    uint64_t bases[k_most];
    const int n = patterns(t, words);
    int m = 0;
    for (int i = 0; i < n; ++i) {
      if (words[i] != 0) bases[m++] = words[i];
    }
    const int count = halves + (t->bits == 1 ? 0 : powers);
    begin(t, count);
    say("  %%r0, %%r1 = arith.addui_extended %%a, %%b : %s, i1\n", t->name);
    say("  %%r2, %%r3 = arith.mulsi_extended %%a, %%b : %s\n", t->name);
    say("  %%r4, %%r5 = arith.mului_extended %%a, %%b : %s\n", t->name);
    for (int op = 0; op < halves; ++op) keep(op == 1 ? &i1 : t, op);
    for (int op = halves; op < count; ++op) {
      say("  %%e%d = arith.constant %d : %s\n", op, k_exponents[op - halves], t->name);
      say("  %%r%d = math.ipowi %%b, %%e%d : %s\n", op, op, t->name);
      keep(t, op);
    }
    run(words, n, bases, m, count);
    const uint64_t *got = g_results;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j, got += count) {
        const uint64_t a = words[i];
        const uint64_t b = bases[j];
        const uwide sum = (uwide)a + b;
        const uwide product = (uwide)a * b;
        const wide signed_product = (wide)signed_of(t->bits, a) * signed_of(t->bits, b);
        const uint64_t want[halves] = {(uint64_t)sum & mask(t->bits),
                                       (uint64_t)(sum >> t->bits) & 1,
                                       (uint64_t)signed_product & mask(t->bits),
                                       (uint64_t)(signed_product >> t->bits) & mask(t->bits),
                                       (uint64_t)product & mask(t->bits),
                                       (uint64_t)(product >> t->bits) & mask(t->bits)};
        for (int op = 0; op < halves; ++op) expect_bits("a half", t->name, t->name, a, b, got[op], want[op]);
        for (int op = halves; op < count; ++op) {
          expect_bits("ipowi", t->name, t->name, b, (uint64_t)k_exponents[op - halves], got[op],
                      power_of(t->bits, b, k_exponents[op - halves]));
        }
      }
    }
  }
}

/* The kind of a number, for every pattern of the other tests. */
static void kinds_of_floats(void **state) {
  (void)state;
  static const char *const k_tests[] = {"isfinite", "isinf", "isnan", "isnormal"};
  const type i1 = k_types[0];
  for (const type *t = k_types; t < k_types + k_type_count; ++t) {
    if (t->kind == INT) continue;
    uint64_t words[k_most];
    const int n = patterns(t, words);
    begin(t, 4);
    for (int op = 0; op < 4; ++op) {
      say("  %%r%d = math.%s %%a : %s\n", op, k_tests[op], t->name);
      keep(&i1, op);
    }
    run(words, n, words, 1, 4);
    const double least = t->kind == F16 ? 0x1p-14 : t->kind == F64 ? 0x1p-1022 : 0x1p-126;
    for (int i = 0; i < n; ++i) {
      const double a = value_of(t->kind, words[i]);
      const int want[] = {!isnan(a) && !isinf(a), isinf(a) != 0, isnan(a) != 0, fabs(a) >= least && !isinf(a)};
      for (int op = 0; op < 4; ++op) {
        expect_bits(k_tests[op], t->name, "i1", words[i], 0, g_results[i * 4 + op], (uint64_t)want[op]);
      }
    }
  }
}

/* The result of a cast; 0 if the language has none from this type to that. */
static int cast(const char *op, const type *from, const type *to, uint64_t word, uint64_t *want) {
  const int ints = from->kind == INT && to->kind == INT;
  const int floats_both = from->kind != INT && to->kind != INT;
  const int index_from = strcmp(from->name, "index") == 0;
  const int index_to = strcmp(to->name, "index") == 0;
  const int has_index = index_from || index_to;
  if (strncmp(op, "index", 5) == 0) {
    if (!ints || index_from == index_to) return 0;
    *want = (strcmp(op, "index_cast") == 0 ? (uint64_t)signed_of(from->bits, word) : word) & mask(to->bits);
    return 1;
  }
  if (has_index) return 0;
  if (strcmp(op, "extsi") == 0 || strcmp(op, "extui") == 0) {
    *want = (op[3] == 's' ? (uint64_t)signed_of(from->bits, word) : word) & mask(to->bits);
    return ints && from->bits < to->bits;
  }
  if (strcmp(op, "trunci") == 0) {
    *want = word & mask(to->bits);
    return ints && from->bits > to->bits;
  }
  if (strcmp(op, "bitcast") == 0) {
    *want = word;
    return from->bits == to->bits;
  }
  if (strcmp(op, "extf") == 0 || strcmp(op, "truncf") == 0) {
    if (!floats_both || (op[0] == 'e' ? from->bits >= to->bits : from->bits <= to->bits)) return 0;
    const double x = value_of(from->kind, word);
    *want = bits_of(to->kind, (long double)x);
    return 1;
  }
  if (strcmp(op, "sitofp") == 0 || strcmp(op, "uitofp") == 0) {
    if (from->kind != INT || to->kind == INT) return 0;
    *want = bits_of(to->kind, op[0] == 's' ? (long double)signed_of(from->bits, word) : (long double)word);
    return 1;
  }
  if (from->kind == INT || to->kind != INT) return 0;
  /* fptosi, fptoui: towards zero, saturating; NaN gives 0. */
  const long double x = truncl((long double)value_of(from->kind, word));
  const int is_signed = op[4] == 's';
  const long double high = ldexpl(1, to->bits - is_signed);
  const long double low = is_signed ? -high : 0;
  if (isnan(x)) {
    *want = 0;
  } else if (x >= high) {
    *want = is_signed ? mask(to->bits) >> 1 : mask(to->bits);
  } else if (x <= low) {
    *want = is_signed ? mask(to->bits) ^ mask(to->bits) >> 1 : 0;
  } else {
    *want = (x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x) & mask(to->bits);
  }
  return 1;
}

static void casts(void **state) {
  (void)state;
  static const char *const ops[] = {"index_cast", "index_castui", "extsi",  "extui",  "trunci", "extf",
                                    "truncf",     "sitofp",       "uitofp", "fptosi", "fptoui", "bitcast"};
  int tried = 0;
  for (const type *from = k_types; from < k_types + k_type_count; ++from) {
    for (const type *to = k_types; to < k_types + k_type_count; ++to) {
      uint64_t words[k_most];
      int n = patterns(from, words);
      if (from->bits == 64 && from->kind == INT) { /* between two f32, and between two f64, one side of the middle */
        words[n++] = UINT64_C(0x4000004000000001);
        words[n++] = UINT64_C(0x4000003FFFFFFFFF);
        words[n++] = UINT64_C(0xC000004000000001);
        words[n++] = UINT64_C(0x4000000000000201);
        words[n++] = UINT64_C(0x4020000000000001); /* f16 and bf16 have this from the side too */
        words[n++] = UINT64_C(0x407FFFFFFFFFFFFF);
        /* In the middle between an even one below and an odd one above, and the reverse: of f32, of f64. */
        words[n++] = UINT64_C(0x4000004000000000);
        words[n++] = UINT64_C(0x400000C000000000);
        words[n++] = UINT64_C(0x4000000000000200);
        words[n++] = UINT64_C(0x4000000000000600);
      }
      int used[sizeof ops / sizeof *ops];
      int count = 0;
      uint64_t want = 0;
      for (size_t op = 0; op < sizeof ops / sizeof *ops; ++op) {
        if (cast(ops[op], from, to, words[0], &want)) used[count++] = (int)op;
      }
      if (count == 0) continue;
      begin(from, count);
      for (int k = 0; k < count; ++k) {
        say("  %%r%d = arith.%s %%a : %s to %s\n", k, ops[used[k]], from->name, to->name);
        keep(to, k);
      }
      run(words, n, words, 1, count);
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < count; ++k, ++tried) {
          const uint64_t got = g_results[i * count + k];
          cast(ops[used[k]], from, to, words[i], &want);
          if (to->kind != INT && is_nan(to->kind, want) && is_nan(to->kind, got)) want = got;
          expect_bits(ops[used[k]], from->name, to->name, words[i], 0, got, want);
        }
      }
    }
  }
  assert_true(tried > 1500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floats),           cmocka_unit_test(whole_numbers),    cmocka_unit_test(casts),
      cmocka_unit_test(wide_results),     cmocka_unit_test(kinds_of_floats),  cmocka_unit_test(functions),
      cmocka_unit_test(bits_of_integers), cmocka_unit_test(rounding_of_texts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
