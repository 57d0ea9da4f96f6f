// The operations of arith and math, each once, and look-up of names.
#include "src/ptoas/read/dialect.h"

#include <algorithm>
#include <iterator>

#include "src/records/table.h"

namespace pto::ptoas {
namespace {

constexpr ArithInfo kArith[] = {
    {"", ArithClass::kIntBinary},
    {"addi", ArithClass::kIntBinary},
    {"subi", ArithClass::kIntBinary},
    {"muli", ArithClass::kIntBinary},
    {"divsi", ArithClass::kIntBinary},
    {"divui", ArithClass::kIntBinary},
    {"remsi", ArithClass::kIntBinary},
    {"remui", ArithClass::kIntBinary},
    {"ceildivsi", ArithClass::kIntBinary},
    {"ceildivui", ArithClass::kIntBinary},
    {"floordivsi", ArithClass::kIntBinary},
    {"andi", ArithClass::kIntBinary},
    {"ori", ArithClass::kIntBinary},
    {"xori", ArithClass::kIntBinary},
    {"shli", ArithClass::kIntBinary},
    {"shrsi", ArithClass::kIntBinary},
    {"shrui", ArithClass::kIntBinary},
    {"minsi", ArithClass::kIntBinary},
    {"maxsi", ArithClass::kIntBinary},
    {"minui", ArithClass::kIntBinary},
    {"maxui", ArithClass::kIntBinary},
    {"addf", ArithClass::kFloatBinary},
    {"subf", ArithClass::kFloatBinary},
    {"mulf", ArithClass::kFloatBinary},
    {"divf", ArithClass::kFloatBinary},
    {"remf", ArithClass::kFloatBinary},
    {"maximumf", ArithClass::kFloatBinary},
    {"minimumf", ArithClass::kFloatBinary},
    {"maxnumf", ArithClass::kFloatBinary},
    {"minnumf", ArithClass::kFloatBinary},
    {"negf", ArithClass::kFloatUnary},
    {"cmpi", ArithClass::kCompare},
    {"cmpf", ArithClass::kCompare},
    {"select", ArithClass::kSelect},
    {"index_cast", ArithClass::kCast},
    {"index_castui", ArithClass::kCast},
    {"extsi", ArithClass::kCast},
    {"extui", ArithClass::kCast},
    {"trunci", ArithClass::kCast},
    {"extf", ArithClass::kCast},
    {"truncf", ArithClass::kCast},
    {"sitofp", ArithClass::kCast},
    {"uitofp", ArithClass::kCast},
    {"fptosi", ArithClass::kCast},
    {"fptoui", ArithClass::kCast},
    {"bitcast", ArithClass::kCast},
    {"addui_extended", ArithClass::kIntExtended},
    {"mulsi_extended", ArithClass::kIntExtended},
    {"mului_extended", ArithClass::kIntExtended},
    {"absi", ArithClass::kIntUnary},
    {"ctlz", ArithClass::kIntUnary},
    {"cttz", ArithClass::kIntUnary},
    {"ctpop", ArithClass::kIntUnary},
    {"absf", ArithClass::kFloatUnary},
    {"ceil", ArithClass::kFloatUnary},
    {"floor", ArithClass::kFloatUnary},
    {"trunc", ArithClass::kFloatUnary},
    {"round", ArithClass::kFloatUnary},
    {"roundeven", ArithClass::kFloatUnary},
    {"sqrt", ArithClass::kFloatUnary},
    {"copysign", ArithClass::kFloatBinary},
    {"fma", ArithClass::kFloatTernary},
    {"isfinite", ArithClass::kFloatTest},
    {"isinf", ArithClass::kFloatTest},
    {"isnan", ArithClass::kFloatTest},
    {"isnormal", ArithClass::kFloatTest},
    {"ipowi", ArithClass::kIntBinary},
    {"fpowi", ArithClass::kFloatIntPower},
    {"sincos", ArithClass::kFloatTwo},
    {"sin", ArithClass::kFloatUnary},
    {"cos", ArithClass::kFloatUnary},
    {"tan", ArithClass::kFloatUnary},
    {"asin", ArithClass::kFloatUnary},
    {"acos", ArithClass::kFloatUnary},
    {"atan", ArithClass::kFloatUnary},
    {"atan2", ArithClass::kFloatBinary},
    {"sinh", ArithClass::kFloatUnary},
    {"cosh", ArithClass::kFloatUnary},
    {"tanh", ArithClass::kFloatUnary},
    {"asinh", ArithClass::kFloatUnary},
    {"acosh", ArithClass::kFloatUnary},
    {"atanh", ArithClass::kFloatUnary},
    {"expm1", ArithClass::kFloatUnary},
    {"log1p", ArithClass::kFloatUnary},
    {"log2", ArithClass::kFloatUnary},
    {"log10", ArithClass::kFloatUnary},
    {"cbrt", ArithClass::kFloatUnary},
    {"erf", ArithClass::kFloatUnary},
    {"erfc", ArithClass::kFloatUnary},
    {"exp", ArithClass::kFloatUnary},
    {"exp2", ArithClass::kFloatUnary},
    {"log", ArithClass::kFloatUnary},
    {"rsqrt", ArithClass::kFloatUnary},
    {"powf", ArithClass::kFloatBinary},
};
static_assert(std::size(kArith) == static_cast<size_t>(kLastArith) + 1);

constexpr const char* kPredicates[] = {
    "",    "eq",  "ne",  "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "false", "oeq",  "ogt",
    "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",   "true",
};
static_assert(std::size(kPredicates) == static_cast<size_t>(CmpPredicate::kTrue) + 1);

}  // namespace

std::span<const OpInfo* const> FindInstruction(std::string_view mnemonic) {
  char folded[64];
  if (mnemonic.size() > sizeof folded) return {};
  std::replace_copy(mnemonic.begin(), mnemonic.end(), folded, '.', '_');
  return FormsOf(std::string_view(folded, mnemonic.size()));
}

const ArithInfo& Info(ArithOp op) { return kArith[static_cast<int>(op)]; }

int OperandsOf(ArithClass kind) {
  switch (kind) {
    case ArithClass::kSelect:
    case ArithClass::kFloatTernary:
      return 3;
    case ArithClass::kIntUnary:
    case ArithClass::kFloatUnary:
    case ArithClass::kFloatTest:
    case ArithClass::kFloatTwo:
    case ArithClass::kCast:
      return 1;
    default:
      return 2;
  }
}

ArithOp FindArith(std::string_view dialect, std::string_view name) {
  const bool math = dialect == "math";
  const auto split = static_cast<size_t>(kFirstMath);
  for (size_t i = math ? split : 1; i < (math ? std::size(kArith) : split); ++i) {
    if (name == kArith[i].name) return static_cast<ArithOp>(i);
  }
  return ArithOp::kNone;
}

const char* NameOf(CmpPredicate predicate) { return kPredicates[static_cast<int>(predicate)]; }

CmpPredicate FindPredicate(std::string_view name, bool floats) {
  const size_t split = static_cast<size_t>(CmpPredicate::kFalse);
  const size_t begin = floats ? split : 1;
  const size_t end = floats ? std::size(kPredicates) : split;
  for (size_t i = begin; i < end; ++i) {
    if (name == kPredicates[i]) return static_cast<CmpPredicate>(i);
  }
  return CmpPredicate::kNone;
}

}  // namespace pto::ptoas
