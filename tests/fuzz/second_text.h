// The text of a program as the second executor reads it: lines as the printer writes them, in blocks and regions.
#ifndef PTO_TESTS_FUZZ_SECOND_TEXT_H_
#define PTO_TESTS_FUZZ_SECOND_TEXT_H_

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/second_numbers.h"

namespace second {

struct Region;

struct Line {
  std::vector<std::string> results;
  std::string op;                 // arith.addi
  std::string rest;               // after it
  std::vector<std::string> uses;  // all names in it
  std::vector<Region> regions;
};

struct Block {
  std::string label;
  std::vector<std::string> args;
  std::vector<Line> lines;
};

struct Region {
  std::vector<Block> blocks;
};

struct Function {
  std::vector<std::string> args;
  Region body;
};

// The names after a %, outside of strings.
inline std::vector<std::string> NamesIn(const std::string& text) {
  std::vector<std::string> names;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted || text[i] != '%') continue;
    size_t end = i + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    names.push_back(text.substr(i + 1, end - i - 1));
  }
  return names;
}

// The part between two pieces of the text; up to the end if the second is missing.
inline std::string Between(const std::string& text, const std::string& from, const std::string& to) {
  const size_t begin = text.find(from);
  if (begin == std::string::npos) return "";
  const size_t start = begin + from.size();
  const size_t end = to.empty() ? std::string::npos : text.find(to, start);
  return text.substr(start, end == std::string::npos ? end : end - start);
}

// The part after the last ` : `.
inline std::string TypeOf(const std::string& text) {
  const size_t at = text.rfind(" : ");
  return at == std::string::npos ? "" : text.substr(at + 3);
}

// The part after the last ` -> `.
inline std::string TypeMade(const Line& line) {
  if (line.rest.starts_with("-> ")) return line.rest.substr(3);
  const size_t at = line.rest.rfind(" -> ");
  return at == std::string::npos ? "" : line.rest.substr(at + 4);
}

// A number among the attributes of a statement.
inline int64_t Attribute(const Line& line, const std::string& name, int64_t otherwise) {
  const std::string text = Between(line.rest, name + " = ", "");
  return text.empty() ? otherwise : std::atoll(text.c_str());
}

class Reader {
 public:
  explicit Reader(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string line = text.substr(at, end - at);
      at = end + 1;
      line.erase(0, line.find_first_not_of(' '));
      if (!line.empty() && !line.starts_with("//")) lines_.push_back(line);
    }
  }

  std::map<std::string, Function> Functions() {
    std::map<std::string, Function> functions;
    while (at_ < lines_.size()) {
      const std::string head = lines_[at_++];
      if (!head.starts_with("func.func ")) throw Strange{head};
      Function& function = functions[Between(head, "@", "(")];
      function.args = NamesIn(head);
      function.body = Inside();
      ++at_;  // }
    }
    return functions;
  }

 private:
  // To the line that ends the region, which is left.
  Region Inside() {
    Region region;
    region.blocks.emplace_back();
    for (; at_ < lines_.size() && lines_[at_][0] != '}'; ++at_) {
      const std::string& line = lines_[at_];
      if (line[0] == '^') {
        // The first block may have its label.
        if (!region.blocks.back().lines.empty() || !region.blocks.back().label.empty()) region.blocks.emplace_back();
        region.blocks.back().label = line.substr(1, line.find_first_of("(:") - 1);
        region.blocks.back().args = NamesIn(line);
      } else {
        Line statement = Statement(line);
        region.blocks.back().lines.push_back(std::move(statement));
      }
    }
    return region;
  }

  Line Statement(const std::string& text) {
    Line line;
    std::string rest = text;
    if (text[0] == '%') {
      const size_t equals = text.find(" = ");
      line.results = NamesIn(text.substr(0, equals));
      rest = text.substr(equals + 3);
    }
    const size_t end = std::min(rest.find_first_of(" ("), rest.size());
    line.op = rest.substr(0, end);
    line.rest = rest.substr(std::min(rest[end] == ' ' ? end + 1 : end, rest.size()));
    line.uses = NamesIn(line.rest);
    while (line.rest.ends_with("{") && (line.regions.empty() || lines_[at_] != "}")) {
      ++at_;
      line.regions.push_back(Inside());
    }
    return line;
  }

  std::vector<std::string> lines_;
  size_t at_ = 0;
};

}  // namespace second

#endif  // PTO_TESTS_FUZZ_SECOND_TEXT_H_
