// extern "C": tensors. Every field of a descriptor is looked at once, here.
#include <cstdint>
#include <cstring>

#include "src/api/api_abi.h"
#include "src/engine/packed.h"
#include "src/objects/world.h"

using pto::Abi;
using pto::Rule;
using pto::Status;
using pto::TensorShape;

namespace {

constexpr uint32_t kTensorDescSize = sizeof(pto_tensor_desc);

// Strides of elements without gaps; strides of empty dimensions do not matter.
void Pack(TensorShape* shape) {
  int64_t step = 1;
  const bool dn = shape->layout == pto::TensorLayout::kDN;
  const int order[pto::kMaxRank] = {dn ? 3 : 4, dn ? 4 : 3, 2, 1, 0};
  for (const int i : order) {
    shape->stride[i] = step;
    step *= shape->dim[i];
  }
}

Status Read(pto_context* ctx, const char* call, const pto_tensor_desc* desc, TensorShape* out) {
  if (desc == nullptr) return ctx->error.Set(Rule::kNull, call, "desc", "desc is NULL");
  if (desc->struct_size != kTensorDescSize) {
    return ctx->error.Set(Rule::kStructSize, call, "desc", "struct_size is %u where %u is known", desc->struct_size,
                          kTensorDescSize);
  }
  if (!pto::InEnum(desc->dtype, pto::kDTypeCount)) {
    return ctx->error.Set(Rule::kDTypeKnown, call, "dtype", "dtype is %lld where 0 to %d are known",
                          static_cast<long long>(pto::RawEnum(desc->dtype)), pto::kDTypeCount - 1);
  }
  constexpr int kLayouts = static_cast<int>(pto::TensorLayout::kEnd);
  if (!pto::InEnum(desc->layout, kLayouts)) {
    return ctx->error.Set(Rule::kTensorLayout, call, "layout", "layout is %lld where 0 to %d are known",
                          static_cast<long long>(pto::RawEnum(desc->layout)), kLayouts - 1);
  }
  const pto::MatrixOrder& order = pto::OrderOf(static_cast<pto::TensorLayout>(desc->layout));
  if (order.rows == 0) {
    return ctx->error.Set(Rule::kTensorLayout, call, "layout", "layout is %s, which is not the order of a matrix",
                          order.name);
  }
  if (desc->rank < 1 || desc->rank > pto::kMaxRank) {
    return ctx->error.Set(Rule::kTensorRank, call, "rank", "rank is %d where 1 to %d are known", desc->rank,
                          pto::kMaxRank);
  }
  const int64_t dims[] = {desc->dim0, desc->dim1, desc->dim2, desc->dim3, desc->dim4};
  const int64_t strides[] = {desc->stride0, desc->stride1, desc->stride2, desc->stride3, desc->stride4};
  static constexpr const char* kDims[] = {"dim0", "dim1", "dim2", "dim3", "dim4"};
  static constexpr const char* kStrides[] = {"stride0", "stride1", "stride2", "stride3", "stride4"};
  out->dtype = static_cast<pto::DType>(desc->dtype);
  out->layout = static_cast<pto::TensorLayout>(desc->layout);
  out->rank = desc->rank;
  const int before = pto::kMaxRank - desc->rank;
  bool empty = false;
  double count = 1;  // products in floating point, so that nothing overflows before the test
  double span = 1;
  for (int i = 0; i < desc->rank; ++i) {
    if (dims[i] < 0) {
      return ctx->error.Set(Rule::kTensorDim, call, kDims[i], "%s is %lld", kDims[i], static_cast<long long>(dims[i]));
    }
    out->dim[before + i] = dims[i];
    empty |= dims[i] == 0;
    count *= static_cast<double>(dims[i] == 0 ? 1 : dims[i]);
    if (desc->strided == 0) continue;
    if (strides[i] < 0) {
      return ctx->error.Set(Rule::kTensorStride, call, kStrides[i], "%s is %lld", kStrides[i],
                            static_cast<long long>(strides[i]));
    }
    out->stride[before + i] = strides[i];
    if (dims[i] > 1) span += static_cast<double>(dims[i] - 1) * static_cast<double>(strides[i]);
  }
  const int bits = pto::Info(out->dtype).bits;
  const auto limit = static_cast<double>(pto::kMaxTensorBytes * 8);
  if (count * bits > limit || span * bits > limit) {
    return ctx->error.Set(Rule::kTensorSize, call, "dim0",
                          "%.0f elements that span %.0f of %s are more than %lld bytes", count, span,
                          pto::Info(out->dtype).name, static_cast<long long>(pto::kMaxTensorBytes));
  }
  if (desc->strided == 0) Pack(out);
  // A stride over nothing may be anything; keep it from overflowing later.
  for (int i = 0; i < pto::kMaxRank; ++i) {
    if (empty || out->dim[i] == 1) out->stride[i] = out->stride[i] > pto::kMaxTensorBytes ? 0 : out->stride[i];
  }
  const pto::HalfByte cut = pto::CutByTensor(*out);
  if (cut.field == nullptr) return Status::kOk;
  return ctx->error.Set(Rule::kHalfByte, call, cut.field, "%s is %lld, which cuts a byte of %s in half", cut.field,
                        static_cast<long long>(cut.value), pto::Info(out->dtype).name);
}

// A tensor at `data` in storage, once its elements were found to lie in it.
pto_tensor* NewTensorAt(pto_context* ctx, const char* call, const TensorShape& shape, pto::Storage* storage,
                        uint8_t* data, int64_t room) {
  const int64_t size = pto::Info(shape.dtype).bytes;
  const int64_t end = pto::BytesOf(shape.dtype, shape.Span());
  if (end > room) {
    ctx->error.Set(Rule::kTensorRange, call, "desc", "elements end after %lld bytes where the memory has %lld",
                   static_cast<long long>(end), static_cast<long long>(room));
    return nullptr;
  }
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(size) != 0) {
    ctx->error.Set(Rule::kDataAlignment, call, "data", "data at %p is not aligned to the %lld bytes of %s",
                   static_cast<void*>(data), static_cast<long long>(size), pto::Info(shape.dtype).name);
    return nullptr;
  }
  pto_tensor* tensor = pto::NewTensor(shape, storage, data);
  if (tensor == nullptr) ctx->error.Set(Rule::kMemory, call, "", "no memory for a tensor handle");
  return tensor;
}

