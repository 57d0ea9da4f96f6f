// SIMT: which numbers a statement takes (rows_simt.h), functions of work items, and launches.
#include <algorithm>
#include <map>

#include "src/ptoas/check/vector_check.h"
#include "src/ptoas/read/wording.h"
#include "src/ptoas/vector/rows_simt.h"
#include "src/ptoas/vector/simt_limits.h"

namespace pto::ptoas {
namespace {

using vec::NumberSet;
namespace simt_rows = vec::rows;

struct NumberType {
  Elem elem;
  bool two;
};
// In the order of kNumberNames.
constexpr NumberType kNumberTypes[] = {
    {Elem::kI8, false},   {Elem::kI16, false},     {Elem::kI32, false},   {Elem::kI64, false}, {Elem::kF16, false},
    {Elem::kBF16, false}, {Elem::kF32, false},     {Elem::kF64, false},   {Elem::kF16, true},  {Elem::kBF16, true},
    {Elem::kF32, true},   {Elem::kF8E4M3FN, true}, {Elem::kF8E5M2, true}, {Elem::kI1, false}};
static_assert(std::size(kNumberTypes) == std::size(simt_rows::kNumberNames));

// The bit of a type; 0: no statement takes it. Elements of memory may say their sign.
NumberSet NumberBit(const Type* type, bool signs) {
  if (type == nullptr) return 0;
  const bool two = type->kind == TypeKind::kVector && type->rank == 1 && type->dims[0] == 2;
  if (!two && type->kind != TypeKind::kScalar) return 0;
  const ElemInfo& info = Info(type->elem);
  for (size_t i = 0; i < std::size(kNumberTypes); ++i) {
    const NumberType& one = kNumberTypes[i];
    if (one.two != two) continue;
    const bool named = info.kind == ElemInfo::kUnsigned || info.kind == ElemInfo::kSigned;
    const bool width = signs && named && Info(one.elem).kind == ElemInfo::kInt && Info(one.elem).bits == info.bits;
    if (one.elem == type->elem || width) return static_cast<NumberSet>(1U << i);
  }
  return 0;
}

std::string NamesOf(NumberSet numbers) {
  std::string names;
  for (size_t i = 0; i < std::size(kNumberTypes); ++i) {
    if ((numbers >> i & 1U) != 0) names += (names.empty() ? "" : ", ") + std::string(simt_rows::kNumberNames[i]);
  }
  return names;
}

class SimtCheck : VectorCheck {
 public:
  SimtCheck(const Stmt& stmt, Diagnostics* diagnostics) : VectorCheck(stmt, diagnostics) {}

  void Run() {
    const Type* number = Number();
    if (op_.numbers != 0 && !Takes(number, op_.numbers)) return;
    if (!Caches() || !Pointee(number) || !Sign(number) || !Integer(number)) return;
    if (op_.name == "convert") Convert(TypeOf(stmt_.operands[0]), stmt_.types[0]);
  }

 private:
  // T: all operands and results of this kind have it.
  const Type* Number() {
    const Type* number = nullptr;
    const auto see = [&](const vec::Param& param, const Type* type) {
      if (param.kind != vec::Kind::kNumber || type == nullptr) return;
      if (number == nullptr) number = type;
      if (!TypesAgree(number, type) && differs_ == nullptr) differs_ = type;
    };
    for (size_t i = 0; i < op_.in.count; ++i) see(op_.in.all[i], TypeOf(stmt_.operands[i]));
    for (size_t i = 0; i < stmt_.types.size(); ++i) see(op_.out.all[i], stmt_.types[i]);
    return number;
  }

  bool Takes(const Type* number, NumberSet numbers) {
    if (differs_ != nullptr) {
      return Refuse(TextRule::kVectorElement, "%.*s has numbers of one type, not %s and %s", PTO_NAME(op_.name),
                    Describe(number).c_str(), Describe(differs_).c_str());
    }
    const bool memory = numbers == simt_rows::kInMemory;
    if ((NumberBit(number, memory) & numbers) != 0) return true;
    return Refuse(TextRule::kVectorElement, "%.*s has no numbers of %s; it takes %s", PTO_NAME(op_.name),
                  Describe(number).c_str(), NamesOf(numbers).c_str());
  }

