// Statements that make tiles and handles of them, or set their places and valid regions.
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

// `) outs(%new : type)`: the same as `%new =` before and `-> type` after.
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

// %t[%r, %c] sizes [R, C] [valid [%vr, %vc]] [dict] : type [-> type]. The documents have another form of the name:
// subview %t, %r, %c : type, type, type [-> type], or ins(%t, %r, %c : type, type, type) outs(%u : type): the part of
// the tile from there on that is valid in the type of the result, or all of it by default. It is a subset.
bool Parser::ParseSubview(Stmt* stmt) {
  const Marks start = Mark();
  const bool ins = AcceptWord("ins");
  if ((ins && !Expect('(')) || !ParseResolved()) return false;
  if (!ins && At('[')) {
    uint16_t offsets = 0;
    uint16_t valid = 0;
    int64_t sizes[2] = {};
    if (!ParseBracketed(&offsets)) return false;
    if (offsets != 2) return FailAt(*stmt, TextRule::kOperandCount, "subview takes 2 offsets, not %u", offsets);
    if (!ParseSizes(*stmt, sizes)) return false;
    const bool narrows = AcceptWord("valid");
    if (narrows && !ParseBracketed(&valid)) return false;
    if (narrows && valid != 2) {
      return FailAt(*stmt, TextRule::kOperandCount, "valid of subview takes 2 extents, not %u", valid);
    }
    const Type* from = nullptr;
    const Type* to = nullptr;
    if (!ParseTyped(start, TypeKind::kTile, &from)) return false;
    GiveType(&operands_[start.operands], from);
    if (tok_.kind == Tok::kArrow && !ParseArrowType(TypeKind::kTile, &to)) return false;
    DefineSubview(stmt, start, sizes, to);
    return true;
  }
  if (!Expect(',') || !ParseResolvedOperand(Scalar(Elem::kIndex)) || !Expect(',') ||
      !ParseResolvedOperand(Scalar(Elem::kIndex)) || !Expect(':')) {
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
    NameOperands(stmt, {1, 1, 1, 0});
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
  if (!ParseResolved() || !ParseBracketed(&offsets)) return false;
  if (offsets != 2) return FailAt(*stmt, TextRule::kOperandCount, "subset takes 2 offsets, not %u", offsets);
  int64_t sizes[2] = {};
  const Type* from = nullptr;
  if (!ParseSizes(*stmt, sizes) || !ParseTyped(start, TypeKind::kTile, &from)) return false;
  GiveType(&operands_[start.operands], from);
  // An arrow and a type may follow; the sizes still decide the type.
  const Type* ignored = nullptr;
  if (tok_.kind == Tok::kArrow && !ParseArrowType(TypeKind::kTile, &ignored)) return false;
  stmt->sizes = arena_->Copy(sizes, 2);
  FinishWith(stmt, start, SubsetType(start.operands, from, sizes));
  return true;
}

// sizes [R, C]
bool Parser::ParseSizes(const Stmt& stmt, int64_t* sizes) {
  if (!ExpectWord("sizes") || !Expect('[')) return false;
  size_t count = 0;
  do {
    if (tok_.kind != Tok::kInt && !At('-')) {
      return FailAt(stmt, TextRule::kOperandType, "the sizes of %.*s are integers written as numbers",
                    PTO_NAME(stmt.name));
    }
    Attr size;
    if (!ParseNumber(&size)) return false;
    if (count < 2) sizes[count] = size.kind == AttrKind::kInt ? size.integer : 0;
    ++count;
  } while (Accept(','));
  if (count != 2) {
    return FailAt(stmt, TextRule::kOperandCount, "%.*s takes 2 sizes, not %zu", PTO_NAME(stmt.name), count);
  }
  return Expect(']');
}

void Parser::DefineSubview(Stmt* stmt, const Marks& start, const int64_t* sizes, const Type* to) {
  stmt->Become(InfoOf("subview"));
  // A size below 0 is wrong, and not all that is left.
  const int64_t kept[2] = {std::max<int64_t>(sizes[0], 0), std::max<int64_t>(sizes[1], 0)};
  stmt->sizes = arena_->Copy(kept, 2);
  if (to == nullptr || to->kind != TypeKind::kTile) {
    const std::span<const Operand> operands = std::span(operands_).subspan(start.operands);
    to = Intern(SubviewType(operands[0], stmt->sizes, operands.subspan(3)));
  }
  NameOperands(stmt, {1, 1, 1, operands_.size() - start.operands - 3});
  FinishWith(stmt, start, to);
}

// The type of a part: the part of the valid region that lies in it, if that is known. The operands are the whole and
// two offsets; if a type leaves something open, the value's own type is used.
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
    const bool known = ConstantOf(at, &offset) && valid[i] != kDynamic && offset >= 0;
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
      // `dtype` is any number; for an address, it is the type of its definition.
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
