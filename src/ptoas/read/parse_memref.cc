// memref<...> as a spelling of a tile or view type. On-chip memory in rows or in
// columns without gaps is a tile, one of a single open dimension a pointer, and global memory a view. All others stay
// the types of another dialect.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

namespace {

// Reads a string from the front; what does not match stays.
class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}
  bool Eat(std::string_view word) {
    Blanks();
    if (left_.substr(0, word.size()) != word) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  std::string_view Word() {
    Blanks();
    size_t n = 0;
    while (n < left_.size() && Is(left_[n], n == 0 ? kLetterBit : kIdentBit)) ++n;
    return Take(n);
  }
  bool Number(int64_t* out) {
    constexpr size_t kMostDigits = 15;
    Blanks();
    size_t n = 0;
    *out = 0;
    for (; n < left_.size() && Is(left_[n], kDigitBit); ++n) {
      if (n < kMostDigits) *out = *out * 10 + (left_[n] - '0');
    }
    Take(n);
    return n > 0 && n <= kMostDigits;
  }
  // Up to the angle that closes the one before.
  std::string_view Angles() {
    int open = 1;
    for (size_t n = 0; n < left_.size(); ++n) {
      if (left_[n] == '<') ++open;
      if (left_[n] == '>' && (n == 0 || left_[n - 1] != '-') && --open == 0) {
        const std::string_view inside = Take(n);
        left_.remove_prefix(1);
        return inside;
      }
    }
    return {};
  }
  // Up to a comma outside of brackets.
  std::string_view Part() {
    int open = 0;
    size_t n = 0;
    for (; n < left_.size(); ++n) {
      const char c = left_[n];
      if (c == ',' && open == 0) break;
      open += c == '<' || c == '(' || c == '[';
      open -= (c == '>' && (n == 0 || left_[n - 1] != '-')) || c == ')' || c == ']';
    }
    return Take(n);
  }
  bool Done() {
    Blanks();
    return left_.empty();
  }

 private:
  void Blanks() {
    while (!left_.empty() && Is(left_[0], kBlankBit)) left_.remove_prefix(1);
  }
  std::string_view Take(size_t n) {
    const std::string_view taken = left_.substr(0, n);
    left_.remove_prefix(n);
    return taken;
  }
  std::string_view left_;
};

// [16, 1] or [16, 1], offset: 0
bool ReadStrided(std::string_view text, Type* type) {
  Reader reader(text);
  if (!reader.Eat("[")) return false;
  for (int i = 0; i < type->rank; ++i) {
    if (i != 0 && !reader.Eat(",")) return false;
    if (reader.Eat("?")) {
      type->strides[i] = kDynamic;
    } else if (!reader.Number(&type->strides[i])) {
      return false;
    }
  }
  if (!reader.Eat("]")) return false;
  if (reader.Eat(",")) {
    if (!reader.Eat("offset") || !reader.Eat(":")) return false;
    if (reader.Eat("?")) {
      type->offset = kDynamic;
    } else if (!reader.Number(&type->offset)) {
      return false;
    }
  }
  return reader.Done();
}

// (d0, d1) -> (d0 * 16 + d1)
bool ReadAffine(std::string_view text, Type* type) {
  Reader reader(text);
  std::string_view names[kMaxRank];
  if (!reader.Eat("(")) return false;
  for (int i = 0; i < type->rank; ++i) {
    if (i != 0 && !reader.Eat(",")) return false;
    names[i] = reader.Word();
    if (names[i].empty()) return false;
  }
  if (!reader.Eat(")") || !reader.Eat("->") || !reader.Eat("(")) return false;
  bool given[kMaxRank] = {};
  do {
    int64_t factor = 1;
    const bool before = reader.Number(&factor);
    if (before && !reader.Eat("*")) return false;
    if (!before) factor = 1;
    const std::string_view name = reader.Word();
    const std::string_view* const found = std::find(names, names + type->rank, name);
    const auto at = static_cast<size_t>(found - names);
    if (name.empty() || found == names + type->rank || given[at]) return false;
    if (!before && reader.Eat("*") && !reader.Number(&factor)) return false;
    given[at] = true;
    type->strides[at] = factor;
  } while (reader.Eat("+"));
  return reader.Eat(")") && reader.Done() && std::all_of(given, given + type->rank, [](bool one) { return one; });
}

