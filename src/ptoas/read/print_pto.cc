// Instructions in their three spellings, and the dialect's other statements.
#include <algorithm>

#include "src/ptoas/read/dialect.h"
#include "src/ptoas/read/form.h"
#include "src/ptoas/read/print_impl.h"
#include "src/records/attributes.h"
#include "src/records/text_form.h"

namespace pto::ptoas {
namespace {

// A new tile of a one-line statement has no other spelling: ins/outs would need
// an alloc_tile before it, which is another program.
bool NeedsOneLine(const Stmt& stmt) {
  return std::any_of(stmt.outs.begin(), stmt.outs.end(), [&](const Operand& out) {
    return out.value != nullptr && out.value->origin == ValueOrigin::kDestination && out.value->def == &stmt;
  });
}

// Destinations that are not plain names, additional results, and a last tile that is tmp only in ins/outs.
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
    if (stmt.op == nullptr && stmt.info->name.empty()) form_ = Spelling::kSsa;
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

// The dictionary precedes the operands of statements that create a pipe, and follows the operands of its uses.
void Printer::Pipe(const Stmt& stmt) {
  const StmtInfo& info = *stmt.info;
  const bool first = stmt.kind == StmtKind::kMakePipe;
  const bool buffers = first && info.core != CoreKind::kAny;
  if (first) OptionalDict(stmt.attrs);
  if (buffers) {
    out_ += " (";
    size_t begin = 0;
    for (size_t i = 0; i < stmt.ends.size(); ++i) {
      const std::span<const Operand> one = stmt.operands.subspan(begin, stmt.ends[i] - begin);
      if (one.empty()) continue;
      if (begin != 0) out_ += ", ";
      begin = stmt.ends[i];
      out_ += info.operands[i].name;
      out_ += " = ";
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
  // For another spelling that is without it.
  if (const AttributeInfo* needed = stmt.op == nullptr ? nullptr : NeededAttribute(*stmt.op);
      needed != nullptr && stmt.spelling != Spelling::kDps && GivenValue(stmt, needed->key).empty()) {
    if (!stmt.attrs.empty()) out_.pop_back();
    out_ += (stmt.attrs.empty() ? " {" : ", ") + NeededText(*needed) + "}";
  }
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

// In the form of the row. If the type is not known, it is left out together with what precedes it.
void Printer::Form(const Stmt& stmt) {
  const StmtInfo& info = *stmt.info;
  if (!info.Foreign()) out_ += "pto.";
  out_ += info.name;
  const auto group = [&](size_t at) {
    if (stmt.ends.empty()) return stmt.operands.subspan(at, 1);
    const size_t begin = at == 0 ? 0 : stmt.ends[at - 1];
    return stmt.operands.subspan(begin, stmt.ends[at] - begin);
  };
  bool blank = true;  // one is between what was written and an operand
  const auto separator = [&](const Element& element) {
    const auto punct = static_cast<char>(element.arg);
    if (element.step == Step::kComma) {
      out_ += ',';
    } else if (element.step == Step::kArrow) {
      out_ += " ->";
    } else if (element.step == Step::kWord) {
      out_ += ' ';
      out_ += WordOf(info, element);
    } else if (element.step == Step::kPunct) {
      const Element& next = *(&element + 1);
      const bool labels = punct == ':' && next.step == Step::kPunct;  // offset: [%i]
      if ((punct == ':' && !labels) || punct == '=' || (punct == '[' && !IsOperand(*(&element - 1)))) out_ += ' ';
      out_ += punct;
    }
    blank = element.step != Step::kPunct || (punct != '[' && punct != '(');
  };
  bool dict = false;
  const Element* before = nullptr;  // a separator that waits for its type
  for (const Element* at = FormOf(info); at->step != Step::kEnd; ++at) {
    switch (at->step) {
      case Step::kValue:
      case Step::kOperand:
      case Step::kList: {
        const std::span<const Operand> operands = group(at->arg);
        if (blank && !operands.empty()) out_ += ' ';
        Operands(operands);
        // For a list that is checked when it is read.
        const bool more = IsOperand(at[1]) && !group(at[1].arg).empty();
        if (more) out_ += ',';
        blank = true;
        break;
      }
      case Step::kDict:
        if (!dict) OptionalDict(stmt.attrs);
        dict = true;
        break;
      case Step::kType:
      case Step::kResultType: {
        const std::span<const Operand> operands = at->step == Step::kType ? group(at->arg) : std::span<const Operand>();
        const Type* type = at->step == Step::kResultType ? stmt.types[0]
                           : operands.empty()            ? nullptr
                                                         : operands[0].type;
        if (type == nullptr) break;
        separator(*before);
        out_ += ' ';
        PrintType(type);
        break;
      }
      case Step::kTypes:
        out_ += ' ';
        OperandTypes(stmt.operands);
        break;
      case Step::kRegion:
        out_ += ' ';
        PrintBlock(*stmt.blocks[0]);
        break;
      case Step::kMaybe: {
        const Element* operand = at + 1;
        while (operand < at + at->arg && !IsOperand(*operand)) ++operand;
        if (IsOperand(*operand) && group(operand->arg).empty()) at += at->arg;
        break;
      }
      case Step::kPunct:
      case Step::kWord:
      case Step::kArrow:
      case Step::kComma:
        before = at;
        if (!IsType(at[1])) separator(*at);
        break;
      default:
        break;
    }
  }
}

void Printer::OwnForm(const Stmt& stmt) {
  const std::span<const Operand> operands = stmt.operands;
  out_ += "pto.";
  out_ += stmt.name;
  const auto type_of = [&](const char* before, const Type* type) {
    if (type == nullptr) return;
    out_ += before;
    PrintType(type);
  };
  switch (stmt.kind) {
    case StmtKind::kSubset:
      out_ += ' ';
      if (stmt.sizes[0] == kDynamic) {
        // The remaining case: only this form expresses it.
        Operands(operands);
        type_of(" : ", operands[0].type);
        out_ += ", i16, i16";
        return;
      }
      PrintOperand(operands[0]);
      out_ += '[';
      Operands(operands.subspan(1, 2));
      out_ += "] sizes [" + std::to_string(stmt.sizes[0]) + ", " + std::to_string(stmt.sizes[1]) + ']';
      if (operands.size() > 3) {
        out_ += " valid [";
        Operands(operands.subspan(3));
        out_ += ']';
      }
      OptionalDict(stmt.attrs);
      type_of(" : ", operands[0].type);
      if (!stmt.Is("subview") || SameType(*stmt.types[0], SubviewType(operands[0], stmt.sizes, operands.subspan(3))))
        return;
      return type_of(" -> ", stmt.types[0]);
    case StmtKind::kSyncAll: {
      out_ += '(';
      Operands(operands);
      if (!operands.empty()) out_ += " : ";
      OperandTypes(operands);
      out_ += ')';
      const char* comma = " ";
      for (const NamedAttr& entry : stmt.attrs) {
        out_.append(comma).append(entry.name).append(" = ");
        PrintAttr(ValueOf(entry));
        comma = ", ";
      }
      return;
    }
    case StmtKind::kSection:
      out_ += '(';
      Operands(operands);
      out_ += ") {\n";
      ++indent_;
      if (!stmt.blocks[0]->args.empty()) {
        Block named = *stmt.blocks[0];
        named.label = "bb0";
        Label(named);
      }
      Statements(*stmt.blocks[0]);
      --indent_;
      Line("} : (");
      OperandTypes(operands);
      out_ += ") -> ()";
      return;
    case StmtKind::kTassign:
      out_ += ' ';
      Operands(operands);
      OptionalDict(stmt.attrs);
      type_of(" : ", operands[0].type);
      type_of(", ", operands[1].type);
      if (!stmt.results.empty() && operands[0].type != nullptr) type_of(" -> ", stmt.types[0]);
      return;
    case StmtKind::kSync:
    case StmtKind::kCoreSet:
    case StmtKind::kCoreWait:
      if (stmt.around == Around::kIns) {
        out_ += " ins";
        Group(operands);
        if (!stmt.outs.empty()) {
          out_ += " outs";
          Group(stmt.outs);
        }
      } else if (stmt.around == Around::kBrackets) {
        out_ += '[';
        Operands(operands);
        out_ += ']';
      } else if (!operands.empty()) {
        out_ += ' ';
        Operands(operands);
      }
      OptionalDict(stmt.attrs);
      if (stmt.around != Around::kIns && Typed(operands)) {
        out_ += " : ";
        OperandTypes(operands);
      }
      return;
    case StmtKind::kOther:  // tgetval
      if (operands[0].type != nullptr && operands[1].type != nullptr) {
        out_ += " ins";
        Group(operands);
        type_of(" outs : ", stmt.types[0]);
        return OptionalDict(stmt.attrs);
      }
      out_ += ' ';
      Operands(operands);
      OptionalDict(stmt.attrs);
      if (stmt.types[0] == nullptr) return;
      type_of(" : ", operands[0].type);
      return type_of(operands[0].type == nullptr ? " : () -> " : " -> ", stmt.types[0]);
    default:
      return Pipe(stmt);
  }
}

}  // namespace pto::ptoas
