// Conversions between element types, by the kernels of TCVT.
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

bool IsNan(DType dtype, const uint8_t* bytes, int lane) {
  if (dtype == DType::kF32) return (Get<uint32_t>(bytes, lane) & 0x7FFFFFFF) > 0x7F800000;
  const unsigned infinity = dtype == DType::kF16 ? 0x7C00 : 0x7F80;
  return (dtype == DType::kF16 || dtype == DType::kBF16) && (Get<uint16_t>(bytes, lane) & 0x7FFFU) > infinity;
}
bool IsFloatType(DType dtype) { return (Bit(dtype) & (dtypes::kF16 | dtypes::kBF16 | dtypes::kF32)) != 0; }

void UseConvert(const Stmt& stmt, Step* step) {
  const auto round = static_cast<Round>(CodeOf(stmt, kRnd, 0));
  step->convert = PickConvert(step->target, step->t, step->u, round, CodeOf(stmt, kSat, 0) != 0);
  if (Has(stmt, kSat)) {
    step->opposite = PickConvert(step->target, step->t, step->u, round, CodeOf(stmt, kSat, 0) == 0);
  }
  step->code = CodeOf(stmt, kPart, 0) % kQuarter;
  step->there[kMostParams - 1] = CodeOf(stmt, kSat, 0) != 0;
}

// The part selects the narrow lanes. The mask has the granularity of the source. Inactive lanes are 0 even with
// --poison-inactive, because programs combine the halves of two conversions.
Flow RunConvert(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& mask = In(s, frame, 1);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  const int ratio = s.width > s.other ? s.width / s.other : s.other / s.width;
  const int count = kRegisterBytes / std::max(s.width, s.other);
  const bool narrows = s.width > s.other;
  const bool widens = s.width < s.other;
  const auto lines = static_cast<ptrdiff_t>(count);
  alignas(64) uint8_t from[kRegisterBytes];
  alignas(64) uint8_t to[kRegisterBytes];
  const uint8_t* source = a.bytes;
  if (widens) {
    for (int i = 0; i < count; ++i) {
      std::memcpy(from + i * s.width, a.bytes + (i * ratio + s.code) * s.width, s.width);
    }
    source = from;
  }
  uint8_t* result = narrows ? to : dst.bytes;
  // Bit 60 of the control word takes the choice from the statement: bit 59 is 1 for no saturation.
  const auto control = static_cast<uint64_t>(m.vector().control);
  const bool written = s.there[kMostParams - 1];
  const bool saturates = s.opposite && (control >> 60 & 1) != 0 ? (control >> 59 & 1) == 0 : written;
  // Saturation makes 0 of NaN where the result is a narrower float.
  const bool clears = saturates && IsFloatType(s.t) && IsFloatType(s.u);
  Call(saturates == written ? s.convert : s.opposite, {result, source, lines, lines, 1, static_cast<size_t>(count)});
  for (int i = 0; i < count; ++i) {
    const bool on = Active(mask, s.width, widens ? i * ratio + s.code : i);
    if (!on || (clears && IsNan(s.t, source, i))) std::memset(result + i * s.other, 0, s.other);
  }
  if (!narrows) return Flow::kNext;
  std::memset(dst.bytes, 0, sizeof dst.bytes);
  for (int i = 0; i < count; ++i) std::memcpy(dst.bytes + (i * ratio + s.code) * s.other, to + i * s.other, s.other);
  return Flow::kNext;
}

void UseRound(const Stmt&, Step* step) {
  step->convert = PickConvert(step->target, step->t, step->t, static_cast<Round>(step->code), false);
}
Flow RunRound(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  const auto count = static_cast<size_t>(s.Count());
  Call(s.convert, {dst.bytes, a.bytes, s.Count(), s.Count(), 1, count});
  ClearInactive(&dst, In(s, frame, 1), s.width, m.poison());
  return Flow::kNext;
}

Flow RunBitcast(Machine&, Node& node, Frame frame) {
  frame[node.step->out[0]] = frame[node.step->in[0]];
  return Flow::kNext;
}

constexpr OpRun kConvertRows[] = {
    {"pbitcast", RunBitcast},
    {"vbitcast", RunBitcast, nullptr, Shape::kSame},
    {"vcvt", RunConvert, UseConvert},
    {"vtrc", RunRound, UseRound},
};

}  // namespace

const OpRuns kConvertRuns = kConvertRows;

}  // namespace pto::ptoas::vec
