// A run of a program: its blocks, on one thread or several. A block is a core of its own: it finds
// nothing of the blocks before it, and leaves what it stored in global memory. So results do not
// depend on the number of threads.
//
// The parts of a run that depend on the program are made once: functions resolved to code, instructions, the memory of
// a core. A run whose entry, profile and SIMD target are the same as in the run before takes it over, with whatever is
// bound now, and begins with the bindings.
#ifndef PTO_SRC_PTOAS_LAUNCH_H_
#define PTO_SRC_PTOAS_LAUNCH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/run/cores.h"
#include "src/ptoas/run/turns.h"

namespace pto::ptoas {

// A world that a program runs on, and what its arguments are bound to on each rank.
struct Ranks {
  pto_world* world = nullptr;
  std::vector<Bindings> bindings;
  // Not -1: only this rank runs, and waits for others that run elsewhere; `bindings` has its own.
  int32_t alone = -1;
};

class Launch {
 public:
  // Compiled once, not by each user: the parts hold maps and lists of many types.
  Launch();
  ~Launch();
  // True when the run reached its end. If not, the cause, from the first block by number, is the one in
  // `diagnostics` and status() its class. Throws std::bad_alloc only.
  bool Run(pto_context* ctx, const Func& entry, const Bindings& bindings, const RunOptions& options,
           Diagnostics* diagnostics, const Ranks* ranks = nullptr);

  // For the latest run.
  pto_status status() const { return status_; }
  const std::string& argument_at_fault() const { return argument_at_fault_; }
  int64_t steps() const { return steps_; }
  const std::string& output() const { return output_; }
  // For the current run, from any thread.
  int64_t steps_so_far() const { return turns_.steps(); }
  int32_t blocks_so_far() const { return turns_.blocks(); }
  const Recorder& recorder() const { return recorder_; }
  // For the latest run; nullptr: it did not check synchronisation.
  const sync::Checker* checker() const { return checker_.get(); }
  // Chrome's trace format, a JSON array of complete events: the part with `count` of them. The part from 0 on opens the
  // array, the one with the last event closes it.
  std::string Trace(size_t first, size_t count) const;
  // For the last block, or the one that the run failed in: see Cores.
  void IndexTiles();
  // No tile has a name any more.
  void ForgetTiles() { tiles_known_ = false; }
  std::span<const std::string> tile_names() const {
    return tiles_known_ ? std::span(tile_names_) : std::span<const std::string>();
  }
  pto_tile* TileOf(std::string_view name) const;

 private:
  void ReportParts();
  // The conditions under which the code of a run is valid.
  struct Plan {
    const Func* entry = nullptr;
    Profile profile = Profile::kCpu;
    const char* target = nullptr;  // static text
    // Cores are made for their place among others: the blocks under way at a time (0: each by itself), and their world.
    size_t together = 0;
    pto_world* world = nullptr;
    int32_t alone = -1;  // see Ranks
    Crew crew;
  };

  // The results that a finished block keeps until its turn.
  struct Result {
    Machine::End end;
    Cores* cores;
    int64_t steps;
    std::string output;
    Diagnostics found;
    Growing<Event> events, vector_events;  // that no other recorder has
  };

  void Prepare(const pto_context* ctx, const Func& entry);
  bool CheckWaits();
  void Work();
  std::unique_ptr<sync::Checker> CheckerFor(Profile profile) const;
  void RunBlocks(Cores* cores, Recorder* recorder);
  void RunTogether();
  void TakeTurns(std::vector<Machine::End>* ends);
  bool AwaitRanks(std::vector<Machine::End>* ends);
  void SayDeadlock(std::vector<Machine::End>* ends);
  std::span<const std::unique_ptr<Cores>> BlocksOf(size_t one) const;
  // Under mutex_.
  void Keep(int32_t block, Result result);
  void Take(int32_t block, Result& result);
  void TakeOutput(std::string_view text);
  void Fail(int32_t block, const Result& result);
  void FailEntry(Rule rule, const std::string& message);
  void Say(const Diagnostics& found);

  // For the current run.
  pto_context* ctx_ = nullptr;
  const Func* entry_ = nullptr;
  const Bindings* bindings_ = nullptr;
  const Ranks* ranks_ = nullptr;
  RunOptions options_;
  Diagnostics* diagnostics_ = nullptr;
  int32_t threads_ = 1;
  bool meets_ = false;  // blocks or ranks wait for each other: all are under way at a time
  Plan plan_;
  Turns turns_;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Bindings>> copies_;
  Chips chips_;
  std::vector<std::unique_ptr<Cores>> cores_;         // one a thread; one a block where blocks are under way together
  size_t taken_ = 0;                                  // of these: threads that have one
  std::vector<std::unique_ptr<Recorder>> recorders_;  // one a thread, where there are several
  int32_t next_ = 0;                                  // block to begin
  int32_t first_ = 0;                                 // that is not done
  std::map<int32_t, Result> kept_;
  int64_t kept_bytes_ = 0;
  bool no_memory_ = false;

  Cores* last_ = nullptr;           // of the last block, or of the one that failed
  const Cores* indexed_ = nullptr;  // whose tiles have the names below
  std::vector<std::string> tile_names_;
  bool tiles_known_ = false;
  bool failed_ = false;
  pto_status status_ = PTO_OK;
  std::string argument_at_fault_;
  int64_t steps_ = 0;
  std::string output_;
  bool cut_ = false;  // there was no room for more output
  Recorder recorder_;
  std::unique_ptr<sync::Checker> checker_;  // where synchronisation is checked
  std::unique_ptr<Unset> unset_;            // where there are outputs
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_LAUNCH_H_