// A tensor that has the only reference to new storage.
pto_tensor* Adopt(pto_context* ctx, const char* call, const TensorShape& shape, pto::Storage* storage) {
  if (storage == nullptr) {
    ctx->error.Set(Rule::kMemory, call, "", "no memory for a tensor of %lld elements of %s",
                   static_cast<long long>(shape.Count()), pto::Info(shape.dtype).name);
    return nullptr;
  }
  pto_tensor* tensor = NewTensorAt(ctx, call, shape, storage, storage->data, storage->bytes);
  pto::Storage::Release(storage);
  return tensor;
}

Status CheckCopy(pto_context* ctx, const char* call, const pto_tensor* tensor, const void* data, int64_t bytes) {
  if (ctx == nullptr) return Status::kNull;
  if (tensor == nullptr) return ctx->error.Set(Rule::kNull, call, "tensor", "tensor is NULL");
  if (tensor->storage->far != nullptr) {
    return ctx->error.Set(Rule::kFarWindow, call, "tensor",
                          "the tensor is in the window of rank %d, which is on another machine", tensor->storage->rank);
  }
  const int64_t want = pto_tensor_bytes(tensor);
  if (bytes != want) {
    return ctx->error.Set(Rule::kByteCount, call, "bytes",
                          "%lld bytes where the tensor of %lld elements of %s has %lld", static_cast<long long>(bytes),
                          static_cast<long long>(tensor->shape.Count()), pto::Info(tensor->shape.dtype).name,
                          static_cast<long long>(want));
  }
  if (bytes != 0 && data == nullptr) return ctx->error.Set(Rule::kNull, call, "data", "data is NULL");
  return Status::kOk;
}

