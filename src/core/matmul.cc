// RunMatMul(): products of matrices. Cuts them into strips and brings the operands into the layout that the
// kernels want, straight from whatever layout they have; what lies so already stays where it is.
#include "src/kernels/matmul.h"

#include <algorithm>
#include <cstring>

#include "src/core/execute.h"
#include "src/core/rearrange.h"
#include "src/kernels/convert.h"

namespace pto {

namespace {

// Elements along k that are worked on at a time: whole boxes of any layout. A panel of the right matrix stays in the
// first cache.
constexpr int32_t kDepth = 256;
// Rows of results that stand in scratch.
constexpr int32_t kHeight = 192;
// Between lines of the left matrix in scratch, so that they do not meet in one place of the cache.
constexpr int64_t kGap = 16;
// A right matrix of so many bytes stays in the cache where it lies.
constexpr int64_t kNear = int64_t{16} << 10;

// A matrix in memory.
struct Matrix {
  uint8_t* data = nullptr;
  Layout layout;
  DType dtype = DType::kF32;

  int64_t Size() const { return Info(dtype).bytes; }
  uint8_t* At(int32_t r, int32_t c) const { return data + layout.Offset(r, c) * Size(); }
};

// A row that every row of the result begins with.
Layout Repeated(Layout row) {
  row.row_box = row.row_step = 0;
  row.box_rows = row.panel_rows = kNoSeam;
  return row;
}

class MatMul {
 public:
  MatMul(pto_context* ctx, const OpInfo& op, const Args& args) : ctx_(ctx), op_(op), args_(args) {
    const pto_tile& c = *args.tiles[0];
    rows_ = c.ValidRows();
    cols_ = c.ValidCols();
    const pto_tile& a = *args.tiles[op.Find(Extent::kLeft)];
    depth_ = a.ValidCols();
    c_ = MatrixOf(c);
    a_ = MatrixOf(a);
    b_ = MatrixOf(*args.tiles[op.Find(Extent::kRight)]);
    start_ = op.Outputs();
    if (op.operands[start_].extent == Extent::kLeft) start_ = op.Find(Extent::kRow);
    kernel_ = PickMatMul(ctx->target, a_.dtype == DType::kI8 ? DType::kI8 : DType::kF32);
  }

  Status Run() {
    const int64_t copies = PlanCopies();
    const bool upright = !c_.layout.RowsContiguous();
    if (upright) Transpose();
    const int64_t need = copies + Plan();
    uint8_t* scratch = nullptr;
    const Status status = TakeScratch(ctx_, op_, need, &scratch);
    if (status != Status::kOk) return status;
    const DefaultFpEnv fp_env;
    scratch = Copy(scratch, upright);
    Begin();
    Share(scratch);
    Multiply();
    return Status::kOk;
  }

 private:
  static Matrix MatrixOf(const pto_tile& tile) { return {tile.data, tile.layout, tile.dtype()}; }

  // A source that shares memory with the result is copied first. Bytes of that.
  int64_t PlanCopies() {
    int64_t need = 0;
    const pto_tile& c = *args_.tiles[0];
    for (int i = op_.Outputs(); i < op_.Needed(); ++i) {
      const pto_tile& tile = *args_.tiles[i];
      const bool same = i == start_ && op_.operands[i].extent == Extent::kSame && SameElements(c, tile);
      copied_[i] = !same && !Apart(c, tile);
      if (copied_[i]) need += RoundUp(tile.ValidBytes(), 64);
    }
    return need;
  }

  uint8_t* Copy(uint8_t* scratch, bool upright) {
    for (int i = op_.Outputs(); i < op_.Needed(); ++i) {
      const pto_tile& tile = *args_.tiles[i];
      Matrix matrix = MatrixOf(tile);
      if (copied_[i]) {
        PackRows(*ctx_, tile, scratch);
        matrix.data = scratch;
        matrix.layout = Layout::RowMajor(tile.ValidCols());
        scratch += RoundUp(tile.ValidBytes(), 64);
      }
      const Extent extent = op_.operands[i].extent;
      const bool first = (extent == Extent::kLeft) != upright;
      if (extent == Extent::kRow && IsColumnVector(tile)) {
        // A copy of one column is a row of as many elements.
        matrix.layout = copied_[i] ? Layout::RowMajor(tile.ValidRows()) : matrix.layout.Turned();
      }
      if (extent == Extent::kRow) matrix.layout = Repeated(matrix.layout);
      if (upright) matrix.layout = matrix.layout.Turned();
      (i == start_ ? from_ : first ? a_ : b_) = matrix;
    }
    return scratch;
  }

