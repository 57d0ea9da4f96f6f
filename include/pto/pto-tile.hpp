// Tile: the operand of every instruction, its storage, valid region and elements, and TASSIGN.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_TILE_HPP_
#define PTO_PTO_TILE_HPP_

#include "pto/pto-context.hpp"
#include "pto/pto-enums.hpp"
#include "pto/pto-sync.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace pto_detail {

// The base of tiles of all types: a handle that is made at the first use.
class TileBase {
 public:
  TileBase(const TileBase&) = delete;  // Tile copies what only it can describe
  TileBase& operator=(const TileBase&) = delete;

 protected:
  TileBase(int32_t valid_rows, int32_t valid_cols) : valid_rows_(valid_rows), valid_cols_(valid_cols) {}
  TileBase(TileBase&& other) noexcept
      : handle_(other.handle_),
        data_(other.data_),
        reach_(other.reach_),
        address_(other.address_),
        valid_rows_(other.valid_rows_),
        valid_cols_(other.valid_cols_) {
    other.handle_ = nullptr;
    other.data_ = nullptr;
  }
  ~TileBase() {
    if (handle_ != nullptr) pto_tile_release(handle_);
  }

  // The handle; where there are no exceptions nullptr after an error.
  [[gnu::cold, gnu::noinline]] pto_tile* Make(pto_tile_desc desc, bool unplaced) const {
    pto_context* const ctx = CurrentContext();
    if (ctx == nullptr) return nullptr;
    if (valid_rows_ < 0 || valid_cols_ < 0) {
      RaiseUnset(desc.rows, desc.cols);
      return nullptr;
    }
    desc.struct_size = sizeof(desc);
    // In a descriptor 0 means all.
    desc.valid_rows = valid_rows_ == 0 ? PTO_VALID_NONE : valid_rows_;
    desc.valid_cols = valid_cols_ == 0 ? PTO_VALID_NONE : valid_cols_;
    desc.storage = unplaced ? PTO_STORAGE_MANUAL : PTO_STORAGE_OWNED;
    handle_ = pto_tile_create_from(ctx, &desc);
    if (handle_ == nullptr) RaiseFrom(ctx);
    data_ = pto_tile_data(handle_);
    return handle_;
  }

