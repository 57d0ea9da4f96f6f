// Loads and stores between registers and UB, with their distributions; masks in memory; gathering and scattering.
//
// A distribution works on bytes: its suffix is the width of the elements in memory, whatever the register's are.
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

constexpr int64_t kBlock = 32;

// ---- addresses ---------------------------------------------------------------------------

// The offset in bytes. An index far outside of any memory stays outside.
int64_t OffsetOf(Machine& m, const Node& node, Frame frame, size_t operand) {
  const Operand& index = node.stmt->operands[operand];
  return index.implied ? 0 : std::clamp(m.IntOf(*node.stmt, index, frame), -kFarIndex, kFarIndex) * node.step->unit;
}

// On a device an address is a multiple; the CPU profile asks for nothing.
void NeedAligned(Machine& m, const Node& node, Frame frame, size_t pointer, int64_t offset, int64_t alignment) {
  if (!m.hardware()) [[likely]]
    return;
  int64_t at = 0;  // if it overflows, it is outside of the memory, too
  const int64_t base = m.PointerAt(*node.stmt, node.stmt->operands[pointer], frame).integer();
  if (__builtin_add_overflow(base, offset, &at) || at % alignment == 0) return;
  m.Fail(*node.stmt, Rule::kVectorAlign, "the address %lld is not a multiple of %lld", static_cast<long long>(at),
         static_cast<long long>(alignment));
}

// The bytes that an operation reads or writes; reports the access if the run is watched.
uint8_t* Touch(Machine& m, const Node& node, Frame frame, size_t pointer, int64_t offset, int64_t bytes, bool writes) {
  char* at = m.Reach(*node.stmt, pointer, frame, offset, bytes);
  if (m.checked()) [[unlikely]] {
    m.WatchBytes(*node.stmt, m.PointerAt(*node.stmt, node.stmt->operands[pointer], frame), offset, bytes, writes);
  }
  return reinterpret_cast<uint8_t*>(at);
}

// The result is the pointer advanced by `bytes`.
void Advance(Machine& m, const Node& node, Frame frame, size_t pointer, int64_t bytes, int result) {
  RunValue at = m.PointerAt(*node.stmt, node.stmt->operands[pointer], frame);
  at.box()->Retain();
  const auto sum = static_cast<int64_t>(static_cast<uint64_t>(at.integer()) + static_cast<uint64_t>(bytes));
  frame[node.step->out[result]] = RunValue::Of(ValueKind::kAddress, at.box(), sum);
}

// ---- loads -------------------------------------------------------------------------------

void Distribute(Dist dist, int width, const uint8_t* from, uint8_t* to) {
  const auto size = static_cast<size_t>(width);
  const int lanes = kRegisterBytes / width;
  switch (dist) {
    case Dist::kBrc: {
      uint64_t bits = 0;
      std::memcpy(&bits, from, size);
      return Broadcast(to, bits, width);
    }
    case Dist::kBlock:
      for (int i = 0; i < 8; ++i) std::memcpy(to + i * kBlock, from, kBlock);
      return;
    case Dist::kUs:
      for (int i = 0; i < lanes; ++i) std::memcpy(to + i * width, from + i / 2 * width, size);
      return;
    case Dist::kDs:
      for (int i = 0; i < lanes; ++i) std::memcpy(to + i * width, from + 2 * i * width, size);
      return;
    case Dist::kUnpack:
    case Dist::kUnpack4: {
      const int wide = dist == Dist::kUnpack ? 2 * width : 4;
      std::memset(to, 0, kRegisterBytes);
      for (int i = 0; i < kRegisterBytes / wide; ++i) std::memcpy(to + i * wide, from + i * width, size);
      return;
    }
    case Dist::kSpread:
      for (int i = 0; i < lanes; ++i) std::memcpy(to + i * width, from + i * width / kBlock * width, size);
      return;
    default:
      std::memcpy(to, from, kRegisterBytes);
  }
}

void UseLoad(const Stmt& stmt, Step* step) {
  const int32_t code = CodeOf(stmt, kLoadDist, DistCode(Dist::kNorm, 0));
  step->code = DistCode(DistOf(code), DistBytes(code) != 0 ? DistBytes(code) : step->width);
  step->lanes = [](uint8_t*, const uint8_t*, const uint8_t*) {};
  step->there[kMostParams - 1] = stmt.types.size() > 1;  // it advances its pointer, after the access
}

