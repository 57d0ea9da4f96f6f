// Records of the instructions that move elements by indices and patterns.
#ifndef PTO_SRC_RECORDS_IRREGULAR_H_
#define PTO_SRC_RECORDS_IRREGULAR_H_

#include "src/records/op_info.h"

namespace pto {

namespace dtypes {
inline constexpr DTypeSet kShortIndex = kI16 | kU16;
inline constexpr DTypeSet kLongIndex = kI32 | kU32;
// Of two and four bytes.
inline constexpr DTypeSet kMiddle = kI16 | kU16 | kI32 | kU32 | kFloats;
}  // namespace dtypes

inline constexpr TypeMap kGatherIndexTypes = [] {
  TypeMap map = TypeMap::Any(dtypes::kShortIndex | dtypes::kLongIndex);
  for (DTypeSet& types : map.of[static_cast<int>(Profile::kA2A3)]) types = dtypes::kLongIndex;
  return map;
}();

// Hardware has indices as wide as the elements: two bytes or four.
inline constexpr TypeMap kScatterIndexTypes = [] {
  TypeMap map = TypeMap::Any(dtypes::kShortIndex | dtypes::kLongIndex);
  for (const Profile p : {Profile::kA2A3, Profile::kA5}) {
    for (int d = 0; d < kDTypeCount; ++d) {
      map.of[static_cast<int>(p)][d] = kDTypes[d].bytes < 4 ? dtypes::kShortIndex : dtypes::kLongIndex;
    }
  }
  return map;
}();

inline constexpr TypeMap kOffsetTypes = TypeMap::Any(dtypes::kU32);
inline constexpr TypeMap kPickTypes =
    TypeMap::SameWidth({.cpu = dtypes::kMoved, .a2a3 = dtypes::kMiddle, .a5 = dtypes::kComputed | dtypes::kFloat8});

inline constexpr OpInfo kTGather = {
    .id = 180,
    .name = "tgather",
    .brief = "Collects the elements that indices name.",
    .formula = "dst[i,j] = src0[indices[i,j] / C, indices[i,j] mod C], C = the columns of src0",
    .operands = {Out("dst", "receives the elements"), In("src0", Extent::kOwn, "the elements to choose from"),
                 In("indices", Extent::kIndex, "where each is, counted row by row", &kGatherIndexTypes),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .walk = Walk::kGather,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kMiddle, .a5 = dtypes::kComputed},
    .rules = {{Rule::kFullRows, profiles::kHardware},
              {Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpValidEqual, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .shapes =
        "src0 may have any valid region. An index counts elements row by row over all columns "
        "of src0, also those that are not valid.",
    .specials =
        "Every bit of an element is kept, those of a NaN too. An index that names no valid element of src0 is "
        "refused before anything is written.",
    .accuracy = "Exact.",
    .others = "The common simulator stores 0 for an index outside; hardware does not look.",
    .family = Family::kIrregular,
    .source = "TGATHER",
};

// The numbers of places, and how many there are.
inline constexpr TypeMap kFoundTypes = TypeMap::Any(dtypes::kLongIndex);
// Integers, or elements of the type that they are compared with.
inline constexpr TypeMap kThresholdTypes = [] {
  TypeMap map = TypeMap::Any(dtypes::kLongIndex, 1);
  for (auto& row : map.of) {
    for (int d = 0; d < kDTypeCount; ++d) row[d] |= DTypeSet{1} << d;
  }
  return map;
}();
inline constexpr int kThreshold = 3;  // the operand that holds them

inline constexpr OpInfo kTGatherCmp = {
    .id = 302,
    .name = "tgather_cmp",
    .mnemonic = "tgather",
    .brief = "Collects the places of elements that compare so with a number of their row, and counts them.",
    .formula =
        "row i of dst = offset + i * C + j for each j with mode(src0[i,j], k_value[i]), one after another, C = the "
        "columns "
        "of src0; cdst[i] = how many there are",
    .operands = {Out("dst", Extent::kRows, "receives the places", &kFoundTypes),
                 Out("cdst", Extent::kRowResults, "receives their number", &kFoundTypes),
                 In("src0", "the elements to look at"),
                 In("k_value", Extent::kColumn, "what they are compared with, one number per row", &kThresholdTypes),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 Int("offset", "the number of the first element of src0"),
                 Mode("mode", &kCmpMode, "which elements are meant"), Flags()},
    .cpp_order = "dst src0 k_value cdst tmp offset",
    .cpp_template = "dst src0 k_value cdst tmp mode",
    .lead = 2,
    .walk = Walk::kFind,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kUpTo32Bits,
               .a2a3 = dtypes::kI32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32 | dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kFindMode, profiles::kHardware},
              {Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              Rule::kDstsApart},
    .sources = {{Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
    .shapes =
        "A row of dst takes as many places as it has valid columns, the first ones; cdst counts all of them. A number "
        "is "
        "counted row by row over all columns of src0, also those that are not valid, modulo 2^32.",
    .outside =
        "Elements of dst behind those that are found are not written, nor is anything outside its valid region or "
        "column 0 "
        "of cdst. A src0 without rows is a no-op that succeeds.",
    .specials =
        "Beside floats an integer k_value is rounded to the type of src0, to nearest, ties to even; beside integers it "
        "is compared as it is. A NaN is found by PTO_CMP_NE only; the two zeros are equal.",
    .accuracy = "Exact.",
    .others =
        "A5 rounds elements to integers, compares without sign and counts in steps of 64; the common simulator has no "
        "such "
        "form. Hardware wants tmp for a bit an element, the places, and k_value in the type of src0, one behind the "
        "other.",
    .family = Family::kIrregular,
    .source = "TGATHER",
};

inline constexpr OpInfo kTGatherMask = {
    .id = 181,
    .name = "tgather_mask",
    .mnemonic = "tgather",
    .brief = "Collects the elements, or the rows, that a pattern of four picks.",
    .formula =
        "dst = those src[i,j] whose j mod 4 is in the pattern, one after another, row by row; by columns: those rows i "
        "of src whose i mod 4 is",
    .operands = {Out("dst", Extent::kOwn, "receives the elements", &kPickTypes), In("src", "the elements to pick from"),
                 Mode("pattern", &kMaskMode, "which of four neighbours are picked"),
                 Mode("axis", &kGatherAxisMode, "whether elements or rows are picked"), Flags()},
    .cpp_template = "dst src pattern= axis=",
    .lead = 1,
    .walk = Walk::kPick,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kMiddle, .a5 = dtypes::kComputed | dtypes::kFloat8},
    .rules = {{Rule::kFullRows, profiles::kHardware}, {Rule::kPickRoom}},
    .shapes =
        "The valid region of dst has room for the elements that are picked. PTO_GATHER_AXIS_ROW: they fill its valid "
        "columns row by row from (0, 0) on, so that those of several rows of src may share one of dst. "
        "PTO_GATHER_AXIS_COL: each row that is picked is a row of dst.",
    .outside =
        "Elements of dst behind those that are picked are not written, nor is anything outside its valid region. An "
        "empty src is a no-op that succeeds.",
    .specials = "Every bit of an element is kept, whatever the type of dst.",
    .accuracy = "Exact.",
    .others = "Hardware walks on behind the rows that are picked by columns.",
    .family = Family::kIrregular,
    .source = "TGATHER",
};

inline constexpr OpInfo kTGatherB = {
    .id = 182,
    .name = "tgatherb",
    .brief = "Collects the blocks of 32 bytes that offsets name.",
    .formula = "block b of row i of dst = the 32 bytes of src from byte offset[i,b] on",
    .operands = {Out("dst", "receives the blocks"), In("src", Extent::kOwn, "the elements to choose from"),
                 In("offset", Extent::kBlockIndex, "where each block begins, in bytes", &kOffsetTypes), Flags()},
    .walk = Walk::kGather,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .shapes =
        "offset has a valid row for each valid row of dst and an offset for every 32 bytes of it; of the last block "
        "of a row as much is read as dst has columns. src may have any valid region; its bytes count row by row over "
        "all of its columns.",
    .specials =
        "Every bit of an element is kept. An offset that is no multiple of the element, or names an element "
        "that is not valid in src, is refused before anything is written.",
    .accuracy = "Exact.",
    .others =
        "The common simulator leaves a block as it was whose offset lies outside; hardware does not look, and "
        "A2A3 writes on behind the last column.",
    .family = Family::kIrregular,
    .source = "TGATHERB",
};

inline constexpr OpInfo kTScatter = {
    .id = 183,
    .name = "tscatter",
    .brief = "Clears a tile and writes each element where an index says.",
    .formula = "dst = 0, then dst[indexes[i,j] / C, indexes[i,j] mod C] = src[i,j], C = the columns of dst",
    .operands = {Out("dst", Extent::kOwn, "receives the elements"), In("src", "the elements"),
                 In("indexes", Extent::kIndex, "where each goes, counted row by row", &kScatterIndexTypes), Flags()},
    .lead = 1,
    .walk = Walk::kScatter,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kComputed},
    .shapes =
        "Only the elements of src that have an index are moved. dst may have any valid region. An index counts "
        "elements row by row over all columns "
        "of dst, also those that are not valid.",
    .outside =
        "All of dst is cleared first, also what is not valid. If src or indexes is empty, nothing is cleared or "
        "written, and the call succeeds.",
    .specials =
        "Every bit of an element is kept. Of elements with one index the last stays, row by row. An index that "
        "names no valid element of dst is refused before anything is written.",
    .accuracy = "Exact.",
    .others = "The common simulator does not clear dst. A document of the ISA has the index count rows.",
    .family = Family::kIrregular,
    .source = "TSCATTER",
};

inline constexpr OpInfo kTScatterMask = {
    .id = 184,
    .name = "tscatter_mask",
    .mnemonic = "tscatter",
    .brief = "Spreads elements, or rows, over those of a larger tile that a pattern of four picks, with zeros between.",
    .formula =
        "dst[i,j] = j mod 4 is in the pattern ? src[i, number of such columns before j] : 0; by columns: the same of i",
    .operands = {Out("dst", "receives the elements"), In("src", Extent::kOwn, "the elements"),
                 Mode("pattern", &kMaskMode, "which of four neighbours receive elements"),
                 Mode("axis", &kScatterAxisMode, "whether elements or rows are spread"), Flags()},
    .cpp_template = "pattern= axis= dst src",
    .walk = Walk::kSpread,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kComputed},
    .rules = {{Rule::kSpreadSource}},
    .shapes =
        "Along the axis src has a valid element for each one of dst that the pattern picks, along the other it is "
        "valid where dst is.",
    .specials = "Every bit of an element is kept.",
    .accuracy = "Exact.",
    .others = "Hardware clears what is not valid in dst, too, but with PTO_MASK_P1111, which is a move.",
    .family = Family::kIrregular,
    .source = "TSCATTER",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_IRREGULAR_H_
