// Waits for a signal that no statement of a program can satisfy, in whatever order its ranks run.
#ifndef PTO_SRC_PTOAS_LOST_WAITS_H_
#define PTO_SRC_PTOAS_LOST_WAITS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/ptoas/read/diagnostic.h"
#include "src/ptoas/read/facts.h"
#include "src/ptoas/run/machine.h"

namespace pto::ptoas {

inline constexpr char kLostWaitRemedy[] =
    "Notify the signal with a value that satisfies the wait, or wait for another value.";

struct LostWait {
  const Stmt* wait;
  bool reached;  // a rank executes it, unless it ends before
  std::string text;
};

// The functions of a program, and what its entry is bound to on each rank. Without ranks only the text is known, and
// signals begin with 0. `cores` execute each statement, at most.
std::vector<LostWait> LostWaits(std::span<const FuncFacts> funcs, std::span<const Bindings> ranks, int64_t cores,
                                Diagnostics* places);

// The same before a run of an entry with all that it calls.
std::vector<LostWait> LostWaits(const Func& entry, std::span<const Bindings> ranks, int64_t cores, Diagnostics* places);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_LOST_WAITS_H_