// The address of 256 bytes in UB if nothing about the access needs a look: a pointer with a byte address, an index in a
// slot, no checker. Else nullptr, as for an address that is an error.
uint8_t* PlainAddress(const Machine& m, const Step& s, Frame frame, int pointer) {
  if (m.checked() || !s.there[pointer] || !s.there[pointer + 1]) return nullptr;
  const RunValue& at = frame[s.in[pointer]];
  const RunValue& index = frame[s.in[pointer + 1]];
  if (!at.Is(ValueKind::kAddress) || !index.Is(ValueKind::kInt)) return nullptr;
  const Box& memory = *at.box();
  constexpr int64_t kFar = int64_t{1} << 40;
  if (index.integer() < -kFar || index.integer() > kFar || at.integer() < -kFar || at.integer() > kFar) return nullptr;
  const int64_t first = at.integer() + index.integer() * s.unit;
  if (first < 0 || first > memory.extent - kRegisterBytes) return nullptr;
  if (m.hardware() && first % kBlock != 0) return nullptr;
  return reinterpret_cast<uint8_t*>(memory.data) + first;
}

Flow RunLoad(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const bool plain = DistOf(s.code) == Dist::kNorm && !s.there[kMostParams - 1];
  if (const uint8_t* from = plain ? PlainAddress(m, s, frame, 0) : nullptr; from != nullptr) [[likely]] {
    CopyRegister(s, NewRegister(m, node, frame, s.out[0], ValueKind::kVreg).bytes, from);
    return Flow::kNext;
  }
  const Dist dist = DistOf(s.code);
  const int width = DistBytes(s.code);
  const int64_t offset = OffsetOf(m, node, frame, 1);
  const bool posts = s.there[kMostParams - 1];
  const int64_t at = posts ? 0 : offset;
  NeedAligned(m, node, frame, 0, at, UbAlignment(dist, width));
  const uint8_t* from = Touch(m, node, frame, 0, at, LoadBytes(dist, width), false);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  if (dist == Dist::kNorm) [[likely]] {
    CopyRegister(s, dst.bytes, from);
  } else {
    Distribute(dist, width, from, dst.bytes);
  }
  if (posts) Advance(m, node, frame, 0, offset, 1);
  return Flow::kNext;
}

Flow RunLoadPair(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const bool blocks = DistOf(s.code) == Dist::kBlocks;
  const int width = blocks ? static_cast<int>(kBlock) : DistBytes(s.code) != 0 ? DistBytes(s.code) : s.width;
  const int64_t offset = OffsetOf(m, node, frame, 1);
  NeedAligned(m, node, frame, 0, offset, kBlock);
  const uint8_t* from = Touch(m, node, frame, 0, offset, 2 * kRegisterBytes, false);
  Register& low = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  Register& high = NewRegister(m, node, frame, s.out[1], ValueKind::kVreg);
  const auto size = static_cast<size_t>(width);
  for (int i = 0; i < kRegisterBytes / width; ++i) {
    std::memcpy(low.bytes + i * width, from + 2 * i * width, size);
    std::memcpy(high.bytes + i * width, from + (2 * i + 1) * width, size);
  }
  return Flow::kNext;
}

// Blocks of 32 bytes, each if its lane of a mask of 32-bit lanes is active.
Flow RunLoadBlocks(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Stmt& stmt = *node.stmt;
  const auto stride = static_cast<uint16_t>(m.IntOf(stmt, stmt.operands[1], frame));
  const auto first = static_cast<uint16_t>(m.IntOf(stmt, stmt.operands[2], frame));
  const Register& mask = In(s, frame, 3);
  NeedAligned(m, node, frame, 0, 0, kBlock);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  for (int b = 0; b < 8; ++b) {
    uint8_t* to = dst.bytes + b * kBlock;
    if (Active(mask, 4, b)) {
      std::memcpy(to, Touch(m, node, frame, 0, kBlock * (first + b * stride), kBlock, false), kBlock);
    } else {
      std::memset(to, m.InactiveByte(), kBlock);
    }
  }
  return Flow::kNext;
}

