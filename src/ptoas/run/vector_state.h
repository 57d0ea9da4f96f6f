// The state of a core for the vector level beside values: special registers, and the loop registers of copies.
#ifndef PTO_SRC_PTOAS_RUN_VECTOR_STATE_H_
#define PTO_SRC_PTOAS_RUN_VECTOR_STATE_H_

#include <cstdint>
#include <vector>

#include "src/ptoas/vector/register.h"
#include "src/ptoas/vector/simt_state.h"

namespace pto::ptoas {
struct Stmt;
}

namespace pto::ptoas::vec {

// Loops around the copies of one direction.
struct CopyLoops {
  int64_t rounds[2] = {1, 1};  // of the first, which is the inner one, and of the second
  int64_t source[2] = {};
  int64_t destination[2] = {};
};

// Bytes of UB that a statement stored to in the present scope, where synchronisation is checked.
struct Stored {
  uintptr_t begin, end;
  const Stmt* stmt;
};

struct VectorState {
  std::vector<Stored> stored;
  int squeezed = 0;                    // bytes that the last vsqz or vusqz kept
  int64_t stream = 0;                  // AR: bytes that vstur stored
  int64_t control = int64_t{1} << 48;  // CTRL: f16 and bf16 sums do not saturate
  int64_t merged[4] = {};              // records that the last vmrgsort4 took
  CopyLoops in, out;
  SimtState simt;

  bool Saturates() const { return (static_cast<uint64_t>(control) >> 48 & 1) == 0; }
};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_RUN_VECTOR_STATE_H_
