// How an intrinsic becomes a call of the C interface, and what the compiler checks of its operands.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_ISSUE_HPP_
#define PTO_PTO_ISSUE_HPP_

#include <cstring>

#include "pto/pto-sync.hpp"
#include "pto/pto-tensor.hpp"
#include "pto/pto-tile.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

template <typename T_, bool = kIsTile<T_>>
inline constexpr bool kIsAcc = false;
template <typename T_>
inline constexpr bool kIsAcc<T_, true> = T_::Loc == TileType::Acc;

// Represents a tmp tile that is left out.
struct NoTile {
  static pto_tile* handle() { return nullptr; }
};

// Arguments other than handles are passed to the C interface unchanged.
template <typename T_>
struct Value {
  T_ value;
  T_ handle() const { return value; }
};

// A scalar as the bits of an element.
template <typename T_>
inline Value<pto_scalar> ScalarOf(const T_& element) {
  static_assert(sizeof(T_) <= sizeof(uint64_t), "a scalar is an element [scalar-kind]");
  uint64_t bits = 0;
  std::memcpy(&bits, &element, sizeof element);  // the low bytes come first on every machine that runs this
  return {pto_bits(bits)};
}

// How the calling core rounds factors, in the width of the profile: Tile::SetMadTF32Mode().
inline Value<pto_mad> MadOfCore() {
  if ((core.control & kMadRounds) == 0) return {PTO_MAD_NONE};
  const bool away = (core.control & kMadAway) != 0;
  switch (pto_context_profile(CurrentContext())) {
    case PTO_PROFILE_A2A3:
      return {away ? PTO_MAD_HF32_ROUND : PTO_MAD_HF32_RINT};
    case PTO_PROFILE_CPU:
    case PTO_PROFILE_A5:
      break;
  }
  return {away ? PTO_MAD_TF32_ROUND : PTO_MAD_TF32_RINT};
}

// A struct of 16-bit words that an instruction writes, as the tile of one row that it is.
class WordTile {
 public:
  WordTile(void* words, size_t bytes) {
    pto_tile_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = PTO_DTYPE_U16;
    desc.rows = 1;
    desc.valid_cols = static_cast<int32_t>(bytes / sizeof(uint16_t));
    desc.valid_rows = 1;
    // A2A3 and A5 have rows of 32 bytes.
    desc.cols = static_cast<int32_t>(sizeof padded_ / sizeof(uint16_t));
    words_ = words;
    bytes_ = bytes;
    std::memcpy(padded_, words, bytes);
    pto_context* const ctx = CurrentContext();
    handle_ = ctx == nullptr ? nullptr : pto_tile_wrap(ctx, &desc, padded_, sizeof padded_);
  }
  ~WordTile() {
    std::memcpy(words_, padded_, bytes_);
    pto_tile_release(handle_);
  }
  WordTile(const WordTile&) = delete;
  WordTile& operator=(const WordTile&) = delete;
  pto_tile* handle() const { return handle_; }

 private:
  alignas(32) unsigned char padded_[32] = {};
  void* words_;
  size_t bytes_;
  pto_tile* handle_;
};
template <typename T_>
inline WordTile Words(T_& words) {
  static_assert(sizeof(T_) <= 32 && std::is_trivially_copyable_v<T_>, "words of a row of 32 bytes [operand-kind]");
  return WordTile(&words, sizeof words);
}

// A tile without storage, whose making has been complained of.
template <typename T_>
bool IsMissing(const T_& operand) {
  return operand.handle() == nullptr;
}
inline bool IsMissing(const NoTile& /*operand*/) { return false; }
template <typename T_>
bool IsMissing(const Value<T_>& /*operand*/) {
  return false;
}

// Whether a function of the C interface accepts the handles of such operands; if not, an assertion has the reason.
template <typename Function, typename Void, typename... Operands>
struct Takes : std::false_type {};
template <typename Function, typename... Operands>
struct Takes<
    Function,
    std::void_t<decltype(std::declval<Function*>()(nullptr, std::declval<const Operands&>().handle()..., uint32_t{}))>,
    Operands...> : std::true_type {};

template <typename Function>
inline constexpr size_t kParameters = 0;
template <typename... Parameters>
inline constexpr size_t kParameters<pto_status(Parameters...)> = sizeof...(Parameters);

inline Given GivenOf(pto_tile* tile) { return {Given::Kind::kTile, false, tile, nullptr, 0}; }
inline Given GivenOf(pto_tensor* tensor) { return {Given::Kind::kTensor, false, nullptr, tensor, 0}; }
inline Given GivenOf(pto_scalar scalar) { return {Given::Kind::kScalar, false, nullptr, nullptr, scalar.bits}; }
template <typename T_, std::enable_if_t<std::is_integral_v<T_> || std::is_enum_v<T_>, int> = 0>
inline Given GivenOf(T_ number) {
  return {Given::Kind::kNumber, false, nullptr, nullptr, static_cast<uint64_t>(static_cast<int64_t>(number))};
}
template <typename T_>
inline Given GivenBy(const T_& operand) {
  Given given = GivenOf(operand.handle());
  given.passing = std::is_same_v<T_, WordTile>;
  return given;
}

