// Statements of the pto dialect that have a syntax of their own.
#include <algorithm>

#include "src/ptoas/parser_impl.h"

namespace pto::ptoas {

void Parser::Finish(Stmt* stmt, size_t operands, size_t named) {
  stmt->operands = Commit(&operands_, operands);
  stmt->attrs = TakeDict(named);
}

bool Parser::ParsePto(Stmt* stmt, std::string_view mnemonic, Spelling one_line) {
  stmt->spelling = one_line;
  stmt->op = FindInstruction(mnemonic);
  stmt->dialect = FindDialectOp(mnemonic);
  stmt->name = mnemonic;
  if (stmt->dialect != nullptr) {
    stmt->name = stmt->dialect->name;
  } else if (stmt->op != nullptr) {
    stmt->name = stmt->op->name;
  }
  const Production production = stmt->dialect == nullptr ? Production::kInsOuts : stmt->dialect->production;
  if (production != Production::kInsOuts) return ParseProduction(stmt, production);
  stmt->kind = StmtKind::kInst;
  return AtWord("ins") || AtWord("outs") ? ParseDps(stmt) : ParseOneLine(stmt, one_line);
}

bool Parser::ParseProduction(Stmt* stmt, Production production) {
  switch (production) {
    case Production::kMakeTensorView:
      return ParseMakeTensorView(stmt);
    case Production::kPartitionView:
      return ParsePartitionView(stmt);
    case Production::kTensorViewDim:
      return ParseTensorViewDim(stmt);
    case Production::kAllocTile:
      return ParseAllocTile(stmt);
    case Production::kSetValidShape:
      return ParseSetValidShape(stmt);
    case Production::kRetype:
      return ParseRetype(stmt);
    case Production::kSubset:
      return ParseSubset(stmt);
    case Production::kTassign:
      return ParseTassign(stmt);
    case Production::kAddPtr:
    case Production::kLoadScalar:
    case Production::kStoreScalar:
      return ParsePointer(stmt, production);
    case Production::kTGetVal:
      return ParseTGetVal(stmt);
    case Production::kTSetVal:
      return ParseTSetVal(stmt);
    case Production::kBlockQuery: {
      stmt->kind = StmtKind::kBlockQuery;
      const std::string_view name = stmt->name;
      stmt->code = static_cast<uint8_t>(name == "get_block_idx"      ? QueryCode::kBlockIdx
                                        : name == "get_block_num"    ? QueryCode::kBlockNum
                                        : name == "get_subblock_idx" ? QueryCode::kSubblockIdx
                                                                     : QueryCode::kSubblockNum);
      DefineResult(stmt, Scalar(Elem::kI64));
      return true;
    }
    case Production::kSection:
      return ParseSection(stmt);
    case Production::kEventArray:
      return ParseEventArray(stmt);
    case Production::kPrint:
      return ParsePrint(stmt, false);
    case Production::kTPrint:
      return ParsePrint(stmt, true);
    case Production::kTrap:
      stmt->kind = StmtKind::kTrap;
      DefineResults(stmt, {});
      return true;
    case Production::kSync:
      return ParseSync(stmt);
    default:
      return ParseOther(stmt);
  }
}

// %p, shape = [..] [,] strides = [..] [dict] : type
bool Parser::ParseMakeTensorView(Stmt* stmt) {
  stmt->kind = StmtKind::kMakeTensorView;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  if (!ParseResolved() || !Expect(',')) return false;
  if (!ExpectWord("shape") || !Expect('=') || !ParseBracketed(&stmt->split)) return false;
  Accept(',');
  uint16_t strides = 0;
  if (!ExpectWord("strides") || !Expect('=') || !ParseBracketed(&strides)) return false;
  if (strides != stmt->split) {
    diagnostics_->Error(TextRule::kViewRank, stmt->offset, stmt->length, "%u sizes and %u strides", stmt->split,
                        strides);
  }
  if (!ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* type = ParseType(TypeKind::kTensorView);
  if (type == nullptr) return false;
  if (bare_ && type->IsView()) {
    Type pointer;
    pointer.kind = TypeKind::kPtr;
    pointer.elem = type->elem;
    Operand copy = operands_[base];
    if (copy.value != nullptr && copy.value->type == nullptr) GiveType(&copy, Intern(pointer));
  }
  Finish(stmt, base, named);
  DefineResult(stmt, type);
  return true;
}

// %v, offsets = [..], sizes = [..] [dict] : type -> type
bool Parser::ParsePartitionView(Stmt* stmt) {
  stmt->kind = StmtKind::kPartitionView;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  if (!ParseResolved() || !Expect(',')) return false;
  uint16_t sizes = 0;
  if (!ExpectWord("offsets") || !Expect('=') || !ParseBracketed(&stmt->split)) return false;
  Accept(',');
  if (!ExpectWord("sizes") || !Expect('=') || !ParseBracketed(&sizes)) return false;
  if (sizes != stmt->split) {
    diagnostics_->Error(TextRule::kViewRank, stmt->offset, stmt->length, "%u offsets and %u sizes", stmt->split, sizes);
  }
  if (!ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* from = ParseType(TypeKind::kTensorView);
  if (from == nullptr || !ExpectArrow()) return false;
  const Type* to = ParseType(TypeKind::kPartitionView);
  if (to == nullptr) return false;
  GiveType(&operands_[base], from);
  Finish(stmt, base, named);
  DefineResult(stmt, to);
  return true;
}

// %v, %i [dict] : type -> index
bool Parser::ParseTensorViewDim(Stmt* stmt) {
  stmt->kind = StmtKind::kTensorViewDim;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  if (!ParseUses()) return false;
  if (operands_.size() != base + 2) {
    return FailAt(*stmt, TextRule::kOperandCount, "get_tensor_view_dim takes a view and a dimension");
  }
  if (!ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* type = ParseType(TypeKind::kTensorView);
  if (type == nullptr || !ExpectArrow()) return false;
  const Type* result = ParseType();
  if (result == nullptr || !ParseOptionalDict(named)) return false;
  GiveType(&operands_[base], type);
  GiveType(&operands_[base + 1], Scalar(Elem::kIndex));
  Finish(stmt, base, named);
  DefineResult(stmt, result);
  return true;
}

// [addr = %a] [valid_row = %r] [valid_col = %c] [dict] : type
bool Parser::ParseAllocTile(Stmt* stmt) {
  stmt->kind = StmtKind::kAllocTile;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  static constexpr const char* kKeys[] = {"addr", "valid_row", "valid_col"};
  for (int i = 0; i < 3; ++i) {
    if (!AcceptWord(kKeys[i])) continue;
    Operand operand;
    if (!Expect('=') || !ParseOperand(&operand)) return false;
    Resolve(&operand, false);
    if (bare_ && operand.value != nullptr && operand.value->type == nullptr) {
      operand.value->type = Scalar(i == 0 ? Elem::kI64 : Elem::kIndex);
    }
    operands_.push_back(operand);
    (i == 0 ? stmt->has_addr : i == 1 ? stmt->has_valid_row : stmt->has_valid_col) = true;
    Accept(',');
  }
  if (!ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* type = ParseType(TypeKind::kTile);
  if (type == nullptr) return false;
  Finish(stmt, base, named);
  DefineResult(stmt, type);
  return true;
}

// %t, %r, %c [dict] : type
bool Parser::ParseSetValidShape(Stmt* stmt) {
  stmt->kind = StmtKind::kSetValidShape;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  do {
    Operand operand;
    if (!ParseOperand(&operand)) return false;
    Resolve(&operand, false);
    if (bare_ && operands_.size() > base && operand.value != nullptr && operand.value->type == nullptr) {
      operand.value->type = Scalar(Elem::kIndex);
    }
    operands_.push_back(operand);
  } while (Accept(','));
  if (operands_.size() != base + 3) {
    return FailAt(*stmt, TextRule::kOperandCount, "set_validshape takes a tile, rows and columns");
  }
  if (!ParseOptionalDict(named)) return false;
  if (Accept(':')) {
    const Type* type = ParseType(TypeKind::kTile);
    if (type == nullptr) return false;
    GiveType(&operands_[base], type);
  }
  Finish(stmt, base, named);
  DefineResults(stmt, {});
  return true;
}

// treshape, bitcast: %t [dict] [: type [-> type]]
bool Parser::ParseRetype(Stmt* stmt) {
  stmt->kind = std::string_view(stmt->name) == "treshape" ? StmtKind::kTreshape : StmtKind::kBitcast;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  if (!ParseResolved()) return false;
  if (!ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* from = ParseType(TypeKind::kTile);
  if (from == nullptr || !ExpectArrow()) return false;
  const Type* to = ParseType(TypeKind::kTile);
  if (to == nullptr) return false;
  GiveType(&operands_[base], from);
  Finish(stmt, base, named);
  DefineResult(stmt, to);
  return true;
}

// %t[%r, %c] sizes [R, C] [dict] : type
bool Parser::ParseSubset(Stmt* stmt) {
  stmt->kind = StmtKind::kSubset;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  if (!ParseResolved()) return false;
  uint16_t offsets = 0;
  if (!ParseBracketed(&offsets) || !ExpectWord("sizes") || !Expect('[')) return false;
  if (offsets != 2) return FailAt(*stmt, TextRule::kOperandCount, "subset takes 2 offsets, not %u", offsets);
  int64_t sizes[2] = {};
  for (int i = 0; i < 2; ++i) {
    Attr size;
    if ((i == 1 && !Expect(',')) || !ParseNumber(&size)) return false;
    sizes[i] = size.kind == AttrKind::kInt ? size.integer : 0;
  }
  if (!Expect(']') || !ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* from = ParseType(TypeKind::kTile);
  if (from == nullptr) return false;
  GiveType(&operands_[base], from);
  // An arrow and a type may follow; the type is what the sizes say all the same.
  if (tok_.kind == Tok::kArrow) {
    Advance();
    if (ParseType(TypeKind::kTile) == nullptr) return false;
  }
  const Type* result = from;
  if (from->kind == TypeKind::kTile) {
    Type type = *from;
    const int64_t valid[2] = {from->valid_row, from->valid_col};
    int64_t* extents[2] = {&type.valid_row, &type.valid_col};
    for (int i = 0; i < 2; ++i) {
      type.dims[i] = sizes[i];
      int64_t offset = 0;
      const Operand& at = operands_[base + 1 + static_cast<size_t>(i)];
      bool known = at.value != nullptr && ConstantOf(at.value, &offset);
      if (at.kind == OperandKind::kLiteral && at.literal->kind == AttrKind::kInt) {
        known = true;
        offset = at.literal->integer;
      }
      known = known && valid[i] != kDynamic && offset >= 0;
      *extents[i] = known
                        ? std::clamp<int64_t>(valid[i] - std::min(offset, valid[i]), 0, std::max<int64_t>(sizes[i], 0))
                        : kDynamic;
    }
    result = Intern(type);
  }
  stmt->sizes = arena_->Copy(sizes, 2);
  Finish(stmt, base, named);
  DefineResult(stmt, result);
  return true;
}

// [%u =] tassign %t, ADDRESS [: type [, type]] [-> type], or ins(%t, ADDRESS : type, type)
bool Parser::ParseTassign(Stmt* stmt) {
  stmt->kind = StmtKind::kTassign;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  const bool ins = AcceptWord("ins");
  if (ins && !Expect('(')) return false;
  do {
    Operand operand;
    if (!ParseOperand(&operand)) return false;
    Resolve(&operand, false);
    operands_.push_back(operand);
  } while (Accept(','));
  if (operands_.size() != base + 2)
    return FailAt(*stmt, TextRule::kOperandCount, "tassign takes a tile and an address");
  if (!ParseOptionalDict(named)) return false;
  if (Accept(':')) {
    for (size_t i = 0; i < 2; ++i) {
      const Type* type = ParseType(TypeKind::kTile);
      if (type == nullptr) return false;
      GiveType(&operands_[base + i], type);
      if (!Accept(',')) break;
    }
  }
  if (ins && !Expect(')')) return false;
  const Type* result = operands_[base].type;
  if (result == nullptr && operands_[base].value != nullptr) result = operands_[base].value->type;
  if (tok_.kind == Tok::kArrow) {
    Advance();
    result = ParseType(TypeKind::kTile);
    if (result == nullptr) return false;
  }
  if (bare_ && operands_[base + 1].value != nullptr && operands_[base + 1].value->type == nullptr) {
    operands_[base + 1].value->type = Scalar(Elem::kI64);
  }
  if (bare_ && operands_[base].value != nullptr && operands_[base].value->type == nullptr) {
    operands_[base].value->type = AnyTile();
  }
  Finish(stmt, base, named);
  if (!names_.empty()) DefineResult(stmt, result);
  return true;
}

// addptr %p, %o : T -> T; load_scalar %p[%i] : T -> T; store_scalar %x, %p[%i] : T, T
bool Parser::ParsePointer(Stmt* stmt, Production production) {
  const bool load = production == Production::kLoadScalar;
  const bool store = production == Production::kStoreScalar;
  stmt->kind = load ? StmtKind::kLoadScalar : store ? StmtKind::kStoreScalar : StmtKind::kAddPtr;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  const auto operand = [this](bool index) {
    Operand read;
    if (index ? !ParseOperand(&read) : !ParseUse(&read)) return false;
    Resolve(&read, false);
    if (index && bare_ && read.value != nullptr && read.value->type == nullptr) read.value->type = Scalar(Elem::kIndex);
    operands_.push_back(read);
    return true;
  };
  if (store && (!operand(false) || !Expect(','))) return false;
  if (!operand(false) || !Expect(load || store ? '[' : ',') || !operand(true)) return false;
  if ((load || store) && !Expect(']')) return false;
  if (!ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* first = ParseType(TypeKind::kPtr);
  if (first == nullptr) return false;
  if (store) {
    // The documents write the pointer's type first, some programs the value's.
    if (!Expect(',')) return false;
    const Type* second = ParseType(TypeKind::kPtr);
    if (second == nullptr) return false;
    const bool pointer_first = first->kind == TypeKind::kPtr;
    GiveType(&operands_[base + 1], pointer_first ? first : second);
    GiveType(&operands_[base], pointer_first ? second : first);
    Finish(stmt, base, named);
    DefineResults(stmt, {});
    return true;
  }
  if (!ExpectArrow()) return false;
  const Type* result = ParseType(load ? TypeKind::kOpaque : TypeKind::kPtr);
  if (result == nullptr) return false;
  GiveType(&operands_[base], first);
  Finish(stmt, base, named);
  DefineResult(stmt, result);
  return true;
}

// ins(%t, %i : type, index) outs : type, or %t[%i] / %t, %i [: (types) -> type]
bool Parser::ParseTGetVal(Stmt* stmt) {
  stmt->kind = StmtKind::kTGetVal;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  const Type* result = nullptr;
  const bool ins = AcceptWord("ins");
  if (ins && !Expect('(')) return false;
  do {
    Operand operand;
    if (!ParseOperand(&operand)) return false;
    Resolve(&operand, false);
    const std::span<Operand> indices = operand.indices;
    operand.indices = {};
    operands_.push_back(operand);
    operands_.insert(operands_.end(), indices.begin(), indices.end());
  } while (Accept(','));
  if (operands_.size() != base + 2) return FailAt(*stmt, TextRule::kOperandCount, "tgetval takes a tile and an offset");
  if (ins) {
    if (!ParseOperandTypes(base) || !Expect(')') || !ExpectWord("outs") || !Expect(':')) return false;
    result = ParseType();
    if (result == nullptr || !ParseOptionalDict(named)) return false;
  } else {
    if (!ParseOptionalDict(named)) return false;
    if (Accept(':')) {
      const size_t types = types_.size();
      do {
        if (!ParseTypes()) return false;
      } while (Accept(','));
      for (size_t i = 0; i < std::min<size_t>(2, types_.size() - types); ++i) {
        GiveType(&operands_[base + i], types_[types + i]);
      }
      types_.resize(types);
      if (!ExpectArrow()) return false;
      result = ParseType();
      if (result == nullptr) return false;
    }
  }
  Operand& offset = operands_[base + 1];
  if (bare_ && offset.value != nullptr && offset.value->type == nullptr) offset.value->type = Scalar(Elem::kIndex);
  Finish(stmt, base, named);
  DefineResult(stmt, result);
  return true;
}

// ins(%i, %x : index, type) outs(%t : type)
bool Parser::ParseTSetVal(Stmt* stmt) {
  if (!ParseDps(stmt)) return false;
  stmt->kind = StmtKind::kTSetVal;
  if (stmt->operands.size() != 2 || stmt->outs.size() != 1) {
    diagnostics_->Error(TextRule::kOperandCount, stmt->offset, stmt->length,
                        "tsetval takes ins(offset, value) and outs(tile)");
    return false;
  }
  return true;
}

bool Parser::ParseSection(Stmt* stmt) {
  stmt->kind = StmtKind::kSection;
  stmt->code =
      static_cast<uint8_t>(std::string_view(stmt->name) == "section.cube" ? SectionCode::kCube : SectionCode::kVector);
  DefineResults(stmt, {});
  Block* block = arena_->New<Block>();
  stmt->blocks = arena_->Copy(&block, 1);
  return ParseBlock(block);
}

// declare_eventid_array -> T; eventid_array_get %a[%i] : T; eventid_array_set %a[%i], %v : T
bool Parser::ParseEventArray(Stmt* stmt) {
  stmt->kind = StmtKind::kEventArray;
  const std::string_view name = stmt->name;
  if (name == "declare_eventid_array") {
    stmt->code = static_cast<uint8_t>(EventArrayCode::kDeclare);
    if (!ExpectArrow()) return false;
    const Type* type = ParseType();
    if (type == nullptr) return false;
    DefineResult(stmt, type);
    return true;
  }
  const bool set = name == "eventid_array_set";
  stmt->code = static_cast<uint8_t>(set ? EventArrayCode::kSet : EventArrayCode::kGet);
  const size_t base = operands_.size();
  const size_t named = named_.size();
  if (!ParseResolved()) return false;
  uint16_t count = 0;
  if (!ParseBracketed(&count)) return false;
  if (count != 1)
    return FailAt(*stmt, TextRule::kOperandCount, "%s takes one index, not %u", stmt->dialect->name, count);
  if (set) {
    Operand value;
    if (!Expect(',') || !ParseOperand(&value)) return false;
    Resolve(&value, false);
    operands_.push_back(value);
  }
  if (!ParseOptionalDict(named) || !Expect(':')) return false;
  const Type* type = ParseType();
  if (type == nullptr) return false;
  GiveType(&operands_[base], type);
  Finish(stmt, base, named);
  const Type* index = Scalar(Elem::kIndex);
  DefineResults(stmt, set ? std::span<const Type* const>() : std::span<const Type* const>(&index, 1));
  return true;
}

// print ins("%f", %x : type); tprint ins(%t : type) or tprint %t [: type]
bool Parser::ParsePrint(Stmt* stmt, bool tile) {
  const bool good = AtWord("ins") ? ParseDps(stmt) : ParseOneLine(stmt, stmt->spelling);
  if (!good) return false;
  stmt->kind = tile ? StmtKind::kTPrint : StmtKind::kPrint;
  const size_t count = stmt->operands.size();
  if (tile ? count != 1
           : count == 0 || count > 2 || stmt->operands[0].kind != OperandKind::kLiteral ||
                 stmt->operands[0].literal->kind != AttrKind::kString) {
    diagnostics_->Error(TextRule::kOperandCount, stmt->offset, stmt->length,
                        tile ? "tprint takes a tile" : "print takes a format and a scalar");
    return false;
  }
  if (!stmt->outs.empty()) {
    diagnostics_->Error(TextRule::kResultCount, stmt->offset, stmt->length, "%s makes no value", stmt->dialect->name);
    return false;
  }
  return true;
}

// code: 0 plain operands, 1 in brackets, 2 in ins(...).
bool Parser::ParseSync(Stmt* stmt) {
  stmt->kind = StmtKind::kSync;
  const size_t base = operands_.size();
  const size_t named = named_.size();
  if (AtWord("ins")) {
    if (!ParseDps(stmt)) return false;
    stmt->kind = StmtKind::kSync;
    stmt->code = 2;
    return true;
  }
  if (Accept('[')) {
    stmt->code = 1;
    if (!ParseOperandList(']')) return false;
  } else if (AtOperand() && !(tok_.kind == Tok::kValue && tok_.first_on_line)) {
    do {
      Operand operand;
      if (!ParseOperand(&operand)) return false;
      operands_.push_back(operand);
    } while (Accept(','));
  }
  for (size_t i = base; i < operands_.size(); ++i) Resolve(&operands_[i], false);
  if (!ParseOptionalDict(named)) return false;
  if (At(':') && !ParseOperandTypes(base)) return false;
  Finish(stmt, base, named);
  DefineResults(stmt, {});
  return true;
}

// Pipes and asynchronous copies. Their text is kept as it is; what they make gets
// its type from the arrow. The text ends where nothing continues it.
bool Parser::ParseOther(Stmt* stmt) {
  stmt->kind = StmtKind::kUnsupported;
  const size_t types = types_.size();
  const char* begin = lexer_.begin() + tok_.offset;
  const char* end = begin;
  bool wants = true;  // an operand may come, after the name or a comma
  while (tok_.kind != Tok::kEnd) {
    if (At('{') || At('(') || At('[')) {
      SkipBalanced();
      wants = false;
    } else if (tok_.kind == Tok::kArrow || At(':')) {
      const bool arrow = tok_.kind == Tok::kArrow;
      Advance();
      types_.resize(types);
      do {
        if (!ParseTypes()) return false;
      } while (!arrow && Accept(','));
      wants = false;
    } else if (At(',')) {
      Advance();
      wants = true;
    } else if (wants && AtOperand() && !(tok_.kind == Tok::kValue && tok_.first_on_line && begin == end)) {
      Operand ignored;
      if (!ParseOperand(&ignored)) return false;
      wants = false;
    } else {
      break;
    }
    end = lexer_.begin() + last_end_;
  }
  stmt->symbol = {begin, static_cast<size_t>(end - begin)};
  // Comments inside are part of the text.
  std::erase_if(lexer_.comments(), [&](const Comment& comment) { return comment.text.data() < end; });
  const size_t made = types_.size() - types;
  const std::vector<const Type*> results(types_.end() - static_cast<std::ptrdiff_t>(made), types_.end());
  types_.resize(types);
  if (!names_.empty()) DefineResults(stmt, results);
  return true;
}

}  // namespace pto::ptoas
