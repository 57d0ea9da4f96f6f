// The engine of moves, and the instructions that are nothing else: Walk::kMove.
#include "src/engine/rearrange.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "src/engine/execute.h"
#include "src/engine/fixpipe.h"

namespace pto {

namespace {

// Bytes of lines that the kernel for long lines would have to pack, or set up in each call.
constexpr int64_t kShort = 128;

// Neither side has contiguous lines. Blocks keep both in cache when their shorter steps are along different axes.
template <class T>
void MoveElements(const Plane& to, const Plane& from, int64_t rows, int64_t cols) {
  constexpr int64_t kBlock = 32;
  auto* out = reinterpret_cast<T*>(to.data);
  const auto* in = reinterpret_cast<const T*>(from.data);
  for (int64_t r0 = 0; r0 < rows; r0 += kBlock) {
    const int64_t r1 = std::min(rows, r0 + kBlock);
    for (int64_t c0 = 0; c0 < cols; c0 += kBlock) {
      const int64_t c1 = std::min(cols, c0 + kBlock);
      for (int64_t r = r0; r < r1; ++r) {
        for (int64_t c = c0; c < c1; ++c) {
          std::memcpy(out + (r * to.row_step + c * to.col_step), in + (r * from.row_step + c * from.col_step),
                      sizeof(T));
        }
      }
    }
  }
}

Plane Turned(const Plane& p) { return {p.data, p.col_step, p.row_step}; }
Area Turned(const Area& a) { return {a.data, a.layout.Turned(), a.col, a.row}; }

}  // namespace

Mover::Mover(const pto_context& ctx, int bytes)
    : shuffles_(ctx.kernels->ShufflesOf(bytes)),
      copy_(ctx.kernels->at[static_cast<int>(Lane::kCopy)][static_cast<int>(DType::kU8)]),
      size_(bytes) {}

// Planes are not copied: a vector copy would wait for the words that were just written.
void Mover::Planes(const Plane& to, const Plane& from, int64_t rows, int64_t cols) const {
  // Lines of `to` become rows, a single column too.
  if (rows != 1 && (cols == 1 || (to.col_step != 1 && to.row_step == 1))) {
    return Planes(Turned(to), Turned(from), cols, rows);
  }
  const auto lines = static_cast<size_t>(rows);
  const auto count = static_cast<size_t>(cols);
  if (to.col_step == 1 && from.col_step == 1) {
    const bool one = rows == 1 || (to.row_step == cols && from.row_step == cols);
    if (cols * size_ <= kShort && !(one && rows != 1)) {
      return shuffles_.lines({to.data, from.data, to.row_step, from.row_step, lines, count});
    }
    const int64_t line = from.row_step * size_;
    return Call(copy_, Grid{to.data, from.data, from.data, to.row_step * size_, line, line, 1, 1, lines,
                            count * static_cast<size_t>(size_)});
  }
  if (to.col_step == 1 && from.row_step == 1) {
    return shuffles_.transpose({to.data, from.data, to.row_step, from.col_step, count, lines});
  }
  switch (size_) {
    case 1:
      return MoveElements<uint8_t>(to, from, rows, cols);
    case 2:
      return MoveElements<uint16_t>(to, from, rows, cols);
    case 4:
      return MoveElements<uint32_t>(to, from, rows, cols);
    default:
      return MoveElements<uint64_t>(to, from, rows, cols);
  }
}

namespace {

// The distance in elements from one panel of a row to the next.
int64_t PanelStep(const Layout& l, int32_t cols) { return l.panel_cols == kNoSeam ? cols * l.col_step : l.col_box; }

// All panels from column `col` on have this number of columns, a power of two.
bool Regular(const Area& a, int32_t col, int32_t cols) {
  return a.layout.panel_cols == kNoSeam || (a.layout.panel_cols == cols && ((a.col + col) & (cols - 1)) == 0);
}

}  // namespace

// A call: RunAnyProduct() is flat, and this in it would be most of its code.
[[gnu::noinline]] void Mover::Areas(const Area& to, const Area& from, int32_t rows, int32_t cols) const {
  const auto plane = [&](const Area& a, int32_t r, int32_t c) {
    return Plane{a.data + a.layout.Offset(a.row + r, a.col + c) * size_, a.layout.row_step, a.layout.col_step};
  };
  // As most are: the way below takes a third of a small call.
  if (to.layout.Seamless() && from.layout.Seamless()) return Planes(plane(to, 0, 0), plane(from, 0, 0), rows, cols);
  // Columns that follow one another on both sides are lines.
  if (to.layout.row_step == 1 && from.layout.row_step == 1 && to.layout.col_step != 1) {
    return Areas(Turned(to), Turned(from), cols, rows);
  }
  // Panels of boxes side by side are parts of the same lines of the other side: few of these at a time stay in cache,
  // fewer where they are written, or meet in one place of it.
  constexpr int64_t kNear = 16 << 10;
  constexpr int64_t kMeet = 4096;
  const bool lines = to.layout.RowsContiguous() && from.layout.RowsContiguous();
  const bool lines_in = from.layout.panel_cols == kNoSeam;
  const bool meet = (lines_in ? from : to).layout.row_step * size_ % kMeet == 0;
  const int32_t strip = (lines_in ? 32 : 16) / (meet ? 2 : 1);
  const int32_t panel = std::min(to.layout.panel_cols, from.layout.panel_cols);
  // Boxes that lie alike are copied whole.
  const bool alike = lines && to.layout.row_step == panel && from.layout.row_step == panel;
  const bool strips = panel != kNoSeam && lines && !alike && int64_t{rows} * cols * size_ > kNear;
  for (int32_t r = 0; r < rows;) {
    int32_t next_r = strips ? std::min(rows, r + strip) : rows;
    for (const Area* a : {&to, &from}) next_r = PanelEnd(a->row + r, a->layout.panel_rows, a->row + next_r) - a->row;
    for (int32_t c = 0; c < cols;) {
      if (panel <= cols - c && Regular(to, c, panel) && Regular(from, c, panel)) {
        const int32_t panels = (cols - c) >> std::countr_zero(static_cast<uint32_t>(panel));
        const int64_t to_step = PanelStep(to.layout, panel), from_step = PanelStep(from.layout, panel);
        if (alike) {
          Pieces(plane(to, r, c), plane(from, r, c), next_r - r, panel, panels, to_step, from_step);
        } else {
          Panels(plane(to, r, c), plane(from, r, c), next_r - r, panel, panels, to_step, from_step);
        }
        c += panels * panel;
        continue;
      }
      int32_t next_c = cols;
      for (const Area* a : {&to, &from}) next_c = PanelEnd(a->col + c, a->layout.panel_cols, a->col + next_c) - a->col;
      Planes(plane(to, r, c), plane(from, r, c), next_r - r, next_c - c);
      c = next_c;
    }
    r = next_r;
  }
}

void Mover::Panels(const Plane& to, const Plane& from, int64_t rows, int64_t cols, int64_t panels, int64_t to_step,
                   int64_t from_step) const {
  if (to.col_step == 1 && from.col_step == 1 && cols * size_ <= kShort) {
    return shuffles_.lines({to.data, from.data, to.row_step, from.row_step, static_cast<size_t>(rows),
                            static_cast<size_t>(cols), to_step, from_step, static_cast<size_t>(panels)});
  }
  for (int64_t p = 0; p < panels; ++p) Planes(Behind(to, p * to_step), Behind(from, p * from_step), rows, cols);
}

void Mover::Pieces(const Plane& to, const Plane& from, int64_t rows, int64_t cols, int64_t panels, int64_t to_step,
                   int64_t from_step) const {
  if (to_step == rows * cols && from_step == rows * cols) return Planes(to, from, rows * panels, cols);
  for (int64_t p = 0; p < panels; ++p) Planes(Behind(to, p * to_step), Behind(from, p * from_step), rows, cols);
}

void Mover::Fill(const Area& to, int32_t rows, int32_t cols, uint64_t bits) const {
  if (rows == 0 || cols == 0) return;  // as of most tiles, which may have many panels
  ForEachPanel(
      to.layout, to.row, to.col, to.row + rows, to.col + cols,
      [&](int32_t row, int32_t col, int32_t panel_rows, int32_t panel_cols) {
        const bool by_rows = to.layout.RowsContiguous();
        auto lines = static_cast<size_t>(by_rows ? panel_rows : panel_cols);
        auto count = static_cast<size_t>(by_rows ? panel_cols : panel_rows);
        if (to.layout.LineStep() == static_cast<int64_t>(count)) {
          count *= lines;
          lines = 1;
        }
        shuffles_.fill({to.data + to.layout.Offset(row, col) * size_, &bits, to.layout.LineStep(), lines, count});
      });
}

uint64_t PadBits(const Geometry& g) {
  constexpr uint8_t kCustom = 4;
  const DType dtype = g.dtype;
  if (g.pad == kCustom) return g.pad_bits;
  // The ISA pads small floats with zeros, unless the caller specifies the bits.
  if ((g.pad != kPadMax && g.pad != kPadMin) || (Bit(dtype) & dtypes::kCodes) != 0) return 0;
  const DTypeInfo& info = Info(dtype);
  const uint64_t top = uint64_t{1} << (info.bits - 1);
  if (g.pad == kPadMax && info.kind == DTypeKind::kUnsigned) return top | (top - 1);
  if (info.kind == DTypeKind::kUnsigned) return 0;
  if (info.kind == DTypeKind::kSigned) return g.pad == kPadMax ? top - 1 : top;
  // Infinity: an exponent of ones.
  const uint64_t infinity = top - (uint64_t{1} << (info.digits - 1));
  return g.pad == kPadMax ? infinity : top | infinity;
}

void FillOutside(const Mover& mover, const pto_tile& tile, int32_t valid_rows, int32_t valid_cols, int32_t rows) {
  const Geometry& g = tile.geometry;
  if (valid_rows == rows && valid_cols == g.cols) return;
  const uint64_t bits = PadBits(g);
  mover.Fill({tile.data, tile.layout, 0, valid_cols}, valid_rows, g.cols - valid_cols, bits);
  mover.Fill({tile.data, tile.layout, valid_rows, 0}, rows - valid_rows, g.cols, bits);
}

void PackRows(const pto_context& ctx, const pto_tile& tile, void* packed) {
  Mover(ctx, tile.ElementBytes())
      .Areas({static_cast<uint8_t*>(packed), Layout::RowMajor(tile.ValidCols())}, {tile.data, tile.layout},
             tile.ValidRows(), tile.ValidCols());
}

void UnpackRows(const pto_context& ctx, const void* packed, const pto_tile& tile) {
  auto* from = static_cast<uint8_t*>(const_cast<void*>(packed));
  Mover(ctx, tile.ElementBytes())
      .Areas({tile.data, tile.layout}, {from, Layout::RowMajor(tile.ValidCols())}, tile.ValidRows(), tile.ValidCols());
}

void PackCols(const pto_context& ctx, const pto_tile& tile, void* packed) {
  Mover(ctx, tile.ElementBytes())
      .Areas({static_cast<uint8_t*>(packed), Layout::ColMajor(tile.ValidRows())}, {tile.data, tile.layout},
             tile.ValidRows(), tile.ValidCols());
}

namespace {

// Everything of a tile that gets no element of src.
void FillAround(const Mover& mover, const pto_tile& dst, const pto_tile& src) {
  const bool any = src.ValidRows() != 0 && src.ValidCols() != 0;
  const bool aligned = dst.geometry.compact == Compact::kRowAlignedPadding;
  const auto some_rows = static_cast<int32_t>(std::min<int64_t>(RoundUp(src.ValidRows(), 16), dst.geometry.rows));
  FillOutside(mover, dst, any ? src.ValidRows() : 0, any ? src.ValidCols() : 0, aligned ? some_rows : dst.StoredRows());
}

// A part of a move: a rectangle of an input, and its place in an output.
struct PlanPart {
  int output;
  int input;
  Area to;
  Area from;
  int32_t rows;
  int32_t cols;
};

// Inputs that share memory with an output are first copied to scratch; `areas` then has their places.
// Only for the sources in `read`.
template <class Read>
Status Rescue(pto_context* ctx, const OpInfo& op, const Args& args, Read read, Area* areas) {
  const auto lost = [&](int i) {
    bool apart = true;
    for (int o = 0; o < op.Outputs(); ++o) apart &= Apart(*args.tiles[o], *args.tiles[i]);
    return !apart && read(i);
  };
  int64_t need = 0;
  for (int i = op.Outputs(); i < op.Needed(); ++i) need += lost(i) ? RoundUp(args.tiles[i]->ValidBytes(), 64) : 0;
  uint8_t* scratch = nullptr;
  const Status status = TakeScratch(ctx, op, need, &scratch);
  for (int i = op.Outputs(); i < op.Needed() && scratch != nullptr; ++i) {
    if (!lost(i)) continue;
    const pto_tile& tile = *args.tiles[i];
    PackRows(*ctx, tile, scratch);
    areas[i] = {scratch, Layout::RowMajor(tile.ValidCols())};
    scratch += RoundUp(tile.ValidBytes(), 64);
  }
  return status;
}

// What a call moves, read from the extents of its operands.
class Plan {
 public:
  Plan(const OpInfo& op, const Args& args, int32_t lane)
      : op_(op), args_(args), converts_(Fixpipe::Converts(op, args)) {
    const AccSplit split = SplitOf(op, args);
    int32_t next_col = 0;
    for (int i = op.Outputs(); i < op.Needed(); ++i) {
      if (op.operands[i].extent == Extent::kRow) continue;  // quantisation words
      for (int o = 0; o < op.Outputs(); ++o) {
        PlanPart part = Whole(o, i);
        if (op.operands[o].extent == Extent::kTransposed) {
          part.to.layout = part.to.layout.Turned();
        } else if (op.operands[i].extent == Extent::kWindow) {
          part.from.row = Number(2 * o);
          part.from.col = Number(2 * o + 1);
          part.rows = Tile(o).ValidRows();
          part.cols = Tile(o).ValidCols();
        } else if (op.operands[o].extent == Extent::kWindow) {
          part.to.row = Number(0);
          part.to.col = Number(1);
        } else if (op.operands[i].extent == Extent::kJoined) {
          part.to.col = next_col;
          next_col += part.cols;
        } else if (op.operands[o].extent == Extent::kSame) {
          part.rows = Tile(o).ValidRows();
          part.cols = Tile(o).ValidCols();
          // The half of one vector core. CPU: a dst as large as src receives all.
          if (split.rows == 2 && part.rows * int64_t{2} == Tile(i).ValidRows()) part.from.row = lane * part.rows;
          if (split.cols == 2 && part.cols * int64_t{2} == Tile(i).ValidCols()) part.from.col = lane * part.cols;
        }
        const bool stays = !converts_ && SameElements(Tile(o), Tile(i)) && part.to.layout == part.from.layout &&
                           part.to.row == part.from.row && part.to.col == part.from.col;
        if (part.rows != 0 && part.cols != 0 && !stays) parts_[count_++] = part;
      }
    }
  }

