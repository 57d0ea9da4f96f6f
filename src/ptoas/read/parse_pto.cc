// Statements of the pto dialect that have a syntax of their own.
#include <algorithm>

#include "src/ops/attributes.h"
#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {
namespace {

// Locations by their letters, in the order of Loc.
constexpr std::string_view kLocLetters = "vmlrabs";
static_assert(static_cast<int>(Loc::kScaling) == 6);

// `m2l`, `v2v` ...: from one location to another, or `s2d`, from any to any.
bool IsWay(std::string_view word) {
  const auto letter = [&](char c) { return kLocLetters.find(c) != kLocLetters.npos; };
  return word == "s2d" || (word.size() == 3 && letter(word[0]) && word[1] == '2' && letter(word[2]));
}

bool MovesTile(const OpInfo* op) { return op->walk == Walk::kMove; }

}  // namespace

void Parser::Finish(Stmt* stmt, const Marks& start) {
  stmt->operands = Commit(&operands_, start.operands);
  stmt->attrs = TakeDict(start.named);
}

bool Parser::ParseTyped(const Marks& start, TypeKind abbreviated, const Type** type) {
  if (!ParseOptionalDict(start.named) || !Expect(':')) return false;
  *type = ParseType(abbreviated);
  return *type != nullptr;
}

bool Parser::ParseArrowType(TypeKind abbreviated, const Type** type) {
  if (!ExpectArrow()) return false;
  *type = ParseType(abbreviated);
  return *type != nullptr;
}

// What the table or the dialect calls it; behind its name values of attributes may stand, as in mgather.row.clamp.
void Parser::NameInstruction(Stmt* stmt, std::string_view mnemonic) {
  std::string_view name = mnemonic;
  while ((forms_ = FindInstruction(name)).empty() && FindDialectOp(name) == nullptr) {
    const size_t dot = name.rfind('.');
    if (dot == name.npos) break;
    name = name.substr(0, dot);
  }
  suffixes_ = forms_.empty() ? std::string_view() : mnemonic.substr(name.size());
  if (!forms_.empty()) mnemonic = name;
  stmt->name = mnemonic;
  if (!forms_.empty()) {
    stmt->op = forms_[0];
    stmt->name = stmt->op->own_mnemonic ? stmt->op->name : stmt->op->mnemonic;
  } else if ((stmt->dialect = FindDialectOp(mnemonic)) != nullptr) {
    stmt->name = stmt->dialect->name;
  }
}

bool Parser::ParsePto(Stmt* stmt, std::string_view mnemonic, Spelling one_line) {
  stmt->spelling = one_line;
  NameInstruction(stmt, mnemonic);
  const Production production = stmt->dialect == nullptr ? Production::kInsOuts : stmt->dialect->production;
  if (!IsInsOuts(production)) return ParseProduction(stmt, production);
  stmt->kind = production == Production::kScaleAddr ? StmtKind::kScaleAddr : StmtKind::kInst;
  return AtWord("ins") || AtWord("outs") ? ParseDps(stmt) : ParseOneLine(stmt, one_line);
}

// What stands behind the instruction's name, as if it stood in the dictionary; where a move goes from and to is what
// its operands say again.
void Parser::ReadSuffixes(const Stmt& stmt) {
  way_ = {};
  while (!suffixes_.empty()) {
    const std::string_view word = suffixes_.substr(1, suffixes_.find('.', 1) - 1);
    suffixes_.remove_prefix(word.size() + 1);
    Attr value;
    value.kind = AttrKind::kName;
    value.text = word;
    const AttributeInfo* info = nullptr;
    for (const OpInfo* form : forms_) {
      if (info == nullptr) info = FindAttributeByValue(*form, &value);
    }
    if (info != nullptr) {
      named_.push_back({info->key, arena_->Copy(&value, 1).data(), stmt.offset});
    } else if (IsWay(word) && std::all_of(forms_.begin(), forms_.end(), MovesTile)) {
      way_ = word;
    } else {
      diagnostics_->Error(TextRule::kAttributeValue, stmt.offset, stmt.length,
                          "'%.*s' is the value of no attribute of %.*s", PTO_NAME(word), PTO_NAME(stmt.name));
    }
  }
}

// The tiles at both ends of a move lie where its name says, as far as that is known.
void Parser::CheckWay(const Stmt& stmt) {
  if (way_.empty() || way_ == "s2d" || stmt.operands.empty() || stmt.outs.empty()) return;
  const Operand* ends[] = {&stmt.operands[0], &stmt.outs[0]};
  for (size_t i = 0; i < 2; ++i) {
    const Operand& end = *ends[i];
    const Type* type = end.value != nullptr && end.value->type != nullptr ? end.value->type : end.type;
    const Loc loc = static_cast<Loc>(kLocLetters.find(way_[2 * i]));
    if (type == nullptr || type->kind != TypeKind::kTile || type->loc == loc) continue;
    diagnostics_->Error(TextRule::kOperandType, end.offset, end.length, "%.*s.%.*s moves %s a tile of %s, not of %s",
                        PTO_NAME(stmt.name), PTO_NAME(way_), i == 0 ? "from" : "to", NameOf(loc), NameOf(type->loc));
  }
}