// The same as Issue(), and a follower gets the call.
template <typename Function, typename... Operands>
[[gnu::cold, gnu::noinline]] inline pto_status IssueFollowed(Function* function, pto_context* ctx, uint32_t flags,
                                                             const Operands&... operands) {
  const Given given[] = {GivenBy(operands)...};
  // Errors of the follower are known already.
  if (!follower->Before(reinterpret_cast<void (*)()>(function), flags, given, sizeof...(Operands))) return PTO_OK;
  const pto_status status = function(ctx, operands.handle()..., flags);
  if (status == PTO_OK) follower->After();
  return status;
}

// Calls a function of the C interface with the handles of the operands.
template <typename Function, typename... Operands>
inline RecordEvent Issue(Function* function, uint32_t flags, const Operands&... operands) {
  // Covers the context and the flags, too. Without this a missing operand would neither call nor fail.
  static_assert(kParameters<Function> == sizeof...(Operands) + 2, "an intrinsic has the operands of its function");
  if constexpr (Takes<Function, void, Operands...>::value) {
    pto_context* ctx = context;
    const bool slow = __builtin_expect(ctx == nullptr, 0);  // the thread's first instruction, or one that is followed
    if (slow) ctx = FindContext();
#if defined(PTO_NO_EXCEPTIONS)
    // The handler has been called already.
    if (ctx == nullptr || (IsMissing(operands) || ...)) return {};
#endif
    if (slow && follower != nullptr) {
      if (IssueFollowed(function, ctx, flags, operands...) != PTO_OK) RaiseFrom(ctx);
      return {};
    }
    if (__builtin_expect(function(ctx, operands.handle()..., flags) != PTO_OK, 0)) {
      RaiseFrom(ctx);
      return {};
    }
  }
  return {};
}

template <typename T_, bool = kIsTile<T_>>
inline constexpr bool kIsVec = false;
template <typename T_>
inline constexpr bool kIsVec<T_, true> = T_::Loc == TileType::Vec;

// The mode of a move from an accumulator: the last operand, if there is one.
inline int LaneMode(const Value<pto_acc_to_vec>& mode) { return mode.value; }
template <typename T_>
int LaneMode(const T_& /*operand*/) {
  return PTO_ACC_TO_VEC_SINGLE_MODE_VEC0;
}

// A tile at the same place in the memory of another core.
template <typename Dst>
class TileThere {
 public:
  TileThere(pto_context* there, int64_t offset, const Dst& dst) {
    const int64_t start = StartOf(there, Dst::Desc());
    if (start == 0) return;
    pto_tile_desc desc = Dst::Desc();
    desc.struct_size = sizeof desc;
    const int32_t rows = pto_tile_valid_rows(dst.handle());
    const int32_t cols = pto_tile_valid_cols(dst.handle());
    desc.valid_rows = rows == 0 ? PTO_VALID_NONE : rows;
    desc.valid_cols = cols == 0 ? PTO_VALID_NONE : cols;
    pto_context* const ctx = CurrentContext();
    // A window may have fewer rows than its type; what is not valid is not touched.
    const int64_t bytes = pto_tile_bytes(dst.handle());
    constexpr int64_t kBytes = Dst::GetSizeInBytes();
    handle_ = pto_tile_wrap(ctx, &desc, reinterpret_cast<void*>(static_cast<uintptr_t>(start + offset)),
                            bytes < kBytes ? kBytes : bytes);
    if (handle_ == nullptr) RaiseFrom(ctx);
  }
  ~TileThere() { pto_tile_release(handle_); }
  TileThere(const TileThere&) = delete;
  TileThere& operator=(const TileThere&) = delete;
  pto_tile* handle() const { return handle_; }

 private:
  pto_tile* handle_ = nullptr;
};

// A move of a window, with the ReLU of a move.
template <typename Src>
inline RecordEvent IssueWindow(uint32_t flags, const Value<pto_tile*>& dst, const Src& src, int32_t row, int32_t col,
                               const Value<pto_relu>& relu, const Value<pto_acc_to_vec>& /*split*/) {
  return Issue(pto_textract_acc, flags, dst, src, Value<int32_t>{row}, Value<int32_t>{col}, relu,
               Value<pto_acc_to_vec>{PTO_ACC_TO_VEC_SINGLE_MODE_VEC0});
}

