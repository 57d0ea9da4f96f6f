// Rounds of a loop in strips: see strip.h.
#include <algorithm>
#include <utility>

#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/strip.h"

namespace pto::ptoas::vec {
namespace {

constexpr int64_t kFarAddress = int64_t{1} << 40;  // addresses, so that sums of them fit
constexpr int64_t kRegister = kRegisterBytes;
// Machine::Level::region of a loop.
constexpr uint8_t kUntried = 0, kNoStrips = 1, kOnceMore = 2;

// A register in each round: its address in the first one, and the bytes to the next.
struct StripPlace {
  uint8_t* at;
  int64_t line;
  bool memory;     // rounds follow each other beyond the present strip
  uint8_t period;  // after which the bytes repeat, in all rounds; 0: unknown
};

// The bytes of an access in each round.
struct StripReach {
  uint8_t* at;
  int64_t line;
};

uint8_t PeriodOf(const uint8_t* bytes) {
  if (std::memcmp(bytes, bytes + 8, kRegisterBytes - 8) != 0) return 0;
  uint8_t period = 8;
  while (period > 1 && std::memcmp(bytes, bytes + period / 2, period / 2) == 0) period /= 2;
  return period;
}

// Whether the bytes of `rounds` accesses of registers are apart.
bool Apart(const StripReach& a, const StripReach& b, int64_t rounds) {
  const auto low = [rounds](const StripReach& r) {
    return reinterpret_cast<intptr_t>(r.at) + std::min<int64_t>(0, r.line * (rounds - 1));
  };
  const auto high = [rounds](const StripReach& r) {
    return reinterpret_cast<intptr_t>(r.at) + std::max<int64_t>(0, r.line * (rounds - 1)) + kRegister;
  };
  return high(a) <= low(b) || high(b) <= low(a);
}

// The least number of rounds after which `earlier`, a statement, has a byte that `later`, a statement after it, had in
// a round before.
int64_t Distance(const StripReach& earlier, const StripReach& later, int64_t rounds) {
  if (Apart(earlier, later, rounds)) return rounds;
  if (earlier.line != later.line) return 1;
  const int64_t ahead = reinterpret_cast<intptr_t>(later.at) - reinterpret_cast<intptr_t>(earlier.at);
  for (int64_t i = 1; i < std::min<int64_t>(rounds, kMostRounds); ++i) {
    if (std::abs(ahead - i * earlier.line) < kRegister) return i;
  }
  return rounds;
}

// A loop under way.
class StripRounds {
 public:
  StripRounds(Machine& m, Node& node, Frame frame, Machine::Level& level, int64_t count)
      : m_(m), nodes_(&node), frame_(frame), level_(level), strip_(*node.step->strip), count_(count) {}

  // Whether rounds may be run in strips.
  bool Prepare() {
    if (Early() && Numbers() && Masks() && Memory() && Registers()) return true;
    level_.region = waits_ && level_.region == kUntried ? kOnceMore : kNoStrips;
    return false;
  }

  void Run() {
    Hold();
    for (int64_t done = 0; done < count_; done += most_) {
      const int64_t rounds = std::min(most_, count_ - done);
      for (const StripAct& act : strip_.acts) {
        if (!act.serial) One(act, done, rounds);
      }
      if (serial_) InTurn(done, rounds);
    }
    Leave();
  }

 private:
  Node& NodeOf(const StripAct& act) const { return nodes_[act.node]; }

  // ---- numbers -----------------------------------------------------------------------------

  // Statements whose operands no round changes.
  bool Early() {
    for (const uint16_t at : strip_.early) {
      Node& node = nodes_[at];
      if (node.step != nullptr && frame_[node.step->out[0]].Is(ValueKind::kNone)) return Wait();
      if (node.step != nullptr && node.step->there[0] && !IsNumber(frame_[node.step->in[0]])) return false;
      node.run(m_, node, frame_);
    }
    return true;
  }
  // The machine runs the first round: registers, masks and memory are made there.
  bool Wait() {
    waits_ = true;
    return false;
  }
  static bool IsNumber(const RunValue& value) { return value.Is(ValueKind::kInt) || value.Is(ValueKind::kFloat); }

