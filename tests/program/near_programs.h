// Programs that are nearly another one: for tests that want many of them.
#ifndef PTO_TESTS_PROGRAM_NEAR_PROGRAMS_H_
#define PTO_TESTS_PROGRAM_NEAR_PROGRAMS_H_

#include <algorithm>
#include <cctype>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace near_programs {

// Words and numbers with what belongs to them, single characters else. Spaces and comments are not tokens.
inline std::vector<std::string_view> Tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    size_t end = at + 1;
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      if (word(text[at]) || std::strchr("%@^!#", text[at]) != nullptr) {
        while (end < text.size() && word(text[end])) ++end;
      }
      tokens.push_back(text.substr(at, end - at));
    }
    at = end;
  }
  return tokens;
}

inline constexpr size_t kWays = 5;

inline std::string Changed(std::string_view text, const std::vector<std::string_view>& tokens, size_t at, size_t way) {
  const std::string_view token = tokens[at];
  const auto begin = static_cast<size_t>(token.data() - text.data());
  const std::string before(text.substr(0, begin));
  const std::string_view after = text.substr(begin + token.size());
  std::string now;
  switch (way) {
    case 0:
      break;
    case 1:
      now.append(token).append(" ").append(token);
      break;
    case 2: {
      if (at + 1 == tokens.size()) break;
      const std::string_view next = tokens[at + 1];
      const auto gap = static_cast<size_t>(next.data() - token.data()) - token.size();
      return before + std::string(next) + std::string(after.substr(0, gap)) + std::string(token) +
             std::string(after.substr(gap + next.size()));
    }
    case 3:  // another number, name or sign
      now = token;
      if (std::isdigit(static_cast<unsigned char>(now.back())) != 0) {
        now.back() = now.back() == '9' ? '0' : static_cast<char>(now.back() + 1);
      } else {
        now += std::isalpha(static_cast<unsigned char>(now.back())) != 0 ? "x" : ",";
      }
      break;
    default:  // a token from elsewhere in the program
      now = tokens[(at * 31 + 7) % tokens.size()];
  }
  return before + now + std::string(after);
}

// The extents and the element type of a tile are apart here: 16x8xf32 is three.
inline std::vector<std::string_view> Pieces(const std::vector<std::string_view>& tokens) {
  std::vector<std::string_view> pieces;
  for (std::string_view token : tokens) {
    size_t x = 0;
    while (std::isdigit(static_cast<unsigned char>(token[0])) != 0 && (x = token.find('x')) + 1 < token.size() &&
           x != token.npos) {
      pieces.push_back(token.substr(0, x));
      token.remove_prefix(x + 1);
    }
    pieces.push_back(token);
  }
  return pieces;
}

// Replaces every token `from` by `to`.
inline std::string Replaced(std::string_view text, const std::vector<std::string_view>& tokens, std::string_view from,
                            std::string_view to) {
  std::string now;
  size_t at = 0;
  for (const std::string_view token : tokens) {
    if (token != from) continue;
    const auto begin = static_cast<size_t>(token.data() - text.data());
    now.append(text.substr(at, begin - at)).append(to);
    at = begin + token.size();
  }
  return now.append(text.substr(at));
}

inline std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

// Changes of one token.
template <class Visit>
void OfTokens(std::string_view text, const std::vector<std::string_view>& tokens, Visit visit) {
  for (size_t at = 0; at < tokens.size(); ++at) {
    for (const size_t way : {at % kWays, (at + 2) % kWays}) visit(Changed(text, tokens, at, way));
  }
}

// Changes of one line: without it, with it twice, after the next, and in the place of the one before the last. Most
// statements that are correct in one order are accepted in another order, too.
template <class Visit>
void OfLines(std::string_view text, Visit visit) {
  const std::vector<std::string_view> lines = Lines(text);
  for (size_t at = 0; at < lines.size(); ++at) {
    const auto begin = static_cast<size_t>(lines[at].data() - text.data());
    const std::string before(text.substr(0, begin));
    const std::string_view line = lines[at];
    const std::string_view after = text.substr(begin + line.size());
    visit(before + std::string(after));
    visit(before + std::string(line) + std::string(line) + std::string(after));
    if (at + 1 == lines.size()) continue;
    const std::string_view next = lines[at + 1];
    visit(before + std::string(next) + std::string(line) + std::string(after.substr(next.size())));
    const size_t far = std::min(at + 4, lines.size() - 1);
    const auto place = static_cast<size_t>(lines[far].data() - after.data());
    visit(before + std::string(after.substr(0, place)) + std::string(line) + std::string(after.substr(place)));
  }
}

