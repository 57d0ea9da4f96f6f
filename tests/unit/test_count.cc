// References are counted beyond 2^32: retaining so often frees nothing that is in use.
#include <cstdint>

#include "src/objects/storage.h"

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
}

namespace {

void CountsDoNotWrap(void**) {
  for (const int bits : {31, 32, 33, 62}) {
    pto::RefCount refs(int64_t{1} << bits);  // as if this number had been taken already
    refs.Retain();
    assert_false(refs.Release());
    assert_false(refs.Release());
  }
  pto::RefCount refs(2);
  assert_false(refs.Release());
  assert_true(refs.Release());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(CountsDoNotWrap)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
