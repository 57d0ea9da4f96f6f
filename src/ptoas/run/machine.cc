// A run from its beginning to its end or failure, and what each statement does.
#include "src/ptoas/run/machine.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "src/objects/fp_env.h"
#include "src/ptoas/read/wording.h"

namespace pto::ptoas {

namespace {

// Short enough to notice a request to stop within a millisecond, and long enough for the clock to cost nothing.
constexpr int64_t kSlice = 4096;

std::string FormatText(const char* format, va_list args) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, args);
  return text;
}

}  // namespace

Machine::~Machine() = default;

// ---- failing ---------------------------------------------------------------

void Machine::FailAt(Rule rule, uint32_t offset, uint32_t length, const std::string& message) {
  const RuleInfo& info = pto::Info(rule);
  state_->status = static_cast<pto_status>(info.status);
  state_->rule = rule;
  state_->found.Add(info.id, RemedyInText(rule), offset, length, message + Where());
  throw Ended();
}

void Machine::Fail(const Stmt& stmt, Rule rule, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string message = FormatText(format, args);
  va_end(args);
  FailAt(rule, stmt.offset, stmt.length, message);
}

void Machine::FailCall(const Stmt& stmt) {
  const char* rule = pto_context_error_rule(ctx_);
  if (std::string_view(rule) == pto::Info(Rule::kStopped).id) Pause(stmt.offset, stmt.length);  // which names the cause
  state_->status = pto_context_error(ctx_);
  state_->found.Add(rule, RemedyInText(rule), stmt.offset, stmt.length,
                    MessageInText(stmt.name, pto_context_error_message(ctx_)) + Where());
  throw Ended();
}

std::string Machine::FullName() const {
  std::string name;
  if (!core_.alone) name = core_.Name() + " of block " + std::to_string(block_);
  if (core_.alone && options_.blocks > 1) name = "block " + std::to_string(block_);
  if (options_.rank < 0) return name;
  return (name.empty() ? name : name + " of ") + "rank " + std::to_string(options_.rank);
}

// Which work item failed in a launch, on which core, where there are several, and on which rank.
std::string Machine::Where() const {
  std::string where;
  if (const vec::Launch* launch = vector_.simt.launch; launch != nullptr && launch->item >= 0) {
    const int64_t x = launch->extents[0];
    const int64_t y = launch->extents[1];
    where = ", in work item " + std::to_string(launch->item % x) + ", " + std::to_string(launch->item / x % y) + ", " +
            std::to_string(launch->item / x / y);
  }
  if (core_.alone && options_.rank < 0) return where;
  return where + ", on " + FullName();
}

// ---- limits ----------------------------------------------------------------

void Machine::Pause(uint32_t offset, uint32_t length) {
  fuel_ += std::exchange(slice_, 0);
  if (fuel_ < 0) {
    fuel_ = 0;
    FailAt(Rule::kStepLimit, offset, length, std::to_string(options_.max_steps) + " steps were taken");
  }
  if (options_.stop->exchange(false)) FailAt(Rule::kStopped, offset, length, "the run was asked to stop");
  if (turns_->Cut(block_)) {
    cut_ = true;
    throw Ended();
  }
  if (TimeIsOver()) {
    FailAt(Rule::kTimeLimit, offset, length, std::to_string(options_.max_ms) + " milliseconds are over");
  }
  turns_->Took(std::exchange(granted_, std::min(fuel_, kSlice)));
  slice_ = std::min(fuel_, kSlice);
  fuel_ -= slice_;
}

bool Machine::TimeIsOver() const {
  if (options_.max_ms == 0) return false;
  const auto taken = std::chrono::steady_clock::now() - turns_->started();
  return std::chrono::duration_cast<std::chrono::milliseconds>(taken).count() >= options_.max_ms;
}

bool Machine::Due() const { return options_.stop->load() || turns_->Cut(block_) || TimeIsOver(); }

void Machine::FailBytes(uint32_t offset, uint32_t length, int64_t bytes) {
  FailAt(Rule::kByteLimit, offset, length,
         std::to_string(bytes) + " bytes more than the " + std::to_string(state_->bytes) + " in use, where " +
             std::to_string(options_.max_bytes) + " are allowed");
}

