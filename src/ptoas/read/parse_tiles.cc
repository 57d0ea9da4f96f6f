// Statements that make tiles and handles of them, or say where they lie and what of them is valid.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

// %t [dict] : type [-> type], or ins(%t [dict] : type) outs(%u : type)
bool Parser::ParseTreshape(Stmt* stmt) {
  const Marks start = Mark();
  const Type* from = nullptr;
  const bool ins = AcceptWord("ins");
  if ((ins && !Expect('(')) || !ParseResolved() || !ParseTyped(start, TypeKind::kTile, &from)) return false;
  const Type* to = from;
  if (ins ? !ParseMade(stmt, &to) : tok_.kind == Tok::kArrow && !ParseArrowType(TypeKind::kTile, &to)) return false;
  GiveType(&operands_[start.operands], from);
  FinishWith(stmt, start, to);
  return true;
}

// `) outs(%new : type)`: the same as `%new =` in front and the type behind an arrow.
bool Parser::ParseMade(Stmt* stmt, const Type** type) {
  Operand made;
  if (!Expect(')') || !ExpectWord("outs") || !Expect('(') || !ParseUse(&made) || !Expect(':')) return false;
  *type = ParseType(TypeKind::kTile);
  if (*type == nullptr || !Expect(')')) return false;
  if (!names_.empty() || made.index != 0 || scope_.Find(made.name, 0) != nullptr) {
    return FailAt(*stmt, TextRule::kResultCount,
                  "%.*s makes a new name for the memory of a tile: the name in its outs(...) is there already",
                  PTO_NAME(stmt->name));
  }
  names_.push_back({made.name, made.offset, made.length, 1});
  return true;
}

// subview %t, %r, %c : type, type, type [-> type], or ins(%t, %r, %c : type, type, type) outs(%u : type): as much of
// the tile from there on as is valid in the type of the result, all of it where that says nothing. It is a subset.
bool Parser::ParseSubview(Stmt* stmt) {
  const Marks start = Mark();
  const bool ins = AcceptWord("ins");
  if ((ins && !Expect('(')) || !ParseResolved() || !Expect(',') || !ParseResolvedOperand(Scalar(Elem::kIndex)) ||
      !Expect(',') || !ParseResolvedOperand(Scalar(Elem::kIndex)) || !Expect(':')) {
    return false;
  }
  const Token at = tok_;
  const size_t types = types_.size();
  do {
    if (!ParseTypes()) return false;
  } while (Accept(','));
  // The documents write i16 for the numbers, whatever they are.
  const size_t given = types_.size() - types;
  if (given != 3) WrongTypeCount(at.offset, at.length, given, 3);
  if (given > 0) GiveType(&operands_[start.operands], types_[types]);
  types_.resize(types);
  const Type* to = nullptr;
  if (!ins && tok_.kind != Tok::kArrow) {
    to = operands_[start.operands].type;  // of the tile, as a destination without a type has it
  } else if (ins ? !ParseMade(stmt, &to) : !ParseArrowType(TypeKind::kTile, &to)) {
    return false;
  }
  if (to != nullptr && to->kind == TypeKind::kAnyTile) {
    stmt->Become(InfoOf("subview"));
    const int64_t rest[2] = {kDynamic, kDynamic};
    stmt->sizes = arena_->Copy(rest, 2);
    operands_[start.operands].type = to;
    FinishWith(stmt, start, to);
    return true;
  }
  if (to == nullptr || to->kind != TypeKind::kTile || to->valid_row == kDynamic || to->valid_col == kDynamic) {
    return FailAt(*stmt, TextRule::kOperandType, "the result type of %.*s must give the size of the part",
                  PTO_NAME(stmt->name));
  }
  stmt->Become(InfoOf("subset"));
  const int64_t sizes[2] = {to->valid_row, to->valid_col};
  stmt->sizes = arena_->Copy(sizes, 2);
  const Operand& whole = operands_[start.operands];
  FinishWith(stmt, start, SubsetType(start.operands, whole.type == nullptr ? to : whole.type, sizes));
  return true;
}

