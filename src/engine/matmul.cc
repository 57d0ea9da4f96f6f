// RunMatMul(): products of matrices, and RunAnyProduct(): those that no check has to bring into shape.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/engine/execute.h"
#include "src/engine/product.h"
#include "src/engine/rearrange.h"
#include "src/engine/sum.h"
#include "src/kernels/convert.h"

namespace pto {

namespace {

Matrix MatrixOf(const pto_tile& tile) { return {tile.data, &tile.layout, tile.dtype()}; }

// Rows of results that are kept in scratch.
constexpr int32_t kHeight = 192;
// Rows of the left matrix in scratch: with kDepth of k they stay in the second cache.
constexpr int32_t kTall = 512;

// Cuts the operands into strips and brings them into the layout that the kernels want, straight from whatever layout
// they have; what lies so already stays where it is. Rows of c are contiguous, and no byte of it is one of a or b.
class WordProduct : public ProductOperands {
 public:
  // The type that is multiplied: floats of a byte are f32 by then.
  WordProduct(pto_context& ctx, DType factor) : ctx_(ctx), kernel_(ctx.kernels->products[static_cast<int>(factor)]) {}

  const MatMulKernel& kernel() const { return kernel_; }
  // Bytes of scratch that Run() takes. Only layouts and types decide; `here`: the layouts of a and b are known.
  int64_t Plan(bool here) {
    tiles_ = here && TilesPay(kernel_, rows, cols, depth) && TilesTake(*this);
    if (tiles_) return TileScratch(*this);
    step_ = Step();
    const int32_t length = std::min(depth, step_);
    width_ = kernel_.lanes * kernel_.vectors;
    groups_ = static_cast<int64_t>(Groups(length));
    left_line_ = groups_ * kernel_.left_words + kLeftGap;
    height_ = PacksLeft() ? std::min(rows, kTall) : rows;
    left_bytes_ = PacksLeft() ? RoundUp(height_ * left_line_ * 4, 64) : 0;
    const bool whole = (cols & (kernel_.lanes - 1)) == 0;
    right_bytes_ = whole && here && InPlace(length) ? 0 : groups_ * (KeepsRight() ? RoundUp(cols, width_) : width_) * 4;
    // Bytes of a row whose groups do not lie in one piece.
    stage_bytes_ = a.dtype == DType::kI8 ? RoundUp(length + 4, 64) : 0;
    vector_step_ = VectorStep(*c.layout, kernel_);
    spare_bytes_ = whole && vector_step_ != 0 ? 0 : int64_t{std::min(rows, kHeight)} * width_ * 4;
    return left_bytes_ + right_bytes_ + stage_bytes_ + spare_bytes_;
  }

  // After Plan(). Tiles have no mode.
  Subnormals Environment() const { return tiles_ ? Subnormals::kKept : SubnormalsOf(a.dtype, rows, cols, depth); }

  // Returns whether it reached its end.
  [[nodiscard]] bool Run(uint8_t* scratch) {
    if (tiles_) return RunTiles(ctx_, *this, scratch);
    left_ = scratch;
    right_ = left_ + left_bytes_;
    stage_ = right_ + right_bytes_;
    spare_ = stage_ + stage_bytes_;
    int32_t k = 0;
    do {
      const int32_t length = std::min(step_, depth - k);
      MatMulStrip strip;  // every field is set further down; zeros would take longer than that
      strip.a_jump = 0;
      strip.soon = &ctx_.soon;
      strip.groups = Groups(length);
      strip.fresh = fresh && k == 0;
      strip.finish = k + length == depth;
      for (top_ = 0; top_ < rows; top_ += height_) {
        const int32_t end = std::min(rows, top_ + height_);
        if (left_bytes_ != 0) PackLeft(end, k, length);
        for (int32_t col = rows == 1 ? RowOf(k, strip) : 0; col < cols; col += width_) {
          const int32_t count = std::min(width_, cols - col);
          if (Halted(ctx_)) return false;
          strip.vectors = static_cast<size_t>(Over(count + kernel_.lanes - 1, kernel_.lanes));
          Right(k, length, col, count, &strip);
          if (right_bytes_ != 0 && top_ == 0) PrefetchRight(b, k, length, col + width_, width_, cols);
          Strips(end, k, col, count, &strip);
        }
      }
      k += length;
    } while (k < depth);
    return true;
  }

