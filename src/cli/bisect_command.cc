// `pto bisect`: the first instruction after which two runs differ.
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/numbers.h"
#include "src/cli/recording.h"
#include "src/cli/session.h"

namespace pto::cli {

namespace {

struct BisectOptions {
  RunOptions run;
  std::string other;  // program
  std::string target_a, target_b;
  std::string against;  // recording
  std::vector<std::string> golden;
  std::string save;
  int64_t limit = int64_t{1} << 30;
};

// Returns false if the program cannot be run; the error was printed.
bool RunRecorded(RunOptions options, const std::string& target, int64_t limit, Recording* out) {
  options.target = target;
  Session session(options);
  if (!session.Prepare(false)) return false;
  session.Must(pto_program_record(session.ctx(), session.program(), PTO_RECORD_TILES, limit));
  if (session.Run(true) != PTO_OK) {
    if (!session.HasError()) Fail("%s", Reason(session.ctx()).c_str());
    session.BlameArgument();
    PrintDiagnostics(session.program());  // what ran until then is compared
  }
  const std::string name = target.empty() ? options.file : options.file + " (" + target + ")";
  *out = TakeRecording(session, name, ReadFile(options.file, kMaxFileBytes, Reads::kProgram));
  return true;
}

int RunBisect(const BisectOptions& options) {
  const int others =
      (options.other.empty() ? 0 : 1) + (options.against.empty() ? 0 : 1) + (options.golden.empty() ? 0 : 1);
  const bool targets = !options.target_a.empty() || !options.target_b.empty();
  if (others > 1) Fail("bisect: name one of a second program, --against and --golden");
  if (others == 0 && !targets && options.save.empty()) {
    Fail("bisect: name a second program, --target-a and --target-b, --against, --golden, or --save");
  }
  if (!options.save.empty()) {
    for (const std::string& program : {options.run.file, options.other}) WillRead(program, Reads::kProgram);
    WillRead(options.against);
    for (const auto& pairs : {Split(options.golden, "--golden"), Split(options.run.in, "--in")}) {
      for (const auto& [name, path] : pairs) WillRead(path);
    }
    Targets().Take(options.save);
  }
  Recording a;
  if (!RunRecorded(options.run, options.target_a, options.limit, &a)) return kFound;
  if (!options.save.empty()) WriteFile(options.save, FormatRecording(a));
  if (others == 0 && !targets) return kOk;
  const std::vector<Written> ours = WritesOf(a);
  Recording b;
  if (!options.against.empty()) {
    b = ReadRecording(options.against);
  } else if (!options.golden.empty()) {
    b = GoldenRecording(options.golden, a, ours);
  } else {
    RunOptions second = options.run;
    if (!options.other.empty()) second.file = options.other;
    if (!RunRecorded(second, options.target_b, options.limit, &b)) return kFound;
  }
  const Parting parting = FirstDifference(a, ours, b, WritesOf(b));
  if (parting.event >= 0) {
    std::printf("%s\nBefore it, %" PRId64 " writes are the same.\n", parting.text.c_str(), parting.same);
    return kFound;
  }
  if (parting.same + parting.unknown == 0) Fail("no tile or register of one name is written in both");
  std::printf("%" PRId64 " writes are the same", parting.same);
  if (parting.alone != 0 || parting.alone_there != 0) {
    std::printf("; %" PRId64 " here and %" PRId64 " there have no other", parting.alone, parting.alone_there);
  }
  if (parting.unknown != 0) std::printf("; %" PRId64 " were not all kept: raise --limit", parting.unknown);
  if (a.lost != 0 || b.lost != 0) std::printf("; there was no room for all: raise --limit");
  std::printf(".\n");
  return kOk;
}

}  // namespace

void AddBisect(CLI::App& app, int* code) {
  auto options = std::make_shared<BisectOptions>();
  CLI::App* command = app.add_subcommand("bisect", "Finds the first instruction after which two runs differ.");
  command->add_option("A", options->run.file, "A program; a file, since it is read twice")->required();
  command->add_option("B", options->other,
                      "Another program that writes tiles or registers of the same names; without it A again");
  AddRunOptions(command, &options->run);
  AddInOption(command, &options->run);
  command->add_option("--target-a", options->target_a, "The SIMD target on which A runs; pto info lists them");
  command->add_option("--target-b", options->target_b, "The one of the other run");
  command->add_option("--against", options->against, "FILE: the other is a recording, as of another version of libpto");
  command
      ->add_option("--golden", options->golden,
                   "NAME=FILE: what a tile or register is to hold in the end, or each time")
      ->allow_extra_args(false);
  command->add_option("--save", options->save, "FILE: writes what A recorded");
  AddInteger(command, "--limit", &options->limit, 1, "Bytes that a recording takes in memory");
  AddForce(command);
  command->callback([options, code] { *code = RunBisect(*options); });
}

}  // namespace pto::cli
