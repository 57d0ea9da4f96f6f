// `pto bisect`: the first instruction after which two runs differ.
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/files.h"
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

// Answers false when the program cannot be run; what is wrong was printed.
bool RunRecorded(RunOptions options, const std::string& target, int64_t limit, Recording* out) {
  options.target = target;
  Session session(options);
  if (!session.Prepare(false)) return false;
  session.Must(pto_program_record(session.ctx(), session.program(), PTO_RECORD_TILES, limit));
  if (session.Run(true) != PTO_OK) {
    if (!session.HasError()) Fail("%s", pto_context_error_message(session.ctx()));
    session.BlameArgument();
    PrintDiagnostics(session.program());  // what ran until then is compared
  }
  const std::string name = target.empty() ? options.file : options.file + " (" + target + ")";
  *out = TakeRecording(session, name, ReadFile(options.file));
  return true;
}

const char* OpName(int64_t op) {
  const char* name = op < 0 || op > INT32_MAX ? nullptr : pto_op_name(static_cast<int32_t>(op));
  return name == nullptr ? "an instruction" : name;
}

std::string WritePlace(const Recording& r, const Written& w) {
  std::string place = Format("%s:%" PRId64 ":%" PRId64, r.name.c_str(), w.line, w.column);
  place += Format(": %s writes %s", OpName(w.op), w.tile.c_str());
  if (w.time != 0) place += Format(", time %" PRId64, w.time + 1);
  return w.block == 0 ? place : place + Format(", block %" PRId64, w.block);
}

std::string BitsText(pto_dtype dtype, const char* at) {
  const auto bytes = static_cast<size_t>(pto_dtype_bytes(dtype));
  Array one{dtype, {1}, std::string(at, bytes)};
  uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return Format("%.9g (0x%0*" PRIx64 ")", ElementAt(one, 0), static_cast<int>(2 * bytes), bits);
}

// What differs between two tiles; empty when nothing does.
std::string TileDifference(const Recording& a, const int64_t* x, const Recording& b, const int64_t* y) {
  const auto field = [&](int i) { return std::pair(x[i], y[i]); };
  const auto [type, other_type] = field(PTO_EVENT_TILE_DTYPE);
  const auto [rows, other_rows] = field(PTO_EVENT_TILE_VALID_ROWS);
  const auto [cols, other_cols] = field(PTO_EVENT_TILE_VALID_COLS);
  if (type != other_type || rows != other_rows || cols != other_cols) {
    return Format("it is %" PRId64 "x%" PRId64 " of %s here and %" PRId64 "x%" PRId64 " of %s there", rows, cols,
                  pto_dtype_name(static_cast<pto_dtype>(type)), other_rows, other_cols,
                  pto_dtype_name(static_cast<pto_dtype>(other_type)));
  }
  if (x[PTO_EVENT_TILE_DIGEST] == y[PTO_EVENT_TILE_DIGEST]) return "";
  const auto dtype = static_cast<pto_dtype>(type);
  const int64_t bytes = pto_dtype_bytes(dtype);
  const int64_t kept = x[PTO_EVENT_TILE_DATA_BYTES];
  const bool alike = kept == y[PTO_EVENT_TILE_DATA_BYTES] && x[PTO_EVENT_TILE_ROW_STEP] == y[PTO_EVENT_TILE_ROW_STEP] &&
                     x[PTO_EVENT_TILE_COL_STEP] == y[PTO_EVENT_TILE_COL_STEP];
  const int64_t row_step = x[PTO_EVENT_TILE_ROW_STEP];
  const int64_t col_step = x[PTO_EVENT_TILE_COL_STEP];
  const int64_t width = (cols + col_step - 1) / col_step;
  int64_t count = 0;
  int64_t first = -1;
  for (int64_t at = 0; alike && at + bytes <= kept; at += bytes) {
    const char* mine = a.data.data() + x[PTO_EVENT_TILE_DATA] + at;
    const char* yours = b.data.data() + y[PTO_EVENT_TILE_DATA] + at;
    if (std::memcmp(mine, yours, static_cast<size_t>(bytes)) == 0) continue;
    if (count++ == 0) first = at / bytes;
  }
  if (first < 0 || width == 0) return "its elements differ; they were not kept: raise --limit";
  const std::string mine = BitsText(dtype, a.data.data() + x[PTO_EVENT_TILE_DATA] + first * bytes);
  const std::string yours = BitsText(dtype, b.data.data() + y[PTO_EVENT_TILE_DATA] + first * bytes);
  return Format("element (%" PRId64 ", %" PRId64 ") is %s here and %s there; %" PRId64 " of %" PRId64 " differ",
                first / width * row_step, first % width * col_step, mine.c_str(), yours.c_str(), count, kept / bytes);
}