  // The values of carried numbers and slots before the first round.
  bool Given(const StripTerm& term, size_t i) {
    now_[i] = 0;
    if (term.how == StripTerm::kCarried && strip_.held[term.a].term == kNoIndex) return true;  // a register
    const RunValue& value = frame_[term.slot];
    if (term.pointer) {
      const bool address = value.Is(ValueKind::kAddress);
      if (!address && !value.Is(ValueKind::kPtr)) return false;
      if (!address && (level_.region == kUntried || term.how == StripTerm::kCarried)) return Wait();
      const RunValue at = address ? value : m_.PointerAt(*nodes_->stmt, value);
      boxes_[i] = at.box();  // which the pointer or the machine keeps
      now_[i] = at.integer();
      return true;
    } else if (!IsNumber(value)) {
      return false;
    }
    if (value.Is(ValueKind::kInt)) now_[i] = value.integer();
    return true;
  }

  // A term from those before it. False: it does not fit.
  static bool Compute(const StripTerm& term, const int64_t* of, int64_t* to) {
    switch (term.how) {
      case StripTerm::kNumber:
        *to = term.number;
        return true;
      case StripTerm::kSum:
        return !__builtin_add_overflow(of[term.a], of[term.b], to);
      case StripTerm::kDifference:
        return !__builtin_sub_overflow(of[term.a], of[term.b], to);
      case StripTerm::kProduct:
        return !__builtin_mul_overflow(of[term.a], of[term.b], to);
      case StripTerm::kSame:
        *to = of[term.a];
        return true;
      case StripTerm::kRest:
        return !__builtin_sub_overflow(of[term.a], term.number, to);
      case StripTerm::kAddress:
        return !__builtin_mul_overflow(of[term.b], term.number, to) && !__builtin_add_overflow(of[term.a], *to, to);
      default:
        return true;
    }
  }

  // Values in this round, and how they grow: all are affine, so that two rounds give all others.
  bool Numbers() {
    const size_t count = strip_.terms.size();
    int64_t next[kMostTerms] = {};
    for (size_t i = 0; i < count; ++i) {
      const StripTerm& term = strip_.terms[i];
      if (term.how == StripTerm::kVariable) {
        now_[i] = level_.next;
      } else if (term.how == StripTerm::kSlot || term.how == StripTerm::kCarried) {
        if (!Given(term, i)) return false;
      } else if (!Compute(term, now_, &now_[i])) {
        return false;
      }
    }
    for (size_t i = 0; i < count; ++i) {
      const StripTerm& term = strip_.terms[i];
      if (term.how == StripTerm::kVariable) {
        next[i] = level_.next + level_.step;
      } else if (term.how == StripTerm::kCarried && strip_.held[term.a].term != kNoIndex) {
        next[i] = now_[strip_.held[term.a].next];
      } else if (term.how == StripTerm::kSlot || term.how == StripTerm::kCarried) {
        next[i] = now_[i];
      } else if (!Compute(term, next, &next[i])) {
        return false;
      }
    }
    for (size_t i = 0; i < count; ++i) {
      if (__builtin_sub_overflow(next[i], now_[i], &grows_[i])) return false;
    }
    // As long as masks have all lanes.
    for (const uint8_t rest : strip_.rests) {
      const StripTerm& term = strip_.terms[rest];
      if (now_[term.a] < term.number || now_[term.a] > INT32_MAX) return false;
      const int64_t grows = grows_[term.a];
      if (grows < 0) count_ = std::min(count_, (now_[term.a] - term.number) / -grows + 1);
    }
    if (count_ < 2) return false;
    for (size_t i = 0; i < count; ++i) {
      const StripTerm& term = strip_.terms[i];
      int64_t last = 0;
      if (__builtin_mul_overflow(grows_[i], count_, &last) || __builtin_add_overflow(now_[i], last, &last))
        return false;
      last_[i] = last;
      if (!Fits(term, now_[i]) || !Fits(term, last)) return false;
    }
    return true;
  }
  // In the type, and with no sign where a cast could take it for one.
  static bool Fits(const StripTerm& term, int64_t value) {
    if (term.pointer || term.root != kNoIndex) return value > -kFarAddress && value < kFarAddress;
    if (term.elem == Elem::kNone) return true;
    return WrapInt(term.elem, value) == value && (term.how != StripTerm::kSame || value >= 0);
  }

