// Questions to a program: the entry, constants.
#include "src/ptoas/read/ast.h"

#include <algorithm>

namespace pto::ptoas {
bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); });
}

Func* Program::DefaultEntry() const {
  Func* only = nullptr;
  Func* marked = nullptr;
  int defined = 0;
  int marks = 0;
  for (const Module* module : modules) {
    for (Func* func : module->funcs) {
      if (func->body == nullptr) continue;
      ++defined;
      only = func;
      if (!func->entry) continue;
      ++marks;
      marked = func;
    }
  }
  if (marks == 1) return marked;
  // A cube function and a vector function that are each other's peer are one kernel.
  const bool pair = only != nullptr && only->peer != nullptr && only->core != only->peer->core;
  if (pair && defined == 2 && marks != 1) return only->core == CoreKind::kCube ? only : only->peer;
  return defined == 1 ? only : nullptr;
}

bool ConstantOf(const Value* value, int64_t* out) {
  if (value == nullptr || value->def == nullptr || value->def->kind != StmtKind::kConstant) return false;
  const Attr* literal = value->def->literal;
  if (value->type == nullptr || value->type->kind != TypeKind::kScalar || IsFloat(value->type->elem)) return false;
  if (literal->kind != AttrKind::kInt && literal->kind != AttrKind::kBool) return false;
  *out = literal->integer;
  return true;
}

CoreKind SideOf(const Stmt& stmt) {
  const std::string_view name = stmt.name;
  if (name == "aic_initialize_pipe" || name.ends_with("_to_aiv") || name.ends_with("_from_aiv")) return CoreKind::kCube;
  if (name == "aiv_initialize_pipe" || name.ends_with("_to_aic") || name.ends_with("_from_aic"))
    return CoreKind::kVector;
  return CoreKind::kAny;
}

}  // namespace pto::ptoas