// ---- stores ------------------------------------------------------------------------------

void UseStore(const Stmt& stmt, Step* step) {
  const int32_t code = CodeOf(stmt, kStoreDist, DistCode(Dist::kNorm, 0));
  step->code = DistCode(DistOf(code), DistBytes(code) != 0 ? DistBytes(code) : step->width);
  step->lanes = [](uint8_t*, const uint8_t*, const uint8_t*) {};
}

// The range from the first to the last active lane. No byte outside it is touched.
struct Reached {
  int first = 0, count = 0;
};
Reached ActiveLanes(const Register& mask, int width, int lanes) {
  const int prefix = PrefixOf(mask, width);
  if (prefix >= 0) return {0, std::min(prefix, lanes)};
  Reached reached;
  int last = -1;
  for (int i = 0; i < lanes; ++i) {
    if (!Active(mask, width, i)) continue;
    if (last < 0) reached.first = i;
    last = i;
  }
  reached.count = last < 0 ? 0 : last + 1 - reached.first;
  return reached;
}

Flow RunStore(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Dist dist = DistOf(s.code);
  const int width = DistBytes(s.code);
  const Register& v = In(s, frame, 0);
  const Register& mask = In(s, frame, 3);
  const bool posts = !node.stmt->types.empty();
  if (dist == Dist::kNorm && !posts && PrefixOf(mask, width) * width == kRegisterBytes) {
    if (uint8_t* to = PlainAddress(m, s, frame, 1); to != nullptr) [[likely]] {
      CopyRegister(s, to, v.bytes);
      return Flow::kNext;
    }
  }
  const int64_t offset = OffsetOf(m, node, frame, 2);
  const int64_t at = posts ? 0 : offset;
  NeedAligned(m, node, frame, 1, at, UbAlignment(dist, width));
  if (dist == Dist::kOne) {
    std::memcpy(Touch(m, node, frame, 1, at, width, true), v.bytes, static_cast<size_t>(width));
  } else {
    // A packed store writes the low part of each lane.
    const int packed = dist == Dist::kPack ? width / 2 : dist == Dist::kPack4 ? width / 4 : width;
    const int lanes = kRegisterBytes / width;
    const int prefix = PrefixOf(mask, width);
    const Reached reached = ActiveLanes(mask, width, lanes);
    if (reached.count != 0) {
      uint8_t* to =
          Touch(m, node, frame, 1, at + int64_t{reached.first} * packed, int64_t{reached.count} * packed, true);
      if (prefix >= 0 && packed == width) [[likely]] {
        std::memcpy(to, v.bytes, static_cast<size_t>(reached.count * width));
      } else {
        for (int i = 0; i < reached.count; ++i) {
          const int lane = reached.first + i;
          if (!Active(mask, width, lane)) continue;
          std::memcpy(to + i * packed, v.bytes + lane * width, static_cast<size_t>(packed));
        }
      }
    }
  }
  if (posts) Advance(m, node, frame, 1, offset, 0);
  return Flow::kNext;
}

// All 512 bytes, whatever the mask.
Flow RunStorePair(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const int width = DistBytes(s.code) != 0 ? DistBytes(s.code) : s.width;
  const Register& low = In(s, frame, 0);
  const Register& high = In(s, frame, 1);
  const int64_t offset = OffsetOf(m, node, frame, 3);
  NeedAligned(m, node, frame, 2, offset, kBlock);
  uint8_t* to = Touch(m, node, frame, 2, offset, 2 * kRegisterBytes, true);
  const auto size = static_cast<size_t>(width);
  for (int i = 0; i < kRegisterBytes / width; ++i) {
    std::memcpy(to + 2 * i * width, low.bytes + i * width, size);
    std::memcpy(to + (2 * i + 1) * width, high.bytes + i * width, size);
  }
  return Flow::kNext;
}