  // ---- masks and memory ----------------------------------------------------------------------

  bool Masks() {
    uint8_t* to = m_.StripRoom() +
                  (strip_.buffers * strip_.RoundsAtOnce() + strip_.ones + static_cast<int>(kMostCarried)) * kRegister;
    for (size_t k = 0; k < strip_.masks.size(); ++k) {
      const NeedMask& need = strip_.masks[k];
      const RunValue& value = frame_[need.slot];
      if (!value.Is(ValueKind::kMask)) return false;
      const auto& mask = *static_cast<const Register*>(value.box());
      lanes_[k] = nullptr;
      if (mask.prefix >= 0 && mask.width <= need.width && mask.prefix * mask.width == kRegisterBytes) continue;
      bool all = true;
      for (int i = 0; i < kRegisterBytes; i += need.width) {
        all = all && mask.bytes[i] != 0;
        std::memset(to + i, mask.bytes[i] != 0 ? 0xFF : 0, need.width);
      }
      if (all) continue;
      if (need.all || !strip_.clear) return false;
      lanes_[k] = to;
      to += kRegister;
    }
    return true;
  }
  // The bits of the active lanes; nullptr: all are.
  const uint8_t* LanesOf(const StripAct& act) const { return act.mask == kNoIndex ? nullptr : lanes_[act.mask]; }

  bool Memory() {
    most_ = std::min<int64_t>(count_, strip_.RoundsAtOnce());
    for (size_t i = 0; i < strip_.acts.size(); ++i) {
      const StripAct& act = strip_.acts[i];
      if (act.what == StripAct::kMap) continue;
      const StripTerm& term = strip_.terms[act.address];
      const int64_t first = now_[act.address];
      const int64_t line = grows_[act.address];
      const int64_t last = first + line * (count_ - 1);
      const Box* memory = boxes_[term.root];
      if (memory == nullptr || std::min(first, last) < 0 || std::max(first, last) > memory->extent - kRegister)
        return false;
      if (m_.hardware() && (first % 32 != 0 || line % 32 != 0)) return false;
      reach_[i] = {reinterpret_cast<uint8_t*>(memory->data) + first, line};
    }
    const auto stores = [this](size_t i) { return strip_.acts[i].what == StripAct::kStore; };
    for (size_t later = 1; later < strip_.acts.size(); ++later) {
      if (strip_.acts[later].what == StripAct::kMap) continue;
      for (size_t earlier = 0; earlier < later; ++earlier) {
        if (strip_.acts[earlier].what == StripAct::kMap || !(stores(earlier) || stores(later))) continue;
        most_ = std::min(most_, Distance(reach_[earlier], reach_[later], count_));
      }
    }
    return most_ >= 2;
  }

  // ---- registers -----------------------------------------------------------------------------

