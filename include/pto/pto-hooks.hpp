// Hooks of a runtime that loads kernels as plugins and starts one thread for each core: which vector core a thread
// is, and memory that the cores of a cluster share. Include pto-inst.hpp, which includes this file.
//
// A runtime either exports the functions below from a library that it loads for all (RTLD_GLOBAL), or passes them to
// each kernel by pto_sim_register_hooks(), which every kernel exports. Registered hooks have priority.
#ifndef PTO_PTO_HOOKS_HPP_
#define PTO_PTO_HOOKS_HPP_

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "pto/pto-base.hpp"

#if defined(__ELF__)
extern "C" {
// The vector core of the calling thread in its cluster, 0 or 1; 0 on a cube core.
[[gnu::weak]] uint32_t pto_sim_get_subblock_id(void);
// Memory of `size` bytes, zero at first, that the cores of the calling thread's cluster share under `pipe_key`. Freed
// when the next run starts, so the pointer is not kept.
[[gnu::weak]] void* pto_sim_get_pipe_shared_state(uint64_t pipe_key, size_t size);
// Block, vector core and number of vector cores of the calling thread.
[[gnu::weak]] void pto_cpu_sim_get_execution_context(uint32_t* block, uint32_t* lane, uint32_t* lanes);
}
#endif

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

using LaneHook = uint32_t (*)();
using StateHook = void* (*)(uint64_t, size_t);
inline LaneHook registered_lane = nullptr;
inline StateHook registered_state = nullptr;

#if defined(__ELF__)
inline LaneHook LaneHookOf() { return registered_lane != nullptr ? registered_lane : &pto_sim_get_subblock_id; }
inline StateHook StateHookOf() {
  return registered_state != nullptr ? registered_state : &pto_sim_get_pipe_shared_state;
}
inline bool HasContextHook() { return &pto_cpu_sim_get_execution_context != nullptr; }
#else
inline void pto_cpu_sim_get_execution_context(uint32_t*, uint32_t*, uint32_t*) {}
inline LaneHook LaneHookOf() { return registered_lane; }
inline StateHook StateHookOf() { return registered_state; }
inline bool HasContextHook() { return false; }
#endif

// Bit 48 of the control word: f32 that leaves an accumulator overflows to infinity, as at the start of a block. Without
// it f16 and bf16 saturate.
inline constexpr uint64_t kControlIeee = uint64_t{1} << 48;
inline constexpr uint64_t kControlAtStart = kControlIeee;

// Where a thread is in a launch.
struct Core {
  int64_t block = 0;
  int64_t blocks = 1;
  int64_t subblock = 0;
  int64_t subblocks = 1;
  uint64_t control = kControlAtStart;
};
inline thread_local Core core;
inline int32_t Saturates() { return (core.control & kControlIeee) == 0 ? 1 : 0; }
// Parts of its control: whether factors of f32 are rounded, and whether ties round away from zero.
inline constexpr uint64_t kMadRounds = uint64_t{1} << 46;
inline constexpr uint64_t kMadAway = uint64_t{1} << 47;

// Whether the calling thread is a block or a core that libpto started.
inline bool Launched() { return core.blocks > 1 || core.subblocks > 1 || core.block != 0 || core.subblock != 0; }

// Where a thread is that a runtime started, and not libpto.
struct Position {
  uint32_t block = 0;
  uint32_t lane = 0;
  uint32_t lanes = 1;
};
[[gnu::cold, gnu::noinline]] inline Position AskRuntime() {
  Position position;
  if (HasContextHook()) pto_cpu_sim_get_execution_context(&position.block, &position.lane, &position.lanes);
  if (const LaneHook lane = LaneHookOf(); lane != nullptr) position.lane = lane();
  return position;
}
inline bool IsForeign() { return !Launched() && (LaneHookOf() != nullptr || HasContextHook()); }
[[gnu::cold, gnu::noinline]] inline int64_t CoresOfRuntime() {
  const char* const cores = std::getenv("PTO_CPU_SIM_NUM_CORES");
  const int64_t count = cores == nullptr ? 0 : std::atoll(cores);
  return count > 0 ? count : core.blocks;
}

// Marks the pipes that the calling thread has used as failed, so that its peers stop waiting; null: it has used none.
inline thread_local void (*fail_pipes)() = nullptr;

}  // namespace pto_detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

// A runtime calls it after dlopen(), before the first run.
#if defined(__ELF__)
extern "C" [[gnu::used, gnu::visibility("default")]] inline void pto_sim_register_hooks(void* get_subblock_id,
                                                                                        void* get_pipe_shared_state) {
  pto::pto_detail::registered_lane = reinterpret_cast<pto::pto_detail::LaneHook>(get_subblock_id);
  pto::pto_detail::registered_state = reinterpret_cast<pto::pto_detail::StateHook>(get_pipe_shared_state);
}
#endif

#endif  // PTO_PTO_HOOKS_HPP_
