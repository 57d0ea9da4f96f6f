// GlobalTensor: what TLOAD reads and TSTORE writes, the caller's memory seen through up to five dimensions.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_TENSOR_HPP_
#define PTO_PTO_TENSOR_HPP_

#include "pto/pto-context.hpp"
#include "pto/pto-enums.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace pto_detail {

// A pointer does not have the size of its memory: assume the span of the largest tensor.
inline constexpr int64_t kLargestTensor = int64_t{1} << 40;
[[gnu::cold, gnu::noinline]] inline pto_tensor* WrapStrided(pto_context* ctx, int dtype, Layout layout,
                                                            const int64_t (&dims)[5], const int64_t (&strides)[5],
                                                            const void* data, int64_t bytes = kLargestTensor) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.dtype = static_cast<pto_dtype>(dtype);
  desc.layout = static_cast<pto_layout>(layout);
  desc.rank = 5;
  desc.strided = 1;
  desc.dim0 = dims[0];
  desc.dim1 = dims[1];
  desc.dim2 = dims[2];
  desc.dim3 = dims[3];
  desc.dim4 = dims[4];
  desc.stride0 = strides[0];
  desc.stride1 = strides[1];
  desc.stride2 = strides[2];
  desc.stride3 = strides[3];
  desc.stride4 = strides[4];
  return pto_tensor_wrap(ctx, &desc, const_cast<void*>(data), bytes);
}

// Any integer, what converts to one included.
template <typename... Numbers>
using AllNumbers =
    std::enable_if_t<((std::is_convertible_v<Numbers, int64_t> && !std::is_floating_point_v<Numbers>)&&...), int>;

template <typename Number>
constexpr int64_t Widen(Number number) {
  if constexpr (std::is_same_v<Number, int64_t>) {
    return number;
  } else {
    return static_cast<int64_t>(number);
  }
}

// Five numbers, each of them known to the compiler or given at run time (DYNAMIC). Dimension 4 is innermost.
template <int64_t... kNumbers>
struct Five {
  static_assert(((kNumbers >= DYNAMIC) && ...), "Shape, Stride: a number is 0 or more, or -1 (DYNAMIC) [tensor-dim]");
  static constexpr int kDynamic = ((kNumbers == DYNAMIC) + ...);

  // Sets the dynamic numbers, from the outermost on; numbers that are left out become 1. If all five are given, the
  // static ones are ignored.
  template <typename... Numbers>
  static constexpr void Set(int64_t (&all)[5], Numbers... numbers) {
    constexpr int kCount = sizeof...(numbers);
    static_assert(kCount <= kDynamic || kCount == 5, "Shape, Stride: more numbers than dynamic dimensions");
    const int64_t given[] = {Widen(numbers)..., 0};
    for (int i = 0, next = 0; i < 5; ++i) {
      if (all[i] != DYNAMIC) {
        next += kCount == 5;
      } else {
        all[i] = next < kCount ? given[next++] : 1;
      }
    }
  }
};

// Which dimensions of a layout give the rows of a matrix, bit 1 << dimension each; the others give its columns. 0 if
// the layout is not an order of a matrix: see pto_layout.
constexpr unsigned RowDims(Layout layout) {
  constexpr unsigned kLast = 16;
  switch (layout) {
    case Layout::ND:
    case Layout::NHWC:
      return 15;
    case Layout::DN:
    case Layout::MX_A_DN:
      return 8;
    case Layout::NZ:
    case Layout::FRACTAL_Z:
    case Layout::FRACTAL_Z_S16S8:
    case Layout::FRACTAL_Z_3D:
      return 4 | 8;
    case Layout::MX_A_ND:
      return 1 | 2 | 4;
    case Layout::MX_A_ZZ:
    case Layout::HIF4_A_ZZ:
      return 1 | 2 | 8;
    case Layout::MX_B_ND:
      return 1 | 2 | 4 | kLast;
    case Layout::MX_B_DN:
      return 8 | kLast;
    case Layout::MX_B_NN:
    case Layout::HIF4_B_NN:
      return 4 | kLast;
    case Layout::NC1HWC0:
    case Layout::GNC1HWC0:
    case Layout::NDC1HWC0:
      return 1 | 4 | 8;
    case Layout::NCHW:
    case Layout::GNCHW:
      return 1 | 2 | 8 | kLast;
    case Layout::NCDHW:
      return 1 | 4 | 8 | kLast;
    default:
      return 0;
  }
}

