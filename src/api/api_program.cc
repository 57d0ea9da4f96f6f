// extern "C": PTO-AS programs. Reading, checking and running are src/ptoas; here
// are the handle, its bindings, and texts that live long enough for a C caller.
#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/api/api_abi.h"
#include "src/ops/plain_text.h"
#include "src/ptoas/check/check.h"
#include "src/ptoas/check/verifier.h"
#include "src/ptoas/lint/lint.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/run/launch.h"
#include "src/ptoas/run/report.h"
#include "src/ptoas/run/tile_desc.h"

using pto::Abi;
using pto::Rule;
using pto::Status;
using pto::ptoas::Binding;
using pto::ptoas::Box;
using pto::ptoas::Diagnostic;
using pto::ptoas::Diagnostics;
using pto::ptoas::Func;
using pto::ptoas::FuncSet;
using pto::ptoas::LintCheck;
using pto::ptoas::RunValue;
using pto::ptoas::ValueKind;

namespace {

struct Shown {
  Diagnostic diagnostic;
  std::string excerpt;
  std::string text;
  bool demoted = false;  // an error of a function that the run does not reach: a warning
  bool ran = false;      // of the latest run
};

}  // namespace

// The struct behind the public handle.
struct pto_program {
  pto::RefCount refs;
  std::string name;
  pto::ptoas::Program program;
  Diagnostics parsing;
  std::vector<Shown> shown;  // of parsing, or of the latest check or run
  int checked = 0;           // profiles that the program is correct under, one bit each
  const Func* default_func = nullptr;
  std::string default_entry;
  std::unordered_map<std::string_view, const Func*> funcs;  // the first of a name
  pto::ptoas::Bindings bindings;
  std::unordered_map<std::string_view, pto::ptoas::Bindings::iterator> binding_of;
  std::atomic<bool> stop{false};  // asked for, and not yet done
  pto::ptoas::RunOptions options;
  pto::ptoas::Launch launch;
  std::vector<std::string> tile_names;
  std::string answer;     // the text answered last
  pto::ptoas::Mark mark;  // of an event of the latest run
  bool ended = true;      // the latest run, as it should or with a diagnostic: not so where memory was out
  std::vector<std::pair<const pto::ptoas::Value*, std::string>> names;  // of all arguments, by address

  pto_program() { pto::g_live_handles.fetch_add(1, std::memory_order_relaxed); }
  ~pto_program() { pto::g_live_handles.fetch_sub(1, std::memory_order_relaxed); }
  pto_program(const pto_program&) = delete;
  pto_program& operator=(const pto_program&) = delete;
};

namespace {

void ShowOne(pto_program* program, const Diagnostics& diagnostics, const Diagnostic& diagnostic, bool error) {
  Shown shown{diagnostic, diagnostics.Excerpt(diagnostic), "", diagnostic.error && !error};
  shown.diagnostic.error = error;
  shown.text = diagnostics.Render(shown.diagnostic, program->name);
  program->shown.push_back(std::move(shown));
}

void ShowMore(pto_program* program, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) ShowOne(program, diagnostics, diagnostic, diagnostic.error);
}

void Show(pto_program* program, const Diagnostics& diagnostics) {
  program->shown.clear();
  ShowMore(program, diagnostics);
}

void SortShown(pto_program* program) {
  std::stable_sort(program->shown.begin(), program->shown.end(),
                   [](const Shown& a, const Shown& b) { return a.diagnostic.offset < b.diagnostic.offset; });
}

const char* LintText(int32_t index, const char* LintCheck::*text) {
  const auto checks = pto::ptoas::LintChecks();
  return index < 0 || static_cast<size_t>(index) >= checks.size() ? nullptr : checks[static_cast<size_t>(index)].*text;
}

