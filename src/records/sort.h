// Records of the instructions that sort records, count bytes and draw numbers.
#ifndef PTO_SRC_RECORDS_SORT_H_
#define PTO_SRC_RECORDS_SORT_H_

#include "src/records/op_info.h"

namespace pto {

namespace dtypes {
inline constexpr DTypeSet kSorted = kFloats | kI16 | kU16 | kI32 | kU32;
}  // namespace dtypes

inline constexpr TypeMap kPayloadTypes = TypeMap::Any(dtypes::kU32);
inline constexpr TypeMap kExecutedTypes = TypeMap::Any(dtypes::kU16 | dtypes::kI16);
inline constexpr TypeMap kBinTypes = TypeMap::Any(dtypes::kU32);
inline constexpr TypeMap kFilterTypes = TypeMap::Any(dtypes::kU8);

inline constexpr OpInfo kTSort32 = {
    .id = 190,
    .name = "tsort32",
    .brief = "Sorts each 32 elements of a row, largest first, with their indices into records of eight bytes.",
    .formula = "dst[i] = for each 32 columns of src[i] the records (src[i,j], idx[i,j]) in descending order",
    .operands = {Out("dst", Extent::kRecords, "receives the records"), In("src", "the elements"),
                 In("idx", Extent::kOwn, "the indices, of each row or one row for all", &kPayloadTypes),
                 Tmp("scratch; may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kSort,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kSorted, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .tmp_touched = profiles::kHardware,
    .rules = {{Rule::kRecordsCovered}, {Rule::kIndexRows}},
    .shapes =
        "A record is an element, zeros up to the fourth byte, and an index. dst has room for one record per element "
        "of src. idx has the valid columns of src, and either the same valid rows or one row for all. The last group "
        "of a row may have fewer than 32 columns.",
    .outside =
        "Nothing of dst after the records of a row is written. With an empty src the call succeeds and does nothing.",
    .specials =
        "Equal elements: the smaller index first, then the one that came first; the two zeros are equal. NaN "
        "come last, all equal. Elements and indices keep every bit.",
    .accuracy = "Exact.",
    .others = "Without tmp, hardware omits a group of fewer than 32. Its order of NaNs is not documented.",
    .family = Family::kIrregular,
    .source = "TSORT32",
};

inline constexpr OpInfo kTMrgSort = {
    .id = 191,
    .name = "tmrgsort",
    .brief = "Merges every four sorted blocks of records in a row into one block.",
    .formula = "dst[i] = each 4 * block_len columns of src[i] with their four sorted blocks of records merged",
    .operands = {Out("dst", Extent::kRecords, "receives the records"),
                 In("src", Extent::kRecords, "the blocks, one after another"),
                 Int("block_len", "columns of a block, indices among them"), Flags()},
    .walk = Walk::kMergeBlocks,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kSorted, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kListRows}, {Rule::kOneList, profiles::kHardware}, {Rule::kBlockLength}},
    .shapes = "dst and src have the same valid rows; the columns are the common valid columns of dst and src.",
    .outside =
        "Columns after the last four whole blocks are not written. With an empty dst the call succeeds and does "
        "nothing.",
    .specials =
        "Records are ordered by their elements, as in TSORT32. Equal elements keep the order of their blocks, "
        "independent of their indices, so a top-k with ties depends on how the row was split. Unsorted blocks are "
        "merged by the same rule: the largest of the next records is taken.",
    .accuracy = "Exact.",
    .others = "The common simulator does nothing if block_len is not a whole number of records.",
    .family = Family::kIrregular,
    .source = "TMRGSORT",
};

// The operand of a merge of lists that receives the counts.
inline constexpr int kExecuted = 1;

// The operands of the form that merges `lists` lists.
constexpr Operand MergeOperand(int lists, int at) {
  constexpr const char* kNames[] = {"src0", "src1", "src2", "src3"};
  constexpr const char* kBriefs[] = {"the first list", "the second list", "the third list", "the fourth list"};
  if (at == 0) return Out("dst", Extent::kRecords, "receives the records");
  if (at == 1) {
    Operand counts =
        Out("executed", Extent::kRecords, "receives the number of used records of each list", &kExecutedTypes);
    counts.cpp_type = "MrgSortExecutedNumList";
    return counts;
  }
  if (at < 2 + lists) return In(kNames[at - 2], Extent::kRecords, kBriefs[at - 2]);
  if (at == 2 + lists) return Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched");
  if (at == 3 + lists) return Mode("exhausted", &kMergeEndMode, "when merging ends");
  return at == 4 + lists ? Flags() : Operand();
}

// The record of the form that merges `lists` lists.
constexpr OpInfo MergeOfLists(int32_t id, const char* name, const char* brief, const char* formula, int lists,
                              const char* cpp_order, const char* cpp_template) {
  return OpInfo{
      .id = id,
      .name = name,
      .mnemonic = "tmrgsort",
      .brief = brief,
      .formula = formula,
      .operands = {MergeOperand(lists, 0), MergeOperand(lists, 1), MergeOperand(lists, 2), MergeOperand(lists, 3),
                   MergeOperand(lists, 4), MergeOperand(lists, 5), MergeOperand(lists, 6), MergeOperand(lists, 7),
                   MergeOperand(lists, 8)},
      .cpp_order = cpp_order,
      .cpp_template = cpp_template,
      .lead = 2,
      .walk = Walk::kMergeLists,
      .lane = Lane::kCopy,
      .dtypes = {.cpu = dtypes::kSorted, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
      .tmp_touched = profiles::kHardware,
      .rules = {{Rule::kListRows},
                {Rule::kListLength},
                {Rule::kOneList, profiles::kHardware},
                {Rule::kDstsApart},
                {Rule::kTmpRequired, profiles::kA2A3},
                {Rule::kTmpLayout, profiles::kA2A3},
                {Rule::kTmpApart, profiles::kA2A3}},
      .sources = {{Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
      .shapes =
          "The valid columns of a list determine its number of records, at most 65535. dst receives at most the "
          "records that its valid columns hold: to keep only the largest, make dst shorter. All tiles have the same "
          "valid rows. executed has four valid columns; columns without a list become 0.",
      .outside =
          "Nothing of dst after the last record is written, and only four columns in each row of executed. Without "
          "valid rows the call succeeds and does nothing.",
      .specials =
          "Records are ordered by their elements, as in TSORT32. Equal elements keep the order of their lists, "
          "independent of their indices, so a top-k with ties depends on how it was split. Unsorted lists are merged "
          "by the same rule: the largest of the next records is taken. With PTO_MERGE_END_FIRST, merging ends after "
          "the last record of any list.",
      .accuracy = "Exact.",
      .family = Family::kIrregular,
      .source = "TMRGSORT",
  };
}

inline constexpr OpInfo kTMrgSortFour =
    MergeOfLists(192, "tmrgsort_four", "Merges four lists of sorted records.",
                 "dst[i] = the records of src0[i] to src3[i], largest first", 4, "dst executed tmp src0 src1 src2 src3",
                 "dst tmp src0 src1 src2 src3 exhausted");
inline constexpr OpInfo kTMrgSortThree =
    MergeOfLists(193, "tmrgsort_three", "Merges three lists of sorted records.",
                 "dst[i] = the records of src0[i], src1[i] and src2[i], largest first", 3,
                 "dst executed tmp src0 src1 src2", "dst tmp src0 src1 src2 exhausted");
inline constexpr OpInfo kTMrgSortTwo = MergeOfLists(194, "tmrgsort_two", "Merges two lists of sorted records.",
                                                    "dst[i] = the records of src0[i] and src1[i], largest first", 2,
                                                    "dst executed tmp src0 src1", "dst tmp src0 src1 exhausted");

inline constexpr OpInfo kTHistogram = {
    .id = 200,
    .name = "thistogram",
    .brief = "Counts for each row the elements whose byte is at most 0, 1, ..., 255.",
    .formula = "dst[i,b] = number of j with byte of src[i,j] <= b and the bytes above it equal to the filter",
    .operands = {Out("dst", Extent::kBins, "receives the counts", &kBinTypes), In("src", "the elements"),
                 In("idx", Extent::kOwn, "the filter: bytes above the one that is counted", &kFilterTypes),
                 Mode("byte", &kHistMode, "which byte is counted"), Flags()},
    .cpp_template = "byte dst src idx",
    .lead = 1,
    .walk = Walk::kHistogram,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kU16 | dtypes::kU32, .a2a3 = dtypes::kNone, .a5 = dtypes::kU16 | dtypes::kU32},
    .rules = {{Rule::kHistByte}, {Rule::kBinsCovered}, {Rule::kFilterCovered}},
    .shapes =
        "dst has the valid rows of src and 256 valid columns. For u16, idx[i,0] is the upper byte to match in row i. "
        "For u32, idx[0,0], idx[1,0] and idx[2,0] are the bytes to match above the counted byte, highest first, for "
        "all rows.",
    .outside = "Only 256 columns of each row of dst are written. With an empty src the call succeeds and does nothing.",
    .specials = "Counts are cumulative: dst[i,255] is the number of elements of row i that pass the filter.",
    .accuracy = "Exact.",
    .others = "A document of the ISA specifies that each byte is counted by itself.",
    .family = Family::kIrregular,
    .source = "THISTOGRAM",
};

inline constexpr OpInfo kTRandom = {
    .id = 201,
    .name = "trandom",
    .brief = "Fills a tile with random words: Philox4x32, by key and counter.",
    .formula = "dst[i,j] = word j mod 4 of Philox4x32(counter + i * ceil(C / 4) + j / 4, key)",
    .operands = {Out("dst", "receives the words"), IntAt("key0", "TRandomKey", "key[0]", "the low word of the key"),
                 IntAt("key1", "TRandomKey", "key[1]", "its high word"),
                 IntAt("counter0", "TRandomCounter", "counter[0]", "the lowest word of the counter"),
                 IntAt("counter1", "TRandomCounter", "counter[1]", "the next"),
                 IntAt("counter2", "TRandomCounter", "counter[2]", "the next"),
                 IntAt("counter3", "TRandomCounter", "counter[3]", "its highest word"),
                 Mode("rounds", &kRoundsMode, "how many rounds are made of each block"), Flags()},
    .cpp_template = "rounds= dst",
    .walk = Walk::kRandom,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kI32 | dtypes::kU32, .a2a3 = dtypes::kNone, .a5 = dtypes::kI32 | dtypes::kU32},
    .shapes = "C is the number of valid columns of dst. Each row begins with its own block.",
    .specials =
        "Words are passed as the bits of an int32_t, for example (int32_t)0xD1B54A32. The counter has 128 bits and "
        "wraps. To continue the stream in the next call, add rows * ceil(C / 4) to the counter.",
    .accuracy = "Exact: the published stream.",
    .others =
        "The common simulator writes the words of a block 64 columns apart; A5 skips blocks if C is not a multiple of "
        "256.",
    .family = Family::kIrregular,
    .source = "TRANDOM",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_SORT_H_
