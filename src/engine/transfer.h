// Moving elements between a tensor and a rectangle of some layout.
#ifndef PTO_SRC_ENGINE_TRANSFER_H_
#define PTO_SRC_ENGINE_TRANSFER_H_

#include <cstdint>

#include "src/engine/rearrange.h"
#include "src/objects/tensor.h"

namespace pto {

// The tile side of a transfer: element (r, c) is at data + layout.Offset(r, c).
struct TileSide {
  uint8_t* data;
  Layout layout;
  int32_t rows;
  int32_t cols;
};

// The tensor side.
struct TensorSide {
  uint8_t* data;
  const MatrixView* view;
};

// Copies element (r, c) of the matrix of one side to the other side, for the rows and
// columns of the tile. Precondition: the tensor's matrix has at least that number of both, the
// sides share no byte, and no two elements of what is written share a place.
void CopyToTile(const Mover& mover, const TileSide& tile, const TensorSide& tensor);
void CopyToTensor(const Mover& mover, const TensorSide& tensor, const TileSide& tile);

}  // namespace pto

#endif  // PTO_SRC_ENGINE_TRANSFER_H_
