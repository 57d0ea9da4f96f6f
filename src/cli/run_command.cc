// `pto run`: a run, what it leaves, and what was recorded of it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/array.h"
#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/numbers.h"
#include "src/cli/recording.h"
#include "src/cli/session.h"
#include "src/cli/stats.h"

namespace pto::cli {

namespace {

struct Options {
  RunOptions run;
  std::string dump;
  std::string trace;
  std::string report;
  int64_t report_limit = int64_t{1} << 24;
  std::vector<std::string> golden;
  bool stats = false;
  bool sync = false;
  bool poison = false;
  bool plan = false;
  int64_t slack = 0;
  bool werror = false;
};

class Runner {
 public:
  explicit Runner(const Options& options) : options_(options), session_(options.run) {}

  int Run() {
    if (!options_.golden.empty() && options_.report.empty()) Fail("--golden: add --report, or use pto bisect");
    if (!session_.Prepare(options_.werror)) return kFound;
    const bool shows = options_.sync || !options_.trace.empty() || !options_.report.empty();
    if (session_.IsOneRank() && shows) {
      Fail("--sync, --trace and --report need all ranks in one process; unset PTO_TRANSPORT");
    }
    TakeTargets();
    session_.Must(pto_program_set_sync(ctx(), program(), options_.sync));
    session_.Must(pto_program_set_poison(ctx(), program(), options_.poison));
    session_.Must(pto_program_set_slack(ctx(), program(), options_.slack));
    Record();
    if (options_.plan) setenv("PTO_PLAN", "print", 1);
    const pto_status status = session_.Run(true);
    std::fputs(pto_program_output(program()), stdout);
    if (status != PTO_OK) {
      if (!session_.HasError()) Fail("%s", Reason(ctx()).c_str());
      // Covers what happened until then.
      if (options_.stats) PrintStats(ctx(), program(), session_.text());
      Outputs recorded;
      AddRecorded(&recorded);
      recorded.Commit();
      session_.BlameArgument();
      PrintDiagnostics(program());
      return kFound;
    }
    PrintDiagnostics(program());  // warnings
    if (options_.werror && pto_program_diagnostic_count(program()) > 0) return kFound;
    Dump();
    if (options_.stats) PrintStats(ctx(), program(), session_.text());
    const bool good = MarkGolden();
    // All of them, or none when one cannot be written.
    Outputs outputs;
    session_.AddOutputs(&outputs);
    AddRecorded(&outputs);
    outputs.Commit();
    return good ? kOk : kFound;
  }

 private:
  pto_context* ctx() const { return session_.ctx(); }
  pto_program* program() const { return session_.program(); }

  void Record() const {
    if (!options_.report.empty()) {
      session_.Must(pto_program_record(ctx(), program(), PTO_RECORD_TILES, options_.report_limit));
    } else if (!options_.trace.empty() || options_.stats) {
      session_.Must(pto_program_set_trace(ctx(), program(), 1));
    }
  }

  // Leads the report to the first tile that is not what it was to be, and prints where that is.
  bool MarkGolden() const {
    if (options_.golden.empty()) return true;
    const Recording recorded =
        TakeRecording(session_, options_.run.file, ReadFile(options_.run.file, kMaxFileBytes, Reads::kProgram));
    const std::vector<Written> writes = WritesOf(recorded);
    const Recording golden = GoldenRecording(options_.golden, recorded, writes);
    const Parting parting = FirstDifference(recorded, writes, golden, WritesOf(golden));
    if (parting.unknown != 0) {
      Tell(Format("--golden: the elements of %lld tiles were not all kept; raise --report-limit",
                  static_cast<long long>(parting.unknown)));
    }
    if (parting.event < 0) return true;
    std::printf("%s\n", parting.text.c_str());
    session_.Must(pto_program_mark(ctx(), program(), parting.event, parting.text.c_str()));
    return false;
  }

