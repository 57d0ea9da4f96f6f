// A call whose operands are rows of different kinds, while it is laid out: each operand becomes a plane of rows, in
// its own memory where that is one, else in scratch.
#ifndef PTO_SRC_ENGINE_ROWS_H_
#define PTO_SRC_ENGINE_ROWS_H_

#include <bit>
#include <cstdint>

#include "src/engine/execute.h"
#include "src/engine/row_walks.h"

namespace pto {

inline bool HasRows(const pto_tile& tile) { return tile.layout.RowsContiguous() && !tile.layout.Boxed(); }

// A call while it is laid out.
class Rows {
 public:
  Rows(pto_context* ctx, const OpInfo& op, const Args& args) : ctx_(ctx), op_(op), args_(args) {}

  // Gives each operand its plane, with `direct` where it lies, and the engine `room` bytes. All memory first: after
  // this nothing fails.
  Status Place(int64_t room, bool direct) {
    int64_t need = RoundUp(room, 64);
    const int count = op_.Needed();
    for (int i = 0; i < count && direct; ++i) planes_[i] = InPlace(Tile(i));
    for (int i = 0; i < count && !direct; ++i) {
      if (IsTensor(op_.operands[i].role)) {
        planes_[i] = {};
      } else {
        need += Plan(i);
      }
    }
    uint8_t* scratch = nullptr;
    const Status status = TakeScratch(ctx_, op_, need, &scratch);
    if (status != Status::kOk) return status;
    room_ = scratch;
    scratch += RoundUp(room, 64);
    for (int i = 0; i < count && !direct; ++i) {
      RowPlane& plane = planes_[i];
      if (plane.bytes == 0) continue;
      // Unwritten elements stay what they were.
      PackRows(*ctx_, Tile(i), scratch);
      plane.data = scratch;
      scratch += plane.bytes;
    }
    if (op_.ScalarIndex() >= 0) ScalarBits(*args_.scalar, ScalarType(op_, ctx_->profile, args_.tiles), &scalar_);
    return Status::kOk;
  }

  void Finish() {
    for (int i = 0; i < op_.Outputs(); ++i) {
      if (planes_[i].unpack) UnpackRows(*ctx_, planes_[i].data, *args_.tiles[i]);
    }
  }

  const pto_tile& Tile(int i) const { return *args_.tiles[i]; }
  const pto_tensor& Tensor() const { return *args_.tensor; }
  const pto_tile& Lead() const { return Tile(op_.lead); }
  const RowPlane& At(int i) const { return planes_[i]; }
  // The source after the output of the engine, k-th; or the scalar where there is no such tile.
  const uint8_t* Source(int i, ptrdiff_t* line, int32_t* step) const {
    *line = 0;
    *step = 0;
    if (i >= op_.Needed()) return reinterpret_cast<const uint8_t*>(&scalar_);
    if (op_.operands[i].extent == Extent::kFirst) return planes_[i].data;
    *line = planes_[i].line;
    *step = 1;
    return planes_[i].data;
  }
  size_t Lines() const { return static_cast<size_t>(Lead().ValidRows()); }
  size_t Count() const { return static_cast<size_t>(Lead().ValidCols()); }
  int Target() const { return ctx_->target; }
  pto_context* Context() const { return ctx_; }
  const KernelTable& Kernels() const { return *ctx_->kernels; }
  const Shuffles& ShufflesOf(int bytes) const { return Kernels().ShufflesOf(bytes); }
  const Kernel& KernelOf(Lane lane, DType dtype) const {
    return Kernels().at[static_cast<int>(lane)][static_cast<int>(dtype)];
  }
  const CompareKernel& CompareOf(Compare mode, DType dtype) const {
    return Kernels().compares[static_cast<int>(mode)][static_cast<int>(dtype)];
  }
  const SelectKernel& SelectOf(int bytes) const {
    return Kernels().selects[std::countr_zero(static_cast<unsigned>(bytes))];
  }
  uint8_t* Room() const { return room_; }
  uint64_t ScalarValue() const { return scalar_; }
  const int32_t* Numbers() const { return args_.numbers; }
  // The one integer.
  int32_t Integer() const { return args_.numbers[op_.NumberOf(op_.Find(Role::kInt))]; }
  int32_t Number(const ModeInfo& mode) const { return NumberOf(op_, args_.numbers, mode); }
  void RunWalk() const { RunRowWalk(ctx_, op_, args_.numbers, args_.tiles, planes_[0], planes_[1]); }

 private:
  // Bytes of scratch that an operand takes.
  int64_t Plan(int i) {
    const pto_tile& tile = Tile(i);
    RowPlane& plane = planes_[i];
    const bool written = IsWritten(op_.operands[i].role);
    const bool vector = op_.operands[i].extent == Extent::kRowResults && IsColumnVector(tile);
    bool scratch = !vector && !HasRows(tile);
    // Sources stay what they were while anything is written.
    scratch |= args_.tensor != nullptr && Overlap(tile, *args_.tensor);
    // An output may be a source only element by element, and where the kernel reads before it writes.
    for (int k = 0; k < op_.Outputs() && !written; ++k) {
      if (IsTensor(op_.operands[k].role)) continue;
      const bool beside = op_.operands[i].extent == Extent::kSame || op_.operands[i].extent == Extent::kPart;
      const bool same = beside && !op_.Shuffles() && op_.operands[k].extent == Extent::kSame && Pair(i, k) &&
                        SameElements(Tile(k), tile) && Tile(k).ElementBytes() == tile.ElementBytes();
      scratch |= !same && !Apart(Tile(k), tile);
    }
    plane = InPlace(tile);
    if (!scratch) return 0;
    plane.line = plane.step = tile.ValidCols();
    plane.bytes = RoundUp(std::max<int64_t>(tile.ValidBytes(), 1), 64);
    plane.unpack = written;
    return plane.bytes;
  }

  // An input beside an output of values or indices is of the same kind.
  bool Pair(int source, int output) const {
    return op_.walk != Walk::kPartialArg || (source - op_.Outputs()) / 2 == output;
  }

  pto_context* ctx_;
  const OpInfo& op_;
  const Args& args_;
  RowPlane planes_[kMaxTiles];  // what Place() does not set is not read: cleared, they cost as much as a check
  uint64_t scalar_ = 0;
  uint8_t* room_ = nullptr;
};

}  // namespace pto

#endif  // PTO_SRC_ENGINE_ROWS_H_
