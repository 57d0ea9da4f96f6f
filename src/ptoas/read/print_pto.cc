// Instructions in their three spellings, and the dialect's other statements.
#include <algorithm>

#include "src/ops/text_form.h"
#include "src/ptoas/read/dialect.h"
#include "src/ptoas/read/print_impl.h"

namespace pto::ptoas {
namespace {

// A new tile of a one-line statement has no other spelling: ins/outs would need
// an alloc_tile before it, which is another program.
bool NeedsOneLine(const Stmt& stmt) {
  return std::any_of(stmt.outs.begin(), stmt.outs.end(), [&](const Operand& out) {
    return out.value != nullptr && out.value->origin == ValueOrigin::kDestination && out.value->def == &stmt;
  });
}

// Destinations that are not plain names, results beside them, and a last tile that only ins/outs says to be tmp.
bool NeedsDps(const Stmt& stmt) {
  if (!stmt.types.empty() || stmt.kind == StmtKind::kTSetVal) return true;
  const std::span<const OpInfo* const> forms = FindInstruction(stmt.name);
  const auto differs = [&](const OpInfo* form) { return DifferByTmp(*stmt.op, *form, stmt.operands.size()); };
  if (stmt.op != nullptr && std::any_of(forms.begin(), forms.end(), differs)) return true;
  if (stmt.Stores()) return stmt.outs.size() != 1;
  return std::any_of(stmt.outs.begin(), stmt.outs.end(), [](const Operand& out) {
    // An undefined name would become a definition.
    return out.value == nullptr || out.index != 0 || !out.indices.empty() || out.value->pack > 1;
  });
}

// Whether types were written: of operands that have some, all do or none.
bool Typed(std::span<const Operand> operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) { return operand.type != nullptr; });
}

}  // namespace

void Printer::Instruction(const Stmt& stmt) {
  const Spelling wanted = as_written_ ? stmt.spelling : form_;
  const Spelling kept = form_;
  if (wanted == Spelling::kDps ? NeedsOneLine(stmt) : !NeedsDps(stmt)) {
    form_ = wanted == Spelling::kDps ? (stmt.spelling == Spelling::kDps ? Spelling::kSsa : stmt.spelling) : wanted;
    // Without the prefix an unknown name could be a keyword.
    if (stmt.op == nullptr && stmt.dialect == nullptr) form_ = Spelling::kSsa;
    OneLine(stmt, form_);
  } else {
    form_ = Spelling::kDps;
    Dps(stmt);
  }
  form_ = kept;
}

// One `ins` group after another: operands, types.
void Printer::Group(std::span<const Operand> operands) {
  out_ += '(';
  size_t begin = 0;
  while (begin < operands.size()) {
    size_t end = begin + 1;
    while (end < operands.size() && operands[end].group == operands[begin].group) ++end;
    const std::span<const Operand> group = operands.subspan(begin, end - begin);
    if (begin != 0) out_ += ", ";
    Operands(group);
    if (Typed(group)) {
      out_ += " : ";
      OperandTypes(group);
    }
    begin = end;
  }
  out_ += ')';
}

// The dictionary stands before the operands of what makes a pipe, and behind those of what uses one.
void Printer::Pipe(const Stmt& stmt) {
  const auto code = static_cast<PipeCode>(stmt.code);
  const bool buffers = code == PipeCode::kInitAic || code == PipeCode::kInitAiv;
  const bool first = buffers || code == PipeCode::kInit;
  if (first) OptionalDict(stmt.attrs);
  if (buffers) {
    const char* keys[] = {"gm_slot_buffer = ", "c2v_consumer_buf = ", "v2c_consumer_buf = "};
    const bool given[] = {stmt.has_addr, stmt.has_valid_row, stmt.has_valid_col};
    out_ += " (";
    size_t next = 0;
    for (size_t i = 0; i < 3 && next < stmt.operands.size(); ++i) {
      if (!given[i]) continue;
      const std::span<const Operand> one = stmt.operands.subspan(next++, 1);
      out_ += next == 1 ? "" : ", ";
      out_ += keys[i];
      Operands(one);
      if (!Typed(one)) continue;
      out_ += " : ";
      OperandTypes(one);
    }
    out_ += ')';
  } else if (!stmt.operands.empty()) {
    if (first) out_ += ' ';
    Group(stmt.operands);
  }
  if (!first) OptionalDict(stmt.attrs);
  if (stmt.types.empty()) return;
  out_ += " -> ";
  ResultTypes(stmt.types);
}

void Printer::Dps(const Stmt& stmt) {
  out_ += "pto.";
  out_ += stmt.name;
  if (!stmt.operands.empty() || stmt.outs.empty()) {
    out_ += " ins";
    Group(stmt.operands);
  }
  if (!stmt.outs.empty()) {
    out_ += " outs";
    Group(stmt.outs);
  }
  OptionalDict(stmt.attrs);
  if (!stmt.types.empty()) {
    out_ += " -> ";
    ResultTypes(stmt.types);
  }
}

