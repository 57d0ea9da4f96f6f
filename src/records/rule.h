// The rules that a call, a program or its text can break. A rule is one row in src/records/rules/: its id, the class of
// the answer, the rule in one sentence, how to fix a call and a program, who states it, and the function that checks
// it.
//
//   PTO_CHECK(kOneRow, CheckOneRow, .id = "one-row", ...)    a rule of instructions: records name it
//   PTO_RULE(kStorage, .id = "storage", ...)                 any other rule: code that finds it broken names it
//
// From the rows follow Rule, kRules, docs/rules.md, the functions that src/checks/check_impl.h declares and the table
// through which src/checks/check.cc calls them. Ids are stable.
#ifndef PTO_SRC_RECORDS_RULE_H_
#define PTO_SRC_RECORDS_RULE_H_

#include <cstdint>
#include <string_view>

#include "src/records/source.h"

namespace pto {

// Same values as pto_status; src/api proves it with static_assert.
enum class Status : int32_t {
  kOk = 0,
  kNull = 1,
  kArgument = 2,
  kDType = 3,
  kLayout = 4,
  kShape = 5,
  kAlias = 6,
  kAddress = 7,
  kMemory = 8,
  kUnknown = 9,
  kProgram = 10,
};

inline constexpr const char* kStatusNames[] = {
    "PTO_OK",           "PTO_ERROR_NULL",    "PTO_ERROR_ARGUMENT", "PTO_ERROR_DTYPE",
    "PTO_ERROR_LAYOUT", "PTO_ERROR_SHAPE",   "PTO_ERROR_ALIAS",    "PTO_ERROR_ADDRESS",
    "PTO_ERROR_MEMORY", "PTO_ERROR_UNKNOWN", "PTO_ERROR_PROGRAM",
};
inline constexpr int kStatusCount = sizeof(kStatusNames) / sizeof(kStatusNames[0]);

enum class Rule : uint16_t {
#define PTO_RULE(name, ...) name,
#define PTO_CHECK(name, check, ...) name,
#include "src/records/rules/all.inc"
  kEnd,
};
inline constexpr int kRuleCount = static_cast<int>(Rule::kEnd);

// The subjects of rules, in the order of docs/rules.md: one file of rows each.
enum class RuleGroup : uint8_t { kHandles, kInstructions, kMoves, kMatrix, kIrregular, kRuns, kRanks, kSync, kText };
inline constexpr const char* kRuleGroups[] = {
    "Handles",
    "Instructions",
    "Moves, windows, tables and images",
    "Products of matrices",
    "Indices, patterns, records and counts",
    "Running programs",
    "Several devices",
    "Synchronisation",
    "Text of programs",
};

// Where the test of the usual call in src/engine/execute.h covers a rule, so that no other check of it is needed.
enum class Quick : uint8_t {
  kNever,
  kByRows,    // if the operands are rows of different kinds: src/engine/rows.cc
  kUnderCpu,  // under PTO_PROFILE_CPU
  kAlways,
};

struct RuleInfo {
  Rule rule;
  RuleGroup group;
  bool checked;  // by a function, for the instructions whose records name the rule
  const char* id;
  Status status;
  const char* sentence;
  const char* remedy;                // for callers of the C API
  const char* in_programs = remedy;  // for writers of programs
  sources::ByProfile sources = {};   // the default of records; none: each record must specify it
  Quick quick = Quick::kNever;
  bool for_dst = false;  // asks a source for an element, row or column of each of dst: an empty dst asks for nothing
};

inline constexpr RuleInfo kRules[] = {
#define PTO_RULE(name, ...) {.rule = Rule::name, .group = RuleGroup::PTO_GROUP, .checked = false, __VA_ARGS__},
#define PTO_CHECK(name, check, ...) {.rule = Rule::name, .group = RuleGroup::PTO_GROUP, .checked = true, __VA_ARGS__},
#include "src/records/rules/all.inc"
};

constexpr const RuleInfo& Info(Rule rule) { return kRules[static_cast<int>(rule)]; }

// The rule of an id, or nullptr.
constexpr const RuleInfo* FindRule(std::string_view id) {
  for (const RuleInfo& info : kRules) {
    if (id == info.id) return &info;
  }
  return nullptr;
}

}  // namespace pto

#endif  // PTO_SRC_RECORDS_RULE_H_
