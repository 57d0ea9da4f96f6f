// The queues of a core, which run beside each other: which of them an instruction belongs to, and which of them keep
// the order of their own instructions. docs/sync.md has both tables, with their sources.
#ifndef PTO_SRC_PTOAS_PIPE_H_
#define PTO_SRC_PTOAS_PIPE_H_

#include <string_view>

#include "include/pto_c.h"
#include "src/records/op_info.h"

namespace pto::ptoas {

inline constexpr int kPipes = 7;  // values of pto_pipe

// As programs write it, without PIPE_.
const char* NameOf(pto_pipe pipe);

// Where an instruction runs on the hardware of a profile. The locations are of its first tile that is read and of
// the first one that is written; if one of them is missing, of the other. `tmp`: the call has a tmp tile.
pto_pipe PipeOf(const OpInfo& op, Profile profile, pto_location source, pto_location destination, bool tmp);

// Pipes by a bit each. The first: an instruction may begin before an earlier one of the same pipe is done, and a
// barrier of the pipe orders the two. The second: the pipe keeps its order, and its backend refuses that barrier.
unsigned OverlappingPipes(Profile profile);
unsigned PipesWithoutBarrier(Profile profile);

// A name in synchronisation: PIPE_V, or the kind of an instruction as events have it, such as TLOAD or TMOV_M2L.
inline constexpr int kAllPipes = kPipes;
inline constexpr int kNoPipe = -1;
int FindPipe(std::string_view name);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PIPE_H_
