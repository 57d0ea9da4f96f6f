// MLIR's generic form, as compilers print it on request:
//   %r = "name"(%a, %b)[^next] <{properties}> ({regions}) {attributes} : (types) -> (types)
// It gives the very tree that the operation's own form gives, and is printed in that.
#include <algorithm>

#include "src/ops/text_form.h"
#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

namespace {

constexpr std::string_view kSegments[] = {"operandSegmentSizes", "operand_segment_sizes", "resultSegmentSizes",
                                          "result_segment_sizes"};

// What only the generic form needs said.
bool IsSegments(std::string_view name) {
  return std::find(std::begin(kSegments), std::end(kSegments), name) != std::end(kSegments);
}

// How many operands belong to the group of this number; -1: nothing says it.
int64_t SegmentOf(Dict dict, size_t number) {
  for (const std::string_view name : {kSegments[0], kSegments[1]}) {
    const Attr* sizes = FindAttr(dict, name);
    if (sizes != nullptr && number < sizes->items.size()) return sizes->items[number]->integer;
  }
  return -1;
}

std::string_view TextOf(Dict dict, std::string_view name) {
  const Attr* attr = FindAttr(dict, name);
  return attr == nullptr ? std::string_view() : attr->text;
}

}  // namespace

bool Parser::AtGeneric(std::string_view name) const { return tok_.kind == Tok::kString && tok_.text == name; }

// <{...}>, pushed on named_
bool Parser::ParseProperties() {
  if (!Accept('<')) return true;
  return ParseDict(named_.size()) && Expect('>');
}

// (types) -> types: those of operands and then those of results are pushed on types_.
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
  return ParseSignatureOf(op);
}

// The statement's operands from `base` on, each with its type; or with that of the first ones only, where the
// operation's own form says no more.
bool Parser::GenericOperands(Generic* op, size_t typed) {
  const size_t count = operands_.size() - op->operands;
  if (op->results - op->types != count) {
    WrongTypeCount(op->offset, op->length, op->results - op->types, count);
  }
  for (size_t i = 0; i < count; ++i) {
    Operand& operand = operands_[op->operands + i];
    Resolve(&operand, i >= op->written);
    const Type* type = op->types + i < op->results ? types_[op->types + i] : nullptr;
    if (i < typed) GiveType(&operand, type);
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
  } else if (dialect == "vector") {
    good = GenericVector(stmt, &op, rest);
  } else if (dialect == "memref") {
    good = GenericMemref(stmt, &op, rest);
  } else {
    diagnostics_->Error(TextRule::kUnknownStatement, op.offset, op.length, "no operation is called '%.*s'",
                        static_cast<int>(std::min<size_t>(op.name.size(), 60)), op.name.data());
  }
  types_.resize(types);
  return good;
}

bool Parser::NoGenericForm(const Generic& op) {
  diagnostics_->Error(TextRule::kGenericForm, op.offset, op.length,
                      "'%.*s' lacks operands, regions or properties of its own form, or has no generic one here",
                      static_cast<int>(std::min<size_t>(op.name.size(), 60)), op.name.data());
  return false;
}

bool Parser::GenericCount(const Generic& op, size_t least, size_t most) {
  const size_t count = operands_.size() - op.operands;
  if (count >= least && count <= most) return true;
  diagnostics_->Error(TextRule::kOperandCount, op.offset, op.length, "'%.*s' takes %zu operand%s, not %zu",
                      static_cast<int>(std::min<size_t>(op.name.size(), 60)), op.name.data(), least, Plural(least),
                      count);
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
    stmt->kind = StmtKind::kConstant;
    const Attr* value = FindAttr(op->dict, "value");
    if (value == nullptr || !GenericCount(*op, 0, 0)) return NoGenericForm(*op);
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
                        static_cast<int>(std::min<size_t>(op->name.size(), 60)), op->name.data());
    return false;
  }
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
  stmt->operands = Commit(&operands_, op->operands);
  stmt->types = arena_->Copy(written, kind == ArithClass::kCast || power ? 2 : 1);
  DefineArith(stmt, kind == ArithClass::kCast ? result : written[0]);
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