RunValue Machine::MakeBox(const Stmt& stmt, ValueKind kind, int64_t bytes) {
  Charge(stmt, kBoxBytes + bytes);
  Box* box = new Box;
  box->bytes = kBoxBytes + bytes;
  box->account = &state_->bytes;
  state_->bytes += box->bytes;
  return RunValue::Of(kind, box);
}

// ---- operands --------------------------------------------------------------

RunValue& Machine::ValueOf(const Stmt& stmt, const Operand& operand, Frame frame, ValueKind kind) {
  RunValue* value = operand.value == nullptr ? nullptr : &frame[operand.value->slot];
  const ValueKind is = value == nullptr ? ValueKind::kNone : value->kind();
  if (is == kind) return *value;
  Fail(stmt, Rule::kUnassigned, "%%%.*s is %s where %s is needed", static_cast<int>(operand.name.size()),
       operand.name.data(), KindName(is), KindName(kind));
}

int64_t Machine::IntOf(const Stmt& stmt, const Operand& operand, Frame frame) {
  if (operand.kind == OperandKind::kAddress) return operand.address;
  if (operand.kind == OperandKind::kLiteral && operand.literal->kind == AttrKind::kInt) return operand.literal->integer;
  return ValueOf(stmt, operand, frame, ValueKind::kInt).integer();
}

// Operands from `first` to `end`, before anything is assigned: a loop may swap its values.
void Machine::Gather(const Node& node, size_t first, size_t end, Frame frame) {
  yielded_.clear();
  for (size_t i = first; i < end; ++i) yielded_.push_back(frame[node.operands[i]]);
  Work(*node.stmt, static_cast<int64_t>(yielded_.size()));
}

void Machine::Assign(const Stmt& stmt, const Slots& slots, size_t first, Frame frame) {
  if (slots.size() - first > yielded_.size()) {
    Fail(stmt, Rule::kUnassigned, "%zu of %zu values that are needed", yielded_.size(), slots.size() - first);
  }
  for (size_t i = first; i < slots.size(); ++i) frame[slots[i]] = std::move(yielded_[i - first]);
}

// ---- statements ------------------------------------------------------------

namespace {

// By the number of the row.
struct Runs {
  Runs() {
    for (const RunRows rows :
         {kInstRuns, kArithRuns, kFlowRuns, kTileRuns, kElementRuns, kPipeRuns, kReportRuns, kVectorRuns, kCommRuns}) {
      for (const RunRow& row : rows) of[row.name.id] = row.run;
    }
  }
  RunStmt of[kStmtCount] = {};
};

}  // namespace

RunStmt RunOf(const StmtInfo& info) {
  static const Runs runs;
  return runs.of[info.id];
}

// ---- the run ---------------------------------------------------------------

void Machine::Bind(const Bindings& bindings, const RunOptions& options, Recorder* recorder) {
  bindings_ = &bindings;
  options_ = options;
  recorder_ = recorder;
  checked_ = options.checker != nullptr;
  watched_ = options.checker != nullptr || options.unset != nullptr || options.late;
  attended_ = options.record != PTO_RECORD_OFF || watched_ || options.threads > 1;
  warned_.clear();
  windows_.clear();
  for (const auto& [stmt, site] : made_) site->runs = 0;
  if (options_.record == PTO_RECORD_OFF) return;
  for (const auto& [func, code] : code_) {
    for (Code& block : code->blocks) Trace(&block);
  }
}

void Machine::Begin(const pto_context* callers, int32_t block) {
  block_ = block;
  cut_ = begun_ = waits_ = done_ = false;
  hardware_ = IsHardware(static_cast<Profile>(pto_context_profile(callers)));
  Forget();
  ctx_ = chip_->Clean(callers, Spared());
  SetControl(vector_.control);
}

// Several cores share memory. Records show what statements read and what they wrote, so no spared byte is seen before
// it is written.
const Spans& Machine::Spared() {
  static const Spans kNothing;
  if (!core_.alone || options_.world != nullptr) return kNothing;
  if (first_writes_ == nullptr) {
    first_writes_ = std::make_unique<FirstWrites>(FirstWritesOf(*entry_));
    writers_.assign(first_writes_->tiles.size(), nullptr);
    for (const auto& [stmt, site] : made_) NoteWriter(*stmt, *site);
  }
  return first_writes_->spared;
}