  // Columns of the result that are contiguous are rows of the product of the transposed matrices.
  void Transpose() {
    std::swap(a_, b_);
    std::swap(rows_, cols_);
    c_.layout = c_.layout.Turned();
  }

  // Scratch for panels: how much of what. Nothing but layouts and types decides.
  int64_t Plan() {
    const int32_t depth = std::min(depth_, kDepth);
    width_ = kernel_.lanes * kernel_.vectors;
    groups_ = (depth + kernel_.group - 1) / kernel_.group;
    left_line_ = groups_ * kernel_.left_words + kGap;
    left_bytes_ = a_.dtype == DType::kF32 ? 0 : RoundUp(rows_ * left_line_ * 4, 64);
    right_bytes_ = RoundUp(groups_ * width_ * 4, 64);
    // What stands upright is widened first; of bytes a group at the end of a column.
    stage_bytes_ = RoundUp(std::max<int64_t>(width_ * groups_ * 4, (groups_ + 1) * 4), 64);
    const int32_t ragged = cols_ % kernel_.lanes;
    spare_bytes_ = ragged == 0 && VectorStep() != 0 ? 0 : int64_t{std::min(rows_, kHeight)} * width_ * 4;
    return left_bytes_ + right_bytes_ + stage_bytes_ + spare_bytes_;
  }

  void Share(uint8_t* scratch) {
    left_ = scratch;
    right_ = left_ + left_bytes_;
    stage_ = right_ + right_bytes_;
    spare_ = stage_ + stage_bytes_;
  }

  // The result begins as the accumulator or the bias.
  void Begin() {
    if (start_ < 0) return;
    const bool same = !copied_[start_] && SameElements(*args_.tiles[0], *args_.tiles[start_]);
    if (op_.operands[start_].extent == Extent::kSame && same) return;
    Mover(*ctx_, 4).Areas({c_.data, c_.layout}, {from_.data, from_.layout}, rows_, cols_);
  }

  // Words between vectors of a row of the result; 0: vectors do not lie in one piece.
  int64_t VectorStep() const {
    const Layout& l = c_.layout;
    if (l.panel_cols == kNoSeam || l.panel_cols % width_ == 0) return kernel_.lanes;
    return l.panel_cols == kernel_.lanes ? l.col_box : 0;
  }

  void Multiply() {
    int32_t k = 0;
    do {
      const int32_t depth = std::min(kDepth, depth_ - k);
      MatMulStrip strip{};
      strip.groups = Groups(depth);
      strip.fresh = start_ < 0 && k == 0;
      strip.finish = k + depth == depth_;
      if (left_bytes_ != 0) PackLeft(k, depth);
      for (int32_t c = RowOf(k, strip); c < cols_; c += width_) {
        const int32_t cols = std::min(width_, cols_ - c);
        strip.vectors = static_cast<size_t>((cols + kernel_.lanes - 1) / kernel_.lanes);
        Right(k, depth, c, cols, &strip);
        Strips(k, c, cols, strip);
      }
      k += depth;
    } while (k < depth_);
  }

  // A vector by a matrix reads that once: as it lies, row by row. Answers how many columns are done.
  int32_t RowOf(int32_t k, MatMulStrip strip) {
    const int32_t vectors = cols_ / kernel_.lanes;
    const bool lines = b_.layout.col_step == 1 && !b_.layout.Boxed();
    if (rows_ != 1 || b_.dtype != DType::kF32 || !lines || c_.layout.Boxed() || vectors <= kernel_.vectors) return 0;
    Left(0, k, &strip);
    strip.b = b_.At(k, 0);
    strip.b_line = b_.layout.row_step;
    strip.c = c_.data;
    strip.c_vector = kernel_.lanes;
    strip.rows = 1;
    strip.vectors = static_cast<size_t>(vectors);
    kernel_.row(strip);
    return vectors * kernel_.lanes;
  }

