// From types of the language to descriptors of the C API.
#ifndef PTO_SRC_PTOAS_TILE_DESC_H_
#define PTO_SRC_PTOAS_TILE_DESC_H_

#include <cstdint>

#include "include/pto_c.h"
#include "src/ops/op_info.h"
#include "src/ptoas/read/type.h"

namespace pto::ptoas {

// Elements of the one may stand where the program says the other: equal, or
// integers of one width, since iN has no sign of its own.
bool DTypeAgrees(Elem elem, pto_dtype dtype);

// The geometry of a tile type with these valid extents, under a profile: the
// hardware's order of the boxes of left tiles is its own. False: an element type that the
// library has not, or extents beyond 32 bits.
bool TileDesc(const Type& type, pto_profile profile, int64_t valid_rows, int64_t valid_cols, pto_tile_desc* out);

// The geometry of a tile that is there.
pto_tile_desc DescOf(const pto_tile* tile);

// A scratch tile that the rules of an instruction accept for this dst, and whether the
// instruction needs one.
bool TmpDesc(const OpInfo& op, pto_profile profile, const pto_tile* dst, pto_tile_desc* out);

// What a statement gives an instruction, by the record's operands: the tiles that it reads, of size 0 where there is
// none, a tensor as the tile that holds all of it; and the numbers of integers and modes.
struct Given {
  pto_tile_desc tiles[kMaxOperands] = {};
  int64_t numbers[kMaxOperands] = {};
};

// What a destination is that the text does not describe, by what the sources hold. False: there is none, or it would be
// too large.
bool DestinationDesc(const OpInfo& op, int index, pto_profile profile, const Given& given, pto_tile_desc* out);

// The layout of a view that a program names; of others nd.
pto_layout LayoutOf(std::string_view name);

// Dimensions and strides by index; `rank` of them.
pto_tensor_desc TensorDesc(pto_dtype dtype, pto_layout layout, int rank, const int64_t* dims, const int64_t* strides);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_TILE_DESC_H_