// %t[%r, %c] sizes [R, C] [dict] : type
bool Parser::ParseSubset(Stmt* stmt) {
  const Marks start = Mark();
  uint16_t offsets = 0;
  if (!ParseResolved() || !ParseBracketed(&offsets) || !ExpectWord("sizes") || !Expect('[')) return false;
  if (offsets != 2) return FailAt(*stmt, TextRule::kOperandCount, "subset takes 2 offsets, not %u", offsets);
  int64_t sizes[2] = {};
  for (int i = 0; i < 2; ++i) {
    Attr size;
    if ((i == 1 && !Expect(',')) || !ParseNumber(&size)) return false;
    sizes[i] = size.kind == AttrKind::kInt ? size.integer : 0;
  }
  const Type* from = nullptr;
  if (!Expect(']') || !ParseTyped(start, TypeKind::kTile, &from)) return false;
  GiveType(&operands_[start.operands], from);
  // An arrow and a type may follow; the type is what the sizes say all the same.
  const Type* ignored = nullptr;
  if (tok_.kind == Tok::kArrow && !ParseArrowType(TypeKind::kTile, &ignored)) return false;
  stmt->sizes = arena_->Copy(sizes, 2);
  FinishWith(stmt, start, SubsetType(start.operands, from, sizes));
  return true;
}

// The type of a part: as much of the valid region as lies in it, where that is known. The operands are the whole and
// two offsets; of a type that leaves something open the value's own says more.
const Type* Parser::SubsetType(size_t operands, const Type* written, const int64_t* sizes) {
  const Value* value = operands_[operands].value;
  const Type& whole = written->IsOpen() && value != nullptr && value->type != nullptr ? *value->type : *written;
  if (whole.kind != TypeKind::kTile) return &whole;
  Type type = Dense(whole);
  const int64_t valid[2] = {whole.valid_row, whole.valid_col};
  int64_t* extents[2] = {&type.valid_row, &type.valid_col};
  for (size_t i = 0; i < 2; ++i) {
    type.dims[i] = sizes[i];
    int64_t offset = 0;
    const Operand& at = operands_[operands + 1 + i];
    bool known = at.value != nullptr && ConstantOf(at.value, &offset);
    if (at.kind == OperandKind::kLiteral && at.literal->kind == AttrKind::kInt) {
      known = true;
      offset = at.literal->integer;
    }
    known = known && valid[i] != kDynamic && offset >= 0;
    *extents[i] = known ? std::clamp<int64_t>(valid[i] - std::min(offset, valid[i]), 0, std::max<int64_t>(sizes[i], 0))
                        : kDynamic;
  }
  return Intern(type);
}

// [%u =] tassign %t, ADDRESS [: type [, type]] [-> type], or ins(%t, ADDRESS : type, type)
bool Parser::ParseTassign(Stmt* stmt) {
  const Marks start = Mark();
  const bool ins = AcceptWord("ins");
  if (ins && !Expect('(')) return false;
  placing_ = true;
  const bool placed = ParseResolvedOperand();
  placing_ = false;
  if (!placed) return false;
  while (Accept(',')) {
    if (!ParseResolvedOperand()) return false;
  }
  const size_t base = start.operands;
  if (operands_.size() != base + 2)
    return FailAt(*stmt, TextRule::kOperandCount, "tassign takes a tile and an address");
  if (!ParseOptionalDict(start.named)) return false;
  if (Accept(':')) {
    for (size_t i = 0; i < 2; ++i) {
      const Type* type = ParseType(TypeKind::kTile);
      if (type == nullptr) return false;
      // `dtype` is any number, of an address that of its definition.
      if (i == 0 || type->kind != TypeKind::kAnyScalar) GiveType(&operands_[base + i], type);
      if (!Accept(',')) break;
    }
  }
  if (ins && !Expect(')')) return false;
  const Type* result = operands_[base].type;
  if (result == nullptr && operands_[base].value != nullptr) result = operands_[base].value->type;
  if (tok_.kind == Tok::kArrow && !ParseArrowType(TypeKind::kTile, &result)) return false;
  Suppose(operands_[base + 1], Scalar(Elem::kI64));
  Suppose(operands_[base], AnyTile());
  Finish(stmt, start);
  if (bare_) tassigns_.push_back(stmt);
  if (!names_.empty()) DefineResult(stmt, result);
  return true;
}

}  // namespace pto::ptoas
