// Functions of several blocks: what branches pass on, and that a value is there on every way to its use.
#include <algorithm>
#include <unordered_map>

#include "src/ptoas/check/verify_impl.h"

namespace pto::ptoas {

namespace {

constexpr uint32_t kUnplaced = ~uint32_t{0};

// A function's blocks as numbers, and the blocks that every path to a block passes: its dominators, by
// Lengauer and Tarjan's rule with compressed paths, so that the work grows no faster than n log n with the text.
class BlockFlow {
 public:
  explicit BlockFlow(const Func& func) {
    for (const Block* block = func.body; block != nullptr; block = block->next) {
      numbers_.emplace(block, static_cast<uint32_t>(blocks_.size()));
      blocks_.push_back(block);
    }
    Reach();
    Dominators();
    Intervals();
  }

  const std::vector<const Block*>& blocks() const { return blocks_; }
  // No way leads to it: nothing there is wrong for lack of a value.
  bool Unreachable(uint32_t block) const { return place_[block] == kUnplaced; }
  bool Dominates(uint32_t a, uint32_t b) const { return enter_[a] <= enter_[b] && leave_[b] <= leave_[a]; }

 private:
  template <class Visit>
  void EachSuccessor(uint32_t block, Visit visit) const {
    const std::span<Stmt* const> stmts = blocks_[block]->stmts;
    if (stmts.empty()) return;
    for (const Successor& successor : stmts.back()->successors) {
      if (successor.block != nullptr) visit(numbers_.at(successor.block));
    }
  }

  // Depth first, without recursion: a program may have any number of blocks. From here on a block is its place
  // in the order in which it was reached.
  void Reach() {
    place_.assign(blocks_.size(), kUnplaced);
    std::vector<std::pair<uint32_t, uint32_t>> left = {{0, 0}};  // a block, and from which place it is seen
    while (!left.empty()) {
      const auto [block, from] = left.back();
      left.pop_back();
      if (place_[block] != kUnplaced) continue;
      const auto place = static_cast<uint32_t>(order_.size());
      place_[block] = place;
      order_.push_back(block);
      parent_.push_back(from);
      EachSuccessor(block, [&, here = place](uint32_t to) { left.emplace_back(to, here); });
    }
  }

  void Dominators() {
    const auto count = static_cast<uint32_t>(order_.size());
    std::vector<std::vector<uint32_t>> before(count);
    for (uint32_t at = 0; at < count; ++at) {
      EachSuccessor(order_[at], [&](uint32_t to) { before[place_[to]].push_back(at); });
    }
    above_.assign(count, 0);
    ancestor_.assign(count, kUnplaced);
    semi_.resize(count);
    best_.resize(count);
    for (uint32_t at = 0; at < count; ++at) semi_[at] = best_[at] = at;
    std::vector<std::vector<uint32_t>> bucket(count);
    for (uint32_t at = count; at-- > 1;) {
      for (const uint32_t from : before[at]) semi_[at] = std::min(semi_[at], semi_[Best(from)]);
      bucket[semi_[at]].push_back(at);
      ancestor_[at] = parent_[at];
      for (const uint32_t one : bucket[parent_[at]]) {
        const uint32_t best = Best(one);
        above_[one] = semi_[best] < semi_[one] ? best : parent_[at];
      }
      bucket[parent_[at]].clear();
    }
    for (uint32_t at = 1; at < count; ++at) {
      if (above_[at] != semi_[at]) above_[at] = above_[above_[at]];
    }
  }

  // The block of the least semidominator among those linked above one.
  uint32_t Best(uint32_t at) {
    std::vector<uint32_t>& path = path_;
    path.clear();
    for (uint32_t one = at; ancestor_[one] != kUnplaced && ancestor_[ancestor_[one]] != kUnplaced;
         one = ancestor_[one]) {
      path.push_back(one);
    }
    for (; !path.empty(); path.pop_back()) {
      const uint32_t one = path.back();
      const uint32_t next = ancestor_[one];
      if (semi_[best_[next]] < semi_[best_[one]]) best_[one] = best_[next];
      ancestor_[one] = ancestor_[next];
    }
    return best_[at];
  }