  // All rows of some columns.
  void Strips(int32_t k, int32_t c, int32_t cols, MatMulStrip strip) {
    const int64_t vector_step = VectorStep();
    const bool direct = vector_step != 0 && cols % kernel_.lanes == 0;
    for (int32_t r = 0; r < rows_;) {
      int32_t next = direct ? PanelEnd(r, c_.layout.panel_rows, rows_) : std::min(rows_, r + kHeight);
      if (left_bytes_ == 0) next = PanelEnd(r, a_.layout.panel_rows, next);
      Left(r, k, &strip);
      strip.rows = static_cast<size_t>(next - r);
      if (direct) {
        strip.c = c_.At(r, c);
        strip.c_line = c_.layout.row_step;
        strip.c_vector = vector_step;
        kernel_.strip(strip);
      } else {
        const Area spare{spare_, Layout::RowMajor(width_)};
        const Area part{c_.data, c_.layout, r, c};
        if (!strip.fresh) Mover(*ctx_, 4).Areas(spare, part, next - r, cols);
        strip.c = spare_;
        strip.c_line = width_;
        strip.c_vector = kernel_.lanes;
        kernel_.strip(strip);
        Mover(*ctx_, 4).Areas(part, spare, next - r, cols);
      }
      r = next;
    }
  }

  // Where the left matrix is from row r on.
  void Left(int32_t r, int32_t k, MatMulStrip* strip) const {
    strip->run = strip->groups;
    if (left_bytes_ != 0) {
      strip->a = left_ + r * left_line_ * 4;
      strip->a_line = left_line_;
      strip->a_step = kernel_.left_words;
      return;
    }
    strip->a = a_.At(r, k);
    strip->a_line = a_.layout.row_step;
    strip->a_step = a_.layout.col_step;
    if (a_.layout.panel_cols == kNoSeam) return;
    strip->run = static_cast<size_t>(a_.layout.panel_cols);
    strip->a_jump = a_.layout.col_box;
  }

  void Widen(void* to, int64_t to_line, const void* from, int64_t from_line, int32_t lines, int32_t count,
             DType dtype) const {
    const ConvertGrid grid{to, from, to_line, from_line, static_cast<size_t>(lines), static_cast<size_t>(count)};
    Call(PickConvert(ctx_->target, dtype, DType::kF32, Round::kRint, true), grid);
  }

  // Rows of the left matrix from column k on, widened or as groups.
  void PackLeft(int32_t k, int32_t depth) {
    auto* out = reinterpret_cast<uint32_t*>(left_);
    if (a_.dtype == DType::kI8) {
      for (int32_t r = 0; r < rows_; ++r) kernel_.left(out + r * left_line_, Bytes(a_, r, k, depth), Groups(depth));
      return;
    }
    if (a_.layout.col_step == 1) {
      ForEachPanel(a_.layout, 0, k, rows_, k + depth, [&](int32_t r, int32_t at, int32_t rows, int32_t cols) {
        Widen(out + r * left_line_ + (at - k), left_line_, a_.At(r, at), a_.layout.row_step, rows, cols, a_.dtype);
      });
      return;
    }
    // Columns are contiguous: some of them are widened and turned at a time.
    for (int32_t at = k; at < k + depth; at += kTurned) {
      const int32_t cols = std::min(kTurned, k + depth - at);
      for (int32_t r = 0; r < rows_; r += kTurned) {
        const int32_t rows = std::min(kTurned, rows_ - r);
        float block[kTurned * kTurned];
        ForEachPanel(a_.layout, r, at, r + rows, at + cols, [&](int32_t pr, int32_t pc, int32_t n, int32_t count) {
          Widen(block + (pc - at) * kTurned + (pr - r), kTurned, a_.At(pr, pc), a_.layout.col_step, count, n, a_.dtype);
        });
        kernel_.turn(out + r * left_line_ + (at - k), left_line_, reinterpret_cast<const uint8_t*>(block), kTurned * 4,
                     static_cast<size_t>(cols), static_cast<size_t>(rows));
      }
    }
  }
  static constexpr int32_t kTurned = 16;

