// Which ways elements take between on-chip memories and to and from global memory: the rules of
// TLOAD, TSTORE and TMOV, and of what they convert.
#include <span>

#include "src/checks/check_impl.h"

namespace pto {

namespace {

// Tables are moved whole, or by windows only.
enum class Part : uint8_t { kAny, kWhole, kWindow };

// A way that hardware has from one memory to another without converting elements.
struct Path {
  Location from;
  Location to;
  ProfileSet profiles;
  DTypeSet dtypes;
  Part part = Part::kAny;
};
constexpr DTypeSet kMatrix = dtypes::kI8 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32;
constexpr DTypeSet kStaged = kMatrix | dtypes::kCodes;
constexpr DTypeSet kSums = dtypes::kI32 | dtypes::kF32;
constexpr Path kPaths[] = {
    {Location::kVec, Location::kVec, profiles::kHardware, dtypes::kStored},
    {Location::kVec, Location::kMat, profiles::kA5, kStaged | dtypes::kI32},
    {Location::kMat, Location::kLeft, profiles::kHardware, kStaged},
    {Location::kMat, Location::kRight, profiles::kHardware, kStaged},
    {Location::kMat, Location::kScaleLeft, profiles::kA5, dtypes::kE8M0},
    {Location::kMat, Location::kScaleRight, profiles::kA5, dtypes::kE8M0},
    {Location::kMat, Location::kBias, profiles::kHardware, kSums, Part::kWhole},
    {Location::kMat, Location::kScaling, profiles::kHardware, dtypes::kI64 | dtypes::kU64, Part::kWhole},
    {Location::kMat, Location::kScaling, profiles::kA5, dtypes::kF16, Part::kWindow},
    {Location::kAcc, Location::kVec, profiles::kA5, kSums},
    {Location::kAcc, Location::kMat, profiles::kA5, kSums},
};

// Where sums go that are converted on the way, and what becomes bias.
constexpr Path kConverting[] = {
    {Location::kMat, Location::kBias, profiles::kHardware, dtypes::kF16, Part::kWhole},
    {Location::kMat, Location::kBias, profiles::kA5, dtypes::kBF16, Part::kWhole},
    {Location::kAcc, Location::kMat, profiles::kHardware, kSums},
    {Location::kAcc, Location::kVec, profiles::kA5, kSums},
};

// f32 that becomes f16 or bf16.
bool Narrows(DType from, DType to) { return from == DType::kF32 && (Bit(to) & (dtypes::kF16 | dtypes::kBF16)) != 0; }

// Where exponents of groups live besides mat.
Location OwnLocation(Exponents side) {
  return side == Exponents::kRight ? Location::kScaleRight : Location::kScaleLeft;
}
// In Zz boxes of 16 x 2 on the left, in Nn on the right.
bool HoldsExponents(const Geometry& g, Exponents side) {
  const bool right = side == Exponents::kRight;
  return g.blayout == (right ? BLayout::kColMajor : BLayout::kRowMajor) &&
         g.slayout == (right ? SLayout::kColMajor : SLayout::kRowMajor) && g.fractal == 32 &&
         (g.location == OwnLocation(side) || g.location == Location::kMat);
}

bool Unboxed(const Geometry& g) { return g.slayout == SLayout::kNoneBox; }

// Does the hardware move such a tile in the order of such a tensor?
bool Transferable(const Subject& s, const Geometry& g, const TensorShape& shape) {
  const bool nd = shape.layout == TensorLayout::kND;
  if (g.location == Location::kAcc) return (OrderOf(shape.layout).stores_acc & Bit(s.profile())) != 0;
  if (shape.layout == TensorLayout::kNZ) {
    // Boxes of 16 rows of 32 bytes on both sides.
    const int64_t bits = Info(shape.dtype).bits;
    return g.blayout == BLayout::kColMajor && g.slayout == SLayout::kRowMajor && g.fractal == 512 && bits < 64 &&
           shape.dim[3] == 16 && shape.dim[4] * bits == 32 * 8;
  }
  const Exponents side = OrderOf(shape.layout).exponents;
  if (side != Exponents::kNone) {
    return s.facts().loads_exponents && s.op.walk == Walk::kLoad && Info(shape.dtype).bits == 8 &&
           HoldsExponents(g, side);
  }
  if (!nd && shape.layout != TensorLayout::kDN) return false;
  if (Unboxed(g)) return g.rows == 1 || g.cols == 1 || (g.blayout == BLayout::kRowMajor) == nd;
  if (g.location != Location::kMat || s.op.walk != Walk::kLoad || g.fractal != 512) return false;
  // On its way into boxes an order may turn: ND to Nz, DN to Zn, and on some devices DN to Nz.
  if (g.blayout == BLayout::kColMajor) return g.slayout == SLayout::kRowMajor && (nd || s.facts().loads_dn_into_nz);
  return g.slayout == SLayout::kColMajor && !nd;
}

// The tile beside the tensor of a transfer; the first operand of what only fills a tile.
int TileOf(const Subject& s) { return s.tensor == nullptr ? 0 : 1 - s.op.TensorIndex(); }

}  // namespace

Status CheckLocationLoad(const Subject& s) {
  const int i = TileOf(s);
  const pto_tile& tile = *s.tiles[i];
  const Location location = tile.geometry.location;
  const bool load = s.op.walk != Walk::kStore;
  const bool mat = load || s.facts().stores_mat;
  if (location == Location::kVec || (mat && location == Location::kMat) || (!load && location == Location::kAcc)) {
    return Status::kOk;
  }
  const Exponents side = s.tensor == nullptr ? Exponents::kNone : OrderOf(s.tensor->shape.layout).exponents;
  if (load && s.facts().loads_exponents && side != Exponents::kNone && location == OwnLocation(side)) {
    return Status::kOk;
  }
  return s.Fail(s.Name(i), "%s lives in %s where %s needs %s", s.Name(i), LocationName(tile), s.ProfileName(),
                load  ? "vec or mat"
                : mat ? "vec, mat or acc"
                      : "vec or acc");
}

Status CheckSameWidth(const Subject& s) {
  const pto_tile& tile = *s.tiles[TileOf(s)];
  const DType dtype = s.tensor->shape.dtype;
  if (Info(dtype).bits == Info(tile.dtype()).bits) return Status::kOk;
  if (s.op.walk == Walk::kStore && Narrows(tile.dtype(), dtype) &&
      (!IsHardware(s.profile()) || tile.geometry.location == Location::kAcc)) {
    return Status::kOk;
  }
  const char* tensor = s.Name(s.op.TensorIndex());
  return s.Fail(tensor, "%s holds %s where %s in %s holds %s", tensor, Info(dtype).name, s.Name(TileOf(s)),
                LocationName(tile), Info(tile.dtype()).name);
}

Status CheckAccDType(const Subject& s) {
  const int i = TileOf(s);
  const pto_tile& tile = *s.tiles[i];
  const DType dtype = s.tensor->shape.dtype;
  if (tile.geometry.location != Location::kAcc || Narrows(tile.dtype(), dtype)) return Status::kOk;
  if (dtype == tile.dtype() && (Bit(dtype) & kSums) != 0) return Status::kOk;
  return s.Fail(s.Name(i), "%s in acc holds %s and %s holds %s", s.Name(i), Info(tile.dtype()).name,
                s.Name(s.op.TensorIndex()), Info(dtype).name);
}

Status CheckTransferCovers(const Subject& s) {
  const int i = TileOf(s);
  const pto_tile& tile = *s.tiles[i];
  const MatrixView& view = s.tensor->view;
  if (view.rows.extent >= tile.ValidRows() && view.cols.extent >= tile.ValidCols()) return Status::kOk;
  const char* tensor = s.Name(s.op.TensorIndex());
  return s.Fail(tensor, "%s has %lldx%lld elements where %s is valid in " PTO_REGION " (rows x columns)", tensor,
                static_cast<long long>(view.rows.extent), static_cast<long long>(view.cols.extent), s.Name(i),
                tile.ValidRows(), tile.ValidCols());
}

Status CheckTensorOverlap(const Subject& s) {
  const pto_tile& tile = *s.tiles[TileOf(s)];
  const MatrixView& view = s.tensor->view;
  Meeting meeting;
  if (view.injective || Adds(s.op, s.args)) return Status::kOk;
  if (!FindMeeting(view, tile.ValidRows(), tile.ValidCols(), &meeting)) return Status::kOk;
  const auto [earlier, later] = meeting;
  const char* tensor = s.Name(s.op.TensorIndex());
  return s.Fail(
      tensor, "%s has elements (%lld, %lld) and (%lld, %lld) (row, column) in one place, %lld elements from its first",
      tensor, static_cast<long long>(earlier.row), static_cast<long long>(earlier.col),
      static_cast<long long>(later.row), static_cast<long long>(later.col),
      static_cast<long long>(view.rows.Offset(later.row) + view.cols.Offset(later.col)));
}

Status CheckTransferLayout(const Subject& s) {
  const int i = TileOf(s);
  const pto_tile& tile = *s.tiles[i];
  const TensorShape& shape = s.tensor->shape;
  if (Transferable(s, tile.geometry, shape)) return Status::kOk;
  return s.Fail(s.Name(i), "%s is %s in %s where %s is %s, which %s does not turn", s.Name(i), LayoutName(tile),
                LocationName(tile), s.Name(s.op.TensorIndex()), OrderOf(shape.layout).name, s.ProfileName());
}

Status CheckLocationMove(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  const pto_tile& src = *s.tiles[1];
  const bool converts = s.op.Has(Rule::kLocationAcc) || src.dtype() != dst.dtype();
  const std::span<const Path> paths = converts ? std::span<const Path>(kConverting) : kPaths;
  for (const Path& path : paths) {
    if (path.part == (s.op.Has(Extent::kWindow) ? Part::kWhole : Part::kWindow)) continue;
    if (path.from == src.geometry.location && path.to == dst.geometry.location &&
        (path.profiles & Bit(s.profile())) != 0 && (path.dtypes & Bit(src.dtype())) != 0) {
      return Status::kOk;
    }
  }
  return s.Fail(s.Name(1), "%s lives in %s and %s in %s, between which %s does not %s %s", s.Name(1), LocationName(src),
                s.Name(0), LocationName(dst), s.ProfileName(), converts ? "convert" : "move", Info(src.dtype()).name);
}

// Hardware gathers whole boxes, out of columns two of them.
Status CheckScaleBoxes(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  const pto_tile& src = *s.tiles[1];
  const Geometry &to = dst.geometry, &from = src.geometry;
  const bool zz = to.blayout == BLayout::kRowMajor && to.slayout == SLayout::kRowMajor && to.fractal == 32;
  if (!zz || to.location != Location::kVec || !Unboxed(from)) return Status::kOk;
  const int32_t rows = from.blayout == BLayout::kRowMajor ? 16 : 32;
  if (src.ValidRows() % rows == 0 && src.ValidCols() % 2 == 0) return Status::kOk;
  return s.Fail(s.Name(1), "%s is %s and valid in " PTO_REGION " (rows x columns) where %s needs multiples of %dx2",
                s.Name(1), LayoutName(src), src.ValidRows(), src.ValidCols(), s.ProfileName(), rows);
}

Status CheckTransposedValid(const Subject& s) {
  const pto_tile& dst = *s.tiles[0];
  const pto_tile& src = s.lead();
  if (dst.ValidRows() == src.ValidCols() && dst.ValidCols() == src.ValidRows()) return Status::kOk;
  return s.Fail(s.Name(0), "%s is valid in " PTO_REGION " where %s is in " PTO_REGION " (rows x columns)", s.Name(0),
                dst.ValidRows(), dst.ValidCols(), s.LeadName(), src.ValidRows(), src.ValidCols());
}

// For each smaller tile: outputs that read windows, or the one source that is written into one.
Status CheckWindowRange(const Subject& s) {
  const int large = s.op.Find(Extent::kWindow);
  const pto_tile& tile = *s.tiles[large];
  const bool into = IsWritten(s.op.operands[large].role);
  for (int i = into ? s.op.lead : 0; i <= (into ? s.op.lead : s.op.Outputs() - 1); ++i) {
    const pto_tile& part = *s.tiles[i];
    const int first = into ? 0 : 2 * i;
    const int64_t row = s.args.numbers[first];
    const int64_t col = s.args.numbers[first + 1];
    if (row >= 0 && col >= 0 && row + part.ValidRows() <= tile.ValidRows() &&
        col + part.ValidCols() <= tile.ValidCols()) {
      continue;
    }
    return s.Fail(s.Name(large),
                  "%s is valid in " PTO_REGION " where a window of " PTO_REGION " begins at (%lld, %lld)",
                  s.Name(large), tile.ValidRows(), tile.ValidCols(), part.ValidRows(), part.ValidCols(),
                  static_cast<long long>(row), static_cast<long long>(col));
  }
  return Status::kOk;
}

namespace {

// Where a window of a tile may begin, in rows and columns, on its way between two memories.
Box StepOf(const pto_tile& tile, Profile profile, Location from, Location to) {
  const Geometry& g = tile.geometry;
  const int32_t block = 32 * 8 / Info(g.dtype).bits;  // elements
  if (from == Location::kMat && (to == Location::kLeft || to == Location::kRight)) return {16, block};
  if (!Info(profile).windows_by_block || from != Location::kVec || to != Location::kVec) return {1, 1};
  if (!Unboxed(g)) return BoxOf(g.slayout, g.fractal, Info(g.dtype).bytes);
  return g.blayout == BLayout::kRowMajor ? Box{1, block} : Box{block, 1};
}

// Both row-major, or both Nz.
bool SameLayout(const Geometry& a, const Geometry& b) {
  const bool nz = a.blayout == BLayout::kColMajor && a.slayout == SLayout::kRowMajor;
  const bool rows = a.blayout == BLayout::kRowMajor && Unboxed(a);
  return (rows || nz) && a.blayout == b.blayout && a.slayout == b.slayout && a.fractal == b.fractal;
}

}  // namespace

// The large tile has windows: outputs are read there, or the one source is written there.
Status CheckWindowPlace(const Subject& s) {
  const int large = s.op.Find(Extent::kWindow);
  const pto_tile& tile = *s.tiles[large];
  const bool into = IsWritten(s.op.operands[large].role);
  for (int i = into ? s.op.lead : 0; i <= (into ? s.op.lead : s.op.Outputs() - 1); ++i) {
    const pto_tile& part = *s.tiles[i];
    const Location from = (into ? part : tile).geometry.location;
    const Location to = (into ? tile : part).geometry.location;
    const Box step = StepOf(tile, s.profile(), from, to);
    const int32_t* const at = s.args.numbers + (into ? 0 : ptrdiff_t{2} * i);
    if (at[0] % step.rows != 0 || at[1] % step.cols != 0) {
      return s.Fail(s.Name(large),
                    "a window of %s begins at (%d, %d) where %s needs multiples of (%d, %d) from %s to %s",
                    s.Name(large), at[0], at[1], s.ProfileName(), step.rows, step.cols, Info(from).name, Info(to).name);
    }
    if (!into || from != Location::kVec || to != Location::kVec) continue;
    if (!SameLayout(tile.geometry, part.geometry)) {
      return s.Fail(s.Name(i), "%s is %s and %s is %s, and %s inserts row-major or Nz tiles into tiles alike",
                    s.Name(i), LayoutName(part), s.Name(large), LayoutName(tile), s.ProfileName());
    }
    if (Unboxed(tile.geometry) || (part.ValidRows() % step.rows == 0 && part.ValidCols() % step.cols == 0)) continue;
    return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " (rows x columns) where %s inserts multiples of %dx%d",
                  s.Name(i), part.ValidRows(), part.ValidCols(), s.ProfileName(), step.rows, step.cols);
  }
  return Status::kOk;
}

