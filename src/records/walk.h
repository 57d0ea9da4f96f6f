// Walks: how an instruction visits its operands. Each is one row of kWalks.
#ifndef PTO_SRC_RECORDS_WALK_H_
#define PTO_SRC_RECORDS_WALK_H_

#include <cstdint>

namespace pto {

// Which engine runs an instruction: src/engine/walk.cc, for tensors transfer.cc, and for walks by rows rows.cc.
enum class Walk : uint8_t {
  kMap,           // dst[i,j] = lane(one element of each source)
  kPartial,       // the same where both sources are valid, else a copy of the one that is
  kLoad,          // a tensor to a tile, bit for bit
  kStore,         // a tile to a tensor, bit for bit
  kCompare,       // a bit per element: src0 against src1, a scalar or element (0, 0)
  kSelect,        // by bits: src0, or src1 or a scalar
  kConvert,       // elements of one type to another
  kFold,          // rows or columns to one element each, by lane
  kArgFold,       // the place of the largest or smallest, alone or after the element
  kPairSum,       // neighbours along rows
  kFill,          // numbers that count up or down, or a triangle of ones
  kPartialArg,    // kPartial of values, each with an index
  kChain,         // dst[i,j] = what a chain of steps makes of src0[i,j]
  kZip,           // two rows become one, element by element, in two halves
  kUnzip,         // rows become those at even and those at odd places
  kMove,          // elements to places, which extents and integers say: src/engine/rearrange.cc
  kJoinCounts,    // two rows side by side, as much of each as counts say
  kMatMul,        // the product of two matrices, from 0, from an accumulator or from a row of bias on
  kGather,        // dst[i,j] = the element, or block of elements, that an index names
  kScatter,       // the element that an index names = src[i,j]
  kPick,          // the elements or rows of src that a pattern picks
  kSpread,        // the elements or rows of src to those that a pattern picks, zeros between
  kSort,          // groups of 32 elements and their indices to sorted records: src/engine/sort.cc
  kMergeBlocks,   // sorted blocks of rows to longer ones
  kMergeLists,    // sorted rows of several tiles to one
  kHistogram,     // how often a byte of a row is at most so much
  kRandom,        // random words by key and counter
  kTableGather,   // rows or elements of a tensor that indices name to a tile: src/engine/table_moves.cc
  kTableScatter,  // rows or elements of a tile to such of a tensor
  kFind,          // the places of elements that compare so: src/engine/gather.cc
  kImage,         // the patches of an image that a filter sees, a row each: src/engine/image.cc
  kQuantise,      // elements to small floats, and the scale of each group of them: src/engine/quantise.cc
  kEnd,
};

struct WalkInfo {
  Walk walk;
  bool by_rows = false;  // the operands are rows of different kinds: src/engine/rows.cc has the engine
  bool fills = false;    // a destination beside the lead operand is written all over, whatever it held
  bool tensor = false;   // with tiles, of elements that indices or a filter name
};

inline constexpr WalkInfo kWalks[] = {
    {.walk = Walk::kMap, .fills = true},
    {.walk = Walk::kPartial, .fills = true},
    {.walk = Walk::kLoad, .fills = true},
    {.walk = Walk::kStore},
    {.walk = Walk::kCompare, .by_rows = true},
    {.walk = Walk::kSelect, .by_rows = true},
    {.walk = Walk::kConvert, .by_rows = true, .fills = true},
    {.walk = Walk::kFold, .by_rows = true},
    {.walk = Walk::kArgFold, .by_rows = true},
    {.walk = Walk::kPairSum, .by_rows = true},
    {.walk = Walk::kFill, .by_rows = true, .fills = true},
    {.walk = Walk::kPartialArg, .by_rows = true},
    {.walk = Walk::kChain, .by_rows = true, .fills = true},
    {.walk = Walk::kZip, .by_rows = true},
    {.walk = Walk::kUnzip, .by_rows = true},
    {.walk = Walk::kMove},
    {.walk = Walk::kJoinCounts, .by_rows = true},
    {.walk = Walk::kMatMul, .fills = true},
    {.walk = Walk::kGather, .by_rows = true},
    {.walk = Walk::kScatter, .by_rows = true},
    {.walk = Walk::kPick, .by_rows = true},
    {.walk = Walk::kSpread, .by_rows = true},
    {.walk = Walk::kSort, .by_rows = true},
    {.walk = Walk::kMergeBlocks, .by_rows = true},
    {.walk = Walk::kMergeLists, .by_rows = true},
    {.walk = Walk::kHistogram, .by_rows = true},
    {.walk = Walk::kRandom, .by_rows = true},
    {.walk = Walk::kTableGather, .by_rows = true, .tensor = true},
    {.walk = Walk::kTableScatter, .by_rows = true, .tensor = true},
    {.walk = Walk::kFind, .by_rows = true},
    {.walk = Walk::kImage, .tensor = true},
    {.walk = Walk::kQuantise, .by_rows = true},
};
inline constexpr int kWalkCount = sizeof(kWalks) / sizeof(kWalks[0]);

constexpr bool WalksInOrder() {
  for (int i = 0; i < kWalkCount; ++i) {
    if (static_cast<int>(kWalks[i].walk) != i) return false;
  }
  return kWalkCount == static_cast<int>(Walk::kEnd);
}
static_assert(WalksInOrder(), "kWalks has a row for each walk, in the order of the enum");

constexpr const WalkInfo& Info(Walk walk) { return kWalks[static_cast<int>(walk)]; }

}  // namespace pto

#endif  // PTO_SRC_RECORDS_WALK_H_
