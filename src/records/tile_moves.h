// Records of the instructions that move elements from places of tiles to places of tiles.
#ifndef PTO_SRC_RECORDS_TILE_MOVES_H_
#define PTO_SRC_RECORDS_TILE_MOVES_H_

#include "src/records/op_info.h"

namespace pto {

// What a way between on-chip memories without conversion brings.
inline constexpr DTypeSet kMatrixTypes = dtypes::kI8 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32 | dtypes::kI32;

// Bits move: types of one width may have other names, but for those of which two share a byte.
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
    .specials = "Every bit is kept, those of a NaN too; types of one width are not converted.",
    .accuracy = "Exact.",
    .others = "On hardware dst must not be src, and padding behind the last column of dst may be overwritten.",
    .family = Family::kRearrange,
    .source = "TTRANS",
};

inline constexpr OpInfo kTExtract = {
    .id = 141,
    .name = "textract",
    .brief = "Copies a window of a tile into a smaller one, whatever the layouts of the two.",
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
        "Every bit is kept, those of a NaN too. f32 becomes f16 or bf16 where dst holds that: rounded to nearest, ties "
        "to "
        "even; what is too large becomes infinity, a NaN is canonical.",
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
    .brief = "Copies two windows of a tile into two smaller ones.",
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
    .shapes = "dst1 has a valid region of its own.",
    .outside = "Nothing outside the valid regions of dst0 and dst1 is written; empty ones are no-ops that succeed.",
    .specials = "Every bit is kept, those of a NaN too.",
    .accuracy = "Exact.",
    .aliasing = "dst0 and dst1 are apart; either may overlap src: the result is as if src had been read first.",
    .others = "On hardware src is row-major and the destinations are Nz.",
    .family = Family::kRearrange,
    .source = "TEXTRACT with two destinations",
};

inline constexpr OpInfo kTInsert = {
    .id = 143,
    .name = "tinsert",
    .brief = "Writes a tile into a window of a larger one, whatever the layouts of the two.",
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
    .outside = "Nothing of dst but the window is written; an empty src is a no-op that succeeds.",
    .specials =
        "Every bit is kept, those of a NaN too. f32 becomes f16 or bf16 where dst holds that: rounded to nearest, ties "
        "to "
        "even; what is too large becomes infinity, a NaN is canonical.",
    .accuracy = "Exact, or one rounding.",
    .others =
        "Documents compare the window with the allocated rows and columns of dst, implementations with the valid "
        "ones, as here.",
    .family = Family::kRearrange,
    .source = "TINSERT",
};

inline constexpr OpInfo kTInsertSplit = {
    .id = 144,
    .name = "tinsert_split",
    .mnemonic = "tinsert",
    .brief = "Writes a tile into a window of a larger one, in so many transfers.",
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
    .outside = "Nothing of dst but the window is written; an empty src is a no-op that succeeds.",
    .specials = "Every bit is kept, those of a NaN too.",
    .accuracy = "Exact.",
    .others = "On hardware rows up to the next multiple of 16 may be written, too.",
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
    .specials = "Every bit is kept, those of a NaN too.",
    .accuracy = "Exact.",
    .others =
        "A2A3 asks only that the columns of both fit into dst, and may overwrite what follows them in dst up to a "
        "multiple of 32 bytes.",
    .family = Family::kRearrange,
    .source = "TCONCAT",
};

// Of one choice: all counts of a call have one type.
inline constexpr TypeMap kCountTypes = TypeMap::Any(dtypes::kInts);

