// Where flags and barriers go that a program lacks.
//
// The checker (sync.h) knows which two accesses are in no order. This file chooses a place for a flag, prints the
// program with it, reads that text, runs it, and asks the checker again: so each order is found with all earlier ones
// in place, and an order that follows from others is never inserted.
//
//     other: tload  (MTE2)                 scf.for {
//       set_flag   MTE2 -> V                 where: tload (MTE2)
//       ...                                  ...
//       wait_flag  MTE2 -> V                 other: tadd  (V)
//     where: tadd   (V)                      set_flag, wait_flag  V -> MTE2
//                                          }
//
// Both statements of a finding lie in some block L, directly or within statements of it, and L is the innermost such
// block.
// - If the earlier access precedes in L, the flag is set after its statement of L and awaited before the other's
//   statement. Both happen as often as L runs, whatever loops and branches are below.
// - If it does not, the accesses are of two rounds of the innermost loop around L. The flag is set and awaited at the
//   end of the loop's body.
// - Else (two calls of a function, branches between blocks) a barrier of all pipes precedes the second statement.
// Two accesses of one pipe that overlaps its own instructions need a barrier of that pipe.
//
// In the end flags that one flag can replace become that one, and orders that nothing needs are removed.
//
// If the program has one line of such a flag already, between the two statements, it gets the other line.
//
// Flags of one pair of pipes share an id if their lines of text do not overlap. With no id left, a barrier serves.
#include "src/ptoas/run/sync_fix.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/run/launch.h"
#include "src/ptoas/run/sync.h"

namespace pto::ptoas {

namespace {

using sync::Finding;
using sync::Mistake;

// Before statement `index` of a block; after the last one: at its end.
struct Spot {
  const Block* block = nullptr;
  size_t index = 0;
  bool operator<(const Spot& other) const { return std::tie(block, index) < std::tie(other.block, other.index); }
};

// A flag with its two lines, or a barrier with one.
struct Order {
  int from = 0;
  int to = 0;  // a barrier: the same pipe, or kAllPipes
  int64_t id = -1;
  Spot set;  // of a flag
  Spot wait;
  const Func* func = nullptr;
  // The program has this line of the flag and lacks the other one.
  bool has_set = false;
  bool has_wait = false;
  bool whole() const { return !has_set && !has_wait; }
  bool barrier() const { return id < 0; }
};

std::string PipeText(int pipe) {
  return "<PIPE_" + std::string(pipe == kAllPipes ? "ALL" : NameOf(static_cast<pto_pipe>(pipe))) + ">";
}

std::string FlagText(const char* name, const Order& order) {
  return std::string("pto.") + name + "[" + PipeText(order.from) + ", " + PipeText(order.to) + ", <EVENT_ID" +
         std::to_string(order.id) + ">]";
}

// Where the statements of a program are.
class Places {
 public:
  struct Place {
    Spot at;
    const Stmt* parent = nullptr;  // whose region the block is; nullptr: a function's body
    const Func* func = nullptr;
  };

  explicit Places(const Program& program) {
    for (const Module* module : program.modules) {
      for (const Func* func : module->funcs) {
        for (const Block* block = func->body; block != nullptr; block = block->next) Take(*block, nullptr, func);
      }
    }
  }
  const Place& Of(const Stmt* stmt) const { return places_.at(stmt); }
  // Lines of text, by number.
  int LineOf(const Spot& spot) const { return lines_.at(spot); }

 private:
  [[gnu::cold]] void Take(const Block& block, const Stmt* parent, const Func* func) {
    for (size_t i = 0; i < block.stmts.size(); ++i) {
      lines_[{&block, i}] = line_++;
      places_[block.stmts[i]] = {{&block, i}, parent, func};
      for (const Block* inner : block.stmts[i]->blocks) Take(*inner, block.stmts[i], func);
    }
    lines_[{&block, block.stmts.size()}] = line_++;
  }

  std::map<const Stmt*, Place> places_;
  std::map<Spot, int> lines_;
  int line_ = 0;
};

// Which statement of the original program each of a copy is; of those that were inserted the order.
struct Origins {
  std::map<const Stmt*, const Stmt*> original;
  std::map<const Stmt*, size_t> inserted;
};

class Fixer {
 public:
  Fixer(pto_context* ctx, const Program& program, const Func& entry, const Bindings& bindings,
        const RunOptions& options)
      : ctx_(ctx), program_(program), entry_(entry), bindings_(bindings), options_(options), places_(program) {
    options_.sync = true;
    options_.order_all = true;
  }

