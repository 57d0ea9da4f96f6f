// Unused values, tiles and words.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "src/ptoas/lint/checks.h"
#include "src/ptoas/vector/op.h"
#include "src/records/attributes.h"

namespace pto::ptoas {

namespace {

bool Unused(const FuncFacts& facts, const Value& value) { return facts.AccessesOf(value).empty(); }

void FindUnused(Lint& lint, Made wanted, const char* format) {
  lint.EachStatement([&](const FuncFacts& facts, int, const Stmt& stmt) {
    if (stmt.info->made != wanted) return;
    for (const Value* result : stmt.results) {
      if (Unused(facts, *result)) lint.Find(*result, format, PTO_NAME(result->name));
    }
  });
}

bool Changes(const Stmt& stmt) {
  return stmt.kind == StmtKind::kInst ? stmt.op == nullptr || stmt.Stores() : stmt.info->effect;
}

// Whether an operation of the vector level does more than make its results: the count of vsqz is what vstur stores.
bool Effective(const vec::Op& op) {
  using vec::Family;
  const bool stores = op.family == Family::kStore || op.family == Family::kStream || op.family == Family::kCopy ||
                      op.family == Family::kCube || op.family == Family::kSort;
  return stores || op.name == "vsqz" || op.name == "vusqz" || op.name.starts_with("atomic_");
}

}  // namespace

void UnusedArgument(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.func().bare) continue;
    for (const Value* arg : facts.func().args) {
      if (Unused(facts, *arg)) lint.Find(*arg, "argument %%%.*s is never used", PTO_NAME(arg->name));
    }
  }
}

void UnusedConstant(Lint& lint) { FindUnused(lint, Made::kConstant, "constant %%%.*s is never used"); }
void UnusedValue(Lint& lint) {
  FindUnused(lint, Made::kNumber, "%%%.*s is computed and never used");
  lint.EachStatement([&](const FuncFacts& facts, int, const Stmt& stmt) {
    if (stmt.vector == nullptr || stmt.results.empty() || Effective(*stmt.vector)) return;
    const auto used = [&](const Value* result) { return !Unused(facts, *result); };
    if (std::any_of(stmt.results.begin(), stmt.results.end(), used)) return;
    const Value& first = *stmt.results[0];
    lint.Find(first, "%%%.*s is computed and never used", PTO_NAME(first.name));
  });
}
void UnusedView(Lint& lint) { FindUnused(lint, Made::kView, "view %%%.*s is never used"); }
void UnusedTile(Lint& lint) { FindUnused(lint, Made::kTile, "tile %%%.*s is never used"); }

void UnusedFunction(Lint& lint) {
  std::set<const Func*> called;
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.callee != nullptr) called.insert(stmt.callee);
  });
  for (const FuncFacts& facts : lint.funcs()) {
    const Func& func = facts.func();
    if (func.visibility == Visibility::kPrivate && !func.entry && !called.contains(&func)) {
      lint.Find(func, "private function @%.*s is never called", PTO_NAME(func.name));
    }
  }
}

void RepeatedConstant(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    // In one block the second could be the first.
    std::map<std::tuple<const Block*, const Type*, std::string_view, int64_t>, const Value*> known;
    for (const StmtSite& site : facts.sites()) {
      const Stmt& stmt = *site.stmt;
      if (stmt.kind != StmtKind::kConstant || stmt.results.empty() || stmt.literal->kind == AttrKind::kArray) continue;
      const Value& value = *stmt.results[0];
      const auto key = std::make_tuple(site.block, value.type, stmt.literal->text, stmt.literal->integer);
      const auto [at, fresh] = known.emplace(key, &value);
      if (fresh) continue;
      lint.Find(value, "%%%.*s is the same constant as %%%.*s", PTO_NAME(value.name), PTO_NAME(at->second->name));
    }
  }
}

void DefaultWritten(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    for (const NamedAttr& entry : stmt.attrs) {
      const AttributeInfo* info = FindAttribute(stmt, entry.name);
      const AttributeValue* value = info == nullptr ? nullptr : FindValue(*info, ValueOf(entry));
      // An explicit default rounding or comparison documents the intent; an explicit default precision does not.
      if (value == nullptr || std::string_view(info->key) != "precision_mode" || value != &info->values[info->usual])
        continue;
      lint.FindAt(entry.offset, static_cast<uint32_t>(entry.name.size()), "%.*s = %s is what %.*s does anyway",
                  PTO_NAME(entry.name), value->name, PTO_NAME(stmt.name));
    }
  });
}

void OtherSpelling(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    for (const NamedAttr& entry : stmt.attrs) {
      const AttributeInfo* info = FindAttribute(stmt, entry.name);
      if (info == nullptr || entry.name == info->key) continue;
      lint.FindAt(entry.offset, static_cast<uint32_t>(entry.name.size()), "%.*s is another spelling of %s",
                  PTO_NAME(entry.name), info->key);
    }
  });
}

void NoEffect(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    const Func& func = facts.func();
    // The results of a function, and its tile arguments, may be its purpose.
    if (func.bare || !func.result_types.empty() || facts.sites().empty()) continue;
    bool changes = false;
    for (const StmtSite& site : facts.sites()) changes |= Changes(*site.stmt);
    for (const Value* arg : func.args) changes |= arg->type == nullptr || arg->type->IsTile();
    const bool empty = facts.sites().size() == 1 && facts.sites()[0].stmt->kind == StmtKind::kReturn;
    if (!changes && !empty) lint.Find(func, "@%.*s stores nothing", PTO_NAME(func.name));
  }
}

}  // namespace pto::ptoas
