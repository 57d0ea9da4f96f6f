// The rules of instructions that move elements by indices and patterns, and of instructions on records and counts.
#include "src/checks/check_impl.h"
#include "src/kernels/bits.h"
#include "src/kernels/sort.h"
#include "src/records/sort.h"

namespace pto {

Status CheckBlocksCovered(const Subject& s) {
  const int64_t need = (int64_t{s.lead().ValidCols()} * s.lead().ElementBytes() + 31) / 32;
  for (int i = 0; i < s.op.Needed(); ++i) {
    const pto_tile& tile = *s.tiles[i];
    if (s.ExtentOf(i) != Extent::kBlockIndex) continue;
    if (tile.ValidRows() >= s.lead().ValidRows() && tile.ValidCols() >= need) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s has %d rows of %lld blocks", s.Name(i),
                  tile.ValidRows(), tile.ValidCols(), s.LeadName(), s.lead().ValidRows(), static_cast<long long>(need));
  }
  return Status::kOk;
}

// Elements that are picked one after another fill whole rows.
Status CheckFullRows(const Subject& s) {
  if (s.ModeOf(kGatherAxisMode) == 1) return Status::kOk;
  for (int i = 0; i < s.op.Needed(); ++i) {
    const pto_tile& tile = *s.tiles[i];
    const bool full = i == 0 || (s.facts().full_index_rows && s.ExtentOf(i) == Extent::kIndex);
    if (!full || tile.ValidCols() == tile.geometry.cols) continue;
    return s.Fail(s.Name(i), "%s has %d valid columns of %d", s.Name(i), tile.ValidCols(), tile.geometry.cols);
  }
  return Status::kOk;
}

Status CheckPickRoom(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  const pto_tile& src = s.lead();
  const Pattern pattern = kPatterns[s.ModeOf(kMaskMode)];
  if (s.ModeOf(kGatherAxisMode) == 1) {
    const int32_t rows = pattern.Count(src.ValidRows());
    if (rows == 0 || (s.Covers(dst.ValidRows(), rows) && dst.ValidCols() >= src.ValidCols())) return Status::kOk;
    return s.Fail(s.Name(0), "%s is valid in " PTO_REGION " where %d rows of %d columns are picked", s.Name(0),
                  dst.ValidRows(), dst.ValidCols(), rows, src.ValidCols());
  }
  const int64_t picks = int64_t{src.ValidRows()} * pattern.Count(src.ValidCols());
  if (int64_t{dst.ValidRows()} * dst.ValidCols() >= picks) return Status::kOk;
  return s.Fail(s.Name(0), "%s is valid in " PTO_REGION " where %lld elements are picked", s.Name(0), dst.ValidRows(),
                dst.ValidCols(), static_cast<long long>(picks));
}

Status CheckSpreadSource(const Subject& s) {
  const pto_tile& dst = s.lead();
  const pto_tile& src = *s.tiles[1];
  const Pattern pattern = kPatterns[s.ModeOf(kMaskMode)];
  const bool by_row = s.ModeOf(kScatterAxisMode) == 0;
  const int32_t rows = by_row ? dst.ValidRows() : pattern.Count(dst.ValidRows());
  const int32_t cols = by_row ? pattern.Count(dst.ValidCols()) : dst.ValidCols();
  const bool whole = (by_row ? dst.ValidCols() : dst.ValidRows()) % pattern.every == 0;
  if (s.Covers(src.ValidRows(), rows) && s.Covers(src.ValidCols(), cols) && (whole || !s.facts().equal_regions))
    return Status::kOk;
  return s.Fail(
      s.Name(1),
      "%s is valid in " PTO_REGION " where %s in " PTO_REGION " receives " PTO_REGION " elements (rows x columns)",
      s.Name(1), src.ValidRows(), src.ValidCols(), s.LeadName(), dst.ValidRows(), dst.ValidCols(), rows, cols);
}

namespace {

constexpr auto kRecord = static_cast<int64_t>(kRecordBytes);

}  // namespace

Status CheckRecordsCovered(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  const int64_t room = int64_t{dst.ValidCols()} * dst.ElementBytes() / kRecord;
  if (dst.ValidRows() >= s.lead().ValidRows() && room >= s.lead().ValidCols()) return Status::kOk;
  return s.Fail(s.Name(0), "%s is valid in %d rows of %lld records where %s is in " PTO_REGION, s.Name(0),
                dst.ValidRows(), static_cast<long long>(room), s.LeadName(), s.lead().ValidRows(),
                s.lead().ValidCols());
}

Status CheckIndexRows(const Subject& s) {
  const pto_tile& idx = *s.tiles[2];
  const bool rows = idx.ValidRows() == s.lead().ValidRows() || idx.ValidRows() == 1;
  if (rows && idx.ValidCols() >= s.lead().ValidCols()) return Status::kOk;
  return s.Fail(s.Name(2), "%s is valid in " PTO_REGION " where %s is in " PTO_REGION, s.Name(2), idx.ValidRows(),
                idx.ValidCols(), s.LeadName(), s.lead().ValidRows(), s.lead().ValidCols());
}

