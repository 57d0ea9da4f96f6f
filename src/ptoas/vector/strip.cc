// Which loops run in strips, and how: see strip.h.
#include "src/ptoas/vector/strip.h"

#include <algorithm>
#include <optional>

namespace pto::ptoas::vec {
namespace {

// The contents of a slot in a round.
struct StripKnown {
  enum What : uint8_t { kTerm, kValue, kMask, kPrefix, kOther };  // kPrefix: a mask with all lanes of `index` bytes
  uint32_t slot;
  What what;
  uint8_t index;
};

// Compiled for size, as it runs once for each loop. Builds the strip of a body; `failed` once a statement has no place
// in one.
class StripBuilder {
 public:
  StripBuilder(const Node& loop, Strip* strip) : body_(loop.blocks[0]), strip_(*strip) {}

  [[gnu::cold]] bool Build() {
    Arguments();
    for (size_t i = 0; i < body_.nodes.size() && !failed_; ++i) {
      const Node& node = body_.nodes[i];
      at_ = static_cast<uint16_t>(i + 1);  // after the node of the strip
      if (node.kind == StmtKind::kYield) {
        Yield(node);
      } else if (node.kind == StmtKind::kConstant && node.lanes == 0) {
        Early(node.out[0], StripKnown::kTerm);
      } else if (node.kind == StmtKind::kArith && node.lanes == 0) {
        Number(node);
      } else if (node.stmt->Is("addptr")) {
        Pointer(node);
      } else if (node.step != nullptr) {
        Vector(node);
      } else {
        failed_ = true;
      }
    }
    if (failed_ || strip_.acts.size() < 2) return false;
    Settle();
    const Step& first = *body_.nodes[strip_.acts[0].node - 1].step;
    strip_.clear = PickKernel(first.target, pto::Lane::kAnd, DType::kU32);
    strip_.steps = static_cast<int64_t>(body_.nodes.size()) + 1;
    return !failed_;
  }

 private:
  // ---- slots -----------------------------------------------------------------------------

  const StripKnown* Find(uint32_t slot) const {
    for (const StripKnown& known : known_) {
      if (known.slot == slot) return &known;
    }
    return nullptr;
  }
  void Define(uint32_t slot, StripKnown::What what, uint8_t index) { known_.push_back({slot, what, index}); }

  uint8_t Add(const StripTerm& term) {
    if (strip_.terms.size() >= kMostTerms) failed_ = true;
    strip_.terms.push_back(term);
    return static_cast<uint8_t>(strip_.terms.size() - 1);
  }
  uint8_t Add(const StripValue& value) {
    if (strip_.values.size() >= kMostValues) failed_ = true;
    strip_.values.push_back(value);
    return static_cast<uint8_t>(strip_.values.size() - 1);
  }
  uint8_t Add(const StripAct& act) {
    if (strip_.acts.size() >= kMostActs) failed_ = true;
    strip_.acts.push_back(act);
    return static_cast<uint8_t>(strip_.acts.size() - 1);
  }

