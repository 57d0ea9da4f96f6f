#include "src/ptoas/run/cores.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <set>
#include <unordered_set>
#include <utility>

#include "src/ptoas/read/wording.h"
#include "src/records/attributes.h"
#include "src/records/mode.h"

namespace pto::ptoas {

std::string Core::Name() const {
  if (kind == CoreKind::kCube) return "the cube core";
  return lanes == 1 ? "the vector core" : "vector core " + std::to_string(lane);
}

// ---- which cores there are -------------------------------------------------

namespace {

class Census {
 public:
  explicit Census(Crew* crew) : crew_(crew) {}

  // A function and all that it calls; in a list, for calls may be deep.
  void Take(const Func* first) {
    Find(first);
    while (!left_.empty()) {
      const Func* func = left_.back();
      left_.pop_back();
      Need(func->core);
      for (const Block* block = func->body; block != nullptr; block = block->next) Take(*block);
    }
  }
  bool Saw(const Func* func) const { return seen_.contains(func); }

 private:
  void Find(const Func* func) {
    if (func != nullptr && seen_.insert(func).second) left_.push_back(func);
  }
  void Need(CoreKind kind) {
    crew_->cube |= kind == CoreKind::kCube;
    crew_->vector |= kind == CoreKind::kVector;
  }
  void Take(const Block& block) {
    for (const Stmt* stmt : block.stmts) {
      const bool sync = stmt->kind == StmtKind::kSync && stmt->info->orders != Orders::kNothing;
      crew_->orders |= sync || (*stmt)["addr"] != nullptr;
      crew_->waits |= sync || IsCoreSync(stmt->kind);
      if (stmt->kind == StmtKind::kSection) Need(stmt->info->core);
      if (stmt->kind == StmtKind::kVectorOp) crew_->below = true;
      if (IsPipe(stmt->kind) && IntAttr(*stmt, "split", 0) != 0) crew_->lanes = kVectorCores;
      const std::string_view to = GivenValue(*stmt, kAccToVecMode.attr);
      if (!to.empty() && to != kAccToVecMode.values[0].name) crew_->lanes = kVectorCores;
      if (IsCoreSync(stmt->kind) && IntAttr(*stmt, "ffts_mode", 2) == 0) crew_->meets = true;
      if (stmt->kind == StmtKind::kSyncAll) crew_->meets = true;
      if (stmt->kind == StmtKind::kCall) Find(stmt->callee);
      for (const Block* inner : stmt->blocks) Take(*inner);
    }
  }