bool Follow(const Type& type, bool columns) {
  int64_t step = 1;
  for (int k = 0; k < type.rank; ++k) {
    const int i = columns ? k : type.rank - 1 - k;
    if (type.strides[i] != step) return false;
    if (type.dims[i] == kDynamic && k + 1 < type.rank) return false;
    step *= type.dims[i];
  }
  return true;
}

}  // namespace

// The layout or memory of an attribute of the type, also by its alias. False: neither.
bool Parser::MemrefAttribute(std::string_view text, Type* type) {
  Reader reader(text);
  if (reader.Eat("strided") && reader.Eat("<")) {
    type->strided = true;
    const std::string_view inside = reader.Angles();
    return reader.Done() && ReadStrided(inside, type);
  }
  reader = Reader(text);
  if (reader.Eat("affine_map") && reader.Eat("<")) {
    type->strided = true;
    const std::string_view inside = reader.Angles();
    return reader.Done() && ReadAffine(inside, type);
  }
  reader = Reader(text);
  if (!reader.Eat("#")) return false;
  const std::string_view name = reader.Word();
  const auto alias = attr_aliases_.find(name);
  if (alias != attr_aliases_.end() && reader.Done()) {
    const Attr& attr = *alias->second.means;
    if (attr.kind == AttrKind::kName) return MemrefAttribute(attr.text, type);
    return attr.kind == AttrKind::kPto && attr.name == "address_space" && SpaceNamed(attr.text, type);
  }
  if (name != "pto.address_space" && !(name == "pto" && text.find("address_space") != text.npos)) return false;
  if (!reader.Eat("<")) return false;
  if (name == "pto" && !reader.Eat("address_space")) return false;
  const std::string_view space = reader.Word();
  return reader.Eat(">") && reader.Done() && SpaceNamed(space, type);
}

// For a memref that is a tile: another spelling of subset.
bool Parser::SubviewOfTile(Stmt* stmt, const Marks& start, const Type& from, const Type& to) {
  stmt->Become(InfoOf("subset"));
  int64_t sizes[2] = {};
  for (size_t i = 0; i < 2; ++i) {
    const Operand& size = operands_[start.operands + 3 + i];
    const bool known = size.kind == OperandKind::kLiteral && size.literal->kind == AttrKind::kInt;
    sizes[i] = known ? size.literal->integer : 0;
    if (known && to.kind == TypeKind::kTile && to.dims[i] == sizes[i]) continue;
    return FailAt(*stmt, TextRule::kSubset,
                  "the sizes of a part of a tile must be constants equal to the sizes of its type");
  }
  operands_.resize(start.operands + 3);
  stmt->sizes = arena_->Copy(sizes, 2);
  FinishWith(stmt, start, SubsetType(start.operands, &from, sizes));
  return true;
}

// %m[offsets] [sizes] [steps] : type to type: another spelling of partition_view, whose steps are 1
bool Parser::ParseMemrefSubview(Stmt* stmt) {
  stmt->Become(InfoOf("partition_view"));
  const Marks start = Mark();
  uint16_t offsets = 0;
  uint16_t sizes = 0;
  if (!ParseResolved() || !ParseBracketed(&offsets) || !ParseBracketed(&sizes) || !Expect('[')) return false;
  uint16_t steps = 0;
  for (; !At(']'); ++steps) {
    Attr step;
    if ((steps != 0 && !Expect(',')) || !ParseNumber(&step)) return false;
    if (step.kind != AttrKind::kInt || step.integer != 1) {
      return FailAt(*stmt, TextRule::kViewRange, "memref.subview takes every element: its steps are 1");
    }
  }
  const Type* from = nullptr;
  if (!Expect(']') || !ParseTyped(start, TypeKind::kTensorView, &from) || !ExpectWord("to")) return false;
  const Type* to = ParseType(TypeKind::kTensorView);
  if (to == nullptr) return false;
  if (sizes != offsets || steps != offsets) {
    return FailAt(*stmt, TextRule::kViewRank, "offsets, sizes and steps have %u, %u and %u entries", offsets, sizes,
                  steps);
  }
  GiveType(&operands_[start.operands], from);
  if (from->kind == TypeKind::kTile && offsets == 2) return SubviewOfTile(stmt, start, *from, *to);
  NameOperands(stmt, {1, offsets, sizes});
  FinishWith(stmt, start, to);
  return true;
}

