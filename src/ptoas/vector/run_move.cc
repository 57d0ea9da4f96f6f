// Registers made, compared, selected from, taken apart, put together and summed.
#include <cmath>
#include <limits>

#include "src/ptoas/vector/lane_type.h"

namespace pto::ptoas::vec {
namespace {

Register& Made(Machine& m, Node& node, Frame frame, int i = 0) {
  return NewRegister(m, node, frame, node.step->out[i], ValueKind::kVreg);
}

// ---- from scalars ----------------------------------------------------------------------

Flow RunBroadcast(Machine& m, Node& node, Frame frame) {
  const uint64_t bits = m.ScalarBits(node, frame, 0, node.step->elem);
  Broadcast(Made(m, node, frame).bytes, bits, node.step->width);
  return Flow::kNext;
}

Flow RunDup(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  uint64_t bits = 0;
  if (s.there[0] && frame[s.in[0]].Is(ValueKind::kVreg)) {
    const Register& a = In(s, frame, 0);
    std::memcpy(&bits, a.bytes + (s.code == 0 ? 0 : kRegisterBytes - s.width), s.width);
  } else {
    bits = m.ScalarBits(node, frame, 0, s.elem);
  }
  Register& dst = Made(m, node, frame);
  Broadcast(dst.bytes, bits, s.width);
  if (s.there[1]) ClearInactive(&dst, In(s, frame, 1), s.width, m.poison());
  return Flow::kNext;
}

// For floats each lane is one rounded sum.
Flow RunCount(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const uint64_t bits = m.ScalarBits(node, frame, 0, s.elem);
  Register& dst = Made(m, node, frame);
  ForLane(s.t, [&](auto lane) {
    using L = decltype(lane);
    typename L::Stored first;
    std::memcpy(&first, &bits, sizeof first);
    for (int i = 0; i < s.Count(); ++i) {
      const int step = s.code == 0 ? i : -i;
      if constexpr (L::kFloat) {
        Put(dst.bytes, i, L::Store(L::Load(first) + static_cast<float>(step)));
      } else {
        Put(dst.bytes, i, static_cast<typename L::Stored>(static_cast<uint64_t>(first) + static_cast<uint64_t>(step)));
      }
    }
  });
  return Flow::kNext;
}

// ---- compares --------------------------------------------------------------------------

template <class Number>
bool Holds(Cmp cmp, Number a, Number b) {
  switch (cmp) {
    case Cmp::kEq:
      return a == b;
    case Cmp::kNe:
      return a != b;
    case Cmp::kLt:
      return a < b;
    case Cmp::kLe:
      return a <= b;
    case Cmp::kGt:
      return a > b;
    default:
      return a >= b;
  }
}

void Compare(Machine& m, Node& node, Frame frame, const uint8_t* a, const uint8_t* b) {
  const Step& s = *node.step;
  const Register& seed = In(s, frame, 2);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kMask);
  std::memset(dst.bytes, 0, sizeof dst.bytes);
  ForLane(s.t, [&](auto lane) {
    using L = decltype(lane);
    using Stored = typename L::Stored;
    for (int i = 0; i < s.Count(); ++i) {
      const bool holds = Holds(static_cast<Cmp>(s.code), L::Load(Get<Stored>(a, i)), L::Load(Get<Stored>(b, i)));
      dst.bytes[i * s.width] = static_cast<uint8_t>(holds) & seed.bytes[i * s.width];
    }
  });
}
Flow RunCompare(Machine& m, Node& node, Frame frame) {
  Compare(m, node, frame, In(*node.step, frame, 0).bytes, In(*node.step, frame, 1).bytes);
  return Flow::kNext;
}
Flow RunCompareScalar(Machine& m, Node& node, Frame frame) {
  const uint8_t* b = ScalarLanes(m, node, frame, 1);
  Compare(m, node, frame, In(*node.step, frame, 0).bytes, b);
  return Flow::kNext;
}

// ---- selection -------------------------------------------------------------------------

Flow RunSelect(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& b = In(s, frame, 1);
  const Register& mask = In(s, frame, 2);
  Register& dst = Made(m, node, frame);
  if (const int prefix = PrefixOf(mask, s.width); prefix >= 0) [[likely]] {
    const auto from_a = static_cast<size_t>(prefix * s.width);
    if (from_a == sizeof dst.bytes) {
      CopyRegister(s, dst.bytes, a.bytes);
    } else {
      CopyRegister(s, dst.bytes, b.bytes);
      std::memcpy(dst.bytes, a.bytes, from_a);
    }
    return Flow::kNext;
  }
  Blend(dst.bytes, a.bytes, b.bytes, mask, s.width);
  return Flow::kNext;
}

Flow RunPermute(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& index = In(s, frame, 1);
  Register& dst = Made(m, node, frame);
  ForWord(s.width, [&](auto zero) {
    using Word = decltype(zero);
    constexpr int kLanes = kRegisterBytes / static_cast<int>(sizeof(Word));
    for (int i = 0; i < kLanes; ++i) {
      Put<Word>(dst.bytes, i, Get<Word>(a.bytes, static_cast<int>(Get<Word>(index.bytes, i) % kLanes)));
    }
  });
  return Flow::kNext;
}

// Moves the active lanes to the front. vstur stores their bytes.
Flow RunSqueeze(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& mask = In(s, frame, 1);
  Register& dst = Made(m, node, frame);
  int kept = 0;
  for (int i = 0; i < s.Count(); ++i) {
    if (Active(mask, s.width, i)) std::memcpy(dst.bytes + s.width * kept++, a.bytes + i * s.width, s.width);
  }
  std::memset(dst.bytes + kept * s.width, 0, static_cast<size_t>(kRegisterBytes - kept * s.width));
  m.vector().squeezed = kept * s.width;
  return Flow::kNext;
}

Flow RunCountBefore(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& mask = In(s, frame, 1);
  Register& dst = Made(m, node, frame);
  int before = 0;
  ForWord(s.width, [&](auto zero) {
    using Word = decltype(zero);
    for (int i = 0; i < s.Count(); ++i) {
      Put<Word>(dst.bytes, i, static_cast<Word>(before));
      before += Active(mask, s.width, i) ? 1 : 0;
    }
  });
  m.vector().squeezed = before * s.width;
  return Flow::kNext;
}

// ---- interleaving: of registers by lanes, of masks by the bits of a lane ---------------------

template <ValueKind kind, int kWidth>
Flow RunInterleave(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const int width = kWidth != 0 ? kWidth : s.width;
  const Register& a = In(s, frame, 0);
  const Register& b = In(s, frame, 1);
  Register& low = NewRegister(m, node, frame, s.out[0], kind);
  Register& high = NewRegister(m, node, frame, s.out[1], kind);
  const int lanes = kRegisterBytes / width;
  const auto size = static_cast<size_t>(width);
  for (int i = 0; i < lanes; ++i) {
    uint8_t* to = i < lanes / 2 ? low.bytes + 2 * i * width : high.bytes + (2 * i - lanes) * width;
    std::memcpy(to, a.bytes + i * width, size);
    std::memcpy(to + width, b.bytes + i * width, size);
  }
  return Flow::kNext;
}
template <ValueKind kind, int kWidth>
Flow RunDeinterleave(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const int width = kWidth != 0 ? kWidth : s.width;
  Register& low = NewRegister(m, node, frame, s.out[0], kind);
  Register& high = NewRegister(m, node, frame, s.out[1], kind);
  const int lanes = kRegisterBytes / width;
  const auto size = static_cast<size_t>(width);
  for (int half = 0; half < 2; ++half) {
    const Register& from = In(s, frame, half);
    for (int i = 0; i < lanes / 2; ++i) {
      const int to = (half * lanes / 2 + i) * width;
      std::memcpy(low.bytes + to, from.bytes + 2 * i * width, size);
      std::memcpy(high.bytes + to, from.bytes + (2 * i + 1) * width, size);
    }
  }
  return Flow::kNext;
}

// ---- other widths ------------------------------------------------------------------------

Flow RunPack(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  Register& dst = Made(m, node, frame);
  std::memset(dst.bytes, 0, sizeof dst.bytes);
  uint8_t* to = dst.bytes + (s.code == 0 ? 0 : kRegisterBytes / 2);
  for (int i = 0; i < s.Count(); ++i) std::memcpy(to + i * s.other, a.bytes + i * s.width, s.other);
  return Flow::kNext;
}

template <bool extends_sign>
Flow RunUnpack(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Stmt& stmt = *node.stmt;
  const int64_t part = m.IntOf(stmt, stmt.operands[1], frame);
  if (part != 0 && part != 1) {
    m.Fail(stmt, Rule::kRunUnsupported, "part %lld; there are 0 and 1", static_cast<long long>(part));
  }
  const Register& a = In(s, frame, 0);
  Register& dst = Made(m, node, frame);
  const int lanes = kRegisterBytes / s.other;
  const uint8_t* from = a.bytes + part * kRegisterBytes / 2;
  for (int i = 0; i < lanes; ++i) {
    const bool negative = extends_sign && (from[(i + 1) * s.width - 1] & 0x80) != 0;
    std::memset(dst.bytes + i * s.other, negative ? 0xFF : 0, s.other);
    std::memcpy(dst.bytes + i * s.other, from + i * s.width, s.width);
  }
  return Flow::kNext;
}

// ---- sums ----------------------------------------------------------------------------------

// Neighbours first, then neighbouring sums: groups use the first levels of the same tree.
template <class Number>
Number TreeSum(Number* values, int count) {
  for (; count > 1; count /= 2) {
    for (int i = 0; i < count / 2; ++i) values[i] = static_cast<Number>(values[2 * i] + values[2 * i + 1]);
  }
  return values[0];
}

// The sum of `count` lanes from `first` on; narrow floats are summed as float.
template <class L>
auto SumOf(const Register& a, const Register& mask, int width, int first, int count) {
  using Sum = std::conditional_t<L::kFloat, float, uint64_t>;
  Sum values[256];
  for (int i = 0; i < count; ++i) {
    const auto lane = L::Load(Get<typename L::Stored>(a.bytes, first + i));
    values[i] = Active(mask, width, first + i) ? static_cast<Sum>(lane) : Sum{0};
  }
  return TreeSum(values, count);
}

template <int kGroups>
Flow RunSum(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& mask = In(s, frame, 1);
  Register& dst = Made(m, node, frame);
  std::memset(dst.bytes, 0, sizeof dst.bytes);
  ForLane(s.t, [&](auto lane) {
    using L = decltype(lane);
    const int count = s.Count() / kGroups;
    for (int g = 0; g < kGroups; ++g) {
      const auto sum = SumOf<L>(a, mask, s.width, g * count, count);
      if constexpr (L::kFloat) {
        Put(dst.bytes, g, L::Store(sum));
      } else {
        // vcadd of narrow integers makes wider ones.
        std::memcpy(dst.bytes + g * (kGroups == 1 ? s.other : s.width), &sum, kGroups == 1 ? s.other : s.width);
      }
    }
  });
  return Flow::kNext;
}

Flow RunPairSum(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& mask = In(s, frame, 1);
  Register& dst = Made(m, node, frame);
  std::memset(dst.bytes, 0, sizeof dst.bytes);
  ForLane(s.t, [&](auto lane) {
    using L = decltype(lane);
    for (int i = 0; i < s.Count() / 2; ++i) {
      if constexpr (L::kFloat) Put(dst.bytes, i, L::Store(SumOf<L>(a, mask, s.width, 2 * i, 2)));
    }
  });
  return Flow::kNext;
}

// Floats in an order in which NaN is beyond all, and -0 before +0.
template <class L>
bool Beyond(typename L::Number a, typename L::Number b, bool largest) {
  if constexpr (L::kFloat) {
    if (std::isnan(b)) return false;
    if (std::isnan(a)) return true;
    if (a == b) return std::signbit(a) != std::signbit(b) && std::signbit(b) == largest;
  }
  return largest ? a > b : a < b;
}

template <bool largest, bool groups>
Flow RunExtreme(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& a = In(s, frame, 0);
  const Register& mask = In(s, frame, 1);
  Register& dst = Made(m, node, frame);
  std::memset(dst.bytes, 0, sizeof dst.bytes);
  ForLane(s.t, [&](auto lane) {
    using L = decltype(lane);
    using Number = typename L::Number;
    using Limits = std::numeric_limits<Number>;
    Number neutral = largest ? Limits::lowest() : Limits::max();
    if constexpr (L::kFloat) neutral = largest ? -Limits::infinity() : Limits::infinity();
    const int count = groups ? s.Count() / 8 : s.Count();
    for (int g = 0; g < (groups ? 8 : 1); ++g) {
      Number best = neutral;
      int at = 0;
      for (int i = 0; i < count; ++i) {
        const bool on = Active(mask, s.width, g * count + i);
        const Number value = on ? L::Load(Get<typename L::Stored>(a.bytes, g * count + i)) : neutral;
        if (i != 0 && !Beyond<L>(value, best, largest)) continue;
        best = value;
        at = i;
      }
      Put(dst.bytes, g, L::Store(best));
      if constexpr (!groups) std::memcpy(dst.bytes + s.width, &at, std::min<size_t>(s.width, sizeof at));
    }
  });
  return Flow::kNext;
}

constexpr ValueKind kV = ValueKind::kVreg;
constexpr ValueKind kM = ValueKind::kMask;
constexpr OpRun kMoveRows[] = {
    {"pdintlv_b16", RunDeinterleave<kM, 2>},
    {"pdintlv_b32", RunDeinterleave<kM, 4>},
    {"pdintlv_b8", RunDeinterleave<kM, 1>},
    {"pintlv_b16", RunInterleave<kM, 2>},
    {"pintlv_b32", RunInterleave<kM, 4>},
    {"pintlv_b8", RunInterleave<kM, 1>},
    {"vbr", RunBroadcast, nullptr, Shape::kBroadcast},
    {"vcadd", RunSum<1>},
    {"vcgadd", RunSum<8>},
    {"vcgmax", RunExtreme<true, true>},
    {"vcgmin", RunExtreme<false, true>},
    {"vci", RunCount},
    {"vcmax", RunExtreme<true, false>},
    {"vcmin", RunExtreme<false, false>},
    {"vcmp", RunCompare},
    {"vcmps", RunCompareScalar},
    {"vcpadd", RunPairSum},
    {"vdintlv", RunDeinterleave<kV, 0>},
    {"vdup", RunDup},
    {"vintlv", RunInterleave<kV, 0>},
    {"vpack", RunPack},
    {"vsel", RunSelect, nullptr, Shape::kTakeFirst},
    {"vperm", RunPermute},
    {"vselr", RunPermute},
    {"vsqz", RunSqueeze},
    {"vsunpack", RunUnpack<true>},
    {"vusqz", RunCountBefore},
    {"vzunpack", RunUnpack<false>},
};

}  // namespace

const OpRuns kMoveRuns = kMoveRows;

}  // namespace pto::ptoas::vec
