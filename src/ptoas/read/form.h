// How a statement is written, compiled from the text in its row (statements.h) while the library is compiled.
#ifndef PTO_SRC_PTOAS_FORM_H_
#define PTO_SRC_PTOAS_FORM_H_

#include <cstdint>
#include <string_view>

#include "src/ptoas/read/statements.h"

namespace pto::ptoas {

enum class Step : uint8_t {
  kEnd,
  kPunct,       // the character
  kWord,        // where it begins in the row's text
  kArrow,       // ->
  kComma,       // ,?
  kQuietComma,  // ,-
  kValue,       // %name: the number of the name among the row's
  kOperand,     // $name
  kList,        // $name*
  kCounted,     // <: the number of operands between the brackets
  kCountedEnd,  // >
  kDict,        // {}
  kDropDict,    // {-}
  kType,        // @name
  kResultType,  // @
  kTypes,
  kRegion,
  kMaybe,     // (?: how many elements follow up to its end
  kMaybeEnd,  // ?)
};

struct Element {
  Step step = Step::kEnd;
  uint8_t arg = 0;
};

// The first of a statement's elements; kEnd ends them. nullptr: its grammar is its own.
const Element* FormOf(const StmtInfo& info);

inline std::string_view WordOf(const StmtInfo& info, const Element& element) {
  const std::string_view text = info.form.substr(element.arg);
  return text.substr(0, text.find(' '));
}

// Text around an operand or a type belongs to it.
inline bool IsType(const Element& element) { return element.step == Step::kType || element.step == Step::kResultType; }
inline bool IsOperand(const Element& element) { return element.step >= Step::kValue && element.step <= Step::kList; }

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_FORM_H_