bool Parser::GenericControl(Stmt* stmt, Generic* op) {
  const std::string_view name = op->name;
  const size_t count = operands_.size() - op->operands;
  const size_t regions = op->blocks.size();
  const auto finish = [&](StmtKind kind) {
    stmt->kind = kind;
    GenericOperands(op, SIZE_MAX);
    stmt->operands = Commit(&operands_, op->operands);
    stmt->types = arena_->Copy(types_.data() + op->results, types_.size() - op->results);
    stmt->blocks = arena_->Copy(op->blocks.data(), op->blocks.size());
    DefineResults(stmt, stmt->types);
    return true;
  };
  if (name == "scf.for" || name == "scf.if") {
    for (Block* block : op->blocks) DropYield(block);
  }
  if (name == "scf.for") {
    const bool fits = regions == 1 && count >= 3 && op->blocks[0]->args.size() == count - 2;
    return fits ? finish(StmtKind::kFor) : NoGenericForm(*op);
  }
  if (name == "scf.if") {
    if (regions < 1 || regions > 2 || count != 1 || !op->blocks[0]->args.empty()) return NoGenericForm(*op);
    if (regions == 2 && op->blocks[1]->stmts.empty() && op->blocks[1]->closing_comments.empty()) op->blocks.pop_back();
    return finish(StmtKind::kIf);
  }
  if (name == "scf.while") {
    const bool fits = regions == 2 && op->blocks[0]->args.size() == count;
    return fits ? finish(StmtKind::kWhile) : NoGenericForm(*op);
  }
  if (regions != 0) return NoGenericForm(*op);
  if (name == "scf.yield") return finish(StmtKind::kYield);
  if (name == "scf.condition") return count >= 1 ? finish(StmtKind::kCondition) : NoGenericForm(*op);
  if (name == "func.return") {
    stmt->name = "return";
    return finish(StmtKind::kReturn);
  }
  if (name == "func.call") {
    const Attr* callee = FindAttr(op->dict, "callee");
    if (callee == nullptr || callee->kind != AttrKind::kSymbol) return NoGenericForm(*op);
    stmt->symbol = callee->text;
    stmt->symbol_offset = callee->offset;
    calls_.push_back(stmt);
    return finish(StmtKind::kCall);
  }
  if (name == "cf.switch") return GenericSwitch(stmt, *op, count) && finish(StmtKind::kBranch);
  const bool conditional = name == "cf.cond_br";
  if (!conditional && name != "cf.br") return NoGenericForm(*op);
  stmt->code = static_cast<uint8_t>(conditional ? BranchCode::kCondition : BranchCode::kAlways);
  if (stmt->successors.size() != (conditional ? 2U : 1U) || (conditional && count < 1)) return NoGenericForm(*op);
  if (conditional) {
    const int64_t first = SegmentOf(op->dict, 1);
    const int64_t all = static_cast<int64_t>(count) - 1;
    if (first > all || (first < 0 && all > 0)) return NoGenericForm(*op);
    stmt->successors[0].count = static_cast<uint32_t>(std::max<int64_t>(first, 0));
    stmt->successors[1].count = static_cast<uint32_t>(all) - stmt->successors[0].count;
  } else {
    stmt->successors[0].count = static_cast<uint32_t>(count);
  }
  branches_.push_back(stmt);
  return finish(StmtKind::kBranch);
}

// ---- pto --------------------------------------------------------------------

