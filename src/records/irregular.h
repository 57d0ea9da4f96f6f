// Records of the instructions that move elements by indices and patterns.
#ifndef PTO_SRC_RECORDS_IRREGULAR_H_
#define PTO_SRC_RECORDS_IRREGULAR_H_

#include "src/records/op_info.h"

namespace pto {

namespace dtypes {
inline constexpr DTypeSet kShortIndex = kI16 | kU16;
inline constexpr DTypeSet kLongIndex = kI32 | kU32;
// For two and four bytes.
inline constexpr DTypeSet kMiddle = kI16 | kU16 | kI32 | kU32 | kFloats;
}  // namespace dtypes

inline constexpr TypeMap kGatherIndexTypes = [] {
  TypeMap map = TypeMap::Any(dtypes::kShortIndex | dtypes::kLongIndex);
  map.Set(profiles::kA2A3, dtypes::kStored, dtypes::kLongIndex);
  return map;
}();

// Hardware has indices as wide as the elements: two bytes or four.
inline constexpr TypeMap kScatterIndexTypes = [] {
  TypeMap map = TypeMap::Any(dtypes::kShortIndex | dtypes::kLongIndex);
  map.Set(profiles::kHardware, dtypes::kStored, dtypes::kLongIndex);
  map.Set(profiles::kHardware, TypesWith([](const DTypeInfo& t) { return t.bytes < 4; }), dtypes::kShortIndex);
  return map;
}();

inline constexpr TypeMap kOffsetTypes = TypeMap::Any(dtypes::kU32);
inline constexpr TypeMap kPickTypes =
    TypeMap::SameWidth({.cpu = dtypes::kMoved, .a2a3 = dtypes::kMiddle, .a5 = dtypes::kComputed | dtypes::kFloat8});

inline constexpr OpInfo kTGather = {
    .id = 180,
    .name = "tgather",
    .brief = "Collects the elements that indices select.",
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
        "of src0, valid or not.",
    .specials =
        "All bits of an element are kept, including NaN payloads. An index without a valid element in src0 is an "
        "error; nothing is written then.",
    .accuracy = "Exact.",
    .others = "The common simulator stores 0 for an index out of range; hardware does not check.",
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
    .brief =
        "Collects the positions of elements for which a comparison with a number per row is true, and counts them.",
    .formula =
        "row i of dst = offset + i * C + j for each j with mode(src0[i,j], k_value[i]), one after another, C = the "
        "columns "
        "of src0; cdst[i] = how many there are",
    .operands = {Out("dst", Extent::kRows, "receives the positions", &kFoundTypes),
                 Out("cdst", Extent::kRowResults, "receives their number", &kFoundTypes),
                 In("src0", "the elements to look at"),
                 In("k_value", Extent::kColumn, "the numbers to compare with, one per row", &kThresholdTypes),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 Int("offset", "the number of the first element of src0"), Mode("mode", &kCmpMode, "the comparison"),
                 Flags()},
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
        "A row of dst receives the first positions, up to its valid columns; cdst counts all of them. A position "
        "counts elements row by row over all columns of src0, valid or not, modulo 2^32.",
    .outside =
        "Elements of dst after the found positions are not written, nor is anything outside its valid region or "
        "column 0 of cdst. If src0 has no rows, the call succeeds and does nothing.",
    .specials =
        "For float elements, an integer k_value is rounded to the type of src0, to nearest, ties to even. For integer "
        "elements, it is compared unchanged. Only PTO_CMP_NE is true for a NaN. The two zeros are equal.",
    .accuracy = "Exact.",
    .others =
        "A5 rounds elements to integers, compares without sign and counts in steps of 64; the common simulator does "
        "not have this form. On hardware, tmp holds one bit per element, the positions, and k_value in the type of "
        "src0, one after the other.",
    .family = Family::kIrregular,
    .source = "TGATHER",
};

inline constexpr OpInfo kTGatherMask = {
    .id = 181,
    .name = "tgather_mask",
    .mnemonic = "tgather",
    .brief = "Collects the elements or rows that a pattern of four selects.",
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
        "The valid region of dst has room for the selected elements. PTO_GATHER_AXIS_ROW: they fill its valid columns "
        "row by row from (0, 0) on, so a row of dst may receive elements from several rows of src. "
        "PTO_GATHER_AXIS_COL: each selected row becomes a row of dst.",
    .outside =
        "Elements of dst after the selected elements are not written, nor is anything outside its valid region. With "
        "an empty src the call succeeds and does nothing.",
    .specials = "All bits of an element are kept for every type of dst.",
    .accuracy = "Exact.",
    .others = "With PTO_GATHER_AXIS_COL, hardware continues after the selected rows.",
    .family = Family::kIrregular,
    .source = "TGATHER",
};

inline constexpr OpInfo kTGatherB = {
    .id = 182,
    .name = "tgatherb",
    .brief = "Collects the blocks of 32 bytes that offsets select.",
    .formula = "block b of row i of dst = the 32 bytes of src from byte offset[i,b] on",
    .operands = {Out("dst", "receives the blocks"), In("src", Extent::kOwn, "the elements to choose from"),
                 In("offset", Extent::kBlockIndex, "where each block begins, in bytes", &kOffsetTypes), Flags()},
    .walk = Walk::kGather,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kUpTo32Bits},
    .shapes =
        "offset has a valid row for each valid row of dst and one offset for every 32 bytes of it; the last block of "
        "a row is read only up to the columns of dst. src may have any valid region; an offset counts bytes row by "
        "row over all its columns.",
    .specials =
        "All bits of an element are kept. An offset must be a multiple of the element size and select a valid element "
        "of src. Otherwise the call is an error, and nothing is written.",
    .accuracy = "Exact.",
    .others =
        "The common simulator does not change a block whose offset is out of range. Hardware does not check offsets, "
        "and A2A3 writes beyond the last column.",
    .family = Family::kIrregular,
    .source = "TGATHERB",
};

