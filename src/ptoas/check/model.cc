#include "src/ptoas/check/model.h"

#include <vector>

#include "src/ops/attributes.h"
#include "src/ptoas/run/tile_desc.h"

namespace pto::ptoas {

namespace {

// Above what user space maps.
constexpr uint64_t kFirstRoom = uint64_t{1} << 58;
constexpr uint64_t kRoom = uint64_t{1} << 41;
constexpr uint64_t kRooms = (uint64_t{1} << 62) / kRoom;
// Parts of parts are followed so far; of longer chains the types say enough.
constexpr int kDeep = 32;

void* At(uint64_t place) {
  // No integer made it a pointer that anyone reads.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<void*>(place);
}

int64_t Extent(int64_t valid) { return valid == kDynamic ? PTO_VALID_ALL : valid; }

const Stmt* MakerOf(const Value& value) { return value.origin == ValueOrigin::kResult ? value.def : nullptr; }

}  // namespace

void Model::Forget() {
  places_.clear();
  roots_.clear();
}

void* Model::Room() { return At(kFirstRoom + next_room_++ % kRooms * kRoom); }

bool Model::Constants(const Stmt& stmt, size_t first, size_t count, int64_t* out) {
  if (stmt.operands.size() < first + count) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!ConstantOf(stmt.operands[first + i], &out[i])) return false;
  }
  return true;
}

// The value whose tile a value shares, or whose elements a view shows, as the text says; else itself.
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

// Where a value's tile lies, as far as the text says: nothing, once tiles are moved.
uint64_t Model::PlaceOf(const Value& shown) {
  const Value& value = moves_ ? shown : RootOf(shown);
  const auto known = places_.find(&value);
  if (known != places_.end()) return known->second;
  const Stmt* def = moves_ ? nullptr : MakerOf(value);
  uint64_t place = 0;
  int64_t address = 0;
  if (def != nullptr && def->kind == StmtKind::kAllocTile && def->has_addr &&
      ConstantOf(def->operands[0].value, &address) && address >= 0 && address < (int64_t{1} << 40) &&
      value.type != nullptr) {
    place = kFirstRoom / 2 + static_cast<uint64_t>(value.type->loc) * kRoom + static_cast<uint64_t>(address);
  } else {
    place = kFirstRoom + next_room_++ % kRooms * kRoom;
  }
  places_[&value] = place;
  return place;
}

OwnTile Model::Scratch(const pto_tile_desc& desc) {
  const pto_tile_desc asked = Asked(desc);
  return OwnTile(Made(pto_tile_wrap(ctx_, &asked, Room(), static_cast<int64_t>(kRoom))));
}

OwnTile Model::TileOf(const Value& value, Known* known, int depth) {
  const Type* type = value.type;
  if (type == nullptr || type->kind != TypeKind::kTile) return nullptr;
  const Stmt* def = MakerOf(value);
  int64_t offsets[2] = {};
  if (def != nullptr && def->kind == StmtKind::kSubset && !moves_ && depth < kDeep &&
      def->operands[0].value != nullptr && Constants(*def, 1, 2, offsets)) {
    Known whole_known;
    const OwnTile whole = TileOf(*def->operands[0].value, &whole_known, depth + 1);
    const int64_t* const sizes = def->name == "subview" ? nullptr : def->sizes.data();
    OwnTile part;
    if (whole != nullptr) part.reset(Made(TilePart(ctx_, whole.get(), offsets[0], offsets[1], sizes)));
    // What is refused was said where the part is made.
    if (part != nullptr) {
      known->extents &= whole_known.extents;
      return part;
    }
  }
  int64_t rows = type->valid_row;
  int64_t cols = type->valid_col;
  // What alloc_tile was given stays so while nothing sets it.
  if (def != nullptr && def->kind == StmtKind::kAllocTile && !shapes_) {
    size_t next = def->has_addr ? 1 : 0;
    if (def->has_valid_row && !ConstantOf(def->operands[next++], &rows)) rows = kDynamic;
    if (def->has_valid_col && !ConstantOf(def->operands[next], &cols)) cols = kDynamic;
  }
  known->extents &= rows != kDynamic && cols != kDynamic;
  pto_tile_desc desc{};
  if (!TileDesc(*type, pto_context_profile(ctx_), Extent(rows), Extent(cols), &desc)) return nullptr;
  desc = Asked(desc);
  return OwnTile(Made(pto_tile_wrap(ctx_, &desc, At(PlaceOf(value)), static_cast<int64_t>(kRoom))));
}

OwnTensor Model::Wrap(const pto_tensor_desc& desc, Known* known) {
  OwnTensor made(Made(pto_tensor_wrap(ctx_, &desc, Room(), static_cast<int64_t>(kRoom))));
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
  if (def != nullptr && def->kind == StmtKind::kMakeTensorView && def->split == rank) {
    named = GivenValue(*def, "layout");
    if (Constants(*def, 1, rank, dims) && Constants(*def, 1 + rank, rank, more)) {
      return Wrap(ViewDesc(dtype, named, type->rank, dims, more), known);
    }
  }
  if (def != nullptr && def->kind == StmtKind::kPartitionView && def->split == rank && depth < kDeep &&
      def->operands[0].value != nullptr) {
    Known whole_known;
    const OwnTensor whole = TensorOf(*def->operands[0].value, &whole_known, depth + 1);
    const bool sizes = Constants(*def, 1 + rank, rank, dims);
    const bool offsets = Constants(*def, 1, rank, more);
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
  // The view's making may say its layout, and nothing else is known of strides.
  const Value* made = &value;
  for (int i = 0; i < kDeep && MakerOf(*made) != nullptr && made->def->kind == StmtKind::kPartitionView &&
                  made->def->operands[0].value != nullptr;
       ++i) {
    made = made->def->operands[0].value;
  }
  if (MakerOf(*made) != nullptr && made->def->kind == StmtKind::kMakeTensorView) {
    named = GivenValue(*made->def, "layout");
  }
  known->layout &= !named.empty();
  for (size_t i = 0; i < rank; ++i) {
    known->extents &= type->dims[i] != kDynamic;
    dims[i] = type->dims[i] == kDynamic ? 1 : type->dims[i];
  }
  return Wrap(TensorDesc(dtype, LayoutOf(named), type->rank, dims, nullptr), known);
}

}  // namespace pto::ptoas
