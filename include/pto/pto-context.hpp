// Errors, and the context that the instructions of a thread run on.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_CONTEXT_HPP_
#define PTO_PTO_CONTEXT_HPP_

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "pto/pto-base.hpp"
#include "pto/pto-hooks.hpp"
#include "pto/pto-text.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// A broken rule, with what pto_context_error() and similar functions return in C. what() has all of it in one line.
class Error : public std::exception {
 public:
  [[gnu::cold, gnu::noinline]] Error(pto_status status, const Text& rule, const Text& operand, const Text& message,
                                     const Text& remedy)
      : status_(status), rule_(rule), operand_(operand), message_(message), remedy_(remedy) {
    what_ = message_ + " [" + rule_ + "] " + remedy_;
  }

  const char* what() const noexcept override { return what_.c_str(); }

  // The category of the error.
  pto_status status() const noexcept { return status_; }
  // Id of the rule in docs/rules.md, such as "valid-equal".
  const Text& rule() const noexcept { return rule_; }
  // The operand or parameter at fault; empty if the error has none.
  const Text& operand() const noexcept { return operand_; }
  // The offending values in one line.
  const Text& message() const noexcept { return message_; }
  // How to fix the call.
  const Text& remedy() const noexcept { return remedy_; }

 private:
  pto_status status_;
  Text rule_;
  Text operand_;
  Text message_;
  Text remedy_;
  Text what_;
};

// Called for each error if there are no exceptions (PTO_NO_EXCEPTIONS, or -fno-exceptions). When it
// returns, the failing call does nothing and the kernel continues.
using ErrorHandler = void (*)(const Error& error);

namespace pto_detail {

// As an uncaught exception would: a kernel must not go on unless someone decided that it may.
[[noreturn]] inline void StopOnError(const Error& error) {
  std::fprintf(stderr, "pto: %s\n", error.what());
  std::abort();
}

// An operand as a function of the C interface gets it.
struct Given {
  enum class Kind : uint8_t { kTile, kTensor, kScalar, kNumber };
  Kind kind = Kind::kNumber;
  bool passing = false;  // a tile that is there for this call only
  pto_tile* tile = nullptr;
  pto_tensor* tensor = nullptr;
  uint64_t bits = 0;
};

// Follows what the kernels of a thread do: Recording of pto-record.hpp. Meanwhile the thread's `context` is null, which
// every instruction looks at in any case, and what it is stands here.
class Follower {
 public:
  pto_context* followed = nullptr;
  const char* pipe = nullptr;  // the pipe of the next instructions, such as "MTE2"; null: each instruction has its own
  // False: the instruction is not to run; an error handler knows why.
  virtual bool Before(void (*function)(), uint32_t flags, const Given* operands, int count) = 0;
  virtual void After() = 0;
  // "set_flag", "wait_flag", and within one pipe "record_event", "wait_event".
  virtual void Flag(const char* statement, int from, int to, int id) = 0;
  virtual void Barrier(int which) = 0;
  // The id of the next event between two pipes.
  virtual int NextEvent(int from, int to) = 0;
  // The next calls belong to a block of a launch, or, with -1, to none.
  virtual void Block(int64_t block, int64_t blocks) = 0;

