// When two programs are the same, and whether a program's prints are that program.
#ifndef PTO_TESTS_PTOAS_SAME_PROGRAM_H_
#define PTO_TESTS_PTOAS_SAME_PROGRAM_H_

#include <string>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// Equal except for places, spellings of types and instructions, and comments.
bool SameProgram(const Program& a, const Program& b);

// Printed in each spelling and as written, and read again: what is wrong with the first of these that is not accepted,
// gives another program or prints otherwise; or nothing.
std::string FaultOfPrints(const Program& program);

}  // namespace pto::ptoas

#endif  // PTO_TESTS_PTOAS_SAME_PROGRAM_H_
