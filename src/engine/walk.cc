// Run(): cuts the valid region into panels in which every operand is a grid, and
// gives these to the kernel. The only file that knows how layouts, broadcasting
// and partial regions become grids.
#include "src/checks/check_impl.h"
#include "src/engine/execute.h"
#include "src/engine/packed.h"
#include "src/engine/rearrange.h"
#include "src/kernels/convert.h"
#include "src/kernels/stream.h"
#include "src/objects/fp_env.h"

namespace pto {

namespace {

// How a source moves beside dst.
enum class Motion : uint8_t {
  kBeside,  // element (r, c) is at data + layout.Offset(r, c)
  kRow,     // one element per column, contiguous
  kColumn,  // one element per row, `step` elements apart
  kOne,     // one element
};

// An operand as the walk sees it.
struct Side {
  uint8_t* data = nullptr;
  Motion motion = Motion::kOne;
  Layout layout;
  int64_t step = 1;
};

Side Beside(const pto_tile& tile) { return {tile.data, Motion::kBeside, tile.layout, 1}; }

struct Rect {
  int32_t row;
  int32_t col;
  int32_t end_row;
  int32_t end_col;
};

// One kernel over a rectangle. Sides that move beside dst have contiguous lines along the same
// axis as dst; what a column of elements gives lines that are columns is contiguous, too.
struct Pass {
  Kernel kernel;
  int64_t size;  // bytes of an element
  Side dst;
  Side a;
  Side b;
  Side third = dst;
  bool past_caches = false;

  void Over(const Rect& rect) const {
    for (int32_t r = rect.row; r < rect.end_row;) {
      int32_t next_r = rect.end_row;
      for (const Side* side : {&dst, &a, &b, &third}) next_r = PanelEnd(r, side->layout.panel_rows, next_r);
      for (int32_t c = rect.col; c < rect.end_col;) {
        int32_t next_c = rect.end_col;
        for (const Side* side : {&dst, &a, &b, &third}) next_c = PanelEnd(c, side->layout.panel_cols, next_c);
        Panel(r, c, next_r - r, next_c - c);
        c = next_c;
      }
      r = next_r;
    }
  }

 private:
  // Where a side begins in a panel, and how far apart its lines and the elements of a line are.
  const uint8_t* Place(const Side& side, int32_t r, int32_t c, ptrdiff_t* line, int32_t* step) const {
    const bool by_rows = dst.layout.RowsContiguous();
    *line = 0;
    *step = 0;
    switch (side.motion) {
      case Motion::kBeside:
        *line = side.layout.LineStep();
        *step = 1;
        return side.data + side.layout.Offset(r, c) * size;
      case Motion::kRow:
        *step = by_rows ? 1 : 0;
        *line = by_rows ? 0 : 1;
        return side.data + c * size;
      case Motion::kColumn:
        *step = by_rows ? 0 : 1;
        *line = by_rows ? side.step : 0;
        return side.data + r * side.step * size;
      default:
        return side.data;
    }
  }