Status CheckJoinedValid(const Subject& s) {
  const pto_tile& dst = s.lead();
  int64_t cols = 0;
  for (int i = 0; i < s.op.Needed(); ++i) {
    if (s.ExtentOf(i) != Extent::kJoined) continue;
    cols += s.tiles[i]->ValidCols();
    if (s.tiles[i]->ValidRows() == dst.ValidRows()) continue;
    return s.Fail(s.Name(i), "%s has %d valid rows where %s has %d", s.Name(i), s.tiles[i]->ValidRows(), s.LeadName(),
                  dst.ValidRows());
  }
  if (cols == dst.ValidCols()) return Status::kOk;
  return s.Fail(s.LeadName(), "%s has %d valid columns where the sources have %lld", s.LeadName(), dst.ValidCols(),
                static_cast<long long>(cols));
}

Status CheckPadShape(const Subject& s) {
  const Geometry& dst = s.tiles[0]->geometry;
  const Geometry& src = s.lead().geometry;
  const bool around = s.ExtentOf(0) == Extent::kAround;
  if (around ? dst.rows >= src.rows && dst.cols >= src.cols : dst.rows == src.rows && dst.cols == src.cols) {
    if (s.lead().ValidRows() <= s.tiles[0]->StoredRows()) return Status::kOk;
    return s.Fail(s.Name(0), "%s, a compact tile, has %d rows where %s has %d valid ones", s.Name(0),
                  s.tiles[0]->StoredRows(), s.LeadName(), s.lead().ValidRows());
  }
  return s.Fail(s.Name(0), "%s has " PTO_REGION " elements where %s has " PTO_REGION " (rows x columns)", s.Name(0),
                dst.rows, dst.cols, s.LeadName(), src.rows, src.cols);
}

