// The text of a context's latest failed call. Formatting happens only when a
// call fails, into memory the context already has.
#ifndef PTO_SRC_OBJECTS_ERROR_H_
#define PTO_SRC_OBJECTS_ERROR_H_

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "src/records/rule.h"

namespace pto {

struct Error {
  Status status = Status::kOk;
  const char* rule = "";
  const char* remedy = "";
  char operand[64] = "";
  char message[320] = "";

  // Keeps what went wrong and returns the rule's class. `what` is the call,
  // `at` the operand or parameter at fault.
  [[gnu::format(printf, 5, 6)]] Status Set(Rule broken, const char* what, const char* at, const char* format, ...) {
    const RuleInfo& info = Info(broken);
    status = info.status;
    rule = info.id;
    remedy = info.remedy;
    std::snprintf(operand, sizeof operand, "%s", at);
    const int n = std::snprintf(message, sizeof message, "%s: ", what);
    va_list args;
    va_start(args, format);
    std::vsnprintf(message + n, sizeof message - static_cast<size_t>(n), format, args);
    va_end(args);
    // Text of the caller's may be quoted in it, and cut off: the message stays one line of plain text.
    for (char* c = message; *c != '\0'; ++c) {
      if (*c < ' ' || *c > '~') *c = '?';
    }
    return status;
  }

  // Copies a message from another place. `rule_id` and `fix` must be static strings.
  Status SetText(Status kind, const char* rule_id, const char* fix, const char* text, const char* at = "") {
    status = kind;
    rule = rule_id;
    remedy = fix;
    std::snprintf(operand, sizeof operand, "%s", at);
    std::snprintf(message, sizeof message, "%s", text);
    // A message that is too long ends with a whole character.
    size_t end = std::strlen(message);
    if ((text[end] & 0xC0) == 0x80) {
      while (end > 0 && (message[end - 1] & 0xC0) == 0x80) --end;
      message[end - (end > 0 ? 1 : 0)] = '\0';
    }
    return status;
  }
};

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_ERROR_H_
