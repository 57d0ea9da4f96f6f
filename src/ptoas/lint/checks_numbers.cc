// Arithmetic that has no effect, that a shorter way has, or that loses what it is for.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "src/ptoas/lint/checks.h"
#include "src/ptoas/run/code.h"

namespace pto::ptoas {

namespace {

const char* ElemName(const Operand& operand) {
  const Type* type = TypeOf(operand);
  return type == nullptr ? "" : Info(type->elem).name;
}
Elem ElemOf(const Operand& operand) {
  const Type* type = TypeOf(operand);
  return type != nullptr && type->kind == TypeKind::kTile ? type->elem : Elem::kNone;
}
bool IsHalf(Elem elem) { return elem == Elem::kF16 || elem == Elem::kBF16; }

// visit(facts, site, stmt, name) for the instructions that have a record.
template <class Visit>
void EachInstruction(Lint& lint, Visit visit) {
  lint.EachStatement([&](const FuncFacts& facts, int site, const Stmt& stmt) {
    if (stmt.kind == StmtKind::kInst && stmt.op != nullptr && stmt.outs.size() == 1) {
      visit(facts, site, stmt, std::string_view(stmt.op->name));
    }
  });
}

bool OneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The tile that an instruction reads, and the number beside it.
bool TileAndNumber(const Stmt& stmt, const Operand** tile, double* number) {
  const int scalar = stmt.op->ScalarIndex();
  const Operand* given = scalar < 0 ? nullptr : SourceOf(stmt, scalar);
  *tile = SourceOf(stmt, stmt.op->Outputs());
  return given != nullptr && *tile != nullptr && NumberOf(*given, number);
}

// The statement that alone wrote what a statement of the same block reads from a tile of one name.
const Stmt* WriterOf(const FuncFacts& facts, int site, const Operand& read) {
  const Value* value = Named(read);
  if (value == nullptr || facts.branches()) return nullptr;
  const Access* latest = facts.LatestChange(facts.RootOf(*value), site);
  if (latest == nullptr || latest->kind != AccessKind::kWrite || latest->operand->value != value) return nullptr;
  return facts.at(latest->site).block == facts.at(site).block ? facts.at(latest->site).stmt : nullptr;
}

// Whether a statement is the only one that reads a tile.
bool OnlyReader(const FuncFacts& facts, int site, const Operand& read) {
  const Value* value = Named(read);
  if (value == nullptr) return false;
  const Value& root = facts.RootOf(*value);
  const auto reads = [&](int first, int end) {
    return facts.Count(root, {AccessKind::kRead, AccessKind::kChange}, first, end);
  };
  const auto end = static_cast<int>(facts.sites().size());
  return facts.Count(root, {AccessKind::kEscape}, 0, end) == 0 && reads(0, site) + reads(site + 1, end) == 0;
}

}  // namespace

bool NumberOf(const Operand& operand, double* out) {
  const Attr* literal = operand.kind == OperandKind::kLiteral ? operand.literal : nullptr;
  Elem elem = Elem::kNone;
  if (operand.kind == OperandKind::kValue && operand.value != nullptr && operand.value->def != nullptr &&
      operand.value->def->kind == StmtKind::kConstant && operand.value->type != nullptr) {
    literal = operand.value->def->literal;
    elem = operand.value->type->elem;
  }
  if (literal == nullptr) return false;
  if (elem == Elem::kNone && literal->type != nullptr) elem = literal->type->elem;
  if (elem != Elem::kNone) {
    const RunValue value = NumberOf(*literal, elem);
    if (value.Is(ValueKind::kInt)) *out = static_cast<double>(value.integer());
    if (value.Is(ValueKind::kFloat)) *out = value.number();
    return value.Is(ValueKind::kInt) || value.Is(ValueKind::kFloat);
  }
  if (literal->kind == AttrKind::kInt) *out = static_cast<double>(literal->integer);
  if (literal->kind == AttrKind::kFloat) *out = literal->number.nearest;
  return literal->kind == AttrKind::kInt || literal->kind == AttrKind::kFloat;
}

void SelfMove(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    if (name != "tmov" || stmt.operands.size() != 1) return;
    const Value* from = Named(stmt.operands[0]);
    if (from != nullptr && from == Named(stmt.outs[0]))
      lint.Find(stmt, "%%%.*s is moved to itself", PTO_NAME(from->name));
  });
}

