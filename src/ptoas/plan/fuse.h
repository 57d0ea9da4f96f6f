// Fused links: neighbours of a group that run as one relay (src/kernels/relay.h).
//
//     tload x -> t, tmul t, t -> d, trowsum d -> s      kLoad x | kMul x | kSum s
//
// A value stays in registers if the next link has it as a source. It is stored only if something reads it from memory:
// a later link, the store of a tensor, or what follows the last round of the loop. A run has maps of f32 whose lane has
// legs, then at most one sum of rows. Its rows are multiples of kRelayUnit, and its tiles share no byte with others.
#ifndef PTO_SRC_PTOAS_PLAN_FUSE_H_
#define PTO_SRC_PTOAS_PLAN_FUSE_H_

#include "src/ptoas/plan/chain.h"

namespace pto::ptoas::plan {

// Finds the links of a group that can run as relays and have a neighbour that can.
void FindFused(Chain* chain, const Group& group);

// Makes the runs of a group, of places as they are in this round. `leaves`: what the round leaves in private tiles does
// not matter.
void Fuse(Chain* chain, Group* group, bool leaves);

}  // namespace pto::ptoas::plan

#endif  // PTO_SRC_PTOAS_PLAN_FUSE_H_