  bool Registers() {
    room_ = m_.StripRoom();
    uint8_t* const ones = room_ + strip_.buffers * strip_.RoundsAtOnce() * kRegister;
    uint8_t* const held = ones + strip_.ones * kRegister;
    for (size_t i = 0; i < strip_.values.size(); ++i) {
      const StripValue& value = strip_.values[i];
      StripPlace& place = places_[i];
      switch (value.where) {
        case StripValue::kOutside: {
          if (!frame_[value.slot].Is(ValueKind::kVreg)) return false;
          uint8_t* const bytes = static_cast<Register*>(frame_[value.slot].box())->bytes;
          place = {.at = bytes, .line = 0, .memory = false, .period = PeriodOf(bytes)};
          break;
        }
        case StripValue::kRow:
          place = {room_ + value.buffer * strip_.RoundsAtOnce() * kRegister, kRegister, false, 0};
          break;
        case StripValue::kOne:
          place = {ones + value.buffer * kRegister, 0, false, 0};
          break;
        case StripValue::kHeld:
          place = {held + value.buffer * kRegister, 0, false, 0};
          if (!frame_[value.slot].Is(ValueKind::kVreg)) return false;
          break;
      }
    }
    for (size_t i = 0; i < strip_.acts.size(); ++i) {
      if (strip_.acts[i].direct != kNoIndex && StoresAtOnce(i)) {
        places_[strip_.acts[i].src[0]] = {reach_[i].at, reach_[i].line, true, 0};
        written_[i] = strip_.acts[i].direct;
      } else {
        written_[i] = static_cast<uint8_t>(i);
      }
    }
    for (size_t i = 0; i < strip_.acts.size(); ++i) {
      if (strip_.acts[i].what == StripAct::kLoad && ReadInPlace(i)) {
        places_[strip_.acts[i].dst] = {reach_[i].at, reach_[i].line, true, 0};
      }
    }
    for (const StripAct& act : strip_.acts) serial_ |= act.serial;
    bool taken[kMostValues] = {};
    for (const StripHeld& one : strip_.held) {
      if (one.yield == kNoIndex || one.yield == one.value) continue;
      serial_ = true;
      if (!std::exchange(taken[one.yield], true) && InPlace(one)) places_[one.yield] = places_[one.value];
    }
    return true;
  }
  static bool Aligned(const StripReach& reach) {
    return reach.line % 8 == 0 && reinterpret_cast<uintptr_t>(reach.at) % 8 == 0;
  }
  // Whether a kernel may write to where its result is stored. Later uses read it there.
  bool StoresAtOnce(size_t store) const {
    const StripAct& act = strip_.acts[store];
    const uint8_t last = strip_.values[act.src[0]].last;
    if (LanesOf(act) != nullptr || std::abs(reach_[store].line) < kRegister || !Aligned(reach_[store])) return false;
    if (places_[act.src[0]].memory) return false;  // stored twice
    for (size_t i = store + 1; i < strip_.acts.size() && i <= last; ++i) {
      if (strip_.acts[i].what != StripAct::kStore) continue;
      if (!Apart(reach_[store], reach_[i], count_)) return false;
    }
    return true;
  }
  // Whether nothing writes to the bytes of a load before their last use. The last use itself may, register by register.
  bool ReadInPlace(size_t load) const {
    const StripValue& value = strip_.values[strip_.acts[load].dst];
    if (!Aligned(reach_[load])) return false;
    for (size_t i = 0; i < strip_.acts.size(); ++i) {
      if (strip_.acts[i].what != StripAct::kStore || written_[i] > value.last || i < load) continue;
      if (Apart(reach_[load], reach_[i], count_)) continue;
      const bool same = reach_[load].at == reach_[i].at && reach_[load].line == reach_[i].line;
      if (!same || written_[i] != value.last || strip_.acts[written_[i]].what != StripAct::kMap) return false;
    }
    return true;
  }

  // ---- a strip -------------------------------------------------------------------------------

  uint8_t* At(uint8_t value, int64_t done) const {
    const StripPlace& place = places_[value];
    return place.memory ? place.at + done * place.line : place.at;
  }

  void One(const StripAct& act, int64_t done, int64_t rounds) {
    switch (act.what) {
      case StripAct::kLoad: {
        if (places_[act.dst].memory) return;
        const StripReach& from = reach_[&act - strip_.acts.data()];
        return Copy(places_[act.dst].at, kRegister, from.at + done * from.line, from.line, rounds);
      }
      case StripAct::kStore: {
        const size_t i = static_cast<size_t>(&act - strip_.acts.data());
        const StripReach& to = reach_[i];
        if (written_[i] != i) return;
        const StripPlace& place = places_[act.src[0]];
        return Copy(to.at + done * to.line, to.line, At(act.src[0], done), place.line, rounds, LanesOf(act));
      }
      case StripAct::kMap:
        return Kernels(act, At(act.dst, done), places_[act.dst].line, done, rounds);
    }
  }

  // `lanes`: the bits that are copied.
  static void Copy(uint8_t* to, int64_t to_line, const uint8_t* from, int64_t from_line, int64_t rounds,
                   const uint8_t* lanes = nullptr) {
    for (int64_t i = 0; i < rounds && lanes != nullptr; ++i) {
      for (int k = 0; k < kRegisterBytes / 8; ++k) {
        const auto on = Get<uint64_t>(lanes, k);
        const auto there = Get<uint64_t>(to + i * to_line, k);
        Put(to + i * to_line, k, (Get<uint64_t>(from + i * from_line, k) & on) | (there & ~on));
      }
    }
    if (lanes != nullptr) return;
    if (to_line == kRegister && from_line == kRegister) {
      std::memcpy(to, from, static_cast<size_t>(rounds * kRegister));
      return;
    }
    for (int64_t i = 0; i < rounds; ++i) std::memcpy(to + i * to_line, from + i * from_line, kRegister);
  }

