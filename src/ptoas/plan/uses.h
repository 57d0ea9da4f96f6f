// Which statements name the values of a function, and in which loops no others do.
#ifndef PTO_SRC_PTOAS_PLAN_USES_H_
#define PTO_SRC_PTOAS_PLAN_USES_H_

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "src/objects/context.h"
#include "src/ptoas/run/code.h"

namespace pto::ptoas::plan {

struct Uses {
  int32_t allocs = 0;  // by alloc_tile without an address
  int32_t insts = 0;   // tiles and tensors of instructions
  int32_t others = 0;
  // A tile that has memory of its own, which only instructions with this name touch.
  bool Alone() const { return others == 0 && allocs == 1; }
};
using UsesOf = std::unordered_map<uint32_t, Uses>;

// An instruction whose operands are all values that other statements made, with nothing to do around its call.
bool IsPlainInst(const Node& node);

// Makes an instruction ready and checks its call, unless `checked` and nothing changed.
void Ready(Machine& machine, Node& node, bool* checked, Frame frame);

// While it lives, calls of a context skip the checks that Ready() has made.
class ChecksPassed {
 public:
  explicit ChecksPassed(pto_context* ctx) : ctx_(ctx) { ctx_->passed = true; }
  ChecksPassed(const ChecksPassed&) = delete;
  ChecksPassed& operator=(const ChecksPassed&) = delete;
  ~ChecksPassed() { ctx_->passed = false; }

 private:
  pto_context* ctx_;
};

// The bytes of an operand if it is a tile, as far as its type is known.
int64_t BytesOfTile(const SiteArg& arg);

// Adds the uses in a block and in the blocks in it.
void CountUses(const Code& code, UsesOf* uses);

// A scf.for around the block that is looked at, from the innermost one on.
struct Loop {
  const Code* body = nullptr;
  // Its body is entered in each round of the loop around it, as often as in the round before.
  bool steady = false;
  UsesOf uses;  // in the body
};
using Loops = std::vector<std::unique_ptr<Loop>>;

// In how many loops, from the innermost one on, only `count` operands of instructions name a slot.
uint32_t ReachOf(uint32_t slot, int32_t count, const Loops& loops);

// Whether one of these loops has another round: what this round leaves in the tile is written anew.
bool Leaves(Machine& machine, uint32_t reach);

}  // namespace pto::ptoas::plan

#endif  // PTO_SRC_PTOAS_PLAN_USES_H_
