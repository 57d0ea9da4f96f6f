// A tensor: up to five dimensions of elements anywhere in memory, each with a
// stride of its own. It stands for global memory, which tiles are loaded from and
// stored to. Windows of a tensor are tensors that share its memory.
#ifndef PTO_SRC_CORE_TENSOR_H_
#define PTO_SRC_CORE_TENSOR_H_

#include <cstdint>

#include "src/core/storage.h"
#include "src/ops/dtype.h"

namespace pto {

// Same values as pto_layout.
enum class TensorLayout : uint8_t { kND = 0, kDN = 1 };

inline constexpr int kMaxRank = 5;
inline constexpr int64_t kMaxTensorBytes = int64_t{1} << 40;

// Dimensions and strides stand at the end of the five: those before them are 1.
struct TensorShape {
  DType dtype = DType::kF32;
  TensorLayout layout = TensorLayout::kND;
  int32_t rank = 1;
  int64_t dim[kMaxRank] = {1, 1, 1, 1, 1};
  int64_t stride[kMaxRank] = {};  // elements

  int64_t Count() const { return dim[0] * dim[1] * dim[2] * dim[3] * dim[4]; }
  // The matrix that transfers see.
  int64_t MatrixRows() const { return layout == TensorLayout::kND ? dim[0] * dim[1] * dim[2] * dim[3] : dim[3]; }
  int64_t MatrixCols() const { return layout == TensorLayout::kND ? dim[4] : dim[0] * dim[1] * dim[2] * dim[4]; }
  // Elements from the first to behind the last; 0 for an empty tensor.
  int64_t Span() const {
    if (Count() == 0) return 0;
    int64_t last = 0;
    for (int i = 0; i < kMaxRank; ++i) last += (dim[i] - 1) * stride[i];
    return last + 1;
  }
};

}  // namespace pto

// The struct behind the public handle, hence its name and its place.
struct pto_tensor {
  pto::TensorShape shape;
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

#endif  // PTO_SRC_CORE_TENSOR_H_
