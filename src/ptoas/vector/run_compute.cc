// pto::Lane by lane: the kernels that tile instructions have, so that the bits are theirs.
#include <bit>
#include <cmath>

#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

// ---- plain kernels -----------------------------------------------------------------------

// The kernel of the row over the active lanes; the others are cleared.
template <class F>
void Masked(Machine& m, const Step& s, Register* dst, const Register& mask, F&& compute) {
  const int prefix = PrefixOf(mask, s.width);
  compute(static_cast<size_t>(prefix < 0 ? s.Count() : prefix));
  if (prefix < 0) {
    ClearInactive(dst, mask, s.width, m.poison());
  } else if (prefix < s.Count()) {
    ClearTail(dst, prefix, s.width, m.poison());
  }
}

Flow RunUnary(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Masked(m, s, &dst, In(s, frame, 1),
         [&](size_t count) { Compute(s.kernel, dst.bytes, a.bytes, a.bytes, dst.bytes, count); });
  return Flow::kNext;
}

Flow RunBinary(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& b = In(s, frame, 1);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Masked(m, s, &dst, In(s, frame, 2),
         [&](size_t count) { Compute(s.kernel, dst.bytes, a.bytes, b.bytes, dst.bytes, count); });
  return Flow::kNext;
}

Flow RunScalar(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const uint8_t* b = ScalarLanes(m, node, frame, 1);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Masked(m, s, &dst, In(s, frame, 2),
         [&](size_t count) { Compute(s.kernel, dst.bytes, a.bytes, b, dst.bytes, count); });
  return Flow::kNext;
}

// The count is an i16 whatever the elements are; it counts modulo their width.
Flow RunShift(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const int64_t count = m.IntOf(*node.stmt, node.stmt->operands[1], frame);
  const uint8_t* b = InEachLane(node.step.get(), static_cast<uint64_t>(count) & (8U * s.width - 1U));
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Masked(m, s, &dst, In(s, frame, 2),
         [&](size_t lanes) { Compute(s.kernel, dst.bytes, a.bytes, b, dst.bytes, lanes); });
  return Flow::kNext;
}

template <pto::Lane lane>
void Use(const Stmt&, Step* step) {
  step->kernel = PickKernel(step->target, lane, step->t);
}
// For bits: any elements.
template <pto::Lane lane>
void UseBits(const Stmt&, Step* step) {
  step->kernel = PickKernel(step->target, lane, pto::WordOf(step->t));
}
// The sign bit, also of bf16.
template <pto::Lane lane>
void UseSign(const Stmt&, Step* step) {
  step->kernel = PickKernel(step->target, lane, step->t == DType::kBF16 ? DType::kF16 : step->t);
  const bool copies = lane == pto::Lane::kAbs && (Bit(step->t) & (dtypes::kU8 | dtypes::kU16 | dtypes::kU32)) != 0;
  if (copies) step->kernel = PickKernel(step->target, pto::Lane::kCopy, step->t);
}

// ---- sums and maxima with zero ------------------------------------------------------------

Flow RunBinaryRelu(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& b = In(s, frame, 1);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Masked(m, s, &dst, In(s, frame, 2), [&](size_t count) {
    Compute(s.kernel, dst.bytes, a.bytes, b.bytes, dst.bytes, count);
    Compute(s.second, dst.bytes, dst.bytes, dst.bytes, dst.bytes, count);
  });
  return Flow::kNext;
}
template <pto::Lane lane>
void UseRelu(const Stmt& stmt, Step* step) {
  Use<lane>(stmt, step);
  step->second = PickKernel(step->target, pto::Lane::kRelu, step->t);
}

// ---- a where a >= 0, else a * b -----------------------------------------------------------

// The sign bit decides except for zeros, which pass, and NaN, which take the product.
template <class Word>
void TakePositive(uint8_t* dst, const uint8_t* a, Word infinity) {
  constexpr Word kSign = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
  for (int i = 0; i < kRegisterBytes / static_cast<int>(sizeof(Word)); ++i) {
    const Word x = Get<Word>(a, i);
    const auto magnitude = static_cast<Word>(x & static_cast<Word>(~kSign));
    const bool passes = magnitude == 0 || ((x & kSign) == 0 && magnitude <= infinity);
    Put<Word>(dst, i, passes ? x : Get<Word>(dst, i));
  }
}
void TakePositive(const Step& s, uint8_t* dst, const uint8_t* a) {
  if (s.t == DType::kF32) {
    TakePositive<uint32_t>(dst, a, 0x7F800000);
  } else {
    TakePositive<uint16_t>(dst, a, 0x7C00);
  }
}

