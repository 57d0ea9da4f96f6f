// SIMT statements: what each does for a work item, or for a group of them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/simt.h"
#include "src/ptoas/vector/simt_limits.h"
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

const Type& TypeOfValue(const Operand& operand) {
  return operand.value != nullptr && operand.value->type != nullptr ? *operand.value->type : *operand.type;
}

RunValue& SimtIn(const Node& node, Frame frame, int i) { return frame[node.step->in[i]]; }
RunValue& SimtOut(const Node& node, Frame frame) { return frame[node.step->out[0]]; }

// ---- elements of memory: numbers, and vectors of them ------------------------------------

struct NumberAt {
  char* data;
  Elem elem;
  int64_t lanes;  // of a vector; 0: a number
  int size;       // bytes of one

  uint64_t Bits(int64_t lane) const {
    uint64_t bits = 0;
    std::memcpy(&bits, data + lane * size, static_cast<size_t>(size));
    return bits;
  }
  void SetBits(int64_t lane, uint64_t bits) const { std::memcpy(data + lane * size, &bits, static_cast<size_t>(size)); }
  int64_t Count() const { return std::max<int64_t>(lanes, 1); }
};

// Checks bounds and alignment, and reports the access if the run is watched.
NumberAt FindNumber(Machine& m, const Stmt& stmt, const Operand& pointer, int64_t index, Frame frame, sync::Use use) {
  const Type& type = TypeOfValue(pointer);
  const NumberAt at{nullptr, type.elem, type.LanesAt(), BytesOf(type.elem)};
  const int64_t bytes = at.size * at.Count();
  const RunValue base = m.PointerAt(stmt, pointer, frame);
  const int64_t offset = std::clamp(index, -kFarIndex, kFarIndex) * bytes;
  NumberAt found = at;
  found.data = m.Reach(stmt, base, offset, bytes);
  if (m.hardware() && (base.integer() + offset) % bytes != 0) {
    m.Fail(stmt, Rule::kVectorAlign, "the address %lld is not a multiple of %lld",
           static_cast<long long>(base.integer() + offset), static_cast<long long>(bytes));
  }
  if (m.watched()) m.WatchNumber(stmt, pointer.name, base, offset, bytes, use);
  return found;
}

RunValue Loaded(Machine& m, const Stmt& stmt, const NumberAt& at) {
  if (at.lanes == 0) return FromBits(at.elem, at.Bits(0));
  RunValue made = m.MakeVector(stmt, static_cast<size_t>(at.lanes));
  for (int64_t i = 0; i < at.lanes; ++i) {
    made.box()->words[static_cast<size_t>(i)] = WordOf(FromBits(at.elem, at.Bits(i)));
  }
  return made;
}

// An element of a number, which may be a vector.
RunValue LaneOfNumber(const RunValue& value, Elem elem, int64_t lane) {
  if (!value.Is(ValueKind::kVector)) return value;
  const int64_t word = value.box()->words[static_cast<size_t>(lane)];
  return IsFloat(elem) ? RunValue::Float(std::bit_cast<double>(word)) : RunValue::Int(word);
}

uint64_t BitsOfNumber(Machine& m, const Stmt& stmt, const RunValue& value, const NumberAt& at, int64_t lane) {
  uint64_t bits = 0;
  if ((value.Is(ValueKind::kVector) && static_cast<int64_t>(value.box()->words.size()) != at.lanes) ||
      !ToBits(at.elem, LaneOfNumber(value, at.elem, lane), &bits)) {
    m.Fail(stmt, Rule::kUnassigned, "the value is %s", KindName(value.kind()));
  }
  return bits;
}

void StoreNumber(Machine& m, const Stmt& stmt, const RunValue& value, const NumberAt& at) {
  for (int64_t i = 0; i < at.Count(); ++i) at.SetBits(i, BitsOfNumber(m, stmt, value, at, i));
}

