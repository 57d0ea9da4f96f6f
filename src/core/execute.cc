// Execute(): the usual call in a few compares, every other call through Check() and Run().
#include "src/core/execute.h"

#include "src/core/fp_env.h"

namespace pto {

namespace {

// src may stand beside dst or be dst; anything between needs a copy of src.
inline bool Streams(const pto_tile& dst, const pto_tile& src) {
  return Apart(dst, src) | ((dst.data == src.data) & (dst.layout.row_step == src.layout.row_step));
}

// Sufficient for all rules of a record that has the element type in `quick`: the
// operands are row-major vector tiles of one element type, ready under the profile,
// with regions that match, and there is no flag. tests/unit/test_quick.cc holds it
// against Check().
inline bool QuickCheck(const pto_context& ctx, const OpInfo& op, const pto_tile& dst, const pto_tile& a,
                       const pto_tile& b, uint32_t flags) {
  const uint64_t kinds =
      (dst.kind ^ a.kind) | (dst.kind ^ b.kind) | (dst.kind & ~kKindDTypeMask);
  const uint64_t regions = dst.valid ^ a.valid;
  const auto profile = static_cast<unsigned>(ctx.profile);
  const unsigned ready = (dst.ready & a.ready & b.ready) >> profile;
  const unsigned quick = op.quick[profile] >> (dst.kind & kKindDTypeMask);
  if ((kinds | regions | flags) != 0 || (ready & quick & 1U) == 0) return false;
  if (op.walk == Walk::kColExpand) {
    return b.ValidRows() > 0 && b.ValidCols() >= dst.ValidCols() && Apart(dst, b) && Streams(dst, a);
  }
  return dst.valid == b.valid && Streams(dst, a) && Streams(dst, b);
}

}  // namespace

Status Execute(pto_context* ctx, const OpInfo& op, pto_tile* const* tiles, uint32_t flags, pto_tensor* tensor) {
  if (ctx == nullptr) return Status::kNull;
  const pto_tile* dst = tiles[0];
  const pto_tile* a = tiles[1];
  const pto_tile* b = tiles[op.sources];
  if (dst != nullptr && a != nullptr && b != nullptr && QuickCheck(*ctx, op, *dst, *a, *b, flags)) [[likely]] {
    const Grid grid{
        .dst = dst->data,
        .a = a->data,
        .b = b->data,
        .dst_line = dst->layout.row_step,
        .a_line = a->layout.row_step,
        .b_line = op.walk == Walk::kColExpand ? 0 : b->layout.row_step,
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
  if (op.Transfers()) return RunTransfer(ctx, op, tiles[1 - op.TensorIndex()], *tensor);
  return Run(ctx, op, tiles, flags);
}

}  // namespace pto
