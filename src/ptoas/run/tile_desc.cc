// Descriptors are filled here only.
#include "src/ptoas/run/tile_desc.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "src/ops/text_form.h"

namespace pto::ptoas {

namespace {

bool Fits(int64_t value) { return value >= -1 && value <= std::numeric_limits<int32_t>::max(); }

// Rows and columns for the valid ones, in the lines that hardware moves at a time.
void WholeLines(pto_tile_desc* desc, int32_t least = 1) {
  const int32_t line = std::max(32 / pto_dtype_bytes(desc->dtype), least);
  const int64_t cols = (int64_t{std::max(desc->valid_cols, 1)} + line - 1) / line * line;
  desc->rows = std::max(desc->valid_rows, 1);
  desc->cols = Fits(cols) ? static_cast<int32_t>(cols) : desc->valid_cols;
}

}  // namespace

bool DTypeAgrees(Elem elem, pto_dtype dtype) {
  pto_dtype own = PTO_DTYPE_I8;
  if (!DTypeOf(elem, &own)) return false;
  const bool integers = IsInteger(elem) && IsInteger(ElemOf(dtype));
  return own == dtype || (integers && pto_dtype_bits(own) == pto_dtype_bits(dtype));
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
  out->pad = type.custom_pad ? PTO_PAD_CUSTOM : static_cast<pto_pad>(type.pad);
  out->pad_bits = type.pad_bits;
  out->compact = static_cast<pto_compact>(type.compact);
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
  desc.pad_bits = pto_tile_pad_bits(tile);
  desc.compact = pto_tile_compact(tile);
  return desc;
}

bool TmpDesc(const OpInfo& op, pto_profile profile, const pto_tile* dst, pto_tile_desc* out) {
  const pto_dtype dtype = op.Has(Rule::kTmpSpareRow) ? PTO_DTYPE_U8 : pto_tile_dtype(dst);
  *out = pto_tile_desc{};
  out->struct_size = sizeof *out;
  out->dtype = dtype;
  out->valid_rows = pto_tile_valid_rows(dst) + (op.Has(Rule::kTmpSpareRow) ? 1 : 0);
  out->valid_cols = pto_tile_valid_cols(dst);
  WholeLines(out, op.Has(Rule::kTmpTransposed) ? 16 : 1);
  return op.Applies(Rule::kTmpRequired, static_cast<Profile>(profile), static_cast<DType>(pto_tile_dtype(dst)));
}

namespace {

// The accumulator of a product without one: as large as its factors say, in boxes of 16x16.
bool SumsDesc(const pto_tile_desc& left, const pto_tile_desc& right, pto_tile_desc* out) {
  *out = left;
  out->dtype = left.dtype == PTO_DTYPE_I8 ? PTO_DTYPE_I32 : PTO_DTYPE_F32;
  out->location = PTO_LOCATION_ACC;
  out->blayout = PTO_BLAYOUT_COL_MAJOR;
  out->slayout = PTO_SLAYOUT_ROW_MAJOR;
  out->fractal = 1024;
  out->valid_cols = right.valid_cols;
  if (!Fits(int64_t{out->valid_rows} + 15) || !Fits(int64_t{out->valid_cols} + 15)) return false;
  out->rows = std::max(out->valid_rows + 15, 16) / 16 * 16;
  out->cols = std::max(out->valid_cols + 15, 16) / 16 * 16;
  return true;
}

}  // namespace

bool DestinationDesc(const OpInfo& op, int index, pto_profile profile, const pto_tile_desc* sources,
                     pto_tile_desc* out) {
  const auto there = [&](int i) { return i >= op.Outputs() && sources[i].struct_size != 0; };
  const int left = op.Find(Extent::kLeft);
  const int right = op.Find(Extent::kRight);
  const bool sums = left >= 0 && AccumulatorOf(op) < 0 && there(left) && there(right);
  if (sums) return SumsDesc(sources[left], sources[right], out);
  // The tile whose region the destination follows: the one that leads, one that is read element by element, any.
  int like = there(op.lead) ? op.lead : -1;
  for (const bool same : {true, false}) {
    for (int i = op.Outputs(); i < op.Needed() && like < 0; ++i) {
      if (there(i) && (!same || BesideLead(op.operands[i].extent))) like = i;
    }
  }
  if (like < 0) return false;
  const pto::Operand& operand = op.operands[index];
  *out = sources[like];
  for (int i = op.Outputs(); i < op.Needed() && operand.types == nullptr; ++i) {
    if (!there(i) || op.operands[i].types != nullptr) continue;
    out->dtype = sources[i].dtype;
    break;
  }
  if (operand.types != nullptr) {
    // Of a type of its own: that of a source which has the same choice, or the first of the set.
    const DTypeSet set = operand.types->of[profile][sources[like].dtype];
    out->dtype = static_cast<pto_dtype>(std::countr_zero(set == 0 ? DTypeSet{1} : set));
    for (int i = op.Outputs(); i < op.Needed(); ++i) {
      if (there(i) && op.operands[i].types == operand.types) out->dtype = sources[i].dtype;
    }
  }
  if (operand.extent == Extent::kSame && out->dtype == sources[like].dtype && operand.types == nullptr) return true;
  const int32_t bytes = pto_dtype_bytes(out->dtype);
  if (operand.extent == Extent::kBits) out->valid_cols = (out->valid_cols + 8 * bytes - 1) / (8 * bytes);
  if (operand.extent == Extent::kRowResults) out->valid_cols = 1;
  if (operand.extent == Extent::kColResults) out->valid_rows = 1;
  if (operand.extent == Extent::kRowGroups) out->valid_cols = ScaleGroups(out->valid_cols);
  if (operand.extent == Extent::kColGroups) out->valid_rows = ScaleGroups(out->valid_rows);
  out->blayout = PTO_BLAYOUT_ROW_MAJOR;
  out->slayout = PTO_SLAYOUT_NONE_BOX;
  out->fractal = 0;
  WholeLines(out);
  return Fits(out->valid_cols) && out->cols >= out->valid_cols;
}

pto_layout LayoutOf(std::string_view name) {
  constexpr std::pair<std::string_view, pto_layout> kLayouts[] = {
      {"dn", PTO_LAYOUT_DN}, {"nz", PTO_LAYOUT_NZ}, {"nc1hwc0", PTO_LAYOUT_NC1HWC0}, {"ndc1hwc0", PTO_LAYOUT_NDC1HWC0}};
  for (const auto& [word, layout] : kLayouts) {
    if (name == word) return layout;
  }
  return PTO_LAYOUT_ND;
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
