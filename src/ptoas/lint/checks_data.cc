// The contents of tiles: which statement wrote them, which reads them.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "src/ptoas/lint/checks.h"
#include "src/ptoas/run/spans.h"

namespace pto::ptoas {

namespace {

bool IsStore(const Stmt& stmt) { return stmt.Stores() || stmt.kind == StmtKind::kStoreScalar; }

// Statements that may do anything to global memory, or wait for a core that does.
bool Unknown(const Stmt& stmt) {
  return stmt.kind == StmtKind::kCall || stmt.kind == StmtKind::kAsync || stmt.kind == StmtKind::kComm ||
         IsPipe(stmt.kind) || IsCoreSync(stmt.kind);
}

// A TLOAD of a whole view into a whole tile.
struct Load {
  const Value* view = nullptr;
  const Value* tile = nullptr;
};
bool LoadOf(const Stmt& stmt, Load* out) {
  if (stmt.kind != StmtKind::kInst || stmt.op == nullptr || stmt.op->walk != Walk::kLoad) return false;
  if (stmt.operands.size() != 1 || stmt.outs.size() != 1) return false;
  *out = {Named(stmt.operands[0]), Named(stmt.outs[0])};
  return out->view != nullptr && out->tile != nullptr;
}

// The part of global memory that a view covers. It follows from its own statement and from the part that it is cut
// from, so that chains of views take no longer than their text.
class Parts {
 public:
  explicit Parts(const FuncFacts& facts) : facts_(facts) {
    for (const StmtSite& site : facts.sites()) {
      const Stmt& stmt = *site.stmt;
      const bool view = stmt.kind == StmtKind::kPartitionView || stmt.kind == StmtKind::kMakeTensorView;
      if (!view || stmt.results.empty() || stmt.operands.empty()) continue;
      const Value& made = *stmt.results[0];
      std::vector<const void*> key;
      Part part{&made, kNowhere};
      for (const Operand& operand : stmt.operands) {
        const bool base = &operand == stmt.operands.data();
        if (operand.value == nullptr) {
          key.push_back(&operand);  // like nothing else
        } else {
          const Part known = base ? Of(*operand.value) : Part{operand.value, facts.SiteOf(*operand.value)};
          key.push_back(known.value);
          part.newest = std::max(part.newest, known.newest);
        }
      }
      part.value = known_.emplace(std::move(key), &made).first->second;
      parts_.emplace(&made, part);
    }
  }

  // Two views that are one part have one value here.
  const Value* operator[](const Value& view) const { return Of(view).value; }
  // The last statement that decides which part a view is.
  int NewestOf(const Value& view) const { return Of(view).newest; }

 private:
  struct Part {
    const Value* value;
    int newest;
  };
  Part Of(const Value& view) const {
    const auto found = parts_.find(&view);
    return found == parts_.end() ? Part{&view, facts_.SiteOf(view)} : found->second;
  }

  const FuncFacts& facts_;
  std::map<std::vector<const void*>, const Value*> known_;
  std::unordered_map<const Value*, Part> parts_;
};

int64_t WritesOf(const FuncFacts& facts, const Value& root, int first, int end) {
  return facts.Count(root, {AccessKind::kWrite, AccessKind::kChange}, first, end);
}
int64_t WritesOf(const FuncFacts& facts, const Value& root) {
  return WritesOf(facts, root, 0, static_cast<int>(facts.sites().size()));
}

// Whether the first access that matters reads a tile to which nothing was written.
enum class First : uint8_t { kUnclear, kWrite, kRead };
First FirstOf(const FuncFacts& facts, const Value& tile, const Access& access) {
  // The reads of a statement are listed before its writes.
  if (Writes(access.kind) && access.kind != AccessKind::kChange) return First::kWrite;
  if (access.kind == AccessKind::kChange && facts.at(access.site).stmt->op == nullptr) return First::kWrite;  // tsetval
  if (!Reads(access.kind)) return First::kUnclear;
  // Who changes a part, such as an insert, need not mean the rest.
  return access.kind == AccessKind::kChange || !RunsFirst(facts, access.site, tile) ? First::kWrite : First::kRead;
}

void FindUnwritten(Lint& lint, const Access& access) {
  lint.Find(*access.operand, "%%%.*s is read and nothing was written to it before", PTO_NAME(access.operand->name));
}

// Tiles at addresses share memory with others, so that a write to any of these counts. Whoever calls the function may
// have written there, and so may a function that it calls.
void ReadUnwrittenPlaced(Lint& lint, const FuncFacts& facts) {
  struct Event {
    const Access* access;
    const PlacedTile* tile;
  };
  constexpr int64_t kAll = int64_t{1} << 41;
  std::vector<Event> events;
  for (const PlacedTile& tile : facts.placed_tiles()) {
    for (const Access& access : facts.SharedAccesses(*tile.tile)) events.push_back({&access, &tile});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.access->site < b.access->site; });
  int end = static_cast<int>(facts.sites().size());
  for (int i = 0; i < end; ++i) {
    const StmtKind kind = facts.at(i).stmt->kind;
    if (kind == StmtKind::kCall || kind == StmtKind::kTassign || kind == StmtKind::kScaleAddr) end = i;
  }
  Spans written[kLocCount];  // as far as the text was walked
  std::set<const Value*> judged;
  for (size_t i = 0; i < events.size() && events[i].access->site < end;) {
    // A statement reads before it writes.
    size_t next = i;
    while (next < events.size() && events[next].access->site == events[i].access->site) ++next;
    for (size_t k = i; k < next; ++k) {
      const auto& [access, tile] = events[k];
      const auto loc = static_cast<size_t>(tile->tile->type->loc);
      const First first = FirstOf(facts, *tile->tile, *access);
      if (first == First::kUnclear || tile->first < 0 || !judged.insert(tile->tile).second) continue;
      if (first == First::kRead && !written[loc].Any(tile->first, tile->end)) FindUnwritten(lint, *access);
    }
    for (size_t k = i; k < next; ++k) {
      const auto& [access, tile] = events[k];
      const bool escapes = access->kind == AccessKind::kEscape;
      if (escapes) judged.insert(tile->tile);
      if (!escapes && !Writes(access->kind)) continue;
      Spans& there = written[static_cast<size_t>(tile->tile->type->loc)];
      tile->first < 0 || escapes ? there.Add(0, kAll) : there.Add(tile->first, tile->end);
    }
    i = next;
  }
}

}  // namespace

