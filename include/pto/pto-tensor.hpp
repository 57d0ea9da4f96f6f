// GlobalTensor: what TLOAD reads and TSTORE writes, the caller's memory seen through up to five dimensions.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_TENSOR_HPP_
#define PTO_PTO_TENSOR_HPP_

#include "pto/pto-context.hpp"
#include "pto/pto-enums.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace detail {

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

  // Sets the dynamic numbers of all five, from the outermost on, those that are left out to 1; or all five are given,
  // of which the static ones are not looked at.
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

template <typename... Numbers>
constexpr int64_t Product(Numbers... numbers) {
  return ((numbers == DYNAMIC) || ...) ? DYNAMIC : (int64_t{1} * ... * numbers);
}

}  // namespace detail

// Sizes of the dimensions. Made from the numbers of the dynamic ones, from the outermost on (those that are left out
// are 1), or from all five; `Shape s(1, 1, 1, r, c)` has no static ones.
template <int64_t N0 = DYNAMIC, int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC>
struct Shape : detail::Five<N0, N1, N2, N3, N4> {
  static constexpr int64_t staticShape[5] = {N0, N1, N2, N3, N4};
  int64_t shape[5] = {N0, N1, N2, N3, N4};
  template <typename... Numbers, detail::AllNumbers<Numbers...> = 0>
  constexpr Shape(Numbers... numbers) {
    this->Set(shape, numbers...);
  }
  constexpr int64_t operator[](int dim) const { return shape[dim]; }
};
template <typename... Numbers, detail::AllNumbers<Numbers...> = 0>
Shape(Numbers...) -> Shape<>;

// Elements from one index of a dimension to the next; made as a Shape is.
template <int64_t N0 = DYNAMIC, int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC>
struct Stride : detail::Five<N0, N1, N2, N3, N4> {
  static constexpr int64_t staticStride[5] = {N0, N1, N2, N3, N4};
  int64_t stride[5] = {N0, N1, N2, N3, N4};
  template <typename... Numbers, detail::AllNumbers<Numbers...> = 0>
  constexpr Stride(Numbers... numbers) {
    this->Set(stride, numbers...);
  }
  constexpr int64_t operator[](int dim) const { return stride[dim]; }
};
template <typename... Numbers, detail::AllNumbers<Numbers...> = 0>
Stride(Numbers...) -> Stride<>;

// The caller's memory as a tensor. Does not own the memory; a copy is another view of it.
//
// ND has its last dimension as the columns of a tile and the others as rows; DN has its last but one as
// rows and the others, the last fastest, as columns.
template <typename Element_, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
class GlobalTensor {
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
  static_assert(detail::DTypeOf<RawDType>() != detail::kNoDType,
                "GlobalTensor: the element type is none of int8_t to int64_t, uint8_t to uint64_t, half, bfloat16_t "
                "and float [dtype-known]");
  static_assert(Layout_ == Layout::ND || Layout_ == Layout::DN, "GlobalTensor: the layout is ND or DN [tensor-layout]");

