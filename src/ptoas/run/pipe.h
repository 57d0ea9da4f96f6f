// The queues of a core, which run beside each other, and which of them an instruction belongs to.
#ifndef PTO_SRC_PTOAS_PIPE_H_
#define PTO_SRC_PTOAS_PIPE_H_

#include <string_view>

#include "include/pto_c.h"
#include "src/ops/op_info.h"

namespace pto::ptoas {

inline constexpr int kPipes = 7;  // values of pto_pipe

// As programs write it, without PIPE_.
const char* NameOf(pto_pipe pipe);

// Where an instruction runs on hardware. The locations are those of its first tile that is read and of the first one
// that is written; where it has none of these, that of the other.
pto_pipe PipeOf(const OpInfo& op, pto_location source, pto_location destination);

// What synchronisation names: PIPE_V, or the kind of an instruction as events have it, such as TLOAD or TMOV_M2L.
inline constexpr int kAllPipes = kPipes;
inline constexpr int kNoPipe = -1;
int FindPipe(std::string_view name);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PIPE_H_
