#include "src/ptoas/run/sync.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pto::ptoas::sync {

namespace {

constexpr size_t kLostTiles = 256;
// With its place in the map of those that are known.
constexpr int64_t kFindingBytes = sizeof(Finding) + 128;

size_t PairOf(int from, int to) { return static_cast<size_t>(from * kPipes + to); }

// The lowest unused id, or -1.
int FreeId(unsigned used, int count) {
  const int id = std::countr_one(used);
  return id < count ? id : -1;
}

}  // namespace

Checker::Checker(int cores, unsigned overlapping, unsigned without_barrier, const OfRanks& ranks, bool waits)
    : cores_(cores),
      ranks_(ranks),
      overlapping_(overlapping),
      without_barrier_(without_barrier),
      has_waits_(waits),
      used_(static_cast<size_t>(kPipes) * kPipes) {}

Checker::~Checker() = default;

void Checker::BeginBlock(int32_t block) {
  block_ = block;
  clocks_.Begin(cores_, overlapping_, has_waits_);
  on_chip_.Clear();
  lost_.clear();
  signals_.clear();
  notifiers_.clear();
  notified_.assign(static_cast<size_t>(cores_), {});
  stale_.assign(static_cast<size_t>(cores_), nullptr);
  told_.clear();
  told_now_ = told_most_ = 0;
  flags_.Reset(static_cast<size_t>(cores_) * kPipes * kPipes * kFlagIds);
  buffers_.Reset(static_cast<size_t>(cores_) * kBuffers);
}

void Checker::EndBlock() {
  for (const auto& [place, flag] : flags_.InOrder()) {
    if (!flag->set) continue;
    const auto pair = static_cast<int>(place / kFlagIds % (kPipes * kPipes));
    Finding& found = Add(Mistake::kLeftSet, flag->where, nullptr, pair / kPipes, pair % kPipes);
    found.id = static_cast<int64_t>(place % kFlagIds);
  }
}

// Returns the part, and replaces `where` by its statement. nullptr: it is a statement itself.
Where Checker::SplitPart(Where* where) const {
  for (const auto& both : parts_) {
    if (*where != &both) continue;
    *where = both.first;
    return both.second;
  }
  return nullptr;
}

Finding& Checker::Add(Mistake mistake, Where where, Where other, int from, int to) {
  const Where where_part = SplitPart(&where);
  const Where other_part = SplitPart(&other);
  const auto [it, fresh] = known_.try_emplace({mistake, where, other, from, to}, findings_.size());
  if (fresh) {
    Finding& made = findings_.emplace_back();
    made.mistake = mistake;
    made.where = where;
    made.other = other;
    made.where_part = where_part;
    made.other_part = other_part;
    made.from = from;
    made.to = to;
    made.block = made.other_block = block_;
    bytes_ += kFindingBytes;
  } else {
    ++findings_[it->second].times;
  }
  return findings_[it->second];
}

// ---- accesses --------------------------------------------------------------

void Checker::Instruction(int core, pto_pipe pipe, Where where, std::span<Access> accesses) {
  const int agent = AgentOf(core, pipe);
  ++now_;
  clocks_.Issue(agent);
  touched_.clear();
  clashes_.clear();
  for (Access& access : accesses) {
    Region* region = (access.global ? global_ : on_chip_).Find(access.area, &access.cached);
    touched_.push_back(region);
    Check(agent, access, *region);
    for (const Region* near : region->near) Check(agent, access, *near);
    work_ += static_cast<int64_t>(region->near.size());
    if (!lost_.empty() && access.use == Use::kRead && !access.global) CheckContent(where, access);
  }
  for (const Clash& clash : clashes_) Race(agent, where, clash);
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    // The scalar unit finishes its reads before it issues the next instruction.
    if (pipe == PTO_PIPE_S && access.use == Use::kRead) continue;
    touched_[i]->Touch(access.use, {now_, where, access.name, agent, block_, access.done});
    if (access.use == Use::kWrite && !access.global) Write(where, access, touched_[i], accesses);
  }
}