// Arrays that tiles are to be equal to: R x C to what is written last, K x R x C to each of K times.
Recording GoldenRecording(const std::vector<std::string>& goldens, const std::vector<Written>& writes) {
  Recording r;
  r.name = "golden";
  for (const auto& [name, path] : Split(goldens, "--golden")) {
    const Array array = ReadArray(path, {});
    if (array.shape.size() != 2 && array.shape.size() != 3)
      Fail("%s: has the shape %s where a tile has two dimensions, or three with times", path.c_str(),
           ShapeText(array.shape).c_str());
    int64_t last = -1;
    for (const Written& w : writes) {
      if (w.tile == "%" + name && w.block == 0) last = w.time;
    }
    if (last < 0) Fail("--golden %s: nothing writes a tile of this name", name.c_str());
    const bool times = array.shape.size() == 3;
    const int64_t count = times ? array.shape[0] : 1;
    const int64_t rows = array.shape[array.shape.size() - 2];
    const int64_t cols = array.shape.back();
    const int64_t bytes = rows * cols * pto_dtype_bytes(array.dtype);
    if (times && count > last + 1)
      Fail("%s: has %" PRId64 " times where %%%s is written %" PRId64 " times", path.c_str(), count, name.c_str(),
           last + 1);
    // Before the last one nothing is said.
    for (int64_t k = times ? 0 : last; k < (times ? count : last + 1); ++k) {
      std::vector<int64_t> event(kEventFields, 0);
      event[PTO_EVENT_FIRST_TILE] = static_cast<int64_t>(r.tiles.size()) / kTileFields;
      event[PTO_EVENT_TILES] = 1;
      event[PTO_EVENT_REPEAT] = k;
      r.events.insert(r.events.end(), event.begin(), event.end());
      std::vector<int64_t> tile(kTileFields, 0);
      tile[PTO_EVENT_TILE_AFTER] = 1;
      tile[PTO_EVENT_TILE_OFFSET] = static_cast<int64_t>(r.text.size());
      tile[PTO_EVENT_TILE_LENGTH] = static_cast<int64_t>(name.size()) + 1;
      tile[PTO_EVENT_TILE_DTYPE] = array.dtype;
      tile[PTO_EVENT_TILE_VALID_ROWS] = rows;
      tile[PTO_EVENT_TILE_VALID_COLS] = cols;
      tile[PTO_EVENT_TILE_ROW_STEP] = tile[PTO_EVENT_TILE_COL_STEP] = 1;
      tile[PTO_EVENT_TILE_DATA] = static_cast<int64_t>(r.data.size());
      tile[PTO_EVENT_TILE_DATA_BYTES] = bytes;
      r.tiles.insert(r.tiles.end(), tile.begin(), tile.end());
      r.data.append(array.data, static_cast<size_t>((times ? k : 0) * bytes), static_cast<size_t>(bytes));
    }
    r.text += "%" + name;
  }
  return r;
}

// Where the elements of both are there whole, these are compared, since a golden has no digest.
bool SameElements(const Recording& a, const int64_t* x, const Recording& b, const int64_t* y) {
  const int64_t bytes = x[PTO_EVENT_TILE_DATA_BYTES];
  return bytes != 0 && bytes == y[PTO_EVENT_TILE_DATA_BYTES] && x[PTO_EVENT_TILE_ROW_STEP] == 1 &&
         x[PTO_EVENT_TILE_COL_STEP] == 1 && y[PTO_EVENT_TILE_ROW_STEP] == 1 && y[PTO_EVENT_TILE_COL_STEP] == 1 &&
         x[PTO_EVENT_TILE_DTYPE] == y[PTO_EVENT_TILE_DTYPE] &&
         x[PTO_EVENT_TILE_VALID_COLS] == y[PTO_EVENT_TILE_VALID_COLS] &&
         std::memcmp(a.data.data() + x[PTO_EVENT_TILE_DATA], b.data.data() + y[PTO_EVENT_TILE_DATA],
                     static_cast<size_t>(bytes)) == 0;
}