  // An operand of a kernel in a strip; in `row`, if it is not below 0.
  StripPlace Source(uint8_t value, int64_t done, int64_t row) const {
    if (value == kNoIndex) return {};
    StripPlace place = places_[value];
    place.at = At(value, done);
    if (row >= 0) {
      place.at += row * place.line;
      place.line = 0;
    }
    return place;
  }

  void Kernels(const StripAct& act, uint8_t* dst, int64_t line, int64_t done, int64_t rounds, int64_t row = -1) {
    Node& node = NodeOf(act);
    const Step& step = *node.step;
    const int width = step.width;
    StripPlace a = Source(act.src[0], done, row);
    StripPlace b = Source(act.src[1], done, row);
    const StripPlace c = act.src[2] == kNoIndex ? StripPlace{dst, line, false, 0} : Source(act.src[2], done, row);
    if (act.scalar != kNoIndex) {
      b = {scalars_[&act - strip_.acts.data()], 0, false, 1};
    } else if (act.src[1] == kNoIndex) {
      b = a;
    }
    const bool one = b.period != 0 && width % b.period == 0 && step.kernel.uniform != nullptr && step.kernel.arity > 1;
    Grid grid{.dst = dst,
              .a = a.at,
              .b = b.at,
              .dst_line = line / width,
              .a_line = a.line / width,
              .b_line = b.line / width,
              .a_step = 1,
              .b_step = one ? 0 : 1,
              .lines = static_cast<size_t>(rounds),
              .count = static_cast<size_t>(step.Count()),
              .c = c.at,
              .c_line = c.line / width};
    Call(step.kernel, grid);
    grid.a = grid.b = dst;
    grid.a_line = grid.b_line = grid.dst_line;
    grid.b_step = 1;
    if (step.second) Call(step.second, grid);
    const uint8_t* const lanes = LanesOf(act);
    if (lanes == nullptr) return;
    grid.b = lanes;
    grid.dst_line = grid.a_line = line / 4;
    grid.b_line = 0;
    grid.count = kRegisterBytes / 4;
    Call(strip_.clear, grid);
  }

  // Statements that depend on what is carried, round by round. The last statement that uses a sum may write to it.
  void InTurn(int64_t done, int64_t rounds) {
    // What a round costs is mostly this loop: kernels of registers alone are called at once.
    struct Turn {
      const StripAct* act;
      const Step* step;  // nullptr: by Kernels()
      StripPlace of[3];
    };
    Turn turns[kMostActs];
    size_t count = 0;
    for (const StripAct& act : strip_.acts) {
      if (!act.serial) continue;
      Turn& turn = turns[count++];
      turn = {.act = &act, .step = NodeOf(act).step.get(), .of = {}};
      if (act.scalar != kNoIndex || turn.step->second || LanesOf(act) != nullptr) turn.step = nullptr;
      const StripPlace dst{places_[act.dst].at, 0, false, 0};
      turn.of[0] = Source(act.src[0], done, -1);
      turn.of[1] = act.src[1] == kNoIndex ? turn.of[0] : Source(act.src[1], done, -1);
      turn.of[2] = act.src[2] == kNoIndex ? dst : Source(act.src[2], done, -1);
    }
    for (int64_t row = 0; row < rounds; ++row) {
      for (size_t i = 0; i < count; ++i) {
        const Turn& turn = turns[i];
        uint8_t* const dst = places_[turn.act->dst].at;
        if (turn.step == nullptr) {
          Kernels(*turn.act, dst, 0, done, 1, row);
          continue;
        }
        const auto at = [&](int k) { return turn.of[k].at + row * turn.of[k].line; };
        vec::Compute(turn.step->kernel, dst, at(0), at(1), at(2), static_cast<size_t>(turn.step->Count()));
      }
      for (const StripHeld& held : strip_.held) {
        if (held.yield == kNoIndex || places_[held.yield].at == places_[held.value].at) continue;
        std::memcpy(places_[held.value].at, Source(held.yield, done, row).at, kRegisterBytes);
      }
    }
  }
  // Whether a carried register is not used after the statement that makes the next one.
  bool InPlace(const StripHeld& held) const {
    const StripValue& next = strip_.values[held.yield];
    if (next.where != StripValue::kOne) return false;
    for (size_t i = next.made + 1U; i < strip_.acts.size(); ++i) {
      for (const uint8_t source : strip_.acts[i].src) {
        if (source == held.value) return false;
      }
    }
    return true;
  }