// The first error of those shown becomes the context's.
Status FirstError(pto_context* ctx, const pto_program& program, const char* call, const char* at = "") {
  const auto first = std::find_if(program.shown.begin(), program.shown.end(),
                                  [](const Shown& shown) { return shown.diagnostic.error; });
  if (first == program.shown.end()) return Status::kOk;
  const Diagnostic& d = first->diagnostic;
  const std::string text = std::string(call) + ": " + program.name + ":" + std::to_string(d.line) + ":" +
                           std::to_string(d.column) + ": " + d.message;
  return ctx->error.SetText(Status::kProgram, d.rule, d.remedy, text.c_str(), at);
}

// The same for a call that is not about the errors but cannot go on with them.
Status Refuse(pto_context* ctx, const pto_program& program, const char* call) {
  const Status status = FirstError(ctx, program, call);
  if (status != Status::kProgram) return status;
  ctx->error.rule = pto::Info(Rule::kProgramErrors).id;
  ctx->error.remedy = pto::Info(Rule::kProgramErrors).remedy;
  return status;
}

Status Arguments(pto_context* ctx, const char* call, const pto_program* program) {
  if (ctx == nullptr) return Status::kNull;
  if (program == nullptr) return ctx->error.Set(Rule::kNull, call, "program", "program is NULL");
  return Status::kOk;
}

// Numbers are read, computed and printed by nearest, whatever the caller has set; and that stays set.
class DefaultRounding {
 public:
  DefaultRounding() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultRounding() { std::fesetenv(&callers_); }
  DefaultRounding(const DefaultRounding&) = delete;
  DefaultRounding& operator=(const DefaultRounding&) = delete;

 private:
  std::fenv_t callers_;
};

// Memory that runs out anywhere inside is a status like any other.
template <class Work>
Status Guard(pto_context* ctx, const char* call, Work work) {
  const DefaultRounding rounding;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return ctx->error.Set(Rule::kMemory, call, "", "no memory");
  }
}

// The function in which a place of the text lies: the last one that is named before it.
const Func* FuncAt(const pto_program& program, uint32_t offset) {
  const Func* found = nullptr;
  for (const auto* module : program.program.modules) {
    for (const Func* func : module->funcs) {
      if (!func->bare && func->offset <= offset && (found == nullptr || func->offset > found->offset)) found = func;
    }
  }
  return found;
}

// A run needs its entry and what that calls to be correct, and is warned of the rest;
// without an entry all of the program is to be correct.
Status CheckProgram(pto_context* ctx, pto_program* program, const char* call, const Func* entry = nullptr) {
  FuncSet wanted;
  if (entry != nullptr) wanted = pto::ptoas::Reachable(*entry);
  // Two functions of one name are both meant.
  std::set<std::string_view> names;
  for (const Func* func : wanted) names.insert(func->name);
  const auto matters = [&](const Func* func) {
    return entry == nullptr || func == nullptr || names.contains(func->name);
  };
  FuncSet others;
  for (const auto* module : program->program.modules) {
    for (const Func* func : module->funcs) {
      if (!matters(func)) others.insert(func);
    }
  }
  program->shown.clear();
  bool broken = program->parsing.Full();
  for (const Diagnostic& diagnostic : program->parsing.list()) {
    const Func* func = FuncAt(*program, diagnostic.offset);
    broken |= diagnostic.error && matters(func);
    others.erase(func);  // nothing more is said of what cannot be read
    ShowOne(program, program->parsing, diagnostic, diagnostic.error && (matters(func) || program->parsing.Full()));
  }
  if (broken) return FirstError(ctx, *program, call);
  Diagnostics found(program->program.source);
  const bool good = pto::ptoas::VerifyUnder(program->program, ctx, entry == nullptr ? nullptr : &wanted, &found);
  ShowMore(program, found);
  if (!others.empty()) {
    Diagnostics beside(program->program.source);
    pto::ptoas::VerifyUnder(program->program, ctx, &others, &beside);
    for (const Diagnostic& diagnostic : beside.list()) ShowOne(program, beside, diagnostic, false);
  }
  SortShown(program);
  if (!good) return FirstError(ctx, *program, call);
  const bool whole =
      std::none_of(program->shown.begin(), program->shown.end(), [](const Shown& shown) { return shown.demoted; });
  if (whole) program->checked |= 1 << static_cast<int>(ctx->profile);
  return Status::kOk;
}

