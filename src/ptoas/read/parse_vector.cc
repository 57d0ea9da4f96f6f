// Statements of the vector dialect: single elements of small vectors, and vectors whose elements are one number.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

// extract %v[1] : type from type; insert %x, %v[1] : type into type; broadcast %x : type to type; splat %x : type
bool Parser::ParseVector(Stmt* stmt, std::string_view name, bool* known) {
  static constexpr std::string_view kNames[] = {"extract", "insert", "broadcast", "splat"};
  const std::string_view* const found = std::find(std::begin(kNames), std::end(kNames), name);
  *known = found != std::end(kNames);
  if (!*known) return false;
  const auto code = static_cast<VectorCode>(found - std::begin(kNames));
  stmt->kind = StmtKind::kVector;
  stmt->code = static_cast<uint8_t>(code);
  const Marks start = Mark();
  const bool places = code == VectorCode::kExtract || code == VectorCode::kInsert;
  uint16_t indices = 0;
  if (!ParseResolved()) return false;
  if (code == VectorCode::kInsert && (!Expect(',') || !ParseResolved())) return false;
  if (places && !ParseBracketed(&indices)) return false;
  const Type* first = nullptr;
  if (!ParseTyped(start, TypeKind::kVector, &first)) return false;
  const Type* second = first;
  if (code != VectorCode::kSplat) {
    if (!ExpectWord(code == VectorCode::kExtract ? "from" : code == VectorCode::kInsert ? "into" : "to")) {
      return false;
    }
    second = ParseType(TypeKind::kVector);
    if (second == nullptr) return false;
  }
  std::span<Operand> operands(operands_.data() + start.operands, operands_.size() - start.operands);
  if (code == VectorCode::kExtract) {
    GiveType(&operands[0], second);
  } else {
    GiveType(&operands[0], code == VectorCode::kSplat ? Scalar(first->elem) : first);
    if (code == VectorCode::kInsert) GiveType(&operands[1], second);
  }
  FinishWith(stmt, start, code == VectorCode::kExtract ? first : second);
  return true;
}

// Places are numbers in static_position, or operands where that says so by the least integer.
bool Parser::GenericVector(Stmt* stmt, Generic* op, std::string_view rest) {
  static constexpr std::string_view kNames[] = {"extract", "insert", "broadcast", "splat"};
  const auto code = static_cast<size_t>(std::find(std::begin(kNames), std::end(kNames), rest) - std::begin(kNames));
  const size_t fixed = code == static_cast<size_t>(VectorCode::kInsert) ? 2 : 1;
  if (code == std::size(kNames) || types_.size() - op->results != 1 || !op->blocks.empty()) return NoGenericForm(*op);
  if (!GenericCount(*op, fixed, SIZE_MAX)) return false;
  stmt->kind = StmtKind::kVector;
  stmt->code = static_cast<uint8_t>(code);
  const Type* const result = types_[op->results];
  const bool insert = code == static_cast<size_t>(VectorCode::kInsert);
  const bool splat = code == static_cast<size_t>(VectorCode::kSplat);
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
  DefineResult(stmt, types_[op->results]);
  return true;
}

}  // namespace pto::ptoas