  Status Run(pto_context* ctx) {
    if (converts_) return count_ == 0 ? Status::kOk : RunConverting(ctx);
    const Mover mover(*ctx, Tile(op_.lead).ElementBytes());
    Area copies[kMaxTiles] = {};
    const auto read = [this](int input) {
      bool any = false;
      for (int p = 0; p < count_; ++p) any |= parts_[p].input == input;
      return any;
    };
    const Status status = Rescue(ctx, op_, args_, read, copies);
    if (status != Status::kOk) return status;
    for (int p = 0; p < count_; ++p) {
      const Area& copy = copies[parts_[p].input];
      if (copy.data == nullptr) continue;
      parts_[p].from.data = copy.data;
      parts_[p].from.layout = copy.layout;
    }
    for (int p = 0; p < count_; ++p) mover.Areas(parts_[p].to, parts_[p].from, parts_[p].rows, parts_[p].cols);
    if (op_.Pads()) FillAround(mover, Tile(0), Tile(1));
    return Status::kOk;
  }

  // The only part passes through the fixpipe, as a whole if the destination overlaps sources.
  Status RunConverting(pto_context* ctx) {
    const PlanPart& part = parts_[0];
    const pto_tile& dst = Tile(0);
    Fixpipe fixpipe(ctx, op_, args_, dst.dtype(), part.from.row, part.from.col, part.cols);
    bool apart = true;
    for (int i = op_.Outputs(); i < op_.Needed(); ++i) apart &= Apart(dst, Tile(i));
    const int32_t strip = apart ? std::min(part.rows, fixpipe.Strip()) : part.rows;
    const Status status = fixpipe.Prepare(strip);
    if (status != Status::kOk) return status;
    const Mover mover(*ctx, dst.ElementBytes());
    const Area results{fixpipe.Results(), Layout::RowMajor(part.cols)};
    for (int32_t r = 0; r < part.rows; r += strip) {
      const int32_t rows = std::min(strip, part.rows - r);
      fixpipe.Convert(r, rows);
      Area to = part.to;
      to.row += r;
      mover.Areas(to, results, rows, part.cols);
    }
    return Status::kOk;
  }

