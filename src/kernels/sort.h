// Sorting groups of up to 32 elements with their indices into records, and merging sorted records.
// Kernels know the width of an element and how its bits are ordered, no more.
//
// A record has eight bytes: an element, zeros up to the fourth byte, an index. Records are in order
// when the larger element is first; of equal elements the smaller index, then the earlier record.
// The two zeros are equal; every NaN is equal to every other and smaller than all numbers.
#ifndef PTO_SRC_KERNELS_SORT_H_
#define PTO_SRC_KERNELS_SORT_H_

#include <cstddef>
#include <cstdint>

#include "src/records/dtype.h"

namespace pto {

inline constexpr size_t kSortGroup = 32;
inline constexpr size_t kRecordBytes = 8;

// How elements are compared, when they are shifted up to the highest bits: as floats are, or as
// int32_t are with some bits flipped.
struct SortOrder {
  int32_t shift;     // 32 less the bits of an element
  int32_t turn;      // all bits of floats, whose order turns below zero; else 0
  uint32_t flip;     // the sign bit of numbers without sign, else 0
  int32_t infinity;  // of floats, shifted; else INT32_MAX
};
// Elements of two and four bytes.
SortOrder OrderOf(DType dtype);

// One group: the same number of elements, indices and records.
struct SortWork {
  const void* elements;
  const uint32_t* indices;
  void* records;
  size_t count;  // 1 to kSortGroup
};

// Sorts groups, which share no byte with each other's records.
void SortGroups(int target, const SortOrder& order, const SortWork* groups, size_t count);

// Lists of records, each in order.
struct MergeList {
  const uint8_t* records;
  size_t count;
};
inline constexpr int kMergeLists = 4;

// Merges lists, equal records in the order of the lists, and writes at most `most`
// records; stops after the record with which a list ends if `exhausted`. taken[i]: records of list
// i that were written. Lists that are not in order are merged by the same rule: of the records that
// are next the largest. dst and scratch share no byte with the lists; scratch has room for all
// records. Returns how many were written.
size_t MergeRecords(const SortOrder& order, const MergeList* lists, int count, uint8_t* dst,
                    size_t most, bool exhausted, uint8_t* scratch, size_t* taken);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_SORT_H_
