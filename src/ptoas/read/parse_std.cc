// Statements of arith, math, scf and func.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

bool Parser::IsConstant(const Attr& literal) {
  const AttrKind kind = literal.kind;
  if (kind == AttrKind::kInt || kind == AttrKind::kFloat || kind == AttrKind::kArray || kind == AttrKind::kBool) {
    return true;
  }
  const auto length = static_cast<uint32_t>(std::max<size_t>(literal.text.size(), 1));
  diagnostics_->Error(TextRule::kConstantValue, literal.offset, length, "a constant is a number, true or false");
  return false;
}

bool Parser::ParseConstant(Stmt* stmt) {
  stmt->Become(InfoOf("arith.constant"));
  stmt->literal = ParseAttr(false);
  if (stmt->literal == nullptr || !IsConstant(*stmt->literal)) return false;
  const Type* type = Scalar(Elem::kI1);
  if (stmt->literal->kind != AttrKind::kBool || At(':')) {
    if (!Expect(':')) return false;
    type = ParseType();
    if (type == nullptr) return false;
  }
  DefineResult(stmt, type);
  return true;
}

// Words such as overflow<nsw> and fastmath<fast>, which change no result here.
bool Parser::SkipFlags(std::string_view word) {
  if (!AcceptWord(word)) return true;
  if (!Expect('<')) return false;
  while (!At('>')) {
    if (tok_.kind != Tok::kIdent) return Expected("a flag");
    Advance();
    if (!Accept(',')) break;
  }
  return Expect('>');
}

bool Parser::ParseArith(Stmt* stmt, ArithOp op) {
  stmt->info = &InfoOf("arith");
  stmt->kind = StmtKind::kArith;
  stmt->arith = op;
  const ArithClass kind = Info(op).kind;
  if (kind == ArithClass::kCompare) {
    const bool floats = op == ArithOp::kCmpF;
    if (tok_.kind != Tok::kIdent) return Expected("a predicate such as eq");
    stmt->predicate = FindPredicate(tok_.text, floats);
    if (stmt->predicate == CmpPredicate::kNone) {
      diagnostics_->Error(TextRule::kPredicate, tok_.offset, tok_.length, "arith.%s has no predicate '%.*s'",
                          Info(op).name, PTO_NAME(tok_.text));
    }
    Advance();
    if (!Expect(',')) return false;
  }
  const size_t base = operands_.size();
  if (!ParseUses()) return false;
  const size_t count = operands_.size() - base;
  const auto wanted = static_cast<size_t>(OperandsOf(kind));
  if (count != wanted) {
    diagnostics_->Error(TextRule::kOperandCount, stmt->offset, stmt->length, "%s.%s takes %zu operand%s, not %zu",
                        DialectOf(op), Info(op).name, wanted, Plural(wanted), count);
  }
  if (!SkipFlags("overflow") || !SkipFlags("fastmath")) return false;
  if (!Expect(':')) return false;
  const Type* type = ParseType();
  if (type == nullptr) return false;
  const size_t types = types_.size();
  // The type shows whether there is a choice for each element.
  const Type* condition = Scalar(Elem::kI1);
  if (kind == ArithClass::kSelect && Accept(',')) {
    condition = type;
    type = ParseType();
    if (type == nullptr) return false;
  }
  types_.push_back(type);
  const Type* second = type;
  if (kind == ArithClass::kCast || kind == ArithClass::kFloatIntPower) {
    if (kind == ArithClass::kCast ? !ExpectWord("to") : !Expect(',')) return false;
    second = ParseType();
    if (second == nullptr) return false;
    types_.push_back(second);
  }
  if (op == ArithOp::kAddUIExtended && (!Expect(',') || ParseType() == nullptr)) return false;
  for (size_t i = base; i < operands_.size(); ++i) {
    const bool chooses = kind == ArithClass::kSelect && i == base;
    GiveType(&operands_[i], chooses ? condition : kind == ArithClass::kFloatIntPower && i == base + 1 ? second : type);
  }
  stmt->operands = Commit(&operands_, base);
  stmt->types = Commit(&types_, types);
  DefineArith(stmt, kind == ArithClass::kCast ? second : type);
  return true;
}

