// When two programs are the same.
#ifndef PTO_TESTS_PTOAS_SAME_PROGRAM_H_
#define PTO_TESTS_PTOAS_SAME_PROGRAM_H_

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// Equal but for places, spellings of types and instructions, and comments.
bool SameProgram(const Program& a, const Program& b);

}  // namespace pto::ptoas

#endif  // PTO_TESTS_PTOAS_SAME_PROGRAM_H_
