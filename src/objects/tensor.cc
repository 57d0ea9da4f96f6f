// Making and releasing tensors.
#include "src/objects/tensor.h"

#include <algorithm>
#include <cstdlib>
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

namespace {

// A dimension of a window, as far as the window reaches into it.
struct Digit {
  int64_t extent;
  int64_t stride;
  int64_t weight;  // rows or columns from one index to the next
  bool of_rows;
};

// The dimensions of `n` rows or columns that have more than one index.
Digit* AddDigits(const MatrixAxis& axis, int64_t n, bool of_rows, Digit* to) {
  int64_t weight = 1;
  for (int i = 0; i < axis.count && n > 1; ++i) {
    const int64_t extent = i + 1 < axis.count ? std::min(axis.dim[i], n) : n;
    if (extent > 1) *to++ = {extent, axis.stride[i], weight, of_rows};
    weight *= axis.dim[i];
    n = (n + axis.dim[i] - 1) / axis.dim[i];
  }
  return to;
}

// The first two elements whose indices differ by `step`: those with an index of 0 in each dimension, one or the other.
Meeting MeetingOf(const Digit* digits, int count, const int64_t* step) {
  Meeting::Element more{};
  Meeting::Element less{};
  for (int i = 0; i < count; ++i) {
    Meeting::Element& at = step[i] > 0 ? more : less;
    (digits[i].of_rows ? at.row : at.col) += std::abs(step[i]) * digits[i].weight;
  }
  return {std::min(more, less), std::max(more, less)};
}

}  // namespace

// Elements meet if their indices differ by steps whose offsets cancel. So all steps in all dimensions but the
// longest are tried, and what that one would have to add is computed.
bool FindMeeting(const MatrixView& view, int64_t rows, int64_t cols, Meeting* found) {
  if (view.injective || rows == 0 || cols == 0) return false;
  Digit digits[kMaxRank];
  const int count =
      static_cast<int>(AddDigits(view.cols, cols, false, AddDigits(view.rows, rows, true, digits)) - digits);
  if (count == 0) return false;
  std::swap(digits[0], *std::max_element(digits, digits + count,
                                         [](const Digit& x, const Digit& y) { return x.extent < y.extent; }));
  const int64_t longest = digits[0].extent;
  const int64_t stride = digits[0].stride;
  bool any = false;
  int64_t step[kMaxRank] = {};
  // Steps in the last dimension have one direction: the opposite step is the same pair of elements.
  for (int i = 1; i + 1 < count; ++i) step[i] = 1 - digits[i].extent;
  for (int i = 0; i < count;) {
    int64_t sum = 0;
    bool stays = true;
    for (i = 1; i < count; ++i) {
      sum += step[i] * digits[i].stride;
      stays &= step[i] == 0;
    }
    const bool whole = stride == 0 ? sum == 0 : sum % stride == 0;
    step[0] = stride != 0 ? -sum / stride : stays ? 1 : 0;
    if (whole && (step[0] != 0 || !stays) && std::abs(step[0]) < longest) {
      const Meeting meeting = MeetingOf(digits, count, step);
      const bool inside = std::max(meeting.earlier.row, meeting.later.row) < rows &&
                          std::max(meeting.earlier.col, meeting.later.col) < cols;
      const bool first =
          !any || meeting.later < found->later || (meeting.later == found->later && meeting.earlier < found->earlier);
      if (inside && first) *found = meeting;
      any |= inside;
    }
    for (i = 1; i < count && ++step[i] == digits[i].extent; ++i) step[i] = i + 1 < count ? 1 - digits[i].extent : 0;
  }
  return any;
}

pto_tensor* NewTensor(const TensorShape& shape, Storage* storage, uint8_t* data) {
  auto* tensor = new (std::nothrow) pto_tensor;
  if (tensor == nullptr) return nullptr;
  g_live_handles.fetch_add(1, std::memory_order_relaxed);
  tensor->shape = shape;
  tensor->view = MatrixView::Of(shape);
  // No usual call takes what is far: the check of all others refuses it.
  if (storage->far != nullptr) tensor->view.rows.extent = tensor->view.cols.extent = -1;
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
