// Loops, branches, synchronisation.
#include <algorithm>
#include <map>
#include <string>

#include "src/ptoas/lint/checks.h"

namespace pto::ptoas {

namespace {

// The bounds of a loop, if all three are constants.
struct Bounds {
  int64_t lower = 0, upper = 0, step = 1;
};
bool BoundsOf(const Stmt& stmt, Bounds* out) {
  return stmt.kind == StmtKind::kFor && ConstantOf(*stmt["lower"], &out->lower) &&
         ConstantOf(*stmt["upper"], &out->upper) && ConstantOf(*stmt["step"], &out->step);
}
// Rounds that a loop takes; 0 for a step that does not go up.
uint64_t Rounds(const Bounds& bounds) {
  if (bounds.lower >= bounds.upper || bounds.step <= 0) return 0;
  const uint64_t span = static_cast<uint64_t>(bounds.upper) - static_cast<uint64_t>(bounds.lower);
  return (span - 1) / static_cast<uint64_t>(bounds.step) + 1;
}

bool Empty(const Block& block) {
  return std::all_of(block.stmts.begin(), block.stmts.end(),
                     [](const Stmt* stmt) { return stmt->kind == StmtKind::kYield && stmt->operands.empty(); });
}

// Whether everything that a statement reads is the same in each iteration of the loop.
bool Invariant(const FuncFacts& facts, const Stmt& stmt, int loop) {
  return std::none_of(stmt.operands.begin(), stmt.operands.end(), [&](const Operand& operand) {
    return operand.kind == OperandKind::kValue && (operand.value == nullptr || facts.DefinedIn(*operand.value, loop));
  });
}

// The same operation on the same operands, whatever form each is written in.
bool SameStatement(const Stmt& a, const Stmt& b) {
  const auto same = [](const Operand& x, const Operand& y) {
    if (x.kind == OperandKind::kLiteral && y.kind == OperandKind::kLiteral) return x.literal->text == y.literal->text;
    return x.kind == y.kind && x.value == y.value;
  };
  return a.kind == b.kind && a.name == b.name &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(), same);
}

}  // namespace

void DeadLoop(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    Bounds b;
    if (!BoundsOf(stmt, &b) || b.lower < b.upper) return;
    lint.Find(stmt, "the loop from %lld to %lld never runs", static_cast<long long>(b.lower),
              static_cast<long long>(b.upper));
  });
}

void SingleRound(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    Bounds b;
    if (!BoundsOf(stmt, &b) || Rounds(b) != 1) return;
    lint.Find(stmt, "the loop from %lld to %lld by %lld runs once", static_cast<long long>(b.lower),
              static_cast<long long>(b.upper), static_cast<long long>(b.step));
  });
}

void LoopStep(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    int64_t step = 1;
    if (stmt.kind != StmtKind::kFor || !ConstantOf(*stmt["step"], &step) || step > 0) return;
    lint.Find(*stmt["step"], "the step is %lld", static_cast<long long>(step));
  });
}

void LoopOverrun(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kPartitionView || stmt.operands.empty()) return;
    const Type* view = TypeOf(*stmt["view"]);
    if (view == nullptr || !view->IsView()) return;
    const std::span<const Operand> offsets = stmt.All("offsets");
    for (size_t d = 0; d < offsets.size() && d < view->rank; ++d) {
      const Operand& offset = offsets[d];
      int64_t size = 0;
      if (view->dims[d] == kDynamic || offset.value == nullptr || offset.value->origin != ValueOrigin::kBlockArgument ||
          !ConstantOf(stmt.All("sizes")[d], &size))
        continue;
      // The variable of a loop around whose bounds are known.
      const int site = facts.SiteOf(*offset.value);
      Bounds b;
      if (site == kNowhere || !BoundsOf(*facts.at(site).stmt, &b)) continue;
      const Stmt& loop = *facts.at(site).stmt;
      const uint64_t rounds = Rounds(b);
      if (rounds == 0 || loop.blocks[0]->args.empty() || loop.blocks[0]->args[0] != offset.value) continue;
      const int64_t last = b.lower + static_cast<int64_t>(rounds - 1) * b.step;
      if (last < 0 || size < 0 || (last <= view->dims[d] && size <= view->dims[d] - last)) continue;
      lint.Find(offset, "the last round takes %lld from %lld on, of %lld", static_cast<long long>(size),
                static_cast<long long>(last), static_cast<long long>(view->dims[d]));
    }
  });
}

