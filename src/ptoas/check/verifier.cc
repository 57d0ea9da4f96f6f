// Structural rules of functions, blocks, values, control flow and arithmetic.
#include "src/ptoas/check/verifier.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <set>
#include <utility>

#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/read/printer.h"
#include "src/records/nearest.h"

namespace pto::ptoas {

bool Verify(const Program& program, Diagnostics* diagnostics, const VerifyHooks& hooks) {
  const int before = diagnostics->errors();
  Verifier(program, diagnostics, hooks).Run();
  diagnostics->Sort();
  return diagnostics->errors() == before;
}

void VerifyEntry(const Func& func, Diagnostics* diagnostics) {
  if (func.result_types.empty()) return;
  diagnostics->Error(TextRule::kEntryResult, func.offset, func.length, "entry @%.*s returns %zu value%s",
                     PTO_NAME(func.name), func.result_types.size(), Plural(func.result_types.size()));
}

namespace {

// For lists that are empty except after errors.
template <typename Item>
bool Has(const std::vector<Item>& list, const Item& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

void AddCallees(const Block& block, FuncSet* found, std::vector<const Func*>* left) {
  for (const Stmt* stmt : block.stmts) {
    if (stmt->callee != nullptr && found->insert(stmt->callee).second) left->push_back(stmt->callee);
    for (const Block* inner : stmt->blocks) AddCallees(*inner, found, left);
  }
}

}  // namespace

FuncSet Reachable(const Func& func) {
  FuncSet found = {&func};
  std::vector<const Func*> left = {&func};
  // The other core of its block runs it.
  if (func.peer != nullptr && found.insert(func.peer).second) left.push_back(func.peer);
  while (!left.empty()) {
    const Func* next = left.back();
    left.pop_back();
    for (const Block* block = next->body; block != nullptr; block = block->next) AddCallees(*block, &found, &left);
  }
  return found;
}

std::string Describe(const Type* type) {
  std::string text = ToString(type);
  if (text.size() > 120) text = text.substr(0, 117) + "...";
  return text;
}

void Verifier::Run() {
  for (const Diagnostic& one : diagnostics_->list()) {
    if (one.error) broken_.push_back(one.line);
  }
  for (const Module* module : program_.modules) {
    for (const Func* func : module->funcs) {
      if (hooks_.wanted == nullptr || hooks_.wanted->contains(func)) CheckFunc(*func);
    }
  }
  CheckRecursion();
  CheckPipes();
}

void Verifier::Error(TextRule rule, const Stmt& stmt, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diagnostics_->Error(rule, stmt.offset, stmt.length, "%s", text);
}

void Verifier::CheckFunc(const Func& func) {
  func_ = &func;
  core_ = func.core;
  suspects_.clear();
  said_.clear();
  for (const Value* arg : func.args) CheckDefinition(*arg);
  if (func.entry && func.body == nullptr) {
    diagnostics_->Error(TextRule::kEntryDeclaration, func.offset, func.length, "@%.*s is an entry without a body",
                        PTO_NAME(func.name));
  }
  if (func.entry) VerifyEntry(func, diagnostics_);
  if (func.body == nullptr) return;
  if (hooks_.function != nullptr) hooks_.function(hooks_.user, func, diagnostics_);
  for (const Block* block = func.body; block != nullptr; block = block->next) CheckBlock(*block, nullptr);
  if (func.simt) CheckSimtFunc(func);
  if (func.body->next != nullptr) return CheckBlocks(func);
  if (func.result_types.empty()) return;
  const std::span<Stmt* const> stmts = func.body->stmts;
  if (stmts.empty() || stmts.back()->kind != StmtKind::kReturn) {
    diagnostics_->Error(TextRule::kReturnTypes, func.offset, func.length, "@%.*s ends without return",
                        PTO_NAME(func.name));
  }
}

// ---- values -----------------------------------------------------------------

void Verifier::CheckDefinition(const Value& value) {
  if (value.shadows != nullptr) {
    diagnostics_->Error(TextRule::kRedefinition, value.offset, value.length, "%%%.*s is defined already",
                        PTO_NAME(value.name));
  }
  if (value.type != nullptr && value.type->kind == TypeKind::kTile && value.type->strided) {
    diagnostics_->Error(TextRule::kUnsupportedType, value.offset, value.length,
                        "%%%.*s has the strides of a larger tile; use memref.subview for a part of a tile",
                        PTO_NAME(value.name));
  }
  if (value.type != nullptr && value.type->kind == TypeKind::kOpaque) {
    diagnostics_->Error(TextRule::kUnsupportedType, value.offset, value.length, "%%%.*s is %s", PTO_NAME(value.name),
                        Describe(value.type).c_str());
  }
}

namespace {

void OfferValues(const Block& block, Nearest* nearest) {
  for (const Value* value : block.args) nearest->Offer(value->name);
  for (const Stmt* stmt : block.stmts) {
    for (const Value* value : stmt->results) nearest->Offer(value->name);
    for (const Block* inner : stmt->blocks) OfferValues(*inner, nearest);
  }
}

// The names of a function, those that are not defined where one is missed among them.
void OfferValues(const Func& func, Nearest* nearest) {
  for (const Value* value : func.args) nearest->Offer(value->name);
  for (const Block* block = func.body; block != nullptr; block = block->next) OfferValues(*block, nearest);
}

bool IsOfAnotherType(const Operand& operand) {
  return operand.type != nullptr && operand.value != nullptr && !TypesAgree(operand.value->type, operand.type);
}

}  // namespace

void Verifier::CheckUse(const Operand& use, bool repeats) {
  for (const Operand& index : use.indices) CheckUse(index);
  if (use.kind != OperandKind::kValue) return;
  if (use.value == nullptr) {
    if (use.index == 0) {
      Nearest nearest(use.name);
      if (func_ != nullptr) OfferValues(*func_, &nearest);
      diagnostics_->Error(TextRule::kUndefinedValue, use.offset, use.length, "%%%.*s is not defined here%s",
                          PTO_NAME(use.name), nearest.Question("%").c_str());
    } else {
      diagnostics_->Error(TextRule::kUndefinedValue, use.offset, use.length, "%%%.*s#%u is not defined here",
                          PTO_NAME(use.name), use.index);
    }
    return;
  }
  if (use.value->slot < outside_) {
    diagnostics_->Error(TextRule::kVectorScope, use.offset, use.length,
                        "%%%.*s is defined outside of pto.strict_vecscope, which uses only its captures",
                        PTO_NAME(use.name));
  }
  const Type* is = use.value->type;
  bool agree = TypesAgree(is, use.type);
  const bool subset = use.value->def != nullptr && use.value->def->Is("subset");
  if (!agree && subset && is->kind == TypeKind::kTile && use.type->kind == TypeKind::kTile) {
    // Its valid extents depend on the offsets.
    Type copy = *use.type;
    copy.valid_row = is->valid_row;
    copy.valid_col = is->valid_col;
    agree = TypesAgree(is, &copy);
  }
  if (agree || repeats) return;
  // A later use of the value repeats the error.
  const std::pair<const Value*, const Type*> said(use.value, use.type);
  repeated_ |= Has(said_, said);
  if (repeated_) return;
  said_.push_back(said);
  diagnostics_->Error(TextRule::kTypeMismatch, use.offset, use.length, "%%%.*s is %s, not %s", PTO_NAME(use.name),
                      Describe(is).c_str(), Describe(use.type).c_str());
  diagnostics_->About(use.type);
}

// ---- blocks -----------------------------------------------------------------

void Verifier::CheckBlock(const Block& block, const Stmt* parent) {
  for (const Value* arg : block.args) CheckDefinition(*arg);
  for (size_t i = 0; i < block.stmts.size(); ++i) {
    if (diagnostics_->Full()) return;
    const Stmt& stmt = *block.stmts[i];
    if (stmt.kind == StmtKind::kYield || stmt.kind == StmtKind::kCondition || stmt.kind == StmtKind::kReturn ||
        stmt.kind == StmtKind::kBranch) {
      const size_t kept = diagnostics_->list().size();
      CheckOwn(stmt);
      CheckTerminator(stmt, block, parent, i + 1 == block.stmts.size());
      Settle(stmt, kept);
    } else {
      CheckStmt(stmt);
    }
  }
  CheckMissing(block, parent);
}

void Verifier::CheckStmt(const Stmt& stmt) {
  const int before = diagnostics_->errors();
  const size_t kept = diagnostics_->list().size();
  const CoreKind outer = core_;
  const bool scope = in_scope_;
  const uint32_t outside = outside_;
  CheckOwn(stmt);
  if (stmt.Is("strict_vecscope")) CheckStrictScope(stmt);
  const bool suspect = Settle(stmt, kept);
  if (stmt.Is("vecscope") || stmt.Is("strict_vecscope")) {
    if (scope) Error(TextRule::kVectorScope, stmt, "pto.%.*s is inside another one", PTO_NAME(stmt.name));
    in_scope_ = true;
  } else if (stmt.kind == StmtKind::kSection) {
    core_ = stmt.info->core;
  }
  for (const Block* block : stmt.blocks) CheckBlock(*block, &stmt);
  core_ = outer;
  in_scope_ = scope;
  outside_ = outside;
  // The hook knows which statements concern it.
  if (hooks_.instruction != nullptr && !suspect && diagnostics_->errors() == before) {
    const size_t own = diagnostics_->list().size();
    hooks_.instruction(hooks_.user, *func_, stmt, diagnostics_);
    if (stmt.kind != StmtKind::kInst) Settle(stmt, own);
  }
}

namespace {

// Errors that concern something else than the types of the results.
constexpr TextRule kHarmless[] = {TextRule::kAttributeValue,     TextRule::kDuplicateAttribute,
                                  TextRule::kUndefinedValue,     TextRule::kRedefinition,
                                  TextRule::kUnknownInstruction, TextRule::kUnsupportedInstruction};

}  // namespace

// Keeps one error for one cause: a statement that has errors may have given its results a wrong type, so the errors
// of statements that use them may be of that type. True: the statement is one of these.
bool Verifier::Settle(const Stmt& stmt, size_t kept) {
  // If the parser could not read a statement, parts of it are missing.
  const bool repeated = std::exchange(repeated_, false);
  const bool broken = repeated || (!broken_.empty() && Has(broken_, diagnostics_->PlaceAt(stmt.offset).line));
  if (!broken && suspects_.empty() && diagnostics_->list().size() == kept) return false;
  const auto suspect = [&](const Operand& operand) {
    const auto is = [&](const Operand& one) { return one.value != nullptr && Has<const Value*>(suspects_, one.value); };
    return is(operand) || std::any_of(operand.indices.begin(), operand.indices.end(), is);
  };
  // Values that get their types from this statement.
  const auto doubt = [&] {
    suspects_.insert(suspects_.end(), stmt.results.begin(), stmt.results.end());
    for (const std::span<Operand> list : {stmt.operands, stmt.outs}) {
      for (const Operand& one : list) {
        if (one.value == nullptr) continue;
        const bool made = one.value->origin == ValueOrigin::kDestination && one.value->def == &stmt;
        if (made || one.value->origin == ValueOrigin::kImplicit) suspects_.push_back(one.value);
      }
    }
  };
  if (broken) doubt();
  if (broken || std::any_of(stmt.operands.begin(), stmt.operands.end(), suspect) ||
      std::any_of(stmt.outs.begin(), stmt.outs.end(), suspect)) {
    diagnostics_->DropErrors(kept, kHarmless);
    // A view has the layout and extents that its operands give it.
    const Type* const type = stmt.results.empty() ? nullptr : stmt.results[0]->type;
    if (type != nullptr && (type->kind == TypeKind::kTensorView || type->kind == TypeKind::kPartitionView)) doubt();
    return true;
  }
  diagnostics_->Unify(kept, stmt.offset);
  const std::vector<Diagnostic>& list = diagnostics_->list();
  const bool wrong = std::any_of(list.begin() + static_cast<ptrdiff_t>(kept), list.end(), [](const Diagnostic& one) {
    return one.error && std::none_of(std::begin(kHarmless), std::end(kHarmless),
                                     [&](TextRule rule) { return one.rule == std::string_view(Info(rule).id); });
  });
  if (wrong) doubt();
  return false;
}

void Verifier::CheckOwn(const Stmt& stmt) {
  // A statement may write one type for all operands. If this type is wrong, the first operand reports it. The type of a
  // selection's condition follows from the others' type, and they report it.
  std::set<const Type*> reported;
  const Operand* const condition = stmt.arith == ArithOp::kSelect && stmt.operands.size() == 3 &&
                                           (IsOfAnotherType(stmt.operands[1]) || IsOfAnotherType(stmt.operands[2]))
                                       ? stmt.operands.data()
                                       : nullptr;
  const auto check = [&](const Operand& operand) {
    CheckUse(operand, IsOfAnotherType(operand) && (&operand == condition || !reported.insert(operand.type).second));
  };
  for (const Operand& operand : stmt.operands) check(operand);
  for (const Operand& out : stmt.outs) {
    check(out);
    if (out.value != nullptr && out.value->origin == ValueOrigin::kDestination && out.value->def == &stmt) {
      CheckDefinition(*out.value);
    }
  }
  for (const Value* result : stmt.results) CheckDefinition(*result);
  if (func_->simt) CheckItemStmt(stmt);
  switch (stmt.kind) {
    case StmtKind::kConstant:
      return CheckConstant(stmt);
    case StmtKind::kArith:
      return CheckArith(stmt);
    case StmtKind::kCall:
      return CheckCall(stmt);
    case StmtKind::kFor: {
      const Type* type = stmt.blocks[0]->args[0]->type;
      if (type->kind != TypeKind::kScalar || !IsInteger(type->elem)) {
        Error(TextRule::kArithType, stmt, "scf.for counts with %s", Describe(type).c_str());
      }
      break;
    }
    case StmtKind::kWhile: {
      // The condition passes the arguments of the second region.
      const std::span<Value* const> args = stmt.blocks[1]->args;
      if (args.size() != stmt.types.size()) {
        Error(TextRule::kYieldTypes, stmt, "scf.while makes %zu value%s, its second region takes %zu",
              stmt.types.size(), Plural(stmt.types.size()), args.size());
        break;
      }
      for (size_t i = 0; i < args.size(); ++i) {
        if (TypesAgree(args[i]->type, stmt.types[i])) continue;
        Error(TextRule::kYieldTypes, stmt, "scf.while makes %s where its second region takes %s",
              Describe(stmt.types[i]).c_str(), Describe(args[i]->type).c_str());
      }
      break;
    }
    case StmtKind::kYield:
    case StmtKind::kCondition:
    case StmtKind::kReturn:
    case StmtKind::kBranch:
      return;
    case StmtKind::kVectorOp:
      CheckVectorOp(stmt);
      break;
    default:
      CheckPto(stmt);
  }
}

namespace {

// The slot of the first value that a block defines: slots count up in the order of the text.
uint32_t FirstSlot(const Block& block) {
  if (!block.args.empty()) return block.args[0]->slot;
  for (const Stmt* stmt : block.stmts) {
    uint32_t first = UINT32_MAX;
    if (!stmt->results.empty()) first = stmt->results[0]->slot;
    for (const Operand& out : stmt->outs) {
      if (out.value != nullptr && out.value->def == stmt) first = std::min(first, out.value->slot);
    }
    for (const Block* inner : stmt->blocks) first = std::min(first, FirstSlot(*inner));
    if (first != UINT32_MAX) return first;
  }
  return UINT32_MAX;
}

}  // namespace

// The block has an argument of each capture's type, and uses nothing else from outside.
void Verifier::CheckStrictScope(const Stmt& stmt) {
  const std::span<Value* const> args = stmt.blocks[0]->args;
  if (args.size() != stmt.operands.size()) {
    return Error(TextRule::kOperandCount, stmt, "%zu capture%s for %zu argument%s of the block", stmt.operands.size(),
                 Plural(stmt.operands.size()), args.size(), Plural(args.size()));
  }
  for (size_t i = 0; i < args.size(); ++i) {
    const Type* type = TypeOf(stmt.operands[i]);
    if (TypesAgree(type, args[i]->type)) continue;
    Error(TextRule::kOperandType, stmt, "%%%.*s is %s, and its capture %s", PTO_NAME(args[i]->name),
          Describe(args[i]->type).c_str(), Describe(type).c_str());
  }
  outside_ = FirstSlot(*stmt.blocks[0]);
}

// The values that the block of a statement has to pass on.
static void TypesOfArgs(std::span<Value* const> args, std::vector<const Type*>* types) {
  for (const Value* arg : args) types->push_back(arg->type);
}

void Verifier::CheckTerminator(const Stmt& stmt, const Block& block, const Stmt* parent, bool last) {
  const char* name = stmt.kind == StmtKind::kYield    ? "scf.yield"
                     : stmt.kind == StmtKind::kReturn ? "return"
                     : stmt.kind == StmtKind::kBranch ? "a branch"
                                                      : "scf.condition";
  const bool in_while = parent != nullptr && parent->kind == StmtKind::kWhile;
  bool belongs = false;
  if (stmt.kind == StmtKind::kReturn || stmt.kind == StmtKind::kBranch) belongs = parent == nullptr;
  if (stmt.kind == StmtKind::kYield) belongs = parent != nullptr && parent->kind != StmtKind::kSection;
  if (stmt.kind == StmtKind::kCondition) belongs = in_while;
  if (in_while && belongs) belongs = (&block == parent->blocks[0]) == (stmt.kind == StmtKind::kCondition);
  if (!belongs) return Error(TextRule::kTerminator, stmt, "%s does not belong in this block", name);
  if (!last) return Error(TextRule::kTerminator, stmt, "%s is not the last statement of its block", name);
  std::vector<const Type*> wanted;
  if (stmt.kind == StmtKind::kBranch) return CheckBranch(stmt);
  if (stmt.kind == StmtKind::kReturn) {
    wanted.assign(func_->result_types.begin(), func_->result_types.end());
    return CheckPassed(stmt, TextRule::kReturnTypes, stmt.operands, wanted);
  }
  if (stmt.kind == StmtKind::kCondition) {
    TypesOfArgs(parent->blocks[1]->args, &wanted);
    return CheckPassed(stmt, TextRule::kYieldTypes, stmt.operands.subspan(1), wanted);
  }
  if (in_while) {
    TypesOfArgs(parent->blocks[0]->args, &wanted);
  } else {
    wanted.assign(parent->types.begin(), parent->types.end());
  }
  CheckPassed(stmt, TextRule::kYieldTypes, stmt.operands, wanted);
}

void Verifier::CheckPassed(const Stmt& at, TextRule rule, std::span<const Operand> passed,
                           std::span<const Type* const> wanted) {
  if (passed.size() != wanted.size()) {
    return Error(rule, at, "%zu value%s passed on for the %zu wanted", passed.size(), Plural(passed.size()),
                 wanted.size());
  }
  for (size_t i = 0; i < passed.size(); ++i) {
    const Type* type = TypeOf(passed[i]);
    if (TypesAgree(type, wanted[i])) continue;
    diagnostics_->Error(rule, passed[i].offset, passed[i].length, "%%%.*s is %s where %s is wanted",
                        PTO_NAME(passed[i].name), Describe(type).c_str(), Describe(wanted[i]).c_str());
  }
}

// A block whose terminator may not be left out.
void Verifier::CheckMissing(const Block& block, const Stmt* parent) {
  if (parent == nullptr || parent->kind == StmtKind::kSection) return;
  const StmtKind last = block.stmts.empty() ? StmtKind::kInst : block.stmts.back()->kind;
  if (parent->kind == StmtKind::kWhile) {
    if (&block == parent->blocks[0]) {
      if (last != StmtKind::kCondition) {
        Error(TextRule::kTerminator, *parent, "the first region of scf.while ends without scf.condition");
      }
    } else if (last != StmtKind::kYield && !parent->operands.empty()) {
      Error(TextRule::kYieldTypes, *parent, "the second region of scf.while ends without scf.yield");
    }
    return;
  }
  if (parent->types.empty()) return;
  const char* name = parent->kind == StmtKind::kFor ? "scf.for" : "scf.if";
  if (last != StmtKind::kYield) {
    Error(TextRule::kYieldTypes, *parent, "a region of %s ends without scf.yield of its %zu result%s", name,
          parent->types.size(), Plural(parent->types.size()));
  }
  if (parent->kind == StmtKind::kIf && parent->blocks.size() == 1) {
    Error(TextRule::kYieldTypes, *parent, "scf.if has results and no else");
  }
}

// ---- constants and arithmetic -----------------------------------------------

namespace {

// Two scalars, or two vectors of the same extents.
bool SameShape(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  return a.kind == TypeKind::kScalar || (a.Lanes() != 0 && std::equal(a.dims, a.dims + kMaxRank, b.dims));
}

// Elements of dense<...>, at any depth of brackets.
size_t CountItems(const Attr& attr) {
  if (attr.kind != AttrKind::kArray) return 1;
  size_t count = 0;
  for (const Attr* item : attr.items) count += CountItems(*item);
  return count;
}

// Why a number is not a value of a type; nullptr: it is one.
const char* Misfit(const Attr& literal, Elem elem) {
  const int bits = Info(elem).bits;
  const int64_t limit = int64_t{1} << std::min(bits, 62);
  const bool fits = bits >= 64 || (literal.integer < limit && literal.integer >= -(limit / 2));
  if (IsFloat(elem)) {
    if (literal.kind == AttrKind::kFloat) return nullptr;
    if (literal.kind != AttrKind::kInt || !literal.hex) return "is not a value of float type";
    const bool whole = bits >= 64 || literal.integer >= 0;
    return fits && whole ? nullptr : "is not the bits of";
  }
  if (literal.kind == AttrKind::kFloat) return "is not a value of integer type";
  return (literal.kind == AttrKind::kBool ? elem == Elem::kI1 : fits) ? nullptr : "does not fit";
}

}  // namespace

void Verifier::CheckConstant(const Stmt& stmt) {
  const Attr& literal = *stmt.literal;
  const Type& type = *stmt.types[0];
  if (type.kind == TypeKind::kVector) {
    if (literal.kind != AttrKind::kArray || literal.name != "dense") {
      return Error(TextRule::kConstantValue, stmt, "a constant of type %s is not a dense<...>",
                   Describe(&type).c_str());
    }
    const size_t items = CountItems(literal);
    const bool splat = literal.items[0]->kind != AttrKind::kArray;
    if (!splat && static_cast<int64_t>(items) != type.Lanes()) {
      return Error(TextRule::kConstantValue, stmt, "%zu element%s for %s", items, Plural(items),
                   Describe(&type).c_str());
    }
    return CheckItems(literal, type);
  }
  if (type.kind != TypeKind::kScalar || literal.kind == AttrKind::kArray) {
    return Error(TextRule::kConstantValue, stmt, "a constant of type %s", Describe(&type).c_str());
  }
  CheckItems(literal, type);
}

// Each number of a constant.
void Verifier::CheckItems(const Attr& literal, const Type& type) {
  if (literal.kind == AttrKind::kArray) {
    for (const Attr* item : literal.items) CheckItems(*item, type);
    return;
  }
  const char* why = Misfit(literal, type.elem);
  if (why == nullptr) return;
  diagnostics_->Error(TextRule::kConstantValue, literal.offset, static_cast<uint32_t>(literal.text.size()),
                      "%.*s %s %s", PTO_NAME(literal.text), why, Describe(&type).c_str());
}

void Verifier::CheckArith(const Stmt& stmt) {
  const Type& type = *stmt.types[0];
  const ArithInfo& info = Info(stmt.arith);
  const bool number = type.kind == TypeKind::kScalar || type.Lanes() != 0;
  const bool floats = info.kind == ArithClass::kFloatBinary || info.kind == ArithClass::kFloatUnary ||
                      info.kind == ArithClass::kFloatTernary || info.kind == ArithClass::kFloatTest ||
                      info.kind == ArithClass::kFloatIntPower || info.kind == ArithClass::kFloatTwo ||
                      stmt.arith == ArithOp::kCmpF;
  const auto bad = [&] {
    Error(TextRule::kArithType, stmt, "%s.%s on %s", DialectOf(stmt.arith), info.name, Describe(&type).c_str());
  };
  switch (info.kind) {
    case ArithClass::kSelect: {
      const Type* condition = stmt.operands.empty() ? nullptr : TypeOf(stmt.operands[0]);
      const bool each = condition != nullptr && condition->kind == TypeKind::kVector;
      return each && (!SameShape(*condition, type) || condition->elem != Elem::kI1) ? bad() : void();
    }
    case ArithClass::kCast:
      return CheckCast(stmt, type, *stmt.types[1]);
    case ArithClass::kFloatIntPower: {
      const Type& power = *stmt.types[1];
      if (!SameShape(type, power) || !IsInteger(power.elem)) return bad();
      break;
    }
    default:
      break;
  }
  // Instructions have no f64, and so no kernel for it.
  if (!number || (floats ? !IsFloat(type.elem) : !IsInteger(type.elem)) ||
      (IsNarrow(stmt.arith) && type.elem == Elem::kF64)) {
    bad();
  }
}

void Verifier::CheckCast(const Stmt& stmt, const Type& from, const Type& to) {
  bool good = SameShape(from, to);
  const bool index = from.elem == Elem::kIndex || to.elem == Elem::kIndex;
  const bool ints = IsInteger(from.elem) && IsInteger(to.elem);
  const bool floats = IsFloat(from.elem) && IsFloat(to.elem);
  const int before = Info(from.elem).bits;
  const int after = Info(to.elem).bits;
  switch (stmt.arith) {
    case ArithOp::kIndexCast:
    case ArithOp::kIndexCastUI:
      good = good && ints && (from.elem == Elem::kIndex) != (to.elem == Elem::kIndex);
      break;
    case ArithOp::kExtSI:
    case ArithOp::kExtUI:
      good = good && ints && !index && before < after;
      break;
    case ArithOp::kTruncI:
      good = good && ints && !index && before > after;
      break;
    case ArithOp::kExtF:
      good = good && floats && before < after;
      break;
    case ArithOp::kTruncF:
      good = good && floats && before > after;
      break;
    case ArithOp::kSIToFP:
    case ArithOp::kUIToFP:
      good = good && IsInteger(from.elem) && IsFloat(to.elem) && !index;
      break;
    case ArithOp::kFPToSI:
    case ArithOp::kFPToUI:
      good = good && IsFloat(from.elem) && IsInteger(to.elem) && !index;
      break;
    default:
      good = good && !index && before == after;
  }
  if (good) return;
  Error(TextRule::kArithType, stmt, "arith.%s from %s to %s", Info(stmt.arith).name, Describe(&from).c_str(),
        Describe(&to).c_str());
}

// ---- calls ------------------------------------------------------------------

void Verifier::CheckCall(const Stmt& stmt) {
  if (stmt.callee == nullptr) {
    Nearest nearest(stmt.symbol);
    for (const Module* module : program_.modules) {
      for (const Func* func : module->funcs) nearest.Offer(func->name);
    }
    diagnostics_->Error(TextRule::kUnknownSymbol, stmt.symbol_offset, static_cast<uint32_t>(stmt.symbol.size()) + 1,
                        "no function is called @%.*s%s", PTO_NAME(stmt.symbol), nearest.Question("@").c_str());
    return;
  }
  calls_.push_back({func_, &stmt});
  const Func& callee = *stmt.callee;
  const std::span<const Operand> passed = CheckLaunch(stmt);
  if (passed.size() != callee.args.size() || stmt.types.size() != callee.result_types.size()) {
    return Error(TextRule::kCallTypes, stmt, "@%.*s takes %zu value%s and returns %zu, not %zu and %zu",
                 PTO_NAME(stmt.symbol), callee.args.size(), Plural(callee.args.size()), callee.result_types.size(),
                 passed.size(), stmt.types.size());
  }
  for (size_t i = 0; i < passed.size(); ++i) {
    const Type* type = TypeOf(passed[i]);
    if (TypesAgree(type, callee.args[i]->type)) continue;
    diagnostics_->Error(TextRule::kCallTypes, passed[i].offset, passed[i].length, "%%%.*s is %s where @%.*s takes %s",
                        PTO_NAME(passed[i].name), Describe(type).c_str(), PTO_NAME(stmt.symbol),
                        Describe(callee.args[i]->type).c_str());
  }
  for (size_t i = 0; i < stmt.types.size(); ++i) {
    if (TypesAgree(stmt.types[i], callee.result_types[i])) continue;
    Error(TextRule::kCallTypes, stmt, "@%.*s returns %s, not %s", PTO_NAME(stmt.symbol),
          Describe(callee.result_types[i]).c_str(), Describe(stmt.types[i]).c_str());
  }
}

// Depth-first over the calls without recursion of its own; a call that returns
// to a function on the path is reported.
void Verifier::CheckRecursion() {
  if (calls_.empty()) return;
  std::sort(calls_.begin(), calls_.end(), [](const Edge& a, const Edge& b) {
    return a.caller != b.caller ? a.caller < b.caller : a.call->offset < b.call->offset;
  });
  const auto first_of = [this](const Func* func) {
    return std::lower_bound(calls_.begin(), calls_.end(), func,
                            [](const Edge& edge, const Func* f) { return edge.caller < f; });
  };
  enum class Mark : uint8_t { kNew, kOnPath, kDone };
  std::vector<Mark> marks(calls_.size(), Mark::kNew);  // of the caller whose first edge this is
  std::vector<std::vector<Edge>::iterator> path;
  for (auto start = calls_.begin(); start != calls_.end(); ++start) {
    if (first_of(start->caller) != start || marks[static_cast<size_t>(start - calls_.begin())] != Mark::kNew) continue;
    marks[static_cast<size_t>(start - calls_.begin())] = Mark::kOnPath;
    path.push_back(start);
    while (!path.empty()) {
      const auto edge = path.back();
      const auto next = first_of(edge->call->callee);
      const bool leaf = next == calls_.end() || next->caller != edge->call->callee;
      Mark* mark = leaf ? nullptr : &marks[static_cast<size_t>(next - calls_.begin())];
      if (mark != nullptr && *mark == Mark::kNew) {
        *mark = Mark::kOnPath;
        path.push_back(next);
        continue;
      }
      if (mark != nullptr && *mark == Mark::kOnPath) {
        Error(TextRule::kRecursion, *edge->call, "this call of @%.*s returns to @%.*s", PTO_NAME(edge->call->symbol),
              PTO_NAME(edge->caller->name));
      }
      // On to the caller's next call, or back when it has no more.
      while (!path.empty()) {
        const auto at = path.back();
        const auto after = at + 1;
        if (after != calls_.end() && after->caller == at->caller) {
          path.back() = after;
          break;
        }
        marks[static_cast<size_t>(first_of(at->caller) - calls_.begin())] = Mark::kDone;
        path.pop_back();
      }
    }
  }
}

}  // namespace pto::ptoas
