// Intrinsics on tiles as such, which no record of the op table describes: TPRINT, TRESHAPE, TSUBVIEW; and the forms of
// TFILLPAD and TQUANT whose template has the mode, the padding or the type of the result.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_TILE_OPS_HPP_
#define PTO_PTO_TILE_OPS_HPP_

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "pto/pto-float8.hpp"
#include "pto/pto-inst-ops.hpp"
#include "pto/pto-issue.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace pto_detail {

template <typename T_, bool = kIsTile<T_>>
inline constexpr bool kIsMat = false;
template <typename T_>
inline constexpr bool kIsMat<T_, true> = T_::Loc == TileType::Mat;

}  // namespace pto_detail

namespace pto_detail {

// Prints to the output of the context and, with PTO_PRINT=stdout in the environment, to standard output, too.
[[gnu::cold, gnu::noinline]] inline void Print(pto_context* ctx, const pto_tile* tile, pto_print_format format) {
  const size_t before = std::strlen(pto_context_output(ctx));
  if (pto_tprint(ctx, tile, format) != PTO_OK) return RaiseFrom(ctx);
  const char* const where = std::getenv("PTO_PRINT");
  if (where == nullptr || std::strcmp(where, "stdout") != 0) return;
  std::fputs(pto_context_output(ctx) + before, stdout);
  std::fflush(stdout);
}

// A tensor as the tile of its matrix.
template <typename GlobalData>
inline void PrintTensor(pto_context* ctx, const GlobalData& src, pto_print_format format) {
  const int64_t shape[] = {src.GetShape(0), src.GetShape(1), src.GetShape(2), src.GetShape(3), src.GetShape(4)};
  const int64_t rows = ProductOf(shape, RowDims(GlobalData::layout));
  const int64_t cols = ProductOf(shape, ~RowDims(GlobalData::layout));
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = static_cast<pto_dtype>(DTypeOf<typename GlobalData::RawDType>());
  desc.valid_rows = static_cast<int32_t>(rows);
  desc.valid_cols = static_cast<int32_t>(cols);
  desc.rows = desc.valid_rows;
  desc.cols = static_cast<int32_t>(RoundUp(cols, 64));  // rows of 32 bytes, of every type
  pto_tile* const tile = pto_tile_create_from(ctx, &desc);
  const bool loaded = tile != nullptr && pto_tload(ctx, tile, src.handle(), 0) == PTO_OK;
  if (loaded) {
    Print(ctx, tile, format);
  } else {
    RaiseFrom(ctx);
  }
  pto_tile_release(tile);
}

}  // namespace pto_detail

// Prints the valid region of a tile, or a tensor, to the output of the thread's context: see Output(). With
// PTO_PRINT=stdout in the environment it appears on standard output, too.
template <PrintFormat Format = PrintFormat::Width8_Precision4, typename TileData>
inline void TPRINT(TileData& src) {
  constexpr bool kTensor = pto_detail::kIsTensor<TileData>;
  static_assert(kTensor || pto_detail::kIsTile<TileData>, "TPRINT: src is a tile or a GlobalTensor [operand-kind]");
  static_assert(Format <= PrintFormat::Width10_Precision6, "TPRINT: the format is a value of PrintFormat [mode]");
  constexpr auto kFormat = static_cast<pto_print_format>(Format);
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr || src.handle() == nullptr) return;
  if constexpr (kTensor) {
    pto_detail::PrintTensor(ctx, src, kFormat);
  } else {
    pto_detail::Print(ctx, src.handle(), kFormat);
  }
}

// The same where hardware needs scratch in global memory, which is not touched here.
template <PrintFormat Format = PrintFormat::Width8_Precision4, typename TileData, typename GlobalData>
inline void TPRINT(TileData& src, GlobalData& tmp) {
  constexpr bool kTensor = pto_detail::kIsTensor<GlobalData>;  // shorter in the message of a compiler
  static_assert(kTensor, "TPRINT: tmp is a GlobalTensor [operand-kind]");
  (void)tmp;
  TPRINT<Format>(src);
}