  // The rows and columns of the matrix that transfers see, and its elements; DYNAMIC where a dimension is.
  static constexpr int64_t kMatrixRows =
      Layout_ == Layout::ND ? detail::Product(staticShape[0], staticShape[1], staticShape[2], staticShape[3])
                            : staticShape[3];
  static constexpr int64_t kMatrixCols =
      Layout_ == Layout::ND ? staticShape[4]
                            : detail::Product(staticShape[0], staticShape[1], staticShape[2], staticShape[4]);
  static constexpr int64_t kCount = detail::Product(kMatrixRows, kMatrixCols);

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
                  "GlobalTensor::SetShape: a dimension of this type is fixed: make it DYNAMIC");
    ((shape_.shape[kDims] = detail::Widen(numbers)), ...);
    SetAddr(data_);
  }
  template <int... kDims, typename... Numbers>
  void SetStride(Numbers... numbers) {
    static_assert(sizeof...(kDims) == sizeof...(numbers), "GlobalTensor::SetStride: one number for each dimension");
    static_assert((IsDynamic(Stride_::staticStride, kDims) && ...),
                  "GlobalTensor::SetStride: a dimension of this type is fixed: make it DYNAMIC");
    ((stride_.stride[kDims] = detail::Widen(numbers)), ...);
    SetAddr(data_);
  }

  // The element at an offset from the first one, which is not looked at, as with a pointer; or that of five indices.
  RawDType GetElement(int64_t offset) const { return data_[offset]; }
  void SetElement(int64_t offset, RawDType value) { data_[offset] = value; }
  void AddToElement(int64_t offset, RawDType value) { data_[offset] = detail::Sum(data_[offset], value); }
  RawDType GetElement(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4) const {
    const int64_t at[5] = {i0, i1, i2, i3, i4};
    return Inside(at) ? GetElement(Offset(at)) : RawDType(0);
  }
  void SetElement(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4, RawDType value) {
    const int64_t at[5] = {i0, i1, i2, i3, i4};
    if (Inside(at)) SetElement(Offset(at), value);
  }
  void AddToElement(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4, RawDType value) {
    const int64_t at[5] = {i0, i1, i2, i3, i4};
    if (Inside(at)) AddToElement(Offset(at), value);
  }

  // The tensor for calls of the C interface; made at the first use, owned by this object.
  pto_tensor* handle() const { return __builtin_expect(handle_ != nullptr, 1) ? handle_ : Make(); }

 private:
  bool Inside(const int64_t (&at)[5]) const {
    for (int i = 0; i < 5; ++i) {
      if (at[i] >= 0 && at[i] < shape_[i]) continue;
      detail::Raise(PTO_ERROR_ARGUMENT, "element-range", "",
                    detail::Say("index %lld of dimension %d, which has %lld", static_cast<long long>(at[i]), i,
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
    pto_tensor_desc desc{};
    desc.struct_size = sizeof(desc);
    desc.dtype = static_cast<pto_dtype>(detail::DTypeOf<RawDType>());
    desc.layout = static_cast<pto_layout>(Layout_);
    desc.rank = 5;
    desc.strided = 1;
    desc.dim0 = shape_[0];
    desc.dim1 = shape_[1];
    desc.dim2 = shape_[2];
    desc.dim3 = shape_[3];
    desc.dim4 = shape_[4];
    desc.stride0 = stride_[0];
    desc.stride1 = stride_[1];
    desc.stride2 = stride_[2];
    desc.stride3 = stride_[3];
    desc.stride4 = stride_[4];
    // A pointer does not say how much memory there is: as much as the largest tensor may span.
    constexpr int64_t kLargest = int64_t{1} << 40;
    handle_ = pto_tensor_wrap(ctx, &desc, const_cast<RawDType*>(data_), kLargest);
    if (handle_ == nullptr) detail::RaiseFrom(ctx);
    return handle_;
  }

  Element_* data_;
  Shape_ shape_;
  Stride_ stride_;
  mutable pto_tensor* handle_ = nullptr;
};

// A matrix as the shape of a tensor, and as the strides of a dense one.
template <typename Element, int64_t Rows = DYNAMIC, int64_t Cols = DYNAMIC, Layout = Layout::ND>
struct TileShape2D : Shape<1, 1, 1, Rows, Cols> {
  using Shape<1, 1, 1, Rows, Cols>::Shape;
};

namespace detail {

template <int64_t Rows, int64_t Cols, Layout L>
using Stride2D =
    std::conditional_t<(Rows == DYNAMIC || Cols == DYNAMIC),
                       std::conditional_t<L == Layout::ND, Stride<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, 1>,
                                          Stride<DYNAMIC, DYNAMIC, DYNAMIC, 1, DYNAMIC>>,
                       std::conditional_t<L == Layout::ND, Stride<Rows * Cols, Rows * Cols, Rows * Cols, Cols, 1>,
                                          Stride<Rows * Cols, Rows * Cols, Rows * Cols, 1, Rows>>>;

}  // namespace detail

template <typename Element, int64_t Rows = DYNAMIC, int64_t Cols = DYNAMIC, Layout L = Layout::ND>
struct BaseShape2D : detail::Stride2D<Rows, Cols, L> {
  static constexpr bool kKnown = Rows != DYNAMIC && Cols != DYNAMIC;
  template <bool known = kKnown, std::enable_if_t<known, int> = 0>
  BaseShape2D() {}
  // Rows and columns of the dense matrix.
  BaseShape2D(int64_t rows, int64_t cols)
      : detail::Stride2D<Rows, Cols, L>(rows * cols, rows * cols, rows * cols, L == Layout::ND ? cols : 1,
                                        L == Layout::ND ? 1 : rows) {}
};

namespace detail {

template <typename T>
struct IsTensor : std::false_type {};
template <typename E, typename S, typename D, Layout L>
struct IsTensor<GlobalTensor<E, S, D, L>> : std::true_type {};
template <typename T>
inline constexpr bool kIsTensor = IsTensor<std::remove_cv_t<T>>::value;

}  // namespace detail

// Whether a type is a GlobalTensor.
template <typename T>
struct is_global : std::bool_constant<detail::kIsTensor<T>> {};
template <typename T>
inline constexpr bool is_global_data_v = detail::kIsTensor<T>;

// Points a tensor at memory.
template <typename GlobalData, typename Pointer>
inline std::enable_if_t<detail::kIsTensor<GlobalData>> TASSIGN(GlobalData& tensor, Pointer data) {
  static_assert(std::is_convertible_v<Pointer, typename GlobalData::DType*>,
                "TASSIGN: the address of a tensor is a pointer to its element type");
  tensor.SetAddr(data);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_TENSOR_HPP_