  // The term, the value, of an operand: those made outside of the loop appear with their first use.
  [[gnu::cold]] uint8_t TermOf(const Operand& operand, bool pointer = false) {
    if (operand.implied) return Add(StripTerm{});
    if (operand.kind == OperandKind::kAddress) return Add(StripTerm{.number = operand.address});
    if (operand.kind == OperandKind::kLiteral && operand.literal->kind == AttrKind::kInt) {
      return Add(StripTerm{.number = operand.literal->integer});
    }
    if (operand.value == nullptr) return Fail();
    const uint32_t slot = operand.value->slot;
    if (const StripKnown* known = Find(slot)) {
      if (known->what != StripKnown::kTerm) return Fail();
      strip_.terms[known->index].pointer |= pointer;
      return known->index;
    }
    const uint8_t made = Add(StripTerm{.how = StripTerm::kSlot, .pointer = pointer, .slot = slot});
    if (pointer) strip_.terms[made].root = made;
    Define(slot, StripKnown::kTerm, made);
    return made;
  }
  [[gnu::cold]] uint8_t ValueOf(const Step& step, size_t operand) {
    const uint32_t slot = step.in[operand];
    if (!step.there[operand]) return Fail();
    if (const StripKnown* known = Find(slot)) {
      if (known->what == StripKnown::kValue) return known->index;
      // An argument of the block is a register if it is used as one.
      if (known->what != StripKnown::kTerm) return Fail();
      const StripTerm& term = strip_.terms[known->index];
      if (term.how != StripTerm::kCarried || term.pointer || used_[term.a]) return Fail();
      return HeldValue(term.a);
    }
    const uint8_t made = Add(StripValue{.slot = slot});
    Define(slot, StripKnown::kValue, made);
    return made;
  }
  // Returns the number of a mask in `masks`, or kNoIndex if all its lanes are active in any case. With `all`, the strip
  // runs only if they are.
  [[gnu::cold]] uint8_t Mask(const Step& step, size_t operand, int width, bool all) {
    const uint32_t slot = step.in[operand];
    if (!step.there[operand]) return Fail();
    const StripKnown* known = Find(slot);
    if (known != nullptr && known->what != StripKnown::kMask) {
      if (known->what != StripKnown::kPrefix || known->index > width) Fail();
      return kNoIndex;
    }
    if (known == nullptr) Define(slot, StripKnown::kMask, 0);
    for (NeedMask& need : strip_.masks) {
      if (need.slot != slot || need.width != width) continue;
      need.all |= all;
      return static_cast<uint8_t>(&need - strip_.masks.data());
    }
    if (strip_.masks.size() == kMostMasks) return Fail();
    strip_.masks.push_back({slot, static_cast<uint8_t>(width), all});
    return static_cast<uint8_t>(strip_.masks.size() - 1);
  }
  uint8_t Fail() {
    failed_ = true;
    return 0;
  }

  // ---- what is carried ---------------------------------------------------------------------

  [[gnu::cold]] void Arguments() {
    Define(body_.args[0], StripKnown::kTerm, Add(StripTerm{.how = StripTerm::kVariable, .fixed = false}));
    if (body_.args.size() > kMostCarried) return void(Fail());
    for (size_t i = 1; i < body_.args.size(); ++i) {
      const auto number = static_cast<uint8_t>(i - 1);
      const uint8_t term = Add(
          StripTerm{.how = StripTerm::kCarried, .a = number, .carried = number, .fixed = false, .slot = body_.args[i]});
      strip_.terms[term].root = term;
      Define(body_.args[i], StripKnown::kTerm, term);
      strip_.held.push_back({.term = term, .slot = body_.args[i]});
    }
  }
  uint8_t HeldValue(uint8_t number) {
    StripHeld& held = strip_.held[number];
    if (held.value == kNoIndex)
      held.value = Add(StripValue{.where = StripValue::kHeld, .slot = held.slot, .buffer = number});
    return held.value;
  }

  [[gnu::cold]] void Yield(const Node& node) {
    for (size_t i = 0; i < node.operands.size() && i < strip_.held.size(); ++i) {
      StripHeld& held = strip_.held[i];
      const Operand& operand = node.stmt->operands[i];
      const Type* type = operand.value == nullptr ? nullptr : operand.value->type;
      const bool number = type != nullptr &&
                          (type->kind == TypeKind::kPtr || (type->kind == TypeKind::kScalar && !IsFloat(type->elem)));
      const bool vreg = type != nullptr && type->kind == TypeKind::kVreg;
      if (number && held.value == kNoIndex) {
        held.next = TermOf(operand, type->kind == TypeKind::kPtr);
        // The next one is this one plus something fixed, or each is this one.
        if (strip_.terms[held.next].carried != i) Fail();
      } else if (vreg && !used_[i]) {
        const uint8_t value = HeldValue(static_cast<uint8_t>(i));
        uint8_t yield = value;
        if (operand.value->slot != held.slot) {
          const StripKnown* known = Find(operand.value->slot);
          if (known == nullptr || known->what != StripKnown::kValue) return void(Fail());
          yield = known->index;
          // Registers that change places.
          if (strip_.values[yield].where == StripValue::kHeld && yield != value) return void(Fail());
        }
        held.yield = yield;
        held.term = kNoIndex;
      } else {
        Fail();
      }
    }
  }

  // ---- numbers -------------------------------------------------------------------------------

  // A statement whose operands are the same in each round: it is executed before them.
  void Early(uint32_t slot, StripKnown::What what) {
    strip_.early.push_back(at_);
    if (what == StripKnown::kTerm) {
      Define(slot, what, Add(StripTerm{.how = StripTerm::kSlot, .slot = slot}));
    } else {
      Define(slot, what, what == StripKnown::kValue ? Add(StripValue{.slot = slot}) : 0);
    }
  }