void Checker::Check(int agent, const Access& access, const Region& region) {
  const bool in_order = !clocks_.Overlaps(agent);
  for (int use = 0; use < kUses; ++use) {
    if (!Conflict(access.use, static_cast<Use>(use))) continue;
    for (const Mark& mark : region.marks[use]) {
      if (mark.block == block_ && mark.agent == agent && in_order) continue;
      if (mark.done && mark.agent / kPipes == agent / kPipes) continue;
      if (mark.block == block_ && clocks_.Knows(agent, mark)) {
        clocks_.Credit(agent, mark);
      } else if (IsCertain(access.use) && IsCertain(static_cast<Use>(use))) {
        Clashes(access, region, mark, static_cast<Use>(use));
      }
    }
  }
}

// The last access of each pipe is reported: a flag after that one is after all of them.
void Checker::Clashes(const Access& access, const Region& region, const Mark& mark, Use use) {
  for (Clash& clash : clashes_) {
    if (clash.mark.agent != mark.agent || clash.mark.block != mark.block) continue;
    if (clash.mark.at < mark.at || (clash.mark.at == mark.at && clash.use == Use::kRead)) {
      clash = {&access, &region, mark, use};
    }
    return;
  }
  clashes_.push_back({&access, &region, mark, use});
}

// Which kinds of cores two agents are of: 0 is one core, 4 two ranks. Vector cores do the same, and so do ranks: they
// report an error once.
int Checker::RelationOf(int from, int to) const {
  from /= kPipes;
  to /= kPipes;
  if (RankOf(from) != RankOf(to)) return 4;
  if (from == to) return 0;
  if (BlockOf(from) != BlockOf(to)) return 5;
  return CoreOf(from) == 0 ? 1 : CoreOf(to) == 0 ? 2 : 3;
}

// The first notification of the core after the mark; nullptr: none that is still known.
Where Checker::NotifyAfter(const Mark& mark) const {
  for (const Said& said : notified_[static_cast<size_t>(mark.agent / kPipes)]) {
    if (said.at >= mark.at) return said.where;
  }
  return nullptr;
}

void Checker::Race(int agent, Where where, const Clash& clash) {
  const Access& access = *clash.access;
  const Region& region = *clash.region;
  const Mark& mark = clash.mark;
  const int relation = RelationOf(mark.agent, agent);
  const Mistake mistake = mark.block == block_ && mark.agent == agent ? Mistake::kHazard : Mistake::kRace;
  Finding& found = Add(mistake, where, mark.where, relation * kPipes + mark.agent % kPipes, agent % kPipes);
  const bool heard = clocks_.HeardOf(agent, mark);
  if (mark.block == block_) clocks_.Pretend(agent, mark);
  if (found.times > 1) return;
  found.from = mark.agent % kPipes;
  found.from_core = mark.agent / kPipes;
  found.to = agent % kPipes;
  found.to_core = agent / kPipes;
  found.name = access.name;
  found.other_name = mark.name;
  found.use = access.use;
  found.other_use = clash.use;
  found.other_block = mark.block;
  if (ranks()) {
    found.block = BlockOf(found.to_core);
    found.other_block = BlockOf(found.from_core);
  }
  found.global = access.global;
  if (ranks() && RankOf(found.from_core) != RankOf(found.to_core)) {
    if (heard) found.notify = NotifyAfter(mark);
    found.stale = stale_[static_cast<size_t>(found.to_core)];
  }
  const uintptr_t first = std::max(access.area.begin, region.area.begin);
  const uintptr_t end = std::min(access.area.end(), region.area.end());
  const uintptr_t data = access.data == nullptr ? access.area.begin : reinterpret_cast<uintptr_t>(access.data);
  found.first = static_cast<int64_t>(first - data);
  found.last = static_cast<int64_t>(end - data) - 1;
}

// ---- contents --------------------------------------------------------------

void Checker::CheckContent(Where where, const Access& access) {
  for (const Lost& lost : lost_) {
    if (lost.tile != access.tile || access.passing || !Overlap(lost.area, access.area)) continue;
    Finding& found = Add(Mistake::kOverwritten, where, lost.where);
    found.name = access.name;
    found.other_name = lost.name;
  }
}

void Checker::Write(Where where, const Access& access, Region* region, std::span<const Access> beside) {
  // The contents of a tile are new again, and the earlier owner is lost.
  if (access.shares) {
    region->tile = nullptr;
    return;
  }
  if (!lost_.empty()) std::erase_if(lost_, [&](const Lost& lost) { return lost.tile == access.tile; });
  if (region->tile != nullptr && region->tile != access.tile) Lose(where, access, region, beside);
  for (Region* near : region->near) {
    if (near->tile != nullptr && near->tile != access.tile) Lose(where, access, near, beside);
  }
  region->tile = access.passing ? nullptr : access.tile;
}

