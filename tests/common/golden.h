// Goldens that are numbers. A program runs many cases (calls, programs) in groups, and a file keeps a line for each
// group. The test fails if a result changes. Which results are right is for other tests to decide.
//
//     TEST PLACE               compares with the file that belongs to PLACE; prints the first cases that changed
//     TEST PLACE --write       writes it
//     TEST PLACE --every N     compares every Nth group, where all would take too long
//     TEST PLACE --print NAME  prints all results of one group, to be compared with another build
//
// A line is the name of the group, its counts, a hash of 64 bits of all results, and marks: one character for each
// kBlock cases, from the hash of all results up to there. The first mark that differs shows where the results begin to
// differ.
#ifndef PTO_TESTS_COMMON_GOLDEN_H_
#define PTO_TESTS_COMMON_GOLDEN_H_

#include <algorithm>
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

inline constexpr size_t kBlock = 8;

// Cases of a group to print.
struct Window {
  std::ostream* out;
  size_t first;
  size_t end;
};

// FNV-1a, of 64 bits, of all results of the cases of a group.
class Answers {
 public:
  explicit Answers(const Window* print) : print_(print) {}
  // Begins a case.
  void Case() {
    if (cases_ != 0 && cases_ % kBlock == 0) marks_ += Mark();
    ++cases_;
  }
  void Add(std::string_view text) {
    for (const char c : text) sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    sum_ = (sum_ ^ 0xFF) * 0x100000001B3U;
    const bool shown = print_ != nullptr && cases_ > print_->first && cases_ <= print_->end;
    if (shown) *print_->out << text << "\n";
  }
  uint64_t sum() const { return sum_; }
  std::string marks() const { return "=" + marks_ + Mark(); }

 private:
  char Mark() const {
    return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"[(sum_ ^ sum_ >> 32) % 64];
  }
  const Window* print_;
  size_t cases_ = 0;
  std::string marks_;
  uint64_t sum_ = 0xCBF29CE484222325U;
};

// The line of a group, without its end; its results are printed to `print`.
using LineOf = std::function<std::string(const std::string& group, const Window* print)>;

// The first cases whose marks differ in two lines of a group.
inline size_t FirstChange(const std::string& want, const std::string& got) {
  std::istringstream ours(got);
  std::istringstream theirs(want);
  size_t first = std::string::npos;
  for (std::string mine, old; ours >> mine && theirs >> old;) {
    if (mine[0] != '=' || old[0] != '=') continue;
    const auto at = std::mismatch(mine.begin(), mine.end(), old.begin(), old.end()).first - mine.begin();
    if (mine != old) first = std::min(first, (static_cast<size_t>(at) - 1) * kBlock);
  }
  return first;
}

// Whether a comparison covers a group.
using Covers = std::function<bool(const std::string& group)>;

inline int CompareGolden(const std::string& path, const std::vector<std::string>& groups, size_t every,
                         const LineOf& line_of, const Covers& covers) {
  std::ifstream golden(path, std::ios::binary);
  std::string want;
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string& group = groups[i];
    const bool there = static_cast<bool>(std::getline(golden, want));
    if (there && (i % every != 0 || (covers && !covers(group)))) continue;
    const std::string got = line_of(group, nullptr);
    if (there && want == got) continue;
    std::cerr << path << " has\n" << want << "\nand now it is\n" << got << "\n";
    const size_t first = FirstChange(want, got);
    if (first != std::string::npos) {
      std::cerr << "The first case that changed is one of these, from number " << first << ":\n";
      const Window window = {&std::cerr, first, first + kBlock};
      line_of(group, &window);
    }
    std::cerr << "To see all of it, compare the output of this test with --print '" << group
              << "' before and after. If the change is meant, run it with --write.\n";
    return 1;
  }
  if (!std::getline(golden, want)) return 0;
  std::cerr << path << " has a line more: " << want << "\n";
  return 1;
}

// What main() returns.
inline int Golden(int argc, char** argv, const std::string& path, const std::vector<std::string>& groups,
                  const LineOf& line_of, const Covers& covers = nullptr) {
  if (argc == 4 && std::strcmp(argv[2], "--print") == 0) {
    const Window all = {&std::cout, 0, std::string::npos};
    std::cout << line_of(argv[3], &all) << "\n";
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[2], "--write") == 0) {
    std::ofstream out(path, std::ios::binary);
    for (const std::string& group : groups) out << line_of(group, nullptr) << "\n";
    return out.good() ? 0 : 1;
  }
  const bool some = argc == 4 && std::strcmp(argv[2], "--every") == 0;
  const size_t every = some ? std::stoul(argv[3]) : 1;
  return argc == 2 || some ? CompareGolden(path, groups, every, line_of, covers) : 2;
}

}  // namespace pto_test

#endif  // PTO_TESTS_COMMON_GOLDEN_H_
