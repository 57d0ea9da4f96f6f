// The one way into every instruction, for the typed functions and for pto_inst.
#ifndef PTO_SRC_CORE_EXECUTE_H_
#define PTO_SRC_CORE_EXECUTE_H_

#include <cstdint>

#include "src/core/context.h"
#include "src/core/tensor.h"
#include "src/core/tile.h"
#include "src/ops/op_info.h"

namespace pto {

// Tiles in the order of the record's operands: dst, sources, tmp. Absent ones are
// nullptr, and so is the place of a tensor, which comes last. A failing call
// writes nothing and leaves its text in ctx.
Status Execute(pto_context* ctx, const OpInfo& op, pto_tile* const* tiles, uint32_t flags,
               pto_tensor* tensor = nullptr);

// What Execute() would answer, without running: src/core/check.cc.
Status Check(pto_context* ctx, const OpInfo& op, pto_tile* const* tiles, uint32_t flags, const pto_tensor* tensor);

// Runs a call that Check() has passed: src/core/walk.cc. Fails only when memory
// for operands that must be rearranged is out.
Status Run(pto_context* ctx, const OpInfo& op, pto_tile* const* tiles, uint32_t flags);

// The same for a transfer between a tile and a tensor: src/core/transfer.cc.
Status RunTransfer(pto_context* ctx, const OpInfo& op, pto_tile* tile, const pto_tensor& tensor);

// No byte of one tile is a byte of the other.
inline bool Apart(const pto_tile& x, const pto_tile& y) {
  const auto distance = static_cast<uint64_t>(y.data - x.data);
  return distance >= static_cast<uint64_t>(x.bytes) && 0 - distance >= static_cast<uint64_t>(y.bytes);
}

// Element (r, c) of one tile is element (r, c) of the other.
inline bool SameElements(const pto_tile& x, const pto_tile& y) {
  return x.data == y.data && x.kind == y.kind && x.layout == y.layout;
}

// The scalars of a column-expanding instruction stand down one column.
inline bool IsColumnVector(const pto_tile& tile) {
  return tile.geometry.blayout == BLayout::kColMajor && tile.geometry.slayout == SLayout::kNoneBox &&
         tile.geometry.cols == 1;
}

}  // namespace pto

#endif  // PTO_SRC_CORE_EXECUTE_H_