  // Outputs that conflict are reported before the run.
  void TakeTargets() const {
    for (const auto& [name, path] : Split(options_.golden, "--golden")) WillRead(path);
    Targets targets;
    session_.TakeTargets(&targets);
    for (const std::string& path : {options_.trace, options_.report}) {
      if (!path.empty()) targets.Take(path);
    }
  }

  void AddRecorded(Outputs* outputs) const {
    const auto made = [this](const char* text) {
      if (text == nullptr) Fail("%s", Reason(ctx()).c_str());
      return text;
    };
    if (!options_.trace.empty()) {
      outputs->Add(options_.trace, [this, made, next = int64_t{0}]() mutable -> std::string_view {
        constexpr int64_t kPart = 4096;
        const int64_t count = pto_program_event_count(program(), PTO_EVENT_PART_EVENTS);
        if (next > 0 && next >= count) return "";
        const char* part = made(pto_program_trace_part(ctx(), program(), next, kPart));
        next += kPart;
        return part;
      });
    }
    if (!options_.report.empty()) outputs->Add(options_.report, made(pto_program_report(ctx(), program())));
  }

  void Dump() const {
    if (options_.dump.empty()) return;
    std::vector<std::string> names;
    if (options_.dump == "all") {
      for (int32_t i = 0; i < pto_program_tile_count(program()); ++i)
        names.emplace_back(pto_program_tile_name(program(), i));
    } else {
      names.push_back(options_.dump.substr(options_.dump[0] == '%' ? 1 : 0));
    }
    for (const std::string& name : names) {
      const Array array = session_.ReadTile(name);
      std::printf("%%%s: %s of %s\n", name.c_str(), ShapeText(array.shape).c_str(), pto_dtype_name(array.dtype));
      for (int64_t i = 0; i < array.Count(); ++i) {
        std::printf("%s%.9g", i % array.shape[1] == 0 ? "  " : " ", ElementAt(array, i));
        if ((i + 1) % array.shape[1] == 0) std::printf("\n");
      }
    }
  }

  const Options& options_;
  Session session_;
};

}  // namespace

void AddRun(CLI::App& app, int* code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Runs a program.");
  command->add_option("FILE", options->run.file, "A program; - is standard input")->required();
  AddRunOptions(command, &options->run);
  AddInOption(command, &options->run);
  command->add_option("--out", options->run.out, "NAME=FILE: an argument, or a tile, to a .npy or .png file")
      ->allow_extra_args(false);
  command->add_option("--dump", options->dump,
                      "NAME of a tile or register, with or without %, or all: prints them after the run");
  command->add_option("--trace", options->trace,
                      "FILE: when each instruction ran, on what: for Perfetto and Chrome's about:tracing");
  command->add_option("--report", options->report, "FILE: a page for a browser that shows what each instruction did");
  AddInteger(command, "--report-limit", &options->report_limit, 1,
             "Bytes that tiles and instructions of a report take in memory");
  command
      ->add_option("--golden", options->golden,
                   "NAME=FILE: what a tile or register is to hold; the report leads to the first that differs")
      ->allow_extra_args(false);
  command->add_flag("--stats", options->stats, "Prints the time of each instruction and each line");
  command->add_flag("--sync", options->sync,
                    "Checks that flags and barriers order the pipes of a core where they touch the same bytes");
  command->add_flag("--poison-inactive", options->poison,
                    "Fills inactive lanes of registers with 0xA5 to find programs that depend on them");
  command->add_flag("--plan", options->plan, "Prints to stderr which instructions run by rows or without copies");
  AddInteger(command, "--slack", &options->slack, 0,
             "Bytes after each array that copies of the vector level may reach, with a warning");
  command->add_flag("--werror", options->werror, "Takes warnings for errors");
  AddForce(command);
  command->callback([options, code] {
    options->run.zeros = options->sync;
    *code = Runner(*options).Run();
  });
}

}  // namespace pto::cli
