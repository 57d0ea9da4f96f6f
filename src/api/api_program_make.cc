// extern "C": what is made of a program: kernels in C++, and the program with its synchronisation.
#include "src/api/api_program.h"
#include "src/ptoas/check/verifier.h"
#include "src/ptoas/run/kernel_source.h"
#include "src/ptoas/run/sync_fix.h"

using pto::Arguments;
using pto::CheckProgram;
using pto::FirstError;
using pto::FuncOf;
using pto::Guard;
using pto::Refuse;
using pto::Rule;
using pto::ShowMore;
using pto::Status;
using pto::ptoas::Diagnostics;
using pto::ptoas::Func;
using pto::ptoas::SyncFix;

extern "C" {

const char* pto_program_kernels(pto_context* ctx, pto_program* program, const char* library) {
  static constexpr char kCall[] = "pto_program_kernels";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const Status status = Guard(ctx, kCall, [&] {
    if (CheckProgram(ctx, program, kCall) != Status::kOk) return Refuse(ctx, *program, kCall);
    program->answer = pto::ptoas::KernelSource(program->program, program->name, pto_context_profile(ctx),
                                               library == nullptr ? "" : library);
    if (!program->answer.empty()) return Status::kOk;
    return ctx->error.Set(Rule::kUnknownEntry, kCall, "program",
                          "the program has no public function without results whose arguments a kernel can have");
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

const char* pto_program_fix_sync(pto_context* ctx, pto_program* program, const char* entry) {
  static constexpr char kCall[] = "pto_program_fix_sync";
  if (Arguments(ctx, kCall, program) != Status::kOk) return nullptr;
  const Status status = Guard(ctx, kCall, [&] {
    const Func* func = FuncOf(program, entry);
    if (CheckProgram(ctx, program, kCall, func) != Status::kOk) return Refuse(ctx, *program, kCall);
    if (func == nullptr || func->body == nullptr) {
      return ctx->error.Set(Rule::kUnknownEntry, kCall, "entry", "the program has no such entry");
    }
    Diagnostics before(program->program.source);
    pto::ptoas::VerifyEntry(*func, &before);
    if (before.errors() != 0) {
      ShowMore(program, before);
      return Refuse(ctx, *program, kCall);
    }
    SyncFix fix = pto::ptoas::FixSync(ctx, program->program, *func, program->bound.bindings, program->options);
    program->shown.clear();
    ShowMore(program, fix.found);
    if (fix.status != PTO_OK) {
      FirstError(ctx, *program, kCall, fix.argument_at_fault.c_str());
      ctx->error.status = static_cast<Status>(fix.status);
      return ctx->error.status;
    }
    program->answer = std::move(fix.text);
    return Status::kOk;
  });
  return status == Status::kOk ? program->answer.c_str() : nullptr;
}

}  // extern "C"
