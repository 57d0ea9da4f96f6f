// memref<...> where it stands for a tile or a view: another spelling of those types. On-chip memory in rows or in
// columns without gaps is a tile, global memory a view. All others stay the types of another dialect.
#include <algorithm>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {

namespace {

// Reads a text from the front; what does not fit is left there.
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
    if ((i != 0 && !reader.Eat(",")) || !reader.Number(&type->strides[i])) return false;
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

// The layout or memory that an attribute of the type says, by its name too. False: neither.
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

// memref.alloc() [dict] : type: another spelling of alloc_tile
bool Parser::ParseMemrefAlloc(Stmt* stmt) {
  NameInstruction(stmt, "alloc_tile");
  stmt->kind = StmtKind::kAllocTile;
  const Marks start = Mark();
  const Type* type = nullptr;
  if (!Expect('(') || !Expect(')') || !ParseTyped(start, TypeKind::kTile, &type)) return false;
  named_.resize(start.named);  // alignment: tiles have their own
  FinishWith(stmt, start, type);
  return true;
}

// load %m[%i, %j] [dict] : type; store %x, %m[%i, %j] [dict] : type
bool Parser::ParseMemrefAccess(Stmt* stmt, bool store) {
  stmt->kind = store ? StmtKind::kMemrefStore : StmtKind::kMemrefLoad;
  const Marks start = Mark();
  if (store && (!ParseResolved() || !Expect(','))) return false;
  const size_t memory = operands_.size();
  uint16_t indices = 0;
  const Type* type = nullptr;
  if (!ParseResolved() || !ParseBracketed(&indices) || !ParseTyped(start, TypeKind::kTensorView, &type)) return false;
  named_.resize(start.named);  // hints to caches
  GiveType(&operands_[memory], type);
  if (store) {
    GiveType(&operands_[start.operands], Scalar(type->elem));
    Finish(stmt, start);
    DefineResults(stmt, {});
  } else {
    FinishWith(stmt, start, Scalar(type->elem));
  }
  return true;
}

// %m, %i : type: another spelling of get_tensor_view_dim
bool Parser::ParseMemrefDim(Stmt* stmt) {
  NameInstruction(stmt, "get_tensor_view_dim");
  stmt->kind = StmtKind::kTensorViewDim;
  stmt->code = static_cast<uint8_t>(ViewQuery::kDim);
  const Marks start = Mark();
  const Type* type = nullptr;
  if (!ParseResolved() || !Expect(',') || !ParseResolved() || !ParseTyped(start, TypeKind::kTensorView, &type)) {
    return false;
  }
  GiveType(&operands_[start.operands], type);
  GiveType(&operands_[start.operands + 1], Scalar(Elem::kIndex));
  FinishWith(stmt, start, Scalar(Elem::kIndex));
  return true;
}

// Of a memref that stands for a tile: another spelling of subset.
bool Parser::SubviewOfTile(Stmt* stmt, const Marks& start, const Type& from, const Type& to) {
  NameInstruction(stmt, "subset");
  stmt->kind = StmtKind::kSubset;
  stmt->split = 0;
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
  NameInstruction(stmt, "partition_view");
  stmt->kind = StmtKind::kPartitionView;
  const Marks start = Mark();
  uint16_t sizes = 0;
  if (!ParseResolved() || !ParseBracketed(&stmt->split) || !ParseBracketed(&sizes) || !Expect('[')) return false;
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
  if (sizes != stmt->split || steps != stmt->split) {
    return FailAt(*stmt, TextRule::kViewRank, "offsets, sizes and steps have %u, %u and %u entries", stmt->split, sizes,
                  steps);
  }
  GiveType(&operands_[start.operands], from);
  if (from->kind == TypeKind::kTile && stmt->split == 2) return SubviewOfTile(stmt, start, *from, *to);
  FinishWith(stmt, start, to);
  return true;
}

bool Parser::ParseMemref(Stmt* stmt, std::string_view name, bool* known) {
  *known = true;
  if (name == "alloc" || name == "alloca") return ParseMemrefAlloc(stmt);
  if (name == "load" || name == "store") return ParseMemrefAccess(stmt, name == "store");
  if (name == "dim") return ParseMemrefDim(stmt);
  if (name == "subview") return ParseMemrefSubview(stmt);
  *known = false;
  return false;
}

// What stands between the angles of a memref. False: it stands for no tile and no view.
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
    // Up to the comma after it, which stands outside of brackets.
    const std::string_view part = reader.Part();
    if (!MemrefAttribute(part, &type)) return false;
  }
  if (!reader.Done()) return false;
  // Without a layout rows follow each other.
  if (type.strided && type.offset == 0 && Follow(type, false)) type.strided = false;
  const bool columns = type.strided && type.offset == 0 && Follow(type, true);
  type.kind = TypeKind::kTensorView;
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

// The same in MLIR's generic form.
bool Parser::GenericMemref(Stmt* stmt, Generic* op, std::string_view rest) {
  const bool load = rest == "load";
  const bool store = rest == "store";
  const bool dim = rest == "dim";
  const size_t made = types_.size() - op->results;
  if (!(load || store || dim) || !op->blocks.empty() || made != (store ? 0 : 1)) return NoGenericForm(*op);
  if (!GenericCount(*op, store || dim ? 2 : 1, SIZE_MAX)) return false;
  if (dim) {
    if (op->results - op->types == 2 && !GenericType(*op, types_[op->types + 1], Scalar(Elem::kIndex))) return false;
    NameInstruction(stmt, "get_tensor_view_dim");
    stmt->code = static_cast<uint8_t>(ViewQuery::kDim);
  }
  stmt->kind = dim ? StmtKind::kTensorViewDim : load ? StmtKind::kMemrefLoad : StmtKind::kMemrefStore;
  GenericOperands(op, load ? 1 : 2);
  stmt->operands = Commit(&operands_, op->operands);
  // The other spelling has the type of the memory alone.
  const Type* memory = op->types + store < op->results ? types_[op->types + store] : nullptr;
  const Type* moved = store ? types_[op->types] : load ? types_[op->results] : nullptr;
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
