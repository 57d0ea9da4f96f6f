/*
 * test_digests.c: the bits of every result are the same everywhere.
 *
 * For each (instruction, element type, flags) of the CPU profile there is one
 * SHA-256 over the results of the fixed inputs, bits of NaN included, in
 * digests.txt. The test computes the results on every SIMD target of this machine.
 * Whether the bits are right is for test_special and exhaustive to say; this
 * test carries their verdict to machines where MPFR is not at hand.
 *
 *   test_digests FILE                   compares; the exit status is 0 if all are equal; prints where results begin to
 * differ test_digests --write FILE           replaces FILE; the targets must still agree test_digests --print OP TYPE
 * FLAGS  prints all results of a line, for a comparison of two builds
 *
 * It needs the library only. For another architecture:
 *   aarch64-linux-gnu-gcc -std=c11 -I include -I tests/accuracy \
 *     tests/accuracy/{test_digests,special_inputs,run_op,sha256}.c \
 *     -L BUILD -lpto -o test_digests
 *   qemu-aarch64 -L /usr/aarch64-linux-gnu test_digests
 * tests/accuracy/digests.txt
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/only_op.h"
#include "run_op.h"
#include "sha256.h"
#include "special_inputs.h"

enum { k_max_lines = 4096, k_line_length = 160, k_max_targets = 16, k_marks = 24, k_chunk = 512 };

/*
 * Results of the variants of a case as they are digested. A mark is a character of what the bytes so far hash to; each
 * variant has the same number of them, evenly spaced. The first mark that differs shows where results begin to differ.
 */
typedef struct digest {
  sha256 sha;
  uint64_t sum; /* FNV-1a */
  int variants;
  char marks[256];
  size_t marked;
} digest;

typedef struct digest_file {
  size_t count;
  char lines[k_max_lines][k_line_length]; /* "op dtype flags sha256 =marks" */
  int used[k_max_lines];
} digest_file;

static digest_file g_expected;
static digest_file g_actual;

/* One for each target. */
static pto_context *g_contexts[k_max_targets];
static int g_targets;

static int parts_of(int variants) { return variants < k_marks ? k_marks / variants : 1; }

static size_t elements_of(const run_result *result) {
  size_t all = 0;
  for (int k = 0; k < result->outputs; ++k) all += result->count[k];
  return all;
}

/* Elements from the first one on as little-endian bytes, so that the digest fits any machine: in place, or in `stream`.
 */
static const unsigned char *little_endian(const void *elements, size_t count, size_t bytes, unsigned char *stream) {
  const uint16_t one = 1;
  if (*(const unsigned char *)&one == 1) return elements;
  for (size_t i = 0; i < count * bytes; ++i) {
    stream[i] = ((const unsigned char *)elements)[i / bytes * bytes + bytes - 1 - i % bytes];
  }
  return stream;
}

/* Adds results. A mark follows each of `parts` equal parts of their elements. */
static void add_results(digest *to, const run_result *result) {
  unsigned char stream[k_chunk * 8];
  const size_t parts = (size_t)parts_of(to->variants);
  const size_t all = elements_of(result);
  size_t done = 0;
  size_t part = 0;
  size_t end = all / parts;
  for (int k = 0; k < result->outputs; ++k) {
    const size_t bytes = (size_t)pto_dtype_bytes(result->dtype[k]);
    for (size_t i = 0, now; i < result->count[k]; i += now) {
      now = result->count[k] - i;
      if (now > k_chunk) now = k_chunk;
      if (part < parts && now > end - done) now = end > done ? end - done : 1;
      const unsigned char *data = little_endian((const unsigned char *)result->data[k] + i * bytes, now, bytes, stream);
      for (size_t n = 0; n < now * bytes; ++n) to->sum = (to->sum ^ data[n]) * 0x100000001B3U;
      sha256_update(&to->sha, data, now * bytes);
      done += now;
      for (; part < parts && done >= end; end = (++part + 1) * all / parts) {
        if (to->marked + 1 >= sizeof to->marks) continue;
        to->marks[to->marked++] =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"[(to->sum ^ to->sum >> 32) % 64];
      }
    }
  }
}

static int same_results(const run_result *a, const run_result *b) {
  int same = a->outputs == b->outputs;
  for (int k = 0; same && k < a->outputs; ++k) {
    same = a->dtype[k] == b->dtype[k] && a->count[k] == b->count[k] &&
           memcmp(a->data[k], b->data[k], a->count[k] * (size_t)pto_dtype_bytes(a->dtype[k])) == 0;
  }
  return same;
}

