// How an intrinsic becomes a call of the C interface, and what the compiler checks of its operands.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_ISSUE_HPP_
#define PTO_PTO_ISSUE_HPP_

#include "pto/pto-sync.hpp"
#include "pto/pto-tensor.hpp"
#include "pto/pto-tile.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace detail {

// Stands for a tmp tile that is not given.
struct NoTile {
  static pto_tile* handle() { return nullptr; }
};

// Calls a function of the C interface with the handles of the operands.
template <typename Function, typename... Operands>
inline RecordEvent Issue(Function* function, uint32_t flags, const Operands&... operands) {
  pto_context* const ctx = CurrentContext();
#if defined(PTO_NO_EXCEPTIONS)
  // The handler was told already.
  if (ctx == nullptr || ((!std::is_same_v<Operands, NoTile> && operands.handle() == nullptr) || ...)) return {};
#endif
  if (__builtin_expect(function(ctx, operands.handle()..., flags) != PTO_OK, 0)) RaiseFrom(ctx);
  return {};
}

// Answers the flags of an instruction that comes in two precisions.
template <typename Algorithm, auto PrecisionType>
constexpr uint32_t FlagsOf() {
  static_assert(
      std::is_same_v<decltype(PrecisionType), Algorithm> || std::is_same_v<decltype(PrecisionType), const Algorithm>,
      "PrecisionType is a value of the instruction's own Algorithm enumeration [flags]");
  return PrecisionType == Algorithm::HIGH_PRECISION ? PTO_HIGH_PRECISION : 0;
}

template <typename... Events>
inline constexpr bool kAreEvents = (kIsEvent<Events> && ...);

// What the checks want to know of an operand. What is neither tile nor tensor is told so once, and passes
// the checks that follow.
template <typename T, int = kIsTile<T>     ? 1
                            : kIsTensor<T> ? 2
                                           : 0>
struct Operand {
  static constexpr bool kTile = false;
  static constexpr bool kTensor = false;
  static constexpr bool kWritable = true;
  static constexpr bool kVec = true;
  static constexpr int kRows = DYNAMIC;
  static constexpr int kCols = DYNAMIC;
  static constexpr int kScalarRows = DYNAMIC;
  static constexpr int kScalars = DYNAMIC;
  static constexpr int64_t kCount = DYNAMIC;
};
template <typename T>
struct Operand<T, 1> : Operand<void, 0> {
  using DType = typename T::DType;
  static constexpr bool kTile = true;
  static constexpr bool kWritable = !std::is_const_v<T>;
  static constexpr bool kVec = T::Loc == TileType::Vec;
  static constexpr int kRows = T::ValidRow;
  static constexpr int kCols = T::ValidCol;
  // Scalars of a column-expanding instruction stand in row 0, or down a column-major tile of one column.
  static constexpr bool kDown = !T::isRowMajor && !T::isBoxedLayout && T::Cols == 1;
  static constexpr int kScalarRows = kDown ? kCols : kRows;
  static constexpr int kScalars = kDown ? kRows : kCols;
  static constexpr int64_t kCount = kRows == DYNAMIC || kCols == DYNAMIC ? DYNAMIC : int64_t{kRows} * kCols;
};
template <typename T>
struct Operand<T, 2> : Operand<void, 0> {
  using DType = typename T::RawDType;
  static constexpr bool kTensor = true;
  static constexpr bool kWritable = !std::is_const_v<typename T::DType>;
  static constexpr int64_t kCount = T::kCount;
};

template <typename T>
inline constexpr bool kKnown = Operand<T>::kTile || Operand<T>::kTensor;

template <typename A, typename B>
constexpr bool SameDType() {
  if constexpr (kKnown<A> && kKnown<B>) {
    return DTypeOf<typename Operand<A>::DType>() == DTypeOf<typename Operand<B>::DType>();
  }
  return true;
}

template <typename A, typename B>
constexpr bool SameWidth() {
  if constexpr (kKnown<A> && kKnown<B>) {
    return sizeof(typename Operand<A>::DType) == sizeof(typename Operand<B>::DType);
  }
  return true;
}

template <typename T>
constexpr bool IsAmong(uint32_t dtypes) {
  if constexpr (kKnown<T>) return (DTypeBit<typename Operand<T>::DType>() & dtypes) != 0;
  return true;
}

// Extents that are known only at run time may turn out well: the library looks at them then.
constexpr bool MayEqual(int64_t a, int64_t b) { return a == DYNAMIC || b == DYNAMIC || a == b; }
constexpr bool MayReach(int a, int least) { return a == DYNAMIC || least == DYNAMIC || a >= least; }

template <typename A, typename B>
inline constexpr bool kMayMatch = MayEqual(Operand<A>::kRows, Operand<B>::kRows) &&
                                  MayEqual(Operand<A>::kCols, Operand<B>::kCols);

template <typename Dst, typename Scalars>
inline constexpr bool kMayCover = Operand<Scalars>::kScalarRows != 0 &&
                                  MayReach(Operand<Scalars>::kScalars, Operand<Dst>::kCols);

template <typename A, typename B>
inline constexpr bool kMayFill = MayEqual(Operand<A>::kCount, Operand<B>::kCount);

template <typename Dst, typename Src>
inline constexpr bool kMayLieInside = MayReach(Operand<Dst>::kRows, Operand<Src>::kRows) &&
                                      MayReach(Operand<Dst>::kCols, Operand<Src>::kCols);

}  // namespace detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_ISSUE_HPP_
