// The tiles and views of a program as far as its text describes them, as handles of the C API. A check calls the same
// code as a run and gets the same results. It never reads what tiles hold, so they lie at addresses that no memory has:
// each value in a room of its own, parts and views in the room of what they show.
#ifndef PTO_SRC_PTOAS_MODEL_H_
#define PTO_SRC_PTOAS_MODEL_H_

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <unordered_map>

#include "include/pto_c.h"
#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

struct ReleaseTile {
  void operator()(pto_tile* tile) const { pto_tile_release(tile); }
};
struct ReleaseTensor {
  void operator()(pto_tensor* tensor) const { pto_tensor_release(tensor); }
};
using OwnTile = std::unique_ptr<pto_tile, ReleaseTile>;
using OwnTensor = std::unique_ptr<pto_tensor, ReleaseTensor>;

// How much of an operand the text determines.
struct Known {
  bool extents = true;   // every extent, and where parts begin
  bool layout = true;    // of views: the order of dimensions and their strides
  bool refused = false;  // the view in the text is wrong; the context's error has the reason
};

class Model {
 public:
  explicit Model(pto_context* ctx) : ctx_(ctx) {}

  // Tiles of this program are given other places, or have other valid regions set: where a tile lies, and what is valid
  // in it, depends on the way that leads to its use.
  void SetMoves() { moves_ = true; }
  void SetShapes() { shapes_ = true; }
  // For the next function.
  void Forget();

  // nullptr: the type is not known, or is not a type of tiles.
  OwnTile TileOf(const Value& value, Known* known) { return TileOf(value, known, 0); }
  // nullptr: the type is not known, or the view is refused.
  OwnTensor TensorOf(const Value& value, Known* known) { return TensorOf(value, known, 0); }
  // The part of a tile that a subset or subview makes at these offsets; nullptr: it is refused.
  OwnTile PartOf(const Stmt& def, pto_tile* whole, const int64_t* offsets, Known* known);
  // A tile in a room that nothing else has.
  OwnTile Scratch(const pto_tile_desc& desc);

  // Where only memory was missing, no handle does not mean that the program is wrong.
  template <class T>
  T* Made(T* handle) const {
    if (handle == nullptr && pto_context_error(ctx_) == PTO_ERROR_MEMORY) throw std::bad_alloc();
    return handle;
  }

  // The integers of some operands. False: the text does not have all of them.
  static bool Constants(std::span<const Operand> operands, int64_t* out);

 private:
  OwnTile TileOf(const Value& value, Known* known, int depth);
  OwnTensor TensorOf(const Value& value, Known* known, int depth);
  OwnTensor Wrap(const pto_tensor_desc& desc, Known* known);
  const Value& RootOf(const Value& value);
  uint64_t PlaceOf(const Value& shown);
  void* Room();

  pto_context* ctx_;
  uint64_t next_room_ = 0;
  bool moves_ = false;
  bool shapes_ = false;
  std::unordered_map<const Value*, uint64_t> places_;
  std::unordered_map<const Value*, const Value*> roots_;  // of what shares something
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_MODEL_H_
