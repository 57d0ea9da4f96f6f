// libFuzzer target: any bytes are parsed and verified, also when they do not parse,
// as `pto check` does.
#include "src/ptoas/read/parser.h"
#include "src/ptoas/check/verifier.h"

using pto::ptoas::Diagnostics;
using pto::ptoas::Program;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diagnostics;
  const Program program = Parse({reinterpret_cast<const char*>(data), size}, &diagnostics);
  const int before = diagnostics.errors();
  const bool good = Verify(program, &diagnostics);
  if (good != (diagnostics.errors() == before)) __builtin_trap();
  for (const auto& d : diagnostics.list()) {
    if (d.line < 1 || d.column < 1 || d.offset + d.length > size) __builtin_trap();
    diagnostics.Render(d, "fuzz");
  }
  program.DefaultEntry();
  return 0;
}
