// Records of the instructions that move elements from places of tiles to places of tiles.
#ifndef PTO_SRC_RECORDS_TILE_MOVES_H_
#define PTO_SRC_RECORDS_TILE_MOVES_H_

#include "src/records/op_info.h"

namespace pto {

// What a way between on-chip memories without conversion brings.
inline constexpr DTypeSet kMatrixTypes = dtypes::kI8 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32 | dtypes::kI32;

// Bits are moved: types of the same width may differ, except packed types.
inline constexpr TypeMap kTransposedTypes = [] {
  TypeMap map = TypeMap::SameWidth({.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits});
  for (int d = 0; d < kDTypeCount; ++d) map.of[0][d] |= dtypes::kStored & DTypeSet{1} << d;
  return map;
}();

inline constexpr OpInfo kTTrans = {
    .id = 140,
    .name = "ttrans",
    .brief = "Transposes a tile.",
    .formula = "dst[j,i] = src[i,j]",
    .operands = {Out("dst", Extent::kTransposed, "receives the columns of src as rows", &kTransposedTypes),
                 In("src", "the elements"), Tmp("scratch of A2A3; never written"), Flags()},
    .lead = 1,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3}, {Rule::kTmpTransposed, profiles::kA2A3}},
    .specials = "All bits are kept, including NaN payloads; types of the same width are not converted.",
    .accuracy = "Exact.",
    .others = "On hardware dst must not be src, and padding after the last column of dst may be overwritten.",
    .family = Family::kRearrange,
    .source = "TTRANS",
};

inline constexpr OpInfo kTExtract = {
    .id = 141,
    .name = "textract",
    .brief = "Copies a window of a tile into a smaller tile; the layouts may differ.",
    .formula = "dst[i,j] = src[index_row + i, index_col + j]",
    .operands = {Out("dst", "receives the window"),
                 In("src", Extent::kWindow, "the tile that has the window", &kMovedTypes),
                 Int("index_row", "the first row of the window"), Int("index_col", "the first column of the window"),
                 Flags()},
    .cpp_zeros = true,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits | dtypes::kCodes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMove, profiles::kHardware}, {Rule::kWindowPlace, profiles::kHardware}},
    .sources = {{Rule::kLocationMove, profiles::kHardware, sources::kDocument}},
    .specials =
        "All bits are kept, including NaN payloads. If dst is f16 or bf16, f32 is rounded to nearest, ties to even. "
        "Overflow becomes infinity; a NaN becomes canonical.",
    .accuracy = "Exact, or one rounding.",
    .others =
        "Documents compare the window with the allocated rows and columns of src, implementations with the valid "
        "ones, as here: what lies outside holds no data.",
    .family = Family::kRearrange,
    .source = "TEXTRACT",
};