void EmptyBody(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    const bool loop = stmt.kind == StmtKind::kFor;
    if ((!loop && stmt.kind != StmtKind::kIf) || stmt.blocks.empty()) return;
    if (!std::all_of(stmt.blocks.begin(), stmt.blocks.end(), [](const Block* block) { return Empty(*block); })) return;
    lint.Find(stmt, loop ? "the loop has nothing in it" : "nothing depends on the condition");
  });
}

void ConstantCondition(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    const bool asks = stmt.kind == StmtKind::kIf || (stmt.kind == StmtKind::kBranch && stmt.successors.size() == 2) ||
                      (stmt.kind == StmtKind::kArith && stmt.arith == ArithOp::kSelect);
    int64_t value = 0;
    if (!asks || stmt.operands.empty() || !ConstantOf(stmt.operands[0], &value)) return;
    lint.Find(stmt.operands[0], "the condition is always %s", value != 0 ? "true" : "false");
  });
}

void SameTarget(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kBranch || stmt.successors.size() != 2) return;
    const Successor& yes = stmt.successors[0];
    const Successor& no = stmt.successors[1];
    if (yes.block != no.block || yes.count != 0 || no.count != 0) return;
    lint.Find(stmt, "both ways lead to ^%.*s", PTO_NAME(yes.label));
  });
}

void InvariantView(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int site, const Stmt& stmt) {
    const int loop = facts.at(site).loop;
    if (loop == kNowhere || stmt.results.empty()) return;
    if (stmt.kind != StmtKind::kMakeTensorView && stmt.kind != StmtKind::kPartitionView) return;
    if (!Invariant(facts, stmt, loop)) return;
    lint.Find(*stmt.results[0], "view %%%.*s is the same in each iteration of the loop",
              PTO_NAME(stmt.results[0]->name));
  });
}

void InvariantArith(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int site, const Stmt& stmt) {
    const int loop = facts.at(site).loop;
    if (loop == kNowhere || stmt.kind != StmtKind::kArith || stmt.results.empty()) return;
    if (!Invariant(facts, stmt, loop)) return;
    lint.Find(*stmt.results[0], "%%%.*s is the same in each iteration of the loop", PTO_NAME(stmt.results[0]->name));
  });
}

void RepeatedBarrier(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int site, const Stmt& stmt) {
    if (site == 0 || !stmt.Is("barrier")) return;
    const StmtSite& before = facts.at(site - 1);
    if (before.block != facts.at(site).block || !SameStatement(*before.stmt, stmt)) return;
    lint.Find(stmt, "the statement before is the same barrier");
  });
}

void FlagPair(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    // By pipes and event: how often it is set, how often awaited, and the first of them.
    struct Flag {
      const Stmt* set = nullptr;
      const Stmt* wait = nullptr;
    };
    std::map<std::string, Flag> flags;
    for (const StmtSite& site : facts.sites()) {
      const Stmt& stmt = *site.stmt;
      if (!stmt.Is("set_flag") && !stmt.Is("wait_flag")) continue;
      std::string key;
      for (const Operand& operand : stmt.operands) {
        key += operand.kind == OperandKind::kLiteral ? operand.literal->text : "?";
        key += ' ';
      }
      Flag& flag = flags[key];
      const Stmt*& place = stmt.Is("set_flag") ? flag.set : flag.wait;
      if (place == nullptr) place = &stmt;
    }
    for (const auto& [key, flag] : flags) {
      if (flag.set != nullptr && flag.wait != nullptr) continue;
      if (flag.set != nullptr) lint.Find(*flag.set, "nothing waits for this flag: %s", key.c_str());
      if (flag.wait != nullptr) lint.Find(*flag.wait, "nothing sets this flag: %s", key.c_str());
    }
  }
}

void CopyNotAwaited(Lint& lint) {
  lint.EachStatement([&](const FuncFacts& facts, int, const Stmt& stmt) {
    if (stmt.kind != StmtKind::kAsync || stmt["dst"] == nullptr) return;
    const bool awaited = !stmt.results.empty() && !facts.AccessesOf(*stmt.results[0]).empty();
    if (!awaited) lint.Find(stmt, "the program does not wait for the copy");
  });
}

}  // namespace pto::ptoas
