// RunProduct(): small products whose matrices lie evenly, and the way to all others.
#include <algorithm>
#include <cstring>

#include "src/engine/execute.h"
#include "src/engine/product.h"

namespace pto {

namespace {

// A step leads from each row of c and a to the next and from each column of b, and c has whole vectors: matrices in
// rows, and in the boxes of the matrix unit's memories. The checks and plans of Product, and their instructions in
// the way of the multiply-adds, would be a fifth of 16 x 16 x 16.
class EvenProduct {
 public:
  EvenProduct(pto_context* ctx, const pto_tile& c, const pto_tile& a, const pto_tile& b)
      : ctx_(ctx),
        kernel_(ctx->kernels->products[static_cast<int>(a.dtype())]),
        c_(c),
        a_(a),
        b_(b),
        depth_(a.ValidCols()),
        width_(kernel_.lanes * kernel_.vectors),
        size_(Info(a.dtype()).bytes),
        vector_step_(VectorStep(c.layout, kernel_)) {
    if ((c.ValidCols() & (kernel_.lanes - 1)) == 0 || c.ValidCols() > width_) return;
    narrow_ = true;
    width_ = (c.ValidCols() + kernel_.lanes - 1) & -int32_t{kernel_.lanes};
  }

  bool Fits() const {
    const Layout &c = c_.layout, &a = a_.layout, &b = b_.layout;
    const bool narrow = narrow_ && c.panel_cols == kNoSeam && c_.ValidRows() <= kNarrowRows;
    const bool vectors = (narrow || (c_.ValidCols() & (kernel_.lanes - 1)) == 0) && vector_step_ != 0;
    return vectors && depth_ <= kDepth && c_.ValidRows() > 1 && c.panel_rows == kNoSeam && a.RowsContiguous() &&
           a.panel_rows == kNoSeam && Groups(a.panel_cols) && b.panel_cols == kNoSeam && Groups(b.panel_rows) &&
           (b.RowsContiguous() || Groups(depth_));
  }

  Status Run(const OpInfo& op, bool fresh) { return narrow_ ? RunAs<true>(op, fresh) : RunAs<false>(op, fresh); }

 private:
  static constexpr int32_t kNarrowRows = 64;

  template <bool narrow>
  Status RunAs(const OpInfo& op, bool fresh) {
    const bool words = size_ == 4;
    const Layout& b = b_.layout;
    const int32_t rows = c_.ValidRows(), cols = c_.ValidCols();
    const bool lines = b.RowsContiguous() && !b.Boxed();
    const bool in_place = !narrow && lines && ReadInPlace(kernel_, a_.dtype(), rows, depth_, b.row_step);
    MatMulStrip strip;
    strip.c_line = narrow ? width_ : c_.layout.row_step;
    strip.c_vector = narrow ? kernel_.lanes : vector_step_;
    strip.rows = static_cast<size_t>(rows);
    strip.groups = strip.run = static_cast<size_t>(Over(depth_ + kernel_.group - 1, kernel_.group));
    strip.fresh = fresh;
    strip.finish = true;
    const auto groups = static_cast<int64_t>(strip.groups);
    const int64_t left_line = groups * kernel_.left_words + kLeftGap;
    const int64_t left = words ? 0 : rows * left_line;
    const int64_t right = in_place ? 0 : groups * width_;
    const int64_t spare = narrow ? int64_t{rows} * width_ : 0;
    uint8_t* scratch = nullptr;
    const Status status = TakeScratch(ctx_, op, (left + right + spare) * 4, &scratch);
    if (status != Status::kOk) return status;
    auto* const panel = reinterpret_cast<uint32_t*>(scratch);
    uint32_t* const sums = panel + right + left;  // narrow: c in whole vectors
    const DefaultFpEnv fp_env(
        SubnormalsOf(a_.dtype(), rows, cols, depth_));  // f16 becomes f32 by arithmetic on some targets
    strip.a_jump = 0;
    strip.soon = &ctx_->soon;
    if (words) {
      Left(&strip);
    } else {
      PackLeft(panel + right, left_line);
      strip.a = panel + right;
      strip.a_line = left_line;
      strip.a_step = kernel_.left_words;
    }
    const auto work = in_place && !words ? kernel_.few : kernel_.strip;
    strip.b_line = in_place ? b.row_step : width_;
    if (narrow) {
      std::fill_n(panel, right, 0U);
      if (!fresh) {
        std::fill_n(sums, spare, 0U);
        CopyRows(sums, width_, Result(), c_.layout.row_step);
      }
    }
    for (int32_t col = 0; col < cols; col += width_) {
      if (Halted(*ctx_)) return FailHalted(ctx_, op);
      const int32_t count = std::min(width_, cols - col);
      if (!in_place) {
        PackRight(panel, col, count);
        PrefetchRight({b_.data, &b, b_.dtype()}, 0, depth_, col + width_, width_, cols);
      }
      strip.b = in_place ? b_.data + col * size_ : scratch;
      strip.c = narrow ? static_cast<void*>(sums) : c_.data + c_.layout.Offset(0, col) * 4;
      strip.vectors = static_cast<size_t>(Over(count + kernel_.lanes - 1, kernel_.lanes));
      RunStrip(ctx_, kernel_, work, strip, fp_env.Marked());
    }
    if (narrow) CopyRows(Result(), c_.layout.row_step, sums, width_);
    return Status::kOk;
  }

