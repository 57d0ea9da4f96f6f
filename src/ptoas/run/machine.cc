// Control flow and calls.
#include "src/ptoas/run/machine.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "src/ptoas/read/wording.h"

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

void Machine::FailAt(Rule rule, uint32_t offset, uint32_t length, const std::string& message) {
  const RuleInfo& info = pto::Info(rule);
  status_ = static_cast<pto_status>(info.status);
  rule_ = rule;
  found_.Add(info.id, RemedyInText(rule), offset, length, message);
  throw Ended();
}

void Machine::Fail(const Stmt& stmt, Rule rule, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string message = FormatText(format, args);
  va_end(args);
  FailAt(rule, stmt.offset, stmt.length, message);
}

void Machine::FailCall(const Stmt& stmt) {
  status_ = pto_context_error(ctx_);
  const char* rule = pto_context_error_rule(ctx_);
  found_.Add(rule, RemedyInText(rule), stmt.offset, stmt.length,
             MessageInText(stmt.name, pto_context_error_message(ctx_)));
  throw Ended();
}

// ---- limits ----------------------------------------------------------------

void Machine::Pause(uint32_t offset, uint32_t length) {
  fuel_ += std::exchange(slice_, 0);
  if (fuel_ < 0) {
    fuel_ = 0;
    FailAt(Rule::kStepLimit, offset, length, std::to_string(options_.max_steps) + " steps were taken");
  }
  if (options_.stop->exchange(false)) FailAt(Rule::kStopped, offset, length, "the run was asked to stop");
  if (turns_->Cut(block_)) {
    cut_ = true;
    throw Ended();
  }
  const auto taken = std::chrono::steady_clock::now() - turns_->started();
  if (options_.max_ms > 0 && std::chrono::duration_cast<std::chrono::milliseconds>(taken).count() >= options_.max_ms) {
    FailAt(Rule::kTimeLimit, offset, length, std::to_string(options_.max_ms) + " milliseconds are over");
  }
  turns_->Took(std::exchange(granted_, std::min(fuel_, kSlice)));
  slice_ = std::min(fuel_, kSlice);
  fuel_ -= slice_;
}

void Machine::FailBytes(uint32_t offset, uint32_t length, int64_t bytes) {
  FailAt(Rule::kByteLimit, offset, length,
         std::to_string(bytes) + " bytes more than the " + std::to_string(bytes_) + " in use, where " +
             std::to_string(options_.max_bytes) + " are allowed");
}

RunValue Machine::MakeBox(const Stmt& stmt, ValueKind kind, int64_t bytes) {
  Charge(stmt, kBoxBytes + bytes);
  Box* box = new Box;
  box->bytes = kBoxBytes + bytes;
  box->account = &bytes_;
  bytes_ += box->bytes;
  return RunValue::Of(kind, box);
}

// ---- operands --------------------------------------------------------------

RunValue& Machine::ValueOf(const Stmt& stmt, const Operand& operand, Frame frame, ValueKind kind) {
  RunValue* value = operand.value == nullptr ? nullptr : &frame[operand.value->slot];
  const ValueKind is = value == nullptr ? ValueKind::kNone : value->kind();
  if (is == kind) return *value;
  Fail(stmt, Rule::kUnassigned, "%%%.*s is %s where %s is needed", static_cast<int>(operand.name.size()),
       operand.name.data(), KindName(is), KindName(kind));
}

int64_t Machine::IntOf(const Stmt& stmt, const Operand& operand, Frame frame) {
  if (operand.kind == OperandKind::kAddress) return operand.address;
  if (operand.kind == OperandKind::kLiteral && operand.literal->kind == AttrKind::kInt) return operand.literal->integer;
  return ValueOf(stmt, operand, frame, ValueKind::kInt).integer();
}

