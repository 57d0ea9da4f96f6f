// The rule of the error that a call ends with; "": none. For programs that have included the library's headers.
#ifndef PTO_TESTS_CPP_RULE_OF_H_
#define PTO_TESTS_CPP_RULE_OF_H_

#include <string>

template <typename Call>
std::string RuleOf(Call&& call) {
  try {
    call();
  } catch (const pto::Error& error) {
    return error.rule();
  }
  return "";
}

#endif  // PTO_TESTS_CPP_RULE_OF_H_
