// Operations of the vector level as text: operands, clauses, dictionary, types.
#include "src/ptoas/read/print_impl.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas {

void Printer::VectorOperands(std::span<const Operand> operands) {
  const char* comma = "";
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].implied) continue;
    out_ += comma;
    comma = ", ";
    if (IsString(operands[i])) {
      out_ += '"';
      out_ += operands[i].literal->text;
      out_ += '"';
    } else {
      PrintOperand(operands[i]);
    }
    if (!operands[i].place) continue;
    out_ += '[';
    PrintOperand(operands[++i]);
    out_ += ']';
  }
}

void Printer::VectorClause(const Stmt& stmt, const Clause& clause) {
  out_ += clause.info->word;
  const std::span<const Operand> operands = stmt.operands.subspan(clause.begin, clause.end - clause.begin);
  if (operands.empty() && clause.options.empty()) return;
  out_ += '(';
  // `clip = %c`: its operands are the last ones, in the order of their words.
  size_t named = 0;
  for (const NamedAttr& option : clause.options) named += option.name == "clip" ? 1U : 0U;
  VectorOperands(operands.first(operands.size() - named));
  const char* comma = operands.size() == named ? "" : ", ";
  for (const NamedAttr& option : clause.options) {
    out_ += comma;
    comma = ", ";
    out_ += option.name;
    if (option.value != nullptr) {
      out_ += " = ";
      PrintAttr(*option.value);
    } else if (option.name == "clip") {
      out_ += " = ";
      PrintOperand(operands[operands.size() - named--]);
    }
  }
  out_ += ')';
}

void Printer::VectorTypes(const Stmt& stmt) {
  const char* comma = "";
  const auto type = [&](const Operand& operand) {
    if (operand.type == nullptr) return;
    out_ += comma;
    comma = ", ";
    PrintType(operand.type);
  };
  const std::span<const Operand> mains = stmt.operands.first(stmt.vector->in.count);
  const size_t first = stmt.vector->pointer_first ? 1 : 0;
  for (size_t i = first; i < mains.size(); ++i) type(mains[i]);
  if (first != 0) type(mains[0]);
  for (const Clause& clause : stmt.clauses) {
    const std::span<const Operand> operands = stmt.operands.subspan(clause.begin, clause.end - clause.begin);
    const bool typed = !operands.empty() && operands[0].type != nullptr;
    const bool bare = operands.empty() && stmt.vector->commas && clause.options.empty() &&
                      clause.info->types == vec::TypeStyle::kNamed;
    if (!typed && !bare) continue;
    if (clause.info->types != vec::TypeStyle::kPlain) {
      out_ += comma;
      out_ += clause.info->word;
      comma = bare ? ", " : " ";
    }
    if (bare) continue;
    const bool parens = clause.info->types == vec::TypeStyle::kParens;
    if (parens) {
      out_ += '(';
      comma = "";
    }
    for (const Operand& operand : operands) type(operand);
    if (parens) out_ += ')';
  }
}

void Printer::VectorOp(const Stmt& stmt) {
  const vec::Op& op = *stmt.vector;
  out_ += "pto.";
  out_ += op.name;
  const size_t mains = std::min<size_t>(op.refused.empty() ? op.in.count : stmt.operands.size(), stmt.operands.size());
  if (mains != 0) out_ += ' ';
  VectorOperands(stmt.operands.first(mains));
  for (const Clause& clause : stmt.clauses) {
    if (op.commas) out_ += ',';
    out_ += ' ';
    VectorClause(stmt, clause);
  }
  OptionalDict(stmt.attrs);
  const size_t before = out_.size();
  if (op.refused.empty()) VectorTypes(stmt);
  const bool typed = out_.size() != before;
  if (typed) out_.insert(before, " : ");
  if (stmt.types.empty()) return;
  out_ += typed ? " -> " : " : ";
  Types(stmt.types);
}

}  // namespace pto::ptoas