  // Replaces its handle by elements of another tile; an error was reported if there is no such handle.
  bool Adopt(pto_tile* handle, int64_t reach) {
    if (handle == nullptr) return false;
    pto_tile_release(handle_);
    handle_ = handle;
    data_ = pto_tile_data(handle);
    reach_ = reach;
    address_ = -1;
    return true;
  }
  void Drop() {
    pto_tile_release(handle_);
    handle_ = nullptr;
    data_ = nullptr;
    reach_ = kWhole;
    address_ = -1;
  }
  // The handle that the C interface returned; nullptr after its error has been raised.
  static pto_tile* OrRaise(pto_context* ctx, pto_tile* handle) {
    if (handle == nullptr) RaiseFrom(ctx);
    return handle;
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

  [[gnu::cold, gnu::noinline]] static void RaiseReach(int64_t offset, int64_t reach) {
    Raise(PTO_ERROR_ARGUMENT, "element-range", "",
          Say("element %lld of a window that ends after %lld elements", static_cast<long long>(offset),
              static_cast<long long>(reach))
              .text,
          "Use elements that the tile which the window was made of has.");
  }

  [[gnu::cold, gnu::noinline]] static void RaisePlace() {
    Raise(PTO_ERROR_ADDRESS, "address-range", "address",
          "the pointer is not in the on-chip memory of the tile's location",
          "Use a number of bytes from the start of that memory, or the data() of a tile that has an address in it.");
  }

  [[gnu::cold, gnu::noinline]] static void RaiseStorage() {
    Raise(PTO_ERROR_ADDRESS, "storage", "tile", "the tile has no address in manual mode",
          "Give the tile an address with TASSIGN first.");
  }

  // A tile that is only read makes its handle too.
  mutable pto_tile* handle_ = nullptr;
  mutable void* data_ = nullptr;
  // Elements from the first on that are the tile's: of a window of another tile fewer than its type has.
  static constexpr int64_t kWhole = std::numeric_limits<int64_t>::max();
  int64_t reach_ = kWhole;
  int64_t address_ = -1;  // by TASSIGN
  int32_t valid_rows_;
  int32_t valid_cols_;
};

// Rows and columns of a box: 512 bytes are 16 lines of 32 bytes, 1024 are 16 x 16 elements, 32 are 16 x 2; `lines` is
// the order in which the lines of 16 lie along.
constexpr int BoxExtent(SLayout slayout, SLayout lines, int fractal, size_t element_bytes) {
  if (slayout == SLayout::NoneBox) return 1;
  if (slayout == lines) return 16;
  return fractal == 1024 ? 16 : fractal == 32 ? 2 : 32 / static_cast<int>(element_bytes);
}
constexpr int BoxRows(SLayout slayout, int fractal, size_t element_bytes) {
  return BoxExtent(slayout, SLayout::RowMajor, fractal, element_bytes);
}
constexpr int BoxCols(SLayout slayout, int fractal, size_t element_bytes) {
  return BoxExtent(slayout, SLayout::ColMajor, fractal, element_bytes);
}

// Where the on-chip memory of a tile's location starts in this process; 0 after an error.
[[gnu::cold, gnu::noinline]] inline int64_t StartOf(pto_context* ctx, pto_tile_desc desc) {
  desc.struct_size = sizeof desc;
  desc.valid_rows = desc.rows;
  desc.valid_cols = desc.cols;
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile* const first = pto_tile_create_from(ctx, &desc);
  const bool placed = first != nullptr && pto_tassign(ctx, first, 0) == PTO_OK;
  const int64_t start = placed ? int64_t{reinterpret_cast<intptr_t>(pto_tile_data(first))} : 0;
  pto_tile_release(first);
  if (!placed) RaiseFrom(ctx);
  return start;
}

constexpr int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace pto_detail

// A 2-D typed buffer in an on-chip memory. Its first ValidRow rows and ValidCol columns hold data.
//
// In auto mode, the default, a tile owns its elements: they are zero at its first use. After TASSIGN it
// is at an address of the context's on-chip memory and shares elements with all tiles there.
template <TileType Loc_, typename Element_, int Rows_, int Cols_, BLayout BFractal_ = BLayout::RowMajor,
          int RowValid_ = Rows_, int ColValid_ = Cols_, SLayout SFractal_ = SLayout::NoneBox, int SFractalSize_ = 512,
          auto PadVal_ = PadValue::Null, CompactMode Compact_ = CompactMode::Null>
class Tile : public pto_detail::TileBase {
  using Held = pto_detail::Elements<Element_>;
  using Element = typename Held::Element;

 public:
  using DType = Element_;
  using TileDType = Element_*;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_;
  static constexpr int Cols = Cols_;
  static constexpr BLayout BFractal = BFractal_;
  static constexpr int ValidRow = RowValid_;
  static constexpr int ValidCol = ColValid_;
  static constexpr SLayout SFractal = SFractal_;
  static constexpr int SFractalSize = SFractalSize_;
  static constexpr PadValue PadVal{static_cast<uint64_t>(PadVal_)};
  static constexpr CompactMode Compact = Compact_;
  static constexpr bool isRowMajor = BFractal_ == BLayout::RowMajor;
  static constexpr bool isBoxedLayout = SFractal_ != SLayout::NoneBox;
  static constexpr bool isInnerRowMajor = SFractal_ == SLayout::RowMajor;
  static constexpr bool isInnerColMajor = SFractal_ == SLayout::ColMajor;

