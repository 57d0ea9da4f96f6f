// Which block runs when and where, and what becomes of what it leaves.
#include "src/ptoas/run/launch.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "include/pto/pto-pool.hpp"
#include "src/objects/fp_env.h"
#include "src/ptoas/read/wording.h"
#include "src/ptoas/run/lost_waits.h"
#include "src/ptoas/run/sync_report.h"
#include "src/records/plain_text.h"

namespace pto::ptoas {

namespace {

// The results that blocks may keep if they finish before an earlier block.
constexpr int64_t kMaxKeptBytes = int64_t{64} << 20;
// The memory of a block that runs beside others, before it does anything.
constexpr int64_t kWaitingBytes = int64_t{32} << 10;

// The same tensors and numbers, in boxes that another thread may count. Tiles are not copied.
std::unique_ptr<Bindings> CopyOf(const Bindings& bindings) {
  auto copy = std::make_unique<Bindings>();
  for (const Binding& binding : bindings) {
    RunValue value =
        binding.value.Is(ValueKind::kTensor)
            ? RunValue::Of(ValueKind::kTensor, Box::OfTensor(pto_tensor_retain(binding.value.box()->tensor)))
            : binding.value;
    copy->push_back({binding.name, std::move(value), binding.number, binding.output});
  }
  return copy;
}

// The memory of the outputs, before a run has written any of it; nullptr if there is no output.
std::unique_ptr<Unset> UnsetOf(std::span<const Bindings> ranks) {
  std::unique_ptr<Unset> unset;
  for (const Bindings& bindings : ranks) {
    for (const Binding& binding : bindings) {
      if (!binding.output) continue;
      if (unset == nullptr) unset = std::make_unique<Unset>();
      if (binding.value.Is(ValueKind::kTensor)) unset->Add(binding.name, binding.value.box()->tensor);
      if (binding.value.Is(ValueKind::kTile)) unset->Add(binding.name, binding.value.box()->tile);
    }
  }
  return unset == nullptr || unset->empty() ? nullptr : std::move(unset);
}

}  // namespace

Launch::Launch() = default;
Launch::~Launch() = default;

bool Launch::Run(pto_context* ctx, const Func& entry, const Bindings& bindings, const RunOptions& options,
                 Diagnostics* diagnostics, const Ranks* ranks) {
  ctx_ = ctx;
  ranks_ = ranks;
  entry_ = &entry;
  bindings_ = &bindings;
  options_ = options;
  // Cores may take turns in any order; a seed selects one other than the default.
  const char* order = std::getenv("PTO_CORE_ORDER");
  if (order != nullptr) options_.seed = static_cast<uint32_t>(std::strtoul(order, nullptr, 10));
  diagnostics_ = diagnostics;
  // A tile that the caller binds is one memory for all blocks, which therefore run one after another.
  const bool shared = std::any_of(bindings.begin(), bindings.end(),
                                  [](const Binding& binding) { return binding.value.Is(ValueKind::kTile); });
  Prepare(ctx, entry);
  // The run decides which tiles to keep by how often a statement has run.
  const bool together = options.blocks > 1 && !shared && options.record != PTO_RECORD_TILES && !options.sync && !meets_;
  const auto profile = static_cast<Profile>(pto_context_profile(ctx));
  checker_ = CheckerFor(profile);
  options_.checker = checker_.get();
  if (checker_ != nullptr && options.order_all) checker_->Placed();
  unset_ = UnsetOf(ranks == nullptr ? std::span(&bindings, 1) : std::span(ranks->bindings));
  options_.unset = unset_.get();
  threads_ = together ? std::min(options.threads, options.blocks) : 1;
  // Blocks that are under way at a time, of all ranks: each has an equal share of the bytes.
  const int64_t together_blocks = int64_t{options.blocks} * (ranks == nullptr ? 1 : std::ssize(ranks->bindings));
  if (meets_) {
    options_.threads = 1;
    options_.max_bytes /= together_blocks;
  }
  recorders_.clear();
  copies_.clear();
  next_ = first_ = 0;
  no_memory_ = failed_ = false;
  status_ = PTO_OK;
  argument_at_fault_.clear();
  steps_ = 0;
  output_.clear();
  cut_ = false;
  // Also of a run that memory ends.
  struct Leftovers {
    Launch* launch;
    ~Leftovers() {
      launch->recorder_.Finish();
      launch->kept_.clear();
      launch->kept_bytes_ = 0;
    }
  } const leftovers{this};
  recorder_.Start(ctx, options.record, options.record_bytes, diagnostics->source());
  turns_.Begin(meets_ ? static_cast<int32_t>(together_blocks) : options.blocks);
  if (CheckWaits()) {
    Pool::Run(
        threads_, [](void* launch) { static_cast<Launch*>(launch)->Work(); }, this);
  }
  // A stopped run ends before blocks that nothing waits for any more.
  for (auto at = kept_.begin(); at != kept_.end() && !failed_; ++at) {
    if (at->second.end == Machine::End::kFailed) Take(at->first, at->second);
  }
  for (const auto& recorder : recorders_) recorder_.Lose(recorder->lost());
  if (checker_ != nullptr && !failed_ && !no_memory_) sync::Report(*checker_, *entry_, diagnostics);
  if (options.sync && checker_ == nullptr && !failed_ && !no_memory_) {
    diagnostics->Add(pto::Info(Rule::kSyncAuto).id, RemedyInText(Rule::kSyncAuto), entry.offset, entry.length,
                     ranks == nullptr
                         ? "blocks wait for each other, by ffts_mode 0 or syncall: what orders them was not checked"
                         : "there are too many cores on all ranks: what orders them was not checked",
                     false);
  }
  if (unset_ != nullptr && !failed_ && !no_memory_) ReportParts();
  turns_.End(steps_, first_);
  ctx_ = nullptr;
  diagnostics_ = nullptr;
  if (no_memory_) throw std::bad_alloc();
  return !failed_;
}

// Waits of ranks that nothing satisfies, before any rank runs. False: a rank executes one.
bool Launch::CheckWaits() {
  if (!options_.sync || ranks_ == nullptr || ranks_->alone >= 0) return true;
  if (std::string_view(pto_world_transport(ranks_->world)) == "mpi") return true;  // signals may be far
  const RuleInfo& rule = pto::Info(Rule::kDeadlock);
  for (const LostWait& lost :
       LostWaits(*entry_, ranks_->bindings, int64_t{plan_.crew.Cores()} * options_.blocks, diagnostics_)) {
    failed_ |= lost.reached;
    diagnostics_->Add(rule.id, kLostWaitRemedy, lost.wait->offset, lost.wait->length, lost.text, lost.reached);
  }
  if (failed_) status_ = static_cast<pto_status>(rule.status);
  return !failed_;
}

// Each output once, whatever the number of ranks.
void Launch::ReportParts() {
  std::set<std::string_view> reported;
  unset_->EachPart([&](std::string_view name, int64_t missing, int64_t elements) {
    if (!reported.insert(name).second) return;
    // Arguments may be bound by their numbers.
    const bool number = name.find_first_not_of("0123456789") == std::string_view::npos;
    const size_t at = number ? std::strtoul(std::string(name).c_str(), nullptr, 10) : 0;
    if (number && at < entry_->args.size()) name = entry_->args[at]->name;
    diagnostics_->Add(pto::Info(Rule::kOutputPart).id, RemedyInText(Rule::kOutputPart), entry_->offset, entry_->length,
                      std::to_string(missing) + " of the " + std::to_string(elements) + " elements of %" +
                          std::string(name) + " are not written",
                      false);
  });
}

// Keeps what this run may take over from the one before, and drops the rest: of threads, what one needs; of blocks that
// are under way together, the same number of the same world. Cores that failed stopped anywhere: they are made anew.
void Launch::Prepare(const pto_context* ctx, const Func& entry) {
  const auto profile = static_cast<Profile>(pto_context_profile(ctx));
  const char* const target = pto_context_target(ctx);
  if (plan_.entry != &entry) plan_.crew = CrewOf(entry);
  meets_ = ranks_ != nullptr || (plan_.crew.meets && options_.blocks > 1);
  const size_t ranks = ranks_ == nullptr ? 1 : ranks_->bindings.size();
  const size_t together = meets_ ? ranks * static_cast<size_t>(options_.blocks) : 0;
  pto_world* const world = ranks_ == nullptr ? nullptr : ranks_->world;
  const int32_t alone = ranks_ == nullptr ? -1 : ranks_->alone;
  const bool same = plan_.entry == &entry && plan_.profile == profile && plan_.target == target &&
                    plan_.together == together && plan_.world == world && plan_.alone == alone;
  const bool keeps = same && !failed_ && !no_memory_;
  plan_.entry = &entry;
  plan_.profile = profile;
  plan_.target = target;
  plan_.together = together;
  plan_.world = world;
  plan_.alone = alone;
  last_ = nullptr;
  taken_ = 0;
  if (!keeps) indexed_ = nullptr;
  const size_t kept = keeps ? std::min<size_t>(cores_.size(), std::max<size_t>(together, 1)) : 0;
  for (size_t i = kept; i < cores_.size(); ++i) cores_[i]->GiveBack(&chips_);
  if (indexed_ != nullptr && (kept == 0 || indexed_ != cores_[0].get())) indexed_ = nullptr;
  cores_.resize(kept);
  chips_.resize(kept != 0 ? 0 : std::min(chips_.size(), static_cast<size_t>(plan_.crew.Cores())));
}

// nullptr: nothing is checked.
std::unique_ptr<sync::Checker> Launch::CheckerFor(Profile profile) const {
  constexpr int kMostCores = 256;  // each knows something of every other one
  const Crew& crew = plan_.crew;
  if (!options_.sync || (meets_ && ranks_ == nullptr)) return nullptr;
  int cores = crew.Cores();
  sync::Checker::OfRanks of;
  if (ranks_ != nullptr) {
    const int64_t all = int64_t{cores} * options_.blocks * std::ssize(ranks_->bindings);
    if (all > kMostCores) return nullptr;
    of = {cores, cores * options_.blocks, !crew.orders};
    cores = static_cast<int>(all);
  }
  return std::make_unique<sync::Checker>(cores, OverlappingPipes(profile), PipesWithoutBarrier(profile), of,
                                         crew.waits);
}

// The work of one thread.
void Launch::Work() {
  const DefaultRounding rounding;
  try {
    if (meets_) return RunTogether();
    Cores* cores = nullptr;
    Recorder* own = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= options_.blocks) return;
      const Bindings* bindings = bindings_;
      if (threads_ > 1) {
        copies_.push_back(CopyOf(*bindings_));
        bindings = copies_.back().get();
      }
      Recorder* recorder = &recorder_;
      if (threads_ > 1) {
        recorders_.push_back(std::make_unique<Recorder>());
        recorder = recorders_.back().get();
        recorder->StartLike(recorder_);
      }
      if (taken_ == cores_.size()) {
        cores_.push_back(
            std::make_unique<Cores>(*entry_, plan_.crew, options_, diagnostics_->source(), &turns_, &chips_));
      }
      cores = cores_[taken_++].get();
      cores->Bind(*bindings, options_, recorder);
      own = recorder == &recorder_ ? nullptr : recorder;
    }
    RunBlocks(cores, own);
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    no_memory_ = true;
    turns_.CutAfter(-1);
  }
}

