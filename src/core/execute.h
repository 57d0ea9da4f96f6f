// The one way into every instruction, for the typed functions and for pto_inst.
#ifndef PTO_SRC_CORE_EXECUTE_H_
#define PTO_SRC_CORE_EXECUTE_H_

#include <cstdint>

#include "src/core/context.h"
#include "src/core/fp_env.h"
#include "src/core/tensor.h"
#include "src/core/tile.h"
#include "src/core/transfer.h"
#include "src/ops/op_info.h"

namespace pto {

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

// src may stand beside dst or be dst; anything between needs a copy of src.
inline bool Streams(const pto_tile& dst, const pto_tile& src) {
  return Apart(dst, src) | ((dst.data == src.data) & (dst.line == src.line));
}

// Sufficient for all rules of a record that has the element type in `quick`: the
// operands are row-major vector tiles of one element type, ready under the profile,
// with regions that match, and there is no flag. tests/unit holds it against Check().
inline bool QuickCheck(const pto_context& ctx, const OpInfo& op, const pto_tile& dst, const pto_tile& a,
                       const pto_tile& b, uint32_t flags) {
  const uint64_t kinds = (dst.kind ^ a.kind) | (dst.kind ^ b.kind) | (dst.kind & ~kKindDTypeMask);
  const uint64_t regions = dst.valid ^ a.valid;
  const auto profile = static_cast<unsigned>(ctx.profile);
  const auto ready = static_cast<unsigned>(dst.ready & a.ready & b.ready) >> profile;
  const unsigned quick = op.quick[profile] >> (dst.kind & kKindDTypeMask);
  if ((kinds | regions | flags) != 0 || (ready & quick & 1U) == 0) return false;
  if (op.walk == Walk::kColExpand) {
    return b.ValidRows() > 0 && b.ValidCols() >= dst.ValidCols() && Apart(dst, b) && Streams(dst, a);
  }
  return dst.valid == b.valid && Streams(dst, a) && Streams(dst, b);
}

// Every call ends here. Tiles in the order of the record's operands: dst, sources,
// tmp; absent ones are nullptr, and so is the place of a tensor, which comes last. A
// failing call writes nothing and leaves its text in ctx. Inline, so that an entry point folds its record into the few
// compares of the usual call; every other call goes through Check() and Run().
inline Status Execute(pto_context* ctx, const OpInfo& op, pto_tile* const* tiles, uint32_t flags,
                      pto_tensor* tensor = nullptr) {
  const pto_tile* dst = tiles[0];
  const pto_tile* a = tiles[1];
  const pto_tile* b = tiles[op.sources];
  if (ctx != nullptr && dst != nullptr && a != nullptr && b != nullptr && QuickCheck(*ctx, op, *dst, *a, *b, flags))
      [[likely]] {
    const Grid grid{
        .dst = dst->data,
        .a = a->data,
        .b = b->data,
        .dst_line = dst->line,
        .a_line = a->line,
        .b_line = op.walk == Walk::kColExpand ? 0 : b->line,
        .a_step = 1,
        .b_step = 1,
        .lines = static_cast<size_t>(dst->ValidRows()),
        .count = static_cast<size_t>(dst->ValidCols()),
    };
    const DefaultFpEnv fp_env;
    ctx->kernels->at[static_cast<int>(op.lane)][dst->kind & kKindDTypeMask](grid);
    return Status::kOk;
  }
  const Status status = Check(ctx, op, tiles, flags, tensor);
  if (status != Status::kOk) return status;
  // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): Check() has seen the tensor
  if (op.Transfers()) return RunTransfer(ctx, op, tiles[1 - op.TensorIndex()], *tensor);
  return Run(ctx, op, tiles, flags);
}

}  // namespace pto

#endif  // PTO_SRC_CORE_EXECUTE_H_