bool Parser::GenericPto(Stmt* stmt, Generic* op, std::string_view mnemonic) {
  NameInstruction(stmt, mnemonic);
  const Production production = stmt->dialect == nullptr ? Production::kInsOuts : stmt->dialect->production;
  std::vector<NamedAttr> kept;
  for (const NamedAttr& entry : op->dict) {
    if (!IsSegments(entry.name)) kept.push_back(entry);
  }
  stmt->attrs = arena_->Copy(kept.data(), kept.size());
  if (production == Production::kSection) {
    if (op->blocks.size() != 1 || !op->blocks[0]->args.empty()) return NoGenericForm(*op);
    stmt->kind = StmtKind::kSection;
    stmt->attrs = {};
    stmt->code = static_cast<uint8_t>(stmt->name == "section.cube" ? SectionCode::kCube : SectionCode::kVector);
    stmt->blocks = arena_->Copy(op->blocks.data(), 1);
    DefineResults(stmt, {});
    return true;
  }
  if (!op->blocks.empty() || !stmt->successors.empty()) return NoGenericForm(*op);
  if (production == Production::kInsOuts || production == Production::kTSetVal || production == Production::kTPrint) {
    return GenericInstruction(stmt, op, production);
  }
  return GenericDialect(stmt, op, production);
}

// Sources come first, then destinations, but where a destination stands before what may be left out.
bool Parser::GenericInstruction(Stmt* stmt, Generic* op, Production production) {
  stmt->kind = production == Production::kTSetVal  ? StmtKind::kTSetVal
               : production == Production::kTPrint ? StmtKind::kTPrint
                                                   : StmtKind::kInst;
  stmt->spelling = Spelling::kDps;
  const size_t count = operands_.size() - op->operands;
  size_t outs = OutsAmong(*stmt, count);
  if (production == Production::kTSetVal) outs = 1;
  if (production == Production::kTPrint) outs = 0;
  if (outs > count) return GenericCount(*op, outs, SIZE_MAX);
  if ((stmt->name == "tmov" || stmt->name == "tstore") && count > 2 && SegmentOf(op->dict, 1) == 1) {
    const auto first = static_cast<std::ptrdiff_t>(op->operands) + 1;
    std::rotate(operands_.begin() + first, operands_.begin() + first + 1, operands_.end());
    const auto type = static_cast<std::ptrdiff_t>(op->types) + 1;
    if (op->results - op->types == count) {
      std::rotate(types_.begin() + type, types_.begin() + type + 1,
                  types_.begin() + static_cast<std::ptrdiff_t>(op->results));
    }
  }
  op->written = count - outs;
  GenericOperands(op, SIZE_MAX);
  stmt->outs = Commit(&operands_, op->operands + op->written);
  stmt->operands = Commit(&operands_, op->operands);
  stmt->types = arena_->Copy(types_.data() + op->results, types_.size() - op->results);
  if (stmt->kind == StmtKind::kInst) {
    ChooseForm(stmt, stmt->operands, stmt->outs.size(), {});
    CheckCounts(*stmt);
  } else if (stmt->operands.size() != (outs == 1 ? 2U : 1U)) {
    return NoGenericForm(*op);
  }
  DefineResults(stmt, stmt->types);
  return true;
}