// The product of the numbers of some dimensions.
constexpr int64_t ProductOf(const int64_t (&numbers)[5], unsigned dims) {
  int64_t product = 1;
  for (int d = 0; d < 5; ++d) {
    if ((dims >> d & 1) == 0) continue;
    if (numbers[d] == DYNAMIC) return DYNAMIC;
    product *= numbers[d];
  }
  return product;
}

}  // namespace pto_detail

// Sizes of the dimensions. Made from the numbers of the dynamic ones, from the outermost on (those that are left out
// are 1), or from all five; `Shape s(1, 1, 1, r, c)` has no static ones.
template <int64_t N0 = DYNAMIC, int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC>
struct Shape : pto_detail::Five<N0, N1, N2, N3, N4> {
  static constexpr int64_t staticShape[5] = {N0, N1, N2, N3, N4};
  int64_t shape[5] = {N0, N1, N2, N3, N4};
  template <typename... Numbers, pto_detail::AllNumbers<Numbers...> = 0>
  constexpr Shape(Numbers... numbers) {
    this->Set(shape, numbers...);
  }
  constexpr int64_t operator[](int dim) const { return shape[dim]; }
};
template <typename... Numbers, pto_detail::AllNumbers<Numbers...> = 0>
Shape(Numbers...) -> Shape<>;

// Elements from one index of a dimension to the next; made as a Shape is.
template <int64_t N0 = DYNAMIC, int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC>
struct Stride : pto_detail::Five<N0, N1, N2, N3, N4> {
  static constexpr int64_t staticStride[5] = {N0, N1, N2, N3, N4};
  int64_t stride[5] = {N0, N1, N2, N3, N4};
  template <typename... Numbers, pto_detail::AllNumbers<Numbers...> = 0>
  constexpr Stride(Numbers... numbers) {
    this->Set(stride, numbers...);
  }
  constexpr int64_t operator[](int dim) const { return stride[dim]; }
};
template <typename... Numbers, pto_detail::AllNumbers<Numbers...> = 0>
Stride(Numbers...) -> Stride<>;

// The caller's memory as a tensor. Does not own the memory; a copy is another view of it.
//
// ND has its last dimension as the columns of a tile and the others as rows; DN has its last but one as
// rows and the others, the last fastest, as columns; the other layouts are pto_layout's.
template <typename Element_, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
class GlobalTensor {
  using Held = pto_detail::Elements<std::remove_const_t<Element_>>;
  using Element = typename Held::Element;
  static constexpr bool IsDimension(int dim) { return dim >= 0 && dim < 5; }
  static constexpr bool IsStatic(const int64_t (&numbers)[5], int dim) {
    return IsDimension(dim) && numbers[dim] != DYNAMIC;
  }
  static constexpr bool IsDynamic(const int64_t (&numbers)[5], int dim) {
    return IsDimension(dim) && numbers[dim] == DYNAMIC;
  }

 public:
  using DType = Element_;
  using RawDType = std::remove_const_t<Element_>;
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr Layout layout = Layout_;
  static constexpr const int64_t (&staticShape)[5] = Shape_::staticShape;
  static constexpr const int64_t (&staticStride)[5] = Stride_::staticStride;
  static_assert(pto_detail::DTypeOf<RawDType>() != pto_detail::kNoDType,
                "GlobalTensor: the element type must be one of int8_t to int64_t, uint8_t to uint64_t, half, "
                "bfloat16_t, float, floats of a byte and packed types [dtype-known]");
  static_assert(pto_detail::RowDims(Layout_) != 0,
                "GlobalTensor: the layout does not describe a matrix [tensor-layout]");

  // The rows and columns of the matrix that transfers see, and its elements; DYNAMIC where a dimension is.
  // The dimensions n, d, c1, h and w do not include the block of channels.
  static constexpr bool kSix = Layout_ == Layout::NDC1HWC0;
  static constexpr int64_t kMatrixRows =
      kSix ? DYNAMIC : pto_detail::ProductOf(staticShape, pto_detail::RowDims(Layout_));
  static constexpr int64_t kMatrixCols =
      kSix ? DYNAMIC : pto_detail::ProductOf(staticShape, ~pto_detail::RowDims(Layout_));
  static constexpr int64_t kCount = pto_detail::ProductOf(staticShape, ~0U);

  GlobalTensor(Element_* data = nullptr, const Shape_& shape = Shape_(), const Stride_& stride = Stride_())
      : data_(data), shape_(shape), stride_(stride) {}
  GlobalTensor(const GlobalTensor& other) : data_(other.data_), shape_(other.shape_), stride_(other.stride_) {}
  GlobalTensor& operator=(const GlobalTensor& other) {
    shape_ = other.shape_;
    stride_ = other.stride_;
    SetAddr(other.data_);
    return *this;
  }
  ~GlobalTensor() { pto_tensor_release(handle_); }

