// Cores of the second executor: each is an executor of its own on its own thread. One core runs at a time, in
// whatever order the system gives. Flags and pipes between them are as docs/ptoas.md describes.
#ifndef PTO_TESTS_FUZZ_SECOND_CORES_H_
#define PTO_TESTS_FUZZ_SECOND_CORES_H_

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/fuzz/second.h"

namespace second {

class Crew : public Others {
 public:
  Crew(int64_t blocks, int64_t lanes, bool a5) : blocks_(blocks), lanes_(lanes), a5_(a5) {}

  Outcome Run(const std::string& text, const std::string& entry, const Values& args, int64_t most) {
    std::vector<std::thread> threads;
    std::unique_lock<std::mutex> turn(mutex_);
    for (int64_t block = 0; block < blocks_; ++block) {
      for (int64_t lane = -1; lane < lanes_; ++lane) {
        const Place place = {lane < 0, std::max<int64_t>(lane, 0), lanes_, block, blocks_};
        ++alive_;
        threads.emplace_back([this, &text, &entry, &args, most, place] { One(text, entry, args, most, place); });
      }
    }
    turn.unlock();
    for (std::thread& thread : threads) thread.join();
    if (!strange_.empty()) throw Strange{strange_};
    return outcome_;
  }

  void Set(const Place& at, int64_t id, int64_t mode) override {
    if (mode == 2) {
      for (int64_t* count : Between(at, at.cube, id)) ++*count;
    } else {
      ++met_[Group(at, mode, id)][Member(at)].set;
    }
    News();
  }

  void Wait(const Place& at, int64_t id) override {
    Until([&] { return Take(at, id); });
  }

  // Meetings of a kind follow each other: a core reaches the next one after all have reached this one.
  void Meet(const Place& at, const std::string& cores) override {
    if (cores == (at.cube ? "aiv_only" : "aic_only")) return;
    const int64_t all = blocks_ * (cores == "mix" ? 1 + lanes_ : at.cube ? 1 : lanes_);
    int64_t& came = came_[cores];
    const int64_t wanted = (came++ / all + 1) * all;
    News();
    Until([&] { return came >= wanted; });
  }

  int64_t Take(const Place& at, const std::string& pipe, int64_t slots, const std::vector<int64_t>& lanes) override {
    // Freed slots are reported by halves of the ring.
    const int64_t period = slots <= 2 ? slots : slots / 2;
    Until([&] {
      return std::all_of(lanes.begin(), lanes.end(), [&](int64_t lane) {
        const Ring& ring = RingOf(at, pipe, !at.cube, lane);
        return ring.taken - ring.freed / period * period < slots;
      });
    });
    int64_t before = 0;
    for (const int64_t lane : lanes) before = RingOf(at, pipe, !at.cube, lane).taken++;
    return before;
  }

  void Push(const Place& at, const std::string& pipe, std::map<int64_t, Parcel> parcels) override {
    for (auto& [lane, parcel] : parcels) RingOf(at, pipe, !at.cube, lane).parcels.push_back(std::move(parcel));
    News();
  }

  std::map<int64_t, Parcel> Pop(const Place& at, const std::string& pipe, const std::vector<int64_t>& lanes,
                                bool slots) override {
    Until([&] {
      return std::none_of(lanes.begin(), lanes.end(), [&](int64_t lane) {
        const Ring& ring = RingOf(at, pipe, at.cube, lane);
        if (!ring.parcels.empty() && ring.parcels.front().slot != slots) throw Stop{"pipe-tile"};
        return ring.parcels.empty();
      });
    });
    std::map<int64_t, Parcel> popped;
    for (const int64_t lane : lanes) {
      Ring& ring = RingOf(at, pipe, at.cube, lane);
      popped[lane] = std::move(ring.parcels.front());
      ring.parcels.pop_front();
      popped[lane].number = ring.popped++;
    }
    return popped;
  }

  void Free(const Place& at, const std::string& pipe, const std::vector<int64_t>& lanes) override {
    for (const int64_t lane : lanes) {
      Ring& ring = RingOf(at, pipe, at.cube, lane);
      if (ring.freed == ring.popped) throw Stop{"pipe-order"};
      ++ring.freed;
    }
    News();
  }

