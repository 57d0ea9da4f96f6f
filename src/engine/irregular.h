// The engines of elements that move by indices and patterns, src/engine/gather.cc, and of records, counts and random
// words, src/engine/sort.cc. Each gets a call whose operands are planes of rows, and returns before anything is
// written when an index is refused.
#ifndef PTO_SRC_ENGINE_IRREGULAR_H_
#define PTO_SRC_ENGINE_IRREGULAR_H_

#include "src/engine/rows.h"

namespace pto {

Status RunGather(const Rows& rows, const OpInfo& op);
Status RunScatter(const Rows& rows, const OpInfo& op);
// Rows and elements of a tensor: src/engine/table_moves.cc.
Status RunTableGather(const Rows& rows, const OpInfo& op);
Status RunTableScatter(const Rows& rows, const OpInfo& op);
// Where elements are that compare so: src/engine/gather.cc.
void RunFind(const Rows& rows);
void RunPick(const Rows& rows);
void RunSpread(const Rows& rows);

void RunSort(const Rows& rows);
void RunMergeBlocks(const Rows& rows);
void RunMergeLists(const Rows& rows, const OpInfo& op);
void RunHistogram(const Rows& rows);
void RunRandom(const Rows& rows);
// Small floats with block scales: src/engine/quantise.cc; and the scratch that it takes.
void RunQuantise(const Rows& rows, const OpInfo& op);
int64_t QuantiseRoom(const OpInfo& op, const Args& args);
// Bytes of scratch for a merge.
int64_t MergeRoom(const OpInfo& op, const Args& args);

}  // namespace pto

#endif  // PTO_SRC_ENGINE_IRREGULAR_H_