// The contents of memref<...>. False: it is neither a tile nor a view.
bool Parser::MemrefType(std::string_view text, Type* out) {
  Type type;
  Reader reader(text);
  while (type.rank < 5) {
    int64_t extent = kDynamic;
    if (!reader.Eat("?") && !reader.Number(&extent)) break;
    type.dims[type.rank++] = extent;
    if (!reader.Eat("x")) return false;
  }
  type.elem = ElemByName(reader.Word());
  if (type.elem == Elem::kNone || type.rank == 0) return false;
  while (reader.Eat(",")) {
    // Up to the comma after it, outside of brackets.
    const std::string_view part = reader.Part();
    if (!MemrefAttribute(part, &type)) return false;
  }
  if (!reader.Done()) return false;
  // Strides that only a run knows are not part of the type of a view; tiles have none.
  const std::span<const int64_t> steps(type.strides, type.rank);
  const bool open = type.strided && std::find(steps.begin(), steps.end(), kDynamic) != steps.end();
  if (open && type.local) return false;
  if (open) {
    type.strided = false;
    type.offset = 0;
  }
  // Without a layout rows follow each other.
  if (type.strided && type.offset == 0 && Follow(type, false)) type.strided = false;
  const bool columns = type.strided && type.offset == 0 && Follow(type, true);
  type.kind = TypeKind::kTensorView;
  if (type.local && type.rank > 2 && !type.strided) {
    // The lines of all dimensions but the last are rows.
    int64_t rows = 1;
    for (int i = 0; i + 1 < type.rank; ++i) {
      if (type.dims[i] < 1 || type.dims[i] > INT32_MAX / rows) return false;
      rows *= type.dims[i];
    }
    const int64_t last = type.dims[type.rank - 1];
    std::fill(std::begin(type.dims), std::end(type.dims), 0);
    type.dims[0] = rows;
    type.dims[1] = last;
    type.rank = 2;
  }
  if (type.local && type.rank == 1 && type.dims[0] == kDynamic && !type.strided) {
    // Any number of elements in one line: an address of the vector level.
    *out = Type();
    out->kind = TypeKind::kPtr;
    out->elem = type.elem;
    out->local = true;
    out->loc = type.loc;
    return true;
  }
  if (type.local) {
    const bool fixed = type.rank == 2 && type.dims[0] > 0 && type.dims[1] > 0;
    // A part of a tile is written with the strides of the whole.
    const bool part = type.strided && (type.strides[0] == 1) != (type.strides[1] == 1);
    if (!fixed || (type.strided && !columns && !part)) return false;
    type.kind = TypeKind::kTile;
    type.blayout = columns || (part && type.strides[0] == 1) ? BLayout::kColMajor : BLayout::kRowMajor;
    type.valid_row = type.dims[0];
    type.valid_col = type.dims[1];
    type.strided = part && !columns;
    type.local = false;
  }
  if (!type.strided) std::fill(std::begin(type.strides), std::end(type.strides), 0);
  *out = type;
  return true;
}

// The same in MLIR's generic form. The own form has the type of the memory alone.
bool Parser::GenericMemref(Stmt* stmt, Generic* op) {
  const bool store = stmt->Is("memref.store");
  const bool load = stmt->Is("memref.load");
  if (stmt->Is("memref.dim")) {
    stmt->Become(InfoOf("get_tensor_view_dim"));
    if (!op->blocks.empty() || types_.size() - op->results != 1) return NoGenericForm(*op);
    return GenericCount(*op, 2, 2) && GenericForm(stmt, op);
  }
  const size_t made = types_.size() - op->results;
  if (!(load || store) || !op->blocks.empty() || made != (store ? 0 : 1)) return NoGenericForm(*op);
  if (!GenericCount(*op, store ? 2 : 1, SIZE_MAX)) return false;
  const size_t places = operands_.size() - op->operands - (store ? 2 : 1);
  NameOperands(stmt, store ? std::initializer_list<size_t>{1, 1, places} : std::initializer_list<size_t>{1, places});
  GenericOperands(op, load ? 1 : 2);
  stmt->operands = Commit(&operands_, op->operands);
  const Type* memory = op->types + store < op->results ? types_[op->types + store] : nullptr;
  const Type* moved = store ? types_[op->types] : types_[op->results];
  if (moved != nullptr && memory != nullptr && !moved->IsScalar(memory->elem)) {
    const char* has = memory->elem == Elem::kNone ? "an element of the memory" : Info(memory->elem).name;
    diagnostics_->Error(TextRule::kViewElement, op->offset, op->length, "the moved value is not %s", has);
  }
  if (store) {
    DefineResults(stmt, {});
  } else {
    DefineResult(stmt, types_[op->results]);
  }
  return true;
}

}  // namespace pto::ptoas