inline constexpr OpInfo kTExtractTwo = {
    .id = 142,
    .name = "textract_two",
    .mnemonic = "textract",
    .brief = "Copies two windows of a tile into two smaller tiles.",
    .formula = "dst0[i,j] = src[index_row0 + i, index_col0 + j]; dst1[i,j] = src[index_row1 + i, index_col1 + j]",
    .operands = {Out("dst0", "receives the first window"), Out("dst1", Extent::kOwn, "receives the second window"),
                 In("src", Extent::kWindow, "the tile that has the windows"),
                 Int("index_row0", "the first row of the first window"),
                 Int("index_col0", "the first column of the first window"),
                 Int("index_row1", "the first row of the second window"),
                 Int("index_col1", "the first column of the second window"), Flags()},
    .cpp_zeros = true,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = kMatrixTypes, .a5 = kMatrixTypes | dtypes::kCodes},
    .row_major = profiles::kNone,
    .rules = {Rule::kDstsApart, {Rule::kWindowPlace, profiles::kA2A3}},
    .sources = {{Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
    .shapes = "dst1 has its own valid region.",
    .outside =
        "Nothing outside the valid regions of dst0 and dst1 is written. With empty regions the call succeeds and does "
        "nothing.",
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .aliasing = "dst0 and dst1 must not overlap. Each may overlap src: the result is as if src was read first.",
    .others = "On hardware src is row-major and the destinations are Nz.",
    .family = Family::kRearrange,
    .source = "TEXTRACT with two destinations",
};

inline constexpr OpInfo kTInsert = {
    .id = 143,
    .name = "tinsert",
    .brief = "Writes a tile into a window of a larger tile; the layouts may differ.",
    .formula = "dst[index_row + i, index_col + j] = src[i,j]",
    .operands = {{"dst", Role::kInOut, "has the window", Extent::kWindow, &kInsertedTypes},
                 In("src", "the elements"),
                 Int("index_row", "the first row of the window"),
                 Int("index_col", "the first column of the window"),
                 Flags()},
    .lead = 1,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = kMatrixTypes | dtypes::kI16, .a5 = kMatrixTypes | dtypes::kCodes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMove, profiles::kHardware}, {Rule::kWindowPlace, profiles::kA2A3}},
    .sources = {{Rule::kLocationMove, profiles::kHardware, sources::kDocument}},
    .outside = "Only the window of dst is written. With an empty src the call succeeds and does nothing.",
    .specials =
        "All bits are kept, including NaN payloads. If dst is f16 or bf16, f32 is rounded to nearest, ties to even. "
        "Overflow becomes infinity; a NaN becomes canonical.",
    .accuracy = "Exact, or one rounding.",
    .others =
        "Documents compare the window with the allocated rows and columns of dst; implementations, and this library, "
        "use the valid ones.",
    .family = Family::kRearrange,
    .source = "TINSERT",
};

inline constexpr OpInfo kTInsertSplit = {
    .id = 144,
    .name = "tinsert_split",
    .mnemonic = "tinsert",
    .brief = "Writes a tile into a window of a larger tile, in two or four transfers.",
    .formula = "dst[index_row + i, index_col + j] = src[i,j]",
    .operands = {{"dst", Role::kInOut, "has the window", Extent::kWindow},
                 In("src", "the elements"),
                 Int("index_row", "the first row of the window"),
                 Int("index_col", "the first column of the window"),
                 Mode("split", &kInsertMode, "how many transfers hardware makes of it; the result is the same"),
                 Flags()},
    .cpp_template = "split dst src",
    .cpp_zeros = true,
    .lead = 1,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kNone, .a5 = kMatrixTypes | dtypes::kCodes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMove, profiles::kHardware}},
    .sources = {{Rule::kLocationMove, profiles::kHardware, sources::kDocument}},
    .outside = "Only the window of dst is written. With an empty src the call succeeds and does nothing.",
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .others = "Hardware may also write rows up to the next multiple of 16.",
    .family = Family::kRearrange,
    .source = "TINSERT, split",
};

inline constexpr OpInfo kTConcat = {
    .id = 148,
    .name = "tconcat",
    .brief = "Places two tiles side by side.",
    .formula = "dst[i,j] = j < n ? src0[i,j] : src1[i,j-n], n the valid columns of src0",
    .operands = {Out("dst", "receives the elements"), In("src0", Extent::kJoined, "the columns on the left"),
                 In("src1", Extent::kJoined, "the columns on the right"), Flags()},
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .others =
        "A2A3 asks only that the columns of both fit into dst, and may overwrite what follows them in dst up to a "
        "multiple of 32 bytes.",
    .family = Family::kRearrange,
    .source = "TCONCAT",
};

// From one choice: all counts of a call have one type.
inline constexpr TypeMap kCountTypes = TypeMap::Any(dtypes::kInts);

