// Text helpers of the generator: names, lists and wrapped comments.
#ifndef PTO_SRC_GEN_GEN_TEXT_H_
#define PTO_SRC_GEN_GEN_TEXT_H_

#include <cctype>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "src/records/op_info.h"

namespace pto {

inline std::string Either(bool first, const std::string& one, const std::string& other) { return first ? one : other; }
inline std::string If(bool holds, const std::string& text) { return Either(holds, text, ""); }

inline std::string Join(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text += If(i != 0, separator) + parts[i];
  return text;
}

inline std::string Repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

inline std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

inline std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Words on lines of at most 100 columns. The first line begins with `prefix`, later lines with `next`.
inline void Wrap(std::ostream& out, const std::string& prefix, const std::string& text, std::string next = "") {
  constexpr size_t kColumns = 100;
  if (next.empty()) next = prefix;
  std::istringstream words(text);
  std::string line = prefix;
  bool empty = true;
  for (std::string word; words >> word;) {
    if (!empty && line.size() + 1 + word.size() > kColumns) {
      out << line << "\n";
      line = next;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  out << line << "\n";
}

inline std::vector<std::string> NameList(DTypeSet set) {
  std::vector<std::string> names;
  for (int d = 0; d < kDTypeCount; ++d) {
    if ((set >> d & 1U) != 0) names.emplace_back(kDTypes[d].name);
  }
  return names;
}

inline std::string Names(DTypeSet set) { return Join(NameList(set), " "); }

inline std::string ProfileNames(ProfileSet set, const std::string& separator = " ") {
  std::vector<std::string> names;
  for (int p = 0; p < kProfileCount; ++p) {
    if ((set >> p & 1U) != 0) names.emplace_back(kProfiles[p].name);
  }
  return Join(names, separator);
}

inline const char* RoleName(Role role) {
  static constexpr const char* kNames[] = {"out",       "in",    "tmp",    "flags", "tensor out",
                                           "tensor in", "inout", "scalar", "int",   "mode"};
  return kNames[static_cast<int>(role)];
}

inline std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

inline std::string QuotedNames(DTypeSet set) {
  std::vector<std::string> names = NameList(set);
  for (std::string& name : names) name = Quote(name);
  return Join(names, ", ");
}

}  // namespace pto

#endif  // PTO_SRC_GEN_GEN_TEXT_H_