  // The element whose indices are all 0.
  Element_* data() const { return data_; }
  void SetAddr(Element_* data) {
    pto_tensor_release(handle_);
    handle_ = nullptr;
    data_ = data;
  }
  // Dimension 0 is the outermost, 4 the innermost.
  int64_t GetShape(int dim) const { return shape_[dim]; }
  int64_t GetStride(int dim) const { return stride_[dim]; }
  template <int kDim, std::enable_if_t<IsStatic(Shape_::staticShape, kDim), int> = 0>
  static constexpr int64_t GetShape() {
    return Shape_::staticShape[kDim];
  }
  template <int kDim, std::enable_if_t<!IsStatic(Shape_::staticShape, kDim), int> = 0>
  int64_t GetShape() const {
    static_assert(IsDimension(kDim), "GlobalTensor: a tensor has dimensions 0 to 4");
    return shape_.shape[kDim];
  }
  template <int kDim, std::enable_if_t<IsStatic(Stride_::staticStride, kDim), int> = 0>
  static constexpr int64_t GetStride() {
    return Stride_::staticStride[kDim];
  }
  template <int kDim, std::enable_if_t<!IsStatic(Stride_::staticStride, kDim), int> = 0>
  int64_t GetStride() const {
    static_assert(IsDimension(kDim), "GlobalTensor: a tensor has dimensions 0 to 4");
    return stride_.stride[kDim];
  }

  // Set dynamic dimensions: SetShape<3, 4>(rows, cols).
  template <int... kDims, typename... Numbers>
  void SetShape(Numbers... numbers) {
    static_assert(sizeof...(kDims) == sizeof...(numbers), "GlobalTensor::SetShape: one number for each dimension");
    static_assert((IsDynamic(Shape_::staticShape, kDims) && ...),
                  "GlobalTensor::SetShape: this dimension is fixed by the type: make it DYNAMIC");
    ((shape_.shape[kDims] = pto_detail::Widen(numbers)), ...);
    SetAddr(data_);
  }
  template <int... kDims, typename... Numbers>
  void SetStride(Numbers... numbers) {
    static_assert(sizeof...(kDims) == sizeof...(numbers), "GlobalTensor::SetStride: one number for each dimension");
    static_assert((IsDynamic(Stride_::staticStride, kDims) && ...),
                  "GlobalTensor::SetStride: this dimension is fixed by the type: make it DYNAMIC");
    ((stride_.stride[kDims] = pto_detail::Widen(numbers)), ...);
    SetAddr(data_);
  }

  // The element at an offset from the first one, which is not checked, as with a pointer; or the element at five
  // indices. Of a packed type it is one of the two in a byte.
  Element GetElement(int64_t offset) const { return Held::At(data_, offset); }
  void SetElement(int64_t offset, Element value) { Held::At(data_, offset) = value; }
  void AddToElement(int64_t offset, Element value) { SetElement(offset, pto_detail::Sum(GetElement(offset), value)); }
  Element GetElement(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4) const {
    const int64_t at[5] = {i0, i1, i2, i3, i4};
    return Inside(at) ? GetElement(Offset(at)) : Element(0);
  }
  void SetElement(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4, Element value) {
    const int64_t at[5] = {i0, i1, i2, i3, i4};
    if (Inside(at)) SetElement(Offset(at), value);
  }
  void AddToElement(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4, Element value) {
    const int64_t at[5] = {i0, i1, i2, i3, i4};
    if (Inside(at)) AddToElement(Offset(at), value);
  }

  // The tensor for calls of the C interface; made at the first use, owned by this object.
  pto_tensor* handle() const { return __builtin_expect(handle_ != nullptr, 1) ? handle_ : Make(); }

 private:
  bool Inside(const int64_t (&at)[5]) const {
    for (int i = 0; i < 5; ++i) {
      if (at[i] >= 0 && at[i] < shape_[i]) continue;
      pto_detail::Raise(PTO_ERROR_ARGUMENT, "element-range", "",
                        pto_detail::Say("index %lld of dimension %d, which has %lld", static_cast<long long>(at[i]), i,
                                        static_cast<long long>(shape_[i]))
                            .text,
                        "Use indices of the tensor.");
      return false;
    }
    return true;
  }
  int64_t Offset(const int64_t (&at)[5]) const {
    int64_t offset = 0;
    for (int i = 0; i < 5; ++i) offset += at[i] * stride_[i];
    return offset;
  }