const Func* FuncOf(const pto_program* program, const char* entry) {
  if (program == nullptr) return nullptr;
  if (entry == nullptr) return program->default_func;
  const auto found = program->funcs.find(entry);
  return found == program->funcs.end() ? nullptr : found->second;
}

const pto::ptoas::Value* ArgOf(const pto_program* program, const char* entry, int32_t index) {
  const Func* func = FuncOf(program, entry);
  if (func == nullptr || index < 0 || static_cast<size_t>(index) >= func->args.size()) return nullptr;
  return func->args[static_cast<size_t>(index)];
}

// Texts of the tree are not ended by 0; these copies are, for as long as the program lives.
void CopyNames(pto_program* program) {
  for (const auto* module : program->program.modules) {
    for (const Func* func : module->funcs) {
      program->funcs.emplace(func->name, func);
      for (const auto* arg : func->args) program->names.emplace_back(arg, arg->name);
    }
  }
  std::sort(program->names.begin(), program->names.end(),
            [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });
  program->default_func = program->program.DefaultEntry();
  if (program->default_func != nullptr) program->default_entry = program->default_func->name;
}

// `make` answers the value, kNone to take the binding back; it may throw std::bad_alloc,
// and then the binding is what it was.
template <class Make>
Status Bind(pto_context* ctx, pto_program* program, const char* call, const char* arg, Make make) {
  const Status status = Arguments(ctx, call, program);
  if (status != Status::kOk) return status;
  if (arg == nullptr) return ctx->error.Set(Rule::kNull, call, "arg", "arg is NULL");
  return Guard(ctx, call, [&] {
    Binding made{arg[0] == '%' ? arg + 1 : arg, make()};
    const auto at = program->binding_of.find(made.name);
    if (at != program->binding_of.end()) {
      const auto binding = at->second;
      binding->value = std::move(made.value);
      if (!binding->value.Is(ValueKind::kNone)) return Status::kOk;
      program->binding_of.erase(at);
      program->bindings.erase(binding);
    } else if (!made.value.Is(ValueKind::kNone)) {
      pto::ptoas::Bindings one;
      one.push_back(std::move(made));
      program->binding_of.emplace(one.front().name, one.begin());
      program->bindings.splice(program->bindings.end(), one);
    }
    return Status::kOk;
  });
}

int64_t RecordedRows(const pto::ptoas::Recorder& recorder, const pto_event_part& part) {
  switch (pto::RawEnum(part)) {
    case PTO_EVENT_PART_EVENTS:
      return static_cast<int64_t>(recorder.events().size());
    case PTO_EVENT_PART_TILES:
      return static_cast<int64_t>(recorder.tiles().size());
    case PTO_EVENT_PART_ELEMENTS:
      return static_cast<int64_t>(recorder.data().size());
    default:
      return 0;
  }
}

const Shown* ShownAt(const pto_program* program, int32_t index) {
  if (program == nullptr || index < 0 || static_cast<size_t>(index) >= program->shown.size()) return nullptr;
  return &program->shown[static_cast<size_t>(index)];
}

}  // namespace