  uint32_t* Result() const { return reinterpret_cast<uint32_t*>(c_.data); }
  // The rows of c. In pieces of known size: a copy of a few bytes is a call.
  void CopyRows(uint32_t* to, int64_t to_line, const uint32_t* from, int64_t from_line) const {
    const int32_t cols = c_.ValidCols();
    for (int32_t r = 0; r < c_.ValidRows(); ++r, to += to_line, from += from_line) {
      int32_t j = 0;
      for (; j + 4 <= cols; j += 4) std::memcpy(to + j, from + j, 16);
      for (; j < cols; ++j) std::memcpy(to + j, from + j, 4);
    }
  }

  // Whether this number of elements along k consists of whole groups.
  bool Groups(int32_t count) const { return count == kNoSeam || (count & (kernel_.group - 1)) == 0; }

  // Where it lies.
  void Left(MatMulStrip* strip) const {
    const Layout& l = a_.layout;
    strip->a = a_.data;
    strip->a_line = l.row_step;
    strip->a_step = 1;
    if (l.panel_cols == kNoSeam) return;
    strip->run = static_cast<size_t>(l.panel_cols);
    strip->a_jump = l.col_box;
  }

  void PackLeft(uint32_t* out, int64_t line) const {
    const Layout& l = a_.layout;
    for (int32_t k = 0; k < depth_;) {
      const int32_t next = PanelEnd(k, l.panel_cols, depth_);
      kernel_.left({out + Over(k, kernel_.group) * kernel_.left_words, line, a_.data + l.Offset(0, k) * size_,
                    l.row_step * size_, static_cast<size_t>(c_.ValidRows()), static_cast<size_t>(next - k)});
      k = next;
    }
  }

  void PackRight(uint32_t* out, int32_t col, int32_t count) const {
    const Layout& l = b_.layout;
    for (int32_t k = 0; k < depth_;) {
      const int32_t next = PanelEnd(k, l.panel_rows, depth_);
      uint32_t* const to = out + Over(k, kernel_.group) * width_;
      const uint8_t* from = b_.data + l.Offset(k, col) * size_;
      const auto lines = static_cast<size_t>(count);
      if (l.RowsContiguous()) {
        kernel_.right({to, width_, from, l.row_step * size_, static_cast<size_t>(next - k), lines});
      } else {
        const auto length = static_cast<size_t>(Over(next - k, kernel_.group));
        kernel_.turn({to, width_, from, l.col_step * size_, lines, length});
      }
      k = next;
    }
  }

  pto_context* ctx_;
  const MatMulKernel& kernel_;
  const pto_tile &c_, &a_, &b_;
  const int32_t depth_;
  int32_t width_;        // words of a strip
  bool narrow_ = false;  // a strip at most, and the last vector is not full: sums are made in scratch
  const int64_t size_;   // of an element of a and b
  const int64_t vector_step_;
};

}  // namespace

Status RunProduct(pto_context* ctx, const OpInfo& op, const pto_tile& c, const pto_tile& a, const pto_tile& b,
                  bool fresh) {
  if (c.ValidRows() == 0 || c.ValidCols() == 0) return Status::kOk;
  const MatMulKernel& kernel = ctx->kernels->products[static_cast<int>(a.dtype())];
  const bool tiles = TilesPay(kernel, c.ValidRows(), c.ValidCols(), a.ValidCols());
  EvenProduct even(ctx, c, a, b);
  return even.Fits() && !tiles ? even.Run(op, fresh) : RunAnyProduct(ctx, op, c, a, b, fresh);
}

}  // namespace pto
