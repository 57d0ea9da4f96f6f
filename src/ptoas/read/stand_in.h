// Operands of instructions that are tiles in the ISA, and may be something else in a program.
#ifndef PTO_SRC_PTOAS_STAND_IN_H_
#define PTO_SRC_PTOAS_STAND_IN_H_

#include "src/ptoas/read/ast.h"
#include "src/records/op_info.h"

namespace pto::ptoas {

// A tile that the statement makes for an operand that the program does not write as a tile.
enum class StandIn : uint8_t {
  kNone,
  kCounts,  // receives what a merge counts; then the operand, a vector, does
  kNumber,  // holds a number for each row
};

// Replacements of tiles: the counts of a merge may be a vector, the numbers to compare with one number.
StandIn StandInOf(const OpInfo& op, int index, const Operand& operand);

// The operand whose column 0 alone is used (src1Col); -1: none.
int FirstColumnOperand(const Stmt& stmt);

// Whether a number of the text, or a value, is a float.
bool IsFloatNumber(const Operand& operand);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_STAND_IN_H_