extern "C" {

pto_program* pto_program_parse(pto_context* ctx, const char* text, int64_t bytes, const char* name) {
  static constexpr char kCall[] = "pto_program_parse";
  if (ctx == nullptr) return nullptr;
  if (text == nullptr && bytes != 0) {
    ctx->error.Set(Rule::kNull, kCall, "text", "text is NULL");
    return nullptr;
  }
  if (bytes < 0) {
    ctx->error.Set(Rule::kByteCount, kCall, "bytes", "bytes is %lld", static_cast<long long>(bytes));
    return nullptr;
  }
  pto_program* program = nullptr;
  Guard(ctx, kCall, [&] {
    auto made = std::make_unique<pto_program>();
    made->name = pto::Plain(name == nullptr ? "program" : name);
    made->options.stop = &made->stop;
    made->program = pto::ptoas::Parse({text == nullptr ? "" : text, static_cast<size_t>(bytes)}, &made->parsing);
    Show(made.get(), made->parsing);
    CopyNames(made.get());
    program = made.release();
    return Status::kOk;
  });
  return program;
}

pto_program* pto_program_retain(pto_program* program) {
  if (program != nullptr) program->refs.Retain();
  return program;
}

void pto_program_release(pto_program* program) {
  if (program != nullptr && program->refs.Release()) delete program;
}

pto_status pto_program_check(pto_context* ctx, pto_program* program) {
  static constexpr char kCall[] = "pto_program_check";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  return Abi(Guard(ctx, kCall, [&] { return CheckProgram(ctx, program, kCall); }));
}

pto_status pto_program_lint(pto_context* ctx, pto_program* program, const char* checks) {
  static constexpr char kCall[] = "pto_program_lint";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  return Abi(Guard(ctx, kCall, [&] {
    std::vector<bool> chosen;
    std::string wrong;
    if (!pto::ptoas::ChooseChecks(checks == nullptr ? "" : checks, &chosen, &wrong)) {
      wrong = pto::Plain(wrong.substr(0, 60));
      return ctx->error.Set(Rule::kLintCheck, kCall, "checks", "there is no check \"%s\"", wrong.c_str());
    }
    const Status correct = CheckProgram(ctx, program, kCall);
    if (correct != Status::kOk) return correct;
    Diagnostics found(program->program.source, std::numeric_limits<int>::max());
    pto::ptoas::FindAdvice(program->program, ctx, chosen, &found);
    ShowMore(program, found);
    SortShown(program);
    program->checked = 0;  // a run checks again: what it shows is no advice
    return Status::kOk;
  }));
}

int32_t pto_lint_count() { return static_cast<int32_t>(pto::ptoas::LintChecks().size()); }
const char* pto_lint_id(int32_t index) { return LintText(index, &LintCheck::id); }
const char* pto_lint_title(int32_t index) { return LintText(index, &LintCheck::title); }
const char* pto_lint_why(int32_t index) { return LintText(index, &LintCheck::why); }
const char* pto_lint_remedy(int32_t index) { return LintText(index, &LintCheck::remedy); }

int32_t pto_program_profile(const pto_program* program) {
  if (program == nullptr) return -1;
  switch (program->program.arch) {
    case pto::ptoas::Arch::kA2A3:
      return PTO_PROFILE_A2A3;
    case pto::ptoas::Arch::kA5:
      return PTO_PROFILE_A5;
    default:
      return -1;
  }
}

const char* pto_program_entry(const pto_program* program) {
  return program == nullptr || program->default_entry.empty() ? nullptr : program->default_entry.c_str();
}

int32_t pto_program_arg_count(const pto_program* program, const char* entry) {
  const Func* func = FuncOf(program, entry);
  return func == nullptr ? -1 : static_cast<int32_t>(func->args.size());
}

const char* pto_program_arg_name(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  if (arg == nullptr) return nullptr;
  const auto at = std::lower_bound(program->names.begin(), program->names.end(), arg,
                                   [](const auto& pair, const auto* key) { return std::less<>()(pair.first, key); });
  return at->second.c_str();
}

pto_arg_kind pto_program_arg_kind(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  if (arg == nullptr) return PTO_ARG_OTHER;
  switch (pto::ptoas::Machine::KindOf(arg->type)) {
    case ValueKind::kPtr:
    case ValueKind::kTensor:
      return PTO_ARG_TENSOR;
    case ValueKind::kTile:
      return PTO_ARG_TILE;
    case ValueKind::kInt:
      return PTO_ARG_INT;
    case ValueKind::kFloat:
      return PTO_ARG_FLOAT;
    default:
      return PTO_ARG_OTHER;
  }
}

int32_t pto_program_arg_dtype(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  pto_dtype dtype = PTO_DTYPE_I8;
  if (arg == nullptr || arg->type == nullptr || !pto::ptoas::DTypeOf(arg->type->elem, &dtype)) return -1;
  return dtype;
}

pto_tile* pto_program_arg_tile(pto_context* ctx, const pto_program* program, const char* entry, int32_t index) {
  static constexpr char kCall[] = "pto_program_arg_tile";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const auto* arg = ArgOf(program, entry, index);
  if (arg == nullptr) {
    ctx->error.Set(Rule::kArgumentName, kCall, "index", "there is no argument %d", index);
    return nullptr;
  }
  const auto* type = arg->type;
  const auto valid = [](int64_t extent) { return extent == pto::ptoas::kDynamic ? int64_t{PTO_VALID_ALL} : extent; };
  pto_tile_desc desc{};
  if (type == nullptr || type->kind != pto::ptoas::TypeKind::kTile ||
      !pto::ptoas::TileDesc(*type, pto_context_profile(ctx), valid(type->valid_row), valid(type->valid_col), &desc)) {
    ctx->error.Set(Rule::kArgumentKind, kCall, "index", "the program does not say what tile argument %d is", index);
    return nullptr;
  }
  return pto_tile_create_from(ctx, &desc);
}

int32_t pto_program_arg_optional(const pto_program* program, const char* entry, int32_t index) {
  const auto* arg = ArgOf(program, entry, index);
  return arg != nullptr && arg->written_first ? 1 : 0;
}

pto_status pto_program_bind_tensor(pto_context* ctx, pto_program* program, const char* arg, pto_tensor* tensor) {
  return Abi(Bind(ctx, program, "pto_program_bind_tensor", arg, [&] {
    return tensor == nullptr ? RunValue() : RunValue::Of(ValueKind::kTensor, Box::OfTensor(pto_tensor_retain(tensor)));
  }));
}

pto_status pto_program_bind_tile(pto_context* ctx, pto_program* program, const char* arg, pto_tile* tile) {
  return Abi(Bind(ctx, program, "pto_program_bind_tile", arg, [&] {
    return tile == nullptr ? RunValue() : RunValue::Of(ValueKind::kTile, Box::OfTile(pto_tile_retain(tile)));
  }));
}

pto_status pto_program_bind_int(pto_context* ctx, pto_program* program, const char* arg, int64_t value) {
  return Abi(Bind(ctx, program, "pto_program_bind_int", arg, [&] { return RunValue::Int(value); }));
}

pto_status pto_program_bind_float(pto_context* ctx, pto_program* program, const char* arg, double value) {
  return Abi(Bind(ctx, program, "pto_program_bind_float", arg, [&] { return RunValue::Float(value); }));
}

pto_status pto_program_limit_steps(pto_context* ctx, pto_program* program, int64_t steps) {
  static constexpr char kCall[] = "pto_program_limit_steps";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (steps < 1)
    return Abi(ctx->error.Set(Rule::kLimit, kCall, "steps", "steps is %lld", static_cast<long long>(steps)));
  program->options.max_steps = steps;
  return PTO_OK;
}

pto_status pto_program_limit_bytes(pto_context* ctx, pto_program* program, int64_t bytes) {
  static constexpr char kCall[] = "pto_program_limit_bytes";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (bytes < 1)
    return Abi(ctx->error.Set(Rule::kLimit, kCall, "bytes", "bytes is %lld", static_cast<long long>(bytes)));
  program->options.max_bytes = bytes;
  return PTO_OK;
}

pto_status pto_program_limit_time(pto_context* ctx, pto_program* program, int64_t milliseconds) {
  static constexpr char kCall[] = "pto_program_limit_time";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (milliseconds < 1) {
    return Abi(ctx->error.Set(Rule::kLimit, kCall, "milliseconds", "milliseconds is %lld",
                              static_cast<long long>(milliseconds)));
  }
  program->options.max_ms = milliseconds;
  return PTO_OK;
}

void pto_program_stop(pto_program* program) {
  static_assert(std::atomic<bool>::is_always_lock_free);  // what makes it safe in a signal handler
  if (program != nullptr) program->stop.store(true);
}

void pto_program_forget_stop(pto_program* program) {
  if (program != nullptr) program->stop.store(false);
}

pto_status pto_program_set_blocks(pto_context* ctx, pto_program* program, int32_t blocks) {
  static constexpr char kCall[] = "pto_program_set_blocks";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (blocks < 1) return Abi(ctx->error.Set(Rule::kBlocks, kCall, "blocks", "blocks is %d", blocks));
  program->options.blocks = blocks;
  return PTO_OK;
}

pto_status pto_program_set_threads(pto_context* ctx, pto_program* program, int32_t threads) {
  static constexpr char kCall[] = "pto_program_set_threads";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (threads < 1 || threads > pto::ptoas::kMaxThreads) {
    return Abi(ctx->error.Set(Rule::kThreads, kCall, "threads", "threads is %d", threads));
  }
  program->options.threads = threads;
  return PTO_OK;
}

pto_status pto_program_set_sync(pto_context* ctx, pto_program* program, int32_t on) {
  const Status status = Arguments(ctx, "pto_program_set_sync", program);
  if (status != Status::kOk) return Abi(status);
  program->options.sync = on != 0;
  return PTO_OK;
}

pto_status pto_program_set_trace(pto_context* ctx, pto_program* program, int32_t on) {
  const Status status = Arguments(ctx, "pto_program_set_trace", program);
  if (status != Status::kOk) return Abi(status);
  program->options.record = on != 0 ? PTO_RECORD_TIMES : PTO_RECORD_OFF;
  program->options.record_bytes = pto::ptoas::RunOptions::kRecordBytes;
  return PTO_OK;
}

pto_status pto_program_record(pto_context* ctx, pto_program* program, pto_record what, int64_t max_bytes) {
  static constexpr char kCall[] = "pto_program_record";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (!pto::InEnum(what, PTO_RECORD_TILES + 1)) {
    return Abi(
        ctx->error.Set(Rule::kOperandValue, kCall, "what", "what is %d where 0 to 2 are known", pto::RawEnum(what)));
  }
  if (max_bytes < 1) {
    return Abi(
        ctx->error.Set(Rule::kLimit, kCall, "max_bytes", "max_bytes is %lld", static_cast<long long>(max_bytes)));
  }
  program->options.record = what;
  program->options.record_bytes = max_bytes;
  return PTO_OK;
}

pto_status pto_program_run(pto_context* ctx, pto_program* program, const char* entry) {
  static constexpr char kCall[] = "pto_program_run";
  Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  status = Guard(ctx, kCall, [&] {
    program->tile_names.clear();
    const Func* func = FuncOf(program, entry);
    if ((program->checked >> static_cast<int>(ctx->profile) & 1) == 0) {
      const Status checked = CheckProgram(ctx, program, kCall, func);
      if (checked != Status::kOk) return Refuse(ctx, *program, kCall);
    }
    // What stays is what the check warned of.
    std::erase_if(program->shown, [](const Shown& shown) { return shown.diagnostic.error || shown.ran; });
    const size_t checked = program->shown.size();
    Diagnostics found(program->program.source);
    if (func == nullptr || func->body == nullptr) {
      return ctx->error.Set(Rule::kUnknownEntry, kCall, "entry", "%s%.64s",
                            entry == nullptr ? "the program has no single entry" : "no function is called ",
                            entry == nullptr ? "" : entry);
    }
    pto::ptoas::VerifyEntry(*func, &found);
    if (found.errors() != 0) {
      ShowMore(program, found);
      return Refuse(ctx, *program, kCall);
    }
    program->mark = {};
    const bool good = program->launch.Run(ctx, *func, program->bindings, program->options, &found);
    program->tile_names = program->launch.IndexTiles();
    ShowMore(program, found);
    for (size_t i = checked; i < program->shown.size(); ++i) program->shown[i].ran = true;
    if (good) return FirstError(ctx, *program, kCall);
    FirstError(ctx, *program, kCall, program->launch.argument_at_fault().c_str());
    ctx->error.status = static_cast<Status>(program->launch.status());
    return ctx->error.status;
  });
  program->ended = status != Status::kMemory;
  return Abi(status);
}

int64_t pto_program_steps(const pto_program* program) { return program == nullptr ? 0 : program->launch.steps(); }

const char* pto_program_output(const pto_program* program) {
  return program == nullptr ? "" : program->launch.output().c_str();
}

int64_t pto_program_event_count(const pto_program* program, pto_event_part part) {
  return program == nullptr ? 0 : RecordedRows(program->launch.recorder(), part);
}

int64_t pto_program_events_lost(const pto_program* program) {
  return program == nullptr ? 0 : program->launch.recorder().lost();
}

pto_status pto_program_read_events(pto_context* ctx, const pto_program* program, pto_event_part part, int64_t first,
                                   int32_t fields, void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_program_read_events";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  if (!pto::InEnum(part, PTO_EVENT_PART_ELEMENTS + 1)) {
    return Abi(
        ctx->error.Set(Rule::kOperandValue, kCall, "part", "part is %d where 0 to 2 are known", pto::RawEnum(part)));
  }
  if (data == nullptr && bytes != 0) return Abi(ctx->error.Set(Rule::kNull, kCall, "data", "data is NULL"));
  const auto& recorder = program->launch.recorder();
  const bool elements = part == PTO_EVENT_PART_ELEMENTS;
  if (!elements && fields < 1) {
    return Abi(ctx->error.Set(Rule::kOperandValue, kCall, "fields", "fields is %d", fields));
  }
  const int64_t row = elements ? 1 : fields * int64_t{8};
  const int64_t there = RecordedRows(recorder, part);
  if (bytes < 0 || bytes % row != 0 || first < 0 || first > there || bytes / row > there - first) {
    return Abi(ctx->error.Set(Rule::kByteCount, kCall, "bytes",
                              "%lld bytes from row %lld on, of %lld rows of %lld bytes", static_cast<long long>(bytes),
                              static_cast<long long>(first), static_cast<long long>(there),
                              static_cast<long long>(row)));
  }
  const auto from = static_cast<size_t>(first);
  const auto count = static_cast<size_t>(bytes / row);
  if (count == 0) return PTO_OK;
  if (elements) {
    std::memcpy(data, recorder.data().data() + from, count);
  } else if (part == PTO_EVENT_PART_EVENTS) {
    recorder.ReadEvents(from, count, static_cast<size_t>(fields), data);
  } else {
    recorder.ReadTiles(from, count, static_cast<size_t>(fields), data);
  }
  return PTO_OK;
}

