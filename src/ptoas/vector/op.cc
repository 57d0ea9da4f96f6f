// Tables that follow from the rows of operations, and look-up of their names and modes.
#include "src/ptoas/vector/op.h"

#include <algorithm>
#include <array>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/vector/rows.h"
#include "src/ptoas/vector/rows_refused.h"

namespace pto::ptoas::vec {
namespace {

constexpr std::array<Op, kOpCount> Complete() {
  std::array<Op, kOpCount> table;
  for (size_t i = 0; i < kOpCount; ++i) {
    table[i] = rows::kOps[i];
    table[i].in = ParamsOf(table[i].takes);
    table[i].out = ParamsOf(table[i].makes);
    table[i].does = {};  // only pages have it
  }
  return table;
}
constinit const std::array<Op, kOpCount> kTable = Complete();

constexpr bool Ordered() {
  for (size_t i = 1; i < kOpCount; ++i) {
    if (rows::kOps[i - 1].name >= rows::kOps[i].name) return false;
  }
  return true;
}
static_assert(Ordered());

const Attr* Given(const Stmt& stmt, const Choice& choice) {
  const Attr* attr = FindAttr(stmt.attrs, choice.key);
  if (attr == nullptr && !choice.also.empty()) attr = FindAttr(stmt.attrs, choice.also);
  return attr;
}

}  // namespace

const Op* Find(std::string_view name) {
  const auto at = std::lower_bound(kTable.begin(), kTable.end(), name,
                                   [](const Op& op, std::string_view wanted) { return op.name < wanted; });
  return at == kTable.end() || at->name != name ? nullptr : &*at;
}

std::string_view WhyRefused(std::string_view name) {
  if (name.starts_with("vmi.")) {
    return "pto.vmi is the draft of another level, which no assembler knows and no program uses; write the operations "
           "of "
           "registers";
  }
  for (const RefusedName& refused : kRefusedNames) {
    if (refused.name == name) return refused.why;
  }
  return {};
}

std::span<const Op> AllOps() { return kTable; }

int32_t CodeOf(const Stmt& stmt, const Choice& choice, int32_t without) {
  const Attr* attr = Given(stmt, choice);
  const ChoiceValue* value = attr == nullptr ? nullptr : choice.Find(attr->text);
  return value == nullptr ? without : value->code;
}

bool Has(const Stmt& stmt, const Choice& choice) { return Given(stmt, choice) != nullptr; }

const Clause* GivenClause(const Stmt& stmt, std::string_view word) {
  for (const Clause& clause : stmt.clauses) {
    if (clause.info->word == word) return &clause;
  }
  return nullptr;
}

std::string_view OptionOf(const Clause* clause, std::string_view key) {
  if (clause == nullptr) return {};
  for (const NamedAttr& option : clause->options) {
    if (key.empty()) return option.name;
    if (option.name != key || option.value == nullptr) continue;
    const Type* type = option.value->type;
    return option.value->kind == AttrKind::kType && type != nullptr ? Info(type->elem).name : option.value->text;
  }
  return {};
}

int32_t WordOf(const Stmt& stmt, size_t number) {
  const Op& op = *stmt.vector;
  size_t at = 0;
  for (size_t i = 0; i < op.in.count && i < stmt.operands.size(); ++i) {
    if (op.in.all[i].kind != Kind::kWord || at++ != number) continue;
    const ChoiceValue* value = op.words[number]->Find(stmt.operands[i].literal->text);
    return value == nullptr ? 0 : value->code;
  }
  return 0;
}

}  // namespace pto::ptoas::vec
