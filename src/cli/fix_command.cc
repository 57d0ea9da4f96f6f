// `pto fix`: a program with what it lacks.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/program.h"
#include "src/cli/session.h"

namespace pto::cli {

namespace {

struct FixOptions {
  RunOptions run;
  bool sync = false;
  bool write = false;
};

int RunFix(const FixOptions& options) {
  Session session(options.run);
  if (!session.Prepare(false)) return kFound;
  pto_program* program = session.program();
  session.Limit();
  const char* fixed = pto_program_fix_sync(session.ctx(), program, session.entry());
  if (fixed == nullptr && !session.HasError()) Fail("%s", Reason(session.ctx()).c_str());
  if (fixed == nullptr) session.BlameArgument();
  const bool errors = PrintDiagnostics(program);
  if (fixed == nullptr) return kFound;
  const std::string& path = options.run.file;
  if (!options.write || path == "-") {
    WriteFile("-", fixed);
  } else if (ReadFile(path) != fixed) {
    Rewrite(path, fixed);
  }
  return errors ? kFound : kOk;
}

}  // namespace

void AddFix(CLI::App& app, int* code) {
  auto options = std::make_shared<FixOptions>();
  CLI::App* command = app.add_subcommand("fix", "Inserts the flags and barriers that a program lacks.");
  command->add_option("FILE", options->run.file, "A program; - is standard input")->required();
  AddRunOptions(command, &options->run);
  AddInOption(command, &options->run);
  command
      ->add_flag("--sync", options->sync,
                 "Runs the program on what --in, --int and --float give and zeros of each --shape, and prints it with "
                 "its flags and barriers")
      ->required();
  command->add_flag("--write", options->write, "Changes the file instead of printing");
  command->callback([options, code] {
    options->run.zeros = true;
    *code = RunFix(*options);
  });
}

}  // namespace pto::cli
