#include "src/ptoas/read/stand_in.h"

#include "src/records/attributes.h"
#include "src/records/irregular.h"
#include "src/records/sort.h"

namespace pto::ptoas {

StandIn StandInOf(const OpInfo& op, int index, const Operand& operand) {
  const Type* type = operand.value == nullptr ? nullptr : operand.value->type;
  if (op.walk == Walk::kMergeLists && index == kExecuted && IsCounts(type)) return StandIn::kCounts;
  const bool number = operand.kind == OperandKind::kLiteral
                          ? operand.literal->kind == AttrKind::kInt || operand.literal->kind == AttrKind::kFloat
                          : type != nullptr && type->IsNumber();
  return op.walk == Walk::kFind && index == kThreshold && number ? StandIn::kNumber : StandIn::kNone;
}

int FirstColumnOperand(const Stmt& stmt) {
  if (stmt.attrs.empty() || GivenValue(stmt, kFirstColumn).empty()) return -1;
  int at = 0;
  while (std::string_view(stmt.op->operands[at].name) != "src1") ++at;
  return at;
}

bool IsFloatNumber(const Operand& operand) {
  if (operand.kind == OperandKind::kLiteral) return operand.literal->kind == AttrKind::kFloat;
  return operand.value->type->kind == TypeKind::kScalar && IsFloat(operand.value->type->elem);
}

}  // namespace pto::ptoas
