// TIMG2COL: the patches of an image that a filter sees, a row each. Columns are channels of one point of the filter,
// rows are places along a line of the image: such a rectangle is a move, and what is not in the image is filled.
#include <algorithm>

#include "src/core/check_impl.h"
#include "src/core/rearrange.h"

namespace pto {

namespace {

// The numbers of a call, in the order of its operands.
struct Filter {
  int32_t pos_m, pos_k, height, width, stride_h, stride_w, dilation_h, dilation_w;
  int32_t pad_left, pad_right, pad_top, pad_bottom, channels;

  explicit Filter(const int32_t* n)
      : pos_m(n[0]),
        pos_k(n[1]),
        height(n[2]),
        width(n[3]),
        stride_h(n[4]),
        stride_w(n[5]),
        dilation_h(n[6]),
        dilation_w(n[7]),
        pad_left(n[8]),
        pad_right(n[9]),
        pad_top(n[10]),
        pad_bottom(n[11]),
        channels(n[12]) {}
};

// The dimensions of an image: n, c1, h, w, c0.
enum Dim { kN, kC1, kH, kW, kC0 };

// How many places a filter has along so many elements; 0: it does not fit.
int64_t PlacesAlong(int64_t extent, int64_t padding, int64_t size, int64_t dilation, int64_t stride) {
  const int64_t room = extent + padding - dilation * (size - 1) - 1;
  return room < 0 ? 0 : room / stride + 1;
}

int64_t PlacesDown(const TensorShape& image, const Filter& f) {
  return PlacesAlong(image.dim[kH], int64_t{f.pad_top} + f.pad_bottom, f.height, f.dilation_h, f.stride_h);
}

int64_t PlacesAcross(const TensorShape& image, const Filter& f) {
  return PlacesAlong(image.dim[kW], int64_t{f.pad_left} + f.pad_right, f.width, f.dilation_w, f.stride_w);
}

}  // namespace

Status CheckImageRange(const Subject& s) {
  constexpr int kFirst = 3;  // among the operands
  constexpr int kSizes = 5;  // from here on numbers are at least 1
  constexpr int kPads = 11;  // and from here on at least 0
  for (int i = kFirst; i < s.op.OperandCount() - 1; ++i) {
    const int32_t value = s.args.numbers[i - kFirst];
    const int32_t least = i >= kSizes && i < kPads ? 1 : 0;
    if (value >= least) continue;
    return s.Fail(s.Name(i), "%s is %d where %d is the least", s.Name(i), value, least);
  }
  const TensorShape& image = s.tensor->shape;
  const Filter f(s.args.numbers);
  if (PlacesDown(image, f) != 0 && PlacesAcross(image, f) != 0) return Status::kOk;
  return s.Fail(
      s.Name(1),
      "%s is %lldx%lld, padded by %d, %d and %d, %d, which a filter of %dx%d with points %d and %d apart exceeds",
      s.Name(1), static_cast<long long>(image.dim[kH]), static_cast<long long>(image.dim[kW]), f.pad_top, f.pad_bottom,
      f.pad_left, f.pad_right, f.height, f.width, f.dilation_h, f.dilation_w);
}

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
    // Of the last block no more is asked for than it has: how many there are needs no look.
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
      // The first place of the line whose point is in the image, and the first behind those.
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

Status CheckImageLayout(const Subject& s) {
  const TensorLayout layout = s.tensor->shape.layout;
  const bool known = layout == TensorLayout::kNC1HWC0 || layout == TensorLayout::kNDC1HWC0;
  if (known && s.tensor->shape.dim[kC0] == 0) {
    return s.Fail(s.Name(1), "%s has blocks of 0 channels", s.Name(1));
  }
  if (known) return Status::kOk;
  return s.Fail(s.Name(1), "%s is %s", s.Name(1), OrderOf(layout).name);
}

Status CheckLocationLeft(const Subject& s) {
  const Geometry& g = s.lead().geometry;
  const bool nz = g.blayout == BLayout::kColMajor && g.slayout == SLayout::kRowMajor;
  if (g.location == Location::kLeft && nz) return Status::kOk;
  return s.Fail(s.LeadName(), "%s is %s in %s", s.LeadName(), LayoutName(s.lead()), LocationName(s.lead()));
}

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