inline constexpr OpInfo kTConcatCounts = {
    .id = 149,
    .name = "tconcat_counts",
    .mnemonic = "tconcat",
    .brief = "Places the first columns of two tiles side by side; tiles of counts specify how many in each row.",
    .formula = "row i of dst = src0[i,0..n0-1], src1[i,0..n1-1], nk = srck_idx[i,0] / bytes of its type",
    .operands = {Out("dst", "receives the elements"), In("src0", Extent::kRows, "the elements on the left"),
                 In("src1", Extent::kRows, "the elements on the right"),
                 In("src0_idx", Extent::kColumn, "how much of each row of src0, as bytes of the counts' type",
                    &kCountTypes),
                 In("src1_idx", Extent::kColumn, "the same of src1", &kCountTypes), Flags()},
    .walk = Walk::kJoinCounts,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .shapes =
        "Counts are unsigned. n0 is limited to the valid columns of src0 and of dst, n1 to the valid columns of src1 "
        "and the columns of dst after n0.",
    .outside =
        "Only the first n0 + n1 columns of each row are written. With an empty valid region the call succeeds and "
        "does nothing.",
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .others =
        "No document states the unit of the counts; implementations divide by the bytes of the index type. Hardware "
        "cuts at the columns of dst, as here.",
    .family = Family::kRearrange,
    .source = "TCONCAT with counts",
};

inline constexpr OpInfo kTConcatCountsOut = {
    .id = 150,
    .name = "tconcat_counts_out",
    .mnemonic = "tconcat",
    .brief =
        "Places the first columns of two tiles side by side, as tiles of counts specify, and stores the resulting "
        "counts.",
    .formula = "row i of dst = src0[i,0..n0-1], src1[i,0..n1-1]; dst_idx[i,0] = (n0 + n1) * bytes of its type",
    .operands = {Out("dst", "receives the elements"),
                 Out("dst_idx", Extent::kRowResults, "receives the number of columns of each row", &kCountTypes),
                 In("src0", Extent::kRows, "the elements on the left"),
                 In("src1", Extent::kRows, "the elements on the right"),
                 In("src0_idx", Extent::kColumn, "how much of each row of src0, as bytes of the counts' type",
                    &kCountTypes),
                 In("src1_idx", Extent::kColumn, "the same of src1", &kCountTypes), Flags()},
    .cpp_order = "dst src0 src1 dst_idx src0_idx src1_idx",
    .cpp_template = "dst src0 src1 dst_idx src0_idx src1_idx",
    .walk = Walk::kJoinCounts,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .rules = {Rule::kDstsApart},
    .sources = {{Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
    .shapes =
        "Counts are unsigned. n0 is limited to the valid columns of src0 and of dst, n1 to the valid columns of src1 "
        "and the columns of dst after n0.",
    .outside =
        "Only the first n0 + n1 columns of each row, and column 0 of dst_idx, are written. With an empty valid region "
        "the call succeeds and does nothing.",
    .specials = "All bits are kept, including NaN payloads. Results wrap modulo 2^W.",
    .accuracy = "Exact.",
    .aliasing =
        "dst and dst_idx must not overlap. Each may overlap the sources: the result is as if all sources were read "
        "first.",
    .others = "Some implementations add the counts that they were given instead of those that fit.",
    .family = Family::kRearrange,
    .source = "TCONCAT with counts in and out",
};

inline constexpr OpInfo kTFillPad = {
    .id = 145,
    .name = "tfillpad",
    .brief = "Copies a tile and fills everything outside the valid region with the pad value of dst.",
    .formula = "dst[i,j] = (i,j) in the valid region of src ? src[i,j] : pad",
    .operands = {Out("dst", Extent::kWhole, "receives the elements and the padding"), In("src", "the elements"),
                 Flags()},
    .lead = 1,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kPadPlace, profiles::kHardware}},
    .sources = {{Rule::kPadPlace, profiles::kHardware, sources::kDocument}},
    .outside = "All rows and columns of dst are written, whatever its valid region, which stays as it is.",
    .specials =
        "All bits are kept, including NaN payloads. PTO_PAD_NULL and PTO_PAD_ZERO give zero. PTO_PAD_MAX and "
        "PTO_PAD_MIN give +inf and -inf for floats, and the limits of the type for integers.",
    .accuracy = "Exact.",
    .aliasing = "dst may overlap src in any way: the result is as if src was read first.",
    .others = "Hardware fills the valid rows of dst only, and refuses PTO_PAD_NULL in vec.",
    .family = Family::kRearrange,
    .source = "TFILLPAD",
};