bool Parser::ParseProduction(Stmt* stmt, Production production) {
  switch (production) {
    case Production::kMakeTensorView:
      return ParseMakeTensorView(stmt);
    case Production::kPartitionView:
      return ParsePartitionView(stmt);
    case Production::kTensorViewDim:
      return ParseTensorViewDim(stmt);
    case Production::kAddressOf:
      return ParseAddressOf(stmt);
    case Production::kAllocTile:
      return ParseAllocTile(stmt);
    case Production::kSetValidShape:
      return ParseSetValidShape(stmt);
    case Production::kRetype:
      return ParseRetype(stmt);
    case Production::kSubset:
      return ParseSubset(stmt);
    case Production::kSubview:
      return ParseSubview(stmt);
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
    case Production::kSection:
      return ParseSection(stmt);
    case Production::kEventArray:
      return ParseEventArray(stmt);
    case Production::kPrint:
      return ParsePrint(stmt, false);
    case Production::kTPrint:
      return ParsePrint(stmt, true);
    case Production::kBlockQuery:
    case Production::kTrap:
    case Production::kMadMode: {
      const Marks start = Mark();
      if (!ParseOptionalDict(start.named)) return false;
      Finish(stmt, start);
      NameOnly(stmt, production);
      return true;
    }
    case Production::kAsync:
      return ParseAsync(stmt);
    case Production::kSync:
      return ParseSync(stmt);
    case Production::kPipe:
      return ParsePipe(stmt);
    default:
      return ParseCoreSync(stmt);
  }
}

// %p, shape = [..] [,] strides = [..] [dict] : type
bool Parser::ParseMakeTensorView(Stmt* stmt) {
  stmt->kind = StmtKind::kMakeTensorView;
  const Marks start = Mark();
  const Type* type = nullptr;
  if (!ParseResolved() || !Expect(',') || !ParseLists(stmt, "shape", "strides") ||
      !ParseTyped(start, TypeKind::kTensorView, &type)) {
    return false;
  }
  if (type->IsView()) {
    Type pointer;
    pointer.kind = TypeKind::kPtr;
    pointer.elem = type->elem;
    Suppose(operands_[start.operands], Intern(pointer));
  }
  FinishWith(stmt, start, type);
  return true;
}

// %v, offsets = [..], sizes = [..] [dict] : type -> type
bool Parser::ParsePartitionView(Stmt* stmt) {
  stmt->kind = StmtKind::kPartitionView;
  const Marks start = Mark();
  const Type* from = nullptr;
  const Type* to = nullptr;
  if (!ParseResolved() || !Expect(',') || !ParseLists(stmt, "offsets", "sizes") ||
      !ParseTyped(start, TypeKind::kTensorView, &from) || !ParseArrowType(TypeKind::kPartitionView, &to)) {
    return false;
  }
  GiveType(&operands_[start.operands], from);
  FinishWith(stmt, start, to);
  return true;
}

// first = [..] [,] second = [..], as many in each; stmt->split says where the second begins.
bool Parser::ParseLists(Stmt* stmt, const char* first, const char* second) {
  if (!ExpectWord(first) || !Expect('=') || !ParseBracketed(&stmt->split)) return false;
  Accept(',');
  uint16_t count = 0;
  if (!ExpectWord(second) || !Expect('=') || !ParseBracketed(&count)) return false;
  if (count != stmt->split) {
    diagnostics_->Error(TextRule::kViewRank, stmt->offset, stmt->length, "%s and %s have %u and %u entries", first,
                        second, stmt->split, count);
  }
  return true;
}

// %v, %i [dict] : type -> index
bool Parser::ParseTensorViewDim(Stmt* stmt) {
  stmt->kind = StmtKind::kTensorViewDim;
  const bool stride = stmt->name == "get_tensor_view_stride";
  stmt->code = static_cast<uint8_t>(stride ? ViewQuery::kStride : ViewQuery::kDim);
  const Marks start = Mark();
  if (!ParseUses()) return false;
  if (operands_.size() != start.operands + 2) {
    return FailAt(*stmt, TextRule::kOperandCount, "%s takes a view and a dimension", stmt->dialect->name);
  }
  const Type* from = nullptr;
  const Type* to = nullptr;
  if (!ParseTyped(start, TypeKind::kTensorView, &from) || !ParseArrowType(TypeKind::kOpaque, &to) ||
      !ParseOptionalDict(start.named)) {
    return false;
  }
  GiveType(&operands_[start.operands], from);
  GiveType(&operands_[start.operands + 1], Scalar(Elem::kIndex));
  FinishWith(stmt, start, to);
  return true;
}

