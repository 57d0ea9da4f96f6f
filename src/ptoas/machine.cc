// Control flow, scalars, calls and arguments.
#include "src/ptoas/machine.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "src/ptoas/scalar.h"
#include "src/ptoas/tile_desc.h"

namespace pto::ptoas {

namespace {

constexpr int kMaxCallDepth = 64;

std::string FormatText(const char* format, va_list args) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, args);
  return text;
}

const char* KindName(ValueKind kind) {
  static constexpr const char* kNames[] = {"nothing",  "an integer", "a float", "a tile",
                                           "a tensor", "a pointer",  "events"};
  return kNames[static_cast<int>(kind)];
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

// ---- failing ---------------------------------------------------------------

bool Machine::FailAt(Rule rule, uint32_t offset, uint32_t length, const std::string& message) {
  const RuleInfo& info = pto::Info(rule);
  status_ = static_cast<pto_status>(info.status);
  diagnostics_->Add(Severity::kError, info.id, info.remedy, offset, length, message);
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
  diagnostics_->Add(Severity::kError, pto_context_error_rule(ctx_), pto_context_error_remedy(ctx_), stmt.offset,
                    stmt.length, pto_context_error_message(ctx_));
  return false;
}

bool Machine::Charge(const Stmt& stmt, int64_t bytes) {
  if (bytes <= options_.max_bytes - bytes_) return true;
  return Fail(stmt, Rule::kByteLimit, "%lld bytes more than the %lld in use, where %lld are allowed",
              static_cast<long long>(bytes), static_cast<long long>(bytes_),
              static_cast<long long>(options_.max_bytes));
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
void Machine::Gather(const Stmt& stmt, size_t first, Frame frame) {
  yielded_.clear();
  for (size_t i = first; i < stmt.operands.size(); ++i) {
    const Operand& operand = stmt.operands[i];
    yielded_.push_back(operand.value == nullptr ? RunValue() : frame[operand.value->slot]);
  }
}

bool Machine::Assign(const Stmt& stmt, std::span<Value* const> values, size_t first, Frame frame) {
  if (values.size() - first > yielded_.size()) {
    return Fail(stmt, Rule::kUnassigned, "%zu values where %zu are needed", yielded_.size(), values.size() - first);
  }
  for (size_t i = first; i < values.size(); ++i) frame[values[i]->slot] = std::move(yielded_[i - first]);
  return true;
}

// ---- control flow ----------------------------------------------------------

Machine::Flow Machine::Exec(Code& code, Frame frame) {
  for (Node& node : code.nodes) {
    if (--fuel_ < 0) {
      Fail(*node.stmt, Rule::kStepLimit, "%lld statements were executed", static_cast<long long>(options_.max_steps));
      return Flow::kFail;
    }
    const Flow flow = ExecNode(node, frame);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
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
      Gather(stmt, 0, frame);
      return Flow::kYield;
    case StmtKind::kCondition: {
      int64_t condition = 0;
      if (!IntOf(stmt, stmt.operands[0], frame, &condition)) return Flow::kFail;
      condition_ = condition != 0;
      Gather(stmt, 1, frame);
      return Flow::kYield;
    }
    case StmtKind::kReturn:
      Gather(stmt, 0, frame);
      return Flow::kReturn;
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
  Gather(stmt, 3, frame);
  if (!Assign(stmt, args, 1, frame)) return Flow::kFail;
  Code& body = node.blocks[0];
  const bool carries = args.size() > 1;
  for (int64_t i = lower; i < upper;) {
    if (--fuel_ < 0) {
      Fail(stmt, Rule::kStepLimit, "%lld statements were executed", static_cast<long long>(options_.max_steps));
      return Flow::kFail;
    }
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
  Gather(stmt, 0, frame);
  while (true) {
    if (--fuel_ < 0) {
      Fail(stmt, Rule::kStepLimit, "%lld statements were executed", static_cast<long long>(options_.max_steps));
      return Flow::kFail;
    }
    if (!Assign(stmt, stmt.blocks[0]->args, 0, frame)) return Flow::kFail;
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

std::unordered_map<const Func*, std::unique_ptr<FuncCode>>::mapped_type& Machine::CodeOf(const Func& func) {
  auto& code = code_[&func];
  if (code == nullptr) code = Resolve(func);
  return code;
}

Machine::Flow Machine::Call(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.callee == nullptr) {
    if (stmt.callee == nullptr || stmt.callee->body == nullptr) {
      Fail(stmt, Rule::kUnknownEntry, "@%.*s has no body", static_cast<int>(stmt.symbol.size()), stmt.symbol.data());
      return Flow::kFail;
    }
    node.callee = CodeOf(*stmt.callee).get();
  }
  Gather(stmt, 0, frame);
  if (CallFunc(stmt, *node.callee, nullptr) == Flow::kFail) return Flow::kFail;
  return Assign(stmt, stmt.results, 0, frame) ? Flow::kNext : Flow::kFail;
}

// Runs a function on the values gathered, and leaves what it returns there.
Machine::Flow Machine::CallFunc(const Stmt& at, FuncCode& code, Frame /*unused*/) {
  const Func& func = *code.func;
  if (depth_ >= kMaxCallDepth) {
    Fail(at, Rule::kCallDepth, "@%.*s is called %d deep", static_cast<int>(func.name.size()), func.name.data(), depth_);
    return Flow::kFail;
  }
  const auto frame_bytes = static_cast<int64_t>(func.value_count * sizeof(RunValue));
  if (!Charge(at, frame_bytes)) return Flow::kFail;
  std::vector<RunValue> values(func.value_count);
  if (!Assign(at, func.args, 0, values.data())) return Flow::kFail;
  bytes_ += frame_bytes;
  ++depth_;
  const Flow flow = Exec(code.body, values.data());
  --depth_;
  bytes_ -= frame_bytes;
  if (flow == Flow::kNext) yielded_.clear();
  return flow == Flow::kFail ? flow : Flow::kNext;
}

// ---- numbers ---------------------------------------------------------------

bool Machine::Arith(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const RunValue& a = frame[node.in[0]];
  const size_t count = stmt.operands.size();
  if (stmt.arith == ArithOp::kSelect) {
    if (!a.Is(ValueKind::kInt)) return Fail(stmt, Rule::kUnassigned, "the condition is %s", KindName(a.kind()));
    const RunValue chosen = frame[node.in[a.integer() != 0 ? 1 : 2]];
    frame[node.out] = chosen;
    return true;
  }
  const RunValue& b = frame[node.in[count > 1 ? 1 : 0]];
  const bool ints = a.Is(ValueKind::kInt) && b.Is(ValueKind::kInt);
  const bool floats = a.Is(ValueKind::kFloat) && b.Is(ValueKind::kFloat);
  RunValue& out = frame[node.out];
  const auto want = [&](bool good) {
    return good || Fail(stmt, Rule::kUnassigned, "operands are %s and %s", KindName(a.kind()), KindName(b.kind()));
  };
  switch (Info(stmt.arith).kind) {
    case ArithClass::kIntBinary: {
      if (!want(ints)) return false;
      int64_t result = 0;
      if (!IntBinary(stmt.arith, node.elem, a.integer(), b.integer(), &result)) {
        return Fail(stmt, Rule::kDivisionByZero, "%lld is divided by zero", static_cast<long long>(a.integer()));
      }
      out.SetInt(result);
      return true;
    }
    case ArithClass::kFloatBinary:
      if (!want(floats)) return false;
      out.SetFloat(FloatBinary(stmt.arith, node.elem, a.number(), b.number()));
      return true;
    case ArithClass::kFloatUnary:
      if (!want(floats)) return false;
      out.SetFloat(-a.number());
      return true;
    case ArithClass::kCompare: {
      const bool compares_ints = stmt.arith == ArithOp::kCmpI;
      if (!want(compares_ints ? ints : floats)) return false;
      out.SetInt(compares_ints ? CompareInt(stmt.predicate, node.elem, a.integer(), b.integer())
                               : CompareFloat(stmt.predicate, a.number(), b.number()));
      return true;
    }
    default:
      break;
  }
  const Elem from = node.elem;
  switch (stmt.arith) {
    case ArithOp::kExtF:
    case ArithOp::kTruncF:
      if (!want(floats)) return false;
      out.SetFloat(RoundFloat(node.to, a.number()));
      return true;
    case ArithOp::kFPToSI:
    case ArithOp::kFPToUI:
      if (!want(floats)) return false;
      out.SetInt(FloatToInt(node.to, stmt.arith == ArithOp::kFPToUI, a.number()));
      return true;
    case ArithOp::kSIToFP:
      if (!want(ints)) return false;
      out.SetFloat(RoundFloat(node.to, static_cast<double>(from == Elem::kI1 ? -a.integer() : a.integer())));
      return true;
    case ArithOp::kUIToFP:
      if (!want(ints)) return false;
      out.SetFloat(RoundFloat(node.to, static_cast<double>(Unsigned(from, a.integer()))));
      return true;
    case ArithOp::kExtUI:
    case ArithOp::kIndexCastUI:
      if (!want(ints)) return false;
      out.SetInt(WrapInt(node.to, static_cast<int64_t>(Unsigned(from, a.integer()))));
      return true;
    case ArithOp::kBitcast: {
      if (!want(ints || floats)) return false;
      const uint64_t bits = floats ? BitsFromFloat(from, a.number()) : Unsigned(from, a.integer());
      if (IsFloat(node.to)) {
        out.SetFloat(FloatFromBits(node.to, bits));
      } else {
        out.SetInt(WrapInt(node.to, static_cast<int64_t>(bits)));
      }
      return true;
    }
    default:  // kIndexCast, kExtSI, kTruncI
      if (!want(ints)) return false;
      out.SetInt(WrapInt(node.to, from == Elem::kI1 ? -a.integer() : a.integer()));
      return true;
  }
}

// ---- arguments and the run -------------------------------------------------

ValueKind Machine::KindOf(const Type* type) {
  if (type == nullptr || type->IsTile()) return ValueKind::kTile;
  switch (type->kind) {
    case TypeKind::kPtr:
      return ValueKind::kPtr;
    case TypeKind::kTensorView:
    case TypeKind::kPartitionView:
      return ValueKind::kTensor;
    case TypeKind::kScalar:
      return IsFloat(type->elem) ? ValueKind::kFloat : ValueKind::kInt;
    default:
      return ValueKind::kNone;
  }
}

bool Machine::BindArgument(const Func& entry, const Value& argument, const Binding& binding, Frame frame) {
  const auto fail = [&](Rule rule, const std::string& message) {
    const uint32_t length = argument.length == 0 ? entry.length : argument.length;
    return FailAt(rule, argument.length == 0 ? entry.offset : argument.offset, length,
                  "%" + std::string(argument.name) + " " + message);
  };
  // A tile that a bare statement names without a type may as well be a tensor.
  const bool untyped = argument.type == nullptr;
  const ValueKind kind = untyped && binding.value.Is(ValueKind::kTensor) ? ValueKind::kTensor : KindOf(argument.type);
  const ValueKind bound = binding.value.kind();
  const ValueKind takes = kind == ValueKind::kPtr ? ValueKind::kTensor : kind;
  if (kind == ValueKind::kNone) return fail(Rule::kArgumentKind, "has a type that cannot be bound");
  if (bound != takes) {
    return fail(Rule::kArgumentKind, std::string("takes ") + KindName(takes) + " and is bound to " + KindName(bound));
  }
  if (bound == ValueKind::kInt) {
    frame[argument.slot].SetInt(WrapInt(argument.type->elem, binding.value.integer()));
    return true;
  }
  if (bound == ValueKind::kFloat) {
    frame[argument.slot].SetFloat(RoundFloat(argument.type->elem, binding.value.number()));
    return true;
  }
  Box* box = binding.value.box();
  const pto_dtype dtype = box->tile != nullptr ? pto_tile_dtype(box->tile) : pto_tensor_dtype(box->tensor);
  const bool typed = !untyped && argument.type->kind != TypeKind::kAnyTile;
  if (typed && !DTypeAgrees(argument.type->elem, dtype)) {
    return fail(Rule::kArgumentType,
                std::string("holds ") + Info(argument.type->elem).name + " and is bound to " + pto_dtype_name(dtype));
  }
  if (typed && kind == ValueKind::kTile) {
    const Type& type = *argument.type;
    if (type.rows() != pto_tile_rows(box->tile) || type.cols() != pto_tile_cols(box->tile)) {
      return fail(Rule::kArgumentType, "is a tile of " + std::to_string(type.rows()) + "x" +
                                           std::to_string(type.cols()) + " and is bound to one of " +
                                           std::to_string(pto_tile_rows(box->tile)) + "x" +
                                           std::to_string(pto_tile_cols(box->tile)));
    }
  }
  if (typed && kind == ValueKind::kTensor) {
    const Type& type = *argument.type;
    bool same = type.rank == pto_tensor_rank(box->tensor);
    for (int i = 0; same && i < type.rank; ++i) {
      same = type.dims[i] == kDynamic || type.dims[i] == pto_tensor_dim(box->tensor, i);
    }
    if (!same) return fail(Rule::kArgumentType, "is a view of other dimensions than the tensor that it is bound to");
  }
  box->Retain();
  frame[argument.slot] = RunValue::Of(kind, box);
  return true;
}

bool Machine::BindArguments(const Func& entry, const std::vector<Binding>& bindings, Frame frame) {
  std::vector<const Binding*> of_argument(entry.args.size(), nullptr);
  for (const Binding& binding : bindings) {
    size_t at = entry.args.size();
    for (size_t i = 0; i < entry.args.size(); ++i) {
      if (entry.args[i]->name == binding.name) at = i;
    }
    if (at == entry.args.size() && AllDigits(binding.name) && binding.name.size() < 7) at = std::stoul(binding.name);
    if (at >= entry.args.size()) {
      return FailAt(Rule::kArgumentName, entry.offset, entry.length,
                    "@" + std::string(entry.name) + " has no argument " + binding.name);
    }
    of_argument[at] = &binding;
  }
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const Value& argument = *entry.args[i];
    if (of_argument[i] != nullptr) {
      if (!BindArgument(entry, argument, *of_argument[i], frame)) return false;
    } else if (!argument.written_first) {
      const bool placed = argument.length != 0;
      return FailAt(
          Rule::kUnboundArgument, placed ? argument.offset : entry.offset, placed ? argument.length : entry.length,
          "%" + std::string(argument.name) + " takes " + KindName(KindOf(argument.type)) + " and is not bound");
    }
  }
  return true;
}

bool Machine::Run(pto_context* ctx, const Func& entry, const std::vector<Binding>& bindings, const RunOptions& options,
                  Diagnostics* diagnostics) {
  ctx_ = ctx;
  diagnostics_ = diagnostics;
  options_ = options;
  status_ = PTO_OK;
  output_.clear();
  trace_.clear();
  frame_.clear();
  yielded_.clear();
  // Tiles kept from a run before may belong to another profile and context.
  code_.clear();
  bytes_ = 0;
  depth_ = 0;
  entry_ = &entry;
  fuel_ = options.max_steps;
  FuncCode& code = *CodeOf(entry);
  bool good = true;
  for (block_ = 0; good && block_ < options.blocks; ++block_) {
    frame_.clear();
    frame_.resize(entry.value_count);
    good = BindArguments(entry, bindings, frame_.data()) && Exec(code.body, frame_.data()) != Flow::kFail;
  }
  steps_ = options.max_steps - std::max<int64_t>(fuel_, 0);
  yielded_.clear();
  ctx_ = nullptr;
  diagnostics_ = nullptr;
  return good;
}

}  // namespace pto::ptoas