void Launch::RunBlocks(Cores* cores, Recorder* recorder) {
  while (true) {
    int32_t block = 0;
    bool waits = false;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= options_.blocks || turns_.Cut(next_)) return;
      block = next_++;
      waits = kept_bytes_ > kMaxKeptBytes;
    }
    if (waits) turns_.Await(block);
    int64_t max_steps = options_.max_steps;
    {
      const std::lock_guard lock(mutex_);
      max_steps -= steps_;
    }
    if (checker_ != nullptr) checker_->BeginBlock(block);
    const Machine::End end = cores->RunBlock(ctx_, block, max_steps);
    if (checker_ != nullptr) checker_->EndBlock();
    const std::lock_guard lock(mutex_);
    Keep(block, {end, cores, cores->steps(), std::move(cores->state().output), std::move(cores->state().found),
                 recorder == nullptr ? Growing<Event>() : recorder->TakeEvents(),
                 recorder == nullptr ? Growing<Event>() : recorder->TakeVectorEvents()});
  }
}

// The blocks of all ranks, on this thread: each until it waits for another one, the first one first.
void Launch::RunTogether() {
  const size_t ranks = ranks_ == nullptr ? 1 : ranks_->bindings.size();
  const auto blocks = static_cast<size_t>(options_.blocks);
  const size_t all = ranks * blocks;
  if (options_.max_bytes < kWaitingBytes) {
    return FailEntry(Rule::kByteLimit, std::to_string(all) + " blocks wait for each other, and each has " +
                                           std::to_string(options_.max_bytes) + " bytes");
  }
  const Crew& crew = plan_.crew;
  std::vector<Meetings> meetings(ranks);
  for (size_t i = 0; i < all; ++i) {
    const size_t rank = i / blocks;
    if (i % blocks == 0) meetings[rank].Begin(0, options_.blocks, crew.lanes);
    RunOptions options = options_;
    const Bindings* bindings = bindings_;
    if (ranks_ != nullptr) {
      options.world = ranks_->world;
      options.rank = ranks_->alone < 0 ? static_cast<int32_t>(rank) : ranks_->alone;
      options.drains = !crew.orders;
      options.checked_core = static_cast<int>(i) * crew.Cores();
      bindings = &ranks_->bindings[rank];
    }
    if (cores_.size() == i) {
      cores_.push_back(std::make_unique<Cores>(*entry_, crew, options, diagnostics_->source(), &turns_, &chips_));
    }
    cores_[i]->Bind(*bindings, options, &recorder_);
    cores_[i]->Begin(ctx_, static_cast<int32_t>(i % blocks), &meetings[rank]);
  }
  std::vector<Machine::End> ends(all, Machine::End::kWaits);
  if (checker_ != nullptr) checker_->BeginBlock(0);
  TakeTurns(&ends);
  if (checker_ != nullptr) checker_->EndBlock();
  for (size_t i = 0; i < all; ++i) {
    cores_[i]->End(ends[i]);
    if (ends[i] == Machine::End::kWaits) continue;
    BlockState& state = cores_[i]->state();
    const std::lock_guard lock(mutex_);
    Keep(static_cast<int32_t>(i), {ends[i], cores_[i].get(), cores_[i]->steps(), std::move(state.output),
                                   std::move(state.found), Growing<Event>(), Growing<Event>()});
  }
}