// dst has the elements of src from here on, in the order of its own type: nothing is moved, and what is written to one
// is read from the other. Its former elements are gone from it.
template <typename TileDataOut, typename TileDataIn, typename... WaitEvents>
inline RecordEvent TRESHAPE(TileDataOut& dst, TileDataIn& src, WaitEvents&... /*events*/) {
  static_assert(pto_detail::kIsTile<TileDataOut> && pto_detail::kIsTile<TileDataIn>,
                "TRESHAPE: dst and src are tiles [operand-kind]");
  static_assert(pto_detail::kAreEvents<WaitEvents...>,
                "TRESHAPE: an argument after the operands is not an event [operand-kind]");
  if constexpr (pto_detail::kIsTile<TileDataOut> && pto_detail::kIsTile<TileDataIn>) {
    // Named, so that a compiler's message has each type once.
    constexpr bool kSameMemory = TileDataOut::Loc == TileDataIn::Loc;
    constexpr bool kSameBoxes = TileDataOut::isBoxedLayout == TileDataIn::isBoxedLayout;
    constexpr bool kSameBytes = TileDataOut::GetSizeInBytes() == TileDataIn::GetSizeInBytes();
    static_assert(kSameMemory, "TRESHAPE: dst and src are in different memories [reshape-boxes]");
    static_assert(kSameBoxes, "TRESHAPE: only one of dst and src has boxes [reshape-boxes]");
    static_assert(kSameBytes, "TRESHAPE: dst and src have different numbers of bytes [reshape-bytes]");
    dst.Reshape(src);
  }
  return {};
}

// dst becomes a window of src: its element (i, j) is element (row + i, col + j) of src, with the valid region and the
// type of dst. The pitch of a tile follows from its type. So both types have one pitch, or dst is one line. If src ends
// before dst does, the window ends there; the valid region of dst must lie inside.
template <typename TileDataDst, typename TileDataSrc, typename... WaitEvents>
inline RecordEvent TSUBVIEW(TileDataDst& dst, TileDataSrc& src, uint16_t row, uint16_t col, WaitEvents&... /*events*/) {
  static_assert(pto_detail::kIsTile<TileDataDst> && pto_detail::kIsTile<TileDataSrc>,
                "TSUBVIEW: dst and src are tiles [operand-kind]");
  static_assert(pto_detail::kAreEvents<WaitEvents...>,
                "TSUBVIEW: an argument after the operands is not an event [operand-kind]");
  if constexpr (pto_detail::kIsTile<TileDataDst> && pto_detail::kIsTile<TileDataSrc>) {
    constexpr bool kRows = TileDataDst::isRowMajor;
    constexpr bool kSamePitch = kRows ? TileDataDst::Cols == TileDataSrc::Cols : TileDataDst::Rows == TileDataSrc::Rows;
    constexpr bool kLine = !TileDataDst::isBoxedLayout && (kRows ? TileDataDst::Rows : TileDataDst::Cols) == 1;
    constexpr bool kSamePad = TileDataDst::PadVal == PadValue::Null || TileDataDst::PadVal == TileDataSrc::PadVal;
    constexpr bool kSameMemory = TileDataDst::Loc == TileDataSrc::Loc;
    constexpr bool kSameType = std::is_same_v<typename TileDataDst::DType, typename TileDataSrc::DType>;
    constexpr bool kSameLayout = TileDataDst::BFractal == TileDataSrc::BFractal &&
                                 TileDataDst::SFractal == TileDataSrc::SFractal &&
                                 TileDataDst::SFractalSize == TileDataSrc::SFractalSize;
    static_assert(kSameMemory, "TSUBVIEW: dst and src are in different memories [view-range]");
    static_assert(kSameType, "TSUBVIEW: dst and src have different element types [same-dtype]");
    static_assert(kSameLayout, "TSUBVIEW: dst and src have different layouts [view-range]");
    static_assert(
        kSamePitch || kLine,
        "TSUBVIEW: the lines of dst are not as far apart as those of src: give both types as many columns, or "
        "rows where they are column-major [view-range]");
    static_assert(kSamePad, "TSUBVIEW: dst has another pad value than src [pad]");
    dst.Subview(src, row, col);
  }
  return {};
}

