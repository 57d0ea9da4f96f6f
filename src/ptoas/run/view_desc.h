// Views of global memory: what the statements that make them mean. A run and a check both ask here.
#ifndef PTO_SRC_PTOAS_VIEW_DESC_H_
#define PTO_SRC_PTOAS_VIEW_DESC_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "include/pto_c.h"
#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// The layout of a view that a program names; of others nd.
pto_layout LayoutOf(std::string_view name);

// Dimensions and strides by index; `rank` of them.
pto_tensor_desc TensorDesc(pto_dtype dtype, pto_layout layout, int rank, const int64_t* dims, const int64_t* strides);

// The view of make_tensor_view: of the layout that the text gives it, or else of the one that its strides mean.
pto_tensor_desc ViewDesc(pto_dtype dtype, const Stmt& view, int rank, const int64_t* dims, const int64_t* strides);

// A part of a tensor: its geometry, and the elements that lie before it.
struct ViewPart {
  pto_tensor_desc desc;
  int64_t offset;
};

// The part of partition_view, an offset and a size for each dimension. False: it does not lie in the tensor, for the
// reason in `why`.
bool ViewPartOf(const pto_tensor* tensor, const int64_t* offsets, const int64_t* sizes, ViewPart* out,
                std::string* why);

// The part of `%view[%i, %j]` beside a tile, an index for each dimension. It has the extents of the tile, or all
// elements from the index on if `tile` is nullptr.
bool WindowOf(const pto_tensor* tensor, const int64_t* indices, const pto_tile* tile, ViewPart* out, std::string* why);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VIEW_DESC_H_