// tensor_view_addr, tile_buf_addr: %x [dict] : type -> ptr
bool Parser::ParseAddressOf(Stmt* stmt) {
  stmt->kind = StmtKind::kAddressOf;
  const Marks start = Mark();
  const TypeKind of = stmt->name == "tile_buf_addr" ? TypeKind::kTile : TypeKind::kTensorView;
  const Type* from = nullptr;
  const Type* to = nullptr;
  if (!ParseResolved() || !ParseTyped(start, of, &from) || !ParseArrowType(TypeKind::kPtr, &to)) return false;
  GiveType(&operands_[start.operands], from);
  FinishWith(stmt, start, to);
  return true;
}

// addptr %p, %o : T -> T; load_scalar %p[%i] : T -> T; store_scalar %x, %p[%i] : T, T
bool Parser::ParsePointer(Stmt* stmt, Production production) {
  const bool load = production == Production::kLoadScalar;
  const bool store = production == Production::kStoreScalar;
  stmt->kind = load ? StmtKind::kLoadScalar : store ? StmtKind::kStoreScalar : StmtKind::kAddPtr;
  const Marks start = Mark();
  if (store && (!ParseResolved() || !Expect(','))) return false;
  if (!ParseResolved() || !Expect(load || store ? '[' : ',') || !ParseResolvedOperand(Scalar(Elem::kIndex))) {
    return false;
  }
  if ((load || store) && !Expect(']')) return false;
  const Type* first = nullptr;
  const Type* second = nullptr;
  if (!ParseTyped(start, TypeKind::kPtr, &first)) return false;
  if (store) {
    // The documents write the pointer's type first, some programs the value's.
    if (!Expect(',')) return false;
    second = ParseType(TypeKind::kPtr);
    if (second == nullptr) return false;
    if (first->kind != TypeKind::kPtr && second->kind == TypeKind::kPtr) std::swap(first, second);
    GiveType(&operands_[start.operands], second);
    GiveType(&operands_[start.operands + 1], first);
    Finish(stmt, start);
    DefineResults(stmt, {});
    return true;
  }
  if (!ParseArrowType(load ? TypeKind::kOpaque : TypeKind::kPtr, &second)) return false;
  GiveType(&operands_[start.operands], first);
  FinishWith(stmt, start, second);
  return true;
}

// ins(%t, %i : type, index) outs : type, or %t[%i] / %t, %i [: (types) -> type]
bool Parser::ParseTGetVal(Stmt* stmt) {
  stmt->kind = StmtKind::kTGetVal;
  const Marks start = Mark();
  const size_t base = start.operands;
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
  const auto operands = std::span(operands_).subspan(base);
  if (operands.size() != 2 || std::any_of(operands.begin(), operands.end(), IsString)) {
    return FailAt(*stmt, TextRule::kOperandCount, "tgetval takes a tile and an offset");
  }
  if (ins) {
    if (!ParseOperandTypes(base) || !Expect(')') || !ExpectWord("outs") || !Expect(':')) return false;
    result = ParseType();
    if (result == nullptr || !ParseOptionalDict(start.named)) return false;
  } else {
    if (!ParseOptionalDict(start.named)) return false;
    if (Accept(':')) {
      const size_t types = types_.size();
      do {
        if (!ParseTypes()) return false;
      } while (Accept(','));
      for (size_t i = 0; i < std::min<size_t>(2, types_.size() - types); ++i) {
        GiveType(&operands_[base + i], types_[types + i]);
      }
      types_.resize(types);
      if (!ParseArrowType(TypeKind::kOpaque, &result)) return false;
    }
  }
  Suppose(operands_[base + 1], Scalar(Elem::kIndex));
  FinishWith(stmt, start, result);
  return true;
}

