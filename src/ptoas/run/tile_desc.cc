// Descriptors are filled here only.
#include "src/ptoas/run/tile_desc.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "src/records/text_form.h"

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
  if (type.loc == Loc::kLeft && type.slayout != SLayout::kNoneBox && IsHardware(static_cast<Profile>(profile))) {
    out->blayout = kProfiles[profile].left_by_rows ? PTO_BLAYOUT_ROW_MAJOR : PTO_BLAYOUT_COL_MAJOR;
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

pto_tile_desc Asked(const pto_tile_desc& desc) {
  pto_tile_desc asked = desc;
  for (int32_t* valid : {&asked.valid_rows, &asked.valid_cols}) {
    if (*valid == 0) *valid = PTO_VALID_NONE;
  }
  return asked;
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

pto_tile* TilePart(pto_context* ctx, pto_tile* tile, int64_t row, int64_t col, const int64_t* sizes,
                   const int64_t* valid) {
  // Beyond 32 bits nothing is in a tile, and to begin with the first or the last number there is as far outside.
  const auto clip = [](int64_t value) {
    return static_cast<int32_t>(
        std::clamp<int64_t>(value, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
  };
  const int64_t rows = sizes == nullptr ? pto_tile_rows(tile) - int64_t{clip(row)} : sizes[0];
  const int64_t cols = sizes == nullptr ? pto_tile_cols(tile) - int64_t{clip(col)} : sizes[1];
  pto_tile* part = pto_tile_view(ctx, tile, clip(row), clip(col), clip(rows), clip(cols));
  if (part != nullptr && valid != nullptr && pto_tile_set_valid(ctx, part, clip(valid[0]), clip(valid[1])) != PTO_OK) {
    pto_tile_release(part);
    return nullptr;
  }
  return part;
}

void SharedValid(const Type& type, const pto_tile* from, int64_t* rows, int64_t* cols) {
  *rows = type.valid_row != kDynamic ? type.valid_row : std::min<int64_t>(pto_tile_valid_rows(from), type.rows());
  *cols = type.valid_col != kDynamic ? type.valid_col : std::min<int64_t>(pto_tile_valid_cols(from), type.cols());
}

int64_t ElementsOf(const pto_tile* tile) { return pto_tile_bytes(tile) * 8 / pto_dtype_bits(pto_tile_dtype(tile)); }

std::string OutsideOf(int64_t at, int64_t count) {
  return "element " + std::to_string(at) + " of " + std::to_string(count);
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

// The accumulator of a product without one: of the size that its factors give, in boxes of 16x16.
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

int64_t Mode(const OpInfo& op, const Given& given, const ModeInfo& mode) {
  const int at = op.Find(mode);
  return at < 0 ? 0 : given.numbers[at];
}

// The R x C of Extent by a source that is valid in `has`, for the destination at `index`.
Region Says(const OpInfo& op, int source, int index, const Given& given) {
  const pto_tile_desc& tile = given.tiles[source];
  const ExtentInfo& extent = Info(op.operands[source].extent);
  if (extent.lead == nullptr) return {};
  RegionFacts facts;
  facts.bytes = pto_dtype_bytes(tile.dtype);
  facts.moved_bytes = std::max(pto_dtype_bytes(given.tiles[op.Outputs()].dtype), 1);
  facts.by_element = Mode(op, given, kCoalesceMode) != 0;
  if (op.Has(Extent::kWindow)) {
    // Each destination has two integers: where its window begins.
    const int at = op.Find(Role::kInt) + 2 * index;
    facts.row = given.numbers[at];
    facts.col = given.numbers[at + 1];
  }
  return extent.lead({tile.valid_rows, tile.valid_cols}, facts);
}

// The R x C of Extent: of the source that the destination is like, if it is read element by element. Otherwise
// tiles that lie side by side add up, and of others the largest counts.
Region RegionOf(const OpInfo& op, int like, int index, const Given& given) {
  if (BesideLead(op.operands[like].extent)) return Says(op, like, index, given);
  Region region;
  for (int i = op.Outputs(); i < op.Needed(); ++i) {
    if (given.tiles[i].struct_size == 0) continue;
    const Region says = Says(op, i, index, given);
    const bool joins = Info(op.operands[i].extent).joins;
    region.rows = std::max(region.rows, says.rows);
    region.cols = joins ? std::max<int64_t>(region.cols, 0) + says.cols : std::max(region.cols, says.cols);
  }
  return region;
}

// The valid region of a destination of an instruction of R x C.
Region ShapeOf(const OpInfo& op, int index, Region region, int64_t bytes, const Given& given) {
  const auto [rows, cols] = region;
  const auto picked = [&](int64_t count) {
    return kPatterns[Mode(op, given, kMaskMode)].Count(static_cast<int32_t>(count));
  };
  const pto::Operand& operand = op.operands[index];
  if (const auto result = Info(operand.extent).result; result != nullptr) {
    RegionFacts facts;
    facts.bytes = bytes;
    facts.counts = operand.Typed();
    return result(region, facts);
  }
  // The number of elements that a pattern selects, or the number of positions for all elements.
  if (op.walk == Walk::kPick) {
    const bool whole_rows = Mode(op, given, kGatherAxisMode) != 0;
    return whole_rows ? Region{picked(rows), cols} : Region{rows, picked(cols)};
  }
  if (op.walk == Walk::kSpread) {
    const int64_t every = kPatterns[Mode(op, given, kMaskMode)].every;
    return Mode(op, given, kScatterAxisMode) != 0 ? Region{rows * every, cols} : Region{rows, cols * every};
  }
  return region;
}

// The type that leads, if it is the destination's: one that the sources may have beside it, their own if possible,
// else the widest.
pto_dtype LeadType(const OpInfo& op, pto_profile profile, const Given& given, pto_dtype own) {
  DTypeSet set = op.dtypes[profile];
  for (int i = op.Outputs(); i < op.Needed(); ++i) {
    const pto_tile_desc& tile = given.tiles[i];
    if (tile.struct_size == 0) continue;
    if (!op.operands[i].Typed()) return tile.dtype;
    for (int d = 0; d < kDTypeCount; ++d) {
      const bool goes = (op.operands[i].types->of[profile][d] >> tile.dtype & 1) != 0;
      if (!goes) set &= ~(DTypeSet{1} << d);
    }
  }
  constexpr DTypeSet kUnsigned = dtypes::kU8 | dtypes::kU16 | dtypes::kU32 | dtypes::kU64;
  pto_dtype best = own;
  int most = -1;
  for (int d = 0; d < kDTypeCount; ++d) {
    if ((set >> d & 1) == 0) continue;
    if (d == own) return own;
    const bool alike = (kUnsigned >> d & 1) == (kUnsigned >> own & 1);
    const int rank = 2 * kDTypes[d].bits + (alike ? 1 : 0);
    if (rank > most) best = static_cast<pto_dtype>(d);
    most = std::max(most, rank);
  }
  return best;
}

// An operand with a type of its own: from a source with the same choice, the leading type, or the first of the set.
pto_dtype TypeOf(const OpInfo& op, int index, pto_profile profile, const Given& given, pto_dtype lead) {
  const pto::Operand& operand = op.operands[index];
  if (!operand.Typed()) return lead;
  for (int i = op.Outputs(); i < op.Needed(); ++i) {
    if (given.tiles[i].struct_size != 0 && op.operands[i].types == operand.types) return given.tiles[i].dtype;
  }
  const DTypeSet set = operand.types->of[profile][lead];
  if ((set >> lead & 1) != 0 && operand.extent != Extent::kBits) return lead;
  return static_cast<pto_dtype>(std::countr_zero(set == 0 ? DTypeSet{1} : set));
}

}  // namespace

void CountsDesc(pto_profile profile, pto_tile_desc* out) {
  constexpr int64_t kRoom = 16;  // 32 bytes
  Type type;
  type.kind = TypeKind::kTile;
  type.elem = Elem::kI16;
  type.dims[0] = 1;
  type.dims[1] = kRoom;
  TileDesc(type, profile, 1, kMostLists, out);
}

void ColumnDesc(pto_profile profile, const pto_tile* rows, Elem elem, pto_tile_desc* out) {
  constexpr int64_t kRoom = 32;  // bytes
  Type type;
  type.kind = TypeKind::kTile;
  type.elem = elem;
  type.blayout = BLayout::kColMajor;
  type.dims[0] = (pto_tile_valid_rows(rows) + kRoom) / kRoom * kRoom;
  type.dims[1] = 1;
  TileDesc(type, profile, pto_tile_valid_rows(rows), 1, out);
}

bool DestinationDesc(const OpInfo& op, int index, pto_profile profile, const Given& given, pto_tile_desc* out) {
  const auto there = [&](int i) { return i >= op.Outputs() && given.tiles[i].struct_size != 0; };
  const int left = op.Find(Extent::kLeft);
  const int right = op.Find(Extent::kRight);
  const bool sums = left >= 0 && AccumulatorOf(op) < 0 && there(left) && there(right);
  if (sums) return SumsDesc(given.tiles[left], given.tiles[right], out);
  // The tile that the destination is like by default: the one that leads, one that is read element by
  // element, any.
  int like = there(op.lead) ? op.lead : -1;
  for (const bool same : {true, false}) {
    for (int i = op.Outputs(); i < op.Needed() && like < 0; ++i) {
      if (there(i) && (!same || BesideLead(op.operands[i].extent))) like = i;
    }
  }
  if (like < 0) return false;
  const pto_tile_desc& model = given.tiles[like];
  const pto_dtype lead = like == op.lead ? model.dtype : LeadType(op, profile, given, model.dtype);
  *out = model;
  out->dtype = TypeOf(op, index, profile, given, lead);
  const pto::Operand& operand = op.operands[index];
  if (Info(operand.extent).whole) {
    out->valid_rows = out->rows;
    out->valid_cols = out->cols;
    return true;
  }
  Region region = RegionOf(op, like, index, given);
  if (region.rows < 0) region.rows = model.valid_rows;
  if (region.cols < 0) region.cols = model.valid_cols;
  const Region shape = ShapeOf(op, index, region, std::max(pto_dtype_bytes(out->dtype), 1), given);
  const bool alike = out->dtype == model.dtype && shape.rows == model.valid_rows && shape.cols == model.valid_cols;
  if (alike && operand.extent == Extent::kSame && !operand.Typed()) return true;
  if (!Fits(shape.rows) || !Fits(shape.cols)) return false;
  out->valid_rows = static_cast<int32_t>(shape.rows);
  out->valid_cols = static_cast<int32_t>(shape.cols);
  out->blayout = PTO_BLAYOUT_ROW_MAJOR;
  out->slayout = PTO_SLAYOUT_NONE_BOX;
  out->fractal = 0;
  WholeLines(out);
  return out->cols >= out->valid_cols;
}

}  // namespace pto::ptoas
