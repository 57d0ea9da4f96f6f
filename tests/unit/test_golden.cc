// Goldens (tests/common/golden.h): a changed result is found and shown, with the cases beside it and no others.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "tests/common/golden.h"

namespace {

// A group of 100 cases; case `changed` has another result.
std::string Line(const std::string& group, const pto_test::Window* print, int changed) {
  pto_test::Answers answers(print);
  for (int i = 0; i < 100; ++i) {
    answers.Case();
    answers.Add("case " + std::to_string(i) + (i == changed ? " is new" : " as ever"));
  }
  return group + " 100 " + std::to_string(answers.sum()) + " " + answers.marks();
}

// The message of a comparison; empty if it finds no change.
std::string Said(const std::string& path, int changed) {
  std::ostringstream said;
  std::streambuf* const before = std::cerr.rdbuf(said.rdbuf());
  const auto line = [&](const std::string& group, const pto_test::Window* print) {
    return Line(group, print, changed);
  };
  const int code = pto_test::CompareGolden(path, {"a", "b"}, 1, line, nullptr);
  std::cerr.rdbuf(before);
  return code == 0 ? "" : said.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string path = argv[1];
  {
    std::ofstream out(path);
    for (const char* group : {"a", "b"}) out << Line(group, nullptr, -1) << "\n";
  }
  if (!Said(path, -1).empty()) return 1;
  for (const int changed : {0, 7, 8, 42, 99}) {
    const std::string said = Said(path, changed);
    const int first = changed / 8 * 8;
    const bool shown = said.find("case " + std::to_string(changed) + " is new\n") != said.npos;
    const bool before = said.find("case " + std::to_string(first - 1) + " ") != said.npos;
    const bool after = said.find("case " + std::to_string(first + 8) + " ") != said.npos;
    if (shown && !before && !after) continue;
    std::printf("case %d changed, and it said: %s", changed, said.c_str());
    return 1;
  }
  return 0;
}
