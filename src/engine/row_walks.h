// Walks by rows of one output and one source whose kernels take less time than a call of several layers: entry points
// run them themselves where the operands lie as kernels want them, RunRows() where they had to be laid out.
#ifndef PTO_SRC_ENGINE_ROW_WALKS_H_
#define PTO_SRC_ENGINE_ROW_WALKS_H_

#include <cstdint>

#include "src/checks/call.h"

namespace pto {

// Rows of a tile: element (r, c) is at data + (r * line + c) * size.
struct RowPlane {
  uint8_t* data;
  int64_t line;   // elements
  int64_t step;   // elements between results of rows: line, or 1 for a column-major tile of one column
  int64_t bytes;  // of scratch
  bool unpack;    // written in scratch, to be moved to the tile
};

inline RowPlane InPlace(const pto_tile& tile) {
  return {tile.data, tile.layout.row_step, tile.layout.row_step, 0, false};
}

constexpr Fold FoldOf(Lane lane) {
  return lane == Lane::kAdd   ? Fold::kSum
         : lane == Lane::kMul ? Fold::kProd
         : lane == Lane::kMax ? Fold::kMax
                              : Fold::kMin;
}

constexpr bool IsRowWalk(Walk walk) { return walk == Walk::kConvert || walk == Walk::kFold; }

// Copies tile 1 to tile 0, in the region of the lead operand, which is not empty.
[[gnu::always_inline]] inline void RunRowWalk(pto_context* ctx, const OpInfo& op, const int32_t* numbers,
                                              pto_tile* const* tiles, const RowPlane& dst, const RowPlane& src) {
  const DType to = tiles[0]->dtype();
  const DType from = tiles[1]->dtype();
  const auto lines = static_cast<size_t>(tiles[op.lead]->ValidRows());
  const auto count = static_cast<size_t>(tiles[op.lead]->ValidCols());
  if (op.walk == Walk::kConvert) {
    // Packing takes the low bits.
    const int32_t saturation = NumberOf(op, numbers, kSaturationMode, 1);
    const bool saturate = saturation == 2 ? SaturatesByDefault(from, to) : saturation == 0;
    const auto mode = static_cast<Round>(NumberOf(op, numbers, kRoundMode));
    Call(ctx->conversions.Of(ctx->target, from, to, mode, saturate),
         ConvertGrid{dst.data, src.data, dst.line, src.line, lines, count});
  } else {
    const bool by_row = op.operands[0].extent == Extent::kRowResults;
    const Fold fold = NumberOf(op, numbers, kOrderMode) == 1 ? Fold::kTreeSum : FoldOf(op.lane);
    Call(ctx->kernels->folds[by_row][static_cast<int>(fold)][static_cast<int>(from)][to != from],
         FoldGrid{dst.data, src.data, by_row ? dst.step : 1, src.line, lines, count});
  }
}

}  // namespace pto

#endif  // PTO_SRC_ENGINE_ROW_WALKS_H_