void EqualOperands(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    if (!OneOf(name, {"tsub", "tdiv", "txor", "tand", "tor", "tmax", "tmin", "tcmp", "trem", "tfmod"})) return;
    const Operand* a = SourceOf(stmt, 1);
    const Operand* b = SourceOf(stmt, 2);
    if (a == nullptr || b == nullptr || Named(*a) == nullptr || Named(*a) != Named(*b)) return;
    lint.Find(stmt, "both operands are %%%.*s", PTO_NAME(a->name));
  });
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kArith || stmt.operands.size() != 2) return;
    if (!OneOf(Info(stmt.arith).name, {"subi", "subf", "divsi", "divui", "divf", "remsi", "remui", "xori", "andi",
                                       "ori", "cmpi", "minsi", "maxsi", "minui", "maxui"}))
      return;
    const Value* a = Named(stmt.operands[0]);
    if (a != nullptr && a == Named(stmt.operands[1])) lint.Find(stmt, "both operands are %%%.*s", PTO_NAME(a->name));
  });
}

void NoOperation(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    const Operand* tile = nullptr;
    double number = 0;
    if (!TileAndNumber(stmt, &tile, &number)) return;
    const bool one = number == 1 && OneOf(name, {"tmuls", "tdivs", "tpows"});
    const bool zero = number == 0 && OneOf(name, {"tsubs", "tshls", "tshrs", "tors", "txors"});
    // x + 0 is another number for x = -0.
    const bool sum = number == 0 && name == "tadds" && !IsFloat(ElemOf(*tile));
    if (one || zero || sum) lint.Find(stmt, "%.*s by %g changes nothing", PTO_NAME(name), number);
  });
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kArith || stmt.operands.size() != 2) return;
    double number = 0;
    const std::string_view name = Info(stmt.arith).name;
    if (!NumberOf(stmt.operands[1], &number)) return;
    const bool one = number == 1 && OneOf(name, {"muli", "mulf", "divsi", "divui", "divf", "ceildivsi", "floordivsi"});
    const bool zero = number == 0 && OneOf(name, {"addi", "subi", "ori", "xori", "shli", "shrsi", "shrui"});
    if (one || zero) lint.Find(stmt, "arith.%.*s by %g changes nothing", PTO_NAME(name), number);
  });
}

void NanCompare(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    const Operand* tile = nullptr;
    double number = 0;
    if (name != "tcmps" || !TileAndNumber(stmt, &tile, &number) || !std::isnan(number)) return;
    lint.Find(stmt, "every element is compared with NaN");
  });
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kArith || stmt.arith != ArithOp::kCmpF) return;
    for (const Operand& operand : stmt.operands) {
      double number = 0;
      if (NumberOf(operand, &number) && std::isnan(number)) return lint.Find(stmt, "this is a comparison with NaN");
    }
  });
}

void ZeroDivisor(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    const Operand* tile = nullptr;
    double number = 1;
    if (!OneOf(name, {"tdivs", "trems", "tfmods"}) || !TileAndNumber(stmt, &tile, &number) || number != 0) return;
    lint.Find(stmt, "%.*s divides by 0", PTO_NAME(name));
  });
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kArith || stmt.operands.size() != 2) return;
    double number = 1;
    if (!OneOf(Info(stmt.arith).name,
               {"divsi", "divui", "divf", "remsi", "remui", "remf", "ceildivsi", "ceildivui", "floordivsi"}))
      return;
    if (NumberOf(stmt.operands[1], &number) && number == 0) lint.Find(stmt, "the divisor is 0");
  });
}

