// From types of the language to descriptors of the C API.
#ifndef PTO_SRC_PTOAS_TILE_DESC_H_
#define PTO_SRC_PTOAS_TILE_DESC_H_

#include <cstdint>

#include "include/pto_c.h"
#include "src/ptoas/read/type.h"
#include "src/ptoas/run/view_desc.h"
#include "src/records/op_info.h"

namespace pto::ptoas {

// Elements of one type may be used where the program has the other: equal, or
// integers of one width, since iN has no sign of its own.
bool DTypeAgrees(Elem elem, pto_dtype dtype);

// The geometry of a tile type with these valid extents, under a profile: the
// hardware's order of the boxes of left tiles is its own. False: an element type that the
// library has not, or extents beyond 32 bits.
bool TileDesc(const Type& type, pto_profile profile, int64_t valid_rows, int64_t valid_cols, pto_tile_desc* out);

// The same as the C API takes it, where an extent of 0 is one that was left out.
pto_tile_desc Asked(const pto_tile_desc& desc);

// The geometry of a tile that is there.
pto_tile_desc DescOf(const pto_tile* tile);

// The part of a tile from a row and a column on. sizes: its rows and columns; nullptr: all that follow. `valid` are its
// valid extents; nullptr: as much as is valid in the tile. If the part is refused, the context has the error.
pto_tile* TilePart(pto_context* ctx, pto_tile* tile, int64_t row, int64_t col, const int64_t* sizes,
                   const int64_t* valid);

// The valid extents of a tile that shares the memory of `from` and has another type. A `?` is what the source has, as
// far as the new tile reaches.
void SharedValid(const Type& type, const pto_tile* from, int64_t* rows, int64_t* cols);

// The elements that a tile's storage has, and what an access at another place is refused with.
int64_t ElementsOf(const pto_tile* tile);
std::string OutsideOf(int64_t at, int64_t count);

// A scratch tile that the rules of an instruction accept for this dst, and whether the
// instruction needs one.
bool TmpDesc(const OpInfo& op, pto_profile profile, const pto_tile* dst, pto_tile_desc* out);

// A tile in which a merge counts, where the program has a vector.
void CountsDesc(pto_profile profile, pto_tile_desc* out);
// A column with an element for each valid row of `rows`.
void ColumnDesc(pto_profile profile, const pto_tile* rows, Elem elem, pto_tile_desc* out);

// The operands of an instruction in a statement, by the record: the tiles that it reads, of size 0 where there is
// none, a tensor as the tile that holds all of it; and the numbers of integers and modes.
struct Given {
  pto_tile_desc tiles[kMaxOperands] = {};
  int64_t numbers[kMaxOperands] = {};
};

// Describes a destination that the program does not, by what the sources hold. False: it does not exist, or would be
// too large.
bool DestinationDesc(const OpInfo& op, int index, pto_profile profile, const Given& given, pto_tile_desc* out);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_TILE_DESC_H_
