#include "src/ptoas/run/sync_clock.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace pto::ptoas::sync {

void Clocks::Begin(int cores, unsigned overlapping, bool judges) {
  overlapping_ = overlapping;
  judges_ = judges;
  agents_.assign(static_cast<size_t>(cores) * kPipes, Agent());
  bytes_ = 0;
}

Wait* Clocks::WaitAt(Where where) {
  Wait*& wait = wait_at_[where];
  if (wait == nullptr) {
    wait = &waits_.emplace_back();
    wait->where = where;
    wait->useful = !judges_;
  }
  return wait;
}

void Clocks::Set(int agent, int of, uint64_t value, Wait* wait, int via) {
  Agent& self = At(agent);
  if (value <= self.clock[of]) return;
  self.clock[of] = value;
  if (IssuerOf(agent) == agent) ++self.version;
  if (!judges_) return;
  Known& known = KnownOf(agent, of);
  if (known.entries.size() >= kMaxEntries) {
    const auto half = known.entries.begin() + kMaxEntries / 2;
    known.forgotten = std::prev(half)->value;
    known.entries.erase(known.entries.begin(), half);
  }
  const size_t before = known.entries.capacity();
  if (before == 0) known.entries.reserve(8);
  known.entries.push_back({value, wait, via, false});
  bytes_ += static_cast<int64_t>((known.entries.capacity() - before) * sizeof(Entry));
}

// A pipe learns from no other agent what it did itself, unless its instructions overlap. What an issuer wrote itself is
// done before what it issues next, if the informing agent waited for that.
bool Clocks::Itself(int agent) const { return agent == IssuerOf(agent) || Overlaps(agent); }

void Clocks::Join(int agent, const Clock& clock) {
  Agent& self = At(agent);
  const uint64_t own = self.clock[agent];
  if (self.clock.Join(clock) && IssuerOf(agent) == agent) ++self.version;
  if (!Itself(agent)) self.clock[agent] = own;
}

void Clocks::Issue(int agent) {
  Agent& self = At(agent);
  self.acts = true;
  if (!self.pending.empty()) Follow(&self);
  const int issuer = IssuerOf(agent);
  Agent& from = At(issuer);
  if (issuer == agent || self.issued == from.version) return;
  self.issued = from.version;
  Join(agent, from.clock);
  Follow(&from);
}

Clock Clocks::Snapshot(int agent, uint64_t now) {
  Issue(agent);
  Clock clock = At(agent).clock;
  clock[agent] = now;
  return clock;
}

Clock Clocks::SnapshotOf(int core, unsigned pipes, uint64_t now) {
  Clock all;
  for (int pipe = 0; pipe < kPipes; ++pipe) {
    if ((pipes >> pipe & 1U) == 0) continue;
    const int agent = AgentOf(core, pipe);
    Issue(agent);
    all.Join(At(agent).clock);
    all[agent] = now;
  }
  return all;
}

// The waits of an agent that has waited are judged once it, or what it issues, does something.
void Clocks::Wakes(int agent, Wait* wait) {
  Agent& self = At(agent);
  ++wait->runs;
  if (IssuerOf(agent) == agent) ++self.version;
  if (wait->followed) return;
  if (std::find(self.pending.begin(), self.pending.end(), wait) == self.pending.end()) self.pending.push_back(wait);
}

void Clocks::Follow(Agent* agent) {
  for (Wait* wait : agent->pending) wait->followed = true;
  agent->pending.clear();
}

void Clocks::Learn(int agent, const Clock& clock, int from, Wait* wait) {
  if (wait != nullptr) Wakes(agent, wait);
  At(agent).learnt = true;
  if (!judges_) return Join(agent, clock);
  At(agent).clock.ForEachNewer(clock, [&](int of) {
    if (of != agent || Itself(agent)) Set(agent, of, clock[of], wait, from);
  });
}

