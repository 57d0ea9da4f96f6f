#include "digests.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../common/only_op.h"

void Die(const char *what) {
  fprintf(stderr, "vectors: %s\n", what);
  exit(1);
}

/* FNV-1a of 64 bits. */
static uint64_t Hash(uint64_t sum, const char *text) {
  for (; *text != '\0'; ++text) sum = (sum ^ (uint8_t)*text) * 0x100000001b3;
  return sum;
}

enum { kLine = 4096, kMaxCases = 2048, kMaxText = 1 << 16 };

/* The line of an instruction in a file of digests: its name, its cases, their hash, and two digits per case. */
typedef struct Group {
  char op[32];
  int32_t cases;
  uint64_t sum;
  uint8_t each[kMaxCases];
} Group;

/* The next case of the vectors and the instruction that it calls. */
static bool NextCase(FILE *vectors, char *text, char *op) {
  char line[kLine];
  size_t size = 0;
  while (fgets(line, kLine, vectors) != NULL) {
    if (line[0] == '#') continue;
    sscanf(line, "case %*s %*s %31s", op);
    const size_t length = strlen(line);
    if (size + length >= kMaxText) Die("a case is too long");
    memcpy(text + size, line, length + 1);
    size += length;
    if (strcmp(line, "end\n") == 0) return true;
  }
  return false;
}

static void WriteGroup(FILE *to, const Group *group) {
  if (group->cases == 0) return;
  fprintf(to, "%s %d %016llx ", group->op, (int)group->cases, (unsigned long long)group->sum);
  for (int32_t i = 0; i < group->cases; ++i) fprintf(to, "%02x", group->each[i]);
  fprintf(to, "\n");
}

/* Writes the digests of vectors. */
static void Digest(FILE *vectors, FILE *to) {
  static char text[kMaxText];
  static Group group;
  char op[32] = "";
  rewind(vectors);
  group.cases = 0;
  while (NextCase(vectors, text, op)) {
    if (strcmp(op, group.op) != 0) {
      WriteGroup(to, &group);
      memset(&group, 0, sizeof group);
      memcpy(group.op, op, sizeof op);
      group.sum = 0xcbf29ce484222325;
    }
    if (group.cases == kMaxCases) Die("an instruction has too many cases");
    group.sum = Hash(group.sum, text);
    group.each[group.cases++] = (uint8_t)(Hash(0xcbf29ce484222325, text) >> 32);
  }
  WriteGroup(to, &group);
}

/* Prints the case of an instruction, counted from 0. */
static void PrintCase(FILE *vectors, const char *wanted, int32_t which) {
  static char text[kMaxText];
  char op[32] = "";
  rewind(vectors);
  while (NextCase(vectors, text, op)) {
    if (strcmp(op, wanted) == 0 && which-- == 0) fprintf(stderr, "%s", text);
  }
}

/* Compares digests with a file and prints the first case that differs. */
static bool Same(FILE *vectors, FILE *made, const char *path) {
  static char ours[kMaxText], theirs[kMaxText];
  FILE *file = fopen(path, "r");
  if (file == NULL) Die("the file to compare with cannot be read");
  rewind(made);
  bool same = true;
  for (int32_t line = 1; same; ++line) {
    const bool more = fgets(ours, kMaxText, made) != NULL;
    const bool there = fgets(theirs, kMaxText, file) != NULL;
    if (!more && !there) break;
    if (more && there && strcmp(ours, theirs) == 0) continue;
    char op[32] = "", other[32] = "";
    int at = 0, from = 0;
    if (more) sscanf(ours, "%31s %*d %*x %n", op, &at);
    if (there) sscanf(theirs, "%31s %*d %*x %n", other, &from);
    if (more && strcmp(op, other) == 0 && !only_op(op)) continue;
    same = false;
    fprintf(stderr, "%s:%d: %s differs; run ./dev gen if this is meant\n", path, (int)line, more ? op : other);
    if (!more || strcmp(op, other) != 0) break;
    int32_t which = 0;
    while (ours[at] != '\n' && strncmp(ours + at, theirs + from, 2) == 0) at += 2, from += 2, ++which;
    fprintf(stderr, "the first case that differs, number %d, is now\n", (int)which);
    PrintCase(vectors, op, which);
  }
  fclose(file);
  return same;
}

static bool Is(int argc, char **argv, const char *option) { return argc == 3 && strcmp(argv[1], option) == 0; }

FILE *Vectors(int argc, char **argv) {
  const bool aside = Is(argc, argv, "--check") || Is(argc, argv, "--digests");
  if (argc != 2 && !aside) Die("the arguments are VECTORS, --check DIGESTS or --digests DIGESTS");
  FILE *vectors = aside ? tmpfile() : fopen(argv[1], "w");
  if (vectors == NULL) Die("the output cannot be written");
  return vectors;
}

int Ended(int argc, char **argv, FILE *vectors) {
  if (fflush(vectors) != 0) Die("the output cannot be written");
  if (argc == 2) return 0;
  const bool check = Is(argc, argv, "--check");
  FILE *digests = check ? tmpfile() : fopen(argv[2], "w");
  if (digests == NULL) Die("the digests cannot be written");
  Digest(vectors, digests);
  if (fflush(digests) != 0) Die("the digests cannot be written");
  return !check || Same(vectors, digests, argv[2]) ? 0 : 1;
}