// Sums of a cube core that leave it for vector memory. Vector cores have that memory: one of them receives the sums, or
// each of them its half. A tile without an address stays with the cube core.
template <typename Function, typename Dst, typename Src, typename... Operands>
[[gnu::cold, gnu::noinline]] inline RecordEvent IssueToVectorCores(Function* function, uint32_t flags, const Dst& dst,
                                                                   const Src& src, const Operands&... operands) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr || dst.handle() == nullptr || src.handle() == nullptr) return {};
  const int64_t start = StartOf(ctx, Dst::Desc());
  if (start == 0) return {};
  const int64_t offset = int64_t{reinterpret_cast<intptr_t>(pto_tile_data(dst.handle()))} - start;
  if (offset < 0 || offset >= pto_context_capacity(ctx, PTO_LOCATION_VEC)) {
    return Issue(function, flags, dst, src, operands...);
  }
  int mode = PTO_ACC_TO_VEC_SINGLE_MODE_VEC0;
  ((mode = LaneMode(operands)), ...);
  const bool both = mode >= PTO_ACC_TO_VEC_DUAL_MODE_SPLIT_M;
  const int first = mode == PTO_ACC_TO_VEC_SINGLE_MODE_VEC1 ? 1 : 0;
  const int last = both ? 1 : first;
  if (siblings->VectorCore(last) == nullptr) {
    Raise(PTO_ERROR_PROGRAM, "pipe-sides", "accToVecMode", "a second vector core where there is one",
          "Launch two vector cores.");
    return {};
  }
  for (int lane = first; lane <= last; ++lane) {
    const TileThere<Dst> tile(siblings->VectorCore(lane), offset, dst);
    const Value<pto_tile*> there{tile.handle()};
    if (there.value == nullptr) return {};
    if constexpr (std::is_same_v<Function, decltype(pto_tmov_acc)>) {
      // A move gives the second core its half as a window does.
      const int32_t rows = pto_tile_valid_rows(there.value);
      const int32_t cols = pto_tile_valid_cols(there.value);
      const bool by_rows = mode == PTO_ACC_TO_VEC_DUAL_MODE_SPLIT_M && rows * 2 == pto_tile_valid_rows(src.handle());
      const bool by_cols = mode == PTO_ACC_TO_VEC_DUAL_MODE_SPLIT_N && cols * 2 == pto_tile_valid_cols(src.handle());
      if (lane > first && (by_rows || by_cols)) {
        return IssueWindow(flags, there, src, by_rows ? rows : 0, by_cols ? cols : 0, operands...);
      }
    }
    Issue(function, flags, there, src, operands...);
  }
  return {};
}

// Issue() of an instruction that moves a tile.
template <typename Function, typename Dst, typename Src, typename... Operands>
inline RecordEvent IssueMove(Function* function, uint32_t flags, const Dst& dst, const Src& src,
                             const Operands&... operands) {
  if constexpr (kIsVec<Dst> && kIsAcc<Src>) {
    if (siblings != nullptr && siblings->VectorCore(0) != nullptr) {
      return IssueToVectorCores(function, flags, dst, src, operands...);
    }
  }
  return Issue(function, flags, dst, src, operands...);
}

// Returns the flags of an instruction that exists in two precisions.
template <typename Algorithm, auto PrecisionType>
constexpr uint32_t FlagsOf() {
  static_assert(
      std::is_same_v<decltype(PrecisionType), Algorithm> || std::is_same_v<decltype(PrecisionType), const Algorithm>,
      "PrecisionType is a value of the instruction's own Algorithm enumeration [flags]");
  return PrecisionType == Algorithm::HIGH_PRECISION ? PTO_HIGH_PRECISION : 0;
}

// Tiles that take less than their valid region holds: what TLOAD and TMOV bring them may be a part.
template <typename T_, bool = kIsTile<T_>>
inline constexpr bool kTakesLess = false;
template <typename T_>
inline constexpr bool kTakesLess<T_, true> =
    T_::Loc == TileType::Mat || T_::Loc == TileType::Bias || T_::Loc == TileType::Scaling;

// While it lives, dst is valid only where src has elements. TLOAD pads the rest of a tile, TMOV leaves it alone.
template <typename Dst, typename Src>
class Lesser {
 public:
  Lesser(Dst& dst, const Src& src) : dst_(dst) {
    if constexpr (kTakesLess<Dst> && (kIsTile<Src> || kIsTensor<Src>)) {
      rows_ = static_cast<int32_t>(dst.GetValidRow());
      cols_ = static_cast<int32_t>(dst.GetValidCol());
      int64_t rows = 0;
      int64_t cols = 0;
      if constexpr (kIsTensor<Src>) {
        const int64_t shape[] = {src.GetShape(0), src.GetShape(1), src.GetShape(2), src.GetShape(3), src.GetShape(4)};
        rows = ProductOf(shape, RowDims(Src::layout));
        cols = ProductOf(shape, ~RowDims(Src::layout));
      } else {
        rows = static_cast<int64_t>(src.GetValidRow());
        cols = static_cast<int64_t>(src.GetValidCol());
      }
      if (rows >= rows_ && cols >= cols_) return;
      less_ = true;
      SetValid(rows < rows_ ? static_cast<int32_t>(rows) : rows_, cols < cols_ ? static_cast<int32_t>(cols) : cols_);
    }
  }
  ~Lesser() {
    if (less_) SetValid(rows_, cols_);
  }
  Lesser(const Lesser&) = delete;
  Lesser& operator=(const Lesser&) = delete;

