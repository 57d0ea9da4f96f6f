// Inserts the flags and barriers that a run of a program lacks.
#ifndef PTO_SRC_PTOAS_SYNC_FIX_H_
#define PTO_SRC_PTOAS_SYNC_FIX_H_

#include <string>
#include <string_view>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"
#include "src/ptoas/run/machine.h"

namespace pto::ptoas {

// The result for a program.
struct SyncFix {
  std::string text;            // in canonical form, with what was inserted
  Program program;             // of that text
  Diagnostics found;           // of its run: what no flag or barrier of one core can order, or why the run ended early
  pto_status status = PTO_OK;  // of the run
  std::string argument_at_fault;
};

// Runs `entry` with the bindings, again and again, and inserts one order at a time until the checker finds nothing that
// the pipes of one core lack. Then removes every order without which it still finds nothing. `program` has no errors.
SyncFix FixSync(pto_context* ctx, const Program& program, const Func& entry, const Bindings& bindings,
                const RunOptions& options);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_SYNC_FIX_H_
