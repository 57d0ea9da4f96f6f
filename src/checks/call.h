// A call of an instruction and the facts about its operands that checks and engines read.
#ifndef PTO_SRC_CHECKS_CALL_H_
#define PTO_SRC_CHECKS_CALL_H_

#include <bit>
#include <cstdint>
#include <limits>

#include "src/kernels/unroll.h"
#include "src/objects/context.h"
#include "src/objects/scalar.h"
#include "src/objects/tensor.h"
#include "src/objects/tile.h"
#include "src/records/op_info.h"

namespace pto {

// What a call brings besides its context. Tiles in the order of the record's operands: outputs,
// sources, tmp; absent ones are nullptr, and so is the place of a tensor.
struct Args {
  pto_tile* const* tiles;
  uint32_t flags = 0;
  pto_tensor* tensor = nullptr;
  const Scalar* scalar = nullptr;
  const int32_t* numbers = nullptr;  // integers and modes, in the order of the operands
};

// A call's value of a mode of its record. With the record known this is a load or a constant.
[[gnu::always_inline]] inline int32_t NumberOf(const OpInfo& op, const int32_t* numbers, const ModeInfo& mode,
                                               int32_t otherwise = 0) {
  int n = 0;
  PTO_UNROLL_WHOLE
  for (int i = 0; i < kMaxOperands; ++i) {
    const Operand& operand = op.operands[i];
    if (operand.mode == &mode) return numbers[n];
    n += operand.role == Role::kInt || operand.role == Role::kMode;
  }
  return otherwise;
}

// The value of a mode of a call, which is known; 0 where the instruction does not take it.
inline int32_t ModeOf(const OpInfo& op, const Args& args, const ModeInfo& mode) {
  return NumberOf(op, args.numbers, mode);
}

// What Execute() would answer, without running: src/checks/check.cc.
Status Check(pto_context* ctx, const OpInfo& op, const Args& args);

// The arithmetic of a call.
inline Lane LaneOf(const OpInfo& op, Profile profile, uint32_t flags) {
  return (flags & kHighPrecision) != 0 && op.Precise(profile) ? op.high_lane : op.lane;
}

// Whether a lane's results depend on how the thread rounds: integers are divided and raised to powers by floats.
constexpr bool Rounds(Lane lane, DType dtype) {
  switch (lane) {
    case Lane::kCopy:
    case Lane::kAnd:
    case Lane::kOr:
    case Lane::kXor:
    case Lane::kNot:
      return false;
    case Lane::kAdd:
    case Lane::kSub:
    case Lane::kMul:
    case Lane::kMin:
    case Lane::kMax:
    case Lane::kNeg:
    case Lane::kAbs:
    case Lane::kRelu:
    case Lane::kSubRelu:
    case Lane::kAddAdd:
    case Lane::kSubAdd:
    case Lane::kPrelu:
    case Lane::kShl:
    case Lane::kShr:
      return (Bit(dtype) & dtypes::kFloats) != 0;
    default:
      return true;
  }
}

// The element type that a call's scalar is brought to.
inline DType ScalarType(const OpInfo& op, Profile profile, pto_tile* const* tiles) {
  const DType lead = tiles[op.lead]->dtype();
  if (op.ScalarIndex() < 0) return lead;
  const int like = op.like.at[op.ScalarIndex()];
  if (like < op.Needed()) return tiles[like]->dtype();
  return static_cast<DType>(
      std::countr_zero(op.operands[op.ScalarIndex()].types->of[static_cast<int>(profile)][static_cast<int>(lead)]));
}

// No byte of one tile is a byte of the other.
inline bool Apart(const pto_tile& x, const pto_tile& y) {
  const auto distance = static_cast<uint64_t>(y.data - x.data);
  return distance >= static_cast<uint64_t>(x.bytes) && 0 - distance >= static_cast<uint64_t>(y.bytes);
}

// The two share a byte; both are spans from first to last element.
inline bool Overlap(const pto_tile& tile, const pto_tensor& tensor) {
  const auto a = reinterpret_cast<uintptr_t>(tile.data);
  const auto b = reinterpret_cast<uintptr_t>(tensor.data);
  return a < b + static_cast<uint64_t>(tensor.bytes) && b < a + static_cast<uint64_t>(tile.bytes);
}

// A TSTORE that adds to what is there: kAtomicMode is the first of the numbers.
inline bool Adds(const OpInfo& op, const Args& args) {
  return op.walk == Walk::kStore && op.lane == Lane::kAdd && args.numbers[0] == kAtomicAdd;
}

// Into how many parts a move from an accumulator splits its rows and columns, one for each vector core: kAccToVecMode.
struct AccSplit {
  int32_t rows = 1;
  int32_t cols = 1;
  int32_t parts() const { return rows * cols; }
};
inline AccSplit SplitOf(const OpInfo& op, const Args& args) {
  // Windows are what their dst is valid in, and words of quantisation exclude a split.
  if (op.Has(Extent::kWindow) || op.ScalarIndex() >= 0 || op.Has(Extent::kRow)) return {};
  // Only vector cores receive parts.
  if (args.tiles[0]->geometry.location != Location::kVec) return {};
  const int32_t mode = ModeOf(op, args, kAccToVecMode);
  return {mode == kAccSplitRows ? 2 : 1, mode == kAccSplitCols ? 2 : 1};
}

// Element (r, c) of one tile is element (r, c) of the other.
inline bool SameElements(const pto_tile& x, const pto_tile& y) {
  return x.data == y.data && x.kind == y.kind && x.layout == y.layout;
}

// A vector, one element per column or per row, that fills one column.
inline bool IsColumnVector(const pto_tile& tile) {
  return tile.geometry.blayout == BLayout::kColMajor && tile.geometry.slayout == SLayout::kNoneBox &&
         tile.geometry.cols == 1;
}

// The valid region of x is inside the valid region of y.
inline bool Within(const pto_tile& x, const pto_tile& y) {
  return x.ValidRows() <= y.ValidRows() && x.ValidCols() <= y.ValidCols();
}

// Rows or columns that TROWARGMAX and its kin number, and whether a type has all their numbers.
inline int32_t PlacesOf(const OpInfo& op, const pto_tile& lead) {
  return op.operands[0].extent == Extent::kRowResults ? lead.ValidCols() : lead.ValidRows();
}
constexpr bool HoldsPlaces(DType dtype, int32_t count) {
  return count <= (dtype == DType::kI16   ? 1 << 15
                   : dtype == DType::kU16 ? 1 << 16
                                          : std::numeric_limits<int32_t>::max());
}

// Whether a number of valid rows, or columns, fits beside the lead operand's.
[[gnu::always_inline]] inline bool Fits(Fit fit, int32_t lead, int32_t has, const pto_tile& tile) {
  switch (fit) {
    case Fit::kAny:
      return true;
    case Fit::kSome:
      return has > 0;
    case Fit::kEqual:
      return has == lead;
    case Fit::kAtLeast:
      return has >= lead;
    case Fit::kTwice:
      return has == int64_t{2} * lead;
    case Fit::kBits:
      return int64_t{has} * tile.ElementBytes() * 8 >= lead;
    default:
      return false;
  }
}

// How a product of matrices rounds its factors: the only number that one may take.
inline Mad MadOf(const Args& args) { return args.numbers == nullptr ? Mad::kNone : static_cast<Mad>(args.numbers[0]); }

}  // namespace pto

#endif  // PTO_SRC_CHECKS_CALL_H_
