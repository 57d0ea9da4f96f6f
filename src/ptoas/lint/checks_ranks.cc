// Programs on several ranks: sums that depend on who is first, and waits that no notification of the program satisfies.
#include "src/ptoas/lint/checks.h"
#include "src/ptoas/run/lost_waits.h"
#include "src/records/attributes.h"

namespace pto::ptoas {

void AtomicOrder(Lint& lint) {
  lint.EachStatement([&](const FuncFacts&, int, const Stmt& stmt) {
    if (!stmt.Is("comm.tput") || GivenValue(stmt, "atomicType") != "ADD") return;
    const Type* type = TypeOf(*stmt["dst"]);
    if (type == nullptr || !IsFloat(type->elem)) return;
    lint.Find(stmt, "%s sums of several ranks depend on the order in which they arrive", Info(type->elem).name);
  });
}

void SignalNever(Lint& lint) {
  Diagnostics places(lint.program().source);
  for (const LostWait& lost : LostWaits(lint.funcs(), {}, 1, &places)) lint.Find(*lost.wait, "%s", lost.text.c_str());
}

}  // namespace pto::ptoas