// builtin.unrealized_conversion_cast %x : type to type: the same bits with a sign, or without one. It is a bitcast.
bool Parser::ParseConversion(Stmt* stmt) {
  const Marks start = Mark();
  const Type* from = nullptr;
  if (!ParseResolved() || !ParseTyped(start, TypeKind::kOpaque, &from) || !ExpectWord("to")) return false;
  const Type* to = ParseType();
  if (to == nullptr) return false;
  const auto integers = [](const Type& type) {
    return (type.kind == TypeKind::kScalar || type.kind == TypeKind::kTile) && IsInteger(type.elem);
  };
  if (!integers(*from) || from->kind != to->kind || !integers(*to) || Info(from->elem).bits != Info(to->elem).bits) {
    return FailAt(*stmt, TextRule::kOperandType,
                  "%.*s changes the sign of integers, or of the elements of a tile, and nothing else",
                  PTO_NAME(stmt->name));
  }
  GiveType(&operands_[start.operands], from);
  if (from->kind == TypeKind::kTile) {
    stmt->Become(InfoOf("bitcast"));
    FinishWith(stmt, start, to);
    return true;
  }
  stmt->info = &InfoOf("arith");
  stmt->kind = StmtKind::kArith;
  stmt->name = "arith.bitcast";
  stmt->arith = ArithOp::kBitcast;
  const Type* const types[] = {from, to};
  stmt->types = arena_->Copy(types, 2);
  Finish(stmt, start);
  stmt->attrs = {};
  DefineArith(stmt, to);
  return true;
}

const Type* Parser::Like(const Type& type, Elem elem) {
  if (type.kind != TypeKind::kVector) return Scalar(elem);
  Type like = type;
  like.elem = elem;
  return Intern(like);
}

void Parser::DefineArith(Stmt* stmt, const Type* type) {
  const ArithClass kind = Info(stmt->arith).kind;
  const bool tests = kind == ArithClass::kCompare || kind == ArithClass::kFloatTest;
  const Type* const bit = Like(*type, Elem::kI1);
  if (ResultsOf(kind) == 1) return DefineResult(stmt, tests ? bit : type);
  const Type* const results[] = {type, stmt->arith == ArithOp::kAddUIExtended ? bit : type};
  if (names_.empty()) {
    diagnostics_->Error(TextRule::kResultCount, stmt->offset, stmt->length,
                        "the statement makes two values: write '%%name, %%name =' before it");
  }
  DefineResults(stmt, results);
}

bool Parser::ParseScf(Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::kYield:
      return ParsePassed(stmt);
    case StmtKind::kCondition: {
      const size_t base = operands_.size();
      if (!Expect('(') || !ParseCondition(stmt, "scf.condition") || !Expect(')')) return false;
      if (tok_.kind == Tok::kValue && !tok_.first_on_line) {
        if (!ParseUses() || !ParseOperandTypes(base + 1)) return false;
      }
      stmt->operands = Commit(&operands_, base);
      return true;
    }
    default:
      break;
  }
  // Statements inside use names_ too.
  const std::vector<ResultName> names = std::move(names_);
  names_.clear();
  const bool good = stmt->kind == StmtKind::kFor  ? ParseFor(stmt)
                    : stmt->kind == StmtKind::kIf ? ParseIf(stmt)
                                                  : ParseWhile(stmt);
  if (!good) return false;
  names_ = names;
  DefineResults(stmt, stmt->types);
  return true;
}

bool Parser::ParseCondition(Stmt* stmt, const char* name) {
  const size_t base = operands_.size();
  if (!ParseUses()) return false;
  if (operands_.size() != base + 1) {
    diagnostics_->Error(TextRule::kOperandCount, stmt->offset, stmt->length, "%s takes one condition", name);
    operands_.resize(base + 1);
  }
  GiveType(&operands_[base], Scalar(Elem::kI1));
  return true;
}

