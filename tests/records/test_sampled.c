/*
 * test_sampled.c: every instruction of the library, on calls drawn at random and on results that are known.
 *   test_sampled [--cases N]    (PTO_TEST_OP names some: only_op.h)
 * Each instruction must be in one of the tables beside this file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "only_op.h"
#include "sampler.h"
#include "testing.h"

static const op_entry *g_entry;
static int g_cases = 128;

static void test_one(void **state) {
  (void)state;
  sample_op(g_entry, g_cases);
}

static void test_tables(void **state) {
  (void)state;
  const op_entry *entry;
  for (int n = 0; (entry = op_entry_at(n)) != NULL; ++n) {
    if (pto_op_find(entry->name) < 0) fail_msg("%s is not an instruction", entry->name);
    if (op_entry_of(entry->name) != entry) fail_msg("%s is in the tables twice", entry->name);
    const int ways =
        (entry->element != NULL) + (entry->line != NULL) + (entry->product != NULL) + (entry->place != NULL);
    /* What moves may change on its way. */
    const int both = entry->element != NULL && entry->place != NULL;
    assert_int_equal(ways + (entry->elsewhere != NULL), 1 + both);
  }
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const char *name = pto_op_name(pto_op_at(i));
    if (op_entry_of(name) == NULL) fail_msg("%s is in no table of tests/records", name);
  }
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--cases") == 0) g_cases = atoi(argv[2]);
  const struct CMUnitTest tables[] = {cmocka_unit_test(test_tables)};
  int failed = cmocka_run_group_tests_name("tables", tables, NULL, NULL);
  sampler_create();
  for (int n = 0; (g_entry = op_entry_at(n)) != NULL; ++n) {
    if (g_entry->elsewhere != NULL || !only_op(g_entry->name)) continue;
    const struct CMUnitTest tests[] = {{g_entry->name, test_one, NULL, NULL, NULL}};
    failed += cmocka_run_group_tests_name(g_entry->name, tests, NULL, NULL);
  }
  printf("%lld calls compared\n", (long long)sampler_calls());
  sampler_release();
  return failed == 0 && pto_live_handles() == 0 ? 0 : 1;
}
