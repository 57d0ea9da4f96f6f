// What is said of programs that are nearly right: of each program of the tests and examples, thousands of changed ones,
// a token taken out, doubled, exchanged with the next, or a little different. near_misses.txt has a number for each
// file, of all that reading, checking, lint and printing answer to its changed programs: no answer changes without
// somebody seeing it. The numbers say only that something changed; which answers are right is for the other tests to
// say.
//
//     test_near_misses FOLDER              compares with FOLDER/near_misses.txt
//     test_near_misses FOLDER --write      writes it
//     test_near_misses FOLDER --print F    prints all answers for one file, to be compared with those of another build
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"
#include "tests/ptoas/cmocka_cpp.h"

namespace {

std::string g_folder;

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

void Ask(pto_context* ctx, std::string_view text, Answers* answers) {
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "near.pto");
  if (program == nullptr) fail_msg("%s", pto_context_error_message(ctx));
  const auto add = [&] {
    for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i)
      answers->Add(pto_program_diagnostic_text(program, i));
  };
  add();
  if (pto_program_check(ctx, program) == PTO_OK) {
    for (const pto_form form : {PTO_FORM_DPS, PTO_FORM_SSA}) answers->Add(pto_program_print(ctx, program, form));
    pto_program_lint(ctx, program, nullptr);
  }
  add();
  pto_program_release(program);
}

// Words and numbers with what belongs to them, single characters else. Spaces and comments are none.
std::vector<std::string_view> Tokens(std::string_view text) {
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

constexpr size_t kWays = 5;

std::string Changed(std::string_view text, const std::vector<std::string_view>& tokens, size_t at, size_t way) {
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
    default:  // what stands elsewhere in the program
      now = tokens[(at * 31 + 7) % tokens.size()];
  }
  return before + now + std::string(after);
}

// The program itself, and its near misses. Those of lint are two, one behind the other.
size_t Programs(pto_context* ctx, std::string_view text, Answers* answers) {
  size_t count = 0;
  constexpr std::string_view kMark = "// ---- and without ----";
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(kMark, begin), text.size());
    const std::string_view program = text.substr(begin, end - begin);
    begin = end + (end < text.size() ? kMark.size() : 0);
    Ask(ctx, program, answers);
    ++count;
    const std::vector<std::string_view> tokens = Tokens(program);
    for (size_t at = 0; at < tokens.size(); ++at) {
      for (const size_t way : {at % kWays, (at + 2) % kWays})
        Ask(ctx, Changed(program, tokens, at, way), answers), ++count;
    }
  }
  return count;
}

std::string Text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream whole;
  whole << in.rdbuf();
  return whole.str();
}

std::string Line(const std::filesystem::path& path, std::ostream* print) {
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  Answers answers(print);
  const std::string text = Text(path);
  const size_t count = Programs(ctx, text, &answers);
  pto_context_release(ctx);
  char line[64];
  std::snprintf(line, sizeof line, " %zu %016llx\n", count, static_cast<unsigned long long>(answers.sum()));
  return std::filesystem::relative(path, g_folder).generic_string() + line;
}

std::vector<std::filesystem::path> Files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"valid", "invalid", "lint", "lint_near", "sync", "../fuzz/seeds", "../../examples"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(g_folder) / folder)) {
      if (entry.path().extension() == ".pto") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void TestNearMisses(void**) {
  std::istringstream golden(Text(std::filesystem::path(g_folder) / "near_misses.txt"));
  std::string want;
  for (const std::filesystem::path& path : Files()) {
    const std::string got = Line(path, nullptr);
    std::getline(golden, want);
    if (want + "\n" != got) {
      fail_msg(
          "near_misses.txt has\n%s\nand now it is\n%sTo see what is answered otherwise, compare what this test says "
          "with"
          " --print %s before and after. If that is meant, run it with --write.",
          want.c_str(), got.c_str(), path.c_str());
    }
  }
  assert_false(static_cast<bool>(std::getline(golden, want)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  g_folder = argv[1];
  if (argc == 4 && std::strcmp(argv[2], "--print") == 0) {
    std::cout << Line(argv[3], &std::cout);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[2], "--write") == 0) {
    std::ofstream out(std::filesystem::path(g_folder) / "near_misses.txt", std::ios::binary);
    for (const std::filesystem::path& path : Files()) out << Line(path, nullptr);
    return out.good() ? 0 : 1;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(TestNearMisses)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
