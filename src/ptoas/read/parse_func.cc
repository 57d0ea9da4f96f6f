// Modules and functions, and the blocks of these.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

bool Parser::ParseModule(Module* module) {
  Advance();
  if (tok_.kind == Tok::kSymbol) {
    module->name = tok_.text;
    Advance();
  }
  if (AcceptWord("attributes")) {
    const size_t base = named_.size();
    if (!ParseDict(base)) return false;
    module->attrs = TakeDict(base);
  }
  if (!ParseFuncs(module)) return false;
  SkipLocation();
  return true;
}

// From `{` to `}`, both read.
bool Parser::ParseFuncs(Module* module) {
  if (!Expect('{')) return false;
  ++braces_;
  std::vector<Func*> funcs;
  while (!At('}')) {
    if (tok_.kind == Tok::kEnd) return Expected("'}'");
    if (AtWord("func.func") || AtWord("func") || AtGeneric("func.func")) {
      const int braces = braces_;
      if (!ParseFunc(&funcs)) Synchronise(braces);
      continue;
    }
    const int braces = braces_;
    const uint32_t offset = tok_.offset;
    Expected("a function or '}'");
    Synchronise(braces);
    if (tok_.offset == offset) Advance();
  }
  module->closing_comments = TakeComments();
  --braces_;
  Advance();
  module->funcs = arena_->Copy(funcs.data(), funcs.size());
  CheckSymbols(module, funcs);
  return true;
}

bool Parser::ParseFuncArgs(Func* func) {
  if (!Expect('(')) return false;
  const size_t base = values_.size();
  while (!At(')')) {
    const Token name = tok_;
    const bool named = tok_.kind == Tok::kValue;
    if (named) {
      Advance();
      if (!Expect(':')) return false;
    }
    const Type* type = ParseType();
    if (type == nullptr) return false;
    Value* value =
        NewValue(named ? name.text : std::string_view(), name.offset, name.length, ValueOrigin::kArgument, type);
    if (named) Define(value);
    values_.push_back(value);
    const size_t dict = named_.size();
    if (!ParseOptionalDict(dict)) return false;
    value->attrs = TakeDict(dict);
    SkipLocation();
    if (!Accept(',')) break;
  }
  func->args = Commit(&values_, base);
  return Expect(')');
}

void Parser::SettleEntry(Func* func) {
  const auto is = [&](const char* name) {
    const Attr* entry = FindAttr(func->attrs, name);
    return entry != nullptr && !(entry->kind == AttrKind::kBool && entry->integer == 0);
  };
  for (const char* name : {"pto.entry", "hacc.entry", "pto.aicore", "pto.kernel"}) func->entry |= is(name);
  func->simt = is("pto.simt_entry");
}

bool Parser::ParseFunc(std::vector<Func*>* funcs) {
  if (tok_.kind == Tok::kString) return ParseGenericFunc(funcs);
  Func* func = arena_->New<Func>();
  func_ = func;
  func->comments = TakeComments();
  Advance();
  if (AcceptWord("private")) {
    func->visibility = Visibility::kPrivate;
  } else if (AcceptWord("public")) {
    func->visibility = Visibility::kPublic;
  }
  if (tok_.kind != Tok::kSymbol) return Expected("a function's name such as @f");
  func->name = tok_.text;
  func->offset = tok_.offset;
  func->length = tok_.length;
  funcs->push_back(func);
  Advance();
  const size_t mark = scope_.Mark();
  const uint32_t outer_count = value_count_;
  value_count_ = 0;
  const Marks marks = Mark();
  const auto body = [&] {
    if (!ParseFuncArgs(func)) return false;
    if (tok_.kind == Tok::kArrow) {
      Advance();
      const size_t base = types_.size();
      if (!ParseTypes()) return false;
      func->result_types = Commit(&types_, base);
    }
    if (AcceptWord("attributes")) {
      const size_t base = named_.size();
      if (!ParseDict(base)) return false;
      func->attrs = TakeDict(base);
    }
    SettleEntry(func);
    if (!At('{')) return true;
    for (const Value* arg : func->args) {
      if (arg->name.empty()) return Fail(TextRule::kSyntax, "a function with a body names its arguments");
    }
    return ParseBody(func);
  };
  const bool good = body();
  if (good) SkipLocation();
  if (!good) Reset(marks);
  scope_.Leave(mark);
  func->value_count = value_count_;
  value_count_ = outer_count;
  return good;
}

