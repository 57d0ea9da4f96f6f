// Questions to a program: the entry, constants.
#include "src/ptoas/read/ast.h"

#include <algorithm>

namespace pto::ptoas {
bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::optional<Profile> ProfileByArch(std::string_view word) {
  for (const ProfileInfo& row : kProfiles) {
    for (std::string_view left = row.arches; !left.empty();) {
      const std::string_view arch = left.substr(0, left.find(','));
      if (SameWord(arch, word)) return static_cast<Profile>(&row - kProfiles);
      left.remove_prefix(std::min(arch.size() + 2, left.size()));
    }
  }
  return std::nullopt;
}

Func* Program::DefaultEntry() const {
  Func* only = nullptr;
  Func* marked = nullptr;
  int defined = 0;
  int marks = 0;
  for (const Module* module : modules) {
    for (Func* func : module->funcs) {
      if (func->body == nullptr || func->simt) continue;
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

bool ConstantOf(const Operand& operand, int64_t* out) {
  if (operand.kind == OperandKind::kLiteral && operand.literal->kind == AttrKind::kInt) {
    *out = operand.literal->integer;
    return true;
  }
  return ConstantOf(operand.value, out);
}

Type SubviewType(const Operand& tile, std::span<const int64_t> sizes, std::span<const Operand> valid) {
  const Type* whole = tile.type;
  if ((whole == nullptr || whole->IsOpen()) && tile.value != nullptr && tile.value->type != nullptr) {
    whole = tile.value->type;
  }
  if (whole == nullptr) return Type();
  if (whole->kind != TypeKind::kTile) return *whole;
  Type part = Dense(*whole);
  int64_t* const extents[] = {&part.valid_row, &part.valid_col};
  for (size_t i = 0; i < 2; ++i) {
    part.dims[i] = *extents[i] = sizes[i];
    if (!valid.empty() && !ConstantOf(valid[i], extents[i])) *extents[i] = kDynamic;
  }
  return part;
}

int64_t IntAttr(Dict attrs, std::string_view name, int64_t without) {
  const Attr* attr = FindAttr(attrs, name);
  return attr != nullptr && attr->kind == AttrKind::kInt ? attr->integer : without;
}

namespace {

// Bytes are counted without a sign: the verifier asks before it has seen that numbers are small.
struct Buffers {
  std::string_view name;
  uint64_t vec = 0;  // where the next one begins
  uint64_t mat = 0;
  uint64_t address = 0;

  bool FindIn(const Block* block) {
    for (; block != nullptr; block = block->next) {
      for (const Stmt* stmt : block->stmts) {
        if (std::any_of(stmt->blocks.begin(), stmt->blocks.end(), [&](const Block* inner) { return FindIn(inner); }) ||
            (stmt->kind == StmtKind::kReserveBuffer && Is(*stmt))) {
          return true;
        }
      }
    }
    return false;
  }
  bool Is(const Stmt& stmt) {
    const Attr* location = FindAttr(stmt.attrs, "location");
    uint64_t& next = location != nullptr && SameWord(location->text, "mat") ? mat : vec;
    address = static_cast<uint64_t>(IntAttr(stmt, "base", static_cast<int64_t>(next)));
    next = (address + static_cast<uint64_t>(IntAttr(stmt, "size", 0)) + 31) / 32 * 32;
    const Attr* named = FindAttr(stmt.attrs, "name");
    return named != nullptr && named->text == name;
  }
};

}  // namespace

bool FindBuffer(const Func& func, std::string_view name, int64_t* address) {
  Buffers buffers{name};
  const bool found = buffers.FindIn(func.body);
  *address = static_cast<int64_t>(buffers.address);
  return found;
}

PipeShape PipeShapeOf(const Stmt& made) {
  PipeShape shape;
  shape.directions = IntAttr(made, "dir_mask", 0);
  shape.slot_bytes = IntAttr(made, "slot_size", 0);
  shape.slots = IntAttr(made, "slot_num", shape.directions == 3 ? 4 : 8);
  shape.local_slots = IntAttr(made, "local_slot_num", shape.slots);
  shape.flag_base = IntAttr(made, "flag_base", -1);
  const Attr* nosplit = FindAttr(made.attrs, "nosplit");
  shape.nosplit = nosplit != nullptr && nosplit->kind == AttrKind::kBool && nosplit->integer != 0;
  return shape;
}

}  // namespace pto::ptoas
