// Control flow and calls.
#include "src/ptoas/machine.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "src/ptoas/wording.h"

namespace pto::ptoas {

namespace {

constexpr int kMaxCalls = 64;
// Bounds the stack that a run takes: 64 calls, each from within 100 loops, would need megabytes.
constexpr int kMaxBlocks = 400;
// Short enough to notice a request to stop within a millisecond, and long enough for the clock to cost nothing.
constexpr int64_t kSlice = 4096;

std::string FormatText(const char* format, va_list args) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, args);
  return text;
}

}  // namespace

// ---- failing ---------------------------------------------------------------

bool Machine::FailAt(Rule rule, uint32_t offset, uint32_t length, const std::string& message) {
  const RuleInfo& info = pto::Info(rule);
  status_ = static_cast<pto_status>(info.status);
  diagnostics_->Add(info.id, RemedyInText(rule), offset, length, message);
  return false;
}

bool Machine::Fail(const Stmt& stmt, Rule rule, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string message = FormatText(format, args);
  va_end(args);
  return FailAt(rule, stmt.offset, stmt.length, message);
}

bool Machine::FailCall(const Stmt& stmt) {
  status_ = pto_context_error(ctx_);
  const char* rule = pto_context_error_rule(ctx_);
  diagnostics_->Add(rule, RemedyInText(rule), stmt.offset, stmt.length,
                    MessageInText(stmt.name, pto_context_error_message(ctx_)));
  return false;
}

// ---- limits ----------------------------------------------------------------

bool Machine::Pause(uint32_t offset, uint32_t length) {
  fuel_ += std::exchange(slice_, 0);
  if (fuel_ < 0) {
    fuel_ = 0;
    return FailAt(Rule::kStepLimit, offset, length, std::to_string(options_.max_steps) + " steps were taken");
  }
  if (options_.stop != nullptr && options_.stop->exchange(false)) {
    return FailAt(Rule::kStopped, offset, length, "the run was asked to stop");
  }
  const auto taken = std::chrono::steady_clock::now() - started_;
  if (options_.max_ms > 0 && std::chrono::duration_cast<std::chrono::milliseconds>(taken).count() >= options_.max_ms) {
    return FailAt(Rule::kTimeLimit, offset, length, std::to_string(options_.max_ms) + " milliseconds are over");
  }
  slice_ = std::min(fuel_, kSlice);
  fuel_ -= slice_;
  return true;
}

bool Machine::FailBytes(uint32_t offset, uint32_t length, int64_t bytes) {
  return FailAt(Rule::kByteLimit, offset, length,
                std::to_string(bytes) + " bytes more than the " + std::to_string(bytes_) + " in use, where " +
                    std::to_string(options_.max_bytes) + " are allowed");
}

bool Machine::MakeBox(const Stmt& stmt, ValueKind kind, int64_t bytes, RunValue* out) {
  if (!Charge(stmt, kBoxBytes + bytes)) return false;
  Box* box = new Box;
  box->bytes = kBoxBytes + bytes;
  box->account = &bytes_;
  bytes_ += box->bytes;
  *out = RunValue::Of(kind, box);
  return true;
}

// ---- operands --------------------------------------------------------------

bool Machine::IntOf(const Stmt& stmt, const Operand& operand, Frame frame, int64_t* out) {
  if (operand.kind == OperandKind::kAddress) {
    *out = operand.address;
    return true;
  }
  if (operand.kind == OperandKind::kLiteral && operand.literal != nullptr && operand.literal->kind == AttrKind::kInt) {
    *out = operand.literal->integer;
    return true;
  }
  if (operand.value != nullptr && frame[operand.value->slot].Is(ValueKind::kInt)) {
    *out = frame[operand.value->slot].integer();
    return true;
  }
  const ValueKind kind = operand.value == nullptr ? ValueKind::kNone : frame[operand.value->slot].kind();
  return Fail(stmt, Rule::kUnassigned, "%%%.*s is %s where an integer is needed", static_cast<int>(operand.name.size()),
              operand.name.data(), KindName(kind));
}

bool Machine::BoxOf(const Stmt& stmt, const Operand& operand, Frame frame, ValueKind kind, RunValue** out) {
  if (operand.value != nullptr && frame[operand.value->slot].Is(kind)) {
    *out = &frame[operand.value->slot];
    return true;
  }
  const ValueKind is = operand.value == nullptr ? ValueKind::kNone : frame[operand.value->slot].kind();
  return Fail(stmt, Rule::kUnassigned, "%%%.*s is %s where %s is needed", static_cast<int>(operand.name.size()),
              operand.name.data(), KindName(is), KindName(kind));
}