// Another tile is written where one was. An instruction that reads what it writes over means it.
void Checker::Lose(Where where, const Access& access, Region* region, std::span<const Access> beside) {
  const void* tile = region->tile;
  region->tile = nullptr;
  for (const Access& other : beside) {
    if (other.use == Use::kRead && other.tile == tile) return;
  }
  if (lost_.size() < kLostTiles) lost_.push_back({tile, access.area, where, access.name});
}

// ---- orders ----------------------------------------------------------------

bool Checker::InRange(int64_t id, int count, Where where, int from, int to) {
  if (id >= 0 && id < count) return true;
  Add(Mistake::kBadId, where, nullptr, from, to).id = id;
  return false;
}

void Checker::SetFlag(int core, int from, int to, int64_t id, Where where) {
  manual_ = true;
  if (!InRange(id, kFlagIds, where, from, to)) return;
  const size_t pair = PairOf(from, to);
  used_[pair] = static_cast<uint8_t>(used_[pair] | 1U << id);
  Flag& flag = flags_[(static_cast<size_t>(core) * kPipes * kPipes + pair) * kFlagIds + static_cast<size_t>(id)];
  if (flag.set) Add(Mistake::kSetTwice, where, flag.where, from, to).id = id;
  flag.set = true;
  flag.where = where;
  flag.clock = clocks_.Snapshot(AgentOf(core, from), now_);
}

void Checker::WaitFlag(int core, int from, int to, int64_t id, Where where) {
  manual_ = true;
  if (!InRange(id, kFlagIds, where, from, to)) return;
  const size_t pair = PairOf(from, to);
  used_[pair] = static_cast<uint8_t>(used_[pair] | 1U << id);
  Flag& flag = flags_[(static_cast<size_t>(core) * kPipes * kPipes + pair) * kFlagIds + static_cast<size_t>(id)];
  if (!flag.set) {
    Add(Mistake::kNeverSet, where, nullptr, from, to).id = id;
    return;
  }
  flag.set = false;
  clocks_.Learn(AgentOf(core, to), flag.clock, AgentOf(core, from), clocks_.WaitAt(where));
}

void Checker::Barrier(int core, Where where) {
  manual_ = true;
  clocks_.Barrier(core, now_, clocks_.WaitAt(where));
}

void Checker::PipeBarrier(int core, int pipe, Where where) {
  manual_ = true;
  if ((without_barrier_ >> pipe & 1U) != 0) Add(Mistake::kRefused, where, nullptr, pipe, pipe);
  if ((overlapping_ >> pipe & 1U) != 0) clocks_.PipeBarrier(AgentOf(core, pipe), now_, clocks_.WaitAt(where));
}

void Checker::GetBuffer(int core, int pipe, int64_t id, Where where) {
  manual_ = true;
  if (!InRange(id, kBuffers, where, pipe, pipe)) return;
  const int agent = AgentOf(core, pipe);
  Buffer& buffer = buffers_[static_cast<size_t>(core) * kBuffers + static_cast<size_t>(id)];
  if (buffer.holder >= 0) {
    Add(Mistake::kBuffer, where, buffer.where, buffer.holder % kPipes, pipe).id = id;
  } else if (buffer.where != nullptr) {
    // The last holder informs the pipe when it was done; the clock shows the holder.
    clocks_.Learn(agent, buffer.clock, buffer.last, clocks_.WaitAt(where));
  }
  buffer.holder = agent;
  buffer.where = where;
}

void Checker::ReleaseBuffer(int core, int pipe, int64_t id, Where where) {
  manual_ = true;
  if (!InRange(id, kBuffers, where, pipe, pipe)) return;
  const int agent = AgentOf(core, pipe);
  Buffer& buffer = buffers_[static_cast<size_t>(core) * kBuffers + static_cast<size_t>(id)];
  if (buffer.holder != agent) Add(Mistake::kBuffer, where, buffer.where, pipe, pipe).id = id;
  buffer.holder = -1;
  buffer.last = agent;
  buffer.where = where;
  buffer.clock = clocks_.Snapshot(agent, now_);
}

