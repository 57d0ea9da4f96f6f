// The rules of TIMG2COL.
#include "src/checks/check_impl.h"
#include "src/checks/image.h"

namespace pto {

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

}  // namespace pto
