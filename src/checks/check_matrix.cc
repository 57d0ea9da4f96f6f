// The rules of products of matrices: where operands live, how they lie there, and their regions.
#include <algorithm>

#include "src/checks/check_impl.h"

namespace pto {

namespace {

constexpr int32_t kMostOfMatrix = 4095;

// What the hardware wants of an operand.
struct Place {
  Location location;
  BLayout blayout;
  SLayout slayout;
  int32_t fractal;
};

Place PlaceOf(Extent extent) {
  switch (extent) {
    case Extent::kLeft:
      return {Location::kLeft, BLayout::kColMajor, SLayout::kRowMajor, 512};
    case Extent::kRight:
      return {Location::kRight, BLayout::kRowMajor, SLayout::kColMajor, 512};
    case Extent::kLeftScales:
      return {Location::kScaleLeft, BLayout::kRowMajor, SLayout::kRowMajor, 32};
    case Extent::kRightScales:
      return {Location::kScaleRight, BLayout::kColMajor, SLayout::kColMajor, 32};
    case Extent::kRow:
      return {Location::kBias, BLayout::kRowMajor, SLayout::kNoneBox, 0};
    default:
      return {Location::kAcc, BLayout::kColMajor, SLayout::kRowMajor, 1024};
  }
}

}  // namespace

Status CheckLocationMatrix(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    const Place place = PlaceOf(s.ExtentOf(i));
    if (s.tiles[i]->geometry.location == place.location) continue;
    return s.Fail(s.Name(i), "%s lives in %s where %s needs %s", s.Name(i), LocationName(*s.tiles[i]), s.ProfileName(),
                  Info(place.location).name);
  }
  return Status::kOk;
}

Status CheckMatrixLayout(const Subject& s) {
  for (int i = 0; i < s.op.Needed(); ++i) {
    const Place place = PlaceOf(s.ExtentOf(i));
    const Geometry& g = s.tiles[i]->geometry;
    // Where the left matrix has its boxes in rows, the implementation looks at the location only.
    const bool either = s.facts().left_by_rows && place.location == Location::kLeft;
    const bool ordered = (either || g.blayout == place.blayout) && g.slayout == place.slayout;
    if (place.slayout == SLayout::kNoneBox) {
      if (ordered && g.rows == 1) continue;
      return s.Fail(s.Name(i), "%s is %s with %d rows where %s needs row-major with one", s.Name(i),
                    LayoutName(*s.tiles[i]), g.rows, s.ProfileName());
    }
    if (ordered && g.fractal == place.fractal) continue;
    return s.Fail(s.Name(i), "%s is %s with a fractal of %d where %s needs boxed %s/%s with %d", s.Name(i),
                  LayoutName(*s.tiles[i]), g.fractal, s.ProfileName(),
                  place.blayout == BLayout::kRowMajor ? "row-major" : "col-major",
                  place.slayout == SLayout::kRowMajor ? "row-major" : "col-major", place.fractal);
  }
  return Status::kOk;
}

Status CheckMadMode(const Subject& s) {
  const int32_t mode = s.ModeOf(kMadMode);
  const bool hf32 = s.facts().rounds_to_hf32;
  const auto mad = static_cast<Mad>(mode);
  if (mad == Mad::kNone || IsHf32(mad) == hf32) return Status::kOk;
  return s.Fail("mad", "mad is %s where %s rounds to %s", kMadMode.values[mode].name, s.ProfileName(),
                hf32 ? "HF32" : "TF32");
}

namespace {

// A matrix of scales beside m x k or k x n elements: needs rows x cols.
Status CheckScales(const Subject& s, int i, int32_t rows, int32_t cols) {
  const pto_tile& scales = *s.tiles[i];
  if (s.Covers(scales.ValidRows(), rows) && s.Covers(scales.ValidCols(), cols)) return Status::kOk;
  return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s needs " PTO_REGION, s.Name(i), scales.ValidRows(),
                scales.ValidCols(), s.ProfileName(), rows, cols);
}

}  // namespace

Status CheckMatrixValid(const Subject& s) {
  const int left = s.op.Find(Extent::kLeft);
  const int right = s.op.Find(Extent::kRight);
  const pto_tile& a = *s.tiles[left];
  const pto_tile& b = *s.tiles[right];
  const pto_tile& c = s.lead();
  if (a.ValidCols() != b.ValidRows()) {
    return s.Fail(s.Name(right), "%s has %d valid rows where %s has %d valid columns", s.Name(right), b.ValidRows(),
                  s.Name(left), a.ValidCols());
  }
  if (!s.Covers(a.ValidRows(), c.ValidRows())) {
    return s.Fail(s.Name(left), "%s has %d valid rows where %s has %d", s.Name(left), a.ValidRows(), s.LeadName(),
                  c.ValidRows());
  }
  if (s.Covers(b.ValidCols(), c.ValidCols())) return Status::kOk;
  return s.Fail(s.Name(right), "%s has %d valid columns where %s has %d", s.Name(right), b.ValidCols(), s.LeadName(),
                c.ValidCols());
}

Status CheckMatrixSize(const Subject& s) {
  const int32_t m = s.lead().ValidRows();
  const int32_t n = s.lead().ValidCols();
  const int32_t k = s.tiles[s.op.Find(Extent::kLeft)]->ValidCols();
  if (std::min({m, n, k}) >= 1 && std::max({m, n, k}) <= kMostOfMatrix) return Status::kOk;
  return s.Fail(s.LeadName(), "%dx%d by %dx%d where %s takes 1 to %d", m, k, k, n, s.ProfileName(), kMostOfMatrix);
}

Status CheckScaleValid(const Subject& s) {
  const int32_t groups = ScaleGroups(s.tiles[s.op.Find(Extent::kLeft)]->ValidCols());
  const Status status = CheckScales(s, s.op.Find(Extent::kLeftScales), s.lead().ValidRows(), groups);
  return status != Status::kOk ? status : CheckScales(s, s.op.Find(Extent::kRightScales), groups, s.lead().ValidCols());
}

Status CheckScalePairs(const Subject& s) {
  const int left = s.op.Find(Extent::kLeft);
  const int right = s.op.Find(Extent::kRight);
  const bool first = s.tiles[left]->geometry.cols % (2 * kScaleGroup) != 0;
  const int32_t k = first ? s.tiles[left]->geometry.cols : s.tiles[right]->geometry.rows;
  if (k % (2 * kScaleGroup) == 0) return Status::kOk;
  const int i = first ? left : right;
  return s.Fail(s.Name(i), "%s has %d %s where %s needs a multiple of %d", s.Name(i), k, first ? "columns" : "rows",
                s.ProfileName(), 2 * kScaleGroup);
}

Status CheckOneRow(const Subject& s) {
  if (s.lead().ValidRows() == 1) return Status::kOk;
  return s.Fail(s.LeadName(), "%s has %d valid rows where %s needs 1", s.LeadName(), s.lead().ValidRows(),
                s.ProfileName());
}

}  // namespace pto
