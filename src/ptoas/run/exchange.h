// What passes between the cores of a block: tiles through pipes, and flags. Nothing here waits: who asks for what is
// not there yet is told so, and asks again when its turn comes.
#ifndef PTO_SRC_PTOAS_EXCHANGE_H_
#define PTO_SRC_PTOAS_EXCHANGE_H_

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

  bool Runs(CoreKind code) const { return kind == CoreKind::kAny || code == CoreKind::kAny || kind == code; }
  std::string Name() const;
  int8_t Index() const {
    if (alone) return kOnlyCore;
    return static_cast<int8_t>(kind == CoreKind::kCube ? 0 : 1 + lane);
  }
};

// What a core waits for.
struct Wait {
  enum class Need : uint8_t { kTurn, kSpace, kParcel, kFlag };
  Need need = Need::kTurn;
  Core from;           // who can give it
  int64_t number = 0;  // of the flag; slots that are full
};

// What was pushed: the valid elements of a tile, row by row, or a slot in global memory.
struct Parcel {
  const Stmt* stmt = nullptr;
  std::vector<char> data;
  pto_dtype dtype = PTO_DTYPE_F32;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t slot = -1;  // in global memory
};

// From the cube core to one vector core, or from there.
struct Channel {
  std::deque<Parcel> parcels;  // that are pushed and not popped
  int64_t taken = 0;           // slots that the producer took, and pushed since ...
  int64_t pushed = 0;
  int64_t popped = 0;
  int64_t freed = 0;
};

// What a core says of a pipe when it makes its end of it. Both ends say the same.
struct PipeEnd {
  const Stmt* stmt = nullptr;  // nullptr: it did not yet
  int64_t directions = 0;      // 1: cube to vector, 2: vector to cube, 3: both
  int64_t slot_bytes = 0;
  int64_t slots = 0;  // of each direction
};

struct Pipe {
  PipeEnd ends[2];                    // of the cube core, of the vector cores
  Channel channels[2][kVectorCores];  // to the vector cores, from them

  const PipeEnd& Said() const { return ends[ends[0].stmt == nullptr ? 1 : 0]; }
  // The producer is told of slots that are free by halves of the ring, as on a device.
  int64_t Period() const { return Said().slots <= 2 ? Said().slots : Said().slots / 2; }
  bool Full(const Channel& channel) const {
    return channel.taken - (channel.freed - channel.freed % Period()) >= Said().slots;
  }
  // Whether the slot that is taken next is the first of those that the producer was told of at a time.
  bool Told(const Channel& channel) const {
    return channel.taken >= Said().slots && (channel.taken - Said().slots) % Period() == 0;
  }
};

class Exchange {
 public:
  void Clear() {
    pipes_.clear();
    flags_ = {};
  }
  Pipe& PipeOf(int64_t number) { return pipes_[number]; }
  const std::map<int64_t, Pipe>& pipes() const { return pipes_; }
  // How often a flag was set and not waited for.
  int64_t& Flag(bool to_cube, int32_t lane, int64_t id) { return flags_.at[to_cube][lane][id]; }

  static constexpr int64_t kFlags = 16;
  static constexpr int64_t kMostSet = 15;

 private:
  std::map<int64_t, Pipe> pipes_;
  struct {
    int64_t at[2][kVectorCores][kFlags] = {};
  } flags_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_EXCHANGE_H_