 private:
  const pto_tile& Tile(int i) const { return *args_.tiles[i]; }
  int32_t Number(int n) const { return args_.numbers[n]; }
  PlanPart Whole(int output, int input) const {
    const pto_tile& to = Tile(output);
    const pto_tile& from = Tile(input);
    return {output, input, {to.data, to.layout}, {from.data, from.layout}, from.ValidRows(), from.ValidCols()};
  }

  const OpInfo& op_;
  const Args& args_;
  const bool converts_;
  PlanPart parts_[4];
  int count_ = 0;
};

// Two rows side by side, each with the number of elements in its count.
class Joining {
 public:
  Joining(const OpInfo& op, const Args& args) : op_(op), args_(args) {
    for (int i = 0; i < op.Needed(); ++i) areas_[i] = {args.tiles[i]->data, args.tiles[i]->layout};
  }

  Status Run(pto_context* ctx) {
    const pto_tile& dst = *args_.tiles[0];
    const int32_t cols = dst.ValidCols();
    if (dst.ValidRows() == 0 || cols == 0) return Status::kOk;
    const Status status = Rescue(
        ctx, op_, args_, [](int) { return true; }, areas_);
    if (status != Status::kOk) return status;
    const Mover mover(*ctx, dst.ElementBytes());
    const int src = op_.Outputs();
    for (int32_t r = 0; r < dst.ValidRows(); ++r) {
      const int32_t n0 = Count(src, r, cols);
      const int32_t n1 = Count(src + 1, r, cols - n0);
      if (n0 != 0) mover.Areas(At(0, r, 0), At(src, r, 0), 1, n0);
      if (n1 != 0) mover.Areas(At(0, r, n0), At(src + 1, r, 0), 1, n1);
      if (src == 1) continue;
      const int64_t size = args_.tiles[1]->ElementBytes();
      const int64_t sum = (int64_t{n0} + n1) * size;
      std::memcpy(areas_[1].data + areas_[1].layout.Offset(r, 0) * size, &sum, static_cast<size_t>(size));
    }
    return Status::kOk;
  }