 protected:
  ~Follower() = default;
};

inline thread_local ErrorHandler error_handler = nullptr;
inline thread_local pto_context* context = nullptr;
inline thread_local Follower* follower = nullptr;
inline thread_local bool manual = false;

inline pto_context* Current() { return follower != nullptr ? follower->followed : context; }
inline void SetCurrent(pto_context* ctx) {
  (follower != nullptr ? follower->followed : context) = ctx;
  if (ctx != nullptr) pto_context_saturate(ctx, Saturates());
}

// One line of text with values in it.
struct Line {
  char text[160];
};
[[gnu::cold, gnu::noinline, gnu::format(printf, 1, 2)]] inline Line Say(const char* format, ...) {
  Line line;
  va_list values;
  va_start(values, format);
  std::vsnprintf(line.text, sizeof(line.text), format, values);
  va_end(values);
  return line;
}

// On a thread of a foreign runtime: its entry function has no result, and an exception that left it would end the
// process without a word. So the error is printed, the kernel's pipes fail, so that its peers stop waiting, and the
// process ends with status 70; with PTO_ON_ERROR=return in the environment the call at fault does nothing instead.
[[gnu::cold, gnu::noinline]] inline void StopForeign(const Error& error) {
  const Position at = AskRuntime();
  std::fprintf(stderr, "pto: error: %s [%s]\n  help: %s\n  kernel: %s, block %u, vector core %u\n",
               error.message().c_str(), error.rule().c_str(), error.remedy().c_str(), __BASE_FILE__, at.block, at.lane);
  if (fail_pipes != nullptr) fail_pipes();
  const char* const on_error = std::getenv("PTO_ON_ERROR");
  if (on_error != nullptr && std::strcmp(on_error, "return") == 0) return;
  std::fflush(stderr);
  std::_Exit(70);
}

[[gnu::cold, gnu::noinline]] inline void Raise(pto_status status, const char* rule, const char* operand,
                                               const char* message, const char* remedy) {
  Error error(status, rule, operand, message, remedy);
#if defined(PTO_NO_EXCEPTIONS)
  if (error_handler != nullptr) return error_handler(error);
  if (IsForeign()) return StopForeign(error);
  StopOnError(error);
#else
  if (IsForeign()) return StopForeign(error);
  throw std::move(error);
#endif
}

// A message of the library with the names of this interface in place of C's.
[[gnu::cold, gnu::noinline]] inline Text InCpp(Text text) {
  static constexpr const char* kNames[][2] = {
      {"pto_tile_create_from", "Tile"},
      {" with pto_tile_set_valid", ": ValidRow and ValidCol of the type, or SetValidShape() if these are DYNAMIC"},
      {"set a smaller valid region", "make a part of it valid: ValidRow and ValidCol of the type"},
      {"pto_tile_set_valid", "Tile::SetValidShape"},
      {"pto_tile_reshape", "TRESHAPE"},
      {"pto_tile_view", "TSUBVIEW"},
      {"pto_tile_wrap", "Tile"},
      {"pto_tensor_wrap", "GlobalTensor"},
      {"pto_context_limit_on_chip", "SetOnChipLimit"},
      {"pto_tensor_view", "GlobalTensor"},
      {"pto_tstore_atomic and PTO_ATOMIC_ADD", "TSTORE with AtomicType::AtomicAdd"},
      {"pto_tassign", "TASSIGN"},
      {"pto_tmov", "TMOV"},
      {"PTO_LOCATION_VEC", "TileType::Vec"},
      {"PTO_LOCATION_MAT", "TileType::Mat"},
      {"the PTO_LOCATION_ values", "the values of TileType"},
      {", PTO_VALID_ALL or PTO_VALID_NONE", ""},
      {"PTO_LAYOUT_ND and strided = 0", "Layout::ND and no gaps"},
      {"PTO_LAYOUT_", "Layout::"},
      {"PTO_DTYPE_I32", "int32_t"},
      {"PTO_DTYPE_F32", "float"},
      {"PTO_PAD_ZERO", "PadValue::Zero"},
      {"PTO_ACC_TO_VEC_SINGLE_MODE_VEC0", "AccToVecMode::SingleModeVec0"},
      {"PTO_HIST_", "HistByte::"},
      {"Clear PTO_HIGH_PRECISION", "Leave out HIGH_PRECISION"},
      {"PTO_BLAYOUT_ROW_MAJOR", "BLayout::RowMajor"},
      {"PTO_BLAYOUT_COL_MAJOR", "BLayout::ColMajor"},
      {"PTO_SLAYOUT_NONE_BOX", "SLayout::NoneBox"},
      {"PTO_PROFILE_CPU has", "SetProfile(PTO_PROFILE_CPU) has"},
      {"PTO_PROFILE_CPU accepts", "SetProfile(PTO_PROFILE_CPU) accepts"},
  };
  for (const auto& [in_c, here] : kNames) {
    for (size_t at = text.find(in_c); at != Text::npos; at = text.find(in_c, at)) {
      text = Text(text.c_str(), at) + here + (text.c_str() + at + std::strlen(in_c));
    }
  }
  return text;
}

[[gnu::cold, gnu::noinline]] inline void RaiseFrom(const pto_context* ctx) {
  Raise(pto_context_error(ctx), pto_context_error_rule(ctx), pto_context_error_operand(ctx),
        InCpp(pto_context_error_message(ctx)).c_str(), InCpp(pto_context_error_remedy(ctx)).c_str());
}

// The references that a thread holds; released when the thread ends.
struct ThreadContexts {
  pto_context* own = nullptr;
  pto_context* used = nullptr;
  ThreadContexts() = default;
  ThreadContexts(const ThreadContexts&) = delete;
  ThreadContexts& operator=(const ThreadContexts&) = delete;
  ~ThreadContexts() {
    context = nullptr;
    pto_context_release(used);
    pto_context_release(own);
  }
};

inline ThreadContexts& Contexts() {
  static thread_local ThreadContexts contexts;
  return contexts;
}

// How pto.target_arch of a program names a profile; nullptr: it is not a profile.
constexpr const char* ArchOf(pto_profile profile) {
  switch (profile) {
    case PTO_PROFILE_CPU:
      return "cpu";
    case PTO_PROFILE_A2A3:
      return "a2a3";
    case PTO_PROFILE_A5:
      return "a5";
  }
  return nullptr;
}

// Gives a context memories of a number of bytes, if it has others.
inline void Limit(pto_context* ctx, int64_t bytes) {
  if (pto_context_capacity(ctx, PTO_LOCATION_VEC) != bytes) pto_context_limit_on_chip(ctx, bytes);
}

[[gnu::cold, gnu::noinline]] inline pto_context* Start(pto_profile profile) {
  ThreadContexts& contexts = Contexts();
  pto_context* const next = pto_context_create(profile);
  if (next == nullptr) {
    const bool known = ArchOf(profile) != nullptr;
    Raise(known ? PTO_ERROR_MEMORY : PTO_ERROR_ARGUMENT, known ? "memory" : "operand-value", "profile",
          Say("no context for profile %d", static_cast<int>(profile)).text,
          known ? "Release tiles or contexts, then call again." : "Use one of the PTO_PROFILE_ values.");
    return nullptr;
  }
  pto_context_release(contexts.own);
  contexts.own = next;
  if (contexts.used == nullptr) SetCurrent(next);
  return next;
}

// Where `context` is null.
[[gnu::cold, gnu::noinline]] inline pto_context* FindContext() {
  return follower != nullptr && follower->followed != nullptr ? follower->followed : Start(PTO_PROFILE_CPU);
}

}  // namespace pto_detail