  [[gnu::cold]] SyncFix Run() {
    bool good = Try();
    for (int round = 0; good && round < kMost; ++round) {
      const Finding* found = First();
      if (found == nullptr) break;
      if (!Insert(*found)) skipped_.insert(KeyOf(*found));
      good = Try();
    }
    Merge();
    if (good) good = Prune();
    return {std::move(text_), std::move(copy_), std::move(found_), launch_->status(), launch_->argument_at_fault()};
  }

 private:
  static constexpr int kMost = 1000;
  using Key = std::tuple<const Stmt*, const Stmt*, int, int>;

  // Prints the program with all orders, and runs it. False: the run did not reach its end.
  [[gnu::cold]] bool Try() {
    std::map<Spot, std::vector<std::pair<std::string, size_t>>> lines[2];  // what is set; what waits
    for (size_t i = 0; i < orders_.size(); ++i) {
      const Order& order = orders_[i];
      if (order.barrier()) {
        lines[1][order.wait].emplace_back("pto.barrier " + PipeText(order.to), i);
      } else {
        if (!order.has_set) lines[0][order.set].emplace_back(FlagText("set_flag", order), i);
        if (!order.has_wait) lines[1][order.wait].emplace_back(FlagText("wait_flag", order), i);
      }
    }
    Extras extras;
    which_.clear();
    for (const auto& side : lines) {
      for (const auto& [spot, texts] : side) {
        for (const auto& [text, order] : texts) {
          extras[{spot.block, spot.index}].push_back(text);
          which_[spot].push_back(order);
        }
      }
    }
    text_ = Print(program_, extras);
    launch_ = std::make_unique<Launch>();  // the one before knows statements of the copy before
    found_ = Diagnostics();
    copy_ = Parse(text_, &found_);
    const Func* entry = Find(copy_);
    origins_ = {};
    MatchAll();
    found_ = Diagnostics(copy_.source);
    return launch_->Run(ctx_, *entry, bindings_, options_, &found_);
  }

  [[gnu::cold]] const Func* Find(const Program& program) const {
    for (const Module* module : program.modules) {
      for (const Func* func : module->funcs) {
        if (func->name == entry_.name && func->body != nullptr) return func;
      }
    }
    return nullptr;
  }

  [[gnu::cold]] void MatchAll() {
    for (size_t m = 0; m < program_.modules.size(); ++m) {
      const auto& from = program_.modules[m]->funcs;
      for (size_t f = 0; f < from.size(); ++f) {
        const Block* copy = copy_.modules[m]->funcs[f]->body;
        for (const Block* block = from[f]->body; block != nullptr; block = block->next, copy = copy->next) {
          Match(*block, *copy);
        }
      }
    }
  }

  [[gnu::cold]] void Match(const Block& block, const Block& copy) {
    size_t next = 0;
    for (size_t i = 0; i <= block.stmts.size(); ++i) {
      if (const auto extra = which_.find({&block, i}); extra != which_.end()) {
        for (const size_t order : extra->second) origins_.inserted[copy.stmts[next++]] = order;
      }
      if (i == block.stmts.size()) return;
      const Stmt* stmt = block.stmts[i];
      const Stmt* same = copy.stmts[next++];
      origins_.original[same] = stmt;
      for (size_t b = 0; b < stmt->blocks.size(); ++b) Match(*stmt->blocks[b], *same->blocks[b]);
    }
  }

  [[gnu::cold]] const Stmt* OriginOf(sync::Where where) const {
    const auto found = origins_.original.find(static_cast<const Stmt*>(where));
    return found == origins_.original.end() ? nullptr : found->second;
  }
  Key KeyOf(const Finding& found) const { return {OriginOf(found.where), OriginOf(found.other), found.from, found.to}; }

  // The first finding that an order between pipes of one core makes good.
  [[gnu::cold]] const Finding* First() {
    findings_ = launch_->checker()->Findings();
    for (const Finding& found : findings_) {
      const bool order = found.mistake == Mistake::kHazard || found.mistake == Mistake::kRace;
      if (!order || found.block != found.other_block || found.from_core != found.to_core) continue;
      if (OriginOf(found.where) == nullptr || OriginOf(found.other) == nullptr) continue;
      if (!skipped_.contains(KeyOf(found))) return &found;
    }
    return nullptr;
  }