 private:
  void SetValid(int32_t rows, int32_t cols) {
    pto_context* const ctx = CurrentContext();
    if (ctx != nullptr) pto_tile_set_valid(ctx, dst_.handle(), rows, cols);
  }

  Dst& dst_;
  int32_t rows_ = 0;
  int32_t cols_ = 0;
  bool less_ = false;
};

template <typename... Events>
inline constexpr bool kAreEvents = (kIsEvent<Events> && ...);

// What the checks know of an operand. An operand that is neither tile nor tensor fails one check, and passes the checks
// that follow.
struct Operand {
  bool tile = false;
  bool tensor = false;
  bool writable = true;
  bool vec = true;
  int dtype = kNoDType;
  int64_t half_bytes = 0;  // an element takes
  int64_t rows = DYNAMIC;  // of a tensor: of the matrix that transfers see
  int64_t cols = DYNAMIC;
  // Scalars of a column-expanding instruction are in row 0, or in a column-major tile of one column.
  int scalar_rows = DYNAMIC;
  int scalars = DYNAMIC;
};

template <typename T_>
constexpr Operand Describe() {
  Operand operand;
  if constexpr (kIsTile<T_>) {
    constexpr bool kDown = !T_::isRowMajor && !T_::isBoxedLayout && T_::Cols == 1;
    operand.tile = true;
    operand.writable = !std::is_const_v<T_>;
    operand.vec = T_::Loc == TileType::Vec;
    operand.dtype = DTypeOf<typename T_::DType>();
    operand.half_bytes = Elements<typename T_::DType>::Bytes(2);
    operand.rows = T_::ValidRow;
    operand.cols = T_::ValidCol;
    operand.scalar_rows = kDown ? T_::ValidCol : T_::ValidRow;
    operand.scalars = kDown ? T_::ValidRow : T_::ValidCol;
  } else if constexpr (kIsTensor<T_>) {
    operand.tensor = true;
    operand.writable = !std::is_const_v<typename T_::DType>;
    operand.dtype = DTypeOf<typename T_::RawDType>();
    operand.half_bytes = Elements<typename T_::RawDType>::Bytes(2);
    operand.rows = T_::kMatrixRows;
    operand.cols = T_::kMatrixCols;
  }
  return operand;
}

constexpr bool IsKnown(Operand a) { return a.tile || a.tensor; }
constexpr bool IsAmong(Operand a, uint32_t dtypes) { return !IsKnown(a) || (1U << a.dtype & dtypes) != 0; }
constexpr bool SameDType(Operand a, Operand b) { return !IsKnown(a) || !IsKnown(b) || a.dtype == b.dtype; }
// Both are among types that mix.
constexpr bool Mixed(Operand a, Operand b, uint32_t dtypes) { return IsAmong(a, dtypes) && IsAmong(b, dtypes); }
constexpr bool Narrows(Operand from, Operand to) {
  return from.dtype == PTO_DTYPE_F32 && (to.dtype == PTO_DTYPE_F16 || to.dtype == PTO_DTYPE_BF16);
}
constexpr bool SameWidth(Operand a, Operand b) { return !IsKnown(a) || !IsKnown(b) || a.half_bytes == b.half_bytes; }

// Extents that are known only at run time may turn out well: the library looks at them then.
constexpr bool MayEqual(int64_t a, int64_t b) { return a == DYNAMIC || b == DYNAMIC || a == b; }
constexpr bool MayReach(int64_t a, int64_t least) { return a == DYNAMIC || least == DYNAMIC || a >= least; }

constexpr bool MayMatch(Operand a, Operand b) { return MayEqual(a.rows, b.rows) && MayEqual(a.cols, b.cols); }
constexpr bool MayCover(Operand dst, Operand scalars) {
  return scalars.scalar_rows != 0 && MayReach(scalars.scalars, dst.cols);
}
constexpr bool MayLieInside(Operand dst, Operand src) {
  return MayReach(dst.rows, src.rows) && MayReach(dst.cols, src.cols);
}
constexpr bool IsEmpty(Operand dst) { return dst.rows == 0 || dst.cols == 0; }

}  // namespace pto_detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_ISSUE_HPP_
