// Names of types and what it means that two agree.
#include "src/ptoas/read/type.h"

#include <algorithm>
#include <iterator>

namespace pto::ptoas {

constexpr ElemInfo kElemInfos[] = {
    {"", 0, ElemInfo::kOther},           {"i1", 1, ElemInfo::kInt},
    {"i4", 4, ElemInfo::kInt},           {"i8", 8, ElemInfo::kInt},
    {"i16", 16, ElemInfo::kInt},         {"i32", 32, ElemInfo::kInt},
    {"i64", 64, ElemInfo::kInt},         {"ui8", 8, ElemInfo::kUnsigned},
    {"ui16", 16, ElemInfo::kUnsigned},   {"ui32", 32, ElemInfo::kUnsigned},
    {"ui64", 64, ElemInfo::kUnsigned},   {"si8", 8, ElemInfo::kSigned},
    {"si16", 16, ElemInfo::kSigned},     {"si32", 32, ElemInfo::kSigned},
    {"si64", 64, ElemInfo::kSigned},     {"index", 64, ElemInfo::kIndexClass},
    {"f16", 16, ElemInfo::kFloat},       {"bf16", 16, ElemInfo::kFloat},
    {"f32", 32, ElemInfo::kFloat},       {"f64", 64, ElemInfo::kFloat},
    {"f8E4M3", 8, ElemInfo::kFloat},     {"f8E4M3FN", 8, ElemInfo::kFloat},
    {"f8E4M3FNUZ", 8, ElemInfo::kFloat}, {"f8E5M2", 8, ElemInfo::kFloat},
    {"f8E5M2FNUZ", 8, ElemInfo::kFloat}, {"hif8", 8, ElemInfo::kFloat},
    {"f8E8M0FNU", 8, ElemInfo::kFloat},  {"f4E2M1FN", 4, ElemInfo::kFloat},
    {"f4E1M2", 4, ElemInfo::kFloat},
};
static_assert(std::size(kElemInfos) == static_cast<size_t>(Elem::kF4E1M2) + 1);

namespace {

// Names of the ISA pages.
struct Alias {
  const char* name;
  Elem elem;
};
constexpr Alias kAliases[] = {
    {"half", Elem::kF16},
    {"float", Elem::kF32},
    {"bfloat16_t", Elem::kBF16},
    {"int8", Elem::kI8},
    {"int16", Elem::kI16},
    {"int32", Elem::kI32},
    {"int64", Elem::kI64},
    {"int8_t", Elem::kI8},
    {"int16_t", Elem::kI16},
    {"int32_t", Elem::kI32},
    {"int64_t", Elem::kI64},
    {"u8", Elem::kUI8},
    {"u16", Elem::kUI16},
    {"u32", Elem::kUI32},
    {"u64", Elem::kUI64},
    {"uint8", Elem::kUI8},
    {"uint16", Elem::kUI16},
    {"uint32", Elem::kUI32},
    {"uint64", Elem::kUI64},
    {"uint8_t", Elem::kUI8},
    {"uint16_t", Elem::kUI16},
    {"uint32_t", Elem::kUI32},
    {"uint64_t", Elem::kUI64},
    {"e4m3", Elem::kF8E4M3FN},
    {"e5m2", Elem::kF8E5M2},
    {"e8m0", Elem::kF8E8M0FNU},
    {"float8_e4m3_t", Elem::kF8E4M3FN},
    {"float8_e5m2_t", Elem::kF8E5M2},
    {"float8_e8m0_t", Elem::kF8E8M0FNU},
    {"hifloat8_t", Elem::kHiF8},
    {"e2m1", Elem::kF4E2M1FN},
    {"e1m2", Elem::kF4E1M2},
    {"f4E2M1x2", Elem::kF4E2M1FN},
    {"f4E1M2x2", Elem::kF4E1M2},
    {"float4_e2m1x2_t", Elem::kF4E2M1FN},
    {"float4_e1m2x2_t", Elem::kF4E1M2},
};

constexpr const char* kLocs[kLocCount] = {"vec",  "mat",     "left",       "right",      "acc",
                                          "bias", "scaling", "scale_left", "scale_right"};

struct Pair {
  Elem elem;
  pto_dtype dtype;
};
constexpr Pair kPairs[] = {
    {Elem::kI8, PTO_DTYPE_I8},         {Elem::kI16, PTO_DTYPE_I16},        {Elem::kI32, PTO_DTYPE_I32},
    {Elem::kI64, PTO_DTYPE_I64},       {Elem::kSI8, PTO_DTYPE_I8},         {Elem::kSI16, PTO_DTYPE_I16},
    {Elem::kSI32, PTO_DTYPE_I32},      {Elem::kSI64, PTO_DTYPE_I64},       {Elem::kUI8, PTO_DTYPE_U8},
    {Elem::kUI16, PTO_DTYPE_U16},      {Elem::kUI32, PTO_DTYPE_U32},       {Elem::kUI64, PTO_DTYPE_U64},
    {Elem::kF16, PTO_DTYPE_F16},       {Elem::kBF16, PTO_DTYPE_BF16},      {Elem::kF32, PTO_DTYPE_F32},
    {Elem::kF8E4M3FN, PTO_DTYPE_E4M3}, {Elem::kF8E4M3, PTO_DTYPE_E4M3},    {Elem::kF8E5M2, PTO_DTYPE_E5M2},
    {Elem::kHiF8, PTO_DTYPE_HIF8},     {Elem::kF8E8M0FNU, PTO_DTYPE_E8M0}, {Elem::kF4E2M1FN, PTO_DTYPE_E2M1},
    {Elem::kF4E1M2, PTO_DTYPE_E1M2},   {Elem::kI4, PTO_DTYPE_I4},
};

}  // namespace

Elem ElemByName(std::string_view name) {
  for (size_t i = 1; i < std::size(kElemInfos); ++i) {
    if (name == kElemInfos[i].name) return static_cast<Elem>(i);
  }
  for (const Alias& alias : kAliases) {
    if (name == alias.name) return alias.elem;
  }
  return Elem::kNone;
}

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

const char* NameOf(Loc loc) { return kLocs[static_cast<int>(loc)]; }
const char* NameOf(BLayout layout) { return layout == BLayout::kRowMajor ? "row_major" : "col_major"; }
const char* NameOf(SLayout layout) {
  return layout == SLayout::kNoneBox ? "none_box" : layout == SLayout::kRowMajor ? "row_major" : "col_major";
}

int64_t Type::Elements() const {
  if (rank == 0) return 0;
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    if (dims[i] < 1 || dims[i] > kMaxLanes || (count *= dims[i]) > kMaxLanes) return 0;
  }
  return count;
}

