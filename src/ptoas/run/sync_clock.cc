#include "src/ptoas/run/sync_clock.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace pto::ptoas::sync {

void Clocks::Begin(int cores, unsigned overlapping) {
  overlapping_ = overlapping;
  agents_.assign(static_cast<size_t>(cores) * kPipes, Agent());
  bytes_ = 0;
}

Wait* Clocks::WaitAt(Where where) {
  Wait*& wait = wait_at_[where];
  if (wait == nullptr) {
    wait = &waits_.emplace_back();
    wait->where = where;
  }
  return wait;
}

void Clocks::Set(int agent, int of, uint64_t value, Wait* wait, int via) {
  Agent& self = At(agent);
  if (value <= self.clock[of]) return;
  self.clock[of] = value;
  Known& known = KnownOf(agent, of);
  if (known.entries.size() >= kMaxEntries) {
    const auto half = known.entries.begin() + kMaxEntries / 2;
    known.forgotten = std::prev(half)->value;
    known.entries.erase(known.entries.begin(), half);
  }
  const size_t before = known.entries.capacity();
  known.entries.push_back({value, wait, via, false});
  bytes_ += static_cast<int64_t>((known.entries.capacity() - before) * sizeof(Entry));
  if (IssuerOf(agent) == agent) ++self.version;
}

void Clocks::Issue(int agent) {
  Agent& self = At(agent);
  if (!self.pending.empty()) Follow(&self);
  const int issuer = IssuerOf(agent);
  Agent& from = At(issuer);
  if (issuer == agent || self.issued == from.version) return;
  self.issued = from.version;
  self.clock.ForEachNewer(from.clock, [&](int of) {
    if (of != agent || Overlaps(agent)) Set(agent, of, from.clock[of], nullptr, issuer);
  });
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
    all.Join(Snapshot(AgentOf(core, pipe), now));
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
  // What an issuer wrote itself is done before what it issues next, where who tells it waited for that.
  At(agent).clock.ForEachNewer(clock, [&](int of) {
    if (of != agent || agent == IssuerOf(agent) || Overlaps(agent)) Set(agent, of, clock[of], wait, from);
  });
}

void Clocks::Barrier(int core, uint64_t now, Wait* wait) {
  const int issuer = AgentOf(core, PTO_PIPE_S);
  Wakes(issuer, wait);
  for (int pipe = 0; pipe < kPipes; ++pipe) {
    const int agent = AgentOf(core, pipe);
    const Clock& clock = At(agent).clock;
    At(issuer).clock.ForEachNewer(clock, [&](int of) {
      if (of / kPipes != core) Set(issuer, of, clock[of], wait, agent);
    });
    // What the issuer did itself is done before what it issues from now on.
    Set(issuer, agent, now, wait, agent);
  }
}

void Clocks::PipeBarrier(int agent, uint64_t now, Wait* wait) {
  Wakes(agent, wait);
  Set(agent, agent, now, wait, agent);
}

void Clocks::Pretend(int agent, const Mark& mark) { Set(agent, mark.agent, mark.at, nullptr, agent); }

// Of several waits that tell of the same, as few as can be are credited: the latest, where none is yet that tells
// enough. Orders are asked for as time goes on, so that the latest serves those to come, too. From the one that knows,
// it goes by way of those that told to the one that did it.
void Clocks::CreditSlowly(int agent, int of, uint64_t at) {
  Known& known = KnownOf(agent, of);
  known.credited = at;
  Entry* entry = known.Served(at, known.entries.empty() ? 0 : known.entries.back().value);
  // Ranks pass on what they heard, so that the path may lead back to its start.
  for (int hops = 0; entry != nullptr && hops < Agents(); ++hops) {
    entry->chosen = true;
    if (entry->wait != nullptr) entry->wait->useful = true;
    if (entry->via == of && entry->wait != nullptr) return;
    // What an issuer did itself, a barrier told.
    Known& next = KnownOf(entry->via, of);
    if (entry->via == of && next.entries.empty()) return;
    Entry* const told = next.Served(at, entry->value);
    if (told == entry) return;
    entry = told;
  }
  // Nobody knows any more who told it: perhaps any of them.
  for (Wait& wait : waits_) wait.useful = true;
}

Clocks::Entry* Clocks::Known::Served(uint64_t at, uint64_t value) {
  if (at <= forgotten) return nullptr;
  // What is asked for was mostly told a moment ago.
  const auto recent = entries.end() - std::min<std::ptrdiff_t>(std::ssize(entries), 4);
  const bool late = recent != entries.end() && recent->value < value;
  const auto found = std::lower_bound(late ? recent : entries.begin(), entries.end(), value,
                                      [](const Entry& e, uint64_t least) { return e.value < least; });
  if (found == entries.end()) return nullptr;
  for (auto entry = found; entry->value >= at; --entry) {
    if (entry->chosen) return &*entry;
    if (entry == entries.begin()) break;
  }
  return &*found;
}

}  // namespace pto::ptoas::sync