  // The elements that a pointer is to are such numbers.
  bool Pointee(const Type* number) {
    for (size_t i = 0; i < op_.in.count; ++i) {
      if (op_.in.all[i].kind != vec::Kind::kPointer) continue;
      const Type& pointer = *TypeOf(stmt_.operands[i]);
      if (pointer.elem != number->elem || pointer.LanesAt() != number->Lanes()) {
        return Refuse(TextRule::kVectorElement, "%.*s of %s through %s", PTO_NAME(op_.name), Describe(number).c_str(),
                      Describe(&pointer).c_str());
      }
      if (op_.name.starts_with("atomic") && pointer.local && pointer.loc != Loc::kVec) {
        return Refuse(TextRule::kOperandType, "%.*s is of elements in global memory or UB, not of %s",
                      PTO_NAME(op_.name), Describe(&pointer).c_str());
      }
      if (op_.name.starts_with("atomic") && pointer.local && pointer.elem == Elem::kI64) {
        return Refuse(TextRule::kVectorElement, "%.*s has numbers of i64 in global memory only", PTO_NAME(op_.name));
      }
    }
    return true;
  }

  bool Sign(const Type* number) {
    if (op_.signs == vec::Signs::kNone || op_.name == "convert") return true;
    const bool integer = number == nullptr || IsInteger(number->elem);
    const bool given = Given("signed") != nullptr || Given("unsigned") != nullptr;
    if (Given("signed") != nullptr && Given("unsigned") != nullptr) {
      return Refuse(TextRule::kVectorMode, "%.*s is signed or unsigned, not both", PTO_NAME(op_.name));
    }
    if (given && !integer) {
      return Refuse(TextRule::kVectorMode, "%.*s of %s takes neither signed nor unsigned", PTO_NAME(op_.name),
                    Describe(number).c_str());
    }
    if (given || !integer || op_.signs == vec::Signs::kMay) return true;
    return Refuse(TextRule::kVectorMode, "%.*s of integers takes signed or unsigned", PTO_NAME(op_.name));
  }

  // Words without a value, in parentheses: one of these.
  bool OneWord(std::string_view clause, std::initializer_list<std::string_view> words) {
    const Clause* given = Given(clause);
    if (given == nullptr) return true;
    const bool one = given->options.size() == 1 && given->options[0].value == nullptr && given->begin == given->end;
    const std::string_view word = one ? given->options[0].name : std::string_view();
    if (one && (words.size() == 0 || std::find(words.begin(), words.end(), word) != words.end())) return true;
    std::string known;
    for (const std::string_view other : words) known.append(known.empty() ? "" : ", ").append(other);
    return Refuse(TextRule::kVectorMode, "%.*s of %.*s is %s%s, not '%.*s'", PTO_NAME(clause), PTO_NAME(op_.name),
                  words.size() == 0 ? "one word" : "one of ", known.c_str(), PTO_NAME(word));
  }

  bool Caches() {
    for (const std::string_view word : {"sat", "nosat", "signed", "unsigned"}) {
      const Clause* given = Given(word);
      if (given == nullptr || given->options.empty()) continue;
      return Refuse(TextRule::kVectorMode, "%.*s has nothing in parentheses", PTO_NAME(word));
    }
    // Hints have no effect on values; devices know more of them than documents list.
    return OneWord("l1cache", {"cache", "uncache"}) && OneWord("l2cache", {});
  }

  bool Integer(const Type* number) {
    if (op_.integer.empty()) return true;
    const Attr* attr = FindAttr(stmt_.attrs, op_.integer);
    const bool slot = op_.integer == "slot";
    if (attr == nullptr && !slot) return true;
    if (attr == nullptr || attr->kind != AttrKind::kInt) {
      return Refuse(slot ? TextRule::kSimtSlot : TextRule::kVectorMode, "%.*s takes {%.*s = number}",
                    PTO_NAME(op_.name), PTO_NAME(op_.integer));
    }
    if (!slot && attr->integer != 16 && attr->integer != 32) {
      return Refuse(TextRule::kVectorMode, "width of %.*s is one of 16, 32, not %lld", PTO_NAME(op_.name),
                    static_cast<long long>(attr->integer));
    }
    const int64_t last = attr->integer + (Info(number->elem).bits == 64 ? 1 : 0);
    if (!slot || (attr->integer >= 0 && last < vec::kSimtSlots)) return true;
    return Refuse(TextRule::kSimtSlot, "slot %lld, where there are 0 to %d%s", static_cast<long long>(attr->integer),
                  vec::kSimtSlots - 1, last != attr->integer ? "; a number of 64 bits takes two" : "");
  }