bool Parser::ParseCarried() {
  if (tok_.kind != Tok::kValue) return Expected("a loop-carried value such as %a");
  names_.push_back({tok_.text, tok_.offset, tok_.length, 1});
  Advance();
  return Expect('=') && ParseResolved();
}

void Parser::DefineCarried(size_t names, size_t operands, std::span<const Type* const> types) {
  for (size_t i = 0; names + i < names_.size(); ++i) {
    const Type* type = i < types.size() ? types[i] : nullptr;
    GiveType(&operands_[operands + i], type);
    const ResultName& name = names_[names + i];
    values_.push_back(NewValue(name.name, name.offset, name.length, ValueOrigin::kBlockArgument, type));
  }
}

// lower to upper step s [iter_args(%a = %x, ...) -> (types)] [: type] block
bool Parser::ParseFor(Stmt* stmt) {
  const size_t base = operands_.size();
  const size_t mark = scope_.Mark();
  const Token variable = tok_;
  if (tok_.kind != Tok::kValue) return Expected("a loop variable such as %i");
  Advance();
  if (!Expect('=') || !ParseResolved() || !ExpectWord("to") || !ParseResolved() || !ExpectWord("step") ||
      !ParseResolved()) {
    return false;
  }
  const size_t names = names_.size();
  if (AcceptWord("iter_args")) {
    if (!Expect('(')) return false;
    do {
      if (!ParseCarried()) return false;
    } while (Accept(','));
    const size_t types = types_.size();
    if (!Expect(')') || !ExpectArrow() || !ParseTypes()) return false;
    stmt->types = Commit(&types_, types);
  }
  const size_t carried = operands_.size() - base - 3;
  if (carried != stmt->types.size()) {
    WrongTypeCount(stmt->offset, stmt->length, stmt->types.size(), carried, "loop-carried value");
  }
  const Type* type = Scalar(Elem::kIndex);
  if (Accept(':')) {
    type = ParseType();
    if (type == nullptr) return false;
  }
  for (size_t i = 0; i < 3; ++i) GiveType(&operands_[base + i], type);
  const size_t values = values_.size();
  values_.push_back(NewValue(variable.text, variable.offset, variable.length, ValueOrigin::kBlockArgument, type));
  DefineCarried(names, base + 3, stmt->types);
  for (size_t i = values; i < values_.size(); ++i) Define(values_[i]);
  names_.clear();
  Block* block = arena_->New<Block>();
  block->args = Commit(&values_, values);
  stmt->operands = Commit(&operands_, base);
  const bool good = ParseBlock(block);
  scope_.Leave(mark);
  stmt->blocks = arena_->Copy(&block, 1);
  return good;
}

// condition [-> (types)] block [else block]
bool Parser::ParseIf(Stmt* stmt) {
  const size_t base = operands_.size();
  if (!ParseCondition(stmt, "scf.if")) return false;
  stmt->operands = Commit(&operands_, base);
  if (tok_.kind == Tok::kArrow) {
    Advance();
    const size_t types = types_.size();
    if (!ParseTypes()) return false;
    stmt->types = Commit(&types_, types);
  }
  Block* blocks[2] = {arena_->New<Block>(), nullptr};
  if (!ParseBlock(blocks[0])) return false;
  size_t count = 1;
  if (AcceptWord("else")) {
    blocks[1] = arena_->New<Block>();
    count = 2;
    if (!ParseBlock(blocks[1])) return false;
  }
  stmt->blocks = arena_->Copy(blocks, count);
  return true;
}

