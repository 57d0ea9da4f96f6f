// From tree to text, in any of the three spellings.
#ifndef PTO_SRC_PTOAS_PRINTER_H_
#define PTO_SRC_PTOAS_PRINTER_H_

#include <string>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// Prints a program that was parsed without errors, such that parsing the text
// again gives the same program and printing that gives the same text. `form`
// chooses the spelling of the instructions; one that a spelling cannot express
// (see docs/ptoas.md) is printed in the nearest that can. Comments are kept.
std::string Print(const Program& program, Spelling form);
// Each instruction in the spelling it was written in.
std::string Print(const Program& program);

std::string ToString(const Type* type, Spelling form = Spelling::kDps);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PRINTER_H_
