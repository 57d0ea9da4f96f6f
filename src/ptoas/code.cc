// From the tree of a function to the form that the machine walks.
#include "src/ptoas/code.h"

#include <algorithm>

#include "src/ops/attributes.h"
#include "src/ptoas/scalar.h"

namespace pto::ptoas {

namespace {

Code ResolveBlock(const Block& block);

RunValue Constant(const Stmt& stmt) {
  const Attr* literal = stmt.literal;
  if (literal == nullptr || stmt.results.empty()) return {};
  const Type* type = stmt.results[0]->type != nullptr ? stmt.results[0]->type : literal->type;
  const Elem elem = type == nullptr ? Elem::kI64 : type->elem;
  if (IsFloat(elem)) {
    if (literal->kind == AttrKind::kFloat) return RunValue::Float(RoundFloat(elem, literal->number));
    // Integers are bits here: 1 is no float, 0x1 is one.
    if (literal->kind != AttrKind::kInt) return {};
    return RunValue::Float(FloatFromBits(elem, static_cast<uint64_t>(literal->integer)));
  }
  if (literal->kind != AttrKind::kInt && literal->kind != AttrKind::kBool) return {};
  return RunValue::Int(WrapInt(elem, literal->integer));
}

std::unique_ptr<Site> ResolveInst(const Stmt& stmt) {
  auto site = std::make_unique<Site>();
  const OpInfo& op = *stmt.op;
  const std::span<Operand> sources = stmt.operands;
  const std::span<Operand> outs = stmt.outs;
  const auto add = [&](int32_t index, const Operand& operand, bool out) {
    if (operand.value == nullptr || index >= op.Tiles()) return;
    SiteArg arg;
    arg.index = index;
    arg.operand = &operand;
    arg.slot = operand.value->slot;
    arg.tensor = IsTensor(op.operands[index].role);
    arg.makes = out && operand.value->origin == ValueOrigin::kDestination && operand.value->def == &stmt;
    site->args.push_back(arg);
  };
  const auto tmp = static_cast<size_t>(std::max(op.TmpIndex(), 0));
  for (size_t i = 0; i < sources.size(); ++i) {
    if (i + 1 != tmp) add(static_cast<int32_t>(i) + 1, sources[i], false);
  }
  if (!outs.empty()) add(0, outs[0], true);
  site->lacks_tmp = tmp != 0 && sources.size() < tmp;
  if (tmp != 0 && !site->lacks_tmp) {
    add(op.TmpIndex(), sources[tmp - 1], false);
    if (!site->args.empty()) site->args.back().scratch = site->args.back().index == op.TmpIndex();
  }
  return site;
}

Node ResolveStmt(const Stmt& stmt) {
  Node node;
  node.kind = stmt.kind;
  node.stmt = &stmt;
  for (size_t i = 0; i < std::min<size_t>(3, stmt.operands.size()); ++i) {
    if (stmt.operands[i].value != nullptr) node.in[i] = stmt.operands[i].value->slot;
  }
  if (!stmt.results.empty()) node.out = stmt.results[0]->slot;
  const auto elem_of = [](const Type* type) { return type == nullptr ? Elem::kI64 : type->elem; };
  if (!stmt.types.empty()) node.elem = elem_of(stmt.types[0]);
  if (!stmt.results.empty()) node.to = elem_of(stmt.results[0]->type);
  if (stmt.kind == StmtKind::kConstant) node.constant = Constant(stmt);
  if (stmt.kind == StmtKind::kInst && stmt.op != nullptr) node.site = ResolveInst(stmt);
  if (stmt.kind == StmtKind::kAllocTile) node.made = std::make_unique<TileCache>();
  for (const Block* block : stmt.blocks) node.blocks.push_back(ResolveBlock(*block));
  return node;
}

Code ResolveBlock(const Block& block) {
  Code code;
  code.nodes.reserve(block.stmts.size());
  for (const Stmt* stmt : block.stmts) code.nodes.push_back(ResolveStmt(*stmt));
  return code;
}

}  // namespace

uint32_t FlagsOf(const Stmt& stmt) {
  uint32_t flags = 0;
  for (const NamedAttr& entry : stmt.attrs) {
    const AttributeInfo* info = FindAttribute(stmt.name, entry.name);
    const AttributeValue* value = info == nullptr ? nullptr : FindValue(*info, ValueOf(entry));
    if (value != nullptr) flags |= value->flags;
  }
  return flags;
}

std::unique_ptr<FuncCode> Resolve(const Func& func) {
  auto code = std::make_unique<FuncCode>();
  code->func = &func;
  if (func.body != nullptr) code->body = ResolveBlock(*func.body);
  return code;
}

}  // namespace pto::ptoas
