// Which ways elements take between on-chip memories and to and from global memory: the rules of
// TLOAD, TSTORE and TMOV.
#include "src/core/check_impl.h"

namespace pto {

namespace {

// A way that hardware has from one memory to another without converting elements.
struct Path {
  Location from;
  Location to;
  ProfileSet profiles;
  DTypeSet dtypes;
};
constexpr DTypeSet kMatrix = dtypes::kI8 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32;
constexpr DTypeSet kSums = dtypes::kI32 | dtypes::kF32;
constexpr Path kPaths[] = {
    {Location::kVec, Location::kVec, profiles::kHardware, dtypes::kBits},
    {Location::kVec, Location::kMat, profiles::kA5, kMatrix | dtypes::kI32},
    {Location::kMat, Location::kLeft, profiles::kHardware, kMatrix},
    {Location::kMat, Location::kRight, profiles::kHardware, kMatrix},
    {Location::kMat, Location::kBias, profiles::kHardware, kSums},
    {Location::kMat, Location::kScaling, profiles::kHardware, dtypes::kI64 | dtypes::kU64},
    {Location::kAcc, Location::kVec, profiles::kA5, kSums},
    {Location::kAcc, Location::kMat, profiles::kA5, kSums},
};

bool Unboxed(const Geometry& g) { return g.slayout == SLayout::kNoneBox; }

// Does the hardware move such a tile in the order of such a tensor?
bool Transferable(const Subject& s, const Geometry& g, TensorLayout layout) {
  const bool nd = layout == TensorLayout::kND;
  if (g.location == Location::kAcc) return nd;
  if (Unboxed(g)) return g.rows == 1 || g.cols == 1 || (g.blayout == BLayout::kRowMajor) == nd;
  if (g.location != Location::kMat || s.op.walk != Walk::kLoad || g.fractal != 512) return false;
  // On its way into boxes an order may turn: ND to Nz, DN to Zn, and with A5 DN to Nz.
  if (g.blayout == BLayout::kColMajor) return g.slayout == SLayout::kRowMajor && (nd || s.profile() == Profile::kA5);
  return g.slayout == SLayout::kColMajor && !nd;
}

Status CheckLocationLoad(const Subject& s, int i) {
  const pto_tile& tile = *s.tiles[i];
  const Location location = tile.geometry.location;
  const bool load = s.op.walk == Walk::kLoad;
  const bool mat = load || s.profile() == Profile::kA2A3;
  if (location == Location::kVec || (mat && location == Location::kMat) || (!load && location == Location::kAcc)) {
    return Status::kOk;
  }
  return s.Fail(Rule::kLocationLoad, s.Name(i), "%s lives in %s where %s needs %s", s.Name(i), LocationName(tile),
                s.ProfileName(),
                load  ? "vec or mat"
                : mat ? "vec, mat or acc"
                      : "vec or acc");
}

}  // namespace

Status CheckTransferRule(const Subject& s, int i, Rule rule) {
  const pto_tile& tile = *s.tiles[i];
  const TensorShape& shape = s.tensor->shape;
  const char* tensor = s.Name(1 - i);
  switch (rule) {
    case Rule::kLocationLoad:
      return CheckLocationLoad(s, i);
    case Rule::kSameWidth:
      if (Info(shape.dtype).bytes == tile.ElementBytes()) break;
      return s.Fail(rule, tensor, "%s holds %s where %s holds %s", tensor, Info(shape.dtype).name, s.Name(i),
                    Info(tile.dtype()).name);
    case Rule::kAccDType:
      if (tile.geometry.location != Location::kAcc) break;
      if (shape.dtype == tile.dtype() && (Bit(shape.dtype) & kSums) != 0) break;
      return s.Fail(rule, s.Name(i), "%s in acc holds %s and %s holds %s", s.Name(i), Info(tile.dtype()).name, tensor,
                    Info(shape.dtype).name);
    case Rule::kTransferCovers:
      if (shape.MatrixRows() >= tile.ValidRows() && shape.MatrixCols() >= tile.ValidCols()) break;
      return s.Fail(rule, tensor, "%s has %lldx%lld elements where %s is valid in " PTO_REGION " (rows x columns)",
                    tensor, static_cast<long long>(shape.MatrixRows()), static_cast<long long>(shape.MatrixCols()),
                    s.Name(i), tile.ValidRows(), tile.ValidCols());
    default:  // kTransferLayout
      if (Transferable(s, tile.geometry, shape.layout)) break;
      return s.Fail(rule, s.Name(i), "%s is %s in %s where %s is %s, which %s does not turn", s.Name(i),
                    LayoutName(tile), LocationName(tile), tensor, shape.layout == TensorLayout::kND ? "ND" : "DN",
                    s.ProfileName());
  }
  return Status::kOk;
}

Status CheckLocationMove(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  const pto_tile& src = *s.tiles[1];
  for (const Path& path : kPaths) {
    if (path.from == src.geometry.location && path.to == dst.geometry.location &&
        (path.profiles & Bit(s.profile())) != 0 && (path.dtypes & Bit(src.dtype())) != 0) {
      return Status::kOk;
    }
  }
  return s.Fail(Rule::kLocationMove, s.Name(1), "%s lives in %s and %s in %s, between which %s does not move %s",
                s.Name(1), LocationName(src), s.Name(0), LocationName(dst), s.ProfileName(), Info(src.dtype()).name);
}

}  // namespace pto