 private:
  // The destination of a panel.
  struct PanelPlace {
    uint32_t* out;
    int64_t line;
  };

  // Elements along k that are worked on at a time, whole boxes of any layout. A vector by a matrix whose boxes lie row
  // by row reads it as it lies: four rows of boxes at a time, in four streams.
  int32_t Step() const {
    constexpr int32_t kBytes = 4 * 32;
    const Layout& l = *b.layout;
    const bool by_rows = rows == 1 && l.panel_rows != kNoSeam && l.row_box > l.col_box;
    return by_rows ? kBytes / static_cast<int32_t>(b.Size()) : kDepth;
  }

  // f32 is read where it lies, unless that is so much memory that its pages are too many for the processor's tables.
  bool PacksLeft() const {
    constexpr int64_t kFar = int64_t{3} << 20;
    const Layout& l = *a.layout;
    if (a.dtype != DType::kF32) return true;
    return l.col_step == 1 && !l.Boxed() && rows * l.row_step * 4 > kFar && cols >= 4 * width_;
  }
  // Panels of the right matrix are brought into words once, for all blocks of rows.
  bool KeepsRight() const { return height_ < rows; }

  // A vector by a matrix reads that once: as it lies, row by row. Returns how many columns are done.
  int32_t RowOf(int32_t k, MatMulStrip strip) {
    const int32_t vectors = Over(cols, kernel_.lanes);
    const bool lines = b.layout->col_step == 1 && !b.layout->Boxed();
    if (b.dtype != DType::kF32 || !lines || c.layout->Boxed() || vectors <= kernel_.vectors) return 0;
    Left(0, k, &strip);
    strip.b = b.At(k, 0);
    strip.b_line = b.layout->row_step;
    strip.c = c.data;
    strip.c_vector = kernel_.lanes;
    strip.vectors = static_cast<size_t>(vectors);
    kernel_.row(strip);
    return vectors * kernel_.lanes;
  }

  // The rows from top_ to `end`, of some columns.
  void Strips(int32_t end, int32_t k, int32_t col, int32_t count, MatMulStrip* strip) {
    const bool direct = vector_step_ != 0 && (count & (kernel_.lanes - 1)) == 0;
    for (int32_t r = top_; r < end;) {
      int32_t next = direct ? PanelEnd(r, c.layout->panel_rows, end) : std::min(end, r + kHeight);
      if (left_bytes_ == 0) next = PanelEnd(r, a.layout->panel_rows, next);
      Left(r, k, strip);
      strip->rows = static_cast<size_t>(next - r);
      if (direct) {
        strip->c = c.At(r, col);
        strip->c_line = c.layout->row_step;
        strip->c_vector = vector_step_;
        Multiply(*strip);
      } else {
        const Area spare{spare_, Layout::RowMajor(width_)};
        const Area part{c.data, *c.layout, r, col};
        if (!strip->fresh) Mover(ctx_, 4).Areas(spare, part, next - r, count);
        strip->c = spare_;
        strip->c_line = width_;
        strip->c_vector = kernel_.lanes;
        Multiply(*strip);
        Mover(ctx_, 4).Areas(part, spare, next - r, count);
      }
      r = next;
    }
  }

  void Multiply(const MatMulStrip& strip) {
    RunStrip(&ctx_, kernel_, work_, strip, kernel_.range != nullptr && Marks::Any());
  }

  // Where the left matrix is from a row on.
  void Left(int32_t row, int32_t k, MatMulStrip* strip) const {
    strip->run = strip->groups;
    if (left_bytes_ != 0) {
      strip->a = left_ + (row - top_) * left_line_ * 4;
      strip->a_line = left_line_;
      strip->a_step = kernel_.left_words;
      return;
    }
    strip->a = a.At(row, k);
    strip->a_line = a.layout->row_step;
    strip->a_step = a.layout->col_step;
    if (a.layout->panel_cols == kNoSeam) return;
    strip->run = static_cast<size_t>(a.layout->panel_cols);
    strip->a_jump = a.layout->col_box;
  }

  size_t Groups(int32_t length) const { return static_cast<size_t>(Over(length + kernel_.group - 1, kernel_.group)); }