// Changes of one name or number: another one of the program.
template <class Visit>
void OfWords(std::string_view text, const std::vector<std::string_view>& tokens, Visit visit) {
  for (const char kind : {'%', '0'}) {
    const auto is = [kind](std::string_view token) {
      return kind == '%' ? token[0] == '%' : std::isdigit(static_cast<unsigned char>(token[0])) != 0;
    };
    std::vector<std::string_view> words;
    for (const std::string_view token : tokens) {
      if (is(token) && std::find(words.begin(), words.end(), token) == words.end()) words.push_back(token);
    }
    if (kind == '0') words.insert(words.end(), {"0", "1", "256"});
    for (size_t at = 0; at < tokens.size(); ++at) {
      if (!is(tokens[at])) continue;
      const auto begin = static_cast<size_t>(tokens[at].data() - text.data());
      for (const size_t which : {at, at * 7 + 3}) {
        const std::string_view word = words[which % words.size()];
        if (word == tokens[at]) continue;
        visit(std::string(text.substr(0, begin)) + std::string(word) +
              std::string(text.substr(begin + tokens[at].size())));
      }
    }
  }
}

// Changes of one element type, number or word in the whole program, which is mostly still accepted.
template <class Visit>
void OfAll(std::string_view text, const std::vector<std::string_view>& tokens, Visit visit) {
  constexpr std::string_view kTypes[] = {"f32", "f16", "bf16", "i32", "i16", "i8", "ui8", "si16", "i64"};
  constexpr std::string_view kWords[][2] = {{"row_major", "col_major"},
                                            {"none_box", "row_major"},
                                            {"vec", "mat"},
                                            {"left", "right"},
                                            {"eq", "ne"},
                                            {"slt", "sge"},
                                            {"a5", "a2a3"},
                                            {"null", "zero"},
                                            {"addi", "muli"},
                                            {"PIPE_MTE2", "PIPE_MTE3"}};
  std::vector<std::string_view> known;
  for (const std::string_view token : tokens) {
    if (std::find(known.begin(), known.end(), token) != known.end()) continue;
    known.push_back(token);
    if (std::isdigit(static_cast<unsigned char>(token[0])) != 0) {
      for (const std::string_view to : {"1", "24", "512"}) visit(Replaced(text, tokens, token, to));
    } else if (std::find(std::begin(kTypes), std::end(kTypes), token) != std::end(kTypes)) {
      for (const std::string_view to : kTypes) visit(Replaced(text, tokens, token, to));
    }
    for (const auto& [one, other] : kWords) {
      if (token == one) visit(Replaced(text, tokens, one, other));
      if (token == other) visit(Replaced(text, tokens, other, one));
    }
  }
}

// Where a list separated by commas ends in a last item, the item: from the last comma outside of brackets on.
inline std::string_view LastItem(std::string_view list) {
  int open = 0;
  size_t from = 0;
  for (size_t at = 0; at < list.size(); ++at) {
    open += std::strchr("<([", list[at]) != nullptr;
    open -= std::strchr(">)]", list[at]) != nullptr;
    if (list[at] == ',' && open == 0) from = at;
  }
  return list.substr(from);
}

// Changes of one group of operands, `ins(%a, %b : T, T)`: the last operand and its type twice, or without them.
template <class Visit>
void OfGroups(std::string_view text, Visit visit) {
  for (const std::string_view word : {"ins(", "outs("}) {
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      if (at == 0 || text[at - 1] != ' ') continue;
      const size_t begin = at + word.size();
      const size_t colon = text.find(" : ", begin);
      size_t end = begin;
      for (int open = 1; end < text.size() && open != 0; ++end) open += (text[end] == '(') - (text[end] == ')');
      --end;
      if (colon == text.npos || colon >= end) continue;
      const std::string_view names = text.substr(begin, colon - begin);
      const std::string_view types = text.substr(colon + 3, end - colon - 3);
      for (const bool more : {true, false}) {
        const auto changed = [more](std::string_view list) {
          const std::string_view last = LastItem(list);
          if (!more) return std::string(list.substr(0, list.size() - last.size()));
          return std::string(list) + (last[0] == ',' ? "" : ", ") + std::string(last);
        };
        visit(std::string(text.substr(0, begin)) + changed(names) + " : " + changed(types) +
              std::string(text.substr(end)));
      }
    }
  }
}

// visit(program) of the program itself, and of all that are near it.
template <class Visit>
void Each(std::string_view text, Visit visit) {
  visit(std::string(text));
  const std::vector<std::string_view> tokens = Tokens(text);
  OfTokens(text, tokens, visit);
  OfLines(text, visit);
  OfGroups(text, visit);
  const std::vector<std::string_view> pieces = Pieces(tokens);
  OfWords(text, pieces, visit);
  OfAll(text, pieces, visit);
}

}  // namespace near_programs

#endif  // PTO_TESTS_PROGRAM_NEAR_PROGRAMS_H_
