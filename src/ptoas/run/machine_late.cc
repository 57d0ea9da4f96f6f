// Data that arrives late. A device's tput returns before its data is visible to other ranks; the next barrier, or the
// flag of the pipe that stores, waits for it. With --schedule late-data what a rank sends by tput stays with it until
//
//   - a barrier of all pipes or of MTE3, or a wait for a flag that MTE3 sets;
//   - a notification, in programs that leave the order of pipes to a compiler, which inserts a barrier there;
//   - the rank itself touches the same bytes: for the rank its own data is complete;
//   - the end of the run.
//
// A signal that overtakes its data then arrives first, on every run.
#include <algorithm>

#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/sync_tile.h"

namespace pto::ptoas {

namespace {

// A tensor without gaps of the same shape.
pto_tensor* LikeOf(pto_context* ctx, const pto_tensor* tensor) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = pto_tensor_dtype(tensor);
  desc.layout = pto_tensor_layout(tensor);
  desc.rank = pto_tensor_rank(tensor);
  int64_t* const dims[] = {&desc.dim0, &desc.dim1, &desc.dim2, &desc.dim3, &desc.dim4};
  for (int32_t i = 0; i < desc.rank; ++i) *dims[i] = pto_tensor_dim(tensor, i);
  return pto_tensor_create(ctx, &desc);
}

}  // namespace

// The copy is made, and taken back: so it fails where it would.
void Machine::SendLate(const Stmt& stmt, pto_tensor* dst, pto_tensor* src, pto_atomic atomic) {
  const auto copy_of = [&](pto_tensor* tensor) {
    pto_tensor* copy = LikeOf(ctx_, tensor);
    if (copy == nullptr) FailCall(stmt);
    RunValue value = RunValue::Of(ValueKind::kTensor, Box::OfTensor(copy));
    Called(stmt, pto_comm_tget(ctx_, copy, tensor, nullptr, nullptr));
    return value;
  };
  Late late{RunValue::Of(ValueKind::kTensor, Box::OfTensor(pto_tensor_retain(dst))), copy_of(src), atomic, {}};
  const RunValue before = copy_of(dst);
  Called(stmt, pto_comm_tput(ctx_, dst, src, nullptr, nullptr, atomic));
  Called(stmt, pto_comm_tput(ctx_, dst, before.box()->tensor, nullptr, nullptr, PTO_ATOMIC_NONE));
  const int64_t bytes = pto_tensor_bytes(src);
  Charge(stmt, bytes);
  sync::AreasOf(dst, INT64_MAX, INT64_MAX, &late.areas);
  late_.push_back(std::move(late));
}

// All of it, if the accesses share a byte with some: data of one rank stays in its order.
void Machine::ArriveFor(std::span<const sync::Access> accesses) {
  for (const sync::Access& access : accesses) {
    for (const Late& late : late_) {
      const auto meets = [&](const sync::Area& area) { return sync::Overlap(area, access.area); };
      if (std::any_of(late.areas.begin(), late.areas.end(), meets)) return Arrive();
    }
  }
}

// It was tried when it was sent, and does not fail.
void Machine::Arrive() {
  std::vector<Late> all;
  all.swap(late_);
  for (const Late& late : all) {
    pto_comm_tput(ctx_, late.dst.box()->tensor, late.data.box()->tensor, nullptr, nullptr, late.atomic);
  }
}

}  // namespace pto::ptoas