void Checker::Tell(const void* line, int core, unsigned pipes) {
  const int first = AgentOf(core, std::countr_zero(pipes));
  told_[line].push_back({first, clocks_.SnapshotOf(core, pipes, now_)});
  told_most_ = std::max(told_most_, ++told_now_);
}

void Checker::Hear(const void* line, int core, unsigned pipes, Where where) {
  std::deque<Told>& told = told_[line];
  const Told heard = told.front();
  told.pop_front();
  --told_now_;
  // What the scalar unit knows, all know that it issues to.
  if (pipes == kEveryPipe) pipes = 1U << PTO_PIPE_S;
  for (; pipes != 0; pipes &= pipes - 1) {
    clocks_.Learn(AgentOf(core, std::countr_zero(pipes)), heard.clock, heard.agent,
                  where == nullptr ? nullptr : clocks_.WaitAt(where));
  }
}

// ---- ranks -----------------------------------------------------------------

void Checker::Settle(int core, unsigned pipes) {
  const int issuer = AgentOf(core, PTO_PIPE_S);
  for (; pipes != 0; pipes &= pipes - 1) {
    const int agent = AgentOf(core, std::countr_zero(pipes));
    clocks_.Learn(issuer, clocks_.Snapshot(agent, now_), agent, nullptr);
  }
}

void Checker::Notify(int core, const void* signal, int32_t was, int32_t value, bool set, bool own, Where where) {
  constexpr size_t kKept = 64;
  ++now_;
  Signal& one = signals_[signal];
  if (one.value() != was) one.Reset(was);
  if (set) {
    const Notice* lost = one.Unseen();
    if (lost != nullptr) Add(Mistake::kSignalLost, where, lost->where);
  }
  // Code of no kind of core runs on all of them.
  int& kinds = notifiers_[{where, signal, RankOf(core)}];
  kinds |= CoreOf(core) == 0 ? 1 : 2;
  if (ranks_.cores_of_block > 1 && kinds == 3) {
    Add(Mistake::kEveryCore, where, nullptr);
    kinds |= 4;
  }
  Clock clock =
      ranks_.drains ? clocks_.SnapshotOf(core, kEveryPipe, now_) : clocks_.Snapshot(AgentOf(core, PTO_PIPE_S), now_);
  one.Add({value, set, own, false, false, core, std::move(clock), where});
  std::deque<Said>& said = notified_[static_cast<size_t>(core)];
  said.push_back({now_, where});
  if (said.size() > kKept) said.pop_front();
}

void Checker::Await(int core, const void* signal, int32_t is, const std::function<bool(int32_t)>& holds, Where where) {
  Signal& one = signals_[signal];
  if (one.value() != is) one.Reset(is);
  const bool fresh = one.See(holds, [&](int from, const Clock& clock) {
    clocks_.Learn(AgentOf(core, PTO_PIPE_S), clock, AgentOf(from, PTO_PIPE_S), nullptr);
  });
  stale_[static_cast<size_t>(core)] = fresh ? nullptr : where;
}

// ---- the report ------------------------------------------------------------

int64_t Checker::waits() const {
  return std::count_if(clocks_.waits().begin(), clocks_.waits().end(), [](const Wait& wait) { return wait.followed; });
}

std::vector<Finding> Checker::Findings() const {
  std::vector<Finding> all = findings_;
  for (Finding& found : all) {
    if (found.mistake != Mistake::kRace) continue;
    found.id = found.from_core == found.to_core ? FreeId(used_[PairOf(found.from, found.to)], kFlagIds)
                                                : FreeId(core_flags_, kCoreFlags);
  }
  // After a race is reported, the two accesses are treated as ordered, so that it is reported once.
  const auto good = [](const Finding& found) {
    return found.mistake == Mistake::kLeftSet || found.mistake == Mistake::kOverwritten ||
           found.mistake == Mistake::kRefused;
  };
  if (!std::all_of(all.begin(), all.end(), good)) return all;
  for (const Wait& wait : clocks_.waits()) {
    if (!wait.followed || wait.useful) continue;
    Finding& found = all.emplace_back();
    found.mistake = Mistake::kUseless;
    found.where = wait.where;
    found.times = wait.runs;
  }
  return all;
}

}  // namespace pto::ptoas::sync