void Printer::OneLine(const Stmt& stmt, Spelling spelling) {
  const bool store = stmt.Stores();
  if (!store && !stmt.outs.empty()) {
    Operands(stmt.outs);
    out_ += " = ";
  }
  if (spelling == Spelling::kSsa) out_ += "pto.";
  out_ += stmt.name;
  if (!stmt.operands.empty()) out_ += ' ';
  Operands(stmt.operands);
  if (store) {
    out_ += ", ";
    Operands(stmt.outs);
  }
  OptionalDict(stmt.attrs);
  const bool ins = Typed(stmt.operands);
  const bool outs = Typed(stmt.outs);
  if (!ins && !outs) return;
  const std::span<const Operand> none;
  const std::span<const Operand> left = ins ? std::span<const Operand>(stmt.operands) : none;
  const std::span<const Operand> right = outs ? std::span<const Operand>(stmt.outs) : none;
  out_ += " : ";
  // One type for all is enough in the assembly form, where no form has numbers, whose types would be left out.
  const Type* first = ins ? stmt.operands[0].type : nullptr;
  const auto is_first = [first](const Operand& operand) { return operand.type == first; };
  const std::span<const OpInfo* const> forms = FindInstruction(stmt.name);
  const bool numbers = std::any_of(forms.begin(), forms.end(), [](const OpInfo* form) { return TakesNumbers(*form); });
  if (spelling == Spelling::kAsm && !store && !numbers && first != nullptr &&
      std::all_of(left.begin(), left.end(), is_first) && std::all_of(stmt.outs.begin(), stmt.outs.end(), is_first)) {
    return PrintType(first);
  }
  out_ += '(';
  OperandTypes(left);
  if (store) {
    if (ins && outs) out_ += ", ";
    OperandTypes(right);
    out_ += ") -> ()";
    return;
  }
  out_ += ") -> ";
  if (right.size() != 1) out_ += '(';
  OperandTypes(right);
  if (right.size() != 1) out_ += ')';
}

void Printer::Vector(const Stmt& stmt) {
  static constexpr const char* kBetween[] = {" from ", " into ", " to ", ""};
  const auto code = static_cast<VectorCode>(stmt.code);
  const std::span<const Operand> operands = stmt.operands;
  const size_t fixed = code == VectorCode::kInsert ? 2 : 1;
  out_ += ' ';
  Operands(operands.first(fixed));
  if (code == VectorCode::kExtract || code == VectorCode::kInsert) {
    out_ += '[';
    Operands(operands.subspan(fixed));
    out_ += ']';
  }
  OptionalDict(stmt.attrs);
  out_ += " : ";
  PrintType(code == VectorCode::kExtract || code == VectorCode::kSplat ? stmt.types[0] : operands[0].type);
  if (code == VectorCode::kSplat) return;
  out_ += kBetween[stmt.code];
  PrintType(code == VectorCode::kExtract ? operands[0].type : stmt.types[0]);
}

