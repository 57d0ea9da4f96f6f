// What is found in a recording, in the terms of its kernel. Include pto-record.hpp, which includes this file.
//
// A diagnostic is about a line of the recorded program, where each block and each round of a loop has lines of its own.
// A finding is about a place in the kernel: all its blocks and rounds are one finding, with their number.
#ifndef PTO_PTO_RECORD_FINDINGS_HPP_
#define PTO_PTO_RECORD_FINDINGS_HPP_

#include <set>

#include "pto/pto-record.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace pto_detail {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsName(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// How many characters from an index on fit a test.
inline size_t Run(std::string_view text, size_t from, bool (*fits)(char)) {
  size_t to = from;
  while (to < text.size() && fits(text[to])) ++to;
  return to - from;
}

// Removes ", in 3 times that it ran" or " (3 times)" from a message: how often it is true.
inline int TakeTimes(std::string* message) {
  for (const std::string_view words : {", in ", " ("}) {
    const size_t at = message->rfind(words);
    if (at == std::string::npos || message->find(" time", at) == std::string::npos) continue;
    const int times = std::atoi(&(*message)[at + words.size()]);
    message->erase(at);
    return times;
  }
  return 1;
}

}  // namespace pto_detail

// The place of a line of the program in the kernel's source: "kernel.cpp:58". "" if it is unknown.
inline std::string Recording::PlaceOf(int line) {
  const auto found = origins_.find(line);
  return found == origins_.end() ? "" : places_.Lines()[static_cast<size_t>(found->second.site)];
}

// The same for lines that the same place in the kernel made, whether it is known or not.
inline std::string Recording::SiteOf(int line) {
  const auto found = origins_.find(line);
  if (found == origins_.end()) return "line " + std::to_string(line);
  const std::string place = PlaceOf(line);
  return found->second.statement + " " + (place.empty() ? "site " + std::to_string(found->second.site) : place);
}

// A message about the program in terms of the kernel. With `key`, without what blocks and rounds differ in.
inline std::string Recording::Render(std::string_view message, bool key) {
  using pto_detail::IsDigit;
  using pto_detail::IsName;
  using pto_detail::Run;
  std::string text;
  while (!message.empty()) {
    const auto starts = [&](std::string_view word) { return message.substr(0, word.size()) == word; };
    size_t taken = 1;
    if (starts("pto.set_flag[") || starts("pto.wait_flag[") || starts("pto.barrier <")) {
      const bool barrier = starts("pto.b");
      const size_t open = message.find(barrier ? '<' : '[');
      taken = std::min(message.find(barrier ? '>' : ']', open), message.size() - 1) + 1;
      text += (barrier ? "pipe_barrier" : std::string(message.substr(4, open - 4))) + '(';
      for (const char c : message.substr(open + 1, taken - open - 2)) {
        if (c != '<' && c != '>') text += c;
      }
      text += ')';
    } else if (starts("line ") && Run(message, 5, IsDigit) != 0) {
      taken = 5 + Run(message, 5, IsDigit);
      const int line = std::atoi(std::string(message.substr(5, taken - 5)).c_str());
      const std::string place = PlaceOf(line);
      text += key ? SiteOf(line) : place.empty() ? std::string(message.substr(0, taken)) + " of Text()" : place;
    } else if (message[0] == '%') {
      taken += Run(message, 1, IsName);
      const std::string name(message.substr(0, taken));
      const auto known = described_.find(name);
      text += known == described_.end() ? name : known->second;
    } else if (key && IsDigit(message[0])) {
      taken = Run(message, 0, IsDigit);
      text += '#';
    } else if (IsName(message[0])) {
      taken = Run(message, 0, IsName);
      const std::string word(message.substr(0, taken));
      const bool intrinsic = mnemonics_.count(word) != 0;
      for (const char c : word) text += intrinsic && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    } else {
      text += message[0];
    }
    message.remove_prefix(taken);
  }
  return text;
}

inline std::vector<Finding> Recording::Findings() {
  // Diagnostics that differ in their rounds and blocks only.
  struct Alike {
    int32_t first;
    int times = 0;
    int lines = 0;
    std::set<int64_t> blocks;
    std::string message;
  };
  std::vector<Alike> all;
  std::map<std::string, size_t> known;
  for (int32_t i = 0; i < pto_program_diagnostic_count(program_); ++i) {
    const int line = pto_program_diagnostic_line(program_, i);
    std::string message = pto_program_diagnostic_message(program_, i);
    const int times = pto_detail::TakeTimes(&message);
    const std::string key = pto_program_diagnostic_rule(program_, i) + (' ' + SiteOf(line)) + Render(message, true);
    const auto [at, fresh] = known.try_emplace(key, all.size());
    if (fresh) all.push_back({i, 0, 0, {}, Render(message, false)});
    Alike& alike = all[at->second];
    alike.times += times;
    ++alike.lines;
    if (const auto origin = origins_.find(line); origin != origins_.end()) alike.blocks.insert(origin->second.block);
  }
  std::vector<Finding> findings;
  for (const Alike& alike : all) {
    Finding finding;
    finding.error = pto_program_diagnostic_error(program_, alike.first) != 0;
    finding.line = pto_program_diagnostic_line(program_, alike.first);
    finding.rule = pto_program_diagnostic_rule(program_, alike.first);
    finding.place = PlaceOf(finding.line);
    finding.times = alike.times;
    finding.blocks = std::max(1, static_cast<int>(alike.blocks.size()));
    if (finding.rule == "sync-useless") {
      // The user can only remove flags that the kernel sets and that no block or round needs.
      if (std::count(own_.begin(), own_.end(), finding.line) != 0) continue;
      const auto made = std::count_if(origins_.begin(), origins_.end(),
                                      [&](const auto& one) { return SiteOf(one.first) == SiteOf(finding.line); });
      if (alike.lines < made) continue;
    }
    finding.message = alike.message;
    if (alike.times > 1) {
      finding.message += " (" + std::to_string(alike.times) + " times";
      if (finding.blocks > 1) finding.message += " in " + std::to_string(finding.blocks) + " blocks";
      finding.message += ')';
    }
    const bool placed = !finding.place.empty();
    finding.text = placed ? finding.place : "line " + std::to_string(finding.line) + " of Text()";
    finding.text += (finding.error ? ": error: " : ": warning: ") + finding.message + " [" + finding.rule + "]\n";
    if (!placed) finding.text += pto_program_diagnostic_excerpt(program_, alike.first);
    finding.text += std::string("help: ") + pto_program_diagnostic_remedy(program_, alike.first) + "\n";
    if (!placed && origins_.count(finding.line) != 0) {
      finding.text += "note: To see lines of the kernel's source, compile it with -g.\n";
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_RECORD_FINDINGS_HPP_
