// Copies between global memory and UB, pointers, and the special registers of a core.
#include <algorithm>

#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

int64_t Int(Machine& m, const Node& node, Frame frame, size_t operand) {
  return m.IntOf(*node.stmt, node.stmt->operands[operand], frame);
}

// Numbers, lengths and strides: sums of their products fit.
constexpr int64_t kMostCount = int64_t{1} << 24, kMostLength = int64_t{1} << 30, kMostStride = int64_t{1} << 35;
[[gnu::noinline]] int64_t CopyNumber(Machine& m, const Node& node, Frame frame, size_t operand, int64_t least,
                                     int64_t most) {
  const int64_t number = Int(m, node, frame, operand);
  if (number >= least && number <= most) return number;
  const std::string_view name = node.stmt->operands[operand].name;
  m.Fail(*node.stmt, Rule::kMemoryRange, "%s%.*s is %lld, where %lld to %lld are possible",
         name.empty() ? "a number" : "%", PTO_NAME(name), static_cast<long long>(number), static_cast<long long>(least),
         static_cast<long long>(most));
}
int64_t CopyCount(Machine& m, const Node& node, Frame frame, size_t operand) {
  return CopyNumber(m, node, frame, operand, 0, kMostCount);
}
int64_t CopyLength(Machine& m, const Node& node, Frame frame, size_t operand) {
  return CopyNumber(m, node, frame, operand, 0, kMostLength);
}
int64_t CopyStride(Machine& m, const Node& node, Frame frame, size_t operand, int64_t unit = 1) {
  return CopyNumber(m, node, frame, operand, -kMostStride / unit, kMostStride / unit);
}

// ---- bursts --------------------------------------------------------------------------------

struct Burst {
  int64_t count = 0, from = 0, to = 0;  // how many, and from one to the next in both memories
};
constexpr size_t kMostLoops = 8;
struct Loops {
  Burst all[kMostLoops];  // the inner one first
  size_t count = 0;
};

// Calls a function with the offsets of each round of the loops, the last loop being the outer one.
template <class F>
void EachRound(const Loops& loops, size_t level, int64_t from, int64_t to, F&& f) {
  if (level == 0) return f(from, to);
  const Burst& loop = loops.all[level - 1];
  for (int64_t i = 0; i < loop.count; ++i) EachRound(loops, level - 1, from + i * loop.from, to + i * loop.to, f);
}

Burst BurstAt(Machine& m, const Node& node, Frame frame, const Clause& clause, int64_t unit = 1) {
  return {CopyCount(m, node, frame, clause.begin), CopyStride(m, node, frame, clause.begin + 1U, unit),
          CopyStride(m, node, frame, clause.begin + 2U, unit)};
}

void AddLoop(Machine& m, const Node& node, Frame frame, const Clause& clause, Loops* loops) {
  if (loops->count == kMostLoops) m.Fail(*node.stmt, Rule::kRunUnsupported, "more than %zu loops", kMostLoops);
  loops->all[loops->count++] = BurstAt(m, node, frame, clause);
}

// Padding of a burst: elements before and after the data, then the rest of the last block of 32 bytes.
struct Pad {
  bool given = false;
  uint64_t bits = 0;
  int64_t size = 1, left = 0, right = 0;  // the sides in bytes
};

Pad PadOf(Machine& m, const Node& node, Frame frame, const Clause& clause, int64_t unit) {
  const Stmt& stmt = *node.stmt;
  const Operand& value = stmt.operands[clause.begin];
  Pad pad;
  pad.given = true;
  const Elem elem = value.value == nullptr || value.value->type == nullptr ? Elem::kI32 : value.value->type->elem;
  pad.bits = m.ScalarBits(node, frame, clause.begin, elem);
  pad.size = BytesOf(elem);
  if (clause.end - clause.begin == 3) {
    pad.left = CopyCount(m, node, frame, clause.begin + 1U) * unit;
    pad.right = CopyCount(m, node, frame, clause.begin + 2U) * unit;
  }
  return pad;
}

void CopyBursts(Machine& m, Node& node, const RunValue& dst, const RunValue& src, int64_t length, const Burst& burst,
                const Loops& loops, const Pad& pad) {
  constexpr int64_t kBlock = 32;
  const Stmt& stmt = *node.stmt;
  for (const RunValue* side : {&src, &dst}) {
    const Operand& pointer = stmt.operands[side == &src ? 0 : 1];
    const Type* type = pointer.value == nullptr ? nullptr : pointer.value->type;
    const bool ub = type != nullptr && type->local && type->loc == Loc::kVec;
    if (!m.hardware() || !ub || side->integer() % kBlock == 0) continue;
    m.Fail(stmt, Rule::kVectorAlign, "the address %lld is not a multiple of %lld",
           static_cast<long long>(side->integer()), static_cast<long long>(kBlock));
  }
  // There is nothing to copy, in any number of rounds.
  const auto none = [](const Burst& rounds) { return rounds.count == 0; };
  if (length == 0 || none(burst) || std::any_of(loops.all, loops.all + loops.count, none)) return;
  EachRound(loops, loops.count, 0, 0, [&](int64_t from, int64_t to) {
    for (int64_t i = 0; i < burst.count; ++i) {
      m.Work(stmt, 64);
      const int64_t at = to + i * burst.to;
      m.CopyBytes(stmt, dst, at + pad.left, src, from + i * burst.from, length);
      if (!pad.given) continue;
      const int64_t end = pad.left + length + pad.right;
      const auto size = static_cast<size_t>(pad.size);
      m.FillBytes(stmt, dst, at, pad.left, &pad.bits, size);
      const int64_t whole = (end + kBlock - 1) / kBlock * kBlock;
      m.FillBytes(stmt, dst, at + pad.left + length, whole - pad.left - length, &pad.bits, size);
    }
  });
}

