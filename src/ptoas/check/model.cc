#include "src/ptoas/check/model.h"

#include <algorithm>
#include <vector>

#include "src/ptoas/read/views.h"
#include "src/ptoas/run/tile_desc.h"

namespace pto::ptoas {

namespace {

// Above what user space maps. Pointers of 32 bits leave room for 768 tiles of 4 MiB each in a function; of others
// nothing is known there.
constexpr bool kWide = sizeof(void*) == 8;
constexpr uint64_t kFirstRoom = uint64_t{1} << (kWide ? 58 : 30);
constexpr uint64_t kRoom = uint64_t{1} << (kWide ? 41 : 22);
constexpr uint64_t kRooms = (uint64_t{1} << (kWide ? 62 : 32)) / kRoom - (kWide ? 0 : kFirstRoom / kRoom);
// Where tiles with addresses are: each memory on the chip.
constexpr uint64_t kMemory = kWide ? kRoom : uint64_t{1} << 26;
constexpr int64_t kViewBytes = int64_t{1} << 41;
// Parts of parts are followed to this depth; for longer chains the types are enough.
constexpr int kDeep = 32;

void* At(uint64_t place) {
  // No integer made it a pointer that anyone reads.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<void*>(static_cast<uintptr_t>(place));
}

int64_t AskedExtent(int64_t valid) { return valid == kDynamic ? PTO_VALID_ALL : valid; }

const Stmt* MakerOf(const Value& value) { return value.origin == ValueOrigin::kResult ? value.def : nullptr; }

}  // namespace

void Model::Forget() {
  next_room_ = 0;
  places_.clear();
  roots_.clear();
}

// nullptr: none is left.
void* Model::Room() { return next_room_ < kRooms ? At(kFirstRoom + next_room_++ * kRoom) : nullptr; }

bool Model::Constants(std::span<const Operand> operands, int64_t* out) {
  return std::all_of(operands.begin(), operands.end(),
                     [&](const Operand& operand) { return ConstantOf(operand, out++); });
}

// The value whose tile a value shares, or whose elements a view shows, according to the text; else itself.
// Known for every value of the chain once asked, so that a program's chains are walked once each.
const Value& Model::RootOf(const Value& value) {
  std::vector<const Value*> chain;
  const Value* root = &value;
  while (true) {
    const auto known = roots_.find(root);
    if (known != roots_.end()) {
      root = known->second;
      break;
    }
    const Stmt* def = MakerOf(*root);
    const bool shares = def != nullptr && (def->kind == StmtKind::kTreshape || def->kind == StmtKind::kBitcast ||
                                           def->kind == StmtKind::kBindTile);
    if (!shares || def->operands[0].value == nullptr) break;
    chain.push_back(root);
    root = def->operands[0].value;
  }
  for (const Value* link : chain) roots_[link] = root;
  return *root;
}

// Where a value's tile lies, as far as the text determines it: nothing, once tiles are moved.
uint64_t Model::PlaceOf(const Value& shown) {
  const Value& value = moves_ ? shown : RootOf(shown);
  const auto known = places_.find(&value);
  if (known != places_.end()) return known->second;
  const Stmt* def = moves_ ? nullptr : MakerOf(value);
  uint64_t place = 0;
  int64_t address = 0;
  if (def != nullptr && def->kind == StmtKind::kAllocTile && (*def)["addr"] != nullptr &&
      ConstantOf((*def)["addr"]->value, &address) && address >= 0 && address < static_cast<int64_t>(kMemory / 2) &&
      value.type != nullptr) {
    place = kFirstRoom / 2 + static_cast<uint64_t>(value.type->loc) * kMemory + static_cast<uint64_t>(address);
  } else {
    place = reinterpret_cast<uintptr_t>(Room());
  }
  places_[&value] = place;
  return place;
}

OwnTile Model::Scratch(const pto_tile_desc& desc) {
  const pto_tile_desc asked = Asked(desc);
  return OwnTile(Made(pto_tile_wrap(ctx_, &asked, Room(), static_cast<int64_t>(kRoom))));
}

OwnTile Model::PartOf(const Stmt& def, pto_tile* whole, const int64_t* offsets, Known* known) {
  const bool rest = def.sizes[0] == kDynamic;
  int64_t valid[2] = {def.sizes[0], def.sizes[1]};
  const bool extents = Constants(def.All("valid"), valid);
  known->extents &= extents;
  const bool narrows = def.Is("subview") && !rest && extents;
  return OwnTile(Made(
      TilePart(ctx_, whole, offsets[0], offsets[1], rest ? nullptr : def.sizes.data(), narrows ? valid : nullptr)));
}

OwnTile Model::TileOf(const Value& value, Known* known, int depth) {
  const Type* type = value.type;
  if (type == nullptr || type->kind != TypeKind::kTile) return nullptr;
  const Stmt* def = MakerOf(value);
  int64_t offsets[2] = {};
  if (def != nullptr && def->kind == StmtKind::kSubset && !moves_ && depth < kDeep &&
      (*def)["tile"]->value != nullptr && ConstantOf(*(*def)["row"], &offsets[0]) &&
      ConstantOf(*(*def)["col"], &offsets[1])) {
    Known whole_known;
    const OwnTile whole = TileOf(*(*def)["tile"]->value, &whole_known, depth + 1);
    OwnTile part;
    if (whole != nullptr) part = PartOf(*def, whole.get(), offsets, &whole_known);
    // The error was reported where the part is made.
    if (part != nullptr) {
      known->extents &= whole_known.extents;
      return part;
    }
  }
  int64_t rows = type->valid_row;
  int64_t cols = type->valid_col;
  // The operands of alloc_tile hold while nothing sets others.
  if (def != nullptr && def->kind == StmtKind::kAllocTile && !shapes_) {
    const Operand* const row = (*def)["valid_row"];
    const Operand* const col = (*def)["valid_col"];
    if (row != nullptr && !ConstantOf(*row, &rows)) rows = kDynamic;
    if (col != nullptr && !ConstantOf(*col, &cols)) cols = kDynamic;
  }
  known->extents &= rows != kDynamic && cols != kDynamic;
  pto_tile_desc desc{};
  if (!TileDesc(*type, pto_context_profile(ctx_), AskedExtent(rows), AskedExtent(cols), &desc)) return nullptr;
  desc = Asked(desc);
  return OwnTile(Made(pto_tile_wrap(ctx_, &desc, At(PlaceOf(value)), static_cast<int64_t>(kRoom))));
}

OwnTensor Model::Wrap(const pto_tensor_desc& desc, Known* known) {
  // A view is refused for its extents and strides only, so it always has a place.
  void* const at = At(kWide ? kFirstRoom + next_room_++ % kRooms * kRoom : kFirstRoom / 4);
  OwnTensor made(Made(pto_tensor_wrap(ctx_, &desc, at, kViewBytes)));
  known->refused |= made == nullptr;
  return made;
}

OwnTensor Model::TensorOf(const Value& value, Known* known, int depth) {
  const Type* type = value.type;
  if (type == nullptr || !type->IsView() || type->rank < 1 || type->rank > 5) return nullptr;
  pto_dtype dtype = PTO_DTYPE_I8;
  if (!DTypeOf(type->elem, &dtype)) return nullptr;
  const Stmt* def = MakerOf(value);
  const auto rank = static_cast<size_t>(type->rank);
  int64_t dims[5] = {};
  int64_t more[5] = {};  // strides, or offsets
  std::string_view named;
  if (def != nullptr && def->kind == StmtKind::kMakeTensorView && def->All("shape").size() == rank &&
      def->All("strides").size() == rank) {
    named = WrittenLayout(*def);
    if (Constants(def->All("shape"), dims) && Constants(def->All("strides"), more)) {
      return Wrap(ViewDesc(dtype, *def, type->rank, dims, more), known);
    }
  }
  if (def != nullptr && def->kind == StmtKind::kPartitionView && def->All("offsets").size() == rank &&
      def->All("sizes").size() == rank && depth < kDeep && (*def)["view"]->value != nullptr) {
    Known whole_known;
    const OwnTensor whole = TensorOf(*(*def)["view"]->value, &whole_known, depth + 1);
    const bool sizes = Constants(def->All("sizes"), dims);
    const bool offsets = Constants(def->All("offsets"), more);
    if (whole != nullptr && sizes && static_cast<size_t>(pto_tensor_rank(whole.get())) == rank) {
      // Wherever the part begins, it has the strides and the order of the whole.
      for (size_t i = 0; i < rank && !(offsets && whole_known.extents); ++i) more[i] = 0;
      ViewPart part{};
      std::string why;
      known->layout &= whole_known.layout;
      if (ViewPartOf(whole.get(), more, dims, &part, &why)) {
        OwnTensor made(Made(pto_tensor_view(ctx_, whole.get(), &part.desc, part.offset)));
        if (made != nullptr) return made;
      }
      if (!whole_known.extents) {
        return Wrap(TensorDesc(dtype, pto_tensor_layout(whole.get()), type->rank, dims, nullptr), known);
      }
      return nullptr;  // what is refused was said where the part is made
    }
  }
  // The statement that makes the view may have its layout, and nothing else is known of strides.
  if (const Stmt* made = MakingOf(&value); made != nullptr) named = WrittenLayout(*made);
  known->layout &= !named.empty();
  for (size_t i = 0; i < rank; ++i) {
    known->extents &= type->dims[i] != kDynamic;
    dims[i] = type->dims[i] == kDynamic ? 1 : type->dims[i];
  }
  return Wrap(TensorDesc(dtype, LayoutOf(named), type->rank, dims, nullptr), known);
}

}  // namespace pto::ptoas
