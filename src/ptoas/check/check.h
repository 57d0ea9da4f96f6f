// The rules of the instructions, applied to a program that does not run: what
// types and constants specify is checked by the same legality code as every call.
#ifndef PTO_SRC_PTOAS_CHECK_H_
#define PTO_SRC_PTOAS_CHECK_H_

#include "include/pto_c.h"
#include "src/ptoas/check/verifier.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {

// Verify() with them, over the functions `wanted`, nullptr for all: a statement that is wrong
// by itself hides no other. The context's profile applies; its last error is overwritten. What
// only a run can know is left to the run. Returns true when it added no error.
bool VerifyUnder(const Program& program, pto_context* ctx, const FuncSet* wanted, Diagnostics* diagnostics);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_CHECK_H_
