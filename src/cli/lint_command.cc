// `pto lint`: what the checks find, for people, editors and machines.
#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/program.h"
#include "src/records/plain_text.h"

namespace pto::cli {

namespace {

struct LintOptions {
  std::vector<std::string> files;
  std::string profile;
  std::string checks;
  std::vector<std::string> allow;
  std::string format = "text";
  std::string out = "-";
  bool list = false;
};

struct Finding {
  std::string file;
  int32_t line, column;
  bool error;
  std::string rule, message, remedy, text;
};

std::vector<Finding> LintOne(const std::string& path, const LintOptions& options, const std::string& checks) {
  const Loaded loaded = LoadProgram(path, options.profile);
  pto_program* program = loaded.program.get();
  const pto_status status = pto_program_lint(loaded.ctx.get(), program, checks.c_str());
  if (status != PTO_OK && status != PTO_ERROR_PROGRAM) Fail("%s", Reason(loaded.ctx.get()).c_str());
  std::vector<Finding> found;
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
    found.push_back({path == "-" ? "stdin" : path, pto_program_diagnostic_line(program, i),
                     pto_program_diagnostic_column(program, i), pto_program_diagnostic_error(program, i) != 0,
                     pto_program_diagnostic_rule(program, i), pto_program_diagnostic_message(program, i),
                     pto_program_diagnostic_remedy(program, i), pto_program_diagnostic_text(program, i)});
    std::string& text = found.back().text;
    if (text.empty() || text.back() != '\n') text += '\n';
  }
  return found;
}

const char* Word(const Finding& finding) { return finding.error ? "error" : "warning"; }

std::string Lines(const std::vector<Finding>& found) {
  std::string text;
  for (const Finding& f : found) {
    text += Format("%s:%d:%d: %s: %s [%s]\n", Plain(f.file).c_str(), f.line, f.column, Word(f), f.message.c_str(),
                   f.rule.c_str());
  }
  return text;
}

std::string JsonOf(const std::vector<Finding>& found) {
  std::string list;
  for (const Finding& f : found) {
    list += Format(
        "%s\n  {\"file\": %s, \"line\": %d, \"column\": %d, \"severity\": \"%s\", \"rule\": %s, \"message\": %s, "
        "\"remedy\": %s}",
        list.empty() ? "" : ",", Quote(f.file).c_str(), f.line, f.column, Word(f), Quote(f.rule).c_str(),
        Quote(f.message).c_str(), Quote(f.remedy).c_str());
  }
  return "[" + list + (list.empty() ? "]\n" : "\n]\n");
}

// A path as a URI reference; characters that are not allowed become %XX.
std::string Uri(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._-~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : Format("%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return uri;
}

// SARIF 2.1.0, which code hosts and editors read.
std::string Sarif(const std::vector<Finding>& found) {
  std::string rules;
  for (int32_t i = 0; i < pto_lint_count(); ++i) {
    rules += Format(
        "%s\n          {\"id\": %s, \"shortDescription\": {\"text\": %s}, \"fullDescription\": {\"text\": %s}, "
        "\"help\": {\"text\": %s}}",
        i == 0 ? "" : ",", Quote(pto_lint_id(i)).c_str(), Quote(pto_lint_title(i)).c_str(),
        Quote(pto_lint_why(i)).c_str(), Quote(pto_lint_remedy(i)).c_str());
  }
  std::string results;
  for (const Finding& f : found) {
    int32_t index = -1;
    for (int32_t i = 0; i < pto_lint_count(); ++i) {
      if (f.rule == pto_lint_id(i)) index = i;
    }
    results += Format(
        "%s\n      {\"ruleId\": %s, %s\"level\": \"%s\", \"message\": {\"text\": %s}, \"locations\": "
        "[{\"physicalLocation\": "
        "{\"artifactLocation\": {\"uri\": %s}, \"region\": {\"startLine\": %d, \"startColumn\": %d}}}]}",
        results.empty() ? "" : ",", Quote(f.rule).c_str(),
        index < 0 ? "" : Format("\"ruleIndex\": %d, ", index).c_str(), Word(f),
        Quote(f.message + " " + f.remedy).c_str(), Quote(Uri(f.file)).c_str(), f.line, f.column);
  }
  const int version = pto_version();
  return Format(
      "{\n  \"$schema\": "
      "\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
      "  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n      \"columnKind\": \"unicodeCodePoints\",\n"
      "      \"tool\": {\n        \"driver\": {\n          \"name\": \"pto lint\",\n          \"version\": "
      "\"%d.%d.%d\",\n"
      "          \"rules\": [%s\n          ]\n        }\n      },\n      \"results\": [%s%s]\n    }\n  ]\n}\n",
      version / 10000, version / 100 % 100, version % 100, rules.c_str(), results.c_str(),
      results.empty() ? "" : "\n      ");
}

int RunLint(const LintOptions& options) {
  if (options.list) {
    std::string text;
    for (int32_t i = 0; i < pto_lint_count(); ++i) text += Format("%-24s %s\n", pto_lint_id(i), pto_lint_title(i));
    WriteFile(options.out, text);
    return kOk;
  }
  if (options.files.empty()) Fail("lint: name a program");
  std::string checks = options.checks;
  for (const std::string& id : options.allow) checks += (checks.empty() ? "-" : ",-") + id;
  std::vector<Finding> found;
  for (const std::string& path : options.files) {
    for (Finding& finding : LintOne(path, options, checks)) found.push_back(std::move(finding));
  }
  std::string text;
  if (options.format == "json") text = JsonOf(found);
  if (options.format == "sarif") text = Sarif(found);
  if (options.format == "line") text = Lines(found);
  if (options.format == "text") {
    for (const Finding& finding : found) text += finding.text;
  }
  WriteFile(options.out, text);
  return found.empty() ? kOk : kFound;
}

}  // namespace

void AddLint(CLI::App& app, int* code) {
  auto options = std::make_shared<LintOptions>();
  CLI::App* command = app.add_subcommand("lint", "Reports code that is valid but probably wrong.");
  command->add_option("FILE", options->files, "Programs; - is standard input");
  command->add_option("--profile", options->profile, "Whose rules apply; the default is the program's own, else cpu")
      ->transform(CLI::IsMember(ProfileWords(), CLI::ignore_case));
  command->add_option("--checks", options->checks, "Ids with commas between: these only; -ID: all but this");
  command->add_option("--allow", options->allow, "A check that is left out");
  command->add_option("--format", options->format, "What is printed; line: a line for each finding, for editors")
      ->check(CLI::IsMember({"text", "line", "json", "sarif"}));
  command->add_option("--out", options->out, "A file for it instead of standard output");
  command->add_flag("--list", options->list, "Lists the checks");
  command->callback([options, code] { *code = RunLint(*options); });
}

}  // namespace pto::cli
