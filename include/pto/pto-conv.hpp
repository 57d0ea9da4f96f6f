// The instructions whose operands are a ConvTile. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_CONV_HPP_
#define PTO_PTO_CONV_HPP_

#include "pto/pto-conv-move.hpp"
#include "pto/pto-conv-tile.hpp"
#include "pto/pto-issue.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// Fills a ConvTile with one value.
template <TileType L_, typename E_, int B_, Layout O_, typename S_, typename... WaitEvents>
inline RecordEvent TEXPANDS(ConvTile<L_, E_, B_, O_, S_>& dst, E_ scalar, WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr || dst.handle() == nullptr) return {};
  const pto_detail::PartsOf pipe("V");
  pto_detail::Fill(ctx, dst, static_cast<uint32_t>(pto_detail::ScalarOf(scalar).value.bits));
  return {};
}

// A ConvTile from a tensor of its layout, and back. TLOAD also turns NCHW and NHWC to NC1HWC0, NCHW to FRACTAL_Z, and
// NCDHW to FRACTAL_Z_3D and NDC1HWC0: of all of src, which dst has room for; what it does not fill is zero.
template <TileType L_, typename E_, int B_, Layout O_, typename S_, typename GlobalData, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsGlobal<GlobalData>, RecordEvent> TLOAD(ConvTile<L_, E_, B_, O_, S_>& dst,
                                                                              GlobalData& src, WaitEvents&... events) {
  static_assert((pto_detail::kIsEvent<WaitEvents> && ...),
                "TLOAD: an argument after the operands is not an event [operand-kind]");
  (pto_detail::WaitFor(events), ...);
  if constexpr (O_ == GlobalData::layout) {
    return pto_detail::TransferImage<true>(dst, src);
  } else {
    return pto_detail::LoadTurned(dst, src);
  }
}
template <TileType L_, typename E_, int B_, Layout O_, typename S_, typename GlobalData, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsGlobal<GlobalData>, RecordEvent> TSTORE(GlobalData& dst,
                                                                               ConvTile<L_, E_, B_, O_, S_>& src,
                                                                               WaitEvents&... events) {
  static_assert((pto_detail::kIsEvent<WaitEvents> && ...),
                "TSTORE: an argument after the operands is not an event [operand-kind]");
  (pto_detail::WaitFor(events), ...);
  return pto_detail::TransferImage<false>(src, dst);
}

// From one order of an image to another, or to the order of a filter: NCHW, NHWC and NC1HWC0, GNCHW and GNC1HWC0, these
// or NCDHW to FRACTAL_Z or FRACTAL_Z_3D (c1 d h w, n1, n0, c0), and back. Every bit is kept; elements of dst in blocks
// that src does not fill keep what they were. tmp is for hardware.
template <TileType L_, typename E_, int B_, Layout O_, typename S_, TileType L1, typename E1, int B1, Layout O1,
          typename S1, typename TileDataTmp, typename... WaitEvents>
inline RecordEvent TTRANS(ConvTile<L_, E_, B_, O_, S_>& dst, ConvTile<L1, E1, B1, O1, S1>& src, TileDataTmp& /*tmp*/,
                          WaitEvents&... events) {
  static_assert((pto_detail::kIsEvent<WaitEvents> && ...),
                "TTRANS: an argument after the operands is not an event [operand-kind]");
  (pto_detail::WaitFor(events), ...);
  return pto_detail::TransposeImage(dst, src);
}

// A part of a filter as the right matrix of a product: element (i, j) is channel and pixel row + i, in the order of
// (c1 d h w) and c0, of filter col + j. `row` is a multiple of c0. TMOV takes the part that begins at the first.
template <typename TileData, TileType L_, typename E_, int B_, Layout O_, typename S_, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsTile<TileData>, RecordEvent> TEXTRACT(TileData& dst,
                                                                             ConvTile<L_, E_, B_, O_, S_>& src,
                                                                             uint16_t row = 0, uint16_t col = 0,
                                                                             WaitEvents&... events) {
  static_assert((pto_detail::kIsEvent<WaitEvents> && ...),
                "TEXTRACT: an argument after the operands is not an event [operand-kind]");
  (pto_detail::WaitFor(events), ...);
  return pto_detail::ExtractFilter(dst, src, row, col);
}
template <typename TileData, TileType L_, typename E_, int B_, Layout O_, typename S_, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsTile<TileData>, RecordEvent> TMOV(TileData& dst,
                                                                         ConvTile<L_, E_, B_, O_, S_>& src,
                                                                         WaitEvents&... events) {
  static_assert((pto_detail::kIsEvent<WaitEvents> && ...),
                "TMOV: an argument after the operands is not an event [operand-kind]");
  (pto_detail::WaitFor(events), ...);
  return pto_detail::ExtractFilter(dst, src, 0, 0);
}

// On hardware these fill registers from a tile that TIMG2COL reads next; here TIMG2COL reads its tile itself.
template <typename ConvTileData, SetFmatrixMode FmatrixMode = SetFmatrixMode::FMATRIX_A_MANUAL, typename... WaitEvents>
inline RecordEvent SETFMATRIX(ConvTileData& /*src*/, WaitEvents&... /*events*/) {
  return pto_detail::SetOnHardware<ConvTileData, WaitEvents...>();
}
template <typename ConvTileData, SetFmatrixMode FmatrixMode = SetFmatrixMode::FMATRIX_A_MANUAL, typename... WaitEvents>
inline RecordEvent SET_IMG2COL_RPT(ConvTileData& /*src*/, WaitEvents&... /*events*/) {
  return pto_detail::SetOnHardware<ConvTileData, WaitEvents...>();
}
template <typename ConvTileData, SetFmatrixMode FmatrixMode = SetFmatrixMode::FMATRIX_A_MANUAL, typename... WaitEvents>
inline RecordEvent SET_IMG2COL_PADDING(ConvTileData& /*src*/, WaitEvents&... /*events*/) {
  return pto_detail::SetOnHardware<ConvTileData, WaitEvents...>();
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_CONV_HPP_