void Clocks::Barrier(int core, uint64_t now, Wait* wait) {
  const int issuer = AgentOf(core, PTO_PIPE_S);
  Wakes(issuer, wait);
  for (int pipe = 0; pipe < kPipes; ++pipe) {
    const int agent = AgentOf(core, pipe);
    if (At(agent).learnt) {
      const Clock& clock = At(agent).clock;
      At(issuer).clock.ForEachNewer(clock, [&](int of) {
        if (of / kPipes != core) Set(issuer, of, clock[of], wait, agent);
      });
      At(agent).learnt = false;
    }
    // The issuer's own work is done before what it issues from now on.
    if (At(agent).acts || agent == issuer) Set(issuer, agent, now, wait, agent);
  }
}

void Clocks::PipeBarrier(int agent, uint64_t now, Wait* wait) {
  Wakes(agent, wait);
  Set(agent, agent, now, wait, agent);
}

void Clocks::Pretend(int agent, const Mark& mark) {
  At(agent).learnt = true;
  Set(agent, mark.agent, mark.at, nullptr, agent);
}

// Of several waits for the same, the fewest possible are credited: the latest, unless one of them already gives
// enough. Orders are requested as time passes, so that the latest serves later ones, too. From the one that knows,
// the credit follows the agents that passed it on, to the one that did it.
void Clocks::CreditSlowly(int agent, int of, uint64_t at) {
  KnownOf(agent, of).credited = at;
  Told told = {At(agent).clock[of], nullptr, agent};
  // Ranks pass on what they heard, so that the path may lead back to its start.
  for (int hops = 0; hops <= Agents() && WhoTold(agent, of, at, told.value, &told); ++hops) {
    if (told.wait != nullptr) told.wait->useful = true;
    // An issuer's own work is known by a barrier.
    if (told.via == of && (told.wait != nullptr || At(of).clock[of] == 0)) return;
    if (told.via == agent) return;
    agent = told.via;
  }
  // The source is no longer known: it may be any of them.
  for (Wait& wait : waits_) wait.useful = true;
}

bool Clocks::WhoTold(int agent, int of, uint64_t at, uint64_t value, Told* told) {
  Known& known = KnownOf(agent, of);
  if (at <= known.forgotten || value > At(agent).clock[of]) return false;
  std::vector<Entry>& entries = known.entries;
  // The requested entry is mostly a recent one.
  const auto recent = entries.end() - std::min<std::ptrdiff_t>(std::ssize(entries), 4);
  const bool late = recent != entries.end() && recent->value < value;
  const auto found = std::lower_bound(late ? recent : entries.begin(), entries.end(), value,
                                      [](const Entry& e, uint64_t least) { return e.value < least; });
  const int issuer = IssuerOf(agent);
  const bool heard = found != entries.end() && (found->value == value || agent == issuer || agent == of);
  if (!heard && (agent == issuer || (agent == of && !Overlaps(agent)))) return false;

  auto entry = heard ? std::next(found) : found;
  while (entry != entries.begin() && std::prev(entry)->value >= at && !std::prev(entry)->chosen) --entry;
  Entry* best = entry != entries.begin() && std::prev(entry)->value >= at ? &*std::prev(entry) : nullptr;
  const auto above = std::upper_bound(known.chosen.begin(), known.chosen.end(), value);
  const uint64_t issued = above == known.chosen.begin() || *std::prev(above) < at ? 0 : *std::prev(above);
  if (best == nullptr && issued == 0 && heard) best = &*found;
  if (best != nullptr && best->value > issued) {
    best->chosen = true;
    *told = {best->value, best->wait, best->via};
    return true;
  }
  if (issued == 0) {
    known.chosen.insert(above, value);
    bytes_ += static_cast<int64_t>(sizeof value);
  }
  *told = {issued == 0 ? value : issued, nullptr, issuer};
  return true;
}

}  // namespace pto::ptoas::sync