  void Uses(const StripTerm& term) {
    if (term.how == StripTerm::kCarried) used_[term.a] = true;
  }

  [[gnu::cold]] void Number(const Node& node) {
    const Stmt& stmt = *node.stmt;
    const auto cast = [](ArithOp op) {
      return op == ArithOp::kIndexCast || op == ArithOp::kIndexCastUI || op == ArithOp::kExtSI ||
             op == ArithOp::kExtUI || op == ArithOp::kTruncI;
    };
    StripTerm made;
    if (cast(stmt.arith)) {
      made.how = StripTerm::kSame;
    } else if (stmt.arith == ArithOp::kAddI) {
      made.how = StripTerm::kSum;
    } else if (stmt.arith == ArithOp::kSubI) {
      made.how = StripTerm::kDifference;
    } else if (stmt.arith == ArithOp::kMulI) {
      made.how = StripTerm::kProduct;
    } else {
      return void(Fail());
    }
    if (stmt.results.empty() || node.to == Elem::kI1 || node.elem == Elem::kI1 || node.elem == Elem::kNone) {
      return void(Fail());
    }
    made.a = TermOf(stmt.operands[0]);
    made.b = made.how == StripTerm::kSame ? made.a : TermOf(stmt.operands[1]);
    if (failed_) return;
    const StripTerm& a = strip_.terms[made.a];
    const StripTerm& b = strip_.terms[made.b];
    Uses(a);
    Uses(b);
    if (a.pointer || b.pointer) return void(Fail());
    // Executed before the rounds, so that its slot has it, too: scalars and masks may need it there.
    if (a.fixed && b.fixed) return Early(node.out[0], StripKnown::kTerm);
    made.fixed = false;
    made.elem = node.to;
    if (made.how == StripTerm::kProduct && !a.fixed && !b.fixed) return void(Fail());
    if (made.how == StripTerm::kSame) made.carried = a.carried;
    if (made.how == StripTerm::kSum && b.fixed) made.carried = a.carried;
    if (made.how == StripTerm::kSum && a.fixed) made.carried = b.carried;
    if (made.how == StripTerm::kDifference && b.fixed) made.carried = a.carried;
    Define(node.out[0], StripKnown::kTerm, Add(made));
  }

  // A pointer and an index of elements of some bytes.
  [[gnu::cold]] uint8_t Address(const Operand& pointer, const Operand* index, int bytes) {
    const uint8_t base = TermOf(pointer, true);
    const uint8_t count = index == nullptr ? Add(StripTerm{}) : TermOf(*index);
    if (failed_) return 0;
    const StripTerm& a = strip_.terms[base];
    const StripTerm& b = strip_.terms[count];
    Uses(a);
    Uses(b);
    if (a.root == kNoIndex || b.pointer) return Fail();
    return Add(StripTerm{.how = StripTerm::kAddress,
                         .a = base,
                         .b = count,
                         .root = a.root,
                         .carried = b.fixed ? a.carried : kNoIndex,
                         .fixed = a.fixed && b.fixed,
                         .pointer = true,
                         .number = bytes});
  }
  void Pointer(const Node& node) {
    const Stmt& stmt = *node.stmt;
    const uint8_t made = Address(*stmt["ptr"], stmt["offset"], BytesOf(stmt.types[0]->elem));
    if (!failed_) Define(stmt.results[0]->slot, StripKnown::kTerm, made);
  }

  // ---- registers -----------------------------------------------------------------------------