  // False: the same order is there already, and did not help.
  [[gnu::cold]] bool Insert(const Finding& found) {
    const Stmt* where = OriginOf(found.where);
    if (found.mistake != Mistake::kHazard && Widen(found, OriginOf(found.other), where)) return true;
    const Order order = found.mistake == Mistake::kHazard
                            ? Order{found.from, found.to, -1, {}, places_.Of(where).at, places_.Of(where).func}
                            : FlagFor(found, OriginOf(found.other), where);
    for (const Order& other : orders_) {
      const bool same = other.barrier() == order.barrier() && other.to == order.to && other.from == order.from;
      if (same && !(other.wait < order.wait) && !(order.wait < other.wait) && !(other.set < order.set) &&
          !(order.set < other.set))
        return false;
    }
    orders_.push_back(order);
    return true;
  }

  [[gnu::cold]] Order FlagFor(const Finding& found, const Stmt* other, const Stmt* where) {
    Order order{found.from, found.to, -1, {}, {}, places_.Of(where).func};
    Order barrier{kAllPipes, kAllPipes, -1, {}, places_.Of(where).at, order.func};
    if (!Span(other, where, &order)) return barrier;
    if (Complete(&order)) return order;
    order.id = FreeId(order);
    return order.id < 0 ? barrier : order;
  }

  // A flag that the program sets in vain between the two statements, or awaits in vain, lacks its other line only.
  [[gnu::cold]] bool Complete(Order* order) const {
    if (order->set.block != order->wait.block) return false;
    for (const Finding& half : findings_) {
      // A flag that is set again had no wait, either.
      const bool again = half.mistake == Mistake::kSetTwice;
      const bool set = again || half.mistake == Mistake::kLeftSet;
      const Stmt* const line =
          set || half.mistake == Mistake::kNeverSet ? OriginOf(again ? half.other : half.where) : nullptr;
      if (line == nullptr || half.from != order->from || half.to != order->to) continue;
      const Spot at = places_.Of(line).at;
      const bool between = at.block == order->set.block && order->set.index <= at.index && at.index < order->wait.index;
      const bool taken = std::any_of(orders_.begin(), orders_.end(), [&](const Order& other) {
        const Spot& has = other.has_set ? other.set : other.wait;
        return !other.whole() && has.block == at.block && has.index == at.index;
      });
      if (!between || taken || line->name != (set ? "set_flag" : "wait_flag")) continue;
      order->id = half.id;
      (set ? order->has_set : order->has_wait) = true;
      (set ? order->set : order->wait) = at;
      return true;
    }
    return false;
  }

  // The line that a flag of the program got may move, so that the flag orders two more statements.
  [[gnu::cold]] bool Widen(const Finding& found, const Stmt* other, const Stmt* where) {
    Order order{found.from, found.to, -1, {}, {}, nullptr};
    if (!Span(other, where, &order) || order.set.block != order.wait.block) return false;
    for (Order& half : orders_) {
      if (half.whole() || half.from != order.from || half.to != order.to || half.set.block != order.set.block) continue;
      if (half.has_wait && half.set.index < order.set.index && order.set.index <= half.wait.index &&
          half.wait.index < order.wait.index) {
        half.set.index = order.set.index;
        return true;
      }
      if (half.has_set && order.set.index <= half.set.index && half.set.index < order.wait.index &&
          order.wait.index < half.wait.index) {
        half.wait.index = order.wait.index;
        return true;
      }
    }
    return false;
  }

  // All blocks around a statement, the outermost one first.
  [[gnu::cold]] std::vector<Spot> PathOf(const Stmt* stmt) const {
    std::vector<Spot> path;
    for (; stmt != nullptr; stmt = places_.Of(stmt).parent) path.insert(path.begin(), places_.Of(stmt).at);
    return path;
  }

