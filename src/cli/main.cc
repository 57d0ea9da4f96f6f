// The `pto` command: arguments in, exit code out.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/ops/plain_text.h"

namespace pto::cli {

std::string FormatV(const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int n = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(static_cast<size_t>(n > 0 ? n : 0), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, args);
  return text;
}

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : Plain(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string NotNan(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? "Value " + text + " is not a number" : "";
}

std::string Format(const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string text = FormatV(format, args);
  va_end(args);
  return text;
}

void Fail(const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string text = FormatV(format, args);
  va_end(args);
  throw Failure(text);
}

namespace {

Colours ColoursOf(int descriptor) {
  const bool plain = isatty(descriptor) == 0 || std::getenv("NO_COLOR") != nullptr;
  return plain ? Colours{"", "", "", ""} : Colours{"\033[1;31m", "\033[32m", "\033[2m", "\033[0m"};
}

int Trouble(std::string_view what) {
  Tell(what);
  return kTrouble;
}

// What was printed has arrived, or the reason why not.
int Printed(int code) {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return code;
  return Trouble(Format("standard output: %s", errno == 0 ? "cannot be written" : std::strerror(errno)));
}

// What CLI11 has at namespace scope takes memory before main(), where nobody can catch that there is none.
[[gnu::constructor(101)]] void BeforeMain() {
  std::set_new_handler([] {
    constexpr std::string_view kText = "pto: memory is out\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
    _exit(kTrouble);
  });
}

int Main(int argc, char** argv) {
  // A file that grows too large is an error of write() like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  CleanUpOnSignals();
  std::set_new_handler(nullptr);
  CLI::App app{"Checks and runs PTO-AS programs, and shows what libpto can do.", "pto"};
  const int version = pto_version();
  app.set_version_flag("--version", Format("pto %d.%d.%d", version / 10000, version / 100 % 100, version % 100));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 all is well; 1 diagnostics or differences; 2 usage, or a file that cannot be read or "
      "written,\nor does not fit the program.\nThe manual is pto(1).");
  int code = kOk;
  AddRun(app, &code);
  AddCheck(app, &code);
  AddLint(app, &code);
  AddFmt(app, &code);
  AddOps(app, &code);
  AddInfo(app, &code);
  AddGen(app, &code);
  AddBisect(app, &code);
  AddDiff(app, &code);
  try {
    app.parse(argc, argv);
    return Printed(code);
  } catch (const CLI::Success& e) {  // --help and --version
    return Printed(app.exit(e));
  } catch (const CLI::ParseError& e) {
    std::ostringstream text;
    app.exit(e, text, text);
    std::fputs(Plain(text.str(), "\n").c_str(), stderr);
    return kTrouble;
  } catch (const Failure& e) {
    std::fflush(stdout);
    return Trouble(e.what());
  } catch (const std::bad_alloc&) {
    return Trouble("memory is out");
  }
}

}  // namespace

void Tell(std::string_view text) {
  std::fprintf(stderr, "%spto:%s %s\n", StderrColours().error, StderrColours().off, Plain(text).c_str());
}

const Colours& StdoutColours() {
  static const Colours colours = ColoursOf(STDOUT_FILENO);
  return colours;
}

const Colours& StderrColours() {
  static const Colours colours = ColoursOf(STDERR_FILENO);
  return colours;
}

}  // namespace pto::cli

int main(int argc, char** argv) {
  try {
    return pto::cli::Main(argc, argv);
  } catch (const std::exception& e) {  // before or behind the commands: there is no better way to say it
    std::fprintf(stderr, "pto: %s\n", e.what());
    return pto::cli::kTrouble;
  }
}