  [[gnu::cold]] void Vector(const Node& node) {
    const Step& step = *node.step;
    switch (step.shape) {
      case Shape::kNothing:
        return;
      case Shape::kPattern:
        strip_.early.push_back(at_);
        if (step.code == kPatAll) return Define(step.out[0], StripKnown::kPrefix, step.prefix_width);
        return Define(step.out[0], StripKnown::kMask, 0);
      case Shape::kBroadcast: {
        const StripKnown* scalar = step.there[0] ? Find(step.in[0]) : nullptr;
        if (scalar != nullptr && (scalar->what != StripKnown::kTerm || !strip_.terms[scalar->index].fixed)) {
          return void(Fail());
        }
        return Early(step.out[0], StripKnown::kValue);
      }
      case Shape::kFirst:
        return First(node);
      case Shape::kLoad:
        return Load(node);
      case Shape::kStore:
        return Store(node);
      case Shape::kSame:
        return Define(step.out[0], StripKnown::kValue, ValueOf(step, 0));
      case Shape::kTakeFirst:
        Mask(step, step.there[2] ? 2 : 1, step.width, true);
        return Define(step.out[0], StripKnown::kValue, ValueOf(step, 0));
      case Shape::kUnary:
        return Map(node, {0}, kNoIndex, 1);
      case Shape::kBinary:
        return Map(node, {0, 1}, kNoIndex, 2);
      case Shape::kShift:
      case Shape::kScalar:
        return Map(node, {0}, 1, 2);
      case Shape::kMulAdd:
        return Map(node, {1, 2, 0}, kNoIndex, 3);
      case Shape::kAxpy:
        return Map(node, {0, kNoIndex, 1}, 2, 3);
      case Shape::kAlone:
        return void(Fail());
    }
  }

  [[gnu::cold]] void First(const Node& node) {
    const Step& step = *node.step;
    const int width = step.prefix_width;
    const uint8_t count = TermOf(node.stmt->operands[0]);
    if (failed_) return;
    const StripTerm& term = strip_.terms[count];
    Uses(term);
    if (term.pointer) return void(Fail());
    if (term.fixed) {
      Early(step.out[0], StripKnown::kMask);
      if (node.stmt->results.size() > 1) {
        Define(step.out[1], StripKnown::kTerm, Add(StripTerm{.how = StripTerm::kSlot, .slot = step.out[1]}));
      }
      return;
    }
    const uint8_t rest = Add(StripTerm{.how = StripTerm::kRest,
                                       .a = count,
                                       .carried = term.carried,
                                       .fixed = false,
                                       .elem = Elem::kI32,
                                       .number = kRegisterBytes / width});
    strip_.rests.push_back(rest);
    Define(step.out[0], StripKnown::kPrefix, static_cast<uint8_t>(width));
    if (node.stmt->results.size() > 1) Define(step.out[1], StripKnown::kTerm, rest);
  }

  [[gnu::cold]] void Load(const Node& node) {
    const Step& step = *node.step;
    if (DistOf(step.code) != Dist::kNorm) return void(Fail());
    const bool posts = node.stmt->types.size() > 1;
    const uint8_t far = Address(node.stmt->operands[0], &node.stmt->operands[1], step.unit);
    const uint8_t at = posts ? Address(node.stmt->operands[0], nullptr, 1) : far;
    if (failed_) return;
    StripAct act{.what = StripAct::kLoad, .address = at, .node = at_};
    act.dst = Add(StripValue{.where = StripValue::kRow, .made = static_cast<uint8_t>(strip_.acts.size())});
    Add(act);
    Define(step.out[0], StripKnown::kValue, act.dst);
    if (posts) Define(step.out[1], StripKnown::kTerm, far);
  }

  [[gnu::cold]] void Store(const Node& node) {
    const Step& step = *node.step;
    if (DistOf(step.code) != Dist::kNorm) return void(Fail());
    const bool posts = !node.stmt->types.empty();
    const uint8_t far = Address(node.stmt->operands[1], &node.stmt->operands[2], step.unit);
    const uint8_t at = posts ? Address(node.stmt->operands[1], nullptr, 1) : far;
    StripAct act{.what = StripAct::kStore, .address = at, .node = at_};
    act.src[0] = ValueOf(step, 0);
    act.mask = Mask(step, 3, DistBytes(step.code), false);
    if (failed_ || Serial(act.src[0])) return void(Fail());
    Add(act);
    if (posts) Define(step.out[0], StripKnown::kTerm, far);
  }

  bool Serial(uint8_t value) const {
    const StripValue& of = strip_.values[value];
    return of.where == StripValue::kHeld || (of.made != kNoIndex && strip_.acts[of.made].serial);
  }

