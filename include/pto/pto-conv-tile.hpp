// ConvTile: an image or a filter in on-chip memory, in an order of up to six dimensions, with what a convolution is to
// do with it. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_CONV_TILE_HPP_
#define PTO_PTO_CONV_TILE_HPP_

#include "pto/pto-issue.hpp"
#include "pto/pto-sync.hpp"
#include "pto/pto-tensor.hpp"
#include "pto/pto-tile.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// Sizes of one to six dimensions, each of them known to the compiler or given at run time (DYNAMIC).
template <int... kDims>
struct ConvTileShape {
  static_assert(sizeof...(kDims) >= 1 && sizeof...(kDims) <= 6, "ConvTileShape: one to six dimensions [tensor-rank]");
  static_assert(((kDims >= DYNAMIC) && ...), "ConvTileShape: a number is 0 or more, or -1 (DYNAMIC) [tensor-dim]");
  static constexpr int totalDimCount = sizeof...(kDims);
  static constexpr int dynamicDimCount = ((kDims == DYNAMIC) + ...);
  static constexpr int staticShape[6] = {kDims...};
  static constexpr bool isDynamicDim[6] = {(kDims == DYNAMIC)...};
};

namespace pto_detail {
// A handle that is made at its first use; a copy makes its own.
struct TensorHandle {
  pto_tensor* tensor = nullptr;
  TensorHandle() = default;
  TensorHandle(const TensorHandle& /*other*/) {}
  TensorHandle& operator=(const TensorHandle& /*other*/) {
    Drop();
    return *this;
  }
  ~TensorHandle() { Drop(); }
  void Drop() {
    pto_tensor_release(tensor);
    tensor = nullptr;
  }
};
}  // namespace pto_detail

// Its elements are zero at its first use, or those at the address that TASSIGN gives it. BufferSize counts elements, as
// the shape does: of a packed type two a byte.
template <TileType Loc_, typename Element_, int BufferSize_, Layout Layout_, typename Shape_>
class ConvTile {
 public:
  using DType = Element_;
  using TileDType = Element_*;
  using RawDType = Element_;
  using Shape = Shape_;
  static constexpr TileType Loc = Loc_;
  static constexpr Layout layout = Layout_;
  static constexpr int bufferSize = BufferSize_;
  static constexpr int totalDimCount = Shape_::totalDimCount;
  static constexpr int dynamicDimCount = Shape_::dynamicDimCount;
  static constexpr const int (&staticShape)[6] = Shape_::staticShape;
  static constexpr const bool (&isDynamicDim)[6] = Shape_::isDynamicDim;
  static_assert(pto_detail::RowDims(Layout_) != 0, "ConvTile: the layout does not describe a matrix [tensor-layout]");
  // For the matrix that transfers see: the dimensions are checked when the tile is used.
  static constexpr int64_t kMatrixRows = DYNAMIC;
  static constexpr int64_t kMatrixCols = DYNAMIC;

  ConvTile() = default;
  // The dynamic dimensions, from the outermost on; those that are left out are 1.
  template <typename... Numbers, std::enable_if_t<sizeof...(Numbers) != 0, int> = 0,
            pto_detail::AllNumbers<Numbers...> = 0>
  explicit ConvTile(Numbers... numbers) {
    SetDynamicShape(numbers...);
  }
  // With the dimensions of another of its shape.
  template <TileType L_, typename E_, int B_, Layout O_>
  explicit ConvTile(const ConvTile<L_, E_, B_, O_, Shape_>& other) {
    for (int i = 0; i < totalDimCount; ++i) shape_[i] = other.GetShape(i);
  }
  // A copy is a second name of the same elements, as of a Tile.

