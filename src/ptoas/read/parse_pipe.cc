// Pipes and flags between the cores of a block.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

namespace {

CoreKind KindIn(Dict attrs) {
  const Attr* kind = FindAttr(attrs, "pto.kernel_kind");
  if (kind == nullptr) return CoreKind::kAny;
  return SameWord(kind->text, "cube")     ? CoreKind::kCube
         : SameWord(kind->text, "vector") ? CoreKind::kVector
                                          : CoreKind::kAny;
}

}  // namespace

// NAME [dict] [(operands)] [dict] [-> type]
bool Parser::ParsePipe(Stmt* stmt) {
  const Marks start = Mark();
  if (!ParseOptionalDict(start.named)) return false;
  if (At('(')) {
    const bool buffers = stmt->kind == StmtKind::kMakePipe && stmt->info->core != CoreKind::kAny;
    if (!(buffers ? ParseBuffers(stmt) : ParsePipeOperands(stmt, start))) return false;
  }
  if (!ParseOptionalDict(start.named)) return false;
  const Type* result = nullptr;
  // A type after a colon, with a value to have it, is one error.
  const bool typed = tok_.kind == Tok::kArrow || (At(':') && !names_.empty());
  if (typed && !ParseArrowType(TypeKind::kOpaque, &result)) return false;
  Finish(stmt, start);
  NamePipeOperands(stmt);
  if (stmt->kind == StmtKind::kImportBuffer) {
    const Attr* peer = FindAttr(stmt->attrs, "peer_func");
    if (peer != nullptr) stmt->symbol = peer->text;
    calls_.push_back(stmt);
    if (func_ != nullptr) imports_.emplace_back(func_, stmt);
  }
  if (result == nullptr) {
    DefineResults(stmt, {});
  } else {
    DefineResult(stmt, result);
  }
  return true;
}

// Operands that may be left out are the first of a statement of one pipe, where the pipe is last, and the last of one
// that makes a pipe. The check judges their number.
void Parser::NamePipeOperands(Stmt* stmt) {
  const StmtInfo& info = *stmt->info;
  if (info.fixed || !stmt->ends.empty()) return;
  const size_t count = stmt->operands.size();
  const size_t missing = info.groups - std::min<size_t>(count, info.groups);
  const bool last = stmt->kind == StmtKind::kMakePipe;
  FormParts parts;
  size_t end = 0;
  for (size_t i = 0; i < info.groups; ++i) {
    const bool left_out = last ? i + missing >= info.groups : i < missing;
    const bool absent = left_out && info.operands[i].count == Count::kMaybe;
    end = std::min(count, end + (absent ? 0 : 1));
    parts.Begin(i + 1, end);
  }
  stmt->ends = arena_->Copy(parts.ends, info.groups);
}

// (%a : type, %b : type) or (%a, %b : type, type)
bool Parser::ParsePipeOperands(Stmt* stmt, const Marks& start) {
  if (!ParseGroups(stmt, start.named)) return false;
  for (size_t i = start.operands; i < operands_.size(); ++i) {
    const Type* type = operands_[i].type;
    Resolve(&operands_[i], false);
    GiveType(&operands_[i], type);
  }
  return true;
}

// ([gm_slot_buffer = %p : type,] [c2v_consumer_buf = %b : type,] [v2c_consumer_buf = %c : type]), or
// (gm_slot_tensor = %v : type)
bool Parser::ParseBuffers(Stmt* stmt) {
  if (!Expect('(')) return false;
  const StmtInfo& info = *stmt->info;
  FormParts parts;
  parts.base = operands_.size();
  for (size_t i = 0; i < info.groups; ++i) {
    parts.Begin(i, operands_.size());
    if (!AcceptWord(info.operands[i].name)) continue;
    if (!Expect('=') || !ParseResolvedOperand()) return false;
    if (!IsString(operands_.back()) && Accept(':')) {
      const Type* type = ParseType(TypeKind::kPtr);
      if (type == nullptr) return false;
      GiveType(&operands_.back(), type);
    }
    if (!Accept(',')) break;
  }
  parts.Begin(info.groups, operands_.size());
  stmt->ends = arena_->Copy(parts.ends, info.groups);
  return Accept(')') ||
         Expected("gm_slot_buffer, c2v_consumer_buf or v2c_consumer_buf, in this order, or gm_slot_tensor");
}

// PIPE, FLAG [dict]
bool Parser::ParseCoreSync(Stmt* stmt) {
  if (!ParseSync(stmt)) return false;
  if (stmt->operands.size() == 2) return true;
  return FailAt(*stmt, TextRule::kOperandCount, "%.*s takes a pipe and a flag", PTO_NAME(stmt->name));
}

// ([%workspace [, %used] : types]) mode = ATTRIBUTE, core_type = ATTRIBUTE [dict]
bool Parser::ParseSyncAll(Stmt* stmt) {
  const Marks start = Mark();
  if (!Expect('(')) return false;
  if (!At(')')) {
    do {
      if (!ParseResolvedOperand(operands_.size() == start.operands ? nullptr : Scalar(Elem::kI32))) return false;
    } while (Accept(','));
    if (!Expect(':') || !ParseTypesOf(start.operands)) return false;
  }
  const size_t count = operands_.size() - start.operands;
  if (!Expect(')')) return false;
  if (count > 2) {
    return FailAt(*stmt, TextRule::kOperandCount, "syncall takes a workspace and a number of cores, not %zu operands",
                  count);
  }
  do {
    NamedAttr entry{tok_.text, nullptr, tok_.offset};
    if (!AtWord("mode") && !AtWord("core_type")) return Expected("mode = or core_type =");
    Advance();
    if (!Expect('=')) return false;
    entry.value = ParseAttr();
    if (entry.value == nullptr) return false;
    named_.push_back(entry);
  } while (Accept(','));
  NameOperands(stmt, {count > 0 ? size_t{1} : 0, count > 1 ? size_t{1} : 0});
  Finish(stmt, start);
  DefineResults(stmt, {});
  return true;
}

// The core that runs each function.
void Parser::SettleCores(const Module& module) {
  const CoreKind all = KindIn(module.attrs);
  for (Func* func : module.funcs) {
    func->core = KindIn(func->attrs);
    if (func->core == CoreKind::kAny) func->core = all;
  }
}

// Which function runs beside one that imports a buffer from it.
void Parser::SettlePeers() {
  for (const auto& [func, import] : imports_) {
    Func* peer = import->callee;
    if (peer == nullptr || peer == func) continue;
    if (func->peer == nullptr) func->peer = peer;
    if (peer->peer == nullptr) peer->peer = func;
  }
}

}  // namespace pto::ptoas