// The length is the last operand before the clauses; lengths and strides are bytes.
template <size_t kLength>
Flow RunCopy(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const RunValue src = m.PointerAt(stmt, stmt.operands[0], frame);
  const RunValue dst = m.PointerAt(stmt, stmt.operands[1], frame);
  Loops loops;
  Pad pad;
  for (const Clause& clause : stmt.clauses) {
    if (clause.info->word == "pad") {
      pad = PadOf(m, node, frame, clause, node.step->unit);
    } else if (clause.info->word != "nburst") {
      AddLoop(m, node, frame, clause, &loops);
    }
  }
  CopyBursts(m, node, dst, src, CopyLength(m, node, frame, kLength),
             BurstAt(m, node, frame, *GivenClause(stmt, "nburst")), loops, pad);
  return Flow::kNext;
}

// Lengths and gaps are units: blocks of 32 bytes, or of 64 in the scaling memory.
template <int64_t kUnit>
Burst Gaps(const Burst& gaps, int64_t length) {
  return {gaps.count, kUnit * (length + gaps.from), kUnit * (length + gaps.to)};
}

// Loops around it count bytes.
template <int64_t kUnit>
Flow RunCopyUnits(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const int64_t length = CopyLength(m, node, frame, 2);
  const RunValue src = m.PointerAt(stmt, stmt.operands[0], frame);
  const RunValue dst = m.PointerAt(stmt, stmt.operands[1], frame);
  Loops loops;
  for (const Clause& clause : stmt.clauses) {
    if (clause.info->word != "nburst") AddLoop(m, node, frame, clause, &loops);
  }
  const Burst bursts = Gaps<kUnit>(BurstAt(m, node, frame, *GivenClause(stmt, "nburst"), kUnit), length);
  CopyBursts(m, node, dst, src, kUnit * length, bursts, loops, {});
  return Flow::kNext;
}

// Number, length and gaps are operands from kFirst on. With `lane` the one before names the vector core whose UB it is.
template <int64_t kUnit, size_t kFirst, bool lane = false>
Flow RunOldCopyUnits(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const int64_t length = CopyLength(m, node, frame, kFirst + 1);
  const Burst gaps{CopyCount(m, node, frame, kFirst), CopyStride(m, node, frame, kFirst + 2, kUnit),
                   CopyStride(m, node, frame, kFirst + 3, kUnit)};
  const RunValue src = m.PointerAt(stmt, stmt.operands[0], frame);
  RunValue dst = m.PointerAt(stmt, stmt.operands[1], frame);
  if (lane) dst = m.MemoryAt(stmt, Loc::kVec, dst.integer(), Int(m, node, frame, kFirst - 1));
  CopyBursts(m, node, dst, src, kUnit * length, Gaps<kUnit>(gaps, length), {}, {});
  return Flow::kNext;
}

// The older spelling: its loops are in registers.
Loops FromRegisters(const CopyLoops& registers) {
  Loops loops;
  for (int i = 0; i < 2; ++i) loops.all[i] = {registers.rounds[i], registers.source[i], registers.destination[i]};
  loops.count = 2;
  return loops;
}

Flow RunOldCopyIn(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Burst burst{CopyCount(m, node, frame, 3), CopyStride(m, node, frame, 9), CopyStride(m, node, frame, 10)};
  const RunValue src = m.PointerAt(stmt, stmt.operands[0], frame);
  const RunValue dst = m.PointerAt(stmt, stmt.operands[1], frame);
  CopyBursts(m, node, dst, src, CopyLength(m, node, frame, 4), burst, FromRegisters(m.vector().in), {});
  return Flow::kNext;
}

// Here the stride of the destination is written first.
Flow RunOldCopyOut(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Burst burst{CopyCount(m, node, frame, 3), CopyStride(m, node, frame, 7), CopyStride(m, node, frame, 6)};
  const RunValue src = m.PointerAt(stmt, stmt.operands[0], frame);
  const RunValue dst = m.PointerAt(stmt, stmt.operands[1], frame);
  CopyBursts(m, node, dst, src, CopyLength(m, node, frame, 4), burst, FromRegisters(m.vector().out), {});
  return Flow::kNext;
}