// Operands from `first` to `end`, before anything is assigned: a loop may swap its values.
void Machine::Gather(const Stmt& stmt, size_t first, size_t end, Frame frame) {
  yielded_.clear();
  for (size_t i = first; i < end; ++i) {
    const Operand& operand = stmt.operands[i];
    yielded_.push_back(operand.value == nullptr ? RunValue() : frame[operand.value->slot]);
  }
  Work(stmt, static_cast<int64_t>(yielded_.size()));
}

void Machine::Assign(const Stmt& stmt, std::span<Value* const> values, size_t first, Frame frame) {
  if (values.size() - first > yielded_.size()) {
    Fail(stmt, Rule::kUnassigned, "%zu of %zu values that are needed", yielded_.size(), values.size() - first);
  }
  for (size_t i = first; i < values.size(); ++i) frame[values[i]->slot] = std::move(yielded_[i - first]);
}

// ---- control flow ----------------------------------------------------------

Machine::Flow Machine::Exec(Code& code, Frame frame) {
  if (code.nodes.empty()) return Flow::kNext;
  if (blocks_ >= kMaxBlocks) {
    Fail(*code.nodes[0].stmt, Rule::kCallDepth, "loops, branches and calls are entered %d deep", blocks_);
  }
  ++blocks_;
  Flow flow = Flow::kNext;
  for (Node& node : code.nodes) {
    Step(*node.stmt);
    flow = ExecNode(node, frame);
    if (flow != Flow::kNext) break;
  }
  --blocks_;
  return flow;
}

// A function's blocks, from the first one on. Each branch is a statement, so that the limit of steps holds for
// every way around.
void Machine::ExecBlocks(FuncCode& code, Frame frame) {
  if (code.blocks.empty()) return;
  Flow flow = Exec(code.blocks[0], frame);
  while (flow == Flow::kBranch) flow = Exec(code.blocks[target_], frame);
  if (flow == Flow::kNext) yielded_.clear();
}

Machine::Flow Machine::Branch(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const bool conditional = stmt.successors.size() > 1;
  size_t first = conditional ? 1 : 0;
  const size_t which = conditional && IntOf(stmt, stmt.operands[0], frame) == 0 ? 1 : 0;
  if (which == 1) first += stmt.successors[0].count;
  const Successor& to = stmt.successors[which];
  Gather(stmt, first, first + to.count, frame);
  Assign(stmt, to.block->args, 0, frame);
  target_ = node.targets[which];
  return Flow::kBranch;
}

