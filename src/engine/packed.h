// Packed element types, two elements a byte: tiles and tensors hold them so, engines get them unpacked to a code a
// byte. The only file, with packed.cc, that knows what a half byte is.
#ifndef PTO_SRC_ENGINE_PACKED_H_
#define PTO_SRC_ENGINE_PACKED_H_

#include <cstdint>

#include "src/engine/execute.h"
#include "src/objects/context.h"

namespace pto {

// A descriptor of a tile whose lines do not begin and end with a byte, or of a view that begins inside of one: the
// field at fault and its value. nullptr where there is no such thing.
struct HalfByte {
  const char* field = nullptr;
  int64_t value = 0;
};
// For a tile: an unboxed one has lines of its own length, boxes have whole bytes.
HalfByte CutByTile(const Geometry& geometry);
// For a tensor: one of the dimensions with several elements has an even number of neighbours, and the others step by
// whole bytes.
HalfByte CutByTensor(const TensorShape& shape);

// The tile for an engine: itself or, of a packed type, *out, a tile of the same elements in the same places of scratch.
// nullptr when memory is out. A call may ask for one tile so.
const pto_tile* Unpacked(pto_context* ctx, const pto_tile& tile, pto_tile* out);

// The elements of the valid region row by row, each row from a byte of its own; the rest of the last byte is 0. False
// when memory is out.
int64_t DataBytes(const pto_tile& tile);
bool ReadTile(pto_context* ctx, const pto_tile& tile, void* data);
bool WriteTile(pto_context* ctx, const void* data, const pto_tile& tile);

// The same of a tensor: rows of the last dimension. Precondition of the move: its type is packed.
int64_t DataBytes(const TensorShape& shape);
void MoveElements(const pto_tensor& tensor, uint8_t* data, bool write);

// Any operand of a call is packed.
bool AnyPacked(const OpInfo& op, const Args& args);

// `run` with packed operands unpacked, and what it wrote packed. All are read first, so operands may share memory.
Status RunUnpacked(pto_context* ctx, const OpInfo& op, const Args& args,
                   Status (*run)(pto_context*, const OpInfo&, const Args&));

}  // namespace pto

#endif  // PTO_SRC_ENGINE_PACKED_H_