  size_t Groups(int32_t depth) const { return static_cast<size_t>((depth + kernel_.group - 1) / kernel_.group); }

  // Elements along a row of bytes, whole groups of them, zeros behind the last.
  const int8_t* Bytes(const Matrix& m, int32_t r, int32_t k, int32_t depth) {
    const bool whole =
        m.layout.col_step == 1 && depth % 4 == 0 && PanelEnd(k, m.layout.panel_cols, k + depth) == k + depth;
    if (whole) return reinterpret_cast<const int8_t*>(m.At(r, k));
    std::memset(stage_, 0, static_cast<size_t>(RoundUp(depth, 4)));
    for (int32_t at = k; at < k + depth;) {
      const int32_t next = m.layout.col_step == 1 ? PanelEnd(at, m.layout.panel_cols, k + depth) : at + 1;
      std::memcpy(stage_ + (at - k), m.At(r, at), static_cast<size_t>(next - at));
      at = next;
    }
    return reinterpret_cast<const int8_t*>(stage_);
  }

  // Some columns of the right matrix from row k on: where they lie, or a panel of words.
  void Right(int32_t k, int32_t depth, int32_t c, int32_t cols, MatMulStrip* strip) {
    const Layout& l = b_.layout;
    const bool rows = l.col_step == 1;
    if (b_.dtype == DType::kF32 && rows && l.panel_cols == kNoSeam && l.panel_rows == kNoSeam &&
        cols % kernel_.lanes == 0 && (depth * l.row_step * 4 <= kNear || rows_ <= 2)) {
      strip->b = b_.At(k, c);
      strip->b_line = l.row_step;
      return;
    }
    strip->b = right_;
    strip->b_line = width_;
    auto* out = reinterpret_cast<uint32_t*>(right_);
    if (cols % kernel_.lanes != 0) std::memset(right_, 0, static_cast<size_t>(groups_ * width_ * 4));
    if (b_.dtype == DType::kI8) {
      rows ? BytesByRows(k, depth, c, cols, out) : BytesByColumns(k, depth, c, cols, out);
    } else if (rows) {
      ForEachPanel(l, k, c, k + depth, c + cols, [&](int32_t r, int32_t j, int32_t n, int32_t count) {
        uint32_t* to = out + (r - k) * width_ + (j - c);
        if (b_.dtype != DType::kF32) return Widen(to, width_, b_.At(r, j), l.row_step, n, count, b_.dtype);
        for (int32_t i = 0; i < n; ++i) std::memcpy(to + i * width_, b_.At(r + i, j), static_cast<size_t>(count) * 4);
      });
    } else if (b_.dtype == DType::kF32) {
      ForEachPanel(l, k, c, k + depth, c + cols, [&](int32_t r, int32_t j, int32_t n, int32_t count) {
        kernel_.turn(out + (r - k) * width_ + (j - c), width_, b_.At(r, j), l.col_step * 4, static_cast<size_t>(count),
                     static_cast<size_t>(n));
      });
    } else {
      ForEachPanel(l, k, c, k + depth, c + cols, [&](int32_t r, int32_t j, int32_t n, int32_t count) {
        Widen(stage_ + ((j - c) * groups_ + (r - k)) * 4, groups_, b_.At(r, j), l.col_step, count, n, b_.dtype);
      });
      kernel_.turn(out, width_, stage_, groups_ * 4, static_cast<size_t>(cols), static_cast<size_t>(depth));
    }
  }

  void BytesByRows(int32_t k, int32_t depth, int32_t c, int32_t cols, uint32_t* out) {
    static constexpr int8_t kZeros[256] = {};
    for (int32_t g = 0; g < depth; g += 4, out += width_) {
      for (int32_t j = c; j < c + cols;) {
        const int32_t next = PanelEnd(j, b_.layout.panel_cols, c + cols);
        const int8_t* in[4];
        for (int32_t i = 0; i < 4; ++i) {
          in[i] = g + i < depth ? reinterpret_cast<const int8_t*>(b_.At(k + g + i, j)) : kZeros;
        }
        kernel_.right(out + (j - c), in, static_cast<size_t>(next - j));
        j = next;
      }
    }
  }