Machine::Flow Machine::ExecNode(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  switch (node.kind) {
    case StmtKind::kInst:
      Inst(node, frame);
      break;
    case StmtKind::kConstant:
      frame[node.out] = node.constant;
      break;
    case StmtKind::kArith:
      Arith(node, frame);
      break;
    case StmtKind::kFor:
      return For(node, frame);
    case StmtKind::kIf:
      return If(node, frame);
    case StmtKind::kWhile:
      return While(node, frame);
    case StmtKind::kYield:
      Gather(stmt, 0, frame);
      return Flow::kYield;
    case StmtKind::kCondition:
      condition_ = IntOf(stmt, stmt.operands[0], frame) != 0;
      Gather(stmt, 1, frame);
      return Flow::kYield;
    case StmtKind::kReturn:
      Gather(stmt, 0, frame);
      return Flow::kReturn;
    case StmtKind::kBranch:
      return Branch(node, frame);
    case StmtKind::kCall:
      Call(node, frame);
      break;
    case StmtKind::kSection: {
      const Flow flow = Exec(node.blocks[0], frame);
      return flow == Flow::kYield ? Flow::kNext : flow;
    }
    case StmtKind::kMakeTensorView:
      MakeView(stmt, frame);
      break;
    case StmtKind::kPartitionView:
      PartitionView(stmt, frame);
      break;
    case StmtKind::kTensorViewDim: {
      const pto_tensor* view = ValueOf(stmt, stmt.operands[0], frame, ValueKind::kTensor).box()->tensor;
      const int64_t index = IntOf(stmt, stmt.operands[1], frame);
      if (index < 0 || index >= pto_tensor_rank(view)) {
        Fail(stmt, Rule::kWindow, "dimension %lld of a view of %d", static_cast<long long>(index),
             pto_tensor_rank(view));
      }
      const auto at = static_cast<int32_t>(index);
      const bool stride = stmt.code == static_cast<uint8_t>(ViewQuery::kStride);
      frame[node.out].SetInt(stride ? pto_tensor_stride(view, at) : pto_tensor_dim(view, at));
      break;
    }
    case StmtKind::kAddressOf: {
      const bool tile = stmt.name == "tile_buf_addr";
      Box* box = ValueOf(stmt, stmt.operands[0], frame, tile ? ValueKind::kTile : ValueKind::kTensor).box();
      box->Retain();
      frame[node.out] = RunValue::Of(ValueKind::kPtr, box);
      break;
    }
    case StmtKind::kAllocTile:
      AllocTile(node, frame);
      break;
    case StmtKind::kSetValidShape:
      SetValidShape(stmt, frame);
      break;
    case StmtKind::kTreshape:
    case StmtKind::kBitcast:
    case StmtKind::kBindTile:
      Retype(stmt, frame);
      break;
    case StmtKind::kSubset:
      Subset(stmt, frame);
      break;
    case StmtKind::kTassign:
      Tassign(stmt, frame);
      break;
    case StmtKind::kAddPtr: {
      const RunValue& base = ValueOf(stmt, stmt.operands[0], frame, ValueKind::kPtr);
      const auto offset = static_cast<uint64_t>(IntOf(stmt, stmt.operands[1], frame));
      base.box()->Retain();
      const auto sum = static_cast<int64_t>(static_cast<uint64_t>(base.integer()) + offset);
      frame[node.out] = RunValue::Of(ValueKind::kPtr, base.box(), sum);
      break;
    }
    case StmtKind::kLoadScalar:
    case StmtKind::kStoreScalar:
      ScalarAccess(stmt, frame);
      break;
    case StmtKind::kTGetVal:
    case StmtKind::kTSetVal:
      ElementAccess(stmt, frame);
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
      EventArray(stmt, frame);
      break;
    case StmtKind::kAsync:
      Async(stmt, frame);
      break;
    case StmtKind::kSync:
      break;
    case StmtKind::kPrint:
    case StmtKind::kTPrint:
      Print(stmt, frame);
      break;
    case StmtKind::kTrap:
      Fail(stmt, Rule::kTrap, "the program came to pto.trap");
      break;
    case StmtKind::kUnsupported:
      Fail(stmt, Rule::kRunUnsupported, "%.*s is not executed by libpto", static_cast<int>(stmt.name.size()),
           stmt.name.data());
      break;
  }
  return Flow::kNext;
}