void Machine::NoteWriter(const Stmt& stmt, const Site& site) {
  if (first_writes_ == nullptr) return;
  const auto [first, last] = first_writes_->Of(stmt);
  std::fill(writers_.begin() + first, writers_.begin() + last, &site);
}

void Machine::ClearUnwritten() {
  const auto ran = [this](size_t i) { return writers_[i] != nullptr && writers_[i]->ran; };
  Spans written;
  Spans unwritten;
  for (size_t i = 0; i < writers_.size(); ++i) {
    if (ran(i)) continue;
    const Span& bytes = first_writes_->tiles[i].bytes;
    unwritten.Add(bytes.begin, bytes.end);
  }
  if (unwritten.empty()) return;
  for (size_t i = 0; i < writers_.size(); ++i) {
    const Span& bytes = first_writes_->tiles[i].bytes;
    if (ran(i)) unwritten.Remove(bytes.begin, bytes.end);
  }
  chip_->ClearSpared(unwritten);
}

static bool HasVector(const Code& code) {
  return std::any_of(code.nodes.begin(), code.nodes.end(), [](const Node& node) {
    return node.stmt->vector != nullptr || std::any_of(node.blocks.begin(), node.blocks.end(), HasVector);
  });
}

void Machine::Start() {
  begun_ = true;
  if (entry_->simt) {
    FailAt(Rule::kUnknownEntry, entry_->offset, entry_->length,
           "@" + std::string(entry_->name) + " is run by work items: a pto.simt_launch starts it");
  }
  FuncCode& code = CodeOf(*entry_);
  const bool alone = core_.alone && options_.world == nullptr && options_.record == PTO_RECORD_TILES;
  follows_ = alone && std::any_of(code.blocks.begin(), code.blocks.end(), HasVector);
  checked_ = options_.checker != nullptr || follows_;
  watched_ |= follows_;
  ub_written_.clear();
  const int64_t frame_bytes = entry_->value_count * kValueBytes;
  Charge(*entry_, frame_bytes);
  state_->bytes += frame_bytes;
  Step(*entry_);
  Work(*entry_, entry_->value_count);
  frame_.resize(entry_->value_count);
  BindArguments(*entry_, frame_.data());
  if (code.blocks.empty()) return;
  calls_.push_back({&code, nullptr, nullptr, {}, 0});
  Enter(nullptr, &code.blocks[0], frame_.data());
}

Machine::End Machine::Go(int64_t* steps) {
  fuel_ = *steps;
  slice_ = granted_ = 0;
  moved_ = !waits_;
  End end = End::kDone;
  const DefaultFpEnv fp_env;  // for registers, whose arithmetic is done here
  try {
    if (!begun_) Start();
    done_ = GoOn();
    if (!done_) end = End::kWaits;
  } catch (const Ended&) {
    end = cut_ ? End::kCut : End::kFailed;
  }
  *steps = fuel_ + slice_;
  turns_->Took(granted_ - slice_);
  return end;
}

// Releases blocks in progress; the values of the entry stay.
void Machine::Finish() {
  Arrive();
  depth_ = 0;
  calls_.clear();
  yielded_.clear();
  bound_.clear();
  ctx_ = nullptr;
}

void Machine::Forget() {
  ++state_->tiles_era;
  mad_ = PTO_MAD_NONE;
  frame_.clear();
  yielded_.clear();
  for (TileCache* cache : caches_) {
    cache->Drop();
    cache->listed = false;
  }
  caches_.clear();
  places_.clear();
  vec_ = nullptr;
  // Instructions would keep the memory that their tiles lie in.
  for (const auto& [stmt, site] : made_) {
    for (SiteArg& arg : site->args) {
      if (arg.tile != nullptr) pto_inst_set_tile(chip_->context(), site->inst, arg.index, nullptr);
      arg.tile = nullptr;
    }
    if (site->lacks_tmp) pto_inst_set_tile(chip_->context(), site->inst, stmt->op->TmpIndex(), nullptr);
    site->era = 0;
    site->ran = false;
  }
  slots_.clear();
  pipes_made_ = 0;
  vector_ = {};
  for (RunValue& memory : memories_) memory = {};
}

}  // namespace pto::ptoas