void RunLeaky(Machine& m, Node& node, Frame frame, const uint8_t* slopes) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Masked(m, s, &dst, In(s, frame, 2), [&](size_t count) {
    Compute(s.kernel, dst.bytes, a.bytes, slopes, dst.bytes, count);
    TakePositive(s, dst.bytes, a.bytes);
  });
}
Flow RunPrelu(Machine& m, Node& node, Frame frame) {
  RunLeaky(m, node, frame, In(*node.step, frame, 1).bytes);
  return Flow::kNext;
}
Flow RunLrelu(Machine& m, Node& node, Frame frame) {
  RunLeaky(m, node, frame, ScalarLanes(m, node, frame, 1));
  return Flow::kNext;
}

// ---- products and sums, rounded once ------------------------------------------------------

// dst = a * b + c in the active lanes, c in the others.
void Fused(Machine& m, Node& node, Frame frame, const uint8_t* a, const uint8_t* b, const Register& c,
           const Register& mask) {
  const Step& s = *node.step;
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  const int prefix = PrefixOf(mask, s.width);
  const int lanes = prefix < 0 ? s.Count() : prefix;
  CopyRegister(s, dst.bytes, c.bytes);
  Compute(s.kernel, dst.bytes, a, b, dst.bytes, static_cast<size_t>(lanes));
  if (prefix < 0) Blend(dst.bytes, dst.bytes, c.bytes, mask, s.width);
}
Flow RunMulAdd(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  Fused(m, node, frame, In(s, frame, 1).bytes, In(s, frame, 2).bytes, In(s, frame, 0), In(s, frame, 3));
  return Flow::kNext;
}
Flow RunAxpy(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  Fused(m, node, frame, In(s, frame, 0).bytes, ScalarLanes(m, node, frame, 2), In(s, frame, 1), In(s, frame, 3));
  return Flow::kNext;
}

// ---- e ** (a - b) as f32 ------------------------------------------------------------------

void UseExpDif(const Stmt&, Step* step) {
  step->kernel = PickKernel(step->target, pto::Lane::kExpDif, DType::kF32);
  step->convert = PickConvert(step->target, DType::kF16, DType::kF32, Round::kNone, false);
}
// The even or the odd lanes of f16, as f32.
void Widen(const Step& s, const uint8_t* from, float* to) {
  uint16_t half[64];
  for (int i = 0; i < 64; ++i) half[i] = Get<uint16_t>(from, 2 * i + s.code);
  Call(s.convert, {to, half, 64, 64, 1, 64});
}
Flow RunExpDif(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& b = In(s, frame, 1);
  const Register& mask = In(s, frame, 2);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  if (s.t == DType::kF32) {
    Masked(m, s, &dst, mask, [&](size_t count) { Compute(s.kernel, dst.bytes, a.bytes, b.bytes, dst.bytes, count); });
    return Flow::kNext;
  }
  alignas(64) float wide[2][64];
  Widen(s, a.bytes, wide[0]);
  Widen(s, b.bytes, wide[1]);
  Compute(s.kernel, dst.bytes, wide[0], wide[1], dst.bytes, 64);
  for (int i = 0; i < 64; ++i) {
    if (!Active(mask, 2, 2 * i + s.code)) Put<uint32_t>(dst.bytes, i, m.poison() ? 0xA5A5A5A5 : 0);
  }
  return Flow::kNext;
}

// ---- integers of 32 bits with carries, and their whole product -----------------------------

template <bool subtracts, bool takes>
Flow RunCarry(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& b = In(s, frame, 1);
  const Register& mask = In(s, frame, takes ? 3 : 2);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Register& carries = NewRegister(m, node, frame, s.out[1], ValueKind::kMask);
  std::memset(carries.bytes, 0, sizeof carries.bytes);
  for (int i = 0; i < 64; ++i) {
    const uint64_t x = Get<uint32_t>(a.bytes, i);
    const uint64_t y = Get<uint32_t>(b.bytes, i);
    // Not borrowed is a carry of a + ~b + 1.
    uint64_t carry = subtracts ? 1 : 0;
    if constexpr (takes) carry = In(s, frame, 2).bytes[4 * i];
    const uint64_t sum = x + (subtracts ? y ^ 0xFFFFFFFF : y) + carry;
    const bool on = Active(mask, 4, i);
    Put<uint32_t>(dst.bytes, i, on ? static_cast<uint32_t>(sum) : m.poison() ? 0xA5A5A5A5 : 0);
    carries.bytes[4 * i] = static_cast<uint8_t>(on ? sum >> 32 : 0);
  }
  return Flow::kNext;
}

Flow RunProduct(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& b = In(s, frame, 1);
  const Register& mask = In(s, frame, 2);
  Register& low = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Register& high = NewRegister(m, node, frame, s.out[1], ValueKind::kVreg);
  for (int i = 0; i < 64; ++i) {
    const bool has_sign = s.t == DType::kI32;
    const auto product = has_sign ? static_cast<uint64_t>(int64_t{Get<int32_t>(a.bytes, i)} * Get<int32_t>(b.bytes, i))
                                  : uint64_t{Get<uint32_t>(a.bytes, i)} * Get<uint32_t>(b.bytes, i);
    Put<uint32_t>(low.bytes, i, static_cast<uint32_t>(product));
    Put<uint32_t>(high.bytes, i, static_cast<uint32_t>(product >> 32));
  }
  ClearInactive(&low, mask, 4, m.poison());
  ClearInactive(&high, mask, 4, m.poison());
  return Flow::kNext;
}

