// The findings of the synchronisation checker, as messages.
#ifndef PTO_SRC_PTOAS_SYNC_REPORT_H_
#define PTO_SRC_PTOAS_SYNC_REPORT_H_

#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"
#include "src/ptoas/run/sync.h"

namespace pto::ptoas::sync {

// For a complete run; statements belong to the program.
void Report(const Checker& checker, const Func& entry, Diagnostics* diagnostics);

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_REPORT_H_