// (%a = %x, ...) : (types) -> types block do { [^bb(%a: type, ...):] statements }
bool Parser::ParseWhile(Stmt* stmt) {
  const size_t base = operands_.size();
  const size_t mark = scope_.Mark();
  if (!Expect('(')) return false;
  while (!At(')')) {
    if (!ParseCarried()) return false;
    if (!Accept(',')) break;
  }
  const size_t types = types_.size();
  if (!Expect(')') || !Expect(':') || !ParseTypes()) return false;
  const size_t count = operands_.size() - base;
  if (types_.size() - types != count) {
    WrongTypeCount(stmt->offset, stmt->length, types_.size() - types, count, "loop-carried value");
  }
  const size_t values = values_.size();
  DefineCarried(0, base, {types_.data() + types, types_.size() - types});
  for (size_t i = values; i < values_.size(); ++i) Define(values_[i]);
  types_.resize(types);
  names_.clear();
  if (!ExpectArrow() || !ParseTypes()) return false;
  stmt->types = Commit(&types_, types);
  stmt->operands = Commit(&operands_, base);
  Block* blocks[2] = {arena_->New<Block>(), arena_->New<Block>()};
  blocks[0]->args = Commit(&values_, values);
  const bool before = ParseBlock(blocks[0]);
  scope_.Leave(mark);
  if (!before || !ExpectWord("do")) return false;

  // The second region writes its arguments itself.
  const Depth depth(this);
  if (TooDeep() || !Expect('{')) return false;
  ++braces_;
  if (tok_.kind == Tok::kLabel) {
    Advance();
    if (!ParseBlockArgs(blocks[1]) || !Expect(':')) return false;
  }
  ParseStatements(blocks[1]);
  scope_.Leave(mark);
  if (!Expect('}')) return false;
  --braces_;
  stmt->blocks = arena_->Copy(blocks, 2);
  return true;
}

// [(%a: type, ...)], defined from here on
bool Parser::ParseBlockArgs(Block* block) {
  if (!Accept('(')) return true;
  const size_t values = values_.size();
  while (!At(')')) {
    const Token name = tok_;
    if (tok_.kind != Tok::kValue) return Expected("an argument such as %a");
    Advance();
    if (!Expect(':')) return false;
    const Type* type = ParseType();
    if (type == nullptr) return false;
    values_.push_back(NewValue(name.text, name.offset, name.length, ValueOrigin::kBlockArgument, type));
    SkipLocation();
    if (!Accept(',')) break;
  }
  if (!Expect(')')) return false;
  for (size_t i = values; i < values_.size(); ++i) Define(values_[i]);
  block->args = Commit(&values_, values);
  return true;
}

// ^label [(%a, ... : type, ...)], pushed on operands_
bool Parser::ParseSuccessor(Successor* successor) {
  if (tok_.kind != Tok::kLabel) return Expected("a block such as ^bb1");
  successor->label = tok_.text;
  successor->offset = tok_.offset;
  successor->length = tok_.length;
  Advance();
  const size_t base = operands_.size();
  if (Accept('(') && !(ParseUses() && ParseOperandTypes(base) && Expect(')'))) return false;
  successor->count = static_cast<uint32_t>(operands_.size() - base);
  return true;
}

// br ^a[(values : types)]; cond_br %c, ^a[(...)], ^b[(...)]; switch %i : type, [default: ^a[(...)], 1: ^b[(...)], ...]
bool Parser::ParseBranch(Stmt* stmt) {
  const bool switches = stmt->Is("cf.switch");
  const bool chooses = switches || stmt->Is("cf.cond_br");
  const size_t base = operands_.size();
  if (chooses) {
    const Type* type = Scalar(Elem::kI1);
    if (!ParseResolved()) return false;
    if (switches && (!Expect(':') || (type = ParseType()) == nullptr)) return false;
    GiveType(&operands_[base], type);
    if (!Expect(',')) return false;
  }
  std::vector<Successor> successors;
  const auto next = [&] { return ParseSuccessor(&successors.emplace_back()); };
  if (switches) {
    std::vector<int64_t> numbers;
    if (!Expect('[') || !ExpectWord("default") || !Expect(':') || !next()) return false;
    while (Accept(',')) {
      Attr number;
      if (!ParseNumber(&number)) return false;
      if (number.kind != AttrKind::kInt) return Expected("an integer");
      numbers.push_back(number.integer);
      if (!Expect(':') || !next()) return false;
    }
    if (!Expect(']')) return false;
    stmt->sizes = arena_->Copy(numbers.data(), numbers.size());
  } else if (!next() || (chooses && (!Expect(',') || !next()))) {
    return false;
  }
  stmt->operands = Commit(&operands_, base);
  stmt->successors = arena_->Copy(successors.data(), successors.size());
  branches_.push_back(stmt);
  DefineResults(stmt, {});
  return true;
}