void ReadUnwritten(Lint& lint) {
  lint.EachOwnTile([&](const FuncFacts& facts, const Value& tile) {
    for (const Access& access : facts.SharedAccesses(tile)) {
      const First first = FirstOf(facts, tile, access);
      if (first == First::kUnclear) continue;
      if (first == First::kRead) FindUnwritten(lint, access);
      return;
    }
  });
  for (const FuncFacts& facts : lint.funcs()) {
    if (!facts.branches() && !lint.IsCalled(facts.func())) ReadUnwrittenPlaced(lint, facts);
  }
}

void WriteUnread(Lint& lint) {
  lint.EachOwnTile([&](const FuncFacts& facts, const Value& tile) {
    if (facts.func().bare) return;  // tiles of bare statements are read after the run
    const auto& accesses = facts.SharedAccesses(tile);
    const Access* write = nullptr;
    for (const Access& access : accesses) {
      // An instruction may need a second destination; that is not reported.
      const Stmt& stmt = *facts.at(access.site).stmt;
      if (access.kind == AccessKind::kRead || access.kind == AccessKind::kScratch || stmt.outs.size() > 1) return;
      if (Writes(access.kind) && write == nullptr) write = &access;
    }
    if (write != nullptr) {
      lint.Find(*write->operand, "%%%.*s is written and never read", PTO_NAME(write->operand->name));
    }
  });
}

void WriteLost(Lint& lint) {
  lint.EachOwnTile([&](const FuncFacts& facts, const Value& tile) {
    const auto& accesses = facts.SharedAccesses(tile);
    for (size_t i = 0; i + 1 < accesses.size(); ++i) {
      const Access& first = accesses[i];
      const Access& then = accesses[i + 1];
      const StmtSite& site = facts.at(first.site);
      const StmtSite& next = facts.at(then.site);
      // Reads of a statement precede its writes, so a read between two writes is seen here.
      if (first.kind != AccessKind::kWrite || then.kind != AccessKind::kWrite || first.site == then.site) continue;
      if (site.block != next.block || first.operand->value != then.operand->value || site.stmt->outs.size() > 1)
        continue;
      lint.Find(*first.operand, "%%%.*s is overwritten before it is read", PTO_NAME(first.operand->name));
    }
  });
}

void StoreLost(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    const Parts parts(facts);
    std::map<std::pair<const Block*, const Value*>, int> stores;  // the latest to each place
    for (size_t i = 0; i < facts.sites().size(); ++i) {
      const StmtSite& site = facts.sites()[i];
      const Stmt& stmt = *site.stmt;
      if (stmt.kind == StmtKind::kInst && stmt.op != nullptr && stmt.op->walk == Walk::kStore &&
          stmt.op->Count(Role::kMode) == 0 && Named(stmt.outs[0]) != nullptr) {
        const auto [at, fresh] = stores.emplace(std::pair(site.block, parts[*stmt.outs[0].value]), static_cast<int>(i));
        if (!fresh) {
          lint.Find(*facts.at(at->second).stmt, "this store is overwritten before it is loaded");
          at->second = static_cast<int>(i);
        }
        continue;
      }
      // Whoever reads global memory may read what was stored, and a nested statement may do anything.
      Load load;
      const bool reads = LoadOf(stmt, &load) || Unknown(stmt) || !stmt.blocks.empty() ||
                         stmt.kind == StmtKind::kLoadScalar ||
                         (stmt.kind == StmtKind::kInst && (stmt.op == nullptr || stmt.op->TensorIndex() >= 0));
      if (reads) stores.clear();
    }
  }
}

