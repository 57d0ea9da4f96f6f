// The generic form of the vector dialect: single elements of small vectors, and vectors whose elements are one number.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

// Indices are numbers in static_position; the smallest integer there means an operand.
bool Parser::GenericVector(Stmt* stmt, Generic* op) {
  const bool insert = stmt->Is("vector.insert");
  const bool splat = stmt->Is("vector.splat");
  const size_t fixed = insert ? 2 : 1;
  if (types_.size() - op->results != 1 || !op->blocks.empty()) return NoGenericForm(*op);
  if (!GenericCount(*op, fixed, SIZE_MAX)) return false;
  const Type* const result = types_[op->results];
  if ((insert || splat) && op->results - op->types >= fixed &&
      !GenericType(*op, types_[op->types + fixed - 1], insert ? result : Scalar(result->elem))) {
    return false;
  }
  GenericOperands(op, fixed);
  const Attr* places = FindAttr(op->dict, "static_position");
  std::vector<Operand> operands(operands_.begin() + static_cast<std::ptrdiff_t>(op->operands), operands_.end());
  std::vector<Operand> whole(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(fixed));
  size_t next = fixed;
  for (size_t i = 0; places != nullptr && i < places->items.size(); ++i) {
    if (places->items[i]->integer == INT64_MIN) {
      if (next >= operands.size()) return NoGenericForm(*op);
      whole.push_back(operands[next++]);
      continue;
    }
    if (places->items[i]->kind != AttrKind::kInt) return NoGenericForm(*op);
    Operand place;
    place.kind = OperandKind::kLiteral;
    place.literal = places->items[i];
    place.offset = places->items[i]->offset;
    place.length = op->length;
    whole.push_back(place);
  }
  if (next != operands.size()) return NoGenericForm(*op);
  operands_.resize(op->operands);
  stmt->operands = arena_->Copy(whole.data(), whole.size());
  const size_t listed = whole.size() - fixed;
  if (insert) NameOperands(stmt, {1, 1, listed});
  if (stmt->Is("vector.extract")) NameOperands(stmt, {1, listed});
  DefineResult(stmt, types_[op->results]);
  return true;
}

}  // namespace pto::ptoas