Flow RunLdg(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const int64_t index = m.IntOf(stmt, stmt.operands[1], frame);
  SimtOut(node, frame) = Loaded(m, stmt, FindNumber(m, stmt, stmt.operands[0], index, frame, sync::Use::kRead));
  return Flow::kNext;
}

Flow RunStg(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const int64_t index = m.IntOf(stmt, stmt.operands[2], frame);
  StoreNumber(m, stmt, SimtIn(node, frame, 0), FindNumber(m, stmt, stmt.operands[1], index, frame, sync::Use::kWrite));
  return Flow::kNext;
}

// ---- atomic operations and sums --------------------------------------------------------------

// What computes a statement of one name: of signed integers, of unsigned ones, of floats.
struct SimtArith {
  OpName name;
  ArithOp ints, unsigneds, floats;
};
constexpr SimtArith kSimtArith[] = {
    {"atomic_add", ArithOp::kAddI, ArithOp::kAddI, ArithOp::kAddF},
    {"atomic_and", ArithOp::kAndI, ArithOp::kAndI, ArithOp::kNone},
    {"atomic_max", ArithOp::kMaxSI, ArithOp::kMaxUI, ArithOp::kMaxNumF},
    {"atomic_min", ArithOp::kMinSI, ArithOp::kMinUI, ArithOp::kMinNumF},
    {"atomic_or", ArithOp::kOrI, ArithOp::kOrI, ArithOp::kNone},
    {"atomic_sub", ArithOp::kSubI, ArithOp::kSubI, ArithOp::kSubF},
    {"atomic_xor", ArithOp::kXorI, ArithOp::kXorI, ArithOp::kNone},
    {"redux_add", ArithOp::kAddI, ArithOp::kAddI, ArithOp::kAddF},
    {"redux_max", ArithOp::kMaxSI, ArithOp::kMaxUI, ArithOp::kMaxNumF},
    {"redux_min", ArithOp::kMinSI, ArithOp::kMinUI, ArithOp::kMinNumF},
};

void UseArith(const Stmt& stmt, Step* step) {
  const bool is_unsigned = GivenClause(stmt, "unsigned") != nullptr;
  const bool floats = IsFloat(stmt.types[0]->elem);
  for (const SimtArith& row : kSimtArith) {
    if (AllOps()[row.name.id].name != stmt.vector->name) continue;
    step->code = static_cast<int32_t>(floats ? row.floats : is_unsigned ? row.unsigneds : row.ints);
  }
}

RunValue CombineTwo(const Step& step, Elem elem, const RunValue& a, const RunValue& b) {
  const auto op = static_cast<ArithOp>(step.code);
  if (IsFloat(elem)) return RunValue::Float(FloatBinary(op, elem, a.number(), b.number()));
  int64_t result = 0;
  IntBinary(op, elem, a.integer(), b.integer(), &result);
  return RunValue::Int(result);
}

// Blocks execute their atomic operations on global memory one after another, so that old elements and sums of floats
// do not depend on threads.
NumberAt FindShared(Machine& m, const Stmt& stmt, Frame frame) {
  const bool global = !TypeOfValue(stmt.operands[0]).local;
  if (global) m.AwaitTurn();
  return FindNumber(m, stmt, stmt.operands[0], 0, frame, global ? sync::Use::kAdd : sync::Use::kWrite);
}

Flow RunAtomic(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const NumberAt at = FindShared(m, stmt, frame);
  const RunValue& value = SimtIn(node, frame, 1);
  RunValue old = Loaded(m, stmt, at);
  for (int64_t i = 0; i < at.Count(); ++i) {
    BitsOfNumber(m, stmt, value, at, i);  // it is such a number
    const RunValue sum =
        CombineTwo(*node.step, at.elem, LaneOfNumber(old, at.elem, i), LaneOfNumber(value, at.elem, i));
    uint64_t bits = 0;
    ToBits(at.elem, sum, &bits);
    at.SetBits(i, bits);
  }
  SimtOut(node, frame) = std::move(old);
  return Flow::kNext;
}