Status CheckPadPlace(const Subject& s) {
  constexpr uint8_t kZero = 1;
  for (int i = 0; i < s.op.Needed(); ++i) {
    const pto_tile& tile = *s.tiles[i];
    const Geometry& g = tile.geometry;
    const bool nz = g.blayout == BLayout::kColMajor && g.slayout == SLayout::kRowMajor;
    const bool zeros = i != 0 || g.pad <= kZero;
    if (tile.RowMajorVector() || (g.location == Location::kMat && nz && zeros)) continue;
    return s.Fail(s.Name(i), "%s is %s in %s with pad %d, which %s does not pad", s.Name(i), LayoutName(tile),
                  LocationName(tile), g.pad, s.ProfileName());
  }
  return Status::kOk;
}

Status CheckDstsApart(const Subject& s) {
  for (int i = 1; i < s.op.Outputs(); ++i) {
    for (int k = 0; k < i; ++k) {
      if (Apart(*s.tiles[k], *s.tiles[i])) continue;
      return s.Fail(s.Name(i), "%s at %p shares memory with %s at %p", s.Name(i),
                    static_cast<const void*>(s.tiles[i]->data), s.Name(k), static_cast<const void*>(s.tiles[k]->data));
    }
  }
  return Status::kOk;
}

Status CheckEvenCols(const Subject& s) {
  if (s.lead().ValidCols() % 2 == 0) return Status::kOk;
  return s.Fail(s.LeadName(), "%s has %d valid columns", s.LeadName(), s.lead().ValidCols());
}

