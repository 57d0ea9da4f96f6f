// MLIR's generic form, as compilers print it on request:
//   %r = "name"(%a, %b)[^next] <{properties}> ({regions}) {attributes} : (types) -> (types)
// It gives the very tree that the operation's own form gives, and is printed in that.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"
#include "src/ptoas/read/printer.h"

namespace pto::ptoas {

namespace {

constexpr std::string_view kSegments[] = {"operandSegmentSizes", "operand_segment_sizes", "resultSegmentSizes",
                                          "result_segment_sizes"};

std::string_view TextOf(Dict dict, std::string_view name) {
  const Attr* attr = FindAttr(dict, name);
  return attr == nullptr ? std::string_view() : attr->text;
}

}  // namespace

bool IsSegments(std::string_view name) {
  return std::find(std::begin(kSegments), std::end(kSegments), name) != std::end(kSegments);
}

int64_t SegmentOf(Dict dict, size_t number) {
  for (const std::string_view name : {kSegments[0], kSegments[1]}) {
    const Attr* sizes = FindAttr(dict, name);
    if (sizes != nullptr && number < sizes->items.size()) return sizes->items[number]->integer;
  }
  return -1;
}

bool Parser::AtGeneric(std::string_view name) const { return tok_.kind == Tok::kString && tok_.text == name; }

// <{...}>, pushed on named_
bool Parser::ParseProperties() {
  if (!Accept('<')) return true;
  return ParseDict(named_.size()) && Expect('>');
}

// (types) -> types: pushes the types of operands and then of results on types_.
bool Parser::ParseSignatureOf(Generic* op) {
  if (!Expect(':')) return false;
  op->types = types_.size();
  if (!At('(')) return Expected("'('");
  if (!ParseTypes()) return false;
  op->results = types_.size();
  return ExpectArrow() && ParseTypes();
}

bool Parser::ParseRegions(Generic* op) {
  if (!Accept('(')) return true;
  do {
    Block* block = arena_->New<Block>();
    const Depth depth(this);
    if (TooDeep() || !Expect('{')) return false;
    ++braces_;
    const size_t mark = scope_.Mark();
    if (tok_.kind == Tok::kLabel) {
      Advance();
      if (!ParseBlockArgs(block) || !Expect(':')) return false;
    }
    ParseStatements(block);
    scope_.Leave(mark);
    if (!At('}')) return Expected("'}'");
    --braces_;
    Advance();
    op->blocks.push_back(block);
  } while (Accept(','));
  return Expect(')');
}

// All of an operation after its name. Operands are pushed on operands_, to be resolved.
bool Parser::ParseGenericParts(Stmt* stmt, Generic* op) {
  const size_t named = named_.size();
  op->operands = operands_.size();
  if (!Expect('(')) return false;
  while (!At(')')) {
    Operand use;
    if (!ParseUse(&use)) return false;
    operands_.push_back(use);
    if (!Accept(',')) break;
  }
  if (!Expect(')')) return false;
  if (Accept('[')) {
    std::vector<Successor> successors;
    do {
      if (tok_.kind != Tok::kLabel) return Expected("a block such as ^bb1");
      successors.push_back({tok_.text, tok_.offset, tok_.length});
      Advance();
    } while (Accept(','));
    if (!Expect(']')) return false;
    stmt->successors = arena_->Copy(successors.data(), successors.size());
  }
  if (!ParseProperties()) return false;
  // Statements inside use names_ and the scratch stacks below them.
  const std::vector<ResultName> names = std::move(names_);
  names_.clear();
  const bool regions = ParseRegions(op);
  names_ = names;
  if (!regions || !ParseOptionalDict(named)) return false;
  op->dict = TakeDict(named);
  if (!ParseSignatureOf(op)) return false;
  // The documents' placeholder is for ins, outs and one-line operands; hardly an own form of another kind takes it.
  const auto types = types_.begin() + static_cast<std::ptrdiff_t>(op->types);
  if (std::find(types, types_.end(), AnyScalar()) == types_.end()) return true;
  diagnostics_->Error(TextRule::kGenericForm, op->offset, op->length,
                      "'%.*s' has the type dtype, which is not allowed here", PTO_NAME(op->name));
  return false;
}

// The statement's operands from `base` on, each with its type; or only the first ones with a type, if the
// operation's own form has no more.
bool Parser::GenericOperands(Generic* op, size_t typed) {
  const size_t count = operands_.size() - op->operands;
  if (op->results - op->types != count) {
    WrongTypeCount(op->offset, op->length, op->results - op->types, count);
  }
  for (size_t i = 0; i < count; ++i) {
    Operand& operand = operands_[op->operands + i];
    // As in the other spellings: scratch needs no value, and a destination that is read needs one.
    Resolve(&operand, i >= op->written ? !IsRead(i - op->written, op->written)
                                       : op->written < count && IsScratch(i, op->written));
    const Type* type = op->types + i < op->results ? types_[op->types + i] : nullptr;
    if (i < typed) {
      GiveType(&operand, type);
    } else if (operand.value != nullptr && operand.value->origin == ValueOrigin::kImplicit) {
      // The operation's own form does not have the type of this argument.
      diagnostics_->Error(TextRule::kUndefinedValue, operand.offset, operand.length, "%%%.*s is not defined here",
                          PTO_NAME(operand.name));
    }
  }
  return true;
}

bool Parser::ParseGeneric(Stmt* stmt) {
  Generic op;
  op.name = stmt->name = tok_.text;
  op.offset = stmt->offset = tok_.offset;
  op.length = stmt->length = tok_.length;
  const bool plain = !op.name.empty() && Is(op.name[0], kLetterBit) &&
                     std::all_of(op.name.begin(), op.name.end(), [](char c) { return Is(c, kIdentBit); });
  if (!plain) return Expected("the name of an operation");
  Advance();
  const size_t types = types_.size();
  if (!ParseGenericParts(stmt, &op)) return false;
  const size_t dot = op.name.find('.');
  const std::string_view dialect = op.name.substr(0, dot);
  const std::string_view rest = dot == op.name.npos ? op.name : op.name.substr(dot + 1);
  bool good = false;
  if (dialect == "arith" || dialect == "math") {
    good = GenericArith(stmt, &op, dialect, rest);
  } else if (dialect == "scf" || dialect == "cf" || dialect == "func") {
    good = GenericControl(stmt, &op);
  } else if (dialect == "pto") {
    good = GenericPto(stmt, &op, rest);
  } else if (dialect == "vector" || dialect == "memref") {
    good = GenericForeign(stmt, &op);
  } else {
    diagnostics_->Error(TextRule::kUnknownStatement, op.offset, op.length, "no operation is called '%.*s'",
                        PTO_NAME(op.name));
  }
  types_.resize(types);
  return good;
}

bool Parser::NoGenericForm(const Generic& op) {
  diagnostics_->Error(TextRule::kGenericForm, op.offset, op.length,
                      "'%.*s' lacks operands, regions or properties of its own form, or has no generic one here",
                      PTO_NAME(op.name));
  return false;
}

// For what the own form does not write: it is of type `want` there.
bool Parser::GenericType(const Generic& op, const Type* type, const Type* want) {
  if (want != nullptr && SameType(*type, *want)) return true;
  diagnostics_->Error(TextRule::kGenericForm, op.offset, op.length, "'%.*s' has the type %s where its own form has %s",
                      PTO_NAME(op.name), ToString(type).c_str(), want == nullptr ? "none" : ToString(want).c_str());
  return false;
}

bool Parser::GenericCount(const Generic& op, size_t least, size_t most) {
  const size_t count = operands_.size() - op.operands;
  if (count >= least && count <= most) return true;
  diagnostics_->Error(TextRule::kOperandCount, op.offset, op.length, "'%.*s' takes %zu operand%s, not %zu",
                      PTO_NAME(op.name), least, Plural(least), count);
  return false;
}

// ---- arith and math ---------------------------------------------------------

bool Parser::GenericArith(Stmt* stmt, Generic* op, std::string_view dialect, std::string_view rest) {
  const ArithOp arith = FindArith(dialect, rest);
  const size_t made = types_.size() - op->results;
  const auto results = static_cast<size_t>(arith == ArithOp::kNone ? 1 : ResultsOf(Info(arith).kind));
  if (made != results) {
    WrongTypeCount(op->offset, op->length, made, results, "result");
    return false;
  }
  const Type* result = types_[op->results];
  if (dialect == "arith" && rest == "constant") {
    stmt->Become(InfoOf("arith.constant"));
    const Attr* value = FindAttr(op->dict, "value");
    if (value == nullptr || !GenericCount(*op, 0, 0)) return NoGenericForm(*op);
    if (!IsConstant(*value)) return false;
    // Its own form writes the type once, as the result's.
    Attr* literal = arena_->New<Attr>();
    *literal = *value;
    literal->type = nullptr;
    stmt->literal = literal;
    DefineResult(stmt, result);
    return true;
  }
  if (arith == ArithOp::kNone) {
    diagnostics_->Error(TextRule::kUnknownStatement, op->offset, op->length, "no operation is called '%.*s'",
                        PTO_NAME(op->name));
    return false;
  }
  stmt->info = &InfoOf("arith");
  stmt->kind = StmtKind::kArith;
  stmt->arith = arith;
  const ArithClass kind = Info(arith).kind;
  const auto count = static_cast<size_t>(OperandsOf(kind));
  if (!GenericCount(*op, count, count)) return false;
  if (op->results - op->types != count) {
    WrongTypeCount(op->offset, op->length, op->results - op->types, count);
    return false;
  }
  if (kind == ArithClass::kCompare) {
    const Attr* predicate = FindAttr(op->dict, "predicate");
    const int64_t number = predicate == nullptr ? -1 : predicate->integer;
    const bool floats = arith == ArithOp::kCmpF;
    if (number < 0 || number > (floats ? 15 : 9)) {
      diagnostics_->Error(TextRule::kPredicate, op->offset, op->length, "arith.%s has no predicate %lld",
                          Info(arith).name, static_cast<long long>(number));
      return false;
    }
    const auto first = static_cast<int64_t>(floats ? CmpPredicate::kFalse : CmpPredicate::kEq);
    stmt->predicate = static_cast<CmpPredicate>(first + number);
  }
  GenericOperands(op, count);
  const bool power = kind == ArithClass::kFloatIntPower;
  const Type* written[2] = {types_[op->types + (kind == ArithClass::kSelect ? 1 : 0)],
                            power ? types_[op->types + 1] : result};
  for (size_t i = 0; i < count; ++i) {
    const bool own = (kind == ArithClass::kSelect && i == 0) || (power && i == 1);
    if (!own && !GenericType(*op, types_[op->types + i], written[0])) return false;
  }
  stmt->operands = Commit(&operands_, op->operands);
  stmt->types = arena_->Copy(written, kind == ArithClass::kCast || power ? 2 : 1);
  DefineArith(stmt, kind == ArithClass::kCast ? result : written[0]);
  for (size_t i = 0; i < std::min(results, stmt->results.size()); ++i) {
    if (!GenericType(*op, types_[op->results + i], stmt->results[i]->type)) return false;
  }
  return true;
}

// ---- scf, cf, func ----------------------------------------------------------

// A yield of nothing that ends a region is left out in the region's own form.
void Parser::DropYield(Block* block) {
  if (block->stmts.empty()) return;
  const Stmt& last = *block->stmts.back();
  if (last.kind == StmtKind::kYield && last.operands.empty() && last.comments.empty()) {
    block->stmts = block->stmts.first(block->stmts.size() - 1);
  }
}

bool Parser::GenericForeign(Stmt* stmt, Generic* op) {
  const StmtInfo* info = FindForeign(op->name);
  if (info == nullptr) return NoGenericForm(*op);
  stmt->Become(*info);
  return info->name.starts_with("vector") ? GenericVector(stmt, op) : GenericMemref(stmt, op);
}

bool Parser::GenericControl(Stmt* stmt, Generic* op) {
  const StmtInfo* info = FindForeign(op->name == "func.return" ? "return" : op->name);
  if (info == nullptr) return NoGenericForm(*op);
  stmt->Become(*info);
  const StmtKind kind = stmt->kind;
  const size_t count = operands_.size() - op->operands;
  const size_t regions = op->blocks.size();
  const size_t made = types_.size() - op->results;
  const auto args_are = [&](size_t region, size_t first) {
    const std::span<Value* const> args = op->blocks[region]->args;
    for (size_t i = first; i < count; ++i) {
      const size_t arg = i < 3 && kind == StmtKind::kFor ? 0 : i - (kind == StmtKind::kFor ? 2 : 0);
      if (kind == StmtKind::kFor && i >= 3 && !GenericType(*op, types_[op->results + i - 3], args[arg]->type))
        return false;
      if (!GenericType(*op, types_[op->types + i], args[arg]->type)) return false;
    }
    return true;
  };
  bool condition = kind == StmtKind::kIf || kind == StmtKind::kCondition;
  bool fits = regions == 0;
  switch (kind) {
    case StmtKind::kFor:
      for (Block* block : op->blocks) DropYield(block);
      fits = regions == 1 && count >= 3 && op->blocks[0]->args.size() == count - 2 &&
             op->results - op->types == count && made == count - 3;
      if (fits && !args_are(0, 0)) return false;
      break;
    case StmtKind::kIf:
      for (Block* block : op->blocks) DropYield(block);
      fits = (regions == 1 || regions == 2) && count == 1 && op->blocks[0]->args.empty();
      if (fits && regions == 2 && op->blocks[1]->stmts.empty() && op->blocks[1]->closing_comments.empty()) {
        op->blocks.pop_back();
      }
      break;
    case StmtKind::kWhile:
      fits = regions == 2 && op->blocks[0]->args.size() == count && op->results - op->types == count;
      if (fits && !args_are(0, 0)) return false;
      break;
    case StmtKind::kCondition:
      fits = fits && count >= 1;
      break;
    case StmtKind::kCall: {
      const Attr* callee = FindAttr(op->dict, "callee");
      fits = fits && callee != nullptr && callee->kind == AttrKind::kSymbol;
      if (!fits) break;
      stmt->symbol = callee->text;
      stmt->symbol_offset = callee->offset;
      calls_.push_back(stmt);
      break;
    }
    case StmtKind::kBranch:
      condition = stmt->Is("cf.cond_br");
      if (fits && !GenericBranch(stmt, *op, count)) return false;
      break;
    default:
      break;
  }
  const bool ends = kind == StmtKind::kYield || kind == StmtKind::kCondition || kind == StmtKind::kReturn ||
                    kind == StmtKind::kBranch;
  if (!fits || (ends && made != 0)) return NoGenericForm(*op);
  if (condition && op->types < op->results && !GenericType(*op, types_[op->types], Scalar(Elem::kI1))) return false;
  GenericOperands(op, SIZE_MAX);
  stmt->operands = Commit(&operands_, op->operands);
  stmt->types = arena_->Copy(types_.data() + op->results, made);
  stmt->blocks = arena_->Copy(op->blocks.data(), op->blocks.size());
  DefineResults(stmt, stmt->types);
  return true;
}

// How many of the operands go to each successor.
bool Parser::GenericBranch(Stmt* stmt, const Generic& op, size_t count) {
  if (stmt->Is("cf.switch")) return GenericSwitch(stmt, op, count);
  const bool chooses = stmt->Is("cf.cond_br");
  if (stmt->successors.size() != (chooses ? 2U : 1U) || (chooses && count < 1)) return NoGenericForm(op);
  stmt->successors[0].count = static_cast<uint32_t>(count);
  if (chooses) {
    const int64_t first = SegmentOf(op.dict, 1);
    const int64_t all = static_cast<int64_t>(count) - 1;
    if (first > all || (first < 0 && all > 0)) return NoGenericForm(op);
    stmt->successors[0].count = static_cast<uint32_t>(std::max<int64_t>(first, 0));
    stmt->successors[1].count = static_cast<uint32_t>(all) - stmt->successors[0].count;
  }
  branches_.push_back(stmt);
  return true;
}

// ---- functions and modules --------------------------------------------------

// "func.func"() <{function_type = (types) -> types, sym_name = "f", ...}> ({blocks}) {attributes} : () -> ()
bool Parser::ParseGenericFunc(std::vector<Func*>* funcs) {
  Func* func = arena_->New<Func>();
  func->comments = TakeComments();
  func->offset = tok_.offset;
  func->length = tok_.length;
  funcs->push_back(func);
  Advance();
  const Marks marks = Mark();
  const size_t mark = scope_.Mark();
  const uint32_t outer_count = value_count_;
  value_count_ = 0;
  const auto read = [&] {
    if (!Expect('(') || !Expect(')') || !ParseProperties() || !Expect('(')) return false;
    if (!ParseBody(func, true) || !Expect(')') || !ParseOptionalDict(marks.named)) return false;
    Generic op;
    return ParseSignatureOf(&op);
  };
  const bool good = read();
  if (good) SettleFunc(func, TakeDict(marks.named));
  Reset(marks);
  scope_.Leave(mark);
  func->value_count = value_count_;
  value_count_ = outer_count;
  if (good) SkipLocation();
  return good;
}

// The properties and attributes of a function.
void Parser::SettleFunc(Func* func, Dict dict) {
  func->name = TextOf(dict, "sym_name");
  if (func->name.empty()) {
    diagnostics_->Error(TextRule::kGenericForm, func->offset, func->length, "the function has no sym_name");
  }
  const std::string_view visibility = TextOf(dict, "sym_visibility");
  func->visibility = visibility == "private"  ? Visibility::kPrivate
                     : visibility == "public" ? Visibility::kPublic
                                              : Visibility::kNone;
  std::vector<NamedAttr> kept;
  for (const NamedAttr& entry : dict) {
    if (entry.name == "function_type") {
      const Attr& type = ValueOf(entry);
      const auto args = static_cast<size_t>(type.integer);
      const std::span<const Attr* const> items = type.items;
      if (type.name != "function" || args > items.size()) continue;
      std::vector<const Type*> results;
      for (const Attr* item : items.subspan(args)) results.push_back(item->type);
      func->result_types = arena_->Copy(results.data(), results.size());
      if (func->body == nullptr) {
        std::vector<Value*> values;
        for (const Attr* item : items.first(args)) {
          values.push_back(NewValue({}, item->offset, 1, ValueOrigin::kArgument, item->type));
        }
        func->args = arena_->Copy(values.data(), values.size());
      }
      continue;
    }
    if (entry.name != "sym_name" && entry.name != "sym_visibility" && entry.name != "arg_attrs") kept.push_back(entry);
  }
  func->attrs = arena_->Copy(kept.data(), kept.size());
  SettleEntry(func);
}

bool Parser::ParseGenericModule(Module* module) {
  Advance();
  const size_t named = named_.size();
  if (!Expect('(') || !Expect(')') || !ParseProperties() || !Expect('(') || !ParseFuncs(module)) return false;
  if (!Expect(')') || !ParseOptionalDict(named)) return false;
  const size_t types = types_.size();
  Generic op;
  const bool good = ParseSignatureOf(&op);
  types_.resize(types);
  const Dict dict = TakeDict(named);
  module->name = TextOf(dict, "sym_name");
  std::vector<NamedAttr> kept;
  for (const NamedAttr& entry : dict) {
    if (entry.name != "sym_name") kept.push_back(entry);
  }
  module->attrs = arena_->Copy(kept.data(), kept.size());
  if (good) SkipLocation();
  return good;
}

}  // namespace pto::ptoas