inline constexpr OpInfo kTScatter = {
    .id = 183,
    .name = "tscatter",
    .brief = "Clears a tile and writes each element to the position that its index selects.",
    .formula = "dst = 0, then dst[indexes[i,j] / C, indexes[i,j] mod C] = src[i,j], C = the columns of dst",
    .operands = {Out("dst", Extent::kOwn, "receives the elements"), In("src", "the elements"),
                 In("indexes", Extent::kIndex, "the position of each element, counted row by row", &kScatterIndexTypes),
                 Flags()},
    .lead = 1,
    .walk = Walk::kScatter,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kComputed},
    .shapes =
        "Only the elements of src that have an index are moved. dst may have any valid region. An index counts "
        "elements row by row over all columns "
        "of dst, valid or not.",
    .outside =
        "All of dst is cleared first, also what is not valid. If src or indexes is empty, nothing is cleared or "
        "written, and the call succeeds.",
    .specials =
        "All bits of an element are kept. If several elements have the same index, the last one in row order stays. "
        "An index without a valid element in dst is an error; nothing is written then.",
    .accuracy = "Exact.",
    .others = "The common simulator does not clear dst. In a document of the ISA, the index counts rows.",
    .family = Family::kIrregular,
    .source = "TSCATTER",
};

inline constexpr OpInfo kTScatterMask = {
    .id = 184,
    .name = "tscatter_mask",
    .mnemonic = "tscatter",
    .brief =
        "Writes elements or rows to the positions of a larger tile that a pattern of four selects, and zeros "
        "elsewhere.",
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
        "Along the axis, src has one valid element for each element of dst that the pattern selects. Along the other "
        "axis, src and dst have the same valid extent.",
    .specials = "All bits of an element are kept.",
    .accuracy = "Exact.",
    .others =
        "Hardware also clears elements outside the valid region of dst, except with PTO_MASK_P1111, which is a move.",
    .family = Family::kIrregular,
    .source = "TSCATTER",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_IRREGULAR_H_
