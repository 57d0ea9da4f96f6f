// Records of the instructions that unfold images for products of matrices.
#ifndef PTO_SRC_RECORDS_IMAGE_H_
#define PTO_SRC_RECORDS_IMAGE_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTImg2Col = {
    .id = 352,
    .name = "timg2col",
    .brief = "Unfolds an image into rows of patches, one for each place of a filter, so that a product convolves it.",
    .formula =
        "dst[i,j] = src[n, c1, y * stride_h + ky * dilation_h - pad_top, x * stride_w + kx * dilation_w - pad_left, "
        "c0], "
        "where row pos_m + i counts (n, y, x) and column pos_k + j counts (c1, ky, kx, c0)",
    .operands = {Out("dst", "receives the patches"),
                 {"src", Role::kTensorIn, "the image: n or n * d, c1, h, w, c0", Extent::kOwn},
                 {.name = "pad",
                  .role = Role::kScalar,
                  .brief = "what stands where the image has nothing",
                  .cpp_at = "src.GetPadValue()"},
                 Int("pos_m", "the first row, counted in places of the filter"),
                 Int("pos_k", "the first column, counted in points of the filter and channels"),
                 IntAt("filter_h", "", "src.GetFilterH()", "the height of the filter"),
                 IntAt("filter_w", "", "src.GetFilterW()", "its width"),
                 IntAt("stride_h", "", "src.GetStrideH()", "by how many rows of the image it goes down"),
                 IntAt("stride_w", "", "src.GetStrideW()", "by how many columns it goes on"),
                 IntAt("dilation_h", "", "src.GetDilationH()", "how many rows its points are apart"),
                 IntAt("dilation_w", "", "src.GetDilationW()", "how many columns its points are apart"),
                 IntAt("pad_left", "", "src.GetPadList(0)", "columns of padding before the image"),
                 IntAt("pad_right", "", "src.GetPadList(1)", "and behind it"),
                 IntAt("pad_top", "", "src.GetPadList(2)", "rows of padding above the image"),
                 IntAt("pad_bottom", "", "src.GetPadList(3)", "and below it"),
                 IntAt("channels", "", "src.GetChannelSize()", "how many channels hold data; 0: all"),
                 Flags()},
    .cpp_template = "dst src fmatrix",
    .cpp_zeros = true,
    .walk = Walk::kImage,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved,
               .a2a3 = dtypes::kI8 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32,
               .a5 = dtypes::kUpTo32Bits},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationLeft, profiles::kHardware}, Rule::kImageLayout, Rule::kImageRange},
    .sources = {{Rule::kImageLayout, profiles::kEvery, sources::kImplementation},
                {Rule::kLocationLeft, profiles::kHardware, sources::kImplementation}},
    .shapes =
        "The filter has (h + pad_top + pad_bottom - dilation_h * (filter_h - 1) - 1) / stride_h + 1 places down the "
        "image, and as many along it as the same says of the width. The last of (n, y, x) and of (c1, ky, kx, c0) "
        "counts fastest. dst may begin and end anywhere in the whole matrix, and reach beyond it.",
    .specials =
        "Every bit is kept, those of a NaN too. What lies in the padding, beyond the last image, place or channel is "
        "pad.",
    .accuracy = "Exact.",
    .aliasing = "The memory of dst may overlap that of src: the result is as if src had been read first.",
    .others =
        "On hardware src is a convolution tile in mat, and what the numbers say is in registers that SETFMATRIX and "
        "SET_IMG2COL_RPT fill from it; here they come with the call, and a tensor over any memory is the tile. The "
        "common simulator does not look at the number of channels.",
    .family = Family::kRearrange,
    .source = "TIMG2COL",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_IMAGE_H_