  static_assert(
      pto_detail::DTypeOf<Element_>() != pto_detail::kNoDType,
      "Tile: the element type must be one of int8_t to int64_t, uint8_t to uint64_t, half, bfloat16_t, float, "
      "floats of a byte and packed types [dtype-known]");
  static_assert(Loc_ >= TileType::Vec && Loc_ <= TileType::Ctrl,
                "Tile: the location is not a value of TileType [location]");
  static_assert(Loc_ != TileType::Ctrl, "Tile: no tile lives in TileType::Ctrl [location]");
  static_assert(Rows_ > 0 && Cols_ > 0, "Tile: a tile has at least one row and one column [tile-shape]");
  static_assert(int64_t{Rows_} * Cols_ <= std::numeric_limits<int>::max(),
                "Tile: a tile has fewer than 2^31 elements [tile-size]");
  static_assert((RowValid_ == DYNAMIC || RowValid_ >= 0) && (ColValid_ == DYNAMIC || ColValid_ >= 0),
                "Tile: a valid extent is a count, or -1 (DYNAMIC) [valid-range]");
  static_assert(RowValid_ <= Rows_ && ColValid_ <= Cols_,
                "Tile: the valid region is larger than the tile [valid-range]");
  static_assert(SFractalSize_ == 512 || SFractalSize_ == 1024 || SFractalSize_ == 32,
                "Tile: a box is 512, 1024 or 32 bytes [fractal]");
  static_assert(static_cast<uint64_t>(PadVal_) <= 3 || static_cast<uint64_t>(PadVal_) >> 32 == 1,
                "Tile: the pad value must be Null, Zero, Max, Min or a value of PadValueCustom [pad]");
  static_assert(Compact_ >= CompactMode::Null && Compact_ <= CompactMode::RowAlignedPadding,
                "Tile: the packing is not a value of CompactMode [compact]");
  // Has the parameters only, so that a compiler's message does not repeat the tile's type.
  static_assert(SFractal_ != SLayout::NoneBox || (BFractal_ == BLayout::RowMajor ? Cols_ : Rows_) % Held::kEach == 0,
                "Tile: a line of a packed type ends inside of a byte: give it an even length [half-byte]");
  static constexpr int Numel = Rows_ * Cols_;
  static constexpr int InnerRows = pto_detail::BoxRows(SFractal_, SFractalSize_, sizeof(Element_));
  static constexpr int InnerCols = pto_detail::BoxCols(SFractal_, SFractalSize_, sizeof(Element_));
  static constexpr int InnerNumel = InnerRows * InnerCols;
  static constexpr int64_t GetSizeInUnits() { return Numel; }
  static constexpr int64_t GetSizeInBytes() { return Held::Bytes(Numel); }

  // Elements between two rows, and between two columns, of an unboxed tile.
  static constexpr int RowStride = isRowMajor ? Cols_ : 1;
  static constexpr int ColStride = isRowMajor ? 1 : Rows_;

  // A dynamic extent that is not given here must be set before the first use.
  Tile() : TileBase(ValidRow, ValidCol) {}
  // The valid extents, both dynamic.
  template <int R_ = ValidRow, int C_ = ValidCol, std::enable_if_t<R_ == DYNAMIC && C_ == DYNAMIC, int> = 0>
  Tile(int64_t valid_rows, int64_t valid_cols)
      : TileBase(Extent("ValidRow", valid_rows, Rows), Extent("ValidCol", valid_cols, Cols)) {}
  // The one valid extent that is dynamic.
  template <int R_ = ValidRow, int C_ = ValidCol, std::enable_if_t<(R_ == DYNAMIC) != (C_ == DYNAMIC), int> = 0>
  Tile(int64_t valid)
      : TileBase(R_ == DYNAMIC ? Extent("ValidRow", valid, Rows) : ValidRow,
                 C_ == DYNAMIC ? Extent("ValidCol", valid, Cols) : ValidCol) {}
  Tile(Tile&&) noexcept = default;
  // A copy is a second name of the same elements, with a valid region of its own, as a copied pointer would be. Only a
  // tile that has no elements yet, in manual mode or without its dynamic extents, is copied without any.
  Tile(const Tile& other) : TileBase(other.valid_rows_, other.valid_cols_) { Share(other); }
  Tile& operator=(const Tile& other) {
    if (this == &other) return *this;
    valid_rows_ = other.valid_rows_;
    valid_cols_ = other.valid_cols_;
    Drop();
    Share(other);
    return *this;
  }

