// Extents: which elements of a tile an instruction touches, by the valid region R x C of its lead operand. Each is one
// row of kExtents, and what is to be known of regions is read there: the rules that come with an operand, whether the
// test of the usual call knows the region, the sentence of the pages, and the region of a destination that a program
// leaves to libpto.
#ifndef PTO_SRC_RECORDS_EXTENT_H_
#define PTO_SRC_RECORDS_EXTENT_H_

#include <cstdint>

#include "src/records/rule.h"

namespace pto {

// Same values as pto_extent.
enum class Extent : uint8_t {
  kSame,         // R x C: element (i, j) beside element (i, j)
  kRow,          // one element per column: row 0, or a column-major tile of one column
  kColumn,       // one element per row: column 0
  kRepeat,       // R x C, or fewer columns that repeat along each row: (i, j mod their number)
  kPart,         // a part of R x C
  kBits,         // one bit for each element of R x C, every row from a byte on
  kRowResults,   // one result per row, in column 0
  kColResults,   // one result per column, in row 0
  kFirst,        // element (0, 0)
  kTransposed,   // C x R: element (j, i) beside element (i, j)
  kWindow,       // a rectangle of R x C, or of the valid region of each output, that begins where integers say
  kJoined,       // R rows, and with the others of the kind the C columns, side by side
  kWhole,        // all rows and columns of the tile, the same number as the lead operand's tile has
  kAround,       // all rows and columns of the tile, at least the same number as the lead operand's tile has
  kOwn,          // a valid region of its own
  kDouble,       // R x 2C
  kLeft,         // R x K: row i for row i, K as of kRight
  kRight,        // K x C: column j for column j
  kIndex,        // R x C, each the place of an element of another tile
  kBlockIndex,   // such a place for every 32 bytes of each row of R x C
  kRows,         // R rows, of any number of columns
  kRecords,      // records of eight bytes, by rules of the instruction
  kBins,         // 256 elements for each row
  kTableIndex,   // an index for each row of R x C, in one row or column, or for each element, by a mode
  kLeftScales,   // R x K/32, rounded up: one for each 32 elements of a row of the left matrix
  kRightScales,  // K/32, rounded up, x C: one for each 32 elements of a column of the right matrix
  kRowGroups,    // R x C/32, rounded up: one for each 32 elements of a row
  kColGroups,    // R/32, rounded up, x C: one for each 32 elements of a column
  kEnd,
};

// Elements that share a scale.
inline constexpr int32_t kScaleGroup = 32;
// The number of scales of a number of elements.
constexpr int32_t ScaleGroups(int32_t elements) { return (elements + kScaleGroup - 1) / kScaleGroup; }

// Bytes of a record, and how many lists of records are merged at most.
inline constexpr int64_t kRecordSize = 8;
inline constexpr int64_t kMostLists = 4;

// Rows and columns; -1: not known.
struct Region {
  int64_t rows = -1;
  int64_t cols = -1;
};

// What a region depends on besides R x C.
struct RegionFacts {
  int64_t bytes = 1;        // of an element of the tile
  int64_t moved_bytes = 1;  // of an element of the tile that offsets of blocks address
  int64_t row = 0;          // where a window begins
  int64_t col = 0;
  bool by_element = false;  // indices name elements, not rows
  bool counts = false;      // not records, but how many of each list were merged
};

// What the test of the usual call wants of the number of valid rows, or columns, beside the lead operand's.
enum class Fit : uint8_t {
  kUnknown,  // the test does not know: Check() looks at the operand
  kAny,
  kSome,  // one or more
  kEqual,
  kAtLeast,
  kTwice,
  kBits,  // bytes that hold enough bits
};

inline constexpr Rule kNoRule = Rule::kEnd;

struct ExtentInfo {
  Extent extent;
  // The contract: $ is the operand, @ the one that leads. With `together` the operands of the extent have one sentence,
  // in which `together` is between their names.
  const char* sentence = nullptr;
  const char* together = nullptr;
  Rule layout = kNoRule;               // the rule of how tiles of hardware lie, if the record wants it
  Rule rules[2] = {kNoRule, kNoRule};  // that an operand brings
  bool beside = false;                 // an element for each of the lead operand
  bool vector = false;                 // one element per column, or per row: the tile may be a column
  bool upright = false;                // a tile of one column may be column-major, too
  bool joins = false;                  // regions of several sources lie side by side
  bool whole = false;                  // all of the tile, whatever is valid
  struct {
    Fit rows = Fit::kUnknown;
    Fit cols = Fit::kUnknown;
  } fit = {};
  // The R x C of a source of region `has`; nullptr: it is not known from that.
  Region (*lead)(Region has, const RegionFacts& facts) = nullptr;
  // The region of a destination; nullptr: R x C.
  Region (*result)(Region lead, const RegionFacts& facts) = nullptr;
};

// The elements from an index on; all, if the index is outside, which the instruction refuses.
constexpr int64_t LeftBehind(int64_t index, int64_t count) {
  return index > 0 && index < count ? count - index : count;
}
constexpr Region LeadIsAlike(Region has, const RegionFacts&) { return has; }
constexpr Region LeadHasRows(Region has, const RegionFacts&) { return {has.rows, -1}; }
constexpr Region LeadHasCols(Region has, const RegionFacts&) { return {-1, has.cols}; }

inline constexpr char kSameRegion[] =
    "A2A3 and A5: the valid region of $ equals the valid region of @; CPU: the valid regions of sources may be larger.";

inline constexpr ExtentInfo kExtents[] = {
    {.extent = Extent::kSame,
     .sentence = kSameRegion,
     .together = " and of ",
     .layout = Rule::kRowMajor,
     .beside = true,
     .fit = {.rows = Fit::kEqual, .cols = Fit::kEqual},
     .lead = LeadIsAlike},
    {.extent = Extent::kRow,
     .sentence = "$ has a valid row and covers the valid columns of @.",
     .layout = Rule::kColVector,
     .rules = {Rule::kColsCovered, kNoRule},
     .vector = true,
     .lead = LeadHasCols},
    {.extent = Extent::kColumn,
     .sentence = "$ has a valid column and covers the valid rows of @.",
     .layout = Rule::kRowVector,
     .rules = {Rule::kRowsCovered, kNoRule},
     .vector = true,
     .lead = LeadHasRows},
    {.extent = Extent::kRepeat,
     .sentence = "One of $ has the valid region of @. The other may have one valid column, with one scalar per row, or "
                 "32 bytes "
                 "of columns (CPU: any number), which repeat along each row.",
     .together = " and ",
     .layout = Rule::kRowMajor,
     .rules = {Rule::kRepeatValid, kNoRule},
     .upright = true,
     .lead = LeadIsAlike},
    {.extent = Extent::kPart, .layout = Rule::kRowMajor, .lead = LeadIsAlike},
    {.extent = Extent::kBits,
     .sentence =
         "$ holds one bit for each element of @: row i of bits is row i of the tile, the lowest bit of its first "
         "byte is column 0.",
     .rules = {Rule::kBitsCovered, kNoRule},
     .fit = {.rows = Fit::kAtLeast, .cols = Fit::kBits},
     .result = [](Region lead, const RegionFacts& f) -> Region {
       return {lead.rows, (lead.cols + 8 * f.bytes - 1) / (8 * f.bytes)};
     }},
    {.extent = Extent::kRowResults,
     .sentence = "$ has the valid rows of @; its column 0 receives the results.",
     .layout = Rule::kRowVector,
     .rules = {Rule::kRowResults, kNoRule},
     .vector = true,
     .fit = {.rows = Fit::kEqual, .cols = Fit::kSome},
     .result = [](Region lead, const RegionFacts&) -> Region {
       return {lead.rows, 1};
     }},
    {.extent = Extent::kColResults,
     .sentence = "$ has the valid columns of @; its row 0 receives the results.",
     .rules = {Rule::kColResults, kNoRule},
     .fit = {.rows = Fit::kSome, .cols = Fit::kEqual},
     .result = [](Region lead, const RegionFacts&) -> Region {
       return {1, lead.cols};
     }},
    {.extent = Extent::kFirst,
     .sentence = "$ gives its element (0, 0).",
     .rules = {Rule::kFirstElement, kNoRule},
     .fit = {.rows = Fit::kSome, .cols = Fit::kSome}},
    {.extent = Extent::kTransposed,
     .sentence = "The valid rows of $ are the valid columns of @, and the reverse.",
     .rules = {Rule::kTransposedValid, kNoRule},
     .result = [](Region lead, const RegionFacts&) -> Region {
       return {lead.cols, lead.rows};
     }},
    {.extent = Extent::kWindow,
     .sentence = "The window lies inside the valid region of $.",
     .rules = {Rule::kWindowRange, kNoRule},
     .lead = [](Region has, const RegionFacts& f) -> Region {
       return {LeftBehind(f.row, has.rows), LeftBehind(f.col, has.cols)};
     }},
    {.extent = Extent::kJoined,
     .sentence = "$ have the valid rows of @, and together its valid columns.",
     .together = " and ",
     .rules = {Rule::kJoinedValid, kNoRule},
     .joins = true,
     .lead = LeadIsAlike},
    {.extent = Extent::kWhole,
     .sentence = "$ has the same allocated rows and columns as @.",
     .rules = {Rule::kPadShape, kNoRule},
     .whole = true},
    {.extent = Extent::kAround,
     .sentence = "$ has at least the allocated rows and columns of @.",
     .rules = {Rule::kPadShape, kNoRule},
     .whole = true},
    {.extent = Extent::kOwn, .upright = true, .fit = {.rows = Fit::kAny, .cols = Fit::kAny}},
    {.extent = Extent::kDouble,
     .sentence = "$ has the valid rows of @, and twice its valid columns.",
     .rules = {Rule::kDoubleCols, kNoRule},
     .fit = {.rows = Fit::kEqual, .cols = Fit::kTwice},
     .lead = [](Region has, const RegionFacts&) -> Region {
       return {has.rows, has.cols / 2};
     }},
    {.extent = Extent::kLeft, .rules = {Rule::kMatrixValid, kNoRule}, .lead = LeadHasRows},
    {.extent = Extent::kRight, .lead = LeadHasCols},
    {.extent = Extent::kIndex,
     .sentence = "A2A3 and A5: the valid regions of $ and @ are equal; CPU: the region of $ may be larger. Indices of "
                 "places to write may be fewer.",
     .together = " and of ",
     .rules = {Rule::kIndexRange, kNoRule},
     .beside = true,
     .fit = {.rows = Fit::kEqual, .cols = Fit::kEqual},
     .lead = LeadIsAlike},
    {.extent = Extent::kBlockIndex,
     .rules = {Rule::kBlocksCovered, Rule::kIndexRange},
     .lead = [](Region has, const RegionFacts& f) -> Region {
       return {has.rows, has.cols * 32 / f.moved_bytes};
     }},
    {.extent = Extent::kRows,
     .sentence = "$ has the valid rows of @, or more.",
     .rules = {Rule::kRowsCovered, kNoRule},
     .joins = true,
     .lead = LeadIsAlike},
    {.extent = Extent::kRecords,
     .layout = Rule::kRowMajor,
     .joins = true,
     .lead = [](Region has, const RegionFacts& f) -> Region {
       return {has.rows, has.cols * f.bytes / kRecordSize};
     },
     .result = [](Region lead, const RegionFacts& f) -> Region {
       return {lead.rows, f.counts ? kMostLists : lead.cols * kRecordSize / f.bytes};
     }},
    {.extent = Extent::kBins,
     .result = [](Region lead, const RegionFacts&) -> Region {
       return {lead.rows, 256};
     }},
    {.extent = Extent::kTableIndex,
     .rules = {Rule::kTableIndex, kNoRule},
     .upright = true,
     .lead = [](Region has, const RegionFacts& f) -> Region {
       if (f.by_element) return has;
       return {has.rows == 1 ? has.cols : has.rows, -1};
     }},
    {.extent = Extent::kLeftScales, .rules = {Rule::kScaleValid, kNoRule}},
    {.extent = Extent::kRightScales},
    {.extent = Extent::kRowGroups,
     .rules = {Rule::kGroupsCovered, kNoRule},
     .result = [](Region lead, const RegionFacts&) -> Region {
       return {lead.rows, ScaleGroups(static_cast<int32_t>(lead.cols))};
     }},
    {.extent = Extent::kColGroups,
     .rules = {Rule::kGroupsCovered, kNoRule},
     .result = [](Region lead, const RegionFacts&) -> Region {
       return {ScaleGroups(static_cast<int32_t>(lead.rows)), lead.cols};
     }},
};
inline constexpr int kExtentCount = sizeof(kExtents) / sizeof(kExtents[0]);

constexpr bool ExtentsInOrder() {
  for (int i = 0; i < kExtentCount; ++i) {
    if (static_cast<int>(kExtents[i].extent) != i) return false;
  }
  return kExtentCount == static_cast<int>(Extent::kEnd);
}
static_assert(ExtentsInOrder(), "kExtents has a row for each extent, in the order of the enum");

constexpr const ExtentInfo& Info(Extent extent) { return kExtents[static_cast<int>(extent)]; }

// An element for each of the lead operand.
constexpr bool BesideLead(Extent extent) { return Info(extent).beside; }

}  // namespace pto

#endif  // PTO_SRC_RECORDS_EXTENT_H_