// TFILLPAD with its way as a parameter: TFILLPAD_INPLACE and TFILLPAD_EXPAND by another name.
template <TFillPadMode mode, typename DstTileData, typename SrcTileData, typename... WaitEvents>
inline RecordEvent TFILLPAD(DstTileData& dst, SrcTileData& src, WaitEvents&... events) {
  constexpr bool kMode = mode <= TFillPadMode::Expand;
  static_assert(kMode, "TFILLPAD: the mode is a value of TFillPadMode [mode]");
  if constexpr (mode == TFillPadMode::InPlace) {
    return TFILLPAD_INPLACE(dst, src, events...);
  } else if constexpr (mode == TFillPadMode::Expand) {
    return TFILLPAD_EXPAND(dst, src, events...);
  } else {
    return TFILLPAD(dst, src, events...);
  }
}

// TFILLPAD of a Mat tile, whose padding is a parameter: zeros, whatever pad value the type of dst has.
template <typename TileData, PadValue PadVal = PadValue::Zero, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsMat<TileData>, RecordEvent> TFILLPAD(TileData& dst, TileData& src,
                                                                            WaitEvents&... /*events*/) {
  static_assert(PadVal == PadValue::Zero || PadVal == PadValue::Null,
                "TFILLPAD: a Mat tile is padded with zeros: PadVal is Zero or Null [pad-place]");
  static_assert(pto_detail::kAreEvents<WaitEvents...>,
                "TFILLPAD: an argument after the operands is not an event [operand-kind]");
  if constexpr (TileData::PadVal == PadValue::Zero || TileData::PadVal == PadValue::Null) {
    return pto_detail::Issue(pto_tfillpad, 0, dst, src);
  } else {
    Tile<TileData::Loc, typename TileData::DType, TileData::Rows, TileData::Cols, TileData::BFractal, DYNAMIC, DYNAMIC,
         TileData::SFractal, TileData::SFractalSize, PadValue::Zero, TileData::Compact>
        zeros(dst.GetValidRow(), dst.GetValidCol());
    zeros.Reshape(dst);
    return pto_detail::Issue(pto_tfillpad, 0, zeros, src);
  }
}

