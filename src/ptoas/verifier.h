// The structural rules of a program: those that need no profile. The rules of
// the instructions are the C API's; a hook lets the caller add them.
#ifndef PTO_SRC_PTOAS_VERIFIER_H_
#define PTO_SRC_PTOAS_VERIFIER_H_

#include "src/ptoas/ast.h"
#include "src/ptoas/diagnostic.h"

namespace pto::ptoas {

struct VerifyHooks {
  void* user = nullptr;
  // Called for each instruction that has a record, once its own structure is
  // right: operands are defined, counted, and their types agree. Adds what it
  // finds with Diagnostics::Add().
  void (*instruction)(void* user, const Func& func, const Stmt& stmt, Diagnostics* diagnostics) = nullptr;
};

// Checks a program and adds what is wrong. Answers true when it added no error.
bool Verify(const Program& program, Diagnostics* diagnostics, const VerifyHooks& hooks = {});

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VERIFIER_H_
