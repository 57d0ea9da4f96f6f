// The struct of a program handle, and what all calls on a program share.
#ifndef PTO_SRC_API_API_PROGRAM_H_
#define PTO_SRC_API_API_PROGRAM_H_

#include <atomic>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/api/api_abi.h"
#include "src/objects/fp_env.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"
#include "src/ptoas/run/launch.h"
#include "src/ptoas/run/report.h"

namespace pto {

// A diagnostic, and the strings that live long enough for a C caller.
struct Shown {
  ptoas::Diagnostic diagnostic;
  std::string excerpt;
  std::string text;
  bool demoted = false;  // an error of a function that the run does not reach: a warning
  bool ran = false;      // of the latest run
};

}  // namespace pto

// The struct of the public handle.
struct pto_program {
  pto::RefCount refs;
  std::string name;
  pto::ptoas::Program program;
  pto::ptoas::Diagnostics parsing;
  std::vector<pto::Shown> shown;  // of parsing, or of the latest check or run
  int checked = 0;                // profiles that the program is correct under, one bit each
  const pto::ptoas::Func* default_func = nullptr;
  std::string default_entry;
  std::unordered_map<std::string_view, const pto::ptoas::Func*> funcs;  // the first of a name
  // The bindings of arguments: on every rank, then on each rank by itself.
  struct Bound {
    pto::ptoas::Bindings bindings;
    std::unordered_map<std::string_view, pto::ptoas::Bindings::iterator> of;
  };
  Bound bound;
  std::map<int32_t, Bound> bound_on;
  int32_t binds_on = -1;          // the rank that calls bind for; -1: every rank
  pto_world* world = nullptr;     // counted; nullptr: one device
  std::atomic<bool> stop{false};  // asked for, and not yet done
  pto::ptoas::RunOptions options;
  pto::ptoas::Launch launch;
  std::string answer;     // the text returned last
  pto::ptoas::Mark mark;  // of an event of the latest run
  bool ended = true;      // the latest run, as it should or with a diagnostic: not so where memory was out
  std::vector<std::pair<const pto::ptoas::Value*, std::string>> names;  // of all arguments, by address

  pto_program() { pto::g_live_handles.fetch_add(1, std::memory_order_relaxed); }
  ~pto_program() {
    pto_world_release(world);
    pto::g_live_handles.fetch_sub(1, std::memory_order_relaxed);
  }
  Bound& BoundNow() { return binds_on < 0 ? bound : bound_on[binds_on]; }
  pto_program(const pto_program&) = delete;
  pto_program& operator=(const pto_program&) = delete;
};

namespace pto {

// Further findings of a check or run, after those that are shown.
void ShowMore(pto_program* program, const ptoas::Diagnostics& diagnostics);

// The first error of those shown becomes the context's.
Status FirstError(pto_context* ctx, const pto_program& program, const char* call, const char* at = "");

// The same for a call that is not about the errors but cannot go on with them.
Status Refuse(pto_context* ctx, const pto_program& program, const char* call);

// A run needs its entry and what that calls to be correct, and is warned of the rest;
// without an entry all of the program is to be correct.
Status CheckProgram(pto_context* ctx, pto_program* program, const char* call, const ptoas::Func* entry = nullptr);

// The function of that name, or the default function without a name; otherwise nullptr.
const ptoas::Func* FuncOf(const pto_program* program, const char* entry);

inline Status Arguments(pto_context* ctx, const char* call, const pto_program* program) {
  if (ctx == nullptr) return Status::kNull;
  if (program == nullptr) return ctx->error.Set(Rule::kNull, call, "program", "program is NULL");
  return Status::kOk;
}

// Memory that runs out anywhere inside is a status like any other. Numbers are read, computed and printed by nearest,
// whatever the caller has set; and that stays set.
template <class Work>
Status Guard(pto_context* ctx, const char* call, Work work) {
  const DefaultRounding rounding;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return ctx->error.Set(Rule::kMemory, call, "", "no memory");
  }
}

}  // namespace pto

#endif  // PTO_SRC_API_API_PROGRAM_H_