  int64_t GetShape(int dim) const { return shape_[dim]; }
  template <typename... Numbers, pto_detail::AllNumbers<Numbers...> = 0>
  void SetDynamicShape(Numbers... numbers) {
    static_assert(sizeof...(Numbers) <= dynamicDimCount, "ConvTile: more numbers than dynamic dimensions");
    const int64_t given[] = {pto_detail::Widen(numbers)..., 0};
    for (int i = 0, next = 0; i < totalDimCount; ++i) {
      if (isDynamicDim[i]) shape_[i] = next < static_cast<int>(sizeof...(Numbers)) ? given[next++] : 1;
    }
    Drop();
  }

  TileDType data() const { return buffer_.data(); }
  void Assign(int64_t address) {
    buffer_.Assign(address);
    Drop();
  }

  // The parameters of TIMG2COL for an image: the filter, its steps, the padding (left, right, top, bottom), and how
  // many channels hold data (0: all).
  uint16_t GetFmapH() const { return fmap_h_; }
  void SetFmapH(uint16_t rows) { fmap_h_ = rows; }
  uint16_t GetFmapW() const { return fmap_w_; }
  void SetFmapW(uint16_t cols) { fmap_w_ = cols; }
  uint8_t GetPadList(int side) const { return pad_list_[side]; }
  void SetPadList(int side, uint8_t elements) { pad_list_[side] = elements; }
  const uint8_t* GetPadListArray() const { return pad_list_; }
  void SetPadListArray(const uint8_t (&sides)[4]) {
    for (int i = 0; i < 4; ++i) pad_list_[i] = sides[i];
  }
  uint16_t GetFilterH() const { return filter_h_; }
  void SetFilterH(uint16_t rows) { filter_h_ = rows; }
  uint16_t GetFilterW() const { return filter_w_; }
  void SetFilterW(uint16_t cols) { filter_w_ = cols; }
  uint8_t GetDilationH() const { return dilation_h_; }
  void SetDilationH(uint8_t rows) { dilation_h_ = rows; }
  uint8_t GetDilationW() const { return dilation_w_; }
  void SetDilationW(uint8_t cols) { dilation_w_ = cols; }
  uint8_t GetStrideH() const { return stride_h_; }
  void SetStrideH(uint8_t rows) { stride_h_ = rows; }
  uint8_t GetStrideW() const { return stride_w_; }
  void SetStrideW(uint8_t cols) { stride_w_ = cols; }
  Element_ GetPadValue() const { return pad_value_; }
  void SetPadValue(Element_ value) { pad_value_ = value; }
  uint16_t GetChannelSize() const { return channel_size_; }
  void SetChannelSize(uint16_t channels) { channel_size_ = channels; }

  // How hardware repeats and where it puts what: results do not depend on it.
  uint16_t GetRepeatStride() const { return repeat_stride_; }
  void SetRepeatStride(uint16_t stride) { repeat_stride_ = stride; }
  uint8_t GetRepeatTime() const { return repeat_time_; }
  void SetRepeatTime(uint8_t times) { repeat_time_ = times; }
  uint8_t GetRepeatMode() const { return repeat_mode_; }
  void SetRepeatMode(uint8_t mode) { repeat_mode_ = mode; }
  bool GetTranspose() const { return transpose_; }
  void SetTranspose(bool transpose) { transpose_ = transpose; }
  uint16_t GetDstStride() const { return dst_stride_; }
  void SetDstStride(uint16_t stride) { dst_stride_ = stride; }
  uint16_t GetDstMposition() const { return dst_mposition_; }
  void SetDstMposition(uint16_t position) { dst_mposition_ = position; }

  // The five dimensions that transfers see.
  void Dims(int64_t (&dims)[5]) const {
    int64_t all[6] = {1, 1, 1, 1, 1, 1};
    for (int i = 0; i < totalDimCount; ++i) all[6 - totalDimCount + i] = shape_[i];
    dims[0] = all[0] * all[1];
    for (int i = 1; i < 5; ++i) dims[i] = all[i + 1];
  }

