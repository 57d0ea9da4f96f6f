// Tile: the operand of every instruction, its storage, valid region and elements, and TASSIGN.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_TILE_HPP_
#define PTO_PTO_TILE_HPP_

#include "pto/pto-context.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace detail {

// What the tiles of all types have in common: a handle that is made at the first use.
class TileBase {
 public:
  TileBase(const TileBase&) = delete;
  TileBase& operator=(const TileBase&) = delete;

 protected:
  TileBase(int32_t valid_rows, int32_t valid_cols) : valid_rows_(valid_rows), valid_cols_(valid_cols) {}
  TileBase(TileBase&& other) noexcept
      : handle_(other.handle_), data_(other.data_), valid_rows_(other.valid_rows_), valid_cols_(other.valid_cols_) {
    other.handle_ = nullptr;
    other.data_ = nullptr;
  }
  ~TileBase() {
    if (handle_ != nullptr) pto_tile_release(handle_);
  }

  // The handle; where there are no exceptions nullptr after an error.
  [[gnu::cold, gnu::noinline]] pto_tile* Make(pto_tile_desc desc, bool manual) const {
    pto_context* const ctx = CurrentContext();
    if (ctx == nullptr) return nullptr;
    if (valid_rows_ < 0 || valid_cols_ < 0) {
      RaiseUnset(desc.rows, desc.cols);
      return nullptr;
    }
    desc.struct_size = sizeof(desc);
    desc.valid_rows = valid_rows_;
    desc.valid_cols = valid_cols_;
    desc.storage = manual ? PTO_STORAGE_MANUAL : PTO_STORAGE_OWNED;
    handle_ = pto_tile_create_from(ctx, &desc);
    if (handle_ == nullptr) RaiseFrom(ctx);
    data_ = pto_tile_data(handle_);
    return handle_;
  }

  void RaiseUnset(int32_t rows, int32_t cols) const {
    Raise(PTO_ERROR_SHAPE, "valid-range", valid_rows_ < 0 ? "ValidRow" : "ValidCol",
          Say("the dynamic valid region of a %dx%d tile is not set", rows, cols).text,
          "Pass the valid extents to the tile's constructor, or call SetValidShape first.");
  }

  [[gnu::cold, gnu::noinline]] static void RaiseRange(const char* field, int64_t value, int32_t extent) {
    Raise(PTO_ERROR_SHAPE, "valid-range", field,
          Say("%s is %lld where the tile has %d", field, static_cast<long long>(value), extent).text,
          "Set a valid region inside the tile.");
  }

  [[gnu::cold, gnu::noinline]] static void RaiseElement(int64_t row, int64_t col, int32_t rows, int32_t cols) {
    Raise(PTO_ERROR_ARGUMENT, "element-range", "",
          Say("element (%lld, %lld) of a %dx%d tile", static_cast<long long>(row), static_cast<long long>(col), rows,
              cols)
              .text,
          "Use a row and a column of the tile.");
  }

  [[gnu::cold, gnu::noinline]] static void RaiseStorage() {
    Raise(PTO_ERROR_ADDRESS, "storage", "tile", "the tile has no address in manual mode",
          "Give the tile an address with TASSIGN first.");
  }

  // A tile that is only read makes its handle too.
  mutable pto_tile* handle_ = nullptr;
  mutable void* data_ = nullptr;
  int32_t valid_rows_;
  int32_t valid_cols_;
};

// Rows and columns of a box: 512 bytes are 16 lines of 32 bytes, 1024 are 16 x 16 elements, 32 are 16 x 2.
constexpr int BoxLength(int fractal, int element_bytes) {
  return fractal == 1024 ? 16 : fractal == 32 ? 2 : 32 / element_bytes;
}

constexpr int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace detail

// A 2-D typed buffer in an on-chip memory, of which the first ValidRow rows and ValidCol columns hold data.
//
// In auto mode, the default, a tile owns its elements: they are zero at its first use. After TASSIGN it
// lives at an address of the context's on-chip memory and shares elements with whatever else is there.
template <TileType Loc_, typename Element_, int Rows_, int Cols_, BLayout BFractal_ = BLayout::RowMajor,
          int RowValid_ = Rows_, int ColValid_ = Cols_, SLayout SFractal_ = SLayout::NoneBox, int SFractalSize_ = 512,
          PadValue PadVal_ = PadValue::Null, CompactMode Compact_ = CompactMode::Null>
