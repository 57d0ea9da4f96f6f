// Making and releasing tensors.
#include "src/core/tensor.h"

#include <algorithm>
#include <new>

namespace pto {

namespace {

// Sufficient for no two elements to share a place: each dimension, by growing
// stride, steps over all that the smaller ones reach.
bool Injective(const TensorShape& shape) {
  int order[kMaxRank] = {0, 1, 2, 3, 4};
  std::sort(order, order + kMaxRank, [&](int x, int y) { return shape.stride[x] < shape.stride[y]; });
  int64_t reach = 0;
  for (const int i : order) {
    if (shape.dim[i] == 1) continue;
    if (shape.stride[i] <= reach) return false;
    reach += (shape.dim[i] - 1) * shape.stride[i];
  }
  return true;
}

}  // namespace

MatrixView MatrixView::Of(const TensorShape& shape) {
  MatrixView view;
  view.injective = Injective(shape);
  bool begun[2] = {};
  for (int d = kMaxRank - 1; d >= 0; --d) {
    const bool of_rows = (OrderOf(shape.layout).rows >> d & 1) != 0;
    MatrixAxis& axis = of_rows ? view.rows : view.cols;
    axis.extent *= shape.dim[d];
    if (shape.dim[d] == 1) continue;
    int last = axis.count - 1;
    if (begun[of_rows] && shape.stride[d] == axis.dim[last] * axis.stride[last]) {
      axis.dim[last] *= shape.dim[d];
      continue;
    }
    last += begun[of_rows];
    begun[of_rows] = true;
    axis.dim[last] = shape.dim[d];
    axis.stride[last] = shape.stride[d];
    axis.count = last + 1;
  }
  return view;
}

pto_tensor* NewTensor(const TensorShape& shape, Storage* storage, uint8_t* data) {
  auto* tensor = new (std::nothrow) pto_tensor;
  if (tensor == nullptr) return nullptr;
  g_live_handles.fetch_add(1, std::memory_order_relaxed);
  tensor->shape = shape;
  tensor->view = MatrixView::Of(shape);
  tensor->data = data;
  tensor->bytes = BytesOf(shape.dtype, shape.Span());
  tensor->storage = storage;
  storage->refs.Retain();
  return tensor;
}

void RetainTensor(const pto_tensor* tensor) {
  if (tensor != nullptr) const_cast<pto_tensor*>(tensor)->refs.Retain();
}

void ReleaseTensor(pto_tensor* tensor) {
  if (tensor == nullptr || !tensor->refs.Release()) return;
  Storage::Release(tensor->storage);
  g_live_handles.fetch_sub(1, std::memory_order_relaxed);
  delete tensor;
}

}  // namespace pto
