// The `pto` command: arguments in, exit code out.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/records/nearest.h"
#include "src/records/plain_text.h"

namespace pto::cli {

void AddForce(CLI::App* command) {
  command->add_flag_callback("--force", AllowReplacing, "Lets an output replace an input");
}

namespace {

int Trouble(std::string_view what) {
  Tell(what);
  return kTrouble;
}

// Whether the output has arrived, or the reason why not.
int Printed(int code) {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return code;
  return Trouble(Format("standard output: %s", errno == 0 ? "cannot be written" : std::strerror(errno)));
}

void NeedCommand(const CLI::App& app, const std::string& name) {
  Nearest nearest(name);
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return;
    names.push_back(command->get_name());
  }
  for (const std::string& known : names) nearest.Offer(known);
  Fail("there is no command %s%s", name.c_str(), nearest.Question().c_str());
}

// Objects of CLI11 at namespace scope allocate before main(), where no handler can catch a failure.
[[gnu::constructor(101)]] void BeforeMain() {
  std::set_new_handler([] {
    constexpr std::string_view kText = "pto: memory is out\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
    _exit(kTrouble);
  });
}

// `pto help run` is `pto run --help`. The arguments are in the order in which CLI11 takes them: the last one first.
std::vector<std::string> ArgumentsOf(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  if (!args.empty() && args[0] == "help") {
    if (args.size() > 1) NeedCommand(app, args[1]);
    args.erase(args.begin());
    args.resize(std::min<size_t>(args.size(), 1));
    args.emplace_back("--help");
  }
  if (!args.empty() && args[0][0] != '-') NeedCommand(app, args[0]);
  std::reverse(args.begin(), args.end());
  return args;
}

// A question whether another option is meant than one that the command does not have.
std::string OtherOption(const CLI::App& app, const std::vector<std::string>& args) {
  const auto commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options()) {
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  for (auto at = args.rbegin(); at != args.rend(); ++at) {
    const std::string option = at->substr(0, at->find('='));
    const bool known = std::find(names.begin(), names.end(), option) != names.end();
    if (option.rfind("--", 0) != 0 || option == "--" || known) continue;
    Nearest nearest(option);
    for (const std::string& name : names) nearest.Offer(name);
    return nearest.best().empty() ? "" : "Did you mean " + std::string(nearest.best()) + "?\n";
  }
  return "";
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
  AddFix(app, &code);
  AddOps(app, &code);
  AddInfo(app, &code);
  AddGen(app, &code);
  AddBisect(app, &code);
  AddDiff(app, &code);
  std::vector<std::string> args;
  try {
    args = ArgumentsOf(app, argc, argv);
    std::vector<std::string> taken = args;
    app.parse(taken);
    return Printed(code);
  } catch (const CLI::Success& e) {  // --help and --version
    return Printed(app.exit(e));
  } catch (const CLI::ParseError& e) {
    std::ostringstream text;
    app.exit(e, text, text);
    text << OtherOption(app, args);
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

}  // namespace pto::cli

int main(int argc, char** argv) {
  try {
    return pto::cli::Main(argc, argv);
  } catch (const std::exception& e) {  // before or after the commands: there is no better way to report it
    std::fprintf(stderr, "pto: %s\n", e.what());
    return pto::cli::kTrouble;
  }
}
