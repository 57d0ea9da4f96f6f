// A tensor: up to five dimensions of elements anywhere in memory, each with a
// stride of its own. It represents global memory, which tiles are loaded from and
// stored to. Windows of a tensor are tensors that share its memory.
#ifndef PTO_SRC_OBJECTS_TENSOR_H_
#define PTO_SRC_OBJECTS_TENSOR_H_

#include <compare>
#include <cstddef>
#include <cstdint>

#include "src/objects/storage.h"
#include "src/records/dtype.h"
#include "src/records/tensor_layout.h"

namespace pto {

inline constexpr int kMaxRank = 5;
inline constexpr int64_t kMaxTensorBytes = int64_t{1} << 40;

// Dimensions and strides fill the end of the five; the leading dimensions are 1.
struct TensorShape {
  DType dtype = DType::kF32;
  TensorLayout layout = TensorLayout::kND;
  int32_t rank = 1;
  int64_t dim[kMaxRank] = {1, 1, 1, 1, 1};
  int64_t stride[kMaxRank] = {};  // elements

  int64_t Count() const { return dim[0] * dim[1] * dim[2] * dim[3] * dim[4]; }
  // Elements from the first to the end of the last; 0 for an empty tensor.
  int64_t Span() const {
    if (Count() == 0) return 0;
    int64_t last = 0;
    for (int i = 0; i < kMaxRank; ++i) last += (dim[i] - 1) * stride[i];
    return last + 1;
  }
  // Where row `i` of the rows of the last dimension begins, without regard to layout.
  int64_t RowOffset(int64_t i) const {
    return i / (dim[1] * dim[2] * dim[3]) * stride[0] + i / (dim[2] * dim[3]) % dim[1] * stride[1] +
           i / dim[3] % dim[2] * stride[2] + i % dim[3] * stride[3];
  }
};

// The rows or the columns of a tensor's matrix: dimensions, the fastest first, those that run on as one.
struct MatrixAxis {
  int64_t extent = 1;
  int count = 1;
  int64_t dim[kMaxRank] = {1};
  int64_t stride[kMaxRank] = {1};

  // Elements from the first row or column to another.
  int64_t Offset(int64_t index) const {
    if (index < dim[0]) return index * stride[0];  // most of them, and divisions are slow
    int64_t at = 0;
    for (int i = 0; i + 1 < count; ++i) {
      at += index % dim[i] * stride[i];
      index /= dim[i];
    }
    return at + index * stride[count - 1];
  }
};

// A tensor as the matrix that transfers see.
struct MatrixView {
  MatrixAxis rows;
  MatrixAxis cols;
  bool injective = true;  // no two elements share a place, as far as strides say without search

  static MatrixView Of(const TensorShape& shape);
};

// Two elements of a matrix in one place.
struct Meeting {
  struct Element {
    int64_t row;
    int64_t col;
    auto operator<=>(const Element&) const = default;
  };
  Element earlier;
  Element later;
};

// Whether two elements of the window of rows x cols at the origin of a matrix that has them share a place: the first
// one in row order that shares one with an earlier one, and the first of these. Takes no memory, and
// where the window is long far fewer steps than it has elements.
bool FindMeeting(const MatrixView& view, int64_t rows, int64_t cols, Meeting* found);

}  // namespace pto

// The struct of the public handle, hence its name and its place.
struct pto_tensor {
  pto::TensorShape shape;
  pto::MatrixView view;
  uint8_t* data = nullptr;  // first element
  int64_t bytes = 0;        // Span() in bytes
  pto::Storage* storage = nullptr;
  pto::RefCount refs;
};

namespace pto {

// A tensor at `data` in storage, to which it counts a reference of its own;
// nullptr when memory is out.
pto_tensor* NewTensor(const TensorShape& shape, Storage* storage, uint8_t* data);
void RetainTensor(const pto_tensor* tensor);
void ReleaseTensor(pto_tensor* tensor);

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_TENSOR_H_