// The context of the calling thread; the first call of a thread makes one of PTO_PROFILE_CPU.
inline pto_context* CurrentContext() {
  pto_context* const ctx = pto_detail::context;
  return ctx != nullptr ? ctx : pto_detail::FindContext();
}

// Gives the calling thread a new context of its own, whose profile judges what follows, and leaves a
// context of UseContext(). On-chip memory starts from zero; tiles keep what they hold.
inline void SetProfile(pto_profile profile) {
  pto_detail::ThreadContexts& contexts = pto_detail::Contexts();
  pto_context* const next = pto_detail::Start(profile);
  if (next == nullptr) return;
  pto_context_release(contexts.used);
  contexts.used = nullptr;
  pto_detail::SetCurrent(next);
}

// Sets how many bytes of on-chip memory each location of the calling thread's context has under PTO_PROFILE_CPU. The
// default is 2^30. Call it before a tile gets an address. Memory is allocated when it is first touched.
inline void SetOnChipLimit(int64_t bytes) {
  pto_context* const ctx = CurrentContext();
  if (ctx != nullptr && pto_context_limit_on_chip(ctx, bytes) != PTO_OK) pto_detail::RaiseFrom(ctx);
}

// Makes the calling thread run on a context of yours, and holds a reference to it. nullptr returns to
// the thread's own context. One thread at a time may use a context.
inline void UseContext(pto_context* ctx) {
  pto_detail::ThreadContexts& contexts = pto_detail::Contexts();
  pto_context_retain(ctx);
  pto_context_release(contexts.used);
  contexts.used = ctx;
  pto_detail::SetCurrent(ctx != nullptr ? ctx : contexts.own);
}

// The text that TPRINT has written on the context of the calling thread, with the blocks of its Launch() in their
// order, since the context was made or ClearOutput() was called. At most 1 MiB; a last line shows that text was cut.
inline Text Output() { return pto_context_output(CurrentContext()); }
inline void ClearOutput() { pto_context_clear_output(CurrentContext()); }

// Where tiles of the calling thread keep their elements before any TASSIGN.
enum class Mode : uint8_t {
  Auto,    // in memory of their own, from their first use: the default
  Manual,  // nowhere: a tile that is used before its TASSIGN is an error
};

// Sets the mode of the calling thread, for tiles that are first used after the call.
inline void SetMode(Mode mode) { pto_detail::manual = mode == Mode::Manual; }

// Sets what is called for errors of the calling thread where there are no exceptions; nullptr restores
// the default, which writes the error to stderr and aborts. Returns the former handler.
inline ErrorHandler SetErrorHandler(ErrorHandler handler) {
  const ErrorHandler former = pto_detail::error_handler;
  pto_detail::error_handler = handler;
  return former;
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_CONTEXT_HPP_