void Parser::CheckSymbols(Module*, std::span<Func* const> funcs) {
  std::vector<const Func*> order(funcs.begin(), funcs.end());
  std::stable_sort(order.begin(), order.end(), [](const Func* a, const Func* b) { return a->name < b->name; });
  for (size_t i = 1; i < order.size(); ++i) {
    if (order[i]->name != order[i - 1]->name) continue;
    diagnostics_->Error(TextRule::kDuplicateSymbol, order[i]->offset, order[i]->length,
                        "the module has a function @%.*s already", PTO_NAME(order[i]->name));
  }
}

// A call sees the functions of all modules; its own module's come first when two
// share a name, which only files of several modules do.
void Parser::ResolveCalls(std::span<Module* const> modules) {
  for (const Module* module : modules) SettleCores(*module);
  if (calls_.empty()) return;
  std::vector<Func*> order;
  for (const Module* module : modules) order.insert(order.end(), module->funcs.begin(), module->funcs.end());
  const auto before = [](const Func* a, const Func* b) { return a->name < b->name; };
  std::stable_sort(order.begin(), order.end(), before);
  for (Stmt* call : calls_) {
    const auto found = std::lower_bound(order.begin(), order.end(), call->symbol,
                                        [](const Func* func, std::string_view name) { return func->name < name; });
    if (found != order.end() && (*found)->name == call->symbol) call->callee = *found;
  }
  SettlePeers();
}

// ---- blocks -----------------------------------------------------------------

// The blocks of a function, from `{` to `}`, both read. A value is seen in all that follow; whether it is there
// on every way to a use is for the check to say.
bool Parser::ParseBody(Func* func, bool generic) {
  const Depth depth(this);
  if (TooDeep() || !Expect('{')) return false;
  if (generic && Accept('}')) return true;  // a declaration
  ++braces_;
  const size_t mark = scope_.Mark();
  const size_t branches = branches_.size();
  std::unordered_map<std::string_view, Block*> labels;
  Block* last = nullptr;
  while (last == nullptr || tok_.kind == Tok::kLabel) {
    Block* block = arena_->New<Block>();
    (last == nullptr ? func->body : last->next) = block;
    last = block;
    const int braces = braces_;
    if (tok_.kind == Tok::kLabel && !ParseLabel(block, &labels)) Synchronise(braces);
    if (generic && block == func->body) {
      func->args = block->args;
      for (Value* arg : func->args) arg->origin = ValueOrigin::kArgument;
      block->args = {};
    } else if (block == func->body && !block->args.empty()) {
      Fail(TextRule::kBlockLabel, "the first block has the arguments of the function and no others");
    }
    ParseStatements(block);
  }
  scope_.Leave(mark);
  for (size_t i = branches; i < branches_.size(); ++i) {
    for (Successor& target : branches_[i]->successors) {
      const auto found = labels.find(target.label);
      if (found != labels.end() && found->second != func->body) target.block = found->second;
    }
  }
  branches_.resize(branches);
  if (!At('}')) return Expected("'}'");
  --braces_;
  Advance();
  return true;
}

// ^name [(%a: type, ...)] :
bool Parser::ParseLabel(Block* block, std::unordered_map<std::string_view, Block*>* labels) {
  block->label = tok_.text;
  if (!labels->emplace(tok_.text, block).second) {
    Fail(TextRule::kBlockLabel, "there is a block ^%.*s already", PTO_NAME(tok_.text));
  }
  Advance();
  return ParseBlockArgs(block) && Expect(':');
}

}  // namespace pto::ptoas
