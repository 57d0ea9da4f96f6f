// The on-chip memory of one core. A block finds zeros in it, whatever ran there before: the memory is kept from block
// to block and from run to run. Of it only those bytes are cleared that tiles were placed in, and not those that the
// next block writes before it reads them (see first_writes.h).
#ifndef PTO_SRC_PTOAS_CHIP_H_
#define PTO_SRC_PTOAS_CHIP_H_

#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/read/type.h"
#include "src/ptoas/run/spans.h"

namespace pto::ptoas {

struct ReleaseContext {
  void operator()(pto_context* ctx) const { pto_context_release(ctx); }
};
using OwnContext = std::unique_ptr<pto_context, ReleaseContext>;

class Chip {
 public:
  // For a rank of a world, or without a rank.
  explicit Chip(pto_world* world = nullptr, int32_t rank = -1) : world_(world), rank_(rank) {}
  // A context with the caller's profile, target and sizes of memory, all of it zero except for `spared` bytes of vector
  // memory. Tiles that the caller still has keep what they hold. Throws std::bad_alloc only.
  pto_context* Clean(const pto_context* like, const Spans& spared);
  // Clears some bytes of vector memory that were spared after all, unless Clean() found zeros there anyway.
  void ClearSpared(const Spans& bytes);
  // nullptr before the first Clean().
  pto_context* context() const { return ctx_.get(); }
  // Notes that a tile is placed from `begin` to `end`. Returns the number of these bytes that no tile had before.
  int64_t Use(int location, int64_t begin, int64_t end) { return used_[location].Add(begin, end); }
  // Notes that statements may write all of a location's memory, whatever tiles are placed in it.
  void UseAll(int location) { whole_.set(static_cast<size_t>(location)); }

 private:
  void Clear(const Spans& spared);

  pto_world* world_;
  int32_t rank_;
  OwnContext ctx_;
  Spans used_[kLocCount];         // bytes that tiles were placed in
  std::bitset<kLocCount> whole_;  // locations to clear as a whole
  Spans stale_;                   // spared bytes of vector memory, with what earlier blocks left there
  Spans dirty_;                   // room for Clear()
};

// Chips that no core has, for the next run.
using Chips = std::vector<std::unique_ptr<Chip>>;

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_CHIP_H_
