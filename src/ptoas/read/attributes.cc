// Look-up of attributes and their values.
#include "src/records/attributes.h"

#include <algorithm>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {
namespace {

// A mode that is a bool in C++.
bool IsTwo(const AttributeInfo& info) { return info.values[0].name == std::string_view("false"); }

// Equal except for case and underscores.
bool Alike(std::string_view a, std::string_view b) {
  size_t i = 0;
  size_t k = 0;
  while (true) {
    while (i < a.size() && a[i] == '_') ++i;
    while (k < b.size() && b[k] == '_') ++k;
    if (i == a.size() || k == b.size()) return i == a.size() && k == b.size();
    if (!SameWord(a.substr(i++, 1), b.substr(k++, 1))) return false;
  }
}

bool Named(const AttributeInfo& info, std::string_view name) {
  if (Alike(name, info.key)) return true;
  // Few names are a precision, so its type is spelled out only for names that may be one.
  if (IsPrecision(info) && name.size() > 9 && Alike(name, AlgorithmOf(*info.record))) {
    return true;
  }
  return std::any_of(std::begin(info.aliases), std::end(info.aliases),
                     [&](const char* alias) { return alias != nullptr && Alike(name, alias); });
}

}  // namespace

const AttributeInfo* FindAttribute(std::string_view op, const OpInfo* record, std::string_view key) {
  for (const AttributeInfo& info : kAttributes) {
    const bool takes = info.record != nullptr ? info.record == record : op == info.op;
    if (takes && Named(info, key)) return &info;
  }
  return nullptr;
}

const AttributeInfo* FindAttribute(const Stmt& stmt, std::string_view key) {
  return FindAttribute(stmt.name, stmt.op, key);
}

const AttributeValue* FindValue(const AttributeInfo& info, const Attr& attr) {
  std::string_view kind = attr.kind == AttrKind::kPto ? attr.name : std::string_view();
  std::string_view value = attr.text;
  if (const size_t colons = value.find("::"); colons != value.npos) {
    // PowAlgorithm::HIGH_PRECISION, as C++ writes it.
    kind = value.substr(0, colons);
    value = value.substr(colons + 2);
  }
  if (!kind.empty() && !Alike(kind, info.kind) && !Named(info, kind)) return nullptr;
  // A bool may be written as an integer.
  if (IsTwo(info) && attr.kind == AttrKind::kInt)
    return attr.integer == 0 || attr.integer == 1 ? &info.values[attr.integer] : nullptr;
  const std::string_view spelled = info.spelled;
  for (const AttributeValue& known : info.values) {
    if (known.name == nullptr || value.empty()) continue;
    if (Alike(value, known.name) || (!spelled.empty() && Alike(value, std::string(spelled) + known.name)))
      return &known;
    // A count is the number after a letter: R10.
    if (attr.kind == AttrKind::kInt && Alike(value, known.name + 1)) return &known;
  }
  return nullptr;
}

const AttributeInfo* FindAttributeByValue(const OpInfo& record, Attr* value) {
  for (const AttributeInfo& info : kAttributes) {
    if (info.record != &record || IsTwo(info)) continue;
    if (FindValue(info, *value) != nullptr) return &info;
    const std::string_view name = info.operand < 0 ? "" : record.operands[info.operand].name;
    Attr rest = *value;
    if (name.empty() || !rest.text.starts_with(name) || !rest.text.substr(name.size()).starts_with('_')) continue;
    rest.text.remove_prefix(name.size() + 1);
    if (FindValue(info, rest) == nullptr) continue;
    *value = rest;
    return &info;
  }
  return nullptr;
}

std::string_view GivenValue(const Stmt& stmt, std::string_view key) {
  for (const NamedAttr& entry : stmt.attrs) {
    const AttributeInfo* info = FindAttribute(stmt, entry.name);
    const AttributeValue* value = info == nullptr || info->key != key ? nullptr : FindValue(*info, ValueOf(entry));
    if (value != nullptr) return value->name;
  }
  return {};
}

}  // namespace pto::ptoas
