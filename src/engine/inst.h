// An instruction as an object: its record, its operands and what it keeps of its latest run.
#ifndef PTO_SRC_ENGINE_INST_H_
#define PTO_SRC_ENGINE_INST_H_

#include <cstdint>

#include "src/checks/call.h"
#include "src/engine/kept.h"
#include "src/records/op_info.h"

namespace pto {

// Execute() with the record known, as the instruction's own entry point has it: half of what a general one costs.
using Runner = Status (*)(pto_context* ctx, const Args& args, Kept* kept, bool known);

}  // namespace pto

// The struct of the public handle.
struct pto_inst {
  mutable pto::Kept kept;  // of the latest run; forgotten when an operand is set
  const pto::OpInfo* op = nullptr;
  pto::Runner run = nullptr;
  pto_tile* tiles[pto::kMaxTiles] = {};
  pto_tensor* tensor = nullptr;
  pto::Scalar scalar;
  int32_t numbers[pto::kMaxNumbers] = {};
  uint32_t flags = 0;
  pto::RefCount refs;

  pto::Args Call() const {
    return {.tiles = tiles, .flags = flags, .tensor = tensor, .scalar = &scalar, .numbers = numbers};
  }
};

#endif  // PTO_SRC_ENGINE_INST_H_