 private:
  // Between the cube core of a block and one of its vector cores, one way.
  struct Ring {
    std::deque<Parcel> parcels;
    int64_t taken = 0, popped = 0, freed = 0;
  };
  Ring& RingOf(const Place& at, const std::string& pipe, bool to_cube, int64_t lane) {
    return rings_[{at.block, pipe, to_cube, lane}];
  }

  // Others continue until it holds; if all wait, none continues.
  template <class Holds>
  void Until(Holds holds) {
    while (!holds()) {
      if (++waiting_ == alive_) End("deadlock");
      const int64_t seen = news_;
      changed_.wait(mutex_, [&] { return news_ != seen || ended_; });
      if (ended_) throw Stop{outcome_.rule};
    }
  }
  void News() {
    waiting_ = 0;  // each looks again
    ++news_;
    changed_.notify_all();
  }

  using Where = std::tuple<int64_t, int64_t, int64_t>;  // mode, kind of core or block, flag
  struct Count {
    int64_t set = 0, waited = 0;
  };

  void One(const std::string& text, const std::string& entry, const Values& args, int64_t most, const Place& place) {
    const std::lock_guard<std::mutex> turn(mutex_);
    try {
      Outcome outcome = Executor(text, most, this, place).Run(entry, args);
      if (!outcome.rule.empty()) End(outcome.rule);
    } catch (const Strange& strange) {
      strange_ = strange.what;
      End("strange");
    }
    --alive_;
    if (alive_ > 0 && waiting_ == alive_) End("deadlock");
  }

  void End(const std::string& rule) {
    if (!ended_) outcome_.rule = rule;
    ended_ = true;
    changed_.notify_all();
  }

  // A flag among cores of a kind is one of all blocks (0), or of the vector cores of a block (1).
  static Where Group(const Place& at, int64_t mode, int64_t id) { return {mode, mode == 0 ? at.cube : at.block, id}; }
  // Who meets a core there.
  std::vector<Place> Members(const Place& at, int64_t mode) const {
    std::vector<Place> members;
    for (int64_t block = 0; block < blocks_; ++block) {
      for (int64_t lane = 0; lane < (at.cube ? 1 : lanes_); ++lane) {
        if (mode == 0 || block == at.block) members.push_back({at.cube, lane, lanes_, block, blocks_});
      }
    }
    return members;
  }
  static std::pair<int64_t, int64_t> Member(const Place& at) { return {at.block, at.cube ? -1 : at.lane}; }

  // A flag between the kinds of a block: all vector cores have their own.
  std::vector<int64_t*> Between(const Place& at, bool by_cube, int64_t id) {
    std::vector<int64_t*> counts;
    for (int64_t lane = 0; lane < lanes_; ++lane) {
      const int64_t wanted = !at.cube ? at.lane : a5_ ? id / 16 : lane;
      if (lane == wanted) counts.push_back(&between_[{at.block, by_cube, lane, id % 16}]);
    }
    return counts;
  }

  // Whether the flag is up; then it is counted down.
  bool Take(const Place& at, int64_t id) {
    for (const int64_t mode : {0, 1}) {
      auto& group = met_[Group(at, mode, id)];
      Count& own = group[Member(at)];
      if (own.set <= own.waited) continue;
      for (const Place& other : Members(at, mode)) {
        if (group[Member(other)].set <= own.waited) return false;
      }
      ++own.waited;
      return true;
    }
    const std::vector<int64_t*> counts = Between(at, !at.cube, id);
    for (const int64_t* count : counts) {
      if (*count == 0) return false;
    }
    for (int64_t* count : counts) --*count;
    return true;
  }

  int64_t blocks_, lanes_;
  bool a5_;
  std::mutex mutex_;  // held by whose turn it is
  std::condition_variable_any changed_;
  std::map<std::tuple<int64_t, bool, int64_t, int64_t>, int64_t> between_;  // block, by the cube core, lane, flag
  std::map<Where, std::map<std::pair<int64_t, int64_t>, Count>> met_;
  std::map<std::string, int64_t> came_;                                    // to the meetings of a kind
  std::map<std::tuple<int64_t, std::string, bool, int64_t>, Ring> rings_;  // block, pipe, to the cube core, lane
  int64_t alive_ = 0, waiting_ = 0, news_ = 0;
  bool ended_ = false;
  Outcome outcome_;
  std::string strange_;
};

}  // namespace second

#endif  // PTO_TESTS_FUZZ_SECOND_CORES_H_
