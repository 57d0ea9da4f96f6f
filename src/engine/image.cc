// TIMG2COL: the patches of an image that a filter sees, a row each. Columns are channels of one point of the filter,
// rows are places along a line of the image: such a rectangle is a move, and what is not in the image is filled.
#include "src/checks/image.h"

#include <algorithm>

#include "src/engine/execute.h"
#include "src/engine/rearrange.h"

namespace pto {

namespace {

// Rounded towards minus infinity; the divisor is positive.
int64_t FloorDivide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

// Fills the rectangles of a matrix.
class Unfolding {
 public:
  Unfolding(const Mover& mover, const pto_tensor& src, const Filter& filter, const Area& dst, uint64_t pad)
      : mover_(mover),
        src_(src),
        image_(src.shape),
        f_(filter),
        dst_(dst),
        pad_(pad),
        down_(PlacesDown(image_, f_)),
        across_(PlacesAcross(image_, f_)) {}

  void Run(int32_t rows, int32_t cols) {
    for (int32_t c = 0; c < cols;) {
      const int64_t k = int64_t{f_.pos_k} + c;
      const int64_t point = k / image_.dim[kC0];
      const int64_t c0 = k % image_.dim[kC0];
      const auto count = static_cast<int32_t>(std::min<int64_t>(cols - c, image_.dim[kC0] - c0));
      Points(point, c0, c, rows, count);
      c += count;
    }
  }

 private:
  // `count` columns from column c on: channels of one point of the filter, for every row.
  void Points(int64_t point, int64_t c0, int32_t c, int32_t rows, int32_t count) {
    const int64_t kx = point % f_.width;
    const int64_t ky = point / f_.width % f_.height;
    const int64_t c1 = point / f_.width / f_.height;
    // No more is requested of the last block than it has, so the number of blocks is not checked.
    const int64_t before = c1 * image_.dim[kC0] + c0;
    const int64_t channels = f_.channels == 0 ? before + count : f_.channels;
    const auto held = c1 < image_.dim[kC1] ? static_cast<int32_t>(std::clamp<int64_t>(channels - before, 0, count)) : 0;
    const int64_t left = kx * f_.dilation_w - f_.pad_left;  // of the patch at place 0
    for (int32_t r = 0; r < rows;) {
      const int64_t m = int64_t{f_.pos_m} + r;
      const int64_t x = m % across_;
      const int64_t y = m / across_ % down_;
      const int64_t n = m / across_ / down_;
      const auto line = static_cast<int32_t>(std::min<int64_t>(rows - r, across_ - x));
      const int64_t image_y = y * f_.stride_h + ky * f_.dilation_h - f_.pad_top;
      const bool inside = held != 0 && n < image_.dim[kN] && image_y >= 0 && image_y < image_.dim[kH];
      // The first position of the line whose point is in the image, and the first one after them.
      const auto at = [&](int64_t column) {
        return static_cast<int32_t>(std::clamp<int64_t>(-FloorDivide(left - column, f_.stride_w) - x, 0, line));
      };
      const int32_t first = inside ? at(0) : line;
      const int32_t last = inside ? at(image_.dim[kW]) : line;
      Pad(r, c, first, count);
      if (first < last) {
        const int64_t image_x = (x + first) * f_.stride_w + left;
        const int64_t from = n * image_.stride[kN] + c1 * image_.stride[kC1] + image_y * image_.stride[kH] +
                             image_x * image_.stride[kW] + c0 * image_.stride[kC0];
        const Layout lines{.row_step = f_.stride_w * image_.stride[kW], .col_step = image_.stride[kC0]};
        mover_.Areas(At(r + first, c), {src_.data + from * mover_.size(), lines}, last - first, held);
        Pad(r + first, c + held, last - first, count - held);
      }
      Pad(r + last, c, line - last, count);
      r += line;
    }
  }

  Area At(int32_t r, int32_t c) const { return {dst_.data, dst_.layout, r, c}; }
  void Pad(int32_t r, int32_t c, int32_t rows, int32_t cols) const { mover_.Fill(At(r, c), rows, cols, pad_); }

  const Mover& mover_;
  const pto_tensor& src_;
  const TensorShape& image_;
  const Filter& f_;
  const Area dst_;
  const uint64_t pad_;
  const int64_t down_;
  const int64_t across_;
};

}  // namespace

Status RunImage(pto_context* ctx, const OpInfo& op, const Args& args) {
  const pto_tile& dst = *args.tiles[0];
  const pto_tensor& src = *args.tensor;
  const int32_t rows = dst.ValidRows();
  const int32_t cols = dst.ValidCols();
  if (rows == 0 || cols == 0) return Status::kOk;
  Area to{dst.data, dst.layout};
  uint8_t* scratch = nullptr;
  if (Overlap(dst, src)) {
    const Status status = TakeScratch(ctx, op, dst.ValidBytes(), &scratch);
    if (status != Status::kOk) return status;
    to = {scratch, Layout::RowMajor(cols)};
  }
  const Mover mover(*ctx, dst.ElementBytes());
  uint64_t pad = 0;
  ScalarBits(*args.scalar, dst.dtype(), &pad);
  Unfolding(mover, src, Filter(args.numbers), to, pad).Run(rows, cols);
  if (scratch != nullptr) UnpackRows(*ctx, scratch, dst);
  return Status::kOk;
}

}  // namespace pto