// Moves elements that follow each other, the last index fastest; Copy(element, packed, bytes).
template <class Copy>
void ForEachElement(const pto_tensor& tensor, uint8_t* packed, Copy copy) {
  const TensorShape& s = tensor.shape;
  const int64_t size = pto::Info(s.dtype).bytes;
  const int64_t rows = s.dim[0] * s.dim[1] * s.dim[2] * s.dim[3];
  const bool solid = s.stride[4] == 1 || s.dim[4] == 1;
  const int64_t run = solid ? s.dim[4] : 1;
  for (int64_t i = 0; i < rows; ++i) {
    uint8_t* row = tensor.data + s.RowOffset(i) * size;
    for (int64_t k = 0; k < s.dim[4]; k += run, packed += run * size) {
      copy(row + k * s.stride[4] * size, packed, static_cast<size_t>(run * size));
    }
  }
}

Status Write(pto_context* ctx, const char* call, pto_tensor* tensor, const void* data, int64_t bytes) {
  const Status status = CheckCopy(ctx, call, tensor, data, bytes);
  if (status != Status::kOk || bytes == 0) return status;
  auto* packed = static_cast<uint8_t*>(const_cast<void*>(data));
  if (pto::IsPacked(tensor->shape.dtype)) {
    pto::MoveElements(*tensor, packed, true);
    return status;
  }
  ForEachElement(*tensor, packed, [](uint8_t* at, const uint8_t* from, size_t n) { std::memcpy(at, from, n); });
  return Status::kOk;
}

Status Read(pto_context* ctx, const char* call, const pto_tensor* tensor, void* data, int64_t bytes) {
  const Status status = CheckCopy(ctx, call, tensor, data, bytes);
  if (status != Status::kOk || bytes == 0) return status;
  auto* packed = static_cast<uint8_t*>(data);
  if (pto::IsPacked(tensor->shape.dtype)) {
    pto::MoveElements(*tensor, packed, false);
    return status;
  }
  ForEachElement(*tensor, packed, [](const uint8_t* at, uint8_t* to, size_t n) { std::memcpy(to, at, n); });
  return Status::kOk;
}

pto::DType TypeOf(const pto_tensor* tensor) { return tensor == nullptr ? pto::DType::kI8 : tensor->shape.dtype; }

}  // namespace

pto_tensor* pto::TensorIn(pto_context* ctx, const char* call, const pto_tensor_desc* desc, Storage* storage,
                          int64_t offset) {
  TensorShape shape;
  if (::Read(ctx, call, desc, &shape) != Status::kOk) return nullptr;
  return NewTensorAt(ctx, call, shape, storage, storage->data + offset, storage->bytes - offset);
}

