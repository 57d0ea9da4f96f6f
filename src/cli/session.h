// A program with what its arguments are bound to: what commands that run programs share.
#ifndef PTO_SRC_CLI_SESSION_H_
#define PTO_SRC_CLI_SESSION_H_

#include <map>
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
  int32_t blocks = 1;
  int32_t threads = 1;
  int64_t max_steps = 0;
  double timeout = 0;
  int64_t on_chip_limit = 0;
  bool flat = false;                    // arrays are bound as lists of elements
  bool zeros = false;                   // memory without data counts as zeros: orders are looked at, not values
  std::map<std::string, Array> arrays;  // of arguments that come from no file
};
// Those of the command line, but for the file, the target, --in and --out.
void AddRunOptions(CLI::App* command, RunOptions* options);
// --in NAME=FILE.
void AddInOption(CLI::App* command, RunOptions* options);

// NAME=VALUE, the % of the name optional.
using Pairs = std::map<std::string, std::string>;
Pairs Split(const std::vector<std::string>& texts, const char* option);

class Session {
 public:
  explicit Session(const RunOptions& options) : options_(options) {}

  // Reads, checks and binds. False: the diagnostics say what is wrong with the program.
  bool TryPrepare(bool werror);
  // The same; prints them.
  bool Prepare(bool werror);
  // Sets the blocks, threads and limits of the options, for a run.
  void Limit() const;
  // Runs it so; `progress`: tells a terminal how far it is.
  pto_status Run(bool progress);

  pto_context* ctx() const { return loaded_.ctx.get(); }
  pto_program* program() const { return loaded_.program.get(); }
  const char* entry() const { return entry_; }
  void Must(pto_status status) const;
  // Whether a statement was refused; else what the context says is all that is known.
  bool HasError() const;
  // A run that an argument stopped is trouble with what was given for it, not with the program.
  void BlameArgument() const;
  Array ReadTile(const std::string& name) const;
  // What the options ask for: where it will go, and it.
  void TakeTargets(Targets* targets) const;
  void AddOutputs(Outputs* outputs) const;

 private:
  // Data of a tensor argument; it stays where it is while the program runs.
  struct Bound {
    Array array;
    TensorHandle tensor;
    TileHandle tile;
    std::string from;     // file it was read from, or empty
    std::string out;      // file to write, or empty
    bool result = false;  // holds no data before the run
  };

  void Bind();
  std::string Advice(const std::string& name) const;
  std::string NearArgument(const std::string& name) const;
  void BindNumber(const std::string& name, const std::string& text, bool integer);
  void BindMemory(int32_t index, const std::string& name, const std::string& from, ShapeSpec wish, Bound* bound);
  // The shape and type of memory that no file has, as far as --shape and the program say them.
  void Complete(int32_t index, const std::string& name, ShapeSpec* wish) const;
  void SetOutput(const std::string& name, const Bound& bound);
  void BindTensor(const std::string& name, Bound* bound);
  void BindTile(int32_t index, const std::string& name, Bound* bound);
  Array ReadTensor(const Bound& bound) const;

  RunOptions options_;
  Loaded loaded_;
  const char* entry_ = nullptr;
  std::map<std::string, Bound> bound_;
  Pairs made_;
};

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_SESSION_H_
