// libFuzzer target: any bytes are parsed; what parses without an error prints in
// every spelling to text that parses to the same program and prints the same.
#include <cstdio>
#include <cstdlib>

#include "src/ptoas/read/parser.h"
#include "tests/ptoas/same_program.cc"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pto::ptoas::Diagnostics diagnostics;
  const pto::ptoas::Program program = Parse({reinterpret_cast<const char*>(data), size}, &diagnostics);
  for (const auto& d : diagnostics.list()) diagnostics.Render(d, "fuzz");
  if (diagnostics.errors() != 0) return 0;
  const std::string fault = FaultOfPrints(program);
  if (fault.empty()) return 0;
  std::fprintf(stderr, "%s\n", fault.c_str());
  std::abort();
}
