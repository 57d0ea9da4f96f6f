// The memory that an instruction accesses.
#ifndef PTO_SRC_PTOAS_SYNC_ACCESS_H_
#define PTO_SRC_PTOAS_SYNC_ACCESS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "src/ptoas/run/sync_area.h"

namespace pto::ptoas::sync {

// The name of what no operand has: kHiddenScratchBegin.
inline constexpr std::string_view kHiddenScratch = "scratch in vec memory";

// A tile or tensor of an instruction.
struct Access {
  Area area;
  Use use = Use::kRead;
  bool global = false;    // in global memory, which blocks share
  bool passing = false;   // scratch: its contents are not used afterwards
  bool updates = false;   // what is written depends on what was there
  bool loose = false;     // the area has bytes that are not the operand's
  bool shares = false;    // by a pointer, which may be into any tile on purpose
  bool done = false;      // before the core's next statement: see Mark
  std::string_view name;  // of the operand
  const void* data =
      nullptr;  // of the operand, from which its bytes are counted; nullptr: from the first byte of the area
  const void* tile = nullptr;  // tiles that share storage on purpose have one of these
  Shadow::Cached cached = {};  // the region that was found for it
};

// The accesses of a statement, which are the same again while its tiles are.
struct Seen {
  std::vector<Access> accesses;
  uint64_t era = 0;  // of the tiles of a run, when they were worked out; 0: never
};

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_ACCESS_H_
