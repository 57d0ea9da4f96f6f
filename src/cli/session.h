// A program with what its arguments are bound to: what commands that run programs share.
#ifndef PTO_SRC_CLI_SESSION_H_
#define PTO_SRC_CLI_SESSION_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "src/cli/array.h"
#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/program.h"

namespace pto::cli {

struct RunOptions {
  std::string file;
  std::string entry;
  std::string profile;
  std::string target;  // SIMD; empty: the best
  std::vector<std::string> in;
  std::vector<std::string> out;
  std::vector<std::string> shape;
  std::vector<std::string> ints;
  std::vector<std::string> floats;
  int32_t ranks = 0;  // 0: one device
  std::vector<std::string> peers;
  std::string schedule;
  int32_t blocks = 1;
  int32_t threads = 1;
  int64_t max_steps = 0;
  double timeout = 0;
  int64_t on_chip_limit = 0;
  bool flat = false;                    // arrays are bound as lists of elements
  bool zeros = false;                   // memory without data counts as zeros: orders are looked at, not values
  std::map<std::string, Array> arrays;  // of arguments that come from no file
};
// The options of the command line, except the file, the target, --in and --out.
void AddRunOptions(CLI::App* command, RunOptions* options);
// --in NAME=FILE.
void AddInOption(CLI::App* command, RunOptions* options);

// NAME=VALUE, the % of the name optional.
using Pairs = std::map<std::string, std::string>;
Pairs Split(const std::vector<std::string>& texts, const char* option);

// The values that an option sets for arguments, by name or number, on all ranks or on one: NAME=VALUE, NAME@RANK=VALUE.
class Given {
 public:
  Given(const std::vector<std::string>& texts, const char* option) : pairs_(Split(texts, option)), option_(option) {}
  // Empty: nothing. For a rank, its own setting has priority; -1: there are no ranks.
  std::string Of(const std::string& name, const std::string& number, int32_t rank);
  // The pairs that no argument took.
  Pairs Left() const;
  const char* option() const { return option_; }

 private:
  Pairs pairs_;
  std::set<std::string> used_;
  const char* option_;
};

class Session {
 public:
  explicit Session(const RunOptions& options) : options_(options) {}

  // Reads, checks and binds. False: the diagnostics have the errors of the program.
  bool TryPrepare(bool werror);
  // The same; prints them.
  bool Prepare(bool werror);
  // Sets the blocks, threads and limits of the options, for a run.
  void Limit() const;
  // Runs the program with these options; `progress`: shows progress on a terminal.
  pto_status Run(bool progress);

  pto_context* ctx() const { return loaded_.ctx.get(); }
  const std::string& text() const { return loaded_.text; }
  pto_program* program() const { return loaded_.program.get(); }
  const char* entry() const { return entry_; }
  void Must(pto_status status) const;
  // Whether a statement failed; otherwise the context has the only information.
  bool HasError() const;
  // A run that an argument stopped is trouble with what was given for it, not with the program.
  void BlameArgument() const;
  Array ReadTile(const std::string& name) const;
  // Whether this process runs one rank, and others the other ones.
  bool IsOneRank() const { return self_ >= 0; }
  // What the options ask for: where it will go, and it.
  void TakeTargets(Targets* targets) const;
  void AddOutputs(Outputs* outputs) const;

 private:
  // Data of a tensor argument; it stays where it is while the program runs.
  struct Bound {
    Array array;
    TensorHandle tensor;
    TileHandle tile;
    int32_t index = -1;   // of the argument
    int32_t rank = -1;    // -1: there are no ranks
    bool loaded = false;  // there is something to bind
    std::string from;     // file it was read from, or empty
    std::string out;      // file to write, or empty
    bool result = false;  // holds no data before the run
    int64_t place = -1;   // in the window of its rank; -1: peers do not reach it
  };
  // A pointer to an array of another rank.
  struct Peer {
    std::string array;
    bool relative = false;
    int64_t rank = 0;
  };
  struct Options;

  void Bind();
  std::string Advice(const std::string& name) const;
  std::string NearArgument(const std::string& name) const;
  void BindNumber(const std::string& name, const std::string& text, bool integer);
  void BindRank(Options* given, int32_t rank);
  bool Load(int32_t index, const std::string& name, const std::string& from, ShapeSpec wish, Bound* bound);
  void Attach(const std::string& name, Bound* bound);
  // session_ranks.cc
  void ReadPeers();
  void PlaceWindows();
  void BecomeRank();
  void MeetRanks() const;
  bool Runs(int32_t rank) const { return self_ < 0 || rank == self_; }
  void AttachRank(int32_t rank);
  void BindPeers(int32_t rank);
  std::string Number(const std::string& text, int32_t rank) const;
  static std::string Key(const std::string& name, int32_t rank);
  // The shape and type of memory without a file, as far as --shape and the program specify them.
  void Complete(int32_t index, const std::string& name, ShapeSpec* wish) const;
  void SetOutput(const std::string& name, const Bound& bound);
  void BindTensor(const std::string& name, Bound* bound);
  void BindTile(int32_t index, const std::string& name, Bound* bound);
  Array ReadTensor(const Bound& bound) const;
  Array ReadTile(pto_tile* tile) const;
  std::string TilesText() const;

  RunOptions options_;
  Loaded loaded_;
  const char* entry_ = nullptr;
  std::map<std::string, Bound> bound_;  // by Key()
  std::map<std::string, Peer> peers_;   // by argument
  WorldHandle world_;
  int64_t start_ = 0;  // the signal in each window that ranks begin with
  int32_t self_ = -1;  // the rank that this process is; -1: it runs all of them
  struct NumberOf {
    std::string name;
    std::string text;
    bool integer;
  };
  std::map<int32_t, std::vector<NumberOf>> numbers_;  // of ranks
  Pairs made_;
};

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_SESSION_H_
