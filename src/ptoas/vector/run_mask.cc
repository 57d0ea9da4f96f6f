// Masks: made of patterns and numbers, and combined on all of their 256 bits.
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

template <int kWidth>
Flow RunPattern(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  constexpr int kLanes = kRegisterBytes / kWidth;
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kMask);
  if (s.code == kPatM3 || s.code == kPatM4) {
    const int every = s.code == kPatM3 ? 3 : 4;
    std::memset(dst.bytes, 0, sizeof dst.bytes);
    for (int i = 0; i < kLanes; i += every) dst.bytes[i * kWidth] = 1;
    return Flow::kNext;
  }
  const int lanes = s.code < 0              ? std::min(-s.code, kLanes)
                    : s.code == kPatAll     ? kLanes
                    : s.code == kPatHalf    ? kLanes / 2
                    : s.code == kPatQuarter ? kLanes / 4
                                            : 0;
  dst.SetPrefix(kWidth, lanes);
  return Flow::kNext;
}

// The number is one of 32 bits without a sign.
template <int kWidth>
Flow RunFirst(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  constexpr uint32_t kLanes = kRegisterBytes / kWidth;
  const auto count = static_cast<uint32_t>(m.IntOf(*node.stmt, node.stmt->operands[0], frame));
  const auto lanes = static_cast<int>(std::min(count, kLanes));
  // In a loop it often is the mask of the round before.
  const RunValue& before = frame[s.out[0]];
  const auto* there = static_cast<const Register*>(before.box());
  if (!before.Is(ValueKind::kMask) || there->refs != 1 || PrefixOf(*there, kWidth) != lanes) {
    NewRegister(m, node, frame, s.out[0], ValueKind::kMask).SetPrefix(kWidth, lanes);
  }
  if (node.stmt->results.size() > 1) {
    frame[s.out[1]].SetInt(static_cast<int32_t>(count - static_cast<uint32_t>(lanes)));
  }
  return Flow::kNext;
}

template <class F>
void EachBit(Machine& m, Node& node, Frame frame, F&& f) {
  Register& dst = NewRegister(m, node, frame, node.step->out[0], ValueKind::kMask);
  for (int i = 0; i < kRegisterBytes; ++i) dst.bytes[i] = f(i);
}
Flow RunAnd(Machine& m, Node& node, Frame frame) {
  const uint8_t *a = In(*node.step, frame, 0).bytes, *b = In(*node.step, frame, 1).bytes,
                *on = In(*node.step, frame, 2).bytes;
  EachBit(m, node, frame, [=](int i) { return static_cast<uint8_t>(a[i] & b[i] & on[i]); });
  return Flow::kNext;
}
Flow RunOr(Machine& m, Node& node, Frame frame) {
  const uint8_t *a = In(*node.step, frame, 0).bytes, *b = In(*node.step, frame, 1).bytes,
                *on = In(*node.step, frame, 2).bytes;
  EachBit(m, node, frame, [=](int i) { return static_cast<uint8_t>((a[i] | b[i]) & on[i]); });
  return Flow::kNext;
}
Flow RunXor(Machine& m, Node& node, Frame frame) {
  const uint8_t *a = In(*node.step, frame, 0).bytes, *b = In(*node.step, frame, 1).bytes,
                *on = In(*node.step, frame, 2).bytes;
  EachBit(m, node, frame, [=](int i) { return static_cast<uint8_t>((a[i] ^ b[i]) & on[i]); });
  return Flow::kNext;
}
Flow RunNot(Machine& m, Node& node, Frame frame) {
  const uint8_t *a = In(*node.step, frame, 0).bytes, *on = In(*node.step, frame, 1).bytes;
  EachBit(m, node, frame, [=](int i) { return static_cast<uint8_t>((a[i] ^ 1) & on[i]); });
  return Flow::kNext;
}
Flow RunMaskSelect(Machine& m, Node& node, Frame frame) {
  const uint8_t *a = In(*node.step, frame, 0).bytes, *b = In(*node.step, frame, 1).bytes,
                *on = In(*node.step, frame, 2).bytes;
  EachBit(m, node, frame, [=](int i) { return static_cast<uint8_t>(on[i] != 0 ? a[i] : b[i]); });
  return Flow::kNext;
}
Flow RunMaskPack(Machine& m, Node& node, Frame frame) {
  const uint8_t* a = In(*node.step, frame, 0).bytes;
  const int from = node.step->code == 0 ? 0 : 128;
  EachBit(m, node, frame, [=](int i) { return i >= from && i < from + 128 ? a[2 * (i - from)] : uint8_t{0}; });
  return Flow::kNext;
}
Flow RunUnpack(Machine& m, Node& node, Frame frame) {
  const uint8_t* a = In(*node.step, frame, 0).bytes + (node.step->code == 0 ? 0 : 128);
  EachBit(m, node, frame, [=](int i) { return i % 2 == 0 ? a[i / 2] : uint8_t{0}; });
  return Flow::kNext;
}

constexpr OpRun kMaskRows[] = {
    {"pand", RunAnd},
    {"pge_b16", RunPattern<2>, nullptr, Shape::kPattern, 2},
    {"pge_b32", RunPattern<4>, nullptr, Shape::kPattern, 4},
    {"pge_b8", RunPattern<1>, nullptr, Shape::kPattern, 1},
    {"plt_b16", RunFirst<2>, nullptr, Shape::kFirst, 2},
    {"plt_b32", RunFirst<4>, nullptr, Shape::kFirst, 4},
    {"plt_b8", RunFirst<1>, nullptr, Shape::kFirst, 1},
    {"pnot", RunNot},
    {"por", RunOr},
    {"ppack", RunMaskPack},
    {"psel", RunMaskSelect},
    {"pset_b16", RunPattern<2>, nullptr, Shape::kPattern, 2},
    {"pset_b32", RunPattern<4>, nullptr, Shape::kPattern, 4},
    {"pset_b8", RunPattern<1>, nullptr, Shape::kPattern, 1},
    {"punpack", RunUnpack},
    {"pxor", RunXor},
};

}  // namespace

const OpRuns kMaskRuns = kMaskRows;

}  // namespace pto::ptoas::vec