Flow RunExchange(Machine& m, Node& node, Frame frame) {
  const NumberAt at = FindShared(m, *node.stmt, frame);
  RunValue old = Loaded(m, *node.stmt, at);
  StoreNumber(m, *node.stmt, SimtIn(node, frame, 1), at);
  SimtOut(node, frame) = std::move(old);
  return Flow::kNext;
}

// All lanes of a vector have to be the same.
Flow RunCompareSwap(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const NumberAt at = FindShared(m, stmt, frame);
  RunValue old = Loaded(m, stmt, at);
  bool same = true;
  const uint64_t mask = at.size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * at.size) - 1;
  for (int64_t i = 0; i < at.Count(); ++i) {
    const uint64_t wanted = BitsOfNumber(m, stmt, SimtIn(node, frame, 1), at, i);
    same = same && (wanted & mask) == at.Bits(i);
  }
  if (same) StoreNumber(m, stmt, SimtIn(node, frame, 2), at);
  SimtOut(node, frame) = std::move(old);
  return Flow::kNext;
}

// ---- numbers -----------------------------------------------------------------------------------

int64_t IntIn(Machine& m, const Node& node, Frame frame, size_t i) {
  return m.IntOf(*node.stmt, node.stmt->operands[i], frame);
}

Flow RunSimtPermute(Machine& m, Node& node, Frame frame) {
  const auto a = static_cast<uint32_t>(IntIn(m, node, frame, 0));
  const auto b = static_cast<uint32_t>(IntIn(m, node, frame, 1));
  const auto select = static_cast<uint32_t>(IntIn(m, node, frame, 2));
  const uint64_t bytes = static_cast<uint64_t>(a) << 32 | b;
  uint32_t made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    made |= static_cast<uint32_t>(bytes >> 8 * (select >> 4 * i & 7U) & 0xFFU) << 8 * i;
  }
  SimtOut(node, frame).SetInt(static_cast<int32_t>(made));
  return Flow::kNext;
}

__extension__ using SimtWide = __int128;

void UseSimtSign(const Stmt& stmt, Step* step) { step->code = GivenClause(stmt, "unsigned") != nullptr ? 1 : 0; }

Flow RunSimtProduct(Machine& m, Node& node, Frame frame) {
  const Elem elem = TypeOfValue(node.stmt->operands[0]).elem;
  const auto wide = [&](size_t i) {
    const int64_t value = IntIn(m, node, frame, i);
    return node.step->code != 0 ? static_cast<SimtWide>(Unsigned(elem, value)) : static_cast<SimtWide>(value);
  };
  // Modulo 2^128: the bits that are used are the same as of the exact product.
  __extension__ using Bits = unsigned __int128;
  const auto product = static_cast<Bits>(wide(0)) * static_cast<Bits>(wide(1));
  const bool whole = node.to != elem;
  const auto part = static_cast<uint64_t>(whole ? product : product >> Info(elem).bits);
  SimtOut(node, frame).SetInt(WrapInt(node.to, static_cast<int64_t>(part)));
  return Flow::kNext;
}