// Statements with a form of their own: what they take, and how much of it their form gives a type.
bool Parser::GenericDialect(Stmt* stmt, Generic* op, Production production) {
  const size_t count = operands_.size() - op->operands;
  const size_t made = types_.size() - op->results;
  const auto finish = [&](StmtKind kind, size_t typed, bool makes) {
    stmt->kind = kind;
    if (makes != (made == 1)) return NoGenericForm(*op);
    GenericOperands(op, typed);
    stmt->operands = Commit(&operands_, op->operands);
    if (makes) {
      DefineResult(stmt, types_[op->results]);
    } else {
      DefineResults(stmt, {});
    }
    return true;
  };
  switch (production) {
    case Production::kMakeTensorView:
    case Production::kPartitionView: {
      const int64_t split = SegmentOf(op->dict, 1);
      if (split < 0 || split > 8 || count != 1 + 2 * static_cast<size_t>(split)) return NoGenericForm(*op);
      stmt->split = static_cast<uint16_t>(split);
      const bool part = production == Production::kPartitionView;
      return finish(part ? StmtKind::kPartitionView : StmtKind::kMakeTensorView, part ? 1 : 0, true);
    }
    case Production::kTensorViewDim:
      stmt->code = static_cast<uint8_t>(stmt->name == "get_tensor_view_stride" ? ViewQuery::kStride : ViewQuery::kDim);
      return GenericCount(*op, 2, 2) && finish(StmtKind::kTensorViewDim, 2, true);
    case Production::kAddressOf:
      return GenericCount(*op, 1, 1) && finish(StmtKind::kAddressOf, 1, true);
    case Production::kAllocTile: {
      const bool cast = stmt->name == "pointer_cast";
      if (!cast && stmt->name != "alloc_tile") {
        stmt->code = static_cast<uint8_t>(AllocCode::kDeclare);
        return GenericCount(*op, 0, 0) && finish(StmtKind::kAllocTile, 0, true);
      }
      if (cast) stmt->code = static_cast<uint8_t>(AllocCode::kPointerCast);
      bool* const given[] = {&stmt->has_addr, &stmt->has_valid_row, &stmt->has_valid_col};
      size_t there = 0;
      for (size_t i = 0; i < 3; ++i) there += *given[i] = SegmentOf(op->dict, i) == 1;
      // Without sizes: the address of the one form, all three or none of the other.
      if (SegmentOf(op->dict, 0) < 0) {
        for (size_t i = 0; i < 3; ++i) *given[i] = i < count;
        there = count == 2 ? 0 : count;
      }
      if (there != count || count > 3 || (cast && !stmt->has_addr)) return NoGenericForm(*op);
      return finish(StmtKind::kAllocTile, 0, true);
    }
    case Production::kSetValidShape:
      return GenericCount(*op, 3, 3) && finish(StmtKind::kSetValidShape, 1, false);
    case Production::kRetype: {
      const bool binds = stmt->name == "bind_tile";
      stmt->has_valid_row = stmt->has_valid_col = binds && count == 3;
      if (count != 1 && !stmt->has_valid_row) return GenericCount(*op, 1, 1);
      return finish(binds                      ? StmtKind::kBindTile
                    : stmt->name == "treshape" ? StmtKind::kTreshape
                                               : StmtKind::kBitcast,
                    1, true);
    }
    case Production::kSubset: {
      const Attr* sizes = FindAttr(stmt->attrs, "sizes");
      if (sizes == nullptr || sizes->items.size() != 2 || !GenericCount(*op, 3, 3) || made != 1 ||
          op->types == op->results) {
        return NoGenericForm(*op);
      }
      const int64_t extents[2] = {sizes->items[0]->integer, sizes->items[1]->integer};
      stmt->sizes = arena_->Copy(extents, 2);
      stmt->attrs = {};
      stmt->kind = StmtKind::kSubset;
      GenericOperands(op, 1);
      const Type* from = types_[op->types];
      const Type* type = from->kind == TypeKind::kTile ? SubsetType(*from, op->operands + 1, extents) : from;
      stmt->operands = Commit(&operands_, op->operands);
      DefineResult(stmt, type);
      return true;
    }
    case Production::kTassign:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kTassign, 1, made == 1);
    case Production::kAddPtr:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kAddPtr, 1, true);
    case Production::kLoadScalar:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kLoadScalar, 1, true);
    case Production::kTGetVal:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kTGetVal, 2, true);
    case Production::kStoreScalar:
      return GenericStoreScalar(stmt, op);
    case Production::kBlockQuery:
      return GenericCount(*op, 0, 0) && ParseProduction(stmt, production);
    case Production::kTrap:
      return GenericCount(*op, 0, 0) && finish(StmtKind::kTrap, 0, false);
    case Production::kPrint: {
      const Attr* format = FindAttr(stmt->attrs, "format");
      if (format == nullptr || format->kind != AttrKind::kString || !GenericCount(*op, 1, 1)) return NoGenericForm(*op);
      stmt->spelling = Spelling::kDps;
      Operand text;
      text.kind = OperandKind::kLiteral;
      text.literal = format;
      text.offset = format->offset;
      text.length = op->length;
      GenericOperands(op, 1);
      operands_.insert(operands_.begin() + static_cast<std::ptrdiff_t>(op->operands), text);
      stmt->attrs = {};
      stmt->kind = StmtKind::kPrint;
      stmt->operands = Commit(&operands_, op->operands);
      DefineResults(stmt, {});
      return made == 0 || NoGenericForm(*op);
    }
    case Production::kSync:
      return GenericSync(stmt, op);
    case Production::kEventArray: {
      const bool set = stmt->name == "eventid_array_set";
      const bool get = stmt->name == "eventid_array_get";
      stmt->code = static_cast<uint8_t>(set   ? EventArrayCode::kSet
                                        : get ? EventArrayCode::kGet
                                              : EventArrayCode::kDeclare);
      const size_t takes = set ? 3 : get ? 2 : 0;
      return GenericCount(*op, takes, takes) && finish(StmtKind::kEventArray, 1, !set);
    }
    default:
      return NoGenericForm(*op);
  }
}

