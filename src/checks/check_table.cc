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
    const bool down = s.facts().indexes_down && idx.ValidCols() == 1 && idx.ValidRows() >= rows;
    if (along || down) return Status::kOk;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s has %d valid rows", s.Name(i), idx.ValidRows(),
                  idx.ValidCols(), s.LeadName(), rows);
  }
  if (s.facts().equal_regions ? idx.valid == lead.valid : Within(lead, idx)) return Status::kOk;
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

// Rows of tables in boxes become rows of tiles in boxes.
bool InBoxes(const Subject& s) {
  return s.facts().gathers_boxes && s.op.walk == Walk::kTableGather && s.ModeOf(kCoalesceMode) == 0 &&
         s.tensor->shape.layout == TensorLayout::kNZ;
}

}  // namespace

Status CheckTablePlace(const Subject& s) {
  constexpr int kIdx = 2;
  const bool any = !IsHardware(s.profile());
  const pto_tile& dst = s.lead();
  const Geometry& g = dst.geometry;
  const bool nz = g.blayout == BLayout::kColMajor && g.slayout == SLayout::kRowMajor;
  const bool vec = g.location == Location::kVec && (any || (InBoxes(s) ? nz : dst.RowMajorVector()));
  const bool mat =
      g.location == Location::kMat && (any || (nz && !InBoxes(s) && (Bit(dst.dtype()) & dtypes::kSmall) == 0));
  const pto_tile& idx = *s.tiles[kIdx];
  const bool read = idx.geometry.location == Location::kVec && (any || idx.RowMajorVector() || IsColumnVector(idx));
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
  constexpr DTypeSet kOrdered = dtypes::kI32 | dtypes::kU32 | dtypes::kF32;
  constexpr DTypeSet kSummed = dtypes::kI32 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32;
  static constexpr ByProfile<DTypeSet> kAdds = {
      .cpu = dtypes::kComputed, .a2a3 = kSummed | dtypes::kI8 | dtypes::kI16, .a5 = kSummed | kOrdered};
  static constexpr ByProfile<DTypeSet> kCompares = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kNone, .a5 = kOrdered};
  const int32_t atomic = s.ModeOf(kScatterAtomicMode);
  const DTypeSet set = (atomic == 1 ? kAdds : kCompares)[static_cast<int>(s.profile())];
  if (atomic == 0 || (set & Bit(s.lead().dtype())) != 0) return Status::kOk;
  return s.Fail(s.LeadName(), "%s holds %s, for which %s has no atomic %s", s.LeadName(), Info(s.lead().dtype()).name,
                s.ProfileName(), kScatterAtomicMode.values[atomic].name);
}

}  // namespace pto
