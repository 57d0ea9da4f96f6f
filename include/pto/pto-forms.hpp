// Forms of the ISA that others do: MGATHER from global memory to L1, into a Mat tile by indices that are in global
// memory, too; TMOV with scratch, of exponents into the boxes of block scales.
#ifndef PTO_PTO_FORMS_HPP_
#define PTO_PTO_FORMS_HPP_

#include <cstdint>
#include <type_traits>

#include "pto/pto-base.hpp"
#include "pto/pto-enums.hpp"
#include "pto/pto-float8.hpp"
#include "pto/pto-inst-ops.hpp"
#include "pto/pto-tensor.hpp"
#include "pto/pto-tile.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

// The indices become a tile: a row of them, a column, or one for each element of dst. Of more indices than dst needs,
// the first ones are used.
template <Coalesce kCoalesce, GatherOOB kOob, typename TileDst, typename GlobalData, typename GlobalIdx>
inline RecordEvent GatherByTensor(TileDst& dst, GlobalData& table, GlobalIdx& indexes) {
  using Index = typename GlobalIdx::RawDType;
  constexpr int kLonger = TileDst::Rows > TileDst::Cols ? TileDst::Rows : TileDst::Cols;
  static_assert(TileDst::Loc == TileType::Mat,
                "MGATHER: with indices in global memory, dst must be a TileType::Mat [table-place]");
  static_assert(std::is_same_v<Index, int32_t> || std::is_same_v<Index, uint32_t>,
                "MGATHER: indices are int32_t or uint32_t [operand-dtype]");
  const int64_t rows = indexes.GetShape(0) * indexes.GetShape(1) * indexes.GetShape(2) * indexes.GetShape(3);
  const int64_t cols = indexes.GetShape(4);
  int64_t want_rows = static_cast<int64_t>(dst.GetValidRow());
  int64_t want_cols = static_cast<int64_t>(dst.GetValidCol());
  if (kCoalesce == Coalesce::Row) {
    const bool down = rows != 1 && cols == 1;
    want_cols = down ? 1 : want_rows;
    want_rows = down ? want_rows : 1;
  }
  Tile<TileType::Vec, Index, TileDst::Rows, (kLonger + 7) / 8 * 8, BLayout::RowMajor, DYNAMIC, DYNAMIC> tile(
      static_cast<unsigned>(want_rows < rows ? want_rows : rows),
      static_cast<unsigned>(want_cols < cols ? want_cols : cols));
  TLOAD(tile, indexes);
  return MGATHER<kCoalesce, kOob>(dst, table, tile);
}

}  // namespace pto_detail

// Scratch, which hardware needs to gather elements, is not looked at.
template <Coalesce CMode, typename TileDst, typename GlobalData, typename GlobalIdx, typename GlobalScratch>
inline std::enable_if_t<pto_detail::kIsTensor<GlobalIdx> && pto_detail::kIsTensor<GlobalScratch>, RecordEvent> MGATHER(
    TileDst& dst, GlobalData& src, GlobalIdx& indexes, GlobalScratch& /*scratch*/) {
  return pto_detail::GatherByTensor<CMode, GatherOOB::Undefined>(dst, src, indexes);
}
template <Coalesce CMode, GatherOOB Mode, typename TileDst, typename GlobalData, typename GlobalIdx,
          typename GlobalScratch>
inline std::enable_if_t<pto_detail::kIsTensor<GlobalIdx> && pto_detail::kIsTensor<GlobalScratch>, RecordEvent> MGATHER(
    TileDst& dst, GlobalData& src, GlobalIdx& indexes, GlobalScratch& /*scratch*/) {
  return pto_detail::GatherByTensor<CMode, Mode>(dst, src, indexes);
}

// With the indices of rows in global memory no scratch is needed.
template <Coalesce CMode, GatherOOB Mode = GatherOOB::Undefined, typename TileDst, typename GlobalData,
          typename GlobalIdx>
inline std::enable_if_t<pto_detail::kIsTensor<GlobalIdx>, RecordEvent> MGATHER(TileDst& dst, GlobalData& src,
                                                                               GlobalIdx& indexes) {
  static_assert(CMode == Coalesce::Row,
                "MGATHER: Coalesce::Elem with indices in global memory needs a scratch tile [operand-kind]");
  return pto_detail::GatherByTensor<CMode, Mode>(dst, src, indexes);
}

// Which of A5's units gathers: results do not depend on it.
enum class GatherExec : uint8_t { Default = 0, SIMT = 1, Simt = 1, Scalar = 2 };
template <Coalesce CMode, GatherOOB Mode, GatherExec Exec, typename TileDst, typename GlobalData, typename GlobalIdx,
          typename GlobalScratch>
inline std::enable_if_t<pto_detail::kIsTensor<GlobalIdx> && pto_detail::kIsTensor<GlobalScratch>, RecordEvent> MGATHER(
    TileDst& dst, GlobalData& src, GlobalIdx& indexes, GlobalScratch& /*scratch*/) {
  return pto_detail::GatherByTensor<CMode, Mode>(dst, src, indexes);
}

template <Coalesce CMode, GatherOOB Mode, GatherExec Exec, typename TileDst, typename GlobalData, typename TileInd,
          typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsTile<TileInd> && pto_detail::kAreEvents<WaitEvents...>, RecordEvent> MGATHER(
    TileDst& dst, GlobalData& src, TileInd& indexes, WaitEvents&... events) {
  return MGATHER<CMode, Mode>(dst, src, indexes, events...);
}

// Exponents of groups to the order in which products with block scales read them, a Zz tile: of rows of them, or
// (grp_axis 0) of columns.
template <int grp_axis, typename DstTileData, typename SrcTileData, typename TmpTileData, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsTile<DstTileData> && pto_detail::kIsTile<SrcTileData> &&
                            pto_detail::kIsTile<TmpTileData> && pto_detail::kAreEvents<WaitEvents...>,
                        RecordEvent>
TMOV(DstTileData& dst, SrcTileData& src, TmpTileData& tmp, WaitEvents&... events) {
  using Exponent = typename DstTileData::DType;
  constexpr bool kExponents = std::is_same_v<Exponent, uint8_t> || std::is_same_v<Exponent, float8_e8m0_t>;
  constexpr bool kZz = DstTileData::isRowMajor && DstTileData::isInnerRowMajor && DstTileData::SFractalSize == 32;
  static_assert(grp_axis == 0 || grp_axis == 1,
                "TMOV: grp_axis is 1 for groups along rows, or 0 for groups along columns [mode]");
  static_assert(kExponents, "TMOV: a move with scratch needs exponents: uint8_t or float8_e8m0_t [dtype]");
  static_assert(kZz,
                "TMOV: exponents need a boxed dst: BLayout::RowMajor, SLayout::RowMajor, fractal 32 [matrix-layout]");
  if constexpr (grp_axis == 1) {
    (void)tmp;
    return TMOV(dst, src, events...);
  } else {
    return TTRANS(dst, src, tmp, events...);
  }
}
template <typename DstTileData, typename SrcTileData, typename TmpTileData, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsTile<TmpTileData> && pto_detail::kAreEvents<WaitEvents...>, RecordEvent> TMOV(
    DstTileData& dst, SrcTileData& src, TmpTileData& tmp, WaitEvents&... events) {
  return TMOV<1>(dst, src, tmp, events...);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_FORMS_HPP_