// With a result the distance to the first block is what the pointer advances by, not a part of the address.
Flow RunStoreBlocks(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Stmt& stmt = *node.stmt;
  const Register& v = In(s, frame, 0);
  const auto stride = static_cast<uint16_t>(m.IntOf(stmt, stmt.operands[2], frame));
  const auto first = static_cast<uint16_t>(m.IntOf(stmt, stmt.operands[3], frame));
  const Register& mask = In(s, frame, 4);
  const bool posts = !stmt.types.empty();
  NeedAligned(m, node, frame, 1, 0, kBlock);
  for (int b = 0; b < 8; ++b) {
    if (!Active(mask, 4, b)) continue;
    const int64_t at = kBlock * ((posts ? 0 : first) + b * stride);
    std::memcpy(Touch(m, node, frame, 1, at, kBlock, true), v.bytes + b * kBlock, kBlock);
  }
  if (posts) Advance(m, node, frame, 1, kBlock * first, 0);
  return Flow::kNext;
}

// ---- masks -------------------------------------------------------------------------------

Flow RunLoadMask(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const int64_t offset = OffsetOf(m, node, frame, 1);
  const int64_t bytes = s.code == 1 ? 16 : s.code == 2 ? 64 : 32;
  const uint8_t* from = Touch(m, node, frame, 0, offset, bytes, false);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kMask);
  for (int i = 0; i < kRegisterBytes; ++i) {
    const int bit = s.code == 1 ? i / 2 : s.code == 2 ? 2 * i : i;
    dst.bytes[i] = static_cast<uint8_t>(from[bit / 8] >> bit % 8 & 1);
  }
  return Flow::kNext;
}

void PutBits(const uint8_t* bits, int step, int count, uint8_t* to) {
  for (int i = 0; i < count; i += 8) {
    unsigned byte = 0;
    for (int k = 0; k < 8; ++k) byte |= static_cast<unsigned>(bits[(i + k) * step]) << k;
    to[i / 8] = static_cast<uint8_t>(byte);
  }
}

Flow RunStoreMask(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& mask = In(s, frame, 0);
  const int64_t offset = OffsetOf(m, node, frame, 2);
  const int count = s.code == 1 ? 128 : 256;
  PutBits(mask.bytes, 256 / count, count, Touch(m, node, frame, 1, offset, count / 8, true));
  return Flow::kNext;
}

// ---- streams -------------------------------------------------------------------------------
// Each step writes at once what it adds, so that what ends a stream has nothing left to do.

Flow RunAlign(Machine&, Node& node, Frame frame) {
  if (!node.stmt->results.empty()) frame[node.step->out[0]].SetInt(0);
  return Flow::kNext;
}

Flow RunLoadAny(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const int64_t offset = OffsetOf(m, node, frame, 1);
  const uint8_t* from = Touch(m, node, frame, 0, offset, kRegisterBytes, false);
  CopyRegister(s, NewRegister(m, node, frame, s.out[0], ValueKind::kVreg).bytes, from);
  frame[s.out[1]].SetInt(0);
  if (node.stmt->results.size() > 2) Advance(m, node, frame, 0, kRegisterBytes, 2);
  return Flow::kNext;
}

Flow RunStoreFirst(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const int64_t count = m.IntOf(*node.stmt, node.stmt->operands[1], frame);
  const int64_t bytes = count * s.width;
  if (count < 0 || bytes > kRegisterBytes) {
    m.Fail(*node.stmt, Rule::kMemoryRange, "%lld lanes, where a register has %d", static_cast<long long>(count),
           s.Count());
  }
  if (bytes != 0) {
    std::memcpy(Touch(m, node, frame, 3, 0, bytes, true), In(s, frame, 2).bytes, static_cast<size_t>(bytes));
  }
  frame[s.out[0]].SetInt(0);
  return Flow::kNext;
}

Flow RunStoreSqueezed(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  VectorState& state = m.vector();
  if (state.squeezed != 0) {
    std::memcpy(Touch(m, node, frame, 2, state.stream, state.squeezed, true), In(s, frame, 1).bytes,
                static_cast<size_t>(state.squeezed));
  }
  if (s.code == 1) state.stream += state.squeezed;
  frame[s.out[0]].SetInt(0);
  return Flow::kNext;
}