  [[gnu::cold, gnu::noinline]] pto_tensor* Make() const {
    pto_context* const ctx = CurrentContext();
    if (ctx == nullptr) return nullptr;
    int64_t dims[] = {shape_[0], shape_[1], shape_[2], shape_[3], shape_[4]};
    int64_t strides[] = {stride_[0], stride_[1], stride_[2], stride_[3], stride_[4]};
    if (Layout_ == Layout::NDC1HWC0) {
      // The C interface has n and d as one dimension, and c0 as the last one.
      if (dims[0] != 1 && dims[1] != 1 && strides[0] != dims[1] * strides[1]) {
        pto_detail::Raise(PTO_ERROR_LAYOUT, "tensor-stride", "stride0",
                          "n and d of an NDC1HWC0 tensor have gaps between them",
                          "Make the stride of n the stride of d times the number of d, or load one n at a time.");
        return nullptr;
      }
      strides[0] = dims[1] == 1 ? strides[0] : strides[1];
      dims[0] *= dims[1];
      for (int i = 1; i < 4; ++i) {
        dims[i] = shape_[i + 1];
        strides[i] = stride_[i + 1];
      }
      dims[4] = 32 / int64_t{sizeof(RawDType)} * Held::kEach;
      strides[4] = 1;
    }
    handle_ = pto_detail::WrapStrided(ctx, pto_detail::DTypeOf<RawDType>(), Layout_, dims, strides, data_);
    if (handle_ == nullptr) pto_detail::RaiseFrom(ctx);
    return handle_;
  }

  Element_* data_;
  Shape_ shape_;
  Stride_ stride_;
  mutable pto_tensor* handle_ = nullptr;
};

namespace pto_detail {

// A dense matrix of rows x cols elements, c0 of them in 32 bytes, in a layout for matrices: dimensions and strides.
struct Matrix {
  int64_t shape[5];
  int64_t stride[5];
};
constexpr Matrix MatrixOf(Layout layout, int64_t c0, int64_t rows, int64_t cols) {
  const int64_t n = rows * cols;
  switch (layout) {
    case Layout::DN:
      return {{1, 1, 1, rows, cols}, {n, n, n, 1, rows}};
    case Layout::NZ:
      return {{1, cols / c0, rows / 16, 16, c0}, {n, rows * c0, 16 * c0, c0, 1}};
    case Layout::MX_A_ND:
      return {{1, 1, rows, cols / 2, 2}, {n, n, cols, 2, 1}};
    case Layout::MX_A_DN:
      return {{1, 1, cols / 2, rows, 2}, {n, n, 2 * rows, 2, 1}};
    case Layout::MX_A_ZZ:
      return {{1, rows / 16, cols / 2, 16, 2}, {n, cols * 16, 32, 2, 1}};
    case Layout::MX_B_ND:
      return {{1, 1, rows / 2, cols, 2}, {n, n, 2 * cols, 2, 1}};
    case Layout::MX_B_DN:
      return {{1, 1, cols, rows / 2, 2}, {n, n, rows, 2, 1}};
    case Layout::MX_B_NN:
      return {{1, cols / 16, rows / 2, 16, 2}, {n, rows * 16, 32, 2, 1}};
    case Layout::HIF4_A_ZZ:  // columns count groups of four
      return {{1, rows / 16, cols, 16, 4}, {4 * n, cols * 64, 64, 4, 1}};
    case Layout::HIF4_B_NN:  // and here rows do
      return {{1, cols / 16, rows, 16, 4}, {4 * n, rows * 64, 64, 4, 1}};
    default:
      return {{1, 1, 1, rows, cols}, {n, n, n, cols, 1}};
  }
}

constexpr bool IsMatrix(Layout layout) {
  return layout == Layout::ND || layout == Layout::DN || layout == Layout::NZ ||
         (layout >= Layout::MX_A_ND && layout <= Layout::HIF4_B_NN);
}

template <typename Element, int64_t Rows, int64_t Cols, Layout L_>
struct Matrix2D {
  static_assert(IsMatrix(L_), "TileShape2D, BaseShape2D: the layout has no form of two dimensions [tensor-layout]");
  static constexpr bool kKnown = Rows != DYNAMIC && Cols != DYNAMIC;
  static constexpr bool kHalf = (Rows == DYNAMIC) != (Cols == DYNAMIC);

