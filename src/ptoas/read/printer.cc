// From tree to text: functions, blocks and statements. Types and attributes are
// in print_type.cc. One statement is one line; regions are indented by two.
#include "src/ptoas/read/printer.h"

#include "src/ptoas/read/form.h"
#include "src/ptoas/read/print_impl.h"

namespace pto::ptoas {

std::string Print(const Program& program, Spelling form) { return Printer(form, false).Run(program); }
std::string Print(const Program& program) { return Printer(Spelling::kDps, true).Run(program); }

std::string Print(const Program& program, const Extras& extras) {
  return Printer(Spelling::kDps, true, &extras).Run(program);
}

std::string Printer::Run(const Program& program) {
  out_.reserve(program.source.size());
  bool first = true;
  for (const Module* module : program.modules) {
    if (!first) out_ += '\n';
    first = false;
    PrintModule(*module);
  }
  Comments(program.closing_comments);
  return std::move(out_);
}

void Printer::Line(std::string_view text) {
  out_.append(static_cast<size_t>(indent_) * 2, ' ');
  out_ += text;
}

void Printer::Comments(std::span<const std::string_view> comments) {
  for (const std::string_view comment : comments) {
    Line(comment);
    out_ += '\n';
  }
}

void Printer::PrintModule(const Module& module) {
  if (!module.implicit) {
    Comments(module.comments);
    Line("module");
    if (!module.name.empty()) {
      out_ += ' ';
      Symbol(module.name);
    }
    if (!module.attrs.empty()) {
      out_ += " attributes ";
      PrintDict(module.attrs);
    }
    out_ += " {\n";
    ++indent_;
  }
  bool first = true;
  for (const Func* func : module.funcs) {
    if (!first) out_ += '\n';
    first = false;
    PrintFunc(*func);
  }
  if (!module.implicit) {
    Comments(module.closing_comments);
    --indent_;
    Line("}\n");
  }
}

void Printer::PrintFunc(const Func& func) {
  Comments(func.comments);
  if (func.bare) {
    Statements(*func.body);
    return;
  }
  Line("func.func ");
  if (func.visibility == Visibility::kPublic) out_ += "public ";
  if (func.visibility == Visibility::kPrivate) out_ += "private ";
  Symbol(func.name);
  out_ += '(';
  const char* comma = "";
  for (const Value* arg : func.args) {
    out_ += comma;
    comma = ", ";
    if (!arg->name.empty()) {
      out_ += '%';
      out_ += arg->name;
      out_ += ": ";
    }
    PrintType(arg->type);
    if (!arg->attrs.empty()) {
      out_ += ' ';
      PrintDict(arg->attrs);
    }
  }
  out_ += ')';
  if (!func.result_types.empty()) {
    out_ += " -> ";
    ResultTypes(func.result_types);
  }
  if (!func.attrs.empty()) {
    out_ += " attributes ";
    PrintDict(func.attrs);
  }
  if (func.body != nullptr) {
    out_ += " {\n";
    ++indent_;
    for (const Block* block = func.body; block != nullptr; block = block->next) {
      // Without statements before it, the second block's label would become the label of the first.
      if (block != func.body || (block->next != nullptr && block->stmts.empty())) Label(*block);
      Statements(*block);
    }
    --indent_;
    Line("}");
  }
  out_ += '\n';
}

// ^name(%a: type, ...): one step to the left of its statements
void Printer::Label(const Block& block) {
  --indent_;
  Line("^");
  ++indent_;
  out_ += block.label;
  const char* before = "(";
  for (const Value* arg : block.args) {
    out_ += before;
    before = ", ";
    out_ += '%';
    out_ += arg->name;
    out_ += ": ";
    PrintType(arg->type);
  }
  out_ += block.args.empty() ? ":\n" : "):\n";
}

void Printer::Branch(const Stmt& stmt) {
  const bool switches = stmt.Is("cf.switch");
  std::span<const Operand> left = stmt.operands;
  out_ += stmt.info->name;
  out_ += ' ';
  if (const Operand* decides = stmt["decides"]; decides != nullptr) {
    PrintOperand(*decides);
    if (switches) {
      out_ += " : ";
      PrintType(decides->type);
    }
    left = left.subspan(1);
    out_ += ", ";
  }
  if (switches) out_ += '[';
  for (size_t i = 0; i < stmt.successors.size(); ++i) {
    const Successor& successor = stmt.successors[i];
    if (i != 0) out_ += ", ";
    if (switches) out_ += i == 0 ? "default: " : std::to_string(stmt.sizes[i - 1]) + ": ";
    out_ += '^';
    out_ += successor.label;
    if (successor.count == 0) continue;
    out_ += '(';
    Operands(left.first(successor.count));
    out_ += " : ";
    OperandTypes(left.first(successor.count));
    out_ += ')';
    left = left.subspan(successor.count);
  }
  if (switches) out_ += ']';
}

void Printer::PrintBlock(const Block& block) {
  out_ += "{\n";
  ++indent_;
  Statements(block);
  --indent_;
  Line("}");
}

void Printer::Statements(const Block& block) {
  const auto extra = [&](size_t index) {
    if (extras_ == nullptr) return;
    const auto found = extras_->find({&block, index});
    if (found == extras_->end()) return;
    for (const std::string& line : found->second) {
      Line(line);
      out_ += '\n';
    }
  };
  for (size_t i = 0; i < block.stmts.size(); ++i) {
    extra(i);
    Statement(*block.stmts[i]);
  }
  extra(block.stmts.size());
  Comments(block.closing_comments);
}

void Printer::Statement(const Stmt& stmt) {
  Comments(stmt.comments);
  Line("");
  if (!stmt.results.empty()) {
    const char* comma = "";
    for (const Value* result : stmt.results) {
      if (result->index != 0) continue;
      out_ += comma;
      comma = ", ";
      out_ += '%';
      out_ += result->name;
      if (result->pack != 1) out_ += ':' + std::to_string(result->pack);
    }
    out_ += " = ";
  }
  Body(stmt);
  if (!stmt.trailing_comment.empty()) {
    out_ += "  ";
    out_ += stmt.trailing_comment;
  }
  out_ += '\n';
}

void Printer::Body(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kInst:
    case StmtKind::kScaleAddr:
    case StmtKind::kTSetVal:
    case StmtKind::kPrint:
    case StmtKind::kTPrint:
      return Instruction(stmt);
    case StmtKind::kConstant:
      out_ += "arith.constant ";
      PrintAttr(*stmt.literal);
      if (stmt.literal->kind != AttrKind::kBool || !stmt.types[0]->IsScalar(Elem::kI1)) {
        out_ += " : ";
        PrintType(stmt.types[0]);
      }
      return;
    case StmtKind::kArith:
      out_ += DialectOf(stmt.arith);
      out_ += '.';
      out_ += Info(stmt.arith).name;
      if (stmt.predicate != CmpPredicate::kNone) {
        out_ += ' ';
        out_ += NameOf(stmt.predicate);
        out_ += ',';
      }
      out_ += ' ';
      Operands(stmt.operands);
      out_ += " : ";
      if (stmt.arith == ArithOp::kSelect && !stmt.operands.empty() && stmt.operands[0].type != nullptr &&
          !stmt.operands[0].type->IsScalar(Elem::kI1)) {
        PrintType(stmt.operands[0].type);
        out_ += ", ";
      }
      PrintType(stmt.types[0]);
      if (stmt.types.size() > 1) {
        out_ += Info(stmt.arith).kind == ArithClass::kCast ? " to " : ", ";
        PrintType(stmt.types[1]);
      }
      if (stmt.arith == ArithOp::kAddUIExtended) {
        out_ += ", ";
        Type bits = *stmt.types[0];
        bits.elem = Elem::kI1;
        PrintType(&bits);
      }
      return;
    case StmtKind::kFor:
    case StmtKind::kIf:
    case StmtKind::kWhile:
      return Region(stmt);
    case StmtKind::kBranch:
      return Branch(stmt);
    case StmtKind::kYield:
      out_ += "scf.yield";
      return Passed(stmt, stmt.operands);
    case StmtKind::kReturn:
      out_ += "return";
      return Passed(stmt, stmt.operands);
    case StmtKind::kCondition:
      out_ += "scf.condition(";
      PrintOperand(stmt.operands[0]);
      out_ += ')';
      return Passed(stmt, stmt.operands.subspan(1));
    case StmtKind::kCall: {
      const bool launch = stmt.Is("simt_launch");
      const std::span<const Operand> passed = stmt.operands.subspan(launch ? 3 : 0);
      out_ += launch ? "pto.simt_launch " : "func.call ";
      Symbol(stmt.symbol);
      if (launch) {
        out_ += "<<<";
        Operands(stmt.operands.first(3));
        out_ += ">>>";
      }
      out_ += '(';
      Operands(passed);
      out_ += ") : (";
      OperandTypes(passed);
      out_ += ") -> ";
      ResultTypes(stmt.types);
      return;
    }
    case StmtKind::kVectorOp:
      return VectorOp(stmt);
    default:
      return FormOf(*stmt.info) != nullptr ? Form(stmt) : OwnForm(stmt);
  }
}