  void BytesByColumns(int32_t k, int32_t depth, int32_t c, int32_t cols, uint32_t* out) {
    const Layout& l = b_.layout;
    const int32_t whole = l.panel_rows == kNoSeam || l.panel_rows % 4 == 0 ? depth / 4 * 4 : 0;
    ForEachPanel(l, k, c, k + whole, c + cols, [&](int32_t r, int32_t j, int32_t n, int32_t count) {
      kernel_.turn(out + (r - k) / 4 * width_ + (j - c), width_, b_.At(r, j), l.col_step, static_cast<size_t>(count),
                   static_cast<size_t>(n / 4));
    });
    const Matrix upright{b_.data, l.Turned(), b_.dtype};
    for (int32_t j = 0; j < cols && whole != depth; ++j) {
      const int8_t* bytes = Bytes(upright, c + j, k + whole, depth - whole);
      kernel_.turn(out + whole / 4 * width_ + j, width_, reinterpret_cast<const uint8_t*>(bytes), 0, 1,
                   Groups(depth - whole));
    }
  }

  pto_context* ctx_;
  const OpInfo& op_;
  const Args& args_;
  MatMulKernel kernel_{};
  Matrix c_, a_, b_, from_;
  int start_ = -1;  // the operand that the result starts from
  bool copied_[kMaxTiles] = {};
  int32_t rows_ = 0, cols_ = 0, depth_ = 0;
  int32_t width_ = 0;   // words of a strip
  int64_t groups_ = 0;  // of a panel
  int64_t left_line_ = 0, left_bytes_ = 0, right_bytes_ = 0, stage_bytes_ = 0, spare_bytes_ = 0;
  uint8_t *left_ = nullptr, *right_ = nullptr, *stage_ = nullptr, *spare_ = nullptr;
};

bool Lines(const pto_tile& tile) { return tile.layout.RowsContiguous() && !tile.layout.Boxed(); }

// Small row-major matrices of f32 and whole vectors of results, where planning would take as long as the work. False:
// the call is another one.
bool RunSmall(const pto_context& ctx, const OpInfo& op, const Args& args) {
  const int inputs = op.Inputs();
  const pto_tile& c = *args.tiles[0];
  const pto_tile& a = *args.tiles[inputs - 1];
  const pto_tile& b = *args.tiles[inputs];
  if (a.dtype() != DType::kF32 || op.Has(Extent::kRow) || !Lines(c) || !Lines(a) || !Lines(b)) return false;
  if (inputs == 3 && !SameElements(c, *args.tiles[1])) return false;
  const int32_t depth = a.ValidCols();
  if (depth > kDepth || depth * b.layout.row_step * 4 > kNear || !Apart(c, a) || !Apart(c, b)) return false;
  const MatMulKernel kernel = PickMatMul(ctx.target, DType::kF32);
  const auto cols = static_cast<uint32_t>(c.ValidCols());
  const uint32_t lanes = kernel.lanes;
  if ((cols & (lanes - 1)) != 0) return false;
  const DefaultFpEnv fp_env;
  MatMulStrip strip{};
  strip.c_line = c.layout.row_step;
  strip.c_vector = kernel.lanes;
  strip.a = a.data;
  strip.a_line = a.layout.row_step;
  strip.a_step = 1;
  strip.b_line = b.layout.row_step;
  strip.rows = static_cast<size_t>(c.ValidRows());
  strip.groups = strip.run = static_cast<size_t>(depth);
  strip.fresh = inputs == 2;
  strip.finish = true;
  for (uint32_t done = 0; done < cols;) {
    strip.vectors = std::min<uint32_t>(kernel.vectors, (cols - done) / lanes);
    strip.c = c.data + int64_t{done} * 4;
    strip.b = b.data + int64_t{done} * 4;
    kernel.strip(strip);
    done += static_cast<uint32_t>(strip.vectors) * lanes;
  }
  return true;
}

}  // namespace

Status RunMatMul(pto_context* ctx, const OpInfo& op, const Args& args) {
  const pto_tile& c = *args.tiles[0];
  if (c.ValidRows() == 0 || c.ValidCols() == 0 || RunSmall(*ctx, op, args)) return Status::kOk;
  return MatMul(ctx, op, args).Run();
}

}  // namespace pto