inline constexpr OpInfo kTFillPadInplace = {
    .id = 146,
    .name = "tfillpad_inplace",
    .brief = "Fills a tile outside a valid region with its pad value.",
    .formula = "dst[i,j] = (i,j) in the valid region of src ? src[i,j] : pad",
    .operands = {Out("dst", Extent::kWhole, "receives the padding"), In("src", "the elements, usually the same as dst"),
                 Flags()},
    .lead = 1,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kPadPlace, profiles::kHardware}},
    .sources = {{Rule::kPadPlace, profiles::kHardware, sources::kDocument}},
    .shapes = "If src and dst share memory, the elements stay in place.",
    .outside = "All rows and columns of dst are written, whatever its valid region, which stays as it is.",
    .specials = "As TFILLPAD.",
    .accuracy = "Exact.",
    .aliasing = "dst may overlap src in any way: the result is as if src was read first.",
    .family = Family::kRearrange,
    .source = "TFILLPAD_INPLACE",
};

inline constexpr OpInfo kTFillPadExpand = {
    .id = 147,
    .name = "tfillpad_expand",
    .brief = "Copies a tile into a larger tile and fills everything else with the pad value of dst.",
    .formula = "dst[i,j] = (i,j) in the valid region of src ? src[i,j] : pad",
    .operands = {Out("dst", Extent::kAround, "receives the elements and the padding"), In("src", "the elements"),
                 Flags()},
    .lead = 1,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kPadPlace, profiles::kHardware}},
    .sources = {{Rule::kPadPlace, profiles::kHardware, sources::kDocument}},
    .outside = "All rows and columns of dst are written, whatever its valid region, which stays as it is.",
    .specials = "As TFILLPAD.",
    .accuracy = "Exact.",
    .aliasing = "dst may overlap src in any way: the result is as if src was read first.",
    .family = Family::kRearrange,
    .source = "TFILLPAD_EXPAND",
};