namespace pto_detail {

// TQUANT of either type; `offset`: of u8, which needs one.
template <auto QuantType_, typename TileDataOut, typename TileDataSrc, typename TileDataPara>
inline RecordEvent Quantise(TileDataOut& dst, TileDataSrc& src, TileDataPara& scale, TileDataPara* offset) {
  constexpr bool kTiles = kIsTile<TileDataOut> && kIsTile<TileDataSrc> && kIsTile<TileDataPara>;
  constexpr bool kType = QuantType_ == QuantType::INT8_SYM || QuantType_ == QuantType::INT8_ASYM;
  static_assert(kTiles, "TQUANT: dst, src, scale and offset are tiles [operand-kind]");
  static_assert(kType, "TQUANT: with a scale for each row the type is INT8_SYM or INT8_ASYM [mode]");
  if constexpr (QuantType_ == QuantType::INT8_SYM) {
    return Issue(pto_tquant, 0, dst, src, scale);
  } else if (offset == nullptr) {
    return Issue(pto_tquant_asym, 0, dst, src, scale, NoTile());
  } else {
    return Issue(pto_tquant_asym, 0, dst, src, scale, *offset);
  }
}

// What TQUANT writes for each group, as the matrix that it is, for a tile that has all of it in one row.
template <typename Flat, int kRows, int kGroups>
struct FlatRow {
  static constexpr int kLine = 32 / static_cast<int>(sizeof(typename Flat::DType));
  Tile<Flat::Loc, typename Flat::DType, kRows, (kGroups + kLine - 1) / kLine * kLine, BLayout::RowMajor, DYNAMIC,
       DYNAMIC>
      tile;
  FlatRow(int64_t rows, int64_t groups) : tile(rows, groups) {}
  void CopyTo(Flat* flat) const {
    if (flat == nullptr) return;
    const int64_t groups = tile.GetValidCol();
    const int64_t count = tile.GetValidRow() * groups;
    if (count > Flat::Numel) {
      Raise(PTO_ERROR_SHAPE, "group-results", "exp",
            Say("TQUANT: %lld groups in a row of %d", static_cast<long long>(count), Flat::Numel).text,
            "Give the row an element for each group.");
      return;
    }
    for (int64_t i = 0; i < count; ++i) flat->SetElement(0, i, tile.GetElement(i / groups, i % groups));
  }
};

// TQUANT to small floats: groups of 32 along rows or, down the columns, of 32 rows.
template <bool Rows, bool Fp8, typename TileDataOut, typename TileDataSrc, typename TileDataExp, typename TileDataMax,
          typename TileDataScaling>
inline RecordEvent QuantiseGroups(QuantScaleAlg alg, TileDataOut& dst, TileDataSrc& src, TileDataExp* exp,
                                  TileDataMax* max, TileDataScaling* scaling) {
  constexpr bool kTiles = kIsTile<TileDataOut> && kIsTile<TileDataSrc> && kIsTile<TileDataExp> &&
                          kIsTile<TileDataMax> && kIsTile<TileDataScaling>;
  static_assert(kTiles, "TQUANT: dst, src, exp, max and scaling are tiles [operand-kind]");
  if constexpr (kTiles && Fp8 && std::is_same_v<typename TileDataOut::DType, int8_t>) {
    // The bytes of dst are the codes.
    Tile<TileDataOut::Loc, float8_e4m3_t, TileDataOut::Rows, TileDataOut::Cols, TileDataOut::BFractal, DYNAMIC, DYNAMIC,
         TileDataOut::SFractal, TileDataOut::SFractalSize>
        codes(dst.GetValidRow(), dst.GetValidCol());
    codes.Reshape(dst);
    return QuantiseGroups<Rows, Fp8>(alg, codes, src, exp, max, scaling);
  } else if constexpr (kTiles && Rows && TileDataExp::Rows == 1 && TileDataSrc::Rows != 1) {
    // All of them in one row: made as a matrix, then copied.
    const int64_t rows = src.GetValidRow();
    const int64_t groups = (int64_t{src.GetValidCol()} + 31) / 32;
    constexpr int kGroups = (TileDataSrc::Cols + 31) / 32;
    FlatRow<TileDataExp, TileDataSrc::Rows, kGroups> exps(rows, groups);
    FlatRow<TileDataMax, TileDataSrc::Rows, kGroups> most(rows, groups);
    FlatRow<TileDataScaling, TileDataSrc::Rows, kGroups> scales(rows, groups);
    QuantiseGroups<Rows, Fp8>(alg, dst, src, &exps.tile, &most.tile, &scales.tile);
    exps.CopyTo(exp);
    most.CopyTo(max);
    scales.CopyTo(scaling);
    return {};
  } else if constexpr (kTiles) {
    constexpr bool kType = (Describe<TileDataOut>().dtype == PTO_DTYPE_E4M3) == Fp8;
    static_assert(kType, "TQUANT: the element type of dst is not the one that the template says [operand-dtype]");
    const bool missing = exp == nullptr || max == nullptr || scaling == nullptr;
    const Value<pto_scale_alg> how{static_cast<pto_scale_alg>(alg)};
    if (missing) return Issue(pto_tquant_mx, 0, dst, NoTile(), NoTile(), NoTile(), src, how);
    if constexpr (Rows) return Issue(pto_tquant_mx, 0, dst, *exp, *max, *scaling, src, how);
    return Issue(pto_tquant_dn, 0, dst, *exp, *max, *scaling, src, how);
  }
  return {};
}

}  // namespace pto_detail

// TQUANT to i8 or, with an offset, to u8. The scratch that A2A3 needs is not touched here.
template <auto quant_type, typename TileDataOut, typename TileDataSrc, typename TileDataPara, typename... WaitEvents>
inline RecordEvent TQUANT(TileDataOut& dst, TileDataSrc& src, TileDataPara& scale, TileDataPara* offset = nullptr,
                          WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  return pto_detail::Quantise<quant_type>(dst, src, scale, offset);
}
template <auto quant_type, typename TileDataOut, typename TileDataSrc, typename TileDataPara, typename TileDataTmp,
          typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsTile<TileDataTmp>, RecordEvent> TQUANT(TileDataOut& dst, TileDataSrc& src,
                                                                              TileDataPara& scale, TileDataTmp& /*tmp*/,
                                                                              TileDataPara* offset = nullptr,
                                                                              WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  return pto_detail::Quantise<quant_type>(dst, src, scale, offset);
}

