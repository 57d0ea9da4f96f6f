// Numbers for all that is answered to many calls or programs, a line for each group of them, kept in a file: no answer
// changes without somebody seeing it. They say only that something changed; which answers are right is for the other
// tests to say.
//
//     TEST PLACE               compares with the file that belongs to PLACE
//     TEST PLACE --write       writes it
//     TEST PLACE --every N     compares every Nth group, where all would take too long
//     TEST PLACE --print NAME  prints all answers of one group, to be compared with those of another build
#ifndef PTO_TESTS_COMMON_GOLDEN_H_
#define PTO_TESTS_COMMON_GOLDEN_H_

#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace pto_test {

// FNV-1a, of 64 bits, of what is said; or the text itself.
class Answers {
 public:
  explicit Answers(std::ostream* print) : print_(print) {}
  void Add(std::string_view text) {
    for (const char c : text) sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    sum_ = (sum_ ^ 0xFF) * 0x100000001B3U;
    if (print_ != nullptr) *print_ << text << "\n";
  }
  uint64_t sum() const { return sum_; }

 private:
  std::ostream* print_;
  uint64_t sum_ = 0xCBF29CE484222325U;
};

// The line of a group, without its end; its answers go to `print`.
using LineOf = std::function<std::string(const std::string& group, std::ostream* print)>;

inline int CompareGolden(const std::string& path, const std::vector<std::string>& groups, size_t every,
                         const LineOf& line_of) {
  std::ifstream golden(path, std::ios::binary);
  std::string want;
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string& group = groups[i];
    const bool there = static_cast<bool>(std::getline(golden, want));
    if (there && i % every != 0) continue;
    const std::string got = line_of(group, nullptr);
    if (there && want == got) continue;
    std::cerr << path << " has\n"
              << want << "\nand now it is\n"
              << got << "\nTo see what is answered otherwise, compare what this test says with --print '" << group
              << "' before and after. If that is meant, run it with --write.\n";
    return 1;
  }
  if (!std::getline(golden, want)) return 0;
  std::cerr << path << " has a line more: " << want << "\n";
  return 1;
}

// What main() answers.
inline int Golden(int argc, char** argv, const std::string& path, const std::vector<std::string>& groups,
                  const LineOf& line_of) {
  if (argc == 4 && std::strcmp(argv[2], "--print") == 0) {
    std::cout << line_of(argv[3], &std::cout) << "\n";
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[2], "--write") == 0) {
    std::ofstream out(path, std::ios::binary);
    for (const std::string& group : groups) out << line_of(group, nullptr) << "\n";
    return out.good() ? 0 : 1;
  }
  const bool some = argc == 4 && std::strcmp(argv[2], "--every") == 0;
  const size_t every = some ? std::stoul(argv[3]) : 1;
  return argc == 2 || some ? CompareGolden(path, groups, every, line_of) : 2;
}

}  // namespace pto_test

#endif  // PTO_TESTS_COMMON_GOLDEN_H_