// ins(%i, %x : index, type) outs(%t : type)
bool Parser::ParseTSetVal(Stmt* stmt) {
  if (!ParseDps(stmt)) return false;
  stmt->kind = StmtKind::kTSetVal;
  if (stmt->operands.size() != 2 || stmt->outs.size() != 1) {
    return FailAt(*stmt, TextRule::kOperandCount, "tsetval takes ins(offset, value) and outs(tile)");
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

// Of a statement whose name says all: its kind, and the number that it makes.
void Parser::NameOnly(Stmt* stmt, Production production) {
  if (production != Production::kBlockQuery) {
    stmt->kind = production == Production::kTrap ? StmtKind::kTrap : StmtKind::kMadMode;
    return DefineResults(stmt, {});
  }
  stmt->kind = StmtKind::kBlockQuery;
  const std::string_view name = stmt->name;
  stmt->code = static_cast<uint8_t>(name == "get_block_idx"      ? QueryCode::kBlockIdx
                                    : name == "get_block_num"    ? QueryCode::kBlockNum
                                    : name == "get_subblock_idx" ? QueryCode::kSubblockIdx
                                                                 : QueryCode::kSubblockNum);
  DefineResult(stmt, Scalar(Elem::kI64));
}

// declare_eventid_array -> T; eventid_array_get %a[%i] : T; eventid_array_set %a[%i], %v : T
bool Parser::ParseEventArray(Stmt* stmt) {
  stmt->kind = StmtKind::kEventArray;
  const std::string_view name = stmt->name;
  if (name == "declare_eventid_array") {
    stmt->code = static_cast<uint8_t>(EventArrayCode::kDeclare);
    const Type* type = nullptr;
    if (!ParseArrowType(TypeKind::kOpaque, &type)) return false;
    DefineResult(stmt, type);
    return true;
  }
  const bool set = name == "eventid_array_set";
  stmt->code = static_cast<uint8_t>(set ? EventArrayCode::kSet : EventArrayCode::kGet);
  const Marks start = Mark();
  uint16_t count = 0;
  if (!ParseResolved() || !ParseBracketed(&count)) return false;
  if (count != 1)
    return FailAt(*stmt, TextRule::kOperandCount, "%s takes one index, not %u", stmt->dialect->name, count);
  if (set && (!Expect(',') || !ParseResolvedOperand())) return false;
  const Type* type = nullptr;
  if (!ParseTyped(start, TypeKind::kOpaque, &type)) return false;
  GiveType(&operands_[start.operands], type);
  Finish(stmt, start);
  if (set) {
    DefineResults(stmt, {});
  } else {
    DefineResult(stmt, Scalar(Elem::kIndex));
  }
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
    return FailAt(*stmt, TextRule::kOperandCount, "%s",
                  tile ? "tprint takes a tile" : "print takes a format and a scalar");
  }
  if (!stmt->outs.empty()) {
    return FailAt(*stmt, TextRule::kResultCount, "%s makes no value", stmt->dialect->name);
  }
  return true;
}

// (%a, ... : type, ...) [dict] -> type
bool Parser::ParseAsync(Stmt* stmt) {
  stmt->kind = StmtKind::kAsync;
  const std::string_view name = stmt->name;
  const bool copy = name == "tput_async" || name == "tget_async";
  stmt->code = static_cast<uint8_t>(copy                            ? AsyncCode::kCopy
                                    : name == "tprefetch_async"     ? AsyncCode::kPrefetch
                                    : name == "build_async_session" ? AsyncCode::kSession
                                                                    : AsyncCode::kDone);
  const Marks start = Mark();
  if (!Expect('(') || !ParseUses()) return false;
  const size_t count = operands_.size() - start.operands;
  if (copy ? count != 3 && count != 4 : count != 2) {
    return FailAt(*stmt, TextRule::kOperandCount, "%s takes %s operands, not %zu", stmt->dialect->name,
                  copy ? "3 or 4" : "2", count);
  }
  const Type* result = nullptr;
  if (!ParseOperandTypes(start.operands) || !Expect(')') || !ParseOptionalDict(start.named) ||
      !ParseArrowType(TypeKind::kOpaque, &result)) {
    return false;
  }
  Finish(stmt, start);
  if (names_.empty()) {
    DefineResults(stmt, {});
  } else {
    DefineResult(stmt, result);
  }
  stmt->types = arena_->Copy(&result, 1);
  return true;
}

// code: 0 plain operands, 1 in brackets, 2 in ins(...).
bool Parser::ParseSync(Stmt* stmt) {
  stmt->kind = StmtKind::kSync;
  const Marks start = Mark();
  if (AtWord("ins")) {
    if (!ParseDps(stmt)) return false;
    stmt->kind = StmtKind::kSync;
    stmt->code = 2;
    return true;
  }
  const bool bracketed = Accept('[');
  stmt->code = bracketed ? 1 : 0;
  if (bracketed ? !At(']') : AtOperand() && !AtQuotedStatement() && !(tok_.kind == Tok::kValue && tok_.first_on_line)) {
    do {
      if (!ParseResolvedOperand()) return false;
    } while (Accept(',') && !(bracketed && At(']')));
  }
  if ((bracketed && !Expect(']')) || !ParseOptionalDict(start.named)) return false;
  if (At(':') && !ParseOperandTypes(start.operands)) return false;
  Finish(stmt, start);
  DefineResults(stmt, {});
  return true;
}

}  // namespace pto::ptoas