// magnitude * 2^exponent as a float of another type, rounded once.
double CutFloat(Elem to, bool negative, uint64_t magnitude, int exponent, char mode, bool saturates) {
  if (magnitude == 0) return negative ? -0.0 : 0.0;
  const int digits = to == Elem::kF16 ? 11 : to == Elem::kBF16 ? 8 : 24;
  const int least = to == Elem::kF16 ? -14 : -126;
  const double largest = to == Elem::kF16 ? 65504.0 : to == Elem::kBF16 ? 0x1.FEp127 : 0x1.FFFFFEp127;
  const int top = static_cast<int>(std::bit_width(magnitude)) - 1 + exponent;
  const int last = std::max(top, least) - (digits - 1);  // the exponent of the last digit
  const int shift = last - exponent;
  uint64_t kept = shift <= 0 ? magnitude : shift > 63 ? 0 : magnitude >> shift;
  int unit = shift <= 0 ? exponent : last;
  if (shift > 0) {
    const uint64_t rest = shift > 63 ? magnitude : magnitude & ((uint64_t{1} << shift) - 1);
    const uint64_t half = shift > 64 ? 0 : uint64_t{1} << (shift - 1);
    const bool above = half != 0 && rest > half;
    const bool tie = half != 0 && rest == half;
    const bool up = mode == 'r'   ? above || (tie && (kept & 1) != 0)
                    : mode == 'f' ? negative && rest != 0
                    : mode == 'c' ? !negative && rest != 0
                                  : false;
    if (mode == 'o' && rest != 0) kept |= 1;
    kept += up ? 1 : 0;
  }
  double value = std::ldexp(static_cast<double>(kept), unit);
  if (value > largest) value = saturates ? largest : std::numeric_limits<double>::infinity();
  return negative ? -value : value;
}

// The whole number that a mode of convert rounds to.
double WholeOf(double value, char mode) {
  const ArithOp rounds = mode == 'f'   ? ArithOp::kFloor
                         : mode == 'c' ? ArithOp::kCeil
                         : mode == 'z' ? ArithOp::kTrunc
                                       : ArithOp::kRoundEven;
  return FloatUnary(rounds, Elem::kF64, value);
}

double FloatTo(Elem to, double value, char mode, bool saturates) {
  if (std::isnan(value)) return RoundFloat(to, value);
  const bool negative = std::signbit(value);
  if (to == Elem::kF8E4M3FN || to == Elem::kF8E5M2) {
    const double largest = to == Elem::kF8E5M2 ? 57344.0 : 448.0;
    return RoundFloat(to, std::clamp(value, -largest, largest));
  }
  if (std::isinf(value)) {
    return saturates ? CutFloat(to, negative, uint64_t{1} << 63, 1000, mode, true) : value;
  }
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return CutFloat(to, negative, static_cast<uint64_t>(std::ldexp(fraction, 53)), exponent - 53, mode, saturates);
}

Flow RunSimtConvert(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Type& from = TypeOfValue(stmt.operands[0]);
  const Type& to = *stmt.types[0];
  const char mode = OptionOf(GivenClause(stmt, "round"))[0];
  const bool saturates = GivenClause(stmt, "sat") != nullptr;
  const bool is_unsigned = GivenClause(stmt, "unsigned") != nullptr;
  const auto convert = [&](const RunValue& value) {
    if (!IsFloat(to.elem)) {
      return RunValue::Int(FloatToInt(to.elem, is_unsigned, WholeOf(value.number(), mode)));
    }
    if (IsFloat(from.elem)) return RunValue::Float(FloatTo(to.elem, value.number(), mode, saturates));
    const int64_t integer = value.integer();
    const bool negative = !is_unsigned && integer < 0;
    const uint64_t magnitude = is_unsigned ? Unsigned(from.elem, integer)
                               : negative  ? 0 - static_cast<uint64_t>(integer)
                                           : static_cast<uint64_t>(integer);
    return RunValue::Float(CutFloat(to.elem, negative, magnitude, 0, mode, saturates));
  };
  const int64_t lanes = from.Lanes();
  if (lanes == 0) {
    const RunValue value =
        m.ValueOf(stmt, stmt.operands[0], frame, IsFloat(from.elem) ? ValueKind::kFloat : ValueKind::kInt);
    SimtOut(node, frame) = convert(value);
    return Flow::kNext;
  }
  const RunValue value = m.ValueOf(stmt, stmt.operands[0], frame, ValueKind::kVector);
  RunValue made = m.MakeVector(stmt, static_cast<size_t>(lanes));
  for (int64_t i = 0; i < lanes; ++i) {
    made.box()->words[static_cast<size_t>(i)] = WordOf(convert(LaneOfNumber(value, from.elem, i)));
  }
  SimtOut(node, frame) = std::move(made);
  return Flow::kNext;
}

