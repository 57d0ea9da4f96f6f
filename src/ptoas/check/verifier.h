// The structural rules of a program: those that need no profile. The rules of
// the instructions are the C API's; a hook lets the caller add them.
#ifndef PTO_SRC_PTOAS_VERIFIER_H_
#define PTO_SRC_PTOAS_VERIFIER_H_

#include <unordered_set>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {

using FuncSet = std::unordered_set<const Func*>;

struct VerifyHooks {
  void* user = nullptr;
  const FuncSet* wanted = nullptr;  // nullptr: all functions
  // Called for each function with a body, before its statements.
  void (*function)(void* user, const Func& func, Diagnostics* diagnostics) = nullptr;
  // Called for each statement, after the statements in its regions and once its own structure is right: operands are
  // defined, counted, and their types agree, whatever is wrong elsewhere. Adds what it finds with Diagnostics::Add().
  void (*instruction)(void* user, const Func& func, const Stmt& stmt, Diagnostics* diagnostics) = nullptr;
};

// Rule entry-result, also of a function that is run without being marked as an entry.
void VerifyEntry(const Func& func, Diagnostics* diagnostics);

// The function and those that it calls, through others too.
FuncSet Reachable(const Func& func);

// Checks a program and adds what is wrong. Returns true when it added no error.
bool Verify(const Program& program, Diagnostics* diagnostics, const VerifyHooks& hooks = {});

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VERIFIER_H_
