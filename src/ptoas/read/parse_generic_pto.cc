// The generic form of what the dialect itself has: instructions, and statements with a form of their own.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

bool Parser::GenericPto(Stmt* stmt, Generic* op, std::string_view mnemonic) {
  NameInstruction(stmt, mnemonic);
  if (!suffixes_.empty()) return NoGenericForm(*op);
  const Production production = stmt->dialect == nullptr ? Production::kInsOuts : stmt->dialect->production;
  std::vector<NamedAttr> kept;
  for (const NamedAttr& entry : op->dict) {
    if (!IsSegments(entry.name)) kept.push_back(entry);
  }
  stmt->attrs = arena_->Copy(kept.data(), kept.size());
  if (production == Production::kSection) {
    if (op->blocks.size() != 1 || !op->blocks[0]->args.empty()) return NoGenericForm(*op);
    stmt->kind = StmtKind::kSection;
    stmt->attrs = {};
    stmt->code = static_cast<uint8_t>(stmt->name == "section.cube" ? SectionCode::kCube : SectionCode::kVector);
    stmt->blocks = arena_->Copy(op->blocks.data(), 1);
    DefineResults(stmt, {});
    return true;
  }
  if (!op->blocks.empty() || !stmt->successors.empty()) return NoGenericForm(*op);
  if (IsInsOuts(production) || production == Production::kTSetVal || production == Production::kTPrint) {
    return GenericInstruction(stmt, op, production);
  }
  return GenericDialect(stmt, op, production);
}

// Sources come first, then destinations, but where a destination stands before what may be left out.
bool Parser::GenericInstruction(Stmt* stmt, Generic* op, Production production) {
  stmt->kind = production == Production::kTSetVal     ? StmtKind::kTSetVal
               : production == Production::kTPrint    ? StmtKind::kTPrint
               : production == Production::kScaleAddr ? StmtKind::kScaleAddr
                                                      : StmtKind::kInst;
  stmt->spelling = Spelling::kDps;
  const size_t count = operands_.size() - op->operands;
  size_t outs = OutsAmong(*stmt, count);
  if (production == Production::kTSetVal) outs = 1;
  if (production == Production::kTPrint) outs = 0;
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
  if (IsInsOuts(production)) {
    ChooseForm(stmt, stmt->operands, stmt->outs.size(), {});
    CheckCounts(*stmt);
  } else if (stmt->operands.size() != (outs == 1 ? 2U : 1U)) {
    return NoGenericForm(*op);
  }
  DefineResults(stmt, stmt->types);
  return true;
}

