// `pto check` and `pto fmt`.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/program.h"

namespace pto::cli {

namespace {

int RunCheck(const std::vector<std::string>& paths, const std::string& profile, bool json, bool werror) {
  bool errors = false;
  std::string list;
  for (const std::string& path : paths) {
    const Loaded loaded = LoadProgram(path, profile);
    const pto_program* program = loaded.program.get();
    errors |= !IsCorrect(loaded, werror);
    if (!json) {
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
  if (json) std::printf("[%s%s]\n", list.c_str(), list.empty() ? "" : "\n");
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
    if (!PrintDiagnostics(loaded.program.get())) Fail("%s", pto_context_error_message(loaded.ctx.get()));
    return kFound;
  }
  WriteFile(write ? path : "-", text);
  return kOk;
}

}  // namespace

void AddCheck(CLI::App& app, int* code) {
  struct Options {
    std::vector<std::string> files;
    std::string profile;
    bool json = false;
    bool werror = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Verifies programs.");
  command->add_option("FILE", options->files, "Programs; - is standard input")->required();
  command->add_option("--profile", options->profile, "Whose rules apply; the default is the program's own, else cpu")
      ->check(CLI::IsMember({"cpu", "a2a3", "a5"}));
  command->add_flag("--json", options->json, "Prints the diagnostics as JSON");
  command->add_flag("--werror", options->werror, "Takes warnings for errors");
  command->callback(
      [options, code] { *code = RunCheck(options->files, options->profile, options->json, options->werror); });
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