static int add_line(digest_file *file, const char *line) {
  if (file->count == k_max_lines || strlen(line) >= k_line_length) return 0;
  strcpy(file->lines[file->count++], line);
  return 1;
}

static int read_file(const char *path) {
  char line[k_line_length];
  FILE *in = fopen(path, "r");
  if (in == NULL) return 0;
  int ok = 1;
  while (ok && fgets(line, sizeof line, in) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] != '#' && line[0] != '\0') ok = add_line(&g_expected, line);
  }
  fclose(in);
  return ok;
}

static int write_file(const char *path) {
  FILE *out = fopen(path, "w");
  if (out == NULL) return 0;
  fprintf(out,
          "# Written by test_digests --write: instruction, element type, flags,\n"
          "# SHA-256 of the results of the fixed inputs (special_inputs.c), marks.\n");
  for (size_t i = 0; i < g_actual.count; ++i) {
    fprintf(out, "%s\n", g_actual.lines[i]);
  }
  return fclose(out) == 0;
}

/* Where results begin to differ, by the marks of two lines of a case. */
static void tell_where(const char *line, const char *expected, const special_pairs *in, int32_t op, uint32_t flags,
                       void *out) {
  const char *mine = strrchr(line, '=');
  const char *old = strrchr(expected, '=');
  if (mine == NULL || old == NULL) return;
  size_t at = 0;
  while (mine[at] != '\0' && mine[at] == old[at]) ++at;
  if (mine[at] == '\0' || old[at] == '\0' || at == 0) return;
  const int variants = run_op_variants(op, in->dtype);
  const int parts = parts_of(variants);
  const int variant = (int)(at - 1) / parts;
  const size_t part = (at - 1) % (size_t)parts;
  run_result result;
  if (!run_op_variant(g_contexts[0], op, in->dtype, flags, variant, in->count, in->a, in->b, out, &result)) return;
  const size_t all = elements_of(&result);
  fprintf(stderr,
          "They begin to differ in variant %d of %d, among elements %zu to %zu. To see the first one, compare\n"
          "the output of this test with --print %s %s %u before and after.\n",
          variant, variants, part * all / (size_t)parts, (part + 1) * all / (size_t)parts - 1, pto_op_name(op),
          pto_dtype_name(in->dtype), (unsigned)flags);
}

/* Compares a line with the expected one of the same case. */
static int check_line(const char *line, const special_pairs *in, int32_t op, uint32_t flags, void *out) {
  const size_t key = strcspn(line, "=") - k_sha256_hex - 1;
  for (size_t i = 0; i < g_expected.count; ++i) {
    if (strncmp(g_expected.lines[i], line, key) != 0) continue;
    g_expected.used[i] = 1;
    if (strcmp(g_expected.lines[i], line) == 0) return 1;
    fprintf(stderr, "%s on %s, not %s\n", line, pto_context_target(g_contexts[0]), g_expected.lines[i] + key);
    tell_where(line, g_expected.lines[i], in, op, flags, out);
    return 0;
  }
  fprintf(stderr, "%s has no line: run --write\n", line);
  return 0;
}

/* Prints all results of a case. */
static int print_case(const char *name, const char *type, const char *flags) {
  for (int d = PTO_DTYPE_I8; pto_dtype_bits((pto_dtype)d) >= 8; ++d) {
    if (strcmp(pto_dtype_name((pto_dtype)d), type) != 0) continue;
    special_pairs in;
    if (!special_pairs_create((pto_dtype)d, &in)) return 0;
    void *out = malloc(in.count * 16 + 256);
    const int32_t op = pto_op_find(name);
    int ok = out != NULL && op >= 0;
    const int variants = ok ? run_op_variants(op, in.dtype) : 0;
    for (int v = 0; ok && v < variants; ++v) {
      run_result result;
      ok = run_op_variant(g_contexts[0], op, in.dtype, (uint32_t)strtoul(flags, NULL, 10), v, in.count, in.a, in.b, out,
                          &result);
      for (int k = 0; ok && k < result.outputs; ++k) {
        for (size_t i = 0; i < result.count[k]; ++i) {
          printf("variant %d output %d element %zu", v, k, i);
          if (i < in.count) {
            printf(" of 0x%llx, 0x%llx", (unsigned long long)special_get(in.dtype, in.a, i),
                   (unsigned long long)special_get(in.dtype, in.b, i));
          }
          printf(": 0x%llx\n", (unsigned long long)special_get(result.dtype[k], result.data[k], i));
        }
      }
    }
    free(out);
    special_pairs_release(&in);
    return ok && variants > 0;
  }
  return 0;
}

