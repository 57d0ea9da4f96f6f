// Advice on programs that keep every rule: what is wasted, what is probably meant otherwise, what runs on one
// profile only. docs/lint.md lists the checks.
#ifndef PTO_SRC_PTOAS_LINT_LINT_H_
#define PTO_SRC_PTOAS_LINT_LINT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {

class Lint;

// A check, as a rule has it: the id is stable.
struct LintCheck {
  const char* id;
  const char* title;   // the finding in general words
  const char* why;     // the cost, or the error that it leads to
  const char* remedy;  // one sentence
  void (*run)(Lint&);  // nullptr: found while comments are read
};
std::span<const LintCheck> LintChecks();

// The checks that a list names: ids with commas between; ids with `-` before them are left out of all, or of those
// named. False: there is no check of that name, and it is `wrong`.
bool ChooseChecks(std::string_view list, std::vector<bool>* chosen, std::string* wrong);

// Adds what the chosen checks find and the program's comments do not allow, as warnings in the order of places.
// Precondition: the program keeps the rules under the context's profile. The context's last error is overwritten.
void FindAdvice(const Program& program, pto_context* ctx, const std::vector<bool>& chosen, Diagnostics* diagnostics);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_LINT_LINT_H_