void ShiftRange(Lint& lint) {
  const auto outside = [](double count, Elem elem) {
    return elem != Elem::kNone && (count < 0 || count >= Info(elem).bits);
  };
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    const Operand* tile = nullptr;
    double count = 0;
    if (!OneOf(name, {"tshls", "tshrs"}) || !TileAndNumber(stmt, &tile, &count) || !outside(count, ElemOf(*tile)))
      return;
    lint.Find(stmt, "%s elements are shifted by %g bits", ElemName(*tile), count);
  });
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    double count = 0;
    if (stmt.kind != StmtKind::kArith || !OneOf(Info(stmt.arith).name, {"shli", "shrsi", "shrui"})) return;
    const Type* type = TypeOf(stmt.operands[0]);
    if (type == nullptr || !NumberOf(stmt.operands[1], &count) || !outside(count, type->elem)) return;
    lint.Find(stmt, "%s is shifted by %g bits", Info(type->elem).name, count);
  });
}

void SmallPower(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts& facts, int site, const Stmt& stmt, std::string_view name) {
    const Operand* base = nullptr;
    double exp = 0;
    if (name == "tpow") {
      // A tile that holds one number all over.
      const Operand* tile = SourceOf(stmt, 2);
      const Stmt* writer = tile == nullptr ? nullptr : WriterOf(facts, site, *tile);
      if (writer == nullptr || writer->op == nullptr || std::strcmp(writer->op->name, "texpands") != 0 ||
          writer->operands.empty() || !NumberOf(writer->operands[0], &exp))
        return;
    } else if (name != "tpows" || !TileAndNumber(stmt, &base, &exp)) {
      return;
    }
    const char* way = exp == 2      ? "TMUL"
                      : exp == 0.5  ? "TSQRT"
                      : exp == -0.5 ? "TRSQRT"
                      : exp == -1   ? "TRECIP"
                                    : nullptr;
    if (way != nullptr) lint.Find(stmt, "the power %g is what %s computes", exp, way);
  });
}

void DivideByPowerOfTwo(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    const Operand* tile = nullptr;
    double number = 0;
    if (name != "tdivs" || !TileAndNumber(stmt, &tile, &number) || !IsFloat(ElemOf(*tile))) return;
    int exponent = 0;
    // The reciprocal is exact, and in the range of f16.
    if (std::fabs(std::frexp(number, &exponent)) != 0.5 || exponent < -13 || exponent > 14 || std::fabs(number) == 1)
      return;
    lint.Find(stmt, "division by %g is multiplication by %g", number, 1 / number);
  });
}

void ExpandedScalar(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts& facts, int site, const Stmt& stmt, std::string_view name) {
    // The name of the form with a scalar ends with an s.
    const std::string with_scalar = std::string(name) + "s";
    if (stmt.op->walk != Walk::kMap || stmt.op->Inputs() != 2 || FindInstruction(with_scalar).empty()) return;
    const bool swaps = OneOf(name, {"tadd", "tmul", "tmax", "tmin", "tand", "tor", "txor"});
    for (const int at : {2, 1}) {
      const Operand* tile = SourceOf(stmt, at);
      if (tile == nullptr || (at == 1 && !swaps)) continue;
      const Stmt* writer = WriterOf(facts, site, *tile);
      if (writer == nullptr || writer->op == nullptr || std::strcmp(writer->op->name, "texpands") != 0) continue;
      if (!OnlyReader(facts, site, *tile)) continue;
      return lint.Find(stmt, "all elements of %%%.*s are one number, which %s takes", PTO_NAME(tile->name),
                       with_scalar.c_str());
    }
  });
}

