// What the tests of the assembler share: the corpus on disk, running the front
// end over a program, a small deterministic generator of random numbers.
#ifndef PTO_TESTS_PTOAS_CORPUS_H_
#define PTO_TESTS_PTOAS_CORPUS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {

struct CorpusFile {
  std::string name;
  std::string text;
};

// The .pto files of a folder below the corpus, by name. Fails the test when there
// are fewer than `least`.
std::vector<CorpusFile> Corpus(const char* folder, size_t least);
// All of them.
std::vector<CorpusFile> WholeCorpus();
void SetCorpusFolder(const char* folder);

struct Checked {
  Diagnostics diagnostics;
  Program program;
  int parse_errors = 0;
};
// Parses and verifies.
void Check(std::string_view text, Checked* checked);

// The step between the cases that a long test runs: ./dev test skips most of them, ./dev test thorough none.
size_t Sparse();

// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  size_t Below(size_t n) { return static_cast<size_t>(Next() % n); }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }

 private:
  uint64_t state_;
};

// A valid program of statements of many kinds, decided by the numbers.
std::string RandomProgram(Random* random);

// Prints a program in all forms and asserts that each gives the program again
// and is stable. `text` is what it was parsed from, for messages.
void AssertRoundTrip(const Program& program, const std::string& name);

}  // namespace pto::ptoas

#endif  // PTO_TESTS_PTOAS_CORPUS_H_
