// Shared by the commands of `pto`: how they end, and how they print to a terminal.
// Everything here and beside it uses the C API only.
#ifndef PTO_SRC_CLI_CLI_H_
#define PTO_SRC_CLI_CLI_H_

#include <cstdarg>
#include <stdexcept>
#include <string>
#include <string_view>

#include "include/pto_c.h"

namespace CLI {
class App;
}

namespace pto::cli {

// Exit codes.
inline constexpr int kOk = 0;
inline constexpr int kFound = 1;    // diagnostics, or differences
inline constexpr int kTrouble = 2;  // usage, or a file that cannot be read or written, or does not fit the program

// Ends the command with one line on standard error and exit code kTrouble.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
[[noreturn, gnu::format(printf, 1, 2)]] void Fail(const char* format, ...);

// One line on standard error, "pto: " before it. Quoted parts are escaped.
void Tell(std::string_view text);

[[gnu::format(printf, 1, 2)]] std::string Format(const char* format, ...);
std::string FormatV(const char* format, va_list args);

// A string of JSON. As elsewhere controls, and bytes that are not text, are shown as \xNN: JSON has no form for the
// latter.
std::string Quote(std::string_view text);

// For options with bounds: comparisons would accept NaN. Returns "" or an error.
std::string NotNan(const std::string& text);

// Marks of colour; empty when the stream is not a terminal, or NO_COLOR is set.
struct Colours {
  const char* error;
  const char* good;
  const char* faint;
  const char* off;
};
const Colours& StdoutColours();
const Colours& StderrColours();

// --force: an output may replace an input.
void AddForce(CLI::App* command);

// Each adds a command to the application. The command's callback leaves the exit code in *code.
void AddRun(CLI::App& app, int* code);
void AddCheck(CLI::App& app, int* code);
void AddLint(CLI::App& app, int* code);
void AddFmt(CLI::App& app, int* code);
void AddFix(CLI::App& app, int* code);
void AddOps(CLI::App& app, int* code);
void AddInfo(CLI::App& app, int* code);
void AddGen(CLI::App& app, int* code);
void AddBisect(CLI::App& app, int* code);
void AddDiff(CLI::App& app, int* code);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_CLI_H_