const char* pto_program_trace(pto_context* ctx, pto_program* program) {
  static constexpr char kCall[] = "pto_program_trace";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const Status status = Guard(ctx, kCall, [&] {
    program->answer = program->launch.Trace();
    return Status::kOk;
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

pto_status pto_program_mark(pto_context* ctx, pto_program* program, int64_t event, const char* note) {
  static constexpr char kCall[] = "pto_program_mark";
  const Status status = Arguments(ctx, kCall, program);
  if (status != Status::kOk) return Abi(status);
  const int64_t there = RecordedRows(program->launch.recorder(), PTO_EVENT_PART_EVENTS);
  if (note != nullptr && (event < 0 || event >= there)) {
    return Abi(ctx->error.Set(Rule::kOperandValue, kCall, "event", "event is %lld of %lld",
                              static_cast<long long>(event), static_cast<long long>(there)));
  }
  return Abi(Guard(ctx, kCall, [&] {
    program->mark = note == nullptr ? pto::ptoas::Mark{} : pto::ptoas::Mark{event, note};
    return Status::kOk;
  }));
}

const char* pto_program_report(pto_context* ctx, pto_program* program) {
  static constexpr char kCall[] = "pto_program_report";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const Status status = Guard(ctx, kCall, [&] {
    std::vector<Diagnostic> notes;
    for (const Shown& shown : program->shown) notes.push_back(shown.diagnostic);
    program->answer = pto::ptoas::Report(program->launch.recorder(), program->name, program->program.source, notes,
                                         program->ended, program->mark);
    return Status::kOk;
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

int64_t pto_program_steps_so_far(const pto_program* program) {
  return program == nullptr ? 0 : program->launch.steps_so_far();
}

int32_t pto_program_blocks_so_far(const pto_program* program) {
  return program == nullptr ? 0 : program->launch.blocks_so_far();
}

pto_tile* pto_program_tile(pto_context* ctx, pto_program* program, const char* name) {
  static constexpr char kCall[] = "pto_program_tile";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  if (name == nullptr) {
    ctx->error.Set(Rule::kNull, kCall, "name", "name is NULL");
    return nullptr;
  }
  pto_tile* tile = nullptr;
  Guard(ctx, kCall, [&] {
    tile = program->launch.TileOf(name);
    if (tile == nullptr) return ctx->error.Set(Rule::kArgumentName, kCall, "name", "no tile is called %%%.64s", name);
    return Status::kOk;
  });
  return pto_tile_retain(tile);
}

int32_t pto_program_tile_count(const pto_program* program) {
  return program == nullptr ? 0 : static_cast<int32_t>(program->tile_names.size());
}

const char* pto_program_tile_name(const pto_program* program, int32_t index) {
  if (index < 0 || index >= pto_program_tile_count(program)) return nullptr;
  return program->tile_names[static_cast<size_t>(index)].c_str();
}

const char* pto_program_print(pto_context* ctx, pto_program* program, pto_form form) {
  static constexpr char kCall[] = "pto_program_print";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const Status status = Guard(ctx, kCall, [&] {
    if (!pto::InEnum(form, 4)) {
      return ctx->error.Set(Rule::kOperandValue, kCall, "form", "form is %d where 0 to 3 are known",
                            pto::RawEnum(form));
    }
    if (program->parsing.errors() != 0) return Refuse(ctx, *program, kCall);
    using pto::ptoas::Spelling;
    program->answer = form == PTO_FORM_KEEP
                          ? pto::ptoas::Print(program->program)
                          : pto::ptoas::Print(program->program, static_cast<Spelling>(static_cast<int>(form) - 1));
    return Status::kOk;
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

int32_t pto_program_diagnostic_count(const pto_program* program) {
  return program == nullptr ? 0 : static_cast<int32_t>(program->shown.size());
}

int32_t pto_program_diagnostic_error(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown != nullptr && shown->diagnostic.error ? 1 : 0;
}

int32_t pto_program_diagnostic_line(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown == nullptr ? 0 : shown->diagnostic.line;
}

int32_t pto_program_diagnostic_column(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown == nullptr ? 0 : shown->diagnostic.column;
}

const char* pto_program_diagnostic_rule(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown == nullptr ? nullptr : shown->diagnostic.rule;
}

const char* pto_program_diagnostic_message(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown == nullptr ? nullptr : shown->diagnostic.message.c_str();
}

const char* pto_program_diagnostic_remedy(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown == nullptr ? nullptr : shown->diagnostic.remedy;
}

const char* pto_program_diagnostic_excerpt(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown == nullptr ? nullptr : shown->excerpt.c_str();
}

const char* pto_program_diagnostic_text(const pto_program* program, int32_t index) {
  const Shown* shown = ShownAt(program, index);
  return shown == nullptr ? nullptr : shown->text.c_str();
}

}  // extern "C"