int64_t Type::Bytes() const {
  int64_t elements = 0;
  int64_t bits = 0;
  if (__builtin_mul_overflow(rows(), cols(), &elements) ||
      __builtin_mul_overflow(elements, int64_t{Info(elem).bits}, &bits)) {
    return -1;
  }
  return bits / 8;
}

bool SameType(const Type& a, const Type& b) {
  return a.kind == b.kind && a.elem == b.elem && a.rank == b.rank && a.loc == b.loc && a.blayout == b.blayout &&
         a.slayout == b.slayout && a.pad == b.pad && a.custom_pad == b.custom_pad && a.pad_bits == b.pad_bits &&
         a.compact == b.compact && a.count == b.count && a.local == b.local && a.strided == b.strided &&
         std::equal(a.strides, a.strides + a.rank, b.strides) && a.offset == b.offset && a.fractal == b.fractal &&
         a.valid_row == b.valid_row && a.valid_col == b.valid_col && std::equal(a.dims, a.dims + a.rank, b.dims) &&
         a.text == b.text;
}

Type SlotOf(const Type& tiles) {
  Type tile = tiles;
  tile.kind = TypeKind::kTile;
  tile.count = 0;
  return tile;
}

Type Dense(const Type& type) {
  Type dense = type;
  dense.strided = false;
  dense.offset = 0;
  std::fill(std::begin(dense.strides), std::end(dense.strides), 0);
  return dense;
}

bool TypesAgree(const Type* a, const Type* b) {
  if (a == nullptr || b == nullptr || a == b) return true;
  if (a->kind == TypeKind::kAnyTile || b->kind == TypeKind::kAnyTile) return a->IsTile() && b->IsTile();
  if (a->kind == TypeKind::kAnyView || b->kind == TypeKind::kAnyView) return a->MayBeView() && b->MayBeView();
  if (a->kind == TypeKind::kAnyScalar || b->kind == TypeKind::kAnyScalar) return a->IsNumber() && b->IsNumber();
  if (a->kind == TypeKind::kMask && b->kind == TypeKind::kMask) return a->dims[0] == 0 || b->dims[0] == 0;
  if (a->kind == TypeKind::kTile && b->kind == TypeKind::kTile && a->loc == Loc::kLeft && b->loc == Loc::kLeft) {
    Type copy = *b;
    copy.blayout = a->blayout;
    return SameType(*a, copy);
  }
  return SameType(*a, *b);
}

}  // namespace pto::ptoas
