// libFuzzer target: any bytes are parsed; what parses without an error prints in
// every spelling to text that parses to the same program and prints the same.
#include <cstdio>
#include <cstdlib>

#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "tests/ptoas/same_program.cc"

using pto::ptoas::Diagnostics;
using pto::ptoas::Program;
using pto::ptoas::Spelling;

namespace {

void Stop(const char* what, int form, const std::string& text) {
  std::fprintf(stderr, "form %d: %s:\n%s\n", form, what, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diagnostics;
  const Program program = Parse({reinterpret_cast<const char*>(data), size}, &diagnostics);
  for (const auto& d : diagnostics.list()) diagnostics.Render(d, "fuzz");
  if (diagnostics.errors() != 0) return 0;
  for (int form = 0; form < 4; ++form) {
    const auto print = [form](const Program& p) {
      return form == 3 ? Print(p) : Print(p, static_cast<Spelling>(form));
    };
    const std::string text = print(program);
    Diagnostics again;
    const Program copy = Parse(text, &again);
    if (again.errors() != 0) Stop(again.Render(again.list()[0], "printed").c_str(), form, text);
    if (!SameProgram(program, copy)) Stop("the printed text is another program", form, text);
    if (print(copy) != text) Stop("printing is not stable", form, text);
  }
  return 0;
}