Status CheckDoubleCols(const Subject& s) {
  const pto_tile& lead = s.lead();
  const int i = s.op.Find(Extent::kDouble);
  const pto_tile& src = *s.tiles[i];
  if (src.ValidRows() == lead.ValidRows() && src.ValidCols() == int64_t{2} * lead.ValidCols()) return Status::kOk;
  return s.Fail(s.Name(i), "%s is valid in " PTO_REGION " where %s is in " PTO_REGION " (rows x columns)", s.Name(i),
                src.ValidRows(), src.ValidCols(), s.LeadName(), lead.ValidRows(), lead.ValidCols());
}

Status CheckLocationAcc(const Subject& s) {
  for (int i = s.op.Outputs(); i < s.op.Needed(); ++i) {
    const pto_tile& tile = *s.tiles[i];
    const Geometry& g = tile.geometry;
    const bool words = s.ExtentOf(i) == Extent::kRow;
    const Location wanted = words ? Location::kScaling : Location::kAcc;
    if (g.location != wanted) {
      return s.Fail(s.Name(i), "%s lives in %s where %s needs %s", s.Name(i), LocationName(tile), s.ProfileName(),
                    Info(wanted).name);
    }
    if (!words || (Unboxed(g) && g.blayout == BLayout::kRowMajor && g.rows == 1)) continue;
    return s.Fail(s.Name(i), "%s is %s with %d rows where %s needs row-major with one", s.Name(i), LayoutName(tile),
                  g.rows, s.ProfileName());
  }
  return Status::kOk;
}