// [values : types]; a value on the next line begins the next statement.
bool Parser::ParsePassed(Stmt* stmt) {
  if (tok_.kind != Tok::kValue || tok_.first_on_line) return true;
  const size_t base = operands_.size();
  if (!ParseUses() || !ParseOperandTypes(base)) return false;
  stmt->operands = Commit(&operands_, base);
  return true;
}

// @f(values) : (types) -> types
bool Parser::ParseCall(Stmt* stmt) {
  stmt->Become(InfoOf("func.call"));
  return ParseCallee(stmt) && ParseCallArgs(stmt, operands_.size());
}

bool Parser::ParseCallee(Stmt* stmt) {
  if (tok_.kind != Tok::kSymbol) return Expected("a function's name such as @f");
  stmt->symbol = tok_.text;
  stmt->symbol_offset = tok_.offset;
  Advance();
  return true;
}

// @f<<<%x, %y, %z>>>(values) : (types) -> ()
bool Parser::ParseLaunch(Stmt* stmt) {
  if (!ParseCallee(stmt)) return false;
  const size_t all = operands_.size();
  for (int i = 0; i < 3; ++i) {
    if (!Expect('<')) return false;
  }
  for (int i = 0; i < 3; ++i) {
    if ((i != 0 && !Expect(',')) || !ParseResolvedOperand()) return false;
  }
  for (int i = 0; i < 3; ++i) {
    if (!Expect('>')) return false;
  }
  return ParseCallArgs(stmt, all);
}

// The operands from `all` on are the statement's.
bool Parser::ParseCallArgs(Stmt* stmt, size_t all) {
  const size_t base = operands_.size();
  if (!Expect('(')) return false;
  if (!At(')') && !ParseUses()) return false;
  if (!Expect(')') || !Expect(':')) return false;
  const Token at = tok_;
  const size_t types = types_.size();
  if (!ParseTypes()) return false;
  GiveTypes(base, types, at);
  if (!ExpectArrow() || !ParseTypes()) return false;
  stmt->types = Commit(&types_, types);
  stmt->operands = Commit(&operands_, all);
  calls_.push_back(stmt);
  DefineResults(stmt, stmt->types);
  return true;
}

// cf.switch in MLIR's generic form. The default is first; the number of values of each other successor is in
// case_operand_segments.
bool Parser::GenericSwitch(Stmt* stmt, const Generic& op, size_t count) {
  const Attr* values = FindAttr(op.dict, "case_values");
  const Attr* segments = FindAttr(op.dict, "case_operand_segments");
  const size_t cases = values == nullptr ? 0 : values->items.size();
  if (count < 1 || stmt->successors.size() != cases + 1 ||
      (segments == nullptr ? 0 : segments->items.size()) != cases) {
    return NoGenericForm(op);
  }
  std::vector<int64_t> numbers;
  int64_t left = static_cast<int64_t>(count) - 1;
  for (size_t i = 0; i < cases; ++i) {
    const int64_t takes = segments->items[i]->integer;
    if (takes < 0 || takes > left) return NoGenericForm(op);
    stmt->successors[i + 1].count = static_cast<uint32_t>(takes);
    left -= takes;
    numbers.push_back(values->items[i]->integer);
  }
  stmt->successors[0].count = static_cast<uint32_t>(left);
  stmt->sizes = arena_->Copy(numbers.data(), numbers.size());
  branches_.push_back(stmt);
  return true;
}

}  // namespace pto::ptoas