/*
 * The line of one case: the results of every variant, one after another. The first target gives digests; results of
 * the other targets are compared with it.
 */
static int run_case(int32_t op, const special_pairs *in, uint32_t flags, void *first, void *out, char *line) {
  digest sum = {.sum = 0xCBF29CE484222325U, .variants = run_op_variants(op, in->dtype)};
  int ok = 1;
  snprintf(line, k_line_length, "%s %s %u ", pto_op_name(op), pto_dtype_name(in->dtype), (unsigned)flags);
  sha256_init(&sum.sha);
  for (int v = 0; v < sum.variants; ++v) {
    run_result want;
    if (!run_op_variant(g_contexts[0], op, in->dtype, flags, v, in->count, in->a, in->b, first, &want)) return 0;
    add_results(&sum, &want);
    for (int t = 1; t < g_targets; ++t) {
      run_result got;
      if (!run_op_variant(g_contexts[t], op, in->dtype, flags, v, in->count, in->a, in->b, out, &got)) return 0;
      if (same_results(&want, &got)) continue;
      fprintf(stderr, "%sin variant %d: %s and %s differ\n", line, v, pto_context_target(g_contexts[t]),
              pto_context_target(g_contexts[0]));
      ok = 0;
    }
  }
  sha256_final(&sum.sha, line + strlen(line));
  snprintf(line + strlen(line), k_line_length - strlen(line), " =%.64s", sum.marks);
  return ok;
}

static int run_all(int against_file) {
  char line[k_line_length];
  int ok = 1;
  for (int d = PTO_DTYPE_I8; pto_dtype_bits((pto_dtype)d) >= 8; ++d) {
    special_pairs in;
    if (!special_pairs_create((pto_dtype)d, &in)) return 0;
    void *first = malloc(in.count * 16 + 256);
    void *out = malloc(in.count * 16 + 256);
    const int room = first != NULL && out != NULL;
    if (!room) ok = 0;
    for (int32_t i = 0; room && i < pto_op_count(); ++i) {
      const int32_t op = pto_op_at(i);
      uint32_t flags;
      if (against_file && !only_op(pto_op_name(op))) continue;
      for (int k = 0; run_op_flags(op, k, &flags); ++k) {
        if (run_op_variants(op, in.dtype) == 0) continue;
        const int ran = run_case(op, &in, flags, first, out, line) && add_line(&g_actual, line);
        if (!ran || (against_file && !check_line(line, &in, op, flags, out))) ok = 0;
      }
    }
    free(first);
    free(out);
    special_pairs_release(&in);
  }
  for (size_t i = 0; against_file && ok && i < g_expected.count; ++i) {
    char op[32] = "";
    sscanf(g_expected.lines[i], "%31s", op);
    if (g_expected.used[i] || !only_op(op)) continue;
    fprintf(stderr, "%s is not a case of this library\n", g_expected.lines[i]);
    ok = 0;
  }
  return ok;
}

int main(int argc, char **argv) {
  const int write = argc == 3 && strcmp(argv[1], "--write") == 0;
  const int print = argc == 5 && strcmp(argv[1], "--print") == 0;
  if (argc != 2 && !write && !print) {
    fprintf(stderr, "usage: test_digests [--write] digests.txt, or test_digests --print OP TYPE FLAGS\n");
    return 2;
  }
  const char *path = argv[argc - 1];
  if (!write && !print && !read_file(path)) {
    fprintf(stderr, "cannot read %s\n", path);
    return 2;
  }
  int32_t target = 0;
  while (g_targets < k_max_targets && (g_contexts[g_targets] = run_op_next_context(&target)) != NULL) ++g_targets;
  const int ok = g_targets > 0 && (print ? print_case(argv[2], argv[3], argv[4]) : run_all(!write));
  for (int t = 0; t < g_targets; ++t) pto_context_release(g_contexts[t]);
  if (!ok) return 1;
  if (print) return 0;
  if (write && !write_file(path)) {
    fprintf(stderr, "cannot write %s\n", path);
    return 2;
  }
  printf("%u digests %s\n", (unsigned)g_actual.count, write ? "written" : "equal on every target");
  return 0;
}