// The values that a terminator passes on, with their types.
void Printer::Passed(const Stmt&, std::span<const Operand> operands) {
  if (operands.empty()) return;
  out_ += ' ';
  Operands(operands);
  out_ += " : ";
  OperandTypes(operands);
}

void Printer::Region(const Stmt& stmt) {
  const auto pairs = [&](std::span<Value* const> names, std::span<const Operand> inits) {
    out_ += '(';
    for (size_t i = 0; i < names.size(); ++i) {
      if (i != 0) out_ += ", ";
      out_ += '%';
      out_ += names[i]->name;
      out_ += " = ";
      PrintOperand(inits[i]);
    }
    out_ += ')';
  };
  if (stmt.kind == StmtKind::kFor) {
    const Block& body = *stmt.blocks[0];
    out_ += "scf.for %";
    out_ += body.args[0]->name;
    out_ += " = ";
    PrintOperand(stmt.operands[0]);
    out_ += " to ";
    PrintOperand(stmt.operands[1]);
    out_ += " step ";
    PrintOperand(stmt.operands[2]);
    if (stmt.operands.size() > 3) {
      out_ += " iter_args";
      pairs(body.args.subspan(1), stmt.operands.subspan(3));
      out_ += " -> (";
      Types(stmt.types);
      out_ += ')';
    }
    if (!body.args[0]->type->IsIndex()) {
      out_ += " : ";
      PrintType(body.args[0]->type);
    }
    out_ += ' ';
    return PrintBlock(body);
  }
  if (stmt.kind == StmtKind::kIf) {
    out_ += "scf.if ";
    PrintOperand(stmt.operands[0]);
    if (!stmt.types.empty()) {
      out_ += " -> (";
      Types(stmt.types);
      out_ += ')';
    }
    out_ += ' ';
    PrintBlock(*stmt.blocks[0]);
    if (stmt.blocks.size() == 1) return;
    out_ += " else ";
    return PrintBlock(*stmt.blocks[1]);
  }
  out_ += "scf.while ";
  pairs(stmt.blocks[0]->args, stmt.operands);
  out_ += " : (";
  OperandTypes(stmt.operands);
  out_ += ") -> ";
  ResultTypes(stmt.types);
  out_ += ' ';
  PrintBlock(*stmt.blocks[0]);
  out_ += " do {\n";
  const Block& after = *stmt.blocks[1];
  ++indent_;
  if (!after.args.empty()) {
    Block named = after;
    named.label = "bb0";
    Label(named);
  }
  Statements(after);
  --indent_;
  Line("}");
}

}  // namespace pto::ptoas
