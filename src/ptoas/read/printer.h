// From tree to text, in any of the three spellings.
#ifndef PTO_SRC_PTOAS_PRINTER_H_
#define PTO_SRC_PTOAS_PRINTER_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// Prints a program that was parsed without errors, such that parsing the text
// again gives the same program and printing that gives the same text. `form`
// chooses the spelling of the instructions; one that a spelling cannot express
// (see docs/ptoas.md) is printed in the nearest that can. Comments are kept.
std::string Print(const Program& program, Spelling form);
// Each instruction in the spelling it was written in.
std::string Print(const Program& program);

// Lines before a statement of a block, by its number; the number of statements means the end.
using Extras = std::map<std::pair<const Block*, size_t>, std::vector<std::string>>;
std::string Print(const Program& program, const Extras& extras);

std::string ToString(const Type* type, Spelling form = Spelling::kDps);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PRINTER_H_