class Tile : public detail::TileBase {
 public:
  using DType = Element_;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_;
  static constexpr int Cols = Cols_;
  static constexpr BLayout BFractal = BFractal_;
  static constexpr int ValidRow = RowValid_;
  static constexpr int ValidCol = ColValid_;
  static constexpr SLayout SFractal = SFractal_;
  static constexpr int SFractalSize = SFractalSize_;
  static constexpr PadValue PadVal = PadVal_;
  static constexpr CompactMode Compact = Compact_;
  static constexpr bool isRowMajor = BFractal_ == BLayout::RowMajor;
  static constexpr bool isBoxedLayout = SFractal_ != SLayout::NoneBox;
  static constexpr int64_t Numel = int64_t{Rows_} * Cols_;

  static_assert(detail::DTypeOf<Element_>() != detail::kNoDType,
                "Tile: the element type is none of int8_t to int64_t, uint8_t to uint64_t, half, bfloat16_t and float "
                "[dtype-known]");
  static_assert(Loc_ <= TileType::ScaleRight, "Tile: the location is no value of TileType [location]");
  static_assert(Rows_ > 0 && Cols_ > 0, "Tile: a tile has at least one row and one column [tile-shape]");
  static_assert((RowValid_ == DYNAMIC || RowValid_ >= 0) && (ColValid_ == DYNAMIC || ColValid_ >= 0),
                "Tile: a valid extent is a count, or -1 (DYNAMIC) [valid-range]");
  static_assert(RowValid_ <= Rows_ && ColValid_ <= Cols_,
                "Tile: the valid region is larger than the tile [valid-range]");
  static_assert(SFractalSize_ == 512 || SFractalSize_ == 1024 || SFractalSize_ == 32,
                "Tile: a box is 512, 1024 or 32 bytes [fractal]");
  static_assert(PadVal_ <= PadValue::Min, "Tile: the pad value is none of Null, Zero, Max and Min [pad]");
  static_assert(isBoxedLayout || (isRowMajor ? Cols_ : Rows_) * int64_t{sizeof(Element_)} % 32 == 0,
                "Tile: a row of a row-major tile, or a column of a column-major one, is no multiple of 32 bytes: "
                "allocate more and set a smaller valid region [row-bytes]");

  static constexpr int InnerRows = !isBoxedLayout ? 1
                                   : SFractal_ == SLayout::RowMajor
                                       ? 16
                                       : detail::BoxLength(SFractalSize_, static_cast<int>(sizeof(Element_)));
  static constexpr int InnerCols = !isBoxedLayout ? 1
                                   : SFractal_ == SLayout::ColMajor
                                       ? 16
                                       : detail::BoxLength(SFractalSize_, static_cast<int>(sizeof(Element_)));

  static_assert(Cols_ % InnerCols == 0, "Tile: the columns of a boxed tile do not divide into boxes [box-shape]");
  static_assert(Loc_ == TileType::Vec || SFractalSize_ == 32 || Rows_ == 1 || Rows_ % InnerRows == 0,
                "Tile: the rows of a boxed tile do not divide into boxes [box-shape]");

  // Elements between two rows, and between two columns, of an unboxed tile.
  static constexpr int RowStride = isRowMajor ? Cols_ : 1;
  static constexpr int ColStride = isRowMajor ? 1 : Rows_;

  // A dynamic extent that is not given here must be set before the first use.
  Tile() : TileBase(ValidRow, ValidCol) {}
  // The valid extents, both dynamic.
  template <int R = ValidRow, int C = ValidCol, std::enable_if_t<R == DYNAMIC && C == DYNAMIC, int> = 0>
  Tile(int64_t valid_rows, int64_t valid_cols)
      : TileBase(Extent("ValidRow", valid_rows, Rows), Extent("ValidCol", valid_cols, Cols)) {}
  // The one valid extent that is dynamic.
  template <int R = ValidRow, int C = ValidCol, std::enable_if_t<(R == DYNAMIC) != (C == DYNAMIC), int> = 0>
  explicit Tile(int64_t valid)
      : TileBase(R == DYNAMIC ? Extent("ValidRow", valid, Rows) : ValidRow,
                 C == DYNAMIC ? Extent("ValidCol", valid, Cols) : ValidCol) {}
  Tile(Tile&&) noexcept = default;