Flow RunCountBits(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  ForWord(s.width, [&](auto zero) {
    using Word = decltype(zero);
    for (int i = 0; i < s.Count(); ++i)
      Put<Word>(dst.bytes, i, static_cast<Word>(std::popcount(Get<Word>(a.bytes, i))));
  });
  ClearInactive(&dst, In(s, frame, 1), s.width, m.poison());
  return Flow::kNext;
}

constexpr OpRun kComputeRows[] = {
    {"vabs", RunUnary, UseSign<pto::Lane::kAbs>, Shape::kUnary},
    {"vadd", RunBinary, Use<pto::Lane::kAdd>, Shape::kBinary},
    {"vaddc", RunCarry<false, false>},
    {"vaddcs", RunCarry<false, true>},
    {"vaddrelu", RunBinaryRelu, UseRelu<pto::Lane::kAdd>, Shape::kBinary},
    {"vadds", RunScalar, Use<pto::Lane::kAdd>, Shape::kScalar},
    {"vand", RunBinary, UseBits<pto::Lane::kAnd>, Shape::kBinary},
    {"vands", RunScalar, UseBits<pto::Lane::kAnd>, Shape::kScalar},
    {"vaxpy", RunAxpy, Use<pto::Lane::kMulAdd>, Shape::kAxpy},
    {"vbcnt", RunCountBits},
    {"vdiv", RunBinary, Use<pto::Lane::kDiv>, Shape::kBinary},
    {"vexp", RunUnary, Use<pto::Lane::kExp>, Shape::kUnary},
    {"vexpdif", RunExpDif, UseExpDif, Shape::kBinary},
    {"vln", RunUnary, Use<pto::Lane::kLog>, Shape::kUnary},
    {"vlrelu", RunLrelu, Use<pto::Lane::kMul>},
    {"vmax", RunBinary, Use<pto::Lane::kMax>, Shape::kBinary},
    {"vmaxs", RunScalar, Use<pto::Lane::kMax>, Shape::kScalar},
    {"vmin", RunBinary, Use<pto::Lane::kMin>, Shape::kBinary},
    {"vmins", RunScalar, Use<pto::Lane::kMin>, Shape::kScalar},
    {"vmov", RunUnary, Use<pto::Lane::kCopy>, Shape::kTakeFirst},
    {"vmul", RunBinary, Use<pto::Lane::kMul>, Shape::kBinary},
    {"vmula", RunMulAdd, Use<pto::Lane::kMulAdd>, Shape::kMulAdd},
    {"vmull", RunProduct},
    {"vmuls", RunScalar, Use<pto::Lane::kMul>, Shape::kScalar},
    {"vneg", RunUnary, UseSign<pto::Lane::kNeg>, Shape::kUnary},
    {"vnot", RunUnary, UseBits<pto::Lane::kNot>, Shape::kUnary},
    {"vor", RunBinary, UseBits<pto::Lane::kOr>, Shape::kBinary},
    {"vors", RunScalar, UseBits<pto::Lane::kOr>, Shape::kScalar},
    {"vprelu", RunPrelu, Use<pto::Lane::kMul>},
    {"vrec", RunUnary, Use<pto::Lane::kRecip>, Shape::kUnary},
    {"vrelu", RunUnary, Use<pto::Lane::kRelu>, Shape::kUnary},
    {"vrsqrt", RunUnary, Use<pto::Lane::kRsqrt>, Shape::kUnary},
    {"vshl", RunBinary, Use<pto::Lane::kShl>, Shape::kBinary},
    {"vshls", RunShift, Use<pto::Lane::kShl>, Shape::kShift},
    {"vshr", RunBinary, Use<pto::Lane::kShr>, Shape::kBinary},
    {"vshrs", RunShift, Use<pto::Lane::kShr>, Shape::kShift},
    {"vsqrt", RunUnary, Use<pto::Lane::kSqrt>, Shape::kUnary},
    {"vsub", RunBinary, Use<pto::Lane::kSub>, Shape::kBinary},
    {"vsubc", RunCarry<true, false>},
    {"vsubcs", RunCarry<true, true>},
    {"vsubrelu", RunBinaryRelu, UseRelu<pto::Lane::kSub>, Shape::kBinary},
    {"vsubs", RunScalar, Use<pto::Lane::kSub>, Shape::kScalar},
    {"vxor", RunBinary, UseBits<pto::Lane::kXor>, Shape::kBinary},
    {"vxors", RunScalar, UseBits<pto::Lane::kXor>, Shape::kScalar},
};

}  // namespace

const OpRuns kComputeRuns = kComputeRows;

}  // namespace pto::ptoas::vec
