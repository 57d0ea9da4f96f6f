// Records of the instructions that unfold images for products of matrices.
#ifndef PTO_SRC_RECORDS_IMAGE_H_
#define PTO_SRC_RECORDS_IMAGE_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTImg2Col = {
    .id = 352,
    .name = "timg2col",
    .brief =
        "Unfolds an image into rows of patches, one per filter position, so that a matrix product computes the "
        "convolution.",
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
                 IntAt("stride_h", "", "src.GetStrideH()", "the step of the filter, in rows of the image"),
                 IntAt("stride_w", "", "src.GetStrideW()", "the step of the filter, in columns of the image"),
                 IntAt("dilation_h", "", "src.GetDilationH()", "how many rows its points are apart"),
                 IntAt("dilation_w", "", "src.GetDilationW()", "how many columns its points are apart"),
                 IntAt("pad_left", "", "src.GetPadList(0)", "columns of padding before the image"),
                 IntAt("pad_right", "", "src.GetPadList(1)", "and after it"),
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
        "The filter has (h + pad_top + pad_bottom - dilation_h * (filter_h - 1) - 1) / stride_h + 1 positions down "
        "the image; the width uses the same formula. The last index of (n, y, x) and of (c1, ky, kx, c0) varies "
        "fastest. dst may begin and end anywhere in the whole matrix, and reach beyond it.",
    .specials =
        "All bits are kept, including NaN payloads. Elements in the padding, and beyond the last image, position or "
        "channel, are pad.",
    .accuracy = "Exact.",
    .aliasing = "The memory of dst may overlap the memory of src: the result is as if src was read first.",
    .others =
        "On hardware, src is a convolution tile in mat, and SETFMATRIX and SET_IMG2COL_RPT copy its numbers to "
        "registers. Here the numbers are arguments of the call, and src is a tensor over any memory. The common "
        "simulator ignores the number of channels.",
    .family = Family::kRearrange,
    .source = "TIMG2COL",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_IMAGE_H_