// Statements with a form of their own: what they take, and how much of it their form gives a type.
bool Parser::GenericDialect(Stmt* stmt, Generic* op, Production production) {
  const size_t count = operands_.size() - op->operands;
  const size_t made = types_.size() - op->results;
  const auto finish = [&](StmtKind kind, size_t typed, bool makes) {
    stmt->kind = kind;
    if (makes != (made == 1)) return NoGenericForm(*op);
    GenericOperands(op, typed);
    stmt->operands = Commit(&operands_, op->operands);
    if (makes) {
      DefineResult(stmt, types_[op->results]);
    } else {
      DefineResults(stmt, {});
    }
    return true;
  };
  switch (production) {
    case Production::kMakeTensorView:
    case Production::kPartitionView: {
      const int64_t split = SegmentOf(op->dict, 1);
      if (split < 0 || split > 8 || count != 1 + 2 * static_cast<size_t>(split)) return NoGenericForm(*op);
      stmt->split = static_cast<uint16_t>(split);
      const bool part = production == Production::kPartitionView;
      return finish(part ? StmtKind::kPartitionView : StmtKind::kMakeTensorView, part ? 1 : 0, true);
    }
    case Production::kTensorViewDim:
      stmt->code = static_cast<uint8_t>(stmt->name == "get_tensor_view_stride" ? ViewQuery::kStride : ViewQuery::kDim);
      if (op->results - op->types == 2 && !GenericType(*op, types_[op->types + 1], Scalar(Elem::kIndex))) return false;
      return GenericCount(*op, 2, 2) && finish(StmtKind::kTensorViewDim, 2, true);
    case Production::kAddressOf:
      return GenericCount(*op, 1, 1) && finish(StmtKind::kAddressOf, 1, true);
    case Production::kAllocTile: {
      const bool cast = stmt->name == "pointer_cast";
      if (!cast && stmt->name != "alloc_tile") {
        stmt->code = static_cast<uint8_t>(AllocCode::kDeclare);
        return GenericCount(*op, 0, 0) && finish(StmtKind::kAllocTile, 0, true);
      }
      if (cast) stmt->code = static_cast<uint8_t>(AllocCode::kPointerCast);
      bool* const given[] = {&stmt->has_addr, &stmt->has_valid_row, &stmt->has_valid_col};
      size_t there = 0;
      for (size_t i = 0; i < 3; ++i) there += *given[i] = SegmentOf(op->dict, i) == 1;
      // Without sizes: the address of the one form, all three or none of the other.
      if (SegmentOf(op->dict, 0) < 0) {
        for (size_t i = 0; i < 3; ++i) *given[i] = i < count;
        there = count == 2 ? 0 : count;
      }
      if (there != count || count > 3 || (cast && !stmt->has_addr)) return NoGenericForm(*op);
      return finish(StmtKind::kAllocTile, 0, true);
    }
    case Production::kSetValidShape:
      return GenericCount(*op, 3, 3) && finish(StmtKind::kSetValidShape, 1, false);
    case Production::kRetype: {
      const bool binds = stmt->name == "bind_tile";
      stmt->has_valid_row = stmt->has_valid_col = binds && count == 3;
      if (count != 1 && !stmt->has_valid_row) return GenericCount(*op, 1, 1);
      return finish(binds                      ? StmtKind::kBindTile
                    : stmt->name == "treshape" ? StmtKind::kTreshape
                                               : StmtKind::kBitcast,
                    1, true);
    }
    case Production::kSubset: {
      const Attr* sizes = FindAttr(stmt->attrs, "sizes");
      if (sizes == nullptr || sizes->items.size() != 2 || !GenericCount(*op, 3, 3) || made != 1 ||
          op->types == op->results) {
        return NoGenericForm(*op);
      }
      const int64_t extents[2] = {sizes->items[0]->integer, sizes->items[1]->integer};
      stmt->sizes = arena_->Copy(extents, 2);
      stmt->attrs = {};
      stmt->kind = StmtKind::kSubset;
      GenericOperands(op, 1);
      const Type* type = SubsetType(op->operands, types_[op->types], extents);
      stmt->operands = Commit(&operands_, op->operands);
      DefineResult(stmt, type);
      return true;
    }
    case Production::kTassign:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kTassign, 1, made == 1);
    case Production::kAddPtr:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kAddPtr, 1, true);
    case Production::kLoadScalar:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kLoadScalar, 1, true);
    case Production::kTGetVal:
      return GenericCount(*op, 2, 2) && finish(StmtKind::kTGetVal, 2, true);
    case Production::kStoreScalar:
      return GenericStoreScalar(stmt, op);
    case Production::kBlockQuery:
    case Production::kTrap:
    case Production::kMadMode:
      if (!GenericCount(*op, 0, 0)) return false;
      if (made != (production == Production::kBlockQuery ? 1U : 0U)) return NoGenericForm(*op);
      NameOnly(stmt, production);
      return made == 0 || GenericType(*op, types_[op->results], Scalar(Elem::kI64));
    case Production::kPrint: {
      const Attr* format = FindAttr(stmt->attrs, "format");
      if (format == nullptr || format->kind != AttrKind::kString || !GenericCount(*op, 1, 1)) return NoGenericForm(*op);
      stmt->spelling = Spelling::kDps;
      Operand text;
      text.kind = OperandKind::kLiteral;
      text.literal = format;
      text.offset = format->offset;
      text.length = op->length;
      GenericOperands(op, 1);
      operands_.insert(operands_.begin() + static_cast<std::ptrdiff_t>(op->operands), text);
      stmt->attrs = {};
      stmt->kind = StmtKind::kPrint;
      stmt->operands = Commit(&operands_, op->operands);
      DefineResults(stmt, {});
      return made == 0 || NoGenericForm(*op);
    }
    case Production::kSync:
      return GenericSync(stmt, op);
    case Production::kEventArray: {
      const bool set = stmt->name == "eventid_array_set";
      const bool get = stmt->name == "eventid_array_get";
      stmt->code = static_cast<uint8_t>(set   ? EventArrayCode::kSet
                                        : get ? EventArrayCode::kGet
                                              : EventArrayCode::kDeclare);
      const size_t takes = set ? 3 : get ? 2 : 0;
      if (get && made == 1 && !GenericType(*op, types_[op->results], Scalar(Elem::kIndex))) return false;
      return GenericCount(*op, takes, takes) && finish(StmtKind::kEventArray, 1, !set);
    }
    default:
      return NoGenericForm(*op);
  }
}

// The dialect declares the pointer first; the statement's form has the value there.
bool Parser::GenericStoreScalar(Stmt* stmt, Generic* op) {
  if (!GenericCount(*op, 3, 3) || op->results - op->types != 3 || types_.size() != op->results) {
    return NoGenericForm(*op);
  }
  const size_t at = op->operands;
  stmt->kind = StmtKind::kStoreScalar;
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
  static constexpr std::string_view kOrder[] = {"src_pipe", "src_op", "op_type",  "pipe",
                                                "dst_pipe", "dst_op", "event_id", "buf_id"};
  stmt->kind = StmtKind::kSync;
  GenericOperands(op, 0);
  std::vector<Operand> operands;
  for (const std::string_view key : kOrder) {
    const Attr* attr = FindAttr(stmt->attrs, key);
    if (attr == nullptr) continue;
    // What may stand among operands.
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
  stmt->code = stmt->name == "barrier" || stmt->name == "set_ffts" ? 0 : stmt->name == "tsync" ? 2 : 1;
  DefineResults(stmt, {});
  return true;
}

}  // namespace pto::ptoas
