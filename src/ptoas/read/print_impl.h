// The printer's state and functions, which are spread over print*.cc.
#ifndef PTO_SRC_PTOAS_PRINT_IMPL_H_
#define PTO_SRC_PTOAS_PRINT_IMPL_H_

#include <string>
#include <string_view>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/printer.h"

namespace pto::ptoas {

class Printer {
 public:
  // `as_written` keeps each instruction's own spelling.
  Printer(Spelling form, bool as_written, const Extras* extras = nullptr)
      : form_(form), as_written_(as_written), extras_(extras) {}
  std::string Run(const Program& program);
  std::string TypeText(const Type* type) {
    PrintType(type);
    return std::move(out_);
  }

 private:
  // printer.cc
  void Line(std::string_view text);
  void Comments(std::span<const std::string_view> comments);
  void PrintModule(const Module& module);
  void PrintFunc(const Func& func);
  void PrintBlock(const Block& block);
  void Label(const Block& block);
  void Branch(const Stmt& stmt);
  void Statements(const Block& block);
  void Statement(const Stmt& stmt);
  void Body(const Stmt& stmt);
  void Passed(const Stmt& stmt, std::span<const Operand> operands);
  void Region(const Stmt& stmt);
  // print_pto.cc
  void Instruction(const Stmt& stmt);
  void Dps(const Stmt& stmt);
  void Pipe(const Stmt& stmt);
  void OneLine(const Stmt& stmt, Spelling spelling);
  void Form(const Stmt& stmt);
  void OwnForm(const Stmt& stmt);
  void Group(std::span<const Operand> operands);
  // print_op.cc
  void VectorOp(const Stmt& stmt);
  void VectorOperands(std::span<const Operand> operands);
  void VectorClause(const Stmt& stmt, const Clause& clause);
  void VectorTypes(const Stmt& stmt);
  // print_type.cc
  void PrintType(const Type* type);
  void Types(std::span<const Type* const> types);
  void ResultTypes(std::span<const Type* const> types);  // T, or (T, T), or ()
  void Dims(const Type& type);
  void TileType(const Type& type);
  void Memref(const Type& type, const char* space);
  void PrintAttr(const Attr& attr);
  void PrintDict(Dict dict);
  void OptionalDict(Dict dict) {
    if (dict.empty()) return;
    out_ += ' ';
    PrintDict(dict);
  }
  void Symbol(std::string_view name);
  void Word(std::string_view text);  // quoted unless it is an identifier
  void PtoValue(const Attr& attr);
  void PrintOperand(const Operand& operand);
  void Operands(std::span<const Operand> operands);
  void OperandTypes(std::span<const Operand> operands);

  Spelling form_;
  bool as_written_;
  const Extras* extras_;
  int indent_ = 0;
  std::string out_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PRINT_IMPL_H_
