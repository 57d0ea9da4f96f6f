// Remedies name what C has. A C++ program gets them in its own words: InCpp() leaves no name of C in the remedy of a
// rule, except the profiles, which C++ has, too.
#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include "pto/pto-inst.hpp"
#include "src/records/rule.h"
#include "tests/ptoas/cmocka_cpp.h"

namespace {

// Rules that no C++ program breaks: its types keep them, or it calls nothing that can.
const std::set<std::string_view> kOnlyInC = {
    "struct-size", "dtype-known",         "layout",        "pad",          "compact", "storage-kind",
    "byte-count",  "unknown-instruction", "operand-index", "operand-kind", "flags",   "mad-mode",
};

void RemediesNameWhatCppHas(void**) {
  for (const pto::RuleInfo& rule : pto::kRules) {
    if (rule.group >= pto::RuleGroup::kRuns || kOnlyInC.count(rule.id) != 0) continue;
    const auto text = pto::pto_detail::InCpp(rule.remedy);
    for (const char* at = text.c_str(); *at != '\0'; ++at) {
      const bool name = std::strncmp(at, "pto_", 4) == 0 || std::strncmp(at, "PTO_", 4) == 0;
      if (name && std::strncmp(at, "PTO_PROFILE_", 12) != 0) fail_msg("[%s] %s", rule.id, text.c_str());
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(RemediesNameWhatCppHas)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