// ---- work items --------------------------------------------------------------------------------

template <int kAxis>
int64_t PlaceOf(const Launch& l) {
  const int64_t below = kAxis == 0 ? 1 : kAxis == 1 ? l.extents[0] : l.extents[0] * l.extents[1];
  return l.item / below % l.extents[kAxis];
}
template <int kAxis>
int64_t ExtentOf(const Launch& l) {
  return l.extents[kAxis];
}
int64_t NoNumber(const Launch&) { return 0; }
int64_t LaneNumber(const Launch& l) { return l.item % kGroup; }
int64_t ClockOf(const Launch& l) { return l.clock; }
template <bool kBefore, bool kAfter, bool kSelf>
int64_t LaneMask(const Launch& l) {
  const uint64_t self = uint64_t{1} << LaneNumber(l);
  const uint64_t all = (uint64_t{1} << kGroup) - 1;
  return static_cast<int64_t>((kBefore ? self - 1 : 0) | (kSelf ? self : 0) | (kAfter ? all & ~(2 * self - 1) : 0));
}

template <int64_t (*number)(const Launch&)>
Flow Ask(Machine& m, Node& node, Frame frame) {
  SimtOut(node, frame).SetInt(WrapInt(node.to, number(*m.vector().simt.launch)));
  return Flow::kNext;
}

Flow RunCoreNumber(Machine& m, Node& node, Frame frame) {
  SimtOut(node, frame).SetInt(int64_t{m.block()} * m.core().lanes + m.core().lane);
  return Flow::kNext;
}

Flow RunNothing(Machine&, Node&, Frame) { return Flow::kNext; }

Flow RunInfo(Machine& m, Node& node, Frame frame) {
  SimtState& state = m.vector().simt;
  for (size_t i = 0; i < 3; ++i) state.extents[i] = IntIn(m, node, frame, 2 - i);
  state.set = true;
  return Flow::kNext;
}

void UseSlot(const Stmt& stmt, Step* step) {
  step->code = static_cast<int32_t>(IntAttr(stmt, stmt.vector->integer, 0));
}

Flow RunKeep(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  SimtState& state = m.vector().simt;
  KeptSlot& slot = state.now.slots[node.step->code];
  if (slot.values.empty()) {
    m.Work(stmt, state.launch->count);
    slot.type = &TypeOfValue(stmt.operands[0]);
    slot.values.resize(static_cast<size_t>(state.launch->count));
  }
  slot.values[static_cast<size_t>(state.launch->item)] = SimtIn(node, frame, 0);
  return Flow::kNext;
}

Flow RunResume(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  SimtState& state = m.vector().simt;
  const Launch& launch = *state.launch;
  const auto slot = state.before.slots.find(node.step->code);
  if (slot == state.before.slots.end()) {
    m.Fail(stmt, Rule::kSimtSlot, "the launch before keeps nothing in slot %d", static_cast<int>(node.step->code));
  }
  if (!std::equal(std::begin(launch.extents), std::end(launch.extents), state.before.extents)) {
    m.Fail(stmt, Rule::kSimtSlot, "slot %d is of a launch of %lld x %lld x %lld work items",
           static_cast<int>(node.step->code), static_cast<long long>(state.before.extents[0]),
           static_cast<long long>(state.before.extents[1]), static_cast<long long>(state.before.extents[2]));
  }
  if (!TypesAgree(slot->second.type, stmt.types[0])) {
    m.Fail(stmt, Rule::kSimtSlot, "slot %d has %s, not %s", static_cast<int>(node.step->code),
           Info(slot->second.type->elem).name, Info(stmt.types[0]->elem).name);
  }
  SimtOut(node, frame) = slot->second.values[static_cast<size_t>(launch.item)];
  return Flow::kNext;
}

// ---- groups: the work items from `first` on, `count` of them --------------------------------------

Flow RunMeet(Machine& m, Node& node, Frame frame) {  // a launch meets instead
  m.NotExecuted(*node.stmt, frame);
  return Flow::kNext;
}