void RepeatedLoad(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    const Parts parts(facts);
    std::map<std::pair<const Block*, const Value*>, int> loads;
    for (size_t i = 0; i < facts.sites().size(); ++i) {
      const StmtSite& site = facts.sites()[i];
      Load load;
      if (IsStore(*site.stmt) || Unknown(*site.stmt) || !site.stmt->blocks.empty()) loads.clear();
      if (!LoadOf(*site.stmt, &load)) continue;
      const auto [at, fresh] = loads.emplace(std::pair(site.block, parts[*load.view]), static_cast<int>(i));
      if (fresh) continue;
      // Both tiles keep what was loaded, and are alike: one would do.
      Load before;
      LoadOf(*facts.at(at->second).stmt, &before);
      const Value& one = facts.RootOf(*before.tile);
      const Value& two = facts.RootOf(*load.tile);
      const bool kept = &one != &two && one.type == two.type && WritesOf(facts, one) == 1 && WritesOf(facts, two) == 1;
      const bool again = &one == &two && WritesOf(facts, one) == 2;
      if (kept || again) {
        lint.Find(*site.stmt, "%%%.*s has been loaded into %%%.*s already", PTO_NAME(load.view->name),
                  PTO_NAME(before.tile->name));
      }
    }
  }
}

void InvariantLoad(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    const Parts parts(facts);
    // The number of statements that store at an address, or have unknown effects: any of them in a loop may have
    // changed what is loaded.
    std::vector<int> unclear{0};
    for (const StmtSite& site : facts.sites()) {
      unclear.push_back(unclear.back() + (Unknown(*site.stmt) || site.stmt->kind == StmtKind::kStoreScalar ? 1 : 0));
    }
    for (size_t i = 0; i < facts.sites().size(); ++i) {
      const auto site = static_cast<int>(i);
      const int loop = facts.at(site).loop;
      Load load;
      if (loop == kNowhere || !LoadOf(*facts.at(site).stmt, &load)) continue;
      const int end = facts.at(loop).end;
      const Value& root = facts.RootOf(*load.tile);
      // Defined by what is the same in every round?
      if (parts.NewestOf(*load.view) >= loop || facts.DefinedIn(root, loop)) continue;
      const auto changes = [&](int first, int last) {
        return facts.Count(
            root,
            {AccessKind::kWrite, AccessKind::kChange, AccessKind::kScratch, AccessKind::kShape, AccessKind::kEscape},
            first, last);
      };
      if (changes(loop + 1, site) + changes(site + 1, end) != 0) continue;
      if (unclear[static_cast<size_t>(end)] != unclear[static_cast<size_t>(loop)]) continue;
      // Nothing is stored there in between.
      if (WritesOf(facts, facts.RootOf(*load.view), loop + 1, end) != 0) continue;
      lint.Find(*facts.at(site).stmt, "%%%.*s is loaded again in each iteration of the loop",
                PTO_NAME(load.view->name));
    }
  }
}

void MemoryReused(Lint& lint) {
  // Tiles at constant addresses: which one is written while another one is still to be read?
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    std::vector<PlacedTile> placed = facts.placed_tiles();
    std::erase_if(placed, [](const PlacedTile& tile) { return tile.first < 0; });
    // Neighbours are enough to report it once, and to be quick where a program has many tiles.
    for (size_t i = 0; i + 1 < placed.size(); ++i) {
      const Value& a = *placed[i].tile;
      const Value& b = *placed[i + 1].tile;
      if (a.type->loc != b.type->loc || placed[i + 1].first >= placed[i].end) continue;
      for (const auto& [mine, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        const auto& accesses = facts.SharedAccesses(*mine);
        for (size_t k = 0; k + 1 < accesses.size(); ++k) {
          if (accesses[k].kind != AccessKind::kWrite || accesses[k + 1].kind != AccessKind::kRead) continue;
          if (facts.at(accesses[k].site).block != facts.at(accesses[k + 1].site).block) continue;
          const auto& others = facts.SharedAccesses(*other);
          auto write = std::partition_point(others.begin(), others.end(),
                                            [&](const Access& access) { return access.site <= accesses[k].site; });
          while (write != others.end() && write->site < accesses[k + 1].site && write->kind != AccessKind::kWrite) {
            ++write;
          }
          if (write == others.end() || write->site >= accesses[k + 1].site) continue;
          lint.Find(*write->operand, "%%%.*s lies over %%%.*s, which is read after this", PTO_NAME(other->name),
                    PTO_NAME(mine->name));
        }
      }
    }
  }
}

}  // namespace pto::ptoas
