// Which targets this processor can run, compared with Highway's own library. Exit
// status 0: the same; else each difference has a line.
#include <cstdint>
#include <cstdio>
#include <cstring>

// Highway's, in its own namespace: not src/kernels/targets.h.
#include "hwy/targets.h"
#include "src/kernels/kernels.h"

int main() {
  int wrong = 0;
  std::printf("of this processor:");
  for (int target = 0; target < pto::TargetCount(); ++target) {
    const char* name = pto::TargetName(target);
    bool want = false;
    for (int bit = 0; bit < 63; ++bit) {
      const int64_t one = int64_t{1} << bit;
      if (std::strcmp(hwy::TargetName(one), name) == 0) want = (hwy::SupportedTargets() & one) != 0;
    }
    // The plainest target always runs, even where Highway need not name it.
    want = want || target == pto::TargetCount() - 1;
    const bool got = pto::TargetSupported(target);
    if (got) std::printf(" %s", name);
    // Highway keeps it for AMD; it runs wherever its instructions do.
    if (got != want && std::strcmp(name, "AVX3_ZEN4") != 0) {
      std::printf(" (%s: %d, Highway has %d)", name, got, want);
      ++wrong;
    }
  }
  std::printf("\n");
  return wrong == 0 ? 0 : 1;
}
