// Programs on several ranks: sums that depend on who is first, and waits that no notification of the program satisfies.
#include <algorithm>
#include <numeric>
#include <vector>

#include "src/ptoas/lint/checks.h"
#include "src/records/attributes.h"

namespace pto::ptoas {

namespace {

// The values that the notifications of a program can give a signal that begins with 0.
struct Signals {
  std::vector<int64_t> set{0};
  std::vector<int64_t> added;
  bool known = true;  // the text shows every number, and nothing else stores integers

  bool Reach(std::string_view cmp, int64_t value) const {
    if (!known) return true;
    const auto holds = [&](int64_t is) {
      return cmp == "eq"   ? is == value
             : cmp == "ne" ? is != value
             : cmp == "gt" ? is > value
             : cmp == "ge" ? is >= value
             : cmp == "lt" ? is < value
                           : is <= value;
    };
    if (std::any_of(set.begin(), set.end(), holds)) return true;
    if (added.empty()) return false;
    const bool up = std::any_of(added.begin(), added.end(), [](int64_t n) { return n > 0; });
    const bool down = std::any_of(added.begin(), added.end(), [](int64_t n) { return n < 0; });
    if (cmp == "gt" || cmp == "ge") return up;
    if (cmp == "lt" || cmp == "le") return down;
    int64_t step = 0;
    for (const int64_t n : added) step = std::gcd(step, n);
    if (cmp == "ne") return step != 0;
    return step != 0 && std::any_of(set.begin(), set.end(), [&](int64_t from) {
             const int64_t way = value - from;
             return way % step == 0 && (way > 0 ? up : down);
           });
  }
};

bool StoresIntegers(const Stmt& stmt) {
  if (stmt.Is("comm.tnotify") || stmt.Is("comm.twait") || stmt.Is("comm.ttest")) return false;
  if (stmt.kind == StmtKind::kCall || stmt.Is("store_scalar")) return true;
  if (stmt.kind != StmtKind::kInst && stmt.kind != StmtKind::kComm && stmt.kind != StmtKind::kAsync) return false;
  const auto integers = [](const Operand& operand) {
    const Type* type = TypeOf(operand);
    return type != nullptr && type->kind != TypeKind::kTile && type->elem == Elem::kI32;
  };
  return std::any_of(stmt.outs.begin(), stmt.outs.end(), integers) ||
         (stmt.kind != StmtKind::kInst && std::any_of(stmt.operands.begin(), stmt.operands.end(), integers));
}

}  // namespace

void AtomicOrder(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (!stmt.Is("comm.tput") || GivenValue(stmt, "atomicType") != "ADD") return;
    const Type* type = TypeOf(*stmt["dst"]);
    if (type == nullptr || !IsFloat(type->elem)) return;
    lint.Find(stmt, "%s sums of several ranks depend on the order in which they arrive", Info(type->elem).name);
  });
}

void SignalNever(Lint& lint) {
  Signals signals;
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (StoresIntegers(stmt)) signals.known = false;
    if (!stmt.Is("comm.tnotify")) return;
    double value = 0;
    if (!NumberOf(*stmt["value"], &value)) {
      signals.known = false;
    } else if (GivenValue(stmt, "notifyOp") == "set") {
      signals.set.push_back(static_cast<int64_t>(value));
    } else {
      signals.added.push_back(static_cast<int64_t>(value));
    }
  });
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    double value = 0;
    if (!stmt.Is("comm.twait") || !NumberOf(*stmt["value"], &value)) return;
    std::string_view cmp = GivenValue(stmt, "cmp");
    if (cmp.empty()) cmp = "eq";
    if (signals.Reach(cmp, static_cast<int64_t>(value))) return;
    lint.Find(stmt, "no notification of the program makes the signal %.*s %lld", PTO_NAME(cmp),
              static_cast<long long>(value));
  });
}

}  // namespace pto::ptoas