  Crew* crew_;
  std::set<const Func*> seen_;
  std::vector<const Func*> left_;
};

}  // namespace

Crew CrewOf(const Func& entry) {
  Crew crew;
  Census census(&crew);
  census.Take(&entry);
  const Func* peer = entry.peer;
  if (entry.core != CoreKind::kAny && peer != nullptr && peer->body != nullptr && !census.Saw(peer)) {
    crew.peer = peer;
    census.Take(peer);
  }
  const Attr* lanes = FindAttr(entry.attrs, "pto.subblock_num");
  const bool given = lanes != nullptr && lanes->kind == AttrKind::kInt;
  // Programs below tiles are for both vector cores of A5.
  if (given ? lanes->integer == kVectorCores : crew.below && crew.Several()) crew.lanes = kVectorCores;
  return crew;
}

// ---- blocks ----------------------------------------------------------------

Cores::Cores(const Func& entry, const Crew& crew, const RunOptions& options, std::string_view source, Turns* turns,
             Chips* free)
    : entry_(&entry),
      peer_(crew.peer),
      source_(source),
      world_(options.world),
      rank_(options.rank),
      lanes_(crew.lanes) {
  const auto add = [&](Core core, const Func& runs) {
    std::unique_ptr<Chip> chip;
    if (world_ != nullptr) {
      chip = std::make_unique<Chip>(world_, rank_);
    } else if (!free->empty()) {
      chip = std::move(free->back());
      free->pop_back();
    } else {
      chip = std::make_unique<Chip>();
    }
    machines_.push_back(std::make_unique<Machine>(runs, core, &state_, turns, std::move(chip)));
  };
  if (!crew.Several()) {
    const CoreKind kind = crew.cube ? CoreKind::kCube : crew.vector ? CoreKind::kVector : CoreKind::kAny;
    add({kind, 0, 1, true}, entry);
    return;
  }
  const auto runs = [&](CoreKind kind) -> const Func& {
    return crew.peer != nullptr && entry.core != kind ? *crew.peer : entry;
  };
  add({CoreKind::kCube, 0, crew.lanes, false, crew.below}, runs(CoreKind::kCube));
  for (int32_t lane = 0; lane < crew.lanes; ++lane) {
    add({CoreKind::kVector, lane, crew.lanes, false}, runs(CoreKind::kVector));
  }
  for (size_t i = 0; i < machines_.size(); ++i) state_.chips[i] = machines_[i]->chip();
}

void Cores::Bind(const Bindings& bindings, const RunOptions& options, Recorder* recorder) {
  bindings_ = &bindings;
  seed_ = options.seed;
  // The peer takes what is bound to arguments of its names.
  peer_bindings_.clear();
  for (const Binding& binding : bindings) {
    const bool taken = peer_ != nullptr && (std::any_of(peer_->args.begin(), peer_->args.end(),
                                                        [&](const Value* arg) { return arg->name == binding.name; }) ||
                                            binding.name.find_first_not_of("0123456789") == std::string::npos);
    if (taken) peer_bindings_.push_back(binding);
  }
  for (const auto& machine : machines_) {
    machine->Bind(&machine->entry() == entry_ ? bindings : peer_bindings_, options, recorder);
  }
}

void Cores::GiveBack(Chips* free) {
  // One of a rank is of no use to another.
  if (world_ != nullptr) return;
  for (const auto& machine : machines_) free->push_back(machine->TakeChip());
}

Machine::End Cores::RunBlock(const pto_context* callers, int32_t block, int64_t max_steps) {
  meetings_.Begin(block, 1, lanes_);
  Begin(callers, block, &meetings_);
  Machine::End end = Go(&max_steps);
  if (end == Machine::End::kWaits) {
    Deadlock({});
    end = Machine::End::kFailed;
  }
  End(end);
  return end;
}

void Cores::Begin(const pto_context* callers, int32_t block, Meetings* meetings) {
  state_.exchange.Clear(lanes_);
  state_.meetings = meetings;
  state_.output.clear();
  state_.found = Diagnostics(source_);
  state_.found.SharePlaces(before_);
  state_.status = PTO_OK;
  state_.rule = {};
  state_.argument_at_fault.clear();
  state_.random.seed(seed_ + static_cast<uint32_t>(block) + 65537U * static_cast<uint32_t>(rank_ + 1));
  for (const auto& machine : machines_) machine->Begin(callers, block);
  state_.bytes = 0;
  steps_ = 0;
}

Machine::End Cores::Go(int64_t* steps) {
  if (machines_.size() > 1 && std::any_of(bindings_->begin(), bindings_->end(),
                                          [](const Binding& binding) { return binding.value.Is(ValueKind::kTile); })) {
    Fail(Rule::kCoreTiles, entry_->offset, entry_->length,
         "@" + std::string(entry_->name) + " runs on several cores and is bound to a tile");
    return Machine::End::kFailed;
  }
  const int64_t before = *steps;
  moved_ = false;
  const Machine::End end = TakeTurns(steps);
  steps_ += before - *steps;
  return end;
}

void Cores::End(Machine::End end) {
  if (end == Machine::End::kDone) WarnOfParcels();
  before_.SharePlaces(state_.found);
  for (const auto& machine : machines_) machine->Finish();
  state_.exchange.Clear(lanes_);
}

// Until all cores have reached their end, one fails, or all wait.
Machine::End Cores::TakeTurns(int64_t* steps) {
  order_.clear();
  for (const auto& machine : machines_) order_.push_back(machine.get());
  while (true) {
    if (seed_ != 0) std::shuffle(order_.begin(), order_.end(), state_.random);
    bool moved = false;
    bool waits = false;
    bool others = true;  // all that wait give their turn to other ranks
    for (Machine* machine : order_) {
      if (machine->done()) continue;
      const Machine::End end = machine->Go(steps);
      if (end == Machine::End::kFailed || end == Machine::End::kCut) return end;
      moved |= machine->moved();
      waits |= end == Machine::End::kWaits;
      others &= end != Machine::End::kWaits || machine->wait().need == Wait::Need::kOthers;
    }
    moved_ |= moved;
    if (!waits) return Machine::End::kDone;
    if (!moved || others) return Machine::End::kWaits;
  }
}

namespace {

// The value of the signal that a rank waits for.
int32_t SignalValue(const Wait& wait) {
  int32_t value = 0;
  std::memcpy(&value, pto_tensor_data(const_cast<pto_tensor*>(wait.signal)), sizeof value);
  return value;
}

const char* LostSignalRemedy(const Wait& wait) {
  if (wait.cmp == PTO_WAIT_CMP_EQ && SignalValue(wait) > wait.number) {
    return "The signal has passed this value: wait with `ge`, notify it less often, or let it begin with less.";
  }
  return "Notify the signal on another rank before that rank waits or ends, with a value that satisfies the wait.";
}

}  // namespace

void Cores::Fail(Rule rule, uint32_t offset, uint32_t length, const std::string& message, const char* remedy) {
  const RuleInfo& info = pto::Info(rule);
  state_.status = static_cast<pto_status>(info.status);
  state_.rule = rule;
  state_.found.Add(info.id, remedy == nullptr ? RemedyInText(rule) : remedy, offset, length, message);
}

// Each waiting core reports its statement and the core it waits for.
void Cores::Deadlock(std::span<const std::unique_ptr<Cores>> beside, std::span<const std::unique_ptr<Cores>> all) {
  for (const auto& machine : machines_) {
    if (machine->done()) continue;
    const Wait& wait = machine->wait();
    if (wait.need == Wait::Need::kSignal) {
      Fail(Rule::kDeadlock, machine->waits_at().offset, machine->waits_at().length, LostSignal(*machine, all),
           LostSignalRemedy(wait));
      continue;
    }
    const auto& others =
        wait.block < 0 || beside.empty() ? machines_ : beside[static_cast<size_t>(wait.block)]->machines_;
    const auto from = std::find_if(others.begin(), others.end(), [&](const auto& other) {
      return other->core().kind == wait.from.kind && other->core().lane == wait.from.lane;
    });
    std::string text =
        machine->core().Name() + " of block " + std::to_string(machine->block()) + " waits for " + wait.from.Name();
    if (wait.block >= 0 && wait.block != machine->block()) text += " of block " + std::to_string(wait.block);
    if (wait.need == Wait::Need::kSpace) text += " to free a slot: all " + std::to_string(wait.number) + " are full";
    if (wait.need == Wait::Need::kParcel) text += " to push";
    if (wait.need == Wait::Need::kSyncAll) text += " to come to syncall";
    if (wait.need == Wait::Need::kFlag) text += " to set flag " + std::to_string(wait.number);
    if (from == others.end()) {
      text += "; no code is for that core";
    } else if ((*from)->done()) {
      text += "; that core has come to its end";
    } else if (from->get() != machine.get()) {
      const Stmt& at = (*from)->waits_at();
      text += "; that core waits at " + std::string(at.name);
    }
    Fail(Rule::kDeadlock, machine->waits_at().offset, machine->waits_at().length, text);
  }
}

void Cores::AddSignalWaits(size_t block, std::vector<SignalWait>* waits) {
  for (const auto& machine : machines_) {
    if (!machine->done() && machine->wait().need == Wait::Need::kSignal) waits->push_back({block, machine.get()});
  }
}

bool Cores::AwaitSignal(const Machine& machine) {
  const Wait& wait = machine.wait();
  pto_context* const ctx = machine.ctx();
  const auto value = static_cast<int32_t>(wait.number);
  if (pto_comm_twait(ctx, wait.signal, value, static_cast<pto_wait_cmp>(wait.cmp)) == PTO_OK) return true;
  // Why no rank sets it is at the end of the message.
  const std::string_view message = pto_context_error_message(ctx);
  const size_t why = message.find("; ");
  const bool late = std::string_view(pto_context_error_rule(ctx)) == pto::Info(Rule::kTimeLimit).id;
  Fail(late ? Rule::kTimeLimit : Rule::kDeadlock, machine.waits_at().offset, machine.waits_at().length,
       LostSignal(machine, {}) + std::string(why == std::string_view::npos ? "" : message.substr(why)),
       LostSignalRemedy(wait));
  return false;
}

// The event that a rank waits for in vain, and what the other ranks do instead.
std::string Cores::LostSignal(const Machine& machine, std::span<const std::unique_ptr<Cores>> all) const {
  constexpr const char* kNames[] = {"==", "!=", ">", ">=", "<", "<="};
  constexpr size_t kMost = 8;
  const Wait& wait = machine.wait();
  const Stmt& stmt = machine.waits_at();
  const std::string who = machine.FullName();
  std::string text = (who.empty() ? "the program" : who) + " waits until %" + std::string(stmt["signal"]->name) + " " +
                     kNames[wait.cmp] + " " + std::to_string(wait.number) + ", and it is " +
                     std::to_string(SignalValue(wait));
  size_t said = 0;
  for (const auto& cores : all) {
    for (const auto& other : cores->machines_) {
      if (other.get() == &machine || ++said > kMost) continue;
      text += "; " + other->FullName();
      if (other->done()) {
        text += " has come to its end";
      } else {
        Diagnostics places(source_);
        text += " waits at line " + std::to_string(places.PlaceAt(other->waits_at().offset).line);
      }
    }
  }
  if (said > kMost) text += "; and " + std::to_string(said - kMost) + " more";
  return text;
}

void Cores::WarnOfParcels() {
  const RuleInfo& info = pto::Info(Rule::kNeverPopped);
  for (const auto& [number, pipe] : state_.exchange.pipes()) {
    for (const auto& direction : pipe.channels) {
      for (const Channel& channel : direction) {
        if (channel.parcels.empty()) continue;
        const Stmt& stmt = *channel.parcels.front().stmt;
        const size_t count = channel.parcels.size();
        state_.found.Add(info.id, RemedyInText(Rule::kNeverPopped), stmt.offset, stmt.length,
                         std::to_string(count) + " of " + std::to_string(channel.pushed) +
                             " that were pushed in block " + std::to_string(machines_[0]->block()) +
                             " were never popped",
                         false);
      }
    }
  }
}

bool Cores::IndexTiles() {
  bool changed = false;
  for (const auto& machine : machines_) changed |= machine->IndexTiles();
  return changed;
}

std::vector<std::string> Cores::TileNames() const {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  for (const auto& machine : machines_) {
    for (std::string& name : machine->TileNames()) {
      if (known.insert(name).second) names.push_back(std::move(name));
    }
  }
  return names;
}

// From the first core that has one.
pto_tile* Cores::TileOf(std::string_view name) const {
  for (const auto& machine : machines_) {
    pto_tile* tile = machine->TileOf(name);
    if (tile != nullptr) return tile;
  }
  return nullptr;
}

}  // namespace pto::ptoas
