// RunMatMul(): products of matrices. Cuts them into strips and brings the operands into the layout that the
// kernels want, straight from whatever layout they have; what lies so already stays where it is.
#include "src/kernels/matmul.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "src/core/execute.h"
#include "src/core/rearrange.h"
#include "src/core/sum.h"
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

// A matrix in memory. Its layout stands elsewhere: copied just after it was written word by word it would wait for
// the store buffer.
struct Matrix {
  uint8_t* data = nullptr;
  const Layout* layout = nullptr;
  DType dtype = DType::kF32;

  int64_t Size() const { return Info(dtype).bytes; }
  uint8_t* At(int32_t r, int32_t c) const { return data + layout->Offset(r, c) * Size(); }
};

// Elements along k that share a scale.
constexpr int32_t kScaled = 32;
// Beside a scale of 2^112 or more an element may be beyond f32; NaN is none of them.
bool IsHuge(uint8_t scale) { return scale >= 127 + 112 && scale != 255; }

// A copy of an operand in scratch, as f32.
struct Words {
  float* data;
  int64_t line;
};

// What kernels multiply: floats of a byte or less are f32 first.
bool IsSmall(DType dtype) { return (Bit(dtype) & dtypes::kCodes) != 0; }
DType FactorOf(DType dtype) { return IsSmall(dtype) ? DType::kF32 : dtype; }

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
        kernel_(ctx->kernels->products[static_cast<int>(FactorOf(args.tiles[op.Find(Extent::kLeft)]->dtype()))]) {
    const pto_tile& c = *args.tiles[0];
    rows_ = c.ValidRows();
    cols_ = c.ValidCols();
    const pto_tile& a = *args.tiles[op.Find(Extent::kLeft)];
    depth_ = a.ValidCols();
    c_ = MatrixOf(c);
    a_ = MatrixOf(a);
    b_ = MatrixOf(*args.tiles[op.Find(Extent::kRight)]);
    mad_ = MadOf(args);
    start_ = op.Outputs();
    if (op.operands[start_].extent == Extent::kLeft) start_ = op.Find(Extent::kRow);
  }

  Status Run() {
    const int64_t copies = PlanCopies();
    const bool upright = !c_.layout->RowsContiguous();
    if (upright) Transpose();
    const int64_t need = copies + Plan(copies == 0 && !upright);
    uint8_t* scratch = nullptr;
    const Status status = TakeScratch(ctx_, op_, need, &scratch);
    if (status != Status::kOk) return status;
    const DefaultFpEnv fp_env;
    scratch = Copy(scratch, upright);
    Begin();
    if (huge_) {
      MultiplyHuge();
      return Status::kOk;
    }
    if (op_.Has(Extent::kLeftScales)) Scale();
    Share(scratch);
    Multiply();
    return Status::kOk;
  }

 private:
  const Words& WordsOf(Extent extent) const { return words_[op_.Find(extent)]; }
  static Matrix MatrixOf(const pto_tile& tile) { return {tile.data, &tile.layout, FactorOf(tile.dtype())}; }

  // A layout that stays as long as the call.
  const Layout* Keep(const Layout& layout) {
    kept_.at[kept_count_] = layout;
    return &kept_.at[kept_count_++];
  }

  // Whether an operand is a factor that is rounded first.
  bool Rounded(int i) const {
    return mad_ != 0 && op_.operands[i].types != nullptr && args_.tiles[i]->dtype() == DType::kF32;
  }

  // Between lines of a copy in scratch: those of words are read as the left matrix is.
  static int64_t LineOf(const pto_tile& tile) { return tile.ValidCols() + (IsSmall(tile.dtype()) ? kGap : 0); }
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
      Matrix matrix = MatrixOf(tile);
      const Extent extent = op_.operands[i].extent;
      const bool first = (extent == Extent::kLeft) != upright;
      if (copied_[i] || extent == Extent::kRow || upright) {
        Layout layout = copied_[i] ? Layout::RowMajor(LineOf(tile)) : tile.layout;
        if (extent == Extent::kRow && IsColumnVector(tile)) {
          // A copy of one column is a row of as many elements.
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
      (i == start_ ? from_ : first ? a_ : b_) = matrix;
    }
    return scratch;
  }

  void Round(uint8_t* words, const pto_tile& tile) const {
    const std::string_view name = kMadMode.values[mad_].name;
    const auto count = static_cast<size_t>(tile.ValidRows()) * static_cast<size_t>(tile.ValidCols());
    kernel_.round(reinterpret_cast<float*>(words), count, name.starts_with("HF32") ? 12 : 13, name.ends_with("ROUND"));
  }

  // Each factor becomes its element times its scale: exact, as no element is beyond 2^16 and no scale huge.
  void Scale() {
    const Words& a = WordsOf(Extent::kLeft);
    const Words& b = WordsOf(Extent::kRight);
    const Words& a_scale = WordsOf(Extent::kLeftScales);
    const Words& b_scale = WordsOf(Extent::kRightScales);
    const pto_tile& c = *args_.tiles[0];
    const Kernel& multiply = ctx_->kernels->at[static_cast<int>(Lane::kMul)][static_cast<int>(DType::kF32)];
    for (int32_t k = 0; k < depth_; k += kScaled) {
      const auto count = static_cast<size_t>(std::min(kScaled, depth_ - k));
      float* left = a.data + k;
      Call(multiply, Grid{left, left, a_scale.data + k / kScaled, a.line, a.line, a_scale.line, 1, 0,
                          static_cast<size_t>(c.ValidRows()), count});
      float* right = b.data + k * b.line;
      Call(multiply, Grid{right, right, b_scale.data + k / kScaled * b_scale.line, b.line, b.line, 0, 1, 1, count,
                          static_cast<size_t>(c.ValidCols())});
    }
  }

  // Scales that f32 does not have as factors: f64 has each product exactly, and the sum is rounded once.
  void MultiplyHuge() {
    const Words& a = WordsOf(Extent::kLeft);
    const Words& b = WordsOf(Extent::kRight);
    const Words& a_scale = WordsOf(Extent::kLeftScales);
    const Words& b_scale = WordsOf(Extent::kRightScales);
    const pto_tile& c = *args_.tiles[0];
    for (int32_t i = 0; i < c.ValidRows(); ++i) {
      for (int32_t j = 0; j < c.ValidCols(); ++j) {
        auto* at = reinterpret_cast<float*>(c.data) + c.layout.Offset(i, j);
        float sum = start_ < 0 ? 0.0F : *at;
        for (int32_t k = 0; k < depth_; ++k) {
          const double left = double{a.data[i * a.line + k]} * a_scale.data[i * a_scale.line + k / kScaled];
          const double right = double{b.data[k * b.line + j]} * b_scale.data[k / kScaled * b_scale.line + j];
          sum = static_cast<float>(SumToOdd(sum, left * right));
        }
        *at = std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : sum;
      }
    }
  }

  // Columns of the result that are contiguous are rows of the product of the transposed matrices.
  void Transpose() {
    std::swap(a_, b_);
    std::swap(rows_, cols_);
    c_.layout = Keep(c_.layout->Turned());
  }

  // Scratch for panels: how much of what. Nothing but layouts and types decides; `here` says that matrices stay where
  // and how they lie.
  int64_t Plan(bool here) {
    const int32_t depth = std::min(depth_, kDepth);
    width_ = kernel_.lanes * kernel_.vectors;
    groups_ = static_cast<int64_t>(Groups(depth));
    left_line_ = groups_ * kernel_.left_words + kGap;
    left_bytes_ = a_.dtype == DType::kF32 ? 0 : RoundUp(rows_ * left_line_ * 4, 64);
    const bool whole = (cols_ & (kernel_.lanes - 1)) == 0;
    right_bytes_ = whole && here && InPlace(depth) ? 0 : groups_ * width_ * 4;
    // Bytes of a row whose groups do not lie in one piece.
    stage_bytes_ = a_.dtype == DType::kI8 ? RoundUp(depth + 4, 64) : 0;
    spare_bytes_ = whole && VectorStep() != 0 ? 0 : int64_t{std::min(rows_, kHeight)} * width_ * 4;
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
    Mover(*ctx_, 4).Areas({c_.data, *c_.layout}, {from_.data, *from_.layout}, rows_, cols_);
  }

  // Words between vectors of a row of the result; 0: vectors do not lie in one piece.
  int64_t VectorStep() const {
    const Layout& l = *c_.layout;
    if (l.panel_cols == kNoSeam || (l.panel_cols & (width_ - 1)) == 0) return kernel_.lanes;
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
    const bool lines = b_.layout->col_step == 1 && !b_.layout->Boxed();
    if (rows_ != 1 || b_.dtype != DType::kF32 || !lines || c_.layout->Boxed() || vectors <= kernel_.vectors) return 0;
    Left(0, k, &strip);
    strip.b = b_.At(k, 0);
    strip.b_line = b_.layout->row_step;
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
    const bool direct = vector_step != 0 && (cols & (kernel_.lanes - 1)) == 0;
    for (int32_t r = 0; r < rows_;) {
      int32_t next = direct ? PanelEnd(r, c_.layout->panel_rows, rows_) : std::min(rows_, r + kHeight);
      if (left_bytes_ == 0) next = PanelEnd(r, a_.layout->panel_rows, next);
      Left(r, k, &strip);
      strip.rows = static_cast<size_t>(next - r);
      if (direct) {
        strip.c = c_.At(r, c);
        strip.c_line = c_.layout->row_step;
        strip.c_vector = vector_step;
        kernel_.strip(strip);
      } else {
        const Area spare{spare_, Layout::RowMajor(width_)};
        const Area part{c_.data, *c_.layout, r, c};
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
    strip->a_line = a_.layout->row_step;
    strip->a_step = a_.layout->col_step;
    if (a_.layout->panel_cols == kNoSeam) return;
    strip->run = static_cast<size_t>(a_.layout->panel_cols);
    strip->a_jump = a_.layout->col_box;
  }

  size_t Groups(int32_t depth) const {
    return static_cast<size_t>(kernel_.group == 1 ? depth : (depth + kernel_.group - 1) / kernel_.group);
  }

  // Rows of the left matrix from column k on, widened or as groups.
  void PackLeft(int32_t k, int32_t depth) {
    auto* out = reinterpret_cast<uint32_t*>(left_);
    const Layout& l = *a_.layout;
    const bool rows = l.col_step == 1;
    if (rows && (l.panel_cols == kNoSeam || l.panel_cols % kernel_.group == 0)) {
      return Panels(kernel_.left, a_, 0, k, rows_, k + depth, [&](int32_t r, int32_t at) {
        return Place{out + r * left_line_ + (at - k) / kernel_.group * kernel_.left_words, left_line_};
      });
    }
    if (a_.dtype != DType::kI8) {
      return Panels(kernel_.turn, a_, 0, k, rows_, k + depth, [&](int32_t r, int32_t at) {
        return Place{out + r * left_line_ + (at - k), left_line_};
      });
    }
    for (int32_t r = 0; r < rows_; ++r) {
      kernel_.left({out + r * left_line_, 0, Bytes(a_, r, k, depth), 0, 1, static_cast<size_t>(depth)});
    }
  }

  // Where a panel goes.
  struct Place {
    uint32_t* out;
    int64_t line;
  };

  // The parts of a matrix that lie evenly, to where `place` says. Lines are contiguous elements.
  template <class PlaceOf>
  static void Panels(void (*bring)(const MatMulPanel&), const Matrix& m, int32_t row, int32_t col, int32_t end_row,
                     int32_t end_col, PlaceOf place) {
    const bool rows = m.layout->col_step == 1;
    ForEachPanel(*m.layout, row, col, end_row, end_col, [&](int32_t r, int32_t c, int32_t n, int32_t count) {
      const Place to = place(r, c);
      bring({to.out, to.line, m.At(r, c), m.layout->LineStep() * m.Size(), static_cast<size_t>(rows ? n : count),
             static_cast<size_t>(rows ? count : n)});
    });
  }

  // Elements along a row of bytes, in one piece.
  const uint8_t* Bytes(const Matrix& m, int32_t r, int32_t k, int32_t depth) {
    for (int32_t at = k; at < k + depth; ++at) stage_[at - k] = *m.At(r, at);
    std::memset(stage_ + depth, 0, 4);
    return stage_;
  }

  // Some columns of the right matrix of f32 may be read where they lie.
  bool InPlace(int32_t depth) const {
    const Layout& l = *b_.layout;
    return b_.dtype == DType::kF32 && l.col_step == 1 && l.panel_cols == kNoSeam && l.panel_rows == kNoSeam &&
           (depth * l.row_step * 4 <= kNear || rows_ <= 2);
  }

  // Some columns of the right matrix from row k on: where they lie, or a panel of words.
  void Right(int32_t k, int32_t depth, int32_t c, int32_t cols, MatMulStrip* strip) {
    const Layout& l = *b_.layout;
    const bool whole = (cols & (kernel_.lanes - 1)) == 0;
    if (whole && InPlace(depth)) {
      strip->b = b_.At(k, c);
      strip->b_line = l.row_step;
      return;
    }
    strip->b = right_;
    strip->b_line = width_;
    auto* out = reinterpret_cast<uint32_t*>(right_);
    if (!whole) std::memset(right_, 0, static_cast<size_t>(groups_ * width_ * 4));
    const auto place = [&](int32_t r, int32_t j) {
      return Place{out + (r - k) / kernel_.group * width_ + (j - c), width_};
    };
    if (l.col_step == 1) return Panels(kernel_.right, b_, k, c, k + depth, c + cols, place);
    if (b_.dtype != DType::kI8) return Panels(kernel_.turn, b_, k, c, k + depth, c + cols, place);
    // Whole groups, and the elements behind them.
    const int32_t even = l.panel_rows == kNoSeam || l.panel_rows % 4 == 0 ? depth / 4 * 4 : 0;
    ForEachPanel(l, k, c, k + even, c + cols, [&](int32_t r, int32_t j, int32_t n, int32_t count) {
      kernel_.turn(
          {place(r, j).out, width_, b_.At(r, j), l.col_step, static_cast<size_t>(count), static_cast<size_t>(n / 4)});
    });
    const Layout turned = l.Turned();
    const Matrix upright{b_.data, &turned, b_.dtype};
    for (int32_t j = c; j < c + cols && even != depth; ++j) {
      const uint8_t* bytes = Bytes(upright, j, k + even, depth - even);
      kernel_.turn({place(k + even, j).out, width_, bytes, 0, 1, Groups(depth - even)});
    }
  }

  pto_context* ctx_;
  const OpInfo& op_;
  const Args& args_;
  const MatMulKernel& kernel_;
  Matrix c_, a_, b_, from_;
  // One an operand at most; nothing is written before it is needed.
  union Kept {
    Kept() {}
    Layout at[kMaxTiles];
  } kept_;
  int kept_count_ = 0;
  uint32_t mad_ = 0;
  int start_ = -1;  // the operand that the result starts from
  bool copied_[kMaxTiles] = {};
  Words words_[kMaxTiles];  // of those that were copied; not read unless that made them f32
  bool huge_ = false;       // a scale is
  int32_t rows_ = 0, cols_ = 0, depth_ = 0;
  int32_t width_ = 0;   // words of a strip
  int64_t groups_ = 0;  // of a panel
  int64_t left_line_ = 0, left_bytes_ = 0, right_bytes_ = 0, stage_bytes_ = 0, spare_bytes_ = 0;
  uint8_t *left_ = nullptr, *right_ = nullptr, *stage_ = nullptr, *spare_ = nullptr;
};

bool Lines(const pto_tile& tile) { return tile.layout.RowsContiguous() && !tile.layout.Boxed(); }

// Row-major matrices of whole vectors of results, not deep, where planning would take as long as the work. False: the
// call is another one.
bool RunSmall(pto_context* ctx, const OpInfo& op, const Args& args) {
  if (op.Has(Extent::kRow) || op.Has(Extent::kLeftScales)) return false;
  const int inputs = op.Inputs();
  const pto_tile& c = *args.tiles[0];
  const pto_tile& a = *args.tiles[inputs - 1];
  const pto_tile& b = *args.tiles[inputs];
  const MatMulKernel& kernel = ctx->kernels->products[static_cast<int>(a.dtype())];
  const auto cols = static_cast<uint32_t>(c.ValidCols());
  const uint32_t lanes = kernel.lanes;
  const int32_t depth = a.ValidCols();
  if (kernel.strip == nullptr || MadOf(args) != 0) return false;
  if (!Lines(c) || !Lines(a) || !Lines(b) || (cols & (lanes - 1)) != 0) return false;
  if (depth > kDepth || !Apart(c, a) || !Apart(c, b) || (inputs == 3 && !SameElements(c, *args.tiles[1]))) return false;
  const bool here = a.dtype() == DType::kF32;
  const int32_t groups = kernel.group == 1 ? depth : (depth + kernel.group - 1) / kernel.group;
  const int64_t left_line = groups * kernel.left_words + kGap;
  MatMulStrip strip{};
  strip.c_line = c.layout.row_step;
  strip.c_vector = lanes;
  strip.rows = static_cast<size_t>(c.ValidRows());
  strip.groups = strip.run = static_cast<size_t>(groups);
  strip.fresh = inputs == 2;
  strip.finish = true;
  strip.a = a.data;
  strip.a_line = a.layout.row_step;
  strip.a_step = 1;
  strip.b_line = b.layout.row_step;
  uint8_t* right = nullptr;
  if (here) {
    if (depth * b.layout.row_step * 4 > kNear) return false;
  } else {
    const int64_t right_bytes = int64_t{groups} * lanes * kernel.vectors * 4;
    right = ctx->scratch.Take(right_bytes + c.ValidRows() * left_line * 4);
    if (right == nullptr) return false;
    strip.a = right + right_bytes;
    strip.a_line = left_line;
    strip.a_step = kernel.left_words;
    strip.b = right;
    strip.b_line = lanes * kernel.vectors;
  }
  const int64_t size = Info(a.dtype()).bytes;
  const DefaultFpEnv fp_env;
  if (!here) {
    kernel.left({static_cast<uint32_t*>(const_cast<void*>(strip.a)), left_line, a.data, a.layout.row_step * size,
                 strip.rows, static_cast<size_t>(depth)});
  }
  for (uint32_t done = 0; done < cols;) {
    strip.vectors = std::min<uint32_t>(kernel.vectors, (cols - done) / lanes);
    strip.c = c.data + int64_t{done} * 4;
    const uint8_t* from = b.data + done * size;
    if (here) {
      strip.b = from;
    } else {
      kernel.right({reinterpret_cast<uint32_t*>(right), strip.b_line, from, b.layout.row_step * size,
                    static_cast<size_t>(depth), strip.vectors * lanes});
    }
    kernel.strip(strip);
    done += static_cast<uint32_t>(strip.vectors) * lanes;
  }
  return true;
}

}  // namespace

Status RunMatMul(pto_context* ctx, const OpInfo& op, const Args& args) {
  const pto_tile& c = *args.tiles[0];
  if (c.ValidRows() == 0 || c.ValidCols() == 0 || RunSmall(ctx, op, args)) return Status::kOk;
  return MatMul(ctx, op, args).Run();
}

}  // namespace pto