  // The parts of a matrix that lie evenly, to the addresses of `place`. Lines are contiguous elements.
  template <class PlaceOf>
  void Panels(void (*bring)(const MatMulPanel&), const Matrix& m, int32_t row, int32_t col, int32_t end_row,
              int32_t end_col, const PlaceOf& place) {
    const bool lines = m.layout->col_step == 1;
    ForEachPanel(*m.layout, row, col, end_row, end_col, [&](int32_t r, int32_t j, int32_t n, int32_t count) {
      const PanelPlace to = place(r, j);
      bring({to.out, to.line, m.At(r, j), m.layout->LineStep() * m.Size(), static_cast<size_t>(lines ? n : count),
             static_cast<size_t>(lines ? count : n)});
    });
  }

  // Rows of the left matrix from top_ to `end`, from column k on, widened or as groups.
  void PackLeft(int32_t end, int32_t k, int32_t length) {
    auto* out = reinterpret_cast<uint32_t*>(left_);
    const Layout& l = *a.layout;
    const bool lines = l.col_step == 1;
    if (lines && (l.panel_cols == kNoSeam || (l.panel_cols & (kernel_.group - 1)) == 0)) {
      return Panels(kernel_.left, a, top_, k, end, k + length, [&](int32_t r, int32_t at) {
        const int64_t words = int64_t{Over(at - k, kernel_.group)} * kernel_.left_words;
        return PanelPlace{out + (r - top_) * left_line_ + words, left_line_};
      });
    }
    if (a.dtype != DType::kI8) {
      return Panels(kernel_.turn, a, top_, k, end, k + length, [&](int32_t r, int32_t at) {
        return PanelPlace{out + (r - top_) * left_line_ + (at - k), left_line_};
      });
    }
    for (int32_t r = top_; r < end; ++r) {
      kernel_.left({out + (r - top_) * left_line_, 0, Bytes(a, r, k, length), 0, 1, static_cast<size_t>(length)});
    }
  }

  // Elements along a row of bytes, in one piece.
  const uint8_t* Bytes(const Matrix& m, int32_t row, int32_t k, int32_t length) {
    for (int32_t at = k; at < k + length; ++at) stage_[at - k] = *m.At(row, at);
    std::memset(stage_ + length, 0, 4);
    return stage_;
  }

  // Some columns of the right matrix may be read where they lie.
  bool InPlace(int32_t length) const {
    const Layout& l = *b.layout;
    if (l.col_step != 1 || l.panel_cols != kNoSeam || l.panel_rows != kNoSeam) return false;
    return ReadInPlace(kernel_, b.dtype, rows, length, l.row_step);
  }

  // Some columns of the right matrix from row k on: where they lie, or a panel of words.
  void Right(int32_t k, int32_t length, int32_t col, int32_t count, MatMulStrip* strip) {
    const Layout& l = *b.layout;
    const bool whole = (count & (kernel_.lanes - 1)) == 0;
    work_ = kernel_.strip;
    if (whole && InPlace(length)) {
      if (b.dtype != DType::kF32) work_ = kernel_.few;
      strip->b = b.At(k, col);
      strip->b_line = l.row_step;
      return;
    }
    uint8_t* const panel = right_ + (KeepsRight() ? int64_t{col} * groups_ * 4 : 0);
    strip->b = panel;
    strip->b_line = width_;
    if (top_ != 0) return;
    auto* out = reinterpret_cast<uint32_t*>(panel);
    if (!whole) std::memset(panel, 0, static_cast<size_t>(groups_ * width_ * 4));
    const auto place = [&](int32_t r, int32_t j) {
      const int64_t line = Over(r - k, kernel_.group);
      return PanelPlace{out + line * width_ + (j - col), width_};
    };
    if (l.col_step == 1) return Panels(kernel_.right, b, k, col, k + length, col + count, place);
    if (b.dtype != DType::kI8) return Panels(kernel_.turn, b, k, col, k + length, col + count, place);
    // Whole groups, and the elements after them.
    const int32_t even = l.panel_rows == kNoSeam || l.panel_rows % 4 == 0 ? length / 4 * 4 : 0;
    ForEachPanel(l, k, col, k + even, col + count, [&](int32_t r, int32_t j, int32_t n, int32_t lines) {
      kernel_.turn(
          {place(r, j).out, width_, b.At(r, j), l.col_step, static_cast<size_t>(lines), static_cast<size_t>(n / 4)});
    });
    const Layout turned = l.Turned();
    const Matrix upright{b.data, &turned, b.dtype};
    for (int32_t j = col; j < col + count && even != length; ++j) {
      const uint8_t* bytes = Bytes(upright, j, k + even, length - even);
      kernel_.turn({place(k + even, j).out, width_, bytes, 0, 1, Groups(length - even)});
    }
  }

