// The synchronisation checker: whether flags, barriers and buffers order the pipes of a core where they touch the same
// bytes, whatever program it is that runs. Statements are known by an address, and are worded by whoever asks.
#ifndef PTO_SRC_PTOAS_SYNC_H_
#define PTO_SRC_PTOAS_SYNC_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "src/ptoas/run/pipe.h"
#include "src/ptoas/run/sync_access.h"
#include "src/ptoas/run/sync_clock.h"
#include "src/ptoas/run/sync_signal.h"
#include "src/ptoas/run/sync_used.h"

namespace pto::ptoas::sync {

inline constexpr int kFlagIds = 8;
inline constexpr int kBuffers = 32;
inline constexpr int kCoreFlags = 16;
// Pipes of a core, by a bit each.
inline constexpr unsigned kEveryPipe = (1U << kPipes) - 1;

enum class Mistake : uint8_t {
  kRace,         // two accesses in no order
  kHazard,       // two accesses of one pipe, without a barrier that it needs
  kOverwritten,  // what is read is another tile's by now
  kNeverSet,     // a wait for a flag that is not set
  kSetTwice,     // a flag that is set already
  kLeftSet,      // a flag without a wait
  kBadId,        // an id that no flag or buffer has
  kBuffer,       // a buffer taken twice, or given back by whoever has not got it
  kUseless,      // a wait that orders nothing
  kRefused,      // a barrier of a pipe that has none
  kMemBar,       // a load of what a scope stored, without its barrier
  kSignalLost,   // a signal that is set before a wait has seen what was there
  kEveryCore,    // a notification that cores of both kinds execute
};

// One line of the report: an error and its number of occurrences.
struct Finding {
  Mistake mistake;
  Where where = nullptr;       // the later statement
  Where other = nullptr;       // the earlier one
  Where where_part = nullptr;  // the parts of them that access memory: see Part()
  Where other_part = nullptr;
  std::string_view name;  // of the operand, here and there
  std::string_view other_name;
  Use use = Use::kRead;
  Use other_use = Use::kRead;
  int from = 0;  // pipe of the earlier statement
  int to = 0;    // of the later one
  int from_core = 0;
  int to_core = 0;
  int32_t block = 0;
  int32_t other_block = 0;
  int64_t id = 0;     // of the flag or buffer; for a race an unused id, or -1
  int64_t first = 0;  // of a race: the bytes of the later operand, from its first one on
  int64_t last = 0;
  bool global = false;
  Where notify = nullptr;  // of a race between ranks: the notification that does not order what is before it
  Where stale = nullptr;   // the wait that notifications of an earlier round satisfied
  int64_t times = 1;
};

class Checker {
 public:
  // For the blocks of one run, one after another, each of `cores` cores. Pipes by a bit each: those whose own
  // instructions a barrier must order, and those that have no barrier.
  explicit Checker(int cores = 1, unsigned overlapping = 0, unsigned without_barrier = 0)
      : Checker(cores, overlapping, without_barrier, {}, true) {}
  // The blocks of all ranks at a time: first the cores of rank 0, block by block, then of rank 1.
  struct OfRanks {
    int cores_of_block = 0;  // 0: there are no ranks
    int cores_of_rank = 0;
    bool drains = false;  // a notification waits for all pipes of its core, as a compiler makes it
  };
  // `waits`: flags, barriers or buffers are in the program, and are useful or not.
  Checker(int cores, unsigned overlapping, unsigned without_barrier, const OfRanks& ranks, bool waits);
  ~Checker();
  // Their on-chip memories are empty, and no block knows of another.
  void BeginBlock(int32_t block);
  void EndBlock();

  void Instruction(int core, pto_pipe pipe, Where where, std::span<Access> accesses);
  // For Instruction(): a part of a statement that its pipe runs as a whole. Findings name both.
  Where Part(Where whole, Where part) { return &*parts_.emplace(whole, part).first; }
  void SetFlag(int core, int from, int to, int64_t id, Where where);
  void WaitFlag(int core, int from, int to, int64_t id, Where where);
  // For all pipes of a core.
  void Barrier(int core, Where where);
  // For one pipe. Most are in order already.
  void PipeBarrier(int core, int pipe, Where where);
  void GetBuffer(int core, int pipe, int64_t id, Where where);
  void ReleaseBuffer(int core, int pipe, int64_t id, Where where);
  // What one core passes to another, in its order, by a line that is known by an address: what some pipes of the one
  // did, some pipes of the other know from then on. Every Hear() has its `Tell()`.
  void Tell(const void* line, int core, unsigned pipes);
  void Hear(const void* line, int core, unsigned pipes, Where where);
  // Communication between ranks. A signal is known by its address; `was` is what it held before, `own`: of this rank.
  void Notify(int core, const void* signal, int32_t was, int32_t value, bool set, bool own, Where where);
  // A wait, or a test, found all that it asks for: `holds(value)` is true for such values.
  void Await(int core, const void* signal, int32_t is, const std::function<bool(int32_t)>& holds, Where where);
  // The scalar unit waits for some pipes, by a bit each, to be done.
  void Settle(int core, unsigned pipes);
  bool ranks() const { return ranks_.cores_of_rank != 0; }
  int RankOf(int core) const { return ranks() ? core / ranks_.cores_of_rank : 0; }
  int BlockOf(int core) const { return ranks() ? core % ranks_.cores_of_rank / ranks_.cores_of_block : block_; }
  int CoreOf(int core) const { return ranks() ? core % ranks_.cores_of_block : core; }  // of its block
  void UseCoreFlag(int64_t id) { core_flags_ |= 1U << id; }
  // A tile is created, in new storage or, if that is empty, in storage that it receives later.
  void Made(const void* tile, const Area& storage) {
    if (!lost_.empty()) std::erase_if(lost_, [&](const Lost& lost) { return lost.tile == tile; });
    on_chip_.Forget(storage);
  }
  // The program gives addresses itself, as one does that orders its pipes itself.
  // A load of what the scope stored at `other`, without a barrier between them.
  void NeedBar(Where where, Where other, std::string_view name) { Add(Mistake::kMemBar, where, other).name = name; }
  void Placed() { manual_ = true; }