// Operands from `first` on, before anything is assigned: a loop may swap its values.
bool Machine::Gather(const Stmt& stmt, size_t first, Frame frame) {
  yielded_.clear();
  for (size_t i = first; i < stmt.operands.size(); ++i) {
    const Operand& operand = stmt.operands[i];
    yielded_.push_back(operand.value == nullptr ? RunValue() : frame[operand.value->slot]);
  }
  return Work(stmt, static_cast<int64_t>(yielded_.size()));
}

bool Machine::Assign(const Stmt& stmt, std::span<Value* const> values, size_t first, Frame frame) {
  if (values.size() - first > yielded_.size()) {
    return Fail(stmt, Rule::kUnassigned, "%zu of %zu values that are needed", yielded_.size(), values.size() - first);
  }
  for (size_t i = first; i < values.size(); ++i) frame[values[i]->slot] = std::move(yielded_[i - first]);
  return true;
}

// ---- control flow ----------------------------------------------------------

Machine::Flow Machine::Exec(Code& code, Frame frame) {
  if (code.nodes.empty()) return Flow::kNext;
  if (blocks_ >= kMaxBlocks) {
    Fail(*code.nodes[0].stmt, Rule::kCallDepth, "loops, branches and calls are entered %d deep", blocks_);
    return Flow::kFail;
  }
  ++blocks_;
  Flow flow = Flow::kNext;
  for (Node& node : code.nodes) {
    flow = Step(*node.stmt) ? ExecNode(node, frame) : Flow::kFail;
    if (flow != Flow::kNext) break;
  }
  --blocks_;
  return flow;
}

Machine::Flow Machine::ExecNode(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  bool good = true;
  switch (node.kind) {
    case StmtKind::kInst:
      good = Inst(node, frame);
      break;
    case StmtKind::kConstant:
      frame[node.out] = node.constant;
      break;
    case StmtKind::kArith:
      good = Arith(node, frame);
      break;
    case StmtKind::kFor:
      return For(node, frame);
    case StmtKind::kIf:
      return If(node, frame);
    case StmtKind::kWhile:
      return While(node, frame);
    case StmtKind::kYield:
      return Gather(stmt, 0, frame) ? Flow::kYield : Flow::kFail;
    case StmtKind::kCondition: {
      int64_t condition = 0;
      if (!IntOf(stmt, stmt.operands[0], frame, &condition)) return Flow::kFail;
      condition_ = condition != 0;
      return Gather(stmt, 1, frame) ? Flow::kYield : Flow::kFail;
    }
    case StmtKind::kReturn:
      return Gather(stmt, 0, frame) ? Flow::kReturn : Flow::kFail;
    case StmtKind::kCall:
      return Call(node, frame);
    case StmtKind::kSection: {
      const Flow flow = Exec(node.blocks[0], frame);
      return flow == Flow::kYield ? Flow::kNext : flow;
    }
    case StmtKind::kMakeTensorView:
      good = MakeView(stmt, frame);
      break;
    case StmtKind::kPartitionView:
      good = PartitionView(stmt, frame);
      break;
    case StmtKind::kTensorViewDim: {
      RunValue* view = nullptr;
      int64_t index = 0;
      good = BoxOf(stmt, stmt.operands[0], frame, ValueKind::kTensor, &view) &&
             IntOf(stmt, stmt.operands[1], frame, &index);
      if (!good) break;
      if (index < 0 || index >= pto_tensor_rank(view->box()->tensor)) {
        good = Fail(stmt, Rule::kWindow, "dimension %lld of a view of %d", static_cast<long long>(index),
                    pto_tensor_rank(view->box()->tensor));
        break;
      }
      frame[node.out].SetInt(pto_tensor_dim(view->box()->tensor, static_cast<int32_t>(index)));
      break;
    }
    case StmtKind::kAllocTile:
      good = AllocTile(node, frame);
      break;
    case StmtKind::kSetValidShape:
      good = SetValidShape(stmt, frame);
      break;
    case StmtKind::kTreshape:
    case StmtKind::kBitcast:
      good = Retype(stmt, frame);
      break;
    case StmtKind::kSubset:
      good = Subset(stmt, frame);
      break;
    case StmtKind::kTassign:
      good = Tassign(stmt, frame);
      break;
    case StmtKind::kAddPtr: {
      RunValue* base = nullptr;
      int64_t offset = 0;
      good =
          BoxOf(stmt, stmt.operands[0], frame, ValueKind::kPtr, &base) && IntOf(stmt, stmt.operands[1], frame, &offset);
      if (!good) break;
      base->box()->Retain();
      const auto sum = static_cast<uint64_t>(base->integer()) + static_cast<uint64_t>(offset);
      frame[node.out] = RunValue::Of(ValueKind::kPtr, base->box(), static_cast<int64_t>(sum));
      break;
    }
    case StmtKind::kLoadScalar:
    case StmtKind::kStoreScalar:
      good = ScalarAccess(stmt, frame);
      break;
    case StmtKind::kTGetVal:
    case StmtKind::kTSetVal:
      good = ElementAccess(stmt, frame);
      break;
    case StmtKind::kBlockQuery:
      switch (static_cast<QueryCode>(stmt.code)) {
        case QueryCode::kBlockIdx:
          frame[node.out].SetInt(block_);
          break;
        case QueryCode::kBlockNum:
          frame[node.out].SetInt(options_.blocks);
          break;
        case QueryCode::kSubblockIdx:
          frame[node.out].SetInt(0);
          break;
        case QueryCode::kSubblockNum:
          frame[node.out].SetInt(1);
          break;
      }
      break;
    case StmtKind::kEventArray:
      good = EventArray(stmt, frame);
      break;
    case StmtKind::kSync:
      break;
    case StmtKind::kPrint:
    case StmtKind::kTPrint:
      good = Print(stmt, frame);
      break;
    case StmtKind::kTrap:
      good = Fail(stmt, Rule::kTrap, "the program came to pto.trap");
      break;
    case StmtKind::kUnsupported:
      good = Fail(stmt, Rule::kRunUnsupported, "%.*s is not executed by libpto", static_cast<int>(stmt.name.size()),
                  stmt.name.data());
      break;
  }
  return good ? Flow::kNext : Flow::kFail;
}

