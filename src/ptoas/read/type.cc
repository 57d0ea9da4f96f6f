// Names of types and what it means that two agree.
#include "src/ptoas/read/type.h"

#include <algorithm>
#include <iterator>

namespace pto::ptoas {

constexpr ElemInfo kElemInfos[] = {
#define ELEMENT(enumerator, ...) {__VA_ARGS__},
#include "src/ptoas/read/elements.inc"
};

namespace {

constexpr const char* kLocs[kLocCount] = {"vec",  "mat",     "left",       "right",      "acc",
                                          "bias", "scaling", "scale_left", "scale_right"};

// Elements by their names and aliases: a table of slots. A name has the first free slot after its hash.
struct ElemNames {
  static constexpr size_t kSlots = 256;
  struct Slot {
    std::string_view name;
    Elem elem = Elem::kNone;
  };
  Slot slots[kSlots];

  static constexpr size_t HashOf(std::string_view name) {
    const auto at = [name](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(name[i])); };
    return at(0) * 5 + at(name.size() / 2) * 17 + at(name.size() - 1) * 3 + name.size() * 41;
  }
  constexpr void Add(std::string_view name, Elem elem) {
    size_t at = HashOf(name) % kSlots;
    while (!slots[at].name.empty()) at = (at + 1) % kSlots;
    slots[at] = {name, elem};
  }
  constexpr ElemNames() {
    for (size_t i = 1; i < std::size(kElemInfos); ++i) {
      const auto elem = static_cast<Elem>(i);
      Add(kElemInfos[i].name, elem);
      std::string_view aliases = kElemInfos[i].aliases;
      while (!aliases.empty()) {
        const size_t end = std::min(aliases.find(' '), aliases.size());
        Add(aliases.substr(0, end), elem);
        aliases.remove_prefix(std::min(end + 1, aliases.size()));
      }
    }
  }
};
constexpr ElemNames kElemNames;

}  // namespace

Elem ElemByName(std::string_view name) {
  if (name.empty()) return Elem::kNone;
  size_t at = ElemNames::HashOf(name) % ElemNames::kSlots;
  for (; !kElemNames.slots[at].name.empty(); at = (at + 1) % ElemNames::kSlots) {
    if (kElemNames.slots[at].name == name) return kElemNames.slots[at].elem;
  }
  return Elem::kNone;
}

bool DTypeOf(Elem elem, pto_dtype* out) {
  if (Info(elem).dtype < 0) return false;
  *out = static_cast<pto_dtype>(Info(elem).dtype);
  return true;
}

Elem ElemOf(pto_dtype dtype) {
  const auto* found = std::find_if(std::begin(kElemInfos), std::end(kElemInfos),
                                   [&](const ElemInfo& info) { return info.dtype == static_cast<int>(dtype); });
  return found == std::end(kElemInfos) ? Elem::kNone : static_cast<Elem>(found - std::begin(kElemInfos));
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
