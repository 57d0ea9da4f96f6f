// The rules of the instructions, applied to a program that does not run: what
// types and constants say is put before the same legality code as every call.
#ifndef PTO_SRC_PTOAS_CHECK_H_
#define PTO_SRC_PTOAS_CHECK_H_

#include "include/pto_c.h"
#include "src/ptoas/ast.h"
#include "src/ptoas/diagnostic.h"

namespace pto::ptoas {

// Precondition: Verify() found no error. The context's profile applies; its last
// error is overwritten. What only a run can know is left to the run.
void CheckInstructions(const Program& program, pto_context* ctx, Diagnostics* diagnostics);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_CHECK_H_
