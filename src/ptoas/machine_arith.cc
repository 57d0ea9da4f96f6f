// Numbers: one statement of arith.
#include "src/ptoas/machine.h"
#include "src/ptoas/scalar.h"

namespace pto::ptoas {

namespace {

double SignedToFloat(Elem elem, int64_t value) {
  const auto word = static_cast<uint64_t>(value);
  return IntToFloat(elem, value < 0, value < 0 ? 0 - word : word);
}

}  // namespace

bool Machine::Arith(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const RunValue& a = frame[node.in[0]];
  const size_t count = stmt.operands.size();
  if (stmt.arith == ArithOp::kSelect) {
    if (!a.Is(ValueKind::kInt)) return Fail(stmt, Rule::kUnassigned, "the condition is %s", KindName(a.kind()));
    const RunValue chosen = frame[node.in[a.integer() != 0 ? 1 : 2]];
    frame[node.out] = chosen;
    return true;
  }
  const RunValue& b = frame[node.in[count > 1 ? 1 : 0]];
  const bool ints = a.Is(ValueKind::kInt) && b.Is(ValueKind::kInt);
  const bool floats = a.Is(ValueKind::kFloat) && b.Is(ValueKind::kFloat);
  RunValue& out = frame[node.out];
  const auto want = [&](bool good) {
    return good || Fail(stmt, Rule::kUnassigned, "operands are %s and %s", KindName(a.kind()), KindName(b.kind()));
  };
  switch (Info(stmt.arith).kind) {
    case ArithClass::kIntBinary: {
      if (!want(ints)) return false;
      int64_t result = 0;
      if (!IntBinary(stmt.arith, node.elem, a.integer(), b.integer(), &result)) {
        return Fail(stmt, Rule::kDivisionByZero, "%lld is divided by zero", static_cast<long long>(a.integer()));
      }
      out.SetInt(result);
      return true;
    }
    case ArithClass::kFloatBinary:
      if (!want(floats)) return false;
      out.SetFloat(FloatBinary(stmt.arith, node.elem, a.number(), b.number()));
      return true;
    case ArithClass::kFloatUnary:
      if (!want(floats)) return false;
      out.SetFloat(-a.number());
      return true;
    case ArithClass::kCompare: {
      const bool compares_ints = stmt.arith == ArithOp::kCmpI;
      if (!want(compares_ints ? ints : floats)) return false;
      out.SetInt(compares_ints ? CompareInt(stmt.predicate, node.elem, a.integer(), b.integer())
                               : CompareFloat(stmt.predicate, a.number(), b.number()));
      return true;
    }
    default:
      break;
  }
  const Elem from = node.elem;
  switch (stmt.arith) {
    case ArithOp::kExtF:
    case ArithOp::kTruncF:
      if (!want(floats)) return false;
      out.SetFloat(RoundFloat(node.to, a.number()));
      return true;
    case ArithOp::kFPToSI:
    case ArithOp::kFPToUI:
      if (!want(floats)) return false;
      out.SetInt(FloatToInt(node.to, stmt.arith == ArithOp::kFPToUI, a.number()));
      return true;
    case ArithOp::kSIToFP:
      if (!want(ints)) return false;
      out.SetFloat(SignedToFloat(node.to, from == Elem::kI1 ? -a.integer() : a.integer()));
      return true;
    case ArithOp::kUIToFP:
      if (!want(ints)) return false;
      out.SetFloat(IntToFloat(node.to, false, Unsigned(from, a.integer())));
      return true;
    case ArithOp::kExtUI:
    case ArithOp::kIndexCastUI:
      if (!want(ints)) return false;
      out.SetInt(WrapInt(node.to, static_cast<int64_t>(Unsigned(from, a.integer()))));
      return true;
    case ArithOp::kBitcast: {
      if (!want(ints || floats)) return false;
      const uint64_t bits = floats ? BitsFromFloat(from, a.number()) : Unsigned(from, a.integer());
      if (IsFloat(node.to)) {
        out.SetFloat(FloatFromBits(node.to, bits));
      } else {
        out.SetInt(WrapInt(node.to, static_cast<int64_t>(bits)));
      }
      return true;
    }
    default:  // kIndexCast, kExtSI, kTruncI
      if (!want(ints)) return false;
      out.SetInt(WrapInt(node.to, from == Elem::kI1 ? -a.integer() : a.integer()));
      return true;
  }
}

}  // namespace pto::ptoas
