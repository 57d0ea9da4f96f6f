// Pipes and flags between the cores of a block.
#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

namespace {

PipeCode CodeOf(std::string_view name) {
  if (name == "reserve_buffer") return PipeCode::kReserve;
  if (name == "import_reserved_buffer") return PipeCode::kImport;
  if (name == "aic_initialize_pipe") return PipeCode::kInitAic;
  if (name == "aiv_initialize_pipe") return PipeCode::kInitAiv;
  if (name.starts_with("initialize")) return PipeCode::kInit;
  if (name.starts_with("tpush")) return PipeCode::kPush;
  if (name.starts_with("tpop")) return PipeCode::kPop;
  return name.starts_with("tfree") ? PipeCode::kFree : PipeCode::kAlloc;
}

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
  stmt->kind = StmtKind::kPipe;
  const PipeCode code = CodeOf(stmt->name);
  stmt->code = static_cast<uint8_t>(code);
  const Marks start = Mark();
  if (!ParseOptionalDict(start.named)) return false;
  if (At('(')) {
    const bool buffers = code == PipeCode::kInitAic || code == PipeCode::kInitAiv;
    if (!(buffers ? ParseBuffers(stmt) : ParsePipeOperands(stmt, start))) return false;
  }
  if (!ParseOptionalDict(start.named)) return false;
  const Type* result = nullptr;
  if (tok_.kind == Tok::kArrow && !ParseArrowType(TypeKind::kOpaque, &result)) return false;
  Finish(stmt, start);
  if (code == PipeCode::kPop && stmt->operands.size() == 2 && stmt->dialect->name != std::string_view("tpop")) {
    stmt->has_valid_row = stmt->has_valid_col = true;
  }
  if (code == PipeCode::kImport) {
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

// ([gm_slot_buffer = %p : type,] [c2v_consumer_buf = %b : type,] [v2c_consumer_buf = %c : type])
bool Parser::ParseBuffers(Stmt* stmt) {
  if (!Expect('(')) return false;
  const struct {
    const char* key;
    bool* given;
  } keys[] = {{"gm_slot_buffer", &stmt->has_addr},
              {"c2v_consumer_buf", &stmt->has_valid_row},
              {"v2c_consumer_buf", &stmt->has_valid_col}};
  for (const auto& one : keys) {
    if (!AcceptWord(one.key)) continue;
    if (!Expect('=') || !ParseResolvedOperand()) return false;
    *one.given = true;
    if (!IsString(operands_.back()) && Accept(':')) {
      const Type* type = ParseType(TypeKind::kPtr);
      if (type == nullptr) return false;
      GiveType(&operands_.back(), type);
    }
    if (!Accept(',')) break;
  }
  return Accept(')') || Expected("gm_slot_buffer, c2v_consumer_buf or v2c_consumer_buf, in this order");
}

// PIPE, FLAG [dict]
bool Parser::ParseCoreSync(Stmt* stmt) {
  const CoreSyncCode code = stmt->name == "sync.set" ? CoreSyncCode::kSet : CoreSyncCode::kWait;
  if (!ParseSync(stmt)) return false;
  stmt->kind = StmtKind::kCoreSync;
  stmt->split = stmt->code;
  stmt->code = static_cast<uint8_t>(code);
  if (stmt->operands.size() == 2) return true;
  return FailAt(*stmt, TextRule::kOperandCount, "%s takes a pipe and a flag", stmt->dialect->name);
}

// What core runs each function.
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
