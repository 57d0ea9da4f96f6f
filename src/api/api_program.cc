// extern "C": reading, checking and printing PTO-AS programs, which is src/ptoas, and their diagnostics.
#include "src/api/api_program.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <set>

#include "src/ptoas/check/check.h"
#include "src/ptoas/check/verifier.h"
#include "src/ptoas/lint/lint.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/records/plain_text.h"

using pto::Abi;
using pto::Arguments;
using pto::CheckProgram;
using pto::Guard;
using pto::Refuse;
using pto::Rule;
using pto::ShowMore;
using pto::Shown;
using pto::Status;
using pto::ptoas::Diagnostic;
using pto::ptoas::Diagnostics;
using pto::ptoas::Func;
using pto::ptoas::FuncSet;
using pto::ptoas::LintCheck;

namespace {

void ShowOne(pto_program* program, const Diagnostics& diagnostics, const Diagnostic& diagnostic, bool error) {
  Shown shown{diagnostic, diagnostics.Excerpt(diagnostic), "", diagnostic.error && !error};
  shown.diagnostic.error = error;
  shown.text = diagnostics.Render(shown.diagnostic, program->name);
  program->shown.push_back(std::move(shown));
}

void Show(pto_program* program, const Diagnostics& diagnostics) {
  program->shown.clear();
  ShowMore(program, diagnostics);
}

void SortShown(pto_program* program) {
  pto::ptoas::SortByPlace(&program->shown, program->shown.size(),
                          [](const Shown& one) { return one.diagnostic.offset; });
}

const char* LintText(int32_t index, const char* LintCheck::*text) {
  const auto checks = pto::ptoas::LintChecks();
  return index < 0 || static_cast<size_t>(index) >= checks.size() ? nullptr : checks[static_cast<size_t>(index)].*text;
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

// Strings of the tree have no terminating 0; these copies have one and live as long as the program.
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

const Shown* ShownAt(const pto_program* program, int32_t index) {
  if (program == nullptr || index < 0 || static_cast<size_t>(index) >= program->shown.size()) return nullptr;
  return &program->shown[static_cast<size_t>(index)];
}

}  // namespace

namespace pto {

void ShowMore(pto_program* program, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) ShowOne(program, diagnostics, diagnostic, diagnostic.error);
}

Status FirstError(pto_context* ctx, const pto_program& program, const char* call, const char* at) {
  const auto first = std::find_if(program.shown.begin(), program.shown.end(),
                                  [](const Shown& shown) { return shown.diagnostic.error; });
  if (first == program.shown.end()) return Status::kOk;
  const Diagnostic& d = first->diagnostic;
  const std::string text = std::string(call) + ": " + program.name + ":" + std::to_string(d.line) + ":" +
                           std::to_string(d.column) + ": " + d.message;
  return ctx->error.SetText(Status::kProgram, d.rule, d.remedy, text.c_str(), at);
}

Status Refuse(pto_context* ctx, const pto_program& program, const char* call) {
  const Status status = FirstError(ctx, program, call);
  if (status != Status::kProgram) return status;
  ctx->error.rule = pto::Info(Rule::kProgramErrors).id;
  ctx->error.remedy = pto::Info(Rule::kProgramErrors).remedy;
  return status;
}

Status CheckProgram(pto_context* ctx, pto_program* program, const char* call, const Func* entry) {
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

}  // namespace pto

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
    program->checked = 0;  // a run checks again: its diagnostics are not lint findings
    return Status::kOk;
  }));
}

int32_t pto_lint_count() { return static_cast<int32_t>(pto::ptoas::LintChecks().size()); }
const char* pto_lint_id(int32_t index) { return LintText(index, &LintCheck::id); }
const char* pto_lint_title(int32_t index) { return LintText(index, &LintCheck::title); }
const char* pto_lint_why(int32_t index) { return LintText(index, &LintCheck::why); }
const char* pto_lint_remedy(int32_t index) { return LintText(index, &LintCheck::remedy); }

int32_t pto_program_profile(const pto_program* program) {
  if (program == nullptr || !program->program.arch) return -1;
  return static_cast<int32_t>(*program->program.arch);
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
