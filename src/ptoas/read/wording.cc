// Remedies for programs; messages without names of C.
#include "src/ptoas/read/wording.h"

#include <cstring>

namespace pto::ptoas {
namespace {

void Erase(std::string* text, const char* word) {
  for (size_t at = text->find(word); at != text->npos; at = text->find(word, at)) text->erase(at, std::strlen(word));
}

}  // namespace

const char* RemedyInText(std::string_view rule_id) {
  const RuleInfo* rule = FindRule(rule_id);
  return rule == nullptr ? "" : rule->in_programs;
}

std::string MessageInText(std::string_view statement, std::string_view message) {
  // The name of a C function is not the name of a statement.
  const size_t colon = message.find(": ");
  std::string text(message);
  if (message.substr(0, 4) == "pto_" && colon != message.npos) {
    text = std::string(statement) + std::string(message.substr(colon));
  }
  Erase(&text, "PTO_");
  // Addresses of the machine that runs a program do not appear in its text.
  for (size_t at = text.find(" at 0x"); at != text.npos; at = text.find(" at 0x", at)) {
    size_t end = at + 6;
    while (end < text.size() && std::strchr("0123456789abcdef", text[end]) != nullptr) ++end;
    text.erase(at, end - at);
  }
  return text;
}

}  // namespace pto::ptoas
