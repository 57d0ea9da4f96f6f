// Pipes and flags between the cores of a block.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/ptoas/check/pipe_facts.h"
#include "src/ptoas/lint/checks.h"
#include "src/ptoas/run/code.h"

namespace pto::ptoas {

namespace {

// The core that runs a statement, if its name, section or function specifies it.
CoreKind CoreOf(const FuncFacts& facts, int site) {
  if (const CoreKind side = facts.at(site).stmt->info->core; side != CoreKind::kAny) return side;
  for (int at = facts.at(site).parent; at != kNowhere; at = facts.at(at).parent) {
    const Stmt& around = *facts.at(at).stmt;
    if (around.kind == StmtKind::kSection) return around.info->core;
  }
  return facts.func().core;
}

// visit(pipe) for pipes whose uses are all known from the text.
template <class Visit>
void EachPipe(const Lint& lint, Visit visit) {
  for (const KernelPipes& kernel : PipesOf(lint.program())) {
    for (const PipeFacts& pipe : kernel.pipes) {
      if (!kernel.lost && pipe.known && pipe.made != nullptr) visit(pipe);
    }
  }
}

// visit(way) for both directions of them.
template <class Visit>
void EachWay(const Lint& lint, Visit visit) {
  EachPipe(lint, [&](const PipeFacts& pipe) {
    for (const PipeWay& way : pipe.ways) visit(way);
  });
}

}  // namespace

void PushNotPopped(Lint& lint) {
  EachWay(lint, [&](const PipeWay& way) {
    if (way.push != nullptr && way.pop == nullptr)
      lint.Find(*way.push, "the other core never pops what is pushed here");
  });
}

void PopNotPushed(Lint& lint) {
  EachWay(lint, [&](const PipeWay& way) {
    if (way.pop != nullptr && way.push == nullptr)
      lint.Find(*way.pop, "the other core never pushes what is popped here");
  });
}

void PopNotFreed(Lint& lint) {
  EachWay(lint, [&](const PipeWay& way) {
    if (way.pop != nullptr && way.free == nullptr) lint.Find(*way.pop, "no tfree hands the slot back");
  });
}

void FreeNotPopped(Lint& lint) {
  EachWay(lint, [&](const PipeWay& way) {
    if (way.free != nullptr && way.pop == nullptr) lint.Find(*way.free, "nothing is popped that this could hand back");
  });
}

void UnusedPipe(Lint& lint) {
  EachPipe(lint, [&](const PipeFacts& pipe) {
    if (!pipe.ways[0].used() && !pipe.ways[1].used()) lint.Find(*pipe.made, "nothing passes through the pipe");
  });
}

void OneWayPipe(Lint& lint) {
  EachPipe(lint, [&](const PipeFacts& pipe) {
    const bool used[] = {pipe.ways[0].used(), pipe.ways[1].used()};
    if (IntAttr(*pipe.made, "dir_mask", 0) != 3 || used[0] == used[1]) return;
    lint.Find(*pipe.made, "the pipe has both directions and is used %s",
              used[0] ? "to the vector cores" : "to the cube core");
  });
}

void SlotNotPushed(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kAllocSlot || stmt.results.empty()) return;
    const auto& uses = facts.AccessesOf(*stmt.results[0]);
    const bool passed = std::any_of(uses.begin(), uses.end(), [&](const Access& access) {
      const Stmt& user = *facts.at(access.site).stmt;
      return user.kind == StmtKind::kCall || user.kind == StmtKind::kPush;
    });
    if (!passed) lint.Find(stmt, "the slot is never pushed");
  });
}

void SlotAfterFree(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    if (facts.branches()) continue;
    // The uses of each freed slot, by block.
    std::set<const Value*> slots;
    std::map<std::pair<const Value*, const Block*>, std::vector<const Access*>> uses;
    for (size_t i = 0; i < facts.sites().size(); ++i) {
      const StmtSite& site = facts.sites()[i];
      const Stmt& stmt = *site.stmt;
      if (stmt.kind != StmtKind::kFree || stmt["slot"] == nullptr) continue;
      const Value* slot = Named(*stmt["slot"]);
      if (slot == nullptr) continue;
      const Value& root = facts.RootOf(*slot);
      if (slots.insert(&root).second) {
        for (const Access& access : facts.SharedAccesses(root)) {
          uses[{&root, facts.at(access.site).block}].push_back(&access);
        }
      }
      const auto& here = uses[{&root, site.block}];
      const auto next = std::partition_point(here.begin(), here.end(),
                                             [i](const Access* use) { return use->site <= static_cast<int>(i); });
      if (next == here.end()) continue;
      const Operand& operand = *(*next)->operand;
      lint.Find(operand, "%%%.*s is in the slot that was handed back before", PTO_NAME(operand.name));
    }
  }
}

void CoreFlagPair(Lint& lint) {
  // The core that sets a flag decides which core receives it. On A5, flags from 16 on are for the second vector core.
  struct Flag {
    const Stmt* set = nullptr;
    const Stmt* wait = nullptr;
  };
  std::map<std::pair<bool, int64_t>, Flag> flags;
  bool known = true;
  lint.EachStatement([&](const FuncFacts& facts, int site, const Stmt& stmt) {
    if (!IsCoreSync(stmt.kind)) return;
    const CoreKind core = CoreOf(facts, site);
    int64_t id = 0;
    // Flags among cores of one kind are set and awaited by the same code.
    known &= core != CoreKind::kAny && ConstantOf(*stmt["flag"], &id) && IntAttr(stmt, "ffts_mode", 2) == 2;
    const bool sets = stmt.kind == StmtKind::kCoreSet;
    Flag& flag = flags[{sets == (core == CoreKind::kVector), id % 16}];
    const Stmt*& first = sets ? flag.set : flag.wait;
    if (first == nullptr) first = &stmt;
  });
  for (const auto& [key, flag] : flags) {
    if (!known || (flag.set != nullptr && flag.wait != nullptr)) continue;
    lint.Find(flag.set != nullptr ? *flag.set : *flag.wait,
              flag.set != nullptr ? "the other core never waits for flag %lld" : "the other core never sets flag %lld",
              static_cast<long long>(key.second));
  }
}

}  // namespace pto::ptoas
