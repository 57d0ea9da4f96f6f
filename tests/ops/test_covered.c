/*
 * test_covered.c: every instruction of the library has a test in this folder.
 * The names of the tests come in on the command line, from meson.build.
 */
#include <stdio.h>
#include <string.h>

#include "pto_c.h"

int main(int argc, char **argv) {
  int missing = 0;
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const char *name = pto_op_name(pto_op_at(i));
    int found = 0;
    for (int k = 1; k < argc; ++k) found |= strcmp(argv[k], name) == 0;
    if (found) continue;
    fprintf(stderr, "%s has no test: write tests/ops/test_%s.c and name it in tests/ops/meson.build\n", name, name);
    ++missing;
  }
  return missing == 0 && argc - 1 == pto_op_count() ? 0 : 1;
}
