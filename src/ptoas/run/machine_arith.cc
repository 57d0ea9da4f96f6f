// Numbers: one statement of arith or math.
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/scalar.h"

namespace pto::ptoas {

namespace {

double SignedToFloat(Elem elem, int64_t value) {
  const auto word = static_cast<uint64_t>(value);
  return IntToFloat(elem, value < 0, value < 0 ? 0 - word : word);
}

}  // namespace

void Machine::Arith(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const RunValue& a = frame[node.in[0]];
  const size_t count = stmt.operands.size();
  if (stmt.arith == ArithOp::kSelect) {
    const bool which = IntOf(stmt, stmt.operands[0], frame) != 0;
    const RunValue chosen = frame[node.in[which ? 1 : 2]];
    frame[node.out] = chosen;
    return;
  }
  const RunValue& b = frame[node.in[count > 1 ? 1 : 0]];
  const bool ints = a.Is(ValueKind::kInt) && b.Is(ValueKind::kInt);
  const bool floats = a.Is(ValueKind::kFloat) && b.Is(ValueKind::kFloat);
  RunValue& out = frame[node.out];
  const auto want = [&](bool good) {
    if (!good) Fail(stmt, Rule::kUnassigned, "operands are %s and %s", KindName(a.kind()), KindName(b.kind()));
  };
  switch (Info(stmt.arith).kind) {
    case ArithClass::kIntBinary: {
      want(ints);
      int64_t result = 0;
      if (!IntBinary(stmt.arith, node.elem, a.integer(), b.integer(), &result)) {
        Fail(stmt, Rule::kDivisionByZero, "%lld is divided by zero", static_cast<long long>(a.integer()));
      }
      out.SetInt(result);
      return;
    }
    case ArithClass::kFloatBinary:
    case ArithClass::kFloatUnary: {
      want(floats);
      double result = 0;
      if (HasKernel(stmt.arith)) {
        if (!kernel_math_.Compute(stmt.arith, node.elem, a.number(), b.number(), &result)) {
          Fail(stmt, Rule::kRunUnsupported, "math.%s of %s", Info(stmt.arith).name, Info(node.elem).name);
        }
      } else {
        result = count > 1 ? FloatBinary(stmt.arith, node.elem, a.number(), b.number())
                           : FloatUnary(stmt.arith, node.elem, a.number());
      }
      out.SetFloat(result);
      return;
    }
    case ArithClass::kFloatTernary: {
      const RunValue& c = frame[node.in[2]];
      want(floats && c.Is(ValueKind::kFloat));
      out.SetFloat(FusedMultiplyAdd(node.elem, a.number(), b.number(), c.number()));
      return;
    }
    case ArithClass::kIntUnary:
      want(ints);
      out.SetInt(IntUnary(stmt.arith, node.elem, a.integer()));
      return;
    case ArithClass::kCompare: {
      const bool compares_ints = stmt.arith == ArithOp::kCmpI;
      want(compares_ints ? ints : floats);
      out.SetInt(compares_ints ? CompareInt(stmt.predicate, node.elem, a.integer(), b.integer())
                               : CompareFloat(stmt.predicate, a.number(), b.number()));
      return;
    }
    default:
      break;
  }
  const Elem from = node.elem;
  switch (stmt.arith) {
    case ArithOp::kExtF:
    case ArithOp::kTruncF:
      want(floats);
      out.SetFloat(RoundFloat(node.to, a.number()));
      return;
    case ArithOp::kFPToSI:
    case ArithOp::kFPToUI:
      want(floats);
      out.SetInt(FloatToInt(node.to, stmt.arith == ArithOp::kFPToUI, a.number()));
      return;
    case ArithOp::kSIToFP:
      want(ints);
      out.SetFloat(SignedToFloat(node.to, from == Elem::kI1 ? -a.integer() : a.integer()));
      return;
    case ArithOp::kUIToFP:
      want(ints);
      out.SetFloat(IntToFloat(node.to, false, Unsigned(from, a.integer())));
      return;
    case ArithOp::kExtUI:
    case ArithOp::kIndexCastUI:
      want(ints);
      out.SetInt(WrapInt(node.to, static_cast<int64_t>(Unsigned(from, a.integer()))));
      return;
    case ArithOp::kBitcast: {
      want(ints || floats);
      const uint64_t bits = floats ? BitsFromFloat(from, a.number()) : Unsigned(from, a.integer());
      if (IsFloat(node.to)) {
        out.SetFloat(FloatFromBits(node.to, bits));
      } else {
        out.SetInt(WrapInt(node.to, static_cast<int64_t>(bits)));
      }
      return;
    }
    default:  // kIndexCast, kExtSI, kTruncI
      want(ints);
      out.SetInt(WrapInt(node.to, from == Elem::kI1 ? -a.integer() : a.integer()));
      return;
  }
}

}  // namespace pto::ptoas