  bool Convert(const Type* from, const Type* to) {
    using namespace simt_rows;  // NOLINT(google-build-using-namespace): names of sets
    const NumberSet s = NumberBit(from, false);
    const NumberSet d = NumberBit(to, false);
    const auto between = [&](NumberSet a, NumberSet b) {
      return ((s & a) != 0 && (d & b) != 0) || ((s & b) != 0 && (d & a) != 0);
    };
    const bool small = s == kTwoF32 && (d & (kTwoE4M3 | kTwoE5M2)) != 0;
    const bool known =
        between(kRounded, kNumBits) || (between(kRounded, kRounded) && s != d) || between(kTwoF32, kTwoHalves) || small;
    if (!known) {
      return Refuse(TextRule::kVectorElement, "convert has no conversion from %s to %s", Describe(from).c_str(),
                    Describe(to).c_str());
    }
    const bool integer = ((s | d) & kNumBits) != 0;
    const bool sat = Given("sat") != nullptr;
    if (sat == (Given("nosat") != nullptr)) {
      return Refuse(TextRule::kVectorMode, "convert takes either sat or nosat");
    }
    if ((Given("signed") != nullptr) + (Given("unsigned") != nullptr) != (integer ? 1 : 0)) {
      return Refuse(TextRule::kVectorMode, "convert from %s to %s takes %s", Describe(from).c_str(),
                    Describe(to).c_str(), integer ? "either signed or unsigned" : "neither signed nor unsigned");
    }
    if (!sat && ((d & kNumBits) != 0 || small)) {
      return Refuse(TextRule::kVectorMode, "convert to %s takes sat", Describe(to).c_str());
    }
    if (Given("round") == nullptr) return Refuse(TextRule::kVectorMode, "convert takes round(r), r, f, c, z or o");
    if (const std::string_view mode = vec::OptionOf(Given("round")); mode == "a" || mode == "h") {
      return Refuse(TextRule::kUnsupportedInstruction, "convert with round(%.*s) is not executed: %s", PTO_NAME(mode),
                    mode == "a" ? "documents disagree whether it rounds ties or everything away from zero"
                                : "no document gives it a meaning");
    }
    if (!OneWord("round", {"r", "f", "c", "z", "o"})) return false;
    const std::string_view mode = vec::OptionOf(Given("round"));
    const bool narrows = (s & (kNumF32 | kTwoF32)) != 0 && !integer && !small;
    if ((mode == "o" && !narrows) || (mode != "r" && small)) {
      return Refuse(TextRule::kVectorMode, "convert from %s to %s takes round(r)%s", Describe(from).c_str(),
                    Describe(to).c_str(), small ? "" : ", f, c or z");
    }
    return true;
  }

  const Type* differs_ = nullptr;
};

// What a work item may run beside the SIMT statements. Whatever else there is belongs to a whole core.
bool IsItemStmt(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kArith:
    case StmtKind::kConstant:
    case StmtKind::kIf:
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kYield:
    case StmtKind::kCondition:
    case StmtKind::kReturn:
      return true;
    case StmtKind::kVectorOp:
      return (stmt.vector->family == vec::Family::kSimt && stmt.vector->scope != vec::Scope::kHost) ||
             stmt.vector->family == vec::Family::kPointer;
    default:
      return stmt.Is("addptr") || stmt.Is("load") || stmt.Is("load_scalar") || stmt.Is("store") ||
             stmt.Is("store_scalar") || stmt.Is("vector.broadcast") || stmt.Is("vector.extract") ||
             stmt.Is("vector.insert") || stmt.Is("vector.splat");
  }
}

// Whether a statement only makes numbers: it may be before pto.resume and after pto.keep.
bool OnlyCounts(const Stmt& stmt) {
  const bool computes = stmt.vector != nullptr && stmt.vector->scope == vec::Scope::kItem && stmt.operands.empty() &&
                        stmt.vector->integer.empty() && !stmt.vector->group;
  return computes || stmt.kind == StmtKind::kArith || stmt.kind == StmtKind::kConstant ||
         (stmt.vector != nullptr && stmt.vector->family == vec::Family::kPointer) || stmt.Is("addptr");
}

bool IsSlot(const Stmt& stmt, std::string_view name) { return stmt.vector != nullptr && stmt.vector->name == name; }

}  // namespace