// The blocks of its rank.
std::span<const std::unique_ptr<Cores>> Launch::BlocksOf(size_t one) const {
  const auto blocks = static_cast<size_t>(options_.blocks);
  return std::span(cores_).subspan(one / blocks * blocks, blocks);
}

// Until all have reached their end, one fails, or all wait.
void Launch::TakeTurns(std::vector<Machine::End>* ends) {
  int64_t steps = options_.max_steps;
  std::vector<size_t> order(ends->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::minstd_rand random(options_.seed);
  while (true) {
    if (options_.seed != 0) std::shuffle(order.begin(), order.end(), random);
    bool waits = false;
    bool moved = false;
    for (const size_t i : order) {
      Machine::End& end = (*ends)[i];
      if (end != Machine::End::kWaits) continue;
      end = cores_[i]->Go(&steps);
      moved |= cores_[i]->moved() || end == Machine::End::kDone;
      waits |= end == Machine::End::kWaits;
      if (end == Machine::End::kFailed) return;
    }
    if (!waits) return;
    if (moved) continue;
    if (ranks_ == nullptr || ranks_->alone < 0) return SayDeadlock(ends);
    if (!AwaitRanks(ends)) return;
  }
}

// A rank that runs alone sleeps until a signal is there that one of its cores waits for. False: a block failed.
bool Launch::AwaitRanks(std::vector<Machine::End>* ends) {
  constexpr std::chrono::seconds kLimit{60};
  std::vector<Cores::SignalWait> waits;
  for (size_t i = 0; i < ends->size(); ++i) {
    if ((*ends)[i] == Machine::End::kWaits) cores_[i]->AddSignalWaits(i, &waits);
  }
  if (waits.size() == 1) {
    if (cores_[waits[0].block]->AwaitSignal(*waits[0].machine)) return true;
    (*ends)[waits[0].block] = Machine::End::kFailed;
    return false;
  }
  // Several signals: the first that is there.
  const auto until = std::chrono::steady_clock::now() + kLimit;
  while (!waits.empty() && std::chrono::steady_clock::now() < until) {
    for (const Cores::SignalWait& one : waits) {
      if (one.machine->SignalHolds()) return true;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  SayDeadlock(ends);
  return false;
}

// The waiting blocks are reported with the first block that waits.
void Launch::SayDeadlock(std::vector<Machine::End>* ends) {
  Diagnostics* said = nullptr;
  for (size_t i = 0; i < ends->size(); ++i) {
    if ((*ends)[i] != Machine::End::kWaits) continue;
    cores_[i]->Deadlock(BlocksOf(i), cores_);
    Diagnostics& found = cores_[i]->state().found;
    if (said == nullptr) {
      said = &found;
      (*ends)[i] = Machine::End::kFailed;
      continue;
    }
    for (const Diagnostic& d : found.list()) said->Add(d.rule, d.remedy, d.offset, d.length, d.message, d.error);
  }
}

void Launch::Keep(int32_t block, Result result) {
  if (result.end == Machine::End::kFailed) {
    // Asked to stop, or out of time: what is under way before this block ends, too.
    const bool at_once = result.cores->state().rule == Rule::kStopped || result.cores->state().rule == Rule::kTimeLimit;
    turns_.CutAfter(at_once ? -1 : block);
  }
  kept_bytes_ +=
      static_cast<int64_t>(result.output.size() + (result.events.size() + result.vector_events.size()) * sizeof(Event));
  if (block == first_ && !failed_ && result.end != Machine::End::kCut) {
    Take(first_++, result);
  } else {
    kept_.emplace(block, std::move(result));
  }
  for (auto at = kept_.find(first_); at != kept_.end() && !failed_ && at->second.end != Machine::End::kCut;
       at = kept_.find(first_)) {
    Take(first_, at->second);
    kept_.erase(at);
    ++first_;
  }
  turns_.Done(first_);
}

// Its turn has come: all blocks before it are done, or not needed.
void Launch::Take(int32_t block, Result& result) {
  kept_bytes_ -=
      static_cast<int64_t>(result.output.size() + (result.events.size() + result.vector_events.size()) * sizeof(Event));
  last_ = result.cores;
  steps_ += result.steps;
  TakeOutput(result.output);
  recorder_.Append(result.events);
  recorder_.AppendVector(result.vector_events);
  // A warning of every block is reported once.
  if (result.end == Machine::End::kDone) Say(result.found);
  if (result.end == Machine::End::kFailed || steps_ > options_.max_steps) Fail(block, result);
}

// As the output of a context: whole lines, and a last line that reports missing room.
void Launch::TakeOutput(std::string_view text) {
  if (cut_) return;
  const size_t room = Machine::kMaxOutputBytes - kCutLine.size() - output_.size();
  cut_ = text.size() > room;
  output_.append(text.substr(0, room));
  if (!cut_) return;
  output_.resize(output_.rfind('\n') + 1);
  output_ += kCutLine;
}

void Launch::Fail(int32_t block, const Result& result) {
  failed_ = true;
  turns_.CutAfter(block);
  const bool limit = result.end == Machine::End::kDone || result.cores->state().rule == Rule::kStepLimit;
  if (limit && threads_ > 1 && block > 0) {
    // The statement at which the block used up the steps is unknown.
    steps_ = options_.max_steps;
    return FailEntry(Rule::kStepLimit, std::to_string(options_.max_steps) + " steps were taken");
  }
  status_ = result.cores->state().status;
  argument_at_fault_ = result.cores->state().argument_at_fault;
  Say(result.found);
}

void Launch::FailEntry(Rule rule, const std::string& message) {
  failed_ = true;
  const RuleInfo& info = pto::Info(rule);
  status_ = static_cast<pto_status>(info.status);
  diagnostics_->Add(info.id, RemedyInText(rule), entry_->offset, entry_->length, message);
}

void Launch::Say(const Diagnostics& found) {
  for (const Diagnostic& d : found.list()) {
    const auto& said = diagnostics_->list();
    const bool again = std::any_of(said.begin(), said.end(), [&](const Diagnostic& one) {
      return !one.error && one.offset == d.offset && one.rule == d.rule;
    });
    if (!again) diagnostics_->Add(d.rule, d.remedy, d.offset, d.length, d.message, d.error);
  }
}

void Launch::IndexTiles() {
  // If memory runs out below, the next run asks for all names again.
  const Cores* const indexed = std::exchange(indexed_, nullptr);
  if (last_ == nullptr) {
    tile_names_.clear();
  } else if (last_->IndexTiles() || indexed != last_) {
    tile_names_ = last_->TileNames();
  }
  indexed_ = last_;
  tiles_known_ = true;
}

pto_tile* Launch::TileOf(std::string_view name) const { return last_ == nullptr ? nullptr : last_->TileOf(name); }

}  // namespace pto::ptoas