  // The valid extents: constants where the type has them.
  template <int R_ = ValidRow, std::enable_if_t<R_ != DYNAMIC, int> = 0>
  static constexpr unsigned GetValidRow() {
    return static_cast<unsigned>(R_);
  }
  template <int R_ = ValidRow, std::enable_if_t<R_ == DYNAMIC, int> = 0>
  unsigned GetValidRow() const {
    return Given(valid_rows_);
  }
  template <int C_ = ValidCol, std::enable_if_t<C_ != DYNAMIC, int> = 0>
  static constexpr unsigned GetValidCol() {
    return static_cast<unsigned>(C_);
  }
  template <int C_ = ValidCol, std::enable_if_t<C_ == DYNAMIC, int> = 0>
  unsigned GetValidCol() const {
    return Given(valid_cols_);
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

  // Where the first element is; the others follow in the order of the layout. A value, so that `a.data() = b.data()`,
  // which would not move the tile, does not compile: TASSIGN moves a tile, and `a = b` makes it another name of b.
  TileDType data() const { return First(); }

  // Element (r, c) of the tile, the part outside its valid region included. Of a packed type, here and below, it is one
  // of the two in a byte, and a proxy is returned that you can read and assign like a reference.
  typename Held::Reference operator()(int64_t r, int64_t c) {
    if (r < 0 || r >= Rows || c < 0 || c >= Cols) {
      RaiseElement(r, c, Rows, Cols);
      return Nowhere();
    }
    return At(Place(r, c, valid_rows_));
  }
  typename Held::ConstReference operator()(int64_t r, int64_t c) const { return const_cast<Tile&>(*this)(r, c); }
  Element GetElement(int64_t r, int64_t c) const { return (*this)(r, c); }
  void SetElement(int64_t r, int64_t c, Element value) { (*this)(r, c) = value; }
  void AddToElement(int64_t r, int64_t c, Element value) {
    (*this)(r, c) = pto_detail::Sum<Element>((*this)(r, c), value);
  }

  // The element at an offset into the storage, whatever the layout.
  Element GetValue(int64_t offset) const {
    static_assert(Loc == TileType::Vec, "Tile: elements are read and set one by one in vector memory only");
    return Raw(offset);
  }
  void SetValue(int64_t offset, Element value) {
    static_assert(Loc == TileType::Vec, "Tile: elements are read and set one by one in vector memory only");
    Raw(offset) = value;
  }

  // Whether the matrix unit may take K as a multiple of its boxes: kept for kernels that ask.
  void SetKAligned(bool aligned) { k_aligned_ = aligned; }
  bool GetKAligned() const { return k_aligned_; }

  // Products of f32 that the calling core begins from here on round their factors first: to 11 bits of the fraction
  // under PTO_PROFILE_A2A3, else to 10, ties to even with CAST_RINT and away from zero with CAST_ROUND. The mode is
  // bits 46 and 47 of get_ctrl().
  static void SetMadTF32Mode(RoundMode mode = RoundMode::CAST_ROUND) {
    if (mode != RoundMode::CAST_RINT && mode != RoundMode::CAST_ROUND) {
      return pto_detail::Raise(PTO_ERROR_ARGUMENT, "mode", "mode",
                               pto_detail::Say("SetMadTF32Mode: mode is %d", static_cast<int>(mode)).text,
                               "Use RoundMode::CAST_RINT or CAST_ROUND.");
    }
    ResetMadMode();
    pto_detail::core.control |= pto_detail::kMadRounds | (mode == RoundMode::CAST_ROUND ? pto_detail::kMadAway : 0);
  }
  // They do not any more, as when a core, or a block of Launch(), begins.
  static void ResetMadMode() { pto_detail::core.control &= ~(pto_detail::kMadRounds | pto_detail::kMadAway); }

  // Whether changing the valid rows moves elements: columns of boxes have no more rows of storage than are valid.
  static constexpr bool isPacked =
      Compact_ == CompactMode::Normal && SFractal_ != SLayout::NoneBox && BFractal_ == BLayout::ColMajor;

  // Where element (r, c) lies, in elements from the first.
  static constexpr int64_t Offset(int64_t r, int64_t c) {
    constexpr bool kFixed = !isPacked || ValidRow != DYNAMIC;
    static_assert(
        kFixed,
        "Tile::Offset: where an element of a tile of CompactMode::Normal lies depends on the valid rows, which "
        "this type does not fix [compact]");
    return Place(r, c, ValidRow);
  }

  // The tile for calls of the C interface; made at the first use, owned by this object.
  pto_tile* handle() const {
    return __builtin_expect(handle_ != nullptr, 1) ? handle_ : Make(Desc(), pto_detail::manual);
  }

  // TASSIGN, which see.
  void Assign(int64_t address) {
    pto_context* const ctx = CurrentContext();
    if (reach_ != kWhole) Drop();  // a window is not a whole tile
    pto_tile* const tile = handle_ != nullptr ? handle_ : Make(Desc(), true);
    if (tile == nullptr) return;
    if (IsPointer(address)) {
      // A place in this process, such as other.data() + n.
      const int64_t start = pto_detail::StartOf(ctx, Desc());
      if (start == 0) return;
      address -= start;
      if (address < 0 || address >= pto_context_capacity(ctx, static_cast<pto_location>(Loc))) return RaisePlace();
    }
    if (pto_tassign(ctx, tile, address) != PTO_OK) {
      pto_detail::RaiseFrom(ctx);
    } else {
      address_ = address;
    }
    data_ = pto_tile_data(tile);
  }

  // Where TASSIGN put the tile; -1: nowhere.
  int64_t Address() const { return address_; }

  // TRESHAPE, which see.
  template <typename Source>
  void Reshape(const Source& src) {
    pto_context* const ctx = CurrentContext();
    pto_tile* const from = ctx == nullptr ? nullptr : src.handle();
    if (from == nullptr || !HasValid()) return;
    const pto_tile_desc desc = Described();
    Adopt(OrRaise(ctx, pto_tile_reshape(ctx, from, &desc)), kWhole);
  }

  // TSUBVIEW, which see.
  template <typename Source>
  void Subview(const Source& src, int64_t row, int64_t col) {
    pto_context* const ctx = CurrentContext();
    pto_tile* const from = ctx == nullptr ? nullptr : src.handle();
    if (from == nullptr || !HasValid()) return;
    // The rest of this type that src has from there on, and at least what is valid: of that src must have all.
    const int64_t rows = Most(Source::Rows - row, Rows, valid_rows_);
    const int64_t cols = Most(Source::Cols - col, Cols, valid_cols_);
    pto_tile* const view = OrRaise(ctx, pto_tile_view(ctx, from, static_cast<int32_t>(row), static_cast<int32_t>(col),
                                                      static_cast<int32_t>(rows), static_cast<int32_t>(cols)));
    if (Adopt(view, pto_tile_bytes(view) / int64_t{sizeof(DType)} * Held::kEach)) Publish();
  }

  // The description of a handle, without the valid region.
  static constexpr pto_tile_desc Desc() {
    pto_tile_desc desc{};
    desc.dtype = static_cast<pto_dtype>(pto_detail::DTypeOf<DType>());
    desc.rows = Rows;
    desc.cols = Cols;
    desc.location = static_cast<pto_location>(Loc);
    desc.blayout = static_cast<pto_blayout>(BFractal);
    desc.slayout = static_cast<pto_slayout>(SFractal);
    desc.fractal = SFractalSize;
    desc.pad = isCustomPadValue(PadVal) ? PTO_PAD_CUSTOM : static_cast<pto_pad>(static_cast<uint64_t>(PadVal) & 3);
    desc.pad_bits = isCustomPadValue(PadVal) ? getCustomPadBits(PadVal) : 0;
    desc.compact = static_cast<pto_compact>(Compact);
    return desc;
  }

 private:
  // No on-chip memory has more than 2^40 bytes; where pointers are that small, an address is never treated as one.
  static constexpr bool IsPointer(int64_t address) { return sizeof(void*) == 8 && address > int64_t{1} << 40; }

  // Becomes a second name of the other tile's elements.
  void Share(const Tile& other) {
    k_aligned_ = other.k_aligned_;
    const bool none =
        other.handle_ == nullptr && (pto_detail::manual || other.valid_rows_ < 0 || other.valid_cols_ < 0);
    pto_context* const ctx = none ? nullptr : CurrentContext();
    pto_tile* const from = ctx == nullptr ? nullptr : other.handle();
    if (from == nullptr || pto_tile_data(from) == nullptr) return;
    if (other.reach_ == kWhole) {
      const pto_tile_desc desc = Described();
      Adopt(OrRaise(ctx, pto_tile_reshape(ctx, from, &desc)), kWhole);
    } else {
      Adopt(OrRaise(ctx, pto_tile_view(ctx, from, 0, 0, pto_tile_rows(from), pto_tile_cols(from))), other.reach_);
      Publish();
    }
    address_ = other.address_;
  }
  static constexpr int64_t Most(int64_t left, int64_t all, int64_t valid) {
    const int64_t some = left < all ? left : all;
    return some > valid ? some : valid > 0 ? valid : 1;
  }
  bool HasValid() const {
    if (valid_rows_ >= 0 && valid_cols_ >= 0) return true;
    RaiseUnset(Rows, Cols);
    return false;
  }
  pto_tile_desc Described() const {
    pto_tile_desc desc = Desc();
    desc.struct_size = sizeof desc;
    desc.valid_rows = valid_rows_ == 0 ? PTO_VALID_NONE : valid_rows_;
    desc.valid_cols = valid_cols_ == 0 ? PTO_VALID_NONE : valid_cols_;
    return desc;
  }

  static constexpr int64_t Place(int64_t r, int64_t c, [[maybe_unused]] int64_t valid_rows) {
    if constexpr (!isBoxedLayout) {
      return r * RowStride + c * ColStride;
    } else {
      // Where boxes do not divide the tile, lines between boxes are as long as if they did.
      constexpr int64_t kBox = InnerNumel;
      // Only Nz has no whole boxes down a column: its rows follow each other without a seam.
      constexpr int64_t kAllRows = SFractal_ == SLayout::RowMajor ? Rows_ : pto_detail::RoundUp(Rows_, InnerRows);
      int64_t column_rows = kAllRows + (Compact_ == CompactMode::RowPlusOne ? 1 : 0);
      if (isPacked) {
        const int64_t some = pto_detail::RoundUp(valid_rows < 1 ? 1 : valid_rows, InnerRows < 16 ? 16 : InnerRows);
        column_rows = some < kAllRows ? some : kAllRows;
      }
      const int64_t row_box = isRowMajor ? pto_detail::RoundUp(Cols_, InnerCols) * InnerRows : kBox;
      const int64_t col_box = isRowMajor ? kBox : column_rows * InnerCols;
      const int64_t inside = SFractal_ == SLayout::RowMajor ? r % InnerRows * InnerCols + c % InnerCols
                                                            : c % InnerCols * InnerRows + r % InnerRows;
      return r / InnerRows * row_box + c / InnerCols * col_box + inside;
    }
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
    if (pto_tile_set_valid(ctx, handle_, valid_rows_, valid_cols_) != PTO_OK) pto_detail::RaiseFrom(ctx);
  }

  typename Held::Reference Raw(int64_t offset) const {
    // The last element is the farthest one in every layout.
    if (offset < 0 || offset > Place(Rows - 1, Cols - 1, Rows)) {
      RaiseElement(offset / Cols, offset % Cols, Rows, Cols);
      return Nowhere();
    }
    return At(offset);
  }
  typename Held::Reference At(int64_t offset) const {
    DType* const first = First();
    if (__builtin_expect(offset >= reach_, 0)) {
      RaiseReach(offset, reach_);
      return Nowhere();
    }
    return __builtin_expect(first != nullptr, 1) ? Held::At(first, offset) : Nowhere();
  }
  DType* First() const {
    if (handle() != nullptr && data_ == nullptr) RaiseStorage();
    return static_cast<DType*>(data_);
  }
  // Where a handler lets the kernel go on after an error, nothing is valid.
  unsigned Given(int32_t valid) const {
    if (valid_rows_ < 0 || valid_cols_ < 0) RaiseUnset(Rows, Cols);
    return valid < 0 ? 0U : static_cast<unsigned>(valid);
  }
  // Memory for reads and writes of a kernel that continues after an error.
  static typename Held::Reference Nowhere() {
    static thread_local DType nowhere;
    nowhere = DType{};
    return Held::At(&nowhere, 0);
  }

  bool k_aligned_ = false;
};

// Operands of the matrix unit, with the layouts of A5: left, right, accumulator, and the block scales of both.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeft = Tile<TileType::Left, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::RowMajor>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRight = Tile<TileType::Right, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid, SLayout::ColMajor>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileAcc =
    Tile<TileType::Acc, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::RowMajor, 1024>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeftScale =
    Tile<TileType::ScaleLeft, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid, SLayout::RowMajor, 32>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRightScale =
    Tile<TileType::ScaleRight, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid, SLayout::ColMajor, 32>;
// The same with CompactMode::Normal.
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeftCompact = Tile<TileType::Left, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid,
                             SLayout::RowMajor, 512, PadValue::Null, CompactMode::Normal>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRightCompact = Tile<TileType::Right, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid,
                              SLayout::ColMajor, 512, PadValue::Null, CompactMode::Normal>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileAccCompact = Tile<TileType::Acc, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid,
                            SLayout::RowMajor, 1024, PadValue::Null, CompactMode::Normal>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileLeftScaleCompact = Tile<TileType::ScaleLeft, Element, Rows, Cols, BLayout::RowMajor, RowValid, ColValid,
                                  SLayout::RowMajor, 32, PadValue::Null, CompactMode::Normal>;
template <typename Element, int Rows, int Cols, int RowValid = Rows, int ColValid = Cols>
using TileRightScaleCompact = Tile<TileType::ScaleRight, Element, Rows, Cols, BLayout::ColMajor, RowValid, ColValid,
                                   SLayout::ColMajor, 32, PadValue::Null, CompactMode::Normal>;

namespace pto_detail {

template <typename T_>
struct IsTile : std::false_type {};
template <TileType L_, typename E_, int R_, int C_, BLayout B_, int VR, int VC, SLayout S_, int F_, auto P_,
          CompactMode M_>
struct IsTile<Tile<L_, E_, R_, C_, B_, VR, VC, S_, F_, P_, M_>> : std::true_type {};
template <typename T_>
inline constexpr bool kIsTile = IsTile<std::remove_cv_t<T_>>::value;

template <typename T_, bool = kIsTile<T_>>
inline constexpr bool kIsBoxed = false;
template <typename T_>
inline constexpr bool kIsBoxed<T_, true> = T_::isBoxedLayout;

}  // namespace pto_detail

// Whether a type is a Tile, and one of boxes.
template <typename T_>
struct is_tile : std::bool_constant<pto_detail::kIsTile<T_>> {};
template <typename T_>
struct is_boxed_tile : std::bool_constant<pto_detail::kIsBoxed<T_>> {};
template <typename T_>
inline constexpr bool is_tile_data_v = pto_detail::kIsTile<T_>;
template <typename T_>
inline constexpr bool is_boxed_data_v = pto_detail::kIsBoxed<T_>;

// Where element (row, col) of a tile lies, in elements from the first.
template <typename TileData>
constexpr int64_t GetTileOffset(int64_t row, int64_t col) {
  return TileData::Offset(row, col);
}
template <typename TileData>
constexpr int64_t GetTileElementOffset(int64_t row, int64_t col) {
  return TileData::Offset(row, col);
}

// Gives a tile an address: bytes from the start of the memory of its location, a multiple of 32. The
// tile then shares elements with all that lives there.
template <typename TileData, typename Address>
inline std::enable_if_t<pto_detail::kIsTile<TileData>> TASSIGN(TileData& tile, Address address) {
  static_assert(std::is_integral_v<Address>, "TASSIGN: the address of a tile is an integer");
  tile.Assign(static_cast<int64_t>(address));
}

// TASSIGN to an address that the compiler checks, except for the size of the memory: that is the profile's.
template <uint64_t kAddress, typename TileData>
inline std::enable_if_t<pto_detail::kIsTile<TileData>> TASSIGN(TileData& tile) {
  static_assert(kAddress % 32 == 0, "TASSIGN: the address is not a multiple of 32 bytes [address-alignment]");
  static_assert(kAddress <= INT64_MAX, "TASSIGN: the address is beyond every memory [address-range]");
  tile.Assign(static_cast<int64_t>(kAddress));
}

// Gives the scales of a matrix the address at which hardware expects them: the address of the matrix divided by 16, in
// their own memory. If the matrix has no address, scales keep memory of their own; products here name their scales.
template <typename TileDataOut, typename TileDataIn, typename... WaitEvents>
inline RecordEvent TGET_SCALE_ADDR(TileDataOut& dst, TileDataIn& src, WaitEvents&... events) {
  static_assert((pto_detail::kIsEvent<WaitEvents> && ...),
                "TGET_SCALE_ADDR: an argument after the operands is not an event [operand-kind]");
  (pto_detail::WaitFor(events), ...);
  constexpr bool kTiles = pto_detail::kIsTile<TileDataOut> && pto_detail::kIsTile<TileDataIn>;
  static_assert(kTiles, "TGET_SCALE_ADDR: dst and src are tiles [operand-kind]");
  if constexpr (kTiles) {
    constexpr bool kPair = (TileDataIn::Loc == TileType::Left && TileDataOut::Loc == TileType::ScaleLeft) ||
                           (TileDataIn::Loc == TileType::Right && TileDataOut::Loc == TileType::ScaleRight);
    static_assert(kPair,
                  "TGET_SCALE_ADDR: dst holds the scales of src: ScaleLeft of Left, ScaleRight of Right [location]");
    if (src.Address() >= 0) dst.Assign(src.Address() / 16);
  }
  return {};
}

// Where hardware looks for the scales of the matrix that `matrix` is the data() of: a number for TASSIGN.
template <typename Element>
inline uint64_t GetScaleAddr(const Element* matrix) {
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return 0;
  const int64_t place = int64_t{reinterpret_cast<intptr_t>(matrix)};
  const pto_tile_desc descs[] = {TileLeft<uint8_t, 16, 32>::Desc(), TileRight<uint8_t, 32, 32>::Desc()};
  for (const pto_tile_desc& desc : descs) {
    const int64_t offset = place - pto_detail::StartOf(ctx, desc);
    if (offset >= 0 && offset < pto_context_capacity(ctx, desc.location)) return static_cast<uint64_t>(offset) / 16;
  }
  pto_detail::Raise(PTO_ERROR_ADDRESS, "address-range", "matrix", "the matrix has no address in Left or Right memory",
                    "Give the matrix an address with TASSIGN first.");
  return 0;
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_TILE_HPP_
