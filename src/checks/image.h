// The operands of TIMG2COL: read by its checks and by its engine.
#ifndef PTO_SRC_CHECKS_IMAGE_H_
#define PTO_SRC_CHECKS_IMAGE_H_

#include <cstdint>

#include "src/objects/tensor.h"

namespace pto {

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
enum ImageDim { kN, kC1, kH, kW, kC0 };

// How many places a filter has along a number of elements; 0: it does not fit.
inline int64_t PlacesAlong(int64_t extent, int64_t padding, int64_t size, int64_t dilation, int64_t stride) {
  const int64_t room = extent + padding - dilation * (size - 1) - 1;
  return room < 0 ? 0 : room / stride + 1;
}

inline int64_t PlacesDown(const TensorShape& image, const Filter& f) {
  return PlacesAlong(image.dim[kH], int64_t{f.pad_top} + f.pad_bottom, f.height, f.dilation_h, f.stride_h);
}

inline int64_t PlacesAcross(const TensorShape& image, const Filter& f) {
  return PlacesAlong(image.dim[kW], int64_t{f.pad_left} + f.pad_right, f.width, f.dilation_w, f.stride_w);
}

}  // namespace pto

#endif  // PTO_SRC_CHECKS_IMAGE_H_
