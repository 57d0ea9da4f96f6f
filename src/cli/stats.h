// The output of `pto run --stats`.
#ifndef PTO_SRC_CLI_STATS_H_
#define PTO_SRC_CLI_STATS_H_

#include <string>

#include "include/pto_c.h"

namespace pto::cli {

// Tables of the latest run's instructions and communication, the dearest first: by name, by line of the text, and by
// the two ranks that a statement concerns. `text` is the program's.
void PrintStats(pto_context* ctx, const pto_program* program, const std::string& text);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_STATS_H_