uint32_t Ballot(Machine& m, const Node& node, Launch& launch, int first, int count) {
  uint32_t votes = 0;
  for (int i = 0; i < count; ++i) {
    if (IntIn(m, node, launch.FrameOf(first + i), 0) != 0) votes |= uint32_t{1} << i;
  }
  return votes;
}

template <int64_t (*result)(uint32_t votes, uint32_t all)>
void UseVote(const Stmt&, Step* step) {
  step->group = [](Machine& m, const Node& node, Launch& launch, int first, int count) {
    const uint32_t all = count == kGroup ? ~uint32_t{0} : (uint32_t{1} << count) - 1;
    const int64_t made = result(Ballot(m, node, launch, first, count), all);
    for (int i = 0; i < count; ++i) SimtOut(node, launch.FrameOf(first + i)).SetInt(made);
  };
}
int64_t AllOf(uint32_t votes, uint32_t all) { return votes == all ? 1 : 0; }
int64_t AnyOf(uint32_t votes, uint32_t) { return votes != 0 ? 1 : 0; }
int64_t SameOf(uint32_t votes, uint32_t all) { return votes == all || votes == 0 ? 1 : 0; }
int64_t VotesOf(uint32_t votes, uint32_t) { return static_cast<int32_t>(votes); }

// Places count within a part of the group; a place outside of it, or where no work item is, means one's own.
template <int64_t (*place)(int64_t own, int64_t operand)>
void UseShuffle(const Stmt& stmt, Step* step) {
  step->code = static_cast<int32_t>(IntAttr(stmt, "width", kGroup));
  step->group = [](Machine& m, const Node& node, Launch& launch, int first, int count) {
    RunValue values[kGroup];
    for (int i = 0; i < count; ++i) values[i] = SimtIn(node, launch.FrameOf(first + i), 0);
    const int64_t width = node.step->code;
    for (int i = 0; i < count; ++i) {
      const int64_t begin = i / width * width;
      const int64_t at = place(i - begin, IntIn(m, node, launch.FrameOf(first + i), 1));
      const bool there = at >= 0 && at < width && begin + at < count;
      SimtOut(node, launch.FrameOf(first + i)) = values[there ? begin + at : i];
    }
  };
}
int64_t PlaceAt(int64_t, int64_t operand) { return operand; }
int64_t PlaceBefore(int64_t own, int64_t operand) { return own - operand; }
int64_t PlaceAfter(int64_t own, int64_t operand) { return own + operand; }
int64_t PlaceAcross(int64_t own, int64_t operand) { return own ^ operand; }

void UseReduce(const Stmt& stmt, Step* step) {
  UseArith(stmt, step);
  step->group = [](Machine& m, const Node& node, Launch& launch, int first, int count) {
    const Elem elem = node.to;
    const ValueKind kind = IsFloat(elem) ? ValueKind::kFloat : ValueKind::kInt;
    const auto value = [&](int i) {
      return m.ValueOf(*node.stmt, node.stmt->operands[0], launch.FrameOf(first + i), kind);
    };
    RunValue sum = value(0);
    for (int i = 1; i < count; ++i) sum = CombineTwo(*node.step, elem, sum, value(i));
    for (int i = 0; i < count; ++i) SimtOut(node, launch.FrameOf(first + i)) = sum;
  };
}

constexpr RunStmt RunMath = Do<&Machine::Arith>;