Machine::Flow Machine::For(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const int64_t lower = IntOf(stmt, stmt.operands[0], frame);
  const int64_t upper = IntOf(stmt, stmt.operands[1], frame);
  const int64_t step = IntOf(stmt, stmt.operands[2], frame);
  if (step < 1) Fail(stmt, Rule::kLoopStep, "the step is %lld", static_cast<long long>(step));
  const std::span<Value* const> args = stmt.blocks[0]->args;
  Gather(stmt, 3, frame);
  Assign(stmt, args, 1, frame);
  Code& body = node.blocks[0];
  const bool carries = args.size() > 1;
  for (int64_t i = lower; i < upper;) {
    Step(stmt);
    frame[args[0]->slot].SetInt(i);
    const Flow flow = Exec(body, frame);
    if (flow == Flow::kReturn) return flow;
    if (carries) Assign(stmt, args, 1, frame);
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
  const size_t which = IntOf(stmt, stmt.operands[0], frame) != 0 ? 0 : 1;
  yielded_.clear();
  if (which < node.blocks.size()) {
    const Flow flow = Exec(node.blocks[which], frame);
    if (flow == Flow::kReturn) return flow;
    if (flow == Flow::kNext) yielded_.clear();
  }
  Assign(stmt, stmt.results, 0, frame);
  return Flow::kNext;
}

Machine::Flow Machine::While(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  Gather(stmt, 0, frame);
  while (true) {
    Step(stmt);
    Assign(stmt, stmt.blocks[0]->args, 0, frame);
    condition_ = false;
    yielded_.clear();
    Flow flow = Exec(node.blocks[0], frame);
    if (flow == Flow::kReturn) return flow;
    if (!condition_) break;
    Assign(stmt, stmt.blocks[1]->args, 0, frame);
    yielded_.clear();
    flow = Exec(node.blocks[1], frame);
    if (flow == Flow::kReturn) return flow;
    if (flow == Flow::kNext) yielded_.clear();
  }
  Assign(stmt, stmt.results, 0, frame);
  return Flow::kNext;
}

FuncCode& Machine::CodeOf(const Func& func) {
  auto& code = code_[&func];
  if (code == nullptr) code = Resolve(func);
  return *code;
}

void Machine::Call(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.callee == nullptr) {
    if (stmt.callee == nullptr || stmt.callee->body == nullptr) {
      Fail(stmt, Rule::kUnknownEntry, "@%.*s has no body", static_cast<int>(stmt.symbol.size()), stmt.symbol.data());
    }
    node.callee = &CodeOf(*stmt.callee);
  }
  Gather(stmt, 0, frame);
  CallFunc(stmt, *node.callee);
  Assign(stmt, stmt.results, 0, frame);
}

// Runs a function on the values gathered, and leaves what it returns there.
void Machine::CallFunc(const Stmt& at, FuncCode& code) {
  const Func& func = *code.func;
  if (calls_ >= kMaxCalls) {
    Fail(at, Rule::kCallDepth, "@%.*s is called %d deep", static_cast<int>(func.name.size()), func.name.data(), calls_);
  }
  const int64_t frame_bytes = func.value_count * kValueBytes;
  Charge(at, frame_bytes);
  Work(at, func.value_count);
  std::vector<RunValue> values(func.value_count);
  Assign(at, func.args, 0, values.data());
  bytes_ += frame_bytes;
  ++calls_;
  ExecBlocks(code, values.data());
  --calls_;
  bytes_ -= frame_bytes;
}

// ---- the run ---------------------------------------------------------------

Machine::End Machine::RunBlock(pto_context* ctx, int32_t block, int64_t max_steps) {
  ctx_ = ctx;
  block_ = block;
  status_ = PTO_OK;
  rule_ = {};
  cut_ = false;
  argument_at_fault_.clear();
  output_.clear();
  Forget();
  fuel_ = max_steps;
  slice_ = 0;
  granted_ = 0;
  FuncCode& code = CodeOf(*entry_);
  End end = End::kDone;
  try {
    const int64_t frame_bytes = entry_->value_count * kValueBytes;
    Charge(*entry_, frame_bytes);
    bytes_ += frame_bytes;
    Step(*entry_);
    Work(*entry_, entry_->value_count);
    frame_.resize(entry_->value_count);
    BindArguments(*entry_, frame_.data());
    ExecBlocks(code, frame_.data());
  } catch (const Ended&) {
    end = cut_ ? End::kCut : End::kFailed;
  }
  steps_ = max_steps - fuel_ - slice_;
  yielded_.clear();
  bound_.clear();
  ctx_ = nullptr;
  return end;
}

void Machine::Forget() {
  frame_.clear();
  tiles_.clear();
  yielded_.clear();
  for (TileCache* cache : caches_) {
    cache->Drop();
    cache->listed = false;
  }
  caches_.clear();
  places_.clear();
  placed_.clear();
  bytes_ = 0;
  calls_ = 0;
  blocks_ = 0;
}

}  // namespace pto::ptoas