// One bit per lane of the mask. The pointer's elements have the granularity of the mask.
Flow RunStoreDense(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const int width = s.unit;
  const int count = kRegisterBytes / width;
  PutBits(In(s, frame, 1).bytes, width, count, Touch(m, node, frame, 2, 0, count / 8, true));
  frame[s.out[0]].SetInt(0);
  Advance(m, node, frame, 2, count / 8, 1);
  return Flow::kNext;
}

// ---- gathering -----------------------------------------------------------------------------

int64_t SignedLane(const uint8_t* bytes, int lane, int width) {
  switch (width) {
    case 1:
      return Get<int8_t>(bytes, lane);
    case 2:
      return Get<int16_t>(bytes, lane);
    case 4:
      return Get<int32_t>(bytes, lane);
    default:
      return Get<int64_t>(bytes, lane);
  }
}

Flow RunGather(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& index = In(s, frame, 1);
  // Older programs give the number of lanes.
  const bool masked = s.there[2] && frame[s.in[2]].Is(ValueKind::kMask);
  const int64_t count = masked ? 0 : m.IntOf(*node.stmt, node.stmt->operands[2], frame);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  for (int i = 0; i < s.Count(); ++i) {
    const bool on = masked ? Active(In(s, frame, 2), s.width, i) : i < count;
    uint8_t* to = dst.bytes + i * s.width;
    if (on) {
      const int64_t at = SignedLane(index.bytes, i, s.width) * s.width;
      std::memcpy(to, Touch(m, node, frame, 0, at, s.width, false), s.width);
    } else {
      std::memset(to, m.InactiveByte(), s.width);
    }
  }
  return Flow::kNext;
}

Flow RunGatherBlocks(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& offsets = In(s, frame, 1);
  const Register& mask = In(s, frame, 2);
  Register& dst = NewRegister(m, node, frame, s.out[0], ValueKind::kVreg);
  for (int b = 0; b < 8; ++b) {
    uint8_t* to = dst.bytes + b * kBlock;
    std::memset(to, m.InactiveByte(), kBlock);
    if (!Active(mask, 4, b)) continue;
    const int64_t at = Get<uint32_t>(offsets.bytes, b);
    NeedAligned(m, node, frame, 0, at, kBlock);
    std::memcpy(to, Touch(m, node, frame, 0, at, kBlock, false), kBlock);
  }
  return Flow::kNext;
}

// If lanes have one index, the last one stays.
Flow RunScatter(Machine& m, Node& node, Frame frame) {
  const Step& s = *node.step;
  const Register& v = In(s, frame, 0);
  const Register& index = In(s, frame, 2);
  const Register& mask = In(s, frame, 3);
  for (int i = 0; i < s.Count(); ++i) {
    if (!Active(mask, s.width, i)) continue;
    const int64_t at = SignedLane(index.bytes, i, s.width) * s.width;
    std::memcpy(Touch(m, node, frame, 1, at, s.width, true), v.bytes + i * s.width, s.width);
  }
  return Flow::kNext;
}

constexpr OpRun kMemoryRows[] = {
    {"init_align", RunAlign},
    {"pldi", RunLoadMask},
    {"plds", RunLoadMask},
    {"psti", RunStoreMask},
    {"psts", RunStoreMask},
    {"pstu", RunStoreDense},
    {"vgather2", RunGather},
    {"vgather2_bc", RunGather},
    {"vgatherb", RunGatherBlocks},
    {"vldas", RunAlign},
    {"vlds", RunLoad, UseLoad, Shape::kLoad},
    {"vlds_post", RunLoad, UseLoad, Shape::kLoad},
    {"vldsx2", RunLoadPair},
    {"vldus", RunLoadAny},
    {"vscatter", RunScatter},
    {"vsldb", RunLoadBlocks},
    {"vsstb", RunStoreBlocks},
    {"vstar", RunAlign},
    {"vstas", RunAlign},
    {"vsts", RunStore, UseStore, Shape::kStore},
    {"vsts_post", RunStore, UseStore, Shape::kStore},
    {"vstsx2", RunStorePair},
    {"vstur", RunStoreSqueezed},
    {"vstus", RunStoreFirst},
};

}  // namespace

const OpRuns kMemoryRuns = kMemoryRows;

}  // namespace pto::ptoas::vec
