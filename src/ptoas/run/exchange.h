// Traffic between the cores of a block: tiles through pipes, and flags. Nothing here waits: a core that asks for
// something too early gets that result, and asks again in its next turn.
#ifndef PTO_SRC_PTOAS_EXCHANGE_H_
#define PTO_SRC_PTOAS_EXCHANGE_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/run/recorder.h"

namespace pto::ptoas {

constexpr int32_t kVectorCores = 2;  // vector cores of a block

// A core of a block. A program that knows no kinds of cores has one, which runs everything.
struct Core {
  CoreKind kind = CoreKind::kAny;
  int32_t lane = 0;  // of a vector core
  int32_t lanes = 1;
  bool alone = true;
  bool below = false;  // of a cube core: statements below tiles are in the program, which are for A5

  bool Runs(CoreKind code) const { return kind == CoreKind::kAny || code == CoreKind::kAny || kind == code; }
  std::string Name() const;
  int8_t Index() const {
    if (alone) return kOnlyCore;
    return static_cast<int8_t>(kind == CoreKind::kCube ? 0 : 1 + lane);
  }
};

// The reason why a core waits.
struct Wait {
  // kOthers: a turn of other ranks.
  enum class Need : uint8_t { kTurn, kOthers, kSpace, kParcel, kFlag, kSyncAll, kSignal };
  Need need = Need::kTurn;
  Core from;           // who can give it
  int64_t number = 0;  // of the flag; slots that are full
  int32_t block = -1;  // of a flag of all blocks: whose core it is
  // For a signal: what `number` is compared with, and how.
  const pto_tensor* signal = nullptr;
  pto_wait_cmp cmp = PTO_WAIT_CMP_EQ;
};

// A push: the valid elements of a tile, row by row, or a slot in global memory.
struct Parcel {
  const Stmt* stmt = nullptr;
  std::vector<char> data;
  pto_dtype dtype = PTO_DTYPE_F32;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t slot = -1;  // in global memory
  int64_t split = 0;  // how it was pushed
};

// From the cube core to one vector core, or from there.
struct Channel {
  std::deque<Parcel> parcels;         // that are pushed and not popped
  std::deque<const void*> allocated;  // slots in global memory that are taken and not pushed: where they begin
  int64_t taken = 0;                  // slots that the producer took, and pushed since ...
  int64_t pushed = 0;
  int64_t popped = 0;
  int64_t freed = 0;
};

// The parameters with which a core creates its end of a pipe. Both ends have the same.
struct PipeEnd : PipeShape {
  const Stmt* stmt = nullptr;  // nullptr: it did not yet
};

struct Pipe {
  PipeEnd ends[2];                    // of the cube core, of the vector cores
  Channel channels[2][kVectorCores];  // to the vector cores, from them

  const PipeEnd& Said() const { return ends[ends[0].stmt == nullptr ? 1 : 0]; }
  // The producer learns of free slots by halves of the ring, as on a device.
  int64_t Period() const { return Said().slots <= 2 ? Said().slots : Said().slots / 2; }
  bool Full(const Channel& channel) const {
    return channel.taken - (channel.freed - channel.freed % Period()) >= Said().slots;
  }
  // Whether the next slot is the first one of a group that was reported free together.
  bool Told(const Channel& channel) const {
    return channel.taken >= Said().slots && (channel.taken - Said().slots) % Period() == 0;
  }
};

// Flags that cores of a kind set and wait for together. One is up for a core that waited for it less often than each
// of them has set it.
class Meeting {
 public:
  void Begin(int64_t members) {
    members_ = static_cast<size_t>(members);
    flags_.clear();
  }
  int64_t members() const { return static_cast<int64_t>(members_); }
  // How often a member has set a flag and did not wait for it.
  int64_t Ahead(int64_t member, int64_t id) {
    const One& one = At(id).of[static_cast<size_t>(member)];
    return one.set - one.waited;
  }
  // The first who has not set what a member waits for; -1: all did.
  int64_t Missing(int64_t member, int64_t id) {
    const Flag& flag = At(id);
    const int64_t waited = flag.of[static_cast<size_t>(member)].waited;
    if (flag.least > waited) return -1;
    return std::find_if(flag.of.begin(), flag.of.end(), [&](const One& one) { return one.set <= waited; }) -
           flag.of.begin();
  }
  void Set(int64_t member, int64_t id) {
    Flag& flag = At(id);
    if (flag.of[static_cast<size_t>(member)].set++ != flag.least || --flag.behind != 0) return;
    ++flag.least;
    flag.behind = std::count_if(flag.of.begin(), flag.of.end(), [&](const One& one) { return one.set == flag.least; });
  }
  void Take(int64_t member, int64_t id) { ++At(id).of[static_cast<size_t>(member)].waited; }
  // A message from one side to the other, for the checker.
  const void* Line(int64_t from, int64_t to, int64_t id) { return &At(id).lines[from][to]; }

 private:
  struct One {
    int64_t set = 0;
    int64_t waited = 0;
  };
  struct Flag {
    std::vector<One> of;
    int64_t least = 0;   // how often each has set it ...
    int64_t behind = 0;  // ... and how many no more often
    char lines[kVectorCores][kVectorCores] = {};
  };
  Flag& At(int64_t id) {
    Flag& flag = flags_[id];
    if (flag.of.empty()) {
      flag.of.resize(members_);
      flag.behind = members();
    }
    return flag;
  }

  size_t members_ = 0;
  std::map<int64_t, Flag> flags_;
};

// For the cube cores and the vector cores of all blocks that run at a time.
struct Meetings {
  Meeting of[2];
  std::map<std::pair<int, int64_t>, Meeting> all;  // of syncall: by the kind and number of cores
  int32_t first = 0;                               // block
  int64_t blocks = 1;

  void Begin(int32_t block, int64_t count, int64_t lanes) {
    first = block;
    blocks = count;
    all.clear();
    of[0].Begin(count);
    of[1].Begin(count * lanes);
  }
};

class Exchange {
 public:
  void Clear(int32_t lanes) {
    pipes_.clear();
    flags_ = {};
    beside_.Begin(lanes);
  }
  // For the vector cores of the block.
  Meeting& beside() { return beside_; }
  Pipe& PipeOf(int64_t number) { return pipes_[number]; }
  const std::map<int64_t, Pipe>& pipes() const { return pipes_; }
  // How often a flag was set and not waited for.
  int64_t& Flag(bool to_cube, int32_t lane, int64_t id) { return flags_.at[to_cube][lane][id]; }

  static constexpr int64_t kFlags = 16;
  static constexpr int64_t kMostSet = 15;

 private:
  std::map<int64_t, Pipe> pipes_;
  Meeting beside_;
  struct {
    int64_t at[2][kVectorCores][kFlags] = {};
  } flags_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_EXCHANGE_H_