  // Numbers of the tree that dominators make, so that a question takes no walk. A block is reached after the one
  // above it.
  void Intervals() {
    const auto count = static_cast<uint32_t>(order_.size());
    std::vector<uint32_t> size(count, 1);
    for (uint32_t at = count; at-- > 1;) size[above_[at]] += size[at];
    enter_.assign(blocks_.size(), 0);
    leave_.assign(blocks_.size(), 0);
    std::vector<uint32_t> next(count, 1);
    std::vector<uint32_t> enter(count, 0);
    for (uint32_t at = 0; at < count; ++at) {
      if (at != 0) {
        enter[at] = next[above_[at]];
        next[above_[at]] += size[at];
      }
      next[at] = enter[at] + 1;
      enter_[order_[at]] = enter[at];
      leave_[order_[at]] = enter[at] + size[at];
    }
  }

  std::vector<const Block*> blocks_;
  std::unordered_map<const Block*, uint32_t> numbers_;
  std::vector<uint32_t> order_;  // of blocks that are reached
  std::vector<uint32_t> place_;  // in it
  // By places.
  std::vector<uint32_t> parent_;
  std::vector<uint32_t> above_;  // the closest dominator
  std::vector<uint32_t> semi_;
  std::vector<uint32_t> best_;
  std::vector<uint32_t> ancestor_;
  std::vector<uint32_t> path_;
  // By blocks.
  std::vector<uint32_t> enter_;
  std::vector<uint32_t> leave_;
};

template <class Visit>
void EachUse(const Stmt& stmt, Visit visit) {
  for (const std::span<Operand> uses : {stmt.operands, stmt.outs}) {
    for (const Operand& use : uses) {
      visit(use);
      for (const Operand& index : use.indices) visit(index);
    }
  }
}

}  // namespace

void Verifier::CheckBranch(const Stmt& stmt) {
  const Operand* decides = stmt["decides"];
  if (decides != nullptr) NeedIndex(stmt, *decides);
  std::span<const Operand> passed = stmt.operands.subspan(decides == nullptr ? 0 : 1);
  for (const Successor& to : stmt.successors) {
    const std::span<const Operand> own = passed.first(to.count);
    passed = passed.subspan(to.count);
    if (to.block == nullptr) {
      diagnostics_->Error(TextRule::kBlockLabel, to.offset, to.length, "no block to go on with is called ^%.*s",
                          PTO_NAME(to.label));
      continue;
    }
    std::vector<const Type*> wanted;
    for (const Value* arg : to.block->args) wanted.push_back(arg->type);
    CheckPassed(stmt, TextRule::kBranchTypes, own, wanted);
  }
}

void Verifier::CheckBlocks(const Func& func) {
  const BlockFlow flow(func);
  std::vector<uint32_t> home(func.value_count, 0);  // the block in which a value begins
  for (uint32_t b = 0; b < flow.blocks().size(); ++b) {
    const Block& block = *flow.blocks()[b];
    const StmtKind last = block.stmts.empty() ? StmtKind::kInst : block.stmts.back()->kind;
    if (last != StmtKind::kBranch && last != StmtKind::kReturn) {
      const std::string_view label = block.label;
      diagnostics_->Error(TextRule::kTerminator, func.offset, func.length,
                          "block %s%.*s of @%.*s ends without a branch or return", label.empty() ? "1" : "^",
                          PTO_NAME(label), PTO_NAME(func.name));
    }
    const auto begins = [&](const Value* value) {
      if (value->slot < home.size()) home[value->slot] = b;
    };
    for (const Value* arg : block.args) begins(arg);
    const auto visit = [&](const auto& self, const Block& inner) -> void {
      for (const Stmt* stmt : inner.stmts) {
        for (const Value* result : stmt->results) begins(result);
        EachUse(*stmt, [&](const Operand& use) {
          const Value* value = use.kind == OperandKind::kValue ? use.value : nullptr;
          if (value == nullptr) return;
          if (value->origin == ValueOrigin::kDestination && value->def == stmt) return begins(value);
          const uint32_t from = value->slot < home.size() ? home[value->slot] : 0;
          if (from == b || flow.Unreachable(b) || flow.Dominates(from, b)) return;
          diagnostics_->Error(TextRule::kUndefinedValue, use.offset, use.length,
                              "%%%.*s is not defined on every way that leads here", PTO_NAME(use.name));
        });
        for (const Block* deeper : stmt->blocks) {
          for (const Value* arg : deeper->args) begins(arg);
          self(self, *deeper);
        }
      }
    };
    visit(visit, block);
  }
}

}  // namespace pto::ptoas