  static constexpr Matrix Of(int64_t rows, int64_t cols) {
    constexpr int64_t kC0 = 32 / int64_t{sizeof(Element)} * Elements<Element>::kEach;
    return MatrixOf(L_, kC0, Rows == DYNAMIC ? rows : Rows, Cols == DYNAMIC ? cols : Cols);
  }
  // The compiler knows what two different matrices have in common.
  static constexpr Matrix kOne = Of(64, 128);
  static constexpr Matrix kOther = Of(256, 1024);
  static constexpr int64_t Dim(int d) { return kOne.shape[d] == kOther.shape[d] ? kOne.shape[d] : DYNAMIC; }
  static constexpr int64_t Step(int d) { return kOne.stride[d] == kOther.stride[d] ? kOne.stride[d] : DYNAMIC; }
  using Shapes = Shape<Dim(0), Dim(1), Dim(2), Dim(3), Dim(4)>;
  using Strides = Stride<Step(0), Step(1), Step(2), Step(3), Step(4)>;
};

}  // namespace pto_detail

// A matrix in a layout as the shape of a tensor. It is made of rows and columns, or of the one which is DYNAMIC.
template <typename Element, int64_t Rows = DYNAMIC, int64_t Cols = DYNAMIC, Layout L_ = Layout::ND>
struct TileShape2D : pto_detail::Matrix2D<Element, Rows, Cols, L_>::Shapes {
 private:
  using Of = pto_detail::Matrix2D<Element, Rows, Cols, L_>;
  constexpr explicit TileShape2D(const pto_detail::Matrix& m)
      : Of::Shapes(m.shape[0], m.shape[1], m.shape[2], m.shape[3], m.shape[4]) {}

 public:
  constexpr TileShape2D() {}
  template <typename N_, pto_detail::AllNumbers<N_> = 0, std::enable_if_t<Of::kHalf && sizeof(N_) != 0, int> = 0>
  constexpr TileShape2D(N_ number) : TileShape2D(Of::Of(number, number)) {}
  constexpr TileShape2D(int64_t rows, int64_t cols) : TileShape2D(Of::Of(rows, cols)) {}
};

// The strides of a dense one, made alike.
template <typename Element, int64_t Rows = DYNAMIC, int64_t Cols = DYNAMIC, Layout L_ = Layout::ND>
struct BaseShape2D : pto_detail::Matrix2D<Element, Rows, Cols, L_>::Strides {
 private:
  using Of = pto_detail::Matrix2D<Element, Rows, Cols, L_>;
  constexpr explicit BaseShape2D(const pto_detail::Matrix& m)
      : Of::Strides(m.stride[0], m.stride[1], m.stride[2], m.stride[3], m.stride[4]) {}

 public:
  template <bool known = Of::kKnown, std::enable_if_t<known, int> = 0>
  constexpr BaseShape2D() {}
  template <typename N_, pto_detail::AllNumbers<N_> = 0, std::enable_if_t<Of::kHalf && sizeof(N_) != 0, int> = 0>
  constexpr BaseShape2D(N_ number) : BaseShape2D(Of::Of(number, number)) {}
  constexpr BaseShape2D(int64_t rows, int64_t cols) : BaseShape2D(Of::Of(rows, cols)) {}
};

namespace pto_detail {

template <typename T_>
struct IsGlobal : std::false_type {};
template <typename E_, typename S_, typename D_, Layout L_>
struct IsGlobal<GlobalTensor<E_, S_, D_, L_>> : std::true_type {};
template <typename T_>
inline constexpr bool kIsGlobal = IsGlobal<std::remove_cv_t<T_>>::value;
// A tensor of the C interface: a GlobalTensor, or a ConvTile.
template <typename T_>
struct IsTensor : IsGlobal<T_> {};
template <typename T_>
inline constexpr bool kIsTensor = IsTensor<std::remove_cv_t<T_>>::value;

}  // namespace pto_detail

// Whether a type is a GlobalTensor.
template <typename T_>
struct is_global : std::bool_constant<pto_detail::kIsGlobal<T_>> {};
template <typename T_>
inline constexpr bool is_global_data_v = pto_detail::kIsGlobal<T_>;

// Points a tensor at memory.
template <typename GlobalData, typename Pointer>
inline std::enable_if_t<pto_detail::kIsGlobal<GlobalData>> TASSIGN(GlobalData& tensor, Pointer data) {
  static_assert(std::is_convertible_v<Pointer, typename GlobalData::DType*>,
                "TASSIGN: the address of a tensor is a pointer to its element type");
  tensor.SetAddr(data);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_TENSOR_HPP_