  int GetValidRow() const {
    if constexpr (ValidRow == DYNAMIC) {
      if (valid_rows_ < 0) RaiseUnset(Rows, Cols);
      return valid_rows_;
    } else {
      return ValidRow;
    }
  }
  int GetValidCol() const {
    if constexpr (ValidCol == DYNAMIC) {
      if (valid_cols_ < 0) RaiseUnset(Rows, Cols);
      return valid_cols_;
    } else {
      return ValidCol;
    }
  }

  void SetValidRow(int64_t valid_rows) {
    static_assert(ValidRow == DYNAMIC, "Tile::SetValidRow: the valid rows of this type are fixed: make them DYNAMIC");
    if (!InRange("ValidRow", valid_rows, Rows)) return;
    valid_rows_ = static_cast<int32_t>(valid_rows);
    Publish();
  }
  void SetValidCol(int64_t valid_cols) {
    static_assert(ValidCol == DYNAMIC,
                  "Tile::SetValidCol: the valid columns of this type are fixed: make them DYNAMIC");
    if (!InRange("ValidCol", valid_cols, Cols)) return;
    valid_cols_ = static_cast<int32_t>(valid_cols);
    Publish();
  }
  void SetValidShape(int64_t valid_rows, int64_t valid_cols) {
    static_assert(ValidRow == DYNAMIC && ValidCol == DYNAMIC,
                  "Tile::SetValidShape: a valid extent of this type is fixed: make both DYNAMIC");
    if (!InRange("ValidRow", valid_rows, Rows) || !InRange("ValidCol", valid_cols, Cols)) return;
    valid_rows_ = static_cast<int32_t>(valid_rows);
    valid_cols_ = static_cast<int32_t>(valid_cols);
    Publish();
  }

  // The first element; what follows is in the order of the layout.
  DType* data() const {
    if (handle() != nullptr && data_ == nullptr) RaiseStorage();
    return static_cast<DType*>(data_);
  }

  // Element (r, c) of the tile, the part outside its valid region included.
  DType& operator()(int64_t r, int64_t c) {
    if (r < 0 || r >= Rows || c < 0 || c >= Cols) {
      RaiseElement(r, c, Rows, Cols);
      return Nowhere();
    }
    return At(Offset(r, c));
  }
  const DType& operator()(int64_t r, int64_t c) const { return const_cast<Tile&>(*this)(r, c); }

  // The element at an offset into the storage, whatever the layout.
  DType GetValue(int64_t offset) const { return Raw(offset); }
  void SetValue(int64_t offset, DType value) { Raw(offset) = value; }

  // Where element (r, c) lies, in elements from the first.
  static constexpr int64_t Offset(int64_t r, int64_t c) {
    if constexpr (!isBoxedLayout) {
      return r * RowStride + c * ColStride;
    } else {
      constexpr int64_t kBox = int64_t{InnerRows} * InnerCols;
      // Only Nz has no whole boxes down a column: its rows follow each other without a seam.
      constexpr int64_t kColumnRows = SFractal_ == SLayout::RowMajor ? Rows_ : detail::RoundUp(Rows_, InnerRows);
      const int64_t row_box = isRowMajor ? int64_t{Cols_} * InnerRows : kBox;
      const int64_t col_box = isRowMajor ? kBox : kColumnRows * InnerCols;
      const int64_t inside = SFractal_ == SLayout::RowMajor ? r % InnerRows * InnerCols + c % InnerCols
                                                            : c % InnerCols * InnerRows + r % InnerRows;
      return r / InnerRows * row_box + c / InnerCols * col_box + inside;
    }
  }

  // The tile for calls of the C interface; made at the first use, owned by this object.
  pto_tile* handle() const { return __builtin_expect(handle_ != nullptr, 1) ? handle_ : Make(Desc(), detail::manual); }

  // TASSIGN, which see.
  void Assign(int64_t address) {
    pto_context* const ctx = CurrentContext();
    pto_tile* const tile = handle_ != nullptr ? handle_ : Make(Desc(), true);
    if (tile == nullptr) return;
    if (pto_tassign(ctx, tile, address) != PTO_OK) detail::RaiseFrom(ctx);
    data_ = pto_tile_data(tile);
  }