// The same into L1, without loops.
Flow RunOldCopyToL1(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Burst burst{CopyCount(m, node, frame, 2), CopyStride(m, node, frame, 4), CopyStride(m, node, frame, 5)};
  const RunValue src = m.PointerAt(stmt, stmt.operands[0], frame);
  const RunValue dst = m.PointerAt(stmt, stmt.operands[1], frame);
  CopyBursts(m, node, dst, src, CopyLength(m, node, frame, 3), burst, {}, {});
  return Flow::kNext;
}

// ---- registers of copies ---------------------------------------------------------------------

template <CopyLoops VectorState::*loops>
Flow RunRounds(Machine& m, Node& node, Frame frame) {
  // The second loop is first.
  (m.vector().*loops).rounds[1] = CopyCount(m, node, frame, 0);
  (m.vector().*loops).rounds[0] = CopyCount(m, node, frame, 1);
  return Flow::kNext;
}
template <CopyLoops VectorState::*loops, int kLoop>
Flow RunStrides(Machine& m, Node& node, Frame frame) {
  (m.vector().*loops).source[kLoop] = CopyStride(m, node, frame, 0);
  (m.vector().*loops).destination[kLoop] = CopyStride(m, node, frame, 1);
  return Flow::kNext;
}

// ---- pointers --------------------------------------------------------------------------------

Flow RunCast(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Operand& from = stmt.operands[0];
  const Type& type = *stmt.types[0];
  const bool number =
      from.kind == OperandKind::kLiteral || (from.value != nullptr && frame[from.value->slot].Is(ValueKind::kInt));
  RunValue& to = frame[node.step->out[0]];
  if (number) {
    to = m.MemoryAt(stmt, type.loc, m.IntOf(stmt, from, frame));
  } else if (type.kind == TypeKind::kPtr) {
    to = m.PointerAt(stmt, from, frame);
  } else {
    const int64_t address = m.PointerAt(stmt, from, frame).integer();
    to.SetInt(WrapInt(type.elem, address));
  }
  return Flow::kNext;
}

// ---- the core --------------------------------------------------------------------------------

Flow RunGetControl(Machine& m, Node& node, Frame frame) {
  frame[node.step->out[0]].SetInt(m.vector().control);
  return Flow::kNext;
}
Flow RunSetControl(Machine& m, Node& node, Frame frame) {
  m.SetControl(Int(m, node, frame, 0));
  return Flow::kNext;
}
template <bool sets>
Flow RunBit(Machine& m, Node& node, Frame frame) {
  const auto bits = static_cast<uint64_t>(Int(m, node, frame, 0));
  const uint64_t bit = uint64_t{1} << (static_cast<uint64_t>(Int(m, node, frame, 1)) & 63U);
  frame[node.step->out[0]].SetInt(static_cast<int64_t>(sets ? bits | bit : bits & ~bit));
  return Flow::kNext;
}
Flow RunClear(Machine& m, Node&, Frame) {
  m.vector().stream = 0;
  return Flow::kNext;
}
Flow RunBar(Machine& m, Node&, Frame) {
  m.PassBar();
  return Flow::kNext;
}

using V = VectorState;
constexpr OpRun kCopyRows[] = {
    {"copy_cbuf_to_fbuf", RunOldCopyUnits<64, 2>},
    {"copy_cbuf_to_ubuf", RunOldCopyUnits<32, 3, true>},
    {"copy_gm_to_cbuf", RunOldCopyToL1},
    {"copy_gm_to_ubuf", RunOldCopyIn},
    {"copy_ubuf_to_cbuf", RunOldCopyUnits<32, 3>},
    {"copy_ubuf_to_gm", RunOldCopyOut},
    {"copy_ubuf_to_ubuf", RunOldCopyUnits<32, 3>},
    {"mte_gm_l1", RunCopy<2>},
    {"mte_gm_ub", RunCopy<3>},
    {"mte_l1_fb", RunCopyUnits<64>},
    {"mte_l1_ub", RunCopyUnits<32>},
    {"mte_ub_gm", RunCopy<2>},
    {"mte_ub_l1", RunCopyUnits<32>},
    {"mte_ub_ub", RunCopyUnits<32>},
};
constexpr OpRun kStateRows[] = {
    {"castptr", RunCast},
    {"get_ctrl", RunGetControl},
    {"mem_bar", RunBar, nullptr, Shape::kNothing},
    {"sbitset0", RunBit<false>},
    {"sbitset1", RunBit<true>},
    {"set_ctrl", RunSetControl},
    {"set_loop1_stride_outtoub", RunStrides<&V::in, 0>},
    {"set_loop1_stride_ubtoout", RunStrides<&V::out, 0>},
    {"set_loop2_stride_outtoub", RunStrides<&V::in, 1>},
    {"set_loop2_stride_ubtoout", RunStrides<&V::out, 1>},
    {"set_loop_size_outtoub", RunRounds<&V::in>},
    {"set_loop_size_ubtoout", RunRounds<&V::out>},
    {"sprclr", RunClear},
};

}  // namespace

const OpRuns kCopyRuns = kCopyRows;
const OpRuns kStateRuns = kStateRows;

}  // namespace pto::ptoas::vec
