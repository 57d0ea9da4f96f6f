// What `pto run --stats` prints.
#ifndef PTO_SRC_CLI_STATS_H_
#define PTO_SRC_CLI_STATS_H_

#include "include/pto_c.h"

namespace pto::cli {

// Tables of the latest run's instructions, the dearest first: by name, and by line of the text.
void PrintStats(pto_context* ctx, const pto_program* program);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_STATS_H_