Machine::Flow Machine::For(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  int64_t lower = 0;
  int64_t upper = 0;
  int64_t step = 0;
  if (!IntOf(stmt, stmt.operands[0], frame, &lower) || !IntOf(stmt, stmt.operands[1], frame, &upper) ||
      !IntOf(stmt, stmt.operands[2], frame, &step)) {
    return Flow::kFail;
  }
  if (step < 1) {
    Fail(stmt, Rule::kLoopStep, "the step is %lld", static_cast<long long>(step));
    return Flow::kFail;
  }
  const std::span<Value* const> args = stmt.blocks[0]->args;
  if (!Gather(stmt, 3, frame) || !Assign(stmt, args, 1, frame)) return Flow::kFail;
  Code& body = node.blocks[0];
  const bool carries = args.size() > 1;
  for (int64_t i = lower; i < upper;) {
    if (!Step(stmt)) return Flow::kFail;
    frame[args[0]->slot].SetInt(i);
    const Flow flow = Exec(body, frame);
    if (flow == Flow::kReturn || flow == Flow::kFail) return flow;
    if (carries && flow == Flow::kYield && !Assign(stmt, args, 1, frame)) return Flow::kFail;
    if (static_cast<uint64_t>(upper) - static_cast<uint64_t>(i) <= static_cast<uint64_t>(step)) break;
    i += step;
  }
  for (size_t i = 0; i < stmt.results.size() && i + 1 < args.size(); ++i) {
    frame[stmt.results[i]->slot] = frame[args[i + 1]->slot];
  }
  return Flow::kNext;
}

Machine::Flow Machine::If(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  int64_t condition = 0;
  if (!IntOf(stmt, stmt.operands[0], frame, &condition)) return Flow::kFail;
  const size_t which = condition != 0 ? 0 : 1;
  yielded_.clear();
  if (which < node.blocks.size()) {
    const Flow flow = Exec(node.blocks[which], frame);
    if (flow == Flow::kReturn || flow == Flow::kFail) return flow;
    if (flow == Flow::kNext) yielded_.clear();
  }
  return Assign(stmt, stmt.results, 0, frame) ? Flow::kNext : Flow::kFail;
}

