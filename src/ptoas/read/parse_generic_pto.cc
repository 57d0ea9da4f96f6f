// The generic form of what the dialect itself has: instructions, and statements with a form of their own.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

bool Parser::GenericPto(Stmt* stmt, Generic* op, std::string_view mnemonic) {
  NameInstruction(stmt, mnemonic);
  if (!suffixes_.empty()) return NoGenericForm(*op);
  std::vector<NamedAttr> kept;
  for (const NamedAttr& entry : op->dict) {
    if (!IsSegments(entry.name)) kept.push_back(entry);
  }
  stmt->attrs = arena_->Copy(kept.data(), kept.size());
  if (stmt->kind == StmtKind::kSection) {
    const bool captures = stmt->Is("strict_vecscope");
    if (op->blocks.size() != 1 || (!captures && !op->blocks[0]->args.empty())) return NoGenericForm(*op);
    stmt->attrs = {};
    if (captures) {
      GenericOperands(op, SIZE_MAX);
      NameOperands(stmt, {operands_.size() - op->operands});
      stmt->operands = Commit(&operands_, op->operands);
    }
    stmt->blocks = arena_->Copy(op->blocks.data(), 1);
    DefineResults(stmt, {});
    return true;
  }
  if (!op->blocks.empty() || !stmt->successors.empty() || !stmt->info->generic) return NoGenericForm(*op);
  switch (stmt->kind) {
    case StmtKind::kInst:
    case StmtKind::kScaleAddr:
    case StmtKind::kTSetVal:
    case StmtKind::kTPrint:
      return GenericInstruction(stmt, op);
    case StmtKind::kSubset:
      return GenericSubset(stmt, op);
    case StmtKind::kStoreScalar:
      return GenericStoreScalar(stmt, op);
    case StmtKind::kPrint:
      return GenericPrint(stmt, op);
    case StmtKind::kSync:
      return GenericSync(stmt, op);
    case StmtKind::kVectorOp:
      return GenericVectorOp(stmt, op);
    default:
      return GenericForm(stmt, op);
  }
}

// Sources come first, then destinations, except for a destination before optional operands.
bool Parser::GenericInstruction(Stmt* stmt, Generic* op) {
  stmt->spelling = Spelling::kDps;
  const size_t count = operands_.size() - op->operands;
  size_t outs = OutsAmong(*stmt, count);
  if (!stmt->info->IsInstruction()) outs = stmt->kind == StmtKind::kTSetVal ? 1 : 0;
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
  TakeIntegers(stmt);
  for (size_t i = op->operands + op->written; i < operands_.size(); ++i) operands_[i].type = Scalar(Elem::kI32);
  stmt->operands = Commit(&operands_, op->operands);
  stmt->types = arena_->Copy(types_.data() + op->results, types_.size() - op->results);
  if (stmt->info->IsInstruction()) {
    ChooseForm(stmt, stmt->operands, stmt->outs.size(), {});
    CheckCounts(*stmt);
  } else if (stmt->operands.size() != stmt->info->groups) {
    return NoGenericForm(*op);
  }
  DefineResults(stmt, stmt->types);
  return true;
}

// Sizes are an attribute in this form.
bool Parser::GenericSubset(Stmt* stmt, Generic* op) {
  const Attr* sizes = FindAttr(stmt->attrs, "sizes");
  const bool subview = stmt->Is("subview");
  const bool narrows = subview && operands_.size() - op->operands == 5;
  if (!GenericCount(*op, 3, narrows ? 5 : 3)) return false;
  if (sizes == nullptr || sizes->items.size() != 2 || types_.size() - op->results != 1 || op->types == op->results) {
    return NoGenericForm(*op);
  }
  const int64_t extents[2] = {sizes->items[0]->integer, sizes->items[1]->integer};
  stmt->sizes = arena_->Copy(extents, 2);
  stmt->attrs = {};
  GenericOperands(op, 1);
  if (subview) {
    Marks start = Mark();
    start.operands = op->operands;
    DefineSubview(stmt, start, extents, types_[op->results]);
    return true;
  }
  const Type* type = SubsetType(op->operands, types_[op->types], extents);
  stmt->operands = Commit(&operands_, op->operands);
  DefineResult(stmt, type);
  return true;
}

// So is the format.
bool Parser::GenericPrint(Stmt* stmt, Generic* op) {
  const Attr* format = FindAttr(stmt->attrs, "format");
  if (!GenericCount(*op, 1, 1)) return false;
  if (format == nullptr || format->kind != AttrKind::kString) return NoGenericForm(*op);
  stmt->spelling = Spelling::kDps;
  Operand text;
  text.kind = OperandKind::kLiteral;
  text.literal = format;
  text.offset = format->offset;
  text.length = op->length;
  GenericOperands(op, 1);
  operands_.insert(operands_.begin() + static_cast<std::ptrdiff_t>(op->operands), text);
  stmt->attrs = {};
  stmt->operands = Commit(&operands_, op->operands);
  DefineResults(stmt, {});
  return types_.size() == op->results || NoGenericForm(*op);
}

// The dialect declares the pointer first; the statement's form has the value there.
bool Parser::GenericStoreScalar(Stmt* stmt, Generic* op) {
  if (!GenericCount(*op, 3, 3) || op->results - op->types != 3 || types_.size() != op->results) {
    return NoGenericForm(*op);
  }
  const size_t at = op->operands;
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
  static constexpr std::string_view kOrder[] = {"src_pipe", "src_op",   "op_type", "pipe", "dst_pipe",
                                                "dst_op",   "event_id", "buf_id",  "scope"};
  GenericOperands(op, 0);
  std::vector<Operand> operands;
  for (const std::string_view key : kOrder) {
    const Attr* attr = FindAttr(stmt->attrs, key);
    if (attr == nullptr) continue;
    // The attributes that may be among operands.
    if (attr->kind > AttrKind::kString && attr->kind != AttrKind::kPto) return NoGenericForm(*op);
    Operand operand;
    operand.kind = OperandKind::kLiteral;
    operand.literal = attr;
    operand.offset = attr->offset;
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
  stmt->around =
      stmt->Is("barrier") || stmt->Is("pipe_barrier") || stmt->Is("set_ffts") || stmt->Is("fence.barrier_all")
          ? Around::kNothing
      : stmt->Is("tsync") ? Around::kIns
                          : Around::kBrackets;
  DefineResults(stmt, {});
  return true;
}

}  // namespace pto::ptoas