  // The tensor for calls of the C interface; made at the first use, owned by this object. Of six dimensions the first
  // two are one.
  pto_tensor* handle() const { return __builtin_expect(handle_.tensor != nullptr, 1) ? handle_.tensor : Make(); }

 private:
  void Drop() { handle_.Drop(); }
  [[gnu::cold, gnu::noinline]] pto_tensor* Make() const {
    pto_context* const ctx = CurrentContext();
    if (ctx == nullptr || buffer_.handle() == nullptr) return nullptr;
    int64_t dims[5];
    Dims(dims);
    int64_t strides[5] = {1, 1, 1, 1, 1};
    for (int i = 3; i >= 0; --i) strides[i] = strides[i + 1] * dims[i + 1];
    handle_.tensor =
        pto_detail::WrapStrided(ctx, pto_detail::DTypeOf<Element_>(), Layout_, dims, strides,
                                pto_tile_data(buffer_.handle()), pto_detail::Elements<Element_>::Bytes(BufferSize_));
    if (handle_.tensor == nullptr) pto_detail::RaiseFrom(ctx);
    return handle_.tensor;
  }

  Tile<Loc_, Element_, 1, BufferSize_> buffer_;
  mutable pto_detail::TensorHandle handle_;
  int64_t shape_[6] = {Shape_::staticShape[0], Shape_::staticShape[1], Shape_::staticShape[2],
                       Shape_::staticShape[3], Shape_::staticShape[4], Shape_::staticShape[5]};
  Element_ pad_value_{};
  uint16_t fmap_h_ = 0, fmap_w_ = 0, filter_h_ = 1, filter_w_ = 1;
  uint16_t channel_size_ = 0, repeat_stride_ = 0, dst_stride_ = 0, dst_mposition_ = 0;
  uint8_t pad_list_[4] = {};
  uint8_t dilation_h_ = 1, dilation_w_ = 1, stride_h_ = 1, stride_w_ = 1, repeat_time_ = 1, repeat_mode_ = 0;
  bool transpose_ = false;
};

namespace pto_detail {

template <TileType L_, typename E_, int B_, Layout O_, typename S_>
struct IsTensor<ConvTile<L_, E_, B_, O_, S_>> : std::true_type {};
template <typename T_>
struct IsConvTile : std::false_type {};
template <TileType L_, typename E_, int B_, Layout O_, typename S_>
struct IsConvTile<ConvTile<L_, E_, B_, O_, S_>> : std::true_type {};

template <typename ConvTileData, typename... WaitEvents>
inline RecordEvent SetOnHardware() {
  static_assert(IsConvTile<ConvTileData>::value,
                "the configuration must be the configuration of a ConvTile [operand-kind]");
  static_assert((kIsEvent<WaitEvents> && ...), "an argument after the operands is not an event [operand-kind]");
  return {};
}

}  // namespace pto_detail

template <typename T_>
struct is_conv_tile : std::bool_constant<pto_detail::IsConvTile<std::remove_cv_t<T_>>::value> {};
template <typename T_>
inline constexpr bool is_conv_tile_v = is_conv_tile<T_>::value;

template <typename ConvTileData, typename Address>
inline std::enable_if_t<is_conv_tile_v<ConvTileData> && std::is_integral_v<Address>> TASSIGN(ConvTileData& tile,
                                                                                             Address address) {
  tile.Assign(static_cast<int64_t>(address));
}

template <uint64_t kAddress, typename ConvTileData>
inline std::enable_if_t<is_conv_tile_v<ConvTileData>> TASSIGN(ConvTileData& tile) {
  static_assert(kAddress % 32 == 0, "TASSIGN: the address is not a multiple of 32 bytes [address-alignment]");
  static_assert(kAddress <= INT64_MAX, "TASSIGN: the address is beyond every memory [address-range]");
  tile.Assign(static_cast<int64_t>(kAddress));
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_CONV_TILE_HPP_