constexpr OpRun kSimtRows[] = {
    {"absf", RunMath},
    {"atomic_add", RunAtomic, UseArith},
    {"atomic_and", RunAtomic, UseArith},
    {"atomic_cas", RunCompareSwap},
    {"atomic_exch", RunExchange},
    {"atomic_max", RunAtomic, UseArith},
    {"atomic_min", RunAtomic, UseArith},
    {"atomic_or", RunAtomic, UseArith},
    {"atomic_sub", RunAtomic, UseArith},
    {"atomic_xor", RunAtomic, UseArith},
    {"ceil", RunMath},
    {"convert", RunSimtConvert},
    {"exp", RunMath},
    {"floor", RunMath},
    {"fma", RunMath},
    {"fmax", RunMath},
    {"fmin", RunMath},
    {"get_block_dim_x", Ask<ExtentOf<0>>},
    {"get_block_dim_y", Ask<ExtentOf<1>>},
    {"get_block_dim_z", Ask<ExtentOf<2>>},
    {"get_block_idx_x", Ask<NoNumber>},
    {"get_block_idx_y", Ask<NoNumber>},
    {"get_block_idx_z", Ask<NoNumber>},
    {"get_clock32", Ask<ClockOf>},
    {"get_clock64", Ask<ClockOf>},
    {"get_grid_dim_x", Ask<NoNumber>},
    {"get_grid_dim_y", Ask<NoNumber>},
    {"get_grid_dim_z", Ask<NoNumber>},
    {"get_laneid", Ask<LaneNumber>},
    {"get_lanemask_eq", Ask<LaneMask<false, false, true>>},
    {"get_lanemask_ge", Ask<LaneMask<false, true, true>>},
    {"get_lanemask_gt", Ask<LaneMask<false, true, false>>},
    {"get_lanemask_le", Ask<LaneMask<true, false, true>>},
    {"get_lanemask_lt", Ask<LaneMask<true, false, false>>},
    {"get_tid_x", Ask<PlaceOf<0>>},
    {"get_tid_y", Ask<PlaceOf<1>>},
    {"get_tid_z", Ask<PlaceOf<2>>},
    {"get_veccoreid", RunCoreNumber},
    {"keep", RunKeep, UseSlot},
    {"ldg", RunLdg},
    {"log", RunMath},
    {"mul_i32toi64", RunSimtProduct, UseSimtSign},
    {"mulhi", RunSimtProduct, UseSimtSign},
    {"pow", RunMath},
    {"prmt", RunSimtPermute},
    {"redux_add", RunMeet, UseReduce},
    {"redux_max", RunMeet, UseReduce},
    {"redux_min", RunMeet, UseReduce},
    {"resume", RunResume, UseSlot},
    {"rint", RunMath},
    {"round", RunMath},
    {"shuffle_bfly", RunMeet, UseShuffle<PlaceAcross>},
    {"shuffle_down", RunMeet, UseShuffle<PlaceAfter>},
    {"shuffle_idx", RunMeet, UseShuffle<PlaceAt>},
    {"shuffle_up", RunMeet, UseShuffle<PlaceBefore>},
    {"sqrt", RunMath},
    {"stg", RunStg},
    {"store_vfsimt_info", RunInfo},
    {"syncthreads", RunMeet},
    {"threadfence", RunNothing},
    {"threadfence_block", RunNothing},
    {"vote_all", RunMeet, UseVote<AllOf>},
    {"vote_any", RunMeet, UseVote<AnyOf>},
    {"vote_ballot", RunMeet, UseVote<VotesOf>},
    {"vote_uni", RunMeet, UseVote<SameOf>},
};

}  // namespace

const OpRuns kSimtRuns = kSimtRows;

void AccessNumber(Machine& m, const Stmt& stmt, Frame frame) {
  const Operand* stored = stmt["value"];
  const int64_t index = m.IntOf(stmt, *stmt["offset"], frame);
  const NumberAt at =
      FindNumber(m, stmt, *stmt["ptr"], index, frame, stored != nullptr ? sync::Use::kWrite : sync::Use::kRead);
  if (stored == nullptr) {
    frame[stmt.results[0]->slot] = Loaded(m, stmt, at);
    return;
  }
  if (stored->value == nullptr) m.Fail(stmt, Rule::kUnassigned, "the value is not a number");
  StoreNumber(m, stmt, frame[stored->value->slot], at);
}

}  // namespace pto::ptoas::vec
