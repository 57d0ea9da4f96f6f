/*
 * test_rules.c: runs the tests of the rules, after it has held their names
 * against docs/rules.md (the first argument): each id has a test, each test an id. What a rule is
 * applied to is read from docs/ops/ops.json (the second).
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"

/* "test_rule_same_dtype" is the test of "same-dtype". */
static int names(const char *test, const char *id) {
  static const char k_prefix[] = "test_rule_";
  if (strncmp(test, k_prefix, sizeof k_prefix - 1) != 0) return 0;
  test += sizeof k_prefix - 1;
  for (; *test != '\0' && *id != '\0'; ++test, ++id) {
    if (*test != (*id == '-' ? '_' : *id)) return 0;
  }
  return *test == *id;
}

static const struct {
  const char *name;
  const struct CMUnitTest *tests;
  const int *count;
} k_groups[] = {
    {"rules of tiles", k_tile_rules, &k_tile_rule_count},
    {"rules of instructions", k_op_rules, &k_op_rule_count},
    {"rules of element types, scalars and modes", k_type_rules, &k_type_rule_count},
    {"rules of valid regions", k_region_rules, &k_region_rule_count},
    {"rules of tmp and of shared bytes", k_scratch_rules, &k_scratch_rule_count},
    {"rules of moves", k_move_rules, &k_move_rule_count},
    {"rules of products", k_matrix_rules, &k_matrix_rule_count},
    {"rules of views and tensors", k_tensor_rules, &k_tensor_rule_count},
    {"rules of indices and patterns", k_irregular_rules, &k_irregular_rule_count},
    {"rules of tables", k_table_rules, &k_table_rule_count},
    {"rules of images", k_image_rules, &k_image_rule_count},
    {"rules of what is converted", k_fixpipe_rules, &k_fixpipe_rule_count},
    {"rules of programs", k_program_rules, &k_program_rule_count},
    {"rules of checked runs", k_sync_rules, &k_sync_rule_count},
    {"rules of cores", k_core_rules, &k_core_rule_count},
    {"rules of ranks", k_rank_rules, &k_rank_rule_count},
};
enum { k_group_count = sizeof k_groups / sizeof *k_groups };

static int count_tests(const char *id) {
  int n = 0;
  for (int g = 0; g < k_group_count; ++g) {
    for (int i = 0; i < *k_groups[g].count; ++i) n += names(k_groups[g].tests[i].name, id);
  }
  return n;
}

/* Returns the number of rules without a test of their own, and 1 more if there are other tests. */
static int uncovered(FILE *page) {
  char line[1024];
  int ids = 0;
  int wrong = 0;
  while (fgets(line, sizeof line, page) != NULL) {
    char id[64];
    /* The programs in tests/ptoas/invalid break the rules of PTO-AS. */
    if (strcmp(line, "## Text of programs\n") == 0) break;
    if (sscanf(line, "| `%63[^`]` |", id) != 1) continue;
    /* These take windows of another process: tests/ranks/test_mpi.c. */
    if (strcmp(id, "far-window") == 0 || strcmp(id, "transport-failed") == 0) continue;
    ++ids;
    if (count_tests(id) == 1) continue;
    fprintf(stderr, "rule %s has %d tests; it needs one, named after it\n", id, count_tests(id));
    ++wrong;
  }
  int tests = 0;
  for (int g = 0; g < k_group_count; ++g) tests += *k_groups[g].count;
  if (ids != tests) {
    fprintf(stderr, "%d rules and %d tests\n", ids, tests);
    ++wrong;
  }
  return wrong;
}

int main(int argc, char **argv) {
  FILE *page = argc == 3 && read_pages(argv[2]) ? fopen(argv[1], "r") : NULL;
  if (page == NULL) {
    fprintf(stderr, "usage: test_rules docs/rules.md docs/ops/ops.json\n");
    return 2;
  }
  int failed = uncovered(page);
  fclose(page);
  for (int g = 0; g < k_group_count; ++g) {
    failed += _cmocka_run_group_tests(k_groups[g].name, k_groups[g].tests, (size_t)*k_groups[g].count, NULL, NULL);
  }
  return failed == 0 ? 0 : 1;
}
