/*
 * sweep.c: the list of sweeps, made from families of them, and the place where counter-examples are shown.
 */
#include "sweep.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "pow_filter.h"

enum { k_shown = 20, k_most_sweeps = 64, k_most_name = 32 };

static sweep g_sweeps[k_most_sweeps];
static char g_names[k_most_sweeps][k_most_name];
static size_t g_count;

typedef struct instruction {
  const char *name;
  ref_fn fn;
  int b_is_row;
} instruction;

static const instruction k_rsqrt = {"trsqrt", REF_RSQRT, 0}, k_add = {"tpartadd", REF_ADD, 0},
                         k_mul = {"tcolexpandmul", REF_MUL, 1}, k_div = {"tcolexpanddiv", REF_DIV, 1},
                         k_prelu = {"tprelu", REF_PRELU, 0}, k_pow = {"tpow", REF_POW, 0}, k_exp = {"texp", REF_EXP, 0},
                         k_log = {"tlog", REF_LOG, 0}, k_expdif = {"tcolexpandexpdif", REF_EXPDIF, 1},
                         k_sqrt = {"tsqrt", REF_SQRT, 0}, k_recip = {"trecip", REF_RECIP, 0},
                         k_rem = {"trem", REF_REM, 0}, k_fmod = {"tfmod", REF_FMOD, 0};

/* Every instruction on every type, all tried in the same way. */
typedef struct family {
  const instruction *instructions[7]; /* up to a NULL */
  pto_dtype dtypes[3];                /* up to I8, which is 0 and needs no sweep: its pairs are all special inputs */
  sweep way;
} family;

static const family k_families[] = {
    {.instructions = {&k_rsqrt},
     .dtypes = {PTO_DTYPE_F16, PTO_DTYPE_BF16},
     .way = {.flag_count = 1,
             .blocks = 1,
             .quick_blocks = 1,
             .inputs = "all 2^16",
             .fill = sweep_small_fill,
             .expect = sweep_small_expect}},
    {.instructions = {&k_rsqrt},
     .dtypes = {PTO_DTYPE_F32},
     .way = {.flag_count = 1,
             .blocks = 65536,
             .quick_blocks = 64,
             .inputs = "all 2^32",
             .fill = sweep_f32_all_fill,
             .judge = sweep_rsqrt_judge}},
    {.instructions = {&k_sqrt, &k_recip},
     .dtypes = {PTO_DTYPE_F32},
     .way = {.flag_count = 1,
             .blocks = 65536,
             .quick_blocks = 64,
             .inputs = "all 2^32",
             .fill = sweep_f32_all_fill,
             .expect = sweep_f32_root_expect}},
    {.instructions = {&k_add, &k_mul, &k_div, &k_prelu},
     .dtypes = {PTO_DTYPE_F16, PTO_DTYPE_BF16},
     .way = {.flag_count = 1,
             .blocks = 65536,
             .quick_blocks = 32,
             .inputs = "all 2^32 pairs",
             .fill = sweep_small_fill,
             .expect = sweep_small_expect}},
    {.instructions = {&k_pow},
     .dtypes = {PTO_DTYPE_F16, PTO_DTYPE_BF16},
     .way = {.flags = {0, PTO_HIGH_PRECISION},
             .flag_count = 2,
             .blocks = 65536,
             .quick_blocks = 32,
             .inputs = "all 2^32 pairs, both precisions",
             .fill = sweep_small_fill,
             .expect = sweep_small_pow_expect}},
    {.instructions = {&k_exp, &k_log},
     .dtypes = {PTO_DTYPE_F16, PTO_DTYPE_BF16},
     .way = {.flags = {0, PTO_HIGH_PRECISION},
             .flag_count = 2,
             .blocks = 1,
             .quick_blocks = 1,
             .inputs = "all 2^16, both precisions",
             .fill = sweep_small_fill,
             .expect = sweep_small_reference_expect}},
    {.instructions = {&k_exp, &k_log},
     .dtypes = {PTO_DTYPE_F32},
     .way = {.flag_count = 1,
             .within_one_ulp = 1,
             .blocks = 65536,
             .quick_blocks = 64,
             .inputs = "all 2^32",
             .fill = sweep_f32_all_fill,
             .judge = sweep_pow_judge}},
    {.instructions = {&k_expdif},
     .dtypes = {PTO_DTYPE_F16, PTO_DTYPE_BF16},
     .way = {.flag_count = 1,
             .blocks = 65536,
             .quick_blocks = 32,
             .inputs = "all 2^32 pairs",
             .fill = sweep_small_fill,
             .expect = sweep_small_expdif_expect}},
    {.instructions = {&k_rem, &k_fmod},
     .dtypes = {PTO_DTYPE_F16},
     .way = {.flag_count = 1,
             .blocks = 65536,
             .quick_blocks = 32,
             .inputs = "all 2^32 pairs",
             .fill = sweep_small_fill,
             .expect = sweep_small_expect}},
    {.instructions = {&k_rem, &k_fmod},
     .dtypes = {PTO_DTYPE_BF16},
     .way = {.flag_count = 1,
             .blocks = 4096,
             .quick_blocks = 32,
             .inputs = "all a, b of 16 exponents",
             .fill = sweep_bf16_rem_fill,
             .expect = sweep_small_expect}},
    {.instructions = {&k_div, &k_pow, &k_rem, &k_fmod},
     .dtypes = {PTO_DTYPE_I16, PTO_DTYPE_U16},
     .way = {.flag_count = 1,
             .blocks = 65536,
             .quick_blocks = 32,
             .inputs = "all 2^32 pairs",
             .fill = sweep_small_fill,
             .expect = sweep_small_reference_expect}},
    {.instructions = {&k_add, &k_mul, &k_div, &k_prelu, &k_rem, &k_fmod},
     .dtypes = {PTO_DTYPE_F32},
     .way = {.flag_count = 1,
             .blocks = 16384,
             .quick_blocks = 16,
             .inputs = "random, next to ties, at the borders",
             .fill = sweep_f32_fill,
             .expect = sweep_f32_expect}},
};

