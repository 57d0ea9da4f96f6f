// Messages about calls and handles, reworded for statements and types: the messages
// of diagnostics that come from the rules of instructions.
#ifndef PTO_SRC_PTOAS_WORDING_H_
#define PTO_SRC_PTOAS_WORDING_H_

#include <string>
#include <string_view>

#include "src/records/rule.h"

namespace pto::ptoas {

// The remedy of a rule for the writer of a program.
const char* RemedyInText(std::string_view rule_id);
inline const char* RemedyInText(Rule rule) { return Info(rule).in_programs; }

// A message of the C API, "call: what is wrong", at the statement of this name.
std::string MessageInText(std::string_view statement, std::string_view message);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_WORDING_H_