  [[gnu::cold]] bool Span(const Stmt* other, const Stmt* where, Order* order) const {
    const std::vector<Spot> from = PathOf(other);
    const std::vector<Spot> to = PathOf(where);
    size_t depth = 0;
    while (depth + 1 < from.size() && depth + 1 < to.size() && from[depth].index == to[depth].index &&
           from[depth].block == to[depth].block && from[depth + 1].block == to[depth + 1].block) {
      ++depth;
    }
    if (from[depth].block != to[depth].block) return false;
    if (from[depth].index < to[depth].index) {
      order->set = {from[depth].block, from[depth].index + 1};
      order->wait = to[depth];
      return true;
    }
    // Rounds of the innermost loop around both.
    const Stmt* around = to[depth].block->stmts[to[depth].index];
    for (around = places_.Of(around).parent; around != nullptr; around = places_.Of(around).parent) {
      if (around->kind != StmtKind::kFor && around->kind != StmtKind::kWhile) continue;
      const Block* body = around->blocks.back();
      const bool ends = !body->stmts.empty() && body->stmts.back()->kind == StmtKind::kYield;
      order->set = order->wait = {body, body->stmts.size() - (ends ? 1 : 0)};
      return true;
    }
    return false;
  }

  // The lowest id that the program does not use for the two pipes, nor an order whose lines overlap; -1: none.
  int64_t FreeId(const Order& order) {
    const auto pair = std::pair(order.from, order.to);
    if (!programs_ids_.contains(pair)) {
      // Before the first flag of the pair the checker has seen the program's own flags alone.
      programs_ids_[pair] = launch_->checker()->UsedIds(order.from, order.to);
    }
    for (int64_t id = 0; id < sync::kFlagIds; ++id) {
      if ((programs_ids_[pair] >> id & 1U) != 0) continue;
      const bool taken = std::any_of(orders_.begin(), orders_.end(), [&](const Order& other) {
        if (other.id != id || other.from != order.from || other.to != order.to) return false;
        return other.func != order.func || (places_.LineOf(other.set) <= places_.LineOf(order.wait) &&
                                            places_.LineOf(order.set) <= places_.LineOf(other.wait));
      });
      if (!taken) return id;
    }
    return -1;
  }

  // The findings without useless orders; both runs reached their end.
  size_t Errors() const {
    const std::vector<Finding> all = launch_->checker()->Findings();
    return static_cast<size_t>(
        std::count_if(all.begin(), all.end(), [](const Finding& found) { return found.mistake != Mistake::kUseless; }));
  }

  // One flag orders what several do if the last of them is set before the first is awaited: it is set where the last
  // one was, and awaited where the first one was. By the end of their lines this leaves as few as possible in each
  // block.
  [[gnu::cold]] void Merge() {
    std::stable_sort(orders_.begin(), orders_.end(),
                     [](const Order& a, const Order& b) { return a.wait.index < b.wait.index; });
    std::vector<Order> merged;
    for (const Order& order : orders_) {
      const auto joins = std::find_if(merged.begin(), merged.end(), [&](const Order& other) {
        return !order.barrier() && !other.barrier() && order.whole() && other.whole() && other.from == order.from &&
               other.to == order.to && other.wait.block == order.wait.block && other.set.block == order.set.block &&
               order.set.index <= other.wait.index;
      });
      if (joins == merged.end()) {
        merged.push_back(order);
      } else {
        joins->set.index = std::max(joins->set.index, order.set.index);
      }
    }
    orders_ = std::move(merged);
  }

  // Removes orders that are not needed, the last one first. False: the run did not reach its end.
  [[gnu::cold]] bool Prune() {
    const size_t errors = Errors();
    for (size_t i = orders_.size(); i-- > 0;) {
      const Order order = orders_[i];
      orders_.erase(orders_.begin() + static_cast<std::ptrdiff_t>(i));
      if (!Try()) return false;
      if (First() != nullptr || Errors() > errors)
        orders_.insert(orders_.begin() + static_cast<std::ptrdiff_t>(i), order);
    }
    return Try();
  }

  pto_context* ctx_;
  const Program& program_;
  const Func& entry_;
  const Bindings& bindings_;
  RunOptions options_;
  Places places_;
  std::vector<Order> orders_;
  std::map<Spot, std::vector<size_t>> which_;  // orders, by where their lines are
  std::map<std::pair<int, int>, unsigned> programs_ids_;
  std::set<Key> skipped_;
  std::unique_ptr<Launch> launch_;
  std::vector<Finding> findings_;
  std::string text_;
  Program copy_;
  Diagnostics found_;
  Origins origins_;
};

}  // namespace

SyncFix FixSync(pto_context* ctx, const Program& program, const Func& entry, const Bindings& bindings,
                const RunOptions& options) {
  return Fixer(ctx, program, entry, bindings, options).Run();
}

}  // namespace pto::ptoas