  pto_context& ctx_;
  const MatMulKernel& kernel_;
  void (*work_)(const MatMulStrip&) = nullptr;
  bool tiles_ = false;  // the processor's tile instructions multiply
  int32_t width_ = 0;   // words of a strip
  int32_t height_ = 0;  // rows that are worked on at a time, from top_ on
  int32_t top_ = 0;
  int32_t step_ = 0;    // elements along k at a time
  int64_t groups_ = 0;  // of a panel
  int64_t vector_step_ = 0;
  int64_t left_line_ = 0, left_bytes_ = 0, right_bytes_ = 0, stage_bytes_ = 0, spare_bytes_ = 0;
  uint8_t *left_ = nullptr, *right_ = nullptr, *stage_ = nullptr, *spare_ = nullptr;
};

// With a scale of 2^112 or more, an element may exceed f32; NaN is excluded.
bool IsHuge(uint8_t scale) { return scale >= 127 + 112 && scale != 255; }

// A copy of an operand in scratch, as f32.
struct Words {
  float* data;
  int64_t line;
};

// The types that kernels multiply: floats of a byte or less are f32 first.
bool IsSmall(DType dtype) { return (Bit(dtype) & dtypes::kCodes) != 0; }
DType FactorOf(DType dtype) { return IsSmall(dtype) ? DType::kF32 : dtype; }

// As it is when the work begins.
Matrix Ready(const pto_tile& tile) { return {tile.data, &tile.layout, FactorOf(tile.dtype())}; }

// A row that every row of the result begins with.
Layout Repeated(Layout row) {
  row.row_box = row.row_step = 0;
  row.box_rows = row.panel_rows = kNoSeam;
  return row;
}

class MatMul {
 public:
  MatMul(pto_context* ctx, const OpInfo& op, const Args& args)
      : ctx_(ctx),
        op_(op),
        args_(args),
        left_(op.Find(Extent::kLeft)),
        right_(op.Find(Extent::kRight)),
        product_(*ctx, FactorOf(args.tiles[left_]->dtype())) {
    product_.c = MatrixOf(*args.tiles[0]);
    product_.a = Ready(*args.tiles[left_]);
    product_.b = Ready(*args.tiles[right_]);
    product_.rows = args.tiles[0]->ValidRows();
    product_.cols = args.tiles[0]->ValidCols();
    product_.depth = args.tiles[left_]->ValidCols();
    start_ = op.operands[op.Outputs()].extent == Extent::kLeft ? op.Find(Extent::kRow) : op.Outputs();
    product_.fresh = start_ < 0;
  }

  Status Run() {
    const int64_t copies = PlanCopies();
    const bool upright = !product_.c.layout->RowsContiguous();
    if (upright) Transpose();
    const int64_t need = copies + product_.Plan(copies == 0 && !upright);
    uint8_t* scratch = nullptr;
    const Status status = TakeScratch(ctx_, op_, need, &scratch);
    if (status != Status::kOk) return status;
    const DefaultFpEnv fp_env(product_.Environment());
    scratch = Copy(scratch, upright);
    Begin();
    if (op_.Has(Extent::kLeftScales) && !huge_) Scale();
    const bool done = huge_ ? MultiplyHuge() : product_.Run(scratch);
    return done ? Status::kOk : FailHalted(ctx_, op_);
  }

 private:
  // The factors of a product with block scales, and these.
  std::array<Words, 4> Scaled() const {
    return {words_[left_], words_[right_], words_[op_.Find(Extent::kLeftScales)],
            words_[op_.Find(Extent::kRightScales)]};
  }

  // A layout that stays as long as the call.
  const Layout* Keep(const Layout& layout) {
    kept_.at[kept_count_] = layout;
    return &kept_.at[kept_count_++];
  }