 private:
  static constexpr pto_tile_desc Desc() {
    pto_tile_desc desc{};
    desc.dtype = static_cast<pto_dtype>(detail::DTypeOf<DType>());
    desc.rows = Rows;
    desc.cols = Cols;
    desc.location = static_cast<pto_location>(Loc);
    desc.blayout = static_cast<pto_blayout>(BFractal);
    desc.slayout = static_cast<pto_slayout>(SFractal);
    desc.fractal = SFractalSize;
    desc.pad = static_cast<pto_pad>(PadVal);
    return desc;
  }

  static bool InRange(const char* field, int64_t valid, int32_t extent) {
    if (valid >= 0 && valid <= extent) return true;
    RaiseRange(field, valid, extent);
    return false;
  }
  // Where a handler lets the kernel go on after an error, nothing is valid.
  static int32_t Extent(const char* field, int64_t valid, int32_t extent) {
    return InRange(field, valid, extent) ? static_cast<int32_t>(valid) : 0;
  }

  void Publish() {
    if (handle_ == nullptr || valid_rows_ < 0 || valid_cols_ < 0) return;
    pto_context* const ctx = CurrentContext();
    if (pto_tile_set_valid(ctx, handle_, valid_rows_, valid_cols_) != PTO_OK) detail::RaiseFrom(ctx);
  }

  DType& Raw(int64_t offset) const {
    static_assert(Loc == TileType::Vec, "Tile: elements are read and set one by one in vector memory only");
    if (offset < 0 || offset >= Numel) {
      RaiseElement(offset / Cols, offset % Cols, Rows, Cols);
      return Nowhere();
    }
    return At(offset);
  }
  DType& At(int64_t offset) const {
    DType* const first = data();
    return __builtin_expect(first != nullptr, 1) ? first[offset] : Nowhere();
  }
  // What is read and written where a handler lets the kernel go on after an error.
  static DType& Nowhere() {
    static thread_local DType nowhere;
    nowhere = DType(0);
    return nowhere;
  }
};

// Operands of the matrix unit, with the layouts of A5.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeft = Tile<TileType::Left, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::RowMajor>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRight = Tile<TileType::Right, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid, SLayout::ColMajor>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileAcc =
    Tile<TileType::Acc, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::RowMajor, 1024>;

namespace detail {

template <typename T>
struct IsTile : std::false_type {};
template <TileType L, typename E, int R, int C, BLayout B, int VR, int VC, SLayout S, int F, PadValue P, CompactMode M>
struct IsTile<Tile<L, E, R, C, B, VR, VC, S, F, P, M>> : std::true_type {};
template <typename T>
inline constexpr bool kIsTile = IsTile<std::remove_cv_t<T>>::value;

// The largest memory of each location under any profile; the context has the last word.
constexpr int64_t Capacity(TileType location) {
  constexpr int64_t kKiB = 1024;
  switch (location) {
    case TileType::Vec:
    case TileType::Acc:
      return 256 * kKiB;
    case TileType::Mat:
      return 512 * kKiB;
    case TileType::Left:
    case TileType::Right:
      return 64 * kKiB;
    default:
      return 4 * kKiB;
  }
}

}  // namespace detail

// Gives a tile an address: bytes from the start of the memory of its location, a multiple of 32. The
// tile then shares elements with all that lives there.
template <typename TileData, typename Address>
inline std::enable_if_t<detail::kIsTile<TileData>> TASSIGN(TileData& tile, Address address) {
  static_assert(std::is_integral_v<Address>, "TASSIGN: the address of a tile is an integer");
  tile.Assign(static_cast<int64_t>(address));
}

// TASSIGN to an address that the compiler checks.
template <uint64_t kAddress, typename TileData>
inline std::enable_if_t<detail::kIsTile<TileData>> TASSIGN(TileData& tile) {
  static_assert(kAddress % 32 == 0, "TASSIGN: the address is no multiple of 32 bytes [address-alignment]");
  static_assert(kAddress <= INT64_MAX && TileData::Numel * int64_t{sizeof(typename TileData::DType)} <=
                                             detail::Capacity(TileData::Loc) - static_cast<int64_t>(kAddress),
                "TASSIGN: the tile ends outside the memory of its location [address-range]");
  tile.Assign(static_cast<int64_t>(kAddress));
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_TILE_HPP_