// TQUANT to small floats with a scale for each 32 elements of a row.
template <auto quant_type, typename TileDataOut, typename TileDataSrc, typename TileDataExp, typename TileDataMax,
          typename TileDataScaling, auto scale_alg = QuantScaleAlg::OCP, typename... WaitEvents>
inline RecordEvent TQUANT(TileDataOut& dst, TileDataSrc& src, TileDataExp* exp, TileDataMax* max,
                          TileDataScaling* scaling, WaitEvents&... events) {
  constexpr bool kType = quant_type == QuantType::MXFP8 || quant_type == QuantType::MXFP4_E2M1;
  static_assert(kType, "TQUANT: with scales of groups the type is MXFP8 or MXFP4_E2M1 [mode]");
  (pto_detail::WaitFor(events), ...);
  return pto_detail::QuantiseGroups<true, quant_type == QuantType::MXFP8>(scale_alg, dst, src, exp, max, scaling);
}

// The same, and the exponents once more in the order in which products read them, a tile of boxes. With
// VecStoreMode::NZ the codes are in a tile of boxes, too, which is the type of dst.
template <auto quant_type, auto store_mode, typename TileDataOut, typename TileDataSrc, typename TileDataExp,
          typename TileDataMax, typename TileDataScaling, typename TileDataZz, typename... WaitEvents>
inline std::enable_if_t<std::is_same_v<std::remove_cv_t<decltype(store_mode)>, VecStoreMode> &&
                            pto_detail::kIsTile<TileDataZz>,
                        RecordEvent>
TQUANT(TileDataOut& dst, TileDataSrc& src, TileDataExp* exp, TileDataMax* max, TileDataScaling* scaling,
       TileDataZz* exp_zz, WaitEvents&... events) {
  if constexpr (TileDataOut::isBoxedLayout) {
    Tile<TileType::Vec, typename TileDataOut::DType, TileDataOut::Rows, TileDataOut::Cols, BLayout::RowMajor, DYNAMIC,
         DYNAMIC>
        rows(dst.GetValidRow(), dst.GetValidCol());
    TQUANT<quant_type>(rows, src, exp, max, scaling, events...);
    TMOV(dst, rows);
  } else {
    TQUANT<quant_type>(dst, src, exp, max, scaling, events...);
  }
  if (exp != nullptr && exp_zz != nullptr) TMOV(*exp_zz, *exp);
  return {};
}

// The same along an axis: 1, each 32 elements of a row; 0, of a column.
template <int grp_axis, auto mx_alg, typename TileDataOut = void, typename TileDataSrc = void,
          typename TileDataExp = void, typename TileDataMax = void, typename TileDataScaling = void,
          typename... WaitEvents>
inline RecordEvent TQUANT(TileDataOut& dst, TileDataSrc& src, TileDataExp* exp, TileDataMax* max,
                          TileDataScaling* scaling, WaitEvents&... events) {
  constexpr bool kAxis = grp_axis == 0 || grp_axis == 1;
  constexpr bool kAlg = mx_alg != MxQuantAlg::Hif4;
  static_assert(kAxis, "TQUANT: the axis is 0, down columns, or 1, along rows [mode]");
  static_assert(kAlg, "TQUANT: Hif4 is not settled by the ISA [mode]");
  constexpr bool kFp8 = mx_alg == MxQuantAlg::OcpMxFp8E4M3 || mx_alg == MxQuantAlg::NvMxFp8E4M3;
  constexpr bool kNv = mx_alg == MxQuantAlg::NvMxFp8E4M3 || mx_alg == MxQuantAlg::NvMxFp4E2M1;
  (pto_detail::WaitFor(events), ...);
  return pto_detail::QuantiseGroups<grp_axis == 1, kFp8>(kNv ? QuantScaleAlg::NV : QuantScaleAlg::OCP, dst, src, exp,
                                                         max, scaling);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_TILE_OPS_HPP_