  // Whether an operand is a factor that is rounded first.
  bool Rounded(int i) const {
    return MadOf(args_) != Mad::kNone && op_.operands[i].Typed() && args_.tiles[i]->dtype() == DType::kF32;
  }

  // Between lines of a copy in scratch: lines of words are read like the left matrix.
  static int64_t LineOf(const pto_tile& tile) { return tile.ValidCols() + (IsSmall(tile.dtype()) ? kLeftGap : 0); }
  static int64_t CopyBytes(const pto_tile& tile) {
    const int64_t words = IsSmall(tile.dtype()) ? tile.ValidRows() * LineOf(tile) * 4 : 0;
    return RoundUp(tile.ValidBytes(), 64) + RoundUp(words, 64);
  }

  // A source that shares memory with the result, becomes f32 or is rounded is copied first. Bytes of that.
  int64_t PlanCopies() {
    int64_t need = 0;
    const pto_tile& c = *args_.tiles[0];
    for (int i = op_.Outputs(); i < op_.Needed(); ++i) {
      const pto_tile& tile = *args_.tiles[i];
      const bool same = i == start_ && op_.operands[i].extent == Extent::kSame && SameElements(c, tile);
      copied_[i] = IsSmall(tile.dtype()) || Rounded(i) || (!same && !Apart(c, tile));
      if (copied_[i]) need += CopyBytes(tile);
    }
    return need;
  }

  uint8_t* Copy(uint8_t* scratch, bool upright) {
    for (int i = op_.Outputs(); i < op_.Needed(); ++i) {
      const pto_tile& tile = *args_.tiles[i];
      Matrix matrix = Ready(tile);
      const Extent extent = op_.operands[i].extent;
      const bool first = (extent == Extent::kLeft) != upright;
      if (copied_[i] || extent == Extent::kRow || upright) {
        Layout layout = copied_[i] ? Layout::RowMajor(LineOf(tile)) : tile.layout;
        if (extent == Extent::kRow && IsColumnVector(tile)) {
          // A copy of one column is a row of the same length.
          layout = copied_[i] ? Layout::RowMajor(tile.ValidRows()) : layout.Turned();
        }
        if (extent == Extent::kRow) layout = Repeated(layout);
        matrix.layout = Keep(upright ? layout.Turned() : layout);
      }
      if (copied_[i]) {
        PackRows(*ctx_, tile, scratch);
        matrix.data = scratch;
        if (IsSmall(tile.dtype())) {
          if (tile.dtype() == DType::kE8M0) huge_ |= std::any_of(scratch, scratch + tile.ValidBytes(), IsHuge);
          matrix.data += RoundUp(tile.ValidBytes(), 64);
          Call(ctx_->conversions.Of(ctx_->target, tile.dtype(), DType::kF32, Round::kRint, false),
               ConvertGrid{matrix.data, scratch, LineOf(tile), tile.ValidCols(), static_cast<size_t>(tile.ValidRows()),
                           static_cast<size_t>(tile.ValidCols())});
        }
        if (Rounded(i)) Round(scratch, tile);
        scratch += CopyBytes(tile);
      }
      if (copied_[i]) words_[i] = {reinterpret_cast<float*>(matrix.data), LineOf(tile)};
      if (extent == Extent::kLeftScales || extent == Extent::kRightScales) continue;
      (i == start_ ? from_ : first ? product_.a : product_.b) = matrix;
    }
    return scratch;
  }

  void Round(uint8_t* words, const pto_tile& tile) const {
    const auto count = static_cast<size_t>(tile.ValidRows()) * static_cast<size_t>(tile.ValidCols());
    product_.kernel().round(reinterpret_cast<float*>(words), count, DroppedBits(MadOf(args_)),
                            RoundsAway(MadOf(args_)));
  }

