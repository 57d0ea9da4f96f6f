// A block: its cores, which take turns on one thread. A core runs until it has to wait for another one; where all wait,
// the block ends with an error that names what for. So nothing depends on how threads are scheduled.
#ifndef PTO_SRC_PTOAS_CORES_H_
#define PTO_SRC_PTOAS_CORES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/ptoas/run/machine.h"

namespace pto::ptoas {

// The cores that a program asks for: of each kind that its sections, functions and pipes name.
struct Crew {
  bool cube = false;
  bool vector = false;
  int32_t lanes = 1;           // vector cores
  bool below = false;          // statements below tiles are in it
  bool meets = false;          // cores of one block wait for cores of other blocks
  bool orders = false;         // it orders its pipes itself, or gives addresses
  bool waits = false;          // it has flags, barriers or buffers, of pipes or of cores
  const Func* peer = nullptr;  // what the cores run that are not of the entry's kind; nullptr: the entry
  bool Several() const { return cube && vector; }
  int Cores() const { return Several() ? 1 + lanes : 1; }
};
Crew CrewOf(const Func& entry);

// Blocks of one run after another, and of one run, one after another: see Machine.
class Cores {
 public:
  // Takes chips from those that are free, as far as there are some. Of the options the world and rank count.
  Cores(const Func& entry, const Crew& crew, const RunOptions& options, std::string_view source, Turns* turns,
        Chips* free);
  // Before the first block of a run.
  void Bind(const Bindings& bindings, const RunOptions& options, Recorder* recorder);
  // Gives them back. This object is of no further use.
  void GiveBack(Chips* free);

  Machine::End RunBlock(const pto_context* callers, int32_t block, int64_t max_steps);
  // The same in turns, beside other blocks with which its cores meet; kWaits: it waits for one of them.
  void Begin(const pto_context* callers, int32_t block, Meetings* meetings);
  Machine::End Go(int64_t* steps);
  void End(Machine::End end);
  bool moved() const { return moved_; }  // its latest turn did something
  // Reports who waits for whom; `beside`: all blocks of the rank, `all`: the blocks of all ranks.
  void Deadlock(std::span<const std::unique_ptr<Cores>> beside, std::span<const std::unique_ptr<Cores>> all = {});

  // A core that waits for a signal, of the block with a number in a list.
  struct SignalWait {
    size_t block;
    Machine* machine;
  };
  void AddSignalWaits(size_t block, std::vector<SignalWait>* waits);
  // Sleeps until its signal is there. False: it never will be, and the block failed.
  bool AwaitSignal(const Machine& machine);

  // For the latest block.
  BlockState& state() { return state_; }
  int64_t steps() const { return steps_; }
  // False: the same values have tiles as after the block before, so that TileNames() are the same.
  bool IndexTiles();
  std::vector<std::string> TileNames() const;
  pto_tile* TileOf(std::string_view name) const;

 private:
  Machine::End TakeTurns(int64_t* fuel);
  void WarnOfParcels();
  std::string LostSignal(const Machine& machine, std::span<const std::unique_ptr<Cores>> all) const;

  // `remedy` is a static text; nullptr: the rule's own.
  void Fail(Rule rule, uint32_t offset, uint32_t length, const std::string& message, const char* remedy = nullptr);

  const Func* entry_;
  const Func* peer_;
  const Bindings* bindings_ = nullptr;
  std::string_view source_;
  Diagnostics before_;  // of the block before, for its places
  BlockState state_;
  Bindings peer_bindings_;
  std::vector<std::unique_ptr<Machine>> machines_;
  std::vector<Machine*> order_;  // of turns
  uint32_t seed_ = 0;
  pto_world* world_;
  int32_t rank_;
  int32_t lanes_ = 1;
  Meetings meetings_;  // of this block by itself
  bool moved_ = false;
  int64_t steps_ = 0;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_CORES_H_