Status CheckAccToVec(const Subject& s) {
  constexpr int32_t kFirst = 0;
  constexpr int32_t kColumnUnit = 32;
  const int32_t mode = s.ModeOf(kAccToVecMode);
  const char* name = kAccToVecMode.name;
  if (mode == kFirst) return Status::kOk;
  const char* spelled = kAccToVecMode.values[mode].name;
  const Geometry& to = s.tiles[0]->geometry;
  if (to.location != Location::kVec) {
    return s.Fail(name, "%s is %s with %s in %s", name, spelled, s.Name(0), LocationName(*s.tiles[0]));
  }
  if (mode < kAccSplitRows) return Status::kOk;
  if (s.op.ScalarIndex() >= 0 || s.op.Has(Extent::kRow)) {
    return s.Fail(name, "%s is %s with a quantisation word", name, spelled);
  }
  if (to.slayout == SLayout::kNoneBox && to.blayout == BLayout::kColMajor) {
    return s.Fail(name, "%s is %s with a column-major %s", name, spelled, s.Name(0));
  }
  const int32_t cols = s.tiles[s.op.Outputs()]->ValidCols();
  if (mode != kAccSplitCols || s.op.Has(Extent::kWindow) || cols % kColumnUnit == 0) return Status::kOk;
  return s.Fail(name, "%s is %s with %d columns of %s, not a multiple of %d", name, spelled, cols,
                s.Name(s.op.Outputs()), kColumnUnit);
}

// Words belong to the columns of src, starting with the first column of the window.
Status CheckWordsCovered(const Subject& s) {
  const int fp = s.op.Find(Extent::kRow);
  const pto_tile& words = *s.tiles[fp];
  const int32_t count = IsColumnVector(words) ? words.ValidRows() : words.ValidCols();
  const int64_t end = int64_t{s.args.numbers[1]} + s.lead().ValidCols();
  if (count >= end) return Status::kOk;
  return s.Fail(s.Name(fp), "%s has %d words where the window ends at column %lld of src", s.Name(fp), count,
                static_cast<long long>(end));
}

}  // namespace pto