Machine::Flow Machine::While(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (!Gather(stmt, 0, frame)) return Flow::kFail;
  while (true) {
    if (!Step(stmt) || !Assign(stmt, stmt.blocks[0]->args, 0, frame)) return Flow::kFail;
    condition_ = false;
    yielded_.clear();
    Flow flow = Exec(node.blocks[0], frame);
    if (flow == Flow::kReturn || flow == Flow::kFail) return flow;
    if (!condition_) break;
    if (!Assign(stmt, stmt.blocks[1]->args, 0, frame)) return Flow::kFail;
    yielded_.clear();
    flow = Exec(node.blocks[1], frame);
    if (flow == Flow::kReturn || flow == Flow::kFail) return flow;
    if (flow == Flow::kNext) yielded_.clear();
  }
  return Assign(stmt, stmt.results, 0, frame) ? Flow::kNext : Flow::kFail;
}

FuncCode& Machine::CodeOf(const Func& func) {
  auto& code = code_[&func];
  if (code == nullptr) code = Resolve(func);
  return *code;
}

Machine::Flow Machine::Call(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.callee == nullptr) {
    if (stmt.callee == nullptr || stmt.callee->body == nullptr) {
      Fail(stmt, Rule::kUnknownEntry, "@%.*s has no body", static_cast<int>(stmt.symbol.size()), stmt.symbol.data());
      return Flow::kFail;
    }
    node.callee = &CodeOf(*stmt.callee);
  }
  if (!Gather(stmt, 0, frame) || CallFunc(stmt, *node.callee) == Flow::kFail) return Flow::kFail;
  return Assign(stmt, stmt.results, 0, frame) ? Flow::kNext : Flow::kFail;
}

// Runs a function on the values gathered, and leaves what it returns there.
Machine::Flow Machine::CallFunc(const Stmt& at, FuncCode& code) {
  const Func& func = *code.func;
  if (calls_ >= kMaxCalls) {
    Fail(at, Rule::kCallDepth, "@%.*s is called %d deep", static_cast<int>(func.name.size()), func.name.data(), calls_);
    return Flow::kFail;
  }
  const int64_t frame_bytes = func.value_count * kValueBytes;
  if (!Charge(at, frame_bytes) || !Work(at, func.value_count)) return Flow::kFail;
  std::vector<RunValue> values(func.value_count);
  if (!Assign(at, func.args, 0, values.data())) return Flow::kFail;
  bytes_ += frame_bytes;
  ++calls_;
  const Flow flow = Exec(code.body, values.data());
  --calls_;
  bytes_ -= frame_bytes;
  if (flow == Flow::kNext) yielded_.clear();
  return flow == Flow::kFail ? flow : Flow::kNext;
}

// ---- the run ---------------------------------------------------------------

bool Machine::Run(pto_context* ctx, const Func& entry, const Bindings& bindings, const RunOptions& options,
                  Diagnostics* diagnostics) {
  ctx_ = ctx;
  diagnostics_ = diagnostics;
  options_ = options;
  status_ = PTO_OK;
  argument_at_fault_.clear();
  output_.clear();
  trace_.clear();
  frame_.clear();
  tiles_.clear();
  yielded_.clear();
  // Tiles kept from a run before may belong to another profile and context.
  code_.clear();
  bytes_ = 0;
  placed_.clear();
  calls_ = 0;
  blocks_ = 0;
  entry_ = &entry;
  fuel_ = options.max_steps;
  slice_ = 0;
  started_ = std::chrono::steady_clock::now();
  FuncCode& code = CodeOf(entry);
  const int64_t frame_bytes = entry.value_count * kValueBytes;
  bool good = Charge(entry, frame_bytes);
  if (good) bytes_ += frame_bytes;
  for (block_ = 0; good && block_ < options.blocks; ++block_) {
    frame_.clear();
    places_.clear();
    good = Step(entry) && Work(entry, entry.value_count);
    if (!good) break;
    frame_.resize(entry.value_count);
    good = BindArguments(entry, bindings, frame_.data()) && Exec(code.body, frame_.data()) != Flow::kFail;
  }
  steps_ = options.max_steps - fuel_ - slice_;
  yielded_.clear();
  bound_.clear();
  ctx_ = nullptr;
  diagnostics_ = nullptr;
  return good;
}

}  // namespace pto::ptoas
