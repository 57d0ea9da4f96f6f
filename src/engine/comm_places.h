// Where the elements of a communication are, in memory or in the window of a rank on another machine, and copies
// between such places. comm.cc has the instructions.
//
//   MemberPart    a tensor, or the part of it that belongs to a member of a group
//     Rows        the same as rows of elements at one distance
//       FarPlace  one element: an address, and the window that it is in
#ifndef PTO_SRC_ENGINE_COMM_PLACES_H_
#define PTO_SRC_ENGINE_COMM_PLACES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "src/objects/tensor.h"
#include "src/objects/world.h"

namespace pto::comm {

inline constexpr int kRowsAt = 3;  // the dimension of rows

inline bool Dense(const TensorShape& s) {
  int64_t step = 1;
  for (int i = kMaxRank - 1; i >= 0; --i) {
    if (s.dim[i] != 1 && s.stride[i] != step) return false;
    step *= s.dim[i];
  }
  return true;
}

// Where elements are: memory, or the window of a rank that is far.
struct FarPlace {
  uint8_t* data;
  const Storage* storage;  // nullptr: memory of ours
  bool far() const { return storage != nullptr && storage->far != nullptr; }
  int64_t Offset() const { return data - storage->data; }
  const Far& by() const { return *storage->far; }
  // Of memory that has these bytes, or is to have them.
  FarPart With(const uint8_t* memory, int64_t bytes) const {
    return {storage->rank, Offset(), const_cast<uint8_t*>(memory), bytes};
  }
  FarPlace operator+(int64_t bytes) const { return {data + bytes, storage}; }
};

// Elements of a tensor, or of a part of one.
struct MemberPart {
  explicit MemberPart(const pto_tensor* tensor) : shape(tensor->shape), data{tensor->data, tensor->storage} {}
  // The part of member `number` of a group, of shape `one`: its rows follow each other.
  MemberPart(const pto_tensor* whole, int32_t number, const TensorShape& one) : MemberPart(whole) {
    shape.dim[kRowsAt] = one.dim[kRowsAt];
    data = data + number * one.dim[kRowsAt] * shape.stride[kRowsAt] * Info(shape.dtype).bytes;
  }
  TensorShape shape;
  FarPlace data;
};

// As rows of elements at one distance; where all is dense, it is one row.
struct Rows {
  Rows(const MemberPart& part, bool whole) : at(&part), size(Info(part.shape.dtype).bytes) {
    const TensorShape& s = part.shape;
    count = whole ? 1 : s.dim[0] * s.dim[1] * s.dim[2] * s.dim[3];
    length = whole ? s.Count() : s.dim[4];
    step = whole || s.dim[4] == 1 ? 1 : s.stride[4];
  }
  FarPlace Row(int64_t i) const { return at->data + (count == 1 ? 0 : at->shape.RowOffset(i) * size); }

  const MemberPart* at;
  int64_t size;
  int64_t count;
  int64_t length;
  int64_t step;
};

// Between memory and the window of a rank that is far, or between two of these.
inline void CopyFar(const FarPlace& to, int64_t to_step, const FarPlace& from, int64_t from_step, int64_t count,
                    int64_t size, FarError* error) {
  constexpr int64_t kPiece = 8192;
  uint8_t piece[kPiece];
  const bool dense = to_step == 1 && from_step == 1;
  const int64_t most = !dense ? 1 : to.far() && from.far() ? kPiece / size : count;
  for (int64_t k = 0; k < count && error->operation == nullptr; k += most) {
    const int64_t bytes = std::min(most, count - k) * size;
    const FarPlace out = to + k * to_step * size;
    const FarPlace in = from + k * from_step * size;
    uint8_t* const at = !in.far() ? in.data : !out.far() ? out.data : piece;
    if (in.far()) {
      const FarPart part = in.With(at, bytes);
      in.by().transport->get(in.by().link, &part, 1, error);
    }
    if (out.far()) {
      const FarPart part = out.With(at, bytes);
      out.by().transport->put(out.by().link, &part, 1, error);
    }
  }
}

// Puts or gets that are under way at once. Done() waits for them, and so does Add() where the window is of another
// world.
class FarCopies {
 public:
  FarCopies(bool put, FarError* error) : put_(put), error_(error) {}
  void Add(const FarPlace& place, const uint8_t* memory, int64_t bytes) {
    if (count_ == kMostRanks || (count_ > 0 && by_ != &place.by())) Done();
    by_ = &place.by();
    parts_[count_++] = place.With(memory, bytes);
  }
  void Done() {
    if (count_ > 0) (put_ ? by_->transport->put : by_->transport->get)(by_->link, parts_, count_, error_);
    count_ = 0;
  }

 private:
  bool put_;
  FarError* error_;
  const Far* by_ = nullptr;
  int32_t count_ = 0;
  FarPart parts_[kMostRanks];
};

inline void CopyElements(const FarPlace& into, int64_t to_step, const FarPlace& out_of, int64_t from_step,
                         int64_t count, int64_t size, FarError* error) {
  if (into.far() || out_of.far()) [[unlikely]]
    return CopyFar(into, to_step, out_of, from_step, count, size, error);
  uint8_t* const to = into.data;
  const uint8_t* const from = out_of.data;
  if (to_step == 1 && from_step == 1) {
    std::memmove(to, from, static_cast<size_t>(count * size));
    return;
  }
  for (int64_t k = 0; k < count; ++k) {
    std::memcpy(to + k * to_step * size, from + k * from_step * size, static_cast<size_t>(size));
  }
}

inline void AddFar(const FarPlace& to, int64_t to_step, const FarPlace& from, int64_t from_step, int64_t count,
                   DType dtype, FarError* error) {
  const bool dense = to_step == 1 && from_step == 1;
  const int64_t size = Info(dtype).bytes;
  for (int64_t k = 0; k < count && error->operation == nullptr; k += dense ? count : 1) {
    const FarPlace out = to + k * to_step * size;
    out.by().transport->add(out.by().link, out.storage->rank, out.Offset(), from.data + k * from_step * size,
                            dense ? count : 1, dtype, error);
  }
}

}  // namespace pto::comm

#endif  // PTO_SRC_ENGINE_COMM_PLACES_H_