/* Quotients of f32 that the reciprocal of the divisor might round wrongly. */
static const sweep k_hard_quotients = {.flag_count = 1,
                                       .blocks = 4096,
                                       .quick_blocks = 8,
                                       .inputs = "every quotient next to a tie, all divisors",
                                       .fill = sweep_div_hard_fill,
                                       .expect = sweep_f32_expect};

/* Exponentials and logarithms of f32 in high precision. */
static const sweep k_exact_functions = {.flags = {PTO_HIGH_PRECISION},
                                        .flag_count = 1,
                                        .blocks = 65536,
                                        .quick_blocks = 64,
                                        .inputs = "all 2^32",
                                        .fill = sweep_f32_all_fill,
                                        .expect = sweep_pow_expect};

/* Powers of f32: each kind of inputs in each precision. */
static const struct {
  const char *name;
  const char *inputs;
  uint64_t blocks;
  uint64_t quick_blocks;
} k_powers[] = {
    [k_pow_typical] = {"typical", "2^-4 to 2^4", 8192, 8},
    [k_pow_wide] = {"wide", "results of every size", 8192, 8},
    [k_pow_near_one] = {"near-one", "bases next to 1", 8192, 8},
    [k_pow_edges] = {"edges", "results at the overflow and underflow borders", 8192, 8},
    [k_pow_bits] = {"bits", "random bits", 8192, 8},
    [k_pow_integers] = {"integers", "signed bases, integer exponents", 8192, 8},
    [k_pow_hard] = {"hard", "results next to rounding ties", 1024, 2},
};

static const struct {
  const char *name;
  sweep way;
} k_precisions[] = {
    {"-", {.flags = {0}, .flag_count = 1, .fill = sweep_pow_fill, .judge = sweep_pow_judge, .within_one_ulp = 1}},
    {"-high-", {.flags = {PTO_HIGH_PRECISION}, .flag_count = 1, .fill = sweep_pow_fill, .expect = sweep_pow_expect}},
};

/* The next sweep: one like `way`. Its name ends in two parts that may be empty. */
static sweep *add(const sweep *way, const instruction *which, pto_dtype dtype, const char *precision,
                  const char *kind) {
  if (g_count == k_most_sweeps) abort();
  sweep *next = &g_sweeps[g_count];
  char *name = g_names[g_count++];
  snprintf(name, k_most_name, "%s-%s%s%s", which->name, pto_dtype_name(dtype), precision, kind);
  *next = *way;
  next->name = name;
  next->op = which->name;
  next->fn = which->fn;
  next->b_is_row = which->b_is_row;
  next->dtype = dtype;
  return next;
}

static void list_sweeps(void) {
  for (size_t f = 0; f < sizeof k_families / sizeof *k_families; ++f) {
    for (const instruction *const *which = k_families[f].instructions; *which != NULL; ++which) {
      for (const pto_dtype *dtype = k_families[f].dtypes; *dtype != PTO_DTYPE_I8; ++dtype) {
        add(&k_families[f].way, *which, *dtype, "", "");
      }
    }
  }
  add(&k_hard_quotients, &k_div, PTO_DTYPE_F32, "-", "hard");
  add(&k_exact_functions, &k_exp, PTO_DTYPE_F32, "-", "high");
  add(&k_exact_functions, &k_log, PTO_DTYPE_F32, "-", "high");
  for (size_t p = 0; p < sizeof k_precisions / sizeof *k_precisions; ++p) {
    for (size_t kind = 0; kind < sizeof k_powers / sizeof *k_powers; ++kind) {
      sweep *next = add(&k_precisions[p].way, &k_pow, PTO_DTYPE_F32, k_precisions[p].name, k_powers[kind].name);
      next->kind = (int)kind;
      next->inputs = k_powers[kind].inputs;
      next->blocks = k_powers[kind].blocks;
      next->quick_blocks = k_powers[kind].quick_blocks;
    }
  }
}

void sweep_init(void) {
  list_sweeps();
  pow_filter_init();
  sweep_small_init();
  sweep_pow_inputs_init();
}

size_t sweep_count(void) { return g_count; }

const sweep *sweep_at(size_t index) { return &g_sweeps[index]; }

void sweep_wrong(const sweep *self, sweep_block *block, const char *target, uint64_t a, uint64_t b, uint64_t got,
                 uint64_t want) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const sweep *latest;
  static int shown;
  ++block->stats->wrong;
  pthread_mutex_lock(&lock);
  if (latest != self) shown = 0;
  latest = self;
  if (shown++ < k_shown) {
    fprintf(stderr, "%s on %s: a %#llx b %#llx got %#llx want %#llx\n", self->name, target, (unsigned long long)a,
            (unsigned long long)b, (unsigned long long)got, (unsigned long long)want);
  }
  pthread_mutex_unlock(&lock);
}