// The dialect declares the pointer first; the statement's form has the value there.
bool Parser::GenericStoreScalar(Stmt* stmt, Generic* op) {
  if (!GenericCount(*op, 3, 3) || op->results - op->types != 3 || types_.size() != op->results) {
    return NoGenericForm(*op);
  }
  const size_t at = op->operands;
  stmt->kind = StmtKind::kStoreScalar;
  if (types_[op->types]->kind == TypeKind::kPtr) {
    std::rotate(operands_.begin() + static_cast<std::ptrdiff_t>(at),
                operands_.begin() + static_cast<std::ptrdiff_t>(at) + 2, operands_.end());
    std::rotate(types_.begin() + static_cast<std::ptrdiff_t>(op->types),
                types_.begin() + static_cast<std::ptrdiff_t>(op->types) + 2,
                types_.begin() + static_cast<std::ptrdiff_t>(op->results));
  }
  GenericOperands(op, 2);
  stmt->operands = Commit(&operands_, at);
  DefineResults(stmt, {});
  return true;
}

// Pipes and events are attributes in this form and operands in the other.
bool Parser::GenericSync(Stmt* stmt, Generic* op) {
  static constexpr std::string_view kOrder[] = {"src_pipe", "src_op", "op_type",  "pipe",
                                                "dst_pipe", "dst_op", "event_id", "buf_id"};
  stmt->kind = StmtKind::kSync;
  GenericOperands(op, 0);
  std::vector<Operand> operands;
  for (const std::string_view key : kOrder) {
    const Attr* attr = FindAttr(stmt->attrs, key);
    if (attr == nullptr) continue;
    Operand operand;
    operand.kind = OperandKind::kLiteral;
    operand.literal = attr;
    operand.offset = attr->offset;
    operand.length = op->length;
    if (attr->type != nullptr) {
      Attr* plain = arena_->New<Attr>();
      *plain = *attr;
      plain->type = nullptr;
      operand.literal = plain;
    }
    operands.push_back(operand);
  }
  std::vector<NamedAttr> kept;
  for (const NamedAttr& entry : stmt->attrs) {
    if (std::find(std::begin(kOrder), std::end(kOrder), entry.name) == std::end(kOrder)) kept.push_back(entry);
  }
  stmt->attrs = arena_->Copy(kept.data(), kept.size());
  operands_.insert(operands_.begin() + static_cast<std::ptrdiff_t>(op->operands), operands.begin(), operands.end());
  stmt->operands = Commit(&operands_, op->operands);
  stmt->code = stmt->name == "barrier" || stmt->name == "set_ffts" ? 0 : stmt->name == "tsync" ? 2 : 1;
  DefineResults(stmt, {});
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

// What properties and attributes say of a function.
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
  module->offset = tok_.offset;
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
