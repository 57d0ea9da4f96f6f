// Making and releasing tensors.
#include "src/core/tensor.h"

#include <new>

namespace pto {

pto_tensor* NewTensor(const TensorShape& shape, Storage* storage, uint8_t* data) {
  auto* tensor = new (std::nothrow) pto_tensor;
  if (tensor == nullptr) return nullptr;
  g_live_handles.fetch_add(1, std::memory_order_relaxed);
  tensor->shape = shape;
  tensor->data = data;
  tensor->bytes = shape.Span() * Info(shape.dtype).bytes;
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
