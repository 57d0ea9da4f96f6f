// Numbers: one statement of arith or math, on single ones or on vectors of them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/precise_math.h"
#include "src/ptoas/run/scalar.h"

namespace pto::ptoas {

namespace {

double SignedToFloat(Elem elem, int64_t value) {
  const auto word = static_cast<uint64_t>(value);
  return IntToFloat(elem, value < 0, value < 0 ? 0 - word : word);
}

// The product's upper half.
uint64_t HighOf(uint64_t a, uint64_t b) {
  const uint64_t al = a & 0xFFFFFFFF;
  const uint64_t ah = a >> 32;
  const uint64_t bl = b & 0xFFFFFFFF;
  const uint64_t bh = b >> 32;
  const uint64_t middle = ah * bl + (al * bl >> 32);
  const uint64_t other = al * bh + (middle & 0xFFFFFFFF);
  return ah * bh + (middle >> 32) + (other >> 32);
}

// A sum and its carry, or a product in two halves.
void Extended(ArithOp op, Elem elem, int64_t a, int64_t b, int64_t* low, int64_t* high) {
  const uint64_t ua = Unsigned(elem, a);
  const uint64_t ub = Unsigned(elem, b);
  const int bits = std::min<int>(Info(elem).bits, 64);
  if (op == ArithOp::kAddUIExtended) {
    *low = WrapInt(elem, static_cast<int64_t>(ua + ub));
    *high = Unsigned(elem, *low) < ua ? 1 : 0;
    return;
  }
  *low = WrapInt(elem, static_cast<int64_t>(ua * ub));
  const bool is_signed = op == ArithOp::kMulSIExtended;
  const int64_t sa = elem == Elem::kI1 ? -a : a;
  const int64_t sb = elem == Elem::kI1 ? -b : b;
  uint64_t top = 0;
  if (bits == 64) {
    top = HighOf(ua, ub);
    // For negative numbers: modulo 2^64 each is 2^64 more.
    if (is_signed) top -= (a < 0 ? ub : 0) + (b < 0 ? ua : 0);
  } else {
    top = is_signed ? static_cast<uint64_t>(sa * sb >> bits) : ua * ub >> bits;
  }
  *high = WrapInt(elem, static_cast<int64_t>(top));
}

// What lies between the least normal number of a type and infinity.
bool IsNormal(Elem elem, double a) {
  if (!std::isfinite(a) || a == 0) return false;
  const double least = elem == Elem::kF16 ? 0x1p-14 : elem == Elem::kF64 ? 0x1p-1022 : 0x1p-126;
  return std::fabs(a) >= least;
}

bool Test(ArithOp op, Elem elem, double a) {
  switch (op) {
    case ArithOp::kIsFinite:
      return std::isfinite(a);
    case ArithOp::kIsInf:
      return std::isinf(a);
    case ArithOp::kIsNan:
      return std::isnan(a);
    default:
      return IsNormal(elem, a);
  }
}

RunValue Lane(const Box& box, size_t lane, Elem elem) {
  const int64_t word = box.words[lane];
  return IsFloat(elem) ? RunValue::Float(std::bit_cast<double>(word)) : RunValue::Int(word);
}

}  // namespace

RunValue Machine::MakeVector(const Stmt& stmt, size_t lanes) {
  const auto count = static_cast<int64_t>(lanes);
  Work(stmt, count);
  RunValue made = MakeBox(stmt, ValueKind::kVector, count * static_cast<int64_t>(sizeof(int64_t)));
  made.box()->words.resize(lanes);
  return made;
}

void Machine::Arith(const Node& node, Frame frame) {
  if (node.lanes != 0) return ArithLanes(node, frame);
  const RunValue* const in[] = {&frame[node.in[0]], &frame[node.in[1]], &frame[node.in[2]]};
  RunValue* const out[] = {&frame[node.out[0]], &frame[node.out[1]]};
  ArithOne(node, in, out);
}

// Each element for itself. The condition of a choice may be one number for all.
void Machine::ArithLanes(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const size_t count = stmt.operands.size();
  const size_t results = stmt.results.size();
  const Box* boxes[3] = {};
  Elem elems[3] = {node.elem, node.elem, node.elem};
  for (size_t i = 0; i < count; ++i) {
    const RunValue& value = frame[node.in[i]];
    const Type* type = stmt.operands[i].value->type;
    if (type != nullptr) elems[i] = type->elem;
    if (i == 0 && stmt.arith == ArithOp::kSelect && value.Is(ValueKind::kInt)) continue;
    boxes[i] = ValueOf(stmt, stmt.operands[i], frame, ValueKind::kVector).box();
    if (boxes[i]->words.size() != node.lanes) Fail(stmt, Rule::kUnassigned, "vectors of different lengths");
  }
  RunValue made[2];
  for (size_t i = 0; i < results; ++i) made[i] = MakeVector(stmt, node.lanes);
  for (size_t lane = 0; lane < node.lanes; ++lane) {
    RunValue values[3];
    RunValue result[2];
    const RunValue* in[3] = {};
    for (size_t i = 0; i < 3; ++i) {
      if (boxes[i] != nullptr) values[i] = Lane(*boxes[i], lane, elems[i]);
      in[i] = boxes[i] != nullptr ? &values[i] : i >= count ? in[0] : &frame[node.in[i]];
    }
    RunValue* const out[] = {&result[0], &result[1]};
    ArithOne(node, in, out);
    for (size_t i = 0; i < results; ++i) made[i].box()->words[lane] = WordOf(result[i]);
  }
  for (size_t i = 0; i < results; ++i) frame[node.out[i]] = std::move(made[i]);
}

// vector.broadcast, vector.splat
void Machine::Splat(const Node& node, Frame frame) {
  RunValue made = MakeVector(*node.stmt, static_cast<size_t>(node.stmt->types[0]->Lanes()));
  made.box()->words.assign(made.box()->words.size(), WordOf(frame[node.in[0]]));
  frame[node.out[0]] = std::move(made);
}

// Which element vector.extract and vector.insert mean.
size_t Machine::LaneOf(const Stmt& stmt, const Type& type, Frame frame) {
  const std::span<const Operand> places = stmt.All("places");
  size_t at = 0;
  for (size_t i = 0; i < type.rank; ++i) {
    const int64_t place = IntOf(stmt, places[i], frame);
    if (place < 0 || place >= type.dims[i]) {
      Fail(stmt, Rule::kViewRange, "place %lld in dimension %zu of %lld", static_cast<long long>(place), i,
           static_cast<long long>(type.dims[i]));
    }
    at = at * static_cast<size_t>(type.dims[i]) + static_cast<size_t>(place);
  }
  return at;
}

void Machine::Extract(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Operand& vector = *stmt["vector"];
  const Box* box = ValueOf(stmt, vector, frame, ValueKind::kVector).box();
  const Type& type = *vector.value->type;
  frame[node.out[0]] = Lane(*box, LaneOf(stmt, type, frame), type.elem);
}

void Machine::Insert(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Operand& vector = *stmt["vector"];
  const Box* box = ValueOf(stmt, vector, frame, ValueKind::kVector).box();
  const size_t at = LaneOf(stmt, *vector.value->type, frame);
  RunValue made = MakeVector(stmt, box->words.size());
  made.box()->words = box->words;
  made.box()->words[at] = WordOf(frame[node.in[0]]);
  frame[node.out[0]] = std::move(made);
}

void Machine::ArithOne(const Node& node, const RunValue* const* in, RunValue* const* outs) {
  const Stmt& stmt = *node.stmt;
  const RunValue& a = *in[0];
  const RunValue& b = *in[1];
  const bool ints = a.Is(ValueKind::kInt) && b.Is(ValueKind::kInt);
  const bool floats = a.Is(ValueKind::kFloat) && b.Is(ValueKind::kFloat);
  RunValue& out = *outs[0];
  const auto want = [&](bool good) {
    if (!good) Fail(stmt, Rule::kUnassigned, "operands are %s and %s", KindName(a.kind()), KindName(b.kind()));
  };
  switch (node.arith) {
    case ArithClass::kIntBinary: {
      want(ints);
      int64_t result = 0;
      const bool good = stmt.arith == ArithOp::kIPowI
                            ? IntPower(node.elem, a.integer(), b.integer(), &result)
                            : IntBinary(stmt.arith, node.elem, a.integer(), b.integer(), &result);
      if (!good) {
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
      } else if (IsNarrow(stmt.arith)) {
        result = Precise(stmt.arith, node.elem, a.number(), b.number());
      } else {
        result = node.arith == ArithClass::kFloatBinary ? FloatBinary(stmt.arith, node.elem, a.number(), b.number())
                                                        : FloatUnary(stmt.arith, node.elem, a.number());
      }
      out.SetFloat(result);
      return;
    }
    case ArithClass::kFloatTernary: {
      const RunValue& c = *in[2];
      want(floats && c.Is(ValueKind::kFloat));
      out.SetFloat(FusedMultiplyAdd(node.elem, a.number(), b.number(), c.number()));
      return;
    }
    case ArithClass::kSelect: {
      if (!a.Is(ValueKind::kInt)) Fail(stmt, Rule::kUnassigned, "the condition is %s", KindName(a.kind()));
      const RunValue chosen = *in[a.integer() != 0 ? 1 : 2];
      out = chosen;
      return;
    }
    case ArithClass::kIntUnary:
      want(ints);
      out.SetInt(IntUnary(stmt.arith, node.elem, a.integer()));
      return;
    case ArithClass::kIntExtended: {
      want(ints);
      int64_t low = 0;
      int64_t high = 0;
      Extended(stmt.arith, node.elem, a.integer(), b.integer(), &low, &high);
      out.SetInt(low);
      outs[1]->SetInt(high);
      return;
    }
    case ArithClass::kFloatTest:
      want(floats);
      out.SetInt(Test(stmt.arith, node.elem, a.number()));
      return;
    case ArithClass::kFloatIntPower:
      want(a.Is(ValueKind::kFloat) == b.Is(ValueKind::kInt));
      out.SetFloat(PowerOf(node.elem, a.number(), b.integer()));
      return;
    case ArithClass::kFloatTwo: {
      want(floats);
      const double x = a.number();
      out.SetFloat(Precise(ArithOp::kSin, node.elem, x, x));
      outs[1]->SetFloat(Precise(ArithOp::kCos, node.elem, x, x));
      return;
    }
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

void Machine::Constant(const Node& node, Frame frame) {
  if (node.lanes == 0) {
    frame[node.out[0]] = node.constant;
    return;
  }
  frame[node.out[0]] = MakeVector(*node.stmt, node.lanes);
  frame[node.out[0]].box()->words = node.words;
}

static constexpr RunRow kArithRows[] = {
    {"arith", Do<&Machine::Arith>},
    {"arith.constant", Do<&Machine::Constant>},
    {"vector.broadcast", Do<&Machine::Splat>},
    {"vector.extract", Do<&Machine::Extract>},
    {"vector.insert", Do<&Machine::Insert>},
    {"vector.splat", Do<&Machine::Splat>},
};
const RunRows kArithRuns = kArithRows;

}  // namespace pto::ptoas
