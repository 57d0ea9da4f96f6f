// GlobalTensor: what TLOAD reads and TSTORE writes, the caller's memory seen through up to five dimensions.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_TENSOR_HPP_
#define PTO_PTO_TENSOR_HPP_

#include "pto/pto-context.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace detail {

// Five numbers, each of them known to the compiler or given at run time (DYNAMIC). Dimension 4 is innermost.
template <int64_t N0, int64_t N1, int64_t N2, int64_t N3, int64_t N4>
class Five {
 public:
  static constexpr int64_t kStatic[5] = {N0, N1, N2, N3, N4};
  static_assert(N0 >= DYNAMIC && N1 >= DYNAMIC && N2 >= DYNAMIC && N3 >= DYNAMIC && N4 >= DYNAMIC,
                "Shape, Stride: a number is 0 or more, or -1 (DYNAMIC) [tensor-dim]");
  static constexpr int kDynamic =
      (N0 == DYNAMIC) + (N1 == DYNAMIC) + (N2 == DYNAMIC) + (N3 == DYNAMIC) + (N4 == DYNAMIC);

  // The dynamic numbers from the outermost on, those that are left out being 1; or all five, of which the
  // static ones are not looked at.
  template <typename... Numbers, std::enable_if_t<(std::is_integral_v<Numbers> && ...), int> = 0>
  Five(Numbers... numbers) {
    constexpr int kCount = sizeof...(numbers);
    static_assert(kCount <= kDynamic || kCount == 5, "Shape, Stride: more numbers than dynamic dimensions");
    const int64_t given[] = {static_cast<int64_t>(numbers)..., 0};
    for (int i = 0, next = 0; i < 5; ++i) {
      if (kStatic[i] != DYNAMIC) {
        next += kCount == 5;
      } else {
        number_[i] = next < kCount ? given[next++] : 1;
      }
    }
  }

  constexpr int64_t operator[](int dim) const { return number_[dim]; }

 private:
  int64_t number_[5] = {N0, N1, N2, N3, N4};
};

}  // namespace detail

// Sizes of the dimensions.
template <int64_t N0 = DYNAMIC, int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC>
struct Shape : detail::Five<N0, N1, N2, N3, N4> {
  using detail::Five<N0, N1, N2, N3, N4>::Five;
};

// Elements from one index of a dimension to the next.
template <int64_t N0 = DYNAMIC, int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC>
struct Stride : detail::Five<N0, N1, N2, N3, N4> {
  using detail::Five<N0, N1, N2, N3, N4>::Five;
};

// The caller's memory as a tensor. Does not own the memory; a copy is another view of it.
//
// ND has its last dimension as the columns of a tile and the others as rows; DN has its last but one as
// rows and the others, the last fastest, as columns.
template <typename Element_, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
class GlobalTensor {
 public:
  using DType = Element_;
  using RawDType = std::remove_const_t<Element_>;
  static constexpr Layout layout = Layout_;
  static_assert(detail::DTypeOf<RawDType>() != detail::kNoDType,
                "GlobalTensor: the element type is none of int8_t to int64_t, uint8_t to uint64_t, half, bfloat16_t "
                "and float [dtype-known]");
  static_assert(Layout_ == Layout::ND || Layout_ == Layout::DN, "GlobalTensor: the layout is ND or DN [tensor-layout]");

  // Elements, or DYNAMIC where a dimension is.
  static constexpr int64_t kCount =
      Shape_::kDynamic > 0
          ? DYNAMIC
          : Shape_::kStatic[0] * Shape_::kStatic[1] * Shape_::kStatic[2] * Shape_::kStatic[3] * Shape_::kStatic[4];

  explicit GlobalTensor(Element_* data = nullptr, const Shape_& shape = Shape_(), const Stride_& stride = Stride_())
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
  template <int kDim>
  int64_t GetShape() const {
    static_assert(kDim >= 0 && kDim < 5, "GlobalTensor: a tensor has dimensions 0 to 4");
    return shape_[kDim];
  }
  template <int kDim>
  int64_t GetStride() const {
    static_assert(kDim >= 0 && kDim < 5, "GlobalTensor: a tensor has dimensions 0 to 4");
    return stride_[kDim];
  }

  // The tensor for calls of the C interface; made at the first use, owned by this object.
  pto_tensor* handle() const { return __builtin_expect(handle_ != nullptr, 1) ? handle_ : Make(); }

 private:
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
