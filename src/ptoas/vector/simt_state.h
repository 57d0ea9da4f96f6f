// Work items of a launch, and what a core remembers from one launch to the next.
#ifndef PTO_SRC_PTOAS_VECTOR_SIMT_STATE_H_
#define PTO_SRC_PTOAS_VECTOR_SIMT_STATE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "src/ptoas/read/type.h"
#include "src/ptoas/run/value.h"

namespace pto::ptoas::vec {

// A launch under way. All work items execute a statement before any executes the next one.
struct Launch {
  const Stmt* stmt = nullptr;  // that launches
  int64_t extents[3] = {};     // along x, y and z
  int count = 0;
  int item = 0;                  // that executes
  int64_t clock = 0;             // statements so far
  std::vector<RunValue> values;  // of all work items, one frame after another
  size_t width = 0;              // values of a frame

  RunValue* FrameOf(int of) { return values.data() + static_cast<size_t>(of) * width; }
};

// What the work items of a launch keep in a slot.
struct KeptSlot {
  const Type* type = nullptr;
  std::vector<RunValue> values;  // by work item; kNone: it kept nothing
};
struct Kept {
  int64_t extents[3] = {};
  std::map<int64_t, KeptSlot> slots;
};

struct SimtState {
  Launch* launch = nullptr;  // under way
  bool set = false;          // the next one
  int64_t extents[3] = {};   // of calls, along x, y and z
  Kept before, now;          // by the launch before, and by the one under way
};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_SIMT_STATE_H_
