// On-chip memory between runs of programs: src/ptoas/run keeps contexts for its cores and makes them as good as new.
#ifndef PTO_SRC_OBJECTS_ON_CHIP_H_
#define PTO_SRC_OBJECTS_ON_CHIP_H_

#include <cstdint>

struct pto_context;
struct pto_tile;

namespace pto {

// Makes the bytes from `begin` to `end` of a location's memory zero for every tile that is placed from now on. If a
// tile still lies in that memory, it keeps all of it, and the context takes new memory of zeros when it needs some.
// Returns whether the context still has the memory. Precondition: begin <= end.
bool ClearOnChip(pto_context* ctx, int location, int64_t begin, int64_t end);

// Whether a tile may be placed at an address of the context's memory. If not, the error is the one of pto_tassign().
bool MayLieAt(pto_context* ctx, const pto_tile* tile, int64_t address);

// The memory of a location, made on first use, and in *bytes how many bytes it has. nullptr when memory is out. It
// stays where it is until ClearOnChip().
uint8_t* OnChipBytes(pto_context* ctx, int location, int64_t* bytes);

// If an accumulator is split between two vector cores, calls move the half of this one from now on; 0 at first.
void ReceiveOn(pto_context* ctx, int32_t lane);

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_ON_CHIP_H_