  void Panel(int32_t r, int32_t c, int32_t rows, int32_t cols) const {
    const bool by_rows = dst.layout.RowsContiguous();
    Grid grid{};
    int32_t one = 0;
    grid.dst = const_cast<uint8_t*>(Place(dst, r, c, &grid.dst_line, &one));
    grid.a = Place(a, r, c, &grid.a_line, &grid.a_step);
    grid.b = Place(b, r, c, &grid.b_line, &grid.b_step);
    grid.c = Place(third, r, c, &grid.c_line, &one);
    grid.lines = static_cast<size_t>(by_rows ? rows : cols);
    grid.count = static_cast<size_t>(by_rows ? cols : rows);
    past_caches ? CallPastCaches(kernel, grid) : Call(kernel, grid);
  }
};

// A source that moves beside dst must be copied before the call writes anything when its lines run
// across the lines of dst, or when it shares memory with dst but not element by element.
bool NeedsCopy(const pto_tile& dst, const pto_tile& src) {
  if (SameElements(dst, src)) return false;
  return src.layout.RowsContiguous() != dst.layout.RowsContiguous() || !Apart(dst, src);
}

// A source of a call, and what of it must be laid out in scratch before anything is written.
struct Source {
  const pto_tile* tile = nullptr;  // nullptr: the scalar
  Motion motion = Motion::kOne;
  bool copy = false;
  bool repeats = false;  // its columns are repeated along the rows of dst
  bool widens = false;   // its elements become elements of dst, after their copy
  int64_t bytes = 0;     // of scratch
};

// One element per row or column of dst, from a tile of any layout.
void PackVector(const pto_tile& vector, bool down, int32_t count, uint8_t* out) {
  const int64_t size = vector.ElementBytes();
  for (int32_t j = 0; j < count; ++j) {
    const uint8_t* at = vector.data + vector.layout.Offset(down ? j : 0, down ? 0 : j) * size;
    std::copy_n(at, size, out + j * size);
  }
}

void PackRepeated(const pto_tile& tile, int32_t rows, int32_t cols, bool by_rows, uint8_t* out) {
  const int64_t size = tile.ElementBytes();
  for (int32_t r = 0; r < rows; ++r) {
    for (int32_t c = 0; c < cols; ++c) {
      const int64_t to = by_rows ? int64_t{r} * cols + c : int64_t{c} * rows + r;
      std::copy_n(tile.data + tile.layout.Offset(r, c % tile.ValidCols()) * size, size, out + to * size);
    }
  }
}

Source MakeSource(const pto_tile& dst, const pto_tile& tile, Extent extent) {
  Source s;
  s.tile = &tile;
  const int32_t rows = dst.ValidRows();
  const int32_t cols = dst.ValidCols();
  const int64_t size = tile.ElementBytes();
  const bool by_rows = dst.layout.RowsContiguous();
  if (extent == Extent::kRepeat) {
    s.repeats = tile.ValidCols() < cols && tile.ValidCols() > 1;
    extent = tile.ValidCols() < cols ? Extent::kColumn : Extent::kSame;
  }
  if (s.repeats) {
    s.motion = Motion::kBeside;
    s.copy = true;
    s.bytes = int64_t{rows} * cols * size;
  } else if (extent == Extent::kRow) {
    s.motion = Motion::kRow;
    const bool contiguous = IsColumnVector(tile) || (tile.layout.RowsContiguous() && !tile.layout.Boxed());
    s.copy = !contiguous || !Apart(dst, tile);
    s.bytes = cols * size;
  } else if (extent == Extent::kColumn) {
    s.motion = Motion::kColumn;
    const bool regular = !tile.layout.Boxed() && (by_rows || tile.layout.row_step == 1);
    s.copy = !regular || !Apart(dst, tile);
    s.bytes = rows * size;
  } else {
    s.motion = Motion::kBeside;
    s.widens = tile.dtype() != dst.dtype();
    s.copy = s.widens || NeedsCopy(dst, tile);
    s.bytes = tile.ValidBytes();
    if (s.widens) s.bytes = RoundUp(s.bytes, 64) + tile.ValidBytes() / size * dst.ElementBytes();
  }
  if (!s.copy) s.bytes = 0;
  return s;
}

// Exactly: from a type whose numbers the other has.
void Widen(pto_context* ctx, DType from, DType to, const void* in, size_t count, void* out) {
  Call(ctx->conversions.Of(ctx->target, from, to, Round::kRint, true), ConvertGrid{out, in, 0, 0, 1, count});
}

Side MakeSide(pto_context* ctx, const pto_tile& dst, const Source& s, uint8_t* scratch, uint8_t* scalar) {
  if (s.tile == nullptr) return {scalar, Motion::kOne, Layout(), 1};
  const pto_tile& tile = *s.tile;
  const bool by_rows = dst.layout.RowsContiguous();
  if (!s.copy) {
    return {tile.data, s.motion, s.motion == Motion::kBeside ? tile.layout : Layout(), tile.layout.row_step};
  }
  Side side{scratch, s.motion, Layout(), 1};
  if (s.repeats) {
    PackRepeated(tile, dst.ValidRows(), dst.ValidCols(), by_rows, scratch);
    side.layout = by_rows ? Layout::RowMajor(dst.ValidCols()) : Layout::ColMajor(dst.ValidRows());
  } else if (s.motion == Motion::kBeside) {
    by_rows ? PackRows(*ctx, tile, scratch) : PackCols(*ctx, tile, scratch);
    side.layout = by_rows ? Layout::RowMajor(tile.ValidCols()) : Layout::ColMajor(tile.ValidRows());
    if (s.widens) {
      side.data += RoundUp(tile.ValidBytes(), 64);
      const auto elements = static_cast<size_t>(tile.ValidBytes() / tile.ElementBytes());
      Widen(ctx, tile.dtype(), dst.dtype(), scratch, elements, side.data);
    }
  } else {
    const bool down = s.motion == Motion::kColumn || IsColumnVector(tile);
    PackVector(tile, down, s.motion == Motion::kColumn ? dst.ValidRows() : dst.ValidCols(), scratch);
  }
  return side;
}

// The two rectangles of a tile's region right of and below one of rows x cols at its origin.
void OverRest(const Pass& pass, const pto_tile& tile, int32_t rows, int32_t cols) {
  pass.Over({0, cols, rows, tile.ValidCols()});
  pass.Over({rows, 0, tile.ValidRows(), tile.ValidCols()});
}

const Kernel& KernelOf(const pto_context& ctx, Lane lane, DType dtype) {
  return ctx.kernels->at[static_cast<int>(lane)][static_cast<int>(dtype)];
}

}  // namespace

void CopyRest(const pto_context& ctx, const pto_tile& dst, const pto_tile& src, int32_t rows, int32_t cols) {
  if (SameElements(dst, src)) return;
  const Pass copies{KernelOf(ctx, Lane::kCopy, dst.dtype()), dst.ElementBytes(), Beside(dst), Beside(src), Beside(src)};
  OverRest(copies, dst, rows, cols);
}

namespace {

// Combines where both sources are valid, copies where one is, and fills the rest with the neutral element: there is a
// rest only where OpInfo::FillsUncovered().
void RunPartial(const pto_context* ctx, const OpInfo& op, const Args& args, const Pass& pass) {
  const pto_tile& dst = *args.tiles[0];
  const pto_tile& a = *args.tiles[1];
  const pto_tile& b = *args.tiles[2];
  const int32_t rows = std::min(a.ValidRows(), b.ValidRows());
  const int32_t cols = std::min(a.ValidCols(), b.ValidCols());
  pass.Over({0, 0, rows, cols});
  Pass copies = pass;
  copies.kernel = KernelOf(*ctx, Lane::kCopy, dst.dtype());
  for (const pto_tile* source : {&a, &b}) {
    copies.a = copies.b = source == &a ? pass.a : pass.b;
    if (!SameElements(dst, *source)) OverRest(copies, *source, rows, cols);
  }
  if (a.valid == dst.valid || b.valid == dst.valid) return;
  Geometry least = dst.geometry;
  least.pad = op.lane == Lane::kMax ? kPadMin : kPadMax;
  uint64_t neutral = PadBits(least);
  copies.a = copies.b = {reinterpret_cast<uint8_t*>(&neutral), Motion::kOne, Layout(), 1};
  const pto_tile& taller = a.ValidRows() > b.ValidRows() ? a : b;
  copies.Over({0, std::max(a.ValidCols(), b.ValidCols()), rows, dst.ValidCols()});
  copies.Over({rows, taller.ValidCols(), taller.ValidRows(), dst.ValidCols()});
  copies.Over({taller.ValidRows(), 0, dst.ValidRows(), dst.ValidCols()});
}

}  // namespace

Status Run(pto_context* ctx, const OpInfo& op, const Args& args) {
  const pto_tile& dst = *args.tiles[0];
  const int32_t rows = dst.ValidRows();
  const int32_t cols = dst.ValidCols();
  if (rows == 0 || cols == 0) return Status::kOk;

  const DefaultFpEnv fp_env;
  // Sources in the order in which the arithmetic takes them. All memory first: after this nothing fails, so
  // nothing is half done.
  constexpr int kMaxSources = 3;
  Source sources[kMaxSources];
  int count = 0;
  int64_t need = 0;
  uint64_t scalar = 0;
  const bool with_scalar = op.ScalarIndex() >= 0;
  if (with_scalar) {
    const DType dtype = ScalarType(op, ctx->profile, args.tiles);
    ScalarBits(*args.scalar, dtype, &scalar);
    if (dtype != dst.dtype()) {
      const uint64_t narrow = scalar;
      Widen(ctx, dtype, dst.dtype(), &narrow, 1, &scalar);
    }
  }
  for (int i = 0; i < op.Inputs(); ++i) {
    if (with_scalar && op.scalar_at == i) ++count;
    sources[count] = MakeSource(dst, *args.tiles[op.Outputs() + i], op.operands[op.Outputs() + i].extent);
    need += RoundUp(sources[count].bytes, 64);
    ++count;
  }
  if (with_scalar && (op.scalar_at < 0 || op.scalar_at == op.Inputs())) ++count;
  uint8_t* scratch = nullptr;
  const Status status = TakeScratch(ctx, op, need, &scratch);
  if (status != Status::kOk) return status;
  Side sides[kMaxSources];
  for (int i = 0; i < count; ++i) {
    sides[i] = MakeSide(ctx, dst, sources[i], scratch, reinterpret_cast<uint8_t*>(&scalar));
    scratch += RoundUp(sources[i].bytes, 64);
  }

  const int64_t size = dst.ElementBytes();
  const Side to = Beside(dst);
  Pass pass{KernelOf(*ctx, LaneOf(op, ctx->profile, args.flags), dst.dtype()), size, to, sides[0],
            sides[count > 1 ? 1 : 0]};
  if (count > 2) pass.third = sides[2];
  pass.past_caches = ctx->past_caches;
  if (op.walk != Walk::kPartial) {
    pass.Over({0, 0, rows, cols});
    return Status::kOk;
  }

  RunPartial(ctx, op, args, pass);
  return Status::kOk;
}

namespace {

Status RunAny(pto_context* ctx, const OpInfo& op, const Args& args) {
  if (op.Transfers()) return RunTransfer(ctx, op, args);
  if (op.walk == Walk::kMove || op.walk == Walk::kJoinCounts) return RunMove(ctx, op, args);
  if (op.walk == Walk::kMatMul) return RunMatMul(ctx, op, args);
  if (op.walk == Walk::kImage) return RunImage(ctx, op, args);
  return op.ByRows() ? RunRows(ctx, op, args, false) : Run(ctx, op, args);
}

}  // namespace

Status CheckAndRun(pto_context* ctx, const OpInfo& op, const Args& args) {
  const Status status = ctx != nullptr && ctx->passed ? Status::kOk : Check(ctx, op, args);
  if (status != Status::kOk) return status;
  if (!op.Transfers() && WritesNothing(op, args)) return Status::kOk;
  return AnyPacked(op, args) ? RunUnpacked(ctx, op, args, RunAny) : RunAny(ctx, op, args);
}

}  // namespace pto
