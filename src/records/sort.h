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
        "A record is an element, zeros up to the fourth byte, and an index; dst has room for one for each element of "
        "src. idx has the valid columns of src, and its valid rows or one for all. The last columns of a row are a "
        "group of fewer than 32.",
    .outside = "Nothing of dst behind the records of a row is written. An empty src is a no-op that succeeds.",
    .specials =
        "Equal elements: the smaller index first, then the one that came first; the two zeros are equal. NaN "
        "come last, all equal. Elements and indices keep every bit.",
    .accuracy = "Exact.",
    .others = "Hardware without tmp leaves a group of fewer than 32 out; where it puts a NaN is not said.",
    .family = Family::kIrregular,
    .source = "TSORT32",
};

inline constexpr OpInfo kTMrgSort = {
    .id = 191,
    .name = "tmrgsort",
    .brief = "Merges each four blocks of sorted records of a row into one.",
    .formula = "dst[i] = each 4 * block_len columns of src[i] with their four sorted blocks of records merged",
    .operands = {Out("dst", Extent::kRecords, "receives the records"),
                 In("src", Extent::kRecords, "the blocks, one after another"),
                 Int("block_len", "columns of a block, indices among them"), Flags()},
    .walk = Walk::kMergeBlocks,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kSorted, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kListRows}, {Rule::kOneList, profiles::kHardware}, {Rule::kBlockLength}},
    .shapes = "dst and src are valid in the same rows; the columns of both are those that are valid in dst and in src.",
    .outside = "Columns behind the last four whole blocks are not written. An empty dst is a no-op that succeeds.",
    .specials =
        "Records are in the order of tsort32 by their elements alone: of equal elements those of the earlier block "
        "come "
        "first, whatever their indices, so that a top-k of ties depends on how the row was split. Blocks that are not "
        "sorted are merged by the same rule: of the records that "
        "are next the largest.",
    .accuracy = "Exact.",
    .others = "The common simulator does nothing where block_len is no whole number of records.",
    .family = Family::kIrregular,
    .source = "TMRGSORT",
};

// The operand of a merge of lists that receives the counts.
inline constexpr int kExecuted = 1;

// The operands of the forms that merge so many lists.
constexpr Operand MergeOperand(int lists, int at) {
  constexpr const char* kNames[] = {"src0", "src1", "src2", "src3"};
  constexpr const char* kBriefs[] = {"the first list", "the second list", "the third list", "the fourth list"};
  if (at == 0) return Out("dst", Extent::kRecords, "receives the records");
  if (at == 1) {
    Operand counts =
        Out("executed", Extent::kRecords, "receives how many records of each list are used", &kExecutedTypes);
    counts.cpp_type = "MrgSortExecutedNumList";
    return counts;
  }
  if (at < 2 + lists) return In(kNames[at - 2], Extent::kRecords, kBriefs[at - 2]);
  if (at == 2 + lists) return Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched");
  if (at == 3 + lists) return Mode("exhausted", &kMergeEndMode, "when merging ends");
  return at == 4 + lists ? Flags() : Operand();
}

// The record of the form that merges so many lists.
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
          "Every list has as many records as its valid columns hold, and dst receives as many as its own hold at most: "
          "to keep the largest, make dst shorter. All are valid in the same rows. executed has four valid columns, of "
          "which those without a list become 0; a list has at most 65535 records.",
      .outside =
          "Nothing of dst behind the last record, and nothing of executed but four columns of each row is written. No "
          "row is a no-op that succeeds.",
      .specials =
          "Records are in the order of tsort32 by their elements alone: of equal elements those of the earlier list "
          "come first, whatever their indices, so that a top-k of ties depends on how it was split. Lists that are not "
          "sorted are merged by the same rule: of the records that are next the "
          "largest. With PTO_MERGE_END_FIRST merging ends behind the last record of any list.",
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
    .brief = "Counts for each row how often a byte of its elements is at most so much.",
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
        "dst has the valid rows of src and 256 valid columns. Of u16 idx[i,0] is the upper byte that counts in row i; "
        "of "
        "u32 idx[0,0], idx[1,0] and idx[2,0] are the highest bytes, as many as lie above the one that is counted, for "
        "all rows.",
    .outside = "Nothing of dst but 256 columns of each row is written. An empty src is a no-op that succeeds.",
    .specials = "Counts run up: dst[i,255] is the number of elements of row i that pass the filter.",
    .accuracy = "Exact.",
    .others = "A document of the ISA says that each byte is counted by itself.",
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
    .shapes = "C = the valid columns of dst: every row begins with a block of its own.",
    .specials =
        "The words of a 32-bit integer are its bits: pass (int32_t)0xD1B54A32. The counter has 128 bits and wraps; "
        "the next call goes on where this one ended when the rows times ceil(C / 4) are added to it.",
    .accuracy = "Exact: the published stream.",
    .others =
        "The common simulator writes the words of a block 64 columns apart; A5 skips blocks where C is no multiple "
        "of 256.",
    .family = Family::kIrregular,
    .source = "TRANDOM",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_SORT_H_