Status CheckBlockLength(const Subject& s) {
  const int at = s.op.Find(Role::kInt);
  const int64_t length = s.args.numbers[s.op.NumberOf(at)];
  const int64_t record = kRecord / s.lead().ElementBytes();
  const int64_t cols = s.lead().ValidCols();
  const bool any = !IsHardware(s.profile());
  const bool whole = length > 0 && length % (any ? record : 64) == 0;
  if (whole && (any || (cols % (4 * length) == 0 && cols / (4 * length) <= 255))) return Status::kOk;
  return s.Fail(s.Name(at), "%s is %lld where a record has %lld columns and %s %lld", s.Name(at),
                static_cast<long long>(length), static_cast<long long>(record), s.LeadName(),
                static_cast<long long>(cols));
}

Status CheckOneList(const Subject& s) {
  if (s.lead().ValidRows() <= 1) return Status::kOk;
  return s.Fail(s.LeadName(), "%s has %d valid rows where %s takes one", s.LeadName(), s.lead().ValidRows(),
                s.ProfileName());
}

Status CheckListRows(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    const pto_tile& tile = *s.tiles[i];
    const bool counts = s.op.operands[i].types == &kExecutedTypes;
    const bool cols = counts ? tile.ValidCols() >= kMergeLists
                             : s.op.walk == Walk::kMergeLists || tile.ValidCols() >= s.lead().ValidCols();
    if (tile.ValidRows() == s.lead().ValidRows() && cols) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s is in " PTO_REGION, s.Name(i), tile.ValidRows(),
                  tile.ValidCols(), s.LeadName(), s.lead().ValidRows(), s.lead().ValidCols());
  }
  return Status::kOk;
}

Status CheckListLength(const Subject& s) {
  constexpr int64_t kMost = 0xffff;
  for (int i = s.op.Outputs(); i < s.op.Needed(); ++i) {
    const int64_t records = int64_t{s.tiles[i]->ValidCols()} * s.tiles[i]->ElementBytes() / kRecord;
    if (records <= kMost) continue;
    return s.Fail(s.Name(i), "%s has %lld records", s.Name(i), static_cast<long long>(records));
  }
  return Status::kOk;
}

Status CheckHistByte(const Subject& s) {
  const int32_t byte = s.ModeOf(kHistMode);
  if (byte < s.lead().ElementBytes()) return Status::kOk;
  return s.Fail(s.Name(s.op.Find(Role::kMode)), "byte %d of %s, which has %d", byte, Info(s.lead().dtype()).name,
                s.lead().ElementBytes());
}

Status CheckBinsCovered(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  if (dst.ValidRows() >= s.lead().ValidRows() && dst.ValidCols() >= 256) return Status::kOk;
  return s.Fail(s.Name(0), "%s is valid in " PTO_REGION " where %s has %d valid rows", s.Name(0), dst.ValidRows(),
                dst.ValidCols(), s.LeadName(), s.lead().ValidRows());
}

Status CheckFilterCovered(const Subject& s) {
  const pto_tile& idx = *s.tiles[2];
  const int32_t above = s.lead().ElementBytes() - 1 - s.ModeOf(kHistMode);
  const int32_t rows = above == 0 ? 0 : s.lead().ElementBytes() == 2 ? s.lead().ValidRows() : above;
  if (rows == 0 || (idx.ValidRows() >= rows && idx.ValidCols() > 0)) return Status::kOk;
  return s.Fail(s.Name(2), "%s is valid in " PTO_REGION " where %d rows of a filter are needed", s.Name(2),
                idx.ValidRows(), idx.ValidCols(), rows);
}

Status CheckFindMode(const Subject& s) {
  const int32_t mode = s.ModeOf(kCmpMode);
  const bool equal = !s.facts().finds_greater_i32 && s.lead().dtype() == DType::kI32;
  if (mode == static_cast<int32_t>(Compare::kEq) || (mode == static_cast<int32_t>(Compare::kGt) && !equal)) {
    return Status::kOk;
  }
  return s.Fail(s.Name(s.op.Find(Role::kMode)), "elements of %s are compared by %s, which %s does not do",
                Info(s.lead().dtype()).name, kCmpMode.values[mode].name, s.ProfileName());
}

Status CheckGroupsCovered(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    const bool by_row = s.ExtentOf(i) == Extent::kRowGroups;
    if (!by_row && s.ExtentOf(i) != Extent::kColGroups) continue;
    const int32_t rows = by_row ? s.lead().ValidRows() : ScaleGroups(s.lead().ValidRows());
    const int32_t cols = by_row ? ScaleGroups(s.lead().ValidCols()) : s.lead().ValidCols();
    if (s.Covers(s.tiles[i]->ValidRows(), rows) && s.Covers(s.tiles[i]->ValidCols(), cols)) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where the groups of %s are " PTO_REGION " (rows x columns)",
                  s.Name(i), s.tiles[i]->ValidRows(), s.tiles[i]->ValidCols(), s.LeadName(), rows, cols);
  }
  return Status::kOk;
}

}  // namespace pto
