// The rules of MGATHER and MSCATTER: moves between a tile and a tensor that is indexed as a table.
#include "src/checks/check_impl.h"

namespace pto {

Status CheckTableIndex(const Subject& s) {
  const int i = s.op.Find(Extent::kTableIndex);
  const pto_tile& idx = *s.tiles[i];
  const pto_tile& lead = s.lead();
  if (s.ModeOf(kCoalesceMode) == 0) {
    const int32_t rows = lead.ValidRows();
    const bool along = idx.ValidRows() == 1 && idx.ValidCols() >= rows;
    const bool down = s.profile() != Profile::kA2A3 && idx.ValidCols() == 1 && idx.ValidRows() >= rows;
    if (along || down) return Status::kOk;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s has %d valid rows", s.Name(i), idx.ValidRows(),
                  idx.ValidCols(), s.LeadName(), rows);
  }
  if (s.profile() == Profile::kCpu ? Within(lead, idx) : idx.valid == lead.valid) return Status::kOk;
  return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s is in " PTO_REGION, s.Name(i), idx.ValidRows(),
                idx.ValidCols(), s.LeadName(), lead.ValidRows(), lead.ValidCols());
}

Status CheckTableCovers(const Subject& s) {
  const int64_t cols = s.tensor->view.cols.extent;
  if (s.ModeOf(kCoalesceMode) != 0 || cols >= s.lead().ValidCols()) return Status::kOk;
  const char* table = s.Name(s.op.TensorIndex());
  return s.Fail(table, "%s has %lld columns where %s has %d valid ones", table, static_cast<long long>(cols),
                s.LeadName(), s.lead().ValidCols());
}

namespace {

// A2A3 gathers rows of tables in boxes into tiles in boxes.
bool InBoxes(const Subject& s) {
  return s.profile() == Profile::kA2A3 && s.op.walk == Walk::kTableGather && s.ModeOf(kCoalesceMode) == 0 &&
         s.tensor->shape.layout == TensorLayout::kNZ;
}

}  // namespace

Status CheckTablePlace(const Subject& s) {
  constexpr int kIdx = 2;
  const bool cpu = s.profile() == Profile::kCpu;
  const pto_tile& dst = s.lead();
  const Geometry& g = dst.geometry;
  const bool nz = g.blayout == BLayout::kColMajor && g.slayout == SLayout::kRowMajor;
  const bool vec = g.location == Location::kVec && (cpu || (InBoxes(s) ? nz : dst.RowMajorVector()));
  const bool mat =
      g.location == Location::kMat && (cpu || (nz && !InBoxes(s) && (Bit(dst.dtype()) & dtypes::kSmall) == 0));
  const pto_tile& idx = *s.tiles[kIdx];
  const bool read = idx.geometry.location == Location::kVec && (cpu || idx.RowMajorVector() || IsColumnVector(idx));
  if ((vec || mat) && read) return Status::kOk;
  const int at = read ? 0 : kIdx;
  return s.Fail(s.Name(at), "%s of %s is %s in %s beside a table that is %s", s.Name(at), Info(s.DTypeOf(at)).name,
                LayoutName(*s.tiles[at]), LocationName(*s.tiles[at]), OrderOf(s.tensor->shape.layout).name);
}

Status CheckTableLayout(const Subject& s) {
  if (InBoxes(s)) return Status::kOk;
  const TensorShape& shape = s.tensor->shape;
  const char* table = s.Name(s.op.TensorIndex());
  if (shape.layout != TensorLayout::kND) {
    return s.Fail(table, "%s is %s where %s needs ND", table, OrderOf(shape.layout).name, s.ProfileName());
  }
  if (s.ModeOf(kCoalesceMode) == 0 || shape.Span() == shape.Count()) return Status::kOk;
  return s.Fail(table, "%s has %lld elements in room for %lld where %s counts them without gaps", table,
                static_cast<long long>(shape.Count()), static_cast<long long>(shape.Span()), s.ProfileName());
}

Status CheckAtomicDType(const Subject& s) {
  constexpr DTypeSet kA2A3Adds =
      dtypes::kI8 | dtypes::kI16 | dtypes::kI32 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32;
  constexpr DTypeSet kA5Compares = dtypes::kI32 | dtypes::kU32 | dtypes::kF32;
  constexpr DTypeSet kA5Adds = kA5Compares | dtypes::kF16 | dtypes::kBF16;
  const int32_t atomic = s.ModeOf(kScatterAtomicMode);
  const bool adds = atomic == 1;
  const DTypeSet a2a3 = adds ? kA2A3Adds : 0;
  const DTypeSet a5 = adds ? kA5Adds : kA5Compares;
  const DTypeSet set = s.profile() == Profile::kA2A3 ? a2a3 : s.profile() == Profile::kA5 ? a5 : dtypes::kComputed;
  if (atomic == 0 || (set & Bit(s.lead().dtype())) != 0) return Status::kOk;
  return s.Fail(s.LeadName(), "%s holds %s, for which %s has no atomic %s", s.LeadName(), Info(s.lead().dtype()).name,
                s.ProfileName(), kScatterAtomicMode.values[atomic].name);
}

}  // namespace pto
