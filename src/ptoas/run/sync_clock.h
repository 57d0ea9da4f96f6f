// Which instructions of a core's pipes are done before which others: a clock a pipe, and who set it forward.
#ifndef PTO_SRC_PTOAS_SYNC_CLOCK_H_
#define PTO_SRC_PTOAS_SYNC_CLOCK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "src/ptoas/run/pipe.h"
#include "src/ptoas/run/sync_area.h"

namespace pto::ptoas::sync {

// An agent is a pipe of a core: core * kPipes + pipe. A block is a cube core and two vector cores at most; with ranks
// the cores of all of them count on.
inline constexpr int kCores = 3;
inline constexpr int kAgents = kCores * kPipes;
constexpr int AgentOf(int core, int pipe) { return core * kPipes + pipe; }

// For each agent, the number of the last instruction that is done. The agents of one block need no memory of their own.
class Clock {
 public:
  uint64_t operator[](int agent) const { return agent < Size() ? Data()[agent] : 0; }
  uint64_t& operator[](int agent) {
    if (agent >= Size()) Grow(agent + 1);
    return Data()[agent];
  }
  // Merges the knowledge of two. True: the other one knew more.
  bool Join(const Clock& other) {
    if (Size() < other.Size()) Grow(other.Size());
    const int size = other.Size();
    uint64_t* const mine = Data();
    const uint64_t* const its = other.Data();
    bool more = false;
    for (int agent = 0; agent < size; ++agent) {
      more |= its[agent] > mine[agent];
      mine[agent] = std::max(mine[agent], its[agent]);
    }
    return more;
  }
  // Calls visit(agent) for each agent that another clock knows more about: few of them, if any.
  template <class Visit>
  void ForEachNewer(const Clock& other, Visit visit) {
    constexpr int kAtATime = 8;
    if (Size() < other.Size()) Grow(other.Size());
    for (int first = 0; first < other.Size(); first += kAtATime) {
      const int end = std::min(first + kAtATime, other.Size());
      bool any = false;
      for (int agent = first; agent < end; ++agent) any |= other.Data()[agent] > Data()[agent];
      for (int agent = first; any && agent < end; ++agent) {
        if (other.Data()[agent] > Data()[agent]) visit(agent);
      }
    }
  }

 private:
  int Size() const { return all_.empty() ? kAgents : static_cast<int>(all_.size()); }
  const uint64_t* Data() const { return all_.empty() ? of_ : all_.data(); }
  uint64_t* Data() { return all_.empty() ? of_ : all_.data(); }
  void Grow(int size) {
    if (all_.empty()) all_.assign(of_, of_ + kAgents);
    all_.resize(static_cast<size_t>(size));
  }

  uint64_t of_[kAgents] = {};
  std::vector<uint64_t> all_;  // instead of these, with ranks
};

// A statement that waits. It orders something where an instruction would race without it.
struct Wait {
  Where where = nullptr;
  int64_t runs = 0;
  bool useful = false;    // an order that was needed came by it
  bool followed = false;  // the pipe that waited did something afterwards
};

// The pipe of scalars issues the instructions of all pipes of its core, in the order of the program. So what it waited
// for is done before whatever it issues next; what it wrote itself is not, before others learn of it.
class Clocks {
 public:
  // `overlapping`: pipes, by a bit each, whose instructions may begin before earlier ones of the pipe are done. What
  // such a pipe knows of itself it learns as it learns of others. `judges`: some statements wait, so that it matters
  // who told what. Without it nothing is remembered but the clocks.
  void Begin(int cores, unsigned overlapping, bool judges);

  // An instruction of a pipe begins: its number is `now`.
  void Issue(int agent);
  bool Knows(int agent, const Mark& mark) const { return mark.at <= At(agent).clock[mark.agent]; }
  // An access is in order by what this agent knows: the wait that it learnt this from is useful.
  void Credit(int agent, const Mark& mark) {
    if (!judges_) return;
    Known& known = KnownOf(agent, mark.agent);
    if (mark.at > known.credited) CreditSlowly(agent, mark.agent, mark.at);
  }
  // Treats a known race as ordered, so that it is reported once.
  void Pretend(int agent, const Mark& mark);