void HalfSum(Lint& lint) {
  constexpr int64_t kMany = 64;
  EachInstruction(lint, [&](const FuncFacts& facts, int site, const Stmt& stmt, std::string_view name) {
    const Elem elem = ElemOf(stmt.outs[0]);
    if (!IsHalf(elem)) return;
    const Operand* src = SourceOf(stmt, 1);
    const Type* type = src == nullptr ? nullptr : TypeOf(*src);
    if (OneOf(name, {"trowsum", "tcolsum", "tcolsum_order"}) && type != nullptr && type->kind == TypeKind::kTile) {
      const int64_t count = name == "trowsum" ? type->valid_col : type->valid_row;
      if (count >= kMany)
        lint.Find(stmt, "%lld elements are summed in %s", static_cast<long long>(count), Info(elem).name);
      return;
    }
    // A sum that grows with every round of a loop.
    const Value* sum = Named(stmt.outs[0]);
    const int loop = facts.at(site).loop;
    if (loop == kNowhere || sum == nullptr || !OneOf(name, {"tadd", "tpartadd", "tmuladddst", "taxpy"})) return;
    const bool grows =
        std::any_of(stmt.operands.begin(), stmt.operands.end(), [&](const Operand& o) { return Named(o) == sum; });
    if (!grows && !OneOf(name, {"tmuladddst", "taxpy"})) return;
    const Value& root = facts.RootOf(*sum);
    if (facts.DefinedIn(root, loop)) return;
    const auto writes = [&](int first, int end) { return facts.Count(root, {AccessKind::kWrite}, first, end); };
    const bool restarts = writes(loop + 1, site) + writes(site + 1, facts.at(loop).end) != 0;
    if (!restarts) lint.Find(stmt, "%%%.*s sums up in %s", PTO_NAME(sum->name), Info(elem).name);
  });
}

void NarrowSum(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts&, int, const Stmt& stmt, std::string_view name) {
    const Elem elem = ElemOf(stmt.outs[0]);
    const Operand* src = SourceOf(stmt, 1);
    const Type* type = src == nullptr ? nullptr : TypeOf(*src);
    if (!IsInteger(elem) || Info(elem).bits > 16 || type == nullptr || type->kind != TypeKind::kTile) return;
    if (!OneOf(name, {"trowsum", "tcolsum", "tcolsum_order", "trowprod", "tcolprod"})) return;
    const int64_t count = name.substr(0, 4) == "trow" ? type->valid_col : type->valid_row;
    if (count > 1) {
      lint.Find(stmt, "%lld elements are combined in %s", static_cast<long long>(count), Info(elem).name);
    }
  });
}

void RepeatedOperation(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts& facts, int site, const Stmt& stmt, std::string_view name) {
    if (!OneOf(name, {"tabs", "trelu", "tneg", "tnot"}) || stmt.operands.size() != 1) return;
    const Stmt* writer = WriterOf(facts, site, stmt.operands[0]);
    if (writer == nullptr || writer->op != stmt.op) return;
    const bool twice = name == "tneg" || name == "tnot";
    lint.Find(stmt,
              twice ? "%.*s of what %.*s made is what was there before" : "%.*s of what %.*s made changes nothing",
              PTO_NAME(name), PTO_NAME(name));
  });
}

void ConvertedBack(Lint& lint) {
  EachInstruction(lint, [&](const FuncFacts& facts, int site, const Stmt& stmt, std::string_view name) {
    if (name != "tcvt" || stmt.operands.empty()) return;
    const Stmt* writer = WriterOf(facts, site, stmt.operands[0]);
    if (writer == nullptr || writer->op == nullptr || writer->op->walk != Walk::kConvert || writer->operands.empty())
      return;
    const Elem first = ElemOf(writer->operands[0]);
    const Elem middle = ElemOf(stmt.operands[0]);
    const Elem last = ElemOf(stmt.outs[0]);
    if (first != last || first == Elem::kNone || first == middle || !OnlyReader(facts, site, stmt.operands[0])) return;
    lint.Find(stmt, "%s becomes %s and %s again", Info(first).name, Info(middle).name, Info(last).name);
  });
}

}  // namespace pto::ptoas