inline constexpr OpInfo kTConcatCounts = {
    .id = 149,
    .name = "tconcat_counts",
    .mnemonic = "tconcat",
    .brief = "Places the first columns of two tiles side by side, in each row as many as tiles of counts say.",
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
        "Counts are read as unsigned. n0 is at most the valid columns of src0 and of dst, n1 at most those of src1 and "
        "what n0 leaves of dst.",
    .outside =
        "Nothing of a row but its first n0 + n1 columns is written; an empty valid region is a no-op that succeeds.",
    .specials = "Every bit is kept, those of a NaN too.",
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
    .brief = "Places the first columns of two tiles side by side as counts say, and tells how many there are.",
    .formula = "row i of dst = src0[i,0..n0-1], src1[i,0..n1-1]; dst_idx[i,0] = (n0 + n1) * bytes of its type",
    .operands = {Out("dst", "receives the elements"),
                 Out("dst_idx", Extent::kRowResults, "receives how much of each row there is", &kCountTypes),
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
        "Counts are read as unsigned. n0 is at most the valid columns of src0 and of dst, n1 at most those of src1 and "
        "what n0 leaves of dst.",
    .outside =
        "Nothing of a row but its first n0 + n1 columns, and the results in column 0 of dst_idx, is written; an empty "
        "valid region is a no-op that succeeds.",
    .specials = "Every bit is kept, those of a NaN too. Results wrap modulo 2^W.",
    .accuracy = "Exact.",
    .aliasing =
        "dst and dst_idx are apart; either may overlap the sources: the result is as if all had been read first.",
    .others = "Some implementations add the counts that they were given instead of those that fit.",
    .family = Family::kRearrange,
    .source = "TCONCAT with counts in and out",
};

inline constexpr OpInfo kTFillPad = {
    .id = 145,
    .name = "tfillpad",
    .brief = "Copies a tile and fills everything outside its valid region with the pad value of the other.",
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
        "Every bit is kept, those of a NaN too. A pad of PTO_PAD_NULL or PTO_PAD_ZERO is zero, PTO_PAD_MAX is +inf "
        "and PTO_PAD_MIN is -inf for floats, the limits of the type for integers.",
    .accuracy = "Exact.",
    .aliasing = "dst may overlap src in any way: the result is as if src had been read first.",
    .others = "Hardware fills the valid rows of dst only, and refuses PTO_PAD_NULL in vec.",
    .family = Family::kRearrange,
    .source = "TFILLPAD",
};

inline constexpr OpInfo kTFillPadInplace = {
    .id = 146,
    .name = "tfillpad_inplace",
    .brief = "Fills everything of a tile outside a valid region with its pad value.",
    .formula = "dst[i,j] = (i,j) in the valid region of src ? src[i,j] : pad",
    .operands = {Out("dst", Extent::kWhole, "receives the padding"), In("src", "the elements, usually those of dst"),
                 Flags()},
    .lead = 1,
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kPadPlace, profiles::kHardware}},
    .sources = {{Rule::kPadPlace, profiles::kHardware, sources::kDocument}},
    .shapes = "Where src is over the memory of dst its elements stay where they are.",
    .outside = "All rows and columns of dst are written, whatever its valid region, which stays as it is.",
    .specials = "As TFILLPAD.",
    .accuracy = "Exact.",
    .aliasing = "dst may overlap src in any way: the result is as if src had been read first.",
    .family = Family::kRearrange,
    .source = "TFILLPAD_INPLACE",
};

inline constexpr OpInfo kTFillPadExpand = {
    .id = 147,
    .name = "tfillpad_expand",
    .brief = "Copies a tile into a larger one and fills everything else with the pad value of that.",
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
    .aliasing = "dst may overlap src in any way: the result is as if src had been read first.",
    .family = Family::kRearrange,
    .source = "TFILLPAD_EXPAND",
};

inline constexpr OpInfo kTInterleave = {
    .id = 151,
    .name = "tinterleave",
    .brief = "Zips the rows of two tiles into rows twice as long, which two tiles receive.",
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
    .outside = "Nothing outside the valid regions of dst0 and dst1 is written; empty ones are no-ops that succeed.",
    .specials = "Every bit is kept, those of a NaN too.",
    .accuracy = "Exact.",
    .aliasing = "dst0 and dst1 are apart; either may overlap the sources: the result is as if all had been read first.",
    .others = "In C++ the operands are dst1, dst0, src1, src0, as the ISA has them.",
    .family = Family::kRearrange,
    .source = "TINTERLEAVE",
};

inline constexpr OpInfo kTDeinterleave = {
    .id = 152,
    .name = "tdeinterleave",
    .brief = "Parts the elements of two tiles into those at even and those at odd places.",
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
    .outside = "Nothing outside the valid regions of dst0 and dst1 is written; empty ones are no-ops that succeed.",
    .specials = "Every bit is kept, those of a NaN too.",
    .accuracy = "Exact.",
    .aliasing = "dst0 and dst1 are apart; either may overlap the sources: the result is as if all had been read first.",
    .others = "In C++ the operands are dst1, dst0, src1, src0, as the ISA has them.",
    .family = Family::kRearrange,
    .source = "TDEINTERLEAVE, two sources",
};

inline constexpr OpInfo kTDeinterleaveOne = {
    .id = 153,
    .name = "tdeinterleave_one",
    .mnemonic = "tdeinterleave",
    .brief = "Parts the elements of a tile into those at even and those at odd places.",
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
    .outside = "Nothing outside the valid regions of dst0 and dst1 is written; empty ones are no-ops that succeed.",
    .specials = "Every bit is kept, those of a NaN too.",
    .accuracy = "Exact.",
    .aliasing = "dst0 and dst1 are apart; either may overlap src: the result is as if all had been read first.",
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
    .brief = "Packs integers into a narrower type: the low bits of each.",
    .formula = "dst[i,j] = src[i,j] mod 2^W, W the bits of dst",
    .operands = {Out("dst", "receives the low bits"), In("src", Extent::kSame, "the integers", &kWiderIntegers),
                 Flags()},
    .walk = Walk::kConvert,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = kNarrowIntegers, .a2a3 = dtypes::kNone, .a5 = kNarrowIntegers},
    .specials = "Integers wrap modulo 2^W.",
    .accuracy = "Exact modulo 2^W.",
    .others = "No document says whether TPACK truncates, saturates or rounds, or what it makes of floats.",
    .family = Family::kRearrange,
    .source = "TPACK",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_TILE_MOVES_H_
