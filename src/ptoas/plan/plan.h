// Plans: what is known of the instructions that follow one another in a block of a program, so that they run by rows.
//
//   scf.for %i = ... {                                 the plain way: each instruction over all rows
//     %w  = pto.partition_view %x ...                    tload        rows 0 1 2 3 4 5 6 7
//     %to = pto.partition_view %y ...                    trowmax      rows 0 1 2 3 4 5 6 7
//     pto.tload    %w -> %t                              ...
//     pto.trowmax  %t -> %top                          the plan: all instructions over some rows, then over the next
//     pto.trowexpandexpdif %t, %top -> %t                rows 0 1     tload trowmax trowexpandexpdif tstore
//     pto.tstore   %t -> %to                             rows 2 3     tload trowmax trowexpandexpdif tstore
//   }                                                    ...
//
// Each row's arithmetic depends on that row alone, so no bit of a result changes; but the rows of one step are still in
// the cache when the next one needs them. On top of that
// - a load does not copy where all that reads the tile can read the tensor,
// - a store does not copy where what writes the tile can write the tensor,
// - tiles that the next round of the loop overwrites are strips of scratch,
// - neighbours that compute f32 element by element are one pass, and their values stay in registers: fuse.h.
//
// Known when the program is resolved (Attach):
// - Chains: instructions in a row of one block, with nothing between them but arithmetic and views of tensors. Walks
//   over elements, conversions, folds of rows, loads and stores are links; all others end a chain.
// - Of each tile of a chain, whether all of the function that names it is its alloc_tile and instructions, and whether
//   in the body of the loop these are links of the chain: no other statement sees its bytes, so a round may leave
//   others there. `addr`, tile_buf_addr, subset, treshape, a call, a yield: each is another use and a veto.
//
// Known when the chain runs (RunLink):
// - Each link checks its operands at its place, as ever, so errors are what they are without a plan. The last link runs
//   all of them.
// - Links form groups of the same number of rows, whose operands have rows in memory, or an element for each row: a
//   tile of one row that has the bytes of a column moves along. What fits into no group runs as it is.
// - No row of a tile or window may have a byte of another row of a tile or window of the group if one of the two is
//   written. Windows of one tensor, tensors of one memory and views of a tile are compared by their addresses. Rows
//   that are loaded and then written, in place, are read where they are as long as nothing reads them after that.
// - Bytes of tiles that a round leaves as they were only differ in rounds before the last one of the loop. The last
//   round leaves what the plain way leaves, so that tiles can be read after a run.
//
// If one of these does not hold, or the plan would save nothing, the links run one after the other: the plain way. Then
// the chain does not look for a plan in the next rounds. Runs that record or check synchronisation, and those with late
// data or poison have no plans. A run that fails, or that a limit ends, within a chain leaves the tiles and windows
// that this chain writes undefined; without a plan, links before the failure are complete. PTO_PLAN in the environment,
// at the first run of a program: `off` turns plans off, `print` prints groups to stderr, `all` also plans chains and
// relays that are too small to save time, for tests. `print,all` does both. Loads and moves of matrices for products
// have plans of their own: detours.h.
#ifndef PTO_SRC_PTOAS_PLAN_PLAN_H_
#define PTO_SRC_PTOAS_PLAN_PLAN_H_

#include "src/ptoas/run/code.h"

namespace pto::ptoas::plan {

// Finds the chains of a function that was resolved.
void Attach(FuncCode* code);

}  // namespace pto::ptoas::plan

#endif  // PTO_SRC_PTOAS_PLAN_PLAN_H_
