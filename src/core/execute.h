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

// The part of a partial instruction's dst that only src fills: right of and below the
// rectangle of rows x cols. Both are row-major, and apart or the same elements.
void CopyRest(const pto_context& ctx, const pto_tile& dst, const pto_tile& src, int32_t rows, int32_t cols);

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

// The valid region of x lies within that of y.
inline bool Within(const pto_tile& x, const pto_tile& y) {
  return x.ValidRows() <= y.ValidRows() && x.ValidCols() <= y.ValidCols();
}

// Sufficient for all rules of a record that has the element type in `quick`: the
// operands are row-major vector tiles of one element type, ready under the profile,
// with regions that match, and there is no flag. tests/unit holds it against Check().
inline bool QuickCheck(const pto_context& ctx, const OpInfo& op, const pto_tile& dst, const pto_tile& a,
                       const pto_tile& b, uint32_t flags) {
  const uint64_t kinds = (dst.kind ^ a.kind) | (dst.kind ^ b.kind) | (dst.kind & ~kKindDTypeMask);
  const auto profile = static_cast<unsigned>(ctx.profile);
  const auto ready = static_cast<unsigned>(dst.ready & a.ready & b.ready) >> profile;
  const unsigned quick = op.quick[profile] >> (dst.kind & kKindDTypeMask);
  if ((kinds | flags) != 0 || (ready & quick & 1U) == 0) return false;
  if (op.walk == Walk::kColExpand) {
    return dst.valid == a.valid && b.ValidRows() > 0 && b.ValidCols() >= dst.ValidCols() && Apart(dst, b) &&
           Streams(dst, a);
  }
  if (!Streams(dst, a) || !Streams(dst, b)) return false;
  if (op.walk == Walk::kPartial) {
    return (dst.valid == a.valid && Within(b, dst)) || (dst.valid == b.valid && Within(a, dst));
  }
  return dst.valid == a.valid && dst.valid == b.valid;
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
    // Where all sources are valid.
    const pto_tile* narrow = op.walk != Walk::kPartial ? dst : a->valid == dst->valid ? b : a;
    const Grid grid{
        .dst = dst->data,
        .a = a->data,
        .b = b->data,
        .dst_line = dst->line,
        .a_line = a->line,
        .b_line = op.walk == Walk::kColExpand ? 0 : b->line,
        .a_step = 1,
        .b_step = 1,
        .lines = static_cast<size_t>(narrow->ValidRows()),
        .count = static_cast<size_t>(narrow->ValidCols()),
    };
    const DefaultFpEnv fp_env;
    ctx->kernels->at[static_cast<int>(op.lane)][dst->kind & kKindDTypeMask](grid);
    if (op.walk == Walk::kPartial && narrow->valid != dst->valid) [[unlikely]] {
      CopyRest(*ctx, *dst, narrow == a ? *b : *a, narrow->ValidRows(), narrow->ValidCols());
    }
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