  bool manual() const { return manual_; }
  // After the last block: what was found, with waits that ordered nothing.
  std::vector<Finding> Findings() const;
  // Ids of flags from one pipe to another that the program has used, one bit each.
  unsigned UsedIds(int from, int to) const { return used_[static_cast<size_t>(from * kPipes + to)]; }
  int64_t waits() const;  // statements that waited and were followed by something
  int64_t bytes() const {
    return on_chip_.bytes() + global_.bytes() + clocks_.bytes() + bytes_ +
           told_most_ * static_cast<int64_t>(sizeof(Told));
  }
  int64_t work() const { return on_chip_.work() + global_.work() + work_; }

 private:
  struct Flag {
    bool set = false;
    Clock clock;
    Where where = nullptr;
  };
  struct Buffer {
    int holder = -1;  // who has it, and who had it last
    int last = 0;
    Clock clock;
    Where where = nullptr;
  };
  struct Told {
    int agent;
    Clock clock;
  };
  // The contents of a tile before another one was written over it.
  struct Lost {
    const void* tile;
    Area area;
    Where where;
    std::string_view name;
  };
  // An access of the instruction under way, and one that it is in no order with.
  struct Clash {
    const Access* access;
    const Region* region;
    Mark mark;
    Use use;
  };
  using Key = std::tuple<Mistake, Where, Where, int, int>;

  Finding& Add(Mistake mistake, Where where, Where other, int from = 0, int to = 0);
  Where SplitPart(Where* where) const;
  void Check(int agent, const Access& access, const Region& region);
  void Clashes(const Access& access, const Region& region, const Mark& mark, Use use);
  void Race(int agent, Where where, const Clash& clash);
  int RelationOf(int from, int to) const;
  Where NotifyAfter(const Mark& mark) const;
  void CheckContent(Where where, const Access& access);
  void Write(Where where, const Access& access, Region* region, std::span<const Access> beside);
  void Lose(Where where, const Access& access, Region* region, std::span<const Access> beside);
  bool InRange(int64_t id, int count, Where where, int from, int to);

  Clocks clocks_;
  Shadow on_chip_;
  Shadow global_;
  uint64_t now_ = 0;
  int cores_ = 1;
  OfRanks ranks_;
  std::map<const void*, Signal> signals_;
  struct Said {
    uint64_t at;
    Where where;
  };
  std::vector<std::deque<Said>> notified_;  // of each core: its latest notifications
  std::vector<Where> stale_;                // of each core: its latest wait, where that heard of nothing new
  std::map<std::tuple<Where, const void*, int>, int> notifiers_;  // statement, signal, rank: kinds of cores, a bit each
  unsigned overlapping_ = 0;
  unsigned without_barrier_ = 0;
  bool has_waits_ = true;
  int32_t block_ = 0;
  bool manual_ = false;
  Used<Flag> flags_;           // by core, pipes, id
  Used<Buffer> buffers_;       // by core, id
  std::vector<uint8_t> used_;  // ids of each pair of pipes, one bit each
  std::map<const void*, std::deque<Told>> told_;
  int64_t told_now_ = 0;
  int64_t told_most_ = 0;    // that were under way at a time: memory that stays
  unsigned core_flags_ = 0;  // ids in use, one bit each
  std::vector<Lost> lost_;
  std::vector<Region*> touched_;
  std::vector<Clash> clashes_;               // one for each pipe and block
  std::set<std::pair<Where, Where>> parts_;  // a statement and its part; where they are here names both
  std::map<Key, size_t> known_;
  std::vector<Finding> findings_;
  int64_t bytes_ = 0;  // of these
  int64_t work_ = 0;   // regions that accesses were held against
};

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_H_