void Printer::Dialect(const Stmt& stmt) {
  const std::span<const Operand> operands = stmt.operands;
  const bool foreign =
      stmt.kind == StmtKind::kVector || stmt.kind == StmtKind::kMemrefLoad || stmt.kind == StmtKind::kMemrefStore;
  if (!foreign) out_ += "pto.";
  out_ += stmt.name;
  const auto result_type = [&](const char* before) {
    out_ += before;
    PrintType(stmt.types[0]);
  };
  const auto list = [&](const char* name, std::span<const Operand> items) {
    out_ += name;
    out_ += " = [";
    Operands(items);
    out_ += ']';
  };
  const auto type_of = [&](const char* before, const Operand& operand) {
    if (operand.type == nullptr) return;
    out_ += before;
    PrintType(operand.type);
  };
  switch (stmt.kind) {
    case StmtKind::kMakeTensorView:
      out_ += ' ';
      PrintOperand(operands[0]);
      list(", shape", operands.subspan(1, stmt.split));
      list(", strides", operands.subspan(1 + size_t{stmt.split}));
      OptionalDict(stmt.attrs);
      return result_type(" : ");
    case StmtKind::kPartitionView:
      out_ += ' ';
      PrintOperand(operands[0]);
      list(", offsets", operands.subspan(1, stmt.split));
      list(", sizes", operands.subspan(1 + size_t{stmt.split}));
      OptionalDict(stmt.attrs);
      type_of(" : ", operands[0]);
      return result_type(" -> ");
    case StmtKind::kAllocTile: {
      if (stmt.code == static_cast<uint8_t>(AllocCode::kDeclare)) {
        OptionalDict(stmt.attrs);
        return result_type(" -> ");
      }
      if (stmt.code == static_cast<uint8_t>(AllocCode::kPointerCast)) {
        out_ += '(';
        PrintOperand(operands[0]);
        out_ += operands.size() > 1 ? ") " : ")";
        Operands(operands.subspan(1));
        OptionalDict(stmt.attrs);
        return result_type(" : ");
      }
      static constexpr const char* kKeys[] = {" addr = ", " valid_row = ", " valid_col = "};
      const bool has[] = {stmt.has_addr, stmt.has_valid_row, stmt.has_valid_col};
      size_t next = 0;
      for (int i = 0; i < 3; ++i) {
        if (!has[i]) continue;
        out_ += kKeys[i];
        PrintOperand(operands[next++]);
      }
      OptionalDict(stmt.attrs);
      return result_type(" : ");
    }
    case StmtKind::kTensorViewDim:
    case StmtKind::kTreshape:
    case StmtKind::kBitcast:
    case StmtKind::kBindTile:
    case StmtKind::kAddressOf:
    case StmtKind::kAddPtr:
      out_ += ' ';
      Operands(operands);
      OptionalDict(stmt.attrs);
      type_of(" : ", operands[0]);
      return result_type(" -> ");
    case StmtKind::kSetValidShape:
      out_ += ' ';
      Operands(operands);
      OptionalDict(stmt.attrs);
      return type_of(" : ", operands[0]);
    case StmtKind::kSubset:
      out_ += ' ';
      if (stmt.name == "subview") {
        // All that is left: this spelling alone says it.
        Operands(operands);
        type_of(" : ", operands[0]);
        out_ += ", i16, i16";
        return;
      }
      PrintOperand(operands[0]);
      out_ += '[';
      Operands(operands.subspan(1));
      out_ += "] sizes [" + std::to_string(stmt.sizes[0]) + ", " + std::to_string(stmt.sizes[1]) + ']';
      OptionalDict(stmt.attrs);
      return type_of(" : ", operands[0]);
    case StmtKind::kTassign:
      out_ += ' ';
      Operands(operands);
      OptionalDict(stmt.attrs);
      type_of(" : ", operands[0]);
      type_of(", ", operands[1]);
      if (!stmt.results.empty() && operands[0].type != nullptr) result_type(" -> ");
      return;
    case StmtKind::kLoadScalar:
    case StmtKind::kStoreScalar: {
      const bool store = stmt.kind == StmtKind::kStoreScalar;
      out_ += ' ';
      if (store) {
        PrintOperand(operands[0]);
        out_ += ", ";
      }
      PrintOperand(operands[store ? 1 : 0]);
      out_ += '[';
      PrintOperand(operands[store ? 2 : 1]);
      out_ += ']';
      OptionalDict(stmt.attrs);
      type_of(" : ", operands[store ? 1 : 0]);
      if (store) return type_of(", ", operands[0]);
      return result_type(" -> ");
    }
    case StmtKind::kVector:
      return Vector(stmt);
    case StmtKind::kMemrefLoad:
    case StmtKind::kMemrefStore: {
      const size_t memory = stmt.kind == StmtKind::kMemrefStore ? 1 : 0;
      out_ += ' ';
      Operands(operands.first(memory + 1));
      out_ += '[';
      Operands(operands.subspan(memory + 1));
      out_ += ']';
      return type_of(" : ", operands[memory]);
    }
    case StmtKind::kTGetVal:
      if (operands[0].type != nullptr && operands[1].type != nullptr) {
        out_ += " ins";
        Group(operands);
        result_type(" outs : ");
        return OptionalDict(stmt.attrs);
      }
      out_ += ' ';
      Operands(operands);
      OptionalDict(stmt.attrs);
      if (stmt.types[0] == nullptr) return;
      type_of(" : ", operands[0]);
      return result_type(operands[0].type == nullptr ? " : () -> " : " -> ");
    case StmtKind::kSection:
      out_ += ' ';
      return PrintBlock(*stmt.blocks[0]);
    case StmtKind::kEventArray:
      if (operands.empty()) return result_type(" -> ");
      out_ += ' ';
      PrintOperand(operands[0]);
      out_ += '[';
      PrintOperand(operands[1]);
      out_ += ']';
      if (operands.size() > 2) {
        out_ += ", ";
        PrintOperand(operands[2]);
      }
      OptionalDict(stmt.attrs);
      return type_of(" : ", operands[0]);
    case StmtKind::kAsync:
      Group(operands);
      OptionalDict(stmt.attrs);
      return result_type(" -> ");
    case StmtKind::kPipe:
      return Pipe(stmt);
    case StmtKind::kSync:
    case StmtKind::kCoreSync: {
      const int written = stmt.kind == StmtKind::kSync ? stmt.code : stmt.split;
      if (written == 2) {
        out_ += " ins";
        Group(operands);
        if (!stmt.outs.empty()) {
          out_ += " outs";
          Group(stmt.outs);
        }
      } else if (written == 1) {
        out_ += '[';
        Operands(operands);
        out_ += ']';
      } else if (!operands.empty()) {
        out_ += ' ';
        Operands(operands);
      }
      OptionalDict(stmt.attrs);
      if (written != 2 && Typed(operands)) {
        out_ += " : ";
        OperandTypes(operands);
      }
      return;
    }
    default:
      return OptionalDict(stmt.attrs);  // kTrap, kBlockQuery, kMadMode: the name is all
  }
}

}  // namespace pto::ptoas