inline constexpr OpInfo kTInterleave = {
    .id = 151,
    .name = "tinterleave",
    .brief = "Interleaves the rows of two tiles; two tiles receive the halves of each row.",
    .formula = "row i of dst0, then of dst1 = src0[i,0], src1[i,0], src0[i,1], src1[i,1], ...",
    .operands = {Out("dst0", "receives the first half of each row"),
                 Out("dst1", "receives the second half of each row"), In("src0", "the elements at even places"),
                 In("src1", "the elements at odd places"), Flags()},
    .cpp_order = "dst1 dst0 src1 src0",
    .cpp_template = "dst1 src1 dst0 src0",
    .walk = Walk::kZip,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kNone, .a5 = dtypes::kUpTo32Bits},
    .rules = {Rule::kEvenCols, Rule::kDstsApart},
    .sources = {{Rule::kEvenCols, profiles::kHardware, sources::kImplementation},
                {Rule::kEvenCols, profiles::kCpu, sources::kImplementation},
                {Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
    .outside =
        "Nothing outside the valid regions of dst0 and dst1 is written. With empty regions the call succeeds and does "
        "nothing.",
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .aliasing =
        "dst0 and dst1 must not overlap. Each may overlap the sources: the result is as if all sources were read "
        "first.",
    .others = "In C++ the operands are dst1, dst0, src1, src0, as the ISA has them.",
    .family = Family::kRearrange,
    .source = "TINTERLEAVE",
};

inline constexpr OpInfo kTDeinterleave = {
    .id = 152,
    .name = "tdeinterleave",
    .brief = "Separates the elements of two tiles at even positions from the elements at odd positions.",
    .formula = "dst0[i,:] = src0[i,0], src0[i,2], ..., src1[i,0], src1[i,2], ...; dst1[i,:] the odd ones",
    .operands = {Out("dst0", "receives the elements at even places"),
                 Out("dst1", "receives the elements at odd places"), In("src0", "the first half of each row"),
                 In("src1", "the second half of each row"), Flags()},
    .cpp_order = "dst1 dst0 src1 src0",
    .cpp_template = "dst1 src1 dst0 src0",
    .walk = Walk::kUnzip,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kNone, .a5 = dtypes::kUpTo32Bits},
    .rules = {Rule::kEvenCols, Rule::kDstsApart},
    .sources = {{Rule::kEvenCols, profiles::kHardware, sources::kImplementation},
                {Rule::kEvenCols, profiles::kCpu, sources::kImplementation},
                {Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
    .outside =
        "Nothing outside the valid regions of dst0 and dst1 is written. With empty regions the call succeeds and does "
        "nothing.",
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .aliasing =
        "dst0 and dst1 must not overlap. Each may overlap the sources: the result is as if all sources were read "
        "first.",
    .others = "In C++ the operands are dst1, dst0, src1, src0, as the ISA has them.",
    .family = Family::kRearrange,
    .source = "TDEINTERLEAVE, two sources",
};

inline constexpr OpInfo kTDeinterleaveOne = {
    .id = 153,
    .name = "tdeinterleave_one",
    .mnemonic = "tdeinterleave",
    .brief = "Separates the elements of a tile at even positions from the elements at odd positions.",
    .formula = "dst0[i,j] = src[i,2j]; dst1[i,j] = src[i,2j+1]",
    .operands = {Out("dst0", "receives the elements at even places"),
                 Out("dst1", "receives the elements at odd places"), In("src", Extent::kDouble, "the elements"),
                 Flags()},
    .cpp_order = "dst1 dst0 src",
    .cpp_template = "dst1 src dst0",
    .walk = Walk::kUnzip,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kNone, .a5 = dtypes::kUpTo32Bits},
    .rules = {Rule::kDstsApart},
    .sources = {{Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
    .outside =
        "Nothing outside the valid regions of dst0 and dst1 is written. With empty regions the call succeeds and does "
        "nothing.",
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .aliasing =
        "dst0 and dst1 must not overlap. Each may overlap src: the result is as if all sources were read first.",
    .others =
        "Implementations ask for an even number of columns of dst0, too. In C++ the operands are dst1, dst0, src.",
    .family = Family::kRearrange,
    .source = "TDEINTERLEAVE, one source",
};

// What narrows to one of 8 and of 16 bits.
inline constexpr TypeMap kWiderIntegers = [] {
  TypeMap map;
  for (auto& types : map.of) {
    for (const DType narrow : {DType::kI8, DType::kU8}) {
      types[static_cast<int>(narrow)] = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32;
    }
    for (const DType narrow : {DType::kI16, DType::kU16}) types[static_cast<int>(narrow)] = dtypes::kI32 | dtypes::kU32;
  }
  return map;
}();
inline constexpr DTypeSet kNarrowIntegers = dtypes::kI8 | dtypes::kU8 | dtypes::kI16 | dtypes::kU16;

inline constexpr OpInfo kTPack = {
    .id = 154,
    .name = "tpack",
    .brief = "Packs the low bits of integers into a narrower type.",
    .formula = "dst[i,j] = src[i,j] mod 2^W, W the bits of dst",
    .operands = {Out("dst", "receives the low bits"), In("src", Extent::kSame, "the integers", &kWiderIntegers),
                 Flags()},
    .walk = Walk::kConvert,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = kNarrowIntegers, .a2a3 = dtypes::kNone, .a5 = kNarrowIntegers},
    .specials = "Integers wrap modulo 2^W.",
    .accuracy = "Exact modulo 2^W.",
    .others = "No document specifies whether TPACK truncates, saturates or rounds, or how it treats floats.",
    .family = Family::kRearrange,
    .source = "TPACK",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_TILE_MOVES_H_
