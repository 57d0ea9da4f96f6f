// `pto check` and `pto fmt`.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/program.h"
#include "src/cli/session.h"

namespace pto::cli {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  RunOptions run;  // with `sync`; `file` is set for each
  bool json = false;
  bool werror = false;
  bool sync = false;
};

// Orders are known by a run: it leaves what was found, and nothing else.
bool IsOrdered(Session* session, bool werror) {
  if (!session->TryPrepare(werror)) return false;
  session->Must(pto_program_set_sync(session->ctx(), session->program(), 1));
  if (session->Run(false) != PTO_OK) {
    if (!session->HasError()) Fail("%s", Reason(session->ctx()).c_str());
    session->BlameArgument();
    return false;
  }
  return !werror || pto_program_diagnostic_count(session->program()) == 0;
}

int RunCheck(const CheckOptions& options) {
  bool errors = false;
  std::string list;
  for (const std::string& path : options.files) {
    RunOptions run = options.run;
    run.file = path;
    run.zeros = options.sync;
    Session session(run);
    Loaded loaded;
    if (options.sync) {
      errors |= !IsOrdered(&session, options.werror);
    } else {
      loaded = LoadProgram(path, run.profile);
      errors |= !IsCorrect(loaded, options.werror);
    }
    const pto_program* program = options.sync ? session.program() : loaded.program.get();
    if (!options.json) {
      PrintDiagnostics(program);
      continue;
    }
    for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
      list += Format(
          "%s\n  {\"file\": %s, \"line\": %d, \"column\": %d, \"severity\": %s, \"rule\": %s, \"message\": %s, "
          "\"remedy\": %s}",
          list.empty() ? "" : ",", Quote(path).c_str(), pto_program_diagnostic_line(program, i),
          pto_program_diagnostic_column(program, i),
          pto_program_diagnostic_error(program, i) != 0 ? "\"error\"" : "\"warning\"",
          Quote(pto_program_diagnostic_rule(program, i)).c_str(),
          Quote(pto_program_diagnostic_message(program, i)).c_str(),
          Quote(pto_program_diagnostic_remedy(program, i)).c_str());
    }
  }
  if (options.json) std::printf("[%s%s]\n", list.c_str(), list.empty() ? "" : "\n");
  return errors ? kFound : kOk;
}

int RunFmt(const std::string& path, const std::string& form, bool write) {
  const Loaded loaded = LoadProgram(path, "");
  const pto_form wanted = form == "asm"   ? PTO_FORM_ASM
                          : form == "ssa" ? PTO_FORM_SSA
                          : form == "dps" ? PTO_FORM_DPS
                                          : PTO_FORM_KEEP;
  const char* text = pto_program_print(loaded.ctx.get(), loaded.program.get(), wanted);
  if (text == nullptr) {
    if (!PrintDiagnostics(loaded.program.get())) Fail("%s", Reason(loaded.ctx.get()).c_str());
    return kFound;
  }
  if (!write || path == "-") {
    WriteFile("-", text);
  } else if (ReadFile(path) != text) {
    Rewrite(path, text);
  }
  return kOk;
}

}  // namespace

void AddCheck(CLI::App& app, int* code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Verifies programs.");
  AddRunOptions(command, &options->run);
  AddInOption(command, &options->run);
  CLI::Option* sync = command->add_flag("--sync", options->sync,
                                        "Runs the programs on what --in, --int and --float give and zeros of each "
                                        "--shape, keeps no results, and reports where "
                                        "flags and barriers are missing");
  for (CLI::Option* option : command->get_options([](const CLI::Option* given) {
         const std::string name = given->get_name();
         return name != "--help" && name != "--profile" && name != "--sync";
       })) {
    option->needs(sync);
  }
  command->add_option("FILE", options->files, "Programs; - is standard input")->required();
  command->add_flag("--json", options->json, "Prints the diagnostics as JSON");
  command->add_flag("--werror", options->werror, "Takes warnings for errors");
  command->callback([options, code] { *code = RunCheck(*options); });
}

void AddFmt(CLI::App& app, int* code) {
  struct Options {
    std::string file;
    std::string form;
    bool write = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("fmt", "Prints a program in canonical form.");
  command->add_option("FILE", options->file, "A program; - is standard input")->required();
  command->add_option("--form", options->form, "The spelling of instructions; each statement's own by default")
      ->check(CLI::IsMember({"asm", "ssa", "dps"}));
  command->add_flag("--write", options->write, "Changes the file instead of printing");
  command->callback([options, code] { *code = RunFmt(options->file, options->form, options->write); });
}

}  // namespace pto::cli