 private:
  Area At(int i, int32_t row, int32_t col) const { return {areas_[i].data, areas_[i].layout, row, col}; }

  // The least of a source's count, its columns, and what is left.
  int32_t Count(int source, int32_t row, int32_t left) const {
    const int counts = source + 2;
    const int64_t size = args_.tiles[counts]->ElementBytes();
    uint64_t bytes = 0;
    std::memcpy(&bytes, areas_[counts].data + areas_[counts].layout.Offset(row, 0) * size, static_cast<size_t>(size));
    const uint64_t most = static_cast<uint64_t>(std::min(args_.tiles[source]->ValidCols(), left));
    return static_cast<int32_t>(std::min(bytes / static_cast<uint64_t>(size), most));
  }

  const OpInfo& op_;
  const Args& args_;
  Area areas_[kMaxTiles];
};

}  // namespace

void RunWholeMove(const pto_context& ctx, const OpInfo& op, const pto_tile& dst, const pto_tile& src) {
  const bool turned = op.operands[0].extent == Extent::kTransposed;
  const pto_tile& lead = turned || op.Pads() ? src : dst;
  const int32_t rows = lead.ValidRows(), cols = lead.ValidCols();
  const Mover mover(ctx, dst.ElementBytes());
  if (rows != 0 && cols != 0) {
    if (!dst.layout.Boxed() && !src.layout.Boxed()) {
      const Plane to{dst.data, dst.layout.row_step, dst.layout.col_step};
      mover.Planes(turned ? Turned(to) : to, {src.data, src.layout.row_step, src.layout.col_step}, rows, cols);
    } else {
      mover.Areas({dst.data, turned ? dst.layout.Turned() : dst.layout}, {src.data, src.layout}, rows, cols);
    }
  }
  if (op.Pads()) FillAround(mover, dst, src);
}

Status RunMove(pto_context* ctx, const OpInfo& op, const Args& args) {
  const bool plain = !Fixpipe::Converts(op, args) && SplitOf(op, args).parts() == 1;
  if (op.MovesWhole() && Apart(*args.tiles[0], *args.tiles[1]) && plain) {
    RunWholeMove(*ctx, op, *args.tiles[0], *args.tiles[1]);
    return Status::kOk;
  }
  return op.walk == Walk::kJoinCounts ? Joining(op, args).Run(ctx) : Plan(op, args, ctx->lane).Run(ctx);
}

}  // namespace pto