  // ---- what is carried -----------------------------------------------------------------------

  void Hold() {
    for (const StripHeld& held : strip_.held) {
      if (held.yield == kNoIndex) continue;
      const auto& from = *static_cast<const Register*>(frame_[held.slot].box());
      std::memcpy(places_[held.value].at, from.bytes, kRegisterBytes);
    }
    for (size_t i = 0; i < strip_.acts.size(); ++i) {
      const StripAct& act = strip_.acts[i];
      if (act.scalar == kNoIndex) continue;
      Node& node = NodeOf(act);
      if (act.shift) {
        const auto count = static_cast<uint64_t>(m_.IntOf(*node.stmt, node.stmt->operands[act.scalar], frame_));
        scalars_[i] = const_cast<uint8_t*>(InEachLane(node.step.get(), count & (8U * node.step->width - 1U)));
      } else {
        scalars_[i] = const_cast<uint8_t*>(ScalarLanes(m_, node, frame_, act.scalar));
      }
    }
  }

  // Leaves the loop before the next round that the machine runs.
  void Leave() {
    for (const StripHeld& held : strip_.held) {
      if (held.yield != kNoIndex) {
        if (held.yield == held.value) continue;
        Register& to = NewRegister(m_, *nodes_, frame_, held.slot, ValueKind::kVreg);
        std::memcpy(to.bytes, places_[held.value].at, kRegisterBytes);
      } else if (strip_.terms[held.term].pointer) {
        Box* box = boxes_[held.term];
        box->Retain();
        frame_[held.slot] = RunValue::Of(ValueKind::kAddress, box, last_[held.term]);
      } else {
        frame_[held.slot].SetInt(last_[held.term]);
      }
    }
    level_.next += count_ * level_.step;
    frame_[level_.variable].SetInt(level_.next);
    m_.TakeSteps(count_ * strip_.steps);
  }

  Machine& m_;
  Node* nodes_;  // of the body, from the strip on
  Frame frame_;
  Machine::Level& level_;
  const Strip& strip_;
  int64_t count_;     // rounds
  int64_t most_ = 0;  // in a strip
  // For terms: the values of the first round, the steps, the values after the last round; the memory of pointers.
  int64_t now_[kMostTerms], grows_[kMostTerms], last_[kMostTerms];
  Box* boxes_[kMostTerms];
  // For acts.
  StripReach reach_[kMostActs];
  uint8_t written_[kMostActs];  // of a store: the act that writes
  uint8_t* scalars_[kMostActs];
  const uint8_t* lanes_[kMostMasks];  // of masks
  StripPlace places_[kMostValues];    // of values
  uint8_t* room_ = nullptr;
  bool serial_ = false;
  bool waits_ = false;
};

}  // namespace

Flow RunStrip(Machine& m, Node& node, Frame frame) {
  m.TakeSteps(-1);  // its own
  Machine::Level& level = m.level();
  if (level.region == kNoStrips || !m.unseen()) return Flow::kNext;
  const uint64_t left =
      (static_cast<uint64_t>(level.upper) - static_cast<uint64_t>(level.next) - 1) / static_cast<uint64_t>(level.step);
  const auto steps = static_cast<uint64_t>(m.StepsAtOnce() / node.step->strip->steps);
  const auto count = static_cast<int64_t>(std::min(left, steps));
  if (count < 2) return Flow::kNext;
  StripRounds rounds(m, node, frame, level, count);
  if (rounds.Prepare()) rounds.Run();
  return Flow::kNext;
}

}  // namespace pto::ptoas::vec