  [[gnu::cold]] void Map(const Node& node, std::initializer_list<uint8_t> sources, uint8_t scalar, size_t mask) {
    const Step& step = *node.step;
    if (step.kernel.size != step.width) return void(Fail());
    StripAct act{.shift = step.shape == Shape::kShift, .scalar = scalar, .node = at_};
    size_t i = 0;
    for (const uint8_t source : sources) {
      if (source != kNoIndex) act.src[i] = ValueOf(step, source);
      ++i;
    }
    if (scalar != kNoIndex && !Scalar(step, scalar)) return void(Fail());
    act.mask = Mask(step, mask, step.width, step.shape == Shape::kMulAdd || step.shape == Shape::kAxpy);
    if (failed_) return;
    for (const uint8_t source : act.src) act.serial |= source != kNoIndex && Serial(source);
    act.dst = Add(StripValue{.where = act.serial ? StripValue::kOne : StripValue::kRow,
                             .made = static_cast<uint8_t>(strip_.acts.size())});
    Add(act);
    Define(step.out[0], StripKnown::kValue, act.dst);
  }
  // Whether a scalar is the same in each round.
  bool Scalar(const Step& step, size_t operand) const {
    if (!step.there[operand]) return true;
    const StripKnown* known = Find(step.in[operand]);
    return known == nullptr || (known->what == StripKnown::kTerm && strip_.terms[known->index].fixed);
  }

  // ---- buffers -------------------------------------------------------------------------------

  [[gnu::cold]] void Settle() {
    const auto end = static_cast<uint8_t>(strip_.acts.size());
    for (uint8_t i = 0; i < end; ++i) {
      const StripAct& act = strip_.acts[i];
      for (const uint8_t source : act.src) {
        if (source == kNoIndex) continue;
        uint8_t& last = strip_.values[source].last;
        last = std::max(last, act.serial ? end : i);
      }
    }
    for (const StripHeld& held : strip_.held) {
      if (held.yield != kNoIndex) strip_.values[held.yield].last = end;
      // Used as both, or as neither.
      if (held.value == kNoIndex && held.next == kNoIndex) failed_ = true;
    }
    bool taken[kMostBuffers] = {};
    for (uint8_t i = 0; i < end; ++i) {
      const StripAct& act = strip_.acts[i];
      if (act.what != StripAct::kLoad) {
        for (const uint8_t source : act.src) {
          if (source == kNoIndex) continue;
          const StripValue& value = strip_.values[source];
          if (value.where == StripValue::kRow && value.last == i) taken[value.buffer] = false;
        }
      }
      if (act.dst == kNoIndex) continue;
      StripValue& made = strip_.values[act.dst];
      made.last = std::max(made.last, i);
      if (made.where == StripValue::kOne) {
        made.buffer = static_cast<uint8_t>(strip_.ones++);
        continue;
      }
      const auto* unused = std::find(std::begin(taken), std::end(taken), false);
      if (unused == std::end(taken)) return void(Fail());
      made.buffer = static_cast<uint8_t>(unused - std::begin(taken));
      taken[made.buffer] = made.last != i;
      strip_.buffers = std::max(strip_.buffers, made.buffer + 1);
    }
    FindDirect();
  }

  // Stores of what a kernel has just computed: nothing touches memory between them.
  [[gnu::cold]] void FindDirect() {
    for (size_t i = 0; i < strip_.acts.size(); ++i) {
      StripAct& store = strip_.acts[i];
      if (store.what != StripAct::kStore) continue;
      const uint8_t made = strip_.values[store.src[0]].made;
      if (made == kNoIndex || strip_.acts[made].what != StripAct::kMap) continue;
      bool alone = true;
      for (size_t k = made; k < i; ++k) {
        alone = alone && strip_.acts[k].what == StripAct::kMap;
      }
      if (alone) store.direct = made;
    }
  }

  const Code& body_;
  Strip& strip_;
  std::vector<StripKnown> known_;
  bool used_[kMostCarried] = {};  // as numbers
  uint16_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

void AddStrip(Node* loop) {
  Code& body = loop->blocks[0];
  const auto is_vector = [](const Node& node) { return node.step != nullptr; };
  if (std::none_of(body.nodes.begin(), body.nodes.end(), is_vector)) return;
  auto strip = std::make_shared<Strip>();
  if (!StripBuilder(*loop, strip.get()).Build()) return;
  Node node;
  node.run = RunStrip;
  node.kind = StmtKind::kVectorOp;
  node.stmt = body.nodes[0].stmt;
  node.step = std::make_unique<Step>();
  node.step->strip = std::move(strip);
  body.nodes.insert(body.nodes.begin(), std::move(node));
}

}  // namespace pto::ptoas::vec