void CheckSimtOp(const Stmt& stmt, Diagnostics* diagnostics) { SimtCheck(stmt, diagnostics).Run(); }

void Verifier::CheckItemStmt(const Stmt& stmt) {
  if (IsItemStmt(stmt)) return;
  Error(TextRule::kSimtScope, stmt, "%.*s does not belong in a function of work items", PTO_NAME(stmt.name));
}

// One block, no results; slots are resumed first and kept last.
void Verifier::CheckSimtFunc(const Func& func) {
  const auto error = [&](const char* what) {
    diagnostics_->Error(TextRule::kSimtScope, func.offset, func.length, "@%.*s %s", PTO_NAME(func.name), what);
  };
  if (!func.result_types.empty()) error("is a function of work items and makes values");
  if (func.body->next != nullptr) error("is a function of work items with several blocks");
  bool resumes = true;
  const Stmt* kept = nullptr;
  std::map<int64_t, const Stmt*> slots;
  for (const Stmt* stmt : func.body->stmts) {
    if (IsSlot(*stmt, "resume")) {
      if (!resumes) Error(TextRule::kSimtSlot, *stmt, "resume is after a statement that is not arithmetic");
      continue;
    }
    if (IsSlot(*stmt, "keep")) {
      resumes = false;
      kept = stmt;
      const int64_t slot = IntAttr(*stmt, "slot", 0);
      const Type* type = stmt->operands.empty() ? nullptr : TypeOf(stmt->operands[0]);
      const int count = type != nullptr && Info(type->elem).bits == 64 ? 2 : 1;
      for (int64_t i = slot; i < slot + count; ++i) {
        if (!slots.emplace(i, stmt).second) {
          Error(TextRule::kSimtSlot, *stmt, "slot %lld is kept twice", static_cast<long long>(i));
          break;
        }
      }
      continue;
    }
    if (OnlyCounts(*stmt) || stmt->kind == StmtKind::kReturn) continue;
    resumes = false;
    if (kept != nullptr) {
      Error(TextRule::kSimtSlot, *kept, "keep is before a statement that is not arithmetic");
      kept = nullptr;
    }
  }
  const auto inside = [&](const auto& self, const Block& block, bool outer) -> void {
    for (const Stmt* stmt : block.stmts) {
      if (!outer && (IsSlot(*stmt, "keep") || IsSlot(*stmt, "resume"))) {
        Error(TextRule::kSimtSlot, *stmt, "%.*s is in a loop or a branch", PTO_NAME(stmt->name));
      }
      for (const Block* inner : stmt->blocks) self(self, *inner, false);
    }
  };
  inside(inside, *func.body, true);
}

// What a call passes. Of a launch it also judges how many work items there are.
std::span<const Operand> Verifier::CheckLaunch(const Stmt& call) {
  const bool launch = call.Is("simt_launch");
  const Func& callee = *call.callee;
  if (launch && !callee.simt) {
    Error(TextRule::kSimtScope, call, "@%.*s has no pto.simt_entry", PTO_NAME(call.symbol));
  } else if (callee.simt && in_scope_) {
    Error(TextRule::kSimtScope, call, "@%.*s is launched in a pto.vecscope", PTO_NAME(call.symbol));
  }
  if (!launch) return call.operands;
  int64_t extents[3] = {};
  bool known = true;
  for (size_t i = 0; i < 3; ++i) {
    const Operand& operand = call.operands[i];
    if (!NeedIndex(call, operand)) return call.operands.subspan(3);
    known = ConstantOf(operand, &extents[i]) && known;
  }
  if (!known) return call.operands.subspan(3);
  const std::string why = vec::LaunchFault(extents, callee);
  if (!why.empty()) {
    const RuleInfo& rule = pto::Info(Rule::kSimtLaunch);
    diagnostics_->Add(rule.id, RemedyInText(Rule::kSimtLaunch), call.offset, call.length, why);
  }
  return call.operands.subspan(3);
}

}  // namespace pto::ptoas