  // Each factor becomes its element times its scale: exact, as no element is beyond 2^16 and no scale huge.
  void Scale() {
    const auto [a, b, a_scale, b_scale] = Scaled();
    const pto_tile& c = *args_.tiles[0];
    const Kernel& multiply = ctx_->kernels->at[static_cast<int>(Lane::kMul)][static_cast<int>(DType::kF32)];
    for (int32_t k = 0; k < product_.depth; k += kScaleGroup) {
      const auto count = static_cast<size_t>(std::min(kScaleGroup, product_.depth - k));
      float* left = a.data + k;
      Call(multiply, Grid{left, left, a_scale.data + k / kScaleGroup, a.line, a.line, a_scale.line, 1, 0,
                          static_cast<size_t>(c.ValidRows()), count});
      float* right = b.data + k * b.line;
      Call(multiply, Grid{right, right, b_scale.data + k / kScaleGroup * b_scale.line, b.line, b.line, 0, 1, 1, count,
                          static_cast<size_t>(c.ValidCols())});
    }
  }

  // Scales that f32 does not have as factors: f64 has each product exactly, and the sum is rounded once.
  bool MultiplyHuge() {
    const auto [a, b, a_scale, b_scale] = Scaled();
    const pto_tile& c = *args_.tiles[0];
    for (int32_t i = 0; i < c.ValidRows(); ++i) {
      for (int32_t j = 0; j < c.ValidCols(); ++j) {
        if (Halted(*ctx_)) return false;
        auto* at = reinterpret_cast<float*>(c.data) + c.layout.Offset(i, j);
        float sum = start_ < 0 ? 0.0F : *at;
        for (int32_t k = 0; k < product_.depth; ++k) {
          const double left = double{a.data[i * a.line + k]} * a_scale.data[i * a_scale.line + k / kScaleGroup];
          const double right = double{b.data[k * b.line + j]} * b_scale.data[k / kScaleGroup * b_scale.line + j];
          sum = static_cast<float>(SumToOdd(sum, left * right));
        }
        *at = std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : sum;
      }
    }
    return true;
  }

  // Columns of the result that are contiguous are rows of the product of the transposed matrices, which Copy() finds.
  void Transpose() {
    std::swap(product_.rows, product_.cols);
    product_.c.layout = Keep(product_.c.layout->Turned());
  }

  // The result begins as the accumulator or the bias.
  void Begin() {
    if (start_ < 0) return;
    const bool same = !copied_[start_] && SameElements(*args_.tiles[0], *args_.tiles[start_]);
    if (op_.operands[start_].extent == Extent::kSame && same) return;
    const Matrix& c = product_.c;
    Mover(*ctx_, 4).Areas({c.data, *c.layout}, {from_.data, *from_.layout}, product_.rows, product_.cols);
  }

  pto_context* ctx_;
  const OpInfo& op_;
  const Args& args_;
  const int left_, right_;  // which operands the factors are
  WordProduct product_;
  Matrix from_;
  // One an operand at most; nothing is written before it is needed.
  union Kept {
    Kept() {}
    Layout at[kMaxTiles];
  } kept_;
  int kept_count_ = 0;
  int start_ = -1;  // the operand that the result starts from
  bool copied_[kMaxTiles] = {};
  Words words_[kMaxTiles];  // of those that were copied; not read unless that made them f32
  bool huge_ = false;       // a scale is
};

}  // namespace

// Flat: for a small product the calls from here to the kernel cost as much as its multiply-adds.
[[gnu::flatten]] Status RunAnyProduct(pto_context* ctx, const OpInfo& op, const pto_tile& c, const pto_tile& a,
                                      const pto_tile& b, bool fresh) {
  WordProduct product(*ctx, a.dtype());
  product.c = MatrixOf(c);
  product.a = MatrixOf(a);
  product.b = MatrixOf(b);
  product.rows = c.ValidRows();
  product.cols = c.ValidCols();
  product.depth = a.ValidCols();
  product.fresh = fresh;
  uint8_t* scratch = nullptr;
  const Status status = TakeScratch(ctx, op, product.Plan(true), &scratch);
  if (status != Status::kOk) return status;
  const DefaultFpEnv fp_env(product.Environment());
  return product.Run(scratch) ? Status::kOk : FailHalted(ctx, op);
}

Status RunMatMul(pto_context* ctx, const OpInfo& op, const Args& args) {
  const pto_tile& c = *args.tiles[0];
  if (c.ValidRows() == 0 || c.ValidCols() == 0) return Status::kOk;
  return IsPlainProduct(op, args) ? RunPlainProduct(ctx, op, args) : MatMul(ctx, op, args).Run();
}

}  // namespace pto
