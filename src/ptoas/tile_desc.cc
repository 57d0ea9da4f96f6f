// Descriptors are filled here only.
#include "src/ptoas/tile_desc.h"

#include <algorithm>
#include <limits>

namespace pto::ptoas {

namespace {

struct Pair {
  Elem elem;
  pto_dtype dtype;
};
constexpr Pair kPairs[] = {
    {Elem::kI8, PTO_DTYPE_I8},    {Elem::kI16, PTO_DTYPE_I16},   {Elem::kI32, PTO_DTYPE_I32},
    {Elem::kI64, PTO_DTYPE_I64},  {Elem::kSI8, PTO_DTYPE_I8},    {Elem::kSI16, PTO_DTYPE_I16},
    {Elem::kSI32, PTO_DTYPE_I32}, {Elem::kSI64, PTO_DTYPE_I64},  {Elem::kUI8, PTO_DTYPE_U8},
    {Elem::kUI16, PTO_DTYPE_U16}, {Elem::kUI32, PTO_DTYPE_U32},  {Elem::kUI64, PTO_DTYPE_U64},
    {Elem::kF16, PTO_DTYPE_F16},  {Elem::kBF16, PTO_DTYPE_BF16}, {Elem::kF32, PTO_DTYPE_F32},
};

bool Fits(int64_t value) { return value >= -1 && value <= std::numeric_limits<int32_t>::max(); }

}  // namespace

bool DTypeOf(Elem elem, pto_dtype* out) {
  for (const Pair& pair : kPairs) {
    if (pair.elem != elem) continue;
    *out = pair.dtype;
    return true;
  }
  return false;
}

Elem ElemOf(pto_dtype dtype) {
  for (const Pair& pair : kPairs) {
    if (pair.dtype == dtype) return pair.elem;
  }
  return Elem::kNone;
}

bool DTypeAgrees(Elem elem, pto_dtype dtype) {
  pto_dtype own = PTO_DTYPE_I8;
  if (!DTypeOf(elem, &own)) return false;
  const bool integers = IsInteger(elem) && IsInteger(ElemOf(dtype));
  return own == dtype || (integers && pto_dtype_bytes(own) == pto_dtype_bytes(dtype));
}

bool TileDesc(const Type& type, pto_profile profile, int64_t valid_rows, int64_t valid_cols, pto_tile_desc* out) {
  *out = pto_tile_desc{};
  out->struct_size = sizeof *out;
  if (!DTypeOf(type.elem, &out->dtype)) return false;
  if (!Fits(type.rows()) || !Fits(type.cols()) || !Fits(valid_rows) || !Fits(valid_cols)) return false;
  out->rows = static_cast<int32_t>(type.rows());
  out->cols = static_cast<int32_t>(type.cols());
  out->valid_rows = static_cast<int32_t>(valid_rows);
  out->valid_cols = static_cast<int32_t>(valid_cols);
  out->location = static_cast<pto_location>(type.loc);
  out->blayout = static_cast<pto_blayout>(type.blayout);
  if (type.loc == Loc::kLeft && type.slayout != SLayout::kNoneBox && profile != PTO_PROFILE_CPU) {
    out->blayout = profile == PTO_PROFILE_A5 ? PTO_BLAYOUT_COL_MAJOR : PTO_BLAYOUT_ROW_MAJOR;
  }
  out->slayout = static_cast<pto_slayout>(type.slayout);
  out->fractal = type.fractal;
  // An unboxed tile has no boxes, whatever size is written for them.
  if (type.slayout == SLayout::kNoneBox) out->fractal = 0;
  out->pad = static_cast<pto_pad>(type.pad);
  return true;
}

pto_tile_desc DescOf(const pto_tile* tile) {
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = pto_tile_dtype(tile);
  desc.rows = pto_tile_rows(tile);
  desc.cols = pto_tile_cols(tile);
  desc.valid_rows = pto_tile_valid_rows(tile);
  desc.valid_cols = pto_tile_valid_cols(tile);
  desc.location = pto_tile_location(tile);
  desc.blayout = pto_tile_blayout(tile);
  desc.slayout = pto_tile_slayout(tile);
  desc.fractal = pto_tile_fractal(tile);
  desc.pad = pto_tile_pad(tile);
  return desc;
}

bool TmpDesc(const OpInfo& op, pto_profile profile, const pto_tile* dst, pto_tile_desc* out) {
  const pto_dtype dtype = op.Has(Rule::kTmpSpareRow) ? PTO_DTYPE_U8 : pto_tile_dtype(dst);
  const int32_t line = 32 / pto_dtype_bytes(dtype);  // elements in what hardware moves at a time
  *out = pto_tile_desc{};
  out->struct_size = sizeof *out;
  out->dtype = dtype;
  out->valid_rows = pto_tile_valid_rows(dst) + (op.Has(Rule::kTmpSpareRow) ? 1 : 0);
  out->valid_cols = pto_tile_valid_cols(dst);
  out->rows = std::max(out->valid_rows, 1);
  const int64_t cols = (int64_t{std::max(out->valid_cols, 1)} + line - 1) / line * line;
  out->cols = Fits(cols) ? static_cast<int32_t>(cols) : out->valid_cols;
  return op.Applies(Rule::kTmpRequired, static_cast<Profile>(profile), static_cast<DType>(pto_tile_dtype(dst)));
}

pto_tensor_desc TensorDesc(pto_dtype dtype, pto_layout layout, int rank, const int64_t* dims, const int64_t* strides) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.layout = layout;
  desc.rank = rank;
  desc.strided = strides == nullptr ? 0 : 1;
  int64_t* const to_dims[] = {&desc.dim0, &desc.dim1, &desc.dim2, &desc.dim3, &desc.dim4};
  int64_t* const to_strides[] = {&desc.stride0, &desc.stride1, &desc.stride2, &desc.stride3, &desc.stride4};
  for (int i = 0; i < rank && i < 5; ++i) {
    *to_dims[i] = dims[i];
    if (strides != nullptr) *to_strides[i] = strides[i];
  }
  return desc;
}

}  // namespace pto::ptoas
