// Handles of the C API that release themselves, and reading programs from files.
#ifndef PTO_SRC_CLI_PROGRAM_H_
#define PTO_SRC_CLI_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "include/pto_c.h"

namespace pto::cli {

template <auto Release>
struct Releaser {
  template <class T>
  void operator()(T* handle) const {
    Release(handle);
  }
};
using ContextHandle = std::unique_ptr<pto_context, Releaser<pto_context_release>>;
using ProgramHandle = std::unique_ptr<pto_program, Releaser<pto_program_release>>;
using TensorHandle = std::unique_ptr<pto_tensor, Releaser<pto_tensor_release>>;
using WorldHandle = std::unique_ptr<pto_world, Releaser<pto_world_release>>;
using TileHandle = std::unique_ptr<pto_tile, Releaser<pto_tile_release>>;

// The profiles as options name them, in the order of pto_profile: cpu, a2a3, a5.
const std::vector<std::string>& ProfileWords();

// A program and the context that judges it: under the profile named, else the one
// that the program names, else CPU; on the SIMD target named, else the best.
struct Loaded {
  ContextHandle ctx;
  ProgramHandle program;
  std::string text;
};
Loaded LoadProgram(const std::string& path, const std::string& profile, const std::string& target = "");
// Reads a program from a string; `name` is for messages.
Loaded ReadProgram(const std::string& text, const std::string& name, const std::string& profile,
                   const std::string& target = "");

// Whether the program is correct, with `werror` without warnings too; Failure when that
// is unknown, as without memory.
bool IsCorrect(const Loaded& loaded, bool werror);

// The message of the context's latest failed call, without the name of a C function before it.
std::string Reason(const pto_context* ctx);

// Prints diagnostics to standard error in the format of a compiler; returns whether one is an error.
bool PrintDiagnostics(const pto_program* program);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_PROGRAM_H_