  // The work that is done when an agent reaches this point, or each of some pipes of a core, by a bit each.
  Clock Snapshot(int agent, uint64_t now);
  Clock SnapshotOf(int core, unsigned pipes, uint64_t now);
  // The agent waits for that, in the statement of `wait`; nullptr: a wait that need not be useful.
  void Learn(int agent, const Clock& clock, int from, Wait* wait);
  // The pipe of scalars waits for all of its core.
  void Barrier(int core, uint64_t now, Wait* wait);
  // A pipe waits for itself.
  void PipeBarrier(int agent, uint64_t now, Wait* wait);
  // Whether the agent knows what the issuer of another core did after a mark of that core: it heard of it, and perhaps
  // not of what the mark is of.
  bool HeardOf(int agent, const Mark& mark) const { return At(agent).clock[IssuerOf(mark.agent)] >= mark.at; }
  bool Overlaps(int agent) const { return (overlapping_ >> agent % kPipes & 1U) != 0; }

  Wait* WaitAt(Where where);
  const std::deque<Wait>& waits() const { return waits_; }
  int64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    uint64_t value;  // the clock from then on
    Wait* wait;      // nullptr: no wait told it
    int via;         // whose clock it was
    bool chosen = false;
  };
  // What an agent learnt of another one, and when: ascending values. What it has from its issuer is not listed: a value
  // of its clock that is in no entry came by issue.
  struct Known {
    std::vector<Entry> entries;
    std::vector<uint64_t> chosen;  // values by issue that were chosen before, ascending
    uint64_t forgotten = 0;        // up to here, it is unknown what told it
    uint64_t credited = 0;         // the last instruction whose order was credited to a wait
  };
  struct Told {
    uint64_t value;
    Wait* wait;
    int via;
  };
  struct Agent {
    Clock clock;
    uint64_t version = 1;        // of the clock, where it issues instructions
    uint64_t issued = 0;         // version of its issuer's clock that it has
    bool acts = false;           // it has done something by now
    bool learnt = false;         // something that its issuer may not know, since the last barrier
    std::vector<Wait*> pending;  // waited at, and nothing done since
    std::vector<Known> known;    // by agent; of an agent that has learnt nothing, none
  };

  void Set(int agent, int of, uint64_t value, Wait* wait, int via);
  bool Itself(int agent) const;
  void Join(int agent, const Clock& clock);
  void Wakes(int agent, Wait* wait);
  static void Follow(Agent* agent);
  void CreditSlowly(int agent, int of, uint64_t at);
  // Who told an agent of instruction `at` of another one, by what it knew when its clock had a value: what was chosen
  // before, or the latest. False: it is forgotten, or came from no wait.
  bool WhoTold(int agent, int of, uint64_t at, uint64_t value, Told* told);
  Known& KnownOf(int agent, int of) {
    std::vector<Known>& known = At(agent).known;
    if (known.empty()) known.resize(agents_.size());
    return known[static_cast<size_t>(of)];
  }
  Agent& At(int agent) { return agents_[static_cast<size_t>(agent)]; }
  const Agent& At(int agent) const { return agents_[static_cast<size_t>(agent)]; }
  int Agents() const { return static_cast<int>(agents_.size()); }
  static int IssuerOf(int agent) { return agent / kPipes * kPipes + PTO_PIPE_S; }

  static constexpr size_t kMaxEntries = 4096;

  unsigned overlapping_ = 0;
  bool judges_ = true;
  std::vector<Agent> agents_;
  std::deque<Wait> waits_;
  std::map<Where, Wait*> wait_at_;
  int64_t bytes_ = 0;
};

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_CLOCK_H_