int CompareRuns(const Recording& a, const Recording& b, const std::vector<Written>& ours,
                const std::vector<Written>& theirs) {
  std::map<std::tuple<std::string, int64_t, int64_t>, const Written*> known;
  for (const Written& w : theirs) known[{w.tile, w.block, w.time}] = &w;
  int64_t same = 0;
  for (const Written& w : ours) {
    const auto other = known.find({w.tile, w.block, w.time});
    if (other == known.end()) continue;
    const Written& there = *other->second;
    const std::string difference = SameElements(a, w.row, b, there.row) ? "" : TileDifference(a, w.row, b, there.row);
    if (difference.empty()) {
      ++same;
      continue;
    }
    std::printf("%s\n%s\n%s\nBefore it, %" PRId64 " writes are the same.\n", WritePlace(a, w).c_str(),
                there.line == 0 ? (b.name + " of " + w.tile).c_str() : WritePlace(b, there).c_str(), difference.c_str(),
                same);
    return kFound;
  }
  if (same == 0) Fail("no tile of one name is written in both");
  std::printf("%" PRId64 " writes are the same", same);
  const auto alone = static_cast<int64_t>(ours.size()) - same;
  if (alone != 0 || static_cast<int64_t>(theirs.size()) != same) {
    std::printf("; %" PRId64 " here and %" PRId64 " there have no other", alone,
                static_cast<int64_t>(theirs.size()) - same);
  }
  if (a.lost != 0 || b.lost != 0) std::printf("; there was no room for all: raise --limit");
  std::printf(".\n");
  return kOk;
}

int RunBisect(const BisectOptions& options) {
  const int others =
      (options.other.empty() ? 0 : 1) + (options.against.empty() ? 0 : 1) + (options.golden.empty() ? 0 : 1);
  const bool targets = !options.target_a.empty() || !options.target_b.empty();
  if (others > 1) Fail("bisect: name one of a second program, --against and --golden");
  if (others == 0 && !targets && options.save.empty()) {
    Fail("bisect: name a second program, --target-a and --target-b, --against, --golden, or --save");
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
    b = GoldenRecording(options.golden, ours);
  } else {
    RunOptions second = options.run;
    if (!options.other.empty()) second.file = options.other;
    if (!RunRecorded(second, options.target_b, options.limit, &b)) return kFound;
  }
  std::vector<Written> theirs = WritesOf(b);
  // A golden says itself which time it is of.
  for (size_t i = 0; !options.golden.empty() && i < theirs.size(); ++i) {
    theirs[i].time = b.events[i * kEventFields + PTO_EVENT_REPEAT];
  }
  return CompareRuns(a, b, ours, theirs);
}

}  // namespace

void AddBisect(CLI::App& app, int* code) {
  auto options = std::make_shared<BisectOptions>();
  CLI::App* command = app.add_subcommand("bisect", "Finds the first instruction after which two runs differ.");
  command->add_option("A", options->run.file, "A program; a file, since it is read twice")->required();
  command->add_option("B", options->other, "Another program that writes tiles of the same names; without it A again");
  AddRunOptions(command, &options->run);
  AddInOption(command, &options->run);
  command->add_option("--target-a", options->target_a, "The SIMD target on which A runs; pto info lists them");
  command->add_option("--target-b", options->target_b, "The one of the other run");
  command->add_option("--against", options->against, "FILE: the other is a recording, as of another version of libpto");
  command->add_option("--golden", options->golden, "NAME=FILE: what a tile is to hold in the end, or each time")
      ->allow_extra_args(false);
  command->add_option("--save", options->save, "FILE: writes what A recorded");
  command->add_option("--limit", options->limit, "Bytes that a recording takes in memory")->check(CLI::PositiveNumber);
  command->callback([options, code] { *code = RunBisect(*options); });
}

}  // namespace pto::cli