extern "C" {

pto_tensor* pto_tensor_create(pto_context* ctx, const pto_tensor_desc* desc) {
  static constexpr char kCall[] = "pto_tensor_create";
  TensorShape shape;
  if (ctx == nullptr || Read(ctx, kCall, desc, &shape) != Status::kOk) return nullptr;
  return Adopt(ctx, kCall, shape, pto::Storage::Allocate(pto::BytesOf(shape.dtype, shape.Span())));
}

pto_tensor* pto_tensor_wrap(pto_context* ctx, const pto_tensor_desc* desc, void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_tensor_wrap";
  TensorShape shape;
  if (ctx == nullptr || Read(ctx, kCall, desc, &shape) != Status::kOk) return nullptr;
  if (data == nullptr) {
    ctx->error.Set(Rule::kNull, kCall, "data", "data is NULL");
    return nullptr;
  }
  pto::Storage* const storage = pto::Storage::Wrap(data, bytes);
  if (storage != nullptr && ctx->world != nullptr) storage->rank = pto::RankAt(*ctx->world, data);
  return Adopt(ctx, kCall, shape, storage);
}

pto_tensor* pto_tensor_view(pto_context* ctx, pto_tensor* tensor, const pto_tensor_desc* desc, int64_t offset) {
  static constexpr char kCall[] = "pto_tensor_view";
  if (ctx == nullptr) return nullptr;
  if (tensor == nullptr) {
    ctx->error.Set(Rule::kNull, kCall, "tensor", "tensor is NULL");
    return nullptr;
  }
  TensorShape shape;
  if (Read(ctx, kCall, desc, &shape) != Status::kOk) return nullptr;
  const int64_t room = tensor->storage->bytes - (tensor->data - tensor->storage->data);
  if (offset < 0) {
    ctx->error.Set(Rule::kTensorStride, kCall, "offset", "offset is %lld", static_cast<long long>(offset));
    return nullptr;
  }
  const int bits = pto::Info(shape.dtype).bits;
  if (offset > room * 8 / bits) {
    ctx->error.Set(Rule::kTensorRange, kCall, "offset", "offset is %lld elements of %s where the memory has %lld bytes",
                   static_cast<long long>(offset), pto::Info(shape.dtype).name, static_cast<long long>(room));
    return nullptr;
  }
  if (offset * bits % 8 != 0) {
    ctx->error.Set(Rule::kHalfByte, kCall, "offset", "offset is %lld, in the middle of a byte of %s",
                   static_cast<long long>(offset), pto::Info(shape.dtype).name);
    return nullptr;
  }
  const int64_t at = pto::BytesOf(shape.dtype, offset);
  return NewTensorAt(ctx, kCall, shape, tensor->storage, tensor->data + at, room - at);
}

pto_tensor* pto_tensor_retain(pto_tensor* tensor) {
  pto::RetainTensor(tensor);
  return tensor;
}

void pto_tensor_release(pto_tensor* tensor) { pto::ReleaseTensor(tensor); }

pto_status pto_tensor_write(pto_context* ctx, pto_tensor* tensor, const void* data, int64_t bytes) {
  return Abi(Write(ctx, "pto_tensor_write", tensor, data, bytes));
}

pto_status pto_tensor_read(pto_context* ctx, const pto_tensor* tensor, void* data, int64_t bytes) {
  return Abi(Read(ctx, "pto_tensor_read", tensor, data, bytes));
}

pto_status pto_tensor_write_as(pto_context* ctx, pto_tensor* tensor, pto_dtype dtype, const void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_tensor_write_as";
  const Status status = CheckElement(ctx, kCall, "tensor", tensor, TypeOf(tensor), dtype);
  return Abi(status == Status::kOk ? Write(ctx, kCall, tensor, data, bytes) : status);
}

pto_status pto_tensor_read_as(pto_context* ctx, const pto_tensor* tensor, pto_dtype dtype, void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_tensor_read_as";
  const Status status = CheckElement(ctx, kCall, "tensor", tensor, TypeOf(tensor), dtype);
  return Abi(status == Status::kOk ? Read(ctx, kCall, tensor, data, bytes) : status);
}

void* pto_tensor_data(pto_tensor* tensor) { return tensor == nullptr ? nullptr : tensor->data; }

int64_t pto_tensor_bytes(const pto_tensor* tensor) { return tensor == nullptr ? 0 : pto::DataBytes(tensor->shape); }

pto_dtype pto_tensor_dtype(const pto_tensor* tensor) {
  return tensor == nullptr ? PTO_DTYPE_I8 : static_cast<pto_dtype>(tensor->shape.dtype);
}

pto_layout pto_tensor_layout(const pto_tensor* tensor) {
  return tensor == nullptr ? PTO_LAYOUT_ND : static_cast<pto_layout>(tensor->shape.layout);
}

int32_t pto_tensor_rank(const pto_tensor* tensor) { return tensor == nullptr ? 0 : tensor->shape.rank; }

int64_t pto_tensor_dim(const pto_tensor* tensor, int32_t index) {
  if (tensor == nullptr || index < 0 || index >= tensor->shape.rank) return 0;
  return tensor->shape.dim[pto::kMaxRank - tensor->shape.rank + index];
}

int64_t pto_tensor_stride(const pto_tensor* tensor, int32_t index) {
  if (tensor == nullptr || index < 0 || index >= tensor->shape.rank) return 0;
  return tensor->shape.stride[pto::kMaxRank - tensor->shape.rank + index];
}

}  // extern "C"
