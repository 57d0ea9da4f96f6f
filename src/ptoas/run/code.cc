// From the tree of a function to the form that the machine walks.
#include "src/ptoas/run/code.h"

#include <algorithm>
#include <unordered_map>

#include "src/ptoas/run/pipe.h"
#include "src/ptoas/run/scalar.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/ptoas/vector/strip.h"
#include "src/records/attributes.h"
#include "src/records/text_form.h"

namespace pto::ptoas {

namespace {

using BlockNumbers = std::unordered_map<const Block*, uint32_t>;

Code ResolveBlock(const Block& block, int target);

Slots SlotsOf(std::span<Value* const> values) {
  Slots slots;
  for (const Value* value : values) slots.push_back(value->slot);
  return slots;
}

// The elements of dense<...>, in order.
void Elements(const Attr& literal, Elem elem, std::vector<int64_t>* words) {
  if (literal.kind != AttrKind::kArray) return words->push_back(WordOf(NumberOf(literal, elem)));
  for (const Attr* item : literal.items) Elements(*item, elem, words);
}

RunValue Constant(const Stmt& stmt) {
  const Attr* literal = stmt.literal;
  if (literal == nullptr || stmt.results.empty()) return {};
  const Type* type = stmt.results[0]->type != nullptr ? stmt.results[0]->type : literal->type;
  return NumberOf(*literal, type == nullptr ? Elem::kI64 : type->elem);
}

// Records of stores from accumulators can add, and only kAtomicMode decides whether they do.
bool AddsToMemory(const Stmt& stmt) {
  const OpInfo& op = *stmt.op;
  if (op.walk != Walk::kStore || op.lane != Lane::kAdd) return false;
  int64_t values[kMaxOperands] = {};
  ModesOf(stmt, values);
  for (int i = 0; i < op.OperandCount(); ++i) {
    if (op.operands[i].mode == &kAtomicMode) return values[i] == kAtomicAdd;
  }
  return false;
}

std::unique_ptr<Site> ResolveInst(const Stmt& stmt) {
  auto site = std::make_unique<Site>();
  const OpInfo& op = *stmt.op;
  site->pipe = FindPipe("PIPE_" + std::string(GivenValue(stmt, "libpto.pipe")));
  const auto add = [&](int32_t index, const Operand& operand) {
    SiteArg arg;
    arg.index = index;
    arg.operand = &operand;
    arg.own = StandInOf(op, index, operand);
    if (operand.value == nullptr && arg.own == StandIn::kNone) return;
    arg.slot = operand.value == nullptr ? 0 : operand.value->slot;
    arg.tensor = IsTensor(op.operands[index].role);
    arg.makes = index < op.Outputs() && arg.own == StandIn::kNone &&
                operand.value->origin == ValueOrigin::kDestination && operand.value->def == &stmt;
    arg.scratch = op.operands[index].role == Role::kTmp;
    if (arg.own == StandIn::kCounts) site->counts = static_cast<int>(site->args.size());
    site->args.push_back(arg);
  };
  const TextOrder& order = SourcesOf(op, stmt.operands.size());
  const Operand* tmp = nullptr;
  for (size_t i = 0; i < stmt.operands.size(); ++i) {
    const int32_t index = order.at[i];
    if (IsNumber(op.operands[index].role)) {
      site->numbers.push_back({index, &stmt.operands[i], {}});
    } else if (index == op.TmpIndex()) {
      tmp = &stmt.operands[i];
    } else {
      add(index, stmt.operands[i]);
    }
  }
  for (size_t i = 0; i < stmt.outs.size(); ++i) add(static_cast<int32_t>(i), stmt.outs[i]);
  const int accumulator = AccumulatorOf(op);
  if (accumulator >= 0 && !order.Has(accumulator) && !stmt.outs.empty()) add(accumulator, stmt.outs[0]);
  if (tmp != nullptr) add(op.TmpIndex(), *tmp);
  site->first_column = FirstColumnOperand(stmt);
  site->adds = AddsToMemory(stmt);
  site->moves = op.walk == Walk::kMove && op.Outputs() == 1;
  site->lacks_tmp = op.TmpIndex() >= 0 && tmp == nullptr;
  return site;
}

std::unique_ptr<PipeSite> ResolvePipe(const Stmt& stmt) {
  auto site = std::make_unique<PipeSite>();
  site->side = stmt.info->core;
  site->split = IntAttr(stmt, "split", 0);
  site->number = IntAttr(stmt, "id", 0);
  return site;
}

Node ResolveStmt(const Stmt& stmt, int target) {
  Node node;
  node.run = RunOf(*stmt.info);
  node.kind = stmt.kind;
  node.stmt = &stmt;
  for (const Operand& operand : stmt.operands) {
    node.operands.push_back(operand.value == nullptr ? 0 : operand.value->slot);
  }
  node.results = SlotsOf(stmt.results);
  std::copy_n(node.operands.begin(), std::min<size_t>(3, node.operands.size()), node.in);
  std::copy_n(node.results.begin(), std::min<size_t>(2, node.results.size()), node.out);
  const auto elem_of = [](const Type* type) { return type == nullptr ? Elem::kI64 : type->elem; };
  if (!stmt.types.empty()) node.elem = elem_of(stmt.types[0]);
  const bool computes = stmt.arith != ArithOp::kNone;
  if (computes) {
    node.arith = Info(stmt.arith).kind;
    if (node.operands.size() == 1) node.in[1] = node.in[0];  // whoever looks at two sees one kind
  }
  if (!stmt.results.empty()) node.to = elem_of(stmt.results[0]->type);
  const bool numbers = computes || stmt.kind == StmtKind::kConstant;
  if (numbers && !stmt.types.empty() && stmt.types[0] != nullptr) {
    node.lanes = static_cast<uint32_t>(stmt.types[0]->Lanes());
  }
  if (stmt.kind == StmtKind::kConstant && node.lanes != 0) {
    Elements(*stmt.literal, node.elem, &node.words);
    if (node.words.size() == 1) node.words.assign(node.lanes, node.words[0]);
  } else if (stmt.kind == StmtKind::kConstant) {
    node.constant = Constant(stmt);
  }
  if (stmt.kind == StmtKind::kInst && stmt.op != nullptr) node.site = ResolveInst(stmt);
  if (stmt.kind == StmtKind::kComm) node.choice = ChoiceOf(stmt);
  if (IsPipe(stmt.kind)) node.pipe = ResolvePipe(stmt);
  const bool makes = stmt.kind == StmtKind::kAllocTile || stmt.kind == StmtKind::kDeclareTile;
  if (makes || stmt.kind == StmtKind::kScaleAddr) node.made = std::make_unique<TileCache>();
  if (stmt.vector != nullptr) {
    node.step = std::make_unique<vec::Step>();
    node.run = vec::Resolve(stmt, target, node.step.get());
    if (node.run == nullptr) node.run = RunOf(*stmt.info);
  }
  for (const Block* block : stmt.blocks) node.blocks.push_back(ResolveBlock(*block, target));
  if (stmt.kind == StmtKind::kFor) vec::AddStrip(&node);
  return node;
}

Code ResolveBlock(const Block& block, int target) {
  Code code;
  code.args = SlotsOf(block.args);
  code.nodes.reserve(block.stmts.size());
  for (const Stmt* stmt : block.stmts) code.nodes.push_back(ResolveStmt(*stmt, target));
  return code;
}

}  // namespace

int8_t ChoiceOf(const Stmt& stmt) {
  for (const NamedAttr& entry : stmt.attrs) {
    const AttributeInfo* info = FindAttribute(stmt, entry.name);
    const AttributeValue* value = info == nullptr ? nullptr : FindValue(*info, ValueOf(entry));
    if (value != nullptr) return static_cast<int8_t>(value - info->values);
  }
  return 0;
}

pto_pipe PipeOf(const Site& site, const OpInfo& op, pto_profile profile) {
  if (site.pipe >= 0) return static_cast<pto_pipe>(site.pipe);
  const pto_tile* source = nullptr;
  const pto_tile* destination = nullptr;
  for (const SiteArg& arg : site.args) {
    if (arg.tensor || arg.scratch) continue;
    const pto_tile*& first = IsWritten(op.operands[arg.index].role) ? destination : source;
    if (first == nullptr) first = arg.tile;
  }
  if (source == nullptr) source = destination;
  if (destination == nullptr) destination = source;
  const bool tmp = op.TmpIndex() >= 0 && !site.lacks_tmp;
  return PipeOf(op, static_cast<Profile>(profile), pto_tile_location(source), pto_tile_location(destination), tmp);
}

void ModesOf(const Stmt& stmt, int64_t* values) {
  const OpInfo& op = *stmt.op;
  const int flags = op.OperandCount() - 1;
  for (int i = 0; i < flags; ++i) {
    if (op.operands[i].role == Role::kMode) values[i] = op.operands[i].mode->usual;
  }
  for (const NamedAttr& entry : stmt.attrs) {
    const AttributeInfo* info = FindAttribute(stmt, entry.name);
    const AttributeValue* value = info == nullptr ? nullptr : FindValue(*info, ValueOf(entry));
    if (value == nullptr) continue;
    values[flags] |= value->flags;
    if (info->operand >= 0) values[info->operand] = value - info->values;
  }
}

pto_status SetAttributes(pto_context* ctx, pto_inst* inst, const Stmt& stmt) {
  const OpInfo& op = *stmt.op;
  int64_t values[kMaxOperands] = {};
  ModesOf(stmt, values);
  const int flags = op.OperandCount() - 1;
  for (int i = 0; i <= flags; ++i) {
    if (i != flags && op.operands[i].role != Role::kMode) continue;
    const pto_status status = pto_inst_set_int(ctx, inst, i, values[i]);
    if (status != PTO_OK) return status;
  }
  return PTO_OK;
}

RunValue NumberOf(const Attr& literal, Elem elem) {
  if (IsFloat(elem)) {
    if (literal.kind == AttrKind::kFloat) return RunValue::Float(RoundFloat(elem, literal.number.For(elem)));
    if (literal.kind != AttrKind::kInt) return {};
    if (literal.hex) return RunValue::Float(FloatFromBits(elem, static_cast<uint64_t>(literal.integer)));
    const bool negative = !literal.text.empty() && literal.text[0] == '-';
    const auto bits = static_cast<uint64_t>(literal.integer);
    return RunValue::Float(IntToFloat(elem, negative, negative ? 0 - bits : bits));
  }
  if (literal.kind != AttrKind::kInt && literal.kind != AttrKind::kBool) return {};
  return RunValue::Int(WrapInt(elem, literal.integer));
}

pto_scalar ScalarOf(const Operand& operand, const RunValue& value, pto_dtype dtype) {
  const Type* type = operand.value != nullptr ? operand.value->type : operand.type;
  Elem elem = type != nullptr && type->kind == TypeKind::kScalar ? type->elem : Elem::kNone;
  RunValue number = value;
  if (operand.kind == OperandKind::kLiteral) {
    const Attr& literal = *operand.literal;
    if (elem == Elem::kNone || DTypeAgrees(elem, dtype)) {
      // The element itself, which takes every value and every pattern of bits that it has.
      if (literal.kind == AttrKind::kFloat) return pto_float(literal.number.odd);
      if (!literal.text.empty() && literal.text[0] == '-') return pto_int(literal.integer);
      return literal.hex ? pto_bits(static_cast<uint64_t>(literal.integer))
                         : pto_uint(static_cast<uint64_t>(literal.integer));
    }
    number = NumberOf(literal, elem);
  }
  if (number.Is(ValueKind::kFloat)) return pto_float(number.number());
  // Only the element that iN is converted to decides whether it is signed.
  if (elem == Elem::kNone) elem = Elem::kI64;
  const Elem element = ElemOf(dtype);
  const bool signless = Info(elem).kind == ElemInfo::kInt;
  const bool is_unsigned = signless ? Info(element).kind == ElemInfo::kUnsigned && Info(element).bits == Info(elem).bits
                                    : Info(elem).kind == ElemInfo::kUnsigned;
  return is_unsigned ? pto_uint(Unsigned(elem, number.integer())) : pto_int(number.integer());
}

Node::Node() = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

std::unique_ptr<FuncCode> Resolve(const Func& func, const char* target) {
  int number = 0;
  while (number + 1 < TargetCount() && std::string_view(TargetName(number)) != target) ++number;
  auto code = std::make_unique<FuncCode>();
  code->func = &func;
  code->args = SlotsOf(func.args);
  BlockNumbers numbers;
  for (const Block* block = func.body; block != nullptr; block = block->next) {
    numbers.emplace(block, static_cast<uint32_t>(numbers.size()));
  }
  for (const Block* block = func.body; block != nullptr; block = block->next) {
    code->blocks.push_back(ResolveBlock(*block, number));
    for (Node& node : code->blocks.back().nodes) {
      for (size_t i = 0; i < node.stmt->successors.size(); ++i) {
        node.targets.push_back(numbers.at(node.stmt->successors[i].block));
      }
    }
  }
  return code;
}

}  // namespace pto::ptoas
